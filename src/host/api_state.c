/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h: the state of a tile by name. */
#include "chip/chip.h"
#include "tensix/tensix.h"
#include "tensix/trace.h"

#include "cfg_fields.h"
#include "noc_regs.h"
#include "tensix_isa.h"
#include "tile_regs.h"

#include <stdarg.h>
#include <stdio.h>

enum { CONFIG_SPACE = 256 }; /* words of a bank, or of a thread, in KERR_SPACE_CONFIG */

typedef struct visit {
    const kerr_chip *chip;
    const struct tile *tile;
    kerr_state_fn fn;
    void *context;
    const char *group;
} visit;

static void __attribute__((format(printf, 5, 6)))
tell(const visit *v, uint64_t value, unsigned bits, kerr_state_kind kind, const char *format, ...)
{
    kerr_state_item item = {.group = v->group, .value = value, .bits = (uint8_t)bits, .kind = (uint8_t)kind};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item.name, sizeof item.name, format, arguments);
    va_end(arguments);
    v->fn(v->context, &item);
}

/* The same of something that accesses are told of (KERR_TRACE_ACCESS). */
static void __attribute__((format(printf, 6, 7)))
tell_place(const visit *v, uint64_t value, unsigned bits, kerr_space space, uint32_t address, const char *format, ...)
{
    kerr_state_item item = {.group = v->group,
                            .value = value,
                            .bits = (uint8_t)bits,
                            .has_place = true,
                            .space = (uint8_t)space,
                            .address = address};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(item.name, sizeof item.name, format, arguments);
    va_end(arguments);
    v->fn(v->context, &item);
}

#define NUMBER(v, value, bits, ...) tell(v, value, bits, KERR_STATE_NUMBER, __VA_ARGS__)

/* ---- Baby cores ------------------------------------------------------------------------------------------- */

static void visit_core(visit *v, unsigned core)
{
    static const char *const groups[] = {"core B", "core T0", "core T1", "core T2", "core NC"};
    static const char *const own[] = {"core E0", "core E1"};
    static const struct {
        const char *name;
        uint16_t number;
    } csrs[] = {{"fcsr", 0x003}, {"mcycle", 0xB00}, {"minstret", 0xB02}, {"cfg0", 0x7C0}, {"cfg1", 0x7C1}};
    kerr_core_info info;
    const kerr_xy at = v->tile->at;
    v->group = v->tile->kind == KERR_TILE_TENSIX ? groups[core]
               : v->tile->kind == KERR_TILE_DRAM ? "core D"
                                                 : own[core & 1];
    if (kerr_core_query(v->chip, at, (kerr_core)core, &info) != KERR_OK) {
        return;
    }
    NUMBER(v, info.state, 3, "state");
    if (info.state == KERR_CORE_IN_RESET) {
        return;
    }
    tell(v, info.pc, 32, KERR_STATE_ADDRESS, "pc");
    tell(v, info.wait_address, 32, KERR_STATE_ADDRESS, "waits at");
    uint32_t value = 0;
    for (uint32_t i = 1; i < 32; i++) {
        (void)kerr_reg_get(v->chip, at, (kerr_core)core, KERR_REG_X + i, &value);
        NUMBER(v, value, 32, "x%u", i);
    }
    for (uint32_t i = 0; i < 32; i++) {
        if (kerr_reg_get(v->chip, at, (kerr_core)core, KERR_REG_F + i, &value) == KERR_OK) {
            NUMBER(v, value, 32, "f%u", i);
        }
    }
    for (unsigned i = 0; i < sizeof csrs / sizeof *csrs; i++) {
        if (kerr_reg_get(v->chip, at, (kerr_core)core, KERR_REG_CSR + csrs[i].number, &value) == KERR_OK) {
            NUMBER(v, value, 32, "%s", csrs[i].name);
        }
    }
    const rv_core *c = &v->tile->core[core];
    NUMBER(v, c->stores.count, 8, "store queue: entries");
}

/* ---- The coprocessor ------------------------------------------------------------------------------------------ */

static void visit_queue(const visit *v, const char *name, const struct tensix_entry *entry, unsigned head,
                        unsigned count, unsigned capacity)
{
    NUMBER(v, count, 8, "%s: entries", name);
    for (unsigned i = 0; i < count; i++) {
        tell(v, entry[(head + i) % capacity].word, 32, KERR_STATE_TENSIX, "%s[%u]", name, i);
    }
}

static void visit_counters(const visit *v, const struct tensix_thread *t)
{
    static const char *const sets[ADC_SETS] = {"Unpackers[0]", "Unpackers[1]", "Packers"};
    for (unsigned s = 0; s < ADC_SETS; s++) {
        for (unsigned c = 0; c < 2; c++) {
            const struct tensix_adc_channel *a = &t->adc[s][c];
            NUMBER(v, a->x, 18, "ADC %s.Channel[%u].X", sets[s], c);
            NUMBER(v, a->x_cr, 18, "ADC %s.Channel[%u].X_Cr", sets[s], c);
            NUMBER(v, a->y, 16, "ADC %s.Channel[%u].Y", sets[s], c);
            NUMBER(v, a->y_cr, 16, "ADC %s.Channel[%u].Y_Cr", sets[s], c);
            NUMBER(v, a->z, 16, "ADC %s.Channel[%u].Z", sets[s], c);
            NUMBER(v, a->z_cr, 16, "ADC %s.Channel[%u].Z_Cr", sets[s], c);
            NUMBER(v, a->w, 16, "ADC %s.Channel[%u].W", sets[s], c);
            NUMBER(v, a->w_cr, 16, "ADC %s.Channel[%u].W_Cr", sets[s], c);
        }
    }
    NUMBER(v, t->rwc.dst, 16, "RWC Dst");
    NUMBER(v, t->rwc.dst_cr, 16, "RWC Dst_Cr");
    NUMBER(v, t->rwc.src_a, 8, "RWC SrcA");
    NUMBER(v, t->rwc.src_a_cr, 8, "RWC SrcA_Cr");
    NUMBER(v, t->rwc.src_b, 8, "RWC SrcB");
    NUMBER(v, t->rwc.src_b_cr, 8, "RWC SrcB_Cr");
    NUMBER(v, t->rwc.fidelity_phase, 8, "RWC FidelityPhase");
    NUMBER(v, t->rwc.extra_addr_mod_bit, 8, "RWC ExtraAddrModBit");
}

static void visit_front_end(const visit *v, const struct tensix_thread *t, const kerr_thread_info *gate)
{
    NUMBER(v, t->in_flight, 8, "in flight");
    visit_queue(v, "FIFO", t->fifo, t->fifo_head, t->fifo_count, TENSIX_FIFO_CAPACITY);
    visit_queue(v, "replay FIFO", t->replay_fifo, t->replay_head, t->replay_count, REPLAY_FIFO_CAPACITY);
    NUMBER(v, gate->waits, 1, "wait gate: an instruction waits");
    if (gate->waits) {
        tell(v, gate->word, 32, KERR_STATE_TENSIX, "wait gate: instruction");
        NUMBER(v, gate->reason, 8, "wait gate: reason");
        NUMBER(v, gate->detail, 32, "wait gate: detail");
        tell(v, gate->since, 64, KERR_STATE_CYCLE, "wait gate: since");
        tell(v, gate->pc, 32, KERR_STATE_ADDRESS, "wait gate: pushed at");
    }
    NUMBER(v, t->latch.opcode, 8, "latched wait: opcode");
    NUMBER(v, t->latch.conditions, 16, "latched wait: ConditionMask");
    NUMBER(v, t->latch.blocks, 16, "latched wait: BlockMask");
    NUMBER(v, t->latch.semaphores, 8, "latched wait: SemaphoreMask");
    NUMBER(v, t->mop.active, 1, "MOP expander: expands");
    NUMBER(v, t->mop.outer, 16, "MOP expander: outer iterations left");
    NUMBER(v, t->mop.position, 16, "MOP expander: inner position");
    NUMBER(v, t->mop.mask_hi, 16, "MOP expander: MaskHi");
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++) {
        tell(v, t->mop_cfg[i], 32, KERR_STATE_TENSIX, "MopCfg[%u]", i);
    }
    NUMBER(v, t->replay_mode, 8, "replay expander: mode");
    NUMBER(v, t->replay_left, 8, "replay expander: left");
    for (unsigned i = 0; i < REPLAY_ENTRIES; i++) {
        tell(v, t->replay[i], 32, KERR_STATE_TENSIX, "ReplayBuffer[%u]", i);
    }
}

static void visit_thread(visit *v, const struct tensix *tx, unsigned thread)
{
    static const char *const groups[] = {"Tensix T0", "Tensix T1", "Tensix T2"};
    const struct tensix_thread *t = &tx->thread[thread];
    kerr_thread_info gate = {0};
    (void)kerr_thread_query(v->chip, v->tile->at, thread, &gate);
    v->group = groups[thread];
    visit_front_end(v, t, &gate);
    for (unsigned i = 0; i < TENSIX_GPRS; i++) {
        tell_place(v, t->gpr[i], 32, KERR_SPACE_GPR, thread * TENSIX_GPRS + i, "GPR[%u]", i);
    }
    visit_counters(v, t);
    enum cfg_space space;
    unsigned at, width;
    const char *name;
    for (unsigned i = 0; (name = cfg_field_at(i, &space, &at, &width)) != NULL; i++) {
        if (space == CFG_SPACE_THREAD_CONFIG) {
            tell_place(v, (uint64_t)t->config[at / 32] >> at % 32 & ((UINT64_C(1) << width) - 1), width,
                       KERR_SPACE_CONFIG, (2 + thread) * CONFIG_SPACE + at / 32, "%s", name);
        }
    }
}

static void visit_config(visit *v, const struct tensix *tx, unsigned bank)
{
    v->group = bank == 0 ? "Config 0" : "Config 1";
    enum cfg_space space;
    unsigned at, width;
    const char *name;
    for (unsigned i = 0; (name = cfg_field_at(i, &space, &at, &width)) != NULL; i++) {
        const unsigned part = width < 32 ? width : 32; /* wider ones: their first word */
        if (space == CFG_SPACE_CONFIG && at / 32 < CFG_WORDS) {
            tell_place(v, tx->config[bank][at / 32] >> at % 32 & ((UINT64_C(1) << part) - 1), part, KERR_SPACE_CONFIG,
                       bank * CONFIG_SPACE + at / 32, "%s", name);
        }
    }
}

static void visit_units(visit *v, const struct tensix *tx)
{
    v->group = "sync";
    for (unsigned i = 0; i < SEMAPHORES; i++) {
        NUMBER(v, tx->semaphore[i].value, 4, "Semaphore[%u].Value", i);
        NUMBER(v, tx->semaphore[i].max, 4, "Semaphore[%u].Max", i);
    }
    for (unsigned i = 0; i < MUTEXES; i++) {
        NUMBER(v, tx->mutex[i], 2, "Mutex[%u]: 1 + thread that holds it", i);
    }
    for (unsigned i = 0; i < 2; i++) {
        const struct tensix_src *s = &tx->src[i];
        const char name = (char)('A' + i);
        NUMBER(v, s->unpacker_bank, 1, "Src%c: bank of the unpacker", name);
        NUMBER(v, s->matrix_bank, 1, "Src%c: bank of the Matrix Unit", name);
        for (unsigned bank = 0; bank < 2; bank++) {
            NUMBER(v, s->matrix_owns[bank], 1, "Src%c[%u]: AllowedClient is the Matrix Unit", name, bank);
            NUMBER(v, s->implied_format[bank], 4, "ImpliedSrc%cFmt[%u]", name, bank);
        }
    }
    v->group = "units";
    for (unsigned i = 0; i < TENSIX_UNITS; i++) {
        const uint64_t free = tx->unit_free[i] > v->chip->now ? tx->unit_free[i] : 0;
        tell(v, free, 64, KERR_STATE_CYCLE, "%s: busy until", kerr_tensix_unit_name((kerr_tensix_unit)i));
    }
    NUMBER(v, tx->scalar.count, 8, "Scalar Unit: requests");
    NUMBER(v, tx->mover.left, 32, "Mover: units of 16 bytes left");
    NUMBER(v, tx->mover.queued, 8, "Mover: commands queued");
    NUMBER(v, tx->later_count, 32, "writes that are not visible yet");
    NUMBER(v, tx->packer.datums, 32, "Packer: datums of the open tile");
    tell(v, (uint64_t)tx->packer.data.address, 32, KERR_STATE_ADDRESS, "Packer: address of the next 16 bytes");
    NUMBER(v, tx->packer.fifo_count, 8, "Packer: MetadataFIFO entries");
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        NUMBER(v, tx->packer.acc_tile_size[i], 16, "Packer: AccTileSize[%u]", i);
        NUMBER(v, tx->context_counter[0][i], 3, "Unpackers[0].ContextCounter[%u]", i);
        NUMBER(v, tx->context_counter[1][i], 3, "Unpackers[1].ContextCounter[%u]", i);
    }
}

static void visit_vector(visit *v, const struct vector_files *files)
{
    v->group = "Vector Unit";
    NUMBER(v, files->LaneFlags, 32, "LaneFlags");
    NUMBER(v, files->UseLaneFlagsForLaneEnable, 32, "UseLaneFlagsForLaneEnable");
    for (unsigned i = 0; i < LANES; i++) {
        NUMBER(v, files->LaneConfig[i], 18, "LaneConfig[%u]", i);
        NUMBER(v, files->flag_stack_size[i], 4, "FlagStack size, lane %u", i);
    }
    for (unsigned i = 0; i < LOAD_MACROS; i++) {
        tell(v, files->LoadMacroConfig.InstructionTemplate[i][0], 32, KERR_STATE_TENSIX,
             "LoadMacroConfig.InstructionTemplate[%u], lane 0", i);
        NUMBER(v, files->LoadMacroConfig.Sequence[i][0], 32, "LoadMacroConfig.Sequence[%u], lane 0", i);
    }
}

static void visit_files(visit *v, const struct tensix_files *files)
{
    v->group = "LReg";
    for (unsigned r = 0; r < LREGS; r++) {
        for (unsigned i = 0; i < LANES; i++) {
            NUMBER(v, files->vector.LReg[r][i], 32, "LReg[%u][%u]", r, i);
        }
    }
    v->group = "Src";
    for (unsigned bank = 0; bank < SRC_BANKS; bank++) {
        for (unsigned row = 0; row < SRC_ROWS; row++) {
            for (unsigned i = 0; i < SRC_COLUMNS; i++) {
                const uint32_t place = bank * SRC_ROWS + row;
                tell_place(v, files->SrcA[bank][row][i], 19, KERR_SPACE_SRCA, place, "SrcA[%u][%u][%u]", bank, row, i);
                tell_place(v, files->SrcB[bank][row][i], 19, KERR_SPACE_SRCB, place, "SrcB[%u][%u][%u]", bank, row, i);
            }
        }
    }
    v->group = "Dst";
    for (unsigned row = 0; row < DST_ROWS; row++) {
        NUMBER(v, !(files->dst_row_undefined[row / 32] >> row % 32 & 1), 1, "DstRowValid[%u]", row);
        for (unsigned i = 0; i < DST_COLUMNS; i++) {
            tell_place(v, files->DstBits[row][i], 16, KERR_SPACE_DST, row, "DstBits[%u][%u]", row, i);
        }
    }
}

/* ---- What answers at an address ----------------------------------------------------------------------------- */

static void visit_between_cores(visit *v)
{
    static const char *const names[] = {"B", "T0", "T1", "T2"};
    v->group = "mailboxes";
    for (unsigned from = 0; from < MAILBOX_CORES; from++) {
        for (unsigned to = 0; to < MAILBOX_CORES; to++) {
            const struct mailbox *m = &v->tile->dev.mailbox[from][to];
            NUMBER(v, m->count, 4, "mailbox %s to %s: words", names[from], names[to]);
            for (unsigned i = 0; i < m->count; i++) {
                NUMBER(v, m->value[(m->head + i) % MAILBOX_CAPACITY], 32, "mailbox %s to %s[%u]", names[from],
                       names[to], i);
            }
        }
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct pcbuf *p = &v->tile->dev.pcbuf[i];
        NUMBER(v, p->count, 8, "PCBuf T%u: words", i);
        for (unsigned k = 0; k < p->count; k++) {
            NUMBER(v, p->value[(p->head + k) % PCBUF_CAPACITY], 32, "PCBuf T%u[%u]", i, k);
        }
    }
}

typedef struct row {
    const char *name;
    uint32_t address;
    uint16_t count, stride;
} row;

static void visit_rows(const visit *v, const row *rows, size_t count, uint32_t base)
{
    for (size_t i = 0; i < count; i++) {
        for (unsigned k = 0; k < rows[i].count; k++) {
            uint32_t value = 0;
            const uint32_t address = base + rows[i].address + (uint32_t)k * rows[i].stride;
            if (devices_peek(v->tile, CLIENT_NOC, address, &value, v->chip->now)) {
                if (rows[i].count == 1) {
                    NUMBER(v, value, 32, "%s", rows[i].name);
                } else {
                    NUMBER(v, value, 32, "%s[%u]", rows[i].name, k);
                }
            }
        }
    }
}

static void visit_registers(visit *v)
{
#define X(name, address, count, stride, access, reset, model) {name, address, count, stride},
    static const row tile_rows[] = {TILE_REGS(X)}, niu_rows[] = {NOC_REGS(X)};
#undef X
    if (v->tile->kind == KERR_TILE_TENSIX) {
        v->group = "registers";
        visit_rows(v, tile_rows, sizeof tile_rows / sizeof *tile_rows, 0);
    }
    v->group = "NoC 0";
    visit_rows(v, niu_rows, sizeof niu_rows / sizeof *niu_rows, NOC0_REGS_START_ADDR);
    v->group = "NoC 1";
    visit_rows(v, niu_rows, sizeof niu_rows / sizeof *niu_rows, NOC1_REGS_START_ADDR);
}

kerr_status kerr_state_visit(const kerr_chip *chip, kerr_xy at, uint32_t what, kerr_state_fn fn, void *context)
{
    if (chip == NULL || fn == NULL || (what & ~(uint32_t)KERR_STATE_ALL) != 0) {
        return KERR_BAD_ARGUMENT;
    }
    const int index = chip_tile_index(at);
    if (index < 0 || !kerr_tile_is_on(chip, at)) {
        return KERR_BAD_TILE;
    }
    visit v = {.chip = chip, .tile = chip_tile(chip, index), .fn = fn, .context = context};
    const bool has_coprocessor = v.tile->kind == KERR_TILE_TENSIX;
    if (what & KERR_STATE_PLAIN) {
        for (unsigned i = 0; i < v.tile->cores; i++) {
            visit_core(&v, i);
        }
        if (has_coprocessor) {
            struct tensix copy = v.tile->dev.tensix;
            tensix_make_real(&v.tile->lent, &copy, chip->now);
            for (unsigned i = 0; i < TENSIX_THREADS; i++) {
                visit_thread(&v, &copy, i);
            }
            visit_units(&v, &copy);
            visit_vector(&v, &v.tile->files.vector);
            visit_config(&v, &copy, 0);
            visit_config(&v, &copy, 1);
            visit_between_cores(&v);
        }
        visit_registers(&v);
    }
    if ((what & KERR_STATE_FILES) && has_coprocessor) {
        visit_files(&v, &v.tile->files);
    }
    return KERR_OK;
}

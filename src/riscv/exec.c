/* SPDX-License-Identifier: Apache-2.0 */
/* Running a baby core (manual BabyRISCV/README "Pipeline" to "Retire Unit").
 *
 * run_fast executes whole blocks with threaded dispatch.  It may be used while no instruction of the block can come too
 * early for what is in flight at its entry, all its lines are in the instruction cache and all its instructions enter
 * EX1 before the limit.
 * run_careful executes the same instructions (exec_ops.h) with every check before every one.  The two agree
 * cycle by cycle; max_block = 1 in the configuration turns everything into the careful case. */
#include "riscv/exec.h"

#include "base/bits.h"
#include "kerr.h"
#include "riscv/block.h"
#include "riscv/icache.h"
#include "riscv/lsu.h"

#include <stdio.h>

/* ---- Pieces of instructions --------------------------------------------------------------------- */

static uint32_t rotate_left(uint32_t value, uint32_t amount)
{
    amount &= 31;
    return amount == 0 ? value : value << amount | value >> (32 - amount);
}

/* Generalised reverse, Bitmanip 0.94 draft; rev8 is 24, brev8 is 7. */
static uint32_t grev(uint32_t value, uint32_t control)
{
    static const uint32_t mask[5] = {0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0x0000FFFF};
    for (unsigned i = 0; i < 5; i++) {
        if (control >> i & 1) {
            const unsigned distance = 1u << i;
            value = (value & mask[i]) << distance | (value >> distance & mask[i]);
        }
    }
    return value;
}

static uint32_t orc_b(uint32_t value)
{
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i += 8) {
        result |= (value >> i & 0xFF) != 0 ? 0xFFu << i : 0;
    }
    return result;
}

/* Cycles in EX1.  The manual gives the range and the trivial cases; silicon gives 14.04 at 12 significant bits of the
 * dividend and 33 at 29 bits, which this rule reproduces.
 * OPEN: the rule between and for small dividends; a sweep over dividends on a card would settle it. */
static uint32_t divide_cycles(uint32_t dividend, uint32_t divisor, bool is_signed)
{
    if (divisor <= 1 || (is_signed && dividend == 0x80000000u && divisor == UINT32_MAX)) {
        return COST_DIV_TRIVIAL;
    }
    const uint32_t magnitude = is_signed && (int32_t)dividend < 0 ? 0 - dividend : dividend;
    const uint32_t length = magnitude == 0 ? 0 : 32 - (uint32_t)__builtin_clz(magnitude);
    const uint32_t cycles = COST_DIV_BASE + length + (length > 12 ? (length - 12) / 8 : 0);
    return cycles < COST_DIV_MIN ? COST_DIV_MIN : cycles > COST_DIV_MAX ? COST_DIV_MAX : cycles;
}

/* What a branch did the last time is expected of it again, and not taken before it was ever met.  Silicon shows one
 * misprediction for each branch that is always taken (c_t, c_jal, retirebench branch_t) and two for each run through a
 * loop that has run before: 66n + 11 cycles from clock to clock for n times 66, of which three instructions and twice
 * COST_MISPREDICT are 11 (rv_addi_*, rv_mul_indep, rv_store_*, c_nt, f_64 to f_256).
 * OPEN: the real predictor (BpHistSel speaks of a history; c_t forgets its 64 branches between runs). */
static inline bool predict(rv_core *core, uint32_t pc, bool taken)
{
    uint8_t *entry = &core->predictor[pc >> 2 & (PREDICTOR_ENTRIES - 1)];
    const uint8_t outcome = taken ? PREDICT_TAKEN : PREDICT_NOT_TAKEN;
    const bool right = (*entry == PREDICT_TAKEN && !(core->cfg0 & CFG0_DIS_BP)) == taken;
    if (*entry != outcome) {
        *entry = outcome;
        core->bp_changes++;
    }
    return right;
}

static inline bool predict_target(rv_core *core, uint32_t pc, uint32_t target)
{
    const unsigned i = pc >> 2 & (TARGET_ENTRIES - 1);
    const bool right = core->target_pc[i] == pc + 1 && core->target[i] == target && !(core->cfg0 & CFG0_DIS_BP);
    if (!right) {
        core->target_pc[i] = pc + 1;
        core->target[i] = target;
        core->bp_changes++;
    }
    return right;
}

static bool instruction_fault(rv_core *core, rv_bus *bus, uint32_t word, uint64_t now, const char *text)
{
    rv_fault f = {.kind = KERR_FAULT_UNDEFINED,
                  .pc = core->pc,
                  .instruction = word,
                  .cycle = now,
                  .manual = "BlackholeA0/TensixTile/BabyRISCV/InstructionSet"};
    snprintf(f.text, sizeof f.text, "%s", text);
    core->state = RV_STOPPED;
    bus->fault(bus->owner, core->index, &f);
    return false;
}

static void illegal_op(rv_core *core, rv_bus *bus, const rv_decoded *op, uint64_t now)
{
    char text[160];
    const rv_op known = rv_identify(op->word);
    snprintf(text, sizeof text, "0x%08x is not an instruction of this core%s%s%s", op->word,
             known != RV_ILLEGAL ? " (" : "", known != RV_ILLEGAL ? rv_op_name(known) : "",
             known != RV_ILLEGAL ? ")" : "");
    instruction_fault(core, bus, op->word, now, text);
}

/* ebreak and ecall pause the core as a breakpoint does: behind the instruction. */
static void break_op(rv_core *core, rv_bus *bus, uint64_t now)
{
    core->state = RV_HALTED;
    core->single_step = false;
    bus->ebreak(bus->owner, core->index, now);
}

static lsu_result fence_and_sync(rv_core *core, rv_bus *bus, uint64_t *now, uint64_t shared_limit)
{
    const lsu_result r = lsu_fence(core, bus, now, shared_limit);
    if (r == LSU_DONE && !(core->cfg0 & CFG0_DIS_CSR_SYNC)) {
        *now += COST_CSR_SYNC;
    }
    return r;
}

static lsu_result float_op(rv_core *core, const rv_decoded *op, uint64_t *now, uint64_t limit)
{
    const rv_fp_use use = rv_fp_inspect(op->word);
    const unsigned rs1 = bits(op->word, 19, 15);
    uint64_t ready = use.reads_x1 ? core->ready[rs1] : 0;
    const unsigned f_source[3] = {rs1, bits(op->word, 24, 20), bits(op->word, 31, 27)};
    for (unsigned i = 0; i < 3; i++) {
        if (use.f_sources >> i & 1) {
            ready = max64(ready, core->ready[READY_F + f_source[i]]);
        }
    }
    if (ready == NEVER) {
        core->state = RV_WAITING;
        core->wait_address = core->blocked.address;
        return LSU_STATE;
    }
    *now = max64(*now, ready);
    if (*now >= limit) {
        return LSU_SHARED;
    }
    const uint32_t result = rv_fp_execute(&core->fp, core->cfg0, op->word, core->x[rs1]);
    const unsigned rd = bits(op->word, 11, 7);
    core->side_effect = true;
    if (use.writes_x) {
        core->x[rd == 0 ? X_SINK : rd] = result;
        lsu_settle(core, rd == 0 ? X_SINK : rd, *now + use.latency);
    } else {
        lsu_settle(core, READY_F + rd, *now + use.latency);
    }
    return LSU_DONE;
}

static lsu_result csr_op(rv_core *core, rv_bus *bus, const rv_decoded *op, uint64_t *now)
{
    const uint32_t number = op->immediate;
    const bool immediate = op->code >= RV_CSRRWI;
    const uint32_t operand = immediate ? op->extra : core->x[op->rs1];
    const bool is_write = op->code == RV_CSRRW || op->code == RV_CSRRWI;
    const bool writes = is_write || bits(op->word, 19, 15) != 0;
    uint32_t old = 0;
    if (!rv_csr_read(core, number, *now, &old)) {
        char text[160];
        snprintf(text, sizeof text, "%s of CSR 0x%03x, which does not exist on these cores",
                 rv_op_name((rv_op)op->code), number);
        instruction_fault(core, bus, op->word, *now, text);
        return LSU_STATE;
    }
    core->side_effect = true;
    rv_csr_read_effect(core, number);
    /* A hardware bug: what a handler writes to a CSR is lost (manual CSRs, PIC). */
    if (writes && !core->in_interrupt) {
        uint32_t value = operand;
        if (op->code == RV_CSRRS || op->code == RV_CSRRSI) {
            value = old | operand;
        } else if (op->code == RV_CSRRC || op->code == RV_CSRRCI) {
            value = old & ~operand;
        }
        rv_csr_write(core, number, *now, value);
    }
    core->x[op->rd] = old;
    if (!(core->cfg0 & CFG0_DIS_CSR_SYNC)) {
        *now += COST_CSR_SYNC;
    }
    return LSU_CAREFUL;
}

/* ---- Instruction fetch ----------------------------------------------------------------------------- */

/* The block of at most `count` instructions at core->pc; all lines it may touch are in the instruction cache. */
static const rv_block *fetch_block(rv_core *core, rv_bus *bus, uint32_t count)
{
    uint8_t code[BLOCK_MAX * 4 + COST_ICACHE_LINE_BYTES];
    const uint32_t first = core->pc / COST_ICACHE_LINE_BYTES;
    const uint32_t last = (core->pc + count * 4 - 1) / COST_ICACHE_LINE_BYTES;
    for (uint32_t line = first; line <= last; line++) {
        memcpy(code + (line - first) * COST_ICACHE_LINE_BYTES, icache_line(core, line), COST_ICACHE_LINE_BYTES);
    }
    return rv_block_get(bus->blocks, core->kind, core->pc, code + core->pc % COST_ICACHE_LINE_BYTES, count * 4, count);
}

/* The block at core->pc as far as the instruction cache has the lines, at most max_block; remembers it.  NULL: not even
 * the first line is there, or no instruction can be. */
static const rv_block *fetch_cached(rv_core *core, rv_bus *bus)
{
    const uint32_t pc = core->pc;
    if ((pc & 3) != 0 || pc >= bus->l1_size) {
        return NULL;
    }
    uint32_t end = pc;
    while (end < pc + bus->max_block * 4 && end < bus->l1_size && icache_has(core, end / COST_ICACHE_LINE_BYTES)) {
        end = (end / COST_ICACHE_LINE_BYTES + 1) * COST_ICACHE_LINE_BYTES;
    }
    if (end == pc) {
        return NULL;
    }
    const uint32_t count = (end - pc) / 4 < bus->max_block ? (end - pc) / 4 : bus->max_block;
    const rv_block *block = fetch_block(core, bus, count);
    if (!block->transient) {
        bus->lookup[pc >> 2 & (LOOKUP_ENTRIES - 1)] =
            (rv_lookup){.pc = pc, .generation = *bus->generation, .block = block};
    }
    return block;
}

/* Brings in the line at core->pc if it is not there.  False: core->t is at or past the shared limit, or the fetch was a
 * fault (the state says so). */
static bool fetch_line(rv_core *core, rv_bus *bus, uint64_t shared_limit)
{
    const uint32_t pc = core->pc;
    if (UNLIKELY((pc & 3) != 0 || pc >= bus->l1_size)) {
        char text[160];
        snprintf(text, sizeof text, "instruction fetch from 0x%08x: %s", pc,
                 (pc & 3) != 0 ? "not a multiple of four" : "code runs from L1 only (0 to 0x17ffff)");
        return instruction_fault(core, bus, 0, core->t, text);
    }
    if (icache_has(core, pc / COST_ICACHE_LINE_BYTES)) {
        return true;
    }
    if (core->t >= shared_limit) {
        return false;
    }
    rv_drain(core, bus, core->t);
    icache_catch_up(core, bus, core->t);
    icache_fill(core, bus, pc / COST_ICACHE_LINE_BYTES);
    core->t += core->sequential ? COST_ICACHE_LINE_MISS : COST_ICACHE_JUMP_MISS;
    if (lsu_code_on_its_way(core, pc & ~(COST_ICACHE_LINE_BYTES - 1u), (pc | (COST_ICACHE_LINE_BYTES - 1u)) + 1)) {
        core->stores.exact = true; /* its own stores will change this line: see rv_run */
    }
    return true;
}

/* Within the line that core->pc is in, which is there. */
static const rv_block *fetch_in_line(const rv_core *core, const rv_bus *bus)
{
    const uint32_t in_line = (COST_ICACHE_LINE_BYTES - core->pc % COST_ICACHE_LINE_BYTES) / 4;
    return rv_block_in_line(bus->blocks, core->kind, core->pc, icache_line(core, core->pc / COST_ICACHE_LINE_BYTES),
                            in_line < bus->max_block ? in_line : bus->max_block);
}

/* The block of that line from its start on, if it gets to core->pc: for who executes an instruction or two of it, in turns with
 * others, blocks that begin at each of them are not worth making. */
static const rv_block *fetch_over(const rv_core *core, rv_bus *bus)
{
    const uint32_t line = core->pc / COST_ICACHE_LINE_BYTES, start = line * COST_ICACHE_LINE_BYTES;
    const rv_block *block = bus->over.block;
    if (block == NULL || bus->over.line != line || bus->over.generation != *bus->generation ||
        bus->over.changes != core->ic_changes) {
        const uint32_t most = COST_ICACHE_LINE_BYTES / 4;
        block = rv_block_in_line(bus->blocks, core->kind, start, icache_line(core, line),
                                 most < bus->max_block ? most : bus->max_block);
        bus->over.block = block->transient ? NULL : block;
        bus->over.line = line;
        bus->over.generation = *bus->generation;
        bus->over.changes = core->ic_changes;
    }
    return core->pc - start < block->count * 4u ? block : fetch_in_line(core, bus);
}

/* Whether the turn ends before the line that core->pc is in; it is there. */
static bool ends_in_line(const rv_core *core, const rv_bus *bus, uint64_t limit)
{
    const uint32_t pc = core->pc, in_line = (COST_ICACHE_LINE_BYTES - pc % COST_ICACHE_LINE_BYTES) / 4;
    return limit - core->t < in_line && (pc & 3) == 0 && pc < bus->l1_size &&
           icache_has(core, pc / COST_ICACHE_LINE_BYTES);
}

/* The block at core->pc, which is not remembered, if its first line is there; NULL if it is not, or no instruction can be.
 * Code that is met for the first time is often met once: what is within its line will do.  Who comes again gets all that is
 * there by then. */
static const rv_block *fetch_known(rv_core *core, rv_bus *bus)
{
    const uint32_t pc = core->pc;
    rv_lookup *slot = &bus->lookup[pc >> 2 & (LOOKUP_ENTRIES - 1)];
    if (slot->pc == pc && slot->generation == *bus->generation) {
        return fetch_cached(core, bus);
    }
    if ((pc & 3) != 0 || pc >= bus->l1_size || !icache_has(core, pc / COST_ICACHE_LINE_BYTES)) {
        return NULL;
    }
    *slot = (rv_lookup){.pc = pc, .generation = *bus->generation, .block = NULL};
    return fetch_in_line(core, bus);
}

static inline const rv_block *lookup(const rv_core *core, const rv_bus *bus)
{
    const rv_lookup *slot = &bus->lookup[core->pc >> 2 & (LOOKUP_ENTRIES - 1)];
    return LIKELY(slot->pc == core->pc && slot->generation == *bus->generation) ? slot->block : NULL;
}

/* The core is right behind a block that ended there because the next line was not in the cache.  It is now: the block is to be made
 * anew when the core comes there again. */
static void forget_short(const rv_bus *bus, const rv_block *block)
{
    rv_lookup *slot = &bus->lookup[block->pc >> 2 & (LOOKUP_ENTRIES - 1)];
    if (slot->block == block) {
        slot->block = NULL;
    }
}

/* Behind a load without an answer nothing retires.  A register that two of the waiting instructions write can be
 * taken from neither, except from the instruction right before (manual MemoryOrdering, "Mailbox read from the
 * future").  OPEN: behind ordinary loads, whose answer comes within the length of the queue, this is not modelled. */
static bool forwards_from_neither(const rv_core *core, unsigned source)
{
    return source != 0 && source < X_SINK && core->long_writers[source] >= 2 && core->long_last != source;
}

/* A jump to itself. */
static void note_end(rv_core *core, uint32_t pc, uint64_t now, uint64_t instret)
{
    if (core->end.at != (uint64_t)pc + 1) {
        core->end.at = (uint64_t)pc + 1;
        core->end.cycle = now;
        core->end.instret = instret;
    }
}

/* ---- The two executors ------------------------------------------------------------------------------- */

/* What an executor leaves behind: rv_exit, or one of these: go on, carefully if need be; the same with a line of code that is not there. */
enum { GO_ON = 100, FETCH = 101 };

#define LABEL_ROW(NAME) [RV_##NAME] = &&op_##NAME
#define LABEL_TABLE                                                                                                    \
    LABEL_ROW(ILLEGAL), LABEL_ROW(LUI), LABEL_ROW(AUIPC), LABEL_ROW(JAL), LABEL_ROW(JALR), LABEL_ROW(BEQ),             \
        LABEL_ROW(BNE), LABEL_ROW(BLT), LABEL_ROW(BGE), LABEL_ROW(BLTU), LABEL_ROW(BGEU), LABEL_ROW(LB),               \
        LABEL_ROW(LH), LABEL_ROW(LW), LABEL_ROW(LBU), LABEL_ROW(LHU), LABEL_ROW(SB), LABEL_ROW(SH), LABEL_ROW(SW),     \
        LABEL_ROW(ADDI), LABEL_ROW(SLTI), LABEL_ROW(SLTIU), LABEL_ROW(XORI), LABEL_ROW(ORI), LABEL_ROW(ANDI),          \
        LABEL_ROW(SLLI), LABEL_ROW(SRLI), LABEL_ROW(SRAI), LABEL_ROW(ADD), LABEL_ROW(SUB), LABEL_ROW(SLL),             \
        LABEL_ROW(SLT), LABEL_ROW(SLTU), LABEL_ROW(XOR), LABEL_ROW(SRL), LABEL_ROW(SRA), LABEL_ROW(OR),                \
        LABEL_ROW(AND), LABEL_ROW(FENCE), LABEL_ROW(FENCE_I), LABEL_ROW(ECALL), LABEL_ROW(EBREAK), LABEL_ROW(MRET),    \
        LABEL_ROW(MUL), LABEL_ROW(MULH), LABEL_ROW(MULHSU), LABEL_ROW(MULHU), LABEL_ROW(DIV), LABEL_ROW(DIVU),         \
        LABEL_ROW(REM), LABEL_ROW(REMU), LABEL_ROW(CSRRW), LABEL_ROW(CSRRS), LABEL_ROW(CSRRC), LABEL_ROW(CSRRWI),      \
        LABEL_ROW(CSRRSI), LABEL_ROW(CSRRCI), LABEL_ROW(AMOADD_W), LABEL_ROW(AMOSWAP_W), LABEL_ROW(AMOXOR_W),          \
        LABEL_ROW(AMOOR_W), LABEL_ROW(AMOAND_W), LABEL_ROW(AMOMIN_W), LABEL_ROW(AMOMAX_W), LABEL_ROW(AMOMINU_W),       \
        LABEL_ROW(AMOMAXU_W), LABEL_ROW(SH1ADD), LABEL_ROW(SH2ADD), LABEL_ROW(SH3ADD), LABEL_ROW(ANDN),                \
        LABEL_ROW(ORN), LABEL_ROW(XNOR), LABEL_ROW(CLZ), LABEL_ROW(CTZ), LABEL_ROW(CPOP), LABEL_ROW(SEXT_B),           \
        LABEL_ROW(SEXT_H), LABEL_ROW(ZEXT_H), LABEL_ROW(MIN), LABEL_ROW(MINU), LABEL_ROW(MAX), LABEL_ROW(MAXU),        \
        LABEL_ROW(ROL), LABEL_ROW(ROR), LABEL_ROW(RORI), LABEL_ROW(ORC_B), LABEL_ROW(REV8), LABEL_ROW(BREV8),          \
        LABEL_ROW(PACK), LABEL_ROW(GREVI), LABEL_ROW(FLW), LABEL_ROW(FLH), LABEL_ROW(FSW), LABEL_ROW(FSH),             \
        LABEL_ROW(FP), LABEL_ROW(VEC), LABEL_ROW(TTINSN)

#define KEPT_FIRST 0xFFB20000u /* rv_bus.keep is not asked about addresses below */
#define OP(NAME) op_##NAME:
#define NOW (base + op->index)

/* Where loads and stores may take the short cut: how far L1 and local RAM reach, or 0. */
typedef struct short_cuts {
    uint32_t l1, l0, store, local;
} short_cuts;

static inline short_cuts short_cuts_of(const rv_core *core, const rv_bus *bus, const lsu_lap *lap)
{
    short_cuts r = {0};
    if (UNLIKELY(((core->pmacfg[0] | core->pmacfg[1]) & 1) != 0 || bus->watchpoint != NULL || bus->access != NULL)) {
        return r;
    }
    r.local = core->t >= core->local_ready ? core->local_size : 0;
    if (UNLIKELY(bus->shake != NULL)) {
        return r;
    }
    r.store = core->ic_pending_count == 0 ? bus->l1_size : 0;
    if (lap == NULL && !(core->cfg0 & CFG0_DIS_LOW_CASH)) {
        r.l0 = bus->l1_size;
    } else if (lap == NULL && bus->tag_search == NULL && !(core->cfg0 & CFG0_DIS_LD_BUF_BYP)) {
        r.l1 = r.store;
    }
    return r;
}

/* Common ends of both executors. */
#define LEAVE_AT(CODE)                                                                                                 \
    do {                                                                                                               \
        core->instret += (uint64_t)(op->index - counted);                                                              \
        core->pc = block->pc + op->index * 4u;                                                                         \
        core->t = NOW;                                                                                                 \
        core->sequential = core->sequential || op->index != entered;                                                   \
        return (CODE);                                                                                                 \
    } while (0)
#define LEAVE_AFTER(CODE)                                                                                              \
    do {                                                                                                               \
        core->instret += (uint64_t)(op->index + 1 - counted);                                                          \
        core->pc = block->pc + op->index * 4u + 4;                                                                     \
        core->t = NOW + 1;                                                                                             \
        core->sequential = true;                                                                                       \
        return (CODE);                                                                                                 \
    } while (0)
#define STOP_AT(CALL)                                                                                                  \
    do {                                                                                                               \
        core->pc = block->pc + op->index * 4u;                                                                         \
        CALL;                                                                                                          \
        LEAVE_AT(RV_EXIT_STATE);                                                                                       \
    } while (0)

/* Something is still in flight at the entry of a block: true if no instruction of the block comes too early for it. */
static bool may_enter(const rv_core *core, const rv_block *block, uint64_t base)
{
    const uint64_t gap = core->settled - base;
    if (gap >= COST_RETIRE_QUEUE || core->long_done > base) {
        return false;
    }
    for (const rv_decoded *op = block->ops; op->index < gap && op->code != CODE_END; op++) {
        const uint64_t now = base + op->index;
        if (core->ready[op->rs1] > now || core->ready[op->rs2] > now || op->code == RV_VEC) {
            return false;
        }
        if (op->index + 1u == block->count && op->code < CODE_CHECK) {
            break;
        }
    }
    return true;
}

/* Whether run_fast may run the block from core->t on. */
static inline bool fits(const rv_core *core, const rv_block *block, uint64_t base, uint64_t limit)
{
    return LIKELY(base + block->count <= limit && (core->settled <= base || may_enter(core, block, base)));
}

/* From `block` on, which fits. */
__extension__ static int run_fast(rv_core *core, rv_bus *bus, const rv_block *block, uint64_t limit,
                                  uint64_t shared_limit)
{
#define PAIR_ROW(A, B) [CODE_PAIRS + FIRST_##A * SECOND_COUNT + SECOND_##B] = &&pair_##A##_##B,
#define PAIR_ROWS(A) PAIR_SECONDS(PAIR_ROW, A)
    static const void *const label[FAST_COUNT] = {PAIR_FIRSTS(PAIR_ROWS) LABEL_TABLE, [CODE_CHECK] = &&op_CHECK,
                                                  [CODE_CHECK1] = &&op_CHECK1, [CODE_END] = &&op_END};
    uint32_t *const x = core->x;
    const short_cuts reach = short_cuts_of(core, bus, NULL);
    const uint32_t short_l1 = reach.l1, short_local = reach.local, short_store = reach.store, short_l0 = reach.l0;
    uint32_t generation = 0;
    const rv_decoded *op = NULL;
    uint64_t base = core->t, base_limit = 0;
    const uint32_t entered = 0;
    uint32_t counted = 0;
    lsu_result result;
    const bool tells = bus->enters != NULL;

#define LAP NULL
/* Nothing that is in flight here takes longer. */
#define SETTLE_L1(RD_INDEX, READY) (core->ready[RD_INDEX] = core->settled = (READY))
#define DISPATCH goto *label[op->fast]
#define NEXT                                                                                                           \
    do {                                                                                                               \
        op++;                                                                                                          \
        DISPATCH;                                                                                                      \
    } while (0)
#define NEXT_BLOCK                                                                                                     \
    do {                                                                                                               \
        core->instret += (uint64_t)(op->index + 1 - counted);                                                          \
        goto enter;                                                                                                    \
    } while (0)
/* After a taken branch: often back to where the block begins. */
#define NEXT_LAP                                                                                                       \
    do {                                                                                                               \
        core->instret += (uint64_t)(op->index + 1 - counted);                                                          \
        if (core->pc == block->pc && core->settled <= base && base <= base_limit && !tells) {                          \
            counted = 0;                                                                                               \
            op = block->ops;                                                                                           \
            DISPATCH;                                                                                                  \
        }                                                                                                              \
        goto enter;                                                                                                    \
    } while (0)
/* After a store: leave if it changed code. */
#define NEXT_IF_CURRENT                                                                                                \
    do {                                                                                                               \
        if (UNLIKELY(*bus->generation != generation)) {                                                                \
            LEAVE_AFTER(GO_ON);                                                                                        \
        }                                                                                                              \
        NEXT;                                                                                                          \
    } while (0)
#define AFTER_DELAY                                                                                                    \
    do {                                                                                                               \
        if (UNLIKELY(base > base_limit)) {                                                                             \
            LEAVE_AFTER(GO_ON);                                                                                        \
        }                                                                                                              \
    } while (0)
#define BEFORE_DELAY                                                                                                   \
    do {                                                                                                               \
        if (UNLIKELY(base > base_limit)) {                                                                             \
            LEAVE_AT(GO_ON);                                                                                           \
        }                                                                                                              \
    } while (0)
#define GENERAL(CALL)                                                                                                  \
    do {                                                                                                               \
        uint64_t general_now = NOW;                                                                                    \
        core->pc = block->pc + op->index * 4u;                                                                         \
        result = (CALL);                                                                                               \
        base = general_now - op->index;                                                                                \
        if (UNLIKELY(result != LSU_DONE)) {                                                                            \
            goto general;                                                                                              \
        }                                                                                                              \
        if (UNLIKELY(base > base_limit || *bus->generation != generation)) {                                           \
            LEAVE_AFTER(GO_ON);                                                                                        \
        }                                                                                                              \
        NEXT;                                                                                                          \
    } while (0)

    goto first;
enter:
    block = lookup(core, bus);
    if (UNLIKELY(block == NULL)) {
        block = fetch_known(core, bus);
    }
    if (UNLIKELY(block == NULL)) {
        core->t = base;
        return FETCH;
    }
    if (UNLIKELY(!fits(core, block, base, limit))) {
        core->t = base;
        return GO_ON;
    }
first:
    if (UNLIKELY(tells)) {
        bus->enters(bus->owner, core->index, core->pc, base);
    }
    base_limit = limit - block->count;
    generation = *bus->generation;
    counted = 0;
    op = block->ops;
    DISPATCH;

op_CHECK : {
    const uint64_t ready = max64(core->ready[op->rs1], core->ready[op->rs2]), now = NOW;
    if (ready > now) {
        base += ready - now;
        BEFORE_DELAY;
    }
    NEXT;
}
op_CHECK1 : {
    const uint64_t ready = core->ready[op->rs1], now = NOW;
    if (ready > now) {
        base += ready - now;
        BEFORE_DELAY;
    }
    NEXT;
}
op_END:
    core->instret += (uint64_t)(op->index - counted);
    core->pc = block->pc + op->index * 4u;
    base = NOW;
    core->sequential = true;
    if (UNLIKELY(block->count < bus->max_block)) {
        if (!icache_has(core, core->pc / COST_ICACHE_LINE_BYTES)) {
            core->t = base;
            return FETCH;
        }
        forget_short(bus, block);
    }
    goto enter;

general:
    switch (result) {
    case LSU_SHARED: LEAVE_AT(RV_EXIT_SHARED);
    case LSU_STATE: LEAVE_AT(RV_EXIT_STATE);
    case LSU_EVENT: LEAVE_AFTER(RV_EXIT_EVENT);
    default: LEAVE_AFTER(GO_ON);
    }

#define WITH_PAIRS
#define PUSHES BLOCK_MAX
#include "riscv/exec_ops.h"
#undef PUSHES
#undef WITH_PAIRS
#undef LAP
#undef SETTLE_L1
#undef NEXT
#undef NEXT_IF_CURRENT
#undef NEXT_BLOCK
#undef NEXT_LAP
#undef AFTER_DELAY
#undef BEFORE_DELAY
#undef GENERAL
}

/* At most one block, or one instruction.  `block` begins at core->pc or gets there, NULL: it is yet to be found. */
__extension__ static int run_careful(rv_core *core, rv_bus *bus, const rv_block *block, lsu_lap *lap, uint64_t limit,
                                     uint64_t shared_limit, bool one)
{
    static const void *const label[CODE_COUNT] = {LABEL_TABLE};
    uint32_t *const x = core->x;
    const short_cuts reach = short_cuts_of(core, bus, lap);
    const uint32_t short_l1 = reach.l1, short_local = reach.local, short_store = reach.store, short_l0 = reach.l0;
    uint32_t generation = 0;
    uint8_t before_last = X_SINK;
    bool counts = false;
    lsu_result result;
    if (block == NULL) {
        block = lookup(core, bus);
    }
    if (block == NULL) {
        const bool rewrites = core->stores.exact;
        if (!fetch_line(core, bus, shared_limit)) {
            return core->state == RV_RUNNING ? (int)RV_EXIT_SHARED : (int)RV_EXIT_STATE;
        }
        if (core->stores.exact != rewrites) {
            return GO_ON; /* the limit has changed */
        }
        block = fetch_over(core, bus);
    }
    if (UNLIKELY(bus->enters != NULL)) {
        bus->enters(bus->owner, core->index, core->pc, core->t);
    }
    const rv_decoded *op = block->ops;
    const uint32_t entered = (core->pc - block->pc) / 4;
    while (op->index != entered) {
        op++;
    }
    uint32_t counted = entered;
    uint64_t base = core->t - entered;
    generation = *bus->generation;
    const bool unsettled = core->settled > core->t; /* what keeps run_fast from this block may be over before its end */

#define LAP lap
#define SETTLE_L1(RD_INDEX, READY) lsu_settle(core, RD_INDEX, READY)
#define NEXT_IF_CURRENT                                                                                                \
    do {                                                                                                               \
        if (UNLIKELY(*bus->generation != generation)) {                                                                \
            LEAVE_AFTER(GO_ON);                                                                                        \
        }                                                                                                              \
        goto next;                                                                                                     \
    } while (0)
#define NEXT                                                                                                           \
    do {                                                                                                               \
        goto next;                                                                                                     \
    } while (0)
#define NEXT_BLOCK                                                                                                     \
    do {                                                                                                               \
        core->instret += (uint64_t)(op->index + 1 - counted);                                                          \
        core->t = base;                                                                                                \
        return GO_ON;                                                                                                  \
    } while (0)
#define NEXT_LAP NEXT_BLOCK
#define AFTER_DELAY                                                                                                    \
    do {                                                                                                               \
    } while (0)
#define BEFORE_DELAY                                                                                                   \
    do {                                                                                                               \
        if (NOW >= limit) {                                                                                            \
            LEAVE_AT(GO_ON);                                                                                           \
        }                                                                                                              \
    } while (0)
#define GENERAL(CALL)                                                                                                  \
    do {                                                                                                               \
        uint64_t general_now = NOW;                                                                                    \
        core->pc = block->pc + op->index * 4u;                                                                         \
        result = (CALL);                                                                                               \
        base = general_now - op->index;                                                                                \
        if (UNLIKELY(result != LSU_DONE)) {                                                                            \
            goto general;                                                                                              \
        }                                                                                                              \
        if (*bus->generation != generation) {                                                                          \
            LEAVE_AFTER(GO_ON);                                                                                        \
        }                                                                                                              \
        goto next;                                                                                                     \
    } while (0)

look : {
    if (op->code >= CODE_CHECK) {
        if (op->code == CODE_END) {
            LEAVE_AT(GO_ON);
        }
        op++; /* the registers are looked at below */
        goto look;
    }
    const uint32_t pc = block->pc + op->index * 4u;
    if (NOW >= limit) {
        LEAVE_AT(GO_ON);
    }
    const uint64_t ready = max64(core->ready[op->rs1], core->ready[op->rs2]);
    if (UNLIKELY(ready == NEVER || (core->blocked.active && op->rd == core->blocked.rd && op->rd != X_SINK))) {
        core->state = RV_WAITING;
        core->wait_address = core->blocked.address;
        LEAVE_AT(RV_EXIT_STATE);
    }
    if (ready > NOW) {
        base += ready - NOW;
    }
    /* The retire-order queue: seven more may enter behind a load that has no answer yet. */
    if (core->long_done != 0) {
        if (core->long_done <= NOW) {
            core->long_done = 0;
        } else if (core->long_left == 0) {
            if (core->long_done == NEVER) {
                core->state = RV_WAITING;
                core->wait_address = core->blocked.address;
                LEAVE_AT(RV_EXIT_STATE);
            }
            base += core->long_done - NOW;
            core->long_done = 0;
        } else if (forwards_from_neither(core, op->rs1) || forwards_from_neither(core, op->rs2)) {
            if (core->long_done == NEVER) {
                core->state = RV_WAITING;
                core->wait_address = core->blocked.address;
                LEAVE_AT(RV_EXIT_STATE);
            }
            base += core->long_done - NOW;
            core->long_done = 0;
        }
    }
    if (NOW >= limit) {
        LEAVE_AT(GO_ON);
    }
    if (!core->offered) {
        if (UNLIKELY(bus->breakpoint != NULL)) {
            bus->breakpoint(bus->owner, core->index, pc, NOW);
        }
        if (UNLIKELY(bus->trace != NULL)) {
            bus->trace(bus->owner, core->index, pc, op->word, NOW);
        }
    }
    core->offered = false;
    if (core->long_done != 0) {
        core->long_left--;
        if (op->rd < X_SINK) {
            core->long_writers[op->rd]++;
        }
        before_last = core->long_last;
        core->long_last = op->rd;
        counts = true;
    } else {
        counts = false;
    }
    goto *label[op->code];
}

next:
    if (UNLIKELY(core->cfg0 & CFG0_SYNC_ALL_OPS)) {
        base += COST_CSR_SYNC;
    }
    if (one) {
        LEAVE_AFTER(GO_ON);
    }
    op++;
    if (unsettled && core->settled <= NOW && core->long_done == 0) {
        LEAVE_AT(GO_ON);
    }
    goto look;

general:
    switch (result) {
    case LSU_SHARED:
    case LSU_STATE:
        if (counts) {
            /* Offered again: what was counted for this attempt must not be counted twice. */
            core->long_left++;
            if (op->rd < X_SINK) {
                core->long_writers[op->rd]--;
            }
            core->long_last = before_last;
        }
        core->offered = core->state != RV_PARKED;
        LEAVE_AT(result == LSU_SHARED ? (int)RV_EXIT_SHARED : (int)RV_EXIT_STATE);
    case LSU_EVENT: LEAVE_AFTER(RV_EXIT_EVENT);
    default: LEAVE_AFTER(GO_ON);
    }

#define PUSHES 1
#include "riscv/exec_ops.h"
#undef PUSHES
}

rv_exit rv_run(rv_core *core, rv_bus *bus, uint64_t limit, uint64_t shared_limit)
{
    int code = bus->missing == core->pc + 1 ? FETCH : GO_ON; /* the line is not there: no use to look for a block */
    for (bus->missing = 0;;) {
        if (core->state != RV_RUNNING) {
            return RV_EXIT_STATE;
        }
        if (core->t >= limit) {
            return RV_EXIT_LIMIT;
        }
        if (UNLIKELY(core->interrupt_line && !core->in_interrupt)) {
            rv_take_interrupt(core, bus);
        }
        const bool watched = bus->trace != NULL || bus->breakpoint != NULL || core->single_step;
        const bool rewrites = core->stores.exact;
        uint64_t until = limit;
        if (UNLIKELY(rewrites)) {
            /* Code changes when its own stores arrive: the tile brings them in, in order of time. */
            until = min64(limit, lsu_earliest_visible(core));
            if (core->t >= until) {
                return RV_EXIT_SHARED;
            }
        }
        const uint64_t shared = min64(until, shared_limit);
        const rv_block *block = NULL;
        if (LIKELY(code != FETCH)) {
            block = lookup(core, bus);
            if (UNLIKELY(block == NULL)) {
                block = ends_in_line(core, bus, until) ? fetch_over(core, bus) : fetch_known(core, bus);
            }
        }
        if (UNLIKELY(block == NULL)) {
            code = GO_ON;
            if (!fetch_line(core, bus, shared)) {
                bus->missing = core->pc + 1;
                return core->state == RV_RUNNING ? RV_EXIT_SHARED : RV_EXIT_STATE;
            }
            if (core->stores.exact != rewrites) {
                continue; /* the limit has changed */
            }
            block = fetch_in_line(core, bus);
        }
        if (LIKELY(!watched && !(core->cfg0 & CFG0_SYNC_ALL_OPS) && block->pc == core->pc &&
                   fits(core, block, core->t, until))) {
            code = run_fast(core, bus, block, until, shared);
        } else {
            const uint64_t instret = core->instret;
            code = run_careful(core, bus, block, NULL, until, shared, watched);
            if (core->single_step && core->state == RV_RUNNING && core->instret != instret) {
                core->single_step = false;
                core->state = RV_HALTED;
                return RV_EXIT_STATE;
            }
        }
        if (code < GO_ON) {
            return (rv_exit)code;
        }
    }
}

void rv_take_interrupt(rv_core *core, rv_bus *bus)
{
    const uint32_t vector = core->interrupt_vector;
    core->interrupt_return = core->pc;
    core->intp_restore_pc = core->pc;
    core->in_interrupt = true;
    core->end.at = 0;
    core->pc = vector;
    core->t += COST_MISPREDICT;
    core->sequential = false;
    core->side_effect = true;
    bus->interrupt(bus->owner, core->index, true, core->t);
}

rv_exit rv_run_one(rv_core *core, rv_bus *bus, lsu_lap *lap, uint64_t limit, uint64_t shared_limit)
{
    const int code = run_careful(core, bus, NULL, lap, limit, shared_limit, true);
    return code == GO_ON ? RV_EXIT_LIMIT : (rv_exit)code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADMACRO, the schedule (manual SFPLOADMACRO, f7fda211): which instruction waits at which sub-unit for how long.
 *
 * Delays count down for all sub-units alike, by cycles or by instructions that threads issue, so that they are one ring: slot `at`
 * executes in cycle `when`, the slot behind it one count later.  Lanes may have been given different macros, but only by
 * columns (manual SFPCONFIG); mostly they have the same, and one entry of a slot stands for all.
 *
 * OPEN: two things that the page leaves open.  What executes in a cycle is here no longer outstanding in it, so that its delay kind does not
 * count for others.  Whether STALLWAIT sees what waits for instructions that do not come: here it does not.  Both would
 * be settled on a card by a macro with gaps between the instructions behind it. */
#include "tensix/vector/macro.h"

#include "base/bits.h"
#include "tensix_isa.h"
#include "tile/devices.h"

#include <string.h>

enum { ALL_COLUMNS = (1 << LANE_COLUMNS) - 1, SLOT_MASK = MACRO_DELAYS - 1 };
_Static_assert((MACRO_DELAYS & SLOT_MASK) == 0, "positions wrap by a mask");

static uint32_t word_of(enum tensix_op op)
{
    return (uint32_t)tensix_ops[op].opcode << 24;
}

/* ---- The ring -------------------------------------------------------------------------------------------------------- */

static bool any_of(const uint8_t of_units[MACRO_UNITS])
{
    return (of_units[0] | of_units[1] | of_units[2] | of_units[3]) != 0;
}

static bool executes_now(const struct vector_macro *m)
{
    const unsigned all = m->waiting[0] | m->waiting[1] | m->waiting[2] | m->waiting[3];
    return (all >> m->at & 1) || m->exchanging != 0;
}

/* What the entries of a slot come to. */
static void summarize(struct vector_macro *m, unsigned unit, unsigned slot)
{
    unsigned waiting = 0, instructions = 0;
    for (unsigned i = 0; i < LANE_COLUMNS; i++) {
        waiting |= m->slot[unit][slot][i].columns != 0;
        instructions |= m->slot[unit][slot][i].instructions;
    }
    m->waiting[unit] = (uint8_t)((m->waiting[unit] & ~(1u << slot)) | waiting << slot);
    m->instructions[unit] = (uint8_t)((m->instructions[unit] & ~(1u << slot)) | instructions << slot);
}

/* Cycles in which nothing executes are passed over, so that the state does not depend on who looked when. */
static void arrange(struct tensix *tx, struct vector_macro *m)
{
    if (!any_of(m->waiting) && m->exchanging == 0) {
        m->when = m->at = m->pending = 0;
    } else if (!executes_now(m)) {
        if (any_of(m->instructions)) {
            m->when = 0;
        } else {
            while (!executes_now(m)) {
                m->at = (m->at + 1u) & SLOT_MASK;
                m->when++;
            }
        }
    }
    tx->vector_due = m->when;
}

/* The slot of `cycle` is `at`. */
static void come_to(struct vector_macro *m, uint64_t cycle)
{
    if (m->when > cycle)
        m->at = (uint8_t)((m->at - (m->when - cycle)) & SLOT_MASK);
    m->when = cycle;
}

/* Executes slot `at` with what a thread has issued, if anything, and counts. */
static void one_cycle(struct tile *tile, struct tensix *tx, const struct vector_op *direct, bool issued)
{
    struct vector_files *v = &tile_tensix_files(tile)->vector;
    struct vector_macro *m = &v->macro;
    struct vector_op ops[MACRO_OPS];
    unsigned count = 0;
    for (unsigned i = 0; i < m->exchanging; i++) {
        const struct vector_exchange *e = &m->exchange[i];
        const uint32_t lregs = (UINT32_C(1) << e->VC | UINT32_C(1) << e->VD) & 0xFF;
        ops[count++] =
            (struct vector_op){.kind = OP_EXCHANGE,
                               .unit = MACRO_SIMPLE,
                               .o = {.VC = e->VC, .VD = e->VD},
                               .lanes = e->lanes,
                               .reads = UINT32_C(1) << e->VC | UINT32_C(1) << e->VD | 0xF0,
                               .writes = lregs | (v->lane_config_any & LANE_CONFIG_ENABLE_DEST_INDEX ? 0xF0 : 0),
                               .word = word_of(TENSIX_SFPSWAP)};
    }
    memset(m->exchange, 0, m->exchanging * sizeof *m->exchange);
    m->exchanging = 0;
    uint32_t taken = 0;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        if (!(m->waiting[unit] >> m->at & 1))
            continue;
        struct vector_scheduled *entries = m->slot[unit][m->at];
        const unsigned many = entries[0].columns == ALL_COLUMNS ? 1 : LANE_COLUMNS;
        for (unsigned i = 0; i < many; i++) {
            if (entries[i].columns == 0)
                continue;
            if (direct && direct->unit == unit)
                taken |= entries[i].columns * UINT32_C(0x01010101);
            if (tensix_op_of[entries[i].word >> 24] != TENSIX_SFPNOP) {
                macro_decode(v, &entries[i], &ops[count]);
                ops[count++].at.Addr = entries[i].Addr;
            }
            entries[i] = (struct vector_scheduled){.columns = 0};
        }
        m->waiting[unit] &= (uint8_t) ~(1u << m->at);
        m->instructions[unit] &= (uint8_t) ~(1u << m->at);
    }
    if (direct) {
        ops[count] = *direct;
        ops[count++].lanes &= ~taken;
    }
    const uint64_t cycle = m->when;
    if (issued || !any_of(m->instructions))
        m->at = (m->at + 1u) & SLOT_MASK;
    m->when++;
    if (count != 0)
        macro_execute(tile, tx, ops, count, cycle);
}

void vector_settle(struct tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct vector_macro *m = &tile_tensix_files(tile)->vector.macro;
    while (m->when != 0 && m->when < cycle) {
        one_cycle(tile, tx, NULL, false);
        arrange(tx, m);
    }
    tx->vector_due = m->when;
}

/* ---- Instructions that come meanwhile ----------------------------------------------------------------------------------- */

/* The unit is busy for as long as anything goes on by itself. */
static void stays_busy(tensix_step *s, const struct vector_macro *m)
{
    enum { MAD_CYCLES = 2 };
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        const unsigned ring = m->waiting[unit] * 0x101u >> m->at & 0xFF; /* bit d: delay d */
        if (ring == 0)
            continue;
        const unsigned last =
            31u - (unsigned)__builtin_clz(ring) + (unit == MACRO_MAD || unit == MACRO_SIMPLE ? MAD_CYCLES : 1);
        s->latency = s->latency > last + 1 ? s->latency : last + 1;
    }
}

static void issue(tensix_step *s, const struct vector_op *op)
{
    struct vector_macro *m = &tile_tensix_files(s->tile)->vector.macro;
    come_to(m, s->cycle);
    one_cycle(s->tile, s->tx, op, true);
    stays_busy(s, m);
    arrange(s->tx, m);
}

void macro_passes(tensix_step *s)
{
    issue(s, NULL);
}

void macro_with(tensix_step *s, const struct vector_op *op)
{
    struct vector_op direct = *op;
    direct.unit = (uint8_t)macro_unit_of(s->op);
    direct.thread = s->thread;
    direct.word = s->word;
    direct.pc = s->pc;
    direct.direct = true;
    macro_registers(&tile_tensix_files_const(s->tile)->vector, &direct);
    issue(s, &direct);
}

bool macro_discards(tensix_step *s)
{
    const struct vector_macro *m = &tile_tensix_files_const(s->tile)->vector.macro;
    const unsigned unit = macro_unit_of(s->op);
    if (m->when != s->cycle || unit >= MACRO_UNITS || !(m->waiting[unit] >> m->at & 1))
        return false;
    unsigned columns = 0;
    for (unsigned i = 0; i < LANE_COLUMNS; i++)
        columns |= m->slot[unit][m->at][i].columns;
    tensix_fault(s, KERR_FAULT_HAZARD, "TensixCoprocessor/SFPLOADMACRO",
                 "%s is discarded, a scheduled %s has its sub-unit in this cycle: lanes 0x%08x", tensix_ops[s->op].name,
                 tensix_ops[tensix_op_of[m->slot[unit][m->at][0].word >> 24]].name, columns * 0x01010101u);
    if (columns != ALL_COLUMNS)
        return false; /* the other lanes execute it */
    issue(s, NULL);
    return true;
}

/* ---- Scheduling ------------------------------------------------------------------------------------------------------------ */

void macro_config_changed(struct vector_files *v)
{
    const struct load_macro_config *c = &v->LoadMacroConfig;
    uint32_t differ = 0;
    for (unsigned i = 0; i < LANES; i++) {
        for (unsigned k = 0; k < LOAD_MACROS; k++)
            differ |=
                (c->Sequence[k][i] ^ c->Sequence[k][0]) | (c->InstructionTemplate[k][i] ^ c->InstructionTemplate[k][0]);
        differ |= c->Misc[i] ^ c->Misc[0];
    }
    v->macros_differ = differ != 0;
}

static bool same_macro(const struct load_macro_config *c, unsigned MacroIndex, unsigned a, unsigned b)
{
    uint32_t differ = (c->Sequence[MacroIndex][a] ^ c->Sequence[MacroIndex][b]) | (c->Misc[a] ^ c->Misc[b]);
    for (unsigned k = 0; k < LOAD_MACROS; k++)
        differ |= c->InstructionTemplate[k][a] ^ c->InstructionTemplate[k][b];
    return differ == 0;
}

/* The columns of `left` that have the macro of the first of them. */
static unsigned alike(const struct vector_files *v, unsigned MacroIndex, unsigned left)
{
    if (LIKELY(!v->macros_differ))
        return left;
    const unsigned first = (unsigned)__builtin_ctz(left);
    unsigned columns = 0;
    for (unsigned i = first; i < LANE_COLUMNS; i++)
        if ((left >> i & 1) && same_macro(&v->LoadMacroConfig, MacroIndex, first, i))
            columns |= 1u << i;
    return columns;
}

/* SequenceBits.  By the page one without a source still forgets what has its delay.  The kernel library's uint32 to fp32 has such
 * bytes of zero in the cycle before its SFPMAD is due and gives right results on cards: a byte without source and delay does
 * nothing here.  OPEN: whether one without a source but with a delay forgets; a card would tell by a macro that has one. */
enum { SOURCE = 7, DELAY_SHIFT = 3, FORGETS = 0x3F, USE_LREG16 = 0x40, KEEP = 0x80 };
enum { NOTHING = 0, UNDEFINED = 1, NOP = 2, STORE = 3, FIRST_TEMPLATE = 4 };

static uint32_t template_of(const struct vector_files *v, unsigned column, unsigned sequence)
{
    const unsigned source = sequence & SOURCE;
    if (source >= FIRST_TEMPLATE)
        return v->LoadMacroConfig.InstructionTemplate[source - FIRST_TEMPLATE][column];
    return source == STORE ? word_of(TENSIX_SFPSTORE) : word_of(TENSIX_SFPNOP);
}

static bool can_execute(unsigned unit, uint32_t word)
{
    return macro_unit_of(tensix_op_of[word >> 24]) == unit ||
           (unit != MACRO_STORE && tensix_op_of[word >> 24] == TENSIX_SFPNOP);
}

static uint8_t sequence_of(const struct vector_files *v, unsigned MacroIndex, unsigned column, unsigned unit)
{
    return (uint8_t)(v->LoadMacroConfig.Sequence[MacroIndex][column] >> 8 * unit);
}

static bool refuse(tensix_step *s, unsigned MacroIndex, unsigned unit, uint32_t word, unsigned columns)
{
    static const char *const units[] = {"simple", "MAD", "round", "store"};
    const unsigned op = tensix_op_of[word >> 24];
    return tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADMACRO",
                        "macro %u has %s for the %s sub-unit, which cannot execute it%s: lanes 0x%08x", MacroIndex,
                        op < TENSIX_OP_COUNT ? tensix_ops[op].name : "no instruction", units[unit],
                        unit == MACRO_STORE ? "" : ": SFPNOP there", columns * 0x01010101u);
}

bool macro_refuses(tensix_step *s, unsigned MacroIndex)
{
    const struct vector_files *v = &tile_tensix_files_const(s->tile)->vector;
    unsigned storing = 0;
    for (unsigned left = ALL_COLUMNS, columns; left != 0; left &= ~columns) {
        columns = alike(v, MacroIndex, left);
        const unsigned column = (unsigned)__builtin_ctz(left);
        for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
            const uint8_t sequence = sequence_of(v, MacroIndex, column, unit);
            const uint32_t word = template_of(v, column, sequence);
            if ((sequence & SOURCE) == NOTHING)
                continue;
            storing |= unit == MACRO_STORE ? columns : 0;
            if (UNLIKELY((sequence & SOURCE) == UNDEFINED)) {
                if (tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADMACRO",
                                 "macro %u takes its instruction from source 1, which does not exist: sequence 0x%08x, "
                                 "lanes 0x%08x",
                                 MacroIndex, v->LoadMacroConfig.Sequence[MacroIndex][column], columns * 0x01010101u))
                    return true;
            } else if (UNLIKELY(!can_execute(unit, word)) && refuse(s, MacroIndex, unit, word, columns)) {
                return true;
            }
        }
    }
    return UNLIKELY(storing != 0 && storing != ALL_COLUMNS) &&
           tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/SFPLOADMACRO",
                        "macro %u schedules SFPSTORE in some lanes only: 0x%08x", MacroIndex, storing * 0x01010101u);
}

/* ForgetFutureInstructionWhoseDelayIs. */
static void forget(struct vector_macro *m, unsigned unit, unsigned slot, unsigned columns)
{
    if (LIKELY(!(m->waiting[unit] >> slot & 1)))
        return;
    for (unsigned i = 0; i < LANE_COLUMNS; i++) {
        struct vector_scheduled *e = &m->slot[unit][slot][i];
        if ((e->columns &= (uint8_t)~columns) == 0)
            *e = (struct vector_scheduled){.columns = 0};
    }
    summarize(m, unit, slot);
}

/* The instruction's registers are overridden by those of SFPLOADMACRO. */
static void override(struct vector_scheduled *e, unsigned unit, unsigned sequence, unsigned VD)
{
    const struct op_SFPMAD low = decode_SFPMAD(e->word);
    const struct op_SFPSTORE high = decode_SFPSTORE(e->word);
    if (unit == MACRO_STORE) {
        e->VD = (uint8_t)(sequence & USE_LREG16 ? 16 : sequence & KEEP ? high.VD : VD);
        return;
    }
    const unsigned own = tensix_op_of[e->word >> 24] == TENSIX_SFPLUT ? high.VD : low.VD;
    if (sequence & KEEP) {
        e->VB = (uint8_t)VD;
        e->VC = (uint8_t)(macro_has_VC(e->word) ? low.VC : own);
    } else {
        e->VC = (uint8_t)VD;
        e->VB = (uint8_t)(macro_has_VB(e->word) ? low.VB : own);
    }
    e->Mod0 = (uint8_t)high.Mod0; /* of SFPLUT */
    e->VD = (uint8_t)(sequence & USE_LREG16 ? 16 : VD);
}

static void schedule_one(tensix_step *s, struct vector_files *v, const struct macro_load *load, unsigned unit,
                         unsigned columns)
{
    enum { USES_LOAD_MOD0 = 4, UNIT_DELAY_KIND = 8 };
    struct vector_macro *m = &v->macro;
    const unsigned column = (unsigned)__builtin_ctz(columns);
    const uint8_t sequence = sequence_of(v, load->MacroIndex, column, unit);
    const unsigned slot = (m->at + (sequence >> DELAY_SHIFT & 7u)) & SLOT_MASK;
    if ((sequence & FORGETS) == 0)
        return;
    forget(m, unit, slot, columns);
    if ((sequence & SOURCE) == NOTHING || (sequence & SOURCE) == UNDEFINED)
        return;
    uint32_t word = template_of(v, column, sequence);
    if (UNLIKELY(!can_execute(unit, word))) {
        if (unit == MACRO_STORE)
            return; /* undefined */
        word = word_of(TENSIX_SFPNOP);
    }
    const uint32_t misc = v->LoadMacroConfig.Misc[column];
    struct vector_scheduled *e = m->slot[unit][slot];
    while (e->columns != 0) /* columns are in one entry each: there is a free one */
        e++;
    *e = (struct vector_scheduled){.word = word,
                                   .macro = s->word,
                                   .pc = s->pc,
                                   .Addr = (uint16_t)load->Addr,
                                   .columns = (uint8_t)columns,
                                   .thread = s->thread,
                                   .instructions = misc >> (UNIT_DELAY_KIND + unit) & 1};
    override(e, unit, sequence, load->VD);
    if (unit == MACRO_STORE)
        e->Mod0 = (uint8_t)(misc >> (USES_LOAD_MOD0 + load->MacroIndex) & 1 ? load->Mod0 : misc & 15);
    m->waiting[unit] |= (uint8_t)(1u << slot);
    m->instructions[unit] |= (uint8_t)(e->instructions << slot);
    m->pending = 1;
}

void macro_schedule(tensix_step *s, struct macro_load load)
{
    struct vector_files *v = &tile_tensix_files(s->tile)->vector;
    struct vector_macro *m = &v->macro;
    come_to(m, s->cycle + 1);
    for (unsigned left = ALL_COLUMNS, columns; left != 0; left &= ~columns) {
        columns = alike(v, load.MacroIndex, left);
        for (unsigned unit = 0; unit < MACRO_UNITS; unit++)
            schedule_one(s, v, &load, unit, columns);
    }
    stays_busy(s, m);
    arrange(s->tx, m);
}

bool macro_is_sane(const struct vector_files *v)
{
    const struct vector_macro *m = &v->macro;
    struct vector_files copy = *v;
    macro_config_changed(&copy);
    bool sane = copy.macros_differ == v->macros_differ && m->at < MACRO_DELAYS && m->exchanging <= LANE_COLUMNS;
    for (unsigned i = 0; i < LANE_COLUMNS; i++)
        sane = sane && m->exchange[i].VC < LREGS && m->exchange[i].VD < LREGS;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        for (unsigned slot = 0; slot < MACRO_DELAYS; slot++) {
            unsigned columns = 0;
            for (unsigned i = 0; i < LANE_COLUMNS; i++) {
                const struct vector_scheduled *e = &m->slot[unit][slot][i];
                sane = sane && (columns & e->columns) == 0 && e->VB < 16 && e->VC < 16 && e->VD < LREGS &&
                       e->Mod0 < 16 && e->thread < 3 && e->instructions < 2 &&
                       (e->columns == 0 || can_execute(unit, e->word));
                columns |= e->columns;
            }
            sane = sane && (m->waiting[unit] >> slot & 1) == (columns != 0);
        }
    }
    return sane;
}

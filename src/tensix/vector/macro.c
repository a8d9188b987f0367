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

#include "tensix/trace.h"

#include "base/bits.h"
#include "tensix_isa.h"

#include <string.h>

_Static_assert((MACRO_DELAYS & MACRO_SLOT_MASK) == 0, "positions wrap by a mask");

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

/* Cycles in which nothing executes are passed over, so that the state does not depend on who looked when. */
void macro_arrange(struct tensix *tx, struct vector_macro *m)
{
    if (!any_of(m->waiting) && m->exchanging == 0) {
        m->when = m->at = m->pending = 0;
    } else if (!executes_now(m)) {
        if (any_of(m->instructions)) {
            m->when = 0;
        } else {
            while (!executes_now(m)) {
                m->at = (m->at + 1u) & MACRO_SLOT_MASK;
                m->when++;
            }
        }
    }
    tx->vector_due = m->when;
}

/* The slot of `cycle` is `at`. */
void macro_come_to(struct vector_macro *m, uint64_t cycle)
{
    if (m->when > cycle)
        m->at = (uint8_t)((m->at - (m->when - cycle)) & MACRO_SLOT_MASK);
    m->when = cycle;
}

/* For a trace. */
void macro_tell(const tensix_tile *tile, const struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc,
                uint32_t detail, uint64_t cycle)
{
    if (tensix_is_traced(tx))
        tensix_tell_sub_unit(tile, thread, word, pc, detail, cycle);
}

uint32_t macro_detail(unsigned unit, unsigned VD, unsigned Addr)
{
    return (unit == MACRO_LOAD ? (unsigned)KERR_SUB_UNIT_LOAD : unit + KERR_SUB_UNIT_SIMPLE) | VD << KERR_SUB_UNIT_VD |
           Addr << KERR_SUB_UNIT_ADDRESS;
}

/* Executes slot `at` with what a thread has issued, if anything, and counts. */
static void one_cycle(tensix_tile *tile, struct tensix *tx, const struct vector_op *direct, bool issued)
{
    struct vector_files *v = &tile->files->vector;
    struct vector_macro *m = &v->macro;
    struct vector_op ops[MACRO_OPS];
    unsigned count = 0;
    for (unsigned i = 0; i < m->exchanging; i++) {
        const struct vector_exchange *e = &m->exchange[i];
        const uint32_t lregs = (UINT32_C(1) << e->VC | UINT32_C(1) << e->VD) & 0x100FF;
        ops[count++] =
            (struct vector_op){.kind = OP_EXCHANGE,
                               .unit = MACRO_SIMPLE,
                               .o = {.VB = e->VB, .VC = e->VC, .VD = e->VD},
                               .lanes = e->lanes,
                               .reads = UINT32_C(1) << e->VB | UINT32_C(1) << e->VC | 0xF0,
                               .writes = lregs | (v->lane_config_any & LANE_CONFIG_ENABLE_DEST_INDEX ? 0xF0 : 0),
                               .word = macro_word_of(TENSIX_SFPSWAP)};
    }
    memset(m->exchange, 0, m->exchanging * sizeof *m->exchange);
    m->exchanging = 0;
    uint32_t taken = 0;
    for (unsigned unit = 0; unit < MACRO_UNITS; unit++) {
        if (!(m->waiting[unit] >> m->at & 1))
            continue;
        struct vector_scheduled *entries = m->slot[unit][m->at];
        const unsigned many = entries[0].columns == MACRO_ALL_COLUMNS ? 1 : LANE_COLUMNS;
        for (unsigned i = 0; i < many; i++) {
            if (entries[i].columns == 0)
                continue;
            if (direct && direct->unit == unit)
                taken |= entries[i].columns * UINT32_C(0x01010101);
            if (tensix_op_of[entries[i].word >> 24] != TENSIX_SFPNOP) {
                macro_decode(tile->vector_cache, v, &entries[i], &ops[count]);
                ops[count++].at.Addr = entries[i].Addr;
            }
            macro_tell(tile, tx, entries[i].thread, entries[i].word, entries[i].pc,
                       macro_detail(unit, entries[i].VD, entries[i].Addr) | KERR_SUB_UNIT_SCHEDULED, m->when);
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
        m->at = (m->at + 1u) & MACRO_SLOT_MASK;
    m->when++;
    if (count != 0)
        macro_execute(tile, tx, ops, count, cycle);
}

void macro_acts(const tensix_tile *tile, const struct vector_op *op)
{
    const struct vector_macro *m = &tile->files->vector.macro;
    if (m->when != 0 && op->word != 0) /* one_cycle has counted on */
        hook_unit_goes_on(tile, UNIT_VECTOR, op->thread, op->pc, op->word, m->when - 1);
}

void vector_settle(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    struct vector_macro *m = &tile->files->vector.macro;
    while (m->when != 0 && m->when < cycle) {
        one_cycle(tile, tx, NULL, false);
        macro_arrange(tx, m);
    }
    tx->vector_due = m->when;
}

/* ---- Instructions that come meanwhile ----------------------------------------------------------------------------------- */

/* The unit is busy for as long as anything goes on by itself. */
void macro_stays_busy(tensix_step *s, const struct vector_macro *m)
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
    struct vector_macro *m = &s->tile->files->vector.macro;
    macro_come_to(m, s->cycle);
    one_cycle(s->tile, s->tx, op, true);
    macro_stays_busy(s, m);
    macro_arrange(s->tx, m);
}

void macro_passes(tensix_step *s)
{
    macro_tell(s->tile, s->tx, s->thread, s->word, s->pc, macro_detail(MACRO_LOAD, 0, 0), s->cycle);
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
    macro_registers(&s->tile->files->vector, &direct);
    if (s->op != TENSIX_SFPLOADMACRO) /* which tells by itself */
        macro_tell(s->tile, s->tx, s->thread, s->word, s->pc, macro_detail(direct.unit, direct.o.VD, direct.at.Addr),
                   s->cycle);
    issue(s, &direct);
}

bool macro_discards(tensix_step *s)
{
    const struct vector_macro *m = &s->tile->files->vector.macro;
    const unsigned unit = macro_unit_of(s->op);
    if (m->when != s->cycle || unit >= MACRO_UNITS || !(m->waiting[unit] >> m->at & 1))
        return false;
    unsigned columns = 0;
    uint32_t word = 0; /* of one of those that are scheduled */
    for (unsigned i = 0; i < LANE_COLUMNS; i++) {
        columns |= m->slot[unit][m->at][i].columns;
        word = m->slot[unit][m->at][i].columns != 0 ? m->slot[unit][m->at][i].word : word;
    }
    if (columns == 0)
        return false;
    tensix_fault(s, KERR_FAULT_HAZARD, "TensixCoprocessor/SFPLOADMACRO",
                 "%s is discarded, a scheduled %s has its sub-unit in this cycle: lanes 0x%08x", tensix_ops[s->op].name,
                 tensix_ops[tensix_op_of[word >> 24]].name, columns * 0x01010101u);
    if (columns != MACRO_ALL_COLUMNS)
        return false; /* the other lanes execute it */
    macro_tell(s->tile, s->tx, s->thread, s->word, s->pc, macro_detail(unit, 0, 0) | KERR_SUB_UNIT_DISCARDED, s->cycle);
    issue(s, NULL);
    return true;
}

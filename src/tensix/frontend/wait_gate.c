/* SPDX-License-Identifier: Apache-2.0 */
/* The latched wait instruction of a thread's wait gate: manual BlackholeA0 STALLWAIT (0553cc73), SEMWAIT, STREAMWAIT and
 * WormholeB0 WaitGate.
 *
 * The hardware looks at the conditions in every cycle from the one behind the wait instruction on, and lets go in the cycle
 * after all of them were met at once.  Here they are looked at when somebody comes to the gate, and before anything changes
 * that they depend on (tensix_changing): in between they depend on time alone. */
#include "tensix/counts.h"
#include "tensix/frontend/frontend.h"
#include "tensix/step.h"

#include "base/bits.h"
#include "overlay_regs.h"
#include "tensix_isa.h"
#include "tile_regs.h"

enum { STREAM_BYTES = 0x1000 };

/* The Matrix Unit has the bank that it is at. */
static uint64_t src_there_at(const struct tensix_src *src)
{
    return src->matrix_owns[src->matrix_bank] ? src->there[src->matrix_bank] : NEVER;
}

/* Of a condition of STALLWAIT, C0 to C12. */
static uint64_t stallwait_met_at(const tensix_tile *tile, const struct tensix *tx, const struct tensix_thread *t,
                                 unsigned thread, unsigned condition)
{
    uint64_t until = 0;
    switch (condition) {
    case 0: return t->loads_until;
    case 1:
    case 2: return t->unpacker_until[condition - 1];
    case 3: return t->busy_until[UNIT_PACK];
    case 4: return t->busy_until[UNIT_MATRIX];
    case 5:
    case 6: return tx->src[condition - 5].matrix_owns[tx->src[condition - 5].unpacker_bank] ? NEVER : 0;
    case 7:
    case 8: return src_there_at(&tx->src[condition - 7]);
    case 9: return tx->mover.busy_until;
    case 10: return tile->core_requests(tile->owner, KERR_CORE_T0 + thread) ? NEVER : 0;
    case 11: return t->busy_until[UNIT_VECTOR];
    default:
        for (unsigned i = 0; i < TENSIX_THREADS; i++)
            until = max64(until, tx->thread[i].busy_until[UNIT_CONFIG]);
        return until;
    }
}

/* Manual STREAMWAIT: the phase or the number of messages of a stream. */
static uint32_t stream_value(const tensix_tile *tile, const struct tensix_latch *latch)
{
    const unsigned index = latch->conditions == 1 ? STREAM_CURR_PHASE_REG_INDEX : STREAM_NUM_MSGS_RECEIVED_REG_INDEX;
    return tile->stream_peek(tile->owner, NOC_OVERLAY_START_ADDR + STREAM_BYTES * latch->stream + 4 * index,
                             latch->since);
}

uint64_t gate_time_met_at(const tensix_tile *tile, const struct tensix *tx, const struct tensix_thread *t,
                          unsigned thread)
{
    const struct tensix_latch *latch = &t->latch;
    uint64_t met = latch->since;
    switch (latch->opcode) {
    case OPCODE_STREAMWAIT: return stream_value(tile, latch) < latch->target ? NEVER : met;
    default:
        for (unsigned left = latch->conditions; left != 0; left &= left - 1)
            met = max64(met, stallwait_met_at(tile, tx, t, thread, (unsigned)__builtin_ctz(left)));
        return met;
    }
}

uint32_t gate_keeps(const tensix_tile *tile, const struct tensix *tx, const struct tensix_thread *t, unsigned thread,
                    uint64_t cycle)
{
    const struct tensix_latch *latch = &t->latch;
    uint32_t keeps = 0;
    for (unsigned left = latch->semaphores; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if ((latch->conditions & 1) && tx->semaphore[i].value == 0)
            keeps |= 1u << i;
        if ((latch->conditions & 2) && tx->semaphore[i].value >= tx->semaphore[i].max)
            keeps |= 1u << (8 + i);
    }
    for (unsigned left = latch->opcode == OPCODE_STALLWAIT ? latch->conditions : 0; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (stallwait_met_at(tile, tx, t, thread, i) > cycle)
            keeps |= 1u << i;
    }
    return keeps;
}

/* ---- How long conditions were not met (performance counters) ------------------------------------------------ */

enum { C10_CORE = 10 };

/* The first cycle in which the latched instruction does not wait for condition TENSIX_WAIT_*; 0: it never did. */
static uint64_t unmet_until(const tensix_tile *tile, const struct tensix *tx, unsigned thread, unsigned condition)
{
    const struct tensix_latch *latch = &tx->thread[thread].latch;
    if (condition < TENSIX_WAIT_SEM_ZERO) {
        const bool looked = latch->opcode == OPCODE_STALLWAIT && (latch->conditions >> condition & 1);
        return looked ? stallwait_met_at(tile, tx, &tx->thread[thread], thread, condition) : 0;
    }
    for (unsigned left = latch->opcode == OPCODE_SEMWAIT ? latch->semaphores : 0; left != 0; left &= left - 1) {
        const struct semaphore *semaphore = &tx->semaphore[__builtin_ctz(left)];
        if (condition == TENSIX_WAIT_SEM_ZERO ? (latch->conditions & 1) && semaphore->value == 0
                                              : (latch->conditions & 2) && semaphore->value >= semaphore->max)
            return NEVER;
    }
    return 0;
}

/* What is not counted yet, up to cycle `until`. */
static uint32_t waited_since(const tensix_tile *tile, const struct tensix *tx, unsigned thread, unsigned condition,
                             uint64_t until)
{
    const uint64_t since = tx->thread[thread].latch.since;
    const uint64_t unmet = min64(unmet_until(tile, tx, thread, condition), until);
    return unmet > since ? (uint32_t)(unmet - since) : 0;
}

static void count(const tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t until)
{
    const struct tensix_latch *latch = &tx->thread[thread].latch;
    if (until <= latch->since)
        return;
    if (latch->opcode == OPCODE_STALLWAIT) {
        for (unsigned left = latch->conditions & ~(1u << C10_CORE); left != 0; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctz(left);
            tx->waited[thread][i] += waited_since(tile, tx, thread, i, until);
        }
    } else if (latch->opcode == OPCODE_SEMWAIT) {
        const unsigned keep = gate_semaphores_keep(tx, latch);
        if (keep & 1)
            tx->waited[thread][TENSIX_WAIT_SEM_ZERO] += (uint32_t)(until - latch->since);
        if (keep & 2)
            tx->waited[thread][TENSIX_WAIT_SEM_MAX] += (uint32_t)(until - latch->since);
    }
}

void gate_count_looked_at(const tensix_tile *tile, struct tensix *tx, unsigned thread)
{
    tx->waited[thread][C10_CORE] += unmet_until(tile, tx, thread, C10_CORE) == NEVER;
}

uint32_t tensix_count_waited(const tensix_tile *tile, const struct tensix *tx, unsigned thread, unsigned condition,
                             uint64_t cycle)
{
    const bool more = (tx->latched >> thread & 1) && condition != C10_CORE;
    return tx->waited[thread][condition] + (more ? waited_since(tile, tx, thread, condition, cycle) : 0);
}

/* ---- The latch --------------------------------------------------------------------------------------------- */

void gate_let_go(const tensix_tile *tile, struct tensix *tx, struct tensix_thread *t, unsigned thread, uint64_t met)
{
    count(tile, tx, thread, met);
    t->latch.opcode = 0;
    tx->latched &= (uint8_t) ~(1u << thread);
}

void gate_settle(const tensix_tile *tile, struct tensix *tx, struct tensix_thread *t, unsigned thread, uint64_t cycle)
{
    if (tx->latched >> thread & 1) {
        const uint64_t met = gate_met_at(tile, tx, t, thread);
        if (met < cycle)
            gate_let_go(tile, tx, t, thread, met);
    }
}

/* Which changes a latched instruction waits for. */
static unsigned watches(const struct tensix_latch *latch)
{
    if (latch->opcode == OPCODE_SEMWAIT)
        return TENSIX_WATCH_SEMAPHORES;
    if (latch->opcode == OPCODE_STREAMWAIT)
        return TENSIX_WATCH_STREAM;
    unsigned what = 0;
    if (latch->conditions & (1u << 5 | 1u << 6 | 1u << 7 | 1u << 8))
        what |= TENSIX_WATCH_SOURCES;
    if (latch->conditions & 1u << 9)
        what |= TENSIX_WATCH_MOVER;
    if (latch->conditions & 1u << 10)
        what |= TENSIX_WATCH_CORE;
    if (latch->conditions & 1u << 12)
        what |= TENSIX_WATCH_CONFIG_UNIT;
    return what;
}

/* What changes in `cycle` is seen from the next one on. */
static void latch_sees(const tensix_tile *tile, struct tensix *tx, unsigned i, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[i];
    const uint64_t met = gate_met_at(tile, tx, t, i);
    if (met <= cycle)
        gate_let_go(tile, tx, t, i, met);
    else
        count(tile, tx, i, cycle + 1);
    t->latch.since = max64(t->latch.since, cycle + 1);
    if (t->gate_count != 0 && !t->stopped)
        tensix_look_at(tx, i, cycle + 1);
}

void tensix_changing(const tensix_tile *tile, struct tensix *tx, unsigned what, uint64_t cycle)
{
    for (unsigned left = tx->latched; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (watches(&tx->thread[i].latch) & what)
            latch_sees(tile, tx, i, cycle);
    }
    const unsigned stall = what & TENSIX_WATCH_MUTEX     ? TENSIX_STALL_MUTEX
                           : what & TENSIX_WATCH_SOURCES ? TENSIX_STALL_SOURCE
                                                         : TENSIX_STALL_NONE;
    for (unsigned i = 0; i < TENSIX_THREADS && stall != TENSIX_STALL_NONE; i++)
        if (tx->thread[i].stall == stall)
            tensix_look_at(tx, i, cycle + 1);
}

void tensix_latch_wait(tensix_step *s, struct tensix_latch latch)
{
    if (s->tx->latched >> s->thread & 1)
        count(s->tile, s->tx, s->thread, s->cycle + 1); /* the one that it takes the place of */
    latch.since = s->cycle + 1;
    s->t->latch = latch;
    s->tx->latched |= (uint8_t)(1u << s->thread);
}

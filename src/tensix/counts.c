/* SPDX-License-Identifier: Apache-2.0 */
/* Cycles of instructions at the wait gates; those of conditions are wait_gate.c's. */
#include "tensix/counts.h"

#include "tensix/tensix.h"

#include "base/bits.h"
#include "tensix_isa.h"

/* Since when the instruction at the gate, if there is one, has stood there without being counted.  One that came while the
 * Scalar Unit held the thread has stood from its arrival on. */
static uint64_t since(const struct tensix_thread *t, uint64_t cycle)
{
    if (t->stall != TENSIX_STALL_NONE)
        return t->stall_since;
    if (!t->after_hold || t->gate_count == 0)
        return cycle;
    const uint64_t passed = t->passed[(t->passed_at + GATE_FIFO_CAPACITY - 1) % GATE_FIFO_CAPACITY];
    return min64(max64(t->gate_fifo[t->gate_head].cycle, passed), cycle);
}

static unsigned unit_at_gate(const struct tensix_thread *t)
{
    const unsigned op = tensix_op_of[t->gate_fifo[t->gate_head].word >> 24];
    return op < TENSIX_OP_COUNT ? tensix_ops[op].unit : (unsigned)UNIT_MISC;
}

void counts_settle(struct tensix *tx, unsigned thread, unsigned unit, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    const uint64_t from = since(t, cycle);
    if (t->stall == TENSIX_STALL_NONE && tx->stalled_threads == 0 && from < cycle) {
        /* The hold is over: nobody said when it began. */
        const uint64_t begin = max64(from, tx->any_since);
        tx->any_stalled += begin < cycle ? (uint32_t)(cycle - begin) : 0;
        tx->any_since = cycle;
    }
    const unsigned reason = t->stall != TENSIX_STALL_NONE ? t->stall : (unsigned)TENSIX_STALL_SCALAR;
    counts_add(tx, thread, unit, reason, (uint32_t)(cycle - from));
    t->stall_since = cycle;
    t->after_hold = false;
}

/* ---- Asked from outside ------------------------------------------------------------------------------------- */

static uint32_t standing(const struct tensix_thread *t, uint64_t cycle)
{
    return (uint32_t)(cycle - since(t, cycle));
}

uint32_t tensix_count_available(const struct tensix *tx, unsigned thread, unsigned unit, uint64_t cycle)
{
    const struct tensix_thread *t = &tx->thread[thread];
    const bool here = t->gate_count != 0 && unit_at_gate(t) == unit;
    return tx->issued[thread][unit] + tx->held[thread][unit] + (here ? standing(t, cycle) : 0);
}

uint32_t tensix_count_stalled(const struct tensix *tx, unsigned thread, uint64_t cycle)
{
    uint32_t sum = standing(&tx->thread[thread], cycle);
    for (unsigned i = 0; i < TENSIX_STALL_COUNT; i++)
        sum += tx->stalled[thread][i];
    return sum;
}

uint32_t tensix_count_math_held(const struct tensix *tx, unsigned what, uint64_t cycle)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tx->thread[i];
        const bool stands = t->gate_count != 0 && t->stall != TENSIX_STALL_NONE;
        sum += tx->math_held[i][what];
        if (stands && counts_math_held(unit_at_gate(t), t->stall) == what)
            sum += standing(t, cycle);
    }
    return sum;
}

uint32_t tensix_count_any_stalled(const struct tensix *tx, uint64_t cycle)
{
    return tx->any_stalled + (tx->stalled_threads != 0 ? (uint32_t)(cycle - tx->any_since) : 0);
}

uint32_t tensix_count_issued(const struct tensix *tx, unsigned thread)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < TENSIX_UNITS; i++)
        sum += tx->issued[thread][i];
    return sum;
}

void counts_make_real(const tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        for (unsigned k = 0; k < TENSIX_WAIT_COUNT; k++)
            tx->waited[i][k] = tensix_count_waited(tile, tx, i, k, cycle);
        if (t->gate_count != 0)
            counts_settle(tx, i, unit_at_gate(t), cycle);
        t->stall_since = 0;
        t->after_hold = false;
    }
    tx->any_stalled = tensix_count_any_stalled(tx, cycle);
    tx->any_since = tx->stalled_threads = 0;
}

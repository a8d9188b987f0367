/* SPDX-License-Identifier: Apache-2.0 */
/* What --shake does to the coprocessor (base/shake.def has the sites).  Included by run.c alone, which has the dispatch table;
 * nothing of it is reached while tx->shake.on is false.
 *
 * An UNPACR or PACR may pass its gate and be executed some cycles later: the manual lets the thread go on meanwhile (SEMPOST,
 * SEMGET: "may be necessary to insert a STALLWAIT"), and a chip without --shake, which executes it in the cycle in which it
 * passes, can never show what a missing STALLWAIT does.  What the hardware takes from the thread at the gate must be as it was
 * there: Config and ThreadConfig are not written before the instruction is executed (whoever wants to write them has it
 * executed first, which is only a shorter delay), and instructions for the address counters wait behind it.
 * Wait conditions see the unit as busy from the gate on. */
#ifndef KERR_TENSIX_SHAKEN_H
#define KERR_TENSIX_SHAKEN_H

#include "base/fast.h"
#include "base/shake.h"
#include "tensix/issue.h"
#include "tensix/regs/src.h"
#include "tensix/unpack/unpack.h"

enum { LATE_UNPACK, LATE_PACK, LATE_LOOKS = 64 /* cycles between tries of what soft reset holds */ };

/* Rows and NOPs are done in closed form, with the costs of the table. */
static inline bool takes_no_short_cut(const struct tensix *tx, uint32_t which)
{
    return tx->traced | tx->shake.on | ((tx->without & which) != 0);
}

static inline unsigned shaken_unit(unsigned which)
{
    return which == LATE_UNPACK ? UNIT_UNPACK : UNIT_PACK;
}

/* Whose turn it is at the ports of `ports` that several threads want. */
static void shaken_turns(const tensix_tile *tile, struct tensix *tx, unsigned ports)
{
    for (unsigned left = ports; left != 0; left &= left - 1) {
        const unsigned port = (unsigned)__builtin_ctz(left);
        const unsigned on = tile->shake(tile->owner, SHAKE_TURN, port, tx->shake.turn++);
        tx->turn[port] = (uint8_t)((tx->turn[port] + on) % TENSIX_THREADS);
    }
}

/* ---- Executed later ---------------------------------------------------------------------------------------- */

static uint64_t shaken_next(const struct tensix *tx)
{
    uint64_t next = min64(tensix_when(tx->shake.late[LATE_UNPACK].due), tensix_when(tx->shake.late[LATE_PACK].due));
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        next = min64(next, tensix_when(tx->shake.store[i].due));
    return next;
}

static tensix_step shaken_step(tensix_tile *tile, struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc,
                               uint64_t cycle)
{
    const struct tensix_dispatch *d = &tensix_dispatch[word >> 24];
    return (tensix_step){.tile = tile,
                         .tx = tx,
                         .t = &tx->thread[thread],
                         .cycle = cycle,
                         .again = cycle + 1,
                         .word = word,
                         .pc = pc,
                         .thread = (uint8_t)thread,
                         .unit = d->unit,
                         .reason = TENSIX_STALL_UNIT,
                         .op = d->op,
                         .issue = d->issue,
                         .latency = d->latency};
}

static void shaken_stop(struct tensix *tx, const tensix_step *s, struct tensix_late *late)
{
    s->t->stopped = true;
    s->t->due = 0;
    *late = (struct tensix_late){0};
    tx->yield = true;
}

/* The unit executes it in `cycle`, or says when it can. */
static void shaken_execute(tensix_tile *tile, struct tensix *tx, unsigned which, uint64_t cycle)
{
    struct tensix_late *late = &tx->shake.late[which];
    const struct tensix_late what = *late;
    const unsigned unit = shaken_unit(which);
    tensix_step s = shaken_step(tile, tx, what.thread, what.word, what.pc, cycle);
    if (vector_is_late(tx, cycle))
        vector_settle(tile, tx, cycle);
    hook_unit_begins(s.tile, &s);
    const step_result result = tensix_dispatch[what.word >> 24].run(&s);
    if (result == STEP_FAULTED) {
        shaken_stop(tx, &s, late);
        return;
    }
    if (result == STEP_STALLED) { /* a block of Dst that was just written, or a soft reset */
        const uint64_t again = s.again == NEVER ? cycle + LATE_LOOKS : s.again;
        late->due = tensix_due_at(again);
        tx->unit_free[unit] = max64(tx->unit_free[unit], again + 1);
        s.t->busy_until[unit] = max64(s.t->busy_until[unit], again + 1);
        tensix_event_at(tx, again);
        return;
    }
    *late = (struct tensix_late){0};
    tensix_trace_issue(&s, unit);
    hook_unit_done(s.tile, &s);
    tx->unit_free[unit] = cycle + s.issue;
    s.t->busy_until[unit] = max64(s.t->busy_until[unit], cycle + s.latency);
    for (unsigned i = 0; i < what.count; i++) {
        tensix_step after = shaken_step(tile, tx, what.thread, what.after[i].word, what.after[i].pc, cycle);
        if (tensix_dispatch[after.word >> 24].run(&after) == STEP_FAULTED) {
            shaken_stop(tx, &after, late);
            return;
        }
        tensix_trace_issue(&after, after.unit);
    }
    if (s.t->waiting & TENSIX_WAITS_DONE)
        tensix_passed(tx, what.thread, cycle);
    tx->yield = true; /* L1 may have been written */
}

static void shaken_event(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    for (unsigned i = 0; i < LATE_UNITS; i++)
        if (tensix_when(tx->shake.late[i].due) <= cycle)
            shaken_execute(tile, tx, i, cycle);
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (tensix_when(tx->shake.store[i].due) <= cycle)
            config_store_arrives(tile, tx, i, cycle);
}

void tensix_late_now(tensix_tile *tile, struct tensix *tx, uint64_t cycle)
{
    for (unsigned i = 0; i < LATE_UNITS; i++)
        if (tx->shake.late[i].due != 0)
            shaken_execute(tile, tx, i, cycle);
}

/* ---- At the gate -------------------------------------------------------------------------------------------- */

/* Whether what has yet to be executed must be before this instruction: it reads or writes what the hardware has taken at the
 * gate, or what the other leaves behind. */
static bool shaken_must_wait(const tensix_step *s, const struct tensix_late *late, unsigned unit)
{
    switch (s->unit) {
    case UNIT_SYNC:
    case UNIT_MATRIX:
    case UNIT_VECTOR: return false;
    case UNIT_SCALAR: return s->op == TENSIX_REG2FLOP || s->op == TENSIX_SETDMAREG;
    case UNIT_MISC: return s->op != TENSIX_NOP;
    case UNIT_UNPACK:
    case UNIT_PACK: return s->unit == unit || late->count != 0;
    default: return true;
    }
}

static bool shaken_is_counter(const tensix_step *s)
{
    switch (s->op) {
    case TENSIX_SETADC:
    case TENSIX_SETADCXY:
    case TENSIX_SETADCXX:
    case TENSIX_SETADCZW:
    case TENSIX_INCADCXY:
    case TENSIX_INCADCZW:
    case TENSIX_ADDRCRXY:
    case TENSIX_ADDRCRZW: return true;
    default: return false;
    }
}

/* It leaves the gate as if its unit had taken it for `issue` cycles. */
static void shaken_leave(tensix_step *s, uint32_t issue)
{
    struct tensix_thread *t = s->t;
    s->issue = s->latency = issue;
    if (t->after_hold)
        keep(s); /* it is counted from its arrival on */
    counts_pass(s);
    occupy(s);
    t->gate_next = s->cycle + 1 + s->tile->shake(s->tile->owner, SHAKE_GATE, s->thread, s->tx->shake.gate[s->thread]++);
    t->after_hold = t->gate_next != s->cycle + 1;
    leaves(s);
}

static bool shaken_may_be_late(tensix_step *s)
{
    if (s->op == TENSIX_PACR)
        return true;
    return s->op == TENSIX_UNPACR && unpack_may_be_late(s);
}

static bool shaken_takes(tensix_step *s, const struct tensix_dispatch *d)
{
    struct tensix_shake *shake = &s->tx->shake;
    for (unsigned i = 0; i < LATE_UNITS; i++) {
        struct tensix_late *late = &shake->late[i];
        if (late->due == 0)
            continue;
        if (late->thread == s->thread && shaken_is_counter(s) && late->count < LATE_AFTER &&
            shake->late[1 - i].due == 0) {
            late->after[late->count].word = s->word;
            late->after[late->count++].pc = s->pc;
            shaken_leave(s, 1);
            return true;
        }
        if (shaken_must_wait(s, late, shaken_unit(i)))
            shaken_execute(s->tile, s->tx, i, s->cycle);
        if (late->due != 0 && shaken_must_wait(s, late, shaken_unit(i))) {
            stall(s, s->cycle + 1, TENSIX_STALL_UNIT, -1);
            return true;
        }
    }
    if (s->t->stopped) {
        keep(s);
        return true;
    }
    if (!shaken_may_be_late(s))
        return false;
    const unsigned which = d->unit == UNIT_UNPACK ? LATE_UNPACK : LATE_PACK;
    struct tensix_late *late = &shake->late[which];
    const unsigned delay =
        s->tile->shake(s->tile->owner, which == LATE_UNPACK ? SHAKE_UNPACK : SHAKE_PACK, 0, shake->taken[which]++);
    if (delay == 0)
        return false;
    const uint64_t due = s->cycle + delay;
    *late = (struct tensix_late){.due = tensix_due_at(due), .word = s->word, .pc = s->pc, .thread = s->thread};
    if (which == LATE_UNPACK)
        unpack_busy_until(s, s->word >> 23 & 1, due + 1);
    tensix_event_at(s->tx, due);
    shaken_leave(s, delay + 1);
    return true;
}

/* Behind occupy: the next one of the thread, and of the unit, later. */
static void shaken_occupies(tensix_step *s)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    if (s->issue == TENSIX_HELD)
        return;
    if (s->unit == UNIT_UNPACK || s->unit == UNIT_PACK) {
        const unsigned which = s->unit == UNIT_UNPACK ? LATE_UNPACK : LATE_PACK;
        tx->unit_free[s->unit] += s->tile->shake(s->tile->owner, SHAKE_UNIT, s->unit, tx->shake.busy[which]++);
    }
    t->gate_next += s->tile->shake(s->tile->owner, SHAKE_GATE, s->thread, tx->shake.gate[s->thread]++);
    t->after_hold = t->gate_next != s->cycle + 1;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction through the wait gate of its thread: whether it stands there and may pass, and what passing it does.  Included
 * by run.c alone, where all of it is compiled together. */
#ifndef KERR_TENSIX_ISSUE_H
#define KERR_TENSIX_ISSUE_H

#include "tensix/counts.h"
#include "tensix/events.h"
#include "tensix/frontend/expand.h"
#include "tensix/pushing.h"
#include "tensix/tensix.h"
#include "tensix/trace.h"
#include "tensix/vector/macro.h"

#include "hooks/hooks.h"

#include "tensix_isa.h"

/* What takes one instruction a cycle, from whichever thread.  Manual SyncUnit, ConfigurationUnit, MiscellaneousUnit: the
 * Miscellaneous Unit and SETC16 take one from each thread, mutexes one for each of them, the Configuration Unit one at each
 * of the stages at which its pipeline is entered (UNIT_CONFIG is stage 0). */
enum { ALL_BLOCKS = 0x1FF };
enum {
    PORT_MUTEX = TENSIX_UNITS,
    PORT_WRCFG = PORT_MUTEX + MUTEXES,
    PORT_STREAMWRCFG,
    PORT_NONE,
};
#include "tensix_dispatch.inc"

_Static_assert(PORT_NONE <= sizeof((struct tensix *)0)->turn, "a turn for each port");
_Static_assert((int)UNIT_COUNT == (int)TENSIX_UNITS, "as isa/tensix.isa has them");
_Static_assert((int)TENSIX_OP_COUNT == (int)TENSIX_OPS, "as isa/tensix.isa has them");

static inline unsigned port_of(const tensix_step *s)
{
    const unsigned port = tensix_dispatch[s->word >> 24].port;
    if (LIKELY(port != PORT_MUTEX))
        return port;
    return (s->word & 0xFFFF) < MUTEXES ? PORT_MUTEX + (s->word & 0xFFFF) : (unsigned)PORT_NONE;
}

/* The thread behind this one goes first when there are several for that port. */
static inline void served(struct tensix *tx, unsigned port, unsigned thread)
{
    tx->turn[port] = (uint8_t)(thread == TENSIX_THREADS - 1 ? 0 : thread + 1);
}

/* ---- Faults ------------------------------------------------------------------------------------------------ */

/* Something in the front end that the manual does not allow. */
static bool front_end_is_bad(tensix_step *s)
{
    struct tensix_thread *t = s->t;
    const unsigned bad = t->bad;
    t->bad = 0;
    s->word = t->bad_word;
    s->pc = t->bad_pc;
    return bad == TENSIX_BAD_MOP
               ? tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/MOPExpander",
                              "MOP of length zero: it expands to no instruction")
               : tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/REPLAY",
                              "REPLAY of %u instructions: the buffer holds %u", bits(s->word, 9, 4), REPLAY_ENTRIES);
}

/* ---- One thread --------------------------------------------------------------------------------------------- */

/* What came out of the expanders for this cycle stands at the gate after all. */
static inline void keep(tensix_step *s)
{
    if (s->fresh) {
        s->t->gate_fifo[s->t->gate_head] = (struct tensix_entry){s->came, s->word, s->pc};
        s->t->gate_count = 1;
        s->fresh = false;
    }
}

static void stop(tensix_step *s)
{
    keep(s);
    s->t->stopped = true;
    s->t->due = 0;
}
/* At a fault of the instruction at the gate: that it stands there from now on is no stall. */
static void stop_at_gate(tensix_step *s)
{
    keep(s);
    counts_end(s);
    stop(s);
}

static inline void stall(tensix_step *s, uint64_t until, unsigned reason, int by)
{
    keep(s);
    counts_stall(s, reason);
    s->t->due = tensix_due_at(until);
    tensix_trace_stall(s, reason, by);
}

static unsigned latch_reason(const struct tensix_latch *latch)
{
    return latch->opcode == OPCODE_STALLWAIT ? TENSIX_STALL_STALLWAIT
           : latch->opcode == OPCODE_SEMWAIT ? TENSIX_STALL_SEMWAIT
                                             : TENSIX_STALL_STREAMWAIT;
}

/* The next instruction comes into the empty gate FIFO.  False: not in this cycle, `due` says when to look again. */
static __attribute__((noinline)) bool emit_plain(tensix_step *s)
{
    struct tensix_thread *t = s->t;
    uint64_t when = 0;
    const bool there = t->gate_count != 0 || replay_emit(t, s->cycle, &when);
    tensix_trace_expansions(s);
    if (UNLIKELY(t->bad != 0)) {
        s->fresh = false;
        if (front_end_is_bad(s)) {
            stop(s);
            return false;
        }
        if ((t->waiting & ~TENSIX_WAITS_B) != 0)
            t->notify = s->cycle + 1;
    }
    if (!there)
        t->due = tensix_due_at(when);
    return there;
}

/* A wait instruction is latched.  True: it holds this one back. */
static inline bool latch_holds(tensix_step *s, const struct tensix_dispatch *d)
{
    struct tensix_thread *t = s->t;
    const uint64_t met = gate_met_at(s->tile, s->tx, t, s->thread);
    if (met < s->cycle) {
        gate_let_go(s->tile, s->tx, t, s->thread, met);
        return false;
    }
    if (!(t->latch.blocks & d->blocked_by) && t->latch.blocks != ALL_BLOCKS)
        return false;
    /* What cores have on its way (C10) is not announced: the gate looks in every cycle. */
    const bool looks = t->latch.opcode == OPCODE_STALLWAIT && (t->latch.conditions & 1u << 10);
    if (looks)
        gate_count_looked_at(s->tile, s->tx, s->thread);
    stall(s, met != NEVER ? met + 1 : looks ? s->cycle + 1 : NEVER, latch_reason(&t->latch), -1);
    return true;
}

/* What a latched wait instruction or Auto TTSync holds back. */
static inline bool is_held(tensix_step *s, const struct tensix_dispatch *d)
{
    if ((s->tx->latched >> s->thread & 1) && latch_holds(s, d))
        return true;
    if (LIKELY(s->t->auto_load == 0) || !auto_holds(s->t, s->cycle))
        return false;
    stall(s, s->cycle + 1, TENSIX_STALL_AUTO, -1);
    return true;
}

/* Whether this thread has an instruction at its gate that could go to its unit in this cycle.  If not, `due` says when to
 * look again. */
static inline bool comes_to_the_gate(tensix_step *s)
{
    struct tensix_thread *t = s->t;
    struct tensix *tx = s->tx;
    struct tensix_entry e;
    uint64_t when;
    s->tile->looked++;
    s->fresh = false;
    if (t->gate_count == 0) {
        switch (LIKELY(!tx->traced) ? expand_next(t, s->cycle, &e, &when) : EXPAND_PLAIN) {
        case EXPAND_DONE: s->fresh = true; break;
        case EXPAND_LATER: t->due = tensix_due_at(when); return false;
        case EXPAND_PLAIN:
            if (!emit_plain(s))
                return false;
            break;
        }
    }
    if (!s->fresh)
        e = t->gate_fifo[t->gate_head];
    s->word = e.word;
    s->pc = e.pc;
    s->came = e.cycle;
    const uint64_t from = max64(e.cycle, t->gate_next);
    if (UNLIKELY(from > s->cycle)) {
        keep(s);
        t->due = tensix_due_at(from);
        return false;
    }
    const struct tensix_dispatch *d = &tensix_dispatch[e.word >> 24];
    s->op = d->op;
    s->unit = d->unit;
    if (UNLIKELY((tx->latched >> s->thread & 1) | t->auto_load) && is_held(s, d))
        return false;
    if (UNLIKELY(tx->unit_free[d->unit] > s->cycle)) {
        stall(s, tx->unit_free[d->unit], TENSIX_STALL_UNIT, -1);
        return false;
    }
    return true;
}

/* Who waits for this thread is told when he may go on. */
static void tell(tensix_step *s, uint32_t pc)
{
    struct tensix_thread *t = s->t;
    if (LIKELY(s->pusher.core != NULL && (t->waiting & ~(unsigned)(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE)) == 0)) {
        if ((pc & TENSIX_ENTRY_LAST) && t->in_flight <= TENSIX_FIFO_ALMOST_FULL) {
            t->waiting = 0;
            if (rv_pusher_offers(&s->pusher, s->cycle + 1))
                pushing_offer(s, s->cycle + 1);
            pushing_note_next(s);
            if (!s->beside)
                tensix_push_turn(s->tx, s->thread, t->push_turn);
        }
        return;
    }
    pushing_close(s);
    unsigned reached = t->waiting & TENSIX_WAITS_B;
    if (pc & TENSIX_ENTRY_LAST)
        reached |= t->waiting & (TENSIX_WAITS_AUTO | (t->in_flight <= TENSIX_FIFO_ALMOST_FULL ? TENSIX_WAITS_PUSH : 0));
    if ((t->waiting & TENSIX_WAITS_MOP) && !tensix_mop_goes_on(s->tx, s->thread, s->cycle))
        reached |= TENSIX_WAITS_MOP;
    if (t->waiting & TENSIX_WAITS_STANDS) { /* before somebody who is told waits like this again */
        t->waiting &= (uint8_t)~TENSIX_WAITS_STANDS;
        tensix_notify(s->tx, s->thread, s->cycle + 1);
    }
    if (reached) {
        if (reached & TENSIX_WAITS_PUSH)
            reached |= TENSIX_WAITS_GATE;
        t->waiting &= (uint8_t)~reached;
        if (!pushing_only(s->tx, reached) ||
            !pushing_goes_on(s->tile, s->tx, s->thread, s->tile->pusher_told(s->tile->owner, s->thread, s->cycle + 1),
                             s->cycle + 1, s->until)) {
            pushing_tell(s->tile, s->tx, s->thread, reached, s->cycle + 1);
        }
    }
    if (t->waiting & TENSIX_WAITS_DONE)
        tensix_passed(s->tx, s->thread, s->cycle);
}

/* Reserved bits are set in what stands at the gate.  True: it stays there. */
static __attribute__((noinline)) bool is_refused(tensix_step *s)
{
    const uint32_t set = tensix_reserved_set(s->word);
    if (s->t->told || set == 0)
        return false;
    s->t->told = 1;
    return tensix_fault(s, KERR_FAULT_UNDEFINED, tensix_ops[s->op].page, "%s with reserved bits set: 0x%06x",
                        tensix_ops[s->op].name, set);
}

/* The unit has not taken it. */
static __attribute__((noinline)) void stays(tensix_step *s, step_result result)
{
    if (result == STEP_STALLED)
        stall(s, s->again, s->reason, -1);
    else
        stop_at_gate(s);
}

/* The unit has it for `issue` cycles. */
static inline void occupy(tensix_step *s)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    const unsigned unit = s->unit;
    if (UNLIKELY(s->issue == TENSIX_HELD)) {
        tx->unit_free[unit] = t->busy_until[unit] = t->gate_next = NEVER;
        t->after_hold = true;
        return;
    }
    if (unit != UNIT_MISC) /* which takes one from each thread */
        tx->unit_free[unit] = s->cycle + s->issue;
    t->busy_until[unit] = max64(t->busy_until[unit], s->cycle + s->latency);
    t->gate_next = tensix_thread_free(s, unit == UNIT_SCALAR);
    t->after_hold = t->gate_next != s->cycle + 1;
}

/* It has left the gate. */
static inline void leaves(tensix_step *s)
{
    struct tensix_thread *t = s->t;
    t->told = 0;
    t->passed[t->passed_at] = s->cycle + 1;
    t->passed_at = (uint8_t)((t->passed_at + 1u) % GATE_FIFO_CAPACITY);
    if (!s->fresh) {
        t->gate_head = (uint8_t)((t->gate_head + 1u) % GATE_FIFO_CAPACITY);
        t->gate_count--;
    }
    entry_done(t, s->pc);
    t->due = tensix_due_at(t->gate_next);
    if (UNLIKELY(t->waiting != 0))
        tell(s, s->pc);
}

/* shaken.h: what --shake makes of it.  shaken_takes: true if it has left the gate and is executed later. */
static bool shaken_takes(tensix_step *s, const struct tensix_dispatch *d);
static void shaken_occupies(tensix_step *s);

static inline void go(tensix_step *s)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    const struct tensix_dispatch *d = &tensix_dispatch[s->word >> 24];
    s->issue = d->issue;
    s->latency = d->latency;
    s->again = s->cycle + 1;
    s->reason = TENSIX_STALL_UNIT;
    if (UNLIKELY((s->word & d->reserved) != 0) && is_refused(s)) {
        stop_at_gate(s);
        return;
    }
    if (UNLIKELY(tx->latched >> s->thread & 1))
        /* As its conditions are before this instruction; one in the Configuration Unit counts at once. */
        gate_settle(s->tile, tx, t, s->thread, s->cycle + (d->unit != UNIT_CONFIG));
    if (tx->later_count != 0 && tx->later[0].cycle <= s->cycle)
        tensix_settle(s->tile, tx, s->cycle);
    if (UNLIKELY(vector_is_late(tx, s->cycle)))
        vector_settle(s->tile, tx, s->cycle);
    if (UNLIKELY(tx->shake.on) && shaken_takes(s, d))
        return;
    hook_unit_begins(s->tile, s);
    s->tile->singly++;
    const step_result result = d->run(s);
    if (UNLIKELY(result != STEP_RETIRED)) {
        stays(s, result);
        return;
    }
    hook_unit_done(s->tile, s);
    if (UNLIKELY(d->unit == UNIT_CONFIG && tx->latched != 0))
        tensix_changing(s->tile, tx, TENSIX_WATCH_CONFIG_UNIT, s->cycle - 1); /* it is in stage 0 in this very cycle */
    tensix_trace_issue(s, d->unit);
    if (t->after_hold)
        keep(s); /* it is counted from its arrival on */
    counts_pass(s);
    occupy(s);
    if (UNLIKELY(tx->shake.on))
        shaken_occupies(s);
    leaves(s);
}

#endif

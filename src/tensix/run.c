/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor in time: what stands at the three wait gates goes to the units.
 *
 * A gate lets one instruction a cycle through, in order.  It holds one back that a latched wait instruction blocks, whose
 * unit is busy, or that another thread of the same port wins against: threads take turns (a card shows equal shares,
 * docs/timing.md).  Only cycles in which something can happen are visited: a thread that waits for time has the cycle in
 * `due`, one that waits for others is woken by tensix_changing. */
#include "tensix/tensix.h"

#include "tensix/frontend/frontend.h"
#include "tensix/trace.h"

#include "base/bits.h"
#include "tile/devices.h"

#include "tensix_dispatch.inc"

#include <stdarg.h>
#include <stdio.h>

/* What takes one instruction a cycle, from whichever thread.  Manual SyncUnit, ConfigurationUnit, MiscellaneousUnit: the
 * Miscellaneous Unit and SETC16 take one from each thread, mutexes one for each of them. */
enum { PORT_MUTEX = TENSIX_UNITS, PORT_NONE = PORT_MUTEX + MUTEXES };
_Static_assert(PORT_NONE <= sizeof((struct tensix *)0)->turn, "a turn for each port");
_Static_assert((int)UNIT_COUNT == (int)TENSIX_UNITS, "as isa/tensix.isa has them");

static unsigned port_of(unsigned op, uint32_t word)
{
    switch (op) {
    case TENSIX_ATGETM:
    case TENSIX_ATRELM: return (word & 0xFFFF) < MUTEXES ? PORT_MUTEX + (word & 0xFFFF) : PORT_NONE;
    case TENSIX_SETC16: return PORT_NONE;
    default: return tensix_ops[op].unit == UNIT_MISC ? (unsigned)PORT_NONE : tensix_ops[op].unit;
    }
}

void tensix_look_at(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    t->due = tensix_due_at(min64(tensix_when(t->due), cycle));
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

/* ---- Faults ------------------------------------------------------------------------------------------------ */

bool tensix_fault(tensix_step *s, kerr_fault_kind kind, const char *manual, const char *text, ...)
{
    char buffer[sizeof((kerr_fault *)0)->text];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(buffer, sizeof buffer, text, arguments);
    va_end(arguments);
    s->tx->yield = true;
    return tile_tensix_fault(s->tile, kind, s->thread, s->pc & TENSIX_ENTRY_BY_B, s->pc & ~3u, s->word, s->cycle,
                             manual, buffer);
}

step_result tensix_unimplemented(tensix_step *s, unsigned op)
{
    tensix_fault(s, KERR_FAULT_UNIMPLEMENTED, tensix_ops[op].page, "%s: the %s unit does not have it yet",
                 tensix_ops[op].name, tensix_unit_names[tensix_ops[op].unit]);
    return STEP_FAULTED;
}

step_result tensix_unknown(tensix_step *s, unsigned op)
{
    tensix_fault(s, KERR_FAULT_UNKNOWN, NULL, "%s: no document says what it does", tensix_ops[op].name);
    return STEP_FAULTED;
}

step_result tensix_illegal(tensix_step *s)
{
    tensix_fault(s, KERR_FAULT_UNDEFINED, "TensixCoprocessor/README", "opcode 0x%02x does not exist", s->word >> 24);
    return STEP_FAULTED;
}

/* Instructions of the front end come to the gate only where they must not. */
static step_result not_here(tensix_step *s, const char *name)
{
    tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/MOPExpander",
                 "%s at the wait gate: RISCV B pushes behind the MOP expander, and a replay buffer may not hold it",
                 name);
    return STEP_FAULTED;
}

step_result frontend_MOP(tensix_step *s, const struct op_MOP *op)
{
    (void)op;
    return not_here(s, "MOP");
}

step_result frontend_MOP_CFG(tensix_step *s, const struct op_MOP_CFG *op)
{
    (void)op;
    return not_here(s, "MOP_CFG");
}

step_result frontend_REPLAY(tensix_step *s, const struct op_REPLAY *op)
{
    (void)op;
    return not_here(s, "REPLAY");
}

/* RESOURCEDECL is for Auto TTSync, before the FIFO; from elsewhere it does nothing. */
step_result frontend_RESOURCEDECL(tensix_step *s, const struct op_RESOURCEDECL *op)
{
    (void)s, (void)op;
    return STEP_RETIRED;
}

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

static void stop(struct tensix_thread *t)
{
    t->stopped = true;
    t->due = 0;
}

/* ---- One thread --------------------------------------------------------------------------------------------- */

static void stall(tensix_step *s, uint64_t until, unsigned reason, int by)
{
    s->t->due = tensix_due_at(until);
    s->t->stall = (uint8_t)reason;
    tensix_trace_stall(s, reason, by);
}

static unsigned latch_reason(const struct tensix_latch *latch)
{
    return latch->opcode == 0xA2   ? TENSIX_STALL_STALLWAIT
           : latch->opcode == 0xA6 ? TENSIX_STALL_SEMWAIT
                                   : TENSIX_STALL_STREAMWAIT;
}

/* Whether this thread has an instruction at its gate that could go to its unit in this cycle.  If not, `due` says when to
 * look again. */
static bool comes_to_the_gate(tensix_step *s)
{
    struct tensix_thread *t = s->t;
    if (t->gate_count == 0) {
        uint64_t when;
        const bool there = replay_emit(t, s->cycle, &when);
        tensix_trace_expansions(s);
        if (UNLIKELY(t->bad != 0)) {
            if (front_end_is_bad(s)) {
                stop(t);
                return false;
            }
            if ((t->waiting & ~TENSIX_WAITS_B) != 0)
                t->notify = s->cycle + 1;
        }
        if (!there) {
            t->due = tensix_due_at(when);
            return false;
        }
    }
    const struct tensix_entry *e = &t->gate_fifo[t->gate_head];
    const uint64_t from = max64(e->cycle, t->gate_next);
    if (from > s->cycle) {
        t->due = tensix_due_at(from);
        return false;
    }
    s->word = e->word;
    s->pc = e->pc;
    s->op = tensix_op_of[e->word >> 24];
    if (UNLIKELY(s->op >= TENSIX_OP_COUNT))
        return true; /* which is a fault */
    const struct tensix_op_info *info = &tensix_ops[s->op];
    if (UNLIKELY(s->tx->latched >> s->thread & 1)) {
        gate_settle(s->tile, s->tx, t, s->thread, s->cycle);
        if ((s->tx->latched >> s->thread & 1) && tensix_blocks(t->latch.blocks, info)) {
            const uint64_t met = gate_met_at(s->tile, s->tx, t, s->thread);
            /* What cores have on its way (C10) is not announced: the gate looks in every cycle. */
            const bool looks = t->latch.opcode == 0xA2 && (t->latch.conditions & 1u << 10);
            stall(s, met != NEVER ? met + 1 : looks ? s->cycle + 1 : NEVER, latch_reason(&t->latch), -1);
            return false;
        }
    }
    if (s->tx->unit_free[info->unit] > s->cycle) {
        stall(s, s->tx->unit_free[info->unit], TENSIX_STALL_UNIT, -1);
        return false;
    }
    return true;
}

/* Who waits for this thread is told when he may go on. */
static void tell(tensix_step *s, uint32_t pc)
{
    struct tensix_thread *t = s->t;
    unsigned reached = t->waiting & TENSIX_WAITS_B;
    if (pc & TENSIX_ENTRY_LAST)
        reached |= t->waiting & (TENSIX_WAITS_AUTO | (t->in_flight <= TENSIX_FIFO_ALMOST_FULL ? TENSIX_WAITS_PUSH : 0));
    if ((t->waiting & TENSIX_WAITS_MOP) && !tensix_mop_busy(s->tx, s->thread, s->cycle + 1))
        reached |= TENSIX_WAITS_MOP;
    if (reached) {
        t->waiting &= (uint8_t)~reached;
        tile_devices_changed(s->tile, s->cycle + 1);
        s->tx->yield = true;
    }
    if (t->waiting & TENSIX_WAITS_DONE)
        tensix_wait(s->tx, s->thread, TENSIX_WAITS_DONE, s->cycle);
}

static void go(tensix_step *s)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    const bool exists = s->op < TENSIX_OP_COUNT;
    const struct tensix_op_info *info = &tensix_ops[exists ? s->op : 0];
    s->unit = info->unit;
    s->issue = info->issue ? info->issue : 1;
    s->latency = info->latency ? info->latency : s->issue;
    s->again = s->cycle + 1;
    s->reason = TENSIX_STALL_UNIT;
    const uint32_t odd = s->word & tensix_reserved_bits[s->word >> 24];
    if (UNLIKELY(odd != 0 && exists) && t->stall == TENSIX_STALL_NONE && tensix_reserved_set(s->word) != 0 &&
        tensix_fault(s, KERR_FAULT_UNDEFINED, info->page, "%s with reserved bits set: 0x%06x", info->name,
                     tensix_reserved_set(s->word))) {
        stop(t);
        return;
    }
    const step_result result = tensix_steps[s->word >> 24](s);
    if (UNLIKELY(result != STEP_RETIRED)) {
        if (result == STEP_STALLED)
            stall(s, s->again, s->reason, -1);
        else
            stop(t);
        return;
    }
    if (UNLIKELY(tx->latched >> s->thread & 1))
        gate_settle(s->tile, tx, t, s->thread, s->cycle + 1);
    if (info->unit == UNIT_CONFIG && tx->latched != 0)
        tensix_changing(s->tile, tx, TENSIX_WATCH_CONFIG_UNIT, s->cycle);
    tensix_trace_issue(s, info->unit);
    tx->unit_free[info->unit] = s->cycle + s->issue;
    t->busy_until[info->unit] = max64(t->busy_until[info->unit], s->cycle + s->latency);
    /* Manual WormholeB0 ScalarUnit: until its instruction is done nothing of the thread passes.  A card lets the next one
     * pass in the last of these cycles (docs/timing.md). */
    t->gate_next = s->cycle + (info->unit == UNIT_SCALAR && s->issue > 1 ? s->issue - 1 : 1);
    t->stall = TENSIX_STALL_NONE;
    t->passed[t->passed_at] = s->cycle + 1;
    t->passed_at = (uint8_t)((t->passed_at + 1) % GATE_FIFO_CAPACITY);
    t->gate_head = (uint8_t)((t->gate_head + 1) % GATE_FIFO_CAPACITY);
    t->gate_count--;
    entry_done(t, s->pc);
    t->due = tensix_due_at(t->gate_next);
    tx->issued[s->thread][info->unit]++;
    if (UNLIKELY(t->waiting != 0))
        tell(s, s->pc);
}

/* ---- All threads -------------------------------------------------------------------------------------------- */

static uint64_t next_of_threads(const struct tensix *tx)
{
    uint64_t next = NEVER;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        next = min64(next, tensix_when(tx->thread[i].due));
    return next;
}

/* What else happens by itself. */
static uint64_t next_of_others(const struct tensix *tx)
{
    uint64_t next = tx->later_count != 0 ? tx->later[0].cycle : NEVER;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        next = min64(next, tx->thread[i].notify - 1 == NEVER ? NEVER : tx->thread[i].notify);
    return next;
}

static void others(struct tile *tile, struct tensix *tx, uint64_t cycle)
{
    tensix_settle(tile, tx, cycle);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        if (t->notify != 0 && t->notify <= cycle) {
            t->notify = 0;
            tile_devices_changed(tile, cycle);
            tx->yield = true;
        }
    }
}

static tensix_step step_of(struct tile *tile, struct tensix *tx, unsigned thread, uint64_t cycle)
{
    return (tensix_step){.tile = tile, .tx = tx, .t = &tx->thread[thread], .cycle = cycle, .thread = (uint8_t)thread};
}

/* One cycle for the threads of `ready`. */
static void run_cycle(struct tile *tile, struct tensix *tx, unsigned ready, uint64_t cycle)
{
    tensix_step steps[TENSIX_THREADS];
    unsigned port[TENSIX_THREADS];
    for (unsigned left = ready; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        steps[i] = step_of(tile, tx, i, cycle);
        if (comes_to_the_gate(&steps[i]))
            port[i] = steps[i].op < TENSIX_OP_COUNT ? port_of(steps[i].op, steps[i].word) : (unsigned)PORT_NONE;
        else
            ready &= ~(1u << i);
    }
    for (unsigned left = ready; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (port[i] != PORT_NONE) {
            unsigned winner = i;
            for (unsigned k = 0; k < TENSIX_THREADS; k++) {
                const unsigned j = (tx->turn[port[i]] + k) % TENSIX_THREADS;
                if ((ready >> j & 1) && port[j] == port[i]) {
                    winner = j;
                    break;
                }
            }
            if (winner != i) {
                stall(&steps[i], cycle + 1, TENSIX_STALL_THREADS, (int)winner);
                continue;
            }
        }
        go(&steps[i]);
        if (port[i] != PORT_NONE)
            tx->turn[port[i]] = (uint8_t)((i + 1) % TENSIX_THREADS);
    }
}

void tensix_run(struct tile *tile, struct tensix *tx, uint64_t until)
{
    tx->yield = false;
    uint64_t other = next_of_others(tx), cycle = min64(next_of_threads(tx), other);
    while (cycle < until && !tx->yield) {
        if (UNLIKELY(other <= cycle)) {
            others(tile, tx, cycle);
            if (tx->yield)
                break; /* who was told looks first, at this very cycle */
        }
        unsigned ready = 0;
        for (unsigned i = 0; i < TENSIX_THREADS; i++)
            ready |= (unsigned)(tensix_when(tx->thread[i].due) <= cycle) << i;
        run_cycle(tile, tx, ready, cycle);
        other = next_of_others(tx);
        cycle = min64(next_of_threads(tx), other);
    }
    tx->yield = false;
    tx->due = tensix_due_at(min64(next_of_threads(tx), next_of_others(tx)));
}

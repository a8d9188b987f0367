/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor in time: what stands at the three wait gates goes to the units.
 *
 * A gate lets one instruction a cycle through, in order.  It holds one back that a latched wait instruction blocks, whose
 * unit is busy, or that another thread of the same port wins against: threads take turns (a card shows equal shares,
 * docs/timing.md).  Only cycles in which something can happen are visited: a thread that waits for time has the cycle in
 * `due`, one that waits for others is woken by tensix_changing. */
#include "tensix/issue.h"
#include "tensix/shaken.h"
#include "tensix/stream.h"

void tensix_look_at(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    t->due = tensix_due_at(min64(tensix_when(t->due), cycle));
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

void tensix_event_at(struct tensix *tx, uint64_t cycle)
{
    tx->events_due = tensix_due_at(min64(tensix_when(tx->events_due), cycle));
    tx->due = tensix_due_at(min64(tensix_when(tx->due), cycle));
}

void tensix_release(struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_thread *t = &tx->thread[thread];
    tx->unit_free[UNIT_SCALAR] = cycle;
    t->gate_next = cycle - COST_SCALAR_SHADOW;
    t->busy_until[UNIT_SCALAR] = t->loads_until = cycle;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (!tx->thread[i].stopped)
            tensix_look_at(tx, i, i == thread ? t->gate_next : cycle);
    if (t->waiting & TENSIX_WAITS_DONE)
        tensix_wait(tx, thread, TENSIX_WAITS_DONE, t->gate_next);
    if (t->waiting & TENSIX_WAITS_AUTO)
        tensix_notify(tx, thread, cycle);
}

/* ---- All threads -------------------------------------------------------------------------------------------- */

static uint64_t next_of_threads(const struct tensix *tx)
{
    uint64_t next = NEVER;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        next = min64(next, tensix_when(tx->thread[i].due));
    return next;
}

/* What else happens by itself.  Cycles of who is told are plain, with 0 for never: one less makes that the latest. */
static uint64_t next_of_others(const struct tensix *tx, uint64_t later)
{
    uint64_t told = tx->config_unit.tell - 1;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        told = min64(told, tx->thread[i].notify - 1);
    return min64(min64(later, tensix_when(tx->events_due)), told + (told != NEVER));
}

static void others(tensix_tile *tile, struct tensix *tx, tensix_step steps[TENSIX_THREADS], uint64_t cycle,
                   uint64_t until)
{
    tensix_settle(tile, tx, cycle);
    if (tensix_when(tx->events_due) <= cycle) {
        scalar_event(tile, tx, cycle);
        mover_event(tile, tx, cycle);
        shaken_event(tile, tx, cycle);
        tx->events_due = tensix_due_at(min64(min64(scalar_next(tx), mover_next(tx)), shaken_next(tx)));
    }
    bool tell = tx->config_unit.tell != 0 && tx->config_unit.tell <= cycle;
    if (tell)
        tx->config_unit.tell = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        if (t->notify != 0 && t->notify <= cycle) {
            const unsigned waiting = t->waiting;
            t->notify = 0;
            t->swallow_told = false;
            t->waiting = 0; /* who still waits then says so again */
            pushing_close(&steps[i]);
            if (!pushing_only(tx, waiting) ||
                !pushing_goes_on(tile, tx, i, tile->pusher_told(tile->owner, i, cycle), cycle, until))
                tell = true;
        }
    }
    if (tell) {
        tile->devices_changed(tile->owner, cycle);
        tx->yield = true;
    }
}

/* One cycle for the threads of `ready`, of which there are several. */
static void run_cycle(struct tensix *tx, tensix_step steps[TENSIX_THREADS], unsigned ready, uint64_t cycle)
{
    unsigned port[TENSIX_THREADS] = {PORT_NONE, PORT_NONE, PORT_NONE};
    unsigned taken = 0, twice = 0, used = 0, come = 0;
    for (unsigned left = ready; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        steps[i].cycle = cycle;
        if (!comes_to_the_gate(&steps[i]))
            continue;
        come |= 1u << i;
        port[i] = port_of(&steps[i]);
        twice |= taken & 1u << port[i];
        taken |= 1u << port[i];
    }
    twice &= ~(1u << PORT_NONE);
    if (UNLIKELY(twice != 0 && tx->shake.on))
        shaken_turns(steps[0].tile, tx, twice);
    for (unsigned left = come; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        if (UNLIKELY(twice >> port[i] & 1)) {
            unsigned winner = tx->turn[port[i]];
            while (port[winner] != port[i])
                winner = winner == TENSIX_THREADS - 1 ? 0 : winner + 1;
            if (winner != i || (used >> port[i] & 1)) {
                stall(&steps[i], cycle + 1, TENSIX_STALL_THREADS, (int)winner);
                continue;
            }
        }
        go(&steps[i]);
        if (port[i] != PORT_NONE) {
            used |= 1u << port[i];
            served(tx, port[i], i);
        }
    }
}

static void step_thread(struct tensix *tx, tensix_step *s)
{
    if (LIKELY(comes_to_the_gate(s))) {
        const unsigned port = port_of(s);
        go(s);
        if (port != PORT_NONE)
            served(tx, port, s->thread);
    }
}

/* One thread alone, for as long as no other has its turn. */
static void run_thread(struct tensix *tx, tensix_step *s, uint64_t cycle, uint64_t until)
{
    enum { WORTH_IT = 3 };
    struct tensix_thread *t = s->t;
    do {
        const bool may =
            until > cycle + WORTH_IT && !(tx->latched >> s->thread & 1) && !takes_no_short_cut(tx, FAST_BURSTS);
        if (!may || !stream(s, until)) {
            s->cycle = cycle;
            step_thread(tx, s);
        }
        cycle = tensix_when(t->due);
    } while (cycle < until && tx->due == 0 && !tx->yield);
}

/* The only core that has its turn in this cycle, if no thread but its own has one. */
static unsigned only_one(const struct tensix *tx, const uint64_t due[TENSIX_THREADS], uint64_t cycle)
{
    unsigned cores = 0, threads = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        cores |= (unsigned)(tx->thread[i].push_turn == cycle) << i;
        threads |= (unsigned)(due[i] == cycle) << i;
    }
    const bool one = (cores & (cores - 1)) == 0 && (threads & ~cores) == 0;
    return one ? (unsigned)__builtin_ctz(cores) : TENSIX_THREADS;
}

/* What is in the FIFO passes ahead of the core's turns, as far as the core is sure to do nothing but push meanwhile; then the core has
 * them, with the room that there was in each.  False: there is not enough for that. */
static bool run_ahead(struct tensix *tx, tensix_step *s, uint64_t until)
{
    /* Those that make room without passing the gate, or change what pushes are. */
    static const uint64_t others = UINT64_C(1) << OPCODE_MOP_CFG | UINT64_C(1) << OPCODE_REPLAY |
                                   UINT64_C(1) << OPCODE_MOP | UINT64_C(1) << OPCODE_RESOURCEDECL;
    /* Those that cannot reach what the core goes by: memory, its devices, the configuration. */
    enum { HARMLESS = 1u << UNIT_VECTOR | 1u << UNIT_MATRIX | 1u << UNIT_MISC };
    enum { WORTH_IT = 4, GROUP = 4 };
    struct tensix_thread *t = s->t;
    struct stream_passes passes;
    if (t->fifo_count < WORTH_IT || (t->waiting & ~(unsigned)(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE)) != 0 ||
        takes_no_short_cut(tx, FAST_BURSTS))
        return false;
    /* The core executes at most as many as find room in FIFO and queue. */
    const unsigned pushes = rv_pusher_ahead(&s->pusher, others);
    const unsigned room = TENSIX_FIFO_ALMOST_FULL + GROUP - t->in_flight + COST_STORE_QUEUE;
    const unsigned taken = s->pusher.count + pushes;
    if (taken < room + WORTH_IT || rv_pusher_holds(&s->pusher, others) || tensix_may_swallow(t))
        return false;
    const unsigned held = (unsigned)t->replay_count + t->fifo_count;
    const unsigned count = stream_ahead(s, WORTH_IT, (unsigned)min64(held, taken - room), until, HARMLESS, &passes);
    t->in_flight = (uint8_t)(t->in_flight + count); /* they make room one after the other */
    if (count != 0)
        pushing_follow(s, passes.at, count);
    return count != 0;
}

/* A core that pushes and its thread, by turns, until anybody else has one.  False: the core has something else to do in its cycle, and
 * nothing has been done. */
static bool run_beside(struct tensix *tx, tensix_step *s, const uint64_t due[TENSIX_THREADS], uint64_t until)
{
    struct tensix_thread *t = s->t;
    if (takes_no_short_cut(tx, FAST_BESIDE) || !pushing_is_open(s))
        return false;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (i != s->thread)
            until = min64(min64(until, due[i]), tx->thread[i].push_turn - 1 == NEVER ? NEVER : tx->thread[i].push_turn);
    bool any = false;
    s->beside = true;
    s->cycle = until - 1;
    for (;;) {
        const uint64_t turn = t->push_turn != 0 ? t->push_turn : NEVER, cycle = min64(turn, tensix_when(t->due));
        if (cycle >= until)
            break;
        if (turn == cycle) {
            if (!pushing_turn(s, cycle))
                break;
            if (tx->due != 0) { /* of the thread, which is looked at here, or of who waits for what it swallows */
                tx->due = 0;
                until = t->notify != 0 ? min64(until, t->notify) : until;
            }
        } else if (t->mop.active || t->replay_mode == MODE_PLAY) {
            break; /* rows */
        } else if (!run_ahead(tx, s, until)) {
            s->cycle = cycle;
            step_thread(tx, s);
        }
        any = true;
        if (tx->yield || tx->due != 0)
            break;
    }
    s->beside = false;
    return any;
}

void tensix_run(tensix_tile *tile, struct tensix *tx, uint64_t until)
{
    tensix_step steps[TENSIX_THREADS];
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        steps[i].tile = tile;
        steps[i].tx = tx;
        steps[i].t = &tx->thread[i];
        steps[i].thread = (uint8_t)i;
        steps[i].op = TENSIX_ILLEGAL;
        steps[i].until = until;
        steps[i].beside = steps[i].closed = steps[i].ahead = false;
        steps[i].pusher.core = NULL;
    }
    tx->yield = false;
    tx->due = 0; /* whoever wakes a thread or adds an event from now on sets it */
    uint64_t other = next_of_others(tx, tensix_later_acts(tx)), push = pushing_next(tx), done = until - 1;
    for (;;) {
        if (tx->due != 0) {
            tx->due = 0;
            other = next_of_others(tx, tensix_later_acts(tx));
            push = pushing_next(tx);
        }
        const uint64_t due[TENSIX_THREADS] = {tensix_when(tx->thread[0].due), tensix_when(tx->thread[1].due),
                                              tensix_when(tx->thread[2].due)};
        const uint64_t first = min64(due[0], min64(due[1], due[2])), cycle = min64(first, min64(other, push));
        if (cycle >= until)
            break;
        if (UNLIKELY(push <= cycle)) { /* cores come first */
            const unsigned alone = other > cycle ? only_one(tx, due, cycle) : TENSIX_THREADS;
            if (alone != TENSIX_THREADS && run_beside(tx, &steps[alone], due, min64(until, other))) {
                done = tx->yield ? steps[alone].cycle : until - 1;
                if (tx->yield)
                    break;
                tx->due = 0;
                other = next_of_others(tx, tensix_later_acts(tx));
                push = pushing_next(tx);
                continue;
            }
            if (!pushing_turns(tile, tx, steps, cycle, until)) {
                done = cycle - 1;
                break;
            }
            push = pushing_next(tx);
            continue;
        }
        if (UNLIKELY(other <= cycle)) {
            others(tile, tx, steps, cycle, until);
            done = cycle;
            if (tx->yield)
                break;
            other = next_of_others(tx, tensix_later_acts(tx));
            continue; /* who was told looks first, at this very cycle */
        }
        const uint64_t limit = min64(until, min64(other, push));
        const unsigned ready =
            (unsigned)(due[0] == cycle) | (unsigned)(due[1] == cycle) << 1 | (unsigned)(due[2] == cycle) << 2;
        const unsigned i = (unsigned)__builtin_ctz(ready);
        if (ready & (ready - 1)) {
            run_cycle(tx, steps, ready, cycle);
        } else {
            const uint64_t second = min64(due[(i + 1) % TENSIX_THREADS], due[(i + 2) % TENSIX_THREADS]);
            run_thread(tx, &steps[i], cycle, min64(limit, second));
        }
        if (tx->yield) {
            done = steps[i].cycle;
            break;
        }
        done = until - 1;
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        pushing_close(&steps[i]);
    tensix_settle(tile, tx, done);
    /* Not the cycle in which a thread has yet to run: its instruction executes together with what is scheduled for it. */
    const uint64_t passed = min64(done + 1, next_of_threads(tx));
    if (UNLIKELY(vector_is_late(tx, passed)))
        vector_settle(tile, tx, passed);
    tx->yield = false;
    const uint64_t later =
        min64(tx->later_count != 0 ? tx->later[0].cycle : NEVER, tx->vector_due != 0 ? tx->vector_due : NEVER);
    tx->due = tensix_due_at(min64(min64(next_of_threads(tx), next_of_others(tx, later)), pushing_next(tx)));
}

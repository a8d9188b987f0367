/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV Ti, which waits for room in the FIFO of its thread, goes on within a run of the coprocessor (tile/pusher.c).  Included by
 * run.c alone. */
#ifndef KERR_TENSIX_PUSHING_H
#define KERR_TENSIX_PUSHING_H

#include "tensix/frontend/push.h"
#include "tensix/step.h"
#include "tensix/tensix.h"

/* Whether nobody waits for the thread but its core for room. */
static inline bool pushing_only(const struct tensix *tx, unsigned waiting)
{
    return (waiting & ~(unsigned)(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE | TENSIX_WAITS_STANDS)) == 0 && !tx->traced;
}

/* Those who waited for the thread, and could not be told like this, look when the tile does. */
static inline void pushing_tell(tensix_tile *tile, struct tensix *tx, unsigned thread, unsigned waited, uint64_t cycle)
{
    if (waited & TENSIX_WAITS_B)
        tile->core_told(tile->owner, KERR_CORE_B, cycle);
    if (waited & ~(unsigned)TENSIX_WAITS_B)
        tile->core_told(tile->owner, KERR_CORE_T0 + thread, cycle);
    tx->yield = true;
}

/* Up to which cycle a core may have turns from `turn` on while its thread has come to `now`.  Without room none of its pushes
 * goes through until one has passed the gate.  So long neither notices the other, and turns that are had ahead of time do not end the
 * thread's rows.  Before `until` nobody else has one.  0: not known. */
static inline uint64_t pushing_most(const tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t turn,
                                    uint64_t now, uint64_t until)
{
    const struct tensix_thread *t = &tx->thread[thread];
    if (t->in_flight <= TENSIX_FIFO_ALMOST_FULL || turn < t->last_push)
        return 0;
    uint64_t holds = tensix_room_holds(tx, thread, now);
    /* Who is told is no longer known to wait, and says so again when he looks: a core that by then stands at a later cycle would
     * look in vain and be forgotten.  In this very cycle others are told behind the turns of cores. */
    if (t->notify != 0)
        holds = min64(holds, t->notify - 1);
    if (holds < turn)
        return 0;
    /* One of a group may still go through, and if it ends in an expander that makes room again. */
    if (!(t->swallow_told && t->notify > now) && tile->pusher_holds_swallowed(tile->owner, thread))
        return 0;
    return min64(holds, until - 1);
}

/* The turns of a core from `turn` on and up to cycle `most`; the first one that it has yet to have, as tile_pusher_told has it.  One that the
 * tile must look at is had again in its cycle. */
static inline uint64_t pushing_ahead(tensix_tile *tile, const struct tensix_thread *t, unsigned thread, uint64_t turn,
                                     uint64_t most)
{
    const unsigned in_flight = t->in_flight;
    while (turn <= most && t->in_flight == in_flight) {
        const uint64_t next = tile->pusher_turn(tile->owner, thread, turn, most);
        if (next == 0)
            break;
        turn = next;
    }
    return turn;
}

/* turn: as tile_pusher_told has it, for a thread that has come to `now`.  False: the tile must look. */
static inline bool pushing_goes_on(tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t turn, uint64_t now,
                                   uint64_t until)
{
    if (turn != 0 && turn != NEVER)
        turn = pushing_ahead(tile, &tx->thread[thread], thread, turn, pushing_most(tile, tx, thread, turn, now, until));
    if (turn != 0 && turn != NEVER)
        tensix_push_turn(tx, thread, turn);
    return turn != 0;
}

/* The first cycle in which such a core has a turn.  0 is for none: one less makes that the latest. */
static inline uint64_t pushing_next(const struct tensix *tx)
{
    uint64_t turn = NEVER;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        turn = min64(turn, tx->thread[i].push_turn - 1);
    return turn + (turn != NEVER);
}

/* ---- Turns that are pushes and nothing else (riscv/pusher.h) ---- */

static inline bool pushing_is_open(tensix_step *s)
{
    if (s->pusher.core == NULL && !s->closed)
        s->closed = !s->tile->pusher_open(s->tile->owner, s->thread, &s->pusher);
    return s->pusher.core != NULL;
}

/* As tensix_push, but that nobody is told to look: whoever calls this does. */
static inline bool pushing_push(tensix_step *s, uint32_t word, uint32_t pc, uint64_t cycle)
{
    struct tensix_thread *t = s->t;
    if (__builtin_expect(!push_has_room(t, cycle) || opcode_of(word) == OPCODE_RESOURCEDECL, 0))
        return tensix_push(s->tx, s->thread, word, pc, cycle);
    push_behind(t, word, pc, cycle);
    if (t->gate_count == 0 && !t->stopped)
        t->due = tensix_due_at(min64(tensix_when(t->due), push_at_gate(cycle)));
    return true;
}

static inline void pushing_close(tensix_step *s)
{
    if (s->pusher.core != NULL)
        rv_pusher_close(&s->pusher);
}

/* The oldest push of the core's queue goes into the FIFO in `cycle`, if there is room. */
static inline void pushing_offer(tensix_step *s, uint64_t cycle)
{
    const rv_push *push = rv_pusher_at(&s->pusher, 0);
    if (pushing_push(s, push->word, push->pc, cycle))
        rv_pusher_left(&s->pusher, cycle);
    else
        s->pusher.stuck = true;
}

static inline void pushing_note_next(tensix_step *s)
{
    const uint64_t next = rv_pusher_next(&s->pusher);
    s->t->push_turn = next + (next == NEVER); /* 0: none */
}

/* The core's turn in `cycle`.  False: it has something else to do in it, and is as the tile would find it. */
static inline bool pushing_turn(tensix_step *s, uint64_t cycle)
{
    rv_pusher *p = &s->pusher;
    if (rv_pusher_offers(p, cycle))
        pushing_offer(s, cycle);
    while (p->running && p->t == cycle) {
        uint32_t word;
        if (!rv_pusher_word(p, &word))
            return false;
        if (p->count == 0 && pushing_push(s, word, p->pc, cycle))
            rv_pusher_done(p, cycle);
        else if (rv_pusher_queues(p, word, cycle) && rv_pusher_offers(p, cycle))
            p->stuck = true; /* it was alone, and has been offered */
    }
    pushing_note_next(s);
    return true;
}

/* FIFO and queue are such that each pass lets the oldest of the queue in, a cycle later, and until then the core does no more than fill the
 * queue: the first of them is that of `pass`. */
static inline bool pushing_is_steady(const tensix_step *s, uint64_t pass)
{
    const rv_pusher *p = &s->pusher;
    const struct tensix_thread *t = s->t;
    bool wants = p->count != 0 && p->emit <= pass + 1;
    for (unsigned i = 1; i < p->count; i++)
        wants &= p->queue[(p->head + i) % COST_STORE_QUEUE].earliest <= pass + 1;
    return wants && t->in_flight == TENSIX_FIFO_ALMOST_FULL + 1 &&
           (p->stuck ? (t->waiting & TENSIX_WAITS_PUSH) != 0 : t->last_push < p->emit);
}

/* The same for all turns up to that of the last of `count` passes, each of which makes room, while the core is sure to push and nothing that
 * it pushes is swallowed. */
static inline void pushing_follow(tensix_step *s, const uint64_t at[], unsigned count)
{
    rv_pusher *p = &s->pusher;
    struct tensix_thread *t = s->t;
    for (unsigned i = 0; i < count; i++) {
        for (;;) {
            for (bool steady = pushing_is_steady(s, at[i]); steady && p->count != 0 && i + 1 < count; i++) {
                while (p->count < COST_STORE_QUEUE && p->t <= at[i]) {
                    uint32_t word = 0;
                    rv_pusher_word(p, &word);
                    *rv_pusher_at(p, p->count++) = (rv_push){p->t, p->t, word, p->pc};
                    rv_pusher_done(p, p->t);
                }
                t->in_flight--;
                t->waiting = 0;
                pushing_offer(s, at[i] + 1);
                p->t = max64(p->t, at[i] + 1);
            }
            const uint64_t turn = rv_pusher_next(p);
            if (turn > at[i])
                break;
            pushing_turn(s, turn);
        }
        t->in_flight--;
        if (t->waiting != 0 && t->in_flight <= TENSIX_FIFO_ALMOST_FULL) {
            t->waiting = 0;
            if (rv_pusher_offers(p, at[i] + 1))
                pushing_offer(s, at[i] + 1);
        }
    }
    s->cycle = at[count - 1];
    pushing_note_next(s);
}

/* Turns of cores in `cycle`.  False: the tile must give a core its turn, in this very cycle. */
static inline bool pushing_turns(tensix_tile *tile, struct tensix *tx, tensix_step steps[TENSIX_THREADS],
                                 uint64_t cycle, uint64_t until)
{
    bool goes_on = true;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tx->thread[i];
        if (t->push_turn == 0 || t->push_turn > cycle)
            continue;
        t->push_turn = 0;
        pushing_close(&steps[i]);
        steps[i].closed = false;
        const uint64_t most = max64(cycle, pushing_most(tile, tx, i, cycle, cycle, until));
        goes_on &= pushing_goes_on(tile, tx, i, tile->pusher_turn(tile->owner, i, cycle, most), cycle, until);
    }
    return goes_on;
}

#endif

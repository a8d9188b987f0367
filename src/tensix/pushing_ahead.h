/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of RISCV Ti within a run of the coprocessor (pushing.h), all at once.  A core that pushes notices nothing of its thread but room
 * in the FIFO, and the thread nothing of it while there is more in an expander.  So while a MOP plays what only the Vector Unit notices,
 * the core has its turns first, up to where it waits for room, and none of them ends a row.  Included by run.c alone. */
#ifndef KERR_TENSIX_PUSHING_AHEAD_H
#define KERR_TENSIX_PUSHING_AHEAD_H

#include "tensix/stream_playbacks.h"

/* A cycle before which nothing that the thread passes is noticed outside of the Vector Unit, and no push is through; 0: nobody knows. */
static inline uint64_t pushing_unnoticed(tensix_step *s, uint64_t cycle)
{
    const struct tensix_thread *t = s->t;
    const unsigned others = t->waiting & ~(unsigned)(TENSIX_WAITS_PUSH | TENSIX_WAITS_GATE);
    if ((t->gate_count | t->replay_count | t->auto_load | others | (s->tx->latched >> s->thread & 1)) != 0)
        return 0;
    const uint32_t word = t->mop_cfg[LOOP_OP];
    const unsigned count = plan_played_by(word), first = bits(word, 23, 14) % REPLAY_ENTRIES;
    const bool alternate = opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP && t->mop_cfg[LOOP_OP1] != word;
    const bool goes_on = t->mop.active && t->mop.template_1 && t->mop.step == STEP_LOOP &&
                         t->mop.position < t->mop.inner &&
                         (t->replay_left == 0 || (t->replay_mode == MODE_PLAY && t->spans.replay_word == word));
    const bool begins = !t->mop.active && t->replay_left == 0 && stream_begins_with_playbacks(t);
    if (count == 0 || alternate || !(goes_on || begins) || !play_is_plain(s, first, count))
        return 0;
    return cycle + (uint64_t)(stream_inner(t) - (goes_on ? t->mop.position : 0u) - 1) * count;
}

/* Turns of the core of a thread from `cycle` on, all that nobody notices before `until`.  False: the tile must give it its turn in
 * *stop, before which everything goes on as it does. */
static inline bool pushing_turns_of(tensix_step *s, uint64_t cycle, uint64_t until, uint64_t *stop)
{
    struct tensix *tx = s->tx;
    s->t->push_turn = 0;
    *stop = cycle;
    uint64_t next = tile_pusher_turn(s->tile, s->thread, cycle);
    if (next != 0 && next < until && !tensix_swallows(tx, s->thread)) {
        const uint64_t end = min64(until, pushing_unnoticed(s, cycle));
        while (next != 0 && next < end && !tensix_swallows_pushes(tx, s->thread)) {
            *stop = next;
            next = tile_pusher_turn(s->tile, s->thread, next);
        }
    }
    return pushing_goes_on(tx, s->thread, next);
}

/* Turns of cores in `cycle`, and later ones before `until`.  The cycle in which the tile must give a core its turn; NEVER: not yet. */
static inline uint64_t pushing_turns(struct tensix *tx, tensix_step steps[TENSIX_THREADS], uint64_t cycle,
                                     uint64_t until)
{
    uint64_t first = NEVER;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const uint64_t turn = tx->thread[i].push_turn;
        if (turn == 0 || turn > cycle)
            continue;
        uint64_t end = until, stop; /* while others have nothing to do */
        for (unsigned k = 0; k < TENSIX_THREADS; k++)
            end = k != i ? min64(end, tensix_when(tx->thread[k].due)) : end;
        if (!pushing_turns_of(&steps[i], cycle, end, &stop))
            first = min64(first, stop);
    }
    return first;
}

#endif

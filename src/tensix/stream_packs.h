/* SPDX-License-Identifier: Apache-2.0 */
/* Rows (stream.h): loops of a MOP that pack a tile each time, of which the packer takes many iterations at once.  Included by run.c
 * alone. */
#ifndef KERR_TENSIX_STREAM_PACKS_H
#define KERR_TENSIX_STREAM_PACKS_H

#include "tensix/kept.h"
#include "tensix/stream_stages.h"
#include "tensix/stream_units.h"

/* Iterations of an outer loop, from one word of it to the same word again. */
struct stream_iterations {
    const struct expansion_plan *plan; /* of one of them */
    unsigned times, part;              /* ... and so many words of one more */
    uint64_t begin;                    /* the cycle in which the first word passes */
    const uint16_t *at;
    unsigned cycles;         /* of one of them */
    uint64_t leaves, newest; /* r0 and newest of stream_leaves */
};

/* The cycle in which word `i` passes for the time-th time; those before the first word are of the time before. */
static inline uint64_t iterations_at(const struct stream_iterations *all, unsigned time, int i)
{
    const uint64_t begin = all->begin + (uint64_t)time * all->cycles;
    return i >= 0 ? begin + all->at[i] : begin - all->cycles + all->at[(int)all->plan->count + i];
}

/* When it leaves the replay expander, as stream_leaves has it: nothing but the gate keeps any but the first two waiting, since the first
 * one was there before it passed. */
static inline uint64_t iterations_leave(const struct stream_iterations *all, unsigned time, unsigned i)
{
    if (time != 0 || i >= 2)
        return iterations_at(all, time, (int)i - 2) + 1;
    return i == 0 ? all->leaves : max64(all->leaves + 1, all->newest);
}

/* As stream_follow_replays. */
static inline void iterations_follow_replays(struct tensix_thread *t, const struct stream_iterations *all)
{
    const struct expansion_plan *plan = all->plan;
    for (unsigned time = 0; time < all->times + (all->part != 0); time++)
        for (uint64_t left = plan->begins; left != 0; left &= left - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(left), played = plan_played_by(plan->replay[i]);
            if (time == all->times && i >= all->part)
                break;
            stream_follow_replay(t, plan->replay[i], iterations_leave(all, time, i), played, false);
            span_ends(t, t->spans.replay_word, t->spans.replay_begin, iterations_leave(all, time, i + played - 1) + 1);
        }
}

/* As stream_follow_expander: so many words of each iteration come out of the MOP expander, and of the part. */
static inline void iterations_follow_expander(struct tensix_thread *t, const struct stream_iterations *all,
                                              unsigned words, unsigned words_of_part)
{
    const unsigned count = all->times * words + words_of_part, at = t->taken_at;
    const unsigned known = count < REPLAY_FIFO_CAPACITY ? count : REPLAY_FIFO_CAPACITY;
    uint64_t m = t->mop_next + count - 1;
    for (unsigned i = 0; i < known; i++)
        m = max64(m, t->taken[(at + i) % REPLAY_FIFO_CAPACITY] + count - 1 - i);
    unsigned time = all->times, word = all->part;
    for (unsigned i = 1; i <= count && i <= REPLAY_FIFO_CAPACITY + 1; i++) { /* from the last one back */
        do {
            if (word == 0)
                time--, word = all->plan->count;
            word--;
        } while (all->plan->continues >> word & 1);
        const uint64_t left = iterations_leave(all, time, word) + 1;
        if (i <= REPLAY_FIFO_CAPACITY)
            t->taken[(at + count - i) % REPLAY_FIFO_CAPACITY] = left;
        else
            m = max64(m, left); /* the last one has its place */
    }
    t->mop_next = m + 1;
    t->taken_at = (uint8_t)((at + count) % REPLAY_FIFO_CAPACITY);
}

/* The stages before the gate, as stream_follow_mop. */
static inline void iterations_follow(struct tensix_thread *t, struct stream_iterations *all)
{
    const struct expansion_plan *plan = all->plan;
    const uint64_t oldest = t->passed[t->passed_at], newest = t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY];
    const uint64_t m0 = max64(t->mop_next, t->taken[t->taken_at]), part = (UINT64_C(1) << all->part) - 1;
    const unsigned count = all->times * plan->count + all->part;
    const unsigned last_time = all->times - (all->part == 0), last = (all->part != 0 ? all->part : plan->count) - 1;
    all->newest = newest;
    all->leaves = max64(max64(t->replay_next, oldest), m0 + COST_TENSIX_REPLAY_STAGE);
    iterations_follow_replays(t, all);
    iterations_follow_expander(t, all, plan->count - (unsigned)__builtin_popcountll(plan->continues),
                               all->part - (unsigned)__builtin_popcountll(plan->continues & part));
    t->replay_next = iterations_leave(all, last_time, last) + 1;
    t->mop.outer = (uint16_t)(t->mop.outer - all->times);
    if (all->part != 0)
        plan_follow(t, plan, all->part);
    t->mop.after = false;
    t->gate_next = iterations_at(all, last_time, (int)last) + 1;
    t->passed_at = (uint8_t)((t->passed_at + count) % GATE_FIFO_CAPACITY);
    t->passed[t->passed_at] = count >= 2 ? iterations_at(all, last_time, (int)last - 1) + 1 : newest;
    t->passed[(t->passed_at + 1u) % GATE_FIFO_CAPACITY] = t->gate_next;
}

/* Units and counts behind them. */
static inline void iterations_count(tensix_step *s, const struct stream_iterations *all,
                                    const struct pack_loop_plan *plan)
{
    struct tensix *tx = s->tx;
    struct tensix_thread *t = s->t;
    const unsigned words = all->times != 0 ? all->plan->count : all->part;
    for (unsigned i = 0; i < words; i++) {
        const struct tensix_dispatch *d = &tensix_dispatch[all->plan->word[i] >> 24];
        const unsigned times = all->times + (i < all->part);
        const uint64_t at = all->begin + (uint64_t)(times - 1) * all->cycles + plan->at[i];
        const unsigned latency = d->op == TENSIX_PACR ? plan->issues[i] + COST_PACK_PIPELINE : d->latency;
        if (d->unit != UNIT_MISC)
            tx->unit_free[d->unit] = max64(tx->unit_free[d->unit], at + plan->issues[i]);
        t->busy_until[d->unit] = max64(t->busy_until[d->unit], at + latency);
        tx->issued[s->thread][d->unit] += times;
        tx->ran[d->op] += times;
        if (d->port != PORT_NONE)
            served(tx, d->port, s->thread);
    }
    const unsigned tiles = all->times + (all->part != 0);
    if (plan->waits != 0)
        stream_waited(s, UNIT_PACK, (uint64_t)tiles * plan->waits,
                      all->begin + (uint64_t)(tiles - 1) * all->cycles + plan->waited);
}

/* How many more iterations are the same: the last one of a loop has a last word of its own. */
static inline unsigned stream_same_iterations(const struct tensix_thread *t)
{
    const bool behind = t->mop.step > STEP_LOOP && t->mop_cfg[LOOP0_LAST] != t->mop_cfg[LOOP1_LAST];
    return t->mop.outer - 1u - behind;
}

/* If a MOP packs a tile in each iteration of its outer loop: how one of these goes on from here.  Otherwise NULL. */
static inline const struct expansion_plan *stream_packs_tiles(const tensix_step *s, unsigned most)
{
    enum { PACR_LAST = 0x41 << 24 | 1 };
    const struct tensix_thread *t = s->t;
    struct tensix_kept *kept = s->tile->kept;
    if (!t->mop.template_1 || (t->mop_cfg[LOOP1_LAST] & (0xFFu << 24 | 1)) != PACR_LAST || t->mop.outer <= 1 ||
        stream_same_iterations(t) == 0 || t->after_hold || kept == NULL || !pack_may_loop(&s->tx->packer))
        return NULL;
    const struct expansion_plan *plan = plan_kept_iteration(t, &kept->iterations);
    return plan != NULL && plan->count <= most ? plan : NULL;
}

/* Passes whole iterations.  False: there was nothing for it. */
static inline bool stream_pack_tiles(tensix_step *s, unsigned most, uint64_t until, const struct expansion_plan *plan)
{
    struct tensix_thread *t = s->t;
    const unsigned same = stream_same_iterations(t);
    struct pack_loop loop = {.words = plan->word,
                             .count = plan->count,
                             .times = (unsigned)min64(same, most / plan->count),
                             .latency = tensix_dispatch[OPCODE_CFGSHIFTMASK].latency};
    s->cycle = max64(stream_arrival(t, STREAM_MOP), t->gate_next);
    if (loop.times == same && t->mop_cfg[LOOP0_LAST] == t->mop_cfg[LOOP1_LAST])
        loop.rest = (unsigned)min64(plan->last, most - same * plan->count);
    if (s->tx->packer.data.open || s->cycle >= until || plan->count < 2)
        return false;
    if (s->tx->later_count != 0 && s->tx->later[0].cycle <= s->cycle)
        tensix_settle(s->tile, s->tx, s->cycle);
    loop.until = stream_undisturbed(s->tx, until);
    if (!pack_run_loop(s, &loop))
        return false;
    struct stream_iterations all = {.plan = plan,
                                    .times = loop.times,
                                    .part = loop.part,
                                    .begin = s->cycle,
                                    .at = loop.plan->at,
                                    .cycles = loop.plan->cycles};
    iterations_count(s, &all, loop.plan);
    iterations_follow(t, &all);
    t->told = 0;
    s->op = TENSIX_PACR;
    s->cycle = t->gate_next - 1;
    t->due = tensix_due_at(t->gate_next);
    return true;
}

/* A row of an iteration, up to the end of a tile: behind it iterations are whole.  How many words. */
static inline unsigned stream_up_to_tile(const struct tensix_thread *t, const struct expansion_plan *iteration,
                                         struct expansion_plan *plan)
{
    const uint32_t last = t->mop_cfg[LOOP1_LAST];
    unsigned count = 0;
    *plan = *iteration;
    plan->mop = t->mop;
    plan->mop.outer--;
    while (count < plan->count && plan->word[count] != last)
        count++;
    return count < plan->count ? count + 1 : count;
}

#endif

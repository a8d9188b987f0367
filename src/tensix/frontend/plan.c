/* SPDX-License-Identifier: Apache-2.0 */
/* MOPs ahead of time (plan.h). */
#include "tensix/frontend/plan.h"

#include "tensix/frontend/expand.h"

#include <stddef.h>
#include <string.h>

_Static_assert(offsetof(struct tensix_thread, replay) ==
                   offsetof(struct tensix_thread, mop_cfg) + 4 * (size_t)MOP_CFG_WORDS,
               "what is expanded in a row");

/* How many follow in the inner loop before its last one. */
static unsigned in_loop(const struct tensix_mop *mop)
{
    return mop->template_1 && mop->step == STEP_LOOP && mop->position + 1u < mop->inner
               ? mop->inner - mop->position - 1u
               : 0;
}

static unsigned plan_loop(const struct tensix_thread *t, unsigned most, struct expansion_plan *plan)
{
    const uint32_t even = t->mop_cfg[LOOP_OP];
    const uint32_t odd = opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP ? t->mop_cfg[LOOP_OP1] : even;
    const unsigned count = (unsigned)min64(in_loop(&plan->mop), most), first = plan->mop.position;
    uint32_t *word = plan->word + plan->count;
    for (unsigned i = 0; i < count; i++)
        word[i] = (first + i) & 1 ? odd : even;
    plan->mop.position = (uint16_t)(first + count);
    return count;
}

/* A REPLAY comes out of the MOP expander next.  How many of what it plays; last: but for one; 0: not for a plan. */
static unsigned plan_replay(const struct tensix_thread *t, uint32_t word, unsigned most, bool last,
                            struct expansion_plan *plan)
{
    const unsigned all = plan_played_by(word), played = all != 0 && last ? all - 1 : all, at = plan->count;
    const unsigned first = bits(word, 23, 14);
    if (played == 0 || played > most)
        return 0;
    for (unsigned i = 0; i < played; i++)
        plan->word[at + i] = t->replay[(first + i) % REPLAY_ENTRIES];
    plan->replay[at] = word;
    plan->begins |= UINT64_C(1) << at;
    plan->continues |= ((UINT64_C(1) << (played - 1)) - 1) << 1 << at;
    return played;
}

static bool loop_replays(const struct tensix_thread *t)
{
    return opcode_of(t->mop_cfg[LOOP_OP]) == OPCODE_REPLAY || opcode_of(t->mop_cfg[LOOP_OP1]) == OPCODE_REPLAY;
}

/* What is not in the middle of a loop.  0: the plan ends here. */
static unsigned plan_one(const struct tensix_thread *t, unsigned most, enum plan_how how, struct expansion_plan *plan)
{
    struct tensix_mop next = plan->mop;
    const uint32_t word = mop_emit(&next, t->mop_cfg);
    const bool plays = opcode_of(word) == OPCODE_REPLAY;
    unsigned count = 1;
    if (plays ? how == PLAN_USUAL && (!next.active || in_loop(&plan->mop) != 0) /* loops of those: stream_replay */
              : how != PLAN_ALL && !next.active)
        return 0;
    if (plays)
        count = plan_replay(t, word, most, how != PLAN_ALL && !next.active, plan);
    else
        plan->word[plan->count] = word;
    if (count != 0)
        plan->mop = next;
    return count;
}

/* The iteration of the outer loop that begins at word `from` is followed by others, which give the same until the last one. */
static void plan_again(unsigned from, unsigned most, struct expansion_plan *plan)
{
    const unsigned count = plan->count - from;
    const uint64_t bits = (UINT64_C(1) << count) - 1;
    const uint64_t begins = plan->begins >> from & bits, continues = plan->continues >> from & bits;
    while (plan->mop.outer > 1 && plan->count + count <= most) {
        uint32_t *word = plan->word + plan->count;
        for (unsigned i = 0; i < count; i++)
            word[i] = plan->word[from + i];
        for (uint64_t left = begins; left != 0; left &= left - 1)
            plan->replay[plan->count + (unsigned)__builtin_ctzll(left)] =
                plan->replay[from + (unsigned)__builtin_ctzll(left)];
        plan->begins |= begins << plan->count;
        plan->continues |= continues << plan->count;
        plan->mop.outer--;
        plan->count += count;
    }
}

void plan_make(const struct tensix_thread *t, unsigned most, enum plan_how how, struct expansion_plan *plan)
{
    enum { NOWHERE = PLAN_MOST };
    const bool loops = !loop_replays(t);
    unsigned from = NOWHERE; /* where the present iteration of the outer loop begins, if it is known */
    most = most < PLAN_MOST ? most : PLAN_MOST;
    plan->begins = plan->continues = 0;
    plan->count = 0;
    plan->mop = t->mop;
    while (plan->count < most && plan->mop.active) {
        const unsigned left = most - plan->count, outer = plan->mop.outer;
        const unsigned more =
            loops && in_loop(&plan->mop) != 0 ? plan_loop(t, left, plan) : plan_one(t, left, how, plan);
        if (more == 0)
            break;
        plan->count += more;
        if (plan->mop.outer != outer && plan->mop.template_1) {
            if (from != NOWHERE)
                plan_again(from, most, plan);
            from = plan->count;
        }
    }
}

bool plan_first(const struct tensix_thread *t, const struct tensix_mop *mop, uint32_t *word)
{
    struct tensix_mop next = *mop;
    *word = mop_emit(&next, t->mop_cfg);
    if (opcode_of(*word) == OPCODE_REPLAY) {
        if (plan_played_by(*word) == 0)
            return false;
        *word = t->replay[bits(*word, 23, 14) % REPLAY_ENTRIES];
    }
    return next.active;
}

void plan_follow(struct tensix_thread *t, const struct expansion_plan *plan, unsigned count)
{
    if (count == plan->count) {
        t->mop = plan->mop;
        return;
    }
    unsigned left = count - (unsigned)__builtin_popcountll(plan->continues & ((UINT64_C(1) << count) - 1));
    while (left != 0) {
        const unsigned loop = (unsigned)min64(in_loop(&t->mop), left);
        if (loop != 0)
            t->mop.position = (uint16_t)(t->mop.position + loop);
        else
            mop_emit(&t->mop, t->mop_cfg);
        left -= loop != 0 ? loop : 1;
    }
}

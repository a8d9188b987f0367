/* SPDX-License-Identifier: Apache-2.0 */
/* The next instruction of a thread, taken from its expanders without a stop in the FIFOs between them: the fast path beside
 * replay_emit, for a gate FIFO that is empty.  What comes out, in which cycle, and the state behind it are those of the plain
 * path, which also does what is rare.  Also here: what the files of the front end know of each other's states. */
#ifndef KERR_TENSIX_EXPAND_H
#define KERR_TENSIX_EXPAND_H

#include "tensix/frontend/frontend.h"

#include "base/bits.h"

/* replay_mode */
enum { MODE_PASS = 0, MODE_LOAD, MODE_LOAD_EXEC, MODE_PLAY };
/* MopCfg of template 1, and the steps of one of its iterations. */
enum {
    OUTER_COUNT = 0,
    INNER_COUNT = 1,
    START_OP = 2,
    END_OP0 = 3,
    END_OP1 = 4,
    LOOP_OP = 5,
    LOOP_OP1 = 6,
    LOOP0_LAST = 7,
    LOOP1_LAST = 8
};
enum { STEP_START = 0, STEP_LOOP, STEP_END0, STEP_END1, STEP_NEXT };

typedef enum expand_result {
    EXPAND_DONE,  /* it is in *e, with the cycle in which it is at the gate */
    EXPAND_LATER, /* *when, as replay_emit has it */
    EXPAND_PLAIN, /* replay_emit must do it, or has put it into the gate FIFO */
} expand_result;

/* The replay expander gives out its next one in cycle r. */
static inline void expand_play(struct tensix_thread *t, uint64_t r, struct tensix_entry *e)
{
    e->word = t->replay[t->replay_index++ % REPLAY_ENTRIES];
    e->pc = t->replay_pc & ~(uint32_t)TENSIX_ENTRY_LAST;
    e->cycle = r + COST_TENSIX_GATE_STAGE;
    t->replay_next = r + 1;
    if (--t->replay_left == 0) {
        e->pc = t->replay_pc;
        t->replay_mode = MODE_PASS;
        span_ends(t, t->spans.replay_word, t->spans.replay_begin, r + 1);
    }
}

/* What leaves the MOP expander in cycle m, if that is a word of a loop or one that is no business of the expander. */
static inline void expand_mop(struct tensix_thread *t, uint64_t m, struct tensix_entry *e)
{
    if (!t->mop.active) {
        const struct tensix_entry *head = &t->fifo[t->fifo_head];
        e->word = head->word;
        e->pc = head->pc;
        t->fifo_head = (uint8_t)((t->fifo_head + 1u) % TENSIX_FIFO_CAPACITY);
        t->fifo_count--;
        t->mop.after = false;
    } else if (t->mop.template_1 && t->mop.step == STEP_LOOP && t->mop.position + 1u < t->mop.inner) {
        const bool second = (t->mop.position & 1) && opcode_of(t->mop_cfg[LOOP_OP1]) != OPCODE_NOP;
        e->word = t->mop_cfg[second ? LOOP_OP1 : LOOP_OP];
        e->pc = t->mop.pc & ~(uint32_t)TENSIX_ENTRY_LAST;
        t->mop.position++;
        t->mop.after = false;
    } else {
        mop_take(t, m, e); /* of an expansion that goes on: something comes out */
    }
    t->mop_next = m + 1;
}

static inline expand_result expand_next(struct tensix_thread *t, uint64_t by, struct tensix_entry *e, uint64_t *when)
{
    uint64_t r = max64(t->replay_next, t->passed[t->passed_at]);
    if (t->replay_mode == MODE_PLAY) {
        *when = r + COST_TENSIX_GATE_STAGE;
        if (*when > by)
            return EXPAND_LATER;
        expand_play(t, r, e);
        return EXPAND_DONE;
    }
    if (t->replay_mode != MODE_PASS || t->replay_count != 0)
        return EXPAND_PLAIN;
    uint64_t m = t->mop_next;
    if (!t->mop.active) {
        *when = NEVER;
        if (t->fifo_count == 0)
            return EXPAND_LATER;
        const struct tensix_entry *head = &t->fifo[t->fifo_head];
        if (opcode_of(head->word) == OPCODE_MOP || opcode_of(head->word) == OPCODE_MOP_CFG)
            return EXPAND_PLAIN;
        m = max64(m + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0), head->cycle + COST_TENSIX_MOP_STAGE);
    }
    m = max64(m, t->taken[t->taken_at]);
    r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
    *when = r + COST_TENSIX_GATE_STAGE;
    if (*when > by)
        return EXPAND_LATER;
    expand_mop(t, m, e);
    t->taken[t->taken_at] = r + 1;
    t->taken_at = (uint8_t)((t->taken_at + 1u) % REPLAY_FIFO_CAPACITY);
    if (opcode_of(e->word) == OPCODE_REPLAY) {
        replay_take(t, r, e);
        return EXPAND_PLAIN;
    }
    t->replay_next = r + 1;
    e->cycle = r + COST_TENSIX_GATE_STAGE;
    return EXPAND_DONE;
}

#endif

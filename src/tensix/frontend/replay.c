/* SPDX-License-Identifier: Apache-2.0 */
/* The replay expander of a thread: manual WormholeB0 TensixCoprocessor/REPLAY (commit 065d59fb: Count 0 is 32). */
#include "tensix/frontend/expand.h"

/* When the gate FIFO has room for one more. */
static uint64_t room(const struct tensix_thread *t)
{
    return t->gate_count == GATE_FIFO_CAPACITY ? NEVER : t->passed[(t->passed_at + t->gate_count) % GATE_FIFO_CAPACITY];
}

static void to_gate(struct tensix_thread *t, uint64_t cycle, uint32_t word, uint32_t pc)
{
    t->replay_next = cycle + 1;
    t->gate_fifo[(t->gate_head + t->gate_count++) % GATE_FIFO_CAPACITY] =
        (struct tensix_entry){cycle + COST_TENSIX_GATE_STAGE, word, pc};
}

static void play(struct tensix_thread *t, uint64_t cycle)
{
    const uint32_t word = t->replay[t->replay_index % REPLAY_ENTRIES];
    t->replay_index++;
    const bool last = --t->replay_left == 0;
    if (last) {
        t->replay_mode = MODE_PASS;
        span_ends(t, t->spans.replay_word, t->spans.replay_begin, cycle + 1);
    }
    to_gate(t, cycle, word, last ? t->replay_pc : t->replay_pc & ~(uint32_t)TENSIX_ENTRY_LAST);
}

bool replay_records(const struct tensix_thread *t)
{
    return t->replay_mode == MODE_LOAD;
}

bool replay_plays(const struct tensix_thread *t)
{
    return t->replay_mode == MODE_PLAY;
}

/* It has come into the expander and goes no further: older are only those at the gate. */
static void swallow(struct tensix_thread *t, uint32_t pc)
{
    if (!(pc & TENSIX_ENTRY_LAST))
        return;
    unsigned older = 0;
    for (unsigned i = 0; i < t->gate_count; i++)
        older += t->gate_fifo[(t->gate_head + i) % GATE_FIFO_CAPACITY].pc & TENSIX_ENTRY_LAST;
    auto_forget(t, older);
    entry_done(t, pc);
}

void replay_take(struct tensix_thread *t, uint64_t cycle, const struct tensix_entry *e)
{
    if (t->replay_mode != MODE_PASS) {
        const bool executes = t->replay_mode == MODE_LOAD_EXEC;
        t->replay[t->replay_index++ % REPLAY_ENTRIES] = e->word;
        if (--t->replay_left == 0) {
            t->replay_mode = MODE_PASS;
            span_ends(t, t->spans.replay_word, t->spans.replay_begin, cycle + 1);
        }
        t->replay_next = cycle + 1;
        if (executes)
            to_gate(t, cycle, e->word, e->pc);
        else
            swallow(t, e->pc);
        return;
    }
    if (opcode_of(e->word) != OPCODE_REPLAY) {
        to_gate(t, cycle, e->word, e->pc);
        return;
    }
    const uint32_t count = bits(e->word, 9, 4);
    const bool executes = bits(e->word, 1, 1), loads = bits(e->word, 0, 0);
    if (count > REPLAY_ENTRIES) {
        t->bad = TENSIX_BAD_REPLAY;
        t->bad_word = e->word;
        t->bad_pc = e->pc;
    }
    t->spans.replay_begin = cycle;
    t->spans.replay_word = e->word;
    t->replay_index = (uint8_t)(bits(e->word, 23, 14) % REPLAY_ENTRIES);
    t->replay_left = (uint8_t)(count % REPLAY_ENTRIES ? count % REPLAY_ENTRIES : REPLAY_ENTRIES);
    if (loads) {
        t->replay_mode = executes ? MODE_LOAD_EXEC : MODE_LOAD;
        t->replay_next = cycle + 1;
        swallow(t, e->pc);
    } else {
        t->replay_mode = MODE_PLAY;
        t->replay_pc = e->pc;
        play(t, cycle); /* takes the REPLAY in and gives out the first */
    }
}

bool replay_emit(struct tensix_thread *t, uint64_t by, uint64_t *when)
{
    for (;;) {
        /* What is only recorded needs no room. */
        uint64_t cycle = t->replay_mode == MODE_LOAD ? t->replay_next : max64(t->replay_next, room(t));
        if (t->replay_mode == MODE_PLAY) {
            *when = cycle == NEVER ? NEVER : cycle + COST_TENSIX_GATE_STAGE;
            if (*when > by)
                return false;
            play(t, cycle);
            return true;
        }
        const bool queued = t->replay_count != 0;
        const uint64_t came = queued ? t->replay_fifo[t->replay_head].cycle : mop_next_cycle(t);
        if (came == NEVER || cycle == NEVER) {
            *when = NEVER;
            return false;
        }
        cycle = max64(cycle, came + COST_TENSIX_REPLAY_STAGE);
        *when = cycle + COST_TENSIX_GATE_STAGE;
        if (*when > by)
            return false;
        struct tensix_entry e;
        if (queued) {
            e = t->replay_fifo[t->replay_head];
            t->replay_head = (uint8_t)((t->replay_head + 1) % REPLAY_FIFO_CAPACITY);
            t->replay_count--;
        } else if (!mop_take(t, came, &e)) {
            continue;
        }
        t->taken[t->taken_at] = cycle + 1;
        t->taken_at = (uint8_t)((t->taken_at + 1) % REPLAY_FIFO_CAPACITY);
        const unsigned before = t->gate_count;
        replay_take(t, cycle, &e);
        if (t->gate_count != before)
            return true;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of NOPs, the fast path beside replay_emit and run.c: a NOP goes through the front end and the Miscellaneous Unit, which
 * takes one from each thread in every cycle, and nobody else can tell but by the time it takes.  So a thread may pass as many
 * as are known in one go, while no other thread does anything else.  Cycles are those of the plain path. */
#include "tensix/frontend/expand.h"

#include "tensix_isa.h"

enum { PLAIN_NOP = OPCODE_NOP << 24 };

unsigned nops_ahead(const struct tensix_thread *t)
{
    if (t->gate_count != 0 || t->replay_count != 0 || t->bad != 0 || t->after_hold || t->auto_load)
        return 0;
    const unsigned most = t->waiting != 0 ? mop_unannounced(t) : UINT32_MAX;
    unsigned n = 0;
    /* Of what a push expands to, the last one is left to the plain path: with it the push is done. */
    if (t->replay_mode == MODE_PLAY) {
        while (n + 1 < t->replay_left && t->replay[(t->replay_index + n) % REPLAY_ENTRIES] == PLAIN_NOP)
            n++;
        return most != 0 ? n : 0;
    }
    if (t->replay_mode != MODE_PASS)
        return 0;
    if (t->mop.active) {
        const bool loops = t->mop.template_1 && t->mop.step == STEP_LOOP && t->mop_cfg[LOOP_OP] == PLAIN_NOP &&
                           t->mop_cfg[LOOP_OP1] >> 24 == OPCODE_NOP;
        return loops ? (unsigned)min64(t->mop.inner - t->mop.position - 1u, most) : 0;
    }
    if (t->waiting != 0)
        return 0; /* each of them may be what somebody waits for */
    while (n < t->fifo_count && t->fifo[(t->fifo_head + n) % TENSIX_FIFO_CAPACITY].word == PLAIN_NOP)
        n++;
    return n;
}

/* `n` more behind one that each stage took right behind its last: one a cycle in every stage, and nothing is full, since
 * what is in the rings came one a cycle at most. */
static void move_on(struct tensix_thread *t, unsigned n, bool plays)
{
    for (unsigned k = n > REPLAY_FIFO_CAPACITY ? n - REPLAY_FIFO_CAPACITY : 0; k < n && !plays; k++)
        t->taken[(t->taken_at + k) % REPLAY_FIFO_CAPACITY] = t->replay_next + k + 1;
    for (unsigned k = n > GATE_FIFO_CAPACITY ? n - GATE_FIFO_CAPACITY : 0; k < n; k++)
        t->passed[(t->passed_at + k) % GATE_FIFO_CAPACITY] = t->gate_next + k + 1;
    t->passed_at = (uint8_t)((t->passed_at + n) % GATE_FIFO_CAPACITY);
    if (!plays) {
        t->taken_at = (uint8_t)((t->taken_at + n) % REPLAY_FIFO_CAPACITY);
        t->mop_next += n;
    }
    t->replay_next += n;
    t->gate_next += n;
}

/* Pushed ones that come no faster than they go: each is in a stage of its own, nothing is full, and all cycles follow from
 * that of the push.  Returns how many. */
static unsigned flow(struct tensix_thread *t, unsigned known, uint64_t stop)
{
    enum { TO_REPLAY = COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE, TO_GATE = TO_REPLAY + COST_TENSIX_GATE_STAGE };
    const uint64_t first = t->fifo[t->fifo_head].cycle;
    const uint64_t mop_next = t->mop_next + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0);
    if (mop_next > first + COST_TENSIX_MOP_STAGE || t->replay_next > first + TO_REPLAY ||
        t->gate_next > first + TO_GATE)
        return 0;
    unsigned n = 0;
    uint64_t cycle = first, last = first;
    while (n < known && cycle + TO_GATE < stop) {
        /* The slots that the first ones come into may be taken still; those behind them come into theirs. */
        if (n < REPLAY_FIFO_CAPACITY &&
            (t->taken[(t->taken_at + n) % REPLAY_FIFO_CAPACITY] > cycle + COST_TENSIX_MOP_STAGE ||
             (n < GATE_FIFO_CAPACITY && t->passed[(t->passed_at + n) % GATE_FIFO_CAPACITY] > cycle + TO_REPLAY)))
            break;
        last = cycle;
        n++;
        cycle = t->fifo[(t->fifo_head + n) % TENSIX_FIFO_CAPACITY].cycle;
        if (cycle <= last)
            break; /* two in one cycle */
    }
    if (n == 0)
        return 0;
    for (unsigned k = n > REPLAY_FIFO_CAPACITY ? n - REPLAY_FIFO_CAPACITY : 0; k < n; k++)
        t->taken[(t->taken_at + k) % REPLAY_FIFO_CAPACITY] =
            t->fifo[(t->fifo_head + k) % TENSIX_FIFO_CAPACITY].cycle + TO_REPLAY + 1;
    for (unsigned k = n > GATE_FIFO_CAPACITY ? n - GATE_FIFO_CAPACITY : 0; k < n; k++)
        t->passed[(t->passed_at + k) % GATE_FIFO_CAPACITY] =
            t->fifo[(t->fifo_head + k) % TENSIX_FIFO_CAPACITY].cycle + TO_GATE + 1;
    t->taken_at = (uint8_t)((t->taken_at + n) % REPLAY_FIFO_CAPACITY);
    t->passed_at = (uint8_t)((t->passed_at + n) % GATE_FIFO_CAPACITY);
    t->fifo_head = (uint8_t)((t->fifo_head + n) % TENSIX_FIFO_CAPACITY);
    t->fifo_count = (uint8_t)(t->fifo_count - n);
    t->in_flight = (uint8_t)(t->in_flight - n);
    t->mop.after = false;
    t->mop_next = last + COST_TENSIX_MOP_STAGE + 1;
    t->replay_next = last + TO_REPLAY + 1;
    t->gate_next = last + TO_GATE + 1;
    return n;
}

unsigned nops_pass(struct tensix_thread *t, unsigned known, uint64_t stop)
{
    const bool plays = t->replay_mode == MODE_PLAY, expands = !plays && t->mop.active;
    unsigned done = plays || expands ? 0 : flow(t, known, stop);
    uint64_t later = 0; /* when the next one comes, if it is too late for this time */
    while (done < known) {
        uint64_t m = 0, r = t->replay_next;
        if (!plays) {
            m = t->mop_next;
            if (!expands) {
                m = max64(m + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0),
                          t->fifo[t->fifo_head].cycle + COST_TENSIX_MOP_STAGE);
            }
            m = max64(m, t->taken[t->taken_at]);
            r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
        }
        r = max64(r, t->passed[t->passed_at]);
        const uint64_t g = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
        if (g >= stop) {
            later = g;
            break;
        }
        /* Each stage takes it right behind its last, and is so close behind the one before that what follows finds room. */
        const bool back_to_back = g == t->gate_next && r == t->replay_next && g - r < GATE_FIFO_CAPACITY &&
                                  (plays || (m == t->mop_next && r - m < REPLAY_FIFO_CAPACITY));
        if (!plays) {
            t->mop_next = m + 1;
            t->taken[t->taken_at] = r + 1;
            t->taken_at = (uint8_t)((t->taken_at + 1) % REPLAY_FIFO_CAPACITY);
        }
        t->replay_next = r + 1;
        t->passed[t->passed_at] = g + 1;
        t->passed_at = (uint8_t)((t->passed_at + 1) % GATE_FIFO_CAPACITY);
        t->gate_next = g + 1;
        done++;
        if (!expands && !plays) {
            t->mop.after = false;
            t->fifo_head = (uint8_t)((t->fifo_head + 1) % TENSIX_FIFO_CAPACITY);
            t->fifo_count--;
            t->in_flight--;
            continue;
        }
        if (back_to_back && done < known) {
            const unsigned more = (unsigned)min64(known - done, stop - 1 - g);
            move_on(t, more, plays);
            done += more;
            if (done < known)
                later = t->gate_next;
            break;
        }
    }
    if (plays) {
        t->replay_index = (uint8_t)(t->replay_index + done);
        t->replay_left = (uint8_t)(t->replay_left - done);
    } else if (expands) {
        t->mop.position = (uint16_t)(t->mop.position + done);
    }
    if (done != 0) {
        t->busy_until[UNIT_MISC] = t->gate_next;
        t->stall = 0;
    }
    t->due = tensix_due_at(max64(t->gate_next, later));
    return done;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of NOPs, the fast path beside replay_emit and run.c: a NOP goes through the front end and the Miscellaneous Unit, which
 * takes one from each thread in every cycle, and nobody else can tell but by the time it takes.  So a thread may pass as many
 * as are known in one go, through loops and playbacks, while no other thread does anything else.  Cycles are those of the plain
 * path. */
#include "tensix/frontend/expand.h"

#include "tensix_isa.h"

enum { PLAIN_NOP = OPCODE_NOP << 24 };

/* How many NOPs a word becomes that comes out of the MOP expander; 0: something else. */
static unsigned nops_of(const struct tensix_thread *t, uint32_t word)
{
    if (word == PLAIN_NOP)
        return 1;
    const unsigned first = bits(word, 23, 14), count = bits(word, 9, 4);
    if (opcode_of(word) != OPCODE_REPLAY || (word & 1) || count > REPLAY_ENTRIES)
        return 0;
    for (unsigned i = 0; i < count; i++)
        if (t->replay[(first + i) % REPLAY_ENTRIES] != PLAIN_NOP)
            return 0;
    return count;
}

/* How many NOPs at least come out of a MOP before anything else, with which the push is not done: of template 1, with a loop
 * of one NOP and a NOP or a playback of NOPs behind it. */
static unsigned nops_of_mop(const struct tensix_thread *t)
{
    const struct tensix_mop *mop = &t->mop;
    const uint32_t *cfg = t->mop_cfg;
    if (!mop->active || !mop->template_1 || mop->step > STEP_END0 || cfg[LOOP_OP] != PLAIN_NOP ||
        opcode_of(cfg[LOOP_OP1]) != OPCODE_NOP || opcode_of(cfg[START_OP]) != OPCODE_NOP)
        return 0;
    const unsigned here = mop->step == STEP_LOOP ? (unsigned)mop->inner - mop->position : 0;
    /* START_OP and END_OP that are NOPs do not come out at all. */
    const bool ends = opcode_of(cfg[END_OP0]) != OPCODE_NOP;
    const unsigned end = ends ? nops_of(t, cfg[END_OP0]) : 0;
    if (cfg[LOOP0_LAST] != PLAIN_NOP || cfg[LOOP1_LAST] != PLAIN_NOP || (ends && end == 0) ||
        (ends && opcode_of(cfg[END_OP1]) != OPCODE_NOP))
        return here != 0 ? here - 1 : 0;
    return here + end + (mop->outer - 1u) * (mop->inner + end) - 1;
}

unsigned nops_ahead(const struct tensix_thread *t)
{
    if (t->gate_count != 0 || t->replay_count != 0 || t->bad != 0 || t->after_hold || t->auto_load)
        return 0;
    const unsigned most = t->waiting != 0 ? mop_unannounced(t) : UINT32_MAX;
    unsigned n = 0;
    if (t->replay_mode == MODE_PLAY) {
        while (n < t->replay_left && t->replay[(t->replay_index + n) % REPLAY_ENTRIES] == PLAIN_NOP)
            n++;
        if (n == t->replay_left)
            n = t->replay_pc & TENSIX_ENTRY_LAST ? n - 1 : n + nops_of_mop(t);
        return (unsigned)min64(n, most);
    }
    if (t->replay_mode != MODE_PASS)
        return 0;
    if (t->mop.active)
        return (unsigned)min64(nops_of_mop(t), most);
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

static inline void passes(struct tensix_thread *t, uint64_t cycle)
{
    t->passed[t->passed_at] = cycle + 1;
    t->passed_at = (uint8_t)((t->passed_at + 1u) % GATE_FIFO_CAPACITY);
    t->gate_next = cycle + 1;
}

/* Those that were pushed as they are.  *later: when the next one comes, if it is too late for this time. */
static unsigned pushed(struct tensix_thread *t, unsigned known, uint64_t stop, uint64_t *later)
{
    unsigned done = flow(t, known, stop);
    for (; done < known; done++) {
        uint64_t m = max64(t->mop_next + (t->mop.after ? COST_TENSIX_MOP_TRANSITION : 0),
                           t->fifo[t->fifo_head].cycle + COST_TENSIX_MOP_STAGE);
        m = max64(m, t->taken[t->taken_at]);
        const uint64_t r = max64(max64(t->replay_next, m + COST_TENSIX_REPLAY_STAGE), t->passed[t->passed_at]);
        const uint64_t g = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
        if (g >= stop) {
            *later = g;
            break;
        }
        t->mop_next = m + 1;
        t->taken[t->taken_at] = r + 1;
        t->taken_at = (uint8_t)((t->taken_at + 1u) % REPLAY_FIFO_CAPACITY);
        t->replay_next = r + 1;
        passes(t, g);
        t->mop.after = false;
        t->fifo_head = (uint8_t)((t->fifo_head + 1u) % TENSIX_FIFO_CAPACITY);
        t->fifo_count--;
        t->in_flight--;
    }
    return done;
}

/* Up to `count` of a playback or an inner loop, neither of which ends with them. */
static unsigned row(struct tensix_thread *t, unsigned count, bool plays, uint64_t stop, uint64_t *later)
{
    unsigned done = 0;
    while (done < count) {
        uint64_t m = 0, r = max64(t->replay_next, t->passed[t->passed_at]);
        if (!plays) {
            m = max64(t->mop_next, t->taken[t->taken_at]);
            r = max64(r, m + COST_TENSIX_REPLAY_STAGE);
        }
        const uint64_t g = max64(r + COST_TENSIX_GATE_STAGE, t->gate_next);
        if (g >= stop) {
            *later = g;
            break;
        }
        /* Each stage takes it right behind its last, and is so close behind the one before that what follows finds room. */
        const bool back_to_back = g == t->gate_next && r == t->replay_next && g - r < GATE_FIFO_CAPACITY &&
                                  (plays || (m == t->mop_next && r - m < REPLAY_FIFO_CAPACITY));
        if (!plays) {
            t->mop_next = m + 1;
            t->taken[t->taken_at] = r + 1;
            t->taken_at = (uint8_t)((t->taken_at + 1u) % REPLAY_FIFO_CAPACITY);
        }
        t->replay_next = r + 1;
        passes(t, g);
        done++;
        if (back_to_back && done < count) {
            const unsigned more = (unsigned)min64(count - done, stop - 1 - g);
            move_on(t, more, plays);
            done += more;
            break;
        }
    }
    if (plays) {
        t->replay_index = (uint8_t)(t->replay_index + done);
        t->replay_left = (uint8_t)(t->replay_left - done);
    } else {
        t->mop.position = (uint16_t)(t->mop.position + done);
        t->mop.after = t->mop.after && done == 0;
    }
    return done;
}

/* One that is the last of a playback or loop, or the first behind it. */
static bool one(struct tensix_thread *t, uint64_t stop, uint64_t *later)
{
    struct tensix_entry e;
    if (t->gate_next >= stop)
        return false;
    switch (expand_next(t, stop - 1, &e, later)) {
    case EXPAND_DONE: break;
    case EXPAND_LATER: return false;
    case EXPAND_PLAIN:
        if (t->gate_count == 0 && !replay_emit(t, stop - 1, later))
            return false;
        e = t->gate_fifo[t->gate_head];
        t->gate_count = 0;
        break;
    }
    *later = 0;
    passes(t, max64(e.cycle, t->gate_next));
    return true;
}

static unsigned expanded(struct tensix_thread *t, unsigned known, uint64_t stop, uint64_t *later)
{
    unsigned done = 0;
    while (done < known) {
        const bool plays = t->replay_mode == MODE_PLAY;
        unsigned here = 0;
        if (plays)
            here = t->replay_left - 1u;
        else if (t->mop.step == STEP_LOOP)
            here = t->mop.inner - t->mop.position - 1u;
        here = (unsigned)min64(here, known - done);
        if (here != 0) {
            const unsigned passed = row(t, here, plays, stop, later);
            done += passed;
            if (passed < here)
                break;
        } else if (one(t, stop, later)) {
            done++;
        } else {
            break;
        }
    }
    return done;
}

unsigned nops_pass(struct tensix_thread *t, unsigned known, uint64_t stop)
{
    uint64_t later = 0; /* when the next one comes, if it is too late for this time */
    const bool comes_expanded = t->replay_mode == MODE_PLAY || t->mop.active;
    const unsigned done = comes_expanded ? expanded(t, known, stop, &later) : pushed(t, known, stop, &later);
    if (done != 0) {
        t->busy_until[UNIT_MISC] = t->gate_next;
        t->stall = 0;
    }
    t->due = tensix_due_at(max64(t->gate_next, later));
    return done;
}

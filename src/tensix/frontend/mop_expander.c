/* SPDX-License-Identifier: Apache-2.0 */
/* The MOP expander of a thread: manual WormholeB0 TensixCoprocessor/MOPExpander, MOP, MOP_CFG.
 *
 * Counts are sampled when an expansion begins, instructions when they come out, as the manual says of the hardware.
 * Blackhole's instruction list (assembly.yaml of the vendor's kernel library) lets a MOP of template 1 carry counts of its
 * own, where not zero: inner in bits 9:0, outer in bits 19:10.  OPEN: nothing else describes or uses it. */
#include "tensix/frontend/expand.h"
#include "tensix/frontend/plan.h"

enum { MOP_FLAGS = 1, MOP_HAS_B = 1, MOP_HAS_A123 = 2 };
/* MopCfg of template 0; that of template 1 is in expand.h. */
enum { INSN_B = 2, INSN_A0 = 3, SKIP_A0 = 7, SKIP_B = 8 };
/* Steps of an iteration of template 0: A0 (or SkipA0), A1, A2, A3, B (or SkipB). */
enum { STEP_A0 = 0, STEP_A3 = 3, STEP_B = 4 };

/* Only plain NOP counts, not DMANOP or SFPNOP. */
static bool is_nop(uint32_t word)
{
    return opcode_of(word) == OPCODE_NOP;
}

/* From `step` on to the next instruction that comes out; ends the expansion if there is none. */
static void seek_0(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS])
{
    const uint32_t flags = cfg[MOP_FLAGS];
    const bool skip = mop->mask & 1;
    if (mop->step > STEP_A0 && mop->step <= STEP_A3 && (skip || !(flags & MOP_HAS_A123)))
        mop->step = STEP_B;
    if (mop->step == STEP_B && !(flags & MOP_HAS_B))
        mop->step++;
    if (mop->step > STEP_B) {
        mop->step = STEP_A0;
        mop->mask >>= 1;
        mop->active = --mop->outer != 0;
    }
}

static void seek_1(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS])
{
    while (mop->active) {
        switch (mop->step) {
        case STEP_START:
            if (!is_nop(cfg[START_OP]))
                return;
            break;
        case STEP_LOOP:
            if (mop->position < mop->inner)
                return;
            break;
        case STEP_END0:
            if (!is_nop(cfg[END_OP0]))
                return;
            mop->step = STEP_END1; /* which comes only behind the other */
            break;
        case STEP_END1:
            if (!is_nop(cfg[END_OP1]))
                return;
            break;
        default:
            mop->step = STEP_START;
            mop->position = 0;
            mop->active = --mop->outer != 0;
            /* An iteration without instructions is free, and so are all that follow. */
            if (mop->active && mop->inner == 0 && is_nop(cfg[START_OP]) && is_nop(cfg[END_OP0]))
                mop->active = false;
            continue;
        }
        mop->step++;
    }
}

static void begin_0(struct tensix_mop *mop, uint32_t word)
{
    mop->mask = (uint32_t)mop->mask_hi << 16 | bits(word, 15, 0);
    mop->outer = (uint16_t)(bits(word, 22, 16) + 1);
    mop->active = true;
}

static void begin_1(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS], uint32_t word)
{
    const uint32_t inner = bits(word, 9, 0), outer = bits(word, 19, 10);
    mop->outer = (uint16_t)(outer ? outer : cfg[OUTER_COUNT] & 127);
    mop->inner = (uint16_t)(inner ? inner : cfg[INNER_COUNT] & 127);
    if (!is_nop(cfg[LOOP_OP1]))
        mop->inner = (uint16_t)(mop->inner * 2); /* the two loop instructions take turns */
    /* "Hardware bug" of the manual's model. */
    if (mop->outer == 1 && mop->inner == 0 && is_nop(cfg[START_OP]) && !is_nop(cfg[END_OP0]))
        mop->outer = (uint16_t)(mop->outer + 128);
    mop->active = mop->outer != 0;
    seek_1(mop, cfg);
}

static void begin(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS], uint32_t word)
{
    mop->step = 0;
    mop->position = 0;
    mop->template_1 = bits(word, 23, 23) & 1;
    if (mop->template_1)
        begin_1(mop, cfg, word);
    else
        begin_0(mop, word);
}

static uint32_t emit_0(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS])
{
    uint32_t word;
    if (mop->mask & 1)
        word = cfg[mop->step == STEP_B ? SKIP_B : SKIP_A0];
    else
        word = cfg[mop->step == STEP_B ? INSN_B : INSN_A0 + mop->step];
    mop->step++;
    seek_0(mop, cfg);
    return word;
}

static uint32_t emit_1(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS])
{
    uint32_t word;
    switch (mop->step) {
    case STEP_START: word = cfg[START_OP]; break;
    case STEP_LOOP:
        if (mop->position != mop->inner - 1)
            word = cfg[(mop->position & 1) && !is_nop(cfg[LOOP_OP1]) ? LOOP_OP1 : LOOP_OP];
        else
            word = cfg[mop->outer != 1 ? LOOP1_LAST : LOOP0_LAST];
        if (++mop->position < mop->inner)
            return word; /* stays in the loop */
        break;
    case STEP_END0: word = cfg[END_OP0]; break;
    default: word = cfg[END_OP1]; break;
    }
    mop->step++;
    seek_1(mop, cfg);
    return word;
}

uint32_t mop_emit(struct tensix_mop *mop, const uint32_t cfg[MOP_CFG_WORDS])
{
    return mop->template_1 ? emit_1(mop, cfg) : emit_0(mop, cfg);
}

static uint64_t room(const struct tensix_thread *t)
{
    return t->replay_count == REPLAY_FIFO_CAPACITY ? NEVER
                                                   : t->taken[(t->taken_at + t->replay_count) % REPLAY_FIFO_CAPACITY];
}

uint64_t mop_next_cycle(const struct tensix_thread *t)
{
    uint64_t cycle = t->mop_next;
    if (!t->mop.active) {
        if (t->fifo_count == 0)
            return NEVER;
        const struct tensix_entry *e = &t->fifo[t->fifo_head];
        cycle = max64(e->cycle + COST_TENSIX_MOP_STAGE, cycle);
        /* "Performance": between an expansion and anything but a MOP there is a cycle without any. */
        if (t->mop.after && opcode_of(e->word) != OPCODE_MOP)
            cycle = max64(cycle, t->mop_next + COST_TENSIX_MOP_TRANSITION);
    }
    return max64(cycle, room(t));
}

/* What was taken last from the FIFO becomes nothing; who is not in the FIFO any more came before it. */
static void swallow(struct tensix_thread *t, uint32_t pc)
{
    auto_forget(t, t->in_flight - 1u - t->fifo_count);
    entry_done(t, pc);
}

struct tensix_mop mop_of_next(const struct tensix_thread *t)
{
    struct tensix_mop mop = t->mop;
    mop.pc = t->fifo[t->fifo_head].pc;
    begin(&mop, t->mop_cfg, t->fifo[t->fifo_head].word);
    return mop;
}

void mop_begin(struct tensix_thread *t, uint64_t cycle)
{
    t->mop = mop_of_next(t);
    t->spans.mop_begin = cycle;
    t->spans.mop_word = t->fifo[t->fifo_head].word;
    t->fifo_head = (uint8_t)((t->fifo_head + 1) % TENSIX_FIFO_CAPACITY);
    t->fifo_count--;
    t->mop_next = cycle;
}

bool mop_take(struct tensix_thread *t, uint64_t cycle, struct tensix_entry *out)
{
    struct tensix_mop *mop = &t->mop;
    if (!mop->active) {
        const struct tensix_entry e = t->fifo[t->fifo_head];
        t->fifo_head = (uint8_t)((t->fifo_head + 1) % TENSIX_FIFO_CAPACITY);
        t->fifo_count--;
        t->mop_next = cycle + 1;
        switch (opcode_of(e.word)) {
        case OPCODE_MOP_CFG: /* OPEN: one word of assembly.yaml says 24 bits; the manual's field has 16 */
            mop->mask_hi = (uint16_t)e.word;
            swallow(t, e.pc);
            mop->after = false;
            return false;
        case OPCODE_MOP:
            mop->pc = e.pc;
            t->spans.mop_begin = cycle;
            t->spans.mop_word = e.word;
            begin(mop, t->mop_cfg, e.word);
            if (!mop->active) {
                mop->after = true;
                t->bad = TENSIX_BAD_MOP;
                t->bad_word = e.word;
                t->bad_pc = e.pc;
                swallow(t, e.pc);
                return false;
            }
            break;
        default:
            mop->after = false;
            *out = (struct tensix_entry){cycle, e.word, e.pc};
            return true;
        }
    }
    const uint32_t word = mop_emit(mop, t->mop_cfg);
    t->mop_next = cycle + 1;
    *out = (struct tensix_entry){cycle, word, mop->active ? mop->pc & ~(uint32_t)TENSIX_ENTRY_LAST : mop->pc};
    mop->after = !mop->active;
    if (!mop->active)
        span_ends(t, t->spans.mop_word, t->spans.mop_begin, cycle + 1);
    return true;
}

unsigned mop_left(const struct tensix_thread *t)
{
    const struct tensix_mop *mop = &t->mop;
    if (!mop->active)
        return 0;
    if (!mop->template_1)
        return mop->outer;
    unsigned left = (mop->outer - 1u) * mop->inner;
    if (mop->step <= STEP_LOOP)
        left += (unsigned)mop->inner - mop->position;
    return left != 0 ? left : 1;
}

unsigned mop_words_ahead(const struct tensix_thread *t)
{
    struct tensix_mop mop = t->mop;
    const uint32_t *cfg = t->mop_cfg, word = t->fifo_count != 0 ? t->fifo[t->fifo_head].word : 0;
    if (!mop.active && opcode_of(word) == OPCODE_MOP)
        begin(&mop, cfg, word);
    if (!mop.active || !mop.template_1 || mop.inner == 0)
        return mop.active ? mop.outer : 0;
    const unsigned played = is_nop(cfg[LOOP_OP1]) ? plan_played_by(cfg[LOOP_OP]) : 0, each = played != 0 ? played : 1;
    const unsigned here = mop.step <= STEP_LOOP ? (mop.inner - mop.position - 1u) * each + 1 : 1;
    return here + (mop.outer - 1u) * ((mop.inner - 1u) * each + 1);
}

unsigned mop_follow(const struct tensix_thread *t)
{
    unsigned mops = 0;
    for (unsigned i = 0; i < t->fifo_count; i++) /* those of template 1 without counts of their own */
        mops += t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY].word == ((uint32_t)OPCODE_MOP << 24 | 1u << 23);
    return mops * (t->mop_cfg[OUTER_COUNT] & 127) * (t->mop_cfg[INNER_COUNT] & 127);
}

bool mop_empty_follows(const struct tensix_thread *t)
{
    const bool inner = (t->mop_cfg[INNER_COUNT] & 127) == 0, outer = (t->mop_cfg[OUTER_COUNT] & 127) == 0;
    bool any = false;
    for (unsigned i = 0; i < t->fifo_count; i++) {
        const uint32_t word = t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY].word;
        any |= opcode_of(word) == OPCODE_MOP && bits(word, 23, 23) != 0 &&
               ((inner && bits(word, 9, 0) == 0) || (outer && bits(word, 19, 10) == 0));
    }
    return any;
}

unsigned mop_unannounced(const struct tensix_thread *t)
{
    if (!(t->waiting & TENSIX_WAITS_MOP) || t->mop_quiet == MOP_ANNOUNCED)
        return UINT32_MAX;
    const unsigned left = mop_left(t) + mop_follow(t);
    return left <= MOP_AHEAD || mop_records(t) ? 0 : left - MOP_AHEAD;
}

bool mop_records(const struct tensix_thread *t)
{
    for (unsigned i = START_OP; i < MOP_CFG_WORDS; i++)
        if (ends_in_replay(t->mop_cfg[i]))
            return true;
    return false;
}

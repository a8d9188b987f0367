/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @library tests/support/plain_expander.c */
/* The front end's MOP Expander and Replay Expander against the plain ones of tests/support: random programs, pushed
 * with and without gaps, through a gate that opens in every cycle, or seldom.  The order of what passes must be the
 * plain one, whatever the timing, and nothing may be left. */
#include "../../support/plain_expander.h"
#include "../../support/ttasm.h"
#include "../../support/unit.h"
#include "tensix/frontend/frontend.h"
#include "tensix/tensix.h"

#include <string.h>

enum { PROGRAMS = 4000, PUSHES = 60, LONGEST = 100000, THREAD = 1 };

typedef struct words {
    uint32_t *word;
    unsigned count;
    bool too_long;
} words;
static void write_down(void *context, uint32_t word)
{
    words *w = context;
    if (w->count == LONGEST) {
        w->too_long = true;
    } else {
        w->word[w->count++] = word;
    }
}

/* What a program does: pushes words, or writes MopCfg when no MOP is under way. */
typedef struct action {
    bool write;
    unsigned index;
    uint32_t word;
} action;
typedef struct mop_program {
    action action[PUSHES * 10];
    unsigned count;
    bool by_riscvb;
} mop_program;

static uint32_t any(test_random *r)
{
    return tt_word(TT_ADDDMAREG, test_below(r, 1 << 18));
}
static uint32_t slot(test_random *r)
{
    switch (test_below(r, 6)) {
    case 0: return tt_nop();
    case 1: return tt_replay(test_below(r, 64), test_below(r, 33), test_below(r, 2), 0);
    default: return any(r);
    }
}
static unsigned count_of(test_random *r)
{
    static const uint8_t some[] = {0, 0, 1, 1, 1, 1, 2, 2, 3, 4, 7, 16, 31, 127};
    return some[test_below(r, sizeof some)] | (test_below(r, 4) ? 0 : (uint32_t)test_random64(r) & ~127u);
}

static void make(mop_program *p, test_random *r)
{
    p->count = 0;
    p->by_riscvb = test_below(r, 4) == 0;
    for (unsigned i = 0; i < PUSHES; i++) {
        action *a = &p->action[p->count++];
        *a = (action){.word = any(r)};
        switch (test_below(r, p->by_riscvb ? 4 : 8)) {
        case 0: a->word = tt_replay(test_below(r, 64), test_below(r, 33), test_below(r, 2), 1); break;
        case 1: a->word = slot(r); break;
        case 2:
        case 3: break;
        case 4: a->word = tt_mop_cfg(test_below(r, 0x10000)); break;
        case 5:
            a->word = tt_mop(0, test_below(r, 4) ? test_below(r, 8) : test_below(r, 128), test_below(r, 0x10000));
            break;
        case 6:
            a->word = test_below(r, 4)
                          ? tt_mop(1, 0, 0)
                          : tt_mop_counts(test_below(r, 3) * test_below(r, 40), test_below(r, 3) * test_below(r, 40));
            break;
        default:
            p->count--;
            for (unsigned k = 0; k < 9; k++) {
                p->action[p->count++] = (action){.write = true,
                                                 .index = k,
                                                 .word = k < 2              ? count_of(r)
                                                         : test_below(r, 3) ? slot(r)
                                                                            : tt_nop()};
            }
        }
    }
}

/* Takes what stands at the gate in this cycle, as the gate does. */
static void gate(struct tensix_thread *t, uint64_t cycle, words *out)
{
    uint64_t when;
    while (t->gate_count < GATE_FIFO_CAPACITY && replay_emit(t, cycle, &when)) {}
    struct tensix_entry *e = &t->gate_fifo[t->gate_head];
    if (t->gate_count == 0 || e->cycle > cycle) {
        return;
    }
    write_down(out, e->word);
    entry_done(t, e->pc);
    t->passed[t->passed_at] = cycle + 1;
    t->passed_at = (uint8_t)((t->passed_at + 1) % GATE_FIFO_CAPACITY);
    t->gate_head = (uint8_t)((t->gate_head + 1) % GATE_FIFO_CAPACITY);
    t->gate_count--;
}

/* Runs the program; one cycle in `gap` pushes, one in `hold` lets something pass. */
static void run(const mop_program *p, struct tensix *tx, test_random *r, unsigned gap, unsigned hold, unsigned expected,
                words *out)
{
    struct tensix_thread *t = &tx->thread[THREAD];
    unsigned next = 0;
    uint64_t quiet = 0;
    for (uint64_t cycle = 100; next < p->count || out->count < expected || quiet < 50; cycle++) {
        unsigned before = out->count, next_before = next;
        if (next < p->count && test_below(r, gap) == 0) {
            const action *a = &p->action[next];
            uint32_t lost = 0;
            if (a->write) {
                tensix_expand(tx, THREAD, cycle);
                if (!tensix_mop_busy(tx, THREAD, cycle)) {
                    t->mop_cfg[a->index] = a->word;
                    next++;
                }
            } else if (p->by_riscvb ? tensix_push_replay(tx, THREAD, a->word, 0x100, cycle, &lost) == TENSIX_PUSH_OK
                                    : tensix_push(tx, THREAD, a->word, 0x100, cycle)) {
                next++;
            }
        }
        if (test_below(r, hold) == 0) {
            gate(t, cycle, out);
        } else if (test_below(r, 2) == 0) {
            tensix_expand(tx, THREAD, cycle); /* somebody looks */
        }
        quiet = out->count == before && next == next_before ? quiet + 1 : 0;
        if (quiet > 1000) {
            break;
        }
    }
}

static void what_passes_is_what_the_plain_expanders_say(void **state)
{
    (void)state;
    static mop_program p;
    static uint32_t must[LONGEST], is[LONGEST];
    unsigned long total = 0;
    for (uint64_t seed = 0; seed < PROGRAMS; seed++) {
        test_random r = {.state = seed};
        struct tensix tx = {.due = 0};
        plain_expander x = {.mask_hi = 0};
        words plain = {.word = must}, ours = {.word = is};
        make(&p, &r);
        for (unsigned i = 0; i < p.count; i++) {
            if (p.action[i].write) {
                x.mop_cfg[p.action[i].index] = p.action[i].word;
            } else if (p.by_riscvb) {
                plain_push_behind_mop(&x, p.action[i].word, write_down, &plain);
            } else {
                plain_push(&x, p.action[i].word, write_down, &plain);
            }
        }
        if (plain.too_long) {
            continue;
        }
        run(&p, &tx, &r, 1 + test_below(&r, 6), 1 + test_below(&r, 4), plain.count, &ours);
        unsigned same = 0;
        while (same < ours.count && same < plain.count && is[same] == must[same]) {
            same++;
        }
        if (same != plain.count || ours.count != plain.count) {
            fail_msg("seed %" PRIu64 ": word %u of %u (%u passed) is %#x, not %#x", seed, same, plain.count, ours.count,
                     same < ours.count ? is[same] : 0, same < plain.count ? must[same] : 0);
        }
        assert_int_equal(tx.thread[THREAD].in_flight, 0);
        assert_memory_equal(tx.thread[THREAD].mop_cfg, x.mop_cfg, sizeof x.mop_cfg);
        for (unsigned i = 0; i < 32; i++) {
            if (tx.thread[THREAD].replay[i] != x.buffer[i]) {
                fail_msg("seed %" PRIu64 ": replay entry %u is %#x, not %#x", seed, i, tx.thread[THREAD].replay[i],
                         x.buffer[i]);
            }
        }
        total += plain.count;
    }
    assert_true(total > 100000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_passes_is_what_the_plain_expanders_say)};
    return cmocka_run_group_tests_name("mop_replay", tests, NULL, NULL);
}

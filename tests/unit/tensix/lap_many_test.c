/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/tensix/lap_data.c src/tensix/lap_many.c */
/* Many laps of data by few, against one lap after the other: random lists of pieces on a few registers. */
#include "tensix/laps.h"

#include "../../support/chip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WORDS = 10, LISTS = 100000 };

static struct lap_piece random_piece(test_random *r)
{
    static const uint32_t masks[] = {0xFFFFFFFF, 0xFFFF, 0xFFFF0000, 0xFF00, 0x00FF00FF};
    const struct lap_piece piece = {.kind = (uint16_t)test_below(r, LAP_MUL_CONST + 1),
                                    .result = (uint16_t)(1 + test_below(r, WORDS - 1)), /* 0 never changes */
                                    .left = (uint16_t)test_below(r, WORDS),
                                    .right = (uint16_t)test_below(r, WORDS)};
    const uint32_t x = piece.kind == LAP_BLEND || piece.kind == LAP_MERGE ? masks[test_below(r, 5)] : test_below(r, 64);
    struct lap_piece p = piece;
    p.x = x;
    p.y = (uint32_t)test_random64(r) & x;
    if (test_below(r, 3) == 0)
        p.left = p.result; /* as those have that count */
    return p;
}

static void make_list(struct lap_data *d, test_random *r)
{
    d->pieces = 1 + test_below(r, 8);
    for (unsigned i = 0; i < d->pieces; i++)
        d->piece[i] = random_piece(r);
    d->used = d->changed = 0;
    for (uint16_t w = 0; w < WORDS; w++) {
        bool changes = false;
        for (unsigned i = 0; i < d->pieces; i++)
            changes |= d->piece[i].result == w;
        d->use[d->used++] = w;
        if (changes)
            d->change[d->changed++] = w;
    }
}

static void any_number_of_laps_is_as_one_after_the_other(void **state)
{
    (void)state;
    static struct lap_data d;
    static struct tensix few, plain;
    test_random r = {.state = 1};
    unsigned known = 0, counting = 0;
    for (unsigned n = 0; n < LISTS; n++) {
        make_list(&d, &r);
        lap_many_make(&d);
        known += d.many != 0;
        counting += d.many > 1 && d.counts != 0;
        for (unsigned i = 0; i < WORDS; i++)
            few.thread[0].gpr[i] = plain.thread[0].gpr[i] = (uint32_t)test_random64(&r);
        const uint32_t laps = 1 + test_below(&r, 20);
        lap_data_repeat(&d, &few, laps);
        for (uint32_t i = 0; i < laps; i++)
            lap_data_repeat(&d, &plain, 1);
        assert_memory_equal(few.thread[0].gpr, plain.thread[0].gpr, sizeof few.thread[0].gpr);
    }
    assert_true(known > LISTS / 8 && known < LISTS && counting > LISTS / 32);
}

static void a_word_that_multiplies_itself_is_done_lap_by_lap(void **state)
{
    (void)state;
    static struct lap_data d = {.pieces = 1, .used = 1, .changed = 1};
    d.piece[0] = (struct lap_piece){.kind = LAP_MUL, .result = 0, .left = 0, .right = 0};
    lap_many_make(&d);
    assert_int_equal(d.many, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_of_laps_is_as_one_after_the_other),
        cmocka_unit_test(a_word_that_multiplies_itself_is_done_lap_by_lap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/tensix/matrix/maximum_rows.c */
/* maximum_of_columns gives what maximum_of_column gives: random SrcA, SrcB and Dst, all styles, with zeros, ties and the ends of
 * the ranges more often than chance has them. */
#include "tensix/matrix/maximum_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COLUMNS = 16, CELLS = 256, ROUNDS = 20000 };

static uint64_t random_state = 7;

static uint32_t next(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

/* A cell of SrcA or SrcB: 19 bits, the exponent in the low eight. */
static uint32_t cell(void)
{
    static const uint32_t edges[] = {0, 0x40000, 0x7F, 0x400FF, 0x3FF00, 0x7FF00, 0xFF, 0x7FFFF, 0x1, 0x0807F};
    const uint32_t x = next();
    switch (x >> 30) {
    case 0: return edges[x % (sizeof edges / sizeof *edges)];
    case 1: return (x & 0x40700) | 0x7F; /* close to 1.0, so that some are equal */
    default: return x & 0x7FFFF;
    }
}

static void columns_give_what_each_gives_alone(void **state)
{
    (void)state;
    static const uint8_t styles[] = {MATRIX_BF16, MATRIX_TF32, MATRIX_FP16, MATRIX_INT8};
    unsigned long changed = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct matrix_mode m = {.a = styles[round % 4], .b = styles[round % 4], .dst32 = round & 4};
        uint32_t a[CELLS], b[COLUMNS], dst[COLUMNS], want[COLUMNS];
        for (unsigned i = 0; i < CELLS; i++)
            a[i] = cell();
        for (unsigned j = 0; j < COLUMNS; j++) {
            b[j] = next() % 4 != 0 ? 0x7F : cell();
            dst[j] = next() % 3 != 0 ? next() : next() % 2 != 0 ? 0 : UINT32_MAX;
            want[j] = 0;
        }
        for (unsigned j = 0; j < COLUMNS; j++)
            want[j] = maximum_of_column(&m, false, a + j, b, dst[j]);
        const uint32_t before = dst[0];
        maximum_of_columns(&m, a, b, dst);
        changed += before != dst[0];
        assert_memory_equal(dst, want, sizeof want);
    }
    assert_true(changed > ROUNDS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_give_what_each_gives_alone)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The short ways through the packer's conversions give what the long one gives: every 16-bit cell, and every high half of a 32-bit one with
 * low halves at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "num/pack_convert.h"

#include <string.h>

enum { LOW = 8 * ROW_DATUMS, ROWS = 4 };

static const uint16_t lows[] = {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF, 0x1234};

static void plain_row(struct pack_conversion c, uint8_t *bytes, uint8_t *exponent, const uint16_t *cells)
{
    uint32_t words[ROW_DATUMS];
    const unsigned bits = format_bits(c.LateToFormat);
    for (unsigned i = 0; i < ROW_DATUMS; i++)
        words[i] = pack_early(c, c.Read_32b_data ? (uint32_t)cells[i] << 16 | cells[LOW + i] : cells[i]);
    memset(bytes, 0, 2 * bits);
    uint8_t datums[ROW_DATUMS];
    if (format_is_bfp(c.LateToFormat))
        *exponent = pack_late_bfp(c, words, datums);
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        const uint32_t x = format_is_bfp(c.LateToFormat) ? datums[i] : pack_late(c, words[i]);
        for (unsigned bit = 0; bit < bits; bit++)
            bytes[(i * bits + bit) / 8] |= (uint8_t)((x >> bit & 1) << (i * bits + bit) % 8);
    }
}

/* Four rows of cells that lie far apart from each other: exponents are in the low bits. */
static void compare(struct pack_conversion c, enum pack_way way, unsigned first, uint16_t low, unsigned step)
{
    uint16_t memory[ROWS][2 * LOW];
    const uint16_t *cells[ROWS];
    for (unsigned k = 0; k < ROWS; k++) {
        cells[k] = memory[k];
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            memory[k][i] = (uint16_t)(first + (k * ROW_DATUMS + i) * step);
            memory[k][LOW + i] = (uint16_t)(low + (low & 1 ? i : 0));
        }
    }
    uint8_t got[ROWS * 64], exponents[ROWS];
    const unsigned bits = format_bits(c.LateToFormat);
    assert_int_equal(pack_way_rows(way, bits, ROWS, got, exponents, cells, LOW), ROWS * 2 * bits);
    for (unsigned k = 0; k < ROWS; k++) {
        uint8_t want[64], exponent = 0;
        plain_row(c, want, &exponent, cells[k]);
        assert_memory_equal(got + k * 2 * bits, want, 2 * bits);
        if (format_is_bfp(c.LateToFormat))
            assert_int_equal(exponents[k], exponent);
    }
    /* An odd number of rows. */
    uint8_t again[sizeof got + 1], exponents_again[ROWS + 1];
    memset(again, 0xA5, sizeof again);
    memset(exponents_again, 0xA5, sizeof exponents_again);
    assert_int_equal(pack_way_rows(way, bits, ROWS - 1, again, exponents_again, cells, LOW), (ROWS - 1) * 2 * bits);
    assert_memory_equal(again, got, (ROWS - 1) * 2 * bits);
    assert_int_equal(again[(ROWS - 1) * 2 * bits], 0xA5);
    assert_int_equal(exponents_again[ROWS - 1], 0xA5);
    if (format_is_bfp(c.LateToFormat))
        assert_memory_equal(exponents_again, exponents, ROWS - 1);
}

static void short_ways_are_as_the_long_one(void **state)
{
    (void)state;
    unsigned ways = 0;
    for (unsigned index = 0; index < FORMATS * FORMATS * 2; index++) {
        const struct pack_conversion c = {.IntermediateFormat = (uint8_t)(index / 2 / FORMATS),
                                          .LateFromFormat = (uint8_t)(index / 2 / FORMATS),
                                          .LateToFormat = (uint8_t)(index / 2 % FORMATS),
                                          .Read_32b_data = index % 2};
        const enum pack_way way = pack_way_of(c);
        if (way == PACK_WAY_NONE)
            continue;
        ways++;
        for (unsigned l = 0; l < (c.Read_32b_data ? sizeof lows / sizeof *lows : 1); l++) {
            for (unsigned first = 0; first < 0x10000; first += ROWS * ROW_DATUMS)
                compare(c, way, first, lows[l], 1);
            for (unsigned first = 0; first < 0x400; first++) /* one exponent after the other with one mantissa */
                compare(c, way, first * 64, lows[l], 0x101);
        }
    }
    assert_int_equal(ways, 15);
}

static void what_happens_in_between_or_not_at_all_has_no_short_way(void **state)
{
    (void)state;
    assert_int_equal(pack_way_of((struct pack_conversion){.IntermediateFormat = FORMAT_BF16,
                                                          .LateFromFormat = FORMAT_BF16,
                                                          .LateToFormat = FORMAT_BF16,
                                                          .Read_raw = true}),
                     PACK_WAY_NONE);
    assert_int_equal(pack_way_of((struct pack_conversion){.IntermediateFormat = FORMAT_FP16,
                                                          .LateFromFormat = FORMAT_FP16,
                                                          .LateToFormat = FORMAT_FP16,
                                                          .Round_10b_mant = true}),
                     PACK_WAY_NONE);
    assert_int_equal(pack_way_of((struct pack_conversion){.IntermediateFormat = FORMAT_BF16,
                                                          .LateFromFormat = FORMAT_FP16,
                                                          .LateToFormat = FORMAT_BF16}),
                     PACK_WAY_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_ways_are_as_the_long_one),
        cmocka_unit_test(what_happens_in_between_or_not_at_all_has_no_short_way),
    };
    return cmocka_run_group_tests_name("num/pack_ways", tests, NULL, NULL);
}

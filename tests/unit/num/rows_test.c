/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/formats.c src/num/unpack_convert.c src/num/pack_convert.c src/num/pack_rows.c */
/* Rows of 16 datums are what the references say datum by datum, whatever the configuration. */
#include "num/pack_convert.h"
#include "num/unpack_convert.h"

#include "unit/num/format_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Rows and references, for every configuration there is, with every 16 bits, and 32 from them. */
static void rows_are_sixteen_datums(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned i = 0; i < 16 * 16 * 64; i++) {
        const struct pack_conversion c = {.IntermediateFormat = i & 15,
                                          .LateFromFormat = i & 15,
                                          .LateToFormat = i >> 4 & 15,
                                          .Read_32b_data = i >> 8 & 1,
                                          .Round_10b_mant = i >> 9 & 1,
                                          .Read_raw = i >> 10 & 1,
                                          .Read_unsigned = i >> 11 & 1,
                                          .Exponent4b = i >> 12 & 1,
                                          .ShiftAmount = (uint8_t)(i >> 13 & 1 ? i >> 4 & 31 : 0)};
        if (!format_exists(i & 15) || !format_exists(i >> 4 & 15)) {
            continue;
        }
        for (unsigned repeat = 0; repeat < 24; repeat++) {
            uint16_t high[ROW_DATUMS], low[ROW_DATUMS];
            uint32_t words[ROW_DATUMS], fast[ROW_DATUMS];
            uint8_t bytes[64] = {0}, expected[64] = {0}, exponent = 0, expected_exponent = 0;
            const uint32_t near = set_random(&random);
            for (unsigned j = 0; j < ROW_DATUMS; j++) {
                const uint32_t r = set_random(&random);
                high[j] =
                    (uint16_t)(repeat & 1 ? (near & 0x80F8) | (r & 0x7F07) : r); /* exponents near to each other */
                low[j] = (uint16_t)(r >> 16);
                words[j] = pack_early(c, c.Read_32b_data ? (uint32_t)high[j] << 16 | low[j] : high[j]);
            }
            if (c.Read_32b_data) {
                pack_row_early_dst32(c, fast, high, low);
            } else {
                pack_row_early_dst16(c, fast, high);
            }
            assert_memory_equal(fast, words, sizeof words);
            const unsigned bits = format_bits(c.LateToFormat);
            if (format_is_bfp(c.LateToFormat)) {
                uint8_t datums[ROW_DATUMS];
                expected_exponent = pack_late_bfp(c, words, datums);
                for (unsigned j = 0; j < ROW_DATUMS; j++) {
                    expected[j * bits / 8] |= (uint8_t)(datums[j] << j * bits % 8);
                }
            } else {
                for (unsigned j = 0; j < ROW_DATUMS; j++) {
                    const uint32_t x = pack_late(c, words[j]);
                    memcpy(expected + j * bits / 8, &x, bits / 8);
                }
            }
            assert_int_equal(pack_row_late(c, bytes, &exponent, words), 2 * bits);
            assert_memory_equal(bytes, expected, sizeof bytes);
            assert_int_equal(exponent, expected_exponent);
        }
    }
}

static void unpacked_rows_are_sixteen_datums(void **state)
{
    (void)state;
    uint64_t random = 1;
    unsigned pairs = 0;
    for (unsigned i = 0; i < 2048; i++) {
        const struct unpack_conversion c = {.InDataFormat = i & 15,
                                            .OutDataFormat = i >> 4 & 15,
                                            .UnpackToDst = i >> 8 & 1,
                                            .Int8MeansUnsigned = i >> 9 & 1,
                                            .Exponent4b = i >> 10 & 1};
        if (!unpack_pair_has_meaning(c)) {
            assert_false(unpack_pair_exists(c));
            continue;
        }
        pairs++;
        const unsigned bits = format_bits(c.InDataFormat);
        for (unsigned repeat = 0; repeat < 200; repeat++) {
            uint8_t bytes[64];
            uint32_t cells[ROW_DATUMS];
            uint16_t high[ROW_DATUMS], low[ROW_DATUMS];
            const uint8_t exponent = (uint8_t)set_random(&random);
            for (unsigned j = 0; j < sizeof bytes; j++) {
                bytes[j] = (uint8_t)set_random(&random);
            }
            switch (unpack_target_of(c)) {
            case UNPACK_TO_SRC: unpack_row_src(c, cells, bytes, exponent); break;
            case UNPACK_TO_DST16: unpack_row_dst16(c, high, bytes, exponent); break;
            default: unpack_row_dst32(high, low, bytes); break;
            }
            for (unsigned j = 0; j < ROW_DATUMS; j++) {
                uint32_t datum = 0;
                memcpy(&datum, bytes + j * bits / 8, bits < 8 ? 1 : bits / 8);
                datum = bits < 8 ? datum >> j * bits % 8 & ((1u << bits) - 1) : datum;
                const uint32_t cell = unpack_datum(c, datum, exponent);
                if (unpack_target_of(c) == UNPACK_TO_SRC) {
                    assert_int_equal(cells[j], cell);
                    assert_int_equal(cell >> 19, 0);
                } else if (unpack_target_of(c) == UNPACK_TO_DST16) {
                    assert_int_equal(high[j], cell);
                } else {
                    assert_int_equal((uint32_t)high[j] << 16 | low[j], cell);
                }
            }
        }
    }
    assert_true(pairs > 0);
}

/* What the manual's tables have, counted: 3 from FP32 and 11 others to Src, 4 and 13 to Dst. */
static void pairs_of_the_unpackers(void **state)
{
    (void)state;
    unsigned to_src = 0, to_dst = 0;
    for (unsigned i = 0; i < 256; i++) {
        struct unpack_conversion c = {.InDataFormat = i & 15, .OutDataFormat = i >> 4 & 15};
        to_src += unpack_pair_exists(c);
        c.UnpackToDst = true;
        to_dst += unpack_pair_exists(c);
    }
    assert_int_equal(to_src, 3 + 11);
    assert_int_equal(to_dst, 4 + 13);
}

/* Every word of 32 bits: what is unpacked from FP32, and packed from 32-bit Dst. */
static void check_words(uint32_t first)
{
    static const uint8_t out[3] = {FORMAT_TF32, FORMAT_BF16, FORMAT_FP16};
    static const uint8_t pairs[8][2] = {{FORMAT_TF32, FORMAT_TF32},   {FORMAT_BF16, FORMAT_BF16},
                                        {FORMAT_BFP8, FORMAT_BFP8},   {FORMAT_INT8, FORMAT_INT8},
                                        {FORMAT_INT32, FORMAT_INT32}, {FORMAT_FP32, FORMAT_FP16},
                                        {FORMAT_FP32, FORMAT_BF16},   {FORMAT_FP16, FORMAT_FP8}};
    uint32_t words[ROW_DATUMS], cells[ROW_DATUMS];
    uint16_t high[ROW_DATUMS], low[ROW_DATUMS];
    bool equal = true; /* one assertion a row: they are many */
    for (uint32_t i = 0; i < ROW_DATUMS; i++) {
        words[i] = first + i;
        high[i] = (uint16_t)(words[i] >> 16);
        low[i] = (uint16_t)words[i];
    }
    for (unsigned i = 0; i < 3; i++) {
        const struct unpack_conversion c = {.InDataFormat = FORMAT_FP32, .OutDataFormat = out[i]};
        unpack_row_src(c, cells, (const uint8_t *)words, 0);
        for (unsigned j = 0; j < ROW_DATUMS; j++) {
            equal &= cells[j] == unpack_datum(c, words[j], 0);
        }
    }
    for (unsigned i = 0; i < 8; i++) {
        const struct pack_conversion c = {.IntermediateFormat = pairs[i][0],
                                          .LateFromFormat = pairs[i][0],
                                          .LateToFormat = pairs[i][1],
                                          .Read_32b_data = true,
                                          .Exponent4b = true};
        uint8_t bytes[64], exponent = 0, datums[ROW_DATUMS];
        pack_row_early_dst32(c, cells, high, low);
        const unsigned size = pack_row_late(c, bytes, &exponent, cells) / ROW_DATUMS;
        const bool bfp = format_is_bfp(c.LateToFormat);
        if (bfp) {
            equal &= pack_late_bfp(c, cells, datums) == exponent;
        }
        for (unsigned j = 0; j < ROW_DATUMS; j++) {
            equal &= cells[j] == pack_early(c, words[j]);
            const uint32_t datum = bfp ? datums[j] : pack_late(c, cells[j]);
            equal &= memcmp(bytes + j * size, &datum, size) == 0;
        }
    }
    if (!equal) {
        fail_msg("from %08x on", (unsigned)first);
    }
}

static void every_word(void **state)
{
    (void)state;
    for (uint64_t first = 0; first <= UINT32_MAX; first += ROW_DATUMS) {
        check_words((uint32_t)first);
    }
}

static void words_here_and_there(void **state)
{
    (void)state;
    for (uint64_t first = 0; first <= UINT32_MAX; first += 0x7FF0) {
        check_words((uint32_t)first);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0) { /* tier long */
        const struct CMUnitTest all[] = {cmocka_unit_test(every_word)};
        return cmocka_run_group_tests(all, NULL, NULL);
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sixteen_datums),
        cmocka_unit_test(unpacked_rows_are_sixteen_datums),
        cmocka_unit_test(pairs_of_the_unpackers),
        cmocka_unit_test(words_here_and_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

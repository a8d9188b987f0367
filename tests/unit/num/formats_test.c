/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/formats.c src/num/unpack_convert.c src/num/pack_convert.c */
/* Codes and sizes of formats, the order of bits in Src and Dst, integers; every value of 16 bits, edges of 32. */
#include "num/formats.h"

#include "num/dst_cells.h"
#include "num/floats.h"
#include "num/integers.h"
#include "num/sfpu_cells.h"
#include "num/src_cells.h"
#include "num/unpack_convert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void codes_are_those_of_the_headers(void **state)
{
    (void)state;
    static const char *const names[FORMATS] = {"FP32",        "FP16",        "BFP8a", "BFP4a", "TF32", "BF16",
                                               "BFP8",        "BFP4",        "INT32", "INT16", "FP8",  "BFP2a",
                                               "reserved 12", "reserved 13", "INT8",  "BFP2"};
    for (unsigned format = 0; format < FORMATS; format++) {
        assert_string_equal(format_name(format), names[format]);
        assert_int_equal(format_exists(format), format != 12 && format != 13);
        assert_int_equal(format_is_bfp(format),
                         names[format][0] == 'B' && names[format][1] == 'F' && names[format][2] == 'P');
    }
    assert_false(format_exists(16));
    /* What software calls UInt8 (30), UInt32 (24) and Fp8_e4m3 (26) are these four bits. */
    assert_int_equal(30 & 15, FORMAT_INT8);
    assert_int_equal(24 & 15, FORMAT_INT32);
    assert_int_equal(26 & 15, FORMAT_FP8);
}

/* 32 x 32 datums; BFP formats have an exponent of a byte for each row of 16 of each of 4 faces. */
static void sizes_of_a_tile(void **state)
{
    (void)state;
    static const unsigned bytes[FORMATS] = {4096, 2048, 1088, 576, 4096, 2048, 1088, 576,
                                            4096, 2048, 1024, 320, 0,    0,    1024, 320};
    for (unsigned format = 0; format < FORMATS; format++) {
        if (format_exists(format)) {
            const unsigned exponents = format_is_bfp(format) ? 4 * 16 : 0;
            assert_int_equal(1024 * format_bits(format) / 8 + exponents, bytes[format]);
        }
    }
}

/* a-variants have five bits of exponent and become FP16, the others eight and become BF16. */
static void a_variants_differ_in_their_exponent(void **state)
{
    (void)state;
    static const unsigned pairs[3][2] = {
        {FORMAT_BFP8, FORMAT_BFP8a}, {FORMAT_BFP4, FORMAT_BFP4a}, {FORMAT_BFP2, FORMAT_BFP2a}};
    for (unsigned i = 0; i < 3; i++) {
        assert_int_equal(format_bits(pairs[i][0]), format_bits(pairs[i][1]));
        assert_true(format_has_8b_exponent(pairs[i][0]));
        assert_false(format_has_8b_exponent(pairs[i][1]));
    }
    const struct unpack_conversion b = {.InDataFormat = FORMAT_BFP8, .OutDataFormat = FORMAT_BFP8},
                                   a = {.InDataFormat = FORMAT_BFP8a, .OutDataFormat = FORMAT_BFP8a};
    assert_int_equal(unpack_datum(b, 0x40, 127), src_from_bf16((struct bf16){0x3F80}).bits); /* 1.0 */
    assert_int_equal(unpack_datum(a, 0x40, 15), src_from_fp16((struct fp16){0x3C00}).bits);
}

static void a_src_cell_is_sign_mantissa_exponent(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 1u << 19; x++) {
        const uint32_t cell = src_from_tf32((struct tf32){x}).bits;
        assert_int_equal(cell >> 18, x >> 18);
        assert_int_equal(cell >> 8 & 0x3FF, x & 0x3FF);
        assert_int_equal(cell & 0xFF, x >> 10 & 0xFF);
        assert_int_equal(tf32_from_src((struct src_cell){cell}).bits, x);
        /* TF32 and BF16 cells to FP32. */
        const uint32_t fp32 = (cell >> 18) << 31 | (cell & 0xFF) << 23 | (cell >> 8 & 0x3FF) << 13;
        assert_int_equal(fp32_from_tf32((struct tf32){x}).bits, fp32);
    }
}

static void bf16_and_fp16_in_a_src_cell(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        const uint32_t b = src_from_bf16((struct bf16){(uint16_t)x}).bits,
                       h = src_from_fp16((struct fp16){(uint16_t)x}).bits;
        assert_int_equal(b >> 8 & 7, 0); /* seven bits of mantissa, left-aligned */
        assert_int_equal(b >> 11 & 0x7F, x & 0x7F);
        assert_int_equal(b & 0xFF, x >> 7 & 0xFF);
        assert_int_equal(h >> 8 & 0x3FF, x & 0x3FF);
        assert_int_equal(h & 0xFF, x >> 10 & 0x1F); /* with its own bias, above it zeros */
        assert_int_equal(b >> 18, x >> 15);
        assert_int_equal(h >> 18, x >> 15);
        assert_int_equal(dst16_from_src_8b_exponent((struct src_cell){b}).bits,
                         dst16_from_bf16((struct bf16){(uint16_t)x}).bits);
        assert_int_equal(dst16_from_src_5b_exponent((struct src_cell){h}).bits,
                         dst16_from_fp16((struct fp16){(uint16_t)x}).bits);
    }
}

/* Sign and ten bits of magnitude where FP16 has its mantissa, exponent 16. */
static void integer_8_lies_over_fp16(void **state)
{
    (void)state;
    for (unsigned is_unsigned = 0; is_unsigned < 2; is_unsigned++) {
        struct unpack_conversion c = {
            .InDataFormat = FORMAT_INT8, .OutDataFormat = FORMAT_INT8, .Int8MeansUnsigned = is_unsigned};
        for (uint32_t x = 0; x < 256; x++) {
            const uint32_t magnitude = is_unsigned ? x : x & 0x7F, sign = is_unsigned ? 0 : x >> 7;
            const uint32_t exponent = magnitude ? 16 : 0;
            c.UnpackToDst = false;
            assert_int_equal(unpack_datum(c, x, 0), sign << 18 | magnitude << 8 | exponent);
            c.UnpackToDst = true;
            assert_int_equal(unpack_datum(c, x, 0), sign << 15 | magnitude << 5 | exponent);
        }
    }
    assert_int_equal(dst16_from_lreg_int8(0x80000000u).bits, 0x8010); /* SFPSTORE keeps 16 for a magnitude of 0 */
    assert_int_equal(dst16_from_lreg_int8(0x000003FFu).bits, 0x7FF0);
    assert_int_equal(lreg_from_dst16_int8((struct dst16_cell){0xFFF0}), 0x800000FF); /* eight bits of it */
    assert_int_equal(lreg_from_dst16_int8_comp((struct dst16_cell){0xFFF0}), 0x800003FF);
    assert_int_equal(lreg_from_dst16_int16((struct dst16_cell){0x8005}), 0x80000005);
    assert_int_equal(dst16_from_lreg_int16(0x80008005u).bits, 0x8005);
}

static void bits_in_dst(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        const struct bf16 b = {(uint16_t)x};
        const struct fp16 h = {(uint16_t)x};
        const uint32_t as_bf16 = dst16_from_bf16(b).bits, as_fp16 = dst16_from_fp16(h).bits;
        assert_int_equal(as_bf16, x >> 15 << 15 | (x & 0x7F) << 8 | (x >> 7 & 0xFF));
        assert_int_equal(as_fp16, x >> 15 << 15 | (x & 0x3FF) << 5 | (x >> 10 & 0x1F));
        assert_int_equal(bf16_from_dst16(dst16_from_bf16(b)).bits, x);
        assert_int_equal(fp16_from_dst16(dst16_from_fp16(h)).bits, x);
        const uint32_t word = x << 16 | (x ^ 0x5A5A);
        assert_int_equal(dst32_from_bits(word).bits, as_bf16 << 16 | (x ^ 0x5A5A));
        assert_int_equal(bits_from_dst32(dst32_from_bits(word)), word);
    }
}

/* MOVD2A, MOVD2B: all ten bits of mantissa arrive; the mask of the manual would lose three of them. */
static void fp32_in_dst_to_tf32_in_src(void **state)
{
    (void)state;
    for (uint32_t high = 0; high < 65536; high++) {
        const uint32_t x = high << 16 | 0xBFFF;
        assert_int_equal(src_from_dst32_tf32(dst32_from_bits(x)).bits, src_from_tf32((struct tf32){x >> 13}).bits);
        assert_int_equal(src_from_dst32_low13((struct dst32_cell){x}).bits, 0x1FFF);
    }
}

static void moves_flush_cells_without_exponent(void **state)
{
    (void)state;
    assert_int_equal(src_flush((struct src_cell){0x40100}).bits, 0);
    assert_int_equal(src_flush((struct src_cell){0x40101}).bits, 0x40101);
}

static void sign_magnitude_and_twos_complement(void **state)
{
    (void)state;
    assert_int_equal(twos32_from_sm32((struct int32_sm){0x80000000u}), 0);
    assert_int_equal(twos32_from_sm32((struct int32_sm){0x80000005u}), (uint32_t)-5);
    assert_int_equal(sm32_from_twos32_clamp((uint32_t)-5).bits, 0x80000005u);
    assert_int_equal(sm32_from_twos32_clamp(0x80000000u).bits, 0xFFFFFFFFu);
    assert_int_equal(sm32_twos32_swap(0x80000000u), 0x80000000u); /* -0 and the smallest number */
    for (uint32_t x = 0; x < 65536; x++) {
        const uint32_t sm = x >> 15 << 31 | (x & 0x7FFF);
        const int32_t value = x >> 15 ? -(int32_t)(x & 0x7FFF) : (int32_t)x;
        assert_int_equal((int16_t)twos16_from_sm16((struct int16_sm){(uint16_t)x}), value);
        assert_int_equal((int32_t)twos32_from_sm32((struct int32_sm){sm}), value);
        if (value != 0 || x == 0) {
            assert_int_equal(sm16_from_twos16_clamp((uint16_t)value).bits, x);
            assert_int_equal(sm32_from_twos32_clamp((uint32_t)value).bits, sm);
            assert_int_equal(sm32_twos32_swap(sm), (uint32_t)value);
            assert_int_equal(sm32_twos32_swap((uint32_t)value), sm);
        }
    }
    assert_int_equal(sm16_from_twos16_clamp(0x8000).bits, 0xFFFF);
}

/* The T cores' window, by hand from the page: a case for each fmt, both ways. */
static void the_window_onto_dst(void **state)
{
    (void)state;
    const struct dst_window fp32 = {.fmt = 0}, int32 = {.fmt = 1}, fp16 = {.fmt = 2}, bf16 = {.fmt = 3},
                            int16 = {.fmt = 4}, int8 = {.fmt = 5}, uint8 = {.fmt = 5, .unsigned_int = true},
                            raw = {.fmt = 1, .no_swizzle = true};
    assert_int_equal(dst_window_store32(fp32, 0x3F801234).bits, 0x007F1234);
    assert_int_equal(dst_window_load32(fp32, (struct dst32_cell){0x007F1234}), 0x3F801234);
    assert_int_equal(dst_window_store32(int32, (uint32_t)-1).bits, 0x80000001u);
    assert_int_equal(dst_window_load32(int32, (struct dst32_cell){0x80000001u}), (uint32_t)-1);
    assert_int_equal(dst_window_store32(raw, 0x80000001u).bits, 0x80000001u);
    assert_int_equal(dst_window_load32(raw, (struct dst32_cell){0x80000001u}), 0x80000001u);
    assert_int_equal(dst_window_store16(fp16, 0x3C01).bits, 0x002F);
    assert_int_equal(dst_window_load16(fp16, (struct dst16_cell){0x002F}), 0x3C01);
    assert_int_equal(dst_window_store16(bf16, 0x3F81).bits, 0x017F);
    assert_int_equal(dst_window_load16(bf16, (struct dst16_cell){0x017F}), 0x3F81);
    assert_int_equal(dst_window_store16(int16, (uint16_t)-2).bits, 0x8002);
    assert_int_equal(dst_window_load16(int16, (struct dst16_cell){0x8002}), (uint16_t)-2);
    assert_int_equal(dst_window_store8(uint8, 0x81).bits, 0x81 << 5 | 16);
    assert_int_equal(dst_window_load8(uint8, (struct dst16_cell){0x81 << 5 | 16}), 0x81);
    assert_int_equal(dst_window_store8(int8, 0).bits, 0);
    assert_int_equal(dst_window_store8(int8, 5).bits, 5 << 5 | 16);
    assert_int_equal(dst_window_load8(int8, (struct dst16_cell){0x8000 | 5 << 5 | 16}), (uint8_t)-5);
    assert_int_equal(dst_window_store8(int8, 0xFF).bits, 0x8000 | 0x81 << 5 | 16); /* not what it was meant to be */
    assert_int_equal(dst_window_store8(int8, 0x80).bits, 0x8000 | 0xFF << 5 | 16);
}

/* SFPLOAD, SFPSTORE and SFPLOADI with FP16, which no reference takes. */
static void fp16_of_the_vector_unit(void **state)
{
    (void)state;
    for (uint32_t x = 0; x < 65536; x++) {
        const struct fp16 h = {(uint16_t)x};
        const uint32_t sign = x >> 15 << 31, exponent = x >> 10 & 31, mantissa = x & 0x3FF;
        const uint32_t rebiased = sign | (exponent + 112) << 23 | mantissa << 13;
        assert_int_equal(fp32_from_fp16_rebias(h).bits, rebiased);
        const uint32_t loaded = exponent ? rebiased : sign | mantissa << 13;
        assert_int_equal(lreg_from_dst16_fp16(dst16_from_fp16(h), false), loaded);
        assert_int_equal(lreg_from_dst16_fp16(dst16_from_fp16(h), true),
                         (x & 0x7FFF) == 0x7FFF ? sign | 0x7F800000u : loaded);
        if (exponent) {
            assert_int_equal(dst16_from_lreg_fp16(rebiased | 0x1FFF).bits, dst16_from_fp16(h).bits); /* truncated */
        }
    }
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0x387FFFFF)).bits, 0);      /* just below 2^-14 */
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0xB87FFFFF)).bits, 0x8000); /* keeps its sign */
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0x47FFFFFF)).bits,
                     0x7FFF); /* below 2^17: the highest exponent counts */
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0x477FE000)).bits, 0x7BFF);
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0x47800000)).bits, 0x7C00);
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0x48000000)).bits, 0x7FFF); /* saturates */
    assert_int_equal(fp16_from_dst16(dst16_from_lreg_fp16(0xFFC00000)).bits, 0xFFFF); /* NaN too */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_those_of_the_headers),
        cmocka_unit_test(sizes_of_a_tile),
        cmocka_unit_test(a_variants_differ_in_their_exponent),
        cmocka_unit_test(a_src_cell_is_sign_mantissa_exponent),
        cmocka_unit_test(bf16_and_fp16_in_a_src_cell),
        cmocka_unit_test(integer_8_lies_over_fp16),
        cmocka_unit_test(bits_in_dst),
        cmocka_unit_test(fp32_in_dst_to_tf32_in_src),
        cmocka_unit_test(moves_flush_cells_without_exponent),
        cmocka_unit_test(sign_magnitude_and_twos_complement),
        cmocka_unit_test(the_window_onto_dst),
        cmocka_unit_test(fp16_of_the_vector_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

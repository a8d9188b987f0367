/* SPDX-License-Identifier: Apache-2.0 */
/* What the fast forms (fast.c) work with, whatever the processor: a mode as masks and shifts, and what is kept of SrcA and SrcB. */
#ifndef KERR_TENSIX_MATRIX_FAST_MODE_H
#define KERR_TENSIX_MATRIX_FAST_MODE_H

#include "tensix/matrix/kernel.h"

/* Added to the exponents of factors and, twice, of products: none is negative, and zero is far below. */
enum { FAST_FACTOR_BIAS = 1024, FAST_EXPONENT_BIAS = 2048 };

/* Keys of what is kept of both phases at once: fast_elements.h, fast_body_floats.h (with the style). */
enum { INTEGERS_KEY = 0x2000, FLOATS_KEY = 0x1000 };

/* A mode as masks and shifts. */
struct fast_mode {
    uint32_t a_exponent, b_exponent; /* bits of a cell */
    uint32_t a_mantissa, b_mantissa; /* of cell >> 8 */
    uint32_t a_shift, a_part, a_hidden;
    uint32_t a_exponent_twice, a_part_twice, a_hidden_twice, factor_bias_twice; /* in both halves */
    uint32_t b_half_shift, b_part, b_up, b_hidden;
    uint32_t a_shift_14, a_part_14, a_hidden_14, b_shift_14, b_part_14, b_hidden_14; /* of products of elements */
    uint32_t a_integer, b_integer;                                                   /* of cell >> 8 */
    uint32_t a_key, b_key;                                  /* of what is kept in a cache; not zero */
    int32_t bias, product_bias, bias_of_sum, zero_exponent; /* all but the first with FAST_EXPONENT_BIAS */
    uint32_t dst_exponent, dst_high, dst_low;               /* of a datum >> 16, >> 8 and as it is */
    uint32_t dst_high_out, hidden, sign, low_half;
    uint32_t half, kept; /* rounding below bit 30 */
    int32_t round, round_places;
    int32_t exponent_of_length, largest;
    uint32_t too_large;
    /* fast_body_floats.h: exponents as FP32 has them, bytes four times; of SrcA and SrcB, and of Dst */
    uint32_t floats_offset, floats_dst_offset, floats_top, floats_zero, floats_zero_c, floats_product_c, floats_lowest;
    uint32_t floats_dst_bits, floats_half, floats_low_a, floats_low_b, floats_a_key, floats_b_key;
    bool dst32, keep_zero_b, integers, lowest;
};

/* fast_mode of (style of SrcA, of SrcB, phase, dst32, keep_zero_b), all of them constants: BIAS is matrix_bias of arith.h. */
#define FIVE(a, dst32) ((a) == MATRIX_FP16 && !(dst32))
#define BIAS(a, phase, dst32)                                                                                          \
    (((a) != MATRIX_FP16 ? -127 : (dst32) ? 97 : -15) - ((phase)&1 ? 5 : 0) - ((phase)&2 ? 7 : 0))
/* What a phase takes from exponents, and the exponent of nothing, as FP32 has it. */
#define LESS(phase) (((phase)&1 ? 5u : 0u) + ((phase)&2 ? 7u : 0u))
#define FLOATS_ZERO(a, phase, dst32) ((a) != MATRIX_FP16 ? 0u : (dst32) ? 97u - LESS(phase) : 112u)
#define KEPT(a, dst32) ((dst32) ? 24 : FIVE(a, dst32) ? 11 : 8)
#define EXPONENT_BITS(style) ((style) == MATRIX_FP16 ? 0x1F : 0xFF)
#define MANTISSA_BITS(style) ((style) == MATRIX_BF16 ? 0x3F8 : 0x3FF)
/* Twice the five bits of SrcA; the seven of SrcB. */
#define PART_A(a, phase) ((phase)&1 ? 0x3E & MANTISSA_BITS(a) : 0x1E)
#define PART_B(b, phase) ((phase)&2 ? 0xF & MANTISSA_BITS(b) : 0x3F)
#define BOTH 0x10001u
/* clang-format off */
#define MODE(a_, b_, phase, dst32_, keep) {                                                                            \
    .a_exponent = EXPONENT_BITS(a_), .b_exponent = EXPONENT_BITS(b_),                                                  \
    .a_mantissa = MANTISSA_BITS(a_), .b_mantissa = MANTISSA_BITS(b_),                                                  \
    .a_shift = (phase) & 1 ? 8 : 13, .a_part = PART_A(a_, phase), .a_hidden = (phase) & 1 ? 0 : 0x20,                  \
    .a_exponent_twice = EXPONENT_BITS(a_) * BOTH, .a_part_twice = PART_A(a_, phase) * BOTH,                            \
    .a_hidden_twice = ((phase) & 1 ? 0 : 0x20) * BOTH, .factor_bias_twice = FAST_FACTOR_BIAS * BOTH,                   \
    .b_half_shift = (phase) & 2 ? 0 : 4, .b_part = PART_B(b_, phase),                 \
    .b_up = (phase) & 2 ? 3 : 0, .b_hidden = (phase) & 2 ? 0 : 0x40,                                                   \
    .a_shift_14 = (phase) & 1 ? 0 : 5, .a_part_14 = PART_A(a_, phase) << 8, .a_hidden_14 = (phase) & 1 ? 0 : 0x2000,   \
    .b_shift_14 = (phase) & 2 ? 0 : 7, .b_part_14 = PART_B(b_, phase) << ((phase) & 2 ? 8 : 5),                        \
    .b_hidden_14 = (phase) & 2 ? 0 : 0x800,                                                                            \
    .a_integer = (phase) & 1 ? 0x1F : 0xE0, .b_integer = (phase) & 2 ? 0x0F : 0x3F0,                                   \
    .a_key = (a_) == MATRIX_INT8 ? INTEGERS_KEY : 1 + ((a_) << 1 | ((phase) & 1)),                                                                          \
    .b_key = (a_) == MATRIX_INT8 ? INTEGERS_KEY + (keep) : 1 + ((b_) << 4 | (phase) << 2 | (dst32_) << 1 | (keep)),                                                  \
    .bias = BIAS(a_, phase, dst32_), .product_bias = BIAS(a_, phase, dst32_) + FAST_EXPONENT_BIAS,                     \
    .bias_of_sum = BIAS(a_, phase, dst32_) + ((a_) == MATRIX_FP16 ? 15 : 127) + FAST_EXPONENT_BIAS,                    \
    .zero_exponent = (BIAS(a_, phase, dst32_) > 0 ? BIAS(a_, phase, dst32_) : 0) + FAST_EXPONENT_BIAS,                 \
    .dst_exponent = FIVE(a_, dst32_) ? 0x1F : 0xFF, .dst_high = FIVE(a_, dst32_) ? 0x7FE000 : 0x7F0000,                \
    .dst_high_out = FIVE(a_, dst32_) ? 0x7FE00000 : 0x7F000000, .dst_low = (dst32_) ? 0xFFFF : 0,                      \
    .hidden = 0x800000, .sign = 0x80000000, .low_half = 0xFFFF,                                                        \
    .half = UINT32_C(1) << (30 - KEPT(a_, dst32_)), .kept = ~((UINT32_C(2) << (30 - KEPT(a_, dst32_))) - 1),           \
    .round = (dst32_) ? 1 : 1 + (1 << 13), .round_places = (dst32_) ? 1 : 14,                                          \
    .exponent_of_length = ((dst32_) ? 8 : 8 + 13) - FAST_EXPONENT_BIAS,                                                \
    .largest = FIVE(a_, dst32_) ? 31 : 254, .too_large = FIVE(a_, dst32_) ? 0x7FE00000 | 31u << 16 : 255u << 16,       \
    .floats_offset = (a_) == MATRIX_FP16 ? 112 : 0, .floats_dst_offset = FIVE(a_, dst32_) ? 112 : 0,                   \
    .floats_top = (254 - LESS(phase)) * 0x01010101u, .floats_zero = (13 + FLOATS_ZERO(a_, phase, dst32_)) * 0x01010101u, \
    .floats_zero_c = (13 + FLOATS_ZERO(a_, phase, dst32_)) << 23 | 0x400000, .floats_product_c = ((13u - 127u - LESS(phase)) << 23) + 0x400000, .floats_lowest = 127 + 24 + LESS(phase),  \
    .floats_dst_bits = FIVE(a_, dst32_) ? 0xFFFFE000 : 0xFFFF0000, .floats_half = FIVE(a_, dst32_) ? 0x1000 : 0x8000,  \
    .floats_low_a = (phase) & 1, .floats_low_b = (phase) >> 1, .floats_a_key = FLOATS_KEY + (a_),                          \
    .floats_b_key = FLOATS_KEY + (b_),                                                                                     \
    .dst32 = (dst32_), .keep_zero_b = (keep), .integers = (a_) == MATRIX_INT8, .lowest = (keep) || (phase)}
#define MODES_KEEP(a, b, phase, dst32) {MODE(a, b, phase, dst32, 0), MODE(a, b, phase, dst32, 1)}
#define MODES_DST(a, b, phase) {MODES_KEEP(a, b, phase, 0), MODES_KEEP(a, b, phase, 1)}
#define MODES_PHASE(a, b) {MODES_DST(a, b, 0), MODES_DST(a, b, 1), MODES_DST(a, b, 2), MODES_DST(a, b, 3)}
/* clang-format on */

enum { STYLES = MATRIX_INT8 + 1 };
static const struct fast_mode fast_modes[STYLES][STYLES][4][2][2] = {
    [MATRIX_BF16] =
        {[MATRIX_BF16] = MODES_PHASE(MATRIX_BF16, MATRIX_BF16), [MATRIX_TF32] = MODES_PHASE(MATRIX_BF16, MATRIX_TF32)},
    [MATRIX_TF32] =
        {[MATRIX_BF16] = MODES_PHASE(MATRIX_TF32, MATRIX_BF16), [MATRIX_TF32] = MODES_PHASE(MATRIX_TF32, MATRIX_TF32)},
    [MATRIX_FP16] = {[MATRIX_FP16] = MODES_PHASE(MATRIX_FP16, MATRIX_FP16)},
    [MATRIX_INT8] = {[MATRIX_INT8] = MODES_PHASE(MATRIX_INT8, MATRIX_INT8)},
};

static inline const struct fast_mode *fast_mode_of(const struct matrix_mode *m)
{
    return &fast_modes[m->a][m->b][m->phase][m->dst32][m->keep_zero_b];
}
static inline const struct fast_mode *fast_phase(const struct fast_mode *modes, unsigned phase)
{
    return modes + phase * (sizeof fast_modes[0][0][0] / sizeof fast_modes[0][0][0][0][0]);
}

/* 16 rows of SrcA: exponents, the parts of this phase, signs, each twice, in both halves of a word; parts are doubled. */
struct fast_factors_a {
    uint32_t exponent[256], part[256], sign[256];
};
_Static_assert(sizeof(struct fast_factors_a) == sizeof((struct matrix_cached_a *)0)->factors, "kept there");

/* Two rows of SrcB, the even one in the low half of each word: exponents with the bias, the parts of this phase, signs. */
struct fast_factors_b {
    uint32_t exponent[16], part[16], sign[16];
};
_Static_assert(4 * sizeof(struct fast_factors_b) <= sizeof((struct matrix_cached_b *)0)->factors, "kept there");

/* fast_body_floats.h: exponents as what they are below FLOATS_TOP, and the numbers. */
enum { FLOATS_TOP = 184, FLOATS_LOW = 24, FLOATS_NUDGE_B = 0x100, FLOATS_NUDGE_DST = 0x800 };
enum { FLOATS_EXPONENT = 0x7F800000, FLOATS_MIDDLE = 0x400000, FLOATS_UNIT = 13 << 23 };
struct floats_a {
    uint32_t below[256]; /* the same byte four times */
    float part[2][256];  /* by the low bit of the phase */
};
struct floats_b {
    uint32_t below[2][16]; /* rows 0 to 3 and 4 to 7 */
    float part[2][8][16];  /* by the high bit of the phase */
};
_Static_assert(sizeof(struct floats_a) == sizeof((struct matrix_cached_a *)0)->factors, "kept there");
_Static_assert(sizeof(struct floats_b) == sizeof((struct matrix_cached_b *)0)->factors, "kept there");

/* Bits of the two phases of SrcA and of SrcB, of cell >> 8, and where the lowest of them is. */
enum { INTEGER_PHASES = 2, INTEGER_OFFSET = 32 };
static const uint32_t integer_bits_a[INTEGER_PHASES] = {0xE0, 0x1F}, integer_bits_b[INTEGER_PHASES] = {0x3F0, 0x0F};
static const uint8_t integer_shift_a[INTEGER_PHASES] = {5, 0}, integer_shift_b[INTEGER_PHASES] = {4, 0};

/* fast_elements.h, by phase: four rows of SrcA in the bytes of each word; four columns of SrcB; and what is too much. */
struct integers_a {
    uint32_t bytes[INTEGER_PHASES][4 * MATRIX_COLUMNS];
};
struct integers_b {
    uint32_t bytes[INTEGER_PHASES][4 * MATRIX_ROWS];
    int32_t too_much[INTEGER_PHASES][INTEGER_PHASES][MATRIX_ROWS]; /* of SrcB, of SrcA */
    int32_t less[INTEGER_PHASES][MATRIX_ROWS];                     /* minus that, before bits are shifted up again */
};
_Static_assert(sizeof(struct integers_a) <= sizeof((struct matrix_cached_a *)0)->factors, "kept there");
_Static_assert(sizeof(struct integers_b) <= sizeof((struct matrix_cached_b *)0)->factors, "kept there");

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's conversions in rows of 16: loops without branches that compilers turn into vector code.  The configuration is looked at
 * once a row: each way through the steps of pack_steps.h becomes a loop of its own, since its arguments are constants. */
#include "base/simd.h"
#include "num/pack_steps.h"
#include "num/vec.h"

#include <string.h>

#define INLINE VEC_INLINE

typedef uint16_t vec16x16 __attribute__((vector_size(32)));
typedef int16_t vec16s16 __attribute__((vector_size(32)));

#define PACK(name) name##_8
#define PACK_VECTOR vec8x16
#define PACK_SIGNED vec8s16
#include "num/pack_lanes.h"
#define PACK(name) name##_16
#define PACK_VECTOR vec16x16
#define PACK_SIGNED vec16s16
#include "num/pack_lanes.h"
#ifdef __x86_64__
#include "num/pack_bfp_avx512.h"
#endif

static void early_e8(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS])
{
    const bool to_six_bits = c.IntermediateFormat == FORMAT_BFP8;
    for (unsigned i = 0; i < ROW_DATUMS; i += 8) {
        const vec8x16 x = bf16_cells_8(vec_load16(cells + i));
        vec_store_wide_high(words + i, c.Read_raw ? x : round_bf16_8(x, to_six_bits));
    }
}

static void early_e5(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS])
{
    const bool to_six_bits = c.IntermediateFormat == FORMAT_BFP8a;
    const uint16_t raw_mask = to_six_bits ? 0xFFF8 : 0xFFFF;
    for (unsigned i = 0; i < ROW_DATUMS; i += 8) {
        const vec8x16 x = fp16_cells_8(vec_load16(cells + i));
        if (c.IntermediateFormat == FORMAT_FP8) {
            vec_store_wide(words + i, x & 0xFF00);
        } else {
            vec_store_wide(words + i, c.Read_raw ? x & raw_mask : round_fp16_8(x, to_six_bits));
        }
    }
}

void pack_row_early_dst16(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t cells[ROW_DATUMS])
{
    switch (pack_kind_of(c.IntermediateFormat)) {
    case PACK_E8: early_e8(c, words, cells); break;
    case PACK_E5:
        if (c.Round_10b_mant && !c.Read_raw) {
            for (unsigned i = 0; i < ROW_DATUMS; i++) {
                words[i] = early_from_16(c, cells[i]);
            }
        } else {
            early_e5(c, words, cells);
        }
        break;
    case PACK_INT8:
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            words[i] = early_from_16(c, cells[i]);
        }
        break;
    default:
        for (unsigned i = 0; i < ROW_DATUMS; i += 8) {
            vec_store_wide(words + i, vec_load16(cells + i));
        }
    }
}

INLINE void early32(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t high[ROW_DATUMS],
                    const uint16_t low[ROW_DATUMS])
{
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        words[i] = early_from_32(c, (struct dst32_cell){(uint32_t)high[i] << 16 | low[i]});
    }
}

void pack_row_early_dst32(struct pack_conversion c, uint32_t words[ROW_DATUMS], const uint16_t high[ROW_DATUMS],
                          const uint16_t low[ROW_DATUMS])
{
#define AS(format, raw, ten_bits)                                                                                      \
    early32((struct pack_conversion){.IntermediateFormat = format, .Read_raw = raw, .Round_10b_mant = ten_bits},       \
            words, high, low)
    const bool ten_bits = c.Round_10b_mant && !c.Read_raw;
    switch (c.IntermediateFormat) {
    case FORMAT_FP32: ten_bits ? AS(FORMAT_TF32, false, false) : AS(FORMAT_INT32, true, false); break;
    case FORMAT_TF32:
    case FORMAT_FP16:
    case FORMAT_BFP8a:
    case FORMAT_FP8: c.Read_raw ? AS(FORMAT_INT32, true, false) : AS(FORMAT_TF32, false, false); break;
    case FORMAT_BF16:
        if (ten_bits) {
            AS(FORMAT_TF32, false, false);
        } else {
            c.Read_raw ? AS(FORMAT_BF16, true, false) : AS(FORMAT_BF16, false, false);
        }
        break;
    case FORMAT_BFP8: c.Read_raw ? AS(FORMAT_BFP8, true, false) : AS(FORMAT_BFP8, false, false); break;
    case FORMAT_INT8:
        if (c.Read_raw || c.ShiftAmount & 31) {
            early32(c, words, high, low);
        } else if (c.Read_unsigned) {
            early32((struct pack_conversion){.IntermediateFormat = FORMAT_INT8, .Read_unsigned = true}, words, high,
                    low);
        } else {
            AS(FORMAT_INT8, false, false);
        }
        break;
    case FORMAT_INT16: AS(FORMAT_INT16, true, false); break;
    default: AS(FORMAT_INT32, true, false); break;
    }
#undef AS
}

/* ---- late ---- */

#define EACH(array, expression)                                                                                        \
    for (unsigned i = 0; i < ROW_DATUMS; i++) {                                                                        \
        const uint32_t x = words[i];                                                                                   \
        (array)[i] = expression;                                                                                       \
    }

/* As late_to_e8 of the reference, but for the bits that it clears. */
static void row_to_e8(unsigned from, uint32_t out[ROW_DATUMS], const uint32_t words[ROW_DATUMS], unsigned to_bits)
{
    const bool narrows = pack_mantissa_bits(from) > to_bits;
    if (pack_kind_of(from) == PACK_E5 && narrows) {
        EACH(out, e8_flush(fp32_from_fp16_keep_zero_exponent((struct fp16){(uint16_t)x}).bits));
    } else if (pack_kind_of(from) == PACK_E5) {
        EACH(out, fp32_from_fp16_keep_zero_exponent((struct fp16){(uint16_t)x}).bits);
    } else if (narrows) {
        EACH(out, e8_flush(x));
    } else {
        memcpy(out, words, ROW_DATUMS * sizeof out[0]);
    }
}

static void row_to_e5(unsigned from, uint16_t out[ROW_DATUMS], const uint32_t words[ROW_DATUMS], unsigned to_bits)
{
    if (pack_kind_of(from) == PACK_E8) {
        EACH(out, fp16_from_fp32_saturate_trunc((struct fp32){x}).bits);
    } else if (pack_mantissa_bits(from) > to_bits) {
        EACH(out, (uint16_t)e5_flush(x));
    } else {
        vec_store16(out, vec_load_narrow(words));
        vec_store16(out + 8, vec_load_narrow(words + 8));
    }
}

INLINE uint16_t highest(vec8x16 x)
{
    x = larger_8(x, VEC_SHUFFLE(x, x, 4, 5, 6, 7, 0, 1, 2, 3));
    x = larger_8(x, VEC_SHUFFLE(x, x, 2, 3, 0, 1, 6, 7, 4, 5));
    x = larger_8(x, VEC_SHUFFLE(x, x, 1, 0, 3, 2, 5, 4, 7, 6));
    return x[0];
}

/* 8 datums of 4 or 2 bits, one a byte, into the low bytes. */
INLINE uint32_t gather(uint64_t x, unsigned bits)
{
    if (bits == 4) {
        x = (x | x >> 4) & 0x00FF00FF00FF00FFu;
        x = (x | x >> 8) & 0x0000FFFF0000FFFFu;
        return (uint32_t)(x | x >> 16);
    }
    x = (x | x >> 6) & 0x000F000F000F000Fu;
    x = (x | x >> 12) & 0x000000FF000000FFu;
    return (uint32_t)((x | x >> 24) & 0xFFFF);
}

static uint8_t row_to_bfp(unsigned from, unsigned to, uint8_t *bytes, const uint32_t words[ROW_DATUMS])
{
    vec8x16 floats[2];
    if (pack_kind_of(to) == PACK_E5) {
        uint16_t half[ROW_DATUMS];
        row_to_e5(from, half, words, 7);
        for (unsigned i = 0; i < 2; i++) {
            const vec8x16 x = vec_load16(half + 8 * i);
            floats[i] = (x & 0x8000) | (x & 0x7FF8) >> 3;
        }
    } else {
        uint32_t wide[ROW_DATUMS];
        row_to_e8(from, wide, words, 7);
        floats[0] = vec_load_narrow_high(wide);
        floats[1] = vec_load_narrow_high(wide + 8);
    }
    const vec8x16 exponents[2] = {floats[0] >> 7 & 0xFF, floats[1] >> 7 & 0xFF};
    const uint16_t exponent = highest(larger_8(exponents[0], exponents[1]));
    const unsigned bits = format_bits(to);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t datums;
        vec_store8(&datums, block_of_8(floats[i], exponent, 8 - bits));
        if (bits < 8) {
            datums = gather(datums, bits);
        }
        memcpy(bytes + i * bits, &datums, bits);
    }
    return (uint8_t)exponent;
}

static void row_to_fp8(struct pack_conversion c, uint8_t *bytes, const uint32_t words[ROW_DATUMS])
{
    uint16_t half[ROW_DATUMS];
    row_to_e5(pack_late_from(c), half, words, c.Exponent4b ? 10 : 2);
    if (c.Exponent4b) {
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            bytes[i] = fp8_e4m3_from_fp16((struct fp16){half[i]}).bits;
        }
    } else {
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            bytes[i] = (uint8_t)(half[i] >> 8);
        }
    }
}

unsigned pack_row_late(struct pack_conversion c, uint8_t bytes[4 * ROW_DATUMS], uint8_t *exponent,
                       const uint32_t words[ROW_DATUMS])
{
    const unsigned from = pack_late_from(c);
    uint32_t wide[ROW_DATUMS];
    uint16_t half[ROW_DATUMS];
    switch (c.LateToFormat) {
    case FORMAT_FP32: row_to_e8(from, wide, words, 23); break;
    case FORMAT_TF32:
        row_to_e8(from, wide, words, 10);
        for (unsigned i = 0; i < ROW_DATUMS; i++) {
            wide[i] &= 0xFFFFE000u;
        }
        break;
    case FORMAT_BF16:
        row_to_e8(from, wide, words, 7);
        vec_store16(half, vec_load_narrow_high(wide));
        vec_store16(half + 8, vec_load_narrow_high(wide + 8));
        break;
    case FORMAT_FP16: row_to_e5(from, half, words, 10); break;
    case FORMAT_INT16:
        vec_store16(half, vec_load_narrow(words));
        vec_store16(half + 8, vec_load_narrow(words + 8));
        break;
    case FORMAT_FP8: row_to_fp8(c, bytes, words); return ROW_DATUMS;
    case FORMAT_INT8: EACH(bytes, (uint8_t)x); return ROW_DATUMS;
    case FORMAT_INT32: memcpy(wide, words, sizeof wide); break;
    default: *exponent = row_to_bfp(from, c.LateToFormat, bytes, words); return 2 * format_bits(c.LateToFormat);
    }
    if (format_bits(c.LateToFormat) == 32) {
        memcpy(bytes, wide, sizeof wide); /* hosts are little endian */
        return sizeof wide;
    }
    memcpy(bytes, half, sizeof half);
    return sizeof half;
}

/* ---- both conversions at once ---- */

enum pack_way pack_way_of(struct pack_conversion c)
{
    const bool plain = !c.Read_raw && !c.Round_10b_mant && c.IntermediateFormat == c.LateFromFormat;
    const unsigned from = c.IntermediateFormat, to = c.LateToFormat;
    if (!plain || (from == FORMAT_BFP8 && to != FORMAT_BFP8 && to != FORMAT_BFP4)) {
        return PACK_WAY_NONE;
    }
    const bool to_bfp = to == FORMAT_BFP8 || to == FORMAT_BFP4;
    if (c.Read_32b_data) {
        if ((from == FORMAT_FP32 || from == FORMAT_INT32) && from == to) {
            return PACK_WAY_32_AS_IS;
        }
        if (from == FORMAT_BF16 && to == FORMAT_BF16) {
            return PACK_WAY_32_TO_BF16;
        }
        return !to_bfp               ? PACK_WAY_NONE
               : from == FORMAT_BFP8 ? PACK_WAY_32_TO_BFP
               : from == FORMAT_FP32 ? PACK_WAY_32_CUT_TO_BFP
                                     : PACK_WAY_NONE;
    }
    if (from == FORMAT_BF16 && to == FORMAT_BF16) {
        return PACK_WAY_BF16;
    }
    if (from == FORMAT_BF16 && to == FORMAT_FP32) {
        return PACK_WAY_BF16_TO_FP32;
    }
    if (from == FORMAT_FP16 && to == FORMAT_FP16) {
        return PACK_WAY_FP16;
    }
    if (from == FORMAT_INT16 && to == FORMAT_INT16) {
        return PACK_WAY_16_AS_IS;
    }
    return !to_bfp               ? PACK_WAY_NONE
           : from == FORMAT_BF16 ? PACK_WAY_BF16_TO_BFP
           : from == FORMAT_BFP8 ? PACK_WAY_E8M6_TO_BFP
                                 : PACK_WAY_NONE;
}

/* A row in one vector; a machine without such vectors has it in two halves. */
INLINE vec16x16 load_row(const uint16_t *from)
{
    vec16x16 x;
    memcpy(&x, from, sizeof x);
    return x;
}
INLINE void store_row(void *to, vec16x16 x)
{
    memcpy(to, &x, sizeof x);
}

/* Words of an FP32, from high halves in the order of BF16 and low halves. */
INLINE void store_words(uint8_t *bytes, vec16x16 high, vec16x16 low)
{
    typedef uint32_t vec16x32 __attribute__((vector_size(64)));
    const vec16x32 words = __builtin_convertvector(high, vec16x32) << 16 | __builtin_convertvector(low, vec16x32);
    memcpy(bytes, &words, sizeof words);
}

INLINE uint8_t store_bfp(uint8_t *bytes, vec16x16 row, unsigned bits)
{
    const vec16x16 exponents = row >> 7 & 0xFF;
    vec8x16 half[2];
    memcpy(half, &exponents, sizeof half);
    const uint16_t exponent = highest(larger_8(half[0], half[1]));
    typedef uint8_t vec16x8 __attribute__((vector_size(16)));
    const vec16x8 narrow = __builtin_convertvector(block_of_16(row, exponent, 8 - bits), vec16x8);
    if (bits == 8) {
        memcpy(bytes, &narrow, sizeof narrow);
        return (uint8_t)exponent;
    }
    uint64_t datums[2];
    memcpy(datums, &narrow, sizeof datums);
    for (unsigned i = 0; i < 2; i++) {
        datums[i] = gather(datums[i], bits);
        memcpy(bytes + i * bits, &datums[i], bits);
    }
    return (uint8_t)exponent;
}

INLINE vec16x16 way_float(enum pack_way way, const uint16_t *high, const uint16_t *low)
{
    const vec16x16 x = bf16_cells_16(load_row(high));
    switch (way) {
    case PACK_WAY_BF16_TO_BFP: return round_bf16_16(x, false);
    case PACK_WAY_E8M6_TO_BFP: return round_bf16_16(x, true);
    case PACK_WAY_32_TO_BFP: return round_halves_16(x, load_row(low), true);
    default: return x & (vec16x16)((x & 0x7F80) != 0);
    }
}

INLINE unsigned way_bfp(enum pack_way way, unsigned bits, unsigned rows, uint8_t *bytes, uint8_t *exponents,
                        const uint16_t *const cells[], unsigned low)
{
    for (unsigned k = 0; k < rows; k++) {
        const uint16_t *c = cells[k];
        exponents[k] = store_bfp(bytes + 2 * bits * k, way_float(way, c, c + low), bits);
    }
    return 2 * bits * rows;
}

#define EACH_ROW(size, statement)                                                                                      \
    for (unsigned k = 0; k < rows; k++, bytes += ROW_DATUMS * (size)) {                                                \
        const vec16x16 x = load_row(cells[k]);                                                                         \
        statement;                                                                                                     \
    }                                                                                                                  \
    return (size)*ROW_DATUMS * rows

SIMD_CLONES static unsigned way_rows(enum pack_way way, unsigned bits, unsigned rows, uint8_t *bytes,
                                     uint8_t *exponents, const uint16_t *const cells[], unsigned low)
{
    switch (way) {
    case PACK_WAY_BF16: EACH_ROW(2, store_row(bytes, round_bf16_16(bf16_cells_16(x), false)));
    case PACK_WAY_BF16_TO_FP32: EACH_ROW(4, store_words(bytes, round_bf16_16(bf16_cells_16(x), false), (vec16x16){0}));
    case PACK_WAY_FP16: EACH_ROW(2, store_row(bytes, round_fp16_16(fp16_cells_16(x), false)));
    case PACK_WAY_16_AS_IS: EACH_ROW(2, store_row(bytes, x));
    case PACK_WAY_32_AS_IS: EACH_ROW(4, store_words(bytes, bf16_cells_16(x), load_row(cells[k] + low)));
    case PACK_WAY_32_TO_BF16:
        EACH_ROW(2, store_row(bytes, round_halves_16(bf16_cells_16(x), load_row(cells[k] + low), false)));
#define BFP(way)                                                                                                       \
    case way:                                                                                                          \
        return bits == 8 ? way_bfp(way, 8, rows, bytes, exponents, cells, low)                                         \
                         : way_bfp(way, 4, rows, bytes, exponents, cells, low)
        BFP(PACK_WAY_BF16_TO_BFP);
        BFP(PACK_WAY_E8M6_TO_BFP);
        BFP(PACK_WAY_32_TO_BFP);
        BFP(PACK_WAY_32_CUT_TO_BFP);
#undef BFP
    default: return 0;
    }
}

unsigned pack_way_rows(enum pack_way way, unsigned bits, unsigned rows, uint8_t *bytes, uint8_t *exponents,
                       const uint16_t *const cells[], unsigned low)
{
#ifdef __x86_64__
    if (bits == 8 && (way == PACK_WAY_BF16_TO_BFP || way == PACK_WAY_E8M6_TO_BFP) && pack_has_avx512()) {
        bfp8_rows_avx512(way == PACK_WAY_E8M6_TO_BFP, rows, bytes, exponents, cells);
        return ROW_DATUMS * rows;
    }
#endif
    return way_rows(way, bits, rows, bytes, exponents, cells, low);
}

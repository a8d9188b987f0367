/* SPDX-License-Identifier: Apache-2.0 */
/* Ten conversions by the Vector Unit, each as the instructions that set it up and those of its rows (a row: 32 datums, a
 * load's worth), for the kernel typecast.c and for its tests.  Plain C, read by both sides.
 *
 * Dst holds 32 bits a datum, and results replace what was there; datums of 16 bits are in the high halves
 * (RISCV_DEBUG_REG_DBG_FEATURE_DISABLE bit 11).  Where that pays, SFPLOADMACRO has several rows in work at a time (manual
 * SFPLOADMACRO); typecast_plain has the same conversions one instruction after the other. */
#ifndef TYPECAST_H
#define TYPECAST_H

#include "typecast_params.h"

#include "kerr_cfg.h"
#include "kerr_tensix.h"

/* Modes of loads and stores, and address modifiers: one stays on the row, one goes on to the next. */
enum { TC_DEFAULT = 0, TC_BF16 = 2, TC_FP32 = 3, TC_INT32 = 4, TC_UINT16 = 6, TC_NEXT = 6, TC_STAY = 7 };

struct typecast_row {
    const uint32_t *setup, *block;
    uint8_t setup_words, block_words, block_rows;
    uint8_t drain;                 /* SFPNOPs behind the last block */
    uint8_t cycles;                /* per row, while it goes on */
    uint8_t halves_in, halves_out; /* 16 bits that are no float: in the high half, not shuffled as floats are in Dst */
};

/* LReg[index] in all lanes, through its halves. */
#define TC_LREG(index, value)                                                                                          \
    TT_OP_SFPLOADI(index, 10, (value)&0xFFFF), TT_OP_SFPLOADI(index, 8, (value) >> 16 & 0xFFFF)
#define TC_CONSTANT(index, value) TC_LREG(0, value), TT_OP_SFPCONFIG(0, index, 0)
#define TC_SEQUENCE(macro, simple, mad, round, store)                                                                  \
    TC_CONSTANT(4 + (macro), (uint32_t)(store) << 24 | (round) << 16 | (mad) << 8 | (simple))
#define TC_MISC(value) TT_OP_SFPCONFIG(value, 8, 1)
#define TC_MACRO(macro, VD, Mod0, AddrMod) TT_OP_SFPLOADMACRO(macro, (VD)&3, Mod0, AddrMod, 0, (VD) >> 2)
/* Conditional execution is on, with all lanes; no lane is special; loads and stores with TC_NEXT go on by a row. */
#define TC_BEGIN                                                                                                       \
    TT_OP_SETC16(ADDR_MOD_AB_SEC6_SrcAIncr_ADDR32, 0), TT_OP_SETC16(ADDR_MOD_DST_SEC6_DestIncr_ADDR32, 2),             \
        TT_OP_SETC16(ADDR_MOD_AB_SEC7_SrcAIncr_ADDR32, 0), TT_OP_SETC16(ADDR_MOD_DST_SEC7_DestIncr_ADDR32, 0),         \
        TT_OP_SFPCONFIG(0, 15, 1), TT_OP_SFPENCC(0, 3, 0, 0, 10)
/* The rows of a block, in registers that alternate. */
#define TC_2(row) row(0), row(1)
#define TC_8(row) TC_2(row), TC_2(row), TC_2(row), TC_2(row)
#define TC_16(row) TC_8(row), TC_8(row)

/* ---- fp32 to bf16: v + 0x7fff + bit 16 of v, and the high half of that ---- */
static const uint32_t tc_fp32_bf16_setup[] = {TC_BEGIN,
                                              TT_OP_SFPSHFT2_Mod16(-16, 0, 12),
                                              TT_OP_SFPIADD(0, 13, 13, 4),
                                              TT_OP_SFPIADD(0, 2, 14, 4),
                                              TC_SEQUENCE(0, 0xDE, 0x00, 0x84, 0x1B),
                                              TC_SEQUENCE(1, 0x8D, 0x00, 0x00, 0x5B),
                                              TC_MISC(0x312),
                                              TC_CONSTANT(12, 1),
                                              TC_CONSTANT(13, 0x7FFF)};
#define TC_ROW(a) TC_MACRO(0, a, TC_DEFAULT, TC_STAY), TC_MACRO(1, 2, TC_DEFAULT, TC_NEXT), TT_OP_SFPAND(0, 0, 12, a, 0)
static const uint32_t tc_fp32_bf16[] = {TC_8(TC_ROW)};
#undef TC_ROW
static const uint32_t tc_fp32_bf16_plain[] = {TT_OP_SFPLOAD(1, TC_DEFAULT, TC_STAY, 0),
                                              TT_OP_SFPSHFT(-16, 1, 0, 5),
                                              TT_OP_SFPAND(0, 0, 12, 0, 0),
                                              TT_OP_SFPIADD(0, 13, 1, 4),
                                              TT_OP_SFPIADD(0, 0, 1, 4),
                                              TT_OP_SFPSTORE(1, TC_BF16, TC_NEXT, 0)};

/* ---- fp32 to int32 and uint32: the mantissa, shifted; what is too large or negative by lane flags ---- */
static const uint32_t tc_begin[] = {TC_BEGIN};
#define TC_ROW(unused)                                                                                                 \
    TT_OP_SFPLOAD(0, TC_DEFAULT, TC_STAY, 0), TT_OP_SFPLOADI(1, 2, 0), TT_OP_SFPEXEXP(0, 0, 2, 10),                    \
        TT_OP_SFPLOADI(1, 0, 0x8000), TT_OP_SFPIADD(-31, 2, 2, 1), TT_OP_SFPIADD(8, 2, 2, 5),                          \
        TT_OP_SFPEXMAN(0, 0, 1, 0), TT_OP_SFPSHFT(0, 2, 1, 0), TT_OP_SFPENCC(0, 0, 0, 0, 0),                           \
        TT_OP_SFPSETCC(0, 0, 0, 0, 0), TT_OP_SFPIADD(0, 9, 1, 6), TT_OP_SFPENCC(0, 0, 0, 0, 0),                        \
        TT_OP_SFPSTORE(1, TC_INT32, TC_NEXT, 0)
static const uint32_t tc_fp32_int32[] = {TC_2(TC_ROW)};
#undef TC_ROW
#define TC_ROW(unused)                                                                                                 \
    TT_OP_SFPLOAD(0, TC_DEFAULT, TC_STAY, 0), TT_OP_SFPLOADI(1, 2, 0), TT_OP_SFPSETCC(0, 0, 0, 0, 4),                  \
        TT_OP_SFPEXEXP(0, 0, 2, 10), TT_OP_SFPLOADI(1, 4, 0xFFFF), TT_OP_SFPIADD(-32, 2, 2, 1),                        \
        TT_OP_SFPIADD(9, 2, 2, 5), TT_OP_SFPEXMAN(0, 0, 1, 0), TT_OP_SFPSHFT(0, 2, 1, 0),                              \
        TT_OP_SFPENCC(0, 0, 0, 0, 0), TT_OP_SFPSTORE(1, TC_INT32, TC_NEXT, 0)
static const uint32_t tc_fp32_uint32[] = {TC_2(TC_ROW)};
#undef TC_ROW

/* ---- fp32 to uint16: at least 0, then rounded ---- */
static const uint32_t tc_fp32_uint16_setup[] = {TC_BEGIN, TT_OP_SFPSWAP(0, 9, 12, 15),
                                                TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 13, 0, 6),
                                                TC_SEQUENCE(0, 0x84, 0x00, 0x55, 0x5B), TC_MISC(0x106)};
#define TC_ROW(v) TC_MACRO(0, v, TC_DEFAULT, TC_NEXT), TT_OP_SFPNOP()
static const uint32_t tc_fp32_uint16[] = {TC_16(TC_ROW)};
#undef TC_ROW
static const uint32_t tc_fp32_uint16_plain[] = {TT_OP_SFPLOAD(0, TC_DEFAULT, TC_STAY, 0), TT_OP_SFPSWAP(0, 9, 0, 9),
                                                TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 0, 0, 6),
                                                TT_OP_SFPSTORE(0, TC_UINT16, TC_NEXT, 0)};

/* ---- uint32 to fp32: the low 31 bits, and 2^31 if bit 31 is set: LReg[0] or LReg[1], which LReg[7] chooses ---- */
static const uint32_t tc_uint32_fp32_setup[] = {TC_BEGIN,
                                                TT_OP_SFPSETSGN(0, 0, 0, 12, 1),
                                                TT_OP_SFPCAST(2, 13, 0),
                                                TT_OP_SFPSHFT2(0, 0, 12, 14, 5),
                                                TT_OP_SFPMAD(0, 10, 0, 15, 4),
                                                TC_SEQUENCE(0, 0x04, 0x00, 0x00, 0x00),
                                                TC_SEQUENCE(1, 0x85, 0x57, 0x00, 0x00),
                                                TC_SEQUENCE(2, 0x00, 0x00, 0x86, 0x5B),
                                                TC_MISC(0x703),
                                                TC_CONSTANT(12, 0xFFFFFFE1u),
                                                TC_LREG(0, 0),
                                                TC_LREG(1, 0x4F000000)};
#define TC_ROW(unused)                                                                                                 \
    TC_MACRO(0, 2, TC_INT32, TC_STAY), TC_MACRO(1, 3, TC_INT32, TC_STAY), TC_MACRO(2, 7, TC_INT32, TC_NEXT)
static const uint32_t tc_uint32_fp32[] = {TC_8(TC_ROW)};
#undef TC_ROW
#define TC_UINT32_TO_FLOAT                                                                                             \
    TT_OP_SFPLOAD(0, TC_INT32, TC_STAY, 0), TT_OP_SFPSETSGN(0, 0, 0, 1, 1), TT_OP_SFPCAST(1, 2, 0),                    \
        TT_OP_SFPSETCC(0, 0, 0, 0, 0), TT_OP_SFPADDI(0x4F00, 2, 0), TT_OP_SFPENCC(0, 0, 0, 0, 0)
static const uint32_t tc_uint32_fp32_plain[] = {TC_UINT32_TO_FLOAT, TT_OP_SFPSTORE(2, TC_FP32, TC_NEXT, 0)};

/* ---- int32 to fp32: the magnitude with the sign, and -2^31 if that has no magnitude ---- */
static const uint32_t tc_int32_fp32_setup[] = {TC_BEGIN,
                                               TT_OP_SFPSETSGN(0, 0, 4, 12, 0),
                                               TT_OP_SFPMAD(0, 10, 0, 13, 4),
                                               TC_SEQUENCE(0, 0x9C, 0x65, 0x00, 0x73),
                                               TC_MISC(0x103),
                                               TC_CONSTANT(12, 0xFFFFFFE1u),
                                               TC_LREG(0, 0),
                                               TC_LREG(1, 0xCF000000u)};
#define TC_ROW(odd)                                                                                                    \
    TC_MACRO(0, 2 + (odd), TC_INT32, TC_NEXT), TT_OP_SFPABS(0, 2 + (odd), 4, 0), TT_OP_SFPSHFT2(0, 4, 12, 7, 5),       \
        TT_OP_SFPCAST(4, 4, 0)
static const uint32_t tc_int32_fp32[] = {TC_8(TC_ROW)};
#define TC_INT32_TO_FLOAT                                                                                              \
    TT_OP_SFPLOAD(0, TC_INT32, TC_STAY, 0), TT_OP_SFPABS(0, 0, 1, 0), TT_OP_SFPCAST(1, 2, 0),                          \
        TT_OP_SFPSETSGN(0, 0, 2, 0, 0), TT_OP_SFPSETCC(0, 0, 1, 0, 0), TT_OP_SFPADDI(0xCF00, 0, 0),                    \
        TT_OP_SFPENCC(0, 0, 0, 0, 0)
static const uint32_t tc_int32_fp32_plain[] = {TC_INT32_TO_FLOAT, TT_OP_SFPSTORE(0, TC_FP32, TC_NEXT, 0)};

/* ---- int32 to bf16: the same, rounded ---- */
static const uint32_t tc_int32_bf16_setup[] = {TC_BEGIN,
                                               TT_OP_SFPSETSGN(0, 0, 4, 12, 0),
                                               TT_OP_SFPMAD(0, 10, 0, 13, 4),
                                               TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 14, 0, 1),
                                               TC_SEQUENCE(0, 0x9C, 0x25, 0x76, 0x7B),
                                               TC_MISC(0x100),
                                               TC_CONSTANT(12, 0xFFFFFFE1u),
                                               TC_LREG(0, 0),
                                               TC_LREG(1, 0xCF000000u)};
static const uint32_t tc_int32_bf16[] = {TC_8(TC_ROW)};
#undef TC_ROW
static const uint32_t tc_int32_bf16_plain[] = {TC_INT32_TO_FLOAT, TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 0, 0, 1),
                                               TT_OP_SFPSTORE(0, TC_DEFAULT, TC_NEXT, 0)};

/* ---- uint32 to bf16 ---- */
static const uint32_t tc_uint32_bf16_setup[] = {TC_BEGIN,
                                                TT_OP_SFPCAST(0, 12, 0),
                                                TT_OP_SFPMAD(0, 10, 0, 13, 4),
                                                TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 14, 0, 1),
                                                TC_SEQUENCE(0, 0x14, 0x1D, 0x6E, 0x73),
                                                TC_MISC(0x103),
                                                TC_CONSTANT(12, 0xFFFFFFE1u),
                                                TC_LREG(0, 0),
                                                TC_LREG(1, 0x4F000000)};
#define TC_ROW(odd)                                                                                                    \
    TC_MACRO(0, 2 + (odd), TC_INT32, TC_NEXT), TT_OP_SFPSHFT2(0, 2 + (odd), 12, 7, 5),                                 \
        TT_OP_SFPSETSGN(0, 0, 2 + (odd), 2 + (odd), 1)
static const uint32_t tc_uint32_bf16[] = {TC_8(TC_ROW)};
#undef TC_ROW
static const uint32_t tc_uint32_bf16_plain[] = {TC_UINT32_TO_FLOAT, TT_OP_SFP_STOCH_RND(0, 0, 0, 2, 2, 0, 1),
                                                TT_OP_SFPSTORE(2, TC_FP32, TC_NEXT, 0)};

/* ---- uint16 to fp32 and bf16: a row in each cycle ---- */
static const uint32_t tc_uint16_fp32_setup[] = {TC_BEGIN, TT_OP_SFPCAST(0, 12, 0),
                                                TC_SEQUENCE(0, 0x44, 0x00, 0x00, 0x4B), TC_MISC(0x103)};
#define TC_ROW(unused) TC_MACRO(0, 0, TC_UINT16, TC_NEXT)
static const uint32_t tc_uint16_fp32[] = {TC_16(TC_ROW), TC_16(TC_ROW)};
#undef TC_ROW
static const uint32_t tc_uint16_fp32_plain[] = {TT_OP_SFPLOAD(0, TC_UINT16, TC_STAY, 0), TT_OP_SFPCAST(0, 0, 0),
                                                TT_OP_SFPSTORE(0, TC_FP32, TC_NEXT, 0)};
static const uint32_t tc_uint16_bf16_setup[] = {TC_BEGIN, TT_OP_SFPCAST(0, 12, 0),
                                                TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 13, 0, 1),
                                                TC_SEQUENCE(0, 0x04, 0x00, 0x4D, 0x53), TC_MISC(0x100)};
#define TC_ROW(v) TC_MACRO(0, v, TC_UINT16, TC_NEXT)
static const uint32_t tc_uint16_bf16[] = {TC_16(TC_ROW), TC_16(TC_ROW)};
#undef TC_ROW
static const uint32_t tc_uint16_bf16_plain[] = {TT_OP_SFPLOAD(0, TC_UINT16, TC_STAY, 0), TT_OP_SFPCAST(0, 0, 0),
                                                TT_OP_SFP_STOCH_RND(0, 0, 0, 0, 0, 0, 1),
                                                TT_OP_SFPSTORE(0, TC_DEFAULT, TC_NEXT, 0)};

#define TC_WORDS(array) ((uint8_t)(sizeof(array) / sizeof *(array)))
#define TC_OF(setup, block, rows, drain, cycles, halves_in, halves_out)                                                \
    {                                                                                                                  \
        setup, block, TC_WORDS(setup), TC_WORDS(block), rows, drain, cycles, halves_in, halves_out                     \
    }

static const struct typecast_row typecast_rows[TYPECASTS] = {
    [TYPECAST_FP32_BF16] = TC_OF(tc_fp32_bf16_setup, tc_fp32_bf16, 8, 4, 3, 0, 0),
    [TYPECAST_FP32_INT32] = TC_OF(tc_begin, tc_fp32_int32, 2, 0, 13, 0, 0),
    [TYPECAST_FP32_UINT32] = TC_OF(tc_begin, tc_fp32_uint32, 2, 0, 11, 0, 0),
    [TYPECAST_FP32_UINT16] = TC_OF(tc_fp32_uint16_setup, tc_fp32_uint16, 16, 3, 2, 0, 1),
    [TYPECAST_UINT32_FP32] = TC_OF(tc_uint32_fp32_setup, tc_uint32_fp32, 8, 4, 3, 0, 0),
    [TYPECAST_INT32_FP32] = TC_OF(tc_int32_fp32_setup, tc_int32_fp32, 8, 4, 4, 0, 0),
    [TYPECAST_UINT32_BF16] = TC_OF(tc_uint32_bf16_setup, tc_uint32_bf16, 8, 5, 3, 0, 0),
    [TYPECAST_INT32_BF16] = TC_OF(tc_int32_bf16_setup, tc_int32_bf16, 8, 5, 4, 0, 0),
    [TYPECAST_UINT16_FP32] = TC_OF(tc_uint16_fp32_setup, tc_uint16_fp32, 32, 2, 1, 1, 0),
    [TYPECAST_UINT16_BF16] = TC_OF(tc_uint16_bf16_setup, tc_uint16_bf16, 32, 3, 1, 1, 0),
};

/* The same without macros, a row at a time; two of them have no other form. */
static const struct typecast_row typecast_plain[TYPECASTS] = {
    [TYPECAST_FP32_BF16] = TC_OF(tc_fp32_bf16_setup, tc_fp32_bf16_plain, 1, 0, 6, 0, 0),
    [TYPECAST_FP32_INT32] = TC_OF(tc_begin, tc_fp32_int32, 2, 0, 13, 0, 0),
    [TYPECAST_FP32_UINT32] = TC_OF(tc_begin, tc_fp32_uint32, 2, 0, 11, 0, 0),
    [TYPECAST_FP32_UINT16] = TC_OF(tc_begin, tc_fp32_uint16_plain, 1, 0, 5, 0, 1),
    [TYPECAST_UINT32_FP32] = TC_OF(tc_begin, tc_uint32_fp32_plain, 1, 0, 7, 0, 0),
    [TYPECAST_INT32_FP32] = TC_OF(tc_begin, tc_int32_fp32_plain, 1, 0, 8, 0, 0),
    [TYPECAST_UINT32_BF16] = TC_OF(tc_begin, tc_uint32_bf16_plain, 1, 0, 8, 0, 0),
    [TYPECAST_INT32_BF16] = TC_OF(tc_begin, tc_int32_bf16_plain, 1, 0, 9, 0, 0),
    [TYPECAST_UINT16_FP32] = TC_OF(tc_begin, tc_uint16_fp32_plain, 1, 0, 3, 1, 0),
    [TYPECAST_UINT16_BF16] = TC_OF(tc_begin, tc_uint16_bf16_plain, 1, 0, 4, 1, 0),
};

#endif /* TYPECAST_H */

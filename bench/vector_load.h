/* SPDX-License-Identifier: Apache-2.0 */
/* The sfp-* benchmarks: what sdk/examples/vector.c is told to execute on a tile, and what must be in the tile then, from a model
 * in plain C that shares nothing with any library.  Floats are chosen so that every result is exact: no rounding decides.
 *
 *   mad         multiply-adds that are independent of each other, and one that counts
 *   int         additions, shifts and logic, in registers that all depend on each other
 *   lut         tables of three pieces, with the sign of what was looked up
 *   load-store  eight vectors of Dst that change places
 *   cc          decisions in each other, four deep, each with its else
 *   exp         e^x of a whole tile, as the kernel library has it: range, polynomial, squarings under flags, reciprocal of the negative ones */
#ifndef KERR_BENCH_VECTOR_LOAD_H
#define KERR_BENCH_VECTOR_LOAD_H

#include "../sdk/examples/vector.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum vector_kind { VECTOR_MAD, VECTOR_INT, VECTOR_LUT, VECTOR_LOAD_STORE, VECTOR_CC, VECTOR_EXP };
enum {
    VECTOR_TILE = 1024,
    VECTOR_SLOTS = 32,
    VECTOR_LANES = 32,
    VECTOR_TIMES = 32,
    VECTOR_MOPS = 4,
    VECTOR_CC_DEEP = 4
};

/* ---- Words; every field is where isa/tensix.isa has it ---- */

static inline uint32_t vw_load(unsigned VD, unsigned address)
{
    return 0x70u << 24 | VD << 20 | 4u << 16 | 7u << 13 | address; /* MOD0_FMT_INT32, an ADDR_MOD that nobody sets */
}
static inline uint32_t vw_store(unsigned VD, unsigned address)
{
    return 0x72u << 24 | VD << 20 | 4u << 16 | 7u << 13 | address;
}
static inline uint32_t vw_loadi(unsigned VD, unsigned mod, unsigned imm)
{
    return 0x71u << 24 | VD << 20 | mod << 16 | (imm & 0xFFFF);
}
/* All that have VA, VB, VC, VD or an immediate in their place. */
static inline uint32_t vw(unsigned opcode, unsigned high, unsigned VC, unsigned VD, unsigned mod)
{
    return opcode << 24 | (high & 0xFFF) << 12 | VC << 8 | VD << 4 | mod;
}
static inline uint32_t vw_mad(unsigned VA, unsigned VB, unsigned VC, unsigned VD, unsigned mod)
{
    return vw(0x84, VA << 4 | VB, VC, VD, mod);
}
enum {
    VW_LUT = 0x73,
    VW_EXEXP = 0x77,
    VW_IADD = 0x79,
    VW_SHFT = 0x7A,
    VW_SETCC = 0x7B,
    VW_ABS = 0x7D,
    VW_AND = 0x7E,
    VW_OR = 0x7F,
    VW_NOT = 0x80,
    VW_SETEXP = 0x82,
    VW_PUSHC = 0x87,
    VW_POPC = 0x88,
    VW_ENCC = 0x8A,
    VW_COMPC = 0x8B,
    VW_XOR = 0x8D,
    VW_ARECIP = 0x99,
};
enum { VW_ZERO = 9, VW_ONE = 10 }; /* constant registers */
enum { VW_LT0 = 0, VW_NE0 = 2, VW_GTE0 = 4, VW_EQ0 = 6 };
enum { VW_ADD_REGISTER = 4, VW_ADD_IMM = 5, VW_ADD_IMM_GTE0 = 9 }; /* of SFPIADD: without flags, with */

static inline uint32_t vw_flags_on(void)
{
    return vw(VW_ENCC, 3, 0, 0, 10);
}

/* Vector `slot` of a tile in Dst, and its lane `lane` in the tile. */
static inline unsigned vector_address(unsigned slot)
{
    return slot / 2 * 4 + slot % 2 * 2;
}
static inline unsigned vector_datum(unsigned slot, unsigned lane)
{
    return (slot / 2 * 4 + lane / 8) * 16 + 2 * (lane % 8) + slot % 2;
}

/* ---- What is executed ---- */

struct vector_writer {
    uint32_t *word, *count;
};
static inline void vector_put(struct vector_writer *w, uint32_t word)
{
    w->word[(*w->count)++] = word;
}

/* sfp-mad: LReg 0 to 2 stay, 4 to 6 are new each time, 3 counts, 7 goes to and fro. */
static inline void vector_body_mad(struct vector_writer *w)
{
    for (unsigned i = 0; i < 8; i++) {
        vector_put(w, vw_mad(i % 3, (i + 1) % 3, (i + 2) % 3, 4 + i % 3, 0));
        vector_put(w, vw_mad((i + 1) % 3, VW_ONE, 3, i == 7 ? 5 : 6, i % 4));
        vector_put(w, vw_mad(7, VW_ONE, i % 4 % 3, 7, i / 4 ? 2 : 0));
    }
    vector_put(w, vw_mad(VW_ONE, VW_ONE, 3, 3, 0));
}

static const struct vector_int_step {
    uint8_t opcode, mod, VC, VD;
    int16_t imm;
} vector_int_steps[24] = {
    {VW_IADD, VW_ADD_REGISTER, 0, 1, 0},
    {VW_SHFT, 5, 1, 2, 3},
    {VW_XOR, 0, 2, 3, 0},
    {VW_IADD, VW_ADD_IMM, 3, 4, 77},
    {VW_AND, 0, 4, 5, 0},
    {VW_OR, 0, 1, 5, 0},
    {VW_NOT, 0, 5, 6, 0},
    {VW_IADD, VW_ADD_REGISTER, 6, 7, 0},
    {VW_SHFT, 5, 7, 5, -7},
    {VW_XOR, 0, 5, 0, 0},
    {VW_XOR, 0, 4, 0, 0},
    {VW_IADD, VW_ADD_IMM, 0, 0, -1001},
    {VW_IADD, VW_ADD_REGISTER, 7, 2, 0},
    {VW_XOR, 0, 2, 1, 0},
    {VW_SHFT, 5, 1, 6, 9},
    {VW_XOR, 0, 6, 1, 0},
    {VW_AND, 0, 3, 6, 0},
    {VW_OR, 0, 6, 4, 0},
    {VW_NOT, 0, 4, 3, 0},
    {VW_IADD, VW_ADD_REGISTER, 1, 3, 0},
    {VW_SHFT, 5, 0, 4, -11},
    {VW_XOR, 0, 4, 7, 0},
    {VW_XOR, 0, 3, 2, 0},
    {VW_IADD, VW_ADD_IMM, 2, 2, 1},
};

/* sfp-cc, decision k: where LReg[register] is as the mode says. */
static const struct {
    uint8_t VC, mode;
} vector_cc[VECTOR_CC_DEEP] = {{0, VW_LT0}, {1, VW_GTE0}, {2, VW_NE0}, {2, VW_LT0}};

static inline void vector_body_cc(struct vector_writer *w)
{
    for (unsigned k = 0; k < VECTOR_CC_DEEP; k++) {
        vector_put(w, vw(VW_PUSHC, 0, 0, 0, 0));
        vector_put(w, vw(VW_SETCC, 0, vector_cc[k].VC, 0, vector_cc[k].mode));
        vector_put(w, vw(VW_IADD, 1u << 2 * k, 3, 3, VW_ADD_IMM));
    }
    for (unsigned k = VECTOR_CC_DEEP; k-- > 0;) {
        vector_put(w, vw(VW_COMPC, 0, 0, 0, 0));
        vector_put(w, vw(VW_IADD, 2u << 2 * k, 3, 3, VW_ADD_IMM));
        vector_put(w, vw(VW_POPC, 0, 0, 0, 0));
    }
}

enum { VECTOR_EXP_SQUARINGS = 7, VECTOR_EXP_TO = 64 /* rows: the next tile in Dst */ };

static inline void vector_body_exp(struct vector_writer *w)
{
    vector_put(w, vw_load(5, 0));
    vector_put(w, vw(VW_ABS, 0, 5, 0, 1));
    vector_put(w, vw(VW_EXEXP, 0, 0, 1, 0));
    vector_put(w, vw(VW_SETCC, 0, 1, 0, VW_GTE0));
    vector_put(w, vw(VW_SETEXP, 126, 0, 0, 1));
    vector_put(w, vw_flags_on());
    vector_put(w, vw_mad(0, 6, 7, 2, 0));
    vector_put(w, vw_mad(0, 2, VW_ONE, 0, 0));
    vector_put(w, vw(VW_SETCC, 0, 1, 0, VW_GTE0));
    vector_put(w, vw_mad(0, 0, VW_ZERO, 0, 0));
    for (unsigned i = 0; i < VECTOR_EXP_SQUARINGS; i++) {
        vector_put(w, vw(VW_IADD, 0xFFF, 1, 1, VW_ADD_IMM_GTE0));
        vector_put(w, vw_mad(0, 0, VW_ZERO, 0, 0));
    }
    vector_put(w, vw_flags_on());
    vector_put(w, vw(VW_SETCC, 0, 5, 0, VW_LT0));
    vector_put(w, vw(VW_ARECIP, 0, 0, 3, 0));
    vector_put(w, vw_mad(0, 3, VW_ONE, 2, 1)); /* one step of Newton: 1 - x * y */
    vector_put(w, vw_mad(2, 3, 3, 0, 0));
    vector_put(w, vw_flags_on());
    vector_put(w, vw_store(0, VECTOR_EXP_TO));
    vector_put(w, 0x38u << 24 | 2u << 14); /* INCRWC: the next vector of the tile */
}

static inline void vector_load_script(enum vector_kind kind, uint32_t turns, struct vector_script *s)
{
    *s = (struct vector_script){
        .turns = turns, .mops = VECTOR_MOPS, .times = VECTOR_TIMES / VECTOR_MOPS, .end = 0x02000000};
    struct vector_writer before = {s->prologue, &s->prologue_words}, body = {s->body, &s->body_words},
                         after = {s->epilogue, &s->epilogue_words};
    vector_put(&before, vw_flags_on());
    if (kind == VECTOR_EXP) {
        vector_put(&before, vw_loadi(6, 0, 0x3F56)); /* 0.8359375 and 0.86328125, in BF16 */
        vector_put(&before, vw_loadi(7, 0, 0x3F5D));
        vector_body_exp(&body);
        s->end = 0x37u << 24 | 4; /* SETRWC: from the first vector */
        for (unsigned slot = 0; slot < VECTOR_SLOTS; slot++) {
            vector_put(&after, vw_load(0, VECTOR_EXP_TO + vector_address(slot)));
            vector_put(&after, vw_store(0, vector_address(slot)));
        }
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        vector_put(&before, vw_load(i, vector_address(i)));
    switch (kind) {
    case VECTOR_MAD: vector_body_mad(&body); break;
    case VECTOR_INT:
        for (unsigned i = 0; i < 24; i++)
            vector_put(&body, vw(vector_int_steps[i].opcode, (unsigned)vector_int_steps[i].imm, vector_int_steps[i].VC,
                                 vector_int_steps[i].VD, vector_int_steps[i].mod));
        break;
    case VECTOR_LUT:
        for (unsigned i = 0; i < 14; i++)
            vector_put(&body, (unsigned)VW_LUT << 24 | (4 + i % 3) << 20 | 4u << 16);
        vector_put(&body, vw_mad(VW_ONE, VW_ONE, 7, 7, 0));
        break;
    case VECTOR_LOAD_STORE:
        for (unsigned i = 0; i < 8; i++)
            vector_put(&body, vw_load(i, vector_address(i)));
        for (unsigned i = 0; i < 8; i++)
            vector_put(&body, vw_store(i, vector_address((i + 1) % 8)));
        break;
    default: vector_body_cc(&body); break;
    }
    for (unsigned i = 0; i < 8 && kind != VECTOR_LOAD_STORE; i++)
        vector_put(&after, vw_store(i, vector_address(i)));
}

/* ---- What must come of it ---- */

static inline float vector_float(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t vector_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* The tile as T0 finds it, another for each seed. */
static inline void vector_load_input(enum vector_kind kind, uint32_t seed, uint32_t tile[VECTOR_TILE])
{
    uint32_t state = 0x9E3779B9u * (seed + 1);
    for (unsigned slot = 0; slot < VECTOR_SLOTS; slot++)
        for (unsigned lane = 0; lane < VECTOR_LANES; lane++) {
            state = state * 1664525u + 1013904223u;
            const uint32_t r = state >> 8;
            uint32_t value = state;
            if (kind == VECTOR_MAD)
                value = slot == 3 ? 0 : vector_bits((float)(int)(r % 2047) - 1023.5f);
            else if (kind == VECTOR_LUT)
                value = slot == 7 ? 0 : slot == 3 ? vector_bits(((float)(int)(r % 767) - 383.0f) / 128) : r & 0xBFBF;
            else if (kind == VECTOR_EXP)
                value = vector_bits(((float)(int)(r % 4001) - 2000.5f) / 256);
            else if (kind == VECTOR_CC && r % 4 == 0)
                value = 0;
            tile[vector_datum(slot, lane)] = value;
        }
}

static inline void vector_model_mad(uint32_t l[8], uint32_t times)
{
    float f[8];
    for (unsigned i = 0; i < 8; i++)
        f[i] = vector_float(l[i]);
    const float before = (float)(times - 1);
    for (unsigned i = 0; i < 8; i++) {
        f[4 + i % 3] = f[i % 3] * f[(i + 1) % 3] + f[(i + 2) % 3];
        const float a = f[(i + 1) % 3];
        f[i == 7 ? 5 : 6] = (i & 1 ? -a : a) + (i & 2 ? -before : before);
    }
    f[3] = (float)times;
    for (unsigned i = 0; i < 8; i++)
        l[i] = vector_bits(f[i]);
}

/* All lanes at once, in loops that compilers make vectors of: it is done millions of times. */
#define VECTOR_EACH_LANE(value)                                                                                        \
    for (unsigned k = 0; k < VECTOR_LANES; k++)                                                                        \
    d[k] = (value)
static inline void vector_model_int(uint32_t l[8][VECTOR_LANES], uint32_t times)
{
    for (uint32_t n = 0; n < times; n++)
        for (unsigned i = 0; i < 24; i++) {
            const struct vector_int_step s = vector_int_steps[i];
            const uint32_t imm = (uint32_t)s.imm;
            const uint32_t *c = l[s.VC];
            uint32_t *d = l[s.VD];
            if (s.opcode == VW_IADD && s.mod == VW_ADD_IMM)
                VECTOR_EACH_LANE(c[k] + imm);
            else if (s.opcode == VW_IADD)
                VECTOR_EACH_LANE(c[k] + d[k]);
            else if (s.opcode == VW_SHFT && s.imm >= 0)
                VECTOR_EACH_LANE(c[k] << s.imm);
            else if (s.opcode == VW_SHFT)
                VECTOR_EACH_LANE(c[k] >> -s.imm);
            else if (s.opcode == VW_XOR)
                VECTOR_EACH_LANE(d[k] ^ c[k]);
            else if (s.opcode == VW_AND)
                VECTOR_EACH_LANE(d[k] & c[k]);
            else if (s.opcode == VW_OR)
                VECTOR_EACH_LANE(d[k] | c[k]);
            else
                VECTOR_EACH_LANE(~c[k]);
        }
}
#undef VECTOR_EACH_LANE

static inline float vector_lut_entry(uint32_t byte)
{
    return (byte & 0x80 ? -1.0f : 1.0f) * ldexpf(1.0f + (float)(byte & 15) / 16, -(int)(byte >> 4 & 7));
}
static inline void vector_model_lut(uint32_t l[8], uint32_t times)
{
    const float x = vector_float(l[3]), size = fabsf(x);
    const uint32_t entry = size < 1 ? l[0] : size < 2 ? l[1] : l[2];
    const float y = vector_lut_entry(entry >> 8 & 255) * size + vector_lut_entry(entry & 255);
    for (unsigned i = 0; i < 14; i++)
        l[4 + i % 3] = vector_bits(copysignf(y, x));
    l[7] = vector_bits((float)times);
}

static inline bool vector_cc_is(uint32_t value, unsigned mode)
{
    return mode == VW_LT0 ? value >> 31 : mode == VW_GTE0 ? !(value >> 31) : value != 0;
}
static inline void vector_model_cc(uint32_t l[8], uint32_t times)
{
    uint32_t sum = 0;
    for (unsigned k = 0; k < VECTOR_CC_DEEP; k++) {
        if (!vector_cc_is(l[vector_cc[k].VC], vector_cc[k].mode)) {
            sum += 2u << 2 * k;
            break;
        }
        sum += 1u << 2 * k;
    }
    l[3] += sum * times;
}

static inline double vector_model_exp(double x)
{
    double y = fabs(x);
    const int exponent = ilogb(y);
    if (exponent >= 0)
        y = ldexp(y, -1 - exponent);
    y = y * (y * 0.8359375 + 0.86328125) + 1;
    for (int i = 0; i <= exponent; i++)
        y *= y;
    return x < 0 ? 1 / y : y;
}

/* Makes what must be there of what was. */
static inline void vector_load_output(enum vector_kind kind, uint32_t turns, uint32_t tile[VECTOR_TILE])
{
    const uint32_t times = turns * VECTOR_TIMES;
    if (kind == VECTOR_INT) {
        uint32_t l[8][VECTOR_LANES];
        for (unsigned i = 0; i < 8 * VECTOR_LANES; i++)
            l[i / VECTOR_LANES][i % VECTOR_LANES] = tile[vector_datum(i / VECTOR_LANES, i % VECTOR_LANES)];
        vector_model_int(l, times);
        for (unsigned i = 0; i < 8 * VECTOR_LANES; i++)
            tile[vector_datum(i / VECTOR_LANES, i % VECTOR_LANES)] = l[i / VECTOR_LANES][i % VECTOR_LANES];
        return;
    }
    for (unsigned lane = 0; lane < VECTOR_LANES; lane++) {
        uint32_t l[8];
        for (unsigned i = 0; i < 8; i++)
            l[kind == VECTOR_LOAD_STORE ? (i + times) % 8 : i] = tile[vector_datum(i, lane)];
        switch (kind) {
        case VECTOR_MAD: vector_model_mad(l, times); break;
        case VECTOR_LUT: vector_model_lut(l, times); break;
        case VECTOR_CC: vector_model_cc(l, times); break;
        default: break;
        }
        for (unsigned i = 0; i < 8 && kind != VECTOR_EXP; i++)
            tile[vector_datum(i, lane)] = l[i];
    }
    for (unsigned i = 0; i < VECTOR_TILE && kind == VECTOR_EXP; i++)
        tile[i] = vector_bits((float)vector_model_exp(vector_float(tile[i])));
}

/* Exactly, but for e^x, which is rounded many times on its way. */
static inline bool vector_load_agrees(enum vector_kind kind, uint32_t got, uint32_t want)
{
    if (kind != VECTOR_EXP)
        return got == want;
    return fabsf(vector_float(got) / vector_float(want) - 1) < 1e-3f;
}

/* Instructions of the Vector Unit (and INCRWC) in so many turns. */
static inline double vector_load_instructions(enum vector_kind kind, uint32_t turns)
{
    struct vector_script script;
    vector_load_script(kind, turns, &script);
    return (double)turns * VECTOR_TIMES * script.body_words;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "support/vector_plain.h"

#include "num/fma.h"

#include <string.h>

/* The fields that most instructions have. */
struct plain {
    struct tensix_files *files;
    struct vector_files *v;
    uint32_t word;
    unsigned lane, VA, VB, VC, VD, mod;
    bool undefined;
};

static unsigned field(uint32_t word, unsigned high, unsigned low)
{
    return word >> low & ((2u << (high - low)) - 1);
}
static int imm12(uint32_t word)
{
    const int value = (int)field(word, 23, 12);
    return value < 2048 ? value : value - 4096;
}
static uint32_t *reg(struct plain *p, unsigned index)
{
    return &p->v->LReg[index][p->lane];
}
static bool bit(uint32_t mask, unsigned lane)
{
    return mask >> lane & 1;
}
static void set_bit(uint32_t *mask, unsigned lane, bool value)
{
    *mask = (*mask & ~(UINT32_C(1) << lane)) | (uint32_t)value << lane;
}
static bool lane_enabled(const struct vector_files *v, unsigned lane)
{
    if (bit(v->LaneConfig[lane & 7] >> 12, lane / 8))
        return false;
    return bit(v->UseLaneFlagsForLaneEnable, lane) ? bit(v->LaneFlags, lane) : true;
}
static void put(struct plain *p, unsigned VD, uint32_t value)
{
    if (VD < 8 || VD == 16)
        *reg(p, VD) = value;
}
static void put_flag(struct plain *p, bool value)
{
    set_bit(&p->v->LaneFlags, p->lane, value);
}
static bool flag(const struct plain *p)
{
    return bit(p->v->LaneFlags, p->lane);
}
static uint32_t advance_prng(struct plain *p)
{
    const uint32_t result = p->v->prng[p->lane];
    const unsigned taps = (unsigned)__builtin_popcount(result & 0x80200003);
    p->v->prng[p->lane] = (taps % 2 == 0 ? UINT32_C(1) << 31 : 0) | result >> 1;
    return result;
}
static uint32_t fma_of(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t flags = 0;
    return fma_f32(a, b, c, &flags);
}
static bool is_smaller(uint32_t c, uint32_t d)
{
    const bool c_negative = c >> 31, d_negative = d >> 31;
    if (c_negative != d_negative)
        return c_negative;
    return c_negative ? c > d : c < d;
}

/* ---- One lane of what acts in enabled lanes ---- */

static uint32_t shifted(uint32_t x, int64_t amount, bool arithmetic)
{
    if (amount >= 0)
        return x << (amount & 31);
    const unsigned by = (unsigned)(-amount & 31);
    return arithmetic ? (uint32_t)((int32_t)x >> by) : x >> by;
}

static uint32_t count_zeros(uint32_t x)
{
    uint32_t count = 0;
    while (count < 32 && !(x >> (31 - count) & 1))
        count++;
    return count;
}

static void flags_of(struct plain *p, bool leave, bool value, bool invert)
{
    if (p->VD >= 8)
        return;
    if (!leave)
        put_flag(p, value);
    if (invert)
        put_flag(p, !flag(p));
}

static uint32_t cast(struct plain *p, uint32_t c)
{
    const uint32_t sign = c & 0x80000000;
    uint32_t magnitude = c & 0x7FFFFFFF, exponent = 158;
    if ((p->mod & 3) == 2)
        return sign ? 0u - c : c;
    if ((p->mod & 3) == 3)
        return sign ? sign | (0u - c) : c;
    const uint32_t random = (p->mod & 3) == 1 ? advance_prng(p) : 0;
    if (magnitude == 0)
        return sign;
    while (!(magnitude >> 31)) {
        magnitude <<= 1;
        exponent--;
    }
    const uint32_t d = sign + (exponent << 23) + (magnitude >> 8 & 0x7FFFFF), rest = magnitude & 0xFF;
    if ((p->mod & 3) == 1)
        return d + ((rest & 0xFE) > (random >> 9 & 0xFE));
    return d + (rest > 0x80 || (rest == 0x80 && (magnitude & 0x100)));
}

static uint32_t stochastic(struct plain *p, uint32_t c)
{
    uint32_t threshold = advance_prng(p) & 0x7FFFFF;
    const unsigned rounding = field(p->word, 22, 21), mode = p->mod & 7;
    if (rounding == 0)
        threshold = 0x400000;
    else if (rounding == 2)
        threshold = 0x7FFFFF;
    const uint32_t exponent = c >> 23 & 255;
    if (mode < 2) {
        const unsigned cut = mode == 0 ? 13 : 16;
        const uint32_t rest = c & ((1u << cut) - 1);
        if (exponent == 0)
            return 0;
        if (exponent == 255)
            return c & 0xFF800000;
        return c - rest + (rest >= threshold >> (23 - cut) ? 1u << cut : 0);
    }
    static const uint32_t most[8] = {0, 0, 255, 127, 255, 127, 65535, 32767};
    const bool keep = mode & 1;
    uint64_t value; /* with 23 bits of fraction */
    if (mode == 4 || mode == 5) {
        const unsigned by = p->mod & 8 ? field(p->word, 20, 16) : *reg(p, p->VB) & 31;
        value = ((uint64_t)(c & 0x7FFFFFFF) << 23) >> by;
    } else {
        if (exponent < 126)
            return 0;
        if (exponent >= 127 + 16)
            return (keep ? c & 0x80000000 : 0) + most[mode];
        const uint64_t mantissa = 0x800000 | (c & 0x7FFFFF);
        value = exponent >= 127 ? mantissa << (exponent - 127) : mantissa >> 1;
    }
    uint64_t magnitude = (value >> 23) + ((value & 0x7FFFFF) >= threshold);
    magnitude = magnitude > most[mode] ? most[mode] : magnitude;
    return (keep && magnitude != 0 ? c & 0x80000000 : 0) + (uint32_t)magnitude;
}

static uint32_t special(struct plain *p)
{
    const struct load_macro_config *macros = &p->v->LoadMacroConfig;
    switch (p->VC) {
    case 0:
    case 1:
    case 2:
    case 3: return macros->InstructionTemplate[p->VC][p->lane];
    case 4:
    case 5:
    case 6:
    case 7: return macros->Sequence[p->VC - 4][p->lane];
    case 8: return macros->Misc[p->lane];
    case 9: return advance_prng(p);
    case 15: return p->v->LaneConfig[p->lane];
    default: return 0;
    }
}

/* Instructions of one lane that need VD < 8. */
static void simple(struct plain *p, unsigned opcode)
{
    const uint32_t c = *reg(p, p->VC), d = *reg(p, p->VD), b = *reg(p, p->VB);
    const unsigned mod = p->mod;
    switch (opcode) {
    case 0x7d:
        put(p, p->VD, !(c >> 31) || ((mod & 1) && c > 0xFF800000) ? c : mod & 1 ? c & 0x7FFFFFFF : 0u - c);
        break;
    case 0x7e: put(p, p->VD, (mod & 1 ? b : d) & c); break;
    case 0x7f: put(p, p->VD, (mod & 1 ? b : d) | c); break;
    case 0x8d: put(p, p->VD, d ^ c); break;
    case 0x80: put(p, p->VD, ~c); break;
    case 0x79: {
        const uint32_t sum = mod & 1 ? c + (uint32_t)imm12(p->word) : mod & 2 ? c - d : c + d;
        put(p, p->VD, sum);
        flags_of(p, mod & 4, sum >> 31, mod & 8);
        break;
    }
    case 0x7a: {
        const uint32_t x = (mod & 5) == 5 ? c : d;
        put(p, p->VD, shifted(x, mod & 1 ? imm12(p->word) : (int64_t)(int32_t)c, mod & 2));
        break;
    }
    case 0x81: {
        const uint32_t x = mod & 4 ? c & 0x7FFFFFFF : c;
        put(p, p->VD, count_zeros(x));
        flags_of(p, !(mod & 2), x != 0, mod & 8);
        break;
    }
    case 0x82:
        put(p, p->VD, (c & 0x807FFFFF) | (mod & 1 ? field(p->word, 19, 12) : mod & 2 ? d >> 23 & 255 : d & 255) << 23);
        break;
    case 0x83: put(p, p->VD, (c & 0xFF800000) | (mod & 1 ? field(p->word, 23, 12) << 11 : d & 0x7FFFFF)); break;
    case 0x89: put(p, p->VD, (c & 0x7FFFFFFF) | (mod & 1 ? field(p->word, 12, 12) << 31 : d & 0x80000000)); break;
    case 0x77: {
        const uint32_t exponent = (c >> 23 & 255) - (mod & 1 ? 0 : 127);
        put(p, p->VD, exponent);
        flags_of(p, !(mod & 2), exponent >> 31, mod & 8);
        break;
    }
    case 0x78: put(p, p->VD, (mod & 1 ? 0 : 0x800000) + (c & 0x7FFFFF)); break;
    case 0x76: {
        const uint32_t imm = field(p->word, 19, 12), exponent = c >> 23 & 255;
        put(p, p->VD, (c & 0x807FFFFF) | (!(mod & 1) ? imm : exponent == 255 ? 255 : (exponent + imm) & 255) << 23);
        break;
    }
    default: break;
    }
}

/* 1/x and e^x have tables of which a test of its own looks at every entry (tests/unit/num/sfpu_test.c). */
uint32_t sfpu_approximate_reciprocal(uint32_t x);
uint32_t sfpu_approximate_exponential(uint32_t x);

static void approximate(struct plain *p)
{
    const uint32_t c = *reg(p, p->VC), sign = c & 0x80000000;
    uint32_t x = c;
    if (p->mod == 0)
        x = sign + sfpu_approximate_reciprocal(c - sign);
    else if (p->mod != 1)
        x = sign + sfpu_approximate_exponential(c - sign);
    else if (*reg(p, p->VB) >> 31)
        x = sfpu_approximate_reciprocal(c - sign);
    put(p, p->VD, x);
}

/* ---- MAD ---- */

static uint32_t lut8(uint32_t x)
{
    x &= 255;
    return x == 255 ? 0 : x >> 7 << 31 | (127 - (x >> 4 & 7)) << 23 | (x & 15) << 19;
}
static uint32_t lut16(uint32_t x)
{
    const uint32_t exponent = x >> 10 & 31;
    return (x >> 15 & 1) << 31 | (exponent == 31 ? 0 : exponent + 112) << 23 | (x & 1023) << 13;
}
static unsigned third(uint32_t magnitude)
{
    return magnitude < 0x3F800000 ? 0 : magnitude < 0x40000000 ? 1 : 2;
}

static uint32_t of_table(struct plain *p, unsigned opcode)
{
    const uint32_t l3 = *reg(p, 3), b = l3 & 0x7FFFFFFF;
    const unsigned i = third(b);
    const uint32_t first = *reg(p, i), second = *reg(p, 4 + i);
    uint32_t a = first, c = second;
    if (opcode == 0x73) {
        a = lut8(first >> 8), c = lut8(first);
    } else if ((p->mod & 10) == 10) {
        a = lut16(first >> 16), c = lut16(first);
    } else if (p->mod & 2) {
        const uint32_t middle[3] = {0x3F000000, 0x3FC00000, (p->mod & 3) == 3 ? 0x40800000 : 0x40400000};
        const unsigned j = b < middle[i] ? 0 : 16;
        a = lut16(first >> j), c = lut16(second >> j);
    }
    const uint32_t d = fma_of(a, b, c);
    return p->mod & 4 ? (d & 0x7FFFFFFF) | (l3 & 0x80000000) : d;
}

static uint32_t mul24(struct plain *p, uint32_t a)
{
    const uint32_t b = *reg(p, p->VB), z = *reg(p, p->VC);
    uint64_t product = (uint64_t)(a & 0x7FFFFF) * (b & 0x7FFFFF);
    uint32_t m = (uint32_t)(p->mod & 1 ? product >> 23 : product & 0x7FFFFF);
    const unsigned exponent = z >> 23 & 255;
    if (exponent == 0)
        return m;
    const unsigned top = exponent > 129 ? exponent : 129, shift = (top - exponent) & 31;
    const uint32_t with_rest = (0x800000 + (z & 0x7FFFFF)) << 3, kept = with_rest >> shift;
    m >>= (top - 129) & 31;
    if (kept == 0)
        return m;
    return (m + kept + ((kept << shift ^ with_rest) > 0xFFFF ? 0x10000u : 0)) & 0x7FFFFF;
}

static void mad(struct plain *p, unsigned opcode)
{
    const uint32_t immediate = field(p->word, 23, 8) << 16;
    const uint32_t a = *reg(p, p->mod & 4 ? *reg(p, 7) & 15 : p->VA), b = *reg(p, p->VB);
    const uint32_t c = *reg(p, p->VC) ^ (p->mod & 2 ? 0x80000000 : 0),
                   d = *reg(p, p->VD) ^ (p->mod & 2 ? 0x80000000 : 0);
    uint32_t result;
    switch (opcode) {
    case 0x73:
    case 0x95: result = of_table(p, opcode); break;
    case 0x74: result = fma_of(immediate, d, 0); break;
    case 0x75: result = fma_of(immediate, 0x3F800000, d); break;
    case 0x98: result = mul24(p, a); break;
    default: result = fma_of(a ^ (p->mod & 1 ? 0x80000000 : 0), b, c);
    }
    put(p, p->mod & 8 ? *reg(p, 7) & 15 : p->VD, result);
}

/* ---- Flags ---- */

static bool boolean_op(unsigned mod, bool a, bool b)
{
    const bool table[13] = {false,   b,       !b,       a && b,   a || b, a && !b, a || !b,
                            !a && b, !a || b, !a && !b, !a || !b, a != b, a == b};
    return table[mod];
}

static void stack(struct plain *p, bool push)
{
    struct vector_files *v = p->v;
    uint8_t *size = &v->flag_stack_size[p->lane];
    struct flag_stack_entry *top = *size ? &v->FlagStack[*size - 1] : NULL;
    const bool top_flag = top && bit(top->LaneFlags, p->lane),
               top_use = top && bit(top->UseLaneFlagsForLaneEnable, p->lane);
    const bool use = bit(v->UseLaneFlagsForLaneEnable, p->lane);
    if (push && p->mod == 0) {
        if (*size == 8) {
            p->undefined = true;
            return;
        }
        top = &v->FlagStack[(*size)++];
        set_bit(&top->LaneFlags, p->lane, flag(p));
        set_bit(&top->UseLaneFlagsForLaneEnable, p->lane, use);
    } else if (push) {
        if (top == NULL) {
            p->undefined = true;
            return;
        }
        if (p->mod == 13)
            put_flag(p, !flag(p));
        const bool value = p->mod <= 12 ? boolean_op(p->mod, top_flag, flag(p)) : p->mod == 13 ? flag(p) : p->mod == 14;
        set_bit(&top->LaneFlags, p->lane, value);
        set_bit(&top->UseLaneFlagsForLaneEnable, p->lane, p->mod <= 13 ? use : true);
    } else {
        if (p->mod == 0 && top == NULL)
            p->undefined = true;
        else if (p->mod == 0)
            --*size;
        const bool value = p->mod == 0    ? top_flag
                           : p->mod <= 12 ? boolean_op(p->mod, flag(p), top_flag)
                           : p->mod == 13 ? !flag(p)
                                          : p->mod == 14;
        put_flag(p, value);
        set_bit(&v->UseLaneFlagsForLaneEnable, p->lane, p->mod <= 12 ? top_use : p->mod == 13 ? use : true);
    }
}

static void compare(struct plain *p, bool le)
{
    const bool is = is_smaller(*reg(p, p->VC), *reg(p, p->VD)) != le;
    const uint8_t size = p->v->flag_stack_size[p->lane];
    const bool enabled = lane_enabled(p->v, p->lane);
    if (enabled && (p->mod & 8))
        put(p, p->VD, is ? UINT32_MAX : 0);
    if (enabled && (p->mod & 1))
        put_flag(p, is);
    if ((p->mod & 2) && size != 0) {
        uint32_t *top = &p->v->FlagStack[size - 1].LaneFlags;
        set_bit(top, p->lane, p->mod & 4 ? bit(*top, p->lane) || is : bit(*top, p->lane) && is);
    }
}

static void flags(struct plain *p, unsigned opcode)
{
    struct vector_files *v = p->v;
    const uint32_t c = *reg(p, p->VC);
    const bool use = bit(v->UseLaneFlagsForLaneEnable, p->lane);
    if (opcode == 0x8a) { /* SFPENCC */
        if (p->mod & 2)
            set_bit(&v->UseLaneFlagsForLaneEnable, p->lane, p->word >> 12 & 1);
        else if (p->mod & 1)
            set_bit(&v->UseLaneFlagsForLaneEnable, p->lane, !use);
        put_flag(p, p->mod & 8 ? p->word >> 13 & 1 : true);
    } else if (opcode == 0x8b) { /* SFPCOMPC */
        const uint8_t size = v->flag_stack_size[p->lane];
        const struct flag_stack_entry *top = size ? &v->FlagStack[size - 1] : NULL;
        const bool top_use = !top || bit(top->UseLaneFlagsForLaneEnable, p->lane);
        put_flag(p, top_use && use && (!top || bit(top->LaneFlags, p->lane)) && !flag(p));
    } else if (lane_enabled(v, p->lane)) { /* SFPSETCC */
        const bool answer[4] = {c >> 31, c != 0, !(c >> 31), c == 0};
        put_flag(p, use && !(p->mod & 8) && (p->mod & 1 ? p->word >> 12 & 1 : answer[p->mod >> 1 & 3]));
    }
}

/* ---- Across lanes and registers ---- */

static void swap(struct plain *p)
{
    static const uint32_t min[9] = {0,          0xFFFFFFFF, 0x0000FFFF, 0x00FF00FF, 0xFF0000FF,
                                    0x000000FF, 0x0000FF00, 0x00FF0000, 0xFF000000};
    const uint32_t config = p->v->LaneConfig[p->lane], c = *reg(p, p->VC), d = *reg(p, p->VD);
    if (p->mod != 0) {
        const bool wants_min = p->mod < 9 && bit(min[p->mod], p->lane);
        bool should = wants_min == is_smaller(c, d);
        if (config >> 8 & 1)
            should = !should;
        if (!should)
            return;
    }
    const bool indexed = config >> 2 & 1;
    if (p->VC < (indexed ? 4 : 8))
        *reg(p, p->VC) = d;
    if (p->VD < (indexed ? 4 : 8))
        *reg(p, p->VD) = c;
    if (indexed) {
        const uint32_t of_c = *reg(p, 4 + (p->VC & 3)), of_d = *reg(p, 4 + (p->VD & 3));
        *reg(p, 4 + (p->VC & 3)) = of_d;
        *reg(p, 4 + (p->VD & 3)) = of_c;
    }
}

static void shft2(struct plain *p, const struct vector_files *before)
{
    const uint32_t b = before->LReg[p->VB][p->lane], c = before->LReg[p->VC][p->lane];
    const uint32_t *vc = before->LReg[p->VC];
    const uint32_t along = p->lane & 7 ? vc[p->lane - 1] : p->mod == 4 ? 0 : vc[p->lane + 7];
    switch (p->mod) {
    case 0:
    case 1:
    case 2:
        for (unsigned i = 0; i < 3; i++)
            *reg(p, i) = before->LReg[i + 1][p->lane];
        *reg(p, 3) = p->mod == 0 ? 0 : p->mod == 2 ? along : p->lane < 24 ? before->LReg[0][p->lane + 8] : 0;
        break;
    case 3:
    case 4: put(p, p->VD, along); break;
    case 5: put(p, p->VD, shifted(b, (int32_t)c, false)); break;
    case 6: put(p, p->VD, shifted(b, imm12(p->word), false)); break;
    default: p->undefined = true;
    }
}

static void config(struct plain *p)
{
    struct vector_files *v = p->v;
    const unsigned column = p->lane & 7, imm = field(p->word, 23, 8);
    const uint32_t from = v->LReg[0][column], value = p->mod & 1 ? imm : from;
    if ((p->mod & 8) && !(imm >> 2 * column & 1))
        return;
    if (bit(v->UseLaneFlagsForLaneEnable, column) && !bit(v->LaneFlags, column))
        return;
    uint32_t *target = p->VD == 8 ? &v->LoadMacroConfig.Misc[p->lane] : &v->LaneConfig[p->lane];
    const uint32_t width = p->VD == 8 ? 0xFFF : 0x3FFFF, cut = value & width;
    if (p->VD < 4)
        v->LoadMacroConfig.InstructionTemplate[p->VD][p->lane] = from;
    else if (p->VD < 8)
        v->LoadMacroConfig.Sequence[p->VD - 4][p->lane] = value;
    else if (p->VD == 8 || p->VD == 15) {
        const uint32_t old = *target, by_mode[4] = {cut, old | cut, old & cut, old ^ cut};
        *target = by_mode[p->mod >> 1 & 3] | (p->VD == 15 && (p->mod & 1) ? old & 0x30000 : 0);
    } else if (p->VD >= 11)
        v->LReg[p->VD][p->lane] = p->mod & 1 ? vector_lreg_default(p->VD) : from;
}

/* ---- Dst.  Rows are where they are without remapping. ---- */

static uint16_t *cell(struct plain *p, unsigned row, unsigned column, bool low)
{
    (void)p;
    return &p->files->DstBits[row + (low ? 8 : 0)][column];
}

static uint32_t swizzled(uint32_t x) /* sign, exponent, mantissa -> sign, seven bits of mantissa, exponent, the rest */
{
    return (x & 0x8000FFFF) | (x >> 16 & 0x7F) << 24 | (x >> 23 & 255) << 16;
}
static uint32_t unswizzled(uint32_t x)
{
    return (x & 0x8000FFFF) | (x >> 24 & 0x7F) << 16 | (x >> 16 & 255) << 23;
}

static void load(struct plain *p, struct plain_dst at)
{
    const struct vector_files *v = p->v;
    const uint32_t config = v->LaneConfig[p->lane];
    if (p->VD >= 8 || (config >> 5 & 1) || !(lane_enabled(v, p->lane) || at.Mod0 == 10))
        return;
    const unsigned row = (at.Addr & 0x3FC) + p->lane / 8;
    const unsigned column = (p->lane & 7) * 2 + ((at.Addr & 2) || (v->LaneConfig[p->lane & 7] >> 6 & 1));
    const unsigned wide_row = (row & 0x1F8) << 1 | (row & 0x207);
    const uint32_t half = *cell(p, row, column, false), old = *reg(p, p->VD);
    const uint32_t word = (uint32_t)*cell(p, wide_row, column, false) << 16 | *cell(p, wide_row, column, true);
    const uint32_t sign = half >> 15 << 31, exponent = half & 31, mantissa = half >> 5 & 0x3FF;
    uint32_t datum;
    switch (at.Mod0) {
    case 1:
        datum = (config & 1) && (half & 0x7FFF) == 0x7FFF
                    ? sign | 0x7F800000
                    : sign | (exponent ? exponent + 112 : 0) << 23 | mantissa << 13;
        break;
    case 2: datum = unswizzled(half << 16); break;
    case 3:
    case 4:
    case 10:
    case 12: datum = unswizzled(word); break;
    case 5: datum = sign | (half >> 5 & 0xFF); break;
    case 13: datum = sign | mantissa; break;
    case 14: datum = (old & 0xFFFF0000) | half; break;
    case 15: datum = half << 16 | (old & 0xFFFF); break;
    case 8: datum = sign | (half & 0x7FFF); break;
    case 7: datum = half << 16; break;
    case 11: datum = 0; break;
    default: datum = half;
    }
    *reg(p, p->VD) = datum;
    if (p->VD < 4 && (config & 12) == 12)
        *reg(p, p->VD + 4) = row << 4 | column;
}

static void store(struct plain *p, struct plain_dst at)
{
    const struct vector_files *v = p->v;
    const uint32_t config = v->LaneConfig[p->lane];
    if ((config >> 4 & 1) || !(lane_enabled(v, p->lane) || at.Mod0 == 10))
        return;
    const unsigned row = (at.Addr & 0x3FC) + p->lane / 8;
    const unsigned column = (p->lane & 7) * 2 + ((at.Addr & 2) || (v->LaneConfig[p->lane & 7] >> 7 & 1));
    const unsigned wide_row = (row & 0x1F8) << 1 | (row & 0x207);
    const uint32_t x = *reg(p, p->VD), flushed = x & 0x7F800000 ? x : x & 0x80000000;
    const int exponent = (int)(x >> 23 & 255) - 112;
    uint32_t half = 0, word = 0;
    bool wide = false;
    switch (at.Mod0) {
    case 1: {
        const uint32_t mantissa = exponent <= 0 ? 0 : exponent > 31 ? 0x3FF : x >> 13 & 0x3FF;
        half = x >> 31 << 15 | mantissa << 5 | (uint32_t)(exponent <= 0 ? 0 : exponent > 31 ? 31 : exponent);
        break;
    }
    case 2: half = swizzled(flushed & 0xFFFF0000) >> 16; break;
    case 3: wide = true, word = swizzled(flushed); break;
    case 4:
    case 10:
    case 12: wide = true, word = swizzled(x); break;
    case 5:
    case 13: half = x >> 31 << 15 | (x & 0x3FF) << 5 | 16; break;
    case 15: half = x >> 16; break;
    case 8: half = x >> 31 << 15 | (x & 0x7FFF); break;
    case 9: wide = true, word = x << 16 | x >> 16; break;
    case 7: wide = true, word = x; break;
    case 11: break;
    default: half = x & 0xFFFF;
    }
    if (wide) {
        *cell(p, wide_row, column, false) = (uint16_t)(word >> 16);
        *cell(p, wide_row, column, true) = (uint16_t)word;
    } else {
        *cell(p, row, column, false) = (uint16_t)half;
    }
}

static void loadi(struct plain *p)
{
    const uint32_t imm = p->word & 0xFFFF, old = *reg(p, p->VD);
    if (p->VD >= 8)
        return;
    switch (p->mod) {
    case 0: *reg(p, p->VD) = imm << 16; break;
    case 1: *reg(p, p->VD) = imm >> 15 << 31 | ((imm >> 10 & 31) + 112) << 23 | (imm & 0x3FF) << 13; break;
    case 2: *reg(p, p->VD) = imm; break;
    case 4: *reg(p, p->VD) = imm | (imm >> 15 ? 0xFFFF0000 : 0); break;
    case 8: *reg(p, p->VD) = imm << 16 | (old & 0xFFFF); break;
    case 10: *reg(p, p->VD) = (old & 0xFFFF0000) | imm; break;
    default: p->undefined = true;
    }
}

/* ---- All of them ---- */

static void one_lane(struct plain *p, unsigned opcode, const struct vector_files *before, struct plain_dst at)
{
    const bool enabled = lane_enabled(before, p->lane);
    switch (opcode) {
    case 0x70: load(p, at); break;
    case 0x72: store(p, at); break;
    case 0x8a:
    case 0x8b:
    case 0x7b: flags(p, opcode); break;
    case 0x87:
    case 0x88: stack(p, opcode == 0x87); break;
    case 0x96:
    case 0x97: compare(p, opcode == 0x96); break;
    case 0x91: config(p); break;
    case 0x7c:
        if (enabled || p->mod == 2)
            put(p, p->VD, p->mod & 8 ? special(p) : *reg(p, p->VC) ^ (p->mod & 1 ? 0x80000000 : 0));
        break;
    default:
        if (!enabled)
            break;
        if (opcode == 0x71)
            loadi(p);
        else if (opcode == 0x90)
            put(p, p->VD, cast(p, *reg(p, p->VC)));
        else if (opcode == 0x8e)
            put(p, p->VD, stochastic(p, *reg(p, p->VC)));
        else if (opcode == 0x99)
            approximate(p);
        else if (opcode == 0x92)
            swap(p);
        else if (opcode == 0x94)
            shft2(p, before);
        else if (opcode == 0x8c)
            for (unsigned i = 0; i < 8; i++)
                *reg(p, i) = before->LReg[(i & 4) + p->lane / 8][(i & 3) * 8 + (p->lane & 7)];
        else if (opcode == 0x73 || opcode == 0x74 || opcode == 0x75 || opcode == 0x95 || opcode == 0x98 ||
                 (opcode >= 0x84 && opcode <= 0x86))
            mad(p, opcode);
        else
            simple(p, opcode);
    }
}

bool vector_plain(struct tensix_files *files, uint32_t word, struct plain_dst dst)
{
    static struct vector_files before;
    const unsigned opcode = word >> 24;
    const bool high = opcode >= 0x70 && opcode <= 0x73;
    struct plain p = {.files = files, .v = &files->vector, .word = word};
    before = files->vector;
    p.VA = field(word, 19, 16), p.VB = field(word, 15, 12), p.VC = field(word, 11, 8);
    p.VD = high ? field(word, 23, 20) : field(word, 7, 4);
    p.mod = high ? field(word, 19, 16) : word & 15;
    for (p.lane = 0; p.lane < LANES; p.lane++) {
        if (opcode != 0x91 && opcode != 0x8f && p.VD >= 12 && !(before.LaneConfig[p.lane] >> 1 & 1))
            files->vector.LoadMacroConfig.InstructionTemplate[p.VD - 12][p.lane] = word;
        else
            one_lane(&p, opcode, &before, dst);
    }
    return !p.undefined;
}

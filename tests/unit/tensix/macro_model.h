/* SPDX-License-Identifier: Apache-2.0 */
/* A second model of SFPLOADMACRO: lane by lane, cycle by cycle, as the manual's page tells it, slow and obvious.  It shares
 * nothing with src/tensix but the arithmetic of one multiply-add (num/fma.h, which has its own tests).
 *
 * It knows a few instructions of each sub-unit, enough that each way of choosing operands, delays and results is used.
 * What the manual calls undefined, or tells software to avoid, sets `undefined` with the reason; then nothing is compared. */
#ifndef TESTS_UNIT_TENSIX_MACRO_MODEL_H
#define TESTS_UNIT_TENSIX_MACRO_MODEL_H

#include "num/fma.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { MM_SIMPLE, MM_MAD, MM_ROUND, MM_STORE, MM_UNITS, MM_LOAD = MM_UNITS };
enum { MM_LANES = 32, MM_LREGS = 17, MM_ROWS = 512, MM_COLUMNS = 16, MM_NONE = 99 };
enum {
    MM_SFPLOAD = 0x70,
    MM_SFPLOADI = 0x71,
    MM_SFPSTORE = 0x72,
    MM_SFPMULI = 0x74,
    MM_SFPADDI = 0x75,
    MM_SFPIADD = 0x79,
    MM_SFPSHFT = 0x7A,
    MM_SFPMOV = 0x7C,
    MM_SFPABS = 0x7D,
    MM_SFPAND = 0x7E,
    MM_SFPMAD = 0x84,
    MM_SFPSETSGN = 0x89,
    MM_SFPXOR = 0x8D,
    MM_SFPSTOCHRND = 0x8E,
    MM_SFPNOP = 0x8F,
    MM_SFPCAST = 0x90,
    MM_SFPSWAP = 0x92,
    MM_SFPLOADMACRO = 0x93,
    MM_SFPSHFT2 = 0x94,
};

/* An instruction of one lane, taken apart. */
struct mm_insn {
    unsigned op, va, vb, vc, vd, mod; /* an operand that the encoding does not have is MM_NONE */
    int imm;
    unsigned row, column; /* of a store */
    bool vb_given;        /* SFPSHFT2: VB is the macro's, not the immediate's */
};

struct mm_waiting {
    bool there, counts_instructions;
    unsigned delay;
    struct mm_insn insn;
};

/* A result on its way: of a multiply-add, or a swap in its second cycle. */
struct mm_second {
    bool there, swap;
    unsigned vb, vc, vd;
    uint32_t value;
};

struct mm_lane {
    uint32_t lreg[MM_LREGS];
    bool flag, use_flag;
    uint32_t template[4], sequence[4], misc;
    struct mm_waiting waiting[MM_UNITS][8];
    struct mm_second second;
    /* Within a cycle: what it will leave. */
    bool writes[MM_LREGS], writes_flag, new_flag;
    uint32_t new_lreg[MM_LREGS];
};

struct mm {
    struct mm_lane lane[MM_LANES];
    uint32_t dst[MM_ROWS][MM_COLUMNS]; /* Dst32b, unshuffled */
    const char *undefined;
    unsigned scheduled[MM_UNITS]; /* how many lanes have executed such an instruction */
    unsigned forgotten, discarded;
};

static inline unsigned mm_unit_of(unsigned op)
{
    switch (op) {
    case MM_SFPLOAD:
    case MM_SFPLOADI:
    case MM_SFPLOADMACRO: return MM_LOAD;
    case MM_SFPSTORE: return MM_STORE;
    case MM_SFPMULI:
    case MM_SFPADDI:
    case MM_SFPMAD: return MM_MAD;
    case MM_SFPSTOCHRND:
    case MM_SFPSHFT2: return MM_ROUND;
    default: return MM_SIMPLE;
    }
}

static inline struct mm_insn mm_parse(uint32_t word)
{
    struct mm_insn i = {.op = word >> 24, .va = MM_NONE, .vb = MM_NONE, .vc = word >> 8 & 15, .vd = word >> 4 & 15};
    i.mod = word & 15;
    i.imm = (int32_t)(word << 8) >> 20;
    switch (i.op) {
    case MM_SFPMULI:
    case MM_SFPADDI: i.imm = (int)(word >> 8 & 0xFFFF), i.vc = MM_NONE; break;
    case MM_SFPMAD: i.va = word >> 16 & 15, i.vb = word >> 12 & 15; break;
    case MM_SFPAND:
    case MM_SFPSHFT2: i.vb = word >> 12 & 15; break;
    case MM_SFPSTOCHRND: i.vb = word >> 12 & 15, i.mod &= 7; break;
    case MM_SFPSTORE: i.vd = word >> 20 & 15, i.mod = word >> 16 & 15, i.vc = MM_NONE; break;
    default: break;
    }
    return i;
}

static inline void mm_put(struct mm *m, struct mm_lane *l, unsigned vd, uint32_t value)
{
    if (vd >= 8 && vd != 16)
        return;
    if (l->writes[vd])
        m->undefined = "two results for one LReg in one cycle";
    l->writes[vd] = true;
    l->new_lreg[vd] = value;
}

static inline void mm_put_flag(struct mm *m, struct mm_lane *l, bool flag)
{
    if (l->writes_flag)
        m->undefined = "two results for the flags in one cycle";
    l->writes_flag = true;
    l->new_flag = flag;
}

static inline uint32_t mm_shift(uint32_t x, int32_t by)
{
    return by >= 0 ? x << (by & 31) : x >> (-(uint32_t)by & 31);
}

static inline bool mm_smaller(uint32_t c, uint32_t d)
{
    const int64_t cs = c >> 31 ? -(int64_t)(c & 0x7FFFFFFF) - 1 : (int64_t)c;
    const int64_t ds = d >> 31 ? -(int64_t)(d & 0x7FFFFFFF) - 1 : (int64_t)d;
    return cs < ds;
}

static inline uint32_t mm_cast(uint32_t c)
{
    uint64_t mag = c & 0x7FFFFFFF, exponent = 127 + 23;
    if (mag == 0)
        return c & 0x80000000;
    while (mag < 1u << 23)
        mag <<= 1, exponent--;
    uint64_t dropped = 0, unit = 1;
    while (mag >> 24) { /* bits move out one by one, and are remembered */
        dropped |= (mag & 1) * unit;
        unit <<= 1;
        mag >>= 1, exponent++;
    }
    if (2 * dropped > unit || (2 * dropped == unit && (mag & 1)))
        mag++;
    if (unit == 1 && dropped)
        mag++;
    return (c & 0x80000000) | (uint32_t)((exponent << 23) + mag - (1u << 23));
}

static inline uint32_t mm_round_bf16(uint32_t x)
{
    const uint32_t exponent = x >> 23 & 0xFF;
    if (exponent == 0)
        return 0;
    if (exponent == 255)
        return x & 0xFF800000;
    return (x + 0x8000) & 0xFFFF0000; /* to nearest, ties away */
}

static inline void mm_execute(struct mm *m, struct mm_lane *l, const struct mm_insn *i)
{
    const uint32_t *r = l->lreg;
    if (l->use_flag && !l->flag)
        return;
    const unsigned vb = i->vb;
    switch (i->op) {
    case MM_SFPNOP: break;
    case MM_SFPIADD: {
        const uint32_t other = i->mod & 1 ? (uint32_t)i->imm : r[vb];
        const uint32_t sum = i->mod & 1 ? r[i->vc] + other : i->mod & 2 ? r[i->vc] - other : r[i->vc] + other;
        mm_put(m, l, i->vd, sum);
        if (i->vd < 8) {
            const bool flag = i->mod & 4 ? l->flag : sum >> 31;
            if ((i->mod & 12) != 4)
                mm_put_flag(m, l, flag != (i->mod >> 3 & 1));
        }
        break;
    }
    case MM_SFPSHFT: {
        uint32_t x = r[vb];
        int32_t by = (int32_t)r[i->vc];
        if (i->mod & 1) {
            if (i->mod & 4)
                x = (uint32_t)by;
            by = i->imm;
        }
        mm_put(m, l, i->vd, by < 0 && (i->mod & 2) ? (uint32_t)((int32_t)x >> (-(uint32_t)by & 31)) : mm_shift(x, by));
        break;
    }
    case MM_SFPMOV: mm_put(m, l, i->vd, r[i->vc] ^ (i->mod & 1 ? 0x80000000 : 0)); break;
    case MM_SFPABS: mm_put(m, l, i->vd, r[i->vc] >> 31 ? -r[i->vc] : r[i->vc]); break;
    case MM_SFPAND: mm_put(m, l, i->vd, r[vb] & r[i->vc]); break;
    case MM_SFPXOR: mm_put(m, l, i->vd, r[vb] ^ r[i->vc]); break;
    case MM_SFPSETSGN:
        mm_put(m, l, i->vd, (r[i->vc] & 0x7FFFFFFF) | (i->mod & 1 ? (uint32_t)i->imm << 31 : r[vb] & 0x80000000));
        break;
    case MM_SFPCAST: mm_put(m, l, i->vd, mm_cast(r[i->vc])); break;
    case MM_SFPSWAP: {
        const bool smaller = mm_smaller(r[i->vc], r[vb]);
        const bool swap = i->mod == 0 || (i->mod == 1 ? smaller : !smaller);
        l->second = (struct mm_second){.there = swap, .swap = true, .vb = vb, .vc = i->vc, .vd = i->vd};
        break;
    }
    case MM_SFPMAD:
    case MM_SFPADDI:
    case MM_SFPMULI: {
        uint32_t flags = 0, a, b, c;
        if (i->op == MM_SFPMAD)
            a = r[i->mod & 4 ? r[7] & 15 : i->va] ^ (i->mod & 1 ? 0x80000000 : 0), b = r[vb],
            c = r[i->vc] ^ (i->mod & 2 ? 0x80000000 : 0);
        else if (i->op == MM_SFPADDI)
            a = (uint32_t)i->imm << 16, b = 0x3F800000, c = r[i->vc];
        else
            a = (uint32_t)i->imm << 16, b = r[i->vc], c = 0;
        const unsigned vd = i->op == MM_SFPMAD && (i->mod & 8) && i->vd != 16 ? r[7] & 15 : i->vd;
        l->second = (struct mm_second){.there = true, .vd = vd, .value = fma_f32(a, b, c, &flags)};
        break;
    }
    case MM_SFPSTOCHRND: mm_put(m, l, i->vd, mm_round_bf16(r[i->vc])); break;
    case MM_SFPSHFT2:
        if (i->mod == 5)
            mm_put(m, l, i->vd, mm_shift(r[vb], (int32_t)r[i->vc]));
        else
            mm_put(m, l, i->vd, mm_shift(r[i->vb_given ? vb : (unsigned)i->imm & 15], i->imm));
        break;
    case MM_SFPSTORE: {
        const uint32_t x = r[i->vd];
        m->dst[i->row][i->column] = i->mod == 3 && (x >> 23 & 0xFF) == 0 ? x & 0x80000000 : x;
        break;
    }
    default: m->undefined = "an instruction that the model does not know";
    }
}

/* SFPLOADMACRO, after its load: schedules. */
static inline void mm_schedule(struct mm *m, struct mm_lane *l, uint32_t word, unsigned row, unsigned column)
{
    const unsigned macro = word >> 22 & 3, vd = (word & 1) << 2 | (word >> 20 & 3), mod0 = word >> 16 & 15;
    for (unsigned unit = 0; unit < MM_UNITS; unit++) {
        const unsigned bits = l->sequence[macro] >> 8 * unit & 0xFF, delay = bits >> 3 & 7;
        struct mm_waiting *slot = NULL;
        if ((bits & 0x3F) == 0) /* a silent byte: docs/errata-tensix.md */
            continue;
        for (unsigned k = 0; k < 8; k++) {
            struct mm_waiting *w = &l->waiting[unit][k];
            if (w->there && w->delay == delay && delay != 7) {
                w->there = false;
                m->forgotten++;
            }
            if (!w->there)
                slot = w;
        }
        struct mm_insn i;
        switch (bits & 7) {
        case 0: continue;
        case 1: m->undefined = "source 1 of a sequence"; continue;
        case 2: i = mm_parse((uint32_t)MM_SFPNOP << 24); break;
        case 3: i = mm_parse((uint32_t)MM_SFPSTORE << 24); break;
        default: i = mm_parse(l->template[(bits & 7) - 4]); break;
        }
        if (mm_unit_of(i.op) != unit && i.op != MM_SFPNOP)
            i = mm_parse((uint32_t)MM_SFPNOP << 24);
        if (unit == MM_STORE && i.op != MM_SFPSTORE) {
            m->undefined = "the store sub-unit has something else to do";
            continue;
        }
        if (unit != MM_STORE) {
            if (bits & 0x80) {
                if (i.vc == MM_NONE)
                    i.vc = i.vd;
                i.vb = vd;
                i.vb_given = true;
            } else {
                if (i.vb == MM_NONE)
                    i.vb = i.vd;
                i.vc = vd;
            }
            i.vd = bits & 0x40 ? 16 : vd;
        } else {
            i.vd = bits & 0x40 ? 16 : bits & 0x80 ? i.vd : vd;
            i.mod = l->misc >> (4 + macro) & 1 ? mod0 : l->misc & 15;
            i.row = row, i.column = column;
        }
        if (slot == NULL) {
            m->undefined = "more waits than there are delays";
            continue;
        }
        *slot = (struct mm_waiting){true, l->misc >> (8 + unit) & 1, delay, i};
    }
}

/* One cycle.  issued: the instruction that a thread issues to the Vector Unit in it, 0 for none; addr: Addr of its
 * SFPLOAD or SFPSTORE part. */
static inline void mm_cycle(struct mm *m, uint32_t issued, unsigned addr)
{
    for (unsigned lane = 0; lane < MM_LANES; lane++) {
        struct mm_lane *l = &m->lane[lane];
        const unsigned row = (addr & ~3u) + lane / 8, column = (lane & 7) * 2 + (addr >> 1 & 1);
        const bool enabled = !l->use_flag || l->flag;
        memset(l->writes, 0, sizeof l->writes);
        l->writes_flag = false;

        /* What was begun in the cycle before ends in this one. */
        const struct mm_second second = l->second;
        l->second.there = false;
        if (second.there && second.swap) {
            if (second.vc < 8)
                mm_put(m, l, second.vc, l->lreg[second.vb]);
            if (second.vd < 8 && second.vd != second.vc)
                mm_put(m, l, second.vd, l->lreg[second.vc]);
        } else if (second.there) {
            mm_put(m, l, second.vd, second.value);
        }

        /* What is due in this cycle, at most one a sub-unit. */
        struct mm_insn now[MM_UNITS];
        bool busy[MM_UNITS] = {false};
        for (unsigned unit = 0; unit < MM_UNITS; unit++) {
            for (unsigned k = 0; k < 8; k++) {
                struct mm_waiting *w = &l->waiting[unit][k];
                if (w->there && w->delay == 0) {
                    now[unit] = w->insn;
                    if (busy[unit])
                        m->undefined = "two for one sub-unit";
                    busy[unit] = true;
                    w->there = false;
                    m->scheduled[unit]++;
                }
            }
        }

        /* The issued one goes to its sub-unit, unless that is taken. */
        const struct mm_insn direct = mm_parse(issued);
        const unsigned to = issued != 0 ? mm_unit_of(direct.op) : MM_LOAD;
        if (issued != 0 && to != MM_LOAD && direct.op != MM_SFPNOP) {
            if (busy[to]) {
                m->discarded++;
            } else {
                now[to] = direct;
                busy[to] = true;
                if (now[to].vb == MM_NONE)
                    now[to].vb = direct.vd;
                now[to].row = row, now[to].column = column;
            }
        }
        if (busy[MM_SIMPLE] && busy[MM_ROUND] && now[MM_SIMPLE].op != MM_SFPNOP && now[MM_ROUND].op != MM_SFPNOP &&
            (now[MM_SIMPLE].vd == 16) == (now[MM_ROUND].vd == 16))
            m->undefined = "Simple and Round in one cycle";
        const bool swaps = busy[MM_SIMPLE] && now[MM_SIMPLE].op == MM_SFPSWAP;
        if (swaps && busy[MM_MAD] && now[MM_MAD].op != MM_SFPNOP)
            m->undefined = "SFPSWAP beside MAD";
        if (second.swap &&
            ((busy[MM_SIMPLE] && now[MM_SIMPLE].op != MM_SFPNOP) || (busy[MM_ROUND] && now[MM_ROUND].op != MM_SFPNOP)))
            m->undefined = "SFPSWAP is in its second cycle";
        if (swaps && now[MM_SIMPLE].vd == 16)
            m->undefined = "SFPSWAP to LReg[16]";
        for (unsigned unit = 0; unit < MM_UNITS; unit++)
            if (busy[unit])
                mm_execute(m, l, &now[unit]);
        l->second.swap &= swaps;

        /* Delays count down. */
        bool any = false;
        for (unsigned unit = 0; unit < MM_UNITS; unit++)
            for (unsigned k = 0; k < 8; k++)
                any |= l->waiting[unit][k].there && l->waiting[unit][k].counts_instructions;
        if (!any || issued != 0)
            for (unsigned unit = 0; unit < MM_UNITS; unit++)
                for (unsigned k = 0; k < 8; k++)
                    if (l->waiting[unit][k].there)
                        l->waiting[unit][k].delay--;

        /* The load sub-unit. */
        if (issued != 0 && to == MM_LOAD) {
            const unsigned vd =
                direct.op == MM_SFPLOADMACRO ? (issued & 1) << 2 | (issued >> 20 & 3) : issued >> 20 & 15;
            if (enabled && vd < 8) {
                if (direct.op == MM_SFPLOADI)
                    mm_put(m, l, vd, (uint32_t)(int16_t)(issued & 0xFFFF)); /* MOD0_SHORT, 4 */
                else
                    mm_put(m, l, vd, m->dst[row][column]);
            }
            if (direct.op != MM_SFPLOADI && busy[MM_STORE] && now[MM_STORE].row == row &&
                now[MM_STORE].column == column)
                m->undefined = "load and store of one datum in one cycle";
            if (direct.op == MM_SFPLOADMACRO)
                mm_schedule(m, l, issued, row, column);
        }
    }
    for (unsigned lane = 0; lane < MM_LANES; lane++) {
        struct mm_lane *l = &m->lane[lane];
        for (unsigned i = 0; i < MM_LREGS; i++)
            if (l->writes[i])
                l->lreg[i] = l->new_lreg[i];
        if (l->writes_flag)
            l->flag = l->new_flag;
    }
}

#endif

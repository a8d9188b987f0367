/* SPDX-License-Identifier: Apache-2.0 */
/* What the instructions of a row of the Matrix Unit come to: which rows of SrcA, SrcB and Dst, in which phase.  That depends on
 * their words, on row counters and on configuration only, and the same loops come back with the same, so plans are kept
 * (struct matrix_cache).  Included by row.c alone. */
#ifndef KERR_TENSIX_MATRIX_ROW_PLAN_H
#define KERR_TENSIX_MATRIX_ROW_PLAN_H

#include "tensix/matrix/unit.h"

#include "base/bits.h"

#include "cfg_fields.h"

#include <string.h>

/* ---- Row counters ---------------------------------------------------------------------------------------------------- */

/* Those of struct tensix_rwc, 16 bits each. */
enum { AT_SRC_A = 0, AT_SRC_B = 16, AT_DST = 32, AT_PHASE = 48 };
#define COUNTER(x, at) ((uint64_t)(x) << (at))
#define WHOLE(condition, at) ((condition) ? COUNTER(0xFFFF, at) : 0)

struct counters {
    uint64_t now, cr;
};

static struct counters counters_of(const struct tensix_rwc *rwc)
{
    return (struct counters){.now = COUNTER(rwc->src_a, AT_SRC_A) | COUNTER(rwc->src_b, AT_SRC_B) |
                                    COUNTER(rwc->dst, AT_DST) | COUNTER(rwc->fidelity_phase, AT_PHASE),
                             .cr = COUNTER(rwc->src_a_cr, AT_SRC_A) | COUNTER(rwc->src_b_cr, AT_SRC_B) |
                                   COUNTER(rwc->dst_cr, AT_DST)};
}

static void counters_to(struct tensix_rwc *rwc, struct counters c)
{
    rwc->src_a = (uint8_t)(c.now >> AT_SRC_A);
    rwc->src_b = (uint8_t)(c.now >> AT_SRC_B);
    rwc->dst = (uint16_t)(c.now >> AT_DST);
    rwc->fidelity_phase = (uint8_t)(c.now >> AT_PHASE);
    rwc->src_a_cr = (uint8_t)(c.cr >> AT_SRC_A);
    rwc->src_b_cr = (uint8_t)(c.cr >> AT_SRC_B);
    rwc->dst_cr = (uint16_t)(c.cr >> AT_DST);
}

/* rwc_apply_addr_mod, with words of ADDR_MOD_AB and ADDR_MOD_DST. */
static inline uint64_t counter_step(struct counters c, unsigned at, uint64_t mask, unsigned increment, bool from_cr)
{
    return COUNTER((((from_cr ? c.cr : c.now) >> at) + increment) & mask, at);
}
static struct counters counters_step(struct counters c, uint16_t ab, uint16_t dst)
{
#define AB(name) ((ab & ADDR_MOD_AB_SEC0_##name##_MASK) >> ADDR_MOD_AB_SEC0_##name##_SHAMT)
#define DST(name) ((dst & ADDR_MOD_DST_SEC0_##name##_MASK) >> ADDR_MOD_DST_SEC0_##name##_SHAMT)
    const uint64_t now =
        counter_step(c, AT_SRC_A, AB(SrcAClear) ? 0 : RWC_SRC_MASK, AB(SrcAIncr), AB(SrcACR)) |
        counter_step(c, AT_SRC_B, AB(SrcBClear) ? 0 : RWC_SRC_MASK, AB(SrcBIncr), AB(SrcBCR)) |
        counter_step(c, AT_DST, DST(DestClear) ? 0 : RWC_DST_MASK, DST(DestIncr), DST(DestCR) && !DST(DestCToCR)) |
        counter_step(c, AT_PHASE, DST(FidelityClear) ? 0 : 3, DST(FidelityIncr), false);
    const uint64_t to_cr = WHOLE(AB(SrcAClear) || AB(SrcACR), AT_SRC_A) | WHOLE(AB(SrcBClear) || AB(SrcBCR), AT_SRC_B) |
                           WHOLE(DST(DestClear) || DST(DestCToCR) || DST(DestCR), AT_DST);
#undef AB
#undef DST
    return (struct counters){.now = now, .cr = c.cr ^ ((c.cr ^ now) & to_cr)};
}

/* ---- Instructions ---------------------------------------------------------------------------------------------------- */

/* What is done to a word of an opcode; all of them have DstRow in bits 9:0. */
enum kind { PRODUCTS, SUMS, DIFFERENCES, PRODUCTS_OF_ELEMENTS };
struct decoding {
    uint32_t bits; /* that it may have */
    uint8_t kind;
    uint8_t op; /* enum tensix_op */
    uint8_t rows;
    uint8_t AddrMod_at;
};
enum {
    BITS = 3 << 22 | 0x3FF,                   /* flips, DstRow */
    BITS_MVMUL = BITS | 7 << 14,              /* AddrMod; no BroadcastSrcBRow */
    BITS_ELEMENTS = BITS | 7 << 19 | 7 << 14, /* and others with a meaning or none */
    BITS_GAPOOL = BITS | 1 << 19 | 7 << 15 | 1 << 14
};
/* By opcode, as isa/tensix.isa has them; no bits: not for rows. */
enum { OPCODE_FIRST = 0x26, NOT_FOR_ROWS = 0 };
static const struct decoding decodings[] = {
    {BITS_MVMUL, PRODUCTS, TENSIX_MVMUL, MATRIX_ROWS, 14},
    {BITS_ELEMENTS, PRODUCTS_OF_ELEMENTS, TENSIX_ELWMUL, MATRIX_ROWS, 14},
    {BITS_ELEMENTS, SUMS, TENSIX_ELWADD, MATRIX_ROWS, 14},
    {BITS_ELEMENTS, PRODUCTS, TENSIX_DOTPV, MATRIX_ROWS, 14},
    {NOT_FOR_ROWS, 0, 0, 0, 0}, /* 0x2A */
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {BITS_ELEMENTS, DIFFERENCES, TENSIX_ELWSUB, MATRIX_ROWS, 14}, /* 0x30 */
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {NOT_FOR_ROWS, 0, 0, 0, 0},
    {BITS_GAPOOL, PRODUCTS, TENSIX_GAPOOL, MATRIX_ROWS / 2, 15}, /* 0x34 */
};

/* NULL: not for rows. */
static inline const struct decoding *decoding_of(uint32_t word)
{
    const unsigned index = (word >> 24) - OPCODE_FIRST;
    if (index >= sizeof decodings / sizeof *decodings || decodings[index].bits == NOT_FOR_ROWS ||
        (word & 0xFFFFFF & ~decodings[index].bits) != 0)
        return NULL;
    return &decodings[index];
}

/* ELWADD, ELWSUB, ELWMUL: AddDst 21, BroadcastSrcBRow 20, BroadcastSrcBCol0 19, and the kind: an index of forms. */
static inline unsigned form_of(uint32_t word, unsigned kind)
{
    return (kind - SUMS) * 8 + (word >> 19 & 7);
}
#define FORM(op_, bits)                                                                                                \
    {                                                                                                                  \
        .op = op_, .b_column_0 = (bits)&1, .b_step = !((bits)&2), .add_dst = (op_) == MATRIX_MULTIPLY || (bits)&4      \
    }
#define FORMS(op) FORM(op, 0), FORM(op, 1), FORM(op, 2), FORM(op, 3), FORM(op, 4), FORM(op, 5), FORM(op, 6), FORM(op, 7)
static const struct matrix_elementwise_form forms[] = {FORMS(MATRIX_ADD), FORMS(MATRIX_SUBTRACT),
                                                       FORMS(MATRIX_MULTIPLY)};

/* ---- Plans ----------------------------------------------------------------------------------------------------------- */

/* The next instruction.  False: it is not for rows. */
static inline bool plan_step(const struct matrix_plan_key *key, uint32_t word, struct counters *c, unsigned same[2],
                             struct matrix_plan_step *step)
{
    const struct decoding *d = decoding_of(word);
    const unsigned a_row = (unsigned)(c->now >> AT_SRC_A) & 0x38;
    if (d == NULL || (d->kind == PRODUCTS && a_row + 16 > SRC_ROWS))
        return false;
    const unsigned form = d->kind == PRODUCTS ? 0 : 1 + form_of(word, d->kind);
    const unsigned b_row = (unsigned)(c->now >> AT_SRC_B) & (form == 0 || forms[form - 1].b_step ? 0x38 : 0x3F);
    const unsigned at = (word + key->base + (unsigned)(c->now >> AT_DST)) & (DST_ROWS - d->rows);
    const unsigned phase = ((unsigned)(c->now >> AT_PHASE) + key->phase) & 3;
    const unsigned AddrMod = word >> d->AddrMod_at & 7;
    unsigned how = d->rows == MATRIX_ROWS ? 0 : MATRIX_FOUR_ROWS;
    if (d->kind == PRODUCTS) { /* two blocks of SrcA have one place in the cache */
        how |= (same[0] >> a_row / 8 & 1 ? MATRIX_SAME_A : 0) | (same[1] >> b_row / 8 & 1 ? MATRIX_SAME_B : 0);
        same[0] = (same[0] & ~(3u << (a_row / 8 & 6))) | 1u << a_row / 8;
        same[1] |= 1u << b_row / 8;
    }
    *c = counters_step(*c, key->address_mode[0][AddrMod], key->address_mode[1][AddrMod]);
    *step = (struct matrix_plan_step){
        .now = c->now,
        .cr = c->cr,
        .first = (uint16_t)(key->mode.dst32 ? dst_row32(key->access, at) : dst_row16(key->access, at)),
        .a_row = (uint8_t)a_row,
        .b_row = (uint8_t)b_row,
        .op = d->op,
        .rows = (uint8_t)((1u << d->rows) - 1),
        .phase = (uint8_t)phase,
        .how = (uint8_t)how,
        .form = (uint8_t)form,
        .flips = (uint8_t)(word >> 22 & 3)};
    return true;
}

static __attribute__((noinline)) void plan_make(struct matrix_plan *plan, const struct matrix_plan_key *key,
                                                const uint32_t *words, unsigned count)
{
    struct counters c = {.now = key->now, .cr = key->cr};
    unsigned same[2] = {0, 0}, k = 0;
    plan->key = *key;
    plan->asked = count;
    memcpy(plan->words, words, count * sizeof *words);
    while (k < count && plan_step(key, words[k], &c, same, &plan->step[k]))
        if (plan->step[k++].flips != 0)
            break;
    plan->count = k;
}

static inline bool plan_is(const struct matrix_plan *plan, const struct matrix_plan_key *key, const uint32_t *words,
                           unsigned count)
{
    return plan->asked == count && memcmp(&plan->key, key, sizeof *key) == 0 &&
           memcmp(plan->words, words, count * sizeof *words) == 0;
}

/* words: count of them, at most MATRIX_PLAN_MOST. */
static inline const struct matrix_plan *plan_of(struct matrix_cache *cache, const struct matrix_plan_key *key,
                                                const uint32_t *words, unsigned count)
{
    const uint64_t mixed = (key->now + ((uint64_t)words[0] << 20) + count) * UINT64_C(0x9E3779B97F4A7C15);
    const unsigned set = (unsigned)(mixed >> 60);
    _Static_assert(MATRIX_PLAN_SETS == 16 && MATRIX_PLAN_WAYS == 2, "four bits, and one");
    struct matrix_plan *plan = &cache->plan[set][cache->plan_used[set] & 1];
    if (LIKELY(plan_is(plan, key, words, count)))
        return plan;
    cache->plan_used[set] ^= 1;
    plan = &cache->plan[set][cache->plan_used[set] & 1];
    if (!plan_is(plan, key, words, count))
        plan_make(plan, key, words, count);
    return plan;
}

#endif

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
/* By opcode; no bits: not for rows. */
enum { OPCODE_FIRST = OPCODE_MVMUL, NOT_FOR_ROWS = 0 };
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

/* Blocks that cannot be read yet: byte i is 1 + the block that was written i + 1 cycles ago, 0 for none. */
enum { RECENT = COST_DST_BLOCK - 1 };
_Static_assert(RECENT == 5, "bytes of ones");
#define RECENT_BYTES UINT64_C(0xFFFFFFFFFF)

/* For how many cycles `block` cannot be read yet (matrix_block_free). */
static inline unsigned block_waits(uint64_t recent, unsigned block)
{
    const uint64_t ones = UINT64_C(0x0101010101), other = (recent & RECENT_BYTES) ^ ones * (block + 1);
    const uint64_t same = (other - ones) & ~other & ones << 7;
    return same == 0 ? 0 : RECENT - (unsigned)__builtin_ctzll(same) / 8;
}

/* The next instruction.  NULL: it is not for rows. */
static inline const struct decoding *plan_step(const struct matrix_plan_key *key, uint32_t word, struct counters *c,
                                               struct matrix_plan_step *step)
{
    const struct decoding *d = decoding_of(word);
    const unsigned a_row = (unsigned)(c->now >> AT_SRC_A) & 0x38;
    if (d == NULL || (d->kind == PRODUCTS && a_row + 16 > SRC_ROWS))
        return NULL;
    const unsigned form = d->kind == PRODUCTS ? 0 : 1 + form_of(word, d->kind);
    const unsigned b_row = (unsigned)(c->now >> AT_SRC_B) & (form == 0 || forms[form - 1].b_step ? 0x38 : 0x3F);
    const unsigned at = (word + key->base + (unsigned)(c->now >> AT_DST)) & (DST_ROWS - d->rows);
    const unsigned phase = ((unsigned)(c->now >> AT_PHASE) + key->phase) & 3;
    const unsigned AddrMod = word >> d->AddrMod_at & 7;
    *c = counters_step(*c, key->address_mode[0][AddrMod], key->address_mode[1][AddrMod]);
    *step = (struct matrix_plan_step){
        .first = (uint16_t)(key->mode.dst32 ? dst_row32(key->access, at) : dst_row16(key->access, at)),
        .a_row = (uint8_t)a_row,
        .b_row = (uint8_t)b_row,
        .phase = (uint8_t)phase,
        .how = d->rows == MATRIX_ROWS ? 0 : MATRIX_FOUR_ROWS,
        .form = (uint8_t)form};
    return d;
}

static void plan_counts(struct matrix_plan *plan, unsigned op)
{
    unsigned i = 0;
    while (plan->ran[i][1] != 0 && plan->ran[i][0] != op)
        i++;
    plan->ran[i][0] = (uint8_t)op;
    plan->ran[i][1]++;
}

/* Whether blocks are written by instructions of one kind only, all of the same rows: those onto other blocks may come in between or
 * not. */
static bool blocks_are_apart(const struct matrix_plan_step *steps, unsigned count)
{
    for (unsigned i = 1; i < count; i++)
        for (unsigned k = 0; k < i; k++)
            if (steps[i].first / 8 == steps[k].first / 8 &&
                (steps[i].first != steps[k].first || steps[i].how != steps[k].how))
                return false;
    return true;
}

/* Those onto the same rows come together, in their order. */
static void plan_sort(struct matrix_plan *plan, const struct matrix_plan_step *steps)
{
    uint64_t left = plan->count == 64 ? UINT64_MAX : (UINT64_C(1) << plan->count) - 1;
    unsigned k = 0;
    while (left != 0) {
        const unsigned first = steps[__builtin_ctzll(left)].first;
        for (uint64_t look = left; look != 0; look &= look - 1) {
            const unsigned i = (unsigned)__builtin_ctzll(look);
            if (steps[i].first == first) {
                plan->step[k++] = steps[i];
                left &= ~(UINT64_C(1) << i);
            }
        }
    }
}

/* Chains of products, for which all that they read of SrcA and SrcB is in the cache at once, and what is known of it by then. */
static void plan_chains(struct matrix_plan *plan)
{
    unsigned same[2] = {0, 0}, here = 0, first = 0; /* blocks of eight rows; of this chain */
    for (unsigned k = 0; k < plan->count; k++) {
        struct matrix_plan_step *step = &plan->step[k], *chain = &plan->step[first];
        const unsigned a = 1u << step->a_row / 8, place = 3u << (step->a_row / 8 & 6); /* two blocks have one place */
        const bool onto_the_same = step->first == chain->first && step->how == (chain->how & MATRIX_FOUR_ROWS) &&
                                   step->form == 0 && chain->form == 0;
        if (k != 0 && onto_the_same && !(here & place & ~a)) {
            chain->chain++;
        } else {
            first = k;
            step->chain = 1;
            here = 0;
        }
        if (step->form != 0)
            continue;
        step->how |=
            (uint8_t)((same[0] & a ? MATRIX_SAME_A : 0) | (same[1] >> step->b_row / 8 & 1 ? MATRIX_SAME_B : 0));
        same[0] = (same[0] & ~place) | a;
        same[1] |= 1u << step->b_row / 8;
        here |= a;
    }
}

static __attribute__((noinline)) void plan_make(struct matrix_plan *plan, const struct matrix_plan_key *key,
                                                const uint32_t *words, unsigned count)
{
    struct matrix_plan_step steps[MATRIX_PLAN_MOST];
    struct counters c = {.now = key->now, .cr = key->cr};
    unsigned cycle = 0, k = 0;
    uint64_t recent = key->recent;
    *plan = (struct matrix_plan){.key = *key, .asked = count};
    memcpy(plan->words, words, count * sizeof *words);
    while (k < count && plan->flips == 0) {
        const struct decoding *d = plan_step(key, words[k], &c, &steps[k]);
        if (d == NULL)
            break;
        const unsigned block = steps[k].first / 8u, waits = block_waits(recent, block);
        if (waits != 0) {
            plan->waits = (uint16_t)(plan->waits + waits);
            plan->waited_until = (uint16_t)(cycle += waits);
            recent <<= 8 * waits;
        }
        recent = recent << 8 | (block + 1);
        plan->at[k] = (uint16_t)cycle++;
        plan->a_row = steps[k].a_row;
        plan->flips = (uint8_t)(words[k++] >> 22 & 3);
        plan_counts(plan, d->op);
    }
    plan->now = c.now;
    plan->cr = c.cr;
    plan->written = recent;
    plan->count = k;
    if (blocks_are_apart(steps, k))
        plan_sort(plan, steps);
    else
        memcpy(plan->step, steps, k * sizeof *steps);
    plan_chains(plan);
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
    const uint64_t mixed = (key->now + ((uint64_t)words[0] << 20) + count) * UINT64_C(0x9E3779B97F4A7C15) +
                           key->recent * UINT64_C(0xD6E8FEB86659FD93);
    const unsigned set = (unsigned)(mixed >> 58);
    _Static_assert(MATRIX_PLAN_SETS == 64 && MATRIX_PLAN_WAYS == 2, "six bits, and one");
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

/* SPDX-License-Identifier: Apache-2.0 */
/* Playbacks for the Vector Unit: programs are made here. */
#include "tensix/vector/play.h"

#include "tensix/vector/code.h"
#include "tensix/vector/row.h"
#include "tensix/vector/steps.h"

#include "num/sfpu_cells.h"

enum { MOD_INDIRECT = 12, INDIRECT_VD = PLAY_INDIRECT_VD };

static unsigned code_of_iadd(const struct vector_operands *o)
{
    enum { ARG_IMM = 1, ARG_2SCOMP_LREG_DST = 2, CC_NONE = 4, CC_GTE0 = 8 };
    if ((o->mod & (CC_NONE | CC_GTE0)) != CC_NONE)
        return PLAY_ADD_FLAGS;
    return o->mod & ARG_IMM ? PLAY_ADD_IMM : o->mod & ARG_2SCOMP_LREG_DST ? PLAY_SUB : PLAY_ADD;
}

/* By a constant, of which five bits of the magnitude count (sfpu_shift). */
static unsigned code_of_shft(const struct vector_operands *o, struct play_step *step)
{
    enum { ARG_IMM = 1, ARITHMETIC = 2, ARG_IMM_USE_VC = 4 };
    if (!(o->mod & ARG_IMM))
        return PLAY_CALL;
    step->source = o->mod & ARG_IMM_USE_VC ? o->VC : o->VB;
    step->value = (o->imm < 0 ? 0u - (uint32_t)o->imm : (uint32_t)o->imm) & 31;
    return o->imm >= 0 ? PLAY_SHIFT_LEFT : o->mod & ARITHMETIC ? PLAY_SHIFT_ARITHMETIC : PLAY_SHIFT_RIGHT;
}

static unsigned code_of_setcc(const struct vector_operands *o, struct play_step *step)
{
    enum { IMM_BIT0 = 1, SOME = 2, INVERTED = 4, CLEAR = 8 };
    if (o->mod & (CLEAR | IMM_BIT0)) {
        step->value = !(o->mod & CLEAR) && o->imm ? UINT32_MAX : 0;
        return PLAY_SETCC_VALUE;
    }
    step->value = o->mod & INVERTED ? UINT32_MAX : 0;
    return o->mod & SOME ? PLAY_SETCC_SOME : PLAY_SETCC_SIGN;
}

static unsigned code_of_setexp(const struct vector_operands *o, struct play_step *step)
{
    step->value = ((uint32_t)o->imm & 255) << 23;
    return o->mod & 1 ? PLAY_SETEXP_IMM : PLAY_CALL;
}

static unsigned code_of_exexp(const struct vector_operands *o, struct play_step *step)
{
    step->value = o->mod & 1 ? 0 : 127;
    return o->mod & 10 ? PLAY_CALL : PLAY_EXEXP;
}

static unsigned code_of_mad(const struct vector_operands *o, struct play_step *step)
{
    enum { NEGATE_VA = 1 };
    if (o->mod & MOD_INDIRECT)
        return PLAY_CALL;
    if (o->VC == LREG_ZERO)
        return PLAY_PRODUCT;
    step->source = o->VB == LREG_ONE ? o->VA : o->VB;
    return o->VB == LREG_ONE || (o->VA == LREG_ONE && !(o->mod & NEGATE_VA)) ? PLAY_SUM : PLAY_MAD;
}

static unsigned code_of_loadi(const struct vector_operands *o, struct play_step *step)
{
    enum { FLOATB = 0, USHORT = 2, SHORT = 4 };
    const uint32_t immediate = (uint32_t)o->imm & 0xFFFF;
    step->value = o->mod == FLOATB ? immediate << 16 : o->mod == SHORT ? (uint32_t)(int16_t)immediate : immediate;
    return o->mod == FLOATB || o->mod == USHORT || o->mod == SHORT ? PLAY_VALUE : PLAY_CALL;
}

static unsigned code_of_load(const struct vector_operands *o)
{
    switch (o->mod) {
    case MOD0_FMT_BF16: return PLAY_LOAD_BF16;
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_SM: return PLAY_LOAD_32;
    default: return PLAY_MOVE;
    }
}
static unsigned code_of_store(const struct vector_operands *o)
{
    switch (o->mod) {
    case MOD0_FMT_BF16: return PLAY_STORE_BF16;
    case MOD0_FMT_FP32: return PLAY_STORE_FP32;
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_SM: return PLAY_STORE_INT32;
    default: return PLAY_MOVE;
    }
}

/* Which code does it; what that needs besides the instruction's own fields goes into *step. */
static unsigned code_of(const struct vector_decoded *d, struct play_step *step)
{
    const struct vector_operands *o = &d->o;
    switch (d->op) {
    case TENSIX_SFPNOP: return PLAY_NOTHING;
    case TENSIX_SFPIADD: return code_of_iadd(o);
    case TENSIX_SFPSHFT: return code_of_shft(o, step);
    case TENSIX_SFPAND: return PLAY_AND;
    case TENSIX_SFPOR: return PLAY_OR;
    case TENSIX_SFPXOR: return PLAY_XOR;
    case TENSIX_SFPNOT: return PLAY_NOT;
    case TENSIX_SFPABS: return o->mod & 1 ? PLAY_ABS_FLOAT : PLAY_CALL;
    case TENSIX_SFPMOV:
        return o->mod == 0 ? PLAY_COPY : o->mod == 1 ? PLAY_NEGATE : o->mod == 2 ? PLAY_COPY_ALL : PLAY_CALL;
    case TENSIX_SFPLOADI: return code_of_loadi(o, step);
    case TENSIX_SFPSETEXP: return code_of_setexp(o, step);
    case TENSIX_SFPEXEXP: return code_of_exexp(o, step);
    case TENSIX_SFPSETCC: return code_of_setcc(o, step);
    case TENSIX_SFPENCC: return PLAY_ENCC;
    case TENSIX_SFPCOMPC: return PLAY_COMPC;
    case TENSIX_SFPPUSHC: return PLAY_PUSHC;
    case TENSIX_SFPPOPC: return PLAY_POPC;
    case TENSIX_SFPMAD:
    case TENSIX_SFPADD:
    case TENSIX_SFPMUL: return code_of_mad(o, step);
    case TENSIX_SFPLUT: return o->mod & INDIRECT_VD ? PLAY_CALL : PLAY_LUT;
    case TENSIX_SFPSWAP: step->value = vector_swap_min(o->mod); return PLAY_SWAP;
    case TENSIX_SFPARECIP: return o->mod == 0 ? PLAY_RECIPROCAL : PLAY_CALL;
    case TENSIX_SFPLOAD: return code_of_load(o);
    case TENSIX_SFPSTORE: return code_of_store(o);
    default: return PLAY_CALL;
    }
}

/* Whether one that comes right behind one of the MAD sub-unit is held, and whether it may find an old value instead. */
static bool is_held(const struct vector_decoded *before, const struct vector_decoded *d)
{
    return before->kind == OF_MAD && (before->assumed_writes & d->assumed_reads) != 0;
}
static bool is_held_by_swap(const struct vector_decoded *before, const struct vector_decoded *d)
{
    return before->op == TENSIX_SFPSWAP && before->kind != NOT_FOR_ROWS && row_waits_for_swap(d);
}
static bool may_be_early(const struct vector_decoded *before, const struct vector_decoded *d)
{
    if (before->kind != OF_MAD)
        return false;
    const uint32_t written = before->o.mod & INDIRECT_VD ? EVERY_LREG : UINT32_C(1) << before->o.VD;
    return (written & d->reads) != 0;
}

static void decode_word(struct play_program *p, unsigned i, struct vector_decoded *d)
{
    struct play_step *step = &p->step[i];
    row_decode(d, p->words[i]);
    *step = (struct play_step){.kind = d->kind, .opcode = d->opcode, .latency = d->latency, .o = d->o};
    step->value = (uint32_t)d->o.imm;
    step->code = (uint8_t)code_of(d, step);
    if (d->op == TENSIX_INCRWC && tensix_reserved_set(d->word) == 0) {
        step->kind = COUNTS;
        step->code = PLAY_INCRWC;
        step->value = d->word;
    }
    /* Not for programs: what changes the stack otherwise than by one, or the counter that addresses are made of; and what leaves
     * v->mad partly as the one before has left it, since only the last one of a program leaves anything there. */
    const bool moves = d->kind == LOADS || d->kind == STORES;
    const bool indirect = d->kind == OF_MAD && (d->o.mod & INDIRECT_VD);
    if (indirect || (d->kind == OF_STACK && d->o.mod != 0) || (moves && d->o.mod == MOD0_FMT_INT32_ALL))
        step->kind = NOT_FOR_ROWS;
    p->op[i] = d->op;
    p->assumed_reads[i] = d->assumed_reads;
    p->reads[i] = d->reads;
    p->assumed_writes[i] = d->assumed_writes;
    p->mad |= (uint32_t)(d->kind == OF_MAD) << i;
    p->swap |= (uint32_t)(d->op == TENSIX_SFPSWAP) << i;
}

/* What follows from those behind the i-th, up to the first that cannot come without a look. */
static void look_ahead(struct play_program *p, unsigned i, bool goes_on)
{
    const bool stack = p->step[i].kind == OF_STACK;
    const int change = !stack ? 0 : p->op[i] == TENSIX_SFPPUSHC ? 1 : -1;
    const int deepest = change + (goes_on ? p->deepest[i + 1] : 0),
              least = change + (goes_on ? p->shallowest[i + 1] : 0);
    p->length[i] = (uint8_t)(p->step[i].kind == NOT_FOR_ROWS ? 0 : goes_on ? p->length[i + 1] + 1 : 1);
    p->deepest[i] = (int8_t)(deepest > 0 ? deepest : 0);
    p->shallowest[i] = (int8_t)(least < 0 ? least : 0);
    p->stacks[i] = stack || p->op[i] == TENSIX_SFPCOMPC || (goes_on && p->stacks[i + 1]);
    p->stores[i] = p->step[i].kind == STORES || (goes_on && p->stores[i + 1]);
    p->moves[i] = p->step[i].kind == LOADS || p->stores[i] || (goes_on && p->moves[i + 1]);
}

void play_make(struct play_program *p, const uint32_t words[PLAY_WORDS])
{
    struct vector_decoded before = {.kind = NOT_FOR_ROWS}, d;
    bool goes_on[PLAY_WORDS + 1] = {false};
    memset(p, 0, sizeof *p);
    memcpy(p->words, words, sizeof p->words);
    for (unsigned i = 0; i < PLAY_WORDS; i++) {
        decode_word(p, i, &d);
        const bool held = is_held(&before, &d) || is_held_by_swap(&before, &d);
        goes_on[i] = p->step[i].kind != NOT_FOR_ROWS && (held || !may_be_early(&before, &d));
        p->waited |= (uint32_t)(held && goes_on[i]) << i;
        p->taken[i] = (uint8_t)(i != 0 ? p->taken[i - 1] + 1 + (p->waited >> i & 1) : 0);
        before = d;
    }
    for (unsigned i = PLAY_WORDS; i-- > 0;)
        look_ahead(p, i, goes_on[i + 1]);
    p->made = true;
}

/* ---- Parts ---------------------------------------------------------------------------------------------------- */

static unsigned busy_for(const struct play_program *p, unsigned from, unsigned count)
{
    unsigned busy = 0;
    for (unsigned i = from; i < from + count; i++) {
        const unsigned until = (unsigned)p->taken[i] - p->taken[from] + p->step[i].latency;
        busy = until > busy && p->step[i].kind != COUNTS ? until : busy;
    }
    return busy;
}

static void count_kinds(const struct play_program *p, struct play_part *part)
{
    for (unsigned i = part->from; i < (unsigned)part->from + part->count; i++) {
        unsigned at = 0;
        while (at < part->kinds && part->op[at] != p->op[i])
            at++;
        if (at == part->kinds)
            part->op[part->kinds++] = p->op[i];
        part->of_op[at]++;
    }
}

static bool has_flags(unsigned code)
{
    switch (code) {
    case PLAY_ADD_FLAGS:
    case PLAY_SETCC_VALUE:
    case PLAY_SETCC_SIGN:
    case PLAY_SETCC_SOME:
    case PLAY_ENCC:
    case PLAY_COMPC:
    case PLAY_PUSHC:
    case PLAY_POPC: return true;
    default: return false;
    }
}
/* What code goes by. */
static void prepare_code(const struct play_program *p, struct play_part *part)
{
    enum { WAIT = 8 };
    part->wait = WAIT;
    part->codes = code_is_possible(p, part);
    part->hash = part->count;
    for (unsigned i = part->from; i < (unsigned)part->from + part->count; i++) {
        part->hash = (part->hash ^ p->words[i]) * UINT32_C(0x9E3779B1);
        part->hash ^= part->hash >> 15;
        const bool moves = p->step[i].kind == LOADS || p->step[i].kind == STORES;
        part->flags |= has_flags(p->step[i].code);
        part->moves = (uint8_t)(part->moves + moves);
        if (moves || p->step[i].kind == COUNTS)
            part->goes_at[part->goes++] = (uint8_t)(i - part->from);
    }
    if (part->last_mad != PLAY_WORDS)
        part->last_VD = p->step[part->from + part->last_mad].o.VD;
}

void play_make_part(const struct play_program *p, unsigned from, unsigned count, struct play_part *part)
{
    const unsigned last = from + count - 1;
    const uint32_t all = (uint32_t)((UINT64_C(1) << count) - 1), mads = p->mad >> from & all,
                   swaps = p->swap >> from & all;
    const struct play_step *step = &p->step[last];
    *part = (struct play_part){.from = (uint8_t)from,
                               .count = (uint8_t)count,
                               .busy = (uint8_t)busy_for(p, from, count),
                               .cycles = (uint8_t)(p->taken[last] - p->taken[from] + 1),
                               .waited = p->waited >> from & all & ~1u,
                               .last_mad = (uint8_t)(mads != 0 ? 31 - __builtin_clz(mads) : PLAY_WORDS),
                               .last_swap = (uint8_t)(swaps != 0 ? 31 - __builtin_clz(swaps) : PLAY_WORDS)};
    for (uint32_t left = part->waited; left != 0; left &= left - 1)
        part->waits++;
    if (p->mad >> last & 1) {
        const uint32_t written = step->o.mod & INDIRECT_VD ? EVERY_LREG : UINT32_C(1) << step->o.VD;
        part->again_is_held = (p->assumed_writes[last] & p->assumed_reads[from]) != 0;
        part->again_is_early = !part->again_is_held && (written & p->reads[from]) != 0;
    }
    if (p->swap >> last & 1)
        part->again_is_held = p->step[from].kind != DOES_NOTHING && p->step[from].kind != COUNTS;
    for (unsigned i = from; i <= last; i++) {
        const uint8_t cycles = (uint8_t)(p->taken[i] - p->taken[from] + 1);
        if (p->step[i].kind == COUNTS)
            part->counts++, part->counted = cycles;
        else
            part->free = cycles;
    }
    for (unsigned i = from; i <= last; i++)
        part->deeper = (int8_t)(part->deeper + (p->step[i].kind != OF_STACK   ? 0
                                                : p->op[i] == TENSIX_SFPPUSHC ? 1
                                                                              : -1));
    count_kinds(p, part);
    prepare_code(p, part);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of instructions.  What steps.c does for each of them is the rule; here it is done for those that need little of it: VD below
 * 8, so that there is neither a back door nor a register out of reach, and nothing scheduled by SFPLOADMACRO.
 * tests/same/rows.c compares both. */
#include "tensix/vector/row.h"

#include "tensix/counts.h"
#include "tensix/regs/rwc.h"
#include "tensix/vector/steps.h"

/* Where operands are. */
enum form { FORM_NONE, VB_IS_VD, VB_OR_VD, OWN_VB, ALL_FOUR, IMM16_VD, VD_MOD0, VD_MOD0_IMM16, MOVES, ROUNDS };
enum immediate { NO_IMM, SIGNED12, UNSIGNED12, UNSIGNED8, UNSIGNED2, UNSIGNED1 };

enum { FIRST_OPCODE = 0x70, OPCODES = 0x30 };
static const struct plain {
    vector_function *function;
    uint8_t kind, form, immediate, no_mod;
} plain[OPCODES] = {
#define AT(opcode) [(opcode)-FIRST_OPCODE]
    AT(0x70) = {NULL, LOADS, MOVES, 0, 0},
    AT(0x71) = {vector_loadi, IN_ENABLED_LANES, VD_MOD0_IMM16, 0, 0},
    AT(0x72) = {NULL, STORES, MOVES, 0, 0},
    AT(0x73) = {vector_lut, OF_MAD, VD_MOD0, 0, 0},
    AT(0x74) = {vector_muli, OF_MAD, IMM16_VD, 0, 0},
    AT(0x75) = {vector_addi, OF_MAD, IMM16_VD, 0, 0},
    AT(0x76) = {vector_divp2, IN_ENABLED_LANES, VB_IS_VD, UNSIGNED8, 0},
    AT(0x77) = {vector_exexp, IN_ENABLED_LANES, VB_IS_VD, 0, 0},
    AT(0x78) = {vector_exman, IN_ENABLED_LANES, VB_IS_VD, 0, 0},
    AT(0x79) = {vector_iadd, IN_ENABLED_LANES, VB_IS_VD, SIGNED12, 0},
    AT(0x7a) = {vector_shft, IN_ENABLED_LANES, VB_IS_VD, SIGNED12, 0},
    AT(0x7b) = {vector_setcc, IN_ENABLED_LANES, VB_IS_VD, UNSIGNED1, 0},
    AT(0x7c) = {vector_mov, IN_ALL_LANES, VB_IS_VD, 0, 0},
    AT(0x7d) = {vector_abs, IN_ENABLED_LANES, VB_IS_VD, 0, 0},
    AT(0x7e) = {vector_and, IN_ENABLED_LANES, VB_OR_VD, 0, 1},
    AT(0x7f) = {vector_or, IN_ENABLED_LANES, VB_OR_VD, 0, 1},
    AT(0x80) = {vector_not, IN_ENABLED_LANES, VB_IS_VD, 0, 1},
    AT(0x81) = {vector_lz, IN_ENABLED_LANES, VB_IS_VD, 0, 0},
    AT(0x82) = {vector_setexp, IN_ENABLED_LANES, VB_IS_VD, UNSIGNED8, 0},
    AT(0x83) = {vector_setman, IN_ENABLED_LANES, VB_IS_VD, UNSIGNED12, 0},
    AT(0x84) = {vector_mad, OF_MAD, ALL_FOUR, 0, 0},
    AT(0x85) = {vector_mad, OF_MAD, ALL_FOUR, 0, 0},
    AT(0x86) = {vector_mad, OF_MAD, ALL_FOUR, 0, 0},
    AT(0x87) = {vector_pushc, OF_STACK, VB_IS_VD, 0, 0},
    AT(0x88) = {vector_popc, OF_STACK, VB_IS_VD, 0, 0},
    AT(0x89) = {vector_setsgn, IN_ENABLED_LANES, VB_IS_VD, UNSIGNED1, 0},
    AT(0x8a) = {vector_encc, IN_ALL_LANES, VB_IS_VD, UNSIGNED2, 0},
    AT(0x8b) = {vector_compc, IN_ALL_LANES, VB_IS_VD, 0, 1},
    AT(0x8c) = {vector_transp, IN_ENABLED_LANES, VB_IS_VD, 0, 1},
    AT(0x8d) = {vector_xor, IN_ENABLED_LANES, VB_IS_VD, 0, 1},
    AT(0x8e) = {vector_stochrnd, IN_ENABLED_LANES, ROUNDS, 0, 0},
    AT(0x8f) = {NULL, DOES_NOTHING, FORM_NONE, 0, 0},
    AT(0x90) = {vector_cast, IN_ENABLED_LANES, VB_IS_VD, 0, 0},
    AT(0x92) = {vector_swap_at_once, IN_ENABLED_LANES, VB_IS_VD, 0, 0},
    AT(0x95) = {vector_lutfp32, OF_MAD, VB_IS_VD, 0, 0},
    AT(0x96) = {vector_le, IN_ALL_LANES, VB_IS_VD, 0, 0},
    AT(0x97) = {vector_gt, IN_ALL_LANES, VB_IS_VD, 0, 0},
    AT(0x98) = {vector_mul24, OF_MAD, ALL_FOUR, 0, 0},
    AT(0x99) = {vector_arecip, IN_ENABLED_LANES, OWN_VB, 0, 0},
#undef AT
};

static int32_t immediate_of(uint32_t word, unsigned immediate)
{
    switch (immediate) {
    case SIGNED12: return (int32_t)(word << 8) >> 20;
    case UNSIGNED12: return (int32_t)bits(word, 23, 12);
    case UNSIGNED8: return (int32_t)bits(word, 19, 12);
    case UNSIGNED2: return (int32_t)bits(word, 13, 12);
    case UNSIGNED1: return (int32_t)bits(word, 12, 12);
    default: return 0;
    }
}

static struct vector_operands operands_of(uint32_t word, const struct plain *p)
{
    enum { USE_VB = 1 };
    const uint8_t VA = word >> 16 & 15, VB = word >> 12 & 15, VC = word >> 8 & 15, VD = word >> 4 & 15, mod = word & 15;
    const uint8_t VD_high = word >> 20 & 15, Mod0 = word >> 16 & 15;
    struct vector_operands o = {.VD = VD, .VC = VC, .mod = p->no_mod ? 0 : mod};
    o.imm = immediate_of(word, p->immediate);
    switch (p->form) {
    case VB_IS_VD: o.VB = VD; break;
    case VB_OR_VD: o.VB = mod & USE_VB ? VB : VD; break;
    case OWN_VB: o.VB = VB; break;
    case ALL_FOUR: o.VA = VA, o.VB = VB; break;
    case IMM16_VD: o.VC = VD, o.imm = (int32_t)bits(word, 23, 8); break;
    case ROUNDS: {
        const struct op_SFP_STOCH_RND r = decode_SFP_STOCH_RND(word);
        o.VB = VB, o.mod = (uint8_t)r.Mod1, o.rounding = (uint8_t)r.RoundingMode, o.use_imm = r.UseImm5;
        o.imm = (int32_t)r.Imm5;
        break;
    }
    case VD_MOD0: return (struct vector_operands){.VD = VD_high, .mod = Mod0};
    case VD_MOD0_IMM16: return (struct vector_operands){.VD = VD_high, .mod = Mod0, .imm = word & 0xFFFF};
    default: /* MOVES: with Imm10, and AddrMod in the place of VA */
        return (struct vector_operands){.VA = word >> 13 & 7, .VD = VD_high, .mod = Mod0, .imm = word & 0x3FF};
    }
    return o;
}

/* Nothing is special about it. */
static bool is_plain(uint32_t word, const struct plain *p, const struct vector_operands *o)
{
    enum { LOADI_MODES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 10 };
    return o->VD < (p->kind == STORES ? 12 : 8) && tensix_reserved_set(word) == 0 &&
           (p->form != VD_MOD0_IMM16 || (LOADI_MODES >> o->mod & 1));
}

void row_decode(struct vector_decoded *d, uint32_t word)
{
    const unsigned at = (word >> 24) - FIRST_OPCODE;
    *d = (struct vector_decoded){
        .word = word, .op = tensix_op_of[word >> 24], .opcode = (uint8_t)(at < OPCODES ? at : 0)};
    if (d->op == TENSIX_INCRWC && tensix_reserved_set(word) == 0)
        d->kind = COUNTS;
    if (at >= OPCODES || plain[at].kind == NOT_FOR_ROWS)
        return;
    const struct plain *p = &plain[at];
    d->latency = tensix_ops[d->op].latency;
    if (p->kind == DOES_NOTHING) {
        d->kind = tensix_reserved_set(word) == 0 ? DOES_NOTHING : NOT_FOR_ROWS;
        return;
    }
    d->o = operands_of(word, p);
    if (!is_plain(word, p, &d->o))
        return;
    d->kind = p->kind;
    d->assumed_reads = hazard_assumed_reads(word);
    d->reads = hazard_reads(word);
    d->assumed_writes = p->kind == OF_MAD ? hazard_assumed_writes(word) : 0;
}

/* The stacks of all lanes allow it. */
static bool stack_allows(const struct vector_files *v, const struct vector_decoded *d)
{
    const int depth = vector_stack_depth(v);
    if (LIKELY(depth > 0 && depth < FLAG_STACK_DEPTH))
        return true;
    const bool push = d->op == TENSIX_SFPPUSHC;
    if (push && d->o.mod == 0)
        return vector_stack_full(v) == 0;
    return (!push && d->o.mod != 0) || vector_stack_empty(v) == 0;
}

void row_count_waits(tensix_step *s, unsigned count, uint64_t last)
{
    struct tensix *tx = s->tx;
    s->t->stall_since = last + 1;
    counts_add(tx, s->thread, UNIT_VECTOR, TENSIX_STALL_UNIT, count);
    if (tx->stalled_threads == 0) {
        tx->any_stalled += count;
        tx->any_since = last + 1;
    }
}

/* k of them were taken, and with others the last one in the cycle before this one. */
static void count_taken(tensix_step *s, unsigned k, unsigned op, uint64_t cycle, uint64_t free, uint64_t busy)
{
    s->op = (uint8_t)op;
    s->cycle = cycle;
    s->tx->issued[s->thread][UNIT_VECTOR] += k;
    s->tx->unit_free[UNIT_VECTOR] = free;
    s->t->busy_until[UNIT_VECTOR] = max64(s->t->busy_until[UNIT_VECTOR], busy);
}

/* The unit takes nothing now, or not what is next. */
static inline bool is_closed(tensix_step *s, const struct vector_files *v)
{
    return v->macro.pending != 0 || s->tx->vector_due != 0 || v->only_nop >= s->cycle || matrix_held(s);
}
/* Nothing of the row is taken in this cycle or later. */
static inline uint64_t row_until(const struct tensix *tx, const struct vector_row *row)
{
    return tx->later_count != 0 && tx->later[0].cycle < row->until ? tx->later[0].cycle : row->until;
}

/* INCRWC, which the Matrix Unit takes; so many were before it.  False: not in this cycle. */
static bool counts(tensix_step *s, const struct vector_decoded *d, uint64_t cycle, unsigned before)
{
    struct tensix *tx = s->tx;
    const struct op_INCRWC op = decode_INCRWC(d->word);
    if (before == 0 && tx->unit_free[UNIT_MATRIX] > cycle)
        return false;
    rwc_increment(&s->t->rwc, &op);
    tx->issued[s->thread][UNIT_MATRIX]++;
    tx->unit_free[UNIT_MATRIX] = cycle + 1;
    s->t->busy_until[UNIT_MATRIX] = max64(s->t->busy_until[UNIT_MATRIX], cycle + 1);
    return true;
}

unsigned vector_run_row(tensix_step *s, struct vector_row *row)
{
    struct tensix *const tx = s->tx;
    struct vector_files *const v = vector_files_of(s->tile);
    struct vector_decoded *const decoded = s->tile->vector_cache->decoded;
    const uint64_t until = row_until(tx, row);
    uint64_t cycle = s->cycle, busy = 0;
    row->waited = 0;
    row->counted = 0;
    if (is_closed(s, v))
        return 0;
    const uint32_t unmasked = ~vector_lanes_masked(v);
    uint64_t late = v->mad.cycle;
    unsigned op = s->op, k = 0;
    row->free = tx->unit_free[UNIT_VECTOR];
    for (; k < row->count && cycle < until; k++, cycle++) {
        const unsigned place = row->first + k;
        const uint32_t word = row->words[place & row->mask];
        struct vector_decoded *const next = &decoded[place % VECTOR_DECODED];
        if (UNLIKELY(next->word != word))
            row_decode(next, word);
        if (UNLIKELY(v->only_nop == cycle) && row_waits_for_swap(next)) {
            if (cycle + 1 >= until)
                break;
            row->waited |= UINT64_C(1) << k;
            row_count_waits(s, 1, cycle++);
        } else if (late == cycle && next->kind != NOT_FOR_ROWS) {
            if (v->mad.assumed & next->assumed_reads) {
                if (cycle + 1 >= until)
                    break;
                row->waited |= UINT64_C(1) << k;
                row_count_waits(s, 1, cycle++);
            } else if (UNLIKELY((v->mad.written & next->reads) != 0)) {
                break;
            }
        }
        const uint32_t enabled = (v->LaneFlags | ~v->UseLaneFlagsForLaneEnable) & unmasked;
        vector_function *const function = plain[next->opcode].function;
        switch (next->kind) {
        case IN_ENABLED_LANES: function(v, enabled, &next->o); break;
        case IN_ALL_LANES: function(v, UINT32_MAX, &next->o); break;
        case OF_MAD:
            function(v, enabled, &next->o);
            v->mad.cycle = late = cycle + 1;
            v->mad.assumed = next->assumed_writes;
            break;
        case OF_STACK:
            if (UNLIKELY(!stack_allows(v, next)))
                goto end;
            function(v, UINT32_MAX, &next->o);
            break;
        case LOADS:
        case STORES: vector_move_plainly(s, enabled, &next->o, next->kind == LOADS); break;
        case DOES_NOTHING: break;
        case COUNTS:
            if (!counts(s, next, cycle, row->counted))
                goto end;
            row->counted++;
            op = next->op;
            tx->ran[op]++;
            continue;
        default: goto end;
        }
        op = next->op;
        if (UNLIKELY(op == TENSIX_SFPSWAP))
            v->only_nop = cycle + 1;
        row->free = cycle + 1;
        tx->ran[op]++;
        busy = max64(busy, cycle + next->latency);
    }
end:
    if (k != 0)
        count_taken(s, k - row->counted, op, cycle, row->free, busy);
    return k;
}

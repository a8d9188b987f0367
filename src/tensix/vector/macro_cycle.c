/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle in which several sub-units work: all of them read what was there before it.
 *
 * The sub-units are taken one after the other, readers before writers as far as that goes.  A result that one further behind
 * would read, or write too, is kept apart until all are done; then the load has the last word, after the simple sub-unit and
 * that after the round one.  OPEN: who has it in hardware, which no page says.
 * Results of the MAD sub-unit appear a cycle later than others, and nothing holds back those who read them too early (SFPMAD,
 * "Instruction scheduling"): one that is still late here is taken back for the cycle (hazard.c). */
#include "tensix/vector/hazard.h"
#include "tensix/vector/lanes.h"
#include "tensix/vector/macro.h"

#include "base/bits.h"
#include "num/sfpu_cells.h"
#include "tensix/regs/matrix_unit.h"

#include <string.h>

#define PAGE "TensixCoprocessor/SFPLOADMACRO"

/* Results that wait for the end of the cycle. */
struct kept {
    uint32_t lregs;          /* which there are, as bits */
    uint8_t rank[LREGS];     /* whose they are */
    uint32_t changed[LREGS]; /* lanes */
    uint32_t old[LREGS][LANES], new[LREGS][LANES];
};

/* Before an instruction that writes them. */
static void keep_old(const struct vector_files *v, struct kept *k, uint32_t lregs)
{
    for (lregs &= ~k->lregs; lregs != 0; lregs &= lregs - 1) {
        const unsigned i = (unsigned)__builtin_ctz(lregs);
        lanes_copy(k->old[i], v->LReg[i]);
        k->changed[i] = k->rank[i] = 0;
        k->lregs |= UINT32_C(1) << i;
    }
}

/* Lanes of which the two are not the same. */
static SIMD_CLONES uint32_t differing(const uint32_t *a, const uint32_t *b)
{
    uint32_t r[LANES];
    LANEWISE(r, (uint32_t)(a[i] != b[i]) << 31);
    return lanes_signs(r);
}

/* After it: the registers are as they were. */
static void keep_new(struct vector_files *v, struct kept *k, uint32_t lregs, unsigned rank)
{
    for (; lregs != 0; lregs &= lregs - 1) {
        const unsigned i = (unsigned)__builtin_ctz(lregs);
        uint32_t lanes = differing(v->LReg[i], k->old[i]);
        if (rank < k->rank[i])
            lanes &= ~k->changed[i];
        lanes_blend(k->new[i], v->LReg[i], lanes);
        k->changed[i] |= lanes;
        k->rank[i] = (uint8_t)rank;
        lanes_copy(v->LReg[i], k->old[i]);
    }
}

static void write_kept(struct vector_files *v, const struct kept *k)
{
    for (uint32_t left = k->lregs; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        lanes_blend(v->LReg[i], k->new[i], k->changed[i]);
    }
}

/* ---- Results of the MAD sub-unit ----------------------------------------------------------------------------------- */

static void add_late(struct vector_mad_write *to, const struct vector_mad_write *from)
{
    if (to->lanes == 0) {
        *to = *from;
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        if (from->lanes >> i & 1) {
            to->index[i] = from->index[i];
            to->old[i] = from->old[i];
        }
    }
    to->lanes |= from->lanes;
    to->written |= from->written;
}

/* What was late is there, but for registers that have been written in this cycle: overwritten[i] are the lanes of LReg[i]. */
static void late_arrives(struct vector_files *v, const struct vector_mad_write *late, const uint32_t *overwritten)
{
    const unsigned one = hazard_register(late);
    if (LIKELY(one != LREGS)) {
        lanes_blend(v->LReg[one], late->old, late->lanes & ~overwritten[one]);
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned index = late->index[i];
        if ((late->lanes & ~overwritten[index]) >> i & 1)
            v->LReg[index][i] = late->old[i];
    }
}

/* Results of this cycle; hazard.c finds in v->mad what the registers still are for others in the next. */
static void becomes_late(struct vector_files *v, const struct vector_mad_write *results, uint64_t cycle)
{
    v->mad = *results;
    v->mad.cycle = cycle + 1;
    v->mad.assumed = 0; /* nobody is held for what macros do */
    const unsigned one = hazard_register(results);
    if (LIKELY(one != LREGS && results->lanes == UINT32_MAX)) {
        lanes_copy(v->mad.old, v->LReg[one]);
        lanes_copy(v->LReg[one], results->old);
        return;
    }
    for (unsigned i = 0; i < LANES; i++) {
        if (!(results->lanes >> i & 1))
            continue;
        uint32_t *lreg = &v->LReg[results->index[i]][i];
        v->mad.old[i] = *lreg;
        *lreg = results->old[i];
    }
}

/* ---- Faults ---------------------------------------------------------------------------------------------------------- */

static tensix_step step_of(tensix_tile *tile, struct tensix *tx, const struct vector_op *op, uint64_t cycle)
{
    return (tensix_step){.tile = tile,
                         .tx = tx,
                         .t = &tx->thread[op->thread],
                         .thread = op->thread,
                         .cycle = cycle,
                         .word = op->word,
                         .pc = op->pc,
                         .op = tensix_op_of[op->word >> 24]};
}

/* Only what is reported: the hardware goes on. */
static void report(tensix_tile *tile, struct tensix *tx, const struct vector_op *op, uint64_t cycle, const char *what,
                   const struct vector_op *other)
{
    tensix_step s = step_of(tile, tx, op, cycle);
    tensix_fault(&s, KERR_FAULT_HAZARD, PAGE, "%s %s %s: lanes 0x%08x", tensix_ops[s.op].name, what,
                 tensix_ops[tensix_op_of[other->word >> 24]].name, op->lanes);
}

static void report_early(tensix_tile *tile, struct tensix *tx, const struct vector_mad_write *late,
                         const struct vector_op *op, uint64_t cycle)
{
    const uint32_t early = op->reads & late->written;
    if (early == 0 || op->kind == OP_EXCHANGE || tensix_op_of[op->word >> 24] == TENSIX_SFPLOADMACRO)
        return;
    tensix_step s = step_of(tile, tx, op, cycle);
    tensix_fault(
        &s, KERR_FAULT_HAZARD, "TensixCoprocessor/SFPMAD",
        "%s reads LReg[%d] one cycle before a result of the MAD sub-unit is there: lanes 0x%08x have the old value",
        tensix_ops[s.op].name, __builtin_ctz(early), late->lanes & op->lanes);
}

/* (†) and (‡) of the page. */
static void report_conflicts(tensix_tile *tile, struct tensix *tx, const struct vector_op *ops, unsigned count,
                             uint64_t cycle)
{
    const struct vector_op *of[MACRO_UNITS] = {NULL}, *exchange = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (ops[i].kind == OP_EXCHANGE)
            exchange = &ops[i];
        else if (ops[i].unit < MACRO_UNITS)
            of[ops[i].unit] = &ops[i];
    }
    const struct vector_op *simple = of[MACRO_SIMPLE], *round = of[MACRO_ROUND];
    if (simple && round && (simple->o.VD == 16) == (round->o.VD == 16))
        report(tile, tx, simple, cycle, "of the simple sub-unit has no VD of its own beside", round);
    if (exchange && (simple || round))
        report(tile, tx, simple ? simple : round, cycle, "comes in the second cycle of", exchange);
    if (simple && simple->kind == OP_SWAP && of[MACRO_MAD])
        report(tile, tx, of[MACRO_MAD], cycle, "of the MAD sub-unit comes together with", simple);
}

/* ---- The cycle --------------------------------------------------------------------------------------------------------- */

/* A scheduled SFPSTORE goes by how its thread is configured now. */
static void prepare_store(tensix_tile *tile, struct tensix *tx, struct vector_op *op, uint64_t cycle)
{
    const struct vector_files *v = &tile->files->vector;
    tensix_step s = step_of(tile, tx, op, cycle);
    const uint32_t *config = step_config(&s);
    op->at.access = dst_access(&s, config);
    if (op->o.mod != MOD0_FMT_INT32_ALL)
        op->lanes &= vector_lanes_enabled(v);
    op->o.mod = (uint8_t)vector_resolved(&s, config, op->o.mod);
}

static void begin_exchange(struct vector_files *v, const struct vector_op *op)
{
    const uint32_t lanes = vector_swap_lanes(v, op->lanes, &op->o);
    if (lanes == 0 || v->macro.exchanging == LANE_COLUMNS)
        return;
    v->macro.exchange[v->macro.exchanging++] =
        (struct vector_exchange){.lanes = lanes, .VB = op->o.VB, .VC = op->o.VC, .VD = op->o.VD};
}

/* files: the tile's, to be written. */
static inline void execute(tensix_tile *tile, struct tensix_files *files, const struct vector_op *op)
{
    if (op->kind == OP_LOAD || op->kind == OP_STORE)
        vector_tell_move(tile, op);
    hook_lregs(tile, 0, op->writes);
    switch ((enum vector_op_kind)op->kind) {
    case OP_CALL: op->function(&files->vector, op->lanes, &op->o); break;
    case OP_LOAD: vector_load(files, op->lanes, &op->o, op->at); break;
    case OP_STORE: vector_store(files, op->lanes, &op->o, op->at); break;
    case OP_SWAP: begin_exchange(&files->vector, op); break;
    case OP_EXCHANGE: vector_swap(&files->vector, op->lanes, &op->o); break;
    }
}

/* The order in which they are taken. */
enum { RANK_MAD, RANK_STORE, RANK_ROUND, RANK_EXCHANGE, RANK_SIMPLE, RANK_LOAD };
static inline unsigned rank(const struct vector_op *op)
{
    static const uint8_t of_unit[] = {[MACRO_MAD] = RANK_MAD,
                                      [MACRO_STORE] = RANK_STORE,
                                      [MACRO_ROUND] = RANK_ROUND,
                                      [MACRO_SIMPLE] = RANK_SIMPLE,
                                      [MACRO_LOAD] = RANK_LOAD};
    return op->kind == OP_EXCHANGE ? (unsigned)RANK_EXCHANGE : of_unit[op->unit];
}
/* Whether (†) or (‡) could be violated. */
static inline bool may_conflict(unsigned ranks)
{
    const bool simple = ranks >> RANK_SIMPLE & 1, round = ranks >> RANK_ROUND & 1, mad = ranks >> RANK_MAD & 1;
    return (simple && (round || mad)) || ((ranks >> RANK_EXCHANGE & 1) && (simple || round));
}

/* Returns which ranks there are, as bits. */
static unsigned sort(const struct vector_op *ops, unsigned count, uint8_t *order)
{
    uint8_t ranks[MACRO_OPS];
    unsigned there = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned r = rank(&ops[i]);
        unsigned at = i;
        for (; at > 0 && ranks[at - 1] > r; at--) {
            order[at] = order[at - 1];
            ranks[at] = ranks[at - 1];
        }
        order[at] = (uint8_t)i;
        ranks[at] = (uint8_t)r;
        there |= 1u << r;
    }
    return there;
}

/* `which` goes to place `to`, what is between moves along. */
static void reorder(uint8_t *order, unsigned which, unsigned to)
{
    const uint8_t moved = order[which];
    for (; which > to; which--)
        order[which] = order[which - 1];
    for (; which < to; which++)
        order[which] = order[which + 1];
    order[to] = moved;
}

/* A load finds in Dst what was there before a store of the same cycle: it goes first if they may meet.  SFPCONFIG is last: the
 * others find the configuration as it was. */
static void rearrange(const struct vector_files *v, const struct vector_op *ops, unsigned count, uint8_t *order)
{
    unsigned store = count, config = count;
    for (unsigned i = 0; i < count; i++) {
        const struct vector_op *op = &ops[order[i]];
        if (op->kind == OP_STORE && store == count)
            store = i;
        if (op->function == vector_config)
            config = i;
        if (op->kind != OP_LOAD || store >= i)
            continue;
        const struct vector_op *stores = &ops[order[store]];
        if (vector_meet(v, &op->o, op->at, &stores->o, stores->at))
            reorder(order, i, store);
    }
    if (UNLIKELY(config != count))
        reorder(order, config, count - 1);
}

/* SFPMOV, SFPGT and SFPLE ask by themselves which lanes are enabled. */
static uint32_t written_lanes(const struct vector_files *v, const struct vector_op *op)
{
    enum { SFPMOV_MOD1_ALL_LANES_ENABLED = 2 };
    const bool all = op->function == vector_mov && op->o.mod == SFPMOV_MOD1_ALL_LANES_ENABLED;
    const bool asks = op->function == vector_mov || op->function == vector_gt || op->function == vector_le;
    return asks && !all ? op->lanes & vector_lanes_enabled(v) : op->lanes;
}

static void execute_apart(tensix_tile *tile, struct tensix_files *files, const struct vector_op *op, struct kept *kept,
                          uint32_t lregs)
{
    keep_old(&files->vector, kept, lregs);
    execute(tile, files, op);
    keep_new(&files->vector, kept, lregs, rank(op));
}

/* Registers that two of them write. */
static uint32_t written_twice(const struct vector_op *ops, unsigned count)
{
    uint32_t once = 0, twice = 0;
    for (unsigned i = 0; i < count; i++) {
        twice |= once & ops[i].writes;
        once |= ops[i].writes;
    }
    return twice;
}

/* apart[i]: registers that one writes, and another too or reads further behind: their results are kept. */
static void find_apart(const struct vector_op *ops, unsigned count, const uint8_t *order, uint32_t *apart)
{
    const uint32_t twice = written_twice(ops, count);
    uint32_t behind = 0;
    for (unsigned i = count; i-- > 0;) {
        const struct vector_op *op = &ops[order[i]];
        apart[i] = op->writes & (behind | twice);
        behind |= op->reads;
    }
}

/* A result of the MAD sub-unit is late for this cycle: it is as it was before, and arrives at the end. */
static void execute_all_early(tensix_tile *tile, struct tensix *tx, struct vector_op *ops, unsigned count,
                              const uint8_t *order, const uint32_t *apart, uint64_t cycle, struct kept *kept,
                              struct vector_mad_write *results)
{
    struct tensix_files *files = tile->files;
    struct vector_files *v = &files->vector;
    struct vector_mad_write late, result;
    uint32_t overwritten[LREGS] = {0};
    hazard_take_back(v, &late);
    for (unsigned i = 0; i < count; i++) {
        struct vector_op *op = &ops[order[i]];
        const uint32_t lanes = written_lanes(v, op);
        report_early(tile, tx, &late, op, cycle);
        execute_apart(tile, files, op, kept, apart[i]);
        if (op->unit == MACRO_MAD && v->mad.lanes != 0) {
            hazard_take_back(v, &result);
            add_late(results, &result);
        }
        for (uint32_t left = op->writes; left != 0; left &= left - 1)
            overwritten[__builtin_ctz(left)] |= lanes;
    }
    write_kept(v, kept);
    kept->lregs = 0;
    late_arrives(v, &late, overwritten);
}

void macro_execute(tensix_tile *tile, struct tensix *tx, struct vector_op *ops, unsigned count, uint64_t cycle)
{
    struct tensix_files *files = tile->files;
    struct vector_files *v = &files->vector;
    struct vector_mad_write results, result;
    struct kept kept;
    uint8_t order[MACRO_OPS];
    uint32_t apart[MACRO_OPS];
    kept.lregs = results.lanes = 0;
    for (unsigned i = 0; i < count; i++)
        if (ops[i].kind == OP_STORE && !ops[i].direct)
            prepare_store(tile, tx, &ops[i], cycle);
    const unsigned ranks = sort(ops, count, order);
    if (count > 1)
        rearrange(v, ops, count, order);
    if (may_conflict(ranks))
        report_conflicts(tile, tx, ops, count, cycle);
    find_apart(ops, count, order, apart);
    if (UNLIKELY(v->mad.cycle == cycle && v->mad.lanes != 0)) {
        execute_all_early(tile, tx, ops, count, order, apart, cycle, &kept, &results);
    } else {
        for (unsigned i = 0; i < count; i++) {
            struct vector_op *op = &ops[order[i]];
            if (UNLIKELY(apart[i] != 0))
                execute_apart(tile, files, op, &kept, apart[i]);
            else
                execute(tile, files, op);
            if (op->unit == MACRO_MAD && v->mad.lanes != 0) {
                hazard_take_back(v, &result);
                add_late(&results, &result);
            }
        }
        if (UNLIKELY(kept.lregs != 0))
            write_kept(v, &kept);
    }
    if (results.lanes != 0)
        becomes_late(v, &results, cycle);
}

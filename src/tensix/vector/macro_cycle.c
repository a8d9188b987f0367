/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle in which several sub-units work: all of them read what was there before it.
 *
 * The sub-units are taken one after the other, readers before writers as far as that goes.  A result that one further behind
 * would read, or write too, is kept apart until all are done; then the load has the last word, after the simple sub-unit and
 * that after the round one.  OPEN: who has it in hardware, which no page says.
 * Results of the MAD sub-unit appear a cycle later than others, and nothing holds back those who read them too early (SFPMAD,
 * "Instruction scheduling"): one that is still late here is taken back for the cycle (hazard.c). */
#include "tensix/vector/hazard.h"
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
        memcpy(k->old[i], v->LReg[i], sizeof k->old[i]);
        k->changed[i] = k->rank[i] = 0;
        k->lregs |= UINT32_C(1) << i;
    }
}

/* After it: the registers are as they were. */
static void keep_new(struct vector_files *v, struct kept *k, uint32_t lregs, unsigned rank)
{
    for (; lregs != 0; lregs &= lregs - 1) {
        const unsigned i = (unsigned)__builtin_ctz(lregs);
        uint32_t *lreg = v->LReg[i];
        for (unsigned lane = 0; lane < LANES; lane++) {
            if (lreg[lane] == k->old[i][lane] || ((k->changed[i] >> lane & 1) && rank < k->rank[i]))
                continue;
            k->new[i][lane] = lreg[lane];
            k->changed[i] |= UINT32_C(1) << lane;
        }
        k->rank[i] = (uint8_t)rank;
        memcpy(lreg, k->old[i], sizeof k->old[i]);
    }
}

static void write_kept(struct vector_files *v, const struct kept *k)
{
    for (uint32_t left = k->lregs; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctz(left);
        for (unsigned lane = 0; lane < LANES; lane++)
            if (k->changed[i] >> lane & 1)
                v->LReg[i][lane] = k->new[i][lane];
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
    for (unsigned i = 0; i < LANES; i++) {
        if (!(results->lanes >> i & 1))
            continue;
        uint32_t *lreg = &v->LReg[results->index[i]][i];
        v->mad.old[i] = *lreg;
        *lreg = results->old[i];
    }
}

/* ---- Faults ---------------------------------------------------------------------------------------------------------- */

static tensix_step step_of(struct tile *tile, struct tensix *tx, const struct vector_op *op, uint64_t cycle)
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
static void report(struct tile *tile, struct tensix *tx, const struct vector_op *op, uint64_t cycle, const char *what,
                   const struct vector_op *other)
{
    tensix_step s = step_of(tile, tx, op, cycle);
    tensix_fault(&s, KERR_FAULT_HAZARD, PAGE, "%s %s %s: lanes 0x%08x", tensix_ops[s.op].name, what,
                 tensix_ops[tensix_op_of[other->word >> 24]].name, op->lanes);
}

/* The word with registers in the places in which hazard_reads looks for what the instruction reads. */
static uint32_t as_read(const struct vector_op *op)
{
    uint32_t word = op->word & ~UINT32_C(0xFF0);
    if (op->unit == MACRO_STORE || op->unit == MACRO_LOAD)
        return (op->word & ~UINT32_C(0xF00000)) | (op->o.VD & 15u) << 20;
    if (macro_has_VB(op->word))
        word = (word & ~UINT32_C(0xF000)) | (uint32_t)op->o.VB << 12;
    const unsigned in_VD = op->function == vector_addi || op->function == vector_muli ? op->o.VC
                           : op->kind == OP_SWAP                                      ? op->o.VD
                                                                                      : op->o.VB;
    return word | (op->o.VC & 15u) << 8 | (in_VD & 15u) << 4;
}

static void report_early(struct tile *tile, struct tensix *tx, const struct vector_mad_write *late,
                         const struct vector_op *op, uint64_t cycle)
{
    uint32_t early = op->reads & late->written;
    if (early == 0 || op->kind == OP_EXCHANGE)
        return;
    if (!(early >> 16)) /* LReg[16] has no place in a word */
        early &= hazard_reads(as_read(op));
    if (early == 0)
        return;
    tensix_step s = step_of(tile, tx, op, cycle);
    tensix_fault(
        &s, KERR_FAULT_HAZARD, "TensixCoprocessor/SFPMAD",
        "%s reads LReg[%d] one cycle before a result of the MAD sub-unit is there: lanes 0x%08x have the old value",
        tensix_ops[s.op].name, __builtin_ctz(early), late->lanes & op->lanes);
}

/* (†) and (‡) of the page. */
static void report_conflicts(struct tile *tile, struct tensix *tx, const struct vector_op *ops, unsigned count,
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

static void store(struct tile *tile, struct tensix *tx, struct vector_op *op, uint64_t cycle)
{
    struct tensix_files *files = tile_tensix_files(tile);
    if (!op->direct) { /* as its thread is configured now */
        tensix_step s = step_of(tile, tx, op, cycle);
        const uint32_t *config = step_config(&s);
        op->at.access = dst_access(&s, config);
        if (op->o.mod != MOD0_FMT_INT32_ALL)
            op->lanes &= vector_lanes_enabled(&files->vector);
        op->o.mod = (uint8_t)vector_resolved(&s, config, op->o.mod);
    }
    vector_store(files, op->lanes, &op->o, op->at);
}

static void begin_exchange(struct vector_files *v, const struct vector_op *op)
{
    const uint32_t lanes = vector_swap_lanes(v, op->lanes, &op->o);
    if (lanes == 0 || v->macro.exchanging == LANE_COLUMNS)
        return;
    v->macro.exchange[v->macro.exchanging++] = (struct vector_exchange){.lanes = lanes, .VC = op->o.VC, .VD = op->o.VD};
}

static void execute(struct tile *tile, struct tensix *tx, struct vector_op *op, uint64_t cycle)
{
    struct tensix_files *files = tile_tensix_files(tile);
    switch ((enum vector_op_kind)op->kind) {
    case OP_CALL: op->function(&files->vector, op->lanes, &op->o); break;
    case OP_LOAD: vector_load(files, op->lanes, &op->o, op->at); break;
    case OP_STORE: store(tile, tx, op, cycle); break;
    case OP_SWAP: begin_exchange(&files->vector, op); break;
    case OP_EXCHANGE: vector_swap(&files->vector, op->lanes, &op->o); break;
    }
}

/* The order in which they are taken.  SFPCONFIG is last: the others find the configuration as it was. */
static unsigned rank(const struct vector_op *op)
{
    static const uint8_t of_unit[] = {
        [MACRO_MAD] = 0, [MACRO_STORE] = 1, [MACRO_ROUND] = 2, [MACRO_SIMPLE] = 4, [MACRO_LOAD] = 5};
    if (op->kind == OP_EXCHANGE)
        return 3;
    return op->function == vector_config ? 6 : of_unit[op->unit];
}

static void sort(struct vector_op *ops, unsigned count)
{
    for (unsigned i = 1; i < count; i++) {
        for (unsigned j = i; j > 0 && rank(&ops[j - 1]) > rank(&ops[j]); j--) {
            const struct vector_op x = ops[j];
            ops[j] = ops[j - 1];
            ops[j - 1] = x;
        }
    }
}

/* A load finds in Dst what was there before a store of the same cycle: it goes first if they may meet. */
static void load_before_store(struct vector_op *ops, unsigned count)
{
    unsigned first = count;
    for (unsigned i = 0; i < count; i++) {
        if (ops[i].kind == OP_STORE && first == count)
            first = i;
        if (ops[i].kind != OP_LOAD || first >= i)
            continue;
        const struct vector_op load = ops[i], *store = &ops[first];
        if (load.o.mod == store->o.mod && ((load.at.Addr ^ store->at.Addr) & ~3u) != 0)
            continue;
        memmove(&ops[first + 1], &ops[first], (i - first) * sizeof *ops);
        ops[first] = load;
    }
}

/* The registers of one that must be kept apart: another one writes them too, or reads them further behind. */
static uint32_t apart(const struct vector_op *ops, unsigned count, unsigned at)
{
    uint32_t others = 0;
    for (unsigned i = 0; i < count; i++)
        others |= i == at ? 0 : ops[i].writes | (i > at ? ops[i].reads : 0);
    return ops[at].writes & others;
}

/* SFPMOV, SFPGT and SFPLE ask by themselves which lanes are enabled. */
static uint32_t written_lanes(const struct vector_files *v, const struct vector_op *op)
{
    enum { SFPMOV_MOD1_ALL_LANES_ENABLED = 2 };
    const bool all = op->function == vector_mov && op->o.mod == SFPMOV_MOD1_ALL_LANES_ENABLED;
    const bool asks = op->function == vector_mov || op->function == vector_gt || op->function == vector_le;
    return asks && !all ? op->lanes & vector_lanes_enabled(v) : op->lanes;
}

static void execute_apart(struct tile *tile, struct tensix *tx, struct vector_op *op, uint64_t cycle, struct kept *kept,
                          uint32_t lregs)
{
    struct vector_files *v = &tile_tensix_files(tile)->vector;
    keep_old(v, kept, lregs);
    execute(tile, tx, op, cycle);
    keep_new(v, kept, lregs, rank(op));
}

void macro_execute(struct tile *tile, struct tensix *tx, struct vector_op *ops, unsigned count, uint64_t cycle)
{
    struct vector_files *v = &tile_tensix_files(tile)->vector;
    struct vector_mad_write late, results, result;
    struct kept kept;
    uint32_t overwritten[LREGS] = {0};
    kept.lregs = late.lanes = results.lanes = 0;
    sort(ops, count);
    load_before_store(ops, count);
    if (count > 1)
        report_conflicts(tile, tx, ops, count, cycle);
    if (UNLIKELY(v->mad.cycle == cycle && v->mad.lanes != 0))
        hazard_take_back(v, &late);
    for (unsigned i = 0; i < count; i++) {
        struct vector_op *op = &ops[i];
        const uint32_t lregs = apart(ops, count, i);
        const uint32_t lanes = late.lanes != 0 ? written_lanes(v, op) : 0;
        if (UNLIKELY(late.lanes != 0))
            report_early(tile, tx, &late, op, cycle);
        if (UNLIKELY(lregs != 0))
            execute_apart(tile, tx, op, cycle, &kept, lregs);
        else
            execute(tile, tx, op, cycle);
        if (op->unit == MACRO_MAD && v->mad.lanes != 0) {
            hazard_take_back(v, &result);
            add_late(&results, &result);
        }
        for (uint32_t left = lanes != 0 ? op->writes : 0; left != 0; left &= left - 1)
            overwritten[__builtin_ctz(left)] |= lanes;
    }
    if (UNLIKELY(kept.lregs != 0))
        write_kept(v, &kept);
    if (late.lanes != 0)
        late_arrives(v, &late, overwritten);
    if (results.lanes != 0)
        becomes_late(v, &results, cycle);
}

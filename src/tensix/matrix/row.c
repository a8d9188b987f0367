/* SPDX-License-Identifier: Apache-2.0 */
/* What multiply.c and elementwise.c do for one instruction, for several that follow each other out of an expander.  Between
 * them only row counters, the fidelity phase and Dst change: row_plan.h.
 *
 * tests/same/rows.c compares it with the plain form, cycle by cycle. */
#include "tensix/matrix/row.h"

#include "tensix/matrix/row_plan.h"

/* What all instructions of a row go by. */
struct now {
    struct tensix_files *files;
    matrix_multiply_function *multiply;
    matrix_elementwise_function *elementwise;
    struct matrix_operands operands;
    uint64_t recent; /* as in the key of a plan, but for all of eight cycles */
    unsigned same;   /* MATRIX_SAME_*: what all products so far have kept */
    bool dst32;
};

static bool formats_are_known(const tensix_step *s, const uint32_t *config)
{
    enum { CODE_12 = 12, CODE_13 = 13 };
    const unsigned a = src_format(s, config, SRC_A), b = src_format(s, config, SRC_B);
    return a != CODE_12 && a != CODE_13 && b != CODE_12 && b != CODE_13;
}

/* Blocks of eight rows stand together in DstBits, as Dst16b and as Dst32b, and undefined ones are zero. */
static bool blocks_stand_together(uint32_t access, bool dst32)
{
    return !(access & (DST_ACCESS_HIGH_HALVES | DST_ACCESS_NO_ZERO_FLAGS)) &&
           !(dst32 && access & DEST_ACCESS_CFG_swizzle_32b_MASK);
}

/* False: the next instruction waits, or something is special. */
static inline bool look(tensix_step *s, struct now *n, struct matrix_plan_key *key)
{
    const uint32_t *config = step_config(s);
    struct matrix_mode mode;
    if (matrix_held(s) || src_matrix_waits(s, SRC_A) || src_matrix_waits(s, SRC_B) || !formats_are_known(s, config) ||
        !matrix_mode_of(s, config, &mode))
        return false;
    const struct counters c = counters_of(&s->t->rwc);
    const uint64_t since = s->cycle - s->tx->matrix.written;
    n->recent = since - 1 < 8 ? s->tx->matrix.blocks << 8 * (since - 1) : 0;
    *key = (struct matrix_plan_key){.now = c.now,
                                    .cr = c.cr,
                                    .recent = n->recent & RECENT_BYTES,
                                    .access = dst_access(s, config),
                                    .base = matrix_dst_row(s, config, 0) - s->t->rwc.dst,
                                    .mode = mode,
                                    .phase = (uint8_t)CFG_FIELD(s->t->config, FIDELITY_BASE_Phase)};
    memcpy(key->address_mode[0], s->t->config + ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, sizeof key->address_mode[0]);
    memcpy(key->address_mode[1], s->t->config + ADDR_MOD_DST_SEC0_DestIncr_ADDR32, sizeof key->address_mode[1]);
    if (!blocks_stand_together(key->access, mode.dst32))
        return false;
    struct matrix_cache *cache = s->tile->matrix_cache(s->tile->owner);
    const struct matrix_forms *best = matrix_forms(matrix_best());
    n->files = s->tile->files;
    n->multiply = mode.a == MATRIX_INT8 ? best->multiply_integers : best->multiply;
    n->elementwise = best->elementwise;
    n->operands = (struct matrix_operands){.a = matrix_source(n->files, s, SRC_A, 0),
                                           .b = matrix_source(n->files, s, SRC_B, 0),
                                           .cached_a = cache->a[s->tx->src[SRC_A].matrix_bank],
                                           .cached_b = cache->b[s->tx->src[SRC_B].matrix_bank],
                                           .modes = matrix_fast_modes(&mode),
                                           .rounds = matrix_host_rounds()};
    n->same = MATRIX_SAME_A | MATRIX_SAME_B;
    n->dst32 = mode.dst32;
    return true;
}

/* Undefined rows among `count` from row `first` of DstBits on, all of one block, become zero and valid. */
static __attribute__((noinline)) void define_rows(struct tensix_files *files, bool dst32, unsigned first,
                                                  uint32_t undefined)
{
    for (unsigned i = 0; i < MATRIX_ROWS; i++)
        if (undefined >> i & 1) {
            memset(files->DstBits[first + i], 0, sizeof files->DstBits[0]);
            if (dst32)
                memset(files->DstBits[first + i + DST_LOW_HALF], 0, sizeof files->DstBits[0]);
        }
    files->dst_row_undefined[first / 32] &= ~(undefined << first % 32);
}

/* Instructions onto the same rows of Dst.  Returns how many. */
static inline unsigned execute(struct now *n, const struct matrix_plan_step *step)
{
    const unsigned first = step->first, rows = step->how & MATRIX_FOUR_ROWS ? 0xF : 0xFF;
    const uint32_t undefined = n->files->dst_row_undefined[first / 32] >> first % 32 & rows;
    if (UNLIKELY(undefined != 0))
        define_rows(n->files, n->dst32, first, undefined);
    uint16_t *dst = n->files->DstBits[first];
    if (step->form == 0) {
        n->same &= n->multiply(&n->operands, step, step->chain, n->same, dst);
        return step->chain;
    }
    const struct matrix_operands *o = &n->operands;
    n->elementwise(matrix_fast_phase(o->modes, step->phase), &forms[step->form - 1], o->a + step->a_row * SRC_COLUMNS,
                   o->b + step->b_row * SRC_COLUMNS, dst);
    return 1;
}

/* How many of a plan are taken in the next `cycles`. */
static unsigned taken_in(const struct matrix_plan *plan, uint64_t cycles)
{
    unsigned k = 0;
    while (k < plan->count && plan->at[k] < cycles)
        k++;
    return k;
}

unsigned matrix_run_row(tensix_step *s, struct matrix_row *row)
{
    struct tensix *tx = s->tx;
    struct now n;
    struct matrix_plan_key key;
    const uint32_t *words = row->words + (row->first & row->mask);
    const unsigned room = row->mask - (row->first & row->mask); /* before the words begin again, less one */
    unsigned count = row->count < MATRIX_PLAN_MOST ? row->count : MATRIX_PLAN_MOST;
    count = count - 1 < room ? count : room + 1;
    row->waits = 0;
    if (decoding_of(words[0]) == NULL || !look(s, &n, &key))
        return 0;
    const uint64_t begin = s->cycle, cycles = row->until - begin;
    const struct matrix_plan *plan = plan_of(s->tile->matrix_cache(s->tile->owner), &key, words, count);
    if (UNLIKELY(plan->count == 0))
        return 0;
    if (UNLIKELY(plan->at[plan->count - 1] >= cycles)) {
        count = taken_in(plan, cycles);
        if (count == 0)
            return 0;
        plan = plan_of(s->tile->matrix_cache(s->tile->owner), &key, words, count);
    }
    count = plan->count;
    for (unsigned k = 0; k < count;)
        k += execute(&n, &plan->step[k]);
    for (unsigned k = 0; k < count; k++)
        row->at[k] = begin + plan->at[k];
    for (unsigned i = 0; i < MATRIX_PLAN_OPS && plan->ran[i][1] != 0; i++)
        tx->ran[plan->ran[i][0]] += plan->ran[i][1];
    row->waits = plan->waits;
    row->waited_until = begin + plan->waited_until;
    s->cycle = row->at[count - 1];
    counters_to(&s->t->rwc, (struct counters){.now = plan->now, .cr = plan->cr});
    const uint64_t passed = s->cycle - begin + 1; /* cycles in which older blocks move on */
    tx->matrix.written = s->cycle;
    tx->matrix.blocks = plan->written | (passed < 8 ? (n.recent & ~RECENT_BYTES) << 8 * passed : 0);
    matrix_used_srca_row(tx, plan->a_row);
    src_matrix_flips_if(s, plan->flips & 1, plan->flips & 2);
    return count;
}

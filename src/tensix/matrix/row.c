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
    const uint32_t *a, *b; /* the banks */
    struct matrix_cached_a *cached_a;
    struct matrix_cached_b *cached_b;
    struct matrix_mode mode;
    const struct fast_mode *fast;
    unsigned kept;   /* MATRIX_SAME_*: what all products so far have kept */
    uint64_t recent; /* byte i: 1 + the block that was written i + 1 cycles ago; 0: none */
};

static bool formats_are_known(const tensix_step *s, const uint32_t *config)
{
    enum { CODE_12 = 12, CODE_13 = 13 };
    const unsigned a = src_format(s, config, SRC_A), b = src_format(s, config, SRC_B);
    return a != CODE_12 && a != CODE_13 && b != CODE_12 && b != CODE_13;
}

/* Blocks of eight rows stand together in DstBits, as Dst16b and as Dst32b. */
static bool blocks_stand_together(uint32_t access, bool dst32)
{
    return !(access & DST_ACCESS_HIGH_HALVES) && !(dst32 && access & DEST_ACCESS_CFG_swizzle_32b_MASK);
}

/* False: the next instruction waits, or something is special. */
static inline bool look(tensix_step *s, struct now *n, struct matrix_plan_key *key)
{
    const uint32_t *config = step_config(s);
    if (matrix_held(s) || src_matrix_waits(s, SRC_A) || src_matrix_waits(s, SRC_B) || !formats_are_known(s, config) ||
        !matrix_mode_of(s, config, &n->mode))
        return false;
    const struct counters c = counters_of(&s->t->rwc);
    *key = (struct matrix_plan_key){.now = c.now,
                                    .cr = c.cr,
                                    .access = dst_access(s, config),
                                    .base = matrix_dst_row(s, config, 0) - s->t->rwc.dst,
                                    .mode = n->mode,
                                    .phase = (uint8_t)CFG_FIELD(s->t->config, FIDELITY_BASE_Phase)};
    memcpy(key->address_mode[0], s->t->config + ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32, sizeof key->address_mode[0]);
    memcpy(key->address_mode[1], s->t->config + ADDR_MOD_DST_SEC0_DestIncr_ADDR32, sizeof key->address_mode[1]);
    if (!blocks_stand_together(key->access, n->mode.dst32))
        return false;
    struct matrix_cache *cache = tile_matrix_cache(s->tile);
    const struct matrix_forms *best = matrix_forms(matrix_best());
    n->files = tile_tensix_files(s->tile);
    n->multiply = n->mode.a == MATRIX_INT8 ? best->multiply_integers : best->multiply;
    n->elementwise = best->elementwise;
    n->a = matrix_source(n->files, s, SRC_A, 0);
    n->b = matrix_source(n->files, s, SRC_B, 0);
    n->cached_a = cache->a[s->tx->src[SRC_A].matrix_bank];
    n->cached_b = cache->b[s->tx->src[SRC_B].matrix_bank];
    n->fast = matrix_fast_mode(&n->mode);
    n->kept = MATRIX_SAME_A | MATRIX_SAME_B;
    const uint64_t since = s->cycle - s->tx->matrix.written;
    n->recent = since - 1 < 8 ? s->tx->matrix.blocks << 8 * (since - 1) : 0;
    return true;
}

/* For how many cycles `block` cannot be read yet (matrix_block_free). */
static inline unsigned block_waits(uint64_t recent, unsigned block)
{
    const uint64_t ones = UINT64_C(0x0101010101), other = (recent & ones * 0xFF) ^ ones * (block + 1);
    const uint64_t same = (other - ones) & ~other & ones << 7;
    _Static_assert(COST_DST_BLOCK - 1 == 5, "bytes of ones");
    return LIKELY(same == 0) ? 0 : COST_DST_BLOCK - 1 - (unsigned)__builtin_ctzll(same) / 8;
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

static inline void execute(struct now *n, const struct matrix_plan_step *step)
{
    const unsigned first = step->first;
    if (UNLIKELY(step->phase != n->mode.phase)) {
        n->mode.phase = step->phase;
        n->fast = matrix_fast_mode(&n->mode);
    }
    const uint32_t undefined = n->files->dst_row_undefined[first / 32] >> first % 32 & step->rows;
    if (UNLIKELY(undefined != 0))
        define_rows(n->files, n->mode.dst32, first, undefined);
    const uint32_t *a = n->a + step->a_row * SRC_COLUMNS, *b = n->b + step->b_row * SRC_COLUMNS;
    uint16_t *dst = n->files->DstBits[first];
    if (step->form == 0)
        n->kept &= n->multiply(n->fast, a, b, dst, &n->cached_a[step->a_row / 16], &n->cached_b[step->b_row / 8],
                               step->how & (n->kept | MATRIX_FOUR_ROWS));
    else
        n->elementwise(n->fast, &forms[step->form - 1], a, b, dst);
}

unsigned matrix_run_row(tensix_step *s, struct matrix_row *row)
{
    struct tensix *tx = s->tx;
    struct now n;
    struct matrix_plan_key key;
    const uint32_t *words = row->words + (row->first & row->mask);
    const unsigned room = row->mask - (row->first & row->mask); /* before the words begin again, less one */
    unsigned count = row->count < MATRIX_PLAN_MOST ? row->count : MATRIX_PLAN_MOST, k = 0;
    count = count - 1 < room ? count : room + 1;
    row->waits = 0;
    if (decoding_of(words[0]) == NULL || !look(s, &n, &key))
        return 0;
    const struct matrix_plan *plan = plan_of(tile_matrix_cache(s->tile), &key, words, count);
    uint64_t cycle = s->cycle;
    for (; k < plan->count; k++) {
        const struct matrix_plan_step *step = &plan->step[k];
        const unsigned block = step->first / 8u, waits = block_waits(n.recent, block);
        if (cycle + waits >= row->until)
            break;
        if (UNLIKELY(waits != 0)) {
            row->waits += waits;
            row->waited_until = cycle += waits;
            n.recent <<= 8 * waits;
        }
        execute(&n, step);
        n.recent = n.recent << 8 | (block + 1);
        tx->ran[step->op]++;
        row->at[k] = cycle++;
    }
    if (k == 0)
        return 0;
    const struct matrix_plan_step *last = &plan->step[k - 1];
    s->cycle = cycle - 1;
    counters_to(&s->t->rwc, (struct counters){.now = last->now, .cr = last->cr});
    tx->matrix.written = s->cycle;
    tx->matrix.blocks = n.recent;
    matrix_used_srca_row(tx, last->a_row);
    src_matrix_flips_if(s, last->flips & 1, last->flips & 2);
    return k;
}

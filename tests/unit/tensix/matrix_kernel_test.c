/* SPDX-License-Identifier: Apache-2.0 */
/* The fast forms of src/tensix/matrix/kernel.h, for each kind of processor that this one is, against the plain ones: random
 * state for every pair of styles, width of Dst, fidelity phase, instruction and broadcast. */
#include "../../support/matrix_random.h"
#include "tensix/matrix/kernel.h"

#include "../../support/unit.h"

enum { ROUNDS = 200 };

static const uint8_t styles[][2] = {{MATRIX_BF16, MATRIX_BF16}, {MATRIX_BF16, MATRIX_TF32}, {MATRIX_TF32, MATRIX_BF16},
                                    {MATRIX_TF32, MATRIX_TF32}, {MATRIX_FP16, MATRIX_FP16}, {MATRIX_INT8, MATRIX_INT8}};
enum { STYLES = sizeof styles / sizeof styles[0] };

struct state {
    uint32_t a[16][16], b[8][16], dst[8][16];
};

static struct matrix_mode mode_of(unsigned index, matrix_random *r)
{
    const uint8_t *style = styles[index % STYLES];
    return (struct matrix_mode){.a = style[0],
                                .b = style[1],
                                .phase = index / STYLES % 4,
                                .dst32 = index / STYLES / 4 % 2 || style[0] == MATRIX_INT8,
                                .keep_zero_b = test_below(&r->r, 4) == 0};
}

static void fill(struct state *s, matrix_random *r, const struct matrix_mode *mode)
{
    matrix_random_kind(r, mode);
    for (unsigned i = 0; i < 256; i++)
        s->a[i / 16][i % 16] = matrix_random_cell(r, true);
    for (unsigned i = 0; i < 128; i++) {
        s->b[i / 16][i % 16] = matrix_random_cell(r, false);
        s->dst[i / 16][i % 16] = matrix_datum_to_dst(mode, matrix_random_datum(r, mode));
    }
}

static void compare(const char *what, unsigned which, const struct matrix_mode *mode, const struct state *before,
                    const matrix_block *fast_block, const matrix_block *plain_block)
{
    uint32_t fast[8][16], plain[8][16];
    matrix_block_to(fast_block, fast[0]);
    matrix_block_to(plain_block, plain[0]);
    for (unsigned i = 0; i < 128; i++)
        if (fast[i / 16][i % 16] != plain[i / 16][i % 16])
            fail_msg(
                "%s on processor %u, styles %u %u phase %u dst32 %d keep %d: row %u column %u: %08x, not %08x (a %05x "
                "b %05x dst %08x)",
                what, which, mode->a, mode->b, mode->phase, mode->dst32, mode->keep_zero_b, i / 16, i % 16,
                fast[i / 16][i % 16], plain[i / 16][i % 16], before->a[i / 16][i % 16], before->b[i / 16][i % 16],
                before->dst[i / 16][i % 16]);
}

/* A block of Dst; apart: its rows do not stand together, as the swizzled ones of Dst32b. */
static void block_from(matrix_block *block, const uint32_t *words, bool apart)
{
    matrix_block_from(block, words);
    for (unsigned i = 0; i < 8 && apart; i++)
        block->row[i] = block->bits[i ^ 2];
}

/* Integers of Dst far from the clamps, where nobody looks at them, or so near that most of them are met. */
static void calm_integers(struct state *s, matrix_random *r)
{
    const unsigned near = test_below(&r->r, 2);
    for (unsigned i = 0; i < 128; i++) {
        const uint32_t x = (uint32_t)test_random64(&r->r) & (near ? 0x801FFFFF : 0xBFFFFFFF);
        const uint32_t magnitude = near ? INT32_MAX - (x & INT32_MAX) : x & INT32_MAX;
        s->dst[i / 16][i % 16] =
            (x & 0x80000000) | (magnitude << 8 & 0x7F000000) | (magnitude >> 7 & 0xFF0000) | (magnitude & 0xFFFF);
    }
}

/* Exponents of operands into what is usual, so that nothing but the modes says which way is taken. */
static void calm(struct state *s, matrix_random *r, const struct matrix_mode *mode)
{
    if (mode->a == MATRIX_INT8)
        calm_integers(s, r);
    if (mode->a == MATRIX_INT8 || mode->a == MATRIX_FP16)
        return;
    const unsigned a = 90 + test_below(&r->r, 70), b = 90 + test_below(&r->r, 70);
    const unsigned spread = test_below(&r->r, 2) ? 4 : 20;
    for (unsigned i = 0; i < 256; i++)
        if (s->a[i / 16][i % 16] & 0xFF)
            s->a[i / 16][i % 16] = (s->a[i / 16][i % 16] & ~0xFFu) | (a + test_below(&r->r, spread));
    for (unsigned i = 0; i < 128; i++) {
        if (s->b[i / 16][i % 16] & 0xFF)
            s->b[i / 16][i % 16] = (s->b[i / 16][i % 16] & ~0xFFu) | (b + test_below(&r->r, spread));
        if (s->dst[i / 16][i % 16] & 0xFF0000)
            s->dst[i / 16][i % 16] =
                (s->dst[i / 16][i % 16] & ~0xFF0000u) | (a + b + test_below(&r->r, 2 * spread + 24) - 12 - 127) << 16;
    }
}

/* Exponents about one end, 0 or 255: what may be too small or too large there has ways of its own. */
static void at_an_end(struct state *s, matrix_random *r, const struct matrix_mode *mode)
{
    if (mode->a == MATRIX_INT8 || mode->a == MATRIX_FP16)
        return;
    const unsigned end = test_below(&r->r, 2) ? 240 : 0, spread = 16;
    const unsigned other = mode->phase & 1 ? 127 : 120; /* products have their exponents there, too */
    for (unsigned i = 0; i < 128; i++) {
        uint32_t *a = &s->a[i / 16][i % 16], *b = &s->b[i / 16][i % 16], *dst = &s->dst[i / 16][i % 16];
        *a = (*a & ~0xFFu) | (end + test_below(&r->r, spread));
        *b = (*b & ~0xFFu) | (test_below(&r->r, 2) ? other + test_below(&r->r, spread) : *b & 0xFF);
        *dst = (*dst & ~0xFF0000u) | (end + test_below(&r->r, spread)) << 16;
    }
}

static void products_are_the_same(void **context)
{
    (void)context;
    static struct matrix_cache cache;
    matrix_random r = {.r = {.state = 7}};
    for (unsigned round = 0; round < ROUNDS * STYLES * 8; round++) {
        struct state s;
        const struct matrix_mode mode = mode_of(round, &r);
        fill(&s, &r, &mode);
        if (round % 2) /* the way for exponents far from their ends is another one, and needs a cache */
            calm(&s, &r, &mode);
        const unsigned rows = test_below(&r.r, 4) ? 8 : 4, b_step = test_below(&r.r, 8) ? 1 : 0;
        const bool apart = test_below(&r.r, 8) == 0;
        matrix_block plain, fast;
        block_from(&plain, s.dst[0], apart);
        matrix_multiply_plain(&mode, s.a[0], s.b[0], b_step, rows, plain.row);
        for (unsigned which = 0; which <= matrix_best(); which++) {
            block_from(&fast, s.dst[0], apart);
            if (round % 2)
                memset(&cache, 0, sizeof cache);
            matrix_multiply_by(which, &mode, s.a[0], s.b[0], b_step, rows, fast.row, round % 2 ? &cache.a[0][0] : NULL,
                               round % 2 ? &cache.b[0][0] : NULL);
            compare("product", which, &mode, &s, &fast, &plain);
        }
    }
}

/* The same cells in another mode, one cell changed, other cells: what is kept of SrcA and SrcB never shows. */
static void a_cache_does_not_show(void **context)
{
    (void)context;
    matrix_random r = {.r = {.state = 9}};
    static struct matrix_cache cache[4]; /* by kind of processor */
    struct state s;
    struct matrix_mode mode = mode_of(0, &r);
    fill(&s, &r, &mode);
    for (unsigned round = 0; round < ROUNDS * STYLES * 4; round++) {
        const unsigned change = test_below(&r.r, 4);
        if (change == 0) {
            mode = mode_of(test_below(&r.r, STYLES * 8), &r);
            fill(&s, &r, &mode);
        } else if (change == 1) {
            s.a[test_below(&r.r, 16)][test_below(&r.r, 16)] = matrix_random_cell(&r, true);
        } else if (change == 2) {
            s.b[test_below(&r.r, 8)][test_below(&r.r, 16)] = matrix_random_cell(&r, false);
        } else {
            mode = mode_of(test_below(&r.r, STYLES * 8), &r);
        }
        const unsigned rows = test_below(&r.r, 4) ? 8 : 4, b_step = test_below(&r.r, 8) ? 1 : 0;
        const bool apart = test_below(&r.r, 8) == 0;
        matrix_block plain, fast;
        block_from(&plain, s.dst[0], apart);
        matrix_multiply_plain(&mode, s.a[0], s.b[0], b_step, rows, plain.row);
        for (unsigned which = 0; which <= matrix_best(); which++) {
            block_from(&fast, s.dst[0], apart);
            matrix_multiply_by(which, &mode, s.a[0], s.b[0], b_step, rows, fast.row, &cache[which].a[0][0],
                               &cache[which].b[0][0]);
            compare("product with a cache", which, &mode, &s, &fast, &plain);
        }
    }
}

/* Products onto the same rows, one after the other, in any phases and of any blocks, some of them with exponents at the ends. */
static void chains_are_the_same(void **context)
{
    enum { BLOCKS_A = 4, BLOCKS_B = 8, MOST = 12 };
    (void)context;
    static struct matrix_cache cache;
    static struct {
        uint32_t a[16 * BLOCKS_A][16], b[8 * BLOCKS_B][16];
    } banks;
    matrix_random r = {.r = {.state = 10}};
    for (unsigned round = 0; round < ROUNDS * STYLES * 8; round++) {
        struct state s;
        struct matrix_mode mode = mode_of(round, &r);
        for (unsigned i = 0; i < BLOCKS_B; i++) {
            fill(&s, &r, &mode);
            if (test_below(&r.r, 16) != 0)
                calm(&s, &r, &mode);
            memcpy(banks.a[16 * (i % BLOCKS_A)], s.a, sizeof s.a);
            memcpy(banks.b[8 * i], s.b, sizeof s.b);
        }
        const uint8_t how = test_below(&r.r, 4) ? 0 : MATRIX_FOUR_ROWS;
        const unsigned count = 1 + test_below(&r.r, MOST);
        struct matrix_plan_step steps[MOST];
        matrix_block plain, fast;
        block_from(&plain, s.dst[0], false);
        for (unsigned k = 0; k < count; k++) {
            steps[k] = (struct matrix_plan_step){.a_row = (uint8_t)(16 * test_below(&r.r, BLOCKS_A)),
                                                 .b_row = (uint8_t)(8 * test_below(&r.r, BLOCKS_B)),
                                                 .phase = (uint8_t)test_below(&r.r, 4),
                                                 .how = how};
            mode.phase = steps[k].phase;
            matrix_multiply_plain(&mode, banks.a[steps[k].a_row], banks.b[steps[k].b_row], 1, how ? 4 : 8, plain.row);
        }
        for (unsigned which = 0; which <= matrix_best(); which++) {
            const struct matrix_operands o = {.a = banks.a[0],
                                              .b = banks.b[0],
                                              .cached_a = cache.a[0],
                                              .cached_b = cache.b[0],
                                              .modes = matrix_fast_modes(&mode),
                                              .rounds = matrix_host_rounds()};
            const struct matrix_forms *forms = matrix_forms(which);
            memset(&cache, 0, sizeof cache);
            block_from(&fast, s.dst[0], false);
            (mode.a == MATRIX_INT8 ? forms->multiply_integers : forms->multiply)(&o, steps, count, 0, fast.row[0]);
            compare("chain", which, &mode, &s, &fast, &plain);
        }
    }
}

static void elements_are_the_same(void **context)
{
    (void)context;
    static const char *const name[] = {"sum", "difference", "product of elements"};
    matrix_random r = {.r = {.state = 8}};
    for (unsigned round = 0; round < ROUNDS * STYLES * 8; round++) {
        struct state s;
        const struct matrix_mode mode = mode_of(round, &r);
        fill(&s, &r, &mode);
        if (round / (STYLES * 8) % 4 == 1)
            at_an_end(&s, &r, &mode);
        else if (round / (STYLES * 8) % 4 != 0)
            calm(&s, &r, &mode);
        for (unsigned op = MATRIX_ADD; op <= MATRIX_MULTIPLY; op++) {
            const struct matrix_elementwise_form form = {.op = (enum matrix_elementwise)op,
                                                         .b_step = test_below(&r.r, 2),
                                                         .b_column_0 = test_below(&r.r, 2),
                                                         .add_dst = test_below(&r.r, 2)};
            const bool apart = test_below(&r.r, 8) == 0;
            matrix_block plain, fast;
            block_from(&plain, s.dst[0], apart);
            matrix_elementwise_plain(&mode, &form, s.a[0], s.b[0], plain.row);
            for (unsigned which = 0; which <= matrix_best(); which++) {
                block_from(&fast, s.dst[0], apart);
                matrix_elementwise_by(which, &mode, &form, s.a[0], s.b[0], fast.row);
                compare(name[op], which, &mode, &s, &fast, &plain);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_the_same),
        cmocka_unit_test(a_cache_does_not_show),
        cmocka_unit_test(chains_are_the_same),
        cmocka_unit_test(elements_are_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

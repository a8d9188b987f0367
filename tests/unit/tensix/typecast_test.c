/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile tests/support/typecast_words.c */
/* The ten conversions of sdk/examples/typecast.h: every bit of every result.  All inputs of 16 bits; of 32 bits all edges and
 * random ones.
 *
 *   typecast_test [COUNT [SEED]]    so many random inputs of 32 bits for each conversion; COUNT 0: all there are */
#include "tensix_isa.h" /* first: tile_regs.h makes a macro of one of its names */

#include "unit/tensix/exec.h"

#include "support/typecast_words.h"
#include "tensix/regs/dst.h"

#include <stdlib.h>

enum { TILE_ROWS = 64, TILE = TILE_ROWS * DST_COLUMNS, VECTOR_ROWS = 32 };

static uint64_t random_state = 0x9E3779B97F4A7C15, random_count = 1 << 18;

static uint32_t rnd(void)
{
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return (uint32_t)(random_state * 0x2545F4914F6CDD1D >> 32);
}

/* One word in each cycle. */
static void push(struct tile *tile, const uint32_t *words, unsigned count)
{
    struct tensix *tx = &tile->dev.tensix;
    for (unsigned i = 0; i < count; i++, exec_now++) {
        uint32_t lost;
        while (tensix_push_replay(tx, 0, words[i], 0x100, exec_now, &lost) != TENSIX_PUSH_OK)
            tensix_run(&tile->lent, tx, ++exec_now);
    }
}

static void drain(struct tile *tile)
{
    struct tensix *tx = &tile->dev.tensix;
    exec_now += 100;
    while (tensix_next(tx) < exec_now)
        tensix_run(&tile->lent, tx, exec_now);
}

static void configure(struct tile *tile, const struct typecast_words *w)
{
    enum { DST_IS_32B = 1 << 11 };
    uint32_t *config = tile->dev.tensix.config[0];
    config[ALU_ACC_CTRL_SFPU_Fp32_enabled_ADDR32] |= ALU_ACC_CTRL_SFPU_Fp32_enabled_MASK;
    wr_at(tile, NOC, RISCV_DEBUG_REG_DBG_FEATURE_DISABLE, DST_IS_32B, exec_now);
    push(tile, w->setup, w->setup_words);
    drain(tile);
}

/* What is in `in` becomes what is in `out`. */
static void convert(struct tile *tile, const struct typecast_words *w, const uint32_t in[TILE], uint32_t out[TILE])
{
    for (unsigned row = 0; row < TILE_ROWS; row++) {
        uint32_t values[DST_COLUMNS];
        for (unsigned i = 0; i < DST_COLUMNS; i++) {
            const uint32_t x = in[row * DST_COLUMNS + i];
            values[i] = w->halves_in ? x << 16 : dst_encode_fp32(x);
        }
        dst_write32(&tile->files, 0, row, values);
    }
    const uint32_t first = word_of("SETRWC Dst=1"), nop = word_of("SFPNOP");
    push(tile, &first, 1);
    for (unsigned row = 0; row < VECTOR_ROWS; row += w->block_rows)
        push(tile, w->block, w->block_words);
    for (unsigned i = 0; i < w->drain; i++)
        push(tile, &nop, 1);
    drain(tile);
    for (unsigned row = 0; row < TILE_ROWS; row++) {
        uint32_t values[DST_COLUMNS];
        dst_read32(&tile->files, 0, row, values);
        for (unsigned i = 0; i < DST_COLUMNS; i++)
            out[row * DST_COLUMNS + i] = w->halves_out ? values[i] >> 16 : dst_decode_fp32(values[i]);
    }
}

static void check(struct tile *tile, unsigned kind, bool plain, const uint32_t in[TILE])
{
    const struct typecast_words w = typecast_words_of(kind, plain);
    uint32_t out[TILE];
    convert(tile, &w, in, out);
    for (unsigned i = 0; i < TILE; i++) {
        const uint32_t expected = typecast_expected(kind, in[i]);
        if (out[i] != expected)
            fail_msg("%s%s: 0x%08x gives 0x%08x, must be 0x%08x", w.name, plain ? " without macros" : "", in[i], out[i],
                     expected);
    }
}

/* Exponents at which something changes, signs, and mantissas at both ends and around halves. */
static uint32_t edge(unsigned n)
{
    static const uint32_t mantissa[] = {0,        1,        2,        0x7FFF,   0x8000,   0x8001,   0xFFFF,   0x10000,
                                        0x17FFF,  0x18000,  0x18001,  0x3FFFFF, 0x400000, 0x400001, 0x7F7FFF, 0x7F8000,
                                        0x7F8001, 0x7FFFFE, 0x7FFFFF, 0x7FFF80, 0x7FFF7F, 0x555555, 0x000080, 0x000040};
    enum { MANTISSAS = sizeof mantissa / sizeof *mantissa };
    return (uint32_t)(n / MANTISSAS % 512) << 23 | mantissa[n % MANTISSAS];
}

static void check_kind(struct tile *tile, unsigned kind, bool plain)
{
    const struct typecast_words w = typecast_words_of(kind, plain);
    uint32_t in[TILE];
    configure(tile, &w);
    const bool narrow = w.halves_in;
    const uint64_t all = random_count == 0 && !plain ? UINT64_C(1) << 32 : 0;
    for (uint64_t n = 0; n < (narrow ? 0x10000 : all); n += TILE) {
        for (unsigned i = 0; i < TILE; i++)
            in[i] = (uint32_t)n + i;
        check(tile, kind, plain, in);
    }
    if (narrow || all != 0)
        return;
    for (unsigned n = 0; n < 512 * 24; n += TILE) {
        for (unsigned i = 0; i < TILE; i++)
            in[i] = edge(n + i);
        check(tile, kind, plain, in);
    }
    for (uint64_t n = 0; n < random_count; n += TILE) {
        for (unsigned i = 0; i < TILE; i++)
            in[i] = i % 4 ? rnd() : rnd() >> rnd() % 32; /* small integers too */
        check(tile, kind, plain, in);
    }
}

static void conversions_give_every_bit(void **state)
{
    for (unsigned kind = 0; kind < TYPECAST_WORDS_COUNT; kind++)
        check_kind(*state, kind, false);
    /* An instruction that is in the way of a scheduled one, or reads too early, would have been reported. */
    assert_int_equal(((struct tile *)*state)->faults, 0);
}

static void conversions_without_macros_give_the_same(void **state)
{
    for (unsigned kind = 0; kind < TYPECAST_WORDS_COUNT; kind++)
        check_kind(*state, kind, true);
    assert_int_equal(((struct tile *)*state)->faults, 0);
}

/* Results that statements give as numbers. */
static void known_results(void **state)
{
    static const uint32_t known[][3] = {
        {0, 0x7F7FFFFF, 0x7F800000},
        {0, 0x7FC00000, 0x7FC00000},
        {0, 0x7F800001, 0x7F800000},
        {0, 0x7FFF8000, 0x80000000},
        {0, 0xFFFF8000, 0},
        {1, 0x7FC00000, 0x80000000},
        {1, 0xC0200000, 0xFFFFFFFE},
        {2, 0x80000000, 0},
        {2, 0x7F800000, 0xFFFFFFFF},
        {3, 0x3F000000, 1},
        {3, 0x40200000, 3},
        {3, 0x477FFF80, 65535},
        {3, 0xFF800000, 0},
        {4, 0xC0000081, 0x4F400000},
        {4, 0xFFFFFF7F, 0x4F800000},
        {5, 0x80000000, 0xCF000000},
        {6, 0, 0},
        {7, 0x80000000, 0xCF000000},
        {7, 257, 0x43810000},
        {8, 65535, 0x477FFF00},
        {9, 257, 0x43810000},
        {9, 259, 0x43820000},
        {9, 65407, 0x477F0000},
        {9, 65408, 0x47800000},
    };
    struct tile *tile = *state;
    for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
        const struct typecast_words w = typecast_words_of(known[k][0], false);
        uint32_t in[TILE], out[TILE];
        for (unsigned i = 0; i < TILE; i++)
            in[i] = known[k][1];
        configure(tile, &w);
        convert(tile, &w, in, out);
        if (out[0] != known[k][2] || typecast_expected(known[k][0], known[k][1]) != known[k][2])
            fail_msg("%s: 0x%08x gives 0x%08x, must be 0x%08x", w.name, known[k][1], out[0], known[k][2]);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        CASE(known_results),
        CASE(conversions_give_every_bit),
        CASE(conversions_without_macros_give_the_same),
    };
    if (argc > 1)
        random_count = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        random_state ^= strtoull(argv[2], NULL, 0) * UINT64_C(0xD1342543DE82EF95);
    return RUN(tests);
}

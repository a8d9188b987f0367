/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Random UNPACRs under random configuration: rows.c and plain.c leave the same bits in SrcA, SrcB and Dst, and one of a row (tensix/stream.h)
 * also leaves all else of the coprocessor as the plain step does, or nothing has changed.
 *
 *   unpack_rows_test [INSTRUCTIONS [SEED]] */
#include "tensix_isa.h"

#include "unit/tensix/exec.h"

#include "tensix/unpack/unpack.h"

/* As in tests/support/chip.h, whose names of registers would be in the way. */
typedef struct test_random {
    uint64_t state;
} test_random;
static uint64_t test_random64(test_random *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
static uint32_t test_below(test_random *r, uint32_t n)
{
    return (uint32_t)(test_random64(r) >> 33) % n;
}

static unsigned instructions = 20000;
static uint64_t seed = 1;

static uint32_t pick(test_random *r, const uint8_t *values, unsigned count)
{
    return values[test_below(r, count)];
}
#define PICK(r, ...) pick(r, (const uint8_t[]){__VA_ARGS__}, sizeof(const uint8_t[]){__VA_ARGS__})
#define ONE_IN(r, n) (test_below(r, n) == 0)

/* A field of Config bank 0; of the second unpacker's section where `which` is set. */
static void set_bits(struct tensix *tx, unsigned word, uint32_t mask, unsigned shift, uint32_t value)
{
    uint32_t *place = &tx->config[0][word];
    *place = (*place & ~mask) | (value << shift & mask);
}
#define SET(tx, offset, NAME, value) set_bits(tx, NAME##_ADDR32 + (offset), NAME##_MASK, NAME##_SHAMT, value)

static void random_formats(test_random *r, struct tensix *tx, unsigned section, bool to_dst)
{
    unsigned in = test_below(r, 16), out = in;
    if (in == 12 || in == 13)
        in = out = FORMAT_BF16;
    if (in == FORMAT_FP32 || in == FORMAT_TF32 || in == FORMAT_INT32) {
        in = in == FORMAT_INT32 && to_dst ? in : FORMAT_FP32;
        out = in == FORMAT_INT32 ? in : PICK(r, FORMAT_TF32, FORMAT_BF16, FORMAT_FP16);
    }
    if (ONE_IN(r, 20))
        out = test_below(r, 16);
    SET(tx, section, THCON_SEC0_REG0_TileDescriptor_InDataFormat, in);
    SET(tx, section, THCON_SEC0_REG2_Out_data_format, out);
}

static void random_config(test_random *r, struct tensix *tx, unsigned which)
{
    const unsigned section = 48 * which;
    const bool to_dst = which == 0 && ONE_IN(r, 3);
    for (unsigned word = 40; word < 160; word++)
        tx->config[0][word] = 0;
    SET(tx, 0, DEST_ACCESS_CFG_remap_addrs, ONE_IN(r, 4));
    SET(tx, 0, DEST_ACCESS_CFG_swizzle_32b, ONE_IN(r, 4));
    tx->config[0][THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32 + section] =
        (ONE_IN(r, 10) ? 0 : 0x000F000F) | (to_dst ? 0x00F000F0 : 0);
    random_formats(r, tx, section, to_dst);
    SET(tx, section, THCON_SEC0_REG2_Force_shared_exp, ONE_IN(r, 4));
    SET(tx, 0, UNP0_FORCED_SHARED_EXP_shared_exp, test_below(r, 256));
    SET(tx, 0, UNP1_FORCED_SHARED_EXP_shared_exp, test_below(r, 256));
    SET(tx, 0, ALU_FORMAT_SPEC_REG0_SrcAUnsigned, test_below(r, 2));
    SET(tx, section, THCON_SEC0_REG1_Unp_LF8_4b_exp, test_below(r, 2));
    const uint32_t x_dim = ONE_IN(r, 3) ? test_below(r, 600) : 256;
    SET(tx, section, THCON_SEC0_REG0_TileDescriptor_XDim, x_dim);
    SET(tx, section, THCON_SEC0_REG5_Tile_x_dim_cntx0, x_dim);
    SET(tx, section, THCON_SEC0_REG0_TileDescriptor_YDim, 1 + test_below(r, 4));
    SET(tx, section, THCON_SEC0_REG0_TileDescriptor_ZDim, test_below(r, 5));
    SET(tx, section, THCON_SEC0_REG0_TileDescriptor_NoBFPExpSection, ONE_IN(r, 8));
    tx->config[0][THCON_SEC0_REG3_Base_address_ADDR32 + section] =
        ONE_IN(r, 100) ? 0x18000 - test_below(r, 64) : test_below(r, 0x1000);
    for (unsigned i = 1; i < 4; i++)
        tx->config[0][THCON_SEC0_REG3_Base_address_ADDR32 + section + i] = test_below(r, 0x1000);
    SET(tx, section, THCON_SEC0_REG7_Offset_address, test_below(r, 64));
    if (ONE_IN(r, 4)) {
        SET(tx, section, THCON_SEC0_REG2_Unpack_limit_address, test_below(r, 0x1800));
        SET(tx, section, THCON_SEC0_REG2_Unpack_fifo_size, test_below(r, 0x80));
    }
    SET(tx, section, THCON_SEC0_REG2_Haloize_mode, ONE_IN(r, 4));
    SET(tx, section, THCON_SEC0_REG2_Tileize_mode, ONE_IN(r, 4));
    if (CFG_FIELD(tx->config[0] + section, THCON_SEC0_REG2_Tileize_mode) || ONE_IN(r, 12))
        tx->config[0][THCON_SEC0_REG2_Shift_amount_cntx0_ADDR32 + section] |= test_below(r, 0x200) << 16;
    SET(tx, section, THCON_SEC0_REG2_Upsample_rate, ONE_IN(r, 12) ? test_below(r, 4) : 0);
    SET(tx, section, THCON_SEC0_REG2_Upsample_and_interleave, ONE_IN(r, 4));
    SET(tx, section, THCON_SEC0_REG5_Dest_cntx0_address,
        ONE_IN(r, 8) ? test_below(r, 1200) : 16 * (4 + test_below(r, 80)));
    SET(tx, 0, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, test_below(r, 2));
    for (unsigned i = 0; i < 4; i++)
        tx->config[0][UNP0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32 + i] = (16u << test_below(r, 6)) * 0x10001;
    SET(tx, 0, UNP1_ADDR_BASE_REG_1_Base, ONE_IN(r, 3) ? test_below(r, 100) : 0);
}

static void random_counters(test_random *r, struct tensix *tx, unsigned which)
{
    struct tensix_adc_channel *adc = tx->thread[0].adc[which];
    adc[0] = (struct tensix_adc_channel){.x = ONE_IN(r, 3) ? test_below(r, 40) : 0,
                                         .y = (uint16_t)test_below(r, 3),
                                         .z = (uint16_t)test_below(r, 4),
                                         .w = ONE_IN(r, 4)};
    adc[1] = (struct tensix_adc_channel){.x = adc[0].x +
                                              (ONE_IN(r, 2) ? 16 * (1 + test_below(r, 64)) : test_below(r, 300)) - 1,
                                         .y = (uint16_t)test_below(r, 3),
                                         .z = (uint16_t)test_below(r, 3),
                                         .w = ONE_IN(r, 4)};
    tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = ONE_IN(r, 4) ? (uint16_t)test_below(r, 8) : 4;
    tx->src[which].unpacker_bank = (uint8_t)test_below(r, 2);
    tx->src[which].unpacker_row[0] = ONE_IN(r, 4) ? (uint8_t)(16 * test_below(r, 4)) : 0;
}

/* Makes it what kernels do, most of the time. */
static void as_usual(test_random *r, struct tensix *tx, unsigned which)
{
    const unsigned section = 48 * which;
    if (ONE_IN(r, 4))
        return;
    SET(tx, section, THCON_SEC0_REG0_TileDescriptor_XDim, 256);
    SET(tx, section, THCON_SEC0_REG5_Tile_x_dim_cntx0, 256);
    SET(tx, section, THCON_SEC0_REG2_Unpack_fifo_size, 0);
    SET(tx, section, THCON_SEC0_REG2_Haloize_mode, 0);
    SET(tx, section, THCON_SEC0_REG2_Upsample_rate, 0);
    SET(tx, section, THCON_SEC0_REG5_Dest_cntx0_address, 16 * (4 + 8 * test_below(r, 4)));
    SET(tx, 0, UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 0);
    if (!CFG_FIELD(tx->config[0] + section, THCON_SEC0_REG2_Tileize_mode))
        SET(tx, section, THCON_SEC0_REG2_Shift_amount_cntx0, 0);
}

static struct tensix_files by_rows, plainly;

static void first_difference(unsigned n, const struct unpack_plan *plan)
{
    const uint8_t *a = (const uint8_t *)&by_rows, *b = (const uint8_t *)&plainly;
    for (size_t i = 0; i < sizeof by_rows; i++)
        if (a[i] != b[i])
            fail_msg(
                "instruction %u, seed %llu: byte %zu of the files is %02x by rows and %02x plainly (format %u to %u, "
                "%u datums to %u)",
                n, (unsigned long long)seed, i, a[i], b[i], plan->c->InDataFormat, plan->c->OutDataFormat,
                plan->InputNumDatums, plan->OutAddr);
}

static void rows_and_datums_give_the_same(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    test_random random = {seed};
    unsigned compared = 0, transposed = 0, zero = 0, gaps = 0, to[3] = {0};
    for (uint32_t i = 0; i < DEVICES_L1_BYTES; i++)
        tile->l1[i] = (uint8_t)test_random64(&random);
    tile->goes_on = true; /* what is undefined is compared too */
    for (unsigned n = 0; n < instructions; n++) {
        const unsigned which = test_below(&random, 2);
        random_config(&random, tx, which);
        random_counters(&random, tx, which);
        const uint32_t word =
            0x42000000 | which << 23 | (ONE_IN(&random, 20) ? 0 : 1u << 7) | (ONE_IN(&random, 16) ? 1u << 4 : 0);
        const struct op_UNPACR op = decode_UNPACR(word);
        tensix_step s = {.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = 1000 + n, .word = word};
        struct unpack_config c;
        struct unpack_plan plan;
        if (ONE_IN(&random, 2))
            as_usual(&random, tx, which);
        if (!unpack_begin(&s, &op, &c) || !unpack_UNPACR_plan(&s, &c, &plan) || !plan.by_rows)
            continue;
        compared++;
        transposed += c.Transpose;
        zero += c.AllDatumsAreZero;
        gaps += c.Tileize_mode;
        to[unpack_target_of(c.conversion)]++;
        by_rows.dst_row_undefined[n % 32] = plainly.dst_row_undefined[n % 32] = (uint32_t)test_random64(&random);
        unpack_rows(&plan, tile->l1, &by_rows);
        const struct unpack_outcome b = unpack_plain(&plan, tile->l1, DEVICES_L1_BYTES, &plainly);
        assert_int_equal(b.problem, UNPACK_DONE);
        assert_int_equal(b.taken, plan.InputNumDatums);
        assert_int_equal(b.written, plan.InputNumDatums);
        if (memcmp(&by_rows, &plainly, sizeof by_rows) != 0)
            first_difference(n, &plan);
    }
    assert_true(compared > instructions / 8);
    assert_true(transposed > 0 && zero > 0 && gaps > 0 && to[UNPACK_TO_SRC] > 0 && to[UNPACK_TO_DST16] > 0 &&
                to[UNPACK_TO_DST32] > 0);
}

static void usual_counters(test_random *r, struct tensix *tx, unsigned which)
{
    random_counters(r, tx, which);
    if (ONE_IN(r, 4))
        return;
    tx->thread[0].adc[which][0].x = 16 * test_below(r, 3);
    tx->thread[0].adc[which][1].x = tx->thread[0].adc[which][0].x + 16 * (1 + test_below(r, 16)) - 1;
}

/* One UNPACR as the plain step has it. */
static step_result execute(struct tile *tile, uint32_t word, uint64_t cycle, bool plain, tensix_step *s)
{
    struct tensix *tx = &tile->dev.tensix;
    const struct op_UNPACR op = decode_UNPACR(word);
    *s = (tensix_step){.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = cycle, .word = word};
    return unpack_execute(s, &op, plain);
}

static struct tensix before, after, in_a_row;
static struct tensix_files files_before;

/* The second of two in a row, the first of which has left what is known of it. */
static void what_is_known_changes_nothing(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    struct tensix_files *files = tile_tensix_files(tile);
    test_random random = {seed + 1};
    unsigned taken = 0, known = 0, refused = 0;
    tile->goes_on = true;
    for (uint32_t i = 0; i < DEVICES_L1_BYTES; i++)
        tile->l1[i] = (uint8_t)test_random64(&random);
    for (unsigned n = 0; n < instructions / 4; n++) {
        const unsigned which = test_below(&random, 2);
        const uint64_t cycle = 1000 + UINT64_C(100000) * n;
        tensix_step s, t;
        struct unpack_row row = {.known = false};
        const uint32_t word = 0x42000000 | which << 23 | (ONE_IN(&random, 20) ? 0 : 1u << 7) |
                              (ONE_IN(&random, 16) ? 1u << 4 : 0) | test_below(&random, 8) << 20 |
                              test_below(&random, 256) << 15 | test_below(&random, 2) << 5 |
                              (ONE_IN(&random, 4) ? test_below(&random, 8) << 10 : 0);
        memset(tx->src[which].matrix_owns, 0, sizeof tx->src[which].matrix_owns);
        random_config(&random, tx, which);
        as_usual(&random, tx, which);
        usual_counters(&random, tx, which);
        s = (tensix_step){.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = cycle, .word = word};
        if (unpack_row_when(&s, &row) == cycle)
            unpack_row_do(&s, &row);
        known += row.known;
        memset(tx->src[which].matrix_owns, 0, sizeof tx->src[which].matrix_owns);
        const uint16_t SRCA_SET = tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32];
        usual_counters(&random, tx, which);
        tx->thread[0].config[SRCA_SET_SetOvrdWithAddr_ADDR32] = SRCA_SET; /* as other configuration: known */
        before = *tx;
        files_before = *files;
        s = (tensix_step){.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = cycle + 50000, .word = word};
        assert_int_equal(unpack_row_when(&s, &row), s.cycle);
        const bool done = unpack_row_do(&s, &row);
        taken += done;
        refused += !done;
        in_a_row = *tx;
        by_rows = *files;
        if (!done) {
            assert_memory_equal(&in_a_row, &before, sizeof before);
            assert_memory_equal(&by_rows, &files_before, sizeof by_rows);
        }
        step_result result[2];
        unsigned faults[2];
        for (unsigned plain = 0; plain < 2; plain++) {
            *tx = before;
            *files = files_before;
            tile->faults = 0;
            result[plain] = execute(tile, word, cycle + 50000, plain != 0, &t);
            faults[plain] = tile->faults;
            if (plain == 0) {
                after = *tx;
                plainly = *files;
            } else if (result[plain] != STEP_FAULTED) {
                assert_memory_equal(&after, tx, sizeof after);
                assert_memory_equal(&plainly, files, sizeof plainly);
            }
        }
        assert_int_equal(result[0], result[1]);
        assert_int_equal(faults[0], faults[1]);
        if (done) {
            assert_int_equal(s.issue, t.issue);
            assert_int_equal(s.latency, t.latency);
            assert_memory_equal(&in_a_row, tx, sizeof in_a_row);
            assert_memory_equal(&by_rows, files, sizeof by_rows);
        }
    }
    assert_true(taken > instructions / 100 && known > 0 && refused > 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        instructions = (unsigned)strtoul(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {CASE(rows_and_datums_give_the_same), CASE(what_is_known_changes_nothing)};
    return RUN(tests);
}

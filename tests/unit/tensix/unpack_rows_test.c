/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Random UNPACRs under random configuration: rows.c and plain.c leave the same bits in SrcA, SrcB and Dst, and so does
 * quick.c, which also leaves all else of the coprocessor as regular.c does.
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

static struct tensix_files by_rows, plainly;

static void first_difference(unsigned n, const struct unpack_job *job)
{
    const uint8_t *a = (const uint8_t *)&by_rows, *b = (const uint8_t *)&plainly;
    for (size_t i = 0; i < sizeof by_rows; i++)
        if (a[i] != b[i])
            fail_msg(
                "instruction %u, seed %llu: byte %zu of the files is %02x by rows and %02x plainly (format %u to %u, "
                "%u datums to %u)",
                n, (unsigned long long)seed, i, a[i], b[i], job->conversion.InDataFormat, job->conversion.OutDataFormat,
                job->InputNumDatums, job->OutAddr);
}

static void rows_and_datums_give_the_same(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    test_random random = {seed};
    unsigned compared = 0, outside = 0, bad_rows = 0;
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
        struct unpack_job job;
        if (!unpack_prepare(&s, &op, &c, &job) || !unpack_has_rows(&job))
            continue;
        compared++;
        by_rows.dst_row_undefined[n % 32] = plainly.dst_row_undefined[n % 32] = (uint32_t)test_random64(&random);
        const struct unpack_outcome a = unpack_rows(&job, tile->l1, DEVICES_L1_BYTES, &by_rows);
        const struct unpack_outcome b = unpack_plain(&job, tile->l1, DEVICES_L1_BYTES, &plainly);
        assert_int_equal(a.problem, b.problem);
        if (a.problem == UNPACK_OUTSIDE_L1) {
            outside++;
            by_rows = plainly; /* how far they came differs */
            continue;
        }
        bad_rows += a.problem == UNPACK_ROW;
        assert_int_equal(a.value, b.value);
        assert_int_equal(a.taken, b.taken);
        assert_int_equal(a.written, b.written);
        if (memcmp(&by_rows, &plainly, sizeof by_rows) != 0)
            first_difference(n, &job);
    }
    assert_true(compared > instructions / 4);
    assert_true(outside > 0 && bad_rows > 0);
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

static void usual_counters(test_random *r, struct tensix *tx, unsigned which)
{
    random_counters(r, tx, which);
    if (ONE_IN(r, 4))
        return;
    tx->thread[0].adc[which][0].x = 16 * test_below(r, 3);
    tx->thread[0].adc[which][1].x = tx->thread[0].adc[which][0].x + 16 * (1 + test_below(r, 16)) - 1;
}

/* A word that the plan may depend on. */
static void change_a_word(test_random *r, struct tensix *tx, unsigned which)
{
    if (ONE_IN(r, 2))
        tx->config[0][THCON_SEC0_REG3_Base_address_ADDR32 + 48 * which] = test_below(r, 0x1000);
    else if (ONE_IN(r, 2))
        tx->config[0][40 + test_below(r, 120)] ^= 1u << test_below(r, 32);
}

/* One UNPACR; the plans are no part of the outcome. */
static step_result execute(struct tile *tile, uint32_t word, uint64_t cycle, bool quick, tensix_step *s)
{
    struct tensix *tx = &tile->dev.tensix;
    const struct op_UNPACR op = decode_UNPACR(word);
    *s = (tensix_step){.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = cycle, .word = word};
    const step_result result = unpack_execute(s, &op, quick);
    for (unsigned i = 0; i < 2; i++)
        memset(&tx->unpacker[i].plan, 0, sizeof tx->unpacker[i].plan);
    return result;
}

static struct tensix before, by_plan, kept;

static void plans_change_nothing(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    struct tensix_files *files = tile_tensix_files(tile);
    test_random random = {seed + 1};
    unsigned quick = 0;
    tile->goes_on = true;
    for (uint32_t i = 0; i < DEVICES_L1_BYTES; i++)
        tile->l1[i] = (uint8_t)test_random64(&random);
    for (unsigned n = 0; n < instructions / 4; n++) {
        const unsigned which = test_below(&random, 2);
        const uint64_t cycle = 1000 + UINT64_C(100000) * n;
        tensix_step s, t;
        struct unpack_done done;
        const uint32_t word = 0x42000000 | which << 23 | (ONE_IN(&random, 20) ? 0 : 1u << 7) |
                              (ONE_IN(&random, 16) ? 1u << 4 : 0) | test_below(&random, 8) << 20 |
                              test_below(&random, 256) << 15 | test_below(&random, 2) << 5;
        const struct op_UNPACR op = decode_UNPACR(word);
        memset(tx->src[which].matrix_owns, 0, sizeof tx->src[which].matrix_owns);
        random_config(&random, tx, which);
        as_usual(&random, tx, which);
        usual_counters(&random, tx, which);
        s = (tensix_step){.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = cycle, .word = word};
        unpack_execute(&s, &op, false);
        memset(tx->src[which].matrix_owns, 0, sizeof tx->src[which].matrix_owns);
        usual_counters(&random, tx, which);
        change_a_word(&random, tx, which);
        before = *tx;
        s = (tensix_step){.tile = &tile->lent, .tx = tx, .t = &tx->thread[0], .cycle = cycle + 50000, .word = word};
        quick += unpack_quick(&s, &op, &done);
        *tx = before;
        plainly = *files;
        const step_result a = execute(tile, word, cycle + 50000, true, &s);
        by_plan = *tx;
        by_rows = *files;
        *tx = before;
        *files = plainly;
        const step_result b = execute(tile, word, cycle + 50000, false, &t);
        kept = *tx;
        assert_int_equal(a, b);
        assert_int_equal(s.issue, t.issue);
        assert_int_equal(s.latency, t.latency);
        assert_memory_equal(&by_plan, &kept, sizeof kept);
        assert_memory_equal(&by_rows, files, sizeof by_rows);
    }
    assert_true(quick > instructions / 100);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        instructions = (unsigned)strtoul(argv[1], NULL, 0);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 0);
    const struct CMUnitTest tests[] = {CASE(rows_and_datums_give_the_same), CASE(plans_change_nothing)};
    return RUN(tests);
}

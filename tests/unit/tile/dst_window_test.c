/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Dst as RISCV Ti sees it (manual Dst "RISCV access to Dst"): expected values worked by hand from its tables. */
#include "unit/tile/fake_tile.h"

#include "cfg_fields.h"

#define DST TENSIX_DST_START_ADDR

static void set_mode(struct tile *tile, unsigned thread, unsigned fmt, bool no_swizzle, bool unsigned_int)
{
    const unsigned bits = (unsigned)no_swizzle | (unsigned)unsigned_int << 1 | fmt << 2;
    uint32_t *word = &tile->dev.tensix.config[0][RISC_DEST_ACCESS_CTRL_SEC0_fmt_ADDR32];
    const unsigned shift = RISC_DEST_ACCESS_CTRL_SEC0_no_swizzle_SHAMT + 5 * thread;
    *word = (*word & ~(UINT32_C(31) << shift)) | bits << shift;
}

static uint32_t get(struct tile *tile, unsigned core, uint32_t address, unsigned size)
{
    uint32_t value;
    assert_int_equal(devices_read(tile, core, address, size, 0, &value), DEV_OK);
    return value;
}

static void put(struct tile *tile, unsigned core, uint32_t address, unsigned size, uint32_t value)
{
    assert_int_equal(devices_write(tile, core, address, size, value, 0), DEV_OK);
}

static void fp32_and_uint32(void **state)
{
    struct tile *tile = *state;
    put(tile, T0, DST + (9 * 16 + 3) * 4, 4, 0xBFC12345); /* sign, exponent 0x7F, mantissa 0x412345 */
    assert_int_equal(tile->files.DstBits[17][3], 0xC17F);
    assert_int_equal(tile->files.DstBits[25][3], 0x2345);
    assert_int_equal(get(tile, T1, DST + (9 * 16 + 3) * 4, 4), 0xBFC12345);
    set_mode(tile, 1, 0, true, false);
    assert_int_equal(get(tile, T1, DST + (9 * 16 + 3) * 4, 4), 0xC17F2345);
    put(tile, T1, DST, 4, 0x12345678);
    assert_int_equal(tile->files.DstBits[0][0], 0x1234);
}

static void int32_is_sign_and_magnitude(void **state)
{
    static const struct {
        uint32_t core;
        uint16_t high, low;
        uint32_t back;
    } cases[] = {
        {1, 0, 1, 1},
        {(uint32_t)-1, 0x8000, 1, (uint32_t)-1},
        {0x7FFFFFFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF},
        {0x80000000, 0xFFFF, 0xFFFF, 0x80000001}, /* clamped */
        {0xFF800000, 0x8001, 0,
         0xFF800000}, /* -0x800000: bit 23 is the lowest of what Dst has lowest in its high half */
    };
    struct tile *tile = *state;
    set_mode(tile, 0, 1, false, false);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(tile, T0, DST, 4, cases[i].core);
        assert_int_equal(tile->files.DstBits[0][0], cases[i].high);
        assert_int_equal(tile->files.DstBits[8][0], cases[i].low);
        assert_int_equal(get(tile, T0, DST, 4), cases[i].back);
    }
    tile->files.DstBits[0][0] = 0x8000, tile->files.DstBits[8][0] = 0; /* -0 */
    assert_int_equal(get(tile, T0, DST, 4), 0);
    set_mode(tile, 0, 1, true, false);
    assert_int_equal(get(tile, T0, DST, 4), 0x80000000);
}

static void narrow_formats(void **state)
{
    static const struct {
        unsigned fmt;
        bool no_swizzle, unsigned_int;
        uint16_t core, bits, back;
    } cases[] = {
        {2, false, false, 0xBC01, 0x802F, 0xBC01}, /* FP16: exponent 15, mantissa 1 */
        {2, true, false, 0xBC01, 0xBC01, 0xBC01},
        {3, false, false, 0xBFC1, 0xC17F, 0xBFC1}, /* BF16: exponent 0x7F, mantissa 0x41 */
        {3, true, false, 0xBFC1, 0xBFC1, 0xBFC1},
        {4, false, false, 0xFFFF, 0x8001, 0xFFFF},
        {4, false, false, 0x8000, 0xFFFF, 0x8001}, /* clamped */
        {4, false, false, 0x7FFF, 0x7FFF, 0x7FFF},
        {4, false, true, 0x8000, 0x8000, 0x8000},
        {4, true, false, 0xFFFF, 0xFFFF, 0xFFFF},
    };
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        set_mode(tile, 2, cases[i].fmt, cases[i].no_swizzle, cases[i].unsigned_int);
        put(tile, T2, DST + (1023 * 16 + 15) * 2, 2, cases[i].core);
        assert_int_equal(tile->files.DstBits[1023][15], cases[i].bits);
        assert_int_equal(get(tile, T2, DST + (1023 * 16 + 15) * 2, 2), cases[i].back);
    }
}

static void int8(void **state)
{
    struct tile *tile = *state;
    set_mode(tile, 0, 5, false, false);
    put(tile, T0, DST + 16 + 5, 1, 100);
    assert_int_equal(tile->files.DstBits[1][5], 100 << 5 | 16);
    assert_int_equal(get(tile, T0, DST + 16 + 5, 1), 100);
    put(tile, T0, DST, 1, 0);
    assert_int_equal(tile->files.DstBits[0][0], 0);
    tile->files.DstBits[0][0] = 0x8000 | 3 << 5 | 16;
    assert_int_equal(get(tile, T0, DST, 1), 0xFD);
    tile->files.DstBits[0][0] = 0x8000;
    assert_int_equal(get(tile, T0, DST, 1), 0);
    /* Negative values are stored wrongly: 0xFF, -1, has magnitude 0x81, which reads as -1; 0x80 has 0xFF, which reads as -127. */
    put(tile, T0, DST, 1, 0xFF);
    assert_int_equal(tile->files.DstBits[0][0], 0x8000 | 0x81 << 5 | 16);
    assert_int_equal(get(tile, T0, DST, 1), 0xFF);
    put(tile, T0, DST, 1, 0x80);
    assert_int_equal(tile->files.DstBits[0][0], 0x8000 | 0xFF << 5 | 16);
    assert_int_equal(get(tile, T0, DST, 1), 0x81);
    set_mode(tile, 0, 5, false, true);
    put(tile, T0, DST, 1, 0xFF);
    assert_int_equal(tile->files.DstBits[0][0], 0xFF << 5 | 16);
    assert_int_equal(get(tile, T0, DST, 1), 0xFF);
}

static void t2_takes_several_elements_at_once(void **state)
{
    struct tile *tile = *state;
    set_mode(tile, 2, 4, true, false);
    put(tile, T2, DST + 4, 4, 0x22221111);
    assert_int_equal(tile->files.DstBits[0][2], 0x1111);
    assert_int_equal(tile->files.DstBits[0][3], 0x2222);
    assert_int_equal(get(tile, T2, DST + 4, 4), 0x22221111);
    set_mode(tile, 2, 5, false, true);
    put(tile, T2, DST + 16, 4, 0x04030201);
    assert_int_equal(tile->files.DstBits[1][3], 4 << 5 | 16);
    assert_int_equal(get(tile, T2, DST + 18, 2), 0x0403);
}

static void undefined_rows_read_as_zero_and_stores_make_them_valid(void **state)
{
    struct tile *tile = *state;
    tile->files.DstBits[0][0] = tile->files.DstBits[0][1] = 0x1234;
    dst_set_row_valid(&tile->files, 0, false);
    set_mode(tile, 0, 3, true, false);
    assert_int_equal(get(tile, T0, DST, 2), 0);
    put(tile, T0, DST, 2, 7);
    assert_true(dst_row_valid(&tile->files, 0));
    assert_int_equal(get(tile, T0, DST, 2), 7);
    assert_int_equal(get(tile, T0, DST + 2, 2), 0);
}

static void rows_are_as_dest_access_cfg_says(void **state)
{
    struct tile *tile = *state;
    tile->dev.tensix.config[0][DEST_ACCESS_CFG_remap_addrs_ADDR32] = DEST_ACCESS_CFG_remap_addrs_MASK;
    set_mode(tile, 0, 4, true, false);
    put(tile, T0, DST + 8 * 32, 2, 0x5555);
    assert_int_equal(tile->files.DstBits[32][0], 0x5555);
}

static void what_is_not_allowed_is_a_fault(void **state)
{
    static const struct {
        unsigned core, fmt, size;
        uint32_t offset;
    } cases[] = {
        {KERR_CORE_T0, 6, 4, 0}, {KERR_CORE_T0, 0, 2, 0}, {KERR_CORE_T1, 2, 4, 0},      {KERR_CORE_T0, 5, 2, 0},
        {KERR_CORE_T2, 1, 1, 0}, {KERR_CORE_T2, 3, 4, 2}, {KERR_CORE_T0, 5, 1, 0x4000},
    };
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t value;
        set_mode(tile, cases[i].core - KERR_CORE_T0, cases[i].fmt, false, false);
        const unsigned before = tile->faults;
        assert_int_equal(devices_read(tile, cases[i].core, DST + cases[i].offset, cases[i].size, 0, &value), DEV_FAULT);
        assert_int_equal(devices_write(tile, cases[i].core, DST + cases[i].offset, cases[i].size, 0, 0), DEV_FAULT);
        assert_int_equal(tile->faults, before + 2);
        assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    }
    uint32_t value;
    assert_int_equal(devices_read(tile, B, DST, 4, 0, &value), DEV_NOTHING);
}

static void a_debugger_peeks_and_pokes_words(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    set_mode(tile, 0, 4, true, false);
    assert_true(devices_poke(tile, T0, DST + 4, 0x22221111, 0));
    assert_int_equal(tile->files.DstBits[0][3], 0x2222);
    assert_true(devices_peek(tile, T0, DST + 4, &value, 0));
    assert_int_equal(value, 0x22221111);
    set_mode(tile, 0, 7, false, false);
    assert_false(devices_peek(tile, T0, DST + 4, &value, 0));
    assert_int_equal(tile->faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(fp32_and_uint32),
        CASE(int32_is_sign_and_magnitude),
        CASE(narrow_formats),
        CASE(int8),
        CASE(t2_takes_several_elements_at_once),
        CASE(undefined_rows_read_as_zero_and_stores_make_them_valid),
        CASE(rows_are_as_dest_access_cfg_says),
        CASE(what_is_not_allowed_is_a_fault),
        CASE(a_debugger_peeks_and_pokes_words),
    };
    return RUN(tests);
}

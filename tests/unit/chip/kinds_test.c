/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles other than Tensix: where they are, what they have, that their cores run. */
#include "../../support/saved.h"
#include "../../support/unit.h"

#include <string.h>

static kerr_chip *copy_of(const kerr_chip *chip)
{
    saved_bytes s = {0};
    assert_ok(kerr_save(chip, saved_put, &s));
    kerr_chip *copy = chip_new_one_thread();
    assert_ok(kerr_restore(copy, saved_get, &s));
    free(s.data);
    return copy;
}

static int set_up(void **state)
{
    *state = chip_new_one_thread();
    return 0;
}
static int tear_down(void **state)
{
    kerr_destroy(*state);
    return 0;
}

static void every_tile_with_cores_has_its_place(void **state)
{
    (void)state;
    uint32_t tensix = 0, eth = 0, dram = 0;
    for (uint8_t x = 0; x < KERR_GRID_X; x++) {
        for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
            kerr_xy at = {x, y}, back;
            switch (kerr_tile_kind_at(at)) {
            case KERR_TILE_TENSIX: tensix++; continue;
            case KERR_TILE_ETH: back = kerr_eth_xy(eth++); break;
            case KERR_TILE_DRAM: back = kerr_dram_xy(dram++); break;
            default: continue;
            }
            assert_int_equal(back.x, x);
            assert_int_equal(back.y, y);
        }
    }
    assert_int_equal(tensix, KERR_TENSIX_TILES);
    assert_int_equal(eth, KERR_ETH_TILES);
    assert_int_equal(dram, KERR_DRAM_TILES);
}

static void cores_are_counted_and_named_by_kind(void **state)
{
    assert_int_equal(kerr_tile_cores(KERR_TILE_TENSIX), 5);
    assert_int_equal(kerr_tile_cores(KERR_TILE_ETH), 2);
    assert_int_equal(kerr_tile_cores(KERR_TILE_DRAM), 1);
    assert_int_equal(kerr_tile_cores(KERR_TILE_ARC), 0);
    assert_string_equal(kerr_core_name_of(KERR_TILE_TENSIX, KERR_CORE_NC), "NC");
    assert_string_equal(kerr_core_name_of(KERR_TILE_ETH, KERR_CORE_E0), "E0");
    assert_string_equal(kerr_core_name_of(KERR_TILE_ETH, KERR_CORE_E1), "E1");
    assert_string_equal(kerr_core_name_of(KERR_TILE_ETH, KERR_CORE_T1), "?");
    assert_string_equal(kerr_core_name_of(KERR_TILE_DRAM, KERR_CORE_D), "D");
    assert_string_equal(kerr_core_name_of(KERR_TILE_DRAM, KERR_CORE_E1), "?");
    kerr_core_info info;
    assert_ok(kerr_core_query(*state, kerr_eth_xy(0), KERR_CORE_E1, &info));
    assert_int_equal(kerr_core_query(*state, kerr_eth_xy(0), KERR_CORE_T1, &info), KERR_BAD_ARGUMENT);
    assert_ok(kerr_core_query(*state, kerr_dram_xy(23), KERR_CORE_D, &info));
    assert_int_equal(kerr_core_query(*state, kerr_dram_xy(23), KERR_CORE_E1, &info), KERR_BAD_ARGUMENT);
}

static void l1_ends_where_the_kind_says(void **state)
{
    const struct {
        kerr_xy at;
        uint64_t first, size;
    } l1[] = {{kerr_tensix_xy(139), 0, 1536 * 1024},
              {kerr_eth_xy(13), 0, 512 * 1024},
              {kerr_dram_xy(5), UINT64_C(0x2000000000), 128 * 1024}};
    for (unsigned i = 0; i < 3; i++) {
        uint64_t in = 0x0123456789abcdef + i, out = 0;
        assert_ok(kerr_write(*state, l1[i].at, l1[i].first + l1[i].size - 8, &in, 8));
        assert_ok(kerr_read(*state, l1[i].at, l1[i].first + l1[i].size - 8, &out, 8));
        assert_true(in == out);
        assert_int_equal(kerr_write(*state, l1[i].at, l1[i].first + l1[i].size - 4, &in, 8), KERR_BAD_ADDRESS);
    }
}

/* Stores what its local RAM gives back; then polls. */
static void load_program(kerr_chip *chip, kerr_xy at, kerr_core core, uint32_t base, uint32_t result)
{
    rvasm *a = rva_new(base);
    rva_li(a, T0, 0x60008); /* no L0 data cache, as firmware has it */
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, T0, 0xffb00000u + 8188);
    rva_li(a, T1, result + 7);
    rva(a, rv_sw(T1, 0, T0));
    rva(a, rv_lw(T2, 0, T0));
    rva_li(a, T0, result);
    rva(a, rv_sw(T2, 0, T0));
    rva(a, rv_lw(T1, 4, T0));
    rva(a, rv_beq(T1, 0, -4));
    rva(a, rv_sw(T1, 8, T0));
    rva(a, rv_j(0));
    const kerr_segment code = {base, (uint32_t)a->count * 4, (uint32_t)a->count * 4, a->word};
    assert_ok(kerr_load(chip, at, core, &code, 1));
    assert_ok(kerr_core_start(chip, at, core, base));
    free(a);
}

static void cores_run_park_and_come_back_from_a_snapshot(void **state)
{
    static const uint32_t base = 0x1000, result = 0x4000;
    const struct {
        kerr_xy at;
        kerr_core core;
    } cores[] = {{kerr_eth_xy(3), KERR_CORE_E0}, {kerr_eth_xy(3), KERR_CORE_E1}, {kerr_dram_xy(7), KERR_CORE_D}};
    for (unsigned i = 0; i < 3; i++) {
        load_program(*state, cores[i].at, cores[i].core, base + i * 0x100, result + i * 0x100);
    }
    bool idle = false;
    assert_ok(kerr_run_until(*state, &(kerr_until){.kind = KERR_UNTIL_IDLE}, 100000, &idle));
    assert_true(idle);
    for (unsigned i = 0; i < 3; i++) {
        uint32_t word = 0, one = 1;
        assert_ok(kerr_core_peek(*state, cores[i].at, cores[i].core, result + i * 0x100, &word, 4));
        assert_int_equal(word, result + i * 0x100 + 7);
        assert_ok(kerr_core_poke(*state, cores[i].at, cores[i].core, result + i * 0x100 + 4, &one, 4));
    }
    assert_ok(kerr_run(*state, 1000));
    for (unsigned i = 0; i < 3; i++) {
        uint32_t word = 0;
        assert_ok(kerr_core_peek(*state, cores[i].at, cores[i].core, result + i * 0x100 + 8, &word, 4));
        assert_int_equal(word, 1);
    }
    kerr_chip *copy = copy_of(*state);
    assert_true(chip_hash(copy) == chip_hash(*state));
    assert_ok(kerr_run(copy, 5000));
    assert_ok(kerr_run(*state, 5000));
    assert_true(chip_hash(copy) == chip_hash(*state));
    kerr_destroy(copy);
}

static void a_fault_names_the_core(void **state)
{
    rvasm *a = rva_new(0x2000);
    rva_li(a, T0, 0xffec0000u); /* no mailboxes in an Ethernet tile */
    rva(a, rv_lw(T1, 0, T0));
    chip_start(*state, kerr_eth_xy(2), KERR_CORE_E1, a);
    free(a);
    assert_int_equal(kerr_run(*state, 10000), KERR_FAULTED);
    kerr_fault fault;
    char line[400];
    assert_ok(kerr_fault_get(*state, 0, &fault));
    kerr_fault_format(&fault, line, sizeof line);
    assert_non_null(strstr(line, "tile (3,1) E1 "));
    assert_non_null(strstr(line, "0xffec0000"));
}

enum { BANK_END = (int)0xffb00000 };

static void three_tiles_show_one_bank(void **state)
{
    static const uint8_t row[4][3] = {{0, 1, 11}, {2, 10, 3}, {9, 4, 8}, {5, 7, 6}};
    uint64_t value = 0;
    for (uint8_t bank = 0; bank < KERR_DRAM_BANKS; bank++) {
        const uint8_t x = bank < 4 ? 0 : 9;
        value = 0xabcd0000u + bank;
        assert_ok(kerr_write(*state, (kerr_xy){x, row[bank % 4][0]}, 0x40000000, &value, 8));
    }
    for (uint8_t bank = 0; bank < KERR_DRAM_BANKS; bank++) {
        for (unsigned i = 0; i < 3; i++) {
            const kerr_xy at = {bank < 4 ? 0 : 9, row[bank % 4][i]};
            assert_ok(kerr_read(*state, at, 0x40000000, &value, 8));
            assert_int_equal(value, 0xabcd0000u + bank);
            assert_ok(kerr_peek(*state, at, (uint32_t)BANK_END - 8, &value, 8));
            assert_int_equal(value, 0);
        }
    }
}

static void a_dram_tile_has_four_places(void **state)
{
    const kerr_xy at = kerr_dram_xy(0);
    uint64_t value = 7;
    assert_ok(kerr_poke(*state, at, 0, &value, 8));
    assert_ok(kerr_read(*state, at, UINT64_C(0x2000000000), &value, 8)); /* L1 is not the bank */
    assert_int_equal(value, 0);
    uint32_t word = 0;
    assert_ok(kerr_read(*state, at, UINT64_C(0x100ffb121b0), &word, 4));
    assert_int_equal(word, 0x800);
    assert_ok(kerr_read(*state, at, UINT64_C(0xffb121b0), &word, 4));
    assert_int_equal(word, 0x800);
    assert_ok(kerr_read(*state, at, UINT64_C(0x100fc001004), &word, 4));
    assert_int_equal(word, 0x31001);
    assert_ok(kerr_read(*state, at, UINT64_C(0xfc001004), &word, 4)); /* memory */
    assert_int_equal(word, 0);
    static const uint64_t nowhere[] = {0xffafffff, 0x100000000, 0x1ffffffff8, 0x2000020000, 0x100fbfffffc, 0xffbffffe};
    for (unsigned i = 0; i < sizeof nowhere / sizeof *nowhere; i++) {
        assert_int_equal(kerr_read(*state, at, nowhere[i], &value, 8), KERR_BAD_ADDRESS);
        assert_int_equal(kerr_write(*state, at, nowhere[i], &value, 8), KERR_BAD_ADDRESS);
    }
}

static void banks_are_in_hash_snapshot_and_reset(void **state)
{
    const uint64_t fresh = chip_hash(*state);
    uint32_t word = 0x11223344, back = 0;
    assert_ok(kerr_poke(*state, kerr_dram_xy(13), 0xf0000000, &word, 4));
    assert_true(chip_hash(*state) != fresh);
    kerr_chip *copy = copy_of(*state);
    assert_true(chip_hash(copy) == chip_hash(*state));
    assert_ok(kerr_peek(copy, kerr_dram_xy(12), 0xf0000000, &back, 4));
    assert_int_equal(back, word);
    kerr_destroy(copy);
    assert_ok(kerr_reset(*state));
    assert_true(chip_hash(*state) == fresh);
}

static void an_ethernet_port_without_a_cable_is_down(void **state)
{
    for (uint32_t i = 0; i < KERR_ETH_TILES; i++) {
        uint32_t word = 0;
        assert_ok(kerr_read(*state, kerr_eth_xy(i), 0x7cc04, &word, 4));
        assert_int_equal(word, 2);
        assert_ok(kerr_read(*state, kerr_eth_xy(i), 0xffb121b0, &word, 4));
        assert_int_equal(word, 0x1800);
    }
}

/* What reset leaves behind and the saved chip had no more must not come back. */
static void a_snapshot_has_no_more_than_was_saved(void **state)
{
    const uint32_t zero = 0;
    assert_ok(kerr_poke(*state, kerr_eth_xy(5), 0x7cc04, &zero, 4));
    for (uint32_t q = 0; q < 3; q++) {
        assert_ok(kerr_poke(*state, kerr_eth_xy(5), 0xffb94018 + q * 0x1000, &zero, 4));
    }
    kerr_chip *copy = copy_of(*state);
    assert_true(chip_hash(copy) == chip_hash(*state));
    uint32_t word = 1;
    assert_ok(kerr_peek(copy, kerr_eth_xy(5), 0x7cc04, &word, 4));
    assert_int_equal(word, 0);
    kerr_destroy(copy);
}

/* As the host boots idle Ethernet firmware: E0 by the host, E1 by E0. */
static void e0_starts_e1(void **state)
{
    const kerr_xy at = kerr_eth_xy(9);
    rvasm *a = rva_new(0x3320);
    rva_li(a, T0, 0xffb14008);
    rva_li(a, T1, 0x9320);
    rva(a, rv_sw(T1, 0, T0));
    rva_li(a, T0, 0xffb121b0);
    rva(a, rv_sw(0, 0, T0));
    rva(a, rv_j(0));
    assert_ok(kerr_write(*state, at, a->base, a->word, a->count * 4));
    free(a);
    a = rva_new(0x9320);
    rva_li(a, T0, 0x590);
    rva_li(a, T1, 0x77);
    rva(a, rv_sw(T1, 0, T0));
    rva(a, rv_j(0));
    assert_ok(kerr_write(*state, at, a->base, a->word, a->count * 4));
    free(a);
    const uint32_t reset_pc = 0x3320, all = 0x47800, e1_only = 0x1000;
    assert_ok(kerr_write(*state, at, 0xffb121b0, &all, 4));
    assert_ok(kerr_write(*state, at, 0xffb14000, &reset_pc, 4));
    assert_ok(kerr_write(*state, at, 0xffb121b0, &e1_only, 4));
    chip_run_until_word(*state, at, 0x590, 0x77, 20000);
}

/* As a DRISC kernel does it: bank to L1, wait, L1 to another place of the bank, wait. */
static void drisc_copies_through_its_dma(void **state)
{
    const kerr_xy at = kerr_dram_xy(14), other = kerr_dram_xy(22); /* (9,2) and (9,10): one bank */
    uint8_t bytes[4096], out[4096];
    for (unsigned i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)(i * 5 + 3);
    }
    assert_ok(kerr_write(*state, other, 0x123400, bytes, sizeof bytes));
    rvasm *a = rva_new(0x11d0);
    rva_li(a, T0, 0xfc000000);
    rva_li(a, T1, 0x123400);
    rva(a, rv_sw(T1, 0x30, T0));
    rva(a, rv_sw(0, 0x34, T0));
    rva_li(a, T1, 0x8000);
    rva(a, rv_sw(T1, 0x38, T0));
    rva_li(a, T1, 0x83000000u | sizeof bytes / 16);
    rva(a, rv_sw(T1, 0x50, T0));
    rva_li(a, T2, 0xff10);
    rva(a, rv_lw(T1, 0, T0));
    rva(a, rv_and(T1, T1, T2));
    rva(a, rv_bne(T1, 0, -8));
    rva_li(a, T1, 0x8000);
    rva(a, rv_sw(T1, 0x10, T0));
    rva_li(a, T1, 0xe0000000);
    rva(a, rv_sw(T1, 0x14, T0));
    rva(a, rv_sw(0, 0x18, T0));
    rva_li(a, T1, 0x10000000u | sizeof bytes / 16);
    rva(a, rv_sw(T1, 0x50, T0));
    rva_li(a, T2, 0xf00f0009);
    rva(a, rv_lw(T1, 0, T0));
    rva(a, rv_and(T1, T1, T2));
    rva(a, rv_bne(T1, 0, -8));
    rva_li(a, T0, 0x100);
    rva(a, rv_sw(T0, 0, T0));
    rva(a, rv_j(0));
    assert_ok(kerr_write(*state, at, UINT64_C(0x2000000000) + a->base, a->word, a->count * 4));
    free(a);
    const uint32_t reset_pc = 0x11d0, zero = 0;
    assert_ok(kerr_write(*state, at, UINT64_C(0x100ffb14000), &reset_pc, 4));
    assert_ok(kerr_write(*state, at, UINT64_C(0x100ffb121b0), &zero, 4));
    assert_ok(kerr_run(*state, 150));
    kerr_chip *copy = copy_of(*state); /* with a transfer under way */
    kerr_chip *chips[] = {*state, copy};
    for (unsigned i = 0; i < 2; i++) {
        assert_ok(kerr_run(chips[i], 2000));
        uint32_t word = 0;
        assert_ok(kerr_core_peek(chips[i], at, KERR_CORE_D, 0x100, &word, 4));
        assert_int_equal(word, 0x100);
        assert_ok(kerr_read(chips[i], other, 0xe0000000, out, sizeof out));
        assert_memory_equal(out, bytes, sizeof out);
    }
    assert_true(chip_hash(copy) == chip_hash(*state));
    kerr_destroy(copy);
}

/* Takes 256 bytes of the bank, adds one to the first word, puts them back, for ever. */
static void load_adder(kerr_chip *chip, kerr_xy at, uint32_t delay)
{
    rvasm *a = rva_new(0x1000);
    rva_li(a, T0, 0xfc000000);
    const uint32_t loop = rva_here(a);
    rva_li(a, T1, 0x5000);
    rva(a, rv_sw(T1, 0x30, T0));
    rva_li(a, T1, 0x8000);
    rva(a, rv_sw(T1, 0x38, T0));
    rva_li(a, T1, 0x83000010u);
    rva(a, rv_sw(T1, 0x50, T0));
    rva(a, rv_lw(T1, 0, T0));
    rva(a, rv_bne(T1, 0, -4));
    rva_li(a, T2, 0x8000);
    rva(a, rv_lw(T1, 0, T2));
    rva(a, rv_addi(T1, T1, 1));
    rva(a, rv_sw(T1, 0, T2));
    rva(a, rv_sw(T2, 0x10, T0));
    rva_li(a, T1, 0x5000);
    rva(a, rv_sw(T1, 0x14, T0));
    rva_li(a, T1, 0x10000010u);
    rva(a, rv_sw(T1, 0x50, T0));
    rva(a, rv_lw(T1, 0, T0));
    rva(a, rv_bne(T1, 0, -4));
    rva_li(a, T1, delay);
    rva(a, rv_addi(T1, T1, -1));
    rva(a, rv_bne(T1, 0, -4));
    rva(a, rv_j(rva_to(a, loop)));
    assert_ok(kerr_write(chip, at, UINT64_C(0x2000000000) + a->base, a->word, a->count * 4));
    free(a);
    assert_ok(kerr_core_start(chip, at, KERR_CORE_D, 0x1000));
}

/* Three cores fight over one place of their bank: who wins must not depend on how the simulator runs. */
static void dma_to_one_bank_does_not_depend_on_windows_threads_or_slices(void **state)
{
    static const struct {
        uint32_t window, threads, slice;
    } how[] = {{0, 1, 30000}, {1, 1, 30000}, {7, 1, 30000}, {0, 3, 30000}, {0, 1, 977}, {13, 2, 333}};
    uint64_t hash = 0;
    uint32_t sum = 0;
    (void)state;
    for (unsigned i = 0; i < sizeof how / sizeof *how; i++) {
        kerr_config config;
        kerr_config_init(&config);
        config.window_cycles = how[i].window;
        config.threads = how[i].threads;
        kerr_chip *chip = chip_new(&config);
        load_adder(chip, (kerr_xy){9, 5}, 3);
        load_adder(chip, (kerr_xy){9, 7}, 41);
        load_adder(chip, (kerr_xy){9, 6}, 17);
        for (uint32_t done = 0; done < 30000;) {
            const uint32_t part = 30000 - done < how[i].slice ? 30000 - done : how[i].slice;
            MUST(chip, kerr_run(chip, part));
            done += part;
        }
        uint32_t word = 0;
        assert_ok(kerr_read(chip, (kerr_xy){9, 6}, 0x5000, &word, 4));
        assert_true(word > 50);
        if (i == 0) {
            hash = chip_hash(chip);
            sum = word;
        }
        assert_int_equal(word, sum);
        assert_true(chip_hash(chip) == hash);
        kerr_destroy(chip);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_tile_with_cores_has_its_place),
        TEST(cores_are_counted_and_named_by_kind),
        TEST(l1_ends_where_the_kind_says),
        TEST(cores_run_park_and_come_back_from_a_snapshot),
        TEST(a_fault_names_the_core),
        TEST(three_tiles_show_one_bank),
        TEST(a_dram_tile_has_four_places),
        TEST(banks_are_in_hash_snapshot_and_reset),
        TEST(an_ethernet_port_without_a_cable_is_down),
        TEST(a_snapshot_has_no_more_than_was_saved),
        TEST(e0_starts_e1),
        TEST(drisc_copies_through_its_dma),
        cmocka_unit_test(dma_to_one_bank_does_not_depend_on_windows_threads_or_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

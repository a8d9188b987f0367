/* SPDX-License-Identifier: Apache-2.0 */
/* Tiles other than Tensix: where they are, what they have, that their cores run. */
#include "../../support/unit.h"

#include <string.h>

typedef struct stream {
    uint8_t *data;
    size_t size, at;
} stream;

static bool put(void *context, const void *data, size_t size)
{
    stream *s = context;
    s->data = realloc(s->data, s->size + size);
    memcpy(s->data + s->size, data, size);
    s->size += size;
    return true;
}
static bool get(void *context, void *data, size_t size)
{
    stream *s = context;
    if (size > s->size - s->at) {
        return false;
    }
    memcpy(data, s->data + s->at, size);
    s->at += size;
    return true;
}
static kerr_chip *copy_of(const kerr_chip *chip)
{
    stream s = {0};
    assert_ok(kerr_save(chip, put, &s));
    kerr_chip *copy = chip_new_one_thread();
    assert_ok(kerr_restore(copy, get, &s));
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

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_tile_with_cores_has_its_place),
        TEST(cores_are_counted_and_named_by_kind),
        TEST(l1_ends_where_the_kind_says),
        TEST(cores_run_park_and_come_back_from_a_snapshot),
        TEST(a_fault_names_the_core),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

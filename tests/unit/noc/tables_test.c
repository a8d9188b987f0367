/* SPDX-License-Identifier: Apache-2.0 */
/* What firmware programs into the NIUs, and where translated coordinates lead (manual NoC/Coordinates). */
#include "../../support/unit.h"

#include "noc/tables.h"

static kerr_harvesting product(kerr_product which)
{
    kerr_harvesting h;
    assert_ok(kerr_harvesting_of(which, &h));
    return h;
}

/* Where (x, y) leads on a NoC, in NoC 0 coordinates. */
static noc_node leads_to(const kerr_harvesting *h, unsigned noc, unsigned x, unsigned y)
{
    uint32_t cfg[NOC_CFG_WORDS];
    noc_tables(h, noc_node_at(2, 0), noc, cfg);
    const noc_raw_xy raw = noc_find(cfg, x, y);
    assert_true(raw.x < NOC_GRID_X && raw.y < NOC_GRID_Y);
    return noc_node_at(noc_raw_x(noc, raw.x), noc_raw_y(noc, raw.y));
}
static void assert_leads(const kerr_harvesting *h, unsigned x, unsigned y, unsigned to_x, unsigned to_y)
{
    for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
        assert_int_equal(leads_to(h, noc, x, y), noc_node_at(to_x, to_y));
    }
}

static void tensix_names_of_a_whole_chip_are_noc_0_coordinates(void **state)
{
    (void)state;
    const kerr_harvesting h = product(KERR_P150);
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        assert_leads(&h, at.x, at.y, at.x, at.y);
    }
}
static void dram_banks_are_at_17_and_18(void **state)
{
    (void)state;
    const kerr_harvesting h = product(KERR_P150);
    static const uint8_t rows[12] = {0, 1, 11, 2, 10, 3, 9, 4, 8, 5, 7, 6};
    for (unsigned i = 0; i < 12; i++) {
        assert_leads(&h, 17, 12 + i, 0, rows[i]);
        assert_leads(&h, 18, 12 + i, 9, rows[i]);
    }
}
static void a_bank_that_is_off_is_the_last_of_18(void **state)
{
    (void)state;
    kerr_harvesting h = product(KERR_P150);
    h.dram = 1 << 2; /* the manual's example: D2, in the west */
    assert_leads(&h, 18, 12, 0, 0);
    assert_leads(&h, 18, 18, 0, 5);
    assert_leads(&h, 18, 21, 0, 9);
    assert_leads(&h, 18, 22, 0, 4);
    assert_leads(&h, 18, 23, 0, 8);
    assert_leads(&h, 17, 21, 9, 9);
    h.dram = 1 << 4;
    assert_leads(&h, 18, 21, 9, 0);
    assert_leads(&h, 18, 12, 9, 2);
    assert_leads(&h, 17, 12, 0, 2);
}
static void the_host_is_at_19_24(void **state)
{
    (void)state;
    const kerr_harvesting p150 = product(KERR_P150), p100 = product(KERR_P100);
    assert_leads(&p150, 19, 24, 2, 0);
    assert_leads(&p100, 19, 24, 11, 0);
}
static void ethernet_is_at_20_25(void **state)
{
    (void)state;
    kerr_harvesting h = product(KERR_P150);
    static const uint8_t columns[12] = {1, 16, 2, 15, 3, 4, 13, 12, 6, 11, 7, 10}; /* not 14 and 5 */
    for (unsigned i = 0; i < 12; i++) {
        assert_leads(&h, 20 + i, 25, columns[i], 1);
    }
    h.eth = 0x3000; /* as hosts take a simulator to be */
    assert_leads(&h, 20, 25, 1, 1);
    assert_leads(&h, 31, 25, 11, 1);
    h.eth = 0x3FFF;
    assert_leads(&h, 25, 25, 14, 1); /* firmware leaves out 6 and 9 */
    assert_leads(&h, 26, 25, 13, 1);
    h.eth = 1 << 4 | 1 << 9; /* others off: 3 and 12 */
    assert_leads(&h, 24, 25, 14, 1);
    assert_leads(&h, 27, 25, 5, 1);
    assert_leads(&h, 28, 25, 6, 1);
}
static void management_is_in_column_8(void **state)
{
    (void)state;
    const kerr_harvesting h = product(KERR_P150);
    static const uint8_t rows[4] = {3, 9, 5, 7};
    for (unsigned i = 0; i < 4; i++) {
        assert_leads(&h, 8, 26 + i, 8, rows[i]);
    }
    assert_leads(&h, 8, 30, 8, 2);
    assert_leads(&h, 8, 0, 8, 0);
}
static void columns_that_are_off_go_to_the_far_end(void **state)
{
    (void)state;
    kerr_harvesting h = product(KERR_P150);
    h.tensix_columns = 1 << 2 | 1 << 13; /* x 2 and 10 */
    static const uint8_t on[12] = {1, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15, 16};
    for (unsigned i = 0; i < 12; i++) {
        assert_leads(&h, i < 7 ? 1 + i : 3 + i, 5, on[i], 5);
    }
    assert_leads(&h, 16, 5, 2, 5);
    assert_leads(&h, 15, 5, 10, 5);
    assert_leads(&h, 8, 5, 8, 5);
    assert_leads(&h, 9, 5, 9, 5);
    assert_int_equal(leads_to(&h, 0, 2, 1), noc_node_at(2, 1)); /* rows 0 and 1: x is not translated */
    assert_int_equal(leads_to(&h, 1, 2, 1), noc_node_at(14, 1));
}
static void our_p100_keeps_the_names_of_a_whole_chip(void **state)
{
    (void)state;
    const kerr_harvesting h = product(KERR_P100);
    unsigned on = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const kerr_xy at = kerr_tensix_xy(i);
        if (!noc_is_off(&h, noc_node_at(at.x, at.y))) {
            assert_leads(&h, at.x, at.y, at.x, at.y);
            on++;
        }
    }
    assert_int_equal(on, 120);
    assert_true(noc_is_off(&h, noc_node_at(9, 5)) && noc_is_off(&h, noc_node_at(9, 7)));
    assert_false(noc_is_off(&h, noc_node_at(0, 5)));
}
/* Each node that has a translated name finds it in NOC_ID_LOGICAL, and that name leads back to it. */
static void logical_names_lead_back(void **state)
{
    (void)state;
    kerr_harvesting shapes[4] = {product(KERR_P150), product(KERR_P100), product(KERR_UNHARVESTED)};
    shapes[3] = (kerr_harvesting){.tensix_columns = 0x2041, .eth = 0x0250, .dram = 2, .pcie = 1};
    for (unsigned s = 0; s < 4; s++) {
        for (unsigned node = 0; node < NOC_NODES; node++) {
            const unsigned x = node % NOC_GRID_X, y = node / NOC_GRID_X;
            const kerr_tile_kind kind = kerr_tile_kind_at((kerr_xy){(uint8_t)x, (uint8_t)y});
            uint32_t cfg[NOC_COUNT][NOC_CFG_WORDS];
            for (unsigned noc = 0; noc < NOC_COUNT; noc++) {
                noc_tables(&shapes[s], (noc_node)node, noc, cfg[noc]);
                const uint32_t name = cfg[noc][NOC_CFG_NOC_ID_LOGICAL];
                assert_int_equal(name, cfg[0][NOC_CFG_NOC_ID_LOGICAL]);
                if (kind != KERR_TILE_NONE && (name >> 6 & 63) >= 2) {
                    assert_int_equal(leads_to(&shapes[s], noc, name & 63, name >> 6 & 63), node);
                }
                const bool off = cfg[noc][NOC_CFG_NIU_CFG_0] & NIU_CFG_0_TILE_CLK_OFF;
                assert_int_equal(off, noc_is_off(&shapes[s], (noc_node)node));
            }
        }
    }
}
static void only_tensix_tiles_that_are_on_take_broadcasts(void **state)
{
    (void)state;
    kerr_harvesting h = product(KERR_P150);
    uint32_t cfg[NOC_CFG_WORDS];
    noc_tables(&h, 0, 0, cfg);
    assert_int_equal(cfg[NOC_CFG_ROUTER_CFG_1], 0x301);
    assert_int_equal(cfg[NOC_CFG_ROUTER_CFG_3], 0x3);
    noc_tables(&h, 0, 1, cfg);
    assert_int_equal(cfg[NOC_CFG_ROUTER_CFG_1], 0x10180);
    assert_int_equal(cfg[NOC_CFG_ROUTER_CFG_3], 0xC00);
    h.tensix_columns = 1 << 1; /* x 16 */
    noc_tables(&h, 0, 0, cfg);
    assert_int_equal(cfg[NOC_CFG_ROUTER_CFG_1], 0x10301);
    noc_tables(&h, 0, 1, cfg);
    assert_int_equal(cfg[NOC_CFG_ROUTER_CFG_1], 0x10181);
}
static void without_translation_coordinates_stay(void **state)
{
    (void)state;
    const kerr_harvesting h = product(KERR_P150);
    uint32_t cfg[NOC_CFG_WORDS];
    noc_tables(&h, 0, 0, cfg);
    cfg[NOC_CFG_NIU_CFG_0] = 0;
    const noc_raw_xy raw = noc_find(cfg, 17, 12);
    assert_true(raw.x == 17 && raw.y == 12);
}
static void shapes_by_name(void **state)
{
    (void)state;
    kerr_harvesting h;
    assert_true(kerr_harvesting_by_name("p150", &h) && h.eth == 0x120 && h.pcie == 0 && h.tensix_columns == 0);
    assert_true(kerr_harvesting_by_name("p100", &h) && h.eth == 0x3FFF && h.pcie == 1 && h.dram == 0x80);
    assert_true(kerr_harvesting_by_name("full", &h) && h.eth == 0);
    assert_true(kerr_harvesting_by_name("p150,tensix=0x3000,dram=8,pcie=1", &h));
    assert_true(h.tensix_columns == 0x3000 && h.dram == 8 && h.pcie == 1 && h.eth == 0x120);
    static const char *const bad[] = {
        "",           "p151",          "p150,",       "p150,tensix=",     "p150,tensix=0x4000",
        "p150,eth=x", "p150 dram=1",   "p150,dram=3", "p150,pcie=2",      "p150,tensix=0xff",
        "P150",       "p150,l2cpu=16", "p1500",       "p150,dram=1pcie=1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(kerr_harvesting_by_name(bad[i], &h));
    }
    assert_false(kerr_harvesting_by_name(NULL, &h));
    kerr_config config;
    kerr_config_init(&config);
    config.harvesting.dram = 3;
    kerr_chip *chip;
    assert_int_equal(kerr_create(&config, &chip), KERR_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tensix_names_of_a_whole_chip_are_noc_0_coordinates),
        cmocka_unit_test(dram_banks_are_at_17_and_18),
        cmocka_unit_test(a_bank_that_is_off_is_the_last_of_18),
        cmocka_unit_test(the_host_is_at_19_24),
        cmocka_unit_test(ethernet_is_at_20_25),
        cmocka_unit_test(management_is_in_column_8),
        cmocka_unit_test(columns_that_are_off_go_to_the_far_end),
        cmocka_unit_test(our_p100_keeps_the_names_of_a_whole_chip),
        cmocka_unit_test(logical_names_lead_back),
        cmocka_unit_test(only_tensix_tiles_that_are_on_take_broadcasts),
        cmocka_unit_test(without_translation_coordinates_stay),
        cmocka_unit_test(shapes_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/coords.c src/noc/grid.c */
/* Coordinate translation against the manual's algorithm, written down a second time as the page has it, and the
 * identification of every kind of node. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "noc/coords.h"
#include "noc/packet.h"
#include "noc_regs.h"

enum { WORDS = 32 };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

/* parse_table of the page. */
static void parse(const uint32_t *words, unsigned *result)
{
    unsigned n = 0;
    for (unsigned w = 0; w < 6; w++) {
        uint32_t a = words[w];
        for (unsigned i = 0; i < 6 && n < 32; i++) {
            result[n++] = a & 0x1f;
            a >>= 5;
        }
    }
}

static noc_raw_xy page_model(const uint32_t *cfg, unsigned x, unsigned y)
{
    unsigned x_table[32], y_table[32], ddr_table[32];
    parse(cfg + (NOC_X_ID_TRANSLATE_TABLE_0 - NIU_CFG_0) / 4, x_table);
    parse(cfg + (NOC_Y_ID_TRANSLATE_TABLE_0 - NIU_CFG_0) / 4, y_table);
    parse(cfg + (DDR_COORD_TRANSLATE_TABLE_0 - NIU_CFG_0) / 4, ddr_table);
    bool ddr_x[32] = {false};
    uint32_t table5 = cfg[(DDR_COORD_TRANSLATE_TABLE_5 - NIU_CFG_0) / 4];
    ddr_x[9] = table5 & 1u << 10;
    ddr_x[0] = table5 & 1u << 11;
    unsigned x31 = x & 31, y31 = y & 31;
    if (cfg[(DDR_COORD_TRANSLATE_COL_SWAP - NIU_CFG_0) / 4] & 1u << y31 && ddr_x[x31 ^ 9])
        x = x31 ^ 9;
    else if (!(cfg[(NOC_ID_TRANSLATE_ROW_MASK - NIU_CFG_0) / 4] & 1u << y31))
        x = x_table[x31];
    if (ddr_x[x31])
        y = ddr_table[y31];
    else if (!(cfg[(NOC_ID_TRANSLATE_COL_MASK - NIU_CFG_0) / 4] & 1u << x31))
        y = y_table[y31];
    return (noc_raw_xy){.x = (uint8_t)x, .y = (uint8_t)y};
}

static void translation_is_the_manuals_algorithm(void **state)
{
    (void)state;
    uint64_t random = 1;
    for (unsigned round = 0; round < 200; round++) {
        uint32_t cfg[WORDS];
        for (unsigned i = 0; i < WORDS; i++)
            cfg[i] = next_random(&random);
        for (unsigned x = 0; x < 64; x++) {
            for (unsigned y = 0; y < 64; y++) {
                noc_raw_xy ours = noc_translate(cfg, x, y), page = page_model(cfg, x, y);
                assert_int_equal(ours.x, page.x);
                assert_int_equal(ours.y, page.y);
            }
        }
    }
}

static void a_masked_row_and_column_stay_as_they_are(void **state)
{
    (void)state;
    uint32_t cfg[WORDS] = {0};
    cfg[(NOC_ID_TRANSLATE_ROW_MASK - NIU_CFG_0) / 4] = 1u << 1;
    cfg[(NOC_ID_TRANSLATE_COL_MASK - NIU_CFG_0) / 4] = 1u << 5;
    noc_raw_xy to = noc_translate(cfg, 5, 1);
    assert_int_equal(to.x, 5);
    assert_int_equal(to.y, 1);
    to = noc_translate(cfg, 6, 2); /* all tables are zero */
    assert_int_equal(to.x, 0);
    assert_int_equal(to.y, 0);
}

static void node_id_has_position_size_and_routing_order(void **state)
{
    (void)state;
    uint32_t size = 17u << 12 | 12u << 19;
    assert_int_equal(noc_node_id(0, 3, 4), 3 | 4 << 6 | size | 1u << 28);
    assert_int_equal(noc_node_id(1, 3, 4), 13 | 7 << 6 | size); /* NoC 1 counts from the other corner */
    assert_int_equal(noc_id_logical(0, 3, 4), 3 | 4 << 6);
    assert_int_equal(noc_id_logical(1, 3, 4), 13 | 7 << 6);
}

static void endpoint_id_says_what_the_node_is(void **state)
{
    (void)state;
    static const struct {
        uint8_t x, y;
        uint32_t id;
    } nodes[] = {
        {1, 2, 0x010000},  {16, 11, 0x01008B}, {1, 1, 0x020000},  {16, 1, 0x020001}, {7, 1, 0x02000C},
        {10, 1, 0x02000D}, {2, 0, 0x030002},   {11, 0, 0x030002}, {8, 0, 0x050000},  {0, 11, 0x080000},
        {0, 3, 0x080001},  {0, 8, 0x080002},   {0, 6, 0x080003},  {9, 0, 0x080004},  {9, 7, 0x080007},
        {8, 3, 0x090100},  {8, 9, 0x090103},   {8, 2, 0x0A0000},  {1, 0, 0},
    };
    for (unsigned i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        assert_int_equal(noc_endpoint_id(0, nodes[i].x, nodes[i].y), nodes[i].id);
        assert_int_equal(noc_endpoint_id(1, nodes[i].x, nodes[i].y), nodes[i].id | 1u << 24);
    }
}

static void tensix_endpoint_ids_are_distinct_and_below_140(void **state)
{
    (void)state;
    bool seen[140] = {false};
    for (uint8_t y = 2; y < NOC_GRID_Y; y++) {
        for (uint8_t x = 0; x < NOC_GRID_X; x++) {
            uint32_t id = noc_endpoint_id(0, x, y);
            if (id >> 8 != 0x0100)
                continue;
            assert_in_range(id & 0xFF, 0, 139);
            assert_false(seen[id & 0xFF]);
            seen[id & 0xFF] = true;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(translation_is_the_manuals_algorithm),
        cmocka_unit_test(a_masked_row_and_column_stay_as_they_are),
        cmocka_unit_test(node_id_has_position_size_and_routing_order),
        cmocka_unit_test(endpoint_id_says_what_the_node_is),
        cmocka_unit_test(tensix_endpoint_ids_are_distinct_and_below_140),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

static void power_on_is_nearly_all_zero(void **state)
{
    struct tile *tile = *state;
    const uint8_t *bytes = (const uint8_t *)&tile->dev;
    unsigned nonzero = 0;
    for (size_t i = 0; i < sizeof tile->dev; i++)
        nonzero += bytes[i] != 0;
    assert_true(nonzero < 80);
}

static void every_register_of_the_table_has_its_reset_value(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
#define X(name, address, count, stride, access, reset, model)                                                          \
    assert_true(devices_peek(tile, T0, address, &value, 0));                                                           \
    assert_int_equal(value, reset);                                                                                    \
    assert_string_equal(devices_register_name(address), name);                                                         \
    assert_string_equal(devices_register_name((address) + ((count)-1) * (stride) + 3), name);
    TILE_REGS_TDMA(X)
    TILE_REGS_DEBUG(X)
    TILE_REGS_PIC(X)
    TILE_REGS_MOP_CFG(X)
    TILE_REGS_GPR(X)
    TILE_REGS_PC_BUF(X)
    TILE_REGS_MAILBOX(X)
    TILE_REGS_CFG(X)
#undef X
    assert_null(devices_register_name(0));
    assert_null(devices_register_name(0xFFB12024));
}

static void only_the_named_clients_reach_a_region(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
#define X(name, first, last, clients)                                                                                  \
    for (unsigned client = 0; client < CLIENT_COUNT; client++)                                                         \
        if (!((clients) >> (client == CLIENT_TENSIX ? (unsigned)B : client) & 1) ||                                    \
            (client == CLIENT_TENSIX && (first) >= REGFILE_BASE)) {                                                    \
            assert_int_equal(try_rd(tile, client, first), DEV_NOTHING);                                                \
            assert_int_equal(try_wr(tile, client, (last) & ~3u, 0), DEV_NOTHING);                                      \
            assert_int_equal(devices_write(tile, client, first, 1, 0, 100), DEV_NOTHING);                              \
            assert_false(devices_peek(tile, client, first, &value, 100));                                              \
            assert_false(devices_poke(tile, client, first, 0, 100));                                                   \
        }
    TILE_REGIONS(X)
#undef X
    assert_int_equal(tile->faults, 0);
}

static void nothing_is_outside_the_regions(void **state)
{
    static const uint32_t addresses[] = {0x180000,   0xFFB0F000, 0xFFB10000, 0xFFB1E000, 0xFFB80024,
                                         0xFFB90000, 0xFFBD7FFC, 0xFFBE0000, 0xFFE01000, 0xFFE70000,
                                         0xFFEB0000, 0xFFED0000, 0xFFF00000, 0xFFFFFFFC, 0x40000000};
    struct tile *tile = *state;
    for (unsigned client = 0; client < CLIENT_COUNT; client++)
        for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++) {
            assert_int_equal(try_rd(tile, client, addresses[i]), DEV_NOTHING);
            assert_int_equal(try_wr(tile, client, addresses[i], 0), DEV_NOTHING);
        }
}

static void peek_changes_nothing_anywhere(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISC_PIC_SW_INT, 5);
    wr(tile, B, 0xFFEC1000, 6);
    wr(tile, B, 0xFFE80000, 7);
    struct devices before = tile->dev;
    unsigned changed = tile->changed;
    uint32_t value;
    for (unsigned client = 0; client < CLIENT_COUNT; client++)
        for (uint32_t page = 0xFFB10; page <= 0xFFEFF; page++)
            for (uint32_t offset = 0; offset < 0x260; offset += 4)
                devices_peek(tile, client, page << 12 | offset, &value, 12345);
    assert_memory_equal(&before, &tile->dev, sizeof before);
    assert_int_equal(tile->changed, changed);
    assert_int_equal(tile->faults, 0);
}

static void poke_writes_storage_without_effects(void **state)
{
    struct tile *tile = *state;
    assert_true(devices_poke(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0, 0, 100));
    assert_int_equal(tile->core[B].resets, 0);
    assert_int_equal(pk(tile, NOC, RISCV_DEBUG_REG_SOFT_RESET_0), 0);
    assert_true(devices_poke(tile, T0, 0xFFE80020, 9, 100));
    assert_int_equal(pk(tile, T0, 0xFFE80020), 9);
    assert_true(devices_poke(tile, B, 0xFFEF0000 + 4 * 185, 0x1F, 100));
    assert_int_equal(tile->invalidated, 0);
    assert_true(devices_poke(tile, B, 0xFFEF0A80 + 4, 0x12345, 100));
    assert_int_equal(pk(tile, B, 0xFFEF0A80 + 4), 0x2345);
    assert_false(devices_poke(tile, B, 0xFFEC0000, 1, 100));
    assert_int_equal(tile->changed, 0);
}

static void narrow_loads_take_bytes_out_of_the_word(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    wr(tile, B, RISCV_DEBUG_REG_CG_CTRL_EN, 0x11223344);
    assert_int_equal(devices_read(tile, B, RISCV_DEBUG_REG_CG_CTRL_EN + 3, 1, 100, &value), DEV_OK);
    assert_int_equal(value, 0x11);
    assert_int_equal(devices_read(tile, B, RISCV_DEBUG_REG_CG_CTRL_EN + 2, 2, 100, &value), DEV_OK);
    assert_int_equal(value, 0x1122);
}

static void narrow_stores_are_unknown(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(devices_write(tile, B, RISCV_DEBUG_REG_CG_CTRL_EN, 1, 1, 100), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_non_null(strstr(tile->fault_text, "RISCV_DEBUG_REG_CG_CTRL_EN"));
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_CG_CTRL_EN), 0);
}

static void load_latencies_are_the_manuals(void **state)
{
    (void)state;
    static const struct {
        uint32_t address;
        unsigned cycles;
    } expect[] = {{0xFFEC0000, 3}, {0xFFE80000, 3}, {0xFFE80004, 3}, {0xFFE80020, 3}, {0xFFE90000, 3},
                  {0xFFE00000, 4}, {0xFFEF0000, 4}, {0xFFB11014, 4}, {0xFFB121F0, 7}, {0xFFB13000, 7},
                  {0xFFB13138, 7}, {0xFFB20044, 7}, {0xFFB30044, 7}, {0xFFB40000, 7}};
    for (unsigned i = 0; i < sizeof expect / sizeof *expect; i++)
        assert_int_equal(devices_load_latency(expect[i].address), expect[i].cycles);
}

static void a_write_to_what_can_be_polled_is_announced(void **state)
{
    static const uint32_t addresses[] = {RISCV_DEBUG_REG_CG_CTRL_EN, RISC_PIC_SW_INT, 0xFFE00000, 0xFFEF0000,
                                         RISCV_TDMA_REG_CLK_GATE_EN, 0xFFE80020};
    struct tile *tile = *state;
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        unsigned changed = tile->changed;
        assert_true(devices_is_steady(addresses[i]));
        wr(tile, T0, addresses[i], 1);
        assert_true(tile->changed > changed);
    }
}

static void what_time_or_reading_changes_is_not_steady(void **state)
{
    static const uint32_t addresses[] = {0xFFB121F0, 0xFFB121F4, 0xFFB121F8, 0xFFB121E0, 0xFFB12100, 0xFFB1205C,
                                         0xFFB13138, 0xFFEC0000, 0xFFE80000, 0xFFE80004, 0xFFE40000, 0xFFB20044};
    (void)state;
    for (unsigned i = 0; i < sizeof addresses / sizeof *addresses; i++)
        assert_false(devices_is_steady(addresses[i]));
    assert_true(devices_is_steady(0xFFEC0004)); /* the query of a mailbox */
}

/* For the sanitizers: no access of any client, at any time, leaves the state. */
static void random_accesses_stay_inside(void **state)
{
    static const uint32_t firsts[] = {
#define X(name, first, last, clients) first,
        TILE_REGIONS(X)
#undef X
    };
    struct tile *tile = *state;
    uint64_t seed = 1, cycle = 0;
    for (unsigned i = 0; i < 400000; i++) {
        seed = seed * 6364136223846793005ull + 1442695040888963407ull;
        uint32_t random = (uint32_t)(seed >> 32), value = (uint32_t)(seed >> 16);
        unsigned size = 1u << (random >> 30) % 3, client = random % CLIENT_COUNT;
        uint32_t address =
            firsts[(random >> 8) % (sizeof firsts / sizeof *firsts)] + (random >> 16 & 0x3FFF) / (1 + (random & 15));
        if (random >> 24 & 1)
            value >>= random & 31;
        address &= ~(size - 1);
        cycle += random & 7;
        if (devices_next_event(&tile->dev) <= cycle)
            devices_event(tile, cycle);
        switch (random >> 4 & 7) {
        case 0: devices_read(tile, client, address, size, cycle, &value); break;
        case 1: devices_peek(tile, client, address, &value, cycle); break;
        case 2: devices_poke(tile, client, address, value, cycle); break;
        case 3: tag_search_read(tile, address & 0x1FFFFF, cycle, &value); break;
        default: devices_write(tile, client, address, size, value, cycle); break;
        }
    }
    assert_true(tile->faults > 0);
}

static void dst_is_for_t_cores_only(void **state)
{
    struct tile *tile = *state;
    assert_int_equal(try_rd(tile, T0, 0xFFBD8000), DEV_OK);
    assert_int_equal(try_rd(tile, B, 0xFFBD8000), DEV_NOTHING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(power_on_is_nearly_all_zero),
        CASE(every_register_of_the_table_has_its_reset_value),
        CASE(only_the_named_clients_reach_a_region),
        CASE(nothing_is_outside_the_regions),
        CASE(peek_changes_nothing_anywhere),
        CASE(poke_writes_storage_without_effects),
        CASE(narrow_loads_take_bytes_out_of_the_word),
        CASE(narrow_stores_are_unknown),
        CASE(load_latencies_are_the_manuals),
        CASE(a_write_to_what_can_be_polled_is_announced),
        CASE(what_time_or_reading_changes_is_not_steady),
        CASE(random_accesses_stay_inside),
        CASE(dst_is_for_t_cores_only),
    };
    return RUN(tests);
}

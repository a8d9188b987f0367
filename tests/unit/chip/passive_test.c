/* SPDX-License-Identifier: Apache-2.0 */
/* Nodes without cores: what answers at which address, what is a fault, what survives a snapshot.  The ARC's messages
 * and host memory through the card are tests/abi/arc.c and dma.c. */
#include "../../support/saved.h"
#include "../../support/unit.h"

#include "chip/chip.h"
#include "kerr_findings.h"

#include <stdlib.h>
#include <string.h>

#define NIU UINT64_C(0xFFFFFFFFFF000000)
#define ARC_APB UINT64_C(0x80000000)
#define ARC_CSM UINT64_C(0x10000000)
#define L2CPU_PERIPHERALS UINT64_C(0xFFFFF7FEFFF00000)
#define HOST UINT64_C(0x1000000000000000)
enum { L2CPU_RESET = 0x30014, SCRATCH_RAM = 0x30400 };

static const kerr_xy arc = {8, 0}, pcie0 = {2, 0}, pcie1 = {11, 0}, l2cpu = {8, 3}, security = {8, 2}, bare = {8, 1};

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
static uint32_t read32(kerr_chip *chip, kerr_xy at, uint64_t address)
{
    uint32_t value = 0;
    assert_ok(kerr_read(chip, at, address, &value, 4));
    return value;
}
static void write32(kerr_chip *chip, kerr_xy at, uint64_t address, uint32_t value)
{
    assert_ok(kerr_write(chip, at, address, &value, 4));
}
static uint32_t faults(const kerr_chip *chip)
{
    uint32_t count = 0;
    assert_ok(kerr_fault_count(chip, &count));
    return count;
}
/* The only fault, which stopped the chip. */
static void assert_fault(const kerr_chip *chip, kerr_fault_kind kind, const char *words)
{
    kerr_fault fault;
    assert_int_equal(faults(chip), 1);
    assert_ok(kerr_fault_get(chip, 0, &fault));
    assert_int_equal(fault.kind, kind);
    assert_int_equal(fault.core, -1);
    assert_true(fault.stopping);
    assert_non_null(strstr(fault.text, words));
}

/* A read: all ones, the same as a note, once, and the chip goes on. */
static void assert_note(kerr_chip *chip, kerr_xy at, uint64_t address, kerr_fault_kind kind, const char *words)
{
    for (unsigned i = 0; i < 2; i++) {
        uint32_t value = 0;
        kerr_fault fault;
        kerr_finding finding;
        assert_ok(kerr_read(chip, at, address, &value, 4));
        assert_int_equal(value, UINT32_MAX);
        assert_int_equal(faults(chip), 1);
        assert_ok(kerr_fault_get(chip, 0, &fault));
        assert_int_equal(fault.kind, kind);
        assert_int_equal(fault.asker, KERR_ASKER_HOST_READ);
        assert_false(fault.stopping);
        assert_non_null(strstr(fault.text, words));
        assert_ok(kerr_finding_get(chip, 0, &finding));
        assert_int_equal(finding.severity, KERR_SEVERITY_NOTE);
        assert_int_equal(finding.access.actor, KERR_ACTOR_HOST);
        assert_ok(kerr_run(chip, 3 * STOP_GRID));
    }
}

/* ---- NIUs --------------------------------------------------------------------------------------------------------- */

static void every_node_without_cores_has_niu_registers(void **state)
{
    kerr_chip *chip = *state;
    unsigned nodes = 0;
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            const kerr_xy at = {x, y};
            const kerr_tile_kind kind = kerr_tile_kind_at(at);
            assert_int_equal(passive_index(noc_node_at(x, y)) >= 0, kerr_tile_cores(kind) == 0);
            if (kerr_tile_cores(kind) != 0) {
                continue;
            }
            nodes++;
            const uint64_t base = kind == KERR_TILE_NONE ? 0xFF000000 : NIU;
            const uint32_t id = x | (uint32_t)y << 6 | 17 << 12 | 12 << 19 | 1 << 28;
            assert_int_equal(read32(chip, at, base + 0x44), id);
            assert_int_equal(read32(chip, at, base + 0xB20044), id);
            assert_int_equal(read32(chip, at, base + 0xB30844), id);
            uint32_t value;
            passive_fault fault;
            assert_int_equal(passive_read(chip, noc_node_at(x, y), 1, base + 0x44, &value, 4, 0, &fault), PASSIVE_OK);
            assert_int_equal(value, (16 - x) | (11 - y) << 6 | 17 << 12 | 12 << 19);
            assert_true(read32(chip, at, base + 0x100) >> 14 & 1);
        }
    }
    assert_int_equal(nodes, PASSIVE_NODES);
}
static void endpoint_ids_name_the_kind(void **state)
{
    kerr_chip *chip = *state;
    assert_int_equal(read32(chip, arc, NIU + 0x48), 0x050000);
    assert_int_equal(read32(chip, pcie0, NIU + 0x48), 0x030002);
    assert_int_equal(read32(chip, pcie1, NIU + 0x48), 0x030002);
    assert_int_equal(read32(chip, security, NIU + 0x48), 0x0A0000);
    assert_int_equal(read32(chip, (kerr_xy){8, 9}, NIU + 0x48) >> 8, 0x0901);
}
static void niu_configuration_keeps_what_is_written(void **state)
{
    kerr_chip *chip = *state;
    write32(chip, security, NIU + 0x108, 0x1234);
    assert_int_equal(read32(chip, security, NIU + 0xB20108), 0x1234);
    write32(chip, security, NIU + 0x404, 0x77);
    assert_int_equal(read32(chip, security, NIU + 0x404), 0x77);
    write32(chip, security, NIU + 0x44, 0); /* read only */
    assert_int_equal(read32(chip, security, NIU + 0x44) & 0x3F, 8);
    write32(chip, arc, ARC_APB + 0x50100, 0x4001); /* the ARC sees its own */
    assert_int_equal(read32(chip, arc, NIU + 0x100), 0x4001);
}
static void no_requests_start_there(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t one = 1;
    assert_int_equal(kerr_write(chip, pcie0, NIU + 0x40, &one, 4), KERR_FAULTED);
    assert_fault(chip, KERR_FAULT_UNDEFINED, "request initiator of node 2-0");
}

/* ---- Nothing there -------------------------------------------------------------------------------------------------- */

static void nothing_there_is_only_a_status(void **state)
{
    kerr_chip *chip = *state;
    static const struct {
        kerr_xy at;
        uint64_t address;
        uint32_t size;
    } bad[] = {
        {{8, 1}, 0, 4},
        {{8, 1}, NIU + 0x44, 4}, /* a bare router has 32 bits of addresses */
        {{1, 0}, 0xFF002000, 4},
        {{8, 0}, NIU + 0x45, 4},
        {{8, 0}, NIU + 0x44, 3},
        {{8, 0}, NIU + 0x700, 4},
        {{8, 0}, 0x20000000, 4},
        {{8, 0}, ARC_CSM + ARC_CSM_BYTES - 2, 4},
        {{8, 0}, ARC_APB + 0x30062, 4},
        {{11, 0}, HOST, 4}, /* the host is on the other one */
        {{2, 0}, UINT64_C(0x2000000000000000), 4},
        {{2, 0}, UINT64_C(0x13FFFFFFFFFFFFFE), 4}, /* across two windows */
        {{8, 3}, L2CPU_PERIPHERALS + 0x11000, 4},
        {{8, 3}, L2CPU_PERIPHERALS + 2, 4},
    };
    const uint64_t before = chip_hash(chip);
    uint8_t bytes[4] = {0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(kerr_write(chip, bad[i].at, bad[i].address, bytes, bad[i].size), KERR_BAD_ADDRESS);
        assert_int_equal(kerr_read(chip, bad[i].at, bad[i].address, bytes, bad[i].size), KERR_BAD_ADDRESS);
        assert_int_equal(bytes[0], 0xFF);
        assert_int_equal(kerr_peek(chip, bad[i].at, bad[i].address, bytes, bad[i].size), KERR_BAD_ADDRESS);
    }
    assert_int_equal(faults(chip), 0);
    assert_true(chip_hash(chip) == before);
    assert_int_equal(kerr_poke(chip, arc, ARC_CSM, bytes, 4), KERR_BAD_TILE);
    assert_int_equal(kerr_read(chip, bare, 0xFF000044, NULL, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_peek(chip, bare, 0xFF000044, NULL, 4), KERR_BAD_ARGUMENT);
}
static void the_security_tile_is_a_closed_book(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t value = 0;
    uint64_t cycle;
    assert_note(chip, security, 0x1000, KERR_FAULT_UNKNOWN, "security tile 8-2");
    assert_ok(kerr_reset(chip));
    assert_int_equal(kerr_write(chip, security, 0x1000, &value, 4), KERR_FAULTED); /* the host does something there */
    assert_fault(chip, KERR_FAULT_UNKNOWN, "security tile 8-2");
    assert_int_equal(kerr_run(chip, 100000), KERR_FAULTED);
    assert_ok(kerr_cycle(chip, &cycle));
    assert_int_equal(cycle, STOP_GRID);
}
static void a_policy_that_goes_on_gives_all_ones(void **state)
{
    kerr_chip *chip = *state;
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNKNOWN, KERR_POLICY_GO_ON));
    uint32_t value = 0;
    assert_ok(kerr_read(chip, security, 0x1000, &value, 4));
    assert_int_equal(value, UINT32_MAX);
    assert_int_equal(faults(chip), 1);
    assert_ok(kerr_run(chip, 100000));
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNKNOWN, KERR_POLICY_IGNORE));
    assert_ok(kerr_read(chip, security, 0x1000, &value, 4));
    assert_int_equal(faults(chip), 1);
}

/* ---- ARC and L2CPU ---------------------------------------------------------------------------------------------------- */

static void arc_scratch_and_csm_keep_what_is_written(void **state)
{
    kerr_chip *chip = *state;
    write32(chip, arc, ARC_APB + SCRATCH_RAM + 4 * 63, 0xABCD);
    assert_int_equal(read32(chip, arc, ARC_APB + SCRATCH_RAM + 4 * 63), 0xABCD);
    uint8_t bytes[3] = {1, 2, 3}, back[3];
    assert_ok(kerr_write(chip, arc, ARC_CSM + 0x7FFFD, bytes, 3));
    assert_ok(kerr_read(chip, arc, ARC_CSM + 0x7FFFD, back, 3));
    assert_memory_equal(bytes, back, 3);
}
static void the_reference_clock_runs_at_50_mhz(void **state)
{
    kerr_chip *chip = *state;
    assert_ok(kerr_run(chip, 1350));
    assert_int_equal(read32(chip, arc, ARC_APB + 0x300E0), 50);
}
static void an_x280_cannot_be_let_go(void **state)
{
    kerr_chip *chip = *state;
    assert_int_equal(read32(chip, arc, ARC_APB + L2CPU_RESET), 0xF);
    write32(chip, arc, ARC_APB + L2CPU_RESET, 0xF);
    const uint32_t go = 0x2F;
    assert_int_equal(kerr_write(chip, arc, ARC_APB + L2CPU_RESET, &go, 4), KERR_FAULTED);
    assert_fault(chip, KERR_FAULT_UNIMPLEMENTED, "X280 cores of tile 8-9");
    assert_int_equal(read32(chip, arc, ARC_APB + L2CPU_RESET), 0xF);
}
static void tiles_cannot_be_reset_from_the_reset_unit(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t zero = 0;
    assert_int_equal(kerr_write(chip, arc, ARC_APB + 0x30020, &zero, 4), KERR_FAULTED);
    assert_fault(chip, KERR_FAULT_UNIMPLEMENTED, "reset unit register 0x20");
}
static void other_apb_registers_are_a_named_fault(void **state)
{
    kerr_chip *chip = *state;
    assert_note(chip, arc, ARC_APB + 0x20500, KERR_FAULT_UNIMPLEMENTED, "0x80020500");
}
static void l2cpu_peripherals_have_two_addresses(void **state)
{
    kerr_chip *chip = *state;
    write32(chip, l2cpu, L2CPU_PERIPHERALS + 0x10000, 0x30000000); /* where hart 0 would start */
    assert_int_equal(read32(chip, l2cpu, 0x20010000), 0x30000000);
    assert_int_equal(read32(chip, (kerr_xy){8, 5}, 0x20010000), 0);
    assert_int_equal(read32(chip, l2cpu, 0x20056044) & 0xFFF, 8 | 3 << 6);
    assert_int_equal(read32(chip, l2cpu, 0x20057044) & 0xFFF, 8 | 8 << 6);
    assert_note(chip, l2cpu, 0x30000000, KERR_FAULT_UNIMPLEMENTED, "L2CPU tile 8-3");
}

/* ---- Host memory -------------------------------------------------------------------------------------------------------- */

typedef struct host_memory {
    kerr_chip *chip;
    uint8_t bytes[256];
    unsigned reads, writes;
    kerr_status inside; /* of a call back into the chip */
} host_memory;

static void host_read(void *context, uint64_t address, void *data, size_t size)
{
    host_memory *memory = context;
    memory->reads++;
    memory->inside = kerr_run(memory->chip, 1);
    memcpy(data, memory->bytes + address, size);
}
static void host_write(void *context, uint64_t address, const void *data, size_t size)
{
    host_memory *memory = context;
    memory->writes++;
    memcpy(memory->bytes + address, data, size);
}
static void host_memory_is_behind_the_host_s_tile(void **state)
{
    kerr_chip *chip = *state;
    host_memory memory = {.chip = chip};
    assert_int_equal(kerr_set_host_memory(chip, host_read, NULL, &memory), KERR_BAD_ARGUMENT);
    assert_ok(kerr_set_host_memory(chip, host_read, host_write, &memory));
    write32(chip, pcie0, HOST + 8, 0x12345678);
    assert_int_equal(memory.bytes[8], 0x78);
    assert_int_equal(read32(chip, pcie0, 8), 0x12345678);
    assert_true(memory.reads == 1 && memory.writes == 1);
    assert_int_equal(memory.inside, KERR_BAD_STATE); /* nobody runs the chip from there */
    uint32_t value;
    assert_int_equal(kerr_peek(chip, pcie0, HOST + 8, &value, 4), KERR_BAD_ADDRESS);
    assert_int_equal(memory.reads, 1);
    assert_ok(kerr_reset(chip));
    assert_int_equal(read32(chip, pcie0, HOST + 8), 0x12345678); /* the host's memory stays */
    assert_ok(kerr_set_host_memory(chip, NULL, NULL, NULL));
    assert_note(chip, pcie0, HOST + 8, KERR_FAULT_UNDEFINED, "no DMA callbacks");
}
static void the_driver_finds_the_device_control_word(void **state)
{
    kerr_chip *chip = *state;
    const uint64_t dbi = UINT64_C(0xF800000000000000);
    write32(chip, pcie0, dbi + 0x78, 0x2930);
    assert_int_equal(read32(chip, pcie0, dbi + 0x78), 0x2930);
    assert_note(chip, pcie0, dbi, KERR_FAULT_UNIMPLEMENTED, "controller register 0x0");
}

/* ---- Harvesting and snapshots --------------------------------------------------------------------------------------------- */

static kerr_chip *chip_of(kerr_product product)
{
    kerr_config config;
    kerr_chip *chip;
    kerr_config_init(&config);
    config.threads = 1;
    assert_ok(kerr_harvesting_of(product, &config.harvesting));
    assert_ok(kerr_create(&config, &chip));
    return chip;
}
static void a_tile_that_is_off_is_no_tile(void **state)
{
    (void)state;
    kerr_chip *chip = chip_of(KERR_P100);
    uint32_t value = 0;
    static const kerr_xy off[] = {{15, 2}, {16, 11}, {1, 1}, {9, 6}};
    for (size_t i = 0; i < sizeof off / sizeof *off; i++) {
        assert_false(kerr_tile_is_on(chip, off[i]));
        assert_int_equal(kerr_read(chip, off[i], 0, &value, 4), KERR_BAD_TILE);
        assert_int_equal(kerr_peek(chip, off[i], 0, &value, 4), KERR_BAD_TILE);
        assert_int_equal(kerr_core_start(chip, off[i], KERR_CORE_B, 0), KERR_BAD_TILE);
    }
    assert_true(kerr_tile_is_on(chip, (kerr_xy){14, 2}) && kerr_tile_is_on(chip, arc));
    assert_false(kerr_tile_is_on(chip, bare));
    assert_int_equal(passive_host_node(chip->passive), noc_node_at(11, 0));
    kerr_destroy(chip);
}

static void a_snapshot_has_it_all(void **state)
{
    kerr_chip *chip = *state, *other = chip_of(KERR_P100);
    saved_bytes s = {0};
    write32(chip, arc, ARC_APB + SCRATCH_RAM + 4 * 40, 40);
    write32(chip, arc, ARC_CSM + 0x40000, 41);
    write32(chip, l2cpu, 0x20010100, 42);
    write32(chip, security, NIU + 0x10C, 43);
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNKNOWN, KERR_POLICY_GO_ON));
    uint32_t value;
    assert_ok(kerr_read(chip, security, 0, &value, 4));
    assert_ok(kerr_save(chip, saved_put, &s));
    assert_ok(kerr_restore(other, saved_get, &s));
    assert_true(chip_hash(chip) == chip_hash(other));
    assert_int_equal(read32(other, arc, ARC_CSM + 0x40000), 41);
    assert_int_equal(read32(other, security, NIU + 0x10C), 43);
    assert_int_equal(faults(other), 1);
    assert_true(kerr_tile_is_on(other, (kerr_xy){16, 2})); /* the shape comes along */
    s.at = 0;
    s.size -= 100; /* and a stream that ends in the midst of it leaves a chip as after reset */
    kerr_destroy(other);
    other = chip_of(KERR_P100);
    const uint64_t fresh = chip_hash(other);
    assert_int_equal(kerr_restore(other, saved_get, &s), KERR_IO);
    assert_true(chip_hash(other) == fresh);
    free(s.data);
    kerr_destroy(other);
}
static void looking_changes_nothing(void **state)
{
    kerr_chip *chip = *state;
    const uint64_t before = chip_hash(chip);
    uint32_t value;
    read32(chip, arc, ARC_APB + SCRATCH_RAM + 4 * 13);
    read32(chip, arc, ARC_CSM + 0x10000);
    read32(chip, l2cpu, 0x20010100);
    assert_ok(kerr_peek(chip, arc, ARC_CSM, &value, 4));
    assert_true(chip_hash(chip) == before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_node_without_cores_has_niu_registers),
        TEST(endpoint_ids_name_the_kind),
        TEST(niu_configuration_keeps_what_is_written),
        TEST(no_requests_start_there),
        TEST(nothing_there_is_only_a_status),
        TEST(the_security_tile_is_a_closed_book),
        TEST(a_policy_that_goes_on_gives_all_ones),
        TEST(arc_scratch_and_csm_keep_what_is_written),
        TEST(the_reference_clock_runs_at_50_mhz),
        TEST(an_x280_cannot_be_let_go),
        TEST(tiles_cannot_be_reset_from_the_reset_unit),
        TEST(other_apb_registers_are_a_named_fault),
        TEST(l2cpu_peripherals_have_two_addresses),
        TEST(host_memory_is_behind_the_host_s_tile),
        TEST(the_driver_finds_the_device_control_word),
        cmocka_unit_test(a_tile_that_is_off_is_no_tile),
        TEST(a_snapshot_has_it_all),
        TEST(looking_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

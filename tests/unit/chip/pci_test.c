/* SPDX-License-Identifier: Apache-2.0 */
/* include/kerr_pci.h: a chip as a PCI device.  What a host sees of one is tests/abi/; here is what the handle promises. */
#include "../../support/unit.h"

#include "chip/chip.h"
#include "kerr_pci.h"

enum { READ_CYCLES = 1000, PROGRAM = 0x1000, WORD = 0x20000 };
static const kerr_xy at = {1, 2};
#define WINDOW_CONFIG UINT64_C(0x1FC00000)

typedef struct rig {
    kerr_chip *chip;
    kerr_pci *pci;
    uint64_t bar[3];
    unsigned told, runs, resets;
    kerr_pci_call call;
    kerr_status status;
    char text[256];
} rig;

static void told(void *context, kerr_pci_call call, kerr_status status, const char *text)
{
    rig *r = context;
    r->told++;
    r->call = call;
    r->status = status;
    snprintf(r->text, sizeof r->text, "%s", text);
}
static kerr_status runs(void *context, kerr_chip *chip, uint64_t cycles)
{
    ((rig *)context)->runs++;
    return kerr_run(chip, cycles);
}
static void resets(void *context, bool done)
{
    ((rig *)context)->resets += done ? 0x100 : 1;
}

static void open_device(rig *r, uint32_t read_cycles)
{
    kerr_pci_setup setup;
    kerr_pci_setup_init(&setup);
    setup.read_cycles = read_cycles;
    setup.context = r;
    setup.tell = told;
    setup.run = runs;
    setup.resets = resets;
    kerr_pci_close(r->pci);
    assert_ok(kerr_pci_open(r->chip, &setup, &r->pci));
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t low, high;
        assert_ok(kerr_pci_config_read(r->pci, 0x10 + 8 * i, &low));
        assert_ok(kerr_pci_config_read(r->pci, 0x14 + 8 * i, &high));
        r->bar[i] = (low & ~15u) | (uint64_t)high << 32;
    }
}

static int set_up(void **state)
{
    rig *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->chip = chip_new_one_thread();
    open_device(r, 0);
    *state = r;
    return 0;
}
static int tear_down(void **state)
{
    rig *r = *state;
    kerr_pci_close(r->pci);
    kerr_destroy(r->chip);
    free(r);
    return 0;
}

/* Where the tile's address is behind 2 MiB window `window`. */
static uint64_t point(rig *r, unsigned window, kerr_xy tile, uint64_t address)
{
    const uint64_t place = address >> 21;
    const uint32_t words[3] = {(uint32_t)place,
                               (uint32_t)(place >> 32) | (uint32_t)tile.x << 11 | (uint32_t)tile.y << 17, 0};
    assert_ok(kerr_pci_write(r->pci, r->bar[0] + WINDOW_CONFIG + 12 * window, words, sizeof words));
    return r->bar[0] + ((uint64_t)window << 21) + (address & 0x1FFFFF);
}

static uint32_t read_word(rig *r, uint64_t physical)
{
    uint32_t value = 0;
    assert_ok(kerr_pci_read(r->pci, physical, &value, 4));
    return value;
}

static uint64_t cycle_of(const rig *r)
{
    uint64_t cycle;
    assert_ok(kerr_cycle(r->chip, &cycle));
    return cycle;
}

/* ---- Refusals ------------------------------------------------------------------------------------------------ */

static void refuses_bad_arguments(void **state)
{
    rig *r = *state;
    kerr_pci_setup setup;
    kerr_pci *other = NULL;
    uint32_t word = 0;
    uint64_t count;
    kerr_pci_setup_init(NULL);
    kerr_pci_setup_init(&setup);
    assert_int_equal(kerr_pci_open(NULL, NULL, &other), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_open(r->chip, NULL, NULL), KERR_BAD_ARGUMENT);
    setup.read_cycles = 1000001;
    assert_int_equal(kerr_pci_open(r->chip, &setup, &other), KERR_BAD_ARGUMENT);
    setup.read_cycles = 0;
    setup.struct_size--;
    assert_int_equal(kerr_pci_open(r->chip, &setup, &other), KERR_BAD_ARGUMENT);
    kerr_pci_close(NULL);
    assert_int_equal(kerr_pci_read(NULL, 0, &word, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_write(NULL, 0, &word, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_tile_read(NULL, 1, 2, 0, &word, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_tile_write(NULL, 1, 2, 0, &word, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_config_read(NULL, 0, &word), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_config_write(NULL, 0, 0), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_clock(NULL, 1), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_tile_writes(NULL, &count), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_tile_writes(r->pci, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(r->told, 0);
    /* Also where memory is known. */
    const uint64_t physical = point(r, 0, at, WORD);
    (void)read_word(r, physical);
    assert_int_equal(kerr_pci_read(r->pci, physical, NULL, 4), KERR_BAD_ARGUMENT);
    assert_string_equal(r->text, "a null pointer");
    assert_int_equal(r->call, KERR_PCI_CALL_READ);
    assert_int_equal(kerr_pci_read(r->pci, physical, &word, 0), KERR_BAD_ARGUMENT);
    assert_string_equal(r->text, "size 0");
    assert_int_equal(kerr_pci_write(r->pci, physical, NULL, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_write(r->pci, physical, &word, 0), KERR_BAD_ARGUMENT);
    assert_int_equal(r->call, KERR_PCI_CALL_WRITE);
    assert_int_equal(kerr_pci_tile_read(r->pci, 1, 2, 0, NULL, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_tile_write(r->pci, 1, 2, 0, &word, 0), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_pci_config_read(r->pci, 0, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(r->told, 7);
}
static void a_read_that_is_refused_gives_all_ones_and_says_why(void **state)
{
    rig *r = *state;
    uint32_t word = 0;
    assert_int_equal(kerr_pci_read(r->pci, 0, &word, 4), KERR_BAD_ADDRESS);
    assert_int_equal(word, UINT32_MAX);
    assert_non_null(strstr(r->text, "not in one of the card's BARs"));
    assert_int_equal(r->status, KERR_BAD_ADDRESS);
    word = 0;
    assert_int_equal(kerr_pci_tile_read(r->pci, 64, 2, 0, &word, 4), KERR_BAD_TILE);
    assert_int_equal(word, UINT32_MAX);
    assert_int_equal(r->call, KERR_PCI_CALL_TILE_READ);
    assert_int_equal(kerr_pci_tile_write(r->pci, 64, 2, 0, &word, 4), KERR_BAD_TILE);
    word = 0;
    assert_int_equal(kerr_pci_config_read(r->pci, 2, &word), KERR_BAD_ADDRESS);
    assert_int_equal(word, UINT32_MAX);
    assert_int_equal(kerr_pci_config_write(r->pci, KERR_PCI_CONFIG_BYTES, 0), KERR_BAD_ADDRESS);
    assert_int_equal(r->call, KERR_PCI_CALL_CONFIG_WRITE);
}
static void nobody_need_listen(void **state)
{
    rig *r = *state;
    kerr_pci *quiet;
    uint32_t word;
    assert_ok(kerr_pci_open(r->chip, NULL, &quiet));
    assert_int_equal(kerr_pci_read(quiet, 0, &word, 4), KERR_BAD_ADDRESS);
    assert_ok(kerr_pci_tile_read(quiet, 1, 2, WORD, &word, 4));
    assert_ok(kerr_pci_clock(quiet, 7));
    kerr_pci_close(quiet);
    assert_int_equal(cycle_of(r), 7);
    assert_int_equal(r->told, 0);
}

/* ---- What is there ------------------------------------------------------------------------------------------------ */

static void a_window_shows_the_chip_memory(void **state)
{
    rig *r = *state;
    uint32_t word = 0, id;
    uint64_t writes;
    assert_ok(kerr_pci_config_read(r->pci, 0, &id));
    assert_int_equal(id, KERR_PCI_VENDOR | (uint32_t)KERR_PCI_DEVICE << 16);
    const uint64_t physical = point(r, 0, at, WORD);
    assert_ok(kerr_pci_tile_writes(r->pci, &writes));
    assert_int_equal(writes, 0); /* windows are not tiles */
    for (uint32_t i = 0; i < 3; i++) {
        assert_ok(kerr_pci_write(r->pci, physical + 4 * i, &i, 4));
        assert_ok(kerr_peek(r->chip, at, WORD + 4 * i, &word, 4));
        assert_int_equal(word, i);
    }
    assert_ok(kerr_pci_tile_write(r->pci, 1, 2, WORD, &(uint32_t){77}, 4));
    assert_int_equal(read_word(r, physical), 77);
    assert_ok(kerr_pci_tile_writes(r->pci, &writes));
    assert_int_equal(writes, 4);
    assert_int_equal(r->runs, 0); /* without read_cycles only the clock lets time pass */
}
static void devices_have_windows_of_their_own(void **state)
{
    rig *r = *state;
    rig two = {.chip = chip_new_one_thread()}, same = {.chip = r->chip};
    open_device(&two, 0);
    open_device(&same, 0);
    const uint64_t here = point(r, 0, at, WORD), there = point(&two, 0, (kerr_xy){2, 2}, WORD);
    const uint64_t beside = point(&same, 0, (kerr_xy){3, 3}, WORD);
    assert_int_equal(here, there);
    assert_int_equal(here, beside);
    for (uint32_t i = 0; i < 4; i++) { /* by the long way, then by the short one */
        assert_ok(kerr_pci_write(r->pci, here, &(uint32_t){10 + i}, 4));
        assert_ok(kerr_pci_write(two.pci, there, &(uint32_t){20 + i}, 4));
        assert_ok(kerr_pci_write(same.pci, beside, &(uint32_t){30 + i}, 4));
        assert_int_equal(read_word(r, here), 10 + i);
        assert_int_equal(read_word(&two, there), 20 + i);
        assert_int_equal(read_word(&same, beside), 30 + i);
    }
    kerr_pci_close(same.pci);
    kerr_pci_close(two.pci);
    kerr_destroy(two.chip);
}
static void a_window_may_be_set_anew_and_a_bar_moved(void **state)
{
    rig *r = *state;
    const uint64_t physical = point(r, 5, at, WORD);
    assert_ok(kerr_pci_write(r->pci, physical, &(uint32_t){1}, 4));
    (void)point(r, 5, (kerr_xy){2, 2}, WORD);
    assert_int_equal(read_word(r, physical), 0);
    (void)point(r, 5, at, WORD);
    assert_int_equal(read_word(r, physical), 1);
    assert_ok(kerr_pci_config_write(r->pci, 0x14, (uint32_t)(r->bar[0] >> 32) + 0x10));
    uint32_t word;
    assert_int_equal(kerr_pci_read(r->pci, physical, &word, 4), KERR_BAD_ADDRESS);
    assert_int_equal(read_word(r, physical + (UINT64_C(0x10) << 32)), 1);
}

/* ---- Time ---------------------------------------------------------------------------------------------------------- */

static void a_question_asked_again_is_held_back(void **state)
{
    rig *r = *state;
    open_device(r, READ_CYCLES);
    const uint64_t physical = point(r, 0, at, WORD);
    (void)read_word(r, physical);
    assert_int_equal(cycle_of(r), READ_CYCLES);
    (void)read_word(r, physical);
    assert_int_equal(cycle_of(r), 17 * READ_CYCLES);
    const unsigned before = r->runs;
    (void)read_word(r, physical); /* nothing happens on the chip: by the short way */
    assert_int_equal(cycle_of(r), 33 * READ_CYCLES);
    assert_int_equal(r->runs, before);
}
static void a_row_of_single_cycles_runs_on(void **state)
{
    rig *r = *state;
    open_device(r, READ_CYCLES);
    assert_ok(kerr_pci_clock(r->pci, 0));
    assert_int_equal(cycle_of(r), 0);
    assert_ok(kerr_pci_clock(r->pci, 1));
    assert_int_equal(cycle_of(r), 1);
    assert_ok(kerr_pci_clock(r->pci, 1));
    assert_int_equal(cycle_of(r), 1 + 16 * READ_CYCLES);
    uint32_t id;
    assert_ok(kerr_pci_config_read(r->pci, 0, &id)); /* another call */
    assert_ok(kerr_pci_clock(r->pci, 1));
    assert_int_equal(cycle_of(r), 2 + 16 * READ_CYCLES);
    assert_ok(kerr_pci_clock(r->pci, 500));
    assert_int_equal(cycle_of(r), 502 + 16 * READ_CYCLES);
}
/* kerr.h starts something on a chip that was known to rest: the device must not go on without it. */
static void other_calls_make_the_chip_work_again(void **state)
{
    rig *r = *state;
    open_device(r, READ_CYCLES);
    const uint64_t physical = point(r, 0, at, WORD);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(read_word(r, physical), 0);
    static const uint32_t program[] = {0x02a00513, 0x00020637, 0x00a62023,
                                       0x0000006f}; /* li a0, 42; lui a2, 0x20; sw; j . */
    assert_ok(kerr_poke(r->chip, at, PROGRAM, program, sizeof program));
    assert_ok(kerr_core_start(r->chip, at, KERR_CORE_B, PROGRAM));
    assert_int_equal(read_word(r, physical), 42);
    assert_ok(kerr_reset(r->chip));
    assert_int_equal(read_word(r, physical), 0);
    assert_int_equal(cycle_of(r), READ_CYCLES);
}
static void a_fault_that_stops_the_chip_is_told(void **state)
{
    rig *r = *state;
    assert_ok(kerr_poke(r->chip, at, PROGRAM, &(uint32_t){0}, 4)); /* an illegal instruction */
    assert_ok(kerr_core_start(r->chip, at, KERR_CORE_B, PROGRAM));
    assert_int_equal(kerr_pci_clock(r->pci, 10000), KERR_FAULTED);
    assert_int_equal(r->status, KERR_FAULTED);
    assert_int_equal(r->call, KERR_PCI_CALL_CLOCK);
    assert_string_equal(r->text, "");
    /* With host time a read must not get what a chip that has stopped would give. */
    open_device(r, READ_CYCLES);
    uint32_t word = 0;
    assert_int_equal(kerr_pci_read(r->pci, point(r, 0, at, WORD), &word, 4), KERR_FAULTED);
    assert_int_equal(word, UINT32_MAX);
}
static void a_reset_that_the_host_asked_for_takes_the_windows(void **state)
{
    rig *r = *state;
    uint32_t word;
    const uint64_t physical = point(r, 0, at, WORD);
    assert_ok(kerr_pci_write(r->pci, physical, &(uint32_t){5}, 4));
    r->chip->passive->arc.wants_reset = 1; /* abi/arc asks as a host does */
    (void)point(r, 1, at, WORD);
    assert_int_equal(r->resets, 0x101);
    assert_ok(kerr_pci_read(r->pci, r->bar[0] + WINDOW_CONFIG, &word, 4));
    assert_int_equal(word, 0);
    assert_int_equal(read_word(r, point(r, 0, at, WORD)), 0);
}
static void what_a_read_makes_up_is_told(void **state)
{
    rig *r = *state;
    uint32_t word = 1;
    assert_ok(kerr_pci_tile_read(r->pci, 8, 0, UINT64_C(0x80030000) + 0x7000, &word, 4)); /* the ARC: not modelled */
    assert_int_equal(r->status, KERR_OK);
    assert_int_equal(r->told, 1);
    assert_int_equal(word, UINT32_MAX);
    assert_non_null(strstr(r->text, "a read stops nothing"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refuses_bad_arguments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_read_that_is_refused_gives_all_ones_and_says_why, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nobody_need_listen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_window_shows_the_chip_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(devices_have_windows_of_their_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_window_may_be_set_anew_and_a_bar_moved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_question_asked_again_is_held_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_row_of_single_cycles_runs_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_calls_make_the_chip_work_again, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_fault_that_stops_the_chip_is_told, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_reset_that_the_host_asked_for_takes_the_windows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_a_read_makes_up_is_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

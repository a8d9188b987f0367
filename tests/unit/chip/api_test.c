/* SPDX-License-Identifier: Apache-2.0 */
/* The public API (include/kerr.h): what each call promises, refusals first. */
#include "../../support/unit.h"

enum { PROGRAM = 0x1000, L1_BYTES = 1536 * 1024 };
static const kerr_xy at = {1, 2};
static const kerr_xy nowhere = {KERR_GRID_X, 0};

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
/* A program from one array of words, started on a core. */
static void start_words(kerr_chip *chip, kerr_core core, const uint32_t *words, size_t count)
{
    assert_ok(kerr_poke(chip, at, PROGRAM, words, count * 4));
    assert_ok(kerr_core_start(chip, at, core, PROGRAM));
}

/* ---- Names and grid ------------------------------------------------------------------------ */

static void every_status_and_kind_has_a_text(void **state)
{
    (void)state;
    for (int i = KERR_OK; i <= KERR_IO; i++) {
        assert_non_null(kerr_status_text((kerr_status)i));
        assert_true(strlen(kerr_status_text((kerr_status)i)) > 0);
    }
    assert_non_null(kerr_status_text((kerr_status)1000));
    for (int i = 0; i < KERR_FAULT_KINDS; i++) {
        assert_non_null(kerr_fault_kind_name((kerr_fault_kind)i));
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(kerr_fault_kind_name((kerr_fault_kind)i), kerr_fault_kind_name((kerr_fault_kind)k));
        }
    }
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", KERR_VERSION_MAJOR, KERR_VERSION_MINOR, KERR_VERSION_PATCH);
    assert_string_equal(kerr_version(), version);
}
static void cores_have_two_names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        kerr_core core;
    } names[] = {{"B", KERR_CORE_B},       {"T0", KERR_CORE_T0},    {"T1", KERR_CORE_T1},     {"T2", KERR_CORE_T2},
                 {"NC", KERR_CORE_NC},     {"BRISC", KERR_CORE_B},  {"TRISC0", KERR_CORE_T0}, {"TRISC1", KERR_CORE_T1},
                 {"TRISC2", KERR_CORE_T2}, {"NCRISC", KERR_CORE_NC}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        kerr_core core = KERR_CORE_COUNT;
        assert_true(kerr_core_by_name(names[i].name, &core));
        assert_int_equal(core, names[i].core);
        if (i < 5) {
            assert_string_equal(kerr_core_name(core), names[i].name);
        }
    }
    kerr_core core;
    assert_false(kerr_core_by_name("T3", &core));
    assert_false(kerr_core_by_name("", &core));
}
static void there_are_140_tensix_tiles_row_by_row(void **state)
{
    (void)state;
    uint32_t seen = 0;
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) {
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            if (kerr_tile_kind_at((kerr_xy){x, y}) == KERR_TILE_TENSIX) {
                kerr_xy xy = kerr_tensix_xy(seen++);
                assert_int_equal(xy.x, x);
                assert_int_equal(xy.y, y);
            }
        }
    }
    assert_int_equal(seen, KERR_TENSIX_TILES);
    assert_int_equal(kerr_tile_kind_at(nowhere), KERR_TILE_NONE);
}

/* ---- Refusals ------------------------------------------------------------------------------ */

static void null_and_unknown_arguments_are_refused(void **state)
{
    kerr_chip *chip = *state;
    uint32_t word = 0, count;
    uint64_t number;
    bool reached;
    kerr_core_info info;
    kerr_fault fault;
    assert_int_equal(kerr_create(NULL, NULL), KERR_BAD_ARGUMENT);
    kerr_destroy(NULL);
    assert_int_equal(kerr_reset(NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_run(NULL, 1), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_cycle(NULL, &number), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_cycle(chip, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_hash(chip, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_peek(NULL, at, 0, &word, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_peek(chip, at, 0, NULL, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_poke(chip, at, 0, NULL, 4), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_core_start(chip, at, (kerr_core)5, 0), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_core_query(chip, at, (kerr_core)-1, &info), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_core_query(chip, at, KERR_CORE_B, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_reg_get(chip, at, KERR_CORE_B, 0x9999, &word), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_reg_get(chip, at, KERR_CORE_B, KERR_REG_X, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_reg_set(chip, at, KERR_CORE_B, 0x9999, 0), KERR_BAD_ARGUMENT);
    uint32_t values[KERR_DATA_COLUMNS];
    assert_int_equal(kerr_data_row(NULL, at, KERR_SRCA, 0, values), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_data_row(chip, at, KERR_SRCA, 0, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_data_row(chip, at, (kerr_data_file)(KERR_DST_RAW32 + 1), 0, values), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_data_row(chip, (kerr_xy){0, 0}, KERR_SRCA, 0, values), KERR_BAD_TILE);
    assert_int_equal(kerr_data_row(chip, kerr_dram_xy(0), KERR_SRCA, 0, values), KERR_BAD_TILE);
    assert_int_equal(kerr_data_row(chip, at, KERR_SRCB, 128, values), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_data_row(chip, at, KERR_DST_FP16, 1024, values), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_data_row(chip, at, KERR_DST_FP32, 512, values), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_run_until(chip, NULL, 1, &reached), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_fault_count(chip, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_fault_get(chip, 0, &fault), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_set_policy(chip, KERR_FAULT_KINDS, KERR_POLICY_STOP), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_set_policy(chip, KERR_FAULT_UNDEFINED, (kerr_policy)99), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_save(chip, NULL, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_restore(chip, NULL, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_watch_remove(chip, 12345), KERR_BAD_ARGUMENT);
    assert_ok(kerr_fault_count(chip, &count));
    assert_int_equal(count, 0);
}
static void vector_registers_are_on_t2_only(void **state)
{
    uint32_t word;
    assert_ok(kerr_reg_set(*state, at, KERR_CORE_T2, KERR_REG_V + 4 * 31 + 3, 7));
    assert_ok(kerr_reg_get(*state, at, KERR_CORE_T2, KERR_REG_V + 4 * 31 + 3, &word));
    assert_int_equal(word, 7);
    assert_int_equal(kerr_reg_get(*state, at, KERR_CORE_B, KERR_REG_V, &word), KERR_BAD_ARGUMENT);
}
static void a_tile_that_is_not_there_is_refused(void **state)
{
    uint32_t word;
    kerr_core_info info;
    assert_int_equal(kerr_peek(*state, nowhere, 0, &word, 4), KERR_BAD_TILE);
    assert_int_equal(kerr_poke(*state, nowhere, 0, &word, 4), KERR_BAD_TILE);
    assert_int_equal(kerr_read(*state, nowhere, 0, &word, 4), KERR_BAD_TILE);
    assert_int_equal(kerr_core_start(*state, nowhere, KERR_CORE_B, 0), KERR_BAD_TILE);
    assert_int_equal(kerr_core_query(*state, nowhere, KERR_CORE_B, &info), KERR_BAD_TILE);
    for (uint8_t y = 0; y < KERR_GRID_Y; y++) { /* cores are in Tensix, Ethernet and DRAM tiles */
        for (uint8_t x = 0; x < KERR_GRID_X; x++) {
            kerr_xy xy = {x, y};
            if (kerr_tile_cores(kerr_tile_kind_at(xy)) == 0) {
                assert_int_equal(kerr_core_start(*state, xy, KERR_CORE_B, 0), KERR_BAD_TILE);
            }
        }
    }
}
static void an_address_outside_leaves_memory_unchanged(void **state)
{
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t before = chip_hash(*state);
    assert_int_equal(kerr_poke(*state, at, L1_BYTES - 4, bytes, 8), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_poke(*state, at, L1_BYTES, bytes, 1), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_poke(*state, at, UINT64_MAX - 3, bytes, 8), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_write(*state, at, L1_BYTES - 4, bytes, 8), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_peek(*state, at, L1_BYTES - 4, bytes, 8), KERR_BAD_ADDRESS);
    assert_true(chip_hash(*state) == before);
    assert_ok(kerr_poke(*state, at, L1_BYTES - 8, bytes, 8));
    assert_ok(kerr_peek(*state, at, L1_BYTES - 8, bytes, 8));
    assert_ok(kerr_peek(*state, at, L1_BYTES, bytes, 0));
}

/* ---- Memory -------------------------------------------------------------------------------- */

static void a_new_chip_is_zero_and_in_reset(void **state)
{
    uint8_t *bytes = malloc(L1_BYTES);
    assert_non_null(bytes);
    assert_ok(kerr_peek(*state, at, 0, bytes, L1_BYTES));
    for (size_t i = 0; i < L1_BYTES; i++) {
        assert_int_equal(bytes[i], 0);
    }
    free(bytes);
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        kerr_core_info info;
        assert_ok(kerr_core_query(*state, at, (kerr_core)c, &info));
        assert_int_equal(info.state, KERR_CORE_IN_RESET);
    }
    assert_int_equal(chip_cycle(*state), 0);
}
static void bytes_at_any_address_come_back(void **state)
{
    uint8_t in[301], out[301];
    for (size_t i = 0; i < sizeof in; i++) {
        in[i] = (uint8_t)(i * 7 + 1);
    }
    for (uint32_t offset = 0; offset < 5; offset++) {
        assert_ok(kerr_poke(*state, at, 0x7ffd + offset, in, sizeof in));
        assert_ok(kerr_peek(*state, at, 0x7ffd + offset, out, sizeof out));
        assert_memory_equal(in, out, sizeof in);
        assert_ok(kerr_write(*state, at, 0x9001 + offset, in, sizeof in));
        assert_ok(kerr_read(*state, at, 0x9001 + offset, out, sizeof out));
        assert_memory_equal(in, out, sizeof in);
    }
}
static void a_core_sees_its_own_local_ram(void **state)
{
    uint32_t value = 0x1234, word = 1;
    assert_ok(kerr_core_poke(*state, at, KERR_CORE_B, 0xffb01ffc, &value, 4));
    assert_ok(kerr_core_peek(*state, at, KERR_CORE_B, 0xffb01ffc, &word, 4));
    assert_int_equal(word, 0x1234);
    assert_ok(kerr_core_peek(*state, at, KERR_CORE_NC, 0xffb01ffc, &word, 4));
    assert_int_equal(word, 0);
    assert_int_equal(kerr_core_peek(*state, at, KERR_CORE_T0, 0xffb01000, &word, 4), KERR_BAD_ADDRESS);
    assert_ok(kerr_peek(*state, at, 0xffb15ffc, &word, 4)); /* the slow path to B's RAM */
    assert_int_equal(word, 0x1234);
    assert_ok(kerr_core_peek(*state, at, KERR_CORE_T0, 0x8000, &word, 4)); /* L1 as well */
}
static void peek_pops_nothing_and_read_is_the_noc(void **state)
{
    /* B sends one value to T0; peeking at T0's side of the mailbox does not take it. */
    const uint32_t words[] = {rv_lui(T0, 0xffec1), rv_addi(T1, X0, 55), rv_sw(T1, 0, T0), rv_j(0)};
    uint32_t word = 0;
    start_words(*state, KERR_CORE_B, words, 4);
    assert_ok(kerr_run(*state, 200));
    for (int i = 0; i < 3; i++) {
        (void)kerr_core_peek(*state, at, KERR_CORE_T0, 0xffec0000, &word, 4);
    }
    const uint32_t take[] = {rv_lui(T0, 0xffec0), rv_lw(T1, 0, T0), rv_j(0)};
    assert_ok(kerr_poke(*state, at, 0x2000, take, sizeof take));
    assert_ok(kerr_core_start(*state, at, KERR_CORE_T0, 0x2000));
    assert_ok(kerr_run(*state, 200));
    assert_int_equal(chip_x(*state, at, KERR_CORE_T0, T1), 55);
    /* The NoC has no mailboxes. */
    assert_int_equal(kerr_read(*state, at, 0xffec0000, &word, 4), KERR_BAD_ADDRESS);
    /* Registers take whole words. */
    assert_ok(kerr_read(*state, at, 0xffb121b0, &word, 4));
    assert_int_not_equal(kerr_read(*state, at, 0xffb121b1, &word, 1), KERR_OK);
}

/* ---- Loading ------------------------------------------------------------------------------- */

static void segments_are_loaded_and_cleared(void **state)
{
    uint8_t code[] = {1, 2, 3, 4}, filled[64], got[16];
    memset(filled, 0xee, sizeof filled);
    assert_ok(kerr_poke(*state, at, 0x3000, filled, sizeof filled));
    const kerr_segment segments[] = {{0x3000, 16, 4, code}, {0x3020, 8, 0, NULL}};
    assert_ok(kerr_load(*state, at, KERR_CORE_B, segments, 2));
    assert_ok(kerr_peek(*state, at, 0x3000, got, 16));
    const uint8_t want[16] = {1, 2, 3, 4};
    assert_memory_equal(got, want, 16);
    assert_ok(kerr_peek(*state, at, 0x3010, got, 1));
    assert_int_equal(got[0], 0xee);
    assert_ok(kerr_load(*state, at, KERR_CORE_B, segments, 0));
}
static void bad_segments_change_nothing(void **state)
{
    uint8_t code[32] = {1};
    const kerr_segment overlapping[] = {{0x3000, 32, 32, code}, {0x301f, 4, 4, code}};
    const kerr_segment outside[] = {{0x3000, 32, 32, code}, {L1_BYTES - 4, 8, 8, code}};
    const kerr_segment longer_file[] = {{0x3000, 4, 8, code}};
    const kerr_segment no_data[] = {{0x3000, 8, 8, NULL}};
    const kerr_segment wraps[] = {{0xfffffff0, 32, 32, code}};
    uint64_t before = chip_hash(*state);
    assert_int_not_equal(kerr_load(*state, at, KERR_CORE_B, overlapping, 2), KERR_OK);
    assert_int_equal(kerr_load(*state, at, KERR_CORE_B, outside, 2), KERR_BAD_ADDRESS);
    assert_int_not_equal(kerr_load(*state, at, KERR_CORE_B, longer_file, 1), KERR_OK);
    assert_int_not_equal(kerr_load(*state, at, KERR_CORE_B, no_data, 1), KERR_OK);
    assert_int_equal(kerr_load(*state, at, KERR_CORE_B, wraps, 1), KERR_BAD_ADDRESS);
    assert_int_equal(kerr_load(*state, at, KERR_CORE_B, NULL, 1), KERR_BAD_ARGUMENT);
    assert_true(chip_hash(*state) == before);
}

/* ---- Cores --------------------------------------------------------------------------------- */

static void registers_can_be_set_and_read(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t words[] = {rv_j(0)};
    start_words(chip, KERR_CORE_T1, words, 1);
    assert_ok(kerr_run(chip, 100));
    for (uint32_t i = 1; i < 32; i++) {
        assert_ok(kerr_reg_set(chip, at, KERR_CORE_T1, KERR_REG_X + i, i * 0x01010101));
        assert_ok(kerr_reg_set(chip, at, KERR_CORE_T1, KERR_REG_F + i, i * 3));
    }
    assert_ok(kerr_reg_set(chip, at, KERR_CORE_T1, KERR_REG_CSR + CSR_cfg1, 42));
    assert_ok(kerr_run(chip, 100));
    for (uint32_t i = 1; i < 32; i++) {
        uint32_t f = 0;
        assert_int_equal(chip_x(chip, at, KERR_CORE_T1, i), i * 0x01010101);
        assert_ok(kerr_reg_get(chip, at, KERR_CORE_T1, KERR_REG_F + i, &f));
        assert_int_equal(f, i * 3);
    }
    assert_int_equal(chip_x(chip, at, KERR_CORE_T1, 0), 0);
    uint32_t value;
    assert_ok(kerr_reg_get(chip, at, KERR_CORE_T1, KERR_REG_CSR + CSR_cfg1, &value));
    assert_int_equal(value, 42);
    assert_ok(kerr_reg_get(chip, at, KERR_CORE_T1, KERR_REG_PC, &value));
    assert_int_equal(value, PROGRAM);
    assert_int_equal(kerr_reg_get(chip, at, KERR_CORE_T1, KERR_REG_CSR + 0x7ff, &value), KERR_BAD_ARGUMENT);
}
static void setting_the_pc_moves_a_running_core(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t words[] = {rv_j(0), rv_addi(A0, X0, 9), rv_j(0)};
    start_words(chip, KERR_CORE_B, words, 3);
    assert_ok(kerr_run(chip, 100));
    assert_ok(kerr_reg_set(chip, at, KERR_CORE_B, KERR_REG_PC, PROGRAM + 4));
    assert_ok(kerr_run(chip, 100));
    assert_int_equal(chip_x(chip, at, KERR_CORE_B, A0), 9);
}
static void reset_holds_a_core_and_start_clears_it(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t words[] = {rv_addi(A0, A0, 1), rv_j(-4)};
    kerr_core_info info;
    start_words(chip, KERR_CORE_NC, words, 2);
    assert_ok(kerr_run(chip, 1000));
    assert_ok(kerr_core_query(chip, at, KERR_CORE_NC, &info));
    assert_true(info.state == KERR_CORE_RUNNING || info.state == KERR_CORE_PARKED);
    assert_true(info.instructions > 500 && info.cycles <= 1000);
    assert_ok(kerr_core_reset(chip, at, KERR_CORE_NC, true));
    assert_ok(kerr_core_query(chip, at, KERR_CORE_NC, &info));
    assert_int_equal(info.state, KERR_CORE_IN_RESET);
    uint64_t hash_without_time = chip_x(chip, at, KERR_CORE_NC, A0);
    assert_ok(kerr_run(chip, 1000));
    assert_int_equal(chip_x(chip, at, KERR_CORE_NC, A0), hash_without_time);
    assert_ok(kerr_core_start(chip, at, KERR_CORE_NC, PROGRAM));
    assert_ok(kerr_run(chip, 50));
    assert_true(chip_x(chip, at, KERR_CORE_NC, A0) < 50);
}
/* As the host does it: soft reset bits 0x800 (B), 0x1000..0x4000 (T), 0x40000 (NC) at 0xffb121b0. */
static void the_soft_reset_register_starts_cores(void **state)
{
    kerr_chip *chip = *state;
    uint32_t word = 0;
    const uint32_t words[] = {rv_addi(A0, X0, 5), rv_j(0)};
    assert_ok(kerr_read(chip, at, 0xffb121b0, &word, 4));
    assert_int_equal(word & 0x47800, 0x47800);
    assert_ok(kerr_poke(chip, at, 0, words, sizeof words)); /* B starts at 0 */
    word &= ~0x800u;
    assert_ok(kerr_write(chip, at, 0xffb121b0, &word, 4));
    assert_ok(kerr_run(chip, 200));
    assert_int_equal(chip_x(chip, at, KERR_CORE_B, A0), 5);
    kerr_core_info info;
    assert_ok(kerr_core_query(chip, at, KERR_CORE_T0, &info));
    assert_int_equal(info.state, KERR_CORE_IN_RESET);
}

/* ---- Time ---------------------------------------------------------------------------------- */

static void run_passes_exactly_that_many_cycles(void **state)
{
    kerr_chip *chip = *state;
    assert_ok(kerr_run(chip, 0));
    assert_int_equal(chip_cycle(chip), 0);
    assert_ok(kerr_run(chip, 1));
    assert_int_equal(chip_cycle(chip), 1);
    assert_ok(kerr_run(chip, UINT32_MAX)); /* an idle chip jumps */
    assert_true(chip_cycle(chip) == 1 + (uint64_t)UINT32_MAX);
    const uint32_t words[] = {rv_addi(A0, A0, 1), rv_j(-4)};
    start_words(chip, KERR_CORE_B, words, 2);
    assert_ok(kerr_run(chip, 12345));
    assert_true(chip_cycle(chip) == 1 + (uint64_t)UINT32_MAX + 12345);
}
/* However often calls come back early, the end is the same; a stopping fault is waited for in one piece. */
static void calls_that_are_cut_end_as_one_would(void **state)
{
    kerr_chip *chip = *state, *other = chip_new_one_thread();
    const uint32_t words[] = {rv_addi(A0, A0, 1), rv_sw(A0, 0, X0), rv_j(-8), 0xFFFFFFFF};
    const kerr_until until = {
        .kind = KERR_UNTIL_WORD_EQ, .at = at, .address = 0, .mask = UINT32_MAX, .value = 1u << 30, .every = 100};
    bool reached = true;
    uint64_t hash[2] = {0, 1};
    start_words(chip, KERR_CORE_B, words, 4);
    start_words(other, KERR_CORE_B, words, 4);
    assert_ok(kerr_set_slice(chip, 1));
    assert_int_equal(kerr_cut(chip), KERR_BAD_STATE);
    assert_false(kerr_was_cut(chip));
    unsigned calls = 0;
    for (; chip_cycle(chip) < 300000; calls++) {
        const uint64_t left = 300000 - chip_cycle(chip);
        assert_ok(calls % 2 == 0 ? kerr_run(chip, left) : kerr_run_until(chip, &until, left, &reached));
        assert_true(kerr_was_cut(chip) == (chip_cycle(chip) < 300000));
    }
    assert_true(calls > 2 && !reached);
    assert_ok(kerr_run(other, 300000));
    assert_false(kerr_was_cut(other));
    kerr_chip *const both[] = {chip, other};
    for (unsigned i = 0; i < 2; i++) {
        assert_ok(kerr_core_start(both[i], at, KERR_CORE_T0, PROGRAM + 12));
        kerr_status status = KERR_OK;
        while (status == KERR_OK) {
            status = kerr_run(both[i], 100000);
        }
        assert_int_equal(status, KERR_FAULTED);
        assert_ok(kerr_hash(both[i], &hash[i]));
    }
    assert_true(chip_cycle(chip) == chip_cycle(other));
    assert_true(hash[0] == hash[1]);
    kerr_destroy(other);
}
static void run_until_stops_at_its_condition(void **state)
{
    kerr_chip *chip = *state;
    bool reached = false;
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, 0x8000);
    uint32_t loop = rva_here(a);
    rva(a, rv_addi(A0, A0, 1));
    rva(a, rv_addi(T1, X0, 1000));
    rva(a, rv_blt(A0, T1, rva_to(a, loop)));
    rva(a, rv_sw(A0, 0, T0));
    rva(a, rv_ebreak());
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
    kerr_until word = {
        .kind = KERR_UNTIL_WORD_EQ, .at = at, .address = 0x8000, .mask = 0xff0, .value = 0x3e0, .every = 1};
    assert_ok(kerr_run_until(chip, &word, 100, &reached));
    assert_false(reached);
    assert_int_equal(chip_cycle(chip), 100);
    assert_ok(kerr_run_until(chip, &word, 100000, &reached));
    assert_true(reached);
    uint64_t cycle = chip_cycle(chip);
    assert_in_range(cycle, 1000, 4000);
    assert_ok(kerr_run_until(chip, &word, 100000, &reached)); /* holds already */
    assert_true(reached);
    assert_true(chip_cycle(chip) == cycle);
    kerr_until halted = {.kind = KERR_UNTIL_CORE_STATE, .at = at, .core = KERR_CORE_B, .value = KERR_CORE_HALTED};
    assert_ok(kerr_run_until(chip, &halted, 100000, &reached));
    assert_true(reached);
    assert_int_equal(chip_cycle(chip) % 1024, 0);
    kerr_until idle = {.kind = KERR_UNTIL_IDLE};
    assert_ok(kerr_run_until(chip, &idle, 100000, &reached));
    assert_true(reached);
    kerr_until changed = {.kind = KERR_UNTIL_WORD_NE, .at = at, .address = 0x8000, .mask = UINT32_MAX, .value = 0};
    assert_ok(kerr_run_until(chip, &changed, 100000, &reached));
    assert_true(reached);
    kerr_until elsewhere = {.kind = KERR_UNTIL_WORD_EQ, .at = nowhere};
    assert_int_equal(kerr_run_until(chip, &elsewhere, 10, &reached), KERR_BAD_TILE);
}
static void a_polling_core_is_parked_and_idle(void **state)
{
    kerr_chip *chip = *state;
    bool reached = false;
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, CFG0_firmware);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, T1, 0x8000);
    uint32_t poll = rva_here(a);
    rva(a, rv_lw(T0, 0, T1));
    rva(a, rv_beq(T0, X0, rva_to(a, poll)));
    rva_end(a);
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        chip_start(chip, at, (kerr_core)c, a);
    }
    free(a);
    kerr_until idle = {.kind = KERR_UNTIL_IDLE};
    assert_ok(kerr_run_until(chip, &idle, 100000, &reached));
    assert_true(reached);
    kerr_core_info info;
    assert_ok(kerr_core_query(chip, at, KERR_CORE_T2, &info));
    assert_int_equal(info.state, KERR_CORE_PARKED);
    assert_ok(kerr_run(chip, 1000000000)); /* costs nothing */
    kerr_core_info later;
    assert_ok(kerr_core_query(chip, at, KERR_CORE_T2, &later));
    assert_true(later.cycles == info.cycles + 1000000000);
    assert_true(later.instructions > info.instructions + 100000000);
    chip_set_word(chip, at, 0x8000, 1);
    assert_ok(kerr_run(chip, 100));
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        assert_int_equal(chip_x(chip, at, (kerr_core)c, T0), 1);
    }
}

/* ---- Faults -------------------------------------------------------------------------------- */

static void a_stopping_fault_stops_the_chip_until_reset(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t words[] = {rv_addi(A0, X0, 5), 0xffffffff, rv_j(0)};
    start_words(chip, KERR_CORE_B, words, 3);
    assert_int_equal(kerr_run(chip, 100000), KERR_FAULTED);
    uint64_t cycle = chip_cycle(chip);
    assert_int_equal(kerr_run(chip, 100), KERR_FAULTED);
    assert_true(chip_cycle(chip) == cycle);
    bool reached;
    kerr_until never = {.kind = KERR_UNTIL_WORD_EQ, .at = at, .address = 0x8000, .mask = UINT32_MAX, .value = 1};
    assert_int_equal(kerr_run_until(chip, &never, 10, &reached), KERR_FAULTED);
    assert_int_equal(chip_x(chip, at, KERR_CORE_B, A0), 5);
    uint32_t count, word;
    assert_ok(kerr_fault_count(chip, &count));
    assert_int_equal(count, 1);
    kerr_fault fault;
    assert_ok(kerr_fault_get(chip, 0, &fault));
    assert_int_equal(fault.kind, KERR_FAULT_UNDEFINED);
    assert_true(fault.stopping);
    assert_int_equal(fault.tile.x, at.x);
    assert_int_equal(fault.tile.y, at.y);
    assert_int_equal(fault.core, KERR_CORE_B);
    assert_int_equal(fault.pc, PROGRAM + 4);
    assert_int_equal(fault.instruction, 0xffffffff);
    assert_in_range(fault.cycle, 1, cycle);
    assert_true(strlen(fault.text) > 0);
    assert_ok(kerr_peek(chip, at, PROGRAM, &word, 4));
    assert_int_equal(word, words[0]);
    assert_ok(kerr_reset(chip));
    assert_ok(kerr_fault_count(chip, &count));
    assert_int_equal(count, 0);
    assert_ok(kerr_run(chip, 100));
    assert_int_equal(chip_word(chip, at, PROGRAM), 0);
}
static void fault_format_fits_any_buffer(void **state)
{
    kerr_chip *chip = *state;
    const uint32_t words[] = {0xffffffff};
    start_words(chip, KERR_CORE_T2, words, 1);
    assert_int_equal(kerr_run(chip, 1000), KERR_FAULTED);
    kerr_fault fault;
    assert_ok(kerr_fault_get(chip, 0, &fault));
    size_t need = kerr_fault_format(&fault, NULL, 0);
    assert_in_range(need, 20, 1000);
    char whole[1024], part[16];
    assert_int_equal(kerr_fault_format(&fault, whole, sizeof whole), need);
    assert_int_equal(strlen(whole), need);
    assert_non_null(strstr(whole, "(1,2)"));
    assert_non_null(strstr(whole, "T2"));
    assert_null(strchr(whole, '\n'));
    memset(part, 'x', sizeof part);
    assert_int_equal(kerr_fault_format(&fault, part, sizeof part), need);
    assert_int_equal(part[sizeof part - 1], 0);
    assert_memory_equal(part, whole, sizeof part - 1);
}
static void an_ignored_kind_leaves_no_record(void **state)
{
    kerr_chip *chip = *state;
    uint32_t count;
    const uint32_t words[] = {0xffffffff};
    assert_ok(kerr_set_policy(chip, KERR_FAULT_UNDEFINED, KERR_POLICY_IGNORE));
    start_words(chip, KERR_CORE_B, words, 1);
    kerr_status status = kerr_run(chip, 1000);
    assert_ok(kerr_fault_count(chip, &count));
    assert_true(status == KERR_OK ? count == 0 : count == 1); /* where going on is not known, it stops after all */
}

/* ---- Hooks --------------------------------------------------------------------------------- */

typedef struct trace_log {
    unsigned count;
    kerr_trace_event event[64];
    kerr_chip *chip;
    kerr_status from_inside;
} trace_log;
static void on_trace(void *context, const kerr_trace_event *event)
{
    trace_log *log = context;
    if (log->count < 64) {
        log->event[log->count] = *event;
    }
    log->count++;
    log->from_inside = kerr_run(log->chip, 1);
}
static void trace_names_every_instruction(void **state)
{
    kerr_chip *chip = *state;
    trace_log log = {.chip = chip};
    const uint32_t words[] = {rv_addi(A0, X0, 2), rv_addi(A0, A0, -1), rv_bne(A0, X0, -4), rv_ebreak()};
    start_words(chip, KERR_CORE_T0, words, 4);
    assert_ok(kerr_set_trace(chip, on_trace, &log));
    assert_ok(kerr_run(chip, 500));
    static const uint32_t want[] = {0, 4, 8, 4, 8, 12};
    assert_in_range(log.count, 5, 6); /* a pausing ebreak may or may not count */
    for (unsigned i = 0; i < 5; i++) {
        assert_int_equal(log.event[i].pc, PROGRAM + want[i]);
        assert_int_equal(log.event[i].instruction, words[want[i] / 4]);
        assert_int_equal(log.event[i].core, KERR_CORE_T0);
        assert_int_equal(log.event[i].at.x, at.x);
        if (i > 0) {
            assert_true(log.event[i].cycle > log.event[i - 1].cycle);
        }
    }
    assert_int_equal(log.from_inside, KERR_BAD_STATE);
    unsigned before = log.count;
    assert_ok(kerr_set_trace(chip, NULL, NULL));
    start_words(chip, KERR_CORE_T0, words, 4);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(log.count, before);
}

static void on_order(void *context, const kerr_trace_event *event)
{
    uint64_t *last = context;
    last[1] += event->cycle < last[0];
    last[0] = event->cycle;
    last[2]++;
}
static void trace_is_in_order_of_cycle_within_a_tile(void **state)
{
    kerr_chip *chip = *state;
    uint64_t last[3] = {0};
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        rvasm *a = rva_new(PROGRAM + c * 0x1000);
        rva_li(a, T0, 0x9000);
        uint32_t loop = rva_here(a);
        rva(a, rv_addi(A0, A0, 1));
        rva(a, rv_divu(A1, A0, T0));
        rva(a, rv_lw(T1, 0, T0));
        rva(a, rv_sw(A0, (int32_t)c * 4, T0));
        rva(a, rv_add(T1, T1, T1));
        rva(a, rv_j(rva_to(a, loop)));
        chip_start(chip, at, (kerr_core)c, a);
        free(a);
    }
    assert_ok(kerr_set_trace(chip, on_order, last));
    assert_ok(kerr_run(chip, 3000));
    assert_true(last[2] > 1000);
    assert_int_equal(last[1], 0);
}

typedef struct watch_log {
    unsigned count;
    kerr_watch_event last;
} watch_log;
static void on_watch(void *context, const kerr_watch_event *event)
{
    watch_log *log = context;
    log->count++;
    log->last = *event;
}
static void watch_sees_writes_and_only_there(void **state)
{
    kerr_chip *chip = *state;
    watch_log log = {0};
    uint32_t id = 0;
    assert_ok(kerr_watch_add(chip, at, 0x8004, 4, on_watch, &log, &id));
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, 0x8000);
    rva(a, rv_addi(T1, X0, 77));
    rva(a, rv_sw(T1, 0x40, T0));
    rva(a, rv_fence());
    rva(a, rv_sw(T1, 4, T0));
    rva_end(a);
    chip_start(chip, at, KERR_CORE_B, a);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(log.count, 1);
    assert_int_equal(log.last.core, KERR_CORE_B);
    assert_true(log.last.address <= 0x8004 && log.last.address + log.last.size >= 0x8008);
    assert_in_range(log.last.cycle, 1, 500);
    assert_int_equal(log.last.at.y, at.y);
    uint32_t value = 5;
    assert_ok(kerr_write(chip, at, 0x8004, &value, 4));
    assert_int_equal(log.count, 2);
    assert_int_equal(log.last.core, -1);
    assert_ok(kerr_watch_remove(chip, id));
    chip_start(chip, at, KERR_CORE_B, a);
    assert_ok(kerr_run(chip, 500));
    assert_int_equal(log.count, 2);
    free(a);
    assert_int_equal(kerr_watch_remove(chip, id), KERR_BAD_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        cmocka_unit_test(every_status_and_kind_has_a_text),
        cmocka_unit_test(cores_have_two_names),
        cmocka_unit_test(there_are_140_tensix_tiles_row_by_row),
        TEST(null_and_unknown_arguments_are_refused),
        TEST(vector_registers_are_on_t2_only),
        TEST(a_tile_that_is_not_there_is_refused),
        TEST(an_address_outside_leaves_memory_unchanged),
        TEST(a_new_chip_is_zero_and_in_reset),
        TEST(bytes_at_any_address_come_back),
        TEST(a_core_sees_its_own_local_ram),
        TEST(peek_pops_nothing_and_read_is_the_noc),
        TEST(segments_are_loaded_and_cleared),
        TEST(bad_segments_change_nothing),
        TEST(registers_can_be_set_and_read),
        TEST(setting_the_pc_moves_a_running_core),
        TEST(reset_holds_a_core_and_start_clears_it),
        TEST(the_soft_reset_register_starts_cores),
        TEST(run_passes_exactly_that_many_cycles),
        TEST(calls_that_are_cut_end_as_one_would),
        TEST(run_until_stops_at_its_condition),
        TEST(a_polling_core_is_parked_and_idle),
        TEST(a_stopping_fault_stops_the_chip_until_reset),
        TEST(fault_format_fits_any_buffer),
        TEST(an_ignored_kind_leaves_no_record),
        TEST(trace_names_every_instruction),
        TEST(trace_is_in_order_of_cycle_within_a_tile),
        TEST(watch_sees_writes_and_only_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Traces (kerr.h, "hooks"): what is told of cores and of the coprocessor, and to whom. */
#include "../../support/unit.h"

enum { CODE_B = 0x1000, CODE_T0 = 0x2000, FLAG = 0x9000, EVENTS = 4096 };
#define MAILBOX 0xFFEC0000u
static const kerr_xy at = {1, 2};

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

typedef struct trace_log {
    unsigned count;
    kerr_trace_event event[EVENTS];
    kerr_trace_tensix tensix; /* the last */
} trace_log;

static void on_event(void *context, const kerr_trace_event *event)
{
    trace_log *log = context;
    assert_true(log->count < EVENTS);
    log->event[log->count++] = *event;
    if (event->tensix != NULL) {
        log->tensix = *event->tensix;
    }
}

/* The n-th event of this kind and core, from 0; NULL: there are not so many. */
static const kerr_trace_event *find(const trace_log *log, kerr_trace_kind kind, kerr_core core, unsigned n)
{
    for (unsigned i = 0; i < log->count; i++) {
        if (log->event[i].kind == kind && log->event[i].core == core && n-- == 0) {
            return &log->event[i];
        }
    }
    return NULL;
}

/* T0 waits for a word from B, which sends it after some time; then both stay. */
static void start_mailbox(kerr_chip *chip, int laps)
{
    rvasm *b = rva_new(CODE_B), *t0 = rva_new(CODE_T0);
    rva_li(b, T0, MAILBOX + 0x1000);
    rva_li(b, A0, (uint32_t)laps);
    const uint32_t loop = rva_here(b);
    rva(b, rv_addi(A0, A0, -1));
    rva(b, rv_bne(A0, X0, rva_to(b, loop)));
    rva(b, rv_sw(A0, 0, T0));
    rva(b, rv_j(0));
    rva_li(t0, T0, MAILBOX);
    rva(t0, rv_lw(A0, 0, T0));
    rva(t0, rv_addi(A0, A0, 1));
    rva(t0, rv_j(0));
    chip_start(chip, at, KERR_CORE_B, b);
    chip_start(chip, at, KERR_CORE_T0, t0);
    free(b);
    free(t0);
}

static void states_of_a_core_that_waits(void **state)
{
    kerr_chip *chip = *state;
    trace_log *log = calloc(1, sizeof *log);
    start_mailbox(chip, 50);
    assert_ok(kerr_set_trace_kinds(chip, KERR_TRACE_STATE, on_event, log));
    assert_ok(kerr_run(chip, 1000));
    const kerr_trace_event *running = find(log, KERR_TRACE_STATE, KERR_CORE_T0, 0);
    const kerr_trace_event *waiting = find(log, KERR_TRACE_STATE, KERR_CORE_T0, 1);
    const kerr_trace_event *goes_on = find(log, KERR_TRACE_STATE, KERR_CORE_T0, 2);
    assert_true(running != NULL && waiting != NULL && goes_on != NULL);
    assert_int_equal(running->state, KERR_CORE_RUNNING);
    assert_int_equal(waiting->state, KERR_CORE_WAITING);
    assert_int_equal(waiting->address, MAILBOX);
    assert_false(waiting->is_store);
    assert_int_equal(goes_on->state, KERR_CORE_RUNNING);
    assert_true(waiting->cycle > running->cycle && goes_on->cycle > waiting->cycle + 50);
    assert_null(find(log, KERR_TRACE_STATE, KERR_CORE_T0, 3)); /* it runs on: nothing asked for parking */
    assert_null(find(log, KERR_TRACE_INSTRUCTION, KERR_CORE_T0, 0));
    assert_null(find(log, KERR_TRACE_STATE, KERR_CORE_NC, 0)); /* in reset, as it was */
    assert_ok(kerr_core_reset(chip, at, KERR_CORE_T0, true));
    assert_ok(kerr_run(chip, 10));
    const kerr_trace_event *reset = find(log, KERR_TRACE_STATE, KERR_CORE_T0, 3);
    assert_true(reset != NULL && reset->state == KERR_CORE_IN_RESET && reset->cycle >= 999);
    free(log);
}

static void the_end_of_a_wait_is_the_cycle_of_the_store(void **state)
{
    kerr_chip *chip = *state;
    trace_log *log = calloc(1, sizeof *log);
    start_mailbox(chip, 50);
    assert_ok(kerr_set_trace_kinds(chip, KERR_TRACE_STATE | KERR_TRACE_INSTRUCTION, on_event, log));
    assert_ok(kerr_run(chip, 600));
    const kerr_trace_event *store = NULL;
    for (unsigned i = 0; i < log->count; i++) {
        const kerr_trace_event *event = &log->event[i];
        if (event->kind == KERR_TRACE_INSTRUCTION && event->core == KERR_CORE_B && event->is_store) {
            store = event;
        }
    }
    const kerr_trace_event *goes_on = find(log, KERR_TRACE_STATE, KERR_CORE_T0, 2);
    assert_true(store != NULL && goes_on != NULL);
    assert_int_equal(store->address, MAILBOX + 0x1000);
    assert_int_equal(goes_on->cycle, store->cycle);
    free(log);
}

static void parking_is_told_only_if_asked_for(void **state)
{
    kerr_chip *chip = *state;
    trace_log *log = calloc(1, sizeof *log);
    rvasm *a = rva_new(CODE_B);
    rva_li(a, T0, FLAG);
    const uint32_t loop = rva_here(a);
    rva(a, rv_lw(A0, 0, T0));
    rva(a, rv_beq(A0, X0, rva_to(a, loop)));
    rva(a, rv_j(0));
    chip_start(chip, at, KERR_CORE_B, a);
    free(a);
    assert_ok(
        kerr_set_trace_kinds(chip, KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_PARKING, on_event, log));
    assert_ok(kerr_run(chip, 4000));
    const kerr_trace_event *parked = find(log, KERR_TRACE_STATE, KERR_CORE_B, 1);
    assert_non_null(parked);
    assert_int_equal(parked->state, KERR_CORE_PARKED);
    assert_in_range(parked->address, FLAG & ~15u, FLAG);
    const unsigned before = log->count;
    assert_ok(kerr_run(chip, 4000));
    assert_int_equal(log->count, before); /* laps are left out */
    assert_ok(kerr_poke(chip, at, FLAG, &(uint32_t){1}, 4));
    assert_ok(kerr_run(chip, 50));
    assert_int_equal(find(log, KERR_TRACE_STATE, KERR_CORE_B, 2)->state, KERR_CORE_RUNNING);
    /* A full trace wakes it. */
    log->count = 0;
    assert_ok(kerr_run(chip, 4000));
    log->count = 0;
    assert_ok(kerr_set_trace(chip, on_event, log));
    assert_ok(kerr_run(chip, 100));
    assert_in_range(log->count, 20, 101);
    assert_null(find(log, KERR_TRACE_STATE, KERR_CORE_B, 0));
    free(log);
}

static void addresses_of_accesses(void **state)
{
    kerr_chip *chip = *state;
    trace_log *log = calloc(1, sizeof *log);
    const uint32_t words[] = {rv_lui(T0, FLAG >> 12),  rv_addi(A0, X0, 7), rv_sw(A0, 8, T0), rv_lh(A1, -4, T0),
                              rv_amoadd_w(A2, A0, T0), rv_addi(A0, A0, 1), rv_j(0)};
    assert_ok(kerr_poke(chip, at, CODE_B, words, sizeof words));
    assert_ok(kerr_core_start(chip, at, KERR_CORE_B, CODE_B));
    assert_ok(kerr_set_trace(chip, on_event, log));
    assert_ok(kerr_run(chip, 60));
    static const struct {
        uint32_t address;
        bool is_store;
    } want[] = {{0, false}, {0, false}, {FLAG + 8, true}, {FLAG - 4, false}, {FLAG, true}, {0, false}};
    assert_true(log->count >= 6);
    for (unsigned i = 0; i < 6; i++) {
        assert_int_equal(log->event[i].instruction, words[i]);
        assert_int_equal(log->event[i].address, want[i].address);
        assert_int_equal(log->event[i].is_store, want[i].is_store);
    }
    free(log);
}

static void unknown_kinds_are_refused(void **state)
{
    kerr_chip *chip = *state;
    trace_log log;
    assert_int_equal(kerr_set_trace_kinds(NULL, KERR_TRACE_STATE, on_event, &log), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_set_trace_kinds(chip, 1 << 20, on_event, &log), KERR_BAD_ARGUMENT);
    assert_ok(kerr_set_trace_kinds(chip, 0, NULL, NULL));
}

static void addresses_in_words(void **state)
{
    (void)state;
    static const struct {
        kerr_tile_kind kind;
        kerr_core core;
        uint32_t address;
        bool is_store;
        const char *text;
    } want[] = {
        {KERR_TILE_TENSIX, KERR_CORE_T0, MAILBOX, false, "mailbox from B"},
        {KERR_TILE_TENSIX, KERR_CORE_B, MAILBOX + 0x3000, true, "mailbox to T2"},
        {KERR_TILE_TENSIX, KERR_CORE_T1, 0xFFE40000, true, "Tensix T1 instruction FIFO"},
        {KERR_TILE_TENSIX, KERR_CORE_B, 0xFFE60000, true, "Tensix T2 instruction FIFO"},
        {KERR_TILE_TENSIX, KERR_CORE_T2, 0xFFE80000, false, "PCBuf from B"},
        {KERR_TILE_TENSIX, KERR_CORE_B, 0xFFE90000, true, "PCBuf to T1"},
        {KERR_TILE_TENSIX, KERR_CORE_B, 0xFFE90000, false, "PCBuf to T1, until it is empty and T1 idle"},
        {KERR_TILE_TENSIX, KERR_CORE_T1, 0xFFE80004, false, "TTSync: Tensix T1 done"},
        {KERR_TILE_TENSIX, KERR_CORE_T1, 0xFFE80008, false, "TTSync: MOP expander of T1 done"},
        {KERR_TILE_TENSIX, KERR_CORE_NC, 0x20000, false, "L1 0x00020000"},
        {KERR_TILE_DRAM, KERR_CORE_D, 0x20000, false, "0x00020000"},
        {KERR_TILE_TENSIX, KERR_CORE_B, 0xFFB00010, false, "local RAM 0xffb00010"},
        {KERR_TILE_TENSIX, KERR_CORE_B, 0xFFB121F0, false, "RISCV_DEBUG_REG_WALL_CLOCK_0 0xffb121f0"},
        {KERR_TILE_TENSIX, KERR_CORE_B, 0x70000000, false, "0x70000000"},
    };
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        char text[64] = "";
        const size_t length =
            kerr_address_format(want[i].kind, want[i].core, want[i].address, want[i].is_store, text, sizeof text);
        assert_string_equal(text, want[i].text);
        assert_int_equal(length, strlen(want[i].text));
        assert_int_equal(kerr_address_format(want[i].kind, want[i].core, want[i].address, want[i].is_store, NULL, 0),
                         length);
    }
    for (int unit = 0; unit < KERR_UNIT_COUNT; unit++) {
        assert_string_not_equal(kerr_tensix_unit_name((kerr_tensix_unit)unit), "?");
    }
    assert_string_equal(kerr_tensix_unit_name(KERR_UNIT_COUNT), "?");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(states_of_a_core_that_waits),       TEST(the_end_of_a_wait_is_the_cycle_of_the_store),
        TEST(parking_is_told_only_if_asked_for), TEST(addresses_of_accesses),
        TEST(unknown_kinds_are_refused),         TEST(addresses_in_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

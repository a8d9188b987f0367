/* SPDX-License-Identifier: Apache-2.0 */
/* How it ends (kerr.h): verdict, cycle and instructions, the same however a chip is run. */
#include "../../support/ttasm.h"
#include "../../support/unit.h"

#include "noc_regs.h"

#define NIU 0xFFB20000u
enum { FLAG = 0x8000, DATA = 0x20000, ENDS = 0x1000, POLLS = 0x2800, READS = 0x3000 };
static const kerr_xy here = {1, 2}, far_away = {14, 11};

static kerr_end end_of(const kerr_chip *chip)
{
    kerr_end end;
    MUST(chip, kerr_end_query(chip, &end));
    return end;
}

static kerr_core_end core_end(const kerr_chip *chip, kerr_xy at, kerr_core core)
{
    kerr_core_end end;
    MUST(chip, kerr_core_end_query(chip, at, core, &end));
    return end;
}

static bool wait_for_end(kerr_chip *chip, uint32_t every, uint64_t most)
{
    bool reached;
    const kerr_until idle = {.kind = KERR_UNTIL_IDLE, .every = every};
    MUST(chip, kerr_run_until(chip, &idle, most, &reached));
    return reached;
}

/* B counts for a while, sets a flag and ends; T1 polls that flag and ends; NC counts less. */
static void load(kerr_chip *chip, bool sets)
{
    for (unsigned c = KERR_CORE_B; c <= KERR_CORE_NC;
         c += c == KERR_CORE_B ? KERR_CORE_T1 : KERR_CORE_NC - KERR_CORE_T1) {
        const bool polls = c == KERR_CORE_T1;
        rvasm *a = rva_new(polls ? POLLS : ENDS + 0x400 * c);
        rva_li(a, T0, FLAG);
        rva_li(a, A0, c == KERR_CORE_B ? 3000 : 700);
        const uint32_t loop = rva_here(a);
        if (polls) {
            rva(a, rv_lw(T1, 0, T0));
            rva(a, rv_beq(T1, X0, rva_to(a, loop)));
        } else {
            rva(a, rv_addi(A0, A0, -1));
            rva(a, rv_bne(A0, X0, rva_to(a, loop)));
        }
        if (c == KERR_CORE_B && sets) {
            rva(a, rv_sw(T0, 0, T0));
        }
        rva_end(a);
        chip_start(chip, here, (kerr_core)c, a);
        free(a);
    }
}

static void nothing(void *context, const kerr_trace_event *event)
{
    (void)context;
    (void)event;
}

static void the_end_is_the_same_however_it_is_run(void **state)
{
    (void)state;
    kerr_end first = {.cycle = 0};
    kerr_core_end first_core = {.cycle = 0};
    for (unsigned way = 0; way < 7; way++) {
        kerr_config config;
        kerr_config_init(&config);
        config.threads = way == 1 ? 2 : 1;
        config.no_parking = way == 2;
        config.window_cycles = way == 3 ? 1 : 0;
        config.max_block = way == 4 ? 1 : 0;
        kerr_chip *chip = chip_new(&config);
        if (way == 5) {
            MUST(chip, kerr_set_trace_kinds(chip, KERR_TRACE_INSTRUCTION, nothing, NULL));
        }
        load(chip, true);
        for (unsigned i = 0; way == 6 && i < 100; i++) {
            MUST(chip, kerr_run(chip, 7));
        }
        assert_true(wait_for_end(chip, 0, 1000000));
        const kerr_end end = end_of(chip);
        const kerr_core_end core = core_end(chip, here, KERR_CORE_T1);
        assert_int_equal(end.verdict, KERR_VERDICT_FINISHED);
        assert_int_equal(end.cores, 3);
        assert_int_equal(end.finished, 3);
        assert_int_equal(core.stand, KERR_STANDS_ENDED);
        if (way == 0) {
            first = end;
            first_core = core;
            assert_in_range(end.cycle, 3000, 20000);
            assert_true(end.cycle % 1024 != 0 && end.cycle == core.cycle); /* the last to hear of it */
            assert_true(core_end(chip, here, KERR_CORE_NC).cycle < core_end(chip, here, KERR_CORE_B).cycle);
            const kerr_core_end nc = core_end(chip, here, KERR_CORE_NC);
            assert_int_equal(nc.instructions,
                             (nc.pc - ENDS - 0x400 * KERR_CORE_NC) / 4 + 2 * 699); /* none of the end loop */
        }
        assert_memory_equal(&end, &first, sizeof end);
        assert_true(core.cycle == first_core.cycle && core.instructions == first_core.instructions);
        MUST(chip, kerr_run(chip, 100000));
        assert_true(end_of(chip).cycle == first.cycle && end_of(chip).instructions == first.instructions);
        kerr_destroy(chip);
    }
}

static void who_waits_for_good_hangs(void **state)
{
    (void)state;
    for (unsigned way = 0; way < 2; way++) {
        kerr_config config;
        kerr_config_init(&config);
        config.no_parking = way == 1;
        kerr_chip *chip = chip_new(&config);
        load(chip, false);
        assert_true(wait_for_end(chip, 0, 1000000));
        const uint64_t cycle = chip_cycle(chip);
        kerr_end end = end_of(chip);
        assert_int_equal(end.verdict, KERR_VERDICT_HUNG);
        assert_true(end.cores == 3 && end.finished == 2 && end.cycle == cycle);
        assert_int_equal(core_end(chip, here, KERR_CORE_T1).stand, KERR_STANDS_POLLING);
        kerr_core_info info;
        MUST(chip, kerr_core_query(chip, here, KERR_CORE_T1, &info));
        assert_int_equal(info.state, KERR_CORE_PARKED);
        assert_int_equal(info.wait_address, FLAG);
        bool reached;
        const kerr_until never = {
            .kind = KERR_UNTIL_WORD_EQ, .at = here, .address = FLAG, .mask = UINT32_MAX, .value = 7};
        MUST(chip, kerr_run_until(chip, &never, 1000000, &reached)); /* is not waited for */
        assert_false(reached);
        assert_true(chip_cycle(chip) == cycle);
        const kerr_code poll = {POLLS + 16, 8}, elsewhere = {POLLS, 4};
        MUST(chip, kerr_set_ends(chip, here, KERR_CORE_T1, &elsewhere, 1));
        assert_int_equal(end_of(chip).verdict, KERR_VERDICT_HUNG);
        MUST(chip, kerr_set_ends(chip, here, KERR_CORE_T1, &poll, 1));
        assert_int_equal(core_end(chip, here, KERR_CORE_T1).stand, KERR_STANDS_IDLE);
        assert_int_equal(end_of(chip).verdict, KERR_VERDICT_FINISHED);
        MUST(chip, kerr_set_ends(chip, here, KERR_CORE_T1, NULL, 0));
        chip_set_word(chip, here, FLAG, 1); /* the host can always write */
        assert_int_equal(end_of(chip).verdict, KERR_VERDICT_GOES_ON);
        assert_true(wait_for_end(chip, 0, 1000000));
        assert_int_equal(end_of(chip).verdict, KERR_VERDICT_FINISHED);
        MUST(chip, kerr_core_reset(chip, here, KERR_CORE_T1, true));
        assert_int_equal(core_end(chip, here, KERR_CORE_T1).stand, KERR_STANDS_OFF);
        assert_int_equal(end_of(chip).cores, 2);
        kerr_destroy(chip);
    }
}

/* A core that polls for the answer of a request which is still on its way does not hang, in whatever cycle one looks. */
static void what_is_under_way_counts(void **state)
{
    (void)state;
    kerr_chip *chip = chip_new_one_thread();
    rvasm *a = rva_new(READS);
    rva_li(a, T0, NIU);
    const uint32_t words[][2] = {{NOC_TARG_ADDR_LO, DATA}, {NOC_TARG_ADDR_HI, (uint32_t)(far_away.x | far_away.y << 6)},
                                 {NOC_RET_ADDR_LO, DATA},  {NOC_RET_ADDR_HI, (uint32_t)(here.x | here.y << 6)},
                                 {NOC_AT_LEN_BE, 8192},    {NOC_CTRL, 0},
                                 {NOC_CMD_CTRL, 1}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        rva_li(a, T1, words[i][1]);
        rva(a, rv_sw(T1, (int)words[i][0], T0));
    }
    const uint32_t loop = rva_here(a);
    rva(a, rv_lw(T1, NIU_MST_RD_RESP_RECEIVED, T0));
    rva(a, rv_beq(T1, X0, rva_to(a, loop)));
    rva_end(a);
    chip_start(chip, here, KERR_CORE_B, a);
    free(a);
    assert_true(wait_for_end(chip, 1, 100000));
    assert_int_equal(end_of(chip).verdict, KERR_VERDICT_FINISHED);
    assert_int_equal(chip_word(chip, here, NIU + NIU_MST_RD_RESP_RECEIVED), 1);
    kerr_destroy(chip);
}

/* Of a program that names its ends a jump to itself elsewhere is none; an interrupt could lead out of one. */
static void a_jump_to_itself(void **state)
{
    (void)state;
    kerr_chip *chip = chip_new_one_thread();
    const uint32_t words[] = {rv_addi(A0, X0, 1), rv_j(0)};
    MUST(chip, kerr_poke(chip, here, ENDS, words, sizeof words));
    MUST(chip, kerr_core_start(chip, here, KERR_CORE_B, ENDS));
    assert_true(wait_for_end(chip, 0, 100000));
    assert_int_equal(end_of(chip).verdict, KERR_VERDICT_FINISHED);
    assert_int_equal(end_of(chip).instructions, 1);
    const kerr_code named = {ENDS + 4, 4}, elsewhere = {ENDS, 4};
    MUST(chip, kerr_set_ends(chip, here, KERR_CORE_B, &named, 1));
    assert_int_equal(core_end(chip, here, KERR_CORE_B).stand, KERR_STANDS_ENDED);
    MUST(chip, kerr_set_ends(chip, here, KERR_CORE_B, &elsewhere, 1));
    assert_int_equal(core_end(chip, here, KERR_CORE_B).stand, KERR_STANDS_LOOPING);
    assert_int_equal(end_of(chip).verdict, KERR_VERDICT_HUNG);
    MUST(chip, kerr_set_ends(chip, here, KERR_CORE_B, NULL, 0));
    MUST(chip, kerr_reg_set(chip, here, KERR_CORE_B, KERR_REG_PC, ENDS)); /* once more */
    const uint64_t before = chip_cycle(chip);
    MUST(chip, kerr_run(chip, 1000));
    assert_true(core_end(chip, here, KERR_CORE_B).cycle >= before);
    kerr_code many[KERR_ENDS_MAX + 1] = {{0, 0}};
    assert_int_equal(kerr_set_ends(chip, here, KERR_CORE_B, many, KERR_ENDS_MAX + 1), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_set_ends(chip, here, KERR_CORE_B, NULL, 1), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_set_ends(chip, (kerr_xy){0, 0}, KERR_CORE_E1, NULL, 0), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_set_ends(chip, (kerr_xy){KERR_GRID_X, 0}, KERR_CORE_B, NULL, 0), KERR_BAD_TILE);
    assert_int_equal(kerr_core_end_query(chip, here, KERR_CORE_B, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_end_query(chip, NULL), KERR_BAD_ARGUMENT);
    assert_string_equal(kerr_verdict_name(KERR_VERDICT_HUNG), "hung");
    assert_string_equal(kerr_stand_name(KERR_STANDS_LOOPING), "looping");
    kerr_destroy(chip);
}

/* In the cycle in which units are done, who waits for them has not seen it yet: looked at in every cycle, nothing rests before the end. */
static void what_has_just_been_done_counts(void **state)
{
    (void)state;
    enum { DONE_CHECK = 4, ADDDMAREG = 12, EVERY_CYCLE = 1 };
    kerr_chip *chip = chip_new_one_thread();
    rvasm *a = rva_new(POLLS);
    rva_li(a, T0, 0xFFE80000u);
    for (unsigned i = 0; i < 20; i++) {
        for (unsigned n = 0; n < i % ADDDMAREG; n++) {
            rva(a, tt_ttinsn(tt_alu(TT_ADDDMAREG, 0, 0, 8, 6, 7)));
        }
        rva(a, rv_lw(T1, DONE_CHECK, T0));
        rva(a, rv_add(T1, T1, T1));
    }
    rva_li(a, T0, FLAG);
    rva(a, rv_sw(T0, 0, T0));
    rva_end(a);
    chip_start(chip, here, KERR_CORE_T1, a);
    free(a);
    bool reached;
    const kerr_until flag = {.kind = KERR_UNTIL_WORD_EQ,
                             .at = here,
                             .address = FLAG,
                             .mask = UINT32_MAX,
                             .value = FLAG,
                             .every = EVERY_CYCLE};
    MUST(chip, kerr_run_until(chip, &flag, 20000, &reached));
    assert_true(reached);
    assert_true(wait_for_end(chip, EVERY_CYCLE, 20000));
    assert_int_equal(end_of(chip).verdict, KERR_VERDICT_FINISHED);
    kerr_destroy(chip);
}

/* Parking understands it, since it has no end; whether it does must not be seen. */
static void a_loop_that_counts_goes_on(void **state)
{
    (void)state;
    for (unsigned no_parking = 0; no_parking < 2; no_parking++) {
        kerr_config config;
        kerr_config_init(&config);
        config.threads = 1;
        config.no_parking = no_parking;
        kerr_chip *chip = chip_new(&config);
        rvasm *a = rva_new(POLLS);
        const uint32_t loop = rva_here(a);
        rva(a, rv_addi(T0, T0, 1));
        rva(a, rv_addi(T1, T1, 1));
        rva(a, rv_jal(X0, rva_to(a, loop)));
        chip_start(chip, here, KERR_CORE_B, a);
        free(a);
        MUST(chip, kerr_run(chip, 100000));
        assert_int_equal(core_end(chip, here, KERR_CORE_B).stand, KERR_STANDS_GOING_ON);
        assert_int_equal(end_of(chip).verdict, KERR_VERDICT_GOES_ON);
        kerr_destroy(chip);
    }
}

/* What a host that waits may ask: nothing happens; a core goes on for itself; more goes on. */
static void who_waits_is_told_what_goes_on(void **state)
{
    (void)state;
    kerr_chip *chip = chip_new(NULL);
    kerr_rest rest;
    uint32_t hung = 1;
    assert_int_equal(kerr_rest_query(NULL, 1, &rest), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_rest_query(chip, 1, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_left_hanging(NULL, &hung), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_left_hanging(chip, NULL), KERR_BAD_ARGUMENT);
    MUST(chip, kerr_rest_query(chip, UINT64_MAX, &rest));
    assert_true(rest.until == UINT64_MAX && rest.alone == 0 && rest.deeds == 0);
    MUST(chip, kerr_left_hanging(chip, &hung));
    assert_int_equal(hung, 0);
    /* T1 has its coprocessor do something and then writes down the clock for good; B beside it does too. */
    for (unsigned second = 0; second < 2; second++) {
        rvasm *a = rva_new(ENDS + 0x400 * second);
        if (second == 0) {
            rva(a, tt_ttinsn(tt_sem(TT_SEMPOST, 1)));
        }
        rva_li(a, T0, 0xFFB121F0);
        rva_li(a, T2, FLAG);
        const uint32_t loop = rva_here(a);
        rva(a, rv_lw(T1, 0, T0));
        rva(a, rv_sw(T1, 0, T2));
        rva(a, rv_jal(X0, rva_to(a, loop)));
        chip_start(chip, here, second ? KERR_CORE_B : KERR_CORE_T1, a);
        free(a);
        MUST(chip, kerr_run(chip, 10000));
        MUST(chip, kerr_rest_query(chip, 65536, &rest));
        assert_true(rest.until < 10000 * (second + 1) + 65536);
        assert_int_equal(rest.alone, second ? KERR_NOT_ALONE : 1);
        assert_int_equal(rest.deeds, second ? 0 : 1);
    }
    kerr_destroy(chip);
}

static void a_kernel_that_waits_hangs_firmware_does_not(void **state)
{
    (void)state;
    kerr_chip *chip = chip_new(NULL);
    uint32_t hung;
    load(chip, false); /* T1 polls for good */
    assert_true(wait_for_end(chip, 0, 1000000));
    MUST(chip, kerr_left_hanging(chip, &hung));
    assert_int_equal(hung, 0);
    assert_false(kerr_core_has_kernel(chip, here, KERR_CORE_T1));
    const uint8_t sync[KERR_SYNC_BYTES] = {KERR_SYNC_DONE, KERR_SYNC_DONE, KERR_SYNC_GO, KERR_SYNC_DONE};
    MUST(chip, kerr_poke(chip, here, KERR_SYNC_ADDRESS, sync, sizeof sync));
    MUST(chip, kerr_left_hanging(chip, &hung));
    assert_int_equal(hung, 1);
    assert_true(kerr_core_has_kernel(chip, here, KERR_CORE_T1) && kerr_core_has_kernel(chip, here, KERR_CORE_B));
    assert_false(kerr_core_has_kernel(chip, here, KERR_CORE_NC));
    assert_false(kerr_core_has_kernel(NULL, here, KERR_CORE_B) ||
                 kerr_core_has_kernel(chip, kerr_dram_xy(0), KERR_CORE_D) ||
                 kerr_core_has_kernel(chip, far_away, KERR_CORE_B));
    const uint8_t data = 7; /* not what the firmware writes */
    MUST(chip, kerr_poke(chip, here, KERR_SYNC_ADDRESS, &data, 1));
    assert_false(kerr_core_has_kernel(chip, here, KERR_CORE_T1));
    kerr_destroy(chip);
}

/* The counters of who samples: those of a tile, which tiles have anything to do, what the NoC carried. */
static void samples_are_the_chip_counters(void **state)
{
    (void)state;
    kerr_config config;
    kerr_config_init(&config);
    config.threads = 3;
    kerr_chip *chip = chip_new(&config);
    kerr_activity activity;
    kerr_noc_flits flits;
    uint64_t due[KERR_TILES], sum = 0;
    uint32_t threads = 0;
    assert_int_equal(kerr_threads(NULL, &threads), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_threads(chip, NULL), KERR_BAD_ARGUMENT);
    MUST(chip, kerr_threads(chip, &threads));
    assert_int_equal(threads, 3);
    assert_int_equal(kerr_due_query(NULL, due), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_due_query(chip, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_noc_flits_query(NULL, &flits), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_noc_flits_query(chip, NULL), KERR_BAD_ARGUMENT);
    load(chip, true);
    MUST(chip, kerr_due_query(chip, due));
    for (uint32_t i = 0; i < KERR_TILES; i++) {
        assert_int_equal(due[i] == UINT64_MAX, i != 0); /* `here` is the first */
    }
    assert_true(wait_for_end(chip, 0, 1000000));
    MUST(chip, kerr_activity_query(chip, here, &activity));
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        const bool off = core == KERR_CORE_T0 || core == KERR_CORE_T2;
        assert_int_equal(activity.core[core].in_reset, off);
        assert_int_equal(activity.core[core].instructions == 0, off);
        sum += activity.core[core].instructions;
    }
    assert_int_equal(sum, activity.instructions);
    const uint32_t end = core_end(chip, here, KERR_CORE_NC).pc;
    assert_int_equal(activity.core[KERR_CORE_NC].pc, end);
    MUST(chip, kerr_noc_flits_query(chip, &flits));
    const kerr_noc_flits none = {.of = {{{0}}}};
    assert_memory_equal(&flits, &none, sizeof flits);
    kerr_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_end_is_the_same_however_it_is_run),
        cmocka_unit_test(who_waits_is_told_what_goes_on),
        cmocka_unit_test(a_kernel_that_waits_hangs_firmware_does_not),
        cmocka_unit_test(samples_are_the_chip_counters),
        cmocka_unit_test(who_waits_for_good_hangs),
        cmocka_unit_test(what_is_under_way_counts),
        cmocka_unit_test(a_jump_to_itself),
        cmocka_unit_test(what_has_just_been_done_counts),
        cmocka_unit_test(a_loop_that_counts_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

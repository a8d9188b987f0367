/* SPDX-License-Identifier: Apache-2.0 */
/* Auto TTSync as a core feels it (manual BabyRISCV/AutoTTSync): pushes, loads and stores in program order, and the one
 * case in which the hardware does not keep it. */
#include "../../support/ttasm.h"
#include "../../support/unit.h"

/* The library's own names collide with the helpers'. */
#define chip_hash library_hash
#define chip_run library_run
#include "chip/chip.h"

enum { PROGRAM = 0x1000, DATA = 0x8000, L0_OFF = 1 << 3, FUSION_OFF = 1 << 18 };
enum { TRACK_ALL = 29 }; /* ThreadConfig 56: on, configuration, GPRs, TDMA-RISC */
#define REGFILE 0xFFE00000u
static const kerr_xy at = {1, 2};

static uint32_t ttinsn(uint32_t instruction)
{
    return instruction << 2 | instruction >> 30;
}

static rvasm *begin(void)
{
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, T0, L0_OFF | FUSION_OFF);
    rva(a, rv_csrw(CSR_cfg0, T0));
    rva_li(a, A0, REGFILE);
    rva_li(a, A1, DATA);
    rva_li(a, A2, 100);
    rva(a, rv_fence());
    return a;
}

/* Runs it on RISCV T1; T2 of the core is what is looked at. */
static uint32_t run(rvasm *a, unsigned tracking)
{
    kerr_chip *chip = chip_new_one_thread();
    struct tensix_thread *t = &chip_tile(chip, chip_tile_index(at))->dev.tensix.thread[1];
    t->config[56] = (uint16_t)tracking;
    t->gpr[1] = 5;
    t->gpr[2] = 7;
    rva(a, rv_addi(T2, T2, 0)); /* the load has answered */
    rva_end(a);
    chip_start(chip, at, KERR_CORE_T1, a);
    free(a);
    assert_ok(kerr_run(chip, 1000));
    const uint32_t value = chip_x(chip, at, KERR_CORE_T1, T2);
    kerr_destroy(chip);
    return value;
}

/* SETDMAREG, then a load of what it writes. */
static uint32_t push_then_load(unsigned tracking, bool store_first, bool fence)
{
    rvasm *a = begin();
    if (store_first)
        rva(a, rv_sw(X0, 0, A1)); /* waits a while for others to merge with; the push waits behind it */
    rva(a, ttinsn(tt_setdmareg(4, 0x1234)));
    if (fence)
        rva(a, rv_fence());
    rva(a, rv_lw(T2, 8, A0));
    return run(a, tracking);
}

static void a_load_sees_what_the_push_before_it_wrote(void **state)
{
    (void)state;
    assert_int_equal(push_then_load(TRACK_ALL, false, true), 0x1234);
    assert_int_equal(push_then_load(TRACK_ALL, true, true), 0x1234);
    assert_int_equal(push_then_load(0, false, false), 7); /* otherwise it comes too early */
}

static void a_push_in_the_store_queue_is_overtaken_by_a_load(void **state)
{
    (void)state;
    assert_int_equal(push_then_load(TRACK_ALL, true, false), 7); /* the manual's hardware bug */
}

/* An instruction reads GPR 1, a store behind it changes that. */
static uint32_t push_then_store(unsigned tracking)
{
    rvasm *a = begin();
    rva(a, ttinsn(tt_alu(TT_MULDMAREG, 0, 0, 3, 1, 1)));
    rva(a, rv_sw(A2, 4, A0));
    for (unsigned i = 0; i < 40; i++)
        rva(a, rv_nop());
    rva(a, rv_lw(T2, 12, A0));
    return run(a, tracking);
}

static void a_store_does_not_overtake_the_push_before_it(void **state)
{
    (void)state;
    assert_int_equal(push_then_store(TRACK_ALL), 25);
    assert_int_equal(push_then_store(0), 10000);
}

static void a_push_does_not_overtake_the_store_before_it(void **state)
{
    (void)state;
    rvasm *a = begin();
    rva(a, ttinsn(tt_alu(TT_MULDMAREG, 0, 0, 4, 1, 1))); /* holds the store up */
    rva(a, rv_sw(A2, 4, A0));
    rva(a, ttinsn(tt_alu(TT_ADDDMAREG, 0, 0, 3, 1, 1)));
    rva(a, rv_fence());
    rva(a, rv_lw(T2, 12, A0));
    assert_int_equal(run(a, TRACK_ALL), 200);
}

static void a_push_does_not_overtake_the_load_before_it(void **state)
{
    (void)state;
    rvasm *a = begin();
    rva(a, ttinsn(tt_alu(TT_MULDMAREG, 0, 0, 2, 1, 1))); /* holds the load up */
    rva(a, rv_fence());
    rva(a, rv_lw(T2, 8, A0)); /* not waited for: the core goes on */
    for (unsigned i = 0; i < 4; i++)
        rva(a, ttinsn(tt_setdmareg(4, 0x4321)));
    assert_int_equal(run(a, TRACK_ALL), 25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_load_sees_what_the_push_before_it_wrote),
        cmocka_unit_test(a_push_in_the_store_queue_is_overtaken_by_a_load),
        cmocka_unit_test(a_store_does_not_overtake_the_push_before_it),
        cmocka_unit_test(a_push_does_not_overtake_the_store_before_it),
        cmocka_unit_test(a_push_does_not_overtake_the_load_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* SETDVALID where the policy goes on; the rest of the Miscellaneous Unit is in tests/isa/tensix. */
#include "unit/tensix/exec.h"

#include "tensix/events.h"

static void setdvalid_gives_the_unpackers_bank_away_if_one_goes_on(void **state)
{
    struct tile *tile = *state;
    struct tensix_src *src = tile->dev.tensix.src;
    tile->goes_on = true;
    thread_of(tile, 1)->config[SRCA_SET_Base_ADDR32] = 3;
    thread_of(tile, 1)->config[SRCB_SET_Base_ADDR32] = 2;
    assert_true(try_exec(tile, 1, "SETDVALID FlipSrcA=1"));
    assert_true(src[0].matrix_owns[0]);
    assert_int_equal(src[0].unpacker_bank, 1);
    assert_int_equal(src[0].unpacker_row[1], 48);
    assert_int_equal(src[0].unpacker_row[0], 0);
    assert_int_equal(src[1].unpacker_bank, 0);
    assert_true(try_exec(tile, 1, "SETDVALID FlipSrcA=1, FlipSrcB=1"));
    assert_true(src[0].matrix_owns[1]);
    assert_int_equal(src[0].unpacker_bank, 0);
    assert_true(src[1].matrix_owns[0]);
    assert_int_equal(src[1].unpacker_row[1], 32);
    assert_int_equal(src[0].matrix_bank | src[1].matrix_bank, 0);
}

/* Fourteen bits and more: the high ones are in ThreadConfig, for the phase and for messages. */
static void the_target_of_streamwait_has_a_high_part(void **state)
{
    struct tile *tile = *state;
    struct tensix_thread *t = thread_of(tile, 0);
    t->config[STREAMWAIT_NUM_MSGS_HI_Val_ADDR32] = 3;
    t->config[STREAM_ID_SYNC_SEC0_BankSel_ADDR32 + 2] = 9;
    exec(tile, "STREAMWAIT BlockMask=2, TargetValueLo=5, ConditionIndex=1, StreamSelect=2");
    assert_int_equal(t->latch.target, 3 << 10 | 5);
    assert_int_equal(t->latch.stream, 9);
    assert_int_equal(t->latch.conditions, 2);
}

/* The newest request is taken back where an answer would change a GPR; older ones arrive. */
static void soft_reset_of_the_scalar_unit_takes_its_newest_request_back(void **state)
{
    enum { LOAD = 0, COMPARE = 6 }; /* scalar_memory.c */
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    tx->scalar.head = SCALAR_REQUESTS - 2;
    tx->scalar.count = 3;
    tx->scalar.request[SCALAR_REQUESTS - 1].thread = 2;
    tx->scalar.request[0] = (struct tensix_request){.kind = COMPARE, .thread = 1};
    scalar_soft_reset(tx, 50);
    assert_int_equal(tx->scalar.count, 2);
    assert_int_equal(tx->scalar.request[0].kind, 0);
    assert_int_equal(tx->scalar.request[SCALAR_REQUESTS - 1].thread, 2);
    assert_int_equal(tx->scalar.port_free, 51);
    scalar_soft_reset(tx, 60); /* a load is on its way */
    assert_int_equal(tx->scalar.count, 2);
}

/* A write to a global word does something in its cycle; that of the first of them is told. */
static void writes_that_act_are_known_ahead(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    assert_int_equal(tensix_later_acts(tx), UINT64_MAX);
    tx->later_count = 3;
    for (unsigned i = 0; i < 3; i++)
        tx->later[i] = (struct tensix_write){.cycle = 70 + i, .kind = LATER_CONFIG, .place = GLOBAL_CFGREG_BASE_ADDR32};
    assert_int_equal(tensix_later_acts(tx), 70);
    tx->later[0].place = GLOBAL_CFGREG_BASE_ADDR32 - 1;
    assert_int_equal(tensix_later_acts(tx), 71);
    tx->later[1].kind = LATER_GPR;
    assert_int_equal(tensix_later_acts(tx), 72);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(the_target_of_streamwait_has_a_high_part),
        CASE(soft_reset_of_the_scalar_unit_takes_its_newest_request_back),
        CASE(writes_that_act_are_known_ahead),
        CASE(setdvalid_gives_the_unpackers_bank_away_if_one_goes_on),
    };
    return RUN(tests);
}

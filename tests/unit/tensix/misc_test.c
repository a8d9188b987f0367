/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* The address counters of unpackers and packer, and SETDVALID. */
#include "unit/tensix/exec.h"

static struct tensix_adc_channel *adc(struct tile *tile, unsigned thread, unsigned set, unsigned channel)
{
    return &thread_of(tile, thread)->adc[set][channel];
}

static void assert_adc(const struct tensix_adc_channel *channel, struct tensix_adc_channel expected)
{
    assert_memory_equal(channel, &expected, sizeof expected);
}

/* Nothing but the sets of `mask` of this thread has changed from zero. */
static void assert_only(struct tile *tile, unsigned thread, unsigned mask)
{
    static const struct tensix_adc_channel zero[2];
    for (unsigned t = 0; t < TENSIX_THREADS; t++)
        for (unsigned set = 0; set < ADC_SETS; set++)
            if (t != thread || !(mask >> set & 1))
                assert_memory_equal(adc(tile, t, set, 0), zero, sizeof zero);
}

static void setadc_sets_counter_and_cr_of_one_dimension(void **state)
{
    struct tile *tile = *state;
    exec(tile, "SETADC U0=1, XYZW=0, NewValue=0xFFFF");
    exec(tile, "SETADC U0=1, XYZW=1, NewValue=0xFFFF");
    exec(tile, "SETADC U0=1, XYZW=2, NewValue=0xFFFF");
    exec(tile, "SETADC U0=1, Channel=1, XYZW=3, NewValue=0xFFFF");
    assert_adc(adc(tile, 0, 0, 0),
               (struct tensix_adc_channel){
                   .x = 0xFFFF, .x_cr = 0xFFFF, .y = 0x1FFF, .y_cr = 0x1FFF, .z = 0x1FFF, .z_cr = 0x1FFF});
    assert_adc(adc(tile, 0, 0, 1), (struct tensix_adc_channel){.w = 0x1FFF, .w_cr = 0x1FFF});
    assert_only(tile, 0, 1);
}

static void a_mask_names_unpackers_and_packer(void **state)
{
    struct tile *tile = *state;
    exec(tile, "SETADC U1=1, PK=1, XYZW=0, NewValue=7");
    assert_int_equal(adc(tile, 0, 1, 0)->x, 7);
    assert_int_equal(adc(tile, 0, 2, 0)->x, 7);
    assert_only(tile, 0, 6);
    exec(tile, "SETADC XYZW=0, NewValue=9");
    assert_int_equal(adc(tile, 0, 1, 0)->x, 7);
}

static void setadc_takes_the_thread_from_bits_that_are_x_too(void **state)
{
    struct tile *tile = *state;
    exec(tile, "SETADC U0=1, XYZW=0, NewValue=0x30005");
    assert_adc(adc(tile, 2, 0, 0), (struct tensix_adc_channel){.x = 0x30005, .x_cr = 0x30005});
    assert_only(tile, 2, 1);
    exec_on(tile, 2, "SETADC U0=1, XYZW=2, NewValue=0x10006");
    assert_adc(adc(tile, 0, 0, 0), (struct tensix_adc_channel){.z = 6, .z_cr = 6});
}

static void other_instructions_have_a_field_for_the_thread(void **state)
{
    struct tile *tile = *state;
    exec(tile, "SETADCXY U0=1, ThreadOverride=3, X0=1, X0Val=1");
    exec(tile, "SETADCZW U0=1, ThreadOverride=3, Z0=1, Z0Val=2");
    exec(tile, "INCADCXY U0=1, ThreadOverride=3, Y0Inc=3");
    exec(tile, "INCADCZW U0=1, ThreadOverride=3, W0Inc=4");
    exec(tile, "ADDRCRXY U0=1, ThreadOverride=3, X0=1, X0Inc=5");
    exec(tile, "ADDRCRZW U0=1, ThreadOverride=3, Z0=1, Z0Inc=6");
    assert_adc(adc(tile, 2, 0, 0), (struct tensix_adc_channel){.x = 6, .x_cr = 6, .y = 3, .z = 8, .z_cr = 8, .w = 4});
    assert_only(tile, 2, 1);
}

static void setadcxy_sets_what_its_mask_names(void **state)
{
    struct tile *tile = *state;
    exec_on(tile, 1, "SETADCXY U1=1, X0Val=1, Y0Val=2, X1Val=3, Y1Val=4, X0=1, Y1=1");
    assert_adc(adc(tile, 1, 1, 0), (struct tensix_adc_channel){.x = 1, .x_cr = 1});
    assert_adc(adc(tile, 1, 1, 1), (struct tensix_adc_channel){.y = 4, .y_cr = 4});
    exec_on(tile, 1, "SETADCXY U1=1, X0Val=5, Y0Val=6, X1Val=7, Y1Val=1, Y0=1, X1=1");
    assert_adc(adc(tile, 1, 1, 0), (struct tensix_adc_channel){.x = 1, .x_cr = 1, .y = 6, .y_cr = 6});
    assert_adc(adc(tile, 1, 1, 1), (struct tensix_adc_channel){.x = 7, .x_cr = 7, .y = 4, .y_cr = 4});
    assert_only(tile, 1, 2);
}

static void setadczw_sets_what_its_mask_names(void **state)
{
    struct tile *tile = *state;
    exec(tile, "SETADCZW PK=1, Z0Val=1, W0Val=2, Z1Val=3, W1Val=4, Z0=1, W1=1");
    assert_adc(adc(tile, 0, 2, 0), (struct tensix_adc_channel){.z = 1, .z_cr = 1});
    assert_adc(adc(tile, 0, 2, 1), (struct tensix_adc_channel){.w = 4, .w_cr = 4});
    exec(tile, "SETADCZW PK=1, Z0Val=5, W0Val=6, Z1Val=7, W1Val=1, W0=1, Z1=1");
    assert_adc(adc(tile, 0, 2, 0), (struct tensix_adc_channel){.z = 1, .z_cr = 1, .w = 6, .w_cr = 6});
    assert_adc(adc(tile, 0, 2, 1), (struct tensix_adc_channel){.z = 7, .z_cr = 7, .w = 4, .w_cr = 4});
    assert_only(tile, 0, 4);
}

static void setadcxx_sets_x_of_both_channels(void **state)
{
    struct tile *tile = *state;
    exec_on(tile, 2, "SETADCXX U0=1, PK=1, X0Val=0x155, X1Val=0x3FF");
    for (unsigned set = 0; set < ADC_SETS; set += 2) {
        assert_adc(adc(tile, 2, set, 0), (struct tensix_adc_channel){.x = 0x155, .x_cr = 0x155});
        assert_adc(adc(tile, 2, set, 1), (struct tensix_adc_channel){.x = 0x3FF, .x_cr = 0x3FF});
    }
    assert_only(tile, 2, 5);
}

static const struct tensix_adc_channel full = {.x = 0x3FFFF,
                                               .x_cr = 0x3FFFE,
                                               .y = 0x1FFF,
                                               .y_cr = 0x1FFE,
                                               .z = 0x1FFF,
                                               .z_cr = 0x1FFE,
                                               .w = 0x1FFF,
                                               .w_cr = 0x1FFE};

static void increments_wrap_at_18_and_13_bits_and_leave_cr(void **state)
{
    struct tile *tile = *state;
    *adc(tile, 0, 0, 0) = *adc(tile, 0, 0, 1) = full;
    exec(tile, "INCADCXY U0=1, X0Inc=1, Y0Inc=2, X1Inc=3, Y1Inc=4");
    exec(tile, "INCADCZW U0=1, Z0Inc=5, W0Inc=6, Z1Inc=7, W1Inc=1");
    struct tensix_adc_channel expected = full;
    expected.x = 0, expected.y = 1, expected.z = 4, expected.w = 5;
    assert_adc(adc(tile, 0, 0, 0), expected);
    expected.x = 2, expected.y = 3, expected.z = 6, expected.w = 0;
    assert_adc(adc(tile, 0, 0, 1), expected);
}

static void cr_increments_step_cr_and_copy_it(void **state)
{
    struct tile *tile = *state;
    *adc(tile, 0, 0, 0) = *adc(tile, 0, 0, 1) = full;
    exec(tile, "ADDRCRXY U0=1, X0=1, X0Inc=3, Y0Inc=3, X1Inc=3, Y1=1, Y1Inc=4");
    exec(tile, "ADDRCRZW U0=1, Z0=1, Z0Inc=5, W0Inc=5, Z1Inc=5, W1=1, W1Inc=6");
    struct tensix_adc_channel expected = full;
    expected.x = expected.x_cr = 1, expected.z = expected.z_cr = 3;
    assert_adc(adc(tile, 0, 0, 0), expected);
    expected = full;
    expected.y = expected.y_cr = 2, expected.w = expected.w_cr = 4;
    assert_adc(adc(tile, 0, 0, 1), expected);
    exec(tile, "ADDRCRXY U0=1, Y0=1, X1=1");
    exec(tile, "ADDRCRZW U0=1, W0=1, Z1=1");
    assert_int_equal(adc(tile, 0, 0, 0)->y, 0x1FFE);
    assert_int_equal(adc(tile, 0, 0, 0)->w, 0x1FFE);
    assert_int_equal(adc(tile, 0, 0, 1)->x, 0x3FFFE);
    assert_int_equal(adc(tile, 0, 0, 1)->z, 0x1FFE);
}

static void setdvalid_is_not_supported(void **state)
{
    struct tile *tile = *state;
    assert_false(try_exec(tile, 0, "SETDVALID FlipSrcA=1"));
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_int_equal(tile->dev.tensix.src[0].unpacker_bank, 0);
    assert_false(tile->dev.tensix.src[0].matrix_owns[0]);
}

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(setadc_sets_counter_and_cr_of_one_dimension),
        CASE(a_mask_names_unpackers_and_packer),
        CASE(setadc_takes_the_thread_from_bits_that_are_x_too),
        CASE(other_instructions_have_a_field_for_the_thread),
        CASE(setadcxy_sets_what_its_mask_names),
        CASE(setadczw_sets_what_its_mask_names),
        CASE(setadcxx_sets_x_of_both_channels),
        CASE(increments_wrap_at_18_and_13_bits_and_leave_cr),
        CASE(cr_increments_step_cr_and_copy_it),
        CASE(setdvalid_is_not_supported),
        CASE(setdvalid_gives_the_unpackers_bank_away_if_one_goes_on),
    };
    return RUN(tests);
}

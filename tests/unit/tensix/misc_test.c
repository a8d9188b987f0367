/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* SETDVALID where the policy goes on; the rest of the Miscellaneous Unit is in tests/isa/tensix. */
#include "unit/tensix/exec.h"

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
        CASE(setdvalid_gives_the_unpackers_bank_away_if_one_goes_on),
    };
    return RUN(tests);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Names of configuration bits, and that CFG_FIELD finds what the table says. */
#include "cfg_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_bit_has_the_name_of_its_field(void **state)
{
    (void)state;
    assert_string_equal(cfg_field_name(CFG_SPACE_CONFIG, 1, 20), "ALU_FORMAT_SPEC_REG0_SrcA");
    assert_string_equal(cfg_field_name(CFG_SPACE_CONFIG, 1, 21), "ALU_FORMAT_SPEC_REG1_SrcB");
    assert_string_equal(cfg_field_name(CFG_SPACE_CONFIG, 186, 31), "PRNG_SEED_Seed_Val");
    assert_string_equal(cfg_field_name(CFG_SPACE_THREAD_CONFIG, 1, 11), "DEST_TARGET_REG_CFG_MATH_Offset");
    assert_string_equal(cfg_field_name(CFG_SPACE_THREAD_CONFIG, 67, 0), "TENSIX_CSR_CONFIG_RawBusyStatus");
}

static void a_bit_of_no_field_has_no_name(void **state)
{
    (void)state;
    assert_null(cfg_field_name(CFG_SPACE_CONFIG, 4, 1));
    assert_null(cfg_field_name(CFG_SPACE_CONFIG, 9, 0));
    assert_null(cfg_field_name(CFG_SPACE_CONFIG, 223, 0));
    assert_null(cfg_field_name(CFG_SPACE_CONFIG, 1000, 0));
    assert_null(cfg_field_name(CFG_SPACE_CONFIG, 185, 32)); /* not bit 0 of the word behind it */
    assert_null(cfg_field_name(CFG_SPACE_THREAD_CONFIG, 1, 12));
    assert_null(cfg_field_name(CFG_SPACE_THREAD_CONFIG, 68, 0));
}

static void a_part_comes_before_the_whole(void **state)
{
    (void)state;
    assert_string_equal(cfg_field_name(CFG_SPACE_CONFIG, 64, 0), "THCON_SEC0_REG0_TileDescriptor_InDataFormat");
    assert_string_equal(cfg_field_name(CFG_SPACE_CONFIG, 115, 24), "THCON_SEC1_REG0_TileDescriptor_DigestSize");
    assert_string_equal(cfg_field_name(CFG_SPACE_CONFIG, 65, 8), "THCON_SEC0_REG0_TileDescriptor");
}

static void a_field_is_cut_out_of_its_word(void **state)
{
    (void)state;
    uint32_t config[224] = {[1] = 0xAu << 17 | 0x15u << 21, [69] = 1, [69 + 48] = 0x12345678};
    uint16_t thread[68] = {[41] = 0x0B00};
    assert_int_equal(CFG_FIELD(config, ALU_FORMAT_SPEC_REG0_SrcA), 0xA);
    assert_int_equal(CFG_FIELD(config, ALU_FORMAT_SPEC_REG1_SrcB), 0x5);
    assert_int_equal(CFG_FIELD(config + 48, THCON_SEC0_REG1_L1_Dest_addr), 0x12345678);
    assert_int_equal(CFG_FIELD(config, THCON_SEC1_REG1_L1_Dest_addr), 0x12345678);
    assert_int_equal(CFG_FIELD(thread, UNPACK_MISC_CFG_CfgContextOffset_1), 0xB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bit_has_the_name_of_its_field),
        cmocka_unit_test(a_bit_of_no_field_has_no_name),
        cmocka_unit_test(a_part_comes_before_the_whole),
        cmocka_unit_test(a_field_is_cut_out_of_its_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

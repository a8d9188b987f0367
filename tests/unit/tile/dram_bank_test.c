/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tile/dram_bank.h"

static struct dram_bank bank;

static int set_up(void **state)
{
    (void)state;
    return dram_bank_create(&bank) ? 0 : -1;
}
static int tear_down(void **state)
{
    (void)state;
    dram_bank_destroy(&bank);
    return 0;
}

static void a_new_bank_is_zero_to_its_end(void **state)
{
    (void)state;
    uint8_t bytes[16];
    memset(bytes, 0xAA, sizeof bytes);
    assert_true(dram_bank_read(&bank, DRAM_BANK_BYTES - sizeof bytes, bytes, sizeof bytes));
    for (unsigned i = 0; i < sizeof bytes; i++) {
        assert_int_equal(bytes[i], 0);
    }
    assert_int_equal(dram_bank_next_page(&bank, 0), DRAM_NO_PAGE);
}

static void bytes_come_back_across_pages(void **state)
{
    (void)state;
    uint8_t in[3 * DRAM_PAGE], out[3 * DRAM_PAGE];
    for (size_t i = 0; i < sizeof in; i++) {
        in[i] = (uint8_t)(i * 7 + 1);
    }
    const uint64_t at = (UINT64_C(3) << 30) + DRAM_PAGE - 5;
    assert_true(dram_bank_write(&bank, at, in, sizeof in));
    assert_true(dram_bank_read(&bank, at, out, sizeof out));
    assert_memory_equal(in, out, sizeof in);
    const uint32_t first = (uint32_t)(at / DRAM_PAGE);
    uint32_t page = dram_bank_next_page(&bank, 0);
    for (uint32_t i = 0; i < 4; i++, page = dram_bank_next_page(&bank, page + 1)) {
        assert_int_equal(page, first + i);
    }
    assert_int_equal(page, DRAM_NO_PAGE);
}

static void past_the_end_nothing_is_done(void **state)
{
    (void)state;
    const uint64_t one = 1;
    uint64_t out = 7;
    assert_false(dram_bank_write(&bank, DRAM_BANK_BYTES - 4, &one, 8));
    assert_false(dram_bank_write(&bank, UINT64_MAX - 3, &one, 8));
    assert_false(dram_bank_read(&bank, DRAM_BANK_BYTES, &out, 1));
    assert_int_equal(out, 7);
    assert_int_equal(dram_bank_next_page(&bank, 0), DRAM_NO_PAGE);
    assert_true(dram_bank_write(&bank, DRAM_BANK_BYTES - 8, &one, 8));
    assert_true(dram_bank_read(&bank, DRAM_BANK_BYTES, &out, 0));
    assert_int_equal(dram_bank_next_page(&bank, 0), DRAM_PAGES - 1);
}

static void clear_forgets_everything(void **state)
{
    (void)state;
    uint32_t word = 0x12345678;
    assert_true(dram_bank_write(&bank, 4096, &word, 4));
    dram_bank_clear(&bank);
    assert_true(dram_bank_read(&bank, 4096, &word, 4));
    assert_int_equal(word, 0);
    assert_int_equal(dram_bank_next_page(&bank, 0), DRAM_NO_PAGE);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a_new_bank_is_zero_to_its_end), TEST(bytes_come_back_across_pages),
                                       TEST(past_the_end_nothing_is_done), TEST(clear_forgets_everything)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Order of requests (manual WormholeB0 NoC/Ordering; there is no Blackhole page): what one tile sends to another on the
 * same NoC and static virtual channel takes effect in the order in which it was sent, however busy the way is.  Several
 * tiles write to one at once, and each sends a single flit right behind its data, as kernels do that signal without
 * waiting for acknowledgements. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerr.h"
#include "noc_regs.h"

enum { SENDERS = 6, BYTES = 16384, INITIATOR = 0x800, PATTERN = 0x5A000001, STEP = 8, STEPS = 1200 };
enum { RD = 0, AT = 1, WR = 2, INLINE = 1 << 3, MARKED = 1 << 4, STATIC = 1 << 7, CHANNEL_1 = 1 << 13, CHANNEL_0 = 0 };
enum { DATA = 0x20000, SIGNAL = 0x1000, ANSWER = 0x2000, INCREMENT = 0x107C };
static const kerr_xy there = {11, 2};

static kerr_xy sender(unsigned i)
{
    return (kerr_xy){(uint8_t)(1 + i), (uint8_t)(11 - i)};
}

static uint32_t name_of(kerr_xy at)
{
    return at.x | (uint32_t)at.y << 6;
}

static uint32_t read_word(kerr_chip *chip, kerr_xy at, uint64_t address)
{
    uint32_t value = 0;
    assert_int_equal(kerr_read(chip, at, address, &value, sizeof value), KERR_OK);
    return value;
}

static void write_word(kerr_chip *chip, kerr_xy at, uint64_t address, uint32_t value)
{
    assert_int_equal(kerr_write(chip, at, address, &value, sizeof value), KERR_OK);
}

static uint32_t data_of(unsigned i)
{
    return DATA + BYTES * i;
}

static void start(kerr_chip *chip, unsigned i, unsigned initiator, uint32_t ctrl, uint32_t targ, kerr_xy targ_at,
                  uint32_t ret, kerr_xy ret_at, uint32_t length)
{
    const uint32_t base = 0xFFB20000 + INITIATOR * initiator;
    const kerr_xy at = sender(i);
    write_word(chip, at, base + NOC_TARG_ADDR_LO, targ);
    write_word(chip, at, base + NOC_TARG_ADDR_HI, name_of(targ_at));
    write_word(chip, at, base + NOC_RET_ADDR_LO, ret);
    write_word(chip, at, base + NOC_RET_ADDR_HI, name_of(ret_at));
    write_word(chip, at, base + NOC_CTRL, ctrl);
    write_word(chip, at, base + NOC_AT_LEN_BE, length);
    write_word(chip, at, base + NOC_AT_DATA, 1);
    write_word(chip, at, base + NOC_CMD_CTRL, 1);
}

static kerr_chip *after_writes(void)
{
    kerr_config config;
    kerr_chip *chip;
    kerr_config_init(&config);
    assert_int_equal(kerr_create(&config, &chip), KERR_OK);
    for (unsigned i = 0; i < SENDERS; i++) {
        write_word(chip, sender(i), data_of(i) + BYTES - 4, PATTERN + i);
        start(chip, i, 0, WR | STATIC | CHANNEL_1, data_of(i), sender(i), data_of(i), there, BYTES);
    }
    return chip;
}

static void an_atomic_does_not_overtake_data(void **state)
{
    (void)state;
    kerr_chip *chip = after_writes();
    unsigned signals = 0;
    for (unsigned i = 0; i < SENDERS; i++) {
        start(chip, i, 1, AT | STATIC | CHANNEL_1, SIGNAL + 16 * i, there, ANSWER, sender(i), INCREMENT);
    }
    for (unsigned step = 0; step < STEPS && signals != (1u << SENDERS) - 1; step++) {
        assert_int_equal(kerr_run(chip, STEP), KERR_OK);
        for (unsigned i = 0; i < SENDERS; i++) {
            if (read_word(chip, there, SIGNAL + 16 * i) != 0) {
                assert_int_equal(read_word(chip, there, data_of(i) + BYTES - 4), PATTERN + i);
                signals |= 1u << i;
            }
        }
    }
    assert_int_equal(signals, (1u << SENDERS) - 1);
    kerr_destroy(chip);
}

static void a_read_sees_data_sent_before_it(void **state)
{
    (void)state;
    kerr_chip *chip = after_writes();
    for (unsigned i = 0; i < SENDERS; i++) {
        start(chip, i, 1, RD | MARKED | STATIC | CHANNEL_1, data_of(i) + BYTES - 16, there, ANSWER, sender(i), 16);
    }
    assert_int_equal(kerr_run(chip, STEP * STEPS), KERR_OK);
    for (unsigned i = 0; i < SENDERS; i++) {
        assert_int_equal(read_word(chip, sender(i), ANSWER + 12), PATTERN + i);
    }
    kerr_destroy(chip);
}

/* Nobody promises anything here, and a card's single flits pass data of other channels too. */
static void another_channel_may_overtake_data(void **state)
{
    (void)state;
    kerr_chip *chip = after_writes();
    unsigned early = 0;
    for (unsigned i = 0; i < SENDERS; i++) {
        start(chip, i, 1, RD | MARKED | STATIC | CHANNEL_0, data_of(i) + BYTES - 16, there, ANSWER, sender(i), 16);
    }
    assert_int_equal(kerr_run(chip, STEP * STEPS), KERR_OK);
    for (unsigned i = 0; i < SENDERS; i++) {
        early += read_word(chip, sender(i), ANSWER + 12) == 0;
        assert_int_equal(read_word(chip, there, data_of(i) + BYTES - 4), PATTERN + i);
    }
    assert_int_not_equal(early, 0);
    kerr_destroy(chip);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_atomic_does_not_overtake_data),
        cmocka_unit_test(a_read_sees_data_sent_before_it),
        cmocka_unit_test(another_channel_may_overtake_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

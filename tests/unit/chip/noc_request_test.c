/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of request through NIU, fabric and NIU, started by the host in the registers of a tile.  The initiator's
 * counters and both memories afterwards are those of the vendor's simulator (but for the return address of a posted
 * atomic, docs/errata-noc.md), with the longest windows and with short ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerr.h"
#include "noc_regs.h"

static const kerr_xy here = {1, 2}, there = {3, 4};
enum { HERE = 1 | 2 << 6, THERE = 3 | 4 << 6, WORD = 0x11223344, OLD = 100, ID = 3 };
enum { RD = 0, AT = 1, WR = 2, INLINE = 1 << 3, MARKED = 1 << 4, BROADCAST = 1 << 5, RESERVE = 1 << 8 };

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

static uint32_t counter(kerr_chip *chip, kerr_xy at, unsigned noc, uint32_t offset)
{
    return read_word(chip, at, 0xFFB20000 + 0x10000 * noc + offset);
}

typedef struct request {
    uint32_t ctrl, targ, targ_hi, ret, ret_hi, length, data;
} request;

/* A chip on which one request has been made and answered. */
static kerr_chip *after(unsigned noc, uint32_t window, request r)
{
    kerr_config config;
    kerr_chip *chip;
    kerr_config_init(&config);
    config.window_cycles = window;
    assert_int_equal(kerr_create(&config, &chip), KERR_OK);
    write_word(chip, here, 0x1000, WORD);
    write_word(chip, there, 0x3000, OLD);
    uint32_t base = 0xFFB20000 + 0x10000 * noc;
    write_word(chip, here, base + NOC_TARG_ADDR_LO, r.targ);
    write_word(chip, here, base + NOC_TARG_ADDR_HI, r.targ_hi);
    write_word(chip, here, base + NOC_RET_ADDR_LO, r.ret);
    write_word(chip, here, base + NOC_RET_ADDR_HI, r.ret_hi);
    write_word(chip, here, base + NOC_PACKET_TAG, ID << 10);
    write_word(chip, here, base + NOC_CTRL, r.ctrl);
    write_word(chip, here, base + NOC_AT_LEN_BE, r.length);
    write_word(chip, here, base + NOC_AT_DATA, r.data);
    write_word(chip, here, base + NOC_CMD_CTRL, 1);
    assert_int_equal(kerr_run(chip, 2000), KERR_OK);
    assert_int_equal(counter(chip, here, noc, NOC_CMD_CTRL), 0);
    assert_int_equal(counter(chip, here, noc, NIU_MST_CMD_ACCEPTED), 1);
    assert_int_equal(counter(chip, here, noc, NIU_MST_WRITE_REQS_OUTGOING_ID + 4 * ID), 0);
    return chip;
}

#define FOR_ALL(noc, window)                                                                                           \
    for (unsigned noc = 0; noc < 2; noc++)                                                                             \
        for (uint32_t window = 0; window <= 8; window += 8)

static void a_posted_write(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        kerr_chip *chip = after(noc, window, (request){WR, 0x1000, HERE, 0x3000, THERE, 64, 0});
        assert_int_equal(read_word(chip, there, 0x3000), WORD);
        assert_int_equal(counter(chip, here, noc, NIU_MST_POSTED_WR_REQ_SENT), 1);
        assert_int_equal(counter(chip, here, noc, NIU_MST_WR_ACK_RECEIVED), 0);
        assert_int_equal(counter(chip, there, noc, NIU_SLV_POSTED_WR_REQ_RECEIVED), 1);
        kerr_destroy(chip);
    }
}

static void an_acknowledged_write(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        kerr_chip *chip = after(noc, window, (request){WR | MARKED, 0x1000, HERE, 0x3000, THERE, 64, 0});
        assert_int_equal(read_word(chip, there, 0x3000), WORD);
        assert_int_equal(counter(chip, here, noc, NIU_MST_NONPOSTED_WR_REQ_SENT), 1);
        assert_int_equal(counter(chip, here, noc, NIU_MST_WR_ACK_RECEIVED), 1);
        assert_int_equal(counter(chip, here, noc, NIU_MST_REQS_OUTSTANDING_ID + 4 * ID), 0);
        assert_int_equal(counter(chip, there, noc, NIU_SLV_WR_ACK_SENT), 1);
        kerr_destroy(chip);
    }
}

static void an_inline_write_to_a_register(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        kerr_chip *chip = after(noc, window, (request){WR | INLINE, 0xFFB21004, THERE, 0, HERE, 0xF, 7});
        assert_int_equal(read_word(chip, there, 0xFFB21004), 7);
        assert_int_equal(counter(chip, here, noc, NIU_MST_POSTED_WR_REQ_SENT), 1);
        kerr_destroy(chip);
    }
}

static void a_read(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        kerr_chip *chip = after(noc, window, (request){RD | MARKED, 0x3000, THERE, 0x1000, HERE, 64, 0});
        assert_int_equal(read_word(chip, here, 0x1000), OLD);
        assert_int_equal(counter(chip, here, noc, NIU_MST_RD_RESP_RECEIVED), 1);
        assert_int_equal(counter(chip, here, noc, NIU_MST_REQS_OUTSTANDING_ID + 4 * ID), 0);
        assert_int_equal(counter(chip, there, noc, NIU_SLV_RD_RESP_SENT), 1);
        kerr_destroy(chip);
    }
}

static void an_atomic_with_and_without_response(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        kerr_chip *chip = after(noc, window, (request){AT | MARKED, 0x3000, THERE, 0x1010, HERE, 0x107C, 5});
        assert_int_equal(read_word(chip, there, 0x3000), OLD + 5);
        assert_int_equal(read_word(chip, here, 0x1010), OLD);
        assert_int_equal(counter(chip, here, noc, NIU_MST_ATOMIC_RESP_RECEIVED), 1);
        assert_int_equal(counter(chip, here, noc, NIU_MST_REQS_OUTSTANDING_ID + 4 * ID), 0);
        kerr_destroy(chip);
        chip = after(noc, window, (request){AT, 0x3000, THERE, 0x1010, HERE, 0x107C, 5});
        assert_int_equal(read_word(chip, there, 0x3000), OLD + 5);
        assert_int_equal(read_word(chip, here, 0x1010), 0);
        assert_int_equal(counter(chip, here, noc, NIU_MST_POSTED_ATOMIC_SENT), 1);
        kerr_destroy(chip);
    }
}

/* Six tiles.  On NoC 1 start and end change places. */
static void an_acknowledged_multicast(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        uint32_t a = 3 | 4 << 6, b = 5 | 5 << 6;
        kerr_chip *chip = after(
            noc, window,
            (request){WR | MARKED | BROADCAST | RESERVE, 0x1000, HERE, 0x3000, noc ? a | b << 12 : b | a << 12, 64, 0});
        for (uint8_t x = 3; x <= 5; x++) {
            for (uint8_t y = 4; y <= 5; y++)
                assert_int_equal(read_word(chip, (kerr_xy){x, y}, 0x3000), WORD);
        }
        assert_int_equal(read_word(chip, (kerr_xy){6, 5}, 0x3000), 0);
        assert_int_equal(counter(chip, here, noc, NIU_MST_NONPOSTED_WR_REQ_SENT), 1);
        assert_int_equal(counter(chip, here, noc, NIU_MST_WR_ACK_RECEIVED), 6);
        assert_int_equal(counter(chip, here, noc, NIU_MST_REQS_OUTSTANDING_ID + 4 * ID), 251);
        kerr_destroy(chip);
    }
}

/* 15 hops to column 16, 9 to row 11, and 11 more through rows 0 to 10: the longest way that a tile's packet goes. */
static void a_multicast_almost_around_the_torus(void **state)
{
    (void)state;
    for (uint32_t window = 0; window <= 8; window += 8) {
        uint32_t start = 16 | 11 << 6, end = 1 | 10 << 6;
        kerr_chip *chip = after(
            0, window, (request){WR | MARKED | BROADCAST | RESERVE, 0x1000, HERE, 0x3000, end | start << 12, 64, 0});
        for (uint8_t y = 2; y <= 11; y++) {
            assert_int_equal(read_word(chip, (kerr_xy){16, y}, 0x3000), WORD);
            assert_int_equal(read_word(chip, (kerr_xy){1, y}, 0x3000), y == here.y ? 0 : WORD);
        }
        assert_int_equal(counter(chip, here, 0, NIU_MST_WR_ACK_RECEIVED), 19);
        kerr_destroy(chip);
    }
}

static void a_tile_reaches_itself(void **state)
{
    (void)state;
    FOR_ALL(noc, window)
    {
        kerr_chip *chip = after(noc, window, (request){WR | MARKED, 0x1000, HERE, 0x2000, HERE, 64, 0});
        assert_int_equal(read_word(chip, here, 0x2000), WORD);
        assert_int_equal(counter(chip, here, noc, NIU_MST_WR_ACK_RECEIVED), 1);
        assert_int_equal(counter(chip, here, noc, NIU_SLV_NONPOSTED_WR_REQ_RECEIVED), 1);
        kerr_destroy(chip);
        chip = after(noc, window, (request){RD, 0x1000, HERE, 0x2000, HERE, 64, 0});
        assert_int_equal(read_word(chip, here, 0x2000), WORD);
        assert_int_equal(counter(chip, here, noc, NIU_MST_RD_RESP_RECEIVED), 1);
        kerr_destroy(chip);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_posted_write),
        cmocka_unit_test(an_acknowledged_write),
        cmocka_unit_test(an_inline_write_to_a_register),
        cmocka_unit_test(a_read),
        cmocka_unit_test(an_atomic_with_and_without_response),
        cmocka_unit_test(an_acknowledged_multicast),
        cmocka_unit_test(a_multicast_almost_around_the_torus),
        cmocka_unit_test(a_tile_reaches_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/noc/overlay.c */
/* LINK: src/tile/devices.c src/tile/reg_names.c src/tile/mailbox.c src/tile/pcbuf.c src/tile/ttsync.c */
/* LINK: src/tile/pic.c src/tile/soft_reset.c src/tile/tdma_risc.c src/tile/debug_regs.c src/tile/wall_clock.c */
/* LINK: src/tile/perf_counters.c src/tile/watchdog.c src/tile/debug_interface.c src/tile/tag_search.c */
/* LINK: src/tile/tensix_fifo.c src/noc/niu.c src/noc/niu_regs.c src/noc/coords.c src/noc/atomics.c */
/* LINK: src/num/f16.c src/num/f32.c src/num/fma.c src/chip/grid.c */
/* LINK: src/tile/eth_regs.c src/tile/dram_regs.c */
#include "unit/tile/fake_tile.h"

enum { TAGS = 0x1000, VALIDS = 0x2000, DATA = 0x3000 };
enum { INV = 1 << 24, INV_ALL = 1 << 25, ALLOC = 1 << 26 };

static void cfg(struct tile *tile, unsigned word, uint32_t value)
{
    wr(tile, B, 0xFFEF0000 + 4 * word, value);
}

/* 64 tags of `width` in TAGS, one bit each in VALIDS; the last writes are triggers. */
static void configure(struct tile *tile, uint64_t tag, unsigned width, uint32_t flags)
{
    cfg(tile, 212, 0);
    cfg(tile, 213, (TAGS + (64u << width)) / 16 - 1);
    cfg(tile, 214, (uint32_t)tag);
    cfg(tile, 215, (uint32_t)(tag >> 32));
    cfg(tile, 216, width | VALIDS / 16 << 2);
    cfg(tile, 217, VALIDS / 16); /* 128 bits */
    cfg(tile, 219, flags);
    cfg(tile, 212, 1 | TAGS / 16 << 1);
}

static uint32_t search(struct tile *tile)
{
    uint32_t value = 0xDEADBEEF;
    assert_true(tag_search_read(tile, TAGS + 12, 100, &value));
    return value;
}

static void off_it_answers_nothing(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    assert_false(tag_search_read(tile, 0, 100, &value));
    assert_false(tag_search_read(tile, TAGS, 100, &value));
}

static void only_the_first_block_of_the_tags_answers(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    configure(tile, 5, 2, 0);
    assert_false(tag_search_read(tile, TAGS - 4, 100, &value));
    assert_false(tag_search_read(tile, TAGS + 16, 100, &value));
    assert_true(tag_search_read(tile, TAGS, 100, &value));
}

static void a_valid_tag_gives_its_index_plus_one_at_every_width(void **state)
{
    struct tile *tile = *state;
    for (unsigned width = 0; width < 4; width++) {
        uint64_t tag = 0x1122334455667788ull;
        memset(tile->l1, 0, 0x4000);
        memcpy(tile->l1 + TAGS + (37u << width), &tag, 1u << width);
        configure(tile, tag, width, 0);
        assert_int_equal(search(tile), 0); /* found, not valid */
        tile->l1[VALIDS + 37 / 8] = 1 << 37 % 8;
        assert_int_equal(search(tile), 38);
    }
}

static void the_search_ends_at_an_invalid_match(void **state)
{
    struct tile *tile = *state;
    set_l1_word(tile, TAGS + 4 * 2, 99);
    set_l1_word(tile, TAGS + 4 * 9, 99);
    tile->l1[VALIDS + 1] = 1 << 1;
    configure(tile, 99, 2, 0);
    assert_int_equal(search(tile), 0);
}

static void tag_inv_clears_the_bit_it_found(void **state)
{
    struct tile *tile = *state;
    set_l1_word(tile, TAGS + 4 * 9, 99);
    tile->l1[VALIDS + 1] = 0xFF;
    configure(tile, 99, 2, INV);
    assert_int_equal(search(tile), 10);
    assert_int_equal(tile->l1[VALIDS + 1], 0xFD);
    assert_int_equal(search(tile), 0);
}

static void tag_alloc_gives_the_first_free_index(void **state)
{
    struct tile *tile = *state;
    memset(tile->l1 + VALIDS, 0xFF, 5);
    configure(tile, 99, 2, ALLOC);
    assert_int_equal(search(tile), 0x80000001 + 40);
    memset(tile->l1 + VALIDS, 0xFF, 16);
    assert_int_equal(search(tile), 0x80000001 + 77 % 128); /* all taken: by chance */
    assert_int_equal(search(tile), 0x80000001 + (1000003 + 77) % 128);
}

static void invalidate_all_clears_the_bits(void **state)
{
    struct tile *tile = *state;
    uint32_t value = 1;
    memset(tile->l1 + VALIDS, 0xFF, 32);
    configure(tile, 0, 2, INV_ALL);
    assert_false(tag_search_read(tile, TAGS, 100, &value)); /* no search meanwhile */
    assert_true(tag_search_read(tile, VALIDS + 8, 100, &value));
    assert_int_equal(value, 0);
    assert_int_equal(tile->l1[VALIDS + 15], 0);
    assert_int_equal(tile->l1[VALIDS + 16], 0xFF);
}

static void a_bit_vector_is_asked_for_one_bit(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    tile->l1[DATA + 1000 / 8] = 1 << 1000 % 8;
    cfg(tile, 219, 1000);
    cfg(tile, 218, 1 << 17 | DATA / 16);
    assert_true(tag_search_read(tile, DATA, 100, &value));
    assert_int_equal(value, 1);
    cfg(tile, 219, 1001); /* not a trigger: the old offset stays */
    assert_true(tag_search_read(tile, DATA, 100, &value));
    assert_int_equal(value, 1);
    cfg(tile, 218, DATA / 16);
    cfg(tile, 218, 1 << 17 | DATA / 16);
    assert_true(tag_search_read(tile, DATA, 100, &value));
    assert_int_equal(value, 0);
}

static void configuration_counts_when_a_trigger_changes(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    configure(tile, 99, 2, 0);
    set_l1_word(tile, TAGS, 98);
    tile->l1[VALIDS] = 1;
    cfg(tile, 214, 98);
    assert_int_equal(search(tile), 0);
    cfg(tile, 219, ALLOC);
    assert_int_equal(search(tile), 1);
    cfg(tile, 212, 0);
    assert_false(tag_search_read(tile, TAGS, 100, &value));
}

static void ranges_outside_l1_are_refused(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    configure(tile, 1, 2, 0);
    cfg(tile, 212, 0);
    cfg(tile, 213, 0x1FFFF);
    cfg(tile, 212, 1 | TAGS / 16 << 1);
    assert_true(tag_search_read(tile, TAGS, 100, &value));
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    cfg(tile, 212, 0);
    cfg(tile, 213, 0); /* backwards */
    cfg(tile, 212, 1 | TAGS / 16 << 1);
    assert_true(tag_search_read(tile, TAGS, 100, &value));
    assert_int_equal(tile->faults, 2);
}

static void the_end_of_the_valid_bits_matters_to_allocation_only(void **state)
{
    struct tile *tile = *state;
    uint32_t value;
    configure(tile, 1, 2, 0);
    cfg(tile, 212, 0);
    cfg(tile, 217, VALIDS / 16 - 1); /* no bits at all */
    cfg(tile, 212, 1 | TAGS / 16 << 1);
    assert_int_equal(search(tile), 0);
    assert_int_equal(tile->faults, 0);
    cfg(tile, 219, ALLOC);
    assert_true(tag_search_read(tile, TAGS, 100, &value));
    assert_int_equal(tile->faults, 1);
    cfg(tile, 219, INV_ALL);
    assert_true(tag_search_read(tile, VALIDS, 100, &value));
    assert_int_equal(tile->faults, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(off_it_answers_nothing),
        CASE(only_the_first_block_of_the_tags_answers),
        CASE(a_valid_tag_gives_its_index_plus_one_at_every_width),
        CASE(the_search_ends_at_an_invalid_match),
        CASE(tag_inv_clears_the_bit_it_found),
        CASE(tag_alloc_gives_the_first_free_index),
        CASE(invalidate_all_clears_the_bits),
        CASE(a_bit_vector_is_asked_for_one_bit),
        CASE(configuration_counts_when_a_trigger_changes),
        CASE(ranges_outside_l1_are_refused),
        CASE(the_end_of_the_valid_bits_matters_to_allocation_only),
    };
    return RUN(tests);
}

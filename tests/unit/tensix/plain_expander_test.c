/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: tests/support/plain_expander.c */
/* The plain expanders of tests/support against sequences worked out by hand from the manual's MOPExpander and REPLAY.
 * Instructions are letters here: a word's low byte, with an opcode of their own; '.' is a NOP. */
#include "../../support/plain_expander.h"
#include "../../support/ttasm.h"
#include "../../support/unit.h"

#include <string.h>

static uint32_t letter(char c)
{
    return c == '.' ? tt_nop() : tt_word(TT_ADDDMAREG, (uint8_t)c);
}
typedef struct text {
    char letters[40000];
    unsigned length;
} text;
static void write_down(void *context, uint32_t word)
{
    text *out = context;
    assert_true(out->length + 1 < sizeof out->letters);
    out->letters[out->length++] = word >> 24 == TT_NOP         ? '.'
                                  : word >> 24 == TT_ADDDMAREG ? (char)(word & 0xff)
                                  : word >> 24 == TT_REPLAY    ? 'R'
                                  : word >> 24 == TT_MOP       ? 'M'
                                                               : '?';
}
/* MopCfg[2..8] from seven letters. */
static plain_expander with(uint32_t word_0, uint32_t word_1, const char *letters)
{
    plain_expander x = {.mop_cfg = {word_0, word_1}};
    for (unsigned i = 0; i < 7; i++) {
        x.mop_cfg[2 + i] = letter(letters[i]);
    }
    return x;
}
static void push_to(plain_expander *x, text *out, uint32_t word)
{
    plain_push(x, word, write_down, out);
}
static void push_letters(plain_expander *x, text *out, const char *letters)
{
    for (; *letters; letters++) {
        push_to(x, out, letter(*letters));
    }
}
static void expect(const text *out, const char *letters)
{
    assert_string_equal(out->letters, letters);
}
static void mop_gives(plain_expander x, uint32_t mop, const char *letters)
{
    text out = {.length = 0};
    push_to(&x, &out, mop);
    expect(&out, letters);
}

/* Letters of template 1: start, end 0, end 1, loop, loop 1, last of all, last of a turn but the last. */
static void template_1_has_its_last_ones(void **state)
{
    (void)state;
    mop_gives(with(1, 1, "...a.zy"), tt_mop(1, 0, 0), "z");
    mop_gives(with(1, 3, "...a.zy"), tt_mop(1, 0, 0), "aaz");
    mop_gives(with(3, 2, "...a.zy"), tt_mop(1, 0, 0), "ayayaz");
    mop_gives(with(2, 1, "sefa.zy"), tt_mop(1, 0, 0), "syefszef");
}
static void template_1_alternates_and_doubles(void **state)
{
    (void)state;
    mop_gives(with(2, 2, "...abzy"), tt_mop(1, 0, 0), "abayabaz");
}
static void a_second_end_comes_only_behind_a_first(void **state)
{
    (void)state;
    mop_gives(with(1, 1, "..fa.zy"), tt_mop(1, 0, 0), "z");
    mop_gives(with(1, 1, ".e.a.zy"), tt_mop(1, 0, 0), "ze");
}
static void only_seven_bits_of_the_counts_matter(void **state)
{
    (void)state;
    mop_gives(with(0x81, 0xffffff82, "...a.zy"), tt_mop(1, 0, 0), "az");
}
static void no_turns_give_nothing(void **state)
{
    (void)state;
    mop_gives(with(0, 5, "sefa.zy"), tt_mop(1, 0, 0), "");
    mop_gives(with(1, 0, "...a.zy"), tt_mop(1, 0, 0), "");
    mop_gives(with(2, 0, "sefa.zy"), tt_mop(1, 0, 0), "sefsef");
    mop_gives(with(1, 0, "s..a.zy"), tt_mop(1, 0, 0), "s");
}
static void one_turn_of_an_end_alone_is_129(void **state)
{
    (void)state;
    char ends[130] = "";
    memset(ends, 'e', 129);
    mop_gives(with(1, 0, ".e.a.zy"), tt_mop(1, 0, 0), ends);
    mop_gives(with(2, 0, ".e.a.zy"), tt_mop(1, 0, 0), "ee");
    mop_gives(with(1, 0, "se.a.zy"), tt_mop(1, 0, 0), "se");
}
static void blackhole_counts_in_the_instruction(void **state)
{
    (void)state;
    mop_gives(with(1, 1, "...a.zy"), tt_mop_counts(0, 4), "aaaz");
    mop_gives(with(1, 1, "...a.zy"), tt_mop_counts(3, 0), "yyz");
    mop_gives(with(9, 9, "...abzy"), tt_mop_counts(2, 1), "ayaz");
}
static void the_longest_of_the_manual(void **state)
{
    (void)state;
    plain_expander x = with(127, 127, "sefabzy");
    text out = {.length = 0};
    push_to(&x, &out, tt_mop(1, 0, 0));
    assert_int_equal(out.length, 32639);
}
static void a_nop_is_known_by_its_opcode(void **state)
{
    (void)state;
    plain_expander x = with(1, 2, "...a.zy");
    x.mop_cfg[2] |= 0x123456;
    x.mop_cfg[6] |= 1;
    mop_gives(x, tt_mop(1, 0, 0), "az");
    x.mop_cfg[2] = tt_dmanop();
    mop_gives(x, tt_mop(1, 0, 0), "?az");
}

/* Letters of template 0: B, A0, A1, A2, A3, skip A0, skip B. */
static void template_0_takes_the_mask_from_bit_0(void **state)
{
    (void)state;
    mop_gives(with(0, 0, "babcdxy"), tt_mop(0, 3, 5), "xaxa");
    mop_gives(with(0, 1, "Babcdxy"), tt_mop(0, 2, 2), "aBxyaB");
    mop_gives(with(0, 2, "Babcdxy"), tt_mop(0, 1, 1), "xabcd");
    mop_gives(with(0, 3, "Babcdxy"), tt_mop(0, 1, 2), "abcdBxy");
    mop_gives(with(0, 0xfffffffc, "Babcdxy"), tt_mop(0, 0, 0), "a");
}
static void template_0_emits_nops(void **state)
{
    (void)state;
    mop_gives(with(0, 1, ".a...x."), tt_mop(0, 1, 2), "a.x.");
}
static void mop_cfg_gives_the_masks_high_half_for_good(void **state)
{
    (void)state;
    plain_expander x = with(0, 0, ".a...x.");
    text out = {.length = 0};
    push_to(&x, &out, tt_mop_cfg(0x8001));
    push_to(&x, &out, tt_mop(0, 33, 0));
    expect(&out, "aaaaaaaaaaaaaaaaxaaaaaaaaaaaaaaxaa");
    out = (text){.length = 0};
    push_to(&x, &out, tt_mop(0, 16, 1));
    expect(&out, "xaaaaaaaaaaaaaaax");
}

static void replay_records_and_plays(void **state)
{
    (void)state;
    plain_expander x = {.mask_hi = 0};
    text out = {.length = 0};
    push_to(&x, &out, tt_replay(3, 3, 0, 1));
    push_letters(&x, &out, "abcd");
    push_to(&x, &out, tt_replay(4, 2, 0, 0));
    expect(&out, "dbc");
    push_to(&x, &out, tt_replay(3, 2, 1, 1));
    push_letters(&x, &out, ".B");
    push_to(&x, &out, tt_replay(3, 3, 1, 0)); /* the bit means nothing when it plays */
    expect(&out, "dbc.B.Bc");
}
static void replay_wraps_and_zero_is_32(void **state)
{
    (void)state;
    plain_expander x = {.mask_hi = 0};
    text out = {.length = 0};
    push_to(&x, &out, tt_replay(30, 0, 0, 1));
    push_letters(&x, &out, "abcdefghijklmnopqrstuvwxyzABCDEF");
    push_to(&x, &out, tt_replay(62, 3, 0, 0)); /* five bits of the start */
    expect(&out, "abc");
    push_to(&x, &out, tt_replay(28, 32, 0, 0));
    expect(&out, "abcEFabcdefghijklmnopqrstuvwxyzABCD");
    push_to(&x, &out, tt_replay(0, 33, 0, 0)); /* and of the count */
    expect(&out, "abcEFabcdefghijklmnopqrstuvwxyzABCDc");
}
static void what_plays_is_not_expanded_again(void **state)
{
    (void)state;
    plain_expander x = {.mask_hi = 0};
    text out = {.length = 0};
    push_to(&x, &out, tt_replay(0, 2, 0, 1));
    push_to(&x, &out, tt_replay(5, 1, 0, 0));
    push_letters(&x, &out, "a");
    push_to(&x, &out, tt_replay(0, 2, 0, 0));
    expect(&out, "Ra");
}
static void a_mop_makes_replays_and_is_recorded_expanded(void **state)
{
    (void)state;
    plain_expander x = with(2, 1, "...a.zy");
    text out = {.length = 0};
    push_to(&x, &out, tt_replay(0, 2, 0, 1));
    push_letters(&x, &out, "pq");
    x.mop_cfg[7] = x.mop_cfg[8] = tt_replay(0, 2, 0, 0);
    push_to(&x, &out, tt_mop(1, 0, 0));
    expect(&out, "pqpq");
    x = with(1, 3, "...a.zy");
    out = (text){.length = 0};
    push_to(&x, &out, tt_replay(0, 3, 0, 1));
    push_to(&x, &out, tt_mop(1, 0, 0));
    push_letters(&x, &out, "b");
    push_to(&x, &out, tt_replay(0, 3, 0, 0));
    expect(&out, "baaz");
}
static void riscv_b_comes_in_behind_the_mop_expander(void **state)
{
    (void)state;
    plain_expander x = with(1, 1, "...a.zy");
    text out = {.length = 0};
    plain_push_behind_mop(&x, tt_mop(1, 0, 0), write_down, &out);
    expect(&out, "M");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(template_1_has_its_last_ones),
        cmocka_unit_test(template_1_alternates_and_doubles),
        cmocka_unit_test(a_second_end_comes_only_behind_a_first),
        cmocka_unit_test(only_seven_bits_of_the_counts_matter),
        cmocka_unit_test(no_turns_give_nothing),
        cmocka_unit_test(one_turn_of_an_end_alone_is_129),
        cmocka_unit_test(blackhole_counts_in_the_instruction),
        cmocka_unit_test(the_longest_of_the_manual),
        cmocka_unit_test(a_nop_is_known_by_its_opcode),
        cmocka_unit_test(template_0_takes_the_mask_from_bit_0),
        cmocka_unit_test(template_0_emits_nops),
        cmocka_unit_test(mop_cfg_gives_the_masks_high_half_for_good),
        cmocka_unit_test(replay_records_and_plays),
        cmocka_unit_test(replay_wraps_and_zero_is_32),
        cmocka_unit_test(what_plays_is_not_expanded_again),
        cmocka_unit_test(a_mop_makes_replays_and_is_recorded_expanded),
        cmocka_unit_test(riscv_b_comes_in_behind_the_mop_expander),
    };
    return cmocka_run_group_tests_name("plain_expander", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The table of Tensix instructions: where the bits are, who is held at the wait gate, text and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kerr.h"
#include "tensix_isa.h"

#include <stdio.h>
#include <string.h>

enum { WORDS_PER_INSTRUCTION = 2000 };

static uint32_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 32);
}

static void assert_round_trip(uint32_t word)
{
    char text[KERR_INSTRUCTION_TEXT_MAX], again[KERR_INSTRUCTION_TEXT_MAX];
    kerr_text_error error = {0};
    uint32_t made = ~word;
    assert_true(kerr_disassemble_tensix(word, text, sizeof text));
    assert_true(strlen(text) + 1 < sizeof text);
    if (kerr_assemble_tensix(text, &made, &error) != KERR_OK) {
        fail_msg("%08x: '%s': column %u: %s", word, text, error.column, error.text);
    }
    if (made != word) {
        fail_msg("%08x -> '%s' -> %08x", word, text, made);
    }
    assert_true(kerr_disassemble_tensix(made, again, sizeof again));
    assert_string_equal(text, again);
}

static void every_instruction_survives_text_and_back(void **unused)
{
    uint64_t state = 5;
    (void)unused;
    for (unsigned op = 0; op < TENSIX_OP_COUNT; op++) {
        const uint32_t opcode = (uint32_t)tensix_ops[op].opcode << 24;
        assert_round_trip(opcode);
        assert_round_trip(opcode | 0xffffff);
        for (unsigned bit = 0; bit < 24; bit++) {
            assert_round_trip(opcode | 1u << bit);
        }
        for (unsigned i = 0; i < WORDS_PER_INSTRUCTION; i++) {
            assert_round_trip(opcode | (next_random(&state) & 0xffffff));
        }
    }
}

/* The text, read by hand from the table, against the decoder: no path of ours is in both. */
static void decoded_fields_are_those_of_the_text(void **unused)
{
    uint32_t word = 0;
    (void)unused;
    assert_int_equal(
        kerr_assemble_tensix("SETRWC SrcAVal=5, SrcBVal=6, DstVal=7, DstCtoCr=1, SrcA=1, FlipSrcB=1", &word, NULL),
        KERR_OK);
    const struct op_SETRWC set = decode_SETRWC(word);
    assert_int_equal(set.SrcAVal, 5);
    assert_int_equal(set.SrcBVal, 6);
    assert_int_equal(set.DstVal, 7);
    assert_int_equal(set.DstCtoCr, 1);
    assert_int_equal(set.SrcA, 1);
    assert_int_equal(set.FlipSrcB, 1);
    assert_int_equal(set.Dst + set.SrcB + set.Fidelity + set.Sp + set.SrcACr + set.SrcBCr + set.DstCr + set.FlipSrcA,
                     0);
    assert_int_equal(kerr_assemble_tensix("SFPIADD Imm12=-2048,VD=3", &word, NULL), KERR_OK);
    assert_int_equal(decode_SFPIADD(word).Imm12, -2048);
    assert_int_equal(decode_SFPIADD(word).VD, 3);
    assert_int_equal(kerr_assemble_tensix("SFPSHFT2 Mod1=6, Imm12=-1", &word, NULL), KERR_OK);
    assert_int_equal(decode_SFPSHFT2(word).Imm12, -1);
}

/* Words from assembly.yaml of the kernel library (opcode and start bits there, shifts done here by hand), for the
 * instructions whose rows carry a note that sources disagree. */
static void bits_are_where_the_kernel_library_has_them(void **unused)
{
    static const struct {
        const char *text;
        uint32_t word;
    } known[] = {
        {"ZEROACC Mode=3, UseDst32b=1, Revert=1, AddrMod=5, Imm10=0x3ff",
         0x10u << 24 | 3 << 19 | 1 << 18 | 1 << 17 | 5 << 14 | 0x3ff},
        {"ZEROACC FlipSrcB=1, FlipSrcA=1, clear_mode_hi=1", 0x10u << 24 | 7 << 21},
        {"UNPACR_NOP Unpacker_Select=1, Stream_Id=0x3f, Msg_Clr_Cnt=7, Set_Dvalid=1, Clr_to1_fmt_Ctrl=3, "
         "Stall_Clr_Cntrl=1, "
         "Bank_Clr_Ctrl=1, Src_ClrVal_Ctrl=3, Unpack_Pop=2",
         0x43u << 24 | 1 << 23 | 0x3f << 16 | 7 << 12 | 1 << 8 | 3 << 6 | 1 << 5 | 1 << 4 | 3 << 2 | 2},
        {"UNPACR_NOP AddrSel1=1, AddrSel0=1, Msg_Clr_Cnt=5, Msg_Clr_Cnt_Lo=0xc3, Accumulate=1, SetReg=1, Unpack_Pop=3",
         0x43u << 24 | 1 << 22 | 1 << 15 | 5 << 12 | 0xc3 << 4 | 1 << 3 | 1 << 2 | 3},
        {"MOP Template=1, OuterCount=0x3ff, InnerCount=1", 0x01u << 24 | 1 << 23 | 0xf << 16 | 0x3f << 10 | 1},
        {"MOP Count1=0x7f, MaskLo=0xffff", 0x01u << 24 | 0x7f << 16 | 0xffff},
        {"STALLWAIT BlockMask=0x1ff, ConditionMask=0x1000", 0xa2u << 24 | 0x1ff << 15 | 1 << 12},
        {"GMPOOL AddrMod=7, ArgMax=1", 0x33u << 24 | 7 << 15 | 1 << 14},
        {"MOVB2D AddrMod=4, Move4Rows=1, BroadcastCol0=1", 0x13u << 24 | 4 << 14 | 5 << 11},
        {"SFPLOAD VD=2, Mod0=0xc, AddrMod=7, Imm10=1", 0x70u << 24 | 2 << 20 | 12 << 16 | 7 << 13 | 1},
        {"PACR RowPadZero=5, DstAccessMode=1, AddrMod=3, ReadIntfSel=0xf, CtxtCtrl=3, Last=1",
         0x41u << 24 | 5 << 18 | 1 << 17 | 3 << 15 | 15 << 8 | 3 << 2 | 1},
        {"SETDMAREG NewValue=0xffff, ResultHalfReg=0x7f", 0x45u << 24 | 0xffff << 8 | 0x7f},
        {"SETDMAREG ResultSize=1, InputSource=9, SetSignalsMode=1", 0x45u << 24 | 1 << 22 | 9 << 11 | 1 << 7},
        {"NOP", 0x02000000},
        {"SEMPOST SemaphoreMask=2, reserved=0x801", 0xa4u << 24 | 1 << 11 | 2 << 2 | 1},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char text[KERR_INSTRUCTION_TEXT_MAX];
        uint32_t word = 0;
        assert_int_equal(kerr_assemble_tensix(known[i].text, &word, NULL), KERR_OK);
        if (word != known[i].word) {
            fail_msg("'%s' is %08x, not %08x", known[i].text, word, known[i].word);
        }
        assert_true(kerr_disassemble_tensix(known[i].word, text, sizeof text));
    }
}

static void assembler_takes_what_people_write(void **unused)
{
    uint32_t word = 0;
    (void)unused;
    assert_int_equal(kerr_assemble_tensix("  SEMINIT\tNewMax = 0xF ,NewValue=+3,SemaphoreMask=0X1  ", &word, NULL),
                     KERR_OK);
    assert_int_equal(word, 0xa3u << 24 | 15 << 20 | 3 << 16 | 1 << 2);
    assert_int_equal(kerr_assemble_tensix(".word 0xdeadbeef", &word, NULL), KERR_OK);
    assert_int_equal(word, 0xdeadbeef);
    assert_int_equal(kerr_assemble_tensix(NULL, &word, NULL), KERR_BAD_ARGUMENT);
    assert_int_equal(kerr_assemble_tensix("NOP", NULL, NULL), KERR_BAD_ARGUMENT);
}

static void assembler_refuses_with_column_and_reason(void **unused)
{
    static const struct {
        const char *text;
        uint32_t column;
        const char *reason;
    } bad[] = {
        {"", 1, "expected an instruction"},
        {"  sempost", 3, "there is no instruction 'sempost'"},
        {"NOP;", 4, "expected a blank after NOP"},
        {"NOP x=1", 5, "NOP has no field 'x'; it has none"},
        {"SEMPOST Mask=1", 9, "SEMPOST has no field 'Mask'; it has SemaphoreMask"},
        {"STALLWAIT BlockMask=1, ConditionMask=8192", 24, "ConditionMask=8192 is out of range: 0 to 8191"},
        {"STALLWAIT BlockMask=-1", 11, "BlockMask=-1 is out of range: 0 to 511"},
        {"SFPIADD Imm12=2048", 9, "Imm12=2048 is out of range: -2048 to 2047"},
        {"SFPIADD Imm12=-2049", 9, "Imm12=-2049 is out of range: -2048 to 2047"},
        {"SEMPOST SemaphoreMask", 22, "expected '=' and a value after SemaphoreMask"},
        {"SEMPOST SemaphoreMask=", 23, "'' is not a number"},
        {"SEMPOST SemaphoreMask=0x", 23, "'0x' is not a number"},
        {"SEMPOST SemaphoreMask=1a", 23, "'1a' is not a number"},
        {"SEMPOST SemaphoreMask=4294967296", 23, "number is larger than 32 bits"},
        {"SEMPOST SemaphoreMask=1 2", 25, "expected ',' or the end"},
        {"SEMPOST SemaphoreMask=1,", 25, "expected FIELD=VALUE after ','"},
        {"SEMPOST SemaphoreMask=1, SemaphoreMask=1", 26, "SemaphoreMask is given twice"},
        {"SEMPOST =1", 9, "expected FIELD=VALUE"},
        {"SEMPOST 1=1", 9, "expected FIELD=VALUE"},
        {"SEMPOST reserved=4", 9, "reserved=0x4 has bits that are not reserved (0xfffc03 are)"},
        {"SETDMAREG SetSignalsMode=1, NewValue=1", 29, "SETDMAREG has NewValue only without SetSignalsMode=1"},
        {"SETDMAREG InputSource=1", 11, "SETDMAREG has InputSource only with SetSignalsMode=1"},
        {"SETDMAREG SetSignalsMode=2", 11, "SetSignalsMode=2 is out of range: 0 to 1"},
        {".word", 1, "expected an instruction"},
        {".word -1", 7, "a word is not negative"},
        {".word 1 2", 9, "expected the end"},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        kerr_text_error error = {0};
        uint32_t word = 0x12345678;
        assert_int_equal(kerr_assemble_tensix(bad[i].text, &word, &error), KERR_BAD_TEXT);
        assert_string_equal(error.text, bad[i].reason);
        if (error.column != bad[i].column) {
            fail_msg("'%s': column %u, not %u", bad[i].text, error.column, bad[i].column);
        }
        assert_int_equal(word, 0x12345678);
    }
}

static void words_that_are_no_instruction(void **unused)
{
    unsigned exist = 0;
    (void)unused;
    for (uint32_t opcode = 0; opcode < 256; opcode++) {
        char text[KERR_INSTRUCTION_TEXT_MAX], expected[32];
        const bool known = kerr_disassemble_tensix(opcode << 24 | 0xabcdef, text, sizeof text);
        exist += known;
        assert_int_equal(known, tensix_op_of[opcode] != TENSIX_ILLEGAL);
        if (!known) {
            (void)snprintf(expected, sizeof expected, ".word 0x%02xabcdef", opcode);
            assert_string_equal(text, expected);
            assert_int_equal(tensix_reserved_set(opcode << 24 | 0xabcdef), 0);
        }
    }
    assert_int_equal(exist, 137);
    assert_int_equal(kerr_tensix_op_count(), 137);
    assert_string_equal(kerr_tensix_op_name(0), "MOP");
    assert_string_equal(kerr_tensix_op_unit(0), "frontend");
    assert_null(kerr_tensix_op_name(137));
    assert_null(kerr_tensix_op_unit(137));
}

static void a_short_buffer_is_cut_not_overrun(void **unused)
{
    char text[12];
    (void)unused;
    memset(text, 'x', sizeof text);
    assert_true(kerr_disassemble_tensix(0xa2ffffff, text, 8));
    assert_string_equal(text, "STALLWA");
    assert_int_equal(text[8], 'x');
    assert_true(kerr_disassemble_tensix(0xa2ffffff, NULL, 99));
    assert_true(kerr_disassemble_riscv(0x00000013, 0, text, 5));
    assert_string_equal(text, "addi");
    assert_int_equal(text[8], 'x');
}

static void reserved_bits_depend_on_the_form(void **unused)
{
    (void)unused;
    assert_int_equal(tensix_reserved_set(0x45ffffff & ~0x80u), 0);
    assert_int_equal(tensix_reserved_set(0x45ffffff), 7 << 19);
    assert_int_equal(tensix_reserved_bits[0x45], 0);
    assert_int_equal(tensix_reserved_bits[0xa4], 0xfffc03);
    assert_int_equal(tensix_reserved_bits[0x00], 0xffffff);
}

/* The manual's STALLWAIT page (BlackholeA0), "Block mask". */
static void block_masks(void **unused)
{
    (void)unused;
    assert_int_equal(tensix_ops[TENSIX_ADDDMAREG].blocked_by, 1 << 0 | 1 << 5);
    assert_int_equal(tensix_ops[TENSIX_PACR].blocked_by, 1 << 0 | 1 << 2);
    assert_int_equal(tensix_ops[TENSIX_UNPACR_NOP].blocked_by, 1 << 0 | 1 << 3);
    assert_int_equal(tensix_ops[TENSIX_XMOV].blocked_by, 1 << 0 | 1 << 4);
    assert_int_equal(tensix_ops[TENSIX_SETADC].blocked_by, 1 << 0);
    assert_int_equal(tensix_ops[TENSIX_SEMPOST].blocked_by, 1 << 1);
    assert_int_equal(tensix_ops[TENSIX_SETRWC].blocked_by, 1 << 6);
    assert_int_equal(tensix_ops[TENSIX_RMWCIB2].blocked_by, 1 << 7);
    assert_int_equal(tensix_ops[TENSIX_SFP_STOCH_RND].blocked_by, 1 << 8);
    assert_int_equal(tensix_ops[TENSIX_SEMWAIT].blocked_by, 0x1ff);
    assert_int_equal(tensix_ops[TENSIX_MOP].blocked_by, 0);
    assert_false(tensix_blocks(0x0ff, &tensix_ops[TENSIX_NOP]));
    assert_true(tensix_blocks(0x1ff, &tensix_ops[TENSIX_NOP]));
    assert_true(tensix_blocks(0x020, &tensix_ops[TENSIX_DMANOP]));
    assert_false(tensix_blocks(0x1de, &tensix_ops[TENSIX_DMANOP]));
}

static void ttinsn_is_the_word_rotated(void **unused)
{
    char text[KERR_INSTRUCTION_TEXT_MAX];
    uint32_t word = 0;
    (void)unused;
    assert_true(kerr_is_ttinsn(0xa4000004u << 2 | 0xa4000004u >> 30, &word));
    assert_int_equal(word, 0xa4000004u);
    assert_false(kerr_is_ttinsn(0x00000013, &word));
    assert_true(kerr_disassemble_riscv(0xa4000004u << 2 | 0xa4000004u >> 30, 0, text, sizeof text));
    assert_string_equal(text, ".ttinsn 0xa4000004");
    assert_false(kerr_disassemble_riscv(0xffffffff, 0, text, sizeof text));
    assert_string_equal(text, ".word 0xffffffff");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_survives_text_and_back),
        cmocka_unit_test(decoded_fields_are_those_of_the_text),
        cmocka_unit_test(bits_are_where_the_kernel_library_has_them),
        cmocka_unit_test(assembler_takes_what_people_write),
        cmocka_unit_test(assembler_refuses_with_column_and_reason),
        cmocka_unit_test(words_that_are_no_instruction),
        cmocka_unit_test(a_short_buffer_is_cut_not_overrun),
        cmocka_unit_test(reserved_bits_depend_on_the_form),
        cmocka_unit_test(block_masks),
        cmocka_unit_test(ttinsn_is_the_word_rotated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Which rows of SrcA, SrcB and Dst checks and traces are told that an instruction reads and writes (src/hooks/hooks.h): those of the
 * functional model of its page. */
#include "support/unit.h"

#include "support/check_programs.h"

#include "tensix/text.h"
#include "tile_regs.h"

#include <string.h>

static const kerr_xy tile = {1, 2};

static uint32_t word_of(const char *text)
{
    tensix_text_error error;
    uint32_t word = 0;
    if (!tensix_assemble(text, &word, &error))
        fail_msg("%s: %s", text, error.text);
    return word;
}

/* As "a 0+16 b 0+8 D 0+8": space, first row and rows, in capitals if written; what follows is one piece. */
struct told {
    uint32_t word;
    char text[400];
    size_t last; /* where the last piece begins */
    uint32_t first, end;
    const char *name;
};

static void on_access(void *context, const kerr_trace_event *event)
{
    static const char *const names[KERR_SPACES][2] = {
        [KERR_SPACE_DST] = {"d", "D"}, [KERR_SPACE_SRCA] = {"a", "A"}, [KERR_SPACE_SRCB] = {"b", "B"}};
    struct told *told = context;
    const kerr_access *access = event->access;
    const char *name = names[event->space][access->is_write];
    if (access->instruction != told->word || name == NULL || access->size == 0)
        return;
    if (name != told->name || access->address != told->end) {
        told->last = strlen(told->text);
        told->first = access->address;
    }
    told->name = name;
    told->end = access->address + access->size;
    snprintf(told->text + told->last, sizeof told->text - told->last, "%s%s %u+%u", told->last ? " " : "", name,
             told->first, told->end - told->first);
}

/* A word of Config, bank 0. */
struct word {
    unsigned index;
    uint32_t value;
};

static void tells_configured(const struct word *words, unsigned count, const char *before, const char *text,
                             unsigned times, const char *expected)
{
    struct told told = {.word = word_of(text)};
    programs p = {{NULL}};
    kerr_chip *chip = chip_new_one_thread();
    MUST(chip, kerr_set_checks(chip, KERR_CHECK_ACCESSES));
    MUST(chip, kerr_set_trace_kinds(chip, KERR_TRACE_ACCESS, on_access, &told));
    rvasm *a = begin(&p, KERR_CORE_T1);
    for (unsigned i = 0; i < count; i++)
        store(a, TENSIX_CFG_BASE + 4 * words[i].index, words[i].value);
    if (count == 0)
        push(a, word_of("SETDVALID FlipSrcA=1, FlipSrcB=1"));
    else
        load(a, TENSIX_CFG_BASE); /* behind which they are there */
    push(a, word_of(before));
    for (unsigned i = 0; i < times; i++)
        push(a, told.word);
    start_all(chip, tile, &p);
    MUST(chip, kerr_run(chip, 2000));
    if (strcmp(told.text, expected) != 0)
        fail_msg("%s: told of %s, not of %s", text, told.text, expected);
    kerr_destroy(chip);
}
static void tells_with(const char *before, const char *text, const char *expected)
{
    tells_configured(NULL, 0, before, text, 1, expected);
}
static void tells(const char *text, const char *expected)
{
    tells_with("NOP", text, expected);
}

static void the_matrix_unit_tells_its_rows(void **state)
{
    const char *wide = "RMWCIB3 Mask=32, NewValue=32, Index4=1"; /* ALU_ACC_CTRL_Fp32_enabled */
    (void)state;
    tells("ELWADD DstRow=16", "a 0+8 b 0+8 D 16+8");
    tells("ELWADD DstRow=16, BroadcastSrcBRow=1", "a 0+8 b 0+1 D 16+8");
    tells("ELWADD AddDst=1", "a 0+8 b 0+8 D 0+8");
    tells("ELWSUB BroadcastSrcBCol0=1", "a 0+8 b 0+8 D 0+8");
    tells("ELWMUL", "a 0+8 b 0+8 D 0+8");
    tells("MVMUL", "a 0+16 b 0+8 D 0+8");
    tells("DOTPV", "a 0+16 b 0+8 D 0+8");
    tells("GAPOOL", "a 0+16 b 0+4 D 0+4");
    tells("GMPOOL", "a 0+16 d 0+1 D 0+4");
    tells_with("SETRWC SrcA=1, SrcAVal=8, SrcB=1, SrcBVal=8", "ELWADD", "a 8+8 b 8+8 D 0+8");
    /* A row of Dst32b is two, eight apart; of one that is read the first is told. */
    tells_with(wide, "ELWADD DstRow=16",
               "a 0+8 b 0+8 D 32+1 D 40+1 D 33+1 D 41+1 D 34+1 D 42+1 D 35+1 D 43+1 D 36+1 D 44+1 "
               "D 37+1 D 45+1 D 38+1 D 46+1 D 39+1 D 47+1");
    tells_with(wide, "GMPOOL", "a 0+16 d 0+1 D 0+1 D 8+1 D 1+1 D 9+1 D 2+1 D 10+1 D 3+1 D 11+1");
    tells("MVMUL BroadcastSrcBRow=1", "a 0+16 b 0+1 D 0+1 D 2+1 D 4+1 D 6+1");
}

static void moves_tell_their_rows(void **state)
{
    (void)state;
    tells("MOVA2D DstRow=3", "a 0+1 D 3+1");
    tells("MOVA2D Move8Rows=1", "a 0+8 D 0+8");
    tells("MOVB2D", "b 0+1 D 0+1");
    tells("MOVB2D Broadcast1RowTo8=1", "b 0+1 D 0+8");
    tells("MOVB2D Move4Rows=1", "b 0+4 D 0+4");
    tells("MOVD2A", "d 0+1 A 0+1");
    tells("MOVD2A Move4Rows=1", "d 0+4 A 0+4");
    tells("MOVD2B", "d 0+1 B 0+1");
    tells("MOVB2A", "b 0+1 A 0+1");
    tells("MOVB2A Move4Rows=1", "b 0+4 A 0+4");
    tells("ZEROACC Imm10=5", "D 5+1");
    tells("ZEROACC Mode=1, Imm10=1", "D 16+16");
    tells("ZEROACC Mode=2", "D 0+512");
    tells("ZEROACC Mode=2, Imm10=1", "D 512+512");
    tells("ZEROACC Mode=3", "D 0+1024");
    tells("TRNSPSRCB", "B 16+16");
}

/* Twice: the second time in their fast forms (unpack/rows.c, pack/rows.c). */
static void unpackers_and_packer_tell_theirs(void **state)
{
    static const struct word to_src[] = {
        {64, 5 | 1 << 4 | 16 << 16}, {65, 16 | 1 << 16}, {72, 5},       {76, 0x1FFF},    {112, 5 | 1 << 4 | 16 << 16},
        {113, 16 | 1 << 16},         {120, 5},           {124, 0x1FFF}, {49, 2 * 16 * 8}};
    static const struct word to_dst[] = {
        {64, 1 << 4 | 16 << 16}, {65, 16 | 1 << 16}, {72, 1 << 11}, {76, 0x1FFF}, {49, 4 * 16 * 4}};
    static const struct word from_dst[] = {{1, 0x0A000000}, {70, 0x551}, {12, 0x00200000}, {13, 0x08000200},
                                           {24, 0xFFFF},    {28, 0x100}, {69, 0x3FFF}};
    (void)state;
    const unsigned src = sizeof to_src / sizeof *to_src, dst = sizeof to_dst / sizeof *to_dst;
    tells_configured(to_src, src, "SETADCXX U0=1, X1Val=63", "UNPACR", 2, "A 4+4 A 4+4");
    tells_configured(to_src, src, "SETADCXX U1=1, X1Val=47", "UNPACR WhichUnpacker=1", 2, "B 0+3 B 0+3");
    tells_configured(to_dst, dst, "SETADCXX U0=1, X1Val=31", "UNPACR", 2,
                     "D 0+1 D 8+1 D 1+1 D 9+1 D 0+1 D 8+1 D 1+1 D 9+1");
    tells_configured(from_dst, sizeof from_dst / sizeof *from_dst, "SETADCXX PK=1, X1Val=15", "PACR Last=1", 2,
                     "d 0+4 d 0+4");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_matrix_unit_tells_its_rows),
        cmocka_unit_test(moves_tell_their_rows),
        cmocka_unit_test(unpackers_and_packer_tell_theirs),
    };
    return cmocka_run_group_tests_name("tensix/tells", tests, NULL, NULL);
}

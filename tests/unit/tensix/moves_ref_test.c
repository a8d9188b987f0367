/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Moves between SrcA, SrcB and Dst against a reference: tests/vectors/moves.vec, or the file named by the argument, whose
 * format is in tests/oracle/moves_ref.py, which writes it. */
#include "unit/tensix/exec.h"

enum { FILLED = 64, DUMPED = 384, ROWS_OF_A_SUM = 8, MAX_LINE = 4096 };

static const char *vectors = "tests/vectors/moves.vec";

static void fill(struct tile *tile, char **at)
{
    for (unsigned i = 0; i < 2 * FILLED / 4; i++) {
        const unsigned base = (unsigned)strtoul(*at, at, 16);
        for (unsigned lane = 0; lane < LANES; lane++)
            tile->files.DstBits[i / 2 * 4 + lane / 8][lane % 8 * 2 + i % 2] = (uint16_t)(base + 2 * lane);
    }
}

static void go(struct tile *tile, char **at, const char *name)
{
    for (;;) {
        *at += strspn(*at, " ");
        if (**at == '|')
            return;
        if (**at == 'Z') {
            tile->dev.tensix.config[0][ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR32] = (uint32_t)strtoul(*at + 1, at, 10);
            continue;
        }
        const uint32_t word = (uint32_t)strtoul(*at, at, 16);
        if (!exec_word(tile, 0, word) || tile->faults != 0)
            fail_msg("%s: %08x is not executed: %s", name, word, tile->fault_text);
    }
}

static uint32_t sum_of(const struct tile *tile, unsigned row)
{
    uint32_t sum = 0x811C9DC5;
    for (unsigned i = 0; i < ROWS_OF_A_SUM * DST_COLUMNS; i++) {
        const uint16_t cell = tile->files.DstBits[row + i / DST_COLUMNS][i % DST_COLUMNS];
        sum = (sum ^ (cell & 0xFF)) * 0x01000193;
        sum = (sum ^ cell >> 8) * 0x01000193;
    }
    return sum;
}

static void one(struct tile *tile, char *line)
{
    char name[32];
    unsigned config[3], thread2, thread3, implied[2];
    int length = 0;
    assert_int_equal(sscanf(line, "%31s %u %u %u %u %u %u %u |%n", name, &config[0], &config[1], &config[2], &thread2,
                            &thread3, &implied[0], &implied[1], &length),
                     8);
    char *at = line + length;
    memset(&tile->files, 0, sizeof tile->files);
    memset(&tile->dev.tensix, 0, sizeof tile->dev.tensix);
    for (unsigned i = 0; i < 3; i++)
        tile->dev.tensix.config[0][i] = config[i];
    thread_of(tile, 0)->config[DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32] = (uint16_t)thread2;
    thread_of(tile, 0)->config[DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32] = (uint16_t)thread3;
    for (unsigned which = 0; which < 2; which++) {
        tile->dev.tensix.src[which].matrix_owns[0] = true;
        tile->dev.tensix.src[which].implied_format[0] = (uint8_t)implied[which];
    }
    fill(tile, &at);
    at += strspn(at, " |");
    go(tile, &at, name);
    at += strspn(at, " |");
    for (unsigned row = 0; row < DUMPED; row += ROWS_OF_A_SUM) {
        const uint32_t want = (uint32_t)strtoul(at, &at, 16);
        if (sum_of(tile, row) != want)
            fail_msg("%s: rows %u to %u of DstBits are not as recorded", name, row, row + ROWS_OF_A_SUM - 1);
    }
}

static void moves_are_as_recorded(void **state)
{
    static char line[MAX_LINE];
    unsigned cases = 0;
    FILE *file = fopen(vectors, "r");
    if (!file)
        fail_msg("cannot open %s (run from the top of the tree)", vectors);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#')
            continue;
        one(*state, line);
        cases++;
    }
    fclose(file);
    assert_true(cases >= 20);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {CASE(moves_are_as_recorded)};
    vectors = argc > 1 ? argv[1] : vectors;
    return RUN(tests);
}

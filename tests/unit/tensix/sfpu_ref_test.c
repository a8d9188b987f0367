/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* The Vector Unit against what a reference simulator answered: tests/vectors/sfpu.vec, made by tests/oracle/sfpu_ref.py, which
 * explains programs, operands and the format; or the file that is named. */
#include "tensix_isa.h" /* first: tile_regs.h makes a macro of one of its names */

#include "unit/tensix/exec.h"

#include <stdio.h>
#include <stdlib.h>

enum { OPERANDS = 3, RESULTS = 4, FIRST_RESULT = 3, MOST_WORDS = 32, MOST_TEXT = 1024, TILE_VECTORS = 8 };

static const uint32_t edges[] = {0,          0x80000000, 1,          0x80000001, 0x007FFFFF, 0x00800000, 0x80800000,
                                 0x00FFFFFF, 0x3F800000, 0xBF800000, 0x3F7FFFFF, 0x3F800001, 0x3FFFFFFF, 0x40000000,
                                 0xC0490FDB, 0x34000000, 0x33FFFFFF, 0x4B000001, 0x4B7FFFFF, 0x4F000000, 0xCF000000,
                                 0x7F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001,
                                 0xFFFFFFFF, 0x7FFFFFFF, 0x0000FFFF, 0x12345678};
enum { EDGES = sizeof edges / sizeof *edges };

/* ---- Operands, as sfpu_ref.py makes them ---- */

static uint32_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

static uint32_t number(uint64_t *state)
{
    const uint32_t r = next(state), x = next(state), kind = r & 7;
    if (kind < 3)
        return x;
    if (kind < 5)
        return (x & 0x807FFFFF) | (112 + (r >> 8) % 32) << 23;
    if (kind == 5)
        return (x & 0x80780000) | (120 + (r >> 8) % 16) << 23;
    if (kind == 6)
        return x >> (8 + (r >> 8) % 24) | (r & 0x80000000);
    return edges[(r >> 8) % EDGES];
}

static void make_operands(const char *set, uint64_t *state, uint32_t i, uint32_t to[OPERANDS])
{
    if (strcmp(set, "edges") == 0) {
        to[0] = edges[i % EDGES], to[1] = edges[i / EDGES % EDGES], to[2] = edges[i / EDGES / EDGES % EDGES];
        return;
    }
    if (strcmp(set, "high16") == 0)
        to[0] = i << 16 | next(state) >> 16;
    else if (strcmp(set, "low16") == 0)
        to[0] = (next(state) & 0xFFFF0000) | (i & 0xFFFF);
    else
        to[0] = number(state);
    to[1] = number(state);
    if (strcmp(set, "cancel") == 0) {
        const uint32_t r = next(state);
        const uint32_t exponent = (to[0] >> 23 & 255) + (to[1] >> 23 & 255) - 127 + r % 5 - 2;
        to[2] = ((to[0] ^ to[1] ^ r) & 0x80000000) | (exponent & 255) << 23 | next(state) >> 9;
    } else {
        to[2] = number(state);
    }
}

/* ---- A case ---- */

typedef struct vector_case {
    char name[64], set[16];
    uint32_t lanes, words, word[MOST_WORDS], crc;
} vector_case;

static bool read_case(char *line, vector_case *c)
{
    char *answer = strstr(line, " : ");
    if (line[0] == '#' || answer == NULL)
        return false;
    *answer = '\0';
    c->crc = (uint32_t)strtoul(answer + 3, NULL, 16);
    int at = 0;
    assert_int_equal(sscanf(line, "%63s %15s %u%n", c->name, c->set, &c->lanes, &at), 3);
    char *end = line + at;
    for (c->words = 0; *end != '\0'; c->words++) {
        assert_true(c->words < MOST_WORDS);
        c->word[c->words] = (uint32_t)strtoul(end, &end, 16);
    }
    return true;
}

static void add_to_crc(uint32_t *crc, uint32_t value)
{
    for (unsigned byte = 0; byte < 4; byte++) {
        *crc ^= value >> 8 * byte & 0xFF;
        for (unsigned bit = 0; bit < 8; bit++)
            *crc = *crc >> 1 ^ (*crc & 1 ? 0xEDB88320 : 0);
    }
}

static void execute(struct tile *tile, const vector_case *c)
{
    struct vector_files *v = &tile->files.vector;
    v->LaneFlags = v->UseLaneFlagsForLaneEnable = UINT32_MAX;
    for (unsigned i = OPERANDS; i < 8; i++)
        memset(v->LReg[i], 0, sizeof v->LReg[i]);
    for (unsigned i = 0; i < c->words; i++)
        if (!exec_word(tile, 0, c->word[i]))
            fail_msg("%s: word %u of the program, %08x, is not taken: %s", c->name, i, c->word[i], tile->fault_text);
}

/* A tile: 16 rows for each of LReg 4, 5, 6 and 3, eight times 32 lanes. */
static void add_tile_to_crc(uint32_t *crc, const uint32_t tile[RESULTS][TILE_VECTORS][LANES])
{
    for (unsigned face = 0; face < RESULTS; face++)
        for (unsigned row = 0; row < DST_COLUMNS; row++)
            for (unsigned column = 0; column < DST_COLUMNS; column++)
                add_to_crc(crc, tile[face][row / 4 * 2 + column % 2][row % 4 * LANE_COLUMNS + column / 2]);
}

static uint32_t crc_of(struct tile *tile, const vector_case *c)
{
    struct vector_files *v = &tile->files.vector;
    uint64_t state = strlen(c->set);
    uint32_t crc = UINT32_MAX;
    static uint32_t results[RESULTS][TILE_VECTORS][LANES];
    for (uint32_t vector = 0; vector < c->lanes / LANES; vector++) {
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t operand[OPERANDS];
            make_operands(c->set, &state, vector * LANES + lane, operand);
            for (unsigned i = 0; i < OPERANDS; i++)
                v->LReg[i][lane] = operand[i];
        }
        execute(tile, c);
        for (unsigned i = 0; i < RESULTS; i++)
            memcpy(results[(i + RESULTS - 1) % RESULTS][vector % TILE_VECTORS], v->LReg[FIRST_RESULT + i],
                   sizeof results[0][0]);
        if (vector % TILE_VECTORS == TILE_VECTORS - 1)
            add_tile_to_crc(&crc, (const uint32_t(*)[TILE_VECTORS][LANES])results);
    }
    return ~crc;
}

static const char *path = "tests/vectors/sfpu.vec";

static void every_program_gives_what_the_reference_gives(void **state)
{
    struct tile *tile = *state;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    static char line[MOST_TEXT];
    unsigned cases = 0, wrong = 0;
    tile->dev.tensix.config[0][ALU_ACC_CTRL_SFPU_Fp32_enabled_ADDR32] = ALU_ACC_CTRL_SFPU_Fp32_enabled_MASK;
    while (fgets(line, sizeof line, file) != NULL) {
        vector_case c;
        if (!read_case(line, &c))
            continue;
        cases++;
        tile->files.vector = (struct vector_files){0};
        vector_reset(&tile->files.vector);
        if (crc_of(tile, &c) != c.crc) {
            print_message("%s with operands %s differs\n", c.name, c.set);
            wrong++;
        }
    }
    fclose(file);
    assert_true(cases > 40);
    assert_int_equal(wrong, 0);
}

int main(int count, char **arguments)
{
    if (count > 1)
        path = arguments[1];
    const struct CMUnitTest tests[] = {CASE(every_program_gives_what_the_reference_gives)};
    return RUN(tests);
}

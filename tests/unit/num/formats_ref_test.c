/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/formats.c src/num/unpack_convert.c src/num/pack_convert.c src/num/pack_rows.c src/num/l1_accumulate.c src/num/fma.c src/num/f32.c */
/* Formats against a reference (tests/vectors/formats.vec, written by tests/oracle/formats_ref.py): every line is a path L1 ->
 * unpacker -> SrcA, SrcB or Dst -> packer -> L1, taken here by the conversions alone, once datum by datum and once in rows. */
#include "num/dst_cells.h"
#include "num/l1_accumulate.h"
#include "num/pack_convert.h"
#include "num/src_cells.h"
#include "num/unpack_convert.h"

#include "unit/num/format_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct path {
    char route[8], in[12], reg[12], pack_in[12], out[12], flags[40], set[12];
    struct unpack_conversion unpack;
    struct pack_conversion pack;
    bool accumulate;
};

struct work {
    struct format_set set;
    uint32_t memory[SET_MAX];
};

static unsigned format_of(const char *name)
{
    for (unsigned format = 0; format < FORMATS; format++) {
        if (strcmp(name, format_name(format)) == 0) {
            return format;
        }
    }
    assert_true(strcmp(name, "UINT8") == 0 || strcmp(name, "FP8_E4M3") == 0);
    return name[0] == 'U' ? FORMAT_INT8 : FORMAT_FP8;
}

static uint32_t crc32_of(const uint8_t *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
        }
    }
    return ~crc;
}

/* The line up to its colon; returns what stands behind it. */
static const char *read_path(const char *line, struct path *p)
{
    int end = 0;
    memset(p, 0, sizeof *p);
    assert_int_equal(sscanf(line, "%7s %11s %11s %11s %11s %39s %11s :%n", p->route, p->in, p->reg, p->pack_in, p->out,
                            p->flags, p->set, &end),
                     7);
    assert_true(end > 0);
    p->unpack = (struct unpack_conversion){.InDataFormat = (uint8_t)format_of(p->in),
                                           .OutDataFormat = (uint8_t)format_of(p->reg),
                                           .UnpackToDst = p->route[0] == 'D',
                                           .Int8MeansUnsigned = strcmp(p->in, "UINT8") == 0,
                                           .Exponent4b = strcmp(p->in, "FP8_E4M3") == 0};
    p->pack = (struct pack_conversion){.IntermediateFormat = (uint8_t)format_of(p->pack_in),
                                       .LateFromFormat = (uint8_t)format_of(p->pack_in),
                                       .LateToFormat = (uint8_t)format_of(p->out),
                                       .Read_32b_data = strstr(p->flags, "DST32") != NULL,
                                       .Round_10b_mant = strstr(p->flags, "ROUND_10_BITS") != NULL,
                                       .Read_unsigned = strcmp(p->out, "UINT8") == 0,
                                       .Exponent4b = strcmp(p->out, "FP8_E4M3") == 0};
    p->accumulate = strstr(p->flags, "L1_ACCUMULATE") != NULL;
    return line + end;
}

/* MOVA2D and MOVB2D, with Zero_Flag_disabled_src: the Dst cell of a Src cell. */
static uint32_t move(const struct path *p, uint32_t bits)
{
    const struct src_cell cell = {bits};
    if (p->unpack.OutDataFormat == FORMAT_TF32) {
        return dst32_from_src_tf32(cell).bits;
    }
    return format_has_8b_exponent(p->unpack.OutDataFormat) ? dst16_from_src_8b_exponent(cell).bits
                                                           : dst16_from_src_5b_exponent(cell).bits;
}

/* 16 datums to the bytes in L1, by the references. */
static unsigned row_by_datum(const struct path *p, const struct work *w, uint32_t first, uint8_t bytes[64],
                             uint8_t *exponent)
{
    uint32_t words[ROW_DATUMS];
    for (uint32_t i = 0; i < ROW_DATUMS; i++) {
        const uint32_t cell = unpack_datum(p->unpack, w->set.datums[first + i], w->set.exponents[first / ROW_DATUMS]);
        words[i] = pack_early(p->pack, p->unpack.UnpackToDst ? cell : move(p, cell));
    }
    const unsigned bits = format_bits(p->pack.LateToFormat);
    if (format_is_bfp(p->pack.LateToFormat)) {
        uint8_t datums[ROW_DATUMS];
        *exponent = pack_late_bfp(p->pack, words, datums);
        memset(bytes, 0, 2 * bits);
        for (uint32_t i = 0; i < ROW_DATUMS; i++) {
            bytes[i * bits / 8] |= (uint8_t)(datums[i] << i * bits % 8);
        }
        return 2 * bits;
    }
    for (uint32_t i = 0; i < ROW_DATUMS; i++) {
        uint32_t x = pack_late(p->pack, words[i]);
        if (p->accumulate) {
            x = l1_accumulate(p->pack.LateToFormat, w->memory[first + i], x);
        }
        memcpy(bytes + i * bits / 8, &x, bits / 8);
    }
    return 2 * bits;
}

/* Datums as they stand in L1. */
static void to_l1(uint8_t bytes[64], const uint32_t datums[ROW_DATUMS], unsigned bits)
{
    memset(bytes, 0, 64);
    for (uint32_t i = 0; i < ROW_DATUMS; i++) {
        const uint32_t x = datums[i] << (bits < 8 ? i * bits % 8 : 0);
        for (unsigned byte = 0; byte < (bits + 7) / 8; byte++) {
            bytes[i * bits / 8 + byte] |= (uint8_t)(x >> 8 * byte);
        }
    }
}

/* The same by rows, for what rows can do. */
static unsigned row_by_row(const struct path *p, const struct work *w, uint32_t first, uint8_t bytes[64],
                           uint8_t *exponent)
{
    uint8_t in[64];
    uint32_t words[ROW_DATUMS], src[ROW_DATUMS];
    uint16_t high[ROW_DATUMS], low[ROW_DATUMS] = {0};
    const uint8_t in_exponent = w->set.exponents[first / ROW_DATUMS];
    to_l1(in, w->set.datums + first, format_bits(p->unpack.InDataFormat));
    switch (unpack_target_of(p->unpack)) {
    case UNPACK_TO_DST16: unpack_row_dst16(p->unpack, high, in, in_exponent); break;
    case UNPACK_TO_DST32: unpack_row_dst32(high, low, in); break;
    default:
        unpack_row_src(p->unpack, src, in, in_exponent);
        for (uint32_t i = 0; i < ROW_DATUMS; i++) {
            const uint32_t cell = move(p, src[i]);
            high[i] = (uint16_t)(p->pack.Read_32b_data ? cell >> 16 : cell);
            low[i] = (uint16_t)cell;
        }
    }
    if (p->pack.Read_32b_data) {
        pack_row_early_dst32(p->pack, words, high, low);
    } else {
        pack_row_early_dst16(p->pack, words, high);
    }
    return pack_row_late(p->pack, bytes, exponent, words);
}

/* One chunk of tiles as it stands in L1 afterwards; returns its size. */
static size_t take(const struct path *p, const struct work *w, uint32_t first, uint8_t *out)
{
    const bool bfp = format_is_bfp(p->pack.LateToFormat);
    uint8_t *at = out;
    for (uint32_t tile = first; tile < w->set.count && tile < first + CHUNK_TILES * TILE_DATUMS; tile += TILE_DATUMS) {
        uint8_t *exponents = at;
        at += bfp ? TILE_ROWS : 0;
        for (uint32_t row = 0; row < TILE_ROWS; row++) {
            uint8_t plain[64], fast[64], exponent = 0, fast_exponent = 0;
            const unsigned size = row_by_datum(p, w, tile + row * ROW_DATUMS, plain, &exponent);
            if (!p->accumulate) {
                assert_int_equal(row_by_row(p, w, tile + row * ROW_DATUMS, fast, &fast_exponent), size);
                assert_memory_equal(fast, plain, size);
                assert_int_equal(fast_exponent, exponent);
            }
            memcpy(at, plain, size);
            at += size;
            if (bfp) {
                exponents[row] = exponent;
            }
        }
    }
    return (size_t)(at - out);
}

static bool check_path(const char *line, struct work *w, uint8_t *out)
{
    struct path p;
    const char *answer = read_path(line, &p);
    if (strstr(answer, "refused")) {
        return false;
    }
    assert_true(set_make(&w->set, p.set, p.unpack.InDataFormat));
    if (p.accumulate) {
        set_memory(&w->set, w->memory, p.pack.LateToFormat);
    }
    for (uint32_t first = 0; first < w->set.count; first += CHUNK_TILES * TILE_DATUMS) {
        char *end;
        const uint32_t expected = (uint32_t)strtoul(answer, &end, 16);
        assert_true(end > answer);
        answer = end;
        if (crc32_of(out, take(&p, w, first, out)) != expected) {
            print_error("%.*sdiffers from datum %u on\n", (int)(strchr(line, ':') - line), line, (unsigned)first);
            return false;
        }
    }
    return true;
}

static void every_path_of_the_reference(void **state)
{
    (void)state;
    FILE *file = fopen("tests/vectors/formats.vec", "r");
    if (!file) {
        fail_msg("cannot open tests/vectors/formats.vec (run from the top of the tree)");
    }
    struct work *w = calloc(1, sizeof *w);
    uint8_t *out = malloc(CHUNK_TILES * TILE_DATUMS * 4);
    char line[1024];
    unsigned taken = 0, answered = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#') {
            answered += !strstr(line, "refused");
            taken += check_path(line, w, out);
        }
    }
    free(w);
    free(out);
    assert_int_equal(fclose(file), 0);
    assert_true(answered >= 70);
    assert_int_equal(taken, answered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_path_of_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

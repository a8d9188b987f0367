/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/formats.c src/num/unpack_convert.c */
/* Cells of SrcA, SrcB and Dst against a reference (tests/vectors/cells.vec, written by tests/oracle/cells_ref.py): SFPLOAD and SFPSTORE by
 * mode, MOVD2A and MOVD2B with the way back, bytes in SrcA.  The packer shows Dst16b as it stands, Dst32b in the order of L1. */
#include "num/sfpu_cells.h"
#include "num/src_cells.h"
#include "num/unpack_convert.h"

#include "unit/num/format_sets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

struct answer {
    uint32_t bits;
    unsigned bytes; /* 0: no such thing */
};

static struct answer narrow(struct dst16_cell x)
{
    return (struct answer){x.bits, 2};
}
static struct answer wide(struct dst32_cell x)
{
    return (struct answer){bits_from_dst32(x), 4};
}

static struct answer sfpstore(unsigned mode, uint32_t x)
{
    switch (mode) {
    case MOD0_FMT_BF16: return narrow(dst16_from_lreg_bf16(x));
    case MOD0_FMT_FP32: return wide(dst32_from_lreg_fp32(x));
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_SM: return wide(dst32_from_lreg_int32(x));
    case MOD0_FMT_UINT16:
    case MOD0_FMT_LO16_ONLY: return (struct answer){x & 0xFFFF, 2};
    case MOD0_FMT_HI16_ONLY: return (struct answer){x >> 16, 2};
    case MOD0_FMT_HI16: return wide(dst32_from_lreg_hi16(x));
    case MOD0_FMT_LO16: return wide(dst32_from_lreg_lo16(x));
    default: return (struct answer){0, 0};
    }
}

static struct answer sfpload(unsigned mode, uint32_t x)
{
    const struct dst16_cell cell = {(uint16_t)x};
    switch (mode) {
    case MOD0_FMT_BF16: return (struct answer){lreg_from_dst16_bf16(cell), 4};
    case MOD0_FMT_FP32:
    case MOD0_FMT_INT32:
    case MOD0_FMT_INT32_SM: return (struct answer){lreg_from_dst32(dst32_from_bits(x)), 4};
    case MOD0_FMT_UINT16:
    case MOD0_FMT_LO16_ONLY: return (struct answer){x, 4};
    case MOD0_FMT_HI16_ONLY: return (struct answer){x << 16, 4};
    default: return (struct answer){0, 0};
    }
}

static struct answer move_there_and_back(unsigned style, uint32_t x)
{
    const struct dst16_cell cell = {(uint16_t)x};
    switch (style) {
    case FORMAT_BF16: return narrow(dst16_from_src_8b_exponent(src_from_dst16_8b_exponent(cell)));
    case FORMAT_FP16: return narrow(dst16_from_src_5b_exponent(src_from_dst16_5b_exponent(cell)));
    default: return wide(dst32_from_src_tf32(src_from_dst32_tf32(dst32_from_bits(x))));
    }
}

static struct answer unpack(unsigned format, uint32_t x)
{
    const struct unpack_conversion c = {
        .InDataFormat = format & 15, .OutDataFormat = format & 15, .Int8MeansUnsigned = format > 15};
    return narrow(dst16_from_src_5b_exponent((struct src_cell){unpack_datum(c, x, 0)}));
}

static struct answer answer_for(const char *how, unsigned mode, uint32_t x)
{
    if (strcmp(how, "sfpstore") == 0) {
        return sfpstore(mode, x);
    }
    if (strcmp(how, "sfpload") == 0) {
        return sfpload(mode, x);
    }
    return strcmp(how, "unpack") == 0 ? unpack(mode, x) : move_there_and_back(mode, x);
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

static bool check_line(const char *line, struct format_set *set, uint8_t *out)
{
    char how[12], name[12];
    unsigned mode;
    int end = 0;
    assert_int_equal(sscanf(line, "%11s %u %11s :%n", how, &mode, name, &end), 3);
    const char *sums = line + end;
    const bool bytes = strcmp(name, "bytes") == 0;
    assert_true(set_make(set, bytes ? "all8" : name, FORMAT_INT32));
    set->count = bytes ? 256 : set->count;
    const uint32_t chunk = 16 * TILE_DATUMS * (strcmp(name, "all16") == 0 ? 2 : 1); /* 16 runs */
    for (uint32_t first = 0; first < set->count; first += chunk) {
        uint8_t *at = out;
        for (uint32_t i = first; i < set->count && i < first + chunk; i++) {
            const struct answer a = answer_for(how, mode, set->datums[i]);
            assert_true(a.bytes != 0);
            memcpy(at, &a.bits, a.bytes);
            at += a.bytes;
        }
        char *after;
        const uint32_t expected = (uint32_t)strtoul(sums, &after, 16);
        assert_true(after > sums);
        sums = after;
        if (crc32_of(out, (size_t)(at - out)) != expected) {
            print_error("%s %u %s differs from datum %u on\n", how, mode, name, (unsigned)first);
            return false;
        }
    }
    return true;
}

static void every_line_of_the_reference(void **state)
{
    (void)state;
    FILE *file = fopen("tests/vectors/cells.vec", "r");
    if (!file) {
        fail_msg("cannot open tests/vectors/cells.vec (run from the top of the tree)");
    }
    struct format_set *set = calloc(1, sizeof *set);
    uint8_t *out = malloc(16 * TILE_DATUMS * 2 * 4);
    char line[1024];
    unsigned answered = 0, good = 0;
    while (fgets(line, sizeof line, file)) {
        if (line[0] != '#' && !strstr(line, "refused")) {
            answered++;
            good += check_line(line, set, out);
        }
    }
    free(set);
    free(out);
    assert_int_equal(fclose(file), 0);
    assert_true(answered >= 23);
    assert_int_equal(good, answered);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line_of_the_reference)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

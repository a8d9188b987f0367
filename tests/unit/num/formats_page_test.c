/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/num/formats.c src/num/unpack_convert.c src/num/pack_convert.c src/num/l1_accumulate.c src/num/fma.c src/num/f32.c */
/* The tables of docs/formats.md say which conversions there are and how each was verified.  They are made here, from what the code takes
 * and from what the vectors have (formats_ref_test.c and cells_ref_test.c hold us to those), and compared with the page; `write`
 * as argument puts them there. */
#include "num/l1_accumulate.h"
#include "num/pack_convert.h"
#include "num/sfpu_cells.h"
#include "num/unpack_convert.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PAGE "docs/formats.md"
static const char start_mark[] = "<!-- tables: made by `make docs`, checked by unit/num/formats_page -->\n";
static const char end_mark[] = "<!-- end of tables -->\n";

struct text {
    size_t size;
    char bytes[65536];
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(t->bytes + t->size, sizeof t->bytes - t->size, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && t->size + (size_t)length < sizeof t->bytes);
    t->size += (size_t)length;
}

static void read_file(const char *path, struct text *t)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("cannot open %s (run from the top of the tree)", path);
    }
    t->size += fread(t->bytes + t->size, 1, sizeof t->bytes - t->size - 1, file);
    assert_true(feof(file));
    assert_int_equal(fclose(file), 0);
    t->bytes[t->size] = 0;
}

/* Whether a line that starts so has an answer of the reference. */
static bool answered(const char *vectors, const char *start)
{
    for (const char *line = vectors; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        if (strncmp(line, start, strlen(start)) == 0) {
            const char *colon = strchr(line, ':');
            if (colon && strncmp(colon, ": refused", 9) != 0) {
                return true;
            }
        }
    }
    return false;
}

static const char *const names[] = {"FP32", "TF32",  "BF16",  "FP16",  "FP8",   "FP8_E4M3", "BFP8", "BFP4",
                                    "BFP2", "BFP8a", "BFP4a", "BFP2a", "INT32", "INT16",    "INT8", "UINT8"};
enum { NAMES = sizeof names / sizeof names[0] };

static uint8_t format_of(const char *name)
{
    for (uint8_t format = 0; format < FORMATS; format++) {
        if (strcmp(name, format_name(format)) == 0) {
            return format;
        }
    }
    return name[0] == 'U' ? FORMAT_INT8 : FORMAT_FP8;
}

static struct unpack_conversion unpacking(const char *in, const char *out, bool to_dst)
{
    return (struct unpack_conversion){.InDataFormat = format_of(in),
                                      .OutDataFormat = format_of(out),
                                      .UnpackToDst = to_dst,
                                      .Int8MeansUnsigned = in[0] == 'U',
                                      .Exponent4b = strcmp(in, "FP8_E4M3") == 0};
}

/* One cell: to a target, by this route. */
static const char *unpacked(const char *vectors, const char *cells, const char *in, const char *out, const char *route)
{
    char start[64];
    const bool to_dst = route[0] == 'D';
    if (!unpack_pair_has_meaning(unpacking(in, out, to_dst))) {
        return "";
    }
    snprintf(start, sizeof start, "%s %s %s INT", route, in, out);
    const bool byte = strcmp(route, "SRCA") == 0 && (strcmp(in, "INT8") == 0 || strcmp(in, "UINT8") == 0);
    if (answered(vectors, start) || (byte && answered(cells, in[0] == 'U' ? "unpack 30 " : "unpack 14 "))) {
        return strcmp(in, "FP32") == 0 || strcmp(in, "INT32") == 0 ? "reference, edges" : "reference, all";
    }
    return unpack_pair_exists(unpacking(in, out, to_dst)) ? "documents" : "kernel library";
}

static void table_of_unpackers(struct text *t, const char *vectors, const char *cells)
{
    add(t, "### Unpackers\n\n| in L1 | OutDataFormat | to SrcA | to SrcB | to Dst |\n|---|---|---|---|---|\n");
    for (unsigned in = 0; in < NAMES; in++) {
        for (unsigned out = 0; out < NAMES; out++) {
            const bool variant = strcmp(names[out], "FP8_E4M3") == 0 || strcmp(names[out], "UINT8") == 0;
            const bool of_variant = strcmp(names[in], "FP8_E4M3") == 0 || strcmp(names[in], "UINT8") == 0;
            if ((variant && in != out) || (of_variant && format_of(names[in]) == format_of(names[out]) && in != out)) {
                continue; /* the same code */
            }
            const char *a = unpacked(vectors, cells, names[in], names[out], "SRCA");
            const char *b = unpacked(vectors, cells, names[in], names[out], "SRCB");
            const char *d = unpacked(vectors, cells, names[in], names[out], "DST");
            if (a[0] || b[0] || d[0]) {
                add(t, "| %s | %s | %s | %s | %s |\n", names[in], names[out], a, b, d);
            }
        }
    }
}

/* R: the reference takes it, and so it is verified.  d: the manual's tables have it.  Reference only: r. */
static const char *packed(const char *vectors, const char *intermediate, const char *out, bool wide, const char *mode)
{
    struct pack_conversion c = {.IntermediateFormat = format_of(intermediate),
                                .LateFromFormat = format_of(intermediate),
                                .LateToFormat = format_of(out),
                                .Read_32b_data = wide,
                                .Read_raw = strcmp(mode, "raw") == 0,
                                .Round_10b_mant = strcmp(mode, "round 10") == 0,
                                .Read_unsigned = out[0] == 'U',
                                .Exponent4b = strcmp(out, "FP8_E4M3") == 0};
    char start[96];
    const bool plain = mode[0] == 0;
    snprintf(start, sizeof start, "%s %s %s %s%s%s ", wide ? "DST INT32 INT32" : "SRCA INT16 INT16", intermediate, out,
             wide ? "DST32" : "-",
             plain  ? ""
             : wide ? "+"
                    : "",
             plain  ? ""
             : wide ? "ROUND_10_BITS"
                    : "");
    if (!plain && !wide) {
        snprintf(start, sizeof start, "SRCA INT16 INT16 %s %s ROUND_10_BITS ", intermediate, out);
    }
    const bool is_used =
        !c.Round_10b_mant || c.IntermediateFormat == FORMAT_FP32 || c.IntermediateFormat == FORMAT_BF16;
    const bool documented = pack_early_exists(c) && pack_late_exists(c) && is_used;
    if (!c.Read_raw && answered(vectors, start)) {
        return documented ? "R" : "r";
    }
    return documented ? "d" : "";
}

static void table_of_the_packer(struct text *t, const char *vectors)
{
    static const char *const early[] = {"FP32",  "TF32", "BF16",  "BFP8",  "FP16",
                                        "BFP8a", "FP8",  "INT32", "INT16", "INT8"};
    static const char *const modes[] = {"", "round 10", "raw"};
    add(t, "\n### Packer\n\nIn_data_format is the intermediate format, columns are what goes to L1. R: as the "
           "reference, with all 16-bit or the\n"
           "edges of 32-bit inputs. r: the same, outside the manual's tables. d: documents only.\n\n| Dst | "
           "intermediate | mode |");
    for (unsigned out = 0; out < NAMES; out++) {
        add(t, " %s |", names[out]);
    }
    add(t, "\n|---|---|---|");
    for (unsigned out = 0; out < NAMES; out++) {
        add(t, "---|");
    }
    add(t, "\n");
    for (unsigned row = 0; row < 2 * 10 * 3; row++) {
        const bool wide = row / 30;
        const char *intermediate = early[row / 3 % 10], *mode = modes[row % 3];
        bool any = false;
        for (unsigned out = 0; out < NAMES; out++) {
            any |= packed(vectors, intermediate, names[out], wide, mode)[0] != 0;
        }
        if (any) {
            add(t, "| %s | %s | %s |", wide ? "32 bits" : "16 bits", intermediate, mode);
            for (unsigned out = 0; out < NAMES; out++) {
                add(t, " %s |", packed(vectors, intermediate, names[out], wide, mode));
            }
            add(t, "\n");
        }
    }
}

static void table_of_accumulation(struct text *t, const char *vectors)
{
    add(t, "\n### L1 accumulate\n\n| format | verified |\n|---|---|\n");
    for (unsigned i = 0; i < NAMES; i++) {
        char narrow[64], wide[64];
        snprintf(narrow, sizeof narrow, "SRCA %s %s %s %s L1_ACCUMULATE ", names[i], names[i], names[i], names[i]);
        snprintf(wide, sizeof wide, "DST %s %s %s %s DST32+L1_ACCUMULATE ", names[i], names[i], names[i], names[i]);
        if (l1_accumulate_exists(format_of(names[i])) && strcmp(names[i], "UINT8") != 0) {
            const bool is_verified = answered(vectors, narrow) || answered(vectors, wide);
            add(t, "| %s | %s |\n", names[i],
                is_verified ? "reference, all datums with chosen and random memory" : "documents");
        } else {
            assert_false(answered(vectors, narrow) || answered(vectors, wide));
        }
    }
}

static void table_of_cells(struct text *t, const char *cells)
{
    static const char *const modes[16] = {"SRCB",     "FP16",      "BF16",      "FP32",     "INT32",     "INT8",
                                          "UINT16",   "HI16",      "INT16",     "LO16",     "INT32_ALL", "ZERO",
                                          "INT32_SM", "INT8_COMP", "LO16_ONLY", "HI16_ONLY"};
    add(t, "\n### SFPLOAD and SFPSTORE\n\nSRCB is FP16, BF16 or FP32, chosen by the instruction.\n\n| Mod0 | SFPLOAD | "
           "SFPSTORE |\n|---|---|---|\n");
    for (unsigned mode = 1; mode < 16; mode++) {
        char load[32], store[32];
        snprintf(load, sizeof load, "sfpload %u ", mode);
        snprintf(store, sizeof store, "sfpstore %u ", mode);
        const char *stored = answered(cells, store) ? "reference, edges" : "documents";
        const bool wide = mode == MOD0_FMT_FP32 || mode == MOD0_FMT_INT32 || mode == MOD0_FMT_INT32_SM;
        add(t, "| %s | %s | %s |\n", modes[mode],
            answered(cells, load) ? wide ? "reference, edges" : "reference, all" : "documents", stored);
    }
    add(t, "\n### Moves between Src and Dst\n\n| move | BF16 | FP16 | TF32 |\n|---|---|---|---|\n");
    static const char *const moves[][2] = {{"MOVD2A, MOVA2D", "movd2a"}, {"MOVD2B, MOVB2D", "movd2b"}};
    for (unsigned i = 0; i < 2; i++) {
        add(t, "| %s |", moves[i][0]);
        for (unsigned j = 0; j < 3; j++) {
            char start[32];
            snprintf(start, sizeof start, "%s %d ", moves[i][1], (int[]){FORMAT_BF16, FORMAT_FP16, FORMAT_TF32}[j]);
            add(t, " %s |", answered(cells, start) ? j == 2 ? "reference, edges" : "reference, all" : "documents");
        }
        add(t, "\n");
    }
}

static struct text *new_text(void)
{
    struct text *t = calloc(1, sizeof *t);
    assert_non_null(t);
    return t;
}

/* The page with its tables made again. */
static struct text *make_page(const struct text *page)
{
    struct text *vectors = new_text(), *cells = new_text(), *made = new_text();
    read_file("tests/vectors/formats.vec", vectors);
    read_file("tests/vectors/cells.vec", cells);
    const char *start = strstr(page->bytes, start_mark), *end = strstr(page->bytes, end_mark);
    assert_true(start && end && start < end);
    add(made, "%.*s%s\n", (int)(start - page->bytes), page->bytes, start_mark);
    table_of_unpackers(made, vectors->bytes, cells->bytes);
    table_of_the_packer(made, vectors->bytes);
    table_of_accumulation(made, vectors->bytes);
    table_of_cells(made, cells->bytes);
    add(made, "\n%s", end);
    free(vectors);
    free(cells);
    return made;
}

static void the_page_says_what_is_verified(void **state)
{
    (void)state;
    struct text *page = new_text();
    read_file(PAGE, page);
    struct text *made = make_page(page);
    if (strcmp(page->bytes, made->bytes) != 0) {
        fail_msg("%s is old: run `make docs`", PAGE);
    }
    free(page);
    free(made);
}

static void write_the_page(void **state)
{
    (void)state;
    struct text *page = new_text();
    read_file(PAGE, page);
    struct text *made = make_page(page);
    FILE *file = fopen(PAGE, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(made->bytes, 1, made->size, file), made->size);
    assert_int_equal(fclose(file), 0);
    free(page);
    free(made);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest check[] = {cmocka_unit_test(the_page_says_what_is_verified)},
                            write[] = {cmocka_unit_test(write_the_page)};
    return argc > 1 && strcmp(argv[1], "write") == 0 ? cmocka_run_group_tests(write, NULL, NULL)
                                                     : cmocka_run_group_tests(check, NULL, NULL);
}

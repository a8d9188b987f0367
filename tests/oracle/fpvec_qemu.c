/* SPDX-License-Identifier: Apache-2.0 */
/* Random F, Zfh and V instructions through us and through qemu-riscv32 (see fpvec_qemu.sh).
 *   fpvec_qemu gen COUNT SEED > cases        only instructions that we execute, and inputs for which our answer is the
 *                                            standard one: no denormals, products that need no more than 24 bits
 *   fpvec_qemu check cases results           first difference of each case, and a count
 * Compared: x10, f10, all vector registers, memory, vl, vtype, vxsat, fcsr. */
#include "riscv/fp.h"
#include "riscv/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY_BASE 0x200000u
#define MEMORY_SIZE 1024u

typedef struct fpvec_case {
    uint8_t memory[MEMORY_SIZE];
    uint32_t word, vtype, vl, vxrm, vxsat, fcsr;
    uint32_t x10, x11, x12;
    uint32_t f10, f11, f12, f13;
    uint32_t pad[3];
    uint32_t v[32][4];
} fpvec_case;
_Static_assert(sizeof(fpvec_case) == 1600, "layout of fpvec_runner.S");

static uint64_t seed = 1;

static uint32_t random_word(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 16);
}

static uint32_t below(uint32_t bound)
{
    return random_word() % bound;
}

/* ---- Execution by us ---- */

static bool load(void *context, uint32_t address, unsigned size, void *data)
{
    fpvec_case *c = context;
    if (address < MEMORY_BASE || address - MEMORY_BASE > MEMORY_SIZE - size) {
        return false;
    }
    memcpy(data, c->memory + (address - MEMORY_BASE), size);
    return true;
}

static bool store(void *context, uint32_t address, unsigned size, const void *data)
{
    fpvec_case *c = context;
    if (address < MEMORY_BASE || address - MEMORY_BASE > MEMORY_SIZE - size) {
        return false;
    }
    memcpy(c->memory + (address - MEMORY_BASE), data, size);
    return true;
}

static bool is_vector_word(uint32_t word)
{
    return (word & 0x7f) == 0x57 || (word & 0x7f) == 0x07 || (word & 0x7f) == 0x27;
}

/* False if the word is no instruction, or not a defined one in this state. */
static bool execute(fpvec_case *c)
{
    rv_fp fp = {.f = {[10] = c->f10, [11] = c->f11, [12] = c->f12, [13] = c->f13}, .fcsr = c->fcsr};
    if (!is_vector_word(c->word)) {
        rv_fp_use use = rv_fp_inspect(c->word);
        if (!use.valid) {
            return false;
        }
        uint32_t x = rv_fp_execute(&fp, 0, c->word, c->x11);
        if (use.writes_x) {
            c->x10 = x;
        }
        c->f10 = fp.f[10];
        c->fcsr = fp.fcsr;
        return true;
    }
    rv_vec_use use = rv_vec_inspect(c->word);
    if (!use.valid) {
        return false;
    }
    rv_vec vec = {.vl = c->vl, .vtype = c->vtype, .vxrm = c->vxrm, .vxsat = c->vxsat};
    memcpy(vec.v, c->v, sizeof vec.v);
    rv_vec_memory memory = {.context = c, .load = load, .store = store};
    uint32_t x = 0;
    if (rv_vec_execute(&vec, &fp, 0, c->word, c->x11, c->x12, &memory, &x) != RV_VEC_OK) {
        return false;
    }
    if (use.writes_x && (c->word >> 7 & 31) != 0) {
        c->x10 = x;
    }
    memcpy(c->v, vec.v, sizeof vec.v);
    c->vl = vec.vl;
    c->vtype = vec.vtype;
    c->vxsat = vec.vxsat;
    c->f10 = fp.f[10];
    c->fcsr = fp.fcsr;
    return true;
}

/* ---- Generation ---- */

/* FP32 with a short significand, so that a product fits in 24 bits, and an exponent far from both ends. */
static uint32_t float_word(bool is_short)
{
    static const uint32_t special[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                       0xff800000, 0x7fc00000, 0x7f800001, 0xffffffff, 0x4f000000,
                                       0xcf000000, 0x3f000000, 0x3fc00000, 0xc0200000, 0x47000000};
    if (below(5) == 0) {
        return special[below(sizeof special / sizeof *special)];
    }
    uint32_t fraction = random_word() & (is_short ? 0x007ff000 : 0x007fffff);
    return (random_word() & 0x80000000) | (110 + below(50)) << 23 | fraction;
}

/* FP16, normal, in the middle of the range; boxed. */
static uint32_t half_word(void)
{
    static const uint16_t special[] = {0, 0x8000, 0x3c00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x3e00, 0x7bff};
    if (below(5) == 0) {
        return 0xffff0000 | special[below(sizeof special / sizeof *special)];
    }
    return 0xffff0000 | (random_word() & 0x8000) | (10 + below(12)) << 10 | (random_word() & 0x3ff);
}

static uint32_t integer_word(void)
{
    static const uint32_t special[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80007fff, 0x7f80ff01, 0x00ff8001};
    return below(4) == 0 ? special[below(sizeof special / sizeof *special)] : random_word();
}

static uint32_t scalar_float_instruction(void)
{
    uint32_t format = below(2) ? 0 : 2;
    if (below(3) == 0) {
        uint32_t opcode = 0x43 + 4 * below(4);
        return opcode | 10 << 7 | 0 << 12 | 11 << 15 | 12 << 20 | format << 25 | 13u << 27;
    }
    uint32_t funct5 = below(32);
    bool is_unary = funct5 == 8 || (funct5 >= 0x18 && funct5 <= 0x1e);
    bool has_rounding = funct5 < 4 || funct5 == 8 || funct5 == 0x18 || funct5 == 0x1a;
    uint32_t rs2 = is_unary ? below(3) : 12;
    uint32_t rm = has_rounding ? 0 : below(3); /* to nearest even, as we always do */
    return 0x53 | 10 << 7 | rm << 12 | 11 << 15 | rs2 << 20 | format << 25 | funct5 << 27;
}

static uint32_t vector_instruction(void)
{
    uint32_t word = random_word();
    if (below(4) == 0) {
        static const uint32_t widths[] = {0, 5, 6};
        static const uint32_t lumops[] = {0, 0, 8, 0x0b, 0x10};
        word = (word & 0xe2000f80) | (below(2) ? 0x07 : 0x27) | widths[below(3)] << 12 | 11 << 15;
        uint32_t mode = below(4);
        uint32_t rs2 = mode == 0 ? lumops[below(5)] : mode == 2 ? 12 : below(32);
        if (below(2)) {
            word &= 0x1fffffff; /* no segments */
        }
        if (mode == 0 && rs2 == 8) {
            word = (word & 0x1ffff07f) | ((1u << below(4)) - 1) << 29 | below(4) * 8 << 7 | 1 << 25;
        }
        return word | mode << 26 | rs2 << 20;
    }
    word = (word & ~0x7fu) | 0x57;
    if (below(5) == 0) { /* the instructions that share a funct6 */
        static const uint32_t shared[][2] = {{1, 0x10}, {1, 0x12}, {1, 0x13}, {2, 0x10},
                                             {2, 0x12}, {2, 0x14}, {3, 0x27}};
        const uint32_t *pick = shared[below(7)];
        word = (word & 0x03ff8fff) | pick[0] << 12 | pick[1] << 26 | below(2) << 25;
    }
    uint32_t form = word >> 12 & 7;
    uint32_t funct6 = word >> 26;
    if (form == 7) {
        static const uint32_t tops[] = {0, 0xc0000000, 0x80000000};
        uint32_t top = tops[below(3)];
        uint32_t vtype = below(4) << 6 | below(3) << 3 | below(8);
        uint32_t rd = below(4) ? 10 : 0;
        uint32_t rs1 = top == 0xc0000000 ? below(32) : below(4) ? 11 : 0;
        return 0x7057 | top | (top == 0x80000000 ? 12 : vtype) << 20 | rs1 << 15 | rd << 7;
    }
    if (below(2)) { /* groups of eight are legal everywhere */
        word &= ~0x00e00380u;
        word &= form <= 2 ? ~0x00038000u : ~0u;
    }
    bool is_unary = (funct6 >= 0x10 && funct6 <= 0x14 && form != 0) || funct6 == 0x27;
    if (is_unary && (form == 1 || form == 2 || form == 3)) { /* vs1 selects the instruction */
        static const uint32_t selectors[] = {0, 1, 2, 3, 4, 5, 6, 7, 0x0a, 0x0b, 0x10, 0x11, 0x16, 0x17};
        word = (word & ~0x000f8000u) | selectors[below(sizeof selectors / sizeof *selectors)] << 15;
    }
    if (form == 4 || form == 5 || form == 6) {
        word = (word & ~0x000f8000u) | 11 << 15;
    }
    if (funct6 == 0x10 || funct6 == 0x14 || (funct6 == 0x17 && below(2))) {
        word = (word & ~0x01f00000u) | (below(2) && funct6 != 0x17 ? (random_word() & 0x01f00000u) : 0);
    }
    if (funct6 == 0x12 && form == 1) {
        word &= ~0x00100080u;
    }
    rv_vec_use use = rv_vec_inspect(word);
    if (use.writes_x || use.writes_f) {
        word = (word & ~0xf80u) | 10 << 7;
    }
    return word;
}

static void fill_state(fpvec_case *c)
{
    unsigned opcode = c->word & 0x7f;
    bool is_vector_float = opcode == 0x57 && ((c->word >> 12 & 7) == 1 || (c->word >> 12 & 7) == 5);
    bool is_half = (c->word >> 25 & 3) == 2;
    bool is_multiply_add = opcode != 0x57 || (c->word >> 26 & 0x38) == 0x28;
    for (unsigned i = 0; i < MEMORY_SIZE; i++) {
        c->memory[i] = (uint8_t)random_word();
    }
    c->vtype = below(3) << 3 | below(8) | below(4) << 6;
    if (is_vector_float && below(8)) {
        bool is_convert = c->word >> 26 == 0x12;
        c->vtype = (c->vtype & 0xc0) | (is_convert && below(2) ? 1u : 2u) << 3 | below(4);
    }
    rv_vec probe = {0};
    rv_fp fp = {0};
    uint32_t vlmax = 0;
    if (rv_vec_execute(&probe, &fp, 0, 0x80c5f557, 0xffffffff, c->vtype, NULL, &vlmax) != RV_VEC_OK) {
        c->vtype = 0;
        vlmax = 16;
    }
    c->vl = below(3) ? vlmax : below(vlmax + 1);
    c->vxrm = below(4);
    c->vxsat = below(2);
    c->fcsr = 0;
    c->x10 = random_word();
    c->x11 = below(2) ? below(40) : integer_word();
    c->x12 = integer_word();
    c->f10 = 0xffff0000 | random_word();
    uint32_t *floats[3] = {&c->f11, &c->f12, &c->f13};
    for (unsigned i = 0; i < 3; i++) {
        *floats[i] = !is_vector_float && is_half && below(16) ? half_word() : float_word(is_multiply_add);
    }
    for (unsigned r = 0; r < 32; r++) {
        for (unsigned w = 0; w < 4; w++) {
            c->v[r][w] = is_vector_float ? float_word(is_multiply_add) : integer_word();
        }
    }
    for (unsigned w = 0; w < 4 && !is_vector_float; w++) {
        c->v[0][w] = random_word(); /* a good mask */
    }
    if (opcode == 0x57 && (c->word >> 12 & 7) == 7) {
        c->x12 = below(3) << 3 | below(8);
        c->x11 = below(2) ? below(200) : random_word();
    }
    if (opcode == 0x07 || opcode == 0x27) {
        c->x11 = MEMORY_BASE + (below(2) ? below(8) * 16 : below(128) * 4);
        c->x12 = (uint32_t)((int32_t)below(9) - 4) * 4;
        unsigned mode = c->word >> 26 & 3;
        if (mode == 1 || mode == 3) { /* small indices, a multiple of the element */
            unsigned vs2 = c->word >> 20 & 31;
            for (unsigned r = vs2; r < vs2 + 8 && r < 32; r++) {
                for (unsigned w = 0; w < 4; w++) {
                    unsigned width = c->word >> 12 & 7;
                    uint32_t limit = width == 0 ? 0xfcfcfcfc : width == 5 ? 0x01fc01fc : 0x1fc;
                    c->v[r][w] = random_word() & limit;
                }
            }
        }
    }
}

/* Cases where our answer is right for these cores but not the standard one. */
static bool is_comparable(const fpvec_case *before, const fpvec_case *after)
{
    unsigned opcode = before->word & 0x7f;
    if (is_vector_word(before->word)) {
        /* qemu 7.2 stops on an assertion of its own at the .rtz conversions. */
        bool is_convert = opcode == 0x57 && (before->word >> 12 & 7) == 1 && before->word >> 26 == 0x12;
        return !is_convert || (before->word >> 15 & 6) != 6;
    }
    /* An FP16 result below the normal range is flushed by us. */
    bool writes_half = (before->word >> 25 & 3) == 2 && !rv_fp_inspect(before->word).writes_x;
    bool moves = opcode == 0x53 && (before->word >> 27 == 4 || before->word >> 27 == 0x1e);
    return !writes_half || moves || !(after->fcsr & 2);
}

static int generate(unsigned long count)
{
    for (unsigned long made = 0; made < count;) {
        fpvec_case c = {.word = below(3) == 0 ? scalar_float_instruction() : vector_instruction()};
        fill_state(&c);
        fpvec_case after = c;
        if (execute(&after) && is_comparable(&c, &after)) {
            if (fwrite(&c, sizeof c, 1, stdout) != 1) {
                return 1;
            }
            made++;
        }
    }
    return 0;
}

/* ---- Comparison ---- */

static unsigned differ(const fpvec_case *before, const fpvec_case *us, const fpvec_case *them, bool print)
{
    unsigned count = 0;
#define COMPARE(name)                                                                                                  \
    do {                                                                                                               \
        if (us->name != them->name && !count++ && print) {                                                             \
            printf("%08x vtype %02x vl %u x11 %08x: " #name " us %08x qemu %08x\n", before->word, before->vtype,       \
                   before->vl, before->x11, us->name, them->name);                                                     \
        }                                                                                                              \
    } while (0)
    COMPARE(x10);
    COMPARE(f10);
    COMPARE(vl);
    COMPARE(vtype);
    COMPARE(vxsat);
    COMPARE(fcsr);
#undef COMPARE
    for (unsigned r = 0; r < 32; r++) {
        for (unsigned w = 0; w < 4; w++) {
            if (us->v[r][w] != them->v[r][w] && !count++ && print) {
                printf("%08x vtype %02x vl %u x11 %08x: v%u[%u] before %08x us %08x qemu %08x\n", before->word,
                       before->vtype, before->vl, before->x11, r, w, before->v[r][w], us->v[r][w], them->v[r][w]);
            }
        }
    }
    for (unsigned i = 0; i < MEMORY_SIZE; i++) {
        if (us->memory[i] != them->memory[i] && !count++ && print) {
            printf("%08x vtype %02x vl %u x11 %08x: memory[%u] us %02x qemu %02x\n", before->word, before->vtype,
                   before->vl, before->x11, i, us->memory[i], them->memory[i]);
        }
    }
    return count;
}

static int check(const char *cases_path, const char *results_path)
{
    FILE *cases = fopen(cases_path, "rb");
    FILE *results = fopen(results_path, "rb");
    if (!cases || !results) {
        fprintf(stderr, "cannot open %s\n", cases ? results_path : cases_path);
        return 2;
    }
    unsigned long total = 0, bad = 0;
    fpvec_case before, them;
    while (fread(&before, sizeof before, 1, cases) == 1) {
        if (fread(&them, sizeof them, 1, results) != 1) {
            printf("qemu stopped at case %lu: %08x vtype %02x vl %u\n", total, before.word, before.vtype, before.vl);
            bad++;
            break;
        }
        fpvec_case us = before;
        execute(&us);
        total++;
        bad += differ(&before, &us, &them, bad < 40) != 0;
    }
    fclose(cases);
    fclose(results);
    printf("%lu cases, %lu differ\n", total, bad);
    return bad != 0;
}

int main(int argc, char **argv)
{
    if (argc == 4 && !strcmp(argv[1], "gen")) {
        seed = strtoull(argv[3], NULL, 0) * 2654435769u + 88172645463325252u;
        return generate(strtoul(argv[2], NULL, 0));
    }
    if (argc == 4 && !strcmp(argv[1], "check")) {
        return check(argv[2], argv[3]);
    }
    fprintf(stderr, "usage: fpvec_qemu gen COUNT SEED | fpvec_qemu check CASES RESULTS\n");
    return 2;
}

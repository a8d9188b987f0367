/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: src/riscv/exec_f.c src/num/f32.c src/num/f16.c src/num/fma.c */
/* F, Zfh and its BF16 mode, instruction by instruction; which words exist; and the reference simulator's answers
 * (tests/vectors/baby_f.vec, or the file that KERR_F_VECTORS names). */
#include "num/f32.h"
#include "riscv/fp.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BF16_RTZ 0x40000000u
#define BF16_RTNE 0xc0000000u

/* rd 4 (or x), rs1 1, rs2 2, rs3 3 */
static uint32_t op_fp(uint32_t funct7, uint32_t rs2, uint32_t rm)
{
    return 0x53 | 4 << 7 | rm << 12 | 1 << 15 | rs2 << 20 | funct7 << 25;
}

static uint32_t fused(uint32_t opcode, uint32_t format)
{
    return opcode | 4 << 7 | 7 << 12 | 1 << 15 | 2 << 20 | format << 25 | 3u << 27;
}

static uint32_t result_fcsr;

/* Value of f4, or of the integer result. */
static uint32_t run(uint32_t cfg0, uint32_t word, uint32_t a, uint32_t b, uint32_t c, uint32_t x)
{
    rv_fp fp = {.f = {0, a, b, c, 0xdeadbeef}, .fcsr = 0};
    rv_fp_use use = rv_fp_inspect(word);
    assert_true(use.valid);
    uint32_t result = rv_fp_execute(&fp, cfg0, word, x);
    assert_int_equal(fp.f[1], a);
    assert_int_equal(fp.f[2], b);
    assert_int_equal(fp.f[3], c);
    if (use.writes_x) {
        assert_int_equal(fp.f[4], 0xdeadbeef);
    }
    result_fcsr = fp.fcsr;
    return use.writes_x ? result : fp.f[4];
}

/* One row: word, cfg0, sources, result, flags. */
typedef struct row {
    uint32_t word, cfg0, a, b, c, x, result, flags;
} row;

static void expect_rows(const row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const row *r = &rows[i];
        uint32_t got = run(r->cfg0, r->word, r->a, r->b, r->c, r->x);
        if (got != r->result || result_fcsr != r->flags) {
            fail_msg("row %zu: %08x of %08x %08x %08x x %08x: got %08x flags %02x, want %08x flags %02x", i, r->word,
                     r->a, r->b, r->c, r->x, got, result_fcsr, r->result, r->flags);
        }
    }
}
#define EXPECT(rows) expect_rows(rows, sizeof(rows) / sizeof *(rows))

#define FADD_S op_fp(0x00, 2, 7)
#define FSUB_S op_fp(0x04, 2, 7)
#define FMUL_S op_fp(0x08, 2, 7)

static void fadd_s_fsub_s_fmul_s(void **unused)
{
    (void)unused;
    const row rows[] = {
        {FADD_S, 0, 0x3f800000, 0x40000000, 0, 0, 0x40400000, 0},
        {FADD_S, 0, 0x80000000, 0x80000000, 0, 0, 0x80000000, 0},
        {FADD_S, 0, 0x80000000, 0x00000000, 0, 0, 0x00000000, 0},
        {FADD_S, 0, 0x3f800000, 0x00000001, 0, 0, 0x3f800000, 0}, /* denormal in: zero, silently */
        {FADD_S, 0, 0x80000001, 0x80000001, 0, 0, 0x80000000, 0},
        {FSUB_S, 0, 0x00800001, 0x00800000, 0, 0, 0x00000000, F32_UNDERFLOW | F32_INEXACT}, /* denormal out */
        {FSUB_S, 0, 0x00800000, 0x00800001, 0, 0, 0x80000000, F32_UNDERFLOW | F32_INEXACT}, /* keeps its sign */
        {FSUB_S, 0, 0x7f800000, 0x7f800000, 0, 0, 0x7fc00000, F32_INVALID},
        {FMUL_S, 0, 0x40000000, 0x40400000, 0, 0, 0x40c00000, 0},
        {FMUL_S, 0, 0x80000000, 0x40400000, 0, 0, 0x80000000, 0},
        {FMUL_S, 0, 0x00000001, 0x7f800000, 0, 0, 0x7fc00000, F32_INVALID}, /* zero times infinity */
        {FMUL_S, 0, 0x7f7fffff, 0xc0000000, 0, 0, 0xff800000, F32_OVERFLOW | F32_INEXACT},
        {FMUL_S, 0, 0xffc12345, 0x3f800000, 0, 0, 0x7fc00000, 0}, /* NaN becomes canonical */
    };
    EXPECT(rows);
}

static void fmadd_s_family_signs(void **unused)
{
    (void)unused;
    const row rows[] = {
        {fused(0x43, 0), 0, 0x40000000, 0x40400000, 0x3f800000, 0, 0x40e00000, 0},           /* 2 * 3 + 1 */
        {fused(0x47, 0), 0, 0x40000000, 0x40400000, 0x3f800000, 0, 0x40a00000, 0},           /* 2 * 3 - 1 */
        {fused(0x4b, 0), 0, 0x40000000, 0x40400000, 0x3f800000, 0, 0xc0a00000, 0},           /* -(2 * 3) + 1 */
        {fused(0x4f, 0), 0, 0x40000000, 0x40400000, 0x3f800000, 0, 0xc0e00000, 0},           /* -(2 * 3) - 1 */
        {fused(0x43, 0), 0, 0x3f800001, 0x3f800001, 0xbf800002, 0, 0x32800000, F32_INEXACT}, /* not fused: 2^-26 */
    };
    EXPECT(rows);
}

static void fsgnj_s_moves_bits_only(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x10, 2, 0), 0, 0x00000001, 0x80000000, 0, 0, 0x80000001, 0}, /* a denormal stays */
        {op_fp(0x10, 2, 1), 0, 0x7f800001, 0x80000000, 0, 0, 0x7f800001, 0}, /* a signaling NaN stays */
        {op_fp(0x10, 2, 2), 0, 0xbf800000, 0x80000000, 0, 0, 0x3f800000, 0},
    };
    EXPECT(rows);
}

static void fmin_s_fmax_s(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x14, 2, 0), 0, 0x3f800000, 0x40000000, 0, 0, 0x3f800000, 0},
        {op_fp(0x14, 2, 1), 0, 0x3f800000, 0x40000000, 0, 0, 0x40000000, 0},
        {op_fp(0x14, 2, 0), 0, 0x00000000, 0x80000000, 0, 0, 0x80000000, 0},
        {op_fp(0x14, 2, 1), 0, 0x80000000, 0x00000000, 0, 0, 0x00000000, 0},
        {op_fp(0x14, 2, 0), 0, 0x00000001, 0x3f800000, 0, 0, 0x00000001, 0}, /* a denormal is a number here */
        {op_fp(0x14, 2, 0), 0, 0x7f800001, 0x3f800000, 0, 0, 0x3f800000, F32_INVALID},
        {op_fp(0x14, 2, 1), 0, 0xffc00000, 0xffffffff, 0, 0, 0x7fc00000, 0},
    };
    EXPECT(rows);
}

static void fle_s_flt_s_feq_s(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x50, 2, 0), 0, 0x3f800000, 0x3f800000, 0, 0, 1, 0},
        {op_fp(0x50, 2, 1), 0, 0x3f800000, 0x3f800000, 0, 0, 0, 0},
        {op_fp(0x50, 2, 2), 0, 0x00000000, 0x80000000, 0, 0, 1, 0},
        {op_fp(0x50, 2, 1), 0, 0x00000000, 0x00000001, 0, 0, 1, 0}, /* a denormal is a number here */
        {op_fp(0x50, 2, 2), 0, 0x7fc00000, 0x7fc00000, 0, 0, 0, 0},
        {op_fp(0x50, 2, 2), 0, 0x7f800001, 0x7fc00000, 0, 0, 0, F32_INVALID},
        {op_fp(0x50, 2, 1), 0, 0x7fc00000, 0x3f800000, 0, 0, 0, F32_INVALID},
    };
    EXPECT(rows);
}

static void fclass_s_sees_denormals(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x70, 0, 1), 0, 0x00000001, 0, 0, 0, 1u << 5, 0},
        {op_fp(0x70, 0, 1), 0, 0x80000001, 0, 0, 0, 1u << 2, 0},
        {op_fp(0x70, 0, 1), 0, 0x7f800001, 0, 0, 0, 1u << 8, 0},
    };
    EXPECT(rows);
}

static void fcvt_w_s_ignores_the_rounding_mode(void **unused)
{
    (void)unused;
    for (uint32_t rm = 0; rm < 8; rm++) {
        const row rows[] = {
            {op_fp(0x60, 0, rm), 0, 0x3fc00000, 0, 0, 0, 2, F32_INEXACT},
            {op_fp(0x60, 0, rm), 0, 0x40200000, 0, 0, 0, 2, F32_INEXACT},
            {op_fp(0x60, 0, rm), 0, 0xbf400000, 0, 0, 0, 0xffffffff, F32_INEXACT},
            {op_fp(0x60, 1, rm), 0, 0xbf000000, 0, 0, 0, 0, F32_INEXACT},
            {op_fp(0x60, 1, rm), 0, 0xbf800000, 0, 0, 0, 0, F32_INVALID},
            {op_fp(0x60, 0, rm), 0, 0x4f000000, 0, 0, 0, 0x7fffffff, F32_INVALID},
            {op_fp(0x60, 0, rm), 0, 0xcf000000, 0, 0, 0, 0x80000000, 0},
            {op_fp(0x60, 0, rm), 0, 0xffc00000, 0, 0, 0, 0x7fffffff, F32_INVALID},
            {op_fp(0x60, 1, rm), 0, 0xff800000, 0, 0, 0, 0x00000000, F32_INVALID},
            {op_fp(0x60, 1, rm), 0, 0x7f800000, 0, 0, 0, 0xffffffff, F32_INVALID},
        };
        EXPECT(rows);
    }
}

static void fcvt_s_w_and_moves(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x68, 0, 1), 0, 0, 0, 0, 0x01000003, 0x4b800002, F32_INEXACT}, /* ties to even, whatever rm says */
        {op_fp(0x68, 0, 7), 0, 0, 0, 0, 0xffffffff, 0xbf800000, 0},
        {op_fp(0x68, 1, 7), 0, 0, 0, 0, 0xffffffff, 0x4f800000, F32_INEXACT},
        {op_fp(0x70, 0, 0), 0, 0x7f800001, 0, 0, 0, 0x7f800001, 0},
        {op_fp(0x78, 0, 0), 0, 0, 0, 0, 0x00000001, 0x00000001, 0},
    };
    EXPECT(rows);
}

static void zfh_in_fp16_mode(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x02, 2, 7), 0, 0xffff3c00, 0xffff4000, 0, 0, 0xffff4200, 0}, /* fadd.h 1 + 2 */
        {op_fp(0x06, 2, 7), 0, 0xffff3c00, 0xffff4000, 0, 0, 0xffffbc00, 0}, /* fsub.h */
        {op_fp(0x0a, 2, 7), 0, 0xffff4200, 0xffff4000, 0, 0, 0xffff4600, 0}, /* fmul.h */
        {op_fp(0x02, 2, 7), 0, 0xffff3c00, 0xffff0001, 0, 0, 0xffff3c00, 0}, /* denormal in */
        {op_fp(0x0a, 2, 7), 0, 0xffff0400, 0xffff3800, 0, 0, 0xffff0000, F32_UNDERFLOW | F32_INEXACT}, /* and out */
        {op_fp(0x0a, 2, 7), 0, 0xffff7bff, 0xffff4000, 0, 0, 0xffff7c00, F32_OVERFLOW | F32_INEXACT},
        {op_fp(0x02, 2, 7), 0, 0x00003c00, 0xffff4000, 0, 0, 0xffff7e00, 0},       /* not boxed: NaN */
        {fused(0x43, 2), 0, 0xffff4000, 0xffff4200, 0xffff3c00, 0, 0xffff4700, 0}, /* 2 * 3 + 1 */
        {fused(0x4b, 2), 0, 0xffff4000, 0xffff4200, 0xffff3c00, 0, 0xffffc500, 0},
        {op_fp(0x12, 2, 1), 0, 0xffff0001, 0xffff0000, 0, 0, 0xffff8001, 0},           /* fsgnjn.h */
        {op_fp(0x16, 2, 0), 0, 0xffff3c00, 0xffffc000, 0, 0, 0xffffc000, 0},           /* fmin.h */
        {op_fp(0x16, 2, 1), 0, 0xffff7c01, 0xffffc000, 0, 0, 0xffffc000, F32_INVALID}, /* fmax.h */
        {op_fp(0x52, 2, 1), 0, 0xffff3c00, 0xffff4000, 0, 0, 1, 0},                    /* flt.h */
        {op_fp(0x62, 0, 1), 0, 0xffff3e00, 0, 0, 0, 2, F32_INEXACT},                   /* fcvt.w.h 1.5 */
        {op_fp(0x6a, 0, 7), 0, 0, 0, 0, 0xfffffffd, 0xffffc200, 0},                    /* fcvt.h.w -3 */
        {op_fp(0x6a, 1, 7), 0, 0, 0, 0, 0x00010000, 0xffff7c00, F32_OVERFLOW | F32_INEXACT},
        {op_fp(0x72, 0, 0), 0, 0x0000fc00, 0, 0, 0, 0xfffffc00, 0},           /* fmv.x.h: no box */
        {op_fp(0x7a, 0, 0), 0, 0, 0, 0, 0x12343c00, 0xffff3c00, 0},           /* fmv.h.x */
        {op_fp(0x72, 0, 1), 0, 0xffff8001, 0, 0, 0, 1u << 2, 0},              /* fclass.h */
        {op_fp(0x22, 0, 7), 0, 0x3f801000, 0, 0, 0, 0xffff3c00, F32_INEXACT}, /* fcvt.h.s, a tie */
        {op_fp(0x22, 0, 7), 0, 0x3f803000, 0, 0, 0, 0xffff3c02, F32_INEXACT},
        {op_fp(0x20, 2, 7), 0, 0xffffc400, 0, 0, 0, 0xc0800000, 0}, /* fcvt.s.h */
        {op_fp(0x20, 2, 7), 0, 0xffff8001, 0, 0, 0, 0x80000000, 0}, /* denormal: zero */
        {op_fp(0x20, 2, 7), 0, 0xffff7c01, 0, 0, 0, 0x7fc00000, F32_INVALID},
    };
    EXPECT(rows);
}

static void zfh_in_bf16_mode(void **unused)
{
    (void)unused;
    const row rows[] = {
        {op_fp(0x02, 2, 7), BF16_RTNE, 0xffff3f80, 0xffff4000, 0, 0, 0xffff4040, 0},           /* 1 + 2 */
        {op_fp(0x02, 2, 7), BF16_RTNE, 0xffff3f80, 0xffff3be0, 0, 0, 0xffff3f81, F32_INEXACT}, /* 1 + 0.875 ulp */
        {op_fp(0x02, 2, 7), BF16_RTZ, 0xffff3f80, 0xffff3be0, 0, 0, 0xffff3f80, F32_INEXACT},
        {op_fp(0x0a, 2, 7), BF16_RTNE, 0xffff7f00, 0xffff4080, 0, 0, 0xffff7f80, F32_OVERFLOW | F32_INEXACT},
        {fused(0x43, 2), BF16_RTNE, 0xffff4000, 0xffff4040, 0xffff3f80, 0, 0xffff40e0, 0}, /* 2 * 3 + 1 */
        {op_fp(0x22, 0, 7), BF16_RTNE, 0x3f818000, 0, 0, 0, 0xffff3f82, F32_INEXACT},      /* fcvt.h.s */
        {op_fp(0x22, 0, 7), BF16_RTZ, 0x3f81ffff, 0, 0, 0, 0xffff3f81, F32_INEXACT},
        {op_fp(0x20, 2, 7), BF16_RTZ, 0xffffc000, 0, 0, 0, 0xc0000000, 0},   /* fcvt.s.h */
        {op_fp(0x62, 0, 7), BF16_RTNE, 0xffff3fc0, 0, 0, 0, 2, F32_INEXACT}, /* fcvt.w.h 1.5 */
        {op_fp(0x62, 0, 7), BF16_RTZ, 0xffff3fc0, 0, 0, 0, 1, F32_INEXACT},
        {op_fp(0x72, 0, 1), BF16_RTZ, 0xffff7f80, 0, 0, 0, 1u << 7, 0},            /* fclass.h */
        {op_fp(0x52, 2, 2), BF16_RTZ, 0xffff3f80, 0x00003f80, 0, 0, 0, 0},         /* feq.h: one is NaN */
        {FADD_S, BF16_RTZ, 0x3f800000, 0x33ffffff, 0, 0, 0x3f800001, F32_INEXACT}, /* .s is untouched */
    };
    EXPECT(rows);
}

static void flags_accumulate_and_frm_stays(void **unused)
{
    (void)unused;
    rv_fp fp = {.f = {0, 0x3f800000, 0x33000000}, .fcsr = 0xf0};
    rv_fp_execute(&fp, 0, FADD_S, 0);
    assert_int_equal(fp.fcsr, 0xf1);
}

static void which_words_exist(void **unused)
{
    (void)unused;
    static const struct {
        uint8_t funct5, rm_count, rs2_first, rs2_last;
    } known[] = {
        {0x00, 8, 0, 31}, {0x01, 8, 0, 31}, {0x02, 8, 0, 31}, {0x04, 3, 0, 31}, {0x05, 2, 0, 31},
        {0x14, 3, 0, 31}, {0x18, 8, 0, 1},  {0x1a, 8, 0, 1},  {0x1c, 2, 0, 0},  {0x1e, 1, 0, 0},
    };
    for (uint32_t funct7 = 0; funct7 < 128; funct7++) {
        for (uint32_t rs2 = 0; rs2 < 32; rs2++) {
            for (uint32_t rm = 0; rm < 8; rm++) {
                uint32_t format = funct7 & 3;
                bool want = false;
                for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
                    want |= known[i].funct5 == funct7 >> 2 && rm < known[i].rm_count && rs2 >= known[i].rs2_first &&
                            rs2 <= known[i].rs2_last;
                }
                want |= funct7 == 0x20 && rs2 == 2; /* fcvt.s.h */
                want |= funct7 == 0x22 && rs2 == 0; /* fcvt.h.s */
                want = want && (format == 0 || format == 2);
                if (rv_fp_inspect(op_fp(funct7, rs2, rm)).valid != want) {
                    fail_msg("%08x: valid is %d", op_fp(funct7, rs2, rm), !want);
                }
            }
        }
    }
    for (uint32_t format = 0; format < 4; format++) {
        for (uint32_t opcode = 0x43; opcode <= 0x4f; opcode += 4) {
            assert_int_equal(rv_fp_inspect(fused(opcode, format)).valid, format == 0 || format == 2);
        }
    }
    assert_false(rv_fp_inspect(0x00000013).valid);
    assert_false(rv_fp_inspect(0x0000a087).valid); /* flw is the core's */
}

static void use_of_registers(void **unused)
{
    (void)unused;
    rv_fp_use use = rv_fp_inspect(fused(0x43, 0));
    assert_int_equal(use.f_sources, 7);
    assert_int_equal(use.latency, 2);
    use = rv_fp_inspect(op_fp(0x68, 0, 7)); /* fcvt.s.w */
    assert_true(use.reads_x1 && !use.writes_x && use.f_sources == 0);
    use = rv_fp_inspect(op_fp(0x50, 2, 2)); /* feq.s */
    assert_true(use.writes_x && use.f_sources == 3 && use.latency == 1);
}

static void reference_simulator(void **unused)
{
    (void)unused;
    const char *path = getenv("KERR_F_VECTORS") ? getenv("KERR_F_VECTORS") : "tests/vectors/baby_f.vec";
    FILE *file = fopen(path, "r");
    if (!file) {
        fail_msg("cannot open %s (run from the top of the tree)", path);
        return;
    }
    char line[200];
    unsigned long count = 0;
    while (fgets(line, sizeof line, file)) {
        char name[32];
        unsigned word, a, b, c, x, want;
        if (*line == '#') {
            continue;
        }
        assert_int_equal(sscanf(line, "%31s %x %x %x %x %x -> %x", name, &word, &a, &b, &c, &x, &want), 7);
        rv_fp fp = {.f = {0, a, b, c}};
        rv_fp_use use = rv_fp_inspect(word);
        uint32_t integer = rv_fp_execute(&fp, 0, word, x);
        uint32_t got = use.writes_x ? integer : fp.f[0];
        if (!use.valid || got != want) {
            fail_msg("got %08x: %s", got, line);
        }
        count++;
    }
    fclose(file);
    assert_true(count > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fadd_s_fsub_s_fmul_s),
        cmocka_unit_test(fmadd_s_family_signs),
        cmocka_unit_test(fsgnj_s_moves_bits_only),
        cmocka_unit_test(fmin_s_fmax_s),
        cmocka_unit_test(fle_s_flt_s_feq_s),
        cmocka_unit_test(fclass_s_sees_denormals),
        cmocka_unit_test(fcvt_w_s_ignores_the_rounding_mode),
        cmocka_unit_test(fcvt_s_w_and_moves),
        cmocka_unit_test(zfh_in_fp16_mode),
        cmocka_unit_test(zfh_in_bf16_mode),
        cmocka_unit_test(flags_accumulate_and_frm_stays),
        cmocka_unit_test(which_words_exist),
        cmocka_unit_test(use_of_registers),
        cmocka_unit_test(reference_simulator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

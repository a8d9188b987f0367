/* SPDX-License-Identifier: Apache-2.0 */
/* The V subset of RISCV T2: which words exist (tests/vectors/baby_v_decode.vec), vset{i}vl{i}, each element operation by
 * name with hand-computed values, masks and tails, permutations, memory, reserved operands, micro-ops.  The same
 * instructions with random operands meet qemu in tests/oracle/fpvec_qemu.sh. */
#include "num/f32.h"
#include "riscv/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { IVV, FVV, MVV, IVI, IVX, FVF, MVX };

#define UNMASKED 1u
#define MASKED 0u

static uint32_t op_v(uint32_t funct6, uint32_t form, uint32_t vm, uint32_t vd, uint32_t vs2, uint32_t vs1)
{
    return 0x57 | vd << 7 | form << 12 | vs1 << 15 | vs2 << 20 | vm << 25 | funct6 << 26;
}

static uint32_t vtype_of(unsigned sew, int lmul_log2)
{
    unsigned vsew = sew == 8 ? 0 : sew == 16 ? 1 : 2;
    return vsew << 3 | ((unsigned)lmul_log2 & 7);
}

static rv_vec vec;
static rv_fp fp;

static void start(unsigned sew, int lmul_log2, uint32_t vl)
{
    memset(&vec, 0, sizeof vec);
    memset(&fp, 0, sizeof fp);
    vec.vtype = vtype_of(sew, lmul_log2);
    vec.vl = vl;
    vec.vlenb = 16;
}

static uint32_t x_result;

static rv_vec_outcome try_run(uint32_t word, uint32_t x1, uint32_t x2)
{
    assert_true(rv_vec_inspect(word).valid);
    x_result = 0xdeadbeef;
    return rv_vec_execute(&vec, &fp, 0, word, x1, x2, NULL, &x_result);
}

static void run(uint32_t word, uint32_t x1)
{
    if (try_run(word, x1, 0) != RV_VEC_OK) {
        fail_msg("%08x is undefined with vtype %02x vl %u", word, vec.vtype, vec.vl);
    }
}

static void expect_undefined(uint32_t word)
{
    rv_vec before = vec;
    if (try_run(word, 0, 0) != RV_VEC_UNDEFINED) {
        fail_msg("%08x should be undefined with vtype %02x vl %u", word, vec.vtype, vec.vl);
    }
    assert_memory_equal(&before, &vec, sizeof vec);
}

static void set_words(unsigned reg, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    vec.v[reg][0] = a;
    vec.v[reg][1] = b;
    vec.v[reg][2] = c;
    vec.v[reg][3] = d;
}

static void expect_words(unsigned reg, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    uint32_t want[4] = {a, b, c, d};
    for (unsigned w = 0; w < 4; w++) {
        if (vec.v[reg][w] != want[w]) {
            fail_msg("v%u[%u] is %08x, want %08x", reg, w, vec.v[reg][w], want[w]);
        }
    }
}

/* ---- Which words exist ---- */

static void which_words_exist(void **unused)
{
    (void)unused;
    static uint32_t want_v[7][64][2][2], want_m[2][8][128];
    FILE *file = fopen("tests/vectors/baby_v_decode.vec", "r");
    if (!file) {
        fail_msg("cannot open tests/vectors/baby_v_decode.vec (run from the top of the tree)");
        return;
    }
    char line[120];
    while (fgets(line, sizeof line, file)) {
        unsigned form, funct6, vm, vs2, opcode, width, high, mask;
        if (sscanf(line, "v %x %x %x %x : %x", &form, &funct6, &vm, &vs2, &mask) == 5) {
            want_v[form][funct6][vm][vs2 != 0] = mask;
        } else if (sscanf(line, "m %x %x %x : %x", &opcode, &width, &high, &mask) == 4) {
            want_m[opcode == 0x27][width][high] = mask;
        }
    }
    fclose(file);
    for (unsigned form = 0; form < 7; form++) {
        for (unsigned funct6 = 0; funct6 < 64; funct6++) {
            for (unsigned i = 0; i < 128; i++) {
                unsigned vm = i >> 6, is_8 = i >> 5 & 1, vs1 = i & 31;
                uint32_t word = op_v(funct6, form, vm, 4, is_8 ? 8 : 0, vs1);
                if (rv_vec_inspect(word).valid != (want_v[form][funct6][vm][is_8] >> vs1 & 1)) {
                    fail_msg("%08x: valid is %d", word, rv_vec_inspect(word).valid);
                }
            }
        }
    }
    for (unsigned i = 0; i < 2 * 8 * 128 * 32; i++) {
        unsigned rs2 = i & 31, high = i >> 5 & 127, width = i >> 12 & 7, store = i >> 15;
        uint32_t word = (store ? 0x27u : 0x07u) | 8 << 7 | width << 12 | 11 << 15 | rs2 << 20 | high << 25;
        if (rv_vec_inspect(word).valid != (want_m[store][width][high] >> rs2 & 1)) {
            fail_msg("%08x: valid is %d", word, rv_vec_inspect(word).valid);
        }
    }
}

static void excluded_instructions(void **unused)
{
    (void)unused;
    for (unsigned funct6 = 0x20; funct6 <= 0x23; funct6++) { /* vdivu, vdiv, vremu, vrem */
        assert_false(rv_vec_inspect(op_v(funct6, MVV, 1, 4, 8, 12)).valid);
        assert_false(rv_vec_inspect(op_v(funct6, MVX, 1, 4, 8, 12)).valid);
    }
    assert_false(rv_vec_inspect(op_v(0x20, FVV, 1, 4, 8, 12)).valid); /* vfdiv */
    assert_false(rv_vec_inspect(op_v(0x21, FVF, 1, 4, 8, 12)).valid); /* vfrdiv */
    assert_false(rv_vec_inspect(op_v(0x13, FVV, 1, 4, 8, 0)).valid);  /* vfsqrt */
    assert_false(rv_vec_inspect(op_v(0x13, FVV, 1, 4, 8, 4)).valid);  /* vfrsqrt7 */
    assert_false(rv_vec_inspect(op_v(0x13, FVV, 1, 4, 8, 5)).valid);  /* vfrec7 */
    assert_true(rv_vec_inspect(op_v(0x13, FVV, 1, 4, 8, 16)).valid);  /* vfclass */
}

static void use_of_registers(void **unused)
{
    (void)unused;
    rv_vec_use use = rv_vec_inspect(op_v(0x00, IVX, 1, 4, 8, 11));
    assert_true(use.reads_x1 && !use.reads_x2 && !use.writes_x && !use.reads_f1 && !use.is_memory && !use.is_config);
    use = rv_vec_inspect(op_v(0x00, FVF, 1, 4, 8, 11));
    assert_true(use.reads_f1 && !use.reads_x1 && !use.writes_f);
    use = rv_vec_inspect(op_v(0x10, MVV, 1, 10, 8, 0)); /* vmv.x.s */
    assert_true(use.writes_x && !use.writes_f);
    use = rv_vec_inspect(op_v(0x10, FVV, 1, 10, 8, 0)); /* vfmv.f.s */
    assert_true(use.writes_f && !use.writes_x);
    use = rv_vec_inspect(0x80c5f557); /* vsetvl x10, x11, x12 */
    assert_true(use.is_config && use.reads_x1 && use.reads_x2 && use.writes_x);
    use = rv_vec_inspect(0xcd027557); /* vsetivli */
    assert_true(use.is_config && !use.reads_x1 && !use.reads_x2);
    use = rv_vec_inspect(0x0ac5e427); /* vsse32.v v8, (x11), x12 */
    assert_true(use.valid && use.is_memory && use.is_store && use.reads_x1 && use.reads_x2);
    assert_false(rv_vec_inspect(0x0005a407).valid); /* flw */
}

/* ---- vsetvli, vsetivli, vsetvl ---- */

static uint32_t vsetvli(uint32_t rd, uint32_t rs1, uint32_t vtype)
{
    return 0x7057 | rd << 7 | rs1 << 15 | vtype << 20;
}

static void vsetvli_takes_the_smaller_of_avl_and_vlmax(void **unused)
{
    (void)unused;
    static const struct {
        unsigned sew;
        int lmul_log2;
        uint32_t vlmax;
    } rows[] = {{8, 0, 16},  {8, 3, 128}, {8, -2, 4}, {8, -1, 8},  {16, 0, 8}, {16, -1, 4},
                {16, 3, 64}, {32, 0, 4},  {32, 1, 8}, {32, 2, 16}, {32, 3, 32}};
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(8, 0, 0);
        uint32_t vtype = vtype_of(rows[i].sew, rows[i].lmul_log2) | 0xc0; /* vta and vma are kept */
        run(vsetvli(10, 11, vtype), 3);
        assert_int_equal(x_result, 3);
        run(vsetvli(10, 11, vtype), 0xffffffff);
        assert_int_equal(x_result, rows[i].vlmax);
        assert_int_equal(vec.vl, rows[i].vlmax);
        assert_int_equal(vec.vtype, vtype);
        run(vsetvli(10, 11, vtype), rows[i].vlmax + 1);
        assert_int_equal(x_result, rows[i].vlmax);
        run(vsetvli(10, 0, vtype), 0); /* x0 asks for VLMAX */
        assert_int_equal(x_result, rows[i].vlmax);
        run(vsetvli(10, 11, vtype), 2);
        run(vsetvli(0, 0, vtype), 0); /* x0, x0 keeps vl */
        assert_int_equal(vec.vl, 2);
    }
    run(0xc0017557 | 0x10 << 20, 0); /* vsetivli x10, 2, e32, m1 */
    assert_int_equal(x_result, 2);
    assert_int_equal(try_run(0x80c5f557, 9, vtype_of(16, 1)), RV_VEC_OK); /* vsetvl x10, x11, x12 */
    assert_int_equal(x_result, 9);
}

static void vsetvli_with_an_unsupported_vtype_is_undefined(void **unused)
{
    (void)unused;
    start(32, 0, 4);
    expect_undefined(vsetvli(10, 0, 3 << 3));           /* e64 */
    expect_undefined(vsetvli(10, 0, vtype_of(8, -3)));  /* e8, mf8 */
    expect_undefined(vsetvli(10, 0, vtype_of(16, -2))); /* e16, mf4 */
    expect_undefined(vsetvli(10, 0, vtype_of(32, -1))); /* e32, mf2 */
    expect_undefined(vsetvli(10, 0, 4));                /* LMUL 100 */
    expect_undefined(vsetvli(10, 0, 0x100));            /* reserved bit */
    expect_undefined(vsetvli(0, 0, vtype_of(32, 1)));   /* x0, x0 with another VLMAX */
}

/* ---- Element operations: a in vs2, b in vs1, d in vd before ---- */

typedef struct element_row {
    const char *name;
    uint8_t funct6, form, sew;
    uint32_t a, b, d, result;
} element_row;

static void element_operations(void **unused)
{
    (void)unused;
    static const element_row rows[] = {
        {"vadd.vv", 0x00, IVV, 8, 0xff, 0x02, 0, 0x01},
        {"vadd.vi", 0x00, IVI, 32, 5, 0x1f, 0, 4},
        {"vsub.vx", 0x02, IVX, 16, 1, 2, 0, 0xffff},
        {"vrsub.vi", 0x03, IVI, 32, 5, 3, 0, 0xfffffffe},
        {"vminu.vv", 0x04, IVV, 8, 0x80, 0x7f, 0, 0x7f},
        {"vmin.vv", 0x05, IVV, 8, 0x80, 0x7f, 0, 0x80},
        {"vmaxu.vx", 0x06, IVX, 16, 0x8000, 1, 0, 0x8000},
        {"vmax.vx", 0x07, IVX, 16, 0x8000, 1, 0, 1},
        {"vand.vi", 0x09, IVI, 32, 0x12345678, 0x10, 0, 0x12345670},
        {"vor.vv", 0x0a, IVV, 32, 0xf0, 0x0f, 0, 0xff},
        {"vxor.vi", 0x0b, IVI, 32, 0x0f, 0x1f, 0, 0xfffffff0},
        {"vsaddu.vv", 0x20, IVV, 8, 0xf0, 0x20, 0, 0xff},
        {"vsaddu.vi", 0x20, IVI, 8, 0x01, 0x1f, 0, 0xff},
        {"vsadd.vv", 0x21, IVV, 8, 0x70, 0x20, 0, 0x7f},
        {"vsadd.vv", 0x21, IVV, 32, 0x80000000, 0xffffffff, 0, 0x80000000},
        {"vssubu.vv", 0x22, IVV, 16, 1, 2, 0, 0},
        {"vssub.vv", 0x23, IVV, 16, 0x8000, 1, 0, 0x8000},
        {"vsll.vx", 0x25, IVX, 8, 0x81, 0x09, 0, 0x02},
        {"vsll.vi", 0x25, IVI, 32, 1, 31, 0, 0x80000000},
        {"vsmul.vv", 0x27, IVV, 16, 0x4000, 0x4000, 0, 0x2000},
        {"vsmul.vv", 0x27, IVV, 8, 0x80, 0x80, 0, 0x7f},
        {"vsrl.vi", 0x28, IVI, 16, 0x8000, 15, 0, 1},
        {"vsra.vi", 0x29, IVI, 16, 0x8000, 15, 0, 0xffff},
        {"vssrl.vi", 0x2a, IVI, 8, 0x0e, 2, 0, 4},
        {"vssra.vi", 0x2b, IVI, 8, 0xf2, 2, 0, 0xfd},
        {"vaaddu.vv", 0x08, MVV, 8, 0xff, 0xfe, 0, 0xff},
        {"vaadd.vv", 0x09, MVV, 8, 0x80, 0x81, 0, 0x81},
        {"vasubu.vv", 0x0a, MVV, 8, 0, 1, 0, 0},
        {"vasub.vv", 0x0b, MVV, 8, 0x80, 0x7f, 0, 0x81},
        {"vmulhu.vv", 0x24, MVV, 8, 0xff, 0xff, 0, 0xfe},
        {"vmul.vx", 0x25, MVX, 16, 0x1234, 0x0010, 0, 0x2340},
        {"vmulhsu.vv", 0x26, MVV, 8, 0xff, 0xff, 0, 0xff},
        {"vmulh.vv", 0x27, MVV, 32, 0x80000000, 0x80000000, 0, 0x40000000},
        {"vmadd.vv", 0x29, MVV, 32, 7, 3, 5, 22},
        {"vnmsub.vv", 0x2b, MVV, 32, 7, 3, 5, 0xfffffff8},
        {"vmacc.vv", 0x2d, MVV, 32, 7, 3, 5, 26},
        {"vnmsac.vx", 0x2f, MVX, 32, 7, 3, 5, 0xfffffff0},
        {"vfadd.vv", 0x00, FVV, 32, 0x3f800000, 0x40000000, 0, 0x40400000},
        {"vfadd.vv flushes", 0x00, FVV, 32, 0x00000001, 0x80000000, 0, 0x00000000},
        {"vfsub.vf", 0x02, FVF, 32, 0x3f800000, 0x40000000, 0, 0xbf800000},
        {"vfrsub.vf", 0x27, FVF, 32, 0x3f800000, 0x40000000, 0, 0x3f800000},
        {"vfmul.vv", 0x24, FVV, 32, 0x40000000, 0xc0400000, 0, 0xc0c00000},
        {"vfmin.vv", 0x04, FVV, 32, 0x7fc00000, 0x3f800000, 0, 0x3f800000},
        {"vfmax.vf", 0x06, FVF, 32, 0xbf800000, 0x00000001, 0, 0x00000001},
        {"vfsgnj.vv", 0x08, FVV, 32, 0x3f800000, 0x80000000, 0, 0xbf800000},
        {"vfsgnjn.vv", 0x09, FVV, 32, 0x3f800000, 0x80000000, 0, 0x3f800000},
        {"vfsgnjx.vv", 0x0a, FVV, 32, 0xbf800000, 0x80000000, 0, 0x3f800000},
        {"vfmadd.vv", 0x28, FVV, 32, 0x3f800000, 0x40000000, 0x40400000, 0x40e00000},  /* 2 * 3 + 1 */
        {"vfnmadd.vv", 0x29, FVV, 32, 0x3f800000, 0x40000000, 0x40400000, 0xc0e00000}, /* -(2 * 3) - 1 */
        {"vfmsub.vv", 0x2a, FVV, 32, 0x3f800000, 0x40000000, 0x40400000, 0x40a00000},  /* 2 * 3 - 1 */
        {"vfnmsub.vv", 0x2b, FVV, 32, 0x3f800000, 0x40000000, 0x40400000, 0xc0a00000}, /* -(2 * 3) + 1 */
        {"vfmacc.vv", 0x2c, FVV, 32, 0x40400000, 0x40000000, 0x3f800000, 0x40e00000},
        {"vfnmacc.vv", 0x2d, FVV, 32, 0x40400000, 0x40000000, 0x3f800000, 0xc0e00000},
        {"vfmsac.vf", 0x2e, FVF, 32, 0x40400000, 0x40000000, 0x3f800000, 0x40a00000},
        {"vfnmsac.vf", 0x2f, FVF, 32, 0x40400000, 0x40000000, 0x3f800000, 0xc0a00000},
        {"vfmacc.vv is not fused", 0x2c, FVV, 32, 0x3f800001, 0x3f800001, 0xbf800002, 0x32800000},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const element_row *r = &rows[i];
        start(r->sew, 0, 1);
        set_words(8, r->a, 0, 0, 0);
        set_words(12, r->b, 0, 0, 0);
        set_words(4, r->d | (r->sew < 32 ? 0xa5000000 : 0), 1, 2, 3);
        fp.f[12] = r->b;
        run(op_v(r->funct6, r->form, 1, 4, 8, r->form == IVI ? r->b : 12), r->b);
        uint32_t tail = r->sew < 32 ? 0xa5000000 : 0;
        if (vec.v[4][0] != (r->result | tail) || vec.v[4][1] != 1 || vec.v[4][3] != 3) {
            fail_msg("%s: %08x, want %08x", r->name, vec.v[4][0], r->result | tail);
        }
    }
}

static void widening_and_narrowing(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint8_t funct6, form;
        uint32_t a, b, d, result; /* SEW 16; wide ones of 32 bits */
    } rows[] = {
        {"vwaddu.vv", 0x30, MVV, 0xffff, 0xffff, 0, 0x1fffe},
        {"vwadd.vv", 0x31, MVV, 0xffff, 0xffff, 0, 0xfffffffe},
        {"vwsubu.vx", 0x32, MVX, 0, 1, 0, 0xffffffff},
        {"vwsub.vv", 0x33, MVV, 0x8000, 0x7fff, 0, 0xffff0001},
        {"vwaddu.wv", 0x34, MVV, 0x12345678, 0xffff, 0, 0x12355677},
        {"vwadd.wx", 0x35, MVX, 0x12345678, 0xffff, 0, 0x12345677},
        {"vwsubu.wv", 0x36, MVV, 0x12345678, 0xffff, 0, 0x12335679},
        {"vwsub.wv", 0x37, MVV, 0x12345678, 0xffff, 0, 0x12345679},
        {"vwmulu.vv", 0x38, MVV, 0xffff, 0xffff, 0, 0xfffe0001},
        {"vwmulsu.vv", 0x3a, MVV, 0xffff, 0xffff, 0, 0xffff0001}, /* vs2 is the signed one */
        {"vwmul.vv", 0x3b, MVV, 0xffff, 0xffff, 0, 1},
        {"vwmaccu.vv", 0x3c, MVV, 0xffff, 0xffff, 2, 0xfffe0003},
        {"vwmacc.vv", 0x3d, MVV, 0xffff, 0xffff, 2, 3},
        {"vwmaccus.vx", 0x3e, MVX, 0xffff, 2, 0, 0xfffffffe}, /* vs2 signed */
        {"vwmaccsu.vv", 0x3f, MVV, 2, 0xffff, 0, 0xfffffffe}, /* vs1 signed */
        {"vnsrl.wi", 0x2c, IVI, 0x12345678, 8, 0, 0x3456},
        {"vnsra.wx", 0x2d, IVX, 0x80000000, 31, 0, 0xffff},
        {"vnsrl.wx uses five bits", 0x2c, IVX, 0x12345678, 0x2c, 0, 0x2345},
        {"vnclipu.wi", 0x2e, IVI, 0x12345678, 8, 0, 0xffff},
        {"vnclip.wi", 0x2f, IVI, 0x80000000, 4, 0, 0x8000},
        {"vnclip.wi rounds", 0x2f, IVI, 0x0000007f, 3, 0, 0x0010},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(16, 0, 1);
        set_words(8, rows[i].a, 0, 0, 0);
        set_words(12, rows[i].b, 0, 0, 0);
        set_words(4, rows[i].d, 0, 0, 0);
        run(op_v(rows[i].funct6, rows[i].form, 1, 4, 8, rows[i].form == IVI ? rows[i].b : 12), rows[i].b);
        if (vec.v[4][0] != rows[i].result) {
            fail_msg("%s: %08x, want %08x", rows[i].name, vec.v[4][0], rows[i].result);
        }
    }
}

static void fixed_point_rounding_modes(void **unused)
{
    (void)unused;
    static const uint8_t want[4][4] = {{2, 3, 3, 4}, {2, 2, 3, 4}, {2, 2, 2, 3}, {2, 3, 3, 3}}; /* rnu rne rdn rod */
    static const uint8_t values[4] = {8, 10, 11, 14};                                           /* over 4 */
    for (unsigned mode = 0; mode < 4; mode++) {
        for (unsigned i = 0; i < 4; i++) {
            start(8, 0, 1);
            vec.vxrm = mode;
            set_words(8, values[i], 0, 0, 0);
            run(op_v(0x2a, IVI, 1, 4, 8, 2), 0);
            assert_int_equal(vec.v[4][0], want[mode][i]);
        }
    }
}

static void vxsat_is_sticky_and_only_set_by_active_elements(void **unused)
{
    (void)unused;
    start(8, 0, 2);
    set_words(8, 0x70ff, 0, 0, 0);
    set_words(12, 0x0101, 0, 0, 0);
    set_words(0, 2, 0, 0, 0);
    run(op_v(0x20, IVV, MASKED, 4, 8, 12), 0); /* the element that saturates is masked off */
    assert_int_equal(vec.vxsat, 0);
    run(op_v(0x20, IVV, UNMASKED, 4, 8, 12), 0);
    assert_int_equal(vec.vxsat, 1);
    vec.vl = 0;
    run(op_v(0x20, IVV, UNMASKED, 4, 8, 12), 0);
    assert_int_equal(vec.vxsat, 1);
}

static void compares_write_bits(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint8_t funct6, form;
        uint32_t bits; /* of 1, 2, 3, -1 against 2 */
    } rows[] = {
        {"vmseq", 0x18, IVX, 2},  {"vmsne", 0x19, IVX, 0xd}, {"vmsltu", 0x1a, IVX, 1},   {"vmslt", 0x1b, IVX, 9},
        {"vmsleu", 0x1c, IVX, 3}, {"vmsle", 0x1d, IVX, 0xb}, {"vmsgtu", 0x1e, IVX, 0xc}, {"vmsgt", 0x1f, IVX, 4},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(32, 0, 4);
        set_words(8, 1, 2, 3, 0xffffffff);
        set_words(4, 0xfffffff0, 7, 7, 7);
        run(op_v(rows[i].funct6, rows[i].form, 1, 4, 8, 11), 2);
        if (vec.v[4][0] != (0xfffffff0 | rows[i].bits)) {
            fail_msg("%s: %08x", rows[i].name, vec.v[4][0]);
        }
        assert_int_equal(vec.v[4][1], 7); /* the tail stays */
    }
    static const struct {
        const char *name;
        uint8_t funct6;
        uint32_t bits, flags; /* of 1, 2, NaN, -0 against 1 */
    } float_rows[] = {
        {"vmfeq", 0x18, 1, 0},   {"vmfle", 0x19, 9, F32_INVALID}, {"vmflt", 0x1b, 8, F32_INVALID},
        {"vmfne", 0x1c, 0xe, 0}, {"vmfgt", 0x1d, 2, F32_INVALID}, {"vmfge", 0x1f, 3, F32_INVALID},
    };
    for (unsigned i = 0; i < sizeof float_rows / sizeof *float_rows; i++) {
        start(32, 0, 4);
        set_words(8, 0x3f800000, 0x40000000, 0x7fc00000, 0x80000000);
        fp.f[11] = 0x3f800000;
        run(op_v(float_rows[i].funct6, FVF, 1, 4, 8, 11), 0);
        if (vec.v[4][0] != float_rows[i].bits || fp.fcsr != float_rows[i].flags) {
            fail_msg("%s: %08x flags %02x", float_rows[i].name, vec.v[4][0], fp.fcsr);
        }
    }
}

static void carries(void **unused)
{
    (void)unused;
    start(8, 0, 3);
    set_words(8, 0x00ff01, 0, 0, 0);
    set_words(12, 0x000001, 0, 0, 0);
    set_words(0, 6, 0, 0, 0);
    run(op_v(0x10, IVV, 0, 4, 8, 12), 0); /* vadc.vvm */
    assert_int_equal(vec.v[4][0], 0x010002);
    run(op_v(0x11, IVV, 0, 4, 8, 12), 0); /* vmadc.vvm */
    assert_int_equal(vec.v[4][0] & 7, 2);
    run(op_v(0x11, IVV, 1, 4, 8, 12), 0); /* vmadc.vv */
    assert_int_equal(vec.v[4][0] & 7, 0);
    run(op_v(0x12, IVV, 0, 4, 8, 12), 0); /* vsbc.vvm */
    assert_int_equal(vec.v[4][0] & 0xffffff, 0xfffe00);
    run(op_v(0x13, IVV, 0, 0, 8, 12), 0); /* vmsbc.vvm onto the borrow itself */
    assert_int_equal(vec.v[0][0], 4);
    start(32, 0, 1);
    set_words(8, 5, 0, 0, 0);
    set_words(0, 1, 0, 0, 0);
    run(op_v(0x13, IVX, 0, 4, 8, 11), 0xffffffff); /* the borrow carries past 32 bits */
    assert_int_equal(vec.v[4][0], 1);
    run(op_v(0x11, IVX, 0, 4, 8, 11), 0xffffffff);
    assert_int_equal(vec.v[4][0], 1);
}

static void masked_off_and_tail_elements_stay(void **unused)
{
    (void)unused;
    start(16, 1, 10); /* two registers, ten of sixteen elements */
    for (unsigned r = 0; r < 2; r++) {
        set_words(8 + r, 0x00010001, 0x00010001, 0x00010001, 0x00010001);
        set_words(4 + r, 0xaaaabbbb, 0xaaaabbbb, 0xaaaabbbb, 0xaaaabbbb);
    }
    set_words(0, 0x2a9, 0, 0, 0); /* elements 0 3 5 7 9 */
    vec.vtype |= 0xc0;            /* agnostic means undisturbed here */
    run(op_v(0x00, IVI, MASKED, 4, 8, 1), 0);
    expect_words(4, 0xaaaa0002, 0x0002bbbb, 0x0002bbbb, 0x0002bbbb);
    expect_words(5, 0x0002bbbb, 0xaaaabbbb, 0xaaaabbbb, 0xaaaabbbb);
}

static void merges_and_moves(void **unused)
{
    (void)unused;
    start(32, 0, 4);
    set_words(8, 1, 2, 3, 4);
    set_words(12, 5, 6, 7, 8);
    set_words(0, 5, 0, 0, 0);
    run(op_v(0x17, IVV, 0, 4, 8, 12), 0); /* vmerge.vvm */
    expect_words(4, 5, 2, 7, 4);
    run(op_v(0x17, IVI, 0, 4, 8, 0x1f), 0); /* vmerge.vim */
    expect_words(4, 0xffffffff, 2, 0xffffffff, 4);
    fp.f[3] = 0x3f800000;
    run(op_v(0x17, FVF, 0, 4, 8, 3), 0); /* vfmerge.vfm */
    expect_words(4, 0x3f800000, 2, 0x3f800000, 4);
    vec.vl = 2;
    run(op_v(0x17, IVV, 1, 4, 0, 12), 0); /* vmv.v.v */
    expect_words(4, 5, 6, 0x3f800000, 4);
    run(op_v(0x17, IVX, 1, 4, 0, 11), 77); /* vmv.v.x */
    expect_words(4, 77, 77, 0x3f800000, 4);
    run(op_v(0x17, FVF, 1, 4, 0, 3), 0); /* vfmv.v.f */
    expect_words(4, 0x3f800000, 0x3f800000, 0x3f800000, 4);

    run(op_v(0x10, MVX, 1, 4, 0, 11), 9); /* vmv.s.x */
    expect_words(4, 9, 0x3f800000, 0x3f800000, 4);
    run(op_v(0x10, FVF, 1, 4, 0, 3), 0); /* vfmv.s.f */
    expect_words(4, 0x3f800000, 0x3f800000, 0x3f800000, 4);
    vec.vl = 0;
    run(op_v(0x10, MVX, 1, 4, 0, 11), 9); /* nothing at vl = 0 */
    expect_words(4, 0x3f800000, 0x3f800000, 0x3f800000, 4);
    run(op_v(0x10, FVV, 1, 10, 12, 0), 0); /* vfmv.f.s, whatever vl is */
    assert_int_equal(fp.f[10], 5);
    set_words(12, 0x1280, 0, 0, 0);
    vec.vtype = vtype_of(8, 0);
    run(op_v(0x10, MVV, 1, 10, 12, 0), 0); /* vmv.x.s sign-extends */
    assert_int_equal(x_result, 0xffffff80);

    vec.vtype = 0xffffffff; /* vmv2r.v needs no vtype */
    set_words(13, 1, 1, 1, 1);
    run(op_v(0x27, IVI, 1, 4, 12, 1), 0);
    expect_words(4, 0x1280, 0, 0, 0);
    expect_words(5, 1, 1, 1, 1);
}

static void reductions(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint8_t funct6;
        uint32_t result; /* of 1, -2, 3, -4 and 5 */
    } rows[] = {
        {"vredsum", 0, 3},  {"vredand", 1, 0},          {"vredor", 2, 0xffffffff},   {"vredxor", 3, 5},
        {"vredminu", 4, 1}, {"vredmin", 5, 0xfffffffc}, {"vredmaxu", 6, 0xfffffffe}, {"vredmax", 7, 5},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        start(32, 0, 4);
        set_words(8, 1, 0xfffffffe, 3, 0xfffffffc);
        set_words(12, 5, 9, 9, 9);
        set_words(4, 6, 7, 8, 9);
        run(op_v(rows[i].funct6, MVV, 1, 4, 8, 12), 0);
        if (vec.v[4][0] != rows[i].result) {
            fail_msg("%s: %08x, want %08x", rows[i].name, vec.v[4][0], rows[i].result);
        }
        assert_int_equal(vec.v[4][1], 7);
    }
    start(16, 0, 2);
    set_words(8, 0xffffffff, 0, 0, 0);
    set_words(12, 5, 0, 0, 0);
    run(op_v(0x30, IVV, 1, 4, 8, 12), 0); /* vwredsumu */
    assert_int_equal(vec.v[4][0], 5 + 2 * 0xffff);
    run(op_v(0x31, IVV, 1, 4, 8, 12), 0); /* vwredsum */
    assert_int_equal(vec.v[4][0], 3);
    vec.vl = 0;
    run(op_v(0x30, IVV, 1, 4, 8, 12), 0); /* writes nothing at vl = 0 */
    assert_int_equal(vec.v[4][0], 3);

    start(32, 0, 3);
    set_words(8, 0x4b800000, 0x3f800000, 0x3f800000, 0x7fc00000); /* 2^24, 1, 1, and a tail */
    set_words(12, 0, 0, 0, 0);
    run(op_v(0x03, FVV, 1, 4, 8, 12), 0); /* vfredosum: in order, each 1 is lost */
    assert_int_equal(vec.v[4][0], 0x4b800000);
    assert_int_equal(fp.fcsr, F32_INEXACT);
    run(op_v(0x05, FVV, 1, 4, 8, 12), 0); /* vfredmin */
    assert_int_equal(vec.v[4][0], 0);
    run(op_v(0x07, FVV, 1, 4, 8, 12), 0); /* vfredmax */
    assert_int_equal(vec.v[4][0], 0x4b800000);
}

static void mask_instructions(void **unused)
{
    (void)unused;
    static const uint32_t logic[8] = {0x8, 0x1, 0xb, 0xa, 0xd, 0xe, 0x4, 0x5}; /* vmandn ... of 1001 and 0011 */
    for (unsigned i = 0; i < 8; i++) {
        start(8, 0, 4);
        set_words(8, 0x9, 0, 0, 0);
        set_words(12, 0x3, 0, 0, 0);
        set_words(4, 0x50, 6, 6, 6);
        run(op_v(0x18 + i, MVV, 1, 4, 8, 12), 0);
        expect_words(4, 0x50 | logic[i], 6, 6, 6);
    }
    start(8, 0, 8);
    set_words(8, 0xffffff54, 0, 0, 0);     /* bits 2 4 6 below vl */
    set_words(0, 0xf8, 0, 0, 0);           /* masked: 3 and up */
    run(op_v(0x10, MVV, 1, 10, 8, 16), 0); /* vcpop.m */
    assert_int_equal(x_result, 3);
    run(op_v(0x10, MVV, 0, 10, 8, 16), 0);
    assert_int_equal(x_result, 2);
    run(op_v(0x10, MVV, 1, 10, 8, 17), 0); /* vfirst.m */
    assert_int_equal(x_result, 2);
    run(op_v(0x10, MVV, 0, 10, 8, 17), 0);
    assert_int_equal(x_result, 4);
    run(op_v(0x14, MVV, 1, 4, 8, 1), 0); /* vmsbf.m */
    assert_int_equal(vec.v[4][0], 0x03);
    run(op_v(0x14, MVV, 1, 4, 8, 2), 0); /* vmsof.m */
    assert_int_equal(vec.v[4][0], 0x04);
    run(op_v(0x14, MVV, 1, 4, 8, 3), 0); /* vmsif.m */
    assert_int_equal(vec.v[4][0], 0x07);
    run(op_v(0x14, MVV, 0, 4, 8, 3), 0); /* masked: bits 0 to 2 stay, first is 4 */
    assert_int_equal(vec.v[4][0], 0x1f);
    set_words(4, 0xeeeeeeee, 0xeeeeeeee, 5, 5);
    run(op_v(0x14, MVV, 1, 4, 8, 16), 0); /* viota.m */
    expect_words(4, 0x01000000, 0x03020201, 5, 5);
    run(op_v(0x14, MVV, 0, 4, 0, 17), 0); /* vid.v, masked */
    expect_words(4, 0x03000000, 0x07060504, 5, 5);
    vec.vl = 0;
    run(op_v(0x10, MVV, 1, 10, 8, 16), 0);
    assert_int_equal(x_result, 0);
    run(op_v(0x10, MVV, 1, 10, 8, 17), 0);
    assert_int_equal(x_result, 0xffffffff);
}

static void permutations(void **unused)
{
    (void)unused;
    start(32, 0, 3);
    set_words(8, 10, 11, 12, 13);
    set_words(4, 1, 2, 3, 4);
    run(op_v(0x0e, IVI, 1, 4, 8, 1), 0); /* vslideup.vi */
    expect_words(4, 1, 10, 11, 4);
    run(op_v(0x0e, IVX, 1, 4, 8, 11), 0xffffffff); /* past the end: nothing */
    expect_words(4, 1, 10, 11, 4);
    run(op_v(0x0f, IVI, 1, 4, 8, 2), 0); /* vslidedown.vi reads past vl, zero past VLMAX */
    expect_words(4, 12, 13, 0, 4);
    run(op_v(0x0f, IVX, 1, 4, 8, 11), 0xffffffff);
    expect_words(4, 0, 0, 0, 4);
    run(op_v(0x0e, MVX, 1, 4, 8, 11), 99); /* vslide1up.vx */
    expect_words(4, 99, 10, 11, 4);
    run(op_v(0x0f, MVX, 1, 4, 8, 11), 99); /* vslide1down.vx puts it at vl - 1 */
    expect_words(4, 11, 12, 99, 4);
    fp.f[3] = 0x3f800000;
    run(op_v(0x0e, FVF, 1, 4, 8, 3), 0); /* vfslide1up.vf */
    expect_words(4, 0x3f800000, 10, 11, 4);
    run(op_v(0x0f, FVF, 1, 8, 8, 3), 0); /* vfslide1down.vf onto its source */
    expect_words(8, 11, 12, 0x3f800000, 13);

    set_words(8, 10, 11, 12, 13);
    set_words(12, 3, 4, 0, 0);
    run(op_v(0x0c, IVV, 1, 4, 8, 12), 0); /* vrgather.vv */
    expect_words(4, 13, 0, 10, 4);
    run(op_v(0x0c, IVI, 1, 4, 8, 2), 0); /* vrgather.vi */
    expect_words(4, 12, 12, 12, 4);
    run(op_v(0x0c, IVX, 1, 4, 8, 11), 0x80000000); /* vrgather.vx */
    expect_words(4, 0, 0, 0, 4);
    set_words(12, 0x00020003, 0xffff0001, 0, 0);
    run(op_v(0x0e, IVV, 1, 4, 8, 12), 0); /* vrgatherei16.vv */
    expect_words(4, 13, 12, 11, 4);
    set_words(12, 0xfffffffd, 0, 0, 0);
    run(op_v(0x17, MVV, 1, 4, 8, 12), 0); /* vcompress.vm: elements 0 and 2 */
    expect_words(4, 10, 12, 11, 4);

    start(32, 0, 4);
    set_words(8, 0x80ff7f01, 0, 0, 0);
    run(op_v(0x12, MVV, 1, 4, 8, 4), 0); /* vzext.vf4 */
    expect_words(4, 0x01, 0x7f, 0xff, 0x80);
    run(op_v(0x12, MVV, 1, 4, 8, 5), 0); /* vsext.vf4 */
    expect_words(4, 0x01, 0x7f, 0xffffffff, 0xffffff80);
    vec.vl = 2;
    run(op_v(0x12, MVV, 1, 4, 8, 7), 0); /* vsext.vf2 */
    expect_words(4, 0x7f01, 0xffff80ff, 0xffffffff, 0xffffff80);
}

static void conversions(void **unused)
{
    (void)unused;
    start(32, 0, 4);
    set_words(8, 0x40200000, 0xc0700000, 0x7fc00000, 0x4f800000); /* 2.5, -3.75, NaN, 2^32 */
    run(op_v(0x12, FVV, 1, 4, 8, 1), 0);                          /* vfcvt.x.f.v */
    expect_words(4, 2, 0xfffffffc, 0x7fffffff, 0x7fffffff);
    assert_int_equal(fp.fcsr, F32_INVALID | F32_INEXACT);
    run(op_v(0x12, FVV, 1, 4, 8, 7), 0); /* vfcvt.rtz.x.f.v */
    expect_words(4, 2, 0xfffffffd, 0x7fffffff, 0x7fffffff);
    run(op_v(0x12, FVV, 1, 4, 8, 0), 0); /* vfcvt.xu.f.v */
    expect_words(4, 2, 0, 0xffffffff, 0xffffffff);
    run(op_v(0x12, FVV, 1, 4, 8, 6), 0); /* vfcvt.rtz.xu.f.v */
    expect_words(4, 2, 0, 0xffffffff, 0xffffffff);
    run(op_v(0x13, FVV, 1, 4, 8, 16), 0); /* vfclass.v */
    expect_words(4, 1u << 6, 1u << 1, 1u << 9, 1u << 6);
    set_words(8, 0x80000000, 0xffffffff, 0x01000003, 0);
    run(op_v(0x12, FVV, 1, 4, 8, 2), 0); /* vfcvt.f.xu.v */
    expect_words(4, 0x4f000000, 0x4f800000, 0x4b800002, 0);
    run(op_v(0x12, FVV, 1, 4, 8, 3), 0); /* vfcvt.f.x.v */
    expect_words(4, 0xcf000000, 0xbf800000, 0x4b800002, 0);

    start(16, 0, 2);
    set_words(8, 0x0003ffff, 0, 0, 0);
    run(op_v(0x12, FVV, 1, 4, 8, 0x0b), 0); /* vfwcvt.f.x.v */
    expect_words(4, 0xbf800000, 0x40400000, 0, 0);
    run(op_v(0x12, FVV, 1, 4, 8, 0x0a), 0); /* vfwcvt.f.xu.v */
    expect_words(4, 0x477fff00, 0x40400000, 0, 0);
    set_words(8, 0xc0200000, 0x47800000, 0, 0);
    run(op_v(0x12, FVV, 1, 4, 8, 0x11), 0); /* vfncvt.x.f.w */
    assert_int_equal(vec.v[4][0], 0x7ffffffe);
    run(op_v(0x12, FVV, 1, 4, 8, 0x10), 0); /* vfncvt.xu.f.w */
    assert_int_equal(vec.v[4][0], 0xffff0000);
    run(op_v(0x12, FVV, 1, 4, 8, 0x17), 0); /* vfncvt.rtz.x.f.w */
    assert_int_equal(vec.v[4][0], 0x7ffffffe);
}

static void overlaps_that_are_legal(void **unused)
{
    (void)unused;
    start(16, 0, 8);
    set_words(5, 0x00020001, 0x00040003, 0x00060005, 0x00080007);
    run(op_v(0x31, MVV, 1, 4, 5, 5), 0); /* vwadd: the source is the high end of vd */
    expect_words(4, 2, 4, 6, 8);
    expect_words(5, 10, 12, 14, 16);
    run(op_v(0x2c, IVI, 1, 4, 4, 1), 0); /* vnsrl: vd is the low end of the source */
    expect_words(4, 0x00020001, 0x00040003, 0x00060005, 0x00080007);
    run(op_v(0x18, IVI, 1, 4, 4, 3), 0); /* vmseq onto its source */
    assert_int_equal(vec.v[4][0], 0x00020004);
    start(32, 1, 8);
    run(op_v(0x00, IVV, 1, 4, 4, 4), 0); /* same widths */
    run(op_v(0x00, MVV, 1, 9, 8, 8), 0); /* vredsum: vd anywhere, also inside vs2 */
    run(op_v(0x0f, IVI, 1, 8, 8, 1), 0); /* vslidedown onto its source */
}

static void reserved_operands_are_undefined(void **unused)
{
    (void)unused;
    start(32, 1, 8);
    expect_undefined(op_v(0x00, IVV, 1, 5, 8, 12)); /* groups of two start at even registers */
    expect_undefined(op_v(0x00, IVV, 1, 4, 9, 12));
    expect_undefined(op_v(0x00, IVV, 1, 4, 8, 13));
    expect_undefined(op_v(0x00, IVV, MASKED, 0, 8, 12)); /* vd is the mask */
    expect_undefined(op_v(0x0e, IVI, 1, 8, 8, 1));       /* vslideup onto its source */
    expect_undefined(op_v(0x0e, MVX, 1, 8, 8, 1));       /* vslide1up */
    expect_undefined(op_v(0x0c, IVV, 1, 4, 8, 4));       /* vrgather onto its index */
    expect_undefined(op_v(0x17, MVV, 1, 8, 4, 9));       /* vcompress onto its mask */
    expect_undefined(op_v(0x14, MVV, 1, 8, 9, 16));      /* viota */
    expect_undefined(op_v(0x14, MVV, 1, 8, 8, 1));       /* vmsbf */
    expect_undefined(op_v(0x14, MVV, 0, 0, 8, 1));       /* vmsbf onto the mask it uses */
    expect_undefined(op_v(0x30, MVV, 1, 4, 8, 12));      /* widening from 32 bits */
    expect_undefined(op_v(0x2c, IVI, 1, 4, 8, 1));       /* narrowing to 32 bits */
    expect_undefined(op_v(0x30, IVV, 1, 4, 8, 12));      /* vwredsumu */
    expect_undefined(op_v(0x18, IVV, 1, 9, 8, 12));      /* a mask on the high end of a source */
    expect_undefined(op_v(0x10, IVV, 0, 0, 8, 12));      /* vadc onto the carry */
    expect_undefined(op_v(0x27, IVI, 1, 6, 8, 3));       /* vmv4r.v v6, v8 */
    expect_undefined(op_v(0x30, FVV, 1, 4, 8, 12));      /* vfwadd: to FP64 */

    start(16, 3, 64);
    expect_undefined(op_v(0x30, MVV, 1, 0, 8, 16)); /* EMUL 16 */
    expect_undefined(op_v(0x2c, IVI, 1, 0, 8, 1));
    start(8, 3, 128);
    expect_undefined(op_v(0x0e, IVV, 1, 0, 8, 16)); /* vrgatherei16: EMUL 16 */
    start(16, 0, 8);
    expect_undefined(op_v(0x30, MVV, 1, 4, 4, 8));    /* vwaddu: the source is the low end of vd */
    expect_undefined(op_v(0x2c, IVI, 1, 5, 4, 1));    /* vnsrl: vd is the high end of the source */
    expect_undefined(op_v(0x00, FVV, 1, 4, 8, 12));   /* FP16 elements */
    expect_undefined(op_v(0x30, FVV, 1, 4, 8, 12));   /* vfwadd from FP16 */
    expect_undefined(op_v(0x12, FVV, 1, 4, 8, 0x14)); /* vfncvt.f.f.w to FP16 */
    expect_undefined(op_v(0x12, MVV, 1, 4, 8, 4));    /* vzext.vf4 to 16 bits */
    start(16, -1, 4);
    expect_undefined(op_v(0x30, MVV, 1, 4, 4, 8)); /* a fractional source may not sit in vd */
    start(8, 0, 16);
    expect_undefined(op_v(0x12, FVV, 1, 4, 8, 0x0b)); /* vfwcvt.f.x.v to FP16 */
    start(32, 0, 5);
    expect_undefined(op_v(0x00, IVV, 1, 4, 8, 12)); /* vl above VLMAX, written through its CSR */
    start(32, 0, 4);
    vec.vtype = 0x18;
    expect_undefined(op_v(0x00, IVV, 1, 4, 8, 12)); /* e64, likewise */
}

/* ---- Loads and stores ---- */

static struct {
    uint8_t bytes[256];
    char log[400]; /* "L16@00 S4@10 " ... */
    uint32_t fail_from;
} memory;

static bool note(char kind, uint32_t address, unsigned size)
{
    size_t used = strlen(memory.log);
    snprintf(memory.log + used, sizeof memory.log - used, "%c%u@%02x ", kind, size, address - 0x1000);
    return address + size <= memory.fail_from;
}

static bool load(void *context, uint32_t address, unsigned size, void *data)
{
    assert_ptr_equal(context, &memory);
    if (!note('L', address, size)) {
        return false;
    }
    memcpy(data, memory.bytes + (address - 0x1000), size);
    return true;
}

static bool store(void *context, uint32_t address, unsigned size, const void *data)
{
    assert_ptr_equal(context, &memory);
    if (!note('S', address, size)) {
        return false;
    }
    memcpy(memory.bytes + (address - 0x1000), data, size);
    return true;
}

/* vm in bit 25, mop in 27:26, nf - 1 in 31:29 */
static uint32_t vload(unsigned fields, unsigned mop, unsigned vm, unsigned rs2, unsigned eew, unsigned vd)
{
    unsigned width = eew == 8 ? 0 : eew == 16 ? 5 : 6;
    return 0x07 | vd << 7 | width << 12 | 11 << 15 | rs2 << 20 | vm << 25 | mop << 26 | (fields - 1) << 29;
}

static uint32_t vstore(unsigned fields, unsigned mop, unsigned vm, unsigned rs2, unsigned eew, unsigned vs3)
{
    return vload(fields, mop, vm, rs2, eew, vs3) | 0x20;
}

static rv_vec_outcome access(uint32_t word, uint32_t address, uint32_t stride)
{
    rv_vec_memory interface = {.context = &memory, .load = load, .store = store};
    assert_true(rv_vec_inspect(word).valid);
    memory.log[0] = 0;
    return rv_vec_execute(&vec, &fp, 0, word, 0x1000 + address, stride, &interface, &x_result);
}

static void fresh_memory(void)
{
    for (unsigned i = 0; i < sizeof memory.bytes; i++) {
        memory.bytes[i] = (uint8_t)i;
    }
    memory.fail_from = 0x1100;
}

static void unit_stride(void **unused)
{
    (void)unused;
    fresh_memory();
    start(32, 1, 7);
    set_words(5, 1, 2, 3, 4);
    assert_int_equal(access(vload(1, 0, 1, 0, 32, 4), 0x10, 0), RV_VEC_OK);
    assert_string_equal(memory.log, "L16@10 L4@20 L4@24 L4@28 ");
    expect_words(4, 0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c);
    expect_words(5, 0x23222120, 0x27262524, 0x2b2a2928, 4);
    start(8, 0, 5); /* EEW 16 at SEW 8: EMUL 2 */
    assert_int_equal(access(vload(1, 0, 1, 0, 16, 4), 0x0e, 0), RV_VEC_OK);
    assert_string_equal(memory.log, "L2@0e L4@10 L4@14 ");
    expect_words(4, 0x11100f0e, 0x15141312, 0x00001716, 0);
    assert_int_equal(access(vload(1, 0, 1, 0, 16, 4), 0x01, 0), RV_VEC_OK); /* not aligned: the core's business */
    assert_string_equal(memory.log, "L2@01 L2@03 L2@05 L2@07 L2@09 ");

    start(32, 0, 4);
    set_words(4, 0xa0a1a2a3, 0xb0b1b2b3, 0xc0c1c2c3, 0xd0d1d2d3);
    set_words(0, 0xa, 0, 0, 0);
    assert_int_equal(access(vstore(1, 0, MASKED, 0, 32, 4), 0x40, 0), RV_VEC_OK);
    assert_string_equal(memory.log, "S4@44 S4@4c ");
    assert_int_equal(memory.bytes[0x43], 0x43);
    assert_int_equal(memory.bytes[0x44], 0xb3);
    assert_int_equal(memory.bytes[0x4f], 0xd0);
    vec.vl = 0;
    assert_int_equal(access(vstore(1, 0, 1, 0, 32, 4), 0x40, 0), RV_VEC_OK);
    assert_string_equal(memory.log, "");
}

static void strided_indexed_and_segments(void **unused)
{
    (void)unused;
    fresh_memory();
    start(16, 0, 3);
    assert_int_equal(access(vload(1, 2, 1, 12, 16, 4), 0x20, 0xfffffff8), RV_VEC_OK); /* vlse16.v, stride -8 */
    assert_string_equal(memory.log, "L2@20 L2@18 L2@10 ");
    expect_words(4, 0x19182120, 0x00001110, 0, 0);
    set_words(8, 0x00fe0402, 0, 0, 0);
    assert_int_equal(access(vload(1, 1, 1, 8, 8, 4), 0x00, 0), RV_VEC_OK); /* vluxei8.v: 0xfe is 254, not -2 */
    assert_string_equal(memory.log, "L2@02 L2@04 L2@fe ");
    set_words(8, 0x20, 0x00, 0x10, 0);
    assert_int_equal(access(vstore(1, 3, 1, 8, 32, 4), 0x40, 0), RV_VEC_OK); /* vsoxei32.v */
    assert_string_equal(memory.log, "S2@60 S2@40 S2@50 ");

    start(32, 0, 2);
    assert_int_equal(access(vload(3, 0, 1, 0, 32, 4), 0x80, 0), RV_VEC_OK); /* vlseg3e32.v */
    assert_string_equal(memory.log, "L4@80 L4@84 L4@88 L4@8c L4@90 L4@94 ");
    expect_words(4, 0x83828180, 0x8f8e8d8c, 0, 0);
    expect_words(5, 0x87868584, 0x93929190, 0, 0);
    expect_words(6, 0x8b8a8988, 0x97969594, 0, 0);
    assert_int_equal(access(vstore(2, 2, 1, 12, 32, 4), 0xa0, 16), RV_VEC_OK); /* vssseg2e32.v */
    assert_string_equal(memory.log, "S4@a0 S4@a4 S4@b0 S4@b4 ");
}

static void whole_registers_masks_and_fault_only_first(void **unused)
{
    (void)unused;
    fresh_memory();
    start(32, 0, 4);
    vec.vtype = 0xffffffff;                                                 /* whole registers need no vtype */
    assert_int_equal(access(vload(2, 0, 1, 8, 32, 4), 0x20, 0), RV_VEC_OK); /* vl2re32.v */
    assert_string_equal(memory.log, "L16@20 L16@30 ");
    expect_words(5, 0x33323130, 0x37363534, 0x3b3a3938, 0x3f3e3d3c);
    assert_int_equal(access(vstore(1, 0, 1, 8, 8, 5), 0x00, 0), RV_VEC_OK); /* vs1r.v */
    assert_string_equal(memory.log, "S16@00 ");
    assert_int_equal(access(vload(2, 0, 1, 8, 32, 5), 0x20, 0), RV_VEC_UNDEFINED);

    start(8, 3, 100);
    assert_int_equal(access(vload(1, 0, 1, 0x0b, 8, 4), 0x40, 0), RV_VEC_OK); /* vlm.v: 13 bytes, any register */
    assert_string_equal(memory.log, "L4@40 L4@44 L4@48 L1@4c ");
    assert_int_equal(access(vstore(1, 0, 1, 0x0b, 8, 5), 0x41, 0), RV_VEC_OK); /* vsm.v */

    start(32, 0, 4);
    assert_int_equal(access(vload(1, 0, 1, 0x10, 32, 4), 0x40, 0), RV_VEC_OK); /* vle32ff.v */
    assert_int_equal(vec.vl, 4);
}

static void a_faulting_access_stops(void **unused)
{
    (void)unused;
    fresh_memory();
    memory.fail_from = 0x1048;
    start(32, 0, 4);
    assert_int_equal(access(vload(1, 2, 1, 12, 32, 4), 0x40, 4), RV_VEC_MEMORY_FAULT);
    assert_string_equal(memory.log, "L4@40 L4@44 L4@48 ");
}

static void reserved_memory_operands_are_undefined(void **unused)
{
    (void)unused;
    fresh_memory();
    start(8, 3, 1);
    assert_int_equal(access(vload(1, 0, 1, 0, 16, 0), 0, 0), RV_VEC_UNDEFINED); /* EMUL 16 */
    assert_int_equal(access(vload(2, 0, 1, 0, 8, 0), 0, 0), RV_VEC_UNDEFINED);  /* sixteen registers */
    start(32, 1, 1);
    assert_int_equal(access(vload(1, 0, 1, 0, 32, 3), 0, 0), RV_VEC_UNDEFINED);  /* odd register */
    assert_int_equal(access(vload(4, 0, 1, 0, 32, 26), 0, 0), RV_VEC_UNDEFINED); /* past v31 */
    assert_int_equal(access(vload(1, 0, MASKED, 0, 32, 0), 0, 0), RV_VEC_UNDEFINED);
    assert_int_equal(access(vload(2, 1, 1, 10, 32, 8), 0, 0), RV_VEC_UNDEFINED); /* segments meet the index */
    start(32, 0, 1);
    assert_int_equal(access(vload(1, 1, 1, 8, 8, 8), 0, 0), RV_VEC_UNDEFINED); /* a fractional index in vd */
    assert_int_equal(access(vload(1, 1, 1, 8, 32, 8), 0, 0), RV_VEC_OK);
    assert_int_equal(access(vstore(1, 0, MASKED, 0, 32, 0), 0, 0), RV_VEC_OK); /* storing the mask is fine */
}

/* ---- Micro-ops: cycles per instruction of the public RVV benchmark of T2 ---- */

static void micro_ops(void **unused)
{
    (void)unused;
    static const struct {
        const char *name;
        uint8_t funct6, form, vs1;
        uint16_t e8mf2, e8m1, e8m2, e16m1, e32m1, e32m2, e32m4; /* 0: no such */
    } rows[] = {
        {"vadd.vv", 0x00, IVV, 12, 1, 1, 2, 1, 1, 2, 4},
        {"vmul.vv", 0x25, MVV, 12, 1, 1, 2, 1, 1, 2, 4},
        {"vmseq.vv", 0x18, IVV, 12, 1, 1, 2, 1, 1, 2, 4},
        {"vmand.mm", 0x19, MVV, 12, 1, 1, 2, 1, 1, 2, 4},
        {"vcpop.m", 0x10, MVV, 16, 1, 1, 2, 1, 1, 2, 4},
        {"vmv.x.s", 0x10, MVV, 0, 1, 1, 1, 1, 1, 1, 1},
        {"vmv2r.v", 0x27, IVI, 1, 2, 2, 2, 2, 2, 2, 2},
        {"vwadd.vv", 0x31, MVV, 12, 1, 2, 4, 2, 0, 0, 0},
        {"vnsrl.wi", 0x2c, IVI, 12, 1, 2, 4, 2, 0, 0, 0},
        {"vrgather.vv", 0x0c, IVV, 12, 32, 32, 64, 16, 8, 16, 32},
        {"vslideup.vi", 0x0e, IVI, 3, 32, 32, 64, 16, 8, 16, 32},
        {"vcompress.vm", 0x17, MVV, 12, 32, 32, 64, 16, 8, 16, 32},
        {"vredsum.vs", 0x00, MVV, 12, 32, 32, 64, 16, 8, 16, 32},
        {"vredmaxu.vs", 0x06, MVV, 12, 32, 32, 64, 16, 8, 16, 32},
        {"vredmin.vs", 0x05, MVV, 12, 16, 16, 32, 8, 4, 8, 16},
        {"vwredsum.vs", 0x31, IVV, 12, 32, 32, 64, 16, 0, 0, 0},
        {"vzext.vf2", 0x12, MVV, 6, 0, 0, 0, 16, 8, 16, 32},
        {"vfadd.vv", 0x00, FVV, 12, 0, 0, 0, 0, 1, 2, 4},
        {"vfredosum.vs", 0x03, FVV, 12, 0, 0, 0, 0, 8, 16, 32},
        {"vfredmax.vs", 0x07, FVV, 12, 0, 0, 0, 0, 4, 8, 16},
        {"vfslide1up.vf", 0x0e, FVF, 12, 0, 0, 0, 0, 8, 16, 32},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const struct {
            unsigned sew;
            int lmul_log2;
        } columns[7] = {{8, -1}, {8, 0}, {8, 1}, {16, 0}, {32, 0}, {32, 1}, {32, 2}};
        uint16_t want[7] = {rows[i].e8mf2, rows[i].e8m1,  rows[i].e8m2, rows[i].e16m1,
                            rows[i].e32m1, rows[i].e32m2, rows[i].e32m4};
        for (unsigned c = 0; c < 7; c++) {
            start(columns[c].sew, columns[c].lmul_log2, 1); /* vl does not matter */
            uint32_t word = op_v(rows[i].funct6, rows[i].form, 1, 4, 8, rows[i].vs1);
            assert_true(rv_vec_inspect(word).valid);
            if (want[c] && rv_vec_micro_ops(&vec, word) != want[c]) {
                fail_msg("%s column %u: %u, want %u", rows[i].name, c, rv_vec_micro_ops(&vec, word), want[c]);
            }
        }
    }
    start(8, 0, 16);
    assert_int_equal(rv_vec_micro_ops(&vec, vload(1, 0, 1, 0, 32, 4)), 4);
    assert_int_equal(rv_vec_micro_ops(&vec, vload(1, 2, 1, 12, 8, 4)), 16);
    assert_int_equal(rv_vec_micro_ops(&vec, vload(8, 0, 1, 8, 8, 8)), 8);
    assert_int_equal(rv_vec_micro_ops(&vec, vsetvli(10, 11, 0)), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_words_exist),
        cmocka_unit_test(excluded_instructions),
        cmocka_unit_test(use_of_registers),
        cmocka_unit_test(vsetvli_takes_the_smaller_of_avl_and_vlmax),
        cmocka_unit_test(vsetvli_with_an_unsupported_vtype_is_undefined),
        cmocka_unit_test(element_operations),
        cmocka_unit_test(widening_and_narrowing),
        cmocka_unit_test(fixed_point_rounding_modes),
        cmocka_unit_test(vxsat_is_sticky_and_only_set_by_active_elements),
        cmocka_unit_test(compares_write_bits),
        cmocka_unit_test(carries),
        cmocka_unit_test(masked_off_and_tail_elements_stay),
        cmocka_unit_test(merges_and_moves),
        cmocka_unit_test(reductions),
        cmocka_unit_test(mask_instructions),
        cmocka_unit_test(permutations),
        cmocka_unit_test(conversions),
        cmocka_unit_test(overlaps_that_are_legal),
        cmocka_unit_test(reserved_operands_are_undefined),
        cmocka_unit_test(unit_stride),
        cmocka_unit_test(strided_indexed_and_segments),
        cmocka_unit_test(whole_registers_masks_and_fault_only_first),
        cmocka_unit_test(a_faulting_access_stops),
        cmocka_unit_test(reserved_memory_operands_are_undefined),
        cmocka_unit_test(micro_ops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

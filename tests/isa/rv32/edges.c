/* SPDX-License-Identifier: Apache-2.0 */
/* Every register-register, register-immediate and unary instruction of RV32IM, Zba, Zbb, pack, brev8 and grevi on
 * all pairs of edge values, against a model that is a line of C each.  One tile per instruction; TAP output. */
#include "../../support/chip.h"

#define EDGES                                                                                                          \
    {                                                                                                                  \
        0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, \
            0x55555555, 0xaaaaaaaa, 0x7ffffffe, 0x7fffffff, 0x80000000, 0x80000001, 0xdeadbeef, 0xfffff800,            \
            0xffff8000, 0xfffffffe, 0xffffffff                                                                         \
    }
static const uint32_t edge[] = EDGES;
static const int32_t immediate_edge[] = {-2048, -2047, -1024, -256, -33, -2,  -1,    0,    1,    2,    3,
                                         7,     31,    32,    127,  128, 255, 0x555, 1023, 1024, 2046, 2047};
enum {
    EDGE_COUNT = sizeof edge / sizeof *edge,
    IMMEDIATE_COUNT = sizeof immediate_edge / sizeof *immediate_edge,
    PROGRAM = 0x1000,
    TABLE = 0x20000,   /* the edge values */
    RESULTS = 0x21000, /* rows of EDGE_COUNT words */
    DONE = 0x20ffc
};

/* ---- The models ---------------------------------------------------------------------------- */

#define MODEL(id, ...)                                                                                                 \
    static uint32_t model_##id(uint32_t a, uint32_t b)                                                                 \
    {                                                                                                                  \
        (void)b;                                                                                                       \
        __VA_ARGS__                                                                                                    \
    }
static int32_t s(uint32_t v)
{
    return (int32_t)v;
}
static uint32_t rotate_right(uint32_t a, uint32_t n)
{
    return n & 31 ? a >> (n & 31) | a << (32 - (n & 31)) : a;
}
/* The draft's definition, bit by bit: bit i of the result is bit i ^ n of the operand. */
static uint32_t reverse(uint32_t a, uint32_t n)
{
    uint32_t r = 0;
    for (uint32_t i = 0; i < 32; i++) {
        r |= (a >> (i ^ n) & 1) << i;
    }
    return r;
}

MODEL(add, return a + b;)
MODEL(sub, return a - b;)
MODEL(sll, return a << (b & 31);)
MODEL(slt, return s(a) < s(b);)
MODEL(sltu, return a < b;)
MODEL(xor, return a ^ b;)
MODEL(srl, return a >> (b & 31);)
MODEL(sra, return (uint32_t)((int64_t)s(a) >> (b & 31));)
MODEL(or, return a | b;)
MODEL(and, return a & b;)
MODEL(mul, return (uint32_t)((uint64_t)a * b);)
MODEL(mulh, return (uint32_t)((uint64_t)((int64_t)s(a) * s(b)) >> 32);)
MODEL(mulhsu, return (uint32_t)((uint64_t)((int64_t)s(a) * (int64_t)b) >> 32);)
MODEL(mulhu, return (uint32_t)((uint64_t)a * b >> 32);)
MODEL(div, return b == 0 ? UINT32_MAX : (uint32_t)((int64_t)s(a) / s(b));)
MODEL(divu, return b == 0 ? UINT32_MAX : a / b;)
MODEL(rem, return b == 0 ? a : (uint32_t)((int64_t)s(a) % s(b));)
MODEL(remu, return b == 0 ? a : a % b;)
MODEL(sh1add, return b + a * 2;)
MODEL(sh2add, return b + a * 4;)
MODEL(sh3add, return b + a * 8;)
MODEL(andn, return a & ~b;)
MODEL(orn, return a | ~b;)
MODEL(xnor, return ~(a ^ b);)
MODEL(min, return s(a) < s(b) ? a : b;)
MODEL(minu, return a < b ? a : b;)
MODEL(max, return s(a) < s(b) ? b : a;)
MODEL(maxu, return a < b ? b : a;)
MODEL(rol, return rotate_right(a, 32 - (b & 31));)
MODEL(ror, return rotate_right(a, b);)
MODEL(pack, return (a & 0xffff) | b << 16;)
MODEL(clz, uint32_t n = 0; while (n < 32 && !(a >> (31 - n) & 1)) n++; return n;)
MODEL(ctz, uint32_t n = 0; while (n < 32 && !(a >> n & 1)) n++; return n;)
MODEL(cpop, uint32_t n = 0; for (; a; a >>= 1) n += a & 1; return n;)
MODEL(sext_b, return (uint32_t)(int32_t)(int8_t)(uint8_t)a;)
MODEL(sext_h, return (uint32_t)(int32_t)(int16_t)(uint16_t)a;)
MODEL(zext_h, return a & 0xffff;)
MODEL(orc_b, uint32_t r = 0; for (int i = 0; i < 32; i += 8) r |= a >> i & 0xff ? 0xffu << i : 0; return r;)
MODEL(rev8, return reverse(a, 24);)
MODEL(brev8, return reverse(a, 7);)
MODEL(grevi, return reverse(a, b);)

typedef struct subject {
    const char *name;
    enum rv_format format;
    uint32_t word; /* all operands zero */
    uint32_t (*model)(uint32_t a, uint32_t b);
} subject;

/* Rows of results: one per second operand (RV_R), immediate (RV_I), shift count (RV_SH), or just one (RV_U1). */
static uint32_t rows_of(const subject *in)
{
    return in->format == RV_R ? EDGE_COUNT : in->format == RV_I ? IMMEDIATE_COUNT : in->format == RV_SH ? 32 : 1;
}
static uint32_t operand_of(const subject *in, uint32_t row)
{
    return in->format == RV_R ? edge[row] : in->format == RV_I ? (uint32_t)immediate_edge[row] : row;
}

/* For each row a loop over the edge values: t2 = op(t0 = edge, t1 = operand), stored. */
static rvasm *make_program(const subject *in)
{
    rvasm *a = rva_new(PROGRAM);
    rva_li(a, S1, RESULTS);
    for (uint32_t row = 0; row < rows_of(in); row++) {
        rva_li(a, S0, TABLE);
        rva_li(a, S2, TABLE + EDGE_COUNT * 4);
        rva_li(a, T1, operand_of(in, row));
        uint32_t loop = rva_here(a);
        rva(a, rv_lw(T0, 0, S0));
        switch (in->format) {
        case RV_R: rva(a, rv_word_R(in->word, T2, T0, T1)); break;
        case RV_I: rva(a, rv_word_I(in->word, T2, T0, immediate_edge[row])); break;
        case RV_SH: rva(a, rv_word_R(in->word, T2, T0, row)); break;
        default: rva(a, rv_word_R(in->word, T2, T0, 0));
        }
        rva(a, rv_sw(T2, 0, S1));
        rva(a, rv_addi(S0, S0, 4));
        rva(a, rv_addi(S1, S1, 4));
        rva(a, rv_bne(S0, S2, rva_to(a, loop)));
    }
    rva(a, rv_addi(T0, X0, 1));
    rva_li(a, T1, DONE);
    rva(a, rv_sw(T0, 0, T1));
    rva_end(a);
    return a;
}

static bool check(const kerr_chip *chip, kerr_xy at, const subject *in)
{
    unsigned wrong = 0;
    for (uint32_t row = 0; row < rows_of(in); row++) {
        uint32_t got[EDGE_COUNT];
        MUST(chip, kerr_peek(chip, at, RESULTS + row * sizeof got, got, sizeof got));
        for (uint32_t i = 0; i < EDGE_COUNT; i++) {
            uint32_t want = in->model(edge[i], operand_of(in, row));
            if (got[i] != want && wrong++ < 5) {
                printf("# %s(0x%" PRIx32 ", 0x%" PRIx32 "): got 0x%" PRIx32 ", want 0x%" PRIx32 "\n", in->name, edge[i],
                       operand_of(in, row), got[i], want);
            }
        }
    }
    return wrong == 0;
}

int main(void)
{
    /* clang-format off */
#define R(id) {#id, RV_R, rv_##id(0, 0, 0), model_##id}
#define I(id, like) {#id, RV_I, rv_##id(0, 0, 0), model_##like}
#define SH(id, like) {#id, RV_SH, rv_##id(0, 0, 0), model_##like}
#define U1(id) {#id, RV_U1, rv_##id(0, 0), model_##id}
    const subject subjects[] = {
        R(add), R(sub), R(sll), R(slt), R(sltu), R(xor), R(srl), R(sra), R(or), R(and),
        R(mul), R(mulh), R(mulhsu), R(mulhu), R(div), R(divu), R(rem), R(remu),
        R(sh1add), R(sh2add), R(sh3add), R(andn), R(orn), R(xnor), R(min), R(minu), R(max), R(maxu), R(rol), R(ror),
        R(pack),
        I(addi, add), I(slti, slt), I(sltiu, sltu), I(xori, xor), I(ori, or), I(andi, and),
        SH(slli, sll), SH(srli, srl), SH(srai, sra), SH(rori, ror), SH(grevi, grevi),
        U1(clz), U1(ctz), U1(cpop), U1(sext_b), U1(sext_h), U1(zext_h), U1(orc_b), U1(rev8), U1(brev8),
    };
    /* clang-format on */
    enum { COUNT = sizeof subjects / sizeof *subjects };
    _Static_assert((int)COUNT <= (int)KERR_TENSIX_TILES, "one tile each");
    kerr_chip *chip = chip_new_one_thread();
    for (uint32_t i = 0; i < COUNT; i++) {
        kerr_xy at = kerr_tensix_xy(i);
        rvasm *a = make_program(&subjects[i]);
        MUST(chip, kerr_poke(chip, at, TABLE, edge, sizeof edge));
        chip_start(chip, at, (kerr_core)(i % KERR_CORE_COUNT), a);
        free(a);
    }
    unsigned failed = 0;
    printf("1..%d\n", (int)COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        kerr_xy at = kerr_tensix_xy(i);
        chip_run_until_word(chip, at, DONE, 1, 1000000);
        bool good = check(chip, at, &subjects[i]);
        failed += !good;
        printf("%s %" PRIu32 " - %s on all edge values\n", good ? "ok" : "not ok", i + 1, subjects[i].name);
    }
    kerr_destroy(chip);
    return failed != 0;
}

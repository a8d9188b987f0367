/* SPDX-License-Identifier: Apache-2.0 */
#include "matrix_ref.h"

#include "../support/rvasm.h"
#include "../support/ttasm.h"
#include "cfg_fields.h"

enum { X = 1, Y = 2, SCRIPT = 0x20000, L1_A = 0x60000, L1_B = 0x62000, L1_DST = 0x70000, L1_OUT = 0x80000 };
enum { DONE = 0xF000, MARK = 0x600D, STEPS = 8192, CLOCKS = 2000, ROUNDS = 400, SETTLE = 3000 };
#define CFG_BASE UINT32_C(0xFFEF0000)
#define PUSH UINT32_C(0xFFE40000)

typedef struct script {
    unsigned count;
    uint32_t step[STEPS][2];
} script;

static void set(script *s, uint32_t address, uint32_t value)
{
    if (s->count == STEPS - 1)
        abort();
    s->step[s->count][0] = address;
    s->step[s->count++][1] = value;
}
static void cfg(script *s, unsigned word, uint32_t value)
{
    set(s, CFG_BASE + 4 * word, value);
}
static void push(script *s, uint32_t opcode, uint32_t fields)
{
    set(s, PUSH, opcode << 24 | fields);
}
static void setc16(script *s, unsigned index, uint32_t value)
{
    push(s, TT_SETC16, index << 16 | value);
}
/* A word of Config, in order with the instructions around it. */
static void rmw(script *s, unsigned word, uint32_t mask, uint32_t value)
{
    for (unsigned i = 0; i < 4; i++)
        if (mask >> 8 * i & 0xFF)
            push(s, TT_RMWCIB0 + i, (mask >> 8 * i & 0xFF) << 16 | (value >> 8 * i & 0xFF) << 8 | word);
}
#define RMW(s, NAME, value) rmw(s, NAME##_ADDR32, NAME##_MASK, (uint32_t)(value) << NAME##_SHAMT)

static void interpreter(rvasm *a)
{
    rva_li(a, T0, SCRIPT);
    const uint32_t loop = rva_here(a);
    rva(a, rv_lw(A0, 0, T0));
    rva(a, rv_lw(A1, 4, T0));
    rva(a, rv_addi(T0, T0, 8));
    const size_t end = rva_later(a, rv_beq(A0, X0, 0));
    rva(a, rv_sw(A1, 0, A0));
    rva(a, rv_fence());
    rva(a, rv_j(rva_to(a, loop)));
    rva_land(a, end);
    rva_li(a, A2, SETTLE);
    const uint32_t wait = rva_here(a);
    rva(a, rv_addi(A2, A2, -1));
    rva(a, rv_bne(A2, X0, rva_to(a, wait)));
    rva_li(a, A0, DONE);
    rva_li(a, A1, MARK);
    rva(a, rv_sw(A1, 0, A0));
    rva_end(a);
}

bool mref_start(struct mref *ref, const char *library)
{
    memset(ref, 0, sizeof *ref);
    if (!simlib_open(&ref->sim, library))
        return false;
    simlib_start(&ref->sim);
    simlib_write32(&ref->sim, X, Y, SIM_SOFT_RESET, SIM_RESET_ALL);
    rvasm *a = rva_new(0);
    interpreter(a);
    simlib_write(&ref->sim, X, Y, 0, a->word, (uint32_t)a->count * 4);
    free(a);
    return true;
}

/* ---- What is the same for all batches ---- */

enum {
    OP_UNPACR = 0x42,
    OP_PACR = 0x41,
    UNPACR_U1 = 1 << 23,
    UNPACR_MULTI = 1 << 7,
    UNPACR_FLIP = 1 << 6,
    UNPACR_LAST = 1
};
enum { PK = 1 << 23, U1 = 1 << 22, U0 = 1 << 21 };

static void configure(script *s)
{
    cfg(s, 18, PCK_DEST_RD_CTRL_Read_32b_data_MASK);
    cfg(s, 12, 4 | 64 << 16); /* packer: bytes a column, a row */
    cfg(s, 13, 0);
    cfg(s, 24, 0xFFFF); /* edge mask 0 */
    cfg(s, 28, 16 << 8);
    cfg(s, 69, L1_OUT / 16 - 1);
    cfg(s, 70, 1 | FMT_INT32 << 4 | FMT_INT32 << 8);
    cfg(s, 57, 4096); /* unpacker 0: bytes of Dst a step of Z */
    cfg(s, 65, 1 | 1 << 16);
    cfg(s, 113, 1 | 1 << 16);
    cfg(s, 73, 1); /* uncompressed */
    cfg(s, 121, 1);
    cfg(s, 84, 4 * 16); /* output address: rows 0 to 3 of what is counted do not exist */
    cfg(s, 86, 1024);   /* XDim of context 0 */
    cfg(s, 124, L1_B / 16 - 1);
}

static void common(script *s, bool implied)
{
    setc16(s, DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32, !implied);
    setc16(s, DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32, !implied);
    setc16(s, UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    setc16(s, 1, 0);  /* DEST_TARGET_REG_CFG_MATH_Offset */
    setc16(s, 37, 4); /* ADDR_MOD_PACK_SEC0: Y by 4 */
    push(s, TT_SETADCXY, U0 | U1 | PK | 15);
    push(s, TT_SETADCZW, U0 | U1 | PK | 15);
    push(s, TT_SETADCXX, U0 | U1 | 1023u << 10);
    push(s, TT_SETADCXX, PK | 15u << 10);
}

static void unpack(script *s, unsigned which, unsigned in, unsigned out, unsigned l1, bool to_dst)
{
    if (which == 0) {
        rmw(s, 64, 0xFFFF001F, 1024u << 16 | 16 | in);
        rmw(s, 72, 0xF, out);
        rmw(s, 73, 0x10, to_dst ? 0x10 : 0);
        rmw(s, 76, 0xFFFFF, l1 / 16 - 1);
        setc16(s, SRCA_SET_Base_ADDR32, to_dst ? 0 : SRCA_SET_SetOvrdWithAddr_MASK);
    } else {
        rmw(s, 112, 0xFFFF001F, 1024u << 16 | 16 | in);
        rmw(s, 120, 0xF, out);
    }
}

/* TF32 is unpacked from FP32; in other cells the exponent has five bits, and they come from FP16. */
static bool in_eight_bits(unsigned format)
{
    return format != FMT_FP16 && format != FMT_FP8 && format != FMT_INT8;
}
static unsigned source(const struct mref_batch *b, bool is_a, uint8_t *bytes)
{
    const uint32_t(*cells)[16] = is_a ? b->a : b->b;
    for (unsigned i = 0; i < 1024; i++) {
        const uint32_t cell = cells[i / 16][i % 16];
        if (in_eight_bits(is_a ? b->a_format : b->b_format)) {
            const uint32_t word = cell >> 18 << 31 | (cell & 0xFF) << 23 | (cell >> 8 & 0x3FF) << 13;
            memcpy(bytes + 4 * i, &word, 4);
        } else {
            const uint16_t half = (uint16_t)(cell >> 18 << 15 | (cell & 0x1F) << 10 | (cell >> 8 & 0x3FF));
            memcpy(bytes + 2 * i, &half, 2);
        }
    }
    return in_eight_bits(is_a ? b->a_format : b->b_format) ? 4096 : 2048;
}

static uint32_t swapped_from_dst(uint32_t x)
{
    return (x & 0x8000FFFF) | (x & 0x7F000000) >> 8 | (x & 0x00FF0000) << 7;
}
static uint32_t swapped_to_dst(uint32_t x)
{
    return (x & 0x8000FFFF) | (x & 0x7F800000) >> 7 | (x & 0x007F0000) << 8;
}

static void operations(script *s, const struct mref_batch *b)
{
    push(s, TT_SETRWC, 0xF);
    unsigned a_row = 0, b_row = 0, phase = 0;
    for (unsigned i = 0; i <= b->ops; i++) { /* the one at `ops` only moves the counters back */
        const unsigned next_a = i < b->ops ? b->op[i].a_row : 0, next_b = i < b->ops ? b->op[i].b_row : 0;
        const unsigned next_phase = i < b->ops ? b->op[i].phase : 0;
        /* The instruction before moves the counters to where this one wants them. */
        setc16(s, ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32,
               ((next_a - a_row) & 63) << ADDR_MOD_AB_SEC0_SrcAIncr_SHAMT | ((next_b - b_row) & 63)
                                                                                << ADDR_MOD_AB_SEC0_SrcBIncr_SHAMT);
        setc16(s, ADDR_MOD_DST_SEC0_DestIncr_ADDR32,
               ((next_phase - phase) & 3) << ADDR_MOD_DST_SEC0_FidelityIncr_SHAMT);
        if (i > 0)
            set(s, PUSH, b->op[i - 1].word);
        else
            while (a_row != next_a || b_row != next_b) { /* the first: by INCRWC */
                const unsigned by_a = (next_a - a_row) & 63, by_b = (next_b - b_row) & 63;
                const unsigned inc_a = by_a > 8 ? 8 : by_a, inc_b = by_b > 8 ? 8 : by_b;
                push(s, TT_INCRWC, inc_b << 10 | inc_a << 6);
                a_row += inc_a;
                b_row += inc_b;
            }
        if (i == 0 && next_phase)
            abort(); /* the phase cannot be set, only cleared and stepped */
        a_row = next_a;
        b_row = next_b;
        phase = next_phase;
    }
}

bool mref_run(struct mref *ref, struct mref_batch *b)
{
    static script s;
    static uint8_t bytes[4096];
    static uint32_t words[MREF_ROWS][16];
    struct simlib *sim = &ref->sim;
    memset(&s, 0, sizeof s);
    configure(&s);
    const uint32_t a_format = b->implied ? FMT_BF16 : b->a_format, b_format = b->implied ? FMT_BF16 : b->b_format;
    cfg(&s, 1,
        a_format << ALU_FORMAT_SPEC_REG0_SrcA_SHAMT | b_format << ALU_FORMAT_SPEC_REG1_SrcB_SHAMT |
            (uint32_t)FMT_INT32 << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT | (b->dst32 ? ALU_ACC_CTRL_Fp32_enabled_MASK : 0) |
            (b->int8 ? ALU_ACC_CTRL_INT8_math_enabled_MASK : 0));
    cfg(&s, 2, b->keep_zero ? ALU_ACC_CTRL_Zero_Flag_disabled_src_MASK : 0);
    common(&s, b->implied);
    unpack(&s, 0, FMT_INT32, FMT_INT32, L1_DST, true);
    for (unsigned i = 0; i < 8; i++)
        push(&s, OP_UNPACR, 1u << 19 | 1u << 15 | UNPACR_MULTI | UNPACR_LAST);
    push(&s, TT_SETADCZW, U0 | 15);
    const bool a8 = in_eight_bits(b->a_format), b8 = in_eight_bits(b->b_format);
    unpack(&s, 0, a8 ? FMT_FP32 : FMT_FP16, a8 ? FMT_TF32 : FMT_FP16, L1_A, false);
    push(&s, OP_UNPACR, UNPACR_MULTI | UNPACR_FLIP | UNPACR_LAST);
    unpack(&s, 1, b8 ? FMT_FP32 : FMT_FP16, b8 ? FMT_TF32 : FMT_FP16, L1_B, false);
    push(&s, OP_UNPACR, UNPACR_U1 | UNPACR_MULTI | UNPACR_FLIP | UNPACR_LAST);
    operations(&s, b);
    push(&s, TT_SETRWC, 3u << 22 | 0xF);
    for (unsigned i = 0; i < MREF_ROWS / 4; i++)
        push(&s, OP_PACR, i + 1 == MREF_ROWS / 4 ? 1 : 0);

    simlib_write(sim, X, Y, L1_A, bytes, source(b, true, bytes));
    simlib_write(sim, X, Y, L1_B, bytes, source(b, false, bytes));
    for (unsigned i = 0; i < MREF_ROWS * 16; i++)
        words[i / 16][i % 16] = swapped_from_dst(b->dst[i / 16][i % 16]);
    simlib_write(sim, X, Y, L1_DST, words, sizeof words);
    simlib_write(sim, X, Y, SCRIPT, s.step, 8 * (s.count + 1));
    simlib_write32(sim, X, Y, DONE, 0);
    simlib_write32(sim, X, Y, SIM_SOFT_RESET, SIM_RESET_ALL & ~sim_reset_bit[0]);
    bool done = false;
    for (unsigned i = 0; i < ROUNDS && !done; i++) {
        sim->clock(CLOCKS);
        done = simlib_read32(sim, X, Y, DONE) == MARK;
    }
    simlib_write32(sim, X, Y, SIM_SOFT_RESET, SIM_RESET_ALL);
    sim->clock(10);
    simlib_read(sim, X, Y, L1_OUT, words, sizeof words);
    for (unsigned i = 0; i < MREF_ROWS * 16; i++)
        b->dst[i / 16][i % 16] = swapped_to_dst(words[i / 16][i % 16]);
    ref->batches++;
    return done;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A macro assembler for RV32 test programs, written from the RISC-V manuals and on purpose not from isa/rv32.isa:
 * a wrong row there must not hide itself here.
 *
 * One table gives an encoder per instruction (rv_add(rd, rs1, rs2), ...) and the names the .t runner looks up.
 * A program is an rvasm: words at a base address, with backward labels (rva_here) and forward ones
 * (rva_later, rva_land). */
#ifndef KERR_TESTS_RVASM_H
#define KERR_TESTS_RVASM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
enum rv_reg {
    X0, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7, S2, S3, S4, S5, S6, S7, S8, S9, S10, S11,
    T3, T4, T5, T6
};

enum rv_csr {
    CSR_fcsr = 0x003, CSR_vstart = 0x008, CSR_vxsat = 0x009, CSR_vxrm = 0x00a,
    CSR_mstatus = 0x300, CSR_misa = 0x301, CSR_mcountinhibit = 0x320, CSR_mhpmevent3 = 0x323, CSR_mhpmevent4 = 0x324,
    CSR_cfg0 = 0x7c0, CSR_pmacfg0 = 0x7c1, CSR_pmacfg1 = 0x7c2, CSR_cfg1 = 0x7c3, CSR_hwa_mask = 0x7c4,
    CSR_hwa_cfg = 0x7c5, CSR_vgsrc = 0x7c6,
    CSR_mcycle = 0xb00, CSR_minstret = 0xb02, CSR_mhpmcounter3 = 0xb03, CSR_mhpmcounter4 = 0xb04,
    CSR_mcycleh = 0xb80, CSR_minstreth = 0xb82, CSR_mhpmcounter3h = 0xb83, CSR_mhpmcounter4h = 0xb84,
    CSR_tt_cfg_qstatus = 0xbc0, CSR_tt_cfg_bstatus = 0xbc1,
    CSR_tt_cfg_sstatus0 = 0xbc2, CSR_tt_cfg_sstatus1 = 0xbc3, CSR_tt_cfg_sstatus2 = 0xbc4, CSR_tt_cfg_sstatus3 = 0xbc5,
    CSR_tt_cfg_sstatus4 = 0xbc6, CSR_tt_cfg_sstatus5 = 0xbc7, CSR_tt_cfg_sstatus6 = 0xbc8, CSR_tt_cfg_sstatus7 = 0xbc9,
    CSR_intp_restore_pc = 0xbca, CSR_cycle = 0xc00, CSR_instret = 0xc02, CSR_vl = 0xc20, CSR_vtype = 0xc21,
    CSR_vlenb = 0xc22, CSR_cycleh = 0xc80, CSR_instreth = 0xc82, CSR_mhartid = 0xf14
};

/* cfg0 bits that tests switch (manual BabyRISCV/CSRs). */
enum {
    CFG0_DisLdBufByp = 1 << 0, CFG0_DisBp = 1 << 1, CFG0_DisLowCash = 1 << 3, CFG0_DisCsrSync = 1 << 10,
    CFG0_DisStMerge = 1 << 12, CFG0_DisTriscCache = 1 << 18, CFG0_DisLowCachePeriodicFlush = 1 << 24,
    CFG0_reset = 16 << 13,                                            /* StMergeTimer = 16 */
    CFG0_firmware = CFG0_reset | CFG0_DisLowCash | CFG0_DisTriscCache /* 0x60008: what tt-metal's start-up leaves */
};

/* Operand shapes; the comment is how the text form is written. */
enum rv_format {
    RV_R,    /* rd, rs1, rs2 */
    RV_I,    /* rd, rs1, imm */
    RV_SH,   /* rd, rs1, shamt */
    RV_U1,   /* rd, rs1 */
    RV_L,    /* rd, imm(rs1) */
    RV_S,    /* rs2, imm(rs1) */
    RV_B,    /* rs1, rs2, offset from this instruction */
    RV_U,    /* rd, imm20 */
    RV_J,    /* rd, offset from this instruction */
    RV_A,    /* rd, rs2, (rs1) */
    RV_C,    /* rd, csr, rs1 */
    RV_CI,   /* rd, csr, zimm */
    RV_N     /* nothing */
};

/* X(identifier, text name, format, word with all operands zero) */
#define RV_INSTRUCTIONS(X)                                                                                             \
    X(lui, "lui", RV_U, 0x00000037)          X(auipc, "auipc", RV_U, 0x00000017)                                       \
    X(jal, "jal", RV_J, 0x0000006f)          X(jalr, "jalr", RV_L, 0x00000067)                                         \
    X(beq, "beq", RV_B, 0x00000063)          X(bne, "bne", RV_B, 0x00001063)                                           \
    X(blt, "blt", RV_B, 0x00004063)          X(bge, "bge", RV_B, 0x00005063)                                           \
    X(bltu, "bltu", RV_B, 0x00006063)        X(bgeu, "bgeu", RV_B, 0x00007063)                                         \
    X(lb, "lb", RV_L, 0x00000003)            X(lh, "lh", RV_L, 0x00001003)                                             \
    X(lw, "lw", RV_L, 0x00002003)            X(lbu, "lbu", RV_L, 0x00004003)                                           \
    X(lhu, "lhu", RV_L, 0x00005003)          X(sb, "sb", RV_S, 0x00000023)                                             \
    X(sh, "sh", RV_S, 0x00001023)            X(sw, "sw", RV_S, 0x00002023)                                             \
    X(addi, "addi", RV_I, 0x00000013)        X(slti, "slti", RV_I, 0x00002013)                                         \
    X(sltiu, "sltiu", RV_I, 0x00003013)      X(xori, "xori", RV_I, 0x00004013)                                         \
    X(ori, "ori", RV_I, 0x00006013)          X(andi, "andi", RV_I, 0x00007013)                                         \
    X(slli, "slli", RV_SH, 0x00001013)       X(srli, "srli", RV_SH, 0x00005013)                                        \
    X(srai, "srai", RV_SH, 0x40005013)                                                                                 \
    X(add, "add", RV_R, 0x00000033)          X(sub, "sub", RV_R, 0x40000033)                                           \
    X(sll, "sll", RV_R, 0x00001033)          X(slt, "slt", RV_R, 0x00002033)                                           \
    X(sltu, "sltu", RV_R, 0x00003033)        X(xor, "xor", RV_R, 0x00004033)                                           \
    X(srl, "srl", RV_R, 0x00005033)          X(sra, "sra", RV_R, 0x40005033)                                           \
    X(or, "or", RV_R, 0x00006033)            X(and, "and", RV_R, 0x00007033)                                           \
    X(fence, "fence", RV_N, 0x0ff0000f)      X(fence_i, "fence.i", RV_N, 0x0000100f)                                   \
    X(ecall, "ecall", RV_N, 0x00000073)      X(ebreak, "ebreak", RV_N, 0x00100073)                                     \
    X(mret, "mret", RV_N, 0x30200073)                                                                                  \
    X(csrrw, "csrrw", RV_C, 0x00001073)      X(csrrs, "csrrs", RV_C, 0x00002073)                                       \
    X(csrrc, "csrrc", RV_C, 0x00003073)      X(csrrwi, "csrrwi", RV_CI, 0x00005073)                                    \
    X(csrrsi, "csrrsi", RV_CI, 0x00006073)   X(csrrci, "csrrci", RV_CI, 0x00007073)                                    \
    X(mul, "mul", RV_R, 0x02000033)          X(mulh, "mulh", RV_R, 0x02001033)                                         \
    X(mulhsu, "mulhsu", RV_R, 0x02002033)    X(mulhu, "mulhu", RV_R, 0x02003033)                                       \
    X(div, "div", RV_R, 0x02004033)          X(divu, "divu", RV_R, 0x02005033)                                         \
    X(rem, "rem", RV_R, 0x02006033)          X(remu, "remu", RV_R, 0x02007033)                                         \
    X(amoadd_w, "amoadd.w", RV_A, 0x0000202f)   X(amoswap_w, "amoswap.w", RV_A, 0x0800202f)                            \
    X(amoxor_w, "amoxor.w", RV_A, 0x2000202f)   X(amoor_w, "amoor.w", RV_A, 0x4000202f)                                \
    X(amoand_w, "amoand.w", RV_A, 0x6000202f)   X(amomin_w, "amomin.w", RV_A, 0x8000202f)                              \
    X(amomax_w, "amomax.w", RV_A, 0xa000202f)   X(amominu_w, "amominu.w", RV_A, 0xc000202f)                            \
    X(amomaxu_w, "amomaxu.w", RV_A, 0xe000202f)                                                                        \
    X(sh1add, "sh1add", RV_R, 0x20002033)    X(sh2add, "sh2add", RV_R, 0x20004033)                                     \
    X(sh3add, "sh3add", RV_R, 0x20006033)                                                                              \
    X(andn, "andn", RV_R, 0x40007033)        X(orn, "orn", RV_R, 0x40006033)                                           \
    X(xnor, "xnor", RV_R, 0x40004033)        X(clz, "clz", RV_U1, 0x60001013)                                          \
    X(ctz, "ctz", RV_U1, 0x60101013)         X(cpop, "cpop", RV_U1, 0x60201013)                                        \
    X(sext_b, "sext.b", RV_U1, 0x60401013)   X(sext_h, "sext.h", RV_U1, 0x60501013)                                    \
    X(zext_h, "zext.h", RV_U1, 0x08004033)   X(min, "min", RV_R, 0x0a004033)                                           \
    X(minu, "minu", RV_R, 0x0a005033)        X(max, "max", RV_R, 0x0a006033)                                           \
    X(maxu, "maxu", RV_R, 0x0a007033)        X(rol, "rol", RV_R, 0x60001033)                                           \
    X(ror, "ror", RV_R, 0x60005033)          X(rori, "rori", RV_SH, 0x60005013)                                        \
    X(orc_b, "orc.b", RV_U1, 0x28705013)     X(rev8, "rev8", RV_U1, 0x69805013)                                        \
    X(pack, "pack", RV_R, 0x08004033)        X(brev8, "brev8", RV_U1, 0x68705013)                                      \
    X(grevi, "grevi", RV_SH, 0x68005013)

/* clang-format on */

static inline uint32_t rv_word_R(uint32_t base, unsigned rd, unsigned rs1, unsigned rs2)
{
    return base | (rd & 31) << 7 | (rs1 & 31) << 15 | (rs2 & 31) << 20;
}
static inline uint32_t rv_word_I(uint32_t base, unsigned rd, unsigned rs1, int32_t imm)
{
    return base | (rd & 31) << 7 | (rs1 & 31) << 15 | ((uint32_t)imm & 0xfff) << 20;
}
static inline uint32_t rv_word_S(uint32_t base, unsigned rs2, unsigned rs1, int32_t imm)
{
    return base | (rs1 & 31) << 15 | (rs2 & 31) << 20 | ((uint32_t)imm & 31) << 7 | ((uint32_t)imm >> 5 & 0x7f) << 25;
}
static inline uint32_t rv_word_B(uint32_t base, unsigned rs1, unsigned rs2, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return base | (rs1 & 31) << 15 | (rs2 & 31) << 20 | (o >> 11 & 1) << 7 | (o >> 1 & 15) << 8 | (o >> 5 & 63) << 25 |
           (o >> 12 & 1) << 31;
}
static inline uint32_t rv_word_J(uint32_t base, unsigned rd, int32_t offset)
{
    uint32_t o = (uint32_t)offset;
    return base | (rd & 31) << 7 | (o & 0xff000) | (o >> 11 & 1) << 20 | (o >> 1 & 0x3ff) << 21 | (o >> 20 & 1) << 31;
}

#define RV_ENCODER_RV_R(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, unsigned rs1, unsigned rs2)                                            \
    {                                                                                                                  \
        return rv_word_R(base, rd, rs1, rs2);                                                                          \
    }
#define RV_ENCODER_RV_I(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, unsigned rs1, int32_t imm)                                             \
    {                                                                                                                  \
        return rv_word_I(base, rd, rs1, imm);                                                                          \
    }
#define RV_ENCODER_RV_SH(id, base)                                                                                     \
    static inline uint32_t rv_##id(unsigned rd, unsigned rs1, unsigned shamt)                                          \
    {                                                                                                                  \
        return rv_word_R(base, rd, rs1, shamt);                                                                        \
    }
#define RV_ENCODER_RV_U1(id, base)                                                                                     \
    static inline uint32_t rv_##id(unsigned rd, unsigned rs1)                                                          \
    {                                                                                                                  \
        return rv_word_R(base, rd, rs1, 0);                                                                            \
    }
#define RV_ENCODER_RV_L(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, int32_t imm, unsigned rs1)                                             \
    {                                                                                                                  \
        return rv_word_I(base, rd, rs1, imm);                                                                          \
    }
#define RV_ENCODER_RV_S(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rs2, int32_t imm, unsigned rs1)                                            \
    {                                                                                                                  \
        return rv_word_S(base, rs2, rs1, imm);                                                                         \
    }
#define RV_ENCODER_RV_B(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rs1, unsigned rs2, int32_t offset)                                         \
    {                                                                                                                  \
        return rv_word_B(base, rs1, rs2, offset);                                                                      \
    }
#define RV_ENCODER_RV_U(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, uint32_t imm20)                                                        \
    {                                                                                                                  \
        return base | (rd & 31) << 7 | imm20 << 12;                                                                    \
    }
#define RV_ENCODER_RV_J(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, int32_t offset)                                                        \
    {                                                                                                                  \
        return rv_word_J(base, rd, offset);                                                                            \
    }
#define RV_ENCODER_RV_A(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, unsigned rs2, unsigned rs1)                                            \
    {                                                                                                                  \
        return rv_word_R(base, rd, rs1, rs2);                                                                          \
    }
#define RV_ENCODER_RV_C(id, base)                                                                                      \
    static inline uint32_t rv_##id(unsigned rd, uint32_t csr, unsigned rs1)                                            \
    {                                                                                                                  \
        return rv_word_I(base, rd, rs1, (int32_t)csr);                                                                 \
    }
#define RV_ENCODER_RV_CI(id, base)                                                                                     \
    static inline uint32_t rv_##id(unsigned rd, uint32_t csr, unsigned zimm)                                           \
    {                                                                                                                  \
        return rv_word_I(base, rd, zimm, (int32_t)csr);                                                                \
    }
#define RV_ENCODER_RV_N(id, base)                                                                                      \
    static inline uint32_t rv_##id(void)                                                                               \
    {                                                                                                                  \
        return base;                                                                                                   \
    }
#define RV_ENCODER(id, text, format, base) RV_ENCODER_##format(id, base)
RV_INSTRUCTIONS(RV_ENCODER)

static inline uint32_t rv_nop(void)
{
    return rv_addi(X0, X0, 0);
}
static inline uint32_t rv_mv(unsigned rd, unsigned rs)
{
    return rv_addi(rd, rs, 0);
}
static inline uint32_t rv_j(int32_t offset)
{
    return rv_jal(X0, offset);
}
static inline uint32_t rv_csrr(unsigned rd, uint32_t csr)
{
    return rv_csrrs(rd, csr, X0);
}
static inline uint32_t rv_csrw(uint32_t csr, unsigned rs)
{
    return rv_csrrw(X0, csr, rs);
}

/* ---- Programs ------------------------------------------------------------------------------ */

enum { RVASM_WORDS = 65536 };
typedef struct rvasm {
    uint32_t base;
    size_t count;
    uint32_t word[RVASM_WORDS];
} rvasm;

static inline rvasm *rva_new(uint32_t base)
{
    rvasm *a = calloc(1, sizeof *a);
    if (!a) {
        abort();
    }
    a->base = base;
    return a;
}
static inline uint32_t rva_here(const rvasm *a)
{
    return a->base + (uint32_t)a->count * 4;
}
static inline size_t rva(rvasm *a, uint32_t word)
{
    if (a->count == RVASM_WORDS) {
        fprintf(stderr, "rvasm: program too long\n");
        abort();
    }
    a->word[a->count] = word;
    return a->count++;
}
/* Always two instructions, so that the length of a program does not depend on its constants. */
static inline void rva_li(rvasm *a, unsigned rd, uint32_t value)
{
    rva(a, rv_lui(rd, (value + 0x800) >> 12));
    rva(a, rv_addi(rd, rd, (int32_t)(value & 0xfff)));
}
/* Distance from the next instruction to emit back (or on) to an address. */
static inline int32_t rva_to(const rvasm *a, uint32_t target)
{
    return (int32_t)(target - rva_here(a));
}
/* A branch or jal whose target is not known yet: emit with offset 0, keep the index, land it later. */
static inline size_t rva_later(rvasm *a, uint32_t word)
{
    return rva(a, word);
}
static inline void rva_land(rvasm *a, size_t at)
{
    int32_t offset = (int32_t)((a->count - at) * 4);
    uint32_t w = a->word[at];
    a->word[at] = (w & 0x7f) == 0x6f ? rv_word_J(w, 0, offset) : rv_word_B(w, 0, 0, offset);
}
static inline void rva_align(rvasm *a, uint32_t bytes)
{
    while (rva_here(a) % bytes != 0) {
        rva(a, rv_nop());
    }
}
/* The usual end of a test program: a jump to itself, which also is the address to wait for. */
static inline uint32_t rva_end(rvasm *a)
{
    uint32_t at = rva_here(a);
    rva(a, rv_j(0));
    return at;
}

#endif

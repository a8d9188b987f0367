/* SPDX-License-Identifier: Apache-2.0 */
/* A very small RV32IM assembler for programs that tests and benchmarks load through the host interface, so that
 * they need no cross compiler.  Each rv_* function gives one instruction word; struct rv_program collects words
 * and knows where the next one goes.  Immediates out of range end the test program with a message. */
#ifndef KERR_TESTS_ABI_RVASM_H
#define KERR_TESTS_ABI_RVASM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    RV_ZERO,
    RV_RA,
    RV_SP,
    RV_GP,
    RV_TP,
    RV_T0,
    RV_T1,
    RV_T2,
    RV_S0,
    RV_S1,
    RV_A0,
    RV_A1,
    RV_A2,
    RV_A3,
    RV_A4,
    RV_A5,
    RV_A6,
    RV_A7,
    RV_S2,
    RV_S3,
    RV_S4,
    RV_S5,
    RV_S6,
    RV_S7,
    RV_S8,
    RV_S9,
    RV_S10,
    RV_S11,
    RV_T3,
    RV_T4,
    RV_T5,
    RV_T6
};

static inline void rv_check(int ok, const char *what, long value)
{
    if (!ok) {
        fprintf(stderr, "rvasm: %s %ld out of range\n", what, value);
        exit(99);
    }
}

/* The six formats. */
static inline uint32_t rv_r(uint32_t funct7, unsigned rs2, unsigned rs1, uint32_t funct3, unsigned rd, uint32_t opcode)
{
    return funct7 << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static inline uint32_t rv_i(int32_t imm, unsigned rs1, uint32_t funct3, unsigned rd, uint32_t opcode)
{
    rv_check(imm >= -2048 && imm <= 2047, "immediate", imm);
    return (uint32_t)imm << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode;
}
static inline uint32_t rv_s(int32_t imm, unsigned rs2, unsigned rs1, uint32_t funct3)
{
    rv_check(imm >= -2048 && imm <= 2047, "store offset", imm);
    uint32_t bits = (uint32_t)imm;
    return (bits >> 5 & 0x7F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 | (bits & 0x1F) << 7 | 0x23;
}
static inline uint32_t rv_b(int32_t offset, unsigned rs2, unsigned rs1, uint32_t funct3)
{
    rv_check(offset >= -4096 && offset <= 4094 && offset % 2 == 0, "branch offset", offset);
    uint32_t bits = (uint32_t)offset;
    return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3F) << 25 | rs2 << 20 | rs1 << 15 | funct3 << 12 |
           (bits >> 1 & 0xF) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}
static inline uint32_t rv_lui(unsigned rd, uint32_t upper20)
{
    rv_check(upper20 <= 0xFFFFF, "upper immediate", (long)upper20);
    return upper20 << 12 | rd << 7 | 0x37;
}
static inline uint32_t rv_jal(unsigned rd, int32_t offset)
{
    rv_check(offset >= -(1 << 20) && offset < 1 << 20 && offset % 2 == 0, "jump offset", offset);
    uint32_t bits = (uint32_t)offset;
    return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3FF) << 21 | (bits >> 11 & 1) << 20 | (bits >> 12 & 0xFF) << 12 |
           rd << 7 | 0x6F;
}

static inline uint32_t rv_jalr(unsigned rd, unsigned rs1, int32_t imm)
{
    return rv_i(imm, rs1, 0, rd, 0x67);
}
static inline uint32_t rv_addi(unsigned rd, unsigned rs1, int32_t imm)
{
    return rv_i(imm, rs1, 0, rd, 0x13);
}
static inline uint32_t rv_xori(unsigned rd, unsigned rs1, int32_t imm)
{
    return rv_i(imm, rs1, 4, rd, 0x13);
}
static inline uint32_t rv_ori(unsigned rd, unsigned rs1, int32_t imm)
{
    return rv_i(imm, rs1, 6, rd, 0x13);
}
static inline uint32_t rv_andi(unsigned rd, unsigned rs1, int32_t imm)
{
    return rv_i(imm, rs1, 7, rd, 0x13);
}
static inline uint32_t rv_slli(unsigned rd, unsigned rs1, unsigned n)
{
    return rv_r(0, n, rs1, 1, rd, 0x13);
}
static inline uint32_t rv_srli(unsigned rd, unsigned rs1, unsigned n)
{
    return rv_r(0, n, rs1, 5, rd, 0x13);
}
static inline uint32_t rv_srai(unsigned rd, unsigned rs1, unsigned n)
{
    return rv_r(0x20, n, rs1, 5, rd, 0x13);
}
static inline uint32_t rv_add(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(0, rs2, rs1, 0, rd, 0x33);
}
static inline uint32_t rv_sub(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(0x20, rs2, rs1, 0, rd, 0x33);
}
static inline uint32_t rv_sltu(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(0, rs2, rs1, 3, rd, 0x33);
}
static inline uint32_t rv_xor(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(0, rs2, rs1, 4, rd, 0x33);
}
static inline uint32_t rv_or(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(0, rs2, rs1, 6, rd, 0x33);
}
static inline uint32_t rv_and(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(0, rs2, rs1, 7, rd, 0x33);
}
static inline uint32_t rv_mul(unsigned rd, unsigned rs1, unsigned rs2)
{
    return rv_r(1, rs2, rs1, 0, rd, 0x33);
}
static inline uint32_t rv_lb(unsigned rd, int32_t imm, unsigned rs1)
{
    return rv_i(imm, rs1, 0, rd, 0x03);
}
static inline uint32_t rv_lh(unsigned rd, int32_t imm, unsigned rs1)
{
    return rv_i(imm, rs1, 1, rd, 0x03);
}
static inline uint32_t rv_lw(unsigned rd, int32_t imm, unsigned rs1)
{
    return rv_i(imm, rs1, 2, rd, 0x03);
}
static inline uint32_t rv_lbu(unsigned rd, int32_t imm, unsigned rs1)
{
    return rv_i(imm, rs1, 4, rd, 0x03);
}
static inline uint32_t rv_lhu(unsigned rd, int32_t imm, unsigned rs1)
{
    return rv_i(imm, rs1, 5, rd, 0x03);
}
static inline uint32_t rv_sb(unsigned rs2, int32_t imm, unsigned rs1)
{
    return rv_s(imm, rs2, rs1, 0);
}
static inline uint32_t rv_sh(unsigned rs2, int32_t imm, unsigned rs1)
{
    return rv_s(imm, rs2, rs1, 1);
}
static inline uint32_t rv_sw(unsigned rs2, int32_t imm, unsigned rs1)
{
    return rv_s(imm, rs2, rs1, 2);
}
static inline uint32_t rv_beq(unsigned rs1, unsigned rs2, int32_t offset)
{
    return rv_b(offset, rs2, rs1, 0);
}
static inline uint32_t rv_bne(unsigned rs1, unsigned rs2, int32_t offset)
{
    return rv_b(offset, rs2, rs1, 1);
}
static inline uint32_t rv_bltu(unsigned rs1, unsigned rs2, int32_t offset)
{
    return rv_b(offset, rs2, rs1, 6);
}
static inline uint32_t rv_csrrs(unsigned rd, uint32_t csr, unsigned rs1)
{
    return rv_r(csr >> 5, csr & 31, rs1, 2, rd, 0x73);
}

/* A program being written.  Offsets are in bytes from its start. */
enum { RV_PROGRAM_WORDS = 256 };
struct rv_program {
    uint32_t word[RV_PROGRAM_WORDS];
    uint32_t size_bytes;
};

static inline void rv_emit(struct rv_program *p, uint32_t instruction)
{
    rv_check(p->size_bytes / 4 < RV_PROGRAM_WORDS, "program size", (long)p->size_bytes);
    p->word[p->size_bytes / 4] = instruction;
    p->size_bytes += 4;
}
/* From the next instruction to a place already written. */
static inline int32_t rv_back(const struct rv_program *p, uint32_t target)
{
    return (int32_t)(target - p->size_bytes);
}
/* A 32-bit constant, always two instructions so that sizes do not depend on values. */
static inline void rv_emit_li(struct rv_program *p, unsigned rd, uint32_t value)
{
    uint32_t low = value & 0xFFF;
    int32_t signed_low = low >= 0x800 ? (int32_t)low - 0x1000 : (int32_t)low;
    rv_emit(p, rv_lui(rd, (value - (uint32_t)signed_low) >> 12 & 0xFFFFF));
    rv_emit(p, rv_addi(rd, rd, signed_low));
}
/* What firmware does first on every core: cfg0 |= DisLowCash (bit 3, no L0 data cache) | DisTriscCache (bit 18). */
static inline void rv_emit_firmware_csr(struct rv_program *p)
{
    rv_emit_li(p, RV_T0, 1u << 3 | 1u << 18);
    rv_emit(p, rv_csrrs(RV_ZERO, 0x7C0, RV_T0));
}

#endif

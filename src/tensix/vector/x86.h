/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of an x86-64 processor with AVX-512, as bytes: what code_avx512.c needs of them. */
#ifndef KERR_TENSIX_VECTOR_X86_H
#define KERR_TENSIX_VECTOR_X86_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Where bytes go.  Past the end nothing is written, and `full` says so. */
struct x86 {
    uint8_t *at, *end;
    uint32_t *constants; /* in front of the code: operands that are the same in all lanes */
    unsigned constants_used;
    uint32_t (*vectors)[8]; /* the same for AVX2, whole */
    unsigned vectors_used;
    bool full;
};
enum { X86_CONSTANTS = 64 };

enum x86_register { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 };

/* Map and prefix of an opcode: 0F, 0F38, 0F3A; none, 66, F3, F2. */
#define X86_OP(map, prefix, opcode) ((map) << 16 | (prefix) << 8 | (opcode))
#define X86_W (1 << 20)
enum x86_op {
    VPADDD = X86_OP(1, 1, 0xFE),
    VPSUBD = X86_OP(1, 1, 0xFA),
    VPANDD = X86_OP(1, 1, 0xDB),
    VPORD = X86_OP(1, 1, 0xEB),
    VPXORD = X86_OP(1, 1, 0xEF),
    VPSLLVD = X86_OP(2, 1, 0x47),
    VPSRLVD = X86_OP(2, 1, 0x45),
    VPSHIFTD = X86_OP(1, 1, 0x72), /* by an immediate: one of X86_LEFT and so on in the place of a register */
    VMOVDQU32 = X86_OP(1, 2, 0x6F),
    VMOVDQU32_STORE = X86_OP(1, 2, 0x7F),
    VPTERNLOGD = X86_OP(3, 1, 0x25),
    VPBROADCASTD = X86_OP(2, 1, 0x58),
    VPTESTMD = X86_OP(2, 1, 0x27),
    VPTESTNMD = X86_OP(2, 2, 0x27),
    VPCMPD = X86_OP(3, 1, 0x1F),
    VPCMPUD = X86_OP(3, 1, 0x1E),
    VPCMPW = X86_OP(3, 1, 0x3F) | X86_W,
    VMOVDQU16 = X86_OP(1, 3, 0x6F) | X86_W,
    VPERMI2W = X86_OP(2, 1, 0x75) | X86_W,
    VADDPS = X86_OP(1, 0, 0x58),
    VMULPS = X86_OP(1, 0, 0x59),
    VMAXPS = X86_OP(1, 0, 0x5F),
    VFMADD231PS = X86_OP(2, 1, 0xB8),
    VFMSUB231PS = X86_OP(2, 1, 0xBA),
    VCMPPS = X86_OP(1, 0, 0xC2),
    VFPCLASSPS = X86_OP(3, 1, 0x66),
};
enum { X86_RIGHT = 2, X86_ARITHMETIC = 4, X86_LEFT = 6 };                 /* VPSHIFTD */
enum { X86_EQ = 0, X86_LT = 1, X86_LE = 2, X86_NLT = 5 };                 /* VPCMPD, VPCMPUD, VPCMPW */
enum { X86_NEQ_UQ = 4, X86_LT_OQ = 17, X86_LE_OQ = 18, X86_NGE_UQ = 25 }; /* VCMPPS */
/* Of masks of 16 bits. */
enum { KANDNW = 0x42, KORW = 0x45, KXNORW = 0x46, KXORW = 0x47 };

static inline void x86_byte(struct x86 *x, unsigned byte)
{
    if (x->at == x->end)
        x->full = true;
    else
        *x->at++ = (uint8_t)byte;
}
static inline void x86_bytes(struct x86 *x, const char *bytes, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        x86_byte(x, (uint8_t)bytes[i]);
}
#define X86_BYTES(x, string) x86_bytes(x, string, sizeof(string) - 1)
static inline void x86_word(struct x86 *x, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        x86_byte(x, word >> 8 * i & 255);
}

/* ---- Vectors of 512 bits.  mask: k1 to k7, the others keep what they were, or 0, all ---- */

static inline void x86_evex(struct x86 *x, uint32_t op, unsigned reg, unsigned first, bool rm_3, bool rm_4,
                            bool broadcast, unsigned mask)
{
    const unsigned map = op >> 16 & 15, prefix = op >> 8 & 15;
    x86_byte(x, 0x62);
    x86_byte(x, (~reg >> 3 & 1) << 7 | (unsigned)!rm_4 << 6 | (unsigned)!rm_3 << 5 | (~reg >> 4 & 1) << 4 | map);
    x86_byte(x, (op & X86_W ? 0x80u : 0) | (~first & 15) << 3 | 4 | prefix);
    x86_byte(x, 0x40 | (unsigned)broadcast << 4 | (~first >> 4 & 1) << 3 | mask);
    x86_byte(x, op & 255);
}
/* reg = op(first, second). */
static inline void x86_rrr(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned second, unsigned mask)
{
    x86_evex(x, op, reg, first, second >> 3 & 1, second >> 4 & 1, false, mask);
    x86_byte(x, 0xC0 | (reg & 7) << 3 | (second & 7));
}
static inline void x86_rrr_imm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned second, unsigned mask,
                               unsigned immediate)
{
    x86_rrr(x, op, reg, first, second, mask);
    x86_byte(x, immediate);
}
/* The second one is at base + offset; base is below R8, and not RSP. */
static inline void x86_at(struct x86 *x, unsigned reg, unsigned base, size_t offset)
{
    x86_byte(x, 0x80 | (reg & 7) << 3 | base);
    x86_word(x, (uint32_t)offset);
}
static inline void x86_rrm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned base, size_t offset,
                           unsigned mask)
{
    x86_evex(x, op, reg, first, false, false, false, mask);
    x86_at(x, reg, base, offset);
}
/* It is a word there, the same in all lanes. */
static inline void x86_rrw(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned base, size_t offset,
                           unsigned mask)
{
    x86_evex(x, op, reg, first, false, false, true, mask);
    x86_at(x, reg, base, offset);
}
/* It is a constant in all lanes; so many bytes of the instruction are behind its operands. */
static inline void x86_constant(struct x86 *x, unsigned reg, uint32_t value, unsigned behind)
{
    unsigned i = 0;
    while (i < x->constants_used && x->constants[i] != value)
        i++;
    if (i == X86_CONSTANTS) {
        x->full = true;
        return;
    }
    x->constants[i] = value;
    x->constants_used += i == x->constants_used;
    x86_byte(x, (reg & 7) << 3 | 5);
    x86_word(x, (uint32_t)((uint8_t *)&x->constants[i] - (x->at + 4 + behind)));
}
static inline void x86_rrc(struct x86 *x, uint32_t op, unsigned reg, unsigned first, uint32_t value, unsigned mask)
{
    x86_evex(x, op, reg, first, false, false, op != VPBROADCASTD, mask);
    x86_constant(x, reg, value, 0);
}
static inline void x86_rrc_imm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, uint32_t value, unsigned mask,
                               unsigned immediate)
{
    x86_evex(x, op, reg, first, false, false, true, mask);
    x86_constant(x, reg, value, 1);
    x86_byte(x, immediate);
}
static inline void x86_rrw_imm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned base, size_t offset,
                               unsigned mask, unsigned immediate)
{
    x86_rrw(x, op, reg, first, base, offset, mask);
    x86_byte(x, immediate);
}

/* ---- Masks ---- */

/* k = op(first, second). */
static inline void x86_kkk(struct x86 *x, unsigned op, unsigned k, unsigned first, unsigned second)
{
    x86_byte(x, 0xC5);
    x86_byte(x, 0x84 | (~first & 15) << 3);
    x86_byte(x, op);
    x86_byte(x, 0xC0 | k << 3 | second);
}
static inline void x86_kortestw(struct x86 *x, unsigned first, unsigned second)
{
    X86_BYTES(x, "\xC5\xF8\x98");
    x86_byte(x, 0xC0 | first << 3 | second);
}
static inline void x86_kmovw_load(struct x86 *x, unsigned k, unsigned base, size_t offset)
{
    X86_BYTES(x, "\xC5\xF8\x90");
    x86_at(x, k, base, offset);
}
static inline void x86_kmovw_store(struct x86 *x, unsigned k, unsigned base, size_t offset)
{
    X86_BYTES(x, "\xC5\xF8\x91");
    x86_at(x, k, base, offset);
}
/* From and to a register, R8 or above. */
static inline void x86_kmovw_from(struct x86 *x, unsigned k, unsigned reg)
{
    X86_BYTES(x, "\xC4\xC1\x78\x92");
    x86_byte(x, 0xC0 | k << 3 | (reg & 7));
}
static inline void x86_kmovw_to(struct x86 *x, unsigned reg, unsigned k)
{
    X86_BYTES(x, "\xC4\x61\x78\x93");
    x86_byte(x, 0xC0 | (reg & 7) << 3 | k);
}

/* ---- Others ---- */

/* reg = the 64 bits at base + offset. */
static inline void x86_mov_load(struct x86 *x, unsigned reg, unsigned base, size_t offset)
{
    X86_BYTES(x, "\x48\x8B");
    x86_at(x, reg, base, offset);
}
/* The 32 bits at base + offset = value. */
static inline void x86_mov_value(struct x86 *x, unsigned base, size_t offset, uint32_t value)
{
    x86_byte(x, 0xC7);
    x86_at(x, 0, base, offset);
    x86_word(x, value);
}
/* A jump or call (opcode, or its two bytes) whose way is known later; returns what x86_lands wants. */
static inline uint8_t *x86_jump(struct x86 *x, unsigned opcode)
{
    if (opcode > 255)
        x86_byte(x, opcode >> 8);
    x86_byte(x, opcode & 255);
    x86_word(x, 0);
    return x->at;
}
enum { X86_CALL = 0xE8, X86_JMP = 0xE9, X86_JZ = 0x0F84, X86_JNZ = 0x0F85 };
static inline void x86_lands(struct x86 *x, uint8_t *jump, const uint8_t *where)
{
    const int32_t way = (int32_t)(where - jump);
    if (!x->full)
        memcpy(jump - 4, &way, sizeof way);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of an x86-64 processor with AVX2, as bytes: what code_avx2.c needs of them.  Vectors have 256 bits. */
#ifndef KERR_TENSIX_VECTOR_X86_VEX_H
#define KERR_TENSIX_VECTOR_X86_VEX_H

#include "tensix/vector/x86.h"

enum { VEX_VECTORS = 64 /* constants */, VEX_LANES = 8 };

/* Besides those of x86.h that are the same here (VPADDD and so on, VPSHIFTD, VADDPS and so on, VPBROADCASTD). */
enum vex_op {
    VPANDN = X86_OP(1, 1, 0xDF), /* ~first & second */
    VPCMPEQD = X86_OP(1, 1, 0x76),
    VPCMPGTD = X86_OP(1, 1, 0x66),
    VPCMPEQW = X86_OP(1, 1, 0x75),
    VPSHIFTW = X86_OP(1, 1, 0x71), /* as VPSHIFTD */
    VPMINSD = X86_OP(2, 1, 0x39),
    VPMINUD = X86_OP(2, 1, 0x3B),
    VPSHUFB = X86_OP(2, 1, 0x00),
    VPTEST = X86_OP(2, 1, 0x17),
    VPGATHERDD = X86_OP(2, 1, 0x90),
    VPBLENDVB = X86_OP(3, 1, 0x4C),
    VPBLENDW = X86_OP(3, 1, 0x0E),
    VMOVMSKPS = X86_OP(1, 0, 0x50),
    VMOVDQU = VMOVDQU32,
    VMOVDQU_STORE = VMOVDQU32_STORE,
};

static inline void vex_prefix(struct x86 *x, uint32_t op, unsigned reg, unsigned first, bool index_3, bool rm_3)
{
    const unsigned map = op >> 16 & 15, prefix = op >> 8 & 15;
    x86_byte(x, 0xC4);
    x86_byte(x, (~reg >> 3 & 1) << 7 | (unsigned)!index_3 << 6 | (unsigned)!rm_3 << 5 | map);
    x86_byte(x, (~first & 15) << 3 | 4 | prefix);
    x86_byte(x, op & 255);
}
/* reg = op(first, second). */
static inline void vex_rrr(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned second)
{
    vex_prefix(x, op, reg, first, false, second >> 3 & 1);
    x86_byte(x, 0xC0 | (reg & 7) << 3 | (second & 7));
}
static inline void vex_rrr_imm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned second,
                               unsigned immediate)
{
    vex_rrr(x, op, reg, first, second);
    x86_byte(x, immediate);
}
/* The second one is at base + offset; base is neither RSP nor R12. */
static inline void vex_rrm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, unsigned base, size_t offset)
{
    vex_prefix(x, op, reg, first, false, base >> 3 & 1);
    x86_at(x, reg, base & 7, offset);
}
/* It is a constant; so many bytes of the instruction are behind its operands. */
static inline void vex_at_constant(struct x86 *x, unsigned reg, const uint32_t value[VEX_LANES], unsigned behind)
{
    unsigned i = 0;
    while (i < x->vectors_used && memcmp(x->vectors[i], value, sizeof *x->vectors) != 0)
        i++;
    if (i == VEX_VECTORS) {
        x->full = true;
        return;
    }
    memcpy(x->vectors[i], value, sizeof *x->vectors);
    x->vectors_used += i == x->vectors_used;
    x86_byte(x, (reg & 7) << 3 | 5);
    x86_word(x, (uint32_t)((uint8_t *)x->vectors[i] - (x->at + 4 + behind)));
}
static inline void vex_rrv(struct x86 *x, uint32_t op, unsigned reg, unsigned first, const uint32_t value[VEX_LANES])
{
    vex_prefix(x, op, reg, first, false, false);
    vex_at_constant(x, reg, value, 0);
}
/* The same in all lanes. */
static inline void vex_rrc(struct x86 *x, uint32_t op, unsigned reg, unsigned first, uint32_t value)
{
    vex_rrv(x, op, reg, first, (const uint32_t[VEX_LANES]){value, value, value, value, value, value, value, value});
}
static inline void vex_rrc_imm(struct x86 *x, uint32_t op, unsigned reg, unsigned first, uint32_t value,
                               unsigned immediate)
{
    vex_prefix(x, op, reg, first, false, false);
    vex_at_constant(x, reg, (const uint32_t[VEX_LANES]){value, value, value, value, value, value, value, value}, 1);
    x86_byte(x, immediate);
}
static inline void vex_shift(struct x86 *x, unsigned how, unsigned reg, unsigned from, unsigned by)
{
    vex_rrr_imm(x, VPSHIFTD, how, reg, from, by);
}
/* reg = mask ? yes : no, by bytes. */
static inline void vex_blend(struct x86 *x, unsigned reg, unsigned no, unsigned yes, unsigned mask)
{
    vex_rrr_imm(x, VPBLENDVB, reg, no, yes, mask << 4);
}
/* reg = words at RAX, by lanes of `index`, where `mask` is set, which it is no longer then. */
static inline void vex_gather(struct x86 *x, unsigned reg, unsigned index, unsigned mask)
{
    vex_prefix(x, VPGATHERDD, reg, mask, index >> 3 & 1, false);
    x86_byte(x, (reg & 7) << 3 | 4);
    x86_byte(x, 2 << 6 | (index & 7) << 3 | RAX);
}

/* EAX = signs of lanes; the byte at base + offset is AL, or a number. */
static inline void vex_signs(struct x86 *x, unsigned reg)
{
    vex_rrr(x, VMOVMSKPS, RAX, 0, reg);
}
static inline void vex_store_al(struct x86 *x, unsigned base, size_t offset)
{
    x86_byte(x, 0x40 | (base >> 3 & 1));
    x86_byte(x, 0x88);
    x86_at(x, RAX, base & 7, offset);
}
static inline void vex_store_byte(struct x86 *x, unsigned base, size_t offset, unsigned byte)
{
    x86_byte(x, 0xC6);
    x86_at(x, 0, base, offset);
    x86_byte(x, byte);
}

#endif

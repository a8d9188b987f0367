/* SPDX-License-Identifier: Apache-2.0 */
/* F and Zfh of the baby cores (manual BabyRISCV/InstructionSet, CSRs).  Rounding mode bits are ignored, also the
 * "towards zero" of fcvt.w.s: the mode is to nearest even, and for BF16 what cfg0.EnBFloatRTNE says.  No fdiv and no
 * fsqrt.  What the manual leaves open follows the RISC-V F and Zfh chapters: docs/baby-float.md. */
#include "num/f16.h"
#include "num/f32.h"
#include "num/fma.h"
#include "riscv/fp.h"

#define OPCODE_FMADD 0x43u
#define OPCODE_FMSUB 0x47u
#define OPCODE_FNMSUB 0x4bu
#define OPCODE_FNMADD 0x4fu
#define OPCODE_OP_FP 0x53u

#define FORMAT_S 0u
#define FORMAT_H 2u

#define CFG0_EnBFloat 0x40000000u
#define CFG0_EnBFloatRTNE 0x80000000u

#define NOT_BOXED_BELOW 0xffff0000u

/* funct7 31:27 of OP-FP */
enum {
    FUNCT5_ADD = 0x00,
    FUNCT5_SUB = 0x01,
    FUNCT5_MUL = 0x02,
    FUNCT5_SGNJ = 0x04,
    FUNCT5_MINMAX = 0x05,
    FUNCT5_CVT_FORMAT = 0x08,
    FUNCT5_COMPARE = 0x14,
    FUNCT5_CVT_TO_INT = 0x18,
    FUNCT5_CVT_FROM_INT = 0x1a,
    FUNCT5_MV_TO_X_CLASS = 0x1c,
    FUNCT5_MV_FROM_X = 0x1e,
};

/* Cycles until a dependent instruction may enter EX1.  Sums and products pass EX2; the rest is taken to need EX1
 * only, as their vector forms take one cycle less than vfadd in the public RVV benchmark of T2 (derived). */
#define LATENCY_EX1 1
#define LATENCY_EX2 2

static unsigned field(uint32_t instruction, unsigned low, unsigned bits)
{
    return instruction >> low & ((1u << bits) - 1);
}

rv_fp_use rv_fp_inspect(uint32_t instruction)
{
    rv_fp_use none = {.valid = false};
    unsigned opcode = field(instruction, 0, 7);
    unsigned format = field(instruction, 25, 2);
    unsigned rm = field(instruction, 12, 3);
    unsigned rs2 = field(instruction, 20, 5);
    if (format != FORMAT_S && format != FORMAT_H) {
        return none;
    }
    if (opcode == OPCODE_FMADD || opcode == OPCODE_FMSUB || opcode == OPCODE_FNMSUB || opcode == OPCODE_FNMADD) {
        return (rv_fp_use){.valid = true, .f_sources = 7, .latency = LATENCY_EX2};
    }
    if (opcode != OPCODE_OP_FP) {
        return none;
    }
    switch (field(instruction, 27, 5)) {
    case FUNCT5_ADD:
    case FUNCT5_SUB:
    case FUNCT5_MUL: return (rv_fp_use){.valid = true, .f_sources = 3, .latency = LATENCY_EX2};
    case FUNCT5_SGNJ: return (rv_fp_use){.valid = rm <= 2, .f_sources = 3, .latency = LATENCY_EX1};
    case FUNCT5_MINMAX: return (rv_fp_use){.valid = rm <= 1, .f_sources = 3, .latency = LATENCY_EX1};
    case FUNCT5_CVT_FORMAT:
        return (rv_fp_use){
            .valid = rs2 == (format == FORMAT_S ? FORMAT_H : FORMAT_S), .f_sources = 1, .latency = LATENCY_EX1};
    case FUNCT5_COMPARE: return (rv_fp_use){.valid = rm <= 2, .writes_x = true, .f_sources = 3, .latency = LATENCY_EX1};
    case FUNCT5_CVT_TO_INT:
        return (rv_fp_use){.valid = rs2 <= 1, .writes_x = true, .f_sources = 1, .latency = LATENCY_EX1};
    case FUNCT5_CVT_FROM_INT: return (rv_fp_use){.valid = rs2 <= 1, .reads_x1 = true, .latency = LATENCY_EX1};
    case FUNCT5_MV_TO_X_CLASS:
        return (rv_fp_use){.valid = rs2 == 0 && rm <= 1, .writes_x = true, .f_sources = 1, .latency = LATENCY_EX1};
    case FUNCT5_MV_FROM_X: return (rv_fp_use){.valid = rs2 == 0 && rm == 0, .reads_x1 = true, .latency = LATENCY_EX1};
    default: return none;
    }
}

static uint32_t execute_s(rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1, uint32_t *flags);
static uint32_t execute_h(rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1, uint32_t *flags);

uint32_t rv_fp_execute(rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1)
{
    uint32_t flags = 0;
    uint32_t result = field(instruction, 25, 2) == FORMAT_S ? execute_s(fp, cfg0, instruction, x1, &flags)
                                                            : execute_h(fp, cfg0, instruction, x1, &flags);
    fp->fcsr |= flags;
    return result;
}

static f16_format half_format(uint32_t cfg0)
{
    return cfg0 & CFG0_EnBFloat ? F16_BFLOAT : F16_HALF;
}

static f32_rounding half_rounding(uint32_t cfg0)
{
    return (cfg0 & CFG0_EnBFloat) && !(cfg0 & CFG0_EnBFloatRTNE) ? F32_TOWARDS_ZERO : F32_NEAREST_EVEN;
}

/* A value that is not NaN-boxed counts as the canonical NaN (RISC-V, "NaN Boxing of Narrower Values").
 * OPEN: whether these cores check the box.  Would settle it: fadd.h of 0x00003c00 on a card. */
static uint16_t unbox(uint32_t value, f16_format format)
{
    return value >= NOT_BOXED_BELOW ? (uint16_t)value : f16_nan(format);
}

static uint32_t box(uint16_t value)
{
    return NOT_BOXED_BELOW | value;
}

static uint32_t execute_s(rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1, uint32_t *flags)
{
    uint32_t *rd = &fp->f[field(instruction, 7, 5)];
    uint32_t a = fp->f[field(instruction, 15, 5)];
    uint32_t b = fp->f[field(instruction, 20, 5)];
    uint32_t c = fp->f[field(instruction, 27, 5)];
    unsigned rm = field(instruction, 12, 3);
    bool is_signed = !field(instruction, 20, 1); /* of the conversions */

    switch (field(instruction, 0, 7)) {
    case OPCODE_FMADD: *rd = fma_f32(a, b, c, flags); return 0;
    case OPCODE_FMSUB: *rd = fma_f32(a, b, c ^ F32_SIGN, flags); return 0;
    case OPCODE_FNMSUB: *rd = fma_f32(a ^ F32_SIGN, b, c, flags); return 0;
    case OPCODE_FNMADD: *rd = fma_f32(a ^ F32_SIGN, b, c ^ F32_SIGN, flags); return 0;
    default: break;
    }

    switch (field(instruction, 27, 5)) {
    case FUNCT5_ADD: *rd = fma_f32_add(a, b, flags); return 0;
    case FUNCT5_SUB: *rd = fma_f32_add(a, b ^ F32_SIGN, flags); return 0;
    case FUNCT5_MUL: *rd = fma_f32_mul(a, b, flags); return 0;
    case FUNCT5_SGNJ: *rd = rm == 0 ? f32_sgnj(a, b) : rm == 1 ? f32_sgnjn(a, b) : f32_sgnjx(a, b); return 0;
    case FUNCT5_MINMAX: *rd = rm == 0 ? f32_min(a, b, flags) : f32_max(a, b, flags); return 0;
    case FUNCT5_CVT_FORMAT: { /* fcvt.s.h */
        f16_format format = half_format(cfg0);
        uint32_t wide = f16_to_f32(f16_flush(unbox(a, format), format), format);
        *flags |= f32_is_signaling(wide) ? F32_INVALID : 0;
        *rd = f32_is_nan(wide) ? F32_NAN : wide;
        return 0;
    }
    case FUNCT5_COMPARE: return rm == 0 ? f32_le(a, b, flags) : rm == 1 ? f32_lt(a, b, flags) : f32_eq(a, b, flags);
    case FUNCT5_CVT_TO_INT: return f32_to_int(a, 32, is_signed, F32_NEAREST_EVEN, flags);
    case FUNCT5_CVT_FROM_INT: *rd = f32_from_int(x1, is_signed, flags); return 0;
    case FUNCT5_MV_TO_X_CLASS: return rm == 0 ? a : f32_classify(a);
    case FUNCT5_MV_FROM_X: *rd = x1; return 0;
    default: return 0;
    }
}

static uint32_t execute_h(rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1, uint32_t *flags)
{
    f16_format format = half_format(cfg0);
    f32_rounding rounding = half_rounding(cfg0);
    uint16_t one = format == F16_HALF ? 0x3c00 : 0x3f80;
    uint32_t *rd = &fp->f[field(instruction, 7, 5)];
    uint32_t raw_a = fp->f[field(instruction, 15, 5)];
    uint16_t a = unbox(raw_a, format);
    uint16_t b = unbox(fp->f[field(instruction, 20, 5)], format);
    uint16_t c = unbox(fp->f[field(instruction, 27, 5)], format);
    uint32_t wide_a = f16_to_f32(a, format);
    uint32_t wide_b = f16_to_f32(b, format);
    unsigned rm = field(instruction, 12, 3);
    bool is_signed = !field(instruction, 20, 1);

    switch (field(instruction, 0, 7)) {
    case OPCODE_FMADD: *rd = box(f16_fma(a, b, c, format, rounding, flags)); return 0;
    case OPCODE_FMSUB: *rd = box(f16_fma(a, b, c ^ 0x8000, format, rounding, flags)); return 0;
    case OPCODE_FNMSUB: *rd = box(f16_fma(a ^ 0x8000, b, c, format, rounding, flags)); return 0;
    case OPCODE_FNMADD: *rd = box(f16_fma(a ^ 0x8000, b, c ^ 0x8000, format, rounding, flags)); return 0;
    default: break;
    }

    switch (field(instruction, 27, 5)) {
    case FUNCT5_ADD: *rd = box(f16_fma(a, one, b, format, rounding, flags)); return 0;
    case FUNCT5_SUB: *rd = box(f16_fma(a, one, b ^ 0x8000, format, rounding, flags)); return 0;
    case FUNCT5_MUL: *rd = box(f16_fma(a, b, 0x8000, format, rounding, flags)); return 0;
    case FUNCT5_SGNJ: {
        uint16_t sign = rm == 0 ? b : rm == 1 ? (uint16_t)~b : a ^ b;
        *rd = box((uint16_t)((a & 0x7fff) | (sign & 0x8000)));
        return 0;
    }
    case FUNCT5_MINMAX: {
        uint32_t least = rm == 0 ? f32_min(wide_a, wide_b, flags) : f32_max(wide_a, wide_b, flags);
        *rd = box(least == wide_a ? a : least == wide_b ? b : f16_nan(format));
        return 0;
    }
    case FUNCT5_CVT_FORMAT: /* fcvt.h.s */ *rd = box(f16_from_f32(raw_a, format, rounding, flags)); return 0;
    case FUNCT5_COMPARE:
        return rm == 0   ? f32_le(wide_a, wide_b, flags)
               : rm == 1 ? f32_lt(wide_a, wide_b, flags)
                         : f32_eq(wide_a, wide_b, flags);
    case FUNCT5_CVT_TO_INT: return f32_to_int(wide_a, 32, is_signed, rounding, flags);
    case FUNCT5_CVT_FROM_INT: *rd = box(f16_from_int(x1, is_signed, format, rounding, flags)); return 0;
    case FUNCT5_MV_TO_X_CLASS:
        if (rm == 0) {
            return (uint32_t)(int32_t)(int16_t)raw_a; /* fmv.x.h looks at the low half only */
        }
        return format == F16_HALF && a & 0x3ff && !(a & 0x7c00) ? (a & 0x8000 ? 1u << 2 : 1u << 5)
                                                                : f32_classify(wide_a);
    case FUNCT5_MV_FROM_X: *rd = box((uint16_t)x1); return 0;
    default: return 0;
    }
}

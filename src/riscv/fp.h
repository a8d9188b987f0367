/* SPDX-License-Identifier: Apache-2.0 */
/* F and Zfh subset of the baby cores (manual BabyRISCV/InstructionSet, CSRs "EnBFloat").
 * Pure register-to-register work; loads and stores are the core's (lsu.c). */
#ifndef KERR_RISCV_FP_H
#define KERR_RISCV_FP_H

#include <stdbool.h>
#include <stdint.h>

/* Floating-point registers of one core.  32 bits wide: Zfh values are NaN-boxed in them. */
typedef struct rv_fp {
    uint32_t f[32];
    uint32_t fcsr; /* frm in 7:5 (stored, ignored), flags in 4:0 */
} rv_fp;

/* What an instruction touches, for the scoreboard. */
typedef struct rv_fp_use {
    bool valid;        /* false: not an instruction of these cores */
    bool reads_x1;     /* rs1 is an integer register */
    bool writes_x;     /* rd is an integer register */
    uint8_t f_sources; /* bit 0: f[rs1], bit 1: f[rs2], bit 2: f[rs3] */
    uint8_t latency;   /* cycles until a dependent instruction may enter EX1 (1, or 2 through EX2) */
} rv_fp_use;

/* Every OP-FP, FMADD, FMSUB, FNMSUB, FNMADD word.  No loads, no stores. */
rv_fp_use rv_fp_inspect(uint32_t instruction);

/* Executes an instruction for which rv_fp_inspect said valid.  cfg0 gives EnBFloat and EnBFloatRTNE.
 * Returns the integer result where writes_x, else 0; x0 is the caller's business. */
uint32_t rv_fp_execute(rv_fp *fp, uint32_t cfg0, uint32_t instruction, uint32_t x1);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What CFGSHIFTMASK makes of a word of configuration (manual CFGSHIFTMASK). */
#ifndef KERR_TENSIX_CONFIG_SHIFT_H
#define KERR_TENSIX_CONFIG_SHIFT_H

#include "cfg_fields.h"
#include "tensix_isa.h"

#include <stdint.h>

static inline uint32_t config_rotate_right(uint32_t value, unsigned amount)
{
    return amount == 0 ? value : value >> amount | value << (32 - amount);
}

static inline uint32_t config_combined(unsigned AluMode, uint32_t old, uint32_t scratch)
{
    switch (AluMode) {
    case 0: return old | scratch;
    case 1: return old & scratch;
    case 2: return old ^ scratch;
    case 3: return old + scratch;
    case 4: return old | ~scratch;
    case 5: return old & ~scratch;
    case 6: return old ^ ~scratch;
    default: return old - scratch;
    }
}

/* The word of configuration that it takes its operand from. */
static inline unsigned config_shift_scratch(const struct op_CFGSHIFTMASK *op, unsigned thread)
{
    return SCRATCH_SEC0_val_ADDR32 + (op->ScratchIndex < 3 ? op->ScratchIndex : thread);
}

/* What the word becomes that was `old`. */
static inline uint32_t config_shift(const struct op_CFGSHIFTMASK *op, uint32_t old, uint32_t scratch)
{
    const uint32_t mask = (2u << op->MaskWidth) - 1u;
    if (!op->MaskMode)
        old &= ~config_rotate_right(mask, op->RotateAmt);
    return config_combined(op->AluMode, old, config_rotate_right(scratch & mask, op->RotateAmt));
}

#endif

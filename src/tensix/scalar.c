/* SPDX-License-Identifier: Apache-2.0 */
/* Scalar Unit (ThCon): GPR arithmetic, SETDMAREG, REG2FLOP, FLUSHDMA.  Loads, stores and atomics: scalar_memory.c.
 *
 * Manual WormholeB0 TensixCoprocessor/ScalarUnit and the pages of its instructions; SETDMAREG_Special 492ccd05.  The unit
 * has one instruction at a time, and the thread of that one waits with it (run.c).
 *
 * OPEN: REG2FLOP takes longer while the Configuration Unit or a baby core writes THCON configuration; no document says
 * how they share.  Here neither is ever in the way. */
#include "tensix/scalar.h"

#include "base/bits.h"
#include "cfg_fields.h"

step_result scalar_DMANOP(tensix_step *s, const struct op_DMANOP *op)
{
    (void)s, (void)op;
    return STEP_RETIRED;
}

/* ---- SETDMAREG ---------------------------------------------------------------------------------------------- */

static unsigned state_id(const tensix_step *s)
{
    return CFG_FIELD(s->t->config, CFG_STATE_ID_StateID);
}

/* The header that a packer would put before a tile.  Blackhole has one packer: the other three have sizes and flags of
 * zero, their configuration is there.  Left out is All_pack_disable_zero_compress, which Blackhole has not. */
static void tile_header(const tensix_step *s, unsigned packer, uint32_t value[4])
{
    static const uint8_t section[4] = {THCON_SEC0_REG1_Out_data_format_ADDR32, THCON_SEC0_REG8_Out_data_format_ADDR32,
                                       THCON_SEC1_REG1_Out_data_format_ADDR32, THCON_SEC1_REG8_Out_data_format_ADDR32};
    const struct tensix_packer *p = &s->tx->packer;
    const uint32_t config = s->tx->config[state_id(s)][section[packer]];
    const bool is_last = packer == 0 && p->last_thread == s->thread;
    const uint32_t format = (config & THCON_SEC0_REG1_Out_data_format_MASK) >> THCON_SEC0_REG1_Out_data_format_SHAMT;
    const uint32_t uncompressed =
        (config & THCON_SEC0_REG1_Disable_zero_compress_MASK) >> THCON_SEC0_REG1_Disable_zero_compress_SHAMT;
    value[0] = (uint16_t)((is_last ? p->last_tile_size : 0) + 1);
    value[1] = format << 16 | uncompressed << 20;
    value[2] = packer == 0 ? p->all_zero_flags : 0;
}

static void special_values(tensix_step *s, const struct op_SETDMAREG *op, uint32_t value[4])
{
    struct tensix_packer *p = &s->tx->packer;
    switch (op->InputSource) {
    case 0:
        value[0] = (uint32_t)p->acc_tile_size[s->thread] << 16 | (p->last_thread == s->thread ? p->last_tile_size : 0);
        break;
    case 1: value[0] = p->all_zero_flags; break;
    case 2:
    case 3:
    case 4:
    case 5: tile_header(s, op->InputSource - 2, value); break;
    case 6:
    case 7:
        /* WhichPackers has no effect: a card (docs/errata-tensix.md). */
        memcpy(value, &p->exponent_histogram[(op->InputSource - 6) * 16], 16);
        break;
    case 8:
        value[0] = p->all_zero_flags & 1;
        if (op->WhichPackers & 1)
            memset(p->acc_tile_size, 0, sizeof p->acc_tile_size);
        break;
    case 9: value[0] = p->max_exponent; break;
    default: break; /* zero */
    }
}

static void set_special(tensix_step *s, const struct op_SETDMAREG *op)
{
    /* The fields of a tile header that are not reserved: TileSize; DataFormat, DisableZeroCompression, SpareBits;
     * AllZeroFlags. */
    static const uint32_t header[4] = {0x0000FFFF, 0x00FF0000, 0xFFFFFFFF, 0};
    uint32_t value[4] = {0};
    special_values(s, op, value);
    const unsigned from = op->InputHalfReg, to = op->ResultHalfReg;
    switch (op->ResultSize) {
    case 0: scalar_set_half(s, to, (uint16_t)(value[from / 2] >> (from % 2 * 16))); break;
    case 1: scalar_set(s, to / 2, UINT32_MAX, value[from / 2]); break;
    default:
        for (unsigned i = 0; i < 4; i++)
            scalar_set(s, (to / 2 & 0x3C) + i, op->ResultSize == 3 ? header[i] : UINT32_MAX, value[i]);
    }
}

step_result scalar_SETDMAREG(tensix_step *s, const struct op_SETDMAREG *op)
{
    if (op->SetSignalsMode)
        set_special(s, op);
    else if (s->tx->later_count != 0)
        scalar_set_half(s, op->ResultHalfReg, (uint16_t)op->NewValue);
    else { /* nobody looks before the next cycle */
        hook_gpr(s->tile, s->thread, op->ResultHalfReg / 2, 1, CHECK_WRITE);
        memcpy((uint8_t *)s->t->gpr + 2 * op->ResultHalfReg, &(uint16_t){(uint16_t)op->NewValue}, 2);
    }
    return STEP_RETIRED;
}

/* ---- Arithmetic --------------------------------------------------------------------------------------------- */

/* The right operand.  Two registers of different groups of four take the unit a cycle longer. */
static uint32_t right(tensix_step *s, unsigned constant, unsigned index, unsigned left_index)
{
    if (constant)
        return index;
    if (index / 4 != left_index / 4) {
        s->issue += COST_SCALAR_OTHER_GROUP;
        s->latency += COST_SCALAR_OTHER_GROUP;
    }
    return scalar_gpr(s, index);
}

static step_result no_mode(tensix_step *s, unsigned mode)
{
    tensix_fault(s, KERR_FAULT_UNDEFINED, tensix_ops[s->op].page, "%s with mode %u: there is none",
                 tensix_ops[s->op].name, mode);
    return STEP_FAULTED;
}

/* a and b are the operands. */
#define ARITHMETIC(NAME, RESULT)                                                                                       \
    step_result scalar_##NAME(tensix_step *s, const struct op_##NAME *op)                                              \
    {                                                                                                                  \
        if (scalar_in_reset(s))                                                                                        \
            return STEP_STALLED;                                                                                       \
        const uint32_t a = scalar_gpr(s, op->LeftReg), b = right(s, op->OpBisConst, op->RightReg, op->LeftReg);        \
        scalar_set(s, op->ResultReg, UINT32_MAX, RESULT);                                                              \
        return STEP_RETIRED;                                                                                           \
    }
ARITHMETIC(ADDDMAREG, a + b)
ARITHMETIC(SUBDMAREG, a - b)
ARITHMETIC(MULDMAREG, (a & 0xFFFF) * (b & 0xFFFF))

enum { BITWOPDMAREG_MODE_AND = 0, BITWOPDMAREG_MODE_OR, BITWOPDMAREG_MODE_XOR };

step_result scalar_BITWOPDMAREG(tensix_step *s, const struct op_BITWOPDMAREG *op)
{
    if (scalar_in_reset(s))
        return STEP_STALLED;
    const uint32_t a = scalar_gpr(s, op->LeftReg), b = right(s, op->OpBisConst, op->RightReg, op->LeftReg);
    switch (op->Mode) {
    case BITWOPDMAREG_MODE_AND: scalar_set(s, op->ResultReg, UINT32_MAX, a & b); break;
    case BITWOPDMAREG_MODE_OR: scalar_set(s, op->ResultReg, UINT32_MAX, a | b); break;
    case BITWOPDMAREG_MODE_XOR: scalar_set(s, op->ResultReg, UINT32_MAX, a ^ b); break;
    default: return no_mode(s, op->Mode);
    }
    return STEP_RETIRED;
}

enum { SHIFTDMAREG_MODE_LEFT = 0, SHIFTDMAREG_MODE_RIGHT };

step_result scalar_SHIFTDMAREG(tensix_step *s, const struct op_SHIFTDMAREG *op)
{
    if (scalar_in_reset(s))
        return STEP_STALLED;
    const uint32_t a = scalar_gpr(s, op->LeftReg), b = right(s, op->OpBisConst, op->RightReg, op->LeftReg) & 0x1F;
    switch (op->Mode) {
    case SHIFTDMAREG_MODE_LEFT: scalar_set(s, op->ResultReg, UINT32_MAX, a << b); break;
    case SHIFTDMAREG_MODE_RIGHT: scalar_set(s, op->ResultReg, UINT32_MAX, a >> b); break;
    default: return no_mode(s, op->Mode);
    }
    return STEP_RETIRED;
}

enum { CMPDMAREG_MODE_GT = 0, CMPDMAREG_MODE_LT, CMPDMAREG_MODE_EQ };

step_result scalar_CMPDMAREG(tensix_step *s, const struct op_CMPDMAREG *op)
{
    if (scalar_in_reset(s))
        return STEP_STALLED;
    const uint32_t a = scalar_gpr(s, op->LeftReg), b = right(s, op->OpBisConst, op->RightReg, op->LeftReg);
    switch (op->Mode) {
    case CMPDMAREG_MODE_GT: scalar_set(s, op->ResultReg, UINT32_MAX, a > b); break;
    case CMPDMAREG_MODE_LT: scalar_set(s, op->ResultReg, UINT32_MAX, a < b); break;
    case CMPDMAREG_MODE_EQ: scalar_set(s, op->ResultReg, UINT32_MAX, a == b); break;
    default: return no_mode(s, op->Mode);
    }
    return STEP_RETIRED;
}

/* ---- REG2FLOP ----------------------------------------------------------------------------------------------- */

/* To THCON configuration.  assembly.yaml has fields where the manual wants zeros; nobody says what they do there. */
static step_result to_config(tensix_step *s, const struct op_REG2FLOP *op)
{
    if (op->OverrideThread || op->ByteOffset || op->ContextId_2) {
        tensix_fault(s, KERR_FAULT_UNKNOWN, tensix_ops[s->op].page,
                     "REG2FLOP to configuration with TargetSel %u, ByteOffset %u, ContextId_2 %u: only zeros are "
                     "described",
                     op->OverrideThread, op->ByteOffset, op->ContextId_2);
        return STEP_FAULTED;
    }
    if (op->ThConCfgIndex >= GLOBAL_CFGREG_BASE_ADDR32 - THCON_CFGREG_BASE_ADDR32) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, tensix_ops[s->op].page,
                     "REG2FLOP to index %u: THCON configuration has %u words", op->ThConCfgIndex,
                     GLOBAL_CFGREG_BASE_ADDR32 - THCON_CFGREG_BASE_ADDR32);
        return STEP_FAULTED;
    }
    const bool four = op->SizeSel == 0;
    const unsigned word = THCON_CFGREG_BASE_ADDR32 + (op->ThConCfgIndex & (four ? ~3u : ~0u));
    for (unsigned i = 0; i < (four ? 4 : 1); i++) {
        hook_config(s->tile, state_id(s), word + i, CHECK_WRITE | CHECK_LATER, tensix_thread_free(s, true));
        tensix_later_config(s->tile, s->tx, tensix_thread_free(s, true), state_id(s), word + i, UINT32_MAX,
                            scalar_gpr(s, (op->InputReg & (four ? 0x3Cu : 0x3Fu)) + i));
    }
    return STEP_RETIRED;
}

/* What of a GPR goes to a counter. */
static uint32_t adc_value(uint32_t value, unsigned size, unsigned shift8)
{
    switch (size) {
    case 1: return shift8 == 0 ? value : 0;
    case 2: return shift8 == 0 ? value & 0xFFFF : shift8 == 2 ? value >> 16 : 0;
    case 3: return value >> shift8 * 8 & 0xFF;
    default: return 0; /* 128 bits is not valid */
    }
}

/* To an ADC: nobody looks at it before the next cycle. */
static void to_adc(tensix_step *s, const struct op_REG2FLOP *op)
{
    enum { X_MASK = (1 << 18) - 1, YZW_MASK = (1 << 13) - 1 };
    const unsigned thread = op->OverrideThread ? op->ThreadSel : s->thread;
    if (thread >= TENSIX_THREADS || op->ADCSel >= ADC_SETS)
        return; /* "return" in the manual's model */
    const uint32_t value = adc_value(scalar_gpr(s, op->InputReg), op->SizeSel, op->Shift8);
    struct tensix_adc_channel *channel = &s->tx->thread[thread].adc[op->ADCSel][op->Channel];
    const uint16_t narrow = (uint16_t)(value & YZW_MASK);
    switch (op->XYZW << 1 | op->Cr) {
    case 0: channel->x = value & X_MASK; break;
    case 1: channel->x_cr = value & X_MASK; break;
    case 2: channel->y = narrow; break;
    case 3: channel->y_cr = narrow; break;
    case 4: channel->z = narrow; break;
    case 5: channel->z_cr = narrow; break;
    case 6: channel->w = narrow; break;
    default: channel->w_cr = narrow; break;
    }
}

step_result scalar_REG2FLOP(tensix_step *s, const struct op_REG2FLOP *op)
{
    if (scalar_in_reset(s))
        return STEP_STALLED;
    if (!op->TargetSel)
        return to_config(s, op);
    to_adc(s, op);
    return STEP_RETIRED;
}

/* ---- FLUSHDMA ----------------------------------------------------------------------------------------------- */

/* It looks from its second cycle on, and that in which all conditions are met is its last.  All of them are of its own
 * thread, which starts nothing meanwhile, so that cycle is known. */
step_result scalar_FLUSHDMA(tensix_step *s, const struct op_FLUSHDMA *op)
{
    if (scalar_in_reset(s))
        return STEP_STALLED;
    const uint32_t conditions = op->ConditionMask ? op->ConditionMask : 0xF;
    uint64_t met = s->cycle + s->issue - 1;
    if (conditions & 1)
        met = max64(met, s->t->loads_until);
    for (unsigned i = 0; i < 2; i++)
        if (conditions & 2u << i)
            met = max64(met, s->t->unpacker_until[i]);
    if (conditions & 8)
        met = max64(met, s->t->busy_until[UNIT_PACK]);
    s->issue = s->latency = (uint32_t)(met - s->cycle + 1);
    return STEP_RETIRED;
}

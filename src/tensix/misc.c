/* SPDX-License-Identifier: Apache-2.0 */
/* Miscellaneous Unit: manual WormholeB0 TensixCoprocessor/MiscellaneousUnit, ADCs and the pages of the instructions. */
#include "tensix/regs/adc.h"
#include "tensix/regs/src.h"

#include "tensix_units.h"

step_result misc_NOP(tensix_step *s, const struct op_NOP *op)
{
    (void)s, (void)op;
    return STEP_RETIRED;
}

/* ---- Which counters ------------------------------------------------------------------------------------------ */

/* WhichThread. */
static struct tensix_thread *thread_of(tensix_step *s, uint32_t ThreadOverride)
{
    return ThreadOverride == 0 ? s->t : &s->tx->thread[ThreadOverride - 1];
}

/* Bits of an instruction, in the order of struct tensix_thread. */
static unsigned sets(uint32_t U0, uint32_t U1, uint32_t PK)
{
    return U0 | U1 << 1 | PK << 2;
}

#define FOR_EACH_SET(adc, t, mask)                                                                                     \
    for (unsigned set_ = 0; set_ < ADC_SETS; set_++)                                                                   \
        for (struct tensix_adc_channel *adc = (mask) >> set_ & 1 ? (t)->adc[set_] : NULL; adc != NULL; adc = NULL)

/* ---- Set ------------------------------------------------------------------------------------------------------ */

step_result misc_SETADC(tensix_step *s, const struct op_SETADC *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->NewValue >> 16), sets(op->U0, op->U1, op->PK))
    adc_SETADC(adc, op);
    return STEP_RETIRED;
}

step_result misc_SETADCXY(tensix_step *s, const struct op_SETADCXY *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    adc_SETADCXY(adc, op);
    return STEP_RETIRED;
}

step_result misc_SETADCZW(tensix_step *s, const struct op_SETADCZW *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    adc_SETADCZW(adc, op);
    return STEP_RETIRED;
}

step_result misc_SETADCXX(tensix_step *s, const struct op_SETADCXX *op)
{
    FOR_EACH_SET(adc, s->t, sets(op->U0, op->U1, op->PK))
    adc_SETADCXX(adc, op);
    return STEP_RETIRED;
}

/* ---- Increment ------------------------------------------------------------------------------------------------ */

step_result misc_INCADCXY(tensix_step *s, const struct op_INCADCXY *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    adc_INCADCXY(adc, op);
    return STEP_RETIRED;
}

step_result misc_INCADCZW(tensix_step *s, const struct op_INCADCZW *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    adc_INCADCZW(adc, op);
    return STEP_RETIRED;
}

step_result misc_ADDRCRXY(tensix_step *s, const struct op_ADDRCRXY *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    adc_ADDRCRXY(adc, op);
    return STEP_RETIRED;
}

step_result misc_ADDRCRZW(tensix_step *s, const struct op_ADDRCRZW *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    adc_ADDRCRZW(adc, op);
    return STEP_RETIRED;
}

/* ---- Banks of SrcA and SrcB ----------------------------------------------------------------------------------- */

/* The implied format stays what it was.  The manual calls it unsupported on Blackhole for that; kernels use it there, with
 * implied formats disabled (llk_math_eltwise_unary_datacopy.h). */
step_result misc_SETDVALID(tensix_step *s, const struct op_SETDVALID *op)
{
    if (op->FlipSrcA)
        src_unpacker_flips(s, SRC_A);
    if (op->FlipSrcB)
        src_unpacker_flips(s, SRC_B);
    return STEP_RETIRED;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Miscellaneous Unit: manual WormholeB0 TensixCoprocessor/MiscellaneousUnit, ADCs and the pages of the instructions.
 *
 * ADCs are the address counters of unpackers and packer.  On Blackhole Z and W have 13 bits, as Y has (ADCs, d0ade26a). */
#include "tensix/regs/src.h"

#include "tensix_units.h"

enum { X_MASK = 0x3FFFF, YZW_MASK = 0x1FFF };

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

static void set_x(struct tensix_adc_channel *channel, uint32_t value)
{
    channel->x = channel->x_cr = value & X_MASK;
}

static void set(uint16_t *counter, uint16_t *counter_cr, uint32_t value)
{
    *counter = *counter_cr = value & YZW_MASK;
}

static void add_cr(uint16_t *counter, uint16_t *counter_cr, uint32_t increment)
{
    set(counter, counter_cr, *counter_cr + increment);
}

/* ---- Set ------------------------------------------------------------------------------------------------------ */

/* The two high bits of NewValue are both a thread's number and bits of X. */
/* The thread's number is not part of X: the kernel library (llk_unpack_AB_face_compressed_mm.h) sets X with it and unpacks that
 * many datums.  OPEN: the page's model has all 18 bits in X; its low 14 bits would do as well there.  The daisychain of a
 * card would settle it. */
step_result misc_SETADC(tensix_step *s, const struct op_SETADC *op)
{
    enum { X_BITS = 0xFFFF };
    FOR_EACH_SET(adc, thread_of(s, op->NewValue >> 16), sets(op->U0, op->U1, op->PK))
    {
        struct tensix_adc_channel *channel = &adc[op->Channel];
        switch (op->XYZW) {
        case 0: set_x(channel, op->NewValue & X_BITS); break;
        case 1: set(&channel->y, &channel->y_cr, op->NewValue); break;
        case 2: set(&channel->z, &channel->z_cr, op->NewValue); break;
        default: set(&channel->w, &channel->w_cr, op->NewValue);
        }
    }
    return STEP_RETIRED;
}

step_result misc_SETADCXY(tensix_step *s, const struct op_SETADCXY *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    {
        if (op->X0)
            set_x(&adc[0], op->X0Val);
        if (op->Y0)
            set(&adc[0].y, &adc[0].y_cr, op->Y0Val);
        if (op->X1)
            set_x(&adc[1], op->X1Val);
        if (op->Y1)
            set(&adc[1].y, &adc[1].y_cr, op->Y1Val);
    }
    return STEP_RETIRED;
}

step_result misc_SETADCZW(tensix_step *s, const struct op_SETADCZW *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    {
        if (op->Z0)
            set(&adc[0].z, &adc[0].z_cr, op->Z0Val);
        if (op->W0)
            set(&adc[0].w, &adc[0].w_cr, op->W0Val);
        if (op->Z1)
            set(&adc[1].z, &adc[1].z_cr, op->Z1Val);
        if (op->W1)
            set(&adc[1].w, &adc[1].w_cr, op->W1Val);
    }
    return STEP_RETIRED;
}

step_result misc_SETADCXX(tensix_step *s, const struct op_SETADCXX *op)
{
    FOR_EACH_SET(adc, s->t, sets(op->U0, op->U1, op->PK))
    {
        set_x(&adc[0], op->X0Val);
        set_x(&adc[1], op->X1Val);
    }
    return STEP_RETIRED;
}

/* ---- Increment ------------------------------------------------------------------------------------------------ */

step_result misc_INCADCXY(tensix_step *s, const struct op_INCADCXY *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    {
        adc[0].x = (adc[0].x + op->X0Inc) & X_MASK;
        adc[0].y = (adc[0].y + op->Y0Inc) & YZW_MASK;
        adc[1].x = (adc[1].x + op->X1Inc) & X_MASK;
        adc[1].y = (adc[1].y + op->Y1Inc) & YZW_MASK;
    }
    return STEP_RETIRED;
}

step_result misc_INCADCZW(tensix_step *s, const struct op_INCADCZW *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    {
        adc[0].z = (adc[0].z + op->Z0Inc) & YZW_MASK;
        adc[0].w = (adc[0].w + op->W0Inc) & YZW_MASK;
        adc[1].z = (adc[1].z + op->Z1Inc) & YZW_MASK;
        adc[1].w = (adc[1].w + op->W1Inc) & YZW_MASK;
    }
    return STEP_RETIRED;
}

step_result misc_ADDRCRXY(tensix_step *s, const struct op_ADDRCRXY *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    {
        if (op->X0)
            set_x(&adc[0], adc[0].x_cr + op->X0Inc);
        if (op->Y0)
            add_cr(&adc[0].y, &adc[0].y_cr, op->Y0Inc);
        if (op->X1)
            set_x(&adc[1], adc[1].x_cr + op->X1Inc);
        if (op->Y1)
            add_cr(&adc[1].y, &adc[1].y_cr, op->Y1Inc);
    }
    return STEP_RETIRED;
}

step_result misc_ADDRCRZW(tensix_step *s, const struct op_ADDRCRZW *op)
{
    FOR_EACH_SET(adc, thread_of(s, op->ThreadOverride), sets(op->U0, op->U1, op->PK))
    {
        if (op->Z0)
            add_cr(&adc[0].z, &adc[0].z_cr, op->Z0Inc);
        if (op->W0)
            add_cr(&adc[0].w, &adc[0].w_cr, op->W0Inc);
        if (op->Z1)
            add_cr(&adc[1].z, &adc[1].z_cr, op->Z1Inc);
        if (op->W1)
            add_cr(&adc[1].w, &adc[1].w_cr, op->W1Inc);
    }
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

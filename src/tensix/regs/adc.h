/* SPDX-License-Identifier: Apache-2.0 */
/* ADCs, the address counters of unpackers and packer: what the instructions of the Miscellaneous Unit do to both channels of one set.
 * Manual WormholeB0 TensixCoprocessor/ADCs and the pages of the instructions.  On Blackhole Z and W have 13 bits, as Y has (ADCs,
 * d0ade26a). */
#ifndef KERR_TENSIX_REGS_ADC_H
#define KERR_TENSIX_REGS_ADC_H

#include "tensix/state.h"

#include "tensix_isa.h"

enum { ADC_X_MASK = 0x3FFFF, ADC_YZW_MASK = 0x1FFF };

static inline void adc_set_x(struct tensix_adc_channel *channel, uint32_t value)
{
    channel->x = channel->x_cr = value & ADC_X_MASK;
}

static inline void adc_set(uint16_t *counter, uint16_t *counter_cr, uint32_t value)
{
    *counter = *counter_cr = value & ADC_YZW_MASK;
}

static inline void adc_add_cr(uint16_t *counter, uint16_t *counter_cr, uint32_t increment)
{
    adc_set(counter, counter_cr, *counter_cr + increment);
}

/* ---- Set ------------------------------------------------------------------------------------------------------ */

/* The two high bits of NewValue are both a thread's number and bits of X.
 * The thread's number is not part of X: the kernel library (llk_unpack_AB_face_compressed_mm.h) sets X with it and unpacks that
 * many datums.  OPEN: the page's model has all 18 bits in X; its low 14 bits would do as well there.  The daisychain of a
 * card would settle it. */
static inline void adc_SETADC(struct tensix_adc_channel adc[2], const struct op_SETADC *op)
{
    enum { X_BITS = 0xFFFF };
    struct tensix_adc_channel *channel = &adc[op->Channel];
    switch (op->XYZW) {
    case 0: adc_set_x(channel, op->NewValue & X_BITS); break;
    case 1: adc_set(&channel->y, &channel->y_cr, op->NewValue); break;
    case 2: adc_set(&channel->z, &channel->z_cr, op->NewValue); break;
    default: adc_set(&channel->w, &channel->w_cr, op->NewValue);
    }
}

static inline void adc_SETADCXY(struct tensix_adc_channel adc[2], const struct op_SETADCXY *op)
{
    if (op->X0)
        adc_set_x(&adc[0], op->X0Val);
    if (op->Y0)
        adc_set(&adc[0].y, &adc[0].y_cr, op->Y0Val);
    if (op->X1)
        adc_set_x(&adc[1], op->X1Val);
    if (op->Y1)
        adc_set(&adc[1].y, &adc[1].y_cr, op->Y1Val);
}

static inline void adc_SETADCZW(struct tensix_adc_channel adc[2], const struct op_SETADCZW *op)
{
    if (op->Z0)
        adc_set(&adc[0].z, &adc[0].z_cr, op->Z0Val);
    if (op->W0)
        adc_set(&adc[0].w, &adc[0].w_cr, op->W0Val);
    if (op->Z1)
        adc_set(&adc[1].z, &adc[1].z_cr, op->Z1Val);
    if (op->W1)
        adc_set(&adc[1].w, &adc[1].w_cr, op->W1Val);
}

static inline void adc_SETADCXX(struct tensix_adc_channel adc[2], const struct op_SETADCXX *op)
{
    adc_set_x(&adc[0], op->X0Val);
    adc_set_x(&adc[1], op->X1Val);
}

/* ---- Increment ------------------------------------------------------------------------------------------------ */

static inline void adc_INCADCXY(struct tensix_adc_channel adc[2], const struct op_INCADCXY *op)
{
    adc[0].x = (adc[0].x + op->X0Inc) & ADC_X_MASK;
    adc[0].y = (adc[0].y + op->Y0Inc) & ADC_YZW_MASK;
    adc[1].x = (adc[1].x + op->X1Inc) & ADC_X_MASK;
    adc[1].y = (adc[1].y + op->Y1Inc) & ADC_YZW_MASK;
}

static inline void adc_INCADCZW(struct tensix_adc_channel adc[2], const struct op_INCADCZW *op)
{
    adc[0].z = (adc[0].z + op->Z0Inc) & ADC_YZW_MASK;
    adc[0].w = (adc[0].w + op->W0Inc) & ADC_YZW_MASK;
    adc[1].z = (adc[1].z + op->Z1Inc) & ADC_YZW_MASK;
    adc[1].w = (adc[1].w + op->W1Inc) & ADC_YZW_MASK;
}

static inline void adc_ADDRCRXY(struct tensix_adc_channel adc[2], const struct op_ADDRCRXY *op)
{
    if (op->X0)
        adc_set_x(&adc[0], adc[0].x_cr + op->X0Inc);
    if (op->Y0)
        adc_add_cr(&adc[0].y, &adc[0].y_cr, op->Y0Inc);
    if (op->X1)
        adc_set_x(&adc[1], adc[1].x_cr + op->X1Inc);
    if (op->Y1)
        adc_add_cr(&adc[1].y, &adc[1].y_cr, op->Y1Inc);
}

static inline void adc_ADDRCRZW(struct tensix_adc_channel adc[2], const struct op_ADDRCRZW *op)
{
    if (op->Z0)
        adc_add_cr(&adc[0].z, &adc[0].z_cr, op->Z0Inc);
    if (op->W0)
        adc_add_cr(&adc[0].w, &adc[0].w_cr, op->W0Inc);
    if (op->Z1)
        adc_add_cr(&adc[1].z, &adc[1].z_cr, op->Z1Inc);
    if (op->W1)
        adc_add_cr(&adc[1].w, &adc[1].w_cr, op->W1Inc);
}

/* An instruction that counts nothing but one set of its own thread, the packer's: does it.  False: it is something else. */
static inline bool adc_of_packer(uint32_t word, struct tensix_adc_channel adc[2])
{
#define ADC_CASE(NAME, override)                                                                                       \
    case OPCODE_##NAME: {                                                                                              \
        const struct op_##NAME op = decode_##NAME(word);                                                               \
        if (!op.PK || op.U0 || op.U1 || (override))                                                                    \
            return false;                                                                                              \
        adc_##NAME(adc, &op);                                                                                          \
        return true;                                                                                                   \
    }
    switch (word >> 24) {
        ADC_CASE(SETADC, op.NewValue >> 16 != 0)
        ADC_CASE(SETADCXY, op.ThreadOverride != 0)
        ADC_CASE(SETADCZW, op.ThreadOverride != 0)
        ADC_CASE(SETADCXX, false)
        ADC_CASE(INCADCXY, op.ThreadOverride != 0)
        ADC_CASE(INCADCZW, op.ThreadOverride != 0)
        ADC_CASE(ADDRCRXY, op.ThreadOverride != 0)
        ADC_CASE(ADDRCRZW, op.ThreadOverride != 0)
    default: return false;
    }
#undef ADC_CASE
}

#endif

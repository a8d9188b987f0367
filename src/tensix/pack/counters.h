/* SPDX-License-Identifier: Apache-2.0 */
/* The packer's counters behind a PACR; mod: ADDR_MOD_PACK_SEC. */
#ifndef KERR_TENSIX_PACK_COUNTERS_H
#define KERR_TENSIX_PACK_COUNTERS_H

#include "tensix/state.h"

#include "cfg_fields.h"

enum { PACK_YZ_MASK = 0x1FFF };

#define MOD(mod, NAME) (((mod)&ADDR_MOD_PACK_SEC0_##NAME##_MASK) >> ADDR_MOD_PACK_SEC0_##NAME##_SHAMT)

static inline void pack_advance_source(struct tensix_adc_channel *adc, uint16_t mod)
{
    const unsigned y = MOD(mod, YsrcIncr);
    if (MOD(mod, YsrcClear))
        adc->y = adc->y_cr = 0;
    else if (MOD(mod, YsrcCR))
        adc->y = adc->y_cr = (adc->y_cr + y) & PACK_YZ_MASK;
    else
        adc->y = (adc->y + y) & PACK_YZ_MASK;
    if (MOD(mod, ZsrcClear))
        adc->z = adc->z_cr = 0;
    else
        adc->z = (adc->z + MOD(mod, ZsrcIncr)) & PACK_YZ_MASK;
}

/* Manual WormholeB0 Packers/OutputAddressGenerator. */
static inline void pack_advance_destination(struct tensix_adc_channel *adc, uint16_t mod)
{
    const unsigned y = MOD(mod, YdstIncr);
    if (MOD(mod, YdstClear))
        adc->y = adc->y_cr = 0;
    else if (MOD(mod, YdstCR))
        adc->y = adc->y_cr = (adc->y_cr + y) & PACK_YZ_MASK;
    else
        adc->y = (adc->y + y) & PACK_YZ_MASK;
    if (MOD(mod, ZdstClear))
        adc->z = adc->z_cr = 0;
    else
        adc->z = (adc->z + MOD(mod, ZdstIncr)) & PACK_YZ_MASK;
}

#undef MOD

#endif

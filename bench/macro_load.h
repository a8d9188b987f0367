/* SPDX-License-Identifier: Apache-2.0 */
/* sfp-macro-typecast: sdk/examples/typecast.c, FP32 to BF16 with SFPLOADMACRO, a tile converted again and again.  What has been
 * rounded once stays as it is, so the result is known without counting. */
#ifndef KERR_BENCH_MACRO_LOAD_H
#define KERR_BENCH_MACRO_LOAD_H

#include "../sdk/examples/typecast_params.h"
#include "../sdk/include/kerr_params.h"

#include <stdint.h>

enum { MACRO_FROM = 0x20000, MACRO_TO = 0x40000 };

static inline kerr_params macro_load_params(uint32_t repeat)
{
    return (kerr_params){.argument = {[TYPECAST_KIND] = TYPECAST_FP32_BF16,
                                      [TYPECAST_FROM] = MACRO_FROM,
                                      [TYPECAST_TO] = MACRO_TO,
                                      [TYPECAST_REPEAT] = repeat}};
}

/* Numbers whose rounding does not overflow. */
static inline void macro_load_input(uint32_t words[TYPECAST_DATUMS], uint32_t seed)
{
    uint32_t state = 0x9E3779B9u * (seed + 1);
    for (unsigned i = 0; i < TYPECAST_DATUMS; i++) {
        state = state * 1664525u + 1013904223u;
        words[i] = (state & 0xBFFFFFFFu) | 0x00800000u;
    }
}

static inline uint32_t macro_load_output(uint32_t word)
{
    return (word + 0x7FFF + (word >> 16 & 1)) & 0xFFFF0000u;
}

#endif

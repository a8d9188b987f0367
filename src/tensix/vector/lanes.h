/* SPDX-License-Identifier: Apache-2.0 */
/* 32 lanes at once: loops that compilers vectorise, and what goes between them and masks of one bit a lane. */
#ifndef KERR_TENSIX_VECTOR_LANES_H
#define KERR_TENSIX_VECTOR_LANES_H

#include "tensix/vector/vector.h"

#include "base/bits.h"
#include "base/simd.h"

#include <string.h>

/* r[i] = EXPRESSION in all lanes. */
#define LANEWISE(r, expression)                                                                                        \
    do {                                                                                                               \
        for (unsigned i = 0; i < LANES; i++)                                                                           \
            (r)[i] = (expression);                                                                                     \
    } while (0)

/* A loop over lanes: they have nothing to do with each other, whichever registers these are.  (clang looks for itself.) */
#if defined(__clang__)
#define LANES_APART
#else
#define LANES_APART _Pragma("GCC ivdep")
#endif
/* VD = EXPRESSION, in `lanes` of o's. */
#define RESULT(expression)                                                                                             \
    do {                                                                                                               \
        uint32_t *const VD_ = v->LReg[o->VD];                                                                          \
        if (LIKELY(lanes == UINT32_MAX && vector_writable(o->VD))) {                                                   \
            LANES_APART for (unsigned i = 0; i < LANES; i++) VD_[i] = (expression);                                    \
        } else if (vector_writable(o->VD)) {                                                                           \
            LANES_APART for (unsigned i = 0; i < LANES; i++) VD_[i] = lanes >> i & 1 ? (expression) : VD_[i];          \
        }                                                                                                              \
    } while (0)

/* All lanes of a register; a call of memcpy costs more than this. */
typedef uint32_t lanes_four __attribute__((vector_size(16), aligned(4), may_alias));
static inline __attribute__((always_inline)) void lanes_copy(void *to, const void *from)
{
    lanes_four *t = to;
    const lanes_four *f = from;
    t[0] = f[0], t[1] = f[1], t[2] = f[2], t[3] = f[3];
    t[4] = f[4], t[5] = f[5], t[6] = f[6], t[7] = f[7];
}
_Static_assert(LANES * sizeof(uint32_t) == 8 * sizeof(lanes_four), "all of them");

static inline void lanes_blend(uint32_t *restrict to, const uint32_t *restrict from, uint32_t lanes)
{
    if (lanes == UINT32_MAX) {
        lanes_copy(to, from);
        return;
    }
    for (unsigned i = 0; i < LANES; i++)
        to[i] = lanes >> i & 1 ? from[i] : to[i];
}

/* Results of an instruction. */
static inline void lanes_put(struct vector_files *v, uint32_t lanes, unsigned VD, const uint32_t r[LANES])
{
    if (vector_writable(VD))
        lanes_blend(v->LReg[VD], r, lanes);
}

/* Bit i of the result: bit 31 of r[i]. */
static inline uint32_t lanes_signs(const uint32_t r[LANES])
{
    uint8_t sign[LANES];
    for (unsigned i = 0; i < LANES; i++)
        sign[i] = (uint8_t)(r[i] >> 31);
    uint32_t mask = 0;
    for (unsigned group = 0; group < LANES / 8; group++) {
        uint64_t eight;
        memcpy(&eight, sign + 8 * group, 8);
        mask |= (uint32_t)(eight * UINT64_C(0x0102040810204080) >> 56) << 8 * group; /* byte i becomes bit i */
    }
    return mask;
}

static inline void flags_put(struct vector_files *v, uint32_t lanes, uint32_t flags)
{
    v->LaneFlags = (v->LaneFlags & ~lanes) | (flags & lanes);
}

#endif

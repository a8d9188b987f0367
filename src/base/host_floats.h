/* SPDX-License-Identifier: Apache-2.0 */
/* The host's floating point while a chip runs: to nearest even, denormals as they are, no exception.  Fast paths of units use it
 * (num/l1_accumulate.c, num/fma_avx2.h, num/sfpu.h, tensix/matrix/fast.c), and whoever calls us may have set it otherwise. */
#ifndef KERR_BASE_HOST_FLOATS_H
#define KERR_BASE_HOST_FLOATS_H

#if defined(__x86_64__)
#include <xmmintrin.h>

enum { HOST_FLOATS = _MM_MASK_MASK }; /* of MXCSR: all exceptions masked, everything else zero */

/* What was there before. */
static inline unsigned host_floats_take(void)
{
    const unsigned before = _mm_getcsr();
    _mm_setcsr(HOST_FLOATS);
    return before;
}

static inline void host_floats_give_back(unsigned before)
{
    _mm_setcsr(before);
}
#else
/* No fast path uses it there but plain sums. */
static inline unsigned host_floats_take(void)
{
    return 0;
}

static inline void host_floats_give_back(unsigned before)
{
    (void)before;
}
#endif

#endif

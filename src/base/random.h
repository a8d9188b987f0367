/* SPDX-License-Identifier: Apache-2.0 */
/* Counter-based randomness: the n-th draw of (seed, place) is a pure function, so results do not depend on
 * threads, windows or who asks first. */
#ifndef KERR_BASE_RANDOM_H
#define KERR_BASE_RANDOM_H

#include <stdint.h>

/* A 64-bit finaliser (two rounds of xor-shift and multiply by odd constants). */
static inline uint64_t mix64(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static inline uint64_t random_at(uint64_t seed, uint64_t place, uint64_t n)
{
    return mix64(mix64(seed ^ (place * UINT64_C(0x9E3779B97F4A7C15))) + n * UINT64_C(0xD1B54A32D192ED03));
}

#endif

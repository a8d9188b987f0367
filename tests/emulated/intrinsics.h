/* SPDX-License-Identifier: Apache-2.0 */
/* Each intrinsic of AVX-512 that src/num and src/tensix/matrix use, as a function of bytes: once of the processor's (native.c) and once
 * of include/immintrin.h (emulated.c). */
#ifndef KERR_TESTS_EMULATED_INTRINSICS_H
#define KERR_TESTS_EMULATED_INTRINSICS_H

#include <stdint.h>

struct intrinsic_in {
    union {
        uint32_t word[16];
        float number[16];
    } vector[3];
    uint32_t mask;
};
struct intrinsic {
    const char *name;
    /* 64 bytes of result; a mask, or a result of fewer, has zeros behind it. */
    void (*function)(const struct intrinsic_in *in, uint32_t result[16]);
    int floats; /* of numbers: any NaN is as good as another */
};

extern const struct intrinsic intrinsics_native[], intrinsics_emulated[];
extern const unsigned intrinsics_count_native, intrinsics_count_emulated;

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The intrinsics of include/immintrin.h against the processor's, where it has AVX-512; and that the units linked here, which are
 * compiled with them, have the forms for it on any processor.  Prints TAP. */
#include "intrinsics.h"

#include "num/fma_lanes.h"
#include "tensix/matrix/kernel.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 20000, BEST = 2 /* of tensix/matrix/fast.c */ };

static uint64_t state = 1;
static uint32_t draw(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(state >> 32);
}

/* Any bits; floats about one; small integers, as shifts and indices are; floats at the ends, and halves. */
static uint32_t operand(unsigned kind)
{
    static const uint32_t ends[] = {0,          1,          0x007FFFFF, 0x00800000, 0x0C800000,
                                    0x3F000000, 0x3FC00000, 0x40200000, 0x4AFFFFFF, 0x4EFFFFFF,
                                    0x4F000000, 0x7F7FFFFF, 0x7F800000, 0x7F800001, 0x7FC00000};
    switch (kind % 4) {
    case 0: return draw();
    case 1: return (draw() & 0x807FFFFF) | (100 + draw() % 50) << 23;
    case 2: return draw() % 40;
    default: return ends[draw() % (sizeof ends / sizeof *ends)] | draw() << 31;
    }
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7FFFFFFF) > 0x7F800000;
}

static bool agree(const struct intrinsic *native, const struct intrinsic *emulated, char *why, size_t size)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct intrinsic_in in = {.mask = draw()};
        uint32_t want[16], got[16];
        const unsigned kinds = draw();
        for (unsigned v = 0; v < 3; v++)
            for (unsigned i = 0; i < 16; i++)
                in.vector[v].word[i] = operand(kinds >> 2 * v);
        native->function(&in, want);
        emulated->function(&in, got);
        for (unsigned i = 0; i < 16; i++)
            if (want[i] != got[i] && !(native->floats && is_nan(want[i]) && is_nan(got[i]))) {
                snprintf(why, size, "word %u of %08x, %08x, %08x, mask %08x: %08x, not %08x", i, in.vector[0].word[i],
                         in.vector[1].word[i], in.vector[2].word[i], in.mask, got[i], want[i]);
                return false;
            }
    }
    return true;
}

int main(void)
{
    const bool native = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
                        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("fma");
    unsigned count = 0, failed = 0;
    const bool forms = fma_has(FMA_ON_AVX2) && matrix_best() == BEST;
    printf("%s %u - units compiled with these intrinsics have all forms\n", forms ? "ok" : "not ok", ++count);
    failed += !forms;
    for (unsigned i = 0; i < intrinsics_count_native; i++) {
        const struct intrinsic *n = &intrinsics_native[i];
        char why[200] = "";
        if (!native) {
            printf("ok %u - %s # SKIP optional: this processor has no AVX-512\n", ++count, n->name);
            continue;
        }
        const bool same =
            strcmp(n->name, intrinsics_emulated[i].name) == 0 && agree(n, &intrinsics_emulated[i], why, sizeof why);
        printf("%s %u - %s\n", same ? "ok" : "not ok", ++count, n->name);
        if (!same)
            printf("# %s\n", why);
        failed += !same;
    }
    printf("1..%u\n", count);
    return failed != 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The random number generators: one of 32 bits in each lane (manual VectorUnit "PRNG").
 *
 * The manual does not say what a seed makes of them.  Others have published what two cards and the vendor's simulator do
 * (docs/errata-tensix.md): a store of a core to PRNG_SEED starts them all, WRCFG does not, and lanes hold one sequence at different
 * times: lane i is two steps behind lane i - 1.  Lane 0 is 98 steps from the seed on the cards, which were looked at in lanes 0
 * and 1; 96 in the simulator. */
#include "tensix/vector/lanes.h"

#include "num/sfpu.h"

enum { STEPS_OF_LANE_0 = 98, STEPS_A_LANE = 2 };

SIMD_CLONES void vector_random(struct vector_files *v, uint32_t lanes, uint32_t random[LANES])
{
    uint32_t next[LANES];
    memcpy(random, v->prng, sizeof v->prng);
    LANEWISE(next, sfpu_prng_next(random[i]));
    lanes_blend(v->prng, next, lanes);
}

void vector_seed(struct vector_files *v, uint32_t seed)
{
    uint32_t state = seed;
    unsigned steps = 0;
    for (unsigned lane = LANES; lane-- > 0;) {
        for (; steps < STEPS_OF_LANE_0 - STEPS_A_LANE * lane; steps++)
            state = sfpu_prng_next(state);
        v->prng[lane] = state;
    }
}

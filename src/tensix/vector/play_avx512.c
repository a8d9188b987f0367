/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit on a processor with AVX-512. */
#include "tensix/vector/play.h"

#if defined(__x86_64__)
#include "tensix/vector/lanes512.h"

#include "tensix/vector/lanes_play.h"

HOST void play_on_avx512(const struct play_run *run)
{
    play_all(run);
}

HOST void play_slow_mad(struct vector_files *v, struct play_step *step, uint32_t lanes)
{
    const struct vector_operands *o = &step->o;
    if (step->code != PLAY_MAD) {
        multiply(v, step, lanes);
        return;
    }
    const struct lanes x = negated(get(v->LReg[o->VA]), o->mod & NEGATE_VA), y = get(v->LReg[o->VB]);
    const struct lanes z = negated(get(v->LReg[o->VC]), o->mod & NEGATE_VC);
    struct lanes r;
    unsure(&r, &x, &y, &z);
    put(v->LReg[o->VD], lanes, r);
}

bool play_has_avx512(void)
{
    return fma_has_avx512();
}
#else
bool play_has_avx512(void)
{
    return false;
}
void play_on_avx512(const struct play_run *run)
{
    (void)run;
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of the Vector Unit on a processor with AVX2 and fused multiply-adds. */
#include "tensix/vector/play.h"

#if defined(__x86_64__)
#include "tensix/vector/lanes256.h"

#include "tensix/vector/lanes_play.h"

HOST void play_on_avx2(const struct play_run *run)
{
    play_all(run);
}

bool play_has_avx2(void)
{
    return fma_has_avx2();
}
#else
bool play_has_avx2(void)
{
    return false;
}
void play_on_avx2(const struct play_run *run)
{
    (void)run;
}
#endif

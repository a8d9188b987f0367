/* SPDX-License-Identifier: Apache-2.0 */
/* ReLU: manual WormholeB0 Packers/ReLU.
 *
 * Signs and magnitudes are compared as they stand, so that a NaN is larger than any threshold and -NaN less than zero.  The
 * page has comparisons of floats; a card compares so (a branch of tt-metal, SORTING.md A2), and so does the
 * reference.  In the clamp of an FP32 the reference leaves out the 13 low bits: what is greater than the threshold by
 * less than that passes.  Followed (docs/errata-tensix.md). */
#include "tensix/pack/pack.h"

enum { RELU_NONE, RELU_ZERO, RELU_MIN_THRESHOLD, RELU_MAX_THRESHOLD };
enum { TF32_CUT = 13 };

static uint32_t sign_of(enum pack_kind kind)
{
    return kind == PACK_E8 || kind == PACK_INT32 ? UINT32_C(1) << 31 : kind == PACK_INT8 ? 0x80 : 0x8000;
}

uint32_t pack_relu(const struct pack_job *job, uint32_t word)
{
    if (job->modes->relu == RELU_NONE)
        return word;
    if (word & sign_of(job->kind))
        return 0;
    const unsigned cut = job->kind == PACK_E8 ? TF32_CUT : 0;
    if (job->modes->relu == RELU_MIN_THRESHOLD && word <= job->modes->relu_threshold)
        return 0;
    if (job->modes->relu == RELU_MAX_THRESHOLD && word >> cut > job->modes->relu_threshold >> cut)
        return job->modes->relu_threshold;
    return word;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Exponent histogram, exponent threshold, CLREXPHIST: manual WormholeB0 Packers/ExponentHistogram,
 * Packers/ExponentThresholding, CLREXPHIST.
 *
 * The page has every datum counted.  Cards count one in eight: of the 64 datums of a PACR the first eight, for the largest exponent as
 * well (a branch of tt-metal, SORTING.md A3 and A5, one p150a; metalium-rs, step93, two p150a: 8, 16, ...
 * 128 counts for 4, 8, ... 64 rows).
 * OPEN: which of them where a PACR does not read four whole rows; here columns 0 to 7 of the first row that it reads.
 * OPEN: CLREXPHIST of one thread overtakes PACRs in flight on a card (A6); here a PACR has counted when it is taken. */
#include "tensix/pack/pack.h"

#include "num/vec.h"

#include "tensix/regs/matrix_unit.h"

#include "tensix_units.h"

#include <string.h>

enum { HISTOGRAM_MOST = 255 };

/* OPEN: "unspecified" for INT8; its seven bits of magnitude here. */
uint8_t pack_exponent(enum pack_kind kind, uint32_t word)
{
    switch (kind) {
    case PACK_E5: return word >> 10 & 0x1F;
    case PACK_INT16: return (uint8_t)word;
    case PACK_INT8: return word & 0x7F;
    default: return (uint8_t)(word >> 23); /* INT32: as if it were an FP32 */
    }
}

void pack_histogram(struct pack_job *job, uint32_t word)
{
    struct tensix_packer *p = job->packer;
    const uint8_t exponent = pack_exponent(job->kind, word);
    uint8_t *bin = &p->exponent_histogram[exponent & 31];
    if (job->statistics && *bin != HISTOGRAM_MOST)
        (*bin)++;
    if (exponent > p->max_exponent)
        p->max_exponent = exponent;
}

/* Cells have their exponent, or for integers what counts for one, in their lowest bits; where the mantissa is rounded it may become one
 * more. */
bool pack_raises_max_exponent(const struct tensix_packer *p, const uint16_t *cells)
{
    if (p->max_exponent == UINT8_MAX)
        return false;
    const unsigned way = p->modes.way;
    const bool rounded = way == PACK_WAY_E8M6_TO_BFP || way == PACK_WAY_32_TO_BF16 || way == PACK_WAY_32_TO_BFP;
    const int16_t mask = way == PACK_WAY_FP16 ? 0x1F : 0xFF, most = (int16_t)(p->max_exponent - rounded);
    const vec8s16 above = ((vec8s16)vec_load16(cells) & mask) > most;
    uint64_t any[2];
    memcpy(any, &above, sizeof any);
    return (any[0] | any[1]) != 0;
}
_Static_assert(PACK_HISTOGRAM_COLUMNS == 8, "a vector");

void pack_histogram_reset(struct tensix_packer *packer)
{
    memset(packer->exponent_histogram, 0, sizeof packer->exponent_histogram);
    packer->max_exponent = 0;
}

/* The format that counts is In_data_format; config.c has seen to it that there is no threshold for the others. */
uint32_t pack_threshold(const struct pack_job *job, uint32_t word)
{
    return pack_exponent(job->kind, word) < job->modes->threshold ? 0 : word;
}

step_result matrix_CLREXPHIST(tensix_step *s, const struct op_CLREXPHIST *op)
{
    (void)op;
    if (matrix_held(s))
        return STEP_STALLED;
    pack_histogram_reset(&s->tx->packer);
    return STEP_RETIRED;
}

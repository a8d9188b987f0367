/* SPDX-License-Identifier: Apache-2.0 */
/* Stochastic rounding: manual WormholeB0 Packers/FormatConversion says that there is such a mode and what is wrong with it, in the
 * words in which SFPSTOCHRND describes the Vector Unit's; so the comparison is taken from there: up if the discarded bits are not
 * less than as many random ones.  The generator is that of VectorUnit "PRNG".
 *
 * From documents alone: the reference refuses it.  OPEN: which generators there are (here one a column), when they advance (here once for each
 * datum that is rounded), and what PRNG_SEED makes of them (pack_seed).  ALU_ROUNDING_MODE_Gasket_srnd_en is taken for the
 * early conversion, Packer_srnd_en for shared exponents in the late one.  Would settle it: a card. */
#include "tensix/pack/pack.h"

#include "num/dst_cells.h"

enum { PRNG_TAPS = (int)0x80200003 };

/* AdvancePRNG: gives the state and steps. */
static uint32_t advance(uint32_t *state)
{
    const uint32_t result = *state;
    const uint32_t tapped = (uint32_t)__builtin_popcount(result & (uint32_t)PRNG_TAPS);
    *state = ~tapped << 31 | result >> 1;
    return result;
}

/* Generators must differ from each other, or all columns would round alike: the seed, plus the column times an odd number. */
void pack_seed(struct tensix_packer *packer, uint32_t seed)
{
    enum { APART = (int)0x9E3779B9 };
    for (unsigned i = 0; i < ROW_DATUMS; i++)
        packer->prng[i] = seed + i * (uint32_t)APART;
}

/* Mantissa bits that the early conversion leaves to words of `total` mantissa bits. */
static unsigned kept_bits(const struct pack_job *job, unsigned total)
{
    const struct pack_conversion *c = &job->conversion;
    switch (c->IntermediateFormat) {
    case FORMAT_TF32:
    case FORMAT_FP16: return 10;
    case FORMAT_BF16: return c->Round_10b_mant ? 10 : 7;
    case FORMAT_BFP8:
    case FORMAT_BFP8a: return 6;
    case FORMAT_FP32: return c->Round_10b_mant ? 10 : total;
    default: return total; /* nothing is rounded */
    }
}

/* The conversion rounds to nearest, ties up: with half a unit in the place of what is cut off it rounds up, with nothing down. */
static uint32_t dither(uint32_t *state, uint32_t word, unsigned cut)
{
    const uint32_t mask = (UINT32_C(1) << cut) - 1;
    if (cut == 0)
        return word;
    const bool up = (word & mask) >= (advance(state) & mask);
    return (word & ~mask) | (up ? UINT32_C(1) << (cut - 1) : 0);
}

uint32_t pack_dither(struct pack_job *job, unsigned column, uint32_t cell)
{
    uint32_t *state = &job->packer->prng[column];
    if (job->conversion.Read_32b_data) {
        const uint32_t word = bits_from_dst32((struct dst32_cell){cell});
        return dst32_from_bits(dither(state, word, 23 - kept_bits(job, 23))).bits;
    }
    const struct dst16_cell x = {(uint16_t)cell};
    if (job->kind == PACK_E8) {
        const unsigned kept = kept_bits(job, 7);
        return dst16_from_bf16((struct bf16){(uint16_t)dither(state, bf16_from_dst16(x).bits, kept < 7 ? 7 - kept : 0)})
            .bits;
    }
    if (job->kind == PACK_E5)
        return dst16_from_fp16((struct fp16){(uint16_t)dither(state, fp16_from_dst16(x).bits, 10 - kept_bits(job, 10))})
            .bits;
    return cell;
}

/* As pack_late_bfp, whose exponent and signs stay; magnitudes are rounded again. */
uint8_t pack_late_bfp_stochastic(struct pack_job *job, const uint32_t words[ROW_DATUMS], uint8_t datums[ROW_DATUMS])
{
    enum { MANTISSA = 7, HIDDEN = 1 << MANTISSA, DEEPEST = 31 };
    struct pack_conversion to_8 = job->conversion;
    const bool is_a = pack_kind_of(to_8.LateToFormat) == PACK_E5;
    const uint8_t exponent = pack_late_bfp(job->conversion, words, datums);
    to_8.LateToFormat = is_a ? FORMAT_FP16 : FORMAT_BF16;
    const unsigned bits = format_bits(job->conversion.LateToFormat), cut = 8 - bits;
    for (unsigned i = 0; i < ROW_DATUMS; i++) {
        const uint32_t x = pack_late(to_8, words[i]);
        const uint32_t own = is_a ? x >> 10 & 0x1F : x >> 7 & 0xFF;
        const uint32_t mantissa = is_a ? x >> 3 & 0x7F : x & 0x7F;
        const uint64_t significand = own ? mantissa | HIDDEN : 0;
        const unsigned shift = exponent - own >= DEEPEST ? DEEPEST : exponent - own + 1;
        const uint32_t mask = (UINT32_C(1) << shift) - 1;
        const bool up = significand && (significand & mask) >= (advance(&job->packer->prng[i]) & mask);
        uint32_t magnitude = (uint32_t)(significand >> shift) + up;
        magnitude = (magnitude > 127 ? 127 : magnitude) >> cut;
        datums[i] = (uint8_t)(magnitude ? (x >> 15 & 1) << (bits - 1) | magnitude : 0);
    }
    return exponent;
}

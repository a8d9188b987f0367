/* SPDX-License-Identifier: Apache-2.0 */
/* The main unpack loop, datum by datum, as the page has it: the reference for rows.c, and what does everything that rows do
 * not: compressed input, upsampling, a column shift, output in the middle of a row.
 *
 * One thing is not as the page has it: a count of zeroes is of those before its datum.  The page (Wormhole's) says behind it, of the
 * unpacker and of the packer, whose output an unpacker "can consume"; a Blackhole packer counts those before (pack/compress.c).
 * OPEN: no card has been seen to unpack compressed data.  Would settle it: an UNPACR of the row 1 0 0 2 as a packer leaves it. */
#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

enum { DELTA_BITS = 4, DELTA_GROUP = 32, L1_WORD_BITS = 128 };

/* ReadL1Bytes: `bits` bits from the bit address `at`, lowest first. */
static bool read_l1(const uint8_t *l1, uint32_t size, uint64_t at, unsigned bits, uint32_t *value)
{
    if ((at + bits + BITS - 1) / BITS > size)
        return false;
    *value = 0;
    for (unsigned i = 0; i < bits; i++, at++)
        *value |= (uint32_t)(l1[at / BITS] >> at % BITS & 1) << i;
    return true;
}

/* The three streams in L1. */
struct streams {
    const uint8_t *l1;
    uint32_t size;
    uint64_t datums, deltas, exponents; /* as in unpack_plan */
    uint32_t taken;                     /* datums: i of the page */
    uint64_t bad;                       /* an address outside L1, in bytes */
};

static bool next_datum(const struct unpack_plan *plan, struct streams *in, uint32_t *bits)
{
    if (!read_l1(in->l1, in->size, in->datums, plan->c->datum_bits, bits)) {
        in->bad = in->datums / BITS;
        return false;
    }
    in->datums += plan->c->datum_bits;
    if (++in->taken % plan->c->UnpackRowWidth == 0) {
        in->datums += plan->c->RowStride - (uint64_t)plan->c->datum_bits * plan->c->UnpackRowWidth;
        in->datums = unpack_wrap(plan->c, in->datums, BITS);
    }
    return true;
}

static bool next_exponent(const struct unpack_plan *plan, struct streams *in, uint8_t *exponent)
{
    if (!plan->c->bfp || plan->c->Force_shared_exp) {
        *exponent = plan->c->shared_exp;
        return true;
    }
    const uint64_t address = in->exponents / EXPONENT_SHARES;
    if (address >= in->size) {
        in->bad = address;
        return false;
    }
    *exponent = in->l1[address];
    if (++in->exponents % (16 * EXPONENT_SHARES) == 0)
        in->exponents = unpack_wrap(plan->c, in->exponents, EXPONENT_SHARES);
    return true;
}

/* How many zeroes were left out before the datum. */
static bool next_delta(const struct unpack_plan *plan, struct streams *in, uint32_t *zeroes)
{
    *zeroes = 0;
    if (plan->c->IsUncompressed)
        return true;
    if (!read_l1(in->l1, in->size, in->deltas, DELTA_BITS, zeroes)) {
        in->bad = in->deltas / BITS;
        return false;
    }
    in->deltas += DELTA_BITS;
    if (in->deltas % L1_WORD_BITS == 0) {
        in->datums += L1_WORD_BITS;
        in->deltas = unpack_wrap(plan->c, in->deltas + (uint64_t)DELTA_GROUP * plan->c->datum_bits, BITS);
    }
    return true;
}

/* One position of the output, or more with upsampling: the datum, then zeroes or nothing. */
static void put(const struct unpack_plan *plan, struct unpack_writer *out, uint32_t datum)
{
    for (unsigned k = 0; k <= plan->c->UpsampleZeroes; k++, out->address++)
        if (k == 0 || !plan->c->UpsampleInterleave)
            unpack_write_datum(plan, out, k == 0 ? datum : 0);
}

struct unpack_outcome unpack_plain(const struct unpack_plan *plan, const uint8_t *l1, uint32_t size,
                                   struct tensix_files *files)
{
    struct streams in = {.l1 = l1,
                         .size = size,
                         .datums = plan->InAddr_Datums,
                         .deltas = plan->InAddr_Deltas,
                         .exponents = plan->InAddr_Exponents};
    struct unpack_writer out = {.files = files, .address = plan->OutAddr, .row = UNPACK_NO_ROW};
    uint32_t drop = plan->DecompressDrop, left = plan->DecompressNumDatums;
    while (in.taken < plan->InputNumDatums && left != 0) {
        uint32_t bits, zeroes;
        uint8_t exponent;
        if (!next_datum(plan, &in, &bits) || !next_exponent(plan, &in, &exponent) || !next_delta(plan, &in, &zeroes))
            return (struct unpack_outcome){UNPACK_OUTSIDE_L1, (uint32_t)(in.bad > UINT32_MAX ? UINT32_MAX : in.bad),
                                           in.taken, out.address - plan->OutAddr};
        uint32_t datum = unpack_datum(plan->c->conversion, bits, exponent);
        if (plan->c->AllDatumsAreZero)
            datum = zeroes = 0;
        for (uint32_t j = 0; j <= zeroes && left != 0; j++) {
            if (drop != 0) {
                drop--;
                continue;
            }
            put(plan, &out, j == zeroes ? datum : 0);
            left--;
        }
    }
    return (struct unpack_outcome){out.row == UNPACK_NO_ROW ? UNPACK_DONE : UNPACK_ROW, out.row, in.taken,
                                   out.address - plan->OutAddr};
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How fast an unpacker reads L1: the page's "Performance", and what it says of Blackhole's speeds where it looks for lost
 * writes to SrcA.
 *
 * The way from L1 to Src is COST_UNPACK_WAY cycles long: what comes out of it is late, but the unpacker goes on with what
 * comes behind.  OPEN: how long it is on a card.  Would settle it: the clock around one UNPACR and an ELWADD that waits
 * for it. */
#include "tensix/unpack/unpack.h"

#include "base/bits.h"

#define LOG2(x) ((unsigned)__builtin_ctz(x))
enum { X1 = 0, X2 = 1, X4 = 2, X8 = 3 }; /* Throttle_mode: 16 bytes a cycle, and so on */

/* The mode that is wanted; `limited`: with all that makes it slower. */
static unsigned mode_of(const struct unpack_config *c, bool limited)
{
    unsigned mode = c->Throttle_mode;
    if (c->datum_bits == 2)
        return X1;
    if (c->Tileize_mode)
        return X4;
    if (!c->ovrd_default_throttle_mode)
        mode = c->datum_bits == 8 ? X8 : X4;
    if (!limited)
        return mode;
    if (!c->IsUncompressed || c->UpsampleZeroes >= 3)
        return X1;
    if (mode > X2 && (c->UpsampleZeroes == 1 || (c->UnpackToDst && c->datum_bits == 4)))
        return X2;
    return mode;
}

/* x4 is twice as fast for what is wider than a byte.  As a power of two. */
static unsigned pace_log2(unsigned mode, const struct unpack_config *c)
{
    return mode == X4 && c->datum_bits >= 16 ? LOG2(COST_UNPACK_X4_WIDE) : LOG2(COST_UNPACK_X1) + mode;
}
_Static_assert(COST_UNPACK_X1 == 16 && COST_UNPACK_X4_WIDE == 128, "powers of two");

uint32_t unpack_burst_rows(const struct unpack_config *c)
{
    const unsigned row = LOG2(ROW_DATUMS / BITS) + (unsigned)__builtin_ctz(c->datum_bits);
    const unsigned burst = pace_log2(mode_of(c, false), c);
    return burst <= row ? 1 : burst - row > 3 ? 8 : 1u << (burst - row);
}

/* With decompression and upsampling more comes out than goes in: not more than a row of 16 a cycle. */
void unpack_plan_time(struct unpack_plan *plan, uint64_t taken, uint64_t written)
{
    enum { ZEROES_BITS = 4 /* of compressed input: its count of zeroes */ };
    const struct unpack_config *c = plan->c;
    const unsigned mode = mode_of(c, true), pace = pace_log2(mode, c);
    const uint32_t bits = c->datum_bits + (c->IsUncompressed ? 0 : (uint32_t)ZEROES_BITS);
    const uint64_t bytes = (taken * bits + BITS - 1) / BITS;
    const uint64_t in = (bytes + (UINT64_C(1) << pace) - 1) >> pace;
    const uint64_t out = written > taken ? (written + ROW_DATUMS - 1) / ROW_DATUMS : 0;
    plan->cycles = (uint32_t)max64(1, max64(in, out));
    plan->narrow = mode == X1; /* does not disturb the other unpacker */
}

/* The page's table of speeds when both unpackers want to read: together they get no more than one alone, unless one of them
 * is content with x1.  So one waits for the other here, which gives the sum that the table has for x4 and x4. */
uint64_t unpack_occupy(tensix_step *s, unsigned which, uint64_t from, uint32_t cycles, bool narrow)
{
    struct tensix_unpacker *own = &s->tx->unpacker[which];
    from = max64(from, own->data_until);
    if (!narrow)
        from = max64(from, s->tx->unpacker[!which].wide_until);
    own->data_until = from + cycles;
    s->tx->data_cycles[0] += cycles;
    if (!narrow)
        own->wide_until = own->data_until;
    unpack_busy_until(s, which, own->data_until);
    s->latency = (uint32_t)(own->data_until - s->cycle);
    return own->data_until;
}

uint64_t unpack_arrives(tensix_step *s, unsigned which)
{
    const uint64_t there = s->tx->unpacker[which].data_until + COST_UNPACK_WAY;
    unpack_busy_until(s, which, there);
    s->latency = (uint32_t)(there - s->cycle);
    return there;
}

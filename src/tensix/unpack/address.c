/* SPDX-License-Identifier: Apache-2.0 */
/* Where the datums of an UNPACR begin in L1, how many there are, and where they go: the middle of the page's functional
 * model. */
#include "tensix/unpack/unpack.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix_isa.h"

#include <inttypes.h>

enum { X_BYTES = 8192 }; /* X becomes a number of nibbles in a field of 14 bits */
enum { GROUP = 32 };     /* compressed: datums that are followed by as many zero counts */
enum { GROUP_DELTA_BITS = 4 };

static uint64_t up_to_16(uint64_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static struct unpack_sections find_sections(const struct unpack_config *c)
{
    struct unpack_sections at = {.row_starts = c->InAddr, .datums = c->InAddr};
    if (!c->IsUncompressed) {
        const uint64_t rows = (uint64_t)(c->BlobsPerXYPlane ? c->BlobsPerXYPlane : c->YDim) * c->ZDim * c->WDim;
        at.datums += up_to_16((rows + 1) * sizeof(uint16_t));
    }
    at.exponents = at.datums;
    if (format_is_bfp(c->InDataFormat) && !c->Force_shared_exp &&
        (format_bits(c->InDataFormat) == 8 || !c->NoBFPExpSection)) {
        const uint64_t elements = (uint64_t)c->XDim * c->YDim * c->ZDim * c->WDim;
        at.datums += up_to_16((elements + EXPONENT_SHARES - 1) / EXPONENT_SHARES);
    }
    return at;
}

/* What the address counters say, for both kinds of input. */
struct counters {
    uint32_t X, X_end; /* channel 0, channel 1 */
    uint32_t Y, Z, W;  /* as the input side has them */
};

static struct counters read_counters(const tensix_step *s, const struct unpack_config *c)
{
    const struct tensix_adc_channel *xy = s->tx->thread[c->at.adc].adc[c->which], *zw = s->t->adc[c->which];
    return (struct counters){.X = xy[0].x,
                             .X_end = xy[1].x,
                             .Y = xy[0].y & ADC_INPUT_MASK,
                             .Z = zw[0].z & ADC_INPUT_MASK,
                             .W = zw[0].w & ADC_INPUT_MASK};
}

/* ---- Input that is not compressed ------------------------------------------------------------------------------ */

static unsigned blob_start(const struct unpack_config *c, unsigned index)
{
    return (c->BlobsYStart >> (index & 7) * 4 & 15) << 4;
}

/* RowSearch: rows, or blobs of a plane, are looked up instead of counted. */
static void search_row(const struct unpack_config *c, const struct counters *n, uint32_t *x, uint32_t *y,
                       uint32_t *x_end)
{
    if (c->BlobsPerXYPlane == 0) {
        *x = 0;
        *x_end = n->X_end;
        return;
    }
    const uint32_t next = (n->X & 7) + 1;
    *x = blob_start(c, n->Y);
    *y = 0;
    *x_end = next == c->BlobsPerXYPlane ? c->XDim & 0x1F0u : blob_start(c, next);
}

/* A descriptor with a side of length zero, and a counter that asks for what is beyond. */
static bool dimensions_are_bad(tensix_step *s, const struct unpack_config *c, const struct counters *n, uint32_t row)
{
    const bool x = c->XDim == 0 && (row | n->Z | n->W) != 0, y = c->YDim == 0 && (n->Z | n->W) != 0;
    const bool exponents = (c->XDim == 0 || c->YDim == 0) && format_is_bfp(c->InDataFormat) && !c->Force_shared_exp;
    if (!x && !y && !exponents)
        return false;
    return tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                        "unpacker %u: a tile of XDim %u, YDim %u has no %s (THCON_SEC%u_REG%s, ADC Y %u Z %u W %u)",
                        c->which, c->XDim, c->YDim, exponents ? "exponents" : "such row or plane", c->which,
                        c->at.multi && c->which == 0 ? "5_Tile_x_dim_cntx" : "0_TileDescriptor", n->Y, n->Z, n->W);
}

static bool range_is_bad(tensix_step *s, const struct unpack_config *c, uint32_t x, uint32_t x_end)
{
    const uint32_t bits = format_bits(c->InDataFormat), most = X_BYTES >> (bits == 32 ? 2 : bits == 16);
    if (x >= most || x_end > most) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                     "unpacker %u: X from %u to %u, but no more than %u datums of %u bits fit into its 14-bit field",
                     c->which, x, x_end, most, bits);
        return true;
    }
    if (x_end < x) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                     "unpacker %u: X from %u up to %u (channel 1): the hardware looks for an end that it has passed",
                     c->which, x, x_end);
        return true;
    }
    return x_end == x &&
           tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                        "unpacker %u: X from %u up to %u (channel 1) is no datum at all", c->which, x, x_end);
}

static bool count_datums(tensix_step *s, const struct unpack_config *c, struct unpack_plan *plan, uint64_t *first)
{
    const struct counters n = read_counters(s, c);
    uint32_t x = n.X, y = n.Y, x_end = n.X_end + 1;
    if (c->RowSearch)
        search_row(c, &n, &x, &y, &x_end);
    if (range_is_bad(s, c, x, x_end) || dimensions_are_bad(s, c, &n, y))
        return false;
    *first = (((uint64_t)n.W * c->ZDim + n.Z) * c->YDim + y) * c->XDim + x;
    plan->InputNumDatums = x_end - x;
    return true;
}

/* ---- Compressed input ------------------------------------------------------------------------------------------- */

/* An entry of the array of row starts (manual WormholeB0 Packers/Compression: RSI). */
static bool row_start(tensix_step *s, uint64_t address, uint32_t *value)
{
    if (address + sizeof(uint16_t) > s->tile->l1_size) {
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE, "UNPACR reads a row start at 0x%" PRIx64 ": L1 ends at 0x%x",
                     address, s->tile->l1_size);
        return false;
    }
    const uint8_t *bytes = s->tile->l1 + address;
    hook_l1(s->tile, address, 2, CHECK_READ);
    *value = bytes[0] | (uint32_t)bytes[1] << 8;
    return true;
}

static bool count_compressed(tensix_step *s, const struct unpack_config *c, const struct unpack_sections *at,
                             struct unpack_plan *plan, uint64_t *first)
{
    const struct counters n = read_counters(s, c);
    const uint32_t YDim = c->RowSearch && c->BlobsPerXYPlane ? c->BlobsPerXYPlane : c->YDim;
    const uint64_t rows = at->row_starts + ((uint64_t)n.W * c->ZDim + n.Z) * YDim * sizeof(uint16_t);
    uint32_t start, end = 0;
    const bool whole = !c->RowSearch && n.X == 0 && n.X_end + 1 == c->XDim;
    const uint32_t last = c->RowSearch ? n.X & ADC_INPUT_MASK : n.Y;
    if (!row_start(s, rows + n.Y * sizeof(uint16_t), &start) ||
        ((c->RowSearch || whole) && !row_start(s, rows + (last + 1) * sizeof(uint16_t), &end)))
        return false;
    *first = start;
    plan->row_starts = c->RowSearch || whole ? 2 : 1;
    if (c->RowSearch || whole) {
        plan->InputNumDatums = end - start;
        if (end >= start)
            return true;
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                     "unpacker %u: row %u begins at datum %u and ends at %u of the compressed stream", c->which, last,
                     start, end);
        return false;
    }
    plan->DecompressDrop = n.X;
    plan->DecompressNumDatums = n.X_end + 1 - n.X;
    plan->InputNumDatums = UINT32_MAX;
    return n.X_end + 1 > n.X || !range_is_bad(s, c, n.X, n.X_end + 1);
}

/* ---- Both -------------------------------------------------------------------------------------------------------- */

static void begin(const struct unpack_config *c, const struct unpack_sections *at, uint64_t first,
                  struct unpack_plan *plan)
{
    const uint64_t bits = c->datum_bits;
    plan->InAddr_Exponents = unpack_wrap(c, at->exponents * EXPONENT_SHARES + first, EXPONENT_SHARES);
    plan->InAddr_Datums = at->datums * BITS;
    if (c->IsUncompressed) {
        plan->InAddr_Datums = unpack_wrap(c, plan->InAddr_Datums + first * bits, BITS);
        return;
    }
    plan->InAddr_Datums += first / GROUP * (GROUP * bits + GROUP * GROUP_DELTA_BITS);
    plan->InAddr_Deltas = unpack_wrap(c, plan->InAddr_Datums + GROUP * bits + first % GROUP * GROUP_DELTA_BITS, BITS);
    plan->InAddr_Datums = unpack_wrap(c, plan->InAddr_Datums + first % GROUP * bits, BITS);
}

static bool find_input(tensix_step *s, const struct unpack_config *c, struct unpack_plan *plan)
{
    uint64_t first = 0;
    plan->DecompressDrop = 0;
    plan->DecompressNumDatums = UINT32_MAX;
    plan->InAddr_Deltas = 0;
    plan->row_starts = 0;
    const struct unpack_sections at = find_sections(c);
    if (!(c->IsUncompressed ? count_datums(s, c, plan, &first) : count_compressed(s, c, &at, plan, &first)))
        return false;
    begin(c, &at, first, plan);
    return true;
}

/* ---- Output ------------------------------------------------------------------------------------------------------- */

static unsigned out_shift(unsigned OutDataFormat)
{
    const unsigned bits = format_bits(OutDataFormat);
    return bits == 32 ? 2 : bits == 16 ? 1 : 0;
}

static bool find_output(tensix_step *s, const struct unpack_config *c, struct unpack_plan *plan)
{
    const uint32_t *config = unpack_bank_of_config(s), *strides = config + 2 * c->which;
    const struct tensix_adc_channel *out = &s->t->adc[c->which][1];
    uint32_t address =
        (c->which ? CFG_FIELD(config, UNP1_ADDR_BASE_REG_1_Base) : CFG_FIELD(config, UNP0_ADDR_BASE_REG_1_Base)) +
        out->y * CFG_FIELD(strides, UNP0_ADDR_CTRL_XY_REG_1_Ystride) +
        out->z * CFG_FIELD(strides, UNP0_ADDR_CTRL_ZW_REG_1_Zstride) +
        out->w * CFG_FIELD(strides, UNP0_ADDR_CTRL_ZW_REG_1_Wstride);
    const unsigned shift = out_shift(c->OutDataFormat);
    if ((address & ((1u << shift) - 1)) != 0 &&
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                     "unpacker %u: output address 0x%x (UNP%u_ADDR_BASE_REG_1, strides, ADC channel 1 Y %u Z %u W %u) "
                     "is not that of a datum of %u bytes",
                     c->which, address, c->which, out->y, out->z, out->w, 1u << shift))
        return false;
    address >>= shift;
    if (c->at.multi && c->which == 0)
        address = (c->UnpackToDst || c->add_dest_addr_cntr ? address : 0) + c->Dest_cntx;
    plan->OutAddr = address;
    return true;
}

/* ---- All of it ----------------------------------------------------------------------------------------------------- */

bool unpack_UNPACR_plan(tensix_step *s, const struct unpack_config *c, struct unpack_plan *plan)
{
    plan->c = c;
    plan->bank = s->tx->src[c->which].unpacker_bank;
    plan->SrcRow = s->tx->src[c->which].unpacker_row[s->thread];
    if (!find_input(s, c, plan) || !find_output(s, c, plan) || !unpack_check(s, plan))
        return false;
    unpack_plan_rows(plan, s->tile->l1_size);
    if (c->IsUncompressed)
        unpack_plan_time(plan, plan->InputNumDatums, plan->InputNumDatums * (1 + (uint64_t)c->UpsampleZeroes));
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What the page calls undefined, as faults that name the field of configuration; and which pairs of formats there are. */
#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include "base/bits.h"

static bool fault_or_go_on(tensix_step *s, const struct unpack_config *c, bool is_bad, const char *what)
{
    return is_bad && tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE, "unpacker %u, context %u: %s", c->which,
                                  c->at.context, what);
}

/* ---- Formats --------------------------------------------------------------------------------------------------------- */

static const char *target_name(const struct unpack_config *c)
{
    return c->UnpackToDst ? "Dst" : c->which ? "SrcB" : "SrcA";
}

static bool no_format(tensix_step *s, const struct unpack_config *c, unsigned format, const char *field)
{
    if (format_exists(format))
        return false;
    tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/Unpackers/FormatConversion",
                 "unpacker %u, context %u: %s is %u, which is no format", c->which, c->at.context, field, format);
    return true;
}

bool unpack_check_formats(tensix_step *s, struct unpack_config *c)
{
    if (LIKELY(c->InDataFormat == c->OutDataFormat && !format_in(c->InDataFormat, FORMATS_32BIT | FORMATS_RESERVED)))
        return true;
    if (no_format(s, c, c->InDataFormat, "InDataFormat") || no_format(s, c, c->OutDataFormat, "OutDataFormat"))
        return false;
    if (LIKELY(unpack_pair_has_meaning(c->conversion)))
        return true;
    const bool stop =
        tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                     "unpacker %u, context %u: no conversion from %s (InDataFormat %u) to %s (OutDataFormat %u) in %s",
                     c->which, c->at.context, format_name(c->InDataFormat), c->InDataFormat,
                     format_name(c->OutDataFormat), c->OutDataFormat, target_name(c));
    c->conversion.OutDataFormat = c->InDataFormat;     /* going on: what the input is by itself */
    return !stop && unpack_pair_exists(c->conversion); /* 32 bits to SrcA or SrcB: nobody knows */
}

/* ---- Everything else ----------------------------------------------------------------------------------------------------- */

/* SrcA takes several rows at once, which must not reach over a block of as many.  Which rows are lost otherwise is not
 * documented; here none are. */
static bool burst_is_bad(tensix_step *s, const struct unpack_config *c, const struct unpack_plan *plan)
{
    if (c->which != SRC_A || c->UnpackToDst || plan->InputNumDatums <= ROW_DATUMS)
        return false;
    const uint32_t row = plan->OutAddr / SRC_COLUMNS - UNPACKER0_SKIPS, rows = unpack_burst_rows(c);
    return (row & (rows - 1)) != 0 &&
           tensix_fault(s, KERR_FAULT_UNPREDICTABLE, UNPACR_PAGE,
                        "unpacker 0, context %u: SrcA is written %u rows at a time from row %d on, and some are lost "
                        "(Throttle_mode %u, ovrd_default_throttle_mode %u, Dest_cntx %u)",
                        c->at.context, rows, (int)row, c->Throttle_mode, c->ovrd_default_throttle_mode, c->Dest_cntx);
}

/* srcb_bcast: assembly.yaml only, "the starting row into adjacent 8 rows on SrcB". */
static bool broadcast_is_unknown(tensix_step *s, const struct unpack_config *c, const struct unpack_plan *plan)
{
    if (!c->srcb_bcast || (c->which == SRC_B && plan->InputNumDatums <= ROW_DATUMS))
        return false;
    tensix_fault(
        s, KERR_FAULT_UNKNOWN, NULL,
        "UNPACR with srcb_bcast on unpacker %u for %u datums: no document says more than that a row of SrcB is "
        "written eight times",
        c->which, plan->InputNumDatums);
    return true;
}

/* Everything that is rare. */
static bool modes_are_bad(tensix_step *s, const struct unpack_config *c, const struct unpack_plan *plan)
{
    const bool aligned = plan->InAddr_Datums % 128 == 0;
    return fault_or_go_on(s, c, c->which == 1 && c->at.multi && c->at.context >= 2,
                          "unpacker 1 has contexts 0 and 1 (UNPACK_MISC_CFG_CfgContextOffset, ContextNumber)") ||
           fault_or_go_on(s, c, (c->Transpose || c->Tileize_mode) && !aligned,
                          "Haloize_mode and Tileize_mode want input at a multiple of 16 bytes") ||
           fault_or_go_on(s, c, c->Tileize_mode && c->datum_bits < 8, "Tileize_mode with datums of less than a byte") ||
           fault_or_go_on(s, c, c->Tileize_mode && (c->UpsampleZeroes > 0 || !c->IsUncompressed),
                          "Tileize_mode with Upsample_rate or compressed input") ||
           fault_or_go_on(s, c, c->UnpackToDst && (c->ColShift || c->Haloize_mode),
                          "to Dst with Shift_amount or Haloize_mode") ||
           fault_or_go_on(s, c, c->UnpackToDst && c->SetOvrdWithAddr, "to Dst with SRCA_SET_SetOvrdWithAddr");
}

bool unpack_check(tensix_step *s, const struct unpack_plan *plan)
{
    const struct unpack_config *c = plan->c;
    const bool plain = c->at.context < 2 && !c->Tileize_mode && !c->Haloize_mode && !c->UnpackToDst;
    return !((!plain && modes_are_bad(s, c, plan)) || burst_is_bad(s, c, plan) || broadcast_is_unknown(s, c, plan));
}

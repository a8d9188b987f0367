/* SPDX-License-Identifier: Apache-2.0 */
/* What the page calls undefined, as faults that name the field of configuration; and which pairs of formats there are. */
#include "tensix/unpack/unpack.h"

#include "tensix/unpack/write.h"

#include "tile/devices.h"

static bool fault_or_go_on(tensix_step *s, const struct unpack_config *c, bool is_bad, const char *what)
{
    return is_bad && tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE, "unpacker %u, context %u: %s", c->which,
                                  c->context, what);
}

/* ---- Formats --------------------------------------------------------------------------------------------------------- */

/* Pairs that the page does not have but the vendor's kernels list as supported (LLK cunpack_common.h): the datum is of the
 * same kind in SrcA, SrcB and Dst whichever of these OutDataFormat says, which then only counts for output addresses and as
 * the implied format. */
static bool vendor_lists(const struct unpack_config *c)
{
    const unsigned in = c->InDataFormat, out = c->OutDataFormat;
    if (in == FORMAT_FP8 || format_in(in, FORMATS_BFP_5B_EXPONENT))
        return out == FORMAT_FP16;
    if (format_in(in, FORMATS_BFP_8B_EXPONENT))
        return out == FORMAT_BF16 || out == FORMAT_BFP8 || (out == FORMAT_TF32 && !c->UnpackToDst);
    return in == FORMAT_BF16 && out == FORMAT_TF32 && !c->UnpackToDst;
}

static const char *target_name(const struct unpack_config *c)
{
    return c->UnpackToDst ? "Dst" : c->which ? "SrcB" : "SrcA";
}

static bool no_format(tensix_step *s, const struct unpack_config *c, unsigned format, const char *field)
{
    if (format_exists(format))
        return false;
    tensix_fault(s, KERR_FAULT_UNDEFINED, "WormholeB0 TensixCoprocessor/Unpackers/FormatConversion",
                 "unpacker %u, context %u: %s is %u, which is no format", c->which, c->context, field, format);
    return true;
}

/* The conversion that is done for a pair which is not the page's: that of the input by itself.  TF32 in L1 is FP32. */
static void as_input_says(struct unpack_config *c)
{
    if (c->InDataFormat == FORMAT_TF32) {
        c->conversion.InDataFormat = FORMAT_FP32;
        if (!unpack_pair_exists(c->conversion))
            c->conversion.OutDataFormat = c->UnpackToDst ? FORMAT_FP32 : FORMAT_TF32;
        return;
    }
    c->conversion.OutDataFormat = c->conversion.InDataFormat;
}

bool unpack_check_formats(tensix_step *s, struct unpack_config *c)
{
    if (no_format(s, c, c->InDataFormat, "InDataFormat") || no_format(s, c, c->OutDataFormat, "OutDataFormat"))
        return false;
    if (unpack_pair_exists(c->conversion))
        return true;
    as_input_says(c);
    if (vendor_lists(c))
        return true;
    const bool stop = tensix_fault(s, KERR_FAULT_UNDEFINED, UNPACR_PAGE,
                                   "unpacker %u, context %u: no conversion from %s (InDataFormat %u) to %s "
                                   "(OutDataFormat %u) in %s",
                                   c->which, c->context, format_name(c->InDataFormat), c->InDataFormat,
                                   format_name(c->OutDataFormat), c->OutDataFormat, target_name(c));
    return !stop && unpack_pair_exists(c->conversion); /* 32 bits to SrcA or SrcB: nobody knows */
}

/* ---- Everything else ----------------------------------------------------------------------------------------------------- */

/* SrcA takes several rows at once, which must not reach over a block of as many.  Which rows are lost otherwise is not
 * documented; here none are. */
static bool burst_is_bad(tensix_step *s, const struct unpack_config *c, const struct unpack_job *job)
{
    if (job->which != SRC_A || job->UnpackToDst || job->InputNumDatums <= ROW_DATUMS)
        return false;
    const uint32_t row = job->OutAddr / SRC_COLUMNS - UNPACKER0_SKIPS, rows = unpack_burst_rows(c, job);
    return (row & (rows - 1)) != 0 &&
           tensix_fault(s, KERR_FAULT_UNPREDICTABLE, UNPACR_PAGE,
                        "unpacker 0, context %u: SrcA is written %u rows at a time from row %d on, and some are lost "
                        "(Throttle_mode %u, ovrd_default_throttle_mode %u, Dest_cntx %u)",
                        c->context, rows, (int)row, c->Throttle_mode, c->ovrd_default_throttle_mode, c->Dest_cntx);
}

/* srcb_bcast: assembly.yaml only, "the starting row into adjacent 8 rows on SrcB". */
static bool broadcast_is_unknown(tensix_step *s, const struct unpack_job *job)
{
    if (!job->srcb_bcast || (job->which == SRC_B && job->InputNumDatums <= ROW_DATUMS))
        return false;
    tensix_fault(
        s, KERR_FAULT_UNKNOWN, NULL,
        "UNPACR with srcb_bcast on unpacker %u for %u datums: no document says more than that a row of SrcB is "
        "written eight times",
        job->which, job->InputNumDatums);
    return true;
}

bool unpack_check(tensix_step *s, const struct unpack_config *c, const struct unpack_job *job)
{
    const bool aligned = job->InAddr_Datums % 128 == 0;
    return !(
        fault_or_go_on(s, c, c->which == 1 && c->multi && c->context >= 2,
                       "unpacker 1 has contexts 0 and 1 (UNPACK_MISC_CFG_CfgContextOffset, ContextNumber)") ||
        fault_or_go_on(s, c, (job->Transpose || c->Tileize_mode) && !aligned,
                       "Haloize_mode and Tileize_mode want input at a multiple of 16 bytes") ||
        fault_or_go_on(s, c, c->Tileize_mode && job->datum_bits < 8, "Tileize_mode with datums of less than a byte") ||
        fault_or_go_on(s, c, c->Tileize_mode && (job->UpsampleZeroes > 0 || !job->IsUncompressed),
                       "Tileize_mode with Upsample_rate or compressed input") ||
        fault_or_go_on(s, c, c->UnpackToDst && (job->ColShift || c->Haloize_mode),
                       "to Dst with Shift_amount or Haloize_mode") ||
        fault_or_go_on(s, c, c->UnpackToDst && c->SetOvrdWithAddr, "to Dst with SRCA_SET_SetOvrdWithAddr") ||
        burst_is_bad(s, c, job) || broadcast_is_unknown(s, job));
}

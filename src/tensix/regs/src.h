/* SPDX-License-Identifier: Apache-2.0 */
/* SrcA and SrcB (manual WormholeB0 SrcASrcB, 545c98a3): two banks each, of 64 rows of 16 cells (tensix/files.h).  A bank
 * belongs either to the unpacker or to the Matrix Unit (AllowedClient), and each side is at one of the two banks. */
#ifndef KERR_TENSIX_REGS_SRC_H
#define KERR_TENSIX_REGS_SRC_H

#include "tensix/files.h"
#include "tensix/step.h"

#include "base/bits.h"
#include "cfg_fields.h"

enum { SRC_A = 0, SRC_B = 1 };

typedef uint32_t src_row[SRC_COLUMNS];

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

static inline src_row *src_bank(struct tensix_files *files, unsigned which, unsigned bank)
{
    return which == SRC_A ? files->SrcA[bank] : files->SrcB[bank];
}
/* Of the bank that the Matrix Unit, that the unpacker is at. */
static inline src_row *src_matrix_rows(struct tensix_files *files, const struct tensix *tx, unsigned which)
{
    return src_bank(files, which, tx->src[which].matrix_bank);
}
static inline src_row *src_unpacker_rows(struct tensix_files *files, const struct tensix *tx, unsigned which)
{
    return src_bank(files, which, tx->src[which].unpacker_bank);
}

/* ---- Whose a bank is ----------------------------------------------------------------------------------------- */

/* AllowedClient of the bank that the Matrix Unit, that the unpacker is at.  What the unpacker hands over is the Matrix Unit's
 * from a cycle on that is known (`there`): it is past when src_matrix_waits says that there is nothing to wait for. */
static inline bool src_matrix_owns(const struct tensix *tx, unsigned which)
{
    return tx->src[which].matrix_owns[tx->src[which].matrix_bank];
}
static inline bool src_unpacker_owns(const struct tensix *tx, unsigned which)
{
    return !tx->src[which].matrix_owns[tx->src[which].unpacker_bank];
}
/* The same for an instruction that waits at the gate until it is so: when true, return STEP_STALLED. */
static inline bool src_matrix_waits(tensix_step *s, unsigned which)
{
    const uint64_t there = s->tx->src[which].there[s->tx->src[which].matrix_bank];
    const bool owns = src_matrix_owns(s->tx, which);
    if (LIKELY(owns && there <= s->cycle))
        return false;
    s->again = owns ? there : UINT64_MAX; /* whoever hands over wakes it */
    s->reason = TENSIX_STALL_SOURCE;
    return true;
}
static inline bool src_unpacker_waits(tensix_step *s, unsigned which)
{
    if (src_unpacker_owns(s->tx, which))
        return false;
    s->again = UINT64_MAX;
    s->reason = TENSIX_STALL_SOURCE;
    return true;
}

/* The Matrix Unit is done with its bank: it goes back to the unpacker, unless CLR_DVALID_Src*_Disable is set, and the
 * Matrix Unit goes on with the other one. */
void src_matrix_flips(tensix_step *s, unsigned which);
/* The same for FlipSrcA and FlipSrcB of most instructions. */
static inline void src_matrix_flips_if(tensix_step *s, uint32_t FlipSrcA, uint32_t FlipSrcB)
{
    if (FlipSrcA)
        src_matrix_flips(s, SRC_A);
    if (FlipSrcB)
        src_matrix_flips(s, SRC_B);
}
/* CLEARDVALID: it goes back in any case, and the Matrix Unit may stay with it. */
void src_matrix_gives_back(tensix_step *s, unsigned which, bool goes_on);
/* CLEARDVALID: all banks go back, both sides go on with bank 0. */
void src_reset(tensix_step *s, unsigned which);
/* The unpacker is done with its bank: it goes to the Matrix Unit, which is told that `format` is in it (the implied
 * format), and the unpacker goes on with the other one. */
void src_unpacker_hands_over(tensix_step *s, unsigned which, unsigned format);
/* The same, but the Matrix Unit has it from cycle `there` on only. */
void src_unpacker_hands_over_at(tensix_step *s, unsigned which, unsigned format, uint64_t there);
/* The same with whatever format was told last (SETDVALID). */
void src_unpacker_flips(tensix_step *s, unsigned which);
/* Soft reset of AllowedClient begins. */
void src_soft_reset(tensix_tile *tile, struct tensix *tx, unsigned which, uint64_t cycle);

/* ---- Formats ------------------------------------------------------------------------------------------------- */

/* SrcAFmt, SrcBFmt as configured.  config: Config[StateID]. */
static inline unsigned src_configured_format(const uint32_t *config, unsigned which)
{
    if (which == SRC_A)
        return CFG_FIELD(config, ALU_FORMAT_SPEC_REG_SrcA_override) ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG_SrcA_val)
                                                                    : CFG_FIELD(config, ALU_FORMAT_SPEC_REG0_SrcA);
    return CFG_FIELD(config, ALU_FORMAT_SPEC_REG_SrcB_override) ? CFG_FIELD(config, ALU_FORMAT_SPEC_REG_SrcB_val)
                                                                : CFG_FIELD(config, ALU_FORMAT_SPEC_REG1_SrcB);
}
/* Whether the format that was told at hand-over takes the place of the configured one. */
static inline bool src_format_is_implied(const struct tensix_thread *t, unsigned which)
{
    return !(which == SRC_A ? CFG_FIELD(t->config, DISABLE_IMPLIED_SRCA_FMT_Base)
                            : CFG_FIELD(t->config, DISABLE_IMPLIED_SRCB_FMT_Base));
}
/* The implied format of the bank that the Matrix Unit is at.  Manual MOVD2A (ff52140f): that of a bank that is not its
 * own is SFPU_DEST_FMT_Base in practice, which is not promised. */
static inline unsigned src_implied_format(const tensix_step *s, unsigned which)
{
    const struct tensix_src *src = &s->tx->src[which];
    return src->matrix_owns[src->matrix_bank] ? src->implied_format[src->matrix_bank]
                                              : CFG_FIELD(s->t->config, SFPU_DEST_FMT_Base);
}
/* SrcAFmt, SrcBFmt for an instruction of the Matrix Unit. */
static inline unsigned src_format(const tensix_step *s, const uint32_t *config, unsigned which)
{
    return src_format_is_implied(s->t, which) ? src_implied_format(s, which) : src_configured_format(config, which);
}

#endif

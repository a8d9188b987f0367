/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/regs/src.h"

#include "cfg_fields.h"
#include "hooks/hooks.h"

/* Manual SoftReset: while AllowedClient is held in reset nothing changes it. */
enum { SOFT_RESET_SRC_A = 15 /* SrcB: the next */ };

static bool held(const tensix_step *s, unsigned which)
{
    return tensix_soft_reset(s->tile, SOFT_RESET_SRC_A + which);
}

void src_matrix_flips(tensix_step *s, unsigned which)
{
    struct tensix_src *src = &s->tx->src[which];
    if (held(s, which))
        return;
    tensix_changing(s->tile, s->tx, TENSIX_WATCH_SOURCES, s->cycle);
    const bool keep = which == SRC_A ? CFG_FIELD(s->t->config, CLR_DVALID_SrcA_Disable)
                                     : CFG_FIELD(s->t->config, CLR_DVALID_SrcB_Disable);
    const bool back = !keep && src->there[src->matrix_bank] <= s->cycle; /* what comes later has not been there */
    hook_bank(s->tile, which, src->matrix_bank, back && src->matrix_owns[src->matrix_bank]);
    if (back)
        src->matrix_owns[src->matrix_bank] = false;
    src->matrix_bank ^= 1;
}

void src_matrix_gives_back(tensix_step *s, unsigned which, bool goes_on)
{
    struct tensix_src *src = &s->tx->src[which];
    if (held(s, which))
        return;
    tensix_changing(s->tile, s->tx, TENSIX_WATCH_SOURCES, s->cycle);
    const bool back = src->there[src->matrix_bank] <= s->cycle;
    hook_bank(s->tile, which, src->matrix_bank, back && src->matrix_owns[src->matrix_bank]);
    if (back)
        src->matrix_owns[src->matrix_bank] = false;
    src->matrix_bank ^= goes_on;
}

void src_reset(tensix_step *s, unsigned which)
{
    src_soft_reset(s->tile, s->tx, which, s->cycle);
}

void src_unpacker_hands_over(tensix_step *s, unsigned which, unsigned format)
{
    struct tensix_src *src = &s->tx->src[which];
    src->implied_format[src->unpacker_bank] = format & 15;
    src_unpacker_flips(s, which);
}

void src_unpacker_hands_over_at(tensix_step *s, unsigned which, unsigned format, uint64_t there)
{
    struct tensix_src *src = &s->tx->src[which];
    const unsigned bank = src->unpacker_bank;
    src_unpacker_hands_over(s, which, format);
    if (src->unpacker_bank != bank) /* not held in reset */
        src->there[bank] = there;
}

void src_unpacker_flips(tensix_step *s, unsigned which)
{
    struct tensix_src *src = &s->tx->src[which];
    const unsigned base =
        which == SRC_A ? CFG_FIELD(s->t->config, SRCA_SET_Base) : CFG_FIELD(s->t->config, SRCB_SET_Base);
    src->unpacker_row[s->thread] = (uint8_t)(base << 4);
    if (held(s, which))
        return;
    tensix_changing(s->tile, s->tx, TENSIX_WATCH_SOURCES, s->cycle);
    hook_bank(s->tile, which, src->unpacker_bank, false);
    src->matrix_owns[src->unpacker_bank] = true;
    src->there[src->unpacker_bank] = s->cycle;
    src->unpacker_bank ^= 1;
}

void src_soft_reset(tensix_tile *tile, struct tensix *tx, unsigned which, uint64_t cycle)
{
    struct tensix_src *src = &tx->src[which];
    tensix_changing(tile, tx, TENSIX_WATCH_SOURCES, cycle);
    src->matrix_bank = src->unpacker_bank = 0;
    src->matrix_owns[0] = src->matrix_owns[1] = false;
    src->there[0] = src->there[1] = 0;
    src->implied_format[0] = src->implied_format[1] = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A restored snapshot must not lead the coprocessor out of its arrays. */
#include "tensix/events.h"
#include "tensix/files.h"
#include "tensix/pack/packer.h"
#include "tensix/step.h"
#include "tensix/tensix.h"

static bool write_is_sane(const struct tensix_write *w)
{
    if (w->kind == LATER_GPR)
        return w->place < TENSIX_THREADS * TENSIX_GPRS;
    return w->kind == LATER_CONFIG && w->place >> 8 < 2 && (w->place & 255) < CFG_WORDS;
}

/* shaken.h: executes them without a look at what they are. */
static bool late_is_sane(const struct tensix_shake *shake)
{
    enum { FIRST_COUNTER = OPCODE_SETADC, LAST_COUNTER = OPCODE_SETADCXX };
    bool sane = true;
    for (unsigned i = 0; i < LATE_UNITS; i++) {
        const struct tensix_late *late = &shake->late[i];
        sane = sane && (late->due == 0 || late->word >> 24 == (i == 0 ? OPCODE_UNPACR : OPCODE_PACR)) &&
               late->thread < TENSIX_THREADS && late->count <= LATE_AFTER;
        for (unsigned n = 0; sane && n < late->count; n++)
            sane = late->after[n].word >> 24 >= FIRST_COUNTER && late->after[n].word >> 24 <= LAST_COUNTER;
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        sane = sane && shake->store[i].index < 3 * CFG_WORDS;
    return sane;
}

bool tensix_is_sane(const struct tensix *tx)
{
    bool sane = tx->later_count <= LATER_CAPACITY && scalar_is_sane(tx) && mover_is_sane(tx) &&
                pack_is_sane(&tx->packer) && late_is_sane(&tx->shake);
    for (unsigned i = 0; sane && i < tx->later_count; i++)
        sane = write_is_sane(&tx->later[i]);
    for (unsigned i = 0; i < sizeof tx->turn; i++)
        sane = sane && tx->turn[i] < TENSIX_THREADS;
    for (unsigned which = 0; which < 2; which++) {
        const struct tensix_src *src = &tx->src[which];
        sane = sane && src->unpacker_bank < 2 && src->matrix_bank < 2 && src->implied_format[0] < 16 &&
               src->implied_format[1] < 16 && src->last_row < SRC_ROWS;
        for (unsigned i = 0; i < TENSIX_THREADS; i++)
            sane = sane && src->unpacker_row[i] < SRC_ROWS && tx->context_counter[which][i] < 8;
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tx->thread[i];
        sane = sane && t->fifo_head < TENSIX_FIFO_CAPACITY && t->fifo_count <= TENSIX_FIFO_CAPACITY &&
               t->replay_head < REPLAY_FIFO_CAPACITY && t->replay_count <= REPLAY_FIFO_CAPACITY &&
               t->gate_head < GATE_FIFO_CAPACITY && t->gate_count <= GATE_FIFO_CAPACITY &&
               t->taken_at < REPLAY_FIFO_CAPACITY && t->passed_at < GATE_FIFO_CAPACITY && t->mop.step <= 4 &&
               t->in_flight <= TENSIX_FIFO_CAPACITY && t->fifo_count <= t->in_flight &&
               (t->replay_mode == 0) == (t->replay_left == 0) && t->replay_mode <= 3;
    }
    return sane;
}

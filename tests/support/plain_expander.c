/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_expander.h"

#include "ttasm.h"

static bool is_nop(uint32_t word)
{
    return word >> 24 == TT_NOP; /* the opcode alone: not DMANOP, and whatever the other bits are */
}

/* ---- Replay Expander ----------------------------------------------------------------------- */

void plain_push_behind_mop(plain_expander *x, uint32_t word, plain_sink *sink, void *context)
{
    if (x->record_left) {
        x->buffer[x->record_next] = word;
        x->record_next = (x->record_next + 1) % 32;
        x->record_left--;
        if (x->record_execute) {
            sink(context, word);
        }
        return;
    }
    if (word >> 24 != TT_REPLAY) {
        sink(context, word);
        return;
    }
    /* Both fields have ten bits and five that count. */
    unsigned start = word >> 14 & 31, count = word >> 4 & 31;
    if (count == 0) {
        count = 32;
    }
    if (word & 1) {
        x->record_next = start;
        x->record_left = count;
        x->record_execute = word >> 1 & 1;
        return;
    }
    for (unsigned i = 0; i < count; i++) {
        sink(context, x->buffer[(start + i) % 32]);
    }
}

/* ---- MOP Expander -------------------------------------------------------------------------- */

typedef struct downstream {
    plain_expander *x;
    plain_sink *sink;
    void *context;
} downstream;

static void emit(const downstream *d, uint32_t word)
{
    plain_push_behind_mop(d->x, word, d->sink, d->context);
}

static void template_0(const downstream *d, uint32_t mop)
{
    const uint32_t *cfg = d->x->mop_cfg;
    uint64_t mask = d->x->mask_hi << 16 | (mop & 0xffff); /* zeros past bit 31 */
    bool has_b = cfg[1] & 1, has_a123 = cfg[1] & 2;
    unsigned turns = (mop >> 16 & 127) + 1;
    for (unsigned turn = 0; turn < turns; turn++) {
        bool skip = turn < 32 && (mask >> turn & 1);
        emit(d, skip ? cfg[7] : cfg[3]);
        if (!skip && has_a123) {
            emit(d, cfg[4]);
            emit(d, cfg[5]);
            emit(d, cfg[6]);
        }
        if (has_b) {
            emit(d, skip ? cfg[8] : cfg[2]);
        }
    }
}

static void template_1(const downstream *d, uint32_t mop)
{
    const uint32_t *cfg = d->x->mop_cfg;
    unsigned inner = mop & 0x3ff, outer = mop >> 10 & 0x3ff;
    if (inner == 0) {
        inner = cfg[1] & 127;
    }
    if (outer == 0) {
        outer = cfg[0] & 127;
    }
    uint32_t start = cfg[2], end_0 = cfg[3], end_1 = cfg[4];
    bool alternate = !is_nop(cfg[6]);
    if (alternate) {
        inner *= 2;
    }
    if (outer == 1 && inner == 0 && is_nop(start) && !is_nop(end_0)) {
        outer += 128; /* the hardware's bug */
    }
    unsigned turn = 0; /* over all inner loops: 2 * n of them leave it even */
    for (unsigned j = 0; j < outer; j++) {
        if (!is_nop(start)) {
            emit(d, start);
        }
        for (unsigned i = 0; i < inner; i++, turn++) {
            if (i + 1 < inner) {
                emit(d, alternate && turn % 2 ? cfg[6] : cfg[5]);
            } else {
                emit(d, j + 1 < outer ? cfg[8] : cfg[7]);
            }
        }
        if (!is_nop(end_0)) {
            emit(d, end_0);
            if (!is_nop(end_1)) {
                emit(d, end_1);
            }
        }
    }
}

void plain_push(plain_expander *x, uint32_t word, plain_sink *sink, void *context)
{
    downstream d = {x, sink, context};
    switch (word >> 24) {
    case TT_MOP_CFG: x->mask_hi = word & 0xffff; break;
    case TT_MOP:
        if (word >> 23 & 1) {
            template_1(&d, word);
        } else {
            template_0(&d, word);
        }
        break;
    default: emit(&d, word);
    }
}

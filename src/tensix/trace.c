/* SPDX-License-Identifier: Apache-2.0 */
#include "tensix/trace.h"

#include "tensix/frontend/frontend.h"
#include "tensix_isa.h"

_Static_assert((int)UNIT_SYNC == (int)KERR_UNIT_SYNC && (int)UNIT_SCALAR == (int)KERR_UNIT_SCALAR &&
                   (int)UNIT_CONFIG == (int)KERR_UNIT_CONFIG && (int)UNIT_MOVER == (int)KERR_UNIT_MOVER &&
                   (int)UNIT_MISC == (int)KERR_UNIT_MISC && (int)UNIT_UNPACK == (int)KERR_UNIT_UNPACK &&
                   (int)UNIT_MATRIX == (int)KERR_UNIT_MATRIX && (int)UNIT_VECTOR == (int)KERR_UNIT_VECTOR &&
                   (int)UNIT_PACK == (int)KERR_UNIT_PACK,
               "one is taken for the other");

void tensix_tell_push(const tensix_tile *tile, unsigned thread, int core, uint32_t word, uint32_t pc, uint64_t cycle)
{
    tile->trace(tile->owner, &(kerr_trace_tensix){.event = KERR_TENSIX_PUSH,
                                                  .thread = (uint8_t)thread,
                                                  .by = (int8_t)core,
                                                  .word = word,
                                                  .pc = pc & ~3u,
                                                  .begin = cycle,
                                                  .end = cycle});
}

/* Another thread that has an instruction in this unit; -1: none has. */
static int user_of(const tensix_step *s, unsigned unit)
{
    int user = -1;
    uint64_t until = s->cycle;
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (s->tx->thread[i].busy_until[unit] > until) {
            until = s->tx->thread[i].busy_until[unit];
            user = (int)i;
        }
    return user;
}

static kerr_trace_tensix stall_record(const tensix_step *s, unsigned reason, int by)
{
    const unsigned unit = s->op < TENSIX_OP_COUNT ? tensix_ops[s->op].unit : (unsigned)UNIT_FRONTEND;
    const uint32_t mutex = s->word & 0xFFFF;
    kerr_trace_tensix record = {.event = KERR_TENSIX_GATE,
                                .thread = s->thread,
                                .unit = (uint8_t)unit,
                                .by = (int8_t)by,
                                .word = s->word,
                                .begin = s->cycle,
                                .end = KERR_TENSIX_OPEN};
    switch (reason) {
    case TENSIX_STALL_STALLWAIT:
        record.reason = KERR_WAIT_STALLWAIT;
        record.detail = gate_keeps(s->tile, s->tx, s->t, s->thread, s->cycle);
        break;
    case TENSIX_STALL_SEMWAIT:
        record.detail = gate_keeps(s->tile, s->tx, s->t, s->thread, s->cycle);
        record.reason = KERR_WAIT_SEM_ZERO;
        if (record.detail >> 8 != 0) { /* maximum, see gate_keeps */
            record.reason = KERR_WAIT_SEM_MAX;
            record.detail >>= 8;
        }
        break;
    case TENSIX_STALL_STREAMWAIT:
        record.reason = KERR_WAIT_STREAM;
        record.detail = s->t->latch.stream;
        break;
    case TENSIX_STALL_MUTEX:
        record.reason = KERR_WAIT_MUTEX;
        record.detail = mutex;
        record.by = (int8_t)(mutex < MUTEXES ? (int)s->tx->mutex[mutex] - 1 : -1);
        break;
    case TENSIX_STALL_SOURCE: /* OPEN: which of the two is the unit's to say; SrcA as long as it may be that one */
        record.reason = s->tx->src[0].matrix_owns[s->tx->src[0].matrix_bank] == (unit != UNIT_MATRIX) ? KERR_WAIT_SRCA
                                                                                                      : KERR_WAIT_SRCB;
        break;
    case TENSIX_STALL_AUTO: record.reason = KERR_WAIT_CORE; break;
    case TENSIX_STALL_MEMORY: record.reason = KERR_WAIT_MEMORY; break;
    case TENSIX_STALL_RESET: record.reason = KERR_WAIT_RESET; break;
    default: /* the unit or its queue, another thread that goes first, or the Scalar Unit */
        record.reason = KERR_WAIT_UNIT_BUSY;
        record.detail = reason == TENSIX_STALL_SCALAR ? (unsigned)UNIT_SCALAR : unit;
        record.by = (int8_t)(by >= 0 ? by : user_of(s, record.detail));
    }
    return record;
}

void tensix_tell_stall(const tensix_step *s, unsigned reason, int by)
{
    const kerr_trace_tensix record = stall_record(s, reason, by);
    s->tile->trace(s->tile->owner, &record);
}

bool tensix_gate(const tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t cycle, kerr_trace_tensix *record)
{
    struct tensix_thread *t = &tx->thread[thread];
    if (t->gate_count == 0)
        return false;
    const struct tensix_entry *e = &t->gate_fifo[t->gate_head];
    tensix_step s = {.tile = (tensix_tile *)(uintptr_t)tile, /* which is only looked at */
                     .tx = tx,
                     .t = t,
                     .cycle = cycle,
                     .word = e->word,
                     .pc = e->pc,
                     .thread = (uint8_t)thread,
                     .op = tensix_op_of[e->word >> 24]};
    *record = stall_record(&s, t->stall, -1);
    record->pc = e->pc & ~3u;
    record->last = (e->pc & TENSIX_ENTRY_BY_B) != 0;
    record->begin = t->stall != TENSIX_STALL_NONE ? t->stall_since : e->cycle;
    if (t->stall == TENSIX_STALL_NONE)
        record->reason = KERR_WAIT_NONE;
    return true;
}

void tensix_tell_issue(const tensix_step *s, unsigned unit)
{
    if (unit == UNIT_FRONTEND) {
        return; /* which is where it has been all the time */
    }
    s->tile->trace(s->tile->owner,
                   &(kerr_trace_tensix){.event = KERR_TENSIX_ISSUE,
                                        .thread = s->thread,
                                        .unit = (uint8_t)unit,
                                        .by = -1,
                                        .last = (s->pc & (TENSIX_ENTRY_LAST | TENSIX_ENTRY_BY_B)) != 0,
                                        .word = s->word,
                                        .pc = s->pc & ~3u,
                                        .begin = s->cycle,
                                        .end = s->issue == TENSIX_HELD ? KERR_TENSIX_OPEN : s->cycle + s->issue});
}

void tensix_tell_release(const tensix_tile *tile, unsigned thread, uint64_t cycle)
{
    tile->trace(tile->owner, &(kerr_trace_tensix){.event = KERR_TENSIX_DONE,
                                                  .thread = (uint8_t)thread,
                                                  .unit = KERR_UNIT_SCALAR,
                                                  .by = -1,
                                                  .begin = cycle,
                                                  .end = cycle});
}

void tensix_tell_sub_unit(const tensix_tile *tile, unsigned thread, uint32_t word, uint32_t pc, uint32_t detail,
                          uint64_t cycle)
{
    tile->trace(tile->owner, &(kerr_trace_tensix){.event = KERR_TENSIX_SUB_UNIT,
                                                  .thread = (uint8_t)thread,
                                                  .unit = KERR_UNIT_VECTOR,
                                                  .by = -1,
                                                  .word = word,
                                                  .pc = pc & ~3u,
                                                  .detail = detail,
                                                  .begin = cycle,
                                                  .end = cycle + 1});
}

void tensix_tell_expansions(const tensix_tile *tile, struct tensix_thread *t, unsigned thread)
{
    struct tensix_spans *spans = &t->spans;
    if (spans->count - spans->told > TENSIX_SPANS)
        spans->told = spans->count - TENSIX_SPANS; /* from before anybody listened */
    for (; spans->told != spans->count; spans->told++) {
        const struct tensix_span *span = &spans->span[spans->told % TENSIX_SPANS];
        tile->trace(tile->owner, &(kerr_trace_tensix){.event = opcode_of(span->word) == OPCODE_MOP ? KERR_TENSIX_MOP
                                                                                                   : KERR_TENSIX_REPLAY,
                                                      .thread = (uint8_t)thread,
                                                      .by = -1,
                                                      .word = span->word,
                                                      .begin = span->begin,
                                                      .end = span->end});
    }
    if (t->mop.active)
        tile->trace(tile->owner, &(kerr_trace_tensix){.event = KERR_TENSIX_MOP,
                                                      .thread = (uint8_t)thread,
                                                      .by = -1,
                                                      .word = spans->mop_word,
                                                      .begin = spans->mop_begin,
                                                      .end = KERR_TENSIX_OPEN});
    if (t->replay_left != 0)
        tile->trace(tile->owner, &(kerr_trace_tensix){.event = KERR_TENSIX_REPLAY,
                                                      .thread = (uint8_t)thread,
                                                      .by = -1,
                                                      .word = spans->replay_word,
                                                      .begin = spans->replay_begin,
                                                      .end = KERR_TENSIX_OPEN});
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the timeline of coprocessor records made up here to a file, for tests/cli/trace_test.py to look at: what `kerr run
 * --trace` makes of each kind of record, whatever the engine sends. */
#include <stdio.h>
#include <stdlib.h>

#include "../../tools/timeline.h"

enum {
    NOP = 0x02000000,
    MOP = 0x01000000,
    MOP_CFG = 0x03000000,
    REPLAY = 0x04000040,
    SEMPOST_1 = (int)0xA4000008u,
    SEMGET_1 = (int)0xA5000008u
};

static void feed(timeline *line, kerr_trace_tensix record)
{
    const kerr_trace_event event = {.cycle = record.begin, .at = {3, 4}, .kind = KERR_TRACE_TENSIX, .tensix = &record};
    timeline_event(line, &event);
}

static void feed_gate(timeline *line, unsigned thread, uint32_t word, kerr_tensix_reason reason, uint32_t detail,
                      int by, uint64_t begin)
{
    feed(line, (kerr_trace_tensix){.event = KERR_TENSIX_GATE,
                                   .thread = (uint8_t)thread,
                                   .reason = (uint8_t)reason,
                                   .detail = detail,
                                   .by = (int8_t)by,
                                   .word = word,
                                   .begin = begin,
                                   .end = KERR_TENSIX_OPEN});
}

/* The last of a push at pc, or (pc 0) of one that nobody saw. */
static void feed_issue(timeline *line, unsigned thread, kerr_tensix_unit unit, uint32_t word, uint32_t pc, bool last,
                       uint64_t begin, uint64_t end)
{
    feed(line, (kerr_trace_tensix){.event = KERR_TENSIX_ISSUE,
                                   .thread = (uint8_t)thread,
                                   .unit = (uint8_t)unit,
                                   .word = word,
                                   .pc = pc,
                                   .last = last,
                                   .by = -1,
                                   .begin = begin,
                                   .end = end});
}

static void feed_push(timeline *line, unsigned thread, int by, uint32_t word, uint32_t pc, uint64_t cycle)
{
    feed(line, (kerr_trace_tensix){.event = KERR_TENSIX_PUSH,
                                   .thread = (uint8_t)thread,
                                   .by = (int8_t)by,
                                   .word = word,
                                   .pc = pc,
                                   .begin = cycle,
                                   .end = cycle});
}

static void feed_all(timeline *line)
{
    enum { PC = 0x6000, LOOP = 0x6100 };
    /* T0 waits for semaphore 1, which T1 posts.  A stalled instruction is told of again and again. */
    feed_push(line, 0, KERR_CORE_T0, (uint32_t)SEMGET_1, PC, 100);
    for (uint64_t cycle = 104; cycle < 200; cycle++) {
        feed_gate(line, 0, (uint32_t)SEMGET_1, KERR_WAIT_SEM_ZERO, 1 << 1, -1, cycle);
    }
    feed_push(line, 1, KERR_CORE_B, (uint32_t)SEMPOST_1, PC, 190);
    feed_issue(line, 1, KERR_UNIT_SYNC, (uint32_t)SEMPOST_1, PC, true, 199, 200);
    feed_issue(line, 0, KERR_UNIT_SYNC, (uint32_t)SEMGET_1, PC, true, 201, 202);
    /* Two reasons one after the other, then the unit. */
    feed_gate(line, 2, NOP, KERR_WAIT_STALLWAIT, 1 << 0 | 1 << 12, -1, 300);
    feed_gate(line, 2, NOP, KERR_WAIT_UNIT_BUSY, KERR_UNIT_MISC, 1, 310);
    feed_issue(line, 2, KERR_UNIT_MISC, NOP, 0, true, 315, 316);
    /* A loop pushes a MOP_CFG, of which nothing comes, a MOP of two NOPs and a NOP with one store instruction: the arrow of
     * the pushed NOP goes to the third. */
    feed_push(line, 0, KERR_CORE_T0, MOP_CFG, LOOP, 399);
    feed_push(line, 0, KERR_CORE_T0, MOP, LOOP, 400);
    feed_push(line, 0, KERR_CORE_T0, NOP, LOOP, 401);
    kerr_trace_tensix mop = {.event = KERR_TENSIX_MOP, .by = -1, .word = MOP, .begin = 402, .end = KERR_TENSIX_OPEN};
    feed(line, mop);
    feed(line, mop);
    feed_issue(line, 0, KERR_UNIT_MISC, NOP, LOOP, false, 404, 405);
    mop.end = 404;
    feed(line, mop);
    feed_issue(line, 0, KERR_UNIT_MISC, NOP, LOOP, true, 405, 406);
    feed_issue(line, 0, KERR_UNIT_MISC, NOP, LOOP, true, 406, 407);
    /* Three threads in one unit at once. */
    for (unsigned thread = 0; thread < 3; thread++) {
        feed_issue(line, thread, KERR_UNIT_SCALAR, NOP, 0, true, 500, 503);
    }
    feed(line, (kerr_trace_tensix){
                   .event = KERR_TENSIX_REPLAY, .thread = 1, .by = -1, .word = REPLAY, .begin = 600, .end = 604});
    /* An end that is told later, and one that never is. */
    feed_issue(line, 1, KERR_UNIT_SCALAR, NOP, 0, true, 650, KERR_TENSIX_OPEN);
    feed(line,
         (kerr_trace_tensix){
             .event = KERR_TENSIX_DONE, .thread = 1, .unit = KERR_UNIT_SCALAR, .by = -1, .begin = 680, .end = 680});
    feed_issue(line, 2, KERR_UNIT_MOVER, NOP, 0, true, 690, KERR_TENSIX_OPEN);
    /* Every reason has its words; the last one is still open at the end. */
    for (unsigned reason = KERR_WAIT_NONE; reason < KERR_WAIT_REASONS; reason++) {
        feed_gate(line, 1, NOP, (kerr_tensix_reason)reason, 3, reason == KERR_WAIT_MUTEX ? 2 : -1, 700 + reason);
    }
}

int main(int count, char **arguments)
{
    FILE *file = count == 2 ? fopen(arguments[1], "wb") : NULL;
    timeline line;
    if (file == NULL || !timeline_begin(&line, file, NULL, NULL, true)) {
        return EXIT_FAILURE;
    }
    feed_all(&line);
    const bool ok = timeline_end(&line, 1000);
    return fclose(file) == 0 && ok ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "tile/fault_list.h"

#include <string.h>

static int by_number(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int fault_order(const kerr_fault *a, const kerr_fault *b)
{
    const bool notes = a->asker == KERR_ASKER_HOST_READ && b->asker == KERR_ASKER_HOST_READ;
    /* As kerr_fault_get has it: cycle, tile, core.  The rest only makes the order one.  What the host only looks at is noted in the
     * order in which it looks. */
    const int order[] = {
        by_number(a->cycle, b->cycle),
        by_number((uint64_t)a->tile.y << 8 | a->tile.x, (uint64_t)b->tile.y << 8 | b->tile.x),
        by_number(a->asker == KERR_ASKER_HOST_READ, b->asker == KERR_ASKER_HOST_READ),
        by_number((uint64_t)(a->core + 1), (uint64_t)(b->core + 1)), /* -1 is nobody */
        by_number((uint8_t)(a->thread - 1),
                  (uint8_t)(b->thread - 1)), /* 0, none, behind them: a core waits for its thread */
        by_number((uint64_t)a->kind, (uint64_t)b->kind),
        by_number(a->pc, b->pc),
        by_number(a->instruction, b->instruction),
        by_number(a->address, b->address),
        by_number(a->stopping, b->stopping),
    };
    for (unsigned i = 0; i < (notes ? 3 : sizeof order / sizeof *order); i++) {
        if (order[i] != 0) {
            return order[i];
        }
    }
    return notes ? 0 : strncmp(a->text, b->text, sizeof a->text);
}

void fault_list_put(kerr_fault *list, uint32_t *count, uint32_t room, const kerr_fault *fault)
{
    uint32_t place = *count < room ? *count : room;
    const uint32_t last = place < room ? place : room - 1; /* which goes if the list is full */
    *count += *count != UINT32_MAX;
    while (place > 0 && fault_order(fault, &list[place - 1]) < 0) { /* nearly always it is the last one */
        place--;
    }
    if (place < room) {
        memmove(&list[place + 1], &list[place], (last - place) * sizeof *list);
        list[place] = *fault;
    }
}

const kerr_fault *fault_list_last_note(const kerr_fault *list, uint32_t count, uint32_t room)
{
    for (uint32_t i = count < room ? count : room; i-- > 0;) {
        if (list[i].asker == KERR_ASKER_HOST_READ) {
            return &list[i];
        }
    }
    return NULL;
}

void fault_list_sort(kerr_fault *list, uint32_t count, uint32_t room)
{
    const uint32_t kept = count < room ? count : room;
    uint32_t sorted = 0;
    while (sorted < kept) {
        const kerr_fault next = list[sorted];
        fault_list_put(list, &sorted, kept, &next);
    }
}

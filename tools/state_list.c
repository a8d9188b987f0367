/* SPDX-License-Identifier: Apache-2.0 */
#include "state_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add(void *context, const kerr_state_item *item)
{
    state_list *list = context;
    if (list->count == list->room) {
        const size_t room = list->room == 0 ? 4096 : 2 * list->room;
        kerr_state_item *grown = realloc(list->item, room * sizeof *grown);
        if (grown == NULL) {
            return; /* found out below: count stays behind */
        }
        list->item = grown;
        list->room = room;
    }
    list->item[list->count++] = *item;
}

bool state_list_read(state_list *made, const kerr_chip *chip, kerr_xy at, uint32_t what, tool_error *error)
{
    *made = (state_list){0};
    const kerr_status status = kerr_state_visit(chip, at, what, add, made);
    if (status != KERR_OK) {
        return tool_fail(error, "tile %u,%u: %s", at.x, at.y, kerr_status_text(status));
    }
    return made->count != 0 || tool_fail(error, "out of memory");
}

void state_list_free(state_list *old)
{
    free(old->item);
    *old = (state_list){0};
}

static bool is_like(const kerr_state_item *a, const kerr_state_item *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->group, b->group) == 0;
}

const kerr_state_item *state_list_find(const state_list *in, const kerr_state_item *like, size_t *from)
{
    for (size_t i = 0; i < in->count; i++) {
        const size_t at = (*from + i) % in->count;
        if (is_like(&in->item[at], like)) {
            *from = at + 1;
            return &in->item[at];
        }
    }
    return NULL;
}

void state_value(const kerr_state_item *item, char *text, size_t size)
{
    char words[KERR_INSTRUCTION_TEXT_MAX];
    switch (item->kind) {
    case KERR_STATE_TENSIX:
        if (item->value != 0 && kerr_disassemble_tensix((uint32_t)item->value, words, sizeof words)) {
            (void)snprintf(text, size, "0x%08" PRIx64 " %s", item->value, words);
            return;
        }
        break;
    case KERR_STATE_CYCLE: (void)snprintf(text, size, "%" PRIu64, item->value); return;
    default: break;
    }
    (void)snprintf(text, size, item->value < 10 ? "%" PRIu64 : "0x%" PRIx64, item->value);
}

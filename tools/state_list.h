/* SPDX-License-Identifier: Apache-2.0 */
/* The state of a tile as a list, and lists side by side. */
#ifndef KERR_TOOLS_STATE_LIST_H
#define KERR_TOOLS_STATE_LIST_H

#include "kerr.h"
#include "tool_error.h"

#include <stddef.h>

typedef struct state_list {
    kerr_state_item *item;
    size_t count, room;
} state_list;

/* `what` as kerr_state_visit has it. */
bool state_list_read(state_list *made, const kerr_chip *chip, kerr_xy at, uint32_t what, tool_error *error);
void state_list_free(state_list *old);
/* The item of that group and name, looked for from *from on first, which it moves: lists of two chips are nearly the same.  NULL:
 * the other tile has none such. */
const kerr_state_item *state_list_find(const state_list *in, const kerr_state_item *like, size_t *from);
/* The value in words: hexadecimal, an instruction as text, a cycle. */
void state_value(const kerr_state_item *item, char *text, size_t size);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The faults that a list keeps: its first ones in an order that is a property of the faults alone.
 *
 * Who records first is none: a core that runs ahead does it before another's earlier fault, as far as windows let it.  So the
 * list is in order, and when it is full the last one goes.  What is kept at the end of a call are then the first of all that
 * were recorded up to there, whatever came when. */
#ifndef KERR_TILE_FAULT_LIST_H
#define KERR_TILE_FAULT_LIST_H

#include "kerr.h"

/* Negative: a comes first.  0: they are the same, but for the page that they name, which a snapshot drops; or both are notes of the
 * host's reads in one cycle, which keep their order. */
int fault_order(const kerr_fault *a, const kerr_fault *b);
/* One more is recorded: *count, which goes on past `room`, is one more too. */
void fault_list_put(kerr_fault *list, uint32_t *count, uint32_t room, const kerr_fault *fault);
/* The note of a host's read that was recorded last, or NULL. */
const kerr_fault *fault_list_last_note(const kerr_fault *list, uint32_t count, uint32_t room);
/* Of a list that came from outside.  Texts end. */
void fault_list_sort(kerr_fault *list, uint32_t count, uint32_t room);

#endif

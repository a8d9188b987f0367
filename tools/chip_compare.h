/* SPDX-License-Identifier: Apache-2.0 */
/* Where two chips differ: L1 and named state of all Tensix tiles. */
#ifndef KERR_TOOLS_CHIP_COMPARE_H
#define KERR_TOOLS_CHIP_COMPARE_H

#include <stddef.h>

#include "kerr.h"

/* A place that differs: a name of a tile's state, or an address of its L1. */
typedef struct difference {
    kerr_xy at;
    bool is_l1;
    uint32_t address;
    uint32_t bytes[2];
    kerr_state_item item[2];
} difference;

typedef bool (*difference_fn)(void *context, const difference *d); /* false: enough */

void chip_compare(kerr_chip *const chip[2], difference_fn fn, void *context);
void difference_print(const difference *d);

typedef struct collection {
    difference *item;
    size_t count, room, most;
    const struct collection *except; /* what is in there is no news */
} collection;

/* A difference_fn; context is a collection.  item is the caller's to free. */
bool collection_add(void *context, const difference *d);
/* Fills it anew, and says how many there are. */
size_t collection_news(kerr_chip *const chip[2], collection *c);

#endif

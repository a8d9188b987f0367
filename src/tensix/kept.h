/* SPDX-License-Identifier: Apache-2.0 */
/* What a worker keeps for all coprocessors that it runs: code made for programs of the Vector Unit.  A cache that is lent to a tile
 * (`kept` of tensix/tile.h): no part of what the chip is, and it may be forgotten at any time. */
#ifndef KERR_TENSIX_KEPT_H
#define KERR_TENSIX_KEPT_H

#include <stdint.h>

struct tensix_kept {
    struct code_store *codes; /* vector/code.h; NULL: there is none */
};

struct tensix_kept *tensix_kept_create(uint32_t without); /* FAST_*; NULL: there is no memory */
void tensix_kept_destroy(struct tensix_kept *kept);

#endif

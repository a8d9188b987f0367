/* SPDX-License-Identifier: Apache-2.0 */
/* Many snapshots of one chip in memory.  Most pages of a chip are the same from one to the next: each content is kept once. */
#ifndef KERR_TOOLS_PAST_PAGES_H
#define KERR_TOOLS_PAST_PAGES_H

#include "kerr.h"

#include <stddef.h>
#include <stdint.h>

enum { PAST_PAGE = 4096 };

typedef struct past_page {
    uint64_t hash;
    uint32_t users;
    uint32_t next; /* in its list, + 1; 0: none */
    uint8_t *data; /* PAST_PAGE bytes; NULL: free */
} past_page;

typedef struct past_pages {
    past_page *page;
    uint32_t count, room;
    uint32_t free;  /* first of those without data, + 1 */
    uint32_t *list; /* of pages by hash: first, + 1 */
    uint32_t lists; /* power of two */
    uint64_t in_use;
} past_pages;

/* A saved chip: pieces of PAST_PAGE bytes by number, the others as they came. */
typedef struct past_snapshot {
    uint64_t cycle;
    uint32_t *page;
    size_t pages, page_room;
    uint8_t *rest;
    size_t size, room;
} past_snapshot;

/* like: one of a cycle nearby, which makes it quicker, or NULL.  False: no memory. */
bool past_pages_save(past_pages *p, past_snapshot *s, const past_snapshot *like, const kerr_chip *chip);
bool past_pages_restore(const past_pages *p, const past_snapshot *s, kerr_chip *chip);
void past_pages_drop(past_pages *p, past_snapshot *s);
void past_pages_free(past_pages *p); /* all snapshots have been dropped */

#endif

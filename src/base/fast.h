/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of the fast mechanisms (fast.def): bits of a mask of those that are off. */
#ifndef KERR_BASE_FAST_H
#define KERR_BASE_FAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fast_index {
#define FAST(id, name, text) FAST_INDEX_##id,
#include "base/fast.def"
#undef FAST
    FAST_MECHANISMS
};

enum {
#define FAST(id, name, text) FAST_##id = 1 << FAST_INDEX_##id,
#include "base/fast.def"
#undef FAST
    FAST_ALL = (1 << FAST_MECHANISMS) - 1
};

typedef struct fast_text {
    const char *name, *text;
} fast_text;
extern const fast_text fast_texts[FAST_MECHANISMS];

/* "-bursts,-park", "none,+park": a list with commas that begins with everything on.  False: *bad and *length are the piece that is
 * none. */
bool fast_parse(const char *text, uint32_t *without, const char **bad, size_t *length);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A chip as a stream of bytes in memory: what kerr_save and kerr_restore are given. */
#ifndef SAVED_H
#define SAVED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct saved_bytes {
    uint8_t *data; /* free it */
    size_t size, room, at;
} saved_bytes;

static inline bool saved_put(void *context, const void *data, size_t size)
{
    saved_bytes *s = context;
    if (s->size + size > s->room) {
        s->room = (s->size + size) * 2;
        s->data = realloc(s->data, s->room);
        if (!s->data) {
            abort();
        }
    }
    memcpy(s->data + s->size, data, size);
    s->size += size;
    return true;
}

static inline bool saved_get(void *context, void *data, size_t size)
{
    saved_bytes *s = context;
    if (size > s->size - s->at) {
        return false;
    }
    memcpy(data, s->data + s->at, size);
    s->at += size;
    return true;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "dropin/feed.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OWN_BYTES = 4096 };

bool feed_open(feed *f, const char *path)
{
    void *own = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    f->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    f->buffer = malloc(KERR_FEED_CHUNK);
    f->codes = calloc(FEED_CODES, sizeof *f->codes);
    f->own = own != MAP_FAILED ? own : NULL;
    f->open = true;
    if (f->file < 0 || f->buffer == NULL || f->codes == NULL || f->own == NULL ||
        madvise(own, OWN_BYTES, MADV_WIPEONFORK) != 0) {
        feed_close(f);
        return false;
    }
    *f->own = 1;
    f->used = sizeof(kerr_feed_chunk);
    return true;
}

/* A chunk in one write, so that processes do not come between each other's records. */
static void flush(feed *f)
{
    const kerr_feed_chunk chunk = {.bytes = f->used - (uint32_t)sizeof(kerr_feed_chunk), .pid = (int32_t)getpid()};
    if (chunk.bytes == 0)
        return;
    memcpy(f->buffer, &chunk, sizeof chunk);
    if (write(f->file, f->buffer, f->used) != (ssize_t)f->used) {
        close(f->file); /* no room: nothing more is told */
        f->file = -1;
    }
    f->used = sizeof chunk;
}

void feed_close(feed *f)
{
    if (!f->open)
        return;
    if (f->file >= 0)
        close(f->file);
    free(f->buffer);
    free(f->codes);
    if (f->own != NULL)
        munmap(f->own, OWN_BYTES);
    memset(f, 0, sizeof *f);
}

static void put(feed *f, const kerr_feed_record *record, const void *data, size_t size, const void *more,
                size_t more_size)
{
    if (f->used + sizeof *record + size + more_size > KERR_FEED_CHUNK)
        flush(f);
    memcpy(f->buffer + f->used, record, sizeof *record);
    f->used += (uint32_t)sizeof *record;
    if (size != 0)
        memcpy(f->buffer + f->used, data, size);
    if (more_size != 0)
        memcpy(f->buffer + f->used + size, more, more_size);
    f->used += (uint32_t)(size + more_size);
}

/* The number of the code that stands at an address; told if it is new.  False: there is none, or no room. */
static bool code_number(feed *f, kerr_xy at, uint32_t address, uint32_t *number)
{
    uint64_t size;
    const uint8_t *bytes = l1_at(f->chip, at, address, &size);
    if (bytes == NULL || size < KERR_FEED_CODE_BYTES)
        return false;
    uint64_t hash = address ^ UINT64_C(0x9E3779B97F4A7C15), word;
    for (unsigned i = 0; i < KERR_FEED_CODE_BYTES; i += 8) {
        memcpy(&word, bytes + i, 8);
        hash = (hash ^ word) * UINT64_C(0xD1342543DE82EF95);
        hash ^= hash >> 32;
    }
    hash |= 1;
    for (uint32_t i = (uint32_t)(hash >> 40) % FEED_CODES;; i = (i + 1) % FEED_CODES) {
        struct feed_code *code = &f->codes[i];
        if (code->hash == hash) {
            *number = code->number;
            return true;
        }
        if (code->hash != 0)
            continue;
        if (f->code_count >= FEED_CODES / 2)
            return false;
        *code = (struct feed_code){.hash = hash, .number = f->code_count++};
        put(f, &(kerr_feed_record){.kind = KERR_FEED_CODE, .number = code->number, .address = address}, bytes,
            KERR_FEED_CODE_BYTES, NULL, 0);
        *number = code->number;
        return true;
    }
}

static void on_event(void *context, const kerr_trace_event *event)
{
    feed *f = context;
    if (f->file < 0 || *f->own == 0)
        return; /* a forked child is not told of: its parent's events are in the buffer */
    if (event->kind == KERR_TRACE_INSTRUCTION) {
        const uint32_t address = event->pc & ~(uint32_t)(KERR_FEED_CODE_BYTES - 1);
        uint32_t *page = &f->page[place_of(event->at)][event->core], number;
        if (*page != address + 1 && code_number(f, event->at, address, &number))
            put(f,
                &(kerr_feed_record){.kind = KERR_FEED_ENTER,
                                    .at = event->at,
                                    .core = (uint8_t)event->core,
                                    .number = number,
                                    .address = address},
                NULL, 0, NULL, 0);
        *page = address + 1;
    }
    put(f, &(kerr_feed_record){.kind = KERR_FEED_EVENT}, event, sizeof *event, event->tensix,
        event->tensix != NULL ? sizeof *event->tensix : 0);
}

void feed_chip_begins(feed *f, kerr_chip *chip)
{
    f->chip = chip;
    memset(f->page, 0, sizeof f->page);
    put(f, &(kerr_feed_record){.kind = KERR_FEED_CHIP, .number = f->chips++}, NULL, 0, NULL, 0);
    kerr_set_trace_kinds(chip, KERR_TRACE_INSTRUCTION | KERR_TRACE_STATE | KERR_TRACE_TENSIX | KERR_TRACE_PARKING,
                         on_event, f);
}

void feed_chip_ends(feed *f, const kerr_chip *chip)
{
    if (f->file < 0 || *f->own == 0)
        return;
    uint64_t now = 0;
    kerr_cycle(chip, &now);
    put(f, &(kerr_feed_record){.kind = KERR_FEED_END, .cycle = now}, NULL, 0, NULL, 0);
    flush(f);
}

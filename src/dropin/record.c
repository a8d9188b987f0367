/* SPDX-License-Identifier: Apache-2.0 */
/* One file a process.  Which process has FILE itself is decided by a lock, so that a run of one process finds it under that
 * name, and those beside it find FILE.PID. */
#include "dropin/record.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OWN_BYTES = 4096 };

/* The piece of the file that is written now is mapped, and with it shared: what is in it stays, however the process ends.  Behind
 * the last entry there are zeroes, until record_close cuts them off. */
static bool map_piece(record *r, uint64_t at)
{
    if (r->piece != NULL)
        munmap(r->piece, RECORD_PIECE);
    r->piece = NULL;
    r->at = at;
    r->used = 0;
    if (r->file < 0 || ftruncate(r->file, (off_t)(at + RECORD_PIECE)) != 0)
        return false;
    void *piece = mmap(NULL, RECORD_PIECE, PROT_READ | PROT_WRITE, MAP_SHARED, r->file, (off_t)at);
    r->piece = piece != MAP_FAILED ? piece : NULL;
    return r->piece != NULL;
}

static void put(record *r, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0 && r->piece != NULL) {
        const size_t room = RECORD_PIECE - r->used, part = size < room ? size : room;
        memcpy(r->piece + r->used, bytes, part);
        r->used += part;
        bytes += part;
        size -= part;
        if (r->used == RECORD_PIECE)
            map_piece(r, r->at + RECORD_PIECE);
    }
}

static int open_own(record *r)
{
    snprintf(r->present, sizeof r->present, "%s.%ld", r->path, (long)getpid());
    return open(r->present, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool record_open(record *r, const char *path)
{
    void *own = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED || madvise(own, OWN_BYTES, MADV_WIPEONFORK) != 0)
        return false;
    r->own = own;
    *r->own = 1;
    snprintf(r->path, sizeof r->path, "%s", path);
    snprintf(r->present, sizeof r->present, "%s", path);
    r->file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (r->file >= 0 && (flock(r->file, LOCK_EX | LOCK_NB) != 0 || lseek(r->file, 0, SEEK_END) > 0)) {
        close(r->file); /* another process has it, or had it in this run */
        r->file = open_own(r);
    }
    if (!map_piece(r, 0)) {
        record_close(r);
        return false;
    }
    const kerr_record_header header = {.magic = "kerrlog\n", .version = KERR_RECORD_VERSION};
    put(r, &header, sizeof header);
    return true;
}

/* What the parent had written by then: its file only grows, and how far it was at the fork is in our copy of `at` and `used`. */
static void after_fork(record *r)
{
    *r->own = 1;
    const uint64_t before = r->at + r->used;
    const int from = open(r->present, O_RDONLY | O_CLOEXEC);
    if (r->file >= 0)
        close(r->file);
    r->file = open_own(r);
    map_piece(r, 0);
    uint8_t bytes[4096];
    for (uint64_t done = 0; done < before && from >= 0;) {
        const uint64_t left = before - done;
        const ssize_t got = pread(from, bytes, left < sizeof bytes ? left : sizeof bytes, (off_t)done);
        if (got <= 0)
            break;
        put(r, bytes, (size_t)got);
        done += (uint64_t)got;
    }
    if (from >= 0)
        close(from);
}

void record_entry(record *r, const kerr_record_entry *entry, const void *data)
{
    if (*r->own == 0)
        after_fork(r);
    put(r, entry, sizeof *entry);
    if (data != NULL)
        put(r, data, entry->size);
}

void record_close(record *r)
{
    if (r->own == NULL)
        return;
    const bool ours = *r->own != 0; /* else the file is still our parent's */
    if (r->piece != NULL)
        munmap(r->piece, RECORD_PIECE);
    if (r->file >= 0) {
        if (ours && ftruncate(r->file, (off_t)(r->at + r->used)) != 0)
            r->at = 0; /* the zeroes stay */
        close(r->file);
    }
    r->piece = NULL;
    munmap(r->own, OWN_BYTES);
    r->own = NULL;
    r->file = -1;
}

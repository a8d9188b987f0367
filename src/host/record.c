/* SPDX-License-Identifier: Apache-2.0 */
/* One file a process.  Which process has FILE itself is decided by a lock, so that a run of one process finds it under that
 * name, and those beside it find FILE.PID. */
#include "host/record.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OWN_BYTES = 4096 };

static bool write_all(int file, const uint8_t *data, size_t size)
{
    while (size > 0) {
        const ssize_t done = write(file, data, size);
        if (done <= 0)
            return false;
        data += done;
        size -= (size_t)done;
    }
    return true;
}

void record_flush(record *r)
{
    if (r->file < 0 || r->used == 0)
        return;
    r->failed = r->failed || !write_all(r->file, r->buffer, r->used);
    r->flushed += r->used;
    r->used = 0;
}

static void put(record *r, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        const size_t room = RECORD_BUFFER - r->used, piece = size < room ? size : room;
        memcpy(r->buffer + r->used, bytes, piece);
        r->used += piece;
        bytes += piece;
        size -= piece;
        if (r->used == RECORD_BUFFER)
            record_flush(r);
    }
}

static int open_own(record *r)
{
    snprintf(r->present, sizeof r->present, "%s.%ld", r->path, (long)getpid());
    return open(r->present, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
}

bool record_open(record *r, const char *path)
{
    void *own = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED || madvise(own, OWN_BYTES, MADV_WIPEONFORK) != 0)
        return false;
    r->own = own;
    *r->own = 1;
    r->failed = false;
    r->flushed = r->used = 0;
    snprintf(r->path, sizeof r->path, "%s", path);
    snprintf(r->present, sizeof r->present, "%s", path);
    r->file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (r->file >= 0 && (flock(r->file, LOCK_EX | LOCK_NB) != 0 || lseek(r->file, 0, SEEK_END) > 0)) {
        close(r->file); /* another process has it, or had it in this run */
        r->file = open_own(r);
    }
    if (r->file < 0)
        return false;
    const kerr_record_header header = {.magic = "kerrlog\n", .version = KERR_RECORD_VERSION};
    put(r, &header, sizeof header);
    return true;
}

/* The parent's file only grows, and our copy of the buffer is what it had not yet written at the fork. */
static void after_fork(record *r)
{
    *r->own = 1;
    const int before = open(r->present, O_RDONLY | O_CLOEXEC);
    const int file = open_own(r);
    uint8_t piece[4096];
    uint64_t copied = 0;
    while (before >= 0 && file >= 0 && copied < r->flushed) {
        const uint64_t left = r->flushed - copied;
        const ssize_t got = pread(before, piece, left < sizeof piece ? left : sizeof piece, (off_t)copied);
        if (got <= 0 || !write_all(file, piece, (size_t)got))
            break;
        copied += (uint64_t)got;
    }
    r->failed = copied != r->flushed;
    if (before >= 0)
        close(before);
    close(r->file);
    r->file = file;
}

void record_entry(record *r, const kerr_record_entry *entry, const void *data)
{
    if (*r->own == 0)
        after_fork(r);
    if (r->file < 0)
        return;
    put(r, entry, sizeof *entry);
    if (data != NULL)
        put(r, data, entry->size);
}

void record_close(record *r)
{
    if (r->own == NULL)
        return;
    if (*r->own != 0) /* else what is in the buffer is our parent's */
        record_flush(r);
    if (r->file >= 0)
        close(r->file);
    munmap(r->own, OWN_BYTES);
    r->own = NULL;
    r->file = -1;
}

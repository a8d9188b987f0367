/* SPDX-License-Identifier: Apache-2.0 */
/* One folder for each chip: FOLDER for the first chip of the first process, FOLDER.PID for further processes, with .2, .3 behind it for
 * further chips.  A file comes to its name when it is whole. */
#include "dropin/series.h"

#include "kerr_chip_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A zstd frame of raw blocks ------------------------------------------------------------------------------- */

enum { BLOCK = 1 << 17, STRIPE = 32 };
_Static_assert(BLOCK % STRIPE == 0, "the checksum takes whole stripes of all blocks but the last");

typedef struct frame {
    int file;
    size_t used;
    uint64_t total;
    uint64_t lane[4]; /* of XXH64, the frame's checksum */
    uint8_t data[BLOCK];
} frame;

#define PRIME_1 UINT64_C(0x9E3779B185EBCA87)
#define PRIME_2 UINT64_C(0xC2B2AE3D27D4EB4F)
#define PRIME_3 UINT64_C(0x165667B19E3779F9)
#define PRIME_4 UINT64_C(0x85EBCA77C2B2AE63)
#define PRIME_5 UINT64_C(0x27D4EB2F165667C5)

static uint64_t rotate(uint64_t x, unsigned by)
{
    return x << by | x >> (64 - by);
}

static uint64_t round_of(uint64_t lane, uint64_t word)
{
    return rotate(lane + word * PRIME_2, 31) * PRIME_1;
}

static void sum_stripes(frame *f, size_t size)
{
    for (size_t i = 0; i + STRIPE <= size; i += STRIPE)
        for (unsigned l = 0; l < 4; l++) {
            uint64_t word;
            memcpy(&word, f->data + i + 8 * (size_t)l, sizeof word);
            f->lane[l] = round_of(f->lane[l], word);
        }
}

/* What the last block has behind its whole stripes is still in data. */
static uint32_t checksum(const frame *f)
{
    uint64_t h = PRIME_5;
    if (f->total >= STRIPE) {
        h = rotate(f->lane[0], 1) + rotate(f->lane[1], 7) + rotate(f->lane[2], 12) + rotate(f->lane[3], 18);
        for (unsigned l = 0; l < 4; l++)
            h = (h ^ round_of(0, f->lane[l])) * PRIME_1 + PRIME_4;
    }
    h += f->total;
    size_t i = f->used / STRIPE * STRIPE;
    for (; i + 8 <= f->used; i += 8) {
        uint64_t word;
        memcpy(&word, f->data + i, sizeof word);
        h = rotate(h ^ round_of(0, word), 27) * PRIME_1 + PRIME_4;
    }
    if (i + 4 <= f->used) {
        uint32_t word;
        memcpy(&word, f->data + i, sizeof word);
        h = rotate(h ^ word * PRIME_1, 23) * PRIME_2 + PRIME_3;
        i += 4;
    }
    for (; i < f->used; i++)
        h = rotate(h ^ f->data[i] * PRIME_5, 11) * PRIME_1;
    h = (h ^ h >> 33) * PRIME_2;
    h = (h ^ h >> 29) * PRIME_3;
    return (uint32_t)(h ^ h >> 32);
}

static bool write_all(int file, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    while (size > 0) {
        const ssize_t done = write(file, bytes, size);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        bytes += done;
        size -= (size_t)done;
    }
    return true;
}

static bool begin_frame(frame *f, const kerr_chip *chip)
{
    kerr_chip_file_header header = {.magic = {'K', 'E', 'R', 'R', 'C', 'H', 'I', 'P'}, .format = KERR_CHIP_FILE_FORMAT};
    /* Magic; a checksum at the end; a window of 128 KiB, the largest block. */
    static const uint8_t start[] = {0x28, 0xB5, 0x2F, 0xFD, 0x04, (17 - 10) << 3};
    snprintf(header.version, sizeof header.version, "%s", kerr_version());
    kerr_cycle(chip, &header.cycle);
    f->used = 0;
    f->total = 0;
    f->lane[0] = PRIME_1 + PRIME_2;
    f->lane[1] = PRIME_2;
    f->lane[2] = 0;
    f->lane[3] = 0 - PRIME_1;
    return write_all(f->file, &header, sizeof header) && write_all(f->file, start, sizeof start);
}

static bool put_block(frame *f, bool last)
{
    const uint32_t head = (uint32_t)f->used << 3 | (last ? 1 : 0); /* type 0: raw */
    const uint8_t bytes[3] = {(uint8_t)head, (uint8_t)(head >> 8), (uint8_t)(head >> 16)};
    sum_stripes(f, f->used);
    f->total += f->used;
    return write_all(f->file, bytes, sizeof bytes) && write_all(f->file, f->data, f->used);
}

static bool put(void *context, const void *data, size_t size)
{
    frame *f = context;
    const uint8_t *bytes = data;
    while (size > 0) {
        if (f->used == BLOCK) {
            if (!put_block(f, false))
                return false;
            f->used = 0;
        }
        const size_t room = BLOCK - f->used, part = size < room ? size : room;
        memcpy(f->data + f->used, bytes, part);
        f->used += part;
        bytes += part;
        size -= part;
    }
    return true;
}

static bool end_frame(frame *f)
{
    if (!put_block(f, true))
        return false;
    const uint32_t sum = checksum(f);
    return write_all(f->file, &sum, sizeof sum);
}

/* ---- Folders -------------------------------------------------------------------------------------------------------- */

static bool has_chips(const char *folder)
{
    DIR *entries = opendir(folder);
    bool any = false;
    if (entries == NULL)
        return false;
    for (const struct dirent *entry = readdir(entries); entry != NULL && !any; entry = readdir(entries))
        any = strncmp(entry->d_name, "cycle-", 6) == 0;
    closedir(entries);
    return any;
}

/* Ours, and empty.  A process that was forked has one of its own. */
static bool choose_folder(series *s)
{
    const int32_t process = (int32_t)getpid();
    if (s->process == process)
        return true;
    s->count = 0;
    snprintf(s->folder, sizeof s->folder, "%s", s->given);
    if (s->process != 0 || has_chips(s->given))
        snprintf(s->folder, sizeof s->folder, "%s.%ld", s->given, (long)process);
    if (s->chip > 1) {
        const size_t used = strlen(s->folder);
        snprintf(s->folder + used, sizeof s->folder - used, ".%u", s->chip);
    }
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST)
        return false;
    s->process = process;
    return true;
}

static void name_file(const series *s, uint64_t cycle, const char *behind, char path[SERIES_PATH + 128])
{
    char name[64];
    snprintf(name, sizeof name, KERR_CHIP_FILE_NAME, (unsigned long long)cycle);
    snprintf(path, SERIES_PATH + 128, "%s/%s%s", s->folder, name, behind);
}

/* The first one stays, the oldest of the others goes. */
static void make_room(series *s)
{
    char path[SERIES_PATH + 128];
    if (s->count < s->keep)
        return;
    const uint32_t oldest = s->keep > 1 ? 1 : 0;
    name_file(s, s->kept[oldest], "", path);
    unlink(path);
    memmove(&s->kept[oldest], &s->kept[oldest + 1], (s->count - oldest - 1) * sizeof s->kept[0]);
    s->count--;
}

/* ---- The chip --------------------------------------------------------------------------------------------------------- */

static bool save_as(frame *f, const kerr_chip *chip, const char *beside, const char *path)
{
    f->file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (f->file < 0)
        return false;
    const bool good = begin_frame(f, chip) && kerr_save(chip, put, f) == KERR_OK && end_frame(f);
    const int why = errno;
    if (close(f->file) == 0 && good && rename(beside, path) == 0)
        return true;
    errno = good ? errno : why;
    return false;
}

static bool save(series *s, const kerr_chip *chip, uint64_t cycle)
{
    char path[SERIES_PATH + 128], beside[SERIES_PATH + 128];
    frame *f = malloc(sizeof *f);
    bool good = f != NULL && choose_folder(s);
    if (good) {
        name_file(s, cycle, "", path);
        name_file(s, cycle, ".part", beside);
        good = save_as(f, chip, beside, path);
        if (!good) {
            const int why = errno;
            unlink(beside);
            errno = why;
        }
    }
    if (good) {
        make_room(s);
        s->kept[s->count++] = cycle;
    }
    free(f);
    return good;
}

void series_open(series *s, const char *folder, uint64_t every, uint32_t keep)
{
    snprintf(s->given, sizeof s->given, "%s", folder);
    s->keep = keep < 1 ? 1 : keep > SERIES_MOST ? SERIES_MOST : keep;
    s->every = every;
}

void series_chip_begins(series *s)
{
    if (s->chip == 0 || s->count != 0) { /* one that was never saved leaves its folder to the next */
        s->chip++;
        s->process = 0;
        s->count = 0;
    }
    s->next = 0;
}

bool series_look(series *s, const kerr_chip *chip, char *text, size_t size)
{
    uint64_t cycle = 0;
    if (s->every == 0 || kerr_cycle(chip, &cycle) != KERR_OK || cycle < s->next)
        return true;
    s->next = (cycle / s->every + 1) * s->every;
    errno = 0;
    if (save(s, chip, cycle) || s->failed)
        return true;
    s->failed = true;
    snprintf(text, size, "%s: the chip of cycle %llu cannot be saved: %s; the program runs on", s->given,
             (unsigned long long)cycle, strerror(errno != 0 ? errno : ENOMEM));
    return false;
}

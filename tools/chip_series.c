/* SPDX-License-Identifier: Apache-2.0 */
#include "chip_series.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "chip_file.h"
#include "kerr_chip_file.h"

/* ---- Folders ------------------------------------------------------------------------------------------------ */

bool chip_series_path(const char *folder, uint64_t cycle, char *path, size_t size)
{
    char name[64];
    (void)snprintf(name, sizeof name, KERR_CHIP_FILE_NAME, (unsigned long long)cycle);
    return (size_t)snprintf(path, size, "%s/%s", folder, name) < size;
}

/* Only names that we have given. */
static bool cycle_of(const char *name, uint64_t *cycle)
{
    unsigned long long number = 0;
    char again[64];
    if (sscanf(name, "cycle-%llu.chip", &number) != 1) {
        return false;
    }
    (void)snprintf(again, sizeof again, KERR_CHIP_FILE_NAME, number);
    *cycle = number;
    return strcmp(again, name) == 0;
}

static int by_cycle(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

bool chip_series_list(const char *folder, uint64_t **cycles, size_t *count, tool_error *error)
{
    DIR *entries = opendir(folder);
    uint64_t *list = NULL;
    size_t used = 0, room = 0;
    if (entries == NULL) {
        return tool_fail(error, "%s: %s", folder, strerror(errno));
    }
    bool good = true;
    for (const struct dirent *entry = readdir(entries); entry != NULL && good; entry = readdir(entries)) {
        uint64_t cycle;
        if (!cycle_of(entry->d_name, &cycle)) {
            continue;
        }
        if (used == room) {
            room = room == 0 ? 64 : 2 * room;
            uint64_t *grown = realloc(list, room * sizeof *grown);
            good = grown != NULL || tool_fail(error, "out of memory");
            list = grown != NULL ? grown : list;
        }
        if (good) {
            list[used++] = cycle;
        }
    }
    (void)closedir(entries);
    if (!good) {
        free(list);
        return false;
    }
    if (used > 0) {
        qsort(list, used, sizeof *list, by_cycle);
    }
    *cycles = list;
    *count = used;
    return true;
}

/* ---- A series -------------------------------------------------------------------------------------------------- */

static void say(chip_series *s, const char *text)
{
    if (!s->told) {
        (void)fprintf(stderr, "kerr: %s; the run goes on without this snapshot\n", text);
    }
    s->told = true;
}

/* What a run that was killed had begun to write. */
static void remove_parts(const char *folder)
{
    DIR *entries = opendir(folder);
    for (const struct dirent *entry = entries != NULL ? readdir(entries) : NULL; entry != NULL;
         entry = readdir(entries)) {
        const char *end = strstr(entry->d_name, ".chip.part");
        if (strncmp(entry->d_name, "cycle-", 6) == 0 && end != NULL && strcmp(end, ".chip.part") == 0) {
            (void)unlinkat(dirfd(entries), entry->d_name, 0);
        }
    }
    if (entries != NULL) {
        (void)closedir(entries);
    }
}

static void remove_one(const chip_series *s, uint64_t cycle)
{
    char path[PATH_MAX];
    if (chip_series_path(s->folder, cycle, path, sizeof path)) {
        (void)unlink(path);
    }
}

void chip_series_begin(chip_series *s, uint64_t cycle)
{
    tool_error error;
    uint64_t *old = NULL;
    size_t count = 0;
    if (s->every == 0) {
        return;
    }
    s->folder = s->folder != NULL ? s->folder : CHIP_SERIES_FOLDER;
    s->keep = s->keep != 0 ? s->keep : CHIP_SERIES_KEEP;
    s->next = cycle;
    s->kept = calloc(s->keep, sizeof *s->kept);
    if (s->kept == NULL) {
        s->every = 0;
        say(s, "out of memory");
        return;
    }
    if (mkdir(s->folder, 0777) != 0 && errno != EEXIST) {
        tool_error_set(&error, "%s: %s", s->folder, strerror(errno));
        say(s, error.text);
    } else if (!chip_series_list(s->folder, &old, &count, &error)) {
        say(s, error.text);
    }
    for (size_t i = 0; i < count; i++) {
        remove_one(s, old[i]);
    }
    remove_parts(s->folder);
    free(old);
}

uint64_t chip_series_limit(const chip_series *s, uint64_t end)
{
    return s->every != 0 && s->next < end ? s->next : end;
}

/* Room for one more: the second goes, the first stays. */
static void make_room(chip_series *s)
{
    if (s->count < s->keep) {
        return;
    }
    const size_t oldest = s->keep > 1 ? 1 : 0;
    remove_one(s, s->kept[oldest]);
    memmove(&s->kept[oldest], &s->kept[oldest + 1], (s->count - oldest - 1) * sizeof *s->kept);
    s->count--;
}

void chip_series_look(chip_series *s, const kerr_chip *chip)
{
    uint64_t cycle = 0;
    char path[PATH_MAX];
    tool_error error;
    (void)kerr_cycle(chip, &cycle);
    if (s->every == 0 || cycle < s->next) {
        return;
    }
    s->next = (cycle / s->every + 1) * s->every;
    if (!chip_series_path(s->folder, cycle, path, sizeof path)) {
        s->failures++;
        say(s, "the name of the folder is too long");
    } else if (!chip_file_write_whole(path, chip, &error)) {
        s->failures++;
        say(s, error.text);
    } else {
        make_room(s);
        s->kept[s->count++] = cycle;
    }
}

void chip_series_end(chip_series *s)
{
    if (s->failures != 0) {
        (void)fprintf(stderr, "kerr: %s: %" PRIu64 " snapshot%s could not be written\n", s->folder, s->failures,
                      s->failures == 1 ? "" : "s");
    }
    free(s->kept);
    s->kept = NULL;
}

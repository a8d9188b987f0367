/* SPDX-License-Identifier: Apache-2.0 */
/* tt-metal (hw/inc/hostdev/dev_msgs.h): mailboxes_t stands at MEM_MAILBOX_BASE and begins with ncrisc_halt (two words), then
 * subordinate_sync: a byte each for NC, T0, T1, T2.  RISCV B writes LOAD or GO there to start a core; the core writes DONE; when
 * all have, and B's own kernel is over too, B tells T0 to clear the circular buffers' counters. */
#include "dropin/kernels.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { OWN_BYTES = 4096 };
static const uint8_t core_of[KERR_SYNC_BYTES] = {KERR_CORE_NC, KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2};

bool kernels_open(kernels *k, const char *path)
{
    static const char head[] = "process,chip,launch,core,tiles,begin,end,cycles\n";
    void *own = mmap(NULL, OWN_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    k->file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    k->own = own != MAP_FAILED ? own : NULL;
    k->open = true;
    if (k->file < 0 || k->own == NULL || madvise(own, OWN_BYTES, MADV_WIPEONFORK) != 0 ||
        (lseek(k->file, 0, SEEK_END) == 0 && write(k->file, head, sizeof head - 1) < 0)) {
        kernels_close(k);
        return false;
    }
    *k->own = 1;
    return true;
}

void kernels_close(kernels *k)
{
    if (!k->open)
        return;
    if (k->file >= 0)
        close(k->file);
    if (k->own != NULL)
        munmap(k->own, OWN_BYTES);
    memset(k, 0, sizeof *k);
}

/* Rows of the oldest launch in one write, so that processes do not come between each other's. */
static void tell(kernels *k)
{
    static const char *const names[KERR_CORE_COUNT] = {[KERR_CORE_B] = "B",
                                                       [KERR_CORE_T0] = "T0",
                                                       [KERR_CORE_T1] = "T1",
                                                       [KERR_CORE_T2] = "T2",
                                                       [KERR_CORE_NC] = "NC"};
    struct kernels_launch *launch = &k->launch[k->first % KERNELS_OPEN];
    char text[KERR_CORE_COUNT * 128];
    size_t used = 0;
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        const struct kernels_span *span = &launch->span[c];
        if (span->tiles != 0)
            used += (size_t)snprintf(text + used, sizeof text - used, "%d,%u,%u,%s,%u,%llu,%llu,%llu\n", (int)getpid(),
                                     k->chips, k->first, names[c], span->tiles, (unsigned long long)span->begin,
                                     (unsigned long long)span->end, (unsigned long long)(span->end - span->begin));
    }
    if (used != 0 && k->file >= 0 && *k->own != 0 && write(k->file, text, used) != (ssize_t)used) {
        close(k->file); /* no room: nothing more is told */
        k->file = -1;
    }
    memset(launch, 0, sizeof *launch);
    k->first++;
}

/* Nobody begins twice in a launch, and nobody begins when all have ended.  Tiles that dispatch never end: the launches in
 * which they began are told of when there is no room for more. */
static void joins(kernels *k, struct kernels_tile *tile)
{
    const uint32_t newest = k->next; /* 1 + its number */
    if (newest == 0 || tile->launch == newest || k->launch[(newest - 1) % KERNELS_OPEN].running == 0) {
        while (k->first != k->next &&
               (k->launch[k->first % KERNELS_OPEN].running == 0 || k->next - k->first == KERNELS_OPEN))
            tell(k);
        k->next++;
    }
    tile->launch = k->next;
    k->launch[(k->next - 1) % KERNELS_OPEN].running++;
}

static void begins(kernels *k, struct kernels_tile *tile, unsigned core, uint64_t cycle)
{
    const uint8_t bit = (uint8_t)(1u << core);
    if ((tile->runs & bit) != 0)
        return; /* LOAD, then GO */
    if (core == KERR_CORE_B)
        joins(k, tile);
    tile->runs |= bit;
    tile->begin[core] = cycle;
}

static void ends(kernels *k, struct kernels_tile *tile, unsigned core, uint64_t cycle)
{
    const uint8_t bit = (uint8_t)(1u << core);
    if ((tile->runs & bit) == 0)
        return;
    tile->runs &= (uint8_t)~bit;
    if (tile->launch <= k->first)
        return; /* told of already */
    struct kernels_launch *launch = &k->launch[(tile->launch - 1) % KERNELS_OPEN];
    struct kernels_span *span = &launch->span[core];
    launch->running -= core == KERR_CORE_B;
    if (span->tiles == 0 || tile->begin[core] < span->begin)
        span->begin = tile->begin[core];
    if (span->tiles == 0 || cycle > span->end)
        span->end = cycle;
    span->tiles++;
}

static void on_write(void *context, const kerr_watch_event *event)
{
    kernels *k = context;
    if (event->core < 0)
        return; /* a loader */
    struct kernels_tile *tile = &k->tile[place_of(event->at)];
    for (unsigned i = 0; i < KERR_SYNC_BYTES; i++) {
        const uint32_t at = KERR_SYNC_ADDRESS + i - event->address;
        if (at >= event->size || at >= 8)
            continue;
        const uint8_t message = (uint8_t)(event->value >> 8 * at);
        if (event->core == core_of[i] && message == KERR_SYNC_DONE) {
            ends(k, tile, core_of[i], event->cycle);
        } else if (event->core == KERR_CORE_B && (message == KERR_SYNC_LOAD || message == KERR_SYNC_GO)) {
            begins(k, tile, KERR_CORE_B, event->cycle);
            begins(k, tile, core_of[i], event->cycle);
        } else if (event->core == KERR_CORE_B && message == KERR_SYNC_CLEAR) {
            ends(k, tile, KERR_CORE_B, event->cycle);
        }
    }
}

void kernels_chip_begins(kernels *k, kerr_chip *chip)
{
    uint32_t id;
    memset(k->tile, 0, sizeof k->tile);
    memset(k->launch, 0, sizeof k->launch);
    k->chips++;
    k->first = k->next = 0;
    *k->own = 1;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++)
        (void)kerr_watch_add(chip, kerr_tensix_xy(i), KERR_SYNC_ADDRESS, KERR_SYNC_BYTES, on_write, k, &id);
}

void kernels_chip_ends(kernels *k)
{
    while (k->first != k->next)
        tell(k);
}

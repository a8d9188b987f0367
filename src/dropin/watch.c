/* SPDX-License-Identifier: Apache-2.0 */
#include "dropin/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    REST_CYCLES = 1 << 16,  /* a chip that has nothing to do for so long rests */
    HANG_CYCLES = 20000000, /* and hangs, if the host polls for as many */
    LONE_TILES = 4,         /* where cores may run for themselves, one in each, and it hangs none the less */
    DEAD_CALLS = 100,       /* that a host may always make to a dead card */
    PIECE = 1 << 30,
};

/* ---- Life ------------------------------------------------------------------------------------------------- */

bool watch_open_page(watch *w, const char *path, const char **why)
{
    const bool open = w->stats.page != NULL || stats_open(&w->stats, path, why);
    w->on = w->on || open;
    return open;
}

bool watch_open_log(watch *w, const char *path)
{
    const bool open = w->record.own != NULL || record_open(&w->record, path);
    w->on = w->on || open;
    return open;
}

bool watch_open_feed(watch *w, const char *path)
{
    const bool open = w->feed.open || feed_open(&w->feed, path);
    w->on = w->on || open;
    return open;
}

bool watch_open_kernels(watch *w, const char *path)
{
    const bool open = w->kernels.open || kernels_open(&w->kernels, path);
    w->on = w->on || open;
    return open;
}

void watch_open_series(watch *w, const char *folder, uint64_t every, uint32_t keep)
{
    if (w->series.every == 0) {
        series_open(&w->series, folder, every, keep);
        w->on = true;
    }
}

void watch_close(watch *w)
{
    kernels_close(&w->kernels);
    feed_close(&w->feed);
    if (w->stats.page != NULL)
        stats_close(&w->stats);
    record_close(&w->record);
}

static void log_entry(watch *w, const kerr_record_entry *entry, const void *data)
{
    if (w->record.own != NULL)
        record_entry(&w->record, entry, data);
}

/* What counts of the environment, for who plays the log. */
static void log_init(watch *w, bool has_host_memory)
{
    static const char *const names[] = {"KERR_SEED",    "KERR_SHAKE",     "KERR_ON_FAULT",
                                        "KERR_HARVEST", "KERR_HOST_TIME", "KERR_POLICY"};
    char text[512] = "";
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        const size_t used = strlen(text);
        if (value != NULL)
            snprintf(text + used, sizeof text - used, "%s=%s\n", names[i], value);
    }
    log_entry(
        w,
        &(kerr_record_entry){.kind = KERR_LOG_INIT, .size = (uint32_t)strlen(text), .address = has_host_memory ? 1 : 0},
        text);
}

void watch_chip_begins(watch *w, kerr_chip *chip, bool has_host_memory)
{
    if (w->feed.open)
        feed_chip_begins(&w->feed, chip);
    if (w->kernels.open)
        kernels_chip_begins(&w->kernels, chip);
    w->died_at_ns = w->rest_ns = w->dead_calls = 0;
    series_chip_begins(&w->series);
    log_init(w, has_host_memory);
    if (w->stats.page != NULL)
        stats_chip_begins(&w->stats, chip);
}

void watch_chip_ends(watch *w, const kerr_chip *chip)
{
    if (w->feed.open)
        feed_chip_ends(&w->feed, chip);
    if (w->kernels.open)
        kernels_chip_ends(&w->kernels);
    uint64_t hash = 0;
    if (w->record.own != NULL) {
        uint32_t hung = 0;
        kerr_hash(chip, &hash);
        (void)kerr_left_hanging(chip, &hung);
        log_entry(w, &(kerr_record_entry){.kind = KERR_LOG_EXIT}, NULL);
        log_entry(w, &(kerr_record_entry){.kind = KERR_LOG_END, .size = hung, .address = cycle_of(chip), .value = hash},
                  NULL);
    }
    if (w->stats.page != NULL) {
        stats_chip_closes(&w->stats, chip);
        stats_chip_ends(&w->stats, chip);
        if (w->stats.record != NULL)
            w->stats.record->hash = hash;
    }
}

void watch_chip_resets(watch *w, const kerr_chip *chip, bool before)
{
    if (!before)
        series_chip_begins(&w->series);
    if (w->stats.page == NULL)
        return;
    if (before)
        stats_chip_ends(&w->stats, chip);
    else
        stats_chip_begins(&w->stats, chip);
}

void watch_chip_stops(watch *w, const kerr_chip *chip, kerr_post_reason reason, const char *text)
{
    w->died_at_ns = stats_clock_ns();
    if (reason == KERR_POST_HANG)
        log_entry(w, &(kerr_record_entry){.kind = KERR_LOG_HANG, .address = cycle_of(chip)}, NULL);
    if (w->stats.page != NULL)
        stats_chip_stops(&w->stats, chip, reason, text);
}

/* ---- Calls -------------------------------------------------------------------------------------------------- */

void watch_enter(watch *w, const kerr_chip *chip, kerr_stats_call call, const kerr_record_entry *entry,
                 const void *data)
{
    if (w->stats.page != NULL)
        stats_enter(&w->stats, chip, call, entry->size);
    log_entry(w, entry, data);
}

void watch_result(watch *w, const kerr_chip *chip, const void *data, uint32_t size)
{
    if (w->record.own != NULL)
        record_entry(&w->record,
                     &(kerr_record_entry){.kind = KERR_LOG_RESULT,
                                          .value = kerr_record_hash(data, size),
                                          .address = chip != NULL ? cycle_of(chip) : 0},
                     NULL);
}

void watch_leave(watch *w, const kerr_chip *chip)
{
    if (w->stats.page != NULL)
        stats_leave(&w->stats, chip);
}

bool watch_saves(watch *w, const kerr_chip *chip, char *text, size_t size)
{
    return w->series.every == 0 || chip == NULL || series_look(&w->series, chip, text, size);
}

void watch_life(watch *w, uint64_t begin_ns)
{
    if (w->stats.page != NULL)
        stats_life(&w->stats, begin_ns);
}

void watch_dma(watch *w, kerr_record_kind kind, uint64_t begin_ns, uint64_t address, const void *data, size_t size)
{
    const bool read = kind == KERR_LOG_DMA_READ;
    if (w->stats.page != NULL)
        stats_dma(&w->stats, read, stats_clock_ns() - begin_ns, size);
    for (size_t done = 0; done < size && w->record.own != NULL; done += PIECE) {
        const uint8_t *piece = (const uint8_t *)data + done;
        const uint32_t bytes = (uint32_t)(size - done < PIECE ? size - done : PIECE);
        record_entry(&w->record,
                     &(kerr_record_entry){.kind = (uint8_t)kind,
                                          .size = bytes,
                                          .address = address + done,
                                          .value = read ? 0 : kerr_record_hash(piece, bytes)},
                     read ? piece : NULL);
    }
}

/* ---- Hosts that wait in vain ------------------------------------------------------------------------------------ */

/* Longer than where nothing runs: a core may have much to compute. */
static bool runs_in_vain(watch *w, uint64_t now, uint64_t deeds, uint64_t ns, char *text, size_t size)
{
    if (w->lone_ns == 0 || deeds != w->lone_deeds) {
        w->lone_ns = ns;
        w->lone_cycle = now;
        w->lone_deeds = deeds;
    }
    if (ns - w->lone_ns < w->hang_ns + w->hang_ns / 2 || now - w->lone_cycle < HANG_CYCLES)
        return false;
    snprintf(text, size,
             "hang: since cycle %llu, for %llu cycles and %.1f s, nothing has happened on the chip but that single "
             "cores run for "
             "themselves, while the host polls",
             (unsigned long long)w->lone_cycle, (unsigned long long)(now - w->lone_cycle),
             (double)(ns - w->lone_ns) / 1e9);
    return true;
}

static bool rests_in_vain(watch *w, uint64_t now, uint64_t ns, char *text, size_t size)
{
    if (w->rest_ns == 0) {
        w->rest_ns = ns;
        w->rest_cycle = now;
    }
    if (ns - w->rest_ns < w->hang_ns || now - w->rest_cycle < HANG_CYCLES)
        return false;
    snprintf(
        text, size,
        "hang: nothing has happened on the chip since cycle %llu, for %llu cycles and %.1f s, while the host polls",
        (unsigned long long)w->rest_cycle, (unsigned long long)(now - w->rest_cycle), (double)(ns - w->rest_ns) / 1e9);
    return true;
}

bool watch_sees_hang(watch *w, const kerr_chip *chip, bool wrote, char *text, size_t size)
{
    if (w->hang_ns == 0 || chip == NULL)
        return false;
    if (wrote) {
        w->rest_ns = w->lone_ns = 0;
        return false;
    }
    const uint64_t now = cycle_of(chip);
    kerr_rest rest;
    (void)kerr_rest_query(chip, REST_CYCLES, &rest);
    const bool rests = rest.until >= now + REST_CYCLES;
    if (!rests)
        w->rest_ns = 0;
    if (!rests && rest.alone > LONE_TILES) {
        w->lone_ns = 0;
        return false;
    }
    const uint64_t ns = stats_clock_ns();
    return rests ? rests_in_vain(w, now, ns, text, size) : runs_in_vain(w, now, rest.deeds, ns, text, size);
}

bool watch_loses_patience(watch *w)
{
    if (w->dead_ns == 0)
        return false;
    const uint64_t ns = stats_clock_ns();
    w->died_at_ns = w->died_at_ns != 0 ? w->died_at_ns : ns;
    return ++w->dead_calls > DEAD_CALLS && ns - w->died_at_ns > w->dead_ns;
}

void watch_excuse(watch *w, uint64_t ns, bool inside)
{
    w->rest_ns += w->rest_ns != 0 ? ns : 0;
    w->lone_ns += w->lone_ns != 0 ? ns : 0;
    w->died_at_ns += w->died_at_ns != 0 ? ns : 0;
    w->stats.outside_ns += inside ? ns : 0;
}

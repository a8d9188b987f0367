/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const double clock_hz = 1.35e9; /* AI clock (kerr.h) */

double progress_now(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void format_count(double value, char *text, size_t size)
{
    if (value >= 1e9) {
        (void)snprintf(text, size, "%.2f G", value * 1e-9);
    } else if (value >= 1e6) {
        (void)snprintf(text, size, "%.2f M", value * 1e-6);
    } else if (value >= 1e4) {
        (void)snprintf(text, size, "%.1f k", value * 1e-3);
    } else {
        (void)snprintf(text, size, "%.0f ", value);
    }
}

void format_cycles_as_time(uint64_t cycles, char *text, size_t size)
{
    const double seconds = (double)cycles / clock_hz;
    if (seconds >= 1) {
        (void)snprintf(text, size, "%.3f s", seconds);
    } else if (seconds >= 1e-3) {
        (void)snprintf(text, size, "%.3f ms", seconds * 1e3);
    } else if (seconds >= 1e-6) {
        (void)snprintf(text, size, "%.3f us", seconds * 1e6);
    } else {
        (void)snprintf(text, size, "%.0f ns", seconds * 1e9);
    }
}

void progress_start(progress *line, bool quiet)
{
    *line = (progress){.on = !quiet, .tty = isatty(STDERR_FILENO) != 0, .started = progress_now()};
    line->last = line->started;
}

static unsigned count_running(const kerr_chip *chip)
{
    unsigned running = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
            kerr_core_info info;
            if (kerr_core_query(chip, kerr_tensix_xy(i), (kerr_core)core, &info) == KERR_OK &&
                info.state == KERR_CORE_RUNNING) {
                running++;
            }
        }
    }
    return running;
}

void progress_update(progress *line, const kerr_chip *chip)
{
    if (!line->on) {
        return;
    }
    const double now = progress_now();
    const double interval = line->tty ? 0.25 : line->shown ? 10 : 2;
    uint64_t cycle = 0;
    if (now - line->last < interval || kerr_cycle(chip, &cycle) != KERR_OK) {
        return;
    }
    char cycles[32], simulated[32], speed[32];
    format_count((double)cycle, cycles, sizeof cycles);
    format_cycles_as_time(cycle, simulated, sizeof simulated);
    format_count((double)(cycle - line->last_cycle) / (now - line->last), speed, sizeof speed);
    (void)fprintf(stderr, "%skerr: %scycles, %s simulated, %scycles/s, %u cores running%s", line->tty ? "\r" : "",
                  cycles, simulated, speed, count_running(chip), line->tty ? "\033[K" : "\n");
    (void)fflush(stderr);
    line->shown = true;
    line->last = now;
    line->last_cycle = cycle;
}

void progress_end(progress *line)
{
    if (line->tty && line->shown) {
        (void)fprintf(stderr, "\r\033[K");
        (void)fflush(stderr);
    }
    line->on = false;
}

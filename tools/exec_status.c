/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_status.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "progress.h"

enum { LINE_BYTES = 512, ROWS_LEAST = 4 };
#define EVERY_SECONDS 0.2

/* One write each, so that nothing of the program's comes in between. */
static void put(const exec_status *status, const char *text, int length)
{
    if (length > 0 && write(status->terminal, text, (size_t)length) < 0) {
        return; /* a terminal that is gone shows nothing */
    }
}

void exec_status_open(exec_status *status, bool wanted)
{
    *status = (exec_status){.terminal = wanted && isatty(STDERR_FILENO) ? STDERR_FILENO : -1, .last = progress_now()};
}

/* The region that scrolls ends a line above the last; the newline makes room if the cursor stands on that one. */
static bool set_up(exec_status *status)
{
    struct winsize size;
    char text[64];
    if (ioctl(status->terminal, TIOCGWINSZ, &size) != 0 || size.ws_row < ROWS_LEAST) {
        return false;
    }
    if (!status->set_up || status->rows != size.ws_row) {
        put(status, text,
            snprintf(text, sizeof text, "\n\0337\033[1;%dr\0338\033[1A",
                     size.ws_row - 1)); /* save, region, restore, up */
    }
    status->rows = size.ws_row;
    status->columns = size.ws_col;
    status->set_up = true;
    return true;
}

void exec_status_show(exec_status *status, const exec_live *live)
{
    const double now = progress_now(), passed = now - status->last;
    if (status->terminal < 0 || passed < EVERY_SECONDS || !set_up(status)) {
        return;
    }
    char cycles[32], speed[32], line[LINE_BYTES], text[LINE_BYTES + 64];
    status->cycles_per_second = (double)(live->cycles - status->last_cycles) / passed;
    status->last_cycles = live->cycles;
    status->last = now;
    format_count((double)live->cycles, cycles, sizeof cycles);
    format_count(status->cycles_per_second, speed, sizeof speed);
    int length = snprintf(line, sizeof line, " kerr  %scycles  %scycles/s  %llu tiles busy  %llu faults", cycles, speed,
                          (unsigned long long)live->active_tiles, (unsigned long long)live->faults);
    if (live->processes != 1 && length > 0 && length < LINE_BYTES) {
        length += snprintf(line + length, sizeof line - (size_t)length, "  %u processes", live->processes);
    }
    line[length < status->columns ? length : status->columns] = '\0';
    put(status, text, snprintf(text, sizeof text, "\0337\033[%d;1H\033[2K\033[7m%s\033[0m\0338", status->rows, line));
}

void exec_status_hide(exec_status *status)
{
    char text[64];
    if (status->terminal >= 0 && status->set_up) {
        put(status, text, snprintf(text, sizeof text, "\0337\033[%d;1H\033[2K\033[r\0338", status->rows));
        status->set_up = false;
    }
}

void exec_status_close(exec_status *status)
{
    exec_status_hide(status);
    status->terminal = -1;
}

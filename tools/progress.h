/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line of a run, on standard error: at once and rewritten in place on a terminal, else only from the
 * second second on, one line every few seconds. */
#ifndef KERR_TOOLS_PROGRESS_H
#define KERR_TOOLS_PROGRESS_H

#include <stddef.h>
#include <stdint.h>

#include "kerr.h"

typedef struct progress {
    bool on, tty, shown;
    double started, last;
    uint64_t last_cycle;
} progress;

/* Seconds of a clock that only goes forward. */
double progress_now(void);
void progress_start(progress *line, bool quiet);
/* Called often; shows something when it is time to. */
void progress_update(progress *line, const kerr_chip *chip);
/* Wipes the line from a terminal. */
void progress_end(progress *line);

/* "12.3 M" and the like, three or four digits. */
void format_count(double value, char *text, size_t size);
/* Simulated time of so many cycles at 1.35 GHz: "91.4 us". */
void format_cycles_as_time(uint64_t cycles, char *text, size_t size);

#endif

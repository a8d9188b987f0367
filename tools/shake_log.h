/* SPDX-License-Identifier: Apache-2.0 */
/* kerr run --shake-log and --access-log: which delays were drawn, and who touched what in which order.  For kerr shrink. */
#ifndef KERR_TOOLS_SHAKE_LOG_H
#define KERR_TOOLS_SHAKE_LOG_H

#include <stdio.h>

#include "kerr.h"
#include "tool_error.h"

typedef struct shake_log {
    const char *draws_path, *access_path; /* or NULL */
    kerr_shake_range *draws;
    size_t count, room;
    FILE *accesses;
    bool lost; /* no memory for all of them */
} shake_log;

static inline bool shake_log_is_wanted(const shake_log *log)
{
    return log->draws_path != NULL || log->access_path != NULL;
}
/* Before the first cycle; nobody else may listen to the chip. */
bool shake_log_open(shake_log *log, kerr_chip *chip, tool_error *error);
/* Writes the files. */
bool shake_log_close(shake_log *log, kerr_chip *chip, tool_error *error);

#endif

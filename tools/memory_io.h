/* SPDX-License-Identifier: Apache-2.0 */
/* Memory in and out: the preloads and dumps of a job. */
#ifndef KERR_TOOLS_MEMORY_IO_H
#define KERR_TOOLS_MEMORY_IO_H

#include <stdio.h>

#include "job.h"
#include "kerr.h"
#include "tool_error.h"

/* Writes what the job preloads. */
bool memory_preload(const job *of, kerr_chip *chip, tool_error *error);

typedef struct memory_dumps {
    const job *of;
    FILE **files; /* one for each dump; NULL: standard output */
} memory_dumps;

/* Before the run: checks that the ranges exist and opens the files, so that no run is lost to a misspelt name. */
bool memory_dumps_open(memory_dumps *made, const job *of, const kerr_chip *chip, tool_error *error);
bool memory_dumps_write(memory_dumps *dumps, const kerr_chip *chip, tool_error *error);
/* Closes; false if what was written did not reach the disk. */
bool memory_dumps_close(memory_dumps *dumps, tool_error *error);

#endif

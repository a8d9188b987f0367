/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says when it is over, on standard error: its faults, and a summary. */
#ifndef KERR_TOOLS_REPORT_H
#define KERR_TOOLS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "kerr.h"
#include "programs.h"
#include "tool_error.h"

/* Faults and what checks found: the first `most`, each with its place in the source; all of them to `path`, if there is
 * one; and after a deadlock or timeout, or if the run was out of time, who waits for whom.  *fail: how many make a run fail that ended
 * well.  False: `path` cannot be written, and that was said. */
bool report_findings(const kerr_chip *chip, programs *loaded, uint32_t most, const char *path, bool quiet,
                     bool out_of_time, uint32_t *fail);
/* Cycles, speed, instructions by kind of core, and where every core that was started stands. */
void report_summary(const kerr_chip *chip, programs *loaded, const char *how, double seconds);
/* How often each Tensix instruction was taken by its unit, to a file or, for -, to standard output. */
bool report_coverage(const kerr_chip *chip, const char *path, tool_error *error);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a run says when it is over, on standard error: its faults, and a summary. */
#ifndef KERR_TOOLS_REPORT_H
#define KERR_TOOLS_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "kerr.h"
#include "profile.h"
#include "programs.h"
#include "tool_error.h"

typedef enum report_waits {
    REPORT_WAITS_AFTER_FAULTS, /* of waiting, and not if quiet */
    REPORT_WAITS_ALOUD,        /* unless quiet */
    REPORT_WAITS_ALWAYS,
} report_waits;
/* Faults and what checks found: the first `most`, each with its place in the source; all of them to `path`, if there is
 * one; and after a deadlock or timeout, or if it is wanted, who waits for whom.  *fail: how many make a run fail that ended
 * well.  False: `path` cannot be written, and that was said. */
bool report_findings(const kerr_chip *chip, programs *loaded, uint32_t most, const char *path, bool quiet,
                     report_waits waits, uint32_t *fail);
/* Cycles, speed, instructions by kind of core, and where every core that was started stands. */
void report_summary(const kerr_chip *chip, programs *loaded, const char *how, double seconds);
/* How it ended as JSON: docs/cli.md. */
bool report_verdict(const kerr_chip *chip, const char *verdict, int status, const char *path, tool_error *error);
/* How often each Tensix instruction was taken by its unit, to a file or, for -, to standard output. */
/* Text and page of a profile that has ended; a path that is NULL: not that one. */
bool report_profile(const profile *of, const char *text_path, const char *page_path, tool_error *error);
bool report_coverage(const kerr_chip *chip, const char *path, tool_error *error);

#endif

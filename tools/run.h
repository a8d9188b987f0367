/* SPDX-License-Identifier: Apache-2.0 */
/* kerr run, from its arguments to its end: run_arguments.c reads them, run_conditions.c knows what is waited for, run.c runs. */
#ifndef KERR_TOOLS_RUN_H
#define KERR_TOOLS_RUN_H

#include "chip_series.h"
#include "job.h"
#include "kerr.h"
#include "programs.h"
#include "run_attach.h"
#include "shake_log.h"
#include "tool_error.h"
#include "trace.h"

typedef struct run {
    job todo;
    const char *job_path;
    const char *save_path, *save_start_path; /* or NULL */
    chip_series series;
    const char *coverage_path; /* or NULL */
    const char *findings_path; /* or NULL */
    bool findings_ok;          /* they do not make the run fail */
    uint64_t timeout_cycles;   /* 0: none */
    const char *shake_path;    /* or NULL */
    shake_log log;
    const char *verdict_path;               /* or NULL */
    const char *profile_path, *report_path; /* of the profile, as text and as a page; or NULL */
    const char *idle[JOB_IDLE_MAX];         /* for the programs of the line */
    size_t idle_count;
    bool has_entry;
    uint32_t entry; /* for the programs of the line */
    bool quiet;
    uint32_t faults_max;
    trace trace;
    programs loaded;
    kerr_chip *chip;
    run_attach attached;
    kerr_until *conditions; /* flat: one tile, one core each */
    size_t condition_count;
} run;

/* False: *error says why. */
bool run_read_arguments(run *r, int count, char *const *arguments, bool *help, tool_error *error);

/* Conditions are looked at whenever the cycle is a multiple of this. */
static inline uint32_t run_every(const run *r)
{
    enum { EVERY_DEFAULT = 1024 };
    return r->todo.every == 0 ? EVERY_DEFAULT : r->todo.every;
}
/* What --until and the job ask for, one condition for every tile and core. */
bool run_flatten_conditions(run *r, tool_error *error);
/* Asks for nothing but the address to be there, before the run. */
bool run_check_conditions(const run *r, tool_error *error);
/* The first condition that does not hold now; condition_count if all do. */
size_t run_first_open(const run *r);

#endif

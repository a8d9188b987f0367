/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "report.h"
#include "shake_file.h"
#include "verbs.h"

/* The first pass looks for --job alone, since the file comes before the rest of the line. */
static bool take_job(void *context, option_id id, const char *value, tool_error *error)
{
    run *r = context;
    if (id == OPTION_RUN_JOB) {
        if (r->job_path != NULL) {
            return tool_fail(error, "given twice (%s and %s)", r->job_path, value);
        }
        r->job_path = value;
    }
    return true;
}

static bool take_positive(const char *value, uint64_t max, uint64_t *number, tool_error *error)
{
    return parse_number(value, max, number, error) && (*number > 0 || tool_fail(error, "must be at least 1"));
}

static bool take_policy(run *r, const char *value, tool_error *error)
{
    kerr_text_error why;
    return kerr_policies_parse(&r->todo.policies, value, &why) ||
           tool_fail(error, "%s (column %" PRIu32 ")", why.text, why.column);
}

static bool take_checks(run *r, const char *value, tool_error *error)
{
    kerr_text_error why;
    return kerr_checks_parse(value, &r->todo.checks, &why) ||
           tool_fail(error, "%s (column %" PRIu32 ")", why.text, why.column);
}

/* options_parse has seen that they are right. */
static void take_environment(run *r)
{
    const char *policy = getenv("KERR_POLICY"), *checks = getenv("KERR_CHECK"), *findings = getenv("KERR_FINDINGS");
    tool_error ignored;
    if (policy != NULL && *policy != '\0') {
        (void)take_policy(r, policy, &ignored);
    }
    if (checks != NULL && *checks != '\0') {
        (void)take_checks(r, checks, &ignored);
    }
    if (findings != NULL && *findings != '\0') {
        r->findings_path = findings;
    }
}

/* What environment and line come after. */
static void take_files_of_job(run *r)
{
    r->findings_path = r->todo.findings;
    r->save_path = r->todo.save;
    r->save_start_path = r->todo.save_start;
}

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    run *r = context;
    job *todo = &r->todo;
    uint64_t number = 0;
    switch (id) {
    case OPTION_RUN_JOB: return true;
    case OPTION_RUN_CYCLES: todo->has_cycles = true; return parse_count(value, INT64_MAX, &todo->cycles, error);
    case OPTION_RUN_UNTIL: return job_add_until(todo, value, error);
    case OPTION_RUN_EVERY:
        if (!take_positive(value, UINT32_MAX, &number, error)) {
            return false;
        }
        todo->every = (uint32_t)number;
        return true;
    case OPTION_RUN_TIMEOUT: return parse_seconds(value, &todo->timeout_seconds, error);
    case OPTION_RUN_THREADS:
        if (!take_positive(value, JOB_THREADS_MAX, &number, error)) {
            return false;
        }
        todo->config.threads = (uint32_t)number;
        return true;
    case OPTION_RUN_SEED: return parse_number(value, UINT64_MAX, &todo->config.seed, error);
    case OPTION_RUN_SHAKE: return parse_number(value, UINT64_MAX, &todo->config.shake, error);
    case OPTION_RUN_SHAKE_LOG: r->log.draws_path = value; return true;
    case OPTION_RUN_ACCESS_LOG: r->log.access_path = value; return true;
    case OPTION_RUN_SHAKE_ONLY: r->shake_path = value; return true;
    case OPTION_RUN_HARVEST:
        if (!kerr_harvesting_by_name(value, &todo->config.harvesting)) {
            return tool_fail(error, "'%s' is not a shape such as p150, p100 or full,tensix=0x3000", value);
        }
        return true;
    case OPTION_RUN_POLICY: return take_policy(r, value, error);
    case OPTION_RUN_CHECK: return take_checks(r, value != NULL ? value : "all", error);
    case OPTION_RUN_FINDINGS_OK: r->findings_ok = true; return true;
    case OPTION_RUN_FINDINGS: r->findings_path = value; return true;
    case OPTION_RUN_TIMEOUT_CYCLES:
        return parse_count(value, INT64_MAX, &r->timeout_cycles, error) &&
               (r->timeout_cycles > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_RUN_IDLE:
        if (r->idle_count == JOB_IDLE_MAX) {
            return tool_fail(error, ": more than %d", JOB_IDLE_MAX);
        }
        r->idle[r->idle_count++] = value;
        return true;
    case OPTION_RUN_VERDICT: r->verdict_path = value; return true;
    case OPTION_RUN_ENTRY:
        r->has_entry = true;
        if (!parse_number(value, UINT32_MAX, &number, error)) {
            return false;
        }
        r->entry = (uint32_t)number;
        return true;
    case OPTION_RUN_PRELOAD: return job_add_preload(todo, value, error);
    case OPTION_RUN_BUFFER: return job_add_buffer(todo, value, error);
    case OPTION_RUN_DUMP: return job_add_dump(todo, value, error);
    case OPTION_RUN_TRACE: r->trace.path = value; return true;
    case OPTION_RUN_TRACE_TEXT: r->trace.text_path = value; return true;
    case OPTION_RUN_TRACE_ONLY:
        r->trace.has_filter = true;
        return parse_place(value, &r->trace.tiles, &r->trace.cores, error);
    case OPTION_RUN_PROFILE: r->profile_path = value != NULL ? value : "-"; return true;
    case OPTION_RUN_REPORT: r->report_path = value; return true;
    case OPTION_RUN_COVERAGE: r->coverage_path = value; return true;
    case OPTION_RUN_SAVE: r->save_path = value; return true;
    case OPTION_RUN_SAVE_START: r->save_start_path = value; return true;
    case OPTION_RUN_SAVE_EVERY:
        return parse_count(value, INT64_MAX, &r->series.every, error) &&
               (r->series.every > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_RUN_SAVE_DIR: r->series.folder = value; return true;
    case OPTION_RUN_SAVE_KEEP:
        if (!take_positive(value, CHIP_SERIES_MOST, &number, error)) {
            return false;
        }
        r->series.keep = (uint32_t)number;
        return true;
    case OPTION_RUN_FAULTS:
        if (!parse_number(value, UINT32_MAX, &number, error)) {
            return false;
        }
        r->faults_max = (uint32_t)number;
        return true;
    case OPTION_RUN_ATTACH:
        r->attached.wanted = true;
        r->attached.path = value;
        return true;
    case OPTION_RUN_HOLD: r->attached.wanted = r->attached.hold = true; return true;
    case OPTION_RUN_GDB:
        r->attached.has_port = true;
        if (!parse_number(value, UINT16_MAX, &number, error)) {
            return false;
        }
        r->attached.port = (uint16_t)number;
        return true;
    case OPTION_RUN_QUIET: r->quiet = true; return true;
    default: return job_add_program(todo, value, error);
    }
}

bool run_read_arguments(run *r, int count, char *const *arguments, bool *help, tool_error *error)
{
    if (!options_parse(VERB_RUN, count, arguments, take_job, r, help, error) || *help) {
        return *help;
    }
    if (r->job_path != NULL && !job_read_file(&r->todo, r->job_path, error)) {
        return false;
    }
    take_files_of_job(r);
    take_environment(r);
    const size_t from_file = r->todo.program_count;
    if (!options_parse(VERB_RUN, count, arguments, take_argument, r, help, error)) {
        return false;
    }
    if (r->report_path == NULL && !shake_log_is_wanted(&r->log)) {
        r->report_path = r->todo.report;
    }
    r->trace.profiled = r->profile_path != NULL || r->report_path != NULL;
    if (r->trace.path == NULL && !shake_log_is_wanted(&r->log)) {
        r->trace.path = r->todo.trace;
    }
    for (size_t i = from_file; r->has_entry && i < r->todo.program_count; i++) {
        r->todo.programs[i].has_entry = true;
        r->todo.programs[i].entry = r->entry;
    }
    for (size_t i = from_file; i < r->todo.program_count; i++) {
        for (size_t k = 0; k < r->idle_count; k++) {
            if (!job_add_idle(&r->todo.programs[i], r->idle[k], error)) {
                return false;
            }
        }
    }
    if (r->trace.has_filter && r->trace.path == NULL && r->trace.text_path == NULL) {
        return tool_fail(error, "--trace-only says what to trace, but there is no --trace FILE");
    }
    if (shake_log_is_wanted(&r->log) && trace_is_wanted(&r->trace)) {
        return tool_fail(error, "--shake-log and --access-log do not go with a trace or a profile");
    }
    if (r->shake_path != NULL && r->todo.config.shake == 0) {
        return tool_fail(error,
                         "--shake-only says which delays happen, but there is no --shake SEED to draw them from");
    }
    if (r->series.every == 0 && (r->series.folder != NULL || r->series.keep != 0)) {
        return tool_fail(error, "--save-dir and --save-keep say where snapshots go, but there is no --save-every N");
    }
    return r->todo.program_count > 0 || tool_fail(error, "no program to run; see kerr run --help");
}

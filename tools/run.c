/* SPDX-License-Identifier: Apache-2.0 */
/* kerr run: a job from the command line and a job file, one chip, one run, one exit status.  Time is run in slices of
 * a fraction of a second, which changes nothing in the result (kerr.h: run(a), run(b) equals run(a + b)), so that
 * progress, --timeout and an interrupt get their turn. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip_file.h"
#include "chip_series.h"
#include "job.h"
#include "kerr.h"
#include "memory_io.h"
#include "options.h"
#include "output.h"
#include "programs.h"
#include "progress.h"
#include "report.h"
#include "run.h"
#include "run_attach.h"
#include "shake_file.h"
#include "shake_log.h"
#include "trace.h"
#include "verbs.h"

enum { FAULTS_SHOWN = 20, SLICE_FIRST = 10000 };
static const uint64_t cycles_max_default = 1000000000, slice_cycles_max = UINT64_C(1) << 40;
static const double slice_seconds_min = 0.03, slice_seconds_max = 0.12;

typedef enum outcome {
    OUTCOME_AT_REST, /* nothing can advance: finished or hung */
    OUTCOME_FINISHED,
    OUTCOME_UNREACHED, /* finished, but the condition of --until does not hold */
    OUTCOME_HUNG,
    OUTCOME_REACHED,
    OUTCOME_FAULTED,
    OUTCOME_OUT_OF_CYCLES,
    OUTCOME_OUT_OF_TIME,
    OUTCOME_INTERRUPTED,
    OUTCOME_BROKEN,
} outcome;

/* ---- Running --------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void note_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

static void catch_interrupt(void)
{
    struct sigaction action = {.sa_handler = note_interrupt,
                               .sa_flags = (int)SA_RESETHAND}; /* the second one ends us */
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

static uint64_t adjust_slice(uint64_t slice, double seconds)
{
    if (seconds < slice_seconds_min && slice < slice_cycles_max) {
        return slice * 2;
    }
    return seconds > slice_seconds_max && slice > 64 ? slice / 2 : slice;
}

/* Where the next slice ends: on a multiple of --every, because conditions are looked at there, and nothing in a run may
 * depend on how fast the host is. */
static uint64_t slice_end(const run *r, uint64_t cycle, uint64_t slice, uint64_t limit)
{
    const uint64_t every = run_every(r);
    const uint64_t end = ((cycle + slice) / every + 1) * every;
    return chip_series_limit(&r->series, end < limit ? end : limit);
}

/* A slice that ends elsewhere has ended to save the chip. */
static bool is_time_to_look(const run *r, uint64_t limit)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(r->chip, &cycle);
    return cycle >= limit || cycle % run_every(r) == 0;
}

/* After a fault: the rest of the chip runs on to its stop point, which is the same however the run was sliced. */
static void run_to_stop_point(run *r, uint64_t limit)
{
    uint64_t cycle = 0;
    if (kerr_cycle(r->chip, &cycle) == KERR_OK && cycle < limit) {
        (void)kerr_run(r->chip, limit - cycle);
    }
}

static uint64_t cycles_max(const run *r)
{
    const uint64_t cycles = r->todo.has_cycles ? r->todo.cycles : cycles_max_default;
    return r->timeout_cycles != 0 && r->timeout_cycles < cycles ? r->timeout_cycles : cycles;
}

/* The cycles are over. */
static outcome run_out(run *r, uint64_t cycle)
{
    char text[160], why[160] = "the program has not finished";
    if (r->timeout_cycles == 0 || cycle < r->timeout_cycles) {
        return OUTCOME_OUT_OF_CYCLES;
    }
    if (r->todo.until_count > 0) {
        (void)snprintf(why, sizeof why, "the condition of --until is not reached");
    }
    (void)snprintf(text, sizeof text, "%s after %" PRIu64 " cycles (--timeout-cycles)", why, cycle);
    (void)kerr_raise_timeout(r->chip, text);
    /* To the stop point, if the policy is to stop. */
    return kerr_run(r->chip, 1) == KERR_FAULTED ? (run_to_stop_point(r, UINT64_MAX), OUTCOME_FAULTED)
                                                : OUTCOME_OUT_OF_CYCLES;
}

/* Then there is nothing else to wait for, and how it ended is what counts. */
static bool waits_for_idle(const run *r)
{
    bool idle = false;
    for (size_t i = 0; i < r->condition_count; i++) {
        idle = idle || r->conditions[i].kind == KERR_UNTIL_IDLE;
    }
    return idle;
}

typedef struct pace {
    uint64_t limit, slice;
    size_t waiting_for; /* condition */
} pace;

/* A slice.  False: it goes on; true: *how it ended. */
static bool run_slice(run *r, pace *p, progress *line, kerr_status *status, outcome *how)
{
    uint64_t cycle = 0;
    (void)kerr_cycle(r->chip, &cycle);
    chip_series_look(&r->series, r->chip);
    if (cycle >= p->limit) {
        *how = run_out(r, cycle);
        return true;
    }
    const double before = progress_now();
    const uint64_t cycles = slice_end(r, cycle, p->slice, p->limit) - cycle;
    bool reached = false;
    *status = r->condition_count > 0 ? kerr_run_until(r->chip, &r->conditions[p->waiting_for], cycles, &reached)
                                     : kerr_run(r->chip, cycles);
    if (*status == KERR_FAULTED) {
        run_to_stop_point(r, p->limit);
        *how = OUTCOME_FAULTED;
        return true;
    }
    if (*status != KERR_OK) {
        *how = OUTCOME_BROKEN;
        return true;
    }
    uint64_t now = cycle;
    (void)kerr_cycle(r->chip, &now);
    const bool rests = !reached && r->condition_count > 0 && now < cycle + cycles;
    if (reached && is_time_to_look(r, p->limit)) {
        p->waiting_for = run_first_open(r);
        if (p->waiting_for == r->condition_count) {
            *how = r->todo.until_count > 0 && !waits_for_idle(r) ? OUTCOME_REACHED : OUTCOME_AT_REST;
            return true;
        }
    } else if (rests) {
        *how = OUTCOME_AT_REST;
        return true;
    }
    if (!trace_is_wanted(&r->trace)) { /* what a trace tells of parked cores depends on how time is cut */
        p->slice = adjust_slice(p->slice, progress_now() - before);
    }
    progress_update(line, r->chip);
    return false;
}

static outcome run_chip(run *r, progress *line, kerr_status *status)
{
    pace p = {.limit = cycles_max(r), .slice = SLICE_FIRST};
    outcome how = OUTCOME_AT_REST;
    for (bool over = false; !over;) {
        run_attach_enter(&r->attached); /* may take as long as a debugger wants */
        if (interrupted) {
            how = OUTCOME_INTERRUPTED;
            over = true;
        } else if (r->todo.timeout_seconds > 0 && progress_now() - line->started >= r->todo.timeout_seconds) {
            how = OUTCOME_OUT_OF_TIME;
            over = true;
        } else {
            over = run_slice(r, &p, line, status, &how);
        }
        run_attach_leave(&r->attached);
    }
    return how;
}

/* What the chip says of a run that has come to an end by itself, or could not any more. */
static outcome judge(const run *r, outcome how)
{
    kerr_end end;
    const bool cut = how == OUTCOME_OUT_OF_CYCLES || how == OUTCOME_OUT_OF_TIME;
    if ((how != OUTCOME_AT_REST && !cut) || kerr_end_query(r->chip, &end) != KERR_OK) {
        return how;
    }
    switch (end.verdict) {
    case KERR_VERDICT_HUNG: return OUTCOME_HUNG;
    case KERR_VERDICT_FINISHED:
        return r->todo.until_count == 0 || waits_for_idle(r) ? OUTCOME_FINISHED : cut ? how : OUTCOME_UNREACHED;
    default: return cut ? how : OUTCOME_OUT_OF_CYCLES;
    }
}

static const char *outcome_text(const run *r, outcome how)
{
    switch (how) {
    case OUTCOME_FINISHED: return "finished";
    case OUTCOME_UNREACHED: return "finished, condition not reached";
    case OUTCOME_HUNG: return "hung";
    case OUTCOME_REACHED: return "condition reached";
    case OUTCOME_FAULTED: return "stopped by a fault";
    case OUTCOME_OUT_OF_CYCLES:
        return r->todo.until_count > 0 ? "condition not reached" : "not finished (--cycles sets the limit)";
    case OUTCOME_OUT_OF_TIME: return "out of time (--timeout)";
    case OUTCOME_INTERRUPTED: return "interrupted";
    case OUTCOME_AT_REST:
    case OUTCOME_BROKEN: break;
    }
    return "broken off";
}

/* A word for programs. */
static const char *outcome_verdict(outcome how)
{
    switch (how) {
    case OUTCOME_FINISHED: return "finished";
    case OUTCOME_HUNG: return "hung";
    case OUTCOME_REACHED: return "reached";
    case OUTCOME_FAULTED: return "faulted";
    case OUTCOME_UNREACHED:
    case OUTCOME_OUT_OF_CYCLES:
    case OUTCOME_OUT_OF_TIME: return "out of time";
    case OUTCOME_INTERRUPTED: return "interrupted";
    case OUTCOME_AT_REST:
    case OUTCOME_BROKEN: break;
    }
    return "broken off";
}

static int outcome_status(outcome how)
{
    switch (how) {
    case OUTCOME_FINISHED:
    case OUTCOME_REACHED: return EXIT_OK;
    case OUTCOME_FAULTED: return EXIT_FAULT;
    case OUTCOME_HUNG: return EXIT_HUNG;
    case OUTCOME_UNREACHED:
    case OUTCOME_OUT_OF_CYCLES:
    case OUTCOME_OUT_OF_TIME:
    case OUTCOME_INTERRUPTED: return EXIT_NOT_REACHED;
    case OUTCOME_AT_REST:
    case OUTCOME_BROKEN: break;
    }
    return EXIT_BAD_INPUT;
}

/* Before anything is loaded: what nobody has written by then is not written. */
static bool watch_for_findings(run *r, tool_error *error)
{
    kerr_status status = kerr_set_checks(r->chip, r->todo.checks);
    status = status == KERR_OK ? kerr_set_policies(r->chip, &r->todo.policies) : status;
    return status == KERR_OK ? job_tell_buffers(&r->todo, r->chip, error)
                             : tool_fail(error, "cannot look for findings: %s", kerr_status_text(status));
}

/* What is written when the run is over can be written. */
static bool check_outputs(run *r, tool_error *error)
{
    return output_check("--save", r->save_path, error) && output_check("--coverage", r->coverage_path, error) &&
           output_check("--findings", r->findings_path, error) && output_check("--verdict", r->verdict_path, error) &&
           output_check("--profile", r->profile_path, error) && output_check("--report", r->report_path, error) &&
           output_check("--shake-log", r->log.draws_path, error) &&
           output_check("--access-log", r->log.access_path, error) &&
           (r->series.every == 0 ||
            output_check_folder("--save-dir", r->series.folder != NULL ? r->series.folder : CHIP_SERIES_FOLDER, error));
}

/* Everything up to the first cycle. */
static bool prepare(run *r, memory_dumps *dumps, tool_error *error)
{
    if (!programs_read(&r->loaded, &r->todo, error) || !check_outputs(r, error)) {
        return false;
    }
    const kerr_status status = kerr_create(&r->todo.config, &r->chip);
    if (status != KERR_OK) {
        return tool_fail(error, "cannot make a chip: %s", kerr_status_text(status));
    }
    return (r->shake_path == NULL || shake_file_apply(r->shake_path, r->todo.config.shake, r->chip, error)) &&
           watch_for_findings(r, error) && run_flatten_conditions(r, error) && run_check_conditions(r, error) &&
           programs_load(&r->loaded, r->chip, error) && memory_preload(&r->todo, r->chip, error) &&
           programs_start(&r->loaded, r->chip, error) && memory_dumps_open(dumps, &r->todo, r->chip, error) &&
           (r->save_start_path == NULL || chip_file_write(r->save_start_path, r->chip, error)) &&
           (shake_log_is_wanted(&r->log) ? shake_log_open(&r->log, r->chip, error)
                                         : trace_open(&r->trace, r->chip, &r->loaded, error)) &&
           run_attach_open(&r->attached, r->chip, r->quiet, error);
}

static int execute(run *r)
{
    tool_error error;
    memory_dumps dumps = {.of = &r->todo};
    if (!prepare(r, &dumps, &error)) {
        tool_error ignored = {""};
        r->attached.hold = false;
        run_attach_close(&r->attached);
        (void)trace_close(&r->trace, &ignored);
        (void)shake_log_close(&r->log, NULL, &ignored);
        (void)memory_dumps_close(&dumps, &ignored);
        return verb_refuse(VERB_RUN, &error);
    }
    progress line;
    kerr_status status = KERR_OK;
    if (!r->attached.hold && !r->attached.has_port) { /* else it may stand still, with nobody to notice */
        catch_interrupt();
    }
    chip_series_begin(&r->series, 0);
    progress_start(&line, r->quiet);
    const outcome how = judge(r, run_chip(r, &line, &status));
    const double seconds = progress_now() - line.started;
    progress_end(&line);
    run_attach_close(&r->attached);
    chip_series_end(&r->series);

    int result = outcome_status(how);
    if (!trace_close(&r->trace, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    if (shake_log_is_wanted(&r->log) && !shake_log_close(&r->log, r->chip, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    uint32_t fail = 0;
    if (!report_findings(r->chip, &r->loaded, r->faults_max, r->findings_path, r->quiet,
                         how == OUTCOME_OUT_OF_TIME ? REPORT_WAITS_ALOUD
                         : how == OUTCOME_HUNG      ? REPORT_WAITS_ALWAYS
                                                    : REPORT_WAITS_AFTER_FAULTS,
                         &fail)) {
        result = EXIT_BAD_INPUT;
    }
    if (result == EXIT_OK && fail > 0 && !r->findings_ok) {
        result = EXIT_FINDINGS;
    }
    if (how == OUTCOME_BROKEN) {
        (void)tool_fail(&error, "the chip does not run on: %s", kerr_status_text(status));
        (void)verb_refuse(VERB_RUN, &error);
    }
    if (!r->quiet || result == EXIT_NOT_REACHED || result == EXIT_HUNG) {
        report_summary(r->chip, &r->loaded, outcome_text(r, how), seconds);
    }
    if (!memory_dumps_write(&dumps, r->chip, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    if (!memory_dumps_close(&dumps, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    if (r->save_path != NULL && !chip_file_write(r->save_path, r->chip, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    if (r->verdict_path != NULL && !report_verdict(r->chip, result == EXIT_FINDINGS ? "findings" : outcome_verdict(how),
                                                   result, r->verdict_path, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    if (r->trace.profiled && !report_profile(&r->trace.profile, r->profile_path, r->report_path, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    if (r->coverage_path != NULL && !report_coverage(r->chip, r->coverage_path, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    }
    return result;
}

int run_main(int count, char *const *arguments)
{
    run r = {.faults_max = FAULTS_SHOWN};
    tool_error error;
    bool help = false;
    int result;
    job_init(&r.todo);
    if (!run_read_arguments(&r, count, arguments, &help, &error)) {
        result = verb_refuse(VERB_RUN, &error);
    } else if (help) {
        options_help_verb(stdout, VERB_RUN);
        result = EXIT_OK;
    } else {
        result = execute(&r);
    }
    profile_free(&r.trace.profile);
    free(r.conditions);
    programs_free(&r.loaded);
    kerr_destroy(r.chip);
    job_free(&r.todo);
    return result;
}

/* kerr run with one option more. */
int profile_main(int count, char *const *arguments)
{
    static char option[] = "--profile";
    if (count > 0 && (strcmp(arguments[0], "--help") == 0 || strcmp(arguments[0], "-h") == 0)) {
        options_help_verb(stdout, VERB_PROFILE);
        return EXIT_OK;
    }
    char **all = calloc((size_t)count + 2, sizeof *all);
    if (all == NULL) {
        return EXIT_BAD_INPUT;
    }
    all[0] = option;
    memcpy(all + 1, arguments, (size_t)count * sizeof *all);
    const int status = run_main(count + 1, all);
    free(all);
    return status;
}

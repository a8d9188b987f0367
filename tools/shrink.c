/* SPDX-License-Identifier: Apache-2.0 */
/* kerr shrink: of all that --shake SEED delays, the least that still goes wrong. */
#include "shrink.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file.h"
#include "job.h"
#include "options.h"
#include "output.h"
#include "place.h"
#include "shake_file.h"
#include "verbs.h"

enum { SEEDS = 50, RUNS = 400, LOG_MAX = 1 << 28 };

typedef struct shrink {
    const char *expect, *output;
    uint64_t seeds, most;
    bool quiet;
    int operands;
    job todo; /* of the run: its programs, and its seed */
    programs loaded;
    shrink_runs runs;
    kerr_shake_range *draws;
    size_t count;
} shrink;

/* ---- Arguments ------------------------------------------------------------------------------------------------- */

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    shrink *s = context;
    switch (id) {
    case OPTION_SHRINK_EXPECT: s->expect = value; return true;
    case OPTION_SHRINK_SEEDS:
        return parse_number(value, UINT32_MAX, &s->seeds, error) &&
               (s->seeds > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_SHRINK_RUNS:
        return parse_number(value, UINT32_MAX, &s->most, error) &&
               (s->most > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_SHRINK_OUTPUT: s->output = value; return true;
    case OPTION_SHRINK_QUIET: s->quiet = true; return true;
    default: s->operands++; return true; /* those of the run: what the line ends with */
    }
}

/* What the run's own arguments say that counts here. */
static bool take_run_argument(void *context, option_id id, const char *value, tool_error *error)
{
    shrink *s = context;
    switch (id) {
    case OPTION_RUN_JOB: return job_read_file(&s->todo, value, error);
    case OPTION_RUN_SHAKE: return parse_number(value, UINT64_MAX, &s->todo.config.shake, error);
    case OPTION_RUN_SHAKE_ONLY:
    case OPTION_RUN_SHAKE_LOG:
    case OPTION_RUN_ACCESS_LOG:
    case OPTION_RUN_TRACE:
    case OPTION_RUN_TRACE_TEXT: return tool_fail(error, "kerr shrink runs with its own; leave it out");
    default: return id < OPTION_COUNT || job_add_program(&s->todo, value, error);
    }
}

/* ---- Progress -------------------------------------------------------------------------------------------------- */

static void tell(const shrink *s, const char *what)
{
    if (!s->quiet && isatty(2)) {
        fprintf(stderr, "\rkerr: run %u: %s, %zu delays left \033[K", s->runs.runs, what, s->count);
        fflush(stderr);
    }
}

static void tell_end(const shrink *s)
{
    if (!s->quiet && isatty(2)) {
        fputs("\r\033[K", stderr);
    }
}

/* ---- Leaving out ------------------------------------------------------------------------------------------------ */

typedef bool same_group(const kerr_shake_range *a, const kerr_shake_range *b);
static bool same_site(const kerr_shake_range *a, const kerr_shake_range *b)
{
    return a->site == b->site;
}
static bool same_tile(const kerr_shake_range *a, const kerr_shake_range *b)
{
    return same_site(a, b) && a->at.x == b->at.x && a->at.y == b->at.y;
}
static bool same_sub(const kerr_shake_range *a, const kerr_shake_range *b)
{
    return same_tile(a, b) && a->sub == b->sub;
}
static bool same_draw(const kerr_shake_range *a, const kerr_shake_range *b)
{
    return same_sub(a, b) && a->first == b->first;
}

/* The index behind `groups` groups from `from` on. */
static size_t behind(const shrink *s, size_t from, size_t groups, same_group *same)
{
    size_t i = from;
    for (size_t g = 0; g < groups && i < s->count; g++) {
        const size_t first = i;
        while (i < s->count && same(&s->draws[first], &s->draws[i])) {
            i++;
        }
    }
    return i;
}

/* Without those from `from` to `to`, if it goes wrong without them too. */
static bool leave_out(shrink *s, size_t from, size_t to, bool *left_out, tool_error *error)
{
    const size_t rest = s->count - (to - from);
    kerr_shake_range *fewer = malloc((rest + 1) * sizeof *fewer);
    if (fewer == NULL) {
        return tool_fail(error, "out of memory");
    }
    memcpy(fewer, s->draws, from * sizeof *fewer);
    memcpy(fewer + from, s->draws + to, (s->count - to) * sizeof *fewer);
    bool done = shrink_runs_try(&s->runs, fewer, rest, NULL, NULL, left_out, error);
    if (done && *left_out) {
        memcpy(s->draws, fewer, rest * sizeof *fewer);
        s->count = rest;
    }
    free(fewer);
    return done;
}

/* Delta debugging over groups: half of them, then a quarter, ... then each. */
static bool reduce(shrink *s, same_group *same, const char *what, tool_error *error)
{
    size_t groups = 0;
    for (size_t i = 0; i < s->count; i = behind(s, i, 1, same)) {
        groups++;
    }
    for (size_t size = (groups + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
        for (size_t at = 0; at < s->count && s->runs.runs < s->most;) {
            const size_t to = behind(s, at, size, same);
            bool left_out = false;
            tell(s, what);
            if (to - at == s->count && s->count > 0 && at == 0) {
                break; /* all of them: that is the run without shaking */
            }
            if (!leave_out(s, at, to, &left_out, error)) {
                return false;
            }
            at = left_out ? at : to;
        }
    }
    return true;
}

/* Each delay as short as it can be. */
static bool shorten(shrink *s, tool_error *error)
{
    for (size_t i = 0; i < s->count; i++) {
        uint32_t good = 0, bad = s->draws[i].largest;
        while (bad - good > 1 && s->runs.runs < s->most) {
            bool fails;
            s->draws[i].largest = good + (bad - good) / 2;
            tell(s, "shorter delays");
            if (!shrink_runs_try(&s->runs, s->draws, s->count, NULL, NULL, &fails, error)) {
                return false;
            }
            if (fails) {
                bad = s->draws[i].largest;
            } else {
                good = s->draws[i].largest;
            }
        }
        s->draws[i].largest = bad;
    }
    return true;
}

/* ---- The whole -------------------------------------------------------------------------------------------------- */

static bool find_seed(shrink *s, tool_error *error)
{
    bool fails = false;
    const uint64_t given = s->todo.config.shake;
    for (uint64_t seed = given != 0 ? given : 1; !fails && (given == 0 ? seed <= s->seeds : seed == given); seed++) {
        s->runs.seed = seed;
        tell(s, "looking for a seed");
        if (!shrink_runs_try(&s->runs, NULL, 0, NULL, NULL, &fails, error)) {
            return false;
        }
    }
    if (!fails && given != 0) {
        return tool_fail(error, "--shake %" PRIu64 " ends as the run without it: nothing to shrink", given);
    }
    return fails ||
           tool_fail(error, "none of the seeds 1 to %" PRIu64 " ends otherwise than the run without shaking", s->seeds);
}

static bool read_draws(shrink *s, tool_error *error)
{
    char path[96], *text;
    size_t size;
    bool fails;
    shrink_runs_path(&s->runs, "draws", path);
    if (!shrink_runs_try(&s->runs, NULL, 0, "--shake-log", path, &fails, error) ||
        !file_read(path, LOG_MAX, &text, &size, error)) {
        return false;
    }
    const bool parsed = shake_file_parse(path, text, &s->draws, &s->count, error);
    free(text);
    return parsed && (fails || tool_fail(error, "the run ends otherwise when its delays are written down"));
}

/* The last delay one cycle shorter, and the run is right. */
static bool explain(shrink *s, bool *found, tool_error *error)
{
    char bad[96], good[96];
    bool fails;
    kerr_shake_range *last = &s->draws[s->count - 1];
    const kerr_shake_range as_it_is = *last;
    shrink_runs_path(&s->runs, "bad", bad);
    shrink_runs_path(&s->runs, "good", good);
    if (!shrink_runs_try(&s->runs, s->draws, s->count, "--access-log", bad, &fails, error)) {
        return false;
    }
    const bool none = last->largest == 1;
    last->largest -= !none;
    const bool ran = shrink_runs_try(&s->runs, s->draws, s->count - none, "--access-log", good, &fails, error);
    *last = as_it_is;
    return ran && shrink_order(bad, good, &s->loaded, found, error);
}

static void print_left(const shrink *s)
{
    printf("seed %" PRIu64 ", %u runs: %zu delay%s enough\n", s->runs.seed, s->runs.runs, s->count,
           s->count == 1 ? " is" : "s are");
    for (size_t i = 0; i < s->count; i++) {
        const kerr_shake_range *d = &s->draws[i];
        const kerr_shake_site_info *site = kerr_shake_site(d->site);
        printf("  %u cycles, tile %u,%u, %s %u number %" PRIu64 ": %s\n", d->largest, d->at.x, d->at.y, site->name,
               d->sub, d->first, site->what);
    }
}

static bool write_output(const shrink *s, tool_error *error)
{
    FILE *to = s->output != NULL ? fopen(s->output, "we") : NULL;
    if (to == NULL) {
        return s->output == NULL || tool_fail(error, "%s cannot be written", s->output);
    }
    fprintf(to, "# kerr run --shake %" PRIu64 " --shake-only this-file\n", s->runs.seed);
    shake_file_print(to, s->draws, s->count);
    return fclose(to) == 0 || tool_fail(error, "%s cannot be written", s->output);
}

static bool execute(shrink *s, tool_error *error)
{
    bool found = false;
    const bool done = shrink_runs_good(&s->runs, s->expect, error) && find_seed(s, error) && read_draws(s, error) &&
                      reduce(s, same_site, "sites", error) && reduce(s, same_tile, "tiles", error) &&
                      reduce(s, same_sub, "actors", error) && reduce(s, same_draw, "single delays", error) &&
                      shorten(s, error);
    tell_end(s);
    if (!done || s->count == 0) {
        return done ? tool_fail(error, "it goes wrong without any delay too") : false;
    }
    print_left(s);
    if (!explain(s, &found, error)) {
        return false;
    }
    if (!found) {
        printf("No two accesses that the log knows of have changed their order.\n");
    }
    return write_output(s, error);
}

int shrink_main(int count, char *const *arguments)
{
    shrink s = {.seeds = SEEDS, .most = RUNS};
    tool_error error;
    bool help = false, good = false;
    job_init(&s.todo);
    if (options_parse(VERB_SHRINK, count, arguments, take_argument, &s, &help, &error)) {
        if (help) {
            options_help_verb(stdout, VERB_SHRINK);
            job_free(&s.todo);
            return EXIT_OK;
        }
        s.runs.arguments = arguments + (count - s.operands);
        s.runs.count = s.operands;
        good = output_check("--output", s.output, &error) &&
               (s.operands > 0 || tool_fail(&error, "no run to shrink; see kerr shrink --help")) &&
               options_parse(VERB_RUN, s.operands, s.runs.arguments, take_run_argument, &s, &help, &error) &&
               programs_read(&s.loaded, &s.todo, &error) && shrink_runs_open(&s.runs, &error);
    }
    if (good) {
        good = execute(&s, &error);
        shrink_runs_close(&s.runs);
    }
    programs_free(&s.loaded);
    job_free(&s.todo);
    free(s.draws);
    return good ? EXIT_OK : verb_refuse(VERB_SHRINK, &error);
}

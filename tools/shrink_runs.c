/* SPDX-License-Identifier: Apache-2.0 */
#include "shrink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file.h"
#include "shake_file.h"

enum { OUTPUT_MAX = 1 << 28, MORE = 12 };

void shrink_runs_path(const shrink_runs *r, const char *name, char path[96])
{
    (void)snprintf(path, 96, "%.60s/%.30s", r->folder, name);
}

bool shrink_runs_open(shrink_runs *r, tool_error *error)
{
    const char *where = getenv("TMPDIR");
    if (where == NULL || strlen(where) > 30) {
        where = "/tmp";
    }
    (void)snprintf(r->folder, sizeof r->folder, "%.30s/kerr-shrink-XXXXXX", where);
    return mkdtemp(r->folder) != NULL || tool_fail(error, "%s: %s", r->folder, strerror(errno));
}

void shrink_runs_close(shrink_runs *r)
{
    static const char *const names[] = {"output", "only", "draws", "bad", "good"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[96];
        shrink_runs_path(r, names[i], path);
        (void)unlink(path);
    }
    (void)rmdir(r->folder);
    free(r->output);
}

/* The child's side: does not come back. */
static void become_run(const shrink_runs *r, char *const *more, const char *output)
{
    const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    char **all = calloc((size_t)r->count + MORE + 3, sizeof *all);
    if (out < 0 || nowhere < 0 || all == NULL || dup2(out, 1) < 0 || dup2(nowhere, 2) < 0 || dup2(nowhere, 0) < 0) {
        _exit(126);
    }
    int n = 0;
    static char kerr[] = "kerr", run[] = "run";
    all[n++] = kerr;
    all[n++] = run;
    for (int i = 0; i < r->count; i++) {
        all[n++] = r->arguments[i];
    }
    for (int i = 0; more[i] != NULL; i++) {
        all[n++] = more[i];
    }
    (void)execv("/proc/self/exe", all);
    _exit(126);
}

static bool run_child(shrink_runs *r, char *const *more, int *status, char **output, size_t *size, tool_error *error)
{
    char path[96];
    shrink_runs_path(r, "output", path);
    r->runs++;
    const pid_t child = fork();
    if (child == 0) {
        become_run(r, more, path);
    }
    int how = 0;
    if (child < 0 || waitpid(child, &how, 0) != child) {
        return tool_fail(error, "cannot start a run: %s", strerror(errno));
    }
    if (WIFSIGNALED(how) && (WTERMSIG(how) == SIGINT || WTERMSIG(how) == SIGTERM)) {
        return tool_fail(error, "interrupted");
    }
    *status = WIFEXITED(how) ? WEXITSTATUS(how) : 128 + WTERMSIG(how);
    return file_read(path, OUTPUT_MAX, output, size, error);
}

bool shrink_runs_good(shrink_runs *r, const char *expect, tool_error *error)
{
    static char quiet[] = "--quiet", shake[] = "--shake", none[] = "0";
    char *const more[] = {quiet, shake, none, NULL};
    if (!run_child(r, more, &r->status, &r->output, &r->size, error)) {
        return false;
    }
    if (r->status == 2) { /* EXIT_BAD_INPUT */
        return tool_fail(error, "kerr run does not take these arguments; try it by itself");
    }
    if (expect == NULL) {
        return true;
    }
    char *wanted;
    size_t size;
    if (!file_read(expect, OUTPUT_MAX, &wanted, &size, error)) {
        return false;
    }
    const bool same = size == r->size && memcmp(wanted, r->output, size) == 0;
    free(wanted);
    return same ||
           tool_fail(error, "%s: the run prints something else without shaking too; that is no matter of timing",
                     expect);
}

bool shrink_runs_try(shrink_runs *r, const kerr_shake_range *only, size_t count, const char *log, const char *file,
                     bool *fails, tool_error *error)
{
    char seed[24], path[96];
    static char quiet[] = "--quiet", shake[] = "--shake", limit[] = "--shake-only";
    char *more[MORE] = {quiet, shake, seed};
    int n = 3, status;
    (void)snprintf(seed, sizeof seed, "%" PRIu64, r->seed);
    if (only != NULL) {
        shrink_runs_path(r, "only", path);
        FILE *to = fopen(path, "we");
        if (to == NULL) {
            return tool_fail(error, "%s: %s", path, strerror(errno));
        }
        shake_file_print(to, only, count);
        (void)fclose(to);
        more[n++] = limit;
        more[n++] = path;
    }
    char *copies[2] = {log != NULL ? strdup(log) : NULL, file != NULL ? strdup(file) : NULL};
    if (log != NULL) {
        more[n++] = copies[0];
        more[n++] = copies[1];
    }
    char *output = NULL;
    size_t size = 0;
    const bool done = run_child(r, more, &status, &output, &size, error);
    *fails = done && (status != r->status || size != r->size || memcmp(output, r->output, size) != 0);
    free(output);
    free(copies[0]);
    free(copies[1]);
    return done;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* kerr exec: sets up the environment, runs the program, watches, and says what happened.  The program is our child, in our own
 * process group, so that keys of the terminal reach it; what is sent to us alone is passed on. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chip_series.h"
#include "exec_attach.h"
#include "exec_library.h"
#include "exec_page.h"
#include "exec_post.h"
#include "exec_report.h"
#include "exec_status.h"
#include "exec_summary.h"
#include "exec_totals.h"
#include "exec_trace.h"
#include "exec_wish.h"
#include "output.h"
#include "place.h"
#include "progress.h"
#include "verbs.h"

enum {
    NOT_FOUND = 127, /* as shells have it */
    NOT_RUN = 126,
    ANSWER_SECONDS = 1,   /* for a picture of a program that is late */
    PATIENCE_SECONDS = 5, /* between asking a program to end and ending it */
    SEARCH_SECONDS = 10,  /* for source lines */
    HANG_MS = 2000,
    DEAD_MS = 2500, /* with HANG_MS below five seconds */
};

typedef struct exec_run {
    exec_wish wish;
    exec_page page;
    exec_status status;
    exec_totals totals;
    exec_posts posts;
    exec_trace trace;
    exec_attach attach;
    char cache[PATH_MAX], home[PATH_MAX];
    pid_t child;
    int ended;             /* as waitpid has it */
    double started, asked; /* asked: when it was to end; 0: not yet */
    bool told;
} exec_run;

/* ---- Environment --------------------------------------------------------------------------------------------- */

static void set_number(const char *name, unsigned long value)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%lu", value);
    (void)setenv(name, text, 1);
}

static void set_given(const char *name, const char *value)
{
    if (value != NULL) {
        (void)setenv(name, value, 1);
    }
}

/* These make tt-metal poll the card all the time, whether it waits for something or not. */
static bool polls_anyway(void)
{
    return getenv("TT_METAL_DPRINT_CORES") != NULL || getenv("TT_METAL_WATCHER") != NULL;
}

static void set_environment(const exec_wish *w, const char *library, const char *page)
{
    const double hang = w->hang >= 0 ? w->hang * 1000 : polls_anyway() ? 0 : HANG_MS;
    (void)setenv("TT_METAL_SIMULATOR", library, 1);
    (void)setenv("TTEXALENS_SIMULATOR", library, 1);
    (void)setenv("CHIP_ARCH", "blackhole", 0);
    (void)setenv("ARCH_NAME", "blackhole", 0);
    (void)setenv("KERR_STATS", page, 1);
    (void)setenv("KERR_ON_FAULT", "throw", 0);
    set_number("KERR_HANG_MS", (unsigned long)hang);
    set_number("KERR_DEAD_MS", DEAD_MS);
    set_given("KERR_ON_FAULT", w->on_fault);
    set_given("KERR_THREADS", w->threads);
    set_given("KERR_SEED", w->seed);
    set_given("KERR_SHAKE", w->shake);
    set_given("KERR_HARVEST", w->harvest);
    set_given("KERR_POLICY", w->policy);
    set_given("KERR_CHECK", w->check);
    (void)unsetenv("KERR_FINDINGS"); /* they come through the page, and get source lines here */
    set_given("TT_METAL_OPERATION_TIMEOUT_SECONDS", w->client_timeout);
}

/* The program may change its folder; that of the chips is where we are. */
static bool set_series(exec_wish *w, char full[EXEC_PATH], tool_error *error)
{
    if (w->series.every == 0) {
        return (w->series.folder == NULL && w->series.keep == 0) ||
               tool_fail(error, "--save-dir and --save-keep say where snapshots go, but there is no --save-every N");
    }
    chip_series_begin(&w->series, 0);
    const bool there = realpath(w->series.folder, full) != NULL; /* else it has been told of */
    char number[24];
    (void)snprintf(number, sizeof number, "%llu", (unsigned long long)w->series.every);
    (void)setenv("KERR_SAVE_EVERY", number, 1);
    (void)setenv("KERR_SAVE_DIR", there ? full : w->series.folder, 1);
    set_number("KERR_SAVE_KEEP", w->series.keep);
    chip_series_end(&w->series);
    return true;
}

/* An empty file, and its path as seen from anywhere. */
static bool fresh_file(const char *path, char full[EXEC_PATH], tool_error *error)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL || fclose(file) != 0 || realpath(path, full) == NULL) {
        return tool_fail(error, "%s: %s", path, strerror(errno));
    }
    return true;
}

/* Where kernels are compiled to, behind the folders that were given. */
static void add_folders(exec_run *run)
{
    static const char llk[] = "/tmp/tt-llk-build";
    exec_wish *w = &run->wish;
    const char *cache = getenv("TT_METAL_CACHE"), *home = getenv("HOME");
    if (cache != NULL && (size_t)snprintf(run->cache, sizeof run->cache, "%s", cache) < sizeof run->cache) {
        w->folders[w->folder_count++] = run->cache;
    }
    if (home != NULL &&
        (size_t)snprintf(run->home, sizeof run->home, "%s/.cache/tt-metal-cache", home) < sizeof run->home) {
        w->folders[w->folder_count++] = run->home;
    }
    w->folders[w->folder_count++] = llk;
}

/* ---- The program --------------------------------------------------------------------------------------------- */

static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

static void block_signals(sigset_t *before)
{
    sigset_t ours;
    (void)sigemptyset(&ours);
    (void)sigaddset(&ours, SIGCHLD);
    (void)sigaddset(&ours, SIGTSTP);
    (void)sigaddset(&ours, SIGCONT);
    for (unsigned i = 0; i < sizeof passed_on / sizeof *passed_on; i++) {
        (void)sigaddset(&ours, passed_on[i]);
    }
    (void)sigprocmask(SIG_BLOCK, &ours, before);
}

/* In the child.  Returns only if there is no such program. */
static void become(const exec_run *run, const sigset_t *signals, pid_t parent, int report)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
    (void)sigprocmask(SIG_SETMASK, signals, NULL);
    if (getppid() == parent) { /* else it is gone already */
        (void)execvp(run->wish.program[0], run->wish.program);
    }
    const int why = errno;
    (void)!write(report, &why, sizeof why);
    _exit(why == ENOENT ? NOT_FOUND : NOT_RUN);
}

static bool start(exec_run *run, const sigset_t *signals, tool_error *error)
{
    int report[2], why = 0;
    const pid_t parent = getpid();
    if (pipe2(report, O_CLOEXEC) != 0) {
        return tool_fail(error, "cannot start a program: %s", strerror(errno));
    }
    run->started = progress_now();
    run->child = fork();
    if (run->child == 0) {
        become(run, signals, parent, report[1]);
    }
    (void)close(report[1]);
    const bool failed = run->child < 0 || read(report[0], &why, sizeof why) == (ssize_t)sizeof why;
    (void)close(report[0]);
    if (failed) {
        if (run->child > 0) {
            (void)waitpid(run->child, &run->ended, 0);
        }
        return tool_fail(error, "%s: %s", run->wish.program[0], strerror(run->child < 0 ? errno : why));
    }
    return true;
}

/* ---- Watching ------------------------------------------------------------------------------------------------- */

/* Ctrl-Z: the program has got it as well. */
static void stop_with_program(exec_run *run)
{
    exec_status_hide(&run->status);
    (void)raise(SIGSTOP);
}

static void take_signal(exec_run *run, const siginfo_t *info)
{
    const int number = info->si_signo;
    if (number == SIGTSTP) {
        stop_with_program(run);
    } else if (number != SIGCHLD && number != SIGCONT && info->si_code != SI_KERNEL) {
        (void)kill(run->child, number); /* keys of the terminal have reached it by themselves */
    }
}

static void end_if_late(exec_run *run)
{
    const double now = progress_now();
    if (run->wish.timeout < 0 || now - run->started < run->wish.timeout) {
        return;
    }
    if (run->asked == 0) {
        (void)fprintf(stderr, "kerr exec: %g s are over: the program is asked to end\n", run->wish.timeout);
        run->asked = now;
        exec_page_ask(&run->page);
    } else if (!run->told && (now - run->asked > ANSWER_SECONDS || run->posts.count > 0)) {
        run->told = true; /* the picture has come, or none will */
        (void)kill(run->child, SIGTERM);
    } else if (now - run->asked > PATIENCE_SECONDS) {
        (void)kill(run->child, SIGKILL);
    }
}

/* Until the program is over. */
static void watch(exec_run *run)
{
    static const struct timespec every = {.tv_nsec = 50000000};
    sigset_t all;
    (void)sigprocmask(SIG_SETMASK, NULL, &all);
    for (;;) {
        siginfo_t info;
        const pid_t over = waitpid(run->child, &run->ended, WNOHANG);
        if (over == run->child || (over < 0 && errno != EINTR)) {
            return;
        }
        if (sigtimedwait(&all, &info, &every) > 0) {
            take_signal(run, &info);
        }
        exec_live live;
        exec_page_collect(&run->page, &run->totals, false);
        exec_post_take(&run->page, &run->posts, run->wish.folders, run->wish.folder_count, run->wish.save);
        exec_page_look(&run->page, &run->totals, &live);
        exec_status_show(&run->status, &live);
        end_if_late(run);
    }
}

/* ---- The end --------------------------------------------------------------------------------------------------- */

static bool print_summary(exec_run *run, tool_error *error)
{
    FILE *to = run->wish.output != NULL ? fopen(run->wish.output, "w") : stderr;
    if (to == NULL) {
        return tool_fail(error, "%s: %s", run->wish.output, strerror(errno));
    }
    summary_print(to, &run->totals);
    exec_posts_print(to, &run->posts);
    if (to != stderr && fclose(to) != 0) {
        return tool_fail(error, "%s: %s", run->wish.output, strerror(errno));
    }
    return true;
}

static bool write_findings(exec_run *run)
{
    finding_list list = {.count = 0};
    place_source places;
    tool_error error;
    const bool good = summary_findings(&run->totals, &list, &places, &error) &&
                      findings_write(run->wish.findings, &list, &places, &error);
    if (!good) {
        (void)verb_refuse(VERB_EXEC, &error);
    }
    findings_free(&list);
    return good;
}

/* False: something could not be written, and that was said. */
static bool tell(exec_run *run)
{
    const bool summary = !run->wish.quiet || run->wish.output != NULL;
    bool good = true;
    tool_error error;
    if (!summary && run->wish.report == NULL && run->wish.findings == NULL) {
        return true;
    }
    totals_find_code(&run->totals, run->wish.folders, run->wish.folder_count, SEARCH_SECONDS);
    if (summary && !print_summary(run, &error)) {
        good = verb_refuse(VERB_EXEC, &error) == EXIT_OK;
    }
    if (run->wish.findings != NULL) {
        good = write_findings(run) && good;
    }
    if (run->wish.report != NULL &&
        !exec_report_write(run->wish.report, run->wish.program[0], &run->totals, &run->posts, &error)) {
        good = verb_refuse(VERB_EXEC, &error) == EXIT_OK;
    }
    return good;
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0';
}

/* Whether what was found makes a program fail that ended well: somebody asked for it to be looked for, or not to stop the chip. */
static bool findings_fail(exec_run *run)
{
    finding_list list;
    place_source places;
    tool_error error;
    const bool asked = is_set("KERR_CHECK") || is_set("KERR_POLICY"); /* the options are there too by now */
    bool fail = false;
    if (asked && !run->wish.findings_ok && run->totals.finding_count > 0) {
        fail = !summary_findings(&run->totals, &list, &places, &error) || findings_that_fail(&list) > 0;
        findings_free(&list);
    }
    return fail;
}

/* What is written when the program is over can be written. */
static bool check_outputs(const exec_wish *w, tool_error *error)
{
    return output_check("--output", w->output, error) && output_check("--report", w->report, error) &&
           output_check("--trace", w->trace, error) && output_check("--findings", w->findings, error) &&
           output_check("--save", w->save, error) &&
           (w->series.every == 0 ||
            output_check_folder("--save-dir", w->series.folder != NULL ? w->series.folder : CHIP_SERIES_FOLDER, error));
}

/* As the program ended, so do we. */
static int end_alike(int ended)
{
    if (WIFSIGNALED(ended)) {
        const int number = WTERMSIG(ended);
        sigset_t one;
        (void)prctl(PR_SET_DUMPABLE, 0); /* the core is the program's */
        (void)signal(number, SIG_DFL);
        (void)sigemptyset(&one);
        (void)sigaddset(&one, number);
        (void)raise(number);
        (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
        return 128 + number;
    }
    return WEXITSTATUS(ended);
}

static int run_program(exec_run *run)
{
    tool_error error;
    char library[EXEC_PATH], log[EXEC_PATH], kernels[EXEC_PATH], chips[EXEC_PATH];
    sigset_t before;
    if (!check_outputs(&run->wish, &error) || !exec_library_find(run->wish.library, library, &error) ||
        !exec_page_open(&run->page, &error)) {
        return verb_refuse(VERB_EXEC, &error);
    }
    if ((run->wish.record != NULL && !fresh_file(run->wish.record, log, &error)) ||
        (run->wish.kernels != NULL && !fresh_file(run->wish.kernels, kernels, &error)) ||
        !set_series(&run->wish, chips, &error) ||
        (run->wish.trace != NULL && !exec_trace_open(&run->trace, run->wish.trace, &error))) {
        return verb_refuse(VERB_EXEC, &error);
    }
    set_environment(&run->wish, library, run->page.path);
    if (!exec_attach_open(&run->attach,
                          &(exec_attach_wish){.path = run->wish.attach,
                                              .off = run->wish.no_attach,
                                              .has_port = run->wish.has_port,
                                              .port = run->wish.port,
                                              .quiet = run->wish.quiet},
                          &error)) {
        return verb_refuse(VERB_EXEC, &error);
    }
    set_given("KERR_TRACE", run->wish.trace != NULL ? run->trace.feed : NULL);
    set_given("KERR_RECORD", run->wish.record != NULL ? log : NULL);
    set_given("KERR_KERNELS", run->wish.kernels != NULL ? kernels : NULL);
    add_folders(run);
    block_signals(&before);
    if (!start(run, &before, &error)) {
        (void)verb_refuse(VERB_EXEC, &error);
        return WEXITSTATUS(run->ended);
    }
    exec_status_open(&run->status, !run->wish.quiet);
    watch(run);
    exec_status_close(&run->status);
    exec_page_collect(&run->page, &run->totals, true);
    exec_post_take(&run->page, &run->posts, run->wish.folders, run->wish.folder_count, run->wish.save);
    bool told = tell(run);
    exec_attach_close(&run->attach);
    if (run->wish.trace != NULL &&
        !exec_trace_write(&run->trace, run->wish.folders, run->wish.folder_count, SEARCH_SECONDS, &error)) {
        told = verb_refuse(VERB_EXEC, &error) == EXIT_OK;
    }
    const bool well = WIFEXITED(run->ended) && WEXITSTATUS(run->ended) == 0;
    return !well                  ? end_alike(run->ended)
           : !told                ? EXIT_BAD_INPUT
           : run->totals.hung > 0 ? EXIT_HUNG
           : findings_fail(run)   ? EXIT_FINDINGS
                                  : EXIT_OK;
}

int exec_main(int count, char *const *arguments)
{
    static exec_run run; /* too large for a stack */
    tool_error error;
    bool help = false;
    run = (exec_run){.page = {.file = -1}, .trace = {.file = -1}};
    if (!exec_wish_parse(&run.wish, count, arguments, &help, &error)) {
        return verb_refuse(VERB_EXEC, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_EXEC);
        return EXIT_OK;
    }
    const char *findings = getenv("KERR_FINDINGS");
    if (run.wish.findings == NULL && findings != NULL && *findings != '\0') {
        run.wish.findings = strdup(findings); /* the program does not see it */
    }
    run.wish.program = arguments + (count - run.wish.operands);
    if (run.wish.operands == 0) {
        tool_error_set(&error, "there is no program to run; see kerr exec --help");
        return verb_refuse(VERB_EXEC, &error);
    }
    const int status = run_program(&run);
    exec_attach_close(&run.attach);
    exec_page_close(&run.page);
    totals_free(&run.totals);
    exec_posts_free(&run.posts);
    exec_trace_close(&run.trace);
    return status;
}

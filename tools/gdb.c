/* SPDX-License-Identifier: Apache-2.0 */
/* kerr gdb: programs of a job on a chip, and a socket for a debugger. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attach_client.h"
#include "chip_file.h"
#include "file.h"
#include "gdb_bridge.h"
#include "gdb_packet.h"
#include "gdb_past.h"
#include "gdb_session.h"
#include "job.h"
#include "memory_io.h"
#include "options.h"
#include "output.h"
#include "programs.h"
#include "report.h"
#include "verbs.h"

enum { FINDINGS_SHOWN = 20, ELF_MOST = 256 << 20 };

typedef struct debugged {
    job todo;
    const char *job_path, *chip_path; /* or NULL */
    uint16_t port;
    uint64_t spacing;
    bool attached;             /* to what runs */
    const char *which;         /* of these; or NULL */
    bool once;                 /* ends when the debugger has gone */
    const char *findings_path; /* or NULL */
    bool findings_ok;
    const char *script; /* for a gdb that we start ourselves; or NULL */
    programs loaded;
    char **paths; /* of the programs, absolute; NULL where there is none */
    gdb_programs files;
    kerr_chip *chip;
} debugged;

static bool take_job_path(void *context, option_id id, const char *value, tool_error *error)
{
    debugged *d = context;
    (void)error;
    if (id == OPTION_GDB_JOB) {
        d->job_path = value;
    }
    return true;
}

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    debugged *d = context;
    uint64_t number = 0;
    kerr_text_error why;
    switch (id) {
    case OPTION_GDB_JOB: return true;
    case OPTION_GDB_PORT:
        if (!parse_number(value, UINT16_MAX, &number, error)) {
            return false;
        }
        d->port = (uint16_t)number;
        return true;
    case OPTION_GDB_ATTACH:
        d->attached = true;
        d->which = value;
        return true;
    case OPTION_GDB_CHIP: d->chip_path = value; return true;
    case OPTION_GDB_EVERY:
        return parse_count(value, INT64_MAX, &d->spacing, error) &&
               (d->spacing > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_GDB_ONCE: d->once = true; return true;
    case OPTION_GDB_SCRIPT: d->script = value; return true;
    case OPTION_GDB_SEED: return parse_number(value, UINT64_MAX, &d->todo.config.seed, error);
    case OPTION_GDB_SHAKE: return parse_number(value, UINT64_MAX, &d->todo.config.shake, error);
    case OPTION_GDB_POLICY:
        return kerr_policies_parse(&d->todo.policies, value, &why) || tool_fail(error, "%s", why.text);
    case OPTION_GDB_CHECK:
        return kerr_checks_parse(value != NULL ? value : "all", &d->todo.checks, &why) ||
               tool_fail(error, "%s", why.text);
    case OPTION_GDB_FINDINGS: d->findings_path = value; return true;
    case OPTION_GDB_FINDINGS_OK: d->findings_ok = true; return true;
    case OPTION_GDB_PRELOAD: return job_add_preload(&d->todo, value, error);
    default: return job_add_program(&d->todo, value, error);
    }
}

static bool read_arguments(debugged *d, int count, char *const *arguments, bool *help, tool_error *error)
{
    if (!options_parse(VERB_GDB, count, arguments, take_job_path, d, help, error) || *help) {
        return *help;
    }
    if (d->job_path != NULL && !job_read_file(&d->todo, d->job_path, error)) {
        return false;
    }
    if (!options_parse(VERB_GDB, count, arguments, take_argument, d, help, error)) {
        return false;
    }
    if (d->attached && d->chip_path != NULL) {
        return tool_fail(error, "--attach and --chip do not go together");
    }
    if (d->attached && (d->todo.checks != 0 || d->todo.config.shake != 0 || d->findings_path != NULL)) {
        return tool_fail(error, "--check, --shake and --findings are for who starts the simulation, not for --attach");
    }
    if (d->chip_path != NULL && d->todo.config.shake != 0) {
        return tool_fail(error, "--shake is for a fresh chip: a saved one goes on as it was begun");
    }
    if (d->todo.program_count == 0 && d->chip_path == NULL && !d->attached) {
        return tool_fail(error, "no program, no --chip FILE and no --attach; see kerr gdb --help");
    }
    return true;
}

/* What is in memory before the first cycle.  What checks are to know of is written after they are switched on. */
static bool load(debugged *d, tool_error *error)
{
    return programs_load(&d->loaded, d->chip, error) && memory_preload(&d->todo, d->chip, error) &&
           programs_start(&d->loaded, d->chip, error);
}

/* A past's way back to its beginning. */
static bool load_again(void *context)
{
    debugged *d = context;
    tool_error ignored;
    return kerr_reset(d->chip) == KERR_OK && load(d, &ignored);
}

static bool prepare(debugged *d, tool_error *error)
{
    if (!programs_read(&d->loaded, &d->todo, error)) {
        return false;
    }
    if (d->chip_path != NULL && !chip_file_read(d->chip_path, &d->chip, error)) {
        return false;
    }
    kerr_status status = d->chip_path != NULL ? KERR_OK : kerr_create(&d->todo.config, &d->chip);
    if (status == KERR_OK && d->todo.checks != 0) {
        status = kerr_set_checks(d->chip, d->todo.checks);
    }
    status = status == KERR_OK ? kerr_set_policies(d->chip, &d->todo.policies) : status;
    if (status != KERR_OK) {
        return tool_fail(error, "cannot make a chip: %s", kerr_status_text(status));
    }
    if (!job_tell_buffers(&d->todo, d->chip, error)) {
        return false;
    }
    return d->chip_path != NULL || load(d, error); /* else the programs are for names only: they are in the chip */
}

static bool wants_end(void *context)
{
    return gdb_interrupt_waits(context);
}

/* One debugger; its past stays for the next one. */
static void serve(gdb_session *s, past *p, int fd)
{
    gdb_line *line = calloc(1, sizeof *line);
    if (line == NULL) {
        return;
    }
    line->fd = fd;
    p->interrupted = wants_end;
    p->context = line;
    gdb_serve(s, line);
    p->interrupted = NULL;
    free(line);
}

/* gdb with a script, as a child of ours; -1: it cannot be started. */
static pid_t start_gdb(const debugged *d, tool_error *error)
{
    char remote[64];
    const char *gdb = getenv("KERR_GDB") != NULL ? getenv("KERR_GDB") : "gdb-multiarch";
    (void)snprintf(remote, sizeof remote, "target extended-remote :%u", d->port);
    int pipes[2]; /* says whether exec worked */
    if (pipe2(pipes, O_CLOEXEC) != 0) {
        (void)tool_fail(error, "%s: %s", gdb, strerror(errno));
        return -1;
    }
    const pid_t child = fork();
    if (child == 0) {
        /* Programs come from us (gdb_files.c), as files of this machine; those of a tile's further cores when it first runs. */
        (void)execlp(gdb, gdb, "-q", "-nx", "-batch", "-iex", "set pagination off", "-iex", "set confirm off", "-iex",
                     "set sysroot", "-iex", "set schedule-multiple on", "-iex", "set breakpoint pending on", "-ex",
                     remote, "-x", d->script,
                     d->attached && d->todo.program_count != 0 ? d->todo.programs[0].elf : (char *)NULL, (char *)NULL);
        const int why = errno;
        (void)!write(pipes[1], &why, sizeof why);
        _exit(127);
    }
    (void)close(pipes[1]);
    int why = 0;
    const bool failed = child < 0 || read(pipes[0], &why, sizeof why) == (ssize_t)sizeof why;
    (void)close(pipes[0]);
    if (failed) {
        (void)tool_fail(error, "cannot start %s: %s (Debian has it in a package of that name; KERR_GDB names another)",
                        gdb, strerror(why != 0 ? why : errno));
        return -1;
    }
    return child;
}

/* A debugger of a simulation that runs elsewhere. */
static bool serve_attached(const debugged *d, int fd, tool_error *error)
{
    attach_client client;
    const bool good = attach_client_open(&client, d->which, error) && gdb_bridge_begin(&client, error);
    if (good) {
        gdb_bridge_carry(fd, client.fd);
    }
    attach_client_close(&client);
    return good;
}

/* Each debugger that comes, or the one that is our child. */
static void serve_all(const debugged *d, int at, pid_t child, gdb_session *session, past *chip_past)
{
    do {
        tool_error error;
        const int fd = gdb_accept(at);
        if (fd < 0) {
            break;
        }
        if (child == 0) {
            (void)fprintf(stderr, "kerr gdb: a debugger has come\n");
        }
        if (!d->attached) {
            serve(session, chip_past, fd);
        } else if (!serve_attached(d, fd, &error)) {
            (void)verb_refuse(VERB_GDB, &error);
        }
        (void)close(fd);
        if (child == 0) {
            (void)fprintf(stderr, "kerr gdb: it has gone\n");
        }
    } while (!d->once && child == 0);
}

/* The index'th program of a tile, each once. */
static const char *program_path(void *context, kerr_xy at, unsigned index)
{
    const debugged *d = context;
    for (size_t i = 0; i < d->todo.program_count; i++) {
        bool again = d->paths[i] == NULL || !tile_set_has(&d->todo.programs[i].tiles, at);
        for (size_t k = 0; k < i && !again; k++) {
            again = tile_set_has(&d->todo.programs[k].tiles, at) && strcmp(d->paths[k], d->paths[i]) == 0;
        }
        if (!again && index-- == 0) {
            return d->paths[i];
        }
    }
    return NULL;
}

static bool program_read(void *context, const char *path, char **data, size_t *size)
{
    tool_error ignored;
    (void)context;
    return file_read(path, ELF_MOST, data, size, &ignored);
}

static void free_paths(debugged *d)
{
    for (size_t i = 0; d->paths != NULL && i < d->todo.program_count; i++) {
        free(d->paths[i]);
    }
    free(d->paths);
}

static bool find_paths(debugged *d, tool_error *error)
{
    d->paths = calloc(d->todo.program_count + 1, sizeof *d->paths);
    for (size_t i = 0; d->paths != NULL && i < d->todo.program_count; i++) {
        d->paths[i] = realpath(d->todo.programs[i].elf, NULL);
    }
    return d->paths != NULL || tool_fail(error, "out of memory");
}

/* There is something to debug; what is attached to is looked at once, so that a mistake is told of now. */
static bool begin(debugged *d, gdb_session *session, past *chip_past, tool_error *error)
{
    if (d->attached) {
        attach_client client;
        const bool good = attach_client_open(&client, d->which, error);
        attach_client_close(&client);
        return good && programs_read(&d->loaded, &d->todo, error);
    }
    if (!prepare(d, error)) {
        return false;
    }
    if (!find_paths(d, error)) {
        return false;
    }
    gdb_begin(session, d->chip, &gdb_past_time, chip_past);
    d->files = (gdb_programs){.path = program_path, .read = program_read, .context = d};
    session->programs = &d->files;
    if (!past_begin(chip_past, d->chip, d->spacing)) {
        return tool_fail(error, "out of memory");
    }
    if (d->todo.checks != 0 && d->chip_path == NULL) {
        chip_past->again = load_again;
        chip_past->again_context = d;
    }
    return true;
}

static int execute(debugged *d)
{
    tool_error error;
    gdb_session session;
    past chip_past = {.count = 0};
    if (!output_check("--findings", d->findings_path, &error) || !begin(d, &session, &chip_past, &error)) {
        return verb_refuse(VERB_GDB, &error);
    }
    const int at = gdb_listen(&d->port, &error);
    pid_t child = 0;
    bool good = at >= 0;
    if (good && d->script != NULL) {
        good = access(d->script, R_OK) == 0 ? (child = start_gdb(d, &error)) > 0
                                            : tool_fail(&error, "%s: %s", d->script, strerror(errno));
    }
    if (good && child == 0) {
        (void)fprintf(stderr,
                      "kerr gdb: waiting for a debugger: gdb-multiarch -iex 'set sysroot' -iex 'set schedule-multiple "
                      "on' -ex 'target "
                      "extended-remote :%u'\n",
                      d->port);
    }
    if (good) {
        serve_all(d, at, child, &session, &chip_past);
    }
    if (at >= 0) {
        (void)close(at);
    }
    if (!d->attached) {
        gdb_end(&session);
        past_end(&chip_past);
    }
    int status = 0;
    uint32_t fail = 0;
    if (child > 0) {
        (void)waitpid(child, &status, 0);
    }
    if (!good) {
        return verb_refuse(VERB_GDB, &error);
    }
    if ((d->todo.checks != 0 || d->findings_path != NULL) &&
        !report_findings(d->chip, &d->loaded, FINDINGS_SHOWN, d->findings_path, false, REPORT_WAITS_AFTER_FAULTS,
                         &fail)) {
        return EXIT_BAD_INPUT;
    }
    return status != 0 ? EXIT_FAULT : d->todo.checks != 0 && fail > 0 && !d->findings_ok ? EXIT_FINDINGS : EXIT_OK;
}

int gdb_main(int count, char *const *arguments)
{
    debugged d = {0};
    tool_error error;
    bool help = false;
    int result;
    job_init(&d.todo);
    if (!read_arguments(&d, count, arguments, &help, &error)) {
        result = verb_refuse(VERB_GDB, &error);
    } else if (help) {
        options_help_verb(stdout, VERB_GDB);
        result = EXIT_OK;
    } else {
        result = execute(&d);
    }
    kerr_destroy(d.chip);
    free_paths(&d);
    programs_free(&d.loaded);
    job_free(&d.todo);
    return result;
}

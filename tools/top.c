/* SPDX-License-Identifier: Apache-2.0 */
/* kerr top: attaches, looks every half second, draws, takes keys. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "options.h"
#include "place.h"
#include "progress.h"
#include "top_screen.h"
#include "top_view.h"
#include "verbs.h"

enum { START_SECONDS = 20, RUN_ARGUMENTS = 250 };
static const double every_default = 0.5, first_look = 0.2;

typedef struct wish {
    const char *which;
    bool once, plain, opened;
    kerr_xy tile;
    double every;
    int operands;
} wish;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    wish *w = context;
    tile_set tiles = {{0}};
    unsigned index = 0;
    switch (id) {
    case OPTION_TOP_ONCE: w->once = true; return true;
    case OPTION_TOP_PLAIN: w->once = w->plain = true; return true;
    case OPTION_TOP_EVERY: return parse_seconds(value, &w->every, error);
    case OPTION_TOP_TILE:
        w->opened = true;
        return parse_tiles(value, false, &tiles, error) &&
               ((tile_set_count(&tiles) == 1 && tile_set_next(&tiles, &index, &w->tile)) ||
                tool_fail(error, "'%s' is not one tile, x,y", value));
    default:
        w->operands++;
        w->which = value;
        return true;
    }
}

/* ---- A run of our own --------------------------------------------------------------------------------------------- */

typedef struct own_run {
    pid_t child; /* 0: none */
    char socket[SOCKET_PATH], output[64];
} own_run;

/* kerr run --attach=SOCKET --hold ARGUMENTS, what it prints goes into a file until we are done. */
static bool start_run(own_run *run, int count, char *const *arguments, tool_error *error)
{
    char directory[SOCKET_PATH], why[SOCKET_WHY], attach[SOCKET_PATH + 16];
    const char *line[RUN_ARGUMENTS + 8] = {"kerr", "run", attach, "--hold", "--quiet"};
    if (count > RUN_ARGUMENTS) {
        return tool_fail(error, "more than %d arguments for kerr run", RUN_ARGUMENTS);
    }
    if (!socket_directory(directory, why)) {
        return tool_fail(error, "%s", why);
    }
    (void)snprintf(run->socket, sizeof run->socket, "%.80s/%ld.top.sock", directory, (long)getpid());
    (void)snprintf(run->output, sizeof run->output, "/tmp/kerr-top-XXXXXX");
    (void)snprintf(attach, sizeof attach, "--attach=%s", run->socket);
    for (int i = 0; i < count; i++) {
        line[5 + i] = arguments[i];
    }
    const int out = mkostemp(run->output, O_CLOEXEC);
    if (out < 0) {
        return tool_fail(error, "%s: %s", run->output, strerror(errno));
    }
    run->child = fork();
    if (run->child == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        (void)setpgid(0, 0); /* keys of the terminal are ours */
        (void)dup2(out, STDOUT_FILENO);
        (void)dup2(out, STDERR_FILENO);
        (void)execv("/proc/self/exe", (char *const *)(uintptr_t)line);
        _exit(127);
    }
    (void)close(out);
    return run->child > 0 || tool_fail(error, "cannot start kerr run: %s", strerror(errno));
}

static bool run_has_ended(own_run *run)
{
    if (run->child > 0 && waitpid(run->child, NULL, WNOHANG) == run->child) {
        run->child = -1;
    }
    return run->child < 0;
}

static void end_run(own_run *run)
{
    char text[4096];
    size_t n;
    if (run->child > 0) {
        (void)kill(run->child, SIGTERM);
        (void)waitpid(run->child, NULL, 0);
    }
    if (run->child != 0) {
        (void)unlink(run->socket);
    }
    FILE *file = run->child != 0 ? fopen(run->output, "re") : NULL;
    while (file != NULL && (n = fread(text, 1, sizeof text, file)) > 0) {
        (void)fwrite(text, 1, n, stderr);
    }
    if (file != NULL) {
        (void)fclose(file);
        (void)unlink(run->output);
    }
}

static bool attach_to_run(top_view *view, own_run *run, tool_error *error)
{
    const double begin = progress_now();
    while (!attach_client_open_path(&view->client, run->socket, error)) {
        if (run_has_ended(run)) {
            return tool_fail(error, "kerr run has not started:");
        }
        if (progress_now() - begin > START_SECONDS) {
            return false;
        }
        (void)usleep(10000);
    }
    return true;
}

/* ---- The view ------------------------------------------------------------------------------------------------------ */

static bool draw(top_view *view, const top_screen *screen, tool_error *error)
{
    static top_frame frame; /* large */
    frame.count = 0;
    if (view->opened && view->now.status.has_chip) {
        if (!top_draw_tile(view, &frame, error)) {
            return false;
        }
    } else {
        top_draw_grid(view, &frame);
    }
    if (!screen->terminal) {
        frame.count--; /* the keys */
    }
    screen_put(screen, &frame);
    return true;
}

static void move(top_view *view, int x, int y)
{
    view->selected.x = (uint8_t)((view->selected.x + KERR_GRID_X + x) % KERR_GRID_X);
    view->selected.y = (uint8_t)((view->selected.y + KERR_GRID_Y + y) % KERR_GRID_Y);
}

/* False: the simulation is gone. */
static bool on_key(top_view *view, top_key key, tool_error *error)
{
    switch (key) {
    case TOP_KEY_UP: move(view, 0, -1); break;
    case TOP_KEY_DOWN: move(view, 0, 1); break;
    case TOP_KEY_LEFT: move(view, -1, 0); break;
    case TOP_KEY_RIGHT: move(view, 1, 0); break;
    case TOP_KEY_ENTER: view->opened = true; break;
    case TOP_KEY_BACK: view->opened = false; break;
    case TOP_KEY_PAUSE:
        view->paused = !view->paused;
        return attach_client_ask(&view->client,
                                 (kerr_attach_request){.verb = view->paused ? KERR_ATTACH_PAUSE : KERR_ATTACH_CONTINUE},
                                 error) &&
               top_look_again(view, error);
    default: break;
    }
    return true;
}

static bool watch(top_view *view, const top_screen *screen, const wish *w, tool_error *error)
{
    double next = progress_now() + first_look;
    for (;;) {
        const double left = next - progress_now();
        const top_key key = screen_key(screen, left > 0 ? left + 0.001 : 0);
        if (key == TOP_KEY_QUIT) {
            return true;
        }
        if (key == TOP_KEY_NONE && progress_now() < next) {
            continue;
        }
        if (progress_now() >= next) {
            if (!top_look_again(view, error)) {
                return false;
            }
            next = progress_now() + w->every;
        }
        if (!on_key(view, key, error) || !draw(view, screen, error)) {
            return false;
        }
        if (w->once) {
            return true;
        }
    }
}

/* Paths as their last parts: what differs comes last. */
static void shorten(const char *line, char *title, size_t size)
{
    size_t n = 0;
    for (const char *at = line; *at != '\0' && n + 1 < size;) {
        const size_t length = strcspn(at, " ");
        const char *slash = memrchr(at, '/', length);
        const char *from = *at == '/' && slash != NULL ? slash + 1 : at;
        for (; from < at + length && n + 1 < size; from++) {
            title[n++] = *from;
        }
        at += length;
        if (*at == ' ' && n + 1 < size) {
            title[n++] = *at++;
        }
    }
    title[n] = '\0';
}

static bool look(top_view *view, const wish *w, bool own, tool_error *error)
{
    top_screen screen;
    shorten(view->client.hello.program, view->title, sizeof view->title);
    view->selected = w->opened ? w->tile : kerr_tensix_xy(0);
    view->opened = w->opened;
    if (!top_look_again(view, error) ||
        (own && !attach_client_ask(&view->client, (kerr_attach_request){.verb = KERR_ATTACH_CONTINUE}, error))) {
        return false;
    }
    screen_open(&screen, !w->once, w->plain);
    wish one = *w;
    one.once = w->once || !screen.terminal;
    bool good = screen.terminal ? draw(view, &screen, error) : true;
    good = good && watch(view, &screen, &one, error);
    screen_close(&screen);
    if (!good && view->client.fd < 0) {
        (void)fprintf(stderr, "kerr top: the simulation has ended\n");
        return true;
    }
    return good;
}

int top_main(int count, char *const *arguments)
{
    static top_view view; /* too large for a stack */
    wish w = {.every = every_default};
    own_run run = {.child = 0};
    tool_error error;
    bool help = false;
    int before = 0;
    while (before < count && strcmp(arguments[before], "--") != 0) {
        before++;
    }
    if (!options_parse(VERB_TOP, before, arguments, take_argument, &w, &help, &error)) {
        return verb_refuse(VERB_TOP, &error);
    }
    if (help) {
        options_help_verb(stdout, VERB_TOP);
        return EXIT_OK;
    }
    view = (top_view){.client = {.fd = -1}};
    bool good = w.operands <= (before == count) ||
                tool_fail(&error, "'%s': one simulation at a time, by process id or path, or -- and a run", w.which);
    const bool own = good && before < count;
    if (own) {
        good = (before + 1 < count || tool_fail(&error, "nothing to run behind --")) &&
               start_run(&run, count - before - 1, arguments + before + 1, &error) &&
               attach_to_run(&view, &run, &error);
    } else {
        good = good && attach_client_open(&view.client, w.which, &error);
    }
    good = good && look(&view, &w, own, &error);
    attach_client_close(&view.client);
    const int status = good ? EXIT_OK : verb_refuse(VERB_TOP, &error);
    end_run(&run);
    return status;
}

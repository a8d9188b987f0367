/* SPDX-License-Identifier: Apache-2.0 */
/* kerr: finds the verb and calls it.  The only place that prints errors and decides exit statuses, with run.c and dis.c. */
#include <stdio.h>
#include <string.h>

#include "kerr.h"
#include "options.h"
#include "verbs.h"

int verb_refuse(verb_id verb, const tool_error *error)
{
    (void)fflush(stdout);
    (void)fprintf(stderr, "kerr %s: %s\n", verb_table[verb].name, error->text);
    return EXIT_BAD_INPUT;
}

/* Output that did not get out (a full disk) is a failure. */
static int flushed(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        (void)fprintf(stderr, "kerr: cannot write to standard output\n");
        return EXIT_BAD_INPUT;
    }
    return status;
}

static int unknown_verb(const char *name)
{
    char meant[64];
    (void)fprintf(stderr, "kerr: unknown verb '%s'%s; there are", name,
                  meant_text(meant, sizeof meant, "", verb_near(name)));
    for (unsigned i = 0; i < VERB_COUNT; i++) {
        (void)fprintf(stderr, "%s %s", i > 0 ? "," : "", verb_table[i].name);
    }
    (void)fprintf(stderr, "; see kerr --help\n");
    return EXIT_BAD_INPUT;
}

static int help_main(int count, char *const *arguments)
{
    if (count == 0) {
        options_help(stdout);
        return EXIT_OK;
    }
    const verb_id verb = verb_by_name(arguments[0]);
    if (verb == VERB_COUNT) {
        return unknown_verb(arguments[0]);
    }
    options_help_verb(stdout, verb);
    return EXIT_OK;
}

static int dispatch(int count, char *const *arguments)
{
    if (count < 2) {
        options_help(stderr);
        return EXIT_BAD_INPUT;
    }
    const char *name = arguments[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        return help_main(count - 2, arguments + 2);
    }
    if (strcmp(name, "--version") == 0) {
        (void)printf("kerr %s\n", kerr_version());
        return EXIT_OK;
    }
    /* For `make cli-docs`; not in the help. */
    if (strcmp(name, "--dump-man") == 0) {
        options_dump_man(stdout);
        return EXIT_OK;
    }
    if (strcmp(name, "--dump-docs") == 0) {
        options_dump_docs(stdout);
        return EXIT_OK;
    }
    switch (verb_by_name(name)) {
    case VERB_RUN: return run_main(count - 2, arguments + 2);
    case VERB_EXEC: return exec_main(count - 2, arguments + 2);
    case VERB_PROFILE: return profile_main(count - 2, arguments + 2);
    case VERB_SHRINK: return shrink_main(count - 2, arguments + 2);
    case VERB_REPLAY: return replay_main(count - 2, arguments + 2);
    case VERB_GDB: return gdb_main(count - 2, arguments + 2);
    case VERB_TOP: return top_main(count - 2, arguments + 2);
    case VERB_ATTACH: return attach_main(count - 2, arguments + 2);
    case VERB_STATE: return state_main(count - 2, arguments + 2);
    case VERB_DIFF: return diff_main(count - 2, arguments + 2);
    case VERB_LAST_WRITE: return last_write_main(count - 2, arguments + 2);
    case VERB_INFO: return info_main(count - 2, arguments + 2);
    case VERB_SHOW: return show_main(count - 2, arguments + 2);
    case VERB_EXPLAIN: return explain_main(count - 2, arguments + 2);
    case VERB_WHY: return why_main(count - 2, arguments + 2);
    case VERB_DIS: return dis_main(count - 2, arguments + 2);
    case VERB_ASM: return asm_main(count - 2, arguments + 2);
    case VERB_COUNT: break;
    }
    return unknown_verb(name);
}

int main(int argc, char **argv)
{
    return flushed(dispatch(argc, argv));
}

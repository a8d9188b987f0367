/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kerr.h"
#include "kerr_findings.h"
#include "options.h"
#include "place.h"

enum { EXEC_KEEP_MOST = 1024 };

static bool take_seconds(const char *value, double *seconds, tool_error *error)
{
    char *end;
    *seconds = strtod(value, &end);
    return (*end == '\0' && end != value && *seconds >= 0 && *seconds <= 1e6) ||
           tool_fail(error, ": '%s' is not a number of seconds", value);
}

/* What does not exist is told of, and left out: the program runs without. */
static void take_policy(exec_wish *w, const char *value)
{
    kerr_policies policies;
    kerr_text_error why;
    kerr_policies_init(&policies);
    if (kerr_policies_parse(&policies, value, &why)) {
        w->policy = value;
    } else {
        (void)fprintf(stderr, "kerr exec: --policy: %s (column %u); ignored\n", why.text, why.column);
    }
}

static void take_check(exec_wish *w, const char *value)
{
    uint32_t checks;
    kerr_text_error why;
    if (kerr_checks_parse(value, &checks, &why)) {
        w->check = value;
    } else {
        (void)fprintf(stderr, "kerr exec: --check: %s (column %u); ignored\n", why.text, why.column);
    }
}

static bool take_every(exec_wish *w, const char *value, tool_error *error)
{
    return parse_count(value, INT64_MAX, &w->series.every, error) &&
           (w->series.every > 0 || tool_fail(error, ": must be at least 1"));
}

static bool take_keep(exec_wish *w, const char *value, tool_error *error)
{
    uint64_t number = 0;
    if (!parse_number(value, EXEC_KEEP_MOST, &number, error)) {
        return false;
    }
    w->series.keep = (uint32_t)number;
    return number > 0 || tool_fail(error, ": must be at least 1");
}

static bool take_port(exec_wish *w, const char *value, tool_error *error)
{
    uint64_t number = 0;
    if (!parse_number(value, UINT16_MAX, &number, error)) {
        return false;
    }
    w->has_port = true;
    w->port = (uint16_t)number;
    return true;
}

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    exec_wish *w = context;
    switch (id) {
    case OPTION_EXEC_LIBRARY: w->library = value; break;
    case OPTION_EXEC_THREADS: w->threads = value; break;
    case OPTION_EXEC_SEED: w->seed = value; break;
    case OPTION_EXEC_SHAKE: {
        uint64_t seed;
        w->shake = value;
        return parse_number(value, UINT64_MAX, &seed, error);
    }
    case OPTION_EXEC_HARVEST: {
        kerr_harvesting shape;
        w->harvest = value;
        return kerr_harvesting_by_name(value, &shape) ||
               tool_fail(error, ": '%s' is not a shape such as p150, p100 or full,tensix=0x3000", value);
    }
    case OPTION_EXEC_ON_FAULT:
        w->on_fault = value;
        return strcmp(value, "throw") == 0 || strcmp(value, "dead") == 0 || strcmp(value, "exit") == 0 ||
               strcmp(value, "card") == 0 || tool_fail(error, ": '%s' is not throw, dead, exit or card", value);
    case OPTION_EXEC_HANG: return take_seconds(value, &w->hang, error);
    case OPTION_EXEC_CLIENT_TIMEOUT: {
        double seconds;
        w->client_timeout = value;
        return take_seconds(value, &seconds, error);
    }
    case OPTION_EXEC_TIMEOUT: return take_seconds(value, &w->timeout, error);
    case OPTION_EXEC_ELF_DIR:
        if (w->folder_count == EXEC_FOLDERS) {
            return tool_fail(error, ": more than %d folders", EXEC_FOLDERS);
        }
        w->folders[w->folder_count++] = value;
        break;
    case OPTION_EXEC_OUTPUT: w->output = value; break;
    case OPTION_EXEC_REPORT: w->report = value; break;
    case OPTION_EXEC_TRACE: w->trace = value; break;
    case OPTION_EXEC_KERNELS: w->kernels = value; break;
    case OPTION_EXEC_RECORD: w->record = value; break;
    case OPTION_EXEC_POLICY: take_policy(w, value); break;
    case OPTION_EXEC_CHECK: take_check(w, value != NULL ? value : "all"); break;
    case OPTION_EXEC_FINDINGS: w->findings = value; break;
    case OPTION_EXEC_SAVE: w->save = value; break;
    case OPTION_EXEC_SAVE_EVERY: return take_every(w, value, error);
    case OPTION_EXEC_SAVE_DIR: w->series.folder = value; break;
    case OPTION_EXEC_SAVE_KEEP: return take_keep(w, value, error);
    case OPTION_EXEC_ATTACH: w->attach = value; break;
    case OPTION_EXEC_NO_ATTACH: w->no_attach = true; break;
    case OPTION_EXEC_GDB: return take_port(w, value, error);
    case OPTION_EXEC_QUIET: w->quiet = true; break;
    default: w->operands++; break; /* the program and its arguments: what the line ends with */
    }
    return true;
}

bool exec_wish_parse(exec_wish *w, int count, char *const *arguments, bool *help, tool_error *error)
{
    *w = (exec_wish){.hang = -1, .timeout = -1};
    return options_parse(VERB_EXEC, count, arguments, take_argument, w, help, error);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_wish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kerr.h"
#include "kerr_findings.h"
#include "options.h"
#include "output.h"
#include "place.h"

enum { EXEC_KEEP_MOST = 1024, THREADS_MOST = 64 };

static bool take_seconds(const char *value, double *seconds, tool_error *error)
{
    char *end;
    *seconds = strtod(value, &end);
    return (*end == '\0' && end != value && *seconds >= 0 && *seconds <= 1e6) ||
           tool_fail(error, "'%s' is not a number of seconds from 0 to 1000000", value);
}

static bool take_some_seconds(const char *value, double *seconds, tool_error *error)
{
    return take_seconds(value, seconds, error) && (*seconds > 0 || tool_fail(error, "must be more than 0"));
}

/* What the library is told in words it must understand. */
static bool take_policy(exec_wish *w, const char *value, tool_error *error)
{
    kerr_policies policies;
    kerr_text_error why;
    kerr_policies_init(&policies);
    w->policy = value;
    return kerr_policies_parse(&policies, value, &why) || tool_fail(error, "%s (column %u)", why.text, why.column);
}

static bool take_check(exec_wish *w, const char *value, tool_error *error)
{
    uint32_t checks;
    kerr_text_error why;
    w->check = value;
    return kerr_checks_parse(value, &checks, &why) || tool_fail(error, "%s (column %u)", why.text, why.column);
}

static bool take_number(const char *value, uint64_t low, uint64_t high, const char **text, tool_error *error)
{
    uint64_t number = 0;
    *text = value;
    return parse_number(value, high, &number, error) &&
           (number >= low || tool_fail(error, "must be at least %u", (unsigned)low));
}

static bool take_every(exec_wish *w, const char *value, tool_error *error)
{
    return parse_count(value, INT64_MAX, &w->series.every, error) &&
           (w->series.every > 0 || tool_fail(error, "must be at least 1"));
}

static bool take_keep(exec_wish *w, const char *value, tool_error *error)
{
    uint64_t number = 0;
    if (!parse_number(value, EXEC_KEEP_MOST, &number, error)) {
        return false;
    }
    w->series.keep = (uint32_t)number;
    return number > 0 || tool_fail(error, "must be at least 1");
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
    case OPTION_EXEC_THREADS: return take_number(value, 1, THREADS_MOST, &w->threads, error);
    case OPTION_EXEC_SEED: return take_number(value, 0, UINT64_MAX, &w->seed, error);
    case OPTION_EXEC_SHAKE: return take_number(value, 0, UINT64_MAX, &w->shake, error);
    case OPTION_EXEC_HARVEST: {
        kerr_harvesting shape;
        w->harvest = value;
        return kerr_harvesting_by_name(value, &shape) ||
               tool_fail(error, "'%s' is not a shape such as p150, p100 or full,tensix=0x3000", value);
    }
    case OPTION_EXEC_ON_FAULT: {
        static const char *const names[] = {"throw", "dead", "exit", "card"};
        char meant[64];
        w->on_fault = value;
        return strcmp(value, "throw") == 0 || strcmp(value, "dead") == 0 || strcmp(value, "exit") == 0 ||
               strcmp(value, "card") == 0 ||
               tool_fail(
                   error, "'%s' is not throw, dead, exit or card%s", value,
                   meant_text(meant, sizeof meant, "", kerr_name_near(value, names, sizeof names / sizeof *names)));
    }
    case OPTION_EXEC_HANG: return take_seconds(value, &w->hang, error);
    case OPTION_EXEC_CLIENT_TIMEOUT: {
        double seconds;
        w->client_timeout = value;
        return take_some_seconds(value, &seconds, error);
    }
    case OPTION_EXEC_TIMEOUT: return take_some_seconds(value, &w->timeout, error);
    case OPTION_EXEC_ELF_DIR:
        if (w->folder_count == EXEC_FOLDERS) {
            return tool_fail(error, "more than %d folders", EXEC_FOLDERS);
        }
        w->folders[w->folder_count++] = value;
        return input_check(value, true, error);
    case OPTION_EXEC_OUTPUT: w->output = value; break;
    case OPTION_EXEC_REPORT: w->report = value; break;
    case OPTION_EXEC_TRACE: w->trace = value; break;
    case OPTION_EXEC_KERNELS: w->kernels = value; break;
    case OPTION_EXEC_RECORD: w->record = value; break;
    case OPTION_EXEC_POLICY: return take_policy(w, value, error);
    case OPTION_EXEC_CHECK: return take_check(w, value != NULL ? value : "all", error);
    case OPTION_EXEC_FINDINGS: w->findings = value; break;
    case OPTION_EXEC_FINDINGS_OK: w->findings_ok = true; break;
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

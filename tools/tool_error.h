/* SPDX-License-Identifier: Apache-2.0 */
/* How the command's parts say what went wrong: a sentence that names the file or option and the place in it.
 * The part that finds the mistake fills the sentence and returns false; only main.c prints it. */
#ifndef KERR_TOOLS_TOOL_ERROR_H
#define KERR_TOOLS_TOOL_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

typedef struct tool_error {
    char text[768];
} tool_error;

/* Fills the sentence; always returns false, so that `return tool_fail(...)` reads well. */
__attribute__((format(printf, 2, 3))) bool tool_fail(tool_error *error, const char *format, ...);
/* Puts a prefix before what is there, for a caller who knows the place; always returns false. */
__attribute__((format(printf, 2, 3))) bool tool_fail_at(tool_error *error, const char *format, ...);

#endif

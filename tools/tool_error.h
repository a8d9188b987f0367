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

__attribute__((format(printf, 2, 3))) void tool_error_set(tool_error *error, const char *format, ...);
__attribute__((format(printf, 2, 3))) void tool_error_put_before(tool_error *error, const char *format, ...);

/* Fills the sentence and is false, so that `return tool_fail(...)` reads well.  Macros, so that compilers and analyzers see
 * the value. */
#define tool_fail(error, ...) (tool_error_set(error, __VA_ARGS__), false)
/* Puts a prefix before the sentence that is there, for a caller who knows the place; also false. */
#define tool_fail_at(error, ...) (tool_error_put_before(error, __VA_ARGS__), false)

#endif

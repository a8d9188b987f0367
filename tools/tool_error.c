/* SPDX-License-Identifier: Apache-2.0 */
#include "tool_error.h"

#include <stdio.h>
#include <string.h>

void tool_error_set(tool_error *error, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    (void)vsnprintf(error->text, sizeof error->text, format, list);
    va_end(list);
}

void tool_error_put_before(tool_error *error, const char *format, ...)
{
    tool_error where;
    va_list list;
    va_start(list, format);
    (void)vsnprintf(where.text, sizeof where.text, format, list);
    va_end(list);
    const size_t length = strnlen(where.text, sizeof where.text - 4);
    const size_t room = sizeof error->text - length - 3; /* ": " and the end */
    const size_t rest = strnlen(error->text, room);
    memmove(error->text + length + 2, error->text, rest);
    memcpy(error->text, where.text, length);
    memcpy(error->text + length, ": ", 2);
    error->text[length + 2 + rest] = '\0';
}

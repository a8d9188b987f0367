/* SPDX-License-Identifier: Apache-2.0 */
/* Test Anything Protocol, as much as a host program test needs. */
#ifndef KERR_TESTS_ABI_TAP_H
#define KERR_TESTS_ABI_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct tap {
    int cases, failed;
};

/* One case, named by the fact it pins. */
static inline bool tap_ok(struct tap *tap, bool ok, const char *format, ...) __attribute__((format(printf, 3, 4)));
static inline bool tap_ok(struct tap *tap, bool ok, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("%s %d - ", ok ? "ok" : "not ok", ++tap->cases);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
    tap->failed += !ok;
    return ok;
}

static inline int tap_end(const struct tap *tap)
{
    printf("1..%d\n", tap->cases);
    return tap->failed ? 1 : 0;
}

#endif

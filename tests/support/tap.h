/* SPDX-License-Identifier: Apache-2.0 */
/* TAP lines for test programs that are not cmocka suites. */
#ifndef KERR_TESTS_TAP_H
#define KERR_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct tap {
    unsigned tests, failed;
} tap;

static inline void __attribute__((format(printf, 3, 4))) tap_ok(tap *t, bool good, const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    t->tests++;
    t->failed += !good;
    printf("%s %u - ", good ? "ok" : "not ok", t->tests);
    vprintf(format, ap);
    putchar('\n');
    fflush(stdout);
    va_end(ap);
}
/* The plan; the program's exit status. */
static inline int tap_end(const tap *t)
{
    printf("1..%u\n", t->tests);
    return t->failed != 0;
}

#endif

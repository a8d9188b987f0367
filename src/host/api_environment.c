/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of the environment (variables.def): which there are, and whether those that are set make sense. */
#include "base/text_number.h"
#include "chip/chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern char **environ;

typedef enum rule { NUMBER, ON_FAULT, POLICY, CHECK, FAST, SHAPE, TEXT } rule;

typedef struct row {
    const char *name, *value, *text;
    rule rule;
    uint64_t low, high;
} row;

static const row rows[] = {
#define VARIABLE(name, value, rule, low, high, text) {name, value, text, rule, low, high},
#include "host/variables.def"
};
static const char *const ours[] = {
#define OURS(name) name,
#include "host/variables.def"
};
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const char prefix[] = "KERR_";
enum { PREFIX = sizeof prefix - 1 };

bool kerr_variable_at(uint32_t index, kerr_variable *variable)
{
    if (variable == NULL || index >= COUNT_OF(rows)) {
        return false;
    }
    *variable = (kerr_variable){rows[index].name, rows[index].value, rows[index].text};
    return true;
}

__attribute__((format(printf, 2, 3))) static bool refuse(kerr_text_error *error, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        error->column = 1;
    }
    return false;
}

static bool is_ours(const char *name, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(ours); i++) {
        const size_t known = strlen(ours[i]);
        if (ours[i][known - 1] == '_' ? length > known && memcmp(name, ours[i], known) == 0
                                      : length == known && memcmp(name, ours[i], known) == 0) {
            return true;
        }
    }
    return false;
}

static bool refuse_name(const char *name, size_t length, kerr_text_error *error)
{
    const char *names[COUNT_OF(rows)];
    char given[48];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        names[i] = rows[i].name + PREFIX; /* which is alike in all */
    }
    snprintf(given, sizeof given, "%.*s", (int)(length < sizeof given ? length : sizeof given - 1), name);
    const char *near = kerr_name_near(given + PREFIX, names, COUNT_OF(names));
    return near != NULL ? refuse(error, "%s: there is no such variable; did you mean %s%s?", given, prefix, near)
                        : refuse(error, "%s: there is no such variable (kerr --help lists them)", given);
}

static bool check_number(const row *r, const char *value, kerr_text_error *error)
{
    uint64_t number = 0;
    return (text_number(value, r->high, &number) && number >= r->low) ||
           refuse(error, "%s=%.32s: not a number from %llu to %llu", r->name, value, (unsigned long long)r->low,
                  (unsigned long long)r->high);
}

static bool check_on_fault(const row *r, const char *value, kerr_text_error *error)
{
    static const char *const names[] = {"dead", "exit", "card", "throw"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strcmp(value, names[i]) == 0) {
            return true;
        }
    }
    const char *near = kerr_name_near(value, names, COUNT_OF(names));
    return refuse(error, "%s=%.32s: not dead, exit, card or throw%s%s%s", r->name, value,
                  near != NULL ? "; did you mean " : "", near != NULL ? near : "", near != NULL ? "?" : "");
}

static bool check_value(const row *r, const char *value, kerr_text_error *error)
{
    kerr_harvesting shape;
    kerr_policies policies;
    uint32_t checks;
    kerr_text_error why;
    if (*value == '\0') { /* as if it were not there */
        return true;
    }
    switch (r->rule) {
    case NUMBER: return check_number(r, value, error);
    case ON_FAULT: return check_on_fault(r, value, error);
    case POLICY:
        kerr_policies_init(&policies);
        return kerr_policies_parse(&policies, value, &why) || refuse(error, "%s: %s", r->name, why.text);
    case CHECK: return kerr_checks_parse(value, &checks, &why) || refuse(error, "%s: %s", r->name, why.text);
    case FAST: return kerr_fast_parse(value, &checks, &why) || refuse(error, "%s: %s", r->name, why.text);
    case SHAPE:
        return kerr_harvesting_by_name(value, &shape) ||
               refuse(error, "%s=%.32s: not p150, p100 or full, with masks behind it such as ,tensix=0x3000", r->name,
                      value);
    case TEXT: break;
    }
    return true;
}

static bool check_one(const char *text, kerr_text_error *error)
{
    const size_t length = strcspn(text, "=");
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (strlen(rows[i].name) == length && memcmp(rows[i].name, text, length) == 0) {
            return check_value(&rows[i], text + length + (text[length] == '='), error);
        }
    }
    return is_ours(text, length) || refuse_name(text, length, error);
}

bool kerr_environment_check(kerr_text_error *error)
{
    for (char **at = environ; at != NULL && *at != NULL; at++) {
        if (strncmp(*at, prefix, PREFIX) == 0 && !check_one(*at, error)) {
            return false;
        }
    }
    return true;
}

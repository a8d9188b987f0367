/* SPDX-License-Identifier: Apache-2.0 */
/* Policies and checks as people write them: --policy, --check, KERR_POLICY, KERR_CHECK; and names that are almost right. */
#include "chip/chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

_Static_assert((int)FINDING_KINDS <= (int)KERR_FINDING_KINDS_MAX, "every kind has a place");

enum { NAME_MAX_BYTES = 32 };
#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

void kerr_policies_init(kerr_policies *policies)
{
    if (policies == NULL) {
        return;
    }
    *policies = (kerr_policies){.named = {false}};
    for (unsigned i = 0; i < KERR_FINDING_KINDS_MAX; i++) {
        policies->of[i] = i < KERR_FAULT_KINDS && i != KERR_FAULT_HAZARD ? KERR_POLICY_STOP : KERR_POLICY_GO_ON;
    }
}

__attribute__((format(printf, 3, 4))) static bool refuse(kerr_text_error *error, size_t column, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        error->column = (uint32_t)column + 1;
    }
    return false;
}

/* What a message ends in if there is a name that is almost the one given. */
static const char *meant(char *text, size_t size, const char *near)
{
    text[0] = '\0';
    if (near != NULL) {
        snprintf(text, size, "; did you mean '%s'?", near);
    }
    return text;
}

static bool policy_by_name(const char *name, kerr_policy *policy)
{
    static const struct {
        const char *name;
        kerr_policy policy;
    } names[] = {{"stop", KERR_POLICY_STOP},    {"strict", KERR_POLICY_STOP},   {"go-on", KERR_POLICY_GO_ON},
                 {"report", KERR_POLICY_GO_ON}, {"ignore", KERR_POLICY_IGNORE}, {"card", KERR_POLICY_IGNORE}};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcasecmp(name, names[i].name) == 0) {
            *policy = names[i].policy;
            return true;
        }
    }
    return false;
}

/* What card means for a kind: silence only where the hardware's answer is known. */
static kerr_policy as_card(unsigned kind)
{
    switch (kind) {
    case KERR_FAULT_UNIMPLEMENTED:
    case KERR_FAULT_UNKNOWN:
    case KERR_FAULT_DEADLOCK:
    case KERR_FAULT_TIMEOUT: return KERR_POLICY_GO_ON;
    default: return KERR_POLICY_IGNORE;
    }
}

static bool set_all(kerr_policies *p, const char *word)
{
    const bool card = strcasecmp(word, "card") == 0, report = strcasecmp(word, "report") == 0;
    if (!card && !report && strcasecmp(word, "strict") != 0) {
        return false;
    }
    for (unsigned i = 0; i < FINDING_KINDS; i++) {
        const bool stops = i == KERR_FAULT_INTERNAL || (!card && !report);
        p->of[i] = stops ? KERR_POLICY_STOP : card ? as_card(i) : KERR_POLICY_GO_ON;
        p->named[i] = false;
    }
    return true;
}

static bool kind_by_name(const char *name, kerr_finding_kind *kind)
{
    for (uint32_t i = 0; i < FINDING_KINDS; i++) {
        if (strcasecmp(name, kerr_finding_name(i)) == 0) {
            *kind = i;
            return true;
        }
    }
    return false;
}

/* One piece between commas; value is behind its =, or NULL. */
static bool set_one(kerr_policies *p, const char *name, const char *value, size_t column, kerr_text_error *error)
{
    kerr_policy policy;
    kerr_finding_kind kind;
    if (value == NULL) {
        static const char *const names[] = {"card", "report", "strict"};
        char near[64];
        return set_all(p, name) ||
               refuse(error, column,
                      "'%s' is no policy: card, report, strict, or KIND=stop, KIND=go-on or KIND=ignore%s", name,
                      meant(near, sizeof near, kerr_name_near(name, names, COUNT_OF(names))));
    }
    if (!policy_by_name(value, &policy)) {
        static const char *const names[] = {"stop", "go-on", "ignore", "strict", "report", "card"};
        char near[64];
        return refuse(error, column, "'%s=%s' is no policy: write kind=stop, kind=go-on or kind=ignore%s", name, value,
                      meant(near, sizeof near, kerr_name_near(value, names, COUNT_OF(names))));
    }
    if (strcasecmp(name, "all") == 0) {
        for (unsigned i = 0; i < FINDING_KINDS; i++) {
            p->of[i] = policy;
            p->named[i] = true;
        }
        return true;
    }
    if (!kind_by_name(name, &kind)) {
        char near[64];
        return refuse(error, column, "'%s' is no kind of finding (kerr explain lists them)%s", name,
                      meant(near, sizeof near, kerr_finding_near(name)));
    }
    p->of[kind] = policy;
    p->named[kind] = true;
    return true;
}

/* The next piece of a list with commas, in two parts if there is a = in it. */
typedef struct piece {
    char name[NAME_MAX_BYTES], value[NAME_MAX_BYTES];
    bool has_value;
} piece;

static bool cut(const char *from, size_t length, char to[NAME_MAX_BYTES])
{
    const bool fits = length < NAME_MAX_BYTES;
    memcpy(to, from, fits ? length : NAME_MAX_BYTES - 1);
    to[fits ? length : NAME_MAX_BYTES - 1] = '\0';
    return fits;
}

static bool next_piece(const char *text, size_t *at, piece *p, kerr_text_error *error)
{
    const size_t length = strcspn(text + *at, ",");
    const char *begin = text + *at, *equals = memchr(begin, '=', length);
    const size_t name = equals != NULL ? (size_t)(equals - begin) : length;
    p->has_value = equals != NULL;
    p->value[0] = '\0';
    const bool fits = cut(begin, name, p->name) && (equals == NULL || cut(equals + 1, length - name - 1, p->value));
    if (length == 0) {
        return refuse(error, *at, "there is nothing in it, or between two commas");
    }
    if (!fits) {
        return refuse(error, *at, "'%.31s...' is too long for a name", begin);
    }
    *at += length;
    return true;
}

bool kerr_policies_parse(kerr_policies *policies, const char *text, kerr_text_error *error)
{
    if (policies == NULL || text == NULL) {
        return refuse(error, 0, "there is nothing");
    }
    kerr_policies made = *policies;
    for (size_t at = 0;; at++) {
        const size_t begin = at;
        piece p;
        if (!next_piece(text, &at, &p, error) || !set_one(&made, p.name, p.has_value ? p.value : NULL, begin, error)) {
            return false;
        }
        if (text[at] == '\0') {
            break;
        }
    }
    *policies = made;
    return true;
}

bool kerr_checks_parse(const char *text, uint32_t *checks, kerr_text_error *error)
{
    static const struct {
        const char *name;
        uint32_t mask;
    } names[] = {{"memory", KERR_CHECK_MEMORY | KERR_CHECK_HISTORY},
                 {"sync", KERR_CHECK_SYNC | KERR_CHECK_HISTORY},
                 {"hazard", KERR_CHECK_HAZARD | KERR_CHECK_HISTORY},
                 {"history", KERR_CHECK_HISTORY},
                 {"all", KERR_CHECK_ALL},
                 {"none", 0}};
    uint32_t mask = 0;
    if (text == NULL || checks == NULL) {
        return refuse(error, 0, "there is nothing");
    }
    for (size_t at = 0;; at++) {
        const size_t begin = at;
        piece p;
        unsigned i = 0;
        if (!next_piece(text, &at, &p, error)) {
            return false;
        }
        while (i < sizeof names / sizeof *names && (p.has_value || strcasecmp(p.name, names[i].name) != 0)) {
            i++;
        }
        if (i == sizeof names / sizeof *names) {
            static const char *const known[] = {"memory", "sync", "hazard", "history", "all", "none"};
            char near[64];
            return refuse(error, begin, "'%s' is no check: memory, sync, hazard, history or all%s", p.name,
                          meant(near, sizeof near, kerr_name_near(p.name, known, COUNT_OF(known))));
        }
        mask |= names[i].mask;
        if (text[at] == '\0') {
            break;
        }
    }
    *checks = mask;
    return true;
}

kerr_status kerr_set_policies(kerr_chip *chip, const kerr_policies *policies)
{
    if (chip == NULL || policies == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    const bool hazards = (chip->environment.checks & KERR_CHECK_HAZARD) != 0;
    for (uint32_t i = 0; i < FINDING_KINDS; i++) {
        const bool unlooked = i == KERR_FAULT_HAZARD && !hazards && !policies->named[i];
        const kerr_status status = kerr_set_finding_policy(chip, i, unlooked ? KERR_POLICY_IGNORE : policies->of[i]);
        if (status != KERR_OK) {
            return status;
        }
    }
    return KERR_OK;
}

/* ---- Names that are almost right -------------------------------------------------------------------------- */

static unsigned least(unsigned a, unsigned b, unsigned c)
{
    const unsigned ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* Letters to change, add or take away; of names that are too long more than any. */
static unsigned distance(const char *a, const char *b)
{
    unsigned row[NAME_MAX_BYTES + 1];
    const size_t n = strlen(a), m = strlen(b);
    if (n > NAME_MAX_BYTES || m > NAME_MAX_BYTES) {
        return UINT32_MAX;
    }
    for (unsigned j = 0; j <= m; j++) {
        row[j] = j;
    }
    for (unsigned i = 1; i <= n; i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= m; j++) {
            const unsigned above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, corner + (strncasecmp(&a[i - 1], &b[j - 1], 1) != 0));
            corner = above;
        }
    }
    return row[m];
}

const char *kerr_name_near(const char *name, const char *const *names, size_t count)
{
    const char *found = NULL;
    unsigned best = UINT32_MAX;
    const size_t length = name != NULL ? strlen(name) : 0;
    for (size_t i = 0; length != 0 && i < count; i++) {
        /* The beginning of a name counts as a slip. */
        const bool begins = length >= 3 && strncasecmp(names[i], name, length) == 0;
        const unsigned slips = begins ? 1 : distance(name, names[i]);
        if (slips < best) {
            best = slips;
            found = names[i];
        }
    }
    /* A name that keeps none of its letters is another one. */
    return found != NULL && best <= 1 + strlen(found) / 3 && best < strlen(found) ? found : NULL;
}

const char *kerr_finding_near(const char *name)
{
    const char *names[KERR_FINDING_KINDS_MAX];
    for (uint32_t i = 0; i < FINDING_KINDS; i++) {
        names[i] = kerr_finding_name(i);
    }
    return kerr_name_near(name, names, FINDING_KINDS);
}

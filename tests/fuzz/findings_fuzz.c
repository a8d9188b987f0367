/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: policies and checks as text, and findings of any content as lines for people and of JSON.  Nothing crashes, a
 * refused text changes nothing and is told of with a column inside it, an accepted one can be set, and JSON is well formed
 * whatever names and numbers are in it and however short the buffer is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../tools/findings.h"
#include "kerr_findings.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool truth, const char *what)
{
    if (!truth) {
        (void)fprintf(stderr, "findings_fuzz: %s\n", what);
        abort();
    }
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

static void try_policies(kerr_chip *chip, const char *text)
{
    kerr_policies before, after;
    kerr_text_error error = {.column = 0};
    kerr_policies_init(&before);
    after = before;
    if (!kerr_policies_parse(&after, text, &error)) {
        require(memcmp(&before, &after, sizeof before) == 0, "a refused policy has changed something");
        require(error.column >= 1 && error.column <= strlen(text) + 1, "a column outside the text");
        require(memchr(error.text, '\0', sizeof error.text) != NULL && error.text[0] != '\0', "no sentence");
        return;
    }
    kerr_policies again = after;
    require(kerr_policies_parse(&again, text, NULL) && memcmp(&again, &after, sizeof after) == 0,
            "the same policy twice is another one");
    require(kerr_set_policies(chip, &after) == KERR_OK, "a policy that was accepted cannot be set");
}

static void try_checks(const char *text)
{
    uint32_t checks = 12345;
    kerr_text_error error = {.column = 0};
    if (kerr_checks_parse(text, &checks, &error)) {
        require((checks & ~(uint32_t)KERR_CHECK_ALL) == 0, "a check that does not exist");
    } else {
        require(checks == 12345 && error.column >= 1 && error.column <= strlen(text) + 1, "a refused check");
    }
}

/* ---- JSON ---------------------------------------------------------------------------------------------------------- */

/* Reads one value; NULL if it is none.  Numbers are plain here. */
static const char *value(const char *at, unsigned depth);

static const char *string(const char *at)
{
    if (*at++ != '"') {
        return NULL;
    }
    for (; *at != '"'; at++) {
        if ((unsigned char)*at < 0x20) {
            return NULL; /* the end, too */
        }
        if (*at == '\\') {
            at++;
            const bool unicode = *at == 'u';
            if (!unicode && *at != '"' && *at != '\\') {
                return NULL;
            }
            for (unsigned i = 0; unicode && i < 4; i++) {
                if (strchr("0123456789abcdef", *++at) == NULL || *at == '\0') {
                    return NULL;
                }
            }
        }
    }
    return at + 1;
}

static const char *sequence(const char *at, char end, bool keys, unsigned depth)
{
    if (*++at == end) {
        return at + 1;
    }
    for (;; at++) {
        if (keys) {
            at = string(at);
            if (at == NULL || *at++ != ':') {
                return NULL;
            }
        }
        at = value(at, depth + 1);
        if (at == NULL || (*at != ',' && *at != end)) {
            return NULL;
        }
        if (*at == end) {
            return at + 1;
        }
    }
}

static const char *value(const char *at, unsigned depth)
{
    static const char *const words[] = {"true", "false", "null"};
    if (depth > 4) {
        return NULL;
    }
    if (*at == '{' || *at == '[') {
        return sequence(at, *at == '{' ? '}' : ']', *at == '{', depth);
    }
    if (*at == '"') {
        return string(at);
    }
    for (unsigned i = 0; i < 3; i++) {
        if (strncmp(at, words[i], strlen(words[i])) == 0) {
            return at + strlen(words[i]);
        }
    }
    const size_t digits = strspn(at, "0123456789");
    return digits > 0 ? at + digits : NULL;
}

typedef struct bytes {
    const uint8_t *at;
    size_t left;
    char name[300];
} bytes;

static void take(bytes *b, void *to, size_t size)
{
    const size_t n = size < b->left ? size : b->left;
    memset(to, 0, size);
    memcpy(to, b->at, n);
    b->at += n;
    b->left -= n;
}

static uint8_t byte(bytes *b)
{
    uint8_t one;
    take(b, &one, 1);
    return one;
}

static void give_place(void *context, kerr_xy tile, int core, uint32_t pc, kerr_place *place)
{
    bytes *b = context;
    const uint8_t which = byte(b);
    (void)tile, (void)core, (void)pc;
    take(b, b->name, byte(b));
    b->name[sizeof b->name - 1] = '\0';
    place->function = which & 1 ? b->name : NULL;
    place->file = which & 2 ? b->name : NULL;
    place->program = which & 4 ? b->name : NULL;
    place->from = which & 16 ? b->name : NULL;
    place->from_line = (int)which - 64;
    place->line = (int)(which & 8 ? (uint32_t)which << 20 : 0) - 100;
}

/* Any bytes, but what the library itself makes sure of. */
static void make_finding(bytes *b, kerr_finding *f, char manual[32])
{
    take(b, f, sizeof *f);
    take(b, manual, 31);
    manual[31] = '\0';
    f->kind %= kerr_finding_kinds();
    f->severity = (kerr_severity)((unsigned)f->severity % 3);
    f->field = byte(b) & 1 ? manual : NULL;
    f->manual = byte(b) & 1 ? manual : NULL;
    f->stopping = byte(b) & 1;
    f->access.is_write = byte(b) & 1;
    f->other.is_write = byte(b) & 1;
    f->history_count %= KERR_HISTORY + 1;
}

static void try_finding(const uint8_t *data, size_t size)
{
    static char line[KERR_FINDING_JSON_MAX], part[KERR_FINDING_JSON_MAX];
    bytes b = {.at = data, .left = size};
    char manual[32];
    kerr_finding f;
    make_finding(&b, &f, manual);
    bytes names = b, names_again = b;
    const size_t n = kerr_finding_json(&f, give_place, &names, line, sizeof line);
    if (n < sizeof line) {
        const char *end = value(line, 0);
        require(end != NULL && *end == '\0' && strlen(line) == n, "not well-formed JSON");
    }
    const size_t room = b.left % sizeof part;
    require(kerr_finding_json(&f, give_place, &names_again, room > 0 ? part : NULL, room) == n &&
                (room == 0 || (strlen(part) < room && strncmp(part, line, strlen(part)) == 0)),
            "a short buffer gets something else");
    const size_t length = kerr_finding_format(&f, line, sizeof line);
    require(length < sizeof line && strlen(line) == length, "the line for people");
    names = b;
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere != NULL) {
        finding_details(nowhere, "", &f, &(place_source){.fn = give_place, .context = &names});
        (void)fclose(nowhere);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static kerr_chip *chip;
    if (chip == NULL) {
        require(kerr_create(NULL, &chip) == KERR_OK, "create");
    }
    if (size > 0 && data[0] & 1) {
        try_finding(data + 1, size - 1);
        return 0;
    }
    char *text = malloc(size + 1);
    require(text != NULL, "memory");
    memcpy(text, data, size);
    text[size] = '\0';
    try_policies(chip, size > 0 ? text + 1 : text);
    try_checks(size > 0 ? text + 1 : text);
    (void)kerr_finding_near(text);
    free(text);
    return 0;
}

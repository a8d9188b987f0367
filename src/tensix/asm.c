/* SPDX-License-Identifier: Apache-2.0 */
/* Text to Tensix words; the table is isa/tensix.isa.  Assignments are read first and placed after: which fields there are
 * may depend on the value of one of them (tensix_form_of). */
#include "tensix/text.h"

#include "tensix_isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ASSIGNMENTS_MAX = 32, FIELD_LIST_SIZE = 96 };

typedef struct assignment {
    const char *name;
    size_t length;
    int64_t value;
    bool used;
} assignment;

typedef struct reader {
    const char *text, *at;
    tensix_text_error *error;
    assignment list[ASSIGNMENTS_MAX];
    unsigned count;
} reader;

/* Always false, so that `return refuse(...)` reads well. */
__attribute__((format(printf, 3, 4))) static bool refuse(const reader *r, const char *where, const char *format, ...)
{
    va_list arguments;
    r->error->column = (uint32_t)(where - r->text) + 1;
    va_start(arguments, format);
    (void)vsnprintf(r->error->text, sizeof r->error->text, format, arguments);
    va_end(arguments);
    return false;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_';
}

static void skip_blanks(reader *r)
{
    while (is_blank(*r->at)) {
        r->at++;
    }
}

/* How much of the text a message quotes. */
static int quoted(size_t length)
{
    return length < 40 ? (int)length : 40;
}

static size_t name_length(const char *at)
{
    size_t length = 0;
    while (is_name(at[length])) {
        length++;
    }
    return length;
}

static int digit_of(char c)
{
    return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Decimal or 0x hexadecimal of at most 32 bits, with a sign if there is one. */
static bool read_number(reader *r, int64_t *value)
{
    const char *start = r->at;
    const bool negative = *r->at == '-';
    if (*r->at == '-' || *r->at == '+') {
        r->at++;
    }
    const bool hexadecimal = r->at[0] == '0' && (r->at[1] == 'x' || r->at[1] == 'X');
    const int base = hexadecimal ? 16 : 10;
    r->at += hexadecimal ? 2 : 0;
    int64_t sum = 0;
    const char *first = r->at;
    for (; digit_of(*r->at) < base; r->at++) {
        sum = sum * base + digit_of(*r->at);
        if (sum > UINT32_MAX) {
            return refuse(r, start, "number is larger than 32 bits");
        }
    }
    if (r->at == first || is_name(*r->at)) {
        return refuse(r, start, "'%.*s' is not a number", quoted(strcspn(start, " \t,")), start);
    }
    *value = negative ? -sum : sum;
    return true;
}

static bool read_assignment(reader *r)
{
    const char *name = r->at;
    const size_t length = name_length(name);
    if (length == 0 || is_digit(*name)) {
        return refuse(r, name, "expected FIELD=VALUE");
    }
    for (unsigned i = 0; i < r->count; i++) {
        if (r->list[i].length == length && memcmp(r->list[i].name, name, length) == 0) {
            return refuse(r, name, "%.*s is given twice", quoted(length), name);
        }
    }
    if (r->count == ASSIGNMENTS_MAX) {
        return refuse(r, name, "more than %d fields", ASSIGNMENTS_MAX);
    }
    r->at += length;
    skip_blanks(r);
    if (*r->at != '=') {
        return refuse(r, r->at, "expected '=' and a value after %.*s", quoted(length), name);
    }
    r->at++;
    skip_blanks(r);
    assignment *made = &r->list[r->count];
    *made = (assignment){.name = name, .length = length};
    if (!read_number(r, &made->value)) {
        return false;
    }
    r->count++;
    return true;
}

static bool read_assignments(reader *r)
{
    skip_blanks(r);
    while (*r->at != '\0') {
        if (!read_assignment(r)) {
            return false;
        }
        skip_blanks(r);
        if (*r->at == '\0') {
            break;
        }
        if (*r->at != ',') {
            return refuse(r, r->at, "expected ',' or the end");
        }
        r->at++;
        skip_blanks(r);
        if (*r->at == '\0') {
            return refuse(r, r->at, "expected FIELD=VALUE after ','");
        }
    }
    return true;
}

static assignment *find(reader *r, const char *name)
{
    for (unsigned i = 0; i < r->count; i++) {
        if (r->list[i].length == strlen(name) && memcmp(r->list[i].name, name, r->list[i].length) == 0) {
            return &r->list[i];
        }
    }
    return NULL;
}

static uint32_t field_mask(const struct tensix_field *field)
{
    return ((1u << (field->hi - field->lo + 1)) - 1) << field->lo;
}

/* Puts a value into the word, if it fits. */
static bool place(reader *r, const struct tensix_field *field, assignment *from, uint32_t *word)
{
    const unsigned width = field->hi - field->lo + 1u;
    const int64_t least = field->is_signed ? -(INT64_C(1) << (width - 1)) : 0;
    const int64_t most = (INT64_C(1) << (field->is_signed ? width - 1 : width)) - 1;
    if (from->value < least || from->value > most) {
        return refuse(r, from->name, "%s=%" PRId64 " is out of range: %" PRId64 " to %" PRId64, field->name,
                      from->value, least, most);
    }
    *word |= (uint32_t)from->value << field->lo & field_mask(field);
    from->used = true;
    return true;
}

static bool place_all(reader *r, const struct tensix_form *form, uint32_t *word)
{
    uint32_t reserved = 0;
    for (unsigned i = 0; i < form->count; i++) {
        const struct tensix_field *field = &tensix_fields[form->first + i];
        assignment *from = field->is_reserved ? NULL : find(r, field->name);
        reserved |= field->is_reserved ? field_mask(field) : 0;
        if (from != NULL && !place(r, field, from, word)) {
            return false;
        }
    }
    assignment *from = find(r, "reserved");
    if (from != NULL) {
        if (from->value < 0 || (from->value & ~(int64_t)reserved) != 0) {
            return refuse(r, from->name, "reserved=0x%" PRIx64 " has bits that are not reserved (0x%" PRIx32 " are)",
                          (uint64_t)from->value, reserved);
        }
        *word |= (uint32_t)from->value;
        from->used = true;
    }
    return true;
}

/* The value under which a form holds, as "FIELD=VALUE", for messages. */
static void form_text(const struct tensix_op_info *info, const struct tensix_form *form,
                      char text[static FIELD_LIST_SIZE])
{
    const struct tensix_form *base = &tensix_forms[info->first_form];
    for (unsigned i = 0; i < base->count; i++) {
        const struct tensix_field *field = &tensix_fields[base->first + i];
        if (field->hi == form->selector_hi && field->lo == form->selector_lo) {
            (void)snprintf(text, FIELD_LIST_SIZE, "%s=%u", field->name, form->selector_value);
        }
    }
}

/* Why a name is not a field of the form: it is one of another form, or of none. */
static bool refuse_name(const reader *r, const struct tensix_op_info *info, const assignment *from)
{
    char list[FIELD_LIST_SIZE] = "";
    const struct tensix_form *forms = &tensix_forms[info->first_form];
    for (unsigned f = 0; f < info->form_count; f++) {
        for (unsigned i = 0; i < forms[f].count; i++) {
            const struct tensix_field *field = &tensix_fields[forms[f].first + i];
            if (!field->is_reserved && strlen(field->name) == from->length &&
                memcmp(field->name, from->name, from->length) == 0) {
                form_text(info, &forms[f > 0 ? f : 1], list);
                return refuse(r, from->name, "%s has %s only %s %s", info->name, field->name,
                              f > 0 ? "with" : "without", list);
            }
        }
    }
    size_t used = 0;
    for (unsigned i = 0; i < forms[0].count && used < sizeof list; i++) {
        const struct tensix_field *field = &tensix_fields[forms[0].first + i];
        if (!field->is_reserved) {
            const int length = snprintf(list + used, sizeof list - used, "%s%s", used > 0 ? ", " : "", field->name);
            used += (size_t)length;
        }
    }
    return refuse(r, from->name, "%s has no field '%.*s'; it has %s%s", info->name, quoted(from->length), from->name,
                  used == 0 ? "none" : list, used >= sizeof list ? "..." : "");
}

static bool assemble_named(reader *r, const struct tensix_op_info *info, uint32_t *word)
{
    if (!read_assignments(r)) {
        return false;
    }
    /* The field that selects a form has the same name in all of them. */
    const struct tensix_form *forms = &tensix_forms[info->first_form], *form = &forms[0];
    for (unsigned f = 1; f < info->form_count; f++) {
        char text[FIELD_LIST_SIZE] = "";
        form_text(info, &forms[f], text);
        *strchr(text, '=') = '\0';
        const assignment *selector = find(r, text);
        if (selector != NULL && selector->value == forms[f].selector_value) {
            form = &forms[f];
        }
    }
    uint32_t made = (uint32_t)info->opcode << 24;
    if (!place_all(r, form, &made)) {
        return false;
    }
    for (unsigned i = 0; i < r->count; i++) {
        if (!r->list[i].used) {
            return refuse_name(r, info, &r->list[i]);
        }
    }
    *word = made;
    return true;
}

/* ".word NUMBER": any word, also one that is no instruction. */
static bool assemble_word(reader *r, uint32_t *word)
{
    int64_t value = 0;
    skip_blanks(r);
    const char *start = r->at;
    if (!read_number(r, &value)) {
        return false;
    }
    skip_blanks(r);
    if (*r->at != '\0') {
        return refuse(r, r->at, "expected the end");
    }
    if (value < 0) {
        return refuse(r, start, "a word is not negative");
    }
    *word = (uint32_t)value;
    return true;
}

bool tensix_assemble(const char *text, uint32_t *word, tensix_text_error *error)
{
    reader r = {.text = text, .at = text, .error = error};
    skip_blanks(&r);
    if (strncmp(r.at, ".word", 5) == 0 && is_blank(r.at[5])) {
        r.at += 5;
        return assemble_word(&r, word);
    }
    const char *name = r.at;
    const size_t length = name_length(name);
    if (length == 0) {
        return refuse(&r, name, "expected an instruction");
    }
    for (unsigned op = 0; op < TENSIX_OP_COUNT; op++) {
        const struct tensix_op_info *info = &tensix_ops[op];
        if (strlen(info->name) == length && memcmp(info->name, name, length) == 0) {
            r.at += length;
            if (*r.at != '\0' && !is_blank(*r.at)) {
                return refuse(&r, r.at, "expected a blank after %s", info->name);
            }
            return assemble_named(&r, info, word);
        }
    }
    return refuse(&r, name, "there is no instruction '%.*s'", quoted(length), name);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tensix words to text; the table is isa/tensix.isa. */
#include "tensix/text.h"

#include "tensix_isa.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

typedef struct text_out {
    char *buffer;
    size_t size, used;
} text_out;

__attribute__((format(printf, 2, 3))) static void put(text_out *out, const char *format, ...)
{
    if (out->used >= out->size) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(out->buffer + out->used, out->size - out->used, format, arguments);
    va_end(arguments);
    out->used += length > 0 ? (size_t)length : 0;
}

static void put_field(text_out *out, const struct tensix_field *field, uint32_t word, const char *separator)
{
    const unsigned width = field->hi - field->lo + 1u;
    const uint32_t value = word >> field->lo & ((1u << width) - 1);
    if (value == 0) {
        return;
    }
    put(out, "%s%s=", separator, field->name);
    if (field->is_signed) {
        put(out, "%" PRId32, (int32_t)(value << (32 - width)) >> (32 - width));
    } else if (value < 10) {
        put(out, "%" PRIu32, value);
    } else {
        put(out, "0x%" PRIx32, value);
    }
}

bool tensix_disassemble(uint32_t word, char *buffer, size_t size)
{
    text_out out = {buffer, size, 0};
    const uint8_t op = tensix_op_of[word >> 24];
    if (op == TENSIX_ILLEGAL) {
        put(&out, ".word 0x%08" PRIx32, word);
        return false;
    }
    const struct tensix_op_info *info = &tensix_ops[op];
    const struct tensix_form *form = tensix_form_of(info, word);
    put(&out, "%s", info->name);
    const size_t bare = out.used;
    for (unsigned i = 0; i < form->count; i++) {
        const struct tensix_field *field = &tensix_fields[form->first + i];
        if (!field->is_reserved) {
            put_field(&out, field, word, out.used == bare ? " " : ", ");
        }
    }
    const uint32_t reserved = tensix_reserved_set(word);
    if (reserved != 0) {
        put(&out, "%sreserved=0x%" PRIx32, out.used == bare ? " " : ", ", reserved);
    }
    return true;
}

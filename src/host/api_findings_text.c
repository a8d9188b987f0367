/* SPDX-License-Identifier: Apache-2.0 */
/* Findings as a line for people and as a line of JSON for programs (docs/findings/README.md has the schema). */
#include "chip/chip.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Text into a buffer that may be too short: counts on. */
typedef struct sink {
    char *buffer;
    size_t size, length;
} sink;

__attribute__((format(printf, 2, 3))) static void put(sink *s, const char *format, ...)
{
    const size_t used = s->length < s->size ? s->length : s->size;
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(s->size > used ? s->buffer + used : NULL, s->size - used, format, arguments);
    va_end(arguments);
    s->length += n > 0 ? (size_t)n : 0;
}

/* ---- Who and what -------------------------------------------------------------------------------------------- */

static const char *core_name(const kerr_access *a)
{
    return a->core >= 0 ? kerr_core_name_of(kerr_tile_kind_at(a->tile), (kerr_core)a->core) : "?";
}

static void put_actor(sink *s, const kerr_access *a)
{
    switch (a->actor) {
    case KERR_ACTOR_CORE: put(s, "%s", core_name(a)); break;
    case KERR_ACTOR_THREAD: put(s, "Tensix T%u", a->thread); break;
    case KERR_ACTOR_NOC:
        put(s, "NoC %u transaction of", a->noc);
        if (a->core >= 0) {
            put(s, " %s of", core_name(a));
        }
        put(s, " tile (%u,%u)", a->tile.x, a->tile.y);
        break;
    case KERR_ACTOR_HOST: put(s, "the host"); break;
    case KERR_ACTOR_DEVICE: put(s, "a device"); break;
    default: put(s, "somebody"); break;
    }
}

/* Whether the instruction is one of the coprocessor; of a NoC transaction it is the core's. */
static bool is_tensix(const kerr_access *a)
{
    return a->actor == KERR_ACTOR_THREAD;
}

static bool has_code(const kerr_access *a)
{
    return a->actor == KERR_ACTOR_THREAD || (a->core >= 0 && (a->actor == KERR_ACTOR_CORE || a->pc != 0));
}

static void disassemble(bool tensix, uint32_t word, uint32_t pc, char *text, size_t size)
{
    uint32_t pushed;
    if (tensix) {
        (void)kerr_disassemble_tensix(word, text, size);
    } else if (kerr_is_ttinsn(word, &pushed)) {
        char inner[KERR_INSTRUCTION_TEXT_MAX];
        (void)kerr_disassemble_tensix(pushed, inner, sizeof inner);
        snprintf(text, size, ".ttinsn %s", inner);
    } else {
        (void)kerr_disassemble_riscv(word, pc, text, size);
    }
}

static void put_code(sink *s, const kerr_access *a)
{
    char text[KERR_INSTRUCTION_TEXT_MAX + 16];
    if (is_tensix(a)) {
        put(s, " pushed by %s at pc 0x%05" PRIx32, core_name(a), a->pc);
    } else if (has_code(a)) {
        put(s, " pc 0x%05" PRIx32, a->pc);
    }
    if (a->instruction != 0) {
        disassemble(is_tensix(a), a->instruction, a->pc, text, sizeof text);
        put(s, ": %s", text);
    }
}

size_t kerr_access_format(const kerr_access *access, char *buffer, size_t size)
{
    sink s = {buffer, size, 0};
    if (access == NULL || access->actor == KERR_ACTOR_NONE) {
        return 0;
    }
    put_actor(&s, access);
    put(&s, " cycle %" PRIu64, access->cycle);
    put_code(&s, access);
    if (access->size != 0) {
        put(&s, ": %s %" PRIu32 " at 0x%" PRIx32, access->is_write ? "writes" : "reads", access->size, access->address);
    }
    return s.length;
}

/* Back to what kerr_fault_format takes. */
static size_t format_fault(const kerr_finding *f, char *buffer, size_t size)
{
    kerr_fault fault = {.kind = (kerr_fault_kind)f->kind,
                        .stopping = f->stopping,
                        .tile = f->tile,
                        .core = f->access.actor != KERR_ACTOR_NOC ? f->access.core : -1,
                        .asker = f->access.actor != KERR_ACTOR_HOST ? 0u
                                 : f->access.is_write               ? (unsigned)KERR_ASKER_HOST
                                                                    : (unsigned)KERR_ASKER_HOST_READ,
                        .thread = f->access.actor == KERR_ACTOR_THREAD ? (uint8_t)(f->access.thread + 1) : 0,
                        .pc = f->access.pc,
                        .instruction = f->access.instruction,
                        .address = f->access.address,
                        .cycle = f->access.cycle,
                        .manual = f->manual};
    snprintf(fault.text, sizeof fault.text, "%.*s", (int)sizeof fault.text - 1, f->text);
    return kerr_fault_format(&fault, buffer, size);
}

size_t kerr_finding_format(const kerr_finding *finding, char *buffer, size_t size)
{
    sink s = {buffer, size, 0};
    if (finding == NULL || finding->kind >= FINDING_KINDS) {
        return 0;
    }
    if (finding->kind < KERR_FAULT_KINDS) {
        return format_fault(finding, buffer, size);
    }
    put(&s, "tile (%u,%u) ", finding->tile.x, finding->tile.y);
    put_actor(&s, &finding->access);
    put(&s, " cycle %" PRIu64, finding->access.cycle);
    if (is_tensix(&finding->access)) {
        put(&s, " %08" PRIx32 " pushed by %s at pc 0x%05" PRIx32, finding->access.instruction,
            core_name(&finding->access), finding->access.pc);
    } else if (has_code(&finding->access)) {
        put(&s, " pc 0x%05" PRIx32, finding->access.pc);
    }
    put(&s, ": %s: %.*s", kerr_finding_name(finding->kind), (int)sizeof finding->text - 1, finding->text);
    if (finding->manual != NULL) {
        put(&s, " [manual %s]", finding->manual);
    }
    if (finding->times > 1) {
        put(&s, " (%" PRIu32 " times)", finding->times);
    }
    return s.length;
}

/* ---- JSON ------------------------------------------------------------------------------------------------------- */

static size_t utf8_length(const unsigned char *at)
{
    const size_t n = at[0] < 0x80 ? 1 : at[0] < 0xC2 ? 0 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF5 ? 4 : 0;
    for (size_t i = 1; i < n; i++) {
        if ((at[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return n;
}

/* A string of at most `most` bytes, or null.  Names in ELF files may hold anything: what is not UTF-8 becomes U+FFFD. */
static void put_string(sink *s, const char *text, size_t most)
{
    if (text == NULL) {
        put(s, "null");
        return;
    }
    put(s, "\"");
    char copy[1024];
    snprintf(copy, sizeof copy, "%.*s", (int)(most < sizeof copy ? most : sizeof copy - 1), text);
    const unsigned char *at = (const unsigned char *)copy;
    while (*at != '\0') {
        const size_t n = utf8_length(at);
        if (n == 0) {
            put(s, "\\ufffd");
        } else if (*at == '"' || *at == '\\') {
            put(s, "\\%c", *at);
        } else if (*at < 0x20 || *at == 0x7F) {
            put(s, "\\u%04x", *at);
        } else {
            put(s, "%.*s", (int)n, (const char *)at);
        }
        at += n == 0 ? 1 : n;
    }
    put(s, "\"");
}

static void put_number(sink *s, const char *key, uint32_t value, bool there)
{
    if (there) {
        put(s, ",\"%s\":%" PRIu32, key, value);
    } else {
        put(s, ",\"%s\":null", key);
    }
}

static void put_place(sink *s, kerr_place_fn fn, void *context, kerr_xy tile, int core, uint32_t pc, bool has_pc)
{
    kerr_place place = {.line = 0};
    if (fn != NULL && has_pc) {
        fn(context, tile, core, pc, &place);
    }
    put(s, ",\"function\":");
    put_string(s, place.function, SIZE_MAX);
    put(s, ",\"file\":");
    put_string(s, place.file, SIZE_MAX);
    put_number(s, "line", (uint32_t)place.line, place.line > 0);
    put(s, ",\"called_in\":");
    put_string(s, place.from, SIZE_MAX);
    put_number(s, "called_at", (uint32_t)place.from_line, place.from != NULL && place.from_line > 0);
    put(s, ",\"program\":");
    put_string(s, place.program, SIZE_MAX);
}

static void put_word(sink *s, const char *key, uint32_t value, bool there)
{
    if (there) {
        put(s, ",\"%s\":\"0x%08" PRIx32 "\"", key, value);
    } else {
        put(s, ",\"%s\":null", key);
    }
}

static void put_instruction(sink *s, bool tensix, uint32_t word, uint32_t pc)
{
    char text[KERR_INSTRUCTION_TEXT_MAX + 16];
    put_word(s, "instruction", word, word != 0);
    put(s, ",\"assembly\":");
    if (word != 0) {
        disassemble(tensix, word, pc, text, sizeof text);
    }
    put_string(s, word != 0 ? text : NULL, sizeof text);
}

static void put_access(sink *s, const kerr_access *a, kerr_place_fn fn, void *context)
{
    static const char *const actors[] = {"none", "core", "thread", "noc", "host", "device"};
    if (a->actor == KERR_ACTOR_NONE) {
        put(s, "null");
        return;
    }
    put(s, "{\"actor\":\"%s\",\"tile\":[%u,%u],\"core\":", a->actor <= KERR_ACTOR_DEVICE ? actors[a->actor] : "none",
        a->tile.x, a->tile.y);
    put_string(s, a->core >= 0 ? core_name(a) : NULL, 8);
    put_number(s, "thread", a->thread, is_tensix(a));
    put(s, ",\"unit\":");
    put_string(s, is_tensix(a) && a->unit < KERR_UNIT_COUNT ? kerr_tensix_unit_name((kerr_tensix_unit)a->unit) : NULL,
               64);
    put_number(s, "noc", a->noc, a->actor == KERR_ACTOR_NOC);
    put(s, ",\"write\":%s,\"cycle\":%" PRIu64, a->is_write ? "true" : "false", a->cycle);
    put_word(s, "address", a->address, a->size != 0 || a->address != 0);
    put(s, ",\"size\":%" PRIu32, a->size);
    put_word(s, "pc", a->pc, has_code(a));
    put_instruction(s, is_tensix(a), a->instruction, a->pc);
    put_place(s, fn, context, a->tile, a->core, a->pc, has_code(a));
    put(s, "}");
}

static void put_history(sink *s, const kerr_finding *f, kerr_place_fn fn, void *context)
{
    const uint32_t count = f->history_count <= KERR_HISTORY ? f->history_count : KERR_HISTORY;
    put(s, ",\"history\":[");
    for (uint32_t i = 0; i < count; i++) {
        const kerr_step *step = &f->history[i];
        put(s, "%s{\"cycle\":%" PRIu64, i > 0 ? "," : "", step->cycle);
        put_word(s, "pc", step->pc, true);
        put_instruction(s, is_tensix(&f->access), step->instruction, step->pc);
        put_place(s, fn, context, f->access.tile, f->access.core, step->pc, true);
        put(s, "}");
    }
    put(s, "]");
}

static void put_also(sink *s, const kerr_finding *f, kerr_place_fn fn, void *context)
{
    const uint32_t count = f->also_count <= KERR_ALSO ? f->also_count : KERR_ALSO;
    put(s, ",\"also\":[");
    for (uint32_t i = 0; i < count; i++) {
        const kerr_also *a = &f->also[i];
        put(s, "%s{\"access\":{\"pc\":\"0x%08" PRIx32 "\"", i > 0 ? "," : "", a->pc);
        put_place(s, fn, context, f->access.tile, a->core, a->pc, a->core >= 0);
        put(s, "},\"other\":");
        if (f->other.actor != KERR_ACTOR_NONE) {
            put(s, "{\"pc\":\"0x%08" PRIx32 "\"", a->other_pc);
            put_place(s, fn, context, f->other.tile, a->other_core, a->other_pc, a->other_core >= 0);
            put(s, "}}");
        } else {
            put(s, "null}");
        }
    }
    put(s, "],\"also_count\":%" PRIu32, f->also_count);
}

size_t kerr_finding_json(const kerr_finding *finding, kerr_place_fn fn, void *context, char *buffer, size_t size)
{
    static const char *const severities[] = {"note", "warning", "error"};
    sink s = {buffer, size, 0};
    if (finding == NULL || finding->kind >= FINDING_KINDS) {
        return 0;
    }
    put(&s,
        "{\"id\":\"%s\",\"severity\":\"%s\",\"tile\":[%u,%u],\"cycle\":%" PRIu64 ",\"stopping\":%s,\"times\":%" PRIu32,
        kerr_finding_name(finding->kind), severities[finding->severity <= KERR_SEVERITY_ERROR ? finding->severity : 0],
        finding->tile.x, finding->tile.y, finding->access.cycle, finding->stopping ? "true" : "false", finding->times);
    put(&s, ",\"text\":");
    put_string(&s, finding->text, sizeof finding->text - 1);
    put(&s, ",\"field\":");
    put_string(&s, finding->field, 256);
    put(&s, ",\"manual\":");
    put_string(&s, finding->manual, 256);
    put(&s, ",\"access\":");
    put_access(&s, &finding->access, fn, context);
    put(&s, ",\"other\":");
    put_access(&s, &finding->other, fn, context);
    put_also(&s, finding, fn, context);
    put_history(&s, finding, fn, context);
    put(&s, "}");
    return s.length;
}

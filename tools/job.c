/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs and the forms in which the command line writes them; job_file.c reads the same from YAML. */
#include "job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void job_init(job *made)
{
    *made = (job){.every = 0};
    kerr_config_init(&made->config);
    kerr_policies_init(&made->policies);
}

void job_free_program(job_program *old)
{
    free(old->elf);
    for (size_t i = 0; i < old->idle_count; i++) {
        free(old->idle[i]);
    }
}

bool job_add_idle(job_program *to, const char *text, tool_error *error)
{
    if (to->idle_count == JOB_IDLE_MAX) {
        return tool_fail(error, "more than %d idle loops", JOB_IDLE_MAX);
    }
    to->idle[to->idle_count] = strdup(text);
    if (to->idle[to->idle_count] == NULL) {
        return tool_fail(error, "out of memory");
    }
    to->idle_count++;
    return true;
}

void job_free_preload(job_preload *old)
{
    free(old->file);
    free(old->words);
}

void job_free_dump(job_dump *old)
{
    free(old->file);
}

void job_free(job *old)
{
    for (size_t i = 0; i < old->program_count; i++) {
        job_free_program(&old->programs[i]);
    }
    for (size_t i = 0; i < old->preload_count; i++) {
        job_free_preload(&old->preloads[i]);
    }
    for (size_t i = 0; i < old->dump_count; i++) {
        job_free_dump(&old->dumps[i]);
    }
    free(old->findings);
    free(old->trace);
    free(old->report);
    free(old->save);
    free(old->save_start);
    free(old->programs);
    free(old->preloads);
    free(old->buffers);
    free(old->dumps);
    free(old->untils);
    *old = (job){.every = 0};
}

/* Makes room for one more item of a list; returns the list's new place, NULL without memory or when it is full. */
static void *grow(void *list, size_t count, size_t item_size)
{
    if (count >= JOB_LIST_MAX) {
        return NULL;
    }
    /* Lists double at powers of two. */
    if ((count & (count - 1)) != 0) {
        return list;
    }
    return realloc(list, (count == 0 ? 1 : count * 2) * item_size);
}

static bool too_many(tool_error *error)
{
    return tool_fail(error, "too many items in a list (more than %d), or out of memory", JOB_LIST_MAX);
}

bool job_push_program(job *to, const job_program *item, tool_error *error)
{
    job_program *list = grow(to->programs, to->program_count, sizeof *item);
    if (list == NULL) {
        return too_many(error);
    }
    to->programs = list;
    list[to->program_count++] = *item;
    return true;
}

bool job_push_preload(job *to, const job_preload *item, tool_error *error)
{
    job_preload *list = grow(to->preloads, to->preload_count, sizeof *item);
    if (list == NULL) {
        return too_many(error);
    }
    to->preloads = list;
    list[to->preload_count++] = *item;
    return true;
}

bool job_push_buffer(job *to, const job_buffer *item, tool_error *error)
{
    job_buffer *list = grow(to->buffers, to->buffer_count, sizeof *item);
    if (list == NULL) {
        return too_many(error);
    }
    to->buffers = list;
    list[to->buffer_count++] = *item;
    return true;
}

bool job_push_dump(job *to, const job_dump *item, tool_error *error)
{
    job_dump *list = grow(to->dumps, to->dump_count, sizeof *item);
    if (list == NULL) {
        return too_many(error);
    }
    to->dumps = list;
    list[to->dump_count++] = *item;
    return true;
}

bool job_push_until(job *to, const job_until *item, tool_error *error)
{
    job_until *list = grow(to->untils, to->until_count, sizeof *item);
    if (list == NULL) {
        return too_many(error);
    }
    to->untils = list;
    list[to->until_count++] = *item;
    return true;
}

bool job_check_word_address(uint32_t address, tool_error *error)
{
    return address % 4 == 0 || tool_fail(error, "address 0x%" PRIx32 " is not a multiple of 4", address);
}

bool job_check_format(const char *name, uint32_t *format, tool_error *error)
{
    const char *names[16];
    size_t count = 0;
    if (kerr_data_format_by_name(name, format)) {
        return true;
    }
    for (uint32_t i = 0; i < 16; i++) {
        names[count] = kerr_data_format_name(i);
        count += names[count] != NULL;
    }
    const char *near = kerr_name_near(name, names, count);
    return tool_fail(error, "'%.32s' is no number format of a buffer: bf16, bfp8 and so on%s%s%s", name,
                     near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "");
}

bool job_tell_buffers(const job *of, kerr_chip *chip, tool_error *error)
{
    for (size_t i = 0; i < of->buffer_count && (of->checks & KERR_CHECK_MEMORY); i++) {
        const job_buffer *b = &of->buffers[i];
        unsigned next = 0;
        kerr_xy tile;
        while (tile_set_next(&b->tiles, &next, &tile)) {
            const kerr_status status = kerr_tell_buffer(chip, tile, b->address, b->size, b->format);
            if (status != KERR_OK) {
                return tool_fail(error, "buffer of 0x%" PRIx64 " bytes from 0x%" PRIx64 " of tile %u,%u: %s", b->size,
                                 b->address, tile.x, tile.y, kerr_status_text(status));
            }
        }
    }
    return true;
}

bool job_check_dump_range(uint64_t address, uint64_t size, tool_error *error)
{
    uint64_t end;
    if (size == 0 || __builtin_add_overflow(address, size - 1, &end)) {
        return tool_fail(error, "0x%" PRIx64 " bytes from 0x%" PRIx64 " is no range of memory", size, address);
    }
    return true;
}

/* ---- The command line ------------------------------------------------------------------------------------ */

bool job_add_program(job *to, const char *text, tool_error *error)
{
    job_program program = {.cores = 1u << KERR_CORE_B};
    const char *equals = strchr(text, '=');
    const char *slash = strchr(text, '/');
    const char *path = text;
    if (equals != NULL && (slash == NULL || slash > equals)) {
        char *place = strndup(text, (size_t)(equals - text));
        if (place == NULL) {
            return tool_fail(error, "out of memory");
        }
        const bool ok = parse_place(place, &program.tiles, &program.cores, error);
        free(place);
        if (!ok) {
            return tool_fail_at(error, "in '%s' (TILE:CORE=PROGRAM.elf)", text);
        }
        path = equals + 1;
    } else {
        tile_set_add(&program.tiles, kerr_tensix_xy(0));
    }
    if (*path == '\0') {
        return tool_fail(error, "'%s' names no file", text);
    }
    program.elf = strdup(path);
    if (program.elf == NULL) {
        return tool_fail(error, "out of memory");
    }
    if (!job_push_program(to, &program, error)) {
        job_free_program(&program);
        return false;
    }
    return true;
}

/* Copies what stands before a separator; NULL if there is none. *rest is what follows it. */
static char *cut(const char *text, const char *separator, const char **rest)
{
    const char *found = strstr(text, separator);
    if (found == NULL) {
        return NULL;
    }
    *rest = found + strlen(separator);
    return strndup(text, (size_t)(found - text));
}

bool job_add_preload(job *to, const char *text, tool_error *error)
{
    job_preload preload = {.fill = 0};
    const char *after_tile = NULL, *file = NULL;
    char *tile = cut(text, "@", &after_tile);
    char *address = tile != NULL ? cut(after_tile, "=", &file) : NULL;
    bool ok;
    if (address == NULL || *file == '\0') {
        ok = tool_fail(error, "'%s' is not TILE@ADDRESS=FILE", text);
    } else {
        ok = parse_tiles(tile, false, &preload.tiles, error) &&
             parse_number(address, UINT64_MAX, &preload.address, error);
    }
    free(tile);
    free(address);
    if (!ok) {
        return false;
    }
    preload.file = strdup(file);
    if (preload.file == NULL || !job_push_preload(to, &preload, error)) {
        job_free_preload(&preload);
        return too_many(error);
    }
    return true;
}

bool job_add_buffer(job *to, const char *text, tool_error *error)
{
    job_buffer buffer = {.size = 0};
    const char *after_tile = NULL, *after_address = NULL, *format = NULL;
    char *tile = cut(text, "@", &after_tile);
    char *address = tile != NULL ? cut(after_tile, "+", &after_address) : NULL;
    char *size = address != NULL ? cut(after_address, "=", &format) : NULL;
    const bool ok = size == NULL ? tool_fail(error, "'%s' is not TILE@ADDRESS+SIZE=FORMAT", text)
                                 : parse_tiles(tile, true, &buffer.tiles, error) &&
                                       parse_number(address, UINT32_MAX, &buffer.address, error) &&
                                       parse_number(size, UINT32_MAX, &buffer.size, error) &&
                                       job_check_dump_range(buffer.address, buffer.size, error) &&
                                       job_check_format(format, &buffer.format, error);
    free(tile);
    free(address);
    free(size);
    return ok && job_push_buffer(to, &buffer, error);
}

/* "TILE" or "TILE:CORE" of a dump. */
static bool parse_dump_place(const char *text, job_dump *dump, tool_error *error)
{
    const char *core = NULL;
    char *tile = cut(text, ":", &core);
    if (tile == NULL) {
        return parse_tiles(text, false, &dump->tiles, error);
    }
    dump->has_core = true;
    const bool ok = parse_tiles(tile, true, &dump->tiles, error) &&
                    (kerr_core_by_name(core, &dump->core) || tool_fail(error, "'%s' is no baby core", core));
    free(tile);
    return ok;
}

bool job_dump_format_by_name(const char *name, job_dump_format *format)
{
    static const struct {
        const char *name;
        job_dump_format format;
    } known[] = {{"hex", DUMP_TO_HEX}, {"words", DUMP_TO_WORDS}, {"riscv", DUMP_TO_RISCV}, {"tensix", DUMP_TO_TENSIX}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(name, known[i].name) == 0) {
            *format = known[i].format;
            return true;
        }
    }
    return false;
}

bool job_add_dump(job *to, const char *text, tool_error *error)
{
    job_dump dump = {.format = DUMP_TO_FILE};
    const char *after_place = NULL, *after_address = NULL, *target = NULL;
    char *place = cut(text, "@", &after_place);
    char *address = place != NULL ? cut(after_place, "+", &after_address) : NULL;
    char *size = address != NULL ? cut(after_address, "=", &target) : NULL;
    bool ok;
    if (size == NULL || *target == '\0') {
        ok = tool_fail(error, "'%s' is not TILE[:CORE]@ADDRESS+SIZE=FILE (or =hex, =words, =riscv, =tensix)", text);
    } else {
        ok = parse_dump_place(place, &dump, error) &&
             parse_number(address, dump.has_core ? UINT32_MAX : UINT64_MAX, &dump.address, error) &&
             parse_number(size, UINT32_MAX, &dump.size, error) && job_check_dump_range(dump.address, dump.size, error);
    }
    free(place);
    free(address);
    free(size);
    if (!ok) {
        return false;
    }
    if (!job_dump_format_by_name(target, &dump.format)) {
        dump.file = strdup(target);
        if (dump.file == NULL) {
            return tool_fail(error, "out of memory");
        }
    }
    if (!job_push_dump(to, &dump, error)) {
        job_free_dump(&dump);
        return false;
    }
    return true;
}

/* "ADDRESS[&MASK]" of a word condition. */
static bool parse_masked(const char *text, job_until *until, tool_error *error)
{
    const char *mask = NULL;
    char *address = cut(text, "&", &mask);
    until->mask = UINT32_MAX;
    const bool ok = parse_number32(address != NULL ? address : text, &until->address, error) &&
                    (address == NULL || parse_number32(mask, &until->mask, error)) &&
                    job_check_word_address(until->address, error);
    free(address);
    return ok;
}

static bool parse_word_until(const char *tile, const char *rest, job_until *until, tool_error *error)
{
    const char *value = NULL;
    until->kind = KERR_UNTIL_WORD_EQ;
    char *masked = cut(rest, "==", &value);
    if (masked == NULL) {
        until->kind = KERR_UNTIL_WORD_NE;
        masked = cut(rest, "!=", &value);
    }
    if (masked == NULL) {
        return tool_fail(error, "'@%s' has neither == nor !=", rest);
    }
    const bool ok = parse_tiles(tile, true, &until->tiles, error) && parse_masked(masked, until, error) &&
                    parse_number32(value, &until->value, error);
    free(masked);
    return ok;
}

static bool parse_state_until(const char *text, job_until *until, tool_error *error)
{
    const char *name = NULL;
    char *place = cut(text, "=", &name);
    if (place == NULL) {
        return tool_fail(
            error, "'%s' is no condition: idle, TILE@ADDRESS==VALUE, TILE@ADDRESS!=VALUE or TILE:CORE=STATE", text);
    }
    kerr_core_state state = KERR_CORE_RUNNING;
    until->kind = KERR_UNTIL_CORE_STATE;
    const bool ok = parse_place(place, &until->tiles, &until->cores, error) &&
                    (parse_core_state(name, &state) ||
                     tool_fail(error, "'%s' is no state: reset, running, parked, waiting, halted or stopped", name));
    until->value = (uint32_t)state;
    free(place);
    return ok;
}

bool job_add_until(job *to, const char *text, tool_error *error)
{
    job_until until = {.kind = KERR_UNTIL_IDLE};
    if (strcmp(text, "idle") != 0) {
        const char *rest = NULL;
        char *tile = cut(text, "@", &rest);
        const bool ok =
            tile != NULL ? parse_word_until(tile, rest, &until, error) : parse_state_until(text, &until, error);
        free(tile);
        if (!ok) {
            return false;
        }
    }
    return job_push_until(to, &until, error);
}

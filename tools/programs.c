/* SPDX-License-Identifier: Apache-2.0 */
#include "programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool first_common_tile(const tile_set *a, const tile_set *b, kerr_xy *at)
{
    tile_set both = {{0}};
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        both.row[y] = a->row[y] & b->row[y];
    }
    unsigned index = 0;
    return tile_set_next(&both, &index, at);
}

/* Programs i and k, k before i. */
static bool check_pair(const programs *p, size_t i, size_t k, tool_error *error)
{
    const job_program *a = &p->of->programs[k], *b = &p->of->programs[i];
    kerr_xy at;
    uint32_t address;
    if (!first_common_tile(&a->tiles, &b->tiles, &at)) {
        return true;
    }
    const core_set cores = a->cores & b->cores;
    if (cores != 0) {
        return tool_fail(error, "%s and %s are both for tile %u,%u core %s", a->elf, b->elf, at.x, at.y,
                         kerr_core_name((kerr_core)__builtin_ctz(cores)));
    }
    /* The same file twice on a tile puts the same bytes in the same place. */
    if (strcmp(a->elf, b->elf) != 0 && elf_image_overlaps(&p->images[k], &p->images[i], &address)) {
        return tool_fail(error,
                         "%s and %s overlap at 0x%08" PRIx32 " in the L1 of tile %u,%u: link them to different places",
                         a->elf, b->elf, address, at.x, at.y);
    }
    return true;
}

/* One for another core has another's stack, and writes another's part of the parameter block. */
static bool check_core(const elf_image *image, const job_program *program, tool_error *error)
{
    kerr_core linked;
    const core_set others = elf_image_core(image, &linked) ? program->cores & ~(1u << linked) : 0;
    kerr_xy at = {0, 0};
    unsigned index = 0;
    if (others == 0) {
        return true;
    }
    (void)tile_set_next(&program->tiles, &index, &at);
    const char *core = kerr_core_name((kerr_core)__builtin_ctz(others)), *is_for = kerr_core_name(linked);
    return tool_fail(
        error,
        "%s: is linked for RISCV %s, and is to run on %s of tile %u,%u: compile it with kerr-cc %s, or start it with "
        "%u,%u:%s=%s",
        image->name, is_for, core, at.x, at.y, core, at.x, at.y, is_for, image->name);
}

static bool find_ends(const elf_image *image, const job_program *program, elf_ends *ends, tool_error *error)
{
    if (!elf_image_ends(image, ends, error)) {
        return false;
    }
    for (size_t i = 0; i < program->idle_count; i++) {
        bool found = false;
        if (!elf_image_add_end(image, program->idle[i], ends, &found, error)) {
            return tool_fail_at(error, "idle");
        }
        if (!found) {
            return tool_fail(error, "idle: %s: has no symbol %s", image->name, program->idle[i]);
        }
    }
    return true;
}

static bool read_all(programs *made, tool_error *error)
{
    const job *of = made->of;
    for (size_t i = 0; i < of->program_count; i++) {
        const job_program *program = &of->programs[i];
        if (!elf_image_read(&made->images[i], program->elf, error) ||
            (program->has_entry && !elf_image_check_entry(&made->images[i], program->entry, error)) ||
            !check_core(&made->images[i], program, error) ||
            !find_ends(&made->images[i], program, &made->ends[i], error)) {
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            if (!check_pair(made, i, k, error)) {
                return false;
            }
        }
    }
    return true;
}

bool programs_read(programs *made, const job *of, tool_error *error)
{
    const size_t count = of->program_count > 0 ? of->program_count : 1;
    *made = (programs){.of = of};
    made->images = calloc(count, sizeof *made->images);
    made->lines = calloc(count, sizeof *made->lines);
    made->ends = calloc(count, sizeof *made->ends);
    bool ok = made->images != NULL && made->lines != NULL && made->ends != NULL;
    ok = ok ? read_all(made, error) : tool_fail(error, "out of memory");
    if (!ok) {
        programs_free(made);
    }
    return ok;
}

void programs_free(programs *old)
{
    for (size_t i = 0; old->images != NULL && old->lines != NULL && i < old->of->program_count; i++) {
        dwarf_lines_close(old->lines[i]);
        elf_image_free(&old->images[i]);
    }
    free(old->images);
    free(old->lines);
    free(old->ends);
    *old = (programs){.of = NULL};
}

bool programs_load(const programs *loaded, kerr_chip *chip, tool_error *error)
{
    for (size_t i = 0; i < loaded->of->program_count; i++) {
        const job_program *program = &loaded->of->programs[i];
        unsigned index = 0;
        kerr_xy at;
        while (tile_set_next(&program->tiles, &index, &at)) {
            for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
                if ((program->cores >> core & 1) != 0 &&
                    !elf_image_load(&loaded->images[i], chip, at, (kerr_core)core, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool start_one(const elf_image *image, const elf_ends *ends, uint32_t entry, kerr_chip *chip, kerr_xy at,
                      kerr_core core, tool_error *error)
{
    kerr_status status = kerr_set_ends(chip, at, core, ends->of, ends->count);
    status = status == KERR_OK ? kerr_core_start(chip, at, core, entry) : status;
    if (status != KERR_OK) {
        return tool_fail(error, "tile %u,%u core %s does not start at 0x%08" PRIx32 ": %s", at.x, at.y,
                         kerr_core_name(core), entry, kerr_status_text(status));
    }
    return elf_image_load_local(image, chip, at, core, error);
}

bool programs_start(const programs *loaded, kerr_chip *chip, tool_error *error)
{
    for (size_t i = 0; i < loaded->of->program_count; i++) {
        const job_program *program = &loaded->of->programs[i];
        const uint32_t entry = program->has_entry ? program->entry : loaded->images[i].entry;
        unsigned index = 0;
        kerr_xy at;
        while (tile_set_next(&program->tiles, &index, &at)) {
            for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
                if ((program->cores >> core & 1) != 0 &&
                    !start_one(&loaded->images[i], &loaded->ends[i], entry, chip, at, (kerr_core)core, error)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* The program that holds the code at pc: the core's own if it does, else another one of the tile. */
static bool find_program(const programs *loaded, kerr_xy at, int core, uint32_t pc, size_t *found, uint32_t *linked)
{
    bool any = false;
    for (size_t i = 0; i < loaded->of->program_count; i++) {
        const job_program *program = &loaded->of->programs[i];
        uint32_t address;
        if (!tile_set_has(&program->tiles, at) || !elf_image_linked_pc(&loaded->images[i], pc, &address)) {
            continue;
        }
        const bool own = core >= 0 && (program->cores >> core & 1) != 0;
        if (own || !any) {
            *found = i;
            *linked = address;
            any = true;
        }
        if (own) {
            break;
        }
    }
    return any;
}

static bool find_place(programs *loaded, kerr_xy at, int core, uint32_t pc, dwarf_place *place)
{
    size_t i = 0;
    uint32_t linked = 0;
    if (!find_program(loaded, at, core, pc, &i, &linked)) {
        return false;
    }
    if (loaded->lines[i] == NULL) {
        loaded->lines[i] = dwarf_lines_open(loaded->images[i].elf);
    }
    return loaded->lines[i] != NULL && dwarf_lines_find(loaded->lines[i], linked, place);
}

const char *programs_function(programs *loaded, kerr_xy at, int core, uint32_t pc)
{
    dwarf_place place;
    return find_place(loaded, at, core, pc, &place) ? place.function : NULL;
}

void programs_describe(programs *loaded, kerr_xy at, int core, uint32_t pc, char *text, size_t size)
{
    dwarf_place place;
    text[0] = '\0';
    if (find_place(loaded, at, core, pc, &place)) {
        dwarf_place_format(&place, text, size);
    }
}

void programs_place(void *places, kerr_xy at, int core, uint32_t pc, kerr_place *place)
{
    program_places *p = places;
    dwarf_place found;
    size_t i = 0;
    uint32_t linked = 0;
    *place = (kerr_place){.line = 0};
    if (!find_program(p->loaded, at, core, pc, &i, &linked)) {
        return;
    }
    place->program = p->loaded->of->programs[i].elf;
    if (!find_place(p->loaded, at, core, pc, &found)) {
        return;
    }
    dwarf_lines_find_inlined(p->loaded->lines[i], linked, &found);
    place->file = found.file;
    place->line = found.line;
    place->from = found.from;
    place->from_line = found.from_line;
    if (found.function != NULL) {
        dwarf_demangle(found.function, p->function, sizeof p->function);
        place->function = p->function;
    }
}

void programs_tell_of_lines(const programs *loaded, FILE *to)
{
    for (size_t i = 0; loaded->lines != NULL && i < loaded->of->program_count; i++) {
        const dwarf_state state = loaded->lines[i] != NULL ? dwarf_lines_state(loaded->lines[i]) : DWARF_GOOD;
        if (state == DWARF_NONE) {
            (void)fprintf(to, "kerr: %s has no line numbers (compile with -g): addresses and functions only\n",
                          loaded->of->programs[i].elf);
        } else if (state == DWARF_BROKEN) {
            (void)fprintf(to, "kerr: %s: its DWARF is broken: lines are missing\n", loaded->of->programs[i].elf);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* kerr last-write: who wrote a place last, when and from where.  The chip runs again from where it was saved, and tells of every
 * access (KERR_TRACE_ACCESS). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip_file.h"
#include "job.h"
#include "kerr_findings.h"
#include "options.h"
#include "place.h"
#include "programs.h"
#include "progress.h"
#include "state_list.h"
#include "verbs.h"

enum { SHOWN = 1, KEPT = 64, SLICE = 65536 };

typedef struct wish {
    const char *path, *place;
    uint64_t cycles;
    uint32_t shown;
    job names;
    programs loaded;
    /* What is looked for. */
    kerr_xy at;
    kerr_space space;
    uint32_t address, size;
    /* The last writes, a ring. */
    uint64_t count;
    kerr_access seen[KEPT];
} wish;

static bool take_argument(void *context, option_id id, const char *value, tool_error *error)
{
    wish *w = context;
    uint64_t number = 0;
    switch (id) {
    case OPTION_LAST_RUN:
        return parse_count(value, INT64_MAX, &w->cycles, error) &&
               (w->cycles > 0 || tool_fail(error, "must be at least 1"));
    case OPTION_LAST_PROGRAM: return job_add_program(&w->names, value, error);
    case OPTION_LAST_SHOW:
        if (!parse_number(value, KEPT, &number, error)) {
            return false;
        }
        w->shown = (uint32_t)number;
        return number > 0 || tool_fail(error, "must be at least 1");
    default: break;
    }
    if (w->path == NULL) {
        w->path = value;
    } else if (w->place == NULL) {
        w->place = value;
    } else {
        return tool_fail(error, "'%s': one place at a time", value);
    }
    return true;
}

/* ---- Places ------------------------------------------------------------------------------------------------ */

static bool find_name(wish *w, const kerr_chip *chip, const char *name, tool_error *error)
{
    state_list list;
    if (!state_list_read(&list, chip, w->at, KERR_STATE_ALL, error)) {
        return false;
    }
    bool found = false;
    for (size_t i = 0; i < list.count && !found; i++) {
        const kerr_state_item *item = &list.item[i];
        char whole[160];
        (void)snprintf(whole, sizeof whole, "%s/%s", item->group, item->name);
        found = item->has_place && (strcmp(item->name, name) == 0 || strcmp(whole, name) == 0);
        if (found) {
            w->space = (kerr_space)item->space;
            w->address = item->address;
            w->size = 1;
        }
    }
    state_list_free(&list);
    return found ||
           tool_fail(error,
                     "'%s': no address and no name that writes are told of; kerr state CHIP --all --files lists "
                     "GPR[n], configuration fields, SrcA, SrcB and DstBits (with their group: 'Tensix T1/GPR[4]')",
                     name);
}

/* "1,2@0x20000+16" or "1,2@NAME". */
static bool find_place(wish *w, const kerr_chip *chip, tool_error *error)
{
    const char *at = strchr(w->place, '@');
    char tile[64];
    tile_set tiles = {{0}};
    unsigned index = 0;
    if (at == NULL || (size_t)(at - w->place) >= sizeof tile) {
        return tool_fail(error, "'%s': not TILE@ADDRESS[+SIZE] or TILE@NAME", w->place);
    }
    (void)snprintf(tile, sizeof tile, "%.*s", (int)(at - w->place), w->place);
    if (!parse_tiles(tile, true, &tiles, error)) {
        return false;
    }
    if (tile_set_count(&tiles) != 1) {
        return tool_fail(error, "'%s': one tile at a time", tile);
    }
    (void)tile_set_next(&tiles, &index, &w->at);
    if (at[1] < '0' || at[1] > '9') {
        return find_name(w, chip, at + 1, error);
    }
    char number[64];
    const char *plus = strchr(at, '+');
    const size_t length = plus != NULL ? (size_t)(plus - at - 1) : strlen(at + 1);
    (void)snprintf(number, sizeof number, "%.*s", (int)(length < 60 ? length : 60), at + 1);
    w->space = KERR_SPACE_L1;
    w->size = 4;
    return parse_number32(number, &w->address, error) && (plus == NULL || parse_number32(plus + 1, &w->size, error)) &&
           (w->size != 0 || tool_fail(error, "a place of no bytes"));
}

/* ---- Running ------------------------------------------------------------------------------------------------ */

static void on_access(void *context, const kerr_trace_event *event)
{
    wish *w = context;
    const kerr_access *a = event->access;
    if (a == NULL || !a->is_write || event->space != w->space || event->at.x != w->at.x || event->at.y != w->at.y ||
        a->address >= w->address + w->size || w->address >= a->address + a->size) {
        return;
    }
    kerr_access *kept = &w->seen[w->count++ % KEPT];
    *kept = *a;
    kept->cycle = event->cycle;
}

static void print_access(wish *w, const kerr_access *a)
{
    char text[KERR_INSTRUCTION_TEXT_MAX] = "", place[512] = "";
    (void)printf("cycle %" PRIu64 ": ", a->cycle);
    switch (a->actor) {
    case KERR_ACTOR_CORE: (void)printf("core %s", kerr_core_name((kerr_core)a->core)); break;
    case KERR_ACTOR_THREAD:
        (void)printf("Tensix T%u, %s", a->thread, kerr_tensix_unit_name((kerr_tensix_unit)a->unit));
        break;
    case KERR_ACTOR_NOC: (void)printf("NoC %u from tile %u,%u", a->noc, a->tile.x, a->tile.y); break;
    case KERR_ACTOR_HOST: (void)printf("the host"); break;
    default: (void)printf("a device of the tile"); break;
    }
    if (a->actor == KERR_ACTOR_CORE || a->actor == KERR_ACTOR_THREAD) {
        if (a->actor == KERR_ACTOR_THREAD) {
            (void)kerr_disassemble_tensix(a->instruction, text, sizeof text);
        } else {
            (void)kerr_disassemble_riscv(a->instruction, a->pc, text, sizeof text);
        }
        (void)printf(" at pc 0x%05x: %s", a->pc, a->instruction != 0 ? text : "?");
        if (w->names.program_count != 0 && a->core >= 0) {
            programs_describe(&w->loaded, w->at, a->core, a->pc, place, sizeof place);
            (void)printf("%s%s", *place != '\0' ? "\n    " : "", place);
        }
    }
    (void)printf("\n");
}

static int execute(wish *w, tool_error *error)
{
    kerr_chip *chip = NULL;
    if (!programs_read(&w->loaded, &w->names, error) || !chip_file_read(w->path, &chip, error) ||
        !find_place(w, chip, error)) {
        kerr_destroy(chip);
        return verb_refuse(VERB_LAST_WRITE, error);
    }
    progress line;
    progress_start(&line, false);
    kerr_status status = kerr_set_checks(chip, KERR_CHECK_ACCESSES);
    status =
        status == KERR_OK ? kerr_set_trace_kinds(chip, KERR_TRACE_ACCESS | KERR_TRACE_PARKING, on_access, w) : status;
    uint64_t done = 0;
    while (status == KERR_OK && done < w->cycles) {
        const uint64_t slice = w->cycles - done < SLICE ? w->cycles - done : SLICE;
        status = kerr_run(chip, slice);
        done += slice;
        progress_update(&line, chip);
    }
    progress_end(&line);
    uint64_t cycle = 0;
    (void)kerr_cycle(chip, &cycle);
    kerr_destroy(chip);
    if (status != KERR_OK && status != KERR_FAULTED) {
        (void)tool_fail(error, "the chip does not run on: %s", kerr_status_text(status));
        return verb_refuse(VERB_LAST_WRITE, error);
    }
    const uint64_t kept = w->count < KEPT ? w->count : KEPT, shown = kept < w->shown ? kept : w->shown;
    for (uint64_t i = 0; i < shown; i++) {
        print_access(w, &w->seen[(w->count - 1 - i) % KEPT]);
    }
    (void)printf("%" PRIu64 " writes up to cycle %" PRIu64 "%s\n", w->count, cycle,
                 status == KERR_FAULTED ? ", where a fault stopped the chip" : "");
    return w->count != 0 ? EXIT_OK : EXIT_NOT_REACHED;
}

int last_write_main(int count, char *const *arguments)
{
    wish w = {.shown = SHOWN, .cycles = 1000000};
    tool_error error;
    bool help = false;
    job_init(&w.names);
    int result;
    if (!options_parse(VERB_LAST_WRITE, count, arguments, take_argument, &w, &help, &error)) {
        result = verb_refuse(VERB_LAST_WRITE, &error);
    } else if (help) {
        options_help_verb(stdout, VERB_LAST_WRITE);
        result = EXIT_OK;
    } else if (w.place == NULL) {
        (void)tool_fail(&error, "a chip and a place are needed; see kerr last-write --help");
        result = verb_refuse(VERB_LAST_WRITE, &error);
    } else {
        result = execute(&w, &error);
    }
    programs_free(&w.loaded);
    job_free(&w.names);
    return result;
}

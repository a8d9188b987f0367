/* SPDX-License-Identifier: Apache-2.0 */
#include "findings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_SHOWN = 8, LINE_BYTES = 1024 };

void place_format(const kerr_place *place, bool with_program, char *text, size_t size)
{
    const char *function = place->function, *file = place->file;
    const bool program = with_program && place->program != NULL && (function != NULL || file != NULL);
    char line[16] = "", from[512] = "";
    if (file != NULL) {
        (void)snprintf(line, sizeof line, ":%d", place->line);
    }
    if (place->from != NULL) {
        (void)snprintf(from, sizeof from, ", called at %s:%d", place->from, place->from_line);
    }
    (void)snprintf(text, size, "%s%s%s%s%s%s%s%s", function != NULL ? function : "", function != NULL ? "()" : "",
                   function != NULL && file != NULL ? " at " : "", file != NULL ? file : "", line, from,
                   program ? " of " : "", program ? place->program : "");
}

static void find_place(const place_source *from, kerr_xy tile, int core, uint32_t pc, char *text, size_t size)
{
    kerr_place place = {.line = 0};
    if (from != NULL && from->fn != NULL) {
        from->fn(from->context, tile, core, pc, &place);
    }
    place_format(&place, false, text, size);
}

static void select_finding(const place_source *places, uint32_t index)
{
    if (places->select != NULL) {
        places->select(places->context, index);
    }
}

bool findings_read(finding_list *made, const kerr_chip *chip, tool_error *error)
{
    uint32_t count = 0;
    *made = (finding_list){.count = 0};
    kerr_status status = kerr_finding_count(chip, &count);
    made->of = calloc((size_t)count + 1, sizeof *made->of);
    if (made->of == NULL) {
        return tool_fail(error, "out of memory");
    }
    if (status == KERR_OK) {
        status = kerr_finding_list(chip, 0, made->of, count, &made->count);
    }
    (void)kerr_findings_dropped(chip, &made->dropped);
    return status == KERR_OK || tool_fail(error, "findings cannot be read: %s", kerr_status_text(status));
}

void findings_free(finding_list *old)
{
    free(old->of);
    *old = (finding_list){.count = 0};
}

/* ---- For people ------------------------------------------------------------------------------------------------ */

static bool is_fault(const kerr_finding *f)
{
    return f->kind < KERR_FAULT_KINDS;
}

static void print_steps(FILE *to, const char *before, const kerr_finding *f, const place_source *places)
{
    const uint32_t shown = f->history_count < STEPS_SHOWN ? f->history_count : STEPS_SHOWN;
    if (shown > 0) {
        (void)fprintf(to, "%slast instructions:\n", before);
    }
    for (uint32_t i = f->history_count - shown; i < f->history_count; i++) {
        const kerr_step *step = &f->history[i];
        char text[KERR_INSTRUCTION_TEXT_MAX], place[LINE_BYTES];
        uint32_t pushed;
        if (f->access.actor == KERR_ACTOR_THREAD) {
            (void)kerr_disassemble_tensix(step->instruction, text, sizeof text);
        } else if (kerr_is_ttinsn(step->instruction, &pushed)) {
            (void)kerr_disassemble_tensix(pushed, text, sizeof text);
        } else {
            (void)kerr_disassemble_riscv(step->instruction, step->pc, text, sizeof text);
        }
        find_place(places, f->access.tile, f->access.core, step->pc, place, sizeof place);
        (void)fprintf(to, "%s  cycle %" PRIu64 " pc 0x%05" PRIx32 "  %-28s  %s\n", before, step->cycle, step->pc, text,
                      place);
    }
}

static void print_also(FILE *to, const char *before, const kerr_finding *f, const place_source *places)
{
    const uint32_t shown = f->also_count < KERR_ALSO ? f->also_count : KERR_ALSO;
    for (uint32_t i = 0; i < shown; i++) {
        const kerr_also *a = &f->also[i];
        char place[LINE_BYTES], other[LINE_BYTES];
        find_place(places, f->access.tile, a->core, a->pc, place, sizeof place);
        find_place(places, f->other.tile, a->other_core, a->other_pc, other, sizeof other);
        (void)fprintf(to, "%salso pc 0x%05" PRIx32 " %s%s", before, a->pc, place[0] != '\0' ? "in " : "", place);
        if (f->other.actor != KERR_ACTOR_NONE) {
            (void)fprintf(to, " and pc 0x%05" PRIx32 " %s%s", a->other_pc, other[0] != '\0' ? "in " : "", other);
        }
        (void)fprintf(to, "\n");
    }
    if (f->also_count > shown) {
        (void)fprintf(to, "%salso at %" PRIu32 " others\n", before, f->also_count - shown);
    }
}

void finding_details(FILE *to, const char *before, const kerr_finding *f, const place_source *places)
{
    char text[LINE_BYTES], place[LINE_BYTES] = "";
    if (f->access.core >= 0) {
        find_place(places, f->access.tile, f->access.core, f->access.pc, place, sizeof place);
    }
    if (!is_fault(f) && kerr_access_format(&f->access, text, sizeof text) > 0) {
        (void)fprintf(to, "%s%s\n", before, text);
    }
    if (place[0] != '\0') {
        (void)fprintf(to, "%s%sin %s\n", before, is_fault(f) ? "" : "  ", place);
    }
    if (kerr_access_format(&f->other, text, sizeof text) > 0) {
        (void)fprintf(to, "%sand %s\n", before, text);
        place[0] = '\0';
        if (f->other.core >= 0) {
            find_place(places, f->other.tile, f->other.core, f->other.pc, place, sizeof place);
        }
        if (place[0] != '\0') {
            (void)fprintf(to, "%s  in %s\n", before, place);
        }
    }
    if (f->field != NULL) {
        (void)fprintf(to, "%sconfiguration: %s\n", before, f->field);
    }
    print_also(to, before, f, places);
    if (f->stopping) {
        print_steps(to, before, f, places);
    }
}

void findings_print(FILE *to, const finding_list *list, uint32_t most, const place_source *places)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const kerr_finding *f = &list->of[i];
        char text[LINE_BYTES];
        if (i >= most && !f->stopping) { /* the one that stopped the chip is always shown */
            continue;
        }
        select_finding(places, i);
        (void)kerr_finding_format(f, text, sizeof text);
        (void)fprintf(to, "kerr: %s: %s\n", is_fault(f) ? "fault" : "finding", text);
        finding_details(to, "kerr:   ", f, places);
    }
    if (list->count > most) {
        (void)fprintf(to, "kerr: %" PRIu32 " %s in all; --faults %" PRIu32 " shows them\n", list->count,
                      list->count > 0 && is_fault(&list->of[list->count - 1]) ? "faults" : "findings", list->count);
    }
    if (list->dropped > 0) {
        (void)fprintf(to, "kerr: there was no room for %" PRIu32 " others\n", list->dropped);
    }
}

void findings_count(FILE *to, const finding_list *list)
{
    uint32_t of[KERR_FINDING_KINDS_MAX] = {0};
    const char *between = "";
    for (uint32_t i = 0; i < list->count; i++) {
        of[list->of[i].kind % KERR_FINDING_KINDS_MAX]++;
    }
    if (list->count > 0) {
        (void)fprintf(to, "kerr: %" PRIu32 " finding%s:", list->count, list->count == 1 ? "" : "s");
        for (uint32_t i = 0; i < kerr_finding_kinds(); i++) {
            if (of[i] > 0) {
                (void)fprintf(to, "%s %" PRIu32 " %s", between, of[i], kerr_finding_name(i));
                between = ",";
            }
        }
        (void)fprintf(to, "; kerr explain says more of each\n");
    }
}

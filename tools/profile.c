/* SPDX-License-Identifier: Apache-2.0 */
#include "profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "timeline.h"

enum { ROOM = 1024, THREADS = 3, PLACE = 512 };

const char *profile_kind_name(profile_kind kind)
{
    static const char *const names[PROFILE_KINDS] = {
        [PROFILE_WORK] = "issues",    [PROFILE_LOAD] = "loads",    [PROFILE_ARITHMETIC] = "arithmetic",
        [PROFILE_ATOMIC] = "atomics", [PROFILE_STORES] = "stores", [PROFILE_FETCH] = "fetch",
        [PROFILE_DEVICE] = "waits",   [PROFILE_POLL] = "polls",
    };
    return names[kind];
}

void profile_begin(profile *p, kerr_chip *chip, programs *loaded)
{
    *p = (profile){.chip = chip, .loaded = loaded};
}

/* ---- Texts and rows by hash --------------------------------------------------------------------------------------- */

static uint64_t hash_of(const void *data, size_t size)
{
    const unsigned char *byte = data;
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
    }
    return hash ^ hash >> 29;
}

static bool grow_texts(profile *p)
{
    const size_t room = p->text_room == 0 ? ROOM : p->text_room * 2;
    char **texts = realloc(p->texts, room / 2 * sizeof *texts);
    uint32_t *places = calloc(room, sizeof *places);
    p->texts = texts != NULL ? texts : p->texts;
    if (texts == NULL || places == NULL) {
        free(places);
        return false;
    }
    for (uint32_t i = 1; i < p->text_count; i++) {
        size_t at = hash_of(texts[i], strlen(texts[i])) & (room - 1);
        while (places[at] != 0) {
            at = (at + 1) & (room - 1);
        }
        places[at] = i;
    }
    free(p->text_places);
    p->text_places = places;
    p->text_room = room;
    if (p->text_count == 0) {
        texts[p->text_count++] = NULL; /* number 0 is nothing */
    }
    return true;
}

/* The number of a text; 0 without memory. */
static uint32_t text_number(profile *p, const char *text)
{
    if (p->text_count + 1 >= p->text_room / 2 && !grow_texts(p)) {
        p->out_of_memory = true;
        return 0;
    }
    size_t at = hash_of(text, strlen(text)) & (p->text_room - 1);
    while (p->text_places[at] != 0) {
        if (strcmp(p->texts[p->text_places[at]], text) == 0) {
            return p->text_places[at];
        }
        at = (at + 1) & (p->text_room - 1);
    }
    char *copy = strdup(text);
    if (copy == NULL) {
        p->out_of_memory = true;
        return 0;
    }
    p->texts[p->text_count] = copy;
    return p->text_places[at] = (uint32_t)p->text_count++;
}

static size_t row_place(const profile_row *rows, size_t room, kerr_xy at, unsigned core, uint32_t pc, bool early)
{
    const uint32_t key[2] = {pc, (uint32_t)early << 24 | (uint32_t)at.x << 16 | (uint32_t)at.y << 8 | core};
    size_t i = hash_of(key, sizeof key) & (room - 1);
    while (rows[i].taken && (rows[i].pc != pc || rows[i].early != early || rows[i].x != at.x || rows[i].y != at.y ||
                             rows[i].core != core)) {
        i = (i + 1) & (room - 1);
    }
    return i;
}

static bool grow_rows(profile *p)
{
    const size_t room = p->row_room == 0 ? ROOM : p->row_room * 2;
    profile_row *rows = calloc(room, sizeof *rows);
    if (rows == NULL) {
        return false;
    }
    for (size_t i = 0; i < p->row_room; i++) {
        const profile_row *old = &p->rows[i];
        if (old->taken) {
            rows[row_place(rows, room, (kerr_xy){old->x, old->y}, old->core, old->pc, old->early)] = *old;
        }
    }
    free(p->rows);
    p->rows = rows;
    p->row_room = room;
    return true;
}

/* NULL without memory.  Good until the next one. */
static profile_row *row_at(profile *p, kerr_xy at, unsigned core, uint32_t pc, bool early)
{
    if (2 * (p->row_count + 1) > p->row_room && !grow_rows(p)) {
        p->out_of_memory = true;
        return NULL;
    }
    profile_row *row = &p->rows[row_place(p->rows, p->row_room, at, core, pc, early)];
    if (!row->taken) {
        *row = (profile_row){.x = at.x, .y = at.y, .core = (uint8_t)core, .taken = true, .early = early, .pc = pc};
        p->row_count++;
    }
    return row;
}

static profile_row *row_of(profile *p, kerr_xy at, unsigned core, uint32_t pc)
{
    return row_at(p, at, core, pc, false);
}

static void add_reason(profile_reason reason[PROFILE_REASONS], uint32_t text, uint64_t cycles)
{
    unsigned least = 0;
    for (unsigned i = 0; i < PROFILE_REASONS; i++) {
        if (reason[i].text == text || reason[i].cycles == 0) {
            least = i;
            break;
        }
        least = reason[i].cycles < reason[least].cycles ? i : least;
    }
    if (reason[least].text != text && reason[least].cycles <= cycles) {
        reason[least] = (profile_reason){.text = text};
    }
    if (reason[least].text == text) {
        reason[least].cycles += cycles;
    }
}

/* ---- Baby cores ------------------------------------------------------------------------------------------------------- */

static profile_tile *tile_of(profile *p, kerr_xy at)
{
    profile_tile **place = &p->tiles[at.y][at.x];
    if (*place == NULL) {
        *place = calloc(1, sizeof **place);
        p->out_of_memory = p->out_of_memory || *place == NULL;
    }
    return *place;
}

static void add_step(profile *p, kerr_xy at, unsigned core, const profile_core *c, const profile_step *step)
{
    profile_row *row = row_at(p, at, core, step->pc, !c->in_main);
    if (row != NULL) {
        row->cycles[step->kind] += step->cycles;
        if (step->text != 0) {
            add_reason(row->reason, step->text, step->cycles);
        }
    }
}

/* A lap is over.  One that has stored nothing and has read the same places as the one before polls: none of its cycles is work. */
static void end_lap(profile *p, kerr_xy at, unsigned core, profile_core *c, uint32_t next)
{
    profile_lap *lap = &c->lap;
    bool quiet = lap->loads > 0 && !lap->stored && !lap->too_long;
    uint32_t text = 0;
    for (unsigned i = 0; i < lap->count; i++) {
        quiet = quiet && lap->step[i].kind != PROFILE_DEVICE;
    }
    if (quiet && c->lap_before[0] == lap->start && c->lap_before[1] == lap->places) {
        char place[CORE_GAP_TEXT];
        (void)kerr_address_format(kerr_tile_kind_at(at), (kerr_core)core, lap->address, false, place, sizeof place);
        text = text_number(p, place);
    }
    for (unsigned i = 0; i < lap->count; i++) {
        const profile_step polled = {lap->step[i].pc, text, PROFILE_POLL, lap->step[i].cycles};
        add_step(p, at, core, c, text != 0 ? &polled : &lap->step[i]);
    }
    c->lap_before[0] = quiet ? lap->start : UINT32_MAX;
    c->lap_before[1] = lap->places;
    lap->start = next;
    lap->address = lap->places = lap->loads = lap->count = 0;
    lap->stored = lap->too_long = false;
}

static void add_cycles(profile *p, kerr_xy at, unsigned core, profile_core *c, const profile_step *step)
{
    if (step->cycles == 0) {
        return;
    }
    if (c->lap.count == PROFILE_LAP) {
        c->lap.too_long = true;
        end_lap(p, at, core, c, c->lap.start);
        c->lap.too_long = true;
    }
    c->lap.step[c->lap.count++] = *step;
}

/* A wait that the library told of is over. */
static void end_wait(profile *p, kerr_xy at, unsigned core, profile_core *c, uint64_t cycle)
{
    if (c->waits) {
        const uint64_t since =
            c->gaps.issued.cycle + 1 > c->gaps.wait_end ? c->gaps.issued.cycle + 1 : c->gaps.wait_end;
        const profile_step step = {c->gaps.issued.pc, c->text, c->kind, cycle > since ? cycle - since : 0};
        add_cycles(p, at, core, c, &step);
        c->gaps.wait_end = cycle;
        c->waits = false;
    }
}

static bool is_load(uint32_t word)
{
    return (word & 0x7F) == 0x03 || (word & 0x7F) == 0x07;
}

/* A load from a mailbox or a PCBuf: the next one reads something else. */
static bool takes_away(const kerr_trace_event *event)
{
    const uint32_t address = event->address;
    return is_load(event->instruction) &&
           ((address & 0xFFFFCFFFu) == 0xFFEC0000u ||
            (address >= 0xFFE80000u && address < 0xFFEB0000u && (address & 0xFFFF) == 0));
}

static void core_issues(profile *p, const kerr_trace_event *event, profile_core *c)
{
    const unsigned core = (unsigned)event->core;
    const uint32_t before = c->gaps.issued.pc;
    core_gap gap;
    end_wait(p, event->at, core, c, event->cycle);
    if (!c->seen) {
        c->seen = true;
        c->first = event->cycle;
    }
    const bool late = core_gaps_issue(&c->gaps, kerr_tile_kind_at(event->at), core, event, &gap);
    if (late) {
        const profile_step step = {gap.pc, text_number(p, gap.text), (profile_kind)(1 + gap.kind),
                                   event->cycle - gap.since};
        add_cycles(p, event->at, core, c, &step);
    }
    if (event->pc <= before) {
        end_lap(p, event->at, core, c, event->pc);
    }
    if (!c->in_main) {
        const char *function = programs_function(p->loaded, event->at, (int)core, event->pc);
        if (function != NULL && strcmp(function, "main") == 0) {
            end_lap(p, event->at, core, c, event->pc);
            c->in_main = true;
            c->main = event->cycle;
        }
    }
    const profile_step step = {event->pc, 0, PROFILE_WORK, 1};
    add_cycles(p, event->at, core, c, &step);
    c->lap.stored = c->lap.stored || event->is_store || takes_away(event);
    if (is_load(event->instruction)) {
        const bool local = event->address >> 16 == 0xFFB0;
        c->lap.address = c->lap.address == 0 || !local ? event->address : c->lap.address;
        c->lap.places = c->lap.places * 31 + event->address;
        c->lap.loads++;
    }
    profile_row *row = row_at(p, event->at, core, event->pc, !c->in_main);
    if (row != NULL) {
        row->instructions++;
    }
}

static void core_changes(profile *p, const kerr_trace_event *event, profile_core *c)
{
    char text[CORE_GAP_TEXT + 24], place[CORE_GAP_TEXT];
    const kerr_tile_kind kind = kerr_tile_kind_at(event->at);
    end_wait(p, event->at, (unsigned)event->core, c, event->cycle);
    if ((event->state != KERR_CORE_WAITING && event->state != KERR_CORE_PARKED) || !c->gaps.has_issued) {
        c->gaps.has_issued = c->gaps.has_issued && event->state == KERR_CORE_RUNNING;
        return;
    }
    uint32_t address = event->address;
    c->waits = true;
    if (event->state == KERR_CORE_WAITING) {
        c->kind = PROFILE_DEVICE;
        (void)kerr_address_format(kind, event->core, address, event->is_store, place, sizeof place);
        (void)snprintf(text, sizeof text, "%s%s", event->is_store ? "full: " : "", place);
    } else {
        c->kind = PROFILE_POLL;
        (void)snprintf(text, sizeof text, "a loop that waits for nothing or for time");
        if (address != 0) { /* of a line of the L0 data cache no more is known than the line */
            address = (c->gaps.load_address ^ address) < 16 ? c->gaps.load_address : address;
            (void)kerr_address_format(kind, event->core, address, false, text, sizeof text);
        }
    }
    c->text = text_number(p, text);
}

/* ---- The coprocessor ---------------------------------------------------------------------------------------------------- */

static void leave_gate(profile_thread *t, uint64_t cycle)
{
    if (t->open && cycle > t->since) {
        add_reason(t->pending, t->text, cycle - t->since);
    }
    t->open = false;
}

static void tensix_event(profile *p, const kerr_trace_event *event, profile_tile *tile)
{
    const kerr_trace_tensix *t = event->tensix;
    char text[CORE_GAP_TEXT];
    profile_thread *thread = t->thread < THREADS ? &tile->thread[t->thread] : NULL;
    const unsigned own = KERR_CORE_T0 + (unsigned)t->thread;
    profile_row *row;
    if (thread == NULL) {
        return;
    }
    switch (t->event) {
    case KERR_TENSIX_PUSH:
        row = t->by >= 0 ? row_of(p, event->at, (unsigned)t->by, t->pc) : NULL;
        if (row != NULL) {
            row->pushes = true;
        }
        break;
    case KERR_TENSIX_GATE:
        leave_gate(thread, t->begin);
        if (t->reason != KERR_WAIT_NONE) {
            timeline_reason(t, text, sizeof text);
            thread->open = true;
            thread->since = t->begin;
            thread->text = text_number(p, text);
            if (t->end != KERR_TENSIX_OPEN) {
                leave_gate(thread, t->end);
            }
        }
        break;
    case KERR_TENSIX_ISSUE:
        leave_gate(thread, t->begin);
        row = row_of(p, event->at, own, t->pc);
        if (row != NULL && !row->pushes) { /* then B has pushed it */
            profile_row *of_b = row_of(p, event->at, KERR_CORE_B, t->pc);
            row = of_b != NULL && of_b->pushes ? of_b : row_of(p, event->at, own, t->pc);
        }
        for (unsigned i = 0; row != NULL && i < PROFILE_REASONS; i++) {
            row->stalled += thread->pending[i].cycles;
            if (thread->pending[i].cycles > 0) {
                add_reason(row->gate, thread->pending[i].text, thread->pending[i].cycles);
            }
        }
        if (row != NULL) {
            row->issued++;
        }
        memset(thread->pending, 0, sizeof thread->pending);
        break;
    default: break;
    }
}

void profile_event(profile *p, const kerr_trace_event *event)
{
    profile_tile *tile = tile_of(p, event->at);
    if (tile == NULL) {
        return;
    }
    if (event->kind == KERR_TRACE_INSTRUCTION) {
        core_issues(p, event, &tile->core[event->core]);
    } else if (event->kind == KERR_TRACE_STATE) {
        core_changes(p, event, &tile->core[event->core]);
    } else if (event->kind == KERR_TRACE_TENSIX) {
        tensix_event(p, event, tile);
    }
}

/* ---- The end --------------------------------------------------------------------------------------------------------------- */

uint64_t profile_sum(const profile_row *row)
{
    uint64_t sum = 0;
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        sum += row->cycles[k];
    }
    return sum;
}

static void add_row(profile_row *to, const profile_row *from)
{
    to->instructions += from->instructions;
    to->issued += from->issued;
    to->stalled += from->stalled;
    for (unsigned k = 0; k < PROFILE_KINDS; k++) {
        to->cycles[k] += from->cycles[k];
    }
    for (unsigned i = 0; i < PROFILE_REASONS; i++) {
        if (from->reason[i].cycles > 0) {
            add_reason(to->reason, from->reason[i].text, from->reason[i].cycles);
        }
        if (from->gate[i].cycles > 0) {
            add_reason(to->gate, from->gate[i].text, from->gate[i].cycles);
        }
    }
}

static void end_tile(profile *p, profile_tile *tile, kerr_xy at)
{
    uint64_t first = UINT64_MAX, last = 0, now = 0;
    (void)kerr_cycle(p->chip, &now);
    for (unsigned core = 0; core < KERR_CORE_COUNT; core++) {
        profile_core *c = &tile->core[core];
        kerr_core_end end;
        if (!c->seen || kerr_core_end_query(p->chip, at, (kerr_core)core, &end) != KERR_OK) {
            continue;
        }
        const bool ended = end.stand == KERR_STANDS_ENDED;
        const uint64_t begin = c->in_main ? c->main : c->first;
        c->waits = c->waits && !ended;
        end_wait(p, at, core, c, now);
        end_lap(p, at, core, c, 0);
        if (ended) { /* what it does there is nothing */
            profile_row *row = row_at(p, at, core, end.pc, !c->in_main);
            if (row != NULL) {
                memset(row->cycles, 0, sizeof row->cycles);
                memset(row->reason, 0, sizeof row->reason);
                row->instructions = 0;
            }
        }
        first = begin < first ? begin : first;
        last = end.cycle > last ? end.cycle : last;
    }
    kerr_activity activity;
    if (first < last && kerr_activity_query(p->chip, at, &activity) == KERR_OK) {
        p->tile_count++;
        p->tile_cycles += last - first;
        p->longest = last - first > p->longest ? last - first : p->longest;
        for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
            p->unit_busy[u] += activity.unit_busy[u];
            p->unit_taken[u] += activity.unit_taken[u];
        }
    }
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* The source line, of an inlined function the one that calls it in the function that was not; without lines the address.  False:
 * there was no memory for it. */
static bool place_of(profile *p, profile_row *row)
{
    program_places places = {.loaded = p->loaded};
    char text[PLACE];
    kerr_place place;
    programs_place(&places, (kerr_xy){row->x, row->y}, row->core, row->pc, &place);
    const char *file = place.from != NULL ? place.from : place.file;
    const int line = place.from != NULL ? place.from_line : place.line;
    if (row->early) {
        (void)snprintf(text, sizeof text, "before main()");
    } else if (file != NULL && line != 0) {
        (void)snprintf(text, sizeof text, "%s:%d", name_of(file), line);
    } else {
        (void)snprintf(text, sizeof text, "0x%08" PRIx32, row->pc);
    }
    const bool named = place.function != NULL && !row->early;
    row->place = strdup(text);
    row->function = named ? strdup(place.function) : NULL;
    row->function_cycles = profile_sum(row);
    return row->place != NULL && (!named || row->function != NULL);
}

static int by_place(const void *a, const void *b)
{
    const profile_row *p = a, *q = b;
    return p->core != q->core ? (p->core > q->core) - (p->core < q->core) : strcmp(p->place, q->place);
}

static int more_first(const void *a, const void *b)
{
    const profile_row *p = a, *q = b;
    if (p->early != q->early) { /* what was before main() comes last */
        return p->early ? 1 : -1;
    }
    const uint64_t x = profile_sum(p), y = profile_sum(q);
    return x != y ? (x < y) - (x > y) : by_place(a, b);
}

static int longer_first(const void *a, const void *b)
{
    const profile_reason *p = a, *q = b;
    return p->cycles != q->cycles ? (p->cycles < q->cycles) - (p->cycles > q->cycles)
                                  : (p->text > q->text) - (p->text < q->text);
}

static void sort_reasons(profile_row *row)
{
    qsort(row->reason, PROFILE_REASONS, sizeof *row->reason, longer_first);
    qsort(row->gate, PROFILE_REASONS, sizeof *row->gate, longer_first);
}

/* What belongs to the second one is the first one's, or gone. */
static void join(profile_row *line, profile_row *more)
{
    if (more->function_cycles > line->function_cycles) {
        char *const function = line->function;
        line->function = more->function;
        line->function_cycles = more->function_cycles;
        more->function = function;
    }
    add_row(line, more);
    free(more->place);
    free(more->function);
}

/* Rows of one place become one. */
static bool make_lines(profile *p)
{
    size_t count = 0, made = 0;
    p->lines = calloc(p->row_count + 1, sizeof *p->lines);
    if (p->lines == NULL) {
        return false;
    }
    for (size_t i = 0; i < p->row_room; i++) {
        const profile_row *row = &p->rows[i];
        if (!row->taken || (profile_sum(row) == 0 && row->issued == 0)) {
            continue;
        }
        if (row->early && !p->tiles[row->y][row->x]->core[row->core].in_main) {
            p->rows[i].early = false; /* it has no main() */
        }
        p->lines[count] = *row;
        p->line_count = ++count;
        if (!place_of(p, &p->lines[count - 1])) {
            return false;
        }
        if (row->core < KERR_CORE_COUNT && !row->early) {
            add_row(&p->core[row->core], row);
        }
    }
    qsort(p->lines, count, sizeof *p->lines, by_place);
    for (size_t i = 1; i < count; i++) {
        if (by_place(&p->lines[made], &p->lines[i]) == 0) {
            join(&p->lines[made], &p->lines[i]);
        } else {
            p->lines[++made] = p->lines[i];
        }
    }
    p->line_count = count > 0 ? made + 1 : 0;
    qsort(p->lines, p->line_count, sizeof *p->lines, more_first);
    return true;
}

bool profile_end(profile *p)
{
    for (unsigned y = 0; y < KERR_GRID_Y; y++) {
        for (unsigned x = 0; x < KERR_GRID_X; x++) {
            if (p->tiles[y][x] != NULL) {
                end_tile(p, p->tiles[y][x], (kerr_xy){(uint8_t)x, (uint8_t)y});
            }
        }
    }
    const bool made = make_lines(p);
    for (size_t i = 0; i < p->line_count; i++) {
        sort_reasons(&p->lines[i]);
    }
    for (unsigned c = 0; c < KERR_CORE_COUNT; c++) {
        sort_reasons(&p->core[c]);
    }
    return made && !p->out_of_memory;
}

void profile_free(profile *p)
{
    for (size_t i = 0; i < p->line_count; i++) {
        free(p->lines[i].place);
        free(p->lines[i].function);
    }
    for (size_t i = 1; i < p->text_count; i++) {
        free(p->texts[i]);
    }
    for (unsigned i = 0; i < KERR_GRID_Y * KERR_GRID_X; i++) {
        free(p->tiles[i / KERR_GRID_X][i % KERR_GRID_X]);
    }
    free(p->lines);
    free(p->rows);
    free(p->texts);
    free(p->text_places);
    *p = (profile){.chip = NULL};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_totals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *stall_name(kerr_stall stall)
{
    static const char *const names[KERR_STALL_KINDS] = {
        [KERR_STALL_STALLWAIT] = "STALLWAIT",
        [KERR_STALL_SEMWAIT] = "semaphore (SEMWAIT)",
        [KERR_STALL_STREAMWAIT] = "stream (STREAMWAIT)",
        [KERR_STALL_UNIT] = "unit busy",
        [KERR_STALL_THREADS] = "another thread's turn",
        [KERR_STALL_SCALAR] = "Scalar Unit not done",
        [KERR_STALL_MUTEX] = "mutex",
        [KERR_STALL_SOURCE] = "SrcA or SrcB not handed over",
        [KERR_STALL_AUTO] = "load of its core (Auto TTSync)",
        [KERR_STALL_MEMORY] = "memory",
        [KERR_STALL_MOVER] = "Mover",
        [KERR_STALL_RESET] = "unit in soft reset",
    };
    return (unsigned)stall < KERR_STALL_KINDS && names[stall] != NULL ? names[stall] : "?";
}

static void add_code(exec_totals *totals, const kerr_stats_code *code)
{
    for (size_t i = 0; i < totals->code_count; i++) {
        kerr_stats_code *there = &totals->codes[i].of;
        if (there->address == code->address && memcmp(there->bytes, code->bytes, sizeof code->bytes) == 0) {
            there->cores |= code->cores;
            there->samples += code->samples;
            there->cycles += code->cycles;
            there->kernel_cycles += code->kernel_cycles;
            for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
                there->busy[u] += code->busy[u];
            }
            for (unsigned r = 0; r < KERR_STALL_KINDS; r++) {
                there->stalled[r] += code->stalled[r];
            }
            there->hottest = code->hottest;
            for (unsigned k = 0; k < 3; k++) {
                there->tiles[k] |= code->tiles[k];
            }
            return;
        }
    }
    if (totals->code_count == totals->code_room) {
        const size_t room = totals->code_room == 0 ? 256 : totals->code_room * 2;
        total_code *more = realloc(totals->codes, room * sizeof *more);
        if (more == NULL) {
            totals->codes_lost += code->cycles;
            return;
        }
        totals->codes = more;
        totals->code_room = room;
    }
    totals->codes[totals->code_count++] = (total_code){.of = *code, .piece = SIZE_MAX};
}

static void add_faults(exec_totals *totals, const kerr_stats_record *record)
{
    totals->fault_count += record->fault_count;
    for (uint32_t i = 0; i < record->fault_count && i < KERR_STATS_FAULTS; i++) {
        if (totals->faults_kept < TOTAL_FAULTS) {
            totals->faults[totals->faults_kept++] =
                (total_fault){.pid = record->pid, .of = record->faults[i], .piece = SIZE_MAX};
        }
    }
}

static void add_findings(exec_totals *totals, const kerr_stats_record *record)
{
    totals->finding_count += record->finding_count;
    for (uint32_t i = 0; i < record->finding_count && i < KERR_STATS_FINDINGS; i++) {
        if (totals->findings_kept == totals->finding_room) {
            const size_t room = totals->finding_room == 0 ? 64 : totals->finding_room * 2;
            total_finding *more = room <= TOTAL_FINDINGS ? realloc(totals->findings, room * sizeof *more) : NULL;
            if (more == NULL) {
                return;
            }
            totals->findings = more;
            totals->finding_room = room;
        }
        total_finding *made = &totals->findings[totals->findings_kept++];
        *made = (total_finding){.of = record->findings[i], .access = SIZE_MAX, .other = SIZE_MAX};
        made->of.field[sizeof made->of.field - 1] = made->of.manual[sizeof made->of.manual - 1] = '\0';
        made->of.finding.text[sizeof made->of.finding.text - 1] = '\0';
    }
}

static void add_chip(exec_totals *totals, const kerr_stats_record *record)
{
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        totals->unit_ops[u] += record->unit_ops[u];
        totals->unit_busy[u] += record->unit_busy[u];
    }
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned r = 0; r < KERR_STALL_KINDS; r++) {
            totals->stalled[i][r] += record->stalled[i][r];
        }
    }
    for (unsigned node = 0; node < KERR_STATS_NODES; node++) {
        kerr_stats_tile *tile = &totals->tiles[node];
        tile->active += record->tiles[node].active;
        tile->kernel += record->tiles[node].kernel;
        tile->instructions += record->tiles[node].instructions;
        for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
            tile->busy[u] += record->tiles[node].busy[u];
        }
        for (unsigned k = 0; k < KERR_STATS_LINKS; k++) {
            totals->link_flits[0][node][k] += record->link_flits[0][node][k];
            totals->link_flits[1][node][k] += record->link_flits[1][node][k];
        }
    }
}

void totals_add(exec_totals *totals, const kerr_stats_record *record)
{
    totals->processes++;
    totals->chips += record->chips;
    totals->dead += record->dead != 0;
    totals->hung += record->hung;
    if (totals->begin_ns == 0 || record->begin_ns < totals->begin_ns) {
        totals->begin_ns = record->begin_ns;
    }
    if (record->last_ns > totals->end_ns) {
        totals->end_ns = record->last_ns;
    }
    totals->open_ns += record->last_ns - record->begin_ns;
    totals->inside_ns += record->inside_ns;
    totals->cycles += record->cycles;
    totals->kernel_cycles += record->kernel_cycles;
    totals->samples += record->samples;
    for (unsigned i = 0; i < KERR_CALL_KINDS; i++) {
        totals->calls[i] += record->calls[i];
    }
    totals->read_bytes += record->read_bytes;
    totals->written_bytes += record->written_bytes;
    totals->dma_read_bytes += record->dma_read_bytes;
    totals->dma_written_bytes += record->dma_written_bytes;
    totals->codes_lost += record->codes_lost;
    add_chip(totals, record);
    add_faults(totals, record);
    add_findings(totals, record);
    for (unsigned i = 0; i < KERR_STATS_CODES; i++) {
        if (record->codes[i].samples != 0) {
            add_code(totals, &record->codes[i]);
        }
    }
    if (record->cycles >= totals->longest_cycles) {
        totals->longest_pid = record->pid;
        totals->longest_cycles = record->cycles;
        totals->span_cycles = record->span_cycles;
        memcpy(totals->spans, record->spans, sizeof totals->spans);
    }
}

/* ---- Programs ----------------------------------------------------------------------------------------------- */

static int more_cycles_first(const void *a, const void *b)
{
    const total_kernel *p = a, *q = b;
    if (p->kernel_cycles != q->kernel_cycles) {
        return (p->kernel_cycles < q->kernel_cycles) - (p->kernel_cycles > q->kernel_cycles);
    }
    return (p->cycles < q->cycles) - (p->cycles > q->cycles);
}

/* Pieces of the same program (and the same cores) are one line. */
static void add_kernel(exec_totals *totals, const total_code *code)
{
    const char *program = totals->match != NULL ? code_match_program(totals->match, code->piece) : NULL;
    total_kernel *k = totals->kernels;
    while (k < totals->kernels + totals->kernel_count && (k->program != program || k->cores != code->of.cores)) {
        k++;
    }
    if (k == totals->kernels + totals->kernel_count) {
        totals->kernel_count++;
        *k = (total_kernel){.program = program, .cores = code->of.cores};
    }
    k->cycles += code->of.cycles;
    k->kernel_cycles += code->of.kernel_cycles;
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        k->busy[u] += code->of.busy[u];
    }
    for (unsigned r = 0; r < KERR_STALL_KINDS; r++) {
        k->stalled[r] += code->of.stalled[r];
    }
    for (unsigned i = 0; i < 3; i++) {
        k->tiles[i] |= code->of.tiles[i];
    }
    if (code->of.cycles >= k->hottest_cycles) {
        k->hottest_cycles = code->of.cycles;
        k->hottest = code->of.hottest;
        k->piece = code->piece;
    }
}

static size_t want_around(code_match *match, const kerr_stats_around *around)
{
    return around->bytes != 0 && around->bytes <= sizeof around->code
               ? code_match_want(match, around->address, around->code, around->bytes)
               : SIZE_MAX;
}

void totals_place(void *context, kerr_xy tile, int core, uint32_t pc, kerr_place *place)
{
    exec_totals *t = context;
    dwarf_place found;
    *place = (kerr_place){.line = 0};
    if (t->match == NULL || t->selected >= t->findings_kept) {
        return;
    }
    const total_finding *f = &t->findings[t->selected];
    const kerr_access *other = &f->of.finding.other;
    const bool is_other = other->actor != KERR_ACTOR_NONE && pc == other->pc && core == other->core &&
                          tile.x == other->tile.x && tile.y == other->tile.y;
    const size_t piece = is_other ? f->other : f->access;
    place->program = code_match_program(t->match, piece);
    if (code_match_place(t->match, piece, pc, &found)) {
        place->file = found.file;
        place->line = found.line;
        place->from = found.from;
        place->from_line = found.from_line;
        if (found.function != NULL) {
            dwarf_demangle(found.function, t->function, sizeof t->function);
            place->function = t->function;
        }
    }
}

void totals_find_code(exec_totals *totals, const char *const *folders, size_t count, double seconds)
{
    totals->match = code_match_new();
    if (totals->match != NULL) {
        for (size_t i = 0; i < totals->code_count; i++) {
            const kerr_stats_code *code = &totals->codes[i].of;
            totals->codes[i].piece = code_match_want(totals->match, code->address, code->bytes, sizeof code->bytes);
        }
        for (size_t i = 0; i < totals->faults_kept; i++) {
            const kerr_stats_fault *fault = &totals->faults[i].of;
            if (fault->code_bytes != 0 && fault->code_bytes <= sizeof fault->code) {
                totals->faults[i].piece =
                    code_match_want(totals->match, fault->code_address, fault->code, fault->code_bytes);
            }
        }
        for (size_t i = 0; i < totals->findings_kept; i++) {
            total_finding *f = &totals->findings[i];
            f->access = want_around(totals->match, &f->of.access);
            f->other = want_around(totals->match, &f->of.other);
        }
        code_match_search(totals->match, folders, count, seconds);
    }
    totals->kernels = calloc(totals->code_count + 1, sizeof *totals->kernels);
    for (size_t i = 0; totals->kernels != NULL && i < totals->code_count; i++) {
        add_kernel(totals, &totals->codes[i]);
    }
    if (totals->kernels != NULL) {
        qsort(totals->kernels, totals->kernel_count, sizeof *totals->kernels, more_cycles_first);
    }
    uint64_t all = totals->codes_lost, in_kernels = 0;
    for (size_t i = 0; i < totals->kernel_count; i++) {
        all += totals->kernels[i].cycles;
        in_kernels += totals->kernels[i].kernel_cycles;
    }
    totals->kernel_sum = in_kernels != 0 ? in_kernels : all;
    /* Firmware that has no work is not where the time went. */
    while (in_kernels != 0 && totals->kernel_count > 0 &&
           totals->kernels[totals->kernel_count - 1].kernel_cycles == 0) {
        totals->kernel_count--;
    }
}

uint64_t kernel_time(const exec_totals *t, const total_kernel *k)
{
    return t->kernel_cycles != 0 ? k->kernel_cycles : k->cycles;
}

uint64_t totals_time(const exec_totals *t)
{
    return t->kernel_cycles != 0 ? t->kernel_cycles : t->cycles;
}

uint64_t totals_tile_time(const exec_totals *t, const kerr_stats_tile *tile)
{
    return t->kernel_cycles != 0 ? tile->kernel : tile->active;
}

bool totals_bound(const total_kernel *k, char *text, size_t size)
{
    static const double much = 0.6, some = 0.2;
    const double time = (double)k->kernel_cycles;
    unsigned unit = 0, stall = 0;
    for (unsigned u = 0; u < KERR_UNIT_COUNT; u++) {
        unit = k->busy[u] > k->busy[unit] ? u : unit;
    }
    for (unsigned r = 1; r < KERR_STALL_KINDS; r++) {
        stall = stall == 0 || k->stalled[r] > k->stalled[stall] ? r : stall;
    }
    const double busy = time > 0 ? (double)k->busy[unit] / time : 0,
                 stood = time > 0 ? (double)k->stalled[stall] / time : 0;
    if (k->kernel_cycles == 0) {
        return false;
    }
    if (busy >= much) {
        (void)snprintf(text, size, "bound by the %s, busy %.0f %% of its time",
                       kerr_tensix_unit_name((kerr_tensix_unit)unit), 100 * (busy < 1 ? busy : 1));
    } else if (stood >= some) {
        (void)snprintf(text, size, "stands at its wait gate %.0f %% of its time, most for: %s",
                       100 * (stood < 1 ? stood : 1), stall_name((kerr_stall)stall));
    } else if (busy > 0) {
        (void)snprintf(text, size, "bound by its cores: no unit is busy more than %.0f %% of its time (%s)", 100 * busy,
                       kerr_tensix_unit_name((kerr_tensix_unit)unit));
    } else {
        (void)snprintf(text, size, "uses no unit of the coprocessor: it moves data, or waits");
    }
    return true;
}

void totals_free(exec_totals *totals)
{
    code_match_free(totals->match);
    free(totals->codes);
    free(totals->kernels);
    free(totals->findings);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong, in the record: faults with the code around them, hangs, and the chip itself for a post-mortem. */
#include "dropin/stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The code from before pc on, as much as there is room for. */
static uint32_t copy_l1(uint8_t *into, size_t room, const kerr_chip *chip, kerr_xy at, uint32_t pc, uint32_t *address)
{
    uint64_t size;
    const uint32_t first = pc > KERR_STATS_CODE_BYTES ? pc - KERR_STATS_CODE_BYTES : 0;
    const uint8_t *bytes = l1_at(chip, at, pc, &size) != NULL ? l1_at(chip, at, first, &size) : NULL;
    if (bytes == NULL)
        return 0;
    *address = first;
    const uint32_t count = (uint32_t)(size < room ? size : room);
    memcpy(into, bytes, count);
    return count;
}

static void copy_code(kerr_stats_fault *into, const kerr_chip *chip)
{
    const kerr_fault *fault = &into->fault;
    const bool asked = fault->core < 0 && fault->asker != 0 && fault->asker < KERR_ASKER_HOST_READ;
    if (fault->core >= 0 || asked)
        into->code_bytes = copy_l1(into->code, sizeof into->code, chip, asked ? fault->asker_tile : fault->tile,
                                   fault->pc & ~3u, &into->code_address);
}

void stats_faults(stats *s, const kerr_chip *chip)
{
    kerr_stats_record *record = s->record;
    uint32_t count = 0;
    if (record == NULL || kerr_fault_count(chip, &count) != KERR_OK)
        return;
    uint32_t kept = record->fault_count < KERR_STATS_FAULTS ? record->fault_count : KERR_STATS_FAULTS;
    for (uint32_t i = s->faults; i < count && kept < KERR_STATS_FAULTS; i++) {
        kerr_stats_fault *into = &record->faults[kept];
        memset(into, 0, sizeof *into);
        if (kerr_fault_get(chip, i, &into->fault) != KERR_OK)
            break;
        kerr_fault_format(&into->fault, into->line, sizeof into->line);
        copy_code(into, chip);
        into->fault.manual = NULL;
        kept++;
    }
    __atomic_store_n(&record->fault_count, record->fault_count + count - s->faults, __ATOMIC_RELEASE);
    s->faults = count;
}

static void copy_around(kerr_stats_around *into, const kerr_chip *chip, const kerr_access *access)
{
    if (access->actor != KERR_ACTOR_NONE && access->core >= 0)
        into->bytes = copy_l1(into->code, sizeof into->code, chip, access->tile, access->pc & ~3u, &into->address);
}

void stats_findings(stats *s, const kerr_chip *chip, bool all)
{
    kerr_stats_record *record = s->record;
    uint32_t count = 0, dropped = 0, filled = 0;
    if (record == NULL || kerr_finding_count(chip, &count) != KERR_OK ||
        kerr_findings_dropped(chip, &dropped) != KERR_OK || (!all && count + dropped == s->findings))
        return;
    const uint32_t room = s->findings_before < KERR_STATS_FINDINGS ? KERR_STATS_FINDINGS - s->findings_before : 0;
    kerr_finding *list = room != 0 ? calloc(room, sizeof *list) : NULL;
    if (list != NULL)
        (void)kerr_finding_list(chip, 0, list, room, &filled);
    for (uint32_t i = 0; i < filled; i++) {
        kerr_stats_finding *into = &record->findings[s->findings_before + i];
        memset(into, 0, sizeof *into);
        into->finding = list[i];
        snprintf(into->field, sizeof into->field, "%s", list[i].field != NULL ? list[i].field : "");
        snprintf(into->manual, sizeof into->manual, "%s", list[i].manual != NULL ? list[i].manual : "");
        into->finding.field = into->finding.manual = NULL;
        copy_around(&into->access, chip, &list[i].access);
        copy_around(&into->other, chip, &list[i].other);
    }
    free(list);
    if (s->hang_cycle != 0 && filled < room) { /* the chip knows nothing of it */
        kerr_stats_finding *into = &record->findings[s->findings_before + filled];
        memset(into, 0, sizeof *into);
        into->finding = (kerr_finding){.kind = KERR_FAULT_TIMEOUT,
                                       .severity = KERR_SEVERITY_ERROR,
                                       .stopping = true,
                                       .times = 1,
                                       .access = {.actor = KERR_ACTOR_HOST, .core = -1, .cycle = s->hang_cycle},
                                       .other = {.core = -1}};
        snprintf(into->finding.text, sizeof into->finding.text,
                 "nothing happens on the chip any more while the host polls it");
    }
    s->findings = count + dropped + (s->hang_cycle != 0);
    __atomic_store_n(&record->finding_count, s->findings_before + s->findings, __ATOMIC_RELEASE);
}

/* As a fault of nobody's. */
static void keep_hang(kerr_stats_record *record, const kerr_chip *chip, const char *text)
{
    if (record->fault_count < KERR_STATS_FAULTS) {
        kerr_stats_fault *into = &record->faults[record->fault_count];
        memset(into, 0, sizeof *into);
        into->fault = (kerr_fault){.kind = KERR_FAULT_TIMEOUT, .core = -1, .cycle = cycle_of(chip)};
        snprintf(into->line, sizeof into->line, "%s", text);
    }
    __atomic_store_n(&record->fault_count, record->fault_count + 1, __ATOMIC_RELEASE);
}

/* A saved chip is tens of thousands of small pieces. */
enum { POST_BUFFER = 1 << 20 };
typedef struct post_writer {
    int file;
    off_t at;
    size_t used;
    uint8_t *buffer;
} post_writer;

static bool flush_post(post_writer *w)
{
    for (size_t done = 0; done < w->used;) {
        const ssize_t written = pwrite(w->file, w->buffer + done, w->used - done, w->at);
        if (written <= 0)
            return false;
        w->at += written;
        done += (size_t)written;
    }
    w->used = 0;
    return true;
}

static bool write_post(void *context, const void *data, size_t size)
{
    post_writer *w = context;
    const uint8_t *bytes = data;
    while (size > 0) {
        const size_t room = POST_BUFFER - w->used, part = size < room ? size : room;
        memcpy(w->buffer + w->used, bytes, part);
        w->used += part;
        bytes += part;
        size -= part;
        if (w->used == POST_BUFFER && !flush_post(w))
            return false;
    }
    return true;
}

void stats_post_mortem(stats *s, const kerr_chip *chip, kerr_post_reason reason, const char *text)
{
    if (s->record == NULL || s->page->watcher == 0)
        return;
    kerr_stats_post *post = &s->page->post;
    uint32_t state = KERR_POST_FREE;
    if (!__atomic_compare_exchange_n(&post->state, &state, KERR_POST_TAKEN, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return; /* another process's is being looked at */
    post_writer w = {.file = s->file, .at = (off_t)KERR_STATS_BYTES, .buffer = malloc(POST_BUFFER)};
    const bool saved = w.buffer != NULL && kerr_save_without_dram(chip, write_post, &w) == KERR_OK && flush_post(&w);
    free(w.buffer);
    post->pid = s->record->pid;
    post->reason = reason;
    snprintf(post->text, sizeof post->text, "%s", text);
    post->bytes = saved ? (uint64_t)w.at - KERR_STATS_BYTES : 0;
    __atomic_store_n(&post->state, KERR_POST_READY, __ATOMIC_RELEASE);
}

void stats_chip_stops(stats *s, const kerr_chip *chip, kerr_post_reason reason, const char *text)
{
    if (s->record == NULL || *s->own == 0)
        return;
    s->record->dead = 1;
    stats_faults(s, chip);
    if (reason == KERR_POST_HANG) {
        keep_hang(s->record, chip, text);
        s->hang_cycle = cycle_of(chip);
    }
    stats_findings(s, chip, true);
    stats_post_mortem(s, chip, reason, text);
}

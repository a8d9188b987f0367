/* SPDX-License-Identifier: Apache-2.0 */
#include "exec_page.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

bool exec_page_open(exec_page *made, tool_error *error)
{
    made->file = memfd_create("kerr-stats", MFD_CLOEXEC);
    made->page = NULL;
    if (made->file < 0 || ftruncate(made->file, (off_t)KERR_STATS_BYTES) != 0) {
        return tool_fail(error, "no memory for the statistics page: %s", strerror(errno));
    }
    void *page = mmap(NULL, KERR_STATS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, made->file, 0);
    if (page == MAP_FAILED) {
        return tool_fail(error, "no memory for the statistics page: %s", strerror(errno));
    }
    made->page = page;
    memcpy(made->page->magic, "kerrstat", 8);
    made->page->version = KERR_STATS_VERSION;
    made->page->bytes = sizeof(kerr_stats_page);
    made->page->watcher = (int32_t)getpid();
    (void)snprintf(made->path, sizeof made->path, "/proc/%ld/fd/%d", (long)getpid(), made->file);
    return true;
}

void exec_page_close(exec_page *page)
{
    if (page->page != NULL) {
        (void)munmap(page->page, KERR_STATS_BYTES);
    }
    if (page->file >= 0) {
        (void)close(page->file);
    }
    *page = (exec_page){.file = -1};
}

static bool is_over(const kerr_stats_record *record)
{
    const uint32_t state = __atomic_load_n(&record->state, __ATOMIC_ACQUIRE);
    return state == KERR_RECORD_ENDED ||
           (state == KERR_RECORD_LIVE && record->pid != 0 && kill(record->pid, 0) != 0 && errno == ESRCH);
}

void exec_page_collect(exec_page *page, exec_totals *totals, bool all)
{
    for (unsigned i = 0; i < KERR_STATS_RECORDS; i++) {
        kerr_stats_record *record = &page->page->record[i];
        const bool over = is_over(record);
        if (!over && !(all && record->state == KERR_RECORD_LIVE && record->pid != 0)) {
            continue;
        }
        totals_add(totals, record);
        if (over) {
            memset((char *)record + sizeof record->state, 0, sizeof *record - sizeof record->state);
            __atomic_store_n(&record->state, KERR_RECORD_FREE, __ATOMIC_RELEASE);
        }
    }
}

void exec_page_look(const exec_page *page, const exec_totals *totals, exec_live *live)
{
    *live = (exec_live){.cycles = totals->cycles, .inside_ns = totals->inside_ns, .faults = totals->fault_count};
    for (unsigned i = 0; i < KERR_STATS_RECORDS; i++) {
        const kerr_stats_record *record = &page->page->record[i];
        if (record->state == KERR_RECORD_FREE) {
            continue;
        }
        live->processes++;
        live->cycles += record->cycles;
        live->inside_ns += record->inside_ns;
        live->active_tiles += record->active_tiles;
        live->faults += record->fault_count;
    }
}

void exec_page_ask(exec_page *page)
{
    for (unsigned i = 0; i < KERR_STATS_RECORDS; i++) {
        const kerr_stats_record *record = &page->page->record[i];
        if (record->state == KERR_RECORD_LIVE && record->pid != 0) {
            __atomic_store_n(&page->page->ask, record->pid, __ATOMIC_RELAXED);
            return;
        }
    }
}

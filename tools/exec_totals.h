/* SPDX-License-Identifier: Apache-2.0 */
/* What all processes of a `kerr exec` did together: their records in the statistics page (kerr_stats.h), added up. */
#ifndef KERR_TOOLS_EXEC_TOTALS_H
#define KERR_TOOLS_EXEC_TOTALS_H

#include <stddef.h>
#include <stdint.h>

#include "code_match.h"
#include "kerr_stats.h"

typedef struct total_fault {
    int32_t pid;
    kerr_stats_fault of;
    size_t piece; /* of code_match; SIZE_MAX: none */
} total_fault;

typedef struct total_code {
    kerr_stats_code of;
    size_t piece;
} total_code;

/* Code of one program. */
typedef struct total_kernel {
    const char *program; /* NULL: not found */
    uint32_t cores;
    uint64_t cycles, kernel_cycles;
    uint64_t busy[KERR_UNIT_COUNT], stalled[KERR_STALL_KINDS];
    uint64_t tiles[3];
    uint64_t hottest_cycles; /* of its busiest piece */
    uint32_t hottest;        /* a pc there */
    size_t piece;
} total_kernel;

/* A finding with the pieces of code at its two ends; SIZE_MAX: none. */
typedef struct total_finding {
    kerr_stats_finding of;
    size_t access, other;
} total_finding;

enum { TOTAL_FAULTS = 64, TOTAL_FINDINGS = 4096 };

typedef struct exec_totals {
    uint32_t processes, chips, dead;
    uint64_t begin_ns, end_ns; /* the first call, the end of the last */
    uint64_t open_ns;          /* from first to last call, of all processes together */
    uint64_t inside_ns, cycles, kernel_cycles, samples;
    uint64_t calls[KERR_CALL_KINDS];
    uint64_t read_bytes, written_bytes, dma_read_bytes, dma_written_bytes;
    uint64_t unit_ops[KERR_UNIT_COUNT], unit_busy[KERR_UNIT_COUNT];
    uint64_t stalled[3][KERR_STALL_KINDS];
    kerr_stats_tile tiles[KERR_STATS_NODES];
    uint64_t link_flits[2][KERR_STATS_NODES][KERR_STATS_LINKS];
    uint64_t fault_count;
    size_t faults_kept;
    total_fault faults[TOTAL_FAULTS];
    uint64_t finding_count;
    uint64_t hung;           /* tiles that hung when the program closed their chip */
    total_finding *findings; /* the first of them, faults too */
    size_t findings_kept, finding_room;
    size_t selected; /* the one that totals_place is asked about */
    char function[160];
    uint64_t codes_lost;
    total_code *codes;
    size_t code_count, code_room;
    total_kernel *kernels; /* totals_find_code; most cycles first */
    size_t kernel_count;
    uint64_t kernel_sum; /* cycles that shares of kernels are of: those in kernels, of all code if there were none */
    /* Time of the process with the most cycles. */
    int32_t longest_pid;
    uint64_t longest_cycles, span_cycles;
    kerr_stats_span spans[KERR_STATS_SPANS];
    code_match *match; /* NULL before totals_find_code */
} exec_totals;

void totals_add(exec_totals *totals, const kerr_stats_record *record);
/* Looks for the programs of all code in ELF files below these folders. */
void totals_find_code(exec_totals *totals, const char *const *folders, size_t count, double seconds);
/* Where code of findings[selected] comes from: a kerr_place_fn, with the totals. */
void totals_place(void *totals, kerr_xy tile, int core, uint32_t pc, kerr_place *place);
void totals_free(exec_totals *totals);

/* The time that percentages are of: that in which kernels ran, of everything if tt-metal ran none. */
uint64_t totals_time(const exec_totals *totals);
uint64_t kernel_time(const exec_totals *totals, const total_kernel *kernel);
uint64_t totals_tile_time(const exec_totals *totals, const kerr_stats_tile *tile);
/* What bounds it, as a sentence without its subject; false: it is no kernel, or nothing is known. */
bool totals_bound(const total_kernel *kernel, char *text, size_t size);

const char *stall_name(kerr_stall stall);

#endif

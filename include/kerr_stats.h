/* SPDX-License-Identifier: Apache-2.0 */
/* What the drop-in library tells about itself while a host program runs, for `kerr exec` and whoever else wants to look:
 * the file that KERR_STATS names (an existing one, made by the watcher with kerr_stats_page and as many bytes as
 * KERR_STATS_BYTES), mapped by every process that opens a chip.  Each takes a record of its own, a fork's child too.
 *
 * Plain data in the machine's byte order; the library and its watcher come from one build, which `version` and `bytes` say.
 * The library writes its record during calls only; numbers only grow.  May change from build to build. */
#ifndef KERR_STATS_H
#define KERR_STATS_H

#include "kerr.h"
#include "kerr_findings.h"

enum {
    KERR_STATS_VERSION = 3,
    KERR_STATS_RECORDS = 256,      /* processes at once; the watcher frees those that are over */
    KERR_STATS_FAULTS = 16,        /* kept of each process */
    KERR_STATS_FINDINGS = 64,      /* the same, faults among them */
    KERR_STATS_SPANS = 256,        /* pieces of time */
    KERR_STATS_SPAN_CYCLES = 1024, /* length of the first ones; all double when there are too many */
    KERR_STATS_CODES = 512,        /* pieces of code that were seen running */
    KERR_STATS_CODE_BYTES = 256,
    KERR_STATS_NODES = KERR_GRID_X * KERR_GRID_Y, /* y * KERR_GRID_X + x */
    KERR_STATS_LINKS = KERR_NOC_LINKS,            /* of a router: along x, along y, to its tile */
};

typedef enum kerr_stats_call {
    KERR_CALL_CLOCK = 0,
    KERR_CALL_READ,
    KERR_CALL_WRITE,
    KERR_CALL_CONFIG, /* config space */
    KERR_CALL_LIFE,   /* init, exit, callbacks */
    KERR_CALL_KINDS
} kerr_stats_call;

/* Bits of cores: those of a Tensix tile, of an Ethernet tile, of a DRAM tile. */
#define KERR_STATS_CORE(kind, core) (1u << ((core) + ((kind) == KERR_TILE_ETH ? 8 : (kind) == KERR_TILE_DRAM ? 16 : 0)))

/* Words of L1 as they stood, for finding the program they come from. */
typedef struct kerr_stats_code {
    uint32_t
        address; /* of the first byte, a multiple of KERR_STATS_CODE_BYTES; in an entry that is not taken: samples 0 */
    uint32_t cores; /* bit for each core that was seen here: KERR_STATS_CORE */
    uint64_t samples;
    uint64_t cycles;   /* sampled: what these samples stand for, of all cores together */
    uint64_t tiles[3]; /* bit for each tile: Tensix tiles as kerr_tensix_xy counts, then Ethernet, then DRAM tiles */
    uint32_t hottest;  /* a pc in here: that of the last sample */
    uint32_t reserved;
    uint64_t kernel_cycles; /* of `cycles`, while tt-metal's firmware had told the core to run a kernel */
    /* Exact, of the tile that the core is in, between samples: cycles in which units were taken, at one core of a tile that runs a kernel, T1
     * if it does; and those that the core's thread stood at its wait gate. */
    uint64_t busy[KERR_UNIT_COUNT], stalled[KERR_STALL_KINDS];
    uint8_t bytes[KERR_STATS_CODE_BYTES];
} kerr_stats_code;

typedef struct kerr_stats_fault {
    kerr_fault fault; /* manual is NULL */
    char line[512];   /* kerr_fault_format */
    uint32_t code_address;
    uint32_t code_bytes; /* 0: not from code in L1 */
    uint8_t code[2 * KERR_STATS_CODE_BYTES];
} kerr_stats_fault;

/* Code around a pc, as it stood. */
typedef struct kerr_stats_around {
    uint32_t address;
    uint32_t bytes; /* 0: not from code in L1 */
    uint8_t code[2 * KERR_STATS_CODE_BYTES];
} kerr_stats_around;

typedef struct kerr_stats_finding {
    kerr_finding finding; /* field and manual are NULL */
    char field[64], manual[96];
    kerr_stats_around access, other;
} kerr_stats_finding;

typedef struct kerr_stats_tile {
    uint64_t active;       /* cycles in which something happened, to within the distance of two samples */
    uint64_t kernel;       /* of these, with a kernel of tt-metal */
    uint64_t instructions; /* of its baby cores, but for those in polling loops that were taken off the clock */
    uint64_t busy[KERR_UNIT_COUNT]; /* cycles in which a unit of the coprocessor was taken */
} kerr_stats_tile;

typedef struct kerr_stats_span {
    uint64_t active, kernel; /* tile-cycles */
    uint64_t busy[KERR_UNIT_COUNT];
    uint64_t flits;
} kerr_stats_span;

enum { KERR_RECORD_FREE = 0, KERR_RECORD_LIVE, KERR_RECORD_ENDED };
typedef struct kerr_stats_record {
    uint32_t state; /* KERR_RECORD_*: taken by compare and swap */
    int32_t pid;
    uint32_t chips; /* how often a chip was made */
    uint32_t threads;
    uint64_t begin_ns, last_ns; /* CLOCK_MONOTONIC: of the first call, of the end of the last */
    uint64_t inside_ns;         /* spent in calls, without the host's own callbacks */
    uint64_t calls[KERR_CALL_KINDS];
    uint64_t read_bytes, written_bytes;         /* by the host */
    uint64_t dma_read_bytes, dma_written_bytes; /* by the card */
    uint64_t cycles;                            /* of all chips of the process together */
    uint64_t kernel_cycles;                     /* sampled: in which a tile ran a kernel of tt-metal */
    uint64_t active_tiles;                      /* in the last sample */
    uint64_t samples;
    uint64_t unit_ops[KERR_UNIT_COUNT], unit_busy[KERR_UNIT_COUNT];
    uint64_t stalled[3][KERR_STALL_KINDS]; /* cycles at the wait gates, by thread */
    uint64_t hash;                         /* of the chip's state when it ended, if KERR_RECORD was given */
    uint32_t fault_count;
    uint32_t dead; /* a fault or a hang has stopped the chip */
    kerr_stats_fault faults[KERR_STATS_FAULTS];
    uint32_t finding_count; /* with those that there was no room for */
    uint32_t hung;          /* tiles that hung when the host closed its chip, of all of them */
    kerr_stats_finding findings[KERR_STATS_FINDINGS];
    kerr_stats_tile tiles[KERR_STATS_NODES];
    uint64_t link_flits[2][KERR_STATS_NODES]
                       [KERR_STATS_LINKS]; /* of both NoCs; single flits that meet nobody left out */
    uint64_t span_cycles;
    kerr_stats_span spans[KERR_STATS_SPANS];
    uint64_t codes_lost; /* cycles for which there was no place */
    kerr_stats_code codes[KERR_STATS_CODES];
} kerr_stats_record;

/* A chip as it was saved (kerr_save, DRAM banks left out) when it stopped or when the watcher asked for it. */
enum { KERR_POST_FREE = 0, KERR_POST_TAKEN, KERR_POST_READY };
typedef enum kerr_post_reason { KERR_POST_FAULT = 0, KERR_POST_HANG, KERR_POST_ASKED } kerr_post_reason;
typedef struct kerr_stats_post {
    uint32_t state; /* KERR_POST_*; the watcher frees it */
    int32_t pid;
    uint32_t reason; /* kerr_post_reason */
    uint32_t reserved;
    uint64_t bytes; /* from KERR_STATS_BYTES of the file on */
    char text[512]; /* one sentence */
} kerr_stats_post;

typedef struct kerr_stats_page {
    char magic[8]; /* "kerrstat" */
    uint32_t version;
    uint32_t bytes;   /* sizeof(kerr_stats_page) */
    int32_t watcher;  /* its process; 0: nobody waits for a post-mortem */
    int32_t ask;      /* of which process the watcher wants one; 0: none */
    uint32_t refused; /* processes that found no free record */
    uint32_t reserved;
    kerr_stats_post post;
    kerr_stats_record record[KERR_STATS_RECORDS];
} kerr_stats_page;

#define KERR_STATS_BYTES ((sizeof(kerr_stats_page) + 4095) & ~(size_t)4095)

#endif

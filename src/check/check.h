/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on unmodified programs (kerr_findings.h).
 *
 * struct tile_check belongs to the chip, one for each Tensix tile, and exists only while checks are on; `lent.check` of the tile is NULL
 * otherwise, and every hook begins with that comparison.  It is no part of the chip's state: nothing of the simulation reads it,
 * so results and cycles are the same with and without (same/checks).  While checks are on the chip runs on one thread and takes no
 * window back, so that hooks are called in order of cycle within a tile.
 *
 * memory.c has what was ever written, sync.c who did what before whom; neither knows of the other. */
#ifndef KERR_CHECK_CHECK_H
#define KERR_CHECK_CHECK_H

#include "check/config_uses.h"
#include "hooks/hooks.h"

#include "kerr_findings.h"

#include <stdarg.h>

struct tile;
struct check_memory;
struct check_sync;

enum {
#define KIND(constant, name, severity, class, title) FINDING_##constant,
#include "check/kinds.def"
#undef KIND
    FINDING_KINDS
};
_Static_assert((int)FINDING_INTERNAL == (int)KERR_FAULT_INTERNAL, "kinds of faults come first");

enum {
    CHECK_FINDINGS = 64, /* kept of a tile */
    CHECK_CORES = KERR_CORE_COUNT,
    CHECK_THREADS = 3,
};

/* The last instructions of a Tensix thread. */
struct check_history {
    uint32_t next; /* counts on; its low bits are the place */
    kerr_step step[KERR_HISTORY];
};

/* The same of a core: where it entered straight-line code, and how many instructions it had done before.  Each is the
 * number of those behind it that it takes to get to the next. */
struct check_path {
    uint32_t next;
    struct {
        uint64_t cycle, instret;
        uint32_t pc;
    } entry[KERR_HISTORY];
};

/* Configuration that is written and not yet visible (check/hazard.c). */
enum { CHECK_CONFIG_LATER = 16, CHECK_DST_BLOCKS = 1024 / 8 };
struct check_hazard {
    uint32_t count;
    struct {
        uint64_t visible; /* the first cycle in which an instruction finds it */
        uint8_t bank, word;
        kerr_access by;
    } later[CHECK_CONFIG_LATER];
    kerr_access block[CHECK_DST_BLOCKS]; /* of 8 rows of Dst: what the Matrix Unit wrote there last */
};

/* What the host program has allocated, on the whole chip (kerr_tell_allocation). */
enum { CHECK_ALLOCATIONS = 4096 };
struct check_allocations {
    uint32_t count;
    struct {
        uint64_t first, end;
        uint8_t node; /* noc_node */
    } entry[CHECK_ALLOCATIONS];
};

/* Buffers in L1 whose number format somebody has declared, on the whole chip (kerr_tell_buffer). */
enum { CHECK_BUFFERS = 4096 };
struct check_buffers {
    uint32_t count;
    struct {
        uint32_t first, end;
        kerr_xy tile;
        uint8_t format; /* as Out_data_format has it */
    } entry[CHECK_BUFFERS];
};

/* What is known of tt-metal's kernels (check/launch.h). */
enum { CHECK_CBS = 64 };
struct check_launch {
    uint32_t cbs;
    struct launch_cb {
        uint32_t first, end, pages;
        uint8_t id;
    } cb[CHECK_CBS];
    uint8_t running; /* bit per core: it has a kernel */
};

struct tile_check {
    struct hooks hooks; /* first, as hooks_of has it */
    struct tile *tile;
    const kerr_policy *policy;                   /* of FINDING_KINDS, the chip's */
    const struct check_allocations *allocations; /* the chip's */
    const struct check_buffers *buffers;         /* the chip's */
    uint32_t checks;                             /* mask of kerr_check */
    struct check_memory *memory;                 /* NULL unless KERR_CHECK_MEMORY */
    struct check_sync *sync;                     /* NULL unless KERR_CHECK_SYNC */
    kerr_access who;                             /* acts now (hooks/hooks.h) */
    kerr_access held;                            /* `who`, while others act in between */
    kerr_access mover;                           /* who gave work to the mover */
    struct config_reader reader;                 /* of the instruction that begins */
    struct check_hazard hazard;
    struct check_launch launch;
    uint32_t count, dropped;
    struct check_path path[CHECK_CORES];
    struct check_history history[CHECK_THREADS];
    kerr_finding finding[CHECK_FINDINGS];
};

/* For all Tensix tiles of a chip, with what its findings stop; NULL: no memory. */
struct check_chip;
/* is_new: nothing has run yet, so that what nobody has put into memory is not there. */
struct check_chip *check_create(struct tile *tiles, uint32_t count, uint32_t checks,
                                const kerr_policy policy[FINDING_KINDS], bool is_new);
void check_destroy(struct check_chip *checks);
/* The chip is restored: all of its state counts as written. */
void check_restored(struct check_chip *checks);

/* For kerr_tell_allocation; `node` is a noc_node.  False: there is no room. */
bool check_add_allocation(struct check_chip *checks, unsigned node, uint64_t address, uint64_t size);
void check_forget_allocations(struct check_chip *checks, unsigned node);
/* For kerr_tell_buffer.  False: there is no room. */
bool check_add_buffer(struct check_chip *checks, kerr_xy tile, uint32_t address, uint32_t size, unsigned format);
void check_forget_buffers(struct check_chip *checks, kerr_xy tile);

/* Records a finding; the same kind at the same pcs is counted.  The policy of its kind may stop the chip. `access` and `other` (NULL:
 * none) are copied; text is printf-like. */
void check_report(struct tile_check *check, unsigned kind, const kerr_access *access, const kerr_access *other,
                  const char *field, const char *manual, const char *text, ...) __attribute__((format(printf, 7, 8)));

/* The last instructions of an actor, into the finding: of a kerr_core, or CHECK_CORES + the number of a Tensix thread. */
void check_history(const struct tile_check *check, unsigned actor, kerr_finding *finding);

#endif

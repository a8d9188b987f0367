/* SPDX-License-Identifier: Apache-2.0 */
/* Checks on unmodified programs (kerr_findings.h).
 *
 * struct tile_check belongs to the chip, one for each Tensix tile, and exists only while checks are on; `tile->check` is NULL
 * otherwise, and every hook begins with that comparison.  It is no part of the chip's state: nothing of the simulation reads it,
 * so results and cycles are the same with and without (same/checks).  While checks are on the chip runs on one thread and takes no
 * window back, so that hooks are called in order of cycle within a tile.
 *
 * memory.c has what was ever written, sync.c who did what before whom; neither knows of the other. */
#ifndef KERR_CHECK_CHECK_H
#define KERR_CHECK_CHECK_H

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
    CHECK_ACTORS = CHECK_CORES + 3, /* with a history: the cores, then the Tensix threads */
};

/* The last instructions of a core or Tensix thread. */
struct check_history {
    uint32_t next; /* counts on; its low bits are the place */
    kerr_step step[KERR_HISTORY];
};

struct tile_check {
    struct tile *tile;
    uint32_t checks;             /* mask of kerr_check */
    struct check_memory *memory; /* NULL unless KERR_CHECK_MEMORY */
    struct check_sync *sync;     /* NULL unless KERR_CHECK_SYNC */
    uint32_t count, dropped;
    struct check_history history[CHECK_ACTORS];
    kerr_finding finding[CHECK_FINDINGS];
};

/* For all Tensix tiles of a chip; false: no memory. */
struct check_chip;
struct check_chip *check_create(struct tile *tiles, uint32_t count, uint32_t checks);
void check_destroy(struct check_chip *checks);

/* Records a finding; the same kind at the same pcs is counted.  The policy of its kind may stop the chip. `access` and `other` (NULL:
 * none) are copied; text is printf-like. */
void check_report(struct tile_check *check, unsigned kind, const kerr_access *access, const kerr_access *other,
                  const char *field, const char *manual, const char *text, ...) __attribute__((format(printf, 7, 8)));

/* The last instructions of an actor, into the finding. */
void check_history(const struct tile_check *check, unsigned actor, kerr_finding *finding);

/* An instruction of a baby core (actor is the kerr_core) or of a Tensix thread (CHECK_CORES + thread). */
static inline void check_step(struct tile_check *check, unsigned actor, uint32_t pc, uint32_t instruction,
                              uint64_t cycle)
{
    struct check_history *h = &check->history[actor];
    h->step[h->next++ % KERR_HISTORY] = (kerr_step){cycle, pc, instruction};
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Findings: what a program did wrong, or may have, as data.  Part of kerr.h's library.
 *
 * A fault (kerr.h) is a finding; the others come from checks, which are off unless kerr_set_checks switches them on.  Checks
 * look and change nothing: results, cycles and the state hash of a chip are the same with them.  Each kind has a name that
 * stays, and a page under docs/findings. */
#ifndef KERR_FINDINGS_H
#define KERR_FINDINGS_H

#include "kerr.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum kerr_severity {
    KERR_SEVERITY_NOTE = 0, /* legal, and seldom meant */
    KERR_SEVERITY_WARNING,  /* wrong on some cards or in some runs */
    KERR_SEVERITY_ERROR,    /* wrong */
} kerr_severity;

/* The first KERR_FAULT_KINDS are the kinds of faults; the others are in order of src/check/kinds.def. */
typedef uint32_t kerr_finding_kind;
uint32_t kerr_finding_kinds(void);
/* "uninit-l1" and so on; NULL past the end. */
const char *kerr_finding_name(kerr_finding_kind kind);
/* A few words for a heading. */
const char *kerr_finding_title(kerr_finding_kind kind);
kerr_severity kerr_finding_severity(kerr_finding_kind kind);
bool kerr_finding_by_name(const char *name, kerr_finding_kind *kind);

typedef enum kerr_actor {
    KERR_ACTOR_NONE = 0,
    KERR_ACTOR_CORE,   /* a baby core: `core` */
    KERR_ACTOR_THREAD, /* an instruction of a Tensix thread: `thread`, `unit`, `core` that pushed it */
    KERR_ACTOR_NOC,    /* a NoC transaction: `noc`; pc and core are those of who asked for it, if known */
    KERR_ACTOR_HOST,
    KERR_ACTOR_DEVICE, /* anything else of the tile */
} kerr_actor;

/* One end of a finding: who did what, where. */
typedef struct kerr_access {
    uint8_t actor; /* kerr_actor */
    kerr_xy tile;  /* where the actor is */
    int8_t core;   /* kerr_core, -1 unknown or none */
    uint8_t thread, unit, noc;
    bool is_write;
    uint32_t pc;          /* of the instruction, or of the push of a Tensix instruction */
    uint32_t instruction; /* its word, 0 if unknown */
    uint32_t address;     /* in L1 or of a register; of Dst, Src and LReg the row or register */
    uint32_t size;        /* bytes, rows or registers; 0: none */
    uint64_t cycle;
} kerr_access;

enum { KERR_HISTORY = 32 };
typedef struct kerr_step {
    uint64_t cycle;
    uint32_t pc, instruction;
} kerr_step;

typedef struct kerr_finding {
    kerr_finding_kind kind;
    kerr_severity severity;
    kerr_xy tile;       /* whose memory or state it is about */
    bool stopping;      /* it stopped the chip */
    uint32_t times;     /* the same kind at the same pcs of this tile is one finding */
    kerr_access access; /* the one that was noticed */
    kerr_access other;  /* the other end of a conflict, or who made it invalid; KERR_ACTOR_NONE if there is none */
    const char *field;  /* configuration field or register concerned, or NULL */
    const char *manual; /* page, or NULL */
    char text[200];     /* one sentence, with values */
    uint32_t history_count;
    kerr_step history[KERR_HISTORY]; /* the last instructions of access's core or thread, oldest first */
} kerr_finding;

/* Classes of checks, a mask. */
typedef enum kerr_check {
    KERR_CHECK_MEMORY = 1,
    KERR_CHECK_SYNC = 2,
    KERR_CHECK_HAZARD = 4,
    KERR_CHECK_HISTORY = 8, /* the last instructions of each actor, for faults too */
    KERR_CHECK_ALL = 15,
} kerr_check;
/* From now on; what is in memory at this moment counts as written.  0 switches off and forgets.  While on, the chip runs on
 * one thread.  Policies of faults also say what checks do: see kerr_set_finding_policy. */
kerr_status kerr_set_checks(kerr_chip *chip, uint32_t checks);
/* STOP freezes the chip at its next stop point, GO_ON records, IGNORE does not.  kerr_create: GO_ON for checks. */
kerr_status kerr_set_finding_policy(kerr_chip *chip, kerr_finding_kind kind, kerr_policy policy);

/* Faults and findings of checks since the last reset, in order of cycle, tile, core. */
kerr_status kerr_finding_count(const kerr_chip *chip, uint32_t *count);
kerr_status kerr_finding_get(const kerr_chip *chip, uint32_t index, kerr_finding *finding);
/* Findings that there was no room for. */
kerr_status kerr_findings_dropped(const kerr_chip *chip, uint32_t *count);

#ifdef __cplusplus
}
#endif
#endif

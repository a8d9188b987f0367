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

/* Another pair of instructions with the same mistake: what was noticed, and the other end. */
enum { KERR_ALSO = 8 };
typedef struct kerr_also {
    int8_t core, other_core; /* as kerr_access has them */
    uint32_t pc, other_pc;
} kerr_also;

typedef struct kerr_finding {
    kerr_finding_kind kind;
    kerr_severity severity;
    kerr_xy tile;       /* whose memory or state it is about */
    bool stopping;      /* it stopped the chip */
    uint32_t times;     /* how often it was met: what comes of the same mistake is one finding, see `also` */
    kerr_access access; /* the one that was noticed */
    kerr_access other;  /* the other end of a conflict, or who made it invalid; KERR_ACTOR_NONE if there is none */
    const char *field;  /* configuration field or register concerned, or NULL */
    const char *manual; /* page, or NULL */
    char text[200];     /* one sentence, with values */
    uint32_t history_count;
    kerr_step history[KERR_HISTORY]; /* the last instructions of access's core or thread, oldest first */
    uint32_t also_count; /* of other pairs of instructions that were met; the first KERR_ALSO are in `also` */
    kerr_also also[KERR_ALSO];
} kerr_finding;

/* Classes of checks, a mask. */
typedef enum kerr_check {
    KERR_CHECK_MEMORY = 1,
    KERR_CHECK_SYNC = 2,
    KERR_CHECK_HAZARD = 4,
    KERR_CHECK_HISTORY = 8, /* the last instructions of each actor, for faults too */
    KERR_CHECK_ALL = 15,
    KERR_CHECK_ACCESSES = 16, /* finds nothing: what checks are told goes to the trace, KERR_TRACE_ACCESS */
} kerr_check;
/* From now on; what is in memory at this moment counts as written.  0 switches off and forgets.  While on, the chip runs on
 * one thread.  Policies of faults also say what checks do: see kerr_set_finding_policy. */
kerr_status kerr_set_checks(kerr_chip *chip, uint32_t checks);
/* Memory that the host program has given to a tensor or buffer, in L1 of a Tensix tile or in the bank behind a DRAM tile (any of its
 * tiles).  Once a memory has one, NoC requests of Tensix tiles that read or write it outside all of them are tensor-bounds.
 * Size 0: all of this memory are forgotten.  KERR_BAD_STATE: memory is not checked; KERR_NO_MEMORY: there are too many. */
kerr_status kerr_tell_allocation(kerr_chip *chip, kerr_xy tile, uint64_t address, uint64_t size);
/* L1 of a Tensix tile holds numbers of a format there: a PACR that writes there, or an UNPACR that reads there, in another one is
 * buffer-format.  `format` is that of configuration (Out_data_format, In_data_format), as kerr_data_format_by_name gives it.  Size 0: all
 * of this tile are forgotten.  Errors as of kerr_tell_allocation. */
kerr_status kerr_tell_buffer(kerr_chip *chip, kerr_xy tile, uint64_t address, uint64_t size, uint32_t format);
/* "FP32", "BF16", "BFP8" and so on, as the manual has them; upper or lower case.  NULL and false: there is none. */
const char *kerr_data_format_name(uint32_t format);
bool kerr_data_format_by_name(const char *name, uint32_t *format);
/* STOP freezes the chip at its next stop point, GO_ON records, IGNORE does not.  kerr_create: GO_ON for checks. */
kerr_status kerr_set_finding_policy(kerr_chip *chip, kerr_finding_kind kind, kerr_policy policy);

/* ---- Policies and checks in words --------------------------------------------------------------------------- */

/* What each kind does. */
enum { KERR_FINDING_KINDS_MAX = 64 };
typedef struct kerr_policies {
    kerr_policy of[KERR_FINDING_KINDS_MAX];
    bool named[KERR_FINDING_KINDS_MAX]; /* by its own name */
} kerr_policies;
/* As kerr_create has them: faults stop the chip, what checks find is recorded. */
void kerr_policies_init(kerr_policies *policies);
/* A list with commas, each of it wins over those before:
 *   card           go on as the hardware would, and record only what nobody can promise that of (unimplemented, unknown,
 *                  deadlock, timeout); a bug of Kerr stops
 *   report         go on where it is known how, and record; a bug of Kerr stops
 *   strict         stop at the first
 *   KIND=POLICY    one kind, or all; POLICY is stop (or strict), go-on (report) or ignore (card)
 * False fills *error, which may be NULL, and leaves the policies as they were. */
bool kerr_policies_parse(kerr_policies *policies, const char *text, kerr_text_error *error);
/* After kerr_set_checks: hazards, unless named, are ignored while nothing looks for them. */
kerr_status kerr_set_policies(kerr_chip *chip, const kerr_policies *policies);
/* "memory,sync", "hazard", "history" or "all"; a mask of kerr_check, of which each has history in it. */
bool kerr_checks_parse(const char *text, uint32_t *checks, kerr_text_error *error);
/* The kind whose name is most like this one; NULL if none is. */
const char *kerr_finding_near(const char *name);
/* The same among any names: for a message that says "did you mean". */
const char *kerr_name_near(const char *name, const char *const *names, size_t count);

/* ---- Variables of the environment ------------------------------------------------------------------------------ */

typedef struct kerr_variable {
    const char *name, *value, *text; /* as the documents have them */
} kerr_variable;
/* All that mean something to Kerr, in order; false past the last. */
bool kerr_variable_at(uint32_t index, kerr_variable *variable);
/* The mechanisms that make a chip fast, in order; false past the last.  `bit` is that of kerr_config.without. */
typedef struct kerr_fast {
    const char *name, *text;
    uint32_t bit;
} kerr_fast;
bool kerr_fast_at(uint32_t index, kerr_fast *fast);
/* A list with commas: -NAME switches one off, +NAME on; all (as it begins) and none.  False fills *error, which may be NULL. */
bool kerr_fast_parse(const char *text, uint32_t *without, kerr_text_error *error);
/* Whether all variables of this process whose names begin with KERR_ are known and have a value that they may have, or none.
 * False fills *error, which may be NULL.  The kerr command, the drop-in library and the Python package ask before anything else; of
 * the functions here only kerr_create looks at variables, KERR_THREADS and KERR_FAST. */
bool kerr_environment_check(kerr_text_error *error);

/* ---- What was found ------------------------------------------------------------------------------------------ */

/* Faults and findings of checks since the last reset, in order of cycle, tile, core. */
kerr_status kerr_finding_count(const kerr_chip *chip, uint32_t *count);
kerr_status kerr_finding_get(const kerr_chip *chip, uint32_t index, kerr_finding *finding);
/* The same for up to `room` of them, from `first` on; *count gets how many were filled in. */
kerr_status kerr_finding_list(const kerr_chip *chip, uint32_t first, kerr_finding *list, uint32_t room,
                              uint32_t *count);
/* Findings that there was no room for. */
kerr_status kerr_findings_dropped(const kerr_chip *chip, uint32_t *count);

/* A fault of kind TIMEOUT at the present cycle, for a host that has waited long enough; its policy says whether the chip stops.
 * It is put down to the first tile in which somebody waits. */
kerr_status kerr_raise_timeout(kerr_chip *chip, const char *text);

/* ---- Who waits for whom --------------------------------------------------------------------------------------- */

/* What somebody in a Tensix tile waits for; docs/architecture.md "Deadlocks" has who could give it. */
typedef enum kerr_wait_for {
    KERR_FOR_NOTHING = 0,    /* does something, or time will let it */
    KERR_FOR_OUTSIDE,        /* in reset, halted, or polls what the host or the NoC can change */
    KERR_FOR_ENDED,          /* nothing: it will never do anything again */
    KERR_FOR_WORK,           /* a thread with nothing at its gate */
    KERR_FOR_SEMAPHORE_POST, /* number: the semaphore, which is zero */
    KERR_FOR_SEMAPHORE_GET,  /* the semaphore, which is at its maximum */
    KERR_FOR_SOURCE, /* SrcA or SrcB; number: 5 SrcA and 6 SrcB for the unpackers, 7 and 8 for the Matrix Unit, 9 either */
    KERR_FOR_CORE_REQUEST, /* STALLWAIT C10 */
    KERR_FOR_MUTEX,        /* number: the mutex */
    KERR_FOR_FIFO,         /* room in that of thread `number` */
    KERR_FOR_DONE,         /* CoprocessorDoneCheck of thread `number` */
    KERR_FOR_MOP,          /* MOPExpanderDoneCheck of thread `number` */
    KERR_FOR_AUTO_SYNC,    /* instructions of thread `number` */
    KERR_FOR_MAILBOX_WORD, /* from core `number` */
    KERR_FOR_MAILBOX_ROOM, /* to core `number` */
    KERR_FOR_PCBUF_WORD,
    KERR_FOR_PCBUF_ROOM, /* number: the PCBuf */
    KERR_FOR_PCBUF_DONE, /* number: the PCBuf */
    KERR_FOR_POLLED,     /* number: bit i, semaphore i; bit 8 + i, the mailbox from core i */
} kerr_wait_for;

/* Tensix T0, T1, T2, then RISCV B, T0, T1, T2. */
enum { KERR_WAITERS = 7, KERR_WAITER_CORE = 3 };
typedef struct kerr_waiter {
    uint8_t what;        /* kerr_wait_for */
    uint8_t released_by; /* bit i: waiter i alone could end it */
    bool stuck;          /* it waits for others only who are stuck too, or have ended */
    uint8_t reserved;
    uint32_t number, address; /* of what; where a core waits */
} kerr_waiter;
/* Of a Tensix tile.  A copy is looked at: nothing changes. */
kerr_status kerr_waiters(const kerr_chip *chip, kerr_xy at, kerr_waiter waiters[KERR_WAITERS]);

/* ---- For people and for programs ------------------------------------------------------------------------------ */

/* One line: tile, who, cycle, instruction, kind, text, page; that of a fault is kerr_fault_format's.  Returns the length it
 * would need, as snprintf. */
size_t kerr_finding_format(const kerr_finding *finding, char *buffer, size_t size);
/* One end of it: "B cycle 812 pc 0x0904c: sw a5, 0(a4): writes 4 bytes at 0x20000". */
size_t kerr_access_format(const kerr_access *access, char *buffer, size_t size);

/* Where code comes from, as far as anybody knows: NULL and 0 where it does not. */
typedef struct kerr_place {
    const char *program, *function, *file;
    int line;
    int from_line;    /* of an inlined function: where the outermost one is called */
    const char *from; /* in this file */
} kerr_place;
/* core may be -1. */
typedef void (*kerr_place_fn)(void *context, kerr_xy tile, int core, uint32_t pc, kerr_place *place);
/* One line of JSON, as docs/findings/README.md has it, without a line end.  fn may be NULL. */
size_t kerr_finding_json(const kerr_finding *finding, kerr_place_fn fn, void *context, char *buffer, size_t size);
/* Enough for kerr_finding_json with names of reasonable length. */
enum { KERR_FINDING_JSON_MAX = 65536 };

#ifdef __cplusplus
}
#endif
#endif

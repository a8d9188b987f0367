/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of synchronisation: who may do what at the same time as whom.  docs/checks.md has the rules and their pages.
 *
 * Actors are those who do things in an order of their own (enum sync_actor).  A thread stands for the order in which its
 * instructions pass the wait gate, and for all that units do at once: the Matrix Unit, the Vector Unit, configuration and the
 * Scalar Unit's arithmetic.  Unpackers, packer, mover and the Scalar Unit's requests go on behind the gate and are actors of
 * their own, one for each thread: they know what the thread knew at the gate, the thread knows of them what it waits for.
 * What the Matrix and the Vector Unit write to Dst is done by the thread, and is there when its unit is through: SYNC_MATRIX and
 * SYNC_VECTOR do nothing themselves, their epochs count instructions, and a wait for the unit lets the thread know of them.
 *
 * struct check_sync belongs to a struct tile_check, is plain data and is mapped, so that what a tile does not use costs nothing.
 * hooks.c calls everything here; nothing here calls back but check_report. */
#ifndef KERR_CHECK_SYNC_H
#define KERR_CHECK_SYNC_H

#include "check/check.h"
#include "check/config_uses.h"
#include "check/order.h"

#include <stdbool.h>
#include <stdint.h>

struct tensix_step;
struct noc_packet;
struct check_request;

enum sync_actor {
    SYNC_CORE = 0,                         /* + kerr_core */
    SYNC_THREAD = SYNC_CORE + CHECK_CORES, /* + thread, as all up to SYNC_MOVER */
    SYNC_UNPACKER0 = SYNC_THREAD + 3,      /* actors of units */
    SYNC_UNPACKER1 = SYNC_UNPACKER0 + 3,
    SYNC_PACKER = SYNC_UNPACKER1 + 3,
    SYNC_SAMPLES = SYNC_PACKER + 3, /* the packer reads configuration, some time before it ends */
    SYNC_SCALAR = SYNC_SAMPLES + 3,
    SYNC_MOVER = SYNC_SCALAR + 3,
    SYNC_MATRIX = SYNC_MOVER + 3, /* results of the two units in Dst: who knows how many of them are there */
    SYNC_VECTOR = SYNC_MATRIX + 3,
    SYNC_TDMA = SYNC_VECTOR + 3,   /* the mover, for TDMA-RISC */
    SYNC_IN = SYNC_TDMA + 1,       /* + 8 * NoC + virtual channel: requests that come from other tiles */
    SYNC_SELF = SYNC_IN + 16,      /* + NoC: those that come from this one */
    SYNC_RESPONSE = SYNC_SELF + 2, /* + NoC: answers to this tile's requests */
    SYNC_OUT = SYNC_RESPONSE + 2,  /* + NoC: an NIU reads what it sends */
    SYNC_ANSWER = SYNC_OUT + 2,    /* + NoC: an NIU reads what others have asked for */
    SYNC_HOST = SYNC_ANSWER + 2,
    SYNC_STORES = SYNC_HOST + 1, /* + thread: stores of RISCV Ti to configuration, which travel while it goes on */
    SYNC_ACTORS = SYNC_STORES + 3
};
_Static_assert((int)SYNC_ACTORS <= (int)ORDER_ACTORS, "they fit");

enum {
    SYNC_SITES = 16384, /* programs of one operation have a few hundred */
    SYNC_LEFT = 64,     /* releases to other tiles that nobody can have seen yet */
    SYNC_PUSHES = 64,   /* more than a thread has in flight */
    SYNC_GRANULES = 1536 * 1024 / 16,
    SYNC_POLLS = 512, /* of loads whose kind is remembered, a core */
    SYNC_REGISTERS = 64,
};

/* The wait instruction that a thread has latched, in program order. */
struct sync_gate {
    bool waits;
    uint8_t semaphores, stream;
    uint32_t site; /* of the wait instruction */
    uint64_t cycle;
    bool has_stream, has_scalar, has_mover;
    uint16_t blocks;
    struct order_clock clock; /* of the units it waits for, as they stood when it was latched */
};

struct sync_left {
    uint64_t cycle;
    struct order_clock clock;
};

/* Who acts until the next one does. */
struct sync_who {
    uint8_t reads, writes; /* actors of memory and register files */
    uint8_t issuer;        /* of what is done at the gate: GPRs, configuration */
    uint8_t flags;         /* SYNC_WHO_* */
    uint8_t result;        /* SYNC_MATRIX, SYNC_VECTOR: whose results it writes to Dst; 0: nobody's */
    uint32_t site;
    uint64_t cycle;
    uint32_t value;   /* SYNC_WHO_VALUE: that is written */
    uint32_t granule; /* SYNC_WHO_ATOMIC: that was changed so */
};
enum {
    SYNC_WHO_VALUE = 1,
    SYNC_WHO_ATOMIC = 2,
    SYNC_WHO_ANSWERS = 4, /* of an atomic, to a word that seldom anybody reads */
    SYNC_WHO_SETS = 8,    /* a word of the own tile, by the NoC: how kernels set a semaphore for all at once */
};

/* Configuration that a unit has read for a thread.  Its places are told of the last time only when somebody is about to write
 * configuration, or when it reads other bits. */
enum { SYNC_READ_WORDS = 64, SYNC_READERS = 5, SYNC_READS = 4 };
struct sync_reads {
    struct config_reader reader;
    bool is_pending;
    uint8_t count;
    uint32_t writes;              /* when it was last compared */
    struct order_cell cell, late; /* the last time: of the thread, of SYNC_SAMPLES */
    struct {
        uint32_t word, bits, late;
    } use[SYNC_READ_WORDS];
};

/* Who has written a row of Dst last, if it was the Matrix or the Vector Unit. */
struct sync_result {
    uint8_t unit;   /* SYNC_MATRIX, SYNC_VECTOR; 0: it was somebody else */
    uint32_t count; /* epoch of `unit` */
    uint32_t site;
    uint64_t cycle;
};

struct sync_core {
    uint64_t looked_at; /* cycle of the first look */
    bool looked;        /* at a counter of an NIU, since its last NoC request */
    bool ended;
    uint8_t looked_noc, looked_index;
    uint8_t unconfirmed; /* bit per NoC: requests since it last looked at a counter there */
    uint32_t poll_pc[SYNC_POLLS], poll_word[SYNC_POLLS]; /* pc | SYNC_POLL_* and what stood behind it */
};

struct check_sync {
    /* What the tile is doing; it stays when the past is forgotten. */
    struct sync_who who;
    struct sync_who held_who; /* `who`, while others act in between */
    struct sync_who mover;    /* who has given it work */
    struct sync_gate gate[3];
    struct sync_core core[CHECK_CORES];
    uint32_t pushes[3];
    uint8_t held[3]; /* the instruction before keeps its thread until something is done: HELD_* */
    bool ended[3];   /* RISCV Ti has, and its thread is not known to be idle */
    uint16_t tiles_received[64], tiles_acked[64];
    uint16_t multicast_ids[2];    /* by NoC, of transactions: bits */
    uint8_t semaphores_set;       /* bit per semaphore: some SEMINIT has set it up */
    uint8_t stores;               /* bit per thread: SYNC_STORES has what RISCV Ti does not know to be done */
    uint8_t flags[SYNC_GRANULES]; /* bit per word: cores or atomics synchronise with it */

    /* What was done, and by whom it is known: from here to the end. */
    struct order order;
    uint32_t push[3][SYNC_PUSHES]; /* epoch of RISCV Ti with each push */
    uint32_t
        seen[ORDER_ACTORS]; /* by unit: version of its thread's clock that it has; by any: that has left the tile */
    uint32_t gone[ORDER_ACTORS];
    struct order_clock pushed_by_b[3];
    struct order_clock semaphore[8], mutex[5], bank[2][2], mailbox[4][4], pcbuf[3], stream[64];
    struct order_clock registers[SYNC_REGISTERS];
    struct order_clock outside; /* what other tiles may know of this one */
    struct sync_left left[SYNC_LEFT];
    uint32_t left_first, left_count;
    struct order_cell semaphore_init[8];
    struct order_cell semaphore_site[8][CHECK_CORES + 3];
    uint32_t site_count;
    uint16_t site_of[2 * SYNC_SITES]; /* hash to site */
    kerr_access site[SYNC_SITES];     /* 0: unknown */
    struct sync_result result[1024];
    struct order_place dst[1024], src[2][2][64], gpr[3 * 64];
    uint32_t config_writes;
    struct sync_reads reads[3][SYNC_READERS][SYNC_READS]; /* by kinds that take turns */
    struct order_place config[2 + 3][256][2];             /* Config and ThreadConfig, halves of a word */
    struct order_place l1[SYNC_GRANULES];
};

/* NULL: no memory. */
/* is_new: no semaphore is set up yet. */
struct check_sync *sync_create(bool is_new);
void sync_destroy(struct check_sync *sync);
/* Everything that happened so far is behind us. */
void sync_forget(struct check_sync *sync);

/* ---- As check/hooks.h has them ------------------------------------------------------------------------------------ */

void sync_core_access(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction, uint32_t address,
                      unsigned size, unsigned how, uint64_t cycle);
void sync_core_device(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction, uint32_t address,
                      uint32_t value, unsigned how, uint64_t cycle);
void sync_core_enters(struct tile_check *check, unsigned core, uint32_t pc, uint64_t cycle);
void sync_push(struct tile_check *check, unsigned core, unsigned thread);
void sync_core_reset(struct tile_check *check, unsigned core, bool in_reset, uint64_t cycle);
void sync_unit_begins(struct tile_check *check, const struct tensix_step *s);
void sync_unit_done(struct tile_check *check, const struct tensix_step *s);
void sync_unit_goes_on(struct tile_check *check, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                       uint64_t cycle);
/* What the thread waits for will never come. */
void sync_stuck(struct tile_check *check, unsigned thread);
void sync_hold(struct tile_check *check);
void sync_resume(struct tile_check *check);
void sync_packet_acts(struct tile_check *check, const struct noc_packet *packet, uint64_t cycle);
void sync_acts(struct tile_check *check, unsigned actor, uint64_t cycle);
void sync_l1(struct tile_check *check, uint32_t address, uint32_t size, unsigned how);
void sync_dst(struct tile_check *check, unsigned row, unsigned mask, unsigned how);
void sync_src(struct tile_check *check, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how);
void sync_gpr(struct tile_check *check, unsigned thread, unsigned index, unsigned count, unsigned how);
void sync_config(struct tile_check *check, unsigned bank, unsigned word, unsigned how);
/* A unit has executed an instruction, for which it has read configuration. */
void sync_config_reads(struct tile_check *check, const struct tensix_step *s);
void sync_noc_begins(struct tile_check *check, const struct check_request *request, uint64_t cycle);
/* The mover begins with what who acts has given it; it goes on with that. */
void sync_mover_starts(struct tile_check *check);
void sync_mover_goes_on(struct tile_check *check, uint64_t cycle);

/* ---- Hooks of synchronisation alone --------------------------------------------------------------------------------- */

/* A semaphore is posted (+1), taken (-1) or set up (0) by who acts, before it changes. */
void sync_semaphore(struct tile_check *check, unsigned index, int change, unsigned value);
/* A core does the same through its window. */
void sync_core_semaphore(struct tile_check *check, unsigned core, uint32_t pc, unsigned index, int change,
                         unsigned value, uint64_t cycle);
/* A bank of SrcA or SrcB goes from the unpackers to the Matrix Unit, or back. */
void sync_bank(struct tile_check *check, unsigned which, unsigned bank);
/* The packet that acts has done so, and is acknowledged or answered. */
void sync_packet_done(struct tile_check *check, uint64_t cycle);
/* Who acts, and is no core, reads or writes a register. */
void sync_register(struct tile_check *check, uint32_t address, uint32_t value, unsigned how);

/* ---- Between the files of it -------------------------------------------------------------------------------------------- */

/* What a race is told as. */
struct sync_place_kind {
    unsigned finding;
    const char *name, *manual;
    const char *(*field_of)(uint32_t address, unsigned mask, unsigned half); /* NULL: it has none */
    unsigned half;                                                           /* of a word, for field_of */
};
/* kind NULL: it is none, but may be one with who comes later. */
void sync_visit(struct tile_check *check, struct order_place *place, struct order_cell now,
                const struct sync_place_kind *kind, uint32_t address);
/* What RISCV Ti has stored to configuration is known to who acquires `into`, as all else of it. */
void sync_stores_known(struct check_sync *sync, unsigned core, struct order_clock *into);
/* It is there before what RISCV Ti does next. */
void sync_stores_done(struct check_sync *sync, unsigned core);

uint32_t sync_site(struct check_sync *sync, const kerr_access *who);
kerr_access sync_access_of(const struct check_sync *sync, const struct order_cell *cell, uint32_t address);
void sync_core_acts(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction, uint64_t cycle);
/* Whether a load at pc decides about a branch: then it looks at what somebody else says. */
bool sync_load_decides(const uint8_t *l1, uint32_t l1_bytes, uint32_t pc);
/* What the actor has done and knows may be known to other tiles from this cycle on. */
void sync_leaves(struct check_sync *sync, unsigned actor, uint64_t cycle);
void sync_counter_read(struct check_sync *sync, unsigned core, unsigned noc, unsigned index, uint64_t cycle);
/* For a race over L1: another kind, and its text, if a barrier was meant to order it. */
bool sync_barrier_was_wrong(const struct check_sync *sync, const struct order_cell *a, const struct order_cell *b,
                            char *text, unsigned size);
/* AutoTTSync: a load or store of RISCV Ti of this resource waits for instructions that use it. */
void sync_auto_waits(struct tile_check *check, uint32_t resource);
void sync_core_ends(struct tile_check *check, unsigned core, uint64_t cycle);
void sync_noc_ends(struct tile_check *check, unsigned core, uint64_t cycle);
void sync_registers_touched(struct tile_check *check, unsigned actor, uint32_t address, uint32_t value, unsigned how);

#endif

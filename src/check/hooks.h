/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulation tells to checks, and where it does.
 *
 * Every hook begins with one comparison and does nothing else while checks are off.  First somebody says that it acts
 * (hook_unit_begins, hook_acts), then what it touches is told without repeating who it was: tile_check.who has that until the
 * next one acts.  Cores tell both at once.  hooks.c hands all of it to the parts, memory and synchronisation. */
#ifndef KERR_CHECK_HOOKS_H
#define KERR_CHECK_HOOKS_H

#include "check/check.h"
#include "tensix/step.h"

/* The first member of a tile and of what it lends to its coprocessor: neither need be known here. */
static inline struct tile_check *check_of(const void *tile)
{
    return *(struct tile_check *const *)tile;
}
struct noc_packet;
#ifdef KERR_WITHOUT_CHECKS /* for make bench-hooks alone, which counts what hooks cost that are off */
#define CHECKED(tile) ((void)(tile), false)
#else
#define CHECKED(tile) __builtin_expect(check_of(tile) != NULL, 0)
#endif

/* How something is touched: bits. */
enum {
    CHECK_READ = 1,
    CHECK_WRITE = 2,
    CHECK_ATOMIC = CHECK_READ | CHECK_WRITE,
    CHECK_FROM_L0 = 4, /* with CHECK_READ, by a core: its L0 data cache had the line */
    CHECK_LATER = 8,   /* with CHECK_WRITE, of configuration: visible from a later cycle on */
    CHECK_SAME = 16,   /* with CHECK_WRITE, of L1: these bytes are there already */
};
enum { CHECK_SAME_BYTES = 16 }; /* of longer writes nobody asks */

/* ---- Baby cores ------------------------------------------------------------------------------------------------- */

/* A load, store or atomic of L1 or of the core's own local RAM, when it is done; a store when it enters the queue.  The pc is
 * the core's. */
void check_core_access(struct tile_check *check, unsigned core, uint32_t instruction, uint32_t address, unsigned size,
                       unsigned how, uint64_t cycle);
/* The last such load took bytes from the L0 data cache that are others in L1. */
void check_stale_l0(struct tile_check *check, uint32_t address, uint32_t size, uint32_t was, uint32_t is);
/* Somebody else writes to the local RAM of a core, or the host to its own. */
void check_local(struct tile_check *check, unsigned core, const void *at, uint32_t size, unsigned how);
static inline void hook_local(const void *tile, unsigned core, const void *at, size_t size, unsigned how)
{
    if (CHECKED(tile))
        check_local(check_of(tile), core, at, (uint32_t)size, how);
}
/* The core is about to load from or store to something else: what the device tells of meanwhile is its doing. */
void check_core_acts(struct tile_check *check, unsigned core, uint64_t cycle);
/* The same of anything else, registers, FIFOs, local RAMs of others, with the value; `how` without CHECK_FROM_L0. */
void check_core_device(struct tile_check *check, unsigned core, uint32_t address, unsigned size, uint32_t value,
                       unsigned how, uint64_t cycle);
/* The core begins with straight-line code at pc.  Instructions since the last such call stood one behind the other. */
void check_core_enters(struct tile_check *check, unsigned core, uint32_t pc, uint64_t cycle);
/* A Tensix instruction goes into the FIFO of a thread. */
void check_push(struct tile_check *check, unsigned core, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle);
static inline void hook_push(const void *tile, unsigned core, unsigned thread, uint32_t word, uint32_t pc,
                             uint64_t cycle)
{
    if (CHECKED(tile))
        check_push(check_of(tile), core, thread, word, pc, cycle);
}
/* The core enters reset or leaves it. */
void check_core_reset(struct tile_check *check, unsigned core, bool in_reset, bool keeps_local, uint64_t cycle);
static inline void hook_core_reset(const void *tile, unsigned core, bool in_reset, bool keeps_local, uint64_t cycle)
{
    if (CHECKED(tile))
        check_core_reset(check_of(tile), core, in_reset, keeps_local, cycle);
}
/* Instruction caches of `cores`, a mask, are invalidated. */
void check_invalidates(struct tile_check *check, unsigned cores, uint64_t cycle);
static inline void hook_invalidates(const void *tile, unsigned cores, uint64_t cycle)
{
    if (CHECKED(tile))
        check_invalidates(check_of(tile), cores, cycle);
}

/* ---- Who acts --------------------------------------------------------------------------------------------------- */

/* An instruction is offered to its unit, which may not take it yet; and it has been taken. */
void check_unit_begins(struct tile_check *check, const struct tensix_step *s);
void check_unit_done(struct tile_check *check, const struct tensix_step *s);
static inline void hook_unit_begins(const tensix_step *s)
{
    if (CHECKED(s->tile))
        check_unit_begins(check_of(s->tile), s);
}
static inline void hook_unit_done(const tensix_step *s)
{
    if (CHECKED(s->tile))
        check_unit_done(check_of(s->tile), s);
}
/* A unit does in `cycle` what an instruction of `thread` has asked for before: requests of the Scalar Unit, the mover,
 * SFPLOADMACRO. */
void check_unit_goes_on(struct tile_check *check, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                        uint64_t cycle);
static inline void hook_unit_goes_on(const void *tile, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                                     uint64_t cycle)
{
    if (CHECKED(tile))
        check_unit_goes_on(check_of(tile), unit, thread, pc, word, cycle);
}
/* What it touches from now on is seen from `cycle` on. */
void check_seen_from(struct tile_check *check, uint64_t cycle);
static inline void hook_seen_from(const void *tile, uint64_t cycle)
{
    if (CHECKED(tile))
        check_seen_from(check_of(tile), cycle);
}
/* Who acts lets others do what they were to have done by now, and goes on. */
void check_hold(struct tile_check *check);
void check_resume(struct tile_check *check);
static inline void hook_hold(const void *tile)
{
    if (CHECKED(tile))
        check_hold(check_of(tile));
}
static inline void hook_resume(const void *tile)
{
    if (CHECKED(tile))
        check_resume(check_of(tile));
}
/* The mover gets work from who acts, and does a piece of it. */
void check_mover_starts(struct tile_check *check);
void check_mover_goes_on(struct tile_check *check, uint64_t cycle);
static inline void hook_mover_starts(const void *tile)
{
    if (CHECKED(tile))
        check_mover_starts(check_of(tile));
}
static inline void hook_mover_goes_on(const void *tile, uint64_t cycle)
{
    if (CHECKED(tile))
        check_mover_goes_on(check_of(tile), cycle);
}
/* A packet that this tile sends, answers or has got. */
void check_packet_acts(struct tile_check *check, const struct noc_packet *packet, uint64_t cycle);
static inline void hook_packet_acts(const void *tile, const struct noc_packet *packet, uint64_t cycle)
{
    if (CHECKED(tile))
        check_packet_acts(check_of(tile), packet, cycle);
}
/* The host, or a device of the tile by itself (kerr_actor). */
void check_acts(struct tile_check *check, unsigned actor, uint64_t cycle);
static inline void hook_acts(const void *tile, unsigned actor, uint64_t cycle)
{
    if (CHECKED(tile))
        check_acts(check_of(tile), actor, cycle);
}

/* ---- What who acts touches ---------------------------------------------------------------------------------------- */

void check_l1(struct tile_check *check, uint32_t address, uint32_t size, unsigned how);
static inline void hook_l1(const void *tile, uint64_t address, uint32_t size, unsigned how)
{
    if (CHECKED(tile))
        check_l1(check_of(tile), (uint32_t)address, size, how);
}
/* `rows` rows of Dst from `row` on, `step` apart, as an instruction with this `access` (regs/dst.h) sees them; wide: of
 * Dst32b. */
struct check_rows {
    uint32_t access;
    uint16_t row, rows, step;
    bool wide;
};
void check_dst(struct tile_check *check, struct check_rows rows, unsigned how);
static inline void hook_dst(const void *tile, struct check_rows rows, unsigned how)
{
    if (CHECKED(tile))
        check_dst(check_of(tile), rows, how);
}
/* Rows of DstBits, as they stand there. */
void check_dst_bits(struct tile_check *check, unsigned row, unsigned rows, unsigned how);
static inline void hook_dst_bits(const void *tile, unsigned row, unsigned rows, unsigned how)
{
    if (CHECKED(tile))
        check_dst_bits(check_of(tile), row, rows, how);
}
/* Rows of a bank of SrcA (0) or SrcB (1); past the end they begin anew. */
void check_src(struct tile_check *check, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how);
static inline void hook_src(const void *tile, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how)
{
    if (CHECKED(tile))
        check_src(check_of(tile), which, bank, row, rows, how);
}
/* LRegs as bits. */
void check_lregs(struct tile_check *check, uint32_t reads, uint32_t writes);
static inline void hook_lregs(const void *tile, uint32_t reads, uint32_t writes)
{
    if (CHECKED(tile))
        check_lregs(check_of(tile), reads, writes);
}
void check_gpr(struct tile_check *check, unsigned thread, unsigned index, unsigned count, unsigned how);
static inline void hook_gpr(const void *tile, unsigned thread, unsigned index, unsigned count, unsigned how)
{
    if (CHECKED(tile))
        check_gpr(check_of(tile), thread, index, count, how);
}
/* Configuration: bank 0 and 1 of Config, CHECK_THREAD_CONFIG + i the ThreadConfig of thread i.  A write is seen by instructions
 * from `visible` on.  What units read of it while they execute an instruction is not told here: check/config_uses.h. */
enum { CHECK_THREAD_CONFIG = 2 };
void check_config(struct tile_check *check, unsigned bank, unsigned word, unsigned how, uint64_t visible);
static inline void hook_config(const void *tile, unsigned bank, unsigned word, unsigned how, uint64_t visible)
{
    if (CHECKED(tile))
        check_config(check_of(tile), bank, word, how, visible);
}

/* A hazard of the Vector Unit or of UNPACR_NOP that is not recorded as a fault. */
void check_hazard(struct tile_check *check, const kerr_fault *fault);

/* ---- NoC transactions ----------------------------------------------------------------------------------------------- */

/* One request of an initiator of this tile, which hardware may split into packets. */
struct check_request {
    uint8_t noc, initiator, op; /* op: noc_op, NOC_WRITE, NOC_READ or NOC_ATOMIC */
    uint8_t transaction_id;
    bool is_inline, is_answered; /* is_answered: NIU counters tell when it is done */
    bool is_multicast;           /* `node` says nothing */
    int8_t core;                 /* that asked for it, or -1 */
    uint32_t pc;
    uint32_t local, length; /* in this tile's L1: where data comes from or goes to; length 0: it does not touch it */
    uint64_t remote;        /* address at the other end */
    uint8_t node;           /* noc_node of the other end */
};
void check_noc_begins(struct tile_check *check, const struct check_request *request, uint64_t cycle);
/* The data of the oldest write of this NoC and id has left L1; a packet of an answer has come, with its data in L1: a read
 * response, an atomic's, or the acknowledgement of a write. */
void check_noc_left(struct tile_check *check, unsigned noc, unsigned transaction_id, uint64_t cycle);
void check_noc_answered(struct tile_check *check, unsigned noc, unsigned op, unsigned transaction_id, uint32_t local,
                        uint32_t length, uint64_t cycle);
static inline void hook_noc_left(const void *tile, unsigned noc, unsigned transaction_id, uint64_t cycle)
{
    if (CHECKED(tile))
        check_noc_left(check_of(tile), noc, transaction_id, cycle);
}
static inline void hook_noc_answered(const void *tile, unsigned noc, unsigned op, unsigned transaction_id,
                                     uint64_t local, uint32_t length, uint64_t cycle)
{
    if (CHECKED(tile))
        check_noc_answered(check_of(tile), noc, op, transaction_id, (uint32_t)local, length, cycle);
}

#endif

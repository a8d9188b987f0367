/* SPDX-License-Identifier: Apache-2.0 */
/* What the simulation tells to checks, and where it does.
 *
 * Every hook begins with one comparison and does nothing else while checks are off.  First somebody says that it acts
 * (hook_unit_begins, hook_acts), then what it touches is told without repeating who it was: tile_check.who has that until the
 * next one acts.  Cores tell both at once.
 *
 * Checks stand above what they look at, so they come as a table of functions (check/hooks.c), which only they know the insides of.
 * hooks.def has the list: of each hook here is hook_NAME, which takes a tile or what it lends (tensix/tile.h) and what is told. */
#ifndef KERR_HOOKS_HOOKS_H
#define KERR_HOOKS_HOOKS_H

#include "kerr_findings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tile_check;
struct tensix_step;
struct noc_packet;

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
enum { CHECK_THREAD_CONFIG = 2 };

/* `rows` rows of Dst from `row` on, `step` apart, as an instruction with this `access` (regs/dst.h) sees them; wide: of
 * Dst32b. */
struct check_rows {
    uint32_t access;
    uint16_t row, rows, step;
    bool wide;
};

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

#define HOOK_LIST(...) __VA_ARGS__

struct hook_table {
#define HOOK(name, parameters, arguments) void (*name)(struct tile_check * check, HOOK_LIST parameters);
#define HOOK0(name) void (*name)(struct tile_check * check);
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK0
};

/* How a struct tile_check begins. */
struct hooks {
    const struct hook_table *table;
    bool watches_cores; /* loads and stores of cores are wanted */
};
static inline const struct hooks *hooks_of(const struct tile_check *check)
{
    return (const struct hooks *)(const void *)check;
}

/* The first member of a tile and of what it lends to its coprocessor: neither need be known here. */
static inline struct tile_check *check_of(const void *tile)
{
    return *(struct tile_check *const *)tile;
}
#ifdef KERR_WITHOUT_CHECKS /* for make bench-hooks alone, which counts what hooks cost that are off */
#define CHECKED(tile) ((void)(tile), false)
#else
#define CHECKED(tile) __builtin_expect(check_of(tile) != NULL, 0)
#endif

#define HOOK(name, parameters, arguments)                                                                              \
    static inline void hook_##name(const void *tile, HOOK_LIST parameters)                                             \
    {                                                                                                                  \
        if (CHECKED(tile))                                                                                             \
            hooks_of(check_of(tile))->table->name(check_of(tile), HOOK_LIST arguments);                                \
    }
#define HOOK0(name)                                                                                                    \
    static inline void hook_##name(const void *tile)                                                                   \
    {                                                                                                                  \
        if (CHECKED(tile))                                                                                             \
            hooks_of(check_of(tile))->table->name(check_of(tile));                                                     \
    }
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK0

#endif

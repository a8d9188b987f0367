/* SPDX-License-Identifier: Apache-2.0 */
/* The tile as its coprocessor sees it: what it is lent, as a core is lent its rv_bus (riscv/core.h).
 *
 * Filled in by tile/lent.c; nothing of it is state.  What is looked at often is here itself, the rest are functions, whose first
 * argument is always `owner`: the tile, which the coprocessor only hands back.  Who has a turn, who is told and what a fault stops is
 * decided there. */
#ifndef KERR_TENSIX_TILE_H
#define KERR_TENSIX_TILE_H

#include "kerr.h"

#include "tensix/files.h"

struct tile;
struct tile_check;
struct rv_pusher;
struct matrix_cache;
struct vector_cache;

enum { TENSIX_L1_BYTES = 1536 * 1024 };

/* How registers of the tile answer. */
typedef enum dev_result {
    DEV_OK = 0,
    DEV_WAIT,    /* not yet; nothing has changed */
    DEV_NOTHING, /* there is none */
    DEV_FAULT,   /* a fault has been recorded */
} dev_result;

typedef struct tensix_tile {
    struct tile_check *check; /* first, so that check_of finds it; NULL: no checks */
    struct tile *owner;
    const uint8_t *l1;
    uint32_t l1_size;
    const uint32_t *soft_reset;    /* RISCV_DEBUG_REG_SOFT_RESET_0 */
    const uint32_t *features;      /* RISCV_DEBUG_REG_DBG_FEATURE_DISABLE */
    const uint32_t *setreg_places; /* TDMA-RISC: the addresses of PACR_SETREG */
    const uint16_t *pack_offsets;  /* TDMA-RISC: what is added to a context's place in L1 */
    struct tensix_files *files;
    struct vector_cache *vector_cache;
    /* How often a gate was looked at, and an instruction handed to its unit by itself: bursts do neither.  Nobody goes by it. */
    uint64_t looked, singly;

    struct matrix_cache *(*matrix_cache)(struct tile *owner);

    /* Polling cores and decoded code notice; true: somebody heeds these lines. */
    bool (*l1_write)(struct tile *owner, uint32_t address, const void *data, unsigned size, uint64_t cycle);
    /* The same in two: where the bytes are to go; NULL if somebody heeds these lines.  Without checks. */
    uint8_t *(*l1_unheeded)(struct tile *owner, uint32_t address, unsigned size);

    /* Registers, as the Scalar Unit reaches them; before: unit_turn, for the cycle in which it may. */
    uint64_t (*unit_turn)(struct tile *owner, uint32_t address, bool store, uint64_t cycle);
    dev_result (*read)(struct tile *owner, uint32_t address, uint64_t cycle, uint32_t *value);
    dev_result (*write)(struct tile *owner, uint32_t address, uint32_t value, uint64_t cycle);
    /* A word of a core's local data RAM; false: it is not at this address. */
    bool (*local_word)(const struct tile *owner, uint32_t address, uint32_t *value);
    bool (*set_local_word)(struct tile *owner, uint32_t address, uint32_t value, uint64_t cycle);
    /* Registers of streams. */
    bool (*has_stream_register)(uint32_t address);
    dev_result (*stream_read)(struct tile *owner, unsigned core, uint32_t address, uint64_t cycle, uint32_t *value);
    uint32_t (*stream_peek)(const struct tile *owner, uint32_t address, uint64_t cycle);

    /* Cores. */
    void (*devices_changed)(struct tile *owner, uint64_t cycle); /* all that wait look again */
    void (*core_told)(struct tile *owner, unsigned core, uint64_t cycle);
    bool (*register_changes)(struct tile *owner, uint32_t address, uint32_t value, uint64_t cycle);
    bool (*core_requests)(const struct tile *owner, unsigned core); /* STALLWAIT condition C10 */
    void (*invalidate_code)(struct tile *owner, unsigned cores, uint64_t cycle);
    void (*tag_search_changes)(struct tile *owner, uint64_t cycle); /* one of its triggers in Config */
    /* RISCV Ti within a run of the coprocessor: tile/devices.h. */
    uint64_t (*pusher_told)(struct tile *owner, unsigned thread, uint64_t cycle);
    uint64_t (*pusher_turn)(struct tile *owner, unsigned thread, uint64_t cycle, uint64_t most);
    bool (*pusher_open)(struct tile *owner, unsigned thread, struct rv_pusher *pusher);
    bool (*pusher_holds_swallowed)(const struct tile *owner, unsigned thread);

    /* Who listens.  A fault is an instruction's, pushed by RISCV Ti or, if by_b, RISCV B; true: the thread must not go on. */
    bool (*fault)(struct tile *owner, kerr_fault_kind kind, unsigned thread, bool by_b, uint32_t pc, uint32_t word,
                  uint64_t cycle, const char *manual, const char *text);
    void (*internal_fault)(struct tile *owner, uint64_t cycle, const char *text);
    void (*trace)(const struct tile *owner, const kerr_trace_tensix *record); /* only if somebody does */
    unsigned (*shake)(const struct tile *owner, unsigned site, unsigned sub, uint64_t number);
} tensix_tile;

/* Whether soft reset has this bit, RISCV_DEBUG_REG_SOFT_RESET_0. */
static inline bool tensix_soft_reset(const tensix_tile *tile, unsigned bit)
{
    return *tile->soft_reset >> bit & 1;
}

#endif

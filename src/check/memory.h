/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of memory: what was ever written, what NoC transactions still use, caches that are behind.  See check.h. */
#ifndef KERR_CHECK_MEMORY_H
#define KERR_CHECK_MEMORY_H

#include "check/hooks.h"
#include "tile/tile.h"

enum {
    MEMORY_GRANULE = 16,    /* bytes of L1 that a byte of shadow stands for */
    MEMORY_TRANSFERS = 256, /* under way, that are remembered; the oldest are forgotten first */
    MEMORY_LOCAL_WORDS = 2048,
    MEMORY_WRITERS = 64, /* of code: places that are remembered */
};

/* Bits of the shadow of a granule. */
enum {
    GRANULE_WRITTEN = 1,  /* some byte of it, by anybody */
    GRANULE_TRANSFER = 2, /* a NoC transaction may still use it */
};

/* What a NoC transaction of this tile uses here until it is done. */
struct memory_transfer {
    uint32_t first, end; /* addresses; equal: none */
    uint32_t left;       /* bytes, of a read that are not there yet; of a write packets that have not left */
    bool is_write;       /* of the NoC: it reads L1 */
    uint8_t noc, transaction_id;
    kerr_access by;
};

struct check_memory {
    uint8_t l1[L1_BYTES / MEMORY_GRANULE];
    uint8_t stale[L1_BYTES / MEMORY_GRANULE]; /* bit i: core i has an old copy in its instruction cache */
    uint32_t local[CHECK_CORES][MEMORY_LOCAL_WORDS / 32];
    uint32_t dst[DST_ROWS / 32];
    uint64_t src[2][SRC_BANKS], src_again[2][SRC_BANKS]; /* ever; since the bank was given back */
    kerr_access given_back[2][SRC_BANKS];                /* who has last */
    kerr_access reset[CHECK_CORES]; /* who let the core leave the reset that its local RAM was cleared by */
    uint32_t lregs;
    uint32_t stale_cores; /* bit i: some of `stale` is of core i */
    uint32_t next_writer;
    kerr_access writer[MEMORY_WRITERS]; /* of code, with address and size */
    uint32_t transfers;                 /* in `transfer`, oldest first */
    struct memory_transfer transfer[MEMORY_TRANSFERS];
    uint64_t unpack_cycle; /* of the UNPACR that read last, and where it began */
    uint32_t unpack_begin;
    uint8_t unpack_thread;
    /* Of the PACR or UNPACR that began last: the thread whose packer ADCs count, the format in L1, and the field it comes from. */
    uint8_t adc_thread, format, format_bit;
    uint16_t format_word;
    kerr_access config_by[2][CFG_WORDS]; /* who wrote each word of Config last */
};
enum { MEMORY_NO_FORMAT = 255 };

/* What was written before: L1 where it was touched, and all else unless the chip is new. */
void memory_finds(struct tile_check *check, bool is_new);

/* check->who does this. */
void memory_l1(struct tile_check *check, uint32_t address, uint32_t size, unsigned how);
void memory_local(struct tile_check *check, unsigned core, uint32_t offset, uint32_t size, unsigned how);
void memory_dst(struct tile_check *check, unsigned row, unsigned rows, unsigned how);
void memory_src(struct tile_check *check, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how);
/* A bank goes back to the unpackers: what it holds is not meant any more. */
void memory_src_given_back(struct tile_check *check, unsigned which, unsigned bank);
/* A core leaves reset, with nothing in its local RAM. */
void memory_local_cleared(struct tile_check *check, unsigned core, uint64_t cycle);
void memory_lregs(struct tile_check *check, uint32_t reads, uint32_t writes);
/* LRegs that an instruction of the Vector Unit needs the values of, and those that it may write. */
bool memory_is_template(const struct tile_check *check, uint32_t word);
uint32_t memory_lreg_reads(uint32_t word);
uint32_t memory_lreg_writes(uint32_t word);

/* memory_cache.c */
void memory_stale_l0(struct tile_check *check, uint32_t address, uint32_t size, uint32_t was, uint32_t is);
void memory_code_written(struct tile_check *check, uint32_t address, uint32_t size);
/* The core has run `count` instructions from pc on, which it entered in `cycle`. */
void memory_ran(struct tile_check *check, unsigned core, uint32_t pc, uint32_t count, uint64_t cycle);
void memory_invalidates(struct tile_check *check, unsigned cores);

/* memory_cb.c: a NoC request, or a unit, uses L1. */
void memory_cb_request(struct tile_check *check, const kerr_access *by);
void memory_cb_unit(struct tile_check *check, uint32_t address, uint32_t size, unsigned how);

/* memory_config.c: the configuration that led an access to where it is: who wrote it (NULL: not known), and its field. */
struct memory_cause {
    const kerr_access *by;
    const char *field; /* NULL: no field of configuration did */
    char text[56];     /* "; ADC Y 3 x stride 0x100", or empty */
};
void memory_config(struct tile_check *check, unsigned bank, unsigned word);
void memory_unit_begins(struct tile_check *check, const struct tensix_step *s);
struct memory_cause memory_cause_of_row(const struct tile_check *check);
struct memory_cause memory_cause_of_l1(const struct tile_check *check);
/* A unit packs into a buffer that somebody has declared, or unpacks from it. */
void memory_buffer_unit(struct tile_check *check, uint32_t address, uint32_t size, unsigned how);

/* memory_noc.c */
/* Whether a NoC read of this tile is to bring these bytes. */
bool memory_is_awaited(const struct tile_check *check, uint32_t address, uint32_t size);
void memory_overlap(struct tile_check *check, uint32_t address, uint32_t size, unsigned how);
void memory_noc_begins(struct tile_check *check, const struct check_request *request, uint64_t cycle);
void memory_noc_left(struct tile_check *check, unsigned noc, unsigned transaction_id);
void memory_noc_read(struct tile_check *check, unsigned noc, unsigned transaction_id, uint32_t local, uint32_t length);

#endif

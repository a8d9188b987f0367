/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and writes over the NoC (manual NoC/MemoryMap, NoC/Counters): from other tiles and DRAM into this tile's L1, and from it.
 *
 *   kerr_noc_begin(kerr_noc_xy(kerr_tile_x(), kerr_tile_y()));
 *   kerr_noc_read(there, address, to, bytes);   begins
 *   kerr_noc_read_wait();                       all that was begun is there
 *
 * Two cores must not share the registers of a NoC, so that B uses NoC 1 and every other core NoC 0, unless the kernel defines KERR_NOC
 * before it includes this.  Coordinates are those that the NIU translates, the same on both.  An address must be like the other one's
 * in its low bits (16 bytes for L1, 64 for reads of DRAM); a request takes up to 16 KiB. */
#ifndef KERR_NOC_H
#define KERR_NOC_H

#include "kerr_sdk.h"

#ifndef KERR_NOC
#define KERR_NOC (KERR_CORE == KERR_CORE_B)
#endif
enum { KERR_NIU = KERR_NOC ? NOC1_REGS_START_ADDR : NOC0_REGS_START_ADDR };
enum { /* request initiators */
       KERR_NOC_WRITER = KERR_NIU,
       KERR_NOC_READER = KERR_NIU + 0x800,
       KERR_NOC_ADDER = KERR_NIU + 0x1000
};
enum { /* registers of an initiator */
       KERR_NOC_TARG_ADDR_LO = 0x00,
       KERR_NOC_TARG_ADDR_MID = 0x04,
       KERR_NOC_TARG_ADDR_HI = 0x08,
       KERR_NOC_RET_ADDR_LO = 0x0c,
       KERR_NOC_RET_ADDR_MID = 0x10,
       KERR_NOC_RET_ADDR_HI = 0x14,
       KERR_NOC_CTRL = 0x1c,
       KERR_NOC_AT_LEN_BE = 0x20,
       KERR_NOC_AT_DATA = 0x28,
       KERR_NOC_CMD_CTRL = 0x40
};
enum { /* counters of the NIU */
       KERR_NOC_ATOMIC_RESPONSES = KERR_NIU + 0x200,
       KERR_NOC_WRITE_ACKS = KERR_NIU + 0x204,
       KERR_NOC_READ_RESPONSES = KERR_NIU + 0x208
};
enum { /* NOC_CTRL: with response, static virtual channel 1 */
       KERR_NOC_READ = 0x2090,
       KERR_NOC_WRITE = 0x2092,
       KERR_NOC_ATOMIC = 0x2091
};

static struct {
    uint32_t here;
    uint32_t acks, responses; /* what the counters will be when all is done */
} kerr_noc;

static inline uint32_t kerr_noc_xy(uint32_t x, uint32_t y)
{
    return x | y << 6;
}

static inline void kerr_noc_set(uint32_t initiator, uint32_t reg, uint32_t value)
{
    *KERR_WORD(initiator + reg) = value;
}

static inline uint32_t kerr_noc_counter(uint32_t reg)
{
    return kerr_settle(*KERR_WORD(reg));
}

/* here: this tile. */
static void kerr_noc_begin(uint32_t here)
{
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_CTRL, KERR_NOC_READ);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_RET_ADDR_MID, 0);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_RET_ADDR_HI, here);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_CTRL, KERR_NOC_WRITE);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_TARG_ADDR_MID, 0);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_TARG_ADDR_HI, here);
    kerr_noc.here = here;
    kerr_noc.acks = kerr_noc_counter(KERR_NOC_WRITE_ACKS);
    kerr_noc.responses = kerr_noc_counter(KERR_NOC_READ_RESPONSES);
}

static inline void kerr_noc_wait_free_(uint32_t initiator)
{
    while (kerr_settle(*KERR_WORD(initiator + KERR_NOC_CMD_CTRL)) != 0)
        ;
}

/* Begins to read `bytes` at `address` of `there`. */
static inline void kerr_noc_read(uint32_t there, uint32_t address, uint32_t to, uint32_t bytes)
{
    kerr_noc_wait_free_(KERR_NOC_READER);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_RET_ADDR_LO, to);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_TARG_ADDR_LO, address);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_TARG_ADDR_MID, 0);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_TARG_ADDR_HI, there);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_AT_LEN_BE, bytes);
    kerr_noc_set(KERR_NOC_READER, KERR_NOC_CMD_CTRL, 1);
    kerr_noc.responses++;
}

/* Begins to write; what the core itself has written at `from` it has to kerr_publish() before. */
static inline void kerr_noc_write(uint32_t there, uint32_t address, uint32_t from, uint32_t bytes)
{
    kerr_noc_wait_free_(KERR_NOC_WRITER);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_TARG_ADDR_LO, from);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_RET_ADDR_LO, address);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_RET_ADDR_MID, 0);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_RET_ADDR_HI, there);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_AT_LEN_BE, bytes);
    kerr_noc_set(KERR_NOC_WRITER, KERR_NOC_CMD_CTRL, 1);
    kerr_noc.acks++;
}

static inline void kerr_noc_read_wait(void)
{
    while (kerr_noc_counter(KERR_NOC_READ_RESPONSES) != kerr_noc.responses)
        ;
}

/* Until they have been acknowledged: they are in memory. */
static inline void kerr_noc_write_wait(void)
{
    while (kerr_noc_counter(KERR_NOC_WRITE_ACKS) != kerr_noc.acks)
        ;
}

/* Adds to the word at `address` of `there`, atomically, and returns when that is done; the word at `old` in this tile is then what was
 * there before (kerr_fence() first, to read it). */
static inline void kerr_noc_add(uint32_t there, uint32_t address, uint32_t value, uint32_t old)
{
    enum { ADD = 1 << 12, ALL_BITS = 31 << 2 };
    const uint32_t before = kerr_noc_counter(KERR_NOC_ATOMIC_RESPONSES);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_CTRL, KERR_NOC_ATOMIC);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_TARG_ADDR_LO, address);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_TARG_ADDR_MID, 0);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_TARG_ADDR_HI, there);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_RET_ADDR_LO, old);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_RET_ADDR_MID, 0);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_RET_ADDR_HI, kerr_noc.here);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_AT_LEN_BE, ADD | ALL_BITS | (address >> 2 & 3));
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_AT_DATA, value);
    kerr_noc_set(KERR_NOC_ADDER, KERR_NOC_CMD_CTRL, 1);
    while (kerr_noc_counter(KERR_NOC_ATOMIC_RESPONSES) == before)
        ;
}

#endif /* KERR_NOC_H */

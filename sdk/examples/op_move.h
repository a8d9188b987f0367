/* SPDX-License-Identifier: Apache-2.0 */
/* What readers (NC, NoC 0) and writers (B, NoC 1) of op_*.c do with the NoC (manual NoC/MemoryMap, NoC/Counters): pages of interleaved
 * tensors, as tt-metal's data movement kernels read and write them. */
#ifndef OP_MOVE_H
#define OP_MOVE_H

#include "op.h"

#include "kerr_sdk.h"

#include "op_cb.h"

#if KERR_CORE == KERR_CORE_NC
enum { NIU = NOC0_REGS_START_ADDR };
#else
enum { NIU = NOC1_REGS_START_ADDR };
#endif
enum { WRITER = NIU, READER = NIU + 0x800 }; /* request initiators */
enum {                                       /* registers of an initiator */
       TARG_ADDR_LO = 0x00,
       TARG_ADDR_MID = 0x04,
       TARG_ADDR_HI = 0x08,
       RET_ADDR_LO = 0x0c,
       RET_ADDR_MID = 0x10,
       RET_ADDR_HI = 0x14,
       CTRL = 0x1c,
       AT_LEN_BE = 0x20,
       CMD_CTRL = 0x40
};
enum { WRITE_ACKS = NIU + 0x204, READ_RESPONSES = NIU + 0x208, WRITES_SENT = NIU + 0x228 };
enum { CTRL_READ = 0x2090, CTRL_WRITE = 0x2092 }; /* NOC_CTRL: with response, static virtual channel 1 */

static uint32_t acks, responses; /* what the counters will be when all is done */
static uint32_t bank_xy[OP_BANKS];

static inline uint32_t argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

static inline void set(uint32_t initiator, uint32_t reg, uint32_t value)
{
    *KERR_WORD(initiator + reg) = value;
}

static inline uint32_t counter(uint32_t reg)
{
    return kerr_settle(*KERR_WORD(reg));
}

static void set_up_noc(void)
{
    const uint32_t here = KERR_PARAMS->tile_x | KERR_PARAMS->tile_y << 6, port = KERR_PARAMS->tile_y % 3;
    for (uint32_t bank = 0; bank < OP_BANKS; bank++)
        bank_xy[bank] = op_bank_x(bank) | (op_bank_y(bank) + port) << 6;
    set(READER, CTRL, CTRL_READ);
    set(READER, RET_ADDR_MID, 0);
    set(READER, RET_ADDR_HI, here);
    set(WRITER, CTRL, CTRL_WRITE);
    set(WRITER, TARG_ADDR_MID, 0);
    set(WRITER, TARG_ADDR_HI, here);
    acks = counter(WRITE_ACKS);
    responses = counter(READ_RESPONSES);
}

static inline void wait_free(uint32_t initiator)
{
    while (kerr_settle(*KERR_WORD(initiator + CMD_CTRL)) != 0)
        ;
}

/* Begins to read a page of the tensor at `base`. */
static inline void read_page(uint32_t base, uint32_t page, uint32_t to)
{
    wait_free(READER);
    set(READER, RET_ADDR_LO, to);
    set(READER, TARG_ADDR_LO, base + page / OP_BANKS * OP_PAGE);
    set(READER, TARG_ADDR_MID, 0);
    set(READER, TARG_ADDR_HI, bank_xy[page % OP_BANKS]);
    set(READER, AT_LEN_BE, OP_PAGE);
    set(READER, CMD_CTRL, 1);
    responses++;
}

static inline void write_page(uint32_t base, uint32_t page, uint32_t from)
{
    wait_free(WRITER);
    set(WRITER, TARG_ADDR_LO, from);
    set(WRITER, RET_ADDR_LO, base + page / OP_BANKS * OP_PAGE);
    set(WRITER, RET_ADDR_MID, 0);
    set(WRITER, RET_ADDR_HI, bank_xy[page % OP_BANKS]);
    set(WRITER, AT_LEN_BE, OP_PAGE);
    set(WRITER, CMD_CTRL, 1);
    acks++;
}

static inline void read_barrier(void)
{
    while (counter(READ_RESPONSES) != responses)
        ;
}

static inline void write_barrier(void)
{
    while (counter(WRITE_ACKS) != acks)
        ;
}

#endif /* OP_MOVE_H */

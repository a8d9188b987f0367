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

/* `count` pages from `first` on, `together` between barriers. */
#if KERR_CORE == KERR_CORE_NC
static inline void read_pages(uint32_t base, uint32_t id, uint32_t first, uint32_t count, uint32_t together)
{
    for (uint32_t at = first; at < first + count; at += together) {
        cb_reserve_back(id, together);
        for (uint32_t i = 0; i < together; i++)
            read_page(base, at + i, cbs[id].at + i * OP_PAGE);
        read_barrier();
        cb_push_back(id, together);
    }
}

/* A page with one datum everywhere, as kernels make the tile that sums are scaled with. */
static inline void fill_page(uint32_t id, uint32_t bf16)
{
    cb_reserve_back(id, 1);
    volatile uint32_t *word = KERR_WORD(cbs[id].at);
    for (uint32_t i = 0; i < OP_PAGE / 4; i++)
        word[i] = bf16 << 16 | bf16;
    kerr_publish(&word[OP_PAGE / 4 - 1]);
    cb_push_back(id, 1);
}

static inline uint32_t log2_of(uint32_t power)
{
    uint32_t log = 0;
    for (; power > 1; power >>= 1)
        log++;
    return log;
}
#else
static inline void write_pages(uint32_t base, uint32_t id, uint32_t first, uint32_t count, uint32_t together)
{
    for (uint32_t at = first; at < first + count; at += together) {
        cb_wait_front(id, together);
        for (uint32_t i = 0; i < together; i++)
            write_page(base, at + i, cbs[id].at + i * OP_PAGE);
        write_barrier();
        cb_pop_front(id, together);
    }
}
#endif

#endif /* OP_MOVE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* What readers (NC, NoC 0) and writers (B, NoC 1) of op_*.c do with the NoC (manual NoC/MemoryMap, NoC/Counters): pages of interleaved
 * tensors, as tt-metal's data movement kernels read and write them. */
#ifndef OP_MOVE_H
#define OP_MOVE_H

#include "op.h"

#include "kerr_cb.h"
#include "kerr_noc.h"
#include "kerr_sdk.h"

static uint32_t bank_xy[OP_BANKS];

static void set_up_noc(void)
{
    const uint32_t port = KERR_PARAMS->tile_y % 3;
    for (uint32_t bank = 0; bank < OP_BANKS; bank++)
        bank_xy[bank] = kerr_noc_xy(op_bank_x(bank), op_bank_y(bank) + port);
    kerr_noc_begin(kerr_noc_xy(KERR_PARAMS->tile_x, KERR_PARAMS->tile_y));
}

/* Begins to read a page of the tensor at `base`. */
static inline void read_page(uint32_t base, uint32_t page, uint32_t to)
{
    kerr_noc_read(bank_xy[page % OP_BANKS], base + page / OP_BANKS * OP_PAGE, to, OP_PAGE);
}

static inline void write_page(uint32_t base, uint32_t page, uint32_t from)
{
    kerr_noc_write(bank_xy[page % OP_BANKS], base + page / OP_BANKS * OP_PAGE, from, OP_PAGE);
}

/* `count` pages from `first` on, `together` between barriers. */
#if KERR_CORE == KERR_CORE_NC
static inline void read_pages(uint32_t base, uint32_t id, uint32_t first, uint32_t count, uint32_t together)
{
    for (uint32_t at = first; at < first + count; at += together) {
        kerr_cb_reserve_back(id, together);
        for (uint32_t i = 0; i < together; i++)
            read_page(base, at + i, kerr_cb_at(id) + i * OP_PAGE);
        kerr_noc_read_wait();
        kerr_cb_push_back(id, together);
    }
}

/* A page with one datum everywhere, as kernels make the tile that sums are scaled with. */
static inline void fill_page(uint32_t id, uint32_t bf16)
{
    kerr_cb_reserve_back(id, 1);
    volatile uint32_t *word = KERR_WORD(kerr_cb_at(id));
    for (uint32_t i = 0; i < OP_PAGE / 4; i++)
        word[i] = bf16 << 16 | bf16;
    kerr_publish(&word[OP_PAGE / 4 - 1]);
    kerr_cb_push_back(id, 1);
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
        kerr_cb_wait_front(id, together);
        for (uint32_t i = 0; i < together; i++)
            write_page(base, at + i, kerr_cb_at(id) + i * OP_PAGE);
        kerr_noc_write_wait();
        kerr_cb_pop_front(id, together);
    }
}
#endif

#endif /* OP_MOVE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffers between the cores of a tile, as tt-metal has them: a FIFO of pages in L1 with one producer and one consumer.  A page
 * is KERR_PAGE_BYTES long, a tile of BF16 unless the kernel says otherwise before it includes this.
 *
 *   producer                            consumer
 *   kerr_cb_reserve_back(id, pages);    kerr_cb_wait_front(id, pages);
 *   ... writes at kerr_cb_at(id) ...    ... reads at kerr_cb_at(id) ...
 *   kerr_cb_push_back(id, pages);       kerr_cb_pop_front(id, pages);
 *
 * Every core that takes part calls kerr_cb_create() with the same numbers.  How many pages ever came and how many were ever taken is
 * counted modulo 2^16 in two registers of the NoC overlay's stream of the same number, which streams that move no messages have for
 * general use (manual NoC/Overlay): they have to be zero, as after a reset, or be set back by kerr_cb_clear().
 *
 * B and NC write the registers themselves.  T0 and T2 let the Scalar Unit write them, behind what the unpackers or the packer have still
 * to do with the pages (kerr_compute.h); T1 has no part in it. */
#ifndef KERR_CB_H
#define KERR_CB_H

#include "kerr_sdk.h"

#ifndef KERR_PAGE_BYTES
#define KERR_PAGE_BYTES 2048
#endif

enum { KERR_CBS = 32, KERR_CB_RECEIVED = 4 * 10, KERR_CB_ACKED = 4 * 8 }; /* STREAM_REMOTE_DEST_BUF_SIZE, _BUF_START */

struct kerr_cb {
    uint32_t begin, end, pages, at; /* at: where this core writes or reads next */
    uint32_t count;                 /* pages this core has pushed, or popped */
};
static struct kerr_cb kerr_cbs[KERR_CBS];

static inline volatile uint32_t *kerr_cb_register(uint32_t id, uint32_t which)
{
    return KERR_WORD(NOC_OVERLAY_START_ADDR + id * 0x1000 + which);
}

static inline void kerr_cb_create(uint32_t id, uint32_t begin, uint32_t pages)
{
    kerr_cbs[id] = (struct kerr_cb){begin, begin + pages * KERR_PAGE_BYTES, pages, begin, 0};
}

/* One of the two, before the other one begins: a tile that has run kernels before. */
static inline void kerr_cb_clear(uint32_t id)
{
    *kerr_cb_register(id, KERR_CB_RECEIVED) = 0;
    *kerr_cb_register(id, KERR_CB_ACKED) = 0;
}

/* The address of the page that this core writes or reads next; those behind it follow, up to the end of the buffer. */
static inline uint32_t kerr_cb_at(uint32_t id)
{
    return kerr_cbs[id].at;
}

static inline void kerr_cb_wait_front_(uint32_t id, uint32_t pages)
{
    while ((uint16_t)(kerr_settle(*kerr_cb_register(id, KERR_CB_RECEIVED)) - kerr_cbs[id].count) < pages)
        ;
}

static inline void kerr_cb_reserve_back_(uint32_t id, uint32_t pages)
{
    while (kerr_cbs[id].pages - (uint16_t)(kerr_cbs[id].count - kerr_settle(*kerr_cb_register(id, KERR_CB_ACKED))) <
           pages)
        ;
}

static inline void kerr_cb_move_on_(uint32_t id, uint32_t pages)
{
    struct kerr_cb *cb = &kerr_cbs[id];
    cb->count += pages;
    cb->at += pages * KERR_PAGE_BYTES;
    if (cb->at >= cb->end)
        cb->at -= cb->end - cb->begin;
}

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#define kerr_cb_wait_front kerr_cb_wait_front_
#define kerr_cb_reserve_back kerr_cb_reserve_back_

static inline void kerr_cb_push_back(uint32_t id, uint32_t pages)
{
    kerr_cb_move_on_(id, pages);
    *kerr_cb_register(id, KERR_CB_RECEIVED) = kerr_cbs[id].count & 0xffff;
}

static inline void kerr_cb_pop_front(uint32_t id, uint32_t pages)
{
    kerr_cb_move_on_(id, pages);
    *kerr_cb_register(id, KERR_CB_ACKED) = kerr_cbs[id].count & 0xffff;
}
#endif

#endif /* KERR_CB_H */

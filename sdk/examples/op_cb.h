/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffers of op_*.c, as tt-metal has them: a FIFO of pages in L1 with one producer and one consumer.  How many pages ever came
 * and how many were ever taken is counted modulo 2^16 in two registers of the NoC overlay's stream of the same number, which
 * streams that move no messages have for general use (manual NoC/Overlay).
 *
 * B and NC write the registers themselves.  T0 and T2 let the Scalar Unit write them, behind what the unpackers or the packer have
 * still to do with the pages; T1 has no part in it. */
#ifndef OP_CB_H
#define OP_CB_H

enum { CB_COUNT = 32, CB_RECEIVED = 4 * 10, CB_ACKED = 4 * 8 }; /* STREAM_REMOTE_DEST_BUF_SIZE, _BUF_START */

struct cb {
    uint32_t begin, end, pages, at; /* at: where this core writes or reads next */
    uint32_t count;                 /* pages this core has pushed, or popped */
};
static struct cb cbs[CB_COUNT];

static inline volatile uint32_t *cb_register(uint32_t id, uint32_t which)
{
    return KERR_WORD(NOC_OVERLAY_START_ADDR + id * 0x1000 + which);
}

static inline void cb_create(uint32_t id, uint32_t begin, uint32_t pages)
{
    cbs[id] = (struct cb){begin, begin + pages * OP_PAGE, pages, begin, 0};
}

static inline void cb_wait_front_(uint32_t id, uint32_t pages)
{
    while ((uint16_t)(kerr_settle(*cb_register(id, CB_RECEIVED)) - cbs[id].count) < pages)
        ;
}

static inline void cb_reserve_back_(uint32_t id, uint32_t pages)
{
    while (cbs[id].pages - (uint16_t)(cbs[id].count - kerr_settle(*cb_register(id, CB_ACKED))) < pages)
        ;
}

static inline void cb_move_on(uint32_t id, uint32_t pages)
{
    struct cb *cb = &cbs[id];
    cb->count += pages;
    cb->at += pages * OP_PAGE;
    if (cb->at >= cb->end)
        cb->at -= cb->end - cb->begin;
}

#if KERR_CORE == KERR_CORE_B || KERR_CORE == KERR_CORE_NC
#define cb_wait_front cb_wait_front_
#define cb_reserve_back cb_reserve_back_

static inline void cb_push_back(uint32_t id, uint32_t pages)
{
    cb_move_on(id, pages);
    *cb_register(id, CB_RECEIVED) = cbs[id].count & 0xffff;
}

static inline void cb_pop_front(uint32_t id, uint32_t pages)
{
    cb_move_on(id, pages);
    *cb_register(id, CB_ACKED) = cbs[id].count & 0xffff;
}
#endif

#endif /* OP_CB_H */

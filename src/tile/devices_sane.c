/* SPDX-License-Identifier: Apache-2.0 */
/* A restored snapshot must not lead the devices out of their arrays. */
#include "tile/tile.h"

#include "noc/packet.h"
#include "tensix/tensix.h"

static bool fifo_is_sane(unsigned head, unsigned count, unsigned capacity)
{
    return head < capacity && count <= capacity;
}

/* An initiator waits once if it is busy, else not at all; what was settled when it started is on the grid. */
static bool niu_is_sane(const struct niu *niu, unsigned noc, unsigned node)
{
    unsigned waits = 0;
    bool sane = niu->queue_count <= NIU_INITIATORS && niu->outgoing <= NIU_TRANSACTION_IDS && niu->noc == noc &&
                niu->node == node;
    for (unsigned i = 0; i < NIU_INITIATORS && sane; i++) {
        sane = niu->queue[i] < NIU_INITIATORS && (i >= niu->queue_count || !(waits >> niu->queue[i] & 1));
        waits |= sane && i < niu->queue_count ? 1u << niu->queue[i] : 0;
    }
    for (unsigned i = 0; i < NIU_INITIATORS && sane; i++) {
        const struct niu_initiator *from = &niu->initiator[i];
        sane = from->busy == (waits >> i & 1) && from->destination < NOC_NODES && from->return_to < NOC_NODES &&
               from->start_x < NOC_GRID_X && from->end_x < NOC_GRID_X && from->start_y < NOC_GRID_Y &&
               from->end_y < NOC_GRID_Y;
    }
    return sane;
}

bool devices_are_sane(const struct devices *dev)
{
    bool sane = true;
    for (unsigned from = 0; from < MAILBOX_CORES; from++) {
        for (unsigned to = 0; to < MAILBOX_CORES; to++) {
            const struct mailbox *m = &dev->mailbox[from][to];
            sane = sane && fifo_is_sane(m->head, m->count, MAILBOX_CAPACITY);
        }
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        sane = sane && fifo_is_sane(dev->pcbuf[i].head, dev->pcbuf[i].count, PCBUF_CAPACITY);
    }
    for (unsigned i = 0; i < PIC_CORES; i++) {
        sane = sane && dev->pic.next[i] < PIC_SW_IRQS + PIC_HW_IRQS && dev->pic.int_no[i] < PIC_SW_IRQS + PIC_HW_IRQS;
    }
    for (unsigned noc = 0; noc < NOC_COUNT; noc++)
        sane = sane && niu_is_sane(&dev->niu[noc], noc, noc_node_at(dev->x, dev->y));
    return sane && tensix_is_sane(&dev->tensix) && dev->timestamper.accumulated_words < 4;
}

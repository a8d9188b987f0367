/* SPDX-License-Identifier: Apache-2.0 */
/* A restored snapshot must not lead the devices out of their arrays. */
#include "tile/tile.h"

#include "tensix/tensix.h"

static bool fifo_is_sane(unsigned head, unsigned count, unsigned capacity)
{
    return head < capacity && count <= capacity;
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
    for (unsigned noc = 0; noc < 2; noc++) {
        const struct niu *niu = &dev->niu[noc];
        sane = sane && niu->queue_count <= NIU_INITIATORS && niu->outgoing <= NIU_TRANSACTION_IDS && niu->noc == noc;
        for (unsigned i = 0; i < NIU_INITIATORS; i++)
            sane = sane && niu->queue[i] < NIU_INITIATORS;
    }
    return sane && tensix_is_sane(&dev->tensix) && dev->timestamper.accumulated_words < 4;
}

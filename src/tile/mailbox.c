/* SPDX-License-Identifier: Apache-2.0 */
/* Mailboxes: 16 FIFOs, one from each of RISCV B, T0, T1, T2 to each of the same four.
 *
 * Manual BabyRISCV/Mailboxes.  The page of the address (bits 13:12) names the other core: who is written to, or
 * whose mailbox is read; the accessing core is the other end.  Bit 2 of a read's address asks whether anything
 * is there instead of taking it.  Left out: the shared buffers in which a write waits before the core itself
 * stalls; the engine's store queue stands for them. */
#include "tile/blocks.h"

static unsigned other_core(uint32_t address)
{
    return address >> 12 & 3;
}

static unsigned written_by(const struct devices *dev, unsigned from)
{
    unsigned sum = 0;
    for (unsigned to = 0; to < MAILBOX_CORES; to++)
        sum += dev->mailbox[from][to].count;
    return sum;
}

dev_result mailbox_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (written_by(dev, client) >= MAILBOX_CAPACITY)
        return DEV_WAIT;
    struct mailbox *box = &dev->mailbox[client][other_core(address)];
    box->value[(box->head + box->count++) % MAILBOX_CAPACITY] = value;
    tile_devices_changed(tile, cycle);
    return DEV_OK;
}

dev_result mailbox_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct mailbox *box = &tile_devices(tile)->mailbox[other_core(address)][client];
    if (address & 4) {
        *value = box->count != 0;
        return DEV_OK;
    }
    if (box->count == 0)
        return DEV_WAIT;
    *value = box->value[box->head];
    box->head = (uint8_t)((box->head + 1) % MAILBOX_CAPACITY);
    box->count--;
    tile_devices_changed(tile, cycle); /* a writer may wait for the place */
    return DEV_OK;
}

/* What a read would give; zero where it would wait. */
bool mailbox_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)cycle;
    const struct mailbox *box = &tile_devices_const(tile)->mailbox[other_core(address)][client];
    if (address & 4)
        *value = box->count != 0;
    else
        *value = box->count ? box->value[box->head] : 0;
    return true;
}

/* A FIFO has no storage that a debugger could write without pushing. */
bool mailbox_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)address, (void)value, (void)cycle;
    return false;
}

/* Manual SoftReset "RISCV soft reset": what the core wrote and nobody has read is discarded. */
void mailbox_core_reset(struct devices *dev, unsigned core)
{
    if (core >= MAILBOX_CORES)
        return;
    for (unsigned to = 0; to < MAILBOX_CORES; to++)
        dev->mailbox[core][to] = (struct mailbox){.count = 0};
}

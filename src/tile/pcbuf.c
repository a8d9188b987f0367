/* SPDX-License-Identifier: Apache-2.0 */
/* PCBufs: three FIFOs of 16 words, from RISCV B to each of RISCV T0, T1, T2.
 *
 * Manual BabyRISCV/PCBufs.  RISCV B writes to push; its reads wait until the thread has read everything, waits for
 * more and has nothing left in the coprocessor.  RISCV Ti reads to pop; its writes are discarded.  The override
 * bits sit in RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE, ten for each PCBuf. */
#include "tile/blocks.h"

#include "tensix/tensix.h"

enum { OVERRIDE_EN = 1, OVERRIDE_BUSY = 2, OVERRIDE_VALUE_SHIFT = 2, OVERRIDE_BITS = 10 };

static uint32_t override_of(const struct devices *dev, unsigned i)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_TRISC_PC_BUF_OVERRIDE) >> (OVERRIDE_BITS * i);
}

bool pcbuf_override_busy(const struct devices *dev, unsigned thread)
{
    return (override_of(dev, thread) & (OVERRIDE_EN | OVERRIDE_BUSY)) == (OVERRIDE_EN | OVERRIDE_BUSY);
}

/* RISCV Ti has one PCBuf, its own; for RISCV B bits 17:16 of the address choose. */
static unsigned index_of(unsigned client, uint32_t address)
{
    return client == KERR_CORE_B ? (address >> 16 & 3) : client_thread(client);
}

dev_result pcbuf_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    if (client != KERR_CORE_B)
        return DEV_OK;
    struct pcbuf *buf = &tile_devices(tile)->pcbuf[index_of(client, address)];
    if (buf->count == PCBUF_CAPACITY)
        return DEV_WAIT;
    buf->value[(buf->head + buf->count++) % PCBUF_CAPACITY] = value;
    tile_devices_changed(tile, cycle);
    return DEV_OK;
}

static dev_result read_b(struct tile *tile, unsigned i, uint64_t cycle, uint32_t *value)
{
    struct devices *dev = tile_devices(tile);
    const struct pcbuf *buf = &dev->pcbuf[i];
    if (!pcbuf_override_busy(dev, i)) {
        if (buf->count || !buf->reader_waits)
            return DEV_WAIT;
        if (!tensix_thread_idle(&dev->tensix, i, cycle)) {
            tensix_wait(&dev->tensix, i, TENSIX_WAITS_DONE, cycle);
            tile_has_event(tile, tensix_next(&dev->tensix));
            return DEV_WAIT;
        }
    }
    *value = 0;
    return DEV_OK;
}

dev_result pcbuf_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct devices *dev = tile_devices(tile);
    unsigned i = index_of(client, address);
    if (client == KERR_CORE_B)
        return read_b(tile, i, cycle, value);
    struct pcbuf *buf = &dev->pcbuf[i];
    if (buf->count == 0) {
        if (override_of(dev, i) & OVERRIDE_EN) {
            *value = override_of(dev, i) >> OVERRIDE_VALUE_SHIFT & 0xFF;
            buf->reader_waits = false;
            return DEV_OK;
        }
        if (!buf->reader_waits) { /* the one thing a waiting read changes: RISCV B can see that it waits */
            buf->reader_waits = true;
            tile_devices_changed(tile, cycle);
        }
        return DEV_WAIT;
    }
    *value = buf->value[buf->head];
    buf->head = (uint8_t)((buf->head + 1) % PCBUF_CAPACITY);
    buf->count--;
    buf->reader_waits = false;
    tile_devices_changed(tile, cycle);
    return DEV_OK;
}

bool pcbuf_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)cycle;
    const struct pcbuf *buf = &tile_devices_const(tile)->pcbuf[index_of(client, address)];
    *value = client != KERR_CORE_B && buf->count ? buf->value[buf->head] : 0;
    return true;
}

bool pcbuf_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)address, (void)value, (void)cycle;
    return false;
}

/* Manual SoftReset "RISCV soft reset": the FIFO is emptied when its reader leaves reset; a read that was waiting
 * when the reader entered reset is aborted. */
void pcbuf_core_reset(struct devices *dev, unsigned core, bool in_reset)
{
    if (!client_is_t(core))
        return;
    struct pcbuf *buf = &dev->pcbuf[client_thread(core)];
    buf->reader_waits = false;
    if (!in_reset)
        *buf = (struct pcbuf){.count = 0};
}

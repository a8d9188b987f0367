/* SPDX-License-Identifier: Apache-2.0 */
/* TTSync: how RISCV Ti waits for the Tensix instructions it has pushed.
 *
 * Manual BabyRISCV/ManualTTSync and AutoTTSync.  Manual: a load from PC_BUF_BASE + 4 or + 8 returns when the thread,
 * or its MOP expander, has nothing left to do; the value is undefined (zero here) and stores are discarded.
 * Automatic: loads and stores of backend configuration, GPRs and TDMA-RISC wait by themselves.
 *
 * The coprocessor is not here yet, so "in flight" means: still in one of the thread's FIFOs.  Left out with it:
 * which resource an instruction uses (RESOURCEDECL); an access waits for all instructions of the thread, which the
 * manual calls safe. */
#include "tile/blocks.h"

enum {
    OPCODE_MOP = 0x01,
    TENSIX_TRISC_SYNC_ADDR32 = 56, /* ThreadConfig; bits 0, 2, 3 as ttsync_resource counts */
    TRACK_TENSIX_INSTRUCTIONS = 1 << 4,
};

bool ttsync_thread_idle(const struct devices *dev, unsigned thread)
{
    const struct tensix_thread *t = &dev->thread[thread];
    return t->fifo_count == 0 && t->replay_count == 0 && t->gate_count == 0;
}

bool ttsync_mop_busy(const struct devices *dev, unsigned thread)
{
    const struct tensix_thread *t = &dev->thread[thread];
    for (unsigned i = 0; i < t->fifo_count; i++)
        if (t->fifo[(t->fifo_head + i) % TENSIX_FIFO_CAPACITY] >> 24 == OPCODE_MOP)
            return true;
    return false;
}

bool ttsync_auto_waits(const struct devices *dev, unsigned client, ttsync_resource resource)
{
    if (!client_is_t(client))
        return false; /* "Anything done by RISCV B or RISCV NC" is not handled */
    unsigned thread = client_thread(client);
    uint32_t track = dev->thread[thread].config[TENSIX_TRISC_SYNC_ADDR32];
    return (track & TRACK_TENSIX_INSTRUCTIONS) && (track >> resource & 1) && !ttsync_thread_idle(dev, thread);
}

static bool exists(uint32_t address)
{
    return address == TTSYNC_COPROCESSOR_DONE_CHECK || address == TTSYNC_MOP_EXPANDER_DONE_CHECK;
}

dev_result ttsync_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)cycle;
    const struct devices *dev = tile_devices(tile);
    unsigned thread = client_thread(client);
    if (!exists(address))
        return DEV_NOTHING;
    bool busy =
        address == TTSYNC_COPROCESSOR_DONE_CHECK ? !ttsync_thread_idle(dev, thread) : ttsync_mop_busy(dev, thread);
    if (busy && !pcbuf_override_busy(dev, thread))
        return DEV_WAIT;
    *value = 0;
    return DEV_OK;
}

dev_result ttsync_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)value, (void)cycle;
    return exists(address) ? DEV_OK : DEV_NOTHING;
}

bool ttsync_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)tile, (void)client, (void)cycle;
    *value = 0;
    return exists(address);
}

bool ttsync_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)value, (void)cycle;
    return exists(address);
}

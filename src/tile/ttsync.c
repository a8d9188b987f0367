/* SPDX-License-Identifier: Apache-2.0 */
/* TTSync: how RISCV Ti waits for the Tensix instructions it has pushed.
 *
 * Manual BabyRISCV/ManualTTSync and AutoTTSync.  Manual: a load from PC_BUF_BASE + 4 or + 8 returns when the thread,
 * or its MOP expander, has nothing left to do; the value is undefined (zero here) and stores are discarded.
 * Automatic: loads and stores of backend configuration, GPRs and TDMA-RISC wait by themselves.
 *
 * Left out: which resource an instruction uses (RESOURCEDECL); an access waits for all instructions of the thread, which
 * the manual calls safe. */
#include "tile/blocks.h"

#include "tensix/tensix.h"

enum {
    TENSIX_TRISC_SYNC_ADDR32 = 56, /* ThreadConfig; bits 0, 2, 3 as ttsync_resource counts */
    TRACK_TENSIX_INSTRUCTIONS = 1 << 4,
};

/* Auto TTSync: the access of this core must wait for instructions that it pushed before. */
bool ttsync_auto_waits(struct devices *dev, unsigned client, ttsync_resource resource, uint64_t cycle)
{
    if (!client_is_t(client))
        return false; /* "Anything done by RISCV B or RISCV NC" is not handled */
    unsigned thread = client_thread(client);
    uint32_t track = dev->tensix.thread[thread].config[TENSIX_TRISC_SYNC_ADDR32];
    if (!(track & TRACK_TENSIX_INSTRUCTIONS) || !(track >> resource & 1) || dev->tensix.thread[thread].in_flight == 0)
        return false;
    tensix_wait(&dev->tensix, thread, TENSIX_WAITS_AUTO, cycle);
    return true;
}

static bool exists(uint32_t address)
{
    return address == TTSYNC_COPROCESSOR_DONE_CHECK || address == TTSYNC_MOP_EXPANDER_DONE_CHECK;
}

dev_result ttsync_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    struct devices *dev = tile_devices(tile);
    unsigned thread = client_thread(client);
    if (!exists(address))
        return DEV_NOTHING;
    const bool all = address == TTSYNC_COPROCESSOR_DONE_CHECK;
    const bool busy =
        all ? !tensix_thread_idle(&dev->tensix, thread, cycle) : tensix_mop_busy(&dev->tensix, thread, cycle);
    if (busy && !pcbuf_override_busy(dev, thread)) {
        tensix_wait(&dev->tensix, thread, all ? TENSIX_WAITS_DONE : TENSIX_WAITS_MOP, cycle);
        tile_has_event(tile, tensix_next(&dev->tensix));
        return DEV_WAIT;
    }
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

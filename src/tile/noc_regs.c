/* SPDX-License-Identifier: Apache-2.0 */
/* NoC registers as far as they can be answered without a NoC: who am I.
 *
 * Manual NoC/MemoryMap "NOC_NODE_ID".  Everything else in the two NoC regions is a fault until the
 * NoC is there; this file is the one to replace then.  The dateline bits 26 and 27 read as zero. */
#include "tile/blocks.h"

void devices_set_position(struct devices *dev, unsigned x, unsigned y)
{
    dev->x = (uint8_t)x;
    dev->y = (uint8_t)y;
}

bool noc_regs_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    const struct devices *dev = tile_devices_const(tile);
    uint32_t x = dev->x, y = dev->y;
    if (address == NOC1_NODE_ID) { /* NoC 1 counts from the opposite corner */
        x = KERR_GRID_X - 1 - x;
        y = KERR_GRID_Y - 1 - y;
    } else if (address != NOC0_NODE_ID) {
        return false;
    }
    *value = x | y << 6 | (uint32_t)KERR_GRID_X << 12 | (uint32_t)KERR_GRID_Y << 19;
    return true;
}

static const char *which(uint32_t address)
{
    return address >= NOC1_REGS_START_ADDR ? "NoC 1" : "NoC 0";
}

dev_result noc_regs_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    if (noc_regs_peek(tile, client, address, cycle, value))
        return DEV_OK;
    *value = 0;
    tile_fault(tile, KERR_FAULT_UNIMPLEMENTED, client, address, cycle, "NoC/MemoryMap",
               "%s registers come with the NoC: read of 0x%08x", which(address), address);
    return DEV_FAULT;
}

dev_result noc_regs_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    if (address == NOC0_NODE_ID || address == NOC1_NODE_ID)
        return DEV_OK;
    tile_fault(tile, KERR_FAULT_UNIMPLEMENTED, client, address, cycle, "NoC/MemoryMap",
               "%s registers come with the NoC: write of 0x%x to 0x%08x", which(address), value, address);
    return DEV_FAULT;
}

bool noc_regs_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)address, (void)value, (void)cycle;
    return false;
}

void niu_deliver(struct tile *tile, uint32_t ref, uint64_t cycle)
{
    (void)cycle;
    tile_noc_release(tile, ref);
}

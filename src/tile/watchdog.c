/* SPDX-License-Identifier: Apache-2.0 */
/* Watchdog timer: counts down to zero, then raises hardware IRQ 3 of the PIC.
 *
 * Manual WormholeB0 EthernetTile/CycleCounters gives counter and status; manual PIC gives the IRQ.  The time at
 * which it reaches zero is kept instead of a count, so that it costs nothing while it runs.
 * OPEN: the PIC page makes the IRQ "subject to appropriate configuration" and names no bit; here bit 0 of WDT_CNTL
 * (count) is enough, and writing a new count or clearing bit 0 takes the IRQ back.  A card would settle it. */
#include "tile/blocks.h"

enum { CNTL_COUNT = 1, PIC_IRQ = 3 };

static uint32_t count_at(const struct devices *dev, uint64_t cycle)
{
    uint64_t deadline = dev->watchdog.deadline;
    if (deadline == 0)
        return debug_reg_peek(dev, RISCV_DEBUG_REG_WATCHDOG_TIMER);
    return cycle < deadline ? (uint32_t)(deadline - cycle) : 0;
}

static bool expired(const struct devices *dev, uint64_t cycle)
{
    return (debug_reg_peek(dev, RISCV_DEBUG_REG_WDT_CNTL) & CNTL_COUNT) && count_at(dev, cycle) == 0;
}

bool watchdog_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client;
    const struct devices *dev = tile_devices_const(tile);
    if (address == RISCV_DEBUG_REG_WATCHDOG_TIMER)
        *value = count_at(dev, cycle);
    else if (address == RISCV_DEBUG_REG_WDT_STATUS)
        *value = expired(dev, cycle);
    else
        *value = debug_reg_peek(dev, address);
    return true;
}

dev_result watchdog_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    watchdog_peek(tile, client, address, cycle, value);
    return DEV_OK;
}

/* Sets count and control as of this cycle. */
static void start(struct tile *tile, uint32_t count, uint32_t control, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    *debug_reg(dev, RISCV_DEBUG_REG_WATCHDOG_TIMER) = count;
    *debug_reg(dev, RISCV_DEBUG_REG_WDT_CNTL) = control;
    dev->watchdog.deadline = (control & CNTL_COUNT) && count ? cycle + count : 0;
    pic_set_hw_int(tile, PIC_IRQ, expired(dev, cycle), cycle);
}

dev_result watchdog_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    const struct devices *dev = tile_devices(tile);
    if (address == RISCV_DEBUG_REG_WATCHDOG_TIMER)
        start(tile, value, debug_reg_peek(dev, RISCV_DEBUG_REG_WDT_CNTL), cycle);
    else if (address == RISCV_DEBUG_REG_WDT_CNTL)
        start(tile, count_at(dev, cycle), value, cycle);
    return DEV_OK;
}

bool watchdog_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    return watchdog_write(tile, client, address, value, cycle) == DEV_OK;
}

void watchdog_event(struct tile *tile, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (dev->watchdog.deadline && cycle >= dev->watchdog.deadline)
        start(tile, 0, debug_reg_peek(dev, RISCV_DEBUG_REG_WDT_CNTL), cycle);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Performance counters: five groups, each a reference counter of cycles and many counters of events.
 *
 * The vendor's performance counter guide and headers.  Of each group's three registers the first is a reference
 * period, the second has mode (bit 0: stop after the period) and selection (bits 16:8, bit 16 = grants), and a
 * rising bit 0 of the third clears and starts, a rising bit 1 stops.  PERF_CNT_ALL does the third for
 * INSTRN_THREAD and FPU.  OUT_L is the reference count, OUT_H the selected event's count.
 * Left out: the events.  No Tensix instruction executes yet, so FPU and INSTRN_THREAD truly count nothing; the
 * other groups have signals that are high at rest, and reading one is a fault. */
#include "tile/blocks.h"

enum { GROUP_INSTRN_THREAD, GROUP_TDMA_UNPACK, GROUP_TDMA_PACK, GROUP_DBG_L1, GROUP_FPU };
enum { MODE_AUTO_STOP = 1, START = 1, STOP = 2 };

static uint32_t first_register(unsigned group)
{
    static const uint32_t first[PERF_GROUPS] = {
        RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD0, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK0,
        RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK0,     RISCV_DEBUG_REG_PERF_CNT_L1_0,
        RISCV_DEBUG_REG_PERF_CNT_FPU0,
    };
    return first[group];
}

static uint32_t reference(const struct devices *dev, unsigned group, uint64_t cycle)
{
    const struct perf_group *g = &dev->perf[group];
    if (!g->running)
        return g->reference;
    uint64_t count = cycle - g->started;
    uint32_t period = debug_reg_peek(dev, first_register(group));
    bool auto_stop = debug_reg_peek(dev, first_register(group) + 4) & MODE_AUTO_STOP;
    return auto_stop && count > period ? period : (uint32_t)count;
}

static void control(struct devices *dev, unsigned group, uint32_t risen, uint64_t cycle)
{
    struct perf_group *g = &dev->perf[group];
    if (risen & STOP) {
        g->reference = reference(dev, group, cycle);
        g->running = false;
    }
    if (risen & START)
        *g = (struct perf_group){.started = cycle, .running = true};
}

static bool is_output(uint32_t address)
{
    return address >= RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD && address <= RISCV_DEBUG_REG_PERF_CNT_OUT_H_FPU;
}

static unsigned output_group(uint32_t address)
{
    return (address - RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD) / 8;
}

bool perf_counters_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client;
    const struct devices *dev = tile_devices_const(tile);
    if (!is_output(address))
        *value = debug_reg_peek(dev, address);
    else
        *value = address & 4 ? 0 : reference(dev, output_group(address), cycle);
    return true;
}

dev_result perf_counters_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    perf_counters_peek(tile, client, address, cycle, value);
    if (!is_output(address) || !(address & 4))
        return DEV_OK;
    unsigned group = output_group(address);
    if (group == GROUP_INSTRN_THREAD || group == GROUP_FPU)
        return DEV_OK;
    tile_fault(tile, KERR_FAULT_UNIMPLEMENTED, client, address, cycle, NULL, "%s: event %u is not counted yet",
               devices_register_name(address),
               debug_reg_peek(tile_devices(tile), first_register(group) + 4) >> 8 & 0x1FF);
    return DEV_FAULT;
}

dev_result perf_counters_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    struct devices *dev = tile_devices(tile);
    if (is_output(address))
        return DEV_OK;
    uint32_t risen = value & ~debug_reg_peek(dev, address);
    *debug_reg(dev, address) = value;
    for (unsigned group = 0; group < PERF_GROUPS; group++) {
        bool by_all = address == RISCV_DEBUG_REG_PERF_CNT_ALL && (group == GROUP_INSTRN_THREAD || group == GROUP_FPU);
        if (by_all || address == first_register(group) + 8)
            control(dev, group, risen, cycle);
    }
    return DEV_OK;
}

bool perf_counters_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    struct devices *dev = tile_devices(tile);
    if (!is_output(address))
        *debug_reg(dev, address) = value;
    else if (!(address & 4))
        dev->perf[output_group(address)] = (struct perf_group){.reference = value};
    return true;
}

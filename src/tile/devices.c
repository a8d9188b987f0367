/* SPDX-License-Identifier: Apache-2.0 */
/* Dispatch by address to the blocks of a Tensix tile.
 *
 * Manual BabyRISCV/README, "Memory map": which region answers depends on the address and on who asks.  Regions and
 * clients come from isa/tile.regs.  L1 and local data RAM are the engine's.
 * Blocks deal in words.  A narrow load takes its bytes out of the word (the manual allows it for backend
 * configuration and, through the vendor's header, for GPRs; elsewhere it is the natural reading).  A narrow store
 * is known for GPRs only. */
#include "tile/blocks.h"

#include "hooks/hooks.h"

#include "cfg_fields.h"
#include "costs.h"
#include "tile/niu.h"
#include "tile/overlay.h"

#include <string.h>

enum region {
#define X(name, first, last, clients) REGION_##name,
    TILE_REGIONS(X)
#undef X
        REGION_eth,
    REGION_dram,
    REGION_none
};

static const struct {
    uint32_t first, last, clients;
} regions[] = {
#define X(name, first, last, clients) {first, last, clients},
    TILE_REGIONS(X)
#undef X
};

/* A guess from the top of the address, good for every address that is in a region. */
static enum region guess(uint32_t address)
{
    switch (address >> 16) {
    case 0xFFB1:
        switch (address >> 12 & 0xF) {
        case 1: return REGION_tdma;
        case 2: return REGION_debug;
        case 3: return address < RISCV_PC_SNAPSHOT_START_ADDR ? REGION_pic : REGION_pc;
        default: return REGION_none;
        }
    case 0xFFB2: return REGION_noc0;
    case 0xFFB3: return REGION_noc1;
    case 0xFFB4:
    case 0xFFB5:
    case 0xFFB6:
    case 0xFFB7: return REGION_overlay;
    case 0xFFB8: return REGION_mop_cfg;
    case 0xFFBD: return REGION_dst;
    case 0xFFE0: return REGION_gpr;
    case 0xFFE4: return REGION_instrn_buf;
    case 0xFFE5: return REGION_instrn1_buf;
    case 0xFFE6: return REGION_instrn2_buf;
    case 0xFFE8: return REGION_pc_buf;
    case 0xFFE9: return REGION_pc1_buf;
    case 0xFFEA: return REGION_pc2_buf;
    case 0xFFEC: return REGION_mailbox;
    case 0xFFEF: return REGION_cfg;
    default: return REGION_none;
    }
}

/* What Ethernet and DRAM tiles have in common with a Tensix tile. */
static bool every_kind_has(enum region region)
{
    return region == REGION_debug || region == REGION_noc0 || region == REGION_noc1 || region == REGION_overlay;
}

static enum region region_for(const struct devices *dev, unsigned client, uint32_t address)
{
    if (dev->kind == KERR_TILE_ETH && eth_regs_has(address))
        return REGION_eth;
    if (dev->kind == KERR_TILE_DRAM && dram_regs_has(address))
        return REGION_dram;
    enum region region = guess(address);
    if (client == CLIENT_TENSIX) {
        if (address >= REGFILE_BASE)
            return REGION_none; /* its addresses go from 0xFFB00000 to 0xFFBFFFFF */
        client = KERR_CORE_B;   /* what of these it reaches is not described: as RISCV B */
    }
    if (devices_cores(dev) != KERR_CORE_COUNT && !every_kind_has(region))
        return REGION_none;
    if (region == REGION_none || address < regions[region].first || address > regions[region].last ||
        !(regions[region].clients >> client & 1))
        return REGION_none;
    return region;
}

/* RISCV Ti has three things where RISCV B has one (manual, rows from PC_BUF_BASE). */
enum pc_buf_part { PART_PCBUF, PART_TTSYNC, PART_SEMAPHORES };

static enum pc_buf_part pc_buf_part(unsigned client, uint32_t address)
{
    if (client == KERR_CORE_B || address < TTSYNC_COPROCESSOR_DONE_CHECK)
        return PART_PCBUF;
    return address < PC_BUF_SEMAPHORE ? PART_TTSYNC : PART_SEMAPHORES;
}

/* One switch for the four kinds of access: CALL(block) is what to return, NONE for no region, DST for Dst, whose loads and
 * stores of any size come to dst_window.c before they come here. */
#define DISPATCH(dev, client, address, CALL, NONE, DST)                                                                \
    switch (region_for(dev, client, address)) {                                                                        \
    case REGION_tdma: return CALL(tdma_risc);                                                                          \
    case REGION_debug: return CALL(debug_regs);                                                                        \
    case REGION_pic: return CALL(pic);                                                                                 \
    case REGION_pc: return CALL(pc_snapshot);                                                                          \
    case REGION_noc0:                                                                                                  \
    case REGION_noc1: return CALL(niu);                                                                                \
    case REGION_overlay: return CALL(overlay);                                                                         \
    case REGION_mop_cfg: return CALL(mop_cfg);                                                                         \
    case REGION_dst: return DST;                                                                                       \
    case REGION_gpr: return CALL(gpr);                                                                                 \
    case REGION_instrn_buf:                                                                                            \
    case REGION_instrn1_buf:                                                                                           \
    case REGION_instrn2_buf: return CALL(instrn_buf);                                                                  \
    case REGION_pc_buf:                                                                                                \
        switch (pc_buf_part(client, address)) {                                                                        \
        case PART_PCBUF: return CALL(pcbuf);                                                                           \
        case PART_TTSYNC: return CALL(ttsync);                                                                         \
        case PART_SEMAPHORES: return CALL(semaphores);                                                                 \
        }                                                                                                              \
        break;                                                                                                         \
    case REGION_pc1_buf:                                                                                               \
    case REGION_pc2_buf: return CALL(pcbuf);                                                                           \
    case REGION_mailbox: return CALL(mailbox);                                                                         \
    case REGION_cfg: return CALL(config);                                                                              \
    case REGION_eth: return CALL(eth_regs);                                                                            \
    case REGION_dram: return CALL(dram_regs);                                                                          \
    case REGION_none: break;                                                                                           \
    }                                                                                                                  \
    return NONE

static dev_result read_word(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
#define CALL(block) block##_read(tile, client, address, cycle, value)
    DISPATCH(tile_devices_const(tile), client, address, CALL, DEV_NOTHING, DEV_NOTHING);
#undef CALL
}

static dev_result write_word(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
#define CALL(block) block##_write(tile, client, address, value, cycle)
    DISPATCH(tile_devices_const(tile), client, address, CALL, DEV_NOTHING, DEV_NOTHING);
#undef CALL
}

static bool peek_word(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
#define CALL(block) block##_peek(tile, client, address, cycle, value)
    DISPATCH(tile_devices_const(tile), client, address, CALL, false, dst_window_peek(tile, client, address, value));
#undef CALL
}

static bool poke_word(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
#define CALL(block) block##_poke(tile, client, address, value, cycle)
    DISPATCH(tile_devices_const(tile), client, address, CALL, false, dst_window_poke(tile, client, address, value));
#undef CALL
}

static bool is_dst(const struct tile *tile, unsigned client, uint32_t address)
{
    return guess(address) == REGION_dst && region_for(tile_devices_const(tile), client, address) == REGION_dst;
}

static uint32_t bytes_mask(unsigned size)
{
    return size == 4 ? 0xFFFFFFFF : (1u << 8 * size) - 1;
}

dev_result devices_read(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint64_t cycle,
                        uint32_t *value)
{
    uint32_t word = 0;
    if (is_dst(tile, client, address))
        return dst_window_read(tile, client, address, size, cycle, value);
    dev_result result = read_word(tile, client, address & ~3u, cycle, &word);
    *value = word >> 8 * (address & 3) & bytes_mask(size);
    if (client == CLIENT_TENSIX)
        hook_device(tile, address, word, CHECK_READ);
    return result;
}

static dev_result write_narrow(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint32_t value,
                               uint64_t cycle)
{
    uint32_t word, mask = bytes_mask(size) << 8 * (address & 3);
    enum region region = region_for(tile_devices(tile), client, address);
    if (region == REGION_none)
        return DEV_NOTHING;
    if (region == REGION_gpr && gpr_peek(tile, client, address & ~3u, cycle, &word))
        return gpr_write(tile, client, address & ~3u, (word & ~mask) | (value << 8 * (address & 3) & mask), cycle);
    bool is_cfg = region == REGION_cfg;
    const char *name = devices_register_name(address);
    tile_fault(tile, is_cfg ? KERR_FAULT_UNDEFINED : KERR_FAULT_UNKNOWN, client, address, cycle,
               is_cfg ? "TensixCoprocessor/BackendConfiguration" : NULL,
               "store of %u bytes to 0x%08x (%s): only whole words are described", size, address,
               name ? name : "no register");
    return DEV_FAULT;
}

dev_result devices_write(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint32_t value,
                         uint64_t cycle)
{
    if (is_dst(tile, client, address))
        return dst_window_write(tile, client, address, size, value, cycle);
    if (client >= CLIENT_NOC)
        hook_device(tile, address, value, CHECK_WRITE);
    dev_result result = size == 4 ? write_word(tile, client, address, value, cycle)
                                  : write_narrow(tile, client, address, size, value, cycle);
    if (result == DEV_OK && devices_is_steady(address))
        tile_devices_changed(tile, cycle); /* somebody may poll it */
    return result;
}

bool devices_is_steady(uint32_t address)
{
    switch (guess(address)) {
    case REGION_debug: return debug_regs_is_steady(address & ~3u);
    case REGION_tdma:
    case REGION_pic:
    case REGION_gpr:
    case REGION_cfg: return true;
    case REGION_overlay: return overlay_is_steady(address);
    case REGION_mailbox: return address & 4;
    case REGION_pc_buf: /* the semaphores */ return address >= PC_BUF_SEMAPHORE;
    default: return false;
    }
}

/* NIU registers from NOC_CMD_CTRL on; of these NIU_TRANS_COUNT_RTZ_NUM is changed by reading it. */
rv_steady devices_is_parkable(const struct devices *dev, uint32_t address)
{
    if ((address & 0xFFFE0000u) == 0xFFB20000u)
        return (address & 0xFFFC) != 0x378 && !devices_is_quiet(address) ? STEADY_VALUE : STEADY_NOT;
    switch (guess(address)) {
    case REGION_overlay: return overlay_is_steady(address) ? STEADY_VALUE : STEADY_NOT;
    case REGION_debug: return wall_clock_is_parkable(dev, address);
    case REGION_pc_buf: return address >= PC_BUF_SEMAPHORE ? STEADY_VALUE : STEADY_NOT;
    default: return STEADY_NOT;
    }
}

bool devices_soft_reset(const struct devices *dev, uint32_t bits)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_SOFT_RESET_0) & bits;
}

bool devices_is_tensix(uint32_t address)
{
    const enum region region = guess(address);
    return region == REGION_gpr || region == REGION_cfg || region == REGION_tdma;
}

/* The request initiators up to, and without, NOC_CMD_CTRL. */
bool devices_is_quiet(uint32_t address)
{
    return (address & 0xFFFE0000u) == 0xFFB20000u && (address & 0xFFFF) < 0x2000 && (address & 0x7FF) < 0x40;
}

bool devices_only_keeps(uint32_t address)
{
    const enum region region = guess(address);
    return region == REGION_gpr || region == REGION_cfg || region == REGION_overlay || region == REGION_mop_cfg;
}

bool devices_releases_nobody(uint32_t address)
{
    switch (guess(address)) {
    case REGION_gpr:
    case REGION_overlay: return true;
    case REGION_cfg: return (address - TENSIX_CFG_BASE) / 4 % CFG_WORDS < GLOBAL_CFGREG_BASE_ADDR32;
    default: return false;
    }
}

bool devices_tells(unsigned core, uint32_t address)
{
    switch (guess(address)) {
    case REGION_mailbox: return true;
    case REGION_pc_buf: return pc_buf_part(core, address) == PART_TTSYNC;
    default: return false;
    }
}

bool devices_reach_out(const struct devices *dev, uint32_t address)
{
    const enum region region = guess(address);
    return region == REGION_noc0 || region == REGION_noc1 || (dev->kind == KERR_TILE_ETH && eth_regs_has(address)) ||
           (dev->kind == KERR_TILE_DRAM && dram_regs_has(address));
}

bool devices_peek(const struct tile *tile, unsigned client, uint32_t address, uint32_t *value, uint64_t cycle)
{
    *value = 0;
    return peek_word(tile, client, address & ~3u, cycle, value);
}

bool devices_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    return poke_word(tile, client, address & ~3u, value, cycle);
}

void devices_set_kind(struct devices *dev, kerr_tile_kind kind)
{
    dev->kind = (uint8_t)kind;
}

void devices_reset_own(union own_regs *own, kerr_tile_kind kind)
{
    if (kind == KERR_TILE_ETH)
        eth_regs_reset(&own->eth);
    if (kind == KERR_TILE_DRAM)
        dram_regs_reset(&own->dram);
}

void devices_reset(struct devices *dev)
{
    uint8_t x = dev->x, y = dev->y, kind = dev->kind;
    memset(dev, 0, sizeof *dev);
    dev->kind = kind;
    devices_set_position(dev, x, y);
    devices_reset_debug_regs(dev);
}

unsigned devices_load_latency(uint32_t address)
{
    switch (guess(address)) {
    case REGION_pc_buf:
    case REGION_pc1_buf:
    case REGION_pc2_buf:
    case REGION_mailbox: return COST_LOAD_FIFO;
    case REGION_gpr:
    case REGION_cfg:
    case REGION_tdma:
    case REGION_instrn_buf:
    case REGION_instrn1_buf:
    case REGION_instrn2_buf:
    case REGION_mop_cfg:
    case REGION_dst: /* OPEN: the manual gives no latency for Dst; taken as the coprocessor's other registers */
        return COST_LOAD_TENSIX;
    default: return COST_LOAD_TILE;
    }
}

void devices_event(struct tile *tile, uint64_t cycle)
{
    if (devices_next_timer(tile_devices_const(tile)) <= cycle) {
        watchdog_event(tile, cycle);
        daisychain_event(tile, cycle);
        perf_counters_event(tile, cycle);
        overlay_event(tile, cycle);
    }
    niu_event(tile, cycle);
}

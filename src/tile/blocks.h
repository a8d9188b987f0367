/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks behind devices.c, one file each; only devices.c and the blocks include this.
 *
 * X_read and X_write are the hardware's, with side effects; X_peek and X_poke are a debugger's, without.  All take
 * the address as the client sees it, aligned to a word: devices.c cuts bytes and halves out of words.  devices.c
 * has checked that the client reaches the region at all. */
#ifndef KERR_TILE_BLOCKS_H
#define KERR_TILE_BLOCKS_H

#include "tile/devices.h"
#include "tile_regs.h"

/* Which Tensix thread a client belongs to; only for T0, T1, T2. */
static inline unsigned client_thread(unsigned client)
{
    return client - KERR_CORE_T0;
}

static inline bool client_is_t(unsigned client)
{
    return client >= KERR_CORE_T0 && client <= KERR_CORE_T2;
}

/* A kind that is not set counts as Tensix. */
static inline unsigned devices_cores(const struct devices *dev)
{
    return dev->kind == KERR_TILE_ETH ? 2 : dev->kind == KERR_TILE_DRAM ? 1 : KERR_CORE_COUNT;
}

static inline uint32_t devices_l1_bytes(const struct devices *dev)
{
    return dev->kind == KERR_TILE_ETH ? 512 * 1024 : dev->kind == KERR_TILE_DRAM ? 128 * 1024 : DEVICES_L1_BYTES;
}

/* The word last written to a register of 0xFFB12000.. */
static inline uint32_t *debug_reg(struct devices *dev, uint32_t address)
{
    return &dev->debug_reg[(address - RISCV_DEBUG_REGS_START_ADDR) / 4];
}

static inline uint32_t debug_reg_peek(const struct devices *dev, uint32_t address)
{
    return dev->debug_reg[(address - RISCV_DEBUG_REGS_START_ADDR) / 4];
}

#define BLOCK(x)                                                                                                       \
    dev_result x##_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value);        \
    dev_result x##_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle);        \
    bool x##_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value);        \
    bool x##_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)

/* ---- Regions ---- */
BLOCK(mailbox);
BLOCK(pcbuf);      /* PC_BUF_BASE of RISCV B, and the first word of RISCV Ti's */
BLOCK(ttsync);     /* the rest of RISCV Ti's first 32 bytes */
BLOCK(semaphores); /* and what follows */
BLOCK(gpr);
BLOCK(config);
BLOCK(mop_cfg);
BLOCK(instrn_buf);
BLOCK(tdma_risc);
BLOCK(pic);
BLOCK(pc_snapshot);
BLOCK(niu);     /* niu.c */
BLOCK(overlay); /* overlay.c */
BLOCK(debug_regs);
BLOCK(eth_regs);  /* Ethernet tiles: isa/eth.regs */
BLOCK(dram_regs); /* DRAM tiles: isa/dram.regs */

/* Dst: with the size of the access, which decides what an element is (dst_window.c). */
dev_result dst_window_read(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint64_t cycle,
                           uint32_t *value);
dev_result dst_window_write(struct tile *tile, unsigned client, uint32_t address, unsigned size, uint32_t value,
                            uint64_t cycle);
bool dst_window_peek(const struct tile *tile, unsigned client, uint32_t address, uint32_t *value);
bool dst_window_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value);

/* ---- Registers of the region 0xFFB12000, called by debug_regs.c ---- */
BLOCK(wall_clock);
BLOCK(watchdog);
BLOCK(perf_counters);
BLOCK(debug_interface);
BLOCK(instrn_buf_debug);
#undef BLOCK
void devices_reset_debug_regs(struct devices *dev);
bool debug_regs_is_steady(uint32_t address);
rv_steady wall_clock_is_parkable(const struct devices *dev, uint32_t address);
dev_result soft_reset_write(struct tile *tile, uint32_t value, uint64_t cycle);

/* Whether an address of an Ethernet tile, of a DRAM tile, is in a region of its own table. */
bool eth_regs_has(uint32_t address);
bool dram_regs_has(uint32_t address);
void eth_regs_reset(struct eth_regs *regs);
void dram_regs_reset(struct dram_regs *regs);

/* ---- Between blocks ---- */

/* A core has entered reset (true) or is about to leave it: what each block forgets. */
void mailbox_core_reset(struct devices *dev, unsigned core);
void pcbuf_core_reset(struct devices *dev, unsigned core, bool in_reset);
void tensix_fifo_core_reset(struct devices *dev, unsigned core);
void pic_core_reset(struct tile *tile, unsigned core, uint64_t cycle);
void debug_interface_core_reset(struct tile *tile, unsigned core, uint64_t cycle);
/* Soft reset bits 8 and 9 rise. */
void tdma_risc_soft_reset(struct devices *dev);
void config_thcon_soft_reset(struct devices *dev);

/* The bits that exist: all in a Tensix tile, those of the cores elsewhere (the reference simulator reads 0x1800 back
 * from an Ethernet tile). */
uint32_t soft_reset_mask(const struct devices *dev);
/* True while soft reset holds the core. */
bool soft_reset_holds(const struct devices *dev, unsigned core);
/* Soft reset bit number `bit`. */
bool soft_reset_bit(const struct devices *dev, unsigned bit);
/* Where a core starts when it leaves reset. */
uint32_t soft_reset_pc(const struct devices *dev, unsigned core);

/* A hardware IRQ of the PIC goes up or down. */
void pic_set_hw_int(struct tile *tile, unsigned irq, bool raised, uint64_t cycle);

/* The bits of ThreadConfig's TENSIX_TRISC_SYNC that switch it on. */
typedef enum ttsync_resource { TTSYNC_GLOBAL_CFG = 1 << 0, TTSYNC_GPR = 1 << 2, TTSYNC_TDMA = 1 << 3 } ttsync_resource;
/* Auto TTSync: the access of this core must wait for instructions that it pushed before. */
/* A load or store of GPRs, configuration or TDMA-RISC has come in `cycle` and must wait: STALLWAIT condition C10, which was
 * met up to the cycle before. */
void ttsync_request_waits(struct tile *tile, uint64_t cycle);
bool ttsync_auto_waits(struct tile *tile, unsigned client, ttsync_resource resource, uint32_t address, bool is_store,
                       uint64_t cycle);
/* PCBuf[i].OverrideEn and OverrideBusy. */
bool pcbuf_override_busy(const struct devices *dev, unsigned thread);

/* One word of the backend configuration space as RISCV_DEBUG_REG_CFGREG_RD_CNTL counts them; false past its end. */
bool config_word(const struct devices *dev, uint32_t index, uint32_t *value);
/* A trigger in Config words 212..219 has been written. */
void tag_search_latch(struct devices *dev);

void watchdog_event(struct tile *tile, uint64_t cycle);
void daisychain_event(struct tile *tile, uint64_t cycle);
void perf_counters_event(struct tile *tile, uint64_t cycle);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV_DEBUG_REG_SOFT_RESET_0, RISCV_DEBUG_REG_DISABLE_RESET and the reset PC registers.
 *
 * Manual SoftReset.  The bits of the cores act at once; bits 8 (TDMA-RISC) and 9 (THCON configuration) act as far
 * as their blocks exist, as do bits 6 (mover), 9 (Scalar Unit), 10 (Matrix Unit and Vector Unit), 15 and 16 (AllowedClient
 * of SrcA, of SrcB), 17 (ZEROACC, packer's connection to Dst), 2 (packer) and 23 (Auto TTSync).  Left out: the other bits of coprocessor units, which are stored and
 * wait for their units.
 * Bit 31, which the vendor's driver sets when it starts cores ("staggered start"), has no effect in the manual. */
#include "tile/blocks.h"

#include "tensix/events.h"
#include "tensix/files.h"
#include "tensix/pack/packer.h"
#include "tensix/regs/src.h"
#include "tensix/tensix.h"

#include <string.h>

enum {
    BITS_UNPACKERS = 1 << 0 | 1 << 1 | 1 << 7,
    BIT_PACKER0 = 2,
    BIT_MOVER = 6,
    BIT_TDMA_RISC = 8,
    BIT_THCON = 9,
    BIT_FPU_SFPU = 10,
    BIT_SRC_A_COLUMNS = 19, /* four bits */
    BIT_B = 11,
    BIT_SRC_A = 15, /* SrcB: the next */
    BIT_ZEROACC = 17,
    BIT_NC = 18,
    BIT_AUTO_TTSYNC = 23
};

/* Of an Ethernet tile E0 has the bit of B, E1 that of T0 (tt-umd); a DRAM tile has one core. */
static unsigned core_bit(unsigned core)
{
    return core == KERR_CORE_NC ? BIT_NC : BIT_B + core;
}

uint32_t soft_reset_mask(const struct devices *dev)
{
    unsigned cores = devices_cores(dev);
    return cores == KERR_CORE_COUNT ? UINT32_MAX : ((1u << cores) - 1) << BIT_B;
}

bool soft_reset_bit(const struct devices *dev, unsigned bit)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_SOFT_RESET_0) >> bit & 1;
}

bool soft_reset_holds(const struct devices *dev, unsigned core)
{
    return soft_reset_bit(dev, core_bit(core));
}

uint32_t soft_reset_pc(const struct devices *dev, unsigned core)
{
    if (devices_cores(dev) != KERR_CORE_COUNT)
        return dev->reset_pc[core];
    if (client_is_t(core)) {
        unsigned i = client_thread(core);
        if (debug_reg_peek(dev, RISCV_DEBUG_REG_TRISC_RESET_PC_OVERRIDE) >> i & 1)
            return debug_reg_peek(dev, RISCV_DEBUG_REG_TRISC0_RESET_PC + 4 * i);
        return 0x6000 + 0x4000 * i;
    }
    if (core == KERR_CORE_NC) {
        if (debug_reg_peek(dev, RISCV_DEBUG_REG_NCRISC_RESET_PC_OVERRIDE) & 1)
            return debug_reg_peek(dev, RISCV_DEBUG_REG_NCRISC_RESET_PC);
        return 0x12000;
    }
    return 0; /* RISCV B has no register for it */
}

/* DISABLE_RESET has two bits for each core in the order T0, T1, T2, B, NC: local RAM, then DR registers. */
static unsigned disable_reset_shift(unsigned core)
{
    if (client_is_t(core))
        return 2 * client_thread(core);
    return core == KERR_CORE_B ? 6 : 8;
}

static bool disable_reset(const struct devices *dev, unsigned core, unsigned which)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_DISABLE_RESET) >> (disable_reset_shift(core) + which) & 1;
}

bool devices_clears_local_ram(const struct devices *dev, unsigned core)
{
    return !disable_reset(dev, core, 0);
}

bool devices_clears_debug_registers(const struct devices *dev, unsigned core)
{
    return !disable_reset(dev, core, 1);
}

static void enter(struct tile *tile, unsigned core, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    mailbox_core_reset(dev, core);
    pcbuf_core_reset(dev, core, true);
    tensix_fifo_core_reset(dev, core);
    pic_core_reset(tile, core, cycle);
    if (devices_clears_debug_registers(dev, core))
        debug_interface_core_reset(tile, core, cycle);
}

/* "SrcA data" and "SrcB data": columns of all rows become zero. */
static void clear_sources(struct tile *tile, uint32_t risen)
{
    const uint32_t all = 1u << BIT_FPU_SFPU, some = 15u << BIT_SRC_A_COLUMNS, b = 1u << (BIT_SRC_A + SRC_B);
    if (!(risen & (all | some | b)))
        return;
    struct tensix_files *files = tile_tensix_files(tile);
    if (risen & b)
        memset(files->SrcB, 0, sizeof files->SrcB);
    for (unsigned column = 0; column < SRC_COLUMNS; column++)
        if ((risen & all) || (risen >> (BIT_SRC_A_COLUMNS + column / 4) & 1))
            for (unsigned row = 0; row < SRC_BANKS * SRC_ROWS; row++)
                files->SrcA[row / SRC_ROWS][row % SRC_ROWS][column] = 0;
}

/* What the bits of the coprocessor's units do when they go up and down.  What is under way is not aborted: its effects are
 * there from the cycle in which a unit took it.  But the mover stops, and the Scalar Unit stops trying. */
static void units(struct tile *tile, uint32_t risen, uint32_t fallen, uint64_t cycle)
{
    struct tensix *tx = &tile_devices(tile)->tensix;
    for (unsigned which = SRC_A; which <= SRC_B; which++)
        if (risen >> (BIT_SRC_A + which) & 1)
            src_soft_reset(tile_lent(tile), tx, which, cycle);
    if (risen >> BIT_ZEROACC & 1) {
        struct tensix_files *files = tile_tensix_files(tile);
        memset(files->dst_row_undefined, 0, sizeof files->dst_row_undefined);
        pack_histogram_reset(&tx->packer);
    }
    clear_sources(tile, risen);
    if (fallen >> BIT_ZEROACC & 1)
        pack_seed(&tx->packer, 0);
    if (risen >> BIT_PACKER0 & 1)
        pack_soft_reset(&tx->packer);
    if ((risen | fallen) >> BIT_AUTO_TTSYNC & 1)
        tensix_auto_reset(tx); /* while it is up nobody waits: ttsync.c */
    if (risen >> BIT_MOVER & 1)
        mover_soft_reset(tile_lent(tile), tx, cycle);
    if (risen >> BIT_THCON & 1)
        scalar_soft_reset(tx, cycle);
    if (fallen >> BIT_FPU_SFPU & 1)
        vector_reset(&tile_tensix_files(tile)->vector);
    if (fallen & (BITS_UNPACKERS | 1u << BIT_TDMA_RISC | 1u << BIT_THCON | 1u << BIT_FPU_SFPU | 1u << BIT_PACKER0))
        for (unsigned i = 0; i < TENSIX_THREADS; i++)
            if (!tx->thread[i].stopped)
                tensix_look_at(tx, i, cycle + 1); /* an instruction may wait for this */
    tile_has_event(tile, tensix_next(tx));
}

dev_result soft_reset_write(struct tile *tile, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    uint32_t *reg = debug_reg(dev, RISCV_DEBUG_REG_SOFT_RESET_0);
    value &= soft_reset_mask(dev);
    uint32_t risen = value & ~*reg, fallen = *reg & ~value;
    *reg = value;
    if (risen >> BIT_TDMA_RISC & 1)
        tdma_risc_soft_reset(dev);
    if (risen >> BIT_THCON & 1)
        config_thcon_soft_reset(dev);
    for (unsigned i = 0; i < TDMA_PACKERS; i++)
        if (fallen >> (BIT_PACKER0 + i) & 1)
            dev->tdma.l1_dest_addr_offset[i] = 0;
    if (devices_cores(dev) == KERR_CORE_COUNT)
        units(tile, risen, fallen, cycle);
    for (unsigned core = 0; core < devices_cores(dev); core++) {
        if (risen >> core_bit(core) & 1) {
            enter(tile, core, cycle);
            tile_core_reset(tile, core, true, soft_reset_pc(dev, core), cycle);
        } else if (fallen >> core_bit(core) & 1) {
            pcbuf_core_reset(dev, core, false);
            tile_invalidate_instruction_cache(tile, 1u << core, cycle);
            tile_core_reset(tile, core, false, soft_reset_pc(dev, core), cycle);
        }
    }
    tile_devices_changed(tile, cycle);
    return DEV_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* TDMA-RISC: the command queue of the mover, and sideband registers of packers and unpackers.
 *
 * Manual WormholeB0 TDMA-RISC; names and CLK_GATE_EN from the Blackhole header.  The command processor is in
 * tensix/mover.c; a command that it could not execute is a fault when it is written.  The pages describe four
 * packers, Blackhole has one; the addresses of the other three answer as idle ones, whose
 * metadata FIFOs are empty, so that looking into one waits.
 * Not here because the Blackhole header does not name them: 0x20, 0x3C and 0x13C of the Wormhole page. */
#include "tile/blocks.h"

#include "tensix/events.h"
#include "tensix/pack/packer.h"
#include "tensix/tensix.h"

enum {
    STATUS_MOVER_BUSY = 1 << 0,
    STATUS_QUEUE_FULL = 1 << 2,
    STATUS_QUEUE_EMPTY = 1 << 3,
    STATUS_PARAMETERS_FULL = 1 << 4,
    STATUS_PARAMETERS_EMPTY = 1 << 5,
    STATUS_CAPACITY_SHIFT = 8,
    METADATA_FIFOS_EMPTY = 0x55,
    METADATA_FIFO0_EMPTY = 1 << 0,
    METADATA_FIFO0_FULL = 1 << 1,
};
enum { SOFT_RESET_BIT = 8 };

/* The four packers repeat every 0x100, the three threads of a packer every 0x40. */
static bool is_size_register(uint32_t address, uint32_t first)
{
    uint32_t offset = address - first;
    return offset < 0x400 && (offset & ~0x3C0u) == 0 && (offset >> 6 & 3) < TENSIX_THREADS;
}

static bool is_packer_register(uint32_t address, uint32_t first)
{
    return address >= first && address - first < 0x400 && (address - first) % 0x100 == 0;
}

static uint32_t *stored(struct tdma_risc *tdma, unsigned client, uint32_t address)
{
    switch (address) {
    case RISCV_TDMA_REG_CLK_GATE_EN: return &tdma->clk_gate_en;
    case RISCV_TDMA_REG_CLK_GATE_HYST: return &tdma->clk_gate_hyst;
    case RISCV_TDMA_REG_XMOV_L1_BASE_ADDR: /* "RISCV T0" for whoever is not one of the four */
        return &tdma->mov_cmd_base[client <= KERR_CORE_T2 ? client : KERR_CORE_T0];
    default: return NULL;
    }
}

static uint32_t status(const struct tensix *tx, uint64_t cycle)
{
    const struct tensix_mover *m = &tx->mover;
    return (mover_is_busy(tx, cycle) ? STATUS_MOVER_BUSY : 0) | (m->queued == MOVER_COMMANDS ? STATUS_QUEUE_FULL : 0) |
           (m->queued == 0 ? STATUS_QUEUE_EMPTY : 0) |
           (m->parameters == MOVER_PARAMETERS ? STATUS_PARAMETERS_FULL : 0) |
           (m->parameters == 0 ? STATUS_PARAMETERS_EMPTY : 0) |
           (uint32_t)(MOVER_COMMANDS - m->queued) << STATUS_CAPACITY_SHIFT;
}

static uint32_t fifo_status(const struct tensix_packer *packer)
{
    return (METADATA_FIFOS_EMPTY & ~(packer->fifo_count ? METADATA_FIFO0_EMPTY : 0u)) |
           (packer->fifo_count == PACK_FIFO ? METADATA_FIFO0_FULL : 0u);
}

/* The front of the metadata FIFO that the address belongs to. */
static const struct tensix_packed_tile *packed_tile(const struct tensix_packer *packer, uint32_t address)
{
    return address >> 8 & 3 ? NULL : pack_fifo_peek(packer);
}

/* PACKED_SIZE and ACC_PACKED_SIZE (UnpackerPackerAcc), of which only the first packer is there. */
static uint32_t size_of(const struct tensix *tx, uint32_t address)
{
    const unsigned thread = address >> 6 & 3, which = address >> 8 & 3;
    if ((address & 0x3F) == (RISCV_TDMA_REG_ACC_PACKED_SIZE & 0x3F))
        return tx->unpacker[which & 1].SetRegAcc << 16 | (which ? 0u : tx->packer.acc_tile_size[thread]);
    return which == 0 && tx->packer.last_thread == thread ? tx->packer.last_tile_size : 0u;
}

bool tdma_risc_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    const struct tensix *tx = &tile_devices_const(tile)->tensix;
    struct tdma_risc tdma = tile_devices_const(tile)->tdma;
    const uint32_t *word = stored(&tdma, client, address);
    if (word)
        *value = *word;
    else if (address <= RISCV_TDMA_REG_COMMAND_ADDR)
        *value = 0;
    else if (address == RISCV_TDMA_REG_STATUS)
        *value = status(tx, cycle);
    else if (address == RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS)
        *value = tdma.pack_reg_address << 8 | fifo_status(&tx->packer);
    else if (is_size_register(address, RISCV_TDMA_REG_PACKED_SIZE) ||
             is_size_register(address, RISCV_TDMA_REG_ACC_PACKED_SIZE))
        *value = size_of(tx, address);
    else if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE) ||
             is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK)) {
        const struct tensix_packed_tile *front = packed_tile(&tx->packer, address);
        *value = !front                                                              ? 0
                 : (address & 0xFF) == (RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE & 0xFF) ? front->size
                                                                                     : front->all_zero_flags;
    } else
        return false;
    return true;
}

dev_result tdma_risc_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    if (!tdma_risc_peek(tile, client, address, cycle, value))
        return DEV_NOTHING;
    if (ttsync_auto_waits(tile, client, TTSYNC_TDMA, address, false, cycle))
        return DEV_WAIT;
    struct tensix_packer *packer = &tile_devices(tile)->tensix.packer;
    const bool empty = !packed_tile(packer, address);
    if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE) && empty)
        return DEV_WAIT; /* looks at the front of an empty FIFO */
    if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK) && empty) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "WormholeB0 TDMA-RISC",
                   "pop from the empty metadata FIFO of packer %u", address >> 8 & 3);
        return DEV_FAULT;
    }
    if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK))
        pack_fifo_pop(packer);
    return DEV_OK;
}

static dev_result command(struct tile *tile, unsigned client, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct tensix *tx = &dev->tensix;
    if (tx->mover.queued == MOVER_COMMANDS)
        return DEV_WAIT;
    struct tensix_mover_command c = {.command = value,
                                     .base = *stored(&dev->tdma, client, RISCV_TDMA_REG_XMOV_L1_BASE_ADDR)};
    const bool compact = value >> 31;
    for (unsigned i = 0; i < 4 && !compact; i++)
        c.parameter[i] = dev->tdma.parameter[i];
    const char *problem = mover_refuses_command(&c);
    if (!compact && tx->mover.parameters == MOVER_PARAMETERS)
        problem = "two commands with parameters are queued already, and a third does not wait (a bug of the hardware)";
    if (problem) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, RISCV_TDMA_REG_COMMAND_ADDR, cycle, "WormholeB0 TDMA-RISC",
                   "TDMA-RISC command 0x%08x with 0x%x 0x%x 0x%x 0x%x: %s", value, c.parameter[0], c.parameter[1],
                   c.parameter[2], c.parameter[3], problem);
        return DEV_FAULT;
    }
    mover_enqueue(tx, c, cycle);
    tile_has_event(tile, tensix_next(tx));
    return DEV_OK;
}

dev_result tdma_risc_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct tdma_risc *tdma = &dev->tdma;
    uint32_t now;
    if (!tdma_risc_peek(tile, client, address, cycle, &now))
        return DEV_NOTHING;
    if (ttsync_auto_waits(tile, client, TTSYNC_TDMA, address, true, cycle))
        return DEV_WAIT;
    if (soft_reset_bit(dev, SOFT_RESET_BIT))
        return DEV_OK; /* "All writes to the TDMA-RISC memory region are silently discarded" while held */
    uint32_t *word = stored(tdma, client, address);
    if (word)
        *word = value;
    else if (address < RISCV_TDMA_REG_COMMAND_ADDR)
        tdma->parameter[(address - RISCV_TDMA_REG_XMOV_SRC_ADDR) / 4] = value;
    else if (address == RISCV_TDMA_REG_COMMAND_ADDR)
        return command(tile, client, value, cycle);
    else if (address == RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS)
        tdma->pack_reg_address = value;
    else if (is_size_register(address, RISCV_TDMA_REG_ACC_PACKED_SIZE))
        for (unsigned i = 0; i < TDMA_PACKERS; i++) {
            if (!(value >> (16 + i) & 1))
                continue;
            for (unsigned thread = 0; i == 0 && thread < TENSIX_THREADS; thread++)
                dev->tensix.packer.acc_tile_size[thread] = 0;
            tdma->l1_dest_addr_offset[i] = (uint16_t)value;
        }
    else if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK) &&
             packed_tile(&dev->tensix.packer, address))
        pack_fifo_pop(&dev->tensix.packer);
    return DEV_OK;
}

bool tdma_risc_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct tdma_risc *tdma = &tile_devices(tile)->tdma;
    uint32_t now, *word = stored(tdma, client, address);
    if (word)
        *word = value;
    else if (address < RISCV_TDMA_REG_COMMAND_ADDR)
        tdma->parameter[(address - RISCV_TDMA_REG_XMOV_SRC_ADDR) / 4] = value;
    else
        return tdma_risc_peek(tile, client, address, cycle, &now);
    return true;
}

/* "Some value" is given to what only PACR_SETREG uses: zero. */
void tdma_risc_soft_reset(struct devices *dev)
{
    struct tensix_mover *m = &dev->tensix.mover;
    for (unsigned i = 0; i < MOVER_COMMANDS; i++)
        m->queue[i] = (struct tensix_mover_command){0};
    m->head = m->queued = m->parameters = 0;
    m->command_at = 0;
    for (unsigned i = 0; i < 4; i++)
        dev->tdma.parameter[i] = 0;
    dev->tdma.pack_reg_address = 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* TDMA-RISC: the command queue of the mover, and sideband registers of packers and unpackers.
 *
 * Manual WormholeB0 TDMA-RISC; names and CLK_GATE_EN from the Blackhole header.  Commands that need no mover (wait,
 * write to L1, no operation) take effect at once, so the queue is always empty and its status constant.  Left out:
 * the mover itself (its command is a fault), and all that packers and unpackers would report: with none running
 * their sizes are zero and their metadata FIFOs empty, so that looking into one waits.  The pages describe four
 * packers, Blackhole has one; the addresses of the other three answer as idle ones.
 * Not here because the Blackhole header does not name them: 0x20, 0x3C and 0x13C of the Wormhole page. */
#include "tile/blocks.h"

enum {
    STATUS_QUEUE_EMPTY = 1 << 3,
    STATUS_PARAMETERS_EMPTY = 1 << 5,
    STATUS_CAPACITY = 4 << 8,
    METADATA_FIFOS_EMPTY = 0x55,
};
enum { COMMAND_MOVE = 0x40, COMMAND_WAIT = 0x46, COMMAND_WRITE = 0x66, COMMAND_NOP = 0x89 };
enum { WRITE_64 = 0x100, WRITE_ALWAYS = 0x600 };
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
    case RISCV_TDMA_REG_XMOV_L1_BASE_ADDR: return &tdma->mov_cmd_base[client];
    default: return NULL;
    }
}

bool tdma_risc_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)cycle;
    struct tdma_risc tdma = tile_devices_const(tile)->tdma;
    const uint32_t *word = stored(&tdma, client, address);
    if (word)
        *value = *word;
    else if (address <= RISCV_TDMA_REG_COMMAND_ADDR)
        *value = 0;
    else if (address == RISCV_TDMA_REG_STATUS)
        *value = STATUS_QUEUE_EMPTY | STATUS_PARAMETERS_EMPTY | STATUS_CAPACITY;
    else if (address == RISCV_TDMA_REG_FIFO_PACKED_TILE_STATUS)
        *value = tdma.pack_reg_address << 8 | METADATA_FIFOS_EMPTY;
    else if (is_size_register(address, RISCV_TDMA_REG_PACKED_SIZE) ||
             is_size_register(address, RISCV_TDMA_REG_ACC_PACKED_SIZE) ||
             is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE) ||
             is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK))
        *value = 0;
    else
        return false;
    return true;
}

dev_result tdma_risc_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    if (!tdma_risc_peek(tile, client, address, cycle, value))
        return DEV_NOTHING;
    if (ttsync_auto_waits(tile, client, TTSYNC_TDMA, address, false, cycle))
        return DEV_WAIT;
    if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_SIZE))
        return DEV_WAIT; /* looks at the front of an empty FIFO */
    if (is_packer_register(address, RISCV_TDMA_REG_FIFO_PACKED_TILE_ZEROMASK)) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "WormholeB0 TDMA-RISC",
                   "pop from the empty metadata FIFO of packer %u", address >> 8 & 3);
        return DEV_FAULT;
    }
    return DEV_OK;
}

static dev_result command(struct tile *tile, unsigned client, uint32_t value, uint64_t cycle)
{
    const struct tdma_risc *tdma = &tile_devices(tile)->tdma;
    bool compact = value >> 31;
    switch (value & 0xFF) {
    case COMMAND_WAIT:
    case COMMAND_NOP: return DEV_OK;
    case COMMAND_WRITE: {
        unsigned size = value & WRITE_64 ? 8 : 4;
        uint32_t to = tdma->parameter[0];
        if (compact || (value & WRITE_ALWAYS) != WRITE_ALWAYS || to % size || to > DEVICES_L1_BYTES - size)
            break;
        tile_l1_write(tile, to, &tdma->parameter[2], size, cycle);
        return DEV_OK;
    }
    case COMMAND_MOVE:
        tile_fault(tile, KERR_FAULT_UNIMPLEMENTED, client, RISCV_TDMA_REG_COMMAND_ADDR, cycle, "WormholeB0 Mover",
                   "the mover is not there yet: command 0x%08x", value);
        return DEV_FAULT;
    default: break;
    }
    tile_fault(tile, KERR_FAULT_UNDEFINED, client, RISCV_TDMA_REG_COMMAND_ADDR, cycle, "WormholeB0 TDMA-RISC",
               "TDMA-RISC command 0x%08x with parameters 0x%x 0x%x", value, tdma->parameter[0], tdma->parameter[1]);
    return DEV_FAULT;
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
        for (unsigned i = 0; i < TDMA_PACKERS; i++)
            if (value >> (16 + i) & 1)
                tdma->l1_dest_addr_offset[i] = (uint16_t)value;
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
    for (unsigned i = 0; i < 4; i++)
        dev->tdma.parameter[i] = 0;
    dev->tdma.pack_reg_address = 0;
}

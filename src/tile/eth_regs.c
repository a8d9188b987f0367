/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that only an Ethernet tile has: reset PCs and interrupts of its cores, TX and RX queues, link state.
 *
 * Manual EthernetTile/BabyRISCV/README "Memory map", EthernetTile/EthernetTxRx; rows in isa/eth.regs.
 * There is no cable yet: PCS_STATUS says that the link is down, a TX command is taken and goes nowhere, nothing ever
 * arrives.  TX header table and RX classifier keep what is written.  Left out: MAC and PCS registers, which no document
 * describes, and interrupts: what raises them is not known. */
#include "tile/blocks.h"

#include "eth_regs.h"

enum access { ACCESS_rw = 0, ACCESS_ro, ACCESS_wo };

static const struct {
    uint32_t first, last;
} regions[] = {
#define X(name, first, last, clients) {first, last},
    ETH_REGIONS(X)
#undef X
};

static const struct row {
    uint32_t address;
    uint16_t count, stride;
    uint8_t access;
    uint32_t reset;
} rows[] = {
#define X(name, address, count, stride, access, reset, model) {address, count, stride, ACCESS_##access, reset},
    ETH_REGS(X)
#undef X
};

static const char *const names[] = {
#define X(name, address, count, stride, access, reset, model) name,
    ETH_REGS(X)
#undef X
};

enum { ROWS = sizeof rows / sizeof *rows };

bool eth_regs_has(uint32_t address)
{
    for (unsigned i = 0; i < sizeof regions / sizeof *regions; i++)
        if (address >= regions[i].first && address <= regions[i].last)
            return true;
    return false;
}

/* The number of the row, ROWS if the address is in none. */
static unsigned row_of(uint32_t address)
{
    unsigned i = 0;
    while (i < ROWS && ((address - rows[i].address) % rows[i].stride != 0 ||
                        (address - rows[i].address) / rows[i].stride >= rows[i].count))
        i++;
    return i;
}

/* Regions that are one table of words. */
static bool is_table(uint32_t address)
{
    return (address >= ETH_TXPKT_CFG_START && address <= ETH_TXPKT_CFG_START_LAST) ||
           (address >= ETH_RX_CLASSIFIER_START && address <= ETH_RX_CLASSIFIER_START_LAST);
}

/* Only for addresses in a row or a table.  The reset PCs are elsewhere: see word_of. */
static uint32_t *stored(struct eth_regs *regs, uint32_t address)
{
    if (address >= ETH_RX_CLASSIFIER_START)
        return &regs->rxclass[(address - ETH_RX_CLASSIFIER_START) / 4];
    if (address >= ETH_TXPKT_CFG_START)
        return &regs->txpkt[(address - ETH_TXPKT_CFG_START) / 4];
    if (address >= ETH_CTRL_REGS_START)
        return &regs->ctrl[(address - ETH_CTRL_REGS_START) / 4];
    if (address >= ETH_RXQ0_REGS_START)
        return &regs->rxq[address >> 12 & 3][(address & 0xFFF) / 4];
    if (address >= ETH_TXQ0_REGS_START)
        return &regs->txq[address >> 12 & 3][(address & 0xFFF) / 4];
    return &regs->risc_ctrl[(address - ETH_RISC_CTRL) / 4];
}

static bool is_reset_pc(uint32_t address)
{
    return address == RISC_CTRL_REG_RESET_PC || address == RISC_CTRL_REG_RESET_PC + 8;
}

static uint32_t *word_of(struct tile *tile, uint32_t address)
{
    if (is_reset_pc(address))
        return &tile_devices(tile)->reset_pc[(address - RISC_CTRL_REG_RESET_PC) / 8];
    return stored(&tile_own(tile)->eth, address);
}

void eth_regs_reset(struct eth_regs *regs)
{
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t n = 0; n < rows[i].count && rows[i].reset != 0; n++)
            *stored(regs, rows[i].address + n * rows[i].stride) = rows[i].reset;
}

static dev_result undocumented(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle)
{
    const bool mac = address >= ETH_MAC_PCS_START;
    tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, "EthernetTile/BabyRISCV/README \"Memory map\"",
               "0x%08x: no document describes %s", address, mac ? "the MAC and PCS registers" : "this register");
    return DEV_FAULT;
}

/* A command to a TX queue.  What it names must be in L1; the packet itself goes nowhere. */
static dev_result transmit(struct tile *tile, unsigned client, unsigned queue, uint32_t command, uint64_t cycle)
{
    enum { RAW = 1, L1_WRITE = 2, MMIO_WRITE = 4 };
    uint32_t *regs = tile_own(tile)->eth.txq[queue];
    uint32_t from = regs[(ETH_TXQ_TRANSFER_START_ADDR & 0xFFF) / 4];
    uint32_t bytes = regs[(ETH_TXQ_TRANSFER_SIZE_BYTES & 0xFFF) / 4];
    uint32_t l1_bytes = devices_l1_bytes(tile_devices(tile));
    const char *wrong = NULL;
    if (command != RAW && command != L1_WRITE && command != MMIO_WRITE)
        wrong = "is no command";
    else if (command == MMIO_WRITE && queue == 2)
        wrong = "is not for queue 2: it sends no MMIO writes";
    else if (command != MMIO_WRITE && (from >= l1_bytes || bytes > l1_bytes - from))
        wrong = "sends bytes from outside L1";
    else if (command == L1_WRITE && (from % 16 != 0 || bytes % 16 != 0))
        wrong = "sends bytes that are not a multiple of 16 at a multiple of 16";
    if (wrong) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, ETH_TXQ_CMD + queue * 0x1000, cycle,
                   "EthernetTile/EthernetTxRx \"ETH_TXQ_CMD\"", "ETH_TXQ_CMD = %u %s (address 0x%x, %u bytes)", command,
                   wrong, from, bytes);
        return DEV_FAULT;
    }
    regs[(ETH_TXQ_TRANSFER_CNT & 0xFFF) / 4]++;
    return DEV_OK;
}

dev_result eth_regs_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    *value = 0;
    return eth_regs_peek(tile, client, address, cycle, value) ? DEV_OK : undocumented(tile, client, address, cycle);
}

dev_result eth_regs_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    unsigned row = row_of(address);
    if (row == ROWS && !is_table(address))
        return undocumented(tile, client, address, cycle);
    if (row < ROWS && rows[row].access == ACCESS_ro)
        return DEV_OK;
    if (row < ROWS && rows[row].address == ETH_TXQ_CMD)
        return transmit(tile, client, address >> 12 & 3, value, cycle);
    if (row < ROWS && rows[row].address == ETH_RXQ_CTRL)
        value &= 6;
    if (row < ROWS && rows[row].address == ETH_RXQ_TILE_HEADER_FORMAT)
        value &= 0x3FFF;
    if (row < ROWS && rows[row].address == RISC_CTRL_REG_INTERRUPT_MODE && value != 0) {
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL,
                   "%s = 0x%x: no document says what a mode other than 0 does", names[row], value);
        return DEV_FAULT;
    }
    *word_of(tile, address) = value;
    return DEV_OK;
}

bool eth_regs_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    if (row_of(address) == ROWS && !is_table(address))
        return false;
    if (is_reset_pc(address)) {
        *value = tile_devices_const(tile)->reset_pc[(address - RISC_CTRL_REG_RESET_PC) / 8];
        return true;
    }
    struct eth_regs *regs = (struct eth_regs *)(uintptr_t)&tile_own_const(tile)->eth; /* only looked at */
    *value = *stored(regs, address);
    return true;
}

bool eth_regs_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    if (row_of(address) == ROWS && !is_table(address))
        return false;
    *word_of(tile, address) = value;
    return true;
}

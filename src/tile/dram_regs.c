/* SPDX-License-Identifier: Apache-2.0 */
/* Registers that only a DRAM tile has: reset PC of its core, and the DMA engine between its L1 and the bank.
 *
 * There is no page on them; rows in isa/dram.regs come from the vendor's headers, what they do from its DRISC kernels
 * (gddr_dma.h).  Two streams; a write to TRANSFER_ATTRIBUTES with a start bit queues a transfer, STATUS counts those
 * that are not done.  A transfer goes to the bank as packets (NOC_DMA_READ, NOC_DMA_WRITE) over no link: a write takes its
 * bytes from L1 when it is started, a read brings them to L1 piece by piece.
 * Left out, each a fault that says so: transfers with a header ("data") or to a remote register, addresses that
 * increment by themselves, the interrupt at the end.  Memory controller, crossbars and PHY are closed: they read as
 * zero, and nobody may write to them. */
#include "tile/blocks.h"

#include "dram_regs.h"
#include "tile/dram_bank.h"

#include <string.h>

enum access { ACCESS_rw = 0, ACCESS_ro };
enum direction { READ = 0, WRITE = 1 };

static const struct {
    uint32_t first, last;
} regions[] = {
#define X(name, first, last, clients) {first, last},
    DRAM_REGIONS(X)
#undef X
};

static const struct row {
    uint32_t address;
    uint16_t count, stride;
    uint8_t access;
    uint32_t reset;
} rows[] = {
#define X(name, address, count, stride, access, reset, model) {address, count, stride, ACCESS_##access, reset},
    DRAM_REGS(X)
#undef X
};

enum { ROWS = sizeof rows / sizeof *rows };

/* TRANSFER_ATTRIBUTES */
enum {
    SIZE_WORDS = 0x3FFF,
    AUTO_INCREMENT = 0xF << 20,
    TRIGGER_INTERRUPT = 1 << 26,
    START_RAW = 1 << 28,
    START_DATA = 1 << 29,
    START_REG = 1 << 30,
};
#define START_READ (1u << 31)
#define START_ANY (START_READ | START_RAW | START_DATA | START_REG)

bool dram_regs_has(uint32_t address)
{
    for (unsigned i = 0; i < sizeof regions / sizeof *regions; i++)
        if (address >= regions[i].first && address <= regions[i].last)
            return true;
    return false;
}

static const struct row *row_of(uint32_t address)
{
    for (unsigned i = 0; i < ROWS; i++)
        if ((address - rows[i].address) % rows[i].stride == 0 &&
            (address - rows[i].address) / rows[i].stride < rows[i].count)
            return &rows[i];
    return NULL;
}

static bool is_closed(uint32_t address)
{
    return address >= GDDR_MC_REGS && address <= GDDR_MC_REGS_LAST;
}

/* Only for addresses in a row.  The reset PC is elsewhere: see word_of. */
static uint32_t *stored(struct dram_regs *regs, uint32_t address)
{
    if (address >= DRAM_RISC_CTRL)
        return &regs->risc_ctrl[(address - DRAM_RISC_CTRL) / 4];
    if (address == TX_CTRL_TX_INTERRUPT_CTRL)
        return &regs->interrupt_ctrl;
    if (address >= TX_CTRL_REG_MAP_BASE_ADDR)
        return &regs->dma_ctrl[(address - TX_CTRL_REG_MAP_BASE_ADDR) / 4];
    return &regs->stream[address >> 8 & 1][(address & 0xFF) / 4];
}

static uint32_t *word_of(struct tile *tile, uint32_t address)
{
    if (address == RISC_CTRL_REG_RESET_PC_0)
        return &tile_devices(tile)->reset_pc[0];
    return stored(&tile_own(tile)->dram, address);
}

void dram_regs_reset(struct dram_regs *regs)
{
    for (unsigned i = 0; i < ROWS; i++)
        for (uint32_t n = 0; n < rows[i].count && rows[i].reset != 0; n++)
            *stored(regs, rows[i].address + n * rows[i].stride) = rows[i].reset;
}

/* ---- Transfers ---- */

static uint32_t stream_reg(const struct dram_regs *regs, unsigned stream, uint32_t address)
{
    return regs->stream[stream][(address & 0xFF) / 4];
}

static unsigned limit(enum direction direction)
{
    return direction == READ ? DMA_READS : DMA_WRITES;
}

/* One piece of a transfer, as long as a packet can be. */
static bool send_piece(struct tile *tile, unsigned stream, enum direction d, uint64_t bank_address, uint32_t l1_address,
                       uint32_t bytes, bool last, uint64_t cycle)
{
    const struct devices *dev = tile_devices(tile);
    packet_ref ref;
    noc_packet *packet = tile_noc_new(tile, d == WRITE ? bytes : 0, &ref);
    if (!packet)
        return false;
    packet->op = d == READ ? NOC_DMA_READ : NOC_DMA_WRITE;
    packet->source = packet->destination = noc_node_at(dev->x, dev->y);
    packet->noc = (uint8_t)stream;
    packet->sequence = tile_own(tile)->dram.sequence++;
    packet->immediate = last;
    packet->address = bank_address;
    packet->return_address = l1_address;
    packet->length = bytes;
    packet->cycle = cycle;
    if (d == WRITE)
        memcpy(packet->data, tile_l1(tile) + l1_address, bytes);
    tile_noc_send(tile, ref, cycle);
    return true;
}

static void finished(struct dram_regs *regs, unsigned stream, enum direction d)
{
    const uint32_t total = d == READ ? TX_REG_STREAM_TOTAL_READS : TX_REG_STREAM_TOTAL_WRITES;
    regs->count[stream][d]--;
    regs->stream[stream][(total & 0xFF) / 4]++;
}

void devices_dma_arrives(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    struct dram_regs *regs = &tile_own(tile)->dram;
    const unsigned stream = packet->noc & 1;
    const enum direction d = packet->op == NOC_DMA_DATA ? READ : WRITE;
    tile_device_changing(tile, TX_REG_STREAM_REG_MAP_BASE_ADDR, TX_CTRL_REG_MAP_BASE_ADDR_LAST, cycle);
    if (d == READ)
        tile_l1_write(tile, (uint32_t)packet->address, packet->data, packet->length, cycle);
    if (packet->immediate && regs->count[stream][d] != 0)
        finished(regs, stream, d);
    tile_devices_changed(tile, cycle);
}

static dev_result refuse(struct tile *tile, unsigned client, kerr_fault_kind kind, uint32_t value, unsigned stream,
                         uint64_t cycle, const char *why)
{
    tile_fault(tile, kind, client, TX_REG_STREAM_TRANSFER_ATTRIBUTES + stream * 0x100, cycle, NULL,
               "TX_REG_STREAM_TRANSFER_ATTRIBUTES = 0x%08x: %s", value, why);
    return DEV_FAULT;
}

static dev_result start(struct tile *tile, unsigned client, unsigned stream, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct dram_regs *regs = &tile_own(tile)->dram;
    if (!(value & START_ANY))
        return DEV_OK;
    if (value & (START_DATA | START_REG))
        return refuse(tile, client, KERR_FAULT_UNIMPLEMENTED, value, stream, cycle,
                      "transfers with a header or to a remote register are not modelled");
    if (value & (AUTO_INCREMENT | TRIGGER_INTERRUPT))
        return refuse(tile, client, KERR_FAULT_UNIMPLEMENTED, value, stream, cycle,
                      "incrementing addresses and the interrupt at the end are not modelled");
    if ((value & START_READ) && (value & START_RAW))
        return refuse(tile, client, KERR_FAULT_UNKNOWN, value, stream, cycle, "read and write at once");
    if (!(regs->dma_ctrl[(TX_CTRL_TX_TRANSFER_ATTRIBUTES & 0xFF) / 4] & 1))
        return refuse(tile, client, KERR_FAULT_UNKNOWN, value, stream, cycle, "dma_enable is off");
    const enum direction d = value & START_READ ? READ : WRITE;
    if (regs->count[stream][d] >= limit(d))
        return refuse(tile, client, KERR_FAULT_UNDEFINED, value, stream, cycle,
                      d == READ ? "255 reads are outstanding already" : "15 writes are outstanding already");
    const uint32_t bytes = (value & SIZE_WORDS) * 16;
    uint64_t bank_address;
    uint32_t l1_address;
    if (d == READ) {
        bank_address = stream_reg(regs, stream, TX_REG_STREAM_READ_TRANSFER_SOURCE_LOW) |
                       (uint64_t)stream_reg(regs, stream, TX_REG_STREAM_READ_TRANSFER_SOURCE_HIGH) << 32;
        l1_address = stream_reg(regs, stream, TX_REG_STREAM_READ_TRANSFER_DEST);
    } else {
        bank_address = stream_reg(regs, stream, TX_REG_STREAM_WRITE_DEST_ADDR_LOW) |
                       (uint64_t)stream_reg(regs, stream, TX_REG_STREAM_WRITE_DEST_ADDR_HIGH) << 32;
        l1_address = stream_reg(regs, stream, TX_REG_STREAM_WRITE_TRANSFER_START_ADDR);
    }
    if (bytes > devices_l1_bytes(dev) || l1_address > devices_l1_bytes(dev) - bytes ||
        bank_address > DRAM_BANK_BYTES - bytes) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, TX_REG_STREAM_TRANSFER_ATTRIBUTES + stream * 0x100, cycle, NULL,
                   "DMA of %u bytes between L1 0x%x and bank 0x%llx goes past the end", bytes, l1_address,
                   (unsigned long long)bank_address);
        return DEV_FAULT;
    }
    regs->count[stream][d]++;
    if (bytes == 0)
        finished(regs, stream, d);
    for (uint32_t done = 0; done < bytes;) {
        const uint32_t part = bytes - done < NOC_MAX_PAYLOAD ? bytes - done : (uint32_t)NOC_MAX_PAYLOAD;
        if (!send_piece(tile, stream, d, bank_address + done, l1_address + done, part, done + part == bytes, cycle))
            return refuse(tile, client, KERR_FAULT_INTERNAL, value, stream, cycle, "no room for its bytes");
        done += part;
    }
    return DEV_OK;
}

static uint32_t stream_status(const struct dram_regs *regs, unsigned stream)
{
    uint32_t reads = regs->count[stream][READ], writes = regs->count[stream][WRITE];
    return (uint32_t)(writes != 0) | (uint32_t)(writes != 0) << 3 | (uint32_t)(reads != 0) << 4 | reads << 8 |
           writes << 16 | writes << 28;
}

/* OPEN: whether "ready" stands for the one or both streams; here both have room. */
static uint32_t engine_status(const struct dram_regs *regs, enum direction d)
{
    uint32_t all = 0, ready = 1;
    for (unsigned s = 0; s < DMA_STREAMS; s++) {
        all += regs->count[s][d];
        ready &= regs->count[s][d] < limit(d);
    }
    if (d == READ)
        return ready | (uint32_t)(all != 0) << 1 | (all < 0xFF ? all : 0xFF) << 8;
    all = all < 0xF ? all : 0xF;
    return ready | (uint32_t)(all != 0) << 1 | (uint32_t)(all != 0) << 10 | all << 12 | all << 24;
}

/* ---- The regions ---- */

static dev_result undocumented(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle)
{
    tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL,
               "0x%08x: no document describes this register of a DRAM tile", address);
    return DEV_FAULT;
}

dev_result dram_regs_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    *value = 0;
    return dram_regs_peek(tile, client, address, cycle, value) ? DEV_OK : undocumented(tile, client, address, cycle);
}

dev_result dram_regs_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    const struct row *row = row_of(address);
    if (!row)
        return undocumented(tile, client, address, cycle);
    if (row->access == ACCESS_ro)
        return DEV_OK;
    if (row->address == RISC_CTRL_REG_DRAM_INTERRUPT_MODE && value != 0) {
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL,
                   "RISC_CTRL_REG_INTERRUPT_MODE = 0x%x: no document says what a mode other than 0 does", value);
        return DEV_FAULT;
    }
    *word_of(tile, address) = value;
    if (row->address == TX_REG_STREAM_TRANSFER_ATTRIBUTES) /* the start bits do not stay */
        *word_of(tile, address) &= ~START_ANY;
    return row->address == TX_REG_STREAM_TRANSFER_ATTRIBUTES ? start(tile, client, address >> 8 & 1, value, cycle)
                                                             : DEV_OK;
}

bool dram_regs_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    const struct dram_regs *regs = &tile_own_const(tile)->dram;
    const struct row *row = row_of(address);
    *value = 0;
    if (!row)
        return is_closed(address);
    if (row->address == TX_REG_STREAM_STATUS)
        *value = stream_status(regs, address >> 8 & 1);
    else if (address == TX_CTRL_TX_READ_STATUS || address == TX_CTRL_TX_WRITE_STATUS)
        *value = engine_status(regs, address == TX_CTRL_TX_READ_STATUS ? READ : WRITE);
    else if (address == RISC_CTRL_REG_RESET_PC_0)
        *value = tile_devices_const(tile)->reset_pc[0];
    else
        *value = *stored((struct dram_regs *)(uintptr_t)regs, address); /* only looked at */
    return true;
}

bool dram_regs_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    if (!row_of(address))
        return false;
    *word_of(tile, address) = value;
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Tile control, debug and status registers at 0xFFB12000: dispatch to their blocks, the debug daisychain, and the
 * registers that are only storage.
 *
 * Manual TileControlDebugStatus; WormholeB0 DebugDaisychain; names and addresses from the vendor's header.  The
 * table isa/tile.regs says which block gives a register its meaning.
 * Of the daisychain's signals the self-test, the groups of RISCV execution state, ADCs, RWCs and LaneEnabled are there, in the bits that the
 * page describes (they stand where the vendor's list for Blackhole has them); its reserved bits read as zero. */
#include "tile/blocks.h"

#include "tensix/files.h"
#include "tensix/later.h"
#include "tensix/tensix.h"
#include "tensix/vector/vector.h"

enum access { ACCESS_none = 0, ACCESS_rw, ACCESS_ro, ACCESS_wo, ACCESS_rc, ACCESS_rx };
enum model {
    MODEL_stored,
    MODEL_debug_regs,
    MODEL_perf_counters,
    MODEL_debug_interface,
    MODEL_pcbuf,
    MODEL_tensix_fifo,
    MODEL_soft_reset,
    MODEL_watchdog,
    MODEL_wall_clock,
};

static const struct {
    uint8_t access, model;
} info[DEBUG_REG_WORDS] = {
#define X(name, address, count, stride, access, reset, model)                                                          \
    [((address)-RISCV_DEBUG_REGS_START_ADDR) / 4] = {ACCESS_##access, MODEL_##model},
    TILE_REGS_DEBUG(X)
#undef X
};

void devices_reset_debug_regs(struct devices *dev)
{
#define X(name, address, count, stride, access, reset, model)                                                          \
    if ((reset) != 0)                                                                                                  \
        *debug_reg(dev, address) = (reset);
    TILE_REGS_DEBUG(X)
#undef X
    *debug_reg(dev, RISCV_DEBUG_REG_SOFT_RESET_0) &= soft_reset_mask(dev);
}

static unsigned index_of(uint32_t address)
{
    return (address - RISCV_DEBUG_REGS_START_ADDR) / 4;
}

static bool exists(uint32_t address)
{
    return index_of(address) < DEBUG_REG_WORDS && info[index_of(address)].access != ACCESS_none;
}

/* Time alone changes the others, or the coprocessor. */
bool debug_regs_is_steady(uint32_t address)
{
    if (!exists(address) || address == RISCV_DEBUG_REG_DBG_RD_DATA || address == RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA)
        return false;
    unsigned model = info[index_of(address)].model;
    return model != MODEL_wall_clock && model != MODEL_watchdog && model != MODEL_perf_counters;
}

/* ---- Debug daisychain ------------------------------------------------------------------------------------- */

enum { DAISY_ENABLED = 29, DAISY_RWCS = 3, DAISY_ADCS = 6, DAISY_RISCV = 7, SIGNAL_SELF_TEST = 255 };

static void put_bits(uint32_t signals[4], unsigned first, unsigned count, uint32_t value)
{
    for (unsigned i = 0; i < count; i++)
        signals[(first + i) / 32] |= (value >> i & 1) << (first + i) % 32;
}

/* A and B: where the core is.  OPEN: the valid bits, and what memory requests and fetches are about to go out. */
static void signals_pc(uint32_t signals[4], bool group_b, uint32_t pc)
{
    if (group_b) { /* the instruction that leaves the frontend */
        put_bits(signals, 32, 30, pc);
    } else { /* the one that retires next, and the one fetched next */
        put_bits(signals, 0, 31, pc);
        put_bits(signals, 64, 30, pc);
    }
}

/* C: mailboxes.  Four bits say that no read of one of them waits.  OPEN: a read that does wait, the latest answer. */
static void signals_mailboxes(uint32_t signals[4], unsigned first)
{
    put_bits(signals, first, 4, 0xF);
}

/* D: the thread's PCBuf and MOP expander; the low nine bits of the PCBuf's front are in C. */
static void signals_thread(const struct devices *dev, uint32_t signals[4], bool group_d, unsigned thread,
                           uint64_t cycle)
{
    const struct pcbuf *buffer = &dev->pcbuf[thread];
    uint32_t front = buffer->count ? buffer->value[buffer->head] : 0;
    if (!group_d) {
        signals_mailboxes(signals, 106);
        put_bits(signals, 119, 9, front);
        return;
    }
    put_bits(signals, 0, 23, front >> 9);
    put_bits(signals, 23, 1, buffer->count == 0);
    put_bits(signals, 24, 1, buffer->count == PCBUF_CAPACITY);
    put_bits(signals, 25, 1, tensix_mop_busy(&dev->tensix, thread, cycle));
    put_bits(signals, 26, 1, !tensix_thread_idle(&dev->tensix, thread, cycle));
    put_bits(signals, 31, 1, buffer->reader_waits);
    const unsigned pushed = tensix_fifo(&dev->tensix, thread, cycle, &front);
    put_bits(signals, 86, 32, front);
    put_bits(signals, 118, 1, pushed != 0);
    put_bits(signals, 125, 1, pushed == TENSIX_FIFO_CAPACITY);
    put_bits(signals, 126, 1, pushed == 0);
}

/* ADCs, where the page and the vendor's list for Blackhole agree: unpackers of thread 0, packer of thread 2. */
static void signals_adc(const struct tensix *tx, uint32_t signals[4], unsigned signal)
{
    const unsigned set = signal / 2;
    const struct tensix_adc_channel *c = &tx->thread[set == 2 ? 2 : 0].adc[set][signal % 2];
    put_bits(signals, 0, 18, c->x);
    put_bits(signals, 18, 18, c->x_cr);
    put_bits(signals, 64, 13, c->y);
    put_bits(signals, 80, 13, c->y_cr);
    put_bits(signals, 96, 8, c->z);
    put_bits(signals, 104, 8, c->z_cr);
    put_bits(signals, 112, 8, c->w);
    put_bits(signals, 120, 8, c->w_cr);
}

/* RWCs where the vendor's list for Blackhole has them; the page has Wormhole's places. */
static void signals_rwc(const struct tensix *tx, uint32_t signals[4], bool second)
{
    static const uint8_t src[TENSIX_THREADS] = {0, 24, 40}, src_cr[TENSIX_THREADS] = {10, 30, 50};
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_rwc *rwc = &tx->thread[i].rwc;
        if (second) {
            put_bits(signals, i == 0 ? 0 : 20 * i - 8, i == 0 ? 2 : 10, i == 0 ? rwc->dst >> 8 : rwc->dst);
            put_bits(signals, 20 * i + 2, 10, rwc->dst_cr);
            continue;
        }
        put_bits(signals, src[i], 6, rwc->src_a);
        put_bits(signals, src_cr[i], 6, rwc->src_a_cr);
        put_bits(signals, 60 + src[i], 6, rwc->src_b);
        put_bits(signals, 60 + src_cr[i], 6, rwc->src_b_cr);
    }
    if (!second)
        put_bits(signals, 120, 8, tx->thread[0].rwc.dst);
}

/* Where the Matrix Unit's pipeline is, by the vendor's list: the fidelity phases of the three threads.  OPEN: what it is
 * about to issue and what holds it, which are zero here; a card's group, read in a loop while one instruction waits. */
static void signals_pipeline(const struct tensix *tx, uint32_t signals[4])
{
    enum { FIDELITY_PHASES = 60 };
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        put_bits(signals, FIDELITY_PHASES + 2 * i, 2, tx->thread[i].rwc.fidelity_phase);
}

/* LaneEnabled of the Vector Unit, column by column. */
static void signals_lanes(const struct vector_files *vector, uint32_t signals[4])
{
    const uint32_t lanes = vector_lanes_enabled(vector);
    for (unsigned lane = 0; lane < LANES; lane++)
        put_bits(signals, lane % LANE_COLUMNS * 4 + lane / LANE_COLUMNS, 1, lanes >> lane);
}

/* Groups of the coprocessor. */
static bool signals_tensix(const struct tile *tile, uint32_t signals[4], unsigned daisy, unsigned signal)
{
    const struct tensix *tx = &tile_devices_const(tile)->tensix;
    if (daisy == DAISY_ADCS && signal < 2 * ADC_SETS)
        signals_adc(tx, signals, signal);
    else if (daisy == DAISY_RWCS && (signal == 2 || signal == 3))
        signals_rwc(tx, signals, signal == 3);
    else if (daisy == DAISY_RWCS && signal == 4)
        signals_pipeline(tx, signals);
    else if (daisy == DAISY_RISCV && signal == 28)
        signals_lanes(&tile_tensix_files_const(tile)->vector, signals);
    else
        return false;
    return true;
}

/* 128 bits of signals.  False where nothing is known or modelled: then they are zero. */
static bool daisychain_signals(const struct tile *tile, uint64_t cycle, uint32_t signals[4])
{
    uint32_t control = debug_reg_peek(tile_devices_const(tile), RISCV_DEBUG_REG_DBG_BUS_CNTL_REG);
    unsigned signal = control & 0xFFFF, daisy = control >> 16 & 0xFF;
    for (unsigned i = 0; i < 4; i++)
        signals[i] = 0;
    if (!(control >> DAISY_ENABLED & 1))
        return true;
    if (signal == SIGNAL_SELF_TEST) {
        signals[0] = daisy;
        signals[1] = signals[3] = 0xA5A5A5A5;
        signals[2] = 0x5A5A5A5A;
        return true;
    }
    const struct devices *dev = tile_devices_const(tile);
    const unsigned cores = devices_cores(dev);
    if (cores == KERR_CORE_COUNT && signals_tensix(tile, signals, daisy, signal))
        return true;
    if (daisy != DAISY_RISCV)
        return false;
    unsigned core;
    if (cores != KERR_CORE_COUNT) { /* E0 18 and 19, E1 20 and 21; D as E0 (the vendor's debugger) */
        if (signal < 18 || signal >= 18 + 2 * cores)
            return false;
        core = (signal - 18) / 2;
    } else if (signal == 1) {
        signals_mailboxes(signals, 115);
        return true;
    } else if (signal >= 18 && signal < 24) {
        signals_thread(dev, signals, signal & 1, (signal - 18) / 2, cycle);
        return true;
    } else if (signal >= 10 && signal < 18) {
        core = KERR_CORE_B + (signal - 10) / 2;
    } else if (signal == 24 || signal == 25) {
        core = KERR_CORE_NC;
    } else {
        return false;
    }
    signals_pc(signals, signal & 1, tile_core_pc(tile, core, cycle));
    return true;
}

static void daisychain_fault(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle)
{
    uint32_t control = debug_reg_peek(tile_devices(tile), RISCV_DEBUG_REG_DBG_BUS_CNTL_REG);
    tile_fault(tile, KERR_FAULT_UNIMPLEMENTED, client, address, cycle, "WormholeB0 DebugDaisychain",
               "debug daisychain: DaisySel %u SignalSel %u is not modelled", control >> 16 & 0xFF, control & 0xFFFF);
}

enum { WRITE_MODE_SAME = 0, WRITE_MODE_NEXT = 1, WRITE_MODE_SAMPLE = 4, WRITE_MODE_PREPARE = 0xF };
enum { WRITE_TRIGGER = 1 << 12, LOW_L1_BLOCKS = (1 << 20) / 16 };

/* The page: "an aligned address in the low 1 MiB of L1". */
static void daisychain_store(struct tile *tile, uint64_t cycle)
{
    uint32_t signals[4];
    daisychain_signals(tile, cycle, signals);
    uint32_t blocks = devices_l1_bytes(tile_devices(tile)) / 16;
    blocks = blocks < LOW_L1_BLOCKS ? blocks : LOW_L1_BLOCKS;
    tile_l1_write(tile, tile_devices(tile)->daisychain.position % blocks * 16, signals, 16, cycle);
}

static void daisychain_sample(struct tile *tile, uint64_t cycle)
{
    struct daisychain *chain = &tile_devices(tile)->daisychain;
    daisychain_store(tile, cycle);
    chain->position++;
    chain->next_sample = chain->position < chain->end ? cycle + chain->interval_cycles : 0;
}

void daisychain_event(struct tile *tile, uint64_t cycle)
{
    const struct daisychain *chain = &tile_devices(tile)->daisychain;
    if (chain->next_sample && cycle >= chain->next_sample)
        daisychain_sample(tile, cycle);
}

static dev_result daisychain_control(struct tile *tile, unsigned client, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct daisychain *chain = &dev->daisychain;
    uint32_t *reg = debug_reg(dev, RISCV_DEBUG_REG_DBG_L1_MEM_REG2);
    uint32_t old = *reg, signals[4];
    unsigned mode = value & 0xF;
    *reg = value;
    if ((old & 0xF) == WRITE_MODE_PREPARE && mode != WRITE_MODE_PREPARE)
        chain->position = debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_L1_MEM_REG0);
    if (!(value & ~old & WRITE_TRIGGER) || mode == WRITE_MODE_PREPARE)
        return DEV_OK;
    if (mode == WRITE_MODE_SAME || mode == WRITE_MODE_NEXT) {
        daisychain_store(tile, cycle);
        chain->position += mode;
    } else if (mode == WRITE_MODE_SAMPLE) {
        chain->end = debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_L1_MEM_REG1);
        chain->interval_cycles = (value >> 4 & 0xFF) + 1;
        daisychain_sample(tile, cycle);
    } else {
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, cycle,
                   "WormholeB0 DebugDaisychain", "WriteMode %u of the debug daisychain is not described", mode);
        return DEV_FAULT;
    }
    if (!daisychain_signals(tile, cycle, signals)) {
        daisychain_fault(tile, client, RISCV_DEBUG_REG_DBG_L1_MEM_REG2, cycle);
        return DEV_FAULT;
    }
    return DEV_OK;
}

/* ---- Registers that have their meaning here --------------------------------------------------------------- */

/* ---- Register files ---------------------------------------------------------------------------------------- */

enum { ARRAY_DST = 2 };

/* DBG_ARRAY_RD_CMD: row in bits 11:0, word in 15:12, array in 18:16, bank in 19 (the vendor's kernel library).  A word is two
 * columns of a row of DstBits, the even one in its low half, whatever DstRowValid and DEST_ACCESS_CFG say (the reference
 * simulator; kernels that print Dst reckon the row themselves).  OPEN: what is read with DBG_ARRAY_RD_EN at 0, zero here, and
 * how long the value takes to be there, for which the kernel library waits five cycles.
 * SrcA cannot be read here: kernels move its rows to Dst (MOVDBGA2D).  SrcB (1) can, two rows that SHIFTXB latches, in an order
 * of bits that nobody describes. */
static bool array_word(const struct tile *tile, uint32_t *value)
{
    const struct devices *dev = tile_devices_const(tile);
    const uint32_t command = debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD);
    const unsigned row = command & 0xFFF, word = command >> 12 & 0xF, array = command >> 16;
    *value = 0;
    if (!(debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_ARRAY_RD_EN) & 1))
        return true;
    if (dev->kind != KERR_TILE_TENSIX || array != ARRAY_DST || row >= DST_ROWS || word >= DST_COLUMNS / 2)
        return false;
    const uint16_t *columns = &tile_tensix_files_const(tile)->DstBits[row][2 * word];
    *value = (uint32_t)columns[1] << 16 | columns[0];
    return true;
}

static dev_result own_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    const struct devices *dev = tile_devices(tile);
    *value = debug_reg_peek(dev, address);
    if (address == RISCV_DEBUG_REG_DBG_RD_DATA) {
        uint32_t signals[4];
        bool known = daisychain_signals(tile, cycle, signals);
        *value = signals[debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG) >> 25 & 3];
        if (!known) {
            daisychain_fault(tile, client, address, cycle);
            return DEV_FAULT;
        }
    } else if (address == RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA && !array_word(tile, value)) {
        const uint32_t command = debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_ARRAY_RD_CMD);
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL,
                   "register file read 0x%08x: Dst (2) has 1024 rows of 8 words; of no other is it known what comes",
                   command);
        return DEV_FAULT;
    }
    return DEV_OK;
}

static dev_result own_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (address == RISCV_DEBUG_REG_DBG_L1_MEM_REG2)
        return daisychain_control(tile, client, value, cycle);
    *debug_reg(dev, address) = value;
    if (address == RISCV_DEBUG_REG_CFGREG_RD_CNTL) {
        uint32_t word = 0;                                   /* past the end of the configuration: zero */
        tensix_settle(tile_lent(tile), &dev->tensix, cycle); /* what other threads' instructions have written by now */
        config_word(dev, value & 0x7FF, &word);
        *debug_reg(dev, RISCV_DEBUG_REG_CFGREG_RDDATA) = word;
    } else if (address == RISCV_DEBUG_REG_BREAKPOINT_CTRL && value != 0) {
        tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, NULL, "%s = 0x%x: no document says what it does",
                   devices_register_name(address), value);
        return DEV_FAULT;
    }
    return DEV_OK;
}

/* ---- The region ------------------------------------------------------------------------------------------- */

dev_result debug_regs_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    if (!exists(address))
        return DEV_NOTHING;
    switch ((enum model)info[index_of(address)].model) {
    case MODEL_wall_clock: return wall_clock_read(tile, client, address, cycle, value);
    case MODEL_watchdog: return watchdog_read(tile, client, address, cycle, value);
    case MODEL_perf_counters: return perf_counters_read(tile, client, address, cycle, value);
    case MODEL_debug_interface: return debug_interface_read(tile, client, address, cycle, value);
    case MODEL_tensix_fifo: return instrn_buf_debug_read(tile, client, address, cycle, value);
    case MODEL_debug_regs: return own_read(tile, client, address, cycle, value);
    case MODEL_pcbuf:
    case MODEL_soft_reset:
    case MODEL_stored: break;
    }
    *value = debug_reg_peek(tile_devices(tile), address);
    return DEV_OK;
}

dev_result debug_regs_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (!exists(address))
        return DEV_NOTHING;
    if (info[index_of(address)].access == ACCESS_ro)
        return DEV_OK;
    switch ((enum model)info[index_of(address)].model) {
    case MODEL_soft_reset: return soft_reset_write(tile, value, cycle);
    case MODEL_wall_clock: return wall_clock_write(tile, client, address, value, cycle);
    case MODEL_watchdog: return watchdog_write(tile, client, address, value, cycle);
    case MODEL_perf_counters: return perf_counters_write(tile, client, address, value, cycle);
    case MODEL_debug_interface: return debug_interface_write(tile, client, address, value, cycle);
    case MODEL_tensix_fifo: return instrn_buf_debug_write(tile, client, address, value, cycle);
    case MODEL_debug_regs: return own_write(tile, client, address, value, cycle);
    case MODEL_pcbuf:
        *debug_reg(dev, address) = value;
        tile_devices_changed(tile, cycle); /* the override may let a waiting read go */
        return DEV_OK;
    case MODEL_stored: break;
    }
    *debug_reg(dev, address) = value;
    return DEV_OK;
}

bool debug_regs_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    const struct devices *dev = tile_devices_const(tile);
    if (!exists(address))
        return false;
    if (address == RISCV_DEBUG_REG_DBG_RD_DATA) {
        uint32_t signals[4];
        daisychain_signals(tile, cycle, signals);
        *value = signals[debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_BUS_CNTL_REG) >> 25 & 3];
        return true;
    }
    if (address == RISCV_DEBUG_REG_DBG_ARRAY_RD_DATA) {
        array_word(tile, value);
        return true;
    }
    switch ((enum model)info[index_of(address)].model) {
    case MODEL_wall_clock: return wall_clock_peek(tile, client, address, cycle, value);
    case MODEL_watchdog: return watchdog_peek(tile, client, address, cycle, value);
    case MODEL_perf_counters: return perf_counters_peek(tile, client, address, cycle, value);
    case MODEL_tensix_fifo: return instrn_buf_debug_peek(tile, client, address, cycle, value);
    case MODEL_debug_interface:
    case MODEL_debug_regs:
    case MODEL_pcbuf:
    case MODEL_soft_reset:
    case MODEL_stored: break;
    }
    *value = debug_reg_peek(dev, address);
    return true;
}

/* Storage only: a poke of SOFT_RESET_0 starts no core. */
bool debug_regs_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    if (!exists(address))
        return false;
    switch ((enum model)info[index_of(address)].model) {
    case MODEL_wall_clock: return wall_clock_poke(tile, client, address, value, cycle);
    case MODEL_watchdog: return watchdog_poke(tile, client, address, value, cycle);
    case MODEL_perf_counters: return perf_counters_poke(tile, client, address, value, cycle);
    case MODEL_debug_interface: return debug_interface_poke(tile, client, address, value, cycle);
    case MODEL_tensix_fifo: return instrn_buf_debug_poke(tile, client, address, value, cycle);
    case MODEL_debug_regs:
    case MODEL_pcbuf:
    case MODEL_soft_reset:
    case MODEL_stored: break;
    }
    *debug_reg(tile_devices(tile), address) = value;
    return true;
}

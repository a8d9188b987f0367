/* SPDX-License-Identifier: Apache-2.0 */
/* What the baby cores reach of the Tensix coprocessor: instruction FIFOs, GPRs, backend configuration, MOP expander
 * configuration and semaphores.
 *
 * Manual BabyRISCV/PushTensixInstruction, TensixCoprocessor/BackendConfiguration and SyncUnit; WormholeB0
 * ScalarUnit "RISCV access to GPRs" and MOPExpander.  Nothing takes instructions out of the frontend yet: the first of
 * each thread stands at the wait gate, those behind it in the FIFO before the replay expander. */
#include "tile/blocks.h"

#include "tensix/sync.h"
#include "tensix/tensix.h"
#include "tensix/trace.h"

/* ---- Instruction FIFOs ------------------------------------------------------------------------------------ */

/* While the debug bus has a thread's FIFO "normal writes ... are very likely to be silently discarded". */
static bool debug_bus_has(const struct devices *dev, unsigned thread)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0) >> thread & 1;
}

bool devices_pushes_freely(const struct devices *dev, unsigned core)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0) == 0 && client_is_t(core);
}

static dev_result push_replay(struct tile *tile, unsigned client, unsigned thread, uint32_t instruction, uint32_t pc,
                              uint64_t cycle)
{
    struct tensix *tx = &tile_devices(tile)->tensix;
    uint32_t lost = 0;
    const tensix_push_result result = tensix_push_replay(tx, thread, instruction, pc, cycle, &lost);
    if (result == TENSIX_PUSH_FULL)
        return DEV_WAIT;
    tensix_trace_push(tile, tx, thread, client <= KERR_CORE_T2 ? (int)client : -1, instruction, pc, cycle);
    tile_has_event(tile, tensix_next(tx));
    if (result == TENSIX_PUSH_COLLISION)
        tile_fault(tile, KERR_FAULT_UNPREDICTABLE, client, INSTRN_BUF_BASE + 0x10000 * thread, cycle,
                   "WormholeB0 TensixCoprocessor/README \"Frontend\"",
                   "push of 0x%08x behind the MOP expander of thread %u in the cycle in which 0x%08x comes out of it: "
                   "that one "
                   "is lost",
                   instruction, thread, lost);
    return DEV_OK;
}

dev_result devices_push_tensix(struct tile *tile, unsigned client, unsigned thread, uint32_t instruction,
                               uint64_t cycle)
{
    if (client > KERR_CORE_T2 || thread >= TENSIX_THREADS || (client_is_t(client) && client_thread(client) != thread))
        return DEV_NOTHING;
    struct devices *dev = tile_devices(tile);
    if (debug_bus_has(dev, thread)) {
        tile_fault(tile, KERR_FAULT_UNPREDICTABLE, client, INSTRN_BUF_BASE + 0x10000 * thread, cycle,
                   "BabyRISCV/PushTensixInstruction", "push of 0x%08x while the debug bus has the FIFO of thread %u",
                   instruction, thread);
        return DEV_FAULT;
    }
    const uint32_t pc = tile_core_pc(tile, client, cycle);
    if (client != KERR_CORE_B) {
        if (!tensix_push(&dev->tensix, thread, instruction, pc, cycle))
            return DEV_WAIT;
        tensix_trace_push(tile, &dev->tensix, thread, (int)client, instruction, pc, cycle);
        tile_has_event(tile, tensix_next(&dev->tensix));
        return DEV_OK;
    }
    return push_replay(tile, client, thread, instruction, pc, cycle);
}

dev_result instrn_buf_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    unsigned thread = client == KERR_CORE_B ? (address >> 16 & 3) : client_thread(client);
    return devices_push_tensix(tile, client, thread, value, cycle);
}

dev_result instrn_buf_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    *value = 0;
    tile_fault(tile, KERR_FAULT_UNKNOWN, client, address, cycle, "BabyRISCV/PushTensixInstruction",
               "load from the address that pushes Tensix instructions: 0x%08x", address);
    return DEV_FAULT;
}

bool instrn_buf_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)tile, (void)client, (void)address, (void)cycle;
    *value = 0;
    return true;
}

bool instrn_buf_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)tile, (void)client, (void)address, (void)value, (void)cycle;
    return false;
}

/* Manual SoftReset: what waits before the MOP expander goes when RISCV Ti enters reset; what is behind it stays. */
void tensix_fifo_core_reset(struct devices *dev, unsigned core)
{
    if (!client_is_t(core))
        return;
    tensix_core_reset(&dev->tensix, client_thread(core));
}

/* ---- RISCV_DEBUG_REG_DBG_INSTRN_BUF_* --------------------------------------------------------------------- */

bool instrn_buf_debug_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client;
    const struct devices *dev = tile_devices_const(tile);
    *value = debug_reg_peek(dev, address);
    if (address == RISCV_DEBUG_REG_DBG_INSTRN_BUF_STATUS) {
        *value = 0;
        for (unsigned i = 0; i < TENSIX_THREADS; i++) {
            const unsigned waiting = tensix_replay_waiting(&dev->tensix, i, cycle);
            *value |= (uint32_t)(waiting < REPLAY_FIFO_CAPACITY) << i;
            *value |= (uint32_t)(waiting == 0) << (4 + i);
        }
    }
    return true;
}

dev_result instrn_buf_debug_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    instrn_buf_debug_peek(tile, client, address, cycle, value);
    return DEV_OK;
}

dev_result instrn_buf_debug_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    dev_result result = DEV_OK;
    if (address != RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0)
        return DEV_OK;
    uint32_t risen = value & ~debug_reg_peek(dev, address);
    *debug_reg(dev, address) = value & 0xFF;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        if (!(risen >> (4 + i) & 1) || !debug_bus_has(dev, i))
            continue;
        uint32_t instruction = debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL1);
        const dev_result pushed = push_replay(tile, client, i, instruction, 0, cycle);
        if (pushed == DEV_WAIT) {
            dev->tensix.thread[i].waiting &= (uint8_t)~TENSIX_WAITS_B; /* a debug bus does not wait */
            tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "BabyRISCV/PushTensixInstruction",
                       "debug bus pushes 0x%08x into the full FIFO of thread %u", instruction, i);
            result = DEV_FAULT;
        }
    }
    tile_devices_changed(tile, cycle);
    return result;
}

bool instrn_buf_debug_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    if (address == RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0)
        *debug_reg(tile_devices(tile), address) = value & 0xFF;
    return true;
}

/* ---- GPRs ------------------------------------------------------------------------------------------------- */

/* RISCV B sees all 3 * 64.  RISCV Ti sees its own 64, and sees them again every 256 bytes (manual MemoryOrdering,
 * "Aliasing of underlying storage").  -1: nothing there. */
static int gpr_index(unsigned client, uint32_t address)
{
    unsigned i = (address - REGFILE_BASE) / 4;
    if (client_is_t(client))
        return (int)(client_thread(client) * TENSIX_GPRS + i % TENSIX_GPRS);
    return i < TENSIX_THREADS * TENSIX_GPRS ? (int)i : -1;
}

bool gpr_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)cycle;
    int i = gpr_index(client, address);
    if (i < 0)
        return false;
    *value = tile_devices_const(tile)->tensix.thread[i / TENSIX_GPRS].gpr[i % TENSIX_GPRS];
    return true;
}

dev_result gpr_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    tensix_settle(tile, &tile_devices(tile)->tensix, cycle);
    if (!gpr_peek(tile, client, address, cycle, value))
        return DEV_NOTHING;
    return ttsync_auto_waits(tile_devices(tile), client, TTSYNC_GPR, cycle) ? DEV_WAIT : DEV_OK;
}

dev_result gpr_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    int i = gpr_index(client, address);
    if (i < 0)
        return DEV_NOTHING;
    if (ttsync_auto_waits(dev, client, TTSYNC_GPR, cycle))
        return DEV_WAIT;
    tensix_settle(tile, &dev->tensix, cycle);
    dev->tensix.thread[i / TENSIX_GPRS].gpr[i % TENSIX_GPRS] = value;
    return DEV_OK;
}

bool gpr_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)cycle;
    int i = gpr_index(client, address);
    if (i >= 0)
        tile_devices(tile)->tensix.thread[i / TENSIX_GPRS].gpr[i % TENSIX_GPRS] = value;
    return i >= 0;
}

/* ---- Backend configuration -------------------------------------------------------------------------------- */

enum {
    STATE_RESET_EN_ADDR32 = 4,
    THCON_CFGREG_BASE_ADDR32 = 64,
    GLOBAL_CFGREG_BASE_ADDR32 = 180,
    RISCV_IC_INVALIDATE_ADDR32 = 185, /* bit i: kerr_core i */
    TAG_SEARCH_FIRST_ADDR32 = 212,
    TAG_SEARCH_LAST_ADDR32 = 219,
    ALL_CORES = 0x1F,
    SOFT_RESET_THCON = 9,
};

bool config_word(const struct devices *dev, uint32_t index, uint32_t *value)
{
    if (index < 2 * CFG_WORDS)
        *value = dev->tensix.config[index / CFG_WORDS][index % CFG_WORDS];
    else if (index < 3 * CFG_WORDS)
        *value = dev->tensix.config[0][index - 2 * CFG_WORDS];
    else if (index < 3 * CFG_WORDS + TENSIX_THREADS * THD_STATE_SIZE)
        *value = dev->tensix.thread[(index - 3 * CFG_WORDS) / THD_STATE_SIZE]
                     .config[(index - 3 * CFG_WORDS) % THD_STATE_SIZE];
    else
        return false;
    return true;
}

/* "Special cases": a global word is one word in both banks, a few writes act at once. */
void config_write_word(struct tile *tile, unsigned bank, unsigned word, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (word >= THCON_CFGREG_BASE_ADDR32 && word < GLOBAL_CFGREG_BASE_ADDR32 && soft_reset_bit(dev, SOFT_RESET_THCON))
        return;
    if (word == STATE_RESET_EN_ADDR32) {
        for (unsigned j = 0; j < GLOBAL_CFGREG_BASE_ADDR32; j++)
            dev->tensix.config[bank][j] = 0;
        return;
    }
    if (word < GLOBAL_CFGREG_BASE_ADDR32) {
        dev->tensix.config[bank][word] = value;
        return;
    }
    uint32_t triggers = tag_search_triggers(dev);
    dev->tensix.config[0][word] = dev->tensix.config[1][word] = value;
    if (word == RISCV_IC_INVALIDATE_ADDR32 && (value & ALL_CORES))
        tile_invalidate_instruction_cache(tile, value & ALL_CORES, cycle);
    if (word >= TAG_SEARCH_FIRST_ADDR32 && word <= TAG_SEARCH_LAST_ADDR32 && tag_search_triggers(dev) != triggers)
        tag_search_latch(dev);
}

dev_result config_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    unsigned index = (address - TENSIX_CFG_BASE) / 4, word = index % CFG_WORDS;
    uint32_t now;
    if (!config_word(dev, index, &now))
        return DEV_NOTHING;
    if (ttsync_auto_waits(dev, client, TTSYNC_GLOBAL_CFG, cycle))
        return DEV_WAIT;
    tensix_settle(tile, &dev->tensix, cycle);
    if (index >= 3 * CFG_WORDS) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "TensixCoprocessor/BackendConfiguration",
                   "store to ThreadConfig at 0x%08x: only SETC16 writes it", address);
        return DEV_FAULT;
    }
    if (index < 2 * CFG_WORDS) {
        config_write_word(tile, index / CFG_WORDS, word, value, cycle);
    } else {
        config_write_word(tile, 0, word, value, cycle);
        if (word < GLOBAL_CFGREG_BASE_ADDR32)
            config_write_word(tile, 1, word, value, cycle);
    }
    return DEV_OK;
}

bool config_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    return config_word(tile_devices_const(tile), (address - TENSIX_CFG_BASE) / 4, value);
}

dev_result config_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    tensix_settle(tile, &tile_devices(tile)->tensix, cycle);
    if (!config_peek(tile, client, address, cycle, value))
        return DEV_NOTHING;
    return ttsync_auto_waits(tile_devices(tile), client, TTSYNC_GLOBAL_CFG, cycle) ? DEV_WAIT : DEV_OK;
}

bool config_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    struct devices *dev = tile_devices(tile);
    unsigned index = (address - TENSIX_CFG_BASE) / 4, word = index % CFG_WORDS, thread_word = index - 3 * CFG_WORDS;
    uint32_t now;
    if (!config_word(dev, index, &now))
        return false;
    bool both = index >= 2 * CFG_WORDS || word >= GLOBAL_CFGREG_BASE_ADDR32;
    if (index >= 3 * CFG_WORDS)
        dev->tensix.thread[thread_word / THD_STATE_SIZE].config[thread_word % THD_STATE_SIZE] = (uint16_t)value;
    else if (both)
        dev->tensix.config[0][word] = dev->tensix.config[1][word] = value;
    else
        dev->tensix.config[index / CFG_WORDS][word] = value;
    return true;
}

/* Manual SoftReset "THCON configuration soft reset". */
void config_thcon_soft_reset(struct devices *dev)
{
    for (unsigned j = THCON_CFGREG_BASE_ADDR32; j < GLOBAL_CFGREG_BASE_ADDR32; j++)
        dev->tensix.config[0][j] = dev->tensix.config[1][j] = 0;
}

/* ---- MOP expander configuration: write only --------------------------------------------------------------- */

dev_result mop_cfg_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct tensix *tx = &tile_devices(tile)->tensix;
    const unsigned thread = client_thread(client);
    tensix_expand(tx, thread, cycle); /* what came out of the expander before has the old value */
    tx->thread[thread].mop_cfg[(address - TENSIX_MOP_CFG_BASE) / 4] = value;
    return DEV_OK;
}

dev_result mop_cfg_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    *value = 0;
    (void)tile;
    tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "WormholeB0 TensixCoprocessor/MOPExpander",
               "load from MOP expander configuration, which is write only");
    return DEV_FAULT;
}

bool mop_cfg_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)cycle;
    *value =
        tile_devices_const(tile)->tensix.thread[client_thread(client)].mop_cfg[(address - TENSIX_MOP_CFG_BASE) / 4];
    return true;
}

bool mop_cfg_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    return mop_cfg_write(tile, client, address, value, cycle) == DEV_OK;
}

/* ---- Semaphores ------------------------------------------------------------------------------------------- */

enum { SEMAPHORE_VALUE_MAX = 15 };

bool semaphores_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client, (void)cycle;
    unsigned i = (address - PC_BUF_SEMAPHORE) / 4;
    if (i >= SEMAPHORES)
        return false;
    *value = tile_devices_const(tile)->tensix.semaphore[i].value;
    return true;
}

dev_result semaphores_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    return semaphores_peek(tile, client, address, cycle, value) ? DEV_OK : DEV_NOTHING;
}

/* Bit 0 set is like SEMGET, clear like SEMPOST; neither looks at Max. */
dev_result semaphores_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    struct tensix *tx = &tile_devices(tile)->tensix;
    const unsigned i = (address - PC_BUF_SEMAPHORE) / 4;
    if (i >= SEMAPHORES)
        return DEV_NOTHING;
    const unsigned now = tx->semaphore[i].value;
    if ((value & 1) && now > 0)
        sync_set_semaphore(tile, tx, i, now - 1, cycle);
    else if (!(value & 1) && now < SEMAPHORE_VALUE_MAX)
        sync_set_semaphore(tile, tx, i, now + 1, cycle);
    tile_devices_changed(tile, cycle);
    return DEV_OK;
}

bool semaphores_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    const unsigned i = (address - PC_BUF_SEMAPHORE) / 4;
    if (i < SEMAPHORES)
        sync_set_semaphore(tile, &tile_devices(tile)->tensix, i, value & SEMAPHORE_VALUE_MAX, cycle);
    return i < SEMAPHORES;
}

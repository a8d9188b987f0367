/* SPDX-License-Identifier: Apache-2.0 */
/* What the baby cores reach of the Tensix coprocessor: instruction FIFOs, GPRs, MOP expander configuration and
 * semaphores.  Backend configuration: tensix_config.c.
 *
 * Manual BabyRISCV/PushTensixInstruction, TensixCoprocessor/SyncUnit; WormholeB0 ScalarUnit "RISCV access to GPRs" and
 * MOPExpander.  What becomes of a push is in tensix/frontend. */
#include "tile/blocks.h"

#include "hooks/hooks.h"

#include "tensix/sync.h"
#include "tensix/tensix.h"
#include "tensix/trace.h"

/* ---- Instruction FIFOs ------------------------------------------------------------------------------------ */

/* While the debug bus has a thread's FIFO "normal writes ... are very likely to be silently discarded". */
static bool debug_bus_has(const struct devices *dev, unsigned thread)
{
    return debug_reg_peek(dev, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0) >> thread & 1;
}

static dev_result push_replay(struct tile *tile, unsigned client, unsigned thread, uint32_t instruction, uint32_t pc,
                              uint64_t cycle)
{
    struct tensix *tx = &tile_devices(tile)->tensix;
    uint32_t lost = 0;
    const tensix_push_result result = tensix_push_replay(tx, thread, instruction, pc, cycle, &lost);
    tile_has_event(tile, tensix_next(tx));
    if (result == TENSIX_PUSH_FULL)
        return DEV_WAIT;
    tensix_trace_push(tile_lent(tile), tx, thread, client <= KERR_CORE_T2 ? (int)client : -1, instruction, pc, cycle);
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
        const bool pushed = tensix_push(&dev->tensix, thread, instruction, pc, cycle);
        if (pushed)
            tensix_trace_push(tile_lent(tile), &dev->tensix, thread, (int)client, instruction, pc, cycle);
        tile_has_event(tile, tensix_next(&dev->tensix));
        if (pushed)
            hook_push(tile, client, thread, instruction, pc, cycle);
        return pushed ? DEV_OK : DEV_WAIT;
    }
    const dev_result pushed = push_replay(tile, client, thread, instruction, pc, cycle);
    if (pushed == DEV_OK)
        hook_push(tile, client, thread, instruction, pc, cycle);
    return pushed;
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
    tensix_settle(tile_lent(tile), &tile_devices(tile)->tensix, cycle);
    if (!gpr_peek(tile, client, address, cycle, value))
        return DEV_NOTHING;
    if (ttsync_auto_waits(tile, client, TTSYNC_GPR, address, false, cycle))
        return DEV_WAIT;
    const unsigned i = (unsigned)gpr_index(client, address);
    hook_gpr(tile, i / TENSIX_GPRS, i % TENSIX_GPRS, 1, CHECK_READ);
    return DEV_OK;
}

dev_result gpr_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    int i = gpr_index(client, address);
    if (i < 0)
        return DEV_NOTHING;
    if (ttsync_auto_waits(tile, client, TTSYNC_GPR, address, true, cycle))
        return DEV_WAIT;
    tensix_settle(tile_lent(tile), &dev->tensix, cycle);
    hook_gpr(tile, (unsigned)i / TENSIX_GPRS, (unsigned)i % TENSIX_GPRS, 1, CHECK_WRITE);
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

/* ---- MOP expander configuration: write only --------------------------------------------------------------- */

dev_result mop_cfg_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    struct tensix *tx = &tile_devices(tile)->tensix;
    const unsigned thread = client_thread(client);
    tensix_expand(tx, thread, cycle); /* what came out of the expander before has the old value */
    tx->thread[thread].mop_cfg[(address - TENSIX_MOP_CFG_BASE) / 4] = value;
    tx->thread[thread].swallow_told = false; /* its loops may record now */
    if (tx->thread[thread].waiting & TENSIX_WAITS_MOP)
        tensix_wait(tx, thread, TENSIX_WAITS_MOP, cycle); /* MOPs that wait have other lengths now */
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
    hook_core_semaphore(tile, client, i, value & 1 ? -1 : 1, now, cycle);
    if ((value & 1) && now > 0)
        sync_set_semaphore(tile_lent(tile), tx, i, now - 1, cycle, cycle);
    else if (!(value & 1) && now < SEMAPHORE_VALUE_MAX)
        sync_set_semaphore(tile_lent(tile), tx, i, now + 1, cycle, cycle);
    tile_devices_changed(tile, cycle);
    return DEV_OK;
}

bool semaphores_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    const unsigned i = (address - PC_BUF_SEMAPHORE) / 4;
    if (i < SEMAPHORES)
        sync_set_semaphore(tile_lent(tile), &tile_devices(tile)->tensix, i, value & SEMAPHORE_VALUE_MAX, cycle, cycle);
    return i < SEMAPHORES;
}

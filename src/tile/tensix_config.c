/* SPDX-License-Identifier: Apache-2.0 */
/* Backend configuration: the way there for baby cores.  What a write does is tensix/config_words.c's.
 *
 * Manual TensixCoprocessor/BackendConfiguration (16705cfa) and ConfigurationUnit.  A load or store passes stage 0 of the
 * Configuration Unit's pipeline like an instruction, and waits while that is taken.  The instructions: tensix/config.c. */
#include "tile/blocks.h"

#include "base/bits.h"
#include "base/shake.h"
#include "cfg_fields.h"
#include "hooks/hooks.h"
#include "tensix/config_pipe.h"
#include "tensix/events.h"
#include "tensix/later.h"
#include "tensix/tensix.h"

/* As cores see it: both banks, ConfigDualWrite, then ThreadConfig of each thread. */
enum {
    DUAL_WRITE = 2 * CFG_WORDS,
    THREAD_CONFIG = 3 * CFG_WORDS,
    WORDS = THREAD_CONFIG + TENSIX_THREADS * THD_STATE_SIZE,
};

bool config_word(const struct devices *dev, uint32_t index, uint32_t *value)
{
    const struct tensix *tx = &dev->tensix;
    if (index < DUAL_WRITE)
        *value = tx->config[index / CFG_WORDS][index % CFG_WORDS];
    else if (index < THREAD_CONFIG)
        *value = tx->config[0][index - DUAL_WRITE];
    else if (index < WORDS)
        *value = tx->thread[(index - THREAD_CONFIG) / THD_STATE_SIZE].config[(index - THREAD_CONFIG) % THD_STATE_SIZE];
    else
        return false;
    return true;
}

/* Manual SoftReset "THCON configuration soft reset". */
void config_thcon_soft_reset(struct devices *dev)
{
    for (unsigned j = THCON_CFGREG_BASE_ADDR32; j < GLOBAL_CFGREG_BASE_ADDR32; j++)
        dev->tensix.config[0][j] = dev->tensix.config[1][j] = 0;
}

/* ---- Baby cores ------------------------------------------------------------------------------------------- */

static dev_result request(struct tile *tile, unsigned client, uint32_t address, bool is_store, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (ttsync_auto_waits(tile, client, TTSYNC_GLOBAL_CFG, address, is_store, cycle))
        return DEV_WAIT;
    if (!config_pipe_enter(&dev->tensix.config_unit, cycle, CONFIG_ENTER_REQUEST)) {
        ttsync_request_waits(tile, cycle);
        tensix_wait_config(&dev->tensix, cycle + 1);
        tile_has_event(tile, tensix_next(&dev->tensix));
        return DEV_WAIT;
    }
    tensix_settle(tile_lent(tile), &dev->tensix, cycle);
    return DEV_OK;
}

/* Loads and stores of configuration by one core stay in order. */
static void store_before(struct tile *tile, unsigned client, uint64_t cycle)
{
    const struct tensix *tx = &tile_devices(tile)->tensix;
    if (UNLIKELY(tx->shake.on) && client_is_t(client) && tx->shake.store[client_thread(client)].due != 0)
        config_store_arrives(tile_lent(tile), &tile_devices(tile)->tensix, client_thread(client), cycle);
}

/* How much later than it comes the store is there. */
static unsigned store_delay(const struct tile *tile, struct tensix *tx, unsigned client)
{
    if (LIKELY(!tx->shake.on) || !client_is_t(client))
        return 0;
    const unsigned thread = client_thread(client);
    const uint32_t tracks = TENSIX_TRISC_SYNC_TrackTensixInstructions_MASK | TENSIX_TRISC_SYNC_TrackGlobalCfg_MASK;
    if ((tx->thread[thread].config[TENSIX_TRISC_SYNC_TrackTensixInstructions_ADDR32] & tracks) == tracks)
        return 0;
    return tile_shake(tile, SHAKE_CONFIG_STORE, thread, tx->shake.stores[thread]++);
}

dev_result config_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    const unsigned index = (address - TENSIX_CFG_BASE) / 4, word = index % CFG_WORDS;
    if (index >= WORDS)
        return DEV_NOTHING;
    hook_hold(tile); /* units do what was due before */
    const dev_result result = request(tile, client, address, true, cycle);
    if (result != DEV_OK)
        return result;
    if (index >= THREAD_CONFIG) {
        tile_fault(tile, KERR_FAULT_UNDEFINED, client, address, cycle, "TensixCoprocessor/BackendConfiguration",
                   "store to ThreadConfig at 0x%08x: only SETC16 writes it", address);
        return DEV_FAULT;
    }
    store_before(tile, client, cycle);
    struct tensix *tx = &tile_devices(tile)->tensix;
    const unsigned delay = store_delay(tile, tx, client);
    hook_resume(tile);
    if (UNLIKELY(delay != 0))
        hook_seen_from(tile, cycle + delay);
    hook_config(tile, index < DUAL_WRITE ? index / CFG_WORDS : 0, word, CHECK_WRITE, cycle);
    if (index >= DUAL_WRITE)
        hook_config(tile, 1, word, CHECK_WRITE, cycle);
    if (UNLIKELY(delay != 0)) {
        ttsync_request_waits(tile, cycle);
        tx->shake.store[client_thread(client)] =
            (struct tensix_late_store){.due = tensix_due_at(cycle + delay), .index = index, .value = value};
        tensix_event_at(tx, cycle + delay);
        tile_has_event(tile, tensix_next(tx));
    } else {
        config_store_word(tile_lent(tile), tx, index, value, cycle);
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
    if ((address - TENSIX_CFG_BASE) / 4 >= WORDS)
        return DEV_NOTHING;
    const dev_result result = request(tile, client, address, false, cycle);
    const unsigned index = (address - TENSIX_CFG_BASE) / 4;
    if (result != DEV_OK)
        return result;
    store_before(tile, client, cycle);
    config_peek(tile, client, address, cycle, value);
    if (index < THREAD_CONFIG)
        hook_config(tile, index < DUAL_WRITE ? index / CFG_WORDS : 0, index % CFG_WORDS, CHECK_READ, cycle);
    else
        hook_config(tile, CHECK_THREAD_CONFIG + (index - THREAD_CONFIG) / THD_STATE_SIZE,
                    (index - THREAD_CONFIG) % THD_STATE_SIZE, CHECK_READ, cycle);
    return result;
}

bool config_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    struct tensix *tx = &tile_devices(tile)->tensix;
    const unsigned index = (address - TENSIX_CFG_BASE) / 4, word = index % CFG_WORDS;
    if (index >= WORDS)
        return false;
    if (index >= THREAD_CONFIG)
        tx->thread[(index - THREAD_CONFIG) / THD_STATE_SIZE].config[(index - THREAD_CONFIG) % THD_STATE_SIZE] =
            (uint16_t)value;
    else if (index >= DUAL_WRITE || word >= GLOBAL_CFGREG_BASE_ADDR32)
        tx->config[0][word] = tx->config[1][word] = value;
    else
        tx->config[index / CFG_WORDS][word] = value;
    return true;
}

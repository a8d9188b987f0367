/* SPDX-License-Identifier: Apache-2.0 */
/* How Config is kept and what a write does besides, whoever writes: units (config.c, later.c, mover.c) or cores
 * (tile/tensix_config.c).
 *
 * Manual TensixCoprocessor/BackendConfiguration (16705cfa), "Special cases": a global word is one word in both banks, a few writes
 * act at once. */
#include "tensix/later.h"

#include "base/bits.h"
#include "cfg_fields.h"
#include "tensix/pack/packer.h"
#include "tensix/tensix.h"
#include "tensix/vector/vector.h"

#include <string.h>

enum { ALL_CORES = 0x1F, SOFT_RESET_THCON = 9 };

/* Of the L1 cache tag search accelerator (tile/tag_search.c), which takes its configuration when one of them changes. */
static uint32_t tag_search_triggers(const uint32_t *config)
{
#define FIELD(name) CFG_FIELD(config, L1_CACHE_TAG_SEARCH_ACCEL_##name)
    return FIELD(Search_Enable) | FIELD(Tag_alloc) << 1 | FIELD(Tag_inv) << 2 | FIELD(Tag_inv_all) << 3 |
           FIELD(Data_Valid_chk) << 4;
#undef FIELD
}

/* OPEN: a write of PRNG_SEED seeds the random number generators; no document says what each of them starts from then.  The
 * packer's: pack_seed; the Vector Unit's: config_store_word. */
void config_keep_word(tensix_tile *tile, struct tensix *tx, unsigned bank, unsigned word, uint32_t value,
                      uint64_t cycle)
{
    uint32_t(*config)[CFG_WORDS] = tx->config;
    tensix_config_changing(tile, tx, cycle);
    if (word < GLOBAL_CFGREG_BASE_ADDR32) {
        if (word < THCON_CFGREG_BASE_ADDR32 || !tensix_soft_reset(tile, SOFT_RESET_THCON))
            config[bank][word] = value;
        return;
    }
    const uint32_t triggers = tag_search_triggers(config[0]);
    config[0][word] = config[1][word] = value;
    if (word == RISCV_IC_INVALIDATE_InvalidateAll_ADDR32 && (value & ALL_CORES)) /* bit i: kerr_core i */
        tile->invalidate_code(tile->owner, value & ALL_CORES, cycle);
    if (word == PRNG_SEED_Seed_Val_ADDR32)
        pack_seed(&tx->packer, value);
    if (tag_search_triggers(config[0]) != triggers) {
        tile->tag_search_changes(tile->owner, cycle);
        tx->yield = true; /* RISCV B has a turn */
    }
}

void config_write_word(tensix_tile *tile, struct tensix *tx, unsigned bank, unsigned word, uint32_t value,
                       uint64_t cycle)
{
    if (word == STATE_RESET_EN_ADDR32) {
        tensix_config_changing(tile, tx, cycle);
        memset(tx->config[bank], 0, GLOBAL_CFGREG_BASE_ADDR32 * sizeof tx->config[bank][0]);
    } else {
        config_keep_word(tile, tx, bank, word, value, cycle);
    }
}

void config_store_word(tensix_tile *tile, struct tensix *tx, unsigned index, uint32_t value, uint64_t cycle)
{
    const unsigned word = index % CFG_WORDS;
    if (index < 2 * CFG_WORDS) {
        config_write_word(tile, tx, index / CFG_WORDS, word, value, cycle);
    } else {
        config_write_word(tile, tx, 0, word, value, cycle);
        if (word < GLOBAL_CFGREG_BASE_ADDR32)
            config_write_word(tile, tx, 1, word, value, cycle);
    }
    if (word == PRNG_SEED_Seed_Val_ADDR32) /* WRCFG does not do this (cards) */
        vector_seed(&tile->files->vector, value);
}

void config_store_arrives(tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t cycle)
{
    struct tensix_late_store *store = &tx->shake.store[thread];
    const struct tensix_late_store what = *store;
    *store = (struct tensix_late_store){0};
    config_store_word(tile, tx, what.index, what.value, cycle);
    tx->yield = true; /* others may look at it */
}

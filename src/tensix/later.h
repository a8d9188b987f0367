/* SPDX-License-Identifier: Apache-2.0 */
/* Writes that become visible in a cycle to come: results of the Scalar Unit, stages of the Configuration Unit.
 *
 * Kept in order of cycle; at equal cycles in the order in which they were made.  An access in cycle c sees writes with
 * cycle <= c: who looks calls tensix_settle first (the engine does before it hands an instruction to its unit).  Those that
 * do something besides being kept are events. */
#ifndef KERR_TENSIX_LATER_H
#define KERR_TENSIX_LATER_H

#include "tensix/state.h"
#include "tensix/tile.h"

/* GPR `index` of a thread: bits of mask get those of value in `cycle`. */
void tensix_later_gpr(tensix_tile *tile, struct tensix *tx, uint64_t cycle, unsigned thread, unsigned index,
                      uint32_t mask, uint32_t value);
/* Config[bank][word]; special words act then (config_write_word). */
void tensix_later_config(tensix_tile *tile, struct tensix *tx, uint64_t cycle, unsigned bank, unsigned word,
                         uint32_t mask, uint32_t value);
/* The cycle of the first that does something besides; UINT64_MAX: there is none. */
uint64_t tensix_later_acts(const struct tensix *tx);
/* Does everything with a cycle of at most `cycle`. */
void tensix_settle(tensix_tile *tile, struct tensix *tx, uint64_t cycle);

/* config_words.c: Config[bank][word] with what writing there does: global words are in both banks, some act. */
void config_write_word(tensix_tile *tile, struct tensix *tx, unsigned bank, unsigned word, uint32_t value,
                       uint64_t cycle);
/* The same for RMWCIB, which STATE_RESET_EN does not act upon. */
void config_keep_word(tensix_tile *tile, struct tensix *tx, unsigned bank, unsigned word, uint32_t value,
                      uint64_t cycle);
/* A store of a core; `index` is the word as cores see them: both banks, then ConfigDualWrite. */
void config_store_word(tensix_tile *tile, struct tensix *tx, unsigned index, uint32_t value, uint64_t cycle);
/* One of RISCV Ti that --shake has kept back is there. */
void config_store_arrives(tensix_tile *tile, struct tensix *tx, unsigned thread, uint64_t cycle);

#endif

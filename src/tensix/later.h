/* SPDX-License-Identifier: Apache-2.0 */
/* Writes that become visible in a cycle to come: results of the Scalar Unit, stages of the Configuration Unit.
 *
 * Kept in order of cycle; at equal cycles in the order in which they were made.  An access in cycle c sees writes with
 * cycle <= c: who looks calls tensix_settle first (the engine does before it hands an instruction to its unit).  Those that
 * do something besides being kept are events. */
#ifndef KERR_TENSIX_LATER_H
#define KERR_TENSIX_LATER_H

#include "tensix/state.h"

struct tile;

/* GPR `index` of a thread: bits of mask get those of value in `cycle`. */
void tensix_later_gpr(struct tile *tile, struct tensix *tx, uint64_t cycle, unsigned thread, unsigned index,
                      uint32_t mask, uint32_t value);
/* Config[bank][word]; special words act then (config_write_word). */
void tensix_later_config(struct tile *tile, struct tensix *tx, uint64_t cycle, unsigned bank, unsigned word,
                         uint32_t mask, uint32_t value);
/* The cycle of the first that does something besides; UINT64_MAX: there is none. */
uint64_t tensix_later_acts(const struct tensix *tx);
/* Does everything with a cycle of at most `cycle`. */
void tensix_settle(struct tile *tile, struct tensix *tx, uint64_t cycle);

/* Config[bank][word] with what writing there does (tile/tensix_config.c): global words are in both banks, some act. */
/* A store of RISCV Ti that --shake has kept back (tile/tensix_config.c) is there. */
void config_store_arrives(struct tile *tile, unsigned thread, uint64_t cycle);
void config_write_word(struct tile *tile, unsigned bank, unsigned word, uint32_t value, uint64_t cycle);
/* The same for RMWCIB, which STATE_RESET_EN does not act upon. */
void config_keep_word(struct tile *tile, unsigned bank, unsigned word, uint32_t value, uint64_t cycle);

#endif

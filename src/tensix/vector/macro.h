/* SPDX-License-Identifier: Apache-2.0 */
/* SFPLOADMACRO: instructions that wait in the Vector Unit for their cycle (manual SFPLOADMACRO).
 *
 * Nothing is done in their cycles themselves: whoever looks at Dst or at registers of the unit has vector_settle do it first.
 * The engine does before it hands an instruction to a unit and before it lets anybody else look, so that the instructions
 * of other units and cores need not know. */
#ifndef KERR_TENSIX_VECTOR_MACRO_H
#define KERR_TENSIX_VECTOR_MACRO_H

#include "hooks/hooks.h"
#include "num/sfpu_cells.h"
#include "tensix/step.h"
#include "tensix/vector/instructions.h"

/* Executes what is scheduled for cycles before `cycle`. */
void vector_settle(tensix_tile *tile, struct tensix *tx, uint64_t cycle);
static inline bool vector_is_late(const struct tensix *tx, uint64_t cycle)
{
    return tx->vector_due != 0 && tx->vector_due < cycle;
}

/* LoadMacroConfig was written. */
void macro_config_changed(struct vector_files *v);
/* Of a restored state. */
bool macro_is_sane(const struct vector_files *v);

/* ---- One instruction in its cycle (macro_cycle.c) ---- */

/* The sub-unit of an instruction (enum tensix_op). */
unsigned macro_unit_of(unsigned op);

/* While something is scheduled, an instruction that the unit takes goes through these instead of being executed at once.
 * macro_discards: the cycle is another's, in all lanes; it is done.  macro_with: it executes together with what is scheduled
 * for this cycle. */
bool macro_discards(tensix_step *s);
void macro_with(tensix_step *s, const struct vector_op *op);
/* The same for an instruction that does nothing. */
void macro_passes(tensix_step *s);

/* What SFPLOADMACRO schedules, after it has loaded.  macro_refuses: what the manual does not allow of it was found, and the thread must
 * stop. */
struct macro_load {
    unsigned MacroIndex, VD, Mod0, Addr;
};
bool macro_refuses(tensix_step *s, unsigned MacroIndex);
void macro_schedule(tensix_step *s, struct macro_load load);

/* ---- Between macro.c, which has the ring, macro_schedule.c and macro_cycle.c ---- */

enum { MACRO_ALL_COLUMNS = (1 << LANE_COLUMNS) - 1, MACRO_SLOT_MASK = MACRO_DELAYS - 1 };
/* The slot of `cycle` is `at`. */
void macro_come_to(struct vector_macro *m, uint64_t cycle);
/* Cycles in which nothing executes are passed over, so that the state does not depend on who looked when. */
void macro_arrange(struct tensix *tx, struct vector_macro *m);
/* The unit is busy for as long as anything goes on by itself. */
void macro_stays_busy(tensix_step *s, const struct vector_macro *m);
/* For a trace. */
void macro_tell(const tensix_tile *tile, const struct tensix *tx, unsigned thread, uint32_t word, uint32_t pc,
                uint32_t detail, uint64_t cycle);
uint32_t macro_detail(unsigned unit, unsigned VD, unsigned Addr);
/* An instruction (enum tensix_op) without operands. */
uint32_t macro_word_of(unsigned op);

/* Executes a cycle's instructions all at once. */
enum { MACRO_OPS = MACRO_UNITS * LANE_COLUMNS + LANE_COLUMNS + 2 };
void macro_execute(tensix_tile *tile, struct tensix *tx, struct vector_op *ops, unsigned count, uint64_t cycle);
/* An instruction from a template, with what is put in place of its operands; its lanes are those of `columns`. */
void macro_decode(struct vector_cache *cache, const struct vector_files *v, const struct vector_scheduled *entry,
                  struct vector_op *op);
/* For checks: somebody else may be acting when what was scheduled is done. */
void macro_acts(const tensix_tile *tile, const struct vector_op *op);
/* For checks: the rows of Dst that a load or store touches. */
static inline void vector_tell_move(const tensix_tile *tile, const struct vector_op *op)
{
    const bool load = op->kind == OP_LOAD;
    const struct check_rows rows = {.access = op->at.access,
                                    .row = (uint16_t)(op->at.Addr & ~3u),
                                    .rows = LANES / LANE_COLUMNS,
                                    .step = 1,
                                    .wide = CHECKED(tile) && vector_is_wide(op->o.mod, load)};
    if (CHECKED(tile))
        macro_acts(tile, op);
    if (op->lanes != 0 && !(load && op->o.mod == MOD0_FMT_ZERO))
        hook_dst(tile, rows, load ? CHECK_READ : CHECK_WRITE);
}

/* reads and writes of an instruction whose operands are filled in. */
void macro_registers(const struct vector_files *v, struct vector_op *op);

/* steps.c: MOD0_FMT_SRCB becomes a format. */
unsigned vector_resolved(const tensix_step *s, const uint32_t *config, unsigned Mod0);

#endif

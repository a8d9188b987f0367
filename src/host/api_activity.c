/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h, activity: the counters that a tile keeps anyway, added up. */
#include "base/bits.h"
#include "chip/chip.h"
#include "tensix/step.h"
#include "tensix_isa.h"

#include <string.h>

_Static_assert((int)KERR_STALL_KINDS == (int)TENSIX_STALL_COUNT && (int)KERR_STALL_UNIT == (int)TENSIX_STALL_UNIT &&
                   (int)KERR_STALL_SOURCE == (int)TENSIX_STALL_SOURCE &&
                   (int)KERR_STALL_RESET == (int)TENSIX_STALL_RESET,
               "one is taken for the other");
_Static_assert((int)KERR_NOC_LINKS == (int)NOC_OUTPUTS && (int)KERR_GRID_X * KERR_GRID_Y == (int)NOC_NODES,
               "links of the fabric");

/* Cycles in which units were taken, since power-on. */
static void units_busy(const struct tensix *tx, uint64_t busy[KERR_UNIT_COUNT])
{
    for (unsigned op = 0; op < TENSIX_OP_COUNT; op++)
        if (tx->ran[op] != 0 && tensix_ops[op].unit < KERR_UNIT_COUNT)
            busy[tensix_ops[op].unit] += tx->ran[op] * (tensix_ops[op].issue != 0 ? tensix_ops[op].issue : 1u);
    busy[KERR_UNIT_UNPACK] = tx->data_cycles[0];
    busy[KERR_UNIT_PACK] = tx->data_cycles[1];
}

/* The one that stands at the gate now is counted up to now. */
static uint32_t stalled(const struct tensix *tx, unsigned thread, uint64_t now, uint32_t by[KERR_STALL_KINDS])
{
    const struct tensix_thread *t = &tx->thread[thread];
    uint32_t sum = 0;
    for (unsigned reason = 1; reason < TENSIX_STALL_COUNT; reason++) {
        by[reason] = tx->stalled[thread][reason] + (t->stall == reason ? (uint32_t)(now - t->stall_since) : 0);
        sum += by[reason];
    }
    return sum;
}

kerr_status kerr_activity_query(const kerr_chip *chip, kerr_xy at, kerr_activity *activity)
{
    if (chip == NULL || activity == NULL)
        return KERR_BAD_ARGUMENT;
    const int index = chip_tile_index(at);
    if (index < 0 || !kerr_tile_is_on(chip, at))
        return KERR_BAD_TILE;
    const struct tile *tile = chip_tile(chip, index);
    *activity = (kerr_activity){.cores = tile->cores};
    for (unsigned core = 0; core < tile->cores; core++) {
        const rv_core *c = &tile->core[core];
        activity->instructions += c->instret;
        activity->core[core].instructions = c->instret;
        activity->core[core].pc = c->pc;
        activity->core[core].in_reset = c->state == RV_IN_RESET;
    }
    if (tile->kind != KERR_TILE_TENSIX)
        return KERR_OK;
    const struct tensix *tx = &tile->dev.tensix;
    units_busy(tx, activity->unit_busy);
    for (unsigned thread = 0; thread < TENSIX_THREADS; thread++) {
        activity->stalled[thread] = stalled(tx, thread, chip->now, activity->stalled_by[thread]);
        for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++)
            activity->unit_taken[unit] += tx->issued[thread][unit];
    }
    return KERR_OK;
}

kerr_status kerr_due_query(const kerr_chip *chip, uint64_t due[KERR_TILES])
{
    if (chip == NULL || due == NULL)
        return KERR_BAD_ARGUMENT;
    memcpy(due, chip->due, KERR_TILES * sizeof *due);
    return KERR_OK;
}

kerr_status kerr_noc_flits_query(const kerr_chip *chip, kerr_noc_flits *flits)
{
    _Static_assert(sizeof flits->of == sizeof chip->fabric.load, "routers by NoC, then node: noc_router_number");
    if (chip == NULL || flits == NULL)
        return KERR_BAD_ARGUMENT;
    memcpy(flits->of, chip->fabric.load, sizeof flits->of);
    return KERR_OK;
}

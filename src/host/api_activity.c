/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h, activity: the counters that a tile keeps anyway, added up. */
#include "base/bits.h"
#include "chip/chip.h"
#include "host/activity.h"
#include "tensix/step.h"
#include "tensix_isa.h"

#include <string.h>

void activity_busy(const struct tensix *tx, uint64_t busy[KERR_UNIT_COUNT])
{
    memset(busy, 0, KERR_UNIT_COUNT * sizeof *busy);
    for (unsigned op = 0; op < TENSIX_OP_COUNT; op++)
        if (tx->ran[op] != 0 && tensix_ops[op].unit < KERR_UNIT_COUNT)
            busy[tensix_ops[op].unit] += tx->ran[op] * (tensix_ops[op].issue != 0 ? tensix_ops[op].issue : 1u);
    busy[KERR_UNIT_UNPACK] = tx->data_cycles[0];
    busy[KERR_UNIT_PACK] = tx->data_cycles[1];
}

/* The one that stands at the gate now is counted up to now. */
static uint32_t stalled(const struct tensix *tx, unsigned thread, uint64_t now)
{
    const struct tensix_thread *t = &tx->thread[thread];
    uint32_t sum = t->stall != TENSIX_STALL_NONE ? (uint32_t)(now - t->stall_since) : 0;
    for (unsigned reason = 1; reason < TENSIX_STALL_COUNT; reason++)
        sum += tx->stalled[thread][reason];
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
    for (unsigned core = 0; core < tile->cores; core++)
        activity->instructions += tile->core[core].instret;
    if (tile->kind != KERR_TILE_TENSIX)
        return KERR_OK;
    const struct tensix *tx = &tile->dev.tensix;
    activity_busy(tx, activity->unit_busy);
    for (unsigned thread = 0; thread < TENSIX_THREADS; thread++) {
        activity->stalled[thread] = stalled(tx, thread, chip->now);
        for (unsigned unit = 0; unit < KERR_UNIT_COUNT; unit++)
            activity->unit_taken[unit] += tx->issued[thread][unit];
    }
    return KERR_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h, how it ends.  All that is looked at is part of the state that does not depend on windows, calls or parking
 * (tile/deadlock.c has the rest), so that a run ends in the same cycle whoever watches. */
#include "base/bits.h"
#include "chip/noc.h"
#include "host/ends.h"
#include "noc_regs.h"
#include "tensix/tensix.h"
#include "tile/deadlock.h"

#include <string.h>

const char *kerr_stand_name(kerr_stand stand)
{
    static const char *const name[] = {"off",     "going on", "ended",  "idle",   "polling",
                                       "waiting", "looping",  "halted", "stopped"};
    return (unsigned)stand < sizeof name / sizeof *name ? name[stand] : "?";
}

const char *kerr_verdict_name(kerr_verdict verdict)
{
    static const char *const name[] = {"goes on", "finished", "hung", "faulted"};
    return (unsigned)verdict < sizeof name / sizeof *name ? name[verdict] : "?";
}

static kerr_status find(const kerr_chip *chip, kerr_xy at, kerr_core core, int *index)
{
    if (chip == NULL || (unsigned)core >= KERR_CORE_COUNT) {
        return KERR_BAD_ARGUMENT;
    }
    *index = chip_tile_index(at);
    return *index < 0 || !kerr_tile_is_on(chip, at)           ? KERR_BAD_TILE
           : (unsigned)core >= chip_tile(chip, *index)->cores ? KERR_BAD_ARGUMENT
                                                              : KERR_OK;
}

kerr_status kerr_set_ends(kerr_chip *chip, kerr_xy at, kerr_core core, const kerr_code *ends, size_t count)
{
    int index = 0;
    const kerr_status status = find(chip, at, core, &index);
    if (status != KERR_OK || count > KERR_ENDS_MAX || (ends == NULL && count != 0)) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    if (chip->running) {
        return KERR_BAD_STATE;
    }
    chip->ends[index][core].count = (uint32_t)count;
    if (count != 0) {
        memcpy(chip->ends[index][core].of, ends, count * sizeof *ends);
    }
    return KERR_OK;
}

static kerr_stand stand_of(const kerr_chip *chip, uint32_t tile, unsigned core)
{
    return tile_core_stand(chip_tile(chip, tile), core, chip->now, chip->ends[tile][core].of,
                           chip->ends[tile][core].count, NULL);
}

static void look_at(const kerr_chip *chip, uint32_t index, unsigned core, kerr_core_end *end)
{
    const struct tile *tile = chip_tile(chip, index);
    rv_core copy;
    const rv_core *view = tile_core_view(tile, core, chip->now, &copy);
    *end = (kerr_core_end){.stand = stand_of(chip, index, core),
                           .pc = view->pc,
                           .cycle = chip->now,
                           .instructions = view->instret - view->instret_offset};
    if (end->stand == KERR_STANDS_ENDED) {
        end->cycle = view->end.cycle;
        end->instructions = view->end.instret - view->instret_offset;
    }
}

kerr_status kerr_core_end_query(const kerr_chip *chip, kerr_xy at, kerr_core core, kerr_core_end *end)
{
    int index = 0;
    const kerr_status status = find(chip, at, core, &index);
    if (status != KERR_OK || end == NULL) {
        return status != KERR_OK ? status : KERR_BAD_ARGUMENT;
    }
    look_at(chip, (uint32_t)index, core, end);
    return KERR_OK;
}

static bool is_finished(kerr_stand stand)
{
    return stand == KERR_STANDS_ENDED || stand == KERR_STANDS_IDLE;
}

/* Nothing but cores will do anything in this tile. */
static bool tile_rests(const kerr_chip *chip, uint32_t i, uint32_t *threads)
{
    bool waits = false;
    const bool rests = !chip->made[i] ? chip->due[i] == NEVER /* a packet may be on its way to it */
                                      : tile_devices_rest(&chip->tile_space[i], chip->now, &waits);
    *threads += waits;
    return rests;
}

static bool noc_is_empty(const kerr_chip *chip)
{
    return chip_noc_next(chip) == NEVER && (chip->fabric.slow[0] | chip->fabric.slow[1]) == 0;
}

static bool may_advance(const kerr_chip *chip, uint32_t i)
{
    uint32_t threads = 0;
    for (unsigned core = 0; chip->made[i] && core < chip->tile_space[i].cores; core++) {
        if (stand_of(chip, i, core) == KERR_STANDS_GOING_ON) {
            return true;
        }
    }
    return !tile_rests(chip, i, &threads);
}

/* A tile where something can advance, looked for from `first` on; CHIP_TILES: there is none. */
static uint32_t moving_tile(const kerr_chip *chip, uint32_t first)
{
    for (uint32_t k = 0; k < CHIP_TILES; k++) {
        const uint32_t i = (first + k) % CHIP_TILES;
        if (may_advance(chip, i)) {
            return i;
        }
    }
    return CHIP_TILES;
}

bool chip_is_at_rest(kerr_chip *chip)
{
    if (chip->stop_cycle != NEVER || !noc_is_empty(chip)) {
        return false;
    }
    const uint32_t moving = moving_tile(chip, chip->moved_last);
    chip->moved_last = moving < CHIP_TILES ? moving : chip->moved_last;
    return moving == CHIP_TILES;
}

bool kerr_core_has_kernel(const kerr_chip *chip, kerr_xy at, kerr_core core)
{
    static const uint8_t core_of[KERR_SYNC_BYTES] = {KERR_CORE_NC, KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2};
    const int index = chip == NULL ? -1 : chip_tile_index(at);
    if (index < 0 || index >= KERR_TENSIX_TILES || !chip->made[index]) {
        return false;
    }
    const uint8_t *sync = chip->tile_space[index].l1 + KERR_SYNC_ADDRESS;
    bool is_sync = true, runs = false;
    for (unsigned i = 0; i < KERR_SYNC_BYTES; i++) {
        is_sync = is_sync && (sync[i] == KERR_SYNC_DONE || sync[i] == KERR_SYNC_LOAD || sync[i] == KERR_SYNC_CLEAR ||
                              sync[i] == KERR_SYNC_GO);
        runs = runs || ((core_of[i] == core || core == KERR_CORE_B) && sync[i] == KERR_SYNC_GO);
    }
    return is_sync && runs;
}

static bool tile_hangs(const kerr_chip *chip, uint32_t i)
{
    const struct tile *tile = &chip->tile_space[i];
    uint32_t threads = 0;
    bool hangs = false;
    for (unsigned core = 0; core < tile->cores; core++) {
        const kerr_stand stand = stand_of(chip, i, core);
        hangs = hangs || stand == KERR_STANDS_WAITING ||
                (stand == KERR_STANDS_POLLING && core != KERR_CORE_B &&
                 kerr_core_has_kernel(chip, tile->at, (kerr_core)core));
    }
    (void)tile_rests(chip, i, &threads);
    return hangs || (threads != 0 && tile->live != 0);
}

kerr_status kerr_left_hanging(const kerr_chip *chip, uint32_t *tiles)
{
    if (chip == NULL || tiles == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    *tiles = 0;
    if (chip->stop_cycle != NEVER || !noc_is_empty(chip) || moving_tile(chip, 0) < CHIP_TILES) {
        return KERR_OK;
    }
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        *tiles += chip->made[i] && tile_hangs(chip, i);
    }
    return KERR_OK;
}

/* Tiles that have something to do before `end`: a core in each, which gives its coprocessor nothing to do. */
static uint32_t tiles_alone(const kerr_chip *chip, uint64_t end)
{
    uint32_t tiles = 0;
    if (chip->stop_cycle != NEVER || !fabric_is_empty(&chip->fabric)) {
        return KERR_NOT_ALONE;
    }
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        if (chip->due[i] >= end) {
            continue;
        }
        const struct tile *tile = chip_tile(chip, i);
        unsigned running = 0;
        for (unsigned core = 0; core < tile->cores; core++) {
            running += tile->core[core].state == RV_RUNNING;
        }
        if (running > 1 || tensix_next(&tile->dev.tensix) != NEVER) {
            return KERR_NOT_ALONE;
        }
        tiles++;
    }
    return tiles;
}

static uint64_t deeds(const kerr_chip *chip)
{
    enum { ASKED = (NIU_MST_CMD_ACCEPTED - NIU_MST_ATOMIC_RESP_RECEIVED) / 4 };
    uint64_t sum = 0;
    for (uint32_t i = 0; i < KERR_TENSIX_TILES; i++) {
        const struct devices *dev = &chip->tile_space[i].dev;
        if (!chip->made[i]) {
            continue;
        }
        sum += dev->niu[0].counter[ASKED] + (uint64_t)dev->niu[1].counter[ASKED];
        for (unsigned thread = 0; thread < TENSIX_THREADS; thread++) {
            for (unsigned unit = 0; unit < TENSIX_UNITS; unit++) {
                sum += dev->tensix.issued[thread][unit];
            }
        }
    }
    return sum;
}

kerr_status kerr_rest_query(const kerr_chip *chip, uint64_t cycles, kerr_rest *rest)
{
    if (chip == NULL || rest == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    const uint64_t end = cycles < NEVER - chip->now ? chip->now + cycles : NEVER;
    *rest = (kerr_rest){.until = chip_rests_until(chip)};
    if (rest->until < end) {
        rest->alone = tiles_alone(chip, end);
        rest->deeds = rest->alone != KERR_NOT_ALONE ? deeds(chip) : 0;
    }
    return KERR_OK;
}

kerr_status kerr_end_query(const kerr_chip *chip, kerr_end *end)
{
    if (chip == NULL || end == NULL) {
        return KERR_BAD_ARGUMENT;
    }
    bool advances = !noc_is_empty(chip), exact = true;
    uint64_t last = 0;
    *end = (kerr_end){.cycle = chip->now};
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        for (unsigned core = 0; chip->made[i] && core < chip->tile_space[i].cores; core++) {
            kerr_core_end of;
            look_at(chip, i, core, &of);
            end->cores += of.stand != KERR_STANDS_OFF;
            end->finished += is_finished(of.stand);
            end->instructions += of.instructions;
            advances = advances || of.stand == KERR_STANDS_GOING_ON;
            exact = exact && (of.stand == KERR_STANDS_OFF || of.stand == KERR_STANDS_ENDED);
            last = of.stand == KERR_STANDS_ENDED ? max64(last, of.cycle) : last;
        }
        advances = !tile_rests(chip, i, &end->threads) || advances;
    }
    end->verdict = chip->stop_cycle != NEVER                          ? KERR_VERDICT_FAULTED
                   : advances                                         ? KERR_VERDICT_GOES_ON
                   : end->finished == end->cores && end->threads == 0 ? KERR_VERDICT_FINISHED
                                                                      : KERR_VERDICT_HUNG;
    if (end->verdict == KERR_VERDICT_FINISHED && exact && end->cores != 0) {
        end->cycle = last;
    }
    return KERR_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* kerr.h, shaken timing: sites, and which draws count. */
#include "chip/chip.h"

#include <stdlib.h>
#include <string.h>

enum { RANGES = 65536 };

const kerr_shake_site_info *kerr_shake_site(uint32_t site)
{
    static const kerr_shake_site_info sites[SHAKE_SITES] = {
#define SITE(ID, name_, largest_, what_, sub_, page_, open_)                                                           \
    {.name = name_, .what = what_, .sub = sub_, .manual = page_, .open = open_, .largest = largest_},
#include "base/shake.def"
    };
    return site < SHAKE_SITES ? &sites[site] : NULL;
}

static bool is_good(const kerr_shake_range *range)
{
    return range->site < SHAKE_SITES && range->at.x < KERR_GRID_X && range->at.y < KERR_GRID_Y &&
           range->first <= range->last;
}

/* Sorted: whether no two have a draw in common. */
static bool are_apart(const shake_range *ranges, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        const shake_range *a = &ranges[i - 1], *b = &ranges[i];
        if (a->site == b->site && a->node == b->node && a->sub == b->sub && b->first <= a->last) {
            return false;
        }
    }
    return true;
}

static kerr_status take(const kerr_shake_range *only, size_t count, shake_range **out)
{
    *out = NULL;
    if (only == NULL || count == 0) {
        return KERR_OK;
    }
    shake_range *ranges = calloc(count, sizeof *ranges);
    if (ranges == NULL) {
        return KERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        if (!is_good(&only[i])) {
            free(ranges);
            return KERR_BAD_ARGUMENT;
        }
        ranges[i] = (shake_range){.first = only[i].first,
                                  .last = only[i].last,
                                  .largest = only[i].largest,
                                  .sub = only[i].sub,
                                  .site = only[i].site,
                                  .node = noc_node_at(only[i].at.x, only[i].at.y)};
    }
    qsort(ranges, count, sizeof *ranges, shake_order);
    if (!are_apart(ranges, count)) {
        free(ranges);
        return KERR_BAD_ARGUMENT;
    }
    *out = ranges;
    return KERR_OK;
}

kerr_status kerr_set_shake(kerr_chip *chip, uint64_t seed, const kerr_shake_range *only, size_t count)
{
    if (chip == NULL || count > RANGES) {
        return KERR_BAD_ARGUMENT;
    }
    if (!chip_may_change(chip)) {
        return KERR_BAD_STATE;
    }
    shake_range *ranges;
    const kerr_status status = take(only, count, &ranges);
    if (status != KERR_OK) {
        return status;
    }
    struct shake *shake = &chip->environment.shake;
    free(shake->only);
    shake->seed = seed;
    shake->only = ranges;
    shake->count = (uint32_t)(ranges != NULL ? count : 0);
    shake->limited = only != NULL;
    for (uint32_t i = 0; i < CHIP_TILES; i++) {
        tile_note_shake(chip_tile(chip, i));
    }
    return KERR_OK;
}

static void tell(void *context, unsigned site, unsigned node, unsigned sub, uint64_t number, unsigned delay)
{
    const kerr_chip *chip = context;
    const kerr_trace_shake draw = {
        .number = number, .delay = delay, .sub = (uint16_t)sub, .site = (uint8_t)site, .reserved = 0};
    const kerr_trace_event event = {
        .at = {(uint8_t)(node % NOC_GRID_X), (uint8_t)(node / NOC_GRID_X)}, .kind = KERR_TRACE_SHAKE, .shake = &draw};
    chip->environment.trace(chip->environment.trace_context, &event);
}

void chip_trace_shake(kerr_chip *chip)
{
    const bool told = (chip->environment.trace_kinds & KERR_TRACE_SHAKE) != 0;
    chip->environment.shake.tell = told ? tell : NULL;
    chip->environment.shake.context = chip;
}

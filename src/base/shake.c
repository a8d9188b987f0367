/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shake.h"

#include "base/random.h"

static const uint16_t largest_of[SHAKE_SITES] = {
#define SITE(ID, name, largest, what, sub, page, open) largest,
#include "base/shake.def"
};

/* By site, tile, sub, number. */
static uint64_t key_of(const shake_range *range)
{
    return (uint64_t)range->site << 32 | (uint64_t)range->node << 16 | range->sub;
}

int shake_order(const void *a, const void *b)
{
    const shake_range *left = a, *right = b;
    const uint64_t l = key_of(left), r = key_of(right);
    if (l != r)
        return l < r ? -1 : 1;
    return left->first < right->first ? -1 : left->first > right->first;
}

/* The range that lets the draw through, NULL if none does.  Ranges of one key may not overlap. */
static const shake_range *find(const struct shake *shake, uint64_t key, uint64_t number)
{
    uint32_t low = 0, high = shake->count; /* the last one that begins at or before */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        const shake_range *range = &shake->only[middle];
        const uint64_t at = key_of(range);
        if (at < key || (at == key && range->first <= number))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return 0;
    const shake_range *range = &shake->only[low - 1];
    return key_of(range) == key && number <= range->last ? range : 0;
}

unsigned shake_draw(const struct shake *shake, unsigned site, unsigned node, unsigned sub, uint64_t number)
{
    /* Of a site in a tile every event, or one in 2, 8 or 32, by the seed; then of each how far it may go. */
    static const uint8_t rare[4] = {0, 1, 3, 5};
    const uint64_t place = (uint64_t)(site + 1) << 40 | (uint64_t)node << 16;
    const uint64_t r = random_at(shake->seed, place | sub, number);
    if (r & ((1u << rare[random_at(shake->seed, ~place, 0) & 3]) - 1))
        return 0;
    const unsigned span = largest_of[site] >> (r >> 8 & 3);
    unsigned delay = span == 0 ? 0 : 1 + (unsigned)(r >> 16 & UINT32_MAX) % span;
    if (shake->limited) {
        const shake_range *range = find(shake, (uint64_t)site << 32 | (uint64_t)node << 16 | sub, number);
        if (range == 0)
            return 0;
        if (range->largest != 0 && delay > range->largest)
            delay = range->largest;
    }
    if (delay != 0 && shake->tell)
        shake->tell(shake->context, site, node, sub, number, delay);
    return delay;
}

uint64_t shake_warp(const struct shake *shake, unsigned site, unsigned node, unsigned sub, uint64_t cycle)
{
    const uint64_t length = largest_of[site] + 1u, stretch = cycle / length;
    const uint64_t from = stretch * length + shake_draw(shake, site, node, sub, stretch);
    return cycle > from ? cycle : from;
}

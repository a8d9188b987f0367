/* SPDX-License-Identifier: Apache-2.0 */
/* L1 cache tag search accelerator: a load of RISCV B from the right address returns the result of a search.
 *
 * Manual BabyRISCV/L1CacheTagSearchAccel.  Configuration comes from backend configuration words 212..219 and is
 * latched whenever one of five trigger bits changes.  The engine asks on each L1 load of RISCV B that misses the
 * L0 data cache.  Left out: how long a search takes (the page gives no time). */
#include "tile/blocks.h"

#include "cfg_fields.h"

#include <string.h>

#define FIELD(name) CFG_FIELD(config, L1_CACHE_TAG_SEARCH_ACCEL_##name)

#define RANDOM_UNIT 0x54414753u /* "TAGS" */

void tag_search_latch(struct devices *dev)
{
    const uint32_t *config = dev->tensix.config[0];
    dev->tag_search = (struct tag_search){
        .search_enable = FIELD(Search_Enable),
        .start = FIELD(Start_Addr),
        .end = FIELD(End_Addr),
        .tag_value = FIELD(Tag_Value_low) | (uint64_t)FIELD(Tag_Value_high) << 32,
        .tag_width = FIELD(Tag_Width),
        .valid_start = FIELD(Valid_bit_section_start_addr),
        .valid_end = FIELD(Valid_bit_section_end_addr),
        .data_valid_start = FIELD(Data_Valid_bit_section_start_addr),
        .data_valid_chk = FIELD(Data_Valid_chk),
        .data_valid_offset = FIELD(Data_Valid_offset),
        .tag_inv = FIELD(Tag_inv),
        .tag_inv_all = FIELD(Tag_inv_all),
        .tag_alloc = FIELD(Tag_alloc),
        .draws = dev->tag_search.draws,
    };
}

static uint64_t load(const uint8_t *l1, uint32_t address, unsigned bytes)
{
    uint64_t value = 0;
    memcpy(&value, l1 + address, bytes);
    return value;
}

static bool bit_at(const uint8_t *l1, uint32_t address, uint32_t bit)
{
    return l1[address + bit / 8] >> (bit % 8) & 1;
}

static void clear_bit(struct tile *tile, uint32_t address, uint32_t bit, uint64_t cycle)
{
    uint8_t byte = (uint8_t)(tile_l1(tile)[address + bit / 8] & ~(1u << bit % 8));
    tile_l1_write(tile, address + bit / 8, &byte, 1, cycle);
}

/* The first index whose bit is clear, or a random one. */
static uint32_t allocate(struct tile *tile)
{
    struct tag_search *t = &tile_devices(tile)->tag_search;
    uint32_t valids = t->valid_start * 16, bits = (t->valid_end + 1 - t->valid_start) * 128;
    for (uint32_t i = 0; i < bits; i++)
        if (!bit_at(tile_l1(tile), valids, i))
            return 0x80000001u + i;
    return 0x80000001u + (uint32_t)(tile_random(tile, RANDOM_UNIT, t->draws++) % bits);
}

static uint32_t search(struct tile *tile, uint64_t cycle)
{
    const struct tag_search *t = &tile_devices(tile)->tag_search;
    const uint8_t *l1 = tile_l1(tile);
    unsigned bytes = 1u << (t->tag_width & 3);
    uint64_t tag = bytes == 8 ? t->tag_value : t->tag_value & ((1ull << 8 * bytes) - 1);
    uint32_t tags = t->start * 16, count = (t->end + 1 - t->start) * 16 / bytes;
    for (uint32_t i = 0; i < count; i++) {
        if (load(l1, tags + i * bytes, bytes) != tag)
            continue;
        if (!bit_at(l1, t->valid_start * 16, i))
            break; /* found, but invalid: the search ends */
        if (t->tag_inv)
            clear_bit(tile, t->valid_start * 16, i, cycle);
        return 1 + i;
    }
    return t->tag_alloc ? allocate(tile) : 0;
}

/* Blocks first..last of 16 bytes are in L1 and not backwards. */
static bool blocks_are_sound(uint32_t first, uint32_t last)
{
    return first <= last && last < DEVICES_L1_BYTES / 16;
}

static bool search_is_sound(const struct tag_search *t)
{
    if (!blocks_are_sound(t->start, t->end) || (t->tag_alloc && !blocks_are_sound(t->valid_start, t->valid_end)))
        return false;
    uint64_t tags = (uint64_t)(t->end + 1 - t->start) * 16 >> (t->tag_width & 3);
    return (uint64_t)t->valid_start * 16 + (tags + 7) / 8 <= DEVICES_L1_BYTES;
}

static bool refuse(struct tile *tile, uint32_t address, uint64_t cycle, uint32_t *value)
{
    const struct tag_search *t = &tile_devices(tile)->tag_search;
    tile_fault(tile, KERR_FAULT_UNDEFINED, KERR_CORE_B, address, cycle, "BabyRISCV/L1CacheTagSearchAccel",
               "tag search outside L1: tags 0x%x..0x%x, valid bits 0x%x..0x%x, data valid 0x%x (each * 16)", t->start,
               t->end, t->valid_start, t->valid_end, t->data_valid_start);
    *value = 0;
    return true;
}

bool tag_search_read(struct tile *tile, uint32_t address, uint64_t cycle, uint32_t *value)
{
    const struct tag_search *t = &tile_devices(tile)->tag_search;
    uint32_t block = address / 16;
    if (t->tag_inv_all) {
        if (block != t->valid_start)
            return false;
        if (!blocks_are_sound(t->valid_start, t->valid_end))
            return refuse(tile, address, cycle, value);
        const uint8_t zero[16] = {0};
        for (uint32_t i = t->valid_start; i <= t->valid_end; i++)
            tile_l1_write(tile, i * 16, zero, 16, cycle);
        *value = 0;
        return true;
    }
    if (t->data_valid_chk) {
        if (block != t->data_valid_start)
            return false;
        if ((uint64_t)t->data_valid_start * 16 + t->data_valid_offset / 8 >= DEVICES_L1_BYTES)
            return refuse(tile, address, cycle, value);
        *value = bit_at(tile_l1(tile), t->data_valid_start * 16, t->data_valid_offset);
        return true;
    }
    if (!t->search_enable || block != t->start)
        return false;
    if (!search_is_sound(t))
        return refuse(tile, address, cycle, value);
    *value = search(tile, cycle);
    return true;
}

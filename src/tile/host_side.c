/* SPDX-License-Identifier: Apache-2.0 */
/* The host's side: what it and the NoC find at an address of the tile. */
#include "tile/parts.h"

#include "riscv/lsu.h"

/* An address as the tile's cores see it. */
static bool in_l1(const struct tile *tile, uint64_t address, size_t size)
{
    return address < tile->l1_bytes && size <= tile->l1_bytes - address;
}

/* A DRAM tile in NoC2AXI mode, as it comes up: the bank from 0 on, L1 at DRAM_L1_BASE, registers from 0xFFB00000 on with
 * anything in the upper word (manual NoC/MemoryMap: 0x????_????_FFB2_0000), those of the DMA engine and the memory
 * controller with 0x100 there (the vendor's debugger).  So the registers hide the last megabytes of the bank, which may
 * be why the vendor counts 0xFF000000 bytes.  In stream mode L1 is at 0 and the bank cannot be reached (the vendor's
 * drisc_mode.h).  OPEN: 4 to 8 GiB, said to be "GDDR" too: nothing there; upper words other than 0 and 0x100 were never
 * seen in use. */
#define DRAM_REGISTERS 0xFFB00000u
static tile_place dram_place(const struct tile *tile, uint64_t address, size_t size, bool stream, uint64_t *local)
{
    const uint32_t low = (uint32_t)address, high = (uint32_t)(address >> 32);
    *local = low;
    if (low >= DRAM_REGISTERS && size <= 0xFFC00000u - low) {
        return low < 0xFFC00000u ? PLACE_REGISTERS : PLACE_NOTHING;
    }
    if (high == 0x100 && low >= 0xFC000000u && size <= DRAM_REGISTERS - low) {
        return PLACE_REGISTERS;
    }
    const uint64_t l1_base = stream ? 0 : DRAM_L1_BASE;
    if (address >= l1_base && in_l1(tile, address - l1_base, size)) {
        *local = address - l1_base;
        return PLACE_L1;
    }
    return !stream && high == 0 && size <= DRAM_REGISTERS && low <= DRAM_REGISTERS - size ? PLACE_BANK : PLACE_NOTHING;
}

tile_place tile_place_of(const struct tile *tile, uint64_t address, size_t size, bool stream, uint64_t *local)
{
    if (tile->kind == KERR_TILE_DRAM) {
        return dram_place(tile, address, size, stream, local);
    }
    *local = address;
    if (in_l1(tile, address, size)) {
        return PLACE_L1;
    }
    return address <= UINT32_MAX && size <= UINT32_MAX - address ? PLACE_REGISTERS : PLACE_NOTHING;
}

/* What the host finds there.  It comes over NoC 0. */
static tile_place host_place(const struct tile *tile, uint64_t address, size_t size, uint64_t now, uint64_t *local)
{
    enum { NOC2AXI = 1 << 15 }; /* NIU_CFG_0_AXI_SUBORDINATE_ENABLE */
    uint32_t cfg = NOC2AXI;
    const bool stream =
        tile->kind == KERR_TILE_DRAM && devices_peek(tile, CLIENT_NOC, 0xFFB20100u, &cfg, now) && (cfg & NOC2AXI) == 0;
    return tile_place_of(tile, address, size, stream, local);
}

tile_place tile_memory_at(const struct tile *tile, uint64_t address, uint64_t now, uint64_t *local, uint64_t *bytes)
{
    const tile_place place = host_place(tile, address, 1, now, local);
    if (place != PLACE_L1 && place != PLACE_BANK) {
        return PLACE_NOTHING;
    }
    *bytes = (place == PLACE_L1 ? tile->l1_bytes : DRAM_REGISTERS) - *local;
    return place;
}

bool tile_write_unnoticed(struct tile *tile, uint32_t address, const void *data, unsigned size)
{
    if (CHECKED(tile) ||
        (flags_of_lines(tile, address >> LINE_SHIFT, (address + size - 1) >> LINE_SHIFT) & LINE_WATCHED)) {
        return false;
    }
    touch_pages(tile, address, size);
    if (size == 4) {
        memcpy(tile->l1 + address, data, 4);
    } else {
        memcpy(tile->l1 + address, data, size);
    }
    return true;
}

bool tile_peek(const struct tile *tile_const, uint64_t noc_address, void *data, size_t size, uint64_t now)
{
    uint64_t address;
    switch (host_place(tile_const, noc_address, size, now, &address)) {
    case PLACE_L1: memcpy(data, tile_const->l1 + address, size); return true;
    case PLACE_BANK: return dram_bank_read(tile_const->bank, address, data, size);
    case PLACE_REGISTERS: break;
    case PLACE_NOTHING: return false;
    }
    struct tile *tile = (struct tile *)(uintptr_t)tile_const; /* tile_local_at hands out what it was given */
    unsigned core;
    const uint8_t *local = tile_slow_local(tile, (uint32_t)address, size, &core);
    if (local != NULL) {
        memcpy(data, local, size);
        return true;
    }
    uint8_t *out = data;
    for (size_t i = 0; i < size;) {
        const uint32_t word_address = ((uint32_t)address + (uint32_t)i) & ~3u;
        const size_t skip = ((uint32_t)address + (uint32_t)i) & 3u;
        const size_t part = 4 - skip < size - i ? 4 - skip : size - i;
        uint32_t value;
        if (!devices_peek(tile_const, CLIENT_NOC, word_address, &value, now)) {
            return false;
        }
        memcpy(out + i, (const uint8_t *)&value + skip, part);
        i += part;
    }
    return true;
}

static bool mapped_words(const struct tile *tile, uint64_t address, size_t size, uint64_t now)
{
    if ((address & 3) != 0 || (size & 3) != 0 || size == 0) {
        return false;
    }
    for (size_t i = 0; i < size; i += 4) {
        uint32_t value;
        if (!devices_peek(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, &value, now)) {
            return false;
        }
    }
    return true;
}

/* Memory of one kind or the other: true if it was that, *done says whether it worked. */
static bool poke_memory(struct tile *tile, tile_place place, uint64_t address, const void *data, size_t size,
                        uint64_t now, bool *done)
{
    unsigned core;
    uint8_t *local;
    *done = true;
    switch (place) {
    case PLACE_L1: l1_write(tile, BY_HOST, (uint32_t)address, data, (unsigned)size, now); return true;
    case PLACE_BANK: *done = dram_bank_write(tile->bank, address, data, size); return true;
    case PLACE_NOTHING: *done = false; return true;
    case PLACE_REGISTERS: break;
    }
    local = tile_slow_local(tile, (uint32_t)address, size, &core);
    if (local == NULL) {
        return false;
    }
    tile_core_wake(tile, core, now);
    hook_local(tile, core, local, size, CHECK_WRITE);
    memcpy(local, data, size);
    return true;
}

bool tile_poke(struct tile *tile, uint64_t noc_address, const void *data, size_t size, uint64_t now)
{
    uint64_t address;
    bool done;
    const tile_place place = host_place(tile, noc_address, size, now, &address);
    if (size == 0 || poke_memory(tile, place, address, data, size, now, &done)) {
        return size == 0 || done;
    }
    if (!mapped_words(tile, address, size, now)) {
        return false;
    }
    for (size_t i = 0; i < size; i += 4) {
        uint32_t value;
        memcpy(&value, (const uint8_t *)data + i, 4);
        devices_poke(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, value, now);
    }
    return true;
}

bool tile_read(struct tile *tile, uint64_t noc_address, void *data, size_t size, uint64_t now)
{
    uint64_t address;
    unsigned core;
    if (host_place(tile, noc_address, size, now, &address) != PLACE_REGISTERS ||
        tile_slow_local(tile, (uint32_t)address, size, &core) != NULL) {
        return tile_peek(tile, noc_address, data, size, now);
    }
    if (!mapped_words(tile, address, size, now)) {
        return false;
    }
    bool done = true;
    tile_host_acts(tile, HOST_READS);
    for (size_t i = 0; i < size && done; i += 4) {
        uint32_t value = 0;
        const dev_result result = devices_read(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, 4, now, &value);
        done = result == DEV_OK || result == DEV_FAULT;
        value = result == DEV_OK ? value : 0; /* of a fault a note says why */
        memcpy((uint8_t *)data + i, &value, 4);
    }
    tile_host_acts(tile, HOST_NOT);
    attend(tile);
    return done;
}

bool tile_write(struct tile *tile, uint64_t noc_address, const void *data, size_t size, uint64_t now)
{
    uint64_t address;
    bool done;
    const tile_place place = host_place(tile, noc_address, size, now, &address);
    if (size != 0 && place == PLACE_L1) {
        l1_write(tile, BY_NOC, (uint32_t)address, data, (unsigned)size, now);
        return true;
    }
    if (size == 0 || poke_memory(tile, place, address, data, size, now, &done)) {
        return size == 0 || done;
    }
    if (!mapped_words(tile, address, size, now)) {
        return false;
    }
    dev_result result = DEV_OK;
    tile_host_acts(tile, HOST_WRITES);
    for (size_t i = 0; i < size && result == DEV_OK; i += 4) {
        uint32_t value;
        memcpy(&value, (const uint8_t *)data + i, 4);
        result = devices_write(tile, CLIENT_NOC, (uint32_t)address + (uint32_t)i, 4, value, now);
    }
    tile_host_acts(tile, HOST_NOT);
    if (result != DEV_OK) {
        return false;
    }
    *tile->due = min64(*tile->due, now);
    attend(tile);
    return true;
}

bool tile_core_peek(const struct tile *tile_const, unsigned core, uint32_t address, void *data, size_t size,
                    uint64_t now)
{
    struct tile *tile = (struct tile *)(uintptr_t)tile_const;
    const void *local = tile_local_at(tile, core, address, size);
    if (local != NULL) {
        memcpy(data, local, size);
        return true;
    }
    if (in_l1(tile, address, size)) {
        rv_core copy; /* its own stores that have not come out yet are there for it */
        lsu_read_own(tile_core_view(tile, core, now, &copy), &tile->bus[core], address, (unsigned)size, data);
        return true;
    }
    uint32_t value;
    if ((address & 3) != 0 || size != 4 || !devices_peek(tile, core, address, &value, now)) {
        return false;
    }
    memcpy(data, &value, 4);
    return true;
}

bool tile_core_poke(struct tile *tile, unsigned core, uint32_t address, const void *data, size_t size, uint64_t now)
{
    void *local = tile_local_at(tile, core, address, size);
    if (local != NULL) {
        tile_core_wake(tile, core, now);
        if (CHECKED(tile)) {
            hook_acts(tile, KERR_ACTOR_HOST, now);
            tile_tell_local(tile, local, size);
        }
        memcpy(local, data, size);
        return true;
    }
    if (in_l1(tile, address, size)) {
        if (size != 0) {
            l1_write(tile, BY_HOST, address, data, (unsigned)size, now);
            lsu_write_own(&tile->core[core], address, (unsigned)size, data);
        }
        return true;
    }
    uint32_t value;
    if ((address & 3) != 0 || size != 4) {
        return false;
    }
    memcpy(&value, data, 4);
    return devices_poke(tile, core, address, value, now);
}

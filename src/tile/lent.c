/* SPDX-License-Identifier: Apache-2.0 */
/* What the tile lends to its coprocessor (tensix/tile.h). */
#include "tile/blocks.h"

#include "tile/overlay.h"

static dev_result unit_reads(struct tile *tile, uint32_t address, uint64_t cycle, uint32_t *value)
{
    return devices_read(tile, CLIENT_TENSIX, address, 4, cycle, value);
}

static dev_result unit_writes(struct tile *tile, uint32_t address, uint32_t value, uint64_t cycle)
{
    return devices_write(tile, CLIENT_TENSIX, address, 4, value, cycle);
}

static bool has_stream_register(uint32_t address)
{
    return overlay_register_name(address) != NULL;
}

static uint32_t peek_at_stream(const struct tile *tile, uint32_t address, uint64_t cycle)
{
    uint32_t value = 0;
    devices_peek(tile, CLIENT_NOC, address, &value, cycle);
    return value;
}

static void tag_search_changes(struct tile *tile, uint64_t cycle)
{
    tile_tag_search_changes(tile, cycle); /* before: it may have been parked until now */
    tag_search_latch(tile_devices(tile));
}

static void internal_fault(struct tile *tile, uint64_t cycle, const char *text)
{
    tile_fault(tile, KERR_FAULT_INTERNAL, CLIENT_NOC, 0, cycle, NULL, "%s", text);
}

void tile_lend(tensix_tile *lent, struct tile *tile)
{
    const struct devices *dev = tile_devices_const(tile);
    lent->owner = tile;
    lent->l1 = tile_l1(tile);
    lent->l1_size = tile_l1_size(tile);
    lent->soft_reset = &dev->debug_reg[(RISCV_DEBUG_REG_SOFT_RESET_0 - RISCV_DEBUG_REGS_START_ADDR) / 4];
    lent->features = &dev->debug_reg[(RISCV_DEBUG_REG_DBG_FEATURE_DISABLE - RISCV_DEBUG_REGS_START_ADDR) / 4];
    lent->setreg_places = &dev->tdma.pack_reg_address;
    lent->pack_offsets = dev->tdma.l1_dest_addr_offset;
    lent->files = tile_tensix_files(tile);
    lent->matrix_cache = tile_matrix_cache;
    lent->l1_write = tile_l1_write;
    lent->l1_unheeded = tile_l1_unheeded;
    lent->unit_turn = tile_unit_turn;
    lent->read = unit_reads;
    lent->write = unit_writes;
    lent->local_word = tile_local_word;
    lent->set_local_word = tile_set_local_word;
    lent->has_stream_register = has_stream_register;
    lent->stream_read = overlay_read;
    lent->stream_peek = peek_at_stream;
    lent->devices_changed = tile_devices_changed;
    lent->core_told = tile_core_told;
    lent->register_changes = tile_register_changes;
    lent->core_requests = tile_core_requests_tensix;
    lent->invalidate_code = tile_invalidate_instruction_cache;
    lent->tag_search_changes = tag_search_changes;
    lent->pusher_told = tile_pusher_told;
    lent->pusher_turn = tile_pusher_turn;
    lent->pusher_open = tile_pusher_open;
    lent->pusher_holds_swallowed = tile_pusher_holds_swallowed;
    lent->fault = tile_tensix_fault;
    lent->internal_fault = internal_fault;
    lent->trace = tile_tensix_trace;
    lent->shake = tile_shake;
}

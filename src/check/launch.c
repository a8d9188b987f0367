/* SPDX-License-Identifier: Apache-2.0 */
#include "check/launch.h"

#include "base/bits.h"
#include "check/sync.h"
#include "tile/tile.h"

/* ---- Circular buffers ---------------------------------------------------------------------------------------------- */

/* kernel_config_msg_t.  Each core loads local_cb_mask and then sets up its interfaces from a table of four words each: address,
 * size, pages and size of a page, in bytes.  That load is what is noticed. */
enum {
    LAUNCH_FIRST = 96 + 16, /* MEM_MAILBOX_BASE, what stands before launch[] */
    LAUNCH_BYTES = 144,
    LAUNCH_COUNT = 8,
    CONFIG_BASE = 0,
    CB_OFFSET = 24,
    CB_MASK = 104,
    CB_CONFIG_BYTES = 16,
};
_Static_assert((int)LAUNCH_END == (int)LAUNCH_FIRST + (int)LAUNCH_BYTES * (int)LAUNCH_COUNT, "launch.h");

static bool is_plausible(const uint8_t *config, uint32_t l1_bytes)
{
    const uint32_t address = load32(config), size = load32(config + 4), pages = load32(config + 8),
                   page = load32(config + 12);
    return size != 0 && address % 16 == 0 && size % 16 == 0 && size <= l1_bytes && address <= l1_bytes - size &&
           (uint64_t)pages * page == size;
}

static void read_table(struct tile_check *check, const uint8_t *message)
{
    struct check_launch *launch = &check->launch;
    const struct tile *tile = check->tile;
    const uint64_t mask = load32(message + CB_MASK) | (uint64_t)load32(message + CB_MASK + 4) << 32;
    const uint64_t table = (uint64_t)load32(message + CONFIG_BASE) + load16(message + CB_OFFSET);
    launch->cbs = 0;
    if (table + CHECK_CBS * CB_CONFIG_BYTES > tile->l1_bytes || table % 4 != 0)
        return;
    for (uint64_t left = mask; left != 0; left &= left - 1) {
        const unsigned id = (unsigned)__builtin_ctzll(left);
        const uint8_t *config = tile->l1 + table + (size_t)id * CB_CONFIG_BYTES;
        if (!is_plausible(config, tile->l1_bytes)) {
            launch->cbs = 0;
            return;
        }
        launch->cb[launch->cbs++] =
            (struct launch_cb){load32(config), load32(config) + load32(config + 4), load32(config + 8), (uint8_t)id};
    }
}

void launch_read(struct tile_check *check, uint32_t address)
{
    const uint32_t at = address - LAUNCH_FIRST;
    if (at < LAUNCH_BYTES * LAUNCH_COUNT && at % LAUNCH_BYTES == CB_MASK)
        read_table(check, check->tile->l1 + (address - CB_MASK));
}

uint32_t launch_pages(const struct tile_check *check, unsigned id)
{
    for (uint32_t i = 0; i < check->launch.cbs; i++)
        if (check->launch.cb[i].id == id)
            return check->launch.cb[i].pages;
    return 0;
}

/* ---- Kernels ---------------------------------------------------------------------------------------------------------- */

/* subordinate_sync: RISCV B writes LOAD or GO into the byte of a core, which writes DONE when its kernel is over and, of RISCV
 * Ti, its thread idle.  When all have, and its own kernel is over, B tells T0 to clear the counters of circular buffers. */

static void ends(struct tile_check *check, unsigned core, uint64_t cycle)
{
    const uint8_t bit = (uint8_t)(1u << core);
    if (!(check->launch.running & bit))
        return;
    check->launch.running &= (uint8_t)~bit;
    if (check->sync != NULL)
        sync_core_ends(check, core, cycle);
}

void launch_written(struct tile_check *check, unsigned core, uint32_t address, unsigned size, uint64_t cycle)
{
    static const uint8_t core_of[KERR_SYNC_BYTES] = {KERR_CORE_NC, KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2};
    const store_queue *q = &check->tile->core[core].stores;
    const store_entry *e = &q->entry[(q->head + q->count + STORE_RING - 1) % STORE_RING];
    if (address + size <= KERR_SYNC_ADDRESS || address >= KERR_SYNC_ADDRESS + KERR_SYNC_BYTES || q->count == 0 ||
        e->device != 0 || e->line != KERR_SYNC_ADDRESS - KERR_SYNC_ADDRESS % 16)
        return;
    for (unsigned i = 0; i < KERR_SYNC_BYTES; i++) {
        if (address > KERR_SYNC_ADDRESS + i || address + size <= KERR_SYNC_ADDRESS + i)
            continue;
        const uint8_t message = e->data[(KERR_SYNC_ADDRESS + i) % 16];
        if (core == KERR_CORE_B && (message == KERR_SYNC_LOAD || message == KERR_SYNC_GO))
            check->launch.running |= (uint8_t)(1u << core_of[i] | 1u << KERR_CORE_B);
        else if (core == KERR_CORE_B && message == KERR_SYNC_CLEAR)
            ends(check, core, cycle);
        else if (core == core_of[i] && message == KERR_SYNC_DONE)
            ends(check, core, cycle);
    }
}

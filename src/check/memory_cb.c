/* SPDX-License-Identifier: Apache-2.0 */
/* Circular buffers of tt-metal's kernels, and transfers that leave the one in which they begin.
 *
 * Firmware finds them in the launch message (kernel_config_msg_t of the vendor's dev_msgs.h, 0.77): each core loads local_cb_mask
 * of it and then sets up its interfaces from a table of four words each, address, size, pages and size of a page, in bytes.
 * That load is what is noticed here, and the same table is read.  The layout is that of one version: a table that is not
 * one (a buffer outside L1, or whose pages do not fill it) is taken as unknown, and nothing is checked.
 *
 * Looked at are NoC requests of this tile, unpackers and the packer.  Cores may go where they want: they have pointers of their
 * own.  Tensors: their allocations are known to the host program alone, which may tell them (kerr_tell_allocation). */
#include "check/memory.h"

#include "base/bits.h"

#include "tensix_isa.h"

/* Offsets of the vendor's structures. */
enum {
    LAUNCH_FIRST = 96 + 16, /* MEM_MAILBOX_BASE, what stands before launch[] */
    LAUNCH_BYTES = 144,
    LAUNCH_COUNT = 8,
    CONFIG_BASE = 0,
    CB_OFFSET = 24,
    CB_MASK = 104,
    CB_CONFIG_BYTES = 16,
};

static bool is_plausible(const uint8_t *config, uint32_t l1_bytes)
{
    const uint32_t address = load32(config), size = load32(config + 4), pages = load32(config + 8),
                   page = load32(config + 12);
    return size != 0 && address % 16 == 0 && size % 16 == 0 && size <= l1_bytes && address <= l1_bytes - size &&
           (uint64_t)pages * page == size;
}

static void read_table(struct tile_check *check, const uint8_t *message)
{
    struct check_memory *m = check->memory;
    const struct tile *tile = check->tile;
    const uint64_t mask = load32(message + CB_MASK) | (uint64_t)load32(message + CB_MASK + 4) << 32;
    const uint64_t table = (uint64_t)load32(message + CONFIG_BASE) + load16(message + CB_OFFSET);
    m->cbs = 0;
    if (table + MEMORY_CBS * CB_CONFIG_BYTES > tile->l1_bytes || table % 4 != 0)
        return;
    for (uint64_t left = mask; left != 0; left &= left - 1) {
        const unsigned id = (unsigned)__builtin_ctzll(left);
        const uint8_t *config = tile->l1 + table + (size_t)id * CB_CONFIG_BYTES;
        if (!is_plausible(config, tile->l1_bytes)) {
            m->cbs = 0;
            return;
        }
        m->cb[m->cbs++] = (struct memory_cb){load32(config), load32(config) + load32(config + 4), (uint8_t)id};
    }
}

void memory_launch_read(struct tile_check *check, uint32_t address)
{
    const uint32_t at = address - LAUNCH_FIRST;
    if (at < LAUNCH_BYTES * LAUNCH_COUNT && at % LAUNCH_BYTES == CB_MASK)
        read_table(check, check->tile->l1 + (address - CB_MASK));
}

/* True if what begins at `begin` is in a buffer, and [address, end) in none that it may be in; *cb: one of these. */
static bool leaves(const struct check_memory *m, uint32_t begin, uint32_t address, uint32_t end,
                   const struct memory_cb **cb)
{
    *cb = NULL;
    for (uint32_t i = 0; i < m->cbs; i++) {
        const struct memory_cb *c = &m->cb[i];
        if (begin < c->first || begin >= c->end)
            continue;
        if (address >= c->first && end <= c->end)
            return false;
        *cb = c;
    }
    return *cb != NULL;
}

static void report(struct tile_check *check, const kerr_access *access, const struct memory_cb *cb, uint32_t begin)
{
    check_report(check, FINDING_CB_BOUNDS, access, NULL, NULL, NULL,
                 "0x%x to 0x%x is %s by what begins at 0x%x, in circular buffer %u: that is 0x%x to 0x%x",
                 access->address, access->address + access->size, access->is_write ? "written" : "read", begin, cb->id,
                 cb->first, cb->end);
}

void memory_cb_request(struct tile_check *check, const kerr_access *by)
{
    const struct memory_cb *cb;
    if (UNLIKELY(leaves(check->memory, by->address, by->address, by->address + by->size, &cb)))
        report(check, by, cb, by->address);
}

/* An unpacker begins where its instruction reads first, the packer where it began its tile. */
void memory_cb_unit(struct tile_check *check, uint32_t address, uint32_t size, unsigned how)
{
    struct check_memory *m = check->memory;
    const struct memory_cb *cb;
    uint32_t begin;
    if (check->who.unit == UNIT_PACK && (how & CHECK_WRITE)) {
        begin = check->tile->dev.tensix.packer.tile_start << 4;
    } else if (check->who.unit == UNIT_UNPACK && (how & CHECK_READ)) {
        if (m->unpack_cycle != check->who.cycle || m->unpack_thread != check->who.thread) {
            m->unpack_cycle = check->who.cycle;
            m->unpack_thread = check->who.thread;
            m->unpack_begin = address;
        }
        begin = m->unpack_begin;
    } else {
        return;
    }
    if (UNLIKELY(leaves(m, begin, address, address + size, &cb))) {
        kerr_access access = check->who;
        access.address = address;
        access.size = size;
        access.is_write = (how & CHECK_WRITE) != 0;
        report(check, &access, cb, begin);
    }
}

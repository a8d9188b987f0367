/* SPDX-License-Identifier: Apache-2.0 */
/* Transfers that leave the circular buffer in which they begin (check/launch.h has where buffers are).
 *
 * Looked at are NoC requests of this tile, unpackers and the packer.  Cores may go where they want: they have pointers of their
 * own.  Tensors: their allocations are known to the host program alone, which may tell them (kerr_tell_allocation). */
#include "check/memory.h"

#include "base/bits.h"
#include "check/launch.h"

#include "tensix_isa.h"

/* True if what begins at `begin` is in a buffer, and [address, end) in none that it may be in; *cb: one of these. */
static bool leaves(const struct check_launch *launch, uint32_t begin, uint32_t address, uint32_t end,
                   const struct launch_cb **cb)
{
    *cb = NULL;
    for (uint32_t i = 0; i < launch->cbs; i++) {
        const struct launch_cb *c = &launch->cb[i];
        if (begin < c->first || begin >= c->end)
            continue;
        if (address >= c->first && end <= c->end)
            return false;
        *cb = c;
    }
    return *cb != NULL;
}

static void report(struct tile_check *check, const kerr_access *access, const struct launch_cb *cb, uint32_t begin)
{
    const struct memory_cause cause = memory_cause_of_l1(check);
    check_report(check, FINDING_CB_BOUNDS, access, cause.by, cause.field, NULL,
                 "0x%x to 0x%x is %s by what begins at 0x%x, in circular buffer %u: that is 0x%x to 0x%x%s",
                 access->address, access->address + access->size, access->is_write ? "written" : "read", begin, cb->id,
                 cb->first, cb->end, cause.text);
}

void memory_cb_request(struct tile_check *check, const kerr_access *by)
{
    const struct launch_cb *cb;
    if (UNLIKELY(leaves(&check->launch, by->address, by->address, by->address + by->size, &cb)))
        report(check, by, cb, by->address);
}

/* An unpacker begins where its instruction reads first, the packer where it began its tile. */
void memory_cb_unit(struct tile_check *check, uint32_t address, uint32_t size, unsigned how)
{
    struct check_memory *m = check->memory;
    const struct launch_cb *cb;
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
    if (UNLIKELY(leaves(&check->launch, begin, address, address + size, &cb))) {
        kerr_access access = check->who;
        access.address = address;
        access.size = size;
        access.is_write = (how & CHECK_WRITE) != 0;
        report(check, &access, cb, begin);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* NoC transfers of this tile's own requests: what others must leave alone until they are done, and how they must be aligned.
 *
 * A read's destination is nobody's until the answer is there, a write's source must not change until its data has left.  The
 * result of an atomic is not watched: kernels let all of them go to one word that they never read. */
#include "check/memory.h"

#include "base/bits.h"

#include <string.h>

static bool overlaps(const struct memory_transfer *t, uint32_t address, uint32_t size)
{
    return t->first < address + size && address < t->end;
}

/* It is the transaction itself that acts. */
static bool is_own(const struct memory_transfer *t, const kerr_access *who)
{
    return who->actor == KERR_ACTOR_NOC && who->noc == t->noc && who->core == t->by.core && who->pc == t->by.pc &&
           who->tile.x == t->by.tile.x && who->tile.y == t->by.tile.y;
}

/* A core has stored what is there already: it is the last in its queue. */
static bool changes_nothing(const struct tile_check *check, uint32_t address, uint32_t size)
{
    if (check->who.actor != KERR_ACTOR_CORE)
        return false;
    const store_queue *q = &check->tile->core[check->who.core].stores;
    const store_entry *e = &q->entry[(q->head + q->count + STORE_RING - 1) % STORE_RING];
    return q->count != 0 && e->device == 0 && e->line == (address & ~15u) && size <= 16 - address % 16 &&
           memcmp(e->data + address % 16, check->tile->l1 + address, size) == 0;
}

bool memory_is_awaited(const struct tile_check *check, uint32_t address, uint32_t size)
{
    const struct check_memory *m = check->memory;
    for (uint32_t i = 0; i < m->transfers; i++)
        if (!m->transfer[i].is_write && overlaps(&m->transfer[i], address, size))
            return true;
    return false;
}

void memory_overlap(struct tile_check *check, uint32_t address, uint32_t size, unsigned how)
{
    struct check_memory *m = check->memory;
    for (uint32_t i = 0; i < m->transfers; i++) {
        const struct memory_transfer *t = &m->transfer[i];
        if (!overlaps(t, address, size) || is_own(t, &check->who) ||
            (t->is_write && (!(how & CHECK_WRITE) || (how & CHECK_SAME) || changes_nothing(check, address, size))))
            continue;
        kerr_access access = check->who;
        access.address = address;
        access.size = size;
        access.is_write = (how & CHECK_WRITE) != 0;
        check_report(check, FINDING_NOC_OVERLAP, &access, &t->by, NULL, "BlackholeA0/NoC/README",
                     "0x%x to 0x%x is %s while a NoC %u %s 0x%x to 0x%x, asked for in cycle %llu, is under way",
                     address, address + size, how & CHECK_WRITE ? "written" : "read", t->noc,
                     t->is_write ? "write from" : "read to", t->first, t->end, (unsigned long long)t->by.cycle);
    }
}

static void mark(struct check_memory *m, const struct memory_transfer *t, bool set)
{
    for (uint32_t i = t->first / MEMORY_GRANULE; i <= (t->end - 1) / MEMORY_GRANULE; i++)
        m->l1[i] = (uint8_t)(set ? m->l1[i] | GRANULE_TRANSFER : m->l1[i] & ~GRANULE_TRANSFER);
}

static void forget(struct check_memory *m, uint32_t which)
{
    const struct memory_transfer gone = m->transfer[which];
    m->transfers--;
    memmove(&m->transfer[which], &m->transfer[which + 1], (m->transfers - which) * sizeof gone);
    mark(m, &gone, false);
    for (uint32_t i = 0; i < m->transfers; i++)
        if (m->transfer[i].first / MEMORY_GRANULE <= (gone.end - 1) / MEMORY_GRANULE &&
            gone.first / MEMORY_GRANULE <= (m->transfer[i].end - 1) / MEMORY_GRANULE)
            mark(m, &m->transfer[i], true);
}

/* Reads of DRAM and of the host's memory keep their place within 64 bytes, all other transfers theirs within 16, of which
 * the NIU itself raises a fault. */
static void alignment(struct tile_check *check, const struct check_request *r, const kerr_access *by)
{
    const kerr_xy far = {(uint8_t)(r->node % NOC_GRID_X), (uint8_t)(r->node / NOC_GRID_X)};
    const kerr_tile_kind kind = kerr_tile_kind_at(far);
    const bool wide = r->op == NOC_READ && (kind == KERR_TILE_DRAM || kind == KERR_TILE_PCIE);
    const unsigned modulo = wide ? 64 : 16;
    if (LIKELY((r->local ^ r->remote) % modulo == 0))
        return;
    check_report(check, FINDING_NOC_MISALIGNED, by, NULL, "NOC_RET_ADDR_LO", "WormholeB0/NoC/Alignment",
                 "NoC %u %s, 0x%llx of %u-%u and 0x%x here: the addresses differ modulo %u", r->noc,
                 r->op == NOC_READ ? "read" : "write", (unsigned long long)r->remote, far.x, far.y, r->local, modulo);
}

/* The other end of a transfer. */
static void allocations(struct tile_check *check, const struct check_request *r, const kerr_access *by)
{
    const struct check_allocations *a = check->allocations;
    bool known = false;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->entry[i].node != r->node)
            continue;
        known = true;
        if (r->remote >= a->entry[i].first && r->remote + r->length <= a->entry[i].end)
            return;
    }
    if (known)
        check_report(check, FINDING_TENSOR_BOUNDS, by, NULL, NULL, NULL,
                     "NoC %u %s of %u bytes at 0x%llx of %u-%u: they are not within one allocation", r->noc,
                     r->op == NOC_READ ? "read" : "write", r->length, (unsigned long long)r->remote,
                     r->node % NOC_GRID_X, r->node / NOC_GRID_X);
}

void memory_noc_begins(struct tile_check *check, const struct check_request *r, uint64_t cycle)
{
    struct check_memory *m = check->memory;
    if (r->length == 0 || r->op == NOC_ATOMIC)
        return;
    const kerr_access by = {.actor = KERR_ACTOR_NOC,
                            .tile = check->tile->at,
                            .core = r->core,
                            .noc = r->noc,
                            .is_write = r->op == NOC_READ,
                            .pc = r->pc,
                            .address = r->local,
                            .size = r->length,
                            .cycle = cycle};
    alignment(check, r, &by);
    memory_cb_request(check, &by);
    if (!r->is_multicast)
        allocations(check, r, &by);
    if (m->transfers == MEMORY_TRANSFERS)
        forget(m, 0);
    struct memory_transfer *t = &m->transfer[m->transfers++];
    *t = (struct memory_transfer){.first = r->local,
                                  .end = r->local + r->length,
                                  .left = r->op == NOC_WRITE ? (r->length + NOC_MAX_PAYLOAD - 1) / NOC_MAX_PAYLOAD
                                                             : r->length,
                                  .is_write = r->op == NOC_WRITE,
                                  .noc = r->noc,
                                  .transaction_id = r->transaction_id,
                                  .by = by};
    mark(m, t, true);
}

void memory_noc_left(struct tile_check *check, unsigned noc, unsigned transaction_id)
{
    struct check_memory *m = check->memory;
    for (uint32_t i = 0; i < m->transfers; i++) {
        struct memory_transfer *t = &m->transfer[i];
        if (t->is_write && t->noc == noc && t->transaction_id == transaction_id) {
            if (--t->left == 0)
                forget(m, i);
            return;
        }
    }
}

void memory_noc_read(struct tile_check *check, unsigned noc, unsigned transaction_id, uint32_t local, uint32_t length)
{
    struct check_memory *m = check->memory;
    for (uint32_t i = 0; i < m->transfers; i++) {
        struct memory_transfer *t = &m->transfer[i];
        if (!t->is_write && t->noc == noc && t->transaction_id == transaction_id && local >= t->first &&
            local < t->end) {
            t->left -= length < t->left ? length : t->left;
            if (t->left == 0)
                forget(m, i);
            return;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Places and their accesses, and what is said when two of them have no order. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "check/sync.h"

#include "check/hooks.h"
#include "tensix/step.h"
#include "tile/tile.h"

#include "cfg_fields.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE = 16, ALL_BYTES = 0xFFFF, BULK = 64 };

struct check_sync *sync_create(bool is_new)
{
    struct check_sync *sync = mmap(NULL, sizeof(struct check_sync), PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (sync == MAP_FAILED)
        return NULL;
    sync->semaphores_set = is_new ? 0 : UINT8_MAX;
    return sync;
}

void sync_destroy(struct check_sync *sync)
{
    if (sync != NULL)
        munmap(sync, sizeof *sync);
}

void sync_forget(struct check_sync *sync)
{
    if (sync == NULL)
        return;
    if (madvise(sync, sizeof *sync, MADV_DONTNEED) != 0) /* gives zeroes */
        memset(sync, 0, sizeof *sync);
    sync->semaphores_set = UINT8_MAX; /* what a restored chip has counts as set up */
}

/* ---- Sites: who and where, by a number ---------------------------------------------------------------------------- */

static bool is_same_site(const kerr_access *a, const kerr_access *b)
{
    return a->pc == b->pc && a->instruction == b->instruction && a->actor == b->actor && a->core == b->core &&
           a->thread == b->thread && a->unit == b->unit && a->noc == b->noc && a->tile.x == b->tile.x &&
           a->tile.y == b->tile.y;
}

/* There are more sites than numbers, after many programs: what was done is forgotten, as if it came before all that comes.
 * Races with it are missed, none is invented. */
static void forget_the_past(struct check_sync *sync)
{
    uint8_t *first = (uint8_t *)&sync->order, *places = (uint8_t *)sync->l1, *end = (uint8_t *)(sync + 1);
    uint8_t *page = places + (-(uintptr_t)places & 4095);
    memset(first, 0, (size_t)(page - first));
    if (madvise(page, (size_t)(end - page), MADV_DONTNEED) != 0)
        memset(page, 0, (size_t)(end - page));
    sync->mover.site = 0; /* unknown: told without a pc */
    for (unsigned thread = 0; thread < 3; thread++)
        memset(&sync->gate[thread].clock, 0, sizeof sync->gate[thread].clock);
}

uint32_t sync_site(struct check_sync *sync, const kerr_access *who)
{
    const uint32_t hash =
        (who->pc ^ who->instruction * 2654435761u ^ (uint32_t)who->actor << 5 ^ who->noc) * 2654435761u;
    for (uint32_t i = hash >> 17;; i++) {
        uint16_t *slot = &sync->site_of[i % (2 * SYNC_SITES)];
        if (*slot != 0 && is_same_site(&sync->site[*slot], who))
            return *slot;
        if (*slot != 0)
            continue;
        if (sync->site_count + 1 == SYNC_SITES) {
            forget_the_past(sync);
            return sync_site(sync, who);
        }
        *slot = (uint16_t)++sync->site_count;
        sync->site[*slot] = *who;
        return *slot;
    }
}

/* ---- Reports ---------------------------------------------------------------------------------------------------------- */

kerr_access sync_access_of(const struct check_sync *sync, const struct order_cell *cell, uint32_t address)
{
    kerr_access access = sync->site[order_cell_site(cell)];
    const unsigned mask = order_cell_mask(cell);
    if (order_cell_site(cell) == 0)
        access.core = -1;
    access.is_write = order_cell_is_write(cell);
    access.cycle = order_cell_cycle(cell);
    access.address = address;
    access.size = 1;
    if (mask != 0 && mask != ALL_BYTES) {
        access.address += (unsigned)__builtin_ctz(mask);
        access.size = 32 - (unsigned)__builtin_clz(mask) - (unsigned)__builtin_ctz(mask);
    }
    return access;
}

static const char *name_of(unsigned actor)
{
    static const char *const units[] = {"",           "unpacker 0",      "unpacker 1",
                                        "the packer", "the packer",      "the Scalar Unit",
                                        "the mover",  "the Matrix Unit", "the Vector Unit"};
    if (actor < SYNC_THREAD)
        return kerr_core_name((kerr_core)actor);
    if (actor >= SYNC_STORES)
        return kerr_core_name((kerr_core)(KERR_CORE_T0 + actor - SYNC_STORES));
    if (actor < SYNC_UNPACKER0)
        return actor == SYNC_THREAD ? "thread 0" : actor == SYNC_THREAD + 1 ? "thread 1" : "thread 2";
    if (actor < SYNC_TDMA)
        return units[(actor - SYNC_THREAD) / 3];
    return actor == SYNC_TDMA      ? "TDMA-RISC's mover"
           : actor < SYNC_SELF     ? "a NoC request from another tile"
           : actor < SYNC_RESPONSE ? "a NoC request of this tile"
           : actor < SYNC_OUT      ? "a NoC response"
           : actor < SYNC_ANSWER   ? "a NoC write's source"
           : actor < SYNC_HOST     ? "a NoC read from another tile"
                                   : "the host";
}

static void tell(struct tile_check *check, const struct sync_place_kind *kind, uint32_t address,
                 const struct order_cell *now, const struct order_cell *then)
{
    const struct check_sync *sync = check->sync;
    kerr_access access = sync_access_of(sync, now, address), other = sync_access_of(sync, then, address);
    const char *field = NULL;
    char wrong[120];
    if (kind->field_of != NULL) { /* its mask has bits, not bytes */
        access.address = other.address = address;
        access.size = other.size = 1;
        field = kind->field_of(address, order_cell_mask(now) & order_cell_mask(then), kind->half);
    }
    if (kind->finding == FINDING_RACE_L1) {
        access.size = access.size == 1 ? GRANULE : access.size;
        other.size = other.size == 1 ? GRANULE : other.size;
        if (sync_barrier_was_wrong(sync, now, then, wrong, sizeof wrong)) {
            check_report(check, FINDING_BARRIER_WRONG, &access, &other, NULL, "NoC/Counters", "%s 0x%x: %s", kind->name,
                         access.address, wrong);
            return;
        }
    }
    check_report(check, kind->finding, &access, &other, field, kind->manual,
                 "%s 0x%x: %s of %s and %s of %s have no order", kind->name, access.address,
                 access.is_write ? "write" : "read", name_of(order_cell_actor(now)), other.is_write ? "write" : "read",
                 name_of(order_cell_actor(then)));
}

/* ---- Places ------------------------------------------------------------------------------------------------------------- */

/* An access whose epoch stands there already has been compared with everything since. */
static inline bool is_known(const struct order_place *place, const struct order_cell *now)
{
    for (unsigned i = 0; i < ORDER_CELLS; i++) {
        const struct order_cell *c = &place->cell[i];
        if (((c->who ^ now->who) >> 24) == 0 && (order_cell_mask(now) & ~order_cell_mask(c)) == 0 &&
            (order_cell_is_write(c) || !order_cell_is_write(now)))
            return true;
    }
    return false;
}

/* Whether there was a race. */
static inline bool visit(struct tile_check *check, struct order_place *place, struct order_cell now,
                         const struct sync_place_kind *kind, uint32_t address)
{
    struct order_cell scratch;
    if (is_known(place, &now))
        return false;
    const struct order_cell *then = order_visit(&check->sync->order, place, now, &scratch);
    if (__builtin_expect(then != NULL, 0) && kind != NULL)
        tell(check, kind, address, &now, then);
    return then != NULL;
}

void sync_visit(struct tile_check *check, struct order_place *place, struct order_cell now,
                const struct sync_place_kind *kind, uint32_t address)
{
    visit(check, place, now, kind, address);
}

static inline struct order_cell cell_by(struct check_sync *sync, unsigned actor, unsigned mask, unsigned how)
{
    return order_cell_of(&sync->order, actor, sync->who.site, sync->who.cycle, mask, how & CHECK_WRITE);
}

static const struct sync_place_kind l1_kind = {FINDING_RACE_L1, "L1", "BabyRISCV/MemoryOrdering", NULL, 0};
static const struct sync_place_kind dst_kind = {FINDING_RACE_DST, "Dst row", "TensixCoprocessor/Dst", NULL, 0};
static const struct sync_place_kind src_a_kind = {FINDING_RACE_SRC, "SrcA row", "TensixCoprocessor/SrcASrcB", NULL, 0};
static const struct sync_place_kind src_b_kind = {FINDING_RACE_SRC, "SrcB row", "TensixCoprocessor/SrcASrcB", NULL, 0};
static const struct sync_place_kind gpr_kind = {FINDING_RACE_GPR, "GPR", "TensixCoprocessor/ScalarUnit", NULL, 0};

static unsigned bytes_of_words(unsigned words)
{
    return (words & 1) * 0x000Fu | (words >> 1 & 1) * 0x00F0u | (words >> 2 & 1) * 0x0F00u | (words >> 3 & 1) * 0xF000u;
}

/* The actor is ordered behind every write that overlaps. */
static void acquire_writes(struct check_sync *sync, const struct order_place *place, unsigned actor, unsigned mask)
{
    for (unsigned i = 0; i < ORDER_CELLS; i++) {
        const struct order_cell c = place->cell[i];
        if (c.who != 0 && order_cell_is_write(&c) && (order_cell_mask(&c) & mask))
            order_acquire_epoch(&sync->order, actor, order_cell_actor(&c), order_cell_epoch(&c));
    }
}

static bool others_wrote(const struct order_place *place, unsigned actor, unsigned mask)
{
    for (unsigned i = 0; i < ORDER_CELLS; i++) {
        const struct order_cell *c = &place->cell[i];
        if (c->who != 0 && order_cell_is_write(c) && (order_cell_mask(c) & mask) && order_cell_actor(c) != actor)
            return true;
    }
    return false;
}

/* A word that actors synchronise with: who reads is behind who wrote, and nothing is a race. */
static void visit_flag(struct check_sync *sync, struct order_place *place, unsigned actor, unsigned mask, unsigned how)
{
    if (how & CHECK_READ)
        acquire_writes(sync, place, actor, mask);
    if (how & CHECK_WRITE) {
        struct order_cell scratch;
        order_visit(&sync->order, place, cell_by(sync, actor, mask, CHECK_WRITE), &scratch);
        order_close(&sync->order, actor); /* what it does from now on is behind this */
    }
}

static unsigned mask_of(uint32_t address, uint32_t end, uint32_t granule)
{
    const uint32_t base = granule * GRANULE;
    const uint32_t first = address > base ? address - base : 0, last = end < base + GRANULE ? end - base : GRANULE;
    return ((unsigned)ALL_BYTES >> (GRANULE - (last - first))) << first;
}

void sync_l1(struct tile_check *check, uint32_t address, uint32_t size, unsigned how)
{
    struct check_sync *sync = check->sync;
    const unsigned actor = how & CHECK_WRITE ? sync->who.writes : sync->who.reads;
    if (size == 0 || address >= SYNC_GRANULES * GRANULE || size > SYNC_GRANULES * GRANULE - address)
        return;
    const uint32_t end = address + size, first = address / GRANULE, last = (end - 1) / GRANULE;
    const bool is_host = actor == SYNC_HOST, is_atomic = (how & CHECK_ATOMIC) == CHECK_ATOMIC;
    if (is_atomic) {
        sync->who.flags |= SYNC_WHO_ATOMIC;
        sync->who.granule = first;
    } else if ((sync->who.flags & SYNC_WHO_ATOMIC) && first == sync->who.granule && last == first) {
        return; /* the 16 bytes around it, of which only the word was changed */
    }
    for (uint32_t g = first; g <= last; g++) {
        struct order_place *place = &sync->l1[g];
        unsigned mask = mask_of(address, end, g);
        if (is_host) { /* between calls: behind everything, before everything */
            if (how & CHECK_WRITE)
                for (unsigned i = 0; i < ORDER_CELLS; i++)
                    if ((order_cell_mask(&place->cell[i]) & ~mask) == 0)
                        place->cell[i].who = 0;
            continue;
        }
        if (is_atomic || (sync->who.flags & SYNC_WHO_ANSWERS) ||
            ((sync->who.flags & SYNC_WHO_SETS) && (how & CHECK_WRITE)))
            sync->flags[g] |= (uint8_t)(1u << (address % GRANULE / 4));
        if (size >= BULK && (how & CHECK_WRITE))
            sync->flags[g] = 0;
        if (__builtin_expect(sync->flags[g] != 0, 0)) {
            const unsigned flags = bytes_of_words(sync->flags[g]) & mask;
            if (flags != 0)
                visit_flag(sync, place, actor, flags, how);
            mask &= ~flags;
            if (mask == 0)
                continue;
        }
        visit(check, place, cell_by(sync, actor, mask, how), &l1_kind, g * GRANULE);
    }
    if (actor == SYNC_OUT || actor == SYNC_OUT + 1) /* who gets the packet knows that its source has been read */
        sync_leaves(sync, actor, sync->who.cycle);
}

/* sync_load_decides, remembered. */
static bool decides(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction)
{
    struct sync_core *c = &check->sync->core[core];
    const uint32_t slot = pc / 4 % SYNC_POLLS;
    if ((c->poll_pc[slot] & ~3u) != pc || c->poll_word[slot] != instruction) {
        c->poll_pc[slot] = pc | (sync_load_decides(check->tile->l1, check->tile->l1_bytes, pc) ? 1 : 2);
        c->poll_word[slot] = instruction;
    }
    return c->poll_pc[slot] & 1;
}

void sync_core_access(struct tile_check *check, unsigned core, uint32_t pc, uint32_t instruction, uint32_t address,
                      unsigned size, unsigned how, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const uint32_t g = address / GRANULE;
    if (g >= SYNC_GRANULES)
        return; /* local RAM is the core's own */
    sync_core_acts(check, core, pc, instruction, cycle);
    if (how & CHECK_WRITE)
        sync_stores_done(sync, core);                     /* it may be a flag for those who use them */
    if (size > 4 || address % GRANULE + size > GRANULE) { /* a vector's */
        sync_l1(check, address, size, how);
        return;
    }
    if ((how & CHECK_ATOMIC) == CHECK_READ && decides(check, core, pc, instruction)) {
        const unsigned mask = mask_of(address, address + size, g);
        if (others_wrote(&sync->l1[g], SYNC_CORE + core, mask))
            sync->flags[g] |= (uint8_t)(1u << (address % GRANULE / 4));
        acquire_writes(sync, &sync->l1[g], SYNC_CORE + core, mask);
        return; /* who writes it later sends a message, and need not wait for who looks */
    }
    sync_l1(check, address, size, how);
}

/* An order between threads says that the instruction was issued.  That its result is in Dst only a wait for the unit says (manual
 * STALLWAIT, C4 and C11); hardware looks after the four cycles behind a write alone, and after PACR and the Matrix Unit alone (manual Dst,
 * "Instruction scheduling").  Within a thread, and within a unit, that is enough. */
static void result_is_there(struct tile_check *check, unsigned row, const struct order_cell *now, unsigned actor)
{
    struct check_sync *sync = check->sync;
    struct sync_result *result = &sync->result[row];
    const bool is_matrix = result->unit < SYNC_VECTOR;
    const unsigned thread = (result->unit - SYNC_MATRIX) % 3u;
    const unsigned reader = sync->who.result;
    const bool is_own = actor >= SYNC_THREAD && actor < SYNC_TDMA && (actor - SYNC_THREAD) % 3u == thread,
               is_of_unit = reader != 0 && (reader < SYNC_VECTOR) == is_matrix;
    if (is_own || is_of_unit || order_knows(&sync->order, actor, result->unit, result->count))
        return;
    kerr_access access = sync_access_of(sync, now, row), other = sync->site[result->site];
    access.is_write = false; /* it may be a write too; the read is what comes too early */
    other.is_write = true;
    other.cycle = result->cycle;
    other.address = row;
    other.size = 1;
    check_report(
        check, FINDING_RACE_DST, &access, &other, NULL, "TensixCoprocessor/STALLWAIT",
        "Dst row 0x%x: read of %s and write of %s: thread %u has told of it without a STALLWAIT for the %s Unit "
        "(C%u)",
        row, name_of(actor), name_of(result->unit), thread, is_matrix ? "Matrix" : "Vector", is_matrix ? 4 : 11);
    result->unit = 0;
}

void sync_dst(struct tile_check *check, unsigned row, unsigned mask, unsigned how)
{
    struct check_sync *sync = check->sync;
    const unsigned actor = how & CHECK_WRITE ? sync->who.writes : sync->who.reads;
    row %= 1024;
    const struct order_cell now = cell_by(sync, actor, mask, how);
    struct sync_result *result = &sync->result[row];
    const bool raced = visit(check, &sync->dst[row], now, &dst_kind, row);
    if ((how & CHECK_READ) && result->unit != 0 && !raced)
        result_is_there(check, row, &now, actor);
    if (how & CHECK_WRITE)
        *result =
            sync->who.result == 0
                ? (struct sync_result){0}
                : (struct sync_result){sync->who.result, sync->order.actor[sync->who.result].live.at[sync->who.result],
                                       sync->who.site, sync->who.cycle};
}

void sync_src(struct tile_check *check, unsigned which, unsigned bank, unsigned row, unsigned rows, unsigned how)
{
    struct check_sync *sync = check->sync;
    const unsigned actor = how & CHECK_WRITE ? sync->who.writes : sync->who.reads;
    const struct sync_place_kind *kind = which == 0 ? &src_a_kind : &src_b_kind;
    /* Units wait for their bank; at the gate those of the Matrix Unit, so that their thread has waited too. */
    order_acquire(&sync->order, actor, &sync->bank[which & 1][bank & 1]);
    const struct order_cell now = cell_by(sync, actor, ALL_BYTES, how);
    for (unsigned i = 0; i < rows; i++)
        visit(check, &sync->src[which & 1][bank & 1][(row + i) % 64], now, kind, bank * 64 + (row + i) % 64);
}

void sync_gpr(struct tile_check *check, unsigned thread, unsigned index, unsigned count, unsigned how)
{
    struct check_sync *sync = check->sync;
    sync_auto_waits(check, TENSIX_TRISC_SYNC_TrackGPR_MASK);
    const struct order_cell now = cell_by(sync, sync->who.issuer, ALL_BYTES, how);
    for (unsigned i = index; i < index + count && i < 64; i++)
        visit(check, &sync->gpr[thread * 64 + i], now, &gpr_kind, thread * 64 + i);
}

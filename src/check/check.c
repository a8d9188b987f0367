/* SPDX-License-Identifier: Apache-2.0 */
/* Findings of a tile: where they are kept, when two are the same, what they stop. */
#include "check/check.h"

#include "base/bits.h"
#include "check/hooks.h"
#include "check/memory.h"
#include "check/sync.h"
#include "tile/tile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct check_chip {
    struct tile *tiles;
    uint32_t count;
    struct check_memory *memory; /* an array for all tiles, or NULL */
    struct check_allocations allocations;
    struct check_buffers buffers;
    struct tile_check check[];
};

struct check_chip *check_create(struct tile *tiles, uint32_t count, uint32_t checks,
                                const kerr_policy policy[FINDING_KINDS], bool is_new)
{
    struct check_chip *all = calloc(1, sizeof *all + count * sizeof all->check[0]);
    if (all == NULL) {
        return NULL;
    }
    bool failed = false;
    all->tiles = tiles;
    all->count = count;
    if (checks & KERR_CHECK_MEMORY) {
        all->memory = calloc(count, sizeof *all->memory); /* whose pages stay untouched with those of their tiles */
        if (all->memory == NULL) {
            free(all);
            return NULL;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        all->check[i].hooks = (struct hooks){
            .table = &check_hooks,
            .watches_cores = (checks & (KERR_CHECK_MEMORY | KERR_CHECK_SYNC | KERR_CHECK_ACCESSES)) != 0};
        all->check[i].tile = &tiles[i];
        all->check[i].policy = policy;
        all->check[i].checks = checks;
        all->check[i].sync = checks & KERR_CHECK_SYNC ? sync_create(is_new) : NULL;
        failed = failed || (checks & KERR_CHECK_SYNC && all->check[i].sync == NULL);
        all->check[i].allocations = &all->allocations;
        all->check[i].buffers = &all->buffers;
        all->check[i].memory = all->memory != NULL ? &all->memory[i] : NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        tiles[i].lent.check = &all->check[i];
        if (all->memory != NULL) {
            memory_finds(tiles[i].lent.check, is_new);
        }
    }
    if (failed) {
        check_destroy(all);
        return NULL;
    }
    return all;
}

void check_destroy(struct check_chip *all)
{
    for (uint32_t i = 0; all != NULL && i < all->count; i++) {
        all->tiles[i].lent.check = NULL;
        sync_destroy(all->check[i].sync);
    }
    if (all != NULL) {
        free(all->memory);
    }
    free(all);
}

void check_restored(struct check_chip *all)
{
    for (uint32_t i = 0; all != NULL && i < all->count; i++) {
        if (all->memory != NULL) {
            memory_finds(&all->check[i], false);
        }
        sync_forget(all->check[i].sync);
        memset(&all->check[i].launch, 0, sizeof all->check[i].launch);
    }
}

bool check_add_allocation(struct check_chip *all, unsigned node, uint64_t address, uint64_t size)
{
    struct check_allocations *a = &all->allocations;
    if (a->count == CHECK_ALLOCATIONS) {
        return false;
    }
    a->entry[a->count].first = address;
    a->entry[a->count].end = address + size;
    a->entry[a->count++].node = (uint8_t)node;
    return true;
}

void check_forget_allocations(struct check_chip *all, unsigned node)
{
    struct check_allocations *a = &all->allocations;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        if (a->entry[i].node != node) {
            a->entry[kept++] = a->entry[i];
        }
    }
    a->count = kept;
}

bool check_add_buffer(struct check_chip *all, kerr_xy tile, uint32_t address, uint32_t size, unsigned format)
{
    struct check_buffers *b = &all->buffers;
    if (b->count == CHECK_BUFFERS) {
        return false;
    }
    b->entry[b->count].first = address;
    b->entry[b->count].end = address + size;
    b->entry[b->count].tile = tile;
    b->entry[b->count++].format = (uint8_t)format;
    return true;
}

void check_forget_buffers(struct check_chip *all, kerr_xy tile)
{
    struct check_buffers *b = &all->buffers;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->entry[i].tile.x != tile.x || b->entry[i].tile.y != tile.y) {
            b->entry[kept++] = b->entry[i];
        }
    }
    b->count = kept;
}

/* ---- One finding for one mistake ---------------------------------------------------------------------------------- */

static bool is_same_actor(const kerr_access *a, const kerr_access *b)
{
    return a->actor == b->actor && a->core == b->core && a->thread == b->thread && a->unit == b->unit &&
           a->noc == b->noc && a->tile.x == b->tile.x && a->tile.y == b->tile.y;
}

static bool is_same(const kerr_access *a, const kerr_access *b)
{
    return a->actor == b->actor && a->core == b->core && a->thread == b->thread && a->pc == b->pc;
}

static bool is_near(const kerr_access *a, const kerr_access *b, uint32_t bytes)
{
    return (a->address < b->address ? b->address - a->address : a->address - b->address) < bytes;
}

static bool is_same_thread(const kerr_access *a, const kerr_access *b)
{
    return a->actor == b->actor && a->core == b->core && a->thread == b->thread;
}

/* Where the same two actors meet at other instructions for want of the same wait, or one actor reads on in what nobody wrote. */
static bool is_of_one_mistake(const kerr_finding *f, const kerr_access *access, const kerr_access *other)
{
    enum { A_BUFFER = 4096, AN_ARRAY = 256 };
    if (f->kind == FINDING_SEM_UNSET) {
        return f->access.address == access->address; /* whoever waits for it */
    }
    /* Whatever unit reads configuration: it is the thread that has not waited. */
    bool (*const same)(const kerr_access *, const kerr_access *) =
        f->kind == FINDING_RACE_CONFIG ? is_same_thread : is_same_actor;
    const bool swapped = same(&f->access, other) && same(&f->other, access);
    if (!swapped && !(same(&f->access, access) && same(&f->other, other))) {
        return false;
    }
    switch (f->kind) {
    case FINDING_RACE_DST:
    case FINDING_RACE_SRC:
    case FINDING_RACE_GPR:
    case FINDING_RACE_CONFIG:
    case FINDING_UNINIT_DST:
    case FINDING_UNINIT_SRC:
    case FINDING_UNINIT_LREG: return true;
    case FINDING_RACE_L1:
        return f->access.pc == access->pc || f->other.pc == other->pc || is_near(&f->access, access, A_BUFFER);
    case FINDING_UNINIT_L1:
    case FINDING_UNINIT_LOCAL: return is_near(&f->access, access, AN_ARRAY);
    default: return false;
    }
}

/* What comes of a NoC transaction that was not waited for, each kind telling more than those before it. */
static unsigned of_a_transaction(unsigned kind)
{
    switch (kind) {
    case FINDING_NOC_PENDING: return 1;
    case FINDING_RACE_L1: return 2;
    case FINDING_NOC_OVERLAP: return 3;
    case FINDING_BARRIER_WRONG: return 4;
    default: return 0;
    }
}

static const kerr_access *transaction_of(unsigned kind, const kerr_access *access, const kerr_access *other)
{
    return kind == FINDING_NOC_OVERLAP || other->actor == KERR_ACTOR_NOC ? other
           : access->actor == KERR_ACTOR_NOC                             ? access
                                                                         : NULL;
}

static bool is_of_one_transaction(const kerr_finding *f, unsigned kind, const kerr_access *access,
                                  const kerr_access *other)
{
    const kerr_access *then = transaction_of(f->kind, &f->access, &f->other),
                      *now = transaction_of(kind, access, other);
    if (f->kind == kind || of_a_transaction(f->kind) == 0 || of_a_transaction(kind) == 0 || then == NULL) {
        return false;
    }
    if (kind == FINDING_NOC_PENDING) {
        return then->core == access->core; /* which never waited, as was told already */
    }
    return now != NULL && then->core == now->core && then->pc == now->pc;
}

/* A finding of the same mistake.  *same: at the same instructions. */
static kerr_finding *find(struct tile_check *check, unsigned kind, const kerr_access *access, const kerr_access *other,
                          bool *same)
{
    *same = true;
    for (uint32_t i = 0; i < check->count; i++) {
        kerr_finding *f = &check->finding[i];
        if (f->kind == kind && is_same(&f->access, access) && is_same(&f->other, other)) {
            return f;
        }
    }
    *same = false;
    for (uint32_t i = 0; i < check->count; i++) {
        kerr_finding *f = &check->finding[i];
        if ((f->kind == kind && is_of_one_mistake(f, access, other)) || is_of_one_transaction(f, kind, access, other)) {
            return f;
        }
    }
    return NULL;
}

static void add_also(kerr_finding *f, const kerr_access *access, const kerr_access *other)
{
    const kerr_also also = {access->core, other->core, access->pc, other->pc};
    const uint32_t kept = f->also_count < KERR_ALSO ? f->also_count : KERR_ALSO;
    for (uint32_t i = 0; i < kept; i++) {
        const kerr_also *a = &f->also[i];
        if (a->core == also.core && a->pc == also.pc && a->other_core == also.other_core &&
            a->other_pc == also.other_pc) {
            return;
        }
    }
    if (f->also_count < KERR_ALSO) {
        f->also[f->also_count] = also;
    }
    f->also_count++;
}

/* Its instruction is the last of a thread: it is not done yet. */
static void add_thread_history(const struct tile_check *check, kerr_finding *f)
{
    check_history(check, (unsigned)CHECK_CORES + f->access.thread, f);
    if (f->history_count != 0 && f->history[f->history_count - 1].cycle == f->access.cycle) {
        return;
    }
    if (f->history_count == KERR_HISTORY) {
        memmove(f->history, f->history + 1, --f->history_count * sizeof f->history[0]);
    }
    f->history[f->history_count++] = (kerr_step){f->access.cycle, f->access.pc, f->access.instruction};
}

static void add_history(const struct tile_check *check, kerr_finding *f)
{
    const kerr_access *a = &f->access;
    const bool here = a->tile.x == check->tile->at.x && a->tile.y == check->tile->at.y;
    if (a->actor == KERR_ACTOR_THREAD) {
        add_thread_history(check, f);
    } else if ((a->actor == KERR_ACTOR_CORE || a->actor == KERR_ACTOR_NOC) && a->core >= 0 && here) {
        check_history(check, (unsigned)a->core, f);
    }
}

/* From where the core entered straight-line code on, back from its pc. */
static void core_history(const struct tile_check *check, unsigned core, kerr_finding *f)
{
    const struct check_path *path = &check->path[core];
    const struct tile *tile = check->tile;
    const rv_core *c = &tile->core[core];
    uint32_t pcs[KERR_HISTORY], n = 0;
    uint64_t cycles[KERR_HISTORY];
    /* instret is brought up to date at the end of a block only: pc says how far it is in the last one. */
    uint64_t end = 0;
    for (uint32_t i = 0; i < path->next && i < KERR_HISTORY && n < KERR_HISTORY; i++) {
        const uint32_t at = (path->next - 1 - i) % KERR_HISTORY;
        const uint32_t pc = path->entry[at].pc;
        uint64_t count =
            i == 0 ? (c->pc >= pc && c->pc - pc < 4 * 64 ? (c->pc - pc) / 4 + 1 : 1) : end - path->entry[at].instret;
        count = count < 64 ? count : 64;
        end = path->entry[at].instret;
        for (uint64_t k = count; k-- > 0 && n < KERR_HISTORY; n++) {
            pcs[n] = pc + 4 * (uint32_t)k;
            cycles[n] = path->entry[at].cycle + k;
        }
    }
    f->history_count = n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t pc = pcs[n - 1 - i];
        f->history[i] = (kerr_step){cycles[n - 1 - i], pc, pc < tile->l1_bytes - 3 ? load32(tile->l1 + pc) : 0};
    }
}

void check_history(const struct tile_check *check, unsigned actor, kerr_finding *f)
{
    if (!(check->checks & KERR_CHECK_HISTORY)) {
        return;
    }
    if (actor < CHECK_CORES) {
        core_history(check, actor, f);
        return;
    }
    const struct check_history *h = &check->history[actor - CHECK_CORES];
    f->history_count = h->next < KERR_HISTORY ? h->next : KERR_HISTORY;
    for (uint32_t i = 0; i < f->history_count; i++) {
        f->history[i] = h->step[(h->next - f->history_count + i) % KERR_HISTORY];
    }
}

void check_report(struct tile_check *check, unsigned kind, const kerr_access *access, const kerr_access *other,
                  const char *field, const char *manual, const char *text, ...)
{
    static const kerr_access nobody = {.core = -1};
    struct tile *tile = check->tile;
    const kerr_policy policy = check->policy[kind];
    other = other != NULL ? other : &nobody;
    if (policy == KERR_POLICY_IGNORE) {
        return;
    }
    bool same;
    kerr_finding *f = find(check, kind, access, other, &same);
    const bool tells_more = f != NULL && of_a_transaction(kind) > of_a_transaction(f->kind);
    if (f != NULL && !tells_more) {
        f->times++;
        if (!same && f->kind == kind) {
            const bool swapped = !is_same_thread(&f->access, access);
            add_also(f, swapped ? other : access, swapped ? access : other);
        }
        return;
    }
    if (f == NULL && check->count == CHECK_FINDINGS) {
        check->dropped++;
        return;
    }
    f = f != NULL ? f : &check->finding[check->count++];
    *f = (kerr_finding){.kind = kind,
                        .severity = kerr_finding_severity(kind),
                        .tile = tile->at,
                        .stopping = policy == KERR_POLICY_STOP,
                        .times = 1,
                        .access = *access,
                        .other = *other,
                        .field = field,
                        .manual = manual};
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(f->text, sizeof f->text, text, arguments);
    va_end(arguments);
    add_history(check, f);
    if (f->stopping) {
        tile_stop(tile, access->cycle);
    }
}

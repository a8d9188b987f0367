/* SPDX-License-Identifier: Apache-2.0 */
/* The coprocessor: pushes, the wait gate, semaphores, mutexes, banks of SrcA and SrcB.
 *
 * A latched wait instruction orders only what it blocks, and what passes the gate behind that: it is therefore followed in the order
 * of the program, not at the cycle in which its conditions happened to be met (manual STALLWAIT, "Block mask"). */
#include "check/sync.h"

#include "check/hooks.h"
#include "tensix/step.h"
#include "tile/tile.h"

#include "tensix_isa.h"

#include <string.h>

enum {
    SEMAPHORE_MAX = 15,
    WHICH_UNPACKER = 23,
    C_SCALAR = 0,
    C_UNPACKER0,
    C_UNPACKER1,
    C_PACKER,
    C_MATRIX,
    C_SRC,
    C_MOVER = 9,
    C_STORES = 10,
    C_VECTOR = 11
};

enum { HELD_NOT = 0, HELD_SCALAR /* by ATINCGETPTR, ATCAS */, HELD_ALL /* by FLUSHDMA */ };

/* Of what a unit does with an instruction: the thread's if it is done at the gate. */
static unsigned actor_of(unsigned unit, unsigned thread, uint32_t word)
{
    switch (unit) {
    case UNIT_UNPACK: return (word >> WHICH_UNPACKER & 1 ? SYNC_UNPACKER1 : SYNC_UNPACKER0) + thread;
    case UNIT_PACK: return SYNC_PACKER + thread;
    case UNIT_MOVER: return SYNC_MOVER + thread;
    default: return SYNC_THREAD + thread;
    }
}

static void unit_acts(struct tile_check *check, unsigned actor, unsigned issuer, unsigned unit, unsigned thread,
                      uint32_t pc, uint32_t word, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const kerr_access who = {.actor = KERR_ACTOR_THREAD,
                             .tile = check->tile->at,
                             .core = pc & TENSIX_ENTRY_BY_B ? KERR_CORE_B : (int8_t)(KERR_CORE_T0 + thread),
                             .thread = (uint8_t)thread,
                             .unit = (uint8_t)unit,
                             .pc = pc & ~3u,
                             .instruction = word};
    sync->who = (struct sync_who){.reads = (uint8_t)actor,
                                  .writes = (uint8_t)actor,
                                  .issuer = (uint8_t)issuer,
                                  .site = sync_site(sync, &who),
                                  .cycle = cycle};
    /* ZEROACC writes no row, it says that none is there; and the vendor's packing threads pass on what they have cleared without a wait. */
    if ((unit == UNIT_MATRIX && tensix_op_of[word >> 24] != TENSIX_ZEROACC) || unit == UNIT_VECTOR) {
        sync->who.result = (uint8_t)((unit == UNIT_MATRIX ? SYNC_MATRIX : SYNC_VECTOR) + thread);
        sync->order.actor[sync->who.result].live.at[sync->who.result]++;
    }
}

/* ---- Pushes -------------------------------------------------------------------------------------------------------------- */

void sync_push(struct tile_check *check, unsigned core, unsigned thread)
{
    struct check_sync *sync = check->sync;
    if (core == KERR_CORE_T0 + thread)
        sync->push[thread][sync->pushes[thread]++ % SYNC_PUSHES] = order_now(&sync->order, SYNC_CORE + core);
    else if (core < CHECK_CORES)
        order_release(&sync->order, SYNC_CORE + core, &sync->pushed_by_b[thread]);
}

/* The instruction at the gate knows what RISCV Ti knew when it pushed it.  Pushes that end in an expander leave it sooner than
 * what stands before them, so that this may be the clock of a later push. */
static void follow_push(struct check_sync *sync, const struct tensix_thread *t, unsigned thread, bool by_b)
{
    const unsigned actor = SYNC_THREAD + thread;
    if (by_b) {
        order_acquire(&sync->order, actor, &sync->pushed_by_b[thread]);
        return;
    }
    const uint32_t at = sync->pushes[thread] - (t->in_flight != 0 ? t->in_flight : 1u);
    if (sync->pushes[thread] != 0)
        order_acquire_epoch(&sync->order, actor, SYNC_CORE + KERR_CORE_T0 + thread,
                            sync->push[thread][at % SYNC_PUSHES]);
}

/* ---- The wait gate ------------------------------------------------------------------------------------------------------- */

static void latch_condition(struct check_sync *sync, struct sync_gate *gate, unsigned thread, unsigned c)
{
    struct order *o = &sync->order;
    switch (c) {
    case C_SCALAR: gate->has_scalar = true; break;
    case C_UNPACKER0: order_release(o, SYNC_UNPACKER0 + thread, &gate->clock); break;
    case C_UNPACKER1: order_release(o, SYNC_UNPACKER1 + thread, &gate->clock); break;
    case C_PACKER:
        order_release(o, SYNC_PACKER + thread, &gate->clock);
        order_release(o, SYNC_SAMPLES + thread, &gate->clock);
        break;
    case C_MATRIX: order_release(o, SYNC_MATRIX + thread, &gate->clock); break;
    case C_VECTOR: order_release(o, SYNC_VECTOR + thread, &gate->clock); break;
    case C_SRC:
    case C_SRC + 1:
    case C_SRC + 2:
    case C_SRC + 3:
        for (unsigned bank = 0; bank < 2; bank++)
            order_join(&gate->clock, &sync->bank[(c - C_SRC) & 1][bank]);
        break;
    case C_MOVER: gate->has_mover = true; break;
    case C_STORES: order_release(o, SYNC_STORES + thread, &gate->clock); break;
    default: break;
    }
}

static void latch(struct check_sync *sync, const tensix_step *s)
{
    struct sync_gate *gate = &sync->gate[s->thread];
    const struct tensix_latch *l = &s->t->latch;
    memset(gate, 0, sizeof *gate);
    gate->waits = true;
    gate->site = sync->who.site;
    gate->cycle = s->cycle;
    gate->blocks = l->blocks;
    gate->semaphores = l->semaphores;
    gate->has_stream = l->opcode == OPCODE_STREAMWAIT;
    gate->stream = l->stream;
    if (l->opcode != OPCODE_STALLWAIT)
        return;
    for (unsigned left = l->conditions; left != 0; left &= left - 1)
        latch_condition(sync, gate, s->thread, (unsigned)__builtin_ctz(left));
}

/* A thread that waits for semaphores that nobody has set up: their Value and Max are what was there before.  Told when it has waited,
 * since the SEMINIT may come meanwhile, or when it is seen to wait for good. */
static void waits_for_unset(struct tile_check *check, unsigned thread)
{
    struct check_sync *sync = check->sync;
    const struct sync_gate *gate = &sync->gate[thread];
    const unsigned unset = gate->semaphores & ~(unsigned)sync->semaphores_set;
    if (__builtin_expect(unset == 0, 1))
        return;
    const unsigned index = (unsigned)__builtin_ctz(unset);
    kerr_access access = sync->site[gate->site];
    access.cycle = gate->cycle;
    access.address = index;
    access.size = 1;
    check_report(
        check, FINDING_SEM_UNSET, &access, NULL, NULL, "TensixCoprocessor/SEMINIT",
        "thread %u waits for semaphore %u, which no SEMINIT has set up: its Value and Max are those of power-on",
        thread, index);
}

void sync_stuck(struct tile_check *check, unsigned thread)
{
    if (check->sync->gate[thread].waits)
        waits_for_unset(check, thread);
}

static void pass_gate(struct tile_check *check, const tensix_step *s)
{
    struct check_sync *sync = check->sync;
    struct sync_gate *gate = &sync->gate[s->thread];
    struct order *o = &sync->order;
    const unsigned actor = SYNC_THREAD + s->thread;
    if (!gate->waits || !tensix_blocks(gate->blocks, &tensix_ops[s->op]))
        return;
    gate->waits = false;
    waits_for_unset(check, s->thread);
    order_acquire(o, actor, &gate->clock);
    for (unsigned left = gate->semaphores; left != 0; left &= left - 1)
        order_acquire(o, actor, &sync->semaphore[__builtin_ctz(left)]);
    /* Memory is reached after the instruction: what is over by now. */
    if (gate->has_scalar)
        order_follow(o, actor, SYNC_SCALAR + s->thread);
    for (unsigned a = SYNC_MOVER; gate->has_mover && a < SYNC_MATRIX; a++)
        order_follow(o, actor, a);
    if (gate->has_mover)
        order_follow(o, actor, SYNC_TDMA);
    if (gate->has_stream)
        order_acquire(o, actor, &sync->stream[gate->stream % 64]);
}

/* ---- Instructions -------------------------------------------------------------------------------------------------------- */

/* The unit knows from here on what its thread does. */
static void give(struct check_sync *sync, unsigned actor, unsigned thread)
{
    order_close(&sync->order, thread);
    if (sync->seen[actor] == sync->order.actor[thread].version + 1)
        return;
    sync->seen[actor] = sync->order.actor[thread].version + 1;
    order_acquire(&sync->order, actor, &sync->order.actor[thread].live);
}

void sync_unit_begins(struct tile_check *check, const tensix_step *s)
{
    struct check_sync *sync = check->sync;
    const unsigned thread = SYNC_THREAD + s->thread, actor = actor_of(s->unit, s->thread, s->word);
    follow_push(sync, s->t, s->thread, s->pc & TENSIX_ENTRY_BY_B);
    pass_gate(check, s);
    if (sync->held[s->thread] != HELD_NOT) { /* the one before kept its thread until all was done */
        const bool all = sync->held[s->thread] == HELD_ALL;
        sync->held[s->thread] = HELD_NOT;
        for (unsigned a = all ? SYNC_UNPACKER0 : SYNC_SCALAR; a <= (unsigned)(all ? SYNC_MOVER : SYNC_SCALAR); a += 3)
            order_follow(&sync->order, thread, a + s->thread);
    }
    unit_acts(check, actor, thread, s->unit, s->thread, s->pc, s->word, s->cycle);
    if (actor != thread)
        give(sync, actor, thread);
}

static void mutex_at_end(struct tile_check *check, unsigned thread, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    const struct tensix *tx = &check->tile->dev.tensix;
    for (unsigned i = 0; i < MUTEXES; i++) {
        if (tx->mutex[i] != thread + 1)
            continue;
        struct order_cell now = order_cell_of(&sync->order, sync->who.issuer, sync->who.site, cycle, 0, false);
        const kerr_access access = sync_access_of(sync, &now, i);
        check_report(check, FINDING_MUTEX_HELD, &access, NULL, NULL, "TensixCoprocessor/ATGETM",
                     "thread %u holds mutex %u and its program has ended", thread, i);
    }
}

/* Instructions of the Scalar Unit that reach for memory or registers. */
static bool sends_request(unsigned op)
{
    switch (op) {
    case TENSIX_LOADIND:
    case TENSIX_STOREIND:
    case TENSIX_LOADREG:
    case TENSIX_STOREREG:
    case TENSIX_ATINCGET:
    case TENSIX_ATINCGETPTR:
    case TENSIX_ATSWAP:
    case TENSIX_ATCAS: return true;
    default: return false;
    }
}

void sync_unit_done(struct tile_check *check, const tensix_step *s)
{
    struct check_sync *sync = check->sync;
    struct order *o = &sync->order;
    const unsigned thread = SYNC_THREAD + s->thread;
    sync_config_reads(check, s);
    switch (s->op) {
    case TENSIX_STALLWAIT:
    case TENSIX_SEMWAIT:
    case TENSIX_STREAMWAIT: latch(sync, s); break;
    case TENSIX_ATGETM:
        if ((s->word & 0xFFFF) < MUTEXES)
            order_acquire(o, thread, &sync->mutex[s->word & 0xFFFF]);
        break;
    case TENSIX_ATRELM:
        if ((s->word & 0xFFFF) < MUTEXES)
            order_release(o, thread, &sync->mutex[s->word & 0xFFFF]);
        break;
    case TENSIX_FLUSHDMA: sync->held[s->thread] = HELD_ALL; break;
    default:
        if (sends_request(s->op)) /* which goes out with what it has read */
            give(sync, SYNC_SCALAR + s->thread, thread);
        sync->held[s->thread] = s->issue == TENSIX_HELD ? HELD_SCALAR : HELD_NOT;
        break;
    }
    if (sync->ended[s->thread] && s->t->in_flight <= 1) {
        sync->ended[s->thread] = false;
        mutex_at_end(check, s->thread, s->cycle);
    }
}

void sync_unit_goes_on(struct tile_check *check, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                       uint64_t cycle)
{
    const unsigned actor = unit == UNIT_SCALAR ? SYNC_SCALAR + thread : actor_of(unit, thread, word);
    unit_acts(check, actor, actor, unit, thread, pc, word, cycle);
}

void sync_hold(struct tile_check *check)
{
    check->sync->held_who = check->sync->who;
}

void sync_resume(struct tile_check *check)
{
    check->sync->who = check->sync->held_who;
}

void sync_mover_starts(struct tile_check *check)
{
    struct check_sync *sync = check->sync;
    sync->mover = sync->who;
    if (sync->who.writes >= SYNC_MOVER && sync->who.writes < SYNC_MATRIX)
        return;
    sync->mover.reads = sync->mover.writes = sync->mover.issuer = SYNC_TDMA;
}

void sync_mover_goes_on(struct tile_check *check, uint64_t cycle)
{
    check->sync->who = check->sync->mover;
    check->sync->who.cycle = cycle;
}

void sync_bank(struct tile_check *check, unsigned which, unsigned bank)
{
    struct check_sync *sync = check->sync;
    order_release(&sync->order, sync->who.writes, &sync->bank[which & 1][bank & 1]);
}

/* ---- Semaphores ---------------------------------------------------------------------------------------------------------- */

static void over_or_under(struct tile_check *check, const kerr_access *access, unsigned index, int change,
                          unsigned value)
{
    if (change > 0 && value == SEMAPHORE_MAX)
        check_report(check, FINDING_SEM_OVERFLOW, access, NULL, NULL, "TensixCoprocessor/SyncUnit",
                     "semaphore %u is posted at 15, which it keeps: the post is lost", index);
    else if (change < 0 && value == 0)
        check_report(check, FINDING_SEM_UNDERFLOW, access, NULL, NULL, "TensixCoprocessor/SyncUnit",
                     "semaphore %u is taken at 0, which it keeps: whoever posts next gives it to the wrong one", index);
}

static void set_up_unordered(struct tile_check *check, unsigned index, const struct order_cell *now,
                             const struct order_cell *then)
{
    const kerr_access access = sync_access_of(check->sync, now, index),
                      other = sync_access_of(check->sync, then, index);
    check_report(check, FINDING_RACE_SEMAPHORE, &access, &other, NULL, "TensixCoprocessor/SEMINIT",
                 "semaphore %u is set up and posted or taken with no order between the two", index);
}

static void use(struct tile_check *check, unsigned actor, unsigned index, int change, unsigned value)
{
    struct check_sync *sync = check->sync;
    struct order *o = &sync->order;
    const struct order_cell now = order_cell_of(o, actor, sync->who.site, sync->who.cycle, 0, true);
    const kerr_access access = sync_access_of(sync, &now, index);
    if (change != 0) {
        const struct order_cell init = sync->semaphore_init[index];
        over_or_under(check, &access, index, change, value);
        if (init.who != 0 && order_cell_actor(&init) != actor &&
            !order_knows(o, actor, order_cell_actor(&init), order_cell_epoch(&init)))
            set_up_unordered(check, index, &now, &init);
        sync->semaphore_site[index][actor] = now;
    } else {
        for (unsigned a = 0; a < CHECK_CORES + 3; a++) {
            struct order_cell *last = &sync->semaphore_site[index][a];
            if (last->who != 0 && a != actor && !order_knows(o, actor, a, order_cell_epoch(last)))
                set_up_unordered(check, index, &now, last);
            last->who = 0;
        }
        sync->semaphore_init[index] = now;
        sync->semaphores_set |= (uint8_t)(1u << index);
    }
    order_release(o, actor, &sync->semaphore[index]);
    sync_stores_known(sync, actor, &sync->semaphore[index]);
}

void sync_semaphore(struct tile_check *check, unsigned index, int change, unsigned value)
{
    use(check, check->sync->who.issuer, index, change, value);
}

void sync_core_semaphore(struct tile_check *check, unsigned core, uint32_t pc, unsigned index, int change,
                         unsigned value, uint64_t cycle)
{
    sync_core_acts(check, core, pc, 0, cycle);
    use(check, SYNC_CORE + core, index, change, value);
}

/* ---- The end of a program -------------------------------------------------------------------------------------------------- */

void sync_core_ends(struct tile_check *check, unsigned core, uint64_t cycle)
{
    struct check_sync *sync = check->sync;
    if (core >= KERR_CORE_T0 && core <= KERR_CORE_T2) {
        const unsigned thread = core - KERR_CORE_T0;
        if (check->tile->dev.tensix.thread[thread].in_flight == 0)
            mutex_at_end(check, thread, cycle);
        else
            sync->ended[thread] = true;
    }
    sync_noc_ends(check, core, cycle);
}

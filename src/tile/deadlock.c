/* SPDX-License-Identifier: Apache-2.0 */
/* Deadlocks within a Tensix tile: Tensix threads and cores that wait for each other and for nobody else.
 *
 * Seven actors: the three threads of the coprocessor at their wait gates, RISCV B, T0, T1 and T2.  For each it is known
 * what it waits for and which of the others could end that.  Whoever waits and can only be released by actors that are
 * themselves in the set is in a deadlock; the set is the largest there is.  docs/architecture.md "Deadlocks" says who
 * counts as able to move.
 *
 * What is looked at is part of the state that does not depend on windows, calls or parking, and the looks come at fixed
 * cycles (chip/schedule.c), so faults do not depend on them either. */
#include "tile/deadlock.h"

#include "base/bits.h"
#include "hooks/hooks.h"
#include "tensix/frontend/frontend.h"
#include "tensix/step.h"
#include "tensix/tensix.h"
#include "tensix_isa.h"
#include "tile_regs.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bits of masks: thread i, then B, T0, T1, T2. */
enum { ACTOR_CORE = TENSIX_THREADS, ACTORS = ACTOR_CORE + MAILBOX_CORES };
_Static_assert(KERR_CORE_B == 0 && KERR_CORE_T2 == MAILBOX_CORES - 1, "cores are counted as kerr_core has them");

#define THREAD(i) (1u << (i))
#define CORE(i) (1u << (ACTOR_CORE + (i)))
#define T_CORE(i) CORE(KERR_CORE_T0 + (i))
#define ALL_THREADS 7u
#define ALL_T_CORES (T_CORE(0) | T_CORE(1) | T_CORE(2))

typedef enum wait_kind {
    MOVES = 0,   /* does something, or time will let it */
    AWAITS_HOST, /* in reset, halted, or polls what the host or the NoC can change */
    ENDED,       /* will never do anything again */
    NO_WORK,     /* a thread with nothing at its gate */
    FIRST_WAIT,  /* from here on: waits for what only others of the tile can give */
    SEMAPHORE_ZERO = FIRST_WAIT,
    SEMAPHORE_MAX,
    SOURCE,       /* SrcA or SrcB */
    CORE_REQUEST, /* STALLWAIT C10 */
    MUTEX,
    FIFO_FULL,
    DONE_CHECK,
    MOP_CHECK,
    AUTO_SYNC,
    MAILBOX_EMPTY,
    MAILBOX_FULL,
    PCBUF_EMPTY,
    PCBUF_FULL,
    PCBUF_BUSY,
    POLLS,
} wait_kind;
_Static_assert((int)KERR_FOR_SEMAPHORE_POST == (int)FIRST_WAIT && (int)KERR_FOR_MUTEX == (int)MUTEX &&
                   (int)KERR_FOR_MAILBOX_WORD == (int)MAILBOX_EMPTY && (int)KERR_FOR_POLLED == (int)POLLS &&
                   (int)KERR_WAITERS == (int)ACTORS && (int)KERR_WAITER_CORE == (int)ACTOR_CORE,
               "kerr_waiters has the same");

typedef struct wait {
    wait_kind kind;
    uint32_t by;      /* mask of actors: each of them alone could end it */
    uint32_t what;    /* semaphore, mutex, thread, core, or what deadlock_loop_of found */
    uint32_t address; /* of a core: what it waits at */
} wait;

/* ---- What each waits for ----------------------------------------------------------------------------------- */

/* Whoever can post or get a semaphore, or hand over SrcA and SrcB. */
static uint32_t anybody_but(unsigned thread)
{
    return (ALL_THREADS | ALL_T_CORES) & ~THREAD(thread);
}

static bool units_are_done(const struct tensix_thread *t, uint64_t now)
{
    uint64_t done = t->loads_until;
    for (unsigned i = 0; i < TENSIX_UNITS; i++) {
        done = max64(done, t->busy_until[i]);
    }
    return done <= now;
}

static wait latched(const struct tile *tile, unsigned thread, uint64_t now)
{
    enum { SOURCES = 0xF << 5, REQUEST = 1 << 10 };
    const struct tensix *tx = &tile->dev.tensix;
    const struct tensix_thread *t = &tx->thread[thread];
    const uint32_t keeps = gate_keeps(tile_lent(tile), tx, t, thread, now);
    if (t->stall == TENSIX_STALL_SEMWAIT) {
        const bool zero = (keeps & 0xFF) != 0;
        return keeps == 0 ? (wait){.kind = MOVES}
                          : (wait){.kind = zero ? SEMAPHORE_ZERO : SEMAPHORE_MAX,
                                   .by = anybody_but(thread),
                                   .what = (uint32_t)__builtin_ctz(keeps) & 7};
    }
    if (keeps & REQUEST) {
        return (wait){.kind = CORE_REQUEST, .by = T_CORE(thread)};
    }
    if (keeps & SOURCES) {
        return (wait){
            .kind = SOURCE, .by = ALL_THREADS & ~THREAD(thread), .what = (uint32_t)__builtin_ctz(keeps & SOURCES)};
    }
    return (wait){.kind = MOVES};
}

static wait of_thread(const struct tile *tile, unsigned thread, uint64_t now)
{
    enum { NO_MUTEX = 1, C10 = 1 << 10 };
    const struct tensix *tx = &tile->dev.tensix;
    const struct tensix_thread *t = &tx->thread[thread];
    if (t->stopped) {
        return (wait){.kind = ENDED};
    }
    if (t->gate_count == 0) {
        return t->due == 0 && units_are_done(t, now) ? (wait){.kind = NO_WORK, .by = T_CORE(thread) | CORE(KERR_CORE_B)}
                                                     : (wait){.kind = MOVES};
    }
    const bool looks = t->stall == TENSIX_STALL_STALLWAIT && (t->latch.conditions & C10); /* in every cycle */
    if (t->due != 0 && !looks) {
        return (wait){.kind = MOVES};
    }
    switch (t->stall) {
    case TENSIX_STALL_SEMWAIT:
    case TENSIX_STALL_STALLWAIT: return latched(tile, thread, now);
    case TENSIX_STALL_SOURCE: return (wait){.kind = SOURCE, .by = ALL_THREADS & ~THREAD(thread), .what = 9};
    case TENSIX_STALL_MUTEX: {
        const uint32_t mutex = t->gate_fifo[t->gate_head].word & 0xFFFF;
        const bool exists = mutex != NO_MUTEX && mutex < MUTEXES;
        if (exists && tx->mutex[mutex] == 0) {
            return (wait){.kind = MOVES};
        }
        return (wait){.kind = MUTEX, .by = exists ? THREAD(tx->mutex[mutex] - 1u) : 0, .what = mutex};
    }
    default: return (wait){.kind = MOVES};
    }
}

static bool within(uint32_t address, uint32_t first, uint32_t size)
{
    return address - first < size;
}

/* For something that a thread must do first; who has nothing at its gate has done it. */
static wait for_thread(const struct tile *tile, wait_kind kind, unsigned thread)
{
    return tile->dev.tensix.thread[thread].gate_count != 0 ? (wait){.kind = kind, .by = THREAD(thread), .what = thread}
                                                           : (wait){.kind = MOVES};
}

/* Who waits for an expander is told to look in every cycle, so that nothing says that it was in vain: left out. */
static wait for_auto_sync(const struct tile *tile, unsigned thread)
{
    const struct tensix *tx = &tile->dev.tensix;
    return tx->thread[thread].notify == 0 && tx->config_unit.tell == 0 ? for_thread(tile, AUTO_SYNC, thread)
                                                                       : (wait){.kind = MOVES};
}

/* A load that has no answer yet. */
static wait of_load(const struct tile *tile, unsigned core, uint32_t address, uint64_t now)
{
    const struct devices *dev = &tile->dev;
    const unsigned thread = core - KERR_CORE_T0;
    const wait moves = {.kind = MOVES};
    if (within(address, TENSIX_MAILBOX0_BASE, 0x1000 * MAILBOX_CORES)) {
        const unsigned from = address >> 12 & 3;
        return dev->mailbox[from][core].count != 0 ? moves
                                                   : (wait){.kind = MAILBOX_EMPTY, .by = CORE(from), .what = from};
    }
    if (core == KERR_CORE_B && within(address, PC_BUF_BASE, 0x10000 * TENSIX_THREADS)) {
        const unsigned i = address >> 16 & 3;
        const bool free =
            dev->pcbuf[i].count == 0 && dev->pcbuf[i].reader_waits && dev->tensix.thread[i].gate_count == 0;
        return free ? moves : (wait){.kind = PCBUF_BUSY, .by = T_CORE(i) | THREAD(i), .what = i};
    }
    if (thread >= TENSIX_THREADS) {
        return moves;
    }
    switch (address) {
    case PC_BUF: return dev->pcbuf[thread].count != 0 ? moves : (wait){.kind = PCBUF_EMPTY, .by = CORE(KERR_CORE_B)};
    case TTSYNC_COPROCESSOR_DONE_CHECK: return for_thread(tile, DONE_CHECK, thread);
    case TTSYNC_MOP_EXPANDER_DONE_CHECK:
        return tensix_mop_busy(&dev->tensix, thread, now) ? for_thread(tile, MOP_CHECK, thread) : moves;
    default: return devices_is_tensix(address) ? for_auto_sync(tile, thread) : moves;
    }
}

/* A store that is not taken. */
static wait of_store(const struct tile *tile, unsigned core, uint32_t address, uint64_t now)
{
    const struct tensix *tx = &tile->dev.tensix;
    const unsigned thread = core - KERR_CORE_T0, selected = address >> 16 & 3;
    if (within(address, INSTRN_BUF_BASE, 0x10000 * TENSIX_THREADS)) {
        const unsigned to = core == KERR_CORE_B ? selected : thread;
        const bool full = core == KERR_CORE_B ? tensix_replay_waiting(tx, to, now) == REPLAY_FIFO_CAPACITY
                                              : !tensix_has_room(tx, to, now);
        return full ? for_thread(tile, FIFO_FULL, to) : (wait){.kind = MOVES};
    }
    if (within(address, TENSIX_MAILBOX0_BASE, 0x1000 * MAILBOX_CORES)) {
        wait w = {.kind = MAILBOX_FULL, .what = address >> 12 & 3};
        for (unsigned to = 0; to < MAILBOX_CORES; to++) {
            w.by |= tile->dev.mailbox[core][to].count != 0 ? CORE(to) : 0;
        }
        return w;
    }
    if (core == KERR_CORE_B && within(address, PC_BUF_BASE, 0x10000 * TENSIX_THREADS)) {
        return (wait){.kind = PCBUF_FULL, .by = T_CORE(selected), .what = selected};
    }
    return thread < TENSIX_THREADS && devices_is_tensix(address) ? for_auto_sync(tile, thread) : (wait){.kind = MOVES};
}

static wait of_waiting_core(const struct tile *tile, unsigned index, uint64_t now)
{
    const rv_core *core = &tile->core[index];
    const bool loads = core->blocked.active && core->wait_address == core->blocked.address;
    const uint32_t address = loads                ? core->blocked.address
                             : core->stores.stuck ? core->stores.entry[core->stores.head].line
                                                  : core->wait_address; /* a push that needs no store queue */
    wait w = loads ? of_load(tile, index, address, now) : of_store(tile, index, address, now);
    w.address = address;
    return w;
}

static wait of_loop(const struct tile *tile, unsigned index, const rv_core *core, uint64_t now)
{
    uint32_t polled = 0;
    switch (deadlock_loop_of(tile, core, now, &polled)) {
    case LOOP_EMPTY: return (wait){.kind = ENDED};
    case LOOP_OUTSIDE: return (wait){.kind = AWAITS_HOST};
    case LOOP_POLLS: {
        const unsigned first = (unsigned)__builtin_ctz(polled);
        wait w = {.kind = POLLS, .what = polled, .by = polled >> 8 << ACTOR_CORE};
        w.by |= (polled & 0xFF) ? ALL_THREADS | (ALL_T_CORES & ~CORE(index)) : 0;
        w.address = first < 8 ? PC_BUF_SEMAPHORE + 4 * first : TENSIX_MAILBOX_QUERY + 0x1000 * (first - 8);
        return w;
    }
    default: return (wait){.kind = MOVES};
    }
}

/* Of a parked core, whether it polls anything that the host or the NoC can change: most do, and need no closer look. */
static bool polls_outside(const rv_core *core)
{
    for (uint32_t i = 0; i < core->park.watches; i++) {
        const uint32_t address = core->park.watch[i].address;
        if (!within(address, PC_BUF_SEMAPHORE, 4 * SEMAPHORES) &&
            !within(address, TENSIX_MAILBOX0_BASE, 0x1000 * MAILBOX_CORES) && !within(address, LOCAL_RAM_BASE, 8192)) {
            return true;
        }
    }
    return false;
}

static bool may_be_interrupted(const struct tile *tile, unsigned index)
{
    const struct pic *pic = &tile->dev.pic;
    const unsigned slot = devices_pic_slot(&tile->dev, index);
    return slot < PIC_CORES && (pic->sw_int_en[slot] | pic->hw_int_en[slot]) != 0;
}

static wait of_core(const struct tile *tile, unsigned index, uint64_t now)
{
    const rv_core *core = &tile->core[index];
    const wait moves = {.kind = MOVES};
    rv_core copy;
    wait w;
    switch (core->state) {
    case RV_STOPPED: return (wait){.kind = ENDED};
    case RV_WAITING: w = of_waiting_core(tile, index, now); break;
    case RV_RUNNING: w = of_loop(tile, index, core, now); break;
    case RV_PARKED:
        if (index != KERR_CORE_B && polls_outside(core)) {
            return (wait){.kind = AWAITS_HOST};
        }
        w = of_loop(tile, index, tile_core_view(tile, index, now, &copy), now);
        break;
    default: return (wait){.kind = AWAITS_HOST};
    }
    if (w.kind < ENDED) {
        return w;
    }
    if (may_be_interrupted(tile, index)) {
        return (wait){.kind = AWAITS_HOST};
    }
    if (core->stores.count != 0) { /* what it has stored may still be felt */
        const uint32_t address = core->stores.entry[core->stores.head].line;
        const wait stored = core->stores.stuck ? of_store(tile, index, address, now) : moves;
        w.by |= stored.by;
        return stored.kind == MOVES ? moves : w;
    }
    return w;
}

/* ---- What is said -------------------------------------------------------------------------------------------- */

static const char *const core_names[MAILBOX_CORES] = {"RISCV B", "RISCV T0", "RISCV T1", "RISCV T2"};

typedef struct sentence {
    char text[sizeof((kerr_fault *)0)->text];
    size_t length;
} sentence;

__attribute__((format(printf, 2, 3))) static void say(sentence *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(s->text + s->length, sizeof s->text - s->length, format, arguments);
    va_end(arguments);
    s->length = n < 0 ? s->length : s->length + (size_t)n;
    s->length = s->length < sizeof s->text ? s->length : sizeof s->text - 1;
}

static const char *gate_instruction(const struct tensix_thread *t)
{
    const unsigned op = tensix_op_of[t->gate_fifo[t->gate_head].word >> 24];
    return op < TENSIX_OP_COUNT ? tensix_ops[op].name : "?";
}

/* "T0 or T2", of the threads of a mask. */
static void say_threads(sentence *s, uint32_t mask)
{
    const char *between = "";
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        if (mask & THREAD(i)) {
            say(s, "%sT%u", between, i);
            between = " or ";
        }
    }
}

/* Why somebody does not do what another waits for. */
static void say_why(sentence *s, const wait waits[ACTORS], unsigned actor)
{
    const wait *w = &waits[actor];
    if (actor < ACTOR_CORE) {
        say(s, "T%u ", actor);
    } else {
        say(s, "%s ", core_names[actor - ACTOR_CORE]);
    }
    switch (w->kind) {
    case ENDED: say(s, "has ended"); break;
    case NO_WORK: say(s, "has no instruction"); break;
    case SEMAPHORE_ZERO:
    case SEMAPHORE_MAX: say(s, "waits for semaphore %u", w->what); break;
    case SOURCE: say(s, "waits for SrcA or SrcB"); break;
    case MUTEX: say(s, "waits for mutex %u", w->what); break;
    case FIFO_FULL: say(s, "waits to push to T%u", w->what); break;
    case DONE_CHECK:
    case MOP_CHECK:
    case AUTO_SYNC:
    case PCBUF_BUSY: say(s, "waits for T%u", w->what); break;
    case MAILBOX_EMPTY: say(s, "waits for %s", core_names[w->what]); break;
    case MAILBOX_FULL: say(s, "waits to write mailboxes"); break;
    case PCBUF_EMPTY: say(s, "waits for RISCV B"); break;
    case POLLS: say(s, "polls"); break;
    default: say(s, "waits"); break;
    }
}

static void say_wait(sentence *s, const struct tile *tile, const wait waits[ACTORS], unsigned actor)
{
    static const char *const sources[] = {"SrcA is not the unpackers'", "SrcB is not the unpackers'",
                                          "SrcA is not the Matrix Unit's", "SrcB is not the Matrix Unit's",
                                          "SrcA or SrcB is not handed over"};
    const wait *w = &waits[actor];
    if (actor < ACTOR_CORE) {
        const struct tensix_thread *t = &tile->dev.tensix.thread[actor];
        const struct tensix_entry *e = &t->gate_fifo[t->gate_head];
        say(s, "%s waits since cycle %llu: ", gate_instruction(t), (unsigned long long)max64(e->cycle, t->gate_next));
    }
    switch (w->kind) {
    case SEMAPHORE_ZERO:
    case SEMAPHORE_MAX:
        say(s, "SEMWAIT, semaphore %u is %s; %s by ", w->what, w->kind == SEMAPHORE_ZERO ? "zero" : "at its maximum",
            w->kind == SEMAPHORE_ZERO ? "SEMPOST" : "SEMGET");
        say_threads(s, w->by);
        say(s, " would release it");
        break;
    case SOURCE:
        say(s, "%s; an instruction of ", sources[w->what - 5]);
        say_threads(s, w->by);
        say(s, " that hands it over (%s) would release it", w->what >= 7 ? "UNPACR, SETDVALID" : "CLEARDVALID, SETRWC");
        break;
    case CORE_REQUEST: say(s, "STALLWAIT C10, until a load or store of %s is done", core_names[1 + actor]); break;
    case MUTEX:
        if (w->by == 0) {
            say(s, "mutex %u does not exist, nothing can release it", w->what);
        } else {
            say(s, "mutex %u is held; ATRELM by ", w->what);
            say_threads(s, w->by);
            say(s, " would release it");
        }
        break;
    case FIFO_FULL: say(s, "push: the FIFO of T%u is full until its instruction passes the gate", w->what); break;
    case DONE_CHECK: say(s, "CoprocessorDoneCheck: until T%u has nothing left to do", w->what); break;
    case MOP_CHECK: say(s, "MOPExpanderDoneCheck: until T%u has expanded its MOPs", w->what); break;
    case AUTO_SYNC:
        say(s, "Auto TTSync: until instructions of T%u that use 0x%08x have passed", w->what, w->address);
        break;
    case MAILBOX_EMPTY:
        say(s, "its mailbox from %s is empty; a store of %s to it would release it", core_names[w->what],
            core_names[w->what]);
        break;
    case MAILBOX_FULL:
        say(s, "mailbox to %s: all places for its writes are taken; a load of a reader would release it",
            core_names[w->what]);
        break;
    case PCBUF_EMPTY: say(s, "its PCBuf is empty; a store of RISCV B to it would release it"); break;
    case PCBUF_FULL: say(s, "PCBuf %u is full; a load of RISCV T%u would release it", w->what, w->what); break;
    case PCBUF_BUSY:
        say(s, "PCBuf %u: until RISCV T%u waits there and T%u has nothing left", w->what, w->what, w->what);
        break;
    default:
        if (w->what & 0xFF) {
            say(s, "polls semaphore %u, which is %u; SEMPOST, SEMGET or SEMINIT by T0, T1 or T2 would release it",
                (unsigned)__builtin_ctz(w->what), tile->dev.tensix.semaphore[__builtin_ctz(w->what)].value);
        } else {
            say(s, "polls its mailbox from %s; a store of %s to it would release it",
                core_names[__builtin_ctz(w->what) - 8], core_names[__builtin_ctz(w->what) - 8]);
        }
    }
    /* As many as there is room for, threads first; a thread without work says little, its core more. */
    const char *between = "; ";
    for (unsigned i = 0; i < ACTORS; i++) {
        if (!(w->by >> i & 1) || i == actor) {
            continue;
        }
        const unsigned who = i < ACTOR_CORE && waits[i].kind == NO_WORK ? ACTOR_CORE + 1 + i : i;
        if (who != i && (who == actor || (w->by >> who & 1))) {
            continue; /* its turn comes */
        }
        sentence one = {.length = 0};
        say_why(&one, waits, who);
        if (s->length + strlen(between) + one.length < sizeof s->text) {
            say(s, "%s%s", between, one.text);
            between = ", ";
        }
    }
}

static void report(struct tile *tile, const wait waits[ACTORS], unsigned actor, uint64_t cycle)
{
    sentence s = {.length = 0};
    say_wait(&s, tile, waits, actor);
    if (actor < ACTOR_CORE) {
        const struct tensix_thread *t = &tile->dev.tensix.thread[actor];
        const struct tensix_entry *e = &t->gate_fifo[t->gate_head];
        tile_tensix_fault(tile, KERR_FAULT_DEADLOCK, actor, e->pc & TENSIX_ENTRY_BY_B, e->pc & ~3u, e->word, cycle,
                          NULL, s.text);
        return;
    }
    const unsigned index = actor - ACTOR_CORE;
    rv_core copy;
    const uint32_t pc = tile_core_view(tile, index, cycle + 1, &copy)->pc;
    tile_core_fault(tile, KERR_FAULT_DEADLOCK, index, pc, waits[actor].address, cycle, s.text);
}

/* ---- The set --------------------------------------------------------------------------------------------------- */

/* Nothing in the coprocessor changes by itself.  *again: something does, and only time will tell. */
static bool rests(const struct tensix *tx, uint64_t now, bool *again)
{
    uint64_t done = tx->mover.busy_until;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        for (unsigned u = 0; u < TENSIX_UNITS; u++) {
            done = max64(done, tx->thread[i].busy_until[u] + 1 == 0 ? 0 : tx->thread[i].busy_until[u]);
        }
    }
    *again = done > now;
    return !*again && tx->later_count == 0 && tx->scalar.count == 0 && tx->mover.queued == 0;
}

/* The largest set of actors in which each waits for others of the set only. */
static uint32_t closed(const wait waits[ACTORS])
{
    uint32_t set = 0;
    for (unsigned i = 0; i < ACTORS; i++) {
        set |= (waits[i].kind >= ENDED) ? 1u << i : 0;
    }
    for (uint32_t before = 0; before != set;) {
        before = set;
        for (unsigned i = 0; i < ACTORS; i++) {
            if (waits[i].by & ~set) {
                set &= ~(1u << i);
            }
        }
    }
    return set;
}

bool tile_somebody_waits(const struct tile *tile)
{
    bool any = false;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        any = any || tile->dev.tensix.thread[i].gate_count != 0;
    }
    for (unsigned i = 0; i < MAILBOX_CORES; i++) {
        const rv_core *core = &tile->core[i];
        any = any || core->state == RV_WAITING ||
              (core->state == RV_PARKED && core->park.watches != 0 && !polls_outside(core));
    }
    return any;
}

/* All but RISCV B, which by itself waits for nobody unless it does so visibly; a mask of those who wait. */
static uint32_t look_at_others(const struct tile *tile, uint64_t now, wait waits[ACTORS])
{
    uint32_t waiting = 0;
    for (unsigned i = 0; i < ACTORS; i++) {
        if (i == ACTOR_CORE + KERR_CORE_B && tile->core[KERR_CORE_B].state != RV_WAITING) {
            continue;
        }
        waits[i] = i < ACTOR_CORE ? of_thread(tile, i, now) : of_core(tile, i - ACTOR_CORE, now);
        waiting |= waits[i].kind >= FIRST_WAIT ? 1u << i : 0;
    }
    return waiting;
}

static uint32_t look_at_b(const struct tile *tile, uint64_t now, wait waits[ACTORS])
{
    wait *b = &waits[ACTOR_CORE + KERR_CORE_B];
    *b = of_core(tile, KERR_CORE_B, now);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        if (b->kind == AWAITS_HOST) {
            waits[i].by &= ~CORE(KERR_CORE_B); /* firmware does not push from RISCV B while T cores run */
        }
    }
    return b->kind >= FIRST_WAIT ? CORE(KERR_CORE_B) : 0;
}

void tile_waiters(const struct tile *tile, uint64_t now, kerr_waiter waiters[KERR_WAITERS])
{
    wait waits[ACTORS];
    bool again;
    uint32_t waiting = look_at_others(tile, now, waits);
    waiting |= look_at_b(tile, now, waits);
    const bool settled = !tile->attention && rests(&tile->dev.tensix, now, &again);
    const uint32_t dead = ((settled ? closed(waits) : 0) | tile->deadlocked) & waiting;
    for (unsigned i = 0; i < ACTORS; i++) {
        waiters[i] = (kerr_waiter){.what = (uint8_t)waits[i].kind,
                                   .released_by = (uint8_t)waits[i].by,
                                   .stuck = (dead >> i & 1) != 0,
                                   .number = waits[i].what,
                                   .address = waits[i].address};
    }
}

bool tile_devices_rest(const struct tile *tile, uint64_t now, bool *waits)
{
    *waits = false;
    if (tile->attention || tile->port->outbox_count != 0 || devices_next_event(&tile->dev) != NEVER ||
        tile_next_arrival(tile) != NEVER) {
        return false;
    }
    if (tile->kind != KERR_TILE_TENSIX) {
        return true;
    }
    /* What is done in this very cycle has not been seen by who waits for it. */
    const uint64_t seen = now - (now != 0);
    bool again;
    if (tile_has_new_deadlock(tile, now, &again) || !rests(&tile->dev.tensix, seen, &again)) {
        return false;
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct tensix_thread *t = &tile->dev.tensix.thread[i];
        const wait w = of_thread(tile, i, now);
        if (w.kind == MOVES && (t->due != 0 || t->gate_count == 0)) {
            return false;
        }
        *waits = *waits || w.kind != NO_WORK;
    }
    return true;
}

kerr_stand tile_core_stand(const struct tile *tile, unsigned index, uint64_t now, const kerr_code *ends, size_t count,
                           uint32_t *polls)
{
    const rv_core *core = &tile->core[index];
    rv_core copy;
    if (polls != NULL) {
        *polls = 0;
    }
    if (core->stores.count != 0 && !core->stores.stuck) { /* what it has stored is yet to be felt */
        return KERR_STANDS_GOING_ON;
    }
    switch (core->state) {
    case RV_IN_RESET: return KERR_STANDS_OFF;
    case RV_HALTED: return KERR_STANDS_HALTED;
    case RV_STOPPED: return KERR_STANDS_STOPPED;
    case RV_WAITING: return KERR_STANDS_WAITING;
    default: break;
    }
    const rv_core *view = tile_core_view(tile, index, now, &copy);
    if (view->single_step || (view->stores.count != 0 && !view->stores.stuck) ||
        (view->interrupt_line && !view->in_interrupt)) {
        return KERR_STANDS_GOING_ON;
    }
    if (view->end.at == (uint64_t)view->pc + 1) { /* reads nothing: only an interrupt could lead out of it */
        bool named = count == 0 && !may_be_interrupted(tile, index);
        for (size_t i = 0; i < count; i++) {
            named = named || view->pc - ends[i].first < ends[i].size;
        }
        return view->stores.count != 0 ? KERR_STANDS_WAITING : named ? KERR_STANDS_ENDED : KERR_STANDS_LOOPING;
    }
    const core_lap lap =
        deadlock_lap_of(tile, view, now, ends, count); /* a jump to itself that has not issued yet is no loop */
    if (polls != NULL) {
        *polls = lap.kind != LOOP_NONE ? lap.address : 0;
    }
    const bool inside = lap.inside || lap.kind == LOOP_NONE;
    return lap.named && inside && !lap.single                   ? KERR_STANDS_IDLE
           : lap.kind == LOOP_NONE || !lap.inside || lap.single ? KERR_STANDS_GOING_ON
           : lap.kind == LOOP_EMPTY                             ? KERR_STANDS_LOOPING
                                                                : KERR_STANDS_POLLING;
}

/* Who is in a deadlock, a mask; as before if that cannot be said now.  *again: only time will tell. */
static uint32_t look(const struct tile *tile, uint64_t now, wait waits[ACTORS], bool *again)
{
    *again = tile->attention; /* cores are about to look */
    if (tile->attention || !rests(&tile->dev.tensix, now, again)) {
        return tile->deadlocked;
    }
    uint32_t waiting = look_at_others(tile, now, waits);
    if (waiting == 0) {
        return 0;
    }
    waiting |= look_at_b(tile, now, waits);
    return closed(waits) & waiting;
}

bool tile_has_new_deadlock(const struct tile *tile, uint64_t now, bool *again)
{
    wait waits[ACTORS];
    return look(tile, now, waits, again) != tile->deadlocked;
}

/* For checks: threads that wait for a semaphore in a tile where nobody does anything else. */
static void tell_checks(const struct tile *tile, uint64_t now)
{
    wait waits[ACTORS];
    bool again;
    if (tile->attention || !rests(&tile->dev.tensix, now, &again)) {
        return;
    }
    look_at_others(tile, now, waits);
    look_at_b(tile, now, waits);
    for (unsigned i = 0; i < ACTORS; i++) {
        if (waits[i].kind == MOVES) {
            return;
        }
    }
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        if (waits[i].kind == SEMAPHORE_ZERO || waits[i].kind == SEMAPHORE_MAX) {
            hook_stuck(tile, i);
        }
    }
}

bool tile_look_for_deadlock(struct tile *tile, uint64_t now)
{
    if (CHECKED(tile)) {
        tell_checks(tile, now);
    }
    wait waits[ACTORS];
    bool again;
    const uint32_t dead = look(tile, now, waits, &again), told = tile->deadlocked;
    if (dead == told) {
        return again;
    }
    tile->deadlocked = (uint8_t)dead;
    for (unsigned i = 0; i < ACTORS; i++) {
        if (dead & ~told & 1u << i) {
            report(tile, waits, i, now - 1);
        }
    }
    return false;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Who did what before whom: vector clocks of the actors of a tile, and places that remember their last accesses.
 *
 * An actor's accesses are numbered by epochs.  `live` of an actor holds, for each actor, the last epoch whose accesses are ordered
 * before what it does next; its own entry is the last epoch that it has closed, so what it does now belongs to that plus one.  An
 * epoch closes when somebody is told of it (a release) or when the actor learns of something new, if there was an access in it.
 * Who acquires (actor, epoch) gets the clock that this epoch closed with, from a ring; of epochs too old for the ring a later
 * clock is taken, which orders more than was ordered: races may be missed by it, none is invented.
 *
 * A place (16 bytes of L1, a row of Dst, a register) remembers four accesses, as ThreadSanitizer does: an access is compared with
 * each, takes the place of one that can tell nothing any more, and of the oldest if all four still could.
 *
 * Plain data that knows no hardware; nothing allocates.  Owned by struct check_sync. */
#ifndef KERR_CHECK_ORDER_H
#define KERR_CHECK_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    ORDER_ACTORS = 62,
    ORDER_HISTORY = 32, /* closed epochs of an actor whose clocks are kept */
    ORDER_CELLS = 4,
};

struct order_clock {
    uint32_t at[ORDER_ACTORS];
};

struct order_actor {
    struct order_clock live;
    struct order_clock closed[ORDER_HISTORY]; /* the clock with which epoch e closed, at e % ORDER_HISTORY */
    uint32_t version;                         /* counts changes of `live` */
    bool accessed, learned;                   /* since the last epoch closed: was there an access, did `live` change */
};

struct order {
    struct order_actor actor[ORDER_ACTORS];
};

/* An access: actor, epoch and a number for who and where in detail; then bytes, kind and cycle. */
struct order_cell {
    uint64_t who;  /* epoch << 32 | actor << 24 | site; 0: none */
    uint64_t what; /* cycle << 24 | mask << 8 | ORDER_* */
};
enum { ORDER_WRITE = 1 };
struct order_place {
    struct order_cell cell[ORDER_CELLS];
};

static inline unsigned order_cell_actor(const struct order_cell *c)
{
    return c->who >> 24 & 0xFF;
}
static inline uint32_t order_cell_epoch(const struct order_cell *c)
{
    return (uint32_t)(c->who >> 32);
}
static inline uint32_t order_cell_site(const struct order_cell *c)
{
    return c->who & 0xFFFFFF;
}
static inline unsigned order_cell_mask(const struct order_cell *c)
{
    return c->what >> 8 & 0xFFFF;
}
static inline uint64_t order_cell_cycle(const struct order_cell *c)
{
    return c->what >> 24;
}
static inline bool order_cell_is_write(const struct order_cell *c)
{
    return c->what & ORDER_WRITE;
}

/* The epoch in which an access of the actor lies; notes that there was one. */
static inline uint32_t order_access(struct order *o, unsigned actor)
{
    o->actor[actor].accessed = true;
    return o->actor[actor].live.at[actor] + 1;
}

static inline struct order_cell order_cell_of(struct order *o, unsigned actor, uint32_t site, uint64_t cycle,
                                              unsigned mask, bool is_write)
{
    return (struct order_cell){(uint64_t)order_access(o, actor) << 32 | actor << 24 | site,
                               cycle << 24 | mask << 8 | (is_write ? ORDER_WRITE : 0)};
}

/* Whether what the actor does now is ordered behind that epoch of another. */
static inline bool order_knows(const struct order *o, unsigned actor, unsigned other, uint32_t epoch)
{
    return o->actor[actor].live.at[other] >= epoch;
}

/* The actor's epoch closes if there was an access in it. */
void order_close(struct order *o, unsigned actor);
/* What the actor has done, and all that it knows, becomes known to who acquires `into`. */
void order_release(struct order *o, unsigned actor, struct order_clock *into);
/* What was released into `from` is ordered before what the actor does next. */
void order_acquire(struct order *o, unsigned actor, const struct order_clock *from);
/* All of another actor so far. */
void order_follow(struct order *o, unsigned actor, unsigned other);
/* Another actor up to an epoch of it, which an access or order_now has given. */
void order_acquire_epoch(struct order *o, unsigned actor, unsigned other, uint32_t epoch);
/* The last epoch of the actor with which everything that it has done is over: for order_acquire_epoch. */
static inline uint32_t order_now(struct order *o, unsigned actor)
{
    o->actor[actor].accessed |= o->actor[actor].learned;
    order_close(o, actor);
    return o->actor[actor].live.at[actor];
}
void order_join(struct order_clock *into, const struct order_clock *from);

/* `now` comes to a place.  Gives an access there that overlaps it and is in no order with it, one of them a write; or NULL.  What
 * it points to is valid until the next call; `scratch` holds it. */
const struct order_cell *order_visit(const struct order *o, struct order_place *place, struct order_cell now,
                                     struct order_cell *scratch);

#endif

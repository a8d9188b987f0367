/* SPDX-License-Identifier: Apache-2.0 */
#include "check/order.h"

void order_join(struct order_clock *into, const struct order_clock *from)
{
    for (unsigned i = 0; i < ORDER_ACTORS; i++)
        into->at[i] = into->at[i] > from->at[i] ? into->at[i] : from->at[i];
}

static bool covers(const struct order_clock *large, const struct order_clock *small)
{
    uint32_t beyond = 0;
    for (unsigned i = 0; i < ORDER_ACTORS; i++)
        beyond |= small->at[i] > large->at[i];
    return beyond == 0;
}

void order_close(struct order *o, unsigned actor)
{
    struct order_actor *a = &o->actor[actor];
    if (!a->accessed)
        return;
    a->accessed = a->learned = false;
    a->version++;
    const uint32_t epoch = ++a->live.at[actor];
    a->closed[epoch % ORDER_HISTORY] = a->live;
}

void order_release(struct order *o, unsigned actor, struct order_clock *into)
{
    order_close(o, actor);
    order_join(into, &o->actor[actor].live);
}

void order_acquire(struct order *o, unsigned actor, const struct order_clock *from)
{
    struct order_actor *a = &o->actor[actor];
    if (covers(&a->live, from))
        return;
    order_close(o, actor);
    a->version++;
    /* Nobody knows more of an actor than it has closed itself, so its own entry stays. */
    order_join(&a->live, from);
    a->learned = true;
}

void order_follow(struct order *o, unsigned actor, unsigned other)
{
    order_close(o, other);
    order_acquire(o, actor, &o->actor[other].live);
}

void order_acquire_epoch(struct order *o, unsigned actor, unsigned other, uint32_t epoch)
{
    struct order_actor *a = &o->actor[other];
    if (actor == other || order_knows(o, actor, other, epoch))
        return;
    if (epoch > a->live.at[other])
        order_close(o, other);
    const uint32_t last = a->live.at[other];
    const uint32_t kept = last - epoch < ORDER_HISTORY ? epoch : last - ORDER_HISTORY + 1;
    order_acquire(o, actor, &a->closed[kept % ORDER_HISTORY]);
}

/* Whether `old` tells nothing that `now` does not: whoever is in order with `now` is so with `old`. */
static inline bool is_covered(const struct order_cell *old, const struct order_cell *now)
{
    return (order_cell_mask(old) & ~order_cell_mask(now)) == 0 &&
           (order_cell_is_write(now) || !order_cell_is_write(old));
}

const struct order_cell *order_visit(const struct order *o, struct order_place *place, struct order_cell now,
                                     struct order_cell *scratch)
{
    const unsigned actor = order_cell_actor(&now);
    const struct order_clock *live = &o->actor[actor].live;
    const struct order_cell *found = 0;
    struct order_cell *put = 0, *oldest = &place->cell[0];
    for (struct order_cell *c = place->cell; c < place->cell + ORDER_CELLS; c++) {
        if (c->who == 0) {
            put = put != 0 ? put : c;
            continue;
        }
        const bool same = order_cell_actor(c) == actor;
        const bool ordered = same || live->at[order_cell_actor(c)] >= order_cell_epoch(c);
        if (!ordered && (order_cell_mask(c) & order_cell_mask(&now)) && ((c->what | now.what) & ORDER_WRITE)) {
            *scratch = *c;
            found = scratch;
        }
        if ((ordered || found) && is_covered(c, &now)) {
            c->who = 0;
            put = put != 0 ? put : c;
        }
        oldest = order_cell_cycle(c) < order_cell_cycle(oldest) ? c : oldest;
    }
    put = put != 0 ? put : oldest;
    *put = now;
    return found;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Order of events within a tile: who has the next turn, and how far it may go.  See tile.h for how time flows. */
#include "tile/parts.h"

#include "base/fast.h"
#include "riscv/block.h"
#include "riscv/lsu.h"
#include "tensix/tensix.h"
#include "tile/deadlock.h"

/* Nobody would notice at once if a counter of an NIU moved. */
static inline bool counts_may_wait(const struct tile *tile)
{
    return (tile->probing | tile->polls_counters) == 0 &&
           (tile->dev.niu[0].cfg[NIU_CFG_RTZ] | tile->dev.niu[1].cfg[NIU_CFG_RTZ]) == 0;
}

static inline void look_at_core(struct tile *tile, unsigned i)
{
    const rv_core *core = &tile->core[i];
    const bool awake = tile->awake >> i & 1;
    tile->turns.t[i] = awake && has_turn(core) ? core->t : NOBODY;
    tile->turns.visible[i] = awake ? rv_next_visible(core) : NEVER;
}

/* `turns` as they are now. */
static inline const struct turns *look_at_cores(struct tile *tile)
{
    for (unsigned left = tile->stirred; UNLIKELY(left != 0); left &= left - 1) {
        look_at_core(tile, (unsigned)__builtin_ctz(left));
    }
    tile->stirred = 0;
    return &tile->turns;
}

/* The core with the smallest t below end, or KERR_CORE_COUNT. */
static inline unsigned next_turn(const struct turns *turns, uint64_t end)
{
    unsigned best = KERR_CORE_COUNT;
    uint64_t when = end;
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        best = turns->t[i] < when ? i : best;
        when = min64(when, turns->t[i]);
    }
    return best;
}

static inline uint64_t first_visible(const struct turns *turns)
{
    uint64_t first = NEVER;
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        first = min64(first, turns->visible[i]);
    }
    return first;
}

/* A core that pushes has its turns where the coprocessor runs, up to the cycle in which another has one. */
static unsigned next_but_pushing(const struct tile *tile, const struct turns *turns, uint64_t end, unsigned best)
{
    if (best == KERR_CORE_COUNT || !tile_is_pushing(tile, best)) {
        return best;
    }
    unsigned other = KERR_CORE_COUNT;
    uint64_t when = end;
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        if (turns->t[i] < when && !tile_is_pushing(tile, i)) {
            other = i;
            when = turns->t[i];
        }
    }
    return turns->t[best] < when ? other : best;
}

static uint64_t next_event(const struct tile *tile);

/* Brings into L1 what has become visible by `now`, in order of time.  False: nothing has.  It stops where somebody has something to
 * do before the next one, because of those that came before: a core that was woken, an NIU with a request, the coprocessor. */
static bool drain(struct tile *tile, uint64_t now)
{
    for (bool any = false;; any = true) {
        const struct turns *turns = look_at_cores(tile);
        const uint64_t when = first_visible(turns);
        if (when > now || when >= tile->alone_end || next_turn(turns, when) != KERR_CORE_COUNT) {
            return any;
        }
        unsigned first = 0;
        while (turns->visible[first] != when) {
            first++;
        }
        if (any && min64(next_event(tile), tensix_next(&tile->dev.tensix)) < when) {
            return true;
        }
        rv_drain(&tile->core[first], &tile->bus[first], when);
        tile->stirred |= (uint8_t)(1u << first);
        attend(tile);
    }
}

/* The next packet or event of a device. */
static uint64_t next_event(const struct tile *tile)
{
    return min64(devices_next_event(&tile->dev), tile_next_arrival(tile));
}

/* The next event that somebody who runs could notice: what may wait does (tile_noc_catch_up). */
static uint64_t next_noticed(const struct tile *tile)
{
    if (!counts_may_wait(tile)) {
        return next_event(tile);
    }
    const struct niu *niu = tile->dev.niu;
    const uint64_t injection =
        (niu[0].outgoing | niu[1].outgoing) != 0 ? niu_next_but_counts(&tile->dev) : niu_next_event(&tile->dev);
    return min64(min64(devices_next_timer(&tile->dev), injection), noc_queue_next(&tile->port->inbox));
}

/* Up to where core c may touch what is shared. */
static uint64_t shared_limit(const struct tile *tile, unsigned c, const struct turns *turns, uint64_t event,
                             uint64_t end)
{
    const rv_core *core = &tile->core[c];
    const uint64_t next = core->t + 1;
    uint64_t limit = min64(end, max64(event, next)), visible = NEVER;
    limit = min64(limit, max64(min64(tensix_next(&tile->dev.tensix), NEVER - 1), core->t) + 1); /* cores come first */
#pragma GCC unroll 5
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        limit = min64(limit, i != c ? turns->t[i] + (c < i) : NEVER);
        visible = min64(visible, i != c ? turns->visible[i] : NEVER);
    }
    if (core->stores.watched) {
        /* Its next store may push the last one out of the queue. */
        visible = min64(visible, min64(rv_next_visible(core), core->t + COST_STORE_VISIBLE));
    }
    return min64(limit, max64(visible, next));
}

/* Runs the core under a probe: it may end up parked.  What it did may have changed the limits: look again. */
static void try_parking(struct tile *tile, unsigned c, uint64_t end, uint64_t shared)
{
    rv_core *core = &tile->core[c];
    tile->probing |= (uint8_t)(1u << c);
    const rv_park_result result = rv_park_step(core, &tile->bus[c], probe_of(tile, c), end, shared);
    if (result == RV_PARK_GOING_ON) {
        return;
    }
    tile->probing &= (uint8_t) ~(1u << c);
    switch (result) {
    case RV_PARK_DONE:
        tile_flag_watches(tile, core);
        for (unsigned i = 0; i < tile->cores; i++) {
            /* What is on its way may be what this core waits for. */
            tile->core[i].stores.watched = tile->core[i].stores.watched || tile->core[i].stores.count != 0;
        }
        return;
    default:
        tile->clocked &= (uint8_t) ~(1u << c);
        tile->next_try[c] = core->t + tile->backoff[c];
        tile->backoff[c] = tile->backoff[c] < BACKOFF_LAST ? tile->backoff[c] * 2 : BACKOFF_LAST;
    }
}

/* Whether the PIC may interrupt this core. */
static bool may_be_interrupted(const struct tile *tile, unsigned c)
{
    const struct pic *pic = &tile->dev.pic;
    _Static_assert(PIC_CORES == 2, "none of them has any enabled: nobody is interrupted");
    if (LIKELY((pic->sw_int_en[0] | pic->sw_int_en[1] | pic->hw_int_en[0] | pic->hw_int_en[1]) == 0)) {
        return false;
    }
    const unsigned slot = devices_pic_slot(&tile->dev, c);
    return slot < PIC_CORES && (pic->sw_int_en[slot] | pic->hw_int_en[slot]) != 0;
}

/* Whether the core must be at the cycle in which its stores come out: a device write may fault or reset it, a write to L1 may be
 * watched.  A push does neither. */
static bool stores_reach_back(const rv_core *core)
{
    return core->stores.watched && (core->stores.exact || !rv_only_pushes(core));
}

/* A turn of core c in which it is watched: it may end up parked. */
static void run_watched(struct tile *tile, unsigned c, const struct turns *turns, uint64_t end, uint64_t furthest,
                        bool may_run_ahead)
{
    const rv_core *core = &tile->core[c];
    if (counts_may_wait(tile)) { /* a lap under watch may look at counters */
        tile_noc_catch_up(tile, core->t);
    }
    const uint64_t shared = shared_limit(tile, c, turns, next_event(tile), end);
    const bool ahead = may_run_ahead && !stores_reach_back(core);
    try_parking(tile, c, ahead ? furthest : min64(end, max64(shared, core->t + 1)), shared);
}

/* Where a turn ends at the latest that could go on up to `limit`: a core that waits for the clock again and again is watched
 * as soon as it may. */
static inline uint64_t turn_end(const struct tile *tile, unsigned c, uint64_t limit)
{
    const uint64_t quiet = tile->quiet_since[c] + QUIET_CYCLES;
    return UNLIKELY(tile->clocked >> c & 1) && tile->core[c].t < quiet ? min64(limit, quiet) : limit;
}

/* For how long a core does nothing visible before it is watched.  What looks like a poll is watched at once; but each answer that a
 * counter of an NIU counts wakes a core that is parked on it, so there the wait has to last: a quarter costs op-add nothing and keeps
 * a load of NOC_CMD_CTRL between two transfers from being taken for a poll (make bench-transfers). */
static uint64_t quiet_cycles(const rv_bus *bus)
{
    return !bus->polls ? QUIET_CYCLES : is_niu(bus->poll.address) ? QUIET_CYCLES / 4 : 0;
}

/* Turns of cores, first that of c, as long as each changes nothing but the core itself: then events, what the
 * coprocessor has to do and the turns of the others are still as they were. */
static void run_cores(struct tile *tile, unsigned c, uint64_t event, uint64_t end, uint64_t furthest, bool one)
{
    const struct turns *turns = &tile->turns;
    const bool in_order = tile_is_in_order(tile) || tile->environment->trace != NULL || /* a trace is */
                          (tile->environment->without & FAST_AHEAD) != 0;
    const bool parking = tile->environment->parking;
    tile->bus[KERR_CORE_B].tag_search = tag_search_is_on(tile) ? tile_bus_tag_search : NULL;
    tile->disturbed = false;
    for (;;) {
        rv_core *core = &tile->core[c];
        rv_bus *bus = &tile->bus[c];
        if (UNLIKELY(core->state == RV_PARKED)) {
            tile_core_wake(tile, c, core->t);
            return;
        }
        if (core->side_effect) {
            core->side_effect = false;
            tile->quiet_since[c] = core->t;
            tile->backoff[c] = BACKOFF_FIRST;
            bus->polls = false;
        }
        /* Interrupts must find the core at their cycle, a device write in the queue may fault or reset the core: then it
         * does not run ahead. */
        const bool may_run_ahead = !in_order && !may_be_interrupted(tile, c);
        rv_exit why = RV_EXIT_EVENT;
        const bool quiet = core->t >= tile->quiet_since[c] + quiet_cycles(bus);
        if (UNLIKELY(parking && quiet && core->t >= tile->next_try[c])) {
            run_watched(tile, c, turns, end, furthest, may_run_ahead);
            bus->polls = tile->probing >> c & 1;
        } else {
            const bool ahead = may_run_ahead && !stores_reach_back(core);
            const uint64_t shared = shared_limit(tile, c, turns, event, end);
            bus->pushes = false;
            const uint64_t limit = ahead ? furthest : min64(end, max64(shared, core->t + 1));
            why = rv_run(core, bus, turn_end(tile, c, limit), shared);
            if (why == RV_EXIT_SHARED && bus->pushes && ahead) {
                tile_pusher_begin(tile, c);
                one = true;
            }
        }
        look_at_core(tile, c);
        if (why == RV_EXIT_EVENT || why == RV_EXIT_STATE || tile->disturbed || tile->attention || tile->stirred != 0 ||
            one) {
            if (core->state == RV_PARKED) {
                core->t = core->park.until;
                tile_note_parked(tile, c);
            }
            attend(tile);
            return;
        }
        c = next_turn(turns, end);
        if (c == KERR_CORE_COUNT) {
            return;
        }
        const uint64_t now = turns->t[c];
        if (event <= now || tensix_next(&tile->dev.tensix) < now || first_visible(turns) <= now) {
            return;
        }
    }
}

/* When a packet takes effect: what it does to the insides of cores waits until no core is ahead of it, as must_meet has
 * it for cores.  The upper half of an address counts for nothing where registers of a DRAM tile are concerned. */
static uint64_t effect_of(struct tile *tile, const noc_packet *packet, uint64_t cycle)
{
    const bool has_address = packet->op != NOC_HOLD && packet->op != NOC_WRITE_ACK;
    if (!has_address || (packet->address > UINT32_MAX && tile->kind != KERR_TILE_DRAM)) {
        return cycle;
    }
    return tile_meeting(tile, (uint32_t)packet->address, cycle);
}

/* Packets and devices at `cycle`, packets first. */
static void happen(struct tile *tile, uint64_t cycle)
{
    noc_queue *inbox = &tile->port->inbox, *acks = &tile->port->acks;
    if (min64(noc_queue_next(acks), niu_next_event(&tile->dev)) < cycle) { /* they waited */
        tile_noc_catch_up(tile, cycle - 1);
    }
    for (;;) {
        noc_queue *first = noc_queue_is_before(acks, inbox) ? acks : inbox;
        if (noc_queue_next(first) > cycle) {
            break;
        }
        noc_entry entry = noc_queue_take(first);
        if (entry.ref == NO_PACKET) {
            niu_acknowledged(tile, noc_order_noc(entry.order), entry.value, cycle);
            continue;
        }
        noc_packet *packet = noc_packet_at(tile->packets, entry.ref);
        if (noc_is_dma(packet)) {
            devices_dma_arrives(tile, packet, cycle);
            tile_noc_release(tile, entry.ref);
            continue;
        }
        entry.cycle = effect_of(tile, packet, cycle);
        if (entry.cycle > cycle) {
            noc_queue_put(inbox, entry);
            continue;
        }
        niu_deliver(tile, entry.ref, cycle); /* which holds it from now on */
    }
    if (devices_next_event(&tile->dev) <= cycle) {
        devices_event(tile, cycle);
    }
    attend(tile);
}

/* When the next store on its way to L1 is there, of those that do not go out where the coprocessor runs. */
static uint64_t next_but_pushed(const struct tile *tile)
{
    uint64_t next = NEVER;
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        next = tile_is_pushing(tile, i) ? next : min64(next, tile->turns.visible[i]);
    }
    return next;
}

void tile_run(struct tile *tile, tile_worker *worker, uint64_t end, uint64_t furthest)
{
    const bool traced = (tile->environment->trace_kinds & KERR_TRACE_INSTRUCTION) != 0;
    const bool checked = tile->lent.check != NULL;
    const bool states_traced = (tile->environment->trace_kinds & KERR_TRACE_STATE) != 0;
    const bool trace_is_full =
        tile->environment->trace != NULL && (tile->environment->trace_kinds & KERR_TRACE_PARKING) == 0;
    tile->packets = worker->packets;
    tile->matrix = worker->matrix;
    tile->lent.vector_cache = &worker->vector;
    tile->furthest = furthest;
    tile->port->change_count = 0; /* what the host does counts from the first cycle on */
    tile->pushing = 0;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        tile->dev.tensix.thread[i].push_turn = 0;
    }
    if (tile->bus[0].blocks != worker->blocks || (tile->bus[0].trace != NULL) != traced ||
        tile->bus[0].never_parks != trace_is_full || (tile->bus[0].enters != NULL) != checked) {
        tile_bus_note(tile, worker->blocks);
    }
    attend(tile);
    uint64_t done = 0; /* cycle of the latest step */
    tile->stirred = (1u << KERR_CORE_COUNT) - 1;
    for (;;) {
        end = tile->end = min64(end, tile->alone_end);
        const struct turns *turns = look_at_cores(tile);
        unsigned c = next_turn(turns, end);
        if (UNLIKELY(tile->pushing != 0)) {
            c = next_but_pushing(tile, turns, end, c);
        }
        const uint64_t visible = first_visible(turns);
        const uint64_t core_next = c < KERR_CORE_COUNT ? turns->t[c] : end;
        const uint64_t unit = tensix_next(&tile->dev.tensix);
        const bool units_first = unit < core_next; /* at equal cycles cores come first */
        const uint64_t now = units_first ? unit : c < KERR_CORE_COUNT ? core_next : end - 1;
        const uint64_t event = c < KERR_CORE_COUNT ? next_noticed(tile) : next_event(tile);
        if (UNLIKELY(states_traced)) {
            tile_trace_states(tile, done);
        }
        if (event <= now) {
            if (visible <= event && drain(tile, event)) {
                continue; /* somebody may have something to do before it */
            }
            happen(tile, event);
            done = event;
            continue;
        }
        if (visible <= now && drain(tile, now)) {
            continue; /* somebody may have woken up, a device may have something to do */
        }
        if (units_first) {
            tile->in_units = true;
            const uint64_t stores = UNLIKELY(tile->pushing != 0) ? next_but_pushed(tile) : visible;
            tensix_run(&tile->lent, &tile->dev.tensix, min64(min64(core_next, event), stores));
            tile->in_units = false;
            attend(tile);
            done = now;
            continue;
        }
        if (c == KERR_CORE_COUNT) {
            break;
        }
        run_cores(tile, c, event, end, furthest, states_traced || tile->pushing != 0);
        done = now;
    }
    if (tile->rendezvous && end % RENDEZVOUS_GRID == 0) {
        tile->rendezvous = false;
        tile->strict = true;
        tile_devices_changed(tile, end);
    }
    /* When this tile next has something to do. */
    uint64_t next = min64(next_event(tile), tensix_next(&tile->dev.tensix));
    if (tile->rendezvous || tile->attention) {
        next = min64(next, end);
    }
    const struct turns *turns = look_at_cores(tile);
    next = min64(next, first_visible(turns));
    const unsigned first = next_turn(turns, next);
    *tile->due = first < KERR_CORE_COUNT ? turns->t[first] : next;
}

uint64_t tile_run_alone(struct tile *tile, tile_worker *worker, uint64_t start, uint64_t end)
{
    /* What its NIUs already have to do is not announced by a store. */
    const uint64_t event = min64(niu_next_event(&tile->dev), tile_next_arrival(tile));
    tile->alone = true;
    tile->alone_end = event < end ? max64(event, start) + fabric_lookahead() : NEVER;
    tile_run(tile, worker, end, end);
    end = min64(end, tile->alone_end);
    tile->alone = false;
    tile->alone_end = NEVER;
    return end;
}

bool tile_is_idle(const struct tile *tile)
{
    for (unsigned i = 0; i < tile->cores; i++) {
        if (has_turn(&tile->core[i])) {
            return false;
        }
    }
    return tensix_next(&tile->dev.tensix) == NEVER;
}

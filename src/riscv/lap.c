/* SPDX-License-Identifier: Apache-2.0 */
#include "riscv/lap.h"

#include "base/bits.h"
#include "riscv/icache.h"

#include <string.h>

/* ---- Being the same ----------------------------------------------------------------------------------------- */

/* A cycle at the end of a lap: it has moved with the lap, or it stays, and is over. */
static bool moves_or_stays(uint64_t from, uint64_t to, uint64_t begin, uint64_t cycles, bool *moves)
{
    *moves = to - from == cycles;
    return *moves || (to == from && (from <= begin || from == NEVER));
}

/* The same of a cycle that is `apart` from that of another time. */
static bool is_same_cycle(uint64_t from, uint64_t to, uint64_t begin, uint64_t now, bool moves)
{
    return moves ? to - from == now - begin : to == from || (from <= begin && to <= now);
}

static const store_entry *queued(const rv_core *core, uint32_t i)
{
    return &core->stores.entry[(core->stores.head + i) % STORE_RING];
}

static bool is_same_store(const store_entry *a, const store_entry *b, uint64_t apart)
{
    store_entry e = *b;
    e.last -= apart;
    e.emit -= e.emit != NEVER ? apart : 0;
    return memcmp(&e, a, sizeof e) == 0;
}

static bool stores_are_same(const rv_core *a, const rv_core *b, uint64_t apart)
{
    const store_queue *p = &a->stores, *q = &b->stores;
    bool same = p->count == q->count && p->watched == q->watched && p->exact == q->exact && p->stuck == q->stuck &&
                p->filter == q->filter && p->last_visible == q->last_visible;
    for (uint32_t i = 0; same && i < p->count; i++)
        same = is_same_store(queued(a, i), queued(b, i), apart);
    return same;
}

void rv_lap_begin(rv_lap *lap, const rv_core *core, uint64_t now)
{
    lap->from = *core;
    lap->begin = now;
}

/* What it has executed brings it back to where it was, and so it will again. */
static bool goes_round(rv_lap *lap, const rv_core *core)
{
    return core->pc == lap->from.pc && core->ic_changes == lap->from.ic_changes && rv_lap_walk(lap, core);
}

/* All loads were answered by the L0 data cache, which has not flushed itself meanwhile. */
static bool l0_stays(const rv_lap *lap, const rv_core *core)
{
    const l0_cache *a = &lap->from.l0, *b = &core->l0;
    return b->requests - a->requests == lap->loads && a->flush_at == b->flush_at &&
           (lap->loads == 0 || a->flush_at >= b->requests);
}

bool rv_lap_end(rv_lap *lap, const rv_core *core, uint64_t cycles)
{
    const rv_core *from = &lap->from;
    lap->runs = core->instret != from->instret;
    lap->pushes = 0;
    if (!lap->runs)
        return memcmp(core, from, sizeof *core) == 0;
    if (!goes_round(lap, core) || !l0_stays(lap, core) || !stores_are_same(from, core, cycles) ||
        !moves_or_stays(from->t, core->t, lap->begin, cycles, &lap->t_moves))
        return false;
    rv_core rest = *core;
    lap->ready_moves[0] = lap->ready_moves[1] = 0;
    for (unsigned r = 0; r < READY_COUNT; r++) {
        bool moves;
        if (!moves_or_stays(from->ready[r], core->ready[r], lap->begin, cycles, &moves))
            return false;
        lap->ready_moves[r / 64] |= (uint64_t)moves << r % 64;
    }
    bool settled;
    if (!moves_or_stays(from->settled, core->settled, lap->begin, cycles, &settled))
        return false;
    lap->ready_moves[1] |= (uint64_t)settled << 63;
    lap->head_moves = (core->stores.head - from->stores.head) % STORE_RING;
    /* Nothing else is any other. */
    rest.t = from->t;
    rest.settled = from->settled;
    rest.instret = from->instret;
    rest.bp_changes = from->bp_changes;
    rest.offered = from->offered; /* for those who listen, of whom there are none */
    rest.l0.requests = from->l0.requests;
    lap->bp_changes = core->bp_changes - from->bp_changes;
    rest.x[lap->counter] = from->x[lap->counter];
    rest.x[X_SINK] = from->x[X_SINK];
    memcpy(rest.ready, from->ready, sizeof rest.ready);
    rest.stores = from->stores;
    return memcmp(&rest, from, sizeof rest) == 0;
}

/* What decides about a core that goes round; its instructions are those of the lap. */
static bool rest_is_same(const rv_lap *lap, const rv_core *core, uint64_t now)
{
    const rv_core *from = &lap->from;
    const bool flags = core->sequential == from->sequential && core->side_effect == from->side_effect &&
                       core->slow_mode == from->slow_mode && core->never_merges == from->never_merges &&
                       core->merge_cycles == from->merge_cycles && core->in_interrupt == from->in_interrupt &&
                       core->kind == from->kind;
    const bool quiet = !core->interrupt_line && !core->single_step && !core->blocked.active &&
                       core->ic_pending_count == 0 && (core->long_done == 0 || core->long_done <= now) &&
                       (from->long_done == 0 || from->long_done <= lap->begin);
    return flags && quiet &&
           memcmp(&core->cfg0, &from->cfg0, offsetof(rv_core, mhpmevent) - offsetof(rv_core, cfg0)) == 0;
}

/* Branches and jumps are expected to do what they were. */
static bool predictor_is_same(const rv_lap *lap, const rv_core *core)
{
    const rv_core *from = &lap->from;
    bool same = true;
    for (unsigned r = 0, word = 0; r < lap->ranges; r++)
        for (unsigned i = 0; i < lap->range[r].words; i++, word++) {
            const uint32_t at = lap->range[r].head / 4 + i;
            const unsigned taken = at % PREDICTOR_ENTRIES, target = at % TARGET_ENTRIES;
            if (lap->branches[word / 64] >> word % 64 & 1)
                same &= core->predictor[taken] == from->predictor[taken];
            if (lap->returns[word / 64] >> word % 64 & 1)
                same &=
                    core->target_pc[target] == from->target_pc[target] && core->target[target] == from->target[target];
        }
    return same;
}

/* The lines of the L0 data cache that it loads from. */
static bool lines_are_same(const rv_lap *lap, const rv_core *core)
{
    const l0_cache *a = &lap->from.l0, *b = &core->l0;
    for (unsigned i = 0; i < L0_LINES; i++)
        if ((lap->l0_lines >> i & 1) &&
            (a->tag[i] != b->tag[i] || memcmp(a->data[i], b->data[i], sizeof a->data[i]) != 0))
            return false;
    return true;
}

bool rv_lap_fits(const rv_lap *lap, const rv_core *core)
{
    if (!lap->runs)
        return true;
    uint32_t differ = core->pc ^ lap->from.pc;
    for (uint32_t left = lap->touched & ~(1u << lap->counter); left != 0; left &= left - 1)
        differ |= core->x[__builtin_ctz(left)] ^ lap->from.x[__builtin_ctz(left)];
    return differ == 0;
}

static bool range_is_same(const rv_core *core, const struct rv_lap_range *range, const uint32_t *word)
{
    for (uint32_t i = 0; i < range->words;) {
        const uint32_t pc = range->head + 4 * i, place = pc % COST_ICACHE_LINE_BYTES;
        const uint32_t n = (uint32_t)min64((COST_ICACHE_LINE_BYTES - place) / 4, range->words - i);
        if (!icache_has(core, pc / COST_ICACHE_LINE_BYTES) ||
            memcmp(icache_line(core, pc / COST_ICACHE_LINE_BYTES) + place, &word[i], 4 * n) != 0)
            return false;
        i += n;
    }
    return true;
}

static bool code_is_same(const rv_lap *lap, const rv_core *core)
{
    bool same = true;
    uint32_t word = 0;
    for (unsigned r = 0; same && r < lap->ranges; r++) {
        same = range_is_same(core, &lap->range[r], &lap->word[word]);
        word += lap->range[r].words;
    }
    return same;
}

bool rv_lap_is_same(const rv_lap *lap, const rv_core *core, uint64_t now)
{
    const rv_core *from = &lap->from;
    if (core->state != from->state)
        return false;
    if (!lap->runs)
        return core->stores.stuck == from->stores.stuck && core->stores.count == from->stores.count;
    if (!rv_lap_fits(lap, core) || !is_same_cycle(from->t, core->t, lap->begin, now, lap->t_moves) ||
        !stores_are_same(from, core, now - lap->begin) || !rest_is_same(lap, core, now) ||
        !predictor_is_same(lap, core) || !lines_are_same(lap, core))
        return false;
    bool same = is_same_cycle(from->settled, core->settled, lap->begin, now, lap->ready_moves[1] >> 63);
    for (unsigned r = 0; r < READY_COUNT; r++)
        same &= is_same_cycle(from->ready[r], core->ready[r], lap->begin, now, lap->ready_moves[r / 64] >> r % 64 & 1);
    return same && code_is_same(lap, core);
}

/* ---- Many laps ---------------------------------------------------------------------------------------------- */

/* How many laps it takes until a branch finds the counter at its limit.  0 also if it goes by it. */
static uint32_t laps_to_limit(const struct rv_lap_turns *turn, uint32_t counter)
{
    const uint32_t away = turn->limit - (counter + turn->offset);
    const int64_t step = (int32_t)turn->step, signed_away = (int32_t)away;
    if (turn->step == 1 || turn->step == UINT32_MAX)
        return turn->step * away / turn->count;
    return signed_away % step == 0 && signed_away / step >= 0 ? (uint32_t)(signed_away / step) / turn->count : 0;
}

uint32_t rv_lap_most(const rv_lap *lap, const rv_core *core)
{
    uint32_t most = UINT32_MAX;
    if (!lap->runs)
        return most;
    for (unsigned i = 0; i < lap->turns; i++)
        most = (uint32_t)min64(most, laps_to_limit(&lap->turn[i], core->x[lap->counter]));
    if (lap->loads != 0)
        most = core->l0.flush_at >= core->l0.requests
                   ? (uint32_t)min64(most, (core->l0.flush_at - core->l0.requests) / lap->loads)
                   : 0;
    return most;
}

void rv_lap_repeat(const rv_lap *lap, rv_core *core, uint32_t laps, uint64_t cycles)
{
    if (!lap->runs)
        return;
    const uint64_t later = laps * cycles;
    core->t += lap->t_moves ? later : 0;
    core->settled += lap->ready_moves[1] >> 63 ? later : 0;
    for (unsigned r = 0; r < READY_COUNT; r++)
        core->ready[r] += lap->ready_moves[r / 64] >> r % 64 & 1 ? later : 0;
    core->x[lap->counter] += laps * lap->gain;
    core->instret += laps * lap->instructions;
    core->l0.requests += (uint64_t)laps * lap->loads;
    core->bp_changes += laps * lap->bp_changes;
    store_queue *q = &core->stores;
    store_entry entry[STORE_RING];
    for (uint32_t i = 0; i < q->count; i++)
        entry[i] = *queued(core, i);
    q->head = (q->head + laps * lap->head_moves) % STORE_RING;
    for (uint32_t i = 0; i < q->count; i++) {
        entry[i].last += later;
        entry[i].emit += entry[i].emit != NEVER ? later : 0;
        q->entry[(q->head + i) % STORE_RING] = entry[i];
    }
}

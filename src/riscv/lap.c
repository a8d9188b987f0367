/* SPDX-License-Identifier: Apache-2.0 */
#include "riscv/lap.h"

#include "base/bits.h"
#include "riscv/block.h"
#include "riscv/icache.h"

#include <string.h>

#define INSTRN_BUF_BASE 0xFFE40000u /* manual PushTensixInstruction */
enum { OPCODE_RESOURCEDECL = 0x05 };

/* ---- The loop ----------------------------------------------------------------------------------------------- */

static bool word_at(const rv_core *core, uint32_t pc, uint32_t *word)
{
    if (!icache_has(core, pc / COST_ICACHE_LINE_BYTES))
        return false;
    memcpy(word, icache_line(core, pc / COST_ICACHE_LINE_BYTES) + pc % COST_ICACHE_LINE_BYTES, sizeof *word);
    return true;
}

/* The first branch from the core's pc on ends the loop. */
static bool find_loop(rv_lap *lap, const rv_core *core)
{
    uint32_t pc = core->pc, word;
    for (unsigned i = 0; i < RV_LAP_WORDS; i++, pc += 4) {
        if (!word_at(core, pc, &word))
            return false;
        const rv_decoded op = rv_decode(core->kind, pc, word);
        if (op.code != RV_BNE)
            continue;
        lap->head = op.immediate;
        lap->words = (pc - op.immediate) / 4 + 1;
        return op.immediate <= core->pc && lap->words <= RV_LAP_WORDS;
    }
    return false;
}

/* Whether an instruction of the loop only pushes, makes a constant, or counts; `written`: registers that it makes. */
static bool is_plain(rv_lap *lap, const rv_decoded *op, uint32_t pc, uint32_t *written, uint32_t *stored)
{
    switch (op->code) {
    case RV_TTINSN: lap->pushes++; return op->immediate >> 24 != OPCODE_RESOURCEDECL;
    case RV_SW:
        lap->pushes++;
        *stored |= 1u << op->rs1 | 1u << op->rs2;
        return lap->from.x[op->rs1] + op->immediate == INSTRN_BUF_BASE &&
               lap->from.x[op->rs2] >> 24 != OPCODE_RESOURCEDECL;
    case RV_LUI: *written |= 1u << (op->rd & 31); return true;
    case RV_ADDI:
        if (op->rd == op->rs1 && lap->counter == 0) {
            lap->counter = op->rd;
            lap->step = op->immediate;
            lap->count_at = pc;
            return true;
        }
        *written |= 1u << (op->rd & 31);
        return op->rs1 == 0;
    default: return false;
    }
}

/* Decodes the loop.  False: it does something else, or what it pushes is not the same each time. */
static bool read_loop(rv_lap *lap, const rv_core *core)
{
    uint32_t written = 0, stored = 0;
    lap->counter = 0;
    lap->pushes = 0;
    if (!find_loop(lap, core))
        return false;
    for (unsigned i = 0; i < lap->words; i++)
        if (!word_at(core, lap->head + 4 * i, &lap->word[i]))
            return false;
    for (unsigned i = 0; i + 1 < lap->words; i++) {
        const uint32_t pc = lap->head + 4 * i;
        const rv_decoded op = rv_decode(core->kind, pc, lap->word[i]);
        if (!is_plain(lap, &op, pc, &written, &stored))
            return false;
    }
    const uint32_t end = lap->head + 4 * (lap->words - 1);
    const rv_decoded branch = rv_decode(core->kind, end, lap->word[lap->words - 1]);
    lap->limit = branch.rs1 == lap->counter ? branch.rs2 : branch.rs1;
    const uint32_t counter = 1u << lap->counter;
    return lap->counter != 0 && lap->step != 0 && (branch.rs1 == lap->counter) != (branch.rs2 == lap->counter) &&
           !(written & (counter | 1u << lap->limit | stored) & ~1u) && !(stored & counter);
}

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

/* What it has executed is its loop, a whole number of times. */
static bool goes_round(rv_lap *lap, const rv_core *core)
{
    const uint64_t instructions = core->instret - lap->from.instret;
    if (core->pc != lap->from.pc || core->ic_changes != lap->from.ic_changes ||
        core->bp_changes != lap->from.bp_changes || !read_loop(lap, core))
        return false;
    lap->rounds = (uint32_t)(instructions / lap->words);
    lap->pushes *= lap->rounds;
    return lap->rounds != 0 && instructions % lap->words == 0 &&
           core->x[lap->counter] - lap->from.x[lap->counter] == lap->rounds * lap->step;
}

bool rv_lap_end(rv_lap *lap, const rv_core *core, uint64_t cycles)
{
    const rv_core *from = &lap->from;
    lap->runs = core->instret != from->instret;
    lap->pushes = 0;
    if (!lap->runs)
        return memcmp(core, from, sizeof *core) == 0;
    if (!goes_round(lap, core) || !stores_are_same(from, core, cycles) ||
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
    const bool flags = core->sequential == from->sequential && core->offered == from->offered &&
                       core->side_effect == from->side_effect && core->slow_mode == from->slow_mode &&
                       core->never_merges == from->never_merges && core->merge_cycles == from->merge_cycles &&
                       core->in_interrupt == from->in_interrupt && core->kind == from->kind;
    const bool quiet = !core->interrupt_line && !core->single_step && !core->blocked.active &&
                       core->ic_pending_count == 0 && (core->long_done == 0 || core->long_done <= now) &&
                       (from->long_done == 0 || from->long_done <= lap->begin);
    const uint32_t branch = lap->head + 4 * (lap->words - 1);
    return flags && quiet &&
           memcmp(&core->cfg0, &from->cfg0, offsetof(rv_core, mhpmevent) - offsetof(rv_core, cfg0)) == 0 &&
           core->predictor[branch >> 2 & (PREDICTOR_ENTRIES - 1)] ==
               from->predictor[branch >> 2 & (PREDICTOR_ENTRIES - 1)];
}

static bool registers_are_same(const rv_lap *lap, const rv_core *core)
{
    for (unsigned r = 1; r < 32; r++)
        if (core->x[r] != lap->from.x[r] && r != lap->counter)
            return false;
    return true;
}

static bool code_is_same(const rv_lap *lap, const rv_core *core)
{
    for (uint32_t i = 0; i < lap->words;) {
        const uint32_t pc = lap->head + 4 * i, place = pc % COST_ICACHE_LINE_BYTES;
        const uint32_t n = (uint32_t)min64((COST_ICACHE_LINE_BYTES - place) / 4, lap->words - i);
        if (!icache_has(core, pc / COST_ICACHE_LINE_BYTES) ||
            memcmp(icache_line(core, pc / COST_ICACHE_LINE_BYTES) + place, &lap->word[i], 4 * n) != 0)
            return false;
        i += n;
    }
    return true;
}

bool rv_lap_is_same(const rv_lap *lap, const rv_core *core, uint64_t now)
{
    const rv_core *from = &lap->from;
    if (core->state != from->state)
        return false;
    if (!lap->runs)
        return core->stores.stuck == from->stores.stuck && core->stores.count == from->stores.count;
    if (core->pc != from->pc || !is_same_cycle(from->t, core->t, lap->begin, now, lap->t_moves) ||
        !stores_are_same(from, core, now - lap->begin) || !registers_are_same(lap, core) ||
        !rest_is_same(lap, core, now))
        return false;
    bool same = is_same_cycle(from->settled, core->settled, lap->begin, now, lap->ready_moves[1] >> 63);
    for (unsigned r = 0; r < READY_COUNT; r++)
        same &= is_same_cycle(from->ready[r], core->ready[r], lap->begin, now, lap->ready_moves[r / 64] >> r % 64 & 1);
    return same && code_is_same(lap, core);
}

/* ---- Many laps ---------------------------------------------------------------------------------------------- */

uint32_t rv_lap_most(const rv_lap *lap, const rv_core *core)
{
    if (!lap->runs)
        return UINT32_MAX;
    /* What the branch finds when it comes next, and how often it may find it moved on before it is the other. */
    const uint32_t next = core->x[lap->counter] + (core->pc <= lap->count_at ? lap->step : 0);
    const int64_t away = (int32_t)(core->x[lap->limit] - next), step = (int32_t)lap->step;
    if (lap->step == 1 || lap->step == UINT32_MAX)
        return (uint32_t)(lap->step * (core->x[lap->limit] - next)) / lap->rounds;
    return away % step == 0 && away / step >= 0 ? (uint32_t)(away / step) / lap->rounds : 0;
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
    core->x[lap->counter] += laps * lap->rounds * lap->step;
    core->instret += (uint64_t)laps * lap->rounds * lap->words;
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

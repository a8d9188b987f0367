/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV Ti pushes into a full FIFO: its turns within a run of the coprocessor.
 *
 * A core that waits for room in the FIFO of its thread goes on for one push whenever one has passed the gate.  As long as it
 * does nothing but push and what nobody else sees, only its own thread notices, so it has its turns right where the
 * coprocessor makes room (tensix/pushing.h), and nobody looks at the other cores of the tile.  Cycles and state are those of
 * tile_run, attend and drain, in whose order it takes its turns: those before the coprocessor's in the same cycle. */
#include "tile/tile.h"

#include "base/bits.h"
#include "base/fast.h"
#include "riscv/lsu.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/push.h"
#include "tensix/tensix.h"
#include "tile/blocks.h"

/* Nobody else listens to what it does, and nothing in its queue can reach back. */
static bool is_plain(const struct tile *tile, unsigned c)
{
    const rv_core *core = &tile->core[c];
    const struct pic *pic = &tile->dev.pic;
    const bool listens = tile->lent.check != NULL || tile->environment->shake.seed != 0 || tile->breakpoints != 0 ||
                         tile->environment->trace != NULL || (tile->environment->without & FAST_PUSHERS) != 0 ||
                         tag_search_is_on(tile);
    const bool interrupts = (pic->sw_int_en[0] | pic->sw_int_en[1] | pic->hw_int_en[0] | pic->hw_int_en[1]) != 0;
    return !listens && !interrupts && !tile_is_in_order(tile) && !tile->attention && !(tile->probing >> c & 1) &&
           !core->blocked.active && !core->stores.exact && rv_only_pushes(core);
}

/* When it has something to do next: NEVER if it waits for room, 0 if for anything else. */
static uint64_t next_turn(const rv_core *core)
{
    if (core->state == RV_RUNNING)
        return min64(core->t, rv_next_visible(core));
    return core->state == RV_WAITING && core->stores.stuck ? NEVER : 0;
}

/* The store that is stuck is offered again, as attend has it. */
static uint64_t offer(struct tile *tile, unsigned c, uint64_t cycle)
{
    rv_core *core = &tile->core[c];
    const uint32_t count = core->stores.count;
    tile->stirred |= (uint8_t)(1u << c);
    rv_drain(core, &tile->bus[c], cycle);
    if (core->stores.count < count && core->state == RV_WAITING) {
        core->state = RV_RUNNING;
        core->t = max64(core->t, cycle);
    }
    return next_turn(core);
}

void tile_pusher_begin(struct tile *tile, unsigned core)
{
    if (tile->core[core].state == RV_RUNNING && !tile->core[core].stores.stuck && is_plain(tile, core)) {
        tile->pushing |= (uint8_t)(1u << core);
        tensix_push_turn(&tile_devices(tile)->tensix, core - KERR_CORE_T0, next_turn(&tile->core[core]));
    }
}

uint64_t tile_pusher_told(struct tile *tile, unsigned thread, uint64_t cycle)
{
    const unsigned c = KERR_CORE_T0 + thread;
    const rv_core *core = &tile->core[c];
    if (!core->stores.stuck || (core->state != RV_WAITING && core->state != RV_RUNNING) || !is_plain(tile, c))
        return 0;
    return offer(tile, c, cycle);
}

bool tile_pusher_holds_swallowed(const struct tile *tile, unsigned thread)
{
    const store_queue *q = &tile->core[KERR_CORE_T0 + thread].stores;
    bool any = false;
    for (uint32_t i = 0; i < q->count; i++) {
        const uint8_t *word = q->entry[(q->head + i) % STORE_RING].data;
        any |= word[3] == OPCODE_MOP_CFG || (word[3] == OPCODE_REPLAY && (word[0] & 1));
    }
    return any;
}

uint64_t tile_pusher_turn(struct tile *tile, unsigned thread, uint64_t cycle, uint64_t most)
{
    const unsigned c = KERR_CORE_T0 + thread;
    rv_core *core = &tile->core[c];
    rv_bus *bus = &tile->bus[c];
    if ((!core->stores.stuck && core->state != RV_RUNNING) || !is_plain(tile, c))
        return 0;
    tile->stirred |= (uint8_t)(1u << c);
    if (core->stores.stuck)
        offer(tile, c, cycle);
    else if (rv_next_visible(core) <= cycle)
        rv_drain(core, bus, cycle);
    if (core->state == RV_RUNNING && core->t == cycle) {
        /* With an empty queue it may still be in the group of its last push. */
        bus->push_limit = (core->stores.count != 0 ? most : cycle) + 1;
        rv_run(core, bus, tile->furthest, cycle); /* nothing that is shared but these */
        bus->push_limit = 0;
    }
    const uint64_t next = next_turn(core);
    return tile->attention || next <= cycle ? 0 : next;
}

bool tile_pusher_open(struct tile *tile, unsigned thread, rv_pusher *pusher)
{
    const unsigned c = KERR_CORE_T0 + thread;
    const bool free =
        debug_reg_peek(&tile->dev, RISCV_DEBUG_REG_DBG_INSTRN_BUF_CTRL0) == 0; /* the debug bus may have the FIFO */
    tile->stirred |= (uint8_t)(1u << c);
    return free && is_plain(tile, c) && rv_pusher_open(pusher, &tile->core[c], &tile->bus[c]);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace is told of a tile. */
#include "tile/parts.h"

#include "tensix/trace.h"

/* Where a load, store or atomic goes, or a push (which is a store to INSTRN_BUF_BASE); 0: it is something else. */
static uint32_t address_of(const rv_core *core, uint32_t word, bool *is_store)
{
    enum { LOAD = 0x03, LOAD_FP = 0x07, STORE = 0x23, STORE_FP = 0x27, AMO = 0x2F };
    const unsigned opcode = bits(word, 6, 0), width = bits(word, 14, 12);
    const bool is_vector = (opcode == LOAD_FP || opcode == STORE_FP) && (width == 0 || width > 4); /* without offset */
    const uint32_t base = core->x[bits(word, 19, 15)];
    const uint32_t load_offset = is_vector ? 0 : (uint32_t)sign_extend(bits(word, 31, 20), 12);
    const uint32_t store_offset =
        is_vector ? 0 : (uint32_t)sign_extend(bits(word, 31, 25) << 5 | bits(word, 11, 7), 12);
    *is_store = true;
    if ((word & 3) != 3) {
        return INSTRN_BUF_BASE;
    }
    switch (opcode) {
    case STORE:
    case STORE_FP: return base + store_offset;
    case AMO: return base;
    case LOAD:
    case LOAD_FP: *is_store = false; return base + load_offset;
    default: *is_store = false; return 0;
    }
}

void tile_bus_trace(void *owner, unsigned core, uint32_t pc, uint32_t instruction, uint64_t now)
{
    const struct tile *tile = owner;
    kerr_trace_event event = {.cycle = now,
                              .at = tile->at,
                              .core = (kerr_core)core,
                              .kind = KERR_TRACE_INSTRUCTION,
                              .pc = pc,
                              .instruction = instruction};
    event.address = address_of(&tile->core[core], instruction, &event.is_store);
    tile->environment->trace(tile->environment->trace_context, &event);
}

void tile_tensix_trace(const struct tile *tile, const kerr_trace_tensix *record)
{
    const kerr_trace_event event = {
        .cycle = record->begin, .at = tile->at, .kind = KERR_TRACE_TENSIX, .tensix = record};
    tile->environment->trace(tile->environment->trace_context, &event);
}

void tile_note_trace(struct tile *tile)
{
    const bool traced = (tile->environment->trace_kinds & KERR_TRACE_TENSIX) != 0;
    if (tile->dev.tensix.traced != traced) {
        tile->dev.tensix.traced = traced;
    }
}

_Static_assert((int)RV_IN_RESET == (int)KERR_CORE_IN_RESET && (int)RV_RUNNING == (int)KERR_CORE_RUNNING &&
                   (int)RV_PARKED == (int)KERR_CORE_PARKED && (int)RV_WAITING == (int)KERR_CORE_WAITING &&
                   (int)RV_HALTED == (int)KERR_CORE_HALTED && (int)RV_STOPPED == (int)KERR_CORE_STOPPED,
               "trace_state takes one for the other");

/* Tells of core c that its state is another one.  What it stands at says when: a wait begins with the instruction that
 * waits, and ends where the core may go on; only a reset comes from outside, not before `done`. */
static void trace_state(struct tile *tile, unsigned c, uint64_t done)
{
    const rv_core *core = &tile->core[c];
    kerr_trace_event event = {.cycle = core->state == RV_IN_RESET ? max64(core->t, done) : core->t,
                              .at = tile->at,
                              .core = (kerr_core)c,
                              .kind = KERR_TRACE_STATE,
                              .pc = core->pc,
                              .state = (kerr_core_state)core->state};
    if (core->state == RV_WAITING) {
        event.address = core->wait_address;
        event.is_store = !(core->blocked.active && core->blocked.address == core->wait_address);
    }
    if (core->state == RV_PARKED) {
        event.cycle = core->park.start;
        event.address = core->park.watches == 1 ? core->park.watch[0].address : 0;
    }
    tile->traced_state[c] = core->state;
    tile->environment->trace(tile->environment->trace_context, &event);
}

void tile_trace_states(struct tile *tile, uint64_t done)
{
    for (unsigned c = 0; c < tile->cores; c++) {
        if (tile->core[c].state != tile->traced_state[c]) {
            trace_state(tile, c, done);
        }
    }
}

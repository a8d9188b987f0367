/* SPDX-License-Identifier: Apache-2.0 */
/* Performance counters: five groups, each a reference counter of cycles and many counters of events.
 *
 * The vendor's performance counter guides and hw_counters.h.  Of each group's three registers the first is a reference
 * period, the second has mode (bits 7:0; 1: stop after the period, 2: no reference count) and selection (bits 16:8, bit 16 =
 * grants), and a rising bit 0 of the third clears and starts, a rising bit 1 stops.  PERF_CNT_ALL does the third for
 * INSTRN_THREAD and FPU.  OUT_L is the reference count, OUT_H the selected event's count; all events of a group count at
 * once, the selection only shows one.
 *
 * INSTRN_THREAD counts at the wait gates (tensix/counts.h).  OPEN, as no guide says it, and a card would:
 *   - *_INSTRN_AVAILABLE: an instruction stands at the gate, with the cycle in which it passes.  FPU has those of the Matrix
 *     Unit and of the Vector Unit, which no other type could have; those of the Miscellaneous Unit are in none.
 *   - THREAD_STALLS: it stands there and does not pass, for whatever reason.
 *   - WAITING_FOR_*: a latched wait instruction has this condition and it is not met, whether or not something is held
 *     (the guide: it "counts cycles a hardware unit was busy", more than THREAD_STALLS at times; and never fires where no
 *     thread asks).  That of cores (MMIO) only while something is held.
 *   - the four of SrcA and SrcB, one for all threads: the threads' sum.
 * FPU counts instructions that the Matrix Unit and the Vector Unit take; MATH_COUNTER is the sum, which is more than the
 * guide's "either" where two threads use both in one cycle.
 *
 * TDMA_UNPACK and TDMA_PACK count what these two units and the unpackers and the packer see.  OPEN, and a card would tell:
 *   - MATH_INSTRN_AVAILABLE: an instruction for one of the two that only the unit or its sources keep at the gate, which on the chip
 *     stands behind it.  MATH_SRC_DATA_READY: less the cycles in which SrcA or SrcB is not there.
 *     DATA_HAZARD_STALLS_MOVD2A (the guide: cycles without such a stall): less those behind MOVD2A, MOVB2A and MOVD2B.  AVAILABLE_MATH:
 *     less all others in which the unit keeps it.  MATH_NOT_STALLED_DEST_WR_PORT: all of them, there is no such port.
 *   - UNPACK?_BUSY_THREAD?: as conditions C1 and C2.  SRC?_WRITE_*: cycles in which an UNPACR takes datums for them, all at once when it
 *     passes; nothing blocks them, as an UNPACR waits for its bank at the gate (unpack/regular.c).
 *   - PACKER_BUSY: cycles of PACRs, without the way to L1, of each at once when it passes.  PACKER_DEST_READ_AVAILABLE and
 *     DEST_READ_GRANTED_0: of those that read Dst.
 *   - MATH_FIDELITY_STALL, MATH_INSTRN_HF_2_CYCLE and _4_CYCLE stay zero, _1_CYCLE has all instructions of the Matrix Unit: by the manual
 *     each phase is an instruction of its own and takes a cycle.  The guide has them count with more than one phase.
 * Left out: the ports of L1, where reading an event is a fault. */
#include "tensix_isa.h" /* before tile_regs.h, which has a TENSIX_MOP_CFG of its own */

#include "tensix/counts.h"
#include "tile/blocks.h"

enum { GROUP_INSTRN_THREAD, GROUP_TDMA_UNPACK, GROUP_TDMA_PACK, GROUP_DBG_L1, GROUP_FPU };
enum { MODE_CONTINUOUS, MODE_AUTO_STOP, MODE_NO_REFERENCE };
enum { START = 1, STOP = 2 };

/* Events by place in perf_event.  Those of INSTRN_THREAD stand as the selection counts them, then grants. */
enum {
    AVAILABLE = 0, /* type * 3 + thread */
    THREAD_STALLS = 24,
    SOURCES = 27, /* SrcA and SrcB to be cleared, SrcA and SrcB to be valid */
    WAITING = 31, /* thread * 9 + what */
    WAITS = 9,
    THREAD_INSTRUCTIONS = WAITING + TENSIX_THREADS * WAITS,
    ANY_THREAD_STALL = THREAD_INSTRUCTIONS + TENSIX_THREADS,
    FPU_COUNTER,
    SFPU_COUNTER,
    MATH_COUNTER,
    SRC_DATA_READY, /* the first of TDMA_UNPACK */
    NO_MOVD2A_STALL,
    MATH_STARTED,
    MATH_AVAILABLE,
    SRCB_WRITES,
    SRCA_WRITES,
    UNPACKER_BUSY,                       /* thread * 2 + unpacker */
    UNPACKER_WRITES = UNPACKER_BUSY + 4, /* the same */
    ONE_CYCLE = UNPACKER_WRITES + 4,
    DST_READS, /* the first of TDMA_PACK */
    PACKER_BUSY,
    NO_WRITE_PORT_STALL,
    NO_SCOREBOARD_STALL,
    EVENTS,
    NO_EVENT = EVENTS, /* the selection shows nothing that a guide names */
    ZERO_EVENT,        /* it never happens here */
    GRANT = 256
};
_Static_assert((int)EVENTS <= (int)PERF_EVENTS, "devices_state.h");

static uint32_t first_register(unsigned group)
{
    static const uint32_t first[PERF_GROUPS] = {
        RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD0, RISCV_DEBUG_REG_PERF_CNT_TDMA_UNPACK0,
        RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK0,     RISCV_DEBUG_REG_PERF_CNT_L1_0,
        RISCV_DEBUG_REG_PERF_CNT_FPU0,
    };
    return first[group];
}

static unsigned mode_of(const struct devices *dev, unsigned group)
{
    return debug_reg_peek(dev, first_register(group) + 4) & 0xFF;
}

static uint32_t reference(const struct devices *dev, unsigned group, uint64_t cycle)
{
    const struct perf_group *g = &dev->perf[group];
    if (!g->running)
        return g->reference;
    const uint64_t count = cycle - g->started;
    const uint32_t period = debug_reg_peek(dev, first_register(group));
    switch (mode_of(dev, group)) {
    case MODE_AUTO_STOP: return count > period ? period : (uint32_t)count;
    case MODE_NO_REFERENCE: return 0;
    default: return (uint32_t)count;
    }
}

/* ---- Events ----------------------------------------------------------------------------------------------- */

/* Instructions of a type; XSEARCH, the fourth, has none. */
static uint32_t available(const struct tensix *tx, unsigned type, unsigned thread, uint64_t cycle)
{
    static const uint8_t unit[8] = {UNIT_CONFIG, UNIT_SYNC,   UNIT_SCALAR, UNIT_COUNT,
                                    UNIT_MOVER,  UNIT_MATRIX, UNIT_UNPACK, UNIT_PACK};
    if (unit[type] == UNIT_COUNT)
        return 0;
    return tensix_count_available(tx, thread, unit[type], cycle) +
           (unit[type] == UNIT_MATRIX ? tensix_count_available(tx, thread, UNIT_VECTOR, cycle) : 0);
}

static uint32_t taken(const struct tensix *tx, unsigned unit)
{
    return tx->issued[0][unit] + tx->issued[1][unit] + tx->issued[2][unit];
}

static uint32_t written(const struct tensix *tx, unsigned which)
{
    return tx->src_written[which][0] + tx->src_written[which][1] + tx->src_written[which][2];
}

/* Cycles that are counted already and have not come yet. */
static uint32_t after(uint64_t until, uint64_t cycle)
{
    return until > cycle ? (uint32_t)(until - cycle) : 0;
}

/* Of the groups TDMA_UNPACK and TDMA_PACK. */
static uint32_t total_of_units(const struct tensix *tx, unsigned event, uint64_t cycle)
{
    const uint32_t started = taken(tx, UNIT_MATRIX) + taken(tx, UNIT_VECTOR);
    const uint32_t source = tensix_count_math_held(tx, MATH_HELD_SOURCE, cycle);
    const uint32_t unit = tensix_count_math_held(tx, MATH_HELD_UNIT, cycle), available = started + source + unit;
    const uint32_t moved = tx->matrix.moved - after(tx->matrix.moved_until, cycle);
    const uint32_t packed = (uint32_t)tx->data_cycles[1];
    const unsigned which = (event - UNPACKER_BUSY) % 2, thread = (event - UNPACKER_BUSY) / 2 % 2;
    switch (event) {
    case SRC_DATA_READY: return available - source;
    case NO_MOVD2A_STALL: return available - moved;
    case MATH_STARTED: return started;
    case MATH_AVAILABLE:
    case NO_WRITE_PORT_STALL: return available;
    case NO_SCOREBOARD_STALL: return available - (unit - moved);
    case SRCA_WRITES:
    case SRCB_WRITES: return written(tx, event == SRCB_WRITES);
    case ONE_CYCLE: return taken(tx, UNIT_MATRIX);
    case PACKER_BUSY: return packed;
    case DST_READS: return packed - tx->not_of_dst;
    default: break;
    }
    return event < UNPACKER_WRITES
               ? tx->unpack_busy[which][thread] - after(tx->thread[thread].unpacker_until[which], cycle)
               : tx->src_written[which][thread];
}

/* Since power-on. */
static uint32_t total(const struct tile *tile, unsigned event, uint64_t cycle)
{
    /* Conditions C5 to C8 of STALLWAIT; then per thread C0, C1 and C2 (an unpacker each), C3, C4, SEMWAIT's, C9, C10, C11. */
    enum { C_SOURCES = 5, BOTH_UNPACKERS = 1 };
    static const uint8_t condition[WAITS] = {0, BOTH_UNPACKERS, 3, 4, TENSIX_WAIT_SEM_ZERO, TENSIX_WAIT_SEM_MAX, 9, 10,
                                             11};
    const struct tensix *tx = &tile_devices_const(tile)->tensix;
    uint32_t sum = 0;
    if (event < THREAD_STALLS)
        return available(tx, event / TENSIX_THREADS, event % TENSIX_THREADS, cycle);
    if (event < SOURCES)
        return tensix_count_stalled(tx, event - THREAD_STALLS, cycle);
    if (event < WAITING) {
        for (unsigned i = 0; i < TENSIX_THREADS; i++)
            sum += tensix_count_waited(tile_lent(tile), tx, i, C_SOURCES + event - SOURCES, cycle);
        return sum;
    }
    if (event < THREAD_INSTRUCTIONS) {
        const unsigned thread = (event - WAITING) / WAITS, which = condition[(event - WAITING) % WAITS];
        sum = tensix_count_waited(tile_lent(tile), tx, thread, which, cycle);
        return which == BOTH_UNPACKERS ? sum + tensix_count_waited(tile_lent(tile), tx, thread, which + 1, cycle) : sum;
    }
    if (event < ANY_THREAD_STALL)
        return tensix_count_issued(tx, event - THREAD_INSTRUCTIONS);
    switch (event) {
    case ANY_THREAD_STALL: return tensix_count_any_stalled(tx, cycle);
    case FPU_COUNTER: return taken(tx, UNIT_MATRIX);
    case SFPU_COUNTER: return taken(tx, UNIT_VECTOR);
    case MATH_COUNTER: return taken(tx, UNIT_MATRIX) + taken(tx, UNIT_VECTOR);
    default: return total_of_units(tx, event, cycle);
    }
}

/* What a selection shows (hw_counters.h; for grants, which of them are copies of each other, the guide). */
static unsigned event_of(unsigned group, unsigned selection)
{
    enum { UNPACK_EVENTS = 11 };
    static const uint8_t unpack_events[2][UNPACK_EVENTS] = {
        {SRC_DATA_READY, NO_MOVD2A_STALL, ZERO_EVENT, MATH_STARTED, MATH_AVAILABLE, SRCB_WRITES, SRCA_WRITES,
         UNPACKER_BUSY, UNPACKER_BUSY + 1, UNPACKER_BUSY + 2, UNPACKER_BUSY + 3},
        {ZERO_EVENT, ZERO_EVENT, ONE_CYCLE, SRCB_WRITES, SRCB_WRITES, SRCA_WRITES, SRCA_WRITES, UNPACKER_WRITES,
         UNPACKER_WRITES + 1, UNPACKER_WRITES + 2, UNPACKER_WRITES + 3}};
    const unsigned grant = selection - GRANT;
    switch (group) {
    case GROUP_INSTRN_THREAD:
        if (selection < THREAD_INSTRUCTIONS)
            return selection;
        if (selection < GRANT)
            return NO_EVENT;
        if (grant < THREAD_STALLS)
            return THREAD_INSTRUCTIONS + grant / 8;
        if (grant >= SOURCES && grant < WAITING)
            return ANY_THREAD_STALL;
        if (grant >= WAITING && grant < THREAD_INSTRUCTIONS)
            return THREAD_STALLS + (grant - WAITING) / WAITS;
        return NO_EVENT;
    case GROUP_FPU:
        return selection == 0           ? FPU_COUNTER
               : selection == 1         ? SFPU_COUNTER
               : selection == GRANT + 1 ? MATH_COUNTER
                                        : (unsigned)NO_EVENT;
    case GROUP_TDMA_UNPACK:
        if (selection < UNPACK_EVENTS)
            return unpack_events[0][selection];
        return selection >= GRANT && grant < UNPACK_EVENTS ? unpack_events[1][grant] : (unsigned)NO_EVENT;
    case GROUP_TDMA_PACK:
        switch (selection) {
        case 11:
        case GRANT + 11: return DST_READS;
        case 18: return PACKER_BUSY;
        case GRANT + 15: return NO_WRITE_PORT_STALL;
        case GRANT + 16: return NO_SCOREBOARD_STALL;
        default: return NO_EVENT;
        }
    default: return NO_EVENT;
    }
}

static bool has_event(unsigned group, unsigned event)
{
    return group == (event < FPU_COUNTER      ? GROUP_INSTRN_THREAD
                     : event < SRC_DATA_READY ? GROUP_FPU
                     : event < DST_READS      ? GROUP_TDMA_UNPACK
                                              : GROUP_TDMA_PACK);
}

/* ---- Start and stop --------------------------------------------------------------------------------------- */

static void find_due(struct devices *dev)
{
    dev->perf_due = 0;
    for (unsigned group = 0; group < PERF_GROUPS; group++) {
        const struct perf_group *g = &dev->perf[group];
        const uint64_t end = g->started + debug_reg_peek(dev, first_register(group));
        if (g->running && mode_of(dev, group) == MODE_AUTO_STOP && end - 1 < dev->perf_due - 1)
            dev->perf_due = end;
    }
}

static void stop(struct tile *tile, unsigned group, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    struct perf_group *g = &dev->perf[group];
    if (!g->running)
        return;
    g->reference = reference(dev, group, cycle);
    g->running = false;
    for (unsigned event = 0; event < EVENTS; event++)
        if (has_event(group, event))
            dev->perf_event[event] = total(tile, event, cycle) - dev->perf_event[event];
}

static void control(struct tile *tile, unsigned group, uint32_t risen, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (risen & STOP)
        stop(tile, group, cycle);
    if (risen & START) {
        dev->perf[group] = (struct perf_group){.started = cycle, .running = true};
        for (unsigned event = 0; event < EVENTS; event++)
            if (has_event(group, event))
                dev->perf_event[event] = total(tile, event, cycle);
    }
}

/* A group has counted for its period. */
void perf_counters_event(struct tile *tile, uint64_t cycle)
{
    struct devices *dev = tile_devices(tile);
    if (dev->perf_due == 0 || dev->perf_due > cycle)
        return;
    for (unsigned group = 0; group < PERF_GROUPS; group++) {
        const uint32_t period = debug_reg_peek(dev, first_register(group));
        if (mode_of(dev, group) == MODE_AUTO_STOP && dev->perf[group].started + period <= cycle)
            stop(tile, group, cycle);
    }
    find_due(dev);
}

static bool is_output(uint32_t address)
{
    return address >= RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD && address <= RISCV_DEBUG_REG_PERF_CNT_OUT_H_FPU;
}

static unsigned output_group(uint32_t address)
{
    return (address - RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD) / 8;
}

static unsigned selection_of(const struct devices *dev, unsigned group)
{
    return debug_reg_peek(dev, first_register(group) + 4) >> 8 & 0x1FF;
}

bool perf_counters_peek(const struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    (void)client;
    const struct devices *dev = tile_devices_const(tile);
    if (!is_output(address)) {
        *value = debug_reg_peek(dev, address);
        return true;
    }
    const unsigned group = output_group(address);
    if (!(address & 4)) {
        *value = reference(dev, group, cycle);
        return true;
    }
    const unsigned event = event_of(group, selection_of(dev, group));
    *value = event >= EVENTS            ? 0
             : dev->perf[group].running ? total(tile, event, cycle) - dev->perf_event[event]
                                        : dev->perf_event[event];
    return true;
}

dev_result perf_counters_read(struct tile *tile, unsigned client, uint32_t address, uint64_t cycle, uint32_t *value)
{
    perf_counters_peek(tile, client, address, cycle, value);
    if (!is_output(address) || !(address & 4))
        return DEV_OK;
    const unsigned group = output_group(address), selection = selection_of(tile_devices(tile), group);
    if (event_of(group, selection) != NO_EVENT)
        return DEV_OK;
    const bool l1 = group == GROUP_DBG_L1;
    tile_fault(tile, l1 ? KERR_FAULT_UNIMPLEMENTED : KERR_FAULT_UNKNOWN, client, address, cycle, NULL,
               l1 ? "%s: event %u is not counted yet" : "%s: no guide names event %u", devices_register_name(address),
               selection);
    return DEV_FAULT;
}

dev_result perf_counters_write(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client;
    struct devices *dev = tile_devices(tile);
    if (is_output(address))
        return DEV_OK;
    uint32_t risen = value & ~debug_reg_peek(dev, address);
    *debug_reg(dev, address) = value;
    for (unsigned group = 0; group < PERF_GROUPS; group++) {
        bool by_all = address == RISCV_DEBUG_REG_PERF_CNT_ALL && (group == GROUP_INSTRN_THREAD || group == GROUP_FPU);
        if (by_all || address == first_register(group) + 8)
            control(tile, group, risen, cycle);
    }
    find_due(dev);
    if (dev->perf_due != 0)
        tile_has_event(tile, dev->perf_due);
    return DEV_OK;
}

bool perf_counters_poke(struct tile *tile, unsigned client, uint32_t address, uint32_t value, uint64_t cycle)
{
    (void)client, (void)cycle;
    struct devices *dev = tile_devices(tile);
    if (!is_output(address))
        *debug_reg(dev, address) = value;
    else if (!(address & 4))
        dev->perf[output_group(address)] = (struct perf_group){.reference = value};
    return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Parking: a core that polls memory which does not change, counts, or waits for the clock, costs nothing.
 *
 * A loop is parked when one lap, run for real, brings the core back to the same state: same pc and registers, the
 * same things in flight at the same distances, nothing learnt by predictor or instruction cache, no store, no
 * device touched.  Then every further lap is the same until a byte it reads changes, and any cycle can be
 * made real by adding whole laps and running the rest.  With the L0 data cache on, a lap with exactly one
 * request is parked too: the periodic flush is a known function of the request number, and a lap after a flush
 * differs by a known number of cycles.
 *
 * Registers may also move: by the same amount, its gain, in each lap.  Gains come from the clock, which moves on by the
 * length of the lap, and from counting; additions and subtractions pass them on, comparisons and branches are the same
 * until a known lap (`until`), anything else that takes a register with a gain spoils the lap.  If a lap ends with the
 * gains it was begun with, every further one does, up to that lap. */
#include "riscv/exec.h"

#include "base/bits.h"
#include "riscv/icache.h"

#include <string.h>

enum { LAP_INSTRUCTIONS = 64, LAPS_TRIED = 3, COMPARISONS = 8, LAPS_WORTH_IT = 4 };

/* What must be equal at both ends of a lap, relative to the cycle; registers but for their gain. */
typedef struct lap_state {
    uint32_t x[33];
    uint64_t ready[READY_COUNT];
    uint64_t slot[COST_L1_LOADS_IN_FLIGHT];
    uint32_t pc, ic_changes, bp_changes;
    bool sequential;
} lap_state;

static void observe(const rv_core *core, lap_state *s)
{
    memset(s, 0, sizeof *s);
    memcpy(s->x, core->x, 32 * sizeof s->x[0]);
    for (unsigned r = 0; core->settled > core->t && r < READY_COUNT; r++) {
        s->ready[r] = core->ready[r] > core->t ? core->ready[r] - core->t : 0;
    }
    for (unsigned i = 0; i < COST_L1_LOADS_IN_FLIGHT; i++) {
        const uint64_t slot = core->load_slot_16[(core->load_count + i) % COST_L1_LOADS_IN_FLIGHT];
        s->slot[i] = slot > core->t * 16 ? slot - core->t * 16 : 0;
    }
    s->pc = core->pc;
    s->ic_changes = core->ic_changes;
    s->bp_changes = core->bp_changes;
    s->sequential = core->sequential;
}

static bool equal(const lap_state *a, const lap_state *b)
{
    return a->pc == b->pc && a->ic_changes == b->ic_changes && a->bp_changes == b->bp_changes &&
           a->sequential == b->sequential && memcmp(a->ready, b->ready, sizeof a->ready) == 0 &&
           memcmp(a->slot, b->slot, sizeof a->slot) == 0;
}

static bool is_quiet(const rv_core *core)
{
    return core->state == RV_RUNNING && core->stores.count == 0 && !core->blocked.active &&
           core->long_done <= core->t && !core->interrupt_line && !core->in_interrupt && !core->single_step &&
           core->ic_pending_count == 0;
}

/* Of registers that have a gain: true or false until the difference changes sign or one of them wraps. */
typedef struct comparison {
    uint32_t a, b, gain_a, gain_b;
} comparison;

struct rv_probe {
    bool active;
    unsigned instructions;
    unsigned laps; /* that did not come back to the same state */
    bool guesses;  /* gains and length of the lap: those of the loop that was parked last */
    bool moves;    /* some register has a gain, or has had one in this lap */
    lap_state before;
    lsu_lap lap;
    uint64_t start, instret, requests;
    uint32_t loads;
    uint32_t cycles;    /* of the lap before, 0: there was none; what the clock gains in this one */
    uint32_t gain[32];  /* at this place in the lap */
    uint32_t first[32]; /* at its beginning */
    uint32_t comparisons;
    comparison comparison[COMPARISONS];
};

_Static_assert(sizeof(rv_probe) <= RV_PROBE_BYTES, "struct tile has room for it");
void rv_probe_cancel(rv_probe *probe)
{
    probe->active = false;
}

static void begin(rv_core *core, rv_probe *probe)
{
    memset(probe, 0, sizeof *probe);
    observe(core, &probe->before);
    probe->active = true;
    probe->start = core->t;
    probe->instret = core->instret;
    probe->requests = core->l0.requests;
    probe->loads = core->load_count;
    core->side_effect = false;
    core->streaming = false;
}

static bool any_gain(const uint32_t gain[32])
{
    uint32_t all = 0;
    for (unsigned r = 0; r < 32; r++) {
        all |= gain[r];
    }
    return all != 0;
}

static void compare(rv_probe *probe, comparison c, bool is_signed)
{
    if (c.gain_a == 0 && c.gain_b == 0) {
        return;
    }
    if (probe->comparisons == COMPARISONS) {
        probe->lap.spoiled = true;
        return;
    }
    if (is_signed) { /* in the same order */
        c.a ^= 0x80000000u;
        c.b ^= 0x80000000u;
    }
    probe->comparison[probe->comparisons++] = c;
}

/* What the instruction just done does to gains; x is from before it. */
static void pass_gains(const rv_core *core, rv_probe *probe, uint32_t pc, const uint32_t *x)
{
    enum { LOAD = 0x03, FENCE = 0x0F, OP_IMM = 0x13, AUIPC = 0x17, OP = 0x33, LUI = 0x37, BRANCH = 0x63, JALR = 0x67 };
    enum { JAL = 0x6F, ADD = 0, SLT = 2, SLTU = 3, BLT = 4, BGE = 5, SUB_7 = 0x20 };
    if (!icache_has(core, pc / COST_ICACHE_LINE_BYTES)) {
        probe->lap.spoiled = true;
        return;
    }
    const uint32_t word = load32(icache_line(core, pc / COST_ICACHE_LINE_BYTES) + pc % COST_ICACHE_LINE_BYTES);
    const unsigned rd = bits(word, 11, 7), funct3 = bits(word, 14, 12), rs1 = bits(word, 19, 15),
                   rs2 = bits(word, 24, 20), funct7 = bits(word, 31, 25);
    uint32_t *const gain = probe->gain;
    const comparison both = {.a = x[rs1], .b = x[rs2], .gain_a = gain[rs1], .gain_b = gain[rs2]};
    const comparison immediate = {.a = x[rs1], .b = (uint32_t)sign_extend(bits(word, 31, 20), 12), .gain_a = gain[rs1]};
    const bool follows = probe->lap.follows;
    bool takes_moving = false; /* where only what stays is understood */
    uint32_t result = 0;
    probe->lap.follows = false;
    switch (bits(word, 6, 0)) {
    case LUI:
    case AUIPC:
    case JAL: break;
    case FENCE: return;
    case BRANCH: compare(probe, both, funct3 == BLT || funct3 == BGE); return;
    case LOAD:
        takes_moving = gain[rs1] != 0;
        result = follows ? probe->cycles : 0;
        break;
    case OP_IMM:
        if (funct3 == ADD) {
            result = gain[rs1];
        } else if (funct3 == SLT || funct3 == SLTU) {
            compare(probe, immediate, funct3 == SLT);
        } else {
            takes_moving = gain[rs1] != 0;
        }
        break;
    case OP:
        if (funct3 == ADD && (funct7 == 0 || funct7 == SUB_7)) {
            result = funct7 == 0 ? gain[rs1] + gain[rs2] : gain[rs1] - gain[rs2];
        } else if ((funct3 == SLT || funct3 == SLTU) && funct7 == 0) {
            compare(probe, both, funct3 == SLT);
        } else {
            takes_moving = gain[rs1] != 0 || gain[rs2] != 0;
        }
        break;
    case JALR: takes_moving = gain[rs1] != 0; break;
    default: /* whatever it takes */
        takes_moving = follows || any_gain(probe->gain);
        probe->lap.spoiled = probe->lap.spoiled || takes_moving;
        return;
    }
    probe->lap.spoiled = probe->lap.spoiled || takes_moving;
    if (rd != 0) {
        gain[rd] = result;
        probe->moves = probe->moves || result != 0;
    }
}

/* How many laps after the one in which it was made a comparison is sure to come out the same. */
static uint64_t same_laps(const comparison *c)
{
    const int64_t a = c->a, b = c->b, gain_a = (int32_t)c->gain_a, gain_b = (int32_t)c->gain_b;
    uint64_t laps = NEVER;
    if (gain_a != 0) {
        laps = min64(laps, (uint64_t)(gain_a > 0 ? (UINT32_MAX - a) / gain_a : a / -gain_a));
    }
    if (gain_b != 0) {
        laps = min64(laps, (uint64_t)(gain_b > 0 ? (UINT32_MAX - b) / gain_b : b / -gain_b));
    }
    const int64_t difference = a - b, gain = gain_a - gain_b;
    if (difference == 0 && gain != 0) {
        return 0;
    }
    if (difference > 0 && gain < 0) {
        laps = min64(laps, (uint64_t)((difference - 1) / -gain));
    }
    if (difference < 0 && gain > 0) {
        laps = min64(laps, (uint64_t)((-difference - 1) / gain));
    }
    return laps;
}

/* Whether the registers have moved by the gains they were said to have. */
static bool gains_hold(const rv_probe *probe, const lap_state *after, uint64_t cycles)
{
    for (unsigned r = 0; r < 32; r++) {
        if (after->x[r] - probe->before.x[r] != probe->first[r]) {
            return false;
        }
    }
    return memcmp(probe->gain, probe->first, sizeof probe->gain) == 0 && !probe->lap.unknown &&
           (!probe->lap.clock || cycles == probe->cycles);
}

/* Laps that are sure to be like this one, which ends at `end`. */
static uint64_t laps_ahead(const rv_probe *probe, uint64_t end, uint64_t cycles)
{
    uint64_t laps = NEVER;
    for (uint32_t i = 0; i < probe->comparisons; i++) {
        laps = min64(laps, same_laps(&probe->comparison[i]));
    }
    if (probe->lap.clock) { /* the high half of the clock stays the same */
        const uint64_t epoch = (end - 1) >> 32;
        if (probe->start >> 32 != epoch) {
            return 0;
        }
        laps = min64(laps, (((epoch + 1) << 32) - end) / cycles);
    }
    return laps;
}

/* Runs until pc comes round again with nothing but loads on the way. */
static rv_park_result run_lap(rv_core *core, rv_bus *bus, rv_probe *probe, uint64_t limit, uint64_t shared_limit)
{
    while (probe->instructions < LAP_INSTRUCTIONS) {
        if (core->t >= limit) {
            return RV_PARK_GOING_ON;
        }
        const uint64_t instret = core->instret;
        const uint32_t pc = core->pc;
        uint32_t x[32];
        if (UNLIKELY(probe->moves)) {
            memcpy(x, core->x, sizeof x);
        }
        const rv_exit code = rv_run_one(core, bus, &probe->lap, limit, shared_limit);
        if (UNLIKELY(probe->moves || probe->lap.follows) && core->instret != instret) {
            pass_gains(core, probe, pc, x);
        }
        probe->instructions += (unsigned)(core->instret - instret);
        if (code == RV_EXIT_SHARED || (code == RV_EXIT_LIMIT && core->instret == instret)) {
            return RV_PARK_GOING_ON;
        }
        if (code != RV_EXIT_LIMIT || core->side_effect || core->streaming || probe->lap.spoiled) {
            return RV_PARK_NO;
        }
        if (core->pc == probe->before.pc) {
            return RV_PARK_DONE;
        }
    }
    return RV_PARK_NO;
}

static bool l0_line_is_current(const rv_core *core, const rv_bus *bus, uint32_t address)
{
    const unsigned i = address >> 4 & (L0_LINES - 1);
    return core->l0.tag[i] == (address >> 4) + 1 && memcmp(core->l0.data[i], bus->l1 + (address & ~15u), 16) == 0;
}

/* Whether anybody has written, since the lap read it, what the lap read. */
static bool memory_is_unchanged(const lsu_lap *lap, const rv_bus *bus)
{
    for (uint32_t i = 0; i < lap->watches; i++) {
        if (lap->watch[i].address < bus->l1_size &&
            memcmp(&lap->watch[i].raw, bus->l1 + lap->watch[i].address, lap->watch[i].size) != 0) {
            return false;
        }
    }
    return true;
}

/* A lap with one request to the L0 data cache: finds out on a copy, of which no trace is told, what a miss changes.  If
 * the lap has a fence, its request misses anyway, and must do so with the cache empty as well as full. */
static bool examine_miss(const rv_core *core, const rv_bus *real, const rv_probe *probe, lap_state after,
                         parked_loop *park)
{
    rv_bus untold = *real, *const bus = &untold;
    untold.trace = NULL;
    untold.access = NULL;
    untold.enters = NULL;
    const bool always = park->loads == 1;
    if (core->l0.requests != probe->requests + 1 || park->loads > 1 || park->watches != 1 ||
        !l0_line_is_current(core, bus, probe->lap.watch[0].address)) {
        return false;
    }
    rv_core copy = *core;
    if (always) {
        /* The line is there now: does the next lap miss all the same? */
        rv_probe full;
        begin(&copy, &full);
        if (run_lap(&copy, bus, &full, NEVER, NEVER) != RV_PARK_DONE || copy.load_count != core->load_count + 1 ||
            copy.t - core->t != park->cycles) {
            return false;
        }
        copy = *core;
    }
    memset(copy.l0.tag, 0, sizeof copy.l0.tag);
    rv_probe again;
    lap_state missed;
    begin(&copy, &again);
    if (run_lap(&copy, bus, &again, NEVER, NEVER) != RV_PARK_DONE) {
        return false;
    }
    observe(&copy, &missed);
    memset(missed.slot, 0, sizeof missed.slot); /* free again long before the next miss */
    memset(after.slot, 0, sizeof after.slot);
    if (!equal(&after, &missed) || copy.t - core->t < park->cycles || (always && copy.t - core->t != park->cycles)) {
        return false;
    }
    park->l0_requests = 1;
    park->l0_always_misses = always;
    park->l0_miss_extra = (uint32_t)(copy.t - core->t) - park->cycles;
    park->watch[0].address &= ~15u; /* the whole line is what a miss brings in */
    park->watch[0].size = 16;
    return true;
}

/* A core that was parked up to some cycle is often in the same loop again: if it is, one lap is enough to know. */
static void guess(const rv_core *core, rv_probe *probe)
{
    const parked_loop *last = &core->park;
    if (last->until != NEVER && last->cycles != 0 && !last->poll) {
        probe->guesses = true;
        probe->cycles = last->cycles;
        memcpy(probe->gain, last->gain, sizeof probe->gain);
        memcpy(probe->first, last->gain, sizeof probe->first);
        probe->moves = any_gain(probe->gain);
    }
}

/* The next lap, with what the last one tells about gains. */
static void begin_again(rv_core *core, rv_probe *probe, const lap_state *after, uint64_t cycles)
{
    const rv_probe last = *probe;
    begin(core, probe);
    probe->laps = last.laps + 1;
    probe->lap.sampled = last.lap.sampled;
    if (last.guesses && last.laps == 0 && cycles < last.cycles) { /* it began in the middle of a wait */
        guess(core, probe);
        return;
    }
    probe->cycles = (uint32_t)cycles;
    for (unsigned r = 0; r < 32; r++) {
        probe->gain[r] = probe->first[r] = after->x[r] - last.before.x[r];
    }
    probe->moves = any_gain(probe->gain);
}

rv_park_result rv_park_step(rv_core *core, rv_bus *bus, rv_probe *probe, uint64_t limit, uint64_t shared_limit)
{
    if (!is_quiet(core) || bus->never_parks || bus->breakpoint != NULL || bus->watchpoint != NULL ||
        bus->tag_search != NULL || ((core->pmacfg[0] | core->pmacfg[1]) & 1) != 0) {
        probe->active = false;
        return RV_PARK_NO;
    }
    if (!probe->active && bus->trace != NULL && core->sequential) {
        /* A traced core comes here before each instruction, so every probe would begin at the same one of the loop, with
         * perhaps a load on its way that a miss delays.  Better at its head. */
        (void)rv_run_one(core, bus, NULL, limit, shared_limit);
        return RV_PARK_GOING_ON;
    }
    if (!probe->active) {
        begin(core, probe);
        guess(core, probe);
    }
    const rv_park_result lap = run_lap(core, bus, probe, limit, shared_limit);
    if (lap == RV_PARK_GOING_ON) {
        return lap;
    }
    probe->active = false;
    lap_state after;
    observe(core, &after);
    const uint64_t cycles = core->t - probe->start;
    const bool same = lap == RV_PARK_DONE && equal(&probe->before, &after) && gains_hold(probe, &after, cycles);
    if (lap == RV_PARK_DONE && probe->laps < LAPS_TRIED && !same) {
        /* It began in the middle of a wait, or the predictor still learnt, or registers move: once more from here. */
        begin_again(core, probe, &after, cycles);
        return RV_PARK_GOING_ON;
    }
    if (lap == RV_PARK_NO && probe->guesses && is_quiet(core)) { /* perhaps because of the guess */
        core->park.until = NEVER;
        begin(core, probe);
        return RV_PARK_GOING_ON;
    }
    if (!same || !memory_is_unchanged(&probe->lap, bus)) {
        return RV_PARK_NO;
    }
    const uint64_t ahead = laps_ahead(probe, core->t, cycles);
    if (ahead < LAPS_WORTH_IT) {
        return RV_PARK_NO;
    }
    parked_loop park = {
        .start = core->t,
        .until = ahead < (NEVER - core->t) / cycles ? core->t + ahead * cycles : NEVER,
        .cycles = (uint32_t)cycles,
        .instructions = (uint32_t)(core->instret - probe->instret),
        .loads = core->load_count - probe->loads,
        .watches = probe->lap.watches,
    };
    for (uint32_t i = 0; i < park.watches; i++) {
        park.watch[i].address = probe->lap.watch[i].address;
        park.watch[i].size = probe->lap.watch[i].size;
    }
    memcpy(park.gain, probe->gain, sizeof park.gain);
    if (core->l0.requests != probe->requests &&
        (any_gain(probe->gain) || probe->lap.clock || !examine_miss(core, bus, probe, after, &park))) {
        return RV_PARK_NO;
    }
    core->park = park;
    core->state = RV_PARKED;
    core->t = park.until;
    return RV_PARK_DONE;
}

/* ---- Polls -------------------------------------------------------------------------------------------- */

/* A word of a register and a branch back to the load, perhaps with instructions between that take a part of the word or add to it:
 * so many loops in kernels are just this, and wait so short, that they are parked after two laps and without a probe.  Without
 * instructions between they stay parked while the word changes but the branch does not. */

static unsigned branch_rs1(uint32_t branch)
{
    return branch >> 15 & 31;
}

static unsigned branch_rs2(uint32_t branch)
{
    return branch >> 20 & 31;
}

static bool branch_is_taken(const rv_core *core, uint32_t branch, unsigned rd, uint32_t value)
{
    const uint32_t a = branch_rs1(branch) == rd ? value : core->x[branch_rs1(branch)];
    const uint32_t b = branch_rs2(branch) == rd ? value : core->x[branch_rs2(branch)];
    switch (branch >> 12 & 7) {
    case 0: return a == b;
    case 1: return a != b;
    case 4: return (int32_t)a < (int32_t)b;
    case 5: return (int32_t)a >= (int32_t)b;
    case 6: return a < b;
    case 7: return a >= b;
    default: return false;
    }
}

/* The word at pc as the instruction cache has it; 0, which is no instruction, if it is not there. */
static uint32_t cached_word(const rv_core *core, uint32_t pc)
{
    if (!icache_has(core, pc / COST_ICACHE_LINE_BYTES)) {
        return 0;
    }
    return load32(icache_line(core, pc / COST_ICACHE_LINE_BYTES) + pc % COST_ICACHE_LINE_BYTES);
}

/* The instruction `steps` behind the one after core->pc, a conditional branch back to core->pc on `rd`; 0: it is something else. */
static uint32_t branch_behind(const rv_core *core, unsigned steps, unsigned rd)
{
    enum { OPCODE_AND_OFFSET = (int)0xFE000FFF, BACK = (int)0xFE0000E3 };
    const uint32_t word = cached_word(core, core->pc + 4 + 4 * steps);
    const uint32_t back = (uint32_t)BACK | (14u - 2 * steps) << 8; /* by 4, 8, 12, 16 */
    const bool on_rd = branch_rs1(word) == rd || branch_rs2(word) == rd;
    return (word & (uint32_t)OPCODE_AND_OFFSET) == back && on_rd ? word : 0;
}

/* What kernels do to a word that they poll: parts of it are taken, sums are made.  False: it is another instruction. */
static bool poll_step(uint32_t word, uint32_t x[32])
{
    const uint32_t a = x[branch_rs1(word)], b = x[branch_rs2(word)];
    const uint32_t immediate = (uint32_t)((int32_t)word >> 20);
    enum { OP_IMM = 0x13, OP = 0x33, FUNCT = (int)0xFE007000 };
    uint32_t *rd = &x[word >> 7 & 31];
    if (rd == x) {
        return false;
    }
    if ((word & 0x7F) == OP_IMM) {
        switch (word >> 12 & 7) {
        case 0: *rd = a + immediate; return true;
        case 7: *rd = a & immediate; return true;
        default: return false;
        }
    }
    if ((word & 0x7F) != OP) {
        return false;
    }
    switch (word & (uint32_t)FUNCT) {
    case 0: *rd = a + b; return true;
    case 0x40000000: *rd = a - b; return true;
    case 0x7000: *rd = a & b; return true;
    case 0x08004000: *rd = (a & 0xFFFF) | b << 16; return true; /* pack, as zext.h */
    default: return false;
    }
}

/* Whether the word that is loaded into `rd` goes through so many instructions, each of which takes what the one before gives, to a
 * branch back to the load, and all registers are then as they are now. */
static bool polls_by_steps(const rv_core *core, unsigned steps, unsigned rd, uint32_t value)
{
    uint32_t x[32];
    memcpy(x, core->x, sizeof x);
    x[rd] = value;
    for (unsigned i = 0; i < steps; i++) {
        const uint32_t word = cached_word(core, core->pc + 4 + 4 * i);
        const bool takes = branch_rs1(word) == rd || ((word & 0x20) != 0 && branch_rs2(word) == rd);
        if (!takes || !poll_step(word, x)) {
            return false;
        }
        rd = word >> 7 & 31;
    }
    const uint32_t branch = branch_behind(core, steps, rd);
    return branch != 0 && memcmp(x, core->x, sizeof x) == 0 && branch_is_taken(core, branch, rd, x[rd]);
}

/* Laps of a poll that take longer are not looked for as soon as one has been like the one before. */
enum { POLL_CYCLES = 64 };

bool rv_poll_begins(rv_core *core, rv_bus *bus, unsigned rd, uint32_t address, uint32_t value, unsigned latency,
                    uint64_t now)
{
    const uint64_t most = bus->shake == NULL && bus->access == NULL ? 3 : 0;
    /* The lap before took as long as a load, and a branch that waits for it and is predicted, take: nothing else fits.  Or so many
     * cycles longer, with an instruction in each. */
    const uint64_t steps = now - bus->poll.t - latency - 1;
    const bool same = bus->poll.pc == core->pc && bus->poll.address == address && bus->poll.value == value;
    const bool again = same && steps <= most;
    bus->poll.pc = core->pc;
    bus->poll.address = address;
    bus->poll.value = value;
    bus->poll.t = now;
    bus->polls = same && steps < POLL_CYCLES;
    if (!again || !bus->parks || !is_quiet(core) || core->settled > now || rd == 0 || rd >= X_SINK ||
        bus->never_parks || bus->breakpoint != NULL || bus->watchpoint != NULL || bus->tag_search != NULL ||
        ((core->pmacfg[0] | core->pmacfg[1]) & 1) != 0 ||
        core->predictor[(core->pc + 4 + 4 * (uint32_t)steps) >> 2 & (PREDICTOR_ENTRIES - 1)] != PREDICT_TAKEN) {
        return false;
    }
    for (unsigned i = 0; i < COST_L1_LOADS_IN_FLIGHT; i++) {
        if (core->load_slot_16[i] > now * 16) {
            return false;
        }
    }
    const uint32_t branch = steps == 0 ? branch_behind(core, 0, rd) : 0;
    if (steps == 0 ? branch == 0 || !branch_is_taken(core, branch, rd, value)
                   : !polls_by_steps(core, (unsigned)steps, rd, value)) {
        return false;
    }
    core->park = (parked_loop){.start = now,
                               .until = NEVER,
                               .cycles = latency + 1 + (uint32_t)steps,
                               .instructions = 2 + (uint32_t)steps,
                               .watches = 1,
                               .watch = {{address, 4}},
                               .poll = steps == 0, /* otherwise the laps are as a probe would find them */
                               .rd = (uint8_t)rd,
                               .branch = branch,
                               .first = value,
                               .value = value};
    core->state = RV_PARKED;
    return true;
}

/* The first `laps` laps are over. */
static void pass_laps(rv_core *core, uint64_t laps)
{
    parked_loop *park = &core->park;
    if (laps != 0) {
        core->x[park->rd] = laps == 1 ? park->first : park->value;
        park->first = park->value;
        park->start += laps * park->cycles;
        core->instret += laps * park->instructions;
    }
}

bool rv_poll_change(rv_core *core, uint32_t value, uint64_t now)
{
    parked_loop *park = &core->park;
    if (!park->poll || !branch_is_taken(core, park->branch, park->rd, value)) {
        return false;
    }
    if (now <= park->start) {
        park->first = value;
    } else {
        pass_laps(core, (now - 1 - park->start) / park->cycles);
    }
    park->value = value;
    return true;
}

static void unpark_poll(rv_core *core, rv_bus *bus, uint64_t now)
{
    const parked_loop *park = &core->park;
    pass_laps(core, (now - park->start) / park->cycles);
    core->t = park->start;
    if (core->t < now) {
        core->x[park->rd] = park->first;
        lsu_settle(core, park->rd, core->t + park->cycles - 1);
        core->pc += 4;
        core->t++;
        core->instret++;
        core->sequential = true;
    }
    if (core->t < now) {
        rv_run_one(core, bus, NULL, now, now);
    }
}

bool rv_park_reads(const rv_core *core, uint32_t address, uint32_t size)
{
    for (uint32_t i = 0; i < core->park.watches; i++) {
        if (address < core->park.watch[i].address + core->park.watch[i].size &&
            core->park.watch[i].address < address + size) {
            return true;
        }
    }
    return false;
}

/* Laps 0 .. n-1 of a loop with one L0 request a lap: how many of them miss. A lap misses if the request before
 * it flushed; the first one hits. */
static uint64_t misses(const rv_core *core, const rv_bus *bus, uint64_t n)
{
    if (n < 2 || core->park.l0_always_misses || (core->cfg0 & CFG0_DIS_LOW_CACHE_PERIODIC_FLUSH)) {
        return 0;
    }
    const uint64_t first = core->l0.requests;
    return rv_l0_flushes_before(bus, first + n - 1) - rv_l0_flushes_before(bus, first);
}

static uint64_t laps_cycles(const rv_core *core, const rv_bus *bus, uint64_t n)
{
    return n * core->park.cycles + (core->park.l0_requests ? misses(core, bus, n) * core->park.l0_miss_extra : 0);
}

/* The L0 data cache after n laps with a request each.  A flush takes all lines; if it was not the last request that flushed, the lap
 * after it has brought its own line back. */
static void pass_requests(rv_core *core, const rv_bus *bus, uint64_t n)
{
    l0_cache *l0 = &core->l0;
    const uint64_t first = l0->requests, last = first + n - 1;
    if (!(core->cfg0 & CFG0_DIS_LOW_CACHE_PERIODIC_FLUSH) && rv_l0_flush_after(bus, first) <= last) {
        const unsigned own = core->park.watch[0].address >> 4 & (L0_LINES - 1);
        const uint32_t tag = rv_l0_flush_after(bus, last) == last ? 0 : l0->tag[own];
        memset(l0->tag, 0, sizeof l0->tag);
        l0->tag[own] = tag;
    }
    l0->requests += n;
    l0->flush_at = rv_l0_flush_after(bus, l0->requests);
}

void rv_unpark(rv_core *core, rv_bus *bus, uint64_t now)
{
    parked_loop *park = &core->park;
    core->state = RV_RUNNING;
    core->t = park->start;
    if (now <= park->start) {
        return;
    }
    if (park->poll) {
        unpark_poll(core, bus, now);
        return;
    }
    /* The largest n with laps_cycles(n) <= now - start. */
    const uint64_t span = min64(now, park->until) - park->start;
    uint64_t n = span / park->cycles;
    if (park->l0_requests != 0) {
        uint64_t low = 0, high = n + 1;
        while (high - low > 1) {
            const uint64_t middle = low + (high - low) / 2;
            if (laps_cycles(core, bus, middle) <= span) {
                low = middle;
            } else {
                high = middle;
            }
        }
        n = low;
    }
    if (n != 0) {
        /* In flight at the same distances: shift what is relative to t. */
        const uint64_t shift = laps_cycles(core, bus, n);
        for (unsigned r = 0; r < READY_COUNT; r++) {
            if (core->ready[r] > core->t) {
                core->ready[r] += shift;
                core->settled = max64(core->settled, core->ready[r]);
            }
        }
        uint64_t slot[COST_L1_LOADS_IN_FLIGHT];
        for (unsigned i = 0; i < COST_L1_LOADS_IN_FLIGHT; i++) {
            slot[i] = core->load_slot_16[(core->load_count + i) % COST_L1_LOADS_IN_FLIGHT];
        }
        const uint64_t missed = park->l0_requests ? misses(core, bus, n) : 0;
        core->load_count += (uint32_t)(n * park->loads + missed);
        for (unsigned i = 0; i < COST_L1_LOADS_IN_FLIGHT; i++) {
            const uint64_t moved = slot[i] > core->t * 16 ? slot[i] + shift * 16 : slot[i];
            core->load_slot_16[(core->load_count + i) % COST_L1_LOADS_IN_FLIGHT] = moved;
        }
        if (park->l0_requests != 0) {
            pass_requests(core, bus, n);
        }
        for (unsigned r = 1; r < 32; r++) {
            core->x[r] += (uint32_t)n * park->gain[r];
        }
        core->instret += n * park->instructions;
        core->t += shift;
    }
    while (core->state == RV_RUNNING && core->t < now) {
        if (rv_run_one(core, bus, NULL, now, now) != RV_EXIT_LIMIT) {
            break;
        }
    }
}

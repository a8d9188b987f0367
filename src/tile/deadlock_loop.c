/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a core is in a loop that only others can end (deadlock.h).
 *
 * Its instructions are followed from where it stands, on a copy of its registers and with memory as it is, until pc and all
 * registers are what they were before.  Parking (riscv/park.c) knows of such loops too, but when it finds them depends on
 * calls and windows, and it can be off.  Loops that count do not come round, and rightly so: they may give up. */
#include "tile/deadlock.h"

#include "base/bits.h"
#include "riscv/icache.h"
#include "tile_regs.h"

#include <string.h>

enum { STEPS = 256 }; /* more than three times round any loop that waits */

typedef struct walk {
    const struct tile *tile;
    const rv_core *core;
    uint64_t now;
    uint32_t x[32], pc;
    uint32_t polled;
    bool outside;
    bool several; /* places are read, of which `address` is one */
    uint32_t address;
    bool named; /* an instruction of it is one of those that were asked about */
} walk;

static bool fetch(const walk *w, uint32_t *word)
{
    const uint32_t line = w->pc / COST_ICACHE_LINE_BYTES;
    if (icache_has(w->core, line)) {
        *word = load32(icache_line(w->core, line) + w->pc % COST_ICACHE_LINE_BYTES);
        return true;
    }
    if (w->pc > w->tile->l1_bytes - 4) {
        return false;
    }
    *word = load32(w->tile->l1 + w->pc);
    return true;
}

/* Notes what is looked at.  False: a load with a side effect, or of the clock. */
static bool note(walk *w, uint32_t address)
{
    const bool is_t = w->core->index >= KERR_CORE_T0 && w->core->index <= KERR_CORE_T2;
    if (address - LOCAL_RAM_BASE < w->core->local_size) {
        return true; /* its own */
    }
    w->several = w->several || (w->address != 0 && w->address != address);
    w->address = address;
    if (is_t && address - PC_BUF_SEMAPHORE < 4 * SEMAPHORES) {
        w->polled |= 1u << ((address - PC_BUF_SEMAPHORE) / 4);
        return true;
    }
    if (w->core->index <= KERR_CORE_T2 && address - TENSIX_MAILBOX0_BASE < 0x1000u * MAILBOX_CORES && (address & 4)) {
        w->polled |= 1u << (8 + (address >> 12 & 3));
        return true;
    }
    w->outside = true;
    return address < w->tile->l1_bytes || devices_is_parkable(&w->tile->dev, address) == STEADY_VALUE;
}

static bool load(walk *w, uint32_t address, unsigned width, uint32_t *value)
{
    const unsigned size = 1u << (width & 3), shift = 8 * (address & 3);
    uint32_t word;
    if (width == 3 || width > 5 || (address & (size - 1)) != 0 || !note(w, address) ||
        !tile_core_peek(w->tile, w->core->index, address & ~3u, &word, sizeof word, w->now)) {
        return false;
    }
    word >>= shift;
    *value = size == 4 ? word : width & 4 ? word & ((1u << 8 * size) - 1) : (uint32_t)sign_extend(word, 8 * size);
    return true;
}

static bool branches(unsigned condition, uint32_t a, uint32_t b)
{
    const bool holds = condition & 2 ? a < b : condition & 4 ? (int32_t)a < (int32_t)b : a == b;
    return holds != (condition & 1);
}

/* Of Zba, Zbb and M: what compilers put into such loops. */
static bool other_arithmetic(uint32_t word, uint32_t a, uint32_t b, uint32_t *result)
{
    enum { OP = 0x33, MULTIPLY = 0x01, PACK = 0x04, MIN_MAX = 0x05, SHIFT_ADD = 0x10, NEGATED = 0x20, BITS = 0x30 };
    const unsigned operation = bits(word, 14, 12), high = bits(word, 31, 25), second = bits(word, 24, 20), by = b & 31;
    if ((word & 0x7F) != OP) {
        if (operation != 1 || high != BITS || (second != 4 && second != 5)) {
            return false;
        }
        *result = (uint32_t)sign_extend(a & (second == 4 ? 0xFFu : 0xFFFFu), second == 4 ? 8 : 16);
        return true;
    }
    switch (high << 3 | operation) {
    case MULTIPLY << 3 | 0: *result = a * b; return true;
    case PACK << 3 | 4: *result = b << 16 | (a & 0xFFFF); return true;
    case MIN_MAX << 3 | 4: *result = (int32_t)a < (int32_t)b ? a : b; return true;
    case MIN_MAX << 3 | 5: *result = a < b ? a : b; return true;
    case MIN_MAX << 3 | 6: *result = (int32_t)a < (int32_t)b ? b : a; return true;
    case MIN_MAX << 3 | 7: *result = a < b ? b : a; return true;
    case SHIFT_ADD << 3 | 2: *result = (a << 1) + b; return true;
    case SHIFT_ADD << 3 | 4: *result = (a << 2) + b; return true;
    case SHIFT_ADD << 3 | 6: *result = (a << 3) + b; return true;
    case NEGATED << 3 | 4: *result = ~(a ^ b); return true;
    case NEGATED << 3 | 6: *result = a | ~b; return true;
    case NEGATED << 3 | 7: *result = a & ~b; return true;
    case BITS << 3 | 1: *result = a << by | a >> (-by & 31); return true;
    case BITS << 3 | 5: *result = a >> by | a << (-by & 31); return true;
    default: return false;
    }
}

static bool arithmetic(uint32_t word, uint32_t a, uint32_t b, uint32_t *result)
{
    const bool immediate = !(word & 0x20);
    const unsigned operation = bits(word, 14, 12), high = bits(word, 31, 25), by = b & 31;
    const bool shifts = operation == 1 || operation == 5;
    const bool other = high == 0x20 && (operation == 5 || (operation == 0 && !immediate)); /* sub, sra */
    if ((!immediate || shifts) && high != 0 && !other) {
        return other_arithmetic(word, a, b, result);
    }
    switch (operation) {
    case 0: *result = other ? a - b : a + b; break;
    case 1: *result = a << by; break;
    case 2: *result = (int32_t)a < (int32_t)b; break;
    case 3: *result = a < b; break;
    case 4: *result = a ^ b; break;
    case 5: *result = other && (a >> 31) ? ~(~a >> by) : a >> by; break;
    case 6: *result = a | b; break;
    default: *result = a & b; break;
    }
    return true;
}

/* One instruction.  False: one that a loop which only waits does not have. */
static bool step(walk *w)
{
    enum {
        LOAD = 0x03,
        FENCE = 0x0F,
        OP_IMM = 0x13,
        AUIPC = 0x17,
        OP = 0x33,
        LUI = 0x37,
        BRANCH = 0x63,
        JALR = 0x67,
        JAL = 0x6F
    };
    uint32_t word, result = 0;
    if (!fetch(w, &word)) {
        return false;
    }
    const unsigned rd = bits(word, 11, 7);
    const uint32_t a = w->x[bits(word, 19, 15)], b = w->x[bits(word, 24, 20)];
    const uint32_t immediate = (uint32_t)sign_extend(word >> 20, 12);
    uint32_t next = w->pc + 4;
    bool writes = true;
    switch (word & 0x7F) {
    case LUI: result = word & 0xFFFFF000u; break;
    case AUIPC: result = w->pc + (word & 0xFFFFF000u); break;
    case JAL:
        result = next;
        next = w->pc + (uint32_t)sign_extend(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                                                 bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                                             21);
        break;
    case JALR:
        result = next;
        next = (a + immediate) & ~1u;
        break;
    case BRANCH:
        writes = false;
        if (branches(bits(word, 14, 12), a, b)) {
            next = w->pc + (uint32_t)sign_extend(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                                                     bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
                                                 13);
        }
        break;
    case LOAD:
        if (!load(w, a + immediate, bits(word, 14, 12), &result)) {
            return false;
        }
        break;
    case OP_IMM:
    case OP:
        if (!arithmetic(word, a, (word & 0x20) ? b : immediate, &result)) {
            return false;
        }
        break;
    case FENCE: writes = false; break;
    default: return false;
    }
    if (writes && rd != 0) {
        w->x[rd] = result;
    }
    w->pc = next;
    return true;
}

static bool is_named(uint32_t pc, const kerr_code *named, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (pc - named[i].first < named[i].size) {
            return true;
        }
    }
    return false;
}

static bool same_place(const walk *a, const walk *b)
{
    return a->pc == b->pc && memcmp(a->x, b->x, sizeof a->x) == 0;
}

/* Whether an instruction is one of the loop that this walk is in. */
static bool comes_by(const walk *in, uint32_t pc)
{
    walk w = *in;
    do {
        if (w.pc == pc) {
            return true;
        }
    } while (step(&w) && !same_place(&w, in));
    return false;
}

core_lap deadlock_lap_of(const struct tile *tile, const rv_core *core, uint64_t now, const kerr_code *named,
                         size_t count)
{
    walk w = {.tile = tile, .core = core, .now = now, .pc = core->pc};
    core_lap lap = {.kind = LOOP_NONE};
    bool goes = !core->blocked.active && (core->stores.count == 0 || core->stores.stuck) &&
                core->ic_pending_count == 0 && !core->single_step;
    memcpy(w.x, core->x, sizeof w.x);
    walk seen = w;
    for (unsigned i = 1; goes && i <= STEPS; i++) {
        w.named = w.named || is_named(w.pc, named, count);
        goes = step(&w);
        if (goes && same_place(&w, &seen)) {
            lap.kind = w.outside ? LOOP_OUTSIDE : w.polled != 0 ? LOOP_POLLS : LOOP_EMPTY;
            lap.inside = comes_by(&w, core->pc);
            lap.single = step(&seen) && seen.pc == w.pc;
            lap.polled = w.polled;
            lap.address = w.several ? 0 : w.address;
            lap.named = w.named;
            return lap;
        }
        if ((i & (i - 1)) == 0) { /* what was before the loop is left behind, at twice the distance each time */
            w.polled = 0;
            w.outside = w.named = w.several = false;
            w.address = 0;
            seen = w;
        }
    }
    lap.named = is_named(w.pc, named, count);
    return lap;
}

core_loop deadlock_loop_of(const struct tile *tile, const rv_core *core, uint64_t now, uint32_t *polled)
{
    const core_lap lap = deadlock_lap_of(tile, core, now, NULL, 0);
    *polled = lap.polled;
    return lap.kind;
}

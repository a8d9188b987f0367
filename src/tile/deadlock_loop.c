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

static bool arithmetic(uint32_t word, uint32_t a, uint32_t b, uint32_t *result)
{
    const bool immediate = !(word & 0x20);
    const unsigned operation = bits(word, 14, 12), high = bits(word, 31, 25), by = b & 31;
    const bool shifts = operation == 1 || operation == 5;
    const bool other = high == 0x20 && (operation == 5 || (operation == 0 && !immediate)); /* sub, sra */
    if ((!immediate || shifts) && high != 0 && !other) {
        return false;
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

core_loop deadlock_loop_of(const struct tile *tile, const rv_core *core, uint64_t now, uint32_t *polled)
{
    walk w = {.tile = tile, .core = core, .now = now, .pc = core->pc};
    if (core->blocked.active || (core->stores.count != 0 && !core->stores.stuck) || core->ic_pending_count != 0 ||
        core->single_step) {
        return LOOP_NONE;
    }
    memcpy(w.x, core->x, sizeof w.x);
    walk seen = w;
    for (unsigned i = 1; i <= STEPS; i++) {
        if (!step(&w)) {
            return LOOP_NONE;
        }
        if (w.pc == seen.pc && memcmp(w.x, seen.x, sizeof w.x) == 0) {
            *polled = w.polled;
            return w.outside ? LOOP_OUTSIDE : w.polled != 0 ? LOOP_POLLS : LOOP_EMPTY;
        }
        if ((i & (i - 1)) == 0) { /* what was before the loop is left behind, at twice the distance each time */
            w.polled = 0;
            w.outside = false;
            seen = w;
        }
    }
    return LOOP_NONE;
}

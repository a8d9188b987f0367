/* SPDX-License-Identifier: Apache-2.0 */
/* What a core has executed in a lap (lap.h), gone through again with the registers of its beginning.
 *
 * A register that is the same in the beginning and in the end is the same in each lap, and so is what is computed from such
 * registers alone.  One register may differ: it counts, and nothing but additions and branches may read it. */
#include "riscv/lap.h"

#include "base/bits.h"
#include "riscv/block.h"
#include "riscv/icache.h"
#include "riscv/lsu.h"

#include <string.h>

#define INSTRN_BUF_BASE 0xFFE40000u /* manual PushTensixInstruction */
enum { OPCODE_RESOURCEDECL = 0x05, INSTRUCTIONS = 4096 };

struct walk {
    rv_lap *lap;
    const rv_core *core;
    uint32_t pc;
    uint32_t x[33]; /* as rv_core has them */
};

static bool word_at(const rv_core *core, uint32_t pc, uint32_t *word)
{
    if (!icache_has(core, pc / COST_ICACHE_LINE_BYTES))
        return false;
    memcpy(word, icache_line(core, pc / COST_ICACHE_LINE_BYTES) + pc % COST_ICACHE_LINE_BYTES, sizeof *word);
    return true;
}

/* The only register that the lap changes. */
static bool find_counter(rv_lap *lap, const rv_core *core)
{
    lap->counter = 0;
    for (unsigned r = 1; r < 32; r++) {
        if (core->x[r] == lap->from.x[r])
            continue;
        if (lap->counter != 0)
            return false;
        lap->counter = (uint8_t)r;
    }
    lap->gain = core->x[lap->counter] - lap->from.x[lap->counter];
    return lap->counter != 0;
}

/* The words of the code, and what of them are branches and jumps. */
static bool find_code(rv_lap *lap, const rv_core *core)
{
    unsigned n = 0;
    memset(lap->branches, 0, sizeof lap->branches);
    memset(lap->returns, 0, sizeof lap->returns);
    for (unsigned r = 0; r < lap->ranges; r++)
        for (unsigned i = 0; i < lap->range[r].words; i++, n++) {
            const uint32_t pc = lap->range[r].head + 4 * i;
            if (n == RV_LAP_WORDS || !word_at(core, pc, &lap->word[n]))
                return false;
            const unsigned code = rv_decode(core->kind, pc, lap->word[n]).code;
            lap->branches[n / 64] |= (uint64_t)(code == RV_BEQ || code == RV_BNE || code == RV_JAL) << n % 64;
            lap->returns[n / 64] |= (uint64_t)(code == RV_JALR) << n % 64;
        }
    return true;
}

/* The instruction there is executed: it is in a range, behind one, or begins another. */
static bool executes(rv_lap *lap, uint32_t pc)
{
    struct rv_lap_range *behind = NULL;
    for (struct rv_lap_range *range = lap->range; range != lap->range + lap->ranges; range++) {
        const uint32_t i = (pc - range->head) / 4;
        if (i < range->words)
            return true;
        if (i == range->words)
            behind = range;
    }
    if (behind != NULL) {
        behind->words++;
        return true;
    }
    if (lap->ranges == RV_LAP_RANGES)
        return false;
    lap->range[lap->ranges++] = (struct rv_lap_range){.head = pc, .words = 1};
    return true;
}

static bool push(struct walk *w, uint32_t word)
{
    w->lap->pushes++;
    return word >> 24 != OPCODE_RESOURCEDECL;
}

/* A load that hits; that it did is seen from the number of requests. */
static bool load(struct walk *w, const rv_decoded *op)
{
    const l0_cache *l0 = &w->lap->from.l0;
    const uint32_t address = w->x[op->rs1] + op->immediate;
    const unsigned line = address >> 4 & (L0_LINES - 1);
    if (address % 4 != 0 || l0->tag[line] != (address >> 4) + 1)
        return false;
    memcpy(&w->x[op->rd], lsu_l0_byte(&w->lap->from, address), 4);
    w->lap->l0_lines |= (uint8_t)(1u << line);
    w->lap->loads++;
    return true;
}

/* A branch that has found the counter at `value`, and another number, `limit`. */
static bool turn(rv_lap *lap, uint32_t value, uint32_t limit)
{
    struct rv_lap_turns *last = lap->turns != 0 ? &lap->turn[lap->turns - 1] : NULL;
    const uint32_t offset = value - lap->from.x[lap->counter];
    if (last != NULL && last->limit == limit && last->count == 1)
        last->step = offset - last->offset;
    if (last != NULL && last->limit == limit && offset == last->offset + last->count * last->step) {
        last->count++;
        return true;
    }
    if (lap->turns == RV_LAP_TURNS)
        return false;
    lap->turn[lap->turns++] = (struct rv_lap_turns){.offset = offset, .count = 1, .limit = limit};
    return true;
}

static bool branch(struct walk *w, const rv_decoded *op)
{
    rv_lap *lap = w->lap;
    const uint32_t a = w->x[op->rs1], b = w->x[op->rs2];
    if ((a == b) == (op->code == RV_BEQ))
        w->pc = op->immediate - 4;
    if (op->rs1 != lap->counter && op->rs2 != lap->counter)
        return true;
    return a != b && op->rs1 != op->rs2 && turn(lap, op->rs1 == lap->counter ? a : b, op->rs1 == lap->counter ? b : a);
}

static bool jump(struct walk *w, const rv_decoded *op)
{
    const uint32_t back = w->pc + 4;
    w->pc = (op->code == RV_JAL ? op->immediate : (w->x[op->rs1] + op->immediate) & ~1u) - 4;
    w->x[op->rd] = back;
    return true;
}

/* What is computed from registers alone. */
static bool compute(struct walk *w, const rv_decoded *op)
{
    const uint32_t a = w->x[op->rs1], b = w->x[op->rs2], immediate = op->immediate;
    uint32_t *to = &w->x[op->rd];
    switch (op->code) {
    case RV_LUI:
    case RV_AUIPC: *to = immediate; return true;
    case RV_XORI: *to = a ^ immediate; return true;
    case RV_ORI: *to = a | immediate; return true;
    case RV_ANDI: *to = a & immediate; return true;
    case RV_SLLI: *to = a << immediate; return true;
    case RV_SRLI: *to = a >> immediate; return true;
    case RV_SRAI: *to = (uint32_t)((int32_t)a >> immediate); return true;
    case RV_ADD: *to = a + b; return true;
    case RV_SUB: *to = a - b; return true;
    case RV_XOR: *to = a ^ b; return true;
    case RV_OR: *to = a | b; return true;
    case RV_AND: *to = a & b; return true;
    default: return false;
    }
}

static bool step(struct walk *w, const rv_decoded *op)
{
    const unsigned counter = w->lap->counter;
    const bool reads = op->rs1 == counter || op->rs2 == counter, writes = op->rd == counter;
    w->lap->touched |= 1u << op->rs1 | 1u << op->rs2 | (op->rd < 32 ? 1u << op->rd : 0);
    switch (op->code) {
    case RV_BEQ:
    case RV_BNE: return branch(w, op);
    case RV_ADDI: w->x[op->rd] = w->x[op->rs1] + op->immediate; return reads == writes;
    case RV_TTINSN: return push(w, op->immediate);
    case RV_SW: return !reads && w->x[op->rs1] + op->immediate == INSTRN_BUF_BASE && push(w, w->x[op->rs2]);
    case RV_LW: return !reads && !writes && load(w, op);
    case RV_JAL:
    case RV_JALR: return !reads && !writes && jump(w, op);
    default: return !reads && !writes && compute(w, op);
    }
}

/* All of it; the code that it is. */
static bool walk(struct walk *w, uint64_t instructions)
{
    uint32_t word;
    for (uint64_t n = 0; n < instructions; n++, w->pc += 4) {
        if (!word_at(w->core, w->pc, &word) || !executes(w->lap, w->pc))
            return false;
        const rv_decoded op = rv_decode(w->core->kind, w->pc, word);
        if (!step(w, &op))
            return false;
    }
    return true;
}

/* Counting goes on from lap to lap as within one. */
static bool turns_go_on(rv_lap *lap)
{
    bool good = lap->turns != 0;
    for (unsigned i = 0; i < lap->turns; i++) {
        struct rv_lap_turns *turn = &lap->turn[i];
        if (turn->count == 1)
            turn->step = lap->gain;
        good &= turn->count * turn->step == lap->gain && turn->step != 0;
    }
    return good;
}

bool rv_lap_walk(rv_lap *lap, const rv_core *core)
{
    struct walk w = {.lap = lap, .core = core, .pc = lap->from.pc};
    lap->instructions = core->instret - lap->from.instret;
    lap->pushes = lap->loads = lap->turns = lap->touched = lap->ranges = lap->l0_lines = 0;
    memcpy(w.x, lap->from.x, sizeof w.x);
    if (lap->instructions > INSTRUCTIONS || !find_counter(lap, core) || !walk(&w, lap->instructions) ||
        w.pc != core->pc || !turns_go_on(lap) || !find_code(lap, core))
        return false;
    lap->touched &= ~1u;
    return memcmp(w.x, core->x, 32 * sizeof w.x[0]) == 0;
}

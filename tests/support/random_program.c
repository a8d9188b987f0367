/* SPDX-License-Identifier: Apache-2.0 */
#include "random_program.h"

uint32_t random_value(test_random *random)
{
    static const uint32_t edges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0x8000, 0xff, 0x10000};
    switch (test_below(random, 4)) {
    case 0: return edges[test_below(random, sizeof edges / sizeof *edges)];
    case 1: return test_below(random, 64);
    case 2: return (uint32_t)test_random64(random) >> test_below(random, 32);
    default: return (uint32_t)test_random64(random);
    }
}

static uint32_t below(random_program *g, uint32_t n)
{
    return test_below(&g->random, n);
}
static unsigned source(random_program *g)
{
    return below(g, 32);
}
/* Anything but the base and the loop counters; x0 now and then. */
static unsigned destination(random_program *g)
{
    unsigned reg;
    do {
        reg = below(g, 32);
    } while (reg == RANDOM_BASE || reg == RANDOM_COUNTER0 || reg == RANDOM_COUNTER1 || (reg == 0 && below(g, 4)));
    return reg;
}
static int32_t immediate(random_program *g)
{
    return (int32_t)below(g, 4096) - 2048;
}
/* An offset into the buffer, aligned to size. */
static int32_t place(random_program *g, uint32_t size)
{
    return (int32_t)(below(g, RANDOM_BUFFER_BYTES / size) * size);
}
static void filler(random_program *g, uint32_t count)
{
    while (count-- > 0) {
        rva(g->a, rv_addi(destination(g), source(g), immediate(g)));
    }
}

#define ENTRY(id, text, format, base) {format, base},
static const struct {
    enum rv_format format;
    uint32_t base;
} table[] = {RV_INSTRUCTIONS(ENTRY)};

static bool is_wanted(enum rv_format format, uint32_t base)
{
    return format != RV_N && format != RV_C && format != RV_CI && base != rv_grevi(0, 0, 0);
}

static void emit_load_or_jalr(random_program *g, uint32_t base)
{
    unsigned rd = destination(g);
    if (base == rv_jalr(0, 0, 0)) { /* over up to two instructions, through a register; bit 0 is dropped */
        unsigned pointer = rd == 0 ? (unsigned)T0 : rd;
        uint32_t skip = below(g, 3);
        rva(g->a, rv_auipc(pointer, 0));
        rva(g->a, rv_jalr(destination(g), (int32_t)(8 + 4 * skip + below(g, 2)), pointer));
        filler(g, skip);
        return;
    }
    uint32_t size = base == rv_lw(0, 0, 0) ? 4 : base == rv_lh(0, 0, 0) || base == rv_lhu(0, 0, 0) ? 2 : 1;
    rva(g->a, rv_word_I(base, rd, RANDOM_BASE, place(g, size)));
}

/* One or a few instructions without a loop. */
static void emit_simple(random_program *g)
{
    rvasm *a = g->a;
    uint32_t i;
    do {
        i = below(g, sizeof table / sizeof *table);
    } while (!is_wanted(table[i].format, table[i].base));
    uint32_t base = table[i].base;
    unsigned rd = destination(g), rs1 = source(g), rs2 = source(g);
    switch (table[i].format) {
    case RV_R: rva(a, rv_word_R(base, rd, rs1, rs2)); break;
    case RV_I: rva(a, rv_word_I(base, rd, rs1, immediate(g))); break;
    case RV_SH: rva(a, rv_word_R(base, rd, rs1, below(g, 32))); break;
    case RV_U1: rva(a, rv_word_R(base, rd, rs1, 0)); break;
    case RV_U: rva(a, base | rd << 7 | below(g, 1 << 20) << 12); break;
    case RV_L: emit_load_or_jalr(g, base); break;
    case RV_S:
        rva(a, rv_word_S(base, rs2, RANDOM_BASE,
                         place(g, base == rv_sw(0, 0, 0)   ? 4
                                  : base == rv_sh(0, 0, 0) ? 2
                                                           : 1)));
        break;
    case RV_A: {
        unsigned pointer = destination(g);
        if (pointer == 0) {
            pointer = T1;
        }
        rva(a, rv_addi(pointer, RANDOM_BASE, place(g, 4)));
        rva(a, rv_word_R(base, rd, pointer, rs2) | below(g, 4) << 25); /* aq, rl */
        break;
    }
    case RV_B:
    case RV_J: {
        size_t at = rva_later(a, table[i].format == RV_B ? rv_word_B(base, rs1, rs2, 0) : rv_word_J(base, rd, 0));
        filler(g, 1 + below(g, 5));
        rva_land(a, at);
        break;
    }
    case RV_N:
    case RV_C:
    case RV_CI: break;
    }
    if (below(g, 40) == 0) {
        rva(a, rv_fence());
    }
}

void random_body(random_program *g, uint32_t items)
{
    while (items-- > 0) {
        if (g->depth < 2 && below(g, 14) == 0) {
            unsigned counter = g->depth == 0 ? RANDOM_COUNTER0 : RANDOM_COUNTER1;
            g->depth++;
            rva_li(g->a, counter, 1 + below(g, 12));
            uint32_t loop = rva_here(g->a);
            random_body(g, 2 + below(g, 16));
            rva(g->a, rv_addi(counter, counter, -1));
            rva(g->a, rv_beq(counter, X0, 8)); /* the loop may be longer than a branch reaches */
            rva(g->a, rv_j(rva_to(g->a, loop)));
            g->depth--;
        } else {
            emit_simple(g);
        }
    }
}

void random_registers(random_program *g, uint32_t buffer)
{
    for (unsigned reg = 1; reg < 32; reg++) {
        rva_li(g->a, reg, reg == RANDOM_BASE ? buffer : random_value(&g->random));
    }
}

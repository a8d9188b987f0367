/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* LRegs that the table says an instruction of the Vector Unit uses, reads and writes (instructions.def; what waits for what, and checks,
 * go by it) against what its function does to registers at random: it writes no others, others do not matter to it, and those that it
 * uses do. */
#include "tensix_isa.h"

#include "unit/tensix/exec.h"

#include "tensix/vector/instructions.h"

#include "support/random_cases.h"

/* As in tests/support/chip.h, whose names of registers would be in the way. */
typedef struct test_random {
    uint64_t state;
} test_random;
static uint64_t test_random64(test_random *r)
{
    uint64_t z = r->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

enum { FIRST = 0x70, LAST = 0x99, TIMES = RANDOM_CASES(150), MODS = 16 };
enum { ROLE_VA, ROLE_VB, ROLE_VC, ROLE_VD, ROLES = 4 + 8 /* LReg[i] by name */ };

static struct vector_files before, after, other;

static uint32_t value(test_random *r)
{
    const uint64_t any = test_random64(r);
    switch (any >> 60) {
    case 0: return 0;
    case 1: return (uint32_t)any & 31;
    case 2: return (uint32_t)any & 0x80000000u;
    case 3: return ((uint32_t)any & 0x80FFFFFFu) | 0x3F000000u;
    default: return (uint32_t)any;
    }
}
static void fill(test_random *r, uint32_t lreg[LANES])
{
    for (unsigned i = 0; i < LANES; i++)
        lreg[i] = value(r);
}

/* No reserved bits, registers 0 to 7, one for each operand. */
static uint32_t draw(test_random *r, unsigned opcode, unsigned mod)
{
    const uint64_t any = test_random64(r);
    const unsigned first = (unsigned)any & 7, step = any >> 3 & 1 ? 3 : 1;
    uint32_t word = opcode << 24 | ((uint32_t)(any >> 8) & 0xFF0000) | mod;
    const unsigned op = tensix_op_of[opcode];
    if (!vector_has_low_VD(op)) /* VD and Mod0 are above */
        return opcode << 24 | first << 20 | mod << 16 | ((uint32_t)(any >> 8) & 0xFFFF);
    word = (word & ~0xFFFFu) | ((first + step) & 7) << 8 | first << 4 | mod;
    if (vector_has_VB(op, word))
        word = (word & ~0xFF000u) | ((first + 2 * step) & 7) << 12;
    if (op == TENSIX_SFPMAD || op == TENSIX_SFPADD || op == TENSIX_SFPMUL || op == TENSIX_SFPMUL24)
        word = (word & ~0xF0000u) | ((first + 3 * step) & 7) << 16;
    return word & ~tensix_reserved_set(word);
}

static void run(struct vector_files *to, const struct vector_decoded *d)
{
    *to = before;
    d->function(to, UINT32_MAX, &d->o);
}

/* Whether anything but LReg[but] is different; 8: nothing is left out. */
static bool differs(const struct vector_files *a, const struct vector_files *b, unsigned but)
{
    for (unsigned i = 0; i < LREGS; i++)
        if (i != but && memcmp(a->LReg[i], b->LReg[i], sizeof a->LReg[i]) != 0)
            return true;
    return memcmp(a->FlagStack, b->FlagStack, sizeof a->FlagStack) != 0 || a->LaneFlags != b->LaneFlags ||
           a->UseLaneFlagsForLaneEnable != b->UseLaneFlagsForLaneEnable;
}

static unsigned role_of(const struct vector_decoded *d, unsigned r)
{
    const unsigned op = d->op;
    if (r == d->o.VD)
        return ROLE_VD;
    if (vector_has_VC(op) && r == d->o.VC)
        return ROLE_VC;
    if (vector_has_VB(op, d->word) && r == d->o.VB)
        return ROLE_VB;
    return (op == TENSIX_SFPMAD || op == TENSIX_SFPADD || op == TENSIX_SFPMUL || op == TENSIX_SFPMUL24) && r == d->o.VA
               ? ROLE_VA
               : 4 + r;
}

static bool is_undefined(unsigned op, unsigned mod)
{
    enum { LOADI_MODES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4 | 1 << 8 | 1 << 10, SHFT2_MODES = 7 };
    return (op == TENSIX_SFPLOADI && !(LOADI_MODES >> mod & 1)) || (op == TENSIX_SFPSHFT2 && mod >= SHFT2_MODES);
}

static void look_at(test_random *random, const struct vector_decoded *d, unsigned tried[ROLES],
                    unsigned mattered[ROLES])
{
    const struct vector_lregs lregs = vector_lregs(d->op, &d->o);
    for (unsigned i = 0; i < 8; i++)
        fill(random, before.LReg[i]);
    before.LaneFlags = UINT32_MAX; /* all lanes are enabled */
    before.UseLaneFlagsForLaneEnable = UINT32_MAX;
    memset(before.flag_stack_size, 1, sizeof before.flag_stack_size);
    before.FlagStack[0] = (struct flag_stack_entry){(uint32_t)test_random64(random), UINT32_MAX};
    run(&after, d);
    for (unsigned i = 0; i < 8; i++)
        if (!(lregs.writes >> i & 1) && memcmp(before.LReg[i], after.LReg[i], sizeof after.LReg[i]) != 0)
            fail_msg("%08x (%s) writes LReg[%u]", d->word, tensix_ops[d->op].name, i);
    for (unsigned i = 0; i < 8; i++) {
        const bool uses = lregs.uses >> i & 1, reads = lregs.reads >> i & 1, writes = lregs.writes >> i & 1;
        if ((reads && !uses) || (writes && lregs.writes != 1u << i && !uses))
            continue; /* moved or kept */
        uint32_t kept[LANES];
        memcpy(kept, before.LReg[i], sizeof kept);
        fill(random, before.LReg[i]);
        run(&other, d);
        const bool matters = differs(&after, &other, writes ? 8 : i);
        memcpy(before.LReg[i], kept, sizeof kept);
        if (uses) {
            tried[role_of(d, i)]++;
            mattered[role_of(d, i)] += matters;
        } else if (matters) {
            fail_msg("%08x (%s) reads LReg[%u]", d->word, tensix_ops[d->op].name, i);
        }
    }
}

static void what_the_table_says(void **state)
{
    (void)state;
    test_random random = {1};
    unsigned ops = 0;
    for (unsigned opcode = FIRST; opcode <= LAST; opcode++)
        for (unsigned mod = 0; mod < MODS; mod++) {
            unsigned tried[ROLES] = {0}, mattered[ROLES] = {0};
            struct vector_decoded d;
            for (unsigned n = 0; n < TIMES; n++) {
                vector_decode(&d, draw(&random, opcode, mod));
                if (d.function == NULL || d.kind == CONFIGURES || d.kind == OF_STACK || d.out_of_reach ||
                    is_undefined(d.op, mod))
                    continue;
                ops += n == 0 && mod == 0;
                look_at(&random, &d, tried, mattered);
            }
            const bool idle =
                !(mod & 11) && (d.op == TENSIX_SFPLE || d.op == TENSIX_SFPGT); /* the outcome goes nowhere */
            for (unsigned i = 0; i < ROLES && !idle; i++)
                if (tried[i] > TIMES / 4 && mattered[i] == 0)
                    fail_msg(
                        "%s, mod %u: operand %u (VA, VB, VC, VD, LReg[0], ...) is said to be used, and does not matter",
                        tensix_ops[d.op].name, mod, i);
        }
    assert_in_range(ops, 30, 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_the_table_says)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile tests/support/vector_plain.c */
/* The Vector Unit on 32 lanes at once against the plain form, lane by lane (tests/support/vector_plain.c): every instruction with
 * every mode, random operands, registers, flags, stacks and lane configuration. */
#include "tensix_isa.h" /* first: tile_regs.h makes a macro of one of its names */

#include "unit/tensix/exec.h"

#include "support/vector_plain.h"
#include "tensix/vector/vector.h"

enum { FIRST_OPCODE = 0x70, LAST_OPCODE = 0x99, SFPLOADMACRO = 0x93 };

static uint64_t seed = 1;
static uint32_t draw(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 32);
}

/* Registers with few different exponents, small integers and special numbers as well as anything. */
static uint32_t datum(void)
{
    static const uint32_t special[] = {0,          0x80000000, 1,          0x7F800000, 0xFF800000, 0x7FC00000,
                                       0xFFFFFFFF, 0x3F800000, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0xBF800000,
                                       0x40000000, 0x3F7FFFFF, 0x7FFFFFFF, 0x41000000};
    const uint32_t r = draw();
    switch (r & 7) {
    case 0: return special[r >> 8 & 15];
    case 1:
    case 2: return (draw() & 0x807FFFFF) | (118 + (r >> 8) % 20) << 23;
    case 3: return draw() >> (r >> 8 & 31) | (r & 0x80000000);
    default: return draw();
    }
}

static void randomise(struct tile *tile)
{
    struct vector_files *v = &tile->files.vector;
    for (unsigned i = 0; i < 17; i++)
        if (i < 8 || (i >= 11 && i <= 14) || i == 16)
            for (unsigned lane = 0; lane < LANES; lane++)
                v->LReg[i][lane] = datum();
    if (draw() % 4 == 0) /* one value in all lanes of LReg[7], which indirect modes take */
        for (unsigned lane = 1; lane < LANES; lane++)
            v->LReg[7][lane] = v->LReg[7][0];
    for (unsigned lane = 0; lane < LANES; lane++) {
        const uint32_t r = draw();
        v->LaneConfig[lane] = r % 2 ? 0 : draw() & draw() & LANE_CONFIG_MASK;
        v->prng[lane] = draw();
        v->LoadMacroConfig.Misc[lane] = draw() & LOAD_MACRO_MISC_MASK;
    }
    const uint32_t kind = draw();
    if (kind % 2 == 0)
        memset(v->LaneConfig, 0, sizeof v->LaneConfig);
    vector_lane_config_changed(v);
    v->LaneFlags = kind >> 4 & 1 ? UINT32_MAX : draw();
    v->UseLaneFlagsForLaneEnable = kind >> 5 & 1 ? UINT32_MAX : draw();
    for (unsigned i = 0; i < FLAG_STACK_DEPTH; i++)
        v->FlagStack[i] = (struct flag_stack_entry){draw(), draw()};
    const uint8_t depth = (uint8_t)(draw() % (FLAG_STACK_DEPTH + 1));
    for (unsigned lane = 0; lane < LANES; lane++)
        v->flag_stack_size[lane] = kind >> 6 & 3 ? depth : (uint8_t)(draw() % (FLAG_STACK_DEPTH + 1));
    for (unsigned i = 0; i < 64; i++)
        tile->files.DstBits[draw() % 64][draw() % 16] = (uint16_t)draw();
}

/* Without what only times the unit. */
static void assert_same(const struct tile *tile, const struct tensix_files *plain, uint32_t word)
{
    const struct vector_files *ours = &tile->files.vector, *theirs = &plain->vector;
    for (unsigned i = 0; i < LREGS; i++)
        for (unsigned lane = 0; lane < LANES; lane++)
            if (ours->LReg[i][lane] != theirs->LReg[i][lane])
                fail_msg("%08x: LReg[%u][%u] is %08x, not %08x", word, i, lane, ours->LReg[i][lane],
                         theirs->LReg[i][lane]);
    if (ours->LaneFlags != theirs->LaneFlags || ours->UseLaneFlagsForLaneEnable != theirs->UseLaneFlagsForLaneEnable)
        fail_msg("%08x: flags %08x %08x, not %08x %08x", word, ours->LaneFlags, ours->UseLaneFlagsForLaneEnable,
                 theirs->LaneFlags, theirs->UseLaneFlagsForLaneEnable);
    if (memcmp(ours->LaneConfig, theirs->LaneConfig, sizeof ours->LaneConfig) != 0 ||
        memcmp(&ours->LoadMacroConfig, &theirs->LoadMacroConfig, sizeof ours->LoadMacroConfig) != 0 ||
        memcmp(ours->prng, theirs->prng, sizeof ours->prng) != 0)
        fail_msg("%08x: configuration or random bits differ", word);
    if (memcmp(ours->flag_stack_size, theirs->flag_stack_size, sizeof ours->flag_stack_size) != 0)
        fail_msg("%08x: stacks have other sizes", word);
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned i = 0; i < ours->flag_stack_size[lane]; i++)
            if (((ours->FlagStack[i].LaneFlags ^ theirs->FlagStack[i].LaneFlags) >> lane & 1) ||
                ((ours->FlagStack[i].UseLaneFlagsForLaneEnable ^ theirs->FlagStack[i].UseLaneFlagsForLaneEnable) >>
                     lane &
                 1))
                fail_msg("%08x: entry %u of the stack of lane %u differs", word, i, lane);
    if (memcmp(tile->files.DstBits, plain->DstBits, sizeof plain->DstBits) != 0)
        fail_msg("%08x: Dst differs", word);
}

/* Fields that have no meaning are zero, Dst addresses small; VD is mostly a register that can be written. */
static uint32_t instruction(unsigned opcode)
{
    uint32_t word = opcode << 24 | (draw() & 0xFFFFFF);
    word &= ~tensix_reserved_set(word);
    const bool high = opcode <= 0x73;
    if (draw() % 8 != 0)
        word &= high ? 0xFF7FFFFF : 0xFFFFFF7F; /* VD below 8 */
    if (opcode == 0x70 || opcode == 0x72)
        word = (word & 0xFFFF0000) | 7u << 13 | (word & 62);
    return word;
}

static void run_opcode(struct tile *tile, unsigned opcode, unsigned rounds)
{
    static struct tensix_files plain;
    tile->goes_on = true;
    for (unsigned round = 0; round < rounds; round++) {
        randomise(tile);
        const uint32_t word = instruction(opcode);
        const bool wide = draw() % 2;
        tile->dev.tensix.config[0][ALU_ACC_CTRL_SFPU_Fp32_enabled_ADDR32] =
            wide ? ALU_ACC_CTRL_SFPU_Fp32_enabled_MASK : 0;
        thread_of(tile, 0)->rwc.sp = 0;
        plain = tile->files;
        const unsigned Mod0 = word >> 16 & 15;
        const struct plain_dst dst = {.Addr = word & 0x3FF, .Mod0 = Mod0 ? Mod0 : wide ? 3 : 2};
        tile->files.vector.mad.cycle = 0;
        tile->faults = 0;
        assert_true(exec_word(tile, 0, word));
        const bool defined = vector_plain(&plain, word, dst);
        if (!defined && tile->faults == 0)
            fail_msg("%08x is undefined, and not reported", word);
        assert_same(tile, &plain, word);
    }
}

static void every_instruction_does_what_its_page_says(void **state)
{
    for (unsigned opcode = FIRST_OPCODE; opcode <= LAST_OPCODE; opcode++)
        if (opcode != SFPLOADMACRO)
            run_opcode(*state, opcode, 1500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(every_instruction_does_what_its_page_says)};
    return RUN(tests);
}

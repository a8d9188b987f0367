/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Programs of the Vector Unit with AVX-512 and with AVX2, and code made for them, against the functions of single instructions: random
 * instructions with every mode, registers, flags, stacks and addresses; what is left behind must be the same to the bit. */
#include "tensix_isa.h" /* first: tile_regs.h makes a macro of one of its names */

#include "support/random_cases.h"
#include "unit/tensix/exec.h"

#include "tensix/regs/matrix_unit.h"
#include "tensix/vector/code.h"
#include "tensix/vector/play.h"

enum { FIRST_OPCODE = 0x70, LAST_OPCODE = 0x99, ROUNDS = RANDOM_CASES(60000) };

static uint64_t seed = 1;
static uint32_t draw(void)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(seed >> 32);
}

/* Mostly numbers near each other, so that not all lanes are odd ones (num/fma_avx512.h); anything now and then, and what is so small
 * or large that products are not normal. */
static uint32_t datum(unsigned kind)
{
    switch (kind) {
    case 0: return draw();
    case 1: return draw() % 8 ? (draw() & 0x807FFFFF) | (110 + draw() % 34) << 23 : draw() & 0x80000000;
    case 2: return (draw() & 0x807FFFFF) | (draw() % 2 ? draw() % 80 : 190 + draw() % 64) << 23;
    default: return (draw() & 0x807FFFFF) | (118 + draw() % 20) << 23;
    }
}

static void randomise(struct tile *tile)
{
    struct vector_files *v = &tile->files.vector;
    const unsigned kind = draw() % 5;
    for (unsigned i = 0; i < 8; i++)
        for (unsigned lane = 0; lane < LANES; lane++)
            v->LReg[i][lane] = datum(kind);
    v->LaneFlags = draw() % 2 ? UINT32_MAX : draw();
    v->UseLaneFlagsForLaneEnable = draw() % 2 ? UINT32_MAX : draw();
    for (unsigned i = 0; i < FLAG_STACK_DEPTH; i++)
        v->FlagStack[i] = (struct flag_stack_entry){draw(), draw()};
    for (unsigned i = 0; i < 64; i++)
        tile->files.DstBits[draw() % 64][draw() % 16] = (uint16_t)draw();
    tile->files.dst_row_undefined[0] = draw() % 8 ? 0 : draw();
    struct tensix *tx = &tile->dev.tensix;
    tx->config[0][ALU_ACC_CTRL_SFPU_Fp32_enabled_ADDR32] = draw() % 2 ? ALU_ACC_CTRL_SFPU_Fp32_enabled_MASK : 0;
    tx->config[0][DEST_ACCESS_CFG_remap_addrs_ADDR32] = draw() % 4 ? 0 : DEST_ACCESS_CFG_swizzle_32b_MASK;
    thread_of(tile, 0)->rwc = (struct tensix_rwc){.dst = (uint16_t)(draw() % 8 * 2)};
    thread_of(tile, 0)->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32] = draw() % 4 * 2;
}

static uint32_t instruction(void)
{
    static const uint8_t often[] = {0x84, 0x84, 0x86, 0x85, 0x79, 0x7A, 0x7B, 0x87,
                                    0x88, 0x8B, 0x8A, 0x70, 0x72, 0x73, 0x38};
    const unsigned opcode =
        draw() % 2 ? often[draw() % sizeof often] : FIRST_OPCODE + draw() % (LAST_OPCODE - FIRST_OPCODE + 1);
    uint32_t word = opcode << 24 | (draw() & 0xFFFFFF);
    word &= ~tensix_reserved_set(word);
    word &= opcode <= 0x73 ? 0xFF7FFFFF : 0xFFFFFF7F; /* VD below 8 */
    if (opcode == 0x70 || opcode == 0x72)
        word = (word & 0xFFFF0000) | draw() % 2 * 7u << 13 | (word & 62);
    if (opcode == 0x87 || opcode == 0x88)
        word &= ~15u;
    if (opcode >= 0x84 && opcode <= 0x86)
        word &= ~(draw() % 4 ? 12u : 0u);
    return word;
}

/* As play.c has it. */
static struct play_run run_of(tensix_step *s, struct play_program *p, unsigned count, unsigned depth, unsigned times)
{
    const uint32_t *config = step_config(s);
    unsigned last_mad = PLAY_WORDS;
    for (unsigned i = 0; i < count; i++)
        last_mad = p->mad >> i & 1 ? i : last_mad;
    return (struct play_run){.s = s,
                             .files = s->tile->files,
                             .step = p->step,
                             .count = count,
                             .times = times,
                             .last_mad = last_mad,
                             .config = config,
                             .access = dst_access(s, config),
                             .depth = depth};
}
static void run(struct tile *tile, struct play_program *p, unsigned depth, unsigned times,
                void (*on)(const struct play_run *))
{
    tensix_step s = {.tile = &tile->lent, .tx = &tile->dev.tensix, .t = thread_of(tile, 0)};
    const struct play_run r = run_of(&s, p, p->length[0], depth, times);
    on(&r);
}

/* Processors differ; on one without, nothing of this is ever used. */
static void skip_without(const char *what)
{
    print_message("optional: this processor has no %s\n", what);
    skip();
}

static void assert_steps_are_the_same(struct tile *tile, void (*on)(const struct play_run *))
{
    static struct tensix_files before, plain;
    static struct play_program p;
    unsigned executed = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint32_t words[PLAY_WORDS];
        randomise(tile);
        for (unsigned i = 0; i < PLAY_WORDS; i++)
            words[i] = instruction();
        play_make(&p, words);
        const unsigned depth = (unsigned)-p.shallowest[0];
        const unsigned times = p.stacks[0] ? 1 : 1 + draw() % 3; /* which must leave the stacks as they are */
        if (p.length[0] == 0 || depth + (unsigned)p.deepest[0] > FLAG_STACK_DEPTH)
            continue;
        memset(tile->files.vector.flag_stack_size, (int)depth, LANES);
        before = tile->files;
        const struct tensix_rwc rwc = thread_of(tile, 0)->rwc;
        run(tile, &p, depth, times, play_on_any);
        plain = tile->files;
        const struct tensix_rwc plain_rwc = thread_of(tile, 0)->rwc;
        tile->files = before;
        thread_of(tile, 0)->rwc = rwc;
        run(tile, &p, depth, times, on);
        executed += p.length[0];
        if (memcmp(&tile->files, &plain, sizeof plain) != 0 ||
            memcmp(&thread_of(tile, 0)->rwc, &plain_rwc, sizeof plain_rwc) != 0)
            fail_msg("round %u: %u instructions from %08x %08x %08x on leave something else", round, p.length[0],
                     words[0], words[1], words[2]);
    }
    assert_true(executed > ROUNDS);
}
static void steps_are_the_same_with_avx512(void **state)
{
    if (!play_has_avx512())
        skip_without("AVX-512");
    assert_steps_are_the_same(*state, play_on_avx512);
}
static void steps_are_the_same_with_avx2(void **state)
{
    if (!play_has_avx2())
        skip_without("AVX2");
    assert_steps_are_the_same(*state, play_on_avx2);
}

/* ---- Code ---- */

static bool has_code(const struct play_step *step)
{
    return step->kind != 0 && step->code != PLAY_CALL && step->code != PLAY_MOVE;
}
/* Instructions that there is code for, most of the time: what has none is drawn again. */
static void draw_program(struct play_program *p)
{
    uint32_t words[PLAY_WORDS] = {0};
    int level = 0;
    memset(p, 0, sizeof *p);
    for (unsigned tries = 0; tries < 4; tries++) {
        for (unsigned i = 0; i < PLAY_WORDS; i++)
            if (tries == 0 || (!has_code(&p->step[i]) && draw() % 64))
                words[i] = tries == 3 ? 0x8Fu << 24 : instruction();
        play_make(p, words);
    }
    for (unsigned i = 0; i < PLAY_WORDS; i++) {
        const unsigned opcode = words[i] >> 24;
        if ((opcode == 0x88 || opcode == 0x8B) && level == 0 && draw() % 32)
            words[i] = 0x87u << 24;
        if (opcode == 0x8A && draw() % 32)
            words[i] = 0x8Au << 24 | (draw() % 4 ? 3u : 1u) << 12 | 10;
        level += words[i] >> 24 == 0x87 ? 1 : words[i] >> 24 == 0x88 ? -1 : 0;
    }
    play_make(p, words);
}
/* The longest part from the first one on that code can be made for. */
static unsigned longest(const struct play_program *p, struct play_part *part)
{
    for (unsigned count = p->length[0]; count != 0; count--) {
        play_make_part(p, 0, count, part);
        if (part->codes)
            return count;
    }
    return 0;
}

static void assert_code_does_the_same(struct tile *tile, enum code_form form, void (*on)(const struct play_run *))
{
    static struct tensix_files before, plain;
    static struct play_program p;
    struct code_store *store = code_store_create_for(form);
    unsigned executed = 0, left = 0;
    if (store == NULL)
        skip();
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct play_part part;
        tensix_step s = {.tile = &tile->lent, .tx = &tile->dev.tensix, .t = thread_of(tile, 0)};
        randomise(tile);
        draw_program(&p);
        const unsigned count = longest(&p, &part), depth = draw() % 2;
        if (count == 0 || depth + (unsigned)p.deepest[0] > FLAG_STACK_DEPTH)
            continue;
        const unsigned times = part.deeper != 0 ? 1 : 1 + draw() % 20;
        if (draw() % 8)
            tile->files.vector.UseLaneFlagsForLaneEnable = UINT32_MAX;
        memset(tile->files.vector.flag_stack_size, (int)depth, LANES);
        before = tile->files;
        const struct tensix_rwc rwc = s.t->rwc;
        struct play_run r = run_of(&s, &p, count, depth, times);
        play_on_any(&r);
        plain = tile->files;
        const struct tensix_rwc plain_rwc = s.t->rwc;
        tile->files = before;
        s.t->rwc = rwc;
        executed += count * times;
        if (!play_on_code(store, &r, &p, &part)) {
            left += count * r.times;
            on(&r);
        }
        if (memcmp(&tile->files, &plain, sizeof plain) != 0 || memcmp(&s.t->rwc, &plain_rwc, sizeof plain_rwc) != 0)
            fail_msg("round %u: %u instructions from %08x %08x %08x on leave something else", round, count, p.words[0],
                     p.words[1], p.words[2]);
    }
    code_store_destroy(store);
    assert_true(executed > 50 * ROUNDS);
    assert_true(left < executed / 2);
}
static void code_does_the_same_with_avx512(void **state)
{
    if (!code_has(CODE_AVX512))
        skip_without("AVX-512");
    assert_code_does_the_same(*state, CODE_AVX512, play_on_avx512);
}
static void code_does_the_same_with_avx2(void **state)
{
    if (!code_has(CODE_AVX2))
        skip_without("AVX2");
    assert_code_does_the_same(*state, CODE_AVX2, play_on_avx2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(steps_are_the_same_with_avx512), CASE(steps_are_the_same_with_avx2),
                                       CASE(code_does_the_same_with_avx512), CASE(code_does_the_same_with_avx2)};
    return RUN(tests);
}

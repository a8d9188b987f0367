/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Bursts (tensix/stream.h) against the plain path, on a tile without cores: random programs for one to three threads, whose cores
 * push, wait for the end of MOPs or of everything, and write configuration.  All of the coprocessor is compared at cycles at random, and
 * the cycle of each step of each core.  One side runs ahead with pushes and is cut in short runs, the other does neither.
 *
 * tests/same/rows.c does the same with whole chips; this has many more programs, and shorter ones.
 *
 *   bursts_test [PROGRAMS [FIRST_SEED]] */
#include "unit/tensix/exec.h"

#include "base/fast.h"

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
static uint32_t test_below(test_random *r, uint32_t n)
{
    return (uint32_t)(test_random64(r) >> 33) % n;
}

#include "support/row_words.h"

static uint64_t programs = RANDOM_CASES(600), first_seed;

/* ---- Programs of cores ------------------------------------------------------------------------------------------------ */

enum step_kind {
    PUSH,
    PUSH_BEHIND /* as RISCV B does, behind the MOP expander */,
    WAIT_FOR_ALL,
    WAIT_FOR_MOPS,
    SET_MOP,
    SET_CONFIG
};
struct step {
    enum step_kind kind;
    uint32_t at, value; /* a word; a register */
    uint32_t cycles;    /* to the next one */
};
enum { MOST_STEPS = 700 };
struct program {
    struct step step[MOST_STEPS];
    unsigned count;
    test_random random;
    unsigned pace; /* cycles between pushes, at most */
};

static void add(struct program *p, enum step_kind kind, uint32_t at, uint32_t value)
{
    if (p->count < MOST_STEPS)
        p->step[p->count++] = (struct step){kind, at, value, 1 + (p->pace > 1 ? test_below(&p->random, p->pace) : 0)};
}
static void push(struct program *p, uint32_t word)
{
    add(p, PUSH, 0, word);
}

/* Now and then with a flip, of the other unpacker, or a write to what unpackers go by. */
static uint32_t word_for(test_random *r, unsigned thread, program_kind kind)
{
    const uint32_t any = test_below(r, 1u << 16), word = row_word(r, thread, kind);
    if (any % 64 == 1)
        return 0xB3u << 24 | (any >> 6 & 1) << 24 | 0x0Fu << 16 | (any >> 8) << 8 |
               (any & 64 ? THCON_SEC0_REG3_Base_address_ADDR32
                         : THCON_SEC0_REG5_Dest_cntx0_address_ADDR32); /* RMWCIB */
    if (word >> 24 >= 0x74 && word >> 24 <= 0x92 &&
        any % 32 == 2) /* registers that few can write, templates of macros */
        return word | 0x80 | (any >> 5 & 0x70);
    if (word >> 24 == 0x71 && any % 32 == 2) /* SFPLOADI of any mode */
        return word | (any >> 5 & 15) << 16;
    if (kind == DATA && thread == 0 && word >> 24 == 0x42)
        return word | (uint32_t)(any >> 6 & 7 ? 0 : 1) << 6 | (uint32_t)(any >> 9 & 3 ? 0 : 1) << 23;
    return word;
}

static void set_mop(struct program *p, unsigned thread, program_kind kind)
{
    enum { NOP_WORD = 0x02 << 24 };
    test_random *r = &p->random;
    const bool uniform = test_below(r, 3) != 0;
    uint32_t cfg[MOP_CFG_WORDS] = {1 + test_below(r, 3), 1 + test_below(r, test_below(r, 3) ? 12 : 60)};
    for (unsigned i = 2; i < MOP_CFG_WORDS; i++)
        cfg[i] = uniform ? NOP_WORD : word_for(r, thread, kind);
    cfg[5] = word_for(r, thread, kind);
    cfg[7] = cfg[8] = test_below(r, 2) ? cfg[5] : word_for(r, thread, kind);
    if (test_below(r, 3) == 0)
        cfg[test_below(r, 2) ? 3 : 5] = replay(test_below(r, 32), 1 + test_below(r, 20), 0);
    if (test_below(r, 4) == 0)
        cfg[7] = cfg[8] = replay(test_below(r, 32), 1 + test_below(r, 20), 0);
    if (test_below(r, 2))
        cfg[6] = NOP_WORD;
    if (test_below(r, 8) != 0)
        add(p, WAIT_FOR_MOPS, 0, 0);
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++)
        add(p, SET_MOP, i, cfg[i]);
}

static void make_program(struct program *p, uint64_t seed, unsigned thread, program_kind kind)
{
    test_random *r = &p->random;
    *p = (struct program){.random = {seed * 3 + thread}};
    p->pace = test_below(r, 2) ? 1 : 1 + test_below(r, 12);
    push(p, replay(0, 0, kind == VECTOR ? 1 | test_below(r, 2) << 1 : 1));
    for (unsigned i = 0; i < REPLAY_ENTRIES; i++)
        push(p, word_for(r, thread, kind));
    set_mop(p, thread, kind);
    for (unsigned n = 4 + test_below(r, 24); n != 0; n--)
        switch (test_below(r, 18)) {
        case 0:
        case 1:
        case 2:
        case 3: push(p, 0x01u << 24 | 1u << 23); break; /* MOP */
        case 4: push(p, 0x01u << 24 | 1u << 23 | (1 + test_below(r, 3)) << 10 | (1 + test_below(r, 9))); break;
        case 5:
        case 6:
        case 7: push(p, replay(test_below(r, 32), 1 + test_below(r, 32), 0)); break;
        case 8: add(p, WAIT_FOR_ALL, 0, 0); break;
        case 9: add(p, WAIT_FOR_MOPS, 0, 0); break;
        case 10: set_mop(p, thread, kind); break;
        case 11: add(p, SET_CONFIG, SCRATCH_SEC0_val_ADDR32 + test_below(r, 4), test_below(r, 1u << 16)); break;
        case 12:
            add(p, PUSH_BEHIND, 0, test_below(r, 2) ? word_for(r, thread, kind) : replay(3, 1 + test_below(r, 9), 0));
            break;
        case 13: p->pace = 1 + test_below(r, 5); break;
        default: {
            const unsigned words = 1 + test_below(r, 40);
            if (words < REPLAY_ENTRIES && test_below(r, 3) == 0)
                push(p, replay(test_below(r, 32), words, 1 | test_below(r, 2) << 1));
            for (unsigned k = 0; k < words; k++)
                push(p, word_for(r, thread, kind));
        }
        }
    add(p, WAIT_FOR_ALL, 0, 0);
}

/* ---- A tile and its cores ----------------------------------------------------------------------------------------------- */

struct core {
    const struct program *program;
    unsigned at;
    uint64_t ready; /* the cycle of its next step */
    bool waits;
    uint64_t steps; /* what step was done in which cycle, mixed */
};
struct side {
    struct tile *tile;
    uint64_t heeded; /* where somebody heeds them: which 16 bytes were written in which cycle, mixed */
    struct core core[TENSIX_THREADS];
    uint64_t told; /* the first cycle in which somebody was; NEVER: nobody */
    bool ahead;
    unsigned pushed_ahead;
};
static struct side *telling;

static void on_told(struct tile *owner, uint64_t cycle)
{
    (void)owner;
    telling->told = cycle < telling->told ? cycle : telling->told;
}
static void on_core_told(struct tile *owner, unsigned core, uint64_t cycle)
{
    (void)core;
    on_told(owner, cycle);
}

/* Cores poll lines among those that tiles are packed to: one of 16. */
static bool is_heeded(uint32_t address, unsigned size)
{
    bool any = false;
    for (uint32_t at = address & ~63u; at < address + size; at += 64)
        any |= (at & 0x3C0) == 0x200;
    return any;
}
static bool on_l1_write(struct tile *owner, uint32_t address, const void *data, unsigned size, uint64_t cycle)
{
    for (uint32_t at = address; at < address + size; at += 16)
        if (is_heeded(at, 16))
            telling->heeded += (cycle ^ at) * UINT64_C(0x9E3779B97F4A7C15);
    return tile_l1_write(owner, address, data, size, cycle);
}
static uint8_t *on_l1_unheeded(struct tile *owner, uint32_t address, unsigned size)
{
    return is_heeded(address, size) ? NULL : tile_l1_unheeded(owner, address, size);
}

static void step_done(struct core *core, uint64_t cycle)
{
    core->steps = (core->steps ^ cycle) * UINT64_C(0x9E3779B97F4A7C15) + core->at;
    core->ready = cycle + core->program->step[core->at++].cycles;
}

static void step_core(struct side *side, unsigned thread)
{
    struct core *core = &side->core[thread];
    struct tensix *tx = &side->tile->dev.tensix;
    const struct step *step = &core->program->step[core->at];
    const uint64_t cycle = core->ready;
    bool done = true;
    switch (step->kind) {
    case PUSH: done = tensix_push(tx, thread, step->value, 0x100 + 4 * core->at, cycle); break;
    case PUSH_BEHIND: {
        uint32_t lost;
        done = tensix_push_replay(tx, thread, step->value, 0x100 + 4 * core->at, cycle, &lost) != TENSIX_PUSH_FULL;
        break;
    }
    case WAIT_FOR_ALL:
        if (!tensix_thread_idle(tx, thread, cycle)) {
            tensix_wait(tx, thread, TENSIX_WAITS_DONE, cycle);
            done = false;
        }
        break;
    case WAIT_FOR_MOPS:
        if (tensix_mop_busy(tx, thread, cycle)) {
            tensix_wait(tx, thread, TENSIX_WAITS_MOP, cycle);
            done = false;
        }
        break;
    case SET_MOP: wr_at(side->tile, T0 + thread, TENSIX_MOP_CFG_BASE + 4 * step->at, step->value, cycle); break;
    case SET_CONFIG:
        done = devices_write(side->tile, T0 + thread, 0xFFEF0000 + 4 * step->at, 4, step->value, cycle) == DEV_OK;
        break;
    }
    core->waits = !done;
    if (done)
        step_done(core, cycle);
}

/* The core that has its turn first. */
static unsigned next_core(const struct side *side)
{
    unsigned next = TENSIX_THREADS;
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        const struct core *core = &side->core[i];
        if (core->program != NULL && !core->waits && core->at < core->program->count &&
            (next == TENSIX_THREADS || core->ready < side->core[next].ready))
            next = i;
    }
    return next;
}

/* A push for which there is room whatever the coprocessor has done until then. */
static bool goes_ahead(const struct side *side, unsigned i)
{
    const struct core *core = &side->core[i];
    return side->ahead && core->program->step[core->at].kind == PUSH &&
           side->tile->dev.tensix.thread[i].in_flight <= TENSIX_FIFO_ALMOST_FULL;
}

static void run_to(struct side *side, uint64_t end)
{
    struct tensix *tx = &side->tile->dev.tensix;
    telling = side;
    for (;;) {
        const unsigned next = next_core(side);
        const uint64_t turn = next != TENSIX_THREADS ? side->core[next].ready : NEVER, until = turn < end ? turn : end;
        if (turn < end && goes_ahead(side, next)) {
            step_core(side, next);
            side->pushed_ahead++;
            continue;
        }
        side->told = NEVER;
        while (tensix_next(tx) < until && side->told == NEVER)
            tensix_run(&side->tile->lent, tx, until);
        if (side->told != NEVER) {
            for (unsigned i = 0; i < TENSIX_THREADS; i++)
                if (side->core[i].waits) {
                    side->core[i].waits = false;
                    side->core[i].ready = side->told;
                }
            continue;
        }
        if (turn >= end)
            return;
        step_core(side, next);
    }
}

/* ---- What is there before -------------------------------------------------------------------------------------------- */

static void fill(test_random *r, void *to, size_t bytes)
{
    uint8_t *at = to;
    for (size_t i = 0; i + 8 <= bytes; i += 8) {
        const uint64_t any = test_random64(r);
        memcpy(at + i, &any, 8);
    }
}

static uint32_t *config_word(struct tile *tile, unsigned word)
{
    return &tile->dev.tensix.config[0][word];
}

static void set_up_matrix(struct tile *tile, struct tensix_thread *t, test_random *r, bool elements)
{
    static const uint8_t formats[] = {5, 5, 5, 5, 4, 1, 0}; /* BF16, TF32, FP16, FP32 */
    struct tensix *tx = &tile->dev.tensix;
    const uint32_t a = formats[test_below(r, sizeof formats)], b = test_below(r, 4) ? a : 5, how = test_below(r, 64);
    t->config[CLR_DVALID_SrcA_Disable_ADDR32] = test_below(r, 4) ? 3 : 0;
    t->config[DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32] = t->config[DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32] = 1;
    t->config[DEST_TARGET_REG_CFG_MATH_Offset_ADDR32] = (uint16_t)(64 * test_below(r, 16));
    t->config[FIDELITY_BASE_Phase_ADDR32] = (uint16_t)test_below(r, 4);
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t any = test_below(r, 1u << 16), other = test_below(r, 1u << 16);
        t->config[ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + i] =
            (uint16_t)(any & (elements ? 0x7F7F | other : 0x3870 | (other & 0xFF80)));
        t->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + i] = (uint16_t)(other & (i % 4 == 0 ? 0xFFFF : 0x2438));
    }
    *config_word(tile, ALU_FORMAT_SPEC_REG0_SrcA_ADDR32) =
        a << ALU_FORMAT_SPEC_REG0_SrcA_SHAMT | b << ALU_FORMAT_SPEC_REG1_SrcB_SHAMT |
        (how & 1) << ALU_ACC_CTRL_Fp32_enabled_SHAMT |
        (uint32_t)(how >> 4 == 3) << ALU_ACC_CTRL_INT8_math_enabled_SHAMT;
    if ((how >> 1 & 7) == 5)
        *config_word(tile, ALU_ACC_CTRL_Zero_Flag_disabled_dst_ADDR32) |= ALU_ACC_CTRL_Zero_Flag_disabled_dst_MASK;
    *config_word(tile, DEST_ACCESS_CFG_remap_addrs_ADDR32) = test_below(r, 4) ? 0 : test_below(r, 4);
    for (unsigned i = 0; i < 2; i++)
        tx->src[i].matrix_owns[0] = tx->src[i].matrix_owns[1] = true;
}

/* Tiles of four faces, FP32, to SrcA and SrcB. */
static void set_up_unpackers(struct tile *tile, struct tensix_thread *t, test_random *r)
{
    for (unsigned which = 0; which < 2; which++) {
        uint32_t *config = config_word(tile, 48 * which);
        config[THCON_SEC0_REG0_TileDescriptor_ADDR32] = 1u << THCON_SEC0_REG0_TileDescriptor_IsUncompressed_SHAMT;
        config[THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1] = 1 | 4 << 16;
        config[THCON_SEC0_REG2_Out_data_format_ADDR32] = 4 | 2 << 4;
        config[THCON_SEC0_REG2_Out_data_format_ADDR32 + 1] = 0xF000F;
        config[THCON_SEC0_REG3_Base_address_ADDR32] = 0x8000 / 16 - 1;
        config[THCON_SEC0_REG5_Dest_cntx0_address_ADDR32] = 64;
        config[THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32] = 256;
        t->adc[which][1].x = test_below(r, 3) ? 255 : 16 * test_below(r, 20);
    }
    t->config[SRCA_SET_Base_ADDR32] = 4;
}

static void set_up_packer(struct tile *tile, struct tensix_thread *t, test_random *r)
{
    static const uint8_t formats[][2] = {{5, 5}, {0, 0}, {5, 6}, {5, 7}, {0, 5}}; /* in, out: BF16, FP32, BFP8, BFP4 */
    static const uint16_t modes[4] = {4 | 4 << 6, 1u << 5 | 1u << 11, 1u << 5 | 4 << 6 | 1u << 12, 3};
    const uint8_t *format = formats[test_below(r, sizeof formats / sizeof *formats)];
    const uint32_t row = 16u << (format[0] == 5 ? 1 : 2);
    *config_word(tile, PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32) = row << 16;
    *config_word(tile, PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32) = 16 * row;
    *config_word(tile, THCON_SEC0_REG1_L1_Dest_addr_ADDR32) = 0x40000 / 16 - 1;
    *config_word(tile, THCON_SEC0_REG1_Row_start_section_size_ADDR32) = 4u << THCON_SEC0_REG1_Exp_section_size_SHAMT;
    *config_word(tile, THCON_SEC0_REG1_Out_data_format_ADDR32) =
        1u << THCON_SEC0_REG1_Disable_zero_compress_SHAMT |
        (uint32_t)format[1] << THCON_SEC0_REG1_Out_data_format_SHAMT |
        (uint32_t)format[0] << THCON_SEC0_REG1_In_data_format_SHAMT;
    *config_word(tile, ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32) |= (uint32_t)format[0] << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT;
    *config_word(tile, PCK_DEST_RD_CTRL_Read_32b_data_ADDR32) = format[0] == 0;
    *config_word(tile, PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32) =
        1u << PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_SHAMT;
    *config_word(tile, PCK_EDGE_OFFSET_SEC0_mask_ADDR32) = 0xFFFF;
    for (unsigned i = 0; i < 4; i++)
        t->config[ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + i] = modes[i];
    t->adc[2][1].x = 15;
}

static void power_on(struct side *side, uint64_t seed, const program_kind kind[TENSIX_THREADS])
{
    struct tile *tile = side->tile;
    struct tensix_files *files = &tile->files;
    test_random random = {~seed}, *r = &random;
    tile->lent.devices_changed = on_told;
    tile->lent.core_told = on_core_told;
    tile->lent.l1_write = on_l1_write;
    tile->lent.l1_unheeded = on_l1_unheeded;
    tile->goes_on = true;
    fill(r, tile->l1 + 0x8000, 0x4000);
    fill(r, files->DstBits, sizeof files->DstBits);
    for (unsigned i = 0; i < DST_ROWS / 32; i++)
        files->dst_row_undefined[i] = test_below(r, 4) ? 0 : (uint32_t)test_random64(r);
    for (unsigned i = 0; i < SRC_BANKS * SRC_ROWS * SRC_COLUMNS; i++) {
        (&files->SrcA[0][0][0])[i] = test_random64(r) & ((1u << SRC_CELL_BITS) - 1);
        (&files->SrcB[0][0][0])[i] = test_random64(r) & ((1u << SRC_CELL_BITS) - 1);
    }
    fill(r, files->vector.LReg, 8 * sizeof files->vector.LReg[0]);
    for (unsigned i = 0; i < TENSIX_THREADS; i++) {
        struct tensix_thread *t = &tile->dev.tensix.thread[i];
        if (kind[i] == MATRIX || kind[i] == ELEMENTS)
            set_up_matrix(tile, t, r, kind[i] == ELEMENTS);
        else if (kind[i] == DATA && i == 0)
            set_up_unpackers(tile, t, r);
        else if (kind[i] == DATA && i == 2)
            set_up_packer(tile, t, r);
    }
}

/* ---- Comparing ---------------------------------------------------------------------------------------------------------- */

static struct tensix real_a, real_b;

static void compare(const struct side *a, const struct side *b, uint64_t seed, uint64_t cycle)
{
    real_a = a->tile->dev.tensix;
    real_b = b->tile->dev.tensix;
    tensix_make_real(&a->tile->lent, &real_a, cycle);
    tensix_make_real(&b->tile->lent, &real_b, cycle);
    for (unsigned i = 0; i < TENSIX_THREADS; i++)
        if (a->core[i].steps != b->core[i].steps || a->core[i].at != b->core[i].at)
            fail_msg("seed %llu, before cycle %llu: the core of T%u did its steps in other cycles (%u, %u of them)",
                     (unsigned long long)seed, (unsigned long long)cycle, i, a->core[i].at, b->core[i].at);
    for (size_t i = 0; i < sizeof real_a; i++)
        if (((const uint8_t *)&real_a)[i] != ((const uint8_t *)&real_b)[i])
            fail_msg("seed %llu, before cycle %llu: byte %zu of struct tensix differs", (unsigned long long)seed,
                     (unsigned long long)cycle, i);
    if (memcmp(&a->tile->files, &b->tile->files, sizeof a->tile->files) != 0)
        fail_msg("seed %llu, before cycle %llu: register files differ", (unsigned long long)seed,
                 (unsigned long long)cycle);
    assert_true(tensix_is_sane(&a->tile->dev.tensix) && tensix_files_are_sane(&a->tile->files));
    assert_int_equal(a->heeded, b->heeded);
    if (a->tile->faults != b->tile->faults || strcmp(a->tile->fault_text, b->tile->fault_text) != 0)
        fail_msg("seed %llu, before cycle %llu: faults differ, %u '%s', %u '%s'", (unsigned long long)seed,
                 (unsigned long long)cycle, a->tile->faults, a->tile->fault_text, b->tile->faults, b->tile->fault_text);
}

static struct program program[TENSIX_THREADS];

/* Kinds of all threads, and who has a program. */
static unsigned draw(test_random *r, program_kind kind[TENSIX_THREADS])
{
    static const unsigned who[] = {1, 2, 2, 4, 2, 3, 6, 7};
    static const program_kind of_1[] = {VECTOR, VECTOR, MATRIX, ELEMENTS, MATRIX, ELEMENTS, OTHERS};
    const unsigned threads = who[test_below(r, sizeof who / sizeof *who)];
    kind[0] = test_below(r, 4) ? DATA : test_below(r, 2) ? VECTOR : OTHERS;
    kind[1] = of_1[test_below(r, sizeof of_1 / sizeof *of_1)];
    kind[2] = test_below(r, 4) ? DATA : test_below(r, 2) ? VECTOR : OTHERS;
    return threads;
}

static void bursts_are_the_plain_path(void **state)
{
    (void)state;
    uint64_t passed = 0, ahead = 0;
    for (uint64_t n = 0; n <= programs; n++) {
        const uint64_t seed = n < programs ? first_seed + n : 8961; /* whose turn it is, behind a burst that stalls */
        test_random random = {seed ^ UINT64_C(0x5DEECE66D)}, *r = &random;
        program_kind kind[TENSIX_THREADS];
        const unsigned threads = draw(r, kind);
        struct side side[2] = {{.ahead = test_below(r, 4) != 0}, {.ahead = false}};
        for (unsigned i = 0; i < TENSIX_THREADS; i++)
            if (threads >> i & 1)
                make_program(&program[i], seed, i, kind[i]);
        for (unsigned k = 0; k < 2; k++) {
            assert_int_equal(fake_setup((void **)&side[k].tile), 0);
            for (unsigned i = 0; i < TENSIX_THREADS; i++)
                side[k].core[i] = (struct core){.program = threads >> i & 1 ? &program[i] : NULL, .ready = 10};
            power_on(&side[k], seed, kind);
        }
        side[1].tile->dev.tensix.without = FAST_ALL;
        const uint32_t cuts = test_below(r, 3) ? 0 : 1 + test_below(r, 60);
        for (uint64_t cycle = 1; cycle < 6000;) {
            const uint64_t end = cycle + 1 + test_below(r, 600);
            for (uint64_t cut = cycle; cuts != 0 && cut < end; cut += 1 + test_below(r, cuts))
                run_to(&side[0], cut);
            run_to(&side[0], end);
            run_to(&side[1], end);
            compare(&side[0], &side[1], seed, end);
            cycle = end;
        }
        assert_memory_equal(side[0].tile->l1, side[1].tile->l1, DEVICES_L1_BYTES);
        for (unsigned i = 0; i < TENSIX_OPS; i++)
            passed += side[0].tile->dev.tensix.ran[i];
        ahead += side[0].pushed_ahead;
        for (unsigned k = 0; k < 2; k++)
            fake_teardown((void **)&side[k].tile);
    }
    if (programs >= 100) { /* or the programs stand still */
        assert_true(passed > 300 * programs);
        assert_true(ahead > 40 * programs);
    }
}

/* ---- How often ----------------------------------------------------------------------------------------------------------- */

/* Programs of which most should pass in bursts: how often the gate is looked at, and how many instructions are handed out by
 * themselves.  More of either is a burst that is missed; what is recorded is looked at push by push. */

static struct program *p; /* that is made */

static void push_text(const char *text)
{
    push(p, word_of(text));
}
static void push_times(const char *text, unsigned times)
{
    while (times-- != 0)
        push_text(text);
}
static void record(const char *text, unsigned times)
{
    push(p, replay(0, times, 1));
    push_times(text, times);
}
/* start, end 0, end 1, loop, loop 1, last of all, last of a turn; NULL: NOP. */
static void mop(unsigned outer, unsigned inner, const char *const text[7])
{
    add(p, WAIT_FOR_MOPS, 0, 0);
    add(p, SET_MOP, 0, outer);
    add(p, SET_MOP, 1, inner);
    for (unsigned i = 0; i < 7; i++)
        add(p, SET_MOP, 2 + i, word_of(text[i] != NULL ? text[i] : "NOP"));
}
static void push_mop(void)
{
    push_text("MOP Template=1");
}
static void mop_of(unsigned outer, unsigned inner, const char *loop)
{
    mop(outer, inner, (const char *const[7]){[3] = loop, [5] = loop, [6] = loop});
    push_mop();
}

#define PRODUCT "MVMUL AddrMod=0"
static void a_mop_of_products(void)
{
    mop_of(4, 16, PRODUCT);
}
static void mops_of_products_behind_each_other(void)
{
    mop_of(4, 16, PRODUCT);
    push_mop();
    push_mop();
}
static void a_mop_of_playbacks_of_products(void)
{
    record(PRODUCT, 16);
    mop_of(2, 2, "REPLAY Count=16");
}
static void products_and_a_wait_for_mops(void)
{
    mop_of(4, 16, PRODUCT);
    add(p, WAIT_FOR_MOPS, 0, 0);
}
static void a_playback_of_products(void)
{
    record(PRODUCT, 16);
    push_text("REPLAY Count=16");
}

static void a_playback_of_the_vector_unit(void)
{
    record("SFPIADD VC=1, VD=2, Mod1=4", 32);
    push_text("REPLAY Count=32");
}
static void a_mop_of_the_vector_unit(void)
{
    mop_of(2, 30, "SFPIADD VC=1, VD=2, Mod1=4");
}
static void a_mop_of_playbacks_of_the_vector_unit(void)
{
    record("SFPIADD VC=1, VD=2, Mod1=4", 15);
    mop_of(2, 4, "REPLAY Count=15");
}
static void a_mop_with_all_of_its_words(void)
{
    mop(3, 4,
        (const char *const[7]){"SFPMOV VC=0, VD=1", "SFPMOV VC=1, VD=2", "SFPMOV VC=2, VD=3", "SFPNOT VC=1, VD=2",
                               "SFPNOT VC=2, VD=1", "SFPNOT VC=3, VD=1", "SFPNOT VC=3, VD=2"});
    push_mop();
}
static void pushes_of_the_vector_unit(void)
{
    push_text("STALLWAIT BlockMask=0x1ff, ConditionMask=1");
    push_times("SFPIADD VC=1, VD=2, Mod1=4", 26);
}

static void mops_of_packs(void)
{
    mop(1, 16, (const char *const[7]){[3] = "PACR AddrMod=0", [5] = "PACR AddrMod=0, Last=1"});
    push_mop();
    push_mop();
}

static void a_mop_of_unpacks(void)
{
    mop_of(1, 8, "UNPACR Ch0ZInc=1, MultiContextMode=1, Last=1");
}
static void a_playback_of_unpacks(void)
{
    record("UNPACR Ch0ZInc=1, MultiContextMode=1, Last=1", 8);
    push_text("REPLAY Count=8");
}
static void unpacks_and_counters(void)
{
    mop(1, 6,
        (const char *const[7]){[3] = "UNPACR Ch0ZInc=1, MultiContextMode=1, Last=1",
                               [4] = "SETADCZW U0=1, Z0=1",
                               [5] = "SETADCZW U0=1, Z0=1"});
    push_mop();
}

static void playbacks_with_a_product_each(void)
{
    record(PRODUCT, 1);
    mop_of(2, 8, "REPLAY Count=1");
}
static void a_wait_for_all_behind_a_mop(void)
{
    mop_of(2, 30, "SFPIADD VC=1, VD=2, Mod1=4");
    add(p, WAIT_FOR_ALL, 0, 0);
}
static void a_wait_for_all_behind_playbacks(void)
{
    record("SFPIADD VC=1, VD=2, Mod1=4", 15);
    mop_of(2, 4, "REPLAY Count=15");
    add(p, WAIT_FOR_ALL, 0, 0);
}
static void what_is_recorded_passes(void)
{
    push(p, replay(0, 20, 3));
    push_times("SFPIADD VC=1, VD=2, Mod1=4", 20);
}
static void a_playback_that_core_b_pushes(void)
{
    record("SFPIADD VC=1, VD=2, Mod1=4", 12);
    add(p, WAIT_FOR_ALL, 0, 0);
    add(p, PUSH_BEHIND, 0, replay(0, 12, 0));
    add(p, WAIT_FOR_ALL, 0, 0);
}
static void row_counters_of_the_vector_unit(void)
{
    for (unsigned i = 0; i < 16; i++)
        push_text(i % 4 == 3 ? "INCRWC DstInc=2" : "SFPIADD VC=1, VD=2, Mod1=4");
}
static void swaps(void)
{
    record("SFPSWAP VC=1, VD=2", 8);
    push_text("REPLAY Count=8");
}
static void multiplications(void)
{
    record("SFPMAD VA=1, VB=2, VC=3, VD=1", 8); /* each reads what the one before has written */
    push_text("REPLAY Count=8");
}
static void rows_of_a_matrix(void)
{
    record("NOP", 2);
    mop(4, 2,
        (const char *const[7]){"ADDRCRZW PK=1, Z0=1", "REPLAY Count=2", NULL, "INCADCZW PK=1, Z0Inc=1", "PACR",
                               "PACR Last=1", "PACR"});
    push_mop();
}
static void template_0(void)
{
    add(p, WAIT_FOR_MOPS, 0, 0);
    add(p, SET_MOP, 1, 0);
    add(p, SET_MOP, 3, word_of("SFPNOT VC=1, VD=2"));
    add(p, SET_MOP, 7, word_of("SFPMOV VC=0, VD=1"));
    push_text("MOP Count1=31, MaskLo=0xF0F0");
}
static void others_of_one_cycle(void)
{
    for (unsigned i = 0; i < 4; i++) {
        push_text("SEMPOST SemaphoreMask=1");
        push_text("SFPIADD VC=1, VD=2, Mod1=4");
        push_text("INCADCXY U0=1, X0Inc=1");
        push_text("NOP");
    }
}

/* Each with all that it may have in a burst. */
static void products_with_address_modes(void)
{
    mop_of(1, 12, "MVMUL AddrMod=7, DstRow=8");
}
static void products_of_elements(void)
{
    mop_of(1, 12, "ELWMUL AddrMod=7, BroadcastSrcBRow=1, BroadcastSrcBCol0=1, dest_accum_en=1, DstRow=8");
}
static void sums_of_elements(void)
{
    mop_of(1, 12, "ELWADD AddrMod=7, BroadcastSrcBRow=1, BroadcastSrcBCol0=1, AddDst=1, DstRow=8");
}
static void differences_of_elements(void)
{
    mop_of(1, 12, "ELWSUB AddrMod=7, BroadcastSrcBRow=1, BroadcastSrcBCol0=1, AddDst=1, DstRow=8");
}
static void averages(void)
{
    mop_of(1, 12, "GAPOOL AddrMod=7, DstRow=8");
}
static void maxima(void)
{
    mop_of(1, 12, "GMPOOL AddrMod=7, DstRow=8");
}
static void packs_of_interfaces(void)
{
    mop_of(1, 12, "PACR ReadIntfSel=15, AddrMod=1");
}

struct known {
    const char *name;
    void (*make)(void);
    uint8_t thread;
    program_kind kind;
    uint16_t ran, looked, singly; /* instructions that units took; the counts */
};
#define KNOWN(make, ...)                                                                                               \
    {                                                                                                                  \
#make, make, __VA_ARGS__                                                                                       \
    }
static const struct known known[] = {
    KNOWN(a_mop_of_products, 1, MATRIX, 64, 1, 0),
    KNOWN(mops_of_products_behind_each_other, 1, MATRIX, 192, 1, 0),
    KNOWN(a_mop_of_playbacks_of_products, 1, MATRIX, 64, 18, 0),
    KNOWN(products_and_a_wait_for_mops, 1, MATRIX, 64, 3, 2),
    KNOWN(a_playback_of_products, 1, MATRIX, 16, 18, 0),
    KNOWN(a_playback_of_the_vector_unit, 1, VECTOR, 32, 34, 0),
    KNOWN(a_mop_of_the_vector_unit, 1, VECTOR, 60, 3, 2),
    KNOWN(a_mop_of_playbacks_of_the_vector_unit, 1, VECTOR, 120, 18, 1),
    KNOWN(a_mop_with_all_of_its_words, 1, VECTOR, 33, 3, 2),
    KNOWN(pushes_of_the_vector_unit, 1, VECTOR, 27, 3, 2),
    KNOWN(a_mop_of_products, 1, ELEMENTS, 64, 1, 0), /* onto the same block: each waits */
    KNOWN(products_with_address_modes, 1, MATRIX, 12, 1, 0),
    KNOWN(products_of_elements, 1, MATRIX, 12, 1, 0),
    KNOWN(sums_of_elements, 1, MATRIX, 12, 1, 0),
    KNOWN(differences_of_elements, 1, MATRIX, 12, 1, 0),
    KNOWN(averages, 1, MATRIX, 12, 1, 0),
    KNOWN(maxima, 1, MATRIX, 12, 1, 12),
    KNOWN(packs_of_interfaces, 2, DATA, 12, 3, 2),
    KNOWN(playbacks_with_a_product_each, 1, MATRIX, 16, 3, 0),
    KNOWN(a_wait_for_all_behind_a_mop, 1, VECTOR, 60, 3, 2),
    KNOWN(a_wait_for_all_behind_playbacks, 1, VECTOR, 120, 19, 2),
    KNOWN(what_is_recorded_passes, 1, VECTOR, 20, 2, 0),
    KNOWN(a_playback_that_core_b_pushes, 1, VECTOR, 12, 16, 2),
    KNOWN(row_counters_of_the_vector_unit, 1, VECTOR, 16, 1, 4),
    KNOWN(swaps, 1, VECTOR, 8, 10, 0),
    KNOWN(multiplications, 1, VECTOR, 8, 10, 0),
    KNOWN(template_0, 1, VECTOR, 32, 3, 2),
    KNOWN(others_of_one_cycle, 1, VECTOR, 16, 1, 16),
    KNOWN(rows_of_a_matrix, 2, DATA, 28, 6, 22),
    KNOWN(mops_of_packs, 2, DATA, 32, 5, 4),
    KNOWN(a_mop_of_unpacks, 0, DATA, 8, 4, 3),
    KNOWN(a_playback_of_unpacks, 0, DATA, 8, 13, 3),
    KNOWN(unpacks_and_counters, 0, DATA, 12, 3, 2),
};

static void run_known(const struct known *k)
{
    program_kind kind[TENSIX_THREADS] = {OTHERS, OTHERS, OTHERS};
    struct side side = {.ahead = true};
    kind[k->thread] = k->kind;
    p = &program[k->thread];
    *p = (struct program){.pace = 1};
    k->make();
    assert_int_equal(fake_setup((void **)&side.tile), 0);
    power_on(&side, 5, kind);
    side.tile->lent.l1_unheeded = tile_l1_unheeded;
    struct tensix *tx = &side.tile->dev.tensix;
    struct tensix_thread *t = &tx->thread[k->thread];
    if (k->thread == 1) { /* BF16, each onto the next block, or all onto one */
        memset(t->config, 0, sizeof t->config);
        memset(tx->config, 0, sizeof tx->config);
        t->config[DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32] = t->config[DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32] = 1;
        tx->config[0][ALU_FORMAT_SPEC_REG0_SrcA_ADDR32] =
            5u << ALU_FORMAT_SPEC_REG0_SrcA_SHAMT | 5u << ALU_FORMAT_SPEC_REG1_SrcB_SHAMT;
        t->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32] = t->config[ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + 7] =
            k->kind == MATRIX ? 8 : 0;
        memset(side.tile->files.dst_row_undefined, 0, sizeof side.tile->files.dst_row_undefined);
    }
    side.core[k->thread] = (struct core){.program = p, .ready = 10};
    run_to(&side, 3000);
    assert_int_equal(side.core[k->thread].at, p->count);
    uint64_t ran = 0;
    for (unsigned i = 0; i < TENSIX_OPS; i++)
        ran += tx->ran[i];
    const uint64_t looked = side.tile->lent.looked, singly = side.tile->lent.singly;
    if (side.tile->faults != 0 || ran != k->ran || looked != k->looked || singly != k->singly)
        fail_msg("%s: %u instructions (%u), %u looks at the gate (%u), %u by themselves (%u), %u faults; in brackets "
                 "what was "
                 "known: if there are fewer, write them down",
                 k->name, (unsigned)ran, k->ran, (unsigned)looked, k->looked, (unsigned)singly, k->singly,
                 side.tile->faults);
    fake_teardown((void **)&side.tile);
}

static void known_programs_pass_in_bursts(void **state)
{
    (void)state;
    for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
        run_known(&known[i]);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bursts_are_the_plain_path),
                                       cmocka_unit_test(known_programs_pass_in_bursts)};
    if (argc > 1)
        programs = strtoull(argv[1], NULL, 0);
    if (argc > 2)
        first_seed = strtoull(argv[2], NULL, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* matmul.c: what T1 does with the Matrix Unit (manual MVMUL, RWCs).  MVMUL adds 8 rows of SrcB (A) times 16 rows of SrcA (B) to
 * 8 rows of Dst; a tile of each in four faces, 0 1 over 2 3, takes 16: */
#ifndef MATMUL_MATH_H
#define MATMUL_MATH_H

/* Address modes: where the counters of SrcA, SrcB and Dst go behind an MVMUL.  CR: on from the last carriage return. */
#define MODE(n, a, b, d)                                                                                               \
    do {                                                                                                               \
        TT_SETC16(ADDR_MOD_AB_SEC##n##_SrcAIncr_ADDR32, (a) | (b) << 8);                                               \
        TT_SETC16(ADDR_MOD_DST_SEC##n##_DestIncr_ADDR32, d);                                                           \
    } while (0)
enum { CR = 1 << 6, CLEAR = 1 << 7, DST_CR = 1 << 10, NEXT_PHASE = 1 << 13, FIRST_PHASE = 1 << 15 };
enum { LOWER, NEXT_A, NEXT_B, STAY, NEXT_HALF, AGAIN, NEXT_TILE, NEXT_ROWS }; /* the modes by number */

static void set_modes(bool repeat)
{
    MODE(0, 0, 8, 8);            /* the lower 8 rows of the face */
    MODE(1, 16, 0 | CR, 8);      /* the next face of B, the same of A */
    MODE(2, 0 | CR, 32 | CR, 8); /* the face of A below with the first of B */
    MODE(3, 0, 0, 0);
    MODE(4, 32 | CR, 48 | CR, 0 | DST_CR); /* the lower half of B with the right half of A: 32 + 48 is 16 */
    MODE(5, CR | CLEAR, CR | CLEAR, DST_CR | NEXT_PHASE); /* the same tiles once more */
    if (repeat)
        MODE(6, CR | CLEAR, CR | CLEAR, DST_CR | FIRST_PHASE);
    else
        MODE(6, CR | CLEAR, CR | CLEAR, TILE_ROWS | DST_CR | FIRST_PHASE); /* the next tile of C */
    MODE(7, 8, 8, 8);
}

#define COUNTERS_TO_ZERO(flip_b, flip_a) TT_OP_SETRWC(flip_b, flip_a, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
#define FLIP_SRCB TT_OP_SETRWC(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)

/* A pair of tiles, all but the last instruction.  Faces 0 and 1 of B with face 0 and face 2 of A, then faces 2 and 3 of B with 1
 * and 3 of A. */
static void push_multiply(void)
{
    for (unsigned half = 0; half < 2; half++) {
        TT_MVMUL(0, 0, 0, LOWER, 0);
        TT_MVMUL(0, 0, 0, NEXT_A, 0);
        TT_MVMUL(0, 0, 0, LOWER, 0);
        TT_MVMUL(0, 0, 0, NEXT_B, 0);
        TT_MVMUL(0, 0, 0, LOWER, 0);
        TT_MVMUL(0, 0, 0, NEXT_A, 0);
        TT_MVMUL(0, 0, 0, LOWER, 0);
        if (half == 0)
            TT_MVMUL(0, 0, 0, NEXT_HALF, 0);
    }
}

static void push_elementwise(void)
{
    for (unsigned i = 0; i < TILE_ROWS / 16; i++) {
        TT_ELWMUL(0, 0, 0, 0, 0, NEXT_ROWS, 0);
        if (i < TILE_ROWS / 16 - 1)
            TT_ELWADD(0, 0, 1, 0, 0, NEXT_ROWS, 0);
    }
}

static void push_pool(void)
{
    for (unsigned i = 0; i < FACES - 1; i++)
        TT_GAPOOL(0, 0, 1, NEXT_A, 0, 0);
}

/* One operation, its last instruction with the mode that says what comes next; behind the last phase that hands the tile of B
 * back. */
#define RECORD(at, length, push, last)                                                                                 \
    do {                                                                                                               \
        TT_REPLAY(at, length, 0, 1);                                                                                   \
        push();                                                                                                        \
        kerr_tt_push(last);                                                                                            \
    } while (0)

/* `count` pairs of tiles, the first phases from the first half of the replay buffer, the last phase from the other. */
static void set_multiply_mop(uint32_t operation, uint32_t phases, uint32_t count, uint32_t flip)
{
    enum { MVMULS = 16, ROWS = TILE_ROWS / 8, OTHER = 16 };
    uint32_t length = MVMULS;
    if (operation == MATMUL_MVMUL) {
        RECORD(0, MVMULS, push_multiply, TT_WORD_MVMUL(0, 0, 0, AGAIN, 0));
        RECORD(OTHER, MVMULS, push_multiply, TT_WORD_MVMUL(0, flip, 0, NEXT_TILE, 0));
    } else if (operation == MATMUL_ELEMENTWISE) {
        RECORD(0, ROWS, push_elementwise, TT_WORD_ELWADD(0, 0, 1, 0, 0, AGAIN, 0));
        RECORD(OTHER, ROWS, push_elementwise, TT_WORD_ELWADD(0, flip, 1, 0, 0, NEXT_TILE, 0));
        length = ROWS;
    } else {
        RECORD(0, FACES, push_pool, TT_WORD_GAPOOL(0, 0, 1, AGAIN, 0, 0));
        RECORD(OTHER, FACES, push_pool, TT_WORD_GAPOOL(0, flip, 1, NEXT_TILE, 0, 0));
        length = FACES;
    }
    const uint32_t again = TT_WORD_REPLAY(0, length, 0, 0), last = TT_WORD_REPLAY(OTHER, length, 0, 0);
    const uint32_t word[TENSIX_MOP_CFG_COUNT] = {count, phases, NOP, NOP, NOP, again, NOP, last, last};
    set_mop(word);
}

static void configure(const struct job *job, bool repeat)
{
    const bool dst32 = job->flags & MATMUL_DST32;
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcA, job->reg);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG1_SrcB, job->reg);
    KERR_CFG_RMW(ALU_ACC_CTRL_Fp32_enabled, dst32);
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, dst32);
    KERR_CFG_RMW(ALU_ACC_CTRL_INT8_math_enabled, job->reg == DATAPATH_INT8);
    KERR_CFG_RMW(ALU_ACC_CTRL_Zero_Flag_disabled_src, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_remap_addrs, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_swizzle_32b, 0);
    TT_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
    set_modes(repeat);
    kerr_tt_push(COUNTERS_TO_ZERO(0, 0));
}

enum { PAIRS = 4 }; /* a MOP at most: a reference simulator expands it at once and has room for 256 instructions */

/* Pairs that a MOP does: of a row of the block, or the same one again. */
static uint32_t pairs_a_mop(uint32_t pairs)
{
    uint32_t most = PAIRS;
    while (pairs % most != 0)
        most--;
    return most;
}

int main(void)
{
    const struct job job = get_job();
    const uint32_t phases = (job.flags & MATMUL_PHASES) + 1, dst32 = job.flags & MATMUL_DST32 ? 1 : 0;
    const bool repeat = argument(MATMUL_REPEAT) > 1;
    const uint32_t pairs = repeat ? argument(MATMUL_REPEAT) : job.block_columns, at_once = pairs_a_mop(pairs);
    /* Done with a tile of A: Dst goes on to the next row of the block, or back to the first tile. */
    const uint32_t next_row = FLIP_SRCB, first_row = repeat ? COUNTERS_TO_ZERO(1, 1) : COUNTERS_TO_ZERO(1, 0);
    uint32_t half = 0;
    configure(&job, repeat);
    TT_SEMINIT(2, 0, 1 << MATH_PACK);
    set_multiply_mop(argument(MATMUL_OPERATION), phases, at_once, !repeat);
    const uint32_t begin = kerr_wall_clock_low();
    FOR_EACH_BLOCK(job, row, column)
    {
        TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, half * HALF_DST);
        TT_SEMWAIT(BLOCK_MATH | BLOCK_SYNC, 1 << MATH_PACK, WHILE_MAX);
        TT_RT_ZEROACC(0, 0, 0, 2, dst32, 0, STAY, half);
        for (uint32_t inner = 0; inner < job.inner; inner++) {
            for (uint32_t r = 0; r < job.block_rows; r++) {
                for (uint32_t i = 0; i < pairs; i += at_once)
                    TT_MOP(1, 0, 0);
                kerr_tt_push(r + 1 < job.block_rows ? next_row : first_row);
            }
        }
        TT_STALLWAIT(BLOCK_SYNC | BLOCK_CFG, BUSY_MATH);
        TT_SEMPOST(1 << MATH_PACK);
        half ^= 1;
    }
    thread_is_done();
    kerr_finish((int32_t)(kerr_wall_clock_low() - begin));
}

#endif /* MATMUL_MATH_H */

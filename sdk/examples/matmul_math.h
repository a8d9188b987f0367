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
enum { CR = 1 << 6, CLEAR = 1 << 7, DST_CR = 1 << 10, DST_CLEAR = 1 << 11, NEXT_PHASE = 1 << 13 };
enum { LOWER, NEXT_A, NEXT_B, STAY, NEXT_HALF, NEXT_TILE, NEXT_ROWS }; /* the modes by number */
enum { MVMULS = 16, REPLAY_AT = 0 };

static void set_modes(bool phases)
{
    MODE(0, 0, 8, 8);            /* the lower 8 rows of the face */
    MODE(1, 16, 0 | CR, 8);      /* the next face of B, the same of A */
    MODE(2, 0 | CR, 32 | CR, 8); /* the face of A below with the first of B */
    MODE(3, 0, 0, 0);
    MODE(4, 32 | CR, 48 | CR, 0 | DST_CR); /* the lower half of B with the right half of A: 32 + 48 is 16 */
    if (phases)
        MODE(5, CR | CLEAR, CR | CLEAR, DST_CR | DST_CLEAR | NEXT_PHASE);
    else
        MODE(5, CR | CLEAR, CR | CLEAR, DST_CR | DST_CLEAR);
    MODE(6, 8, 8, 8);
}

#define MVMUL(flip_a, mode) TT_MVMUL(0, flip_a, 0, mode, 0)
#define COUNTERS_TO_ZERO(flip_b, flip_a) TT_OP_SETRWC(flip_b, flip_a, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)

/* Faces 0 and 1 of B with face 0 and face 2 of A, then faces 2 and 3 of B with 1 and 3 of A.  In a single phase the last MVMUL
 * hands the tile of B back. */
static uint32_t record_multiply(bool flip)
{
    TT_REPLAY(REPLAY_AT, MVMULS, 0, 1);
    for (unsigned half = 0; half < 2; half++) {
        MVMUL(0, LOWER);
        MVMUL(0, NEXT_A);
        MVMUL(0, LOWER);
        MVMUL(0, NEXT_B);
        MVMUL(0, LOWER);
        MVMUL(0, NEXT_A);
        MVMUL(0, LOWER);
        if (half == 0)
            MVMUL(0, NEXT_HALF);
    }
    if (flip)
        MVMUL(1, NEXT_TILE);
    else
        MVMUL(0, NEXT_TILE);
    return MVMULS;
}

static uint32_t record_elementwise(void)
{
    TT_REPLAY(REPLAY_AT, TILE_ROWS / 8, 0, 1);
    for (unsigned i = 0; i < TILE_ROWS / 16; i++) {
        TT_ELWMUL(0, 0, 0, 0, 0, NEXT_ROWS, 0);
        if (i < TILE_ROWS / 16 - 1)
            TT_ELWADD(0, 0, 1, 0, 0, NEXT_ROWS, 0);
    }
    TT_ELWADD(0, 0, 1, 0, 0, NEXT_TILE, 0);
    return TILE_ROWS / 8;
}

static uint32_t record_pool(void)
{
    TT_REPLAY(REPLAY_AT, FACES, 0, 1);
    for (unsigned i = 0; i < FACES - 1; i++)
        TT_GAPOOL(0, 0, 1, NEXT_A, 0, 0);
    TT_GAPOOL(0, 0, 1, NEXT_TILE, 0, 0);
    return FACES;
}

/* A pair of tiles, `times` times. */
static void set_multiply_mop(uint32_t operation, uint32_t phases, uint32_t times)
{
    const bool flips = operation == MATMUL_MVMUL && phases == 1 && times == 1;
    const uint32_t length = operation == MATMUL_MVMUL         ? record_multiply(flips)
                            : operation == MATMUL_ELEMENTWISE ? record_elementwise()
                                                              : record_pool();
    const uint32_t replay = TT_OP_REPLAY(REPLAY_AT, 0, 0, 0) | length << 4;
    const uint32_t end = flips ? NOP : times == 1 ? COUNTERS_TO_ZERO(0, 1) : phases == 1 ? NOP : COUNTERS_TO_ZERO(0, 0);
    const uint32_t word[TENSIX_MOP_CFG_COUNT] = {times, phases, NOP, end, NOP, replay, NOP, replay, replay};
    set_mop(word);
}

static void configure(const struct job *job, uint32_t phases)
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
    set_modes(phases > 1);
    kerr_tt_push(COUNTERS_TO_ZERO(0, 0));
}

enum { TIMES = 4 }; /* a MOP: a reference simulator expands it at once */

static inline void multiply(uint32_t times)
{
    if (times == 1) {
        TT_MOP(1, 0, 0);
        return;
    }
    for (uint32_t i = 0; i < times; i += TIMES)
        TT_MOP(1, 0, 0);
    kerr_tt_push(COUNTERS_TO_ZERO(0, 1));
}

int main(void)
{
    const struct job job = get_job();
    const uint32_t times = argument(MATMUL_REPEAT) > 1 ? argument(MATMUL_REPEAT) : 1;
    const uint32_t phases = (job.flags & MATMUL_PHASES) + 1, dst32 = job.flags & MATMUL_DST32 ? 1 : 0;
    uint32_t half = 0;
    configure(&job, phases);
    TT_SEMINIT(2, 0, 1 << MATH_PACK);
    set_multiply_mop(argument(MATMUL_OPERATION), phases, times == 1 ? 1 : TIMES);
    const uint32_t begin = kerr_wall_clock_low();
    FOR_EACH_BLOCK(job, row, column)
    {
        TT_SEMWAIT(BLOCK_MATH | BLOCK_SYNC, 1 << MATH_PACK, WHILE_MAX);
        TT_RT_ZEROACC(0, 0, 0, 2, dst32, 0, STAY, half);
        for (uint32_t inner = 0; inner < job.inner; inner++) {
            uint32_t dst = half * HALF_DST;
            for (uint32_t r = 0; r < job.block_rows; r++) {
                for (uint32_t c = 0; c < job.block_columns; c++, dst += TILE_ROWS) {
                    TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst);
                    multiply(times);
                }
                kerr_tt_push(COUNTERS_TO_ZERO(1, 0)); /* done with the tile of A */
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

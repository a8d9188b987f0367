/* SPDX-License-Identifier: Apache-2.0 */
/* op_compute.h: T1, the Matrix Unit and the Vector Unit (manual ELWADD, ELWMUL, MVMUL, MOVA2D, RWCs). */
#ifndef OP_MATH_H
#define OP_MATH_H

/* Address modes: where the counters of SrcA, SrcB and Dst go. */
#define MODE(n, a, b, d)                                                                                               \
    do {                                                                                                               \
        TT_SETC16(ADDR_MOD_AB_SEC##n##_SrcAIncr_ADDR32, (a) | (b) << 8);                                               \
        TT_SETC16(ADDR_MOD_DST_SEC##n##_DestIncr_ADDR32, d);                                                           \
    } while (0)
enum { CR = 1 << 6, CLEAR = 1 << 7, DST_CR = 1 << 10, NEXT_PHASE = 1 << 13, FIRST_PHASE = 1 << 15 };
enum { STAY = 7 }; /* the mode of the Vector Unit; the others belong to whoever was set up last */
#define HAND_BACK TT_OP_SETRWC(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1) /* both, rows from 0 */
#define DST_TO_ZERO() TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0)
#define NEXT_8_ROWS() TT_SETRWC(0, 0, 0, 1, 0, 0, 8, 0, 0, 0, 0, 1, 0, 0) /* of Dst, from the last carriage return */

#ifndef OP_PHASES
#define OP_PHASES 4 /* fidelity phases of products of matrices */
#endif
static uint32_t half, mops;

static void compute_begin(void)
{
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcA, BF16);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG1_SrcB, BF16);
    KERR_CFG_RMW(ALU_ACC_CTRL_Fp32_enabled, OP_DST32);
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, OP_DST32);
    KERR_CFG_RMW(ALU_ACC_CTRL_INT8_math_enabled, 0);
    KERR_CFG_RMW(ALU_ACC_CTRL_Zero_Flag_disabled_src, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_remap_addrs, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_swizzle_32b, 0);
    TT_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
    MODE(7, 0, 0, 0);
    TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    TT_ZEROACC(0, 0, 0, 3, OP_DST32, 0, STAY, 0);
    TT_SEMINIT(2, 0, 1 << MATH_PACK);
}

static void compute_end(void)
{
    thread_is_done();
}

#define cb_wait_front(id, pages) ((void)0)
#define cb_pop_front(id, pages) ((void)0)
#define cb_reserve_back(id, pages) ((void)0)
#define cb_push_back(id, pages) ((void)0)

/* A half of Dst is this thread's. */
static inline void tile_regs_acquire(void)
{
    TT_SEMWAIT(BLOCK_MATH | BLOCK_SFPU | BLOCK_SYNC, 1 << MATH_PACK, WHILE_MAX);
}

/* It is the packer's. */
static inline void tile_regs_commit(void)
{
    TT_STALLWAIT(BLOCK_SYNC, BUSY_MATH | BUSY_SFPU);
    TT_SEMPOST(1 << MATH_PACK);
    half ^= 1;
    TT_STALLWAIT(BLOCK_CFG, BUSY_MATH | BUSY_SFPU);
    TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, half * HALF_DST);
}

static inline void set_dst(uint32_t dst)
{
    TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, half * HALF_DST + dst * TILE_ROWS);
}

enum { ROWS, PHASE, FACE }; /* modes of element by element: the next eight rows; the face again; the next one */

/* Sums are written to Dst, products are added to it, four fidelity phases a face. */
static inline void binary_init(enum operation operation, enum broadcast broadcast)
{
    const uint32_t row = broadcast == ROW_OF_EIGHT, column = broadcast == COLUMN;
    MODE(0, 8, 8, 8);
    if (operation == MUL) {
        MODE(1, CR | CLEAR, CR | CLEAR, DST_CR | NEXT_PHASE);
        MODE(2, CR | CLEAR, CR | CLEAR, ROW | DST_CR | FIRST_PHASE);
        set_mop((struct mop){4, ROW / 8, NOP, NOP, NOP, TT_WORD_ELWMUL(0, 0, 0, row, column, ROWS, 0), NOP,
                             TT_WORD_ELWMUL(1, 1, 0, row, column, FACE, 0),
                             TT_WORD_ELWMUL(0, 0, 0, row, column, PHASE, 0)});
        mops = FACES;
    } else {
        const uint32_t word = operation == ADD ? TT_WORD_ELWADD(0, 0, 0, row, column, ROWS, 0)
                                               : TT_WORD_ELWSUB(0, 0, 0, row, column, ROWS, 0);
        set_mop((struct mop){FACES, ROW / 8, NOP, HAND_BACK, NOP, word, NOP, word, word});
        mops = 1;
    }
}

static inline void binary_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst)
{
    (void)id0, (void)id1, (void)i0, (void)i1;
    set_dst(dst);
    for (unsigned i = 0; i < mops; i++)
        TT_MOP(1, 0, 0);
    DST_TO_ZERO();
}

/* To Dst of 32 bits as a sum with SrcB, which is zero. */
static inline void copy_init(void)
{
    const uint32_t move = OP_DST32 ? TT_OP_ELWADD(0, 0, 0, 0, 0, ROWS, 0) : TT_OP_MOVA2D(0, 0, ROWS, 1, 0);
    MODE(0, 8, 8, 8);
    set_mop((struct mop){FACES, ROW / 8, NOP, HAND_BACK, NOP, move, NOP, move, move});
}

static inline void copy_tile(uint32_t id, uint32_t index, uint32_t dst)
{
    (void)id, (void)index;
    set_dst(dst);
    TT_MOP(1, 0, 0);
    DST_TO_ZERO();
}

/* MVMUL adds 8 rows of SrcB (A) times 16 rows of SrcA (B) to 8 rows of Dst; a tile of each in four faces, 0 1 over 2 3, takes 16. */
enum { LOWER, NEXT_A, NEXT_B, NEXT_HALF, AGAIN, NEXT_TILE }; /* modes */

/* A pair of tiles, all but the last instruction.  Faces 0 and 1 of B with face 0 and face 2 of A, then faces 2 and 3 of B with 1
 * and 3 of A. */
static inline void push_multiply(void)
{
    for (unsigned i = 0; i < 2; i++) {
        TT_MVMUL(0, 0, 0, LOWER, 0);
        TT_MVMUL(0, 0, 0, NEXT_A, 0);
        TT_MVMUL(0, 0, 0, LOWER, 0);
        TT_MVMUL(0, 0, 0, NEXT_B, 0);
        TT_MVMUL(0, 0, 0, LOWER, 0);
        TT_MVMUL(0, 0, 0, NEXT_A, 0);
        TT_MVMUL(0, 0, 0, LOWER, 0);
        if (i == 0)
            TT_MVMUL(0, 0, 0, NEXT_HALF, 0);
    }
}

/* A tile of A with `columns` of B, in so many fidelity phases; all but the last phase from the first half of the replay buffer. */
static inline void matmul_init(uint32_t columns)
{
    enum { MVMULS = 16, LAST_PHASE = MVMULS };
    const uint32_t again = TT_OP_REPLAY(0, MVMULS, 0, 0), last = TT_OP_REPLAY(LAST_PHASE, MVMULS, 0, 0);
    MODE(0, 0, 8, 8);                      /* the lower 8 rows of the face */
    MODE(1, 16, 0 | CR, 8);                /* the next face of B, the same of A */
    MODE(2, 0 | CR, 32 | CR, 8);           /* the face of A below with the first of B */
    MODE(3, 32 | CR, 48 | CR, 0 | DST_CR); /* the lower half of B with the right half of A: 32 + 48 is 16 */
    MODE(4, CR | CLEAR, CR | CLEAR, DST_CR | NEXT_PHASE);
    MODE(5, CR | CLEAR, CR | CLEAR, TILE_ROWS | DST_CR | FIRST_PHASE);
    TT_REPLAY(0, MVMULS, 0, 1);
    push_multiply();
    TT_MVMUL(0, 0, 0, AGAIN, 0);
    TT_REPLAY(LAST_PHASE, MVMULS, 0, 1);
    push_multiply();
    TT_MVMUL(0, 1, 0, NEXT_TILE, 0);
    set_mop((struct mop){columns, OP_PHASES, NOP, NOP, NOP, again, NOP, last, last});
}

/* Adds to what is in Dst. */
static inline void matmul_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst, uint32_t columns)
{
    (void)id0, (void)id1, (void)i0, (void)i1, (void)columns;
    set_dst(dst);
    TT_MOP(1, 0, 0);
    TT_SETRWC(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
}

/* Around what the Vector Unit does with a tile, a face at a time. */
static inline void sfpu_begin(uint32_t dst)
{
    set_dst(dst);
    TT_STALLWAIT(BLOCK_SFPU, BUSY_MATH);
}
static inline void sfpu_next_face(void)
{
    NEXT_8_ROWS();
    NEXT_8_ROWS();
}
static inline void sfpu_end(void)
{
    DST_TO_ZERO();
    TT_STALLWAIT(BLOCK_CFG, BUSY_SFPU);
    set_dst(0);
}

#define tile_regs_wait() ((void)0)
#define tile_regs_release() ((void)0)
#define pack_tile(dst, id) ((void)(dst), (void)(id))
#define pack_tile_to(dst, id, index) ((void)(dst), (void)(id), (void)(index))
#define pack_accumulate(on) ((void)(on))

#endif /* OP_MATH_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* kerr_compute.h on T1: the Matrix Unit, and what is around programs of the Vector Unit (manual ELWADD, ELWMUL, MVMUL, MOVA2D, RWCs). */
#ifndef KERR_MATH_H
#define KERR_MATH_H

/* Address modes: where the counters of SrcA, SrcB and Dst go. */
#define KERR_MODE_(n, a, b, d)                                                                                         \
    do {                                                                                                               \
        TT(SETC16, .CfgIndex = ADDR_MOD_AB_SEC##n##_SrcAIncr_ADDR32, .NewValue = (a) | (b) << 8);                      \
        TT(SETC16, .CfgIndex = ADDR_MOD_DST_SEC##n##_DestIncr_ADDR32, .NewValue = d);                                  \
    } while (0)
enum {
    KERR_CR_ = 1 << 6,
    KERR_CLEAR_ = 1 << 7,
    KERR_DST_CR_ = 1 << 10,
    KERR_NEXT_PHASE_ = 1 << 13,
    KERR_FIRST_PHASE_ = 1 << 15
};
enum { KERR_STAY = 7 }; /* the mode of the Vector Unit; the others belong to whoever was set up last */
#define KERR_HAND_BACK_ TT_WORD(SETRWC, .FlipSrcB = 1, .FlipSrcA = 1, .SrcB = 1, .SrcA = 1) /* both, rows from 0 */
#define KERR_DST_TO_ZERO_() TT(SETRWC, .Dst = 1)
#define KERR_NEXT_8_ROWS_() TT(SETRWC, .DstCr = 1, .DstVal = 8, .Dst = 1) /* of Dst, from the last carriage return */

#ifndef KERR_PHASES
#define KERR_PHASES 4 /* fidelity phases of products of matrices */
#endif
static uint32_t kerr_half_, kerr_mops_;

static void kerr_compute_begin(void)
{
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcA, KERR_FORMAT_BF16);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG1_SrcB, KERR_FORMAT_BF16);
    KERR_CFG_RMW(ALU_ACC_CTRL_Fp32_enabled, KERR_DST32);
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, KERR_DST32);
    KERR_CFG_RMW(ALU_ACC_CTRL_INT8_math_enabled, 0);
    KERR_CFG_RMW(ALU_ACC_CTRL_Zero_Flag_disabled_src, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_remap_addrs, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_swizzle_32b, 0);
    TT(SETC16, .CfgIndex = CLR_DVALID_SrcA_Disable_ADDR32, .NewValue = 0);
    KERR_MODE_(7, 0, 0, 0);
    TT(SETRWC, .Fidelity = 1, .Dst = 1, .SrcB = 1, .SrcA = 1);
    TT(ZEROACC, .Mode = 3, .UseDst32b = KERR_DST32, .AddrMod = KERR_STAY);
    kerr_semaphore_begin(KERR_MATH_PACK, 2, 0);
}

#define kerr_cb_wait_front(id, pages) ((void)0)
#define kerr_cb_pop_front(id, pages) ((void)0)
#define kerr_cb_reserve_back(id, pages) ((void)0)
#define kerr_cb_push_back(id, pages) ((void)0)

/* A half of Dst is this thread's. */
static inline void kerr_dst_acquire(void)
{
    kerr_semaphore_wait_room(KERR_MATH_PACK, KERR_HOLD_MATRIX | KERR_HOLD_VECTOR | KERR_HOLD_SYNC);
}

/* It is the packer's. */
static inline void kerr_dst_commit(void)
{
    kerr_stall(KERR_HOLD_SYNC, KERR_UNTIL_MATRIX | KERR_UNTIL_VECTOR);
    kerr_semaphore_post(KERR_MATH_PACK);
    kerr_half_ ^= 1;
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_MATRIX | KERR_UNTIL_VECTOR);
    TT_RT(SETC16, .CfgIndex = DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, .NewValue = kerr_half_ * KERR_HALF_DST);
}

static inline void kerr_set_dst_(uint32_t dst)
{
    TT_RT(SETC16, .CfgIndex = DEST_TARGET_REG_CFG_MATH_Offset_ADDR32,
          .NewValue = kerr_half_ * KERR_HALF_DST + dst * KERR_TILE_ROWS);
}

enum {
    KERR_ROWS_,
    KERR_PHASE_,
    KERR_FACE_
}; /* modes of element by element: the next eight rows; the face again; the next one */

/* Sums are written to Dst, products are added to it, four fidelity phases a face. */
static inline void kerr_binary_begin(enum kerr_operation operation, enum kerr_broadcast broadcast)
{
    const uint32_t row = broadcast == KERR_ROW_OF_EIGHT, column = broadcast == KERR_COLUMN;
    KERR_MODE_(0, 8, 8, 8);
    if (operation == KERR_MUL) {
        KERR_MODE_(1, KERR_CR_ | KERR_CLEAR_, KERR_CR_ | KERR_CLEAR_, KERR_DST_CR_ | KERR_NEXT_PHASE_);
        KERR_MODE_(2, KERR_CR_ | KERR_CLEAR_, KERR_CR_ | KERR_CLEAR_, KERR_ROW | KERR_DST_CR_ | KERR_FIRST_PHASE_);
        kerr_mop_set((struct kerr_mop){
            4, KERR_ROW / 8, KERR_NOP_WORD, KERR_NOP_WORD, KERR_NOP_WORD,
            TT_WORD(ELWMUL, .BroadcastSrcBRow = row, .BroadcastSrcBCol0 = column, .AddrMod = KERR_ROWS_), KERR_NOP_WORD,
            TT_WORD(ELWMUL, .FlipSrcB = 1, .FlipSrcA = 1, .BroadcastSrcBRow = row, .BroadcastSrcBCol0 = column,
                    .AddrMod = KERR_FACE_),
            TT_WORD(ELWMUL, .BroadcastSrcBRow = row, .BroadcastSrcBCol0 = column, .AddrMod = KERR_PHASE_)});
        kerr_mops_ = KERR_FACES;
    } else {
        const uint32_t word =
            operation == KERR_ADD
                ? TT_WORD(ELWADD, .BroadcastSrcBRow = row, .BroadcastSrcBCol0 = column, .AddrMod = KERR_ROWS_)
                : TT_WORD(ELWSUB, .BroadcastSrcBRow = row, .BroadcastSrcBCol0 = column, .AddrMod = KERR_ROWS_);
        kerr_mop_set((struct kerr_mop){.outer = KERR_FACES,
                                       .inner = KERR_ROW / 8,
                                       .start = KERR_NOP_WORD,
                                       .end0 = KERR_HAND_BACK_,
                                       .end1 = KERR_NOP_WORD,
                                       .loop0 = word,
                                       .loop1 = KERR_NOP_WORD,
                                       .last_outer = word,
                                       .last_inner = word});
        kerr_mops_ = 1;
    }
}

static inline void kerr_binary_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst)
{
    (void)id0, (void)id1, (void)i0, (void)i1;
    kerr_set_dst_(dst);
    for (unsigned i = 0; i < kerr_mops_; i++)
        TT(MOP, .Template = 1);
    KERR_DST_TO_ZERO_();
}

/* To Dst of 32 bits as a sum with SrcB, which is zero. */
static inline void kerr_copy_begin(void)
{
    const uint32_t move =
        KERR_DST32 ? TT_WORD(ELWADD, .AddrMod = KERR_ROWS_) : TT_WORD(MOVA2D, .AddrMod = KERR_ROWS_, .Move8Rows = 1);
    KERR_MODE_(0, 8, 8, 8);
    kerr_mop_set((struct kerr_mop){.outer = KERR_FACES,
                                   .inner = KERR_ROW / 8,
                                   .start = KERR_NOP_WORD,
                                   .end0 = KERR_HAND_BACK_,
                                   .end1 = KERR_NOP_WORD,
                                   .loop0 = move,
                                   .loop1 = KERR_NOP_WORD,
                                   .last_outer = move,
                                   .last_inner = move});
}

static inline void kerr_copy_tile(uint32_t id, uint32_t index, uint32_t dst)
{
    (void)id, (void)index;
    kerr_set_dst_(dst);
    TT(MOP, .Template = 1);
    KERR_DST_TO_ZERO_();
}

/* MVMUL adds 8 rows of SrcB (A) times 16 rows of SrcA (B) to 8 rows of Dst; a tile of each in four faces, 0 1 over 2 3, takes 16. */
enum { KERR_LOWER_, KERR_NEXT_A_, KERR_NEXT_B_, KERR_NEXT_HALF_, KERR_AGAIN_, KERR_NEXT_TILE_ }; /* modes */

/* A pair of tiles, all but the last instruction.  Faces 0 and 1 of B with face 0 and face 2 of A, then faces 2 and 3 of B with 1
 * and 3 of A. */
static inline void kerr_push_multiply_(void)
{
    for (unsigned i = 0; i < 2; i++) {
        TT(MVMUL, .AddrMod = KERR_LOWER_);
        TT(MVMUL, .AddrMod = KERR_NEXT_A_);
        TT(MVMUL, .AddrMod = KERR_LOWER_);
        TT(MVMUL, .AddrMod = KERR_NEXT_B_);
        TT(MVMUL, .AddrMod = KERR_LOWER_);
        TT(MVMUL, .AddrMod = KERR_NEXT_A_);
        TT(MVMUL, .AddrMod = KERR_LOWER_);
        if (i == 0)
            TT(MVMUL, .AddrMod = KERR_NEXT_HALF_);
    }
}

/* A tile of A with `columns` of B, in so many fidelity phases; all but the last phase from the first half of the replay buffer. */
static inline void kerr_matmul_begin(uint32_t columns)
{
    enum { MVMULS = 16, LAST_PHASE = MVMULS };
    const uint32_t again = TT_WORD(REPLAY, .Count = MVMULS),
                   last = TT_WORD(REPLAY, .Index = LAST_PHASE, .Count = MVMULS);
    KERR_MODE_(0, 0, 8, 8);                        /* the lower 8 rows of the face */
    KERR_MODE_(1, 16, 0 | KERR_CR_, 8);            /* the next face of B, the same of A */
    KERR_MODE_(2, 0 | KERR_CR_, 32 | KERR_CR_, 8); /* the face of A below with the first of B */
    KERR_MODE_(3, 32 | KERR_CR_, 48 | KERR_CR_,
               0 | KERR_DST_CR_); /* the lower half of B with the right half of A: 32 + 48 is 16 */
    KERR_MODE_(4, KERR_CR_ | KERR_CLEAR_, KERR_CR_ | KERR_CLEAR_, KERR_DST_CR_ | KERR_NEXT_PHASE_);
    KERR_MODE_(5, KERR_CR_ | KERR_CLEAR_, KERR_CR_ | KERR_CLEAR_, KERR_TILE_ROWS | KERR_DST_CR_ | KERR_FIRST_PHASE_);
    TT(REPLAY, .Count = MVMULS, .Load = 1);
    kerr_push_multiply_();
    TT(MVMUL, .AddrMod = KERR_AGAIN_);
    TT(REPLAY, .Index = LAST_PHASE, .Count = MVMULS, .Load = 1);
    kerr_push_multiply_();
    TT(MVMUL, .FlipSrcA = 1, .AddrMod = KERR_NEXT_TILE_);
    kerr_mop_set((struct kerr_mop){.outer = columns,
                                   .inner = KERR_PHASES,
                                   .start = KERR_NOP_WORD,
                                   .end0 = KERR_NOP_WORD,
                                   .end1 = KERR_NOP_WORD,
                                   .loop0 = again,
                                   .loop1 = KERR_NOP_WORD,
                                   .last_outer = last,
                                   .last_inner = last});
}

/* Adds to what is in Dst. */
static inline void kerr_matmul_tiles(uint32_t id0, uint32_t id1, uint32_t i0, uint32_t i1, uint32_t dst,
                                     uint32_t columns)
{
    (void)id0, (void)id1, (void)i0, (void)i1, (void)columns;
    kerr_set_dst_(dst);
    TT(MOP, .Template = 1);
    TT(SETRWC, .FlipSrcB = 1, .Fidelity = 1, .Dst = 1, .SrcB = 1, .SrcA = 1);
}

/* Around what the Vector Unit does with a tile, a face at a time. */
static inline void kerr_vector_begin(uint32_t dst)
{
    kerr_set_dst_(dst);
    kerr_stall(KERR_HOLD_VECTOR, KERR_UNTIL_MATRIX);
}
static inline void kerr_vector_next_face(void)
{
    KERR_NEXT_8_ROWS_();
    KERR_NEXT_8_ROWS_();
}
static inline void kerr_vector_end(void)
{
    KERR_DST_TO_ZERO_();
    kerr_stall(KERR_HOLD_CONFIG, KERR_UNTIL_VECTOR);
    kerr_set_dst_(0);
}

#define kerr_dst_wait() ((void)0)
#define kerr_dst_release() ((void)0)
#define kerr_pack_tile(dst, id) ((void)(dst), (void)(id))
#define kerr_pack_tile_to(dst, id, index) ((void)(dst), (void)(id), (void)(index))
#define kerr_pack_accumulate(on) ((void)(on))

#endif /* KERR_MATH_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* Moves tiles L1 -> unpacker -> SrcA, SrcB or Dst -> packer -> L1: T0 drives the unpackers, T1 the Matrix Unit, T2 the packer.
 * datapath.h says what the host chooses.
 *
 * Data-valid bits of SrcA and SrcB keep T0 and T1 together; semaphore MATH_PACK counts the halves of Dst that hold a tile
 * which the packer has not taken yet, at most two; semaphore UNPACK_SYNC counts the unpacker's contexts that are in use,
 * so that T0 can prepare the next address while the last tile is still on its way.  Which fields matter is in the manual's
 * pages UNPACR_Regular, PACR, MOVA2D and MOVB2D. */
#include "datapath.h"

#include "kerr_cfg.h"
#include "kerr_sdk.h"

enum { MATH_PACK = 1, UNPACK_SYNC = 5 }; /* semaphores */
enum { WHILE_ZERO = 1, WHILE_MAX = 2 };
/* Block masks and conditions of STALLWAIT and SEMWAIT (manual STALLWAIT). */
enum { BLOCK_TDMA = 1, BLOCK_SYNC = 2, BLOCK_UNPACK = 8, BLOCK_THCON = 32, BLOCK_MATH = 64, BLOCK_CFG = 128 };
enum {
    BUSY_THCON = 1,
    BUSY_UNPACK0 = 2,
    BUSY_UNPACK1 = 4,
    BUSY_PACK = 8,
    BUSY_MATH = 16,
    NO_SRCA = 128,
    NO_SRCB = 256,
    BUSY_RISC_CFG = 1 << 10
};
enum { HALF_DST = 512, FACES = 4, FACE_DATUMS = 256, ROW = 16 };

static uint32_t argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

static uint32_t repeats(uint32_t flag)
{
    return argument(DATAPATH_FLAGS) & flag && argument(DATAPATH_REPEAT) ? argument(DATAPATH_REPEAT) : 1;
}

/* Tiles that are in a half of Dst together: those whose rows the packer joins. */
static uint32_t section_tiles(void)
{
    return argument(DATAPATH_FLAGS) & DATAPATH_UNTILIZE ? argument(DATAPATH_ROW_TILES) : 1;
}

/* Where tile i of a run begins in Dst. */
static inline uint32_t dst_row(uint32_t tile)
{
    return tile / section_tiles() % 2 * HALF_DST + tile % section_tiles() * FACES * 16;
}

/* What the address generators take for the size of a datum: the low two bits of the format say it. */
static inline uint32_t datum_bytes(uint32_t format)
{
    return (format & 3) == 0 ? 4 : (format & 3) == 1 ? 2 : 1;
}

/* The MOP of template 1: outer times (start, inner times loop0 and loop1, end). */
struct mop {
    uint32_t outer, inner, start, end0, end1, loop0, loop1, last_outer, last_inner;
};

static void set_mop(struct mop m)
{
    const uint32_t *word = &m.outer;
    (void)kerr_settle(*KERR_WORD(TTSYNC_MOP_EXPANDER_DONE_CHECK)); /* the one before may still be expanding */
    for (unsigned i = 0; i < TENSIX_MOP_CFG_COUNT; i++)
        KERR_WORD(TENSIX_MOP_CFG)[i] = word[i];
}

static void thread_is_done(void)
{
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
}

static _Noreturn void finish(uint32_t tiles)
{
    thread_is_done();
    kerr_finish((int32_t)tiles);
}

/* A GPR of this thread, through its two halves. */
static inline void set_gpr(unsigned gpr, uint32_t value)
{
    TT_RT_SETDMAREG(value & 0xffff, 0, 2 * gpr);
    TT_RT_SETDMAREG(value >> 16, 0, 2 * gpr + 1);
}
#define NOP TT_OP_NOP()

#if KERR_CORE == KERR_CORE_T0
/* ---- T0: unpackers ------------------------------------------------------------------------------------------------------- */

#define UNPACK(unpacker, ch1_z, ch0_z, flip)                                                                           \
    TT_OP_UNPACR(unpacker, 0, ch1_z, 0, ch0_z, 0, 0, 0, 1, flip, 0, 0, 0, 0, 0, 1)
enum { SEC1 = THCON_SEC1_REG0_TileDescriptor_ADDR32 - THCON_SEC0_REG0_TileDescriptor_ADDR32 };
/* Output addresses to SrcA and Dst count from four rows before the first. */
enum { ROW_0 = 4 * ROW, GPR_SCRATCH = 16 };

/* Rows of a matrix with one byte a datum are gathered by 16, others by 32 (manual UNPACR_Regular, "Tileize"). */
static bool tilize_by_faces(uint32_t flags)
{
    return flags & DATAPATH_TILIZE && datapath_tile_bytes(argument(DATAPATH_IN)) == 1024;
}

static void configure_unpacker(uint32_t flags)
{
    const uint32_t in = argument(DATAPATH_IN), out = argument(DATAPATH_REGISTER) & 15;
    const bool to_srcb = (flags & DATAPATH_ROUTE) == DATAPATH_SRCB, to_dst = (flags & DATAPATH_ROUTE) == DATAPATH_DST;
    const bool tilize = flags & DATAPATH_TILIZE;
    const unsigned section = to_srcb ? SEC1 : 0;
    const bool by_faces = tilize_by_faces(flags);
    const uint32_t x_dim = by_faces ? ROW : tilize ? FACES * FACE_DATUMS : FACE_DATUMS;
    const uint32_t z_stride = FACE_DATUMS * datum_bytes(out), y_stride = ROW * datum_bytes(out);

    TT_SETADCXY(0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    kerr_cfg_write(to_srcb ? UNP1_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32 : UNP0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32,
                   KERR_CFG(UNP0_ADDR_CTRL_ZW_REG_1_Zstride, z_stride));
    if (!to_srcb)
        kerr_cfg_write(UNP0_ADDR_CTRL_XY_REG_1_Ystride_ADDR32, KERR_CFG(UNP0_ADDR_CTRL_XY_REG_1_Ystride, y_stride));
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcAUnsigned, in == DATAPATH_UINT8);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcBUnsigned, in == DATAPATH_UINT8);
    KERR_CFG_RMW(THCON_SEC0_REG1_Unp_LF8_4b_exp, in == DATAPATH_FP8_E4M3);
    KERR_CFG_RMW(THCON_SEC1_REG1_Unp_LF8_4b_exp, in == DATAPATH_FP8_E4M3);
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_InDataFormat, in & 15) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_IsUncompressed, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_XDim, to_srcb || tilize ? x_dim : 0));
    kerr_cfg_write(THCON_SEC0_REG0_TileDescriptor_ADDR32 + section + 1,
                   KERR_CFG(THCON_SEC0_REG0_TileDescriptor_YDim, 1) |
                       KERR_CFG(THCON_SEC0_REG0_TileDescriptor_ZDim, tilize && !by_faces ? 1 : FACES));
    const uint32_t shift = tilize ? datapath_row_bytes(in, 32 * argument(DATAPATH_ROW_TILES)) / 16
                                  : 0; /* from row to row, three nibbles */
    kerr_cfg_write(THCON_SEC0_REG2_Out_data_format_ADDR32 + section,
                   KERR_CFG(THCON_SEC0_REG2_Out_data_format, out) | KERR_CFG(THCON_SEC0_REG2_Throttle_mode, 2) |
                       KERR_CFG(THCON_SEC0_REG2_Haloize_mode, !!(flags & DATAPATH_TRANSPOSE)) |
                       KERR_CFG(THCON_SEC0_REG2_Tileize_mode, tilize) |
                       shift << THCON_SEC0_REG2_Shift_amount_cntx0_SHAMT);
    if (flags & DATAPATH_ELWADD) /* the format that goes with SrcB's zeros */
        kerr_cfg_write(THCON_SEC1_REG2_Out_data_format_ADDR32, KERR_CFG(THCON_SEC1_REG2_Out_data_format, out));
    kerr_cfg_write(THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR32 + section,
                   0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx0_SHAMT |
                       0xfu << THCON_SEC0_REG2_Disable_zero_compress_cntx4_SHAMT |
                       (to_dst ? 3u << THCON_SEC0_REG2_Unpack_if_sel_cntx0_SHAMT : 0));
    kerr_cfg_write(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, ROW_0 | ROW_0 << 16);
    kerr_cfg_write(THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, x_dim | x_dim << 16);
    kerr_cfg_write(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr_ADDR32,
                   KERR_CFG(UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1));
    KERR_CFG_THREAD(SRCA_SET_SetOvrdWithAddr, !to_dst);
    TT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, 0);
    if (tilize && !by_faces)
        TT_SETADCXX(0, 1, 1, FACES * FACE_DATUMS - 1, 0);
    else
        TT_SETADCXX(0, 1, 1, FACE_DATUMS - 1, 0);
    if (by_faces) { /* from the upper to the lower faces, less the two steps of Z that were made */
        set_gpr(GPR_SCRATCH, shift * 16 - 2);
        TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
        TT_WRCFG(GPR_SCRATCH, 0, SCRATCH_SEC0_val_ADDR32);
    }
}

/* One tile: a face an UNPACR, or all of it at once when rows are gathered. */
static void set_unpack_mop(uint32_t flags)
{
    const uint32_t zero_srcb = TT_OP_UNPACR_NOP(1, 0, 0, 1, 0, 0, 0, 0, 1); /* SrcB is handed over as zeros */
    const uint32_t count = flags & DATAPATH_TILIZE ? 1 : FACES;
    uint32_t word;
    switch (flags & DATAPATH_ROUTE) {
    case DATAPATH_SRCB: word = UNPACK(1, 0, 1, 1); break;
    case DATAPATH_DST: word = UNPACK(0, 1, 1, 0); break;
    default: word = UNPACK(0, 0, 1, 1); break;
    }
    if (flags & DATAPATH_ELWADD)
        set_mop((struct mop){count, 1, word, NOP, NOP, zero_srcb, NOP, zero_srcb, zero_srcb});
    else
        set_mop((struct mop){1, count, NOP, NOP, NOP, word, NOP, word, word});
}

/* The four faces of a tile of bytes, the address in the context going on between the upper and the lower two. */
static void unpack_four_faces(unsigned base)
{
    kerr_tt_push(UNPACK(0, 1, 1, 0));
    kerr_tt_push(UNPACK(0, 1, 1, 0));
    TT_RT_CFGSHIFTMASK(1, 3, 31, 0, 3, base);
    TT_NOP();
    kerr_tt_push(UNPACK(0, 1, 1, 0));
    kerr_tt_push(UNPACK(0, 1, 1, 1));
}

static uint32_t tile_address(uint32_t tile, uint32_t flags)
{
    const uint32_t from = argument(DATAPATH_FROM), row_tiles = argument(DATAPATH_ROW_TILES);
    if (!(flags & DATAPATH_TILIZE))
        return from + tile * argument(DATAPATH_FROM_STEP);
    const uint32_t row = datapath_row_bytes(argument(DATAPATH_IN), 32);
    return from + tile / row_tiles * row_tiles * 32 * row + tile % row_tiles * row;
}

int main(void)
{
    const uint32_t flags = argument(DATAPATH_FLAGS), tiles = argument(DATAPATH_TILES),
                   times = repeats(DATAPATH_REPEAT_UNPACK);
    const bool to_dst = (flags & DATAPATH_ROUTE) == DATAPATH_DST;
    const unsigned base = THCON_SEC0_REG3_Base_address_ADDR32 + ((flags & DATAPATH_ROUTE) == DATAPATH_SRCB ? SEC1 : 0);
    configure_unpacker(flags);
    set_unpack_mop(flags);
    TT_SEMINIT(2, 0, 1 << UNPACK_SYNC);
    if (to_dst)
        TT_SEMINIT(2, 0, 1 << MATH_PACK);
    thread_is_done();
    for (uint32_t tile = 0, context = 0; tile < tiles; tile++, context ^= 1) {
        while (kerr_settle(KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC]) >= 2)
            ;
        kerr_cfg_write(base + context, tile_address(tile, flags) / 16 - 1);
        KERR_WORD(PC_BUF_SEMAPHORE)[UNPACK_SYNC] = 0; /* one more in use */
        if (to_dst) {
            TT_SEMWAIT(BLOCK_UNPACK, 1 << MATH_PACK, WHILE_MAX);
            kerr_cfg_rmw_(THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 0xffffu << 16 * context,
                          (ROW_0 + ROW * dst_row(tile)) << 16 * context);
        }
        TT_STALLWAIT(BLOCK_UNPACK, BUSY_RISC_CFG);
        for (uint32_t i = 0; i < times; i++) {
            TT_SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1);
            if (tilize_by_faces(flags))
                unpack_four_faces(base + context);
            else
                TT_MOP(1, 0, 0);
        }
        TT_STALLWAIT(BLOCK_SYNC, BUSY_UNPACK0 | BUSY_UNPACK1);
        TT_SEMGET(1 << UNPACK_SYNC);
        if (to_dst && (tile + 1) % section_tiles() == 0)
            TT_SEMPOST(1 << MATH_PACK);
        TT_RT_SETC16(UNPACK_MISC_CFG_CfgContextOffset_0_ADDR32, context ? 0 : 0x0101);
    }
    finish(tiles);
}

#elif KERR_CORE == KERR_CORE_T1
/* ---- T1: Matrix Unit ----------------------------------------------------------------------------------------------------- */

#define FLIP(a, b) TT_OP_SETRWC(b, a, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1) /* hand back, rows from 0 */

static void configure_matrix(uint32_t flags)
{
    const uint32_t format = argument(DATAPATH_REGISTER) & 15;
    const bool integer = format == DATAPATH_INT8 || format == DATAPATH_INT32;
    const unsigned rows = (flags & DATAPATH_ROUTE) == DATAPATH_SRCB ? 4 : 8;
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcA_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_SrcB_override, 0);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG0_SrcA, format);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG1_SrcB, format);
    KERR_CFG_RMW(ALU_ACC_CTRL_Fp32_enabled, !!(flags & DATAPATH_DST32));
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, !!(flags & DATAPATH_DST32));
    KERR_CFG_RMW(ALU_ACC_CTRL_INT8_math_enabled, integer);
    KERR_CFG_RMW(ALU_ACC_CTRL_Zero_Flag_disabled_src, 1); /* zeros with any mantissa stay what they are */
    TT_RT_SETC16(ADDR_MOD_AB_SEC2_SrcAIncr_ADDR32,
                 KERR_CFG(ADDR_MOD_AB_SEC2_SrcAIncr, rows) | KERR_CFG(ADDR_MOD_AB_SEC2_SrcBIncr, rows));
    KERR_CFG_THREAD(ADDR_MOD_DST_SEC2_DestIncr, rows);
    TT_SETC16(ADDR_MOD_BIAS_SEC2_BiasIncr_ADDR32, 0);
    TT_SETC16(CLR_DVALID_SrcA_Disable_ADDR32, 0);
    KERR_CFG_RMW(DEST_ACCESS_CFG_remap_addrs, !!(flags & DATAPATH_UNTILIZE)); /* strided packer reads need both */
    KERR_CFG_RMW(DEST_ACCESS_CFG_swizzle_32b, !!(flags & DATAPATH_UNTILIZE));
    TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
}

static void set_move_mop(uint32_t flags)
{
    const bool tilize = flags & DATAPATH_TILIZE;
    const uint32_t outer = tilize ? 1 : FACES, rows = tilize ? FACES * 16 : 16;
    if ((flags & DATAPATH_ROUTE) == DATAPATH_SRCB) {
        const uint32_t word = TT_OP_MOVB2D(0, 0, 2, 1, 0, 0, 0);
        set_mop((struct mop){outer, rows / 4, NOP, FLIP(0, 1), NOP, word, NOP, word, word});
    } else if (flags & DATAPATH_ELWADD) {
        const uint32_t word = TT_OP_ELWADD(0, 0, 0, 0, 0, 2, 0);
        set_mop((struct mop){outer, rows / 8, NOP, FLIP(1, 1), NOP, word, NOP, word, word});
    } else {
        const uint32_t word = TT_OP_MOVA2D(0, 0, 2, 1, 0);
        set_mop((struct mop){outer, rows / 8, NOP, FLIP(1, 0), NOP, word, NOP, word, word});
    }
}

/* Hands back one tile unread. */
static void set_drop_mop(uint32_t flags)
{
    const uint32_t count = flags & DATAPATH_TILIZE ? 1 : FACES;
    uint32_t wait = TT_OP_STALLWAIT(BLOCK_MATH, NO_SRCA), flip = FLIP(1, 0);
    if ((flags & DATAPATH_ROUTE) == DATAPATH_SRCB)
        wait = TT_OP_STALLWAIT(BLOCK_MATH, NO_SRCB), flip = FLIP(0, 1);
    else if (flags & DATAPATH_ELWADD)
        wait = TT_OP_STALLWAIT(BLOCK_MATH, NO_SRCA | NO_SRCB), flip = FLIP(1, 1);
    set_mop((struct mop){1, count, NOP, NOP, NOP, wait, flip, flip, flip});
}

int main(void)
{
    const uint32_t flags = argument(DATAPATH_FLAGS), tiles = argument(DATAPATH_TILES),
                   times = repeats(DATAPATH_REPEAT_UNPACK);
    configure_matrix(flags);
    if ((flags & DATAPATH_ROUTE) == DATAPATH_DST) {
        finish(0);
    }
    TT_SEMINIT(2, 0, 1 << MATH_PACK);
    set_move_mop(flags);
    for (uint32_t tile = 0; tile < tiles; tile++) {
        if (times > 1) {
            set_drop_mop(flags);
            for (uint32_t i = 1; i < times; i++)
                TT_MOP(1, 0, 0);
            set_move_mop(flags);
        }
        TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_row(tile));
        TT_SEMWAIT(BLOCK_MATH | BLOCK_SYNC, 1 << MATH_PACK, WHILE_MAX);
        TT_MOP(1, 0, 0);
        TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0);
        TT_STALLWAIT(BLOCK_SYNC | BLOCK_CFG, BUSY_MATH);
        if ((tile + 1) % section_tiles() == 0)
            TT_SEMPOST(1 << MATH_PACK);
    }
    finish(tiles);
}

#elif KERR_CORE == KERR_CORE_T2
/* ---- T2: packer ---------------------------------------------------------------------------------------------------------- */

enum { GPR_TO = 16, GPR_SCRATCH = 17, GPR_HALF = 18 }; /* the last two: which half of Dst */
#define PACK(mode, addr_mod, interfaces, concat, last)                                                                 \
    TT_OP_PACR(0, 0, mode, addr_mod, 0, 0, interfaces, 0, concat, 0, 0, last)

static void write_from_gpr(unsigned word, uint32_t value)
{
    set_gpr(GPR_SCRATCH, value);
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_RT_WRCFG(GPR_SCRATCH, 0, word);
    TT_NOP();
    TT_NOP();
}

/* Left and right halves of a tensor row follow each other in Dst. */
static bool interleaved(uint32_t flags)
{
    return flags & DATAPATH_TILIZE && datapath_tile_bytes(argument(DATAPATH_IN)) != 1024;
}

static void configure_packer(uint32_t flags)
{
    const uint32_t out = argument(DATAPATH_OUT), in = argument(DATAPATH_PACK_IN) & 15;
    const bool exponents = datapath_tile_bytes(out) % 1024 == 64 || datapath_tile_bytes(out) < 1024;
    const uint32_t y_stride = ROW * datum_bytes(in);
    const uint32_t z_stride = (flags & DATAPATH_UNTILIZE || interleaved(flags) ? 2 : 1) * 16 * y_stride;

    TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    write_from_gpr(PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32, KERR_CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride, y_stride));
    write_from_gpr(PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32,
                   KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride, z_stride) |
                       KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_0_Wstride, FACES * 16 * y_stride));
    write_from_gpr(PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, KERR_CFG(PCK0_ADDR_CTRL_ZW_REG_1_Zstride, 16 * y_stride));
    KERR_CFG_RMW(THCON_SEC0_REG1_Pac_LF8_4b_exp, out == DATAPATH_FP8_E4M3);
    KERR_CFG_RMW(THCON_SEC0_REG1_Pack_L1_Acc, !!(flags & DATAPATH_L1_ACCUMULATE));
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG2_Dstacc, in);
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG_Dstacc_override, 0);
    KERR_CFG_RMW(STACC_RELU_ApplyRelu, 0);
    kerr_cfg_write(THCON_SEC0_REG1_Row_start_section_size_ADDR32,
                   KERR_CFG(THCON_SEC0_REG1_Exp_section_size, exponents ? FACES : 0));
    kerr_cfg_write(THCON_SEC0_REG1_Out_data_format_ADDR32, KERR_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1) |
                                                               KERR_CFG(THCON_SEC0_REG1_Out_data_format, out & 15) |
                                                               KERR_CFG(THCON_SEC0_REG1_In_data_format, in));
    kerr_cfg_write(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32,
                   KERR_CFG(PCK_DEST_RD_CTRL_Read_32b_data, !!(flags & DATAPATH_DST32)) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Read_int8, !(flags & DATAPATH_DST32) && in == DATAPATH_INT8) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Read_unsigned, out == DATAPATH_UINT8) |
                       KERR_CFG(PCK_DEST_RD_CTRL_Round_10b_mant, !!(flags & DATAPATH_ROUND_10_BITS)));
    kerr_cfg_write(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32,
                   KERR_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1));
    kerr_cfg_write(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, KERR_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff));
    kerr_cfg_write(TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32, 0);
    TT_SETADCXX(1, 0, 0, ROW - 1, 0);
    set_gpr(GPR_HALF, 0);
    set_gpr(GPR_HALF + 1, HALF_DST);
}

/* Sixteen PACRs of four rows.  Channel 0 (Dst) counts rows and faces; the end of a tile sets both back. */
static void set_pack_mop(void)
{
    TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32,
              KERR_CFG(ADDR_MOD_PACK_SEC0_YsrcIncr, 4) | KERR_CFG(ADDR_MOD_PACK_SEC0_YdstIncr, 4));
    TT_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC1_YdstClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC1_ZsrcClear, 1));
    TT_SETC16(ADDR_MOD_PACK_SEC2_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC2_YsrcClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_YdstIncr, 4) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_ZsrcIncr, 1));
    set_mop(
        (struct mop){FACES, 16 / 4, NOP, NOP, NOP, PACK(0, 0, 0, 0, 0), NOP, PACK(0, 1, 0, 0, 1), PACK(0, 2, 0, 0, 0)});
}

/* After a tileized unpack, tensor row r is in Dst rows 2r (left half) and 2r + 1 (right half): the left face takes every other
 * row (read interfaces 0 and 2), then the right one, and the same again for the faces below. */
static void set_pack_tilize_mop(void)
{
    TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32,
              KERR_CFG(ADDR_MOD_PACK_SEC0_YsrcIncr, 4) | KERR_CFG(ADDR_MOD_PACK_SEC0_YdstIncr, 2));
    TT_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32,
              KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcClear, 1) | KERR_CFG(ADDR_MOD_PACK_SEC1_YdstClear, 1));
    TT_SETC16(ADDR_MOD_PACK_SEC2_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC2_YsrcClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_YdstClear, 1) |
                                                      KERR_CFG(ADDR_MOD_PACK_SEC2_ZsrcIncr, 1));
    TT_REPLAY(0, 15, 0, 1);
    for (unsigned i = 0; i < 7; i++)
        TT_PACR(0, 0, 0, 0, 0, 0, 5, 0, 1, 0, 0, 0);
    TT_PACR(0, 0, 0, 1, 0, 0, 5, 0, 1, 0, 0, 0);
    for (unsigned i = 0; i < 7; i++)
        TT_PACR(0, 0, 0, 0, 0, 0, 10, 0, 1, 0, 0, 0);
    set_mop((struct mop){2, 1, NOP, NOP, NOP, TT_OP_REPLAY(0, 15, 0, 0), PACK(0, 2, 10, 0, 0), PACK(0, 2, 10, 0, 1),
                         PACK(0, 2, 10, 0, 0)});
}

/* For each of 16 rows: that row of the two upper (or lower) faces of every tile of the section, W being the tile, then the
 * output address goes on by a row of the matrix. */
static void set_pack_untilize_mop(void)
{
    TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32, 0);
    TT_SETC16(ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, KERR_CFG(ADDR_MOD_PACK_SEC1_YsrcIncr, 1));
    const uint32_t row_bytes = datapath_row_bytes(argument(DATAPATH_OUT), 32 * argument(DATAPATH_ROW_TILES));
    write_from_gpr(SCRATCH_SEC2_val_ADDR32, row_bytes / 16);
    TT_REPLAY(0, 2, 0, 1);
    TT_CFGSHIFTMASK(1, 3, 31, 0, 3, THCON_SEC0_REG1_L1_Dest_addr_ADDR32); /* add SCRATCH_SEC2 */
    TT_NOP();
    set_mop((struct mop){16, argument(DATAPATH_ROW_TILES), TT_OP_ADDRCRZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0),
                         TT_OP_REPLAY(0, 2, 0, 0), NOP, TT_OP_INCADCZW(1, 0, 0, 0, 0, 0, 1, 0), PACK(1, 0, 3, 0, 0),
                         PACK(1, 1, 3, 0, 1), PACK(1, 1, 3, 0, 1)});
}

static void set_output(uint32_t address)
{
    set_gpr(GPR_TO, 1u << 31 | (address / 16 - 1));
    TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
    TT_WRCFG(GPR_TO, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32);
    TT_DMANOP();
    TT_DMANOP();
}

static void pack_section(uint32_t address, uint32_t flags)
{
    set_output(address);
    if (flags & DATAPATH_UNTILIZE) {
        TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1);
        TT_SETADC(1, 0, 0, 0, 3, 15); /* W is counted up before each PACR */
        TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1);
        for (unsigned i = 0; i < 2; i++) {
            TT_MOP(1, 0, 0);
            TT_INCADCZW(1, 0, 0, 0, 0, 0, 0, 1);
            TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0);
        }
    } else {
        TT_MOP(1, 0, 0);
    }
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1);
}

int main(void)
{
    const uint32_t flags = argument(DATAPATH_FLAGS), tiles = argument(DATAPATH_TILES),
                   times = repeats(DATAPATH_REPEAT_PACK);
    configure_packer(flags);
    if (flags & DATAPATH_UNTILIZE)
        set_pack_untilize_mop();
    else if (interleaved(flags))
        set_pack_tilize_mop();
    else
        set_pack_mop();
    TT_STALLWAIT(BLOCK_TDMA, BUSY_RISC_CFG);
    for (uint32_t tile = 0, half = 0; tile < tiles; tile += section_tiles(), half ^= 1) {
        TT_STALLWAIT(BLOCK_CFG, BUSY_THCON);
        TT_RT_WRCFG(GPR_HALF + half, 0, DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
        TT_DMANOP();
        TT_DMANOP();
        TT_SEMWAIT(BLOCK_TDMA | BLOCK_SYNC, 1 << MATH_PACK, WHILE_ZERO);
        for (uint32_t i = 0; i < times; i++)
            pack_section(argument(DATAPATH_TO) + tile * argument(DATAPATH_TO_STEP), flags);
        TT_STALLWAIT(BLOCK_SYNC, BUSY_PACK);
        TT_SEMGET(1 << MATH_PACK);
    }
    finish(tiles);
}
#endif

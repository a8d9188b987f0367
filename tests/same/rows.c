/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of expanded instructions, which the engine does in one go, against the plain path: a trace of the coprocessor takes that
 * one.  Each thread of a tile, or some of them, gets a program of MOPs, playbacks and single pushes of instructions that
 * differ in unit, in occupancy, in what they leave for later and in what they wait for; its core waits now and then for the end of
 * MOPs or of everything.  Hashes at checkpoints must be equal, and so with slices, windows and a restored chip.
 *
 * Some are of the Matrix Unit: T1 fills SrcA and SrcB by way of Dst and multiplies, adds and pools with address modes, formats,
 * phases and blocks of Dst at random, among them those that it has just written (tensix/matrix/row.h).
 *
 * About every third program is one of data: T0 unpacks tiles of FP32, T2 packs rows of Dst, with counters, tiles that end and
 * formats at random (tensix/pack/plan.h).
 *
 * Every sixth seed: a core pushes MOPs of playbacks for the Vector Unit, or for the Matrix Unit, into a FIFO that is full most of the
 * time, with work of its own between (tensix/pushing.h).
 *
 * Every seventeenth: a core fills its FIFO before it pushes in rows, in half of these with words that are swallowed among them.
 *
 * Every thirteenth seed: T2 packs rows of tiles to a matrix, a MOP of many at a time, as untilize does.
 *
 * Every eleventh seed: a core pushes MOPs of playbacks for the Vector Unit in a loop within a loop,
 * in some beside a thread that does so with others.
 *
 * Another of eleven: T2 packs the same tiles over and over, in a loop that calls a function or does not.  Behind
 * each look the host writes over them, so that tiles that were not packed show.
 *
 * Every fourth seed: RISCV B is busy beside them with L1, an NIU, a stream and registers of the coprocessor.
 *
 * Every fifth seed: the three threads hand items on to each other, semaphore by semaphore, in loops that come back the same.
 * Every eighth seed threads do so without each other; half of these have long loops and run longer.
 *
 *   rows [SEEDS [FIRST_SEED [quick]]]      quick: against no fast mechanism alone */
#include "../support/chip.h"
#include "../support/row_words.h"
#include "../support/saved.h"
#include "../support/tap.h"
#include "kerr_findings.h"

#include "cfg_fields.h"

enum { CHECKPOINTS = 14, THREADS = 3, PROGRAM = 0x10000, PROGRAM_BYTES = 0x8000 };
static const uint64_t checkpoint[CHECKPOINTS] = {60,   151,  330,  601,  1003, 1555, 2222,
                                                 3333, 5005, 5404, 5907, 6451, 7002, 9999};
#define MOP_CFG 0xFFB80000u
#define CONFIG 0xFFEF0000u
#define INSTRN_BUF 0xFFE40000u
#define SYNC_DONE 0xFFE80004u /* CoprocessorDoneCheck; the word behind it: MOPExpanderDoneCheck */

typedef struct variant {
    const char *name;
    uint32_t threads, window_cycles, slice, trace;
    bool no_parking, saved;
    uint32_t checks;
    bool in_turns;    /* slices come back the same */
    uint32_t without; /* kerr_fast_at */
    bool drawn;       /* ... by seed */
} variant;

static const variant variants[] = {
    {"the plain path", 1, 0, 0, KERR_TRACE_TENSIX | KERR_TRACE_PARKING, false, false, 0, false, 0, false},
    {"the plain path in slices", 1, 0, 50, KERR_TRACE_TENSIX | KERR_TRACE_PARKING, false, false, 0, false, 0, false},
    {"slices of 1 to 3 cycles", 1, 0, 3, 0, false, false, 0, false, 0, false},
    {"slices that come back", 1, 0, 0, 0, false, false, 0, true, 0, false},
    {"windows of 7 cycles", 2, 7, 0, 0, false, false, 0, false, 0, false},
    {"no parking", 1, 0, 0, 0, true, false, 0, false, 0, false},
    {"saving and restoring", 1, 0, 0, 0, false, true, 0, false, 0, false},
    {"all checks", 1, 0, 0, 0, false, false, KERR_CHECK_ALL, false, 0, false},
    {"all checks, saving and restoring", 1, 0, 0, 0, false, true, KERR_CHECK_ALL, false, 0, false},
    {"no fast mechanism", 1, 0, 0, 0, false, false, 0, false, UINT32_MAX, false},
    {"some fast mechanisms", 1, 0, 0, 0, false, false, 0, false, 0, true},
};

static void on_trace(void *context, const kerr_trace_event *event)
{
    (void)context, (void)event;
}

/* ---- Programs ------------------------------------------------------------------------------ */

static void push(rvasm *a, uint32_t word)
{
    rva(a, word << 2 | word >> 30);
}

static void wait_for(rvasm *a, unsigned what)
{
    rva_li(a, 5, SYNC_DONE);
    rva(a, rv_lw(6, (int32_t)(4 * what), 5));
    rva(a, rv_add(6, 6, 6));
}

static void config(rvasm *a, unsigned word, uint32_t value)
{
    rva_li(a, 5, CONFIG);
    rva_li(a, 6, value);
    rva(a, rv_sw(6, (int32_t)(4 * word), 5));
}

/* Tiles of four faces, FP32, to SrcA. */
static void set_up_unpacker(rvasm *a)
{
    config(a, THCON_SEC0_REG0_TileDescriptor_ADDR32, 1u << THCON_SEC0_REG0_TileDescriptor_IsUncompressed_SHAMT);
    config(a, THCON_SEC0_REG0_TileDescriptor_ADDR32 + 1, 1 | 4 << 16);
    config(a, THCON_SEC0_REG2_Out_data_format_ADDR32, 4 | 2 << 4);
    config(a, THCON_SEC0_REG2_Out_data_format_ADDR32 + 1, 0xF000F);
    config(a, THCON_SEC0_REG3_Base_address_ADDR32, 0x8000 / 16 - 1);
    config(a, THCON_SEC0_REG5_Dest_cntx0_address_ADDR32, 64);
    config(a, THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR32, 256);
    push(a, 0xB2000000u | 5 << 16 | 4);           /* SETC16 SRCA_SET */
    push(a, 0x5E000000u | 1u << 21 | 255u << 10); /* SETADCXX of unpacker 0 */
}

static void set_up_packer(rvasm *a, test_random *random, bool plain)
{
    static const uint8_t formats[][2] = {{5, 5}, {0, 0}, {5, 6}, {5, 7}, {0, 5}}; /* in, out: BF16, FP32, BFP8, BFP4 */
    static const uint16_t modes[4] = {4 | 4 << 6, 1u << 5 | 1u << 11, 1u << 5 | 4 << 6 | 1u << 12, 3};
    const unsigned which = test_below(random, sizeof formats / sizeof *formats);
    const uint8_t *format = formats[plain && which < 4 ? 0 : which];
    const uint32_t row = 16u << (format[0] == 5 ? 1 : 2);
    config(a, PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32, row << 16);
    config(a, PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32, 16 * row);
    config(a, THCON_SEC0_REG1_L1_Dest_addr_ADDR32, 0x40000 / 16 - 1);
    config(a, THCON_SEC0_REG1_Row_start_section_size_ADDR32, 4u << THCON_SEC0_REG1_Exp_section_size_SHAMT);
    config(a, THCON_SEC0_REG1_Out_data_format_ADDR32,
           1u << THCON_SEC0_REG1_Disable_zero_compress_SHAMT |
               (uint32_t)format[1] << THCON_SEC0_REG1_Out_data_format_SHAMT |
               (uint32_t)format[0] << THCON_SEC0_REG1_In_data_format_SHAMT);
    if (format[1] < 6 && !plain && test_below(random, 6) == 0) /* L1 adds no BFP */
        config(a, THCON_SEC0_REG1_Pack_L1_Acc_ADDR32,
               1u << THCON_SEC0_REG1_Pack_L1_Acc_SHAMT | 0xFFFFu << THCON_SEC0_REG1_Downsample_mask_SHAMT);
    config(a, ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32, (uint32_t)format[0] << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT);
    config(a, PCK_DEST_RD_CTRL_Read_32b_data_ADDR32, format[0] == 0);
    config(a, PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32, 1u << PACK_COUNTERS_SEC0_pack_reads_per_xy_plane_SHAMT);
    config(a, PCK_EDGE_OFFSET_SEC0_mask_ADDR32, 0xFFFF);
    for (unsigned i = 0; i < 4; i++)
        push(a, 0xB2000000u | (ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + i) << 16 | modes[i]); /* SETC16 */
    push(a, 0x5E000000u | 4u << 21 | 15u << 10);                                          /* SETADCXX */
}

static void set_config16(rvasm *a, unsigned word, uint32_t value)
{
    push(a, 0xB2u << 24 | word << 16 | value); /* SETC16 */
}

/* Numbers from the Vector Unit by way of Dst to both banks of SrcA and SrcB, which stay the Matrix Unit's. */
static void set_up_matrix(rvasm *a, test_random *random, program_kind kind)
{
    static const uint8_t formats[] = {5, 5, 5, 5, 4, 1, 0}; /* BF16, TF32, FP16, FP32 */
    const uint32_t a_format = formats[test_below(random, sizeof formats)];
    const uint32_t b_format = test_below(random, 4) ? a_format : 5, how = test_below(random, 64);
    set_config16(a, CLR_DVALID_SrcA_Disable_ADDR32, 3);
    set_config16(a, DISABLE_IMPLIED_SRCA_FMT_Base_ADDR32, 1);
    set_config16(a, DISABLE_IMPLIED_SRCB_FMT_Base_ADDR32, 1);
    set_config16(a, DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 64 * test_below(random, 16));
    set_config16(a, FIDELITY_BASE_Phase_ADDR32, test_below(random, 4));
    push(a, 0x57u << 24 | 3); /* SETDVALID */
    push(a, 0x57u << 24 | 3);
    for (unsigned bank = 0; bank < 2; bank++) {
        for (unsigned row = 0; row < 64; row += 4) {
            push(a, 0x71u << 24 | 0x3C00u | test_below(random, 1u << 16)); /* SFPLOADI of BF16 */
            push(a, 0x72u << 24 | 2u << 16 | row);                         /* SFPSTORE as BF16 */
            push(a, 0x02u << 24), push(a, 0x02u << 24);
            push(a, 0x08u << 24 | row << 17 | 3u << 14 | 1u << 13 | row); /* MOVD2A */
            push(a, 0x0Au << 24 | row << 17 | 3u << 14 | 1u << 13 | row); /* MOVD2B */
        }
        push(a, 0x37u << 24 | 3u << 22); /* SETRWC: the other bank */
    }
    for (unsigned i = 0; i < 8; i++) {
        const uint32_t any = test_below(random, 1u << 16), other = test_below(random, 1u << 16);
        set_config16(a, ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + i,
                     any & (kind == ELEMENTS ? 0x7F7F | other : 0x3870 | (other & 0xFF80)));
        set_config16(a, ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + i, other & (i % 4 == 0 ? 0xFFFF : 0x2438));
    }
    config(a, ALU_FORMAT_SPEC_REG0_SrcA_ADDR32,
           a_format << ALU_FORMAT_SPEC_REG0_SrcA_SHAMT | b_format << ALU_FORMAT_SPEC_REG1_SrcB_SHAMT |
               (how & 1) << ALU_ACC_CTRL_Fp32_enabled_SHAMT |
               (uint32_t)(how >> 4 == 3) << ALU_ACC_CTRL_INT8_math_enabled_SHAMT);
    if ((how >> 1 & 7) == 5) /* rows behind ZEROACC are what they hold */
        config(a, ALU_ACC_CTRL_Zero_Flag_disabled_dst_ADDR32, ALU_ACC_CTRL_Zero_Flag_disabled_dst_MASK);
    config(a, DEST_ACCESS_CFG_remap_addrs_ADDR32, test_below(random, 4) ? 0 : test_below(random, 4));
}

/* Once all of it is there. */
static void set_up(rvasm *a, test_random *random, unsigned thread, program_kind kind)
{
    if (kind == MATRIX || kind == ELEMENTS)
        set_up_matrix(a, random, kind);
    else if (thread == 0)
        set_up_unpacker(a);
    else if (thread == 2)
        set_up_packer(a, random, false);
    push(a, 0xA2000000u | 0x1FFu << 15 | 1u << 10); /* STALLWAIT */
}

static void set_mop(rvasm *a, test_random *random, unsigned thread, bool uniform, program_kind kind)
{
    uint32_t loop = row_word(random, thread, kind), cfg[9] = {1 + test_below(random, 3), 1 + test_below(random, 40)};
    for (unsigned i = 2; i < 9; i++)
        cfg[i] = uniform ? 0x02u << 24 : row_word(random, thread, kind);
    cfg[5] = cfg[7] = cfg[8] = loop;
    if (test_below(random, 3) == 0) {
        const uint32_t play = replay(test_below(random, 8), 1 + test_below(random, 20), 0);
        cfg[test_below(random, 2) ? 3 : 5] = play;
    }
    if (test_below(random, 2))
        cfg[6] = 0x02u << 24;
    wait_for(a, 1);
    rva_li(a, 5, MOP_CFG);
    for (unsigned i = 0; i < 9; i++) {
        rva_li(a, 6, cfg[i]);
        rva(a, rv_sw(6, (int32_t)(4 * i), 5));
    }
}

static rvasm *program(test_random *random, unsigned thread, program_kind kind)
{
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    if (kind == DATA || ((kind == MATRIX || kind == ELEMENTS) && thread == 1))
        set_up(a, random, thread, kind);
    const bool uniform = test_below(random, 3) == 0, nops = test_below(random, 5) == 0;
    const bool passes = kind == VECTOR && test_below(random, 2); /* what is recorded is executed, too */
    push(a, replay(0, 31, passes ? 3 : 1));
    for (unsigned i = 0; i < 31; i++)
        push(a, nops ? 0x02u << 24 : row_word(random, thread, kind));
    set_mop(a, random, thread, uniform, kind);
    for (unsigned n = 5 + test_below(random, 40); n != 0; n--) {
        const unsigned what = test_below(random, 12);
        if (what < 6 && !(kind == VECTOR && what % 2))
            push(a, 0x01u << 24 | 1u << 23); /* MOP */
        else if (what < 8)
            push(a, replay(test_below(random, 8), 1 + test_below(random, 23), 0));
        else if (what < 9)
            wait_for(a, test_below(random, 2));
        else if (what < 10)
            set_mop(a, random, thread, uniform, kind);
        else
            for (unsigned k = test_below(random, 30); k != 0; k--)
                push(a, row_word(random, thread, kind));
    }
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* What a thread does for an item: it waits for the one before it, and for room behind. */
static unsigned item(test_random *random, unsigned thread, uint32_t word[31])
{
    const bool any = test_below(random, 3) == 0; /* otherwise only what schedules have */
    unsigned n = 0;
    for (unsigned part = 0; part < 3; part++) {
        for (unsigned k = test_below(random, part == 1 ? 6 : 3); k != 0; k--) {
            do
                word[n] = other_word(random, thread);
            while (word[n] >> 24 == 0xA4 || word[n] >> 24 == 0xA5 ||
                   (!any && (word[n] >> 24 == 0x8F || word[n] >> 24 == 0xA2 || word[n] >> 24 == 0x38)));
            n++;
        }
        if (part == 0 && thread != 0) {
            word[n++] = 0xA6u << 24 | 0x1FFu << 15 | 4u << thread | 1; /* SEMWAIT while 0 */
            word[n++] = 0xA5u << 24 | 4u << thread;                    /* SEMGET */
        } else if (part == 1 && thread != 2) {
            word[n++] = 0xA6u << 24 | 2u << 15 | 8u << thread | 2; /* SEMWAIT while at Max */
            word[n++] = 0xA4u << 24 | 8u << thread;                /* SEMPOST */
        }
    }
    return n;
}

static rvasm *pipeline(test_random *random, unsigned thread, unsigned items)
{
    static const uint8_t of_mop[] = {1, 2, 3, 4, 6, 12, 24, 48};
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    uint32_t word[31];
    const unsigned count = item(random, thread, word), inner = of_mop[test_below(random, sizeof of_mop)];
    const bool singly = test_below(random, 16) == 0; /* pushed one by one */
    for (unsigned i = 1; i <= 2 && thread == 0; i++)
        push(a, 0xA3u << 24 | (1 + test_below(random, 3)) << 20 | 4u << i); /* SEMINIT */
    push(a, replay(0, count, 1));
    for (unsigned i = 0; i < count; i++)
        push(a, word[i]);
    wait_for(a, 1);
    rva_li(a, 5, MOP_CFG);
    for (unsigned i = 0; i < 9; i++) {
        const uint32_t play = replay(0, count, 0),
                       cfg[9] = {1, inner, 0x02u << 24, 0x02u << 24, 0x02u << 24, play, 0x02u << 24, play, play};
        rva_li(a, 6, cfg[i]);
        rva(a, rv_sw(6, (int32_t)(4 * i), 5));
    }
    rva_li(a, 7, items / (singly ? 1 : inner));
    const size_t again = a->count;
    if (singly)
        for (unsigned i = 0; i < count; i++)
            push(a, word[i]);
    else
        push(a, 0x01u << 24 | 1u << 23); /* MOP */
    rva(a, rv_addi(7, 7, -1));
    rva(a, rv_bne(7, 0, 4 * ((int32_t)again - (int32_t)a->count)));
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* What such loops push, and now and then something else. */
static uint32_t looping(test_random *random, unsigned thread, bool any)
{
    static const uint8_t arithmetic[] = {0x58, 0x58, 0x59, 0x5A}; /* ADDDMAREG, SUBDMAREG, MULDMAREG */
    const uint32_t few = test_below(random, 1u << 24);
    if (any && test_below(random, 50) == 0)
        return other_word(random, thread);
    switch (test_below(random, 12)) {
    case 0:
    case 1: return 0x02u << 24; /* NOP */
    case 2:
    case 3: /* of few registers, or with a constant */
        return (uint32_t)arithmetic[few % 4] << 24 | (few & 1u << 23) | (2 + (few >> 4 & 3)) << 12 |
               (1 + (few >> 6 & 3)) << 6 | (1 + (few >> 8 & 3));
    case 4: return 0x45u << 24 | (few & 0xFFFF00) | (2 + (few & 7));            /* SETDMAREG */
    case 5: return 0xB0u << 24 | (1 + (few & 3)) << 16 | (12 + (few >> 4 & 3)); /* WRCFG */
    case 6: return 0xB1u << 24 | (1 + (few & 3)) << 16 | (12 + (few >> 4 & 3)); /* RDCFG */
    case 7:
        return (0xB3u + (few & 3)) << 24 | (few >> 4 & 0xFF) << 16 | (few & 0xFF00) | (12 + (few >> 22)); /* RMWCIB */
    case 8: return 0xB2u << 24 | (28 + thread) << 16 | (few & 0xFFFF);                                    /* SETC16 */
    case 9: return any ? 0xB2u << 24 | (few & 1) : 0x02u << 24;             /* the other bank */
    case 10: return (few & 1 ? 0xA4u : 0xA5u) << 24 | 4u << (few >> 4 & 3); /* SEMPOST, SEMGET */
    default: return 0x02u << 24;
    }
}

/* A core that pushes in a loop; a long one: many instructions a push. */
static rvasm *loops(test_random *random, unsigned thread, bool is_long)
{
    static const int8_t steps[] = {-1, -1, -1, 1, 1, 2, -2, 3, -5};
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    const bool any = test_below(random, 6) == 0, nops = test_below(random, 4) == 0;
    const unsigned few = test_below(random, 3) ? 4 : 40;
    const unsigned count = is_long ? 16 : 1 + test_below(random, 16),
                   pushes = 1 + test_below(random, is_long ? 2 : few);
    const unsigned inner = 1 + test_below(random, !is_long && test_below(random, 2) ? 4 : 30);
    const uint32_t nop = 0x02u << 24, play = replay(0, count, 0),
                   loop = is_long || test_below(random, 3) ? play : looping(random, thread, any);
    const int32_t step = steps[test_below(random, sizeof steps)], limit = test_below(random, 2) ? 0 : 77;
    const int32_t rounds = (int32_t)(20 + test_below(random, test_below(random, 4) ? 2000 : 60));
    for (unsigned i = 1; i < 6; i++)
        push(a, 0x45u << 24 | test_below(random, 1u << 16) << 8 | 2 * i); /* SETDMAREG */
    push(a, replay(0, count, 1));
    for (unsigned i = 0; i < count; i++)
        push(a, nops ? nop : looping(random, thread, any));
    wait_for(a, 1);
    rva_li(a, 5, MOP_CFG);
    const uint32_t end = test_below(random, 2) ? nop : play,
                   cfg[9] = {1 + test_below(random, 2), inner, nop, end, nop, loop, nop, loop, loop};
    for (unsigned i = 0; i < 9; i++) {
        rva_li(a, 6, cfg[i]);
        rva(a, rv_sw(6, (int32_t)(4 * i), 5));
    }
    rva_li(a, 9, INSTRN_BUF);
    rva_li(a, 10, test_below(random, 2) ? nop : play);
    rva_li(a, 11, (uint32_t)limit);
    rva_li(a, 7, (uint32_t)(limit - rounds * step));
    const size_t again = a->count;
    const unsigned counts = test_below(random, pushes + 1);
    for (unsigned i = 0; i < pushes; i++) {
        const unsigned what = test_below(random, pushes > 8 ? 60 : 12);
        if (i == counts)
            rva(a, rv_addi(7, 7, step));
        if (what < 4 || is_long)
            push(a, 0x01u << 24 | 1u << 23); /* MOP */
        else if (what < 6)
            push(a, play);
        else if (what < 8)
            rva(a, rv_sw(10, 0, 9));
        else
            push(a, nops ? nop : looping(random, thread, any));
        if (test_below(random, 16) == 0)
            rva(a, rv_addi(12, 0, (int32_t)i));
        if (any && test_below(random, 32) == 0)
            rva(a, test_below(random, 2) ? rv_add(13, 13, 7) : rv_sw(7, 0x100, 0));
    }
    if (counts == pushes)
        rva(a, rv_addi(7, 7, step));
    rva(a, limit == 0 && test_below(random, 2) ? rv_bne(7, 0, 4 * ((int32_t)again - (int32_t)a->count))
                                               : rv_bne(11, 7, 4 * ((int32_t)again - (int32_t)a->count)));
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* Of the Vector Unit, with nothing special about it, most of the time. */
static uint32_t plain_vector_instruction(test_random *random)
{
    for (;;) {
        const uint32_t word = vector_word(random), op = word >> 24;
        const bool special = op == 0x87 || op == 0x88 || op == 0x91 || op == 0x94 || op == 0x8E;
        if (!special || test_below(random, 500) == 0)
            return word;
    }
}

/* The same of the Matrix Unit; and those of one kind only, now and then. */
static uint32_t plain_matrix_instruction(test_random *random, program_kind kind)
{
    for (;;) {
        const uint32_t word = matrix_word(random, kind), op = word >> 24;
        const bool special = op < 0x26 || op > 0x34 || op == 0x33;
        if (!special || test_below(random, 100) == 0)
            return word;
    }
}
/* One of those that kernels have most, about which nothing is special. */
static uint32_t coded_vector_instruction(test_random *random)
{
    static const struct {
        uint8_t opcode, modes; /* bit i: mode i, of the first eight */
    } coded[] = {{0x79, 0x77}, {0x79, 0x33}, {0x7A, 0xA2}, {0x7B, 0x55}, {0x7B, 0x11}, {0x7C, 0x07},
                 {0x7D, 0x02}, {0x7E, 0xFF}, {0x7F, 0xFF}, {0x80, 0xFF}, {0x8D, 0xFF}, {0x82, 0x02},
                 {0x77, 0x03}, {0x84, 0x0F}, {0x84, 0x0F}, {0x85, 0x0F}, {0x86, 0x0F}, {0x99, 0x01}};
    const uint32_t any = test_below(random, 1u << 24), modes = 0x0423, Mod0 = modes >> 4 * (any >> 20 & 3) & 15;
    switch (test_below(random, 12)) {
    case 0: return 0x8Au << 24 | 3u << 12 | 10;
    case 1: return 0x70u << 24 | (any & 0x300000) | (Mod0 ? Mod0 : 4u) << 16 | (any & 0xE03E);
    case 2: return 0x72u << 24 | (any & 0x300000) | (Mod0 ? Mod0 : 4u) << 16 | (any & 0xE03E);
    case 3: return 0x71u << 24 | (any & 0x30FFFF) | (any >> 16 & 3 ? 0 : 2u << 16);
    case 4: return any & 3 ? 0x73u << 24 | (any & 0x300000) | (any & 4) << 16 : 0x38u << 24 | 2u << 14;
    default: {
        const unsigned i = test_below(random, sizeof coded / sizeof *coded);
        unsigned mode = any & 7;
        while (!(coded[i].modes >> mode & 1))
            mode = (mode + 1) & 7;
        return (uint32_t)coded[i].opcode << 24 | (any & 0xFF3330) | mode;
    }
    }
}

static uint32_t train_instruction(test_random *random, program_kind kind, bool coded)
{
    return kind != VECTOR ? plain_matrix_instruction(random, kind)
           : coded        ? coded_vector_instruction(random)
                          : plain_vector_instruction(random);
}

static rvasm *train(test_random *random, unsigned thread, program_kind kind)
{
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    const bool coded = kind == VECTOR && test_below(random, 2);
    const unsigned count = 2 + test_below(random, 20), deep = test_below(random, 3), first = test_below(random, 3);
    const uint32_t nop = 0x02u << 24, play = replay(first, count - deep / 2, 0);
    const uint32_t mop = test_below(random, 3) ? 0x01u << 24 | 1u << 23 : play; /* or playbacks, pushed one by one */
    const bool stores = test_below(random, 2), odd = test_below(random, 4) == 0, numbers = kind != VECTOR;
    const uint32_t last = odd       ? row_word(random, thread, kind)
                          : numbers ? replay(first, 1 + test_below(random, count), 0)
                                    : play;
    const uint32_t cfg[9] = {1 + test_below(random, numbers ? 5 : 2),
                             1 + test_below(random, numbers && test_below(random, 2) ? 2 : 9),
                             odd && deep ? last : nop,
                             test_below(random, 8) ? nop : play,
                             nop,
                             play,
                             numbers && test_below(random, 8) == 0 ? last : nop,
                             last,
                             numbers && test_below(random, 2) ? last : play};
    if (numbers)
        set_up(a, random, thread, kind);
    push(a, 0x8Au << 24 | 3u << 12 | 10); /* SFPENCC */
    push(a, replay(first, count, 1));
    for (unsigned i = 0; i < count; i++)
        push(a, deep != 1 || count < 4 || numbers     ? train_instruction(random, kind, coded)
                : i == 0                              ? 0x87u << 24 /* SFPPUSHC */
                : i == count - 1                      ? 0x88u << 24
                : coded && test_below(random, 4) == 0 ? 0x8Bu << 24 /* SFPCOMPC */
                                                      : train_instruction(random, kind, coded));
    wait_for(a, 1);
    rva_li(a, 5, MOP_CFG);
    for (unsigned i = 0; i < 9; i++) {
        rva_li(a, 6, cfg[i]);
        rva(a, rv_sw(6, (int32_t)(4 * i), 5));
    }
    rva_li(a, 7, 20 + test_below(random, 200));
    rva_li(a, 9, INSTRN_BUF);
    rva_li(a, 10, mop);
    const size_t again = a->count;
    for (unsigned n = 1 + test_below(random, 3); n != 0; n--) {
        if (stores)
            rva(a, rv_sw(10, 0, 9));
        else
            push(a, mop);
        for (unsigned k = test_below(random, 12); k != 0; k--)
            rva(a, rv_add(8, 8, 7));
        if (test_below(random, 4) == 0)
            push(a, numbers || test_below(random, 2) ? train_instruction(random, kind, coded)
                                                     : other_word(random, thread));
        if (test_below(random, 6) == 0) /* MOP_CFG, or a store to L1 */
            rva(a, test_below(random, 2) ? (0x03u << 24) << 2 : rv_sw(8, (int32_t)(4 * test_below(random, 8)), 0));
    }
    /* Now and then for about as long as a MOP takes: there is room then where it was none. */
    rva(a, rv_andi(11, 7, (int32_t)(1u << test_below(random, 4)) - 1));
    rva(a, rv_bne(11, 0, 4 * 4));
    rva(a, rv_addi(11, 0, (int32_t)(1 + test_below(random, 300))));
    rva(a, rv_addi(11, 11, -1));
    rva(a, rv_bne(11, 0, -4));
    rva(a, rv_addi(7, 7, -1));
    rva(a, rv_bne(7, 0, 4 * ((int32_t)again - (int32_t)a->count)));
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* One push a cycle, as firmware has it, with the cache's fusing off: long stretches of them, so that the FIFO is full and core and thread go
 * on side by side. */
static rvasm *pushes(test_random *random, unsigned thread, program_kind kind, bool swallowed)
{
    enum { DIS_TRISC_CACHE = 1 << 18 };
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    const bool coded = test_below(random, 2), waits = test_below(random, 3) == 0;
    if (kind != VECTOR)
        set_up(a, random, thread, kind);
    rva_li(a, 5, DIS_TRISC_CACHE);
    rva(a, rv_csrrs(0, CSR_cfg0, 5));
    push(a, 0x8Au << 24 | 3u << 12 | 10); /* SFPENCC */
    push(a, replay(0, 28, 1));
    for (unsigned i = 0; i < 28; i++)
        push(a, train_instruction(random, VECTOR, coded));
    rva_li(a, 7, 4 + test_below(random, 30));
    rva_li(a, 9, INSTRN_BUF);
    rva_li(a, 10, train_instruction(random, VECTOR, coded));
    const size_t again = a->count;
    for (unsigned i = 0; i < 2; i++) /* meanwhile the core fills the FIFO */
        push(a, replay(test_below(random, 8), 20, 0));
    for (unsigned n = 2 + test_below(random, 7); n != 0; n--) {
        const unsigned what = test_below(random, 16), count = 1 + test_below(random, 31);
        if (what < 4) /* recorded, and mostly executed */
            push(a, replay(test_below(random, 4), count < 20 ? count : 20, what ? 3 : 1));
        else if (what < 7)
            push(a, replay(test_below(random, 8), count < 20 ? count : 20, 0));
        else if (what < 9)
            push(a, other_word(random, thread));
        else if (what < 10)
            rva(a, rv_sw(10, 0, 9));
        else if (what < 11)
            rva(a, rv_add(8, 8, 7));
        if (swallowed)
            push(a, n & 1 ? 0x03u << 24 : 0x05u << 24); /* MOP_CFG, RESOURCEDECL */
        for (unsigned k = what == 12 ? 0 : count; k != 0; k--)
            push(a, waits && test_below(random, 40) == 0 ? other_word(random, thread)
                    : kind == VECTOR                     ? train_instruction(random, VECTOR, coded)
                    : test_below(random, 6) ? 0x52u << 24 /* INCADCXY: those that take longer come one by one */
                                            : row_word(random, thread, kind));
    }
    rva(a, rv_addi(7, 7, -1));
    rva(a, rv_bne(7, 0, 4 * ((int32_t)again - (int32_t)a->count)));
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* One with no bit set that has no meaning. */
static uint32_t clean_vector_instruction(test_random *random)
{
    const uint32_t any = test_below(random, 1u << 24), registers = any & 0x330, move = (any & 0x30003E) | 7u << 13;
    switch (test_below(random, 12)) {
    case 0: return 0x79u << 24 | (any & 0xFFF000) | registers | 5; /* SFPIADD of a number */
    case 1: return 0x79u << 24 | registers | (any & 1 ? 4 : 0);    /* ... of a register */
    case 2: return 0x7Au << 24 | (any & 0x7000) | registers | 5;   /* SFPSHFT */
    case 3: return 0x7Bu << 24 | (registers & 0x300) | (any & 6);  /* SFPSETCC */
    case 4: return 0x8Au << 24 | 3u << 12 | 10;                    /* SFPENCC */
    case 5: return 0x8Du << 24 | registers;                        /* SFPXOR */
    case 6: return 0x70u << 24 | move | (any & 1 ? 4u : 3u) << 16; /* SFPLOAD */
    case 7: return 0x72u << 24 | move | (any & 1 ? 4u : 3u) << 16; /* SFPSTORE */
    case 8: return 0x38u << 24 | 2u << 14;                         /* INCRWC */
    case 9: return 0x71u << 24 | (any & 0x30FFFF);                 /* SFPLOADI */
    case 10: return 0x92u << 24 | registers | (any & 15);          /* SFPSWAP */
    default: return 0x84u << 24 | (any & 0x033000) | registers | (any >> 20 & 3 ? 0 : any & 3); /* SFPMAD */
    }
}

/* What comes behind the MOPs of a turn. */
static uint32_t end_of_turn(test_random *random, uint32_t play, bool coded)
{
    const uint32_t any = test_below(random, 1u << 16);
    switch (any % 16) {
    case 0: return train_instruction(random, VECTOR, coded);
    case 1: return play;
    case 2: return 0x38u << 24 | 2u << 14; /* INCRWC */
    case 3: return 0x8Fu << 24;            /* SFPNOP */
    case 4:
    case 5:
    case 6: return 0x37u << 24 | 4 | (any >> 4 & 7) << 14; /* SETRWC */
    case 7: return 0x37u << 24 | (any >> 10 & 3) << 22 | (any & 0xF) << 10 | 3;
    default: return 0x02u << 24;
    }
}

/* A core that pushes playbacks for the Vector Unit in a loop within a loop.  How often, and what comes behind the inner one, it loads, or
 * has it as constants. */
static rvasm *vector_loops(test_random *random, unsigned thread)
{
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    const bool clean = test_below(random, 4) != 0, coded = test_below(random, 2), loads = test_below(random, 4) != 0;
    const unsigned count = 2 + test_below(random, 12), deep = test_below(random, 3), first = test_below(random, 3);
    const uint32_t nop = 0x02u << 24, play = replay(first, count, 0), mop = 0x01u << 24 | 1u << 23,
                   mops = 1 + test_below(random, 5), end = end_of_turn(random, play, coded);
    const uint32_t odd = test_below(random, 8) ? nop : play,
                   cfg[9] = {
                       1 + test_below(random, 2), 1 + test_below(random, 6), nop, odd, nop, play, nop, play, play};
    push(a, 0x8Au << 24 | 3u << 12 | 10); /* SFPENCC */
    push(a, replay(first, count, 1));
    for (unsigned i = 0; i < count; i++)
        push(a, deep == 1 && i == 0           ? 0x87u << 24 /* SFPPUSHC */
                : deep == 1 && i == count - 1 ? 0x88u << 24
                : clean                       ? clean_vector_instruction(random)
                                              : train_instruction(random, VECTOR, coded));
    wait_for(a, 1);
    rva_li(a, 5, MOP_CFG);
    for (unsigned i = 0; i < 9; i++) {
        rva_li(a, 6, cfg[i]);
        rva(a, rv_sw(6, (int32_t)(4 * i), 5));
    }
    rva_li(a, 13, a->base + PROGRAM_BYTES - 32 * (1 + test_below(random, 4)));
    rva_li(a, 15, mops), rva(a, rv_sw(15, 0, 13));
    rva_li(a, 15, end), rva(a, rv_sw(15, test_below(random, 2) ? 4 : 16, 13));
    const int32_t end_at = (int32_t)(a->word[a->count - 1] >> 7 & 31);
    rva_li(a, 12, INSTRN_BUF);
    rva_li(a, 10, end);
    rva_li(a, 14, 20 + test_below(random, 300));
    const size_t turn = a->count;
    rva(a, loads ? rv_lw(15, 0, 13) : rv_addi(15, 0, (int32_t)mops));
    const size_t again = a->count;
    push(a, mop);
    if (test_below(random, 8) == 0)
        push(a, nop);
    rva(a, rv_addi(15, 15, -1));
    rva(a, rv_bne(15, 0, 4 * ((int32_t)again - (int32_t)a->count)));
    if (loads)
        rva(a, rv_lw(15, end_at, 13));
    rva(a, rv_addi(14, 14, -1));
    rva(a, rv_sw(loads ? 15 : 10, 0, 12));
    rva(a, rv_bne(14, 0, 4 * ((int32_t)turn - (int32_t)a->count)));
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* Numbers that differ to the first 512 rows of Dst, by the Vector Unit. */
static void fill_dst(rvasm *a, test_random *random)
{
    for (unsigned row = 0; row < 512; row += 2) {
        push(a, 0x71u << 24 | 0x3C00u | test_below(random, 1u << 16)); /* SFPLOADI of BF16 */
        push(a, 0x72u << 24 | 2u << 16 | row);                         /* SFPSTORE as BF16 */
    }
}

/* Once more the MOP; counters as untilize sets them, or as they are. */
static void pack_matrix(rvasm *a, test_random *random)
{
    const uint32_t any = test_below(random, 1u << 16);
    if (any & 7) {
        push(a, 0x54u << 24 | 4u << 21 | 1);                                     /* SETADCZW: Z */
        push(a, 0x50u << 24 | 4u << 21 | 3u << 18 | (any & 8 ? 15 : any >> 14)); /* SETADC: W */
        push(a, 0x51u << 24 | 4u << 21 | 10);                                    /* SETADCXY: Y of both */
    }
    for (unsigned i = 0; i < 1 + (any >> 4 & 1); i++) {
        push(a, 0x01u << 24 | 1u << 23);           /* MOP */
        push(a, 0x55u << 24 | 4u << 21 | 1u << 6); /* INCADCZW: Z */
        if (any & 0x20)
            push(a, 0x51u << 24 | 4u << 21 | 2); /* SETADCXY: Y */
    }
    if (any % 16 == 3)
        wait_for(a, any >> 8 & 1);
    if (any % 32 == 5)
        push(a, other_word(random, 2));
    if (any % 16 == 7) /* ZEROACC of 16 rows: undefined ones are packed as zero */
        push(a, 0x10u << 24 | 1u << 19 | (any >> 8 & 31));
    if (any % 32 == 11)
        fill_dst(a, random);
}

/* What comes between two rows: mostly CFGSHIFTMASK, which adds to the place in L1, and a NOP. */
static unsigned between_rows(test_random *random, uint32_t word[4])
{
    const uint32_t any = test_below(random, 1u << 16), alu = any & 7 ? 3 : any >> 3 & 7;
    unsigned n = 0;
    if (any % 64 == 1)
        word[n++] = other_word(random, 2);
    if (any % 8 != 2)
        word[n++] = 0xB8u << 24 | (any % 32 != 3 ? 1u : 0u) << 23 | alu << 20 | (any % 32 == 4 ? 15u : 31u) << 15 |
                    3u << 8 | THCON_SEC0_REG1_L1_Dest_addr_ADDR32;
    if (any % 4 != 3)
        word[n++] = 0x02u << 24;
    if (any % 16 == 5)
        word[n++] = 0x52u << 24 | 4u << 21 | 1u << 9; /* INCADCXY */
    if (n < 2)
        word[n++] = 0x02u << 24;
    return n;
}

/* Dst, packer and a MOP that packs rows of a matrix. */
static void set_up_untilize(rvasm *a, test_random *random, bool plain)
{
    const uint32_t nop = 0x02u << 24, any = test_below(random, 1u << 16), start = 0x56u << 24 | 4u << 21 | 2;
    const uint32_t interfaces = (uint32_t[]){3, 3, 3, 1, 0, 15, 5, 12}[any & 7];
    const uint32_t pack =
        0x41u << 24 | (plain || any % 8 != 4 ? 1u << 17 : 0) | (plain && any & 1 ? 3 : interfaces) << 8;
    const uint32_t last = pack | 1u << 15 | 1, other_last = any % 16 == 6 ? pack | 1 : last;
    const uint32_t count_w = 0x55u << 24 | 4u << 21 | 1u << 9; /* INCADCZW */
    uint32_t word[4];
    const unsigned count = between_rows(random, word);
    const uint32_t cfg[9] = {plain ? 8 + test_below(random, 5) : 1 + test_below(random, 20),
                             1 + test_below(random, plain ? 2 : 4),
                             any >> 3 & 7 ? start : nop,
                             any >> 6 & 15 ? replay(4, count, 0) : nop,
                             any >> 10 & 7 ? nop : start,
                             any >> 13 ? count_w : pack,
                             any >> 13 ? pack : nop,
                             other_last,
                             last};
    fill_dst(a, random);
    set_up_packer(a, random, plain);
    config(a, SCRATCH_SEC2_val_ADDR32, 4u * test_below(random, 20));
    config(a, PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32, test_below(random, 4) ? 32 * 32 | 64u * 32 << 16 : 16 * 64);
    if (test_below(random, 4) == 0)
        config(a, PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 16 * test_below(random, 64));
    set_config16(a, ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32, test_below(random, 8) ? 0 : test_below(random, 1u << 16));
    set_config16(a, ADDR_MOD_PACK_SEC1_YsrcIncr_ADDR32, test_below(random, 8) ? 1 : test_below(random, 1u << 16));
    push(a, 0xA2000000u | 0x1FFu << 15 | 1u << 10); /* STALLWAIT */
    push(a, replay(4, count, 1));
    for (unsigned i = 0; i < count; i++)
        push(a, word[i]);
    wait_for(a, 1);
    rva_li(a, 5, MOP_CFG);
    for (unsigned i = 0; i < 9; i++) {
        rva_li(a, 6, cfg[i]);
        rva(a, rv_sw(6, (int32_t)(4 * i), 5));
    }
}

static rvasm *untilize(test_random *random, unsigned thread)
{
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    set_up_untilize(a, random, false);
    for (unsigned n = 4 + test_below(random, 16); n != 0; n--)
        pack_matrix(a, random);
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* What a core works out between pushes; mostly the same each time. */
static void work_out(rvasm *a, test_random *random)
{
    const uint32_t any = test_below(random, 1u << 16);
    rva(a, rv_lui(12, any));
    rva(a, rv_srli(13, 12, any & 31));
    rva(a, rv_or(14, 13, 12));
    if (any & 1)
        rva(a, rv_addi(14, 14, (int32_t)(any >> 8)));
    if (any & 2)
        rva(a, rv_sub(11, 12, 14));
    if (any % 128 == 64)
        rva(a, rv_add(15, 15, 12));
}

/* Where tiles go, by way of a GPR, as they began before; x9: INSTRN_BUF, x10: SETDMAREG. */
static void set_place(rvasm *a, test_random *random)
{
    const uint32_t any = test_below(random, 64);
    if (any & 1)
        work_out(a, random);
    rva(a, rv_sw(10, 0, 9));
    push(a, 0x45u << 24 | 0x8000u << 8 | 17);                                       /* SETDMAREG */
    push(a, 0xA2u << 24 | 128u << 15 | (any % 8 == 1 ? 15 : any % 8 == 2 ? 9 : 1)); /* STALLWAIT */
    push(a, 0xB0u << 24 | 8u << 16 | THCON_SEC0_REG1_L1_Dest_addr_ADDR32);          /* WRCFG */
    for (unsigned i = any >> 4; i != 0; i--)
        push(a, 0x60u << 24); /* DMANOP */
}

/* Tiles of a loop: a MOP, or PACRs. */
static void pack_again(rvasm *a, test_random *random, bool mop)
{
    const uint32_t any = test_below(random, 1u << 16);
    if (any & 31) {
        push(a, 0x54u << 24 | 4u << 21 | 15);                                     /* SETADCZW */
        push(a, 0x50u << 24 | 4u << 21 | 3u << 18 | (any & 32 ? 15 : any >> 14)); /* SETADC: W */
        push(a, 0x51u << 24 | 4u << 21 | 10);                                     /* SETADCXY: Y of both */
    }
    if (mop)
        push(a, 0x01u << 24 | 1u << 23); /* MOP */
    else
        for (unsigned i = 1 + (any >> 8 & 3); i != 0; i--)
            push(a, 0x41u << 24 | 1u << 17 | (any >> 10 & 1) << 15 | (any % 64 < 48 ? 3u << 8 : 0) | (i == 1));
    if (any % 128 == 5)
        push(a, other_word(random, 2));
    if (any >> 13 == 3)
        push(a, 0xA2u << 24 | (1u << any % 9) << 15 | 1u << 3); /* STALLWAIT for the packer */
    if (any >> 8 == 7)
        wait_for(a, any & 1);
}

/* A core that pushes the same tiles in a loop. */
static rvasm *packing_loops(test_random *random, unsigned thread)
{
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * thread);
    const bool calls = test_below(random, 2), again_and_again = test_below(random, 8) != 0;
    set_up_untilize(a, random, test_below(random, 8) != 0);
    rva_li(a, 9, INSTRN_BUF);
    rva_li(a, 10, 0x45u << 24 | (0x40000u / 16 - 1) << 8 | 16);
    const size_t over = rva_later(a, rv_jal(0, 0));
    const uint32_t function = rva_here(a);
    set_place(a, random);
    rva(a, rv_jalr(0, 0, 1));
    rva_land(a, over);
    for (unsigned times = 1 + test_below(random, 3); times != 0; times--) {
        rva_li(a, 7, 5 + test_below(random, 200));
        const size_t again = a->count;
        if (calls)
            rva(a, rv_jal(1, rva_to(a, function)));
        else if (again_and_again)
            set_place(a, random);
        pack_again(a, random, true);
        for (unsigned i = test_below(random, 6) / 3; i != 0; i--)
            pack_again(a, random, test_below(random, 2));
        if (test_below(random, 4) == 0)
            work_out(a, random);
        rva(a, rv_addi(7, 7, -1));
        rva(a, rv_bne(7, 0, 4 * ((int32_t)again - (int32_t)a->count)));
    }
    wait_for(a, 0);
    rva(a, rv_j(0));
    return a;
}

/* ---- A core beside them ---------------------------------------------------------------------- */

/* RISCV B goes round a loop of what does not concern the threads' cores, or only by the way: L1, also where tiles are packed to, an NIU,
 * a stream, GPRs, configuration that no thread uses. */
static rvasm *beside(test_random *random)
{
    enum { CFG_BANK_1 = 224 * 4, STREAM_BYTES = 0x1000, REMOTE_DEST_BUF_SIZE = 10 * 4 };
    rvasm *a = rva_new(PROGRAM + PROGRAM_BYTES * THREADS);
    rva_li(a, 8, a->base + PROGRAM_BYTES / 2);
    rva_li(a, 9, 0x40000);
    rva_li(a, 10, 0xFFB20200u);
    rva_li(a, 11, 0xFFB40000u + STREAM_BYTES * test_below(random, 64));
    rva_li(a, 12, 0xFFE00000u);
    rva_li(a, 13, 0xFFEF0000u + CFG_BANK_1);
    const uint32_t again = rva_here(a);
    for (unsigned i = 3 + test_below(random, 40); i != 0; i--) {
        const int32_t word = 4 * (int32_t)test_below(random, 128);
        switch (test_below(random, 10)) {
        case 0: rva(a, rv_lw(5, word, 8)); break;
        case 1: rva(a, rv_sw(6, word, 8)); break;
        case 2: rva(a, rv_lw(5, word, 9)); break;
        case 3: rva(a, rv_sw(6, word, 9)); break;
        case 4: rva(a, rv_lw(5, word % 128, 10)); break;
        case 5: rva(a, rv_sw(6, REMOTE_DEST_BUF_SIZE, 11)); break;
        case 6: rva(a, rv_sw(6, word, 12)); break;
        case 7: rva(a, rv_sw(6, word % 256, 13)); break;
        case 8: rva(a, rv_fence()); break;
        default: rva(a, rv_add(6, 6, 5)); break;
        }
    }
    rva(a, rv_j(rva_to(a, again)));
    return a;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

static kerr_chip *make(const variant *v)
{
    kerr_config config;
    kerr_config_init(&config);
    config.threads = v ? v->threads : 1;
    config.window_cycles = v ? v->window_cycles : 0;
    config.no_parking = v && v->no_parking;
    config.without = v ? v->without : 0;
    config.policy[KERR_FAULT_UNDEFINED] = KERR_POLICY_GO_ON; /* stacks of flags that run over, and the like */
    config.policy[KERR_FAULT_DEADLOCK] = KERR_POLICY_GO_ON;  /* behind a PACR that has no meaning */
    kerr_chip *chip = chip_new(&config);
    if (v && v->trace != 0)
        MUST(chip, kerr_set_trace_kinds(chip, v->trace, on_trace, NULL));
    if (v)
        MUST(chip, kerr_set_checks(chip, v->checks));
    return chip;
}

static kerr_chip *restored(kerr_chip *chip, const variant *v)
{
    saved_bytes b = {0};
    kerr_chip *other = make(v);
    MUST(chip, kerr_save(chip, saved_put, &b));
    MUST(other, kerr_restore(other, saved_get, &b));
    free(b.data);
    kerr_destroy(chip);
    return other;
}

static void run(kerr_chip *chip, const variant *v, uint64_t cycles)
{
    static const uint16_t turns[] = {320, 48, 112};
    test_random random = {.state = cycles};
    for (unsigned i = 0; cycles > 0; i++) {
        uint64_t now = v && v->in_turns ? turns[i % 3] : v && v->slice ? 1 + test_below(&random, v->slice) : cycles;
        now = now < cycles ? now : cycles;
        MUST(chip, kerr_run(chip, now));
        cycles -= now;
    }
}

static void hashes(rvasm *const code[THREADS + 1], const variant *v, unsigned times, uint64_t hash[CHECKPOINTS])
{
    static const kerr_core core[THREADS + 1] = {KERR_CORE_T0, KERR_CORE_T1, KERR_CORE_T2, KERR_CORE_B};
    kerr_chip *chip = make(v);
    const kerr_xy at = kerr_tensix_xy(77);
    for (unsigned i = 0; i <= THREADS; i++)
        if (code[i] != NULL) {
            MUST(chip, kerr_poke(chip, at, code[i]->base, code[i]->word, (uint32_t)code[i]->count * 4));
            MUST(chip, kerr_core_start(chip, at, core[i], code[i]->base));
        }
    for (unsigned i = 0; i < CHECKPOINTS; i++) {
        run(chip, v, times * (checkpoint[i] - (i ? checkpoint[i - 1] : 0)));
        if (v && v->saved)
            chip = restored(chip, v);
        hash[i] = chip_hash(chip);
        const uint8_t byte[4096] = {(uint8_t)i}; /* where tiles are packed: they must be again */
        MUST(chip, kerr_poke(chip, at, 0x40000, byte, sizeof byte));
    }
    kerr_destroy(chip);
}

int main(int argc, char **argv)
{
    tap t = {0};
    const uint64_t seeds = argc > 1 ? strtoull(argv[1], NULL, 0) : 10,
                   first = argc > 2 ? strtoull(argv[2], NULL, 0) : 0;
    for (uint64_t seed = first; seed < first + seeds; seed++) {
        static const unsigned who[] = {1, 2, 4, 2, 3, 6, 7}; /* mostly one thread: rows are longest then */
        test_random random = {.state = seed};
        const unsigned threads = who[seed % (sizeof who / sizeof *who)];
        const program_kind kind = seed % 10 == 3                            ? MATRIX
                                  : seed % 7 % 3 == 2 || seed % 14 % 6 == 1 ? DATA
                                  : seed % 2                                ? VECTOR
                                                                            : OTHERS;
        const bool is_long = seed % 16 == 15;
        const unsigned times = is_long ? 8 : 1; /* as many cycles */
        const program_kind matrix = seed / 36 % 3 ? MATRIX : ELEMENTS;
        static const program_kind kinds[] = {DATA, VECTOR, MATRIX, VECTOR};
        rvasm *code[THREADS + 1] = {NULL};
        for (unsigned i = 0; i < THREADS; i++)
            code[i] = seed % 17 == 12 && i == seed / 17 % 3 ? pushes(&random, i, kinds[seed / 51 % 4], seed / 204 % 2)
                      : seed % 11 == 9                      ? i == seed / 11 % 3       ? vector_loops(&random, i)
                                                              : seed / 33 % 4 == i + 1 ? loops(&random, i, is_long)
                                                                                       : NULL
                      : seed % 6 == 5 && i == seed / 6 % 3
                          ? train(&random, i, i != 1 || seed / 18 % 2 ? VECTOR : matrix)
                      : seed % 8 == 7                             ? threads >> i & 1 ? loops(&random, i, is_long) : NULL
                      : seed % 11 == 6                            ? i == 2               ? packing_loops(&random, i)
                                                                    : seed / 11 % 4 == 0 ? loops(&random, i, false)
                                                                                         : NULL
                      : seed % 13 == 8 && seed % 5 != 4 && i == 2 ? untilize(&random, i)
                      : seed % 5 == 4 && seed % 6 != 5            ? pipeline(&random, i, 48 * 40)
                      : threads >> i & 1                          ? program(&random, i, kind)
                                                                  : NULL;
        if (seed % 4 == 2)
            code[THREADS] = beside(&random);
        uint64_t want[CHECKPOINTS], got[CHECKPOINTS];
        hashes(code, NULL, times, want);
        for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
            variant v = variants[i];
            if (argc > 3 && v.without != UINT32_MAX)
                continue;
            if (v.drawn || v.without != 0)
                v.without = test_mechanisms(v.drawn ? (uint32_t)(test_random64(&random) >> 20) : v.without);
            hashes(code, &v, times, got);
            unsigned at = 0;
            while (at < CHECKPOINTS && got[at] == want[at])
                at++;
            tap_ok(&t, at == CHECKPOINTS, "seed %" PRIu64 ", threads %u: %s, the same", seed, threads,
                   variants[i].name);
            if (at < CHECKPOINTS)
                printf("#   differs at cycle %" PRIu64 "\n", times * checkpoint[at]);
        }
        for (unsigned i = 0; i <= THREADS; i++)
            free(code[i]);
    }
    return tap_end(&t);
}

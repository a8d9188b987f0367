/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions by the Vector Unit, on T1: a tile of words from L1 into Dst, 32 rows of typecast.h, and back.  typecast.h says
 * what the host chooses.
 *
 * T1 reaches Dst by itself (manual Dst, "RISCV access to Dst").  The instructions of a block of rows go into the replay
 * buffer once, so that the Vector Unit gets one in each cycle whatever the core does. */
#include "typecast.h"

#include "kerr_sdk.h"

enum { DST_IS_32B = 1 << 11 }; /* of RISCV_DEBUG_REG_DBG_FEATURE_DISABLE: 16-bit accesses go to the high halves */

static uint32_t argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

static void done(void)
{
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
}

static void push(const uint32_t *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        kerr_tt_push(words[i]);
}

static void set_up(const struct typecast_row *row)
{
    KERR_CFG_RMW(ALU_ACC_CTRL_SFPU_Fp32_enabled, 1);
    KERR_CFG_RMW(RISC_DEST_ACCESS_CTRL_SEC1_fmt, 0);
    *KERR_WORD(RISCV_DEBUG_REG_DBG_FEATURE_DISABLE) = DST_IS_32B;
    kerr_fence();
    push(row->setup, row->setup_words);
    TT_RT_REPLAY(0, row->block_words & 31, 0, 1); /* 32 are written as 0 */
    push(row->block, row->block_words);
    done();
}

/* A tile, between L1 and Dst.  halves: 16 bits that are no float; else 32, shuffled as floats are. */
static void move_in(const volatile uint32_t *from, bool halves)
{
    volatile uint32_t *dst = KERR_WORD(TENSIX_DST_START_ADDR);
    KERR_CFG_RMW(RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle, halves);
    kerr_fence();
    for (unsigned i = 0; i < TYPECAST_DATUMS; i++)
        dst[i] = halves ? from[i] << 16 : from[i];
    kerr_fence();
}

static void move_out(volatile uint32_t *to, bool halves)
{
    const volatile uint32_t *dst = KERR_WORD(TENSIX_DST_START_ADDR);
    KERR_CFG_RMW(RISC_DEST_ACCESS_CTRL_SEC1_no_swizzle, halves);
    kerr_fence();
    for (unsigned i = 0; i < TYPECAST_DATUMS; i++)
        to[i] = halves ? dst[i] >> 16 : dst[i];
}

static void convert(const struct typecast_row *row, uint32_t times)
{
    const uint32_t again = TT_WORD_REPLAY(0, row->block_words & 31, 0, 0);
    const unsigned blocks = TYPECAST_ROWS / row->block_rows;
    TT_SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0); /* Dst from 0 on */
    for (uint32_t i = 0; i < times * blocks; i++)
        kerr_tt_push(again);
    for (unsigned i = 0; i < row->drain; i++)
        TT_SFPNOP();
}

/* Returns when the Vector Unit has done all of it. */
static void finish(void)
{
    TT_STALLWAIT(0x1FF, 1 << 11);
    TT_NOP(); /* passes then */
    done();
}

int main(void)
{
    const uint32_t tiles = argument(TYPECAST_TILES);
    const struct typecast_row *row =
        argument(TYPECAST_PLAIN) ? &typecast_plain[argument(TYPECAST_KIND)] : &typecast_rows[argument(TYPECAST_KIND)];
    set_up(row);
    if (argument(TYPECAST_REPEAT)) {
        move_in(KERR_WORD(argument(TYPECAST_FROM)), row->halves_in);
        const uint32_t begin = kerr_settle(*KERR_WORD(RISCV_DEBUG_REG_WALL_CLOCK_L));
        convert(row, argument(TYPECAST_REPEAT));
        finish();
        const uint32_t end = kerr_settle(*KERR_WORD(RISCV_DEBUG_REG_WALL_CLOCK_L));
        move_out(KERR_WORD(argument(TYPECAST_TO)), row->halves_out);
        return (int)(end - begin);
    }
    for (uint32_t tile = 0; tile < tiles; tile++) {
        move_in(KERR_WORD(argument(TYPECAST_FROM)) + tile * TYPECAST_DATUMS, row->halves_in);
        convert(row, 1);
        finish();
        move_out(KERR_WORD(argument(TYPECAST_TO)) + tile * TYPECAST_DATUMS, row->halves_out);
    }
    return (int)tiles;
}

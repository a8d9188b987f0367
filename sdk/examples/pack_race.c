/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel with a bug: T0 has the packer set eight pieces of L1 to zero, each at an address that it has stored to the packer's
 * configuration just before.  A store takes some cycles to get there, and nothing but a few NOPs keeps the PACR from being first: it
 * then takes the address of the piece before.  Manual WormholeB0 BackendConfiguration, "Danger one".  pack_mended.c has STALLWAIT wait for
 * the store; Auto TTSync, which is off, would as well.
 *
 *   kerr run 1,2:T0=pack_race_T0.elf --dump 1,2@0x20000+256=words */
#include "kerr_cfg.h"
#include "kerr_sdk.h"

enum { PIECES = 8, PIECE_BYTES = 32, ROW = 16, OUT = KERR_SHARED_BASE, BF16 = 5 };
enum { BLOCK_TDMA = 1, BUSY_RISC_CFG = 1 << 10 };

/* A load may come before pushes that are still in the store queue; not before a store to the same place. */
static void thread_is_done(void)
{
    *KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK) = 0;
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
}

static void configure(void)
{
    KERR_CFG_RMW(ALU_FORMAT_SPEC_REG2_Dstacc, BF16);
    kerr_cfg_write(THCON_SEC0_REG1_Out_data_format_ADDR32, KERR_CFG(THCON_SEC0_REG1_Disable_zero_compress, 1) |
                                                               KERR_CFG(THCON_SEC0_REG1_Out_data_format, BF16) |
                                                               KERR_CFG(THCON_SEC0_REG1_In_data_format, BF16));
    kerr_cfg_write(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32,
                   KERR_CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 1));
    kerr_cfg_write(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, KERR_CFG(PCK_EDGE_OFFSET_SEC0_mask, 0xffff));
    (void)kerr_settle(KERR_WORD(TENSIX_CFG_BASE)[PCK_EDGE_OFFSET_SEC0_mask_ADDR32]);
    TT_SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1);
    TT_SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1);
    TT_SETADCXX(1, 0, 0, ROW - 1, 0);
    thread_is_done();
}

int main(void)
{
    for (unsigned i = 0; i < PIECES * PIECE_BYTES / 4; i++)
        KERR_WORD(OUT)[i] = 0xAAAAAAAA;
    kerr_publish(KERR_WORD(OUT) + PIECES * PIECE_BYTES / 4 - 1);
    configure();
    for (unsigned i = 0; i < PIECES; i++) {
        kerr_cfg_write(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, 1u << 31 | ((OUT + i * PIECE_BYTES) / 16 - 1));
#ifdef MENDED
        TT_STALLWAIT(BLOCK_TDMA, BUSY_RISC_CFG);
#else
        TT_NOP();
        TT_NOP();
#endif
        TT_PACR(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1); /* zeroes, and the last of its piece */
        thread_is_done();
    }
    kerr_finish(PIECES);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel with a bug: T0 adds one to each of 16 words of L1 through the Scalar Unit, and counts on a load being there after
 * seven DMANOPs.  Manual WormholeB0 LOADIND: that suffices in most cases and is inherently racy.  docs/debugging.md finds it with
 * kerr run --shake and kerr shrink; stallwait_mended.c waits as it should.
 *
 *   kerr run 1,2:T0=stallwait_race_T0.elf --dump 1,2@0x20040+64=words */
#include "kerr_sdk.h"
#include "kerr_tensix.h"

enum { WORDS = 16, BLOCK_THCON = 32, BUSY_THCON = 1 };
enum { IN = KERR_SHARED_BASE, OUT = KERR_SHARED_BASE + 64 };
enum { GPR_IN = 4, GPR_OUT = 5, GPR_FROM = 6, GPR_TO = 7, GPR_WORD = 8, FOUR_BYTES = 1, PLUS_4 = 2 };

static void set_gpr(unsigned gpr, uint32_t value)
{
    TT_RT_SETDMAREG(value & 0xffff, 0, 2 * gpr);
    TT_RT_SETDMAREG(value >> 16, 0, 2 * gpr + 1);
}

int main(void)
{
    for (unsigned i = 0; i < WORDS; i++)
        KERR_WORD(IN)[i] = 1000 + 7 * i;
    kerr_publish(KERR_WORD(IN) + WORDS - 1);
    set_gpr(GPR_IN, IN / 16);
    set_gpr(GPR_OUT, OUT / 16);
    set_gpr(GPR_FROM, 0);
    set_gpr(GPR_TO, 0);
    for (unsigned i = 0; i < WORDS; i++) {
        TT_LOADIND(FOUR_BYTES, 2 * GPR_FROM, PLUS_4, GPR_WORD, GPR_IN);
#ifdef MENDED
        TT_STALLWAIT(BLOCK_THCON, BUSY_THCON);
#else
        for (unsigned wait = 0; wait < 7; wait++)
            TT_DMANOP();
#endif
        TT_ADDDMAREG_OpBisConst1(GPR_WORD, 1, GPR_WORD);
        TT_STOREIND_MemHierSel1(FOUR_BYTES, 2 * GPR_TO, PLUS_4, GPR_WORD, GPR_OUT);
    }
    (void)kerr_settle(*KERR_WORD(TTSYNC_COPROCESSOR_DONE_CHECK));
    kerr_finish(WORDS);
}

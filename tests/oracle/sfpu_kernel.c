/* SPDX-License-Identifier: Apache-2.0 */
/* The data path of sdk/examples/datapath.c with the Vector Unit in its middle: T0 unpacks a tile straight into Dst, T1 executes
 * the instructions that stand in L1 on it, T2 packs it.  For tests/oracle/sfpu_ref.py.
 *
 * Semaphore 1 keeps T0 from a half of Dst that is not packed yet, 4 counts what T1 may begin with, 3 what T2 may. */
#include "datapath_vector.h"

enum { SCRIPT_WORDS = 0x11fffc, SCRIPT = 0x120000, SCRIPT_EACH = 0x11fff8 };

#if KERR_CORE == KERR_CORE_T1
#undef main
int main(void)
{
    const uint32_t tiles = argument(DATAPATH_TILES);
    configure_matrix(argument(DATAPATH_FLAGS));
    for (uint32_t tile = 0; tile < tiles; tile++) {
        TT_SEMWAIT(0x1ff, 1 << TO_VECTOR, WHILE_ZERO);
        TT_RT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, tile % 2 ? HALF_DST : 0);
        const uint32_t count = *KERR_WORD(SCRIPT_WORDS);
        const volatile uint32_t *word = KERR_WORD(SCRIPT + (tile * *KERR_WORD(SCRIPT_EACH)));
        for (uint32_t i = 0; i < count; i++)
            kerr_tt_push(word[i]);
        TT_STALLWAIT(BLOCK_SYNC | BLOCK_CFG, 1 << 11); /* the Vector Unit is busy */
        TT_SEMGET(1 << TO_VECTOR);
        TT_SEMPOST(1 << TO_PACK);
    }
    finish(tiles);
}
#endif

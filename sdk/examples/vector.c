/* SPDX-License-Identifier: Apache-2.0 */
/* The data path of datapath.c with the Vector Unit in its middle: T0 unpacks a tile straight into Dst, T1 executes on it what
 * stands in L1 (vector.h), T2 packs it.
 *
 * Semaphore 1 keeps T0 from a half of Dst that is not packed yet, 4 counts what T1 may begin with, 3 what T2 may. */
#include "vector.h"

#include "datapath_vector.h"

#if KERR_CORE == KERR_CORE_T1
#undef main

static void push_all(const volatile uint32_t *word, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        kerr_tt_push(word[i]);
}

int main(void)
{
    const volatile struct vector_script *script = (const volatile struct vector_script *)VECTOR_SCRIPT;
    const uint32_t words = script->body_words, play = TT_WORD_REPLAY(0, words, 0, 0);
    configure_matrix(argument(DATAPATH_FLAGS));
    TT_SEMWAIT(0x1ff, 1 << TO_VECTOR, WHILE_ZERO);
    TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 0);
    push_all(script->prologue, script->prologue_words);
    TT_RT_REPLAY(0, words, 0, 1);
    push_all(script->body, words);
    set_mop((struct mop){1, script->times, NOP, NOP, NOP, play, NOP, play, play});
    for (uint32_t turns = script->turns; turns > 0; turns--) {
        for (uint32_t mops = script->mops; mops > 0; mops--)
            TT_MOP(1, 0, 0);
        kerr_tt_push(script->end);
    }
    push_all(script->epilogue, script->epilogue_words);
    TT_STALLWAIT(BLOCK_SYNC | BLOCK_CFG, 1 << 11); /* the Vector Unit is busy */
    TT_SEMGET(1 << TO_VECTOR);
    TT_SEMPOST(1 << TO_PACK);
    finish(1);
}
#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of the tt-* benchmarks: what RISCV T0, T1 and T2 of a tile push, how many instructions come of it, and what
 * must be in memory at the end.  Every program ends when its thread is done (CoprocessorDoneCheck), leaves its GPRs 0 to 7
 * and then a 1 at TT_DONE.
 *
 *   nop    pushed one by one
 *   mop    two MOPs a turn, of NOPs and of playbacks of NOPs
 *   sync   T0 posts, T1 gets and posts on, T2 gets: semaphores of at most 2
 *   cfg    GPRs set and added, configuration words written from them, changed in place and read back; SETC16 */
#ifndef KERR_BENCH_TT_LOAD_H
#define KERR_BENCH_TT_LOAD_H

#include "../tests/abi/rvasm.h"

#include <stdbool.h>

enum {
    TT_RESULT = 0x20000, /* + 64 * thread: GPRs 0 to 7 */
    TT_DONE = 0x20100,   /* + 16 * thread */
    TT_GPRS = 8,
    TT_NOPS_A_TURN = 64,
    TT_SYNC_A_TURN = 32, /* items */
    TT_CFG_A_TURN = 16,  /* times 16 instructions */
};
enum tt_kind { TT_NOP, TT_MOP, TT_SYNC, TT_CFG };

/* Words; every field is where isa/tensix.isa has it. */
static inline uint32_t tt_nop(void)
{
    return 0x02u << 24;
}
static inline uint32_t tt_replay(unsigned index, unsigned count, unsigned exec, unsigned load)
{
    return 0x04u << 24 | index << 14 | count << 4 | exec << 1 | load;
}
static inline uint32_t tt_mop(unsigned template_1, unsigned count1)
{
    return 0x01u << 24 | template_1 << 23 | count1 << 16;
}
static inline uint32_t tt_seminit(unsigned max, unsigned value, unsigned index)
{
    return 0xA3u << 24 | max << 20 | value << 16 | 4u << index;
}
static inline uint32_t tt_sempost(unsigned index)
{
    return 0xA4u << 24 | 4u << index;
}
static inline uint32_t tt_semget(unsigned index)
{
    return 0xA5u << 24 | 4u << index;
}
/* Blocks everything that the Sync Unit does; condition 1: while zero, 2: while at max. */
static inline uint32_t tt_semwait(unsigned index, unsigned condition)
{
    return 0xA6u << 24 | 2u << 15 | 4u << index | condition;
}
static inline uint32_t tt_setdmareg(unsigned half, uint32_t value)
{
    return 0x45u << 24 | (value & 0xFFFF) << 8 | half;
}
static inline uint32_t tt_adddmareg(unsigned result, unsigned b, unsigned a)
{
    return 0x58u << 24 | result << 12 | b << 6 | a;
}
static inline uint32_t tt_wrcfg(unsigned gpr, unsigned word)
{
    return 0xB0u << 24 | gpr << 16 | word;
}
static inline uint32_t tt_rdcfg(unsigned gpr, unsigned word)
{
    return 0xB1u << 24 | gpr << 16 | word;
}
static inline uint32_t tt_rmwcib(unsigned byte, unsigned mask, unsigned data, unsigned word)
{
    return (0xB3u + byte) << 24 | mask << 16 | data << 8 | word;
}
static inline uint32_t tt_setc16(unsigned index, unsigned value)
{
    return 0xB2u << 24 | index << 16 | value;
}

static inline void tt_push(struct rv_program *p, uint32_t word)
{
    rv_emit(p, word << 2 | word >> 30);
}

/* One word of the MOP expander's configuration; base holds its address. */
static inline void tt_mop_cfg(struct rv_program *p, unsigned base, unsigned index, uint32_t value)
{
    rv_emit_li(p, RV_T0, value);
    rv_emit(p, rv_sw(RV_T0, (int32_t)(4 * index), base));
}

/* A MOP of template 1 that does nothing but `count` times `word`, 1..64. */
static inline void tt_mop_loop(struct rv_program *p, unsigned base, unsigned count, uint32_t word, uint32_t word1)
{
    const uint32_t last = word1 == tt_nop() ? word : word1;
    tt_mop_cfg(p, base, 0, 1);
    tt_mop_cfg(p, base, 1, count);
    tt_mop_cfg(p, base, 2, tt_nop());
    tt_mop_cfg(p, base, 3, tt_nop());
    tt_mop_cfg(p, base, 4, tt_nop());
    tt_mop_cfg(p, base, 5, word);
    tt_mop_cfg(p, base, 6, word1);
    tt_mop_cfg(p, base, 7, last);
    tt_mop_cfg(p, base, 8, last);
}

/* Instructions that the units are handed in one turn of a thread. */
static inline unsigned tt_load_instructions(enum tt_kind kind, unsigned thread)
{
    switch (kind) {
    case TT_NOP: return TT_NOPS_A_TURN;
    case TT_MOP: return 2 * 2 * (64 + 16);
    case TT_SYNC: return TT_SYNC_A_TURN * (thread == 1 ? 4 : 2);
    default: return TT_CFG_A_TURN * 16;
    }
}

/* What GPR i of a thread holds after so many turns. */
static inline uint32_t tt_load_gpr(enum tt_kind kind, unsigned thread, unsigned i, uint32_t turns)
{
    if (kind != TT_CFG)
        return 0;
    const uint32_t sum = turns * TT_CFG_A_TURN * 4 * (0x10203u + thread);
    const uint32_t half = sum - 2 * (0x10203u + thread); /* when GPR 3 was read for the last time */
    switch (i) {
    case 1: return 0x10203u + thread;
    case 2:
    case 5: return sum;
    case 3: return (half & 0x00FF00FFu) | 0x66005500u;
    case 4: return (sum & 0x00FF00FFu) | 0x66005500u;
    default: return 0;
    }
}

static inline void tt_load_program(struct rv_program *p, enum tt_kind kind, unsigned thread, uint32_t turns)
{
    enum { left = RV_S0, base = RV_S1, t = RV_T0, sync = RV_S2, out = RV_S3 };
    const unsigned word = 12 + thread; /* a configuration word of its own */
    p->size_bytes = 0;
    rv_emit_firmware_csr(p);
    rv_emit_li(p, left, turns);
    rv_emit_li(p, base, 0xFFB80000u);
    rv_emit_li(p, sync, 0xFFE80000u);
    switch (kind) {
    case TT_NOP: break;
    case TT_MOP:
        tt_mop_loop(p, base, 64, tt_nop(), tt_nop());
        tt_mop_cfg(p, base, 0, 2);
        tt_mop_cfg(p, base, 3, tt_replay(0, 16, 0, 0));
        tt_push(p, tt_replay(0, 16, 0, 1));
        for (unsigned i = 0; i < 16; i++)
            tt_push(p, tt_nop());
        break;
    case TT_SYNC:
        if (thread == 0) {
            tt_push(p, tt_seminit(2, 0, 2));
            tt_push(p, tt_seminit(2, 0, 1));
            tt_mop_loop(p, base, TT_SYNC_A_TURN, tt_semwait(1, 2), tt_sempost(1));
        } else if (thread == 1) {
            tt_push(p, tt_replay(0, 4, 0, 1));
            tt_push(p, tt_semwait(1, 1));
            tt_push(p, tt_semget(1));
            tt_push(p, tt_semwait(2, 2));
            tt_push(p, tt_sempost(2));
            tt_mop_loop(p, base, TT_SYNC_A_TURN, tt_replay(0, 4, 0, 0), tt_nop());
        } else {
            tt_mop_loop(p, base, TT_SYNC_A_TURN, tt_semwait(2, 1), tt_semget(2));
        }
        break;
    case TT_CFG:
        for (unsigned i = 0; i < 16; i++)
            tt_push(p, tt_setdmareg(i, i == 2 ? 0x0203 + thread : i == 3 ? 1 : 0));
        tt_push(p, tt_replay(0, 16, 0, 1));
        for (unsigned i = 0; i < 2; i++) {
            tt_push(p, tt_adddmareg(2, 1, 2));
            tt_push(p, tt_adddmareg(2, 1, 2));
            tt_push(p, tt_wrcfg(2, word));
            tt_push(p, tt_setc16(28 + thread, 0x11 * i));
            tt_push(p, tt_rmwcib(1, 0xFF, 0x55, word));
            tt_push(p, tt_rmwcib(3, 0xFF, 0x66, word));
            tt_push(p, tt_rdcfg(3 + i, word));
            tt_push(p, tt_setdmareg(12, 0)); /* the low half of GPR 6 */
        }
        tt_mop_loop(p, base, TT_CFG_A_TURN, tt_replay(0, 16, 0, 0), tt_nop());
        break;
    }
    const uint32_t again = p->size_bytes;
    switch (kind) {
    case TT_NOP:
        for (unsigned i = 0; i < TT_NOPS_A_TURN; i++)
            tt_push(p, tt_nop());
        break;
    case TT_MOP:
        tt_push(p, tt_mop(1, 0));
        tt_push(p, tt_mop(1, 0));
        break;
    default: tt_push(p, tt_mop(1, 0)); break;
    }
    rv_emit(p, rv_addi(left, left, -1));
    rv_emit(p, rv_bne(left, RV_ZERO, rv_back(p, again)));
    if (kind == TT_CFG)
        tt_push(p, tt_adddmareg(5, 0, 2));
    rv_emit(p, rv_sw(RV_ZERO, 4, sync));
    rv_emit(p, rv_lw(t, 4, sync));
    rv_emit(p, rv_andi(t, t, 0));
    rv_emit_li(p, base, 0xFFE00000u);
    rv_emit_li(p, out, TT_RESULT + 64 * thread);
    for (unsigned i = 0; i < TT_GPRS; i++) {
        rv_emit(p, rv_lw(t, (int32_t)(4 * i), base));
        rv_emit(p, rv_sw(t, (int32_t)(4 * i), out));
    }
    rv_emit_li(p, out, TT_DONE + 16 * thread);
    rv_emit(p, rv_addi(t, RV_ZERO, 1));
    rv_emit(p, rv_sw(t, 0, out));
    rv_emit(p, rv_jal(RV_ZERO, 0));
}

#endif

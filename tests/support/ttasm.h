/* SPDX-License-Identifier: Apache-2.0 */
/* Tensix instruction words for tests, written from LLK's assembly.yaml and on purpose not from isa/tensix.isa: a wrong
 * row there must not hide itself here.  Front end, sync, scalar, configuration and counter instructions. */
#ifndef KERR_TESTS_TTASM_H
#define KERR_TESTS_TTASM_H

#include <stdint.h>

/* clang-format off */
enum tt_opcode {
    TT_MOP = 0x01, TT_NOP = 0x02, TT_MOP_CFG = 0x03, TT_REPLAY = 0x04, TT_SETRWC = 0x37, TT_INCRWC = 0x38,
    TT_SETDMAREG = 0x45, TT_FLUSHDMA = 0x46, TT_LOADIND = 0x49,
    TT_SETADC = 0x50, TT_SETADCXY = 0x51, TT_INCADCXY = 0x52, TT_ADDRCRXY = 0x53, TT_SETADCZW = 0x54,
    TT_INCADCZW = 0x55, TT_ADDRCRZW = 0x56,
    TT_ADDDMAREG = 0x58, TT_SUBDMAREG = 0x59, TT_MULDMAREG = 0x5a, TT_BITWOPDMAREG = 0x5b, TT_SHIFTDMAREG = 0x5c,
    TT_CMPDMAREG = 0x5d, TT_SETADCXX = 0x5e, TT_DMANOP = 0x60, TT_ATINCGET = 0x61, TT_ATINCGETPTR = 0x62,
    TT_ATSWAP = 0x63, TT_ATCAS = 0x64, TT_STOREIND = 0x66, TT_STOREREG = 0x67, TT_LOADREG = 0x68,
    TT_ATGETM = 0xa0, TT_ATRELM = 0xa1, TT_STALLWAIT = 0xa2, TT_SEMINIT = 0xa3, TT_SEMPOST = 0xa4, TT_SEMGET = 0xa5,
    TT_SEMWAIT = 0xa6, TT_WRCFG = 0xb0, TT_RDCFG = 0xb1, TT_SETC16 = 0xb2, TT_RMWCIB0 = 0xb3, TT_CFGSHIFTMASK = 0xb8
};
/* clang-format on */

/* Conditions of STALLWAIT and block bits of STALLWAIT and SEMWAIT (manual STALLWAIT, Blackhole). */
enum { TT_C0_THCON = 1 << 0, TT_C12_CONFIG = 1 << 12 };
enum { TT_B1_SYNC = 1 << 1, TT_B5_THCON = 1 << 5, TT_B7_CONFIG = 1 << 7, TT_BLOCK_ALL = 0x1ff };
enum { TT_SEM_WHILE_ZERO = 1, TT_SEM_WHILE_MAX = 2 };

static inline uint32_t tt_word(enum tt_opcode opcode, uint32_t fields)
{
    return (uint32_t)opcode << 24 | fields;
}
static inline uint32_t tt_nop(void)
{
    return tt_word(TT_NOP, 0);
}
static inline uint32_t tt_dmanop(void)
{
    return tt_word(TT_DMANOP, 0);
}
/* template_1 = 0: count = turns - 1, low = the mask's low half.  1: both zero, or the Blackhole overrides. */
static inline uint32_t tt_mop(unsigned template_1, uint32_t count, uint32_t low)
{
    return tt_word(TT_MOP, template_1 << 23 | count << 16 | low);
}
static inline uint32_t tt_mop_counts(uint32_t outer, uint32_t inner)
{
    return tt_word(TT_MOP, 1u << 23 | outer << 10 | inner);
}
static inline uint32_t tt_mop_cfg(uint32_t mask_high)
{
    return tt_word(TT_MOP_CFG, mask_high);
}
static inline uint32_t tt_replay(uint32_t start, uint32_t count, unsigned execute, unsigned load)
{
    return tt_word(TT_REPLAY, start << 14 | count << 4 | execute << 1 | load);
}
/* half = 2 * register, + 1 for its high half. */
static inline uint32_t tt_setdmareg(uint32_t half, uint32_t value)
{
    return tt_word(TT_SETDMAREG, value << 8 | half);
}
/* All six of the family; mode is for BITWOP, SHIFT and CMP. */
static inline uint32_t tt_alu(enum tt_opcode opcode, unsigned constant, uint32_t mode, uint32_t result, uint32_t right,
                              uint32_t left)
{
    return tt_word(opcode, constant << 23 | mode << 18 | result << 12 | right << 6 | left);
}
/* LOADIND; size 0 = 16 bytes, 1 = 4, 2 = 2, 3 = 1. */
static inline uint32_t tt_loadind(uint32_t size, uint32_t offset_half, uint32_t increment, uint32_t result,
                                  uint32_t address)
{
    return tt_word(TT_LOADIND, size << 22 | offset_half << 14 | increment << 12 | result << 6 | address);
}
/* STOREIND to L1; sizes as LOADIND (manual, LLK p_ind; the text of assembly.yaml has 1 and 2 the other way round). */
static inline uint32_t tt_storeind(uint32_t size, uint32_t offset_half, uint32_t increment, uint32_t data,
                                   uint32_t address)
{
    return tt_word(TT_STOREIND, 1u << 23 | size << 21 | offset_half << 14 | increment << 12 | data << 6 | address);
}
/* Both: register, address between 0xFFB00000 and 0xFFBFFFFC. */
static inline uint32_t tt_reg_move(enum tt_opcode opcode, uint32_t gpr, uint32_t address)
{
    return tt_word(opcode, gpr << 18 | (address >> 2 & 0x3ffff));
}
static inline uint32_t tt_atincget(uint32_t width, uint32_t word, uint32_t in_out, uint32_t address)
{
    return tt_word(TT_ATINCGET, width << 14 | word << 12 | in_out << 6 | address);
}
static inline uint32_t tt_atincgetptr(unsigned no_increment, uint32_t increment_log2, uint32_t width, uint32_t word,
                                      uint32_t result, uint32_t address)
{
    return tt_word(TT_ATINCGETPTR,
                   no_increment << 22 | increment_log2 << 18 | width << 14 | word << 12 | result << 6 | address);
}
static inline uint32_t tt_atswap(uint32_t mask, uint32_t data, uint32_t address)
{
    return tt_word(TT_ATSWAP, mask << 14 | data << 6 | address);
}
static inline uint32_t tt_atcas(uint32_t set, uint32_t compare, uint32_t word, uint32_t address)
{
    return tt_word(TT_ATCAS, set << 18 | compare << 14 | word << 12 | address);
}
static inline uint32_t tt_flushdma(uint32_t conditions)
{
    return tt_word(TT_FLUSHDMA, conditions);
}
static inline uint32_t tt_mutex(enum tt_opcode opcode, uint32_t index)
{
    return tt_word(opcode, index);
}
static inline uint32_t tt_stallwait(uint32_t block, uint32_t conditions)
{
    return tt_word(TT_STALLWAIT, block << 15 | conditions);
}
static inline uint32_t tt_seminit(uint32_t max, uint32_t value, uint32_t mask)
{
    return tt_word(TT_SEMINIT, max << 20 | value << 16 | mask << 2);
}
static inline uint32_t tt_sem(enum tt_opcode opcode, uint32_t mask)
{
    return tt_word(opcode, mask << 2);
}
static inline uint32_t tt_semwait(uint32_t block, uint32_t mask, uint32_t condition)
{
    return tt_word(TT_SEMWAIT, block << 15 | mask << 2 | condition);
}
static inline uint32_t tt_wrcfg(uint32_t gpr, unsigned is_128, uint32_t index)
{
    return tt_word(TT_WRCFG, gpr << 16 | is_128 << 15 | index);
}
static inline uint32_t tt_rdcfg(uint32_t gpr, uint32_t index)
{
    return tt_word(TT_RDCFG, gpr << 16 | index);
}
static inline uint32_t tt_rmwcib(unsigned byte, uint32_t mask, uint32_t data, uint32_t index)
{
    return tt_word((enum tt_opcode)(TT_RMWCIB0 + byte), mask << 16 | data << 8 | index);
}
static inline uint32_t tt_setc16(uint32_t index, uint32_t value)
{
    return tt_word(TT_SETC16, index << 16 | value);
}
static inline uint32_t tt_cfgshiftmask(unsigned keep_old, uint32_t operation, uint32_t width_1, uint32_t rotate,
                                       uint32_t scratch, uint32_t index)
{
    return tt_word(TT_CFGSHIFTMASK,
                   keep_old << 23 | operation << 20 | width_1 << 15 | rotate << 10 | scratch << 8 | index);
}
/* A .ttinsn: what a T core takes from its instruction stream and pushes (manual PushTensixInstruction). */
static inline uint32_t tt_ttinsn(uint32_t word)
{
    return word << 2 | word >> 30;
}

#endif

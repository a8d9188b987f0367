/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for the baby RISC-V cores of a Blackhole Tensix tile, in plain C.
 *
 * Compile with kerr-cc, which says for which core: KERR_CORE is then KERR_CORE_B, _T0, _T1, _T2 or _NC, and
 * only what that core can reach is declared.  Pages named here are the manual's, BlackholeA0/TensixTile.
 *
 * Three habits of this memory system to know (BabyRISCV/MemoryOrdering):
 *   - Loads from L1 may come from a small cache that nobody else's stores invalidate.  Data that another
 *     core writes is read after kerr_fence(), or through kerr_wait_*() and kerr_atomic_*().
 *   - Stores to different regions may arrive in another order than they were made.  Before telling somebody
 *     through a mailbox or a PCBuf that data is in L1, call kerr_publish() on the last word written.
 *   - Local data RAM (globals, stack) is the core's own: no pointer into it means anything elsewhere. */
#ifndef KERR_SDK_H
#define KERR_SDK_H

#include "kerr_map.h"
#include "kerr_params.h"

#include <stdbool.h>
#include <stdint.h>

/* ---- Memory ------------------------------------------------------------------------------ */

/* A pointer to a register or to a word of L1. */
#define KERR_WORD(address) ((volatile uint32_t *)(uintptr_t)(address))

/* The tile's parameter block. */
#define KERR_PARAMS ((volatile kerr_params *)(uintptr_t)KERR_PARAMS_BASE)

/* What the host has put there, by number. */
static inline uint32_t kerr_argument(unsigned index)
{
    return KERR_PARAMS->argument[index];
}

/* Puts a variable into L1, behind the code, instead of into local data RAM: for tables and buffers too large
 * for 4 or 8 KiB.  Each core has its own; for data of all cores use KERR_SHARED_BASE. */
#define KERR_IN_L1 __attribute__((section(".kerr_l1"), aligned(16)))

/* Where this tile is, in NoC 0 coordinates: NOC_NODE_ID of NoC 0 (manual NoC/MemoryMap). */
static inline uint32_t kerr_tile_x(void)
{
    return *KERR_WORD(NOC0_REGS_START_ADDR + 0x44) & 63;
}

static inline uint32_t kerr_tile_y(void)
{
    return *KERR_WORD(NOC0_REGS_START_ADDR + 0x44) >> 6 & 63;
}

/* In a loop that waits for work which may never come: a core that goes round it counts as finished, not as hung.
 *
 *     while (*KERR_WORD(GO) == 0)
 *         KERR_IDLE(); */
#define KERR_IDLE() __asm__ volatile("__kerr_idle_%=:" ::: "memory")

/* Waits until earlier loads have their values and earlier stores have left, and empties the L0 data cache. */
static inline void kerr_fence(void)
{
    __asm__ volatile("fence" ::: "memory");
}

/* Holds back later loads and stores until value is known: an instruction that uses it stands between them. */
static inline uint32_t kerr_settle(uint32_t value)
{
    __asm__ volatile("mv %0, %0" : "+r"(value) : : "memory");
    return value;
}

/* Returns when the store to this word of L1 has reached memory (reading it back is the only way to know). */
static inline void kerr_publish(const volatile void *word)
{
    __asm__ volatile("" ::: "memory");
    (void)kerr_settle(*(const volatile uint32_t *)word);
}

/* Waits until somebody else has made (*word & mask) what it should be; returns the word. */
static inline uint32_t kerr_wait_equal(const volatile uint32_t *word, uint32_t mask, uint32_t value)
{
    for (;;) {
        kerr_fence();
        uint32_t now = *word;
        if ((now & mask) == value)
            return kerr_settle(now);
    }
}

static inline uint32_t kerr_wait_change(const volatile uint32_t *word, uint32_t old)
{
    for (;;) {
        kerr_fence();
        uint32_t now = *word;
        if (now != old)
            return kerr_settle(now);
    }
}

/* Atomic read-modify-write of a word of L1, against every client of L1; returns the word from before.  The
 * compiler is not told of the A extension because half of it (load-reserved) does not exist here. */
#define KERR_ATOMIC_(name, instruction)                                                                                \
    static inline uint32_t name(volatile uint32_t *word, uint32_t operand)                                             \
    {                                                                                                                  \
        uint32_t before;                                                                                               \
        __asm__ volatile(".option push\n\t"                                                                            \
                         ".option arch, +a\n\t" instruction " %0, %2, (%1)\n\t"                                        \
                         ".option pop"                                                                                 \
                         : "=r"(before)                                                                                \
                         : "r"(word), "r"(operand)                                                                     \
                         : "memory");                                                                                  \
        return before;                                                                                                 \
    }
KERR_ATOMIC_(kerr_atomic_add, "amoadd.w")
KERR_ATOMIC_(kerr_atomic_swap, "amoswap.w")
KERR_ATOMIC_(kerr_atomic_and, "amoand.w")
KERR_ATOMIC_(kerr_atomic_or, "amoor.w")
KERR_ATOMIC_(kerr_atomic_xor, "amoxor.w")
KERR_ATOMIC_(kerr_atomic_min, "amominu.w")
KERR_ATOMIC_(kerr_atomic_max, "amomaxu.w")
#undef KERR_ATOMIC_

/* ---- Mailboxes: between B, T0, T1, T2; four words deep, shared by all four that a core writes ----------- */

#ifdef TENSIX_MAILBOX
/* Sends a word to a core (KERR_CORE_B ... KERR_CORE_T2); waits while the mailboxes are full. */
static inline void kerr_mailbox_write(unsigned to, uint32_t value)
{
    *KERR_WORD(TENSIX_MAILBOX + TENSIX_MAILBOX_STRIDE * to) = value;
}

/* The next word from a core; waits until there is one. */
static inline uint32_t kerr_mailbox_read(unsigned from)
{
    return kerr_settle(*KERR_WORD(TENSIX_MAILBOX + TENSIX_MAILBOX_STRIDE * from));
}

/* True if kerr_mailbox_read would not wait. */
static inline bool kerr_mailbox_ready(unsigned from)
{
    return kerr_settle(*KERR_WORD(TENSIX_MAILBOX_QUERY + TENSIX_MAILBOX_QUERY_STRIDE * from)) != 0;
}
#endif

/* ---- PCBufs: from B to T0, T1, T2; sixteen words deep ------------------------------------------------- */

#if KERR_CORE == KERR_CORE_B
/* thread is 0, 1 or 2. */
static inline void kerr_pcbuf_push(unsigned thread, uint32_t value)
{
    *KERR_WORD(PC_BUF_BASE + PC_BUF_BASE_BYTES * thread) = value;
}

/* Waits until the thread has taken every word and asks for the next, and its Tensix thread is idle. */
static inline void kerr_pcbuf_wait_idle(unsigned thread)
{
    (void)kerr_settle(*KERR_WORD(PC_BUF_BASE + PC_BUF_BASE_BYTES * thread));
}
#elif KERR_CORE != KERR_CORE_NC
/* The next word from B; waits until there is one. */
static inline uint32_t kerr_pcbuf_pop(void)
{
    return kerr_settle(*KERR_WORD(PC_BUF_BASE));
}
#endif

/* ---- Time -------------------------------------------------------------------------------- */

/* Cycles since the tile left reset, the same for all cores of the tile (DebugTimestamper). */
static inline uint32_t kerr_wall_clock_low(void)
{
    return kerr_settle(*KERR_WORD(RISCV_DEBUG_REG_WALL_CLOCK_L));
}

static inline uint64_t kerr_wall_clock(void)
{
    uint32_t high, low, again;
    do {
        high = kerr_settle(*KERR_WORD(RISCV_DEBUG_REG_WALL_CLOCK_1));
        low = kerr_settle(*KERR_WORD(RISCV_DEBUG_REG_WALL_CLOCK_L));
        again = kerr_settle(*KERR_WORD(RISCV_DEBUG_REG_WALL_CLOCK_1));
    } while (high != again);
    return (uint64_t)high << 32 | low;
}

/* ---- Control and status registers (BabyRISCV/CSRs) ----------------------------------------- */

/* csr is a name the assembler knows, or a number. */
#define KERR_CSR_STRING_(csr) #csr
#define KERR_CSR_NAME_(csr) KERR_CSR_STRING_(csr)
#define kerr_csr_read(csr)                                                                                             \
    __extension__({                                                                                                    \
        uint32_t kerr_value_;                                                                                          \
        __asm__ volatile("csrr %0, " KERR_CSR_NAME_(csr) : "=r"(kerr_value_)::"memory");                               \
        kerr_value_;                                                                                                   \
    })
#define kerr_csr_write(csr, value)                                                                                     \
    __asm__ volatile("csrw " KERR_CSR_NAME_(csr) ", %0" ::"r"((uint32_t)(value)) : "memory")
#define kerr_csr_set(csr, bits) __asm__ volatile("csrs " KERR_CSR_NAME_(csr) ", %0" ::"r"((uint32_t)(bits)) : "memory")
#define kerr_csr_clear(csr, bits)                                                                                      \
    __asm__ volatile("csrc " KERR_CSR_NAME_(csr) ", %0" ::"r"((uint32_t)(bits)) : "memory")

/* The core's own configuration word and the bits that kernels set. */
#define KERR_CSR_CFG0 0x7c0
#define KERR_CFG0_DisBp 0x00000002u                    /* no branch prediction */
#define KERR_CFG0_DisLowCash 0x00000008u               /* no L0 data cache */
#define KERR_CFG0_DisStMerge 0x00001000u               /* the store queue does not coalesce */
#define KERR_CFG0_DisTriscCache 0x00040000u            /* adjacent .ttinsn are not fused */
#define KERR_CFG0_DisLowCachePeriodicFlush 0x01000000u /* the L0 data cache is not flushed at random */
#define KERR_CFG0_EnBFloat 0x40000000u                 /* half-precision instructions work on BF16 */

/* Cycles and instructions of this core. */
static inline uint32_t kerr_mcycle(void)
{
    return kerr_csr_read(mcycle);
}

static inline uint32_t kerr_minstret(void)
{
    return kerr_csr_read(minstret);
}

/* Ends as main's return does, but leaves the counters at zero and does not read them: not every simulator has mcycle. */
static inline _Noreturn void kerr_finish(int32_t result)
{
    KERR_PARAMS->run[KERR_CORE].result = result;
    kerr_fence();
    KERR_PARAMS->run[KERR_CORE].state = KERR_RUN_DONE;
    for (;;)
        __asm__ volatile("__kerr_end_%=: j __kerr_end_%=" ::);
}

#endif /* KERR_SDK_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel that tries what the sdk promises, on the core it is compiled for.  main returns 0, or the line of
 * the first promise that does not hold.  kernels_test.py runs it on all five cores of a tile at once. */
#include "kerr_sdk.h"
#include "kerr_text.h"

#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            return __LINE__;                                                                                           \
    } while (0)

/* Words of KERR_SHARED_BASE that the five cores share. */
enum { SUM = 0, TURN = 1, BITS = 2, MINIMUM = 3, MAXIMUM = 4 };
#define SHARED KERR_WORD(KERR_SHARED_BASE)

struct pair {
    int left, right;
};

/* Not static, so that the compiler cannot know what is in them. */
struct pair table[] = {{1, -1}, {2, -2}, {3, -3}};
uint8_t bytes[5] = {1, 2, 3, 4, 5};
uint32_t zero[16];
extern const uint16_t constant[3];
const uint16_t constant[3] = {7, 8, 9};
KERR_IN_L1 uint32_t in_l1[64] = {11, 22, 33};

static __attribute__((noinline)) uint32_t deep(uint32_t depth)
{
    volatile uint32_t here[8] = {depth};
    return depth == 0 ? here[0] : here[0] + deep(depth - 1);
}

static int start_up(void)
{
    __asm__ volatile("" ::: "memory");
    for (int i = 0; i < 3; i++)
        EXPECT(table[i].left == i + 1 && table[i].right == -i - 1 && constant[i] == 7 + i);
    EXPECT(bytes[0] + bytes[1] + bytes[2] + bytes[3] + bytes[4] == 15);
    for (int i = 0; i < 16; i++)
        EXPECT(zero[i] == 0);
    EXPECT(in_l1[0] == 11 && in_l1[2] == 33 && in_l1[63] == 0);
    EXPECT((uintptr_t)table >= MEM_LOCAL_BASE && (uintptr_t)in_l1 < KERR_PARAMS_BASE);
    EXPECT(deep(20) == 210);
    return 0;
}

static int c_library(void)
{
    struct pair copy[3];
    __builtin_memcpy(copy, table, sizeof copy);
    EXPECT(copy[2].right == -3);
    volatile unsigned size = 4; /* too little known to be done without a call */
    uint8_t text[8] = "abcdef";
    __builtin_memmove(text + 1, text, size);
    EXPECT(__builtin_memcmp(text, "aabcdf", 6) == 0);
    __builtin_memset(text, 'z', size);
    EXPECT(__builtin_memcmp(text, "zzzzdf", size + 2) == 0 && __builtin_memcmp(text, "zzzz", size) == 0);
    volatile uint64_t big = UINT64_C(10000000000);
    EXPECT(big / 7 == UINT64_C(1428571428) && big % 7 == 4);
    volatile float half = 0.5f;
    EXPECT((int)(half * 9.0f) == 4);
    return 0;
}

static int atomics(void)
{
    const uint32_t own = 1u << KERR_CORE;
    for (int i = 0; i < 100; i++)
        kerr_atomic_add(&SHARED[SUM], KERR_CORE + 1);
    EXPECT((kerr_atomic_or(&SHARED[BITS], own) & own) == 0);
    kerr_atomic_min(&SHARED[MINIMUM], KERR_CORE + 100);
    kerr_atomic_max(&SHARED[MAXIMUM], KERR_CORE + 100);

    volatile uint32_t *word = &in_l1[40];
    *word = 0xF0;
    EXPECT(kerr_atomic_and(word, 0x3C) == 0xF0);
    EXPECT(kerr_atomic_xor(word, 0xFF) == 0x30);
    EXPECT(kerr_atomic_swap(word, 5) == 0xCF);
    EXPECT(*word == 5);
    return 0;
}

/* One core after the other, by a word in L1. */
static int turns(void)
{
    kerr_wait_equal(&SHARED[TURN], UINT32_MAX, KERR_CORE);
    SHARED[TURN] = KERR_CORE + 1;
    uint32_t now = kerr_wait_change(&SHARED[TURN], KERR_CORE);
    EXPECT(now > KERR_CORE);
    kerr_wait_equal(&SHARED[TURN], UINT32_MAX, KERR_CORE_COUNT);
    EXPECT(SHARED[BITS] == 0x1F);
    EXPECT(SHARED[SUM] == 100 * (1 + 2 + 3 + 4 + 5));
    EXPECT(SHARED[MINIMUM] == 100 && SHARED[MAXIMUM] == 104);
    return 0;
}

/* Every pair of B, T0, T1, T2, itself included; B also through the PCBufs. */
static int mailboxes(void)
{
#if KERR_CORE != KERR_CORE_NC
    for (unsigned other = KERR_CORE_B; other <= KERR_CORE_T2; other++)
        kerr_mailbox_write(other, 1000 * KERR_CORE + other);
    for (unsigned other = KERR_CORE_B; other <= KERR_CORE_T2; other++)
        EXPECT(kerr_mailbox_read(other) == 1000 * other + KERR_CORE);
#endif
#if KERR_CORE == KERR_CORE_B
    kerr_mailbox_write(KERR_CORE_B, 42);
    while (!kerr_mailbox_ready(KERR_CORE_B)) {}
    EXPECT(kerr_mailbox_read(KERR_CORE_B) == 42);
    EXPECT(!kerr_mailbox_ready(KERR_CORE_B));
    for (unsigned i = 0; i < 40; i++) {
        for (unsigned thread = 0; thread < 3; thread++)
            kerr_pcbuf_push(thread, 100 * thread + i);
    }
    for (unsigned thread = 0; thread < 3; thread++)
        kerr_pcbuf_wait_idle(thread);
    for (unsigned thread = 0; thread < 3; thread++)
        kerr_pcbuf_push(thread, 7777);
#elif KERR_CORE != KERR_CORE_NC
    for (unsigned i = 0; i < 40; i++)
        EXPECT(kerr_pcbuf_pop() == 100 * (KERR_CORE - KERR_CORE_T0) + i);
    EXPECT(kerr_pcbuf_pop() == 7777);
#endif
    return 0;
}

static int time_and_csrs(void)
{
    uint32_t start = kerr_wall_clock_low(), cycles = kerr_mcycle(), instructions = kerr_minstret();
    for (volatile int i = 0; i < 50; i++) {}
    uint32_t took = kerr_wall_clock_low() - start, ran = kerr_minstret() - instructions;
    EXPECT(took > 100 && took < 5000);
    EXPECT(ran > 100 && ran <= took);
    EXPECT(kerr_mcycle() - cycles >= took);
    EXPECT(kerr_wall_clock() >= start);
    EXPECT(kerr_csr_read(misa) == 0x40201123);
    kerr_csr_write(0x7c3, 0x55);
    kerr_csr_set(0x7c3, 0x0A);
    kerr_csr_clear(0x7c3, 0x11);
    EXPECT(kerr_csr_read(0x7c3) == 0x4E);
    kerr_csr_set(KERR_CSR_CFG0, KERR_CFG0_DisLowCash);
    EXPECT(kerr_csr_read(KERR_CSR_CFG0) & KERR_CFG0_DisLowCash);
    return 0;
}

static int text(void)
{
    kerr_text out = kerr_text_at((uint32_t)(uintptr_t)in_l1, 16);
    kerr_text_put(&out, "n=");
    kerr_text_number(&out, 4294967295u);
    kerr_text_char(&out, ' ');
    kerr_text_number(&out, 0);
    kerr_text_put(&out, "too long");
    EXPECT(__builtin_memcmp(in_l1, "n=4294967295 0t", 16) == 0);
    return 0;
}

int main(void)
{
    int (*const parts[])(void) = {start_up, c_library, atomics, turns, mailboxes, time_and_csrs, text};
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        int line = parts[i]();
        if (line)
            return line;
    }
    return 0;
}

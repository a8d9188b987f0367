/* SPDX-License-Identifier: Apache-2.0 */
/* Each check of synchronisation, on a program that has the bug and on one that has it mended: the first gives findings of its kind
 * alone, with both ends where there are two, the second gives none.  Configuration: config_pairs.c. */
#include "../support/check_pairs.h"

enum { FLAG = 0x38000 };
#define STREAM 0xFFB45000u /* of circular buffer CB_ID */
#define PAGES_PUSHED (STREAM + 4 * 10)
#define PAGES_POPPED (STREAM + 4 * 8)

/* ---- L1 -------------------------------------------------------------------------------------------------------------------- */

static void two_cores(programs *p, bool mended)
{
    rvasm *b = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0);
    store(b, DATA, 1);
    store(b, FLAG, 1);
    if (mended)
        wait_while(t, FLAG, 0);
    store(t, DATA, 2);
}

static void neighbours(programs *p, bool mended)
{
    rvasm *b = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0);
    rva_li(b, T1, DATA);
    rva_li(t, T1, DATA);
    rva(b, rv_sh(X0, 0, T1));
    rva(t, rv_sh(X0, mended ? 2 : 0, T1)); /* halves of one word */
}

/* Told before it is there. */
static void flag_too_early(programs *p, bool mended)
{
    rvasm *b = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0), *u = begin(p, KERR_CORE_T1);
    wait_while(t, FLAG, 0);
    wait_while(u, FLAG, 0); /* it is known for a flag by now */
    if (mended)
        store(b, DATA, 1);
    store(b, FLAG + 4, 0);
    wait_while(b, FLAG + 8, 1);
    store(b, FLAG, 1);
    if (!mended)
        store(b, DATA, 1);
    load(t, DATA);
}

/* A request of the Scalar Unit is under way while its core writes there. */
static void loadind(programs *p, bool mended)
{
    rvasm *t = begin(p, KERR_CORE_T0);
    set_gpr(t, 4, DATA / 16);
    set_gpr(t, 5, 0);
    push(t, tt_loadind(1, 2 * 5, 0, 6, 4));
    if (mended)
        load(t, DONE_CHECK);
    store(t, DATA, 1);
}

/* ---- Registers ------------------------------------------------------------------------------------------------------------- */

static void gpr(programs *p, bool mended)
{
    rvasm *t = begin(p, KERR_CORE_T0);
    set_gpr(t, 4, DATA / 16);
    set_gpr(t, 5, 0);
    push(t, tt_loadind(1, 2 * 5, 0, 6, 4));
    if (mended)
        push(t, tt_stallwait(TT_B5_THCON, TT_C0_THCON));
    push(t, tt_alu(TT_ADDDMAREG, 0, 0, 8, 6, 6));
}

/* The wait is there and blocks something else. */
static void wrong_block(programs *p, bool mended)
{
    rvasm *t = begin(p, KERR_CORE_T0);
    set_gpr(t, 4, DATA / 16);
    set_gpr(t, 5, 0);
    push(t, tt_loadind(1, 2 * 5, 0, 6, 4));
    push(t, tt_stallwait(mended ? TT_B5_THCON : TT_B7_CONFIG, TT_C0_THCON));
    for (unsigned i = 0; i < 40; i++)
        push(t, tt_dmanop()); /* in practice long enough */
    push(t, tt_alu(TT_ADDDMAREG, 0, 0, 8, 6, 6));
}

static void dst(programs *p, bool mended)
{
    const uint32_t zeroacc_all = 0x10u << 24 | 3u << 19;
    one_behind_the_other(p, mended, zeroacc_all, zeroacc_all);
}
static void src(programs *p, bool mended)
{
    const uint32_t zerosrc = 0x11u << 24 | 3;
    one_behind_the_other(p, mended, zerosrc, zerosrc);
}

#define MOVA2D (0x12u << 24)
#define MOVD2A (0x08u << 24)
#define SFPLOAD (0x70u << 24)
#define SFPSTORE (0x72u << 24)

/* Who has the semaphore knows that the instruction was issued, not that its result is there. */
static void handed_on(programs *p, bool mended, uint32_t conditions, uint32_t write)
{
    rvasm *a = begin(p, KERR_CORE_T1), *b = begin(p, KERR_CORE_T2);
    push(a, tt_seminit(2, 0, HANDOVER));
    if (write == MOVA2D) {
        push(a, 0x11u << 24 | 3); /* ZEROSRC */
        push(a, 0x57u << 24 | 1); /* SETDVALID SrcA */
    }
    push(a, write);
    if (mended)
        push(a, tt_stallwait(TT_B1_SYNC, conditions));
    push(a, tt_sem(TT_SEMPOST, HANDOVER));
    push(b, tt_semwait(TT_BLOCK_ALL, HANDOVER, TT_SEM_WHILE_ZERO));
    push(b, tt_sem(TT_SEMGET, HANDOVER));
    for (unsigned i = 0; i < 8; i++)
        push(b, tt_nop());
    push(b, write == SFPSTORE ? MOVD2A : SFPLOAD); /* by the other unit */
}
static void matrix_result(programs *p, bool mended)
{
    handed_on(p, mended, 1 << 4, MOVA2D);
}
static void vector_result(programs *p, bool mended)
{
    handed_on(p, mended, 1 << 11, SFPSTORE);
}
/* A wait for the other unit says nothing. */
static void wrong_unit(programs *p, bool mended)
{
    handed_on(p, true, mended ? 1 << 11 : 1 << 4, SFPSTORE);
}

/* ---- Semaphores and mutexes --------------------------------------------------------------------------------------------------- */

static void semaphore(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0), *b = begin(p, KERR_CORE_T1);
    push(a, tt_seminit(2, 0, HANDOVER));
    load(a, DONE_CHECK);
    store(a, FLAG, 1);
    if (mended)
        wait_while(b, FLAG, 0);
    push(b, tt_sem(TT_SEMPOST, HANDOVER));
}
/* SEMWAIT for what nobody sets up: a thread that goes on, and one that waits for good, since Max is 0. */
static void unset(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0), *b = begin(p, KERR_CORE_T1);
    push(b, tt_semwait(TT_BLOCK_ALL, HANDOVER, TT_SEM_WHILE_ZERO));
    push(b, tt_sem(TT_SEMGET, HANDOVER));
    if (mended)
        push(a, tt_seminit(2, 0, HANDOVER));
    push(a, tt_sem(TT_SEMPOST, HANDOVER));
}
static void unset_at_max(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0), *b = begin(p, KERR_CORE_T1);
    if (mended)
        push(b, tt_seminit(2, 0, HANDOVER));
    push(b, tt_semwait(TT_BLOCK_ALL, HANDOVER, TT_SEM_WHILE_MAX));
    push(b, tt_nop());
    push(a, tt_nop());
}
static void overflow(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    for (unsigned i = 0; i < (mended ? 15 : 16); i++)
        push(a, tt_sem(TT_SEMPOST, HANDOVER));
}
static void underflow(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    if (mended)
        push(a, tt_sem(TT_SEMPOST, HANDOVER));
    push(a, tt_sem(TT_SEMGET, HANDOVER));
}
static void mutex(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    push(a, tt_mutex(TT_ATGETM, 2));
    push(a, tt_nop());
    if (mended)
        push(a, tt_mutex(TT_ATRELM, 2));
}
static void circular_buffer(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    store(a, PAGES_PUSHED, 1);
    store(a, PAGES_POPPED, mended ? 1 : 2);
}
/* It has two pages. */
static void overfull(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    load(a, LAUNCH_CB_MASK);
    store(a, PAGES_PUSHED, 2);
    if (mended)
        store(a, PAGES_POPPED, 1);
    store(a, PAGES_PUSHED, 3);
}

/* ---- Kernels of tt-metal: firmware goes on behind them -------------------------------------------------------------------------- */

enum { SUBORDINATE_SYNC = 96 + 8, OF_NC = 0, OF_T0 = 1, GO = 0x80 };

/* RISCV B lets it go, and it begins when it sees that; behind what `a` does it says that it is done, and looks for more. */
static rvasm *kernel_begins(programs *p, kerr_core core, unsigned which)
{
    rvasm *b = begin(p, KERR_CORE_B), *a = begin(p, core);
    store_byte(b, SUBORDINATE_SYNC + which, GO);
    wait_while(a, SUBORDINATE_SYNC, 0);
    return a;
}
static void kernel_ends(rvasm *a, unsigned which)
{
    store_byte(a, SUBORDINATE_SYNC + which, 0);
    wait_while(a, SUBORDINATE_SYNC, 0);
}
static void kernel_mutex(programs *p, bool mended)
{
    rvasm *a = kernel_begins(p, KERR_CORE_T0, OF_T0);
    push(a, tt_mutex(TT_ATGETM, 2));
    if (mended)
        push(a, tt_mutex(TT_ATRELM, 2));
    load(a, DONE_CHECK);
    kernel_ends(a, OF_T0);
}

/* ---- NoC ------------------------------------------------------------------------------------------------------------------------ */

static void read_other(rvasm *a)
{
    request(a, READ, DATA + 0x1000, node(kerr_tensix_xy(1)), DATA, node(kerr_tensix_xy(0)), 256);
}

static void pending(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    read_other(a);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
}
static void kernel_pending(programs *p, bool mended)
{
    rvasm *a = kernel_begins(p, KERR_CORE_NC, OF_NC);
    read_other(a);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
    kernel_ends(a, OF_NC);
}
static void no_barrier(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    read_other(a);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
    load(a, DATA);
    wait_while(a, NIU + READ_RESPONSES, 0);
}
static void wrong_barrier(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    read_other(a);
    wait_while(a, NIU + (mended ? READ_RESPONSES : WRITE_ACKS), mended ? 0 : 1);
    load(a, DATA);
    wait_while(a, NIU + READ_RESPONSES, 0);
}
/* What an NIU still reads is given to somebody who writes it. */
static void source_given_away(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B), *t = begin(p, KERR_CORE_T0);
    request(a, WRITE, DATA, node(kerr_tensix_xy(0)), DATA + 0x2000, node(kerr_tensix_xy(1)), 4096);
    if (mended)
        wait_while(a, NIU + WRITE_ACKS, 0);
    store(a, FLAG, 1);
    wait_while(a, NIU + WRITE_ACKS, 0);
    wait_while(t, FLAG, 0);
    store(t, DATA + 4, 2);
}

/* ---- All ------------------------------------------------------------------------------------------------------------------------ */

static const struct pair pairs[] = {
    {"race-l1", "two cores write a word", two_cores, true},
    {"race-l1", "two cores write halves of a word", neighbours, true},
    {"race-l1", "a flag that is set before the data", flag_too_early, true},
    {"race-l1", "a store while LOADIND is under way", loadind, true},
    {"noc-overlap", "a load without a barrier", no_barrier, true},
    {"noc-overlap", "the source of a NoC write is given away", source_given_away, true},
    {"barrier-wrong", "a barrier of writes behind a read", wrong_barrier, true},
    {"noc-pending", "the end of a program", pending, false},
    {"noc-pending", "the end of a kernel", kernel_pending, false},
    {"race-gpr", "LOADIND without STALLWAIT", gpr, true},
    {"race-gpr", "STALLWAIT that blocks something else", wrong_block, true},
    {"race-dst", "ZEROACC of two threads", dst, true},
    {"race-dst", "the Matrix Unit is not waited for", matrix_result, true},
    {"race-dst", "the Vector Unit is not waited for", vector_result, true},
    {"race-dst", "the wrong unit is waited for", wrong_unit, true},
    {"race-src", "ZEROSRC of two threads", src, true},
    {"race-semaphore", "SEMINIT of another thread", semaphore, true},
    {"sem-unset", "SEMWAIT without SEMINIT", unset, false},
    {"sem-unset", "SEMWAIT that never ends", unset_at_max, false},
    {"sem-overflow", "SEMPOST at 15", overflow, false},
    {"sem-underflow", "SEMGET at 0", underflow, false},
    {"mutex-held", "ATGETM without ATRELM", mutex, false},
    {"mutex-held", "the end of a kernel", kernel_mutex, false},
    {"cb-protocol", "more popped than pushed", circular_buffer, false},
    {"cb-protocol", "more pushed than it holds", overfull, false},
};

int main(void)
{
    tap t = {0};
    run_pairs(&t, pairs, sizeof pairs / sizeof *pairs);
    return tap_end(&t);
}

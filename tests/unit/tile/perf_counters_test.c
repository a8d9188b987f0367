/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
#include "unit/tile/fake_tile.h"

#include "costs.h"
#include "support/ttasm.h"
#include "tensix/counts.h"
#include "tensix/tensix.h"

/* Cycles from a push to its place at the gate. */
enum { GATE = COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE };

static void push_at(struct tile *tile, unsigned thread, uint32_t word, uint64_t cycle)
{
    assert_int_equal(devices_push_tensix(tile, T0 + thread, thread, word, cycle), DEV_OK);
}

static void run_to(struct tile *tile, uint64_t cycle)
{
    struct tensix *tx = &tile->dev.tensix;
    for (;;) {
        const uint64_t event = devices_next_event(&tile->dev), unit = tensix_next(tx);
        if (event <= cycle && event <= unit)
            devices_event(tile, event);
        else if (unit < cycle)
            tensix_run(&tile->lent, tx, event < cycle ? event : cycle);
        else
            return;
    }
}

/* Of INSTRN_THREAD. */
static uint32_t count(struct tile *tile, unsigned selection, uint64_t cycle)
{
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD1, selection << 8, cycle);
    return rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_INSTRN_THREAD, cycle);
}

enum {
    SYNC_INSTRN_AVAILABLE = 3,
    THCON_INSTRN_AVAILABLE = 6,
    FPU_INSTRN_AVAILABLE = 15,
    THREAD_STALLS = 24,
    WAITING_FOR_THCON_IDLE_0 = 31,
    WAITING_FOR_NONZERO_SEM_0 = 35,
    WAITING_FOR_NONFULL_SEM_0 = 36,
    THREAD_INSTRUCTIONS = 256, /* and 8 more for the next thread */
    ANY_THREAD_STALL = 283
};

static void start_clears_and_counts_and_stop_freezes(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 150), 50);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 0, 160);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 170), 70); /* a falling edge is nothing */
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 2, 200);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 500), 100);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 0, 600);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_2, 1, 600);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 601), 1);
}

static void all_starts_fpu_and_instrn_thread_only(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, T2, RISCV_DEBUG_REG_PERF_CNT_ALL, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU, 110), 10);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD, 110), 10);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_PACK, 110), 0);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_UNPACK, 110), 0);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_DBG_L1, 110), 0);
}

static void mode_1_stops_after_the_period(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK0, 30);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK1, 1);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_TDMA_PACK2, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_PACK, 120), 20);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_TDMA_PACK, 500), 30);
}

static void instructions_are_counted_by_thread_and_type(void **state)
{
    struct tile *tile = *state;
    push_at(tile, 0, tt_nop(), 10); /* before the start */
    run_to(tile, 40);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_ALL, 1, 40);
    for (unsigned i = 0; i < 3; i++)
        push_at(tile, 0, tt_nop(), 50 + i);
    push_at(tile, 0, tt_word(TT_SEMPOST, 4), 53);
    push_at(tile, 0, tt_word(TT_SEMPOST, 4), 54);
    push_at(tile, 1, tt_setdmareg(0, 1), 50);
    push_at(tile, 2, tt_word(TT_SETRWC, 0), 50);
    push_at(tile, 2, tt_word(TT_SETRWC, 0), 51);
    push_at(tile, 2, 0x8A000000, 52); /* SFPENCC */
    run_to(tile, 80);
    for (unsigned k = 0; k < 8; k++) { /* eight copies of each */
        assert_int_equal(count(tile, THREAD_INSTRUCTIONS + k, 80), 5);
        assert_int_equal(count(tile, THREAD_INSTRUCTIONS + 8 + k, 80), 1);
        assert_int_equal(count(tile, THREAD_INSTRUCTIONS + 16 + k, 80), 3);
    }
    assert_int_equal(count(tile, SYNC_INSTRN_AVAILABLE, 80), 2);
    assert_int_equal(count(tile, SYNC_INSTRN_AVAILABLE + 1, 80), 0);
    assert_int_equal(count(tile, THCON_INSTRN_AVAILABLE + 1, 80), 1);
    assert_int_equal(count(tile, FPU_INSTRN_AVAILABLE + 2, 80), 3);
    assert_int_equal(count(tile, THREAD_STALLS, 80), 0);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU1, 0 << 8);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_FPU, 80), 2);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU1, 1 << 8);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_FPU, 80), 1);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU1, 257 << 8);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_FPU, 80), 3);
}

/* T0: SEMWAIT for semaphore 0 at cycle 50 + GATE, and SEMPOST of another behind it, held until T1's SEMPOST, which is pushed
 * at 80, is seen: it passes at 80 + GATE, the condition is met one later, the gate lets go one later. */
static void block(struct tile *tile)
{
    push_at(tile, 0, tt_word(TT_SEMWAIT, 0x1FFu << 15 | 1 << 2 | TT_SEM_WHILE_ZERO), 50);
    push_at(tile, 0, tt_word(TT_SEMPOST, 2 << 2), 51);
    push_at(tile, 1, tt_word(TT_SEMPOST, 1 << 2), 80);
}

static void a_wait_is_counted_from_the_arrival_at_the_gate_to_the_pass(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_ALL, 1, 40);
    block(tile);
    run_to(tile, 60 + GATE);
    assert_int_equal(count(tile, THREAD_STALLS, 60 + GATE), 60 - 51); /* it goes on */
    assert_int_equal(count(tile, SYNC_INSTRN_AVAILABLE, 60 + GATE), 1 + 60 - 51);
    assert_int_equal(count(tile, ANY_THREAD_STALL, 60 + GATE), 60 - 51);
    assert_int_equal(count(tile, WAITING_FOR_NONZERO_SEM_0, 60 + GATE), 60 - 51);
    run_to(tile, 120);
    assert_int_equal(count(tile, THREAD_STALLS, 120), 82 - 51);
    assert_int_equal(count(tile, THREAD_STALLS + 1, 120), 0);
    assert_int_equal(count(tile, ANY_THREAD_STALL, 120), 82 - 51);
    assert_int_equal(count(tile, SYNC_INSTRN_AVAILABLE, 120), 1 + 82 - 51 + 1);
    assert_int_equal(count(tile, WAITING_FOR_NONZERO_SEM_0, 120), 81 - 51);
    assert_int_equal(count(tile, WAITING_FOR_NONFULL_SEM_0, 120), 0);
    assert_int_equal(count(tile, WAITING_FOR_NONZERO_SEM_0 + 256, 120), 82 - 51); /* grants of reasons: the stalls */
    assert_int_equal(count(tile, WAITING_FOR_NONZERO_SEM_0 + 9, 120), 0);
}

static void only_the_window_is_counted(void **state)
{
    struct tile *tile = *state;
    block(tile);
    run_to(tile, 60);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD2, 1, 60);
    run_to(tile, 70);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD2, 2, 70);
    run_to(tile, 120);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD, 120), 10);
    assert_int_equal(count(tile, THREAD_STALLS, 120), 10);
    assert_int_equal(count(tile, WAITING_FOR_NONZERO_SEM_0, 120), 10);
    assert_int_equal(count(tile, ANY_THREAD_STALL, 120), 10);
    assert_int_equal(count(tile, THREAD_INSTRUCTIONS, 120), 0);
}

static void mode_1_stops_events_too(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD0, 20);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD1, 1);
    block(tile);
    run_to(tile, 55);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD2, 1, 55);
    assert_int_equal(devices_next_event(&tile->dev), 75);
    run_to(tile, 120);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_INSTRN_THREAD, 120), 20);
    assert_int_equal(count(tile, THREAD_STALLS, 120), 20);
    assert_int_equal(devices_next_event(&tile->dev), UINT64_MAX);
}

static void mode_2_keeps_no_reference(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU1, 2);
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU2, 1, 100);
    assert_int_equal(rd_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU, 150), 0);
}

static void a_condition_counts_whether_or_not_something_is_held(void **state)
{
    struct tile *tile = *state;
    struct tensix_thread *t = &tile->dev.tensix.thread[0];
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_ALL, 1, 40);
    push_at(tile, 0, tt_loadind(1, 0, 0, 8, 4), 50);
    push_at(tile, 0, tt_word(TT_STALLWAIT, (uint32_t)TT_BLOCK_ALL << 15 | TT_C0_THCON), 51);
    run_to(tile, 100);
    const uint64_t latched = t->passed[(t->passed_at + 1) % GATE_FIFO_CAPACITY]; /* the cycle behind the STALLWAIT */
    assert_true(t->loads_until > latched);
    assert_int_equal(count(tile, WAITING_FOR_THCON_IDLE_0, 100), t->loads_until - latched);
    push_at(tile, 0, tt_nop(), 100);
    run_to(tile, 120);
    assert_int_equal(count(tile, WAITING_FOR_THCON_IDLE_0, 120), t->loads_until - latched);
}

static void an_instruction_behind_one_that_holds_its_thread_stalls(void **state)
{
    struct tile *tile = *state;
    wr_at(tile, B, RISCV_DEBUG_REG_PERF_CNT_ALL, 1, 40);
    push_at(tile, 0, tt_alu(TT_ADDDMAREG, 0, 0, 3, 1, 1), 50);
    push_at(tile, 0, tt_word(TT_SEMPOST, 4), 51);
    run_to(tile, 51 + GATE);
    const uint64_t next = tile->dev.tensix.thread[0].gate_next;
    assert_true(next > 51 + GATE);
    run_to(tile, 100);
    assert_int_equal(count(tile, THREAD_STALLS, 100), next - (51 + GATE));
    assert_int_equal(count(tile, SYNC_INSTRN_AVAILABLE, 100), next - (51 + GATE) + 1);
    assert_int_equal(count(tile, ANY_THREAD_STALL, 100), next - (51 + GATE));
    assert_int_equal(tile->dev.tensix.stalled[0][TENSIX_STALL_SCALAR], next - (51 + GATE));
}

static void events_that_no_guide_names_are_a_fault(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_INSTRN_THREAD1, 58 << 8);
    assert_int_equal(try_rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_INSTRN_THREAD), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNKNOWN);
    assert_string_equal(tile->fault_text, "RISCV_DEBUG_REG_PERF_CNT_OUT_H_INSTRN_THREAD: no guide names event 58");
}

static void events_that_are_not_modelled_say_so(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_L1_1, 6 << 8);
    assert_int_equal(try_rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_H_DBG_L1), DEV_FAULT);
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNIMPLEMENTED);
    assert_string_equal(tile->fault_text, "RISCV_DEBUG_REG_PERF_CNT_OUT_H_DBG_L1: event 6 is not counted yet");
}

static void settings_read_back(void **state)
{
    struct tile *tile = *state;
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU0, 0xFFFFFFFF);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_MUX_CTRL, 4 << 4);
    wr(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU, 5); /* read only */
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_FPU0), 0xFFFFFFFF);
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_MUX_CTRL), 0x40);
    assert_int_equal(rd(tile, B, RISCV_DEBUG_REG_PERF_CNT_OUT_L_FPU), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(start_clears_and_counts_and_stop_freezes),
        CASE(all_starts_fpu_and_instrn_thread_only),
        CASE(mode_1_stops_after_the_period),
        CASE(instructions_are_counted_by_thread_and_type),
        CASE(a_wait_is_counted_from_the_arrival_at_the_gate_to_the_pass),
        CASE(only_the_window_is_counted),
        CASE(mode_1_stops_events_too),
        CASE(mode_2_keeps_no_reference),
        CASE(a_condition_counts_whether_or_not_something_is_held),
        CASE(an_instruction_behind_one_that_holds_its_thread_stalls),
        CASE(events_that_no_guide_names_are_a_fault),
        CASE(events_that_are_not_modelled_say_so),
        CASE(settings_read_back),
    };
    return RUN(tests);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* What a trace and a debugger are told of instructions at the gate, in units and in expanders: every field of the records. */
#include "tensix_isa.h" /* before tile_regs.h, whose macros have names of its instructions */

#include "unit/tensix/exec.h"

#include "costs.h"
#include "tensix/trace.h"

enum { RECORDS = 200, PUSHED = 100 };
enum { GATE = PUSHED + COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE };
static kerr_trace_tensix records[RECORDS];
static unsigned count;

static void on_trace(const struct tile *owner, const kerr_trace_tensix *record)
{
    (void)owner;
    assert_true(count < RECORDS);
    records[count++] = *record;
}

static struct tensix *listen(struct tile *tile)
{
    tile->lent.trace = on_trace;
    tile->dev.tensix.traced = true;
    count = 0;
    return &tile->dev.tensix;
}
static void push_word(struct tile *tile, unsigned thread, uint32_t word, uint32_t pc, uint64_t cycle)
{
    assert_true(tensix_push(&tile->dev.tensix, thread, word, pc, cycle));
}
static void push_at(struct tile *tile, unsigned thread, const char *text, uint32_t pc, uint64_t cycle)
{
    push_word(tile, thread, word_of(text), pc, cycle);
}
static void run_to(struct tile *tile, uint64_t cycle)
{
    while (tensix_next(&tile->dev.tensix) < cycle)
        tensix_run(&tile->lent, &tile->dev.tensix, cycle);
    assert_int_equal(tile->faults, 0);
}
/* The n-th record of an event of a thread. */
static const kerr_trace_tensix *record_of(unsigned event, unsigned thread, unsigned n)
{
    for (unsigned i = 0; i < count; i++)
        if (records[i].event == event && records[i].thread == thread && n-- == 0)
            return &records[i];
    fail_msg("no such record");
    return NULL;
}

static void an_instruction_in_its_unit(void **state)
{
    struct tile *tile = *state;
    listen(tile);
    push_at(tile, 1, "MULDMAREG ResultReg=1, RightReg=2, LeftReg=3", 0x1234, PUSHED);
    run_to(tile, 200);
    const kerr_trace_tensix *r = record_of(KERR_TENSIX_ISSUE, 1, 0);
    assert_int_equal(r->unit, KERR_UNIT_SCALAR);
    assert_int_equal(r->by, -1);
    assert_true(r->last);
    assert_int_equal(r->word, word_of("MULDMAREG ResultReg=1, RightReg=2, LeftReg=3"));
    assert_int_equal(r->pc, 0x1234);
    assert_int_equal(r->begin, GATE);
    assert_int_equal(r->end, GATE + 3);
}

/* All of a MOP and of a playback are of its push, with which nothing is through before the last one. */
static void what_comes_out_of_expanders(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = listen(tile);
    for (unsigned i = 0; i < MOP_CFG_WORDS; i++)
        tx->thread[0].mop_cfg[i] = i == 0 ? 1 : i == 1 ? 3 : word_of("NOP");
    tx->thread[0].mop_cfg[5] = tx->thread[0].mop_cfg[7] = word_of("SFPNOP");
    tx->thread[0].replay[4] = tx->thread[0].replay[5] = word_of("DMANOP");
    push_at(tile, 0, "MOP Template=1", 0x1200, PUSHED);
    push_at(tile, 0, "REPLAY Index=4, Count=2", 0x1204, PUSHED);
    run_to(tile, 200);
    static const uint32_t pc[] = {0x1200, 0x1200, 0x1200, 0x1204, 0x1204};
    for (unsigned i = 0; i < 5; i++) {
        const kerr_trace_tensix *r = record_of(KERR_TENSIX_ISSUE, 0, i);
        assert_int_equal(r->pc, pc[i]);
        assert_int_equal(r->last, i == 2 || i == 4);
    }
    const kerr_trace_tensix *first = record_of(KERR_TENSIX_ISSUE, 0, 0);
    const kerr_trace_tensix *mop = NULL, *play = NULL;
    for (unsigned i = 0; i < count; i++)
        if (records[i].end != KERR_TENSIX_OPEN) {
            mop = records[i].event == KERR_TENSIX_MOP ? &records[i] : mop;
            play = records[i].event == KERR_TENSIX_REPLAY ? &records[i] : play;
        }
    assert_non_null(mop);
    assert_non_null(play);
    assert_int_equal(mop->word, word_of("MOP Template=1"));
    assert_int_equal(mop->begin, first->begin - COST_TENSIX_GATE_STAGE - COST_TENSIX_REPLAY_STAGE);
    assert_int_equal(mop->end, mop->begin + 3);
    assert_int_equal(play->word, word_of("REPLAY Index=4, Count=2"));
    assert_int_equal(play->end, play->begin + 2);
    assert_int_equal(play->by, -1);
}

/* What SFPLOADMACRO has scheduled is of its push. */
static void an_instruction_of_a_macro(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = &tile->files.vector;
    listen(tile);
    for (unsigned i = 0; i < LANES; i++) {
        v->LoadMacroConfig.InstructionTemplate[0][i] = word_of("SFPIADD Imm12=1, VC=1, Mod1=5");
        v->LoadMacroConfig.Sequence[0][i] = 0x0C; /* the simple sub-unit, in the second cycle */
    }
    push_at(tile, 0, "SFPLOADMACRO VDLo=2, Mod0=6", 0x1234, PUSHED);
    run_to(tile, 150);
    const kerr_trace_tensix *r = record_of(KERR_TENSIX_SUB_UNIT, 0, 1);
    assert_int_equal(r->unit, KERR_UNIT_VECTOR);
    assert_int_equal(r->pc, 0x1234);
    assert_int_equal(r->begin, GATE + 2);
    assert_int_equal(r->end, GATE + 3);
    assert_int_equal(r->by, -1);
}

/* The same with an instruction that faults: its page, its push. */
static uint32_t fault_pc[4];
static unsigned faults;
static bool on_fault(struct tile *owner, kerr_fault_kind kind, unsigned thread, bool by_b, uint32_t pc, uint32_t word,
                     uint64_t cycle, const char *manual, const char *text)
{
    (void)owner, (void)kind, (void)thread, (void)by_b, (void)word, (void)cycle, (void)manual, (void)text;
    fault_pc[faults++ % 4] = pc;
    return false;
}
static void faults_within_a_mop_name_its_push(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    tile->lent.fault = on_fault;
    for (unsigned traced = 0; traced < 2; traced++) {
        faults = 0;
        tx->traced = traced != 0;
        for (unsigned i = 0; i < MOP_CFG_WORDS; i++)
            tx->thread[0].mop_cfg[i] = i == 0             ? 1
                                       : i == 1           ? 3
                                       : i == 5 || i == 7 ? word_of("DMANOP") | 1
                                                          : word_of("NOP");
        push_at(tile, 0, "MOP Template=1", 0x1200, PUSHED + 100 * traced);
        run_to(tile, PUSHED + 100 * traced + 50);
        assert_int_equal(faults, 3);
        for (unsigned i = 0; i < 3; i++)
            assert_int_equal(fault_pc[i] & ~3u, 0x1200);
    }
}

/* Why an instruction stands at the gate, whom it waits for; the same from a trace and when asked. */
static void stands(struct tile *tile, unsigned thread, kerr_tensix_reason reason, int by, uint32_t detail,
                   uint64_t begin)
{
    const kerr_trace_tensix *r = record_of(KERR_TENSIX_GATE, thread, 0);
    kerr_trace_tensix asked;
    assert_int_equal(r->reason, reason);
    assert_int_equal(r->by, by);
    assert_int_equal(r->detail, detail);
    assert_int_equal(r->begin, begin);
    assert_int_equal(r->end, KERR_TENSIX_OPEN);
    assert_true(tensix_gate(&tile->lent, &tile->dev.tensix, thread, 150, &asked));
    assert_int_equal(asked.reason, reason);
    assert_int_equal(asked.detail, detail);
    assert_int_equal(asked.pc, 0x1300);
    assert_int_equal(asked.begin, begin);
    assert_int_equal(asked.word, r->word);
    assert_false(asked.last);
}
static void who_holds_a_mutex(void **state)
{
    struct tile *tile = *state;
    listen(tile);
    push_at(tile, 2, "ATGETM Index=3", 0x1200, PUSHED);
    push_at(tile, 0, "ATGETM Index=3", 0x1300, PUSHED + 4);
    run_to(tile, 150);
    stands(tile, 0, KERR_WAIT_MUTEX, 2, 3, GATE + 4);
}
static void a_mutex_that_does_not_exist(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = listen(tile);
    tile->goes_on = true;
    push_at(tile, 0, "ATGETM Index=1", 0x1300, PUSHED);
    while (tensix_next(tx) < 150)
        tensix_run(&tile->lent, tx, 150);
    assert_int_equal(tile->faults, 1);
    tile->faults = 0;
    stands(tile, 0, KERR_WAIT_MUTEX, -1, 1, GATE);
}
static void semaphores_that_are_zero(void **state)
{
    struct tile *tile = *state;
    listen(tile);
    push_at(tile, 0, "SEMWAIT BlockMask=0x1ff, SemaphoreMask=5, ConditionMask=1", 0x1200, PUSHED);
    push_at(tile, 0, "DMANOP", 0x1300, PUSHED);
    run_to(tile, 150);
    stands(tile, 0, KERR_WAIT_SEM_ZERO, -1, 5, GATE + 1);
}
static void semaphores_at_their_maximum(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = listen(tile);
    tx->semaphore[1].value = tx->semaphore[1].max = 3;
    tx->semaphore[2].value = 1;
    tx->semaphore[2].max = 2;
    push_at(tile, 0, "SEMWAIT BlockMask=0x1ff, SemaphoreMask=6, ConditionMask=2", 0x1200, PUSHED);
    push_at(tile, 0, "DMANOP", 0x1300, PUSHED);
    run_to(tile, 150);
    stands(tile, 0, KERR_WAIT_SEM_MAX, -1, 2, GATE + 1);
}
static void sources(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = listen(tile);
    push_at(tile, 1, "MVMUL", 0x1300, PUSHED);
    run_to(tile, 150);
    stands(tile, 1, KERR_WAIT_SRCA, -1, 0, GATE);
    count = 0;
    tx->src[0].matrix_owns[0] = true; /* nobody wakes it: who asks is told at once */
    kerr_trace_tensix asked;
    assert_true(tensix_gate(&tile->lent, tx, 1, 160, &asked));
    assert_int_equal(asked.reason, KERR_WAIT_SRCB);
}
static void a_unit_that_another_thread_has(void **state)
{
    struct tile *tile = *state;
    listen(tile);
    push_at(tile, 2, "MULDMAREG ResultReg=1, RightReg=2, LeftReg=3", 0x1200, PUSHED);
    push_at(tile, 0, "DMANOP", 0x1300, PUSHED + 1);
    run_to(tile, GATE + 2);
    const kerr_trace_tensix *r = record_of(KERR_TENSIX_GATE, 0, 0);
    assert_int_equal(r->reason, KERR_WAIT_UNIT_BUSY);
    assert_int_equal(r->by, 2);
    assert_int_equal(r->detail, UNIT_SCALAR);
    assert_int_equal(r->begin, GATE + 1);
}
static void nothing_stands_there(void **state)
{
    struct tile *tile = *state;
    kerr_trace_tensix asked;
    assert_false(tensix_gate(&tile->lent, &tile->dev.tensix, 0, 150, &asked));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(an_instruction_in_its_unit),        CASE(what_comes_out_of_expanders),
        CASE(an_instruction_of_a_macro),         CASE(who_holds_a_mutex),
        CASE(a_mutex_that_does_not_exist),       CASE(semaphores_that_are_zero),
        CASE(semaphores_at_their_maximum),       CASE(sources),
        CASE(a_unit_that_another_thread_has),    CASE(nothing_stands_there),
        CASE(faults_within_a_mop_name_its_push),
    };
    return RUN(tests);
}

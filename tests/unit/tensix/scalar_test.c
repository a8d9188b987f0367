/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile tests/support/tensix_model.c tests/support/plain_expander.c */
/* Random instructions of the Scalar Unit on three threads at once against the plain model of tests/support, which knows no
 * time: it accepts only programs that wait for what they use.  A copy of it tries each instruction first. */
#include "unit/tile/fake_tile.h"

/* Cores there, registers of a core here. */
#define T0 REGISTER_T0
#define T1 REGISTER_T1
#define T2 REGISTER_T2
#include "../../support/tensix_model.h"
#undef T0
#undef T1
#undef T2
#include "../../support/ttasm.h"
#include "tensix/tensix.h"

enum { ROUNDS = 3000, LENGTH = 24, LONGEST = 200000, ADDRESS_GPR = 60, OFFSET_GPR = 56, PLAIN_GPRS = 56 };

typedef struct generator {
    uint64_t state;
} generator;

static uint32_t draw(generator *g)
{
    g->state = g->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(g->state >> 33);
}
static uint32_t below(generator *g, uint32_t n)
{
    return draw(g) % n;
}

/* GPRs 60 to 63 point at four places of the thread's memory, the halves of 56 to 59 are offsets. */
static void prepare(tensix_model *m, generator *g)
{
    memset(m, 0, sizeof *m);
    m->limit = 1u << 30;
    for (unsigned t = 0; t < STREAM_THREADS; t++) {
        for (unsigned i = 0; i < 64; i++)
            m->gpr[t][i] = below(g, 4) ? draw(g) << 1 ^ draw(g) : below(g, 16);
        for (unsigned i = 0; i < 4; i++) {
            m->gpr[t][OFFSET_GPR + i] = below(g, 256) << 16 | below(g, 256);
            m->gpr[t][ADDRESS_GPR + i] = (STREAM_L1 + t * STREAM_L1_THREAD_BYTES + i * 192) / 16;
        }
    }
    for (unsigned i = 0; i < STREAM_L1_BYTES; i += 4) {
        const uint32_t value = below(g, 2) ? below(g, 16) : draw(g) << 1;
        memcpy(&m->l1[i], &value, 4);
    }
}

static uint32_t any_alu(generator *g)
{
    static const enum tt_opcode opcode[] = {TT_ADDDMAREG,    TT_SUBDMAREG,   TT_MULDMAREG,
                                            TT_BITWOPDMAREG, TT_SHIFTDMAREG, TT_CMPDMAREG};
    const enum tt_opcode op = opcode[below(g, 6)];
    const uint32_t mode = op == TT_SHIFTDMAREG ? below(g, 2) : op >= TT_BITWOPDMAREG ? below(g, 3) : 0;
    return tt_alu(op, below(g, 2), mode, below(g, PLAIN_GPRS), below(g, op == TT_SHIFTDMAREG ? 32 : 64), below(g, 64));
}

/* A word of memory that the atomics use: the first 16 bytes behind an address register. */
static uint32_t any_atomic(generator *g, const tensix_model *m, unsigned thread)
{
    const unsigned which = below(g, 4), word = below(g, 4);
    const unsigned at = thread * STREAM_L1_THREAD_BYTES + which * 192 + 4 * word;
    switch (below(g, 4)) {
    case 0: return tt_atincget(below(g, 32), word, below(g, PLAIN_GPRS), ADDRESS_GPR + which);
    case 1:
        return tt_atincgetptr(below(g, 2), below(g, 16), below(g, 16), word, below(g, PLAIN_GPRS), ADDRESS_GPR + which);
    case 2: return tt_atswap(below(g, 256), below(g, 64), ADDRESS_GPR + which);
    default: return tt_atcas(below(g, 16), m->l1[at] & 15, word, ADDRESS_GPR + which);
    }
}

static uint32_t any_word(generator *g, const tensix_model *m, unsigned thread)
{
    const uint32_t half = OFFSET_GPR * 2 + below(g, 8), address = ADDRESS_GPR + below(g, 4), size = below(g, 4);
    switch (below(g, 12)) {
    case 0: return tt_setdmareg(below(g, 2 * PLAIN_GPRS), below(g, 65536));
    case 1:
    case 2: return tt_loadind(size, half, below(g, 4), below(g, PLAIN_GPRS), address);
    case 3:
    case 4: return tt_storeind(size, half, below(g, 4), below(g, 64), address);
    case 5: return any_atomic(g, m, thread);
    case 6: return tt_flushdma(below(g, 2));
    case 7:
        return tt_reg_move(below(g, 2) ? TT_LOADREG : TT_STOREREG, below(g, PLAIN_GPRS),
                           model_register_address(thread, below(g, 2)));
    case 8: return below(g, 2) ? tt_stallwait(TT_BLOCK_ALL, TT_C0_THCON) : tt_dmanop();
    default: return any_alu(g);
    }
}

typedef struct program {
    unsigned count[STREAM_THREADS];
    uint32_t word[STREAM_THREADS][LENGTH];
} program;

/* Pushes at random moments; then until nothing is left. */
static void run_program(struct tile *tile, const program *p, generator *g)
{
    struct tensix *tx = &tile->dev.tensix;
    unsigned next[STREAM_THREADS] = {0};
    uint64_t cycle = 1000;
    for (; cycle < LONGEST; cycle++) {
        bool left = tensix_next(tx) != UINT64_MAX;
        for (unsigned t = 0; t < STREAM_THREADS; t++) {
            if (next[t] < p->count[t] && below(g, 2) && tensix_push(tx, t, p->word[t][next[t]], 4 * next[t], cycle))
                next[t]++;
            left = left || next[t] < p->count[t];
        }
        while (tensix_next(tx) <= cycle)
            tensix_run(&tile->lent, tx, cycle + 1);
        if (!left)
            break;
    }
    assert_true(cycle < LONGEST);
    tensix_settle(&tile->lent, tx, cycle);
    for (unsigned t = 0; t < STREAM_THREADS; t++)
        assert_true(tensix_thread_idle(tx, t, cycle + 20));
}

static void against_the_model(void **state)
{
    (void)state;
    static tensix_model m, before, tried;
    unsigned opcodes[256] = {0};
    for (unsigned round = 0; round < ROUNDS; round++) {
        generator g = {round + 1};
        program p = {0};
        prepare(&m, &g);
        before = m;
        for (unsigned t = 0; t < STREAM_THREADS; t++) {
            for (unsigned tries = 0; tries < 4 * LENGTH && p.count[t] < LENGTH; tries++) {
                const uint32_t word = any_word(&g, &m, t);
                tried = m;
                if (!model_push(&tried, t, word))
                    continue;
                m = tried;
                p.word[t][p.count[t]++] = word;
                opcodes[word >> 24]++;
            }
        }
        void *memory = NULL;
        assert_int_equal(fake_setup(&memory), 0);
        struct tile *tile = memory;
        memcpy(tile->l1 + STREAM_L1, before.l1, STREAM_L1_BYTES);
        for (unsigned t = 0; t < STREAM_THREADS; t++)
            memcpy(tile->dev.tensix.thread[t].gpr, before.gpr[t], sizeof before.gpr[t]);
        run_program(tile, &p, &g);
        if (tile->faults != 0)
            fail_msg("round %u: %s", round, tile->fault_text);
        for (unsigned t = 0; t < STREAM_THREADS; t++) {
            for (unsigned i = 0; i < 64; i++)
                if (tile->dev.tensix.thread[t].gpr[i] != m.gpr[t][i])
                    fail_msg("round %u: T%u GPR %u is 0x%08x, not 0x%08x", round, t, i,
                             tile->dev.tensix.thread[t].gpr[i], m.gpr[t][i]);
            for (unsigned i = 0; i < MODEL_REGISTERS; i++)
                assert_int_equal(pk(tile, B, model_register_address(t, i)), m.registers[t][i]);
        }
        for (unsigned i = 0; i < STREAM_L1_BYTES; i++)
            if (tile->l1[STREAM_L1 + i] != m.l1[i])
                fail_msg("round %u: L1 + 0x%x is 0x%02x, not 0x%02x", round, i, tile->l1[STREAM_L1 + i], m.l1[i]);
        fake_teardown(&memory);
    }
    for (unsigned op = TT_ADDDMAREG; op <= TT_LOADREG; op++) /* none was left out */
        if (op != TT_SETADCXX && op != 0x5f && op != 0x65)
            assert_true(opcodes[op] > ROUNDS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(against_the_model)};
    return RUN(tests);
}

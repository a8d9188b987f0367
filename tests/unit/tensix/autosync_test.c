/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* Auto TTSync: what waits for what, written from the manual's tables (BabyRISCV/AutoTTSync) and assembly.yaml. */
#include "tensix_isa.h" /* before tile_regs.h, which has a TENSIX_MOP_CFG of its own */

#include "unit/tile/fake_tile.h"

#include "costs.h"
#include "support/ttasm.h"
#include "tensix/step.h"
#include "tensix/tensix.h"

/* ThreadConfig 56, by bit. */
enum { TRACK_CFG = 1, SUBDIVIDED = 2, TRACK_GPR = 4, TRACK_TDMA = 8, TRACK = 16, TRACK_ALL = 29 };
#define GPR 0xFFE00000u
#define TDMA 0xFFB11024u
#define CONFIG 0xFFEF0000u
/* A word of each part: unpacker 0's REG3_Base_address, unpacker 1's, and the packer's REG1. */
enum { WORD_U0 = 76, WORD_U1 = 124, WORD_REST = 68, CFG_BANK = 224, DUAL = 448, THREAD_CONFIG = 672 };
/* SEMWAIT for a semaphore that stays at zero: blocks all. */
#define BLOCKER (0xA6000000u | 0x1FFu << 15 | 1u << 2 | 1u)

/* Cycles from a push to its place at the gate. */
enum { GATE = COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE };

static void track(struct tile *tile, unsigned thread, unsigned bits)
{
    tile->dev.tensix.thread[thread].config[56] = (uint16_t)bits;
}

static void push_at(struct tile *tile, unsigned thread, uint32_t word, uint64_t cycle)
{
    assert_int_equal(devices_push_tensix(tile, T0 + thread, thread, word, cycle), DEV_OK);
}

static uint32_t config_address(unsigned index)
{
    return CONFIG + 4 * index;
}

/* The Configuration Unit has one request a cycle; the accesses of these tests are not meant to meet there. */
static void free_pipe(struct tile *tile)
{
    memset(&tile->dev.tensix.config_unit, 0, sizeof tile->dev.tensix.config_unit);
}

static bool load_waits(struct tile *tile, unsigned core, uint32_t address, uint64_t cycle)
{
    uint32_t value;
    free_pipe(tile);
    const dev_result result = devices_read(tile, core, address, 4, cycle, &value);
    assert_true(result == DEV_OK || result == DEV_WAIT);
    tile->dev.tensix.thread[core - T0].auto_load = false; /* as if it had not been: the next one is another */
    return result == DEV_WAIT;
}

static bool store_waits(struct tile *tile, unsigned core, uint32_t address, uint64_t cycle)
{
    free_pipe(tile);
    const dev_result result = devices_write(tile, core, address, 4, 0, cycle);
    assert_true(result == DEV_OK || result == DEV_WAIT);
    return result == DEV_WAIT;
}

static uint32_t resourcedecl(unsigned class, unsigned resources)
{
    return 0x05000000u | resources << 4 | class;
}

/* The eight resources, in the order of the letters below. */
static const struct {
    char letter;
    uint32_t address;
} resource[8] = {
    {'g', GPR},
    {'t', TDMA},
    {'0', CONFIG + 4 * WORD_U0},
    {'1', CONFIG + 4 * WORD_U1},
    {'r', CONFIG + 4 * WORD_REST},
    {'A', CONFIG + 4 * (CFG_BANK + WORD_U0)},
    {'B', CONFIG + 4 * (CFG_BANK + WORD_U1)},
    {'C', CONFIG + 4 * (CFG_BANK + WORD_REST)},
};

/* What holds up loads is written, what holds up stores is read or written. */
static void check_uses(struct tile *tile, unsigned thread, const char *reads, const char *writes)
{
    for (unsigned i = 0; i < 8; i++) {
        const bool written = strchr(writes, resource[i].letter), read = strchr(reads, resource[i].letter);
        assert_int_equal(load_waits(tile, T0 + thread, resource[i].address, 60), written);
        assert_int_equal(store_waits(tile, T0 + thread, resource[i].address, 60), written || read);
    }
}

static void fresh(struct tile *tile, unsigned tracking)
{
    memset(&tile->dev.tensix, 0, sizeof tile->dev.tensix);
    track(tile, 0, tracking);
}

static void each_class_uses_what_the_table_says(void **state)
{
    struct tile *tile = *state;
    static const struct {
        uint32_t word;
        const char *reads, *writes;
    } row[] = {
        {0x02000000, "", ""},                                    /* NOP */
        {0x03000000, "", ""},                                    /* MOP_CFG */
        {0x58000000, "g", "g"},                                  /* ADDDMAREG */
        {0x59000000, "g", "g"},                                  /* SUBDMAREG */
        {0x5A000000, "g", "g"},                                  /* MULDMAREG */
        {0x5B000000, "g", "g"},                                  /* BITWOPDMAREG */
        {0x5C000000, "g", "g"},                                  /* SHIFTDMAREG */
        {0x5D000000, "g", "g"},                                  /* CMPDMAREG */
        {0x45000000, "g", "g"},                                  /* SETDMAREG */
        {0x61000000, "g", "g"},                                  /* ATINCGET */
        {0x62000000, "g", "g"},                                  /* ATINCGETPTR */
        {0x63000000, "g", "g"},                                  /* ATSWAP */
        {0x64000000, "g", "g"},                                  /* ATCAS */
        {0x48000000, "gt", "gt"},                                /* REG2FLOP */
        {0x49000000, "g", "g"},                                  /* LOADIND */
        {0x66000000, "g", "g"},                                  /* STOREIND */
        {0xB7000000, "01r", "01r"},                              /* STREAMWRCFG */
        {0xB8000000, "01r", "01r"},                              /* CFGSHIFTMASK */
        {0x67000000, "g", ""},                                   /* STOREREG */
        {0x68000000, "", "g"},                                   /* LOADREG */
        {0x46000000, "", "t"},                                   /* FLUSHDMA */
        {0xB0000000, "g", "01r"},                                /* WRCFG */
        {0xB1000000, "01r", "g"},                                /* RDCFG */
        {0x40000000, "g01r", "g01r"},                            /* XMOV */
        {0x42000000, "t0", "t"},                                 /* UNPACR of unpacker 0 */
        {0x42800000, "t1", "t"},                                 /* UNPACR of unpacker 1 */
        {0x43000000, "t0", "t"},                                 /* UNPACR_NOP */
        {0x43800000, "t1", "t"},        {0x41000000, "tr", "t"}, /* PACR */
        {0x01000000, "gt01r", "gt01r"},                          /* MOP */
        {0x04000010, "gt01r", "gt01r"},                          /* REPLAY */
        {0xB2010000, "r", ""},                                   /* SETC16 */
        {0xB3000000, "r", ""},                                   /* RMWCIB0, though it writes */
        {0xA4000004, "r", ""},                                   /* SEMPOST */
        {0x37000000, "r", ""},                                   /* SETRWC */
    };
    for (unsigned i = 0; i < sizeof row / sizeof *row; i++) {
        fresh(tile, TRACK_ALL | SUBDIVIDED);
        push_at(tile, 0, row[i].word, 60);
        check_uses(tile, 0, row[i].reads, row[i].writes);
    }
}

static void without_subdivision_all_parts_of_a_bank_are_one(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL);
    push_at(tile, 0, 0x42000000, 60); /* UNPACR */
    check_uses(tile, 0, "t01r", "t");
    fresh(tile, TRACK_ALL);
    push_at(tile, 0, 0xA4000004, 60); /* SEMPOST reads the remainder, which every word of the bank touches */
    check_uses(tile, 0, "01r", "");
}

static void the_bank_is_that_of_the_last_setc16_pushed(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, 0xB2000001, 50); /* CFG_STATE_ID = 1; not executed yet */
    push_at(tile, 0, 0xB0000000, 51); /* WRCFG */
    check_uses(tile, 0, "rg", "ABC");
    push_at(tile, 0, 0xB2000000, 52);
    push_at(tile, 0, 0xB1000000, 53); /* RDCFG */
    check_uses(tile, 0, "rgC01", "ABCg");
    assert_int_equal(tile->dev.tensix.thread[0].config[0], 0);
}

/* Config fields of the manual's table by word; '.' is the remainder, 'x' all three, 'b' both unpackers. */
static void words_belong_to_the_parts_of_the_table(void **state)
{
    struct tile *tile = *state;
    char parts[180 + 1];
    memset(parts, '.', 180);
    memcpy(parts + 44, "0b11xxx000..", 12); /* UNP{0,1}_ADDR_CTRL REG_0, UNP0_* */
    memcpy(parts + 56, "..111111", 8);      /* REG_1, UNP1_* */
    memcpy(parts + 64, "0.......000000000000", 20);
    memcpy(parts + 84, "0000....0000........00..", 24);
    memcpy(parts + 112, "1.......11..11..........", 24);
    memcpy(parts + 136, "....11..................", 24);
    static const char letter[4] = "01.";
    for (unsigned bank = 0; bank < 2; bank++) {
        for (unsigned part = 0; part < 3; part++) {
            fresh(tile, TRACK_ALL | SUBDIVIDED);
            push_at(tile, 0, resourcedecl(15, 1 << 1 | 1 << (2 + part)), 50); /* writes this part */
            push_at(tile, 0, 0xB2000000 | bank, 51); /* reads the old one's remainder: no load minds */
            push_at(tile, 0, 0xA4000000, 52);
            tile->dev.tensix.thread[0].tracked[0] = 0x02 << 1; /* the SETC16 itself is in the same class: not here */
            for (unsigned word = 0; word < 224; word++) {
                const char in = word < 180 ? parts[word] : '.';
                const bool here = in == 'x' || in == letter[part] || (in == 'b' && part < 2);
                assert_int_equal(load_waits(tile, T0, config_address(bank * CFG_BANK + word), 60), here);
                const bool other = word >= 180 && part == 2; /* global words are in both banks */
                assert_int_equal(load_waits(tile, T0, config_address((1 - bank) * CFG_BANK + word), 60), other);
                assert_int_equal(load_waits(tile, T0, config_address(DUAL + word), 60), part == 2);
            }
            /* ThreadConfig[0].DEST_TARGET_REG_CFG_MATH_Offset, and the rest. */
            assert_int_equal(load_waits(tile, T0, config_address(THREAD_CONFIG + 1), 60), part < 2);
            assert_int_equal(load_waits(tile, T0, config_address(THREAD_CONFIG), 60), part == 2);
            assert_int_equal(load_waits(tile, T0, config_address(THREAD_CONFIG + 68 + 1), 60), part == 2);
        }
    }
}

static void whole_banks_without_subdivision(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL);
    push_at(tile, 0, resourcedecl(15, 1 << 1 | 1 << 2), 50); /* writes unpacker 0's part, of bank 0 */
    push_at(tile, 0, 0xA4000000, 52);
    for (unsigned word = 0; word < 224; word++) {
        assert_true(load_waits(tile, T0, config_address(word), 60));
        assert_int_equal(load_waits(tile, T0, config_address(CFG_BANK + word), 60), word >= 180);
        assert_true(load_waits(tile, T0, config_address(DUAL + word), 60));
    }
    assert_true(load_waits(tile, T0, config_address(THREAD_CONFIG + 70), 60));
}

static void resourcedecl_is_done_at_the_push_and_goes_no_further(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, 0xA4000004, 50);                        /* SEMPOST as by default */
    push_at(tile, 0, resourcedecl(15, 1 << 6 | 1 << 7), 51); /* from now on: writes GPRs, reads TDMA-RISC */
    assert_int_equal(tile->dev.tensix.thread[0].in_flight, 1);
    check_uses(tile, 0, "r", "");
    push_at(tile, 0, 0xA4000004, 52);
    assert_int_equal(tile->dev.tensix.thread[0].in_flight, 2);
    check_uses(tile, 0, "rt", "g");
}

static void declarations_are_the_threads_own(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    track(tile, 1, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, resourcedecl(13, 0), 50);
    push_at(tile, 0, 0x01000000, 51);
    push_at(tile, 1, 0x01000000, 51);
    check_uses(tile, 0, "", "");
    check_uses(tile, 1, "gt01r", "gt01r");
}

static void a_declaration_of_unpacr_gives_way_to_its_unpacker(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, 0x42800000, 50);
    push_at(tile, 0, resourcedecl(11, 1 << 1 | 1 << 4), 51); /* writes the remainder: the part is not its to say */
    check_uses(tile, 0, "t1", "t");                          /* what was pushed before keeps its own */
    push_at(tile, 0, 0x42000000, 52);
    check_uses(tile, 0, "t1", "t0");
    track(tile, 0, TRACK_ALL);
    check_uses(tile, 0, "t01r", "t01r");
}

static void it_must_be_switched_on_twice(void **state)
{
    struct tile *tile = *state;
    for (unsigned bits = 0; bits < 32; bits++) {
        fresh(tile, bits);
        push_at(tile, 0, 0x01000000, 50);
        assert_int_equal(load_waits(tile, T0, GPR, 60), (bits & TRACK) && (bits & TRACK_GPR));
        assert_int_equal(load_waits(tile, T0, TDMA, 60), (bits & TRACK) && (bits & TRACK_TDMA));
        assert_int_equal(load_waits(tile, T0, CONFIG, 60), (bits & TRACK) && (bits & TRACK_CFG));
    }
}

static void other_cores_are_not_held_up(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL);
    push_at(tile, 0, 0x01000000, 50);
    rd_at(tile, B, GPR, 60);
    wr_at(tile, B, CONFIG, 0, 60);
    track(tile, 1, TRACK_ALL);
    assert_false(load_waits(tile, T1, GPR, 60));
    wr_at(tile, B, 0xFFE50000, 0x58000000, 50); /* what RISCV B pushes is not tracked either */
    assert_false(load_waits(tile, T1, GPR, 60));
}

/* A load that lingers at the gate is over by itself: whoever looks later finds nothing of it. */
static void a_load_that_lingers_ends_by_itself(void **state)
{
    struct tile *tile = *state;
    for (unsigned over = 0; over < 2; over++) {
        struct tensix copy = tile->dev.tensix;
        copy.thread[1].auto_load = AUTO_LOAD_LINGERS;
        copy.thread[1].auto_until = 50;
        tensix_make_real(&tile->lent, &copy, 49 + over);
        assert_int_equal(copy.thread[1].auto_load, over ? 0 : AUTO_LOAD_LINGERS);
        assert_int_equal(copy.thread[1].auto_until, over ? 0 : 50);
    }
}

static void a_soft_reset_forgets(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, resourcedecl(0, 0), 49);
    push_at(tile, 0, 0xB2000001, 50);
    push_at(tile, 0, 0x01000000, 51);
    wr_at(tile, B, RISCV_DEBUG_REG_SOFT_RESET_0, 1u << 23 | 0x47800, 52);
    check_uses(tile, 0, "", "");
    push_at(tile, 0, 0x01000000, 53);
    check_uses(tile, 0, "", "");
    wr_at(tile, B, RISCV_DEBUG_REG_SOFT_RESET_0, 0x47800, 54);
    check_uses(tile, 0, "", "");
    push_at(tile, 0, 0x58000000, 55); /* as declared after power-on, bank 0 */
    push_at(tile, 0, 0xA4000004, 55);
    check_uses(tile, 0, "gr", "g");
}

/* Runs to `cycle`; stops on the way like the tile would, when somebody is told. */
static void run_to(struct tile *tile, uint64_t cycle)
{
    struct tensix *tx = &tile->dev.tensix;
    while (tensix_next(tx) < cycle)
        tensix_run(&tile->lent, tx, cycle);
}

static void an_instruction_that_has_passed_the_gate_holds_nobody(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, 0x45000500 | 7 << 8, 50); /* SETDMAREG */
    assert_true(load_waits(tile, T0, GPR, 51));
    assert_true(tile->dev.tensix.thread[0].waiting & TENSIX_WAITS_AUTO);
    tile->changed = 0;
    run_to(tile, 80);
    assert_true(tile->changed > 0); /* who waits was told */
    assert_false(load_waits(tile, T0, GPR, 80));
}

static void what_passes_first_is_the_oldest(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, 0x46000000, 50); /* FLUSHDMA passes ... */
    push_at(tile, 0, BLOCKER, 51);    /* ... and this, and holds the rest */
    push_at(tile, 0, 0x03000000, 52); /* MOP_CFG ends in the expander */
    push_at(tile, 0, 0x58000000, 53); /* ADDDMAREG stays at the gate */
    push_at(tile, 0, 0x03000000, 54);
    push_at(tile, 0, 0xB0000000, 55); /* WRCFG behind it */
    run_to(tile, 60);
    check_uses(tile, 0, "g", "g01r");
    assert_int_equal(tile->dev.tensix.thread[0].in_flight, 2);
}

static void all_of_a_mop_must_have_passed(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    struct tensix_thread *t = &tile->dev.tensix.thread[0];
    t->mop_cfg[3] = 0x02000000; /* template 0 of NOPs, which alone would hold nobody */
    push_at(tile, 0, 0x01000000 | 9 << 16, 40);
    uint64_t last = 0;
    for (uint64_t cycle = 41; cycle < 60; cycle++) {
        run_to(tile, cycle);
        if (load_waits(tile, T0, GPR, cycle))
            last = cycle;
    }
    assert_int_equal(last, 40 + GATE + 9); /* ten instructions pass */
}

static void a_recorded_instruction_is_gone_when_it_is_recorded(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    struct tensix_thread *t = &tile->dev.tensix.thread[0];
    push_at(tile, 0, BLOCKER, 40);
    push_at(tile, 0, 0x46000000, 41);            /* FLUSHDMA stands at the gate */
    push_at(tile, 0, tt_replay(0, 2, 0, 1), 42); /* record two */
    push_at(tile, 0, 0x58000000, 43);            /* ADDDMAREG */
    push_at(tile, 0, 0xB0000000, 44);            /* WRCFG */
    push_at(tile, 0, 0x67000000, 45);            /* STOREREG is not recorded */
    check_uses(tile, 0, "tg01r", "tg01r");
    uint32_t value;
    assert_int_equal(devices_read(tile, T0, GPR, 4, 46, &value), DEV_WAIT);
    assert_true(t->waiting &
                TENSIX_WAITS_STANDS); /* the gate is full: nothing is recorded before something passes it */
    run_to(tile, 70);
    assert_int_equal(devices_read(tile, T0, GPR, 4, 70, &value), DEV_OK);
    check_uses(tile, 0, "g", "t");
    assert_int_equal(t->in_flight, 2);
}

static void a_load_that_waits_does_not_wait_for_what_is_pushed_behind_it(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    uint32_t value;
    push_at(tile, 0, tt_setdmareg(0, 0x1111), 50);
    assert_int_equal(devices_read(tile, T0, GPR, 4, 51, &value), DEV_WAIT);
    push_at(tile, 0, tt_setdmareg(0, 0x2222), 51);
    push_at(tile, 0, tt_setdmareg(0, 0x3333), 51);
    struct tensix *tx = &tile->dev.tensix;
    tile->changed = 0;
    while (!tile->changed)
        tensix_run(&tile->lent, tx, tensix_next(tx) + 1);
    const uint64_t told = 50 + GATE + 1; /* the cycle after it passed */
    assert_int_equal(tensix_next(tx), told);
    assert_int_equal(devices_read(tile, T0, GPR, 4, told, &value), DEV_OK);
    assert_int_equal(value, 0x1111);
    assert_int_equal(tx->thread[0].in_flight, 2);
    assert_true(load_waits(tile, T0, GPR, told)); /* the next load waits for the others */
}

static void a_load_sees_the_result_of_a_scalar_instruction(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    struct tensix_thread *t = &tile->dev.tensix.thread[0];
    t->gpr[1] = 5;
    push_at(tile, 0, tt_alu(TT_MULDMAREG, 0, 0, 0, 1, 1), 50); /* 3 cycles in the unit */
    uint64_t cycle = 51;
    uint32_t value;
    while (devices_read(tile, T0, GPR, 4, cycle, &value) == DEV_WAIT)
        run_to(tile, ++cycle);
    assert_int_equal(value, 25);
    assert_int_equal(cycle, t->busy_until[UNIT_SCALAR]);
    assert_true(cycle > 50 + GATE + 1);
}

/* The cycle in which what is pushed behind a load that waits passes, and that in which the load was done. */
static uint64_t pass_behind_load(struct tile *tile, uint32_t declaration, uint64_t *loaded)
{
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    struct tensix_thread *t = &tile->dev.tensix.thread[0];
    t->gpr[1] = 5;
    if (declaration)
        push_at(tile, 0, declaration, 40);
    push_at(tile, 0, tt_alu(TT_MULDMAREG, 0, 0, 0, 1, 1), 50);
    uint64_t cycle = 51;
    uint32_t value;
    assert_int_equal(devices_read(tile, T0, GPR, 4, cycle, &value), DEV_WAIT);
    push_at(tile, 0, tt_setdmareg(0, 0x77), 51);
    while (devices_read(tile, T0, GPR, 4, cycle, &value) == DEV_WAIT)
        run_to(tile, ++cycle);
    *loaded = cycle;
    assert_int_equal(value, 25);
    while (t->in_flight != 0)
        run_to(tile, ++cycle);
    return cycle - 1;
}

static void an_instruction_behind_a_load_waits_at_the_gate_and_lingers(void **state)
{
    struct tile *tile = *state;
    enum { RW_GPR = 3 << 5, LINGER = 13 };
    uint64_t loaded;
    const uint64_t passed = pass_behind_load(tile, 0, &loaded);
    assert_int_equal(passed, loaded + 1 + 1);
    assert_true(tile->dev.tensix.stalled[0][TENSIX_STALL_AUTO] != 0);
    assert_int_equal(pass_behind_load(tile, resourcedecl(0, RW_GPR), &loaded), loaded + 1);
    assert_int_equal(pass_behind_load(tile, resourcedecl(0, RW_GPR) | 4 << LINGER, &loaded), loaded + 1 + 3);
    assert_int_equal(pass_behind_load(tile, resourcedecl(0, RW_GPR) | 9 << LINGER, &loaded), loaded + 1 + 4);
}

static void a_load_waits_for_an_atomic_that_keeps_the_unit(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    struct tensix_thread *t = &tile->dev.tensix.thread[0];
    set_l1_word(tile, 0x100, 7); /* ATCAS waits until it is zero */
    t->gpr[1] = 0x10;
    push_at(tile, 0, tt_word(TT_ATCAS, 1), 50);
    run_to(tile, 90);
    uint32_t value;
    assert_int_equal(t->in_flight, 0);
    assert_int_equal(devices_read(tile, T0, GPR, 4, 90, &value), DEV_WAIT);
    set_l1_word(tile, 0x100, 0);
    tile->changed = 0;
    for (uint64_t cycle = 91; cycle < 200 && !tile->changed; cycle++)
        run_to(tile, cycle);
    assert_int_equal(tile->changed, 1);
    assert_int_equal(devices_read(tile, T0, GPR, 4, t->busy_until[UNIT_SCALAR], &value), DEV_OK);
}

static void a_core_in_reset_takes_its_pushes_along(void **state)
{
    struct tile *tile = *state;
    fresh(tile, TRACK_ALL | SUBDIVIDED);
    push_at(tile, 0, BLOCKER, 30);
    push_at(tile, 0, 0x46000000, 31); /* FLUSHDMA: at the gate */
    run_to(tile, 40);
    assert_false(load_waits(tile, T0, GPR, 40));
    for (unsigned i = 0; i < 20; i++) /* behind the gate, and some before the expander */
        push_at(tile, 0, 0x58000000, 41);
    assert_true(load_waits(tile, T0, GPR, 60));
    const unsigned waiting = tile->dev.tensix.thread[0].fifo_count;
    assert_in_range(waiting, 1, 19);
    tensix_core_reset(&tile->dev.tensix, 0);
    assert_int_equal(tile->dev.tensix.thread[0].in_flight, 21 - waiting);
    check_uses(tile, 0, "g", "gt"); /* what is behind the expander stays */
    push_at(tile, 0, 0xB0000000, 61);
    check_uses(tile, 0, "g", "gt01r");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(each_class_uses_what_the_table_says),
        CASE(without_subdivision_all_parts_of_a_bank_are_one),
        CASE(the_bank_is_that_of_the_last_setc16_pushed),
        CASE(words_belong_to_the_parts_of_the_table),
        CASE(whole_banks_without_subdivision),
        CASE(resourcedecl_is_done_at_the_push_and_goes_no_further),
        CASE(declarations_are_the_threads_own),
        CASE(a_declaration_of_unpacr_gives_way_to_its_unpacker),
        CASE(it_must_be_switched_on_twice),
        CASE(other_cores_are_not_held_up),
        CASE(a_soft_reset_forgets),
        CASE(a_load_that_lingers_ends_by_itself),
        CASE(an_instruction_that_has_passed_the_gate_holds_nobody),
        CASE(what_passes_first_is_the_oldest),
        CASE(all_of_a_mop_must_have_passed),
        CASE(a_recorded_instruction_is_gone_when_it_is_recorded),
        CASE(a_load_that_waits_does_not_wait_for_what_is_pushed_behind_it),
        CASE(a_load_sees_the_result_of_a_scalar_instruction),
        CASE(an_instruction_behind_a_load_waits_at_the_gate_and_lingers),
        CASE(a_load_waits_for_an_atomic_that_keeps_the_unit),
        CASE(a_core_in_reset_takes_its_pushes_along),
    };
    return RUN(tests);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* SFPLOADMACRO against a second model (macro_model.h): random macros, delays, operands, gaps and directly issued
 * instructions, one a cycle; LRegs, flags and Dst must be the same at the end. */
#include "tensix_isa.h" /* first: tile_regs.h makes a macro of one of its names */

#include "support/random_cases.h"
#include "unit/tensix/exec.h"
#include "unit/tensix/macro_model.h"

#include "tensix/regs/dst.h"
#include "tensix/vector/macro.h"

static uint64_t seed;

static uint32_t rnd(void)
{
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    return (uint32_t)(seed * 0x2545F4914F6CDD1D >> 32);
}
static uint32_t below(uint32_t n)
{
    return rnd() % n;
}

static uint32_t op3(uint32_t op, uint32_t imm, uint32_t vc, uint32_t vd, uint32_t mod)
{
    return op << 24 | (imm & 0xFFF) << 12 | vc << 8 | vd << 4 | mod;
}

/* A value that makes multiply-adds, shifts and comparisons do something. */
static uint32_t interesting(void)
{
    switch (below(4)) {
    case 0: return below(64) - 32;
    case 1: return 0x3F800000 + (rnd() & 0x83FFFFFF);
    case 2: return rnd() & 0x80000000;
    default: return rnd();
    }
}

static uint32_t simple_insn(bool direct)
{
    const uint32_t vc = below(2) ? below(8) : 8 + below(7), vd = direct ? below(8) : below(12);
    switch (below(direct ? 8 : 9)) {
    case 0: return op3(MM_SFPIADD, rnd(), vc, vd, below(16));
    case 1: return op3(MM_SFPSHFT, rnd(), vc, vd, below(8));
    case 2: return op3(MM_SFPMOV, 0, vc, vd, below(2));
    case 3: return op3(MM_SFPABS, 0, vc, vd, 0);
    case 4: return op3(MM_SFPAND, below(8), vc, vd, 1);
    case 5: return op3(MM_SFPXOR, 0, vc, vd, 0);
    case 6: return op3(MM_SFPSETSGN, below(2), vc, vd, below(2));
    case 7: return op3(MM_SFPCAST, 0, vc, vd, 0);
    default: return op3(MM_SFPSWAP, 0, vc, vd, below(2) ? 15 : below(2));
    }
}

static uint32_t template_insn(void)
{
    switch (below(4)) {
    case 0: return simple_insn(false);
    case 1:
        switch (below(3)) {
        case 0: return (uint32_t)MM_SFPADDI << 24 | (rnd() & 0xFFFF) << 8 | below(8) << 4;
        case 1: return (uint32_t)MM_SFPMULI << 24 | (rnd() & 0xFFFF) << 8 | below(8) << 4;
        default:
            return (uint32_t)MM_SFPMAD << 24 | below(8) << 16 | below(16) << 12 | below(16) << 8 | below(8) << 4 |
                   (below(3) ? 0 : below(16));
        }
    case 2:
        return below(2) ? op3(MM_SFPSTOCHRND, 0, below(8), below(8), 1)
                        : op3(MM_SFPSHFT2, rnd(), below(15), below(8), 5 + below(2));
    default: return (uint32_t)MM_SFPSTORE << 24 | below(8) << 20;
    }
}

/* One byte of a sequence.  Many programs of wholly random bytes would be undefined. */
static uint32_t sequence_byte(unsigned unit, const uint32_t templates[4])
{
    if (below(3) == 0)
        return below(8) << 3;
    uint32_t source = 4 + below(4);
    for (unsigned i = 0; i < 4 && mm_unit_of(templates[source - 4] >> 24) != unit; i++)
        source = 4 + (source - 3) % 4;
    if (mm_unit_of(templates[source - 4] >> 24) != unit)
        source = unit == MM_STORE ? 3 : 2;
    else if (unit == MM_STORE && below(2))
        source = 3;
    return source | below(below(2) ? 3 : 8) << 3 | (rnd() & 0xC0);
}

enum { STEPS = 24, DRAIN = 12 };
struct program {
    uint32_t word[STEPS + DRAIN]; /* by cycle; 0: no instruction for the Vector Unit */
    uint32_t template[4], sequence[4], misc;
};

static void make_program(struct program *p)
{
    for (unsigned i = 0; i < 4; i++)
        p->template[i] = template_insn();
    for (unsigned i = 0; i < 4; i++) {
        p->sequence[i] = 0;
        for (unsigned unit = 0; unit < MM_UNITS; unit++)
            p->sequence[i] |= sequence_byte(unit, p->template) << 8 * unit;
    }
    p->misc = (3 + below(2)) | (rnd() & 0xF0) | (below(2) ? rnd() & 0xF00 : 0);
    const unsigned density = 1 + below(6);
    for (unsigned i = 0; i < STEPS; i++) {
        const uint32_t address = below(64) * 2;
        if (below(density) == 0)
            p->word[i] = (uint32_t)MM_SFPLOADMACRO << 24 | below(16) << 20 | (3 + below(2)) << 16 | address | below(2);
        else if (below(3) == 0)
            p->word[i] = 0;
        else if (below(3) == 0)
            p->word[i] = (uint32_t)MM_SFPNOP << 24;
        else if (below(3) == 0)
            p->word[i] = (uint32_t)MM_SFPLOADI << 24 | below(8) << 20 | 4u << 16 | (rnd() & 0xFFFF);
        else
            p->word[i] = simple_insn(true);
    }
    for (unsigned i = 0; i < DRAIN; i++)
        p->word[STEPS + i] = (uint32_t)MM_SFPNOP << 24;
}

/* The same random state in both.  Columns of lanes that are in `others` have the macros of `q`. */
static void make_state(struct tile *tile, struct mm *m, const struct program *first, const struct program *q,
                       unsigned others)
{
    memset(m, 0, sizeof *m);
    struct vector_files *v = &tile->files.vector;
    const bool use_flags = below(2);
    v->LaneFlags = v->UseLaneFlagsForLaneEnable = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        struct mm_lane *l = &m->lane[lane];
        const struct program *p = others >> lane % LANE_COLUMNS & 1 ? q : first;
        for (unsigned i = 0; i < MM_LREGS; i++) {
            if (i < 8 || i == 16)
                v->LReg[i][lane] = interesting();
            l->lreg[i] = v->LReg[i][lane];
        }
        l->use_flag = use_flags;
        l->flag = use_flags && below(4);
        v->LaneFlags |= (uint32_t)l->flag << lane;
        v->UseLaneFlagsForLaneEnable |= (uint32_t)l->use_flag << lane;
        for (unsigned i = 0; i < 4; i++) {
            v->LoadMacroConfig.InstructionTemplate[i][lane] = l->template[i] = p->template[i];
            v->LoadMacroConfig.Sequence[i][lane] = l->sequence[i] = p->sequence[i];
        }
        v->LoadMacroConfig.Misc[lane] = l->misc = p->misc;
    }
    macro_config_changed(v);
    for (unsigned row = 0; row < 256; row++) {
        uint32_t values[DST_COLUMNS];
        for (unsigned i = 0; i < DST_COLUMNS; i++) {
            m->dst[row][i] = interesting();
            values[i] = dst_encode_fp32(m->dst[row][i]);
        }
        dst_write32(&tile->files, 0, row, values);
    }
}

/* One word a cycle, by RISCV B; after every `look` cycles somebody looks.  `told`: and somebody who waits for another thread is told
 * to look in every cycle, before the threads have their turn. */
static void run_program(struct tile *tile, const struct program *p, unsigned look, bool told)
{
    struct tensix *tx = &tile->dev.tensix;
    uint64_t now = exec_now;
    for (unsigned i = 0; i < STEPS + DRAIN; i++, now++) {
        uint32_t lost;
        if (p->word[i] != 0)
            assert_int_equal(tensix_push_replay(tx, 0, p->word[i], 0x100, now, &lost), TENSIX_PUSH_OK);
        if (told)
            tensix_notify(tx, 2, now);
        while (i % look == look - 1 && tensix_next(tx) <= now)
            tensix_run(&tile->lent, tx, now + 1);
    }
    exec_now = now + 100;
    while (tensix_next(tx) < exec_now)
        tensix_run(&tile->lent, tx, exec_now);
}

static void compare(struct tile *tile, const struct mm *m, uint64_t which)
{
    const struct vector_files *v = &tile->files.vector;
    for (unsigned lane = 0; lane < LANES; lane++) {
        for (unsigned i = 0; i < MM_LREGS; i++)
            if (v->LReg[i][lane] != m->lane[lane].lreg[i])
                fail_msg("program %#llx lane %u: LReg[%u] is 0x%08x, the model has 0x%08x", (unsigned long long)which,
                         lane, i, v->LReg[i][lane], m->lane[lane].lreg[i]);
        if ((v->LaneFlags >> lane & 1) != m->lane[lane].flag)
            fail_msg("program %#llx lane %u: flag", (unsigned long long)which, lane);
    }
    for (unsigned row = 0; row < 256; row++) {
        uint32_t values[DST_COLUMNS];
        dst_read32(&tile->files, 0, row, values);
        for (unsigned i = 0; i < DST_COLUMNS; i++)
            if (dst_decode_fp32(values[i]) != m->dst[row][i])
                fail_msg("program %#llx: Dst[%u][%u] is 0x%08x, the model has 0x%08x", (unsigned long long)which, row,
                         i, dst_decode_fp32(values[i]), m->dst[row][i]);
    }
}

enum { PROGRAMS = RANDOM_CASES(20000) };

static void compare_programs(struct tile *tile, bool columns_differ)
{
    static struct mm m;
    unsigned compared = 0, scheduled[MM_UNITS] = {0}, forgotten = 0, discarded = 0;
    tile->goes_on = true;
    for (uint64_t which = 1; which <= PROGRAMS; which++) {
        seed = (which + columns_differ * PROGRAMS) * UINT64_C(0x9E3779B97F4A7C15);
        struct program p, q;
        make_program(&p);
        make_program(&q);
        if (columns_differ) /* whether one that waits for instructions makes other lanes wait, no page says */
            q.misc = p.misc = (p.misc & 0xFF) | (below(2) ? 0xF00 : 0);
        make_state(tile, &m, &p, &q, columns_differ ? 1 + below(254) : 0);
        for (unsigned i = 0; i < STEPS + DRAIN && m.undefined == NULL; i++)
            mm_cycle(&m, p.word[i], p.word[i] & 0x3FF);
        if (m.undefined != NULL)
            continue;
        tile->faults = 0;
        run_program(tile, &p, 1, false);
        /* Instructions that are discarded or read too early are reported, and stores in some lanes only. */
        if (tile->faults != 0 && tile->fault_kind != KERR_FAULT_HAZARD && !strstr(tile->fault_text, "some lanes only"))
            fail_msg("program %#llx: %s", (unsigned long long)which, tile->fault_text);
        compare(tile, &m, which);
        assert_int_equal(tile->files.vector.macro.pending, 0);
        compared++;
        for (unsigned unit = 0; unit < MM_UNITS; unit++)
            scheduled[unit] += m.scheduled[unit];
        forgotten += m.forgotten;
        discarded += m.discarded;
    }
    print_message("%u programs; scheduled %u simple, %u mad, %u round, %u store; %u forgotten, %u discarded\n",
                  compared, scheduled[0] / LANES, scheduled[1] / LANES, scheduled[2] / LANES, scheduled[3] / LANES,
                  forgotten / LANES, discarded / LANES);
    assert_true(compared > PROGRAMS / 20);
    for (unsigned unit = 0; unit < MM_UNITS; unit++)
        assert_true(scheduled[unit] / LANES > 500);
    assert_true(forgotten / LANES > 100 && discarded / LANES > 100);
}

static void random_macros_are_as_the_second_model_has_them(void **state)
{
    compare_programs(*state, false);
}

static void columns_of_lanes_may_have_other_macros(void **state)
{
    compare_programs(*state, true);
}

/* What is done late is as if it had been done in its cycle, in the middle of a program too. */
static void it_does_not_matter_who_looks_when(void **state)
{
    struct tile *tile = *state;
    static struct tensix_files files;
    static struct mm m;
    tile->goes_on = true;
    const struct tensix start = tile->dev.tensix;
    const uint64_t from = exec_now;
    for (uint64_t which = 1; which <= 500; which++) {
        struct program p;
        struct tensix_files before;
        seed = which * UINT64_C(0xD1342543DE82EF95);
        make_program(&p);
        for (unsigned i = STEPS; i < STEPS + DRAIN && which % 2; i++)
            p.word[i] = 0; /* something is left over that waits for instructions */
        make_state(tile, &m, &p, &p, 0);
        before = tile->files;
        for (unsigned i = 0; i < 3; i++) {
            const unsigned look = i == 1 ? 6 : 1;
            tile->files = before;
            tile->dev.tensix = start;
            exec_now = from;
            run_program(tile, &p, look, i == 2);
            assert_true(tensix_files_are_sane(&tile->files));
            if (i == 0)
                files = tile->files;
            else if (memcmp(&files, &tile->files, sizeof files) != 0)
                fail_msg("program %#llx: looking every %u cycles%s", (unsigned long long)which, look,
                         i == 2 ? ", and told to" : "");
        }
    }
}

/* A restored state that would lead out of arrays. */
static void what_cannot_be_scheduled_is_not_restored(void **state)
{
    struct tile *tile = *state;
    struct vector_macro *m = &tile->files.vector.macro;
    tensix_files_power_on(&tile->files);
    assert_true(tensix_files_are_sane(&tile->files));
    m->waiting[MM_STORE] = 1 << 3;
    assert_false(tensix_files_are_sane(&tile->files)); /* nothing is there */
    struct vector_scheduled *e = &m->slot[MM_STORE][3][0];
    *e = (struct vector_scheduled){.word = (uint32_t)MM_SFPSTORE << 24, .columns = 0xFF, .VD = 16};
    assert_true(tensix_files_are_sane(&tile->files));
    e->VD = 17;
    assert_false(tensix_files_are_sane(&tile->files));
    e->VD = 0, e->thread = 3;
    assert_false(tensix_files_are_sane(&tile->files));
    e->thread = 0, e->word = (uint32_t)MM_SFPMAD << 24;
    assert_false(tensix_files_are_sane(&tile->files));
    e->word = (uint32_t)MM_SFPSTORE << 24, m->slot[MM_STORE][3][1] = *e;
    assert_false(tensix_files_are_sane(&tile->files)); /* twice in one column */
    tensix_files_power_on(&tile->files);
    tile->files.vector.LoadMacroConfig.Misc[3] = 1;
    assert_false(tensix_files_are_sane(&tile->files)); /* derived state does not say so */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(random_macros_are_as_the_second_model_has_them),
        CASE(columns_of_lanes_may_have_other_macros),
        CASE(it_does_not_matter_who_looks_when),
        CASE(what_cannot_be_scheduled_is_not_restored),
    };
    return RUN(tests);
}

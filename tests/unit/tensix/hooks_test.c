/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* What checks are told of configuration, GPRs, semaphores, banks of SrcA and SrcB, LRegs and of what units do later (hooks.def): each
 * call with all that it says.  Rows of SrcA, SrcB and Dst are in tells_test.c. */
#include "tensix_isa.h" /* before tile_regs.h, whose macros have names of its instructions */

#include "unit/tensix/exec.h"

#include "costs.h"
#include "hooks/hooks.h"

static char told[2000];

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    const size_t at = strlen(told);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(told + at, sizeof told - at, format, arguments);
    va_end(arguments);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define HOOK(name, parameters, arguments)                                                                              \
    static void ignore_##name(struct tile_check *check, HOOK_LIST parameters)                                          \
    {                                                                                                                  \
    }
#define HOOK0(name)                                                                                                    \
    static void ignore_##name(struct tile_check *check)                                                                \
    {                                                                                                                  \
    }
#include "hooks/hooks.def"
#undef HOOK
#undef HOOK0
#pragma GCC diagnostic pop

enum { PUSHED = 100 };
enum { GATE = PUSHED + COST_TENSIX_MOP_STAGE + COST_TENSIX_REPLAY_STAGE + COST_TENSIX_GATE_STAGE };

static const char *how_of(unsigned how)
{
    static const char *const names[16] = {
        [CHECK_READ] = "r", [CHECK_WRITE] = "w", [CHECK_ATOMIC] = "rw", [CHECK_WRITE | CHECK_LATER] = "later"};
    return names[how & 15];
}
static void on_config(struct tile_check *check, unsigned bank, unsigned word, unsigned how, uint64_t visible)
{
    (void)check;
    tell("config%u[%u] %s +%d, ", bank, word, how_of(how), (int)(visible - GATE));
}
static void on_gpr(struct tile_check *check, unsigned thread, unsigned index, unsigned count, unsigned how)
{
    (void)check;
    tell("gpr%u[%u+%u] %s, ", thread, index, count, how_of(how));
}
static void on_bank(struct tile_check *check, unsigned which, unsigned bank, bool back)
{
    (void)check;
    tell("Src%c%u %s, ", "AB"[which], bank, back ? "back" : "on");
}
static void on_semaphore(struct tile_check *check, unsigned index, int change, unsigned value)
{
    (void)check;
    tell("sem%u %+d at %u, ", index, change, value);
}
static void on_lregs(struct tile_check *check, uint32_t reads, uint32_t writes)
{
    (void)check;
    if (reads | writes)
        tell("lregs %x %x, ", reads, writes);
}
static void on_goes_on(struct tile_check *check, unsigned unit, unsigned thread, uint32_t pc, uint32_t word,
                       uint64_t cycle)
{
    (void)check;
    tell("%s of T%u %x %02x +%d, ", tensix_unit_names[unit], thread, pc & ~3u, word >> 24, (int)(cycle - GATE));
}

static struct hook_table table = {
#define HOOK(name, parameters, arguments) .name = ignore_##name,
#define HOOK0(name) .name = ignore_##name,
#include "hooks/hooks.def"
};

static struct hooks hooks = {.table = &table};

static struct tensix *listen(struct tile *tile)
{
    table.config = on_config;
    table.gpr = on_gpr;
    table.bank = on_bank;
    table.semaphore = on_semaphore;
    table.lregs = on_lregs;
    table.unit_goes_on = on_goes_on;
    tile->lent.check = (struct tile_check *)(void *)&hooks;
    return &tile->dev.tensix;
}

/* One instruction of T1, and what is told of it. */
static void tells(struct tile *tile, const char *text, const char *expected)
{
    struct tensix *tx = listen(tile);
    told[0] = '\0';
    assert_true(tensix_push(tx, 1, word_of(text), 0x1234, PUSHED));
    while (tensix_next(tx) < PUSHED + 90)
        tensix_run(&tile->lent, tx, PUSHED + 90);
    assert_int_equal(tile->faults, 0);
    if (strcmp(told, expected) != 0)
        fail_msg("%s: '%s', not '%s'", text, told, expected);
}
#define TELLS(name, text, expected)                                                                                    \
    static void name(void **state)                                                                                     \
    {                                                                                                                  \
        tells(*state, text, expected);                                                                                 \
    }
TELLS(rmwcib, "RMWCIB1 Mask=0x0f, NewValue=3, Index4=100", "config0[100] rw +0, ")
TELLS(setc16, "SETC16 CfgIndex=5, NewValue=7", "config3[5] w +0, ")
TELLS(rdcfg, "RDCFG ResultReg=9, CfgIndex=100", "config0[100] r +0, gpr1[9+1] w, ")
TELLS(wrcfg, "WRCFG InputReg=9, CfgIndex=100", "gpr1[9+1] r, config0[100] later +2, ")
TELLS(setdmareg, "SETDMAREG NewValue=7, ResultHalfReg=9", "gpr1[4+1] w, ")
TELLS(adddmareg, "ADDDMAREG ResultReg=1, RightReg=2, LeftReg=3", "gpr1[3+1] r, gpr1[2+1] r, gpr1[1+1] w, ")
TELLS(seminit, "SEMINIT NewValue=3, NewMax=5, SemaphoreMask=2", "sem1 +0 at 3, ")
TELLS(sempost, "SEMPOST SemaphoreMask=4", "sem2 +1 at 0, ")
static void semget(void **state)
{
    struct tile *tile = *state;
    tile->dev.tensix.semaphore[2].value = 3;
    tells(tile, "SEMGET SemaphoreMask=4", "sem2 -1 at 3, ");
}
/* Banks that were the Matrix Unit's go back, unless that is off; others have not been there. */
static void banks(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    tx->src[0].matrix_owns[0] = true;
    tells(tile, "SETRWC FlipSrcA=1, FlipSrcB=1", "SrcA0 back, SrcB0 on, ");
}
static void banks_that_are_kept(void **state)
{
    struct tile *tile = *state;
    struct tensix *tx = &tile->dev.tensix;
    tx->src[0].matrix_owns[0] = true;
    thread_of(tile, 1)->config[CLR_DVALID_SrcA_Disable_ADDR32] = 1;
    tells(tile, "SETRWC FlipSrcA=1", "SrcA0 on, ");
}
/* A store that SFPLOADMACRO has scheduled is its own doing, whoever acts by then. */
static void what_a_macro_stores(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = &tile->files.vector;
    for (unsigned i = 0; i < LANES; i++) {
        v->LoadMacroConfig.InstructionTemplate[0][i] = word_of("SFPSTORE VD=3");
        v->LoadMacroConfig.Sequence[0][i] = 0x0C000000; /* one cycle later than it could */
    }
    tells(tile, "SFPLOADMACRO VDLo=2, Mod0=6", "vector of T1 1234 72 +2, ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {CASE(rmwcib),
                                       CASE(setc16),
                                       CASE(rdcfg),
                                       CASE(wrcfg),
                                       CASE(semget),
                                       CASE(setdmareg),
                                       CASE(adddmareg),
                                       CASE(seminit),
                                       CASE(sempost),
                                       CASE(banks),
                                       CASE(banks_that_are_kept),
                                       CASE(what_a_macro_stores)};
    return RUN(tests);
}

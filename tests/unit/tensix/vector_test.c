/* SPDX-License-Identifier: Apache-2.0 */
/* LINK: @tile */
/* What the Vector Unit starts with, lanes, its reset; its instructions one by one are in tests/isa/tensix. */
#include "tensix_isa.h" /* first: tile_regs.h makes a macro of one of its names */

#include "unit/tensix/exec.h"

#include "tensix/vector/vector.h"

static struct vector_files *vector_of(struct tile *tile)
{
    return &tile->files.vector;
}

/* All lanes but those of `others` have `value`; the others have `other`. */
static void assert_lanes(const uint32_t lanes[LANES], uint32_t value, uint32_t others, uint32_t other)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        if (lanes[lane] != (others >> lane & 1 ? other : value))
            fail_msg("lane %u: 0x%08x, not 0x%08x", lane, lanes[lane], others >> lane & 1 ? other : value);
}

static void assert_all(const uint32_t lanes[LANES], uint32_t value)
{
    assert_lanes(lanes, value, 0, 0);
}

static const uint32_t column_0 = 0x01010101;

/* The reference simulator has the same values, 1/512 in LReg[12] among them. */
static void power_on_gives_constants(void **state)
{
    struct vector_files *v = vector_of(*state);
    for (unsigned i = 0; i < 8; i++)
        assert_all(v->LReg[i], 0);
    assert_all(v->LReg[8], 0x3F56594B);
    assert_all(v->LReg[9], 0);
    assert_all(v->LReg[10], 0x3F800000);
    assert_all(v->LReg[11], 0xBF800000);
    assert_all(v->LReg[12], 0x3B000000);
    assert_all(v->LReg[13], 0xBF2CC4C7);
    assert_all(v->LReg[14], 0xBEB08FF9);
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(v->LReg[15][lane], 2 * lane);
    assert_all(v->LReg[16], 0);
    assert_int_equal(vector_lanes_enabled(v), 0xFFFFFFFF);
}

static void row_mask_disables_lanes_of_its_column(void **state)
{
    struct vector_files *v = vector_of(*state);
    v->LaneConfig[3] = 0x5 << 12;     /* rows 0 and 2 of column 3 */
    v->LaneConfig[8 + 4] = 0xF << 12; /* lanes 0 to 7 count */
    vector_lane_config_changed(v);
    assert_int_equal(vector_lanes_enabled(v), ~(1u << 3 | 1u << 19));
}

/* ---- SFPENCC ------------------------------------------------------------------------------------------------- */

static void vd_of_12_and_more_is_the_back_door(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    for (unsigned lane = 0; lane < LANES; lane += LANE_COLUMNS)
        v->LaneConfig[lane] = LANE_CONFIG_DISABLE_BACKDOOR_LOAD;
    vector_lane_config_changed(v);
    const uint32_t word = word_of("SFPENCC Mod1=10, Imm2=3, VD=14");
    exec_word(tile, 0, word);
    assert_lanes(v->LoadMacroConfig.InstructionTemplate[2], word, column_0, 0);
    assert_int_equal(v->UseLaneFlagsForLaneEnable, column_0);
    assert_int_equal(v->LaneFlags, column_0);
    exec(tile, "SFPENCC Mod1=10, VD=11"); /* and 11 is not */
    assert_int_equal(v->LaneFlags, 0);
}

/* ---- SFPLOADI ------------------------------------------------------------------------------------------------ */

static void sfploadi_writes_enabled_lanes(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    v->UseLaneFlagsForLaneEnable = 0xFFFFFFFF;
    v->LaneFlags = 0xFFFF0000;
    v->LaneConfig[0] = 0xF << 12;
    vector_lane_config_changed(v);
    exec(tile, "SFPLOADI Mod0=2, Imm16=7");
    assert_lanes(v->LReg[0], 7, 0x0000FFFF | column_0, 0);
}

static void sfploadi_without_meaning_is_undefined(void **state)
{
    struct tile *tile = *state;
    tile->goes_on = true;
    unsigned faults = 0;
    for (unsigned mode = 0; mode < 16; mode++) {
        exec_word(tile, 0, 0x71000000 | mode << 16 | 0x1234);
        faults += !(mode == 0 || mode == 1 || mode == 2 || mode == 4 || mode == 8 || mode == 10);
        assert_int_equal(tile->faults, faults);
    }
    assert_int_equal(tile->fault_kind, KERR_FAULT_UNDEFINED);
    assert_non_null(strstr(tile->fault_text, "Mod0 15"));
    assert_all(vector_of(tile)->LReg[0], 0x12341234); /* 8, then 10 */
}

static void sfploadi_does_not_reach_lreg_8_and_up(void **state)
{
    struct tile *tile = *state;
    struct vector_files before = *vector_of(tile);
    tile->goes_on = true;
    exec_word(tile, 0, word_of("SFPLOADI VD=8, Mod0=2, Imm16=1"));
    exec_word(tile, 0, word_of("SFPLOADI VD=11, Mod0=2, Imm16=1"));
    assert_int_equal(tile->faults, 2);
    assert_non_null(strstr(tile->fault_text, "SFPLOADI writes LReg[11]"));
    assert_memory_equal(vector_of(tile), &before, sizeof before);
    tile->faults = 0;
    exec(tile, "SFPLOADI VD=12, Mod0=2, Imm16=1");
    assert_all(vector_of(tile)->LoadMacroConfig.InstructionTemplate[0], word_of("SFPLOADI VD=12, Mod0=2, Imm16=1"));
    assert_all(vector_of(tile)->LReg[12], 0x3B000000);
}

/* ---- SFPCONFIG ----------------------------------------------------------------------------------------------- */

/* LReg[0][i] = base + i in the first eight lanes, nonsense in the others. */
static void fill_lreg_0(struct tile *tile, uint32_t base)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        vector_of(tile)->LReg[0][lane] = lane < LANE_COLUMNS ? base + lane : 0xDEAD0000;
}

static void assert_columns(const uint32_t lanes[LANES], uint32_t base)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        assert_int_equal(lanes[lane], base + lane % LANE_COLUMNS);
}

static void sfpconfig_broadcasts_eight_lanes(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    char text[40];
    for (unsigned VD = 0; VD < 16; VD++) {
        fill_lreg_0(tile, 0x100 * VD);
        snprintf(text, sizeof text, "SFPCONFIG VD=%u", VD);
        exec(tile, text);
    }
    for (unsigned i = 0; i < 4; i++) {
        assert_columns(v->LoadMacroConfig.InstructionTemplate[i], 0x100 * i);
        assert_columns(v->LoadMacroConfig.Sequence[i], 0x100 * (i + 4));
        assert_columns(v->LReg[11 + i], 0x100 * (i + 11));
    }
    assert_columns(v->LoadMacroConfig.Misc, 0x800);
    assert_columns(v->LaneConfig, 0xF00);
    assert_all(v->LReg[9], 0);
    assert_all(v->LReg[10], 0x3F800000);
}

static void sfpconfig_lane_mask_has_a_bit_for_each_column(void **state)
{
    struct tile *tile = *state;
    fill_lreg_0(tile, 0x40);
    exec(tile, "SFPCONFIG VD=13, Imm16=0xAAAB, Mod1=8");
    assert_lanes(vector_of(tile)->LReg[13], 0xBF2CC4C7, column_0, 0x40);
}

static void sfpconfig_heeds_the_flags_of_the_first_row_and_no_row_mask(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    for (unsigned lane = 0; lane < LANE_COLUMNS; lane++)
        v->LaneConfig[lane] = 0xF << 12;
    vector_lane_config_changed(v);
    v->UseLaneFlagsForLaneEnable = 0xFFFFFF0F;
    v->LaneFlags = 0x00000001;
    exec(tile, "SFPCONFIG VD=4, Imm16=9, Mod1=1");
    assert_lanes(v->LoadMacroConfig.Sequence[0], 9, 0x0E0E0E0E, 0);
}

/* ---- Random numbers --------------------------------------------------------------------------------------------- */

/* What two cards were seen to have in lanes 0 and 1 after a seed of zero; the rest is the same sequence, two steps a lane. */
static void a_store_to_prng_seed_starts_all_lanes(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    wr_at(tile, KERR_CORE_B, TENSIX_CFG_BASE + 4 * PRNG_SEED_Seed_Val_ADDR32, 0, exec_now);
    assert_int_equal(v->prng[0], 0xF173CC27);
    assert_int_equal(v->prng[1], 0xC5CF309E);
    for (unsigned lane = 1; lane < LANES; lane++)
        assert_int_equal(v->prng[lane] & ~3u, v->prng[lane - 1] << 2);
    exec(tile, "SFPMOV VC=9, VD=0, Mod1=8");
    assert_int_equal(v->LReg[0][1], 0xC5CF309E);
    wr_at(tile, KERR_CORE_B, TENSIX_CFG_BASE + 4 * PRNG_SEED_Seed_Val_ADDR32, UINT32_MAX, exec_now + 50);
    assert_all(v->prng, UINT32_MAX);
}

static void wrcfg_to_prng_seed_does_not(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    thread_of(tile, 0)->gpr[4] = 5;
    v->prng[3] = 7;
    exec(tile, "WRCFG InputReg=4, CfgIndex=186");
    assert_int_equal(tile->dev.tensix.config[0][PRNG_SEED_Seed_Val_ADDR32], 5);
    assert_int_equal(v->prng[3], 7);
    assert_int_equal(v->prng[0], 0);
}

/* ---- SFPNOP, time, reset --------------------------------------------------------------------------------------- */

static void soft_reset_of_the_vector_unit_holds_instructions_back_and_ends_in_defaults(void **state)
{
    struct tile *tile = *state;
    struct vector_files *v = vector_of(tile);
    struct vector_files fresh = *v;
    memset(v, 0x5A, sizeof *v);
    memcpy(v->LReg[8], fresh.LReg[8], sizeof v->LReg[8]); /* constants stay what they are */
    memcpy(v->LReg[9], fresh.LReg[9], sizeof v->LReg[9]);
    memcpy(v->LReg[10], fresh.LReg[10], sizeof v->LReg[10]);
    memcpy(v->LReg[15], fresh.LReg[15], sizeof v->LReg[15]);
    set_soft_reset(tile, 1 << 10);
    assert_int_equal(v->LReg[0][0], 0x5A5A5A5A); /* not before it leaves reset */
    assert_false(try_exec(tile, 0, "SFPLOADI VD=3, Mod0=2, Imm16=1"));
    assert_false(try_exec(tile, 1, "SFPNOP"));
    assert_false(try_exec(tile, 2, "SFPENCC Mod1=2, Imm2=1"));
    set_soft_reset(tile, 0);
    for (unsigned lane = 0; lane < LANES; lane++)
        fresh.LReg[3][lane] = 1;
    fresh.UseLaneFlagsForLaneEnable = fresh.LaneFlags = 0xFFFFFFFF; /* the instructions that waited */
    assert_memory_equal(v, &fresh, sizeof fresh);
}

static void snapshots_with_a_flag_stack_of_more_than_eight_are_refused(void **state)
{
    struct tile *tile = *state;
    tile->files.vector.flag_stack_size[31] = 8;
    assert_true(tensix_files_are_sane(&tile->files));
    tile->files.vector.flag_stack_size[31] = 9;
    assert_false(tensix_files_are_sane(&tile->files));
}

/* By experiment: a store changes what a load finds, or does not.  Addresses are few, in both halves of Dst. */
static void a_load_and_a_store_meet(void **state)
{
    enum { FP32 = 3, UINT16 = 6, MODS = 3, TIMES = 4000 };
    static const uint8_t mods[] = {UINT16, FP32, 4 /* INT32 */};
    struct tile *tile = *state;
    struct tensix_files *files = &tile->files;
    struct vector_files *v = &files->vector;
    unsigned met = 0;
    uint32_t any = 1;
    memset(files->dst_row_undefined, 0, sizeof files->dst_row_undefined);
    for (unsigned n = 0; n < TIMES; n++) {
        struct vector_operands load = {.VD = 1}, store = {.VD = 2};
        struct vector_dst at[2];
        for (unsigned i = 0; i < 2; i++) {
            any = any * 1664525 + 1013904223;
            at[i] = (struct vector_dst){.access = any >> 31 ? DST_ACCESS_HIGH_HALVES : 0,
                                        .Addr = (any >> 28 & 1) * 512 + (any >> 24 & 14)};
            (i == 0 ? &load : &store)->mod = mods[(any >> 16) % MODS];
        }
        uint32_t found[LANES];
        memset(files->DstBits, 0x55, sizeof files->DstBits);
        vector_load(files, UINT32_MAX, &load, at[0]);
        memcpy(found, v->LReg[1], sizeof found);
        for (unsigned i = 0; i < LANES; i++)
            v->LReg[2][i] = 0x12345678 + i;
        vector_store(files, UINT32_MAX, &store, at[1]);
        vector_load(files, UINT32_MAX, &load, at[0]);
        const bool meet = memcmp(found, v->LReg[1], sizeof found) != 0;
        if (vector_meet(v, &load, at[0], &store, at[1]) != meet)
            fail_msg("load with Mod0 %u at %u (%x), store with Mod0 %u at %u (%x): they %s", load.mod, at[0].Addr,
                     at[0].access, store.mod, at[1].Addr, at[1].access, meet ? "meet" : "do not meet");
        met += meet;
    }
    assert_in_range(met, TIMES / 50, TIMES / 2);
}

/* What lets SFPLOADMACRO do all columns at once. */
static void macros_that_differ_are_known(void **state)
{
    struct tile *tile = *state;
    const struct vector_files *v = vector_of(tile);
    exec(tile, "SFPCONFIG VD=5, Imm16=0x0304, Mod1=1");
    exec(tile, "SFPLOADI Imm16=0x1234");
    exec(tile, "SFPCONFIG VD=2");
    exec(tile, "SFPCONFIG VD=8, Imm16=0x0345, Mod1=1");
    assert_int_equal(v->macros_differ & 1, 0);
    exec(tile, "SFPLOADI VD=0, Imm16=0x4321");
    exec(tile, "SFPCONFIG VD=2, Imm16=0x4000, Mod1=8");
    assert_int_equal(v->macros_differ & 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(power_on_gives_constants),
        CASE(row_mask_disables_lanes_of_its_column),
        CASE(vd_of_12_and_more_is_the_back_door),
        CASE(sfploadi_writes_enabled_lanes),
        CASE(sfploadi_without_meaning_is_undefined),
        CASE(sfploadi_does_not_reach_lreg_8_and_up),
        CASE(sfpconfig_broadcasts_eight_lanes),
        CASE(sfpconfig_lane_mask_has_a_bit_for_each_column),
        CASE(sfpconfig_heeds_the_flags_of_the_first_row_and_no_row_mask),
        CASE(a_store_to_prng_seed_starts_all_lanes),
        CASE(wrcfg_to_prng_seed_does_not),
        CASE(soft_reset_of_the_vector_unit_holds_instructions_back_and_ends_in_defaults),
        CASE(a_load_and_a_store_meet),
        CASE(macros_that_differ_are_known),
        CASE(snapshots_with_a_flag_stack_of_more_than_eight_are_refused),
    };
    return RUN(tests);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Races over configuration, on a program that has the bug and on one that has it mended: between instructions and cores that name a
 * word, and with what units read of it while they execute. */
#include "../support/check_pairs.h"

#include "cfg_fields.h"

#define CFG_BASE 0xFFEF0000u
enum { SEED = PRNG_SEED_Seed_Val_ADDR32, DST_BASE = DEST_REGW_BASE_Base_ADDR32, GPR = 4 };
enum {
    B2_PACK = 1 << 2,
    B3_UNPACK = 1 << 3,
    B6_MATH = 1 << 6,

    C3_PACKER = 1 << 3,
    C10_STORES = 1 << 10
};
enum {
    FORMAT_BF16 = 5,
    ZEROACC_ALL = 0x10 << 24 | 3 << 19,
    SFPLOAD = 0x70 << 24,
    UNPACR = 0x42 << 24 | 1,
    PACR = 0x41 << 24 | 1
};

static void store_config(rvasm *a, unsigned word, uint32_t value)
{
    store(a, CFG_BASE + 4 * word, value);
}

/* ---- Words that are named ------------------------------------------------------------------------------------------------- */

static void two_threads(programs *p, bool mended)
{
    one_behind_the_other(p, mended, tt_wrcfg(GPR, 0, SEED), tt_wrcfg(GPR, 0, SEED));
}
/* Fields of one word are no conflict. */
static void bits(programs *p, bool mended)
{
    one_behind_the_other(p, false, tt_rmwcib(0, 0x0F, 1, SEED), tt_rmwcib(0, mended ? 0xF0 : 0x3C, 0x10, SEED));
}
/* Nor is one that sets what is there. */
static void same_value(programs *p, bool mended)
{
    one_behind_the_other(p, false, tt_rmwcib(0, 0x0F, 1, SEED), tt_rmwcib(0, 0x0F, mended ? 1 : 2, SEED));
}
static void thread_config(programs *p, bool mended)
{
    enum {
        THREAD_CONFIG = 3 * 224 /* words of Config, twice, and of ConfigDualWrite */,
        FIDELITY = FIDELITY_BASE_Phase_ADDR32
    };
    rvasm *a = begin(p, KERR_CORE_T0);
    push(a, tt_setc16(FIDELITY, 1));
    if (mended)
        load(a, DONE_CHECK);
    load(a, CFG_BASE + 4 * (THREAD_CONFIG + FIDELITY));
}

/* ---- What units read --------------------------------------------------------------------------------------------------------- */

/* The core changes it while an instruction that it has pushed may not have begun. */
static void store_behind_push(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    push(a, ZEROACC_ALL);
    if (mended)
        load(a, DONE_CHECK);
    store_config(a, DST_BASE, 16);
}
/* A push overtakes a store. */
static void push_behind_store(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    store_config(a, DST_BASE, 16);
    if (mended)
        push(a, tt_stallwait(B6_MATH, C10_STORES));
    push(a, ZEROACC_ALL);
}
static void wrong_block(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    store_config(a, DST_BASE, 16);
    push(a, tt_stallwait(mended ? B6_MATH : B2_PACK, C10_STORES));
    push(a, ZEROACC_ALL);
}
static void read_back(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    store_config(a, DST_BASE, 16);
    if (mended)
        load(a, CFG_BASE + 4 * DST_BASE);
    push(a, ZEROACC_ALL);
}
static void auto_ttsync(programs *p, bool mended)
{
    enum { TRACKS = TENSIX_TRISC_SYNC_TrackGlobalCfg_MASK | TENSIX_TRISC_SYNC_TrackTensixInstructions_MASK };
    rvasm *a = begin(p, KERR_CORE_T1);
    push(a, tt_setc16(TENSIX_TRISC_SYNC_TrackGlobalCfg_ADDR32, mended ? TRACKS : 0));
    load(a, DONE_CHECK);
    store_config(a, DST_BASE, 16);
    push(a, ZEROACC_ALL);
    store_config(a, DST_BASE, 32);
}
static void of_another_thread(programs *p, bool mended)
{
    one_behind_the_other(p, mended, tt_wrcfg(GPR, 0, DST_BASE), SFPLOAD);
}
/* A field that nobody reads. */
static void other_field(programs *p, bool mended)
{
    one_behind_the_other(p, false, tt_wrcfg(GPR, 0, mended ? DEST_SP_BASE_Base_ADDR32 : DST_BASE), ZEROACC_ALL);
}

/* Semaphores and mailboxes pass on what a core has stored. */
static void told_by_mailbox(programs *p, bool mended)
{
    const uint32_t to_t2 = 0xFFEC3000u, from_t1 = 0xFFEC2000u;
    rvasm *a = begin(p, KERR_CORE_T1), *b = begin(p, KERR_CORE_T2);
    store_config(a, DST_BASE, 16);
    store(a, to_t2, 1);
    if (mended)
        load(b, from_t1);
    push(b, SFPLOAD);
}

static void begin_unpacker(rvasm *a)
{
    push(a, tt_rmwcib(0, 0xFF, FORMAT_BF16 | 1 << 4, THCON_SEC0_REG0_TileDescriptor_ADDR32));
    push(a, tt_rmwcib(0, 0x0F, FORMAT_BF16, THCON_SEC0_REG2_Out_data_format_ADDR32));
    set_gpr(a, GPR, DATA / 16);
    push(a, tt_stallwait(TT_BLOCK_ALL, TT_C0_THCON | TT_C12_CONFIG));
    push(a, tt_wrcfg(GPR, 0, THCON_SEC0_REG3_Base_address_ADDR32));
    push(a, tt_nop());
    push(a, tt_nop());
}
/* The next address while the unpacker may not have read the last. */
static void next_address(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    begin_unpacker(a);
    push(a, UNPACR);
    if (mended)
        load(a, DONE_CHECK);
    store_config(a, THCON_SEC0_REG3_Base_address_ADDR32, DATA / 16 + 64);
}
/* What the next context uses may change. */
static void other_context(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    begin_unpacker(a);
    push(a, UNPACR);
    store_config(a, THCON_SEC0_REG3_Base_address_ADDR32 + mended, DATA / 16 + 64);
}

/* The thread goes on, the packer has not read it all. */
static void begin_packer(rvasm *a)
{
    set_gpr(a, GPR, DATA / 16);
    push(a, tt_stallwait(TT_BLOCK_ALL, TT_C0_THCON));
    push(a, tt_wrcfg(GPR, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32));
    push(a, tt_rmwcib(0, 0xFF, FORMAT_BF16 << 4 | 1, THCON_SEC0_REG1_Out_data_format_ADDR32));
    push(a, tt_rmwcib(1, 0x0F, FORMAT_BF16, THCON_SEC0_REG1_In_data_format_ADDR32));
    push(a, tt_rmwcib(3, 0x1E, FORMAT_BF16 << 1, ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32));
    push(a, tt_nop());
}
static void packer_format(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T2);
    begin_packer(a);
    push(a, PACR);
    if (mended)
        push(a, tt_stallwait(TT_B7_CONFIG, C3_PACKER));
    push(a, tt_rmwcib(0, 0xF0, 0, THCON_SEC0_REG1_Out_data_format_ADDR32));
}
/* It takes addresses when it begins. */
static void packer_address(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T2);
    begin_packer(a);
    push(a, PACR);
    push(a, mended ? tt_wrcfg(GPR + 1, 0, THCON_SEC0_REG1_L1_Dest_addr_ADDR32)
                   : tt_wrcfg(GPR + 1, 0, PCK_DEST_RD_CTRL_Read_32b_data_ADDR32));
}

/* The second context has its words in REG8, but for a bit of REG1; the one beside it is the unpacker's. */
static void bit_of_two_contexts(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T2);
    begin_packer(a);
    push(a, tt_wrcfg(GPR, 0, THCON_SEC0_REG8_L1_Dest_addr_ADDR32));
    push(a, tt_rmwcib(0, 0xFF, FORMAT_BF16 << 4 | 1, THCON_SEC0_REG8_Out_data_format_ADDR32));
    push(a, tt_rmwcib(1, 0x0F, FORMAT_BF16, THCON_SEC0_REG8_In_data_format_ADDR32));
    push(a, tt_nop());
    push(a, PACR | 1 << 21 /* CfgContext */);
    push(a, tt_rmwcib(2, (mended ? THCON_SEC0_REG1_Unp_LF8_4b_exp_MASK : THCON_SEC0_REG1_Pac_LF8_4b_exp_MASK) >> 16,
                      0xFF, THCON_SEC0_REG1_Pac_LF8_4b_exp_ADDR32));
}

/* ---- All --------------------------------------------------------------------------------------------------------------------- */

static const struct pair pairs[] = {
    {"race-config", "WRCFG of two threads", two_threads, true},
    {"race-config", "RMWCIB of two threads", bits, true},
    {"race-config", "RMWCIB of two threads to other values", same_value, true},
    {"race-config", "a load of ThreadConfig behind SETC16", thread_config, true},
    {"race-config", "a store behind ZEROACC", store_behind_push, true},
    {"race-config", "ZEROACC behind a store", push_behind_store, true},
    {"race-config", "STALLWAIT that blocks something else", wrong_block, true},
    {"race-config", "a store that is not read back", read_back, true},
    {"race-config", "stores without Auto TTSync", auto_ttsync, true},
    {"race-config", "WRCFG of another thread and SFPLOAD", of_another_thread, true},
    {"race-config", "WRCFG of what ZEROACC reads", other_field, true},
    {"race-config", "a store of another core and SFPLOAD", told_by_mailbox, true},
    {"race-config", "the next address for an unpacker", next_address, true},
    {"race-config", "an address of the same context", other_context, true},
    {"race-config", "another format for the packer", packer_format, true},
    {"race-config", "what the packer reads later", packer_address, true},
    {"race-config", "what two contexts of the packer have in common", bit_of_two_contexts, true},
};

int main(void)
{
    tap t = {0};
    run_pairs(&t, pairs, sizeof pairs / sizeof *pairs);
    return tap_end(&t);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Each check of memory and of hazards, on a program that has the bug and on one that has it mended: the first gives one finding of
 * its kind with the right place, the second gives none, and neither gives any other. */
#include "../support/check_programs.h"
#include "../support/saved.h"
#include "../support/tap.h"

#include "cfg_fields.h"
#include "num/formats.h"

#include <string.h>

enum { CYCLES = 6000 };
#define CFG_BASE 0xFFEF0000u
#define LOCAL 0xFFB00000u

static void idle(rvasm *a, unsigned loops)
{
    rva_li(a, T1, loops);
    const uint32_t loop = rva_here(a);
    rva(a, rv_addi(T1, T1, -1));
    rva(a, rv_bne(T1, X0, rva_to(a, loop)));
}

/* ---- Memory that nobody has written ---------------------------------------------------------------------------------- */

static void uninit_l1(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    if (mended)
        store(a, DATA + 0x104, 7);
    load(a, DATA + 0x104);
}

static void uninit_l1_unit(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0);
    if (mended) {
        store(a, DATA, 7);
        rva(a, rv_lw(T4, 0, T1));
        rva(a, rv_add(T4, T4, T4));
        idle(a, 20);
    }
    push(a, tt_setdmareg(2 * 4, DATA / 16));
    push(a, tt_setdmareg(2 * 4 + 1, 0));
    push(a, tt_setdmareg(2 * 5, 0));
    push(a, tt_loadind(1, 2 * 5, 0, 6, 4));
}

static void uninit_local(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    idle(a, 2000); /* the local RAM clears itself first */
    if (mended)
        store(a, LOCAL + 0x100, 7);
    load(a, LOCAL + 0x100);
}

static uint32_t sfploadi(unsigned lreg, uint32_t value)
{
    return 0x71u << 24 | lreg << 20 | value;
}
static uint32_t sfpmov(unsigned from, unsigned to)
{
    return 0x7Cu << 24 | from << 8 | to << 4;
}

static void uninit_lreg(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    push(a, sfpmov(5, 12)); /* a template of SFPLOADMACRO, which is not executed */
    if (mended)
        push(a, sfploadi(3, 0x3F80));
    push(a, sfpmov(3, 0));
}

static uint32_t zeroacc_all(void)
{
    return 0x10u << 24 | 3u << 19;
}
static uint32_t sfpload(unsigned lreg)
{
    return 0x70u << 24 | lreg << 20;
}

static void uninit_dst(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    if (mended)
        push(a, zeroacc_all());
    push(a, sfpload(0));
}

/* SETDVALID gives the Matrix Unit a bank that no unpacker has filled. */
static void uninit_src(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    if (mended)
        push(a, 0x11u << 24 | 3); /* ZEROSRC of SrcA and SrcB, the unpacker's banks */
    push(a, 0x57u << 24 | 1);     /* SETDVALID SrcA */
    push(a, 0x12u << 24);         /* MOVA2D */
}

/* Both banks have been used; what the first held is not meant any more. */
static void uninit_src_again(programs *p, bool mended)
{
    const uint32_t zerosrc = 0x11u << 24 | 3, setdvalid = 0x57u << 24 | 1, mova2d = 0x12u << 24,
                   cleardvalid = 0x36u << 24 | 1u << 22;
    rvasm *a = begin(p, KERR_CORE_T1);
    for (unsigned turn = 0; turn < 3; turn++) {
        if (mended || turn < 2)
            push(a, zerosrc);
        push(a, setdvalid);
        push(a, mova2d);
        push(a, cleardvalid);
    }
}

/* ---- NoC --------------------------------------------------------------------------------------------------------------- */

static void noc_overlap(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    store(a, DATA, 1);
    request(a, READ, DATA + 0x1000, node(kerr_tensix_xy(1)), DATA, node(kerr_tensix_xy(0)), 256);
    if (mended)
        wait_while(a, NIU + READ_RESPONSES, 0);
    load(a, DATA);
}

static void noc_overlap_write(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    store(a, DATA, 1);
    request(a, WRITE, DATA, node(kerr_tensix_xy(0)), DATA + 0x2000, node(kerr_tensix_xy(1)), 4096);
    if (mended)
        wait_while(a, NIU + WRITE_ACKS, 0);
    store(a, DATA + 4, 2);
}

static void cb_bounds(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    load(a, LAUNCH_CB_MASK);
    request(a, READ, DATA + 0x1000, node(kerr_tensix_xy(1)), DATA + CB_PAGE, node(kerr_tensix_xy(0)),
            mended ? CB_PAGE : CB_PAGE + 0x100);
}

/* DRAM that the host program has said to have allocated. */
enum { ALLOCATED = 0x4000, ALLOCATED_BYTES = 0x1000 };
static void tell_tensor(kerr_chip *chip, kerr_xy at)
{
    (void)at;
    const kerr_status told = kerr_tell_allocation(chip, (kerr_xy){0, 0}, ALLOCATED, ALLOCATED_BYTES);
    MUST(chip, told == KERR_BAD_STATE ? KERR_OK : told); /* without checks */
}

static void tensor_bounds(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    request(a, READ, ALLOCATED + ALLOCATED_BYTES - (mended ? 64 : 32), node((kerr_xy){0, 1}), DATA + (mended ? 0 : 32),
            node(kerr_tensix_xy(0)), 64);
}

static void noc_misaligned(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    request(a, READ, 0x1010, node((kerr_xy){0, 0}), DATA + (mended ? 0x10 : 0x20), node(kerr_tensix_xy(0)), 32);
}

/* ---- Caches -------------------------------------------------------------------------------------------------------------- */

static void stale_l0(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T0), *b = begin(p, KERR_CORE_B);
    rva_li(a, T3, CFG0_reset | CFG0_DisLowCachePeriodicFlush); /* with the L0 data cache */
    rva(a, rv_csrrw(X0, CSR_cfg0, T3));
    store(a, DATA, 5);
    load(a, DATA);
    load(a, DATA);
    idle(a, 200);
    if (mended)
        rva(a, rv_fence());
    load(a, DATA);
    idle(b, 100);
    store(b, DATA, 6);
}

static void code_overwritten(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_B);
    const uint32_t function = DATA + 0x400;
    store(a, function, rv_addi(A0, X0, 1));
    store(a, function + 4, rv_jalr(X0, 0, RA));
    idle(a, 20);
    rva_li(a, T5, function);
    rva(a, rv_jalr(RA, 0, T5));
    store(a, function, rv_addi(A0, X0, 2));
    idle(a, 20);
    if (mended) {
        store(a, CFG_BASE + 185 * 4, 1); /* RISCV_IC_INVALIDATE of RISCV B */
        idle(a, 50);
    }
    rva_li(a, T5, function);
    rva(a, rv_jalr(RA, 0, T5));
}

/* ---- The packer ------------------------------------------------------------------------------------------------------------ */

/* A store to Config, bank 0, that is there before the next push. */
static void configure(rvasm *a, unsigned word, uint32_t value)
{
    store(a, CFG_BASE + 4 * word, value);
    rva(a, rv_lw(T4, 0, T1));
    rva(a, rv_add(T4, T4, T4));
}

/* One PACR of a row of 16 BF16 of Dst to DATA; Y of the ADC is 1. */
static void pack_a_row(rvasm *a, uint32_t stride, uint32_t out_format)
{
    const uint32_t setadcxx_packer = 0x5Eu << 24 | 4u << 21, setadcxy_packer = 0x51u << 24 | 4u << 21;
    const uint32_t pacr_last = 0x41u << 24 | 1;
    configure(a, ALU_FORMAT_SPEC_REG2_Dstacc_ADDR32, FORMAT_BF16 << ALU_FORMAT_SPEC_REG2_Dstacc_SHAMT);
    configure(a, PCK0_ADDR_CTRL_XY_REG_0_Ystride_ADDR32, stride << PCK0_ADDR_CTRL_XY_REG_0_Ystride_SHAMT);
    configure(a, THCON_SEC0_REG1_L1_Dest_addr_ADDR32, DATA / 16 - 1);
    configure(a, THCON_SEC0_REG1_Out_data_format_ADDR32,
              out_format << THCON_SEC0_REG1_Out_data_format_SHAMT | FORMAT_BF16
                                                                        << THCON_SEC0_REG1_In_data_format_SHAMT);
    push(a, setadcxx_packer | 15u << 10);
    push(a, setadcxy_packer | 1u << 9 | 2); /* Y of channel 0 */
    push(a, pacr_last | 1u << 8);
    load(a, DONE_CHECK);
}

/* Rows 0 to 15 are there.  The wrong stride leads to row 32. */
static void wrong_stride(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T2);
    push(a, 0x10u << 24 | 1u << 19); /* ZEROACC of 16 rows */
    load(a, DONE_CHECK);
    pack_a_row(a, mended ? 32 : 1024, FORMAT_BF16);
}

static void tell_buffer(kerr_chip *chip, kerr_xy at)
{
    uint32_t bf16;
    const kerr_status told =
        kerr_data_format_by_name("bf16", &bf16) ? kerr_tell_buffer(chip, at, DATA, 2048, bf16) : KERR_BAD_ARGUMENT;
    MUST(chip, told == KERR_BAD_STATE ? KERR_OK : told); /* without checks */
}
static void wrong_format(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T2);
    push(a, 0x10u << 24 | 1u << 19);
    load(a, DONE_CHECK);
    pack_a_row(a, 32, mended ? FORMAT_BF16 : FORMAT_FP16);
}

/* ---- Hazards -------------------------------------------------------------------------------------------------------------- */

/* SFPIADD reads VD in the cycle before the result of SFPMAD is there: a bug of the stalling logic. */
static void hazard(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    for (unsigned i = 0; i < 3; i++)
        push(a, sfploadi(i, 0x3F80));
    push(a, 0x84u << 24 | 0u << 16 | 1u << 12 | 2u << 8 | 2u << 4); /* SFPMAD LReg[2] */
    if (mended)
        push(a, 0x8Fu << 24);                 /* SFPNOP */
    push(a, 0x79u << 24 | 1u << 8 | 2u << 4); /* SFPIADD LReg[2] += LReg[1] */
}

/* MOVA2D writes Dst, SFPLOAD reads it. */
static void hazard_dst(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    push(a, zeroacc_all());
    push(a, 0x11u << 24 | 3); /* ZEROSRC */
    push(a, 0x57u << 24 | 1); /* SETDVALID SrcA */
    push(a, 0x12u << 24);     /* MOVA2D */
    for (unsigned i = 0; i < (mended ? 3 : 0); i++)
        push(a, tt_nop());
    push(a, sfpload(0));
}

static void hazard_config(programs *p, bool mended)
{
    rvasm *a = begin(p, KERR_CORE_T1);
    push(a, zeroacc_all());
    push(a, tt_setdmareg(2 * 4, 0));
    push(a, tt_setdmareg(2 * 4 + 1, 0));
    push(a, tt_wrcfg(4, 0, 1)); /* ALU formats */
    for (unsigned i = 0; mended && i < 2; i++)
        push(a, tt_nop());
    push(a, sfpload(0));
}

/* ---- All --------------------------------------------------------------------------------------------------------------------- */

static const struct pair {
    const char *kind, *what;
    void (*make)(programs *, bool mended);
    kerr_core core; /* that the finding speaks of */
    bool two_ends;
    void (*prepare)(kerr_chip *, kerr_xy);
} pairs[] = {
    {"uninit-l1", "a load of a core", uninit_l1, KERR_CORE_B, false, NULL},
    {"uninit-l1", "LOADIND", uninit_l1_unit, KERR_CORE_T0, false, NULL},
    {"uninit-local", "a load of a core", uninit_local, KERR_CORE_T1, true, NULL},
    {"uninit-lreg", "SFPMOV", uninit_lreg, KERR_CORE_T1, false, NULL},
    {"uninit-dst", "SFPLOAD", uninit_dst, KERR_CORE_T1, false, NULL},
    {"uninit-dst", "PACR with a wrong stride", wrong_stride, KERR_CORE_T2, true, NULL},
    {"buffer-format", "PACR", wrong_format, KERR_CORE_T2, true, tell_buffer},
    {"uninit-src", "MOVA2D", uninit_src, KERR_CORE_T1, false, NULL},
    {"uninit-src", "a bank that was given back", uninit_src_again, KERR_CORE_T1, true, NULL},
    {"noc-overlap", "a load before the answer is there", noc_overlap, KERR_CORE_B, true, NULL},
    {"noc-overlap", "a store before the data has left", noc_overlap_write, KERR_CORE_B, true, NULL},
    {"cb-bounds", "a NoC read longer than a page", cb_bounds, KERR_CORE_B, false, tell_cb},
    {"tensor-bounds", "a NoC read past the end of an allocation", tensor_bounds, KERR_CORE_B, false, tell_tensor},
    {"noc-misaligned", "a read of DRAM", noc_misaligned, KERR_CORE_B, false, NULL},
    {"stale-l0", "a load after another core's store", stale_l0, KERR_CORE_T0, false, NULL},
    {"code-overwritten", "a function", code_overwritten, KERR_CORE_B, true, NULL},
    {"hazard", "SFPIADD behind SFPMAD", hazard, KERR_CORE_T1, false, NULL},
    {"hazard-dst", "SFPLOAD behind MOVA2D", hazard_dst, KERR_CORE_T1, true, NULL},
    {"hazard-config", "SFPLOAD behind WRCFG", hazard_config, KERR_CORE_T1, true, NULL},
};

static kerr_chip *run(const struct pair *pair, bool mended, uint32_t checks)
{
    programs p = {{NULL}};
    kerr_chip *chip = chip_new_one_thread();
    MUST(chip, kerr_set_checks(chip, checks));
    const uint8_t there[8192] = {1};
    MUST(chip, kerr_poke(chip, kerr_tensix_xy(1), DATA + 0x1000, there, sizeof there));
    if (pair->prepare != NULL)
        pair->prepare(chip, kerr_tensix_xy(0));
    pair->make(&p, mended);
    start_all(chip, kerr_tensix_xy(0), &p);
    MUST(chip, kerr_run(chip, CYCLES));
    return chip;
}

static uint32_t found_by_reading(kerr_chip *chip)
{
    programs p = {{NULL}};
    rvasm *b = begin(&p, KERR_CORE_B), *t1 = begin(&p, KERR_CORE_T1);
    uint32_t count;
    load(b, DATA);
    push(t1, sfpload(0));
    push(t1, sfpmov(5, 1));
    start_all(chip, kerr_tensix_xy(0), &p);
    MUST(chip, kerr_run(chip, CYCLES));
    MUST(chip, kerr_finding_count(chip, &count));
    return count;
}

/* What a restored chip has counts as written, what one has after a reset does not; nor does anything if checks come on late. */
static void restored(tap *t)
{
    saved_bytes bytes = {0};
    kerr_chip *chip = chip_new_one_thread(), *other = chip_new_one_thread();
    chip_set_word(chip, kerr_tensix_xy(0), DATA, 1);
    MUST(chip, kerr_run(chip, 100));
    MUST(chip, kerr_save(chip, saved_put, &bytes));
    MUST(other, kerr_set_checks(other, KERR_CHECK_ALL));
    MUST(other, kerr_restore(other, saved_get, &bytes));
    tap_ok(t, found_by_reading(other) == 0, "a restored chip: all of it counts as written");
    MUST(other, kerr_reset(other));
    tap_ok(t, found_by_reading(other) == 3, "after a reset nothing is: L1, Dst and an LReg are found");
    MUST(chip, kerr_set_checks(chip, KERR_CHECK_ALL));
    tap_ok(t, found_by_reading(chip) == 0, "checks that are switched on late: what is there counts as written");
    MUST(chip, kerr_set_checks(chip, 0));
    uint32_t count;
    MUST(chip, kerr_finding_count(chip, &count));
    tap_ok(t, count == 0, "switched off, all is forgotten");
    free(bytes.data);
    kerr_destroy(chip);
    kerr_destroy(other);
}

int main(void)
{
    tap t = {0};
    restored(&t);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct pair *pair = &pairs[i];
        for (unsigned mended = 0; mended < 2; mended++) {
            uint32_t count, dropped;
            kerr_chip *chip = run(pair, mended, KERR_CHECK_ALL & ~KERR_CHECK_SYNC);
            MUST(chip, kerr_finding_count(chip, &count));
            MUST(chip, kerr_findings_dropped(chip, &dropped));
            bool good = count == !mended && dropped == 0;
            for (uint32_t n = 0; n < count; n++) {
                kerr_finding f;
                MUST(chip, kerr_finding_get(chip, n, &f));
                const uint32_t base = CODE + CODE_BYTES * (uint32_t)pair->core;
                good = good && strcmp(kerr_finding_name(f.kind), pair->kind) == 0 && f.access.core == (int)pair->core &&
                       ((f.access.pc >= base && f.access.pc < base + CODE_BYTES) || f.access.pc == DATA + 0x400) &&
                       f.access.cycle != 0 && (f.other.actor != KERR_ACTOR_NONE) == pair->two_ends &&
                       f.history_count != 0;
                if (!good)
                    describe(&f);
            }
            tap_ok(&t, good, "%s, %s: %s", pair->kind, pair->what, mended ? "mended, no finding" : "one finding");
            kerr_chip *plain = run(pair, mended, 0);
            tap_ok(&t, chip_hash(chip) == chip_hash(plain), "%s, %s%s: the same state without checks", pair->kind,
                   pair->what, mended ? ", mended" : "");
            kerr_destroy(plain);
            kerr_destroy(chip);
        }
    }
    return tap_end(&t);
}

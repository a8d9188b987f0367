/* SPDX-License-Identifier: Apache-2.0 */
/* Programs of a few instructions for cores of one tile, as tests of checks make them: with a bug, or with it mended. */
#ifndef KERR_TESTS_CHECK_PROGRAMS_H
#define KERR_TESTS_CHECK_PROGRAMS_H

#include "chip.h"
#include "ttasm.h"

#include "kerr_findings.h"

#include <inttypes.h>
#include <stdio.h>

enum { CODE = 0x4000, CODE_BYTES = 0x1000, DATA = 0x20000 };
enum { READ = 0x10, WRITE = 0x12, READ_RESPONSES = 0x208, WRITE_ACKS = 0x204 };
#define NIU 0xFFB20000u
#define DONE_CHECK 0xFFE80004u

/* Programs of cores; NULL: it stays in reset. */
typedef struct programs {
    rvasm *code[KERR_CORE_COUNT];
} programs;

static inline rvasm *begin(programs *p, kerr_core core)
{
    rvasm *a = rva_new(CODE + CODE_BYTES * (uint32_t)core);
    rva_li(a, T3, CFG0_firmware);
    rva(a, rv_csrrw(X0, CSR_cfg0, T3));
    p->code[core] = a;
    return a;
}

/* All of them begin, and each ends in a jump to itself. */
static inline void start_all(kerr_chip *chip, kerr_xy at, programs *p)
{
    for (unsigned i = 0; i < KERR_CORE_COUNT; i++) {
        if (p->code[i] == NULL)
            continue;
        rva(p->code[i], rv_j(0));
        chip_start(chip, at, (kerr_core)i, p->code[i]);
        free(p->code[i]);
        p->code[i] = NULL;
    }
}

static inline void store(rvasm *a, uint32_t address, uint32_t value)
{
    rva_li(a, T1, address);
    rva_li(a, T2, value);
    rva(a, rv_sw(T2, 0, T1));
}
static inline void store_byte(rvasm *a, uint32_t address, uint32_t value)
{
    rva_li(a, T1, address);
    rva_li(a, T2, value);
    rva(a, rv_sb(T2, 0, T1));
}

/* Its value goes nowhere that matters. */
static inline void load(rvasm *a, uint32_t address)
{
    rva_li(a, T1, address);
    rva(a, rv_lw(T4, 0, T1));
    rva(a, rv_add(T4, T4, T4));
    rva_li(a, T4, 0);
}

static inline void push(rvasm *a, uint32_t word)
{
    rva(a, tt_ttinsn(word));
}

static inline void wait_while(rvasm *a, uint32_t address, uint32_t value)
{
    rva_li(a, T1, address);
    rva_li(a, T2, value);
    const uint32_t loop = rva_here(a);
    rva(a, rv_lw(T4, 0, T1));
    rva(a, rv_beq(T4, T2, rva_to(a, loop)));
}

static inline uint32_t node(kerr_xy at)
{
    return (uint32_t)at.x | (uint32_t)at.y << 6;
}

static inline void request(rvasm *a, uint32_t ctrl, uint32_t from, uint32_t from_at, uint32_t to, uint32_t to_at,
                           uint32_t bytes)
{
    const uint32_t words[][2] = {{0x00, from},  {0x04, 0},    {0x08, from_at}, {0x0C, to}, {0x10, 0},
                                 {0x14, to_at}, {0x1C, ctrl}, {0x20, bytes},   {0x40, 1}};
    rva_li(a, T1, NIU);
    for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
        rva_li(a, T2, words[i][1]);
        rva(a, rv_sw(T2, (int32_t)words[i][0], T1));
    }
}

/* What tt-metal's firmware finds in L1: a launch message with one circular buffer, of two pages of 2 KiB at DATA.  Whoever loads its
 * mask has a kernel that uses it. */
enum { LAUNCH = 112, LAUNCH_CB_MASK = LAUNCH + 104, CB_ID = 5, CB_TABLE = 0x30000, CB_PAGE = 0x800 };
static inline void tell_cb(kerr_chip *chip, kerr_xy at)
{
    const uint32_t config[4] = {DATA, 2 * CB_PAGE, 2, CB_PAGE};
    uint32_t message[36] = {CB_TABLE};
    message[(LAUNCH_CB_MASK - LAUNCH) / 4] = 1u << CB_ID;
    MUST(chip, kerr_poke(chip, at, LAUNCH, message, sizeof message));
    MUST(chip, kerr_poke(chip, at, CB_TABLE + 16 * CB_ID, config, sizeof config));
}

static inline void describe(const kerr_finding *f)
{
    printf("# %s: core %d pc 0x%x cycle %" PRIu64 ": %s\n", kerr_finding_name(f->kind), f->access.core, f->access.pc,
           f->access.cycle, f->text);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Programs with a bug of synchronisation and with it mended: the first gives findings of its kind alone, with both ends where there
 * are two, the second gives none. */
#ifndef KERR_TESTS_CHECK_PAIRS_H
#define KERR_TESTS_CHECK_PAIRS_H

#include "check_programs.h"
#include "tap.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_CYCLES = 8000 };

struct pair {
    const char *kind, *what;
    void (*make)(programs *, bool mended);
    bool two_ends;
};

static inline void set_gpr(rvasm *a, unsigned gpr, uint32_t value)
{
    push(a, tt_setdmareg(2 * gpr, value & 0xFFFF));
    push(a, tt_setdmareg(2 * gpr + 1, value >> 16));
}

enum { HANDOVER = 1 << 3 };

/* The first of two threads has done `word`, the second does it next. */
static inline void one_behind_the_other(programs *p, bool mended, uint32_t first, uint32_t second)
{
    rvasm *a = begin(p, KERR_CORE_T1), *b = begin(p, KERR_CORE_T2);
    if (mended)
        push(a, tt_seminit(2, 0, HANDOVER));
    push(a, first);
    if (mended) {
        push(a, tt_stallwait(TT_B1_SYNC, 1 << 4 | 1 << 12));
        push(a, tt_sem(TT_SEMPOST, HANDOVER));
        push(b, tt_semwait(TT_BLOCK_ALL, HANDOVER, TT_SEM_WHILE_ZERO));
        push(b, tt_sem(TT_SEMGET, HANDOVER));
    }
    push(b, second);
}

/* One of this kind alone if so wanted, and none otherwise. */
static inline bool finds(const kerr_chip *chip, const char *kind, bool wanted, bool two_ends)
{
    uint32_t count;
    MUST(chip, kerr_finding_count(chip, &count));
    bool good = count == (wanted ? 1 : 0);
    for (uint32_t n = 0; n < count; n++) {
        kerr_finding f;
        MUST(chip, kerr_finding_get(chip, n, &f));
        const bool right = strcmp(kerr_finding_name(f.kind), kind) == 0 && f.access.core >= 0 && f.access.pc != 0 &&
                           f.access.cycle != 0 && (f.other.actor != KERR_ACTOR_NONE) == two_ends &&
                           (!two_ends || (f.other.pc != 0 && f.other.cycle != 0));
        good = good && right;
        if (!right || !wanted || count > 1)
            describe(&f);
    }
    return good;
}

static inline void run_pair(tap *t, const struct pair *pair, bool mended)
{
    programs p = {{NULL}};
    kerr_chip *chip = chip_new_one_thread();
    kerr_policies policies;
    kerr_policies_init(&policies);
    MUST(chip, kerr_set_checks(chip, KERR_CHECK_ALL));
    /* The programs use what nobody has written; that is no part of their bug. */
    if (!kerr_policies_parse(&policies, "uninit-l1=ignore,uninit-dst=ignore,uninit-lreg=ignore", NULL))
        exit(2);
    MUST(chip, kerr_set_policies(chip, &policies));
    tell_cb(chip, kerr_tensix_xy(0));
    pair->make(&p, mended);
    start_all(chip, kerr_tensix_xy(0), &p);
    MUST(chip, kerr_run(chip, PAIR_CYCLES));
    tap_ok(t, finds(chip, pair->kind, !mended, pair->two_ends), "%s, %s: %s", pair->kind, pair->what,
           mended ? "mended, no finding" : "found");
    kerr_destroy(chip);
}

static inline void run_pairs(tap *t, const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        run_pair(t, &pairs[i], false);
        run_pair(t, &pairs[i], true);
    }
}

#endif

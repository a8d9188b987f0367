/* SPDX-License-Identifier: Apache-2.0 */
/* What tests/tensix/matrix_probes.c asks: one datum of Dst each, with operands that show one thing. */
#ifndef KERR_TESTS_MATRIX_PROBES_H
#define KERR_TESTS_MATRIX_PROBES_H

#include "matrix_ref.h"

enum probe_kind { PROBE_MVMUL, PROBE_ELWADD, PROBE_ELWSUB, PROBE_ELWMUL, PROBE_KINDS };

struct probe {
    const char *name;
    enum probe_kind kind;
    uint8_t a_format, b_format, phase;
    bool dst32, keep;
    uint32_t a[16], b[16], dst, result;
};
enum { MOST_PROBES = 8192 };
struct probe_list {
    unsigned count;
    struct probe probe[MOST_PROBES];
    struct probe now; /* what the next one is, but for its operands */
};

/* All of them, without results. */
void probes_make(struct probe_list *list);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the units of a coprocessor have done, from its own counters. */
#ifndef KERR_HOST_ACTIVITY_H
#define KERR_HOST_ACTIVITY_H

#include "kerr.h"
#include "tensix/state.h"

/* Cycles in which units were taken, since power-on. */
void activity_busy(const struct tensix *tx, uint64_t busy[KERR_UNIT_COUNT]);

#endif

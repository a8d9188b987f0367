/* SPDX-License-Identifier: Apache-2.0 */
/* The time of a debugger that has the chip for itself: forward by running, back by a snapshot and running (past.h). */
#ifndef KERR_TOOLS_GDB_PAST_H
#define KERR_TOOLS_GDB_PAST_H

#include "gdb_time.h"
#include "past.h"

/* Its context is a `past`. */
extern const gdb_time gdb_past_time;

#endif

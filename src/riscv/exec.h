/* SPDX-License-Identifier: Apache-2.0 */
/* Between the executor, the parking lot and the debugger; the tile uses core.h. */
#ifndef KERR_RISCV_EXEC_H
#define KERR_RISCV_EXEC_H

#include "riscv/core.h"
#include "riscv/lsu.h"

/* One instruction with every check; RV_EXIT_LIMIT means it went well (or t has reached the limit). */
rv_exit rv_run_one(rv_core *core, rv_bus *bus, lsu_lap *lap, uint64_t limit, uint64_t shared_limit);
void rv_take_interrupt(rv_core *core, rv_bus *bus);

#endif

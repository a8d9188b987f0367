/* SPDX-License-Identifier: Apache-2.0 */
/* The instruction cache as the executor and the Load/Store Unit use it. */
#ifndef KERR_RISCV_ICACHE_H
#define KERR_RISCV_ICACHE_H

#include "riscv/core.h"

bool icache_has(const rv_core *core, uint32_t line);
/* The bytes of a line that is there. */
const uint8_t *icache_line(const rv_core *core, uint32_t line);
/* Fetches a line that is not there; a shared access. */
void icache_fill(rv_core *core, rv_bus *bus, uint32_t line);
void icache_drop_pending(rv_core *core, rv_bus *bus, uint64_t now);

/* At a shared access: what others have written by now is dropped.  Only once the access goes through: one that must wait is
 * offered again, by a core that may have to fetch it anew if its line was dropped. */
static inline void icache_catch_up(rv_core *core, rv_bus *bus, uint64_t now)
{
    if (__builtin_expect(core->ic_pending_count != 0, 0)) {
        icache_drop_pending(core, bus, now);
    }
}

#endif

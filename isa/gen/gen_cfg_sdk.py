#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the sdk's kerr_cfg.h, where the fields of the backend configuration are, from isa/cfg.regs.

    gen_cfg_sdk.py TABLE HEADER

What a table must be is gen_cfg.py's business; it refuses.
"""

import sys

from gen_cfg import WORD, all_fields, read_table
from table import main

HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from isa/cfg.regs by isa/gen/gen_cfg_sdk.py.
 *
 * Fields of the backend configuration for kernels; docs/configuration.md says what each does.
 *
 *   NAME_ADDR32, NAME_SHAMT, NAME_MASK   word, lowest bit, and the field's bits in the word
 *   KERR_CFG(NAME, value)                value at the field's place, cut to its width
 *   kerr_cfg_write(word, value)          the core stores a word of Config, bank 0; a Tensix instruction that needs it waits
 *                                        with STALLWAIT for condition 10
 *   KERR_CFG_RMW(NAME, value)            the thread changes the bits of one field of Config, in order with its other
 *                                        instructions; value may be known at run time
 *   KERR_CFG_THREAD(NAME, value)         the thread sets a word of its ThreadConfig to this field's value alone */
#ifndef KERR_CFG_H
#define KERR_CFG_H

#include "kerr_map.h"
#include "kerr_tensix.h"

#define KERR_CFG(NAME, value) ((uint32_t)(value) << NAME##_SHAMT & NAME##_MASK)

#ifdef TENSIX_CFG_STATE0
static inline void kerr_cfg_write(unsigned word, uint32_t value)
{
    ((volatile uint32_t *)(uintptr_t)TENSIX_CFG_STATE0)[word] = value;
}
#endif

#ifdef INSTRN_BUF_BASE
static inline void kerr_cfg_rmw_(unsigned word, uint32_t mask, uint32_t value)
{
    if (mask & 0xff)
        TT_RT_RMWCIB0(mask & 0xff, value & 0xff, word);
    if (mask >> 8 & 0xff)
        TT_RT_RMWCIB1(mask >> 8 & 0xff, value >> 8 & 0xff, word);
    if (mask >> 16 & 0xff)
        TT_RT_RMWCIB2(mask >> 16 & 0xff, value >> 16 & 0xff, word);
    if (mask >> 24)
        TT_RT_RMWCIB3(mask >> 24, value >> 24, word);
}
#define KERR_CFG_RMW(NAME, value) kerr_cfg_rmw_(NAME##_ADDR32, NAME##_MASK, KERR_CFG(NAME, value))
#define KERR_CFG_THREAD(NAME, value) TT_RT_SETC16(NAME##_ADDR32, KERR_CFG(NAME, value))
#endif
"""


def header(sections, _):
    out, section = [HEAD], None
    for owner, _row, field in all_fields(sections):
        if owner is not section:
            section = owner
            out.append(f"\n/* ---- {section.name}: {section.space} words {section.first} to {section.last} */")
        out.append(f"#define {field.name}_ADDR32 {field.word()}")
        out.append(f"#define {field.name}_SHAMT {field.shift()}")
        if field.width <= WORD:  # C has no wider constant
            out.append(f"#define {field.name}_MASK 0x{((1 << field.width) - 1) << field.shift():x}u")
    return "\n".join(out) + "\n\n#endif /* KERR_CFG_H */\n"


if __name__ == "__main__":
    sys.exit(main(__doc__, read_table, (header,)))

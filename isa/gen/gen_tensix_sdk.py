#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the sdk's kerr_tensix.h, a macro for each Tensix instruction, from isa/tensix.isa.

    gen_tensix_sdk.py TABLE HEADER

What a table must be is gen_tensix.py's business; it refuses.
"""

import os
import sys

from gen_tensix import RESERVED, TableError, UNITS, UNIT_TITLES, read_table, write_if_changed

HEAD = """\
/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from isa/tensix.isa by isa/gen/gen_tensix_sdk.py.
 *
 * Tensix instructions for kernels.  The fields of a macro stand in the order of docs/isa.md, from bit 23 down; bits that
 * have other names under a value of another field have a macro of their own (TT_SETDMAREG_SetSignalsMode1).
 *
 *   TT_OP_NAME(...)    the word; every field a constant, one that does not fit is an error of the compiler that names it
 *   TT_NAME(...)       pushes that word with one instruction (.ttinsn) to the core's own thread, from B to T0
 *   TT_WORD_NAME(...)  the word, from fields that are known at run time; each is cut to its width
 *   TT_RT_NAME(...)    pushes such a word
 *
 * The same by the names of fields, in any order; what is not named is 0:
 *
 *   TT(UNPACR, .WhichUnpacker = 1, .FlipSrc = 1);         as TT_NAME(...)
 *   TT_RT(SETC16, .CfgIndex = 5, .NewValue = x);          as TT_RT_NAME(...)
 *   uint32_t word = TT_WORD(SEMPOST, .SemaphoreMask = 4); of constants or of what is known at run time
 *
 * A constant that does not fit is an error of the compiler here too, if it optimizes.
 *
 * RISCV NC cannot push, so TT_NAME, TT_RT_NAME, TT and TT_RT are not there for it. */
#ifndef KERR_TENSIX_H
#define KERR_TENSIX_H

#include <stdint.h>

/* A field of a constant word: what the assertion says is what the compiler prints. */
#define KERR_TT_FIELD_(value, least, most, low, text)                                                                  \\
    (((uint32_t)(value) << (low) & KERR_TT_MASK_(least, most, low)) |                                                  \\
     (uint32_t)(0 * sizeof(struct {                                                                                    \\
                    _Static_assert((long long)(value) >= (least) && (long long)(value) <= (most), text);               \\
                    char kerr_checked;                                                                                 \\
                })))
#define KERR_TT_MASK_(least, most, low) ((uint32_t)((long long)(most) - (least)) << (low))
/* A field of a word made at run time. */
#define KERR_TT_CUT_(value, least, most, low) ((uint32_t)(value) << (low) & KERR_TT_MASK_(least, most, low))
/* One that has a name: `refuse` has the words for a constant that does not fit. */
#define KERR_TT_NAMED_(value, least, most, low, refuse)                                                                \\
    do {                                                                                                               \\
        if (__builtin_constant_p(value) && ((value) < (least) || (value) > (most)))                                    \\
            refuse();                                                                                                  \\
        word |= KERR_TT_CUT_(value, least, most, low);                                                                 \\
    } while (0)
#define TT_WORD(name, ...) kerr_tt_##name((struct kerr_tt_##name){__VA_ARGS__})

#ifdef INSTRN_BUF_BASE
/* A Tensix instruction among those of the core: its word rotated left by two bits.  The label is for its line number: the
 * assembler gives a .word alone none. */
#define KERR_TTINSN(word)                                                                                              \\
    __asm__ volatile(".loc_mark_labels 1\\n0:\\t.word %0\\n\\t.loc_mark_labels 0"                                       \\
                     :                                                                                                 \\
                     : "i"((word) << 2 | (word) >> 30)                                                                 \\
                     : "memory")

#define TT(name, ...) KERR_TTINSN(kerr_tt_##name((struct kerr_tt_##name){__VA_ARGS__}))
#define TT_RT(name, ...) kerr_tt_push(kerr_tt_##name((struct kerr_tt_##name){__VA_ARGS__}))

/* Pushes a word to the thread of this core (from B: T0); waits while the FIFO is full. */
static inline void kerr_tt_push(uint32_t word)
{
    *(volatile uint32_t *)(uintptr_t)INSTRN_BUF_BASE = word;
}
#endif

#ifdef INSTRN1_BUF_BASE
/* From B: to thread 0, 1 or 2. */
static inline void kerr_tt_push_to(unsigned thread, uint32_t word)
{
    *(volatile uint32_t *)(uintptr_t)(INSTRN_BUF_BASE + (INSTRN1_BUF_BASE - INSTRN_BUF_BASE) * thread) = word;
}
#endif
"""


def limits(field):
    if field.signed:
        return -(1 << field.width - 1), (1 << field.width - 1) - 1
    return 0, (1 << field.width) - 1


def macros(instruction, name, fields, fixed):
    """Word macros of one form; fixed is the bits that are the same in every such word."""
    checked, cut = [], []
    for field in fields:
        least, most = limits(field)
        checked.append(f'KERR_TT_FIELD_({field.name}, {least}, {most}, {field.lo}, '
                       f'"{instruction.name}: {field.name} goes from {least} to {most}")')
        cut.append(f"KERR_TT_CUT_({field.name}, {least}, {most}, {field.lo})")
    names = ", ".join(field.name for field in fields)

    def joined(parts):
        return " | \\\n     ".join([f"0x{fixed:08x}u"] + parts)

    text = f"#define TT_OP_{name}({names}) \\\n    ({joined(checked)})\n"
    text += f"#define TT_WORD_{name}({names}) \\\n    ({joined(cut)})\n"
    text += "#ifdef INSTRN_BUF_BASE\n"
    text += f"#define TT_{name}({names}) KERR_TTINSN(TT_OP_{name}({names}))\n"
    text += f"#define TT_RT_{name}({names}) kerr_tt_push(TT_WORD_{name}({names}))\n"
    return text + "#endif\n" + named(instruction, name, fields, fixed)


def named(instruction, name, fields, fixed):
    """The same form with fields by name: a struct of them, and the function that TT, TT_RT and TT_WORD call."""
    text, body = "", ""
    for field in fields:
        least, most = limits(field)
        refuse = f"kerr_tt_{name}_{field.name}"
        text += (f'void {refuse}(void)\n'
                 f'    __attribute__((error("{instruction.name}: {field.name} goes from {least} to {most}")));\n')
        body += f"    KERR_TT_NAMED_(fields.{field.name}, {least}, {most}, {field.lo}, {refuse});\n"
    members = "".join(f"    int32_t {field.name};\n" for field in sorted(fields, key=lambda f: -f.lo)) or "    int32_t kerr_none;\n"
    return text + (f"struct kerr_tt_{name} {{\n{members}}};\n"
                   f"static inline __attribute__((always_inline)) uint32_t kerr_tt_{name}(struct kerr_tt_{name} fields)\n{{\n"
                   f"    uint32_t word = 0x{fixed:08x}u;\n    (void)fields;\n{body}    return word;\n}}\n")


def header(instructions):
    text = HEAD
    for unit in UNITS:
        text += f"\n/* ---- {UNIT_TITLES[unit]} */\n"
        for i in (i for i in instructions if i.unit == unit):
            text += f"\n/* {i.source}. */\n"
            text += macros(i, i.name, i.named(), i.opcode << 24)
            for form in i.forms:
                fields = [f for f in i.form_fields(form) if f.name != RESERVED and f is not form.selector]
                text += macros(i, f"{i.name}_{form.selector.name}{form.value}", fields,
                               i.opcode << 24 | form.value << form.selector.lo)
    return text + "\n#endif /* KERR_TENSIX_H */\n"


def main(arguments):
    if len(arguments) != 3:
        print("usage: gen_tensix_sdk.py TABLE HEADER", file=sys.stderr)
        return 2
    try:
        instructions = read_table(arguments[1])
    except (TableError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    os.makedirs(os.path.dirname(arguments[2]), exist_ok=True)
    write_if_changed(arguments[2], header(instructions))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

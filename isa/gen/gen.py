#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the decoder and the cost constants from isa/rv32.isa and isa/costs.tbl.

    gen.py ISA COSTS OUTPUT_DIRECTORY

Writes rv32_ops.h, rv32_ops.c and costs.h.  A table that does not make sense is refused: the message names
file and line, the exit status is 1 and nothing is written.  What is refused is pinned by isa/gen/tests/.
"""

import os
import re
import sys

FORMATS = ("R", "I", "S", "B", "U", "J", "SHAMT", "UNARY", "CSR", "CSRI", "AMO", "FENCE", "NONE", "FP", "V", "TT")
CLASSES = ("alu", "jump", "branch", "load", "store", "fload", "fstore", "fence", "system", "csr", "mul", "div",
           "amo", "fp", "vec", "tt")
# Bits in the order of kerr_core: B, T0, T1, T2, NC.
CORES = {"all": 0x1F, "T2": 0x08, "B+NC": 0x11}
RANKS = ("silicon", "manual", "derived", "vendor code", "estimate")
OPCODE = 0x7F
FUNCT3 = 0x7000


class TableError(Exception):
    """A table row that makes no sense; the text opens with file:line."""


def rows(path, columns):
    """Yields (where, cells) for each row; cells are split at two or more blanks, the last keeps its blanks."""
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip()
            if not line or line[0] in "#!":
                continue
            where = f"{path}:{number}"
            cells = re.split(r"\s{2,}|\t+", line, maxsplit=columns - 1)
            if len(cells) == columns - 1:
                raise TableError(f"{where}: {cells[0]}: missing source")
            if len(cells) != columns:
                raise TableError(f"{where}: expected {columns} columns two blanks apart, found {len(cells)}")
            yield where, cells


class Pattern:
    """One bit pattern of one instruction."""

    def __init__(self, where, name, text):
        self.where, self.name = where, name
        self.mask = self.match = 0
        bits = text.replace("_", "")
        if len(bits) > 32:
            raise TableError(f"{where}: {name}: {len(bits)} bits go past the 32-bit word")
        if len(bits) < 32:
            raise TableError(f"{where}: {name}: {32 - len(bits)} bits of the word have no name")
        for bit in bits:
            if bit not in "01-":
                raise TableError(f"{where}: {name}: '{bit}' in a bit pattern (only 0, 1, - and _)")
            self.mask = self.mask << 1 | (bit != "-")
            self.match = self.match << 1 | (bit == "1")

    def overlaps(self, other):
        return (self.match ^ other.match) & self.mask & other.mask == 0

    def is_special_case_of(self, other):
        return self.overlaps(other) and self.mask != other.mask and self.mask & other.mask == other.mask


class Instruction:
    """One row of the table with its further patterns."""

    def __init__(self, name, fmt, kind, cores, source):
        self.name, self.format, self.kind, self.cores, self.source = name, fmt, kind, cores, source
        self.enum = "RV_" + name.upper().replace(".", "_")
        self.patterns = []


def read_isa(path):
    """The instructions of an .isa table in order."""
    instructions, patterns, seen = [], [], {}
    for where, (name, bits, fmt, kind, cores, source) in rows(path, 6):
        if fmt not in FORMATS:
            raise TableError(f"{where}: {name}: unknown format '{fmt}'")
        if kind not in CLASSES:
            raise TableError(f"{where}: {name}: unknown class '{kind}'")
        if cores not in CORES:
            raise TableError(f"{where}: {name}: unknown cores '{cores}'")
        if name != "|":
            if not re.fullmatch(r"[a-z][a-z0-9]*(\.[a-z0-9]+)*", name):
                raise TableError(f"{where}: '{name}' is not an instruction name")
            if len(name) > 15:
                raise TableError(f"{where}: {name}: longer than 15 characters")
            instruction = Instruction(name, fmt, kind, cores, source)
            if instruction.enum in seen:
                raise TableError(f"{where}: {name}: duplicate name, first in {seen[instruction.enum]}")
            seen[instruction.enum] = where
            instructions.append(instruction)
        elif not instructions:
            raise TableError(f"{where}: '|' without a row above")
        elif (fmt, kind, cores) != (instructions[-1].format, instructions[-1].kind, instructions[-1].cores):
            raise TableError(f"{where}: {instructions[-1].name}: format, class or cores differ from the row above")
        pattern = Pattern(where, instructions[-1].name, bits)
        for other in patterns:
            if pattern.overlaps(other) and not pattern.is_special_case_of(other) \
                    and not other.is_special_case_of(pattern):
                raise TableError(f"{where}: {pattern.name}: overlaps {other.name} ({other.where}) "
                                 "and neither is a special case of the other")
        patterns.append(pattern)
        instructions[-1].patterns.append(pattern)
    if not instructions:
        raise TableError(f"{path}:1: no rows")
    return instructions


class Cost:
    """One row of the cost table."""

    def __init__(self, name, value, unit, rank, source):
        self.name, self.value, self.unit, self.rank, self.source = name, value, unit, rank, source


def read_costs(path):
    """The rows of a cost table in order."""
    costs, seen = [], {}
    for where, (name, value, unit, rank, source) in rows(path, 5):
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
            raise TableError(f"{where}: '{name}' is not a cost name")
        if name in seen:
            raise TableError(f"{where}: {name}: duplicate name, first in {seen[name]}")
        seen[name] = where
        if not re.fullmatch(r"[0-9]+", value):
            raise TableError(f"{where}: {name}: '{value}' is not an integer")
        if int(value) > 0x7FFFFFFF:
            raise TableError(f"{where}: {name}: {value} does not fit an int")
        if rank not in RANKS:
            raise TableError(f"{where}: {name}: unknown rank '{rank}' (one of {', '.join(RANKS)})")
        if name.endswith("_16") != (unit == "cycles/16"):
            raise TableError(f"{where}: {name}: unit '{unit}' does not fit the name")
        costs.append(Cost(name, int(value), unit, rank, source))
    if not costs:
        raise TableError(f"{path}:1: no rows")
    return costs


def banner(*paths):
    return ("/* SPDX-License-Identifier: Apache-2.0 */\n"
            f"/* Generated from {' and '.join('isa/' + os.path.basename(p) for p in paths)} by isa/gen/gen.py. */\n")


def comment(text):
    return text.replace("*/", "* /")


def wrapped(prefix, words, width=110):
    lines, line = [], prefix
    for word in words:
        if len(line) + len(word) + 1 > width:
            lines.append(line.rstrip())
            line = prefix
        line += word + " "
    return "\n".join(lines + [line.rstrip()])


def ops_header(isa_path, instructions):
    ops = "".join(f"    {i.enum},\n" for i in instructions)
    formats = wrapped("    ", [f"RV_FMT_{f}," for f in FORMATS])
    classes = wrapped("    ", [f"RV_CLASS_{c.upper()}," for c in CLASSES])
    return f"""{banner(isa_path)}\
#ifndef RV32_OPS_H
#define RV32_OPS_H

#include <stdint.h>

typedef enum rv_op {{
    RV_ILLEGAL = 0,
{ops}    RV_OP_COUNT
}} rv_op;

/* Where the operands are.  UNARY is R without rs2. */
typedef enum rv_format {{
{formats}
    RV_FMT_COUNT
}} rv_format;

typedef enum rv_class {{
{classes}
    RV_CLASS_COUNT
}} rv_class;

/* RV_ILLEGAL if no row matches.  Does not look at the cores column. */
rv_op rv_identify(uint32_t instruction);
/* As the assembler spells it; "illegal" for RV_ILLEGAL; never NULL. */
const char *rv_op_name(rv_op op);
/* RV_FMT_NONE for RV_ILLEGAL. */
rv_format rv_op_format(rv_op op);
/* RV_CLASS_SYSTEM for RV_ILLEGAL. */
rv_class rv_op_class(rv_op op);
/* Bit 1 << kerr_core for each core that has it; 0 for RV_ILLEGAL. */
uint32_t rv_op_cores(rv_op op);
/* The fixed bits, of the first pattern where a row has several; 0 for RV_ILLEGAL. */
uint32_t rv_op_match(rv_op op);
uint32_t rv_op_mask(rv_op op);

#endif /* RV32_OPS_H */
"""


def tests_by_mask(pairs, known, indent):
    """Switches over the fixed bits beyond the known ones, the most specific first, so that special cases win."""
    text = ""
    for mask in sorted({p.mask for p, _ in pairs}, key=lambda m: (-bin(m).count("1"), m)):
        group = sorted(((p, i) for p, i in pairs if p.mask == mask), key=lambda pair: pair[0].match)
        if mask & ~known == 0:
            return text + f"{indent}return {group[0][1].enum};\n"
        text += f"{indent}switch (instruction & 0x{mask:08x}u) {{\n"
        text += "".join(f"{indent}case 0x{p.match:08x}u: return {i.enum};\n" for p, i in group)
        text += f"{indent}default: break;\n{indent}}}\n"
    return text + f"{indent}break;\n"


def identify(instructions):
    """The body of rv_identify: opcode, then funct3 where every row fixes it, then the other fixed bits."""
    pairs = [(p, i) for i in instructions for p in i.patterns]
    fixed = [(p, i) for p, i in pairs if p.mask & OPCODE == OPCODE]
    loose = [(p, i) for p, i in pairs if p.mask & OPCODE != OPCODE]
    text = f"    switch (instruction & 0x{OPCODE:02x}u) {{\n"
    for opcode in sorted({p.match & OPCODE for p, _ in fixed}):
        group = [(p, i) for p, i in fixed if p.match & OPCODE == opcode]
        text += f"    case 0x{opcode:02x}u:\n"
        if all(p.mask & FUNCT3 == FUNCT3 for p, _ in group):
            text += "        switch (instruction >> 12 & 7) {\n"
            for funct3 in sorted({p.match & FUNCT3 for p, _ in group}):
                text += f"        case {funct3 >> 12}:\n"
                text += tests_by_mask([(p, i) for p, i in group if p.match & FUNCT3 == funct3],
                                      OPCODE | FUNCT3, " " * 12)
            text += "        default: break;\n        }\n        break;\n"
        else:
            text += tests_by_mask(group, OPCODE, " " * 8)
    text += "    default: break;\n    }\n"
    if loose:
        text += tests_by_mask(loose, 0, " " * 4).removesuffix("    break;\n")
    return text + "    return RV_ILLEGAL;\n"


def ops_source(isa_path, instructions):
    info = "".join(
        f"    [{i.enum}] = {{0x{i.patterns[0].match:08x}u, 0x{i.patterns[0].mask:08x}u, RV_FMT_{i.format}, "
        f"RV_CLASS_{i.kind.upper()}, 0x{CORES[i.cores]:02x}, \"{i.name}\"}},\n" for i in instructions)
    return f"""{banner(isa_path)}\
#include "rv32_ops.h"

typedef struct op_info {{
    uint32_t match, mask;
    uint8_t format, kind, cores;
    char name[16];
}} op_info;

static const op_info ops[RV_OP_COUNT] = {{
    [RV_ILLEGAL] = {{0, 0, RV_FMT_NONE, RV_CLASS_SYSTEM, 0, "illegal"}},
{info}}};

static const op_info *info(rv_op op)
{{
    return &ops[(unsigned)op < RV_OP_COUNT ? op : RV_ILLEGAL];
}}

rv_op rv_identify(uint32_t instruction)
{{
{identify(instructions)}}}

const char *rv_op_name(rv_op op)
{{
    return info(op)->name;
}}

rv_format rv_op_format(rv_op op)
{{
    return (rv_format)info(op)->format;
}}

rv_class rv_op_class(rv_op op)
{{
    return (rv_class)info(op)->kind;
}}

uint32_t rv_op_cores(rv_op op)
{{
    return info(op)->cores;
}}

uint32_t rv_op_match(rv_op op)
{{
    return info(op)->match;
}}

uint32_t rv_op_mask(rv_op op)
{{
    return info(op)->mask;
}}
"""


def costs_header(costs_path, costs):
    body = "".join(f"    COST_{c.name} = {c.value}, /* {c.unit}; {c.rank}: {comment(c.source)} */\n" for c in costs)
    return f"""{banner(costs_path)}\
#ifndef COSTS_H
#define COSTS_H

/* Cycles unless the comment says otherwise; names in _16 count sixteenths of a cycle. */
enum {{
{body}}};

#endif /* COSTS_H */
"""


def write_if_changed(path, text):
    """Leaves the time stamp of an unchanged file alone, so that make rebuilds less."""
    try:
        with open(path, encoding="utf-8") as old:
            if old.read() == text:
                return
    except OSError:
        pass
    with open(path, "w", encoding="utf-8") as new:
        new.write(text)


def main(arguments):
    if len(arguments) != 4:
        print("usage: gen.py ISA COSTS OUTPUT_DIRECTORY", file=sys.stderr)
        return 2
    _, isa_path, costs_path, output = arguments
    try:
        instructions = read_isa(isa_path)
        costs = read_costs(costs_path)
    except (TableError, OSError) as error:
        print(f"gen.py: {error}", file=sys.stderr)
        return 1
    os.makedirs(output, exist_ok=True)
    write_if_changed(os.path.join(output, "rv32_ops.h"), ops_header(isa_path, instructions))
    write_if_changed(os.path.join(output, "rv32_ops.c"), ops_source(isa_path, instructions))
    write_if_changed(os.path.join(output, "costs.h"), costs_header(costs_path, costs))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

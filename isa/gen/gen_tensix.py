#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates decoder, field structs and dispatch of the Tensix coprocessor from isa/tensix.isa.

    gen_tensix.py TABLE OUTPUT_DIRECTORY [PAGE]

Writes tensix_isa.h, tensix_isa.c, tensix_units.h and tensix_dispatch.inc and, if named, the reference page.  A table
that does not make sense is refused: the message names file and line, the exit status is 1 and nothing is written.
What is refused is pinned by isa/gen/tests/tensix_test.py.
"""

import functools
import operator
import os
import re
import sys

UNITS = ("sync", "scalar", "config", "mover", "misc", "unpack", "matrix", "vector", "pack", "frontend")
UNIT_TITLES = {"sync": "Sync Unit", "scalar": "Scalar Unit (ThCon)", "config": "Configuration Unit", "mover": "Mover",
               "misc": "Miscellaneous Unit", "unpack": "Unpackers", "matrix": "Matrix Unit (FPU)",
               "vector": "Vector Unit (SFPU)", "pack": "Packer", "frontend": "Front end"}
STATES = ("built", "later", "unknown")
FAULT_KINDS = ("UNDEFINED", "UNPREDICTABLE", "UNKNOWN", "UNIMPLEMENTED", "HAZARD")
BLOCK_BITS = 9
TOP_FIELD_BIT = 23
RESERVED = "reserved"
NAME_BYTES = 16
FIELD_BYTES = 24
PAGE_BYTES = 32
# Words that a field of a C struct cannot have.
C_WORDS = frozenset("auto break case char const continue default do double else enum extern float for goto if inline int "
                    "long register restrict return short signed sizeof static struct switch typedef union unsigned void "
                    "volatile while word".split())


class TableError(Exception):
    """A row that makes no sense; the text opens with file:line."""


class Field:
    def __init__(self, name, hi, lo, signed):
        self.name, self.hi, self.lo, self.signed = name, hi, lo, signed

    @property
    def width(self):
        return self.hi - self.lo + 1

    @property
    def mask(self):
        return ((1 << self.width) - 1) << self.lo

    def text(self):
        bits = str(self.hi) if self.hi == self.lo else f"{self.hi}:{self.lo}"
        return f"{self.name} {bits}{' signed' if self.signed else ''}"


class Form:
    """Other names for some bits, under one value of one field."""

    def __init__(self, selector, value, fields):
        self.selector, self.value, self.fields = selector, value, fields


class Meaning:
    """What some values of a field do: numbers, a pattern of bits (0b1xx0), bits that are set, or all others."""

    def __init__(self, field, which, name, text, source):
        self.field, self.which, self.name, self.text, self.source = field, which, name, text, source
        self.values = self.bits = frozenset()  # one of the two
        self.known = 0  # bits that a pattern looks at

    @property
    def is_pattern(self):
        return self.which.startswith("0b")

    def clashes(self, other):
        """Patterns may overlap: each says a part."""
        overlap = self.bits & other.bits or (self.values & other.values and not self.is_pattern and not other.is_pattern)
        return self.which == other.which or bool(overlap)


class Instruction:
    def __init__(self, where, opcode, name, unit, state, blocks, issue, latency, source):
        self.where, self.opcode, self.name, self.unit, self.state = where, opcode, name, unit, state
        self.blocks, self.issue, self.latency, self.source = blocks, issue, latency, source
        self.fields, self.forms, self.notes = [], [], []
        self.meanings = []  # as written
        self.same = []      # (where, field, name of the instruction that has its meanings)

    def named(self):
        """Base fields with a name, bit 23 first."""
        return [f for f in self.fields if f.name != RESERVED]

    def form_fields(self, form):
        """All fields of a form, bit 23 first: its own names and the base's where it has none."""
        taken = 0
        for field in form.fields:
            taken |= field.mask
        return sorted([f for f in self.fields if not f.mask & taken] + form.fields, key=lambda f: -f.hi)

    def all_named(self):
        """Every field that has a name in some form, base first."""
        own = [f for form in self.forms for f in form.fields if f.name != RESERVED]
        return self.named() + own

    def meanings_of(self, field):
        return [m for m in self.meanings if m.field is field]

    def page(self):
        """The manual's page, as a reader would look for it; empty where there is none."""
        match = re.match(r"manual ([^;]+)", self.source)
        return match[1] if match else ""


def number(where, name, text, what, limit):
    if text == "?":
        return 0
    if not re.fullmatch(r"[0-9]+", text) or not 1 <= int(text) <= limit:
        raise TableError(f"{where}: {name}: {what} '{text}' is neither ? nor a number from 1 to {limit}")
    return int(text)


def block_mask(where, name, text):
    """The mask, or None where no document says."""
    if text == "?":
        return None
    if text == "none":
        return 0
    if text == "all":
        return (1 << BLOCK_BITS) - 1
    mask = 0
    for bit in text.split("+"):
        if not re.fullmatch(r"B[0-8]", bit):
            raise TableError(f"{where}: {name}: '{bit}' is not a block bit (B0 to B{BLOCK_BITS - 1}, all, none, ?)")
        mask |= 1 << int(bit[1:])
    return mask


def parse_fields(where, name, text):
    """Fields of one list, as written."""
    fields = []
    for item in text.split(","):
        match = re.fullmatch(r"([A-Za-z]\w*) (\d+)(?::(\d+))?( signed)?", item.strip())
        if not match:
            raise TableError(f"{where}: {name}: '{item.strip()}' is not a field (NAME HI:LO)")
        hi = int(match[2])
        lo = int(match[3]) if match[3] else hi
        field = Field(match[1], hi, lo, bool(match[4]))
        if hi < lo:
            raise TableError(f"{where}: {name}: {field.name} {hi}:{lo} stands backward")
        if hi > TOP_FIELD_BIT:
            raise TableError(f"{where}: {name}: {field.name} {hi}:{lo} goes past bit {TOP_FIELD_BIT}")
        if field.name in C_WORDS:
            raise TableError(f"{where}: {name}: '{field.name}' cannot be the name of a field")
        if len(field.name) >= FIELD_BYTES:
            raise TableError(f"{where}: {name}: {field.name}: longer than {FIELD_BYTES - 1} characters")
        fields.append(field)
    return fields


def check_cover(where, name, fields, wanted):
    """Every bit of wanted has just one name."""
    used = 0
    for field in fields:
        for other in fields:
            if other is not field and other.mask & field.mask:
                raise TableError(f"{where}: {name}: {field.text()} overlaps {other.text()}")
        used |= field.mask
    for bit in range(TOP_FIELD_BIT, -1, -1):
        if wanted >> bit & 1 and not used >> bit & 1:
            raise TableError(f"{where}: {name}: bit {bit} has no name")
    for earlier, later in zip(fields, fields[1:]):
        if earlier.lo < later.hi:
            raise TableError(f"{where}: {name}: {later.text()} does not follow {earlier.text()} downward")


def check_names(where, name, fields, others=()):
    seen = {f.name for f in others}
    for field in fields:
        if field.name == RESERVED:
            continue
        if field.name in seen:
            raise TableError(f"{where}: {name}: duplicate field {field.name}")
        seen.add(field.name)


def parse_form(where, instruction, text):
    match = re.fullmatch(r"(\w+)=(\d+)\s{2,}(.+)", text)
    if not match:
        raise TableError(f"{where}: {instruction.name}: expected FIELD=VALUE and fields after '|'")
    selector = next((f for f in instruction.named() if f.name == match[1]), None)
    if selector is None:
        raise TableError(f"{where}: {instruction.name}: form of {match[1]}, which is not a field of the row")
    value = int(match[2])
    if value >= 1 << selector.width:
        raise TableError(f"{where}: {instruction.name}: {selector.name}={value} does not fit into {selector.width} bits")
    if any(form.selector is not selector or form.value == value for form in instruction.forms):
        raise TableError(f"{where}: {instruction.name}: a second form for {selector.name}={value}")
    fields = parse_fields(where, instruction.name, match[3])
    own = 0
    for field in fields:
        own |= field.mask
    replaced = 0
    for field in instruction.fields:
        if field.mask & own:
            replaced |= field.mask
    if replaced & selector.mask:
        raise TableError(f"{where}: {instruction.name}: the form gives the bits of {selector.name} another name")
    check_cover(where, instruction.name, fields, replaced)
    check_names(where, instruction.name, fields, instruction.all_named())
    return Form(selector, value, fields)


def numbers(where, what, text, limit, outside):
    """'0,2,9-15' as a set."""
    found = set()
    for item in text.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", item)
        if not match:
            raise TableError(f"{where}: {what}: '{text}' is neither numbers, a pattern (0b1x), bits ('bit 3') nor '*'")
        first, last = int(match[1]), int(match[2] or match[1])
        if first > last:
            raise TableError(f"{where}: {what}: {item} stands backward")
        if last >= limit:
            raise TableError(f"{where}: {what}: {last} {outside}")
        found.update(range(first, last + 1))
    return frozenset(found)


def read_values(where, what, made):
    """Fills in values or bits; those of '*' come when all lines are known."""
    width = made.field.width
    bits = re.fullmatch(r"bits? (.+)", made.which)
    if made.is_pattern:
        pattern = made.which[2:]
        if not re.fullmatch(r"[01x]+", pattern) or len(pattern) != width:
            raise TableError(f"{where}: {what}: '{made.which}' is not a pattern of {width} bits (0, 1, x)")
        ones = int(pattern.replace("x", "0"), 2)
        made.known = int(pattern.replace("0", "1").replace("x", "0"), 2)
        made.values = frozenset(v for v in range(1 << width) if v & made.known == ones)
    elif bits:
        made.bits = numbers(where, what, bits[1], width, f"is not one of {width} bits")
    elif made.which != "*":
        made.values = numbers(where, what, made.which, 1 << width, f"does not fit into {width} bits")


def meant_field(where, instruction, name):
    field = next((f for f in instruction.all_named() if f.name == name), None)
    if field is None:
        raise TableError(f"{where}: {instruction.name}: meaning of {name}, which is not a field of the row")
    return field


def parse_meaning(where, instruction, text):
    name = instruction.name
    cells = re.split(r"\s{2,}", text)
    same = re.fullmatch(r"as ([A-Z][A-Z0-9_]*)", cells[1]) if len(cells) == 2 else None
    if same:
        for item in cells[0].split(", "):
            instruction.same.append((where, meant_field(where, instruction, item), same[1]))
        return
    head = cells[0].split(" ", 1)
    if len(cells) not in (3, 4) or len(head) != 2:
        raise TableError(f"{where}: {name}: expected FIELD VALUES, name, meaning and perhaps a source after '=', or FIELDS "
                         "and 'as' another instruction")
    field = meant_field(where, instruction, head[0])
    if not re.fullmatch(r"[A-Z0-9][A-Z0-9_]*|-", cells[1]):
        raise TableError(f"{where}: {name}: '{cells[1]}' is not the name of a value (or -)")
    fault = re.match(r"fault (\w*)", cells[2])
    if fault and fault[1] not in FAULT_KINDS:
        raise TableError(f"{where}: {name}: unknown kind of fault '{fault[1]}'")
    made = Meaning(field, head[1], "" if cells[1] == "-" else cells[1], cells[2], cells[3] if len(cells) == 4 else "")
    read_values(where, f"{name}: {field.name}", made)
    for other in instruction.meanings_of(field):
        if made.name and made.name == other.name:
            raise TableError(f"{where}: {name}: {field.name}: a second {made.name}")
        if made.clashes(other):
            raise TableError(f"{where}: {name}: {field.name} {made.which}: a second meaning, beside {other.which}")
    instruction.meanings.append(made)


def check_patterns(what, width, own):
    """Patterns that speak of the same bits belong together, and one of them fits whatever the bits are."""
    groups = []  # (bits, patterns)
    for m in (m for m in own if m.is_pattern):
        bits, patterns = m.known, [m]
        for group in [g for g in groups if g[0] & bits]:
            groups.remove(group)
            bits, patterns = bits | group[0], group[1] + patterns
        groups.append((bits, patterns))
    told = frozenset().union(*(m.bits for m in own))
    for bits, patterns in groups:
        fit = frozenset().union(*(m.values for m in patterns))
        missing = next((v for v in range(1 << width) if v not in fit), None)
        if missing is not None:
            raise TableError(f"{what}: no pattern of those with {patterns[0].which} fits {missing}")
        told |= frozenset(bit for bit in range(width) if bits >> bit & 1)
    for bit in range(width):
        if bit not in told:
            raise TableError(f"{what}: bit {bit} has no meaning")


def check_meanings(instruction):
    """Every value of a field that has meanings has one; of a field of one bit 1 is enough."""
    for field in instruction.all_named():
        own = instruction.meanings_of(field)
        if not own:
            continue
        what = f"{instruction.where}: {instruction.name}: {field.name}"
        told = frozenset().union(*(m.values for m in own))
        left = frozenset(range(1 << field.width)) - told
        rest = next((m for m in own if m.which == "*"), None)
        if any(m.is_pattern for m in own) and any(not m.is_pattern and not m.bits for m in own):
            raise TableError(f"{what}: numbers and patterns")
        if rest:
            if not left:
                raise TableError(f"{what}: no values are left for '*'")
            rest.values = left
        elif any(m.is_pattern or m.bits for m in own):
            check_patterns(what, field.width, own)
        elif left and not (field.width == 1 and 1 in told):
            raise TableError(f"{what}: {min(left)} has no meaning")


def check_same(instructions):
    """An instruction that others name has the meanings itself, for a field of the same width."""
    by_name = {i.name: i for i in instructions}
    for instruction in instructions:
        for where, field, name in instruction.same:
            what = f"{where}: {instruction.name}: {field.name} as {name}"
            if instruction.meanings_of(field) or sum(f is field for _, f, _ in instruction.same) > 1:
                raise TableError(f"{what}: it has meanings already")
            if name not in by_name:
                raise TableError(f"{what}: there is no such instruction")
            its = next((f for f in by_name[name].all_named() if f.name == field.name), None)
            if its is None or not by_name[name].meanings_of(its):
                raise TableError(f"{what}: which has no meanings of its own for it")
            if its.width != field.width:
                raise TableError(f"{what}: {field.width} bits here, {its.width} there")


def finish(instruction, texts):
    """Reads the field lines of an instruction; texts is [(where, text)]."""
    if not texts:
        raise TableError(f"{instruction.where}: {instruction.name}: no fields")
    where = texts[0][0]
    joined = " ".join(text for _, text in texts)
    instruction.fields = parse_fields(where, instruction.name, joined)
    check_cover(where, instruction.name, instruction.fields, (1 << TOP_FIELD_BIT + 1) - 1)
    check_names(where, instruction.name, instruction.fields)


def read_row(where, line, instructions):
    cells = re.split(r"\s{2,}", line, maxsplit=7)
    if len(cells) == 7:
        raise TableError(f"{where}: {cells[1]}: missing source")
    if len(cells) != 8:
        raise TableError(f"{where}: expected 8 columns two blanks apart, found {len(cells)}")
    opcode, name, unit, state, blocks, issue, latency, source = cells
    if not re.fullmatch(r"0x[0-9a-f]{2}", opcode):
        raise TableError(f"{where}: '{opcode}' is not an opcode (0x and two digits)")
    if not re.fullmatch(r"[A-Z][A-Z0-9_]*", name):
        raise TableError(f"{where}: '{name}' is not an instruction name")
    if len(name) >= NAME_BYTES:
        raise TableError(f"{where}: {name}: longer than {NAME_BYTES - 1} characters")
    if name in ("ILLEGAL", "OP_COUNT"):
        raise TableError(f"{where}: {name}: the name is taken")
    if unit not in UNITS:
        raise TableError(f"{where}: {name}: unknown unit '{unit}'")
    if state not in STATES:
        raise TableError(f"{where}: {name}: unknown state '{state}'")
    for other in instructions:
        if other.opcode == int(opcode, 16):
            raise TableError(f"{where}: {name}: opcode {opcode} is {other.name}'s ({other.where})")
        if other.name == name:
            raise TableError(f"{where}: {name}: duplicate name, first in {other.where}")
    made = Instruction(where, int(opcode, 16), name, unit, state, block_mask(where, name, blocks),
                       number(where, name, issue, "issue", 255), number(where, name, latency, "latency", 255), source)
    if len(made.page()) >= PAGE_BYTES:
        raise TableError(f"{where}: {name}: page '{made.page()}' is longer than {PAGE_BYTES - 1} characters")
    return made


def read_table(path):
    """The instructions in order of their opcodes."""
    instructions, texts = [], None  # texts: the field lines of the last row, until they end
    with open(path, encoding="utf-8") as table:
        lines = [(f"{path}:{n}", line.rstrip()) for n, line in enumerate(table, 1)]
    for where, line in lines + [("", "")]:
        kind = line[:1]
        if kind != " " and texts is not None:
            finish(instructions[-1], texts)
            texts = None
        if not line or kind == "#":
            continue
        if kind in " |!=" and not instructions:
            raise TableError(f"{where}: '{line.strip()}' without a row above")
        if kind == " ":
            if texts is None:
                raise TableError(f"{where}: {instructions[-1].name}: fields stand apart from their row")
            texts.append((where, line.strip()))
        elif kind == "|":
            instructions[-1].forms.append(parse_form(where, instructions[-1], line[1:].strip()))
        elif kind == "=":
            parse_meaning(where, instructions[-1], line[1:].strip())
        elif kind == "!":
            instructions[-1].notes.append(line[1:].strip())
        else:
            instructions.append(read_row(where, line, instructions))
            texts = []
    if not instructions:
        raise TableError(f"{path}:1: no rows")
    for instruction in instructions:
        check_meanings(instruction)
    check_same(instructions)
    return sorted(instructions, key=lambda i: i.opcode)


def banner(path):
    return ("/* SPDX-License-Identifier: Apache-2.0 */\n"
            f"/* Generated from isa/{os.path.basename(path)} by isa/gen/gen_tensix.py. */\n")


def extract(field):
    """The C expression for a field of `word`."""
    if field.signed:
        top = 31 - field.hi
        return f"(int32_t)(word << {top}) >> {32 - field.width}"
    mask = (1 << field.width) - 1
    return f"word >> {field.lo} & 0x{mask:x}u" if field.lo else f"word & 0x{mask:x}u"


def struct_text(instruction):
    fields = instruction.all_named()
    lines = [f"/* {instruction.source}. */", f"struct op_{instruction.name} {{"]
    if not fields:
        lines.append("    uint32_t word; /* no fields */")
    for field in instruction.named():
        lines.append(f"    {'int32_t' if field.signed else 'uint32_t'} {field.name}; /* {field.text()[len(field.name) + 1:]} */")
    for form in instruction.forms:
        for field in form.fields:
            if field.name != RESERVED:
                lines.append(f"    {'int32_t' if field.signed else 'uint32_t'} {field.name}; "
                             f"/* {field.text()[len(field.name) + 1:]}, if {form.selector.name} is {form.value} */")
    lines += ["};", f"static inline struct op_{instruction.name} decode_{instruction.name}(uint32_t word)", "{"]
    if fields:
        lines.append(f"    return (struct op_{instruction.name}){{")
        lines += [f"        .{field.name} = {extract(field)}," for field in fields]
        lines.append("    };")
    else:
        lines.append(f"    return (struct op_{instruction.name}){{.word = word}};")
    lines.append("}")
    return "\n".join(lines) + "\n"


def opcodes_header(path, instructions):
    """A header of its own: enumerators of tensix_isa.h have names of macros of tile_regs.h."""
    opcodes = ",\n".join(f"    OPCODE_{i.name} = 0x{i.opcode:02X}" for i in instructions)
    return f"""{banner(path)}\
#ifndef TENSIX_OPCODES_H
#define TENSIX_OPCODES_H

/* Bits 31:24 of the word. */
enum tensix_opcode {{
{opcodes}
}};

#endif
"""


def header(path, instructions):
    ops = "".join(f"    TENSIX_{i.name},\n" for i in instructions)
    units = "".join(f"    UNIT_{unit.upper()},\n" for unit in UNITS)
    structs = "\n".join(struct_text(i) for i in instructions)
    return f"""{banner(path)}\
#ifndef TENSIX_ISA_H
#define TENSIX_ISA_H

#include "tensix_opcodes.h"

#include <stdint.h>

/* In order of the opcodes. */
enum tensix_op {{
{ops}    TENSIX_OP_COUNT,
    TENSIX_ILLEGAL /* what tensix_op_of has for opcodes that do not exist */
}};

enum tensix_unit {{
{units}    UNIT_COUNT
}};

enum tensix_op_state {{
    TENSIX_OP_BUILT,
    TENSIX_OP_LATER,
    TENSIX_OP_UNKNOWN
}};

/* One name of some bits.  The value of a signed field is sign-extended. */
struct tensix_field {{
    char name[{FIELD_BYTES}];
    uint8_t hi, lo, is_signed, is_reserved;
}};

/* A form: the fields [first, first + count) of tensix_fields, bit 23 first, reserved ones included.  Form 0 of an
 * instruction holds when no other does; the others when the field [selector_hi:selector_lo] is selector_value. */
struct tensix_form {{
    uint16_t first;
    uint8_t count, selector_hi, selector_lo, selector_value;
}};

struct tensix_op_info {{
    char name[{NAME_BYTES}];
    char page[{PAGE_BYTES}]; /* of the manual; empty where there is none */
    uint16_t blocked_by;   /* block mask bits that hold it at the wait gate, B0 the lowest; 0 for what never gets there, for
                            * NOP (see tensix_blocks) and where no document says */
    uint16_t first_form;   /* in tensix_forms */
    uint8_t form_count;
    uint8_t opcode;
    uint8_t unit;          /* enum tensix_unit */
    uint8_t state;         /* enum tensix_op_state */
    uint8_t issue;         /* cycles of the unit; 0 = unknown or not a constant */
    uint8_t latency;       /* cycles to the result; 0 = unknown or not a constant */
}};

extern const uint8_t tensix_op_of[256]; /* opcode to enum tensix_op */
extern const struct tensix_op_info tensix_ops[TENSIX_OP_COUNT];
extern const struct tensix_form tensix_forms[];
extern const struct tensix_field tensix_fields[];
/* By opcode: bits that have no name in any form.  All of the word's lower 24 for opcodes that do not exist. */
extern const uint32_t tensix_reserved_bits[256];
/* By opcode: bits that are reserved in some form: only a word that has one of them can have reserved bits set. */
extern const uint32_t tensix_maybe_reserved[256];
extern const char tensix_unit_names[UNIT_COUNT][12];

/* The form of a word whose opcode exists. */
const struct tensix_form *tensix_form_of(const struct tensix_op_info *info, uint32_t word);
/* Those reserved bits of the word's form that are set; 0 if the opcode does not exist. */
uint32_t tensix_reserved_set(uint32_t word);

/* Does a latched block mask hold the instruction?  All nine bits hold everything, NOP too (manual STALLWAIT). */
static inline int tensix_blocks(uint32_t block_mask, const struct tensix_op_info *info)
{{
    return (block_mask & info->blocked_by) != 0 || block_mask == 0x{(1 << BLOCK_BITS) - 1:x}u;
}}

{structs}
#endif /* TENSIX_ISA_H */
"""


def source(path, instructions):
    fields, forms, infos = [], [], []
    for i in instructions:
        first_form = len(forms)
        for form in [None] + i.forms:
            own = i.fields if form is None else i.form_fields(form)
            selector = (form.selector.hi, form.selector.lo, form.value) if form else (0, 0, 0)
            forms.append(f"    {{{len(fields)}, {len(own)}, {selector[0]}, {selector[1]}, {selector[2]}}},\n")
            fields += [f"    {{\"{f.name}\", {f.hi}, {f.lo}, {int(f.signed)}, {int(f.name == RESERVED)}}},\n" for f in own]
        infos.append(f"    [TENSIX_{i.name}] = {{\"{i.name}\", \"{i.page()}\", 0x{i.blocks or 0:03x}, {first_form}, "
                     f"{1 + len(i.forms)}, 0x{i.opcode:02x}, UNIT_{i.unit.upper()}, TENSIX_OP_{i.state.upper()}, "
                     f"{i.issue}, {i.latency}}},\n")
    by_opcode = {i.opcode: i for i in instructions}
    op_of = "".join(f"    {'TENSIX_' + by_opcode[o].name if o in by_opcode else 'TENSIX_ILLEGAL'},\n" for o in range(256))
    maybe = "".join(f"    0x{maybe_reserved(by_opcode[o]) if o in by_opcode else 0:06x},\n" for o in range(256))
    reserved = "".join(f"    0x{common_reserved(by_opcode[o]) if o in by_opcode else 0xFFFFFF:06x},\n" for o in range(256))
    units = "".join(f"    \"{unit}\",\n" for unit in UNITS)
    return f"""{banner(path)}\
#include "tensix_isa.h"

#include <stddef.h>

const char tensix_unit_names[UNIT_COUNT][12] = {{
{units}}};

const struct tensix_field tensix_fields[] = {{
{''.join(fields)}}};

const struct tensix_form tensix_forms[] = {{
{''.join(forms)}}};

const struct tensix_op_info tensix_ops[TENSIX_OP_COUNT] = {{
{''.join(infos)}}};

const uint8_t tensix_op_of[256] = {{
{op_of}}};

const uint32_t tensix_reserved_bits[256] = {{
{reserved}}};

const uint32_t tensix_maybe_reserved[256] = {{
{maybe}}};

const struct tensix_form *tensix_form_of(const struct tensix_op_info *info, uint32_t word)
{{
    const struct tensix_form *forms = &tensix_forms[info->first_form];
    for (unsigned i = 1; i < info->form_count; i++) {{
        unsigned width = (unsigned)(forms[i].selector_hi - forms[i].selector_lo) + 1;
        if ((word >> forms[i].selector_lo & ((1u << width) - 1)) == forms[i].selector_value) {{
            return &forms[i];
        }}
    }}
    return &forms[0];
}}

uint32_t tensix_reserved_set(uint32_t word)
{{
    uint32_t set = 0;
    uint8_t op = tensix_op_of[word >> 24];
    if (op == TENSIX_ILLEGAL) {{
        return 0;
    }}
    const struct tensix_form *form = tensix_form_of(&tensix_ops[op], word);
    for (unsigned i = 0; i < form->count; i++) {{
        const struct tensix_field *field = &tensix_fields[form->first + i];
        if (field->is_reserved) {{
            unsigned width = (unsigned)(field->hi - field->lo) + 1;
            set |= word & (((1u << width) - 1) << field->lo);
        }}
    }}
    return set;
}}
"""


def reserved_in_forms(instruction):
    """For each form the mask of its reserved bits."""
    forms = [instruction.fields] + [instruction.form_fields(form) for form in instruction.forms]
    return [functools.reduce(operator.or_, (f.mask for f in fields if f.name == RESERVED), 0) for fields in forms]


def common_reserved(instruction):
    """Bits that are reserved in every form."""
    return functools.reduce(operator.and_, reserved_in_forms(instruction))


def maybe_reserved(instruction):
    """Bits that are reserved in some form."""
    return functools.reduce(operator.or_, reserved_in_forms(instruction))


def units_header(path, instructions):
    text = ""
    for unit in UNITS:
        built = [i for i in instructions if i.unit == unit and i.state == "built"]
        if built:
            text += f"\n/* {UNIT_TITLES[unit]} */\n"
            text += "".join(f"step_result {unit}_{i.name}(tensix_step *s, const struct op_{i.name} *op);\n" for i in built)
    return f"""{banner(path)}\
#ifndef TENSIX_UNITS_H
#define TENSIX_UNITS_H

#include "tensix/step.h"
#include "tensix_isa.h"
{text}
#endif /* TENSIX_UNITS_H */
"""


# Where the port is not that of the unit (issue.h says what a port is).
PORTS = {"ATGETM": "PORT_MUTEX", "ATRELM": "PORT_MUTEX", "WRCFG": "PORT_WRCFG", "STREAMWRCFG": "PORT_STREAMWRCFG",
         "SETC16": "PORT_NONE"}


def port_of(instruction):
    return PORTS.get(instruction.name, "PORT_NONE" if instruction.unit == "misc" else f"UNIT_{instruction.unit.upper()}")


def in_rows(instruction):
    """Whether the engine may do it in a row with others: not what holds its thread, nor what has a way of its own."""
    alone = ("UNPACR", "ATGETM", "ATRELM")
    return int(instruction.unit not in ("scalar", "frontend") and instruction.name not in alone)


def dispatch(path, instructions):
    text = ""
    for i in instructions:
        text += f"static step_result step_{i.name}(tensix_step *s)\n{{\n"
        if i.state == "built":
            text += f"    const struct op_{i.name} op = decode_{i.name}(s->word);\n"
            text += f"    return {i.unit}_{i.name}(s, &op);\n}}\n\n"
        else:
            call = "tensix_unimplemented" if i.state == "later" else "tensix_unknown"
            text += f"    return {call}(s, TENSIX_{i.name});\n}}\n\n"
    by_opcode = {i.opcode: i for i in instructions}
    table = ""
    for o in range(256):
        i = by_opcode.get(o)
        if i is None:
            table += "    {tensix_illegal, 0, 0, TENSIX_ILLEGAL, UNIT_FRONTEND, 1, 1, PORT_NONE, 0},\n"
        else:
            table += (f"    {{step_{i.name}, 0x{maybe_reserved(i):06x}, 0x{i.blocks or 0:03x}, TENSIX_{i.name}, "
                      f"UNIT_{i.unit.upper()}, {i.issue or 1}, {i.latency or i.issue or 1}, {port_of(i)}, {in_rows(i)}}},\n")
    return f"""{banner(path)}\
/* Included once, by the engine, which has PORT_*. */
#include "tensix_units.h"

{text}/* By opcode: what the engine needs for each instruction, in one place.  issue and latency: at least 1. */
static const struct tensix_dispatch {{
    step_result (*run)(tensix_step *s);
    uint32_t reserved;
    uint16_t blocked_by;
    uint8_t op, unit, issue, latency;
    uint8_t port, in_rows;
}} tensix_dispatch[256] = {{
{table}}};
"""


def page_row(instruction):
    blocks = "?" if instruction.blocks is None else \
        "+".join(f"B{bit}" for bit in range(BLOCK_BITS) if instruction.blocks >> bit & 1) or "none"
    if instruction.blocks == (1 << BLOCK_BITS) - 1:
        blocks = "all"
    text = f"### {instruction.name}\n\n"
    text += (f"Opcode `0x{instruction.opcode:02x}`, {instruction.state}, held by {blocks}, issue {instruction.issue or '?'}, "
             f"latency {instruction.latency or '?'}. Source: {instruction.source}.\n\n")
    fields = [f for f in instruction.fields]
    text += "| " + " | ".join(bits_text(f) for f in fields) + " |\n"
    text += "|" + "---|" * len(fields) + "\n"
    text += "| " + " | ".join(name_text(f) for f in fields) + " |\n\n"
    for form in instruction.forms:
        fields = instruction.form_fields(form)
        text += f"With `{form.selector.name}` = {form.value}:\n\n"
        text += "| " + " | ".join(bits_text(f) for f in fields) + " |\n"
        text += "|" + "---|" * len(fields) + "\n"
        text += "| " + " | ".join(name_text(f) for f in fields) + " |\n\n"
    text += meanings_table(instruction)
    if instruction.notes:
        text += " ".join(instruction.notes) + "\n\n"
    return text


def cell(text):
    return text.replace("|", "\\|")


def meanings_table(instruction):
    """Fields in the order of their bits, values as written."""
    text = ""
    if instruction.meanings:
        text += "| Field | Value | Name | Meaning | Source |\n|---|---|---|---|---|\n"
    for field in instruction.all_named():
        for m in instruction.meanings_of(field):
            which = m.which[2:] if m.is_pattern else m.which.replace("-", " to ").replace(",", ", ").replace("*", "others")
            text += (f"| `{field.name}` | {which} | {f'`{m.name}`' if m.name else ''} | {cell(m.text)} | "
                     f"{cell(m.source or instruction.page() or instruction.source)} |\n")
    text += "\n" if instruction.meanings else ""
    for name in dict.fromkeys(name for _, _, name in instruction.same):
        fields = ", ".join(f"`{f.name}`" for _, f, other in instruction.same if other == name)
        text += f"{fields}: as [{name}](#{name.lower()}) has it.\n\n"
    return text


def bits_text(field):
    return str(field.hi) if field.hi == field.lo else f"{field.hi}:{field.lo}"


def name_text(field):
    return "" if field.name == RESERVED else f"`{field.name}`" + (" signed" if field.signed else "")


def page(path, instructions):
    text = f"""# Instructions of the Tensix coprocessor

<!-- Generated from isa/{os.path.basename(path)} by `make docs`. -->

{len(instructions)} instructions. Bits 31:24 are the opcode; a column without a name is reserved and has to be zero. *built*: Kerr
executes it; *later*: a fault of kind UNIMPLEMENTED; *unknown*: it has an encoding and no document says what it does, a
fault of kind UNKNOWN. *Held by* are the bits of a STALLWAIT block mask that keep it at the wait gate. *Issue* and *latency*
are cycles. The manual is
[tt-isa-documentation](https://github.com/tenstorrent/tt-isa-documentation), `BlackholeA0` unless `WormholeB0` is named.

Where values of a field have a meaning of their own, a table says which, as Kerr executes them. *Value* is a number, a
pattern of the field's bits (`x` is either; every pattern that fits holds), a bit that is set, or all *others*. *Name* is
the manual's or `assembly.yaml`'s, without what they put before it. A *fault* stops the thread, unless the machine is told
to go on past faults of that kind.

"""
    for unit in ("frontend",) + UNITS[:-1]:
        own = [i for i in instructions if i.unit == unit]
        if own:
            text += f"## {UNIT_TITLES[unit]}\n\n" + "".join(page_row(i) for i in own)
    return text.rstrip() + "\n"


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
    if len(arguments) not in (3, 4):
        print("usage: gen_tensix.py TABLE OUTPUT_DIRECTORY [PAGE]", file=sys.stderr)
        return 2
    path, output = arguments[1:3]
    try:
        instructions = read_table(path)
    except (TableError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    os.makedirs(output, exist_ok=True)
    for name, make in (("tensix_opcodes.h", opcodes_header), ("tensix_isa.h", header), ("tensix_isa.c", source),
                       ("tensix_units.h", units_header), ("tensix_dispatch.inc", dispatch)):
        write_if_changed(os.path.join(output, name), make(path, instructions))
    if len(arguments) == 4:
        write_if_changed(arguments[3], page(path, instructions))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the fields of the backend configuration from isa/cfg.regs.

    gen_cfg.py TABLE HEADER NAMES [PAGE]

Writes the C header (positions), the C file with the names by position and, if named, the reference page.  A table that
does not make sense is refused: the message names file and line, the exit status is 1 and nothing is written.  What is
refused is pinned by isa/gen/tests/cfg_test.py.
"""

import itertools
import re
import sys

from table import Claims, TableError, attach, cells, lines, main, number, one_of, source_and_notes

WORD = 32  # bits from one word to the next; ThreadConfig has only the lower 16
# Width of a word, and the words there are.
SPACES = {"Config": (32, 0, 179), "Global": (32, 180, 223), "ThreadConfig": (16, 0, 67)}
USED = ("stored", "all", "sync", "scalar", "config", "mover", "misc", "unpack", "matrix", "vector", "pack", "riscv", "ttsync",
        "tag_search", "perf_counters")
READERS = ("unpack", "matrix", "vector", "pack", "mover")  # units that look at Config while they execute
LONGEST_NAME = 79
RANGE = re.compile(r"\{(\d+)\.\.(\d+):(\d+)([wb])\}")


class Section:
    def __init__(self, name, space, first, last, source):
        self.name, self.space, self.first, self.last, self.source = name, space, first, last, source
        self.width = SPACES[space][0]
        self.rows = []

    def bank(self):
        return "ThreadConfig" if self.space == "ThreadConfig" else "Config"


class Field:
    """One field, with numbers in the place of ranges."""

    def __init__(self, name, at, width):
        self.name, self.at, self.width = name, at, width

    def word(self):
        return self.at // WORD

    def shift(self):
        return self.at % WORD


class Row:
    def __init__(self, text, parent, fields, used, meaning, source):
        self.text, self.parent, self.fields, self.used, self.meaning, self.source = (
            text, parent, fields, used, meaning, source)
        self.aliases, self.notes = [], []


def read_section(where, line):
    name, space, first, last, source = cells(where, line, 5)
    one_of(f"{where}: {name}", "space", space, SPACES)
    _, least, most = SPACES[space]
    section = Section(name, space, number(where, first, "first word", least, most),
                      number(where, last, "last word", least, most), source)
    if section.last < section.first:
        raise TableError(f"{where}: {name}: section is empty")
    return section


def expand(where, text, at, width):
    """The fields that a name with ranges stands for."""
    if not re.fullmatch(r"[A-Z]\w*", RANGE.sub("0", text)):
        raise TableError(f"{where}: '{text}' is not a field name")
    ranges = []
    for first, last, step, unit in RANGE.findall(text):
        if int(last) <= int(first) or int(step) == 0:
            raise TableError(f"{where}: {text}: {first}..{last}:{step}{unit} is not a range")
        ranges.append([(i, (i - int(first)) * int(step) * (WORD if unit == "w" else 1))
                       for i in range(int(first), int(last) + 1)])
    fields = []
    for chosen in itertools.product(*ranges):
        numbers = iter(chosen)
        name = RANGE.sub(lambda _: str(next(numbers)[0]), text)
        if len(name) > LONGEST_NAME:
            raise TableError(f"{where}: {name}: longer than {LONGEST_NAME} characters")
        fields.append(Field(name, at + sum(offset for _, offset in chosen), width))
    return fields


def read_row(where, line, section):
    text, word, bits, used, meaning, source = cells(where, line, 6)
    match = re.fullmatch(r"(\d+)(?::(\d+))?", bits)
    if not match or int(match[1]) < int(match[2] or match[1]):
        raise TableError(f"{where}: {text}: '{bits}' is not a place (hi:lo or one bit)")
    high, low = int(match[1]), int(match[2] or match[1])
    for user in used.split("+"):
        one_of(f"{where}: {text}", "user", user, USED)
    parent, _, part = text.replace("..", "\0").rpartition(".")
    name = f"{parent}_{part}" if parent else part
    word = number(where, word, "word", section.first, section.last)
    fields = expand(where, name.replace("\0", ".."), word * WORD + low, high - low + 1)
    for field in fields:
        # A field of whole words goes on in the next ones, any other stays in its word.
        if field.shift() + field.width > section.width and (field.shift() or field.width % section.width):
            raise TableError(f"{where}: {field.name}: bits {field.shift() + field.width - 1}:{field.shift()} go past the "
                             f"{section.width}-bit word")
        if not section.first <= field.word() <= (field.at + field.width - 1) // WORD <= section.last:
            raise TableError(f"{where}: {field.name}: word {(field.at + field.width - 1) // WORD} lies outside section "
                             f"{section.name}")
    return Row(text, parent.replace("\0", ".."), fields, used, meaning, source)


def check_part(where, row, section):
    """A part lies inside the field it belongs to."""
    parents = next((other.fields for other in section.rows if other.text == row.parent), None)
    if parents is None:
        raise TableError(f"{where}: {row.text}: no field {row.parent} above it")
    for whole, part in zip(parents, row.fields):
        if part.at < whole.at or part.at + part.width > whole.at + whole.width:
            raise TableError(f"{where}: {part.name} lies outside {whole.name}")


def read_table(path):
    sections, claims = [], Claims()
    for where, line in lines(path):
        if line[0] == "@":
            section = read_section(where, line[1:].strip())
            claims.name(where, section.name)
            for other in sections:
                if section.bank() == other.bank() and section.first <= other.last and other.first <= section.last:
                    raise TableError(f"{where}: section {section.name} overlaps {other.name}")
            sections.append(section)
            continue
        if not sections:
            raise TableError(f"{where}: a field before the first section")
        section = sections[-1]
        if attach(where, line, section.rows, claims):
            continue
        row = read_row(where, line, section)
        if row.parent:
            check_part(where, row, section)
        for field in row.fields:
            claims.name(where, field.name)
            for bit in range(field.at, field.at + field.width):
                claims.place(where, field.name, (section.bank(), bool(row.parent), bit),
                             f"bit {bit % WORD} of word {bit // WORD}")
        section.rows.append(row)
    if not any(section.rows for section in sections):
        raise TableError(f"{path}: no fields")
    return sections


def all_fields(sections):
    for section in sections:
        for row in section.rows:
            for field in row.fields:
                yield section, row, field


def header(sections, _):
    out = ["/* Generated from isa/cfg.regs: do not edit. */", "#ifndef KERR_CFG_FIELDS_H", "#define KERR_CFG_FIELDS_H", "",
           "/* A field of one bank (or of one thread's ThreadConfig), bank being a pointer to its first word.  Sections with a",
           " * stride are reached by moving the pointer: CFG_FIELD(config + 48 * unpacker, THCON_SEC0_REG3_Base_address). */",
           "#define CFG_FIELD(bank, NAME) (((bank)[NAME##_ADDR32] & NAME##_MASK) >> NAME##_SHAMT)", "",
           "enum cfg_space { CFG_SPACE_CONFIG, CFG_SPACE_THREAD_CONFIG };", "",
           "/* Which field a bit of a word belongs to, its parts before the whole; null where there is none. */",
           "const char *cfg_field_name(enum cfg_space space, unsigned word, unsigned bit);",
           "/* The fields one after the other: its name, NULL behind the last.  *at is 32 * word + bit. */",
           "const char *cfg_field_at(unsigned index, enum cfg_space *space, unsigned *at, unsigned *width);", "",
           "/* Bits of a word of Config that a unit looks at, by the fields' column \"used\". */",
           f"enum cfg_reader {{ {', '.join('CFG_READER_' + reader.upper() for reader in READERS)}, CFG_READERS }};",
           "unsigned cfg_read_bits(enum cfg_reader reader, unsigned word);", ""]
    section = None
    for owner, _row, field in all_fields(sections):
        if owner is not section:
            section = owner
            out.extend([f"#define {section.name}_CFGREG_BASE_ADDR32 {section.first}", ""])
        out.append(f"#define {field.name}_ADDR32 {field.word()}")
        out.append(f"#define {field.name}_SHAMT {field.shift()}")
        if field.width <= WORD:  # C has no wider constant
            out.append(f"#define {field.name}_MASK 0x{((1 << field.width) - 1) << field.shift():x}u")
    out.extend(["", "#endif", ""])
    return "\n".join(out)


def read_bits(sections, reader):
    """Of each word of Config, the bits of fields that this unit uses."""
    bits = [0] * (SPACES["Global"][2] + 1)
    for section, row, field in all_fields(sections):
        if section.bank() == "Config" and reader in row.used.split("+"):
            for bit in range(field.at, field.at + field.width):
                bits[bit // WORD] |= 1 << bit % WORD
    return bits


def readers(sections):
    words = SPACES["Global"][2] + 1
    out = [f"static const uint32_t read_bits[CFG_READERS][{words}] = {{"]
    for reader in READERS:
        bits = [f"[{word}] = 0x{mask:x}" for word, mask in enumerate(read_bits(sections, reader)) if mask]
        out.extend([f"    [CFG_READER_{reader.upper()}] =", f"        {{{', '.join(bits) or '0'}}},"])
    return out + ["};", "", "unsigned cfg_read_bits(enum cfg_reader reader, unsigned word)", "{",
                  f"    return word < {words} ? read_bits[reader][word] : 0;", "}", ""]


def names(sections, _):
    """Rows in the order of the table, parts before all else, so that they are found before the field they are in."""
    rows = [(section.bank() == "ThreadConfig", field.at, field.width, field.name)
            for _whole, section, field in sorted(((not row.parent, section, field)
                                                  for section, row, field in all_fields(sections)), key=lambda f: f[0])]
    longest = max(len(row[3]) for row in rows) + 1
    out = ["/* Generated from isa/cfg.regs: do not edit. */", '#include "cfg_fields.h"', "", "#include <stddef.h>",
           "#include <stdint.h>", "", "struct cfg_field {", "    uint8_t space, width;", "    uint16_t at; /* 32 * word + bit */",
           f"    char name[{longest}];", "};", "", "static const struct cfg_field fields[] = {"]
    out.extend(f'    {{{int(space)}, {width}, {at}, "{name}"}},' for space, at, width, name in rows)
    out.extend(["};", "", "const char *cfg_field_name(enum cfg_space space, unsigned word, unsigned bit)", "{",
                "    if (bit >= 32)", "        return NULL;",
                "    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {",
                "        unsigned offset = word * 32 + bit - fields[i].at;",
                "        if (fields[i].space == (uint8_t)space && offset < fields[i].width)",
                "            return fields[i].name;", "    }", "    return NULL;", "}", "",
                "const char *cfg_field_at(unsigned index, enum cfg_space *space, unsigned *at, unsigned *width)", "{",
                "    if (index >= sizeof fields / sizeof *fields)", "        return NULL;",
                "    *space = (enum cfg_space)fields[index].space;", "    *at = fields[index].at;",
                "    *width = fields[index].width;", "    return fields[index].name;", "}", ""])
    out.extend(readers(sections))
    return "\n".join(out)


def place(row):
    field = row.fields[0]
    high = field.shift() + field.width - 1
    return f"{field.word()} | {high}:{field.shift()}" if field.width > 1 else f"{field.word()} | {high}"


def page(sections, _):
    count = sum(1 for _ in all_fields(sections))
    out = ["# Backend configuration", "",
           f"Generated from `isa/cfg.regs`: {count} fields. `Config` has two banks of 32-bit words, of which a thread uses the one "
           "that its `CFG_STATE_ID_StateID` names; words from 180 on (`Global`) are the same in both. `ThreadConfig` has 16 bits a "
           "word and one bank a thread. `{a..b:n}` stands for the numbers a to b, each n words (w) or bits (b) after the one "
           "before it; word and bits are those of the first. A field that is *stored* keeps what is written, and nothing is "
           "known to look at it. What a unit does with a field comes with the unit: see [status](status.md).", ""]
    for section in sections:
        out.extend([f"## {section.name}", "", f"`{section.space}` words {section.first} to {section.last}.", "",
                    "| field | word | bits | used by | meaning | source |", "|---|---|---|---|---|---|"])
        for row in section.rows:
            out.append(f"| {row.text} | {place(row)} | {row.used.replace('+', ', ')} | {row.meaning} | {source_and_notes(row)} |")
        out.append("")
    return "\n".join(out[:-1]) + "\n"


if __name__ == "__main__":
    sys.exit(main(__doc__, read_table, (header, names, page)))

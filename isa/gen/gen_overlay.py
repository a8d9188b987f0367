#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the registers of a NoC overlay stream from isa/overlay.regs.

    gen_overlay.py TABLE HEADER [PAGE]

Writes the C header and, if named, the reference page.  A table that does not make sense is refused: the message
names file and line, the exit status is 1 and nothing is written.  What is refused is pinned by
isa/gen/tests/overlay_test.py.
"""

import re
import sys

from table import Claims, TableError, attach, cells, lines, main, mask_of, number, one_of, source_and_notes

ACCESS = {"rw": "read, write", "ro": "read only", "wo": "write only", "rc": "reading changes it",
          "w1c": "ones clear bits"}
MODELS = ("stored", "overlay", "remote", "unknown")
STREAMS = {"all": 0x01, "zero": 0x02, "gather": 0x04, "mcast": 0x08, "dram": 0x10, "endpoint": 0x20}
INDICES = 512
FAULTS = {"remote": "fault: not modelled", "unknown": "fault: not described"}


class Register:
    def __init__(self, name, index, count, access, bits, reset, streams, model, source):
        self.name, self.index, self.count, self.access, self.bits = name, index, count, access, bits
        self.reset, self.streams, self.model, self.source = reset, streams, model, source
        self.aliases, self.notes = [], []

    def is_kept(self):
        return self.access == "rw" and self.model in ("stored", "overlay")


def read_register(where, line):
    text, index, access, bits, reset, streams, model, source = cells(where, line, 8)
    match = re.fullmatch(r"([A-Z][A-Z0-9_]*)(?:\[(\d+)\])?", text)
    if not match:
        raise TableError(f"{where}: '{text}' is not a register name")
    name, count = match[1], int(match[2] or 1)
    one_of(f"{where}: {name}", "access", access, ACCESS)
    one_of(f"{where}: {name}", "model", model, MODELS)
    mask_of(where, "streams", streams, STREAMS)
    register = Register(name, number(where, index, "index", 0, INDICES - 1), count, access,
                        number(where, bits, "width", 1, 32), number(where, reset, "reset value"),
                        streams, model, source)
    if count < 1 or register.index + count > INDICES:
        raise TableError(f"{where}: {name}: ends beyond register {INDICES - 1}")
    if register.reset >> register.bits:
        raise TableError(f"{where}: {name}: reset value {reset} does not fit into {bits} bits")
    return register


def read_table(path):
    registers, claims = [], Claims()
    for where, line in lines(path):
        if attach(where, line, registers, claims):
            continue
        register = read_register(where, line)
        claims.name(where, register.name)
        for index in range(register.index, register.index + register.count):
            claims.place(where, register.name, index, index)
        registers.append(register)
    if not registers:
        raise TableError(f"{path}: no registers")
    return registers


def header(registers, _):
    out = ["/* Generated from isa/overlay.regs: do not edit. */", "#ifndef KERR_OVERLAY_REGS_H",
           "#define KERR_OVERLAY_REGS_H", "", f"enum {{ OVERLAY_INDICES = {INDICES} }};", "", "/* Indices. */", "enum {"]
    for r in registers:
        out.extend(f"    {name}_REG_INDEX = {r.index}," for name in [r.name, *r.aliases])
    out.extend(["};", "", "/* Which streams have a register. */", "enum {"])
    out.extend(f"    OVERLAY_STREAMS_{name.upper()} = 0x{bit:02X}," for name, bit in STREAMS.items())
    slot = 0
    slots, rows = [], []
    for r in registers:
        rows.append(f"    X({r.name}, {r.index}, {r.count}, {r.access}, {r.bits}, 0x{r.reset:X}u, "
                    f"0x{mask_of('', 'streams', r.streams, STREAMS):02X}, {r.model}, {slot if r.is_kept() else -1}) \\")
        if r.is_kept():
            slots.extend(f"    SLOT_{name} = {slot}," for name in [r.name, *r.aliases])
            slot += r.count
    out.extend(["};", "", "/* Where the registers that keep a value are kept. */", "enum {", *slots,
                f"    OVERLAY_SLOTS = {slot},", "};", "",
                "/* X(name, index, count, access, bits, reset, streams, model, slot); slot -1: not kept. */",
                "#define OVERLAY_REGS(X) \\", *rows, "", "/* For each index its row + 1, 0 where there is none. */",
                "#define OVERLAY_ROW_OF_INDEX \\"])
    row_of = [0] * INDICES
    for i, r in enumerate(registers):
        row_of[r.index:r.index + r.count] = [i + 1] * r.count
    for at in range(0, INDICES, 32):
        out.append("    " + ", ".join(map(str, row_of[at:at + 32])) + ", \\")
    out.extend(["", "#endif", ""])
    return "\n".join(out)


def page(registers, _):
    out = ["# Registers of a NoC overlay stream", "",
           "Generated from `isa/overlay.regs`. Register r of stream s is at `0xFFB40000 + s * 0x1000 + r * 4`. What "
           "stands in no row answers to nobody: an access there is a fault. Streams that lack a register ignore writes "
           "and read as zero.", "",
           "| register | index | access | bits | reset | streams | model | source |",
           "|---|---|---|---|---|---|---|---|"]
    for r in registers:
        name = r.name + "".join(f"<br/>{alias}" for alias in r.aliases)
        index = str(r.index) + (f" to {r.index + r.count - 1}" if r.count > 1 else "")
        model = FAULTS.get(r.model) or ("stored" if r.model == "stored" else "`overlay.c`")
        out.append(f"| {name} | {index} | {ACCESS[r.access]} | {r.bits} | `0x{r.reset:X}` | "
                   f"{r.streams.replace('+', ', ')} | {model} | {source_and_notes(r)} |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main(__doc__, read_table, (header, page)))

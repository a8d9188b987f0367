#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates register addresses from isa/tile.regs (a Tensix tile), eth.regs and dram.regs (what other tiles have), or
noc.regs (one NIU: offsets from its base).

    gen_regs.py TABLE HEADER [PAGE]

Writes the C header and, if named, the reference page.  A table that does not make sense is refused: the message
names file and line, the exit status is 1 and nothing is written.  What is refused is pinned by
isa/gen/tests/regs_test.py.
"""

import re
import sys

from table import Claims, TableError, attach, cells, lines, main, mask_of, number, one_of, source_and_notes

ACCESS = {"rw": "read, write", "ro": "read only", "wo": "write only", "rc": "reading changes it",
          "rx": "reading may wait"}
MODELS = ("stored", "tdma_risc", "debug_regs", "perf_counters", "debug_interface", "pcbuf", "ttsync", "tensix_fifo", "tensix_config",
          "soft_reset", "watchdog", "wall_clock", "pic", "niu", "coords", "mailbox", "eth_regs", "dram_regs")
# Bits in the order of kerr_core, then the NoC.
CLIENTS = {"B": 0x01, "T0": 0x02, "T1": 0x04, "T2": 0x08, "T": 0x0E, "NC": 0x10, "NOC": 0x20, "all": 0x3F,
           "E0": 0x01, "E1": 0x02, "D": 0x01}
WORD = 4
TITLES = {"tile": "Registers of a Tensix tile",
          "noc": "Registers of a NoC interface unit",
          "eth": "Registers of an Ethernet tile",
          "dram": "Registers of a DRAM tile"}
SHARED = "Debug, NoC and overlay regions are those of [a Tensix tile](registers.md). "
INTRODUCTIONS = {"eth": SHARED, "dram": SHARED,
                 "noc": "Addresses are offsets from `NIU_BASE`, which is `0xFFB20000` for NoC 0 and `0xFFB30000` for NoC 1 in "
                        "Tensix and Ethernet tiles. "}


class Region:
    def __init__(self, name, macro, first, last, clients, clients_text, source):
        self.name, self.macro, self.first, self.last = name, macro, first, last
        self.clients, self.clients_text, self.source = clients, clients_text, source
        self.registers = []


class Register:
    def __init__(self, name, address, count, stride, access, reset, model, source):
        self.name, self.address, self.count, self.stride = name, address, count, stride
        self.access, self.reset, self.model, self.source = access, reset, model, source
        self.aliases, self.notes = [], []

    def addresses(self):
        return [self.address + i * self.stride for i in range(self.count)]


def read_region(where, line):
    name, macro, first, last, clients, source = cells(where, line, 6)
    region = Region(name, macro, number(where, first, "first address"), number(where, last, "last address"),
                    mask_of(where, "client", clients, CLIENTS), clients, source)
    if region.last < region.first or region.first % WORD or (region.last + 1) % WORD:
        raise TableError(f"{where}: {name}: region is empty or does not consist of whole words")
    return region


def read_register(where, line, region):
    text, address, access, reset, model, source = cells(where, line, 6)
    match = re.fullmatch(r"([A-Z][A-Za-z0-9_]*)(?:\[(\d+):(0x[0-9a-fA-F]+|\d+)\])?", text)
    if not match:
        raise TableError(f"{where}: '{text}' is not a register name")
    name, count, stride = match[1], int(match[2] or 1), int(match[3] or "4", 0)
    one_of(f"{where}: {name}", "access", access, ACCESS)
    one_of(f"{where}: {name}", "model", model, MODELS)
    register = Register(name, number(where, address, "address"), count, stride, access,
                        number(where, reset, "reset value"), model, source)
    for at in register.addresses():
        if at % WORD:
            raise TableError(f"{where}: {name}: 0x{at:08X} is not a word address")
        if not region.first <= at <= region.last:
            raise TableError(f"{where}: {name}: 0x{at:08X} lies outside region {region.name}")
    return register


def read_table(path):
    regions, claims = [], Claims()
    for where, line in lines(path):
        if line[0] == "@":
            region = read_region(where, line[1:].strip())
            for other in regions:
                if region.first <= other.last and other.first <= region.last:
                    raise TableError(f"{where}: region {region.name} overlaps {other.name}")
            claims.name(where, region.macro)
            regions.append(region)
            continue
        if not regions:
            raise TableError(f"{where}: a register before the first region")
        registers = regions[-1].registers
        if attach(where, line, registers, claims):
            continue
        register = read_register(where, line, regions[-1])
        claims.name(where, register.name)
        for at in register.addresses():
            claims.place(where, register.name, at, f"0x{at:08X}")
        registers.append(register)
    if not regions:
        raise TableError(f"{path}: no regions")
    return regions


def header(regions, stem):
    big = stem.upper()
    out = [f"/* Generated from isa/{stem}.regs: do not edit. */", f"#ifndef KERR_{big}_REGS_H",
           f"#define KERR_{big}_REGS_H", ""]
    for region in regions:
        out.append(f"#define {region.macro} 0x{region.first:08X}u")
        out.append(f"#define {region.macro}_LAST 0x{region.last:08X}u")
        for register in region.registers:
            if register.name != region.macro:
                out.append(f"#define {register.name} 0x{register.address:08X}u")
            out.extend(f"#define {alias} {register.name}" for alias in register.aliases)
        out.append("")
    out.append("/* X(name, first, last, clients): clients has a bit for each kerr_core and bit 5 for the NoC. */")
    out.append(f"#define {big}_REGIONS(X) \\")
    out.extend(f"    X({r.name}, 0x{r.first:08X}u, 0x{r.last:08X}u, 0x{r.clients:02X}u) \\" for r in regions)
    out.append("")
    out.append("/* X(\"name\", address, count, stride, access, reset, model) for each register of one region. */")
    for region in regions:
        out.append(f"#define {big}_REGS_{region.name.upper()}(X) \\")
        out.extend(f"    X(\"{r.name}\", 0x{r.address:08X}u, {r.count}, {r.stride}, {r.access}, 0x{r.reset:08X}u, {r.model}) \\"
                   for r in region.registers)
        out.append("")
    out.append(f"#define {big}_REGS(X) \\")
    out.extend(f"    {big}_REGS_{region.name.upper()}(X) \\" for region in regions)
    out.extend(["", "#endif", ""])
    return "\n".join(out)


def page(regions, stem):
    out = [f"# {TITLES.get(stem, stem)}", "",
           f"Generated from `isa/{stem}.regs`. {INTRODUCTIONS.get(stem, '')}What stands in no row answers to nobody: an access there is a fault.", "",
           "| region | first | last | who | source |", "|---|---|---|---|---|"]
    for r in regions:
        out.append(f"| [{r.macro}](#{r.macro.lower()}) | `0x{r.first:08X}` | `0x{r.last:08X}` | "
                   f"{r.clients_text.replace('+', ', ')} | {r.source} |")
    for region in regions:
        out.extend(["", f"## {region.macro}", ""])
        if not region.registers:
            out.append("The whole region is one thing; see its page.")
            continue
        out.extend(["| register | address | access | reset | model | source |", "|---|---|---|---|---|---|"])
        for r in region.registers:
            name = r.name + "".join(f"<br/>{alias}" for alias in r.aliases)
            address = f"`0x{r.address:08X}`" + (f" + i * {r.stride}, i < {r.count}" if r.count > 1 else "")
            model = "stored" if r.model == "stored" else f"`{r.model}.c`"
            out.append(f"| {name} | {address} | {ACCESS[r.access]} | `0x{r.reset:X}` | {model} | {source_and_notes(r)} |")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.exit(main(__doc__, read_table, (header, page)))

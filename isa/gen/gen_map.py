#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the sdk's memory map headers and linker scripts from isa/memory_map.tbl and isa/tile.regs.

    gen_map.py MEMORY_MAP TILE_REGS OUTPUT_DIRECTORY

Writes include/kerr_map.h, include/kerr_layout.h and ld/B.ld ... ld/NC.ld.  A table that does not make sense is
refused: the message names file and line, the exit status is 1 and nothing is written.  What is refused is
pinned by tests/sdk/map_test.py.
"""

import os
import re
import sys

import gen_regs

CORES = ("B", "T0", "T1", "T2", "NC")  # the order of kerr_core
SPACES = ("tile", "l1")
COLUMNS = 6
# What stays for the stack when .data and .bss are placed; an estimate that suits small kernels.
STACK_MIN_BYTES = 1024


TableError = gen_regs.TableError


class Region:
    """One row of the memory map."""

    def __init__(self, where, cells):
        self.where = where
        self.name, base, size, cores, self.space, self.source = cells
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", self.name):
            raise TableError(f"{where}: '{self.name}' is not a name (capitals, digits, underscores)")
        self.base, self.size = self.number("base", base), self.number("size", size)
        if self.size == 0:
            raise TableError(f"{where}: {self.name}: size is 0")
        if self.base + self.size > 1 << 32:
            raise TableError(f"{where}: {self.name}: goes past the 32-bit address space")
        if self.base % 4 or self.size % 4:
            raise TableError(f"{where}: {self.name}: base and size must be whole words")
        self.cores = CORES if cores == "all" else tuple(cores.split())
        for core in self.cores:
            if core not in CORES:
                raise TableError(f"{where}: {self.name}: no core '{core}' (all, or a list of {' '.join(CORES)})")
        if self.space not in SPACES:
            raise TableError(f"{where}: {self.name}: no space '{self.space}' ({' or '.join(SPACES)})")

    def number(self, what, text):
        try:
            return int(text, 0)
        except ValueError:
            raise TableError(f"{self.where}: {self.name}: {what} '{text}' is not a number") from None

    @property
    def end(self):
        return self.base + self.size

    @property
    def mask(self):
        return sum(1 << CORES.index(core) for core in self.cores)

    def overlaps(self, other):
        return self.base < other.end and other.base < self.end

    def inside(self, other):
        return other.base <= self.base and self.end <= other.end


def read_map(path, devices):
    """The regions of a memory map, checked against each other and against the devices of tile.regs."""
    regions = []
    with open(path, encoding="utf-8") as table:
        for number, line in enumerate(table, 1):
            line = line.rstrip()
            if not line or line[0] in "#!":
                continue
            where = f"{path}:{number}"
            cells = re.split(r"\s{2,}|\t+", line, maxsplit=COLUMNS - 1)
            if len(cells) != COLUMNS:
                raise TableError(f"{where}: expected {COLUMNS} columns two blanks apart, found {len(cells)}")
            regions.append(Region(where, cells))
    for i, region in enumerate(regions):
        for other in regions[:i]:
            shared = region.mask & other.mask
            if region.name == other.name and shared:
                raise TableError(f"{region.where}: {region.name}: already at {other.where} for the same core")
            # The address map differs from core to core; L1 is one memory for all of them.
            meet = region.space == "l1" or shared
            if region.space == other.space and meet and region.overlaps(other):
                raise TableError(f"{region.where}: {region.name} overlaps {other.name} ({other.where})")
        for device in devices:
            if region.space == "tile" and region.mask & device.clients and \
                    region.base <= device.last and device.first < region.end:
                raise TableError(f"{region.where}: {region.name} overlaps {device.macro} of the registers")
    for core in CORES:
        l1 = find(path, regions, "MEM_L1_BASE", core)
        find(path, regions, "MEM_LOCAL_BASE", core)
        find(path, regions, "KERR_CODE_BASE", core)
        for region in regions:
            if region.space == "l1" and core in region.cores and not region.inside(l1):
                raise TableError(f"{region.where}: {region.name} is not inside MEM_L1_BASE")
    return regions


def find(path, regions, name, core):
    """The region of that name that a core sees."""
    for region in regions:
        if region.name == name and core in region.cores:
            return region
    raise TableError(f"{path}: no {name} for {core}")


def guarded(mask, defines):
    """Lines that only the cores of the mask see."""
    everyone = (1 << len(CORES)) - 1
    if mask & everyone == everyone:
        return defines
    who = " ".join(core for i, core in enumerate(CORES) if mask >> i & 1)
    return [f"#if KERR_CORE_MASK & 0x{mask & everyone:02X} /* {who} */", *defines, "#endif"]


def header(regions, devices):
    """kerr_map.h: the names that the core being compiled for can use."""
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Made by isa/gen/gen_map.py from isa/memory_map.tbl and isa/tile.regs: do not edit.",
        " *",
        " * The memory map as the core KERR_CORE sees it (kerr-cc sets that macro).  What this core cannot reach",
        " * has no name here.  The numbers have no suffix: the assembler reads this file too.  Of an array of",
        " * registers, NAME is the first, and NAME_STRIDE is from one to the next. */",
        "#ifndef KERR_MAP_H",
        "#define KERR_MAP_H",
        "",
    ]
    lines += [f"#define KERR_CORE_{core} {i}" for i, core in enumerate(CORES)]
    lines += [
        f"#define KERR_CORE_COUNT {len(CORES)}",
        "#ifndef KERR_CORE",
        '#error "compile with kerr-cc, or define KERR_CORE as one of KERR_CORE_B ... KERR_CORE_NC"',
        "#endif",
        "#define KERR_CORE_MASK (1 << KERR_CORE)",
    ]
    for title, space in (("Memory", "tile"), ("The sdk's use of L1", "l1")):
        lines += ["", f"/* ---- {title} */"]
        for region in regions:
            if region.space == space:
                lines += guarded(region.mask, [f"#define {region.name} 0x{region.base:08X}",
                                               f"#define {region.name}_BYTES 0x{region.size:X}"])
    for device in devices:
        defines = [f"#define {device.macro} 0x{device.first:08X}",
                   f"#define {device.macro}_BYTES 0x{device.last + 1 - device.first:X}"]
        for register in device.registers:
            if register.name != device.macro:
                defines.append(f"#define {register.name} 0x{register.address:08X}")
            if register.count > 1:
                defines += [f"#define {register.name}_COUNT {register.count}",
                            f"#define {register.name}_STRIDE 0x{register.stride:X}"]
            defines += [f"#define {alias} {register.name}" for alias in register.aliases]
        lines += ["", f"/* ---- {device.source} */", *guarded(device.clients, defines)]
    lines += ["", "#endif /* KERR_MAP_H */", ""]
    return "\n".join(lines)


def layout(regions):
    """kerr_layout.h: the sdk's use of L1 for host programs, which see all cores at once."""
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        "/* Made by isa/gen/gen_map.py from isa/memory_map.tbl: do not edit.",
        " *",
        " * Where the sdk puts things in the L1 of a tile, for programs on the host. */",
        "#ifndef KERR_LAYOUT_H",
        "#define KERR_LAYOUT_H",
        "",
    ]
    for region in regions:
        if region.space == "l1":
            name = region.name if region.cores == CORES else f"{region.name}_{'_'.join(region.cores)}"
            lines += [f"#define {name} 0x{region.base:08X}u", f"#define {name}_BYTES 0x{region.size:X}u"]
    lines += ["", "#endif /* KERR_LAYOUT_H */", ""]
    return "\n".join(lines)


def linker_script(path, regions, core):
    """Code, constants and the initial values of .data in L1; .data, .bss and the stack in local data RAM."""
    code = find(path, regions, "KERR_CODE_BASE", core)
    local = find(path, regions, "MEM_LOCAL_BASE", core)
    return f"""/* SPDX-License-Identifier: Apache-2.0 */
/* RISCV {core}.  Made by isa/gen/gen_map.py from isa/memory_map.tbl: do not edit.
 *
 * The core starts at the first byte of CODE.  Local data RAM is zero then, so start-up code copies .data from
 * its place behind the code.  kerr-cc --at and --code-size move CODE (with another reset pc).
 *
 * Section names are those that tt-exalens' run-elf loads, which does not look at program headers: .init, where it
 * starts the core, .text, .ldm_data, and .loader_init, whose address is where the image of .ldm_data goes. */
OUTPUT_ARCH(riscv)
ENTRY(_start)

MEMORY
{{
    CODE (rwx) : ORIGIN = DEFINED(__kerr_code_base) ? __kerr_code_base : 0x{code.base:08X},
                 LENGTH = DEFINED(__kerr_code_size) ? __kerr_code_size : 0x{code.size:X}
    LOCAL (rw) : ORIGIN = 0x{local.base:08X}, LENGTH = 0x{local.size:X}
}}

PHDRS
{{
    code PT_LOAD;
    data PT_LOAD;
}}

SECTIONS
{{
    .init : {{
        KEEP(*(.text.start))
        . = ALIGN(4);
    }} > CODE :code
    .text : {{
        *(.text .text.*)
        . = ALIGN(4);
        *(.rodata .rodata.* .srodata .srodata.*)
        . = ALIGN(16);
        *(.kerr_l1 .kerr_l1.*)
        . = ALIGN(4);
    }} > CODE :code
    .loader_init : {{
        __kerr_data_load = .;
        . = .; /* keeps the section, which has no bytes of its own */
    }} > CODE :code
    .ldm_data : {{
        __kerr_data_start = .;
        *(.data .data.*)
        __global_pointer$ = . + 0x7F0;
        *(.sdata .sdata.*)
        . = ALIGN(4);
        __kerr_data_end = .;
    }} > LOCAL AT > CODE :data
    ASSERT(__kerr_data_load == LOADADDR(.ldm_data), "the image of .ldm_data is not where .loader_init says")
    .bss (NOLOAD) : {{
        __kerr_bss_start = .;
        *(.sbss .sbss.* .bss .bss.* COMMON)
        . = ALIGN(4);
        __kerr_bss_end = .;
    }} > LOCAL :NONE
    __kerr_stack_top = ORIGIN(LOCAL) + LENGTH(LOCAL);
    ASSERT(__kerr_stack_top - __kerr_bss_end >= {STACK_MIN_BYTES},
           "RISCV {core}: .data and .bss leave less than {STACK_MIN_BYTES} bytes of local data RAM for the stack")
    /DISCARD/ : {{
        *(.eh_frame .eh_frame_hdr .comment .note.*)
    }}
}}
"""


def main(arguments):
    if len(arguments) != 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    path, registers, out = arguments[1:]
    try:
        devices = gen_regs.read_table(registers)
        regions = read_map(path, devices)
        files = {"include/kerr_map.h": header(regions, devices), "include/kerr_layout.h": layout(regions)}
        files.update({f"ld/{core}.ld": linker_script(path, regions, core) for core in CORES})
    except (TableError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, text in files.items():
        target = os.path.join(out, name)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

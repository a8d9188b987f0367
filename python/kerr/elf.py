# SPDX-License-Identifier: Apache-2.0
"""Programs of baby cores: what of an ELF file goes where, as `kerr run` has it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import NamedTuple

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from ._lib import KerrError

LOCAL_RAM, LOCAL_RAM_END = 0xFFB00000, 0xFFB10000


class Program(NamedTuple):
    segments: list[tuple[int, bytes, int]]  #: address, bytes, size of what goes to L1
    local: list[tuple[int, bytes]]  #: what goes to local RAM once the core has left reset
    entry: int
    ends: list[tuple[int, int]]  #: address and size of code where a core may stay for good
    core: int | None  #: for which core it was linked, if it says so


def _symbols(elf: ELFFile, idle: tuple[str, ...], path: str | os.PathLike[str]) -> tuple[list[tuple[int, int]], int | None]:
    """What the names in a program say of its ends, and the core."""
    ends: list[tuple[int, int]] = []
    core: int | None = None
    missing = set(idle)
    table = elf.get_section_by_name(".symtab")
    for symbol in table.iter_symbols() if isinstance(table, SymbolTableSection) else ():
        name, value = symbol.name, int(symbol["st_value"])
        if symbol["st_shndx"] == "SHN_UNDEF":
            continue
        if name == "__kerr_core":
            core = value
        elif name.startswith(("__kerr_end", "__kerr_idle")) or name in idle:
            ends.append((value, int(symbol["st_size"]) or 4))
            missing.discard(name)
    if missing:
        raise KerrError(f"{path}: no symbol {', '.join(sorted(missing))}")
    return ends, core


def read(path: str | os.PathLike[str], idle: Iterable[str] = ()) -> Program:
    """KerrError, with the file's name, if it is no such program."""
    try:
        with open(path, "rb") as file:
            elf = ELFFile(file)
            if elf["e_machine"] != "EM_RISCV" or elf.elfclass != 32:
                raise KerrError(f"{path}: not a 32-bit RISC-V program")
            segments: list[tuple[int, bytes, int]] = []
            local: list[tuple[int, bytes]] = []
            for part in elf.iter_segments("PT_LOAD"):
                if part["p_memsz"] == 0:
                    continue
                data = part.data()
                if len(data) != part["p_filesz"]:
                    raise KerrError(f"{path}: cut short")
                if LOCAL_RAM <= part["p_paddr"] < LOCAL_RAM_END:
                    local.append((part["p_paddr"], data.ljust(part["p_memsz"], b"\0")))
                elif part["p_paddr"] != part["p_vaddr"]:  # start-up code moves it
                    segments.append((part["p_paddr"], data, len(data)))
                else:
                    segments.append((part["p_paddr"], data, part["p_memsz"]))
            return Program([s for s in segments if s[2] != 0], local, int(elf["e_entry"]), *_symbols(elf, tuple(idle), path))
    except (ELFError, OSError, ValueError) as error:
        raise KerrError(f"{path}: {error or 'not an ELF file'}") from None

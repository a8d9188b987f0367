# SPDX-License-Identifier: Apache-2.0
"""Programs of baby cores: what of an ELF file goes where, as `kerr run` has it, and where in the source a pc is."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ._lib import KerrError
from .lines import Lines, Place

LOCAL_RAM, LOCAL_RAM_END = 0xFFB00000, 0xFFB10000


@dataclass
class Program:
    segments: list[tuple[int, bytes, int]]  #: address, bytes, size of what goes to L1
    local: list[tuple[int, bytes]]  #: what goes to local RAM once the core has left reset
    entry: int
    ends: list[tuple[int, int]] = field(default_factory=list)  #: address and size of code where a core may stay for good
    core: int | None = None  #: for which core it was linked, if it says so
    linked: list[tuple[int, int, int]] = field(default_factory=list)  #: address in memory, where it was linked for, size
    name: str | None = None
    image: bytes = field(default=b"", repr=False)

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.image)

    def holds(self, pc: int) -> bool:
        return self._linked(pc) is not None

    def _linked(self, pc: int) -> int | None:
        for at, linked, size in self.linked:
            if linked <= pc < linked + size:
                return pc
            if at <= pc < at + size:
                return pc - at + linked
        return None

    def place(self, pc: int) -> Place | None:
        """Where in the source; None if the file does not know."""
        at = self._linked(pc)
        return self.lines.place(at, self.name) if at is not None else None

    def function(self, pc: int) -> str | None:
        """The name of the function, of one that was inlined that of the one around it."""
        at = self._linked(pc)
        return self.lines.function(at) if at is not None else None


def _elftools() -> Any:
    try:
        from elftools.elf import elffile
    except ImportError:
        raise KerrError("ELF files need the package pyelftools: pip install pyelftools (code as bytes needs nothing)") from None
    return elffile


def _symbols(elf: Any, idle: tuple[str, ...], path: str) -> tuple[list[tuple[int, int]], int | None]:
    """What the names in a program say of its ends, and the core."""
    ends: list[tuple[int, int]] = []
    core: int | None = None
    missing = set(idle)
    table = elf.get_section_by_name(".symtab")
    for symbol in table.iter_symbols() if hasattr(table, "iter_symbols") else ():
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


def _parse(image: bytes, idle: tuple[str, ...], path: str) -> Program:
    elf = _elftools().ELFFile(io.BytesIO(image))
    if elf["e_machine"] != "EM_RISCV" or elf.elfclass != 32:
        raise KerrError(f"{path}: not a 32-bit RISC-V program")
    program = Program([], [], int(elf["e_entry"]), name=path, image=image)
    for part in elf.iter_segments("PT_LOAD"):
        at, linked, size = int(part["p_paddr"]), int(part["p_vaddr"]), int(part["p_memsz"])
        if size == 0:
            continue
        data = part.data()
        if len(data) != part["p_filesz"]:
            raise KerrError(f"{path}: cut short")
        program.linked.append((at, linked, size))
        if LOCAL_RAM <= at < LOCAL_RAM_END:
            if at + size > LOCAL_RAM_END:
                raise KerrError(f"{path}: {size} bytes at 0x{at:x} are more than there is local RAM")
            program.local.append((at, data.ljust(size, b"\0")))
        elif at != linked:  # start-up code moves it
            program.segments.append((at, data, len(data)))
        else:
            program.segments.append((at, data, size))
    program.segments = [s for s in program.segments if s[2] != 0]
    program.ends, program.core = _symbols(elf, idle, path)
    return program


def read(path: str | os.PathLike[str], idle: Iterable[str] = ()) -> Program:
    """KerrError, with the file's name, if it is no such program; OSError, as FileNotFoundError, if it cannot be read."""
    with open(path, "rb") as file:
        image = file.read()
    try:
        return _parse(image, tuple(idle), os.fspath(path))
    except KerrError:
        raise
    except Exception as error:  # noqa: BLE001  what pyelftools raises of a broken file is not told in its words
        raise KerrError(f"{os.fspath(path)}: {error or 'not an ELF file'}") from None

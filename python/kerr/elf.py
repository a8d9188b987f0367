# SPDX-License-Identifier: Apache-2.0
"""Programs of baby cores: what of an ELF file goes where, as `kerr run` has it."""

from __future__ import annotations

import os
from typing import NamedTuple

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from ._lib import KerrError

LOCAL_RAM, LOCAL_RAM_END = 0xFFB00000, 0xFFB10000


class Program(NamedTuple):
    segments: list[tuple[int, bytes, int]]  #: address, bytes, size of what goes to L1
    local: list[tuple[int, bytes]]  #: what goes to local RAM once the core has left reset
    entry: int


def read(path: str | os.PathLike[str]) -> Program:
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
            return Program([s for s in segments if s[2] != 0], local, int(elf["e_entry"]))
    except (ELFError, OSError, ValueError) as error:
        raise KerrError(f"{path}: {error or 'not an ELF file'}") from None

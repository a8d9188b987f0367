# SPDX-License-Identifier: Apache-2.0
"""From an address in a program to function, file and line, as the kerr command has them (tools/dwarf_lines.c)."""

from __future__ import annotations

import bisect
import io
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Place:
    """Where in the source an instruction comes from, as far as the program says."""

    function: str | None
    file: str | None
    line: int  #: 0: not known
    program: str | None = None

    def __str__(self) -> str:
        function = f"{self.function}()" if self.function else ""
        file = f"{self.file}:{self.line}" if self.file else ""
        return " at ".join(part for part in (function, file) if part)


def _text(name: Any) -> str:
    return name.decode(errors="replace") if isinstance(name, bytes) else str(name)


def _file_name(header: Any, number: int, folder: str) -> str | None:
    """Entry `number` of a line table's list of files.  Before DWARF 5 both lists begin at 1, and folder 0 is that of the unit."""
    files, folders = header["file_entry"], header["include_directory"]
    first = 0 if header["version"] >= 5 else 1
    if not first <= number < len(files) + first:
        return None
    entry = files[number - first]
    name, index = _text(entry.name), int(entry.dir_index)
    if first == 0:
        return os.path.join(_text(folders[index]) if index < len(folders) else "", name)
    return os.path.join(folder, _text(folders[index - 1]) if 0 < index <= len(folders) else "", name)


class Lines:
    """The line table and the functions of an ELF file.  What is broken in it is left out."""

    def __init__(self, image: bytes):
        self._image = image

    @cached_property
    def _functions(self) -> list[tuple[int, int, str]]:
        from elftools.elf.elffile import ELFFile

        try:
            table: Any = ELFFile(io.BytesIO(self._image)).get_section_by_name(".symtab")
            found = [(int(s["st_value"]), int(s["st_size"]), s.name) for s in table.iter_symbols()
                     if s["st_info"]["type"] == "STT_FUNC"]
        except Exception:  # noqa: BLE001
            return []
        return sorted(found, key=lambda f: f[0])

    @cached_property
    def _rows(self) -> list[tuple[int, int, int, str | None]]:
        """address, 0 for an end of a sequence, order in the table, file; with the line behind."""
        from elftools.elf.elffile import ELFFile

        rows: list[tuple[int, int, int, str | None]] = []
        self._line_of: dict[int, int] = {}
        try:
            elf = ELFFile(io.BytesIO(self._image))
            for unit in elf.get_dwarf_info().iter_CUs() if elf.has_dwarf_info() else ():
                program: Any = unit.dwarfinfo.line_program_for_CU(unit)
                top = unit.get_top_DIE().attributes
                folder = _text(top["DW_AT_comp_dir"].value) if "DW_AT_comp_dir" in top else ""
                names: dict[int, str | None] = {}
                for entry in program.get_entries() if program is not None else ():
                    state = entry.state
                    if state is None:
                        continue
                    if state.file not in names:
                        names[state.file] = _file_name(program.header, state.file, folder)
                    self._line_of[len(rows)] = 0 if state.end_sequence else int(state.line)
                    rows.append((int(state.address), 0 if state.end_sequence or not state.line else 1, len(rows), names[state.file]))
        except Exception:  # noqa: BLE001
            pass
        return sorted(rows, key=lambda row: row[:3])

    def function(self, pc: int) -> str | None:
        for first, size, name in reversed(self._functions):
            if pc >= first and (size == 0 or pc - first < size):
                return name
        return None

    def place(self, pc: int, program: str | None = None) -> Place | None:
        rows = self._rows
        i = bisect.bisect_right(rows, (pc, 2)) - 1
        line = self._line_of[rows[i][2]] if i >= 0 else 0
        file = rows[i][3] if line else None
        function = self.function(pc)
        return None if function is None and file is None else Place(function, file, line if file else 0, program)

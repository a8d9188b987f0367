# SPDX-License-Identifier: Apache-2.0
"""From an address in a program to function, file and line, as the kerr command has them (tools/dwarf_lines.c)."""

from __future__ import annotations

import bisect
import io
import os
from collections.abc import Iterator
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
    called_at: tuple[str, int] | None = None  #: of an inlined function: file and line of the call in the one that was not inlined

    def __str__(self) -> str:
        function = f"{self.function}()" if self.function else ""
        file = f"{self.file}:{self.line}" if self.file else ""
        called = f", called at {self.called_at[0]}:{self.called_at[1]}" if self.called_at else ""
        return " at ".join(part for part in (function, file) if part) + called


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


def _covers(die: Any, pc: int) -> bool:
    """Whether the code of a function, of a block or of a unit has pc in it."""
    attributes, unit = die.attributes, die.cu
    if "DW_AT_ranges" in attributes:
        lists = unit.dwarfinfo.range_lists()
        found = lists.get_range_list_at_offset(attributes["DW_AT_ranges"].value, cu=unit)
        top = unit.get_top_DIE().attributes
        base = int(top["DW_AT_low_pc"].value) if "DW_AT_low_pc" in top else 0
        for entry in found:
            if hasattr(entry, "base_address"):
                base = int(entry.base_address)
                continue
            start = 0 if getattr(entry, "is_absolute", False) else base
            if start + entry.begin_offset <= pc < start + entry.end_offset:
                return True
        return False
    if "DW_AT_low_pc" not in attributes or "DW_AT_high_pc" not in attributes:
        return False
    low, high = int(attributes["DW_AT_low_pc"].value), attributes["DW_AT_high_pc"]
    return low <= pc < (int(high.value) if high.form == "DW_FORM_addr" else low + int(high.value))


def _name(die: Any) -> str | None:
    while "DW_AT_name" not in die.attributes and "DW_AT_abstract_origin" in die.attributes:
        die = die.get_DIE_from_attribute("DW_AT_abstract_origin")
    return _text(die.attributes["DW_AT_name"].value) if "DW_AT_name" in die.attributes else None


def _calls(unit: Any, top: Any, pc: int) -> tuple[str | None, tuple[str, int] | None]:
    header: Any = unit.dwarfinfo.line_program_for_CU(unit).header
    folder = _text(top.attributes["DW_AT_comp_dir"].value) if "DW_AT_comp_dir" in top.attributes else ""
    inner, called_at, at = None, None, top
    while at is not None:
        inside = [die for die in _scopes(at) if _covers(die, pc)]
        at = inside[0] if inside else None
        if at is not None and at.tag == "DW_TAG_inlined_subroutine":
            inner = _name(at)
            file = _file_name(header, int(at.attributes["DW_AT_call_file"].value), folder)
            if called_at is None and file is not None:
                called_at = (file, int(at.attributes["DW_AT_call_line"].value))
    return (inner, called_at) if called_at is not None else (None, None)


def _scopes(die: Any) -> Iterator[Any]:
    for child in die.iter_children():
        if child.tag in ("DW_TAG_subprogram", "DW_TAG_inlined_subroutine", "DW_TAG_lexical_block"):
            yield child
        elif child.tag in ("DW_TAG_namespace", "DW_TAG_structure_type", "DW_TAG_class_type"):
            yield from _scopes(child)


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
        if function is None and file is None:
            return None
        inlined, called_at = self._inlined(pc)
        return Place(inlined or function, file, line if file else 0, program, called_at)

    @cached_property
    def _units(self) -> list[Any]:
        from elftools.elf.elffile import ELFFile

        try:
            elf = ELFFile(io.BytesIO(self._image))
            return list(elf.get_dwarf_info().iter_CUs()) if elf.has_dwarf_info() else []
        except Exception:  # noqa: BLE001
            return []

    def _inlined(self, pc: int) -> tuple[str | None, tuple[str, int] | None]:
        """The innermost inlined function at pc, and where the outermost one is called."""
        try:
            for unit in self._units:
                top = unit.get_top_DIE()
                if _covers(top, pc):
                    return _calls(unit, top, pc)
        except Exception:  # noqa: BLE001
            pass
        return None, None

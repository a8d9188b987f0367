# SPDX-License-Identifier: Apache-2.0
"""Faults and what checks find (include/kerr_findings.h)."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _lib
from ._lib import lib
from .lines import Place
from .text import disassemble, disassemble_riscv

if TYPE_CHECKING:
    from .chip import Chip

SEVERITIES = ("note", "warning", "error")
ACTORS = ("none", "core", "thread", "noc", "host", "device")
CHECKS = {"memory": 1, "sync": 2, "hazard": 4, "history": 8, "all": 15}
POLICIES = {"stop": 0, "go-on": 1, "ignore": 2}


def finding_kinds() -> list[str]:
    """The names of all kinds, faults first."""
    return [lib.finding_name(i).decode() for i in range(lib.finding_kinds())]


@dataclass(frozen=True)
class Access:
    """One end of a finding."""

    actor: str  #: "core", "thread", "noc", "host", "device" or "none"
    tile: tuple[int, int]
    core: str | None
    thread: int | None
    is_write: bool
    pc: int
    instruction: int
    address: int
    size: int
    cycle: int
    lookup: Callable[[], Place | None] | None = dataclasses.field(default=None, repr=False, compare=False)

    @property
    def place(self) -> Place | None:
        """Function, file and line, if the core's program came from an ELF file that knows them."""
        return self.lookup() if self.lookup is not None else None

    @property
    def text(self) -> str:
        """The instruction in words."""
        return disassemble(self.instruction) if self.actor == "thread" else disassemble_riscv(self.instruction, self.pc)


def _in(place: Place | None) -> str:
    return f" in {place}" if place is not None else ""


@dataclass(frozen=True)
class Finding:
    """What a program did wrong, or may have."""

    kind: str
    severity: str
    tile: tuple[int, int]
    stopping: bool
    times: int
    access: Access
    other: Access | None
    field: str | None
    manual: str | None
    message: str
    history: list[tuple[int, int, int]] = dataclasses.field(repr=False)  #: (cycle, pc, instruction), oldest first
    #: pcs of other pairs of instructions that met with the same mistake: what was noticed, and the other end (0: there is none)
    also: list[tuple[int, int]] = dataclasses.field(default_factory=list, repr=False)

    def __str__(self) -> str:
        who = self.access
        at = f"tile ({self.tile[0]},{self.tile[1]})"
        at += f" Tensix T{who.thread}" if who.actor == "thread" else f" {who.core}" if who.core else f" {who.actor}"
        text = f"{self.severity}: {self.kind}: {at} cycle {who.cycle} pc 0x{who.pc:05x}{_in(who.place)}: {self.message}"
        if self.other is not None:
            text += f"; the other end: {self.other.actor} {self.other.core or ''} cycle {self.other.cycle} pc 0x{self.other.pc:05x}"
            text += _in(self.other.place)
        return text + (f" [{self.manual}]" if self.manual else "")


class ChipStopped(Exception):
    """A finding stopped the chip; memory can still be looked at."""

    def __init__(self, findings: list[Finding]):
        self.findings = findings
        stopping = [f for f in findings if f.stopping] or findings
        super().__init__(str(stopping[0]) if stopping else "the chip has stopped")


def _access(chip: Chip, raw: _lib.Access) -> Access:
    kind = lib.tile_kind_at(raw.tile)
    core = raw.core if raw.core >= 0 else raw.thread + 1 if ACTORS[raw.actor] == "thread" else None
    return Access(actor=ACTORS[raw.actor], tile=(raw.tile.x, raw.tile.y),
                  core=lib.core_name_of(kind, raw.core).decode() if raw.core >= 0 else None,
                  thread=raw.thread if ACTORS[raw.actor] == "thread" else None, is_write=bool(raw.is_write), pc=raw.pc,
                  instruction=raw.instruction, address=raw.address, size=raw.size, cycle=raw.cycle,
                  lookup=chip._lookup(raw.tile.x, raw.tile.y, core, raw.pc) if raw.pc or raw.instruction else None)


def read_findings(chip: Chip) -> list[Finding]:
    count = ctypes.c_uint32()
    lib.finding_count(chip.handle, ctypes.byref(count))
    found = []
    for i in range(count.value):
        raw = _lib.Finding()
        lib.finding_get(chip.handle, i, ctypes.byref(raw))
        found.append(Finding(
            kind=lib.finding_name(raw.kind).decode(), severity=SEVERITIES[raw.severity], tile=(raw.tile.x, raw.tile.y),
            stopping=bool(raw.stopping), times=raw.times, access=_access(chip, raw.access),
            other=_access(chip, raw.other) if raw.other.actor else None, field=raw.field.decode() if raw.field else None,
            manual=raw.manual.decode() if raw.manual else None, message=raw.text.decode(),
            history=[(s.cycle, s.pc, s.instruction) for s in raw.history[:raw.history_count]],
            also=[(a.pc, a.other_pc) for a in raw.also[:min(raw.also_count, _lib.ALSO)]]))
    return found

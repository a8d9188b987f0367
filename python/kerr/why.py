# SPDX-License-Identifier: Apache-2.0
"""Who waits for whom, as text and as data (kerr_waiters of include/kerr_findings.h)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _lib, pictures
from ._lib import lib
from .lines import Place

if TYPE_CHECKING:
    from .chip import Chip
    from .tile import Core, Tile

WAITERS = ("Tensix T0", "Tensix T1", "Tensix T2", "RISCV B", "RISCV T0", "RISCV T1", "RISCV T2")
#: kerr_wait_for
WHAT = ("nothing", "outside", "ended", "work", "semaphore-post", "semaphore-get", "source", "core-request", "mutex", "fifo", "done",
        "mop", "auto-sync", "mailbox-word", "mailbox-room", "pcbuf-word", "pcbuf-room", "pcbuf-done", "polled")
_FIRST = WHAT.index("semaphore-post")
_CORES = ("B", "T0", "T1", "T2")
_SOURCES = {5: "SrcA for the unpackers", 6: "SrcB for the unpackers", 7: "SrcA for the Matrix Unit", 8: "SrcB for the Matrix Unit"}


@dataclass(frozen=True)
class Wait:
    """One who waits."""

    tile: tuple[int, int]
    who: str  #: "RISCV T1", "Tensix T0"
    what: str  #: one of kerr.why.WHAT, or how a core stands that waits for nobody in its tile: "polling", "halted" and so on
    number: int  #: of what: the semaphore, the mutex, the core, the thread
    by: list[str]  #: each of these alone could end it
    stuck: bool  #: for good: those who could wait too, or have ended
    doing: str  #: what it does, where
    place: Place | None  #: in the source, if it is known

    @property
    def wants(self) -> str:
        """What it waits for, in words."""
        n = self.number
        core = _CORES[n] if n < len(_CORES) else str(n)
        if self.what == "polled":
            names = [f"semaphore {i}" for i in range(8) if n >> i & 1] + [f"the mailbox from {_CORES[i]}" for i in range(4) if n >> (8 + i) & 1]
            return f"a change of {' or '.join(names) or 'what it polls'}"
        texts = {
            "semaphore-post": f"a post of semaphore {n}", "semaphore-get": f"a get of semaphore {n}",
            "source": _SOURCES.get(n, "SrcA or SrcB"), "core-request": "an access of its core", "mutex": f"mutex {n}",
            "fifo": f"room in the FIFO of Tensix T{n}", "done": f"the end of what Tensix T{n} does",
            "mop": f"the end of what Tensix T{n} expands", "auto-sync": f"instructions of Tensix T{n}",
            "mailbox-word": f"a word from RISCV {core} in its mailbox", "mailbox-room": f"room in its mailbox to RISCV {core}",
            "pcbuf-word": "a word in its PCBuf", "pcbuf-room": f"room in PCBuf {n}", "pcbuf-done": f"the end of what T{n} does",
        }
        return texts.get(self.what, "")

    def __str__(self) -> str:
        text = f"tile ({self.tile[0]},{self.tile[1]}) {self.who}: {self.doing}"
        if self.wants:
            could = ", ".join(self.by) or "nobody"
            text += f"; waits for {self.wants}, which could come from {could}{': never' if self.stuck else ''}"
        return text


class Why(list[Wait]):
    """All who wait; as text a line for each."""

    def __str__(self) -> str:
        return "\n".join(map(str, self)) or "nobody waits"

    def _repr_html_(self) -> str:
        head = ("tile", "who", "waits for", "could come from", "stuck", "doing")
        return pictures.table(head, [(f"({w.tile[0]},{w.tile[1]})", w.who, w.wants or w.what, ", ".join(w.by), "yes" if w.stuck else "",
                                      w.doing) for w in self])


def _core(core: Core, waiter: _lib.Waiter | None) -> Wait | None:
    stand = str(core.state["stand"])
    knows = waiter is not None and waiter.what >= _FIRST
    if stand in ("off", "ended", "idle") or (stand == "going on" and not knows):
        return None
    found = waiter if waiter is not None and knows else None
    return Wait(tile=(core.tile.x, core.tile.y), who=f"RISCV {core.name}", what=WHAT[found.what] if found else stand,
                number=found.number if found else 0, by=_names(found.released_by) if found else [],
                stuck=bool(found.stuck) if found else False, doing=core.doing(), place=core.place())


def _names(mask: int) -> list[str]:
    return [name for i, name in enumerate(WAITERS) if mask >> i & 1]


def _tile(tile: Tile) -> Iterator[Wait]:
    started = any(core.state["stand"] != "off" for core in tile.cores)
    threads = [thread for thread in tile.threads if thread.state["waits"]]
    if not started and not threads:
        return
    raw = (_lib.Waiter * len(WAITERS))()
    if tile.kind == "tensix":
        lib.waiters(tile.chip.handle, tile.at, raw)
    for core in tile.cores:
        wait = _core(core, raw[3 + core.index] if tile.kind == "tensix" and core.index < len(_CORES) else None)
        if wait is not None:
            yield wait
    for thread in threads:
        waiter, now = raw[thread.index], thread.state
        knows = waiter.what >= _FIRST
        pushed = tile.cores[0 if now["pushed_by_b"] else thread.index + 1]
        yield Wait(tile=(tile.x, tile.y), who=f"Tensix T{thread.index}", what=WHAT[waiter.what] if knows else now["reason"],
                   number=waiter.number, by=_names(waiter.released_by), stuck=bool(waiter.stuck), doing=thread.doing(),
                   place=pushed.place(now["pc"]))


def why(chip: Chip) -> Why:
    return Why(wait for tile in chip for wait in _tile(tile))

# SPDX-License-Identifier: Apache-2.0
"""Hooks in Python: what a chip tells while it runs."""

from __future__ import annotations

from dataclasses import dataclass

from . import _lib
from ._lib import lib

# Kinds, to be joined with |.
INSTRUCTION, CORE_STATE, TENSIX, PARKING = 1, 2, 4, 8
CORE_STATES = ("reset", "running", "parked", "waiting", "halted", "stopped")
TENSIX_EVENTS = ("push", "mop", "replay", "gate", "issue", "done", "sub-unit")
REASONS = ("none", "stallwait", "semaphore zero", "semaphore at maximum", "stream", "mutex", "unit busy", "unit stalls",
           "SrcA", "SrcB", "core", "memory", "reset")


@dataclass(frozen=True)
class TraceEvent:
    """One thing that happened; fields that do not belong to its kind are None."""

    kind: str  #: "instruction", "state", or of the coprocessor "push", "mop", "replay", "gate", "issue", "done", "sub-unit"
    cycle: int
    tile: tuple[int, int]
    core: str | None = None
    thread: int | None = None
    unit: str | None = None
    pc: int | None = None
    instruction: int | None = None
    address: int | None = None
    state: str | None = None
    reason: str | None = None
    end: int | None = None


def event_from(raw: _lib.TraceEvent) -> TraceEvent:
    tile = (raw.at.x, raw.at.y)
    if raw.kind == TENSIX:
        t = raw.tensix.contents
        return TraceEvent(kind=TENSIX_EVENTS[t.event], cycle=t.begin, tile=tile, thread=t.thread,
                          unit=lib.tensix_unit_name(t.unit).decode() if t.event == 4 else None, pc=t.pc,
                          instruction=t.word, reason=REASONS[t.reason] if t.event == 3 else None,
                          end=None if t.end == 2**64 - 1 else t.end)
    core = lib.core_name_of(lib.tile_kind_at(raw.at), raw.core).decode()
    if raw.kind == CORE_STATE:
        return TraceEvent(kind="state", cycle=raw.cycle, tile=tile, core=core, state=CORE_STATES[raw.state],
                          address=raw.address)
    return TraceEvent(kind="instruction", cycle=raw.cycle, tile=tile, core=core, pc=raw.pc,
                      instruction=raw.instruction, address=raw.address)

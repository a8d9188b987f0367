# SPDX-License-Identifier: Apache-2.0
"""Where cores, Tensix threads and what orders them stand, as plain dictionaries."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from . import _lib
from ._lib import lib
from .ends import read_core_end
from .text import disassemble
from .trace import CORE_STATES, REASONS

if TYPE_CHECKING:
    from .tile import Core, Thread, Tile


def core_info(core: Core) -> _lib.CoreInfo:
    raw = _lib.CoreInfo()
    lib.core_query(core.tile.chip.handle, core.tile.at, core.index, ctypes.byref(raw))
    return raw


def core_state(core: Core) -> dict[str, Any]:
    """state, stand (kerr_stand), pc, cycles, instructions without those of an end loop; the cycle in which it ended; what a core that
    waits or polls looks at."""
    raw = core_info(core)
    end = read_core_end(core)
    state: dict[str, Any] = {"core": core.name, "state": CORE_STATES[raw.state], "stand": lib.stand_name(end.stand).decode(),
                             "pc": raw.pc, "cycles": raw.cycles, "instructions": end.instructions}
    if state["stand"] == "ended":
        state["ended"] = end.cycle
    if raw.wait_address:
        text = ctypes.create_string_buffer(160)
        lib.address_format(core.tile.kind_number, core.index, raw.wait_address, raw.wait_is_store, text, len(text))
        state["waits_for"] = text.value.decode()
    return state


def thread_state(thread: Thread) -> dict[str, Any]:
    """What stands at the wait gate of a Tensix thread and why."""
    raw = _lib.ThreadInfo()
    lib.thread_query(thread.tile.chip.handle, thread.tile.at, thread.index, ctypes.byref(raw))
    state: dict[str, Any] = {"thread": thread.index, "in_flight": raw.in_flight, "waits": bool(raw.waits)}
    if raw.waits:
        state.update(instruction=disassemble(raw.word), pc=raw.pc, since=raw.since, reason=REASONS[raw.reason],
                     detail=raw.detail, pushed_by_b=bool(raw.pushed_by_b))
    return state


def sync_state(tile: Tile) -> dict[str, Any]:
    """Semaphores, mutexes, and whose the banks of SrcA and SrcB are."""
    raw = _lib.SyncInfo()
    lib.sync_query(tile.chip.handle, tile.at, ctypes.byref(raw))
    owner = ("unpackers", "Matrix Unit")
    return {
        "semaphores": [{"value": s.value, "max": s.max} for s in raw.semaphore],
        "mutexes": [m if m >= 0 else None for m in raw.mutex],
        "SrcA": [owner[raw.matrix_owns[0][bank]] for bank in range(2)],
        "SrcB": [owner[raw.matrix_owns[1][bank]] for bank in range(2)],
    }

# SPDX-License-Identifier: Apache-2.0
"""How a run ends (include/kerr.h, "How it ends")."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _lib
from ._lib import lib
from .why import Why

if TYPE_CHECKING:
    from .chip import Chip
    from .tile import Core


@dataclass(frozen=True)
class End:
    """How a chip stands; the same whoever watches."""

    verdict: str  #: "finished", "hung", "faulted", or "goes on"
    cycle: int  #: of "finished" that in which the last core came to its end, if it is known; else the present one
    instructions: int  #: of all cores, without their end loops
    cores: int  #: that are not in reset
    finished: int  #: of these


def read_end(chip: Chip) -> End:
    raw = _lib.End()
    lib.end_query(chip.handle, ctypes.byref(raw))
    return End(lib.verdict_name(raw.verdict).decode(), raw.cycle, raw.instructions, raw.cores, raw.finished)


def read_core_end(core: Core) -> _lib.CoreEnd:
    raw = _lib.CoreEnd()
    lib.core_end_query(core.tile.chip.handle, core.tile.at, core.index, ctypes.byref(raw))
    return raw


class ChipHung(TimeoutError):
    """Nothing can advance any more, and a core or a thread of a coprocessor is not finished."""

    def __init__(self, end: End, why: Why, wanted: str):
        self.end = end
        self.why = why  #: who waits for whom, as data
        self.waits = [str(wait) for wait in why]
        shown = self.waits[:20] + (["..."] if len(why) > 20 else [])
        super().__init__("\n  ".join([f"the chip hangs in cycle {end.cycle}, waiting for: {wanted}", *shown]))

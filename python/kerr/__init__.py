# SPDX-License-Identifier: Apache-2.0
"""Kerr, a Tenstorrent Blackhole in software, from Python.

    import kerr

    with kerr.Chip() as chip:
        tile = chip.tensix[0]
        tile.B.load("hello.elf")
        tile.B.start()
        chip.run_until(tile.word(0x10000) == 1, most=1_000_000)
        print(tile.l1[0x10000:0x10040])

docs/python.md goes through all of it.
"""

from ._lib import KerrError
from .chip import Chip, Condition, Core, Thread, Tile, Watch
from .data import BF16, FP16, FP32, as_float32
from .ends import ChipHung, End
from .findings import Access, ChipStopped, Finding, finding_kinds
from .state import core_state, sync_state, thread_state
from .text import assemble, disassemble, disassemble_riscv
from .trace import CORE_STATE, INSTRUCTION, PARKING, TENSIX, TraceEvent
from .version import VERSION

__version__ = VERSION
__all__ = [
    "Access", "BF16", "CORE_STATE", "Chip", "ChipHung", "ChipStopped", "Condition", "Core", "End", "FP16", "FP32", "Finding",
    "INSTRUCTION", "KerrError", "PARKING", "TENSIX", "Thread", "Tile", "TraceEvent", "Watch", "as_float32", "assemble",
    "core_state", "disassemble", "disassemble_riscv", "finding_kinds", "sync_state", "thread_state",
]

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

from ._files import TraceFile
from ._lib import ArgumentError, KerrError
from .chip import Chip, Watch
from .data import BF16, FP16, FP32, as_float32
from .ends import ChipHung, End
from .findings import Access, ChipStopped, Finding, finding_kinds
from .lines import Place
from .state import core_state, sync_state, thread_state
from .text import assemble, disassemble, disassemble_riscv
from .tile import Condition, Core, Dst, Thread, Tile, data_formats
from .trace import CORE_STATE, INSTRUCTION, PARKING, TENSIX, TraceEvent
from .version import VERSION
from .why import Wait, Why

__version__ = VERSION
__all__ = [
    "Access", "ArgumentError", "BF16", "CORE_STATE", "Chip", "ChipHung", "ChipStopped", "Condition", "Core", "Dst", "End", "FP16",
    "FP32", "Finding", "INSTRUCTION", "KerrError", "PARKING", "Place", "TENSIX", "Thread", "Tile", "TraceEvent", "TraceFile", "Wait",
    "Watch", "Why", "as_float32", "assemble", "core_state", "data_formats", "disassemble", "disassemble_riscv", "finding_kinds",
    "sync_state", "thread_state",
]

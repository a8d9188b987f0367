# SPDX-License-Identifier: Apache-2.0
"""A chip, its tiles, their cores and Tensix threads."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _lib, elf, ends, findings, state, trace
from ._lib import FAULTED, XY, KerrError, lib
from .data import as_float32

TILE_KINDS = ("none", "tensix", "eth", "dram", "pcie", "arc", "l2cpu", "security")
_WORD_EQ, _WORD_NE, _CORE_STATE, _IDLE = range(4)
_FILES = {"SrcA": (0, 128), "SrcB": (1, 128), "bf16": (2, 1024), "fp16": (3, 1024), "raw16": (4, 1024), "fp32": (5, 512),
          "raw32": (6, 512)}


class Condition:
    """What Chip.run_until waits for."""

    def __init__(self, kind: int, at: XY, text: str, core: int = 0, address: int = 0, mask: int = 0xFFFFFFFF,
                 value: int = 0):
        self.raw = _lib.Until(kind=kind, at=at, core=core, address=address, mask=mask, value=value)
        self.text = text

    def __repr__(self) -> str:
        return f"Condition({self.text})"


class Word:
    """A word of memory to wait for: `tile.word(0x10000) == 1`."""

    def __init__(self, tile: Tile, address: int, mask: int):
        self.tile, self.address, self.mask = tile, address, mask

    def _condition(self, kind: int, sign: str, value: object) -> Condition:
        if not isinstance(value, int):
            raise TypeError(f"a word is compared with a number, not {value!r}")
        text = f"{self.tile} word 0x{self.address:x} {sign} 0x{value:x}"
        return Condition(kind, self.tile.at, text, address=self.address, mask=self.mask, value=value)

    def __eq__(self, value: object) -> Condition:  # type: ignore[override]
        return self._condition(_WORD_EQ, "==", value)

    def __ne__(self, value: object) -> Condition:  # type: ignore[override]
        return self._condition(_WORD_NE, "!=", value)

    __hash__ = None  # type: ignore[assignment]


def _bytes_of(data: Any) -> bytes:
    return data.tobytes() if isinstance(data, np.ndarray) else bytes(data)


class Core:
    """A baby core: B, T0, T1, T2 and NC of a Tensix tile, E0 and E1 of an Ethernet tile, D of a DRAM tile."""

    def __init__(self, tile: Tile, index: int):
        self.tile, self.index = tile, index
        self.name: str = lib.core_name_of(tile.kind_number, index).decode()
        self.entry: int | None = None
        self._local: list[tuple[int, bytes]] = []

    def __repr__(self) -> str:
        return f"{self.tile}:{self.name}"

    def load(self, program: str | os.PathLike[str] | bytes, address: int | None = None, idle: Iterable[str] = ()) -> int:
        """A 32-bit RISC-V ELF file, or the bytes of code for `address`.  Returns where it starts.  All or nothing: a file
        that is broken, does not fit or was linked for another core raises and changes nothing.  `idle`: symbols in loops where the
        core may stay for good, besides those that the program names itself."""
        if isinstance(program, bytes):
            parts = elf.Program([(address or 0, program, len(program))], [], address or 0, [], None)
        else:
            parts = elf.read(program, idle)
        if parts.core is not None and self.tile.kind == "tensix" and parts.core != self.index:
            linked = lib.core_name_of(self.tile.kind_number, parts.core).decode()
            raise KerrError(f"{program!s}: is linked for RISCV {linked}, not for {self.name}")
        places = (_lib.Code * len(parts.ends))(*[_lib.Code(first, size) for first, size in parts.ends])
        segments = parts.segments
        raw = (_lib.Segment * len(segments))(*[
            _lib.Segment(address=at, memory_size=size, file_size=len(data), data=data) for at, data, size in segments])
        lib.load(self.tile.chip.handle, self.tile.at, self.index, raw, len(segments))
        lib.set_ends(self.tile.chip.handle, self.tile.at, self.index, places, len(places))
        self.entry, self._local = parts.entry, parts.local
        return parts.entry

    def start(self, pc: int | None = None) -> None:
        """Lets the core out of reset at `pc`, or where its program begins."""
        where = pc if pc is not None else self.entry
        if where is None:
            raise KerrError(f"{self}: no program is loaded and no pc given")
        lib.core_start(self.tile.chip.handle, self.tile.at, self.index, where)
        for address, data in self._local:  # leaving reset clears local RAM
            self.poke(address, data)

    def reset(self, held: bool = True) -> None:
        lib.core_reset(self.tile.chip.handle, self.tile.at, self.index, held)

    @property
    def state(self) -> dict[str, Any]:
        return state.core_state(self)

    @property
    def pc(self) -> int:
        return int(self.state["pc"])

    def is_(self, wanted: str) -> Condition:
        """For run_until: "reset", "running", "parked", "waiting", "halted" or "stopped"."""
        if wanted not in trace.CORE_STATES:
            raise ValueError(f"no state {wanted!r}: {', '.join(trace.CORE_STATES)}")
        return Condition(_CORE_STATE, self.tile.at, f"{self} is {wanted}", core=self.index,
                         value=trace.CORE_STATES.index(wanted))

    def register(self, number: int) -> int:
        """x0 to x31 are 0 to 31, f0 to f31 32 to 63, pc 64, CSRs 0x1000 and up."""
        value = ctypes.c_uint32()
        lib.reg_get(self.tile.chip.handle, self.tile.at, self.index, number, ctypes.byref(value))
        return int(value.value)

    def set_register(self, number: int, value: int) -> None:
        lib.reg_set(self.tile.chip.handle, self.tile.at, self.index, number, value)

    @property
    def x(self) -> list[int]:
        return [self.register(i) for i in range(32)]

    def peek(self, address: int, size: int) -> bytes:
        """Memory as this core sees it: its local RAM is at 0xFFB00000."""
        buffer = ctypes.create_string_buffer(size)
        lib.core_peek(self.tile.chip.handle, self.tile.at, self.index, address, buffer, size)
        return buffer.raw

    def poke(self, address: int, data: Any) -> None:
        given = _bytes_of(data)
        lib.core_poke(self.tile.chip.handle, self.tile.at, self.index, address, given, len(given))


class Thread:
    """A thread of the Tensix coprocessor, 0 to 2."""

    def __init__(self, tile: Tile, index: int):
        self.tile, self.index = tile, index

    @property
    def state(self) -> dict[str, Any]:
        return state.thread_state(self)


class Tile:
    """A tile by its NoC 0 coordinates."""

    B: Core
    T0: Core
    T1: Core
    T2: Core
    NC: Core

    def __init__(self, chip: Chip, x: int, y: int):
        self.chip, self.x, self.y = chip, x, y
        self.at = XY(x, y)
        self.kind_number: int = lib.tile_kind_at(self.at) if x < 17 and y < 12 else 0
        self.kind = TILE_KINDS[self.kind_number]
        self.cores: list[Core] = [Core(self, i) for i in range(lib.tile_cores(self.kind_number))]
        for core in self.cores:
            setattr(self, core.name, core)
        self.threads = [Thread(self, i) for i in range(3)] if self.kind == "tensix" else []

    def __repr__(self) -> str:
        return f"({self.x},{self.y})"

    def core(self, name: str) -> Core:
        for core in self.cores:
            if core.name == name:
                return core
        raise KerrError(f"tile {self} has no core {name!r}: {', '.join(c.name for c in self.cores) or 'none at all'}")

    # ---- memory

    def view(self, address: int = 0) -> npt.NDArray[np.uint8]:
        """The bytes of L1, or of a DRAM bank, from `address` on: no copy, and it goes with the chip.  Read-only, because the
        chip must notice a write: use `poke` or `write`."""
        where, size = ctypes.c_void_p(), ctypes.c_uint64()
        lib.memory_view(self.chip.handle, self.at, address, ctypes.byref(where), ctypes.byref(size))
        raw = (ctypes.c_uint8 * size.value).from_address(where.value or 0)
        setattr(raw, "_owner", self.chip._owner)  # the array keeps the memory alive
        array: npt.NDArray[np.uint8] = np.ctypeslib.as_array(raw)
        array.flags.writeable = False
        return array

    @property
    def l1(self) -> npt.NDArray[np.uint8]:
        return self.view()

    def peek(self, address: int, size: int) -> bytes:
        """As a debugger: nothing else changes."""
        buffer = ctypes.create_string_buffer(size)
        lib.peek(self.chip.handle, self.at, address, buffer, size)
        return buffer.raw

    def poke(self, address: int, data: Any) -> None:
        given = _bytes_of(data)
        lib.poke(self.chip.handle, self.at, address, given, len(given))

    def read(self, address: int, size: int) -> bytes:
        """As a request over the NoC, side effects included."""
        buffer = ctypes.create_string_buffer(size)
        self.chip._check(lib.read(self.chip.handle, self.at, address, buffer, size))
        return buffer.raw

    def write(self, address: int, data: Any) -> None:
        given = _bytes_of(data)
        self.chip._check(lib.write(self.chip.handle, self.at, address, given, len(given)))

    def word(self, address: int, mask: int = 0xFFFFFFFF) -> Word:
        """For run_until: `tile.word(0x10000) == 1`."""
        return Word(self, address, mask)

    # ---- the coprocessor

    def rows(self, name: str, first: int = 0, count: int | None = None) -> npt.NDArray[np.uint32]:
        """Rows of "SrcA" or "SrcB", or of Dst as "bf16", "fp16", "raw16", "fp32" or "raw32": 16 numbers each, their bits."""
        if name not in _FILES:
            raise ValueError(f"no register file {name!r}: {', '.join(_FILES)}")
        number, rows = _FILES[name]
        count = rows - first if count is None else count
        out = np.zeros((max(count, 0), _lib.COLUMNS), dtype=np.uint32)
        for i in range(count):
            row = out[i].ctypes.data_as(ctypes.POINTER(ctypes.c_uint32))
            lib.data_row(self.chip.handle, self.at, number, first + i, row)
        return out

    def dst(self, kind: str = "bf16", first: int = 0, count: int | None = None) -> npt.NDArray[np.float32]:
        """Rows of Dst as numbers."""
        return as_float32(self.rows(kind, first, count), kind)

    @property
    def state(self) -> dict[str, Any]:
        """Cores, Tensix threads, semaphores, mutexes and banks, decoded."""
        whole: dict[str, Any] = {"tile": (self.x, self.y), "kind": self.kind, "cores": [c.state for c in self.cores]}
        if self.kind == "tensix":
            whole.update(threads=[t.state for t in self.threads], **state.sync_state(self))
        return whole


class Watch:
    """A function that is called when L1 is written; `remove` ends it."""

    def __init__(self, chip: Chip, number: int, keep: object):
        self._chip, self._number, self._keep = chip, number, keep

    def remove(self) -> None:
        if self._keep is not None:
            lib.watch_remove(self._chip.handle, self._number)
            self._keep = None


class _Owner:
    """The C library's chip; it ends with the last that refers to it."""

    def __init__(self, handle: ctypes.c_void_p):
        self.handle = handle
        weakref.finalize(self, lib.destroy, handle)


class Chip:
    """A whole chip.  `with kerr.Chip() as chip:` gives its memory back at the end; so does garbage collection.

    policy: what findings of a kind do, as {"race-l1": "stop"}: "stop", "go-on" or "ignore"; faults stop unless told otherwise.
    checks: "memory", "sync", "hazard" or "all", or several of them.
    shake: a seed of legal but different timing (docs/shake.md); 0 is none.
    """

    def __init__(self, *, threads: int = 0, seed: int = 0, harvest: str = "full", parking: bool = True,
                 shake: int = 0, checks: str | Iterable[str] = (), policy: Mapping[str, str] | None = None):
        config = _lib.Config()
        lib.config_init(ctypes.byref(config))
        config.threads, config.seed, config.no_parking, config.shake = threads, seed, not parking, shake
        if not lib.harvesting_by_name(harvest.encode(), ctypes.byref(config.harvesting)):
            raise KerrError(f"harvest: no shape {harvest!r}: full, p150 or p100, then masks such as ',tensix=0x3000'")
        wrong = _lib.TextError()
        if not lib.environment_check(ctypes.byref(wrong)):
            raise KerrError(wrong.text.decode())
        handle = ctypes.c_void_p()
        lib.create(ctypes.byref(config), ctypes.byref(handle))
        self._owner: _Owner | None = _Owner(handle)
        self._trace: object = None
        self._raised: BaseException | None = None
        self._tiles: dict[tuple[int, int], Tile] = {}
        self.set_checks(checks)
        for kind, what in (policy or {}).items():
            self.set_policy(kind, what)

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the chip.  Its memory goes with the last view of it."""
        self._owner = None

    @property
    def handle(self) -> ctypes.c_void_p:
        """The kerr_chip, for calls of the C library."""
        if self._owner is None:
            raise KerrError("the chip is closed")
        return self._owner.handle

    # ---- tiles

    def tile(self, x: int, y: int) -> Tile:
        """KerrError where there is none, or it is switched off."""
        if (x, y) not in self._tiles:
            if not (0 <= x < 17 and 0 <= y < 12) or not lib.tile_is_on(self.handle, XY(x, y)):
                raise KerrError(f"no tile ({x},{y})")
            self._tiles[x, y] = Tile(self, x, y)
        return self._tiles[x, y]

    def _some(self, count: int, where: Callable[[int], XY]) -> list[Tile]:
        places = [where(i) for i in range(count)]
        return [self.tile(at.x, at.y) for at in places if lib.tile_is_on(self.handle, at)]

    @property
    def tensix(self) -> list[Tile]:
        """Row by row."""
        return self._some(140, lib.tensix_xy)

    @property
    def eth(self) -> list[Tile]:
        return self._some(14, lib.eth_xy)

    @property
    def dram(self) -> list[Tile]:
        """Three show the same bank."""
        return self._some(24, lib.dram_xy)

    def __iter__(self) -> Iterator[Tile]:
        yield from self.tensix
        yield from self.eth
        yield from self.dram

    # ---- time

    @property
    def cycle(self) -> int:
        value = ctypes.c_uint64()
        lib.cycle(self.handle, ctypes.byref(value))
        return int(value.value)

    def _check(self, status: int) -> None:
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised
        if status == FAULTED:
            raise findings.ChipStopped(self.findings)

    def run(self, cycles: int) -> int:
        """Exactly so many cycles; the cycle it is then.  ChipStopped if a finding stops the chip."""
        self._check(lib.run(self.handle, cycles))
        return self.cycle

    def run_until(self, condition: Condition | None = None, most: int = 1_000_000_000, every: int = 0) -> int:
        """Until the condition holds; the cycle it is then.  Without one until the program has finished; the cycle in which its last
        core did.  ChipHung if nothing can advance any more and the program is not finished; TimeoutError after `most` cycles, or if it
        is finished without the condition."""
        wanted = condition if condition is not None else Condition(_IDLE, XY(0, 0), "the end of the program")
        wanted.raw.every = every
        reached = ctypes.c_bool()
        self._check(lib.run_until(self.handle, ctypes.byref(wanted.raw), most, ctypes.byref(reached)))
        end = self.end
        if (condition is None or not reached.value) and end.verdict == "hung":
            raise ends.ChipHung(end, list(ends.who_waits(self)), wanted.text)
        if not reached.value:
            why = "finished without it" if end.verdict == "finished" else f"not after {most} cycles"
            raise TimeoutError(f"{why}: {wanted.text}")
        return end.cycle if condition is None else self.cycle

    @property
    def end(self) -> ends.End:
        """How it stands: whether it goes on, has finished or hangs, and since which cycle."""
        return ends.read_end(self)

    def reset(self) -> None:
        lib.reset(self.handle)

    # ---- findings

    @property
    def findings(self) -> list[findings.Finding]:
        """Faults and what checks found, in order of time."""
        return findings.read_findings(self)

    def set_checks(self, checks: str | Iterable[str]) -> None:
        mask = 0
        for name in [checks] if isinstance(checks, str) else checks:
            if name not in findings.CHECKS:
                raise ValueError(f"no check {name!r}: {', '.join(findings.CHECKS)}")
            mask |= findings.CHECKS[name]
        lib.set_checks(self.handle, mask)

    def set_policy(self, kind: str, policy: str) -> None:
        number = ctypes.c_uint32()
        if not lib.finding_by_name(kind.encode(), ctypes.byref(number)):
            raise ValueError(f"no kind of finding {kind!r}: {', '.join(findings.finding_kinds())}")
        if policy not in findings.POLICIES:
            raise ValueError(f"no policy {policy!r}: {', '.join(findings.POLICIES)}")
        lib.set_finding_policy(self.handle, number, findings.POLICIES[policy])

    # ---- snapshots

    @property
    def hash(self) -> int:
        """Over all state that can make a difference later."""
        value = ctypes.c_uint64()
        lib.hash(self.handle, ctypes.byref(value))
        return int(value.value)

    def save(self) -> bytes:
        """The whole chip, for `restore`."""
        parts: list[bytes] = []

        def write(_context: int, data: int, size: int) -> bool:
            parts.append(ctypes.string_at(data, size))
            return True

        lib.save(self.handle, _lib.WRITE_FN(write), None)
        return b"".join(parts)

    def restore(self, saved: bytes) -> None:
        """KerrError, and the chip unchanged, if these bytes are no snapshot of such a build."""
        at = 0

        def read(_context: int, data: int, size: int) -> bool:
            nonlocal at
            if at + size > len(saved):
                return False
            ctypes.memmove(data, saved[at:at + size], size)
            at += size
            return True

        lib.restore(self.handle, _lib.READ_FN(read), None)

    # ---- hooks

    def trace(self, kinds: int, function: Callable[[trace.TraceEvent], None] | None) -> None:
        """Calls `function` for each event of these kinds (kerr.INSTRUCTION | kerr.TENSIX ...); None ends it.  What it raises
        comes out of `run`."""
        if function is None:
            lib.set_trace_kinds(self.handle, 0, _lib.TRACE_FN(), None)
            self._trace = None
            return
        told = function

        def call(_context: int, event: Any) -> None:
            try:
                told(trace.event_from(event.contents))
            except BaseException as error:  # noqa: BLE001  it must not pass through C
                self._raised = self._raised or error

        hook = _lib.TRACE_FN(call)
        lib.set_trace_kinds(self.handle, kinds, hook, None)
        self._trace = hook

    def watch(self, tile: Tile, address: int, size: int, function: Callable[[int, str | None, int, bytes], None]) -> Watch:
        """Calls function(cycle, core, address, bytes) when [address, address + size) of L1 is about to change; of long
        writes bytes are the first eight."""

        def call(_context: int, event: Any) -> None:
            e = event.contents
            core = lib.core_name_of(tile.kind_number, e.core).decode() if e.core >= 0 else None
            try:
                function(e.cycle, core, e.address, int(e.value).to_bytes(8, "little")[:min(e.size, 8)])
            except BaseException as error:  # noqa: BLE001
                self._raised = self._raised or error

        hook, number = _lib.WATCH_FN(call), ctypes.c_uint32()
        lib.watch_add(self.handle, tile.at, address, size, hook, None, ctypes.byref(number))
        return Watch(self, int(number.value), hook)

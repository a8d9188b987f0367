# SPDX-License-Identifier: Apache-2.0
"""A chip."""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from types import TracebackType
from typing import Any, overload

import numpy as np

from . import _check, _files, _lib, elf, ends, findings, pictures, trace, why
from ._check import U32, U64
from ._lib import FAULTED, XY, ArgumentError, KerrError, lib
from ._listen import listening
from .lines import Place
from .tile import IDLE, Condition, Tile, Word, naming

_SLICE = 50_000_000  # nanoseconds: so long Ctrl-C may wait
_LAST = U64 - 1  # time goes no further
_EVERY = 1024  # kerr_until
_TRACED = 10_000  # SLICE_FIRST of tools/run.c


class Watch:
    """A function that is called when L1 is written; `remove` ends it."""

    def __init__(self, chip: Chip, number: int, keep: object):
        self._chip, self._number, self._keep = chip, number, keep

    def remove(self) -> None:
        if self._keep is not None:
            lib.watch_remove(self._chip.handle, self._number)
            self._chip._hooks -= 1
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
    fast: which mechanisms that change speed and nothing else are off, besides those of KERR_FAST: "-code,-park", "none,+park" and so on
    (`kerr info` lists them).
    """

    def __init__(self, *, threads: int = 0, seed: int = 0, harvest: str = "full", parking: bool = True, fast: str = "all",
                 shake: int = 0, checks: str | Iterable[str] = (), policy: Mapping[str, str] | None = None):
        config = _lib.Config()
        lib.config_init(ctypes.byref(config))
        config.threads, config.seed = _check.integer("threads", threads, 64), _check.integer("seed", seed, U64)
        config.no_parking, config.shake = not _check.flag("parking", parking), _check.integer("shake", shake, U64)
        if not isinstance(policy, (Mapping, type(None))):
            raise TypeError(f"policy: a dictionary as {{'race-l1': 'stop'}} is needed, not {policy!r}")
        mask = _mask(checks)
        for kind, what in (policy or {}).items():
            _finding_policy(kind, what)
        _check.string("harvest", harvest)
        if not lib.harvesting_by_name(harvest.encode(), ctypes.byref(config.harvesting)):
            raise ArgumentError(f"harvest: no shape {harvest!r}: full, p150 or p100, then masks such as ',tensix=0x3000'")
        wrong, without = _lib.TextError(), ctypes.c_uint32()
        if not lib.fast_parse(_check.string("fast", fast).encode(), ctypes.byref(without), ctypes.byref(wrong)):
            raise ArgumentError(f"fast: {wrong.text.decode()}")
        config.without = without.value
        if not lib.environment_check(ctypes.byref(wrong)):
            raise KerrError(wrong.text.decode())
        handle = ctypes.c_void_p()
        lib.create(ctypes.byref(config), ctypes.byref(handle))
        self._owner: _Owner | None = _Owner(handle)
        lib.set_slice(handle, _SLICE)
        self._trace: object = None  # kept alive while C may call it, or the file that is written
        self._told: Callable[[trace.TraceEvent], None] | None = None
        self._kinds = 0
        self._hooks = 0  # functions that C may call while time passes
        self._raised: BaseException | None = None
        self._tiles: dict[tuple[int, int], Tile] = {}
        lib.set_checks(self.handle, mask)
        for kind, what in (policy or {}).items():
            self.set_policy(kind, what)

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the chip, and a trace that is being written.  Its memory goes with the last view of it."""
        if isinstance(self._trace, _files.TraceFile) and self._owner is not None:
            self._trace.close()
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
        x, y = (_check.integer(name, value, U64, -U64) for name, value in (("x", x), ("y", y)))
        if (x, y) not in self._tiles:
            if not (0 <= x < 17 and 0 <= y < 12) or not lib.tile_is_on(self.handle, XY(x, y)):
                raise ArgumentError(f"no tile ({x},{y})")
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

    def _raise(self) -> None:
        """What a function of the caller's has raised comes out here, and Ctrl-C that came while it was called."""
        if self._raised is not None:
            raised, self._raised = self._raised, None
            raise raised

    def _check(self, status: int) -> None:
        self._raise()
        if status == FAULTED:
            raise findings.ChipStopped(self.findings)

    def _note(self, error: BaseException) -> None:
        """It must not pass through C: the call comes back soon, at a cycle that does not depend on the machine."""
        if self._raised is None:
            self._raised = error
            try:
                lib.cut(self.handle)
            except KerrError:
                pass  # it does not run

    def _may_go_on(self, _context: object) -> bool:
        return self._raised is None

    def _in_slices(self, call: Callable[[int], int], cycles: int, done: Callable[[], bool] = lambda: False, every: int = 0) -> int:
        """Calls it with the cycles that are left until they are over or it is done.  Between calls Python hears signals."""
        end = min(self.cycle + cycles, _LAST)
        if not self._hooks:
            return self._by_clock(call, end)
        with listening(self._note):
            if isinstance(self._trace, _files.TraceFile) or self._kinds & trace.PARKING:
                return self._by_cycles(call, end, done, every or _EVERY)
            return self._by_clock(call, end)

    def _by_clock(self, call: Callable[[int], int], end: int) -> int:
        while True:
            status = call(max(end - self.cycle, 0))
            self._raise()
            if status == FAULTED or not lib.was_cut(self.handle):
                return status

    def _by_cycles(self, call: Callable[[int], int], end: int, done: Callable[[], bool], every: int) -> int:
        """What a trace tells of parked cores depends on how calls are cut: as in `kerr run` (tools/run.c), not by the clock."""
        lib.set_slice(self.handle, 0)
        try:
            while True:
                target = min(end, ((self.cycle + _TRACED) // every + 1) * every)
                status = call(max(target - self.cycle, 0))
                self._raise()
                if status == FAULTED or done() or target == end or self.cycle < target:
                    return status
        finally:
            lib.set_slice(self.handle, _SLICE)

    def run(self, cycles: int) -> int:
        """Exactly so many cycles; the cycle it is then.  ChipStopped if a finding stops the chip.  Ctrl-C ends it between two cycles:
        it can go on from there."""
        self._check(self._in_slices(partial(lib.run, self.handle), _check.integer("cycles", cycles, U64)))
        return self.cycle

    def step(self, cycles: int = 1) -> list[trace.TraceEvent]:
        """So many cycles, and the instructions of baby cores that were issued in them."""
        issued: list[trace.TraceEvent] = []
        told, kinds = self._told, self._kinds

        def note(event: trace.TraceEvent) -> None:
            if event.kind == "instruction":
                issued.append(event)
            if told is not None and (event.kind != "instruction" or kinds & trace.INSTRUCTION):
                told(event)

        self.trace(kinds | trace.INSTRUCTION, note)
        try:
            self.run(cycles)
        finally:
            self.trace(kinds, told)
        return sorted(issued, key=lambda event: event.cycle)

    def run_until(self, condition: Condition | Callable[[], object] | None = None, most: int = 1_000_000_000, every: int = 0) -> int:
        """Until the condition holds; the cycle it is then.  Without one until the program has finished; the cycle in which its last
        core did.  A function is called, and what it returns looked at, whenever the cycle is a multiple of `every` (0: 1024), as other
        conditions are.  ChipHung if nothing can advance any more and the program is not finished; TimeoutError after `most` cycles, or
        if it is finished without the condition."""
        cycles, step = _check.integer("most", most, U64), _check.integer("every", every, U32)
        if condition is None or isinstance(condition, Condition):
            wanted = condition if condition is not None else Condition(IDLE, XY(0, 0), "the end of the program")
            if wanted.chip not in (None, self):
                raise ArgumentError(f"condition: {wanted.text} is of another chip")
            text, reached = wanted.text, self._until(wanted, cycles, step)
        elif callable(condition) and not isinstance(condition, Word):
            text = getattr(condition, "__qualname__", None) or repr(condition)
            reached = self._until_function(condition, cycles, step or _EVERY)
        else:
            raise TypeError(f"condition: tile.word(...) == number, core.is_(...) or a function is needed, not {condition!r}")
        end = self.end
        if (condition is None or not reached) and end.verdict == "hung":
            raise ends.ChipHung(end, self.why(), text)
        if not reached:
            reason = "finished without it" if end.verdict == "finished" else f"not after {cycles} cycles"
            raise TimeoutError(f"{reason}: {text}")
        return end.cycle if condition is None else self.cycle

    def _until(self, wanted: Condition, cycles: int, every: int) -> bool:
        raw, reached = _lib.Until.from_buffer_copy(wanted.raw), ctypes.c_bool()
        raw.every = every

        def call(left: int) -> int:
            return int(lib.run_until(self.handle, ctypes.byref(raw), left, ctypes.byref(reached)))

        self._check(self._in_slices(call, cycles, lambda: bool(reached.value), every))
        return bool(reached.value)

    def _until_function(self, function: Callable[[], object], cycles: int, every: int) -> bool:
        idle = Condition(IDLE, XY(0, 0), "")
        end = min(self.cycle + cycles, _LAST)
        while (now := self.cycle) < end:
            if now % every == 0:
                if _truth(function):
                    return True
                if self._until(idle, 0, every):
                    return False  # it would be in vain
            self.run(min(end, (now // every + 1) * every) - now)
        return _truth(function)

    @property
    def end(self) -> ends.End:
        """How it stands: whether it goes on, has finished or hangs, and since which cycle."""
        return ends.read_end(self)

    def reset(self) -> None:
        lib.reset(self.handle)

    @property
    def text(self) -> str:
        """How it stands: one line."""
        end = self.end
        found = f", {len(self.findings)} findings" if self.findings else ""
        return f"cycle {self.cycle}, {end.verdict}: {end.finished} of {end.cores} cores that were started have finished{found}"

    def __repr__(self) -> str:
        return f"<kerr.Chip {self.text if self._owner is not None else 'closed'}>"

    def _repr_html_(self) -> str:
        return pictures.chip(self) if self._owner is not None else "<p>closed</p>"

    def why(self) -> why.Why:
        """Who waits for whom: as text, and as data."""
        return why.why(self)

    # ---- source

    def place(self, tile: Tile, core: str | None, pc: int) -> Place | None:
        """Where in the source an instruction comes from: in the core's own program, else in another one of the tile."""
        found = self._lookup(tile.x, tile.y, tile.core(core).index if core is not None else None, _check.integer("pc", pc, U32))
        return found() if found is not None else None

    def _lookup(self, x: int, y: int, core: int | None, pc: int) -> Callable[[], Place | None] | None:
        """To ask later, of the programs that are loaded now."""
        program = self._program(x, y, core, pc)
        return partial(program.place, pc) if program is not None else None

    def _program(self, x: int, y: int, core: int | None, pc: int) -> elf.Program | None:
        tile = self._tiles.get((x, y))
        if tile is None:
            return None
        own = [tile.cores[core]] if core is not None and core < len(tile.cores) else []
        programs = [c.program for c in [*own, *(c for c in tile.cores if c not in own)] if c.program is not None]
        return next((program for program in programs if program.holds(pc)), None)

    # ---- findings

    @property
    def findings(self) -> list[findings.Finding]:
        """Faults and what checks found, in order of time."""
        return findings.read_findings(self)

    def set_checks(self, checks: str | Iterable[str]) -> None:
        lib.set_checks(self.handle, _mask(checks))

    def set_policy(self, kind: str, policy: str) -> None:
        lib.set_finding_policy(self.handle, *_finding_policy(kind, policy))

    def tell_buffer(self, tile: Tile, address: int, size: int, format: str) -> None:  # pylint: disable=redefined-builtin
        """As tile.declare(address, size, format)."""
        self._own(tile).declare(address, size, format)

    def _own(self, tile: Tile) -> Tile:
        if not isinstance(tile, Tile):
            raise TypeError(f"tile: a tile of this chip is needed, not {tile!r}")
        if tile.chip is not self:
            raise ArgumentError(f"tile: {tile.text} is another chip's")
        return tile

    # ---- snapshots

    @property
    def hash(self) -> int:
        """Over all state that can make a difference later."""
        value = ctypes.c_uint64()
        lib.hash(self.handle, ctypes.byref(value))
        return int(value.value)

    @overload
    def save(self) -> bytes: ...

    @overload
    def save(self, path: str | os.PathLike[str]) -> None: ...

    def save(self, path: str | os.PathLike[str] | None = None) -> bytes | None:
        """The whole chip, for `restore`.  With a path: into a file, as `kerr run --save` does, for kerr.Chip.load and for the command;
        it is there whole or not at all."""
        if path is not None:
            _files.save(self, _files.path_of(path))
            return None
        parts: list[bytes] = []

        def write(_context: int, data: int, size: int) -> bool:
            parts.append(ctypes.string_at(data, size))
            return self._raised is None

        self._streaming(lib.save, _lib.WRITE_FN(write))
        return b"".join(parts)

    def _streaming(self, call: Callable[..., int], function: object) -> None:
        try:
            with listening(self._note):
                call(self.handle, function, None)
        except KerrError:
            self._raise()
            raise
        self._raise()

    def restore(self, saved: bytes | str | os.PathLike[str]) -> None:
        """What `save` gave, or the file that it or `kerr run --save` wrote.  KerrError, and the chip unchanged, if it is no snapshot of
        such a build."""
        if isinstance(saved, (str, os.PathLike)):
            _files.restore(self, _files.path_of(saved), True)
            return
        given, at = _check.data("saved", saved), 0

        def read(_context: int, data: int, size: int) -> bool:
            nonlocal at
            if at + size > len(given) or self._raised is not None:
                return False
            ctypes.memmove(data, bytes(given[at:at + size]), size)
            at += size
            return True

        self._streaming(lib.restore, _lib.READ_FN(read))

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, threads: int = 0, parking: bool = True, checks: str | Iterable[str] = (),
             policy: Mapping[str, str] | None = None) -> Chip:
        """The chip that `save` or `kerr run --save` put into a file."""
        name = _files.path_of(path)
        _files.must_open(name, False)
        chip = cls(threads=threads, parking=parking, policy=policy)
        try:
            _files.restore(chip, name, False)
            chip.set_checks(checks)
        except BaseException:
            chip.close()
            raise
        return chip

    # ---- hooks

    @overload
    def trace(self, kinds: int, function: Callable[[trace.TraceEvent], None] | None) -> None: ...

    @overload
    def trace(self, kinds: str | os.PathLike[str]) -> _files.TraceFile: ...

    def trace(self, kinds: int | str | os.PathLike[str], function: Callable[[trace.TraceEvent], None] | None = None,
              ) -> _files.TraceFile | None:
        """trace(kinds, function) calls it for each event of these kinds (kerr.INSTRUCTION | kerr.TENSIX ...); None ends it.  What it
        raises comes out of `run`.  trace(path) writes all into a file for ui.perfetto.dev, as `kerr run --trace` does, until the
        `close` of what it returns: `with chip.trace("run.perfetto"): chip.run(1000)`."""
        if isinstance(self._trace, _files.TraceFile):
            raise KerrError(f"a trace is being written to {self._trace.path}: close it first")
        if isinstance(kinds, (str, os.PathLike)):
            if function is not None:
                raise TypeError("function: a file takes the events by itself")
            if self._told is not None:
                raise KerrError("a trace is on: trace(0, None) ends it")
            self._trace = file = _files.TraceFile(self, _files.path_of(kinds), self._function_at)
            self._hooks += 1
            return file
        mask = _check.integer("kinds", kinds, 63)
        if function is None or mask == 0:
            if function is not None:
                _check.function("function", function)
            lib.set_trace_kinds(self.handle, 0, _lib.TRACE_FN(), None)
            self._hooks -= self._trace is not None
            self._trace, self._told, self._kinds = None, None, 0
            return None
        _check.function("function", function)
        told = function

        def call(_context: int, event: Any) -> None:
            if self._raised is not None:
                return
            try:
                told(trace.event_from(event.contents))
            except BaseException as error:  # noqa: BLE001  it must not pass through C
                self._note(error)

        hook = _lib.TRACE_FN(call)
        lib.set_trace_kinds(self.handle, mask, hook, None)
        self._hooks += self._trace is None
        self._trace, self._told, self._kinds = hook, told, mask
        return None

    def _function_at(self, x: int, y: int, core: int, pc: int) -> str | None:
        program = self._program(x, y, core, pc)
        return program.function(pc) if program is not None else None

    def watch(self, tile: Tile, address: int, size: int, function: Callable[[int, str | None, int, bytes], None]) -> Watch:
        """Calls function(cycle, core, address, bytes) when [address, address + size) of L1 is about to change; of long
        writes bytes are the first eight."""
        self._own(tile)
        at, many = _check.integer("address", address, U32), _check.integer("size", size, U32)
        _check.function("function", function)

        def call(_context: int, event: Any) -> None:
            if self._raised is not None:
                return
            e = event.contents
            core = lib.core_name_of(tile.kind_number, e.core).decode() if e.core >= 0 else None
            try:
                function(e.cycle, core, e.address, int(e.value).to_bytes(8, "little")[:min(e.size, 8)])
            except BaseException as error:  # noqa: BLE001
                self._note(error)

        hook, number = _lib.WATCH_FN(call), ctypes.c_uint32()
        with naming(at, many, f"tile {tile.text}"):
            lib.watch_add(self.handle, tile.at, at, many, hook, None, ctypes.byref(number))
        self._hooks += 1
        return Watch(self, int(number.value), hook)


def _truth(function: Callable[[], object]) -> bool:
    value = function()
    if not isinstance(value, (bool, int, np.bool_, np.integer)):
        raise TypeError(f"condition: the function has to return True or False, not {value!r}")
    return bool(value)


def _mask(checks: str | Iterable[str]) -> int:
    mask = 0
    for name in _check.strings("checks", checks):
        if name not in findings.CHECKS:
            raise ArgumentError(f"checks: no check {name!r}: {', '.join(findings.CHECKS)}")
        mask |= findings.CHECKS[name]
    return mask


def _finding_policy(kind: str, policy: str) -> tuple[int, int]:
    number = ctypes.c_uint32()
    if not lib.finding_by_name(_check.string("kind", kind).encode(), ctypes.byref(number)):
        raise ArgumentError(f"kind: no kind of finding {kind!r}: {', '.join(findings.finding_kinds())}")
    if _check.string("policy", policy) not in findings.POLICIES:
        raise ArgumentError(f"policy: no policy {policy!r}: {', '.join(findings.POLICIES)}")
    return number.value, findings.POLICIES[policy]

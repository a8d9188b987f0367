# SPDX-License-Identifier: Apache-2.0
"""Tiles, their cores and Tensix threads."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from . import _check, _lib, elf, pictures, state, trace
from ._check import U32, U64
from ._lib import XY, ArgumentError, KerrError, lib
from .data import as_float32
from .lines import Place
from .text import disassemble_riscv

if TYPE_CHECKING:
    from .chip import Chip

TILE_KINDS = ("none", "tensix", "eth", "dram", "pcie", "arc", "l2cpu", "security")
WORD_EQ, WORD_NE, CORE_STATE, IDLE = range(4)
_FILES = {"SrcA": (0, 128), "SrcB": (1, 128), "bf16": (2, 1024), "fp16": (3, 1024), "raw16": (4, 1024), "fp32": (5, 512),
          "raw32": (6, 512)}
_PIECE = 1 << 24  # so many bytes are copied in one call of C, in which Ctrl-C is not heard


class Condition:
    """What Chip.run_until waits for."""

    def __init__(self, kind: int, at: XY, text: str, core: int = 0, address: int = 0, mask: int = U32, value: int = 0,
                 chip: Chip | None = None):
        self.chip = chip
        self.raw = _lib.Until(kind=kind, at=at, core=core, address=address, mask=mask, value=value)
        self.text = text

    def __repr__(self) -> str:
        return f"Condition({self.text})"

    def __bool__(self) -> bool:
        raise TypeError(f"{self} is for run_until; it says nothing about now")


class Word:
    """A word of memory to wait for: `tile.word(0x10000) == 1`."""

    def __init__(self, tile: Tile, address: int, mask: int):
        self.tile, self.address, self.mask = tile, address, mask

    def _condition(self, kind: int, sign: str, value: object) -> Condition:
        number = _check.integer("a word is compared with a number: value", value, U32)
        text = f"{self.tile.text} word 0x{self.address:x} {sign} 0x{number:x}"
        return Condition(kind, self.tile.at, text, address=self.address, mask=self.mask, value=number,
                         chip=self.tile.chip)

    def __repr__(self) -> str:
        return f"Word({self.tile.text} 0x{self.address:x})"

    def __eq__(self, value: object) -> Condition:  # type: ignore[override]
        return self._condition(WORD_EQ, "==", value)

    def __ne__(self, value: object) -> Condition:  # type: ignore[override]
        return self._condition(WORD_NE, "!=", value)

    __hash__ = None  # type: ignore[assignment]


class Core:
    """A baby core: B, T0, T1, T2 and NC of a Tensix tile, E0 and E1 of an Ethernet tile, D of a DRAM tile."""

    def __init__(self, tile: Tile, index: int):
        self.tile, self.index = tile, index
        self.name: str = lib.core_name_of(tile.kind_number, index).decode()
        self.program: elf.Program | None = None

    def __repr__(self) -> str:
        return f"{self.tile.text}:{self.name}"

    def _repr_html_(self) -> str:
        return pictures.table(pictures.CORE_HEAD, [pictures.core_row(self)])

    def load(self, program: str | os.PathLike[str] | bytes, address: int | None = None, idle: Iterable[str] = ()) -> int:
        """A 32-bit RISC-V ELF file, or the bytes of code for `address`.  Returns where it starts.  All or nothing: a file
        that is broken, does not fit or was linked for another core raises and changes nothing.  `idle`: symbols in loops where the
        core may stay for good, besides those that the program names itself."""
        names = _check.strings("idle", idle)
        if isinstance(program, (str, os.PathLike)):
            if address is not None:
                raise ArgumentError(f"address: {os.fspath(program)} says itself where it goes")
            parts = elf.read(program, names)
        else:
            if names:
                raise ArgumentError("idle: bytes have no symbols")
            code, at = bytes(_check.data("program", program)), _check.integer("address", 0 if address is None else address, U32)
            parts = elf.Program([(at, code, len(code))], [], at)
        if parts.core is not None and self.tile.kind == "tensix" and parts.core != self.index:
            linked = lib.core_name_of(self.tile.kind_number, parts.core).decode()
            raise KerrError(f"{program!s}: is linked for RISCV {linked}, not for {self.name}")
        places = (_lib.Code * len(parts.ends))(*[_lib.Code(first, size) for first, size in parts.ends])
        segments = parts.segments
        raw = (_lib.Segment * len(segments))(*[
            _lib.Segment(address=at, memory_size=size, file_size=len(data), data=data) for at, data, size in segments])
        try:
            lib.load(self.tile.chip.handle, self.tile.at, self.index, raw, len(segments))
        except ArgumentError as error:
            where = ", ".join(f"{size} bytes at 0x{at:x}" for at, _, size in segments)
            raise ArgumentError(f"{parts.name or 'address'}: {where}: {error}", error.status) from None
        lib.set_ends(self.tile.chip.handle, self.tile.at, self.index, places, len(places))
        self.program = parts
        return parts.entry

    def start(self, pc: int | None = None) -> None:
        """Lets the core out of reset at `pc`, or where its program begins."""
        if pc is None and self.program is None:
            raise KerrError(f"{self}: no program is loaded and no pc given")
        where = _check.integer("pc", pc, U32) if pc is not None or self.program is None else self.program.entry
        lib.core_start(self.tile.chip.handle, self.tile.at, self.index, where)
        for address, data in self.program.local if self.program is not None else ():  # leaving reset clears local RAM
            self.poke(address, data)

    def reset(self, held: bool = True) -> None:
        lib.core_reset(self.tile.chip.handle, self.tile.at, self.index, _check.flag("held", held))

    def step(self, count: int = 1, most: int = 100_000) -> dict[str, Any]:
        """Runs the chip until this core has issued so many instructions more, and says where it stands then: `state`, with the
        instruction at its pc and its place in the source.  TimeoutError if it does not come to it in `most` cycles, KerrError if it is
        in reset, halted or stopped."""
        left, most = _check.integer("count", count, U32), _check.integer("most", most, U64)
        chip = self.tile.chip
        for _ in range(left):
            raw = state.core_info(self)
            before, at = raw.instructions, trace.CORE_STATES[raw.state]
            if at in ("reset", "halted", "stopped"):
                raise KerrError(f"{self} is {'in reset' if at == 'reset' else at}")
            while raw.instructions == before:
                if most == 0:
                    raise TimeoutError(f"{self} does not get on: {self.doing()}")
                most -= 1
                chip.run(1)
                raw = state.core_info(self)
        now = self.state
        return {**now, "instruction": self.disassemble(now["pc"]), "place": self.place(now["pc"])}

    @property
    def state(self) -> dict[str, Any]:
        return state.core_state(self)

    def doing(self) -> str:
        """What it does, where: one line."""
        now = self.state
        what = f" {now['waits_for']}" if "waits_for" in now else ""
        place = self.place(now["pc"])
        return f"{now['stand']}{what}, pc 0x{now['pc']:05x}{f' in {place}' if place else ''}"

    def place(self, pc: int | None = None) -> Place | None:
        """Where in the source `pc`, or where it stands, comes from; None if its program does not say."""
        where = self.pc if pc is None else _check.integer("pc", pc, U32)
        return self.program.place(where) if self.program is not None else None

    def disassemble(self, pc: int | None = None) -> str:
        """The instruction at `pc`, or where it stands."""
        where = self.pc if pc is None else _check.integer("pc", pc, U32)
        try:
            return disassemble_riscv(int.from_bytes(self.peek(where, 4), "little"), where)
        except KerrError:
            return "?"

    @property
    def pc(self) -> int:
        return int(state.core_info(self).pc)

    def is_(self, wanted: str) -> Condition:
        """For run_until: "reset", "running", "parked", "waiting", "halted" or "stopped"."""
        if wanted not in trace.CORE_STATES:
            raise ArgumentError(f"wanted: no state {wanted!r}: {', '.join(trace.CORE_STATES)}")
        return Condition(CORE_STATE, self.tile.at, f"{self} is {wanted}", core=self.index,
                         value=trace.CORE_STATES.index(wanted), chip=self.tile.chip)

    def register(self, number: int) -> int:
        """x0 to x31 are 0 to 31, f0 to f31 32 to 63, pc 64, CSRs 0x1000 and up, vector registers of T2 0x2000 and up, by words."""
        value = ctypes.c_uint32()
        lib.reg_get(self.tile.chip.handle, self.tile.at, self.index, _register(number), ctypes.byref(value))
        return int(value.value)

    def set_register(self, number: int, value: int) -> None:
        lib.reg_set(self.tile.chip.handle, self.tile.at, self.index, _register(number), _check.integer("value", value, U32))

    @property
    def x(self) -> list[int]:
        return [self.register(i) for i in range(32)]

    def peek(self, address: int, size: int) -> bytes:
        """Memory as this core sees it: its local RAM is at 0xFFB00000."""
        at, count = _check.integer("address", address, U32), _check.integer("size", size, _PIECE)
        buffer = ctypes.create_string_buffer(count)
        with naming(at, count, self):
            lib.core_peek(self.tile.chip.handle, self.tile.at, self.index, at, buffer, count)
        return buffer.raw

    def poke(self, address: int, data: Any) -> None:
        at, given = _check.integer("address", address, U32), bytes(_check.data("data", data))
        with naming(at, len(given), self):
            lib.core_poke(self.tile.chip.handle, self.tile.at, self.index, at, given, len(given))


def _register(number: int) -> int:
    which = _check.integer("number", number, 0x207F)
    if 64 < which < 0x1000:
        raise ArgumentError(f"number: {which} is no register: x 0 to 31, f 32 to 63, pc 64, CSRs 0x1000 and up, vectors 0x2000 and up")
    return which


class naming:
    """What C says of an address names it."""

    def __init__(self, address: int, size: int, where: object):
        self.text = f"address: 0x{address:x}, size {size}, of {where}"

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, ArgumentError):
            raise ArgumentError(f"{self.text}: {str(error).rpartition(': ')[2]}", error.status) from None


class Thread:
    """A thread of the Tensix coprocessor, 0 to 2."""

    def __init__(self, tile: Tile, index: int):
        self.tile, self.index = tile, index

    def __repr__(self) -> str:
        return f"<kerr.Thread {self.tile.text} Tensix T{self.index}: {self.doing()}>"

    def _repr_html_(self) -> str:
        return pictures.table(pictures.THREAD_HEAD, [pictures.thread_row(self)])

    @property
    def state(self) -> dict[str, Any]:
        return state.thread_state(self)

    def doing(self) -> str:
        """What it does: one line."""
        now = self.state
        if not now["waits"]:
            return f"{now['in_flight']} in flight" if now["in_flight"] else "nothing to do"
        return f"{now['instruction']} waits since cycle {now['since']}: {now['reason']}"


class Dst(np.ndarray[Any, np.dtype[np.float32]]):
    """Rows of Dst as numbers: an array that a notebook shows as a picture."""

    def _repr_html_(self) -> str:
        return pictures.numbers(self) if self.ndim == 2 and self.shape[1] <= 64 else f"<pre>{self!r}</pre>"


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
        self.kind_number: int = lib.tile_kind_at(self.at)
        self.kind = TILE_KINDS[self.kind_number]
        self.cores: list[Core] = [Core(self, i) for i in range(lib.tile_cores(self.kind_number))]
        for core in self.cores:
            setattr(self, core.name, core)
        self.threads = [Thread(self, i) for i in range(3)] if self.kind == "tensix" else []

    @property
    def text(self) -> str:
        return f"({self.x},{self.y})"

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        stands = ", ".join(f"{core.name} {core.state['stand']}" for core in self.cores)
        return f"<kerr.Tile {self.text} {self.kind}{': ' if stands else ''}{stands}>"

    def _repr_html_(self) -> str:
        return pictures.tile(self)

    def core(self, name: str) -> Core:
        for core in self.cores:
            if core.name == name:
                return core
        raise ArgumentError(f"name: tile {self.text} has no core {name!r}: {', '.join(c.name for c in self.cores) or 'none at all'}")

    # ---- memory

    def _extent(self, address: int) -> tuple[int, int]:
        """Where the bytes from `address` to the end of its memory are, and how many; 0 if they are no memory."""
        where, size = ctypes.c_void_p(), ctypes.c_uint64()
        try:
            lib.memory_view(self.chip.handle, self.at, address, ctypes.byref(where), ctypes.byref(size))
        except ArgumentError:
            return 0, 0
        return where.value or 0, int(size.value)

    def _range(self, address: int, size: int) -> tuple[int, int, int]:
        """Checked, with how many of the bytes go into one call.  Memory may be long; registers are few."""
        at = _check.integer("address", address, U64)
        count = _check.integer("size", size, U64)
        memory = self._extent(at)[1]
        if count > (memory or _PIECE):
            raise ArgumentError(f"size: {count} bytes from 0x{at:x} on are more than tile {self.text} has there"
                                + (f", {memory}" if memory else ""))
        return at, count, _PIECE if memory else max(count, 1)

    def _get(self, address: int, size: int, function: str) -> bytes:
        at, count, piece = self._range(address, size)
        buffer = bytearray(count)
        whole = (ctypes.c_char * count).from_buffer(buffer) if count else ctypes.create_string_buffer(0)
        call = getattr(lib, function)
        for i in range(0, max(count, 1), piece):
            part = min(piece, count - i)
            with naming(at, count, f"tile {self.text}"):
                self.chip._check(call(self.chip.handle, self.at, at + i, ctypes.byref(whole, i), part))
        del whole
        return bytes(buffer)

    def _put(self, address: int, data: Any, function: str) -> None:
        given = _check.data("data", data)
        at, count, piece = self._range(address, len(given))
        call = getattr(lib, function)
        for i in range(0, max(count, 1), piece):
            with naming(at, count, f"tile {self.text}"):
                self.chip._check(call(self.chip.handle, self.at, at + i, bytes(given[i:i + piece]), min(piece, count - i)))

    def view(self, address: int = 0) -> npt.NDArray[np.uint8]:
        """The bytes of L1, or of a DRAM bank, from `address` on: no copy, and it goes with the chip.  Read-only, because the
        chip must notice a write: use `poke` or `write`."""
        at = _check.integer("address", address, U64)
        where, size = self._extent(at)
        if size == 0:
            raise ArgumentError(f"address: 0x{at:x} of tile {self.text} is no L1 and no DRAM")
        raw = (ctypes.c_uint8 * size).from_address(where)
        setattr(raw, "_owner", self.chip._owner)  # the array keeps the memory alive
        array: npt.NDArray[np.uint8] = np.ctypeslib.as_array(raw)
        array.flags.writeable = False
        return array

    @property
    def l1(self) -> npt.NDArray[np.uint8]:
        return self.view()

    def peek(self, address: int, size: int) -> bytes:
        """As a debugger: nothing else changes."""
        return self._get(address, size, "peek")

    def poke(self, address: int, data: Any) -> None:
        self._put(address, data, "poke")

    def read(self, address: int, size: int) -> bytes:
        """As a request over the NoC, side effects included."""
        return self._get(address, size, "read")

    def write(self, address: int, data: Any) -> None:
        self._put(address, data, "write")

    def word(self, address: int, mask: int = U32) -> Word:
        """For run_until: `tile.word(0x10000) == 1`."""
        at = _check.integer("address", address, U32)
        if at % 4 != 0:
            raise ArgumentError(f"address: 0x{at:x} is no multiple of 4")
        return Word(self, at, _check.integer("mask", mask, U32))

    def declare(self, address: int, size: int, format: str) -> None:  # pylint: disable=redefined-builtin
        """L1 holds numbers of a format there ("BF16", "BFP8": kerr.data_formats()): a packer that writes other ones, or an unpacker
        that reads others, is a finding of kind buffer-format.  Needs checks="memory".  Size 0: all of this tile are forgotten."""
        at, count = _check.integer("address", address, U64), _check.integer("size", size, U64)
        number = ctypes.c_uint32()
        if not lib.data_format_by_name(_check.string("format", format).encode(), ctypes.byref(number)):
            raise ArgumentError(f"format: no format {format!r}: {', '.join(data_formats())}")
        try:
            with naming(at, count, f"tile {self.text}"):
                lib.tell_buffer(self.chip.handle, self.at, at, count, number.value)
        except ArgumentError:
            raise
        except KerrError as error:
            if error.status == _lib.BAD_STATE:
                raise KerrError("formats of buffers are looked at with checks=\"memory\" or \"all\" only", error.status) from None
            raise

    # ---- the coprocessor

    def rows(self, name: str, first: int = 0, count: int | None = None) -> npt.NDArray[np.uint32]:
        """Rows of "SrcA" or "SrcB", or of Dst as "bf16", "fp16", "raw16", "fp32" or "raw32": 16 numbers each, their bits."""
        if not isinstance(name, str) or name not in _FILES:
            raise ArgumentError(f"name: no register file {name!r}: {', '.join(_FILES)}")
        if self.kind != "tensix":
            raise KerrError(f"tile {self.text} has no coprocessor")
        number, rows = _FILES[name]
        begin = _check.integer("first", first, rows)
        many = rows - begin if count is None else _check.integer("count", count, rows - begin)
        out = np.zeros((many, _lib.COLUMNS), dtype=np.uint32)
        for i in range(many):
            row = out[i].ctypes.data_as(ctypes.POINTER(ctypes.c_uint32))
            lib.data_row(self.chip.handle, self.at, number, begin + i, row)
        return out

    def dst(self, kind: str = "bf16", first: int = 0, count: int | None = None) -> Dst:
        """Rows of Dst as numbers."""
        if kind not in ("bf16", "fp16", "fp32"):
            raise ArgumentError(f"kind: no format {kind!r}: bf16, fp16 or fp32")
        return as_float32(self.rows(kind, first, count), kind).view(Dst)

    @property
    def state(self) -> dict[str, Any]:
        """Cores, Tensix threads, semaphores, mutexes and banks, decoded."""
        whole: dict[str, Any] = {"tile": (self.x, self.y), "kind": self.kind, "cores": [c.state for c in self.cores]}
        if self.kind == "tensix":
            whole.update(threads=[t.state for t in self.threads], **state.sync_state(self))
        return whole


def data_formats() -> list[str]:
    """The names of the formats that packers and unpackers know."""
    names = (lib.data_format_name(i) for i in range(256))
    return [name.decode() for name in names if name is not None]

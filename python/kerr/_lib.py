# SPDX-License-Identifier: Apache-2.0
"""include/kerr.h and include/kerr_findings.h for ctypes.  tests/python/layout.py compares every struct with the compiler's."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char, c_char_p, c_int8, c_int, c_size_t, c_uint8, c_uint32,
                    c_uint64, c_void_p)
from pathlib import Path
from typing import Any, Callable

HISTORY = 32
ALSO = 8
FAULT_KINDS = 8
COLUMNS = 16


class XY(Structure):
    _fields_ = [("x", c_uint8), ("y", c_uint8)]


class Harvesting(Structure):
    _fields_ = [("tensix_columns", ctypes.c_uint16), ("eth", ctypes.c_uint16), ("dram", c_uint8), ("l2cpu", c_uint8),
                ("pcie", c_uint8), ("reserved", c_uint8)]


class Config(Structure):
    _fields_ = [("struct_size", c_uint32), ("threads", c_uint32), ("seed", c_uint64), ("window_cycles", c_uint32),
                ("max_block", c_uint32), ("no_parking", c_bool), ("reserved", c_bool * 3), ("without", c_uint32),
                ("policy", c_int * FAULT_KINDS), ("harvesting", Harvesting), ("shake", c_uint64)]


class Segment(Structure):
    _fields_ = [("address", c_uint32), ("memory_size", c_uint32), ("file_size", c_uint32), ("data", c_char_p)]


class CoreInfo(Structure):
    _fields_ = [("state", c_int), ("pc", c_uint32), ("cycles", c_uint64), ("instructions", c_uint64),
                ("wait_address", c_uint32), ("wait_is_store", c_bool), ("reserved", c_bool * 3)]


class Until(Structure):
    _fields_ = [("kind", c_int), ("at", XY), ("core", c_int), ("address", c_uint32), ("mask", c_uint32),
                ("value", c_uint32), ("every", c_uint32)]


class ThreadInfo(Structure):
    _fields_ = [("waits", c_bool), ("in_flight", c_uint8), ("reason", c_uint8), ("by", c_int8), ("pushed_by_b", c_bool),
                ("reserved", c_uint8 * 3), ("word", c_uint32), ("pc", c_uint32), ("detail", c_uint32),
                ("since", c_uint64)]


class Semaphore(Structure):
    _fields_ = [("value", c_uint8), ("max", c_uint8)]


class SyncInfo(Structure):
    _fields_ = [("semaphore", Semaphore * 8), ("mutex", c_int8 * 8), ("matrix_owns", (c_bool * 2) * 2)]


class Access(Structure):
    _fields_ = [("actor", c_uint8), ("tile", XY), ("core", c_int8), ("thread", c_uint8), ("unit", c_uint8),
                ("noc", c_uint8), ("is_write", c_bool), ("pc", c_uint32), ("instruction", c_uint32),
                ("address", c_uint32), ("size", c_uint32), ("cycle", c_uint64)]


class TraceTensix(Structure):
    _fields_ = [("event", c_uint8), ("thread", c_uint8), ("unit", c_uint8), ("reason", c_uint8), ("by", c_int8),
                ("last", c_bool), ("reserved", c_uint8 * 2), ("word", c_uint32), ("pc", c_uint32), ("detail", c_uint32),
                ("reserved_2", c_uint32), ("begin", c_uint64), ("end", c_uint64)]


class TraceEvent(Structure):
    _fields_ = [("cycle", c_uint64), ("at", XY), ("core", c_int), ("kind", c_int), ("pc", c_uint32),
                ("instruction", c_uint32), ("address", c_uint32), ("state", c_int), ("is_store", c_bool),
                ("space", c_uint8), ("tensix", POINTER(TraceTensix)), ("shake", c_void_p), ("access", POINTER(Access))]


class WatchEvent(Structure):
    _fields_ = [("cycle", c_uint64), ("at", XY), ("core", c_int8), ("address", c_uint32), ("size", c_uint32),
                ("value", c_uint64)]


class Step(Structure):
    _fields_ = [("cycle", c_uint64), ("pc", c_uint32), ("instruction", c_uint32)]


class Also(Structure):
    _fields_ = [("core", c_int8), ("other_core", c_int8), ("pc", c_uint32), ("other_pc", c_uint32)]


class Finding(Structure):
    _fields_ = [("kind", c_uint32), ("severity", c_int), ("tile", XY), ("stopping", c_bool), ("times", c_uint32),
                ("access", Access), ("other", Access), ("field", c_char_p), ("manual", c_char_p), ("text", c_char * 200),
                ("history_count", c_uint32), ("history", Step * HISTORY), ("also_count", c_uint32),
                ("also", Also * ALSO)]


class TextError(Structure):
    _fields_ = [("column", c_uint32), ("text", c_char * 160)]


class Code(Structure):
    _fields_ = [("first", c_uint32), ("size", c_uint32)]


class CoreEnd(Structure):
    _fields_ = [("stand", c_int), ("pc", c_uint32), ("cycle", c_uint64), ("instructions", c_uint64)]


class End(Structure):
    _fields_ = [("verdict", c_int), ("cores", c_uint32), ("finished", c_uint32), ("threads", c_uint32), ("cycle", c_uint64),
                ("instructions", c_uint64)]


class Waiter(Structure):
    _fields_ = [("what", c_uint8), ("released_by", c_uint8), ("stuck", c_bool), ("reserved", c_uint8), ("number", c_uint32),
                ("address", c_uint32)]


TRACE_FN = CFUNCTYPE(None, c_void_p, POINTER(TraceEvent))
WATCH_FN = CFUNCTYPE(None, c_void_p, POINTER(WatchEvent))
WRITE_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
READ_FN = CFUNCTYPE(c_bool, c_void_p, c_void_p, c_size_t)
# Of tools/python/files.h.
ASK_FN = CFUNCTYPE(c_bool, c_void_p)
FUNCTION_FN = CFUNCTYPE(c_void_p, c_void_p, XY, ctypes.c_uint, c_uint32)

# What the tests compare with the C compiler: name in C, class here.
STRUCTS = {
    "kerr_xy": XY, "kerr_harvesting": Harvesting, "kerr_config": Config, "kerr_segment": Segment,
    "kerr_core_info": CoreInfo, "kerr_until": Until, "kerr_thread_info": ThreadInfo, "kerr_sync_info": SyncInfo,
    "kerr_trace_tensix": TraceTensix, "kerr_trace_event": TraceEvent, "kerr_watch_event": WatchEvent,
    "kerr_code": Code, "kerr_core_end": CoreEnd, "kerr_end": End,
    "kerr_access": Access, "kerr_step": Step, "kerr_also": Also, "kerr_finding": Finding, "kerr_text_error": TextError,
    "kerr_waiter": Waiter,
}

_chip = c_void_p
# name: (result, arguments).  A result of None is a kerr_status that call() checks.
FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "kerr_status_text": (c_char_p, [c_int]),
    "kerr_version": (c_char_p, []),
    "kerr_tile_kind_at": (c_int, [XY]),
    "kerr_tensix_xy": (XY, [c_uint32]),
    "kerr_eth_xy": (XY, [c_uint32]),
    "kerr_dram_xy": (XY, [c_uint32]),
    "kerr_tile_cores": (c_uint32, [c_int]),
    "kerr_harvesting_by_name": (c_bool, [c_char_p, POINTER(Harvesting)]),
    "kerr_core_name_of": (c_char_p, [c_int, c_int]),
    "kerr_core_by_name": (c_bool, [c_char_p, POINTER(c_int)]),
    "kerr_config_init": ("void", [POINTER(Config)]),
    "kerr_fast_parse": (c_bool, [c_char_p, POINTER(c_uint32), POINTER(TextError)]),
    "kerr_environment_check": (c_bool, [POINTER(TextError)]),
    "kerr_create": (None, [POINTER(Config), POINTER(_chip)]),
    "kerr_destroy": ("void", [_chip]),
    "kerr_reset": (None, [_chip]),
    "kerr_tile_is_on": (c_bool, [_chip, XY]),
    "kerr_peek": (None, [_chip, XY, c_uint64, c_void_p, c_size_t]),
    "kerr_poke": (None, [_chip, XY, c_uint64, c_void_p, c_size_t]),
    "kerr_read": (None, [_chip, XY, c_uint64, c_void_p, c_size_t]),
    "kerr_write": (None, [_chip, XY, c_uint64, c_void_p, c_size_t]),
    "kerr_core_peek": (None, [_chip, XY, c_int, c_uint32, c_void_p, c_size_t]),
    "kerr_core_poke": (None, [_chip, XY, c_int, c_uint32, c_void_p, c_size_t]),
    "kerr_memory_view": (None, [_chip, XY, c_uint64, POINTER(c_void_p), POINTER(c_uint64)]),
    "kerr_load": (None, [_chip, XY, c_int, POINTER(Segment), c_size_t]),
    "kerr_core_query": (None, [_chip, XY, c_int, POINTER(CoreInfo)]),
    "kerr_reg_get": (None, [_chip, XY, c_int, c_uint32, POINTER(c_uint32)]),
    "kerr_reg_set": (None, [_chip, XY, c_int, c_uint32, c_uint32]),
    "kerr_core_reset": (None, [_chip, XY, c_int, c_bool]),
    "kerr_core_start": (None, [_chip, XY, c_int, c_uint32]),
    "kerr_cycle": (None, [_chip, POINTER(c_uint64)]),
    "kerr_run": (None, [_chip, c_uint64]),
    "kerr_run_until": (None, [_chip, POINTER(Until), c_uint64, POINTER(c_bool)]),
    "kerr_set_slice": (None, [_chip, c_uint64]),
    "kerr_cut": (None, [_chip]),
    "kerr_was_cut": (c_bool, [_chip]),
    "kerr_set_ends": (None, [_chip, XY, c_int, POINTER(Code), c_size_t]),
    "kerr_core_end_query": (None, [_chip, XY, c_int, POINTER(CoreEnd)]),
    "kerr_end_query": (None, [_chip, POINTER(End)]),
    "kerr_stand_name": (c_char_p, [c_int]),
    "kerr_verdict_name": (c_char_p, [c_int]),
    "kerr_save": (None, [_chip, WRITE_FN, c_void_p]),
    "kerr_restore": (None, [_chip, READ_FN, c_void_p]),
    "kerr_hash": (None, [_chip, POINTER(c_uint64)]),
    "kerr_disassemble_tensix": (c_bool, [c_uint32, c_char_p, c_size_t]),
    "kerr_disassemble_riscv": (c_bool, [c_uint32, c_uint32, c_char_p, c_size_t]),
    "kerr_assemble_tensix": (c_int, [c_char_p, POINTER(c_uint32), POINTER(TextError)]),
    "kerr_data_row": (None, [_chip, XY, c_int, c_uint32, POINTER(c_uint32)]),
    "kerr_tensix_unit_name": (c_char_p, [c_int]),
    "kerr_thread_query": (None, [_chip, XY, c_uint32, POINTER(ThreadInfo)]),
    "kerr_sync_query": (None, [_chip, XY, POINTER(SyncInfo)]),
    "kerr_set_trace_kinds": (None, [_chip, c_uint32, TRACE_FN, c_void_p]),
    "kerr_address_format": (c_size_t, [c_int, c_int, c_uint32, c_bool, c_char_p, c_size_t]),
    "kerr_watch_add": (None, [_chip, XY, c_uint32, c_uint32, WATCH_FN, c_void_p, POINTER(c_uint32)]),
    "kerr_watch_remove": (None, [_chip, c_uint32]),
    "kerr_finding_kinds": (c_uint32, []),
    "kerr_finding_name": (c_char_p, [c_uint32]),
    "kerr_finding_title": (c_char_p, [c_uint32]),
    "kerr_finding_by_name": (c_bool, [c_char_p, POINTER(c_uint32)]),
    "kerr_set_checks": (None, [_chip, c_uint32]),
    "kerr_set_finding_policy": (None, [_chip, c_uint32, c_int]),
    "kerr_finding_count": (None, [_chip, POINTER(c_uint32)]),
    "kerr_finding_get": (None, [_chip, c_uint32, POINTER(Finding)]),
    "kerr_waiters": (None, [_chip, XY, POINTER(Waiter)]),
    "kerr_tell_buffer": (None, [_chip, XY, c_uint64, c_uint64, c_uint32]),
    "kerr_data_format_name": (c_char_p, [c_uint32]),
    "kerr_data_format_by_name": (c_bool, [c_char_p, POINTER(c_uint32)]),
    "kerr_is_ttinsn": (c_bool, [c_uint32, POINTER(c_uint32)]),
}


_text = [c_char_p, c_size_t]
# Of libkerr_files.so, tools/python/files.h.
FILES = {
    "kerr_files_save": (c_bool, [c_char_p, _chip, ASK_FN, c_void_p, *_text]),
    "kerr_files_restore": (c_bool, [c_char_p, _chip, c_bool, ASK_FN, c_void_p, *_text]),
    "kerr_files_trace_begin": (c_void_p, [c_char_p, _chip, FUNCTION_FN, ASK_FN, c_void_p, *_text]),
    "kerr_files_trace_end": (c_bool, [c_void_p, _chip, *_text]),
}


class KerrError(Exception):
    """A call was refused; `status` is its kerr_status."""

    def __init__(self, text: str, status: int = -1):
        super().__init__(text)
        self.status = status


class ArgumentError(KerrError, ValueError):
    """A call was refused because of the value of an argument, which it names; nothing has happened."""


def _find() -> str:
    """KERR_LIBRARY, the library that was installed with the package, that of a build in the tree, or the system's."""
    given = os.environ.get("KERR_LIBRARY")
    if given:
        return given
    here = Path(__file__).resolve().parent
    build = os.environ.get("BUILD")
    places = [here / "libkerr.so", *([Path(build) / "libkerr.so"] if build else []), here.parents[1] / "build" / "libkerr.so"]
    for place in places:
        if place.exists():
            return str(place)
    found = ctypes.util.find_library("kerr")
    if found is None:
        raise KerrError("libkerr.so is not there: run `make` in the source tree or `pip install .`, or set KERR_LIBRARY")
    return found


class _Library:
    """The functions by their name without kerr_; those that return a status raise KerrError."""

    def __init__(self) -> None:
        path = _find()
        self.path = path
        try:
            self._dll = ctypes.CDLL(path)
        except OSError as error:
            raise KerrError(f"cannot load {path}: {error}") from None
        self._bound: dict[str, Callable[..., Any]] = {}

    def __getattr__(self, name: str) -> Callable[..., Any]:
        full = "kerr_" + name
        if full not in FUNCTIONS:
            raise AttributeError(full)
        result, arguments = FUNCTIONS[full]
        function = getattr(self._dll, full)
        function.argtypes = arguments
        function.restype = None if result == "void" else c_int if result is None else result
        if result is None:
            def checked(*given: Any) -> int:
                status = int(function(*given))
                if status not in (OK, FAULTED):
                    kind = ArgumentError if status in (BAD_ARGUMENT, BAD_TILE, BAD_ADDRESS) else KerrError
                    raise kind(f"{full}: {self.status_text(status).decode()}", status)
                return status
            bound: Callable[..., Any] = checked
        else:
            bound = function
        setattr(self, name, bound)
        return bound


OK, FAULTED, BAD_ARGUMENT, BAD_TILE, BAD_ADDRESS, BAD_STATE, BAD_SNAPSHOT, NO_MEMORY, IO, BAD_TEXT = range(10)

lib = _Library()

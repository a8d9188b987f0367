# SPDX-License-Identifier: Apache-2.0
"""libkerr_files.so: saved chips and traces by the code of the kerr command."""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import os
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _check, _lib
from ._lib import XY, KerrError, lib
from ._listen import listening

if TYPE_CHECKING:
    from .chip import Chip

_TEXT = 1024
_loaded: ctypes.CDLL | None = None


def _files() -> ctypes.CDLL:
    """It is loaded when it is needed: libzstd, which it needs, is not everywhere."""
    global _loaded  # pylint: disable=global-statement
    if _loaded is None:
        beside = Path(lib.path).resolve().parent if "/" in lib.path else Path()
        try:
            library = ctypes.CDLL(str(beside / "libkerr_files.so"))
        except OSError as error:
            raise KerrError("files of saved chips and traces need libkerr_files.so beside libkerr.so, and libzstd (Debian: libzstd1): "
                            f"{error}") from None
        for name, (result, arguments) in _lib.FILES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        _loaded = library
    return _loaded


def path_of(path: Any) -> str:
    """For C; TypeError if it is no path, and FileNotFoundError for a folder that is not there comes from the call."""
    return _check.string("path", os.fsdecode(path) if isinstance(path, (str, bytes, os.PathLike)) else path)


def _must(good: Any, text: Any) -> None:
    if not good:
        raise KerrError(text.value.decode(errors="replace"))


def must_open(path: str, to_write: bool) -> None:
    """OSError of the right kind before anything happens."""
    if to_write:
        folder = os.path.dirname(path) or "."
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), folder)
        if os.path.isdir(path):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
        if not os.access(path if os.path.exists(path) else folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
    else:
        with open(path, "rb"):
            pass


def save(chip: Chip, path: str) -> None:
    must_open(path, True)
    text = ctypes.create_string_buffer(_TEXT)
    with listening(chip._note):
        good = _files().kerr_files_save(os.fsencode(path), chip.handle, _lib.ASK_FN(chip._may_go_on), None, text, _TEXT)
    chip._raise()
    _must(good, text)


def restore(chip: Chip, path: str, keep: bool) -> None:
    must_open(path, False)
    text = ctypes.create_string_buffer(_TEXT)
    with listening(chip._note):
        good = _files().kerr_files_restore(os.fsencode(path), chip.handle, keep, _lib.ASK_FN(chip._may_go_on), None, text, _TEXT)
    chip._raise()
    _must(good, text)


class TraceFile:
    """A trace that is being written; `close`, or the end of `with`, ends it."""

    def __init__(self, chip: Chip, path: str, name_of: Callable[[int, int, int, int], str | None]):
        must_open(path, True)
        self.path = path
        self._chip: Chip | None = chip
        self._names: dict[str, Any] = {}  # C keeps what it is told

        def function_at(_context: int, at: XY, core: int, pc: int) -> int | None:
            name = name_of(at.x, at.y, core, pc)
            if name is None:
                return None
            if name not in self._names:
                self._names[name] = ctypes.create_string_buffer(name.encode())
            return ctypes.addressof(self._names[name])

        self._function, self._ask = _lib.FUNCTION_FN(function_at), _lib.ASK_FN(chip._may_go_on)
        text = ctypes.create_string_buffer(_TEXT)
        self._trace = _files().kerr_files_trace_begin(os.fsencode(path), chip.handle, self._function, self._ask, None, text, _TEXT)
        _must(self._trace, text)
        # A program that ends without `close` has what there is.
        self._end = weakref.finalize(self, _end, self._trace, (self._function, self._ask))

    def __repr__(self) -> str:
        return f"TraceFile({self.path!r}{'' if self._chip else ', closed'})"

    def __enter__(self) -> TraceFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        if self._chip is None:
            return
        chip, self._chip = self._chip, None
        chip._trace = None
        chip._hooks -= 1
        self._end.detach()
        text = ctypes.create_string_buffer(_TEXT)
        _must(_files().kerr_files_trace_end(self._trace, chip.handle, text, _TEXT), text)


def _end(trace: int, _functions: object) -> None:
    text = ctypes.create_string_buffer(_TEXT)
    _files().kerr_files_trace_end(trace, None, text, _TEXT)

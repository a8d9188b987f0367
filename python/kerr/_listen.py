# SPDX-License-Identifier: Apache-2.0
"""What is raised in functions that C calls.  ctypes lets nothing pass through C: what a function does not catch itself, as Ctrl-C before its
first line, is told to sys.unraisablehook alone.  So is Ctrl-C that comes just when Python, between two calls of such functions, runs a
finalizer of something that went."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_lock = threading.Lock()
_here = threading.local()  # .note: of the call that this thread is in
_calls = 0  # of all threads; the hook is there while there are any
_before: Callable[[Any], Any] = sys.unraisablehook


def _hook(told: Any) -> None:
    note = getattr(_here, "note", None)
    of_callback = "ctypes callback" in (told.err_msg or "") and told.exc_value is not None
    if note is not None and (of_callback or isinstance(told.exc_value, KeyboardInterrupt)):
        note(told.exc_value)
    else:
        _before(told)


@contextmanager
def listening(note: Callable[[BaseException], None]) -> Iterator[None]:
    """While a call of C may call functions of ours: `note` gets what they raise and do not catch."""
    global _calls, _before  # pylint: disable=global-statement
    outer = getattr(_here, "note", None)
    with _lock:
        if _calls == 0:
            _before = sys.unraisablehook
            sys.unraisablehook = _hook
        _calls += 1
    _here.note = note
    try:
        yield
    finally:
        _here.note = outer
        with _lock:
            _calls -= 1
            if _calls == 0:
                sys.unraisablehook = _before

# SPDX-License-Identifier: Apache-2.0
"""Arguments before they go to C: ctypes would take a number modulo 2**32 without a word."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ._lib import ArgumentError

U32, U64 = 2**32 - 1, 2**64 - 1


def integer(name: str, value: Any, high: int, low: int = 0) -> int:
    """Integers of Python and numpy; no bool, which is hardly meant as a number.

    >>> integer("cycles", np.uint8(3), U64)
    3
    """
    if isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: an integer is needed, not {value!r}")
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: an integer is needed, not {value!r}") from None
    if not low <= number <= high:
        raise ArgumentError(f"{name}: {number} is not from {low} to {high if high < 2**20 else hex(high)}")
    return number


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name}: True or False is needed, not {value!r}")
    return bool(value)


def string(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{name}: a string is needed, not {value!r}")
    if "\0" in value:
        raise ArgumentError(f"{name}: {value!r} has a zero in it")
    return value


def strings(name: str, value: Any) -> list[str]:
    """One, or several."""
    if isinstance(value, str):
        return [string(name, value)]
    try:
        return [string(name, one) for one in value]
    except TypeError:
        raise TypeError(f"{name}: strings are needed, not {value!r}") from None


def function(name: str, value: Any) -> None:
    if not callable(value):
        raise TypeError(f"{name}: a function is needed, not {value!r}")


def data(name: str, value: Any) -> memoryview:
    """The bytes of an array or of anything like bytes, not a copy if it can be helped; of a list its numbers.  A number alone says neither
    how many bytes nor what is in them.

    >>> bytes(data("data", np.array([1], dtype=np.uint16))), bytes(data("data", [1, 255]))
    (b'\\x01\\x00', b'\\x01\\xff')
    """
    if isinstance(value, str) or (isinstance(value, np.ndarray) and value.dtype.hasobject):
        raise TypeError(f"{name}: bytes or an array of numbers is needed, not {value!r}")
    if isinstance(value, (list, tuple)):
        return memoryview(bytes(integer(f"{name}[{i}]", one, 255) for i, one in enumerate(value)))
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value).reshape(-1).view(np.uint8).data
    try:
        view = memoryview(value)
    except TypeError:
        raise TypeError(f"{name}: bytes or an array is needed, not {value!r}"
                        + (f" (np.uint32({value!r}) has a size)" if isinstance(value, int) else "")) from None
    return view.cast("B") if view.c_contiguous and view.nbytes else memoryview(view.tobytes())

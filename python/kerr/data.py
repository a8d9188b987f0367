# SPDX-License-Identifier: Apache-2.0
"""Numbers in the formats of the chip as numpy's float32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._lib import ArgumentError

BF16, FP16, FP32 = "bf16", "fp16", "fp32"


def as_float32(bits: npt.NDArray[Any] | Sequence[int], kind: str) -> npt.NDArray[np.float32]:
    """Bits of BF16, FP16 or FP32, in the low bits of each value.  FP16 has no infinities or NaNs on this chip; the
    largest exponent is one more for numbers.

    >>> as_float32(np.array([0x3F80, 0xC000]), BF16).tolist()
    [1.0, -2.0]
    """
    if not isinstance(bits, (np.ndarray, list, tuple)) or np.asarray(bits).dtype.kind not in "iu":
        raise TypeError(f"bits: an array of integers is needed, not {bits!r}")
    given = np.asarray(bits)
    if given.size and not 0 <= given.min() <= given.max() <= 0xFFFFFFFF:
        raise ArgumentError("bits: numbers from 0 to 0xffffffff are needed")
    words = given.astype(np.uint32)
    if kind == BF16:
        return (words << np.uint32(16)).view(np.float32)
    if kind == FP32:
        return words.view(np.float32)
    if kind == FP16:
        exponent = (words >> np.uint32(10)) & np.uint32(31)
        wide = (words & np.uint32(0x8000)) << np.uint32(16) | (exponent + np.uint32(112)) << np.uint32(23) | (
            words & np.uint32(0x3FF)) << np.uint32(13)
        # A subnormal number is zero for the Vector Unit and the Matrix Unit.
        return np.where(exponent == 0, (words & np.uint32(0x8000)) << np.uint32(16), wide).astype(np.uint32).view(np.float32)
    raise ArgumentError(f"kind: no format {kind!r}: {BF16}, {FP16} or {FP32}")

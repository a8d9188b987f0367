# SPDX-License-Identifier: Apache-2.0
"""Instructions as text."""

from __future__ import annotations

import ctypes

from . import _check
from ._lib import OK, KerrError, TextError, lib

_TEXT = 320  # KERR_INSTRUCTION_TEXT_MAX


def disassemble(word: int) -> str:
    """A Tensix instruction: its name and the fields that are not zero.

    >>> disassemble(0x02000000)
    'NOP'
    """
    buffer = ctypes.create_string_buffer(_TEXT)
    lib.disassemble_tensix(_check.integer("word", word, _check.U32), buffer, _TEXT)
    return buffer.value.decode()


def disassemble_riscv(instruction: int, pc: int = 0) -> str:
    """An instruction of a baby core at `pc`.

    >>> disassemble_riscv(0x00A00593)
    'addi a1,zero,10'
    """
    buffer = ctypes.create_string_buffer(_TEXT)
    word, at = _check.integer("instruction", instruction, _check.U32), _check.integer("pc", pc, _check.U32)
    lib.disassemble_riscv(word, at, buffer, _TEXT)
    return buffer.value.decode()


def assemble(text: str) -> int:
    """The word of a Tensix instruction, as `disassemble` spells it; ValueError names the column.

    >>> hex(assemble("NOP"))
    '0x2000000'
    """
    word, error = ctypes.c_uint32(), TextError()
    if lib.assemble_tensix(_check.string("text", text).encode(), ctypes.byref(word), ctypes.byref(error)) != OK:
        if not error.text:
            raise KerrError("assemble: bad argument")
        raise ValueError(f"column {error.column}: {error.text.decode()}")
    return int(word.value)

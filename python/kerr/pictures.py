# SPDX-License-Identifier: Apache-2.0
"""What a notebook shows of a chip: small tables and drawings, made of nothing but text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from .chip import Chip
    from .tile import Core, Thread, Tile

CORE_HEAD = ("core", "stands", "pc", "instructions", "waits for", "in")
THREAD_HEAD = ("thread", "in flight", "instruction at its gate", "since", "waits for")
# What counts most of a tile's cores comes first.  Colours that also differ in lightness.
STANDS = {"stopped": "#b3261e", "halted": "#8e6c00", "waiting": "#e08a00", "polling": "#f2c14e", "looping": "#f2c14e",
          "going on": "#2a7de1", "idle": "#9fd8a4", "ended": "#4caf6a", "off": "#e6e6e6"}
_SIDE = 14
_ROWS = 128  # a picture of more would be megabytes


def table(head: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> str:
    line = "".join(f"<th>{escape(name)}</th>" for name in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    return f"<table>{caption}<tr>{line}</tr>{body}</table>"


def core_row(core: Core) -> tuple[object, ...]:
    now = core.state
    return (core.name, now["stand"], f"0x{now['pc']:05x}", now["instructions"], now.get("waits_for", ""), core.place() or "")


def thread_row(thread: Thread) -> tuple[object, ...]:
    now = thread.state
    return (f"T{thread.index}", now["in_flight"], now.get("instruction", ""), now.get("since", ""), now.get("reason", ""))


def tile(of: Tile) -> str:
    text = table(CORE_HEAD, map(core_row, of.cores), f"tile {of.text} {of.kind}, cycle {of.chip.cycle}") if of.cores else (
        f"<p>tile {of.text} {of.kind}</p>")
    return text + (table(THREAD_HEAD, map(thread_row, of.threads)) if of.threads else "")


def worst(of: Tile) -> str:
    stands = {core.state["stand"] for core in of.cores}
    return next((name for name in STANDS if name in stands), "off")


def chip(of: Chip) -> str:
    """The grid as NoC 0 counts it, a square for each tile with cores, coloured by the core that matters most."""
    squares, seen = [], set()
    for one in of:
        stand = worst(one)
        seen.add(stand)
        stands = ", ".join(f"{core.name} {core.state['stand']}" for core in one.cores)
        squares.append(f'<rect x="{one.x * _SIDE + 20}" y="{one.y * _SIDE + 16}" width="{_SIDE - 2}" height="{_SIDE - 2}" '
                       f'fill="{STANDS[stand]}"><title>{one.text} {one.kind}: {escape(stands)}</title></rect>')
    numbers = "".join(f'<text x="{x * _SIDE + 26}" y="11" text-anchor="middle">{x}</text>' for x in range(17))
    numbers += "".join(f'<text x="15" y="{y * _SIDE + 25}" text-anchor="end">{y}</text>' for y in range(12))
    key = "".join(f'<rect x="{17 * _SIDE + 30}" y="{16 + i * _SIDE}" width="10" height="10" fill="{STANDS[name]}"/>'
                  f'<text x="{17 * _SIDE + 45}" y="{25 + i * _SIDE}">{name}</text>'
                  for i, name in enumerate(name for name in STANDS if name in seen))
    return (f'<p>{escape(of.text)}</p><svg xmlns="http://www.w3.org/2000/svg" width="{17 * _SIDE + 110}" height="{12 * _SIDE + 18}" '
            f'font-family="sans-serif" font-size="9">{numbers}{"".join(squares)}{key}</svg>')


def _shade(value: float, most: float) -> str:
    """White is zero, blue above, red below; what is no number is black."""
    if not np.isfinite(value):
        return "#000"
    part = round(200 * min(abs(value) / most, 1.0))
    return f"rgb({255 - part},{255 - part},255)" if value >= 0 else f"rgb(255,{255 - part},{255 - part})"


def numbers(of: npt.NDArray[Any]) -> str:
    """Rows from above, the number itself under the mouse; of many rows the first."""
    shown = of[:_ROWS]
    finite = shown[np.isfinite(shown)]
    most = float(np.abs(finite).max()) if finite.size else 0.0
    rows, columns = shown.shape
    side = 12 if rows <= 32 else 4
    squares = "".join(
        f'<rect x="{36 + column * side}" y="{4 + row * side}" width="{side}" height="{side}" fill="{_shade(float(value), most or 1.0)}">'
        f"<title>{row}, {column}: {float(value):g}</title></rect>"
        for (row, column), value in np.ndenumerate(shown))
    labels = "".join(f'<text x="32" y="{7 + row * side + side // 2}" text-anchor="end">{row}</text>'
                     for row in range(0, rows, 1 if rows <= 8 else 8))
    text = f"{rows} rows of {columns}" if rows == len(of) else f"the first {rows} of {len(of)} rows of {columns}"
    text += f"; blue is {most:g}, white 0, red {-most:g}" + ("" if finite.size == shown.size else ", black no finite number")
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{columns * side + 40}" height="{rows * side + 8}" font-family="sans-serif" '
            f'font-size="9">{labels}{squares}<rect x="36" y="4" width="{columns * side}" height="{rows * side}" fill="none" '
            f'stroke="#888"/></svg><p>{text}</p>')

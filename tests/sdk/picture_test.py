#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/picture.c: a small picture from all 700 cores, every pixel computed again here."""

import os
import struct
import zlib

from tap import BUILD, Tap, path, read, run

BLOCK, COLUMNS, ROWS, LIMIT = 6, 14, 10, 256
ONE = 1 << 27


def iterations(cx, cy):
    x = y = 0
    for n in range(LIMIT):
        x, y = (x * x >> 27) - (y * y >> 27) + cx, 2 * (x * y >> 27) + cy
        if not (-2 * ONE <= x < 2 * ONE and -2 * ONE <= y < 2 * ONE):
            return n
    return LIMIT


def colour(n):
    if n == LIMIT:
        return (0, 0, 0)
    octave = (n + 1).bit_length() - 1
    t = octave * 32 + ((n + 1) * 32 >> octave) % 32
    u = 255 - t
    return (9 * u * t**3 >> 24, 15 * u**2 * t**2 >> 24, 9 * u**3 * t >> 24)


def expected():
    width, height = BLOCK * COLUMNS, BLOCK * ROWS
    step = 14 * ONE // (5 * width)
    pixels = (colour(iterations(-2 * ONE + x * step, (y - height // 2) * step))
              for y in range(height) for x in range(width))
    return width, height, bytes(value for pixel in pixels for value in pixel)


def png_pixels(data):
    """Width, height and pixels of an 8-bit RGB file without filters."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, body, width, height = 8, b"", 0, 0
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8:at + 8 + size]
        assert struct.unpack_from(">I", data, at + 8 + size)[0] == zlib.crc32(kind + content), kind
        if kind == b"IHDR":
            width, height, *rest = struct.unpack(">2I5B", content)
            assert rest == [8, 2, 0, 0, 0]
        elif kind == b"IDAT":
            body += content
        at += 12 + size
    assert kind == b"IEND"
    rows = zlib.decompress(body)
    stride = 1 + 3 * width
    assert len(rows) == stride * height and not any(rows[::stride])
    return width, height, b"".join(rows[stride * y + 1:stride * (y + 1)] for y in range(height))


def main():
    tap = Tap()
    program, kernels = os.path.join(BUILD, "examples", "picture"), os.path.join(BUILD, "kernels")
    result = run(program, kernels, path("picture"), str(BLOCK))
    if tap.case("140 tiles finish", result.returncode == 0, result.stderr):
        width, height, pixels = expected()
        ppm = read("picture.ppm")
        header = f"P6\n{width} {height}\n255\n".encode()
        tap.equal("the PPM has its size", ppm[:len(header)], header)
        got = ppm[len(header):]
        wrong = [i // 3 for i, (a, b) in enumerate(zip(got, pixels)) if a != b]
        tap.case("every pixel is right", len(got) == len(pixels) and not wrong,
                 f"{len(got)} bytes, {len(pixels)} expected, first wrong pixel {wrong[:1]}")
        tap.case("the PNG shows the same", png_pixels(read("picture.png")) == (width, height, got))
    for name, arguments in (("no arguments", ()), ("a block of nothing", (kernels, path("x"), "0")),
                            ("a block that L1 cannot hold", (kernels, path("x"), "1000"))):
        tap.equal(f"refused: {name}", run(program, *arguments).returncode, 2)
    result = run(program, path("nowhere"), path("x"))
    tap.case("refused: no kernels there", result.returncode == 1 and "nowhere" in result.stderr, result.stderr)
    result = run(program, kernels, path("nowhere/x"), "1")
    tap.case("refused: no such output directory", result.returncode == 1 and "nowhere/x" in result.stderr, result.stderr)
    tap.done()


if __name__ == "__main__":
    main()

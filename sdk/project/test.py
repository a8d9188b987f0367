# SPDX-License-Identifier: Apache-2.0
"""python3 test.py make       a.bin and b.bin
python3 test.py check      whether c.bin is A + B

Small whole numbers by chance, whose sums BF16 holds exactly.  A tile is four faces of 16 x 16 datums; here the order within a tile
does not matter, since the sum is datum by datum."""

import random
import struct
import sys

TILES, DATUMS = 8, 1024


def numbers(name):
    """A BF16 datum is the upper half of a float."""
    with open(name, "rb") as file:
        datums = struct.unpack(f"<{TILES * DATUMS}H", file.read())
    return struct.unpack(f"<{len(datums)}f", struct.pack(f"<{len(datums)}I", *(d << 16 for d in datums)))


def make(name, rng):
    with open(name, "wb") as file:
        for _ in range(TILES * DATUMS):
            file.write(struct.pack("<f", rng.randint(-64, 64))[2:])


def check():
    right = 0
    for i, (a, b, c) in enumerate(zip(numbers("a.bin"), numbers("b.bin"), numbers("c.bin"))):
        right += c == a + b
        if c != a + b and i - right < 5:
            print(f"tile {i // DATUMS}, datum {i % DATUMS}: {a} + {b} gives {c}")
    print(f"{right} of {TILES * DATUMS} datums are right")
    return right != TILES * DATUMS


if __name__ == "__main__":
    if sys.argv[1:] == ["make"]:
        chance = random.Random(1)
        make("a.bin", chance)
        make("b.bin", chance)
    else:
        sys.exit(check())

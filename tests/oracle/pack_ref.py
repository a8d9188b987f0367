#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what a library with the libttsim C ABI does with random PACRs: tests/vectors/pacr.vec.

    pack_ref.py LIBRARY [COUNT [SEED]] > VECTORS

A case fills all of Dst (through unpacker 0, as INT32), configures the packer, pushes SETADC, SETC16 and PACR to thread 2 and
reads back what came to L1.  Its lines, which tests/unit/tensix/pacr_vectors_test.c reads:

    case NAME
      dst SEED               Dst: 16 bits a cell from the generator `words`, row by row, as DstBits has them while DEST_ACCESS_CFG is 0.
                             The simulator keeps DEST_ACCESS_CFG and does not look at it, so the rows that are read are these
                             whatever it is: rows of Dst16b or Dst32b, by PCK_DEST_RD_CTRL_Read_32b_data
      l1 SEED                the 64 KiB from 0x40000 on, likewise, 32 bits at a time
      cfg WORD VALUE         bank 0
      push INSTRUCTION       thread 2
      crc VALUE              CRC-32 of the 64 KiB afterwards

Cases keep to what the vendor's simulator accepts; one that it refuses nevertheless is left out, and counted at the end.
"""
import os
import random
import re
import struct
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tensix_ref as ref  # noqa: E402 pylint: disable=wrong-import-position

IN, OUT, OUT_BYTES = 0x80000, 0x40000, 0x10000
FP32, FP16, BFP8A, BF16, BFP8, BFP4, INT32, INT16, FP8, INT8, BFP2 = 0, 1, 2, 5, 6, 7, 8, 9, 10, 14, 15
# Dst is 32 bits wide, intermediate format (and that before the late conversion), format in L1.
CONVERSIONS = [(0, FP16, x) for x in (FP32, FP16, BF16)] + [(0, BF16, x) for x in (FP32, BF16, BFP8, BFP4, BFP2)] \
    + [(0, BFP8, x) for x in (FP32, BF16, BFP8, BFP4)] + [(0, INT16, INT16), (0, BFP8A, BFP8), (0, FP16, FP8)] \
    + [(1, FP32, x) for x in (FP32, FP16, BFP8, BFP4, BFP2)] + [(1, BF16, BF16), (1, BFP8, BFP8), (1, BFP8, BFP4)] \
    + [(1, INT32, INT32), (1, INT16, INT16), (1, INT8, INT8), (1, FP16, FP16), (1, FP16, FP8)]
BITS = {FP32: 32, INT32: 32, FP16: 16, BF16: 16, INT16: 16, BFP4: 4, BFP2: 2}


def words(seed):
    state = seed
    while True:
        state = (state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        yield state >> 32


def dst_bits(seed):
    generator = words(seed)
    return [next(generator) & 0xFFFF for _ in range(1024 * 16)]


def decoded(high, low):
    """The INT32 that unpacker 0 puts into Dst as these 16 bits and these (manual Dst, bit layout)."""
    x = high << 16 | low
    return x & 0x8000FFFF | (x & 0x00FF0000) << 7 | (x & 0x7F000000) >> 8


def dst_image(bits):
    """L1 contents for unpacking into rows 0 to 511 of Dst32b."""
    out = []
    for row in range(512):
        physical = (row & 0x1F8) << 1 | row & 7
        out += [decoded(bits[physical * 16 + c], bits[(physical + 8) * 16 + c]) for c in range(16)]
    return struct.pack("<8192I", *out)


def fill_steps():
    """All of Dst from IN: 32 faces."""
    yield "push 0 SETADCXY(0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1)"
    for word, value in ((57, 256 * 4), (56, 16 * 4 << 16), (64, 8 | 1 << 4), (65, 1 | 4 << 16), (72, 8 | 2 << 4), (73, 0xF | 0x30 | 0xF0000),
                        (86, 256 | 256 << 16), (50, 1 << 8)):
        yield f"set cfg(0, {word}) {value}"
    yield "push 0 SETC16(5, 0)"
    yield "push 0 SETC16(41, 0)"
    yield "push 0 SETADCXX(0, 1, 1, 255, 0)"
    for tile in range(8):
        yield "wait 40"
        yield f"set cfg(0, 84) {64 + 1024 * tile}"
        yield f"set cfg(0, 76) {(IN + 4096 * tile) // 16 - 1}"
        yield "wait 40"
        yield "push 0 SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1)"
        for _ in range(4):
            yield "push 0 UNPACR(0, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1)"
    yield "wait 60"


def addr_mod(r):
    """ADDR_MOD_PACK: Y and Z of channel 0 in every way, Y of channel 1 too."""
    clear = r.random() < 0.2
    return r.choice((0, 1, 2, 4, 8)) | (r.random() < 0.2) << 4 | clear << 5 | r.choice((0, 1, 4)) << 6 \
        | (r.random() < 0.1) << 11 | (r.random() < 0.3) << 12 | (r.random() < 0.2) << 13


def size_of(fmt):
    return (4, 2, 1, 1)[fmt & 3]


def configuration(r):
    """The words of Config, and what the instructions depend on."""
    wide, middle, out = r.choice(CONVERSIONS)
    strided = r.random() < 0.3
    relu = r.choice((0, 0, 0, 1, 2, 3)) if middle not in (INT16, INT8) and (middle, out) != (FP16, FP8) else 0
    if middle == INT32:
        relu = min(relu, 1)
    accumulate = out in (FP32, FP16, BF16) and r.random() < 0.3
    ten_bits = wide and middle == FP16
    one_plane = r.random() < 0.5
    y = 16 * size_of(middle)
    masks = [r.choice((0xFFFF, 0xFFFF, 0, 1)) for _ in range(2)] if r.random() < 0.4 else [0xFFFF, 0xFFFF]
    mapping = [sum(r.choice((0, 1)) << 2 * i for i in range(16)) for _ in range(2)] if one_plane else [0, 0]
    cfg = {1: middle << 25, 2: relu << 2 | r.choice((0, 0x3F80, 0x4000, 0x3C00, 0x0100, 0x7F80, r.getrandbits(15))) << 6,
           12: y << 16, 13: r.choice((16, 32)) * y | 64 * y << 16 if 64 * y < 65536 else 16 * y | 32 * y << 16,
           14: r.choice((0, 16, 64, 256)) << 16, 18: wide | (middle == INT8 and r.random() < 0.5) << 1 | ten_bits << 3,
           20: mapping[0], 21: mapping[1], 24: masks[0] | r.choice((0, 1)) << 17, 25: masks[1],
           28: (r.choice((4, 8, 12, 16)) if one_plane else 1) << 8, 68: r.choice((1, 4)) << 16 if out & 2 and out not in (FP8, INT8) else 0,
           69: (OUT + 0x400 * r.randrange(8)) // 16 - 1, 70: 1 | out << 4 | middle << 8,
           71: accumulate << 19 | (out == FP8) << 23, 180: r.choice((0, 4, 64, 512)), 220: 3 if strided or r.random() < 0.1 else 0}
    return cfg, strided, one_plane, out


def instructions(r, strided, one_plane, out):
    encode = ref.NAMES
    for i in range(4):
        yield encode["SETC16"](37 + i, addr_mod(r))
    short = not strided and BITS.get(out, 8) >= 16 and not one_plane and r.random() < 0.15
    yield encode["SETADCXX"](1, 0, 0, 7 if short else 15, 0)
    for channel, counter, most in ((0, 1, 16), (0, 2, 3), (0, 3, 3), (1, 1, 4)):
        value = 4 * r.randrange(most) if counter == 1 and channel == 0 else r.randrange(most)
        yield encode["SETADC"](1, 0, 0, channel, counter, value)
    yield encode["SETADC"](1, 0, 0, 1, 2, 0)
    yield encode["SETADC"](1, 0, 0, 1, 3, 0)
    count = r.randrange(1, 13)
    choice = (1,) if short else (0, 1, 3) if strided else (0, 0, 1, 3, 5, 10)
    if one_plane:  # as many rows each time: what happens when they do not divide a plane, the simulator does its own way
        choice = r.choice(choice),
    for i in range(count):
        interfaces = r.choice(choice)
        last = i == count - 1 or not one_plane and r.random() < 0.2
        yield encode["PACR"](0, 0, strided, r.randrange(4), 0, 0, interfaces, 0, r.random() < 0.3, 0, 0, last)


def make(seed):
    r = random.Random(seed)
    cfg, strided, one_plane, out = configuration(r)
    return {"name": str(seed), "dst": seed * 2 + 1, "l1": seed * 2 + 2, "cfg": cfg,
            "push": list(instructions(r, strided, one_plane, out))}


def run(library, case):
    """What L1 holds afterwards; None and why not."""
    steps = ref.Case(case["name"])
    for line in fill_steps():
        steps.add(ref.separate(line))
    for word, value in sorted(case["cfg"].items()):
        steps.add(f"set cfg(0, {word}), {value}")
    steps.add("wait 60")
    for word in case["push"]:
        steps.add(f"push 2, {word}")
    steps.add("wait 60")
    generator = words(case["l1"])
    before = struct.pack("<%dI" % (OUT_BYTES // 4), *(next(generator) for _ in range(OUT_BYTES // 4)))
    with tempfile.TemporaryFile() as answer, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                device = ref.Device(library)
                device.write(ref.SOFT_RESET, struct.pack("<I", ref.ALL_CORES))
                device.write(0, ref.interpreter())
                device.write(ref.SCRIPT, b"".join(struct.pack("<3I", *step) for step in [*steps.script, (ref.END, 0, 0)]))
                device.write(ref.DONE, bytes(4))
                device.write(IN, dst_image(dst_bits(case["dst"])))
                device.write(OUT, before)
                device.write(ref.SOFT_RESET, struct.pack("<I", ref.ALL_CORES & ~ref.CORE_B))
                for _ in range(200):
                    device.lib.libttsim_clock(1000)
                    if device.read(ref.DONE, 4) == struct.pack("<I", ref.DONE):
                        break
                answer.write(device.read(OUT, OUT_BYTES))
                answer.flush()
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        answer.seek(0)
        log.seek(0)
        data = answer.read()
        why = (log.read().decode(errors="replace").strip().splitlines() or ["?"])[-1]
        return (data, None) if len(data) == OUT_BYTES else (None, why)


OPENING = """# SPDX-License-Identifier: Apache-2.0
# origin: the vendor's simulator, through its C ABI.
# again:  python3 tests/oracle/pack_ref.py LIBRARY %d %d > tests/vectors/pacr.vec
# Random PACRs from a Dst full of random bits; pack_ref.py says what the lines are."""


def main(library, count=300, first=1):
    print(OPENING % (count, first))
    refused = {}
    for seed in range(first, first + count):
        case = make(seed)
        data, why = run(library, case)
        if data is None:
            why = re.sub(r"^\[\d+\] ERROR: ", "", why)
            refused[why] = refused.get(why, 0) + 1
            continue
        print("case", case["name"])
        print("  dst", case["dst"])
        print("  l1", case["l1"])
        for word, value in sorted(case["cfg"].items()):
            print(f"  cfg {word} 0x{value:x}")
        for word in case["push"]:
            print(f"  push 0x{word:08x}")
        print(f"  crc 0x{zlib.crc32(data):08x}", flush=True)
    for why, number in sorted(refused.items()):
        print(f"# refused: {number} {why}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], *map(int, sys.argv[2:]))

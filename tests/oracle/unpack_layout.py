#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where UNPACR and UNPACR_NOP put datums: short programs with chosen and with random configuration, each read back whole (SrcA by
MOVA2D, SrcB by MOVB2D, or Dst, then PACR), through any library with the libttsim C ABI.

    unpack_layout.py record LIBRARY COUNT > VECTORS         named cases and COUNT random ones that the library takes
    unpack_layout.py check LIBRARY VECTORS                  compares; prints TAP
    unpack_layout.py live LIBRARY COUNT [SEED]              the same cases on it and on the library that REF names, byte for byte

A line of VECTORS is a case as Python writes it and the hash of its 64 rows.  A reference ends its process on what it refuses, so every
case runs in a forked child, and what it refuses is no case.
"""
import hashlib
import os
import random
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tensix_ref import (ALL_CORES, CORE_B, DONE, Device, END, INSTRN_BUF_BASE, NAMES, SCRIPT, SET,  # noqa: E402 pylint: disable=wrong-import-position
                        SOFT_RESET, TENSIX_CFG_BASE, WAIT, interpreter)

DATA, DATA_BYTES, OUT = 0x60000, 0x10000, 0xC0000
FP32, FP16, BFP8A, BFP4A, TF32, BF16, BFP8, BFP4, INT32, INT16, FP8, BFP2A, _, _, INT8, BFP2 = range(16)
BITS = {FP32: 32, TF32: 32, INT32: 32, FP16: 16, BF16: 16, INT16: 16, BFP4: 4, BFP4A: 4, BFP2: 2, BFP2A: 2}
# What a register of a format is packed as.
PACK_AS = {FP16: FP16, FP8: FP16, INT8: FP16, BFP8A: FP16, BFP4A: FP16, BFP2A: FP16, INT16: INT16}


class Program:
    """Stores and pushes of RISCV B, all to thread 0."""

    def __init__(self):
        self.steps = []

    def cfg(self, word, value):
        self.steps.append((SET, TENSIX_CFG_BASE + 4 * word, value & 0xFFFFFFFF))

    def push(self, name, *fields):
        self.steps.append((SET, INSTRN_BUF_BASE, NAMES[name](*fields)))
        self.steps.append((WAIT, 8, 0))

    def setc16(self, index, value):
        self.push("SETC16", index, value)


def configure(p, case):
    """The unpacker's section, both contexts alike."""
    which, section = case["which"], 48 * case["which"]
    into, out, x_dim = case["in"], case["out"], case["x_dim"]
    to_dst = case.get("to_dst", 0)
    for base in (76, 77):
        p.cfg(base + section, DATA // 16 - 1 + case.get("base", 0) + (base - 76) * case.get("second", 0))
    if case.get("offset", 0):
        for offset in (92, 93):
            p.cfg(offset + section, case["offset"])
    p.cfg(64 + section, into | 1 << 4 | x_dim << 16)
    p.cfg(65 + section, case["y_dim"] | case["z_dim"] << 16)
    p.cfg(72 + section, out | 2 << 4 | case.get("transpose", 0) << 8 | case.get("tileize", 0) << 9 |
          case.get("stride", 0) << 16)
    p.cfg(73 + section, 0xF000F | (3 << 4 if to_dst else 0) | case.get("force", 0) << 8)
    if which == 0:
        p.cfg(84, case["dest"] | case["dest"] << 16)
        p.cfg(86, x_dim | x_dim << 16)
    p.cfg(50, case.get("add", 1) << 8 | 0x81)
    if which == 0:      # a reference has no Y stride of SrcB
        p.cfg(56, case["y_stride"] << 16)
    p.cfg(57 + 2 * which, case["z_stride"])
    p.setc16(5, 0 if to_dst else 4)
    p.setc16(41, 0x0101 if case.get("context", 0) else 0)


def set_counters(p, case):
    """Each with SETADC: channel, what, value."""
    bits = (0, 1, 0) if case["which"] else (0, 0, 1)
    for channel, counter, value in zip((0, 0, 0, 1, 1, 1), (0, 1, 2, 0, 1, 2), case["adc"]):
        p.push("SETADC", *bits, channel, counter, value)


def read_back(p, case):
    """64 rows into Dst, and out."""
    wide = case.get("to_dst", 0)
    as_format = FP32 if wide else PACK_AS.get(case["out"], BF16)
    p.cfg(1, case["out"] << 17 | case["out"] << 21 | as_format << 25 | (1 << 29 if wide else 0))
    p.cfg(2, 1)
    if not wide:
        for i in range(8 if case["which"] == 0 else 16):
            if case["which"] == 0:
                p.push("MOVA2D", 0, 8 * i, 0, 1, 8 * i)
            else:
                p.push("MOVB2D", 0, 4 * i, 0, 1, 0, 0, 4 * i)
    y_stride = 16 * (4 if wide else 2)
    p.cfg(12, y_stride << 16)
    p.cfg(13, 16 * y_stride | 64 * y_stride << 16)
    p.cfg(15, 16 * y_stride)
    p.cfg(68, 0)
    p.cfg(69, 1 << 31 | (OUT // 16 - 1))
    p.cfg(70, 1 | as_format << 4 | as_format << 8)
    p.cfg(18, 1 if wide else 0)
    p.cfg(28, 1 << 8)
    p.cfg(24, 0xFFFF)
    p.cfg(20, 0)
    p.push("SETADCXY", 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    p.push("SETADCZW", 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    p.push("SETADCXX", 1, 0, 0, 15, 0)
    p.setc16(37, 4 | 4 << 6)
    for i in range(16):
        p.push("PACR", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, int(i == 15))
    return 64 * 16 * (4 if wide else 2)


def program(case):
    p = Program()
    configure(p, case)
    set_counters(p, case)
    for step in case["steps"]:
        if step[0] == "clear":      # value, wait like UNPACR
            p.push("UNPACR_NOP", case["which"], 0, 0, 0, 0, step[2], 0, step[1], 1)
        elif step[0] == "hand":     # cleared and handed over
            p.push("UNPACR_NOP", case["which"], 0, 0, 1, 0, 0, 0, step[1], 1)
        elif step[0] == "rows":     # channel 0 Y goes on
            p.push("INCADCXY", 0, *((1, 0) if case["which"] else (0, 1)), 0, 0, 0, step[1], 0)
        else:                       # increments ch1 y, ch1 z, ch0 y, ch0 z, flip
            _, y1, z1, y0, z0, flip = step
            p.push("UNPACR", case["which"], y1, z1, y0, z0, 0, 0, 0, 1, flip, 0, 0, 0, 0, 0, 1)
    size = read_back(p, case)
    return p.steps, size


def input_data():
    r = random.Random(1)
    # Exponents in the middle, so that every 16-bit pattern is an ordinary number and different from its neighbours.
    return b"".join(struct.pack("<H", 0x3000 | r.getrandbits(12)) for _ in range(DATA_BYTES // 2))


def run(library, case):
    """The 64 rows, or None and why there are none."""
    steps, size = program(case)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                device = Device(library)
                device.write(SOFT_RESET, struct.pack("<I", ALL_CORES))
                device.write(0, interpreter())
                device.write(DATA, input_data())
                device.write(OUT, b"\xA5" * size)
                device.write(SCRIPT, b"".join(struct.pack("<3I", *step) for step in [*steps, (WAIT, 400, 0), (END, 0, 0)]))
                device.write(DONE, bytes(4))
                device.write(SOFT_RESET, struct.pack("<I", ALL_CORES & ~CORE_B))
                for _ in range(100):
                    device.lib.libttsim_clock(1000)
                    if device.read(DONE, 4) != bytes(4):
                        os.write(out.fileno(), device.read(OUT, size))
                        status = 0
                        break
            finally:
                os._exit(status)
        os.waitpid(pid, 0)
        out.seek(0)
        data = out.read()
        log.seek(0)
        text = log.read().decode(errors="replace").strip()
    return (data, None) if len(data) == size else (None, (text or "no answer").split("\n")[-1][:200])


# ---- Cases --------------------------------------------------------------------------------------------------------------

def tile(which=0, into=BF16, out=None, **more):
    """A tile of four faces as kernels describe it."""
    out = into if out is None else out
    bytes_out = {32: 4, 16: 2}.get(BITS.get(out, 8), 1)
    case = {"which": which, "in": into, "out": out, "x_dim": 256, "y_dim": 1, "z_dim": 4, "dest": 64, "y_stride": 16 * bytes_out,
            "z_stride": 256 * bytes_out, "adc": (0, 0, 0, 255, 0, 0)}
    case.update(more)
    return case


def unpacr(mode, flip):
    """As kernels write an address mode: ch1 y, ch1 z, ch0 y, ch0 z."""
    return ("unpacr", mode >> 6, mode >> 4 & 3, mode >> 2 & 3, mode & 3, flip)


def named():
    """Each use of the two instructions in the kernel library."""
    faces = [unpacr(0b00010001, 0)] * 3 + [unpacr(0b00010001, 1)]
    for which, into in ((0, BF16), (1, BF16), (0, FP16), (1, FP16), (0, FP8), (1, FP8), (0, BFP8), (1, BFP8), (0, BFP4),
                        (1, BFP2), (0, INT16)):
        yield f"a tile by faces {which} {into}", tile(which, into, steps=faces)
        yield f"a face {which} {into}", tile(which, into, steps=[unpacr(0b1, 1)])
        yield f"a whole tile {which} {into}", tile(which, into, adc=(0, 0, 0, 1023, 0, 0), steps=[unpacr(0, 1)])
    for out in (TF32, BF16, FP16):
        yield f"FP32 to {out}", tile(0, FP32, out, steps=faces)
        yield f"FP32 to {out} in SrcB", tile(1, FP32, out, steps=faces)
    yield "a tile to Dst", tile(0, FP32, FP32, to_dst=1, steps=[unpacr(0b00010001, 0)] * 4)
    yield "integers to Dst", tile(0, INT32, INT32, to_dst=1, steps=[unpacr(0b00010001, 0)] * 4)
    yield "a second context", tile(0, BF16, context=1, second=8, steps=faces)
    yield "an offset", tile(0, BF16, offset=0x123, steps=faces)
    yield "transposed faces", tile(0, BF16, transpose=1, steps=[unpacr(0b00010010, 0), unpacr(0b00010001, 0),
                                                               unpacr(0b00010001, 0), unpacr(0, 1)])
    yield "a transposed tile", tile(0, BF16, transpose=1, adc=(0, 0, 0, 1023, 0, 0), steps=[unpacr(0, 1)])
    yield "partial faces over zeros", tile(0, BF16, x_dim=128, adc=(0, 0, 0, 127, 0, 0),
                                           steps=[("clear", 0, 0), unpacr(0b00010001, 0), unpacr(0b00010001, 1)])
    yield "a face over negative infinity", tile(0, BF16, steps=[("clear", 1, 0), unpacr(0b1, 1)])
    yield "a face over zeros of SrcB", tile(1, BF16, steps=[("clear", 0, 1), unpacr(0b1, 1)])
    yield "zeros handed over", tile(0, BF16, steps=[("hand", 0)])
    yield "negative infinity handed over", tile(0, BF16, steps=[("hand", 1)])
    yield "zeros of SrcB handed over", tile(1, BF16, steps=[("hand", 0)])
    for into, out in ((BF16, BF16), (FP32, BF16), (FP32, TF32)):
        yield f"tilized {into} {out}", tile(0, into, out, tileize=1, stride=8 * (2 if into == FP32 else 1), x_dim=1024, z_dim=1,
                                            adc=(0, 0, 0, 1023, 0, 0), steps=[unpacr(0, 1)])
    yield "bytes tilized by faces", tile(0, FP8, tileize=1, stride=4, x_dim=16, steps=faces)
    yield "tilized to Dst", tile(0, FP32, FP32, to_dst=1, tileize=1, stride=16, x_dim=1024, z_dim=1, adc=(0, 0, 0, 1023, 0, 0),
                                 steps=[unpacr(0, 0)])
    yield "a row an UNPACR", tile(0, BF16, adc=(0, 0, 0, 15, 0, 0), steps=[unpacr(0b01000001, 0), unpacr(0b01000001, 0),
                                                                           ("rows", 1), unpacr(0b01000001, 0), unpacr(0, 1)])
    yield "eight rows that wrap around", tile(0, BF16, x_dim=128, adc=(0, 0, 0, 127, 0, 0), dest=64 + 60 * 16,
                                              steps=[unpacr(0b00010001, 1)])
    yield "a forced exponent", tile(0, BFP8, force=1, steps=faces)


def random_case(r):
    which = r.randrange(2)
    to_dst = which == 0 and r.random() < 0.2
    if to_dst:
        into, out = r.choice([(FP32, FP32), (INT32, INT32), (FP32, TF32)])
    else:
        into, out = r.choice([(f, f) for f in (BF16, FP16, FP8, BFP8, BFP4, BFP2, INT16)] +
                             [(FP32, TF32), (FP32, BF16), (FP32, FP16)])
    out_size = {32: 4, 16: 2}.get(BITS.get(out, 8), 1)
    case = tile(which, into, out, x_dim=r.choice([16, 32, 64, 128, 256, 256, 512, r.randrange(1, 300)]), y_dim=r.randrange(1, 4),
                z_dim=r.randrange(5), base=r.randrange(64), offset=r.randrange(64) if which == 0 else 0, context=r.randrange(2), second=r.randrange(64))
    case["y_stride"], case["z_stride"] = (16 * out_size * r.randrange(8) for _ in range(2))
    case["dest"] = 64 + 16 * r.choice([0, 0, 8, 16, 32, 48, r.randrange(48)])
    x = r.choice([0, 0, 0, 16, r.randrange(64)])
    count = r.choice([16, 16, 32, 64, 128, 256, r.randrange(1, 257), r.randrange(1, 1025)])
    case["adc"] = (x, r.randrange(3), r.randrange(4), x + count - 1, r.randrange(3), r.randrange(3))
    if to_dst:
        case["to_dst"] = 1
    if which == 0 and r.random() < 0.3:
        case["tileize"], case["stride"] = 1, r.randrange(1, 64)
    if which == 0 and not to_dst and r.random() < 0.3:
        case["transpose"] = 1
    if into in (BFP8, BFP4, BFP2) and which == 0 and r.random() < 0.3:
        case["force"] = 1
    case["add"] = r.randrange(2)
    steps = [unpacr(r.getrandbits(8), 0) for _ in range(r.randrange(3))]
    if r.random() < 0.3:
        steps.insert(0, ("clear", r.randrange(2) if which == 0 else 0, r.randrange(2)))
    case["steps"] = [*steps, unpacr(r.getrandbits(8), int(not to_dst))]
    return case


def cases(count, seed):
    yield from named()
    r = random.Random(seed)
    for i in range(count):
        yield f"random {seed}.{i}", random_case(r)


def digest(data):
    return hashlib.blake2b(data, digest_size=6).hexdigest()


def record(library, count):
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# What the vendor's simulator (ttsim 1.10) leaves in 64 rows of SrcA, SrcB or Dst; made again by")
    print("# tests/oracle/unpack_layout.py record LIBRARY COUNT.")
    for name, case in cases(count, 1):
        data, reason = run(library, case)
        if data is None and not name.startswith("random"):
            print(f"# refused: {name}: {reason}")
        elif data is not None:
            print(f"{digest(data)} {name}: {case}")
    return 0


def check(library, path):
    number = wrong = 0
    with open(path, encoding="utf-8") as file:
        for line in filter(lambda text: not text.startswith("#"), file):
            expected, _, rest = line.strip().partition(" ")
            name, _, text = rest.partition(": ")
            data, reason = run(library, eval(text, {"__builtins__": {}}))  # pylint: disable=eval-used
            number += 1
            good = data is not None and digest(data) == expected
            wrong += not good
            print(f"{'ok' if good else 'not ok'} {number} - {name}")
            if not good:
                print(f"# {reason or digest(data)}, not {expected}")
    print(f"1..{number}")
    return int(wrong != 0 or number == 0)


def live(library, count, seed):
    reference = os.environ.get("REF")
    if not reference:
        print("ok 1 - live # SKIP optional: REF names no library to compare with\n1..1")
        return 0
    wrong = same = refused = 0
    for name, case in cases(count, seed):
        theirs, _ = run(reference, case)
        if theirs is None:
            refused += 1
            continue
        ours, reason = run(library, case)
        if ours == theirs:
            same += 1
            continue
        wrong += 1
        at = next((i for i in range(len(theirs)) if ours is not None and ours[i] != theirs[i]), -1)
        print(f"# {name}: {reason or f'byte {at}: {ours[at]:02x}, not {theirs[at]:02x}'}\n# {case}")
    good = wrong == 0 and same > 0
    print(f"{'ok' if good else 'not ok'} 1 - {same} the same, {wrong} differ, {refused} refused by the reference\n1..1")
    return int(not good)


def main(arguments):
    if arguments[:1] == ["record"] and len(arguments) == 3:
        return record(arguments[1], int(arguments[2]))
    if arguments[:1] == ["check"] and len(arguments) == 3:
        return check(arguments[1], arguments[2])
    if arguments[:1] == ["live"] and len(arguments) in (3, 4):
        return live(arguments[1], int(arguments[2]), int(arguments[3]) if len(arguments) == 4 else 1)
    sys.stderr.write(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a library with the libttsim C ABI makes of number formats: tests/vectors/formats.vec.

    formats_ref.py record LIBRARY KERNELS > VECTORS     (KERNELS as for datapath.py)
    formats_ref.py check LIBRARY KERNELS VECTORS        whether it answers as recorded; what is refused there is left out

A line is one path through the coprocessor, with a set of inputs that both this script and tests/unit/num/formats_ref_test.c
generate, and one CRC-32 for the output of each 16 tiles (1024 datums a tile, as they stand in L1), or what the library
says when it refuses:

    ROUTE IN REGISTER PACK_IN OUT FLAGS SET : CRC CRC ...
    ROUTE IN REGISTER PACK_IN OUT FLAGS SET : refused MESSAGE
"""
import os
import re
import struct
import sys
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import datapath  # noqa: E402 pylint: disable=wrong-import-position

CHUNK = 16  # tiles a run and a CRC
LOWS = (0x0000, 0x0001, 0x0FFF, 0x1000, 0x7FFF, 0x8000, 0xA55A, 0xFFFF)
SPECIAL16 = (0, 0x8000, 0x7F80, 0xFF80, 0x7FC0, 0xFFC1, 0x7C00, 0x7FFF, 0xFFFF, 0x0001, 0x0080, 0x0400, 0x3F80, 0x3C00, 0x7F7F, 0x7BFF)
SPECIAL32 = (0, 1 << 31, 0x7F800000, 0xFF800000, 0x7FC00001, 0xFF800001, 0x7F7FFFFF, 0x00800000, 0x007FFFFF, 0x80000001,
             0x3F800000, 0xBF800000, 0x33800000, 0x00FFFFFF, 0x80800000, 0x4B800000)


class Random:
    def __init__(self):
        self.state = 1

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return self.state >> 32


def spread(kind):
    """16 tiles of rows in which exponents differ by up to 12; as FP32, BF16 or FP16."""
    random, out = Random(), []
    for _ in range(16 * 64):
        base = random.next()
        base = base % 32 if kind == "FP16" else base % 256
        for _ in range(16):
            r = random.next()
            exponent = max(base - r % 13, 0) if r >> 4 & 15 else 0
            out.append(r >> 31 << 31 | exponent << 23 | (r * 0x9E3779B1 >> 8 & 0x7FFFFF))
    if kind == "BF16":
        return [x >> 16 for x in out]
    if kind == "FP16":
        return [x >> 16 & 0x8000 | (x >> 23 & 31) << 10 | x >> 13 & 0x3FF for x in out]
    return out


def bfp(bits):
    """All datums times all exponents, as tiles: 64 exponents, then 1024 datums."""
    count = 1 << bits
    total = 256 * max(count, 16)
    per_exponent = total // 256
    tiles = []
    for first in range(0, total, 1024):
        exponents = bytes((first + 16 * i) // per_exponent for i in range(64))
        datums = [i % count for i in range(first, first + 1024)]
        per_byte = 8 // bits
        packed = bytes(sum(datums[i + j] << j * bits for j in range(per_byte)) for i in range(0, 1024, per_byte))
        tiles.append(exponents + packed)
    return tiles


def values(name, into):
    """The datums of a set."""
    if name == "all16":
        return list(range(65536))
    if name == "all8":
        return [i & 255 for i in range(1024)]
    if name == "edges32":
        return [i >> 3 << 16 | LOWS[i & 7] for i in range(65536 * 8)]
    if name == "ints32":
        random = Random()
        return [random.next() >> (i & 31) | (random.next() & 1) << 31 for i in range(16 * 1024)]
    if name == "spread":
        return spread(into)
    raise ValueError(name)


def memory(data, bits):
    """What is in L1 before an accumulation."""
    random, out = Random(), []
    mantissa, special = (23, SPECIAL32) if bits == 32 else (7 if bits == 16 else 10, SPECIAL16)
    width = 32 if bits == 32 else 16
    mask = (1 << width) - 1
    for x in data:
        r = random.next()
        kind = r & 3
        if kind == 0:
            y = random.next() >> (32 - width)
        elif kind == 1:
            y = (x ^ 1 << (width - 1)) & mask
        elif kind == 2:
            y = (x + (((r >> 8) % 53 - 26) << mantissa) ^ random.next() & ((1 << mantissa) - 1)) & mask
        else:
            y = special[(r >> 8) % 16]
        out.append(y)
    return out


def pack_bytes(data, size):
    return struct.pack("<%d%s" % (len(data), {4: "I", 2: "H", 1: "B"}[size]), *data)


def chunks(path):
    """(input, L1 before) of each chunk of tiles."""
    route, into, register, pack_in, out, flags, name = path
    size = datapath.tile_bytes(into)
    if name == "bfp":
        tiles = bfp({"BFP8": 8, "BFP8a": 8, "BFP4": 4, "BFP4a": 4}.get(into, 2))
        data, before = b"".join(tiles), b""
    else:
        numbers = values(name, into)
        data = pack_bytes(numbers, size // 1024)
        before = b""
        if "L1_ACCUMULATE" in flags:
            width = {"FP32": 32, "INT32": 32, "BF16": 16, "INT16": 16}.get(out, 10)
            before = pack_bytes(memory(numbers, width), datapath.tile_bytes(out) // 1024)
    step, out_step = size * CHUNK, datapath.tile_bytes(out) * CHUNK
    for i in range(0, max(len(data) // step, 1)):
        yield data[i * step:(i + 1) * step], before[i * out_step:(i + 1) * out_step]


def paths():
    raw16, raw32 = ("INT16", "INT16"), ("INT32", "INT32")
    for route in ("SRCA", "SRCB"):
        for into, register, name in (
                ("BF16", "BF16", "all16"), ("FP16", "FP16", "all16"), ("INT16", "INT16", "all16"), ("FP8", "FP8", "all8"),
                ("FP8_E4M3", "FP8_E4M3", "all8"), ("INT8", "INT8", "all8"), ("UINT8", "UINT8", "all8"), ("BFP8", "BFP8", "bfp"),
                ("BFP4", "BFP4", "bfp"), ("BFP2", "BFP2", "bfp"), ("BFP8a", "BFP8a", "bfp"), ("BFP4a", "BFP4a", "bfp"),
                ("BFP2a", "BFP2a", "bfp"), ("FP32", "BF16", "edges32"), ("FP32", "FP16", "edges32"),
                ("TF32", "TF32", "edges32"), ("BF16", "TF32", "all16"), ("BFP4", "BFP8", "bfp"), ("FP8", "FP16", "all8")):
            yield route, into, register, *raw16, "-", name
        yield route, "FP32", "TF32", *raw32, "DST32", "edges32"
    for into, register, name in (("FP32", "FP32", "edges32"), ("FP32", "TF32", "edges32"), ("INT32", "INT32", "edges32"),
                                 ("TF32", "TF32", "edges32")):
        yield "DST", into, register, *raw32, "DST32", name
    for into, register, name in (("BF16", "BF16", "all16"), ("FP16", "FP16", "all16"), ("INT16", "INT16", "all16"),
                                 ("FP32", "BF16", "edges32"), ("FP32", "FP16", "edges32"), ("BFP8", "BFP8", "bfp"),
                                 ("INT8", "INT8", "all8"), ("FP8", "FP8", "all8")):
        yield "DST", into, register, *raw16, "-", name
    formats = ("FP32", "TF32", "BF16", "FP16", "FP8", "FP8_E4M3", "BFP8", "BFP4", "BFP2", "BFP8a", "BFP4a", "BFP2a", "INT32", "INT16",
               "INT8", "UINT8")
    early = ("FP32", "TF32", "BF16", "BFP8", "FP16", "BFP8a", "FP8", "INT32", "INT16", "INT8")
    for pack_in in early:
        for out in formats:
            for flags in ("-", "ROUND_10_BITS"):
                yield "SRCA", "INT16", "INT16", pack_in, out, flags, "all16"
                yield "DST", "INT32", "INT32", pack_in, out, "+".join(["DST32"] + [flags] * (flags != "-")), "edges32"
    for out in ("INT8", "UINT8"):
        yield "DST", "INT32", "INT32", "INT8", out, "DST32", "ints32"
    for pack_in, out in (("BF16", "BFP8"), ("BF16", "BFP4"), ("BF16", "BFP2"), ("BFP8", "BFP8"), ("BFP8", "BFP4")):
        yield "SRCA", "BF16", "BF16", pack_in, out, "-", "spread"
    yield "SRCA", "FP16", "FP16", "BFP8a", "BFP8", "-", "spread"
    for pack_in, out in (("FP32", "BFP8"), ("FP32", "BFP4"), ("FP32", "BFP2"), ("BFP8", "BFP8"), ("BFP8", "BFP4")):
        yield "DST", "FP32", "FP32", pack_in, out, "DST32", "spread"
    for into, out, name in (("BF16", "BF16", "all16"), ("FP16", "FP16", "all16"), ("BF16", "FP32", "all16")):
        yield "SRCA", into, into, into, out, "L1_ACCUMULATE", name
    for into, out in (("FP32", "FP32"), ("FP32", "FP16"), ("INT32", "INT32")):
        yield "DST", into, into, into, out, "DST32+L1_ACCUMULATE", "edges32"
    yield "SRCA", "INT16", "INT16", "INT16", "INT16", "L1_ACCUMULATE", "all16"


OPENING = """# SPDX-License-Identifier: Apache-2.0
# origin: the vendor's simulator, through its C ABI.
# again:  python3 tests/oracle/formats_ref.py record LIBRARY $(BUILD)/kernels > tests/vectors/formats.vec
# Number formats on their way L1 -> unpacker -> SrcA, SrcB or Dst -> packer -> L1; formats_ref.py says what a line is."""


def answer_of(library, kernels, path):
    """CRCs, or why there are none."""
    route, into, register, pack_in, out, flags, _ = path
    jobs = []
    for data, before in chunks(path):
        tiles = -(-len(data) // datapath.tile_bytes(into))
        job = datapath.Job(into, register, pack_in, out, route, flags.split("+") if flags != "-" else (), tiles)
        jobs.append((job, data, before))
    outputs, why = datapath.run_forked(library, kernels, jobs[:1])
    if outputs is not None and len(jobs) > 1:
        outputs, why = datapath.run_forked(library, kernels, jobs)
    if outputs is None:
        return "refused " + re.sub(
            r"^\[\d+\] ERROR: |: tensix_pacr: pack_fmt_conv_mode=0x\w*( round_10b_mant=.)?$", "", why)
    return " ".join("%08x" % zlib.crc32(x) for x in outputs)


def record(library, kernels):
    print(OPENING)
    for path in paths():
        print(*path, ":", answer_of(library, kernels, path), flush=True)
    return 0


def check(library, kernels, vectors):
    wrong = checked = 0
    with open(vectors, encoding="utf-8") as file:
        for line in file:
            path, colon, expected = line.strip().partition(" : ")
            if not colon or line.startswith("#") or expected.startswith("refused"):
                continue
            checked += 1
            answer = answer_of(library, kernels, tuple(path.split()))
            if answer != expected:
                wrong += 1
                at = [i for i, (a, b) in enumerate(zip(answer.split(), expected.split())) if a != b][:1]
                print(f"{path}: " + (answer if answer.startswith("refused") else f"differs in chunk {at}"))
    print(f"{checked} paths, {wrong} differ")
    return int(wrong != 0 or checked == 0)


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "record":
        sys.exit(record(*sys.argv[2:]))
    if len(sys.argv) == 5 and sys.argv[1] == "check":
        sys.exit(check(*sys.argv[2:]))
    sys.exit(__doc__)

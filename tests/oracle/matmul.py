#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs sdk/examples/matmul.c (C = A x B, DRAM to DRAM) through any library with the libttsim C ABI, in a forked child: a
reference ends its process on what it refuses.

    matmul.py record LIBRARY KERNELS > VECTORS      every case of CASES; what the library refuses becomes a comment
    matmul.py check LIBRARY KERNELS VECTORS [NAME]  compares with what was recorded and with a model on the host; TAP
    matmul.py live LIBRARY KERNELS VECTORS [NAME]   the recorded cases with other numbers, against the library that REF names

A vector is a line

    FORMATS PHASES [DST32] [MULTICAST] [ELEMENTWISE | GAPOOL] [REPEAT] SHAPE BLOCK GRID: HASH ROW=BYTES...

with a hash (BLAKE2b) of C as it stands tile by tile, and a few of its 32-byte pieces."""
import ctypes
import hashlib
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from datapath import NAMES, PARAMS, RUN, tile_bytes  # noqa: E402 pylint: disable=wrong-import-position
from datapath_data import Random  # noqa: E402 pylint: disable=wrong-import-position
from tensix_ref import ALL_CORES, Device, SOFT_RESET, TLB_CONFIG, TLB_SIZE  # noqa: E402 pylint: disable=wrong-import-position

CORES = {"B": 0, "T0": 0x6000, "T1": 0xA000, "T2": 0xE000, "NC": 0x12000}
BANKS, DST32, MULTICAST = 8, 4, 8  # matmul.h
OPERATIONS = {"ELEMENTWISE": 1, "GAPOOL": 2}
BASES = (0x100000, 0x1000000, 0x2000000)
COLUMNS = [*range(1, 8), *range(10, 17)]  # of Tensix tiles
DONE, PIECE = 2, 32
SHARED, SHARED_BYTES = 0x20000, 0x2000


class Job:
    """Formats by name as in datapath.h; shape, block and grid in tiles: rows, columns, inner (of a block: at once)."""

    def __init__(self, formats, phases, flags, shape, block, grid):
        self.formats, self.phases, self.flags = tuple(formats), phases, tuple(flags)
        self.shape, self.block, self.grid = tuple(shape), tuple(block), tuple(grid)

    def arguments(self):
        into, register, pack_in, out = (NAMES[name] for name in self.formats)
        flags = self.phases - 1 | (DST32 if "DST32" in self.flags else 0) | (MULTICAST if "MULTICAST" in self.flags else 0)
        columns, rows = self.grid
        return [flags, into | register << 8 | pack_in << 16 | out << 24,
                self.shape[0] | self.shape[1] << 10 | self.shape[2] << 20,
                self.block[0] | self.block[1] << 8 | self.block[2] << 16, columns | rows << 8, *BASES,
                COLUMNS[0] | COLUMNS[columns - 1] << 8 | 2 << 16 | 2 + rows - 1 << 24,
                OPERATIONS.get(next((flag for flag in self.flags if flag in OPERATIONS), None), 0),
                64 if "REPEAT" in self.flags else 1, 0]

    def tiles(self):
        columns, rows = self.grid
        return [(COLUMNS[i % columns], 2 + i // columns) for i in range(columns * rows)]

    def output_bytes(self):
        return self.shape[0] * self.shape[1] * tile_bytes(self.formats[3])

    def __str__(self):
        return " ".join(["/".join(self.formats), f"phases={self.phases}", *self.flags,
                         *("x".join(map(str, part)) for part in (self.shape, self.block, self.grid))])

    @staticmethod
    def parse(text):
        words = text.split()
        parts = [tuple(map(int, word.split("x"))) for word in words[-3:]]
        return Job(words[0].split("/"), int(words[1].split("=")[1]), words[2:-3], *parts)


class Chip(Device):
    """Any tile of the chip."""

    def _window(self, address, x=1, y=2):
        base = address & ~(TLB_SIZE - 1)
        fields = (base >> 21) | x << 43 | y << 49
        for i in range(3):
            word = struct.pack("<I", fields >> 32 * i & 0xFFFFFFFF)
            self.lib.libttsim_pci_mem_wr_bytes(ctypes.c_uint64(self.bar0 + TLB_CONFIG + 4 * i), word, 4)
        return ctypes.c_uint64(self.bar0 + address - base)

    def write_to(self, tile, address, data):
        self.lib.libttsim_pci_mem_wr_bytes(self._window(address, *tile), data, len(data))

    def read_from(self, tile, address, size):
        buffer = ctypes.create_string_buffer(size)
        self.lib.libttsim_pci_mem_rd_bytes(self._window(address, *tile), buffer, size)
        return buffer.raw

    @staticmethod
    def bank(index):
        return (17 if index < BANKS // 2 else 18, 12 + index % (BANKS // 2) * 3)

    def write_tiles(self, base, data, size):
        for i in range(BANKS):
            part = b"".join(data[at:at + size] for at in range(i * size, len(data), BANKS * size))
            if part:
                self.write_to(self.bank(i), base, part)

    def read_tiles(self, base, count, size):
        parts = [self.read_from(self.bank(i), base, (count + BANKS - 1) // BANKS * size) for i in range(BANKS)]
        return b"".join(parts[i % BANKS][i // BANKS * size:(i // BANKS + 1) * size] for i in range(count))


def run_on(chip, kernels, job, a, b, cycles=20000000):
    """One job on a new chip; C, and the cycles that T1 says it took.  RuntimeError if it does not end."""
    into, out = tile_bytes(job.formats[0]), tile_bytes(job.formats[3])
    chip.write_tiles(BASES[0], a, into)
    chip.write_tiles(BASES[1], b, into)
    code = {}
    for core in CORES:
        with open(os.path.join(kernels, f"matmul_{core}.bin"), "rb") as file:
            code[core] = file.read()
    tiles = job.tiles()
    for index, (x, y) in enumerate(tiles):
        chip.write_to((x, y), SOFT_RESET, struct.pack("<I", ALL_CORES))
        for core, address in CORES.items():
            chip.write_to((x, y), address, code[core])
        chip.write_to((x, y), PARAMS, struct.pack("<16I", x, y, index, len(tiles), *job.arguments()).ljust(144, b"\0"))
        chip.write_to((x, y), SHARED, bytes(SHARED_BYTES))
    for tile in tiles:
        chip.write_to(tile, SOFT_RESET, struct.pack("<I", 0))
    left = list(tiles)
    for _ in range(0, cycles, 2000):
        chip.lib.libttsim_clock(2000)
        while left and struct.unpack("<I", chip.read_from(left[-1], RUN + 16 * 4, 4))[0] == DONE:
            left.pop()
        if not left:
            break
    else:
        states = [struct.unpack("<I", chip.read_from(left[-1], RUN + 16 * core, 4))[0] for core in range(5)]
        raise RuntimeError(f"not done: states of {left[-1]} are {states}, counters " +
                           str([struct.unpack("<I", chip.read_from(left[-1], SHARED + 64 * i, 4))[0] for i in range(5)]))
    took = [struct.unpack("<i", chip.read_from(tile, RUN + 16 * 2 + 4, 4))[0] for tile in tiles]
    return chip.read_tiles(BASES[2], job.shape[0] * job.shape[1], out), max(took)


def run_forked(library, kernels, job, a, b):
    """(C, cycles), or None and what the library said."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                result, took = run_on(Chip(library), kernels, job, a, b)
                os.write(out.fileno(), result + struct.pack("<I", took))
                status = 0
            except RuntimeError as error:
                os.write(2, str(error).encode())
            finally:
                os._exit(status)
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        data = out.read()
        log.seek(0)
        text = log.read().decode(errors="replace").strip()
    if status != 0 or len(data) != job.output_bytes() + 4:
        lines = (text or "no answer").split("\n")
        return None, re.sub(r"\S*/", "", " | ".join(lines[-3:])[:600])
    return (data[:-4], struct.unpack("<I", data[-4:])[0]), None


# ---- Numbers: exact integers and doubles only, so that every Python makes the same

def without_minus_zero(byte, width):
    """Minus zero in a block float becomes minus infinity in SrcA and SrcB."""
    for at in range(0, 8, width):
        if byte >> at & (1 << width) - 1 == 1 << width - 1:
            byte |= 1 << at
    return byte


def make(name, tiles, seed):
    """Tiles of a format as they stand in memory, with exponents close to each other."""
    random, out = Random(seed), bytearray()
    for _ in range(tiles):
        if name.startswith("BFP"):
            out += bytes(120 + random.below(8) for _ in range(64))
            out += bytes(without_minus_zero(random.below(256), int(name[3])) for _ in range(128 * int(name[3])))
        elif name in ("FP32", "BF16", "FP16"):
            exponent_bits, mantissa_bits, top = {"FP32": (8, 23, 127), "BF16": (8, 7, 127), "FP16": (5, 10, 15)}[name]
            for _ in range(1024):
                value = random.below(2) << exponent_bits | top - random.below(4)
                out += (value << mantissa_bits | random.below(1 << mantissa_bits)).to_bytes(tile_bytes(name) // 1024, "little")
        else:
            out += bytes(random.below(256) for _ in range(1024))
    return bytes(out)


def float_value(bits, exponent_bits, mantissa_bits):
    exponent, mantissa = bits >> mantissa_bits & (1 << exponent_bits) - 1, bits & (1 << mantissa_bits) - 1
    value = (mantissa + (1 << mantissa_bits)) * 2.0 ** (exponent - (1 << exponent_bits - 1) + 1 - mantissa_bits) if exponent \
        else 0.0
    return -value if bits >> exponent_bits + mantissa_bits else value


def tile_values(name, data):
    """1024 numbers in the order of memory."""
    if name.startswith("BFP"):
        width = int(name[3])
        fields = [data[64 + i * width // 8] >> i * width % 8 & (1 << width) - 1 for i in range(1024)]
        return [(-1 if field >> width - 1 else 1) * (field & (1 << width - 1) - 1) * 2.0 ** (data[i // 16] - 127 - width + 2)
                for i, field in enumerate(fields)]
    size = tile_bytes(name) // 1024
    words = [int.from_bytes(data[at:at + size], "little") for at in range(0, len(data), size)]
    if name.startswith("INT"):  # sign and magnitude
        top = 8 * size - 1
        return [float((word & (1 << top) - 1) * (-1 if word >> top else 1)) for word in words]
    return [float_value(word, *{"FP32": (8, 23), "BF16": (8, 7), "FP16": (5, 10)}[name]) for word in words]


def matrix(name, data, rows, columns):
    """Rows of numbers."""
    size, out = tile_bytes(name), [[0.0] * (32 * columns) for _ in range(32 * rows)]
    for tile in range(rows * columns):
        values = tile_values(name, data[tile * size:(tile + 1) * size])
        for face in range(4):
            for i in range(16):
                row, column = tile // columns * 32 + face // 2 * 16 + i, tile % columns * 32 + face % 2 * 16
                out[row][column:column + 16] = values[face * 256 + i * 16:face * 256 + i * 16 + 16]
    return out


def tolerance(job):
    """Largest error of an element in units of the root of its products' squares.  A phase fewer leaves out low bits of SrcA or
    SrcB (docs/matrix-arithmetic.md); 16 bits of Dst round every sum of 16 products to 8 or 11 bits."""
    if job.formats[1] == "INT8" and job.phases == 4:
        return 0.0
    narrow = 0 if "DST32" in job.flags else 2.0 ** (-7 if job.formats[1] == "FP16" else -5)
    out = {"BF16": 2.0 ** -6, "BFP8": 2.0 ** -4}.get(job.formats[3], 0)
    return {1: 2.0 ** -3, 2: 2.0 ** -6, 3: 2.0 ** -7, 4: 2.0 ** -7}[job.phases] + narrow + out


def model_error(job, a, b, c, samples=600):
    """(largest error, where) of C against doubles, at some of its elements."""
    if {"REPEAT", "GAPOOL"} & set(job.flags):  # recorded bits only
        return 0.0, ()
    rows, columns, inner = job.shape
    left, right = matrix(job.formats[0], a, rows, inner), matrix(job.formats[0], b, inner, columns)
    got, random, worst = matrix(job.formats[3], c, rows, columns), Random(99), (0.0, ())
    for _ in range(samples):
        i, j = random.below(32 * rows), random.below(32 * columns)
        products = [left[i][k] * right[k][j] for k in range(32 * inner)]
        if "ELEMENTWISE" in job.flags:  # K is one tile
            products = [left[i][j] * right[i][j]] if i % 16 < 8 else [left[i][j], right[i][j]]
        norm = sum(p * p for p in products) ** 0.5 or 1.0
        want = sum(products)
        if job.formats[3] == "INT8":  # saturates
            want = max(-127, min(127, want))
        worst = max(worst, (abs(got[i][j] - want) / norm, (i, j, got[i][j], want)))
    return worst


# ---- Cases

CASES = [f"{formats} 2x2x4 2x2x2 1x1" for formats in (
    "BF16/BF16/BF16/BF16 phases=1", "BF16/BF16/BF16/BF16 phases=2", "BF16/BF16/BF16/BF16 phases=3",
    "BF16/BF16/BF16/BF16 phases=4", "BF16/BF16/FP32/FP32 phases=4 DST32", "BF16/BF16/BFP8/BFP8 phases=2",
    "FP16/FP16/FP16/FP16 phases=1", "FP16/FP16/FP16/FP16 phases=4", "FP16/FP16/FP32/FP32 phases=4 DST32",
    "BFP8/BFP8/BF16/BF16 phases=1", "BFP8/BFP8/BF16/BF16 phases=2", "BFP8/BFP8/BFP8/BFP8 phases=4",
    "BFP4/BFP4/BF16/BF16 phases=1", "FP32/TF32/FP32/FP32 phases=1 DST32", "FP32/TF32/FP32/FP32 phases=4 DST32",
    "FP32/TF32/BF16/BF16 phases=4 DST32", "INT8/INT8/INT32/INT32 phases=4 DST32", "INT8/INT8/INT8/INT8 phases=4 DST32")]
CASES += ["BF16/BF16/BF16/BF16 phases=2 4x8x6 2x4x1 1x1", "BF16/BF16/BF16/BF16 phases=2 4x8x6 2x4x3 2x2",
          "BF16/BF16/BF16/BF16 phases=4 MULTICAST 8x12x6 2x2x2 3x2", "BFP8/BFP8/BF16/BFP8 phases=2 10x14x2 1x1x1 14x10",
          "FP32/TF32/FP32/FP32 phases=4 DST32 MULTICAST 10x14x2 1x1x1 14x10",
          "INT8/INT8/INT32/INT32 phases=4 DST32 MULTICAST 10x28x4 1x2x2 14x10",
          "BF16/BF16/BF16/BF16 phases=1 MULTICAST 10x28x4 1x2x2 14x10"]
CASES += [f"{case} 1x1x1 1x1x1 1x1" for case in (
    "BF16/BF16/BF16/BF16 phases=1 ELEMENTWISE", "BF16/BF16/BF16/BF16 phases=1 GAPOOL", "BF16/BF16/BF16/BF16 phases=4 GAPOOL",
    "BF16/BF16/BF16/BF16 phases=4 REPEAT", "BF16/BF16/BF16/BF16 phases=1 REPEAT", "BFP8/BFP8/BF16/BF16 phases=2 REPEAT",
    "INT8/INT8/INT32/INT32 phases=4 DST32 REPEAT", "BF16/BF16/BF16/BF16 phases=1 ELEMENTWISE REPEAT")]


def work(job, seed=1):
    return make(job.formats[0], job.shape[0] * job.shape[2], seed), make(job.formats[0], job.shape[2] * job.shape[1], seed + 1)


def digest(data):
    return hashlib.blake2b(data, digest_size=12).hexdigest()


def record(library, kernels):
    print("# What sdk/examples/matmul.c makes of the numbers of tests/oracle/matmul.py.\n"
          "# origin: ttsim 1.10, libttsim.so for Blackhole\n"
          "# again: tests/oracle/matmul.py record LIBRARY build/kernels")
    for case in CASES:
        result, why = run_forked(library, kernels, Job.parse(case), *work(Job.parse(case)))
        if result is None:
            print(f"# refused: {case}: {why}")
            continue
        last = len(result[0]) // PIECE - 1
        pieces = " ".join(f"{at}={result[0][PIECE * at:PIECE * at + PIECE].hex()}" for at in sorted({0, last // 2 + 1, last}))
        print(f"{case}: {digest(result[0])} {pieces}", flush=True)
    return 0


def read(path, name):
    with open(path, encoding="utf-8") as file:
        lines = [line.strip().partition(": ") for line in file if not line.startswith("#")]
    return [(Job.parse(case), answers.split()) for case, _, answers in lines if name in case]


def difference(output, answers):
    for answer in answers[1:]:
        at, text = answer.split("=")
        got = output[PIECE * int(at):PIECE * (int(at) + 1)].hex()
        if got != text:
            return f"bytes {PIECE * int(at)}: {got}, not {text}"
    return None if digest(output) == answers[0] else "hash differs"


def report(results):
    """TAP."""
    failed, number = 0, 0
    for number, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {number} - {name}" + (f"\n# {why}" if why else ""), flush=True)
        failed += bool(why)
    print(f"1..{number}")
    return 1 if failed or not number else 0


def check(library, kernels, path, name=""):
    def results():
        for job, answers in read(path, name):
            a, b = work(job)
            result, why = run_forked(library, kernels, job, a, b)
            if result is not None:
                why = difference(result[0], answers)
                error, where = model_error(job, a, b, result[0])
                if not why and error > tolerance(job):
                    why = f"element {where}: off by {error} of its products' size, {tolerance(job)} allowed"
            yield str(job), why
    return report(results())


def live(library, kernels, path, name=""):
    reference = os.environ.get("REF")
    if not reference:
        print("ok 1 - live # SKIP optional: REF names no library to compare with\n1..1")
        return 0

    def results():
        for job, _ in read(path, name):
            a, b = work(job, 1000)
            ours, why = run_forked(library, kernels, job, a, b)
            theirs, refused = run_forked(reference, kernels, job, a, b)
            if not why and theirs is None:
                why = f"the reference: {refused}"
            if not why and ours[0] != theirs[0]:
                why = f"byte {next(i for i, (x, y) in enumerate(zip(ours[0], theirs[0])) if x != y)} differs"
            yield str(job), why
    return report(results())


def main(arguments):
    verbs = {"record": (record, 2, 2), "check": (check, 3, 4), "live": (live, 3, 4)}
    verb, least, most = verbs.get(arguments[1] if len(arguments) > 1 else "", (None, 0, 0))
    if verb is None or not least <= len(arguments) - 2 <= most:
        sys.stderr.write(__doc__)
        return 2
    return verb(*arguments[2:])


if __name__ == "__main__":
    sys.exit(main(sys.argv))

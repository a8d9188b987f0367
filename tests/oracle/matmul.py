#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs sdk/examples/matmul.c (C = A x B, DRAM to DRAM) through any library with the libttsim C ABI, in a forked child: a
reference ends its process on what it refuses.

    matmul.py record LIBRARY KERNELS > VECTORS      every case of CASES; what the library refuses becomes a comment
    matmul.py check LIBRARY KERNELS VECTORS [NAME]  compares with what was recorded and with a model on the host; TAP
    matmul.py live LIBRARY KERNELS VECTORS [NAME]   the recorded cases with other numbers, against the library that REF names

A vector is a line

    NAME FORMATS PHASES [DST32] [MULTICAST] SHAPE BLOCK GRID: HASH ROW=BYTES...

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
                COLUMNS[0] | COLUMNS[columns - 1] << 8 | 2 << 16 | 2 + rows - 1 << 24, 0, 0, 0]

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

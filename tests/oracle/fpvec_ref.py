#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what a reference library (libttsim C ABI) answers to F instructions on RISCV B.

    KERR_REF=path/to/libttsim.so fpvec_ref.py > tests/vectors/baby_f.vec
    KERR_REF=path/to/libttsim.so fpvec_ref.py --random 20000 --seed 7 > more.vec

The file is what tests/unit/riscv/exec_f_test.c reads (KERR_F_VECTORS=more.vec for another one).  Each line is
    name word f1 f2 f3 x11 -> result
with sources in f1, f2, f3 and x11, and the result in f0 or x10.  The library keeps its state in globals and ends
the process on an error, so every instruction runs in a forked child; one that is refused becomes a comment.
"""
import argparse
import ctypes
import os
import random
import struct
import sys
import tempfile

TILE = (1, 2)                       # any Tensix tile
SOFT_RESET = 0xFFB121B0             # manual SoftReset
ALL_CORES, CORE_B = 0x47800, 0x800
TLB_CONFIG, TLB_SIZE = 0x1FC00000, 2 << 20  # manual HostToDeviceTLBs
INPUT, OUTPUT, DONE = 0x20000, 0xA0000, 0xF000
STEP_IN, STEP_OUT = 16, 8
DYN = 7                             # the reference takes sums and products with this rounding mode only


class Refused(Exception):
    pass


class Device:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.libttsim_pci_config_rd32.restype = ctypes.c_uint32
        self.lib.libttsim_init()
        self.bar0 = self.lib.libttsim_pci_config_rd32(0, 0x10) & ~0xF
        self.bar0 |= self.lib.libttsim_pci_config_rd32(0, 0x14) << 32

    def _window(self, address):
        base = address & ~(TLB_SIZE - 1)
        fields = (base >> 21) | TILE[0] << 43 | TILE[1] << 49
        for i in range(3):
            word = struct.pack("<I", fields >> 32 * i & 0xFFFFFFFF)
            self.lib.libttsim_pci_mem_wr_bytes(ctypes.c_uint64(self.bar0 + TLB_CONFIG + 4 * i), word, 4)
        return ctypes.c_uint64(self.bar0 + address - base)

    def write(self, address, data):
        self.lib.libttsim_pci_mem_wr_bytes(self._window(address), data, len(data))

    def read(self, address, size):
        buffer = ctypes.create_string_buffer(size)
        self.lib.libttsim_pci_mem_rd_bytes(self._window(address), buffer, size)
        return buffer.raw


def i_type(opcode, rd, funct3, rs1, imm):
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | (imm & 0xFFF) << 20


def s_type(opcode, funct3, rs1, rs2, imm):
    return opcode | (imm & 31) << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | (imm >> 5 & 127) << 25


def load_immediate(rd, value):
    high = (value + 0x800) & 0xFFFFF000
    return [0x37 | rd << 7 | high, i_type(0x13, rd, 0, rd, value - high)]


def program(word, count):
    """for each input: f1, f2, f3, x11 from memory; f0 = 0, x10 = 0; word; f0 and x10 to memory."""
    pointer_in, pointer_out, left = 5, 6, 7
    body = [i_type(0x07, 1, 2, pointer_in, 0), i_type(0x07, 2, 2, pointer_in, 4),
            i_type(0x07, 3, 2, pointer_in, 8), i_type(0x03, 11, 2, pointer_in, 12),
            i_type(0x13, 10, 0, 0, 0), 0xF0000053,                       # li x10, 0; fmv.w.x f0, x0
            word,
            s_type(0x27, 2, pointer_out, 0, 0), s_type(0x23, 2, pointer_out, 10, 4),
            i_type(0x13, pointer_in, 0, pointer_in, STEP_IN), i_type(0x13, pointer_out, 0, pointer_out, STEP_OUT),
            i_type(0x13, left, 0, left, -1)]
    back = -4 * len(body)
    branch = 0x63 | 1 << 12 | left << 15 | (back >> 11 & 1) << 7 | (back >> 1 & 15) << 8 | (back >> 5 & 63) << 25 \
        | (back >> 12 & 1) << 31
    words = load_immediate(pointer_in, INPUT) + load_immediate(pointer_out, OUTPUT) + load_immediate(left, count) \
        + body + [branch] + load_immediate(28, DONE) + [s_type(0x23, 2, 28, 28, 0), 0x6F]
    return struct.pack("<%dI" % len(words), *words)


def run(word, inputs):
    """Results (f0, x10) of word for each (f1, f2, f3, x11)."""
    size = STEP_OUT * len(inputs)
    out, log = tempfile.TemporaryFile(), tempfile.TemporaryFile()
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            dev = Device(os.environ["KERR_REF"])
            dev.write(SOFT_RESET, struct.pack("<I", ALL_CORES))
            dev.write(0, program(word, len(inputs)))
            dev.write(INPUT, b"".join(struct.pack("<4I", *i) for i in inputs))
            dev.write(DONE, bytes(4))
            dev.write(SOFT_RESET, struct.pack("<I", ALL_CORES & ~CORE_B))
            for _ in range(100000):
                dev.lib.libttsim_clock(1000)
                if dev.read(DONE, 4) != bytes(4):
                    os.write(out.fileno(), dev.read(OUTPUT, size))
                    status = 0
                    break
        finally:
            os._exit(status)
    os.waitpid(pid, 0)
    out.seek(0)
    data = out.read()
    if len(data) != size:
        log.seek(0)
        raise Refused(log.read().decode(errors="replace").strip().split("\n")[-1][:120])
    return [struct.unpack_from("<2I", data, STEP_OUT * i) for i in range(len(inputs))]


def r_type(funct5, funct3, rd, rs2=2):
    return 0x53 | rd << 7 | funct3 << 12 | 1 << 15 | rs2 << 20 | funct5 << 27


def fma(opcode):
    return opcode | DYN << 12 | 1 << 15 | 2 << 20 | 3 << 27


# name, word, number of f sources (0: x11), result in x
INSTRUCTIONS = [
    ("fadd.s", r_type(0x00, DYN, 0), 2, False), ("fsub.s", r_type(0x01, DYN, 0), 2, False),
    ("fmul.s", r_type(0x02, DYN, 0), 2, False), ("fsgnj.s", r_type(0x04, 0, 0), 2, False),
    ("fsgnjn.s", r_type(0x04, 1, 0), 2, False), ("fsgnjx.s", r_type(0x04, 2, 0), 2, False),
    ("fmin.s", r_type(0x05, 0, 0), 2, False), ("fmax.s", r_type(0x05, 1, 0), 2, False),
    ("fle.s", r_type(0x14, 0, 10), 2, True), ("flt.s", r_type(0x14, 1, 10), 2, True),
    ("feq.s", r_type(0x14, 2, 10), 2, True), ("fcvt.w.s", r_type(0x18, 0, 10, 0), 1, True),
    ("fcvt.wu.s", r_type(0x18, 0, 10, 1), 1, True), ("fcvt.w.s,rtz", r_type(0x18, 1, 10, 0), 1, True),
    ("fcvt.s.w", r_type(0x1A, 0, 0, 0) + (10 << 15), 0, False),
    ("fcvt.s.wu", r_type(0x1A, 0, 0, 1) + (10 << 15), 0, False),
    ("fmv.x.w", r_type(0x1C, 0, 10, 0), 1, True), ("fclass.s", r_type(0x1C, 1, 10, 0), 1, True),
    ("fmv.w.x", r_type(0x1E, 0, 0, 0) + (10 << 15), 0, False),
    ("fmadd.s", fma(0x43), 3, False), ("fmsub.s", fma(0x47), 3, False),
    ("fnmsub.s", fma(0x4B), 3, False), ("fnmadd.s", fma(0x4F), 3, False),
    ("fdiv.s", r_type(0x03, 0, 0), 2, False), ("fsqrt.s", r_type(0x0B, 0, 0, 0), 1, False),
    ("fadd.h", r_type(0x00, 0, 0) | 2 << 25, 2, False), ("fcvt.h.s", r_type(0x08, 0, 0, 0) | 2 << 25, 1, False),
]

EDGES = [0x00000000, 0x80000000, 0x00000001, 0x807FFFFF, 0x00800000, 0x80800001, 0x3F800000, 0xBF800001, 0x3FFFFFFF,
         0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0xFF800001]
MORE = [0x3F000000, 0x3EFFFFFF, 0x3FC00000, 0x40200000, 0xBF000000, 0xBFC00000, 0x4EFFFFFF, 0x4F000000, 0xCF000000,
        0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x4B7FFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FBFFFFF]
INTEGERS = [0, 1, 0xFFFFFFFF, 0x80000000, 0x7FFFFFFF, 0x01000000, 0x01000001, 0x01000003, 0x02000002, 0x02000006,
            0xFFFFFF7F, 0xFFFFFF80, 0x7FFFFFBF, 0x7FFFFFC0, 0x80000040, 0xFEFFFFFF]


def number(rng):
    """An FP32 value: any, near 1, at the low end, or with a long run of ones."""
    kind = rng.randrange(5)
    sign = rng.getrandbits(1) << 31
    if kind == 0:
        return rng.getrandbits(32)
    if kind == 1:
        return sign | rng.randrange(120, 136) << 23 | rng.getrandbits(23)
    if kind == 2:
        return sign | rng.randrange(0, 80) << 23 | rng.getrandbits(23)
    if kind == 3:
        return sign | rng.randrange(115, 140) << 23 | (0x7FFFFF & ~rng.getrandbits(4))
    return sign | rng.randrange(100, 150) << 23 | rng.getrandbits(23) & -1 << rng.randrange(24)


def inputs_for(sources, rng, extra):
    if sources == 0:
        return [(0, 0, 0, x) for x in INTEGERS] + [(0, 0, 0, rng.getrandbits(32)) for _ in range(extra)]
    if sources == 1:
        return [(a, 0, 0, 0) for a in EDGES + MORE] + [(number(rng), 0, 0, 0) for _ in range(extra)]
    if sources == 2:
        fixed = [(a, b, 0, 0) for a in EDGES for b in EDGES]
        return fixed + [(number(rng), number(rng), 0, 0) for _ in range(extra)]
    fixed = [(rng.choice(EDGES), rng.choice(EDGES), rng.choice(EDGES), 0) for _ in range(150)]
    rows = []
    for _ in range(extra * 4):
        x, y, z = number(rng), number(rng), number(rng)
        if rng.randrange(2):  # z near -x * y, where the cut of the product shows
            e = (x >> 23 & 255) + (y >> 23 & 255) - 127 + rng.randrange(-2, 3)
            z = (~(x ^ y) & 0x80000000) | max(0, min(254, e)) << 23 | (z & 0x7FFFFF)
        rows.append((x, y, z, 0))
    return fixed + rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--random", type=int, default=60, help="random inputs per instruction")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print("# Origin: reference simulator ttsim, version 1.10 (libttsim.so, Blackhole), RISCV B.  Made by")
    print("#   KERR_REF=libttsim.so tests/oracle/fpvec_ref.py --random %d --seed %d" % (args.random, args.seed))
    print("# name word f1 f2 f3 x11 -> result")
    for name, word, sources, to_x in INSTRUCTIONS:
        inputs = inputs_for(sources, random.Random("%s %d" % (name, args.seed)), args.random)
        try:
            results = []
            for i in range(0, len(inputs), 20000):
                results += run(word, inputs[i:i + 20000])
        except Refused as reason:
            print("# %s: refused by the reference: %s" % (name, reason))
            continue
        for row, result in zip(inputs, results):
            print("%s %08x %08x %08x %08x %08x -> %08x" % ((name, word) + row + (result[to_x],)))


if __name__ == "__main__":
    sys.exit(main())

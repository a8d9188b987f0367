#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A host program for tests of kerr exec:  exec_client.py WHAT [ARGUMENT...]

It opens the library that TT_METAL_SIMULATOR names, as clients do, and knows nothing of kerr exec.
"""

import ctypes
import os
import select
import signal
import sys
import time
import unittest

from support import A0, FOREVER, T0, T1, addi, code, jump, li, lw, sw

TILE = (1, 2)
SOFT_RESET, ALL_IN_RESET, B_RUNS = 0xFFB121B0, 0x47800, 0x47000
WORD, STACK, SP = 0x20000, 0x40000, 2
ILLEGAL = 0xFFFFFFFF
SEMWAIT, SEMPOST = 0xA6FF8009, 0xA4000010  # while semaphore 1 is zero everything waits; post semaphore 2


class Chip:
    def __init__(self):
        self.lib = ctypes.CDLL(os.environ["TT_METAL_SIMULATOR"])
        self.lib.libttsim_pci_config_rd32.restype = ctypes.c_uint32
        self.lib.libttsim_init()

    def write(self, address, data, tile=TILE):
        self.lib.libttsim_tile_wr_bytes(*tile, ctypes.c_uint64(address), bytes(data), len(data))

    def word(self, address, value, tile=TILE):
        self.write(address, value.to_bytes(4, "little"), tile)

    def read(self, address, tile=TILE, size=4):
        data = ctypes.create_string_buffer(size)
        self.lib.libttsim_tile_rd_bytes(*tile, ctypes.c_uint64(address), data, size)
        return int.from_bytes(data.raw, "little")

    def clock(self, cycles):
        self.lib.libttsim_clock(cycles)

    def start(self, program, tile=TILE, at=0, entry=0):
        """RISCV B begins at 0: a jump leads to where the program is."""
        self.word(SOFT_RESET, ALL_IN_RESET, tile)
        if at != 0:
            self.write(0, code(li(SP, STACK), li(T0, at + entry), 0x00028067), tile)  # jr t0
        self.write(at, program, tile)
        self.word(SOFT_RESET, B_RUNS, tile)

    def exit(self):
        self.lib.libttsim_exit()


def counter(laps):
    """Counts in L1, then stops in place."""
    return code(li(T0, WORD), li(T1, 0), li(A0, laps), sw(T1, T0), addi(T1, T1, 1), blt(T1, A0, -8), FOREVER)


def blt(a, b, offset):
    return ((offset >> 12 & 1) << 31 | (offset >> 5 & 0x3F) << 25 | b << 20 | a << 15 | 4 << 12 | (offset >> 1 & 0xF) << 8
            | (offset >> 11 & 1) << 7 | 0x63)


def count(laps="2000", columns="3"):
    chip = Chip()
    tiles = [(x, 2) for x in range(1, 1 + int(columns))]
    for tile in tiles:
        chip.start(counter(int(laps)), tile)
    for _ in range(20):
        chip.clock(5000)
    print("counted", [chip.read(WORD, tile) for tile in tiles], flush=True)
    chip.exit()


def fault(go_on="0"):
    """An illegal instruction; then goes on with the card as it is then."""
    chip = Chip()
    chip.start(code(li(T0, WORD), ILLEGAL))
    chip.clock(10000)
    print("after", hex(chip.read(WORD)), flush=True)
    end = time.time() + float(go_on)
    while time.time() < end:
        chip.read(WORD)
    print("went on", flush=True)


def uninit():
    """Reads L1 where nobody has written."""
    chip = Chip()
    chip.start(code(li(T0, WORD + 0x100), lw(T1, T0), li(T0, WORD), sw(T1, T0), FOREVER))
    chip.clock(10000)
    print("after", hex(chip.read(WORD)), flush=True)
    chip.exit()


def fails():
    """The same, in a program that ends badly."""
    uninit()
    sys.exit(3)


def suite():
    """Three tests in one process, of which the second reads what nobody wrote."""
    class Tests(unittest.TestCase):
        def test_1(self):
            count("200", "1")

        def test_2(self):
            chip = Chip()
            chip.start(code(li(T0, WORD + 0x100), lw(T1, T0), li(T0, WORD), sw(T1, T0), FOREVER))
            chip.clock(10000)
            answer = chip.read(WORD)
            chip.exit()
            self.assertEqual(answer, 0)

        def test_3(self):
            count("200", "1")

    result = unittest.TextTestRunner(stream=sys.stdout).run(unittest.defaultTestLoader.loadTestsFromTestCase(Tests))
    print("ran", result.testsRun, "failed", len(result.failures), "errors", len(result.errors), flush=True)


def hang(seconds="20", chip=None):
    """The core polls a word that nobody writes, and so does the host."""
    chip = chip or Chip()
    chip.start(code(li(T0, WORD), lw(T1, T0), 0xFE030EE3, FOREVER))  # beq t1, zero, -4
    end = time.time() + float(seconds)
    while chip.read(WORD + 16) == 0 and time.time() < end:
        pass
    print("answer", hex(chip.read(WORD + 16)), flush=True)


def closes(how="hung"):
    """Closes a chip on which RISCV B waits for a mailbox that nobody writes, or polls a word as firmware does; or T1 does so in what
    looks like a kernel of tt-metal's."""
    chip = Chip()
    if how == "kernel":
        chip.write(0x68, bytes((0, 0, 0x80, 0)))  # subordinate_sync: T1 is to run
        chip.write(0xA000, code(li(T0, WORD), lw(T1, T0), 0xFE030EE3, FOREVER))
        chip.word(SOFT_RESET, 0x45800)  # T1 runs
    else:
        where = 0xFFEC1000 if how == "hung" else WORD  # B's mailbox from T0
        chip.start(code(li(T0, where), lw(T1, T0), 0xFE030EE3, FOREVER))
    chip.clock(10000)
    print("closed", flush=True)
    chip.exit()


def lone(seconds="20"):
    """As hang, but a core of another tile keeps noting the time, as one of tt-metal's does with fast dispatch."""
    chip = Chip()
    chip.start(code(li(T0, 0xFFB121F0), li(A0, WORD), lw(T1, T0), sw(T1, A0), 0xFF9FF06F), (2, 2))  # jal zero, -8
    hang(seconds, chip)


def gate():
    """RISCV B lets an instruction wait for a semaphore that nobody posts, in the FIFO of T0; then it polls a word."""
    chip = Chip()
    push = 0xFFE40000
    chip.start(code(li(T0, push), li(T1, SEMWAIT), sw(T1, T0), li(T1, SEMPOST), sw(T1, T0), li(T0, WORD), lw(T1, T0),
                    0xFE030EE3, FOREVER))
    end = time.time() + 20
    while chip.read(WORD + 16) == 0 and time.time() < end:
        pass


def forks(number="5"):
    """Each child has the chip as it was, and goes on by itself."""
    chip = Chip()
    chip.start(counter(100))
    chip.clock(20000)
    for i in range(int(number)):
        child = os.fork()
        if child == 0:
            chip.clock(1000 * (i + 1))
            chip.read(WORD)
            if i % 2 == 0:
                chip.exit()
            os._exit(0)  # as pytest --forked does
        os.waitpid(child, 0)
    chip.clock(500)
    chip.exit()


def waits():
    """Has a chip open, and does not end by itself."""
    chip = Chip()
    chip.start(counter(100000000))
    print("ready", flush=True)
    while True:
        chip.clock(100000)


def load(calls="0", tiles="2", cycles="1000", pause="0"):
    """Tiles that count and write lines of L1, for so many calls, or, if 0, until a line comes; then stays until standard input ends."""
    chip = Chip()
    lap = code(sw(T1, T0), addi(T1, T1, 1), 0x0062C533, sw(A0, T0, 64))  # xor a0, t0, t1
    for i in range(int(tiles)):
        chip.start(code(li(T0, WORD), li(T1, 0)) + lap * 16 + code(jump(-16 * len(lap))), (1 + i % 7, 2 + i // 7))
    print("ready", flush=True)
    made = 0
    while made < int(calls) if int(calls) else not select.select([sys.stdin], [], [], 0)[0]:
        chip.clock(int(cycles))
        made += 1
        time.sleep(float(pause))
    print("done", made, chip.read(WORD + 64), flush=True)
    sys.stdin.read()
    chip.exit()


def launches(pairs="2", step="20000"):
    """As tt-metal's firmware does: RISCV B tells T1 in a byte to start, waits until it is done, and has T0 clear counters; on two tiles,
    T1's kernel longer on the second."""
    sync, b, t1, fence = 96 + 8, 0x10000, 0x11000, 0x0FF0000F
    chip = Chip()
    sb, lbu = (lambda rs, base, at: sw(rs, base, at) ^ 0x2000), (lambda rd, base, at: lw(rd, base, at) ^ 0x6000)
    bne = lambda a, b, offset: blt(a, b, offset) ^ 5 << 12
    for tile, laps in (((1, 2), 1000), ((2, 2), 3000)):
        # Commands, for each lap: 0x80 into T1's byte, wait for 0, 3 into T0's byte, 0 as T0 would, then a pause.
        command = code(li(T0, sync), li(A0, 0x80), sb(A0, T0, 2), fence, lbu(T1, T0, 2), bne(T1, 0, -8), li(A0, 3), sb(A0, T0, 1), fence, sb(0, T0, 1),
                       li(T1, 0), li(A0, 30000 - laps), addi(T1, T1, 1), blt(T1, A0, -4))
        chip.word(SOFT_RESET, ALL_IN_RESET, tile)
        chip.write(0, code(li(T0, b), 0x00028067), tile)  # jr t0
        chip.write(b, command * int(pairs) + code(FOREVER), tile)
        kernel = code(li(T0, sync), li(A0, 0x80), fence, lbu(T1, T0, 2), bne(T1, A0, -8), li(T1, 0), li(A0, laps), addi(T1, T1, 1), blt(T1, A0, -4),
                      sb(0, T0, 2))
        chip.write(t1, kernel + code(jump(-len(kernel))), tile)
        chip.word(0xFFB1222C, t1, tile)
        chip.word(0xFFB12234, 2, tile)
    for tile in ((1, 2), (2, 2)):
        chip.word(SOFT_RESET, 0x45000, tile)  # B and T1
    for _ in range(400000 // int(step)):
        chip.clock(int(step))
    chip.exit()


def signals():
    """Says which signal came, and ends with 42."""
    def came(number, _):
        print("signal", signal.Signals(number).name, flush=True)
        sys.exit(42)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGUSR1):
        signal.signal(number, came)
    print("ready", flush=True)
    while True:
        time.sleep(0.05)


def binary(path, address, entry="0"):
    """A program of a file, put at an address."""
    chip = Chip()
    with open(path, "rb") as file:
        chip.start(file.read(), at=int(address, 0), entry=int(entry, 0))
    for _ in range(100):
        chip.clock(1000)


def lines(number="30"):
    for i in range(int(number)):
        print(f"line {i}", flush=True)
        time.sleep(0.03)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiled firmware from the ttnn wheel on cores that ttnn itself does not start on a simulator:  firmware_test.py LIBKERR

DRISC firmware on all 24 DRAM tiles and idle Ethernet firmware on all 14 Ethernet tiles, loaded as tt-metal's host side
loads them: text to L1, initial data of the local RAM to its scratch, go message to INIT, reset PC, release.  Each must
report DONE and idle with no fault.
"""

import ctypes
import glob
import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
import venv_of_client
from tap import Tap

LOCAL_RAM = 0xFFB00000
SOFT_RESET = 0xFFB121B0
RESET_PC = (0xFFB14000, 0xFFB14008)
# From the mailbox's base, as the host of ttnn 0.81.1 writes them.
READ_POINTER, LAUNCH, GO = 0xC, 0x10, 0x490
RUN_MSG_INIT, RUN_MSG_DONE = 0x40, 0
DRAM_L1, ETH_MAILBOX, DRAM_MAILBOX = 0x2000000000, 0x100, 0x40
NIU_MODE = 0x878  # DRISC: a bit for each NoC, 1 = NoC2AXI, 0 = stream: then L1 is at 0 for the NoC
ETH_LOCAL_SCRATCH = (0xFDB0, 0x11DB0)
PARKED = 2


class Xy(ctypes.Structure):
    _fields_ = [("x", ctypes.c_uint8), ("y", ctypes.c_uint8)]


class CoreInfo(ctypes.Structure):
    _fields_ = [("state", ctypes.c_int), ("pc", ctypes.c_uint32), ("cycles", ctypes.c_uint64),
                ("instructions", ctypes.c_uint64), ("wait_address", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class Chip:
    """kerr.h, as far as it is needed here."""

    def __init__(self, library):
        self.lib = ctypes.CDLL(library)
        self.handle = ctypes.c_void_p()
        for name in ("kerr_read", "kerr_write"):
            getattr(self.lib, name).argtypes = [ctypes.c_void_p, Xy, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t]
        self.lib.kerr_run.argtypes = [ctypes.c_void_p, ctypes.c_uint64]
        self.lib.kerr_core_query.argtypes = [ctypes.c_void_p, Xy, ctypes.c_int, ctypes.POINTER(CoreInfo)]
        self.lib.kerr_fault_count.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_uint32)]
        self.lib.kerr_fault_get.argtypes = [ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p]
        self.lib.kerr_fault_format.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
        self.lib.kerr_eth_xy.restype = self.lib.kerr_dram_xy.restype = Xy
        self.must(self.lib.kerr_create(None, ctypes.byref(self.handle)))

    @staticmethod
    def must(status):
        if status:
            raise RuntimeError(f"status {status}")

    def write(self, at, address, data):
        self.must(self.lib.kerr_write(self.handle, at, address, bytes(data), len(data)))

    def write32(self, at, address, value):
        self.write(at, address, struct.pack("<I", value))

    def read32(self, at, address):
        data = ctypes.create_string_buffer(4)
        self.must(self.lib.kerr_read(self.handle, at, address, data, 4))
        return struct.unpack("<I", data.raw)[0]

    def run(self, cycles):
        return self.lib.kerr_run(self.handle, cycles)

    def state(self, at, core):
        info = CoreInfo()
        self.must(self.lib.kerr_core_query(self.handle, at, core, ctypes.byref(info)))
        return info.state

    def faults(self):
        count = ctypes.c_uint32()
        self.must(self.lib.kerr_fault_count(self.handle, ctypes.byref(count)))
        lines = []
        for i in range(min(count.value, 4)):
            fault, line = ctypes.create_string_buffer(1024), ctypes.create_string_buffer(512)
            self.lib.kerr_fault_get(self.handle, i, fault)
            self.lib.kerr_fault_format(fault, line, len(line))
            lines.append(line.value.decode())
        return lines


def segments(path):
    """(address, bytes) of what an ELF file loads, and its entry point."""
    with open(path, "rb") as file:
        image = file.read()
    entry, headers = struct.unpack_from("<II", image, 24)
    size, count = struct.unpack_from("<HH", image, 42)
    found = []
    for i in range(count):
        kind, offset, address, _, length = struct.unpack_from("<5I", image, headers + i * size)
        if kind == 1 and length:
            found.append((address, image[offset:offset + length]))
    return found, entry


def load(chip, at, l1, path, scratch):
    parts, entry = segments(path)
    for address, data in parts:
        chip.write(at, l1 + (address if address < LOCAL_RAM else scratch + address - LOCAL_RAM),
                   data + bytes(-len(data) % 4))
    return entry


def wheel():
    """The newest set of Blackhole firmware in the wheel, by name."""
    python = venv_of_client.ensure("ttnn")
    root = os.path.dirname(os.path.dirname(python))
    for path in sorted(glob.glob(os.path.join(root, "lib", "*", "site-packages", "ttnn", "tt_metal", "pre-compiled", "*"))):
        with open(os.path.join(path, "trisc2", "trisc2.elf"), "rb") as file:
            if b"xtttensixbh" in file.read() and os.path.exists(os.path.join(path, "drisc", "drisc.elf")):
                return path
    raise venv_of_client.Missing("no Blackhole firmware in the ttnn wheel")


def done(chip, tiles, l1, mailbox):
    return [at for at in tiles if chip.read32(at, l1 + mailbox + GO) >> 24 == RUN_MSG_DONE]


def boot(chip, tap, what, tiles, l1, mailbox, release, l1_after=None):
    for at in tiles:
        chip.write(at, l1 + mailbox + LAUNCH, bytes(1152))
        chip.write32(at, l1 + mailbox + GO, RUN_MSG_INIT << 24)
        chip.write32(at, l1 + mailbox + READ_POINTER, 0)
        release(at)
    status = chip.run(200000)
    finished = done(chip, tiles, l1 if l1_after is None else l1_after, mailbox)
    tap.case(f"{what}: every tile reports done", not status and len(finished) == len(tiles),
             "\n".join([f"{len(finished)} of {len(tiles)}", *chip.faults()]))


def main(library):
    tap = Tap()
    try:
        firmware = wheel()
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    chip = Chip(library)

    def elf(name):
        return os.path.join(firmware, name, name + ".elf")

    dram = [chip.lib.kerr_dram_xy(i) for i in range(24)]
    eth = [chip.lib.kerr_eth_xy(i) for i in range(14)]

    def start_drisc(at, mode):
        chip.write32(at, DRAM_L1 + NIU_MODE, mode)
        chip.write32(at, RESET_PC[0], load(chip, at, DRAM_L1, elf("drisc"), 0x1C000))
        chip.write32(at, SOFT_RESET, 0)

    def start_eth(at):
        for vector in range(5):
            chip.write32(at, 0xFFB14020 + 4 * vector, 0)
        load(chip, at, 0, elf("subordinate_idle_erisc"), ETH_LOCAL_SCRATCH[1])
        chip.write32(at, RESET_PC[0], load(chip, at, 0, elf("idle_erisc"), ETH_LOCAL_SCRATCH[0]))
        chip.write32(at, SOFT_RESET, 0x1000)  # E1 is started by E0

    boot(chip, tap, "drisc.elf", dram[:20], DRAM_L1, DRAM_MAILBOX, lambda at: start_drisc(at, 3))
    boot(chip, tap, "drisc.elf in stream mode", dram[20:], DRAM_L1, DRAM_MAILBOX, lambda at: start_drisc(at, 0), 0)
    tap.case("each DRISC is parked in its idle loop", all(chip.state(at, 0) == PARKED for at in dram))
    boot(chip, tap, "idle_erisc.elf", eth, 0, ETH_MAILBOX, start_eth)
    tap.case("both cores of each Ethernet tile are parked",
             all(chip.state(at, core) == PARKED for at in eth for core in (0, 1)))
    tap.case("no fault", not chip.faults(), "\n".join(chip.faults()))
    return tap.done()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

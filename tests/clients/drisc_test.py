#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ttnn's firmware for DRAM cores boots:  drisc_test.py LIBRARY

ttnn itself leaves the DRAM cores of a simulator alone, so this test does what it does on a card, to the same 16 of
24 tiles: it is the sequence of tt-metal's firmware initializer, with the drisc.elf of the wheel.
"""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
from abi_chip import SOFT_RESET, Chip, functions
from tap import Tap
from ttnn_wheel import blackhole_sets, package_of
import venv_of_client

# Translated coordinates.  Of each bank's three tiles the one that workers use on NoC 0 belongs to system firmware.
SYSTEM_TILE = (2, 0, 0, 0, 2, 2, 2, 2)
TILES = [(17 + bank // 4, 12 + 3 * (bank % 4) + tile) for bank in range(8) for tile in range(3)
         if tile != SYSTEM_TILE[bank]]
L1, L1_SIZE = 0x20_0000_0000, 128 << 10  # as the NoC sees it; the core sees it at 0
NIU_CFG_0 = (0x100_FFB20100, 0x100_FFB30100)
RESET_PC, RESET_BIT, PC_ON_DEBUG_BUS = 0xFFB14000, 1 << 11, 0x22070013
GO_MESSAGE, RUN_MSG_INIT = 0x4D0, 0x40000000
AXI_MODE_BIT = 1 << 15


def segments(path):
    """(address, bytes) of what is loaded to L1."""
    with open(path, "rb") as file:
        elf = file.read()
    table, size, count = struct.unpack_from("<I", elf, 28)[0], *struct.unpack_from("<2H", elf, 42)
    for i in range(count):
        kind, offset, address, _, length = struct.unpack_from("<5I", elf, table + size * i)
        if kind == 1 and length and address < L1_SIZE:
            yield address, elf[offset : offset + length]


def start(chip, tile, elf, entry):
    chip.write(tile, SOFT_RESET, chip.read(tile, SOFT_RESET) | RESET_BIT)
    chip.write_bytes(tile, L1, bytes(L1_SIZE))
    for address, data in segments(elf):
        chip.write_bytes(tile, L1 + address, data)
    chip.write(tile, L1 + GO_MESSAGE, RUN_MSG_INIT)
    chip.write(tile, RESET_PC, entry)
    chip.write(tile, SOFT_RESET, chip.read(tile, SOFT_RESET) & ~RESET_BIT)


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        package = package_of(venv_of_client.ensure("ttnn"))
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    folder, _ = next(blackhole_sets(package))
    elf = os.path.join(folder, "drisc", "drisc.elf")
    code = functions(folder, "drisc")
    entry = next(first for first, _, symbol in code if symbol == "_start")
    tap = Tap()
    chip = Chip(os.path.abspath(sys.argv[1]), is_open=False)
    for tile in TILES:
        start(chip, tile, elf, entry)
    waiting, polls = set(TILES), 0
    while waiting and polls < 100:
        waiting = {tile for tile in waiting if chip.read(tile, L1 + GO_MESSAGE) >> 24}
        polls += 1
    tap.equal("firmware reports on 16 DRAM cores", sorted(waiting), [])
    pcs = [chip.pc(tile, PC_ON_DEBUG_BUS) for tile in TILES]
    tap.case("and idles in main", all(any(first <= pc < end for first, end, symbol in code if symbol == "main")
                                      for pc in pcs), " ".join(map(hex, pcs)))
    tap.case("both NoCs go to memory", not any(chip.read(tile, niu) & AXI_MODE_BIT for tile in TILES
                                               for niu in NIU_CFG_0))
    tap.done()
    return 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tt-umd opens the drop-in:  umd_test.py tile|chip LIBRARY  (soc_descriptor.yaml beside it).

tile: what Tensix tiles alone answer.  chip: DRAM, Ethernet, NoC ids, coordinate translation and the ARC.  tt-umd's
simulation device takes NoC 0 or translated coordinates and uses window 0 for everything; its multicast is a row of
writes.
"""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
try:
    import tt_umd
except ImportError:
    import venv_of_client
    venv_of_client.become("exalens", os.path.abspath(__file__), sys.argv[1:])
from tap import Tap

SOFT_RESET, WALL_CLOCK_L = 0xFFB121B0, 0xFFB121F0
NOC_NODE_ID, NOC_ID_LOGICAL = 0x44, 0x148
NIU = {0: 0xFFB20000, 1: 0xFFB30000}
DRAM_NIU = {noc: 0x100_0000_0000 + base for noc, base in NIU.items()}
ALL_IN_RESET = 0x47800
RESET_BIT = {"BRISC": 1 << 11, "TRISC0": 1 << 12, "TRISC1": 1 << 13, "TRISC2": 1 << 14, "NCRISC": 1 << 18}
L1_SIZE, ETH_L1_SIZE, DRAM_SIZE = 0x180000, 0x80000, 0xFF000000
MIB = 1 << 20


def cores(soc, kind):
    """Where the tiles of a kind are, in NoC 0 coordinates: by row, by channel, or by bank and tile within it."""
    found = soc.get_cores(getattr(tt_umd.CoreType, kind), tt_umd.CoordSystem.NOC0)
    return [(core.x, core.y) for core in found]


def translated(soc, kind):
    """The same as system firmware translates them (the descriptor of a simulation device does not)."""
    noc0 = cores(soc, kind)
    if kind == "ETH":
        return [(20 + i, 25) for i in range(len(noc0))]
    if kind == "DRAM":
        return [(17 + i // 12, 12 + i % 12) for i in range(len(noc0))]
    return noc0


def pattern(size, seed=1):
    """Bytes that repeat at no power of two."""
    return bytes((i * 7 + i // 251 + seed) & 255 for i in range(size))


def test_tiles(tap, device, soc):
    tensix = cores(soc, "TENSIX")
    tap.equal("a Blackhole", device.get_arch(), tt_umd.ARCH.BLACKHOLE)
    tap.equal("140 Tensix tiles", len(tensix), 140)
    tap.equal("12 Ethernet tiles of 14", len(cores(soc, "ETH")), 12)
    tap.equal("24 DRAM tiles", len(cores(soc, "DRAM")), 24)
    tap.equal("the bus is alive", device.is_pcie_hung(), False)

    for x, y in tensix:
        device.noc_write32(x, y, 0x1000, x << 8 | y)
    tap.case("a word in each tile", all(device.noc_read32(x, y, 0x1000) == (x << 8 | y) for x, y in tensix))
    image = pattern(L1_SIZE)
    device.noc_write(1, 2, 0, image)
    tap.case("a whole L1", device.noc_read(1, 2, 0, len(image)) == image)
    tap.case("any length at any place", all(device.noc_read(1, 2, at, size) == image[at : at + size]
             for at, size in ((1, 1), (3, 5), (0x17FFFF, 1), (0xFFFFD, 7), (0x1FF, 0x402))))

    device.noc_multicast(2, 3, 5, 6, 0x2000, b"rectangle")
    inside = [(x, y) for x in range(2, 6) for y in range(3, 7)]
    tap.case("multicast reaches a rectangle", all(device.noc_read(x, y, 0x2000, 9) == b"rectangle" for x, y in inside))
    outside = [(1, 3), (6, 3), (2, 2), (2, 7)]
    tap.case("and not its neighbours", not any(device.noc_read(x, y, 0x2000, 9) == b"rectangle" for x, y in outside))
    device.noc_broadcast(0x3000, b"everybody")
    tap.case("broadcast reaches all", all(device.noc_read(x, y, 0x3000, 9) == b"everybody" for x, y in tensix))

    tap.equal("all cores in reset", device.get_risc_reset_state(1, 2) & ALL_IN_RESET, ALL_IN_RESET)
    first, second = (device.noc_read32(1, 2, WALL_CLOCK_L) for _ in range(2))
    tap.case("time passes between reads", 0 < second - first < 1 << 20, f"{first} {second}")
    here = tt_umd.CoreCoord(7, 7, tt_umd.CoreType.TENSIX, tt_umd.CoordSystem.NOC0)
    # Every core's code is j . at its reset pc, so that a released core does no harm.
    for at in (0x0, 0x6000, 0xA000, 0xE000, 0x12000):
        device.noc_write32(7, 7, at, 0x0000006F)
    for name, bit in RESET_BIT.items():
        risc = getattr(tt_umd.RiscType, name)
        device.deassert_risc_reset(here, risc, False)
        tap.equal(f"{name} is let go", device.get_risc_reset_state(7, 7) & ALL_IN_RESET, ALL_IN_RESET & ~bit)
        device.assert_risc_reset(here, risc)
        tap.equal(f"{name} is back in reset", device.get_risc_reset_state(7, 7) & ALL_IN_RESET, ALL_IN_RESET)

    # lui a0, 0x3 / addi a1, zero, 42 / sw a1, 0(a0) / jal zero, 0
    device.noc_write(5, 5, 0, struct.pack("<4I", 0x00003537, 0x02A00593, 0x00B52023, 0x0000006F))
    device.noc_write32(5, 5, SOFT_RESET, ALL_IN_RESET & ~RESET_BIT["BRISC"])
    polls = 0
    while device.noc_read32(5, 5, 0x3000) != 42 and polls < 10000:
        polls += 1
    tap.case("RISCV B answers", polls < 10, f"{polls} polls")
    device.set_risc_reset_state(5, 5, ALL_IN_RESET)
    tap.equal("and goes back into reset", device.get_risc_reset_state(5, 5) & ALL_IN_RESET, ALL_IN_RESET)


def test_dram(tap, device, soc):
    noc0 = cores(soc, "DRAM")
    banks = [noc0[3 * i : 3 * i + 3] for i in range(8)]
    for i, tiles in enumerate(banks):
        device.noc_write(*tiles[0], 0x1000, pattern(256, i))
        device.noc_write(*tiles[1], DRAM_SIZE - 64, pattern(64, 100 + i))
    tap.case("three tiles show one bank, at its start", all(device.noc_read(*tile, 0x1000, 256) == pattern(256, i)
             for i, tiles in enumerate(banks) for tile in tiles))
    tap.case("and at its end", all(device.noc_read(*tile, DRAM_SIZE - 64, 64) == pattern(64, 100 + i)
             for i, tiles in enumerate(banks) for tile in tiles))
    tap.case("translated coordinates reach the same", all(device.noc_read(*tile, 0x1000, 256) == pattern(256, i // 3)
             for i, tile in enumerate(translated(soc, "DRAM"))))
    image = pattern(3 * MIB + 17, 9)
    device.noc_write(*banks[5][2], 7 * MIB + 5, image)
    tap.case("megabytes across windows", device.noc_read(*banks[5][0], 7 * MIB + 5, len(image)) == image)
    tap.equal("untouched DRAM", device.noc_read(*banks[7][0], 0x4000_0000, 64), bytes(64))


def test_ethernet(tap, device, soc):
    noc0 = cores(soc, "ETH")
    for i, tile in enumerate(noc0):
        device.noc_write(*tile, ETH_L1_SIZE // 2, pattern(128, i))
    tap.case("Ethernet L1, also by translated coordinates", all(device.noc_read(*tile, ETH_L1_SIZE // 2, 128) ==
             pattern(128, i) for tiles in (noc0, translated(soc, "ETH")) for i, tile in enumerate(tiles)))
    image = pattern(0x40000, 3)
    device.noc_write(*noc0[0], 0x10000, image)
    tap.case("a quarter of a megabyte of it", device.noc_read(*noc0[0], 0x10000, len(image)) == image)
    tap.case("both cores in reset", all(device.get_risc_reset_state(*tile) & 0x1800 == 0x1800 for tile in noc0))


def test_noc_ids(tap, device, soc):
    def ids(tiles, niu, offset):
        return [(value & 63, value >> 6 & 63) for value in (device.noc_read32(*tile, niu + offset) for tile in tiles)]

    def mirrored(tiles):
        return [(16 - x, 11 - y) for x, y in tiles]

    for kind, niu in (("TENSIX", NIU), ("ETH", NIU), ("DRAM", DRAM_NIU)):
        noc0 = cores(soc, kind)
        tap.equal(f"{kind}: NOC_NODE_ID of NoC 0", ids(noc0, niu[0], NOC_NODE_ID), noc0)
        tap.equal(f"{kind}: NOC_NODE_ID of NoC 1", ids(noc0, niu[1], NOC_NODE_ID), mirrored(noc0))
        for noc in (0, 1):
            tap.equal(f"{kind}: NOC_ID_LOGICAL of NoC {noc}", ids(noc0, niu[noc], NOC_ID_LOGICAL),
                      translated(soc, kind))


def test_arc(tap, device):
    tap.equal("coordinates are translated", device.get_noc_translation_enabled(), True)
    device.init_tt_device()
    tap.equal("board", str(device.get_board_type()), "p150")
    telemetry, tag = device.get_arc_telemetry_reader(), tt_umd.TelemetryTag

    def entry(name):
        return telemetry.read_entry(int(getattr(tag, name)))

    tap.equal("board id", device.get_board_id(), entry("BOARD_ID_HIGH") << 32 | entry("BOARD_ID_LOW"))
    tap.equal("AI clock", device.get_clock(), entry("AICLK"))
    tap.case("AI clock is one", 200 <= entry("AICLK") <= 1350, entry("AICLK"))
    tap.case("firmware bundle", entry("FLASH_BUNDLE_VERSION") >> 24 >= 18, hex(entry("FLASH_BUNDLE_VERSION")))
    tap.equal("what is not there", telemetry.is_entry_available(200), False)
    chip = device.get_chip_info()
    tap.equal("nothing harvested", (chip.harvesting_masks.tensix_harvesting_mask,
                                    chip.harvesting_masks.dram_harvesting_mask), (0, 0))
    answers = [device.arc_msg(0x90, True, [i, 0]) for i in range(20)]
    tap.equal("twenty messages to the ARC", [answer[0] for answer in answers], [0] * 20)
    tap.equal("the NoC is alive", device.is_noc_hung(tt_umd.NocId.NOC0), False)


def test_refusal(tap, library):
    """A variable that makes no sense: tt-umd finds no card, or gets the exception that was asked for."""
    for on_fault, words in (("dead", "PCI endpoint"), ("throw", "KERR_CHECK: 'memroy' is no check")):
        os.environ.update(KERR_CHECK="memroy", KERR_ON_FAULT=on_fault)
        said = "it opened"
        try:
            tt_umd.TTSimTTDevice.create(library)
        except Exception as error:  # pylint: disable=broad-except
            said = str(error)
        tap.equal(f"no card with a bad variable, KERR_ON_FAULT={on_fault}", words in said and said, said)
    del os.environ["KERR_CHECK"], os.environ["KERR_ON_FAULT"]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("tile", "chip"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    tap = Tap()
    if sys.argv[1] == "tile":
        test_refusal(tap, sys.argv[2])
    device = tt_umd.TTSimTTDevice.create(sys.argv[2])
    soc = device.get_soc_descriptor()
    if sys.argv[1] == "tile":
        test_tiles(tap, device, soc)
    else:
        test_dram(tap, device, soc)
        test_ethernet(tap, device, soc)
        test_noc_ids(tap, device, soc)
        test_arc(tap, device)
    tap.done()
    return 0


sys.exit(main())

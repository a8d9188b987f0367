#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/abi_meter.c forwards calls unchanged and counts them:  meter_test.py METER LIBRARY"""

import ctypes
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "sdk"))
from tap import Tap, path

CALLS = ("init", "exit", "config", "read", "write", "clock", "tile_read", "tile_write")


def figures(name):
    with open(name, "rb") as file:
        values = struct.unpack(f"={3 * len(CALLS)}Q", file.read())
    return {call: values[3 * i:3 * i + 3] for i, call in enumerate(CALLS)}


def main():
    tap = Tap()
    name = path("figures")
    if os.path.exists(name):
        os.remove(name)
    os.environ.update(KERR_METER_TARGET=sys.argv[2], KERR_METER_FILE=name)
    library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
    library.libttsim_pci_config_rd32.restype = ctypes.c_uint32
    library.libttsim_init()
    tap.equal("the other library's answer comes back", library.libttsim_pci_config_rd32(0, 0), 0xB1401E52)
    data = ctypes.create_string_buffer(b"meter", 8)
    back = ctypes.create_string_buffer(8)
    place = (ctypes.c_uint32(1), ctypes.c_uint32(2), ctypes.c_uint64(0x1000))
    library.libttsim_tile_wr_bytes(*place, data, 8)
    library.libttsim_tile_rd_bytes(*place, back, 8)
    tap.equal("bytes go there and back", back.raw, data.raw)
    library.libttsim_clock(100)
    library.libttsim_clock(23)
    library.libttsim_exit()
    found = figures(name)
    tap.equal("calls and sums", {call: (calls, total) for call, (calls, _, total) in found.items()},
              {"init": (1, 0), "exit": (1, 0), "config": (1, 4), "read": (0, 0), "write": (0, 0), "clock": (2, 123),
               "tile_read": (1, 8), "tile_write": (1, 8)})
    tap.case("time passes in what was called and nowhere else", all((time > 0) == (calls > 0) for calls, time, _ in found.values()),
             found)
    tap.done()


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tt-umd itself opens the drop-in:  umd.py LIBRARY  (soc_descriptor.yaml beside it; needs tt_umd from PyPI)."""

import struct
import sys

try:
    import tt_umd
except ImportError:
    print("optional: no tt_umd in this Python (pip install tt-umd)")
    sys.exit(77)

SOFT_RESET = 0xFFB121B0
cases = failed = 0


def case(ok, name):
    global cases, failed
    cases += 1
    failed += not ok
    print(f"{'ok' if ok else 'not ok'} {cases} - {name}", flush=True)


def cores(soc, kind):
    found = soc.get_cores(getattr(tt_umd.CoreType, kind), tt_umd.CoordSystem.NOC0)
    return [(core.x, core.y) for core in found]


def main():
    device = tt_umd.TTSimTTDevice.create(sys.argv[1])
    soc = device.get_soc_descriptor()
    tensix = cores(soc, "TENSIX")
    case(device.get_arch() == tt_umd.ARCH.BLACKHOLE, "a Blackhole")
    case(len(tensix) == 140, "140 Tensix tiles")
    case(len(cores(soc, "ETH")) == 12, "12 Ethernet tiles of 14")
    case(len(cores(soc, "DRAM")) == 24, "24 DRAM tiles")

    for x, y in tensix:
        device.noc_write32(x, y, 0x1000, x << 8 | y)
    case(all(device.noc_read32(x, y, 0x1000) == (x << 8 | y) for x, y in tensix), "a word in each tile")
    image = bytes(i * 7 & 255 for i in range(0x180000))
    device.noc_write(1, 2, 0, image)
    case(device.noc_read(1, 2, 0, len(image)) == image, "a whole L1")
    case(device.get_risc_reset_state(1, 2) & 0x47800 == 0x47800, "all cores in reset")

    # lui a0, 0x3 / addi a1, zero, 42 / sw a1, 0(a0) / jal zero, 0
    device.noc_write(5, 5, 0, struct.pack("<4I", 0x00003537, 0x02A00593, 0x00B52023, 0x0000006F))
    device.noc_write32(5, 5, SOFT_RESET, 0x47000)
    polls = 0
    while device.noc_read32(5, 5, 0x3000) != 42 and polls < 10000:
        polls += 1
    case(polls < 10, f"RISCV B answers ({polls} polls)")
    device.set_risc_reset_state(5, 5, 0x47800)
    case(device.get_risc_reset_state(5, 5) & 0x47800 == 0x47800, "and goes back into reset")
    print(f"1..{cases}")
    return 1 if failed else 0


sys.exit(main())

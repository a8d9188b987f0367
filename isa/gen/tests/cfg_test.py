#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_cfg.py refuses (bad_cfg/), and that what it makes of isa/cfg.regs is whole.

    cfg_test.py --header CFG_DEFINES_H

compares every position with the vendor's header instead.  The digest below is what that comparison came to with
tt_metal/hw/inc/internal/tt-1xx/blackhole/cfg_defines.h of tt-metal (820 fields, 7 section bases): names, words, shifts and
masks, without the parts of TileDescriptor, which that header does not have.
"""

import hashlib
import re
import sys
import unittest

import refusals

POSITIONS = "8c0b701b6f7029375d8de660673df2c4c16bd82ccc96dab81393127dadf7d578"


def positions(text):
    """'NAME_ADDR32 1' and so on, sorted, of every field and section."""
    found = re.findall(r"^#define (\w+_(?:ADDR32|SHAMT|MASK)) (\w+)$", text, re.M)
    return sorted(f"{name} {int(value.rstrip('u'), 0)}" for name, value in found
                  if "TileDescriptor_" not in name or name.endswith(("TileDescriptor_ADDR32", "TileDescriptor_SHAMT")))


class Refusals(refusals.Refusals, unittest.TestCase):
    generator, bad, products = "gen_cfg.py", "bad_cfg", 3


class Products(unittest.TestCase):
    def test_positions_are_those_of_the_vendor_and_page_and_names_are_whole(self):
        header, names, page = refusals.make("gen_cfg.py", "isa/cfg.regs", "c.h", "c.c", "c.md")
        found = positions(header)
        self.assertEqual(hashlib.sha256("\n".join(found).encode()).hexdigest(), POSITIONS)
        fields = re.findall(r"^#define (\w+)_SHAMT", header, re.M)
        self.assertEqual(len(fields), 820 + 24)
        for field in fields:
            self.assertIn(f'"{field}"', names)
        self.assertEqual(refusals.read("docs", "configuration.md"), page, "run `make docs`")


    def test_bits_that_a_unit_reads_are_those_of_its_fields(self):
        _, names = refusals.make("gen_cfg.py", "isa/cfg.regs", "c.h", "c.c")[:2]
        rows = {reader: dict(re.findall(r"\[(\d+)\] = 0x(\w+)", row))
                for reader, row in re.findall(r"\[CFG_READER_(\w+)\] =\n\s+\{(.*)\},\n", names)}
        self.assertEqual(set(rows), {"UNPACK", "MATRIX", "VECTOR", "PACK", "MOVER"})
        self.assertEqual(rows["UNPACK"]["1"], "18000")     # SrcAUnsigned, SrcBUnsigned
        self.assertEqual(rows["UNPACK"]["67"], "ffffffff")  # the last word of TileDescriptor
        self.assertEqual(rows["PACK"]["1"], "1e000006")    # Dstacc, and two kinds of rounding
        self.assertEqual(sorted(rows["MOVER"], key=int), ["88", "89", "90", "136", "137", "138"])


def compare(path):
    header, = refusals.make("gen_cfg.py", "isa/cfg.regs", "c.h", "c.c")[:1]
    ours, theirs = positions(header), positions(refusals.read(path))
    for name in sorted(set(ours) ^ set(theirs)):
        print("ours only:  " if name in ours else "theirs only:", name)
    print(len(theirs), "values,", hashlib.sha256("\n".join(theirs).encode()).hexdigest())
    return int(ours != theirs)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--header"]:
        sys.exit(compare(sys.argv[2]))
    unittest.main()

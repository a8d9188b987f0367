#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_regs.py refuses (bad_regs/), and that what it makes of isa/tile.regs is whole."""

import re
import unittest

import refusals


class Refusals(refusals.Refusals, unittest.TestCase):
    generator, bad, products = "gen_regs.py", "bad_regs", 2


class Products(unittest.TestCase):
    def test_every_name_is_defined_once_and_the_page_is_up_to_date(self):
        header, page = refusals.make("gen_regs.py", "isa/tile.regs", "r.h", "r.md")
        names = re.findall(r"^#define (\w+)", header, re.M)
        self.assertEqual(len(names), len(set(names)))
        self.assertIn("RISCV_DEBUG_REG_SOFT_RESET_0", names)
        self.assertIn("RISCV_DEBUG_REG_WALL_CLOCK_L", names)
        self.assertEqual(page, refusals.read("docs", "registers.md"), "docs/registers.md is stale: make docs")


if __name__ == "__main__":
    unittest.main()

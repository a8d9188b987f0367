#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_overlay.py refuses (bad_overlay/), and that what it makes of isa/overlay.regs is whole."""

import re
import unittest

import refusals


class Refusals(refusals.Refusals, unittest.TestCase):
    generator, bad, products = "gen_overlay.py", "bad_overlay", 2


class Products(unittest.TestCase):
    def test_every_register_is_in_header_and_page_and_the_page_is_new(self):
        header, page = refusals.make("gen_overlay.py", "isa/overlay.regs", "r.h", "r.md")
        names = re.findall(r"^(?:= )?([A-Z][A-Z0-9_]*)", refusals.read("isa", "overlay.regs"), re.MULTILINE)
        self.assertGreater(len(names), 80)
        for name in names:
            self.assertIn(f" {name}_REG_INDEX = ", header)
            self.assertIn(name, page)
        self.assertEqual(refusals.read("docs", "overlay-registers.md"), page, "run `make docs`")


if __name__ == "__main__":
    unittest.main()

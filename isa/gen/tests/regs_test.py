#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_regs.py refuses, and that what it makes of isa/tile.regs is whole.

Each file in bad_regs/ opens with a line '# refused: LINE: MESSAGE', counting lines from the one below it ('*' for a
path), and must be refused with just that.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
GENERATOR = os.path.join(ROOT, "isa", "gen", "gen_regs.py")
TABLE = os.path.join(ROOT, "isa", "tile.regs")
PAGE = os.path.join(ROOT, "docs", "registers.md")
BAD = os.path.join(HERE, "bad_regs")
HEADER_LINES = 2


def run(*arguments):
    return subprocess.run([sys.executable, GENERATOR, *arguments], capture_output=True, text=True, check=False)


def expected_pattern(path):
    with open(path, encoding="utf-8") as table:
        for line in table:
            if line.startswith("# refused: "):
                text = line[len("# refused: "):].strip()
                break
    match = re.match(r"(\d+): (.*)", text)
    if not match:
        return re.escape(f"{path}: {text}")
    line, text = int(match[1]) + HEADER_LINES, match[2]
    text = re.sub(r"\*:(\d+)", lambda m: f"{path}:{int(m[1]) + HEADER_LINES}", text)
    return re.escape(f"{path}:{line}: {text}")


class Refusals(unittest.TestCase):
    def test_each_bad_table_is_refused_with_its_message(self):
        names = sorted(os.listdir(BAD))
        self.assertGreater(len(names), 10)
        for name in names:
            with self.subTest(name), tempfile.TemporaryDirectory() as out:
                path = os.path.join(BAD, name)
                result = run(path, os.path.join(out, "r.h"), os.path.join(out, "r.md"))
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertRegex(result.stderr, "^" + expected_pattern(path) + "\n$")
                self.assertEqual(os.listdir(out), [])

    def test_a_missing_file_and_missing_arguments(self):
        self.assertEqual(run("/nonexistent", "/dev/null").returncode, 1)
        self.assertEqual(run().returncode, 2)


class Products(unittest.TestCase):
    def test_every_name_is_defined_once_and_the_page_is_up_to_date(self):
        with tempfile.TemporaryDirectory() as out:
            header, page = os.path.join(out, "r.h"), os.path.join(out, "r.md")
            self.assertEqual(run(TABLE, header, page).returncode, 0)
            with open(header, encoding="utf-8") as made:
                names = re.findall(r"^#define (\w+)", made.read(), re.M)
            self.assertEqual(len(names), len(set(names)))
            self.assertIn("RISCV_DEBUG_REG_SOFT_RESET_0", names)
            self.assertIn("RISCV_DEBUG_REG_WALL_CLOCK_L", names)
            with open(page, encoding="utf-8") as made, open(PAGE, encoding="utf-8") as kept:
                self.assertEqual(made.read(), kept.read(), "docs/registers.md is stale: make docs")


if __name__ == "__main__":
    unittest.main()

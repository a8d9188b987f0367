#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_overlay.py refuses, and that what it makes of isa/overlay.regs is whole.

Each file in bad_overlay/ opens with a line '# refused: LINE: MESSAGE', counting lines from the one below it ('*' for a
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
GENERATOR = os.path.join(ROOT, "isa", "gen", "gen_overlay.py")
TABLE = os.path.join(ROOT, "isa", "overlay.regs")
PAGE = os.path.join(ROOT, "docs", "overlay-registers.md")
BAD = os.path.join(HERE, "bad_overlay")
HEADER_LINES = 2


def run(*arguments):
    return subprocess.run([sys.executable, GENERATOR, *arguments], capture_output=True, text=True, check=False)


def expected(path):
    with open(path, encoding="utf-8") as table:
        text = next(line[len("# refused: "):].strip() for line in table if line.startswith("# refused: "))
    match = re.match(r"(\d+): (.*)", text)
    if not match:
        return f"{path}: {text}\n"
    text = re.sub(r"\*:(\d+)", lambda m: f"{path}:{int(m[1]) + HEADER_LINES}", match[2])
    return f"{path}:{int(match[1]) + HEADER_LINES}: {text}\n"


class Refusals(unittest.TestCase):
    def test_each_bad_table_is_refused_with_its_message(self):
        names = sorted(os.listdir(BAD))
        self.assertGreater(len(names), 10)
        for name in names:
            with self.subTest(name), tempfile.TemporaryDirectory() as out:
                path = os.path.join(BAD, name)
                result = run(path, os.path.join(out, "r.h"), os.path.join(out, "r.md"))
                self.assertEqual((result.returncode, result.stderr), (1, expected(path)))
                self.assertEqual(os.listdir(out), [])

    def test_a_missing_file_and_missing_arguments(self):
        self.assertEqual(run("/nonexistent", "/dev/null").returncode, 1)
        self.assertEqual(run().returncode, 2)


class Products(unittest.TestCase):
    def test_every_register_is_in_header_and_page_and_the_page_is_new(self):
        with tempfile.TemporaryDirectory() as out:
            header, page = os.path.join(out, "r.h"), os.path.join(out, "r.md")
            self.assertEqual(run(TABLE, header, page).returncode, 0)
            with open(header, encoding="utf-8") as file:
                header = file.read()
            with open(page, encoding="utf-8") as file:
                page = file.read()
        with open(TABLE, encoding="utf-8") as table:
            names = re.findall(r"^(?:= )?([A-Z][A-Z0-9_]*)", table.read(), re.MULTILINE)
        self.assertGreater(len(names), 80)
        for name in names:
            self.assertIn(f" {name}_REG_INDEX = ", header)
            self.assertIn(name, page)
        with open(PAGE, encoding="utf-8") as file:
            self.assertEqual(file.read(), page, "run `make docs`")


if __name__ == "__main__":
    unittest.main()

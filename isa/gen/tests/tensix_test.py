#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_tensix.py refuses, and that what it makes of isa/tensix.isa is whole.

Each file in bad_tensix/ has a second line '# refused: LINE: MESSAGE', lines of the file ('*' for a path), and must be
refused with just that.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
GENERATOR = os.path.join(ROOT, "isa", "gen", "gen_tensix.py")
TABLE = os.path.join(ROOT, "isa", "tensix.isa")
PAGE = os.path.join(ROOT, "docs", "isa.md")
BAD = os.path.join(HERE, "bad_tensix")


def run(*arguments):
    return subprocess.run([sys.executable, GENERATOR, *arguments], capture_output=True, text=True, check=False)


class Refusals(unittest.TestCase):
    def test_each_bad_table_is_refused_with_its_message(self):
        names = sorted(os.listdir(BAD))
        self.assertGreater(len(names), 30)
        for name in names:
            with self.subTest(name), tempfile.TemporaryDirectory() as out:
                path = os.path.join(BAD, name)
                with open(path, encoding="utf-8") as table:
                    expected = re.match(r".*\n# refused: (.*)\n", table.read())[1]
                result = run(path, os.path.join(out, "made"))
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stderr, f"{path}:" + expected.replace("*", path) + "\n")
                self.assertEqual(os.listdir(out), [])

    def test_a_missing_file_and_missing_arguments(self):
        self.assertEqual(run("/nonexistent", "/nonexistent").returncode, 1)
        self.assertEqual(run().returncode, 2)


class Products(unittest.TestCase):
    def test_all_instructions_are_there_and_the_page_is_up_to_date(self):
        with tempfile.TemporaryDirectory() as out:
            page = os.path.join(out, "isa.md")
            self.assertEqual(run(TABLE, out, page).returncode, 0)
            with open(os.path.join(out, "tensix_isa.h"), encoding="utf-8") as made:
                text = made.read()
            names = re.findall(r"^struct op_(\w+) \{", text, re.M)
            self.assertEqual(len(names), 137)
            self.assertEqual(re.findall(r"^static inline struct op_\w+ decode_(\w+)\(", text, re.M), names)
            with open(os.path.join(out, "tensix_dispatch.inc"), encoding="utf-8") as made:
                self.assertEqual(re.findall(r"^static step_result step_(\w+)\(", made.read(), re.M), names)
            with open(page, encoding="utf-8") as made, open(PAGE, encoding="utf-8") as kept:
                self.assertEqual(made.read(), kept.read(), "docs/isa.md is stale: make docs")


if __name__ == "__main__":
    unittest.main()

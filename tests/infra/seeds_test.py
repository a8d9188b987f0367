#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/seeds.tbl is whole, and every test and case that it names is there:  seeds_test.py

A test is a line of tests/*.list or a unit test; a case must stand in the test's source.  What is not agreed with must be
in docs/errata-tensix.md.  Whether the cases pass is their own business; docs/status.md ticks those that did.
"""

import glob
import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import seeds as table

WANTED = [f"S{s:03}-{i:02}" for s, last in enumerate((55, 147, 58, 48, 52)) for i in range(1, last + 1)]


def read(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def listed_tests():
    """Name to command, of tests/*.list."""
    found = {}
    for path in glob.glob(os.path.join(ROOT, "tests", "*.list")):
        for line in read(path).splitlines():
            words = line.split(None, 2)
            if len(words) == 3 and not line.startswith("#"):
                found[words[1]] = words[2]
    return found


def has_case(test, case):
    """Whether the source of a unit test or of isa/tensix has the case."""
    if test == "isa/tensix":
        name, _, fact = case.partition(".t: ")
        path = os.path.join("tests", "isa", "tensix", name + ".t")
        return os.path.exists(os.path.join(ROOT, path)) and f"case {fact}" in read(path).splitlines()
    # Defined, and in the list of those that are run.
    return len(re.findall(rf"\b{re.escape(case)}\b", read("tests", test + "_test.c"))) >= 2


class Seeds(unittest.TestCase):
    def setUp(self):
        self.seeds = table.read_seeds(os.path.join(ROOT, "tests", "seeds.tbl"))

    def test_every_statement_is_there_once(self):
        self.assertEqual([seed.name for seed in self.seeds], WANTED)

    def test_every_statement_has_a_test_that_exists(self):
        lists = listed_tests()
        for seed in self.seeds:
            with self.subTest(seed.name):
                self.assertTrue(seed.tests)
            for test, case in seed.tests:
                with self.subTest(seed.name, test=test, case=case):
                    unit = os.path.exists(os.path.join(ROOT, "tests", test + "_test.c"))
                    self.assertTrue(unit or test in lists, "no such test")
                    self.assertTrue(case is None or unit or test == "isa/tensix", "its cases cannot be looked up")
                    self.assertTrue(case is not None or not unit, "which case?")
                    self.assertTrue(case is None or has_case(test, case), "no such case")

    def test_what_is_not_so_is_in_the_errata(self):
        errata = read("docs", "errata-tensix.md")
        named = set()
        for first, more in re.findall(r"(S00\d-\d\d\d?)((?:, \d\d\d?)*)", errata):
            named.update([first, *(first[:5] + number for number in more.split(", ")[1:])])
        self.assertEqual({seed.name for seed in self.seeds if seed.agrees != "yes"}, named)

    def test_bad_tables_are_refused(self):
        path = os.path.join(os.environ.get("KERR_TEST_TMP", "/tmp"), "bad_seeds.tbl")
        for text in ("S002-01  maybe  text\n", "S002-01  yes\n", "    isa/tensix\n"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(table.Bad):
                table.read_seeds(path)
        os.remove(path)


if __name__ == "__main__":
    unittest.main()

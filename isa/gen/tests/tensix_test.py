#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What gen_tensix.py refuses, and that what it makes of isa/tensix.isa is whole.

Each file in bad_tensix/ has a second line '# refused: LINE: MESSAGE', lines of the file ('*' for a path), and must be
refused with just that.
"""

import contextlib
import io
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
sys.path.insert(0, os.path.dirname(HERE))
import gen_tensix  # noqa: E402  (found by the line above)

# Fields that are a number, a place or bits of data, which no table of values could say more of: by their names or, at the end, ends.
PLAIN = re.compile(r"""
    imm12_hi|imm12_math|lreg_c|dest_reg_addr|Unused|linger_time|                       # named in assembly.yaml only
    VA|VB|VC|VD|VDLo|VDHi|MacroIndex|Stream_?Id|StreamSelect|ContextNumber|dst|        # which one
    (Addr|addr_|pool_addr_)([Mm]od|mode)|AddrLo|DataRegIndex|(Cfg|ThConCfg|Reg)Index|Index4?|
    Count1?|(Inner|Outer)Count|Mask|MaskLo|MaskHi|MaskWidth|RotateAmt|IntWidth|IncrLog2|
    Msg_Clr_Cnt(_Lo)?|NewMax|TargetValueLo|Ofs|Imm\d+|RightImm\d|Value16|
    \w*(Reg|Row|Inc|Val|Value)""", re.X)

BAD = os.path.join(HERE, "bad_tensix")


def run(*arguments):
    """The generator in this process: starting one for each bad table took seconds."""
    errors = io.StringIO()
    with contextlib.redirect_stderr(errors):
        status = gen_tensix.main([GENERATOR, *arguments])
    return subprocess.CompletedProcess(arguments, status, "", errors.getvalue())


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
                self.assertEqual(result.stderr, f"{path}:" + re.sub(r"\*(?=:\d)", path, expected) + "\n")
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


class Meanings(unittest.TestCase):
    def setUp(self):
        self.instructions = gen_tensix.read_table(TABLE)

    @staticmethod
    def has_meanings(instruction, field):
        return bool(instruction.meanings_of(field)) or any(field is other for _, other, _ in instruction.same)

    def test_every_modifier_of_the_vector_unit_has_the_meanings_of_its_values(self):
        told = []
        for i in (i for i in self.instructions if i.unit == "vector"):
            for field in (f for f in i.all_named() if re.search("mod[01]|mode$", f.name, re.I)):
                with self.subTest(f"{i.name} {field.name}"):
                    self.assertTrue(self.has_meanings(i, field))
                told.append(i.name)
        none = {i.name for i in self.instructions if i.unit == "vector"} - set(told)
        self.assertEqual(none, {"SFPNOP"})

    def test_every_field_that_is_no_plain_number_has_the_meanings_of_its_values(self):
        for i in (i for i in self.instructions if i.state == "built"):
            for field in i.all_named():
                if not PLAIN.fullmatch(field.name):
                    with self.subTest(f"{i.name} {field.name}"):
                        self.assertTrue(self.has_meanings(i, field))

    def test_the_page_has_each_of_them_once(self):
        with open(PAGE, encoding="utf-8") as page:
            rows = re.findall(r"^\| `\w+` \| \w[\w, ]* \| (?:`\w+`)? ?\| \S.* \| \S.* \|$", page.read(), re.M)
        self.assertEqual(len(rows), sum(len(i.meanings) for i in self.instructions))


if __name__ == "__main__":
    unittest.main()

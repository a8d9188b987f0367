#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Numbers in docs/ that count what a table has are those of the table:  counts_test.py

docs/coverage.md, docs/configuration.md and docs/errata-tensix.md against isa/tensix.isa, isa/cfg.regs, isa/tile.regs, tests/seeds.tbl and
tests/vectors.
"""

import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True
sys.path[:0] = [os.path.join(ROOT, "scripts"), os.path.join(ROOT, "isa", "gen")]
import gen_cfg
import gen_regs
import seeds


def read(*parts):
    with open(os.path.join(ROOT, *parts), encoding="utf-8") as file:
        return file.read()


def instructions():
    """Name to state, of isa/tensix.isa."""
    return {row[1]: row[3] for row in re.findall(r"^(0x\w\w)  (\w+) +(\w+) +(\w+)", read("isa", "tensix.isa"), re.M)}


def vectors(name, first):
    """Lines of a recorded file that begin (or, with a space before it, go on) like this."""
    return len(re.findall(first, read("tests", "vectors", name), re.M))


class Counts(unittest.TestCase):
    def setUp(self):
        self.coverage = read("docs", "coverage.md")

    def stated(self, pattern, text=None):
        """The numbers in the one place that is like this."""
        found = re.findall(pattern, " ".join((text or self.coverage).split()))
        self.assertEqual(len(found), 1, pattern)
        return tuple(int(x) for x in (found[0] if isinstance(found[0], tuple) else (found[0],)))

    def test_instructions_by_state(self):
        states = list(instructions().values())
        self.assertEqual(self.stated(r"All (\d+) instructions .*? (\d+) are built, (\d+) are a fault of kind UNKNOWN"),
                         (len(states), states.count("built"), states.count("unknown")))
        self.assertNotIn("later", states)  # the page would have to say so

    def test_the_instructions_that_are_unknown_are_named(self):
        row = re.search(r"^\| (RSTDMA.*?) \| fault \| UNKNOWN: in assembly.yaml by name only", self.coverage, re.M)
        named = row[1].split(", ")
        for name, state in instructions().items():
            covered = any(name == x or (x.endswith("*") and name.startswith(x[:-1])) for x in named)
            self.assertEqual(covered, state == "unknown", name)

    def test_fields_of_configuration(self):
        table = gen_cfg.read_table(os.path.join(ROOT, "isa", "cfg.regs"))
        fields = list(gen_cfg.all_fields(table))
        self.assertEqual(self.stated(r"`isa/cfg.regs`: (\d+) fields", read("docs", "configuration.md")), (len(fields),))
        self.assertEqual(self.stated(r"backend configuration has (\d+) fields"), (len(fields),))

    def test_debug_registers(self):
        regions = gen_regs.read_table(os.path.join(ROOT, "isa", "tile.regs"))
        registers = next(region for region in regions if region.name == "debug").registers
        stored = sum(register.model == "stored" for register in registers)
        self.assertEqual(self.stated(r"(\d+) of the (\d+) debug registers only keep their value"), (stored, len(registers)))

    def test_recorded_programs(self):
        self.assertEqual(self.stated(r"(\d+) recorded sequences \(`tests/vectors/moves.vec`\)"), (vectors("moves.vec", r"^[^#\n]"),))
        self.assertEqual(self.stated(r"(\d+) recorded programs \(`tests/vectors/sfpu.vec`\)"), (vectors("sfpu.vec", r"^[^#\n].* : "),))
        self.assertEqual(self.stated(r"(\d+) recorded programs \(`tests/vectors/unpack_layout.vec`\)"),
                         (vectors("unpack_layout.vec", r"^[^#\n]"),))
        self.assertEqual(self.stated(r"(\d+) recorded cases of random PACRs \(`tests/vectors/pacr.vec`\)"), (vectors("pacr.vec", r"^case "),))

    def test_statements_that_do_not_hold_have_their_rows(self):
        """Topics of the errata that open with statements name none that hold as they are, and none that there is not."""
        rows = {row.name: row.agrees for row in seeds.read_seeds(os.path.join(ROOT, "tests", "seeds.tbl"))}
        named = set()
        for topic in re.findall(r"^\| (S\d{3}-\d[^|:]*):", read("docs", "errata-tensix.md"), re.M):
            prefix = None
            for one in re.findall(r"S\d{3}-\d+|\b\d+\b", topic):
                prefix = one[:5] if one.startswith("S") else prefix
                named.add(one if one.startswith("S") else f"{prefix}{int(one):02}")
        self.assertEqual(sorted(name for name in named if rows.get(name) == "yes"), [])
        self.assertEqual(sorted(named - set(rows)), [])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Values that isa/tensix.isa calls a fault are one, of that kind, and the other values of the field are not.

    meanings_test.py RUN_T

Cases of run_t are made from the lines that open with 'fault KIND' and name no condition.  All other fields are zero, but for WITH.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "isa", "gen"))
import gen_tensix  # noqa: E402  (found by the line above)

RUN_T = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else ""
# What an instruction needs to come so far: state before, other fields.
WITH = {"SHIFTXA": ("src[0].owns[0]=1", {"Direction": 2}),
        "PACR": ("", {"Flush": 1}),
        "PACR_SETREG": ("reg[0xffb11038]=0x2409", {"Push": 1, "Flush": 1, "StreamId": 0x11})}
MOST_VALUES = 16  # of a field: the first ones


def kind_of(meaning):
    """The kind of fault that a value always is, or None."""
    match = re.match(r"fault (\w+)(?: if a lane would be written)?($|[;:,])", meaning.text)
    return match and match[1]


def cases(instruction, field):
    """(value, kind or None) as far as the table says just that."""
    made = []
    for meaning in instruction.meanings_of(field):
        if "fault" not in meaning.text or kind_of(meaning):
            made += [(value, kind_of(meaning)) for value in sorted(meaning.values)[:MOST_VALUES]]
    return sorted(made)


class Faults(unittest.TestCase):
    def test_values_are_faults_where_the_table_says_so(self):
        with tempfile.TemporaryDirectory() as out:
            files, faults = [], set()
            for i in gen_tensix.read_table(os.path.join(ROOT, "isa", "tensix.isa")):
                before, beside = WITH.get(i.name, ("", {}))
                text = f"base {before}\n" if before else ""
                for field in i.all_named():
                    found = cases(i, field) if i.state == "built" else []
                    for value, kind in found if any(kind for _, kind in found) else []:
                        fields = ", ".join(f"{name}={v}" for name, v in {**beside, field.name: value}.items())
                        text += f"case {field.name} {value}\n  exec {i.name} {fields}\n"
                        text += f"  fault {kind} says=\n" if kind else ""
                        faults |= {f"{i.name} {field.name}"} if kind else set()
                if "case" in text:
                    files.append(os.path.join(out, f"{i.name}.t"))
                    with open(files[-1], "w", encoding="utf-8") as file:
                        file.write(text)
            result = subprocess.run([RUN_T, *files], capture_output=True, text=True, check=False)
            self.assertEqual(result.returncode, 0, re.sub(r"(?m)^ok .*\n", "", result.stdout) + result.stderr)
            self.assertGreater(len(faults), 10, sorted(faults))


if __name__ == "__main__":
    unittest.main()

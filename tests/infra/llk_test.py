#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/real/llk.py without a suite: what it samples, keeps, forgets and writes."""

import json
import os
import sys
import tempfile
import types
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "isa", "gen", "tests"))
sys.path.insert(0, os.path.join(ROOT, "tests", "real"))
sys.dont_write_bytecode = True
import llk  # noqa: E402
import llk_page  # noqa: E402
from test_gen import TapResult  # noqa: E402

CASES = [f"test_{file}.py::test[{i}]" for file in ("pack", "matmul") for i in range(50)]


def options(per_file, seed=1, names=(), case=""):
    return types.SimpleNamespace(per_file=per_file, seed=seed, names=names, case=case)


class Llk(unittest.TestCase):
    def test_a_larger_sample_contains_a_smaller_one(self):
        few, total = llk.sample(CASES, options(4))
        more, _ = llk.sample(list(reversed(CASES)), options(16))
        self.assertEqual(total, {"test_pack.py": 50, "test_matmul.py": 50})
        for file, cases in few.items():
            self.assertEqual(len(cases), 4)
            self.assertEqual(more[file][:4], cases)
        self.assertNotEqual(llk.sample(CASES, options(4, seed=2))[0], few)

    def test_names_and_patterns_pick(self):
        picked, _ = llk.sample(CASES, options(0, names=["pack"], case=r"\[1"))
        self.assertEqual({file: len(cases) for file, cases in picked.items()}, {"test_pack.py": 11})

    def test_the_last_word_counts_and_half_a_line_does_not(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "results")
            with open(path, "w", encoding="utf-8") as file:
                for case, outcome in (("a", "failed"), ("b", "failed"), ("a", "passed")):
                    file.write(json.dumps({"case": case, "outcome": outcome, "text": ""}) + "\n")
                file.write('{"case": "b", "outc')
            self.assertEqual({case: result["outcome"] for case, result in llk.read_results(path).items()},
                             {"a": "passed", "b": "failed"})
            llk.forget(path, ["b"], None, True)
            self.assertEqual(list(llk.read_results(path)), ["a"])
            llk.forget(path, ["a", "c"], "^a$", False)
            self.assertEqual(llk.read_results(path), {})

    def test_every_case_has_one_process(self):
        parts = llk.shares(CASES, 3)
        self.assertEqual(sorted(case for part in parts for case in part), sorted(CASES))

    def test_reasons(self):
        for text, reason in (
                ("[17] ERROR: UnimplementedFunctionality: tensix_execute_x: mode=8\nENDED with status 256",
                 "the simulator ended the process: UnimplementedFunctionality: tensix_execute_x: mode=8"),
                ("⨯ test_pack.py::test Error type: TTException\nno such file", "TTException: no such file"),
                ("x\nTIMEOUT after 20 s", "does not end in time")):
            self.assertEqual(llk_page.reason_of({"text": text}), reason)

    def test_only_what_is_between_the_marks_is_written(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = os.path.join(scratch, "page.md")
            begin, end = "<!-- LLK: begin, made by make test-real -->", "<!-- LLK: end -->"
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"before\n{begin}\nold\n{end}\nbehind\n")
            llk_page.write(path, "new", "plain")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), f"before\n{begin}\nnew\n{end}\nbehind\n")
            self.assertRaises(SystemExit, llk_page.write, path, "new", "perf")

    def test_same_bits_are_counted_where_both_gave_some(self):
        results = {"Kerr": {"a": {"bits": "1"}, "b": {"bits": "2"}, "c": {"bits": ""}},
                   "REF": {"a": {"bits": "1"}, "b": {"bits": "3"}, "c": {"bits": ""}}}
        self.assertEqual(llk_page.same_bits("abc", results), (2, 1))


if __name__ == "__main__":
    outcome = TapResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Llk).run(outcome)
    sys.exit(0 if outcome.wasSuccessful() else 1)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/run-tests.py: what it counts, and that nothing bad goes by."""

import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "isa", "gen", "tests"))
sys.dont_write_bytecode = True
from test_gen import TapResult  # noqa: E402


class Runner(unittest.TestCase):
    """Each case gives the runner one list and looks at its last line and exit status."""

    def run_list(self, lines, xfail="", tier="check", ci=False, programs=()):
        with tempfile.TemporaryDirectory() as scratch:
            for name, text in (("all.list", lines), ("xfail.txt", xfail)):
                with open(os.path.join(scratch, name), "w", encoding="utf-8") as file:
                    file.write(text + "\n")
            environment = dict(os.environ, KERR_CI="1" if ci else "0")
            result = subprocess.run(
                [sys.executable, os.path.join(ROOT, "scripts", "run-tests.py"), "--build", scratch, "--tier", tier,
                 "--list", os.path.join(scratch, "all.list"), "--xfail", os.path.join(scratch, "xfail.txt"), *programs],
                capture_output=True, text=True, check=False, env=environment, cwd=scratch)
        output = (result.stdout + result.stderr).strip()
        return output.splitlines()[-1], result.returncode, output

    def expect(self, summary, status, *arguments, **options):
        last, code, output = self.run_list(*arguments, **options)
        self.assertEqual((last, code), (summary, status), output)
        return output

    def test_a_command_is_one_case(self):
        self.expect("1 passed, 1 failed", 1, "check a true\ncheck b false")

    def test_tap_cases(self):
        self.expect("2 passed, 1 failed, 1 skipped", 1,
                    "check a printf 'ok 1 - x\\nok - y\\nnot ok 3 z\\nok 4 - w # SKIP no card\\n'; exit 1")

    def test_tap_plan_not_kept(self):
        self.expect("1 passed, 1 failed", 1, "check a printf '1..2\\nok 1 - x\\n'")

    def test_words(self):
        self.expect("1 passed, 1 failed, 1 skipped", 1, "check a printf 'PASS x\\nFAIL y\\nSKIP z: why\\n'")

    def test_cmocka_names_a_failure_twice(self):
        self.expect("1 passed, 1 failed", 1,
                    "check a printf '[==========] Running 2 test(s).\\n[       OK ] x\\n[  FAILED  ] y\\n"
                    "[  FAILED  ] 1 test(s), listed below:\\n[  FAILED  ] y\\n'; exit 1")

    def test_same_case_name_counts_twice(self):
        self.expect("2 passed, 0 failed", 0, "check a printf 'PASS x\\nPASS x\\n'")

    def test_bad_end_after_good_cases(self):
        self.expect("1 passed, 1 failed", 1, "check a echo PASS x; exit 3")

    def test_killed_by_a_signal(self):
        output = self.expect("0 passed, 1 failed", 1, "check a kill -SEGV $$")
        self.assertIn("signal 11", output)

    def test_timeout(self):
        output = self.expect("1 passed, 1 failed", 1, "check,timeout=1 a echo PASS x; sleep 60")
        self.assertIn("killed after 1 s", output)

    def test_exit_77_skips(self):
        self.expect("0 passed, 0 failed, 1 skipped", 0, "check a echo no such tool; exit 77")

    def test_a_skip_fails_in_ci(self):
        self.expect("0 passed, 1 failed", 1, "check a echo missing tool; exit 77", ci=True)

    def test_an_optional_skip_does_not_fail_in_ci(self):
        self.expect("0 passed, 0 failed, 1 skipped", 0, "check a echo optional: no reference library; exit 77", ci=True)

    def test_a_case_of_cmocka_says_why_it_is_skipped(self):
        lines = r"[ RUN      ] x\n%s[  SKIPPED ] x\n[ RUN      ] y\n[  SKIPPED ] y\n[  SKIPPED ] x\n"
        self.expect("0 passed, 2 failed", 1, f"check a printf '{lines}' ''", ci=True)
        self.expect("0 passed, 1 failed, 1 skipped", 1, f"check a printf '{lines}' 'optional: no such processor\\n'", ci=True)

    def test_known_failure_is_skipped(self):
        self.expect("1 passed, 0 failed, 1 skipped", 0, "check a printf 'PASS x\\nFAIL y\\n'; exit 1",
                    xfail="a/y  the reason")

    def test_known_failure_that_passes_fails(self):
        self.expect("0 passed, 2 failed", 1, "check a echo PASS x\ncheck b true", xfail="a/x  why\nb  why")

    def test_known_failure_without_a_reason_is_refused(self):
        last, code, _ = self.run_list("check a true", xfail="a")
        self.assertEqual(code, 1)
        self.assertIn("two blanks and the reason", last)

    def test_tiers(self):
        lines = "check a true\ntest b true\nlong c true"
        self.expect("1 passed, 0 failed", 0, lines, tier="check")
        self.expect("2 passed, 0 failed", 0, lines, tier="test")
        self.expect("3 passed, 0 failed", 0, lines, tier="long")

    def test_nothing_to_run_fails(self):
        self.expect("0 passed, 1 failed", 1, "long a true")

    def test_a_list_moves_a_program_to_another_tier(self):
        self.expect("1 passed, 0 failed", 0, "check a true\nlong b $BUILD/true", programs=["/bin/true"])

    def test_a_list_that_gives_a_program_arguments_leaves_it_where_it_is(self):
        self.expect("2 passed, 0 failed", 0, "check a true\nlong b $BUILD/true all", programs=["/bin/true"])

    def test_bad_lists_are_refused(self):
        for lines, message in (("sometimes a true", "unknown tier"), ("check,fast a true", "unknown option"),
                               ("check a", "expected tier, name and command"), ("check a true\ntest a true", "named twice")):
            last, code, _ = self.run_list(lines)
            self.assertEqual(code, 1, lines)
            self.assertIn(message, last)


if __name__ == "__main__":
    outcome = TapResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Runner).run(outcome)
    sys.exit(0 if outcome.wasSuccessful() else 1)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tests/hunt.py: other seeds each time, the same ones again when asked, and a failure in words that repeat it."""

import os
import re
import shlex
import subprocess
import sys
import time
import unittest

HUNT = os.path.join(os.path.dirname(__file__), "..", "hunt.py")


def hunt(*words, **environment):
    surely = {name: value for name, value in os.environ.items() if not name.startswith("KERR_TEST_HUNT_")}
    run = subprocess.run([sys.executable, HUNT, *words], env={**surely, **environment}, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    return run.returncode, run.stdout.splitlines()


def base_of(lines):
    return re.match(r"# KERR_TEST_HUNT_SEED=(\d+)", lines[0]).group(1)


class Hunt(unittest.TestCase):
    def test_each_run_has_other_seeds_and_the_base_gives_them_again(self):
        status, lines = hunt("0.2", "KERR_TEST_SHAKE={shake}", "echo", "{seed}", "1", "{seed32}")
        runs = [line.split(" - ")[1] for line in lines if line.startswith("ok")]
        self.assertEqual(status, 0)
        self.assertGreater(len(runs), 1)
        self.assertEqual(len(set(runs)), len(runs))
        self.assertRegex(runs[0], r"^KERR_TEST_SHAKE=[1-9]\d* echo [1-9]\d* 1 [1-9]\d*$")
        self.assertEqual(lines[-1], f"1..{len(runs)}")
        _, again = hunt("0", "KERR_TEST_SHAKE={shake}", "echo", "{seed}", "1", "{seed32}", KERR_TEST_HUNT_SEED=base_of(lines))
        self.assertEqual(again[1].split(" - ")[1], runs[0])
        _, other = hunt("0", "KERR_TEST_SHAKE={shake}", "echo", "{seed}", "1", "{seed32}")
        self.assertNotEqual(other[1].split(" - ")[1], runs[0])

    def test_a_failure_is_named_and_ends_it(self):
        program = "import os, sys; print('ok 1 - fine'); print('not ok 2 - %s %s' % (os.environ['A'], sys.argv[1])); sys.exit(3)"
        status, lines = hunt("60", "A={seed}", sys.executable, "-c", program, "{seed}")
        self.assertEqual(status, 1)
        line = next(line for line in lines if line.startswith("not ok 1 - A="))
        seed = re.search(r"A=(\d+)", line).group(1)
        self.assertIn(f"#   not ok 2 - {seed} {seed}", lines)
        self.assertIn("#   ended with status 3", lines)
        self.assertNotIn("#   ok 1 - fine", lines)
        self.assertEqual(lines[-1], "1..1")
        repeated = subprocess.run(["env", *shlex.split(line.split(" - ", 1)[1])], stdout=subprocess.PIPE, text=True, check=False)
        self.assertEqual(repeated.returncode, 3)
        self.assertIn(f"{seed} {seed}", repeated.stdout)

    def test_time_ends_it(self):
        begun = time.monotonic()
        status, lines = hunt("600", "true", KERR_TEST_HUNT_SECONDS="0.1")
        self.assertEqual(status, 0)
        self.assertLess(time.monotonic() - begun, 30)
        self.assertGreater(len(lines), 2)

    def test_what_is_missing_is_a_skip(self):
        status, lines = hunt("60", "sh", "-c", "echo optional: no qemu; exit 77")
        self.assertEqual(status, 77)
        self.assertEqual(lines[-1], "optional: no qemu")




if __name__ == "__main__":
    unittest.main()

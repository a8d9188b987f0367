# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests of the register generators: what a generator refuses.

Each file in a directory of bad tables opens with a line '# refused: LINE: MESSAGE', counting lines from the one below it
('*' for a path), and must be refused with just that.
"""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
HEADER_LINES = 2


def run(generator, *arguments):
    path = os.path.join(ROOT, "isa", "gen", generator)
    return subprocess.run([sys.executable, path, *arguments], capture_output=True, text=True, check=False)


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def make(generator, table, *names):
    """What a generator makes of a good table: the text of each of the files."""
    with tempfile.TemporaryDirectory() as out:
        paths = [os.path.join(out, name) for name in names]
        result = run(generator, os.path.join(ROOT, table), *paths)
        assert result.returncode == 0, result.stderr
        return [read(path) for path in paths]


def expected(path):
    text = re.search(r"^# refused: (.*)$", read(path), re.M)[1].strip()
    match = re.match(r"(\d+): (.*)", text)
    if not match:
        return f"{path}: {text}\n"
    text = re.sub(r"\*:(\d+)", lambda m: f"{path}:{int(m[1]) + HEADER_LINES}", match[2])
    return f"{path}:{int(match[1]) + HEADER_LINES}: {text}\n"


class Refusals:
    """To be mixed into a TestCase that names generator, bad (a directory) and products (how many files it makes)."""

    def test_each_bad_table_is_refused_with_its_message(self):
        names = sorted(os.listdir(os.path.join(HERE, self.bad)))
        self.assertGreater(len(names), 10)
        for name in names:
            with self.subTest(name), tempfile.TemporaryDirectory() as out:
                path = os.path.join(HERE, self.bad, name)
                result = run(self.generator, path, *(os.path.join(out, str(i)) for i in range(self.products)))
                self.assertEqual((result.returncode, result.stderr), (1, expected(path)))
                self.assertEqual(os.listdir(out), [])

    def test_a_missing_file_and_missing_arguments(self):
        self.assertEqual(run(self.generator, "/nonexistent", *["/dev/null"] * self.products).returncode, 1)
        self.assertEqual(run(self.generator).returncode, 2)

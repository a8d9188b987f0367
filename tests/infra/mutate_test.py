#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate.py on a library of one small file: what a test catches, what survives, what is no mutant."""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts/mutate.py"

SAMPLE = """\
int clamp(int x);
int sum(int n);
int nobody_calls(int x);
int clamp(int x)
{
    return x > 10 ? 10 : x; /* 1 < 2 */
}
int sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}




int nobody_calls(int x)
{
    return x + 1;
}
"""
TEST = """\
int clamp(int x);
int sum(int n);
int main(void)
{
    return !(clamp(11) == 10 && clamp(10) == 10 && clamp(3) == 3 && sum(4) == 6);
}
"""


def load():
    spec = importlib.util.spec_from_file_location("mutate", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Mutate(unittest.TestCase):
    """All in one temporary tree."""

    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory()
        cls.mutate = load()
        root = cls.mutate.ROOT = pathlib.Path(cls.place.name)
        build = root / "build"
        (root / "src/num").mkdir(parents=True)
        (build / "obj/src").mkdir(parents=True)
        (root / "src/num/sample.c").write_text(SAMPLE, encoding="utf-8")
        (root / "test.c").write_text(TEST, encoding="utf-8")
        (build / "flags.txt").write_text("gcc -O1 -fPIC -fno-semantic-interposition\n", encoding="utf-8")
        whole = build / "libkerr_whole.so"
        for command in (["gcc", "-O1", "-fPIC", "-shared", f"-Wl,-soname,{whole}", "src/num/sample.c", "-o", whole],
                        ["gcc", "test.c", whole, "-o", build / "test"]):
            subprocess.run(command, cwd=root, check=True)
        bench, commands = cls.mutate.Bench(build), {"sample": "$BUILD/test", "fails": "false"}
        cover = cls.mutate.measure_cover(bench, cls.mutate.Compiler(build.resolve()), commands, ["src/num/sample.c"])
        cls.cover, cls.work = cover, root / "work"
        cls.hunt = cls.mutate.Hunt(build, cls.mutate.Cover(cover), commands, cover["hashes"])
        cls.hunt.patience = 0

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    def result(self, line, before, after):
        return self.hunt.result(self.mutate.one_change(f"src/num/sample.c:{line}", before, after), self.work)

    def test_lines_that_a_test_runs_are_known(self):
        lines = self.cover["lines"]["src/num/sample.c"]["sample"]
        self.assertIn(6, lines)
        self.assertNotIn(21, lines)
        self.assertEqual(list(self.cover["tests"]), ["sample"])  # one that fails by itself tells nothing

    def test_what_a_test_notices_is_caught(self):
        self.assertEqual(self.result(6, ">", "<="), "sample")
        self.assertEqual(self.result(12, "+=", "-="), "sample")

    def test_a_test_that_does_not_end_has_noticed(self):
        self.assertEqual(self.result(11, "i++", "i += 0"), "sample")

    def test_what_no_test_sees_survives(self):
        self.assertEqual(self.result(11, "i = 0", "i = 1"), "survived")
        self.assertEqual(self.result(21, "+", "-"), "survived")

    def test_no_mutant(self):
        self.assertEqual(self.result(6, "x > 10", "10 < x"), "invalid")  # the same object
        self.assertEqual(self.result(6, "?", ";"), "invalid")

    def test_places(self):
        sites = self.mutate.sites_of(SAMPLE, self.mutate.Names(), self.mutate.random.Random(1))
        self.assertEqual({before for _, before, _ in sites}, {">", "10", "0", "<", "+=", "+", "1"})  # none in the comment
        self.assertTrue(all(SAMPLE.startswith(before, at) and before not in after for at, before, after in sites))
        names = self.mutate.Names(["A_B_first", "A_B_second", "A_C_third"])
        sites = self.mutate.sites_of("f(A_B_first_MASK, p->x, q.y, 0x10);", names, self.mutate.random.Random(1))
        self.assertEqual([(before, set(after)) for _, before, after in sites[:3]],
                         [("A_B_first_MASK", {"A_B_second_MASK"}), ("x", {"y"}), ("y", {"x"})])

    def test_the_seed_decides(self):
        def first(seed):
            return [m.new for _, m in zip(range(5), self.mutate.choose(["src/num/sample.c"], self.mutate.Names(), seed))]
        self.assertEqual(first(1), first(1))
        self.assertNotEqual(first(1), first(2))

    def test_survivors_are_found_by_their_lines(self):
        path = pathlib.Path(self.place.name) / "survivors.txt"
        path.write_text("# comment\nsrc/num/sample.c  the same at 10\n- return x > 10 ? 10 : x; /* 1 < 2 */\n"
                        "+ return x >= 10 ? 10 : x; /* 1 < 2 */\n", encoding="utf-8")
        kept = self.mutate.read_survivors(path)
        self.assertEqual(kept.get(self.mutate.one_change("src/num/sample.c:6", ">", ">=").key()), "the same at 10")
        self.assertIsNone(kept.get(self.mutate.one_change("src/num/sample.c:6", ">", "<").key()))

    def test_survivors_are_of_files_that_are_there(self):
        kept = (pathlib.Path(__file__).resolve().parents[2] / "tests" / "survivors.txt").read_text(encoding="utf-8")
        files = set(re.findall(r"^(src/\S+)  ", kept, re.M))
        self.assertGreater(len(files), 5)
        self.assertEqual([f for f in files if not (pathlib.Path(__file__).resolve().parents[2] / f).exists()], [])


if __name__ == "__main__":
    unittest.main()

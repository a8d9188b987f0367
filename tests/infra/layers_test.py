#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/layers.py finds what it is there for, in a tree made up for it:  layers_test.py"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.dont_write_bytecode = True
sys.path[:0] = [str(SCRIPTS)]
import layers


class Layers(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = pathlib.Path(scratch.name).resolve()
        self.write("src/kerr.map", "global:\n    kerr_run;\nlocal: *;\n")
        self.write("src/base/bits.h", "int bits(int x);\n")
        self.write("src/base/bits.c", '#include "base/bits.h"\nint bits(int x) { return x; }\n')
        self.write("src/tile/run.h", "int tile_run(void);\n")
        self.write("src/tile/run.c", '#include "base/bits.h"\n#include "tile/run.h"\nint tile_run(void) { return bits(1); }\n')
        self.write("src/host/api.c", "int tile_run(void);\nint kerr_run(void);\nint kerr_run(void) { return tile_run(); }\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if path.endswith(".c"):
            target = self.root / "build/obj" / (path[:-2] + ".o")
            target.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run([os.environ.get("CC", "cc"), "-I", self.root / "src", "-c", file, "-o", target], check=True)

    def found(self):
        pairs = layers.violations(self.root, self.root / "build", layers.read_layers(layers.LAYERS))
        return {pair: sorted(what) for pair, what in pairs.items()}

    def run_it(self):
        return subprocess.run([sys.executable, SCRIPTS / "layers.py", "--root", self.root, "--build", self.root / "build"],
                              capture_output=True, text=True)

    def test_what_points_down_is_fine(self):
        self.assertEqual(self.found(), {})
        self.assertEqual(self.run_it().returncode, 0)

    def test_a_symbol_of_a_higher_folder(self):
        self.write("src/base/up.c", "int tile_run(void);\nint up(void);\nint up(void) { return tile_run(); }\n")
        self.assertEqual(self.found(), {("src/base/up.c", "src/tile/run.c"): ["tile_run"]})
        result = self.run_it()
        self.assertEqual((result.returncode, result.stdout), (1, "layers: src/base/up.c uses src/tile/run.c: tile_run\n"))

    def test_a_header_of_a_higher_folder(self):
        self.write("src/num/up.h", '#include "../tile/run.h"\n')
        self.write("src/riscv/deep/up.h", '  # include "tile/run.h"\n')
        self.assertEqual(self.found(), {("src/num/up.h", "src/tile/run.h"): ["#include"],
                                        ("src/riscv/deep/up.h", "src/tile/run.h"): ["#include"]})

    def test_a_symbol_of_the_api_below_it(self):
        self.write("src/base/up.c", "int kerr_run(void);\nint up(void);\nint up(void) { return kerr_run(); }\n")
        self.assertEqual(self.found(), {("src/base/up.c", "src/host/api.c"): ["kerr_run"]})

    def test_those_that_see_the_api_only(self):
        self.write("src/gdb/serve.c", "int kerr_run(void);\nint serve(void);\nint serve(void) { return kerr_run(); }\n")
        self.write("src/dropin/libttsim.c", "int serve(void);\nint dropin(void);\nint dropin(void) { return serve(); }\n")
        self.assertEqual(self.found(), {})
        self.write("tools/dis.c", '#include "base/bits.h"\nint main(void) { return bits(0); }\n')
        self.assertEqual(self.found(), {("tools/dis.c", "src/base/bits.h"): ["#include"],
                                        ("tools/dis.c", "src/base/bits.c"): ["bits"]})

    def test_the_drop_in_sees_no_more(self):
        self.write("src/dropin/libttsim.c", '#include "tile/run.h"\nint dropin(void);\nint dropin(void) { return tile_run(); }\n')
        self.assertEqual(self.found(), {("src/dropin/libttsim.c", "src/tile/run.h"): ["#include"],
                                        ("src/dropin/libttsim.c", "src/tile/run.c"): ["tile_run"]})

    def test_a_folder_that_nobody_has_placed(self):
        self.write("src/new/x.h", '#include "base/bits.h"\n')
        with self.assertRaisesRegex(SystemExit, "src/new is no layer"):
            self.found()

    def test_nothing_was_built(self):
        with self.assertRaisesRegex(SystemExit, "no objects"):
            list(layers.links(self.root, self.root / "elsewhere"))


if __name__ == "__main__":
    unittest.main(verbosity=0)

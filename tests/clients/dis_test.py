#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr dis on every ELF file of the ttnn wheel: each word of their code sections is an instruction.

    dis_test.py KERR

The wheel has firmware for other chips too; all of it is code for baby cores.  Wormhole's is shown like Blackhole's and
counted apart.
"""

import collections
import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
from tap import Tap
from ttnn_wheel import blackhole_sets, package_of
import venv_of_client


def main():
    tap = Tap()
    try:
        package = package_of(venv_of_client.ensure("ttnn"))
    except venv_of_client.Missing as missing:
        print(missing)
        sys.exit(77)
    blackhole = {folder for folder, _ in blackhole_sets(package)}
    files = sorted(glob.glob(os.path.join(package, "tt_metal", "pre-compiled", "*", "*", "*.elf")))
    words = collections.Counter()
    problems = []
    for file in files:
        result = subprocess.run([sys.argv[1], "dis", file], capture_output=True, text=True, check=False)
        chip = "Blackhole" if os.path.dirname(os.path.dirname(file)) in blackhole else "other"
        words[chip] += len(re.findall(r"^ *[0-9a-f]+:  [0-9a-f]{8}  ", result.stdout, re.M))
        if result.returncode != 0 or result.stderr:
            problems.append(f"{os.path.relpath(file, package)}: status {result.returncode}: {result.stderr.strip()}")
    tap.case(f"{len(files)} files, {words['Blackhole']} words of Blackhole firmware, {words['other']} of other chips: "
             "no unknown word", len(files) > 100 and words["Blackhole"] > 10000 and not problems, "\n".join(problems[:20]))
    tap.done()


if __name__ == "__main__":
    main()

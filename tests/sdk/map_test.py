#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""isa/gen/gen_map.py: what it refuses, and that it then writes nothing."""

import os
import shutil
import sys

from tap import Tap, path, run, write

MAP, REGS = "isa/memory_map.tbl", "isa/tile.regs"
GENERATOR = "isa/gen/gen_map.py"


def generate(table, registers=REGS):
    """Runs the generator into an empty directory."""
    out = path("out")
    shutil.rmtree(out, ignore_errors=True)
    result = run(sys.executable, GENERATOR, table, registers, out)
    return result, os.path.isdir(out)


def main():
    tap = Tap()
    result, wrote = generate(MAP)
    tap.case("the real tables are accepted", result.returncode == 0 and wrote, result.stderr)

    with open(MAP, encoding="utf-8") as file:
        good = file.read()
    rows = "\n".join(line for line in good.splitlines() if line and line[0] not in "#!") + "\n"

    def refuses(name, bad, expect):
        result, wrote = generate(write("bad.tbl", bad))
        ok = result.returncode == 1 and expect in result.stderr and "bad.tbl" in result.stderr and not wrote
        tap.case(f"refused: {name}", ok, f"status {result.returncode}, wrote {wrote}\n{result.stderr}")

    def extra(row):
        return rows + row + "\n"

    refuses("a missing column", extra("X  0xFFC00000  0x100  all  tile"), "expected 6 columns")
    refuses("a base that is no number", extra("X  here  0x100  all  tile  a test"), "base 'here' is not a number")
    refuses("a size of nothing", extra("X  0xFFC00000  0  all  tile  a test"), "size is 0")
    refuses("half a word", extra("X  0xFFC00002  4  all  tile  a test"), "whole words")
    refuses("more than the address space", extra("X  0xFFFFFF00  0x200  all  tile  a test"), "32-bit address space")
    refuses("an unknown core", extra("X  0xFFC00000  0x100  B T3  tile  a test"), "no core 'T3'")
    refuses("an unknown space", extra("X  0xFFC00000  0x100  all  dram  a test"), "no space 'dram'")
    refuses("a name that C does not take", extra("a-b  0xFFC00000  0x100  all  tile  a test"), "is not a name")
    refuses("a region over another", extra("X  0x0017FFFC  8  NC  tile  a test"), "overlaps MEM_L1_BASE")
    refuses("a region over registers", extra("X  0xFFB12000  4  T1  tile  a test"),
            "overlaps RISCV_DEBUG_REGS_START_ADDR")
    refuses("the same name twice for a core", extra("MEM_LOCAL_BASE  0xFFC00000  0x100  B  tile  a test"), "already at")
    refuses("L1 given away twice", extra("X  0x00018FFC  8  T2  l1  a test"), "overlaps KERR_PARAMS_BASE")
    refuses("a piece of L1 outside L1", extra("X  0x00180000  0x100  all  l1  a test"), "not inside MEM_L1_BASE")
    refuses("a core without code", "".join(line + "\n" for line in rows.splitlines() if "  T1  " not in line),
            "no KERR_CODE_BASE for T1")

    result, wrote = generate(path("not-there.tbl"))
    tap.case("refused: no such file", result.returncode == 1 and "not-there.tbl" in result.stderr and not wrote,
             result.stderr)
    result, wrote = generate(write("apart.tbl", extra("X  0xFFC00000  4  T0  tile  a test\n"
                                                      "Y  0xFFC00000  8  T1 T2  tile  a test")))
    tap.case("accepted: one address, two meanings for two cores", result.returncode == 0 and wrote, result.stderr)
    tap.done()


if __name__ == "__main__":
    main()

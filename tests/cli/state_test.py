#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr state and kerr diff, and the files that saved chips are in."""

import json
import re

import support
from support import A0, T0, T1, ZERO, case, code, done, elf, kerr, path, segment, told, write


def counting(first):
    """Counts up from a word of L1, for ever: what it stores depends on that word."""
    return elf(segment(code(support.lui(T1, 0x20000), support.lw(T0, T1, 0), support.addi(T0, T0, 1), support.sw(T0, T1, 4),
                            support.addi(A0, ZERO, first), support.jump(-16)), 0x0))


def saved(name, program, *more):
    chip = path(name)
    r = kerr("run", f"1,2:B={program}", "--save", chip, "-q", *more)
    if r.returncode not in (0, 3):
        case(f"{name} is saved", False, told(r))
    return chip


def main():
    one, two = write("one.elf", counting(1)), write("two.elf", counting(2))
    start = saved("start.chip", one, "--cycles", "10")
    later = saved("later.chip", one, "--cycles", "500")
    again = saved("again.chip", one, "--cycles", "500", "--threads", "1")
    other = saved("other.chip", two, "--cycles", "10")

    r = kerr("state", later)
    case("state of the first tile, by name", r.returncode == 0 and re.search(r"core B\n.*pc +\w", r.stdout, re.S) and
         "NOC_NODE_ID" in r.stdout and "Semaphore" not in r.stdout, told(r))
    r = kerr("state", later, "--all", "--only", "sync")
    case("what is zero, and of one group", r.returncode == 0 and "Semaphore[7].Max" in r.stdout and "core B" not in r.stdout, told(r))
    r = kerr("state", later, "1,2", "2,2", "--json", "--files")
    tiles = json.loads(r.stdout) if r.returncode == 0 else []
    case("JSON of two tiles", len(tiles) == 2 and tiles[0]["tile"] == [1, 2] and tiles[0]["core B"]["x10"] == 1 and
         "DstBits[1023][15]" in tiles[0]["Dst"] and "ALU_FORMAT_SPEC_REG0_SrcA" in tiles[0]["Config 0"] and
         "LReg[16][31]" in tiles[1]["LReg"], r.stdout[:400] + r.stderr)
    r = kerr("state", start, "--against", later)
    case("side by side", r.returncode == 0 and re.search(r"\* mcycle +0xa +0x1f4", r.stdout) and "differ" in r.stdout, told(r))

    r = kerr("diff", later, again)
    case("the same on one thread", r.returncode == 0 and "the same" in r.stdout, told(r))
    r = kerr("diff", start, later)
    case("a difference has a name and a place", r.returncode == 1 and "tile 1,2  L1 0x20004: 0x00000000, 0x00000001" in r.stdout and
         "B is at pc" in r.stdout, told(r))
    r = kerr("diff", start, other, "--run", "2k", "--program", f"1,2:B={one}")
    case("the first difference of two runs", r.returncode == 1 and re.search(
        r"cycle \d+:\n  tile 1,2  core B: x10: 1, 2", r.stdout) and "B is at pc" in r.stdout, told(r))
    r = kerr("diff", start, start, "--run", "9k")
    case("two runs that are alike", r.returncode == 0 and "no difference" in r.stdout and "9010" in r.stdout, told(r))

    r = kerr("last-write", start, "1,2@0x20004", "--run", "300", "--program", f"1,2:B={one}")
    case("who wrote an address last", r.returncode == 0 and re.search(r"cycle \d+: core B at pc 0x0000c: sw t0,4\(t1\)", r.stdout), told(r))
    r = kerr("last-write", start, "1,2@0x20000", "--run", "300")
    case("an address that nobody writes", r.returncode == 3 and "0 writes" in r.stdout, told(r))
    r = kerr("last-write", start, "1,2@Config 0/ALU_FORMAT_SPEC_REG0_SrcA", "--run", "300")
    case("a field that nobody writes", r.returncode == 3 and "0 writes" in r.stdout, told(r))
    r = kerr("last-write", start, "1,2@Config 0/NoSuchField")
    case("a field that does not exist", r.returncode == 2 and "NoSuchField" in r.stderr, told(r))

    with open(later, "rb") as file:
        good = file.read()
    broken = {"text": (b"hello", "is not a saved chip"), "nothing": (b"", "is not a saved chip"), "header": (good[:20], "cut short"),
              "half": (good[:len(good) // 2], "cut short"), "end": (good[:-2], "cut short"),
              "newer": (good[:8] + b"\x09\0\0\0" + good[12:], "newer Kerr"),
              "damaged": (good[:200] + bytes([good[200] ^ 0xFF]) + good[201:], "damaged")}
    for name, (data, word) in broken.items():
        file = write(f"{name}.chip", data)
        r = kerr("state", file)
        case(f"a file that is no good: {name}", r.returncode == 2 and word in r.stderr and file in r.stderr, told(r))
    for name, arguments in (("no chip", ["state"]), ("no such tile", ["state", later, "0,99"]), ("one chip", ["diff", later]),
                            ("three chips", ["diff", later, later, later]), ("no such file", ["diff", later, path("no.chip")]),
                            ("other cycles", ["diff", start, later, "--run", "10"])):
        r = kerr(*arguments)
        case(f"refused: {name}", r.returncode == 2 and r.stderr.startswith("kerr "), told(r))
    done()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kernels on a simulated tile: the sdk's promises (selftest.c), and the examples that the demo shows."""

import re
import struct

from tap import CORES, PARAMS, RUN_DONE, RUN_OFFSET, SHARED, Tap, kerr_cc, kerr_run, kernel, path, read, write

NUMBERS = 300  # sdk/examples/collatz.h


def selftest(tap, level):
    """All five cores of a tile at once; what main returned is in the parameter block."""
    programs = []
    for core in CORES:
        elf = path(f"selftest_{core}{level}.elf")
        result = kerr_cc(core, "tests/sdk/selftest.c", "-Wall", "-Werror", level, "-o", elf)
        if not tap.case(f"selftest {level} {core}: compiles", result.returncode == 0, result.stderr):
            return
        programs.append(f"3,4:{core}={elf}")
    words = write("words.bin", struct.pack("<5I", 0, 0, 0, 0xFFFFFFFF, 0))
    result = kerr_run(*programs, "--preload", f"3,4@{SHARED}={words}", "--dump",
                      f"3,4@{PARAMS + RUN_OFFSET}+80={path('run.bin')}")
    if not tap.case(f"selftest {level}: runs to the end", result.returncode == 0, result.stderr):
        return
    for core, (state, line, cycles, instructions) in zip(CORES, struct.iter_unpack("<Ii2I", read("run.bin"))):
        tap.case(f"selftest {level} {core}: every promise holds", (state, line) == (RUN_DONE, 0),
                 f"state {state}, first failure in line {line} of selftest.c")
        tap.case(f"selftest {level} {core}: counters are recorded", 1000 < instructions < cycles < 1000000,
                 f"{instructions} instructions, {cycles} cycles")


def hello(tap):
    programs = [f"5,6:{core}={kernel(f'hello_{core}.elf')}" for core in CORES]
    tile = write("tile.bin", struct.pack("<2I", 5, 6))
    result = kerr_run(*programs, "--preload", f"5,6@{PARAMS}={tile}", "--dump", f"5,6@{SHARED}+320={path('hello.txt')}")
    if not tap.case("hello: runs", result.returncode == 0, result.stderr):
        return
    text = read("hello.txt")
    for i, core in enumerate(CORES):
        line = text[64 * i:64 * (i + 1)].split(b"\0")[0].decode()
        tap.case(f"hello: {core} says so", re.fullmatch(rf"Hello from RISCV {core} of tile 5,6 in cycle \d+\n", line), line)


def collatz_steps(n):
    steps = 0
    while n != 1:
        n = 3 * n + 1 if n % 2 else n // 2
        steps += 1
    return steps


def mailbox(tap):
    programs = [f"1,2:B={kernel('producer_B.elf')}"]
    programs += [f"1,2:{core}={kernel(f'consumer_{core}.elf')}" for core in CORES[1:4]]
    result = kerr_run(*programs, "--dump", f"1,2@{SHARED}+{0x1000 + 4 * (NUMBERS + 1)}={path('mailbox.bin')}")
    if not tap.case("mailbox: runs", result.returncode == 0, result.stderr):
        return
    data = read("mailbox.bin")
    steps = [0] + [collatz_steps(n) for n in range(1, NUMBERS + 1)]
    tap.equal("mailbox: the table is right", list(struct.unpack_from(f"<{NUMBERS + 1}I", data, 0x1000)), steps)
    lines = data[:0x1000].split(b"\0")[0].decode().splitlines()
    for i in range(3):
        numbers = range(1 + i, NUMBERS + 1, 3)
        tap.equal(f"mailbox: what T{i} reports", lines[i],
                  f"T{i} followed {len(numbers)} numbers for {sum(steps[n] for n in numbers)} steps")
    longest = max(range(1, NUMBERS + 1), key=lambda n: (steps[n], -n))
    tap.case("mailbox: what B concludes",
             lines[3].startswith(f"B: the longest way down from a number up to {NUMBERS} starts at {longest}: "
                                 f"{steps[longest]} steps ("), lines[3])


def readme(tap):
    """The kernel in README.md, on five cores."""
    with open("README.md", encoding="utf-8") as file:
        source = next(code for code in re.findall(r"```c\n(.*?)```", file.read(), re.DOTALL) if "kerr_sdk.h" in code)
    write("readme.c", source)
    for core in CORES:
        kerr_cc(core, path("readme.c"), "-Werror", "-o", path(f"readme_{core}.elf"))
    programs = [f"1,2:{core}={path(f'readme_{core}.elf')}" for core in CORES]
    result = kerr_run(*programs, "--dump", f"1,2@{SHARED}+4={path('readme.bin')}")
    if tap.case("README: its kernel runs", result.returncode == 0, result.stderr):
        tap.equal("README: five cores count together", struct.unpack("<I", read("readme.bin"))[0], 5000)


def main():
    tap = Tap()
    for level in ("-O2", "-O0", "-Os"):
        selftest(tap, level)
    hello(tap)
    mailbox(tap)
    readme(tap)
    tap.done()


if __name__ == "__main__":
    main()

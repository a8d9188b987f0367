#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shaken timing: the examples with a race fail under a few seeds, mended they never do; correct kernels stay right; kerr
shrink names the two accesses that must swap; bad input is refused.

  shake_test.py [SEEDS]     seeds that correct kernels are run with, 4 if not given; 50 in the long tier"""

import os
import re
import struct
import sys

from kernels_test import NUMBERS, collatz_steps
from tap import BUILD, CORES, PARAMS, SHARED, Tap, kernel, path, read, run, write

KERR = os.path.join(BUILD, "kerr")


def kerr(*arguments):
    return run(KERR, *arguments, timeout=600)


def shaken(seed, *arguments):
    return kerr("run", "--quiet", "--threads", "1", "--shake", str(seed), *arguments)


def stallwait(name):
    return (f"1,2:T0={kernel(f'stallwait_{name}_T0.elf')}", "--dump", "1,2@0x20040+64=words")


def noc(name):
    return (f"1,2:B={kernel(f'noc_{name}_B.elf')}", f"4,2:NC={kernel(f'noc_{name}_NC.elf')}", "--dump", "4,2@0x20000+4=words")


def semaphore(name):
    return (*(f"1,2:{core}={kernel(f'semaphore_{name}_{core}.elf')}" for core in ("T0", "T1")), "--dump", "1,2@0x20000+4=words")


def pack(name):
    return (f"1,2:T0={kernel(f'pack_{name}_T0.elf')}", "--dump", "1,2@0x20000+256=words")


def races(tap, seeds):
    """Right without shaking; wrong within 50 seeds; mended: never wrong."""
    for title, arguments in (("a missing STALLWAIT", stallwait), ("a flag on another channel", noc),
                             ("a semaphore set up too late", semaphore), ("a missing STALLWAIT before PACR", pack)):
        right = shaken(0, *arguments("mended")).stdout
        tap.equal(f"{title}: right without shaking", shaken(0, *arguments("race")).stdout, right)
        wrong = next((seed for seed in range(1, 51) if shaken(seed, *arguments("race")).stdout != right), None)
        tap.case(f"{title}: wrong within 50 seeds", wrong is not None)
        bad = [seed for seed in range(1, seeds + 1) if shaken(seed, *arguments("mended")).stdout != right]
        tap.equal(f"{title}: mended, right under {seeds} seeds", bad, [])


def again(tap):
    """The same seed gives the same run, on any number of threads; another seed another one."""
    # By name: what of a file says how far cores were found to poll depends on how time was cut.
    for seed, threads in ((7, "1"), (7, "2"), (8, "1")):
        kerr("run", "--quiet", "--shake", str(seed), "--threads", threads, *noc("race")[:2], "--save", path(f"state_{seed}_{threads}"))
    tap.equal("the same seed, the same chip", kerr("diff", path("state_7_1"), path("state_7_2")).returncode, 0)
    tap.equal("another seed, another chip", kerr("diff", path("state_7_1"), path("state_8_1")).returncode, 1)


def correct(tap, seeds):
    """Kernels that do everything right do so however long things take."""
    programs = [f"1,2:B={kernel('producer_B.elf')}"]
    programs += [f"1,2:{core}={kernel(f'consumer_{core}.elf')}" for core in CORES[1:4]]
    steps = [0] + [collatz_steps(n) for n in range(1, NUMBERS + 1)]
    bad = []
    for seed in range(1, seeds + 1):
        result = shaken(seed, *programs, "--dump", f"1,2@{SHARED}+{0x1000 + 4 * (NUMBERS + 1)}={path('mailbox.bin')}")
        data = read("mailbox.bin") if result.returncode == 0 else b""
        if not data or list(struct.unpack_from(f"<{NUMBERS + 1}I", data, 0x1000)) != steps:
            bad.append(seed)
    tap.equal(f"mailboxes: right under {seeds} seeds", bad, [])
    tile = write("tile.bin", struct.pack("<2I", 5, 6))
    hello = [f"5,6:{core}={kernel(f'hello_{core}.elf')}" for core in CORES]
    bad = []
    for seed in range(1, seeds + 1):
        shaken(seed, *hello, "--preload", f"5,6@{PARAMS}={tile}", "--dump", f"5,6@{SHARED}+320={path('hello.txt')}")
        if len(re.findall(rb"Hello from RISCV \w+ of tile 5,6 in cycle \d+\n", read("hello.txt"))) != 5:
            bad.append(seed)
    tap.equal(f"hello: right under {seeds} seeds", bad, [])
    program = os.path.join(BUILD, "examples", "multiply")
    bad = [seed for seed in range(1, seeds + 1)
           if run(program, os.path.dirname(kernel("x")), path("u"), "20", "56", "4", "4", str(seed), timeout=900).returncode != 0]
    tap.equal("matmul on 140 tiles: right when shaken", bad, [])


def shrink(tap):
    result = kerr("shrink", "-o", path("least"), "--", *stallwait("race"))
    lines = result.stdout.splitlines()
    tap.case("shrink, STALLWAIT: one delay is enough", bool(lines) and lines[0].endswith("1 delay is enough"), result.stdout + result.stderr)
    tap.case("shrink, STALLWAIT: of the Scalar Unit", ", scalar 0 number " in result.stdout, result.stdout)
    tap.case("shrink, STALLWAIT: the add reads before the load writes",
             re.search(r"must swap.*ADDDMAREG.*reads GPR 8.*LOADIND.*writes GPR 8", result.stdout, re.DOTALL), result.stdout)
    tap.case("shrink, STALLWAIT: with its source", "stallwait_race.c:" in result.stdout, result.stdout)
    seed = re.search(r"--shake (\d+)", read("least").decode()).group(1)
    right = shaken(0, *stallwait("race")).stdout
    tap.case("shrink: what it writes fails again", shaken(seed, *stallwait("race"), "--shake-only", path("least")).stdout != right)
    result = kerr("shrink", "--", *noc("race"))
    tap.case("shrink, NoC: the core reads before the packet writes",
             re.search(r"must swap.*RISCV NC of 4,2.*reads L1.*noc_race.c:\d+.*NoC 0, asked for by 1,2.*writes L1", result.stdout,
                       re.DOTALL), result.stdout + result.stderr)
    result = kerr("shrink", "--", *semaphore("race"))
    tap.case("shrink, semaphore: the post comes before the set-up",
             re.search(r"must swap.*SEMPOST.*semaphore 3.*semaphore_race.c:\d+.*SEMINIT.*semaphore 3", result.stdout, re.DOTALL),
             result.stdout + result.stderr)
    result = kerr("shrink", "--", *pack("race"))
    tap.case("shrink, PACR: it reads its address before the core's store is there",
             re.search(r"1 delay is enough.*config-store 0.*must swap.*PACR.*reads configuration word 69.*pack_race.c:\d+.*RISCV T0 of 1,2"
                       r".*writes configuration word 69", result.stdout, re.DOTALL), result.stdout + result.stderr)
    result = kerr("run", "--quiet", "--check=sync", *pack("race"))
    tap.case("a missing STALLWAIT before PACR: found without shaking, with both lines",
             re.search(r"race-config: configuration word 0x45: read of thread 0 and write of T0.*PACR.*pack_race.c:51.*pack_race.c:44"
                       r".*THCON_SEC0_REG1_L1_Dest_addr", result.stderr, re.DOTALL), result.stderr)
    tap.equal("with it: nothing is found", kerr("run", "--quiet", "--check", *pack("mended")).stderr, "")
    result = kerr("shrink", "--seeds", "2", "--", *stallwait("mended"))
    tap.case("shrink: nothing to find", result.returncode == 2 and "none of the seeds 1 to 2" in result.stderr, result.stderr)


def bad_input(tap):
    for title, arguments, words in (
            ("a seed that is no number", ("run", "--shake", "many", *stallwait("race")), "many"),
            ("delays without a seed", ("run", "--shake-only", path("none"), *stallwait("race")), "--shake SEED"),
            ("a file of delays that is not there", ("run", "--shake", "1", "--shake-only", path("none"), *stallwait("race")), "none"),
            ("a site that does not exist", ("run", "--shake", "1", "--shake-only", write("a", "gates 1,2 0 4\n"), *stallwait("race")),
             "line 1: there is no site 'gates'"),
            ("a line that is none", ("run", "--shake", "1", "--shake-only", write("b", "gate 1,2\n"), *stallwait("race")), "line 1"),
            ("delays twice", ("run", "--shake", "1", "--shake-only", write("c", "gate 1,2 0 4-9\ngate 1,2 0 9\n"), *stallwait("race")),
             "in common"),
            ("a log that cannot be written", ("run", "--shake", "1", "--shake-log", "/nowhere/x", *stallwait("race")), "/nowhere/x"),
            ("shrink without a run", ("shrink",), "no run"),
            ("shrink with a run that is refused", ("shrink", "--", "nothing.elf"), "nothing.elf"),
            ("shrink with an expectation that is never met", ("shrink", "--expect", write("d", "x"), "--", *stallwait("race")),
             "no matter of timing"),
    ):
        result = kerr(*arguments)
        tap.case(f"{title} is refused", result.returncode == 2 and words in result.stderr, result.stderr)


def main():
    tap = Tap()
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    races(tap, seeds)
    again(tap)
    correct(tap, seeds)
    shrink(tap)
    bad_input(tap)
    tap.done()


if __name__ == "__main__":
    main()

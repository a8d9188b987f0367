#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long a file of the vendor's LLK suite takes on Kerr and on another library, in one run.

    LLK_TESTS=DIR SFPI=DIR [LLK_PYTHON=python] real_llk.py --ref LIBRARY [--build DIR] [--per-file N] [NAME]

Both libraries are loaded by bench/abi_meter.c, so that the time inside them is measured by the same clock; the rest is the
suite's own: Python, torch's golden results, a process a case.  One process runs the cases one after the other, of the two
libraries in turns of a piece of the list each.  Cases are compiled before (tests/real/llk.py), those that are not are left
out and counted.  NAME is a file as llk.py wants it, eltwise_unary_datacopy if not given.
"""

import argparse
import os
import struct
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests", "real"))
import llk  # noqa: E402

METER = struct.Struct("=QQQ")  # calls, nanoseconds, sum (bench/abi_meter.c)
PIECE = 128  # cases of one library before the other has its turn
GOAL = (1, 10)  # in all, inside


def inside(path):
    """Seconds in all functions of the library."""
    with open(path, "rb") as file:
        return sum(nanoseconds for _, nanoseconds, _ in METER.iter_unpack(file.read())) / 1e9


def run(suite, library, target, cases):
    """Seconds in all, seconds inside, outcomes by case."""
    with tempfile.TemporaryDirectory() as folder:
        meter, out = os.path.join(folder, "meter"), os.path.join(folder, "out.jsonl")
        preload = {"LD_PRELOAD": suite.noreserve()} if library == "REF" else {}
        begin = time.monotonic()
        llk.work_off(suite, "run", library, out, cases, ["--run-simulator", "--compile-consumer"],
                     TT_METAL_SIMULATOR=os.path.join(os.path.abspath(suite.options.build), "meter", "libttsim.so"),
                     KERR_METER_TARGET=target, KERR_METER_FILE=meter, KERR_ON_FAULT="exit", **preload)
        return time.monotonic() - begin, inside(meter), llk.read_results(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--ref")
    parser.add_argument("--per-file", type=int, default=0, help="cases, by seed; 0: all")
    parser.add_argument("names", nargs="*", default=["eltwise_unary_datacopy"])
    options = parser.parse_args()
    if not os.path.exists(os.path.join(os.environ.get("LLK_TESTS", ""), "python_tests")):
        print("bench-real: LLK_TESTS names no tests of tt-llk: that line is left out")
        return 77
    for name, value in (("kind", "plain"), ("case", ""), ("seed", 1), ("jobs", 1), ("timeout", 120)):
        setattr(options, name, value)
    if options.ref:
        os.environ["REF"] = options.ref
    suite = llk.Suite(options)
    suite.ensure()
    chosen, _ = llk.sample(llk.collect(suite), options)
    all_of_it = [case for some in chosen.values() for case in some]
    compiled = llk.read_results(suite.file("compiled.jsonl"))
    cases = [case for case in all_of_it if compiled.get(case, {"outcome": "failed"})["outcome"] == "passed"]
    sums = {library: [0.0, 0.0, 0, 0] for library in suite.libraries}
    for begin in range(0, len(cases), PIECE):
        for library, target in suite.libraries.items():
            total, within, results = run(suite, library, target, cases[begin:begin + PIECE])
            passed = sum(result["outcome"] == "passed" for result in results.values())
            sums[library] = [sums[library][0] + total, sums[library][1] + within, sums[library][2] + passed,
                             sums[library][3] + len(results)]
    ours, other = sums["Kerr"], sums.get("REF")
    for library, (_, _, passed, ran) in sums.items():
        print(f"{library}: {passed} of {ran} cases pass, {len(all_of_it) - len(cases)} of the file are not compiled")
    cells = [f"LLK {', '.join(options.names)}, {len(cases)} cases", f"{ours[0]:.1f}", f"{ours[1]:.2f}"]
    if other:
        ratios = other[0] / ours[0], other[1] / max(ours[1], 1e-9)
        cells += [f"{other[0]:.1f}", f"{other[1]:.2f}", f"{ratios[0]:.2f}", f"{ratios[1]:.2f}", f"{GOAL[0]} / {GOAL[1]}",
                  "yes" if ratios[0] >= GOAL[0] and ratios[1] >= GOAL[1] else "no"]
    print("| " + " | ".join(cells) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long operations of ttnn take on Kerr and on another library, in one run.

    TTNN_PYTHON=python real.py --ref LIBRARY [--build DIR] [--reps N] [--only WORD] [--threads N] [--seed N]

Both libraries are loaded by bench/abi_meter.c, so that the time inside them (the simulator's own share) is measured by the
same clock; the rest of an operation is ttnn's.  Runs of the two alternate; the best of N counts.  A run before the first
fills the cache of kernels.  Beside the lines below twelve operations are measured that the seed draws (operations.py), another
one each time.
"""

import argparse
import os
import random
import statistics
import subprocess
import sys

import operations

HERE = os.path.dirname(os.path.abspath(__file__))
# mode, lines, and what we want of each: least ratio in all, least ratio inside the library.
GOAL = (1, 2)
SETS = {
    "slow": {"open": (1, 1), "add-256": (1, 1), "exp-256": (1, 1), "softmax-256": (1, 1), "matmul-256": (1, 1),
             **{line: GOAL for line in operations.NAMED}, "matmul-1024": (20, 20)},
    "fast": {"open": (5, 5), "matmul-256": (5, 5)},
}


def run(options, library, mode, lines, threads):
    file = os.path.abspath(os.path.join(options.build, "meter", f"figures-{os.getpid()}"))
    meter = os.path.abspath(os.path.join(options.build, "meter", "libttsim.so"))
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TT_", "TTNN_"))}
    environment.update(TT_METAL_SIMULATOR=meter, KERR_METER_TARGET=os.path.abspath(library), KERR_METER_FILE=file,
                       KERR_THREADS=str(threads), TT_METAL_LOGGER_LEVEL="error", LOGURU_LEVEL="ERROR",
                       TT_METAL_CACHE=os.path.realpath(os.path.join(options.build, "real", "ttnn", "cache")))
    if library == options.ref:  # which has no SFPLOADMACRO
        environment["TT_METAL_DISABLE_SFPLOADMACRO"] = "1"
    if mode == "slow":
        environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
    try:
        output = subprocess.run([os.environ["TTNN_PYTHON"], os.path.join(HERE, "real_worker.py"), *lines], check=True, text=True,
                                stdout=subprocess.PIPE, timeout=1800, env=environment,
                                cwd=os.path.dirname(meter)).stdout
    finally:
        if os.path.exists(file):
            os.remove(file)
    results = {}
    for line in output.splitlines():
        _, name, seconds, inside, cycles = line.split()
        results[name] = (float(seconds), float(inside), int(cycles))
    return results


def best(results):
    return {line: min(result[line] for result in results) for line in results[0]}


def measure(options, mode, lines):
    """Best of each line: Kerr, the other, Kerr with one thread."""
    kerr = os.path.join(options.build, "sim", "libttsim.so")
    ours, others, single = [], [], []
    for library in (kerr, options.ref):  # the cache of kernels
        if library and not options.warm:
            run(options, library, mode, lines, options.threads)
    for _ in range(options.reps):
        ours.append(run(options, kerr, mode, lines, options.threads))
        if options.ref:
            others.append(run(options, options.ref, mode, lines, options.threads))
        if "matmul-1024" in lines:
            single.append(run(options, kerr, mode, ["matmul-1024"], 1))
    return best(ours), best(others) if others else {}, best(single) if single else {}


def row(mode, line, ours, other, goal):
    cells = [f"{mode} {line}", f"{ours[0]:.3f}", f"{ours[1]:.3f}"]
    met = ""
    if other:
        total, inside = other[0] / ours[0], other[1] / max(ours[1], 1e-9)
        cells += [f"{other[0]:.3f}", f"{other[1]:.3f}", f"{total:.2f}", f"{inside:.2f}", f"{goal[0]} / {goal[1]}"]
        met = "yes" if total >= goal[0] and inside >= goal[1] else "no"
    else:
        cells += [""] * 5
    return "| " + " | ".join([*cells, met]) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--ref")
    parser.add_argument("--reps", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    parser.add_argument("--warm", action="store_true", help="the cache of kernels is filled")
    options = parser.parse_args()
    if not os.environ.get("TTNN_PYTHON"):
        print("bench-real: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    drawn = operations.draw(options.seed)
    print(f"Seed {options.seed} draws {' '.join(drawn)}.\n")
    print("| ttnn, bf16 | Kerr s | inside s | reference s | inside s | ratio | ratio inside | goal | met |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|---|", flush=True)
    ratios, failed = [], 0
    # Drawn operations have a process each: the other library may not get through all of them.
    for mode, goals in [*SETS.items(), *(("slow", {line: GOAL}) for line in drawn)]:
        lines = [line for line in goals if options.only in f"{mode} {line}"]
        if not lines:
            continue
        try:
            ours, others, single = measure(options, mode, lines)
        except subprocess.CalledProcessError as why:
            print(f"| {mode} {' '.join(lines)} | status {why.returncode} |" + " |" * 7, flush=True)
            failed += 1
            continue
        for line in lines:
            print(row(mode, line, ours[line], others.get(line), goals[line]), flush=True)
            if goals[line] == GOAL and line in others:
                ratios.append(others[line][1] / max(ours[line][1], 1e-9))
        if single:
            one, two = single["matmul-1024"][1], ours["matmul-1024"][1]
            print(f"\nmatmul-1024 inside Kerr: {one:.3f} s with one thread, {two:.3f} s with {options.threads}: {one / two:.2f}, "
                  "goal 1.6\n", flush=True)
    if ratios:
        print(f"\nOf {len(ratios)} operations, ratio inside: least {min(ratios):.2f}, median {statistics.median(ratios):.2f} "
              "(goals 2 and 4)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

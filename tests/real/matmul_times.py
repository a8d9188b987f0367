#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of ttnn's matmul on Kerr against those of a card (tests/real/matmul_p150.csv), into docs/timing.md.

    TTNN_PYTHON=python matmul_times.py [--build DIR] [--write FILE] [--only TEXT]

Measured on both sides: RISCV T1's kernel, from the first core's begin to the last one's end.  Here from when the core is told to
start (kerr exec --kernels), somewhat before the profiler's zone of the card begins.  Slow dispatch: the kernels are the same.
Results are kept in DIR/real/ttnn/matmul.jsonl by row and library, so that an interrupted run goes on.  Skips (77) without TTNN_PYTHON.
"""

import argparse
import csv
import hashlib
import json
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- ttnn matmul: begin, made by tests/real/matmul_times.py -->", "<!-- ttnn matmul: end -->"
PER_TILE = {"LoFi": 16, "HiFi2": 32, "HiFi3": 48, "HiFi4": 64}


BLAME = """What made most of the difference: a multicast waits for its path, 16 cycles for each router up to its last receiver (NOC_PATH_RESERVE of
isa/costs.tbl); with a flat 40 cycles there, small matrices were 13 to 21 % early.  What is left goes by type: bfloat4_b is early,
bfloat8_b with large blocks late, bfloat16 within 7 %.  OPEN: which unit that is; the blocks of these two differ in what DRAM and the
NoC move and in what unpackers and packer convert, not in what the Matrix Unit does."""


def measured(row):
    """Cycles on the card: ideal ones over the utilisation."""
    x, y = map(int, row["grid"].split("x"))
    ideal = int(row["m"]) * int(row["k"]) * int(row["n"]) / 32**3 * PER_TILE[row["fidelity"]] / (x * y)
    return ideal / float(row["utilisation"]) * 100


def card_rows():
    """Cycles by row; with and without a trace is one row of ours."""
    rows = {}
    with open(os.path.join(HERE, "matmul_p150.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            rows.setdefault((row["grid"], row["m"], row["k"], row["n"], row["dtype"], row["fidelity"]), []).append(measured(row))
    return {key: statistics.mean(values) for key, values in rows.items()}


def predict(options, key):
    """Cycles of RISCV T1's kernel in the second run, and the blocking."""
    base = os.path.abspath(os.path.join(options.build, "real", "ttnn"))
    times = os.path.join(base, f"kernels-{os.getpid()}.csv")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TT_", "TTNN_", "KERR_"))}
    environment.update(TT_METAL_SIMULATOR=os.path.abspath(os.path.join(options.build, "sim", "libttsim.so")), KERR_KERNELS=times,
                       TT_METAL_CACHE=os.path.join(base, "cache"), TT_METAL_LOGGER_LEVEL="error", LOGURU_LEVEL="ERROR",
                       TT_METAL_SLOW_DISPATCH_MODE="1")
    result = subprocess.run([os.environ["TTNN_PYTHON"], os.path.join(HERE, "matmul_worker.py"), *key], text=True, cwd=base,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, timeout=1800, check=False)
    try:
        with open(times, encoding="utf-8") as file:
            cycles = [int(row["cycles"]) for row in csv.DictReader(file) if row["core"] == "T1"]
        os.remove(times)
    except OSError:
        cycles = []
    if result.returncode or not cycles:
        print(result.stderr[-2000:], file=sys.stderr)
        return None
    return cycles[-1], result.stdout.strip()


INTRO = """## ttnn's matmul on a p150 (the vendor's GEMM report)

Made by tests/real/matmul_times.py (`make silicon-real`).  Cycles of RISCV T1's kernel from the first core's begin to the last one's end,
as the report's utilisation has them, and as `kerr exec --kernels` lists them, from when a core is told to start, somewhat
ahead of the profiler's zone.  Tensors in DRAM, the blocking that ttnn chooses out of the box (equal to the one given here: the cycles
are the same), packer_l1_acc.  Cards with 120 Tensix tiles have 11 x 10 cores: the same cores of a whole chip here.  Slow dispatch: the
kernels are the same.  Rows with and without a trace are one, their mean is the card's figure.  Rows of more than 640 x 1664 x 3328
multiplications are not run.
"""


def section(results):
    lines = ["| grid | M K N | type | fidelity | blocks: K, out, subblock | card | kerr | error |", "|---|---|---|---|---|--:|--:|--:|"]
    errors = []
    for (grid, m, k, n, dtype, fidelity), card, ours, blocking in results:
        b = dict(word.split("=") for word in blocking.split())
        errors.append((ours - card) / card * 100)
        blocks = f"{b['in0_block_w']}, {b['per_core_M']} x {b['per_core_N']}, {b['out_subblock_h']} x {b['out_subblock_w']}"
        lines.append(f"| {grid} | {m} {k} {n} | {dtype} | {fidelity} | {blocks} | {card:.0f} | {ours} | {errors[-1]:+.1f} % |")
    sizes = [abs(error) for error in errors]
    return [*INTRO.splitlines(), "", f"{len(errors)} rows; median error {statistics.median(sizes):.1f} %, largest {max(sizes):.1f} %.", "", *lines, "",
            *BLAME.splitlines()]


def write_page(path, lines):
    with open(path, encoding="utf-8") as file:
        before, _, rest = file.read().partition(BEGIN)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(before.rstrip("\n") + "\n\n" + "\n".join([BEGIN, *lines, END]) + (rest.partition(END)[2] or "\n"))
    os.rename(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--write")
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if not os.environ.get("TTNN_PYTHON"):
        print("matmul_times: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    os.makedirs(os.path.join(options.build, "real", "ttnn"), exist_ok=True)
    store = os.path.join(options.build, "real", "ttnn", "matmul.jsonl")
    with open(os.path.join(options.build, "sim", "libttsim.so"), "rb") as file:
        library = hashlib.sha256(file.read()).hexdigest()[:12]
    known = {}
    if os.path.exists(store):
        with open(store, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                known[entry["library"], tuple(entry["row"])] = entry["cycles"], entry["blocking"]
    results = []
    for key, card in card_rows().items():
        if options.only not in " ".join(key):
            continue
        found = known.get((library, key)) or predict(options, key)
        if found is None:
            print(*key, "failed", flush=True)
            continue
        if (library, key) not in known:
            with open(store, "a", encoding="utf-8") as file:
                file.write(json.dumps({"library": library, "row": key, "cycles": found[0], "blocking": found[1]}) + "\n")
        print(*key, f"card {card:.0f} kerr {found[0]} {(found[0] - card) / card:+.1%}", flush=True)
        results.append((key, card, *found))
    if options.write and results:
        write_page(options.write, section(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())

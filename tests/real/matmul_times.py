#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of ttnn's matmul on Kerr against those of a card (tests/real/matmul_p150.csv), into docs/timing.md.

    TTNN_PYTHON=python matmul_times.py [--build DIR] [--write FILE] [--only TEXT]

Measured on both sides: RISCV T1's kernel, from the first core's begin to the last one's end.  Here from when the core is told to
start (kerr exec --kernels), some 300 cycles before the profiler's zone of the card begins.  Slow dispatch: the kernels are the same.
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


def section(results):
    lines = ["| grid | M K N | type | fidelity | card | kerr | error |", "|---|---|---|---|--:|--:|--:|"]
    errors = []
    for (grid, m, k, n, dtype, fidelity), card, ours in results:
        errors.append((ours - card) / card * 100)
        lines.append(f"| {grid} | {m} {k} {n} | {dtype} | {fidelity} | {card:.0f} | {ours} | {errors[-1]:+.1f} % |")
    sizes = [abs(error) for error in errors]
    return [f"{len(errors)} rows; median error {statistics.median(sizes):.1f} %, largest {max(sizes):.1f} %.", "", *lines]


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

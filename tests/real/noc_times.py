#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cycles of data-movement kernels on Kerr against those of a card (tests/real/noc_latency.csv), into docs/timing.md.

    TTNN_PYTHON=python noc_times.py [--build DIR] [--write FILE] [--only TEXT] [--sizes N,N...] [--most CYCLES]

A row of the table is a pattern and a number of transactions; the kernel is tests/real/noc_kernel.cpp, run by ttnn.  Patterns with
one sender are run; those with many scatter on the card.  Results are kept in DIR/real/ttnn/noc.jsonl by case and library.  Skips
(77) without TTNN_PYTHON.
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
BEGIN, END = "<!-- data movement: begin, made by tests/real/noc_times.py -->", "<!-- data movement: end -->"
COLUMNS = 11  # of cores on that card; rows: 10
MULTICASTS = {"multicast": "multicast", "multicast_linked": "linked"}


def square(n):
    side = round(n**0.5)
    return (side, side) if side * side == n else (COLUMNS, 10)


def cells(width, height):
    return [[x, y] for y in range(height) for x in range(width)]


def shape(row):
    """Mode of the kernel, the sender, and whom it talks to; None: many senders."""
    pattern, mechanism, subordinates = row["pattern"], row["mechanism"], int(row["num_subordinates"])
    if row["memory"] != "l1":
        if not pattern.startswith("one_"):
            return None
        return {"mode": "dram_read" if "from" in pattern else "dram_write", "flag": row["memory"] == "dram_sharded", "core": [0, 0], "at": []}
    if pattern in ("one_to_one", "one_from_one"):
        return {"mode": "write" if pattern == "one_to_one" else "read", "flag": row["stateful"] == "1", "core": [0, 0],
                "at": [[0, 1] if row["same_axis"] == "1" else [1, 1]], "same": 1}
    if pattern not in ("one_to_all", "one_to_row", "one_to_column", "one_from_all"):
        return None
    if mechanism in MULTICASTS:
        loopback = row["loopback"] == "1"
        width, height = {"one_to_row": (COLUMNS, 1), "one_to_column": (1, 10)}.get(pattern) or square(subordinates)
        core = [0, 0] if loopback else {"one_to_row": [0, 1], "one_to_column": [1, 0]}.get(pattern, [width, 0])
        return {"mode": MULTICASTS[mechanism], "flag": loopback, "core": core, "at": [[0, 0], [width - 1, height - 1]], "same": loopback}
    width, height = {"one_to_row": (COLUMNS, 1), "one_to_column": (1, 10), "one_from_all": (COLUMNS, 10)}.get(pattern) or square(subordinates)
    core = [width, 0] if pattern == "one_to_all" and width < COLUMNS else [0, 0]
    return {"mode": "read_many" if pattern == "one_from_all" else "write_many", "flag": row["stateful"] == "1", "core": core,
            "at": [place for place in cells(width, height) if place != core]}


def load_cases(options):
    """Row, bytes, cycles of the card, and the case for the worker.  Sizes beyond the largest measured have its value again."""
    found = []
    with open(os.path.join(HERE, "noc_latency.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            case = shape(row)
            sizes = [(int(name[7:-1]), float(value)) for name, value in row.items() if name.startswith("cycles_")]
            for i, (size, card) in enumerate(sizes):
                if case is None or size not in options.sizes or card > options.most or (i and sizes[i - 1][1] == card and size > 8192):
                    continue
                receivers = max(len(case["at"]), 1)
                if case["mode"] in MULTICASTS.values():
                    receivers = int(row["num_subordinates"])
                count = int(row["num_transactions"]) // (receivers if case["mode"].endswith("many") else 1)
                found.append((row, size, card, {"same": 0, **case, "bytes": size, "count": count, "receivers": receivers}))
    return found


def run(options, cases, store, library):
    """Runs what is not known; cycles by case."""
    known = {}
    if os.path.exists(store):
        with open(store, encoding="utf-8") as file:
            for line in file:
                entry = json.loads(line)
                if entry.pop("library") == library:
                    cycles = entry.pop("cycles")
                    known[json.dumps(entry, sort_keys=True)] = cycles
    missing = [case for case in cases if json.dumps(case, sort_keys=True) not in known]
    base = os.path.dirname(os.path.abspath(store))
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("TT_", "TTNN_", "KERR_"))}
    environment.update(TT_METAL_SIMULATOR=os.path.abspath(os.path.join(options.build, "sim", "libttsim.so")),
                       TT_METAL_CACHE=os.path.join(base, "cache"), TT_METAL_LOGGER_LEVEL="error", LOGURU_LEVEL="ERROR",
                       TT_METAL_SLOW_DISPATCH_MODE="1")
    if missing:
        with subprocess.Popen([os.environ["TTNN_PYTHON"], os.path.join(HERE, "noc_worker.py")], text=True, cwd=base, env=environment,
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as worker:
            for case in missing:
                worker.stdin.write(json.dumps(case, sort_keys=True) + "\n")
                worker.stdin.flush()
                answer = worker.stdout.readline()
                if not answer:
                    print("noc_times: the worker has ended in", json.dumps(case), file=sys.stderr)
                    break
                entry = json.loads(answer)
                with open(store, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"library": library, **entry}) + "\n")
                known[json.dumps(case, sort_keys=True)] = entry["cycles"]
            worker.stdin.close()
    return known


def name_of(row):
    words = [row["pattern"].replace("_", " "), row["mechanism"].replace("_", " "), row["memory"].replace("_", " ")]
    words += [f"{row['num_subordinates']} receivers"] if row["num_subordinates"] != "0" else []
    words += ["same axis"] if row["pattern"].endswith("one") and row["same_axis"] == "1" else []
    words += [word for word in ("stateful", "loopback") if row[word] == "1"]
    return ", ".join(words)


INTRO = """## Data-movement kernels with one sender (the vendor's NoC estimator tests)

Made by tests/real/noc_times.py (`make silicon-real`) from tests/real/noc_latency.csv: the time that a kernel takes for so many transactions
of one size, and the barrier behind them.  The kernel is ours (tests/real/noc_kernel.cpp, the same calls of the device 2.0 API), compiled and
run by ttnn.  Sizes 64, 1024, 4096, 16384 and 65536 bytes where they were measured; what takes the card more than 100,000 cycles is left out.
"""
BLAME = """What is to blame for what is off.  One transaction: our way there and back is some 25 (writes) or 45 cycles (reads) too long, in
NOC_PICKUP_DATA and NOC_PICKUP_REQUEST, which also are how far tiles may run apart and therefore not shortened.  Rows and grids of 8
columns and more: the card has two columns off among them and its trees are two routers deeper.  One to one, dram sharded: a bank's
acknowledgements do not wait for its writing (the card: 102 cycles for 4 KiB).  One from all, l1: NOC_READ_EVERY is laid to the tile that is
read, and may be the reader's.  Linked multicasts with loopback to 25 and more: OPEN,
perhaps the sender's own copy, which takes no time of its L1 here.  Patterns with many senders are not run: they have no common start and scatter on the card."""


def section(results):
    """A line for each pattern: the median and the largest error over its numbers of transactions and sizes."""
    errors = {}
    for row, size, card, ours in results:
        errors.setdefault(name_of(row), []).append(((ours - card) / card * 100, row["num_transactions"], size, card, ours))
    every = [abs(entry[0]) for group in errors.values() for entry in group]
    lines = [*INTRO.splitlines(), "", f"{len(every)} points of {len(errors)} patterns; median error {statistics.median(every):.1f} %, "
             f"{sum(error <= 10 for error in every)} within 10 %, {sum(error <= 25 for error in every)} within 25 %.", "",
             "| pattern | points | median | farthest | transactions, bytes | card | kerr |", "|---|--:|--:|--:|---|--:|--:|"]
    for name, group in errors.items():
        far = max(group, key=lambda entry: abs(entry[0]))
        lines.append(f"| {name} | {len(group)} | {statistics.median(abs(entry[0]) for entry in group):.1f} % | {far[0]:+.1f} % | "
                     f"{far[1]}, {far[2]} | {far[3]:.0f} | {far[4]} |")
    return [*lines, "", *BLAME.splitlines()]


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
    parser.add_argument("--sizes", default="64,1024,4096,16384,65536", type=lambda text: {int(word) for word in text.split(",")})
    parser.add_argument("--most", default=100000, type=int, help="leave out what takes longer on the card")
    options = parser.parse_args()
    if not os.environ.get("TTNN_PYTHON"):
        print("noc_times: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    os.makedirs(os.path.join(options.build, "real", "ttnn"), exist_ok=True)
    with open(os.path.join(options.build, "sim", "libttsim.so"), "rb") as file:
        library = hashlib.sha256(file.read()).hexdigest()[:12]
    wanted = [entry for entry in load_cases(options) if options.only in name_of(entry[0])]
    wanted.sort(key=lambda entry: entry[2])
    known = run(options, [entry[3] for entry in wanted], os.path.join(options.build, "real", "ttnn", "noc.jsonl"), library)
    results = []
    for row, size, card, case in wanted:
        ours = known.get(json.dumps(case, sort_keys=True))
        if ours is not None:
            results.append((row, size, card, ours))
            print(f"{name_of(row)}: {row['num_transactions']} x {size}: card {card:.0f} kerr {ours} {(ours - card) / card:+.1%}")
    if results:
        print("\n".join(section(results)))
    if options.write and results:
        write_page(options.write, section(results))
    return 0 if len(results) == len(wanted) else 1


if __name__ == "__main__":
    sys.exit(main())

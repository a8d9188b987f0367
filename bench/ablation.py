#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each mechanism of src/base/fast.def is worth, in host instructions (callgrind), on one thread.

    ablation.py [--build DIR] [--load WORD]... [--mechanism NAME]... [--jobs N] [--write PAGE]

Loads: the sdk's whole operations, a chip whose cores all wait for work, and moved data, by bench within libttsim_clock; the sdk's
producer and consumer, which have the chip to themselves; and where
KERR_RECORDINGS names a folder, recorded operations of ttnn (recordings.py; one warm operation).  Each mechanism is removed alone (more
instructions than with all, in %) and added alone to the plain form (fewer than without any, in %), so that what helps is positive in
both.  A mechanism that comes to 3 % in neither on any load goes.  All runs must end as the first one: results are compared
with a model, recordings with what was recorded.  --write puts the table into PAGE.  Status 77: there is no valgrind.
"""

import argparse
import os
import re
import sys
import tempfile

import recordings
from counting import HERE, Failed, all_of, count, functions, has_valgrind, machine, put_into, table

WORTH = 3.0  # percent
# Steps of bench's lines with all mechanisms, and for the plain form, where they take longer.
LOADS = {"op-add": (4, 2), "op-exp": (2, 1), "op-softmax": (2, 1), "op-matmul": (2, 2), "op-layernorm": (2, 1),
         "idle-booted": (1000, 1), "noc-write": (4, 2), "noc-read": (4, 2), "dram-copy": (1, 1)}
ALL, NONE = "all", "none"


def mechanisms():
    with open(os.path.join(os.path.dirname(HERE), "src", "base", "fast.def"), encoding="utf-8") as file:
        return re.findall(r'^FAST\(\w+, "(\w+)"', file.read(), re.MULTILINE)


def bench(build, line, steps, fast, profile="/dev/null"):
    command = [os.path.join(build, "bench", "bench"), "--only", line, "--steps", str(steps), "--reps", "1",
               "--kernels", os.path.join(build, "kernels"), os.path.join(build, "sim", "libttsim.so")]
    return count(command, "libttsim_clock", {"KERR_FAST": fast, "BENCH_THREADS": "1"}, profile)[0]


def one_tile(build, fast):
    cores = {"B": "producer_B", "T0": "consumer_T0", "T1": "consumer_T1", "T2": "consumer_T2"}
    programs = [f"{core}={os.path.join(build, 'kernels', name)}.elf" for core, name in cores.items()]
    return count([os.path.join(build, "kerr"), "run", *programs], "chip_run", {"KERR_FAST": fast})[0]


def recorded(build, folder, name, fast):
    one, three = (recordings.replay(build, recordings.log_of(folder, name, times), {"KERR_FAST": fast}) for times in recordings.TIMES)
    return recordings.warm(one, three)[0]


def select_avx2(build):
    """Under valgrind the library selects what this table is about."""
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.%p")
        bench(build, "op-matmul", 1, ALL, profile)
        names = {name for part in os.listdir(folder) for name in functions(os.path.join(folder, part))}
    wide = sorted(name for name in names if re.search(r"avx512|vnni|x86_64_v4", name) and "has_avx512" not in name)
    if wide or not any(name.startswith("multiply_avx2") for name in names):
        raise Failed(f"not the AVX2 forms: {wide or sorted(names)}")


def percent(value):
    if value >= 1000:
        return f"x {value / 100 + 1:.0f}"
    return f"{value:.1f}" if abs(value) >= 0.05 else "0"


def more_steps(load):
    on, plain = LOADS.get(load, (1, 1))
    return on / plain


def report(names, loads, found):
    """The table's text, and the mechanisms that go."""
    rows, going = [], []
    for name in names:
        cells, most = [], 0.0
        for load in loads:
            removed = 100 * (found[load, f"-{name}"] / found[load, ALL] - 1)
            added = 100 * (1 - found[load, f"{NONE},+{name}"] / found[load, NONE])
            most = max(most, removed, added)
            cells.append(f"{percent(removed)} / {percent(added)}")
        going += [name] if most < WORTH else []
        rows.append([name, *cells, "goes" if most < WORTH else ""])
    rows.append(["all of them", *(f"{found[load, NONE] / found[load, ALL] * more_steps(load):.3g} times" for load in loads), ""])
    return table(["removed / added, %", *loads, ""], rows), going


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--load", action="append", default=[], help="only loads whose name begins so")
    parser.add_argument("--mechanism", action="append", default=[])
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--write", metavar="PAGE")
    options = parser.parse_args()
    if not has_valgrind():
        print("ablation: there is no valgrind")
        return 77
    names = options.mechanism or mechanisms()
    folder = os.environ.get("KERR_RECORDINGS")
    works = {load: lambda fast, load=load, steps=steps: bench(options.build, load, steps[fast.startswith(NONE)], fast)
             for load, steps in LOADS.items()}
    works["one-tile"] = lambda fast: one_tile(options.build, fast)
    for name in recordings.names_in(folder) if folder else []:
        works[f"ttnn {name}"] = lambda fast, name=name: recorded(options.build, folder, name, fast)
    works = {load: work for load, work in works.items() if load.startswith(tuple(options.load) or ("",))}
    settings = [ALL, NONE, *(f"-{name}" for name in names), *(f"{NONE},+{name}" for name in names)]
    try:
        select_avx2(options.build)
        found = all_of({(load, fast): lambda work=work, fast=fast: work(fast) for fast in settings for load, work in works.items()},
                       options.jobs, "ablation")
    except Failed as why:
        print(why)
        return 1
    text, going = report(names, list(works), found)
    print(text)
    print("Goes: " + (", ".join(going) or "none") + f" (under {WORTH:.0f} % in both on all loads).")
    if options.write:
        put_into(options.write, "ablation", f"{machine()}.\n\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

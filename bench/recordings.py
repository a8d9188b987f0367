#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded operations of ttnn: made once, measured without ttnn.

    TTNN_PYTHON=python recordings.py make [OPERATION...] [--seed N] [--build DIR] [--folder DIR]
    recordings.py measure [OPERATION...] [--build DIR] [--folder DIR] [--jobs N] [--write PAGE]

An OPERATION is NAME-SIZE (operations.py); if none is given, `make` takes the ten that are always measured and twelve that the seed
draws, which is said (a new seed each time), and `measure` takes what is there.  DIR, if not named, is KERR_RECORDINGS or
BUILD/recordings.  The recordings hold the vendor's binaries: keep them out of the repository.

`make` has `kerr exec --record` write OPERATION.1.log and OPERATION.3.log: the card opened, the operation done once or three times, in
slow dispatch on one thread, and what came out compared with torch.  A first run without a recording fills the cache of kernels.
`measure` counts the host instructions of `kerr replay` of both by callgrind: one warm operation is half of what three times take
more than once.  Neither the machine nor its load matters.  The replay compares each answer, its cycle and the chip's hash in the end
with the recording.  Status 1: something differs; 77: there is no TTNN_PYTHON, no valgrind, or no recording.
"""

import argparse
import glob
import os
import random
import re
import subprocess
import sys

import operations
from counting import HERE, Failed, all_of, count, has_valgrind, machine, put_into, table

TIMES = (1, 3)
SAME = "the same bits, the same cycles"


def folder_of(options):
    return os.path.abspath(options.folder or os.environ.get("KERR_RECORDINGS") or os.path.join(options.build, "recordings"))


def log_of(folder, name, times):
    return os.path.join(folder, f"{name}.{times}.log")


def names_in(folder):
    """Operations of which there are both logs."""
    logs = glob.glob(os.path.join(glob.escape(folder), f"*.{TIMES[1]}.log"))
    names = sorted(os.path.basename(log).rsplit(".", 2)[0] for log in logs)
    return [name for name in names if os.path.exists(log_of(folder, name, TIMES[0]))]


# ---- Making ----

def environment_for(cache):
    """ttnn's, without what the caller has for other runs of it."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TT_", "TTNN_", "KERR_"))}
    environment.update(TT_METAL_SLOW_DISPATCH_MODE="1", TT_METAL_LOGGER_LEVEL="error", LOGURU_LEVEL="ERROR", OMP_NUM_THREADS="1",
                       TT_METAL_CACHE=cache, TT_METAL_LOGS_PATH=cache)
    return environment


def record(build, folder, name, worker, environment):
    """Both logs of an operation, by a host program that is called WORKER... TIMES; raises Failed."""
    kerr = [os.path.join(build, "kerr"), "exec", "--quiet", "--no-attach", "--threads", "1"]
    for times in (0, *TIMES):
        log = log_of(folder, name, times)
        options = ["--record", log] if times else []
        for old in (glob.glob(glob.escape(log) + "*") if times else []):
            os.remove(old)
        done = subprocess.run([*kerr, *options, "--", *worker, str(times or 1)], text=True, check=False, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        more = [path for path in glob.glob(glob.escape(log) + ".*") if times]
        if done.returncode != 0 or more:
            for path in [log, *more] if times else []:
                if os.path.exists(path):
                    os.remove(path)
            raise Failed(f"{name}, {times or 1} times: status {done.returncode}" + (", several processes have chips" if more else "") +
                         f"\n{done.stdout[-2000:]}")


def make(options):
    python = os.environ.get("TTNN_PYTHON")
    if not python:
        print("recordings: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    names = options.operation
    if not names:
        seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 32)
        drawn = operations.draw(seed)
        print(f"recordings: seed {seed} draws {' '.join(drawn)}", flush=True)
        names = [*operations.NAMED, *drawn]
    folder, cache, status = folder_of(options), os.path.abspath(os.path.join(options.build, "real", "ttnn", "cache")), 0
    os.makedirs(folder, exist_ok=True)
    os.makedirs(cache, exist_ok=True)
    for name in names:
        try:
            record(options.build, folder, name, [python, os.path.join(HERE, "recording_worker.py"), name], environment_for(cache))
            size = sum(os.path.getsize(log_of(folder, name, times)) for times in TIMES)
            print(f"{name}: {size / 1e6:.0f} MB", flush=True)
        except Failed as why:
            print(f"{name}: FAILED\n{why}", flush=True)
            status = 1
    return status


# ---- Measuring ----

def replay(build, log, environment=None):
    """Host instructions, and the cycle in which the chip ended."""
    command = [os.path.join(build, "kerr"), "replay", "--library", os.path.join(build, "sim", "libttsim.so"), log]
    instructions, said = count(command, environment={"KERR_THREADS": "1", **(environment or {})})
    end = re.search(r"the last chip ended at cycle (\d+)", said)
    if end is None or SAME not in said:
        raise Failed(f"{log} is not replayed to its end as it was:\n{said}")
    return instructions, int(end[1])


def attempt(*arguments):
    """Of one recording the others need not suffer."""
    try:
        return replay(*arguments)
    except Failed as why:
        return why


def warm(one, three):
    """Of one warm operation: host instructions and the chip's cycles."""
    return tuple((b - a) / (TIMES[1] - TIMES[0]) for a, b in zip(one, three))


def measure(options):
    folder = folder_of(options)
    names = options.operation or names_in(folder)
    if not has_valgrind() or not names:
        print("recordings: there is no valgrind" if names else f"recordings: none in {folder} (make recordings)")
        return 77
    found = all_of({f"{name}.{times}": lambda log=log_of(folder, name, times): attempt(options.build, log)
                    for name in names for times in TIMES}, options.jobs, "recordings")
    rows, failed = [], []
    for name in names:
        results = [found[f"{name}.{times}"] for times in TIMES]
        wrong = [result for result in results if isinstance(result, Failed)]
        failed += wrong
        instructions, cycles = warm(*results) if not wrong else (0, 0)
        rows.append([name, "DIFFERS", ""] if wrong else [name, f"{instructions / 1e6:.1f}", f"{cycles:.0f}"])
    text = table(["one warm operation", "host instructions, millions", "cycles"], rows)
    print(text)
    for why in failed:
        print(why)
    if options.write and not failed:
        put_into(options.write, "recordings", f"{machine()}.\n\n{text}")
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=("make", "measure"))
    parser.add_argument("operation", nargs="*")
    parser.add_argument("--build", default="build")
    parser.add_argument("--folder")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--write", metavar="PAGE")
    options = parser.parse_intermixed_args()
    wrong = [line for line in options.operation if options.verb == "make" and not operations.is_name(line)]
    if wrong:
        parser.error(f"{wrong[0]} is no operation; see bench/operations.py")
    return {"make": make, "measure": measure}[options.verb](options)


if __name__ == "__main__":
    sys.exit(main())

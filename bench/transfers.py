#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Host instructions of one transfer of data, and where they go (callgrind, one thread).

    transfers.py [--build DIR] [--line WORD]... [--fast LIST] [--write PAGE]

Two runs of a line of bench, with few steps and with more: the difference counts, so that making the chip and starting the cores does not.
Parts are lines of the source by folder or file, whoever they are inlined into; "copies" is libc.  Status 77: there is no valgrind.
"""

import argparse
import collections
import os
import re
import sys
import tempfile

from counting import Failed, all_of, count, has_valgrind, machine, put_into, table

# Line of bench, few and more steps, transfers a step, what one is.
LINES = {"noc-write": (4, 12, 140 * 8, "a write of 2040 bytes"), "noc-read": (4, 12, 140 * 8, "a read of 2040 bytes"),
         "noc-mcast": (1, 2, 140 * 7 * 139, "a multicast of 1161 bytes, a receiver"),
         "dram-copy": (1, 4, 128 * 8, "a page of 4 KiB from DRAM and back"), "dram-stream": (1, 4, 120 * 16, "a page of 4 KiB from DRAM"),
         "mcast-weights": (4, 16, 23, "a block of 16 KiB from DRAM to 9 or 12 tiles")}
# The first that fits.
PARTS = [("cores", r"/src/(riscv|tensix)/|/src/tile/(bus|cores)\.c"), ("turns, windows", r"/src/tile/(run|parts)|/src/tile/tile\.h|/src/chip/schedule\.c"),
         ("NIU", r"/src/tile/(niu|packets|overlay|devices)|/src/noc/(niu|coords|tables|atomics|store|packet)"),
         ("fabric", r"/src/noc/fabric"), ("banks", r"/src/(chip/noc|chip/passive|tile/dram_bank)\.c"), ("copies", r"memmove|memset|memcpy")]
OTHER = "other"


def self_costs(profile):
    """Instructions by file of the source."""
    names, costs, file, called = {}, collections.Counter(), "", False
    with open(profile, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            found = re.match(r"(fl|fi|fe|cfi|cfl)=\((\d+)\)(?: (.*))?$", line)
            if found:
                if found[3]:
                    names[found[2]] = found[3]
                if found[1] in ("fl", "fi", "fe"):
                    file = names.get(found[2], "")
            elif line.startswith("calls="):
                called = True
            elif re.match(r"[-+*\d]", line):
                if not called:
                    costs[file] += int(line.split()[1])
                called = False
    return costs


def parts_of(costs):
    parts = collections.Counter()
    for file, cost in costs.items():
        parts[next((name for name, pattern in PARTS if re.search(pattern, file)), OTHER)] += cost
    return parts


def measure(build, line, steps, fast):
    command = [os.path.join(build, "bench", "bench"), "--only", line, "--steps", str(steps), "--reps", "1",
               "--kernels", os.path.join(build, "kernels"), os.path.join(build, "sim", "libttsim.so")]
    with tempfile.TemporaryDirectory() as folder:
        count(command, "libttsim_clock", {"KERR_FAST": fast, "BENCH_THREADS": "1"}, os.path.join(folder, "profile.%p"))
        profiles = [self_costs(os.path.join(folder, part)) for part in os.listdir(folder)]
    return parts_of(sum(profiles, collections.Counter()))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--line", action="append", default=[], help="only lines whose name begins so")
    parser.add_argument("--fast", default="all", help="KERR_FAST")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--write", metavar="PAGE")
    options = parser.parse_args()
    if not has_valgrind():
        print("transfers: there is no valgrind")
        return 77
    lines = [line for line in LINES if line.startswith(tuple(options.line) or ("",))]
    try:
        found = all_of({(line, steps): lambda line=line, steps=steps: measure(options.build, line, steps, options.fast)
                        for line in lines for steps in LINES[line][:2]}, options.jobs, "transfers")
    except Failed as why:
        print(why)
        return 1
    names = [name for name, _ in PARTS] + [OTHER]
    rows = []
    for line in lines:
        few, more, transfers, what = LINES[line]
        one = {name: (found[line, more][name] - found[line, few][name]) / ((more - few) * transfers) for name in names}
        rows.append([f"{line}: {what}", f"{sum(one.values()):.0f}", *(f"{one[name]:.0f}" for name in names)])
    text = table(["host instructions", "all", *names], rows)
    print(text)
    if options.write:
        put_into(options.write, "transfers", f"{machine()}.\n\n{text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

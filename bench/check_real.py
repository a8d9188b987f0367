#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What checks cost on a matmul of ttnn: time inside the library, on one thread, against the same without checks.

    TTNN_PYTHON=python check_real.py [--build DIR] [--reps N]

Runs alternate, and the best of N counts.  Without TTNN_PYTHON there is nothing to do, which is said and is no failure.  Status 1: more
than four times slower with checks of memory, or ten times with all.
"""

import argparse
import os
import sys

import real

LINE = "matmul-256"
LIMITS = {"": 1, "memory": 4, "all": 10}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--reps", type=int, default=3)
    options = parser.parse_args()
    options.ref = None
    if not os.environ.get("TTNN_PYTHON"):
        print("check_real: TTNN_PYTHON names no Python with ttnn: nothing is measured")
        return 0
    library = os.path.join(options.build, "sim", "libttsim.so")
    results = {checks: [] for checks in LIMITS}
    real.run(options, library, "slow", [LINE], 1)  # the cache of kernels
    for _ in range(options.reps):
        for checks, taken in results.items():
            os.environ["KERR_CHECK"] = checks
            if not checks:
                del os.environ["KERR_CHECK"]
            taken.append(real.run(options, library, "slow", [LINE], 1)[LINE][1])
    best = {checks: min(taken) for checks, taken in results.items()}
    worse = False
    for checks, seconds in best.items():
        times = seconds / best[""]
        worse = worse or times > LIMITS[checks]
        print(f"ttnn {LINE} check-{checks or 'off':8} {seconds:8.3f} s inside {times:8.2f} times check-off (at most {LIMITS[checks]})")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python's chip.run costs beside kerr_run from C, on the same library and the same program:  python_run.py BUILD

python-run        one run of many cycles; goal: at most 1.05 times the time in C
python-run-call   what a call of run(1) takes beside one cycle

Both take turns, and of each the least time of the processor counts.
"""

import glob
import os
import subprocess
import sys
import time

ROUNDS, CYCLES, CALLS, GOAL = 7, 60_000_000, 20_000, 1.05


def main():
    build = os.path.abspath(sys.argv[1])
    os.environ.setdefault("KERR_LIBRARY", os.path.join(build, "libkerr.so"))
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "python"))
    try:
        import kerr  # pylint: disable=import-outside-toplevel
    except ImportError as why:
        others = sorted(glob.glob(os.path.join(build, "venv-python3.*", "bin", "python")))  # of the tests, which have what it needs
        if others and os.environ.get("KERR_BENCH_VENV") is None:
            return subprocess.run([others[-1], *sys.argv], env={**os.environ, "KERR_BENCH_VENV": "1"}, check=False).returncode
        print(f"python-run       not measured: {why}")
        return 0
    program, image = os.path.join(build, "bench", "run_bench"), os.path.join(build, "bench", "run_bench.image")
    subprocess.run([program, "--image", image], check=True)
    with open(image, "rb") as file:
        memory = file.read()

    def python_run():
        with kerr.Chip(threads=1) as chip:
            chip.tensix[0].poke(0, memory)
            chip.tensix[0].B.start(0)
            before = time.process_time()
            chip.run(CYCLES)
            return time.process_time() - before, f"{chip.hash:016x}"

    times, hashes = {"c": [], "python": []}, set()
    environment = {**os.environ, "LD_LIBRARY_PATH": build}
    with subprocess.Popen([program, str(CYCLES)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as c:
        for _ in range(ROUNDS):
            c.stdin.write("\n")
            c.stdin.flush()
            seconds, value = c.stdout.readline().split()
            times["c"].append(float(seconds))
            hashes.add(value)
            seconds, value = python_run()
            times["python"].append(seconds)
            hashes.add(value)
        c.stdin.close()
    ratio = min(times["python"]) / min(times["c"])
    same = "the same state" if len(hashes) == 1 else "ANOTHER STATE"
    print(f"python-run       {min(times['python']):8.3f} s for {CYCLES // 10**6} Mcycles, {ratio:.3f} times C (at most {GOAL}), {same}")
    with kerr.Chip(threads=1) as chip:
        before = time.process_time()
        for _ in range(CALLS):
            chip.run(1)
        print(f"python-run-call  {(time.process_time() - before) / CALLS * 1e6:8.3f} us")
    return 0 if ratio <= GOAL and len(hashes) == 1 else 1


sys.exit(main())

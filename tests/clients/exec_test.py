#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a Python program over tt-umd sees of faults and hangs under kerr exec:  exec_test.py KERR

Without an argument it is that program: exec_test.py fault|hang|uninit.
"""

import os
import re
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
import venv_of_client

SOFT_RESET, ALL_IN_RESET, B_RUNS, WORD = 0xFFB121B0, 0x47800, 0x47000, 0x20000
ILLEGAL, FOREVER = 0xFFFFFFFF, 0x0000006F
# What B runs.  uninit: lui t0, 0x30; lw t1, 0(t0); j .
PROGRAMS = {"fault": [ILLEGAL], "hang": [FOREVER], "uninit": [0x000302B7, 0x0002A303, FOREVER]}
OPTIONS = {"uninit": ["--check=memory", "--policy", "strict"]}


def client(what):
    import tt_umd
    device = tt_umd.TTSimTTDevice.create(os.environ["TT_METAL_SIMULATOR"])
    device.noc_write32(1, 2, SOFT_RESET, ALL_IN_RESET)
    for i, word in enumerate(PROGRAMS[what]):
        device.noc_write32(1, 2, 4 * i, word)
    begin = time.time()
    try:
        device.noc_write32(1, 2, SOFT_RESET, B_RUNS)
        while time.time() - begin < 20:
            device.noc_read32(1, 2, WORD)
        print("nothing happened")
    except RuntimeError as error:
        print(f"{time.time() - begin:.1f} s: {error}")
    print(f"then {device.noc_read32(1, 2, WORD):#x}", flush=True)


def main(kerr):
    from tap import Tap
    try:
        python = venv_of_client.ensure("exalens")
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    tap = Tap()
    for what, text in (("fault", "0xffffffff is not an instruction"), ("hang", "hang: nothing has happened"),
                       ("uninit", "uninit-l1")):
        result = subprocess.run([os.path.abspath(kerr), "exec", *OPTIONS.get(what, []), "--", python, os.path.abspath(__file__), what], text=True,
                                capture_output=True, timeout=100, check=False)
        took = re.search(r"([0-9.]+) s: kerr: the chip has stopped: .*" + re.escape(text), result.stdout)
        tap.case(f"a {what} is a RuntimeError with its text, in less than five seconds", bool(took) and float(took[1]) < 5,
                 result.stdout + result.stderr)
        tap.case("once; afterwards the card is off the bus", "then 0xffffffff" in result.stdout and result.returncode == (5 if what == "uninit" else 0),
                 result.stdout + result.stderr)
        tap.case("and the summary has it", ("  finding    " if what == "uninit" else "  fault      ") in result.stderr and "who waits for whom" in result.stderr,
                 result.stderr)
    tap.done()
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        print(__doc__.strip(), file=sys.stderr)
        sys.exit(2)
    sys.exit(client(sys.argv[1]) if sys.argv[1] in ("fault", "hang", "uninit") else main(sys.argv[1]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a test with seeds that nobody has chosen, for as long as it is given.

    hunt.py SECONDS [NAME=VALUE]... COMMAND...

COMMAND is run again and again, each time with other numbers in place of {seed} (below 2**63), {seed32} and {shake}
(below 2**31, not 0), in its words and in the environment that stands before it.  After SECONDS no run is begun.  What
runs is printed in words that repeat it.  At the first failure the rest of its output is shown, and the hunt ends with 1.

The numbers come from one that is drawn and printed first; KERR_TEST_HUNT_SEED=NUMBER gives the same ones again, as far as
time allows, and KERR_TEST_HUNT_SECONDS=SECONDS goes for all hunts.  A seed that fails goes into a list, by itself, for good.
"""

import os
import random
import re
import shlex
import subprocess
import sys
import time

SHOWN_LINES = 60
SKIPPED = 77
NUMBERS = {"seed": 2**63, "seed32": 2**32, "shake": 2**31}


def main():
    if len(sys.argv) < 3 or not re.fullmatch(r"\d+(\.\d+)?", sys.argv[1]):
        sys.exit(__doc__.split("\n\n")[1].strip())
    seconds = float(os.environ.get("KERR_TEST_HUNT_SECONDS") or sys.argv[1])
    base = int(os.environ.get("KERR_TEST_HUNT_SEED") or random.SystemRandom().getrandbits(63))
    words = sys.argv[2:]
    print(f"# KERR_TEST_HUNT_SEED={base}, {seconds:g} s", flush=True)
    numbers = random.Random(f"{base} {' '.join(os.path.basename(word) for word in words)}")
    end = time.monotonic() + seconds
    runs = 0
    while runs == 0 or time.monotonic() < end:
        drawn = {name: str(numbers.randrange(1, below)) for name, below in NUMBERS.items()}
        command = [re.sub(r"\{(seed|seed32|shake)\}", lambda match: drawn[match.group(1)], word) for word in words]
        environment = dict(os.environ)
        named = 0
        while named < len(command) and re.match(r"[A-Z_]+=", command[named]):
            name, _, value = command[named].partition("=")
            environment[name] = value
            named += 1
        line = shlex.join(command)
        run = subprocess.run(command[named:], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, check=False)
        output = run.stdout.decode(errors="replace").splitlines()
        runs += 1
        if run.returncode == SKIPPED:
            print(output[-1] if output else "SKIP: no reason given")
            sys.exit(SKIPPED)
        print(f"{'not ok' if run.returncode else 'ok'} {runs} - {line}", flush=True)
        if run.returncode:
            how = f"signal {-run.returncode}" if run.returncode < 0 else f"status {run.returncode}"
            bad = [text for text in output if not re.match(r"ok\b", text)] or output
            for text in [f"ended with {how}", *bad[-SHOWN_LINES:]]:
                print(f"#   {text}")
            break
    print(f"1..{runs}")
    sys.exit(1 if run.returncode else 0)


if __name__ == "__main__":
    main()

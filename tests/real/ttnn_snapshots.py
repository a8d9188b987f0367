#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A ttnn program, recorded, whose chip is saved and restored at random cycles gives what it gave:

    TTNN_PYTHON=python ttnn_snapshots.py [--build DIR] [--points N] [--seed N] [--fast]

Additions, softmax and matrix products of 256 x 256 run under `kerr exec --record`; tests/same/replay_snapshots.c plays the log, with the
chip saved and restored in N random cycles (1000).  Skips (77) without TTNN_PYTHON.
"""

import argparse
import os
import subprocess
import sys

PROGRAM = """
import torch, ttnn
device = ttnn.open_device(device_id=0)
torch.manual_seed(1)
a, b = (ttnn.from_torch(torch.randn(256, 256).bfloat16(), layout=ttnn.TILE_LAYOUT, device=device) for _ in range(2))
for operation in (lambda: ttnn.add(a, b), lambda: ttnn.softmax(a, dim=-1), lambda: ttnn.matmul(a, b)):
    for _ in range(2):
        ttnn.to_torch(operation())
ttnn.close_device(device)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.environ.get("BUILD", "build"))
    parser.add_argument("--points", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--fast", action="store_true", help="fast dispatch")
    arguments = parser.parse_args()
    if not os.environ.get("TTNN_PYTHON"):
        print("ttnn_snapshots: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    base = os.path.abspath(os.path.join(arguments.build, "real", "ttnn"))
    os.makedirs(base, exist_ok=True)
    log = os.path.join(base, "snapshots.log")
    environment = {**os.environ, "TT_METAL_LOGS_PATH": base, "TT_METAL_LOGGER_LEVEL": "error", "LOGURU_LEVEL": "ERROR"}
    environment.setdefault("TT_METAL_CACHE", os.path.join(base, "cache"))
    if not arguments.fast:
        environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
    command = [os.path.abspath(os.path.join(arguments.build, "kerr")), "exec", "-q", "--record", log, "--", os.environ["TTNN_PYTHON"], "-c", PROGRAM]
    recorded = subprocess.run(command, cwd=base, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if recorded.returncode:
        print(recorded.stdout[-4000:], "not ok - the program runs", sep="\n")
        return 1
    player = os.path.join(arguments.build, "tests", "same", "replay_snapshots")
    return subprocess.run([player, log, str(arguments.points), str(arguments.seed)], check=False).returncode


sys.exit(main())

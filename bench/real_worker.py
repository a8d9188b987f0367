# SPDX-License-Identifier: Apache-2.0
"""What real.py runs in ttnn's environment:  real_worker.py LINE...

Prints for each line "result LINE seconds seconds-inside-the-library cycles".  The library is abi_meter.c's, whose figures
are read from KERR_METER_FILE.  Every operation is run once before it is timed: kernels are compiled, programs cached.
"""

import os
import struct
import sys
import time

import torch
import ttnn

import operations

OUT = os.dup(1)
os.dup2(2, 1)
CALLS, CLOCK = 8, 5


def inside():
    """Seconds inside the library, cycles that the host clocked."""
    with open(os.environ["KERR_METER_FILE"], "rb") as file:
        values = struct.unpack(f"={3 * CALLS}Q", file.read(24 * CALLS))
    return sum(values[1::3]) / 1e9, values[3 * CLOCK + 2]


def timed(line, function):
    before, start = inside(), time.perf_counter()
    result = function()
    seconds, after = time.perf_counter() - start, inside()
    os.write(OUT, f"result {line} {seconds:.6f} {after[0] - before[0]:.6f} {after[1] - before[1]}\n".encode())
    return result


def run(device, line):
    operation, _ = operations.prepare(line, ttnn, torch, device)

    def once():
        result = operation()
        ttnn.synchronize_device(device)
        return result
    once()
    timed(line, once)


def main():
    # The meter's file is there from the first call on.
    with open(os.environ["KERR_METER_FILE"], "wb") as file:
        file.write(bytes(24 * CALLS))
    device = timed("open", lambda: ttnn.open_device(device_id=0))
    for line in sys.argv[1:]:
        if line != "open":
            run(device, line)
    timed("close", lambda: ttnn.close_device(device))


main()

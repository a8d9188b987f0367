# SPDX-License-Identifier: Apache-2.0
"""What matmul_times.py runs in ttnn's environment:  matmul_worker.py M K N DTYPE FIDELITY

Prints "cycles N": those of RISCV T1's kernel from its first start to its last end on any tile, as tt-metal's device profiler
recorded them, of the second run of the operation; and "grid X Y", what ttnn had to work with.
"""

import csv
import glob
import os
import sys

import torch
import ttnn

OUT = os.dup(1)
os.dup2(2, 1)


def durations():
    """Cycles of each operation in the profiler's log, in order."""
    log = glob.glob(os.path.join(os.environ["TT_METAL_PROFILER_DIR"], "**", "profile_log_device.csv"), recursive=True)
    spans = {}
    with open(log[0], encoding="utf-8") as file:
        next(file)
        for row in csv.DictReader(file, skipinitialspace=True):
            row = {key.strip(): value for key, value in row.items() if key}
            if row["RISC processor type"].strip() == "TRISC_1" and row["zone name"].strip() == "TRISC-KERNEL":
                time = int(row["time[cycles since reset]"])
                first, last = spans.get(row["run host ID"], (time, time))
                spans[row["run host ID"]] = min(first, time), max(last, time)
    return [last - first for _, (first, last) in sorted(spans.items(), key=lambda item: item[1])]


def main():
    m, k, n = map(int, sys.argv[1:4])
    torch.manual_seed(0)
    device = ttnn.open_device(device_id=0)
    grid = device.compute_with_storage_grid_size()
    config = ttnn.WormholeComputeKernelConfig(math_fidelity=getattr(ttnn.MathFidelity, sys.argv[5]), math_approx_mode=True,
                                              fp32_dest_acc_en=False, packer_l1_acc=True)
    # As in the vendor's benchmark.
    a, b = (ttnn.from_torch(t.bfloat16(), dtype=getattr(ttnn, sys.argv[4]), layout=ttnn.TILE_LAYOUT, device=device)
            for t in (torch.ones(1, 1, m, k), torch.randn(1, 1, k, n)))
    for _ in range(2):
        ttnn.matmul(a, b, compute_kernel_config=config)
    ttnn.synchronize_device(device)
    ttnn.ReadDeviceProfiler(device)
    os.write(OUT, f"grid {grid.x} {grid.y}\ncycles {durations()[-1]}\n".encode())
    ttnn.close_device(device)


main()

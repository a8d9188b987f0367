# SPDX-License-Identifier: Apache-2.0
"""What noc_times.py runs in ttnn's environment: cases on standard input, a JSON object a line, times on standard output.

A case: mode (of noc_kernel.cpp), flag, bytes, count, core (logical x, y of the sender), receivers (how many), at (pairs of logical
coordinates: the receivers, or the two corners of a rectangle).  Answer: the case's line with "cycles".
"""

import json
import os
import sys

import torch
import ttnn

OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
KERNEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "noc_kernel.cpp")
MODES = ["write", "write_many", "multicast", "linked", "read", "read_many", "dram_read", "dram_write"]
FROM, TO = 0x80000, 0xA0000  # in L1: nothing else is there


def coordinates(device, mode, at):
    places = [device.worker_core_from_logical_core(ttnn.CoreCoord(*place)) for place in at]
    if mode.endswith("many"):
        return [place.x << 16 | place.y for place in places] + [0] * 4
    return [number for place in places for number in (place.x, place.y)] + [0] * 4


def run(device, result, case):
    dram = case["mode"].startswith("dram")
    reads = "read" in case["mode"]
    buffer = ttnn.from_torch(torch.zeros(8, max(case["bytes"] // 4, 16), dtype=torch.int32), dtype=ttnn.uint32,
                             layout=ttnn.ROW_MAJOR_LAYOUT, device=device) if dram else result
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(*case["core"]), ttnn.CoreCoord(*case["core"]))])
    arguments = ttnn.RuntimeArgs()
    arguments[case["core"][0]][case["core"][1]] = [case["count"], case["receivers"], FROM, FROM if case["same"] else TO, result.buffer_address(),
                                                   buffer.buffer_address(), *coordinates(device, case["mode"], case["at"])]
    kernel = ttnn.KernelDescriptor(
        kernel_source=KERNEL, source_type=ttnn.KernelDescriptor.SourceType.FILE_PATH, core_ranges=cores,
        compile_time_args=[MODES.index(case["mode"]), int(case["flag"]), case["bytes"],
                           *ttnn.TensorAccessorArgs(buffer).get_compile_time_args()],
        runtime_args=arguments,
        config=ttnn.DataMovementConfigDescriptor(processor=ttnn.DataMovementProcessor.RISCV_1 if reads else ttnn.DataMovementProcessor.RISCV_0,
                                                 noc=ttnn.NOC.NOC_0))
    ttnn.generic_op([buffer, result], ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[], cbs=[]))
    ttnn.synchronize_device(device)
    return int(ttnn.to_torch(result).flatten()[0])


def main():
    device = ttnn.open_device(device_id=0)
    device.disable_and_clear_program_cache()
    result = ttnn.from_torch(torch.zeros(1, 16, dtype=torch.int32), dtype=ttnn.uint32, layout=ttnn.ROW_MAJOR_LAYOUT, device=device)
    for line in sys.stdin:
        case = json.loads(line)
        case["cycles"] = run(device, result, case)
        print(json.dumps(case), file=OUT, flush=True)
    ttnn.close_device(device)


main()

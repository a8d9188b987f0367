# SPDX-License-Identifier: Apache-2.0
"""What matmul_times.py runs in ttnn's environment:  matmul_worker.py XxY M K N DTYPE FIDELITY

The operation as the vendor's benchmark has it.  There ttnn chooses the blocking; here the same is given, since a simulated card
has a grid of 13 x 10 cores whatever is off, and some rows are of cards with 11 x 10.  Twice; the times are in the list that
KERR_KERNELS names.  Prints the blocking.
"""

import os
import sys

import torch
import ttnn

OUT = os.dup(1)
os.dup2(2, 1)


# ttnn's order of preference (matmul_program_config.cpp, SUBBLOCK_HW_CHOICES).
SUBBLOCKS = ((4, 2), (2, 4), (8, 1), (1, 8), (7, 1), (1, 7), (3, 2), (2, 3), (6, 1), (1, 6), (5, 1), (1, 5), (2, 2), (4, 1), (1, 4),
             (3, 1), (1, 3), (2, 1), (1, 2), (1, 1))


def blocking(x, y, m, k, n):
    """What ttnn chooses for tensors in DRAM, none narrow, all of which fits into L1."""
    per_core_m, per_core_n = m // 32 // y, n // 32 // x
    h, w = next((h, w) for h, w in SUBBLOCKS if per_core_m % h == 0 and per_core_n % w == 0)
    return {"in0_block_w": k // 32 // x, "out_subblock_h": h, "out_subblock_w": w, "out_block_h": per_core_m,
            "out_block_w": per_core_n, "per_core_M": per_core_m, "per_core_N": per_core_n}


def main():
    x, y = map(int, sys.argv[1].split("x"))
    m, k, n = map(int, sys.argv[2:5])
    torch.manual_seed(0)
    device = ttnn.open_device(device_id=0)
    config = ttnn.WormholeComputeKernelConfig(math_fidelity=getattr(ttnn.MathFidelity, sys.argv[6]), math_approx_mode=True,
                                              fp32_dest_acc_en=False, packer_l1_acc=True)
    blocks = blocking(x, y, m, k, n)
    program = ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(compute_with_storage_grid_size=(x, y), transpose_mcast=False,
                                                              fused_activation=None, fuse_batch=False, **blocks)
    if "--auto" in sys.argv:
        program = None
    a, b = (ttnn.from_torch(t.bfloat16(), dtype=getattr(ttnn, sys.argv[5]), layout=ttnn.TILE_LAYOUT, device=device)
            for t in (torch.ones(1, 1, m, k), torch.randn(1, 1, k, n)))
    for _ in range(2):
        ttnn.matmul(a, b, program_config=program, compute_kernel_config=config)
    ttnn.synchronize_device(device)
    os.write(OUT, (" ".join(f"{key}={value}" for key, value in blocks.items()) + "\n").encode())
    ttnn.close_device(device)


main()

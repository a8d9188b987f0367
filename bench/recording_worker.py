# SPDX-License-Identifier: Apache-2.0
"""What recordings.py runs in ttnn's environment:  recording_worker.py OPERATION TIMES

Opens the card, does the operation so many times, compares the last result with torch's and closes the card.  Each time finds the
same memory free, so that all but the first are the same for the card.  Status 1: the result is something else.
"""

import sys

import torch
import ttnn

import operations

# Pearson's correlation, as in ttnn's own tests.
LEAST = 0.99


def agrees(got, want):
    got, want = got.double().flatten(), want.double().flatten()
    known = torch.isfinite(got) & torch.isfinite(want)  # logarithms of what is negative
    got, want = got[known], want[known]
    if got.shape == want.shape and torch.equal(got, want):
        return True
    return torch.corrcoef(torch.stack([got, want]))[0, 1].item() > LEAST


def main():
    line, times = sys.argv[1], int(sys.argv[2])
    device = ttnn.open_device(device_id=0)
    once, golden = operations.prepare(line, ttnn, torch, device)
    result = None
    for _ in range(times):
        result = None
        result = once()
        ttnn.synchronize_device(device)
    got = ttnn.to_torch(result)
    result = None
    want = golden()
    right = got.numel() == want.numel() and agrees(got, want)
    ttnn.close_device(device)
    print(f"{line}, {times} times: {'agrees with torch' if right else 'is NOT what torch has'}")
    return 0 if right else 1


sys.exit(main())

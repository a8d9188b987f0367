# SPDX-License-Identifier: Apache-2.0
"""Runs cases of ttnn_cases.py one after the other, in ttnn's environment:  ttnn_worker.py MODE FOLDER CASE...

Before a case a line "start NAME" goes to stdout, after it "done JSON".  Whoever reads that knows which case a process
was in that ended or hangs.  Outputs go to FOLDER, so that what differs between two libraries can be looked at.
ttnn_worker.py --list prints names and modes.
"""

import contextlib
import gc
import hashlib
import json
import mmap
import os
import sys
import time
import traceback

import numpy
import torch
import ttnn

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ttnn_cases


def say(text):
    os.write(OUT, (text + "\n").encode())


def as_torch(result):
    return result if isinstance(result, torch.Tensor) else ttnn.to_torch(result)


def raw(tensor):
    """Bits, so that -0 and 0 differ and a NaN equals itself."""
    tensor = tensor.contiguous()
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy()
    if tensor.dtype == torch.float32:
        return tensor.view(torch.int32).numpy()
    return tensor.numpy()


def correlation(result, golden):
    """Pearson's, as ttnn's tests compute it: equality counts as 1, and so do two constants that are close."""
    a, b = result.double().flatten(), golden.double().flatten()
    if a.numel() != b.numel():
        raise ValueError(f"shape {tuple(result.shape)}, expected {tuple(golden.shape)}")
    if torch.equal(a, b):
        return 1.0
    if not (torch.isfinite(a) == torch.isfinite(b)).all():
        return 0.0
    finite = torch.isfinite(a)
    a, b = a[finite], b[finite]
    if a.numel() < 2 or a.std() == 0 or b.std() == 0:
        return 0.9999 if torch.allclose(a, b, rtol=0.02, atol=0.02) else 0.0
    return min(float(torch.corrcoef(torch.stack([a, b]))[0, 1]), 0.999999999)


class Devices:
    """One open device, kept while cases want the same."""

    def __init__(self):
        self.device, self.open_with = None, None

    def get(self, open_with):
        if self.device is None or self.open_with != open_with:
            self.close()
            self.device, self.open_with = ttnn.open_device(device_id=0, **open_with), open_with
        return self.device

    def close(self):
        device, self.device = self.device, None
        if device is not None:
            gc.collect()
            ttnn.close_device(device)


def run(case, devices, folder):
    """Status: pass, or wrong (torch disagrees), or error (ttnn raised)."""
    ttnn_cases.seed(case.name)
    started = time.perf_counter()
    result = {"case": case.name, "status": "pass", "detail": "", "correlation": 1.0}
    try:
        device = devices.get(case.open_with)
        pairs = [(as_torch(value), golden) for value, golden in case.function(device)]
        arrays = [raw(value) for value, _ in pairs]
        digest = hashlib.sha256()
        for array in arrays:
            digest.update(repr((array.shape, str(array.dtype))).encode() + array.tobytes())
        result["bits"] = digest.hexdigest()[:16]
        numpy.savez_compressed(os.path.join(folder, case.name.replace("/", "+")), *arrays)
        result["correlation"] = min([correlation(value, golden) for value, golden in pairs if golden is not None] or [1.0])
        if result["correlation"] < case.least:
            result.update(status="wrong", detail=f"correlation {result['correlation']:.6f} below {case.least}")
    except Exception as error:  # pylint: disable=broad-except
        result.update(status="error", detail=str(error).strip().split("\n")[0][:300],
                      trace=traceback.format_exc()[-3000:])
        with contextlib.suppress(Exception):
            devices.close()
    result["seconds"] = round(time.perf_counter() - started, 3)
    return result


def run_some(names, folder, finished):
    devices = Devices()
    for name in names:
        say(f"start {name}")
        say("done " + json.dumps(run(ttnn_cases.CASES[name], devices, folder)))
        finished[0] += 1
    say("start close")
    devices.close()


def last_words():
    """Of a process that has ended: whoever started us may have given us a file for messages that can be read."""
    try:
        size = os.fstat(2).st_size
        tail = [line for line in os.pread(2, 4000, max(0, size - 4000)).decode(errors="replace").splitlines() if line.strip()][-8:]
    except OSError:
        tail = []
    said = [line for line in tail if line.startswith("kerr:") or "Error" in line or "ERROR" in line]
    return (said or tail or [""])[-1], "\n".join(tail)


def main():
    if sys.argv[1:] == ["--list"]:
        for case in ttnn_cases.CASES.values():
            say(" ".join([case.name, *case.modes]))
        return
    # Those that want the device opened in the same way one after the other: with fast dispatch that takes its time.
    folder, names = sys.argv[2], sorted(sys.argv[3:], key=lambda name: repr(ttnn_cases.CASES[name].open_with))
    # A library may end its process; to import ttnn again would take longer than most cases.
    finished = memoryview(mmap.mmap(-1, 8)).cast("Q")
    while names:
        finished[0] = 0
        child = os.fork()
        if child == 0:
            run_some(names, folder, finished)
            os._exit(0)
        status = os.waitpid(child, 0)[1]
        done = finished[0]
        if status != 0 and done < len(names):
            said, tail = last_words()
            say("done " + json.dumps({"case": names[done], "status": "died", "detail": f"ended: {said}"[:300], "trace": tail,
                                      "seconds": 0}))
            done += 1
        names = names[done:]
    say("finished")


# ttnn's own messages must not get between ours.
OUT = os.dup(1)
os.dup2(2, 1)
if __name__ == "__main__":
    main()

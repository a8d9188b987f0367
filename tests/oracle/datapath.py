#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs sdk/examples/datapath.c (L1 -> unpacker -> SrcA, SrcB or Dst -> packer -> L1) through any library with the libttsim C
ABI, in a forked child: a reference ends its process on what it refuses.

    datapath.py LIBRARY KERNELS SETTING=VALUE... < INPUT > OUTPUT

LIBRARY is a libttsim.so, KERNELS the directory with datapath_T0.bin, _T1.bin and _T2.bin ($(BUILD)/kernels).  Settings:

    route=SRCA|SRCB|DST     flags=TILIZE|UNTILIZE|DST32|TRANSPOSE|L1_ACCUMULATE|ELWADD|... joined with +
    in=BF16 register=BF16 pack_in=BF16 out=BF16     tiles=1 row_tiles=1 repeat=1

INPUT is `tiles` tiles as they stand in L1 (short input goes on with zeros).  `run` is what other programs use.
"""
import os
import re
import struct
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tensix_ref import ALL_CORES, Device, SOFT_RESET  # noqa: E402 pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))
KERNEL_HEADER = os.path.join(HERE, "../../sdk/examples/datapath.h")
PARAMS, ARGUMENTS, RUN = 0x18000, 0x18010, 0x18040  # kerr_params.h
RESET_PC = {"T0": 0x6000, "T1": 0xA000, "T2": 0xE000}
T_CORES = 0x7000
FROM, TO = 0x20000, 0xA0000
DONE = 2


def read_names(path):
    """The enumerators of datapath.h by name, without their prefix."""
    names, value = {}, 0
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"/\*.*?\*/", "", file.read(), flags=re.S)
    for block in re.findall(r"enum \{(.*?)\};", text, flags=re.S):
        value = 0
        for item in filter(None, (part.strip() for part in block.split(","))):
            name, _, expression = item.partition("=")
            value = eval(expression, {"__builtins__": {}}, dict(names)) if expression else value  # pylint: disable=eval-used
            names[name.strip()] = value
            value += 1
    return {name.removeprefix("DATAPATH_"): value for name, value in names.items()}


NAMES = read_names(KERNEL_HEADER)
ORDER = ("FLAGS", "IN", "REGISTER", "PACK_IN", "OUT", "TILES", "FROM", "FROM_STEP", "TO", "TO_STEP", "ROW_TILES", "REPEAT")


def tile_bytes(name):
    sizes = {"FP32": 4096, "TF32": 4096, "INT32": 4096, "FP16": 2048, "BF16": 2048, "INT16": 2048, "BFP8": 1088, "BFP8a": 1088,
             "BFP4": 576, "BFP4a": 576, "BFP2": 320, "BFP2a": 320}
    return sizes.get(name, 1024)


class Job:
    """Formats by name as in datapath.h."""

    def __init__(self, into="BF16", register="BF16", pack_in="BF16", out="BF16", route="SRCA", flags=(), tiles=1, row_tiles=1,
                 repeat=1):
        self.into, self.register, self.pack_in, self.out, self.route = into, register, pack_in, out, route
        self.flags, self.tiles, self.row_tiles, self.repeat = tuple(flags), tiles, row_tiles, repeat

    def arguments(self):
        flags = NAMES[self.route]
        for flag in self.flags:
            flags |= NAMES[flag]
        return [flags, NAMES[self.into], NAMES[self.register], NAMES[self.pack_in], NAMES[self.out], self.tiles, FROM,
                tile_bytes(self.into), TO, tile_bytes(self.out), self.row_tiles, self.repeat]

    def output_bytes(self):
        return self.tiles * tile_bytes(self.out)

    def __str__(self):
        return " ".join([self.route, self.into, self.register, self.pack_in, self.out, *self.flags])


def load(device, kernels):
    device.write(SOFT_RESET, struct.pack("<I", ALL_CORES))
    for core, address in RESET_PC.items():
        with open(os.path.join(kernels, f"datapath_{core}.bin"), "rb") as file:
            device.write(address, file.read())


def run_on(device, job, data, before=b"", cycles=2000000):
    """One job on an open device; raises RuntimeError if it does not end.  `before` is in L1 where the output will be."""
    device.write(SOFT_RESET, struct.pack("<I", ALL_CORES))
    device.write(PARAMS, bytes(144))
    device.write(ARGUMENTS, struct.pack("<12I", *job.arguments()))
    device.write(FROM, data.ljust(job.tiles * tile_bytes(job.into), b"\0"))
    device.write(TO, before.ljust(job.output_bytes(), b"\xA5" if not before else b"\0"))
    device.write(SOFT_RESET, struct.pack("<I", ALL_CORES & ~T_CORES))
    for _ in range(0, cycles, 2000):
        device.lib.libttsim_clock(2000)
        states = [struct.unpack("<I", device.read(RUN + 16 * core, 4))[0] for core in (1, 2, 3)]
        if states == [DONE] * 3:
            return device.read(TO, job.output_bytes())
    raise RuntimeError(f"not done: states of T0, T1, T2 are {states}")


def run_forked(library, kernels, jobs):
    """Outputs of (job, data) or (job, data, before) one after the other in one child, or None and what the library said."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                device = Device(library)
                load(device, kernels)
                for job in jobs:
                    os.write(out.fileno(), run_on(device, *job))
                status = 0
            except RuntimeError as error:
                os.write(2, str(error).encode())
            finally:
                os._exit(status)
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        data = out.read()
        log.seek(0)
        text = log.read().decode(errors="replace").strip()
    size = sum(job[0].output_bytes() for job in jobs)
    if status != 0 or len(data) != size:
        lines = (text or "no answer").split("\n")  # ours says first what happened, a reference that ends the process last
        return None, re.sub(r"\S*/", "", lines[0 if "not done" in lines[-1] else -1][:250])
    outputs, at = [], 0
    for job in jobs:
        outputs.append(data[at:at + job[0].output_bytes()])
        at += job[0].output_bytes()
    return outputs, None


def main(arguments):
    if len(arguments) < 3:
        sys.stderr.write(__doc__)
        return 2
    settings = dict(argument.split("=", 1) for argument in arguments[3:])
    flags = [flag for flag in settings.pop("flags", "").split("+") if flag]
    settings["into"] = settings.pop("in", "BF16")
    for name in ("tiles", "row_tiles", "repeat"):
        if name in settings:
            settings[name] = int(settings[name], 0)
    outputs, why = run_forked(arguments[1], arguments[2], [(Job(flags=flags, **settings), sys.stdin.buffer.read())])
    if outputs is None:
        print(why, file=sys.stderr)
        return 1
    sys.stdout.buffer.write(outputs[0])
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))

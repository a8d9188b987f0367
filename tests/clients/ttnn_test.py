#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""ttnn boots its own firmware on the chip and moves tensors:  ttnn_test.py LIBRARY [POINTS [SEED]]

No kernel compiler is needed: the wheel has compiled firmware, one folder for each configuration of a chip, named by
a hash over compiler, flags and configuration.  Two things are added, in our own environment below the build
directory: a compiler that only says its version (the one that firmware's .comment names), and a link from the hash
that ttnn looks for to the folder made for as many L1 and DRAM banks.  The hash is what ttnn names a folder of its
cache when it finds nothing, and tries to compile; the would-be compiler notes the numbers of banks.

All of it is recorded (KERR_RECORD) and played again with the chip saved and restored at POINTS (6) random cycles.

The boot log, with the place of every core after the device was opened, is ttnn-boot.log in this test's directory.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
from elf_symbols import elf_symbols
from ttnn_wheel import blackhole_sets, package_of
from tap import TMP, path
import venv_of_client

COMPILER = """#!/bin/sh
# Firmware comes compiled; see tests/clients/ttnn_test.py.
if [ "$1" = --version ]; then
    echo "riscv-tt-elf-g++ {version}"
    exit 0
fi
echo "$*" >> "$KERR_FAKE_COMPILER_LOG"
exit 1
"""


def fail(text):
    print(f"not ok - {text}")
    sys.exit(1)


def install_compiler(package):
    folder = os.path.join(package, "runtime", "sfpi", "compiler", "bin")
    _, version = next(blackhole_sets(package))
    os.makedirs(folder, exist_ok=True)
    name = os.path.join(folder, "riscv-tt-elf-g++")
    with open(name + ".new", "w", encoding="utf-8") as file:
        file.write(COMPILER.format(version=version))
    os.chmod(name + ".new", 0o755)
    os.rename(name + ".new", name)


def run_client(python, library, *arguments, **more):
    """ttnn in a process of its own that leaves nothing outside of this test's directory."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TT_", "TTNN_"))}
    environment.update(HOME=TMP, TMPDIR=TMP, TT_METAL_SIMULATOR=library, TT_METAL_SLOW_DISPATCH_MODE="1",
                       TT_METAL_CACHE=path("cache"), TT_METAL_LOGS_PATH=TMP, TT_METAL_LOGGER_LEVEL="error",
                       LOGURU_LEVEL="ERROR", KERR_FAKE_COMPILER_LOG=path("compiler.log"), **more)
    client = os.path.join(HERE, "ttnn_client.py")
    result = subprocess.run([python, client, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", env=environment, cwd=TMP, timeout=200, check=False)
    return result.returncode, [line[:300] for line in result.stdout.splitlines()]


def wanted_firmware(python, library, package):
    """The folder that ttnn looks for, linked to one that fits if need be."""
    shutil.rmtree(path("cache"), ignore_errors=True)
    if os.path.exists(path("compiler.log")):
        os.remove(path("compiler.log"))
    _, output = run_client(python, library, "open", library, TT_METAL_DISABLE_PRECOMPILED_FW="1")
    keys = [found[1] for found in map(re.compile(r"tt-metal-cache/?(\d+)$").search,
            glob.glob(path("cache/tt-metal-cache*")) + glob.glob(path("cache/tt-metal-cache/*"))) if found]
    if not keys:
        print(*output[-20:], sep="\n")
        fail("ttnn did not get as far as looking for firmware")
    folder = os.path.join(package, "tt_metal", "pre-compiled", keys[0])
    if os.path.isdir(folder):
        return folder
    with open(path("compiler.log"), encoding="utf-8") as file:
        banks = {name: int(count) for name, count in re.findall(r"-DNUM_(L1|DRAM)_BANKS=(\d+)", file.read())}
    for candidate, _ in blackhole_sets(package):
        symbols = elf_symbols(os.path.join(candidate, "brisc", "brisc.elf"))
        # Two NoCs, two bytes each.
        if all(symbols[f"{name.lower()}_bank_to_noc_xy"][1] == 4 * count for name, count in banks.items()):
            os.symlink(os.path.basename(candidate), folder + ".new")
            os.rename(folder + ".new", folder)
            return folder
    return fail(f"the wheel has no firmware for {banks}")


def renumbered(output):
    """The client's lines and those behind them as one list of cases."""
    number = 0
    for line in output:
        if line.startswith(("ok ", "not ok ")):
            number += 1
            line = re.sub(r"^(not ok|ok) \d+", rf"\1 {number}", line)
        if not re.match(r"1\.\.\d+$", line):
            yield line
    yield f"1..{number}"


def play_with_snapshots(points):
    """What ttnn did, once more: tests/same/replay_snapshots.c."""
    log = max(glob.glob(path("ttnn.log*")), key=os.path.getsize)  # ttnn looks for devices in a process of its own, and the client forks
    player = os.path.join(os.environ.get("BUILD", "build"), "tests", "same", "replay_snapshots")
    result = subprocess.run([player, log, *points], stdout=subprocess.PIPE, text=True, errors="replace", timeout=3000, check=False)
    return result.returncode, result.stdout.splitlines()


def main():
    if not 2 <= len(sys.argv) <= 4:
        print(__doc__.strip(), file=sys.stderr)
        return 2
    library = os.path.abspath(sys.argv[1])
    try:
        python = venv_of_client.ensure("ttnn")
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    package = package_of(python)
    install_compiler(package)
    firmware = wanted_firmware(python, library, package)
    print(f"# firmware {os.path.basename(os.path.realpath(firmware))} as {os.path.basename(firmware)}")
    for old in glob.glob(path("ttnn.log*")):
        os.remove(old)
    status, output = run_client(python, library, "tensors", library, firmware, path("ttnn-boot.log"), KERR_RECORD=path("ttnn.log"))
    if status == 0:
        status, more = play_with_snapshots(sys.argv[2:] or ["6"])
        output += more
    print(*renumbered(output), sep="\n")
    return status


sys.exit(main())

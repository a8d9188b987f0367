# SPDX-License-Identifier: Apache-2.0
"""What the sdk tests share: TAP output, and running the tools of a build."""

import os
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
TMP = os.environ.get("KERR_TEST_TMP") or os.path.join(BUILD, "tests", "sdk-tmp")
CORES = ("B", "T0", "T1", "T2", "NC")
# isa/memory_map.tbl and sdk/include/kerr_params.h
PARAMS, SHARED = 0x18000, 0x20000
RUN_OFFSET, RUN_DONE = 64, 2

os.makedirs(TMP, exist_ok=True)


class Tap:
    """Counts cases; call done() at the end."""

    def __init__(self):
        self.count = self.failed = 0

    def case(self, name, ok, why=""):
        self.count += 1
        self.failed += not ok
        print(f"{'ok' if ok else 'not ok'} {self.count} - {name}")
        if not ok:
            for line in str(why).splitlines():
                print(f"# {line}")
        sys.stdout.flush()
        return ok

    def equal(self, name, got, expected):
        return self.case(name, got == expected, f"got:      {got!r}\nexpected: {expected!r}")

    def done(self):
        print(f"1..{self.count}")
        sys.exit(1 if self.failed else 0)


def path(name):
    """A file in the directory of this test."""
    return os.path.join(TMP, name)


def write(name, text):
    with open(path(name), "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path(name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def run(*command, timeout=250):
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout, check=False)


def kerr_cc(*arguments):
    return run(os.path.join(BUILD, "sdk", "kerr-cc"), *arguments)


def kerr_run(*arguments):
    return run(os.path.join(BUILD, "kerr"), "run", "--quiet", "--timeout", "120", *arguments)


def kernel(name):
    return os.path.join(BUILD, "kernels", name)

# SPDX-License-Identifier: Apache-2.0
"""A host program that runs below kerr exec while tests attach to it."""

import atexit
import glob
import os
import re
import shutil
import subprocess
import sys
import time

import attach_client as wire
from support import KERR, TMP, path

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = [sys.executable, os.path.join(HERE, "exec_client.py")]
RUNTIME = os.path.abspath(path(f"run-{os.path.basename(sys.argv[0])[:8]}"))  # one for each test
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "XDG_RUNTIME_DIR": RUNTIME, "HOME": TMP}
for name in ("KERR_ATTACH", "KERR_ATTACH_WAIT", "KERR_STATS", "KERR_RECORD", "NO_COLOR"):
    ENVIRONMENT.pop(name, None)
shutil.rmtree(RUNTIME, ignore_errors=True)
os.makedirs(RUNTIME, mode=0o700)
if len(RUNTIME) > 60:  # no room for a socket's name behind it
    ENVIRONMENT["XDG_RUNTIME_DIR"] = RUNTIME = f"/tmp/kerr-test-{os.getpid()}"
    os.makedirs(RUNTIME, mode=0o700)
    atexit.register(shutil.rmtree, RUNTIME, ignore_errors=True)


def kerr_here(*arguments, timeout=60, **more):
    return subprocess.run([KERR, *arguments], capture_output=True, text=True, timeout=timeout, check=False,
                          env={**ENVIRONMENT, **more}, stdin=subprocess.DEVNULL)


def sockets():
    return sorted(glob.glob(os.path.join(RUNTIME, "kerr", "*.sock")))


class Program:
    """A host program (exec_client.py) below kerr exec."""

    def __init__(self, *arguments, options=(), wait="ready"):
        self.process = subprocess.Popen([KERR, "exec", "-q", "--hang", "0", *options, "--", *CLIENT, *arguments], text=True,
                                        env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.line, self.for_ever = "", arguments[0] == "waits"
        if wait:
            self.until(wait)

    def until(self, word):
        while word not in self.line:
            self.line = self.process.stdout.readline()
            if not self.line:
                raise RuntimeError("the program has ended: " + self.process.stderr.read())
        return self.line

    def enough(self):
        """For `load` without a number of calls."""
        self.process.stdin.write("enough\n")
        self.process.stdin.flush()

    def port(self):
        """Of --gdb."""
        return re.search(r":(\d+)'", self.process.stderr.readline()).group(1)

    def socket(self):
        end = time.time() + 20
        while time.time() < end:
            for name in sockets():
                if os.path.basename(name).startswith(f"{self.process.pid}."):
                    return name
            time.sleep(0.01)
        raise RuntimeError("no socket")

    def ending(self):
        """How many calls were made, cycle and hash of the state behind them, and what the program got."""
        _, calls, word = self.until("done").split()
        with wire.Connection(self.socket()) as line:
            return int(calls), line.status()["cycle"], line.ask(wire.HASH)[1], word

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()  # which is what `load` waits for
        if self.for_ever:
            self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

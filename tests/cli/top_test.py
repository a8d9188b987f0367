#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr top, in a terminal of tmux and without one."""

import os
import re
import shlex
import shutil
import subprocess
import time

import attach_client as wire
from attach_program import ENVIRONMENT, Program, kerr_here, sockets
from support import *

KEYS = "p pauses  q quits"
LOAD = ("load", "0", "2", "1000", "0.005")  # which leaves the processor to others


class Terminal:
    """A window of tmux in which a command runs."""

    def __init__(self, command, width=100, height=30, **more):
        self.tmux = ["tmux", "-L", f"kerr-{os.getpid()}", "-f", "/dev/null"]
        subprocess.run([*self.tmux, "new-session", "-d", "-x", str(width), "-y", str(height),
                        f"{shlex.join(command)}; echo ended with $?; cat"], env={**ENVIRONMENT, "TERM": "screen", **more}, check=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.do("kill-server")

    def do(self, *arguments):
        return subprocess.run([*self.tmux, *arguments], capture_output=True, text=True, check=False).stdout

    def screen(self, colours=False):
        return self.do("capture-pane", "-p", *(["-e"] if colours else []))

    def keys(self, *names):
        self.do("send-keys", *names)

    def until(self, pattern, seconds=15):
        """The screen, once it has that."""
        end = time.time() + seconds
        while True:
            text = self.screen()
            if re.search(pattern, text) or time.time() > end:
                return text
            time.sleep(0.05)


def shows(name, text, *patterns):
    missing = [p for p in patterns if not re.search(p, text)]
    case(name, not missing, f"no {missing} in\n{text}")


def test_terminal():
    with Program(*LOAD) as program, Terminal([KERR, "top", "--every", "0.1"]) as terminal:
        text = terminal.until(r"[1-9][0-9.]* [kM]?cycles/s")
        shows("the grid with its activity, units and keys", text, r"exec_client.py load", r"2 of \d+ tiles active", r"\n   2  \. \[c1\] c1   \.",
              "Matrix Unit", "threads at wait gates: 0", KEYS)
        case("in colours", "\x1b[32mc1" in terminal.screen(True), terminal.screen(True)[:2000])
        terminal.keys("Right", "Enter")
        text = terminal.until("tile 2,2")
        shows("arrows and Enter open a tile", text, r"tile 2,2  Tensix", r"B   running  pc 0x00000[0-9a-f]{3}  (sw|addi|xor|jal)", r"T0  reset", r"semaphores  0/0",
              r"Packer +0%")
        terminal.keys("Escape")
        text = terminal.until(r"\[c1\]")
        shows("Esc goes back", text, r"\n   2  \.  c1 \[c1\]")
        terminal.keys("p")
        text = terminal.until(r" 0 cycles/s .* paused")
        with wire.Connection(program.socket()) as line:
            first = line.status()
            time.sleep(0.05)
            second = line.status()
        shows("p pauses", text, r" 0 cycles/s .* paused", "p goes on")
        case("the program too", first["paused"] and first["cycle"] == second["cycle"], [first, second])
        terminal.do("resize-window", "-x", "64", "-y", "12")
        terminal.keys("p")
        text = terminal.until(KEYS)
        rows = text.rstrip("\n").split("\n")
        case("it fits a window that has become smaller", len(rows) == 12 and all(len(row) <= 64 for row in rows) and KEYS in rows[-1], text)
        terminal.keys("q")
        text = terminal.until("ended with")
        shows("q leaves the terminal as it was", text, r"^ended with 0")
        with wire.Connection(program.socket()) as line:
            case("and the program running", not line.status()["paused"])


def test_end():
    with Program(*LOAD) as program, Terminal([KERR, "top", "--every", "0.1"], NO_COLOR="1") as terminal:
        terminal.until(KEYS)
        text = terminal.screen(True)
        case("NO_COLOR: no colours", "\x1b[3" not in text and "\x1b[1m" not in text, text)
        program.enough()
        program.process.stdin.close()
        program.process.wait(timeout=20)
        shows("the end of the simulation ends the view", terminal.until("ended with"), "kerr top: the simulation has ended", "ended with 0")


def test_once():
    r = kerr_here("top", "--once")
    case("no simulation: told so", r.returncode == 2 and "no simulation of yours runs" in r.stderr, told(r))
    with Program(*LOAD):
        r = kerr_here("top", "--plain")
        shows("--plain prints one picture", r.stdout, r"^kerr top  \d+", r"2 of \d+ tiles active", r"\[c1\] c1", "Vector Unit")
        case("without control codes", r.returncode == 0 and "\x1b" not in r.stdout and "q quits" not in r.stdout, told(r))
        r = kerr_here("top", "--once", "--tile", "2,2")
        shows("--tile, standard output no terminal", r.stdout, "tile 2,2  Tensix", "B   running")
        with Program(*LOAD):
            r = kerr_here("top", "--once")
            case("of two it wants to know which", r.returncode == 2 and "2 simulations run" in r.stderr, told(r))


def test_own_run():
    elf = program("count.elf", code(li(T0, 0x20000), li(T1, 0), addi(T1, T1, 1), sw(T1, T0), jump(-8)))
    r = kerr_here("top", "--once", "--", elf, "--cycles", "2000")
    shows("kerr top -- PROGRAM runs it, and shows it when it is over", r.stdout, r"cycle 2000 .*the run is over", r"\[c1\]")
    bad = kerr_here("top", "--once", "--", path("there-is-none.elf"))
    case("what kerr run has to say comes through", bad.returncode == 2 and "there-is-none.elf: cannot open it" in bad.stderr, told(bad))
    case("and nothing stays behind", not sockets(), sockets())


def main():
    test_once()
    test_own_run()
    if shutil.which("tmux") is None:
        skip("kerr top in a terminal", "no tmux")
    else:
        test_terminal()
        test_end()
    done()


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Attaching to a running simulation: nothing changes on the chip, nobody else comes in, nothing stays behind.

    attach_test.py [CYCLES]        so many times attached and detached under load; 100 if not given
"""

import contextlib
import json
import os
import random
import re
import signal
import stat
import subprocess
import sys
import time

import attach_client as wire
from attach_program import CLIENT, HERE, RUNTIME, Program, kerr_here, sockets
from support import *


def attach_and_detach(name, times):
    """Everything that can be asked, from fresh connections, one after the other."""
    replies = []
    for i in range(times):
        with wire.Connection(name) as line:
            x, y = 1 + i % 6, 2
            replies += [line.ask(wire.HELLO)[0], line.ask(wire.GRID)[0], line.ask(wire.CORE, x, y, i % 5)[0],
                        line.ask(wire.READ, x, y, size=4096, address=0x20000)[0], line.ask(wire.TILE, x, y)[0]]
            if i % 10 == 0:
                replies.append(line.ask(wire.STATE, x, y)[0])
            if i % 7 == 0:  # goes while it holds the chip
                replies.append(line.ask(wire.PAUSE)[0])
    return replies


BAD = [b"\0" * 8, b"\xff" * 64, b"GET / HTTP/1.0\r\n\r\n", wire.request(0), wire.request(77), wire.request(wire.GRID, version=9),
       wire.request(wire.READ, 200, 200, size=4), wire.request(wire.READ, 1, 2, size=0), wire.request(wire.READ, 1, 2, size=1 << 31),
       wire.request(wire.READ, 1, 2, size=4, address=1 << 63), wire.request(wire.READ, 1, 2, core=9, size=4), wire.request(wire.CORE, 1, 2, 200),
       wire.request(wire.TILE, 0, 0), wire.request(wire.STATE, 99, 2), (4096).to_bytes(4, "little") + b"x" * 4096, (3).to_bytes(4, "little") + b"abc",
       (4).to_bytes(4, "little") + b"\x02\0\x01\0"]


def send_bad(name, data):
    """What came back: a result, or None if the connection was closed without a word."""
    with wire.Connection(name) as line:
        line.socket.sendall(data)
        try:
            return line.reply()
        except (EOFError, ConnectionError):
            return None


def send_garbage(name):
    draw = random.Random(11)
    replies = [send_bad(name, data) for data in BAD]
    silent = [r for r in replies[:-1] if r is None or r[0] == wire.OK or len(r[1]) < 10]
    case("a request that is none gets a sentence back", not silent, silent)
    case("a short one is understood, what is missing is zero", replies[-1] and replies[-1][0] == wire.OK, replies[-1])
    for _ in range(60):
        data = draw.randbytes(draw.randrange(1, 200))
        with wire.Connection(name) as line, contextlib.suppress(BrokenPipeError):  # turned away: all places are taken
            line.socket.sendall(data)


def crowd(name):
    held = wire.Connection(name)
    held.socket.sendall(wire.request(wire.STATE, 1, 2) * 50)  # and does not take its replies
    many = [wire.Connection(name) for _ in range(12)]
    replies = [line.ask(wire.HELLO)[0] for line in many]
    for line in [held, *many]:
        line.socket.close()
    case("more connections than there is room for are turned away", replies.count(wire.OK) <= 8 and wire.BUSY in replies, replies)


def test_same(times):
    with Program("load") as program:
        name = program.socket()
        replies = attach_and_detach(name, times)
        case(f"{times} times attached and detached under load", set(replies) == {wire.OK}, set(replies))
        send_garbage(name)
        crowd(name)
        program.enough()
        looked_at = program.ending()
    with Program("load", str(looked_at[0])) as program:
        alone = program.ending()
    case("state, cycle and results are as of a program that nobody looked at", looked_at == alone, f"{looked_at} {alone}")


def test_command():
    with Program("waits") as program:
        listed = kerr_here("attach", "--list")
        pid = listed.stdout.split()[0] if listed.stdout else ""
        case("kerr attach lists it", listed.returncode == 0 and "exec_client.py waits" in listed.stdout and pid.isdigit(), told(listed))
        r = kerr_here("attach", "--to", pid, "status")
        case("status", re.search(r"cycle \d+\n.*state running", r.stdout, re.DOTALL), told(r))
        r = kerr_here("attach", "read", "1,2@0x0+8")
        case("memory", r.stdout.startswith("0x00000000: b7 02 02 00"), told(r))
        r = kerr_here("attach", "core", "1,2:B")
        case("registers", re.search(r"running\npc 0x000000[0-9a-f]{2}\n", r.stdout) and "x5  0x00020000" in r.stdout, told(r))
        r = kerr_here("attach", "state", "1,2")
        state = json.loads(r.stdout or "{}")
        case("state as JSON", state.get("tile") == [1, 2] and "pc" in state.get("core B", {}), told(r)[:2000])
        r = kerr_here("attach", "read", "8,8@0+8")
        case("what is not there is refused with the place", r.returncode == 2 and "8,8" in r.stderr, told(r))
        r = kerr_here("attach", "--to", "1", "status")
        case("a process that is none is named", r.returncode == 2 and "process id 1" in r.stderr, told(r))
        with wire.Connection(program.socket()) as line:
            line.ask(wire.PAUSE)
            first = line.status()
            time.sleep(0.1)
            second = line.status()
            line.ask(wire.CONTINUE)
            time.sleep(0.05)
            third = line.status()
        case("pause holds the program, continue lets it go", first["paused"] and first["cycle"] == second["cycle"] < third["cycle"] and
             not third["paused"], [first, second, third])


def test_rights():
    about = os.stat(os.path.join(RUNTIME, "kerr"))
    case("the directory is the user's alone", stat.S_IMODE(about.st_mode) == 0o700, oct(about.st_mode))
    open_path = os.path.join("/tmp", f"kerr-attach-test-{os.getpid()}")
    with Program("load", "3", options=[f"--attach={open_path}"]):
        mode = stat.S_IMODE(os.stat(open_path).st_mode)
        case("the socket too", mode == 0o600, oct(mode))
        r = kerr_here("attach", "--to", open_path, "status")
        case("it is reached by its path", r.returncode == 0, told(r))
        second = kerr_here("exec", "-q", f"--attach={open_path}", "--", *CLIENT, "count", "10", "1")
        case("a second one that wants the same path is told, and runs", second.returncode == 0 and "another simulation" in second.stderr,
             told(second))
        if os.geteuid() != 0:
            skip("another user is turned away", "only root can become one")
            return
        os.chmod(open_path, 0o666)  # so that it is not the file's mode that keeps him out
        other = subprocess.run([sys.executable, "-c", "import os, sys; sys.path.insert(0, sys.argv[2])\n"
                                "import attach_client as wire\nos.setgid(65534); os.setuid(65534)\nwith wire.Connection(sys.argv[1]) as line: print(line.ask(wire.STATUS))",
                                open_path, HERE], capture_output=True, text=True, timeout=30, check=False)
        case("another user is turned away", f"({wire.NOT_YOURS}, b'this simulation belongs to another user')" in other.stdout, told(other))
    case("the socket is gone with its program", not os.path.exists(open_path))


def test_killed():
    with Program("waits") as running:
        name = running.socket()
        pid = int(os.path.basename(name).split(".")[1])
        os.kill(pid, signal.SIGKILL)
        running.process.wait(timeout=30)
        left = os.path.exists(name)
    short = program("short.elf", code(FOREVER))
    r = kerr_here("run", "--attach", "--cycles", "1000", short)
    case("what a killed program leaves is cleared by the next start", left and not os.path.exists(name) and r.returncode == 0 and not sockets(),
         f"{left} {sockets()} {told(r)}")
    regular = write("not-a-socket", "text")
    r = kerr_here("run", f"--attach={regular}", "--cycles", "1000", short)
    case("a file that is no socket is left alone", r.returncode == 2 and "no socket" in r.stderr and read("not-a-socket") == b"text", told(r))


def test_forks():
    r = kerr_here("exec", "-q", "--", *CLIENT, "forks", "4")
    case("children of a program that is served go on by themselves", r.returncode == 0 and r.stderr == "", told(r))
    case("and none of them has left a socket", not sockets(), sockets())


def main():
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    test_same(times)
    test_command()
    test_rights()
    test_killed()
    test_forks()
    done()


main()

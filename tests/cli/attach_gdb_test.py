#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""gdb on a simulation that somebody else runs: kerr exec --gdb, kerr run --gdb, kerr gdb --attach."""

import contextlib
import re
import shutil
import subprocess

import attach_client as wire
from attach_program import ENVIRONMENT, Program, kerr_here
from support import *

GDB = "gdb-multiarch"
# The program of exec_client.load: stores at 0x20000 and 0x20040 in sixteen laps from 0x10 on.
FIRST, SECOND = 0x10, 0x20


def gdb(port, *commands):
    line = [GDB, "-q", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set confirm off", "-ex", "set architecture riscv:rv32", "-ex",
            f"target extended-remote :{port}"]
    for command in commands:
        line += ["-ex", command]
    return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False, env=ENVIRONMENT)


def has(name, result, *patterns):
    """All of them, in this order."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern).search(result.stdout, at)
        if not found:
            return case(name, False, f"no '{pattern}' behind character {at}\n{told(result)}")
        at = found.end()
    return case(name, True)


def test_exec():
    load = ("load", "10", "2", "2000")
    with Program(*load) as program:
        alone = program.ending()
    with Program(*load, options=["--gdb", "0"], wait="") as program:
        port = program.port()
        r = gdb(port, f"break *{FIRST:#x}", "continue", "stepi", "print/x $pc", f"break *{SECOND:#x}", "continue", "print/x $t1", "continue",
                "print/x $t1", "monitor cycle", "monitor threads", "reverse-stepi", "monitor goto 1", "delete", "watch *(int *)0x20040",
                "continue", "continue", "detach")
        has("kerr exec --gdb: the program waits, breakpoints and steps", r, r"Breakpoint 1, 0x0*10 in", r"\$1 = 0x14", r"Breakpoint 2, 0x0*20",
            r"\$2 = 0x1\n", r"Breakpoint [12], ", r"\$3 = 0x")
        has("a watchpoint on what the core writes", r, r"Old value = 131088\nNew value = 131089", r"Old value = 131089\nNew value = 131090")
        has("the way back is refused", r, r"does not support this command")
        has("and so is monitor goto", r, r"its calls cannot be taken back")
        case("what the chip did is the same", program.ending() == alone)
    with Program(*load, options=["--gdb", "0", "--no-attach"], wait="") as program:
        _, err = program.process.communicate(timeout=20)
        case("--gdb without the socket is refused", program.process.returncode == 2 and "--no-attach" in err, err)


def packet(text):
    return f"${text}#{sum(text.encode()) % 256:02x}".encode()


def reply(line):
    """The next packet; acknowledges it."""
    data = b""
    while not re.search(rb"#[0-9a-f]{2}$", data):
        more = line.socket.recv(4096)
        if not more:
            return None
        data = (data + more).lstrip(b"+")
    with contextlib.suppress(BrokenPipeError):  # the last one closes the connection
        line.socket.sendall(b"+")
    return data.decode()


def test_attach():
    script = write("attach.gdb", "print/x $t0\nmonitor cycle\ndetach\n")
    with Program("load") as program:
        r = kerr_here("gdb", "--attach", "--script", script)
        has("kerr gdb --attach", r, r"\$1 = 0x20000", r"detached")
        case("and its monitor", re.search(r"^\d{4,}$", r.stderr, re.MULTILINE), told(r))
        with wire.Connection(program.socket()) as first, wire.Connection(program.socket()) as second:
            begun = first.ask(wire.GDB)[0]
            taken = second.ask(wire.GDB)
            case("one debugger at a time", begun == wire.OK and taken[0] == wire.BUSY and b"already" in taken[1], taken)
            first.socket.sendall(packet("?"))
            at_start = reply(first)
            first.socket.sendall(packet("vCont;c"))
            with wire.Connection(program.socket()) as third:
                before = third.status()
                while third.status()["cycle"] == before["cycle"]:
                    pass
                debugged = third.status()
            first.socket.sendall(b"\x03")
            interrupted = reply(first)
            case("continue and interrupt, with another who looks meanwhile", at_start.startswith("$T05thread:p24.1") and
                 interrupted.startswith("$T02thread:") and debugged["debugged"] and not debugged["paused"],
                 [at_start, interrupted, before, debugged])
            first.socket.sendall(packet("Z0,10,4"))
            reply(first)
        with wire.Connection(program.socket()) as line:  # it went without a word, with the chip in its hand and a breakpoint in it
            before = line.status()
            while line.status()["cycle"] == before["cycle"]:
                pass
        case("a debugger that goes leaves the program running", True)
        program.enough()
        looked_at = program.ending()
    with Program("load", str(looked_at[0])) as program:
        case("and the chip as it would be", program.ending() == looked_at)


def test_ends():
    with Program("load", "5", "1", "2000") as program:
        program.until("done")
        with wire.Connection(program.socket()) as line:
            line.ask(wire.GDB)
            line.socket.sendall(packet("vCont;c"))
            program.process.stdin.close()
            case("the end of the chip is told as that of a process", reply(line).startswith("$W00"))
        program.process.wait(timeout=20)
        case("and keeps nobody waiting", program.process.returncode == 0, program.process.returncode)


def test_fault():
    with Program("fault", options=["--gdb", "0", "--on-fault", "dead"], wait="") as program:
        r = gdb(program.port(), "continue", "print/x $pc", "monitor faults", "detach")
        has("a fault stops in gdb, in words", r, r"kerr: .*tile", r"SIGILL", r"\$1 = 0x", r"tile.*")
        out, err = program.process.communicate(timeout=30)
        case("then the program sees what it would have seen", "after 0xffffffff" in out and "the chip has stopped" in err, out + err)


def test_run():
    elf = program("count.elf", code(li(T0, 0x20000), li(T1, 0), addi(T1, T1, 1), sw(T1, T0), jump(-8)))
    process = subprocess.Popen([KERR, "run", "--gdb", "0", "--cycles", "3000", elf, "--dump", "1,2@0x20000+4=words"], text=True,
                               env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    port = re.search(r":(\d+)'", process.stderr.readline()).group(1)
    r = gdb(port, "break *0x3010", "continue", "stepi", "print $t1", "reverse-stepi", "print $t1", "continue", "print $t1", "detach")
    has("kerr run --gdb: forward and back", r, r"Breakpoint 1, ", r"\$1 = 1", r"\$2 = 0", r"Breakpoint 1", r"\$3 = 1")
    out, err = process.communicate(timeout=30)
    same = kerr_here("run", "--cycles", "3000", elf, "--dump", "1,2@0x20000+4=words")
    case("then the run goes on to the end that it would have had", process.returncode == same.returncode == 3 and out == same.stdout and "3000 cycles" in err,
         f"{out}{err}{told(same)}")


def main():
    if shutil.which(GDB) is None:
        skip("gdb on a simulation that runs", f"no {GDB}")
        done()
    test_exec()
    test_attach()
    test_ends()
    test_fault()
    test_run()
    done()


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tt-exalens beside others on a chip of ours:  exalens_gdb_test.py gdb|attach LIBRARY

gdb: gdb-multiarch through the gdb server of tt-exalens.  attach: tt-exalens as a second process, through its own server and through that
of tt-umd, with kerr attach as a third.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
from elf_symbols import elf_symbols
from tap import BUILD, Tap, kerr_cc, path
import venv_of_client

GDB = "gdb-multiarch"
ENVIRONMENT = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "HOME": path("")}


def compile_stack():
    elf = os.path.abspath(path("stack_gdb.elf"))
    result = kerr_cc("B", os.path.join(HERE, "stack.c"), "-O1", "-g", "-Werror", "-o", elf)
    if result.returncode:
        print(result.stderr)
        sys.exit(77 if "not found" in result.stderr else 1)
    return elf, elf_symbols(elf)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def running(command, ready, **more):
    """A process in the background, once it has said that."""
    log = path("background.log")
    with open(log, "w", encoding="utf-8") as out:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=out, stderr=subprocess.STDOUT, env={**ENVIRONMENT, **more})
    try:
        end = time.time() + 100
        while not re.search(ready, text_of(log)):
            if process.poll() is not None or time.time() > end:
                raise RuntimeError(f"{command[0]} has not said '{ready}':\n{text_of(log)}")
            time.sleep(0.05)
        yield process, log
    finally:
        process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5)
        process.kill()
        process.wait()


def text_of(name):
    with open(name, encoding="utf-8", errors="replace") as file:
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", file.read())


def exalens(python, *arguments):
    return [python, os.path.join(os.path.dirname(python), "tt-exalens"), *arguments]


def either_way(value):
    """tt-exalens 0.4.2 answers gdb's reads of memory with the bytes of the whole range in the wrong order (its gdb_server.py makes a
    number of them and prints that); its registers are right."""
    return f"({value}|{int.from_bytes(value.to_bytes(4, 'little'), 'big')})"


def test_gdb(tap, python, library):
    if shutil.which(GDB) is None:
        print(f"no {GDB}")
        sys.exit(77)
    elf, symbols = compile_stack()
    tick, size = symbols["tick"]
    port = free_port()
    command = exalens(python, "-s", library, f"--start-gdb={port}", "--commands", f"go -l 1-2; run-elf {elf} -r brisc")
    with running(command, r"Executing command: run-elf[^\n]*\n[^\n]*> "):
        script = ["set pagination off", "set confirm off", "set architecture riscv:rv32", f"file {elf}", f"target extended-remote :{port}",
                  "info os processes", "attach 1", "print/x $pc", "print/x $sp", "break tick", "continue", "print/x $pc", "print step",
                  "print/x $ra", "continue", "print/x $pc", "delete", "stepi", "print/x $pc", "detach"]
        r = subprocess.run([GDB, "-q", "-nx", "-batch", *(part for line in script for part in ("-ex", line))], text=True, timeout=120,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env=ENVIRONMENT)
    values = re.findall(r"^\$\d+ = (\S+)", r.stdout, re.MULTILINE)
    tap.case("gdb lists the core, with its program", re.search(r"worker +1-2 \(0,0\) +brisc +\S*stack_gdb\.elf", r.stdout), r.stdout)
    if not tap.case("gdb attaches to it and gets an answer to everything", len(values) == 7 and "detached" in r.stdout, r.stdout):
        return
    pc, sp, first, step, ra, second, after = values
    tap.case("pc and sp", int(pc, 16) < 0x1000 and 0xFFB01000 < int(sp, 16) < 0xFFB02000, values)
    # A breakpoint of the hardware stops before its instruction or the one after it.
    body = range(tick, tick + size)
    tap.case("a breakpoint stops in its function, and again after continue", int(first, 16) in body and int(second, 16) in body, r.stdout)
    tap.case("memory", re.fullmatch(either_way(3), step), step)
    tap.case("the caller", int(ra, 16) in range(symbols["innermost"][0], sum(symbols["innermost"])), values)
    tap.case("a step", int(after, 16) in (int(second, 16) + 4, int(second, 16) + 8), values)


COMMANDS = "go -l 1-2; wxy 1-2 0x1000 0x1234abcd; brxy 1-2 0x1000 1; run-elf {elf} -r brisc; riscv halt -r brisc; gpr pc,sp -r brisc; x"


def looks(tap, name, command):
    r = subprocess.run(command, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120,
                       env=ENVIRONMENT, check=False)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", r.stdout)
    tap.case(name, r.returncode == 0 and "0x00001000:  1234abcd" in text and re.search(r"2 - sp +0xffb01f.*32 - pc +0x0000", text, re.DOTALL),
             text)


def test_attach(tap, python, library):
    elf, _ = compile_stack()
    commands = COMMANDS.format(elf=elf)
    port = free_port()
    with running(exalens(python, "--server", f"--port={port}", "-s", library), "listening on port"):
        looks(tap, "through the server of tt-exalens",
              exalens(python, "--remote", f"--remote-address=localhost:{port}", "--commands", commands))
    kerr = os.path.join(BUILD, "kerr")
    with tempfile.TemporaryDirectory(prefix="kerr-umd-") as folder:  # tt-umd's sockets are for all users: the folder is not
        served, own = os.path.join(folder, "server"), os.path.join(folder, "kerr.sock")
        os.mkdir(served)
        with running([kerr, "exec", "-q", "--hang", "0", f"--attach={own}", "--library", library, "--", python, os.path.join(HERE, "umd_server.py"), library, served],
                     "serves in"):
            looks(tap, "through the server of tt-umd", exalens(python, "-s", served, "--commands", commands))
            r = subprocess.run([kerr, "attach", "--to", own, "read", "1,2@0x1000+4"], capture_output=True, text=True, timeout=30, check=False)
            tap.equal("and kerr attach sees the same chip", r.stdout, "0x00001000: cd ab 34 12\n")
            r = subprocess.run([kerr, "attach", "--to", own, "core", "1,2:B"], capture_output=True, text=True, timeout=30, check=False)
            tap.case("with the core that tt-exalens has halted", "halted" in r.stdout, r.stdout + r.stderr)


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("gdb", "attach"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        python = venv_of_client.ensure("exalens")
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    tap = Tap()
    (test_gdb if sys.argv[1] == "gdb" else test_attach)(tap, python, os.path.abspath(sys.argv[2]))
    tap.done()
    return 0


sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr exec: the program is undisturbed, what it did is told, nothing stays behind."""

import glob
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

from support import *

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = [sys.executable, os.path.join(HERE, "exec_client.py")]
ENVIRONMENT = {**os.environ, "HOME": TMP, "PYTHONDONTWRITEBYTECODE": "1"}
for name in ("TT_METAL_CACHE", "KERR_STATS", "KERR_RECORD", "KERR_ON_FAULT"):
    ENVIRONMENT.pop(name, None)


def execute(*arguments, options=(), timeout=100, **more):
    return subprocess.run([KERR, "exec", *options, "--", *CLIENT, *arguments], capture_output=True, text=True,
                          timeout=timeout, check=False, env={**ENVIRONMENT, **more})


def plain(*arguments):
    library = os.path.join(BUILD, "sim", "libttsim.so")
    return subprocess.run([*CLIENT, *arguments], capture_output=True, text=True, timeout=100, check=False,
                          env={**ENVIRONMENT, "TT_METAL_SIMULATOR": library})


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found[1]) if found else None


def test_summary():
    r, without = execute("count"), plain("count")
    case("the program's output is its own", r.returncode == 0 and r.stdout == without.stdout and "counted" in r.stdout,
         told(r) + told(without))
    cycles, chips = number(r"kerr: (\d+) cycles", r.stderr), number(r"on (\d+) chip", r.stderr)
    case("cycles of clock calls and of host time are counted, on one chip", cycles and 100000 <= cycles < 200000 and chips == 1,
         told(r))
    case("three tiles were active", number(r"tiles +(\d+) active", r.stderr) == 3, told(r))
    case("calls are counted by kind", number(r"calls +(\d+) clock", r.stderr) == 20, told(r))
    case("code that no file has is said to be so", "100.0 % of core time, B, 3 tiles: code of no ELF file" in r.stderr,
         told(r))
    r = execute("count", options=["-q"])
    case("--quiet says nothing", r.returncode == 0 and r.stderr == "", told(r))
    r = execute("count", options=["-o", path("summary.txt")])
    case("--output puts the summary into a file", r.stderr == "" and b"cycles" in read("summary.txt"), told(r))
    r = execute("count", "30000")
    shares = [float(word) for word in re.findall(r"\(\d+,2\) ([0-9.]+) %", r.stderr)]
    case("tiles that did the same were active for about as long", len(shares) == 3 and max(shares) - min(shares) < 15
         and min(shares) > 50, told(r))
    r = kerr("exec", "true")
    case("a program without a chip is no mistake", r.returncode == 0 and "opened no chip" in r.stderr, told(r))


def test_ends():
    r = kerr("exec", "sh", "-c", "exit 7")
    case("the exit status is the program's", r.returncode == 7, told(r))
    r = kerr("exec", "sh", "-c", "kill -KILL $$")
    case("so is the signal that ended it", r.returncode == -signal.SIGKILL, told(r))
    r = kerr("exec", "no-such-program")
    case("a program that is not there: 127, as from a shell", r.returncode == 127 and "no-such-program" in r.stderr, told(r))
    r = kerr("exec", "/dev/null")
    case("one that cannot be run: 126", r.returncode == 126, told(r))
    r = kerr("exec")
    case("no program: wrong usage", r.returncode == 2 and "no program" in r.stderr, told(r))
    r = kerr("exec", "--on-fault", "maybe", "true")
    case("a wrong option: wrong usage", r.returncode == 2 and "maybe" in r.stderr, told(r))
    r = kerr("exec", "sh", "-c", "echo $1 $2", "sh", "--quiet", "-x")
    case("options behind the program are the program's", r.stdout == "--quiet -x\n" and "no chip" in r.stderr, told(r))
    for name in ("SIGTERM", "SIGINT", "SIGUSR1"):
        process = subprocess.Popen([KERR, "exec", "--", *CLIENT, "signals"], stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        process.stdout.readline()
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=30)
        case(f"{name} is passed on, and the program decides", out == f"signal {name}\n" and process.returncode == 42, out + err)


def test_faults():
    r = execute("fault", options=["--on-fault", "dead"])
    case("a fault is told in the summary, with tile, core, pc and word",
         re.search(r"fault +tile \(1,2\) B .*ffffffff", r.stderr) and "after 0xffffffff" in r.stdout and "went on" in r.stdout,
         told(r))
    r = execute("fault", "30", options=["--on-fault", "dead"])
    case("a program that goes on talking to a dead card is ended", r.returncode == 1 and "went on" not in r.stdout, told(r))
    r = execute("fault", options=["--on-fault", "exit"])
    case("--on-fault exit ends the process", r.returncode == 1 and "after" not in r.stdout and "fault" in r.stderr, told(r))
    begin = time.time()
    r = execute("hang", options=["--hang", "0.5", "--on-fault", "dead"])
    took = time.time() - begin
    case("a hang is a fault, in less than five seconds", "answer 0xffffffff" in r.stdout and "hang: nothing" in r.stderr
         and took < 5, f"{took} s\n{told(r)}")
    r = execute("hang", "1.5", options=["--hang", "0"])
    case("unless nobody looks for hangs", "answer 0x0" in r.stdout, told(r))
    begin = time.time()
    r = execute("waits", options=["--timeout", "1"])
    case("--timeout ends the program", r.returncode == -signal.SIGTERM and time.time() - begin < 8, told(r))


def test_processes():
    r = execute("forks", "5")
    case("forks have records of their own", number(r"of (\d+) process", r.stderr) == 6, told(r))
    cycles = number(r"kerr: (\d+) cycles", r.stderr)
    # 20000 and 500 of the parent, 1000 to 5000 of the children and 1000 each for a read, a bit for register writes.
    case("and count what they did themselves", cycles and 41500 <= cycles <= 50000, told(r))


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def left_behind(before):
    return sorted(set(glob.glob("/dev/shm/*") + glob.glob("/tmp/*kerr*") + glob.glob(path("*"))) - before)


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_killed():
    for who in ("the program", "kerr exec itself"):
        before = set(left_behind(set()))
        process = subprocess.Popen([KERR, "exec", "--", *CLIENT, "waits"], stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        process.stdout.readline()
        child = children_of(process.pid)[0]
        time.sleep(0.3)
        os.kill(child if who == "the program" else process.pid, signal.SIGKILL)
        _, err = process.communicate(timeout=30)
        deadline = time.time() + 10
        while alive(child) and time.time() < deadline:
            time.sleep(0.05)
        case(f"{who} is killed: no process, no file, no shared memory stays", not alive(child) and not left_behind(before),
             f"{alive(child)} {left_behind(before)}\n{err}")
        if who == "the program":
            case("and the summary tells of what there was", number(r"kerr: (\d+) cycles", err), err)


def test_lines():
    if not shutil.which(GCC):
        skip("source lines of a fault", f"no {GCC}")
        return
    source = write("broken.c", "volatile int *word = (volatile int *)0x20000;\n"
                   "int work(int n)\n{\n    int sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += *word ^ i;\n"
                   "    *word = sum;\n    __asm__ volatile(\".word -1\"); /* line 8 */\n    return sum;\n}\n"
                   "void _start(void)\n{\n    *word = work(500) + work(*word & 15);\n    for (;;)\n        *word += 1;\n}\n")
    os.makedirs(path("elfs/deep"), exist_ok=True)
    program_elf, raw = path("elfs/deep/broken.elf"), path("broken.bin")
    flags = ["-march=rv32im", "-mabi=ilp32", "-O1", "-g", "-nostdlib", "-static", "-fno-inline", "-Wl,-Ttext=0x5000",
             "-Wl,-e,_start", "-Wl,--no-relax"]
    subprocess.run([GCC, *flags, "-o", program_elf, source], check=True)
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", "-j", ".text", program_elf, raw], check=True)
    text = bytearray(read("broken.bin"))
    for name, change in (("as it was linked", False), ("elsewhere, with some words changed as a loader does", True)):
        if change:  # the first lui of work: as relocation to another place would
            for at in range(0, len(text), 4):
                if text[at] & 0x7F == 0x37:
                    text[at + 2] ^= 0x10
                    break
        write("loaded.bin", bytes(text))
        # _start is not first: a jump to it.
        entry = start_of(program_elf)
        r = execute("binary", path("loaded.bin"), hex(0x9000 if change else 0x5000), hex(entry - 0x5000),
                    options=["--elf-dir", path("elfs"), "--on-fault", "dead"])
        case(f"a fault has function, source file and line, code loaded {name}",
             re.search(r"in work\(\) at .*broken\.c:8 of deep/broken\.elf", r.stderr), told(r))
        if not change:
            case("and the table of kernels has the program", re.search("kernels .*deep/broken.elf", r.stderr), told(r))


def start_of(file):
    out = subprocess.run(["riscv64-unknown-elf-nm", file], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"([0-9a-f]+) T _start", out)[1], 16)


def test_terminal():
    master, slave = pty.openpty()
    import fcntl
    import struct
    import termios
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen([KERR, "exec", "--", *CLIENT, "lines"], stdin=slave, stdout=slave, stderr=slave,
                               env=ENVIRONMENT, close_fds=True)
    os.close(slave)
    seen = b""
    while True:
        ready, _, _ = select.select([master], [], [], 20)
        try:
            data = os.read(master, 4096) if ready else b""
        except OSError:
            break
        if not data:
            break
        seen += data
    process.wait()
    os.close(master)
    text = seen.decode()
    shown = re.findall("\x1b7\x1b\\[24;1H\x1b\\[2K\x1b\\[7m([^\x1b]*)\x1b\\[0m\x1b8", text)
    case("a terminal has a live line at its bottom", len(shown) >= 2 and all("cycles/s" in line for line in shown), repr(text))
    without = re.sub("\x1b7\x1b\\[24;1H.*?\x1b8", "", text)
    lines = [line for line in re.sub("\x1b(\\[[0-9;]*[A-Za-z]|[78])", "", without).split("\r\n") if line.startswith("line")]
    case("and the program's lines are whole and in order", lines == [f"line {i}" for i in range(30)], repr(text))
    case("in the end the terminal is as it was", text.rstrip().count("\x1b[r") == 1 and text.index("\x1b[1;23r")
         < text.index("\x1b[r"), repr(text))


for test in (test_summary, test_ends, test_faults, test_processes, test_killed, test_lines, test_terminal):
    test()
done()

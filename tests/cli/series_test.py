#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr run --save-every and the folders it writes, kerr diff of two of them, and the same of a host program (KERR_SAVE_EVERY)."""

import ctypes
import os
import re
import resource
import shutil
import signal
import subprocess
import sys

import support
from support import A0, T0, T1, ZERO, case, code, done, elf, kerr, path, segment, told, write


def adding(late):
    """Counts 64 rounds at 0x20000, then adds `late` and stores the sum beside it."""
    return elf(segment(code(support.lui(T1, 0x20000), support.addi(A0, ZERO, 64), support.addi(T0, T0, 1), support.sw(T0, T1, 0),
                            support.addi(A0, A0, -1), 0xFE051AE3, support.addi(T0, T0, late), support.sw(T0, T1, 4),
                            support.FOREVER), 0x0))


def files(folder):
    return sorted(os.listdir(folder))


def name(cycle):
    return f"cycle-{cycle:015d}.chip"


def run(program, folder, *more, **options):
    return kerr("run", "-q", f"1,2:B={program}", "--save-dir", folder, *more, **options)


def limited(size):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_run():
    one = write("one.elf", adding(1))
    a, b = path("a"), path("b")
    r = run(one, a, "--cycles", "10k", "--save-every", "1000", "--save-keep", "4", "--save", path("with.chip"))
    case("the first and the latest are kept", r.returncode == 0 and files(a) == [name(c) for c in (0, 8000, 9000, 10000)], told(r) + str(files(a)))
    r = kerr("run", "-q", f"1,2:B={one}", "--cycles", "10k", "--save", path("without.chip"))
    r = kerr("diff", path("with.chip"), path("without.chip"))
    case("saving changes nothing", r.returncode == 0 and "the same" in r.stdout, told(r))
    write(f"a/{name(77)}.part", b"of a run that was killed")
    r = run(one, a, "--cycles", "2500", "--save-every", "1k")
    case("an earlier series goes", files(a) == [name(c) for c in (0, 1000, 2000)], told(r) + str(files(a)))
    r = kerr("state", os.path.join(a, name(2000)), "--only", "core B/mcycle")
    case("a file holds the chip of its cycle", "0x7d0" in r.stdout, told(r))
    r = run(one, b, "--until", "1,2@0x20004!=0", "--every", "64", "--save-every", "67", "--save-keep", "3")
    plain = kerr("run", f"1,2:B={one}", "--until", "1,2@0x20004!=0", "--every", "64", "--save", path("plain.chip"))
    last = int(re.search(r"cycle-0*(\d+)", files(b)[-1])[1])
    end = int(re.search(r"mcycle +0x(\w+)", kerr("state", path("plain.chip"), "--only", "core B/mcycle").stdout)[1], 16)
    case("a condition is reached in the same cycle", r.returncode == 0 and plain.returncode == 0 and end - 67 < last <= end, f"{last} {end}")

    for what, options in (("no --save-every", ["--save-keep", "3"]), ("zero", ["--save-every", "0"]), ("keeps none", ["--save-every", "5", "--save-keep", "0"])):
        r = run(one, a, "--cycles", "10", *options)
        case(f"refused: {what}", r.returncode == 2 and r.stderr.startswith("kerr run: "), told(r))
    return one, a


def test_trouble(one):
    r = run(one, write("a-file", b"x"), "--cycles", "5k", "--save-every", "1000")
    case("a folder that is none is an error before the run", r.returncode == 2 and r.stderr.count("Not a directory") == 1 and
         "cycles" not in r.stderr, told(r))
    full = path("full")
    process = subprocess.run([support.KERR, "run", "-q", f"1,2:B={one}", "--cycles", "5k", "--save-every", "1000", "--save-dir", full],
                             capture_output=True, text=True, timeout=60, check=False, preexec_fn=lambda: limited(2048))
    case("a disk that takes no more: the same, and no part of a file is left", process.returncode == 0 and process.stderr.count("File too large") == 1 and
         files(full) == [], told(process) + str(files(full)))


def test_diff(one, a):
    two, c = write("two.elf", adding(2)), path("c")
    run(one, a, "--cycles", "2k", "--save-every", "1k")
    run(two, c, "--cycles", "2k", "--save-every", "1k")
    r = kerr("diff", a, c, "--program", f"1,2:B={one}")
    case("two runs, by their folders: what is old, which pair, and the first cycle", r.returncode == 1 and
         "in cycle 0, the first of both, they differ in 1 places already" in r.stdout and
         re.search(r"equal up to cycle (\d+), different in cycle (\d+)\nthe first difference is there in cycle \d+:\n"
                   r"  tile 1,2  core B: x5: ", r.stdout) and "B is at pc 0x" in r.stdout, told(r))
    found = [int(n) for n in re.findall(r"cycle (\d+)", r.stdout)[1:4]]
    case("the cycle lies between the pairs", len(found) == 3 and found[0] < found[2] <= found[1], str(found))
    r = kerr("diff", a, a)
    case("a run and itself", r.returncode == 0 and "in 3 pairs, up to cycle 2000" in r.stdout, told(r))
    r = kerr("diff", a, a, "--run", "100")
    case("and on from its end", r.returncode == 0 and "up to cycle 2100" in r.stdout, told(r))
    empty = path("empty")
    os.makedirs(empty, exist_ok=True)
    odd = path("odd")
    os.makedirs(odd, exist_ok=True)
    shutil.copy(os.path.join(a, name(1000)), os.path.join(odd, name(1001)))
    for what, pair in (("a folder and a file", (a, os.path.join(a, name(0)))), ("an empty folder", (a, empty)), ("nothing in common", (a, odd))):
        r = kerr("diff", *pair)
        case(f"refused: {what}", r.returncode == 2 and r.stderr.startswith("kerr diff: "), told(r))


def host(library):
    """As a host program would: a program in tile 1,2, calls that let time pass."""
    sim = ctypes.CDLL(library)
    sim.libttsim_init()
    write_tile = sim.libttsim_tile_wr_bytes
    write_tile.argtypes = [ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint32]
    words = support.code(support.lui(T1, 0x20000), support.addi(T0, T0, 1), support.sw(T0, T1, 0), support.jump(-8))
    write_tile(1, 2, 0, words, len(words))
    write_tile(1, 2, 0xFFB121B0, (0x47000).to_bytes(4, "little"), 4)
    for _ in range(50):
        sim.libttsim_clock(300)
    sim.libttsim_exit()


def test_host():
    library, folder = os.path.join(support.BUILD, "sim", "libttsim.so"), path("host")
    command = [sys.executable, os.path.abspath(__file__), "host", library]
    r = kerr("exec", "-q", "--save-every", "2000", "--save-dir", folder, "--save-keep", "5", "--", *command)
    names = files(folder)
    cycles = [int(re.search(r"\d+", n)[0]) for n in names]
    case("kerr exec: the first call behind every multiple", r.returncode == 0 and len(cycles) == 5 and cycles[0] < 2000 and
         all(0 <= c % 2000 < 1300 for c in cycles[1:]) and cycles == sorted(cycles), told(r) + str(names))
    r = kerr("state", os.path.join(folder, names[-1]), "--only", "core B/x5")
    case("a file of the drop-in library is read as any other", r.returncode == 0 and "x5" in r.stdout, told(r))
    with open(os.path.join(folder, names[-1]), "rb") as file:
        good = file.read()
    for what, data, word in (("cut", good[:-3], "cut short"), ("another byte", good[:5000] + bytes([good[5000] ^ 1]) + good[5001:], "damaged")):
        r = kerr("state", write("host.chip", data))
        case(f"and refused: {what}", r.returncode == 2 and word in r.stderr, told(r))
    again = path("again")
    kerr("exec", "-q", "--save-every", "2000", "--save-dir", again, "--save-keep", "2", "--", *command)
    r = kerr("diff", folder, again)
    case("two host programs alike", r.returncode == 0 and "in 2 pairs" in r.stdout, told(r))
    r = kerr("exec", "-q", "--save-every", "2000", "--save-dir", write("no-folder", b""), "--", *command)
    case("a folder that is none: the program does not run", r.returncode == 2 and "--save-dir: " in r.stderr and "Not a directory" in r.stderr, told(r))


def main():
    if len(sys.argv) > 1:
        host(sys.argv[2])
        return
    one, a = test_run()
    test_trouble(one)
    test_diff(one, a)
    test_host()
    done()


main()

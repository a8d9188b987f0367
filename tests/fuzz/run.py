#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one libFuzzer target for a bounded time: run.py elf|job|code|guest|gdb|attach|findings [--seconds N] [--seed N].

It starts from seeds made here and from the inputs that once failed, tests/fuzz/found/NAME/*: every bug leaves one.

A failing input is kept in $BUILD/fuzz-failures/ and can be run again: $BUILD/tests/fuzz/NAME_fuzz FILE.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "cli"))
import support  # noqa: E402


def elf_seeds():
    text = support.segment(support.store(0x20000, 1), 0x3000)
    data = support.segment(b"abcdefgh", 0xFFB00000, load=0x8000, memory=16, flags=6)
    yield support.elf(text)
    yield support.elf(text, data)
    yield support.elf(text, support.segment(b"abcd", 0x3004))
    yield support.elf(text, elf_class=2)
    yield support.elf(text, sections=(52, 32, 1))
    if shutil.which(support.GCC):
        source = support.write("seed.c", "int x = 3; void _start(void) { for (;;) x++; }\n")
        out = support.path("seed.elf")
        subprocess.run([support.GCC, "-g", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-Wl,-n", "-Wl,-Ttext=0x3000", source,
                        "-o", out], check=True)
        yield support.read("seed.elf")


def job_seeds():
    for text in ("programs: [{elf: a, tiles: \"1-2,2\", cores: [B, NC], entry: 0x10}]\ncycles: 10k\n",
                 "preload: [{tile: all, address: 0, words: [1, 2]}, {tile: '1,2', address: 4, fill: 1, size: 8}]\n",
                 "dump:\n  - tile: [all]\n    address: 0x10\n    size: 4\n    format: words\n",
                 "until: [{idle: true}, {tile: '1,2', address: 8, mask: 3, eq: 1}, {tile: all, core: B, state: parked}]\n",
                 "policy: {all: stop, hazard: ignore}\nthreads: 2\nseed: 5\nevery: 3\ntimeout: 1.5\n"):
        yield b"j" + text.encode()
    yield from (b"p1-3,2:T0,T1=file.elf", b"l1,2@0x1000=file", b"d1,2:B@0xffb00000+64=hex", b"u1,2@0x10&0xff!=3", b"uall:NC=parked")


def code_seeds():
    generator = random.Random(1)
    for pairs in (5, 20, 50, 100, 200, 500):
        for _ in range(4):
            yield generator.randbytes(8 + 8 * pairs)


def guest_seeds():
    generator = random.Random(4)
    for records in (4, 8, 16, 32):
        for _ in range(3):
            yield generator.randbytes(8 + 16 * records)


def gdb_seeds():
    for lines in (["?", "g", "m0,40", "Z0,4,4", "vCont;c", "bs", "bc"], ["Hgp24.1", "vCont;s:p24.1", "P20=00000000", "M40,4:01020304"],
                  ["vFile:open:2f61,0,0", "vFile:fstat:0", "vFile:pread:0,4,1", "vFile:close:0", "qXfer:libraries-svr4:read::0,ff"],
                  ["qXfer:exec-file:read:24:0,fff", "vCont;c:p24.-1", "vCont;c:p24.-1", "D;24", "qfThreadInfo"],
                  ["qXfer:features:read:target.xml:0,fff", "qXfer:threads:read::0,fff", "qfThreadInfo"],
                  ["Z2,40,4", "vCont;c", "vCont;r4,c:p24.1", "z2,40,4"], ["qRcmd," + b"watch peek 64".hex(), "qRcmd," + b"dst 0 4 fp32".hex()]):
        yield "\n".join(lines).encode()
        yield b"".join(b"$%s#%02x" % (line.encode(), sum(line.encode()) % 256) for line in lines)


def findings_seeds():
    generator = random.Random(2)
    for text in ("card", "report", "strict", "all=stop,race-l1=strict,uninit-l1=card", "undefined=go-on,hazard=ignore", "memory,sync,hazard",
                 "all", "history", "uninit", "report,,", "=", "x=stop"):
        yield b"\0" + text.encode()
    for size in (10, 400, 900, 1200):
        yield b"\1" + generator.randbytes(size)


def attach_seeds():
    import attach_client as wire
    for verb in range(14):
        yield wire.request(verb, 1, 2, 0, 1, 64, 0x40) + wire.request(verb, 0, 0, 255, 0, 1 << 20)
    yield wire.request(wire.READ, 1, 2, 255, 0, 4096, 0xFFB11000) * 3


def chip_seeds():
    """A file that is good, pieces of it, and changes to the stream of a chip."""
    generator = random.Random(3)
    program = support.write("seed.elf", support.elf(support.segment(support.store(0x20000, 1), 0x0)))
    saved = support.path("seed.chip")
    result = support.kerr("run", "-q", f"1,2:B={program}", "--cycles", "300", "--save", saved)
    if result.returncode == 0:
        good = support.read("seed.chip")
        yield b"\x80" + good
        yield b"\x80" + good[:len(good) // 2]
        yield b"\x80" + good[:40]
    for changes in (1, 2, 4, 8, 30):
        for first in (0, 1, 2, 0x70):
            yield bytes([first]) + generator.randbytes(7 * changes)


SEEDS = {"elf": elf_seeds, "job": job_seeds, "code": code_seeds, "guest": guest_seeds, "gdb": gdb_seeds, "attach": attach_seeds, "findings": findings_seeds, "chip": chip_seeds}


def dictionary():
    """Keys and words of job files, from the command's own table."""
    with open(os.path.join(ROOT, "tools", "options.def"), encoding="utf-8") as table:
        keys = re.findall(r'^JOB_KEY\(\w+, \w+, "(\w+)"', table.read(), re.M)
    words = sorted({f"{key}: " for key in keys} | {"all", "go-on", "ignore", "stop", "parked", "0x", "- ", "{", "}", "[", "]", "1,2", "&a ", "*a"})
    return "".join(f'"{word}"\n' for word in words)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("target", choices=tuple(SEEDS))
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    name = arguments.target
    program = os.path.join(support.BUILD, "tests", "fuzz", f"{name}_fuzz")
    if not os.path.exists(program):
        print(f"ok 1 - {name} # SKIP no {program}: is clang there?")
        return 0
    corpus = support.path("corpus")
    os.makedirs(corpus, exist_ok=True)
    for i, data in enumerate(SEEDS[name]()):
        support.write(f"corpus/{i}", data)
    found = os.path.join(ROOT, "tests", "fuzz", "found", name)
    if os.path.isdir(found):
        shutil.copytree(found, corpus, dirs_exist_ok=True)
    failures = os.path.join(support.BUILD, "fuzz-failures", "")
    os.makedirs(failures, exist_ok=True)
    command = [program, corpus, f"-max_total_time={arguments.seconds}", f"-seed={arguments.seed}", f"-artifact_prefix={failures}{name}-",
               "-rss_limit_mb=4096", "-timeout=30", "-print_final_stats=1", f"-max_len={16384 if name in ('elf', 'chip') else 4096}"]
    if name == "findings":
        kinds = re.findall(r'^KIND\(\w+, "([^"]+)"', open(os.path.join(ROOT, "src", "check", "kinds.def"), encoding="utf-8").read(), re.M)
        words = kinds + ["card", "report", "strict", "stop", "go-on", "ignore", "all", "=", ",", "memory", "sync"]
        command.append(f"-dict={support.write('dictionary', ''.join(f'{chr(34)}{word}{chr(34)}{chr(10)}' for word in words))}")
    if name == "job":
        command.append(f"-dict={support.write('dictionary', dictionary())}")
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    text = result.stdout.decode(errors="replace")
    runs = re.search(r"stat::number_of_executed_units:\s+(\d+)", text)
    support.case(f"{name}: {arguments.seconds} s of fuzzing find nothing", result.returncode == 0, text[-6000:])
    print(f"# {runs.group(1) if runs else '?'} inputs")
    support.done()
    return 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What kerr run refuses: each case is one line on standard error that says what and where, status 2, and nothing run."""

import re

from support import *

GOOD_CODE = store(0x20000, 1)
GOOD = program("good.elf", GOOD_CODE)


def refused(name, pattern, *arguments, env=None):
    r = kerr("run", *arguments, env=env)
    lines = r.stderr.splitlines()
    case(name, r.returncode == 2 and r.stdout == "" and len(lines) == 1 and re.search(pattern, r.stderr),
         f"expected: {pattern}\n{told(r)}")


def elf_refused(name, pattern, data):
    file = write("bad.elf", data)
    refused(f"ELF: {name}", rf"bad\.elf: .*{pattern}", file)


def test_elf():
    good = elf(segment(GOOD_CODE, 0x3000))
    text = segment(GOOD_CODE, 0x3000)
    elf_refused("an empty file", "not an ELF file", b"")
    elf_refused("a text file", "not an ELF file", b"int main(void) { return 0; }\n")
    elf_refused("cut inside the header", "truncated: 40 bytes", good[:40])
    elf_refused("cut inside the program headers", r"truncated: its headers reach to byte 84", good[:70])
    elf_refused("cut inside a segment", r"truncated: segment 0 reaches to byte \d+, and the file has \d+", good[:-4])
    elf_refused("cut before its section headers", "truncated: its headers reach",
                elf(text, sections=(len(good), 40, 5)))
    elf_refused("64-bit", "64-bit ELF file, but baby cores run 32-bit", elf(text, elf_class=2))
    elf_refused("unknown class", "unknown class", elf(text, elf_class=7))
    elf_refused("big-endian", "is big-endian", elf(text, order=2))
    elf_refused("x86", "for machine 62, not for RISC-V", elf(text, machine=62))
    elf_refused("an object file", "object file: link it", elf(text, kind=1))
    elf_refused("position independent", "position independent", elf(text, kind=3))
    elf_refused("compressed instructions", "compressed instructions", elf(text, flags=1))
    elf_refused("no program headers", "no program headers", elf(entry=0))
    elf_refused("odd program headers", "program headers of 56 bytes", elf(text, header_size=56))
    elf_refused("more in the file than in memory", r"segment 0 has 0x18 bytes in the file, but only 0x4",
                elf(segment(GOOD_CODE, 0x3000, memory=4)))
    elf_refused("overlapping segments", r"segments overlap: 0x18 bytes at 0x3000 and 0x4 bytes at 0x3010",
                elf(text, segment(b"abcd", 0x3010)))
    elf_refused("overlapping load addresses", "segments overlap", elf(text, segment(b"abcd", 0x9000, load=0x3014)))
    elf_refused("past the end of the address space", "segment 1 .* past the end of the address space",
                elf(text, segment(b"abcd", 0xFFFFFFFE)))
    elf_refused("code outside memory", r"segment of 0x18 bytes at 0x00800000 is outside the memory of tile 1,2 core B",
                elf(segment(GOOD_CODE, 0x800000)))
    elf_refused("code across the end of L1", r"at 0x0017fff0 is outside the memory of tile 1,2 core B",
                elf(segment(GOOD_CODE, 0x17FFF0)))
    elf_refused("entry outside the code", "entry 0x00009000 is outside the code it loads", elf(text, entry=0x9000))
    elf_refused("entry in data", "outside the code", elf(text, segment(b"abcd", 0x8000, flags=R | W), entry=0x8000))
    elf_refused("odd entry", "entry 0x00003002 is not a multiple of 4", elf(text, entry=0x3002))
    elf_refused("nothing to load", "nothing to load", elf(segment(b"", 0x3000)))
    elf_refused("too many segments", "more than 64 segments", elf(*[segment(b"abcd", 0x3000 + 16 * i) for i in range(65)]))
    elf_refused("segment behind the file", "truncated: segment 0 reaches to byte", elf(segment(GOOD_CODE, 0x3000, offset=0x7FFFFFF0)))
    refused("ELF: not there", r"nowhere\.elf: cannot open it", path("nowhere.elf"))
    refused("ELF: a folder", "is a folder", TMP)
    refused("--entry outside the code", "entry 0x00000000 is outside", GOOD, "--entry", "0")
    other = program("other.elf", GOOD_CODE, 0x3010)
    refused("two programs over each other", r"good\.elf and .*other\.elf overlap at 0x00003010 in the L1 of tile 1,2",
            f"B={GOOD}", f"NC={other}")
    refused("two programs for one core", "both for tile 1,2 core B", f"B={GOOD}", f"B={other}")


def test_line():
    refused("no program", "no program to run")
    refused("unknown option", "unknown option '--cylces'; did you mean --cycles", "--cylces", "5", GOOD)
    refused("option without its value", "--cycles needs a value: N", GOOD, "--cycles")
    refused("value for an option without one", "--quiet takes no value", "--quiet=yes", GOOD)
    refused("cycles not a number", "--cycles: '12q' is not a count", "--cycles", "12q", GOOD)
    refused("cycles too large", "--cycles: .* is not a count", "--cycles", "99999999999G", GOOD)
    refused("cycles negative", "--cycles: '-1' is not a count", "--cycles=-1", GOOD)
    refused("threads 0", "--threads: must be at least 1", "--threads", "0", GOOD)
    refused("threads 65", "--threads: '65' is not a number from 0 to 64", "--threads", "65", GOOD)
    refused("timeout 0", "--timeout: '0' is not a number of seconds", "--timeout", "0", GOOD)
    refused("timeout nan", "--timeout: 'nan'", "--timeout", "nan", GOOD)
    refused("tile outside the grid", "'17,2' names no tile", f"17,2:B={GOOD}")
    refused("tile without cores", r"no Tensix tile at 0,0 \(DRAM\)", f"0,0:B={GOOD}")
    refused("rectangle without a Tensix tile", "no Tensix tile in '0,0-5'", f"0,0-5:B={GOOD}")
    refused("rectangle backwards", "'5-3,2' names no tile", f"5-3,2:B={GOOD}")
    refused("unknown core", "'T3' is no baby core", f"1,2:T3={GOOD}")
    refused("no file behind =", "names no file", "1,2:B=")
    refused("preload without =", "is not TILE@ADDRESS=FILE", "--preload", "1,2@0x1000", GOOD)
    refused("preload file missing", r"nothing\.bin: cannot open it", "--preload", f"1,2@0={path('nothing.bin')}", GOOD)
    refused("preload outside memory", "preload of .* at 0x180000 of tile 1,2", "--preload", f"1,2@0x180000={GOOD}", GOOD)
    refused("dump outside memory", "dump of 0x20 bytes at 0x17fff0 of tile 1,2", "--dump", "1,2@0x17fff0+32=hex", GOOD)
    refused("dump of nothing", "is no range of memory", "--dump", "1,2@0+0=hex", GOOD)
    refused("dump without size", "is not TILE", "--dump", "1,2@0=hex", GOOD)
    refused("dump of odd words", "multiple of 4", "--dump", "1,2@0+6=words", GOOD)
    refused("dump to a folder that is not there", "cannot write it", "--dump", f"1,2@0+4={path('no/where.bin')}", GOOD)
    refused("two dumps to one file", "two dumps go to the same file", "--dump", f"1,2@0+4={path('x')}", "--dump",
            f"2,2@0+4={path('x')}", GOOD)
    refused("until without ==", "neither == nor !=", "--until", "1,2@0x1000", GOOD)
    refused("until nonsense", "'soon' is no condition", "--until", "soon", GOOD)
    refused("until odd address", "not a multiple of 4", "--until", "1,2@0x1002==1", GOOD)
    refused("until outside memory", "--until: 0x70000000 of tile 1,2", "--until", "1,2@0x70000000==1", GOOD)
    refused("until unknown state", "'asleep' is no state", "--until", "1,2:B=asleep", GOOD)
    refused("--trace-only without --trace", "no --trace FILE", "--trace-only", "1,2:B", GOOD)
    refused("trace file cannot be written", "cannot write it", "--trace", path("no/where.pftrace"), GOOD)
    refused("trace text cannot be written", "cannot write it", "--trace-text", path("no/where.txt"), GOOD)
    refused("two traces to standard output", "cannot both go to standard output", "--trace", "-", "--trace-text", "-", GOOD)
    refused("job given twice", "given twice", "--job", "a", "--job", "b")


def job_refused(name, place, pattern, text):
    file = write("bad.yaml", text)
    refused(f"job: {name}", rf"bad\.yaml{place}: .*{pattern}", "--job", file)


def test_job():
    item = "programs: [{elf: good.elf}]\n"
    job_refused("empty", "", "is empty", "")
    job_refused("not a map", ":1:1", "a job file must be a map, not a list", "- 1\n")
    job_refused("broken YAML", r":\d+:\d+", "not valid YAML", "programs: [{elf: good.elf}\ncycles: 3\n")
    job_refused("not text", r":\d+:\d+", "not valid YAML", b"\xff\xfe\x00\x01binary\x80")
    job_refused("unknown key", ":3:1", "unknown key 'cylces'; known here: cycles, timeout", f"# x\n{item}cylces: 5\n")
    job_refused("unknown key in an item", ":2:21", "unknown key 'core'; known here: elf, tiles, cores, entry",
                "programs:\n  - {elf: good.elf, core: B}\n")
    job_refused("a tile without quotes", ":1:37", r"unknown key '2'.*needs quotes", "programs: [{elf: good.elf, tiles: 1,2}]\n")
    job_refused("key twice", ":3:1", r"'cycles' is here a second time \(first in line 2\)", f"{item}cycles: 1\ncycles: 2\n")
    job_refused("number out of range", ":2:10", "threads: '100' is not a number from 0 to 64", f"{item}threads: 100\n")
    job_refused("no number", ":2:9", "cycles: 'many' is not a count", f"{item}cycles: many\n")
    job_refused("no value", ":2:8", "cycles has no value", f"{item}cycles:\n")
    job_refused("list for a number", ":2:9", "cycles must be a single value, not a list", f"{item}cycles: [1]\n")
    job_refused("item without its file", ":1:12", "needs the key 'elf'", "programs: [{cores: B}]\n")
    job_refused("no such tile", r":1:35", "no Tensix tile at 9,2", 'programs: [{elf: good.elf, tiles: "9,2"}]\n')
    job_refused("no such core", r":1:35", "'X' is no baby core", "programs: [{elf: good.elf, cores: X}]\n")
    job_refused("entry too large", r":1:35", "not a number from 0 to 4294967295", "programs: [{elf: good.elf, entry: 0x100000000}]\n")
    job_refused("empty list of cores", ":1:35", "cores is an empty list", "programs: [{elf: good.elf, cores: []}]\n")
    job_refused("anchor", r":\d+:\d+", "anchors", "programs: &a [{elf: good.elf}]\ndump: *a\n")
    job_refused("tag", r":1:9", "tags", "cycles: !!int 5\n")
    job_refused("two documents", ":2:1", "second document", f"{item}---\n{item}")
    job_refused("too deep", r":\d+:\d+", "nested too deeply", "programs: " + "[" * 40 + "]" * 40 + "\n")
    job_refused("preload of two kinds", ":2:11", "either file, or words, or fill", f"{item}preload: [{{tile: all, address: 0, words: [1], fill: 2}}]\n")
    job_refused("preload word too large", r":2:\d+", "words: '0x100000000' is not a number", f"{item}preload: [{{tile: all, address: 0, words: [0x100000000]}}]\n")
    job_refused("fill of odd size", r":2:\d+", "multiple of 4", f"{item}preload: [{{tile: all, address: 0, fill: 1, size: 7}}]\n")
    job_refused("dump of two kinds", r":2:\d+", "either file or format", f"{item}dump: [{{tile: all, address: 0, size: 4, file: a, format: hex}}]\n")
    job_refused("dump format", r":2:\d+", "hex, words, riscv or tensix, not 'pdf'", f"{item}dump: [{{tile: all, address: 0, size: 4, format: pdf}}]\n")
    job_refused("until of two kinds", ":2:8", "a condition of until has either", f"{item}until: {{idle: true, tile: all}}\n")
    job_refused("until idle: false", r":2:\d+", "idle can only be true", f"{item}until: {{idle: false}}\n")
    job_refused("policy", r":2:10", "'undefined=perhaps' is no policy", f"{item}policy: {{undefined: perhaps}}\n")
    job_refused("NUL in a name", r":1:\d+", "NUL", 'programs: [{elf: "a\\0b"}]\n')
    write("bad_of_job.elf", "x")
    refused("job: its ELF is bad", r"bad_of_job\.elf: is not an ELF file", "--job",
            write("job.yaml", "programs: [{elf: bad_of_job.elf}]\n"))
    refused("job: not there", r"no\.yaml: cannot open it", "--job", path("no.yaml"))


test_elf()
test_line()
test_job()
done()

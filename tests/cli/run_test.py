#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr run: where programs go, what memory goes in and comes out, when a run ends, what it says and returns."""

import json
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import time

from support import *

OUT = 0x20000
STORES_1 = program("stores_1.elf", store(OUT, 0x12345678))
# The fence lets each store out of the store queue; without it the queue goes on coalescing.
FENCE = 0x0FF0000F
COUNTS = program("counts.elf", code(li(T0, OUT), addi(T1, ZERO, 0), addi(T1, T1, 1), sw(T1, T0), FENCE, jump(-12)))


def word(result, index=0):
    """A word of a --dump ...=words."""
    words = re.findall(r"\b[0-9a-f]{8}\b(?!:)", result.stdout)
    return int(words[index], 16) if index < len(words) else None


def test_coverage():
    def push(word, times=1):
        return [(word << 2 | word >> 30) & 0xFFFFFFFF] * times
    pushes = program("pushes.elf", code(*push(0x02000000, 50), *push(0x8F000000, 3), *push(0x02000000), jump(0)))
    r = kerr("run", f"1-2,2:T1={pushes}", "--coverage", "-", "--cycles", "2000")
    rows = {name: (unit, int(times)) for name, unit, times in re.findall(r"^(\w+) +(\w+) +(\d+)$", r.stdout, re.M)}
    case("--coverage counts what the units took, in all tiles together",
         rows.get("NOP") == ("misc", 102) and rows.get("SFPNOP") == ("vector", 6) and rows.get("MVMUL") == ("matrix", 0) and
         "MOP" not in rows, told(r))
    r = kerr("run", f"T1={pushes}", "--coverage", path("none/there"), "--cycles", "2000")
    case("--coverage to a file that cannot be written is refused", r.returncode == 2 and "none/there" in r.stderr, told(r))


def test_where():
    r = kerr("run", STORES_1, "--dump", f"1,2@{OUT}+4=words")
    case("a bare file goes to the first Tensix tile, core B, and the run ends when the chip is idle",
         r.returncode == 0 and word(r) == 0x12345678 and "finished after" in r.stderr and re.search(r"\bB \d+", r.stderr), told(r))
    r = kerr("run", f"3,4:NCRISC={STORES_1}", "--dump", f"3,4@{OUT}+4=words", "--dump", f"1,2@{OUT}+4=words")
    case("TILE:CORE with the firmware's name", (word(r, 0), word(r, 1)) == (0x12345678, 0) and " NC " in r.stderr, told(r))
    r = kerr("run", f"T1={STORES_1}", "--dump", f"1,2@{OUT}+4=words")
    case("CORE alone means the first tile", word(r) == 0x12345678 and " T1 " in r.stderr, told(r))
    r = kerr("run", f"1-2,2-3={STORES_1}", "--dump", f"1-3,2-3@{OUT}+4={path('rect.bin')}")
    words = struct.unpack("<6I", read("rect.bin")) if r.returncode == 0 else ()
    case("a rectangle is its tiles and no others; a dump goes row by row",
         words == (0x12345678, 0x12345678, 0, 0x12345678, 0x12345678, 0), f"{words}\n{told(r)}")
    r = kerr("run", f"all={STORES_1}", "--dump", f"all@{OUT}+4={path('all.bin')}")
    case("all is 140 tiles", r.returncode == 0 and read("all.bin") == struct.pack("<I", 0x12345678) * 140, told(r))
    case("many cores in one place are one line of the summary",
         len(re.findall(r"^kerr:   B .*134 more$", r.stderr, re.M)) == 1, told(r))
    r = kerr("run", f"1,2:all={STORES_1}", "--dump", f"1,2@{OUT}+4=words")
    case("one file on all five cores of a tile", r.returncode == 0 and all(f"  {c:<2} " in r.stderr for c in
                                                                         ("B", "T0", "T1", "T2", "NC")), told(r))


def test_segments():
    data = struct.pack("<I", 0xCAFE0001)
    copies = code(li(T0, 0x8000), lw(T1, T0), li(T2, OUT), sw(T1, T2), FOREVER)
    file = write("moved.elf", elf(segment(copies, 0x3000), segment(data, 0xFFB00000, load=0x8000, flags=R | W)))
    r = kerr("run", file, "--dump", f"1,2@{OUT}+4=words")
    case("a segment goes to its load address", word(r) == 0xCAFE0001, told(r))
    file = write("bss.elf", elf(segment(store(OUT, 1), 0x3000), segment(data, 0x8000, memory=12, flags=R | W)))
    dirty = write("dirty.bin", b"\xff" * 4096)
    r = kerr("run", file, "--dump", "1,2@0x8000+16=words")
    case("memory behind a segment's file bytes is zero", r.returncode == 0 and word(r, 0) == 0xCAFE0001 and word(r, 1) == 0, told(r))
    reads_local = code(li(T0, 0xFFB00000), lw(T1, T0), li(T2, OUT), sw(T1, T2), FOREVER)
    file = write("local.elf", elf(segment(reads_local, 0x3000), segment(data, 0xFFB00000, flags=R | W)))
    r = kerr("run", file, "--dump", f"1,2@{OUT}+4=words", "--dump", "1,2:B@0xFFB00000+4=words")
    case("a segment linked into local RAM is there when the core runs", word(r) == 0xCAFE0001, told(r))
    case("a dump with CORE sees the core's local RAM", word(r, 1) == 0xCAFE0001, told(r))
    r = kerr("run", STORES_1, "--preload", f"1,2@0x8000={dirty}", "--dump", "1,2@0x8ffc+8=words")
    case("--preload writes a file's bytes and no more", (word(r, 0), word(r, 1)) == (0xFFFFFFFF, 0), told(r))
    r = kerr("run", "--entry", "0x3010", write("late.elf", elf(segment(code([0] * 4) + store(OUT, 7), 0x3000))), "--dump",
             f"1,2@{OUT}+4=words")
    case("--entry starts elsewhere", word(r) == 7, told(r))
    linked_elsewhere = elf(segment(store(OUT, 9), 0xFFC00000, load=0x4000))
    r = kerr("run", write("elsewhere.elf", linked_elsewhere), "--dump", f"1,2@{OUT}+4=words")
    case("code whose load address differs starts where it was loaded", word(r) == 9, told(r))


def test_ends():
    r = kerr("run", COUNTS, "--cycles", "12k", "--dump", f"1,2@{OUT}+4=words")
    case("--cycles runs exactly so many; what is not finished then is out of time", r.returncode == 3 and "after 12000 cycles" in r.stderr and
         "not finished" in r.stderr and word(r), told(r))
    r = kerr("run", COUNTS, "--cycles", "0")
    case("--cycles 0 is allowed", r.returncode == 3 and "after 0 cycles" in r.stderr, told(r))
    r = kerr("run", COUNTS, "--until", f"1,2@{OUT}!=0", "--every", "1", "--cycles", "1M", "--dump", f"1,2@{OUT}+4=words")
    case("--until word != value, looked at every cycle", r.returncode == 0 and word(r) == 1, told(r))
    r = kerr("run", COUNTS, "--until", f"1,2@{OUT}&0xF00==0x300", "--every", "1", "--cycles", "1M", "--dump",
             f"1,2@{OUT}+4=words")
    case("--until with a mask", r.returncode == 0 and word(r) == 0x300, told(r))
    r = kerr("run", COUNTS, f"2,2={STORES_1}", "--until", "2,2:B=parked", "--cycles", "1M")
    case("--until core = state", r.returncode == 0 and "condition reached" in r.stderr, told(r))
    r = kerr("run", COUNTS, f"2,2={COUNTS}", "--until", f"1-2,2@{OUT}!=0", "--until", f"1,2@{OUT}&8==8", "--every", "1",
             "--dump", f"1-2,2@{OUT}+4={path('both.bin')}")
    case("several conditions must hold at once", r.returncode == 0 and read("both.bin")[0] & 8, told(r))
    r = kerr("run", COUNTS, "--until", "idle", "--cycles", "10000")
    case("a condition that is not reached is status 3", r.returncode == 3 and "condition not reached" in r.stderr, told(r))
    started = time.monotonic()
    r = kerr("run", COUNTS, "--timeout", "0.3", "--cycles", "100000G")
    case("--timeout is status 3, in time", r.returncode == 3 and "out of time" in r.stderr
         and time.monotonic() - started < 3, told(r))
    r = kerr("run", "-q", STORES_1)
    case("--quiet says nothing", r.returncode == 0 and r.stdout + r.stderr == "", told(r))
    one, two = [kerr("run", "--threads", n, f"all={COUNTS}", "--cycles", "5000", "--dump",
                     f"all@{OUT}+4={path('t' + n)}") for n in ("1", "2")]
    case("--threads changes nothing", one.returncode == two.returncode == 3 and read("t1") == read("t2"), told(two))


def test_interrupt_and_progress():
    process = subprocess.Popen([KERR, "run", COUNTS, "--cycles", "100000G", "--dump", f"1,2@{OUT}+4=words"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(2.7)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    case("an interrupt ends the run with summary, dumps and status 3",
         process.returncode == 3 and "interrupted" in err and f"{OUT:08x}:" in out, f"{process.returncode}\n{out}{err}")
    case("without a terminal progress shows after two seconds", re.search(r"cycles, .* simulated, .*cycles/s, 1 cores? running\n",
                                                                      err), err)
    try:
        master, slave = pty.openpty()
    except OSError as error:
        skip("on a terminal progress is one line that is rewritten", f"optional: no pseudo terminal here ({error})")
        return
    process = subprocess.Popen([KERR, "run", COUNTS, "--timeout", "1", "--cycles", "100000G"], stderr=slave,
                               stdout=subprocess.DEVNULL)
    os.close(slave)
    text = b""
    while select.select([master], [], [], 20)[0]:
        try:
            piece = os.read(master, 4096)
        except OSError:
            break
        if not piece:
            break
        text += piece
    process.wait(20)
    os.close(master)
    case("on a terminal progress is one line that is rewritten", text.count(b"\rkerr: ") >= 2 and b"simulated" in text, text)


C_SOURCE = """
#define HERE __attribute__((noinline))
HERE void goes_wrong(volatile int *where)
{
    *where = 1; /* line 5 */
}

__asm__(".globl _start\\n.type _start, @function\\n_start: lui a0, 0x70000\\nj goes_wrong\\n.size _start, .-_start\\n");
"""


def test_faults():
    illegal = program("illegal.elf", code(addi(T0, ZERO, 5), 0xFFFFFFFF))
    r = kerr("run", illegal, "--dump", "1,2@0x3000+4=words")
    case("a fault is status 1 and names tile, core and cycle", r.returncode == 1 and "fault" in r.stderr
         and re.search(r"1,2", r.stderr) and "stopped by a fault" in r.stderr, told(r))
    case("dumps are written after a fault", word(r) is not None, told(r))
    r = kerr("run", "-q", illegal)
    case("a fault is printed even when quiet", r.returncode == 1 and "fault" in r.stderr and r.stderr.count("\n") <= 2, told(r))
    if shutil.which(GCC) is None:
        skip("a fault shows function, file and line", f"no {GCC}")
        return
    source = write("wrong.c", C_SOURCE)
    subprocess.run([GCC, "-g", "-O1", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-Wl,-n", "-Wl,-Ttext=0x3000",
                    source, "-o", path("wrong.elf")], check=True)
    r = kerr("run", path("wrong.elf"))
    case("a fault shows function, file and line", r.returncode == 1 and re.search(r"in goes_wrong\(\) at .*wrong\.c:5\b", r.stderr),
         told(r))
    subprocess.run([GCC.replace("gcc", "strip"), "--strip-debug", path("wrong.elf"), "-o", path("stripped.elf")], check=True)
    r = kerr("run", path("stripped.elf"))
    case("without DWARF it shows the function", "in goes_wrong()" in r.stderr and "wrong.c" not in r.stderr, told(r))
    moved = path("moved_code.elf")
    subprocess.run([GCC.replace("gcc", "objcopy"), "--change-section-lma", ".text+0x5000", path("wrong.elf"), moved], check=True)
    r = kerr("run", moved)
    case("code that runs elsewhere than linked still finds its line", re.search(r"pc [^\n]*8[0-9a-f]{3}|0x0*8", r.stderr)
         and re.search(r"in goes_wrong\(\) at .*wrong\.c:5\b", r.stderr), told(r))


def test_check():
    # REPLAY records two instructions and plays them back to back: SFPADD into LReg[3], SFPIADD of it a cycle too early.
    words = (0x04000021, 0x850A1930, 0x79000034, 0x04000020)
    pushes = code(li(T0, 0xFFE40000), *(step for word in words for step in (li(T1, word), sw(T1, T0))), FOREVER)
    file = program("hazard.elf", pushes)
    r = kerr("run", file, "--cycles", "4000")
    case("a read that nothing protects is no fault", r.returncode == 0 and "SFPIADD" not in r.stderr, r.stderr)
    r = kerr("run", file, "--cycles", "4000", "--check")
    case("but --check reports it", "hazard" in r.stderr.lower() and "SFPIADD reads LReg[3]" in r.stderr, r.stderr)


def test_trace():
    r = kerr("run", STORES_1, "--cycles", "50", "--trace-text", path("trace.txt"))
    lines = read("trace.txt").decode().splitlines() if r.returncode == 0 else []
    case("--trace-text has a line an instruction: cycle, tile, core, pc, word",
         len(lines) >= 6 and re.fullmatch(r" +\d+ +1,2 +B +00003000 000202b7", lines[0]), told(r) + "\n".join(lines))
    r = kerr("run", f"1,2:all={STORES_1}", "--cycles", "50", "--trace-text", "-", "--trace-only", "1,2:T2")
    case("--trace-only leaves out other cores", "T2" in r.stdout and " NC " not in r.stdout, told(r))


JOB = """# a job
cycles: 100k
threads: 1
seed: 0x12
policy: {undefined: stop, hazard: go-on}
programs:
  - elf: adds.elf
    tiles: ["1-2,2", "5,5"]
    cores: [B]
  - {elf: stores_far.elf, cores: T0}
preload:
  - {tile: all, address: 0x10000, words: [3, 0x10]}
  - tile: 5,5
    address: 0x10004
    fill: 0x20
    size: 4
dump:
  - {tile: ["1-2,2", "5,5"], address: 0x10008, size: 4, file: job.bin}
  - {tile: "1,2", address: 0x20000, size: 4, format: words}
until:
  - {tile: ["1,2", "5,5"], address: 0x10008, ne: 0}
  - {tile: "1,2", core: T0, state: parked}
"""


def test_job():
    program("adds.elf", code(li(T0, 0x10000), lw(T1, T0), lw(T2, T0, 4), T2 << 20 | T1 << 15 | T1 << 7 | 0x33, sw(T1, T0, 8), FOREVER))
    program("stores_far.elf", store(OUT, 0x55), 0x5000)
    job = write("job.yaml", JOB)
    r = kerr("run", "--job", job)
    case("a job file does all of it, with paths relative to itself", r.returncode == 0
         and struct.unpack("<3I", read("job.bin")) == (0x13, 0x13, 0x23) and word(r) == 0x55, told(r))
    r = kerr("run", "--job", job, "--cycles", "0", "--until", "idle")
    case("the line wins over the file", r.returncode == 3 and "after 0 cycles" in r.stderr, told(r))
    job = write("job2.yaml", "programs: [{elf: stores_far.elf, entry: 0x500c}]\nuntil: {idle: true}\n")
    r = kerr("run", "-j", job)
    case("one condition needs no list; entry is used", r.returncode == 0 and "finished after" in r.stderr and "B 2, total 2" in r.stderr, told(r))
    program("reads.elf", code(li(T0, OUT), lw(T1, T0), FOREVER))
    files = ["job.pftrace", "job_start.chip", "job_end.chip", "job.jsonl"]
    job = write("job3.yaml", "programs: [{elf: reads.elf}]\ncheck: [memory, sync]\ntrace: job.pftrace\nsave-start: job_start.chip\n"
                "save: job_end.chip\nfindings: job.jsonl\n")
    r = kerr("run", "--job", job)
    case("check, findings, trace, save and save-start are those of the line", r.returncode == 5 and all(os.path.getsize(path(f)) > 0 for f in files) and
         json.loads(read("job.jsonl"))["id"] == "uninit-l1", told(r))
    for file in files:
        os.unlink(path(file))
    r = kerr("run", "-j", job, "--check=none", "--trace", path("line.pftrace"), "--save", path("line.chip"), "--findings", path("line.jsonl"))
    case("the line wins over them", r.returncode == 0 and [os.path.exists(path(f)) for f in files] == [False, True, False, False] and
         os.path.exists(path("line.pftrace")) and os.path.exists(path("line.chip")), told(r))
    r = kerr("run", "-j", job, "--findings-ok", "--access-log", path("access.log"))
    case("a log on the line goes without the trace of the file", r.returncode == 0 and not os.path.exists(path("job.pftrace")), told(r))
    for text, why in (("check: []", "check is an empty list"), ("check: memroy", "did you mean 'memory'"), ("check: {a: b}", "check"),
                      ("save: []", "save"), ("trace: nowhere/x", "nowhere/x"), ("sav: x", "did you mean save")):
        r = kerr("run", "-j", write("job4.yaml", f"programs: [{{elf: reads.elf}}]\n{text}\n"))
        case(f"refused: {text}", r.returncode == 2 and why in r.stderr, told(r))


KERR_CC = os.path.join(BUILD, "sdk", "kerr-cc")
# Polls a word of L1 for ever; the label is in the loop.
POLLS = """#include "kerr_sdk.h"
int main(void) { while (*KERR_WORD(0x30000) == 0) { %s; } return 0; }
"""
DIVES = """#include "kerr_sdk.h"
static int flag;
int main(void) { while (!flag) { } return 0; }
"""


def how(r):
    """Verdict, cycle, instructions and where cores stand, as --verdict - has them."""
    found = re.search(r'^\{"verdict".*?\]\}$', r.stdout, re.M | re.S)
    return json.loads(found[0]) if found else {}


def verdict_of(*arguments, **more):
    r = kerr("run", *arguments, "--verdict", "-", **more)
    return r, how(r)


def test_verdicts():
    r, end = verdict_of(STORES_1)
    case("a program that ends has finished, in the cycle in which it did, without its end loop", r.returncode == 0 and end ==
         {"verdict": "finished", "status": 0, "cycle": 14, "instructions": 5, "cores": [
             {"tile": [1, 2], "core": "B", "stand": "ended", "pc": 0x3014, "cycle": 14, "instructions": 5}]}, told(r))
    polls = program("polls.elf", code(li(T0, 0x30000), lw(T1, T0), T1 << 15 | 0xFE000EE3))  # beqz t1, -4
    four, end = verdict_of(f"1-4,2={polls}")
    case("four tiles that poll what never comes hang, and it says for what", four.returncode == 4 and end["verdict"] == "hung" and
         "hung after" in four.stderr and "who waits for whom" in four.stderr and "polls L1 0x00030000" in four.stderr and
         [c["stand"] for c in end["cores"]] == ["polling"] * 4, told(four))
    r, end = verdict_of(polls, "--cycles", "5000")
    case("a hang is one with --cycles too, which run on", r.returncode == 4 and end["cycle"] == 5000, told(r))
    r = kerr("run", "-q", polls)
    case("of a hang is told even when quiet", r.returncode == 4 and "hung" in r.stderr and "polls" in r.stderr, told(r))
    r, end = verdict_of(polls, "--until", "1,2@0x30000==1", "--cycles", "100M")
    case("a condition that cannot come any more is not waited for", r.returncode == 4 and end["cycle"] < 5000, told(r))
    r, end = verdict_of(STORES_1, "--until", "1,2@0x30000==1", "--cycles", "100M")
    case("nor is one of a program that has finished without it", r.returncode == 3 and end["verdict"] == "out of time" and
         "finished, condition not reached" in r.stderr, told(r))
    r, end = verdict_of(polls, "--idle", "0x3008")
    case("a loop that --idle names is no hang", r.returncode == 0 and end["verdict"] == "finished" and
         end["cores"][0]["stand"] == "idle", told(r))
    r, end = verdict_of(polls, "--idle", "0x3000+8")
    case("but only if it is in that place", r.returncode == 4, told(r))
    r = kerr("run", polls, "--idle", "main_loop")
    case("a symbol that is not there is refused", r.returncode == 2 and "has no symbol main_loop" in r.stderr, told(r))
    job = write("idle.yaml", "programs: [{elf: polls.elf, idle: [0x3008, 0x300c]}]\n")
    r, end = verdict_of("--job", job)
    case("nor is one that a job file names", r.returncode == 0 and end["cores"][0]["stand"] == "idle", told(r))
    r, end = verdict_of(STORES_1, "--idle", "0x3000")
    case("of a program that names its ends others are none", r.returncode == 4 and end["cores"][0]["stand"] == "looping", told(r))
    halts = program("halts.elf", code(0x00100073, FOREVER))
    r, end = verdict_of(halts)
    case("a core that ebreak has halted is not finished", r.returncode == 4 and end["cores"][0]["stand"] == "halted", told(r))
    counts = program("counts_down.elf", code(li(T0, 30000), addi(T0, T0, -1), 0xFE029EE3, FOREVER))  # bnez t0, -4
    r, end = verdict_of(counts)
    case("a core that counts goes on", r.returncode == 0 and 30000 < end["cycle"] < 200000, told(r))


def test_watching():
    counts = program("counts_down.elf", code(li(T0, 3000), addi(T0, T0, -1), 0xFE029EE3, li(T0, OUT), sw(T0, T0), FOREVER))
    waits = program("waits_for_it.elf", code(li(T0, OUT), lw(T1, T0), T1 << 15 | 0xFE000EE3, FOREVER), 0x5000)  # beqz t1, -4
    for name, programs in (("that ends", (f"1,2:B={counts}", f"1,2:T1={waits}")), ("that hangs", (f"1-2,2:B={waits}",))):
        r, plain = verdict_of(*programs)
        for options in (["--trace", path("w.pftrace")], ["--trace-text", path("w.txt")], ["--save-every", "700", "--save-dir", path("w")],
                        ["--check", "--findings-ok"], [f"--profile={path('w.profile')}"], ["--report", path("w.html")], ["--threads", "2"], ["--threads", "1"], ["--until", "idle"], ["--attach"]):
            r2, watched = verdict_of(*programs, *options, env={"XDG_RUNTIME_DIR": TMP})
            lines = [re.sub(r", [\d.]+ s real.*|kerr run: kerr top.*\n", "", x.stderr[x.stderr.find("kerr: " + (
                "hung" if "hang" in name else "finished")):]) for x in (r, r2)]
            case(f"{options[0]} changes nothing of what is told of a program {name}", plain and plain == watched and lines[0] == lines[1] and
                 r.returncode == r2.returncode, f"{plain}\n{watched}\n{told(r)}{told(r2)}")


def test_sdk():
    if shutil.which(GCC) is None:
        skip("the sdk's programs say where they end", f"no {GCC}")
        return
    def compiled(name, core, text):
        file = path(f"{name}_{core}.elf")
        subprocess.run([KERR_CC, core, write(f"{name}.c", text), "-o", file], check=True)
        return file
    r, end = verdict_of(f"T1={compiled('polls', 'T1', POLLS % '')}")
    case("a poll in main is a hang", r.returncode == 4 and "in main() at" in r.stderr, told(r))
    r, end = verdict_of(f"T1={compiled('idles', 'T1', POLLS % 'KERR_IDLE()')}")
    case("KERR_IDLE names it", r.returncode == 0 and end["cores"][0]["stand"] == "idle", told(r))
    r, end = verdict_of(f"B={compiled('dives', 'B', DIVES)}")
    case("a wait that the compiler made a jump to itself is no end", r.returncode == 4 and end["cores"][0]["stand"] == "looping", told(r))
    linked = compiled("polls", "NC", POLLS % "")
    r = kerr("run", f"3,4:T2={linked}")
    case("an ELF file that was linked for another core is refused, and says so", r.returncode == 2 and "is linked for RISCV NC" in r.stderr and
         "T2 of tile 3,4" in r.stderr and "kerr-cc T2" in r.stderr, told(r))
    here = {"cwd": os.getcwd()}
    for core in ("B", "T1"):
        subprocess.run([KERR_CC, core, "sdk/examples/hello.c", "-o", path(f"hello_{core}.elf")], check=True, **here)
    r = kerr("run", f"3,4:T1={path('hello_T1.elf')}", "--dump", f"3,4@0x20080+64={path('hello.txt')}")
    case("hello prints the tile it is on", r.returncode == 0 and b"Hello from RISCV T1 of tile 3,4 in cycle" in read("hello.txt"), told(r))
    done = struct.unpack_from("<4I", dump_of(f"1,2:B={path('hello_B.elf')}", 0x18040, 16))
    r, end = verdict_of(path("hello_B.elf"))
    case("the end is that of the parameter block, but for a few instructions", 0 < end["cycle"] - done[2] < 40 and
         0 < end["instructions"] - done[3] < 10, f"{done}\n{told(r)}")


def dump_of(what, address, size):
    kerr("run", what, "--dump", f"1,2@{address}+{size}={path('dumped.bin')}")
    return read("dumped.bin")


for test in (test_verdicts, test_watching, test_sdk, test_where, test_coverage, test_segments, test_ends, test_interrupt_and_progress, test_faults, test_check, test_trace,
             test_job):
    test()
done()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr run --trace: the file is a Perfetto trace, and it says who waited for whom."""

import os
import shutil
import subprocess

import perfetto
from support import *

TILE = "tile (1,2)"
WORD, OUT = 0x20000, 0x20010
MAILBOX = 0xFFEC0000  # + 0x1000 * other core, of B, T0, T1, T2
EBREAK, FENCE = 0x00100073, 0x0FF0000F


def bne(a, b, offset):
    return ((offset >> 12 & 1) << 31 | (offset >> 5 & 0x3F) << 25 | b << 20 | a << 15 | 1 << 12 | (offset >> 1 & 0xF) << 8
            | (offset >> 11 & 1) << 7 | 0x63)


def delay(laps):
    return [*li(T2, laps), addi(T2, T2, -1), bne(T2, ZERO, -4)]


def trace(name, *arguments):
    """Runs, and reads the file: the trace (or None) and what went wrong."""
    r = kerr("run", "--trace", path(name), *arguments)
    try:
        return perfetto.Trace(read(name)), told(r)
    except (perfetto.Bad, OSError, KeyError, IndexError) as error:
        return None, f"{type(error).__name__}: {error}\n{told(r)}"


SENDS = program("sends.elf", code(delay(100), li(T0, MAILBOX + 0x1000), addi(T1, ZERO, 77), sw(T1, T0), FOREVER))
TAKES = program("takes.elf", code(li(T0, MAILBOX), lw(T1, T0), li(A0, OUT), sw(T1, A0), FOREVER), 0x6000)


def test_mailbox():
    args = (f"1,2:B={SENDS}", f"1,2:T0={TAKES}", "--dump", f"1,2@{OUT}+4=words")
    t, why = trace("mailbox.pftrace", *args)
    if not case("the file is a Perfetto trace: known fields, names before use, ends for begins, time goes on", t, why):
        return
    case("a tile is a process, its cores are tracks, and what is in reset has none",
         list(t.processes) == [TILE] and set(t.tracks) == {(TILE, "RISCV B"), (TILE, "RISCV T0")}, t.tracks)
    b, t0 = t.track(TILE, "RISCV B"), t.track(TILE, "RISCV T0")
    waits, sent = t0.named("waits for mailbox from B"), b.named("mailbox to T0")
    case("a core that waits for a mailbox says so, from its load on until the other's store",
         len(waits) == len(sent) == 1 and waits[0].depth == 1 and 0 < waits[0].begin_cycle < 50
         and waits[0].end_cycle == sent[0].begin_cycle and waits[0].cycles > 200, [(s.name, s.cycles) for s in t0.slices])
    arrows = [steps for steps in t.flows.values() if len(steps) == 2]
    case("an arrow goes from the store to the core that waited",
         len(arrows) == 1 and [(track.name, s.name) for track, s in arrows[0]]
         == [("RISCV B", "mailbox to T0"), ("RISCV T0", "answer: mailbox from B")], arrows)
    case("code without symbols is shown as such", [s.name for s in b.slices if s.depth == 0] == ["code without symbols"])
    loops = [s.end_cycle for s in b.named("loops")]  # the delay before the store may be one of its own
    case("a core that loops forever is one slice to the end of the run",
         len(loops) <= 2 and loops[-1:] == [b.slices[0].end_cycle] and b.slices[0].end_cycle > 1000, why)
    with_trace = kerr("run", *args, "--cycles", "5000", "--trace", path("again.pftrace"))
    without = kerr("run", *args, "--cycles", "5000")
    case("a trace changes nothing in the run", with_trace.stdout == without.stdout and "0000004d" in without.stdout
         and [x for x in with_trace.stderr.splitlines() if "instructions" in x]
         == [x for x in without.stderr.splitlines() if "instructions" in x], told(with_trace) + told(without))
    first = read("mailbox.pftrace")
    trace("mailbox2.pftrace", *args, "--threads", "2")
    case("the same run gives the same file", first == read("mailbox2.pftrace") and len(first) > 500)
    t, why = trace("only.pftrace", *args, "--trace-only", "1,2:T0")
    case("--trace-only leaves out other cores", t and set(t.tracks) == {(TILE, "RISCV T0")}, why)
    r = subprocess.run([KERR, "run", "-q", args[0], args[1], "--trace", "-"], capture_output=True, check=False)
    case("- is standard output", r.stdout == first, r.stderr)


def test_waits():
    # B's mailboxes hold four words together, its store queue four more; T0 never reads.
    fills = program("fills.elf", code(li(T0, MAILBOX + 0x1000), [sw(T1, T0)] * 12, FOREVER))
    t, why = trace("fills.pftrace", fills)
    b = t.track(TILE, "RISCV B") if t else None
    case("a store that is not taken: a wait to the end", t and len(b.named("waits, full: mailbox to T0")) == 1
         and b.named("waits, full")[0].end_cycle == b.slices[0].end_cycle, why)
    polls = program("polls.elf", code(li(T0, WORD), lw(T1, T0), bne(T1, A0, 8), jump(-8), li(A1, OUT), sw(T1, A1), FOREVER),
                    0x12000)
    writes = program("writes.elf", code(delay(1000)) + store(WORD, 5))
    t, why = trace("polls.pftrace", f"1,2:NC={polls}", f"1,2:B={writes}")
    nc = t.track(TILE, "RISCV NC") if t else None
    found = nc.named(f"polls L1 0x{WORD:08x}") if nc else []
    case("a core that polls a word in memory, and goes on", len(found) == 1 and found[0].cycles > 500
         and found[0].end_cycle < nc.slices[0].end_cycle, why)
    divides = code(addi(T0, ZERO, -1), addi(T1, ZERO, 3), 0x026353B3, addi(A0, 7, 0),  # divu t2, t1, t1
                   li(T0, WORD), lw(T1, T0), addi(T1, T1, 1), FOREVER)
    t, why = trace("late.pftrace", program("late.elf", divides))
    b = t.track(TILE, "RISCV B") if t else None
    case("a gap before an instruction names the operand it waited for", t and len(b.named("waits for divider")) == 1
         and [s.details["address"] for s in b.named("waits for load: L1")] == [WORD], why)


def test_ends():
    t, why = trace("illegal.pftrace", program("illegal.elf", code(addi(T0, ZERO, 5), 0xFFFFFFFF)))
    last = t.track(TILE, "RISCV B").slices[-1] if t else None
    case("a core that a fault stops is shown stopped to the end", t and last.name == "stopped by a fault" and last.depth == 0
         and last.cycles > 0, why)
    t, why = trace("ebreak.pftrace", program("ebreak.elf", code(addi(T0, ZERO, 5), EBREAK)))
    case("a halted core is shown halted", t and t.track(TILE, "RISCV B").slices[-1].name == "halted", why)
    busy = program("busy.elf", code(li(T0, WORD), addi(T1, T1, 1), sw(T1, T0), FENCE, jump(-12)))
    t, why = trace("cut.pftrace", busy, "--cycles", "3000")
    case("a run that is cut short leaves a whole file", t and t.track(TILE, "RISCV B").slices[0].end_cycle == 3000, why)
    if os.path.exists("/dev/full"):
        r = kerr("run", busy, "--cycles", "3000", "--trace", "/dev/full")
        case("a disk that is full is an error with a name", r.returncode == 2 and "/dev/full: cannot write it" in r.stderr, told(r))
    else:
        skip("a disk that is full is an error with a name", "optional: no /dev/full")


C_SOURCE = """static __attribute__((noinline)) void inner(volatile int *p) { for (int i = 0; i < 10; i++) *p = i; }
__attribute__((noinline)) void outer(volatile int *p) { inner(p); inner(p + 1); __asm__ volatile("nop"); }
__asm__(".globl _start\\n.type _start, @function\\n_start: lui sp, 0x40\\nlui a0, 0x20\\njal outer\\nj .\\n.size _start, .-_start\\n");
"""


def test_functions():
    if shutil.which(GCC) is None:
        skip("a core's slices are the functions it is in", f"no {GCC}")
        return
    source = write("calls.c", C_SOURCE)
    subprocess.run([GCC, "-O1", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-fno-optimize-sibling-calls",
                    "-Wl,-n", "-Wl,-Ttext=0x3000", "-Wl,-e_start", source, "-o", path("calls.elf")], check=True)
    t, why = trace("calls.pftrace", path("calls.elf"))
    names = [s.name for s in t.track(TILE, "RISCV B").slices if s.depth == 0] if t else []
    case("a core's slices are the functions it is in",
         names == ["_start", "outer", "inner", "outer", "inner", "outer", "_start"], f"{names}\n{why}")


def test_coprocessor():
    """Records that tests/cli/timeline_feed.c makes up."""
    subprocess.run([os.path.join(BUILD, "tests/cli/timeline_feed"), path("feed.pftrace")], check=True)
    t = perfetto.Trace(read("feed.pftrace"))
    tile = "tile (3,4)"
    gate = t.track(tile, "Tensix T0 wait gate").slices
    case("what stands at the wait gate is one slice with its reason, until it issues",
         [(s.name, s.begin_cycle, s.end_cycle) for s in gate] == [("SEMWAIT: semaphore 1 is zero", 104, 201)], gate)
    gate = t.track(tile, "Tensix T2 wait gate").slices
    case("another reason is another slice", [(s.name, s.begin_cycle, s.end_cycle) for s in gate] == [
        ("STALLWAIT: C0 memory requests of the Scalar Unit (ThCon), C12 Configuration Unit", 300, 310),
        ("Miscellaneous Unit busy (T1)", 310, 315)], gate)
    sync = t.track(tile, "Tensix: Sync Unit").slices
    arrows = {tuple((track.name, s.begin_cycle) for track, s in steps) for steps in t.flows.values() if len(steps) > 1}
    case("a unit's slices are the instructions it takes, with their thread",
         [(s.name, s.begin_cycle, s.end_cycle, s.details["thread"], s.details["instruction"]) for s in sync]
         == [("SEMPOST", 199, 200, "T1", "SEMPOST SemaphoreMask=2"), ("SEMGET", 201, 202, "T0", "SEMGET SemaphoreMask=2")],
         [(s.name, s.details) for s in sync])
    case("an arrow goes from the post of a semaphore to the instruction that waited for it",
         (("Tensix: Sync Unit", 199), ("Tensix: Sync Unit", 201)) in arrows, arrows)
    case("an arrow goes from a push to where the word ends up",
         (("Tensix T0 FIFO", 100), ("Tensix: Sync Unit", 201)) in arrows
         and (("Tensix T1 FIFO", 190), ("Tensix: Sync Unit", 199)) in arrows
         and (("Tensix T0 FIFO", 400), ("Tensix T0 MOP expander", 402), ("Tensix: Miscellaneous Unit", 404)) in arrows
         and (("Tensix T0 FIFO", 401), ("Tensix: Miscellaneous Unit", 406)) in arrows and len(arrows) == 5, arrows)
    mop, replay = t.track(tile, "Tensix T0 MOP expander").slices, t.track(tile, "Tensix T1 replay expander").slices
    case("expanders show the time they expand", [(s.begin_cycle, s.end_cycle) for s in mop + replay] == [(402, 404), (600, 604)],
         mop + replay)
    case("threads that use a unit at once get a lane each",
         [len(lane.slices) for lane in t.lanes[tile, "Tensix: Scalar Unit (ThCon)"]] == [2, 1, 1], t.lanes)
    held = t.track(tile, "Tensix: Scalar Unit (ThCon)").slices[1:] + t.track(tile, "Tensix: Mover").slices
    case("an instruction whose end is told later, or never", [(s.begin_cycle, s.end_cycle) for s in held]
         == [(650, 680), (690, 1000)], held)
    reasons = t.track(tile, "Tensix T1 wait gate").slices
    case("every reason has words of its own, and what is open at the end ends there",
         len({s.name for s in reasons}) == len(reasons) == 13 and reasons[-1].end_cycle == 1000, [s.name for s in reasons])


NOP, SETDMAREG = 0x02000000, 0x45000000
MOP_CFG, INSTRN_BUF, DONE_CHECK = 0xFFB80000, 0xFFE40000, 0xFFE80004
MOP_1, SEMWAIT_3, SEMPOST_3 = 0x01800000, 0xA6000000 | 2 << 15 | 8 << 2 | 1, 0xA4000000 | 8 << 2
REPLAY_LOAD_2, REPLAY_2 = 0x04000000 | 2 << 4 | 1, 0x04000000 | 2 << 4


def pushes(*words):
    """Code that pushes the words, all with the same base register."""
    return [li(A0, INSTRN_BUF)] + [part for w in words for part in (li(T1, w), sw(T1, A0))]


def flat(*parts):
    return [word for part in parts for word in (flat(*part) if isinstance(part, list) else [part])]


def test_front_end():
    """What the engine tells of its own front end."""
    # Template 1: three times two SETDMAREG, nothing before and behind.
    config = [3, 2, NOP, NOP, NOP, SETDMAREG, NOP, SETDMAREG, SETDMAREG]
    setup = [li(T0, MOP_CFG)] + [part for i, w in enumerate(config) for part in (li(T1, w), sw(T1, T0, 4 * i))]
    text = code(flat(setup, FENCE, pushes(MOP_1, REPLAY_LOAD_2, SETDMAREG, SETDMAREG + 1, REPLAY_2), li(T0, DONE_CHECK), lw(T1, T0),
                     addi(T1, T1, 0), FOREVER))
    t, why = trace("mop.pftrace", f"1,2:T1={program('mop.elf', text)}")
    if not case("a program that pushes a MOP and REPLAYs has a trace", t, why):
        return
    mop, replay = t.track(TILE, "Tensix T1 MOP expander").slices, t.track(TILE, "Tensix T1 replay expander").slices
    scalar = [s for lane in t.lanes[TILE, "Tensix: Scalar Unit (ThCon)"] for s in lane.slices]
    case("the MOP expander works for as many cycles as instructions come of it", [(s.name, s.cycles) for s in mop] == [("MOP", 6)],
         [(s.name, s.cycles) for s in mop])
    case("the replay expander records two, then plays two", [s.name for s in replay] == ["REPLAY", "REPLAY"]
         and replay[1].cycles == 2, [(s.name, s.begin_cycle, s.cycles) for s in replay])
    case("six instructions of the MOP and two of the REPLAY come to the unit, recorded ones do not",
         [s.details["instruction"] for s in scalar] == ["SETDMAREG"] * 7 + ["SETDMAREG ResultHalfReg=1"],
         [s.details["instruction"] for s in scalar])
    arrows = {tuple(track.name for track, s in steps) for steps in t.flows.values() if len(steps) > 1}
    case("arrows go from the pushes through the expanders to the first instruction that comes of them", arrows == {
        ("Tensix T1 FIFO", "Tensix T1 MOP expander", "Tensix: Scalar Unit (ThCon)"),
        ("Tensix T1 FIFO", "Tensix T1 replay expander", "Tensix: Scalar Unit (ThCon)"),
        ("Tensix T1 FIFO", "Tensix T1 replay expander")}, arrows)
    waits = t.track(TILE, "RISCV T1").named("waits for TTSync: Tensix T1 done")
    case("the core that waits for its thread says so", len(waits) == 1 and waits[0].end_cycle >= max(s.end_cycle for s in scalar), why)


def test_semaphore():
    waits = program("semwait.elf", code(flat(pushes(SEMWAIT_3, SEMPOST_3), FOREVER)), 0x6000)
    t, why = trace("semwait.pftrace", f"1,2:T0={waits}", "--cycles", "5000")
    gate = t.track(TILE, "Tensix T0 wait gate").slices if t else []
    case("a thread that waits for ever is shown with its reason to the end", [s.name for s in gate] == ["SEMWAIT: semaphore 3 is zero"]
         and gate[0].end_cycle == t.track(TILE, "RISCV T0").slices[-1].end_cycle >= 4000 and gate[0].details["instruction"] == "SEMPOST SemaphoreMask=8", why)
    posts = program("sempost.elf", code(flat(delay(200), pushes(SEMPOST_3), FOREVER)), 0xA000)
    t, why = trace("sempost.pftrace", f"1,2:T0={waits}", f"1,2:T1={posts}")
    gate, sync = (t.track(TILE, name).slices if t else [] for name in ("Tensix T0 wait gate", "Tensix: Sync Unit"))
    by_thread = {(s.name, s.details["thread"]): s for s in sync}
    post, goes_on = by_thread.get(("SEMPOST", "T1")), by_thread.get(("SEMPOST", "T0"))
    case("a thread that waits for another's post: until then, and an arrow from there", post and goes_on
         and gate[0].name == "SEMWAIT: semaphore 3 is zero" and gate[0].cycles > 100
         and gate[0].end_cycle in (post.begin_cycle, post.begin_cycle + 1)
         and any([s for _, s in steps] == [post, goes_on] for steps in t.flows.values()), f"{gate} {sync}\n{why}")


def test_pingpong():
    kernels = [os.path.join(BUILD, "kernels", f"pingpong_{core}.elf") for core in ("T0", "T1")]
    if not all(map(os.path.exists, kernels)):
        skip("sdk/examples/pingpong.c: every wait has its post", f"the kernels are not built (no {GCC}?)")
        return
    t, why = trace("pingpong.pftrace", f"1,2:T0={kernels[0]}", f"1,2:T1={kernels[1]}", "--dump", "1,2@0x20000+8=words")
    if not case("sdk/examples/pingpong.c: each thread has had the ball 20 times", t and "00000014 00000014" in why, why):
        return
    zero = [len(t.track(TILE, f"Tensix T{i} wait gate").named(f"semaphore {i + 1} is zero")) for i in (0, 1)]
    passes = [steps for steps in t.flows.values() if [s.name for _, s in steps] == ["SEMPOST", "SEMGET"]]
    case("sdk/examples/pingpong.c: every wait has its post", zero == [19, 20] and len(passes) == 39
         and all(a.details["thread"] != b.details["thread"] and a.end_cycle <= b.begin_cycle for (_, a), (_, b) in passes), f"{zero} {len(passes)}")
    pushed = [steps for steps in t.flows.values() if steps[0][1].name.startswith("push ")]
    case("sdk/examples/pingpong.c: every push leads to its instruction", len(pushed) == 166
         and all(len(steps) == 2 and steps[0][1].name == f"push {steps[1][1].name}" and steps[0][1].begin < steps[1][1].begin
                 for steps in pushed), len(pushed))


for test in (test_mailbox, test_waits, test_ends, test_functions, test_coprocessor, test_front_end, test_semaphore, test_pingpong):
    test()
done()

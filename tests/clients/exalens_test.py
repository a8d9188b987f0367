#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tt-exalens debugs a chip of ours:  exalens_test.py tile|chip LIBRARY

One run of the tt-exalens command for each list of commands below, with the output of each command checked.
tile: what a Tensix tile alone answers.  chip: other tiles, both NoCs and their registers.
"""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, os.pardir, "sdk")]
from elf_symbols import elf_symbols
from tap import CORES, Tap, kerr_cc, path
import venv_of_client

NAME = dict(zip(CORES, ("brisc", "trisc0", "trisc1", "trisc2", "ncrisc")))

CALLS = (r"#0 .* tick \(\).*stack\.c.*#1 .* innermost \(\).*stack\.c 20.*#2 .* middle \(\).*stack\.c"
         r".*#3 .* main \(\)")


def compile_for(core):
    """The program to be debugged, and its symbols."""
    elf = path(f"stack_{core}.elf")
    result = kerr_cc(core, os.path.join(HERE, "stack.c"), "-O1", "-g", "-Werror", "-o", elf)
    if result.returncode:
        print(result.stderr)
        print("kerr-cc cannot compile: " + (result.stderr.strip().splitlines() or ["no message"])[-1])
        sys.exit(77 if "not found" in result.stderr else 1)
    return elf, elf_symbols(elf)


def exalens(library, commands):
    """What each command printed: pairs of command and text, and how the run ended."""
    python = venv_of_client.ensure("exalens")
    tool = os.path.join(os.path.dirname(python), "tt-exalens")
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200", "HOME": path("")}
    result = subprocess.run([python, tool, "-s", library, "--commands", "; ".join([*commands, "x"])], text=True,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=200,
                            env=environment, cwd=path(""), check=False)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", result.stdout)
    parts = re.split(r"^Executing command: (.*)\n?", text, flags=re.MULTILINE)
    return list(zip(parts[1::2], parts[2::2])), parts[0], result.returncode


def play(tap, library, script):
    """script: pairs of a command and the pattern that its output must have (or a function that says what is wrong)."""
    outputs, before, status = exalens(library, [command for command, _ in script])
    for i, (command, expected) in enumerate(script):
        if i >= len(outputs) or outputs[i][0] != command:
            last = (outputs[-1][1] if outputs else before).splitlines()[-12:]
            tap.case(command, False, "\n".join(["not reached; last output:", *last]))
            return
        output = outputs[i][1]
        if callable(expected):
            wrong = expected(output)
            tap.case(command, not wrong, f"{wrong}\n{output}")
        else:
            tap.case(command, re.search(expected, output, re.DOTALL) is not None, f"no '{expected}' in:\n{output}")
    tap.equal("tt-exalens ends well", status, 0)


def pc_within(first, last):
    """A pc in the output, first to last."""
    def check(output):
        found = re.search(r"(?:PC=|pc:? +|^ +)(0x[0-9a-f]+)", output, re.MULTILINE)
        if not found:
            return "no pc"
        return "" if first <= int(found[1], 16) <= last else f"pc {found[1]}, not in {first:#x} to {last:#x}"
    return check


def counters(output):
    """All groups of performance counters are there, none with the ones of a card that is off the bus."""
    missing = [name for name in ("FPU", "INSTRN_THREAD", "TDMA_UNPACK", "TDMA_PACK", "packer_dest_read_avail") if name not in output]
    if missing:
        return f"no {missing}"
    if "ffffffff" in output or "the chip has stopped" in output:
        return "the card is gone"
    return ""


def tile_script():
    elf, symbols = compile_for("B")
    tick, tick_size = symbols["tick"]
    innermost, innermost_size = symbols["innermost"]
    step = symbols["step"][0]
    # A breakpoint stops before its instruction or the one after it.
    in_tick, after = tick + 8, 4
    loop = pc_within(min(tick, innermost), max(tick + tick_size, innermost + innermost_size) - 4)
    in_reset = r"IN RESET - brisc.*IN RESET - trisc0.*IN RESET - trisc1.*IN RESET - trisc2"
    b = "-r brisc"
    return [
        ("go -l 1-2", r"^$"),
        # Memory
        ("wxy 1-2 0x1000 0x1234abcd", r"0x00001000 \(4096\) <= 0x1234abcd"),
        ("brxy 1-2 0x1000 4", r"0x00001000: +1234abcd +00000000 +00000000 +00000000"),
        ("wxy 16-11 0x17fff0 0x89 --repeat 4", r"<= 0x00000089"),
        ("brxy 16-11 0x17fff0 4", r"(00000089 *){4}"),
        ("w 0x1010 0x55 0x66 0x77", r"3 bytes written"),
        ("r 0x1010 4", r"0x00001010: +55 +66 +77 +00"),
        ("search 0x776655 --width 3 --start 0x800 --end 0x2000", r"0x0*1010"),
        # The device
        ("device noc0 block --no-legend", r"\n02 +dram +functional_workers.*security.*functional_workers"),
        ("device logical-tensix noc0 --no-legend", r"(?s)1-2.*16-11"),
        # A program
        ("riscv status", in_reset),
        (f"run-elf {elf} {b}", r"^\s*$"),
        ("riscv status", r"RUNNING PC=0x[0-9a-f]{8} - brisc.*IN RESET - trisc0"),
        ("brxy 0x20000 1", r"00001234"),
        # Halting
        (f"riscv halt {b}", r"Halting brisc"),
        (f"riscv status {b}", loop),
        (f"riscv status {b}", r"HALTED"),
        (f"riscv rd {step:#x} {b}", r"0x00000003"),
        (f"gpr pc,sp,ra {b}", r"2 - sp +0xffb01f.*32 - pc +0x0.*Soft reset +False.*Halted +True"),
        (f"riscv rreg 2 {b}", r"0xffb01f"),
        (f"riscv wreg 31 0xabcd1234 {b}", r"Writing to register 31"),
        (f"riscv rreg 31 {b}", r"0xabcd1234"),
        (f"riscv wr {step:#x} 0x10 {b}", r"Writing to memory"),
        (f"riscv rd {step:#x} {b}", r"0x00000010"),
        (f"r {step:#x} 4 {b}", r"10 +00 +00 +00"),
        (f"w {step:#x} 0x20 {b} --unsafe", r"1 bytes written"),
        (f"riscv rd {step:#x} {b}", r"0x00000020"),
        # Breakpoints, watchpoints, steps.  This tt-exalens does not hear -pt and takes setr for setw and vice versa.
        (f"riscv bkpt set {in_tick:#x} {b}", r"Setting breakpoint"),
        (f"riscv cont {b}", r"Continuing brisc"),
        (f"riscv status {b}", pc_within(in_tick, in_tick + after)),
        (f"callstack {elf} {b}", CALLS),
        (f"riscv step {b}", r"Stepping brisc"),
        (f"riscv rreg 32 {b}", pc_within(in_tick + 4, in_tick + after + 4)),
        (f"riscv bkpt del {b}", r"Deleting breakpoint 0"),
        (f"riscv wchpt setr 0x20004 {b}", r"Setting read watchpoint"),
        (f"riscv cont {b}", r"Continuing brisc"),
        (f"riscv status {b}", r"HALTED"),
        (f"riscv wchpt del {b}", r""),
        (f"riscv cont {b}", r"Continuing brisc"),
        (f"riscv status {b}", r"RUNNING"),
        ("debug-bus brisc_pc", r"brisc_pc: 0x[0-9a-f]+\s*$"),
        # Registers of the tile
        ("reg RISCV_DEBUG_REG_SOFT_RESET_0", r"\n290816\s*$"),
        ("reg dbg(0x1f0)", r"\n[1-9]\d*\s*$"),
        ("reg --search *SOFT_RESET*", r"RISCV_DEBUG_REG_SOFT_RESET_0"),
        ("reg cfg(1,0x1e0,5,4) --write 5", r"written with value 5|5"),
        ("reg cfg(1,0x1e0,5,4)", r"\n5\s*$"),
        ("reg cfg(1)", r"\n160\s*$"),
        ("tensix alu", r"ALU CONFIG.*Format_SrcA"),
        ("tensix pack", r"disable_trisc|out_data_format"),
        ("tensix unpack", r"out_data_format"),
        ("tensix gpr", r"Thread 0.*Thread 2"),
        # Performance counters, whoever has described them: what is read stops nothing.
        ("wxy 1-2 0x20040 0x89abcdef", r"<= 0x89abcdef"),
        ("pcnt read", lambda output: counters(output)),
        ("pcnt start", r""),
        ("pcnt read --block=FPU", r"fpu_op_valid"),
        ("brxy 1-2 0x20040 1", r"89abcdef"),
        (f"riscv status {b}", r"RUNNING"),
        (f"riscv reset 1 {b}", r"Setting reset"),
        ("riscv status", in_reset),
        *other_core_script("T1"),
        *other_core_script("NC"),
    ]


def other_core_script(core):
    """A program on another core.  NC has no debug hardware."""
    elf, symbols = compile_for(core)
    who = f"-r {NAME[core]}"
    script = [
        ("wxy 1-2 0x20000 0", r"<= 0x00000000"),
        (f"run-elf {elf} {who}", r"^\s*$"),
        ("brxy 0x20000 1", r""),  # takes time: a core first clears its local RAM
        ("brxy 0x20000 1", r"00001234"),
    ]
    if core == "NC":
        return [*script, (f"riscv status {who}", r"debug hardware is not available")]
    innermost = symbols["innermost"][0]
    return [
        *script,
        (f"riscv halt {who}", f"Halting {NAME[core]}"),
        (f"gpr pc {who}", r"stack\.c"),
        (f"riscv step {who}", f"Stepping {NAME[core]}"),
        (f"riscv status {who}", r"HALTED"),
        (f"riscv bkpt set {innermost + 16:#x} {who}", r"Setting breakpoint"),
        (f"riscv status {who}", r"HALTED"),
        (f"riscv bkpt del {who}", r"Deleting breakpoint 0"),
        (f"riscv cont {who}", r"Continuing"),
        (f"riscv status {who}", r"RUNNING"),
        (f"riscv reset 1 {who}", r"Setting reset"),
    ]


def chip_script():
    elf, symbols = compile_for("B")
    in_tick = symbols["tick"][0] + 8
    counters = r"nonposted write reqs sent.*0xffb20\w+ +0x[0-9a-f]{8}"
    return [
        ("go -l 1-2", r"^$"),
        # DRAM: three tiles of a bank show the same bytes
        ("w 0x40001000 0x11 0x22 0x33 0x44 -l d0,0 --unsafe", r"4 bytes written"),
        ("brxy ch0 0x40001000 1", r"44332211"),
        ("brxy 0-1 0x40001000 1", r"44332211"),
        ("brxy 0-11 0x40001000 1", r"44332211"),
        # Ethernet
        ("w 0x1000 0x5a -l e0,0 --unsafe", r"1 bytes written"),
        ("brxy 1-1 0x1000 1", r"0000005a"),
        ("riscv status -l e0,0", r"IN RESET - erisc0.*IN RESET - erisc1"),
        (f"run-elf {elf} -r erisc0 -l e0,0", r"^\s*$"),
        ("brxy 1-1 0x20000 1", r"00001234"),
        ("riscv halt -r erisc0 -l e0,0", r"Halting erisc0"),
        ("gpr pc -r erisc0 -l e0,0", r"stack\.c"),
        (f"riscv bkpt set {in_tick:#x} -r erisc0 -l e0,0", r"Setting breakpoint"),
        ("riscv cont -r erisc0 -l e0,0", r"Continuing erisc0"),
        ("riscv status -r erisc0 -l e0,0", pc_within(in_tick, in_tick + 4)),
        (f"callstack {elf} -r erisc0 -l e0,0", CALLS),
        ("riscv reset 1 -r erisc0 -l e0,0", r"Setting reset"),
        # Both NoCs and their registers.  tt-exalens takes a simulator's coordinates for untranslated, so on NoC 1 it
        # counts from the other corner, while the chip translates: asked for 5-6 it reads 11-5.
        ("wxy 11-5 0x3000 0x77777777", r"<= 0x77777777"),
        ("go -n 1", r"^$"),
        ("brxy 5-6 0x3000 1", r"77777777"),
        ("go -n 0", r"^$"),
        ("noc status -l 1-2 --noc 0 -s", counters),
        ("noc status -l d0,0 -s", r"0x100ffb20\w+ +0x[0-9a-f]{8}.*0x100ffb30\w+ +0x[0-9a-f]{8}"),
        ("noc status -l 8-0 -s", r"0x8005\w+ +0x[0-9a-f]{8}"),
        ("noc all -l 1-2 -s", r"0xffb2"),
        ("noc register NIU_MST_RD_REQ_SENT -l 1-2", r"NIU_MST_RD_REQ_SENT"),
        ("device noc0 noc0_id --no-legend", r"\n00 +00-00 .*\n02 +00-02 +01-02.*08-02.*16-02.*\n11 .*16-11"),
        ("device noc0 noc0_logical_id --no-legend", r"\n01 +\d\d-\d\d +20-25.*\n02 +\d\d-\d\d +01-02"),
        # The ARC's boot status
        ("r 0x80030408 4 -l 8-0 --unsafe", r"0x80030408: +0[57] +00 +00 +00"),
        ("tensix adc -a 0x40000", r"z_counter"),
        ("debug-bus list-signals --max 3", r"Value"),
    ]


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("tile", "chip"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        venv_of_client.ensure("exalens")
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    tap = Tap()
    play(tap, os.path.abspath(sys.argv[2]), tile_script() if sys.argv[1] == "tile" else chip_script())
    tap.done()
    return 0


sys.exit(main())

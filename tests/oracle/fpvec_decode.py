#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists which OP-V, vector load and vector store words are instructions of RISCV T2, for exec_v_test.c.

    fpvec_decode.py > tests/vectors/baby_v_decode.vec

Asks the GNU disassembler about every combination of the fields that select an instruction, then takes away what
the manual excludes (BabyRISCV/InstructionSet) and what needs elements of 64 bits.
"""
import os
import re
import subprocess
import tempfile

PREFIX = os.environ.get("RISCV_PREFIX", "riscv64-unknown-elf-")
EXCLUDED = re.compile(r"^(vdivu?|vremu?|vfdiv|vfrdiv|vfsqrt|vfrsqrt7|vfrec7)\.|^v[ls].*64(ff)?\.v$|\.vf8$")


def op_v(funct6, form, vm, vs1, vs2):
    return 0x57 | 4 << 7 | form << 12 | vs1 << 15 | vs2 << 20 | vm << 25 | funct6 << 26


def memory(opcode, high, width, rs2):
    return opcode | 8 << 7 | width << 12 | 11 << 15 | rs2 << 20 | high << 25


def disassemble(words):
    with tempfile.TemporaryDirectory() as work:
        source, target = os.path.join(work, "w.s"), os.path.join(work, "w.o")
        with open(source, "w") as file:
            file.write(".option norvc\n" + "".join(".insn 4, %#x\n" % w for w in words))
        subprocess.check_call([PREFIX + "gcc", "-c", "-march=rv32gcv", "-mabi=ilp32d", source, "-o", target])
        text = subprocess.check_output([PREFIX + "objdump", "-d", target], text=True)
    names = {}
    for line in text.split("\n"):
        parts = line.split("\t")
        if len(parts) >= 3:
            names[int(parts[1], 16)] = parts[2].strip()
    return names


def is_instruction(name):
    return not name.startswith((".", "0x")) and not EXCLUDED.search(name)


def main():
    rows = []
    for form in range(7):
        for funct6 in range(64):
            for vm in (0, 1):
                for vs2 in (0, 8):
                    rows.append(("v %x %02x %x %02x" % (form, funct6, vm, vs2),
                                 [op_v(funct6, form, vm, vs1, vs2) for vs1 in range(32)]))
    for opcode in (0x07, 0x27):
        for width in (0, 5, 6, 7):
            for high in range(128):
                rows.append(("m %02x %x %02x" % (opcode, width, high),
                             [memory(opcode, high, width, rs2) for rs2 in range(32)]))
    names = disassemble([w for _, words in rows for w in words])
    print("# Origin: GNU binutils 2.40 disassembler, less the exclusions of the manual.  Made by tests/oracle/fpvec_decode.py")
    print("# v form funct6 vm vs2 : bit n = an instruction with vs1 = n (vd = 4)")
    print("# m opcode width 31:25 : bit n = an instruction with bits 24:20 = n (vd = 8, rs1 = 11)")
    print("# Lines not here have no instruction at all.")
    for key, words in rows:
        mask = sum(is_instruction(names[w]) << i for i, w in enumerate(words))
        if mask:
            print("%s : %08x" % (key, mask))


if __name__ == "__main__":
    main()

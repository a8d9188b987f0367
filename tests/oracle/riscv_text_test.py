#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr_disassemble_riscv against GNU objdump -M no-aliases, for random words of every row of isa/rv32.isa.

    riscv_text_test.py LIBKERR.SO [WORDS_PER_PATTERN]
"""

import ctypes
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PREFIX = "riscv64-unknown-elf-"
ARCH = "rv32imafv_zicsr_zifencei_zba_zbb_zbs_zbkb_zfh"
# Draft instructions that binutils has no names for, and what is not RISC-V.
UNNAMED = ("grevi", "ttinsn")


def patterns(path):
    """(name, bits) of the rows of the table; a row that goes on has the name above it."""
    name = None
    with open(path, encoding="utf-8") as table:
        for line in table:
            cells = re.split(r"\s{2,}", line.strip())
            if not line.strip() or line[0] in "#!":
                continue
            name = name if cells[0] == "|" else cells[0]
            yield name, cells[1].replace("_", "")


def random_words(bits, count, rng):
    fixed = int(bits.replace("-", "0"), 2)
    free = int("".join("1" if b == "-" else "0" for b in bits), 2)
    if bits.endswith("0001111"):  # fences: objdump wants the reserved fields zero, the cores do not look
        free &= 0x0FF00000 if fixed >> 12 & 7 == 0 else 0
    return [fixed | (rng.getrandbits(32) & free) for _ in range(count)]


def objdump(words, base):
    with tempfile.TemporaryDirectory() as folder:
        source, made = os.path.join(folder, "a.s"), os.path.join(folder, "a.o")
        with open(source, "w", encoding="ascii") as out:
            out.write(".text\n" + "".join(f".insn 0x{word:08x}\n" for word in words))
        subprocess.run([PREFIX + "as", f"-march={ARCH}", "-mabi=ilp32f", "-o", made, source], check=True)
        text = subprocess.run([PREFIX + "objdump", "-d", "-M", "no-aliases", f"--adjust-vma={base}", made],
                              capture_output=True, text=True, check=True).stdout
    lines = re.findall(r"^\s*([0-9a-f]+):\t([0-9a-f]{8}) *\t(.*)$", text, re.M)
    assert len(lines) == len(words), (len(lines), len(words))
    return [(int(address, 16), int(word, 16), theirs) for address, word, theirs in lines]


def normal(text):
    """objdump's line in our spelling: one blank after the name, targets with 0x, no symbols."""
    text = re.sub(r"\s*[#<].*", "", text.strip())
    text = re.sub(r"\t", " ", text)
    text = re.sub(r"^((?:b[a-z]+|jal) .*,)([0-9a-f]+)$", r"\g<1>0x\2", text) if re.match(r"(beq|bne|blt|bge|bltu|bgeu|jal) ", text) \
        else text
    return text


def main():
    library = ctypes.CDLL(os.path.abspath(sys.argv[1]))
    library.kerr_disassemble_riscv.restype = ctypes.c_bool
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 60
    if not shutil.which(PREFIX + "objdump"):
        print("1..0 # SKIP no " + PREFIX + "objdump")
        return 0
    rng = random.Random(5)
    base = 0x10000
    words = [w for name, bits in patterns("isa/rv32.isa") if name not in UNNAMED
             for w in random_words(bits, count * (40 if name in ("fp", "vec") else 1), rng)]
    buffer = ctypes.create_string_buffer(320)
    differ, compared, refused, names = [], 0, 0, set()
    for address, word, theirs in objdump(words, base):
        known = library.kerr_disassemble_riscv(ctypes.c_uint32(word), ctypes.c_uint32(address), buffer, 320)
        ours = buffer.value.decode()
        if not known:
            refused += 1
            continue
        if re.match(r"\.4byte|\.insn|0x", theirs):
            if ours.startswith("fcvt.s.h "):  # cannot round, so objdump wants the rounding mode zero
                continue
            differ.append((word, ours, theirs))
            continue
        compared += 1
        names.add(ours.split()[0])
        theirs = normal(theirs)
        if re.match(r"csrr\w+ \w+,0x", ours):  # a CSR that the cores do not have is a number here
            theirs = re.sub(r"^(\w+ \w+,)\w+", rf"\g<1>0x{word >> 20:x}", theirs)
        if ours != theirs:
            differ.append((word, ours, theirs))
    ok = not differ and compared > 1000
    print(f"{'ok' if ok else 'not ok'} 1 - {compared} words as objdump has them, {len(names)} names, {refused} no instruction here")
    for word, ours, theirs in differ[:40]:
        print(f"# {word:08x}: '{ours}', objdump '{theirs}'")
    print(f"# {len(differ)} differ")
    print("1..1")
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())

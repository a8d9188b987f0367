#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr dis and kerr asm: words, ELF files, raw words, memory of a tile; and what they refuse."""

import random
import re
import struct
import subprocess

from support import *

SEMPOST = 0xA4000008  # SEMPOST SemaphoreMask=2


def ttinsn(word):
    return (word << 2 | word >> 30) & 0xFFFFFFFF


def elf_with_sections(sections, symbols=()):
    """A relocatable file: (name, address, flags, bytes), and (name, address) of symbols."""
    names, body, headers = b"\0.shstrtab\0.symtab\0.strtab\0", b"", []
    strings, table = b"\0", bytes(16)
    for name, address in symbols:
        table += struct.pack("<IIIBBH", len(strings), address, 0, 0x12, 0, 1)
        strings += name.encode() + b"\0"
    everything = [(name, 1, flags, address, data, 0, 0) for name, address, flags, data in sections]
    everything += [(".symtab", 2, 0, 0, table, len(sections) + 2, 16), (".strtab", 3, 0, 0, strings, 0, 0)]
    for name, kind, flags, address, data, link, entry in everything:
        at = names.find(b"\0" + name.encode() + b"\0")
        if at < 0:
            at = len(names) - 1
            names += name.encode() + b"\0"
        headers.append(struct.pack("<10I", at + 1, kind, flags, address, 52 + len(body), len(data), link, 1, 4, entry))
        body += data + bytes(-len(data) % 4)
    headers.append(struct.pack("<10I", 1, 3, 0, 0, 52 + len(body), len(names), 0, 0, 1, 0))
    body += names + bytes(-len(names) % 4)
    ident = b"\x7fELF" + bytes((1, 1, 1)) + bytes(9)
    header = ident + struct.pack("<HHIIIIIHHHHHH", 1, 243, 1, 0, 0, 52 + len(body), 0, 52, 0, 0, 40, len(headers) + 1, len(headers))
    return header + body + bytes(40) + b"".join(headers)


def test_words():
    r = kerr("dis", hex(SEMPOST), "0x02000000", "0xa2ffffff")
    case("words of the line", r.returncode == 0 and r.stdout ==
         "a4000008  SEMPOST SemaphoreMask=2\n02000000  NOP\n"
         "a2ffffff  STALLWAIT BlockMask=0x1ff, ConditionMask=0x1fff, reserved=0x6000\n", told(r))
    r = kerr("dis", "--riscv", "--address", "0x100", "0x00000013", hex(ttinsn(SEMPOST)), "0xffdff06f")
    case("words of a baby core, with addresses", r.returncode == 0 and r.stdout ==
         "     100:  00000013  addi zero,zero,0\n     104:  90000022  .ttinsn SEMPOST SemaphoreMask=2\n"
         "     108:  ffdff06f  jal zero,0x104\n", told(r))
    r = kerr("dis", "0xff000000", hex(SEMPOST), "0")
    case("words that are no instruction: status 1, and how many", r.returncode == 1 and ".word 0xff000000" in r.stdout
         and "2 words are no instruction" in r.stderr, told(r))


def test_elf():
    text = code(addi(A0, ZERO, 1), ttinsn(SEMPOST), FOREVER)
    more = struct.pack("<I", ttinsn(0x02000000))
    made = elf_with_sections([(".text", 0x6000, 6, text), (".data", 0x20, 3, b"\xff" * 8), (".text2", 0x9000, 6, more)],
                             [("start", 0x6000), ("loop", 0x6008)])
    r = kerr("dis", write("two.elf", made))
    case("sections with code and their labels, no data", r.returncode == 0 and r.stdout == f"""{path("two.elf")}

section .text, 12 bytes at 0x00006000

00006000 <start>:
    6000:  00100513  addi a0,zero,1
    6004:  90000022  .ttinsn SEMPOST SemaphoreMask=2

00006008 <loop>:
    6008:  0000006f  jal zero,0x6008

section .text2, 4 bytes at 0x00009000
    9000:  08000000  .ttinsn NOP
""", told(r))
    r = kerr("dis", write("filled.elf", elf_with_sections([(".text", 0, 6, struct.pack("<4I", 0x00100513, 0, 0, 0)),
                                                          (".text2", 64, 6, struct.pack("<2I", 0, 0x00100513))])))
    case("words of zero at the end of a section are no mistake, others are", r.returncode == 1 and r.stdout.count(".ttinsn .word 0x00000000") == 1
         and "       c:  .word 0x00000000\n" in r.stdout and "1 word is no instruction" in r.stderr, told(r))
    r = kerr("dis", write("odd.elf", elf_with_sections([(".text", 0, 6, b"\x13\0\0\0\x13\0")])))
    case("bytes behind the last word", r.returncode == 1 and ".byte 0x13" in r.stdout, told(r))
    r = kerr("dis", write("none.elf", elf_with_sections([(".data", 0, 3, b"abcd")])))
    case("an ELF file without code", r.returncode == 2 and "has no section with code" in r.stderr, told(r))
    wrong = bytearray(made)
    wrong[18] = 62
    r = kerr("dis", write("wrong.elf", bytes(wrong)))
    case("an ELF file of another machine", r.returncode == 2 and "32-bit little-endian RISC-V" in r.stderr, told(r))
    rng = random.Random(5)
    status = set()
    for _ in range(300):
        bad = bytearray(made[:rng.randint(4, len(made))])
        for _ in range(rng.randint(0, 8)):
            bad[rng.randrange(4, len(bad)) if len(bad) > 4 else 0] = rng.randrange(256)
        status.add(kerr("dis", write("bad.elf", bytes(bad))).returncode)
    case("damaged ELF files are refused or shown", status <= {0, 1, 2} and 2 in status, status)


def test_raw_and_tiles():
    raw = write("raw.bin", struct.pack("<2I", SEMPOST, 0x02000000))
    r = kerr("dis", "--raw", "--address", "0x20000", raw)
    case("raw words", r.returncode == 0 and r.stdout == "   20000:  a4000008  SEMPOST SemaphoreMask=2\n   20004:  02000000  NOP\n",
         told(r))
    program("p.elf", code(addi(A0, ZERO, 1), ttinsn(SEMPOST)) + store(0x8000, 5))
    r = kerr("run", "--quiet", "--cycles", "1", f"1,2:T0={path('p.elf')}", "--preload", f"1,2@0x20000={raw}", "--dump",
             "1,2@0x3000+8=riscv", "--dump", "1,2@0x20000+8=tensix")
    case("memory of a tile", r.returncode == 3 and r.stdout ==
         "tile 1,2\n    3000:  00100513  addi a0,zero,1\n    3004:  90000022  .ttinsn SEMPOST SemaphoreMask=2\n"
         "tile 1,2\n   20000:  a4000008  SEMPOST SemaphoreMask=2\n   20004:  02000000  NOP\n", told(r))
    r = kerr("run", f"1,2:T0={path('p.elf')}", "--dump", "1,2@0x3000+6=riscv")
    case("refused: half a word of a tile", r.returncode == 2 and "multiple of 4" in r.stderr, told(r))
    for name, arguments, expect in (
            ("nothing", (), "nothing to do"),
            ("a raw file of 5 bytes", ("--raw", write("five", b"12345")), "not a multiple of 4"),
            ("a file that is not there", (path("none"),), "none"),
            ("a file that is no ELF file", (write("text", b"hello"),), "--raw takes it as words"),
            ("a number that is none", ("0xq",), "0xq"),
            ("a word of 33 bits", ("0x100000000",), "0x100000000"),
            ("an address that is none", ("--address", "x", "1"), "--address"),
            ("an unknown option", ("--fast",), "--fast")):
        r = kerr("dis", *arguments)
        case(f"dis refuses {name}", r.returncode == 2 and expect in r.stderr, told(r))


def asm(text, *options):
    return subprocess.run([KERR, "asm", "-", *options], input=text, capture_output=True, text=True, check=False)


def test_asm():
    text = ("# front end and sync\n\n  SEMPOST SemaphoreMask=2 ; one\nNOP // two\r\n"
            "\tSTALLWAIT ConditionMask=0x10, BlockMask=64   # three\n.word 0xdeadbeef")
    r = asm(text)
    case("text to words", r.returncode == 0 and r.stdout == "0xa4000008\n0x02000000\n0xa2200010\n0xdeadbeef\n", told(r))
    r = kerr("asm", write("a.tt", text), "-o", path("a.bin"))
    case("into a file", r.returncode == 0 and r.stdout == "" and read("a.bin") ==
         struct.pack("<4I", SEMPOST, 0x02000000, 0xA2200010, 0xDEADBEEF), told(r))
    r = asm("SEMPOST SemaphoreMask=2\n", "--ttinsn")
    case("as a baby core has them", r.returncode == 0 and r.stdout == f"0x{ttinsn(SEMPOST):08x}\n", told(r))
    r = asm("")
    case("nothing gives nothing", r.returncode == 0 and r.stdout == "", told(r))
    rng = random.Random(7)
    words = [w for w in (rng.getrandbits(32) for _ in range(6000))][:3000]
    shown = kerr("dis", *map(hex, words[:1500])).stdout
    r = asm("".join(line.split("  ", 1)[1] + "\n" for line in shown.splitlines()))
    case("what dis shows is understood", r.returncode == 0 and [int(x, 16) for x in r.stdout.split()] == words[:1500], told(r)[:500])
    for name, text, place in (
            ("an unknown instruction", "NOP\n  SEMPOKE\n", "2:3: there is no instruction 'SEMPOKE'"),
            ("an unknown field", "SEMPOST Semaphore=1\n", "1:9: SEMPOST has no field 'Semaphore'; it has SemaphoreMask"),
            ("a value out of range", "NOP\nNOP\nSEMPOST SemaphoreMask=256", "3:9: SemaphoreMask=256 is out of range: 0 to 255"),
            ("a missing comma", "STALLWAIT BlockMask=1 ConditionMask=1\n", "1:23: expected ',' or the end"),
            ("a NUL byte", "NOP\0", "is not a text file")):
        r = asm(text)
        case(f"asm refuses {name}", r.returncode == 2 and place in r.stderr and r.stdout == "", told(r))
    r = kerr("asm", write("b.tt", "NOP x\n"))
    case("asm names the file", r.returncode == 2 and f"{path('b.tt')}:1:6: " in r.stderr, told(r))
    r = kerr("asm", write("c.tt", "SEMPOST 5=1\n"), "-o", path("c.bin"))
    case("a mistake writes no file", r.returncode == 2 and not os.path.exists(path("c.bin")), told(r))
    r = asm(".word 0xc0000000\n", "--ttinsn")
    case("asm refuses a word that .ttinsn cannot push", r.returncode == 2 and "1:1:" in r.stderr, told(r))
    for name, arguments, expect in (
            ("nothing", (), "nothing to do"), ("two files", ("a", "b"), "'b' is too much"),
            ("a file that is not there", (path("none"),), "none"),
            ("an output that cannot be", (path("a.tt"), "-o", path("a.tt") + "/x"), "cannot write")):
        r = kerr("asm", *arguments)
        case(f"asm refuses {name}", r.returncode == 2 and expect in r.stderr, told(r))


def test_table():
    r = kerr("dis", *(f"0x{opcode:02x}000000" for opcode in range(256)))
    known = [line for line in r.stdout.splitlines() if ".word" not in line]
    case("137 opcodes exist", r.returncode == 1 and len(known) == 137 and "119 words are no instruction" in r.stderr, told(r))
    case("their names are those of docs/isa.md", all(re.search(rf"^### {line.split()[1]}$", open("docs/isa.md", encoding="utf-8").read(),
                                                              re.M) for line in known), known)


test_words()
test_elf()
test_raw_and_tiles()
test_asm()
test_table()
done()

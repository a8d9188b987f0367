#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr-cc: where things are linked to, what it refuses, what the headers keep from a core."""

import os
import re
import struct

from tap import BUILD, CORES, Tap, kerr_cc, path, read, run, write

ENTRY = {"B": 0x0, "T0": 0x6000, "T1": 0xA000, "T2": 0xE000, "NC": 0x12000}
PREFIX = "riscv64-unknown-elf-"

PLAIN = """
#include "kerr_sdk.h"
uint32_t initial = 0x12345678, later;
int main(void) { later = kerr_atomic_add(KERR_WORD(KERR_SHARED_BASE), initial); return (int)later; }
"""


def segments(name):
    """(vaddr, paddr, filesz, memsz) of each PT_LOAD, and the entry."""
    elf = read(name)
    entry, phoff = struct.unpack_from("<II", elf, 24)
    count = struct.unpack_from("<H", elf, 44)[0]
    found = []
    for i in range(count):
        kind, _, vaddr, paddr, filesz, memsz = struct.unpack_from("<6I", elf, phoff + 32 * i)
        if kind == 1:
            found.append((vaddr, paddr, filesz, memsz))
    return entry, found


def main():
    tap = Tap()
    plain = write("plain.c", PLAIN)
    for core in CORES:
        elf, image = f"plain_{core}.elf", f"plain_{core}.bin"
        result = kerr_cc(core, plain, "-Werror", "-o", path(elf), "--bin", path(image))
        if not tap.case(f"{core}: compiles", result.returncode == 0, result.stderr):
            continue
        entry, (code, data) = segments(elf)
        tap.equal(f"{core}: starts at its reset pc", (entry, code[0], code[1]), (ENTRY[core],) * 3)
        tap.equal(f"{core}: .data runs in local RAM and is loaded behind the code",
                  (data[0], data[1], data[2]), (0xFFB00000, code[0] + code[3], 4))
        tap.equal(f"{core}: the image is code and data", (len(read(image)), read(image)[-4:]),
                  (code[3] + 4, bytes.fromhex("78563412")))

    listing = run(PREFIX + "objdump", "-d", path("plain_T1.elf")).stdout
    tap.case("atomics are single instructions", re.search(r"\bamoadd\.w\b", listing) is not None, listing)
    tap.case("no reservation, no compressed code, no floating point",
             not re.search(r"\b(lr\.w|sc\.w|c\.\w+|f(add|mul|lw|sw)\S*)\b", listing), listing)

    floats = write("float.c", "volatile float a = 1, b = 2;\nint main(void) { a = a * b / b; return 0; }\n")
    result = kerr_cc("T2", floats, "--float", "-o", path("float.elf"))
    listing = run(PREFIX + "objdump", "-d", path("float.elf")).stdout
    tap.case("--float multiplies in hardware and divides in software",
             result.returncode == 0 and "fmul.s" in listing and "fdiv.s" not in listing, result.stderr + listing)

    result = kerr_cc("T0", plain, "--at", "0x30000", "--code-size", "0x1000", "-o", path("moved.elf"))
    tap.case("--at moves the code", result.returncode == 0 and segments("moved.elf")[0] == 0x30000, result.stderr)

    os.makedirs(path("a b"), exist_ok=True)
    result = kerr_cc("B", write("a b/k k.c", PLAIN), "-o", path("a b/k k.elf"))
    tap.case("names with blanks", result.returncode == 0, result.stderr)

    def refuses(name, arguments, expect):
        result = kerr_cc(*arguments)
        tap.case(f"refused: {name}", result.returncode != 0 and expect in result.stderr,
                 f"status {result.returncode}\n{result.stderr}")

    out = ("-o", path("bad.elf"))
    mailbox = write("mailbox.c", '#include "kerr_sdk.h"\nint main(void) { return (int)kerr_mailbox_read(0); }\n')
    tap.case("T0 reads mailboxes", kerr_cc("T0", mailbox, "-Werror", *out).returncode == 0)
    refuses("a mailbox for NC, which has none", ("NC", mailbox, "-Werror", *out), "kerr_mailbox_read")
    pop = write("pop.c", '#include "kerr_sdk.h"\nint main(void) { return (int)kerr_pcbuf_pop(); }\n')
    refuses("the T side of a PCBuf on B", ("B", pop, "-Werror", *out), "kerr_pcbuf_pop")
    large = write("large.c", "char a[3500];\nint main(void) { return a[(long)main & 7]; }\n")
    tap.case("3500 bytes of globals fit into 8 KiB", kerr_cc("B", large, *out).returncode == 0)
    refuses("3500 bytes of globals in 4 KiB", ("T0", large, *out), "for the stack")
    code = write("code.c", '#include "kerr_sdk.h"\nKERR_IN_L1 int a[5000];\nint main(void) { return a[(long)main & 7]; }\n')
    tap.case("20000 bytes behind the code of B", kerr_cc("B", code, *out).returncode == 0)
    refuses("20000 bytes behind the code of T1", ("T1", code, *out), "region `CODE' overflowed")
    refuses("no such core", ("T3", plain, *out), "no core 'T3'")
    refuses("no source", ("B", *out), "no source file")
    refuses("no output", ("B", plain), "no output file")
    refuses("an option without its value", ("B", plain, "-o"), "-o needs a value")
    refuses("no such file", ("B", path("nothing.c"), *out), "nothing.c")
    result = run("env", "KERR_CC_PREFIX=no-such-", os.path.join(BUILD, "sdk", "kerr-cc"), "B", plain, *out)
    tap.case("refused: no compiler, and it says which package has one",
             result.returncode == 2 and "gcc-riscv64-unknown-elf" in result.stderr, result.stderr)
    result = run("sdk/kerr-cc", "B", plain, *out)
    tap.case("refused: the script in the source tree, with a hint",
             result.returncode == 2 and "make sdk" in result.stderr, result.stderr)
    tap.equal("--help", kerr_cc("--help").returncode, 0)
    tap.done()


if __name__ == "__main__":
    main()

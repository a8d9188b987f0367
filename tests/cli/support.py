# SPDX-License-Identifier: Apache-2.0
"""What the tests of the kerr command share: TAP output, running kerr, small ELF files and job files."""

import os
import struct
import subprocess
import sys

BUILD = os.environ.get("BUILD", "build")
KERR = os.path.join(BUILD, "kerr")
TMP = os.environ.get("KERR_TEST_TMP") or os.path.join(BUILD, "tests", "cli-tmp")
GCC = "riscv64-unknown-elf-gcc"
os.makedirs(TMP, exist_ok=True)

count = failed = 0


def case(name, ok, why=""):
    global count, failed
    count += 1
    failed += not ok
    print(f"{'ok' if ok else 'not ok'} {count} - {name}")
    if not ok:
        for line in str(why).splitlines():
            print(f"# {line}")
    sys.stdout.flush()
    return ok


def skip(name, reason):
    global count
    count += 1
    print(f"ok {count} - {name} # SKIP {reason}", flush=True)


def done():
    print(f"1..{count}")
    sys.exit(1 if failed else 0)


def path(name):
    return os.path.join(TMP, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data if isinstance(data, bytes) else data.encode())
    return path(name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def kerr(*arguments, timeout=120, env=None):
    return subprocess.run([KERR, *arguments], capture_output=True, text=True, timeout=timeout, check=False,
                          env={**os.environ, **(env or {})})


def told(result):
    """Everything a failed case should show."""
    return f"status {result.returncode}\n{result.stdout}{result.stderr or ''}"


# ---- A few RV32I instructions, enough for what is run here.

ZERO, T0, T1, T2, A0, A1 = 0, 5, 6, 7, 10, 11


def lui(rd, value):
    return (value & 0xFFFFF000) | rd << 7 | 0x37


def addi(rd, rs, imm):
    return (imm & 0xFFF) << 20 | rs << 15 | rd << 7 | 0x13


def li(rd, value):
    low = (value & 0xFFF) - (0x1000 if value & 0x800 else 0)
    return [lui(rd, (value - low) & 0xFFFFFFFF), addi(rd, rd, low)]


def lw(rd, rs, offset=0):
    return (offset & 0xFFF) << 20 | rs << 15 | 2 << 12 | rd << 7 | 0x03


def sw(rs, base, offset=0):
    return (offset >> 5 & 0x7F) << 25 | rs << 20 | base << 15 | 2 << 12 | (offset & 0x1F) << 7 | 0x23


def jump(offset):
    return ((offset >> 20 & 1) << 31 | (offset >> 1 & 0x3FF) << 21 | (offset >> 11 & 1) << 20
            | (offset >> 12 & 0xFF) << 12 | 0x6F)


FOREVER = jump(0)


def code(*parts):
    words = []
    for part in parts:
        words += part if isinstance(part, list) else [part]
    return struct.pack(f"<{len(words)}I", *words)


def store(address, value):
    """Code that puts one word into memory and then polls nothing forever."""
    return code(li(T0, address), li(T1, value), sw(T1, T0), FOREVER)


# ---- ELF files, right ones and wrong ones.

R, W, X = 4, 2, 1


def segment(data, address, load=None, memory=None, flags=R | X, offset=None, size=None):
    return {"data": data, "address": address, "load": address if load is None else load,
            "memory": len(data) if memory is None else memory, "flags": flags, "offset": offset,
            "size": len(data) if size is None else size}


def elf(*segments, entry=None, machine=243, kind=2, flags=0, elf_class=1, order=1, header_size=32, sections=(0, 0, 0)):
    """An executable of these segments; the keywords make it a wrong one."""
    offset = 52 + 32 * len(segments)
    headers = body = b""
    for s in segments:
        at = offset + len(body) if s["offset"] is None else s["offset"]
        headers += struct.pack("<8I", 1, at, s["address"], s["load"], s["size"], s["memory"], s["flags"], 4)
        body += s["data"]
    if entry is None:
        entry = segments[0]["address"] if segments else 0
    ident = b"\x7fELF" + bytes((elf_class, order, 1)) + bytes(9)
    header = ident + struct.pack("<HHIIIIIHHHHHH", kind, machine, 1, entry, 52 if segments else 0, sections[0], flags, 52,
                                 header_size, len(segments), sections[1], sections[2], 0)
    return header + headers + body


def program(name, text, address=0x3000):
    """Writes an ELF file with one segment of code."""
    return write(name, elf(segment(text, address)))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr gdb, with Debian's gdb-multiarch driven by script, and with packets made by hand where gdb would not send such."""

import os
import re
import shutil
import socket
import subprocess
import sys

import support
from support import case, done, path, skip, told, write

GDB = "gdb-multiarch"
SOURCE = """
volatile int total, *out = (volatile int *)0x20000;
int add(int a, int b) { return a + b; }
int main(void)
{
    for (int i = 1; i <= 5; i++) {
        total = add(total, i);
        *out = total;
    }
    return total;
}
asm(".section .start, \\"ax\\"\\n.globl _start\\n_start: lui sp, 0x30\\n call main\\n j .\\n.text");
"""


def compile_it():
    elf = path("sum.elf")
    subprocess.run([support.GCC, "-g", "-O0", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-Wl,-n",
                    "-Wl,--section-start=.start=0x0", "-Wl,-Ttext=0x100", "-Wl,-Tdata=0x10000", "-Wl,-Tbss=0x10100",
                    write("sum.c", SOURCE), "-o", elf], check=True, capture_output=True)
    return elf


class Stub:
    """kerr gdb in the background."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([support.KERR, "gdb", "--once", *arguments], stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r":(\d+)'", line)
        self.port = int(found.group(1)) if found else 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate(timeout=20)


def gdb(stub, elf, *commands):
    line = [GDB, "-q", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set confirm off", "-ex", f"file {elf}",
            "-ex", f"target extended-remote :{stub.port}"]
    for command in commands:
        line += ["-ex", command]
    return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)


def has(name, result, *patterns):
    """All of them, in this order."""
    at = 0
    for pattern in patterns:
        found = re.compile(pattern).search(result.stdout, at)
        if not found:
            return case(name, False, f"no '{pattern}' behind character {at}\n{told(result)}")
        at = found.end()
    return case(name, True)


def packets(stub, *texts):
    """Replies to packets, sent as a client that acknowledges."""
    with socket.create_connection(("127.0.0.1", stub.port), timeout=30) as line:
        replies, data = [], b""
        for text in texts:
            raw = text if isinstance(text, bytes) else text.encode()
            line.sendall(b"$" + raw + b"#%02x" % (sum(raw) % 256))
            while not re.search(rb"\$[^#]*#..", data, re.S):
                more = line.recv(65536)
                if not more:
                    return replies
                data += more
            found = re.search(rb"\$([^#]*)#..", data, re.S)
            replies.append(found.group(1).decode("latin-1"))
            data = data[found.end():]
            line.sendall(b"+")
        return replies


def with_gdb(elf):
    with Stub(f"1,2:B={elf}", f"3,4:B={elf}") as stub:
        has("breakpoints, registers, source, backtrace", gdb(
            stub, elf, "break add", "continue", "bt", "print a", "print b", "info registers pc sp", "finish"),
            r"hit Breakpoint 1", r"add \(a=0, b=1\)", r"in main \(\) at", r"= 0", r"= 1", r"0x\w+ <add", r"Value returned is \$\d+ = 1")
    with Stub(f"1,2:B={elf}", f"3,4:T0={elf}") as stub:
        has("tiles are inferiors, cores are threads", gdb(stub, elf, "info threads", "info inferiors"),
            r'Thread 36\.1 "1,2 B"', r'Thread 72\.2 "3,4 T0"', r"process 36")
    with Stub(f"1,2:B={elf}") as stub:
        has("steps forward and back", gdb(
            stub, elf, "break main", "continue", "stepi 20", "monitor cycle", "reverse-stepi 20", "monitor cycle", "stepi 20",
            "monitor cycle"), r"Breakpoint 1, main", r"\n101\n", r"\n27\n", r"\n101\n")
    with Stub(f"1,2:B={elf}") as stub:
        result = gdb(stub, elf, "watch *(int *)0x20000", "continue", "continue", "continue", "print *(int *)0x20000",
                     "reverse-continue", "reverse-continue", "print *(int *)0x20000", "continue", "print *(int *)0x20000")
        has("a watchpoint on L1, forward and back", result, r"New value = 1", r"New value = 3", r"New value = 6", r"= 6\n", r"Old value = 6",
            r"New value = 3", r"= 1\n", r"= 3\n")
    with Stub(f"1,2:B={elf}") as stub:
        has("back to the beginning", gdb(stub, elf, "break add", "continue", "delete", "reverse-continue", "print $pc", "monitor cycle"),
            r"No more reverse-execution history", r"_start", r"\n0\n")
    with Stub(f"1,2:B={elf}") as stub:
        has("memory and registers are written", gdb(
            stub, elf, "break add", "continue", "set var b = 41", "print b", "set $a5 = 7", "print $a5", "finish",
            "set *(int *)0x20000 = 0x1234", "x/wx 0x20000"), r"= 41", r"= 7", r"= 41", r"0x20000:\s+0x00001234")
    with Stub(f"1,2:B={elf}") as stub:
        has("a program that is done", gdb(stub, elf, "continue", "print total"), r"finished after \d+ cycles", r"SIGINT", r"= 15")
    with Stub(f"1,2:B={elf}") as stub:
        has("state that gdb has no words for", gdb(
            stub, elf, "monitor sync", "monitor threads", "monitor dst 0 2", "monitor peek 0xffb12000 1", "monitor goto 5000",
            "monitor watch sem 1", "monitor nonsense"), r"semaphore 7: 0 of 0", r"T2  nothing at the gate", r"   1: 0 0", r"0xffb12000: 0x",
            r"cycle 5000", r"unchanged up to cycle", r"monitor cycle ")


OTHER = """
volatile int steps, *flag = (volatile int *)0x20100;
int square(int a) { return a * a; }
int main(void)
{
    for (int i = 1; i <= 4; i++)
        steps += square(i);
    *flag = steps;
    return steps;
}
asm(".section .start, \\"ax\\"\\n.globl _start\\n_start: lui sp, 0x40\\n call main\\n j .\\n.text");
"""


def compile_other():
    """Linked elsewhere, so that it can be in one tile with the first."""
    elf = path("other.elf")
    subprocess.run([support.GCC, "-g", "-O0", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-Wl,-n",
                    "-Wl,--section-start=.start=0x6000", "-Wl,-Ttext=0x6100", "-Wl,-Tdata=0x11000", "-Wl,-Tbss=0x11100",
                    write("other.c", OTHER), "-o", elf], check=True, capture_output=True)
    return elf


def bare(stub, *commands):
    """gdb that is given no program, with what `kerr gdb` says."""
    line = [GDB, "-q", "-nx", "-batch", "-ex", "set pagination off", "-ex", "set confirm off", "-ex", "set breakpoint pending on",
            "-ex", "set schedule-multiple on", "-ex", f"target extended-remote :{stub.port}"]
    for command in commands:
        line += ["-ex", command]
    return subprocess.run(line, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120, check=False)


def several(elf, other):
    """Tiles, programs and cores that gdb finds by itself."""
    with Stub(f"1,2:B={elf}", f"3,4:T0={elf}", f"5,6:B={elf}", f"5,6:T0={other}") as stub:
        result = bare(stub, "info inferiors", "inferior 2", "info registers pc", "inferior 3", "break square", "continue", "bt",
                      "continue", "info threads", "inferior 1", "info line add")
        case("no register packet is truncated", "Truncated" not in result.stdout and "bug" not in result.stdout, told(result))
        has("each tile has its program", result, r"process 36 .*sum\.elf", r"process 72 .*sum\.elf", r"process 108 .*sum\.elf",
            r"Switching to inferior 2", r"_start \(\)", r"pc +0x0.*<_start>", r"Switching to inferior 3")
        has("a tile's second program is there with its first step, and breakpoints are in it", result, r'"square" not defined',
            r"hit Breakpoint 1", r"square \(a=1\) at .*other\.c:3", r"in main \(\) at .*other\.c:7", r'"5,6 T0" hit Breakpoint 1',
            r"square \(a=2\) at .*other\.c:3", r'Thread 36\.1 "1,2 B".*sum\.c', r'Thread 72\.2 "3,4 T0".*sum\.c',
            r'Thread 108\.1 "5,6 B".*sum\.c', r'Thread 108\.2 "5,6 T0".*other\.c', r"Line 3 of .*sum\.c")
    with Stub(f"1,2:B={elf}", f"3,4:T0={other}") as stub:
        has("one tile alone goes on to its own breakpoint, and not to that of another", bare(
            stub, "set schedule-multiple off", "break square", "break add", "inferior 1", "continue", "bt 1", "inferior 2", "continue",
            "print a", "detach", "info threads"),
            r"Thread 1\.1 .* hit Breakpoint 2", r"add \(a=0, b=1\)", r"Thread 2\.1 .* hit Breakpoint 1", r"= \d", r"process 72\) detached",
            r'1\.1 +Thread 36\.1 "1,2 B"')
    with Stub(f"1,2:B={elf}", f"3,4:T0={other}") as stub:
        has("steps back in one of two tiles", bare(
            stub, "tbreak add", "continue", "stepi 3", "print $pc", "info threads", "reverse-stepi 3", "print $pc", "monitor cycle"),
            r"hit Temporary breakpoint 1", r"<add\+", r'Thread 72\.2', r"<add\+")
    with Stub(f"1,2:B={elf}", f"3,4:T0={other}") as stub:
        replies = packets(stub, "qXfer:exec-file:read:24:0,fff", "qXfer:exec-file:read:48:0,fff", "qXfer:exec-file:read:6c:0,fff",
                          "vFile:open:" + b"/etc/passwd".hex() + ",0,0", "vFile:open:" + os.path.realpath(elf).encode().hex() + ",0,0",
                          "vFile:pread:0,4,0", "vFile:fstat:0", "vFile:pread:0,4,ffffffffffffff", "vFile:pread:7,4,0", "vFile:close:0",
                          "vFile:close:0", "vFile:open:" + os.path.realpath(elf).encode().hex() + ",1,0", "vFile:unlink:00", "D;24", "D;48")
        good = [replies[0] == "l" + os.path.realpath(elf), replies[1] == "l" + os.path.realpath(other), replies[2] == "l/kerr/no-program",
                replies[3] == "F-1,2", replies[4] == "F0", replies[5] == "F4;\x7fELF", replies[6].startswith("F40;"), replies[7] == "F0;",
                replies[8] == "F-1,9", replies[9] == "F0", replies[10] == "F-1,9", replies[11] == "F-1,16", replies[12] == "",
                replies[13:] == ["OK", "OK"]]
        case("gdb reads the programs from us, and no other file", all(good), f"{good}\n{replies}")


def numbers(elf):
    """Every number is refused or done."""
    lines = [f"monitor {what} {number}" for what in ("goto", "peek", "dst", "srca", "watch sem", "watch dst", "watch peek", "peek 0", "dst 0")
             for number in ("99999999999999999999", "18446744073709551615", "-1", "0x", "1e3", "x", "4294967296")]
    with Stub(f"1,2:B={elf}") as stub:
        result = bare(stub, *lines, "monitor goto 0x10", "monitor cycle", "monitor peek 0x20000 3", "monitor goto 5000 6", "monitor goto")
        text = result.stdout
        case("numbers that make no sense are refused", text.count("is not a number from") + text.count("nothing at 0x") + text.count("there is no such thing")
             == len(lines) and "'99999999999999999999' is not a number from 0 to 10000000" in text, told(result))
        has("others are done", result, r"cycle 16", r"\n16\n", r"0x00020000: ", r"monitor cycle ", r"monitor cycle ")


RACE = """
int main(void)
{
    volatile int *word = (volatile int *)0x20000;
    int sum = *word; /* nobody has written it */
    for (int i = 0; i < 5; i++)
        sum += word[1];
    word[2] = sum;
    return sum;
}
asm(".section .start, \\"ax\\"\\n.globl _start\\n_start: lui sp, 0x30\\n call main\\n j .\\n.text");
"""


def checks():
    """kerr gdb --check and --shake."""
    elf = path("unwritten.elf")
    subprocess.run([support.GCC, "-g", "-O0", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-Wl,-n",
                    "-Wl,--section-start=.start=0x0", "-Wl,-Ttext=0x100", write("unwritten.c", RACE), "-o", elf], check=True, capture_output=True)
    script = write("look.gdb", "break 7\ncontinue\nreverse-stepi\nreverse-stepi\ncontinue\ndelete\ncontinue\nmonitor goto 0\nmonitor goto 2000\n")
    result = support.kerr("gdb", elf, "--check", "--script", script, "--findings", path("found.json"), timeout=100)
    found = [line for line in open(path("found.json"), encoding="utf-8")]
    case("what is found is told of at the next stop, once", result.stderr.count("kerr: found: ") == 1
         and "uninit-l1: a load of 4 bytes at 0x20000" in result.stderr and result.stdout.count("Breakpoint 1, main") == 2, told(result))
    case("kerr gdb --check: going back and forth finds what a run finds, and fails", result.returncode == 5
         and [("0x00020000" in line, "uninit-l1" in line) for line in found][:1] == [(True, True)], told(result) + "".join(found))
    plain = support.kerr("run", "-q", elf, "--check", "--findings", path("plain.json"), "--cycles", "2000")
    case("with the same cycles", plain.returncode in (5, 3, 4) and found == list(open(path("plain.json"), encoding="utf-8")),
         told(plain) + "".join(found))
    result = support.kerr("gdb", elf, "--check", "--findings-ok", "--script", script, timeout=100)
    case("--findings-ok", result.returncode == 0 and "1 finding" in result.stderr.replace("2 findings", "1 finding"), told(result))
    hashes = []
    for shake in ("0", "7", "7"):
        result = support.kerr("gdb", elf, "--shake", shake, "--script", write("hash.gdb", "monitor goto 600\nmonitor hash\n"), timeout=100)
        hashes.append(re.findall(r"hash ([0-9a-f]{16})", result.stdout + result.stderr))
    saved = path("shaken.chip")
    support.kerr("run", "-q", elf, "--shake", "7", "--cycles", "600", "--save", saved)
    with Stub("--chip", saved) as stub:
        hashes.append(re.findall(r"hash ([0-9a-f]{16})", bare(stub, "monitor hash").stdout))
    case("kerr gdb --shake is the run that kerr run --shake is", len(hashes[1]) == 1 and hashes[1] == hashes[2] == hashes[3] != hashes[0], hashes)


def same_with_and_without(elf):
    """A debugged run ends in the state that an undebugged one has in the same cycle."""
    saved = path("plain.chip")
    plain = support.kerr("run", f"1,2:B={elf}", "--cycles", "5000", "--save", saved, "-q")
    with Stub(f"1,2:B={elf}") as stub:
        debugged = gdb(stub, elf, "break add", "watch total", "continue", "continue", "stepi 7", "reverse-stepi 3", "delete",
                       "monitor goto 5000", "monitor hash")
    with Stub("--chip", saved) as stub:
        untouched = gdb(stub, elf, "monitor hash")
    hashes = [re.findall(r"hash ([0-9a-f]{16})", r.stdout) for r in (debugged, untouched)]
    case("a debugger changes nothing: the same state hash", plain.returncode == 0 and len(hashes[0]) == 1 and hashes[0] == hashes[1],
         told(plain) + told(debugged) + told(untouched))


def by_hand(elf):
    with Stub(f"1,2:B={elf}") as stub:
        replies = packets(stub, "qSupported:multiprocess+", "?", "Hgp24.1", "g", "p20", "P20=00010000", "p20", "mffffffff,4", "m0,4", "m0,zz",
                          "Z0,100,4", "Z9,1,1", "z0,100,4", "nonsense", "vCont?", "qXfer:features:read:target.xml:0,40",
                          "qXfer:nothing:read::0,40", "Hgpff.1", b"X20000,4:\x01\x02\x04}\x03", "vAttach;48", "D")
        names = ["ReverseContinue" in replies[0], replies[1].startswith("T05thread:p24.1"), replies[2] == "OK", len(replies[3]) == 33 * 8,
                 replies[4] == "00000000", replies[5] == "OK", replies[6] == "00010000", replies[7].startswith("E"), len(replies[8]) == 8,
                 replies[9] == "E01", replies[10] == "OK", replies[11] == "", replies[12] == "OK", replies[13] == "",
                 "vCont;c" in replies[14], replies[15].startswith("m<?xml"), replies[16] == "E00", replies[17] == "E01", replies[18] == "OK",
                 replies[19].startswith("T05"), replies[20] == "OK"]
        case("packets of all kinds, good and bad", all(names), f"{names}\n{replies}")
    with Stub(f"1,2:B={elf}") as stub:
        with socket.create_connection(("127.0.0.1", stub.port), timeout=30) as line:
            line.sendall(b"$g#00")
            first = line.recv(1)
            line.sendall(b"$" + b"m" * 40000 + b"#00")
            second = b""
            while b"#" not in second:
                second += line.recv(64)
        case("a wrong checksum, a packet that is too long", first == b"-" and b"E01" in second, f"{first} {second}")


def bad_input(elf):
    for name, arguments, word in (("no program", [], "no program"), ("a port that is none", ["--port", "70000", elf], "70000"),
                                  ("no such file", [path("nowhere.elf")], "nowhere.elf"),
                                  ("no such chip", ["--chip", path("nowhere.chip")], "nowhere.chip")):
        result = support.kerr("gdb", *arguments, timeout=20)
        case(f"refused: {name}", result.returncode == 2 and word in result.stderr, told(result))
    taken = socket.socket()
    taken.bind(("127.0.0.1", 0))
    taken.listen(1)
    result = support.kerr("gdb", "--port", str(taken.getsockname()[1]), elf, timeout=20)
    case("refused: a port that is taken", result.returncode == 2 and "cannot listen" in result.stderr, told(result))


def main():
    if not shutil.which(support.GCC):
        skip("kerr gdb", f"no {support.GCC}")
        done()
    elf = compile_it()
    by_hand(elf)
    bad_input(elf)
    if shutil.which(GDB):
        with_gdb(elf)
        several(elf, compile_other())
        numbers(elf)
        checks()
        same_with_and_without(elf)
    elif os.environ.get("KERR_CI"):
        case("gdb-multiarch is there", False)
    else:
        skip("with gdb", f"no {GDB}")
    done()


if __name__ == "__main__":
    sys.exit(main())

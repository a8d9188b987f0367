#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs cases of pushed Tensix instructions through a library with the libttsim C ABI: a reference, or ours.

    tensix_ref.py record LIBRARY CASES > VECTORS      what the library answers; a case it refuses becomes a comment
    tensix_ref.py check LIBRARY VECTORS               compares; the first difference of each case, then a count

CASES and VECTORS have one format, VECTORS with answers:

    case NAME
      set ADDRESS VALUE         RISCV B stores
      push THREAD WORD          RISCV B pushes an instruction (it enters behind the MOP expander)
      wait N                    about N cycles
      get ADDRESS [-> VALUE]    RISCV B loads
      # refused: ...            why a recorded case has no answers; such a case is not checked

with numbers as Python writes them, cfg(bank, word), thread(t, word) and gpr(t, register) for addresses, and
NAME(field, ...), lowest field last as in the kernel library, for the words of the instructions in isa/tensix.isa: the
fields from bit 23 down, without the reserved ones.  RISCV B executes each case from a script in L1.  The reference keeps its
state in globals and may end the process, so every case runs in a forked child.
"""
import ctypes
import os
import re
import struct
import sys
import tempfile

TILE = (1, 2)                       # any Tensix tile
SOFT_RESET = 0xFFB121B0             # manual SoftReset
ALL_CORES, CORE_B = 0x47800, 0x800
TLB_CONFIG, TLB_SIZE = 0x1FC00000, 2 << 20  # manual HostToDeviceTLBs
SCRIPT, OUTPUT, DONE = 0x20000, 0xA0000, 0xF000
END, SET, GET, WAIT = range(4)
TENSIX_CFG_BASE, CFG_WORDS, THD_STATE_SIZE = 0xFFEF0000, 224, 68
REGFILE_BASE, GPRS = 0xFFE00000, 64
INSTRN_BUF_BASE = 0xFFE40000
HERE = os.path.dirname(os.path.abspath(__file__))


def read_encodings(path):
    """Name -> (opcode, [(high, low) of each field from bit 23 down])."""
    found, name = {}, None
    with open(path, encoding="utf-8") as table:
        for line in table:
            row = re.match(r"(0x[0-9a-f]{2})  (\w+)", line)
            if row:
                name = row[2]
                found[name] = (int(row[1], 16), [])
            elif name and line.startswith("      "):
                for field, high, low in re.findall(r"(\w+) (\d+)(?::(\d+))?", line):
                    if field != "reserved":
                        found[name][1].append((int(high), int(low or high)))
    return found


def encoder(opcode, fields):
    def encode(*values):
        if len(values) != len(fields):
            raise ValueError(f"{len(fields)} fields, not {len(values)}")
        word = opcode << 24
        for value, (high, low) in zip(values, fields):
            if value >> (high - low + 1):
                raise ValueError(f"{value} does not fit into bits {high}:{low}")
            word |= value << low
        return word
    return encode


NAMES = {name: encoder(*row) for name, row in read_encodings(os.path.join(HERE, "../../isa/tensix.isa")).items()}
NAMES.update(
    __builtins__={}, cfg=lambda bank, word: TENSIX_CFG_BASE + 4 * (bank * CFG_WORDS + word),
    thread=lambda t, word: TENSIX_CFG_BASE + 4 * (3 * CFG_WORDS + t * THD_STATE_SIZE + word),
    gpr=lambda t, register: REGFILE_BASE + 4 * (t * GPRS + register))


class Case:
    def __init__(self, name):
        self.name, self.lines, self.script, self.answers, self.refused = name, [], [], [], None

    def add(self, line):
        """A line of the case, without its answer."""
        step, arrow, answer = line.strip().partition(" -> ")
        verb, _, rest = step.partition(" ")
        arguments = eval(f"({rest},)", dict(NAMES))  # pylint: disable=eval-used
        if verb == "set" and len(arguments) == 2:
            self.script.append((SET, *arguments))
        elif verb == "push" and len(arguments) == 2 and arguments[0] < 3:
            self.script.append((SET, INSTRN_BUF_BASE + 0x10000 * arguments[0], arguments[1]))
        elif verb == "wait" and len(arguments) == 1:
            self.script.append((WAIT, arguments[0], 0))
        elif verb == "get" and len(arguments) == 1:
            self.script.append((GET, *arguments, 0))
            if arrow:
                self.answers.append(int(answer, 0))
        else:
            raise ValueError(f"'{verb}' with {len(arguments)} arguments")
        self.lines.append(step)

    def gets(self):
        return [line for line, step in zip(self.lines, self.script) if step[0] == GET]


def separate(line):
    """'push 0 WRCFG(1, 0, 5)' with commas between the arguments."""
    verb, _, rest = line.strip().partition(" ")
    parts, depth = [""], 0
    for character in rest:
        depth += (character == "(") - (character == ")")
        if character == " " and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if "->" in parts:
        at = parts.index("->")
        return f"{verb} {', '.join(parts[:at])} -> {' '.join(parts[at + 1:])}"
    return f"{verb} {', '.join(parts)}"


def read_cases(path):
    cases, opening = [], []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            text = line.strip()
            try:
                if text.startswith("case "):
                    cases.append(Case(text[5:]))
                elif text.startswith("# refused: ") and cases:
                    cases[-1].refused = text[len("# refused: "):]
                elif text.startswith("#") or not text:
                    if not cases:
                        opening.append(line.rstrip())
                else:
                    cases[-1].add(separate(line))
            except (ValueError, SyntaxError, NameError, TypeError, IndexError) as error:
                sys.exit(f"{path}:{number}: {error}")
    return opening, cases


class Device:
    def __init__(self, path):
        self.lib = ctypes.CDLL(path)
        self.lib.libttsim_pci_config_rd32.restype = ctypes.c_uint32
        self.lib.libttsim_init()
        self.bar0 = self.lib.libttsim_pci_config_rd32(0, 0x10) & ~0xF
        self.bar0 |= self.lib.libttsim_pci_config_rd32(0, 0x14) << 32

    def _window(self, address):
        base = address & ~(TLB_SIZE - 1)
        fields = (base >> 21) | TILE[0] << 43 | TILE[1] << 49
        for i in range(3):
            word = struct.pack("<I", fields >> 32 * i & 0xFFFFFFFF)
            self.lib.libttsim_pci_mem_wr_bytes(ctypes.c_uint64(self.bar0 + TLB_CONFIG + 4 * i), word, 4)
        return ctypes.c_uint64(self.bar0 + address - base)

    def write(self, address, data):
        self.lib.libttsim_pci_mem_wr_bytes(self._window(address), data, len(data))

    def read(self, address, size):
        buffer = ctypes.create_string_buffer(size)
        self.lib.libttsim_pci_mem_rd_bytes(self._window(address), buffer, size)
        return buffer.raw


def i_type(opcode, rd, funct3, rs1, imm):
    return opcode | rd << 7 | funct3 << 12 | rs1 << 15 | (imm & 0xFFF) << 20


def s_type(funct3, rs1, rs2, imm):
    return 0x23 | (imm & 31) << 7 | funct3 << 12 | rs1 << 15 | rs2 << 20 | (imm >> 5 & 127) << 25


def branch(funct3, rs1, rs2, words):
    imm = 4 * words
    return 0x63 | funct3 << 12 | rs1 << 15 | rs2 << 20 | (imm >> 11 & 1) << 7 | (imm >> 1 & 15) << 8 | (imm >> 5 & 63) << 25 \
        | (imm >> 12 & 1) << 31


def load_immediate(rd, value):
    high = (value + 0x800) & 0xFFFFF000
    return [0x37 | rd << 7 | high, i_type(0x13, rd, 0, rd, value - high)]


def interpreter():
    """What RISCV B runs: x5 the script (kind, a, b), x6 the output, x10 to x12 one step."""
    fence = 0x0FF0000F
    loop = [i_type(0x03, 10, 2, 5, 0), i_type(0x03, 11, 2, 5, 4), i_type(0x03, 12, 2, 5, 8), i_type(0x13, 5, 0, 5, 12)]
    at_set = [s_type(2, 11, 12, 0), fence]
    at_get = [i_type(0x03, 13, 2, 11, 0), s_type(2, 6, 13, 0), i_type(0x13, 6, 0, 6, 4)]
    at_wait = [i_type(0x13, 11, 0, 11, -1), branch(1, 11, 0, -1)]
    at_end = load_immediate(28, DONE) + [fence, s_type(2, 28, 28, 0), 0x6F]
    blocks = [(SET, at_set), (GET, at_get), (WAIT, at_wait)]
    code = list(loop)
    for kind, block in blocks:
        code += [i_type(0x13, 14, 0, 0, kind), branch(1, 10, 14, len(block) + 2), *block]
        code.append(branch(0, 0, 0, -len(code)))
    words = load_immediate(5, SCRIPT) + load_immediate(6, OUTPUT) + code + at_end
    return struct.pack("<%dI" % len(words), *words)


def run(library, case):
    """The answers, or None and why there are none."""
    size = 4 * len(case.gets())
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                device = Device(library)
                device.write(SOFT_RESET, struct.pack("<I", ALL_CORES))
                device.write(0, interpreter())
                device.write(SCRIPT, b"".join(struct.pack("<3I", *step) for step in [*case.script, (END, 0, 0)]))
                device.write(DONE, bytes(4))
                device.write(SOFT_RESET, struct.pack("<I", ALL_CORES & ~CORE_B))
                for _ in range(200):
                    device.lib.libttsim_clock(1000)
                    done = device.read(DONE, 4)
                    if done == struct.pack("<I", DONE):
                        os.write(out.fileno(), device.read(OUTPUT, size))
                        status = 0
                    if done != bytes(4):
                        break
            finally:
                os._exit(status)
        os.waitpid(pid, 0)
        out.seek(0)
        data = out.read()
        log.seek(0)
        text = log.read().decode(errors="replace").strip()
    if len(data) != size:
        return None, (text or "no answer").split("\n")[-1][:160]
    return struct.unpack("<%dI" % (size // 4), data), None


def record(library, path):
    opening, cases = read_cases(path)
    print("\n".join(opening))
    for case in cases:
        answers, reason = run(library, case)
        print(f"\ncase {case.name}")
        if answers is None:
            print("  # refused: " + re.sub(r"\S*/", "", reason))
        answers = iter(answers or [])
        for line, step in zip(case.lines, case.script):
            answer = next(answers, None) if step[0] == GET else None
            print("  " + spaced(line) + (f" -> 0x{answer:08x}" if answer is not None else ""))
    return 0


def spaced(line):
    """The inverse of separate()."""
    depth, out = 0, ""
    for character in line:
        depth += (character == "(") - (character == ")")
        out += "" if character == "," and depth == 0 else character
    return out


def check(library, path):
    _, cases = read_cases(path)
    wrong = checked = 0
    for case in cases:
        if case.refused is not None:
            continue
        checked += 1
        answers, reason = run(library, case)
        if answers is None:
            print(f"{case.name}: {reason}")
            wrong += 1
            continue
        if len(case.answers) != len(answers):
            print(f"{case.name}: {len(case.answers)} answers for {len(answers)} loads")
            wrong += 1
            continue
        for line, ours, theirs in zip(case.gets(), answers, case.answers):
            if ours != theirs:
                print(f"{case.name}: {spaced(line)}: 0x{ours:08x}, not 0x{theirs:08x}")
                wrong += 1
                break
    print(f"{checked} cases, {wrong} differ")
    return int(wrong != 0 or checked == 0)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("record", "check"):
        sys.exit(__doc__)
    sys.exit((record if sys.argv[1] == "record" else check)(sys.argv[2], sys.argv[3]))

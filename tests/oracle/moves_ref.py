#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random sequences of moves between SrcA, SrcB and Dst in a library with the libttsim C ABI.

    moves_ref.py record LIBRARY COUNT SEED > VECTORS     cases that the library takes, with what Dst holds afterwards
    moves_ref.py check LIBRARY VECTORS [COUNT]           the library has to answer as recorded, in the first COUNT cases
    moves_ref.py live CHECKER COUNT SEED                 the same with the library that REF names, and CHECKER
                                                         (unit/tensix/moves_ref_test) has to agree; without REF skipped (77)

Dst is filled by SFPSTORE, banks are handed over by UNPACR_NOP, which also says their implied formats.  After the sequence SrcA
and SrcB are moved to Dst, and Dst is read through the debug array registers.  One line a case:

    NAME config0 config1 config2 thread2 thread3 implied_a implied_b | BASE... | STEP... | SUM...

BASE: for each four rows of DstBits and for even and odd columns the value that lane 0 has; each further lane has 2 more.
STEP: an instruction of thread 0, or Zn: configuration word 2 becomes n.  SUM: FNV-1a of eight rows of DstBits each.

Left out, since cards or kernels differ from the reference (docs/errata-tensix.md) or it refuses them: formats other than
TF32 with Fp32_enabled, odd AddrMod of one row, one row of a 32-bit Dst beyond the eighth, cells that SrcB's format has no room for.
"""
import os
import random
import subprocess
import sys
import tempfile

import tensix_ref as ref

FILLED, DUMPED = 64, 384  # rows
FP32, FP16, TF32, BF16, BFP8, BFP4 = 0, 1, 4, 5, 6, 7
WAIT = "wait 40"


def word(name, *fields):
    return ref.NAMES[name](*fields)


class Sequence:
    def __init__(self, seed):
        self.random = r = random.Random(seed)
        self.name = f"seed{seed}"
        self.wide = r.random() < 0.4
        self.format = TF32 if self.wide else r.choice([FP32, FP16, BF16, BFP8, BFP4])
        other = r.choice([FP32, FP16, BF16])
        self.implied = r.random() < 0.5
        configured, banks = (other, self.format) if self.implied else (self.format, other)
        self.config = [0, configured << 17 | configured << 21 | self.wide << 29, r.randint(0, 1)]
        self.thread2 = self.thread3 = int(not self.implied)
        self.banks = banks
        self.base = [r.choice([r.getrandbits(16), r.getrandbits(16) & 0xFF00, 0x3F80, r.getrandbits(8)]) for _ in range(2 * FILLED // 4)]
        self.moved = False  # the counter of Dst, perhaps
        self.left_out = False
        self.steps = [self.step() for _ in range(r.randint(3, 12))]

    def step(self):
        mode = self.random.choice((0, 0, 0, 2, 4, 6))
        step = self.step_with(mode)
        self.moved = self.moved or mode == 2
        return step

    def step_with(self, mode):
        r = self.random
        four, eight = lambda n: 4 * r.randrange(n // 4), lambda n: 8 * r.randrange(n // 8)
        dst = FILLED // 2 if self.wide else FILLED
        narrow_float = self.format == FP16
        kind = r.randrange(11)
        if kind == 0:
            return word("MOVD2A", 0, four(64), mode, 1, four(dst))
        if kind <= 2:
            return word("MOVD2B", int(self.wide and self.format != TF32 and r.random() < 0.5), four(64), mode, r.randint(0, 1),
                        four(dst))
        if kind == 3:
            return word("MOVB2A", four(64), mode, 1, four(64))
        if kind <= 5:
            low = int(not self.wide and not narrow_float and r.random() < 0.3)
            return word("MOVA2D", low, eight(64), mode, 1, eight(FILLED // 2 if low else dst))
        if kind <= 7:
            low = int(not self.wide and not narrow_float and r.random() < 0.3)
            rows8 = r.randint(0, 1)
            return word("MOVB2D", low, eight(64) if rows8 else four(64), mode, 1 - rows8, rows8, r.randint(0, 1),
                        (eight if rows8 else four)(FILLED // 2 if low else dst))
        if kind == 8:
            return word("TRNSPSRCB")
        if kind == 9:
            return r.choice([word("ZEROSRC", 0, 1, 0, r.randint(0, 1), 1), word("ZEROSRC", 0, 1, 0, 1, 0),
                             word("ZEROSRC", 0, 0, 1, 1, 1)])
        wide = int(self.wide)
        rows16 = word("ZEROACC", 0, 0, 0, 1, wide, 0, mode, r.randrange(2 if wide else 4))
        row = word("ZEROACC", 0, 0, 0, 0, 0, 0, 0, r.randrange(8 if wide else FILLED))
        step = r.choice([rows16, row])
        self.left_out = self.left_out or (self.wide and self.moved and step == row)
        return step

    def addr_mods(self):
        """Entry 2 goes on in Dst, 4 in SrcA and SrcB, 6 clears all; SETC16 of ADDR_MOD_AB and ADDR_MOD_DST."""
        for entry, ab, dst in ((0, 0, 0), (2, 0, 8), (4, 8 | 8 << 8, 0), (6, 0x80 | 0x80 << 8, 1 << 11)):
            yield word("SETC16", 12 + entry, ab)
            yield word("SETC16", 28 + entry, dst)

    def dump(self):
        yield word("SETRWC", 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1)
        yield "Z1"
        for row in range(0, 64, 8):
            yield word("MOVA2D", 0, row, 0, 1, 64 + row)
        for row in range(0, 64, 4):
            yield word("MOVB2D", 0, row, 0, 1, 0, 0, 128 + row)

    def all_steps(self):
        return [*self.addr_mods(), *self.steps, *self.dump()]

    def script(self):
        for i, base in enumerate(self.base):
            yield f"push 0 SFPLOADI(1, 2, {base})"
            yield "push 0 SFPIADD(0, 15, 1, 4)"
            yield f"push 0 SFPSTORE(1, 6, 0, {i // 2 * 4 + i % 2 * 2})"
        for i, value in enumerate(self.config):
            yield f"set cfg(0,{i}) {value}" if i else WAIT
        for unpacker in range(2):
            yield f"set cfg(0,{72 + 48 * unpacker}) {self.banks}"
        yield f"push 0 SETC16(2, {self.thread2})"
        yield f"push 0 SETC16(3, {self.thread3})"
        yield WAIT
        yield f"push 0 {0x43000101}"
        yield f"push 0 {0x43800101}"
        yield WAIT
        for step in self.all_steps():
            if isinstance(step, str):
                yield WAIT
                yield f"set cfg(0,2) {step[1:]}"
                yield WAIT
            else:
                yield f"push 0 {step}"
        yield WAIT
        yield "set 0xffb12060 1"
        for row in range(DUMPED):
            for part in range(8):
                yield f"set 0xffb12064 {0x20000 | part << 12 | row}"
                yield "get 0xffb1206c"

    def run(self, library):
        case = ref.Case(self.name)
        for line in self.script():
            case.add(ref.separate(line))
        return ref.run(library, case)

    def line(self, answers):
        sums = []
        for block in range(0, len(answers), 64):
            value = 0x811C9DC5
            for answer in answers[block:block + 64]:
                for byte in answer.to_bytes(4, "little"):
                    value = (value ^ byte) * 0x01000193 & 0xFFFFFFFF
            sums.append(value)
        head = [self.name, *self.config, self.thread2, self.thread3, self.banks, self.banks]
        return " | ".join([" ".join(map(str, head)), " ".join("%04x" % base for base in self.base),
                           " ".join(step if isinstance(step, str) else "%08x" % step for step in self.all_steps()),
                           " ".join("%08x" % value for value in sums)])


def record(library, count, seed, out):
    taken = refused = 0
    reasons = {}
    while taken < count:
        sequence = Sequence(seed + taken + refused)
        answers, reason = (None, "left out") if sequence.left_out else sequence.run(library)
        if answers is None:
            refused += 1
            reasons[reason] = reasons.get(reason, 0) + 1
            if refused > 20 * count + 100:
                break
            continue
        taken += 1
        print(sequence.line(answers), file=out, flush=True)
    for reason, times in sorted(reasons.items(), key=lambda item: -item[1])[:8]:
        print(f"# refused {times} times: {reason}", file=sys.stderr)
    return int(taken != count)


def check(library, path, count):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip() for line in file if not line.startswith("#")][:count]
    wrong = 0
    for line in lines:
        sequence = Sequence(int(line.split()[0].removeprefix("seed")))
        answers, reason = sequence.run(library)
        if answers is None or sequence.line(answers) != line:
            wrong += 1
            print(f"{sequence.name}: {reason or 'Dst is not as recorded'}")
    print(f"{len(lines)} cases, {wrong} differ")
    return int(wrong != 0 or not lines)


def main(arguments):
    if len(arguments) in (3, 4) and arguments[0] == "check":
        return check(arguments[1], arguments[2], int(arguments[3]) if len(arguments) == 4 else None)
    if len(arguments) == 4 and arguments[0] == "record":
        print("# SPDX-License-Identifier: Apache-2.0\n# Origin: the vendor's simulator (ttsim 1.10), by tests/oracle/moves_ref.py.")
        return record(arguments[1], int(arguments[2]), int(arguments[3]), sys.stdout)
    if len(arguments) == 4 and arguments[0] == "live":
        library = os.environ.get("REF")
        if not library:
            print("REF names no library")
            return 77
        with tempfile.NamedTemporaryFile("w", suffix=".vec") as file:
            return record(library, int(arguments[2]), int(arguments[3]), file) or \
                subprocess.call([os.path.abspath(arguments[1]), file.name])
    sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

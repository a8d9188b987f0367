#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the generator refuses, and that the decoder it makes agrees with the table and with the assembler.

Each file in bad/ opens with '# refused: LINE: MESSAGE' ('*' for a path) and must be refused with just that.
"""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
GENERATOR = os.path.join(ROOT, "isa", "gen", "gen.py")
ISA = os.path.join(ROOT, "isa", "rv32.isa")
COSTS = os.path.join(ROOT, "isa", "costs.tbl")
sys.path.insert(0, os.path.dirname(GENERATOR))
sys.dont_write_bytecode = True
import gen  # noqa: E402

IDENTIFY = r"""
#include "rv32_ops.h"
#include <inttypes.h>
#include <stdio.h>

int main(void)
{
    uint32_t word;
    while (scanf("%" SCNx32, &word) == 1) {
        puts(rv_op_name(rv_identify(word)));
    }
    return 0;
}
"""

# One line for each row of the table, in the assembler's words; what it does not know stands below.
ASSEMBLY = """
lui a0, 0x12345; auipc a0, 0x12345; jal ra, .; jalr ra, 4(a0); beq a0, a1, .; bne a0, a1, .; blt a0, a1, .
bge a0, a1, .; bltu a0, a1, .; bgeu a0, a1, .; lb a0, 1(a1); lh a0, 2(a1); lw a0, 4(a1); lbu a0, 1(a1)
lhu a0, 2(a1); sb a0, 1(a1); sh a0, 2(a1); sw a0, 4(a1); addi a0, a1, -5; slti a0, a1, 5; sltiu a0, a1, 5
xori a0, a1, 5; ori a0, a1, 5; andi a0, a1, 5; slli a0, a1, 31; srli a0, a1, 31; srai a0, a1, 31
add a0, a1, a2; sub a0, a1, a2; sll a0, a1, a2; slt a0, a1, a2; sltu a0, a1, a2; xor a0, a1, a2
srl a0, a1, a2; sra a0, a1, a2; or a0, a1, a2; and a0, a1, a2; fence; fence.i; ecall; ebreak; mret
mul a0, a1, a2; mulh a0, a1, a2; mulhsu a0, a1, a2; mulhu a0, a1, a2; div a0, a1, a2; divu a0, a1, a2
rem a0, a1, a2; remu a0, a1, a2
csrrw a0, 0x7c0, a1; csrrs a0, 0x7c0, a1; csrrc a0, 0x7c0, a1; csrrwi a0, 0x7c0, 3; csrrsi a0, 0x7c0, 3
csrrci a0, 0x7c0, 3
amoadd.w a0, a1, (a2); amoswap.w a0, a1, (a2); amoxor.w a0, a1, (a2); amoor.w a0, a1, (a2)
amoand.w a0, a1, (a2); amomin.w a0, a1, (a2); amomax.w a0, a1, (a2); amominu.w a0, a1, (a2)
amomaxu.w a0, a1, (a2); amoadd.w.aqrl a0, a1, (a2)
sh1add a0, a1, a2; sh2add a0, a1, a2; sh3add a0, a1, a2
andn a0, a1, a2; orn a0, a1, a2; xnor a0, a1, a2; clz a0, a1; ctz a0, a1; cpop a0, a1; sext.b a0, a1
sext.h a0, a1; zext.h a0, a1; min a0, a1, a2; minu a0, a1, a2; max a0, a1, a2; maxu a0, a1, a2
rol a0, a1, a2; ror a0, a1, a2; rori a0, a1, 9; orc.b a0, a1; rev8 a0, a1
brev8 a0, a1; pack a0, a1, a2
flw fa0, 4(a1); flh fa0, 2(a1); fsw fa0, 4(a1); fsh fa0, 2(a1)
"""
ASSEMBLY_AS = {  # class rows
    "fadd.s fa0, fa1, fa2": "fp", "fcvt.w.s a0, fa1": "fp", "fmul.h fa0, fa1, fa2": "fp",
    "fmadd.s fa0, fa1, fa2, fa3": "fp", "fmsub.s fa0, fa1, fa2, fa3": "fp", "fnmsub.s fa0, fa1, fa2, fa3": "fp",
    "fnmadd.h fa0, fa1, fa2, fa3": "fp",
    "vsetvli a0, a1, e32, m1": "vec", "vadd.vv v1, v2, v3": "vec", "vle8.v v1, (a0)": "vec",
    "vle16.v v1, (a0)": "vec", "vle32.v v1, (a0)": "vec", "vse8.v v1, (a0)": "vec", "vse16.v v1, (a0)": "vec",
    "vse32.v v1, (a0)": "vec",
    # Not on these cores:
    "lr.w a0, (a1)": "illegal", "sc.w a0, a1, (a2)": "illegal", "wfi": "illegal", "sret": "illegal",
    "vle64.v v1, (a0)": "illegal", "fld fa0, 8(a0)": "illegal", "bset a0, a1, a2": "illegal",
    "clmul a0, a1, a2": "illegal", "packh a0, a1, a2": "illegal", "zip a0, a1": "illegal",
    ".word 0x6811d513": "grevi", ".word 0x6991d513": "grevi", ".word 0x6a01d513": "illegal",
    ".word 0x00000000": "ttinsn", ".word 0x12345679": "ttinsn", ".word 0x8000000a": "ttinsn",
    ".word 0xffffffff": "illegal",
}


def run_generator(isa, costs, output):
    return subprocess.run([sys.executable, GENERATOR, isa, costs, output], capture_output=True, text=True, check=False)


class Refusals(unittest.TestCase):
    """One test per file in bad/, added below."""


def refusal(path):
    def test(self):
        with open(path, encoding="utf-8") as file:
            line, message = re.fullmatch(r"# refused: (\d+): (.*)", file.readline().rstrip()).groups()
        pattern = ".*".join(re.escape(part) for part in f"{path}:{line}: {message}".split("*"))
        with tempfile.TemporaryDirectory() as output:
            output = os.path.join(output, "gen")
            result = run_generator(path, COSTS, output) if path.endswith(".isa") else run_generator(ISA, path, output)
            self.assertEqual(result.returncode, 1)
            self.assertRegex(result.stderr, pattern)
            self.assertEqual(result.stderr.count("\n"), 1)
            self.assertFalse(os.path.exists(output), "wrote something")
    return test


for name in sorted(os.listdir(os.path.join(HERE, "bad"))):
    setattr(Refusals, "test_" + name.replace(".", "_"), refusal(os.path.join(HERE, "bad", name)))


class Decoder(unittest.TestCase):
    """The generated decoder."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.directory)
        result = run_generator(ISA, COSTS, cls.directory)
        assert result.returncode == 0, result.stderr
        cls.program = os.path.join(cls.directory, "identify")
        main = os.path.join(cls.directory, "main.c")
        with open(main, "w", encoding="utf-8") as file:
            file.write(IDENTIFY)
        subprocess.run([os.environ.get("CC", "gcc"), "-std=c17", "-O1", "-o", cls.program, main,
                        os.path.join(cls.directory, "rv32_ops.c")], check=True)
        cls.instructions = gen.read_isa(ISA)

    def identify(self, words):
        text = "".join(f"{word:08x}\n" for word in words)
        return subprocess.run([self.program], input=text, capture_output=True, text=True, check=True).stdout.split()

    def test_random_words_go_to_the_most_specific_row(self):
        patterns = [(p, i.name) for i in self.instructions for p in i.patterns]
        source = random.Random(1)
        words = [source.getrandbits(32) for _ in range(20000)]
        for pattern, _ in patterns:
            words += [source.getrandbits(32) & ~pattern.mask | pattern.match for _ in range(200)]
        expected = []
        for word in words:
            best = max(((bin(p.mask).count("1"), name) for p, name in patterns if word & p.mask == p.match),
                       default=(0, "illegal"))
            expected.append(best[1])
        self.assertEqual(self.identify(words), expected)

    def test_the_assembler_agrees(self):
        prefix = os.environ.get("RISCV_PREFIX", "riscv64-unknown-elf-")
        if shutil.which(prefix + "gcc") is None:
            self.skipTest(f"missing tool {prefix}gcc")
        lines = [line.strip() for line in re.split(r"[;\n]", ASSEMBLY) if line.strip()]
        expected = [line.split()[0].removesuffix(".aqrl") for line in lines] + list(ASSEMBLY_AS.values())
        lines += list(ASSEMBLY_AS)
        source = os.path.join(self.directory, "all.S")
        with open(source, "w", encoding="utf-8") as file:
            file.write(".option norvc\n.option norelax\n" + "\n".join(lines) + "\n")
        binary = os.path.join(self.directory, "all.bin")
        march = "rv32imafdv_zicsr_zifencei_zfh_zba_zbb_zbc_zbs_zbkb"
        subprocess.run([prefix + "gcc", f"-march={march}", "-mabi=ilp32", "-c", source, "-o", binary + ".o"], check=True)
        subprocess.run([prefix + "objcopy", "-O", "binary", "-j", ".text", binary + ".o", binary], check=True)
        with open(binary, "rb") as file:
            data = file.read()
        words = [int.from_bytes(data[i:i + 4], "little") for i in range(0, len(data), 4)]
        self.assertEqual(len(words), len(lines))
        for line, want, got in zip(lines, expected, self.identify(words)):
            self.assertEqual(got, want, line)
        self.assertEqual(set(expected) - {"illegal"}, {i.name for i in self.instructions})

    def test_output_is_the_same_every_time(self):
        with tempfile.TemporaryDirectory() as again:
            run_generator(ISA, COSTS, again)
            for name in ("rv32_ops.h", "rv32_ops.c", "costs.h"):
                with open(os.path.join(self.directory, name), "rb") as a, open(os.path.join(again, name), "rb") as b:
                    self.assertEqual(a.read(), b.read(), name)


class TapResult(unittest.TestResult):
    """One line a case, for scripts/run-tests.py."""

    def title(self, test):
        return test.id().split(".", 1)[1].replace(".test_", ": ").replace("_", " ")

    def addSuccess(self, test):
        print(f"ok - {self.title(test)}", flush=True)

    def addSkip(self, test, reason):
        print(f"ok - {self.title(test)} # SKIP {reason}", flush=True)

    def fail(self, test, error):
        print(f"not ok - {self.title(test)}\n{self._exc_info_to_string(error, test)}", flush=True)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.fail(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.fail(test, err)


if __name__ == "__main__":
    outcome = TapResult()
    unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__]).run(outcome)
    sys.exit(0 if outcome.wasSuccessful() else 1)

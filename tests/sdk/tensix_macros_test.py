#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr_tensix.h: every macro against the assembler, values that do not fit, and what a core pushes."""

import random
import re
import struct
import sys

from tap import Tap, BUILD, kerr_cc, path, read, run, write

sys.path.insert(0, "isa/gen")
from gen_tensix import RESERVED, read_table  # pylint: disable=wrong-import-position


def forms(instruction):
    """(macro's name, fields, what the assembler has to be told besides)."""
    yield instruction.name, instruction.named(), ""
    for form in instruction.forms:
        fields = [f for f in instruction.form_fields(form) if f.name != RESERVED and f is not form.selector]
        yield f"{instruction.name}_{form.selector.name}{form.value}", fields, f"{form.selector.name}={form.value}"


def value_of(field, kind, rng):
    least = -(1 << field.width - 1) if field.signed else 0
    most = (1 << field.width - (1 if field.signed else 0)) - 1
    return {"least": least, "most": most, "random": rng.randint(least, most)}[kind]


def cases():
    """(macro call, assembler text) for every form, with the limits and random values.  A field that selects another form
    stays zero, so that the text means the same."""
    rng = random.Random(5)
    for instruction in read_table("isa/tensix.isa"):
        selectors = {form.selector.name for form in instruction.forms}
        for name, fields, besides in forms(instruction):
            for kind in ("least", "most", "random", "random"):
                values = [0 if f.name in selectors else value_of(f, kind, rng) for f in fields]
                text = [f"{f.name}={v}" for f, v in zip(fields, values)] + ([besides] if besides else [])
                named = ", ".join(f".{f.name} = {v}" for f, v in sorted(zip(fields, values), key=lambda _: rng.random()) if v or kind == "least")
                yield name, values, named, f"{instruction.name} {', '.join(text)}".strip()


def assembled(texts):
    result = run(BUILD + "/kerr", "asm", write("macros.tt", "\n".join(texts) + "\n"))
    assert result.returncode == 0, result.stderr
    return [int(line.split()[0], 16) for line in result.stdout.splitlines()]


def main():
    tap = Tap()
    made = list(cases())
    expected = assembled([text for _, _, _, text in made])
    calls = [f"{name}({', '.join(map(str, values))})" for name, values, _, _ in made]

    source = '#include "kerr_sdk.h"\n#include "kerr_tensix.h"\n'
    source += "const uint32_t KERR_IN_L1 constants[] = {" + ",\n".join(f"TT_OP_{call}" for call in calls) + "};\n"
    source += "volatile int zero;\nint main(void) {\n volatile uint32_t *out = KERR_WORD(KERR_SHARED_BASE);\n"
    for name, values, _, _ in made:
        source += f" *out++ = TT_WORD_{name}({', '.join(f'zero + {v}' for v in values)});\n"
    for name, _, named, _ in made:
        source += f" *out++ = TT_WORD({name}, {named});\n"
    for name, _, named, _ in made:
        source += f" *out++ = TT_WORD({name}, {named.replace('= ', '= zero + ')});\n"
    source += " for (unsigned i = 0; i < sizeof constants / sizeof constants[0]; i++) *out++ = constants[i];\n return 0;\n}\n"
    result = kerr_cc("NC", write("macros.c", source), "-Werror", "-O1", "--at", "0x40000", "--code-size", "0x80000",
                     "-o", path("macros.elf"))
    if tap.case(f"{len(calls)} calls of {len({name for name, _, _, _ in made})} macros compile", result.returncode == 0, result.stderr[:2000]):
        result = run(BUILD + "/kerr", "run", "--quiet", f"1,2:NC={path('macros.elf')}", "--dump",
                     f"1,2@0x20000+{16 * len(calls)}={path('macros.out')}")
        words = struct.unpack(f"<{4 * len(calls)}I", read("macros.out")) if result.returncode == 0 else ()
        for i, what in enumerate(("TT_WORD_", "TT_WORD with constants", "TT_WORD with variables", "TT_OP_")):
            tap.equal(f"{what} gives what the assembler gives", list(words[i * len(calls):(i + 1) * len(calls)]), expected)

    def compiled(core, body):
        return kerr_cc(core, write("one.c", f'#include "kerr_sdk.h"\n#include "kerr_tensix.h"\nint main(void) {{ {body} return 0; }}\n'),
                       "-Werror", "-o", path("one.elf"))

    for body, message in (
            ("TT_SEMPOST(256);", "SEMPOST: SemaphoreMask goes from 0 to 255"),
            ("TT_SEMPOST(-1);", "SEMPOST: SemaphoreMask goes from 0 to 255"),
            ("TT_STALLWAIT(1, 0x2000);", "STALLWAIT: ConditionMask goes from 0 to 8191"),
            ("return (int)TT_OP_SFPIADD(2048, 0, 0, 0);", "SFPIADD: Imm12 goes from -2048 to 2047"),
            ("return (int)TT_OP_SETDMAREG_SetSignalsMode1(4, 0, 0, 0, 0);", "SETDMAREG: ResultSize goes from 0 to 3"),
            ("TT(SEMPOST, .SemaphoreMask = 256);", "SEMPOST: SemaphoreMask goes from 0 to 255"),
            ("TT(SEMPOST, .SemaphoreMask = -1);", "SEMPOST: SemaphoreMask goes from 0 to 255"),
            ("return (int)TT_WORD(SFPIADD, .Imm12 = -2049);", "SFPIADD: Imm12 goes from -2048 to 2047"),
            ("return (int)TT_WORD(SETDMAREG_SetSignalsMode1, .ResultSize = 4);", "SETDMAREG: ResultSize goes from 0 to 3"),
            ("TT_RT(SEMPOST, .SemaphoreMask = 256);", "SEMPOST: SemaphoreMask goes from 0 to 255"),
            ("TT(SEMPOST, .SemaphorMask = 1);", "no member named 'SemaphorMask'; did you mean 'SemaphoreMask'?"),
            ("TT_SEMPOST(1, 2);", "passed 2 arguments")):
        result = compiled("T0", body)
        tap.case(f"refused: {body}", result.returncode != 0 and message in result.stderr, result.stderr)
    result = compiled("T0", "volatile int x = 1; TT_SEMPOST(x);")
    tap.case("refused: a constant form with a variable", result.returncode != 0, result.stderr)
    result = compiled("T0", "volatile int x = 1; TT(SEMPOST, .SemaphoreMask = x);")
    tap.case("refused: a constant form by names with a variable", result.returncode != 0, result.stderr)
    result = compiled("NC", "TT_SEMPOST(1);")
    tap.case("refused: NC pushes", result.returncode != 0 and "TT_SEMPOST" in result.stderr, result.stderr)

    for core in ("B", "T0", "T1", "T2"):
        for body in ("TT_SEMPOST(3); TT_NOP();", "TT(SEMPOST, .SemaphoreMask = 3); TT(NOP);"):
            result = compiled(core, body)
            ok = tap.case(f"{core}: {body} compiles", result.returncode == 0, result.stderr)
            listing = run(BUILD + "/kerr", "dis", path("one.elf")).stdout if ok else ""
            tap.case(f"{core}: they are two instructions", re.search(r"SEMPOST SemaphoreMask=3\n.*NOP\n", listing) is not None, listing)
    for body in ("TT_RT_SEMPOST(x);", "TT_RT(SEMPOST, .SemaphoreMask = x);"):
        result = compiled("T1", f"volatile int x = 5; {body}")
        listing = run("riscv64-unknown-elf-objdump", "-d", path("one.elf")).stdout
        tap.case(f"{body} stores to INSTRN_BUF_BASE", result.returncode == 0 and re.search(r"lui\s+\w+,0xffe40", listing) is not None,
                 result.stderr + listing)
    result = compiled("B", "kerr_tt_push_to(2, TT_OP_NOP());")
    listing = run("riscv64-unknown-elf-objdump", "-d", path("one.elf")).stdout
    tap.case("B pushes to T2", result.returncode == 0 and re.search(r"lui\s+\w+,0xffe60", listing) is not None, result.stderr + listing)
    result = compiled("T0", "volatile int x = 5; kerr_tt_push_to(1, (uint32_t)x);")
    tap.case("refused: T0 pushes to T1", result.returncode != 0 and "kerr_tt_push_to" in result.stderr, result.stderr)
    tap.done()


if __name__ == "__main__":
    main()

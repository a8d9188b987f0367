#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Cases for tensix_ref.py: Configuration Unit instructions with random fields on three threads and both banks.

    config_cases.py [COUNT [SEED]] > CASES

Only what the reference can do: it reads back few words, bank 0 only, and adds in CFGSHIFTMASK.  Bank 1 is seen through RDCFG and
WRCFG.  Every use of a value keeps the distance that the manual asks for, so that timing cannot show.
"""
import random
import sys

# Words that the reference keeps as 32 bits for RISCV B to read, and aligned groups of four.
WORDS = (12, 13, 14, 15, 57, 69, 76, 77, 84, 86, 124, 125)
GROUPS = (12,)
SCRATCH = 209
NOPS = ["push {t} NOP()"] * 2


def set_gpr(t, register, value):
    return [f"push {t} SETDMAREG(0x{value & 0xFFFF:04x}, 0, {2 * register})",
            f"push {t} SETDMAREG(0x{value >> 16:04x}, 0, {2 * register + 1})"]


def nops(t):
    return [line.format(t=t) for line in NOPS]


def step(rng, t):
    """Some instructions of thread t, and how long their results take."""
    word, value, register = rng.choice(WORDS), rng.getrandbits(32), rng.randrange(64)
    kind = rng.randrange(7)
    if kind == 0:
        return [*set_gpr(t, register, value), *nops(t), f"push {t} WRCFG({register}, 0, {word})", *nops(t)]
    if kind == 1:
        group, register = rng.choice(GROUPS), register & ~3
        lines = [line for i in range(4) for line in set_gpr(t, register + i, rng.getrandbits(32))]
        return [*lines, *nops(t), f"push {t} WRCFG({register}, 1, {group})", *nops(t)]
    if kind == 2:
        return [f"push {t} RDCFG({register}, {word})", *nops(t), f"push {t} WRCFG({register}, 0, {rng.choice(WORDS)})", *nops(t)]
    if kind in (3, 4):
        return [f"push {t} RMWCIB{rng.randrange(4)}(0x{rng.getrandbits(8):02x}, 0x{rng.getrandbits(8):02x}, {word})", *nops(t)]
    if kind == 5:
        scratch = rng.randrange(3)
        return [f"set cfg(0, {SCRATCH + scratch}) 0x{value:08x}", "wait 20",
                f"push {t} CFGSHIFTMASK(1, 3, 31, 0, {rng.choice((scratch, 3))}, {word})", *nops(t)]
    return [f"push {t} SETC16(0, {rng.getrandbits(1)})", *nops(t)]


def case(rng, name):
    lines = [f"set cfg(0, {word}) 0x{rng.getrandbits(32):08x}" for word in WORDS]
    lines += [f"set cfg(0, {SCRATCH + i}) 0x{rng.getrandbits(32):08x}" for i in range(3)]
    for t in range(3):  # bank 1, by way of thread t
        lines += [f"push {t} SETC16(0, 1)", *nops(t)]
        for word in WORDS[t::3]:
            lines += [*set_gpr(t, 0, rng.getrandbits(32)), *nops(t), f"push {t} WRCFG(0, 0, {word})", *nops(t)]
        lines += [f"push {t} SETC16(0, 0)", *nops(t)]
    for _ in range(rng.randrange(1, 12)):
        lines += step(rng, rng.randrange(3)) + ["wait 40"]
    lines += ["wait 40"] + [f"get cfg(0, {word})" for word in WORDS]
    for word in WORDS:  # bank 1, one word at a time through a word of bank 0
        lines += ["push 0 SETC16(0, 1)", *nops(0), f"push 0 RDCFG(1, {word})", *nops(0), "push 0 SETC16(0, 0)", *nops(0),
                  f"push 0 WRCFG(1, 0, {WORDS[0]})", *nops(0), "wait 40", f"get cfg(0, {WORDS[0]})"]
    return [f"case {name}"] + ["  " + line for line in lines]


def main():
    count, seed = (list(map(int, sys.argv[1:])) + [24, 1][len(sys.argv) - 1:])[:2]
    rng = random.Random(seed)
    print(f"# Cases: tests/oracle/config_cases.py {count} {seed}")
    print("# Origin of the answers: reference simulator ttsim, version 1.10 (libttsim.so, Blackhole).  Made by")
    print("#   tests/oracle/tensix_ref.py record libttsim.so CASES")
    for i in range(count):
        print("\n".join(case(rng, f"random {i}")))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/shake.md from src/base/shake.def: shake_page.py src/base/shake.def docs/shake.md"""

import ast
import re
import sys

HEAD = """<!-- SPDX-License-Identifier: Apache-2.0 -->
<!-- Made by scripts/shake_page.py from src/base/shake.def: `make docs`. -->
# Shaken timing

A kernel with a race is often right: on one card, or in a simulator, things take the same time every time. `kerr run --shake SEED`
(`kerr exec --shake SEED`, `KERR_SHAKE` for the drop-in library, `kerr_config.shake`) makes things take longer here and there,
within what the hardware may do, so that what depends on luck runs out of it. The same seed gives the same run, on any number of
threads. A program that is right for every timing that the manual allows is right under every seed.

```console
$ build/sdk/kerr-cc T0 sdk/examples/stallwait_race.c -o stallwait_race_T0.elf
$ build/kerr run -q 1,2:T0=stallwait_race_T0.elf --dump 1,2@0x20040+16=words
tile 1,2
00020040: 000003e9 000003f0 000003f7 000003fe
$ build/kerr run -q 1,2:T0=stallwait_race_T0.elf --dump 1,2@0x20040+16=words --shake 1
tile 1,2
00020040: 00000001 000003e9 000003f7 000003fe
$ build/kerr shrink -q -- 1,2:T0=stallwait_race_T0.elf --dump 1,2@0x20040+64=words
seed 1, 18 runs: 1 delay is enough
  22 cycles, tile 1,2, scalar 0 number 29: a load, store or atomic of the Scalar Unit reaches memory later
what must swap: in this order it goes wrong, in the other it does not
  cycle 729      Tensix thread T0 of 1,2: ADDDMAREG OpBisConst=1, ResultReg=8, RightImm6=1, LeftReg=8
    reads GPR 8, pc 0x06114 in main() at sdk/examples/stallwait_race.c:37
  cycle 730      Tensix thread T0 of 1,2: LOADIND Size=1, OffsetHalfReg=0xc, OffsetIncrement=2, ResultReg=8, AddrReg=4
    writes GPR 8, pc 0x06100 in main() at sdk/examples/stallwait_race.c:30
```

`kerr shrink` tries seeds until the run ends otherwise than without shaking, leaves out delays for as long as it still does, and
compares who touched what in which order with the last delay as it is and a cycle shorter. What is left can be run again with
`kerr run --shake SEED --shake-only FILE`. Examples: `sdk/examples/stallwait_race.c` (a missing STALLWAIT),
`sdk/examples/pack_race.c` (a missing STALLWAIT before a PACR that reads what the core has just configured), `sdk/examples/noc_race.c` (a flag that overtakes its data on another virtual channel), `sdk/examples/semaphore_race.c` (a semaphore that is
set up too late), each with one that is mended.

A delay is a draw: of a site (below), in a tile, of somebody there (`sub`: a core, a thread, a sender), with a number that
counts the site's events there. Draws are pure functions of these and the seed (`base/random.h`). By seed, a site in a tile has all of
its events drawn, or one in 2, 8 or 32; each draw goes up to the largest delay, half, a quarter or an eighth of it.

What is never shaken: the order of a thread's instructions, conditions of wait instructions, what hardware interlocks (blocks of Dst
that were just written, banks of SrcA and SrcB, one unit's instructions), the order of requests on one virtual channel, atomics, a
core's own loads and stores, and times that the manual gives exactly, such as those of the Vector Unit, of WRCFG and of SETC16.

An UNPACR or PACR may be executed later than it has passed its wait gate, which a chip that is not shaken never does. What it
takes from the thread there (configuration, address counters) is what it was at the gate; what it reads and writes (L1, Dst) is what it
is then. So a SEMGET or SEMPOST behind it without a STALLWAIT may come first, as the manual warns. A store of RISCV Ti to
configuration that has left its store queue may be there later than instructions that the core pushes behind it, unless Auto
TTSync, STALLWAIT (C10) or a load of configuration by the same core waits for it.

Limits: a shaken run is slower (no rows or short cuts for loads and stores). `kerr shrink` sees orders of accesses to
L1, Dst, SrcA, SrcB, GPRs, configuration and semaphores of Tensix tiles; a core's store counts from where it enters the store queue.

| site | what is drawn | largest, cycles | sub | allowed by | OPEN |
|---|---|---|---|---|---|
"""


def rows(text):
    for match in re.finditer(r'SITE\((\w+), ((?:[^()"]|"(?:\\.|[^"\\])*")*)\)', text):
        if match.group(1) == "ID":
            continue
        parts = re.findall(r'((?:"(?:\\.|[^"\\])*"\s*)+)|(\d+)', match.group(2))
        yield [number or "".join(ast.literal_eval(piece) for piece in re.findall(r'"(?:\\.|[^"\\])*"', strings))
               for strings, number in parts]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    with open(sys.argv[2], "w", encoding="utf-8") as page:
        page.write(HEAD)
        for name, largest, what, sub, allowed, unknown in rows(text):
            page.write(f"| `{name}` | {what} | {largest} | {sub} | {allowed} | {unknown} |\n")


if __name__ == "__main__":
    main()

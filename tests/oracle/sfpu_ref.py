#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a library with the libttsim C ABI makes of programs for the Vector Unit: tests/vectors/sfpu.vec.

    sfpu_ref.py record LIBRARY SDK [TIMES [NAME]] > VECTORS
    sfpu_ref.py check LIBRARY SDK VECTORS [NAME]
    sfpu_ref.py diff LIBRARY OTHER SDK NAME [TIMES]     the first differences of a case

SDK is $(BUILD)/sdk, whose compiler makes sfpu_kernel.c for T0, T1 and T2; NAME is how cases begin.  A case is a program for 32
lanes: LReg 0 to 2 hold three operands, 3 to 7 zero, flags are true and used; results are LReg 3 to 6.  Operands go from L1
through the unpacker to Dst and SFPLOAD, results back the same way, 256 lanes a tile.  A line of VECTORS is

    NAME SET LANES WORD WORD ... : CRC          of the tiles with all results: LReg 4, 5, 6 and 3, a face each

Operands are made by `operands`; tests/unit/tensix/sfpu_ref_test.c makes the same.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import datapath  # noqa: E402 pylint: disable=wrong-import-position
from tensix_ref import Device, NAMES  # noqa: E402 pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT_EACH, SCRIPT_WORDS, SCRIPT = 0x11FFF8, 0x11FFFC, 0x120000
RUN_TILES, TILE_LANES = 64, 256
INT32 = 4  # MOD0_FMT
NO_STEP = 7  # an ADDR_MOD that nobody sets
EDGES = (0, 0x80000000, 1, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x00FFFFFF, 0x3F800000, 0xBF800000, 0x3F7FFFFF,
         0x3F800001, 0x3FFFFFFF, 0x40000000, 0xC0490FDB, 0x34000000, 0x33FFFFFF, 0x4B000001, 0x4B7FFFFF, 0x4F000000,
         0xCF000000, 0x7F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFFFFFFF,
         0x7FFFFFFF, 0x0000FFFF, 0x12345678)


class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & (1 << 64) - 1
        return self.state >> 32


def number(random):
    """32 bits: plain, or with an exponent near one, or with few mantissa bits, or small integers."""
    r, x = random.next(), random.next()
    kind = r & 7
    if kind < 3:
        return x
    if kind < 5:
        return x & 0x807FFFFF | 112 + (r >> 8) % 32 << 23
    if kind == 5:
        return x & 0x80780000 | 120 + (r >> 8) % 16 << 23
    if kind == 6:
        return x >> 8 + (r >> 8) % 24 | r & 0x80000000
    return EDGES[(r >> 8) % len(EDGES)]


def operands(name, count):
    """`count` tuples of three operands."""
    random, n = Random(len(name)), len(EDGES)
    for i in range(count):
        if name == "edges":
            yield EDGES[i % n], EDGES[i // n % n], EDGES[i // n // n % n]
        elif name == "high16":
            yield (i & 0xFFFF) << 16 | random.next() >> 16, number(random), number(random)
        elif name == "low16":
            yield random.next() >> 16 << 16 | i & 0xFFFF, number(random), number(random)
        elif name == "cancel":
            a, b, r = number(random), number(random), random.next()
            exponent = (a >> 23 & 255) + (b >> 23 & 255) - 127 + r % 5 - 2
            yield a, b, (a ^ b ^ r) & 0x80000000 | (exponent & 255) << 23 | random.next() >> 9
        else:
            yield number(random), number(random), number(random)


def word(name, *fields):
    return NAMES[name](*fields)


# ---- Programs: NOP behind what the MAD sub-unit does, so that nobody reads too early.

NOP = word("SFPNOP")
FLAGS_ON = word("SFPENCC", 0, 3, 0, 0, 10)


def mov(to, source):
    return word("SFPMOV", 0, source, to, 0)


def loadi(to, value):
    return word("SFPLOADI", to, 2, value)


def one(name, mod, imm=0, *imms):
    """VC = operand 0, VD = 3, which holds operand 1; the flags go to LReg[4]."""
    fields = {"SFPAND": (0, imm), "SFPOR": (0, imm), "SFPARECIP": (0, imm), "SFPCAST": (), "SFPDIVP2": (0, imm),
              "SFPSETEXP": (0, imm), "SFPSETCC": (0, imm), "SFPSETSGN": (0, imm)}.get(name, (imm,))
    return [mov(3, 1), word(name, *fields, 0, 0 if name == "SFPSETCC" else 3, mod), loadi(4, 1)]


def programs():
    for mod in range(16):
        yield f"SFPMAD.{mod}", ("edges", "random", "cancel"), \
            [mov(7, 2), mov(3, 0), mov(4, 1), word("SFPMAD", 0, 1, 2, 3, mod), NOP]
        yield f"SFPMUL24.{mod}", ("edges", "random"), [mov(7, 1), word("SFPMUL24", 0, 1, 9, 3, mod), NOP]
        yield f"SFPMUL24_added.{mod}", ("edges", "random"), [mov(7, 1), word("SFPMUL24", 0, 1, 2, 3, mod), NOP]
        for name in ("SFPADDI", "SFPMULI"):
            for imm in (0x3F80, 0xC049, 0x0001, 0x7F80, 0x8000):
                yield f"{name}.{imm:04x}.{mod}", ("edges", "random"), \
                    [mov(7, 2), mov(3, 0), mov(4, 1), word(name, imm, 3, mod), NOP]
        for name in ("SFPABS", "SFPEXEXP", "SFPEXMAN", "SFPLZ", "SFPMOV", "SFPCAST", "SFPGT", "SFPLE"):
            yield f"{name}.{mod}", ("high16", "low16", "edges"), one(name, mod)
        for name in ("SFPNOT", "SFPXOR"):
            if mod == 0:
                yield name, ("random",), one(name, mod)
        for name in ("SFPAND", "SFPOR"):
            yield f"{name}.{mod}", ("random",), one(name, mod, 2 if mod & 1 else 0)
        yield f"SFPARECIP.{mod}", ("high16", "low16", "edges"), one("SFPARECIP", mod, int(mod == 1))
        for imm in (0, 1, 7, 31, 32, 0x7FF, 0xFFF, 0xFF8, 0x800) if mod & 1 else (0,):
            yield f"SFPIADD.{imm:03x}.{mod}", ("edges", "random"), one("SFPIADD", mod, imm)
            yield f"SFPSHFT.{imm:03x}.{mod}", ("edges", "random"), one("SFPSHFT", mod, imm)
        for imm in (0, 1, 127, 128, 255):
            yield f"SFPDIVP2.{imm}.{mod}", ("high16", "edges"), one("SFPDIVP2", mod, imm)
        for imm in (0, 1, 127, 128, 255) if mod & 1 else (0,):
            yield f"SFPSETEXP.{imm}.{mod}", ("random", "edges"), one("SFPSETEXP", mod, imm)
        for imm in (0, 1, 0xFFF, 0x800) if mod & 1 else (0,):
            yield f"SFPSETMAN.{imm:03x}.{mod}", ("random", "edges"), one("SFPSETMAN", mod, imm)
        for imm in (0, 1):
            yield f"SFPSETSGN.{imm}.{mod}", ("random", "edges"), one("SFPSETSGN", mod, imm)
            yield f"SFPSETCC.{imm}.{mod}", ("random", "edges"), one("SFPSETCC", mod, imm)
        yield f"SFPSWAP.{mod}", ("edges", "random"), [mov(3, 0), mov(4, 1), word("SFPSWAP", 0, 4, 3, mod), NOP]
        yield f"SFPSHFT2.{mod}", ("edges", "random"), \
            [mov(3, 2), mov(4, 1), word("SFPSHFT2", 0, 0, 4 if mod > 1 else 0, 3, mod), NOP, mov(4, 0), mov(5, 1), mov(6, 2)]
        yield f"SFPSHFT2_by.{mod}", ("random",), [word("SFPSHFT2", 0, 1, 2, 3, mod), NOP, mov(4, 0), mov(5, 1), mov(6, 2)]
        for rounding in range(4):
            if mod < 8:
                yield f"SFPSTOCHRND.{rounding}.{mod}", ("high16", "low16", "edges"), \
                    [word("SFP_STOCH_RND", rounding, 0, 1, 0, 3, 0, mod)]
            elif mod in (12, 13):
                for imm in (0, 1, 8, 22, 23, 31):
                    yield f"SFPSTOCHRND.{rounding}.{mod}.{imm}", ("high16", "edges"), \
                        [word("SFP_STOCH_RND", rounding, imm, 1, 0, 3, 1, mod & 7)]
        input_3 = [loadi(4, 7), word("SFPAND", 0, 0, 1, 4, 0), word("SFPIADD", 123, 4, 4, 5), word("SFPSETEXP", 0, 0, 1, 4, 0), mov(3, 4)]
        yield f"SFPLUT.{mod}", ("random",), [loadi(7, 5), *input_3, word("SFPLUT", 3 if mod & 8 == 0 else 5, mod, 0), NOP]
        yield f"SFPLUTFP32.{mod}", ("random",), \
            [loadi(7, 5), *input_3, mov(4, 2), mov(5, 0), mov(6, 1), word("SFPLUTFP32", 0, 3, mod), NOP]
        yield f"SFPLOADI.{mod}", ("random",), [mov(3, 0), word("SFPLOADI", 3, mod, 0x9ABC), word("SFPLOADI", 4, mod, 0x7C01)]
        for kind in ("PUSHC", "POPC"):
            yield f"SFP{kind}.{mod}", ("random",), stacked(kind, mod)
        yield f"SFPENCC.{mod}", ("random",), \
            [word("SFPSETCC", 0, 0, 0, 0, 0), word("SFPENCC", 0, mod >> 2 & 3, 0, 0, mod & 10 | mod >> 1 & 1), loadi(3, 1), FLAGS_ON]
        for vd in range(16):
            yield f"SFPCONFIG.{vd}.{mod}", ("random",), configured(vd, mod)
        for load in range(16):
            for odd in (0, 2):
                yield f"SFPSTORE.{mod}.{load}.{odd}", ("high16",) if load == 4 else ("random",), moved(mod, load, odd)
    yield "SFPTRANSP", ("random",), [mov(3, 0), mov(4, 0), mov(5, 1), mov(6, 2), mov(7, 2), word("SFPTRANSP", 0, 0, 0, 0)]
    yield "SFPTRANSP_low", ("random",), \
        [mov(3, 1), word("SFPTRANSP", 0, 0, 0, 0), mov(4, 0), mov(5, 1), mov(6, 2)]
    yield "SFPCOMPC", ("random",), \
        [word("SFPPUSHC", 0, 0, 0, 0), word("SFPSETCC", 0, 0, 0, 0, 0), word("SFPCOMPC", 0, 0, 0, 0), loadi(3, 1),
         word("SFPPUSHC", 0, 0, 0, 0), word("SFPSETCC", 0, 0, 1, 0, 2), word("SFPCOMPC", 0, 0, 0, 0), loadi(4, 1),
         word("SFPPOPC", 0, 0, 0, 0), loadi(5, 1), word("SFPPOPC", 0, 0, 0, 0)]
    for lane in (8, 9, 10, 11, 12, 13, 14, 15):
        yield f"LREG.{lane}", ("edges",), [mov(3, lane)]


def stacked(kind, mod):
    """Flags from the sign of operand 0, pushed; from operand 1; then the mode; what is enabled after it, and after the end."""
    instruction = word("SFP" + kind, 0, 0, 0, mod)
    end = [] if kind == "POPC" and mod == 0 else [word("SFPPOPC", 0, 0, 0, 0)]
    if kind == "PUSHC" and mod == 0:
        end *= 2
    return [word("SFPSETCC", 0, 0, 0, 0, 0), word("SFPPUSHC", 0, 0, 0, 0), word("SFPSETCC", 0, 0, 1, 0, 4), instruction, loadi(3, 1),
            *end, loadi(4, 1), FLAGS_ON]


def configured(vd, mod):
    """What SFPCONFIG wrote from LReg[0], in all lanes the same, or from Imm16; read back, and put back."""
    value = [word("SFPLOADI", 0, 8, 0x8123), word("SFPLOADI", 0, 10, 0x0045)]
    back = [word("SFPLOADI", 0, 2, 0), word("SFPCONFIG", 0, vd, 0), NOP]
    if 11 <= vd <= 14:
        return [*value, word("SFPCONFIG", 0x5 if mod & 8 else 0, vd, mod), NOP, mov(3, vd), word("SFPCONFIG", 0, vd, 1)]
    if vd == 15:
        value[1] = word("SFPLOADI", 0, 2, 0x0100)
    return [*value, word("SFPCONFIG", 0x5 if mod & 9 else 0, vd, mod), NOP, word("SFPMOV", 0, vd, 3, 8), *back]


WIDE = (0, 3, 4, 10, 12)  # modes of 32 bits; of a store 7 and 9 too


def moved(store, load, odd):
    """Stored in a mode and loaded in another, in rows that are zero before: row 128 of Dst32b is row 256 of Dst16b."""
    clear = [word("SFPSTORE", 3, INT32, NO_STEP, 128 + i) for i in (0, 2)]
    to = odd + (128 if store in (*WIDE, 7, 9) else 256)
    source = odd + (128 if load in WIDE else 256)
    return [*clear, word("SFPSTORE", 0, store, NO_STEP, to), mov(3, 1), word("SFPLOAD", 3, load, NO_STEP, source),
            word("SFPLOAD", 4, INT32, NO_STEP, 128), word("SFPLOAD", 5, INT32, NO_STEP, 130)]


COUNTS = {"edges": len(EDGES) ** 3, "high16": 65536, "low16": 65536, "random": 16384, "cancel": 16384}


def cases(times):
    """TIMES above one: that many times as many random operands, and nothing else."""
    for name, sets, program in programs():
        for chosen in sets:
            count = COUNTS[chosen]
            if times > 1 and (chosen not in ("random", "cancel") or name.startswith(("SFPSTORE", "SFPCONFIG", "SFPLOADI"))):
                continue
            if chosen == "edges" and "MAD" not in name and "MUL24" not in name:
                count = len(EDGES) ** 2
            yield name, chosen, count * (times if chosen in ("random", "cancel") else 1), program


# ---- Running

def script(program):
    words = []
    for vector in range(8):
        row = vector // 2 * 4 + vector % 2 * 2
        words += [FLAGS_ON, *(word("SFPLOAD", i, INT32, NO_STEP, 16 * i + row) for i in range(3)), *(loadi(i, 0) for i in range(3, 8))]
        words += [*program, FLAGS_ON]
        words += [word("SFPSTORE", 3 + i, INT32, NO_STEP, 16 * ((i + 3) % 4) + row) for i in range(4)]
    return words


LANE = [[16 * (4 * (v // 2) + l // 8) + 2 * (l % 8) + v % 2 for l in range(32)] for v in range(8)]
PLACE = [datum for vector in LANE for datum in vector]


def tiles_of(tuples):
    """Tiles of 1024 words: a face for each operand."""
    out = []
    for first in range(0, len(tuples), TILE_LANES):
        tile = [0] * 1024
        for place, values in zip(PLACE, tuples[first:first + TILE_LANES]):
            for i, value in enumerate(values):
                tile[256 * i + place] = value
        out.append(struct.pack("<1024I", *tile))
    return out


def results_of(tile):
    """(LReg 3, 4, 5, 6) of each lane."""
    words = struct.unpack("<1024I", tile)
    return [tuple(words[256 * ((i + 3) % 4) + place] for i in range(4)) for place in PLACE]


def lanes_of(data):
    return [lane for i in range(0, len(data), 4096) for lane in results_of(data[i:i + 4096])]


def build(sdk):
    """The directory with the kernels, as datapath.py names them."""
    to = tempfile.mkdtemp(dir=os.environ.get("KERR_TEST_TMP"))
    source, include = os.path.join(HERE, "sfpu_kernel.c"), os.path.join(HERE, "../../sdk/examples")
    for core in ("T0", "T1", "T2"):
        out = os.path.join(to, "datapath_" + core)
        subprocess.run([os.path.join(sdk, "kerr-cc"), core, source, "-Werror", "-I" + include, "-o", out + ".elf", "--bin", out + ".bin"],
                       check=True)
    return to


def run(library, kernels, program, tiles):
    """Tiles with the results, one after the other, or None and why there are none."""
    words = script(program)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                device = Device(library)
                datapath.load(device, kernels)
                device.write(SCRIPT_EACH, struct.pack("<2I", 0, len(words)))
                device.write(SCRIPT, struct.pack("<%dI" % len(words), *words))
                for first in range(0, len(tiles), RUN_TILES):
                    part = tiles[first:first + RUN_TILES]
                    job = datapath.Job("INT32", "INT32", "INT32", "INT32", "DST", ("DST32",), len(part))
                    os.write(out.fileno(), datapath.run_on(device, job, b"".join(part)))
                status = 0
            except RuntimeError as error:
                os.write(2, str(error).encode())
            finally:
                os._exit(status)
        _, status = os.waitpid(pid, 0)
        out.seek(0)
        data = out.read()
        log.seek(0)
        text = log.read().decode(errors="replace").strip()
    if status != 0 or len(data) != 4096 * len(tiles):
        return None, re.sub(r"\S*/", "", (text or "no answer").split("\n")[-1][:120])
    return data, None


def line_of(name, chosen, count, program):
    return f"{name} {chosen} {count} " + " ".join(f"{w:08x}" for w in program)


def record(library, kernels, times, only=""):
    refusals, made = {}, {}
    print("# SPDX-License-Identifier: Apache-2.0")
    print("# Results of the Vector Unit in a reference simulator (ttsim 1.10, Blackhole), recorded by tests/oracle/sfpu_ref.py, which has")
    print("# the format.  What it refuses is listed at the end.")
    for name, chosen, count, program in cases(times):
        if not name.startswith(only) or name in refusals:
            continue
        if (chosen, count) not in made:
            made[chosen, count] = tiles_of(list(operands(chosen, count)))
        results, why = run(library, kernels, program, made[chosen, count])
        if results is None:
            refusals[name] = re.sub(r".*ERROR: ", "", why)
        else:
            print(line_of(name, chosen, count, program), ":", f"{zlib.crc32(results):08x}", flush=True)
    reasons = {}
    for name, why in refusals.items():
        reasons.setdefault(re.sub(r"[=:].*", "", why.partition(": tensix_")[2]) + " " + why.partition(":")[0], []).append(name)
    for why, names in sorted(reasons.items()):
        print("# refused,", why + ":", *names)


def check(library, kernels, path, only=""):
    wrong = checked = 0
    made = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            left, _, answer = line.strip().partition(" : ")
            if line.startswith("#") or not answer or not line.startswith(only):
                continue
            name, chosen, count, *words = left.split()
            if (chosen, count) not in made:
                made[chosen, count] = tiles_of(list(operands(chosen, int(count))))
            results, why = run(library, kernels, [int(w, 16) for w in words], made[chosen, count])
            checked += 1
            if results is None or zlib.crc32(results) != int(answer, 16):
                print(name, chosen, why or "differs", flush=True)
                wrong += 1
    print(f"{checked} cases, {wrong} differ")
    return int(wrong != 0 or checked == 0)


def diff(library, other, kernels, wanted, times):
    for name, chosen, count, program in cases(times):
        if name != wanted:
            continue
        tuples = list(operands(chosen, count))
        ours, why = run(library, kernels, program, tiles_of(tuples))
        theirs, reason = run(other, kernels, program, tiles_of(tuples))
        if ours is None or theirs is None:
            print(chosen, why, "|", reason)
            continue
        ours, theirs = lanes_of(ours), lanes_of(theirs)
        differ = [i for i in range(count) if ours[i] != theirs[i]]
        print(chosen, len(differ), "of", count)
        for i in differ[:8]:
            print("  lane", i % 32, *("%08x" % x for x in tuples[i]), "->", *("%08x" % x for x in ours[i]), "|", *("%08x" % x for x in theirs[i]))
    return 0


def main(arguments):
    verbs = {"record": (3, 5), "check": (4, 5), "diff": (5, 6)}
    if not arguments or arguments[0] not in verbs or not verbs[arguments[0]][0] <= len(arguments) <= verbs[arguments[0]][1]:
        sys.stderr.write(__doc__)
        return 2
    verb, *rest = arguments
    at = 2 if verb == "diff" else 1
    rest[at] = build(rest[at])
    try:
        if verb == "record":
            return record(*rest[:2], int(rest[2]) if len(rest) > 2 else 1, *rest[3:])
        if verb == "check":
            return check(*rest)
        return diff(*rest[:4], int(rest[4]) if len(rest) > 4 else 1)
    finally:
        shutil.rmtree(rest[at])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole-path vectors: what sdk/examples/datapath.c makes of every input of datapath_data.py, for each choice of formats that
a reference takes.

    datapath_vectors.py record LIBRARY KERNELS SET > VECTORS     SET is moves (MOVA2D, MOVB2D, straight to Dst) or elwadd
    datapath_vectors.py check LIBRARY KERNELS VECTORS [NAME]     compares; cases whose line has NAME in it
    datapath_vectors.py live LIBRARY KERNELS VECTORS [NAME]      the same cases with the full input, against the library that
                                                                 REF names, byte for byte

A case is a line

    ROUTE IN REGISTER PACK_IN OUT [FLAG...] [full]: HASH... ROW=BYTES...

with a hash (12 digits of BLAKE2b) for each eight tiles of output, and a few of its 32-byte pieces.  Libraries are libttsim.so;
every case runs in a forked child.
"""
import hashlib
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import datapath_data  # noqa: E402 pylint: disable=wrong-import-position
from datapath import Job, run_forked, tile_bytes  # noqa: E402 pylint: disable=wrong-import-position

BLOCK, PIECE = 8, 32
FORMATS = "FP32 FP16 BFP8a BFP4a TF32 BF16 BFP8 BFP4 INT32 INT16 FP8 BFP2a INT8 BFP2 FP8_E4M3 UINT8".split()
REGISTERS = [name for name in FORMATS if name not in ("FP8_E4M3", "UINT8")]
TITLES = {"moves": "MOVA2D, MOVB2D or straight to Dst", "elwadd": "ELWADD with zero"}


def natural(name):
    return {"FP8_E4M3": "FP8", "UINT8": "INT8"}.get(name, name)


def flag_sets(route, register, which):
    """Flags that every pair of packer formats is tried with."""
    if which == "elwadd":
        return [("ELWADD",), ("ELWADD", "DST32")] if route == "SRCA" else []
    if route == "DST":
        return [("DST32",)]
    return [(), ("DST32",)] if register == "TF32" else [()]  # other formats write only half of a 32-bit Dst


def layouts(route, into, register, flags):
    """Cases that are about where datums go, with the packer's formats that go with the input."""
    pack_in = {"TF32": "FP32", "FP8": "FP16", "BFP4": "BFP8", "BFP2": "BFP8"}.get(register, register)
    out = pack_in
    extra = [("TRANSPOSE",), ("L1_ACCUMULATE",)]
    if not into.startswith("BFP"):
        extra += [("TILIZE",), ("UNTILIZE",)]
    return [(route, into, register, pack_in, out, (*flags, *more)) for more in extra]


def candidates(which):
    for route in ("SRCA", "SRCB", "DST"):
        for into in FORMATS:
            for register in REGISTERS:
                for flags in flag_sets(route, register, which):
                    for pack_in in REGISTERS:
                        for out in FORMATS:
                            yield route, into, register, pack_in, out, flags
                            if pack_in == "FP16":
                                yield route, into, register, pack_in, out, (*flags, "ROUND_10_BITS")
                    if which == "moves":
                        yield from layouts(route, into, register, flags)


def is_full(route, into, register, flags):
    """Every pattern for the plain ways, a few tiles for the others: conversions are the same on all of them."""
    plain = route != "SRCB" and not flags or flags in (("DST32",), ("ELWADD", "DST32"))
    return plain and not (into == "FP32" and register == "TF32" and flags == ("ELWADD", "DST32"))


def work(case, full):
    """What run_forked takes for a case; rows of two tiles where rows are joined."""
    route, into, register, pack_in, out, flags = case
    data = datapath_data.make(into, not full)
    row_tiles = 2 if {"TILIZE", "UNTILIZE"} & set(flags) else 1
    tiles = len(data) // tile_bytes(into) // row_tiles * row_tiles
    before = b""
    if "L1_ACCUMULATE" in flags:
        before = datapath_data.make(out, True)[::-1][:tiles * tile_bytes(out)]
    return Job(into, register, pack_in, out, route, flags, tiles, row_tiles), data[:tiles * tile_bytes(into)], before


def hashes(output, out):
    size = BLOCK * tile_bytes(out)
    return [hashlib.blake2b(output[at:at + size], digest_size=6).hexdigest() for at in range(0, len(output), size)]


def pieces(output):
    """A few places worth reading: the beginning, the middle and the end."""
    last = len(output) // PIECE - 1
    return [(at, output[PIECE * at:PIECE * at + PIECE]) for at in sorted({0, last // 2 + 1, last})]


def spell(case, full):
    return " ".join([*case[:5], *case[5], *(["full"] if full else [])])


def record(library, kernels, which):
    count = 0
    print(f"# Whole-path vectors, {TITLES[which]}: L1 -> unpacker -> Dst -> packer -> L1 (sdk/examples/datapath.c).\n"
          f"# origin: ttsim 1.10, libttsim.so for Blackhole, {which}; each case it takes, of all that datapath_vectors.py tries\n"
          f"# again: tests/oracle/datapath_vectors.py record LIBRARY build/kernels {which}")
    refused = set()  # routes to Dst that the unpacker or the Matrix Unit refuses, whatever the packer would do
    for case in candidates(which):
        if (*case[:3], case[5]) in refused:
            continue
        outputs, why = run_forked(library, kernels, [work(case, False)])
        if outputs is None:
            if "tensix_pacr" not in why:
                refused.add((*case[:3], case[5]))
            continue
        full = is_full(case[0], case[1], case[2], case[5])
        if full:
            outputs, why = run_forked(library, kernels, [work(case, True)])
            if outputs is None:
                sys.exit(f"{spell(case, full)}: {why}")
        rows = " ".join(f"{at}={piece.hex()}" for at, piece in pieces(outputs[0]))
        print(f"{spell(case, full)}: {' '.join(hashes(outputs[0], case[4]))} {rows}")
        count += 1
    print(f"# {count} cases")
    return 0


def read(path, name):
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            head, colon, tail = line.strip().partition(": ")
            if line.startswith("#") or not colon or name not in head:
                continue
            first, rest = head.split()[:5], head.split()[5:]
            flags = tuple(flag for flag in rest if flag != "full")
            answers = tail.split()
            cases.append(((*first, flags), "full" in rest, [a for a in answers if "=" not in a],
                          [a.split("=") for a in answers if "=" in a]))
    return cases


def difference(output, want_hashes, want_pieces, out):
    for at, text in want_pieces:
        got = output[PIECE * int(at):PIECE * (int(at) + 1)].hex()
        if got != text:
            return f"bytes {PIECE * int(at)}: {got}, not {text}"
    for i, (got, want) in enumerate(zip(hashes(output, out), want_hashes)):
        if got != want:
            return f"tiles {BLOCK * i} to {BLOCK * i + BLOCK - 1} differ"
    return None


def report(results):
    """TAP."""
    failed = 0
    for number, (name, why) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {number} - {name}" + (f"\n# {why}" if why else ""))
        failed += bool(why)
        last = number
    print(f"1..{last}")
    return 1 if failed else 0


def check(library, kernels, path, name=""):
    def results():
        for case, full, want_hashes, want_pieces in read(path, name):
            outputs, why = run_forked(library, kernels, [work(case, full)])
            yield spell(case, full), why or difference(outputs[0], want_hashes, want_pieces, case[4])
    return report(results())


def live(library, kernels, path, name=""):
    reference = os.environ.get("REF")
    if not reference:
        print("ok 1 - live # SKIP optional: REF names no library to compare with\n1..1")
        return 0

    def results():
        for case, _, _, _ in read(path, name):
            job = work(case, True)
            ours, why = run_forked(library, kernels, [job])
            theirs, refused = run_forked(reference, kernels, [job])
            if not why and theirs is None:
                why = f"the reference: {refused}"
            if not why and ours != theirs:
                at = next(i for i, (a, b) in enumerate(zip(ours[0], theirs[0])) if a != b)
                why = f"byte {at}: {ours[0][at & ~3:(at & ~3) + 4].hex()}, not {theirs[0][at & ~3:(at & ~3) + 4].hex()}"
            yield spell(case, True), why
    return report(results())


def main(arguments):
    verbs = {"record": (record, 3, 3), "check": (check, 3, 4), "live": (live, 3, 4)}
    verb, least, most = verbs.get(arguments[1] if len(arguments) > 1 else "", (None, 0, 0))
    if verb is None or not least <= len(arguments) - 2 <= most:
        sys.stderr.write(__doc__)
        return 2
    return verb(*arguments[2:])


if __name__ == "__main__":
    sys.exit(main(sys.argv))

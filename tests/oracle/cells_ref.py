#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a library with the libttsim C ABI makes of cells of SrcA, SrcB and Dst: tests/vectors/cells.vec.

    cells_ref.py record LIBRARY > VECTORS
    cells_ref.py check LIBRARY VECTORS [HOW...]    whether it answers as recorded; what is refused there is left out

RISCV B pushes everything: UNPACR brings words to Dst as Integer "32" (or bytes to SrcA), the instructions of the line move them,
PACR takes the bits to L1 as they stand.  A line is

    HOW MODE SET : CRC CRC ...      one CRC-32 for each run (run())
    HOW MODE SET : refused MESSAGE

sfpstore   32-bit words in an LReg, SFPSTORE with Mod0 = MODE; what is in Dst16b (16 bits) or Dst32b (32 bits)
sfpload    16-bit cells (32-bit with modes 3, 4, 12) in Dst, SFPLOAD with Mod0 = MODE; the LReg
movd2a     the same cells, MOVD2A then MOVA2D with the format MODE for SrcA; Dst.  movd2b: MOVD2B and MOVB2D
unpack     bytes, UNPACR to SrcA with the format MODE (30: unsigned), MOVA2D as FP16; Dst16b
"""
import os
import re
import struct
import sys
import tempfile
import zlib

import tensix_ref as ref

INPUT, RESULT, ROWS = 0x40000, 0x80000, 64
LOWS = (0x0000, 0x0001, 0x0FFF, 0x1000, 0x7FFF, 0x8000, 0xA55A, 0xFFFF)
INT8, INT16, INT32, FP16 = 14, 9, 8, 1
FROM = 512  # Dst16b row of the input, Dst32b row 256; the output starts at row 0


def unpack(form, out, to_dst, unsigned, count):
    """UNPACR of `count` datums to SrcA, or to Dst32b from row 256 on."""
    yield f"set cfg(0, 56) {16 * 4 << 16}"                              # UNP0_ADDR_CTRL_XY_REG_1_Ystride
    yield f"set cfg(0, 57) {256 * 4}"                                   # UNP0_ADDR_CTRL_ZW_REG_1_Zstride
    yield f"set cfg(0, 1) {int(unsigned) << 15 | FP16 << 17}"           # SrcAUnsigned, SrcA
    yield f"set cfg(0, 2) 1"                                            # Zero_Flag_disabled_src
    yield f"set cfg(0, 64) {form | 1 << 4 | count << 16}"               # TileDescriptor
    yield "set cfg(0, 65) 0x10001"
    yield f"set cfg(0, 72) {out | 2 << 4}"                              # Out_data_format, Throttle_mode
    yield f"set cfg(0, 73) {0xF000F | (3 << 4 if to_dst else 0)}"       # Disable_zero_compress, Unpack_if_sel
    first = 64 + (16 * 256 if to_dst else 0)
    yield f"set cfg(0, 84) {first | first << 16}"                       # Dest_cntx0_address
    yield f"set cfg(0, 86) {count | count << 16}"                       # Tile_x_dim_cntx0
    yield "set cfg(0, 50) 0x100"                                        # add_dest_addr_cntr
    yield f"set cfg(0, 76) {INPUT // 16 - 1}"                           # Base_address
    yield "wait 100"
    yield f"push 0 SETC16(5, {0 if to_dst else 4})"                     # SRCA_SET_SetOvrdWithAddr
    yield "push 0 SETC16(2, 1)"                                         # DISABLE_IMPLIED_SRCA_FMT_Base
    yield "push 0 SETC16(41, 0)"
    yield "push 0 SETADCXY(0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 1, 1)"
    yield "push 0 SETADCZW(0, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1)"
    yield f"push 0 SETADCXX(0, 1, 1, {count - 1}, 0)"
    yield f"push 0 UNPACR(0, 0, 0, 0, 0, 0, 0, 0, 1, {int(not to_dst)}, 0, 0, 0, 0, 0, 1)"
    yield "wait 1000"


def pack(rows, wide):
    """PACR of rows from 0 on, as Integer "16" or "32"."""
    form, size = (INT32, 4) if wide else (INT16, 2)
    yield f"set cfg(0, 1) {form << 25}"                                 # Dstacc
    yield f"set cfg(0, 12) {16 * size << 16}"                           # Ystride
    yield f"set cfg(0, 13) 0"
    yield "set cfg(0, 68) 0"
    yield f"set cfg(0, 69) {1 << 31 | RESULT // 16 - 1}"                # L1_Dest_addr
    yield f"set cfg(0, 70) {1 | form << 4 | form << 8}"
    yield f"set cfg(0, 18) {int(wide)}"                                 # Read_32b_data
    yield "set cfg(0, 28) 0x100"                                        # pack_reads_per_xy_plane
    yield "set cfg(0, 24) 0xffff"                                       # PCK_EDGE_OFFSET_SEC0_mask
    yield "wait 100"
    yield f"push 0 SETC16({PACK_MOD}, 4)"                               # YsrcIncr
    yield "push 0 SETADCXY(1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 1)"
    yield "push 0 SETADCZW(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)"
    yield "push 0 SETADCXX(1, 0, 0, 15, 0)"
    for row in range(0, rows, 4):
        yield f"push 0 PACR(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, {int(row + 4 == rows)})"
    yield "wait 1000"


PACK_MOD = 37  # ADDR_MOD_PACK_SEC0
WIDE_STORES = (3, 4, 7, 9, 12)
WIDE_LOADS = (3, 4, 12)


def lanes(row):
    """The two Imm10 that reach all of four rows."""
    return row, row + 2


def sfpstore(mode):
    yield from unpack(INT32, INT32, True, False, ROWS * 16)
    for row in range(0, ROWS, 4):
        for source, target in zip(lanes(256 + row), lanes(row)):
            yield f"push 0 SFPLOAD(1, 4, 0, {source})"
            yield f"push 0 SFPSTORE(1, {mode}, 0, {target})"
    yield "wait 1000"
    yield from pack(ROWS, mode in WIDE_STORES)


def sfpload(mode):
    yield from unpack(INT32, INT32, True, False, ROWS * 16)
    wide = mode in WIDE_LOADS
    rows = ROWS if wide else 2 * ROWS
    for row in range(0, rows, 4):
        for source, target in zip(lanes((256 if wide else FROM) + row), lanes(row)):
            yield f"push 0 SFPLOAD(1, {mode}, 0, {source})"
            yield f"push 0 SFPSTORE(1, 4, 0, {target})"
    yield "wait 1000"
    yield from pack(rows, True)


def hand_over_src_b():
    """SrcB to the Matrix Unit, with 16 rows of something."""
    yield f"set cfg(0, 112) {INT16 | 1 << 4 | 256 << 16}"
    yield "set cfg(0, 113) 0x10001"
    yield f"set cfg(0, 120) {INT16 | 2 << 4}"
    yield "set cfg(0, 121) 0xf000f"
    yield f"set cfg(0, 124) {INPUT // 16 - 1}"
    yield "wait 100"
    yield "push 0 SETC16(5, 4)"
    yield "push 0 SETADCXX(0, 1, 1, 255, 0)"
    yield "push 0 UNPACR(1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 1)"


def move(which, style):
    """From Dst through 8 rows of SrcA or SrcB to Dst."""
    wide = style == 4
    if which == "movd2a":
        yield from unpack(INT16, INT16, False, False, 256)  # for a bank that the Matrix Unit owns
    else:
        yield from hand_over_src_b()
    yield from unpack(INT32, INT32, True, False, ROWS * 16)
    yield f"set cfg(0, 1) {style << 17 | style << 21 | int(wide) << 29}"
    yield "push 0 SETC16(3, 1)"
    yield "wait 200"
    rows = ROWS if wide else 2 * ROWS
    for row in range(0, rows, 8):
        for i in (0, 4):
            source = (256 if wide else FROM) + row + i
            if which == "movd2a":
                yield f"push 0 MOVD2A(0, {i}, 0, 1, {source})"
            else:
                yield f"push 0 MOVD2B(0, {i}, 0, 1, {source})"
                yield f"push 0 MOVB2D(0, {i}, 0, 1, 0, 0, {row + i})"
        if which == "movd2a":
            yield f"push 0 MOVA2D(0, 0, 0, 1, {row})"
    yield "push 0 SETRWC(%s, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1)" % ("0, 1" if which == "movd2a" else "1, 0")  # hand it back
    yield "wait 1000"
    yield from pack(rows, wide)


def unpack_bytes(form):
    yield from unpack(form & 15, form & 15, False, form > 15, 256)
    for row in (0, 8):
        yield f"push 0 MOVA2D(0, {row}, 0, 1, {row})"
    yield "wait 200"
    yield from pack(16, False)


def words(name):
    """Runs of 1024 words that stand in L1 as Integer "32"."""
    if name == "edges32":
        numbers = [i >> 3 << 16 | LOWS[i & 7] for i in range(65536 * 8)]
    elif name == "all16":  # cell i in Dst16b, both halves of a word: 8 rows of high halves, then 8 of low ones
        numbers = []
        for block in range(0, 65536, 256):
            for i in range(block, block + 128):
                high = (i & 0x8000) | (i & 0xFF) << 7 | (i >> 8 & 0x7F)
                numbers.append(high << 16 | i + 128)
    else:
        numbers = [i | (i + 1 & 255) << 8 | (i + 2 & 255) << 16 | (i + 3 & 255) << 24 for i in range(0, 256, 4)]
    for i in range(0, len(numbers), 1024):
        yield struct.pack("<%dI" % len(numbers[i:i + 1024]), *numbers[i:i + 1024])


def run(library, steps, inputs, size):
    """The results of all inputs, in one child; or None and why."""
    case = ref.Case("cells")
    for step in steps:
        case.add(ref.separate(step))
    script = b"".join(struct.pack("<3I", *step) for step in [*case.script, (ref.END, 0, 0)])
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as log:
        pid = os.fork()
        if pid == 0:
            try:
                os.dup2(log.fileno(), 1)
                os.dup2(log.fileno(), 2)
                device = ref.Device(library)
                device.write(ref.SOFT_RESET, struct.pack("<I", ref.ALL_CORES))
                device.write(0, ref.interpreter())
                device.write(ref.SCRIPT, script)
                for data in inputs:
                    device.write(ref.SOFT_RESET, struct.pack("<I", ref.ALL_CORES))
                    device.write(INPUT, data)
                    device.write(RESULT, bytes(size))
                    device.write(ref.DONE, bytes(4))
                    device.write(ref.SOFT_RESET, struct.pack("<I", ref.ALL_CORES & ~ref.CORE_B))
                    for _ in range(100):
                        device.lib.libttsim_clock(1000)
                        if device.read(ref.DONE, 4) != bytes(4):
                            break
                    os.write(out.fileno(), device.read(RESULT, size))
            finally:
                os._exit(0)
        os.waitpid(pid, 0)
        out.seek(0)
        data = out.read()
        log.seek(0)
        text = log.read().decode(errors="replace").strip()
    if len(data) != size * len(inputs):
        return None, re.sub(r"\S*/|\[\d+\] ERROR: ", "", (text or "no answer").split("\n")[-1])[:120]
    return [data[i:i + size] for i in range(0, len(data), size)], None


def cases():
    for mode in range(1, 16):
        yield "sfpstore", mode, "edges32", sfpstore(mode), ROWS * 16 * (4 if mode in WIDE_STORES else 2)
    for mode in range(1, 16):
        wide = mode in WIDE_LOADS
        yield "sfpload", mode, "edges32" if wide else "all16", sfpload(mode), (1 if wide else 2) * ROWS * 16 * 4
    for which in ("movd2a", "movd2b"):
        for style in (5, 1, 4):
            yield which, style, "edges32" if style == 4 else "all16", move(which, style), ROWS * 16 * 4
    for form in (INT8, 30):
        yield "unpack", form, "bytes", unpack_bytes(form), 512


OPENING = """# SPDX-License-Identifier: Apache-2.0
# origin: the vendor's simulator, through its C ABI.
# again:  python3 tests/oracle/cells_ref.py record LIBRARY > tests/vectors/cells.vec
# Cells of SrcA, SrcB and Dst on their way through SFPLOAD, SFPSTORE and moves; cells_ref.py says what a line is."""


def answer_of(library, name, steps, size):
    """A CRC for each 16 runs, or why there are none."""
    steps, inputs = list(steps), list(words(name))
    outputs, why = run(library, steps, inputs[:1], size)
    if outputs is not None and len(inputs) > 1:
        outputs, why = run(library, steps, inputs, size)
    if outputs is None:
        return "refused " + why
    joined = [b"".join(outputs[i:i + 16]) for i in range(0, len(outputs), 16)]
    return " ".join("%08x" % zlib.crc32(x) for x in joined)


def record(library):
    print(OPENING)
    for how, mode, name, steps, size in cases():
        print(how, mode, name, ":", answer_of(library, name, steps, size), flush=True)
    return 0


def check(library, vectors, *chosen):
    with open(vectors, encoding="utf-8") as file:
        recorded = dict(line.strip().split(" : ") for line in file if not line.startswith("#"))
    wrong = checked = 0
    for how, mode, name, steps, size in cases():
        expected = recorded[f"{how} {mode} {name}"]
        if not expected.startswith("refused") and (not chosen or how in chosen):
            checked += 1
            answer = answer_of(library, name, steps, size)
            if answer != expected:
                wrong += 1
                print(how, mode, name, answer if answer.startswith("refused") else "differs")
    print(f"{checked} lines, {wrong} differ")
    return int(wrong != 0 or checked == 0)


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "record":
        sys.exit(record(sys.argv[2]))
    if len(sys.argv) >= 4 and sys.argv[1] == "check":
        sys.exit(check(*sys.argv[2:]))
    sys.exit(__doc__)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which rows of Dst a ZEROACC makes undefined, in a library with the libttsim C ABI:  zeroacc_rows.py LIBRARY

Fills Dst by SFPSTORE, executes the instruction, copies each row onto itself by SFPLOAD and SFPSTORE, where a row that is
undefined gives zero, and reads Dst through the debug array registers.  Prints one line a case, as
tests/unit/tensix/matrix_test.c has them: the instruction, what was set before, and ranges FIRST+COUNT of rows.
"""
import sys

import tensix_ref as ref

OFFSET = ("push 0 SETC16(1, 0x200)", "push 0 SETC16(1, 0)")
COUNTER = ("push 0 SETRWC(0, 0, 0, 0, 0, 0, 12, 0, 0, 0, 0, 1, 0, 0)",
           "push 0 SETRWC(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0)")
FP32 = ("set cfg(0, 1) 0x20000000", "set cfg(0, 1) 0")
# The instruction, and what is set before and after it.  The vendor's simulator refuses DEST_REGW_BASE, INT8_math_enabled,
# DBG_FEATURE_DISABLE, faces past the end of Dst, and Revert.
CASES = [(0x10000000 + row, ()) for row in (0, 1, 511, 1023)]
CASES += [(0x10080000 + face, ()) for face in (0, 1, 31, 32, 63)]
CASES += [(0x100C0000 + face, ()) for face in (0, 1, 30, 31)]
CASES += [(word, ()) for word in (0x10100000, 0x10100001, 0x10140000, 0x10140001, 0x10180000, 0x101C0000)]
CASES += [(0x10000003, (OFFSET,)), (0x10000003, (COUNTER,))]
CASES += [(0x10000000 + row, (FP32,)) for row in (0, 11, 511, 520, 1023)]
CASES += [(0x100C0003, (FP32,)), (0x10080003, (FP32,))]
# Within the half of Dst that the thread is in.
QUARTER = ("push 0 SETC16(1, 0x100)", "push 0 SETC16(1, 0)")
CASES += [(0x10080003, (OFFSET,)), (0x10080003, (QUARTER,)), (0x100C0003, (OFFSET,)), (0x100C0003, (QUARTER,))]


def steps(instruction, settings):
    yield "push 0 SFPLOADI(1, 2, 0x777)"
    yield from (f"push 0 SFPSTORE(1, 6, 0, {row})" for row in range(0, 1024, 4))
    yield "wait 50"
    yield from (before for before, _ in settings)
    yield "wait 50"
    yield f"push 0 {instruction}"
    yield "wait 50"
    yield from (after for _, after in settings)
    yield "wait 50"
    for row in range(0, 1024, 4):
        yield f"push 0 SFPLOAD(2, 6, 0, {row})"
        yield f"push 0 SFPSTORE(2, 6, 0, {row})"
    yield "wait 50"
    yield "set 0xffb12060 1"
    for row in range(1024):
        yield f"set 0xffb12064 {0x20000 | row}"
        yield "get 0xffb1206c"


def main():
    for instruction, settings in CASES:
        case = ref.Case(hex(instruction))
        for step in steps(instruction, settings):
            case.add(ref.separate(step))
        answers, reason = ref.run(sys.argv[1], case)
        ranges = []
        for row, answer in enumerate(answers or ()):
            if answer & 0xFFFF == 0:
                if ranges and sum(ranges[-1]) == row:
                    ranges[-1][1] += 1
                else:
                    ranges.append([row, 1])
        told = [before.partition(" ")[2] for before, _ in settings]
        print(hex(instruction), *told, "->", *("%d+%d" % tuple(r) for r in ranges) if answers else ["refused: " + reason])
    return 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) == 2 else __doc__)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr show and kerr run --save: numbers of every format against Python's, pictures pixel by pixel, before and after, and what
is refused."""

import math
import re
import struct
import zlib

from support import *

LINE, INK, SAME = (0x60, 0x60, 0x60), (0x20, 0x20, 0x20), (0xD0, 0xD0, 0xD0)


def picture(name):
    """Width, height, rows of (red, green, blue) and the texts; every checksum is looked at."""
    data, at, parts, texts = read(name), 8, {}, {}
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body)
        parts[kind] = body
        if kind == b"tEXt":
            keyword, text = body.decode().split("\0")
            texts[keyword] = text
        at += 12 + size
    width, height, bits, kind = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (bits, kind) == (8, 3) and b"IEND" in parts
    palette = [tuple(parts[b"PLTE"][i:i + 3]) for i in range(0, len(parts[b"PLTE"]), 3)]
    lines, rows = zlib.decompress(parts[b"IDAT"]), []
    assert len(lines) == height * (width + 1)
    for y in range(height):
        line = lines[y * (width + 1):(y + 1) * (width + 1)]
        assert line[0] == 0 or (line[0] == 2 and not any(line[1:]))
        rows.append([palette[dot] for dot in line[1:]] if line[0] == 0 else rows[-1])
    return width, height, rows, texts


def panels(texts):
    """What the description says: {"before": (x, y, high, low, x of the scale, its y, width, height)}."""
    found = re.findall(r"(\w+) at (\d+),(\d+), scale (\S+) to (\S+) at (\d+),(\d+), (\d+) by (\d+)", texts["Description"])
    return {name: tuple(float(n) if i in (2, 3) else int(n) for i, n in enumerate(numbers)) for name, *numbers in found}


def read_number(rows, x, middle, digits):
    """A number of letters of 5 by 7, each twice as large, six apart; a letter that is no digit is a ?."""
    text = ""
    while x + 10 <= len(rows[0]):
        letter = tuple(tuple(rows[y][i] == INK for i in range(x, x + 10, 2)) for y in range(middle - 7, middle + 7, 2))
        if not any(map(any, letter)):
            break
        text += digits.get(letter, "?")
        x += 12
    return text


def colour(value, most):
    if math.isnan(value):
        return 0xFF, 0, 0xFF
    if math.isinf(value):
        return (0xFF, 0xE0, 0) if value > 0 else (0, 0xE0, 0xFF)
    other = 255 - 255 * min(math.ceil(abs(value) / most * 120), 120) // 120
    return (0xFF, other, other) if value > 0 else (other, other, 0xFF) if value < 0 else (0xFF, 0xFF, 0xFF)


def bf16(value):
    return struct.unpack("<I", struct.pack("<f", value))[0] >> 16


def table(text):
    return [[float(number) for number in line.split()] for line in text.splitlines()[1:]]


def raw(name, data, what, *options):
    return kerr("show", "--raw", write(name, data), *options, what)


def test_formats():
    """Sixteen patterns of each format, worth what the manual's bit patterns say."""
    nan, inf = math.nan, math.inf
    rows = {
        "fp32": (struct.pack("<4f", 1, -2.5, 2.0 ** -126, 3e38), [1, -2.5, 2.0 ** -126, struct.unpack("<f", struct.pack("<f", 3e38))[0]]),
        "bf16": (struct.pack("<4H", 0x3F80, 0xC020, 0x7F80, 0x7FC0), [1, -2.5, inf, nan]),
        "fp16": (struct.pack("<4e", 1, -2.5, 65504, 2.0 ** -24), [1, -2.5, 65504, 2.0 ** -24]),
        "fp8": (bytes((0x3C, 0xC1, 0x7C, 0x01)), [1, -2.5, inf, 2.0 ** -16]),
        "e4m3": (bytes((0x38, 0xC2, 0x7E, 0x7F)), [1, -2.5, 448, nan]),
        "int8": (bytes((1, 0x80, 0xFF, 0x7F)), [1, -128, -1, 127]),
        "sm8": (bytes((1, 0x80, 0xFF, 0x7F)), [1, 0, -127, 127]),
        "uint8": (bytes((1, 0x80, 0xFF, 0x7F)), [1, 128, 255, 127]),
        "int16": (struct.pack("<4h", 1, -32768, -1, 5), [1, -32768, -1, 5]),
        "sm16": (struct.pack("<4H", 1, 0x8001, 0xFFFF, 5), [1, -1, -32767, 5]),
        "uint16": (struct.pack("<4H", 1, 0x8001, 0xFFFF, 5), [1, 0x8001, 0xFFFF, 5]),
        "int32": (struct.pack("<4i", 1, -2 ** 31, -1, 5), [1, -2 ** 31, -1, 5]),
        "sm32": (struct.pack("<4I", 1, 0x80000001, 0xFFFFFFFF, 5), [1, -1, -0x7FFFFFFF, 5]),
        "uint32": (struct.pack("<4I", 1, 0x80000001, 0xFFFFFFFF, 5), [1, 0x80000001, 0xFFFFFFFF, 5]),
    }
    for name, (data, want) in rows.items():
        r = raw("numbers.bin", data, f"1,2@0:{name}:1x4")
        got = table(r.stdout)[0] if r.returncode == 0 else []
        same = len(got) == 4 and all(math.isnan(a) if math.isnan(b) else math.isclose(a, b, rel_tol=1e-4) for a, b in zip(got, want))
        case(f"numbers of {name}", same, told(r))
    for bits, magnitudes in ((8, 64), (4, 4), (2, 1)):
        mantissas = [1, (1 << bits - 1) - 1, 1 << bits - 1, (1 << bits) - 1]
        packed = sum(mantissa << bits * i for i, mantissa in enumerate(mantissas * 64)).to_bytes(32 * bits, "little")
        for variant, bias in (("", 127), ("a", 15)):
            r = raw("block.bin", bytes([bias + 1] * 16) + packed, f"1,2@0:bfp{bits}{variant}:face")
            want = [2 / magnitudes, 2 * mantissas[1] / magnitudes, -2.0 ** (bias + 1), -2 * mantissas[1] / magnitudes]
            got = table(r.stdout) if r.returncode == 0 else [[]]
            case(f"numbers of bfp{bits}{variant}, exponents before them; minus zero is the power above all",
                 len(got) == 16 and all(math.isclose(a, b, rel_tol=1e-3) for a, b in zip(got[7][:4], want)), told(r))


def test_layout():
    datums = struct.pack("<1024H", *range(1024))
    r = raw("tile.bin", datums, "1,2@0:uint16")
    rows = table(r.stdout)
    want = [[(y // 16 * 2 + x // 16) * 256 + y % 16 * 16 + x % 16 for x in range(32)] for y in range(32)]
    case("a tile is four faces of 16x16", rows == want, told(r))
    r = raw("tile.bin", datums, "1,2@0x40:uint16:8x24")
    case("a tensor is row by row, from an address on", table(r.stdout) == [[32 + 24 * y + x for x in range(24)] for y in range(8)], told(r))
    r = raw("tiles.bin", struct.pack("<2048H", *range(2048)), "1,2@0:uint16:32x64/tiles")
    case("a tensor of tiles is tile by tile", [row[32:] for row in table(r.stdout)] == [[n + 1024 for n in row] for row in want], told(r))


def test_picture():
    values = [0.0, 1.0, -1.0, 0.5, math.inf, -math.inf, math.nan, -0.001]
    data = struct.pack("<8H", *map(bf16, values))
    r = raw("colours.bin", data, f"1,2@0:bf16:2x4={path('colours.png')}", "--pixels", "3")
    _, _, rows, texts = picture("colours.png")
    x, y, *_ = panels(texts)["numbers"]
    got = [rows[y + 1 + 3 * (i // 4)][x + 1 + 3 * (i % 4)] for i in range(8)]
    case("white is zero and nothing else, red and blue by size, infinities and NaN in colours of their own",
         r.returncode == 0 and got == [colour(value, 1) for value in values] and len(set(got)) == 8, f"{got}\n{told(r)}")
    case("a square for each number, in a frame", all(rows[y - 1][x + i] == rows[y + 6][x + i] == LINE for i in range(12)) and
         rows[y + 5][x + 11] == colour(values[7], 1) and rows[y + 5][x + 12] == LINE)
    legend = {pixel for row in rows[-40:] for pixel in row[:x + 200]}
    case("and a legend of these colours, all within the picture", all(pixel != INK for row in rows for pixel in row[-12:]) and {colour(value, 1) for value in values[4:7]} <= legend and SAME not in legend)
    raw("colours.bin", data, f"1,2@0:bf16:2x4={path('range.png')}", "--pixels", "1", "--range", "2")
    _, _, rows, texts = picture("range.png")
    x, y, *scale = panels(texts)["numbers"]
    case("--range sets the scale", rows[y][x + 1] == colour(1, 2) and scale[:2] == [2, -2], texts)
    r = raw("tile.bin", struct.pack("<1024H", *[bf16(1.0)] * 1024), f"1,2@0:bf16={path('lines.png')}", "--pixels", "2")
    _, _, rows, texts = picture("lines.png")
    x, y, *_ = panels(texts)["numbers"]
    case("a thin line between the faces of a tile", rows[y + 32][x:x + 65] == [LINE] * 65 and rows[y][x + 32] == LINE and
         rows[y][x + 31] == rows[y][x + 33] == (0xFF, 0, 0), told(r))
    r = kerr("show", "--raw", path("tile.bin"), "--pixels", "64", f"1,2@0:bf16={path('large.png')}")
    width, height, *_ = picture("large.png")
    case("a large picture of few colours is a small file", width > 2048 < height and len(read("large.png")) < 20000, len(read("large.png")))


def test_scale():
    """A title, numbers of rows and columns, and a scale that says what colours are worth."""
    numbers = [4 * math.sin(i * i) for i in range(1024)]
    r = raw("scale.bin", struct.pack("<1024f", *numbers), f"1,2@0:fp32:32x32={path('scale.png')}", "--pixels", "20", "--range", "4")
    width, _, rows, texts = picture("scale.png")
    x, y, high, low, bar_x, bar_y, bar_width, bar_height = panels(texts)["numbers"]
    case("the title is what was asked for", r.returncode == 0 and texts["Title"] == "1,2@0:fp32:32x32" and
         INK in {pixel for row in rows[:y - 30] for pixel in row}, texts)
    digits = {}
    for row in range(10):  # numbers end at the same place, digits are six apart
        middle = y + 20 * row + 10
        digits[tuple(tuple(rows[j][i] == INK for i in range(x - 16, x - 6, 2)) for j in range(middle - 7, middle + 7, 2))] = str(row)
    rows_read = [read_number(rows, x - 28 + 12 * (row < 10), y + 20 * row + 10, digits) for row in range(32)]
    case("every row has its number, where there is room", len(digits) == 10 and rows_read == [str(row) for row in range(32)], rows_read)
    columns = [read_number(rows, x + 20 * column, y - 11, digits)[:2] for column in range(0, 32, 2)]
    case("so have columns", columns == [str(column) for column in range(0, 32, 2)], columns)
    bar = [rows[bar_y + i][bar_x] for i in range(bar_height)]
    case("the scale has the colour of each magnitude", (high, low) == (4, -4) and bar_height == 640 and len(set(bar)) == 240 and all(
        bar[i] == colour(4 - 8 * i / 639, 4) for i in range(bar_height)), bar)
    ticks = [read_number(rows, bar_x + bar_width + 8, bar_y + 639 * tick // 4, digits) for tick in range(5)]
    case("with numbers beside it", ticks == ["4", "2", "0", "?2", "?4"], ticks)
    case("and is within the picture, as a small file", bar_x + bar_width + 8 + 24 < width and len(read("scale.png")) < 12000, len(read("scale.png")))
    raw("scale.bin", struct.pack("<1024H", *range(1024)), f"1,2@0:uint16={path('positive.png')}")
    _, _, high, low, *_ = panels(picture("positive.png")[3])["numbers"]
    case("a scale of what is nowhere negative begins at zero", (high, low) == (1023, 0))


def test_chip():
    program = write("store.elf", elf(segment(store(0x30004, 0x3F80), 0x3000)))
    start = write("start.bin", struct.pack("<4H", *map(bf16, (1, 2, 3, 4))))
    r = kerr("run", program, "--preload", f"1,2@0x30000={start}", "--save-start", path("start.chip"), "--save", path("end.chip"))
    case("kerr run saves a chip before and after", r.returncode == 0, told(r))
    r = kerr("show", "--before", path("start.chip"), path("end.chip"), "1,2@0x30000:bf16:1x4")
    case("before and after, and how many differ", r.stdout.splitlines()[1].split() == ["1", "2", "3", "4"] and
         r.stdout.splitlines()[3].split() == ["1", "2", "1", "0"] and "2 of 4 differ" in r.stdout, told(r))
    r = kerr("show", "--before", path("start.chip"), path("end.chip"), f"1,2@0x30000:bf16:1x4={path('both.png')}", "--pixels", "4")
    width, height, rows, texts = picture("both.png")
    at = panels(texts)
    tables = {name: [rows[y + 1][x + 4 * i + 1] for i in range(4)] for name, (x, y, *_) in at.items()}
    case("both in one picture on one scale", tables["before"] == [colour(value, 4) for value in (1, 2, 3, 4)] and
         tables["after"] == [colour(value, 4) for value in (1, 2, 1, 0)] and at["before"][2:4] == at["after"][2:4] == (4, 0), texts)
    case("and how they differ on another", tables["difference"] == [SAME, SAME, colour(-2, 4), colour(-4, 4)] and
         at["difference"][2:4] == (0, -4) and all(x + 16 <= width and y + 4 <= height for x, y, *_ in at.values()), (tables, texts))
    case("what is the same is in the legend", SAME in {pixel for row in rows[-30:] for pixel in row[:60]})
    case("and it is a small file", len(read("both.png")) < 4000, len(read("both.png")))
    for what in ("dst:bf16:1x16", "dst:fp16:4x16", "dst+960:int16", "dst32:fp32", "dst32+448:int32:64x16", "srcA0:tf32:64x16",
                 "srcA1:bf16", "srcB0:fp16", "srcB1:sm8:face", "dst:bf16:64x256/tiles"):
        r = kerr("show", path("end.chip"), f"1,2@{what}")
        case(f"registers of a chip that has not used them: {what}", r.returncode == 0 and
             all(number == 0 for row in table(r.stdout) for number in row), told(r))


def datapath(name, arguments, data):
    """sdk/examples/datapath.c on tile 1,2; saves the chip."""
    kernels = [f"1,2:T{i}={os.path.join(BUILD, 'kernels', f'datapath_T{i}.elf')}" for i in range(3)]
    params = write("params.bin", struct.pack("<16I", 1, 2, 0, 1, *arguments))
    return kerr("run", *kernels, "--preload", f"1,2@0x18000={params}", "--preload", f"1,2@0x20000={write('in.bin', data)}",
                "--save", path(name))


def test_registers():
    """What unpackers left in SrcA, SrcB and Dst, against what went in: formats and order of bits, banks, halves of Dst."""
    dst32, srca, srcb, dst, fp32, fp16, tf32, bf16_code = 1 << 4, 0, 1, 2, 0, 1, 4, 5
    numbers = [(i % 61 - 30) / 8 * 2.0 ** (i % 7 - 3) for i in range(1024)]
    tile = [[numbers[(y // 16 * 2 + x // 16) * 256 + y % 16 * 16 + x % 16] for x in range(32)] for y in range(32)]
    halves, floats = struct.pack("<1024e", *numbers), struct.pack("<1024f", *numbers)
    brains = struct.pack("<1024H", *map(bf16, numbers))
    for name, flags, code, register, pack, data, what in (
            ("bf16", srca, bf16_code, bf16_code, bf16_code, brains, (("dst:bf16", tile), ("srcA0:bf16:16x16", 2), ("srcA1:bf16:16x16", 3))),
            ("fp16", srcb, fp16, fp16, fp16, halves, (("dst:fp16", tile), ("srcB0:fp16:16x16", 2), ("srcB1:fp16:16x16", 3))),
            ("tf32", srca | dst32, fp32, tf32, fp32, floats, (("dst32:fp32", tile), ("srcA0:tf32:16x16", 2), ("srcA1:tf32:face", 3))),
            ("fp32", dst | dst32, fp32, fp32, fp32, floats, (("dst32:fp32", tile), ("dst32:fp32:64x16", None)))):
        r = datapath("data.chip", (flags, code, register, pack, pack, 1, 0x20000, len(data), 0x40000, len(data), 1, 1), data)
        case(f"{name}: the kernel ends", r.returncode == 0, told(r))
        for place, want in what:
            if not isinstance(want, list):  # a face, or all rows
                rows = [numbers[16 * i:16 * i + 16] for i in range(64)]
                want = rows if want is None else rows[16 * want:16 * want + 16]
            r = kerr("show", path("data.chip"), f"1,2@{place}")
            got = table(r.stdout) if r.returncode == 0 else []
            case(f"{name}: {place} is what was unpacked", len(got) == len(want) and all(
                math.isclose(a, b, rel_tol=1e-3) for x, y in zip(got, want) for a, b in zip(x, y)), told(r)[:2000])


def test_refusals():
    chip, data = path("end.chip"), write("few.bin", bytes(64))
    for why, arguments, sentence in (
            ("no chip", ["1,2@0:bf16"], "no chip to show"),
            ("nothing to show", [chip], "nothing to show"),
            ("a file that is not there", ["no.chip", "1,2@0:bf16"], "no.chip: "),
            ("a file that is no chip", [data, "1,2@0:bf16"], "is not a saved chip"),
            ("no such tile", [chip, "40,2@0:bf16"], "40,2"),
            ("several tiles", [chip, "all@0:bf16"], "one at a time"),
            ("no such place", [chip, "1,2@srcC:bf16"], "'srcC' is neither"),
            ("no format", [chip, "1,2@0"], "no format"),
            ("no such format", [chip, "1,2@0:bf15"], "'bf15' is not a format"),
            ("no such shape", [chip, "1,2@0:bf16:big"], "'big' is not a shape"),
            ("an empty shape", [chip, "1,2@0:bf16:0x4"], "empty"),
            ("a shape too large", [chip, "1,2@0:bf16:99999x99999"], "too large"),
            ("tiles that do not fit", [chip, "1,2@0:bf16:40x32/tiles"], "is not made of them"),
            ("block floats row by row", [chip, "1,2@0:bfp8:32x32"], "with its exponents before it"),
            ("past the end of L1", [chip, "1,2@0x17ff00:fp32"], "4096 bytes at 0x0017ff00 of tile 1,2"),
            ("a row past the end of Dst", [chip, "1,2@dst+992:bf16"], "row 1024"),
            ("a first row that is not there", [chip, "1,2@srcA0+64:bf16:1x16"], "first row of srcA0"),
            ("the wrong width for dst", [chip, "1,2@dst:fp32"], "dst holds 16 bits a number"),
            ("the wrong width for dst32", [chip, "1,2@dst32:bf16"], "dst32 holds 32 bits"),
            ("the wrong width for srcA", [chip, "1,2@srcA0:fp32"], "hold 19 bits"),
            ("block floats in a register", [chip, "1,2@dst:bfp8"], "a format of L1 only"),
            ("rows of a register that are not 16 wide", [chip, "1,2@dst:bf16:4x8"], "16 columns"),
            ("a picture that is no PNG", [chip, "1,2@0:bf16=x.bmp"], "ends in .png"),
            ("a picture that cannot be written", [chip, "1,2@0:bf16=/nowhere/x.png"], "/nowhere/x.png: "),
            ("--raw past the end", ["--raw", data, "1,2@0:bf16"], "more than the file's 64"),
            ("--raw and registers", ["--raw", data, "1,2@dst:bf16"], "has no registers"),
            ("--raw and a chip", ["--raw", data, "--before", chip, "1,2@0:bf16"], "not a chip"),
            ("no pixels", [chip, "--pixels", "0", "1,2@0:bf16"], "--pixels: from 1 to 64"),
            ("no range", [chip, "--range", "none", "1,2@0:bf16"], "--range: 'none'")):
        r = kerr("show", *arguments)
        case(f"refused: {why}", r.returncode == 2 and sentence in r.stderr and r.stderr.startswith("kerr show: "), told(r))


INSTRN_BUF_BASE = 0xFFE40000
MACRO = (0x900000C0,  # SFPCAST for template 0
         0x91004441,  # macro 0: template 0 in the next cycle, to LReg[16]
         0x91800051,  # macro 1: SFPNOP for the simple sub-unit
         0x93160000, 0x8F000000, 0x93260004, 0x79001005)  # two rows; SFPIADD when all is done


def test_macro():
    """The schedule of a few instructions, as text and as SVG."""
    words = li(T0, INSTRN_BUF_BASE) + sum((li(T1, word) + [sw(T1, T0)] for word in MACRO), [])
    r = kerr("run", f"1,2:T1={program('macro.elf', code(words, jump(0)), 0xA000)}", "--cycles", "300", "--save-start",
             path("macro.chip"))
    case("a chip with a macro kernel is saved", r.returncode == 0, told(r))
    r = kerr("show", "--macro", "1,2", path("macro.chip"))
    lines = [[cell.strip() for cell in line.split("|")] for line in r.stdout.splitlines()]
    at = {cell: (int(line[0]), column) for line in lines[2:] for column, cell in enumerate(line) if column and cell}
    case("the sub-units are the columns", r.returncode == 0 and lines[1] == ["cycle", "load", "simple", "MAD", "round", "store"], told(r))
    first, second = at.get("SFPLOADMACRO L1 [0]"), at.get("SFPLOADMACRO L2 [2]")
    case("it begins with the first load, and each stands in its cycle with its row", first == (0, 1) and second and second[1] == 1, told(r))
    case("scheduled instructions stand behind their load, in their sub-unit",
         second and at.get("+SFPCAST L16 [0]") == (1, 2) and at.get("+SFPCAST L16 [2]") == (second[0] + 1, 2), told(r))
    case("what is not beside a scheduled one is left out", not any("SFPIADD" in cell for cell in at), told(r))
    r = kerr("show", "--macro", "1,2", "--cycles", "1", path("macro.chip"))
    case("--cycles cuts it", r.returncode == 0 and len(r.stdout.splitlines()) == 3, told(r))
    r = kerr("show", "--macro", f"1,2={path('macro.svg')}", path("macro.chip"))
    text = read("macro.svg").decode()
    case("a picture has the same", r.returncode == 0 and r.stdout == "" and text.startswith("<svg ") and
         text.endswith("</svg>\n") and all(f">{cell}</text>" in text for cell in at), told(r))
    for why, arguments, sentence in (("a tile that is none", ["9,99"], "9,99"), ("two tiles", ["1-2,2"], "more than one tile"),
                                     ("no macro", ["2,2"], "executes no SFPLOADMACRO"),
                                     ("a picture that cannot be written", ["1,2=/nowhere/x.svg"], "/nowhere/x.svg: "),
                                     ("something else to show", ["1,2", "1,2@dst:bf16"], "nothing else")):
        r = kerr("show", "--macro", arguments[0], path("macro.chip"), *arguments[1:])
        case(f"--macro, refused: {why}", r.returncode == 2 and sentence in r.stderr, told(r))


test_formats()
test_macro()
test_layout()
test_picture()
test_scale()
test_chip()
test_registers()
test_refusals()
done()

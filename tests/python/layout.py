# SPDX-License-Identifier: Apache-2.0
"""Every struct of kerr._lib against what the compiler makes of include/*.h: size, and place and size of each member."""

import ctypes
import os
import re
import subprocess
import sys

from kerr import _lib, version

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main():
    where = sys.argv[1]
    source = os.path.join(where, "layout.c")
    lines = []
    for name, kind in _lib.STRUCTS.items():
        lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
        lines += [f'printf("{name}.{m[0]} %zu %zu\\n", offsetof({name}, {m[0]}), sizeof((({name} *)0)->{m[0]}));'
                  for m in kind._fields_]
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <kerr_findings.h>\n#include <stdio.h>\nint main(void) {\n" + "\n".join(lines) + "\n}\n")
    program = os.path.join(where, "layout")
    subprocess.run(["cc", "-I", os.path.join(TOP, "include"), source, "-o", program], check=True)
    got = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()
    expected = []
    for name, kind in _lib.STRUCTS.items():
        expected.append(f"{name} {ctypes.sizeof(kind)}")
        expected += [f"{name}.{m[0]} {getattr(kind, m[0]).offset} {getattr(kind, m[0]).size}" for m in kind._fields_]
    for a, b in zip(got, expected):
        assert a == b, f"C has {a}, Python {b}"
    with open(os.path.join(TOP, "include", "kerr.h"), encoding="utf-8") as file:
        text = file.read()
    numbers = re.findall(r"KERR_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text)
    assert ".".join(numbers[:3]) == version.VERSION
    with open(os.path.join(TOP, "include", "kerr_findings.h"), encoding="utf-8") as file:
        text += file.read()
    for function in _lib.FUNCTIONS:
        assert re.search(rf"\b{function}\(", text), f"{function} is in no header"
    with open(os.path.join(TOP, "tools", "python", "files.h"), encoding="utf-8") as file:
        assert sorted(set(re.findall(r"\b(kerr_files_\w+)\(", file.read()))) == sorted(_lib.FILES)


main()

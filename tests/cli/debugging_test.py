#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/debugging.md, or another page, does what it says: its commands are run as they stand, in order, and print what the page shows.

    debugging_test.py [PAGE] [--write]     --write puts what they print into the page"""

import re
import shutil
import subprocess
import sys
import tempfile

from support import *

PAGE = next((argument for argument in sys.argv[1:] if argument != "--write"), "docs/debugging.md")
COMMANDS_LEAST = 5
BLOCK = re.compile(r"^```console\n(.*?)^```\n", re.M | re.S)


def plain(text, folder):
    """Without what differs from run to run and from place to place."""
    text = text.replace(folder + "/", "")
    text = re.sub(r"\d+\.\d\d s real, [\d.]+ ?[kMG]?cycles/s", "0.00 s real, 5.00 Mcycles/s", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def commands(block):
    """Pairs of a command and what is printed."""
    parts = re.split(r"^\$ (.*)\n?", block, flags=re.M)[1:]
    return list(zip(parts[::2], parts[1::2]))


def run(command, folder):
    r = subprocess.run(["sh", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120,
                       check=False, env={**os.environ, "PWD": folder})
    return plain(r.stdout, folder)


def main():
    write_page = "--write" in sys.argv[1:]
    if shutil.which(GCC) is None:
        skip(f"the commands of {PAGE}", f"no {GCC}")
        return
    page = open(PAGE, encoding="utf-8").read()
    folder = os.path.realpath(tempfile.mkdtemp(dir=TMP))
    os.symlink(os.path.abspath(BUILD), os.path.join(folder, "build"))
    os.symlink(os.path.abspath("examples"), os.path.join(folder, "examples"))

    ran = []

    def one(match):
        text = ""
        for command, expected in commands(match.group(1)):
            if "kerr gdb" in command and shutil.which("gdb-multiarch") is None and not os.environ.get("KERR_CI"):
                skip(command, "no gdb-multiarch")
                text += f"$ {command}\n{expected}"
                continue
            got = run(command, folder)
            ran.append(command)
            text += f"$ {command}\n" + (got + "\n" if got else "")
            if not write_page:
                case(command, got == plain(expected, folder), f"printed:\n{got}\nthe page has:\n{expected}")
        return f"```console\n{text}```\n"

    made = BLOCK.sub(one, page)
    if write_page:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(made)
    else:
        case("the page has something to run", len(ran) > COMMANDS_LEAST, ran)
    shutil.rmtree(folder)


main()
done()

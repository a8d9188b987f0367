#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the ```python blocks of a page in order and compares what they print with the ```text block behind each.

    tutorial.py [--write] PAGE.md

--write renders the page anew: its text blocks and the pictures that its code puts into images/.  BUILD says where kernels
are.  Pictures are made without --write too, but not compared: they depend on the version of what draws them.
"""

import argparse
import contextlib
import io
import os
import re
import shutil
import sys
import tempfile
import traceback

BLOCK = re.compile(r"```python\n(.*?)```\n(?:\n(<!-- walk: [^\n]*-->\n)?```text\n(.*?)```\n)?", re.S)
OUTPUT = "<!-- walk: skip output of the block above, which python/3.11 compares -->\n"


def run(code, name, space):
    """What it prints, or ends with."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, name, "exec"), space)  # pylint: disable=exec-used
    except Exception:  # pylint: disable=broad-except
        out.write(traceback.format_exc())
        return out.getvalue(), False
    return out.getvalue(), True


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("page")
    arguments = parser.parse_args()
    page = os.path.abspath(arguments.page)
    with open(page, encoding="utf-8") as file:
        text = file.read()
    build = os.path.abspath(os.environ.get("BUILD", "build"))
    space = {"__name__": "tutorial", "kernels": os.path.join(build, "kernels")}
    pieces, at, failed, count = [], 0, 0, 0
    scratch = tempfile.mkdtemp()
    os.chdir(scratch)
    os.mkdir("images")
    for block in BLOCK.finditer(text):
        count += 1
        line = text.count("\n", 0, block.start()) + 1
        got, ended_well = run("\n" * line + block.group(1), page, space)
        expected = block.group(3)
        same = ended_well and got == (expected or "")
        failed += not (ended_well if arguments.write else same)
        print(f"{'ok' if same or arguments.write and ended_well else 'not ok'} {count} - line {line}")
        if not same and not arguments.write or not ended_well:
            print("".join(f"# {part}\n" for part in [*"printed:".splitlines(), *got.splitlines()]), end="")
        pieces.append(text[at:block.start()])
        pieces.append("```python\n" + block.group(1) + "```\n")
        if expected is not None or got:
            pieces.append("\n" + (block.group(2) or OUTPUT) + "```text\n" + got + "```\n")
        at = block.end()
    pieces.append(text[at:])
    for picture in re.findall(r"\]\((images/[^)]*)\)", text):
        count += 1
        there = os.path.exists(picture)
        failed += not there
        print(f"{'ok' if there else 'not ok'} {count} - {picture} is drawn")
        if there and arguments.write:
            shutil.copy(picture, os.path.join(os.path.dirname(page), picture))
    if arguments.write and not failed:
        with open(page, "w", encoding="utf-8") as file:
            file.write("".join(pieces))
    shutil.rmtree(scratch)
    print(f"1..{count}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turns the pages of docs/findings into a header for `kerr explain`: embed-pages.py OUT.h PAGE.md..."""

import os
import sys


def quoted(line):
    return '"' + line.replace("\\", "\\\\").replace('"', '\\"').replace("?", "\\?") + '"'


def main():
    out, pages = sys.argv[1], sys.argv[2:]
    text = ["/* SPDX-License-Identifier: Apache-2.0 */", "/* Made from docs/findings by scripts/embed-pages.py; do not edit. */"]
    names = [os.path.basename(page)[:-len(".md")] for page in sorted(pages)]
    for name, page in zip(names, sorted(pages)):
        with open(page, encoding="utf-8") as file:
            lines = [line.rstrip() for line in file if not line.startswith("<!--")]
        text.append(f"static const char *const page_{name.replace('-', '_')}[] = {{")
        text += [f"    {quoted(line)}," for line in lines] + ["    NULL};"]
    text.append("static const finding_page finding_pages[] = {")
    text += [f"    {{{quoted(name)}, page_{name.replace('-', '_')}}}," for name in names] + ["};"]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")


main()

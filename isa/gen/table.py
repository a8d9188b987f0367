# SPDX-License-Identifier: Apache-2.0
"""What the register generators share: rows of cells, numbers, names, aliases and notes, and the command line."""

import os
import re
import sys


class TableError(Exception):
    """A row that makes no sense; the text opens with file:line."""


def lines(path):
    """Yields (where, line) of each line that is neither empty nor a comment."""
    with open(path, encoding="utf-8") as table:
        for number_, line in enumerate(table, 1):
            line = line.rstrip()
            if line and line[0] != "#":
                yield f"{path}:{number_}", line


def cells(where, line, count):
    """The cells of a row: two or more blanks apart, the last one keeps its blanks and is the source."""
    found = re.split(r"\s{2,}", line, maxsplit=count - 1)
    if len(found) == count - 1:
        raise TableError(f"{where}: {found[0]}: missing source")
    if len(found) != count:
        raise TableError(f"{where}: expected {count} columns two blanks apart, found {len(found)}")
    return found


def number(where, text, what, least=0, most=0xFFFFFFFF):
    try:
        value = int(text, 0)
    except ValueError:
        raise TableError(f"{where}: {what} '{text}' is not a number") from None
    if not least <= value <= most:
        limit = most if most < 0x10000 else f"0x{most:X}"
        raise TableError(f"{where}: {what} {text} is not within {least} to {limit}")
    return value


def one_of(where, what, text, known):
    if text not in known:
        raise TableError(f"{where}: unknown {what} '{text}'")


def mask_of(where, what, text, bits):
    """The bits of names joined by '+'."""
    mask = 0
    for name in text.split("+"):
        one_of(where, what, name, bits)
        mask |= bits[name]
    return mask


class Claims:
    """Things that may be there once: names, addresses, bits."""

    def __init__(self):
        self.names, self.places = {}, {}

    def name(self, where, name):
        if name in self.names:
            raise TableError(f"{where}: {name}: duplicate name, first in {self.names[name]}")
        self.names[name] = where

    def place(self, where, name, place, text):
        if place in self.places:
            raise TableError(f"{where}: {name} overlaps {self.places[place]} at {text}")
        self.places[place] = name


def attach(where, line, rows, claims):
    """Takes a line that opens with '=' (a second name) or '!' (a note) and belongs to the row above it; or says no."""
    if line[0] not in "=!":
        return False
    if not rows:
        raise TableError(f"{where}: '{line[0]}' without a row above it")
    text = line[1:].strip()
    if line[0] == "=":
        claims.name(where, text)
        rows[-1].aliases.append(text)
    else:
        rows[-1].notes.append(text)
    return True


def source_and_notes(row):
    return row.source + ("<br/>" + " ".join(row.notes) if row.notes else "")


def write(path, text):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as new:
        new.write(text)


def main(document, read_table, products):
    """Runs a generator: TABLE and one file for each product, of which the last (the page) may be left out.  A product is
    a function of the table and the table's name that returns text."""
    arguments = sys.argv[1:]
    if len(arguments) not in (len(products), len(products) + 1):
        sys.stderr.write(document)
        return 2
    try:
        table = read_table(arguments[0])
    except (TableError, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    stem = os.path.splitext(os.path.basename(arguments[0]))[0]
    for path, product in zip(arguments[1:], products):
        write(path, product(table, stem))
    return 0

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each folder of src/ uses only itself and what is below it (docs/architecture.md, "Who owns what").

  scripts/layers.py [--build DIR] [--root DIR]     DIR (default build) has the objects

LAYERS says what is below what.  Looked at is what the compiler sees, each #include "..." of a file in src/ and tools/, and what
the linker sees, each symbol that an object leaves undefined and an object of another layer defines.  Each violation is printed
with both files and what it is."""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

# From the bottom up: each uses itself and those before it.  "only": besides itself those that are named, and of the rest of the library
# what include/ declares and src/kerr.map exports.  What isa/gen makes is everybody's.
LAYERS = """
base
num
hooks
noc
riscv
tensix
tile
check
chip
host
gdb only
attach only gdb
dropin only gdb attach
tools only gdb attach
"""

def read_layers(text):
    """name -> (the layers that it may use, whether it reaches others by the public interface)."""
    layers = {}
    for words in filter(None, (line.split() for line in text.split("\n"))):
        only = words[1:2] == ["only"]
        layers[words[0]] = (set(words[2:]) if only else set(layers)) | {words[0]}, only
    return layers


def layer_of(path):
    parts = path.split("/")
    return "tools" if parts[0] == "tools" else parts[1]


def sources(root):
    for top in ("src", "tools"):
        for file in sorted((root / top).rglob("*")):
            path = file.relative_to(root).as_posix()
            if file.suffix in (".c", ".h", ".def") and path.count("/") >= (2 if top == "src" else 1):
                yield path


def includes(root):
    """(from, to, what) for each file of the tree that another one includes."""
    known = set(sources(root))
    for path in sorted(known):
        here = pathlib.PurePosixPath(path).parent
        for name in re.findall(r'^\s*#\s*include\s+"([^"]+)"', (root / path).read_text(), re.M):
            for place in (here, pathlib.PurePosixPath("src"), pathlib.PurePosixPath("tools")):
                target = place
                for part in name.split("/"):
                    target = target.parent if part == ".." else target / part
                if str(target) in known:
                    yield path, str(target), "#include"
                    break


def links(root, build):
    """(from, to, symbol) for each symbol that an object takes from another."""
    objects = {path: build / "obj" / (path[:-2] + ".o") for path in sources(root) if path.endswith(".c")}
    objects = {path: file for path, file in objects.items() if file.is_file()}
    if not any(path.startswith("src/") for path in objects):
        raise SystemExit(f"layers: {build}: no objects there")
    defined, undefined = collections.defaultdict(set), []
    of_file = {str(file): path for path, file in objects.items()}
    text = subprocess.run(["nm", "-A", "-g", *of_file], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        file, _, rest = line.partition(":")
        kind, symbol = rest.split()[-2:]
        if kind in "Uw":
            undefined.append((of_file[file], symbol))
        else:
            defined[symbol].add(of_file[file])
    for path, symbol in undefined:
        # Programs of tools/ may have a function of one name each.
        targets = defined[symbol]
        if len(targets) == 1:
            yield path, next(iter(targets)), symbol


def violations(root, build, layers):
    """(from, to) -> what."""
    public = set(re.findall(r"^\s*(\w+);", (root / "src/kerr.map").read_text(), re.M))
    found = collections.defaultdict(set)
    for source, target, what in [*includes(root), *links(root, build)]:
        here, there = layer_of(source), layer_of(target)
        for layer in (here, there):
            if layer not in layers:
                raise SystemExit(f"layers: src/{layer} is no layer: scripts/layers.py has the list")
        allowed, only = layers[here]
        if there not in allowed and not (only and what in public):
            found[source, target].add(what)
    return found


def main():
    here = pathlib.Path(__file__).resolve().parent.parent
    options = argparse.ArgumentParser()
    options.add_argument("--build", type=pathlib.Path, default=here / "build")
    options.add_argument("--root", type=pathlib.Path, default=here)
    args = options.parse_args()
    root = args.root.resolve()
    found = violations(root, args.build.resolve(), read_layers(LAYERS))
    for pair in sorted(found):
        print(f"layers: {pair[0]} uses {pair[1]}: {', '.join(sorted(found[pair]))}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

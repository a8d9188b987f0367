#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr info and the help: one table, and everything made from it says the same."""

import re
import shutil
import subprocess

from support import *


def test_help():
    for arguments in (("--help",), ("help",), ("-h",)):
        r = kerr(*arguments)
        case(f"kerr {' '.join(arguments)}", r.returncode == 0 and "run" in r.stdout and "KERR_THREADS" in r.stdout, told(r))
    for verb in ("run", "info", "dis", "asm", "show"):
        one, two = kerr(verb, "--help"), kerr("help", verb)
        case(f"kerr {verb} --help is kerr help {verb}", one.returncode == 0 and one.stdout == two.stdout
             and one.stdout.startswith(f"usage: kerr {verb}"), told(one))
        case(f"kerr {verb} --help fits 80 columns where it wraps",
             max(len(line) for line in one.stdout.splitlines() if not line.startswith("    ")) <= 92, told(one))
    r = kerr()
    case("no verb is status 2, with the help", r.returncode == 2 and "usage:" in r.stderr and r.stdout == "", told(r))
    r = kerr("walk")
    verbs = re.findall(r"^  ([\w-]+) +\w", kerr("--help").stdout.split("\n\n")[2], re.M)
    case("an unknown verb is status 2 and names the known ones", r.returncode == 2 and len(verbs) > 5
         and f"unknown verb 'walk'; there are {', '.join(verbs)}; see" in r.stderr, told(r) + str(verbs))
    r = kerr("help", "walk")
    case("help for an unknown verb", r.returncode == 2 and "unknown verb" in r.stderr, told(r))
    r = kerr("--version")
    case("--version", re.fullmatch(r"kerr \d+\.\d+\.\d+\n", r.stdout), told(r))
    with open("/dev/full", "w", encoding="ascii") as full:
        r = subprocess.run([KERR, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    case("output that cannot be written is status 2", r.returncode == 2 and "cannot write" in r.stderr, r.stderr)


def test_documents():
    docs = kerr("--dump-docs").stdout
    with open("docs/cli.md", encoding="utf-8") as file:
        case("docs/cli.md is up to date", file.read() == docs, "run make cli-docs")
    man = kerr("--dump-man").stdout
    options = set(re.findall(r"--[a-z][a-z-]+", kerr("help", "run").stdout)) - {"--help"}
    case("docs and man page have every option of the help", all(o in docs for o in options)
         and all(o.replace("-", "\\-") in man for o in options), options)
    if shutil.which("groff"):
        r = subprocess.run(["groff", "-man", "-ww", "-z", "-Tutf8"], input=man, capture_output=True, text=True, check=False)
        case("groff has nothing to say about the man page", r.returncode == 0 and r.stderr == "", r.stderr)
    else:
        skip("groff has nothing to say about the man page", "optional: no groff")


def test_info():
    r = kerr("info")
    case("kerr info names version, chip, build, processor and threads", r.returncode == 0 and "140 Tensix, 14 Ethernet, 24 DRAM"
         in r.stdout and "752 baby" in r.stdout and "752 baby" in open("README.md", encoding="utf-8").read().replace("\n", " ") and all(re.search(rf"^{w} ", r.stdout, re.M) for w in
                                                       ("kerr", "chip", "build", "processor", "threads")), told(r))
    r = kerr("info", "x")
    case("kerr info with an operand", r.returncode == 2 and "'x' is too much" in r.stderr, told(r))


def tiles(xs, ys):
    return "[" + ", ".join(f"{x}-{y}" for y in ys for x in xs) + "]"


COLUMNS = [*range(1, 8), *range(10, 17)]
GOOD = f"""grid: {{x_size: 17, y_size: 12}}
arch_name: BLACKHOLE
functional_workers: {tiles(COLUMNS, range(2, 12))}
harvested_workers: []
eth: {tiles(COLUMNS, [1])}
dram: [{tiles([0], range(12))}, {tiles([9], range(12))}]
features: {{unpacker: {{version: 2}}}}
"""


def test_descriptor():
    r = kerr("info", "--descriptor", write("good.yaml", GOOD))
    case("a descriptor that fits", r.returncode == 0 and "fits the chip" in r.stdout and "differs" not in r.stdout, told(r))
    for name, old, new, pattern in (
            ("another chip", "BLACKHOLE", "WORMHOLE_B0", r"2:12: arch_name is WORMHOLE_B0"),
            ("another grid", "x_size: 17", "x_size: 10", r"1:16: x_size is 10, the chip has 17"),
            ("a worker in the wrong place", "[1-2, ", "[8-3, ", r"tile 8-3 is in functional_workers"),
            ("a worker outside", "[1-2, ", "[1-2, 44-2, ", r"tile 44-2 in functional_workers is outside"),
            ("a worker twice", "[1-2, ", "[1-2, 1-2, ", "tile 1-2 is in functional_workers a second time"),
            ("no workers", "functional_workers", "workers", "there is no list functional_workers"),
            ("no arch", "arch_name", "arch", "there is no arch_name"),
            ("no tile", "[1-2, ", "[one, ", "'one' in functional_workers is no tile")):
        r = kerr("info", "--descriptor", write("bad.yaml", GOOD.replace(old, new)))
        case(f"descriptor: {name}", r.returncode == 1 and re.search(pattern, r.stdout) and "does not fit" in r.stdout, told(r))
    r = kerr("info", "--descriptor", write("fewer.yaml", GOOD.replace("[1-2, ", "[").replace("eth: [1-1, ", "eth: [")))
    case("a descriptor with fewer tiles fits, with a note", r.returncode == 0 and "note: 1 Tensix tile " in r.stdout
         and "note: 1 Ethernet tile " in r.stdout, told(r))
    r = kerr("info", "--descriptor", write("list.yaml", "- 1\n"))
    case("not a descriptor is status 2", r.returncode == 2 and "list.yaml:1:1" in r.stderr, told(r))
    r = kerr("info", "--descriptor", path("none.yaml"))
    case("no file is status 2", r.returncode == 2 and "cannot open" in r.stderr, told(r))
    ours = os.path.join(BUILD, "sim", "soc_descriptor.yaml")
    if os.path.exists(ours):
        r = kerr("info", "--descriptor", ours)
        case("our own descriptor fits", r.returncode == 0 and "differs" not in r.stdout, told(r))
        r = kerr("info", "--descriptor", ours, "--harvest", "p150")
        case("and fits a p150", r.returncode == 0 and "Tensix" not in r.stdout, told(r))
        r = kerr("info", "--descriptor", ours, "--harvest", "p100")
        case("but not a p100", r.returncode == 1 and "tile 15-2 is in functional_workers, but is switched off" in r.stdout
             and "tile 9-5 is in dram" in r.stdout, told(r))
        r = kerr("info", "--descriptor", ours.replace(".yaml", "_p100.yaml"), "--harvest", "p100")
        case("the one for a p100 does", r.returncode == 0 and "Tensix" not in r.stdout, told(r))
        r = kerr("info", "--descriptor", ours, "--harvest", "p99")
        case("a shape that is none is status 2", r.returncode == 2 and "p99" in r.stderr, told(r))
    else:
        skip("our own descriptor fits", "no soc_descriptor.yaml in this build")


test_help()
test_documents()
test_info()
test_descriptor()
done()

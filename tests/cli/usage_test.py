#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Options and variables that make no sense: every verb says what is wrong, with a near name where there is one, ends with status 2,
and has done nothing before it."""

import glob
import re

from support import *

GOOD = program("good.elf", store(0x20000, 1))
NOWHERE = path("nowhere/file")
CLIENT = [sys.executable, "-c", "print('the program ran')"]


def refused(pattern, verb, *arguments, env=None):
    """One line, status 2, nothing run."""
    r = kerr(verb, *arguments, env=env, timeout=20)
    name = " ".join(f"{k}={v}" for k, v in (env or {}).items()) or " ".join(a for a in arguments if len(a) < 40)
    case(f"kerr {verb} {name}", r.returncode == 2 and r.stdout == "" and len(r.stderr.splitlines()) == 1 and re.search(pattern, r.stderr),
         f"expected: {pattern}\n{told(r)}")


def test_variables():
    for value, pattern in ((("KERR_THREADS", "abc"), "KERR_THREADS=abc: not a number from 1 to 64"),
                           (("KERR_THREADS", "0"), "KERR_THREADS=0: not a number from 1 to 64"),
                           (("KERR_THREADS", "65"), "KERR_THREADS=65: not a number"),
                           (("KERR_THREADS", "0x"), "not a number"), (("KERR_THREADS", " 2"), "not a number"),
                           (("KERR_FAST", "-park,burst"), r"KERR_FAST: 'burst' is no fast mechanism.*; did you mean bursts\?"),
                           (("KERR_FAST", "-"), "KERR_FAST: '' is no fast mechanism"),
                           (("KERR_TRHEADS", "2"), r"KERR_TRHEADS: there is no such variable; did you mean KERR_THREADS\?"),
                           (("KERR_POLICIES", "card"), r"did you mean KERR_POLICY\?"),
                           (("KERR_", "1"), "KERR_: there is no such variable"),
                           (("KERR_WHATEVER_IT_IS", "1"), r"no such variable \(kerr --help lists them\)"),
                           (("KERR_ON_FAULT", "thorw"), r"not dead, exit, card or throw; did you mean throw\?"),
                           (("KERR_HARVEST", "p151"), "KERR_HARVEST=p151: not p150, p100 or full"),
                           (("KERR_SEED", "-1"), "KERR_SEED=-1: not a number"), (("KERR_SEED", "18446744073709551616"), "not a number"),
                           (("KERR_HOST_TIME", "1000001"), "not a number from 0 to 1000000"),
                           (("KERR_SAVE_KEEP", "0"), "not a number from 1 to 1024"),
                           (("KERR_CHECK", "memroy"), r"KERR_CHECK: 'memroy' is no check.*did you mean 'memory'\?"),
                           (("KERR_POLICY", "stritc"), r"KERR_POLICY: 'stritc' is no policy.*did you mean 'strict'\?")):
        refused(pattern, "run", GOOD, env=dict([value]))
    for verb, arguments in (("exec", CLIENT), ("gdb", [GOOD]), ("why", ["end.chip"]), ("dis", ["0"]), ("shrink", ["--", GOOD]), ("explain", []),
                            ("attach", []), ("top", []), ("replay", ["log"]), ("diff", ["a", "b"]), ("state", ["a"]), ("show", ["a"]),
                            ("info", []), ("asm", [GOOD]), ("profile", [GOOD]), ("last-write", ["a", "1,2@0"])):
        refused("did you mean KERR_THREADS", verb, *arguments, env={"KERR_THREAD": "2"})
    r = kerr("run", "--help", env={"KERR_THREAD": "2"})
    case("help is there in any case", r.returncode == 0 and "usage: kerr run" in r.stdout, told(r))
    r = kerr("run", "-q", GOOD, env={"KERR_THREADS": "", "KERR_CHECK": "", "KERR_TEST_ANYTHING": "1", "KERR_CI": "0", "KERR_SEED": "0x10"})
    case("empty ones are as if not there, and those of tests are no mistake", r.returncode == 0, told(r))


def test_table():
    """Every variable that anything here reads is in the one table, and every one that it lists as a user's is in the help."""
    table = open("src/host/variables.def", encoding="utf-8").read()
    known = set(re.findall(r'^VARIABLE\("(\w+)"', table, re.M))
    ours = re.findall(r'^OURS\("(\w+)"', table, re.M)
    pattern = re.compile(r"""(?:getenv\(|environ(?:ment)?(?:\.get\(|\[|\.setdefault\(|\.pop\()|environment_\w+\(|\$\{?|setenv\()["']?(KERR_[A-Z0-9_]+)""")
    files = [f for kind in ("*.c", "*.h", "*.py", "*.sh", "*.mk") for top in ("src", "tools", "python", "scripts", "tests", "bench", "sdk", "mk", "examples")
             for f in glob.glob(f"{top}/**/{kind}", recursive=True)] + ["sdk/kerr-cc", "setup.py", "Makefile"]
    read_here = {name: f for f in files for name in pattern.findall(open(f, encoding="utf-8", errors="replace").read())}
    unknown = {n: f for n, f in read_here.items() if n not in known and not any(n == o or (o.endswith("_") and n.startswith(o)) for o in ours)}
    case("the table has every variable that is read", not unknown, unknown)
    case("and many are", len(read_here) > 25, read_here)
    text = kerr("--help").stdout
    case("the help has all that are not our own", all(f"  {name}=" in text for name in known) and "KERR_TEST_" not in text, text)


def test_run():
    for option, pattern in (("--chek=all", r"unknown option '--chek=all'; did you mean --check\?"), ("--cycels=5", "did you mean --cycles"),
                            ("--zzz", "unknown option '--zzz'; see kerr run --help"), ("--check=foo", "'foo' is no check"),
                            ("--check=hazzard", r"did you mean 'hazard'\?"), ("--policy=foo=stop", "'foo' is no kind of finding"),
                            ("--policy=race-l2=stop", "did you mean 'race-l1'"), ("--threads=0", "at least 1"), ("--timeout=0", "above 0"),
                            ("--timeout-cycles=0", "at least 1"), ("--every=0", "at least 1"), ("--save-every=0", "at least 1"),
                            ("--timeout=nan", "above 0"), ("--gdb=65536", "not a number from 0 to 65535")):
        refused(pattern, "run", option, GOOD)
    for option in ("trace", "trace-text", "coverage", "save", "save-start", "findings", "shake-log", "access-log", "report"):
        more = ["--shake", "1"] if option == "shake-log" else []
        refused(f"{NOWHERE}.*No such file|{NOWHERE}: No such file", "run", GOOD, *more, f"--{option}", NOWHERE)
        refused("Is a directory", "run", GOOD, *more, f"--{option}", TMP)
    refused("--save-dir: .*Not a directory|--save-dir: .*File exists", "run", GOOD, "--save-every", "10", "--save-dir", GOOD)
    refused(f"--profile: {NOWHERE}.*No such file", "run", GOOD, f"--profile={NOWHERE}")
    before = read("good.elf")
    r = kerr("run", GOOD, "--save", path("a.chip"), "--findings", NOWHERE)
    case("what could be written is not there when something else cannot", r.returncode == 2 and not os.path.exists(path("a.chip")), told(r))
    kerr("run", GOOD, "--findings", path("good.elf"), "--save", NOWHERE)
    case("and what was there is as it was", read("good.elf") == before)


def test_exec():
    for option, pattern in (("--threads=abc", "'abc' is not a number"), ("--threads=0", "at least 1"), ("--seed=x", "'x' is not a number"),
                            ("--timeout=0", "more than 0"), ("--client-timeout=0", "more than 0"), ("--check=foo", "'foo' is no check"),
                            ("--policy=foo=stop", "'foo' is no kind"), ("--on-fault=trow", r"did you mean throw\?"), ("--harvest=p99", "not a shape"),
                            (f"--library={GOOD}", "is no library of a simulator: it has no libttsim_init"),
                            (f"--library={KERR}", "it has no libttsim_init"), ("--library=/etc/passwd", "it has no libttsim_init"),
                            (f"--library={NOWHERE}", "No such file"), (f"--elf-dir={NOWHERE}", "No such file"), (f"--elf-dir={GOOD}", "Not a directory"),
                            ("--save-keep=0", "at least 1"), ("--lbrary=x", r"did you mean --library\?")):
        refused(pattern, "exec", option, "--", *CLIENT)
    for option in ("trace", "report", "findings", "save", "output", "kernels", "record"):
        refused("No such file", "exec", f"--{option}", NOWHERE, "--", *CLIENT)


def test_others():
    kerr("run", "-q", GOOD, "--save", path("end.chip"))
    for verb, arguments, pattern in (
            ("why", [path("end.chip"), "--elf", "nope"], "--elf: .*nope: No such file"),
            ("why", [path("end.chip"), "--elf", path("end.chip")], "--elf: .*end.chip: not an ELF file"),
            ("why", [path("end.chip"), "--elf-dir", NOWHERE], "--elf-dir: .*No such file"),
            ("why", [path("end.chip"), "--svg", NOWHERE], "--svg: .*No such file"),
            ("why", [path("end.chip"), "--dot", NOWHERE], "--dot: .*No such file"),
            ("shrink", ["--seeds", "0", "--", GOOD], "at least 1"), ("shrink", ["--runs", "0", "--", GOOD], "at least 1"),
            ("shrink", ["-o", NOWHERE, "--", GOOD], "--output: .*No such file"),
            ("info", ["--descriptor", NOWHERE], "No such file"),
            ("gdb", ["--policy", "foo=stop", GOOD], "'foo' is no kind"), ("gdb", ["--port", "65536", GOOD], "not a number"),
            ("gdb", ["--check=foo", GOOD], "'foo' is no check"), ("gdb", ["--findings", NOWHERE, GOOD], "--findings: .*No such file"),
            ("gdb", ["--every", "0", GOOD], "at least 1"), ("gdb", ["--script", NOWHERE, GOOD], "No such file"),
            ("diff", [path("end.chip"), path("end.chip"), "--show", "0"], "at least 1"),
            ("diff", [path("end.chip"), path("end.chip"), "--run", "0"], "at least 1"),
            ("last-write", [path("end.chip"), "1,2@0", "--show", "0"], "at least 1"),
            ("last-write", [path("end.chip"), "1,2@0", "--run", "0"], "at least 1"),
            ("show", [path("end.chip"), "1,2@0:bf16", "--range", "inf"], "not a number above zero"),
            ("show", [path("end.chip"), "1,2@0:bf61"], "'bf61' is not a format.*did you mean 'bf16'"),
            ("state", [path("end.chip"), "--only", "No such group at all"], "--only: nothing has a name like"),
            ("info", ["--harvest", "p150"], "--harvest.*--descriptor"),
            ("top", ["--every", "0"], "above 0"), ("explain", ["race-l2"], r"did you mean race-l1\?"), ("attach", ["stauts"], "did you mean status"),
            ("attach", ["read"], "read what")):
        refused(pattern, verb, *arguments)
    r = kerr("rnu", GOOD)
    case("a verb that is almost one", r.returncode == 2 and "unknown verb 'rnu'; did you mean run?" in r.stderr, told(r))


def main():
    test_variables()
    test_table()
    test_run()
    test_exec()
    test_others()
    done()


main()

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests and counts their cases.

    run-tests.py --build DIR [--tier check|test|long] [--match GLOB]... [--list FILE]... [PROGRAM]...

What to run: the unit test PROGRAMs (tier check), and the lines of tests/*.list (or of each --list):

    # tier[,option...]   name          command
    check                isa/gen       python3 isa/gen/tests/test_gen.py
    test,alone           same/fork     $BUILD/tests/same/fork_test
    long,timeout=3600    fuzz/elf      tests/fuzz/run.sh elf

Tiers hold each other: test is check and test, long is everything.  Options: alone (nothing else runs then),
timeout=SECONDS (default 300).  A command is run by sh in the root of the tree, with BUILD (absolute) and
KERR_TEST_TMP (a directory of its own, emptied before) and an XDG_RUNTIME_DIR of its own in the environment.  A PROGRAM that stands in a list
without arguments is run as the list says; with arguments it is another test of it.

What is counted: each case that the output names, in one of three ways,
    ok 1 - name / not ok 2 - name / ok 3 - name # SKIP reason         TAP, also without numbers
    PASS name / FAIL name / SKIP name: reason                         at the start of a line
    [       OK ] name / [  FAILED  ] name / [  SKIPPED ] name         cmocka; a line 'optional: ...' before it is the reason
and where it names none, the command itself: exit status 0 passes, 77 skips (the last line is the reason),
anything else fails.  A command that ends badly without naming a failed case is one more failure.

Known failures stand in tests/xfail.txt: the name of a case (test/case) or of a test, two blanks, the reason.
They count as skipped; one that passes fails the run.

With KERR_CI=1 a skip is a failure (a missing tool must not go unnoticed), unless its reason opens with
"optional:".  Logs are in DIR/test-results/, with summary.json for scripts/status.py and summary.txt.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

TIERS = ("check", "test", "long")
TAP = re.compile(r"(not ok|ok)\b(?:\s+\d+)?(?:\s+-)?\s*(.*)")
TAP_PLAN = re.compile(r"1\.\.(\d+)\s*$")
WORDS = re.compile(r"(PASS|FAIL|SKIP):?\s+(\S.*)")
CMOCKA = re.compile(r"\[\s+(OK|FAILED|SKIPPED|ERROR)\s+\] (\S+)$")
TAIL_LINES = 40


class Test:
    """One command."""

    def __init__(self, tier, name, command, alone=False, timeout=300):
        self.tier, self.name, self.command, self.alone, self.timeout = tier, name, command, alone, timeout
        self.cases = {}  # name -> (result, reason); result is passed, failed or skipped
        self.seconds = 0.0
        self.log = None

    def count(self, result):
        return sum(1 for r, _ in self.cases.values() if r == result)


def read_list(path):
    """The tests of one .list file."""
    tests = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            words = line.split(None, 2)
            if len(words) < 3:
                sys.exit(f"{path}:{number}: expected tier, name and command")
            tier, *options = words[0].split(",")
            if tier not in TIERS:
                sys.exit(f"{path}:{number}: unknown tier '{tier}'")
            test = Test(tier, words[1], words[2])
            for option in options:
                if option == "alone":
                    test.alone = True
                elif re.fullmatch(r"timeout=\d+", option):
                    test.timeout = int(option[8:])
                else:
                    sys.exit(f"{path}:{number}: unknown option '{option}'")
            tests.append(test)
    return tests


def read_xfail(path):
    """Known failures: name -> reason."""
    known = {}
    if not path or not os.path.exists(path):
        return known
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            parts = re.split(r"\s{2,}", line, maxsplit=1)
            if len(parts) != 2:
                sys.exit(f"{path}:{number}: expected a name, two blanks and the reason")
            known[parts[0]] = parts[1]
    return known


def unit_name(program, build):
    """build/tests/unit/noc/route_test -> unit/noc/route."""
    name = os.path.relpath(program, build)
    name = name.removeprefix("tests/").removeprefix("bin/")
    return re.sub(r"_test$", "", name)


def count_cases(text):
    """The cases that the output of a command names, and the number that a TAP plan promised."""
    cases, plan, group = {}, None, 0

    def note(name, result, reason=""):
        key, again = name, 2
        while key in cases:
            key, again = f"{name} ({again})", again + 1
        cases[key] = (result, reason)

    cmocka = {}  # its summary names failures again: one entry per group and name
    why = ""  # what a case of cmocka has said before it skipped itself
    for line in text.splitlines():
        if line.startswith("[==========] Running") or line.startswith("[==========] tests: Running"):
            group += 1
        elif match := CMOCKA.match(line):
            word, name = match.groups()
            if not re.fullmatch(r"\d+", name):
                result = {"OK": "passed", "SKIPPED": "skipped"}.get(word, "failed")
                if result == "skipped":  # named again in the end
                    cmocka.setdefault((group, name), (result, why or "skipped by the test"))
                else:
                    cmocka[group, name] = (result, "")
                why = ""
        elif line.startswith("optional: "):
            why = line.strip()
        elif match := TAP_PLAN.match(line):
            plan = int(match.group(1))
        elif match := TAP.match(line):
            name, _, directive = match.group(2).partition("# ")
            name = name.strip() or f"case {len(cases) + 1}"
            if match.group(1) == "not ok":
                note(name, "failed")
            elif re.match(r"skip", directive, re.I):
                note(name, "skipped", directive[4:].strip(" :") or "no reason given")
            else:
                note(name, "passed")
        elif match := WORDS.match(line):
            word, rest = match.groups()
            if word == "SKIP":
                name, _, reason = rest.partition(": ")
                note(name, "skipped", reason or "no reason given")
            else:
                note(rest.strip(), "passed" if word == "PASS" else "failed")
    for (_, name), (result, reason) in cmocka.items():
        note(name, result, reason)
    return cases, plan


class Runner:
    """Runs tests, several at a time, and prints as it goes."""

    def __init__(self, arguments, known):
        self.arguments, self.known = arguments, known
        self.results = os.path.join(arguments.build, "test-results")
        self.lock = threading.Lock()
        self.running, self.finished, self.total = set(), 0, 0
        self.tty = sys.stdout.isatty() and not arguments.tap

    def run(self, test):
        """Runs one test and fills in its cases."""
        slug = re.sub(r"[^A-Za-z0-9_.-]+", "_", test.name)
        test.log = os.path.join(self.results, slug + ".txt")
        scratch = os.path.join(os.path.abspath(self.results), "tmp", slug)
        shutil.rmtree(scratch, ignore_errors=True)
        os.makedirs(scratch)
        environment = {k: v for k, v in os.environ.items() if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
        environment["BUILD"] = os.path.abspath(self.arguments.build)
        environment["KERR_TEST_TMP"] = scratch
        # Where simulations are found (docs/attach.md): a test sees its own, whatever else this user runs.
        environment["XDG_RUNTIME_DIR"] = runtime = tempfile.mkdtemp(prefix="kerr-run-")
        with self.lock:
            self.running.add(test.name)
            self.show_progress()
        started = time.monotonic()
        timed_out = False
        with open(test.log, "wb") as log:
            process = subprocess.Popen(["sh", "-c", test.command], stdin=subprocess.DEVNULL, stdout=log,
                                       stderr=subprocess.STDOUT, env=environment, start_new_session=True)
            try:
                status = process.wait(test.timeout)
            except subprocess.TimeoutExpired:
                timed_out = True
            finally:
                # Also what the command left behind.
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            if timed_out:
                status = process.wait()
        test.seconds = time.monotonic() - started
        shutil.rmtree(scratch, ignore_errors=True)
        shutil.rmtree(runtime, ignore_errors=True)
        with open(test.log, encoding="utf-8", errors="replace") as log:
            text = log.read()
        self.judge(test, text, status, timed_out)
        with self.lock:
            self.running.discard(test.name)
            self.finished += 1
            self.show_result(test)
            self.show_progress()

    def judge(self, test, text, status, timed_out):
        """Turns output and exit status into cases."""
        cases, plan = count_cases(text)
        named_failure = any(result == "failed" for result, _ in cases.values())
        last_line = (text.strip().splitlines() or [""])[-1].strip()
        if timed_out:
            cases["ends in time"] = ("failed", f"killed after {test.timeout} s")
        elif status == 77 and not named_failure:
            cases.setdefault(test.name, ("skipped", re.sub(r"^SKIP\w*:?\s*", "", last_line) or "no reason given"))
        elif status != 0 and not named_failure:
            how = f"signal {-status}" if status < 0 else f"exit status {status}"
            cases["ends well" if cases else test.name] = ("failed", how)
        elif plan is not None and len(cases) < plan:
            cases["keeps its plan"] = ("failed", f"{len(cases)} of {plan} cases")
        elif not cases:
            cases[test.name] = ("passed", "")
        for case, (result, reason) in list(cases.items()):
            full = case if case == test.name else f"{test.name}/{case}"
            why_known = self.known.get(full)
            if why_known is None and result == "failed":
                why_known = self.known.get(test.name)
            if result == "failed" and why_known is not None:
                cases[case] = ("skipped", f"known failure: {why_known}")
            elif result == "passed" and self.known.get(full) is not None:
                cases[case] = ("failed", "passes, but is listed as a known failure")
            elif result == "skipped" and os.environ.get("KERR_CI") == "1" and not reason.startswith("optional:"):
                cases[case] = ("failed", f"skipped: {reason}")
        if test.name in self.known and test.name not in cases and all(r == "passed" for r, _ in cases.values()):
            cases["known failure"] = ("failed", "passes, but is listed as a known failure")
        test.cases = cases

    def show_progress(self):
        if self.tty:
            line = f"[{self.finished}/{self.total}] {' '.join(sorted(self.running))}"
            width = shutil.get_terminal_size().columns - 1
            print(f"\r{line[:width]:<{width}}", end="", flush=True)

    def show_result(self, test):
        if self.tty:
            print("\r" + " " * (shutil.get_terminal_size().columns - 1) + "\r", end="")
        if self.arguments.tap:
            for case, (result, reason) in test.cases.items():
                name = case if case == test.name else f"{test.name}/{case}"
                mark = "not ok" if result == "failed" else "ok"
                print(f"{mark} - {name}" + (f" # SKIP {reason}" if result == "skipped" else ""), flush=True)
        else:
            word = "FAILED" if test.count("failed") else "skipped" if test.count("skipped") == len(test.cases) else "ok"
            print(f"{word:<8} {test.seconds:7.1f} s  {test.name}  ({len(test.cases)})", flush=True)
        if test.count("failed"):
            self.show_failure(test)
        for case, (result, reason) in test.cases.items():
            if result == "skipped" and not self.arguments.tap:
                print(f"             skipped: {case}: {reason}", flush=True)

    def show_failure(self, test):
        for case, (result, reason) in test.cases.items():
            if result == "failed":
                print(f"  {test.name}: {case}" + (f": {reason}" if reason else ""))
        with open(test.log, encoding="utf-8", errors="replace") as log:
            lines = log.read().splitlines()
        print(f"  --- {test.log}" + (f", last {TAIL_LINES} lines" if len(lines) > TAIL_LINES else ""))
        for line in lines[-TAIL_LINES:]:
            print(f"  | {line}")
        sys.stdout.flush()

    def run_all(self, tests):
        """All tests: first several at a time, the longest timeouts first, then those that want to be alone."""
        os.makedirs(self.results, exist_ok=True)
        self.total = len(tests)
        together = sorted((t for t in tests if not t.alone), key=lambda t: -t.timeout)
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            for future in [pool.submit(self.run, test) for test in together]:
                future.result()
        for test in tests:
            if test.alone:
                self.run(test)


def main():
    parser = argparse.ArgumentParser(description="Runs tests and counts their cases.")
    parser.add_argument("--build", required=True)
    parser.add_argument("--tier", choices=TIERS, default="check")
    parser.add_argument("--list", action="append", metavar="FILE")
    parser.add_argument("--match", action="append", metavar="GLOB", help="only tests with such a name")
    parser.add_argument("--xfail", metavar="FILE")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--timeout", type=int, default=300, help="seconds, for PROGRAMs")
    parser.add_argument("--only-programs", action="store_true", help="no lists")
    parser.add_argument("--tap", action="store_true", help="print each case as a TAP line")
    parser.add_argument("programs", nargs="*", metavar="PROGRAM")
    arguments = parser.parse_args()

    tests = []
    if not arguments.only_programs:
        lists = arguments.list
        if lists is None:
            lists = sorted(os.path.join("tests", f) for f in os.listdir("tests") if f.endswith(".list"))
        for path in lists:
            tests += read_list(path)
    listed = {os.path.basename(test.command) for test in tests if "$BUILD" in test.command and " " not in test.command}
    for program in arguments.programs:
        if os.path.basename(program) not in listed:
            path = program if os.sep in program else os.path.join(".", program)
            tests.append(Test("check", unit_name(program, arguments.build), path, timeout=arguments.timeout))

    names = [test.name for test in tests]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        sys.exit(f"run-tests: named twice: {', '.join(twice)}")
    tests = [test for test in tests if TIERS.index(test.tier) <= TIERS.index(arguments.tier)]
    if arguments.match:
        tests = [test for test in tests if any(fnmatch.fnmatch(test.name, glob) for glob in arguments.match)]

    runner = Runner(arguments, read_xfail(arguments.xfail))
    started = time.monotonic()
    runner.run_all(tests)
    passed, failed, skipped = (sum(test.count(r) for test in tests) for r in ("passed", "failed", "skipped"))

    if failed and not arguments.tap:
        print("failed:")
        for test in tests:
            for case, (result, reason) in test.cases.items():
                if result == "failed":
                    print(f"  {test.name}: {case}" + (f": {reason}" if reason else ""))
    if not tests:
        failed = 1
        print("run-tests: no tests")
    summary = f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else "")
    with open(os.path.join(runner.results, "summary.json"), "w", encoding="utf-8") as out:
        json.dump({"tier": arguments.tier, "match": arguments.match, "passed": passed, "failed": failed, "skipped": skipped,
                   "seconds": round(time.monotonic() - started, 1),
                   "tests": [{"name": t.name, "tier": t.tier, "seconds": round(t.seconds, 2),
                              "cases": {c: list(r) for c, r in t.cases.items()}} for t in tests]}, out, indent=1)
    with open(os.path.join(runner.results, "summary.txt"), "w", encoding="utf-8") as out:
        out.write(summary + "\n")
    print(summary, flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints docs/status.md: what is tested, what numbers rest on, what is open.

    status.py --build DIR

Made from isa/*.isa, isa/costs.tbl, tests/isa/, tests/seeds.tbl, the comments marked OPEN: and
DIR/test-results/summary.json, the last run of scripts/run-tests.py.  The same input gives the same page.

If that was a whole `make test-long`, what it says is kept in tests/long_run.json first, so that it outlasts the next `make test`.
"""

import argparse
import glob
import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(ROOT, "isa", "gen"))
import gen  # noqa: E402
from seeds import read_seeds  # noqa: E402


def table(titles, rows):
    """A Markdown table; numbers to the right."""
    right = [all(isinstance(row[i], int) for row in rows) for i in range(len(titles))]
    print("| " + " | ".join(titles) + " |")
    print("|" + "|".join("--:" if r else "---" for r in right) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |")
    print()


def read_summary(build):
    path = os.path.join(build, "test-results", "summary.json")
    if not os.path.exists(path):
        return {"tier": "none", "passed": 0, "failed": 0, "skipped": 0, "tests": []}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def show_tests(summary):
    print("## Tests\n")
    if not summary["tests"]:
        print("No test run found: `make test`, then `make status`.\n")
        return
    print(f"The last run was `make {summary['tier'].replace('long', 'test-long')}`: {summary['passed']} passed, "
          f"{summary['failed']} failed, {summary['skipped']} skipped.\n")
    suites = {}
    for test in summary["tests"]:
        counts = suites.setdefault(test["name"].split("/")[0], {"tests": 0, "passed": 0, "failed": 0, "skipped": 0})
        counts["tests"] += 1
        for result, _ in test["cases"].values():
            counts[result] += 1
    table(("suite", "tests", "passed", "failed", "skipped"),
          [(name, c["tests"], c["passed"], c["failed"], c["skipped"]) for name, c in sorted(suites.items())])
    rest = [(f"{test['name']}: {case}", result, reason) for test in sorted(summary["tests"], key=lambda t: t["name"])
            for case, (result, reason) in test["cases"].items() if result != "passed"]
    if rest:
        print("Not passed:\n")
        table(("case", "result", "reason"), rest)


LONG_RUN = "tests/long_run.json"


def first_line(command):
    return subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.decode().splitlines()[0]


def keep_long_run(build, summary):
    """Date, machine, commit, results and seeds of a whole test-long."""
    results = os.path.join(build, "test-results")
    hunts = {}
    for path in sorted(glob.glob(os.path.join(results, "*.txt"))):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        if seed := re.match(r"# KERR_TEST_HUNT_SEED=(\d+)", text):
            name = os.path.basename(path)[:-4].replace("_", "/", 1)
            hunts[name] = [seed.group(1), len(re.findall(r"^ok \d+ - ", text, re.M))]
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        cpuinfo = file.read()
    model = re.search(r"model name\s*: (.*)", cpuinfo)
    machine = f"{model.group(1) if model else os.uname().machine}, {len(os.sched_getaffinity(0))} cores, " \
              f"{'AVX-512' if 'avx512f' in cpuinfo else 'AVX2' if 'avx2' in cpuinfo else 'no AVX2'}"
    ended = os.path.getmtime(os.path.join(results, "summary.json"))
    run = {"date": time.strftime("%Y-%m-%d", time.gmtime(ended)), "machine": machine,
           "commit": first_line(["git", "rev-parse", "--short=8", "HEAD"]), "minutes": round(summary["seconds"] / 60),
           **{result: summary[result] for result in ("passed", "failed", "skipped")}, "hunts": hunts}
    with open(LONG_RUN, "w", encoding="utf-8") as out:
        json.dump(run, out, indent=1)
        out.write("\n")


def show_long_run():
    if not os.path.exists(LONG_RUN):
        return
    with open(LONG_RUN, encoding="utf-8") as file:
        run = json.load(file)
    print(f"The last whole `make test-long`: {run['passed']} passed, {run['failed']} failed, {run['skipped']} skipped, on {run['date']} at "
          f"{run['commit']}, in {run['minutes']} minutes ({run['machine']}).  Its hunts drew these seeds:\n")
    table(("hunt", "KERR_TEST_HUNT_SEED", "runs"), [(name, seed, runs) for name, (seed, runs) in run["hunts"].items()])


def cases_by_instruction():
    """How many cases of tests/isa/rv32/*.t execute each instruction."""
    counts = {}
    for path in sorted(glob.glob("tests/isa/rv32/*.t")):
        op, used = None, set()
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines() + ["case"]
        for line in lines:
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "case":
                for name in used:
                    counts[name] = counts.get(name, 0) + 1
                used = set()
            elif words[0] == "op" and len(words) > 1:
                op = words[1]
            elif words[0] == "exec" and len(words) > 1:
                used.add(re.sub(r"(\.w)\.(aq|rl|aqrl)$", r"\1", words[1]))
            elif "->" in words and op:
                used.add(op)
    return counts


def show_instructions(summary):
    print("## Instructions of the baby cores\n")
    instructions = gen.read_isa("isa/rv32.isa")
    counts = cases_by_instruction()
    rows, without = [], []
    for i in instructions:
        where = [f"{counts[i.name]} cases in tests/isa/rv32"] if i.name in counts else []
        if i.name in ("fp", "vec", "ttinsn"):
            where += [t["name"] for t in summary["tests"] if i.name in t["name"]]
        if not where:
            without.append(i.name)
        rows.append((f"`{i.name}`", i.kind, i.cores, ", ".join(where) or "**none by name**"))
    print(f"{len(instructions)} rows in isa/rv32.isa, {len(instructions) - len(without)} with a test of their own. "
          "Random programs against qemu come on top.\n")
    table(("instruction", "class", "cores", "tests"), rows)


def cases_by_coprocessor_instruction():
    """How many cases each file of tests/isa/tensix has.  RMWCIB.t is the file of four instructions."""
    counts = {}
    for path in sorted(glob.glob("tests/isa/tensix/*.t")):
        with open(path, encoding="utf-8") as file:
            counts[os.path.basename(path)[:-2]] = sum(line.startswith("case ") for line in file)
    return counts


def show_coprocessor():
    print("## Instructions of the coprocessor\n")
    with open("isa/tensix.isa", encoding="utf-8") as file:
        rows = [line.split()[1:4] for line in file if line.startswith("0x")]
    counts = cases_by_coprocessor_instruction()
    units = {}
    for name, unit, state in rows:
        units.setdefault(unit, {"built": [], "later": [], "unknown": []})[state].append(name)
    print("`later` is a fault of kind UNIMPLEMENTED, `unknown` one of kind UNKNOWN: no document says what it does. "
          "Numbers are cases of the instruction's own file in tests/isa/tensix; random streams come on top.\n")
    table(("unit", "built", "later", "unknown"),
          [(unit, ", ".join(f"{n} ({counts.get(n, counts.get(n.rstrip('0123'), '**none**'))})" for n in of["built"]),
            ", ".join(of["later"]), ", ".join(of["unknown"])) for unit, of in units.items()])


def show_seeds(summary):
    print("## Statements on the coprocessor\n")
    results = {test["name"]: {case: result for case, (result, _) in test["cases"].items()} for test in summary["tests"]}

    def is_shown(test, case):
        if case is not None:
            return results.get(test, {}).get(case) == "passed"
        return "passed" in results.get(test, {}).values() and "failed" not in results[test].values()

    seeds = read_seeds("tests/seeds.tbl")
    print("From tests/seeds.tbl: S000 are number formats, S001 is the unpackers, S002 is the pipeline, S003 the conversions of the Vector "
          "Unit, S004 the configuration registers. Ticked is what the last run has "
          "shown; 'no' and 'partly' have a row in [errata-tensix.md](errata-tensix.md).\n")
    rows = []
    for seed in seeds:
        tick = "x" if all(is_shown(*test) for test in seed.tests) else " "
        tests = "<br>".join(test if case is None else f"{test}: {case}" for test, case in seed.tests)
        later = f" (with {'; '.join(seed.later)})" if seed.later else ""
        rows.append((f"[{tick}]", seed.name, seed.statement + later, seed.agrees, tests))
    ticked = sum(row[0] == "[x]" for row in rows)
    print(f"{ticked} of {len(rows)} are ticked.\n")
    table(("", "id", "statement", "true?", "shown by"), rows)


def show_costs():
    print("## What the cycle counts rest on\n")
    costs = gen.read_costs("isa/costs.tbl")
    table(("rank", "rows"), [(rank, sum(c.rank == rank for c in costs)) for rank in gen.RANKS])
    print("Weaker than the manual:\n")
    table(("cost", "value", "unit", "rank", "source"),
          [(f"`{c.name}`", c.value, c.unit, c.rank, c.source) for c in costs if gen.RANKS.index(c.rank) > 1])


def show_open():
    print("## Open questions\n")
    command = ["git", "grep", "--untracked", "-l", "-I", "OPEN:", "--", "src", "isa", "include", "tools", "sdk", "tests"]
    files = subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
    found = False
    for path in sorted(files):
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        for number, line in enumerate(lines):
            if "OPEN:" not in line:
                continue
            # The rest of the comment belongs to it.
            text = line.split("OPEN:", 1)[1]
            if "*/" not in text:
                for follow in lines[number + 1:number + 8]:
                    match = re.match(r"\s*(\*(?!/)|!|#|//)\s*(.*)", follow)
                    if not match or not match.group(2):
                        break
                    text += " " + match.group(2)
                    if "*/" in follow:
                        break
            print(f"- `{path}`: {re.sub(r'[*]/.*', '', text).strip()}")
            found = True
    print("" if found else "None is marked.\n")


def main():
    parser = argparse.ArgumentParser(description="Prints docs/status.md.")
    parser.add_argument("--build", required=True)
    build = os.path.abspath(parser.parse_args().build)
    os.chdir(ROOT)
    summary = read_summary(build)
    if summary["tier"] == "long" and not summary.get("match"):
        keep_long_run(build, summary)
    print("# Status\n")
    print("Generated by `make status` from the tables and the last test run; do not edit.\n")
    show_tests(summary)
    show_long_run()
    show_instructions(summary)
    show_coprocessor()
    show_seeds(summary)
    show_costs()
    show_open()
    return 0


if __name__ == "__main__":
    sys.exit(main())

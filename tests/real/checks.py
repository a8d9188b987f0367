#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The vendor's software with all checks on, and what they report into docs/findings/real.md.

    checks.py [--build DIR] [--suite NAME]... [--only PATTERN]... [--per-file N] [--write FILE]

ttnn's matrix multiplications, softmaxes and reductions in slow and in fast dispatch (TTNN_PYTHON, as ttnn_list.py has it),
and the LLK suite's file of data copies (LLK_TESTS and SFPI, as llk.py has it; its programs must have been compiled).  Each
report must be one of EXPLAINED, which says why it is no mistake of the checks; status 1: one is not, or a case fails.  77: none
of the suites is there.  A case that has reports is run once more below `kerr exec`, which finds source lines.
"""

import argparse
import collections
import datetime
import fnmatch
import glob
import json
import os
import re
import subprocess
import sys

import ttnn_list

HERE = os.path.dirname(os.path.abspath(__file__))
TTNN_CASES = ["matmul/*", "norm/softmax*", "reduce/*"]
LLK_FILE = "eltwise_unary_datacopy"

# Suite, kind, what its sentence is like, why.
EXPLAINED = [
    ("ttnn*", "race-config", r"configuration word 0x[0-9a-f]+: write of T0 and write of thread 0 ",
     "A kernel pushes RMWCIB to set the format that unpacker 1 gives, and then configures both unpackers anew (`configure_unpack_AB`), by "
     "stores of RISCV T0. Stores do not wait for what is in the FIFO of the thread, nothing in between does, and `wait_for_idle` looks at a "
     "semaphore of the unpackers only: if the RMWCIB came last, the unpacker would keep the other format. In this run it is done some "
     "sixty cycles before. A STALLWAIT and a wait for it, or RMWCIB in both places, would make sure."),
    ("ttnn, fast*", "race-l1", r"write of (B and write of T0|T0 and write of B) ",
     "The tile of the dispatcher: RISCV B (`cq_dispatch.cpp`) and T0 (`cq_realtime_profiler_dispatch_subordinate.hpp`) both set the message of the "
     "real-time profiler to zero when they begin. Nothing orders them, and its words are the same either way."),
    ("ttnn, fast*", "race-l1", r"write of NC and read of T1 |read of T1 and write of NC ",
     "The tile of the dispatcher: NC writes telemetry between two steps of a counter, T1 reads it between two looks at that counter and does so "
     "again if it has changed. That is right without an order between the words themselves, which is what the check asks for."),
]


def explanation(suite, finding):
    for number, (suites, kind, pattern, _) in enumerate(EXPLAINED):
        if fnmatch.fnmatch(suite, suites) and finding["id"] == kind and re.search(pattern, finding["text"]):
            return number + 1
    return 0


def read_findings(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def end_of(access):
    """One end of a report: who, what, and the line if it is known."""
    if not access:
        return ""
    who = access["core"] or access["actor"]
    who = f"thread {access['thread']}" if access["actor"] == "thread" else f"NoC, {who}" if access["actor"] == "noc" else who
    what = access["assembly"].split()[0] if access["assembly"] else "write" if access["write"] else "read"
    line = f", {os.path.basename(access['file'])}:{access['line']}" if access.get("file") else ""
    return f"{who}: {what}{line}"


class Reports:
    """What was found: one row for each explanation, and for each two ends that have none."""

    def __init__(self):
        self.rows = collections.OrderedDict()

    def knows(self, suite, findings):
        return all(explanation(suite, finding) != 0 and (finding["id"], explanation(suite, finding)) in self.rows for finding in findings)

    def add(self, suite, case, findings):
        for finding in findings:
            why, ends = explanation(suite, finding), (end_of(finding["access"]), end_of(finding["other"]))
            key = (finding["id"], why) + (() if why else ends)
            row = self.rows.setdefault(key, {"cases": [], "times": 0, "text": finding["text"], "ends": ends})
            row["times"] += finding["times"]
            if (suite, case) not in row["cases"]:
                row["cases"].append((suite, case))

    def unexplained(self):
        return [(key[0], row) for key, row in self.rows.items() if key[1] == 0]


class Ttnn:
    def __init__(self, options, mode):
        self.options, self.mode, self.name = options, mode, f"ttnn, {mode} dispatch"
        self.python = os.environ.get("TTNN_PYTHON")
        self.base = os.path.abspath(os.path.join(options.build, "real"))

    def is_there(self):
        return bool(self.python)

    def environment(self, folder):
        environment = ttnn_list.environment_for(os.path.abspath(os.path.join(self.options.build, "sim", "libttsim.so")), self.mode,
                                                folder, {"KERR_CHECK": "all"})
        environment["TT_METAL_CACHE"] = os.path.realpath(os.path.join(self.base, "ttnn", "cache"))  # it holds its own name
        return environment

    def cases(self):
        output = subprocess.run([self.python, os.path.join(HERE, "ttnn_worker.py"), "--list"], check=True, text=True,
                                stdout=subprocess.PIPE, env={**os.environ, "LOGURU_LEVEL": "ERROR"}).stdout
        names = [line.split()[0] for line in output.splitlines() if self.mode in line.split()[1:]]
        return [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in TTNN_CASES)
                and any(fnmatch.fnmatch(name, pattern) for pattern in self.options.only or ["*"])]

    def with_lines(self, folder, name):
        """The case once more, for its source lines."""
        path = os.path.join(folder, "lines.jsonl")
        environment = self.environment(folder)
        for variable in ("TT_METAL_SIMULATOR", "KERR_CHECK"):
            del environment[variable]
        subprocess.run([os.path.join(os.path.abspath(self.options.build), "kerr"), "exec", "-q", "--check=all", "--findings", path,
                        "--", self.python, os.path.join(HERE, "ttnn_worker.py"), self.mode, folder, name], check=False, cwd=folder,
                       env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=self.options.timeout)
        return read_findings(path)

    def run(self, reports):
        """Outcome by case; number of findings by case."""
        folder = os.path.join(self.base, "checks", self.mode)
        os.makedirs(folder, exist_ok=True)
        for path in glob.glob(os.path.join(folder, "*.jsonl")):
            os.unlink(path)
        outcomes, found = {}, {}
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log, \
             subprocess.Popen([self.python, os.path.join(HERE, "checks_worker.py"), folder, *self.cases()], text=True, cwd=folder,
                              stdout=subprocess.PIPE, stderr=log, env=self.environment(folder)) as process:
            for line in process.stdout:
                entry = json.loads(line)
                name = entry["case"]
                findings = read_findings(os.path.join(folder, name.replace("/", "+") + ".jsonl"))
                outcomes[name], found[name] = entry["status"], len(findings)
                print(f"{self.name} {name}: {entry['status']} {entry['detail']} {len(findings)} reports", flush=True)
                if findings:
                    lines = [] if reports.knows(self.name, findings) else self.with_lines(folder, name)
                    reports.add(self.name, name, lines if len(lines) == len(findings) else findings)
        return outcomes, found

    def version(self):
        return "ttnn " + subprocess.run([self.python, "-c", "import importlib.metadata as m; print(m.version('ttnn'))"], check=True,
                                        text=True, stdout=subprocess.PIPE).stdout.strip()


class Llk:
    """Programs that llk.py has compiled, with results that are kept apart from its own."""

    def __init__(self, options):
        self.options, self.name = options, f"LLK, {LLK_FILE}"
        self.programs = os.path.abspath(os.path.join(options.build, "real", "llk"))

    def is_there(self):
        return all(os.environ.get(name) for name in ("LLK_TESTS", "SFPI")) and \
            os.path.exists(os.path.join(self.programs, "compiled.jsonl"))

    def run(self, reports):
        build = os.path.abspath(os.path.join(self.options.build, "real", "checks", "llk"))
        work = os.path.join(build, "real", "llk")
        os.makedirs(work, exist_ok=True)
        links = {os.path.join(build, "sim"): os.path.abspath(os.path.join(self.options.build, "sim"))}
        links.update({os.path.join(work, name): os.path.join(self.programs, name) for name in os.listdir(self.programs)
                      if not name.startswith(("Kerr", "REF", "kerr-", "ref", "select", "perf"))})
        for link, target in links.items():
            if not os.path.lexists(link):
                os.symlink(target, link)
        path, results = os.path.join(work, "found.jsonl"), os.path.join(work, "Kerr.jsonl")
        for old in (path, results):
            if os.path.exists(old):
                os.unlink(old)
        environment = {**os.environ, "KERR_CHECK": "all", "KERR_FINDINGS": path}
        environment.pop("REF", None)
        subprocess.run([sys.executable, os.path.join(HERE, "llk.py"), "--build", build, "--per-file", str(self.options.per_file),
                        "--run-only", LLK_FILE], check=False, env=environment)
        findings = read_findings(path)
        reports.add(self.name, "", findings)
        outcomes = {}
        for entry in read_findings(results):
            outcomes[entry["case"]] = entry["outcome"]
        return outcomes, {"": len(findings)}

    @staticmethod
    def version():
        return "tt-llk's tests"


def page(done, reports):
    lines = ["<!-- SPDX-License-Identifier: Apache-2.0 -->", "<!-- Made by tests/real/checks.py: `make test-real`. -->",
             "# Reports on the vendor's software", "",
             "Programs that work, unmodified, with all checks on (`--check`). A check that cries wolf is not used for long, so each",
             "report on them is explained here or is a mistake of the checks. `make test-real` makes this page where it finds the suites.", "",
             f"{datetime.date.today().isoformat()}: {', '.join(sorted({suite.version() for suite, _, _ in done}))}.", "",
             "| suite | cases | pass | cases with reports |", "|---|--:|--:|--:|"]
    for suite, outcomes, found in done:
        passed = sum(outcome in ("pass", "passed") for outcome in outcomes.values())
        lines.append(f"| {suite.name} | {len(outcomes)} | {passed} | {sum(count != 0 for count in found.values())} |")
    if reports.rows:
        lines += ["", "| kind | one end | the other | where | times | why |", "|---|---|---|---|--:|---|"]
    for (kind, why, *_), row in reports.rows.items():
        suites = collections.Counter(suite for suite, _ in row["cases"])
        where = ", ".join(f"{suite}: {row['cases'][0][1] if count == 1 else f'{count} cases'}" for suite, count in suites.items())
        lines.append(f"| [{kind}]({kind}.md) | {row['ends'][0]} | {row['ends'][1]} | {where} | {row['times']} | "
                     f"{why or 'not explained: ' + row['text']} |")
    if reports.rows:
        lines.append("")
    for number, (_, _, _, why) in enumerate(EXPLAINED):
        if any(key[1] == number + 1 for key in reports.rows):
            lines.append(f"{number + 1}. {why}")
    return lines + [""]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--suite", action="append", choices=["slow", "fast", "llk"])
    parser.add_argument("--only", action="append")
    parser.add_argument("--per-file", type=int, default=60)
    parser.add_argument("--timeout", type=int, default=600)
    parser.add_argument("--write")
    options = parser.parse_args()
    suites = {"slow": Ttnn(options, "slow"), "fast": Ttnn(options, "fast"), "llk": Llk(options)}
    wanted = [suites[name] for name in options.suite or suites if suites[name].is_there()]
    if not wanted:
        print("checks: neither TTNN_PYTHON nor LLK_TESTS and SFPI with compiled programs")
        return 77
    reports, done = Reports(), []
    for suite in wanted:
        done.append((suite, *suite.run(reports)))
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write("\n".join(page(done, reports)))
    failed = [f"{suite.name} {name}" for suite, outcomes, _ in done for name, outcome in outcomes.items()
              if outcome not in ("pass", "passed")]
    for kind, row in reports.unexplained():
        print(f"not explained: {kind}: {row['text']} ({'; '.join(row['ends'])}; {', '.join(map(' '.join, row['cases']))})")
    print(f"checks: {sum(len(outcomes) for _, outcomes, _ in done)} cases, {len(failed)} fail, {len(reports.rows)} reports, "
          f"{len(reports.unexplained())} not explained")
    for name in failed:
        print(f"fails: {name}")
    return 1 if failed or reports.unexplained() else 0


if __name__ == "__main__":
    sys.exit(main())

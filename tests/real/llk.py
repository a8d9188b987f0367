#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The vendor's LLK suite on Kerr, and what it says into docs/conformance.md.

    LLK_TESTS=DIR SFPI=DIR [REF=LIBRARY] llk.py [--build DIR] [--per-file N] [--seed N] [--write FILE] [NAME]...

LLK_TESTS is tt_metal/tt-llk/tests of a tt-metal tree, SFPI the vendor's compiler (with compiler/ and include/ below
it); nothing of either is kept here.  Without them there is nothing to do, which is said, and counts as a skip (77).
LLK_PYTHON names an interpreter that has the suite's packages; without it they come from PyPI into the build directory.
NAME picks files (matmul, reduce, ...), --case cases by a pattern of their ids; --per-file takes so many of each file,
by the seed, and a larger number contains what a smaller one took.  --kind perf runs the suite's benchmarks.

Cases are collected, compiled and run apart, and what each says is kept below BUILD/real/llk by case and library: what
has been done is not done again (--again PATTERN forgets the outcomes that match, on Kerr; --redo failed those that fail).
REF is another library with Kerr's interface, to compare with.  Status 1: a case fails that passes on REF.
--bits SEED runs the cases with operands of random bits, which the suite's model is not asked about: Kerr's results must be
REF's bit for bit, or the status is 1.
"""

import argparse
import atexit
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time

import llk_page

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "clients"))
import venv_of_client  # noqa: E402

PACKAGES = ["torch", "tt-exalens==0.3.31", "pytest==9.0.3", "pytest-xdist==3.8.0", "filelock", "loguru==0.7.3",
            "matplotlib", "ml_dtypes==0.5.4", "numpy==2.2.6", "pandas==2.3.3", "plotly==6.5.0", "pyarrow",
            "pydantic==2.12.5", "pyyaml", "termcolor", "tomli"]
FLAGS = ["-p", "llk_plugin", "-p", "no:cacheprovider", "-p", "no:sugar", "-p", "no:random_order", "-q",
         "-o", "log_cli=false"]

WITH_SYMBOLS = ["test_device_print.py"]  # names of enumerators come from there; elsewhere they are many megabytes


class Suite:
    """Where things are, and how pytest is called."""

    def __init__(self, options):
        self.options = options
        self.tests = os.path.abspath(os.environ["LLK_TESTS"])
        self.work = os.path.join(os.path.abspath(options.build), "real", "llk")
        self.python = os.environ.get("LLK_PYTHON")
        os.makedirs(os.path.join(self.work, "select"), exist_ok=True)
        self.libraries = {"Kerr": self.copy_of(os.path.join(os.path.abspath(options.build), "sim"))}
        if os.environ.get("REF"):
            self.libraries["REF"] = self.described(os.path.abspath(os.environ["REF"]))

    def copy_of(self, folder):
        """Kerr as it is now: a build that goes on beside a run does not disturb it."""
        copy = os.path.join(self.work, f"kerr-{os.getpid()}")
        os.makedirs(copy, exist_ok=True)
        atexit.register(shutil.rmtree, copy, ignore_errors=True)
        for name in ("soc_descriptor.yaml", "libttsim.so"):
            shutil.copy(os.path.join(folder, name), copy)
        return os.path.join(copy, "libttsim.so")

    def described(self, library):
        """A library with a description of the chip beside it, which is where tt-umd looks."""
        if os.path.exists(os.path.join(os.path.dirname(library), "soc_descriptor.yaml")):
            return library
        folder = os.path.join(self.work, "ref")
        os.makedirs(folder, exist_ok=True)
        ours = os.path.join(os.path.abspath(self.options.build), "sim", "soc_descriptor.yaml")
        for name, target in (("libttsim.so", library), ("soc_descriptor.yaml", ours)):
            if os.path.lexists(os.path.join(folder, name)):
                os.unlink(os.path.join(folder, name))
            os.symlink(target, os.path.join(folder, name))
        return os.path.join(folder, "libttsim.so")

    def noreserve(self):
        """What lets a process with REF in it be forked, or nothing where no compiler is."""
        built = os.path.join(self.work, "noreserve.so")
        command = [os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", os.path.join(HERE, "noreserve.c"), "-o", built]
        return built if subprocess.run(command, check=False).returncode == 0 else ""

    def ensure(self):
        """The compiler where the suite looks for it, and an interpreter with its packages."""
        link = os.path.join(self.tests, "sfpi")
        if not os.path.exists(link):
            os.symlink(os.path.abspath(os.environ["SFPI"]), link)
        if not self.python:
            venv_of_client.BUILD = os.path.abspath(self.options.build)
            venv_of_client.SETS["llk"] = {"why": "what the LLK suite needs", "python": ["3.11", "3.10"],
                                          "pip": PACKAGES}
            self.python = venv_of_client.ensure("llk")

    def file(self, name):
        kind = "" if self.options.kind == "plain" else self.options.kind + "-"
        return os.path.join(self.work, kind + name)

    def results(self, library):
        """The file with what is known of the cases on a library; random operands have files of their own."""
        return self.file(f"{library}.jsonl" if self.options.bits is None else f"bits{self.options.bits}-{library}.jsonl")

    def pytest(self, mode, out, select, arguments, log, **environment):
        environment = dict(os.environ, CHIP_ARCH="blackhole", KERR_LLK_MODE=mode, KERR_LLK_OUT=out,
                           KERR_LLK_SELECT=select, KERR_LLK_TIMEOUT=str(self.options.timeout), RUNNER_TEMP=self.work,
                           PYTHONPATH=HERE, OMP_NUM_THREADS="1", **environment)
        if self.options.bits is not None:
            environment["KERR_LLK_BITS"] = str(self.options.bits)
        environment.pop("TT_METAL_DISABLE_SFPLOADMACRO", None)
        with open(log, "a", encoding="utf-8") as file:
            sweep = ["--mode", self.options.kind] if self.options.kind in ("perf", "accuracy") else []
            command = [self.python, "-m", "pytest", *FLAGS, *sweep, *arguments, f"--kerr-kind={self.options.kind}"]
            return subprocess.Popen(command, cwd=os.path.join(self.tests, "python_tests"), env=environment,
                                    stdout=file, stderr=subprocess.STDOUT, start_new_session=True)


def file_of(case):
    return case.split("::")[0]


def read_results(path):
    """The last word on each case."""
    results = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                try:
                    result = json.loads(line)
                except ValueError:
                    continue  # the line at which a run was killed
                results[result["case"]] = result
    return results


def collect(suite):
    """All cases, from a list that is made once."""
    path = suite.file("cases.txt")
    if not os.path.exists(path):
        fresh = path + ".new"
        if os.path.exists(fresh):
            os.unlink(fresh)
        log = suite.file("collect.log")
        process = suite.pytest("collect", fresh, "", ["--collect-only", "--compile-producer"], log)
        if process.wait() not in (0, 5) or not os.path.exists(fresh):
            raise SystemExit(f"test-real: the LLK suite cannot be collected; see {log}")
        os.rename(fresh, path)
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def sample(cases, options):
    """The cases to run by file, the first of a shuffled list of each file, so that more contain fewer."""
    files = collections.defaultdict(list)
    for case in cases:
        files[file_of(case)].append(case)
    chosen = {}
    for file, all_of_it in files.items():
        name = re.sub(r"^(.*/)?(test_|perf_)?|\.py$", "", file)
        if options.names and name not in options.names:
            continue
        mixed = sorted(all_of_it)
        random.Random(f"{options.seed}:{file}").shuffle(mixed)
        mixed = [case for case in mixed if re.search(options.case, case)]
        chosen[file] = mixed[:options.per_file] if options.per_file else mixed
    return {file: some for file, some in chosen.items() if some}, {file: len(some) for file, some in files.items()}


class Progress(threading.Thread):
    """A line every few seconds: how many of the cases are known."""

    def __init__(self, title, path, todo):
        super().__init__(daemon=True)
        self.title, self.path, self.todo, self.ended = title, path, set(todo), threading.Event()

    def line(self):
        done = [result for case, result in read_results(self.path).items() if case in self.todo]
        count = collections.Counter(result["outcome"] for result in done)
        print(f"  {self.title:8} {len(done):6} of {len(self.todo)}: {count['passed']} pass, {count['failed']} fail, "
              f"{count['skipped']} left out", flush=True)

    def run(self):
        while not self.ended.wait(30):
            self.line()


def shares(todo, jobs):
    """Lists of cases, by file where there are many files, so that a file is collected by few processes."""
    by_file = collections.defaultdict(list)
    for case in todo:
        by_file[file_of(case)].append(case)
    parts = [[] for _ in range(jobs)]
    for cases in sorted(by_file.values(), key=len, reverse=True):
        for begin in range(0, len(cases), 64):
            min(parts, key=len).extend(cases[begin:begin + 64])
    return [part for part in parts if part]


def work_off(suite, mode, title, out, todo, arguments, **environment):
    """Gives the cases to processes until all are known; a process that dies loses the case it died in."""
    if not todo:
        return
    progress = Progress(title, out, todo)
    progress.start()
    log = suite.file(f"{title}.log")

    def one(numbered):
        number, cases = numbered
        while cases:
            select = os.path.join(suite.work, "select", f"{title}-{os.getpid()}-{number}")
            with open(select, "w", encoding="utf-8") as file:
                file.write("\n".join(cases) + "\n")
            files = sorted({file_of(case) for case in cases})
            begin = time.monotonic()
            status = suite.pytest(mode, out, select, [*arguments, *files], log, **environment).wait()
            known = read_results(out)
            left = [case for case in cases if case not in known]
            if len(left) == len(cases):  # nothing was done at all
                with open(out, "a", encoding="utf-8") as file:
                    file.write(json.dumps({"case": left[0], "outcome": "failed", "bits": "",
                                           "seconds": round(time.monotonic() - begin, 3),
                                           "text": f"pytest ended with status {status}; see {title}.log"}) + "\n")
                left = left[1:]
            cases = left

    with concurrent.futures.ThreadPoolExecutor(suite.options.jobs) as pool:
        list(pool.map(one, enumerate(shares(todo, suite.options.jobs))))
    progress.ended.set()
    progress.line()


def forget(path, cases, pattern, failed):
    """Takes outcomes that are to be made again out of a file of results."""
    cases = set(cases)
    kept = {case: result for case, result in read_results(path).items() if case not in cases or
            not (pattern and re.search(pattern, case)) and not (failed and result["outcome"] == "failed")}
    if os.path.exists(path):
        with open(path + ".new", "w", encoding="utf-8") as file:
            file.writelines(json.dumps(result) + "\n" for result in kept.values())
        os.rename(path + ".new", path)


def compile_and_run(suite, cases):
    """Results by library: case -> result.  A case that does not compile is not run."""
    compiled_path = suite.file("compiled.jsonl")
    if suite.options.redo == "compile":
        forget(compiled_path, cases, None, True)
    compiled = read_results(compiled_path)
    if not suite.options.run_only:
        todo = [case for case in cases if case not in compiled]
        work_off(suite, "compile", "compile", compiled_path, [case for case in todo if file_of(case) in WITH_SYMBOLS],
                 ["--compile-producer"])
        work_off(suite, "compile", "compile", compiled_path, [case for case in todo if file_of(case) not in WITH_SYMBOLS],
                 ["--compile-producer", "--no-debug-symbols"])
    compiled = read_results(compiled_path)
    results = {}
    for library, path in suite.libraries.items():
        out = suite.results(library)
        if library == "Kerr":
            forget(out, cases, suite.options.again, suite.options.redo == "failed")
        known = read_results(out)
        todo = [case for case in cases
                if case not in known and compiled.get(case, {"outcome": "failed"})["outcome"] != "failed"]
        if not suite.options.compile_only:
            preload = {"LD_PRELOAD": suite.noreserve()} if library == "REF" else {}
            work_off(suite, "run", library, out, todo, ["--run-simulator", "--compile-consumer"],
                     TT_METAL_SIMULATOR=path, KERR_ON_FAULT="exit", KERR_THREADS="1", **preload)
        known = read_results(out)
        results[library] = {case: known[case] for case in cases if case in known}
        for case in cases:
            if compiled.get(case, {}).get("outcome") == "failed":
                results[library][case] = dict(compiled[case], outcome="failed",
                                              text="does not compile\n" + compiled[case]["text"])
    return results


def main():
    parser = argparse.ArgumentParser(description="the vendor's LLK suite on Kerr")
    parser.add_argument("--build", default=os.environ.get("BUILD", "build"))
    parser.add_argument("--per-file", type=int, default=4, metavar="N", help="cases of a file; 0: all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", default="plain", choices=("plain", "perf", "nightly", "accuracy"))
    parser.add_argument("--case", default="", metavar="PATTERN", help="only cases whose id matches")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timeout", type=int, default=120, metavar="SECONDS", help="for a case")
    parser.add_argument("--again", metavar="PATTERN", help="Kerr's outcomes to make again")
    parser.add_argument("--redo", choices=("failed", "compile"), help="make Kerr's failures, or those to compile, again")
    parser.add_argument("--bits", type=int, metavar="SEED", help="operands of random bits, to compare with REF")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("--run-only", action="store_true", help="what has been compiled so far")
    parser.add_argument("--report-only", action="store_true", help="nothing is run")
    parser.add_argument("--write", metavar="FILE", help="the page to bring up to date")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    if options.bits is not None and options.write:
        parser.error("--write is for the suite's own operands")
    for variable, inside in (("LLK_TESTS", "python_tests"), ("SFPI", "compiler/bin/riscv-tt-elf-g++")):
        if not os.path.exists(os.path.join(os.environ.get(variable, ""), inside)):
            print(f"test-real: {variable} does not name a directory with {inside} in it; the LLK suite was not run")
            return 77
    suite = Suite(options)
    try:
        suite.ensure()
    except venv_of_client.Missing as missing:
        print(f"test-real: {missing}")
        return 77
    chosen, total = sample(collect(suite), options)
    cases = [case for some in chosen.values() for case in some]
    if options.report_only:
        results = {library: {case: result for case, result in read_results(suite.results(library)).items()
                             if case in set(cases)} for library in suite.libraries}
    else:
        results = compile_and_run(suite, cases)
    for line in llk_page.summary(chosen, results):
        print(line)
    if options.write:
        llk_page.write(options.write, llk_page.page(suite, chosen, total, results), options.kind)
    worse = [case for case, result in results["Kerr"].items()
             if result["outcome"] == "failed" and results.get("REF", {}).get(case, {}).get("outcome") == "passed"]
    for case in worse:
        print(f"  fails, and passes on REF: {case}")
    other = llk_page.other_bits(results) if options.bits is not None else []
    for case in other:
        print(f"  other bits than REF: {case}")
    return 1 if worse or other else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tt-exalens' own unit tests on Kerr, and what they say into docs/conformance.md.

    TTEXALENS_TESTS=CHECKOUT exalens.py [--build DIR] [--write FILE] [--jobs N] [--keep] [NAME]...

CHECKOUT is a clone of github.com/tenstorrent/tt-exalens; nothing of it is kept here.  Without it there is nothing to
do, which is said, and counts as a skip (77).  NAME picks files (risc_debug, lib, ...; default: FILES).  Packages come
from PyPI into DIR.  A file that does not fit the tt-exalens that Kerr's tests use (the public repository ends before
it) runs with the one of the checkout's own version.  GDB names a gdb of version 16 or later that knows RISC-V and is to
stand in for the vendor's riscv-tt-elf-gdb.  Status 1: a case fails that REASONS does not know.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "tests", "clients"))
import venv_of_client  # noqa: E402

FILES = ["risc_debug", "lib", "noc", "multicore", "tensix_debug", "l1_mem_access", "device", "debug_bus", "coverage",
         "debug_symbols", "gdb_mem_access", "noc_failover", "search", "ttexalens_init"]
SERVED = ["noc", "ttexalens_init"]
# pytest-forked 1.7 does not get its reports out of the child.
RUNNER = ["pytest==8.4.2", "pytest-forked==1.6.0", "parameterized==0.9.0"]
CURRENT = "0.4.2"

# Why a case fails or is left out: file, pattern of its name, pattern of what it says, the reason.  First match.
REASONS = [
    ("", "", "riscv-tt-elf-gdb",
     "needs the vendor's gdb, or a stock one of version 16 or later (`GDB=`)"),
    ("", "", "No Tenstorrent devices were detected|is not supported for simulator",
     "opens a card on the PCI bus, never a simulator"),
    ("noc", "test_noc_write", "",
     "tt-umd gives a simulator raw coordinates on NoC 1; firmware's translation is on, so they name another tile"),
    ("noc", "test_noc_locations", "PCIe interface is not available",
     "tt-umd's server does not pass on accesses to BARs"),
    ("lib", "TestARC", "Failed to configure working active Ethernet|before initializing TTDevice",
     "tt-umd's simulator device is never initialised as a card is, so it has no firmware version: the ARC is not asked"),
    ("coverage", "test_coverage_", "struct.error|all counters are zero",
     "looks at once, and the core is still writing its counters: passes with KERR_HOST_TIME=3000"),
    ("debug_symbols", "file_static", "DIE for function-local static not found",
     "a lookup in the program's DWARF, which is the stock compiler's; the chip is not asked"),
    # Left out by the suite itself.
    ("", "", "NEO ID|neo=", "Quasar only"),
    ("", "", "Core ERISC |ERISC core", "Wormhole only: Blackhole's Ethernet cores are ERISC0 and ERISC1"),
    ("", "", "doesn't have RISC cores|DRISC core is not available",
     "tt-exalens gives the DRAM tiles of a simulator no cores"),
    ("", "", "hit only on wormhole|only applicable for Wormhole|is fixed in blackhole|Case for arch=wormhole", "Wormhole only"),
    ("", "", "trisc2 hardware bug|TRISC2 on wormhole or blackhole|doesn't work as expected on blackhole",
     "a bug of the chip that the suite steps around"),
    ("", "", "branch prediction ETH|Default code start|not applicable for ETH|Watchpoints are disabled",
     "not applicable to this core"),
    ("", "", "Device ID not available|Device [0-9] not found", "needs more than one chip"),
    ("", "", "not supported on blackhole", "not supported on Blackhole by tt-umd"),
]


class Case:
    def __init__(self, file, name, outcome, text):
        self.file, self.name, self.outcome, self.text = file, name, outcome, text

    def reason(self):
        for file, name, text, reason in REASONS:
            if file in ("", self.file) and re.search(name, self.name) and re.search(text, self.text):
                return reason
        if self.outcome == "skipped":
            return self.text.split("\n")[0][:120]
        return None


def outcome_of(element):
    """Outcome and text of a case of a JUnit report."""
    for tag, outcome in (("failure", "failed"), ("error", "failed"), ("skipped", "skipped")):
        found = element.find(tag)
        if found is not None:
            return outcome, (found.get("message") or "") + "\n" + (found.text or "")
    return "passed", ""


# A simulated card for those who look for one instead of opening a simulator: tt-umd serves it to other processes.
SERVER = """
import sys, tt_umd
options = tt_umd.SimulationConnectorOptions()
options.simulator_directory = sys.argv[1]
options.serve_over_sockets = True
served = tt_umd.SimulationConnector.discover(options)
print("serving", flush=True)
sys.stdin.read()
"""


def stand_in_for_gdb(suite):
    """riscv-tt-elf-gdb for the tests that start it: GDB, begun as one built for RISC-V begins.  tt-exalens' server answers
    `m' packets with words in the other byte order and `x' packets as gdb expects, and does not say that it knows those."""
    gdb = os.environ.get("GDB", "")
    if not gdb:
        return
    folder = os.path.join(suite, "bin")
    os.makedirs(folder, exist_ok=True)
    script = os.path.join(folder, "riscv-tt-elf-gdb")
    with open(script, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec '{gdb}' -iex 'set architecture riscv:rv32' -iex 'set remote binary-upload-packet on' "
                   '"$@"\n')
    os.chmod(script, 0o755)
    os.environ["PATH"] = folder + os.pathsep + os.environ["PATH"]


def gdb_version():
    """What the page says of riscv-tt-elf-gdb."""
    if shutil.which("riscv-tt-elf-gdb") is None:
        return "no riscv-tt-elf-gdb"
    result = subprocess.run(["riscv-tt-elf-gdb", "--version"], capture_output=True, text=True, check=False)
    return "riscv-tt-elf-gdb is " + (result.stdout.splitlines() or ["unknown"])[0]


@contextlib.contextmanager
def served(python, library, environment):
    """Around tests that look for a card.  An older tt-umd has no server: then they find none."""
    server = subprocess.Popen([python, "-c", SERVER, library], env=environment, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in server.stdout:
            if line.startswith("serving"):
                break
        yield
    finally:
        server.stdin.close()
        server.wait()


def run_file(python, suite, library, file, report):
    """The cases of a file, or None where it cannot even be collected."""
    with tempfile.TemporaryDirectory() as directory:  # tt-umd keeps sockets there; others must not meet them
        environment = dict(os.environ, TTEXALENS_SIMULATOR=library, TMPDIR=directory)
        with served(python, library, environment) if file in SERVED else contextlib.nullcontext():
            return run_cases(python, suite, environment, file, report)


def run_cases(python, suite, environment, file, report):
    if os.path.exists(report):
        os.unlink(report)
    command = [python, "-m", "pytest", "--forked", "-q", "-p", "no:cacheprovider", f"--junitxml={report}",
               f"test/ttexalens/unit_tests/test_{file}.py"]
    with open(report + ".log", "w", encoding="utf-8") as log:
        subprocess.run(command, cwd=suite, env=environment, stdout=log, stderr=subprocess.STDOUT, check=False)
    return cases_of(file, report)


def cases_of(file, report):
    """What a report says; None: there is none, or the file could not be collected."""
    if not os.path.exists(report):
        return None
    cases = []
    for element in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        outcome, text = outcome_of(element)
        if "collection failure" in text:
            return None
        name = element.get("classname", "").rsplit(".", 1)[-1] + "." + element.get("name", "")
        cases.append(Case(file, name, outcome, text))
    return cases


def version_of(checkout):
    with open(os.path.join(checkout, "VERSION"), encoding="utf-8") as file:
        return file.read().strip()


def python_of(name, version):
    venv_of_client.SETS[name] = {"why": f"tt-exalens {version} and pytest", "python": ["3.11"],
                                 "pip": [f"tt-exalens=={version}", *RUNNER]}
    return venv_of_client.ensure(name)


def commit_of(checkout):
    result = subprocess.run(["git", "-C", checkout, "describe", "--always", "--tags"], capture_output=True, text=True,
                            check=False)
    return result.stdout.strip() or "unknown"


def page(results, versions, checkout):
    """The section of the page."""
    lines = [f"Suite: {commit_of(checkout)} of tenstorrent/tt-exalens, `test/ttexalens/unit_tests`; its programs built "
             f"with a stock RISC-V compiler; {gdb_version()}.", "",
             "| file | tt-exalens | cases | pass | fail | left out by the suite |", "|---|---|--:|--:|--:|--:|"]
    total = collections.Counter()
    for file, cases in results.items():
        count = collections.Counter(case.outcome for case in cases)
        total.update(count)
        lines.append(f"| test_{file} | {versions[file]} | {len(cases)} | {count['passed']} | {count['failed']} | "
                     f"{count['skipped']} |")
    lines.append(f"| all | | {sum(total.values())} | {total['passed']} | {total['failed']} | {total['skipped']} |")
    for outcome, title in (("failed", "Cases that fail"), ("skipped", "Cases that the suite leaves out")):
        groups = collections.Counter((case.file, case.reason() or "not explained yet: " + case.name)
                                     for cases in results.values() for case in cases if case.outcome == outcome)
        lines += ["", f"{title}:", "", "| file | cases | why |", "|---|--:|---|"]
        lines += [f"| test_{file} | {count} | {reason} |" for (file, reason), count in sorted(groups.items())]
    return "\n".join(lines)


def write_page(path, text):
    begin, end = "<!-- tt-exalens: begin, made by make test-real -->", "<!-- tt-exalens: end -->"
    with open(path, encoding="utf-8") as file:
        old = file.read()
    head, _, rest = old.partition(begin)
    _, _, tail = rest.partition(end)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{begin}\n{text}\n{end}{tail}")


def main():
    parser = argparse.ArgumentParser(description="tt-exalens' own unit tests on Kerr")
    parser.add_argument("--build", default=os.environ.get("BUILD", "build"))
    parser.add_argument("--write", help="the page to bring up to date; only with all files")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time")
    parser.add_argument("--keep", action="store_true", help="what an earlier run has reported is not run again")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    checkout = os.environ.get("TTEXALENS_TESTS", "")
    if not os.path.isdir(os.path.join(checkout, "test", "ttexalens", "unit_tests")):
        print("test-real: TTEXALENS_TESTS does not name a clone of github.com/tenstorrent/tt-exalens; nothing was run")
        return 77
    checkout = os.path.abspath(checkout)
    build = os.path.abspath(options.build)
    venv_of_client.BUILD = build
    suite = os.path.join(build, "real")
    os.makedirs(suite, exist_ok=True)
    if not os.path.islink(os.path.join(suite, "test")):
        os.symlink(os.path.join(checkout, "test"), os.path.join(suite, "test"))
    subprocess.run([os.path.join(HERE, "build_elfs.sh"), os.path.join(checkout, "riscv-src"), suite], check=True)
    stand_in_for_gdb(suite)
    try:
        current = python_of("exalens-tests", CURRENT)
        own_version = version_of(checkout)
        own = python_of("exalens-tests-own", own_version)
    except venv_of_client.Missing as missing:
        print(f"test-real: {missing}")
        return 77

    library = os.path.join(build, "sim", "libttsim.so")
    versions = {}

    def one(file):
        report = os.path.join(suite, f"{file}.xml")
        versions[file] = CURRENT
        if options.keep and cases_of(file, report) is not None:
            with open(report + ".version", encoding="utf-8") as kept:
                versions[file] = kept.read()
            return cases_of(file, report)
        cases = run_file(current, suite, library, file, report)
        if cases is None:
            versions[file] = own_version
            cases = run_file(own, suite, library, file, report)
        if cases is None:
            raise SystemExit(f"test-real: test_{file}.py cannot be run; see {report}.log")
        with open(report + ".version", "w", encoding="utf-8") as kept:
            kept.write(versions[file])
        count = collections.Counter(case.outcome for case in cases)
        print(f"  test_{file:16} {versions[file]:7} {count['passed']:5} pass {count['failed']:4} fail "
              f"{count['skipped']:4} left out", flush=True)
        return cases

    files = options.names or FILES
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = dict(zip(files, pool.map(one, files)))
    if options.write and files == FILES:
        write_page(options.write, page(results, versions, checkout))
    surprises = [case for cases in results.values() for case in cases
                 if case.outcome == "failed" and case.reason() is None]
    for case in surprises:
        print(f"  not explained: test_{case.file} {case.name}")
    return 1 if surprises else 0


if __name__ == "__main__":
    sys.exit(main())

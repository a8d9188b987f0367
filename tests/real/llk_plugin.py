# SPDX-License-Identifier: Apache-2.0
"""The part of llk.py that runs inside the vendor's LLK suite, as a plugin of pytest (-p llk_plugin).

KERR_LLK_MODE says what is done with the cases that KERR_LLK_SELECT (a file of node ids) names:

    collect   writes the ids of all cases of a Blackhole, one per line of KERR_LLK_OUT
    compile   lets the suite build the programs of the cases (its --compile-producer)
    run       runs the cases on built programs (its --compile-consumer), each in a process of its own on a chip that
              nobody used before it, for at most KERR_LLK_TIMEOUT seconds

compile and run append a line of JSON for each case to KERR_LLK_OUT as soon as it is known, so that a run that was
killed has lost one case at most.  With KERR_LLK_BITS the operands of a run are random bits by that seed (not what the suite
writes: infinities, denormals and exponents far apart are among them), and a case passes when its results have been taken:
the suite's model is not asked, they are to be compared with another library's.
"""

import csv
import hashlib
import json
import os
import pathlib
import random
import select
import shutil
import signal
import sys
import tempfile
import time

import pytest
from _pytest.runner import runtestprotocol

MODE = os.environ.get("KERR_LLK_MODE", "")
LEFT_OUT = ("quasar", "nightly", "perf", "accuracy")
BITS = os.environ.get("KERR_LLK_BITS", "")
TEXT = 4000  # characters kept of what a case says
TAKEN = "the results of random operands"


def pytest_addoption(parser):
    parser.addoption("--kerr-kind", default="plain", choices=("plain", *LEFT_OUT), help="cases with this mark")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    # The suite's controller begins by deleting what was built before; a worker of xdist does not.
    if MODE:
        config.workerinput = {"workerid": "gw0"}
    # Three files use such a value as the default of a field, which Python 3.11 accepts of what can be hashed only.
    from helpers.format_config import InputOutputFormat
    from helpers.tile_shape import TileShape

    for kind in (InputOutputFormat, TileShape):
        kind.__hash__ = kind.__hash__ or object.__hash__


def wanted(item, kind):
    marks = [mark for mark in LEFT_OUT if item.get_closest_marker(mark)]
    return not marks if kind == "plain" else marks == [kind]


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Before the suite's own hook, which keeps one case of those that share a program."""
    if MODE == "collect":
        with open(os.environ["KERR_LLK_OUT"], "a", encoding="utf-8") as file:
            file.writelines(item.nodeid + "\n" for item in items if wanted(item, config.getoption("--kerr-kind")))
        items[:] = []
    elif MODE:
        with open(os.environ["KERR_LLK_SELECT"], encoding="utf-8") as file:
            ids = file.read().splitlines()
        found = {item.nodeid: item for item in items}
        items[:] = [found[name] for name in ids if name in found]
    yield


def pytest_deselected(items):
    if MODE == "compile":
        for item in items:
            record(item.nodeid, "passed", 0.0, "shares the program of another case")


def record(case, outcome, seconds, text, **more):
    line = {"case": case, "outcome": outcome, "seconds": round(seconds, 3), "text": text[-TEXT:], **more}
    with open(os.environ["KERR_LLK_OUT"], "a", encoding="utf-8") as file:
        file.write(json.dumps(line) + "\n")


def outcome_of(reports):
    """Outcome and text of the reports on set-up, call and tear-down of a case."""
    for outcome in ("failed", "skipped"):
        for report in reports:
            if report.outcome == outcome:
                said = report.longrepr
                return outcome, str(said[2] if isinstance(said, tuple) and len(said) > 2 else said)
    return "passed", ""


def results_hash():
    """From now on each result that a case takes from the chip goes into this hash."""
    from helpers.stimuli_config import StimuliConfig  # of the suite

    seen = hashlib.sha256()
    own = StimuliConfig.collect_results

    def collect_results(self, *arguments, **options):
        location = arguments[0] if arguments else options.get("location", "0,0")
        seen.update(bytes(self.collect_raw_result_bytes(location)))
        collect_results.used = True
        if BITS:
            pytest.skip(TAKEN)
        return own(self, *arguments, **options)

    collect_results.used = False
    StimuliConfig.collect_results = collect_results
    return lambda: seen.hexdigest()[:16] if collect_results.used else ""


def random_operands(case):
    """From now on the suite writes random bits where it would write operands."""
    from helpers import stimuli_config

    own = stimuli_config.write_to_device
    generator = random.Random(f"{BITS}:{case}")

    def write_to_device(location, address, data):
        return own(location, address, generator.randbytes(len(bytes(data))))

    stimuli_config.write_to_device = write_to_device


def cycles_of(folder):
    """Cycles of a benchmark's loop, for each way in which it was run, from the tables the suite has written."""
    cycles = {}
    for table in sorted(folder.glob("*.csv")):
        if table.name.endswith(".post.csv"):
            continue
        with open(table, encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if row.get("marker") == "TILE_LOOP":
                    cycles.update({name[5:-1]: float(value) for name, value in row.items()
                                   if name and name.startswith("mean(") and value})
    return cycles


def case_in_child(item, pipe, said):
    from helpers.test_config import TestConfig

    TestConfig.PERF_DATA_DIR = pathlib.Path(tempfile.mkdtemp())
    os.dup2(said, 1)
    os.dup2(said, 2)
    bits = results_hash()
    if BITS:
        random_operands(item.nodeid)
    reports = runtestprotocol(item, log=False, nextitem=None)
    outcome, text = outcome_of(reports)
    if BITS and outcome == "skipped" and TAKEN in text:
        outcome = "passed"
    sys.stdout.flush()
    sys.stderr.flush()
    with os.fdopen(pipe, "w", encoding="utf-8") as file:
        json.dump({"outcome": outcome, "text": text, "bits": bits(), "cycles": cycles_of(TestConfig.PERF_DATA_DIR)}, file)
    shutil.rmtree(TestConfig.PERF_DATA_DIR, ignore_errors=True)


def answer_of(pipe, deadline):
    """What the child sends until it ends; None: it is still running at the deadline."""
    parts = []
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            return None
        part = os.read(pipe, 65536)
        if not part:
            return b"".join(parts)
        parts.append(part)


def run_in_child(item):
    limit = float(os.environ.get("KERR_LLK_TIMEOUT", "120"))
    begin = time.monotonic()
    with tempfile.TemporaryFile() as said:
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            status = 3
            try:
                os.setpgid(0, 0)
                os.close(reader)
                case_in_child(item, writer, said.fileno())
                status = 0
            finally:
                os._exit(status)
        os.close(writer)
        answer = answer_of(reader, begin + limit)
        os.close(reader)
        if answer is None:
            os.kill(child, signal.SIGKILL)
        _, status, usage = os.wait4(child, 0)
        said.seek(0)
        output = said.read().decode("utf-8", "replace")[-TEXT:]
    seconds, cpu = time.monotonic() - begin, usage.ru_utime + usage.ru_stime
    if answer is None:
        record(item.nodeid, "failed", seconds, f"{output}\nTIMEOUT after {limit:.0f} s", cpu=round(cpu, 3), bits="")
    elif not answer:
        record(item.nodeid, "failed", seconds, f"{output}\nENDED with status {status}", cpu=round(cpu, 3), bits="")
    else:
        case = json.loads(answer)
        text = case["text"] if case["outcome"] != "failed" else f"{output[-TEXT // 2:]}\n{case['text'][-TEXT // 2:]}"
        more = {"cycles": case["cycles"]} if case["cycles"] else {}
        record(item.nodeid, case["outcome"], seconds, text, cpu=round(cpu, 3), bits=case["bits"], **more)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item, nextitem):
    if MODE == "compile":
        begin = time.monotonic()
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        outcome, text = outcome_of(reports)
        record(item.nodeid, outcome, time.monotonic() - begin, text)
        return True
    if MODE == "run":
        run_in_child(item)
        return True
    return None


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session):
    if MODE == "run":  # the suite's own patience ends before ours, so that it can say who hangs
        from helpers.test_config import TestConfig

        TestConfig.SIMULATOR_TIMEOUT = float(os.environ.get("KERR_LLK_TIMEOUT", "120")) * 0.8
    del session

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The operations of ttnn on Kerr, beside another library, and what they say into docs/conformance.md.

    TTNN_PYTHON=python ttnn_list.py [--build DIR] [--library LIBRARY] [--ref LIBRARY] [--ref-env NAME=VALUE]
                                    [--mode slow|fast] [--only PATTERN] [--again PATTERN] [--jobs N] [--row N]
                                    [--timeout S] [--write FILE] [--report]

TTNN_PYTHON is a Python that has ttnn and torch; the kernel compiler (sfpi) must be where that ttnn looks for it.
Without it there is nothing to do, which is said and counts as a skip (77).  --library is Kerr's, if not the one in DIR;
--ref another libttsim.so with its soc_descriptor.yaml beside it.  --ref-env is for the latter alone, and for those cases
that it does not pass as they are (one that has no SFPLOADMACRO wants TT_METAL_DISABLE_SFPLOADMACRO=1): what it runs, it
runs with the same kernels.

Results are kept in DIR/real/ttnn/results.jsonl by case, mode and library (by its content), so that a run that was
interrupted goes on, and a new Kerr is tried anew while the other library is not.  --again forgets the results of
matching cases; patterns are those of the shell, over "mode/group/case".  Status 1: a case that the other library passes
fails on Kerr, or has other bits.
"""

import argparse
import collections
import concurrent.futures
import datetime
import fnmatch
import hashlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- ttnn: begin, made by make test-real -->", "<!-- ttnn: end -->"

def content_key(library):
    with open(library, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()[:12]


class Store:
    """Lines of JSON; the last one of a case counts."""

    def __init__(self, path):
        self.path, self.lines, self.lock = path, {}, threading.Lock()
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                for line in file:
                    entry = json.loads(line)
                    self.lines[entry["library"], entry["mode"], entry["case"]] = entry

    def get(self, library, mode, case):
        entry = self.lines.get((library, mode, case))
        return None if entry is None or entry["status"] == "forgotten" else entry

    def put(self, library, mode, entry):
        entry = {"library": library, "mode": mode, **entry}
        with self.lock:
            self.lines[library, mode, entry["case"]] = entry
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")


def environment_for(library, mode, folder, more):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("TT_", "TTNN_"))}
    environment.update(more)
    environment.update(TT_METAL_SIMULATOR=library, TT_METAL_LOGGER_LEVEL="error", LOGURU_LEVEL="ERROR",
                       TT_METAL_LOGS_PATH=folder, TT_METAL_CACHE=os.path.join(os.path.dirname(folder), "cache"))
    if mode == "slow":
        environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
    return environment


def run_row(python, library, mode, names, folder, timeout, more, report):
    """One process for all names; those after the one in which it ends are returned."""
    os.makedirs(folder, exist_ok=True)
    log = open(os.path.join(folder, f"log.{os.getpid()}.{threading.get_ident()}"), "w+", encoding="utf-8")
    process = subprocess.Popen([python, os.path.join(HERE, "ttnn_worker.py"), mode, folder, *names], stdout=subprocess.PIPE,
                               stderr=log, text=True, cwd=folder, env=environment_for(library, mode, folder, more),
                               start_new_session=True)
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    current, remaining, why = names[0], list(names), "ended"
    while True:
        try:
            line = lines.get(timeout=timeout)
        except queue.Empty:
            why = f"no answer in {timeout} s"
            break
        if line is None:
            break
        word, _, rest = line.strip().partition(" ")
        if word == "start":
            current = rest
        elif word == "done":
            entry = json.loads(rest)
            remaining.remove(entry["case"])
            report(entry)
        elif word == "finished":
            break
    try:
        if why == "ended":
            process.wait(timeout=60)
        else:
            raise subprocess.TimeoutExpired("", 0)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    log.flush()
    log.seek(0)
    tail = [text for text in log.read().splitlines() if text.strip()][-8:]
    log.close()
    if current in remaining:
        said = next((text for text in reversed(tail) if text.startswith("kerr:") or "Error" in text or "ERROR" in text),
                    tail[-1] if tail else "")
        status = "hang" if why != "ended" else "died"
        report({"case": current, "status": status, "detail": f"{why}: {said}"[:300], "trace": "\n".join(tail)[-3000:],
                "seconds": timeout if status == "hang" else 0})
        remaining.remove(current)
    return remaining


class Run:
    def __init__(self, options, python):
        self.options, self.python = options, python
        self.base = os.path.abspath(os.path.join(options.build, "real", "ttnn"))
        os.makedirs(self.base, exist_ok=True)
        self.store = Store(os.path.join(self.base, "results.jsonl"))
        self.kerr = os.path.abspath(options.library or os.path.join(options.build, "sim", "libttsim.so"))
        self.libraries = [self.kerr] + ([os.path.abspath(options.ref)] if options.ref else [])
        self.keys = {library: content_key(library) for library in self.libraries}

    def cases(self):
        output = subprocess.run([self.python, os.path.join(HERE, "ttnn_worker.py"), "--list"], check=True, text=True,
                                stdout=subprocess.PIPE, env={**os.environ, "LOGURU_LEVEL": "ERROR"}).stdout
        wanted, seen = [], collections.Counter()
        for line in output.splitlines():
            name, *modes = line.split()
            wanted += [(mode, name) for mode in self.options.mode or ("slow", "fast") if mode in modes
                       and any(fnmatch.fnmatch(f"{mode}/{name}", pattern) for pattern in self.options.only or ["*"])]

        def turn(entry):
            group = entry[0], entry[1].split("/")[0]
            seen[group] += 1
            return seen[group]
        # A few of each group first: an interrupted run has seen something of everything.
        return sorted(wanted, key=turn)

    def rows(self, wanted):
        for library in self.libraries:
            for mode in ("slow", "fast"):
                names = [name for case_mode, name in wanted if case_mode == mode
                         and self.store.get(self.keys[library], mode, name) is None]
                for first in range(0, len(names), self.options.row):
                    yield library, mode, names[first:first + self.options.row]

    def do_row(self, row):
        library, mode, names = row
        label = "kerr" if library == self.kerr else "ref"

        def report(entry):
            self.store.put(self.keys[library], mode, {**entry, "date": datetime.date.today().isoformat()})
            print(f"{label} {mode} {entry['case']}: {entry['status']} {entry['seconds']} s {entry.get('detail', '')}", flush=True)

        folder = os.path.join(self.base, f"{label}-{mode}")
        again, more = [], {} if library == self.kerr else dict(word.split("=", 1) for word in self.options.ref_env)

        def first(entry):
            if entry["status"] == "pass" or not more:
                report(entry)
            else:
                again.append(entry["case"])

        while names:
            names = run_row(self.python, library, mode, names, folder, self.options.timeout, {}, first)
        while again:
            again = run_row(self.python, library, mode, list(again), folder, self.options.timeout, more, report)

    def go(self):
        wanted = self.cases()
        for library in self.libraries:
            for mode, name in wanted:
                if any(fnmatch.fnmatch(f"{mode}/{name}", pattern) for pattern in self.options.again or []) \
                        and self.store.get(self.keys[library], mode, name):
                    self.store.put(self.keys[library], mode, {"case": name, "status": "forgotten"})
        rows = [] if self.options.report else list(self.rows(wanted))
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            list(pool.map(self.do_row, rows))
        return wanted

    def entries(self, wanted):
        """mode, name, Kerr's result, the other library's or None."""
        for mode, name in wanted:
            ours = self.store.get(self.keys[self.kerr], mode, name)
            other = self.store.get(self.keys[self.libraries[1]], mode, name) if len(self.libraries) > 1 else None
            yield mode, name, ours, other


def same_bits(ours, other):
    return ours.get("bits") == other.get("bits")


def regressions(entries):
    for mode, name, ours, other in entries:
        if other is not None and other["status"] == "pass" and (ours["status"] != "pass" or not same_bits(ours, other)):
            yield mode, name, ours, other


def table(entries, with_ref):
    """Rows by group and mode."""
    groups = {}
    for mode, name, ours, other in sorted(entries, key=lambda entry: (entry[1].split("/")[0], entry[0])):
        counts = groups.setdefault((name.split("/")[0], mode), collections.Counter())
        counts["cases"] += 1
        counts["pass"] += ours["status"] == "pass"
        if other is not None:
            counts["ref"] += other["status"] == "pass"
            both = ours["status"] == "pass" and other["status"] == "pass"
            counts["both"] += both
            counts["same"] += both and same_bits(ours, other)
    head = ["group", "dispatch", "cases", "pass"] + (["pass on the reference", "same bits, of both"] if with_ref else [])
    lines = ["| " + " | ".join(head) + " |", "|---|---|" + "--:|" * (len(head) - 2)]
    total = collections.Counter()
    for (group, mode), counts in groups.items():
        total.update(counts)
        row = [group, mode, counts["cases"], counts["pass"]]
        lines.append("| " + " | ".join(map(str, row + ([counts["ref"], f"{counts['same']} of {counts['both']}"]
                                                       if with_ref else []))) + " |")
    row = ["all", "", total["cases"], total["pass"]]
    lines.append("| " + " | ".join(map(str, row + ([total["ref"], f"{total['same']} of {total['both']}"]
                                                   if with_ref else []))) + " |")
    return lines


def clean(text):
    """No places of this machine in a page."""
    words = [os.path.basename(word) if word.startswith("/") else word for word in text.split()]
    return " ".join(words).replace("|", "/")[:160]


def section(run, entries):
    versions = subprocess.run([run.python, "-c", "import importlib.metadata as m, platform; print('ttnn', m.version('ttnn') + ', torch',"
                               "m.version('torch') + ', Python', platform.python_version())"], check=True, text=True,
                              stdout=subprocess.PIPE).stdout.strip()
    with_ref = len(run.libraries) > 1
    lines = [f"{datetime.date.today().isoformat()}: {versions}.", ""] + table(entries, with_ref)
    failed = [(mode, name, ours, other) for mode, name, ours, other in entries if ours["status"] != "pass"]
    if failed:
        lines += ["", "| does not pass on Kerr | what it says | reference |", "|---|---|---|"]
        lines += [f"| {mode} {name} | {ours['status']}: {clean(ours['detail'])} | "
                  f"{'' if other is None else other['status'] + ': ' + clean(other['detail']) if other['detail'] else other['status']} |"
                  for mode, name, ours, other in failed]
    if with_ref:
        other_bits = [f"| {mode} {name} |" for mode, name, ours, other in entries if ours["status"] == "pass"
                      and other is not None and other["status"] == "pass" and not same_bits(ours, other)]
        if other_bits:
            lines += ["", "| passes on both with other bits |", "|---|", *other_bits]
        gives_up = collections.Counter(clean(other["detail"]) for _, _, ours, other in entries if ours["status"] == "pass"
                                       and other is not None and other["status"] != "pass")
        if gives_up:
            lines += ["", "| passes on Kerr, while the reference says | cases |", "|---|--:|"]
            lines += [f"| {text} | {count} |" for text, count in gives_up.most_common()]
    return lines


def write_between(path, begin, end, lines):
    """The lines take the place of what is between two marks of a page, or its end."""
    with open(path, encoding="utf-8") as file:
        page = file.read()
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.write(before.rstrip("\n") + "\n\n" + "\n".join([begin, *lines, end]) + (after or "\n"))
    os.rename(path + ".new", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--library")
    parser.add_argument("--ref")
    parser.add_argument("--ref-env", action="append", default=[])
    parser.add_argument("--mode", action="append", choices=["slow", "fast"])
    parser.add_argument("--only", action="append")
    parser.add_argument("--again", action="append")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--row", type=int, default=24, help="cases that share a process, which is slow to start")
    parser.add_argument("--timeout", type=int, default=300)
    parser.add_argument("--write")
    parser.add_argument("--report", action="store_true", help="run nothing, say what is known")
    options = parser.parse_args()
    python = os.environ.get("TTNN_PYTHON")
    if not python:
        print("ttnn: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    run = Run(options, python)
    started = time.time()
    entries = [entry for entry in run.entries(run.go()) if entry[2] is not None]
    worse = list(regressions(entries))
    for mode, name, ours, _ in worse:
        print(f"worse than the reference: {mode} {name}: {ours['status']}"
              f"{', other bits' if ours['status'] == 'pass' else ' ' + ours['detail']}")
    if options.write:
        write_between(options.write, BEGIN, END, section(run, entries))
    print(f"ttnn: {len(entries)} cases, {sum(ours['status'] == 'pass' for _, _, ours, _ in entries)} pass, "
          f"{len(worse)} worse than the reference, {time.time() - started:.0f} s")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())

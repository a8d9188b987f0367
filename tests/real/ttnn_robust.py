#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What becomes of ttnn programs that go wrong, are repeated, run side by side or are killed, on Kerr, into
docs/conformance.md.

    TTNN_PYTHON=python ttnn_robust.py [--build DIR] [--library LIBRARY] [--runs N] [--together N] [--kills N] [--seed N]
                                      [--only mistakes|same|together|killed] [--write FILE]

TTNN_PYTHON and the kernel compiler as for ttnn_list.py; without them this is a skip (77).  The program is
ttnn_program.py, under `kerr exec`.  Status 1: something was not as it should be.
"""

import argparse
import collections
import concurrent.futures
import datetime
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ttnn_list import write_between

HERE = os.path.dirname(os.path.abspath(__file__))
BEGIN, END = "<!-- ttnn robust: begin, made by make test-real -->", "<!-- ttnn robust: end -->"
LIMIT_SECONDS = 5
# Mistakes of ttnn_program.py, what they are, and the modes in which they end by themselves.
MISTAKES = {
    "undefined": ("undefined instruction", ("slow", "fast"), []),
    "no-tile": ("read of a NoC address at which nothing is", ("slow", "fast"), []),
    "no-data": ("reader waits for a circular buffer that nobody fills", ("slow", "fast"), []),
    "no-space": ("compute kernel waits for more space than its circular buffer has", ("slow", "fast"), []),
    "busy": ("endless loop, with `--client-timeout 2`", ("fast",), ["--client-timeout", "2"]),
}


class Result:
    """What a run of the program said, and what kerr exec said of it."""

    def __init__(self, status, output, summary, seconds):
        self.status, self.output, self.summary, self.seconds = status, output, summary, seconds

    def line(self, word):
        return next((text[len(word) + 1:] for text in self.output.splitlines() if text.startswith(word + " ")), None)

    def cycles(self):
        found = re.match(r"kerr: (\d+) cycles", self.summary)
        return int(found[1]) if found else None


class Robust:
    def __init__(self, options, python):
        self.options, self.python = options, python
        build = os.path.abspath(options.build)
        self.kerr = os.path.join(build, "kerr")
        self.library = os.path.abspath(options.library or os.path.join(build, "sim", "libttsim.so"))
        self.cache = os.path.join(build, "real", "ttnn", "cache")
        self.folder = os.path.join(build, "real", "ttnn", "robust")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.lines, self.failed = [], []

    def start(self, mode, kind, more=(), **settings):
        folder = tempfile.mkdtemp(dir=self.folder)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("TT_", "TTNN_"))}
        environment.update(TT_METAL_CACHE=self.cache, TT_METAL_LOGS_PATH=folder, TT_METAL_LOGGER_LEVEL="error",
                           LOGURU_LEVEL="ERROR", **settings)
        if mode == "slow":
            environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
        with open(os.path.join(folder, "out"), "w", encoding="utf-8") as out, \
                open(os.path.join(folder, "err"), "w", encoding="utf-8") as err:
            process = subprocess.Popen([self.kerr, "exec", "--library", self.library, "--output", os.path.join(folder, "sum"),
                                        *more, "--", self.python, os.path.join(HERE, "ttnn_program.py"), kind], cwd=folder,
                                       env=environment, stdout=out, stderr=err, start_new_session=True)
        return process, folder

    @staticmethod
    def text(folder, name):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def run(self, mode, kind, more=(), timeout=600):
        started = time.monotonic()
        process, folder = self.start(mode, kind, more)
        try:
            status = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
        result = Result(status, self.text(folder, "out"), self.text(folder, "sum"), time.monotonic() - started)
        if kind == "good" and status != 0:
            print(f"status {status}: {self.text(folder, 'err')[-2000:]}")
        shutil.rmtree(folder, ignore_errors=True)
        return result

    def judge(self, right, text):
        self.lines.append(text if right else text + " **No.**")
        print(("ok: " if right else "NOT ok: ") + text, flush=True)
        if not right:
            self.failed.append(text)

    def mistakes(self):
        rows = ["| mistake | dispatch | seconds until the exception | which |", "|---|---|--:|---|"]
        for kind, (meaning, modes, more) in MISTAKES.items():
            for mode in modes:
                # The first time its kernels are compiled.
                first, result = self.run(mode, kind, more), self.run(mode, kind, more)
                seconds, _, what = (result.line("exception") or "99 none").partition(" ")
                picture = "who waits for whom" in result.summary or "--client-timeout" in more
                right = float(seconds) < LIMIT_SECONDS and result.status == 1 and picture
                if not right:
                    self.failed.append(f"{kind} {mode}")
                    print(first.output, result.status, result.output, result.summary[-3000:])
                what = re.sub(r"/\S*/", "", what).replace("|", "/")[:150]
                rows.append(f"| {meaning} | {mode} | {seconds} | {what} |")
                print(rows[-1], f"{result.seconds:.1f} s in all", flush=True)
        self.lines += rows + [""]

    def many(self, mode, count, jobs):
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            return list(pool.map(lambda _: self.run(mode, "good"), range(count)))

    @staticmethod
    def values(results, what):
        return collections.Counter(what(result) for result in results)

    def same(self):
        count = self.options.runs
        slow = self.many("slow", count, self.options.jobs)
        bits, cycles = (self.values(slow, what) for what in (lambda r: r.line("bits"), Result.cycles))
        self.judge(len(bits) == len(cycles) == 1 and None not in bits and None not in cycles,
                   f"* {count} runs in slow dispatch: {len(bits)} set of results, {len(cycles)} number of cycles "
                   f"({', '.join(map(str, cycles))}).")
        fast = self.many("fast", count, self.options.jobs)
        fast_bits, spans = (self.values(fast, what) for what in (lambda r: r.line("bits"), lambda r: r.line("durations")))
        self.judge(fast_bits.keys() == bits.keys() and len(spans) == 1,
                   f"* {count} runs in fast dispatch: {len(fast_bits)} set of results, that of slow dispatch; {len(spans)} set of "
                   f"kernel durations (cycles of reader and writer on two tiles: {'; '.join(map(str, spans))}), "
                   f"{len(self.values(fast, Result.cycles))} numbers of cycles of the whole program, which depend on when the host asks.")
        self.replay()

    def replay(self):
        log = os.path.join(self.folder, "record")
        recorded = self.run("fast", "good", ["--record", log])
        again = subprocess.run([self.kerr, "replay", "--library", self.library, log], text=True, check=False,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        said = again.stdout.strip().splitlines()
        self.judge(recorded.status == 0 and again.returncode == 0,
                   f"* `kerr exec --record` in fast dispatch, then `kerr replay`: {said[-1] if said else 'says nothing'}.")
        if again.returncode == 0:
            os.remove(log)

    def together(self):
        count = self.options.together
        alone = self.run("slow", "good")
        results = self.many("slow", count, count)
        equal = sum(r.line("bits") == alone.line("bits") and r.cycles() == alone.cycles() for r in results)
        fast = sum(r.line("bits") == alone.line("bits") for r in self.many("fast", count, count))
        self.judge(equal == fast == count and alone.status == 0,
                   f"* {count} processes at once: {equal} have in slow dispatch the results and the cycles of one alone, "
                   f"{fast} in fast dispatch its results.")

    @staticmethod
    def session(leader):
        """Processes, but for those that are only waited for, of the session that LEADER began."""
        alive = []
        for entry in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{entry}/stat", encoding="utf-8") as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == leader and fields[0] != "Z":
                alive.append(int(entry))
        return alive

    def kill_one(self, mode, delay, whole):
        """Kills the program (or kerr exec) after DELAY seconds; returns what is left two seconds later."""
        temporary = tempfile.mkdtemp(dir=self.folder)
        before = set(os.listdir("/dev/shm"))
        process, folder = self.start(mode, "good", TMPDIR=temporary)
        time.sleep(delay)
        victims = self.session(process.pid)
        for victim in [process.pid] if whole else [pid for pid in victims if pid != process.pid]:
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                pass
        process.wait()
        deadline = time.monotonic() + 2
        while self.session(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        # tt-umd names its locks so, and leaves them on a card too.
        shared = {name for name in set(os.listdir("/dev/shm")) - before if not name.startswith("TT_UMD_LOCK")}
        left = [f"process {pid}" for pid in self.session(process.pid)] + os.listdir(temporary)
        left += [name for name in shared if "kerr" in name.lower() or "ttsim" in name.lower()]
        for pid in self.session(process.pid):
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.rmtree(temporary, ignore_errors=True)
        return left

    def killed(self):
        generator = random.Random(self.options.seed)
        alone = self.run("slow", "good")
        left = []
        for number in range(self.options.kills):
            mode = ("slow", "fast")[number % 2]
            left += self.kill_one(mode, generator.uniform(0.2, alone.seconds), number % 4 >= 2)
        after = self.run("slow", "good")
        self.judge(not left and after.line("bits") == alone.line("bits") and after.cycles() == alone.cycles(),
                   f"* {self.options.kills} runs killed (SIGKILL to the program or to `kerr exec`, slow and fast, at moments by seed "
                   f"{self.options.seed}): {'nothing' if not left else ', '.join(left)} left two seconds later, no process, no file in "
                   "TMPDIR, none of ours in /dev/shm; the next run has the same results and cycles.")

    def go(self):
        for name in ("mistakes", "same", "together", "killed"):
            if not self.options.only or name in self.options.only:
                getattr(self, name)()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--library")
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--together", type=int, default=8)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", action="append", choices=["mistakes", "same", "together", "killed"])
    parser.add_argument("--write")
    options = parser.parse_args()
    python = os.environ.get("TTNN_PYTHON")
    if not python:
        print("ttnn: TTNN_PYTHON names no Python with ttnn and torch")
        return 77
    robust = Robust(options, python)
    robust.go()
    if options.write and not options.only:
        write_between(options.write, BEGIN, END, [f"{datetime.date.today().isoformat()}:", "", *robust.lines])
    print(f"ttnn: {len(robust.failed)} of the programs that go wrong, repeat or are killed were not as they should be")
    return 1 if robust.failed else 0


if __name__ == "__main__":
    sys.exit(main())

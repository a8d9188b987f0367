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

    def lines(self, word):
        return [text[len(word) + 1:] for text in self.output.splitlines() if text.startswith(word + " ")]

    def line(self, word):
        return next(iter(self.lines(word)), None)

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

    def start(self, mode, kind, *arguments, more=(), **settings):
        folder = tempfile.mkdtemp(dir=self.folder)
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("TT_", "TTNN_"))}
        environment.update(TT_METAL_CACHE=self.cache, TT_METAL_LOGS_PATH=folder, TT_METAL_LOGGER_LEVEL="error",
                           LOGURU_LEVEL="ERROR", **settings)
        if mode == "slow":
            environment["TT_METAL_SLOW_DISPATCH_MODE"] = "1"
        with open(os.path.join(folder, "out"), "w", encoding="utf-8") as out, \
                open(os.path.join(folder, "err"), "w", encoding="utf-8") as err:
            process = subprocess.Popen([self.kerr, "exec", "--library", self.library, "--output", os.path.join(folder, "sum"),
                                        *more, "--", self.python, os.path.join(HERE, "ttnn_program.py"), kind,
                                        *map(str, arguments)], cwd=folder, env=environment, stdout=out, stderr=err, start_new_session=True)
        return process, folder

    @staticmethod
    def text(folder, name):
        try:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                return file.read()
        except OSError:
            return ""

    def run(self, mode, kind, *arguments, timeout=1800, **settings):
        started = time.monotonic()
        process, folder = self.start(mode, kind, *arguments, **settings)
        try:
            status = process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            status = process.wait()
        result = Result(status, self.text(folder, "out"), self.text(folder, "sum"), time.monotonic() - started)
        if kind in ("good", "killed") and status != 0:
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
                result = self.run(mode, kind, more=more, timeout=300)
                seconds, _, what = (result.line("exception") or "99 none").partition(" ")
                picture = "who waits for whom" in result.summary or "--client-timeout" in more
                right = float(seconds) < LIMIT_SECONDS and result.status == 1 and picture
                if not right:
                    self.failed.append(f"{kind} {mode}")
                    print(result.status, result.output, result.summary[-3000:])
                what = re.sub(r"/\S*/", "", what).replace("|", "/")[:150]
                rows.append(f"| {meaning} | {mode} | {seconds} | {what} |")
                print(rows[-1], f"{result.seconds:.1f} s in all", flush=True)
        self.lines += rows + [""]

    def many(self, mode, count):
        """At once."""
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            return list(pool.map(lambda _: self.run(mode, "good"), range(count)))

    def same(self):
        count = self.options.runs
        slow, fast = self.run("slow", "good", count), self.run("fast", "good", count)
        sets = {(mode, word): set(result.lines(word)) for mode, result in (("slow", slow), ("fast", fast))
                for word in ("bits", "durations", "began")}
        all_there = all(len(result.lines("began")) == count for result in (slow, fast))
        each, rest = divmod(slow.cycles() or 1, count)
        self.judge(all_there and rest == 0 and all(len(sets["slow", word]) == 1 for word in ("bits", "durations", "began")),
                   f"* {count} runs in slow dispatch: {len(sets['slow', 'bits'])} set of results, {len(sets['slow', 'durations'])} of kernel "
                   f"durations, {len(sets['slow', 'began'])} of the cycles at which the kernels began; {each} cycles each.")
        self.judge(all_there and sets["fast", "bits"] == sets["slow", "bits"] and len(sets["fast", "durations"]) == 1,
                   f"* {count} runs in fast dispatch: {len(sets['fast', 'bits'])} set of results, that of slow dispatch; "
                   f"{len(sets['fast', 'durations'])} of kernel durations (reader and writer on two tiles, in cycles: "
                   f"{'; '.join(sorted(sets['fast', 'durations']))}); {len(sets['fast', 'began'])} of the cycles at which they began, which "
                   "depend on when the host asks.")
        self.replay()

    def replay(self):
        log = os.path.join(self.folder, "record")
        recorded = self.run("fast", "good", more=["--record", log])
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
        results = self.many("slow", count)
        equal = sum(r.line("bits") == alone.line("bits") and r.cycles() == alone.cycles() for r in results)
        fast = sum(r.line("bits") == alone.line("bits") for r in self.many("fast", count))
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

    def left_of(self, process, temporary, before):
        """What is left two seconds after everything should be over."""
        deadline = time.monotonic() + 2
        while self.session(process.pid) and time.monotonic() < deadline:
            time.sleep(0.05)
        alive = self.session(process.pid)
        for pid in alive:
            os.kill(pid, signal.SIGKILL)
        # tt-umd's locks have names that begin with TT_UMD_LOCK; it leaves them on a card too.
        shared = [name for name in set(os.listdir("/dev/shm")) - before if "kerr" in name.lower() or "ttsim" in name.lower()]
        return [f"process {pid}" for pid in alive] + os.listdir(temporary) + shared

    def killed_in(self, mode):
        """The program's processes are killed, then once kerr exec itself.  What is left, and what an undisturbed run says."""
        temporary, before = tempfile.mkdtemp(dir=self.folder), set(os.listdir("/dev/shm"))
        process, folder = self.start(mode, "killed", self.options.kills, self.options.seed, TMPDIR=temporary)
        process.wait()
        left = self.left_of(process, temporary, before)
        bits = Result(0, self.text(folder, "out"), "", 0).lines("bits")
        process, second = self.start(mode, "good", 20, TMPDIR=temporary)
        while "bits" not in self.text(second, "out") and process.poll() is None:
            time.sleep(0.05)
        time.sleep(random.Random(self.options.seed).uniform(0, 1))
        process.kill()
        process.wait()
        left += self.left_of(process, temporary, before)
        for path in (folder, second, temporary):
            shutil.rmtree(path, ignore_errors=True)
        return left, bits

    def killed(self):
        left, bits = [], []
        for mode in ("slow", "fast"):
            more_left, more_bits = self.killed_in(mode)
            left, bits = left + more_left, bits + more_bits[-1:] + more_bits[:1]
        self.judge(not left and len(set(bits)) == 1 and len(bits) == 4,
                   f"* {2 * self.options.kills} runs killed (SIGKILL, slow and fast, at moments by seed {self.options.seed}), and `kerr exec` itself "
                   f"twice: {', '.join(left) or 'nothing'} left two seconds later (processes, files in TMPDIR, anything of ours in "
                   "/dev/shm); the next run has the same results.")

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
    parser.add_argument("--kills", type=int, default=10)
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

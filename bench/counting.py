# SPDX-License-Identifier: Apache-2.0
"""Host instructions by valgrind, several at a time, and tables of them in pages: for ablation.py, hooks.py and recordings.py.

valgrind knows no AVX-512, so what it runs selects its AVX2 forms, on any machine.  Code that Kerr makes itself is counted too.
"""

import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))


class Failed(Exception):
    """A run that did not end well, and what it said."""


def has_valgrind():
    return shutil.which("valgrind") is not None


def count(command, inside=None, environment=None, profile="/dev/null"):
    """Instructions of the command and of its forked children, all or only those within the function `inside`; its output."""
    only = [f"--toggle-collect={inside}"] if inside else []
    done = subprocess.run(["valgrind", "--tool=callgrind", *only, f"--callgrind-out-file={profile}", *command], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **(environment or {})})
    found = [int(number) for number in re.findall(r"Collected : (\d+)", done.stderr)]
    if done.returncode != 0 or not sum(found):
        raise Failed(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return sum(found), done.stdout


def functions(profile):
    """Names of all functions in a profile."""
    with open(profile, encoding="utf-8", errors="replace") as file:
        return set(re.findall(r"fn=\(\d+\) (\S+)", file.read()))


def all_of(jobs, workers=0, what="jobs"):
    """Results of {key: function}, by key, as many at a time as there are processors; says how far it is."""
    results, begin = {}, time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(workers or len(os.sched_getaffinity(0))) as pool:
        running = {pool.submit(function): key for key, function in jobs.items()}
        try:
            for done in concurrent.futures.as_completed(running):
                results[running[done]] = done.result()
                seconds = time.monotonic() - begin
                left = seconds / len(results) * (len(jobs) - len(results))
                print(f"{what}: {len(results)} of {len(jobs)}, {seconds:.0f} s, some {left:.0f} s left; {running[done]}: "
                      f"{results[running[done]]}",
                      file=sys.stderr, flush=True)
        except Failed:
            pool.shutdown(cancel_futures=True)
            raise
    return results


def table(head, rows):
    """Lines of Markdown, in columns that are aligned for the eye too; the first column is text."""
    cells = [[str(cell) for cell in row] for row in [head, *rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    lines = ["| " + " | ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                               for i, (cell, width) in enumerate(zip(row, widths))) + " |" for row in cells]
    rule = "|" + "|".join("-" * (width + 2) if i == 0 else "-" * (width + 1) + ":" for i, width in enumerate(widths)) + "|"
    return "\n".join([lines[0], rule, *lines[1:]]) + "\n"


def put_into(page, name, text):
    """Between the marks of this name."""
    begin, end = f"<!-- {name}: begin, written by make -->\n", f"<!-- {name}: end -->"
    with open(page, encoding="utf-8") as file:
        before = file.read()
    if before.count(begin) != 1 or before.count(end) != 1:
        sys.exit(f"{page}: no place for {name}")
    head, rest = before.split(begin)
    with open(page, "w", encoding="utf-8") as file:
        file.write(head + begin + "\n" + text.strip("\n") + "\n\n" + end + rest.split(end)[1])


def machine():
    """What a table says about where it comes from."""
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"model name\s*: (.*)", file.read())
    commit = subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"], text=True, check=False, cwd=HERE,
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
    return f"{time.strftime('%Y-%m-%d')}, commit {commit or 'unknown'}, {model[1] if model else 'unknown processor'}, AVX2 forms"

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""README.md, sdk/README.md and docs/*.md do what they say: their blocks are run as they stand, in order, in one folder, which is a
clean copy of the tree with the build in it.

    walk_test.py [PAGE...] [--write]     all pages but those that another line of tests/*.list walks; --write puts what the
                                         commands print into the page

A block is run if its lines begin with "$ " (or, in docs/cli.md, with "kerr "), and what follows a command in it is what that has to
print; and if it is ```python.  Every other block, and what cannot be run here, has a mark in front of it, which readers do not see:

    <!-- walk: file NAME -->              the block is what the file NAME holds, for what comes behind it
    <!-- walk: skip REASON -->            it is not run: it is output, or a listing, or needs what is not here
    <!-- walk: skip `PART` REASON -->     the commands that have PART in them are not run
    <!-- walk: status N `PART` REASON --> the commands that have PART in them end with this status instead of 0
    <!-- walk: by TEST -->                that test of tests/*.list runs it; its line names the page, or its program does

A block with neither fails the test, and so does a mark that fits nothing."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [os.path.join(TOP, "tests", "cli"), os.path.join(TOP, "tests", "clients")]
import venv_of_client  # noqa: E402  pylint: disable=wrong-import-position
from support import BUILD, GCC, TMP, case, done, skip  # noqa: E402  pylint: disable=wrong-import-position

FIRST, LAST = ["README.md", "sdk/README.md"], ["docs/cli.md"]  # who takes what the pages before it have made
BLOCK = re.compile(r"^((?:[ \t]*<!-- walk: [^\n]* -->\n)*)([ \t]*)```(\w*)\n(.*?)^[ \t]*```\n", re.M | re.S)
MARK = re.compile(r"<!-- walk: (file|skip|status|by) (.*?) -->")
LISTS = {line.split()[1]: line.split(None, 2)[2] for name in glob.glob(os.path.join(TOP, "tests", "*.list"))
         for line in open(name, encoding="utf-8") if line.strip() and not line.startswith("#")}
SELF = "tests/infra/walk_test.py"


def plain(text, folder):
    """Without what differs from run to run and from place to place."""
    text = text.replace(folder + "/", "")
    text = re.sub(r"\d+\.\d\d s real, [\d.]+ ?[kMG]?cycles/s", "0.00 s real, 5.00 Mcycles/s", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines())


def commands(text):
    """Pairs of a command and what is printed; None if the block has none."""
    if re.match(r"\$ ", text):
        parts = re.split(r"^\$ (.*)\n?", text, flags=re.M)[1:]
        return list(zip(parts[::2], parts[1::2]))
    if all(re.match(r"kerr |echo ", line) for line in text.splitlines()):
        return [(line, "") for line in text.splitlines()]
    return None


class Folder:
    """A clean copy of the tree, with the build."""

    def __init__(self):
        self.path = os.path.realpath(tempfile.mkdtemp(dir=TMP))
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=TOP, capture_output=True, check=False)
        if listed.returncode == 0:
            names = listed.stdout.decode().split("\0")[:-1]
        else:  # no clone: what is there, but for builds
            names = [os.path.relpath(os.path.join(at, name), TOP) for top in os.listdir(TOP) if not top.startswith((".", "build"))
                     for at, _, files in os.walk(os.path.join(TOP, top)) for name in files]
        for name in names:
            if os.path.isfile(os.path.join(TOP, name)):
                os.makedirs(os.path.dirname(os.path.join(self.path, name)), exist_ok=True)
                shutil.copy2(os.path.join(TOP, name), os.path.join(self.path, name))
        os.symlink(os.path.abspath(BUILD), os.path.join(self.path, "build"))
        self.environment = {**os.environ, "PWD": self.path, "PATH": os.path.abspath(BUILD) + ":" + os.environ["PATH"],
                            "PYTHONPATH": os.path.join(self.path, "python"), "KERR_LIBRARY": os.path.join(self.path, "build", "libkerr.so")}

    def run(self, command):
        """Its status, and what it prints."""
        try:
            r = subprocess.run(command, cwd=self.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                               timeout=60, check=False, env=self.environment)
        except subprocess.TimeoutExpired as late:
            return "none", f"still running after {late.timeout} s"
        return r.returncode, plain(r.stdout, self.path)


class Page:
    def __init__(self, name, folder, write_page):
        self.name, self.folder, self.write_page = name, folder, write_page
        self.unmarked, self.bad_marks, self.ran = [], [], 0
        with open(os.path.join(TOP, name), encoding="utf-8") as file:
            self.text = file.read()

    def command(self, command, expected, status):
        if "kerr gdb" in command and shutil.which("gdb-multiarch") is None and not os.environ.get("KERR_CI"):
            skip(f"{self.name}: {command}", "no gdb-multiarch")
            return expected
        got_status, got = self.folder.run(["sh", "-c", command])
        self.ran += 1
        if not self.write_page:
            shown = plain(expected, self.folder.path)
            case(f"{self.name}: {command}", got_status == status and (self.silent or got == shown),
                 f"status {got_status}, not {status}; printed:\n{got}\nthe page has:\n{shown}")
        return got + "\n" if got else ""

    def run_commands(self, pairs, skips, statuses):
        """The block as it is printed now."""
        self.silent = not any(expected.strip() for _, expected in pairs)  # such a block shows the commands only
        text, used = "", set()
        for command, expected in pairs:
            why = next((part for part, _ in skips if part in command), None)
            status = next(((n, part) for n, part in statuses if part in command), (0, None))
            used |= {why, status[1]}
            got = expected if why is not None else self.command(command, expected, status[0])
            text += f"$ {command}\n" + (expected if self.silent else got)
        self.bad_marks += [part for part in [p for p, _ in skips] + [p for _, p in statuses] if part not in used]
        return text

    def run_python(self, text, line):
        try:
            python = venv_of_client.ensure("python3.11")
        except venv_of_client.Missing as missing:
            skip(f"{self.name}:{line}: the Python program", str(missing))
            return
        status, got = self.folder.run([python, "-c", text])
        self.ran += 1
        case(f"{self.name}:{line}: the Python program", status == 0, got)

    def runs_by(self, test):
        """Whether the test's line or its program names the page."""
        command = LISTS.get(test, "")
        programs = [word for word in command.split() if os.path.isfile(os.path.join(TOP, word))]
        return self.name in command or any(self.name in open(os.path.join(TOP, p), encoding="utf-8").read() for p in programs)

    def block(self, match):
        marks, kind, text = MARK.findall(match.group(1)), match.group(3), match.group(4)
        line = self.text.count("\n", 0, match.start()) + 1
        skips, statuses, settled = [], [], False
        for what, rest in marks:
            part = re.match(r"(?:(\d+) )?`([^`]*)` ?(.*)", rest)
            if what == "skip" and part and part[3]:
                skips.append((part[2], part[3]))
            elif what == "status" and part and part[1] and part[3]:
                statuses.append((int(part[1]), part[2]))
            elif what == "skip" and not part:
                settled = True
            elif what == "by" and self.runs_by(rest):
                settled = True
            elif what == "file":
                settled = True
                with open(os.path.join(self.folder.path, rest), "w", encoding="utf-8") as file:
                    file.write(text)
            else:
                self.bad_marks.append(f"line {line}: {what} {rest}")
        if len(marks) != match.group(1).count("\n"):
            self.bad_marks.append(f"line {line}: {match.group(1)}")
        pairs = commands(text)
        if settled:
            return match.group(0)
        if pairs:
            made = self.run_commands(pairs, skips, statuses)
            return match.group(0).replace(text, made) if self.write_page and not self.silent else match.group(0)
        if kind == "python":
            self.run_python(text, line)
        else:
            self.unmarked.append(f"line {line}: {text.splitlines()[0] if text else ''}")
        return match.group(0)

    def walk(self):
        made = BLOCK.sub(self.block, self.text)
        if self.write_page:
            with open(os.path.join(TOP, self.name), "w", encoding="utf-8") as file:
                file.write(made)
            return
        fences = len(re.findall(r"^[ \t]*```", self.text, re.M))
        case(f"{self.name}: every block is run or says why not", not self.unmarked and fences == 2 * len(BLOCK.findall(self.text)),
             "\n".join(self.unmarked) or f"{fences} fences")
        case(f"{self.name}: every mark fits", not self.bad_marks, "\n".join(self.bad_marks))


def others():
    """Pages that other lines of the lists walk."""
    return [word for command in LISTS.values() if SELF in command for word in command.split() if word.endswith(".md")]


def main():
    write_page = "--write" in sys.argv[1:]
    if shutil.which(GCC) is None:
        skip("the commands of the pages", f"no {GCC}")
        return
    pages = [argument for argument in sys.argv[1:] if argument != "--write"]
    if not pages:
        docs = sorted(os.path.relpath(page, TOP) for page in glob.glob(os.path.join(TOP, "docs", "*.md")))
        pages = FIRST + [page for page in docs if page not in LAST and page not in others()] + LAST
    folder = Folder()
    for page in pages:
        Page(page, folder, write_page).walk()
    shutil.rmtree(folder.path)
    done()


main()

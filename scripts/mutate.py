#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Breaks the code on purpose and looks which tests notice.

    mutate.py [--build DIR] [--seed N] [--count N] [--file GLOB]... [--jobs N] [--list] [--survivors FILE] [--report FILE]
    mutate.py --try FILE:LINE BEFORE AFTER
    mutate.py --again REPORT            the survivors of an earlier run, as far as their lines are still there

A mutant is one small change of one line under src/num or src/tensix: a comparison, a mask, a constant, an arithmetic or logical
operator, or the field that is taken (of a struct, or of Config).  Which ones is the seed's choice.  One that does not compile,
or whose object is the same as before, is not valid and does not count.

How it is fast: tests and drop-in are built once, in DIR, with PRELOAD=yes (mk/build.mk), so that they take the library from a
shared file.  A mutated file alone is compiled, made a shared object and loaded before that; nothing is linked again.  Once,
all tests run over a library that counts lines (gcov), so that a mutant meets only the tests that run its line, the cheapest
first, and the first that fails ends it.  A test that needs far more time than it did is one that fails.

FILE (tests/survivors.txt) keeps survivors that were looked at, with the reason why no test can or need notice:

    src/tensix/laps.c  equivalent: the value is at most 3
    - the line as it is
    + the line as the mutant has it

The exit status is 1 if there are survivors without a reason.  --try runs the tests of one change of one's own.
"""

import argparse
import bisect
import concurrent.futures
import fnmatch
import hashlib
import itertools
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent

# The tests that can notice, as tests/*.list name them; unit tests by their folders.
UNIT = ["tests/unit/num/*_test.c", "tests/unit/tensix/*_test.c", "tests/unit/check/*_test.c", "tests/unit/tile/*_test.c",
        "tests/unit/noc/*_test.c"]
LISTED = ["isa/tensix", "tensix/streams", "tensix/model", "tensix/model-shaken", "same/streams", "same/streams-shaken", "same/windows", "same/rows*", "tensix/config", "tensix/moves",
          "tensix/unpack", "tensix/datapath", "tensix/matrix-probes", "tensix/matrix", "tensix/matrix-path", "tensix/matmul",
          "num/cells", "num/paths", "timing/tensix", "timing/typecasts", "timing/matmul", "same/tensix*", "same/unpack",
          "same/snapshot", "same/faults", "check/*pairs"]
# Fewer seeds, and those that go round in laps (the opening comment of tests/same/rows.c).
INSTEAD = {"same/rows": "$BUILD/tests/same/rows 2",
           "same/rows-more": "$BUILD/tests/same/rows 1 103 && $BUILD/tests/same/rows 1 9"}
# Many seeds against no fast mechanism alone; those where a FIFO is full most of the time.
MORE = {"same/rows-quick": "$BUILD/tests/same/rows 30 0 quick",
        "same/rows-full": "for seed in 12 29 35 41 46 47 53 59 63 65 71 80 83 89 97; do $BUILD/tests/same/rows 1 $seed quick || exit 1; done"}

HEADER_OBJECTS = 12  # a header that more objects include is left alone: each mutant would be minutes of compiling


# ---- Mutants -----------------------------------------------------------------------------------------------------

BLANKED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*', re.S | re.M)
ASSERTION = re.compile(r"_Static_assert\s*\(.*?\)\s*;", re.S)
TOKEN = re.compile(r"(?P<number>\b0[xX][0-9a-fA-F]+[uUlL]*\b|\b\d+[uUlL]*\b(?!\.))|(?P<field>(?:->|\.)\s*[A-Za-z_]\w*(?!\w*\s*\())|"
                   r"(?P<word>\b[A-Za-z_]\w*\b)|(?P<op><<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||->|\+\+|--|[-+*/%&|^]=|[-<>!~&|^+*/%])")
SWAPS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="], ">=": [">", "<"], "&&": ["||"],
         "||": ["&&"], "!": [""], "~": [""], "<<": [">>"], ">>": ["<<"], "+=": ["-="], "-=": ["+="], "|=": ["&="], "&=": ["|="],
         "|": ["&"], "^": ["|"], "%": ["/"]}
BINARY_SWAPS = {"&": ["|"], "+": ["-"], "-": ["+"]}


def blank(match):
    """As long as it was, with its line ends, and nothing in it that could be mutated."""
    return re.sub(r"[^\n]", " ", match.group())


def other_numbers(text, chance):
    """The constant one more, one less, with one bit turned."""
    digits = text.rstrip("uUlL")
    suffix = text[len(digits):]
    value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits, 8 if digits[0] == "0" and len(digits) > 1 else 10)
    found = {value + 1, value ^ 1 << chance.randrange(max(value.bit_length(), 1))}
    if value > 0:
        found.add(value - 1)
    form = "0x{:X}" if digits[:2] in ("0x", "0X") else "{}"
    return [form.format(v) + suffix for v in sorted(found - {value})]


class Names:
    """What can stand for a field: other fields of the same file, other fields of Config of about the same name."""

    def __init__(self, cfg_names=()):
        self.cfg = {}
        for name in cfg_names:
            self.cfg.setdefault(re.sub(r"_[^_]*$", "", name), []).append(name)

    def others_of_cfg(self, name):
        return [n for n in self.cfg.get(re.sub(r"_[^_]*$", "", name), []) if n != name]


def sites_of(text, names, chance):
    """All places of a source that can be changed: (offset, before, [after])."""
    code = ASSERTION.sub(blank, BLANKED.sub(blank, text))
    fields = {}
    for match in re.finditer(r"(?:->|\.)\s*([A-Za-z_]\w*)\b(?!\s*\()", code):
        fields[match.group(1)] = fields.get(match.group(1), 0) + 1
    sites = []
    for match in TOKEN.finditer(code):
        kind, token, at = match.lastgroup, match.group(), match.start()
        if kind == "number":
            sites.append((at, token, other_numbers(token, chance)))
        elif kind == "op":
            others = SWAPS.get(token)
            if others is None and token in BINARY_SWAPS and re.search(r"[\w)\]]\s*$", code[:at][-40:]) and \
                    not re.search(r"\b(return|case|struct \w+|\w+_t|tensix_step|void|char)\s*$|[,(]\s*\w+\s*$", code[:at][-40:]):
                others = BINARY_SWAPS[token]
            if others:
                sites.append((at, token, others))
        elif kind == "field":
            name = re.sub(r"^(->|\.)\s*", "", token)
            others = sorted(f for f in fields if f != name)
            if others and not code[:at].rstrip().endswith(("{", ",")):
                start = at + len(token) - len(name)
                sites.append((start, name, [others[chance.randrange(len(others))] for _ in range(2)]))
        elif kind == "word":
            name = re.sub(r"_(ADDR32|SHAMT|MASK)$", "", token)
            others = names.others_of_cfg(name)
            if others:
                sites.append((at, token, [others[chance.randrange(len(others))] + token[len(name):]]))
    return sites


class Mutant:
    """One change: the whole text, and the line before and after."""

    def __init__(self, path, text, offset, before, after):
        self.path, self.before, self.after = path, before, after
        self.text = text[:offset] + after + text[offset + len(before):]
        start, end = text.rfind("\n", 0, offset) + 1, text.find("\n", offset)
        self.line = text.count("\n", 0, offset) + 1
        before_it = re.findall(r"^[{}]", text[:offset], re.M)  # where functions begin and end
        self.in_function = bool(before_it) and before_it[-1] == "{"
        self.old = text[start:end]
        self.new = text[start:offset] + after + text[offset + len(before):end]

    def key(self):
        return (self.path, " ".join(self.old.split()), " ".join(self.new.split()))


def choose(sources, names, seed):
    """Mutants without end, each one once: a place, and what comes there."""
    chance = random.Random(seed)
    places, texts = [], {}
    for path in sorted(sources):
        texts[path] = (ROOT / path).read_text(encoding="utf-8")
        places += [(path,) + site for site in sites_of(texts[path], names, random.Random(f"{seed} {path}"))]
    chance.shuffle(places)
    for path, offset, before, others in places:
        yield Mutant(path, texts[path], offset, before, others[chance.randrange(len(others))])


# ---- Survivors with a reason -----------------------------------------------------------------------------------------


def read_survivors(path):
    """key -> reason."""
    kept, file, old = {}, None, None
    if not path.exists():
        return kept
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("- ") and file:
            old = line[2:]
        elif line.startswith("+ ") and old is not None:
            kept[(file[0], " ".join(old.split()), " ".join(line[2:].split()))] = file[1]
            old = None
        elif re.match(r"\S+\.[ch]\s{2}\S", line):
            file = line.split(None, 1)
        else:
            sys.exit(f"{path}:{number}: expected 'file  reason', '- line' or '+ line'")
    return kept


# ---- Building and running --------------------------------------------------------------------------------------------


def run_make(build, *targets):
    command = ["make", "--no-print-directory", f"-j{max(1, len(os.sched_getaffinity(0)) // 2)}", f"BUILD={build}", "PRELOAD=yes",
               "OPT=-O1", "KERR_DEPS=skip", *targets]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(done.stdout[-4000:] + "\nmutate: it does not build")


def read_tests():
    """name -> command, of all that can notice."""
    tests = {}
    for pattern in UNIT:
        for path in sorted(ROOT.glob(pattern)):
            name = str(path.relative_to(ROOT))[:-2]
            tests[re.sub(r"^tests/|_test$", "", name)] = "$BUILD/" + name
    for path in sorted(ROOT.glob("tests/*.list")):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split(None, 2)
            if len(words) == 3 and not line.startswith("#") and not words[0].startswith("long") and \
                    any(fnmatch.fnmatchcase(words[1], pattern) for pattern in LISTED):
                command = INSTEAD.get(words[1], words[2])
                if command:
                    tests[words[1]] = command
    return tests | MORE


def made_by(tests):
    """What make has to build for them."""
    found = set()
    for command in tests.values():
        for word in re.findall(r"\$BUILD/(\S+)", command):
            found.add(word if word in ("kernels", "sdk") else "$BUILD/" + word)
    return found


class Bench:
    """Where tests are run, with another library or without."""

    def __init__(self, build):
        self.build = build.resolve()

    def run(self, command, preload, tmp, cpu=600, wall=1200):
        """(passed, seconds of processor)."""
        shutil.rmtree(tmp, ignore_errors=True)
        tmp.mkdir(parents=True)
        environment = dict(os.environ, BUILD=str(self.build), KERR_TEST_TMP=str(tmp), PYTHONDONTWRITEBYTECODE="1")
        if preload:
            environment["LD_PRELOAD"] = str(preload)

        def limits():
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu) + 1, int(cpu) + 3))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))

        log = tmp / "output"
        with open(log, "wb") as output:
            child = subprocess.Popen(["sh", "-c", command], cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=subprocess.STDOUT, preexec_fn=limits)  # pylint: disable=subprocess-popen-preexec-fn
            killer = threading.Timer(wall, lambda: os.killpg(child.pid, signal.SIGKILL))
            killer.start()
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = status
            killer.cancel()
        text = log.read_bytes()
        failed = status != 0 or re.search(rb"^(not ok|FAIL )", text, re.M) is not None
        return not failed, used.ru_utime + used.ru_stime


class Compiler:
    """One file of the library, with the flags that the rest has."""

    def __init__(self, build):
        self.build = build
        self.flags = shlex.split((build / "flags.txt").read_text(encoding="utf-8"))
        self.includers = {}
        for path in (build / "obj/src").rglob("*.d"):
            words = re.split(r"\s+|\\\n", path.read_text(encoding="utf-8").split("\n\n")[0])
            source = next((w for w in words if w.endswith(".c")), None)
            for word in words:
                if word.startswith("src/") and word.endswith(".h") and source:
                    self.includers.setdefault(word, set()).add(source)

    def files_of(self, path):
        return sorted(self.includers.get(path, ())) if path.endswith(".h") else [path]

    def compile(self, source, text_of, work, more=()):
        """The object of `source`, where the files in text_of have another text; None if it does not compile."""
        shutil.rmtree(work / "src", ignore_errors=True)
        for path, text in text_of.items():
            (work / path).parent.mkdir(parents=True, exist_ok=True)
            (work / path).write_text(text, encoding="utf-8")
        if source not in text_of:
            (work / source).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / source, work / source)
        output = work / "object.o"
        output.unlink(missing_ok=True)
        done = subprocess.run([*self.flags, "-w", "-Wno-psabi", f"-I{work}/src", "-Isrc", f"-I{self.build}/gen", *more, "-c", str(work / source),
                               "-o", str(output)], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return output.read_bytes() if done.returncode == 0 and output.exists() else None

    def link(self, objects, output, more=()):
        subprocess.run([self.flags[0], "-shared", "-o", str(output), *map(str, objects), *more, str(self.build / "libkerr_whole.so")],
                       check=True)


# ---- Which test runs which line ----------------------------------------------------------------------------------------


def hash_of_test(command):
    """Of the sources that make a test what it is."""
    found = hashlib.sha256(command.encode())
    for word in command.split():
        word = word.removeprefix("$BUILD/")
        for path in [ROOT / (word + ".c"), *sorted(ROOT.glob(word))] if not word.startswith(("/", "-")) else []:
            if path.is_file():
                found.update(path.read_bytes())
    return found.hexdigest()


def compile_counting(bench, compiler, sources):
    """cover.so: the library that counts lines."""
    counted = sorted(s for s in sources if s.endswith(".c"))
    place = bench.build / "cover"
    shutil.rmtree(place, ignore_errors=True)

    def compile_counted(source):
        output = place / (source[:-2] + ".o")
        output.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([*compiler.flags, "-w", "-Wno-psabi", "-O1", "--coverage", "-Isrc", f"-I{compiler.build}/gen", "-c", source,
                        "-o", str(output)], cwd=ROOT, check=True)
        return output

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        objects = list(pool.map(compile_counted, counted))
    # Tests that fork end their children by _exit, which would forget what these have counted.
    (place / "exit.c").write_text(
        "#include <sys/syscall.h>\n#include <unistd.h>\nvoid __gcov_dump(void);\n"
        "void _exit(int status)\n{\n    __gcov_dump();\n    for (;;)\n        syscall(SYS_exit_group, status);\n}\n",
        encoding="utf-8")
    subprocess.run([compiler.flags[0], "-O1", "-fPIC", "-w", "-c", "exit.c"], cwd=place, check=True)
    compiler.link([*objects, place / "exit.o"], place / "cover.so", ["--coverage"])


def lines_of_run(place, known):
    """{file: lines} of what was counted since the counts were thrown away."""
    data, found = sorted(place.rglob("*.gcda")), {}
    if not data:
        return found
    done = subprocess.run(["gcov", "--json-format", "--stdout", *map(str, data)], cwd=ROOT, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    for text in done.stdout.splitlines():
        for file in json.loads(text)["files"]:
            path = os.path.relpath(ROOT / file["file"], ROOT)
            if path in known:
                found.setdefault(path, set()).update(line["line_number"] for line in file["lines"] if line["count"])
    return found


def measure_cover(bench, compiler, tests, sources, cover=None):
    """{"tests": {name: seconds}, "lines": {file: {name: [lines]}}, ...}: each test once, over a library that counts; of a cover
    that is there only what is new."""
    place = bench.build / "cover"
    if cover is None:
        cover = {"tests": {}, "lines": {}, "hashes": hashes_of(sources), "made": {}, "counted": {}}
    made = {name: hash_of_test(command) for name, command in tests.items()}
    changed = [name for name in tests if cover["made"].get(name) != made[name]]
    library = hashes_of([str(p.relative_to(ROOT)) for p in sorted((ROOT / "src").rglob("*.[ch]"))])
    if changed and (cover.get("counted") != library or not (place / "cover.so").exists()):
        compile_counting(bench, compiler, sources)
        cover["counted"] = library
    if changed:
        print(f"mutate: counting the lines that {len(changed)} tests run", flush=True)
    for name in changed:
        for lines in cover["lines"].values():
            lines.pop(name, None)
        cover["tests"].pop(name, None)
        cover["made"][name] = made[name]
        passed, seconds = bench.run(tests[name], None, bench.build / "tmp/cover")
        if not passed:
            print(f"mutate: {name} fails as it is, and is left out", flush=True)
            continue
        for path in place.rglob("*.gcda"):
            path.unlink()
        bench.run(tests[name], place / "cover.so", bench.build / "tmp/cover", 3600, 3600)
        cover["tests"][name] = round(seconds, 3)
        for path, lines in lines_of_run(place, cover["hashes"]).items():
            if lines:
                cover["lines"].setdefault(path, {})[name] = sorted(lines)
    return cover


def hashes_of(sources):
    return {path: hashlib.sha256((ROOT / path).read_bytes()).hexdigest() for path in sorted(sources)}


class Cover:
    """Which tests to try for a line, in which order."""

    def __init__(self, data):
        self.seconds, self.lines, self.hashes = data["tests"], data["lines"], data["hashes"]
        self.wins = {}  # (file, test) -> mutants that it caught

    def tests_for(self, mutant, current):
        """Those that run the mutant's line, or the file where that is not code of a function."""
        found = []
        for name, lines in self.lines.get(mutant.path, {}).items():
            # A statement's code is counted for the line where it begins, or for one further down.
            near = True
            if current and mutant.in_function:
                first = bisect.bisect_left(lines, mutant.line - 6)
                if first == len(lines) or lines[first] > mutant.line + 3:
                    continue
                near = any(abs(n - mutant.line) <= 1 for n in lines[first:first + 12])
            if name in self.seconds:
                wins = self.wins.get((mutant.path, name), 0)
                found.append((self.seconds[name] * (1 if near else 4) / (1 + wins), name))
        if not found and current and mutant.in_function:
            return self.tests_for(mutant, False)  # nothing is counted for lines of what is always inlined
        return [name for _, name in sorted(found)]


# ---- All of it -----------------------------------------------------------------------------------------------------------


class Hunt:
    """Compiles mutants and sends the tests after them."""

    def __init__(self, build, cover, commands, hashes):
        self.bench, self.compiler, self.cover = Bench(build), Compiler(build.resolve()), cover
        self.commands, self.hashes, self.originals = commands, hashes, {}
        self.most = float("inf")
        self.patience = 3  # seconds that a test gets on top of five times what it takes

    def original(self, source, path, work):
        if (source, path) not in self.originals:
            text = (ROOT / path).read_text(encoding="utf-8")
            self.originals[(source, path)] = self.compiler.compile(source, {path: text}, work)
        return self.originals[(source, path)]

    def result(self, mutant, work):
        """'invalid', 'survived', or the name of the test that caught it."""
        work.mkdir(parents=True, exist_ok=True)
        objects = []
        for source in self.compiler.files_of(mutant.path):
            made = self.compiler.compile(source, {mutant.path: mutant.text}, work)
            if made is None:
                return "invalid"
            if made != self.original(source, mutant.path, work):
                path = work / f"mutant{len(objects)}.o"
                path.write_bytes(made)
                objects.append(path)
        if not objects:
            return "invalid"
        library = work / "mutant.so"
        self.compiler.link(objects, library)
        current = self.cover.hashes.get(mutant.path) == self.hashes.get(mutant.path)
        spent = 0.0
        for name in self.cover.tests_for(mutant, current):
            seconds = self.cover.seconds[name]
            spent += seconds
            if spent > self.most:
                break
            passed, _ = self.bench.run(self.commands[name], library, work / "tmp", 5 * seconds + self.patience, 60 * seconds + 60)
            if not passed:
                self.cover.wins[(mutant.path, name)] = self.cover.wins.get((mutant.path, name), 0) + 1
                return name
        return "survived"


def sources_of(globs):
    found = [str(p.relative_to(ROOT)) for top in ("src/num", "src/tensix") for p in sorted((ROOT / top).rglob("*.[ch]"))]
    try:
        wide = "avx512f" in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        wide = False
    left = [s for s in found if wide or "avx512" not in s and "lanes512" not in s]
    if left != found:
        print("mutate: this processor has no AVX-512; what needs it is left alone")
    return left if not globs else [s for s in left if any(fnmatch.fnmatchcase(s, g) for g in globs)]


def folder_of(path):
    parts = path.split("/")
    return "/".join(parts[:3]) if len(parts) > 3 else "/".join(parts[:2])


def show(mutant, reason=None):
    return f"{mutant.path}:{mutant.line}" + (f"  {reason}" if reason else "") + f"\n- {mutant.old.strip()}\n+ {mutant.new.strip()}\n"


def summary(results):
    """The table for docs/mutation.md."""
    folders = {}
    for mutant, result, reason in results:
        row = folders.setdefault(folder_of(mutant.path), [0, 0, 0])
        row[0] += 1
        row[1] += result != "survived"
        row[2] += result == "survived" and reason is not None
    total = [sum(row[i] for row in folders.values()) for i in range(3)]
    lines = ["| folder | valid | caught | survived with a reason | survived |", "|---|--:|--:|--:|--:|"]
    for name, (valid, caught, kept) in [*sorted(folders.items()), ("all", total)]:
        lines.append(f"| {name} | {valid} | {caught} | {kept} | {valid - caught - kept} |")
    return "\n".join(lines) + "\n", total


def one_change(place, before, after):
    path, _, line = place.partition(":")
    text = (ROOT / path).read_text(encoding="utf-8")
    start = sum(len(x) for x in text.splitlines(True)[: int(line) - 1])
    offset = text.find(before, start)
    if offset < 0 or "\n" in text[start:offset]:
        sys.exit(f"mutate: {place} has no '{before}'")
    return Mutant(path, text, offset, before, after)


def survivors_of(report):
    """Those without a reason that an earlier run wrote down."""
    lines = report.read_text(encoding="utf-8").splitlines()
    for place, old, new in zip(lines, lines[1:], lines[2:]):
        found = re.match(r"(\S+):(\d+)  survived$", place)
        if not found:
            continue
        path, line, old, new = found.group(1), int(found.group(2)), old[2:], new[2:]
        text = (ROOT / path).read_text(encoding="utf-8") if (ROOT / path).exists() else ""
        at = [m.start(1) for m in re.finditer(r"^[ \t]*(" + re.escape(old) + r")$", text, re.M)]
        if not at:
            print(f"mutate: {path} has no '{old}' any more")
            continue
        yield Mutant(path, text, min(at, key=lambda a: abs(text.count("\n", 0, a) + 1 - line)), old, new)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build/mutate"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300, help="valid mutants")
    parser.add_argument("--skip", type=int, default=0, help="those of the seed, valid or not, that were looked at before")
    parser.add_argument("--file", action="append", default=[], help="only these, as 'src/tensix/pack/*'")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no more mutants after")
    parser.add_argument("--most", type=float, default=float("inf"), help="seconds of tests for one mutant: a run in a hurry")
    parser.add_argument("--list", action="store_true", help="only print what would be changed")
    parser.add_argument("--survivors", type=pathlib.Path, default=ROOT / "tests/survivors.txt")
    parser.add_argument("--report", type=pathlib.Path)
    parser.add_argument("--no-build", action="store_true", help="tests and library are as they are")
    parser.add_argument("--try", dest="own", nargs=3, metavar=("FILE:LINE", "BEFORE", "AFTER"))
    parser.add_argument("--again", type=pathlib.Path, metavar="REPORT")
    args = parser.parse_args()

    everything = sources_of([])
    chosen = sources_of(args.file) if args.file else everything
    header = args.build / "gen/cfg_fields.h"
    tests = read_tests()
    if not args.no_build and not args.list:
        run_make(args.build, *(t.replace("$BUILD", str(args.build)) for t in sorted(made_by(tests))))
    names = Names(re.findall(r"\b(\w+)_ADDR32\b", header.read_text(encoding="utf-8")) if header.exists() else ())
    if args.list:
        for _, mutant in zip(range(args.count), choose(chosen, names, args.seed)):
            print(show(mutant), end="")
        return 0

    place = args.build / "cover.json"
    hashes = hashes_of(everything)
    cover = json.loads(place.read_text(encoding="utf-8")) if place.exists() else None
    if cover and sum(cover["hashes"].get(p) != h for p, h in hashes.items()) > len(hashes) // 4:
        cover = None  # much has changed
    cover = measure_cover(Bench(args.build), Compiler(args.build.resolve()), tests, everything, cover)
    place.write_text(json.dumps(cover), encoding="utf-8")
    hunt = Hunt(args.build, Cover(cover), tests, hashes)
    hunt.most = args.most
    hunt.cover.seconds = {n: s for n, s in hunt.cover.seconds.items() if n in tests}
    if args.own:
        mutant = one_change(*args.own)
        print(show(mutant, hunt.result(mutant, args.build.resolve() / "try")), end="")
        return 0

    kept = read_survivors(args.survivors)
    usable = [s for s in chosen if len(hunt.compiler.files_of(s)) in range(1, HEADER_OBJECTS + 1)]
    mutants = iter(list(survivors_of(args.again))) if args.again else choose(usable, names, args.seed)
    mutants = itertools.islice(mutants, args.skip, None)
    results, lock, started = [], threading.Lock(), time.monotonic()
    report = args.report or args.build / "report.txt"
    invalid = 0
    with open(report, "w", encoding="utf-8") as log:

        def work(number):
            nonlocal invalid
            while True:
                with lock:
                    if len(results) >= args.count or time.monotonic() - started > args.seconds:
                        return
                    mutant = next(mutants, None)
                if mutant is None:
                    return
                before = time.monotonic()
                result = hunt.result(mutant, args.build.resolve() / f"work{number}")
                with lock:
                    if result == "invalid":
                        invalid += 1
                        continue
                    reason = kept.get(mutant.key()) if result == "survived" else None
                    results.append((mutant, result, reason))
                    word = f"{result} ({reason})" if reason else result if result == "survived" else f"caught by {result}"
                    print(f"{len(results)}: {mutant.path}:{mutant.line}: '{mutant.before}' to '{mutant.after}': {word}, "
                          f"{time.monotonic() - before:.1f} s", flush=True)
                    log.write(show(mutant, word))
                    log.flush()

        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for future in [pool.submit(work, i) for i in range(args.jobs)]:
                future.result()
        table, total = summary(results)
        log.write("\n" + table)
    survivors = [(m, r) for m, result, r in results if result == "survived"]
    if survivors:
        print("\nSurvivors:")
        for mutant, reason in survivors:
            print(show(mutant, reason), end="")
    print(f"\n{table}\nmutate: seed {args.seed}, {invalid} that are not valid, {total[1]} of {total[0]} caught "
          f"({100 * total[1] / max(1, total[0]):.1f} %), {total[2]} more have a reason; {report}")
    return 1 if any(reason is None for _, reason in survivors) else 0


if __name__ == "__main__":
    sys.exit(main())

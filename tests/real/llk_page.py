# SPDX-License-Identifier: Apache-2.0
"""What llk.py writes into docs/conformance.md: a table by file, and why cases fail."""

import collections
import datetime
import os
import re
import statistics
import subprocess

# What a failing case says -> why.  First match; the groups are filled in.
REASONS = [
    (r"iterations: 0, runtime: [^\n]*overhead (\d+)/30", "a zone of the suite's profiler costs {0} cycles, on a card "
     "30 ± 5 (baby cores: registers' loads, branches)"),
    (r"does not compile[\s\S]*?(error: [^\n]{0,100})", "does not compile: {0}"),
    (r"\[\d+\] ERROR: (\w+): (\w+): ([^\n]{0,90})", "the simulator ended the process: {0}: {1}: {2}"),
    (r"(?:tile \([^)]*\)[^\n]*?cycle \d+\s+)(\w+)[^\n]*?: (unimplemented|unknown|undefined|unpredictable|hazard): "
     r"([^\n]{0,110})", "fault: {1}: {0}: {2}"),
    (r"TENSIX TIMED OUT|Timeout reached|TIMEOUT after", "does not end in time"),
    (r"LLK ASSERT HIT", "an assertion of the kernel"),
    (r"ENDED with status (\d+)", "the process ended, status {0}"),
    (r"(?:⨯|AssertionError)[^\n]*?(Assert[^\n]{0,80}|PCC[^\n]{0,60})", "wrong result: {0}"),
    (r"⨯[^\n]*Error type: (\w+)\n([^\n]{0,90})", "{0}: {1}"),
    (r"⨯", "wrong result"),
]


def reason_of(result):
    for pattern, reason in REASONS:
        found = re.search(pattern, result["text"])
        if found:
            return re.sub(r"0x[0-9a-fA-F]+|\b\d+\.\d+\b", "#", reason.format(*found.groups())).replace("|", "/")
    return (result["text"].strip().split("\n") or [""])[-1][:100].replace("|", "/")


def counts(cases, results):
    return collections.Counter(results[case]["outcome"] if case in results else "open" for case in cases)


def same_bits(cases, results):
    """Cases whose results both libraries gave, and those of them that are equal bit for bit."""
    ours, theirs = results.get("Kerr", {}), results.get("REF", {})
    both = [(ours[case]["bits"], theirs[case]["bits"]) for case in cases if case in ours and case in theirs
            and ours[case].get("bits") and theirs[case].get("bits")]
    return len(both), sum(one == other for one, other in both)


def other_bits(results):
    """Cases whose results both libraries gave, and not the same."""
    return [case for case in results.get("Kerr", {}) if same_bits([case], results) == (1, 0)]


def summary(chosen, results):
    for file, cases in sorted(chosen.items()):
        parts = []
        for library, known in results.items():
            count = counts(cases, known)
            time = sum(known[case].get("cpu", 0) for case in cases if case in known)
            parts.append(f"{library} {count['passed']:4} pass {count['failed']:4} fail {count['skipped']:4} out "
                         f"{time:7.1f} s")
        both, equal = same_bits(cases, results)
        yield f"  {file:52} {len(cases):5}: {'; '.join(parts)}" + (f"; bits {equal}/{both}" if both else "")
    every = [case for cases in chosen.values() for case in cases]
    for library, known in results.items():
        count = counts(every, known)
        yield (f"  {library}: {len(every)} cases, {count['passed']} pass, {count['failed']} fail, {count['skipped']} "
               f"left out, {count['open']} not run")
        reasons = collections.Counter(reason_of(known[case]) for case in every
                                      if case in known and known[case]["outcome"] == "failed")
        for reason, number in reasons.most_common(40):
            yield f"    {number:5} {reason}"
    both, equal = same_bits(every, results)
    if both:
        yield f"  results of {both} cases from both libraries, {equal} equal bit for bit"


def version_of(command):
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip().split("\n")[0]
    except OSError:
        return "unknown"


def table(chosen, total, results):
    libraries = list(results)
    head = "".join(f" {library} pass | fail | left out |" for library in libraries)
    lines = [f"| file | cases | run |{head} same bits |", "|---|--:|--:|" + "--:|--:|--:|" * len(libraries) + "--:|"]
    rows = [(f"`{file}`", total[file], cases) for file, cases in sorted(chosen.items())]
    rows.append(("all", sum(total[file] for file in chosen), [case for cases in chosen.values() for case in cases]))
    for name, of_file, cases in rows:
        cells = []
        for library in libraries:
            count = counts(cases, results[library])
            cells.append(f" {count['passed']} | {count['failed']} | {count['skipped']} |")
        done = sum(case in results["Kerr"] for case in cases)
        both, equal = same_bits(cases, results)
        lines.append(f"| {name} | {of_file} | {done} |{''.join(cells)} {f'{equal} of {both}' if both else ''} |")
    return lines


RUN_TYPES = ("L1_TO_L1", "UNPACK_ISOLATE", "MATH_ISOLATE", "PACK_ISOLATE", "L1_CONGESTION")


def cycles_table(chosen, known):
    """The medians of what the benchmarks of a file measured on Kerr, for each way in which they are run."""
    lines = ["", "Cycles of a benchmark's loop on Kerr, the median of its cases:", "",
             f"| file | cases with cycles | {' | '.join(RUN_TYPES)} |", "|---|--:|" + "--:|" * len(RUN_TYPES)]
    for file, cases in sorted(chosen.items()):
        measured = [known[case]["cycles"] for case in cases if case in known and known[case].get("cycles")]
        cells = []
        for run_type in RUN_TYPES:
            values = [cycles[run_type] for cycles in measured if run_type in cycles]
            cells.append(f"{statistics.median(values):.0f}" if values else "")
        lines.append(f"| `{file}` | {len(measured)} | {' | '.join(cells)} |")
    return lines


def reasons(chosen, results):
    lines = []
    for library, known in results.items():
        groups = collections.defaultdict(collections.Counter)
        for file, cases in chosen.items():
            for case in cases:
                if case in known and known[case]["outcome"] == "failed":
                    groups[reason_of(known[case])][os.path.basename(file)[:-3]] += 1
        if groups:
            lines += ["", f"Why cases fail on {library}:", "", "| cases | why | files |", "|--:|---|---|"]
            for reason, files in sorted(groups.items(), key=lambda group: -sum(group[1].values())):
                lines.append(f"| {sum(files.values())} | {reason} | {', '.join(sorted(files))} |")
    return lines


def nothing_runs(chosen, known):
    """Files of which no case of the sample runs, because the suite leaves all of them out, and why."""
    files = []
    for file, cases in sorted(chosen.items()):
        here = [known[case] for case in cases if case in known]
        if here and all(result["outcome"] == "skipped" for result in here):
            why = sorted({result["text"].strip().split("\n")[0].replace("Skipped: ", "") for result in here})
            files.append(f"| `{file}` | {'; '.join(why)} |")
    return ["", "Files of which the suite leaves out all cases of the sample:", "", "| file | why |", "|---|---|",
            *files] if files else []


def page(suite, chosen, total, results):
    compiler = version_of([os.path.join(suite.tests, "sfpi", "compiler", "bin", "riscv-tt-elf-g++"), "--version"])
    packages = version_of([suite.python, "-c", "import importlib.metadata as m; "
                           "print(', '.join(f'{p} {m.version(p)}' for p in ('tt-exalens', 'tt-umd', 'torch', 'pytest')))"])
    how_many = f"at most {suite.options.per_file} cases a file by seed {suite.options.seed}" if suite.options.per_file else \
        "all cases"
    lines = [f"{datetime.date.today().isoformat()}: {how_many}, SFPLOADMACRO on"
             f"{', both libraries on the same programs' if 'REF' in results else ''}. {compiler}; {packages}."]
    if "REF" in results:
        lines[0] += " REF is ttsim. \"Same bits\": of the cases whose results both gave, those that are equal bit for bit."
    every = [case for cases in chosen.values() for case in cases]
    for library, known in results.items():
        left = sum(case not in known for case in every)
        if left and suite.options.kind == "plain":
            lines[0] += f" {left} of these {len(every)} cases have not been run on {library} yet."
    cycles = cycles_table(chosen, results["Kerr"]) if suite.options.kind == "perf" else []
    return "\n".join([*lines, "", *table(chosen, total, results), *reasons(chosen, results),
                      *nothing_runs(chosen, results["Kerr"]), *cycles])


def write(path, text, kind):
    name = "LLK" if kind == "plain" else f"LLK {kind}"
    begin, end = f"<!-- {name}: begin, made by make test-real -->", f"<!-- {name}: end -->"
    with open(path, encoding="utf-8") as file:
        head, found, rest = file.read().partition(begin)
    if not found:
        raise SystemExit(f"test-real: {path} has no line {begin}")
    tail = rest.partition(end)[2]
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"{head}{begin}\n{text}\n{end}{tail}")

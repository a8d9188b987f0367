#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Findings for people and programs: pages and kinds, kerr explain, policies, JSON lines, source lines, kerr why."""

import glob
import json
import re
import shutil
import subprocess
import xml.etree.ElementTree

from support import *

KINDS = re.findall(r'^KIND\(\w+, "([^"]+)", (\w+), (\w+), "([^"]+)"\)', open("src/check/kinds.def", encoding="utf-8").read(), re.M)
FAULTS = ("undefined", "unpredictable", "unimplemented", "unknown", "hazard", "deadlock", "timeout", "internal")
ILLEGAL = program("illegal.elf", code(addi(T0, ZERO, 5), 0xFFFFFFFF))
ACCESS_KEYS = {"actor", "tile", "core", "thread", "unit", "noc", "write", "cycle", "address", "size", "pc", "instruction",
               "assembly", "function", "file", "line", "called_in", "called_at", "program"}
KEYS = {"id", "severity", "tile", "cycle", "stopping", "times", "text", "field", "manual", "access", "other", "also",
        "also_count", "history"}


def lines_of(name):
    return [json.loads(line) for line in read(name).decode().splitlines()]


def findings(*arguments, env=None):
    if os.path.exists(path("findings.json")):
        os.remove(path("findings.json"))
    r = kerr("run", "--findings", path("findings.json"), *arguments, env=env)
    return r, lines_of("findings.json") if os.path.exists(path("findings.json")) else None


def test_pages():
    pages = {os.path.basename(page)[:-3] for page in glob.glob("docs/findings/*.md")} - {"README", "real"}
    names = {name for name, *_ in KINDS}
    case("every kind has a page, and every page a kind", pages == names and len(names) == len(KINDS), pages ^ names)
    readme = open("docs/findings/README.md", encoding="utf-8").read()
    listed = re.findall(r"^\| \[([\w-]+)\]\(([\w-]+)\.md\) \| (\w+) \|[^|]*\| (.*) \|$", readme, re.M)
    case("the list of the pages is that of the kinds",
         listed == [(name, name, severity.lower(), title) for name, severity, _, title in KINDS], listed)
    bad = []
    for name, severity, _, title in KINDS:
        text = open(f"docs/findings/{name}.md", encoding="utf-8").read()
        parts = re.findall(r"^## (.*)$", text, re.M)
        if (f"# {name}: {title}\n" not in text or f"Severity: {severity.lower()};" not in text or "/* wrong */" not in text
                or parts != ["Why the hardware does not protect you", "Example", "How to mend it", "Manual"]):
            bad.append(name)
    case("each page has its title, severity, example and all parts", not bad, bad)
    r = kerr("explain")
    case("kerr explain lists all kinds", r.returncode == 0 and [line.split()[0] for line in r.stdout.splitlines()] == [k[0] for k in KINDS],
         told(r))
    wrong = []
    for name, *_ in KINDS:
        text = "".join(line for line in open(f"docs/findings/{name}.md", encoding="utf-8") if not line.startswith("<!--"))
        if kerr("explain", name).stdout != text:
            wrong.append(name)
    case("kerr explain ID prints the page", not wrong, wrong)
    r = kerr("explain", "RACE-L1", "deadlock")
    case("several, in any case", r.returncode == 0 and r.stdout.count("\n# ") + r.stdout.startswith("# ") == 2, told(r))
    for name, near in (("race-11", "race-l1"), ("uninit", "uninit-l1"), ("deadlok", "deadlock"), ("sem-underflw", "sem-underflow")):
        r = kerr("explain", name)
        case(f"explain {name} asks for {near}", r.returncode == 2 and f"no kind of finding '{name}'" in r.stderr and f"did you mean {near}?" in r.stderr, told(r))
    r = kerr("explain", "something-else-altogether-that-is-far-too-long-for-a-name")
    case("explain of nothing like a name", r.returncode == 2 and "kerr explain lists them" in r.stderr, told(r))


def test_policies():
    for policy, status, count in (("strict", 1, 1), ("report", 4, 1), ("card", 4, 0), ("undefined=stop", 1, 1), ("all=go-on", 4, 1),
                                  ("undefined=ignore", 4, 0), ("report,undefined=strict", 1, 1), ("strict,undefined=card", 4, 0),
                                  ("UNDEFINED=Report", 4, 1), ("race-l1=strict,uninit-l1=card", 1, 1)):
        r, found = findings("-p", policy, ILLEGAL)
        case(f"--policy {policy}", r.returncode == status and found is not None and len(found) == count
             and all(f["stopping"] == (status == 1) for f in found), told(r) + str(found))
    r, found = findings(ILLEGAL, env={"KERR_POLICY": "report"})
    case("KERR_POLICY does the same", r.returncode == 4 and len(found) == 1, told(r))
    r, found = findings("--policy", "report", "--findings-ok", ILLEGAL)
    case("--findings-ok does not make a core finish that a fault has stopped", r.returncode == 4 and len(found) == 1, told(r))
    reads = program("reads.elf", code(li(T0, 0x30000), lw(T1, T0), FOREVER))
    r, found = findings("--check=memory", reads)
    case("a run that ends well fails if something is found", r.returncode == 5 and len(found) == 1, told(r))
    r, found = findings("--check=memory", "--findings-ok", reads)
    case("--findings-ok lets a run with findings end well", r.returncode == 0 and len(found) == 1, told(r))
    r, found = findings("--policy", "strict", "--findings-ok", ILLEGAL)
    case("but no fault", r.returncode == 1 and len(found) == 1, told(r))
    r, found = findings("--policy", "strict", ILLEGAL, env={"KERR_POLICY": "report"})
    case("and the line wins over it", r.returncode == 1 and len(found) == 1, told(r))
    for policy, message in (("undefned=stop", r"'undefned' is no kind of finding .*did you mean 'undefined'.*column 1"),
                            ("hazard=maybe", "'hazard=maybe' is no policy"), ("cards", "'cards' is no policy.*did you mean 'card'"),
                            ("undefined=stp", "is no policy.*did you mean 'stop'"),
                            ("report,,strict", "nothing in it, or between two commas.*column 8"), ("=stop", "'' is no kind"),
                            ("x" * 400, "too long for a name"), ("undefined=", "'undefined=' is no policy")):
        r, found = findings("--policy", policy, ILLEGAL)
        case(f"--policy {policy[:20]} is an error, and nothing runs", r.returncode == 2 and found is None and re.search(message, r.stderr),
             told(r))
    r, found = findings("--check=memroy", ILLEGAL)
    case("a check that does not exist is an error", r.returncode == 2 and found is None
         and "--check: 'memroy' is no check: memory, sync" in r.stderr and "did you mean 'memory'?" in r.stderr, told(r))
    r, found = findings(ILLEGAL, env={"KERR_CHECK": "nothing"})
    case("the same of KERR_CHECK", r.returncode == 2 and "KERR_CHECK: 'nothing' is no check" in r.stderr and found is None, told(r))
    for checks in ("memory", "sync", "hazard", "memory,sync", "all", "history"):
        r, found = findings(f"--check={checks}", ILLEGAL)
        case(f"--check={checks} is taken", r.returncode == 1 and "is no check" not in r.stderr and found[0]["id"] == "undefined", told(r))
    r = kerr("run", ILLEGAL, "--findings", path("nowhere/findings.json"))
    case("a findings file that cannot be written is an error before the run", r.returncode == 2
         and "--findings: " in r.stderr and "No such file" in r.stderr and "stopped by a fault" not in r.stderr, told(r))


def test_json():
    r, found = findings(ILLEGAL)
    f = found[0]
    case("a finding has all keys that the page names, and no other", set(f) == KEYS and set(f["access"]) == ACCESS_KEYS, f)
    readme = open("docs/findings/README.md", encoding="utf-8").read()
    named = set(re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (`.*?) \|", readme.split("## Lines of JSON")[1], re.M))))
    case("the page names them all", KEYS | ACCESS_KEYS <= named, (KEYS | ACCESS_KEYS) - named)
    case("it says what, who, where and when", f["id"] == "undefined" and f["severity"] == "error" and f["tile"] == [1, 2]
         and f["access"]["core"] == "B" and f["access"]["pc"] == "0x00003004" and f["access"]["instruction"] == "0xffffffff"
         and f["other"] is None and f["stopping"] is True and f["access"]["program"].endswith("illegal.elf"), f)
    r = kerr("run", "-q", ILLEGAL, "--findings", "-")
    case("- is standard output", json.loads(r.stdout) == f, told(r))
    r = kerr("run", ILLEGAL)
    case("the summary counts them", "1 finding: 1 undefined; kerr explain" in r.stderr, told(r))
    r, found = findings(program("fine.elf", store(0x20000, 1)))
    case("no finding, no line", found == [] and "finding" not in r.stderr, told(r))


def sarif_is_sound(made):
    """What the schema of SARIF 2.1.0 asks of those parts that we write, and what readers take for granted; a list of what is wrong."""
    wrong = []

    def need(ok, what):
        if not ok:
            wrong.append(what)

    need(set(made) == {"$schema", "version", "runs"} and made["version"] == "2.1.0" and "sarif-2.1.0" in made["$schema"], "top")
    need(len(made["runs"]) == 1 and set(made["runs"][0]) == {"tool", "results"}, "runs")
    driver = made["runs"][0]["tool"]["driver"]
    need(driver["name"] == "Kerr" and re.fullmatch(r"\d+\.\d+\.\d+.*", driver["version"]), "driver")
    rules = driver["rules"]
    need([r["id"] for r in rules] == [k[0] for k in KINDS], "every kind is a rule, once")
    for r in rules:
        need(set(r) == {"id", "shortDescription", "help", "defaultConfiguration"} and r["shortDescription"]["text"] and r["help"]["text"]
             and r["defaultConfiguration"]["level"] in ("note", "warning", "error"), r)
    for result in made["runs"][0]["results"]:
        need({"ruleId", "ruleIndex", "level", "message", "locations", "occurrenceCount"} <= set(result) <= {
            "ruleId", "ruleIndex", "level", "message", "locations", "occurrenceCount", "relatedLocations", "properties"}, set(result))
        need(rules[result["ruleIndex"]]["id"] == result["ruleId"] and result["level"] in ("note", "warning", "error")
             and result["message"]["text"] and result["occurrenceCount"] >= 1 and len(result["locations"]) == 1, result["ruleId"])
        for location in result["locations"] + result.get("relatedLocations", []):
            need(set(location) <= {"physicalLocation", "logicalLocations", "message"} and location["logicalLocations"][0]["fullyQualifiedName"],
                 location)
            if "physicalLocation" in location:
                place = location["physicalLocation"]
                need(re.fullmatch(r"(file:///)?([A-Za-z0-9/._~+-]|%[0-9A-F]{2})+", place["artifactLocation"]["uri"]), place)
                need(place["region"]["startLine"] >= 1 and isinstance(place["region"]["startLine"], int), place)
    return wrong


def test_formats():
    """SARIF and JUnit, by the ending of the file's name."""
    r = kerr("run", ILLEGAL, "--findings", path("one.sarif"))
    made = json.loads(read("one.sarif"))
    case("SARIF of a fault without source lines", r.returncode == 1 and not sarif_is_sound(made)
         and [x["ruleId"] for x in made["runs"][0]["results"]] == ["undefined"]
         and made["runs"][0]["results"][0]["properties"]["finding"]["access"]["pc"] == "0x00003004", f"{sarif_is_sound(made)}\n{made}")
    r = kerr("run", program("fine.elf", store(0x20000, 1)), "--check", "--findings", path("none.sarif"))
    made = json.loads(read("none.sarif"))
    case("of nothing: no results", r.returncode == 0 and not sarif_is_sound(made) and made["runs"][0]["results"] == [], made)
    r = kerr("run", path("fine.elf"), "--check", "--findings", path("none.xml"))
    suite = xml.etree.ElementTree.fromstring(read("none.xml"))[0]
    case("JUnit of nothing: one test that passed", r.returncode == 0 and suite.get("tests") == "1" and suite.get("failures") == "0"
         and len(suite) == 1 and len(suite[0]) == 0, read("none.xml"))
    if not os.path.exists(debugging("race_T0")):
        skip("formats with source lines", "the examples are not built")
        return
    cores = [f"{core}={debugging('race_' + core)}" for core in ("B", "T0", "T1", "T2") if os.path.exists(debugging("race_" + core))]
    odd = path("a <&\"b\" d")  # names that JSON, URIs and XML do not take as they are
    os.makedirs(odd, exist_ok=True)
    r = kerr("run", *cores, "--check", "--findings", os.path.join(odd, "race.SARIF"))
    with open(os.path.join(odd, "race.SARIF"), encoding="utf-8") as file:
        made = json.load(file)
    lines, found = findings(*cores, "--check")
    case("a run with findings that ended well fails with status 5", r.returncode == 5 and lines.returncode == 5 and len(found) > 0, told(r))
    places = [(x["locations"][0].get("physicalLocation") or {}) for x in made["runs"][0]["results"]]
    case("SARIF has file and line of each, as the lines of JSON have", not sarif_is_sound(made) and len(places) == len(found)
         and all(p["artifactLocation"]["uri"].endswith(os.path.basename(f["access"]["file"])) and p["region"]["startLine"] == f["access"]["line"]
                 for p, f in zip(places, found)), f"{sarif_is_sound(made)}\n{made}")
    case("and the other end", any(x.get("relatedLocations") for x in made["runs"][0]["results"]), made)
    kerr("run", *cores, "--check", "--findings", path("race.xml"))
    suite = xml.etree.ElementTree.fromstring(read("race.xml"))[0]
    case("JUnit has a failure for each, with file, line and the sentence", suite.get("failures") == str(len(found)) == suite.get("tests")
         and [(c.get("file"), int(c.get("line")), c[0].tag, c[0].get("type"), c[0].get("message")) for c in suite]
         == [(f["access"]["file"], f["access"]["line"], "failure", f["id"], f["text"]) for f in found], read("race.xml"))
    r = kerr("run", *cores, "--check", "--findings-ok", "-q")
    case("--findings-ok: status 0", r.returncode == 0, told(r))


def debugging(name):
    return os.path.join(BUILD, "debugging", name + ".elf")


def test_snapshots():
    """What is found in the kernels of docs/debugging.md."""
    if not os.path.exists(debugging("hang_T0")):
        skip("findings of the examples", "they are not built")
        return
    programs = [f"T{i}=" + debugging(f"hang_T{i}") for i in range(3)]
    r, found = findings(*programs, "--save", path("hang.chip"))
    line = next(i for i, text in enumerate(open("examples/debugging/hang.c", encoding="utf-8"), 1) if "TT_SEMGET(READY)" in text)
    case("the hang is a deadlock of thread T1 and its core", [f["id"] for f in found] == ["deadlock"] * 2
         and [(f["access"]["actor"], f["access"]["core"], f["access"]["thread"]) for f in found] == [("thread", "T1", 1), ("core", "T1", None)]
         and found[0]["access"]["file"].endswith("hang.c") and found[0]["access"]["line"] == line
         and found[0]["access"]["assembly"] == "SEMGET SemaphoreMask=2" and found[0]["access"]["unit"] == "Sync Unit", found)
    case("kerr run says who waits for whom", "who waits for whom" in r.stderr and re.search(
        r"\* \[Tensix T1\] --\(waits until it is above 0\)--> \(semaphore 1 is 0 of \d+\) --\(SEMPOST\)--> \[Tensix T0\]", r.stderr)
        and "never comes: a SEMPOST of semaphore 1" in r.stderr, told(r))
    test_why()
    test_drawings()
    test_checks()
    mended = [f"T{i}=" + debugging(f"hang_mended_T{i}") for i in range(3)]
    r, found = findings(*mended)
    case("and its mended twin ends", r.returncode == 0 and found == [], told(r))


def line_in(source, text):
    return next(i for i, line in enumerate(source.splitlines(), 1) if text in line)


def line_of(name, text):
    return next(i for i, line in enumerate(open(f"examples/debugging/{name}.c", encoding="utf-8"), 1) if text in line)


def test_checks():
    """The race and the uninitialised read of docs/debugging.md, and what is not found in their mended twins."""
    def cores(name):
        return [f"{core}=" + debugging(f"{name}_{core}") for core in ("B", "T0")]

    r, found = findings(*cores("race"), "--check")
    ends = {(f[end]["core"], f[end]["write"], os.path.basename(f[end]["file"]), f[end]["line"]) for f in found for end in ("access", "other")}
    case("the race: both ends by source line, in order of cycle", {f["id"] for f in found} == {"race-l1"} and ends <= {
        (core, write, "race.c", line_of("race", "*TOTAL = before + 1;" if write else "before = *TOTAL"))
        for core in ("B", "T0") for write in (True, False)} and {core for core, *_ in ends} == {"B", "T0"}
        and [f["cycle"] for f in found] == sorted(f["cycle"] for f in found) and all(f["access"]["core"] != f["other"]["core"] for f in found)
        and all(1 <= len(f["history"]) <= 32 and f["history"][-1]["pc"] == f["access"]["pc"] for f in found), found)
    r, again = findings(*cores("race"), "--check")
    case("the same run finds the same", found == again, again)
    r, strict = findings(*cores("race"), "--check", "--policy", "strict")
    case("strict stops at the first", r.returncode == 1 and strict[0]["stopping"] and strict[0]["text"] == found[0]["text"]
         and "last instructions:" in r.stderr, told(r))
    r, found = findings(*cores("uninit"), "--check")
    a = found[0]["access"] if found else {}
    case("the uninitialised read: where, and what came before", [f["id"] for f in found] == ["uninit-l1"] and a["core"] == "B"
         and a["line"] == line_of("uninit", "sum += TABLE") and a["address"] == "0x000200f4" and a["size"] == 4
         and found[0]["other"] is None and len(found[0]["history"]) == 32
         and found[0]["history"][-1]["assembly"] == a["assembly"], found)
    for name in ("race_mended", "uninit_mended"):
        r, found = findings(*cores(name), "--check")
        case(f"nothing in {name}", r.returncode == 0 and found == [], told(r))


def boxes_of(name):
    """Of a drawing: its size, its texts as (left, top, right, bottom, text), with narrow letters, and its boxes."""
    root = xml.etree.ElementTree.parse(path(name)).getroot()
    texts, rects = [], []
    for e in root.iter():
        if e.tag.endswith("}text"):
            x, y, size, text = float(e.get("x")), float(e.get("y")), float(e.get("font-size", 14)), "".join(e.itertext())
            width = 0.45 * len(text) * size
            left = x - width / 2 if e.get("text-anchor") == "middle" else x
            texts.append((left, y - 0.75 * size, left + width, y + 0.2 * size, text))
        elif e.tag.endswith("}rect") and e.get("x") is not None:
            x, y, width, height = (float(e.get(k)) for k in ("x", "y", "width", "height"))
            rects.append((x, y, x + width, y + height))
    return (float(root.get("width")), float(root.get("height"))), texts, rects


def unreadable(name):
    """What hides or cuts a label of a drawing."""
    (width, height), texts, rects = boxes_of(name)

    def meet(a, b):
        return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]

    def within(a, b):
        return b[0] <= a[0] and a[2] <= b[2] and b[1] <= a[1] and a[3] <= b[3]

    bad = [("cut", a[4]) for a in texts if "..." in a[4]]
    bad += [("past the edge", a[4]) for a in texts if not within(a, (0, 0, width, height))]
    bad += [("over each other", a[4], b[4]) for i, a in enumerate(texts) for b in texts[:i] if meet(a, b)]
    bad += [("over the edge of a box", a[4]) for a in texts for r in rects if meet(a, r) and not within(a, r)]
    bad += [("boxes", a, b) for i, a in enumerate(rects) for b in rects[:i] if meet(a, b)]
    return bad


def words_of(name):
    return "".join("".join(text[4] for text in boxes_of(name)[1]).split())


def test_drawings():
    """Every label whole and free: one tile, all seven who can wait, several tiles."""
    hang = [f"T{i}=" + debugging(f"hang_T{i}") for i in range(3)]
    elfs = [part for i in range(3) for part in ("--elf", debugging(f"hang_T{i}"))]
    bad = unreadable("why.svg")
    case("no label hides another, none is cut: one tile", not bad, bad)
    case("sentences are whole", "waitsinkerr_settle()at" in words_of("why.svg") and "calledatexamples/debugging/hang.c:" in words_of("why.svg")
         and "RISCVT1waitsforitinturn,RISCVT2hasended" in words_of("why.svg"), words_of("why.svg"))
    push, done_check, mailbox = 0xFFE40000, 0xFFE80004, 0xFFEC0000
    seven = ["1,2:B=" + program("seven_B.elf", code(li(T0, mailbox + 0x1000), lw(T1, T0), addi(T1, T1, 1), FOREVER))]
    for i in range(3):  # SEMWAIT while semaphore i is zero; SEMGET; until the thread is done
        text = code(li(T0, push), li(T1, 0xA6010001 | 4 << i), sw(T1, T0), li(T1, 0xA5000000 | 4 << i), sw(T1, T0), li(T0, done_check),
                    lw(T1, T0), addi(T1, T1, 1), FOREVER)
        seven.append(f"1,2:T{i}=" + program(f"seven_T{i}.elf", text, 0x6000 + 0x4000 * i))
    kerr("run", *seven, *(f"{tile}:{text}" for tile in ("2,2", "3,2") for text in hang), "--save", path("seven.chip"))
    r = kerr("why", path("seven.chip"), *elfs, "--svg", path("seven.svg"))
    words, bad = words_of("seven.svg"), unreadable("seven.svg")
    case("nor with seven who wait, and several tiles", r.returncode == 0 and not bad, (bad, told(r)))
    case("all of them are there", all(f"{i}:" in words for i in range(1, 8)) and "tile(1,2)" in words and "tile(2,2),and1morelikeit" in words
         and words.count("nevercomes") == 4, words)


def test_why():
    elfs = [part for i in range(3) for part in ("--elf", debugging(f"hang_T{i}"))]
    r = kerr("why", path("hang.chip"), *elfs, "--svg", path("why.svg"), "--dot", path("why.dot"))
    case("kerr why tells the same of the saved chip, with source lines", r.returncode == 0 and re.search(r"hang\.c:\d+ of .*hang_T1\.elf", r.stdout)
         and "* [Tensix T1]" in r.stdout and "never comes: a SEMPOST of semaphore 1" in r.stdout
         and re.search(r"RISCV T0\] has ended", r.stdout), told(r))
    picture = xml.etree.ElementTree.parse(path("why.svg")).getroot()
    words = " ".join(text for text in picture.itertext())
    case("the drawing is a picture of it", picture.tag.endswith("svg") and "semaphore 1 is 0" in words and "Tensix T1" in words
         and "never comes" in words, words)
    dot = read("why.dot").decode()
    case("so is the file for Graphviz", dot.startswith("digraph") and dot.count("->") >= 3 and dot.count("{") == dot.count("}"), dot)
    r = kerr("why", path("hang.chip"))
    case("without programs there are addresses", r.returncode == 0 and "pc 0x" in r.stdout and ".c:" not in r.stdout, told(r))
    r = kerr("why", path("hang.chip"), "--tile", "2,2")
    case("a tile that does nothing is not told of", r.returncode == 0 and "RISCV" not in r.stdout, told(r))
    for name, arguments, message in (("no chip", (), "no chip to look at"), ("a file that is none", (ILLEGAL,), "is not a saved chip"),
                                     ("a file that is not there", (path("none.chip"),), "No such file"),
                                     ("two", (path("hang.chip"), path("hang.chip")), "one chip at a time"),
                                     ("a picture that cannot be written", (path("hang.chip"), "--svg", path("nowhere/why.svg")), "No such file")):
        r = kerr("why", *arguments)
        case(f"kerr why: {name}", r.returncode == 2 and message in r.stderr, told(r))


def test_timeout():
    polls = program("polls.elf", code(li(T0, 0x20000), lw(T1, T0), 0xFE030EE3, FOREVER))  # beq t1, zero, -4
    r, found = findings(polls, "--until", "1,2@0x20000==1", "--timeout-cycles", "5k")
    case("a hang needs no --timeout-cycles", r.returncode == 4 and found == [] and "hung after" in r.stderr, told(r))
    polls = program("polls.elf", code(li(T0, 0x20000), addi(T2, T2, 1), lw(T1, T0), 0xFE030CE3, FOREVER))  # beq t1, zero, -8; counts too
    r, found = findings(polls, "--until", "1,2@0x20000==1", "--timeout-cycles", "5k")
    case("--timeout-cycles is a fault, and says who waits", r.returncode == 1 and [f["id"] for f in found] == ["timeout"]
         and "condition of --until is not reached after 5000 cycles" in found[0]["text"] and re.search("RISCV B +runs", r.stderr), told(r))
    r, found = findings(polls, "--until", "1,2@0x20000==1", "--timeout-cycles", "5k", "--policy", "timeout=go-on")
    case("its policy counts", r.returncode == 3 and len(found) == 1 and not found[0]["stopping"], told(r))
    r, found = findings(program("done.elf", store(0x20000, 1)), "--timeout-cycles", "5k")
    case("a run that ends is none", r.returncode == 0 and found == [], told(r))


SOURCE = """
__attribute__((noinline, naked)) void wrong(void) {
    __asm__ volatile("li t0, 0x800000\\n\\tsw t0, 0(t0)\\n\\tret"); }
__attribute__((naked)) void _start(void) { __asm__ volatile("call wrong\\n0:\\tj 0b"); }
"""


def test_lines():
    if shutil.which(GCC) is None:
        skip("source lines", f"no {GCC}")
        return
    good = path("lines.elf")
    subprocess.run([GCC, "-g", "-O0", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-Wl,-n", "-Wl,-Ttext=0x3000",
                    write("lines.c", SOURCE), "-o", good], check=True, stderr=subprocess.DEVNULL)
    r, found = findings(good)
    a = found[0]["access"]
    case("function, file and line", a["function"] == "wrong" and a["file"].endswith("lines.c") and a["line"] == 3, found)
    strip = GCC.replace("gcc", "strip")
    subprocess.run([strip, "--strip-debug", good, "-o", path("symbols.elf")], check=True)
    r, found = findings(path("symbols.elf"))
    a = found[0]["access"]
    case("no DWARF: address and symbol, and a word on it", a["function"] == "wrong" and a["line"] is None and a["pc"] is not None
         and r.returncode == 1 and "symbols.elf has no line numbers (compile with -g)" in r.stderr, told(r))
    subprocess.run([strip, "--strip-all", good, "-o", path("bare.elf")], check=True)
    r, found = findings(path("bare.elf"))
    case("nothing at all: the address", found[0]["access"]["function"] is None and found[0]["access"]["pc"] is not None, told(r))
    headers = subprocess.run([GCC.replace("gcc", "objdump"), "-h", good], capture_output=True, text=True, check=True).stdout
    for section in (".debug_info", ".debug_line", ".debug_abbrev"):
        row = re.search(rf"{re.escape(section)}\s+(\w+)\s+\w+\s+\w+\s+(\w+)", headers)
        size, offset = (int(n, 16) for n in row.groups())
        data = bytearray(open(good, "rb").read())
        data[offset:offset + size] = bytes((37 * i + 11) % 251 for i in range(size))
        r, found = findings(write("broken.elf", bytes(data)))
        case(f"broken {section}: told of, and the run goes on", r.returncode == 1 and found[0]["access"]["function"] == "wrong"
             and "broken.elf: its DWARF is broken" in r.stderr, told(r))


def test_buffers():
    kernel = "build/kernels/pack_race_T0.elf"  # packs BF16 to 0x20000
    job = lambda form, tile="1,2": write("buffers.yaml", f"""
programs:
  - {{elf: {os.path.abspath(kernel)}, cores: T0}}
buffers:
  - {{tile: "{tile}", address: 0x20000, size: 0x10000, format: {form}}}
""")
    kinds = lambda found: [f["id"] for f in found if f["id"] != "race-config"]
    r, found = findings("--job", job("bfp8"), "--check")
    wrong = [f for f in found if f["id"] == "buffer-format"]
    case("a buffer of a job that is packed in another format, with who chose it", r.returncode == 5 and len(wrong) == 1
         and "PACR writes BF16 to L1, in the buffer of BFP8" in wrong[0]["text"] and wrong[0]["field"].endswith("Out_data_format")
         and wrong[0]["other"]["function"] is not None, told(r))
    r, found = findings("--job", job("bf16"), "--check")
    case("in its own format: none", kinds(found) == [], told(r))
    r, found = findings("--job", job("bfp8"))
    case("without --check nobody looks", r.returncode == 0 and found == [], told(r))
    for given, expected in (("1,2@0x20000+0x10000=bfp8", ["buffer-format"]), ("1,2@0x30000+0x10000=bfp8", []),
                            ("2,2@0x20000+0x10000=bfp8", [])):
        r, found = findings(f"1,2:T0={kernel}", "--check", "--buffer", given)
        case(f"--buffer {given}: {len(expected)} findings", kinds(found) == expected, told(r))
    for given, message in (("1,2@0x20000+4096=bf61", "did you mean 'BF16'?"), ("1,2@0x20000=bf16", "is not TILE@ADDRESS+SIZE=FORMAT"),
                           ("1,2@0x20000+0=bf16", "is no range of memory"), ("0,0@0x20000+64=bf16", "0,0"),
                           ("1,2@0x17fff0+4096=bf16", "buffer of 0x1000 bytes")):
        r = kerr("run", f"1,2:T0={kernel}", "--check", "--buffer", given)
        case(f"--buffer {given} is refused", r.returncode == 2 and message in r.stderr, told(r))
    r = kerr("run", "--job", job("float"))
    case("a format of a job that does not exist", r.returncode == 2 and "buffers.yaml:5:" in r.stderr and "format" in r.stderr, told(r))


REQUESTS = """
#define REG(n) ((volatile unsigned *)0xFFB20000)[(n) / 4]
static __attribute__((noinline)) void go(void) {
    REG(0x40) = 1;                              /* NOC_CMD_CTRL */
    while (REG(0x40)) ;
}
static __attribute__((noinline)) void ask(unsigned ctrl, unsigned targ, unsigned targ_at, unsigned ret, unsigned ret_at, unsigned length) {
    REG(0x00) = targ; REG(0x08) = targ_at; REG(0x0C) = ret; REG(0x14) = ret_at; REG(0x1C) = ctrl; REG(0x20) = length;
    go();
}
__attribute__((naked)) void _start(void) { __asm__ volatile("li sp, 0xFFB01000\\n\\tcall main\\n0:\\tj 0b"); }
int main(void) {
    enum { HERE = 1 | 2 << 6, THERE = 2 | 2 << 6, ARC = 8 };
    ask(%s);
    return 0;
}
"""


def test_noc_lines():
    """A request that its receiver, or a node without cores, refuses: the sender's source line, whatever tile that is in."""
    if shutil.which(GCC) is None:
        skip("source lines of NoC requests", f"no {GCC}")
        return
    for what, arguments, tile, message in (
            ("a write past the end of L1", "2, 0x20000, HERE, 0x180000, THERE, 64", [2, 2], "past the end of L1"),
            ("a read past the end of L1", "0x10, 0x180000, THERE, 0x20000, HERE, 64", [2, 2], "past the end of L1"),
            ("an inline write to no register", "10, 0xFFB80000, THERE, 0, HERE, 15", [2, 2], "no register there"),
            ("an inline write that a register refuses", "10, 0xFFB40080, THERE, 0, HERE, 15", [2, 2], "STREAM_RELOAD_PHASE_BLOB"),
            ("an atomic on a register", "0x11, 0xFFB20200, THERE, 0x20000, HERE, 0x107C", [2, 2], "atomics act on L1 only"),
            ("a read of the ARC at an address of nothing", "0x10, 0x1000, ARC, 0x20000, HERE, 64", [1, 2], "not in its CSM")):
        elf = path("requests.elf")
        subprocess.run([GCC, "-g", "-O1", "-march=rv32im", "-mabi=ilp32", "-nostdlib", "-ffreestanding", "-Wl,-n", "-Wl,-Ttext=0",
                        write("requests.c", REQUESTS % arguments), "-o", elf], check=True, stderr=subprocess.DEVNULL)
        line = line_in(REQUESTS, "NOC_CMD_CTRL")
        for core, threads in (("B", 1), ("T1", 1), ("B", 2)):
            r, found = findings(f"1,2:{core}={elf}", "--threads", str(threads))
            f = found[0] if found else {"access": {}}
            a = f["access"]
            case(f"{what}, by {core}, {threads} threads: who asked, by source line", r.returncode == 1 and len(found) == 1
                 and f["tile"] == tile and message in f["text"] and a["actor"] == "noc" and a["noc"] == 0 and a["tile"] == [1, 2]
                 and a["core"] == core and a["function"] == "go" and a["file"].endswith("requests.c") and a["line"] == line,
                 told(r) + str(found))
            case("... and in the text", re.search(rf"kerr:   in go\(\) at \S*requests\.c:{line}\b", r.stderr), told(r))


for test in (test_buffers, test_pages, test_policies, test_json, test_formats, test_snapshots, test_timeout, test_lines, test_noc_lines):
    test()
done()

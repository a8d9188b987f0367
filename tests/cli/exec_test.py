#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr exec: the program is undisturbed, what it did is told, nothing stays behind."""

import csv
import glob
import html.parser
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time

import perfetto
from support import *

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = [sys.executable, os.path.join(HERE, "exec_client.py")]
ENVIRONMENT = {**os.environ, "HOME": TMP, "PYTHONDONTWRITEBYTECODE": "1"}
for name in ("TT_METAL_CACHE", "KERR_STATS", "KERR_RECORD", "KERR_ON_FAULT"):
    ENVIRONMENT.pop(name, None)


def execute(*arguments, options=(), timeout=100, **more):
    return subprocess.run([KERR, "exec", *options, "--", *CLIENT, *arguments], capture_output=True, text=True,
                          timeout=timeout, check=False, env={**ENVIRONMENT, **more})


def plain(*arguments, **more):
    library = os.path.join(BUILD, "sim", "libttsim.so")
    return subprocess.run([*CLIENT, *arguments], capture_output=True, text=True, timeout=100, check=False,
                          env={**ENVIRONMENT, "TT_METAL_SIMULATOR": library, **more})


def number(pattern, text):
    found = re.search(pattern, text)
    return float(found[1]) if found else None


def test_summary():
    r, without = execute("count"), plain("count")
    case("the program's output is its own", r.returncode == 0 and r.stdout == without.stdout and "counted" in r.stdout,
         told(r) + told(without))
    cycles, chips = number(r"kerr: (\d+) cycles", r.stderr), number(r"on (\d+) chip", r.stderr)
    case("cycles of clock calls and of host time are counted, on one chip", cycles and 100000 <= cycles < 200000 and chips == 1,
         told(r))
    case("three tiles were active", number(r"tiles +(\d+) active", r.stderr) == 3, told(r))
    case("calls are counted by kind", number(r"calls +(\d+) clock", r.stderr) == 20, told(r))
    case("code that no file has is said to be so", "100.0 % of core time, B, 3 tiles: code of no ELF file" in r.stderr,
         told(r))
    r = execute("count", options=["-q"])
    case("--quiet says nothing", r.returncode == 0 and r.stderr == "", told(r))
    r = execute("count", options=["-o", path("summary.txt")])
    case("--output puts the summary into a file", r.stderr == "" and b"cycles" in read("summary.txt"), told(r))
    r = execute("count", "30000")
    shares = [float(word) for word in re.findall(r"\(\d+,2\) ([0-9.]+) %", r.stderr)]
    case("tiles that did the same were active for about as long", len(shares) == 3 and max(shares) - min(shares) < 15
         and min(shares) > 50, told(r))
    r = kerr("exec", "true")
    case("a program without a chip is no mistake", r.returncode == 0 and "opened no chip" in r.stderr, told(r))


def test_closing():
    for how, status in (("idle", 0), ("hung", 4), ("kernel", 4)):
        r = execute("closes", how)
        case(f"a chip that is closed: {how}", r.returncode == status and "closed" in r.stdout and
             (re.search(r"hung +1 tile when the program closed", r.stderr) is not None) == (status == 4) and
             ("who waits for whom" in r.stderr) == (status == 4), told(r))


    log = path("hung.log")
    r = execute("closes", "hung", options=["--record", log])
    r = kerr("replay", log)
    case("kerr replay says the same", r.returncode == 4 and "the same bits" in r.stdout and "1 tile hung" in r.stdout, told(r))


def test_kernels():
    list_of = path("kernels.csv")
    r = execute("launches", options=["--kernels", list_of])
    with open(list_of, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    core = {name: [row for row in rows if row["core"] == name] for name in ("B", "T1")}
    case("--kernels lists the launches", r.returncode == 0 and [row["launch"] for row in core["T1"]] == ["0", "1"], told(r) + str(rows))
    case("of all tiles together, by core", len(rows) == 4 and all(row["tiles"] == "2" for row in rows), str(rows))
    case("from the first begin to the last end", all(int(row["cycles"]) == int(row["end"]) - int(row["begin"]) for row in rows)
         and all(6000 < int(row["cycles"]) < 9000 for row in core["T1"]), str(rows))
    case("B's launch ends after the kernel", all(int(b["end"]) > int(t["end"]) for b, t in zip(core["B"], core["T1"])), str(rows))
    one = r
    r = execute("launches", options=["--kernels", list_of])
    case("and begins anew in each run", r.returncode == 0 and len(read("kernels.csv").splitlines()) == 5, told(r) + told(one))


def test_ends():
    r = kerr("exec", "sh", "-c", "exit 7")
    case("the exit status is the program's", r.returncode == 7, told(r))
    r = kerr("exec", "sh", "-c", "kill -KILL $$")
    case("so is the signal that ended it", r.returncode == -signal.SIGKILL, told(r))
    r = kerr("exec", "no-such-program")
    case("a program that is not there: 127, as from a shell", r.returncode == 127 and "no-such-program" in r.stderr, told(r))
    r = kerr("exec", "/dev/null")
    case("one that cannot be run: 126", r.returncode == 126, told(r))
    r = kerr("exec")
    case("no program: wrong usage", r.returncode == 2 and "no program" in r.stderr, told(r))
    r = kerr("exec", "--on-fault", "maybe", "true")
    case("a wrong option: wrong usage", r.returncode == 2 and "maybe" in r.stderr, told(r))
    r = kerr("exec", "sh", "-c", "echo $1 $2", "sh", "--quiet", "-x")
    case("options behind the program are the program's", r.stdout == "--quiet -x\n" and "no chip" in r.stderr, told(r))
    for name in ("SIGTERM", "SIGINT", "SIGUSR1"):
        process = subprocess.Popen([KERR, "exec", "--", *CLIENT, "signals"], stdout=subprocess.PIPE, text=True,
                                   stderr=subprocess.PIPE, env=ENVIRONMENT)
        process.stdout.readline()
        process.send_signal(getattr(signal, name))
        out, err = process.communicate(timeout=30)
        case(f"{name} is passed on, and the program decides", out == f"signal {name}\n" and process.returncode == 42, out + err)


def test_faults():
    r = execute("fault", options=["--on-fault", "dead"])
    case("a fault is told in the summary, with tile, core, pc and word",
         re.search(r"fault +tile \(1,2\) B .*ffffffff", r.stderr) and "after 0xffffffff" in r.stdout and "went on" in r.stdout,
         told(r))
    r = execute("fault", "30", options=["--on-fault", "dead"])
    case("a program that goes on talking to a dead card is ended", r.returncode == 1 and "went on" not in r.stdout, told(r))
    r = execute("fault", options=["--on-fault", "exit"])
    case("--on-fault exit ends the process", r.returncode == 1 and "after" not in r.stdout and "fault" in r.stderr, told(r))
    r = execute("hang", options=["--hang", "0.5", "--on-fault", "dead"])
    took = number("hang: nothing has happened .* cycles and ([0-9.]+) s", r.stderr)
    case("a hang is a fault, in less than five seconds", "answer 0xffffffff" in r.stdout and took and took < 5, told(r))
    r = execute("lone", options=["--hang", "0.5", "--on-fault", "dead"])
    took = number("cycles and ([0-9.]+) s, nothing has happened on the chip but that single cores run", r.stderr)
    case("and one while a core goes on for itself", "answer 0xffffffff" in r.stdout and took, told(r))
    r = execute("hang", "1.5", options=["--hang", "0"])
    case("unless nobody looks for hangs", "answer 0x0" in r.stdout, told(r))
    begin = time.time()
    r = execute("waits", options=["--timeout", "1"])
    case("--timeout ends the program", r.returncode == -signal.SIGTERM and time.time() - begin < 8, told(r))


def test_findings():
    r = execute("uninit", options=["--check=memory", "--findings", path("found.json")])
    found = [json.loads(line) for line in read("found.json").decode().splitlines()]
    case("what a check finds comes with the summary, and a program that ended well fails", r.returncode == 5 and "after 0x0" in r.stdout
         and re.search(r"finding +tile \(1,2\) B cycle \d+ pc 0x00008: uninit-l1", r.stderr) and "1 finding: 1 uninit-l1" in r.stderr, told(r))
    case("and as a line of JSON", len(found) == 1 and found[0]["id"] == "uninit-l1" and found[0]["access"]["core"] == "B"
         and found[0]["access"]["address"] == "0x00020100" and len(found[0]["history"]) >= 2, found)
    r = execute("suite", options=["--check=memory", "--policy", "strict"])
    case("with --policy strict its test fails, those around it pass, and the process lives",
         "ran 3 failed 1 errors 0" in r.stdout and r.returncode == 5 and r.stderr.count("the chip has stopped") == 1, told(r))
    r = execute("suite", options=["--check=memory"])
    case("without it none does", "ran 3 failed 0 errors 0" in r.stdout, told(r))
    r = execute("suite", KERR_CHECK="memory", KERR_POLICY="uninit-l1=stop")
    case("KERR_CHECK and KERR_POLICY do the same", "ran 3 failed 1 errors 0" in r.stdout, told(r))
    r = execute("uninit", options=["--check=memory", "--findings-ok"])
    case("but not with --findings-ok", r.returncode == 0 and "1 finding: 1 uninit-l1" in r.stderr, told(r))
    r = execute("fails", options=["--check=memory"])
    case("a program that fails has its own status", r.returncode == 3 and "1 finding: 1 uninit-l1" in r.stderr, told(r))
    r = execute("uninit", options=["--check=memory", "--findings", path("found.sarif")])
    made = json.loads(read("found.sarif"))
    case("SARIF has it too", made["version"] == "2.1.0" and [one["ruleId"] for one in made["runs"][0]["results"]] == ["uninit-l1"], made)
    for options, message in ((["--check=memroy"], "'memroy' is no check"), (["--policy", "report,unint-l1=stop"], "did you mean 'uninit-l1'"),
                             (["--findings", path("nowhere/found.json")], "--findings: .*No such file")):
        r = execute("uninit", options=options)
        case(f"{' '.join(options)[:24]}: an error, and the program does not run", r.returncode == 2 and "after" not in r.stdout
             and re.search(message, r.stderr), told(r))
    for variables, message in (({"KERR_CHECK": "memroy"}, "KERR_CHECK: 'memroy' is no check.*did you mean 'memory'"),
                               ({"KERR_POLICY": "cards"}, "KERR_POLICY: 'cards' is no policy"),
                               ({"KERR_FINDINGS": path("nowhere/own.json")}, "KERR_FINDINGS=.*cannot be written"),
                               ({"KERR_FINDINGS": path("own.sarif")}, ".*only kerr run and kerr exec write this format")):
        r = plain("uninit", **variables)
        case(f"the library alone, {list(variables)[0]}: there is no card", "after 0xffffffff" in r.stdout and r.stderr.count("kerr:") == 1
             and re.search("libttsim_init: there is no card: " + message, r.stderr), told(r))
    if os.path.exists(path("own.json")):
        os.remove(path("own.json"))
    r = plain("uninit", KERR_CHECK="memory", KERR_FINDINGS=path("own.json"))
    own = [json.loads(line) for line in read("own.json").decode().splitlines()]
    case("and writes KERR_FINDINGS by itself, in silence", r.stderr == "" and [f["id"] for f in own] == ["uninit-l1"], told(r))
    r = execute("hang", options=["--hang", "0.5", "--on-fault", "dead", "--findings", path("hang.json"), "--save", path("hang.chip")])
    found = [json.loads(line) for line in read("hang.json").decode().splitlines()]
    r = kerr("why", path("hang.chip"))
    case("a hang is a timeout, and its chip is saved for kerr why", [f["id"] for f in found] == ["timeout"] and r.returncode == 0
         and "[RISCV B] --(polls)--> (L1 0x00020000 is 0x0)" in r.stdout, told(r))


def test_processes():
    r = execute("forks", "5")
    case("forks have records of their own", number(r"of (\d+) process", r.stderr) == 6, told(r))
    cycles = number(r"kerr: (\d+) cycles", r.stderr)
    # 20000 and 500 of the parent, 1000 to 5000 of the children and 1000 each for a read, a bit for register writes.
    case("and count what they did themselves", cycles and 41500 <= cycles <= 50000, told(r))


def test_side_by_side():
    runs = [subprocess.Popen([KERR, "exec", "-o", path(f"beside{i}.txt"), "--", *CLIENT, "count", "5000"], text=True,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) for i in range(8)]
    outputs = {run.communicate(timeout=200) for run in runs}
    first = {re.match(rb"kerr: (\d+) cycles.*\n", read(f"beside{i}.txt"))[0] for i in range(8)}
    case("eight at once do not disturb each other: the same output, the same cycles", len(outputs) == 1 and len(first) == 1
         and not any(run.returncode for run in runs), f"{outputs} {first}")


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def left_behind(places, pids):
    """Files of a run that had these folders to itself; what is in the machine's own counts if it has a process's number."""
    shared = [name for pid in pids for folder in ("/dev/shm", "/tmp") for name in glob.glob(f"{folder}/*kerr*{pid}*")]
    return sorted(shared + [os.path.join(folder, name) for place in places for folder, _, names in os.walk(place) for name in names])


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_killed():
    for who in ("the program", "kerr exec itself"):
        places = [path(f"killed{word}") for word in ("home", "temporary", "runtime")]
        for place in places:
            shutil.rmtree(place, ignore_errors=True)
            os.makedirs(place, mode=0o700)
        own = dict(zip(("HOME", "TMPDIR", "XDG_RUNTIME_DIR"), places))
        process = subprocess.Popen([KERR, "exec", "--", *CLIENT, "waits"], stdout=subprocess.PIPE, text=True, cwd=places[0],
                                   stderr=subprocess.PIPE, env={**ENVIRONMENT, **own})
        process.stdout.readline()
        child = children_of(process.pid)[0]
        time.sleep(0.3)
        os.kill(child if who == "the program" else process.pid, signal.SIGKILL)
        _, err = process.communicate(timeout=30)
        deadline = time.time() + 10
        while alive(child) and time.time() < deadline:
            time.sleep(0.05)
        # The socket that a killed program leaves goes when somebody looks for simulations (docs/attach.md).
        subprocess.run([KERR, "attach", "--list"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**ENVIRONMENT, **own},
                       check=False)
        left = left_behind(places, (process.pid, child))
        case(f"{who} is killed: no process, no file, no shared memory stays", not alive(child) and not left,
             f"{alive(child)} {left}\n{err}")
        if who == "the program":
            case("and the summary tells of what there was", number(r"kerr: (\d+) cycles", err), err)


def test_lines():
    if not shutil.which(GCC):
        skip("source lines of a fault", f"no {GCC}")
        return
    source = write("broken.c", "#define WORD (*(volatile int *)0x20000)\n"
                   "int work(int n)\n{\n    int sum = 0;\n    for (int i = 0; i < n; i++)\n        sum += WORD ^ i;\n"
                   "    WORD = sum;\n    sum += *(volatile int *)0xFFA00000; /* line 8 */\n    return sum;\n}\n"
                   "void _start(void)\n{\n    WORD = work(500) + work(WORD & 15);\n    for (;;)\n        WORD += 1;\n}\n")
    os.makedirs(path("elfs/deep"), exist_ok=True)
    program_elf, raw = path("elfs/deep/broken.elf"), path("broken.bin")
    flags = ["-march=rv32im", "-mabi=ilp32", "-O1", "-g", "-nostdlib", "-static", "-fno-inline", "-Wl,-Ttext=0x5000",
             "-Wl,-e,_start", "-Wl,--no-relax"]
    subprocess.run([GCC, *flags, "-o", program_elf, source], check=True)
    subprocess.run(["riscv64-unknown-elf-objcopy", "-O", "binary", "-j", ".text", program_elf, raw], check=True)
    text = bytearray(read("broken.bin"))
    for name, change in (("as it was linked", False), ("elsewhere, with some words changed as a loader does", True)):
        if change:  # the first lui of work: as relocation to another place would
            for at in range(0, len(text), 4):
                if text[at] & 0x7F == 0x37:
                    text[at + 2] ^= 0x10
                    break
        write("loaded.bin", bytes(text))
        # _start is not first: a jump to it.
        entry = start_of(program_elf)
        r = execute("binary", path("loaded.bin"), hex(0x9000 if change else 0x5000), hex(entry - 0x5000),
                    options=["--elf-dir", path("elfs"), "--on-fault", "dead"])
        case(f"a fault has function, source file and line, code loaded {name}",
             re.search(r"in work\(\) at .*broken\.c:8 of deep/broken\.elf", r.stderr), told(r))
        if not change:
            case("and the table of kernels has the program", re.search("kernels .*deep/broken.elf", r.stderr), told(r))


def start_of(file):
    out = subprocess.run(["riscv64-unknown-elf-nm", file], capture_output=True, text=True, check=True).stdout
    return int(re.search(r"([0-9a-f]+) T _start", out)[1], 16)


def replay(log):
    return kerr("replay", path(log))


def test_record():
    for name in ("run.log", "again.log"):
        r = execute("count", options=["-q", "--record", path(name)])
        case("a program that is recorded does what it does", r.returncode == 0 and "counted" in r.stdout, told(r))
    case("the same program gives the same log", read("run.log") == read("again.log") and len(read("run.log")) > 500)
    r = replay("run.log")
    case("replaying gives the same bits and cycles", r.returncode == 0 and "the same bits, the same cycles" in r.stdout
         and "ended at cycle 109000" in r.stdout, told(r))
    log = bytearray(read("run.log"))
    at = log.rindex(bytes((12, 0, 0, 0)) + bytes(4))  # the last answer
    log[at + 16] ^= 1
    write("wrong.log", bytes(log))
    r = replay("wrong.log")
    case("an answer that is another one is told", r.returncode == 1 and "gives something else" in r.stderr, told(r))
    log = bytearray(read("run.log"))
    log[log.index(bytes((3, 0, 0, 0, 0, 0, 0, 0))) + 8] ^= 1  # the first clock
    write("wrong.log", bytes(log))
    r = replay("wrong.log")
    case("and so is a cycle, and the state in the end", r.returncode == 1 and "and ended at" in r.stderr, told(r))
    write("cut.log", read("run.log")[:-100])
    r = replay("cut.log")
    case("a log that breaks off is played as far as it goes", r.returncode == 0 and "before the chip's end" in r.stdout, told(r))
    write("no.log", b"something else")
    r = replay("no.log")
    case("what is no log is refused", r.returncode == 2 and "is not a log" in r.stderr, told(r))
    findings = path("of_a_log.json")
    lines = f"KERR_SEED=7\nKERR_FINDINGS={findings}\nKERR_ON_FAULT=exit\nno variable\n=\n".encode()
    entry = lambda kind, data=b"": bytes((kind, 0, 0, 0)) + len(data).to_bytes(4, "little") + bytes(16) + data
    write("foreign.log", read("run.log")[:16] + entry(1, lines) + entry(2) + entry(1) + entry(2))
    r = replay("foreign.log")
    case("a log sets no variables but those that count for a replay", r.returncode in (0, 1) and "2 chips" in r.stdout
         and not os.path.exists(findings), told(r))
    for old in glob.glob(path("forks.log*")):
        os.remove(old)
    r = execute("forks", "4", options=["-q", "--record", path("forks.log")])
    logs = sorted(glob.glob(path("forks.log*")))
    results = [kerr("replay", log) for log in logs]
    ends = [re.search(r"ended at cycle (\d+)", result.stdout) for result in results]
    case("children of a fork have logs of their own, with their parent's calls before theirs",
         len(logs) == 5 and all(result.returncode == 0 for result in results) and sum(e is None for e in ends) == 2
         and len({e[1] for e in ends if e}) == 3, "\n".join(map(told, results)))
    r = execute("fault", options=["-q", "--record", path("fault.log"), "--on-fault", "exit"])
    r = replay("fault.log")
    case("a run that ended in a fault replays up to it", r.returncode == 0, told(r))
    r = execute("hang", options=["-q", "--record", path("hang.log"), "--on-fault", "dead", "--hang", "0.3"])
    r = replay("hang.log")
    case("and one that hung", r.returncode == 0, told(r))


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.texts, self.wrong, self.refers = [], {}, [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.refers += [f"{name}={value}" for name, value in attrs if name in ("src", "href", "xlink:href", "action")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in ("meta", "br"):
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.texts.append(data)


def test_report():
    report = path("report.html")
    r = execute("fault", options=["--report", report, "--on-fault", "dead"])
    text = read("report.html").decode()
    page = Page(text)
    case("the report is well-formed HTML", not page.open and not page.wrong, f"{page.open} {page.wrong}")
    case("which refers to nothing outside of itself", not page.refers and "url(" not in text and "@import" not in text
         and not re.search("https?:", text), page.refers)
    words = " ".join(page.texts)
    case("it has the grid, time, NoC, units, kernels and faults",
         all(heading in words for heading in ("Tiles", "Over time", "NoC 1", "Units and stalls", "Kernels", "Faults"))
         and page.count["rect"] >= 17 * 12 and page.count["polygon"] == 2 * 2 * 17 * 12 and text.count('class="way"') == 2 * 17 * 12,
         page.count)
    case("without kernels of tt-metal percentages are of all cycles, and it says so", "tt-metal ran no kernels on it" in words, words[:300])
    case("and the fault with who waits", "is not an instruction" in words and "was stopped by a fault" in words, words)
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        skip("a browser opens it", "no chromium here")
        return
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking",
               f"--user-data-dir={path('browser')}", "--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=1000"]
    shown = subprocess.run([*command, "--dump-dom", "file://" + os.path.abspath(report)], capture_output=True, text=True,
                           timeout=120, check=False).stdout
    case("a browser without a network opens it and sees the same", Page(shown).count == {**page.count, **Page(shown).count}
         and Page(shown).count["rect"] == page.count["rect"] and "Units and stalls" in shown, shown[-2000:])
    subprocess.run([*command, f"--screenshot={path('report.png')}", "--window-size=1200,2000",
                    "file://" + os.path.abspath(report)], capture_output=True, timeout=120, check=False)
    case("and draws it", os.path.exists(path("report.png")) and len(read("report.png")) > 20000)
    shutil.rmtree(path("browser"), ignore_errors=True)


def colour(part):
    """That of a share, from nearly white to a deep red; 0 is grey."""
    stops = ((255, 250, 225), (254, 217, 118), (253, 141, 60), (227, 26, 28), (128, 0, 38))
    if part <= 0:
        return (0xEE, 0xF1, 0xF4)
    at = min(part, 1) * 4
    i = min(int(at), 3)
    return tuple(a + (b - a) * (at - i) for a, b in zip(stops[i], stops[i + 1]))


def test_report_of_kernels():
    report = path("kernels.html")
    r = execute("launches", "2", "700", options=["--report", report])
    text = read("kernels.html").decode()
    page = Page(text)
    words = " ".join(" ".join(page.texts).split())
    ran = re.search(r"Kernels ran ([\d.]+) % of (\d+) cycles; all percentages are of this time", words)
    # Two launches of 3000 laps on the second tile, some 7000 cycles each, and some of what is around them.
    case("its first line says how much of the time kernels ran", ran and 2 * 6000 < float(ran[1]) / 100 * int(ran[2]) < 2 * 12000 and
         words.index("Kernels ran") < words.index("real time"), words[:300])
    shares = re.findall(r'fill="#(\w\w)(\w\w)(\w\w)"[^>]*><title>Tensix \((\d+),(\d+)\): ([\d.]+) %', text)
    wrong = [found for found in shares if any(abs(int(c, 16) - want) > 2 for c, want in zip(found[:3], colour(float(found[5]) / 100)))]
    tile = {(int(x), int(y)): float(part) for *_, x, y, part in shares}
    case("colours are shares of that time, the same on every picture", len(shares) >= 140 and not wrong, wrong[:5])
    case("the tile whose kernels are longer runs them nearly all of it, the other one a part", tile.get((2, 2), 0) > 80 and 10 < tile.get((1, 2), 0) < 60, tile)
    case("what each kernel is bound by, and firmware that waits for work is not among them", "T1 of a program of no ELF file" in words and
         "uses no unit of the coprocessor" in words, words[:900])
    bars = [page_bar for page_bar in re.findall(r'class="bar">(.*?)</svg>', text, re.S)]
    case("pictures have a colour bar with numbers", len(bars) == 2 and all("0 %" in bar and "50 %" in bar and "100 %" in bar for bar in bars), bars[:1])
    axis = re.search(r'class="axis">(.*?)</svg>', text, re.S)
    case("time has an axis, in cycles and in seconds", axis and axis[1].count("<line") == 6 and re.search(r">4\d{5}<", axis[1]) and " us<" in axis[1], axis)
    case("charts have the numbers of their edges", text.count(">100 %</text>") >= 1 and ">140</text>" in text)
    case("the summary says the same", re.search(r"kernels    ran [\d.]+ % of all cycles", r.stderr) and "of the time kernels ran" in r.stderr, told(r))


def test_trace():
    r = execute("count", "200", options=["-q", "--trace", path("run.pftrace")])
    trace = perfetto.Trace(read("run.pftrace"))
    tracks = [trace.track(f"tile ({x},2)", "RISCV B") for x in (1, 2, 3)]
    case("--trace writes a Perfetto trace of all tiles that do something", len(trace.tracks) == 3
         and all(track.slices[0].name == "code without symbols" for track in tracks), trace.tracks)
    case("to the chip's last cycle", {track.slices[0].end_cycle for track in tracks} == {109000},
         [track.slices[0].end_cycle for track in tracks])
    without = plain("count", "200")
    case("and changes nothing for the program", r.stdout == without.stdout, told(r))
    if shutil.which(GCC) and os.path.exists(path("loaded.bin")):
        r = execute("binary", path("loaded.bin"), "0x9000", hex(start_of(path("elfs/deep/broken.elf")) - 0x5000),
                    options=["-q", "--elf-dir", path("elfs"), "--on-fault", "dead", "--trace", path("lines.pftrace")])
        names = {s.name for s in perfetto.Trace(read("lines.pftrace")).track("tile (1,2)", "RISCV B").slices}
        case("functions have their names, wherever they were loaded", {"_start", "work"} <= names, names)


def test_waits():
    r = execute("gate", options=["--hang", "0.5", "--on-fault", "dead"])
    case("a hang shows what cores poll", "RISCV B    polls L1 0x00020000, which is 0x0" in r.stderr, told(r))
    case("and what threads wait for at their gates, by whom it was pushed",
         re.search(r"Tensix T0  SEMPOST SemaphoreMask=4 waits since cycle \d+: SEMWAIT: semaphore 1 is zero; .*pushed by B",
                   r.stderr), told(r))
    r = execute("waits", options=["--timeout", "4", "--hang", "0"])
    case("a program that takes too long is shown too", "who waits for whom (process" in r.stderr
         and re.search("RISCV B +(runs|has ended)", r.stderr), told(r))


def test_terminal():
    master, slave = pty.openpty()
    import fcntl
    import struct
    import termios
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen([KERR, "exec", "--", *CLIENT, "lines"], stdin=slave, stdout=slave, stderr=slave,
                               env=ENVIRONMENT, close_fds=True)
    os.close(slave)
    seen = b""
    while True:
        ready, _, _ = select.select([master], [], [], 20)
        try:
            data = os.read(master, 4096) if ready else b""
        except OSError:
            break
        if not data:
            break
        seen += data
    process.wait()
    os.close(master)
    text = seen.decode()
    shown = re.findall("\x1b7\x1b\\[24;1H\x1b\\[2K\x1b\\[7m([^\x1b]*)\x1b\\[0m\x1b8", text)
    case("a terminal has a live line at its bottom", len(shown) >= 2 and all("cycles/s" in line for line in shown), repr(text))
    without = re.sub("\x1b7\x1b\\[24;1H.*?\x1b8", "", text)
    lines = [line for line in re.sub("\x1b(\\[[0-9;]*[A-Za-z]|[78])", "", without).split("\r\n") if line.startswith("line")]
    case("and the program's lines are whole and in order", lines == [f"line {i}" for i in range(30)], repr(text))
    case("in the end the terminal is as it was", text.rstrip().count("\x1b[r") == 1 and text.index("\x1b[1;23r")
         < text.index("\x1b[r"), repr(text))


for test in (test_summary, test_closing, test_kernels, test_ends, test_faults, test_findings, test_processes, test_side_by_side, test_killed, test_lines, test_record,
             test_report, test_report_of_kernels, test_trace, test_waits, test_terminal):
    test()
done()

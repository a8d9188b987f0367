#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""kerr profile, kerr run --profile and --report: where the time went, by source line, and what bounds a run."""

import html.parser
import os
import re
import shutil
import subprocess

from support import *

KERR_CC = os.path.join(BUILD, "sdk", "kerr-cc")

WORKS = """#include "kerr_sdk.h"
int main(void)
{
    volatile uint32_t *out = KERR_WORD(KERR_SHARED_BASE);
    uint32_t sum = 1;
    for (uint32_t i = 0; i < 500; i++)
        sum = sum * 77 / (i + 1);                                  /* line 7 */
    for (uint32_t i = 0; i < 100; i++)
        out[16 + i] = sum;                                         /* line 9 */
    kerr_publish(&out[115]);
    out[0] = 1;
    return 0;
}
"""
POLLS = """#include "kerr_sdk.h"
int main(void)
{
    kerr_wait_equal(KERR_WORD(KERR_SHARED_BASE), 1, 1);            /* line 4 */
    return 0;
}
"""
TAKES = """#include "kerr_sdk.h"
int main(void)
{
#if KERR_CORE == KERR_CORE_B
    for (int i = 0; i < 10; i++) {
        for (uint32_t begin = kerr_mcycle(); kerr_mcycle() - begin < 300;)
            ;
        kerr_mailbox_write(KERR_CORE_T0, 5);
    }
#else
    for (int i = 0; i < 10; i++)
        (void)kerr_mailbox_read(KERR_CORE_B);                      /* line 12 */
#endif
    return 0;
}
"""
VECTOR = """#include "kerr_sync.h"
int main(void)
{
    TT(REPLAY, .Count = 16, .Load = 1);
    for (int i = 0; i < 16; i++)
        TT(SFPMAD, .VA = 1, .VB = 2, .VC = 3, .VD = 4);
    for (int i = 0; i < 100; i++)
        TT(REPLAY, .Count = 16);                                   /* line 8 */
    kerr_stall(KERR_HOLD_SYNC, KERR_UNTIL_VECTOR);                 /* line 9 */
    TT(SEMPOST, .SemaphoreMask = 1);
    kerr_thread_wait();
    return 0;
}
"""
KINDS = ("issues", "loads", "arithmetic", "atomics", "stores", "fetch", "waits", "polls")


def compiled(name, cores, text):
    for core in cores:
        made = subprocess.run([KERR_CC, core, write(f"{name}.c", text), "-o", path(f"{name}_{core}.elf")], capture_output=True, text=True, check=False)
        case(f"{name} compiles for {core}", made.returncode == 0, made.stderr)
    return [f"1,2:{core}={path(f'{name}_{core}.elf')}" for core in cores]


class Profile:
    """What the text says."""

    def __init__(self, text):
        self.bound, _, rest = text.partition("\n")
        found = re.match(r"(\d+) cycles on (\d+) tile", rest)
        self.cycles, self.tiles = map(int, found.groups()) if found else (0, 0)
        self.cores = {name: dict(zip(KINDS, map(float, numbers.split()))) for name, numbers in
                      re.findall(r"^  RISCV (\w+) +((?: *[\d.]+){8}) +\d+$", rest, re.M)}
        self.units = {name: float(busy) for name, busy in re.findall(r"^  (\w.*?) +([\d.]+) busy, \d+ instructions$", rest, re.M)}
        self.lines = [(core, place, function, int(cycles), int(instructions), int(gates), reason or "") for
                      cycles, core, instructions, gates, place, function, reason in
                      re.findall(r"^ *(\d+) +[\d.]+  (\w+) +(\d+) +(\d+)  (before main\(\)|\S+)(?: (\S+\(\)))?(?: \[(.*)\])?$", rest, re.M)]

    def line(self, core, place):
        return next((line for line in self.lines if line[:2] == (core, place)), (core, place, "", 0, 0, 0, ""))


def profiled(*arguments):
    r = kerr("profile", *arguments)
    return r, Profile(r.stdout)


def test_lines():
    b = compiled("works", ["B"], WORKS)
    r, p = profiled(*b)
    case("a run and its profile", r.returncode == 0 and p.tiles == 1 and p.cycles > 1000 and "finished after" in r.stderr, told(r))
    hot = p.line("B", "works.c:7")
    case("the line with most cycles comes first, with the divider that it waits for", p.lines and p.lines[0] == hot and hot[3] > 5000 and
         hot[6] == "waits for divider" and hot[2] == "main()", p.lines)
    case("the core that works bounds the run", re.match(r"bound by RISCV B, at work (9\d|100) % of the time", p.bound), p.bound)
    case("all of its time is told of", abs(sum(p.cores["B"].values()) - 100) < 1 and
         abs(sum(line[3] for line in p.lines if line[1] != "before main()") - p.cycles) <= 0.01 * p.cycles, f"{p.cores} {p.cycles}")
    case("what was before main() comes last", p.lines[-1][1] == "before main()", p.lines)
    stores = p.line("B", "works.c:9")
    case("a line of stores has its instructions", stores[4] >= 100, stores)
    r, both = profiled(*b, *compiled("polls", ["T1"], POLLS))
    polls = both.line("T1", "polls.c:4")
    case("a core that polls does not work, and its line says what it polls", both.cores["T1"]["polls"] > 90 and polls[6].startswith("L1 ") and
         polls[2] == "kerr_wait_equal()", f"{both.cores} {polls}")
    case("and does not bound it", both.bound.startswith("bound by RISCV B, "), both.bound)
    r, p = profiled(*compiled("takes", ["B", "T0"], TAKES))
    waits = p.line("T0", "takes.c:12")
    case("a wait for a mailbox is one, of the load's line", p.cores["T0"]["waits"] > 80 and "mailbox" in waits[6] and waits[3] > 0.8 * p.cycles,
         f"{p.cores} {waits}")


def test_tensix():
    r, p = profiled(*compiled("vector", ["T1"], VECTOR))
    case("a unit that is busy bounds a run", p.bound.startswith("bound by the Vector Unit (SFPU), busy ") and p.units["Vector Unit (SFPU)"] > 60,
         f"{p.bound} {p.units}")
    gate = p.line("T1", "vector.c:9")
    case("what stands at the gate is of the line that pushed it", gate[5] == 0 and p.line("T1", "vector.c:10")[5] > 0, p.lines)


def test_project():
    project = path("project")
    shutil.copytree(os.path.join(BUILD, "sdk", "project"), project, dirs_exist_ok=True)
    made = subprocess.run(["make", "-C", project, f"COMPILER={os.path.abspath(KERR_CC)}"], capture_output=True, text=True, check=False)
    case("the project is built", made.returncode == 0, made.stderr)
    report = path("report.html")
    job = os.path.join(project, "job.yaml")
    plain = kerr("run", "--job", job, "--verdict", "-")
    r = kerr("run", "--job", job, "--verdict", "-", "--report", report, f"--profile={path('profile.txt')}")
    case("a profile changes nothing that is told", r.returncode == 0 and r.stdout == plain.stdout, told(r))
    p = Profile(read("profile.txt").decode())
    case("the NoC bounds it, and who waits for it is named", re.match(r"bound by the NoC: RISCV NC waits \d+ % of the time for NIU_MST_RD_RESP_RECEIVED",
                                                                     p.bound), p.bound)
    case("of inlined functions the line that calls them counts", p.line("NC", "reader.c:16")[2] == "kerr_noc_read_wait()", p.lines)
    text = read("report.html").decode()
    page = Page(text)
    words = " ".join(" ".join(page.texts).split())
    case("the page is well-formed and refers to nothing", not page.open and not page.wrong and not page.refers and "url(" not in text, page.wrong)
    case("its first line says what bounds the run", words.index(p.bound) < words.index("Cores and units") < words.index("By source line"), words[:300])
    case("it has cores, units and lines", all(word in words for word in ("RISCV NC", "Unpackers", "reader.c:16", "bank of SrcA")) and
         page.count["svg"] > 50, page.count)
    with open(job, "a", encoding="utf-8") as file:
        file.write("report: from_job.html\n")
    r = kerr("run", "-q", "--job", job)
    case("a job can ask for one", r.returncode == 0 and os.path.getsize(os.path.join(project, "from_job.html")) > 5000, told(r))
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if browser is None:
        skip("a browser draws it", "no chromium here")
        return
    subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={path('browser')}", f"--screenshot={path('report.png')}",
                    "--window-size=1300,1500", "file://" + os.path.abspath(report)], capture_output=True, timeout=120, check=False)
    case("a browser draws it", os.path.exists(path("report.png")) and len(read("report.png")) > 20000)
    shutil.rmtree(path("browser"), ignore_errors=True)


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.count, self.texts, self.wrong, self.refers = [], {}, [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.refers += [value for name, value in attrs if name in ("src", "href", "action")]
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


def test_verb():
    r = kerr("profile")
    case("nothing to run is wrong usage", r.returncode == 2 and "no program to run" in r.stderr, told(r))
    r = kerr("profile", "--help")
    case("it has a help of its own", r.returncode == 0 and r.stdout.startswith("usage: kerr profile"), told(r))
    r = kerr("profile", program("hangs.elf", code(li(T0, 0x30000), lw(T1, T0), T1 << 15 | 0xFE000EE3)))
    case("a run that hangs has a profile too, by address without lines, and its status", r.returncode == 4 and "0x00003008" in r.stdout and
         "polls" in r.stdout and Profile(r.stdout).cores["B"]["polls"] > 90, told(r))


def main():
    test_verb()
    if shutil.which(GCC) is None:
        skip("profiles by source line", f"no {GCC}")
    else:
        test_lines()
        test_tensix()
        test_project()
    done()


main()

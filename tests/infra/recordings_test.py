#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bench/recordings.py and bench/ablation.py without ttnn: recordings of a small host program, measured and compared.

recordings_test.py --host LAPS TIMES is that program: RISCV B of a tile counts to LAPS, so many times.
"""

import os
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
for folder in ("tests/sdk", "tests/cli", "bench"):
    sys.path.insert(0, os.path.join(ROOT, folder))

CYCLES_A_LAP, LAPS = 10, 40000
ENTRY = struct.Struct("=BBBBIQQ")  # include/kerr_record.h
WITH_DATA, RESULT, END = (1, 5, 7, 10), 12, 13


def host(laps, times):
    import exec_client
    chip = exec_client.Chip()
    for _ in range(times):
        chip.start(exec_client.counter(laps))
        chip.clock(CYCLES_A_LAP * laps)
        if chip.read(exec_client.WORD) != laps - 1:
            sys.exit(f"{chip.read(exec_client.WORD)}, not {laps - 1}")
    chip.exit()


def entries(log):
    """Offsets and fields of a log's entries."""
    at = 16
    while at + ENTRY.size <= len(log):
        fields = ENTRY.unpack_from(log, at)
        if fields[0] == 0:
            return
        yield at, fields
        at += ENTRY.size + (fields[4] if fields[0] in WITH_DATA else 0)


def end_cycle(path):
    with open(path, "rb") as file:
        return [fields[5] for _, fields in entries(file.read()) if fields[0] == END][-1]


def spoil(path, to):
    """The same recording with another answer to the last read."""
    with open(path, "rb") as file:
        log = bytearray(file.read())
    at = [at for at, fields in entries(log) if fields[0] == RESULT][-1]
    log[at + ENTRY.size - 1] ^= 1
    with open(to, "wb") as file:
        file.write(log)


def failure(function, *arguments):
    from counting import Failed
    try:
        return f"no failure but {function(*arguments)}"
    except Failed as why:
        return why


def main():
    import ablation
    import operations
    import recordings
    from counting import Failed
    from tap import BUILD, TMP, Tap, run

    tap = Tap()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("KERR_") or key == "KERR_TEST_TMP"}
    measured = {}
    for name, laps in (("short", LAPS), ("long", 2 * LAPS)):
        worker = [sys.executable, os.path.abspath(__file__), "--host", str(laps)]
        recordings.record(BUILD, TMP, name, worker, environment)
        ends = [end_cycle(recordings.log_of(TMP, name, times)) for times in recordings.TIMES]
        tap.case(f"{name}: both logs end where so many operations end",
                 ends[0] >= CYCLES_A_LAP * laps and ends[1] >= 3 * CYCLES_A_LAP * laps, ends)
        one, three = (recordings.replay(BUILD, recordings.log_of(TMP, name, times)) for times in recordings.TIMES)
        measured[name], cycles = recordings.warm(one, three)
        tap.equal(f"{name}: the cycles of one operation", cycles, (ends[1] - ends[0]) / 2)
    tap.equal("recordings are found", recordings.names_in(TMP), ["long", "short"])
    tap.case("twice the work takes twice the instructions, whatever opening the card takes",
             1.8 < measured["long"] / measured["short"] < 2.2, measured)
    plain = [recordings.replay(BUILD, recordings.log_of(TMP, "short", times), {"KERR_FAST": "none"}) for times in recordings.TIMES]
    tap.case("without any fast mechanism it takes more, and ends in the same cycles",
             recordings.warm(*plain)[0] > 2 * measured["short"] and
             plain[1][1] == end_cycle(recordings.log_of(TMP, "short", recordings.TIMES[1])), plain)

    os.environ["KERR_RECORDINGS"] = TMP
    said = run(sys.executable, os.path.join(ROOT, "bench", "recordings.py"), "measure", "--build", BUILD, "short")
    tap.case("the command measures what it is asked for", said.returncode == 0 and "| short " in said.stdout and
             "long" not in said.stdout, said)

    spoil(recordings.log_of(TMP, "short", 1), os.path.join(TMP, "wrong.1.log"))
    why = failure(recordings.replay, BUILD, os.path.join(TMP, "wrong.1.log"))
    tap.case("a recording that is answered otherwise is not measured", isinstance(why, Failed) and "something else" in str(why), why)
    why = failure(recordings.record, BUILD, TMP, "bad", [sys.executable, "-c", "raise SystemExit(3)"], environment)
    tap.case("a program that fails leaves no recording", isinstance(why, Failed) and "status" in str(why) and
             not any(name.startswith("bad.") for name in os.listdir(TMP)), why)

    drawn = operations.draw(7)
    tap.case("a seed draws twelve operations that are not always measured, and the same ones again",
             len(set(drawn)) == 12 and all(map(operations.is_name, drawn)) and not set(drawn) & set(operations.NAMED) and
             drawn == operations.draw(7) and drawn != operations.draw(8), drawn)
    tap.case("what is no operation is known", not any(map(operations.is_name, ("add", "add-", "add-x", "sub-1024", "-5"))))

    names = ablation.mechanisms()
    tap.case("the mechanisms are those of the table", "park" in names and len(names) == len(set(names)), names)
    found = {("x", "all"): 100, ("x", "none"): 200, ("y", "all"): 100, ("y", "none"): 100}
    for name, removed, added in (("worth", 110, 199), ("added", 100, 190), ("idle", 102.9, 194.1), ("worse", 80, 260)):
        found.update({("x", f"-{name}"): removed, ("x", f"none,+{name}"): added, ("y", f"-{name}"): 100, ("y", f"none,+{name}"): 100})
    text, going = ablation.report(("worth", "added", "idle", "worse"), ("x", "y"), found)
    tap.equal("what is under 3 % in both on all loads goes", going, ["idle", "worse"])
    tap.case("and the table says how much it is", "10.0 / 0.5" in text and "-20.0 / -30.0" in text and "2 times" in text, text)
    tap.done()


if len(sys.argv) > 1 and sys.argv[1] == "--host":
    host(int(sys.argv[2]), int(sys.argv[3]))
else:
    main()

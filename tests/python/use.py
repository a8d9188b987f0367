# SPDX-License-Identifier: Apache-2.0
"""The package kerr, used.  Run by package_test.py with pytest on each version of Python."""

import dataclasses
import gc
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import kerr

SUM = np.array([0x00000513, 0x00A00593, 0x00B50533, 0xFFF58593, 0xFE059CE3, 0x00010637, 0x00A62023, 0x0000006F], np.uint32)
BUILD = os.environ["BUILD"]
KERNELS = os.path.join(BUILD, "kernels")
TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COMMAND = os.path.join(BUILD, "kerr")
signal.signal(signal.SIGINT, signal.default_int_handler)  # who is started in the background ignores it


@pytest.fixture
def summed(kerr_chip):
    tile = kerr_chip.tensix[0]
    tile.B.load(SUM.tobytes())
    tile.B.start()
    kerr_chip.run_until(tile.word(0x10000) != 0, most=10_000, every=64)
    return tile


def test_a_program_runs(summed):
    assert summed.l1[0x10000:0x10004].view(np.uint32)[0] == 55
    assert summed.B.register(10) == 55
    assert summed.B.state["state"] in ("running", "parked")


def test_a_view_is_no_copy_and_cannot_be_written(kerr_chip):
    tile = kerr_chip.tensix[3]
    view = tile.l1
    tile.poke(0x1234, b"\x2a")
    assert view[0x1234] == 42 and tile.view(0x1234)[0] == 42
    with pytest.raises(ValueError):
        view[0] = 1
    bank = kerr_chip.dram[0]
    bank.poke(0x1000_0000, np.arange(4, dtype=np.uint32))
    assert bank.view(0x1000_0000)[:16].view(np.uint32).tolist() == [0, 1, 2, 3]


def test_a_view_outlives_its_chip():
    with kerr.Chip() as chip:
        chip.tensix[0].poke(0, b"\x07")
        view = chip.tensix[0].l1
    del chip
    gc.collect()
    assert view[0] == 7


def test_a_closed_chip_says_so():
    chip = kerr.Chip()
    tile = chip.tensix[0]
    chip.close()
    with pytest.raises(kerr.KerrError, match="closed"):
        tile.peek(0, 4)


def test_elf_files(kerr_chip):
    tile = kerr_chip.tensix[5]
    for core in tile.cores:
        core.load(f"{KERNELS}/hello_{core.name}.elf")
        core.start()
    for i in range(5):
        kerr_chip.run_until(tile.word(0x18000 + 64 + 16 * i) == 2, most=1_000_000)


def test_a_hang_is_not_success(kerr_chip):
    tile = kerr_chip.tensix[0]
    for name in ("producer_B", "consumer_T0"):
        core = tile.core(name[-2:].strip("_"))
        core.load(f"{KERNELS}/{name}.elf")
        core.start()
    with pytest.raises(kerr.ChipHung, match="(?s)B: waiting mailbox to T0.*T0: waiting mailbox from B") as hung:
        kerr_chip.run_until()
    assert hung.value.end.verdict == kerr_chip.end.verdict == "hung" and kerr_chip.end.finished == 0
    with pytest.raises(kerr.ChipHung):
        kerr_chip.run_until(tile.word(0x30000) == 1)
    tile.poke(0x20000, np.array([0x0000A303, 0xFE030EE3], np.uint32))  # lw t1, 0(ra); beqz t1, -4
    kerr_chip.tensix[1].poke(0x20000, tile.peek(0x20000, 8))
    for polls in kerr_chip.tensix[0:2]:
        polls.T1.start(0x20000)
        polls.T1.set_register(1, 0x30000)
    with pytest.raises(kerr.ChipHung, match="T1: polling L1 0x00030000"):
        kerr_chip.run_until()


def test_the_end_is_where_the_program_ended():
    ends = []
    for traced in (False, True):
        with kerr.Chip(threads=1) as chip:
            core = chip.tensix[0].B
            core.load(f"{KERNELS}/hello_B.elf")
            core.start()
            if traced:
                chip.trace(kerr.INSTRUCTION, lambda event: None)
            cycle = chip.run_until()
            params = chip.tensix[0].l1[0x18040:0x18050].view(np.uint32)
            assert chip.end.verdict == "finished" and core.state["stand"] == "ended" and core.state["ended"] == cycle
            assert 0 < cycle - params[2] < 40 and 0 < core.state["instructions"] - params[3] < 10
            ends.append((cycle, chip.cycle, core.state["instructions"], chip.end))
            with pytest.raises(TimeoutError, match="finished without it"):
                chip.run_until(chip.tensix[0].word(0x30000) == 1)
    assert ends[0] == ends[1]


def test_an_elf_file_for_another_core(kerr_chip):
    with pytest.raises(kerr.KerrError, match="linked for RISCV NC, not for T1"):
        kerr_chip.tensix[0].T1.load(f"{KERNELS}/hello_NC.elf")


def test_broken_files_change_nothing(kerr_chip, tmp_path):
    tile = kerr_chip.tensix[0]
    before = kerr_chip.hash
    with open(f"{KERNELS}/hello_B.elf", "rb") as file:
        good = file.read()
    for name, data in {"text.elf": b"hello", "cut.elf": good[:200], "empty.elf": b"", "x86.elf": good[:18] + b"\x3e\0" + good[20:]}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(kerr.KerrError, match=name):
            tile.B.load(tmp_path / name)
    with pytest.raises(FileNotFoundError, match="nowhere.elf"):
        tile.B.load(tmp_path / "nowhere.elf")
    with pytest.raises(kerr.KerrError):
        tile.B.load(b"\0" * 64, address=0x7FFF0000)
    assert kerr_chip.hash == before


def test_bad_arguments(kerr_chip):
    for bad in (lambda: kerr_chip.tile(0, 99), lambda: kerr_chip.tensix[0].core("E0"), lambda: kerr_chip.tensix[0].peek(1 << 40, 4),
                lambda: kerr.Chip(harvest="p999"), lambda: kerr_chip.tensix[0].T0.start(), lambda: kerr_chip.restore(b"no")):
        with pytest.raises(kerr.KerrError):
            bad()
    for bad in (lambda: kerr_chip.set_checks("everything"), lambda: kerr_chip.set_policy("race", "stop"),
                lambda: kerr_chip.set_policy("undefined", "maybe"), lambda: kerr_chip.tensix[0].rows("DstX"),
                lambda: kerr_chip.tensix[0].B.is_("asleep"), lambda: kerr.assemble("SFPMAD VX=1")):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(TimeoutError):
        kerr_chip.run_until(kerr_chip.tensix[0].word(0) == 1, most=5000)


def test_a_fault_is_an_exception_with_data(kerr_chip):
    tile = kerr_chip.tensix[0]
    tile.poke(0x20000, b"\xff\xff\xff\xff")
    tile.T0.start(0x20000)
    with pytest.raises(kerr.ChipStopped) as stopped:
        kerr_chip.run(10_000)
    finding = stopped.value.findings[0]
    assert (finding.kind, finding.severity, finding.tile, finding.access.core) == ("undefined", "error", (1, 2), "T0")
    assert finding.access.pc == 0x20000 and finding.stopping
    assert tile.peek(0x20000, 4) == b"\xff\xff\xff\xff"


def test_policies(kerr_chip):
    kerr_chip.set_policy("undefined", "go-on")
    tile = kerr_chip.tensix[0]
    tile.poke(0x20000, b"\xff\xff\xff\xff")
    tile.T0.start(0x20000)
    kerr_chip.run(10_000)
    assert [f.kind for f in kerr_chip.findings] == ["undefined"]


def test_snapshots(summed):
    chip = summed.chip
    saved, before = chip.save(), chip.hash
    chip.run(5_001)
    after = chip.hash
    chip.restore(saved)
    assert chip.hash == before
    chip.run(5_001)
    assert chip.hash == after
    with kerr.Chip(threads=1) as other:
        other.restore(saved)
        other.run(5_001)
        assert other.hash == after
    with pytest.raises(kerr.KerrError):
        chip.restore(b"KERRSNAP" + bytes(100))
    assert chip.hash == after


def test_hooks(kerr_chip):
    tile = kerr_chip.tensix[0]
    tile.B.load(SUM.tobytes())
    tile.B.start()
    seen, written = [], []
    kerr_chip.trace(kerr.INSTRUCTION, seen.append)
    watch = kerr_chip.watch(tile, 0x10000, 4, lambda *told: written.append(told))
    kerr_chip.run(200)
    watch.remove()
    kerr_chip.trace(0, None)
    assert [e.pc for e in seen[:3]] == [0, 4, 8] and seen[0].core == "B"
    assert [(core, address, data) for _, core, address, data in written] == [("B", 0x10000, (55).to_bytes(4, "little"))]


def test_what_a_hook_raises_comes_out_of_run(kerr_chip):
    tile = kerr_chip.tensix[0]
    tile.B.load(SUM.tobytes())
    tile.B.start()

    def fail(_event):
        raise RuntimeError("enough")

    kerr_chip.trace(kerr.INSTRUCTION, fail)
    with pytest.raises(RuntimeError, match="enough"):
        kerr_chip.run(10)
    kerr_chip.trace(0, None)
    assert kerr_chip.run(10) == 20


def test_state(summed):
    state = summed.state
    assert state["tile"] == (1, 2) and len(state["cores"]) == 5 and len(state["threads"]) == 3
    assert len(state["semaphores"]) == 8 and state["SrcA"] == ["unpackers", "unpackers"]


def test_harvested_tiles_are_not_there():
    with kerr.Chip(harvest="p100") as chip:
        assert len(chip.tensix) == 120
        with pytest.raises(kerr.KerrError):
            chip.tile(16, 2)


def test_formats():
    assert kerr.as_float32(np.array([0x3C00, 0xC000, 0x0001]), kerr.FP16).tolist() == [1.0, -2.0, 0.0]
    with pytest.raises(ValueError):
        kerr.as_float32(np.array([0]), "fp9")


def test_a_failing_test_has_a_report(tmp_path):
    test = tmp_path / "test_it.py"
    test.write_text("import pytest\n"
                    "@pytest.mark.kerr(seed=3)\n"
                    "def test_fails(kerr_chip):\n"
                    "    tile = kerr_chip.tensix[0]\n"
                    "    tile.poke(0x20000, b'\\xff' * 4)\n"
                    "    tile.T0.start(0x20000)\n"
                    "    kerr_chip.run(10000)\n"
                    "@pytest.mark.kerr(checks='all')\n"
                    "def test_hangs(kerr_chip):\n"
                    "    tile = kerr_chip.tensix[0]\n"
                    "    for core, name in ((tile.B, 'producer_B'), (tile.T0, 'consumer_T0')):\n"
                    f"        core.load('{KERNELS}/' + name + '.elf')\n"
                    "        core.start()\n"
                    "    kerr_chip.run(3000)\n"
                    "    tile.T1.load(b'\\x13\\0\\0\\0' + b'\\xff' * 4, 0x20000)\n"
                    "    tile.T1.start()\n"
                    "    kerr_chip.run(10000)\n")
    result = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "is not an instruction of this core" in result.stdout
    assert "Kerr" in result.stdout and "tile (1,2) T0 stopped at pc 0x20000: .word 0xffffffff" in result.stdout
    assert "pc 0x20000 00000013  addi zero,zero,0" in result.stdout, result.stdout
    assert "waits for a word from RISCV B in its mailbox" in result.stdout
    assert "kerr_mailbox_write() at " in result.stdout and "kerr_sdk.h:" in result.stdout


def test_a_finding_knows_its_line(kerr_chip):
    tile = kerr_chip.tensix[0]
    kerr_chip.set_checks("all")
    for core in (tile.B, tile.T0):
        core.load(f"{BUILD}/debugging/uninit_{core.name}.elf")
        core.start()
    kerr_chip.run_until()
    finding = kerr_chip.findings[0]
    place = finding.access.place
    assert place.file.endswith("examples/debugging/uninit.c") and (place.line, place.function) == (30, "main")
    assert f"main() at {place.file}:{place.line}" in str(finding)


# ---- Ctrl-C


def busy(chip, tiles=1):
    """Loops for ever that cannot be left out: addi t0, t0, 1; sw t0, 0(zero); j -8"""
    for tile in chip.tensix[:tiles]:
        tile.B.load(np.array([0x00128293, 0x00502023, 0xFF9FF06F], np.uint32).tobytes(), 0x1000)
        tile.B.start()


def interrupted(call):
    """Ctrl-C after a moment; how much of this process's time passed until it came out."""
    sent = []

    def send():
        sent.append(time.process_time())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.05, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.process_time() - sent[0]
    finally:
        timer.cancel()


LONG = {
    "run": lambda chip: chip.run(10**15),
    "until": lambda chip: chip.run_until(most=10**15),
    "every": lambda chip: chip.run_until(chip.tensix[0].word(0x30000) == 1, most=10**15, every=2**31),
    "function": lambda chip: chip.run_until(lambda: False, most=10**15),
    "step": lambda chip: chip.tensix[0].T0.step(most=10**15),
}


@pytest.mark.kerr(threads=1, parking=False)
@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_is_heard(kerr_chip, name):
    busy(kerr_chip)
    core = kerr_chip.tensix[0].T0
    core.load(f"{KERNELS}/consumer_T0.elf")  # waits for B, who never sends
    core.start()
    kerr_chip.run(5000)
    assert interrupted(lambda: LONG[name](kerr_chip)) < 0.2
    before = kerr_chip.cycle
    assert kerr_chip.run(1) == before + 1


@pytest.mark.parametrize("kind", ["hook", "watch", "file"])
def test_ctrl_c_is_heard_where_functions_are_called(kerr_chip, tmp_path, kind):
    busy(kerr_chip, 40)
    if kind == "hook":
        kerr_chip.trace(kerr.INSTRUCTION, lambda event: None)
    elif kind == "watch":
        kerr_chip.watch(kerr_chip.tensix[0], 0, 4, lambda *told: None)
    else:
        kerr_chip.trace(tmp_path / "long.perfetto")
    assert interrupted(lambda: kerr_chip.run(10**15)) < 0.2
    before = kerr_chip.cycle
    kerr_chip.trace(0, None) if kind == "hook" else None
    assert kerr_chip.run(1) == before + 1


def test_ctrl_c_while_a_file_is_written(kerr_chip, tmp_path):
    kerr_chip.dram[0].poke(0, np.random.default_rng(1).integers(0, 256, 1 << 27, np.uint8))

    def late(*_):
        raise KeyboardInterrupt

    path = tmp_path / "it.chip"
    before = signal.signal(signal.SIGPROF, late)
    try:
        for call in (lambda: kerr_chip.save(path), kerr_chip.save):
            signal.setitimer(signal.ITIMER_PROF, 0.01)
            with pytest.raises(KeyboardInterrupt):
                call()
            assert not list(tmp_path.iterdir())
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert kerr_chip.run(1) == 1


def test_ctrl_c_in_a_finalizer_is_not_lost(kerr_chip):
    """Python drops what a finalizer raises; here it is the hook that a call installs that runs one, as a collection within it would."""
    class Goes:
        def __del__(self):
            raise KeyboardInterrupt

    def hook(_event):
        going.clear()

    going = [Goes()]
    kerr_chip.tensix[0].poke(0, b"\x6f\0\0\0")  # j .
    kerr_chip.tensix[0].B.start(0)
    kerr_chip.trace(kerr.INSTRUCTION, hook)
    with pytest.raises(KeyboardInterrupt):
        kerr_chip.run(10**9)


@pytest.mark.kerr(threads=1, parking=False)
def test_calls_that_are_cut_end_as_others_do(kerr_chip):
    """Slices are cut by the clock; here each window is one."""
    def whole(chip, nanoseconds):
        kerr.chip.lib.set_slice(chip.handle, nanoseconds)
        tile = chip.tensix[0]
        for core in tile.cores:
            core.load(f"{KERNELS}/hello_{core.name}.elf")
            core.start()
        chip.run_until(tile.word(0x18000 + 64) == 2, every=100)
        first = chip.cycle
        chip.run(3333)
        ended = chip.run_until()
        tile.poke(0x20000, b"\xff" * 4)
        tile.T0.reset()
        tile.T0.start(0x20000)
        with pytest.raises(kerr.ChipStopped):
            chip.run(100_000)
        return first, ended, chip.cycle, chip.hash

    expected = whole(kerr_chip, 1)
    for slow in ({"parking": False}, {"fast": "none"}, {"fast": "-park,-blocks"}):
        with kerr.Chip(threads=1, **slow) as other:
            assert whole(other, 0) == expected, slow


def test_fast_mechanisms_that_are_off(monkeypatch):
    told, create = [], kerr.chip.lib.create
    monkeypatch.setattr(kerr.chip.lib, "create", lambda config, chip: (told.append(config._obj.without), create(config, chip))[1])
    for fast in ("all", "-park", "none,+park"):
        kerr.Chip(fast=fast).close()
    everything = told[1] | told[2]
    assert told[:2] == [0, 1] and told[2] & 1 == 0 and everything & (everything + 1) == 0 and everything > 0xf
    with pytest.raises(ValueError, match="did you mean park"):
        kerr.Chip(fast="-parc")


# ---- Arguments


REFUSED = {
    "cycles": [lambda c, t: c.run(-1), lambda c, t: c.run(1 << 64), lambda c, t: c.run(1.0), lambda c, t: c.run(float("nan")),
               lambda c, t: c.run(True), lambda c, t: c.run("1"), lambda c, t: c.run(None), lambda c, t: c.step(-1)],
    "most": [lambda c, t: c.run_until(None, -1), lambda c, t: t.B.step(most=-1)],
    "every": [lambda c, t: c.run_until(None, every=1 << 32), lambda c, t: c.run_until(lambda: True, every=-1)],
    "bits": [lambda c, t: kerr.as_float32(np.array([np.nan]), "bf16"), lambda c, t: kerr.as_float32(5, "bf16"),
             lambda c, t: kerr.as_float32(np.array([-1]), "bf16"), lambda c, t: kerr.as_float32(np.array([1 << 32]), "fp32")],
    "name": [lambda c, t: t.rows("DstX"), lambda c, t: t.rows(["bf16"]), lambda c, t: t.core("E0"), lambda c, t: t.core(5)],
    "wanted": [lambda c, t: t.B.is_("asleep"), lambda c, t: t.B.is_(5)],
    "condition": [lambda c, t: c.run_until(kerr.Chip().tensix[0].word(0) == 0), lambda c, t: c.run_until(5), lambda c, t: c.run_until(t.word(0)), lambda c, t: c.run_until(lambda: None, most=0),
                  lambda c, t: c.run_until(lambda: t.word(0) == 0, most=0)],
    "size": [lambda c, t: t.peek(0, 1 << 40), lambda c, t: t.peek(0, -1), lambda c, t: t.peek(0, 2.0), lambda c, t: t.read(0, 1 << 40),
             lambda c, t: t.B.peek(0, 1 << 40), lambda c, t: t.B.peek(0, -1), lambda c, t: c.watch(t, 0, 1 << 32, print),
             lambda c, t: t.poke(0, bytes(0x180001)), lambda c, t: t.declare(0, -1, "BF16")],
    "address": [lambda c, t: t.peek(1 << 40, 4), lambda c, t: t.peek(-1, 4), lambda c, t: t.peek(1 << 64, 4), lambda c, t: t.poke(-4, b"a"),
                lambda c, t: t.poke(1 << 40, b"a"), lambda c, t: t.B.peek(1 << 32, 4), lambda c, t: t.B.poke(0x7FFF0000, b"a"),
                lambda c, t: t.B.peek(-4, 4), lambda c, t: t.view(1 << 40), lambda c, t: t.view("0"), lambda c, t: t.word(2),
                lambda c, t: t.word(1 << 32), lambda c, t: c.watch(t, 1 << 32, 4, print), lambda c, t: t.B.load(b"abcd", 1 << 32),
                lambda c, t: t.B.load(b"abcd", -4), lambda c, t: t.B.load(b"abcd", 0x7FFF0000), lambda c, t: t.read(0xFFB11000 + 1, 4),
                lambda c, t: t.declare(1 << 64, 4, "BF16")],
    "data": [lambda c, t: t.poke(0, 5), lambda c, t: t.poke(0, "abcd"), lambda c, t: t.poke(0, [256]), lambda c, t: t.poke(0, [1.5]),
             lambda c, t: t.poke(0, None), lambda c, t: t.write(0, 5), lambda c, t: t.B.poke(0, 5), lambda c, t: t.poke(0, np.array([None]))],
    "mask": [lambda c, t: t.word(0, 1 << 32), lambda c, t: t.word(0, -1)],
    "value": [lambda c, t: t.word(0) == 1 << 32, lambda c, t: t.word(0) == -1, lambda c, t: t.word(0) == 1.0,
              lambda c, t: t.B.set_register(1, 1 << 32), lambda c, t: t.B.set_register(1, -1)],
    "number": [lambda c, t: t.B.register(1 << 32), lambda c, t: t.B.register(-1), lambda c, t: t.B.register(100)],
    "pc": [lambda c, t: t.B.start(1 << 32), lambda c, t: t.B.start(-4), lambda c, t: t.B.start("main"), lambda c, t: t.B.place(-1),
           lambda c, t: kerr.disassemble_riscv(0, -1)],
    "held": [lambda c, t: t.B.reset("no"), lambda c, t: t.B.reset(2)],
    "count": [lambda c, t: t.B.step(-1), lambda c, t: t.rows("bf16", 0, -1), lambda c, t: t.rows("bf16", 1, 1024)],
    "first": [lambda c, t: t.rows("bf16", -1), lambda c, t: t.dst("bf16", 1 << 32), lambda c, t: t.dst("bf16", 0.5)],
    "program": [lambda c, t: t.B.load(5), lambda c, t: t.B.load(None)],
    "idle": [lambda c, t: t.B.load(b"abcd", idle=5), lambda c, t: t.B.load(b"abcd", idle="main")],
    "tile": [lambda c, t: c.tile(17, 0), lambda c, t: c.tile(-1, 2), lambda c, t: c.tile(257, 2), lambda c, t: c.watch((1, 2), 0, 4, print),
             lambda c, t: c.tell_buffer(None, 0, 4, "BF16")],
    "x": [lambda c, t: c.tile(1.0, 2), lambda c, t: c.tile("1", 2)],
    "function": [lambda c, t: c.trace(1, 5), lambda c, t: c.watch(t, 0, 4, None), lambda c, t: c.trace("file", print)],
    "kinds": [lambda c, t: c.trace(-1, print), lambda c, t: c.trace(64, print), lambda c, t: c.trace(1.0, print)],
    "checks": [lambda c, t: c.set_checks("everything"), lambda c, t: c.set_checks(5), lambda c, t: kerr.Chip(checks=["all", 5])],
    "policy": [lambda c, t: c.set_policy("undefined", "maybe"), lambda c, t: c.set_policy("undefined", 1), lambda c, t: kerr.Chip(policy=5)],
    "kind": [lambda c, t: c.set_policy("race", "stop"), lambda c, t: c.set_policy(1, "stop")],
    "saved": [lambda c, t: c.restore(5), lambda c, t: c.restore(None)],
    "path": [lambda c, t: kerr.Chip.load(5), lambda c, t: c.save(5)],
    "threads": [lambda c, t: kerr.Chip(threads=-1), lambda c, t: kerr.Chip(threads=65), lambda c, t: kerr.Chip(threads=1 << 32)],
    "seed": [lambda c, t: kerr.Chip(seed=-1), lambda c, t: kerr.Chip(seed=1 << 64), lambda c, t: kerr.Chip(seed=1.0)],
    "shake": [lambda c, t: kerr.Chip(shake=-1)],
    "parking": [lambda c, t: kerr.Chip(parking="no")],
    "fast": [lambda c, t: kerr.Chip(fast=5), lambda c, t: kerr.Chip(fast="-parc"), lambda c, t: kerr.Chip(fast="")],
    "harvest": [lambda c, t: kerr.Chip(harvest=5), lambda c, t: kerr.Chip(harvest="p999")],
    "format": [lambda c, t: t.declare(0, 4, "BF17"), lambda c, t: t.declare(0, 4, 5)],
    "word": [lambda c, t: kerr.disassemble(1 << 32), lambda c, t: kerr.disassemble(-1)],
    "instruction": [lambda c, t: kerr.disassemble_riscv(1 << 32)],
    "text": [lambda c, t: kerr.assemble(5), lambda c, t: kerr.assemble("NOP\0")],
}


def test_arguments_are_refused_by_name(summed):
    chip = summed.chip
    before, cycle = chip.hash, chip.cycle
    for name, calls in REFUSED.items():
        for i, call in enumerate(calls):
            with pytest.raises((ValueError, TypeError)) as refused:
                call(chip, summed)
            assert name in str(refused.value), (name, i)
    assert (chip.hash, chip.cycle) == (before, cycle)


def test_integers_of_numpy(kerr_chip):
    tile = kerr_chip.tile(np.int64(1), np.uint8(2))
    tile.poke(np.uint32(0x20000), np.uint32(7))
    assert tile.peek(np.int16(0), np.uint8(4)) == bytes(4) and tile.l1[0x20000] == 7
    assert kerr_chip.run(np.int32(100)) == 100
    assert kerr_chip.run_until(tile.word(np.uint64(0x20000)) == np.uint8(7), most=np.int64(2000), every=np.uint16(50)) == 100
    tile.T0.start(np.uint32(0x30000))
    tile.T0.set_register(np.int8(5), np.uint32(0xFFFFFFFF))
    assert tile.T0.register(5) == 0xFFFFFFFF
    assert kerr.disassemble(np.uint32(0x02000000)) == "NOP"
    with kerr.Chip(threads=np.int64(1), seed=np.uint64(3)):
        pass


# ---- Time


def test_a_function_to_wait_for(kerr_chip):
    busy(kerr_chip)
    looked = []

    def enough():
        looked.append(kerr_chip.cycle)
        return np.bool_(kerr_chip.cycle >= 3000)

    kerr_chip.run(10)
    assert kerr_chip.run_until(enough, every=500) == 3000
    assert looked == [500, 1000, 1500, 2000, 2500, 3000]
    with pytest.raises(TimeoutError, match="not after 700 cycles.*never"):
        def never():
            return False
        kerr_chip.run_until(never, most=700)
    assert kerr_chip.cycle == 3700


def test_a_function_that_waits_in_vain(summed):
    with pytest.raises(TimeoutError, match="finished without it"):
        summed.chip.run_until(lambda: False)


def test_steps(kerr_chip):
    core = kerr_chip.tensix[0].B
    with pytest.raises(kerr.KerrError, match="in reset"):
        core.step()
    core.load(SUM.tobytes())
    core.start()
    assert [core.step()["pc"] for _ in range(5)] == [4, 8, 12, 16, 8]
    now = core.step(2)
    assert (now["pc"], now["instruction"]) == (16, "bne a1,zero,0x8") and core.x[10] == 19
    steps = kerr_chip.step(20)
    assert [event.pc for event in steps][:3] == [16, 8, 12] and steps[0].core == "B"
    waits = kerr_chip.tensix[1].T0
    waits.load(f"{KERNELS}/consumer_T0.elf")
    waits.start()
    kerr_chip.run(5000)
    with pytest.raises(TimeoutError, match="mailbox from B"):
        waits.step(most=100)


# ---- Who waits for whom, and where in the source


@pytest.fixture
def hung(kerr_chip):
    for name in ("producer_B", "consumer_T0"):
        core = kerr_chip.tensix[0].core(name[-2:].strip("_"))
        core.load(f"{KERNELS}/{name}.elf")
        core.start()
    return kerr_chip


def test_why(hung):
    assert str(kerr.Chip().why()) == "nobody waits"
    with pytest.raises(kerr.ChipHung, match=r"kerr_settle\(\) at .*kerr_sdk.h:[0-9]+, called at .*; waits for a word from RISCV B in its mailbox") as stopped:
        hung.run_until()
    b, t0 = hung.why()
    assert stopped.value.why == [b, t0]
    assert (b.tile, b.who, b.what, b.number, b.by) == ((1, 2), "RISCV B", "mailbox-room", 1, ["RISCV T1", "RISCV T2"])
    assert (t0.who, t0.what, t0.number, t0.by) == ("RISCV T0", "mailbox-word", 0, ["RISCV B"])
    assert "kerr_sdk.h" in b.place.file and b.place.line > 0 and b.place.function


def test_places_are_those_of_the_command(hung, tmp_path):
    hung.run(5000)
    hung.save(tmp_path / "hung.chip")
    job = ["1,2:B=" + f"{KERNELS}/producer_B.elf", "1,2:T0=" + f"{KERNELS}/consumer_T0.elf"]
    told = subprocess.run([COMMAND, "run", *job, "--cycles", "5000", "--trace-text", "-"], capture_output=True, text=True, check=False)
    seen = 0
    for line in told.stdout.splitlines():
        words = line.split(None, 5)
        if len(words) == 6:
            place = hung.tensix[0].core(words[2]).place(int(words[3], 16))
            outer = dataclasses.replace(place, function=None, called_at=None)
            assert words[5].strip().endswith(str(outer)) and (place.called_at or words[5].strip() == str(place))
            seen += 1
    assert seen > 20
    told = subprocess.run([COMMAND, "run", *job], capture_output=True, text=True, check=False)
    for wait in hung.why():
        assert wait.place.called_at and str(wait.place) in told.stdout + told.stderr


# ---- Files


def test_saved_chips_are_those_of_the_command(summed, tmp_path):
    chip = summed.chip
    assert chip.save(tmp_path / "ours.chip") is None
    subprocess.run([COMMAND, "run", f"1,2:B={KERNELS}/hello_B.elf", "--cycles", "20000", "--save", str(tmp_path / "theirs.chip"), "--quiet"],
                   check=False, capture_output=True)
    same = subprocess.run([COMMAND, "diff", str(tmp_path / "ours.chip"), str(tmp_path / "ours.chip")], capture_output=True, text=True,
                          check=False)
    assert same.returncode == 0, same.stdout + same.stderr
    with kerr.Chip.load(str(tmp_path / "ours.chip"), threads=1) as again:
        assert (again.hash, again.cycle) == (chip.hash, chip.cycle)
    with kerr.Chip.load(tmp_path / "theirs.chip") as theirs:
        assert theirs.cycle == 20_000 and theirs.tensix[0].l1[0x18040] == 2
        theirs.save(tmp_path / "back.chip")
    assert (tmp_path / "back.chip").read_bytes() == (tmp_path / "theirs.chip").read_bytes()
    chip.restore(tmp_path / "theirs.chip")
    assert chip.cycle == 20_000
    before = chip.hash
    good = (tmp_path / "ours.chip").read_bytes()
    for name, data in {"cut": good[:-1], "short": good[:20], "changed": good[:-1] + bytes([good[-1] ^ 1]), "text": b"hello"}.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(kerr.KerrError, match=name):
            chip.restore(tmp_path / name)
        with pytest.raises(kerr.KerrError, match=name):
            kerr.Chip.load(tmp_path / name)
        assert chip.hash == before
    for call in (chip.restore, kerr.Chip.load):
        with pytest.raises(FileNotFoundError):
            call(tmp_path / "nowhere.chip")
    with pytest.raises(FileNotFoundError):
        chip.save(tmp_path / "nowhere" / "it.chip")


def test_a_trace_is_that_of_the_command(tmp_path):
    theirs, ours = tmp_path / "theirs.perfetto", tmp_path / "ours.perfetto"
    subprocess.run([COMMAND, "run", *(f"1,2:{name}={KERNELS}/hello_{name}.elf" for name in ("B", "T0", "T1", "T2", "NC")), "--cycles", "20000",
                    "--trace", str(theirs)], check=False, capture_output=True)
    with kerr.Chip() as chip:
        for core in chip.tensix[0].cores:
            core.load(f"{KERNELS}/hello_{core.name}.elf")
        for core in chip.tensix[0].cores:
            core.start()
        with chip.trace(ours) as file:
            chip.run(20_000)
            with pytest.raises(kerr.KerrError, match="close it first"):
                chip.trace(kerr.INSTRUCTION, print)
        assert "closed" in repr(file)
        assert ours.read_bytes() == theirs.read_bytes() and len(ours.read_bytes()) > 10_000
        with pytest.raises(FileNotFoundError):
            chip.trace(tmp_path / "nowhere" / "it")


def test_elf_files_need_pyelftools(summed, monkeypatch):
    monkeypatch.setitem(sys.modules, "elftools.elf", None)
    with pytest.raises(kerr.KerrError, match="pip install pyelftools"):
        summed.T0.load(f"{KERNELS}/hello_T0.elf")
    summed.chip.run(10)
    program = "import sys; sys.modules['elftools'] = None; import kerr; print(kerr.Chip().run(10))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "10\n"


# ---- Buffers


def test_formats_of_buffers(kerr_chip):
    tile = kerr_chip.tensix[0]
    with pytest.raises(kerr.KerrError, match="checks="):
        tile.declare(0x10000, 2048, "BF16")
    kerr_chip.set_checks("memory")
    tile.declare(0x10000, 2048, "bf16")
    kerr_chip.tell_buffer(tile, 0x20000, 1088, "BFP8")
    with pytest.raises(ValueError, match="address"):
        tile.declare(0x10000000, 2048, "BF16")
    tile.declare(0, 0, "BF16")  # all are forgotten
    assert "BF16" in kerr.data_formats()
    for name, expected in (("BF16", 0), ("BFP8", 1)):
        with kerr.Chip(checks="all") as chip:  # the kernel packs BF16 to 0x20000
            tile = chip.tensix[0]
            tile.T0.load(f"{KERNELS}/pack_race_T0.elf")
            tile.declare(0x20000, 0x10000, name)
            tile.T0.start()
            chip.run_until()
            wrong = [finding for finding in chip.findings if finding.kind == "buffer-format"]
            assert len(wrong) == expected, name
    assert "in the buffer of BFP8" in wrong[0].message and wrong[0].access.place.file.endswith("pack_race.c")


# ---- Pictures


def test_pictures(summed):
    from xml.etree import ElementTree

    chip = summed.chip
    assert repr(chip) == "<kerr.Chip cycle 128, finished: 1 of 1 cores that were started have finished>"
    assert repr(summed) == "<kerr.Tile (1,2) tensix: B ended, T0 off, T1 off, T2 off, NC off>" and str(summed) == "(1,2)"
    assert repr(summed.threads[0]) == "<kerr.Thread (1,2) Tensix T0: nothing to do>"
    shown = {"chip": chip._repr_html_(), "tile": summed._repr_html_(), "thread": summed.threads[1]._repr_html_(),
             "core": summed.B._repr_html_(), "dst": summed.dst("bf16", 0, 8)._repr_html_(), "why": chip.why()._repr_html_()}
    for name, text in shown.items():
        ElementTree.fromstring(f"<p>{text}</p>")
        assert len(text) < 60_000, name
    assert shown["chip"].count("<title>") == len(list(chip)) and "(1,2) tensix: B ended" in shown["chip"]
    assert "<td>ended</td><td>0x0001c</td>" in shown["tile"] and shown["dst"].count("<title>") == 128
    assert isinstance(summed.dst("bf16", 0, 8), np.ndarray)
    whole = summed.dst()._repr_html_()
    assert "the first 128 of 1024 rows" in whole and len(whole) < 300_000

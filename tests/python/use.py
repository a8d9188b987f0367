# SPDX-License-Identifier: Apache-2.0
"""The package kerr, used.  Run by package_test.py with pytest on each version of Python."""

import gc
import os
import subprocess
import sys

import numpy as np
import pytest

import kerr

SUM = np.array([0x00000513, 0x00A00593, 0x00B50533, 0xFFF58593, 0xFE059CE3, 0x00010637, 0x00A62023, 0x0000006F], np.uint32)
KERNELS = os.path.join(os.environ["BUILD"], "kernels")


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
    with pytest.raises(kerr.KerrError, match="nowhere.elf"):
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
                    "    kerr_chip.run(10000)\n")
    result = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "is not an instruction of this core" in result.stdout
    assert "Kerr" in result.stdout and "tile (1,2) T0 stopped at pc 0x20000" in result.stdout

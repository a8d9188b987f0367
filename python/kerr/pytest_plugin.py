# SPDX-License-Identifier: Apache-2.0
"""A fixture for pytest, and what the chip has to say when a test fails.

    def test_hello(kerr_chip):
        tile = kerr_chip.tensix[0]
        ...

A test with `@pytest.mark.kerr(checks="all", seed=7)` gets a chip made with these arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .chip import Chip
from .findings import Finding
from .text import disassemble, disassemble_riscv

_KEY = "_kerr_chip"


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "kerr(**arguments): arguments of kerr.Chip for the fixture kerr_chip")


@pytest.fixture
def kerr_chip(request: pytest.FixtureRequest) -> Iterator[Chip]:
    """A fresh chip; it ends with the test."""
    mark = request.node.get_closest_marker("kerr")
    chip = Chip(**(mark.kwargs if mark else {}))
    setattr(request.node, _KEY, chip)
    yield chip
    delattr(request.node, _KEY)
    chip.close()


def _who(chip: Chip) -> Iterator[str]:
    """Cores and threads that do something or wait, at most 20 lines."""
    lines = 0
    for tile in chip:
        for core in tile.cores:
            now = core.state
            if now["state"] == "reset":
                continue
            waits = f", {'polls' if now['state'] == 'parked' else 'waits for'} {now['waits_for']}" if "waits_for" in now else ""
            stands = now["state"] if now["stand"] not in ("ended", "idle") else now["stand"]
            place = core.place(now["pc"])
            yield (f"tile {tile} {core.name:2} {stands} at pc 0x{now['pc']:05x}{f' in {place}' if place else ''}: "
                   f"{core.disassemble(now['pc'])}{waits}")
            lines += 1
        for thread in tile.threads:
            if thread.state["waits"]:
                yield f"tile {tile} Tensix T{thread.index} {thread.doing()}"
                lines += 1
        if lines >= 20:
            yield "..."
            return


def _step(finding: Finding, cycle: int, pc: int, word: int) -> str:
    text = disassemble(word) if finding.access.actor == "thread" else disassemble_riscv(word, pc)
    return f"    {cycle:>10} pc 0x{pc:05x} {word:08x}  {text}"


def report(chip: Chip) -> str:
    """What a person wants to see of a chip when a test has failed."""
    lines = [f"cycle {chip.cycle}, {chip.end.verdict}"]
    found = chip.findings
    lines += [f"{len(found)} findings" + (":" if found else "")]
    for finding in found[:10]:
        lines.append(f"  {finding}")
        if finding.access.instruction:
            lines.append(f"    the instruction: {finding.access.text}")
        lines += [_step(finding, *step) for step in finding.history[-4:]]
    waits = [wait for wait in chip.why() if wait.wants]
    if waits:
        lines += ["who waits for whom:", *(f"  {wait}" for wait in waits[:20]), *(["  ..."] if len(waits) > 20 else [])]
    lines += ["where everybody stands:", *(f"  {line}" for line in _who(chip))]
    return "\n".join(lines)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
    outcome: Any = yield
    result = outcome.get_result()
    chip = getattr(item, _KEY, None)
    if chip is not None and result.when == "call" and result.failed:
        result.sections.append(("Kerr", report(chip)))

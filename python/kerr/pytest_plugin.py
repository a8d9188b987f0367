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
    for tile in chip.tensix:
        for core in tile.cores:
            now = core.state
            if now["state"] == "reset":
                continue
            waits = f", {'polls' if now['state'] == 'parked' else 'waits for'} {now['waits_for']}" if "waits_for" in now else ""
            state = now["state"] if now["stand"] not in ("ended", "idle") else now["stand"]
            yield f"tile {tile} {core.name:2} {state} at pc 0x{now['pc']:05x}{waits}"
            lines += 1
        for thread in tile.threads:
            at = thread.state
            if at["waits"]:
                yield f"tile {tile} Tensix T{thread.index} {at['instruction']} waits since cycle {at['since']}: {at['reason']}"
                lines += 1
        if lines >= 20:
            yield "..."
            return


def report(chip: Chip) -> str:
    """What a person wants to see of a chip when a test has failed."""
    lines = [f"cycle {chip.cycle}"]
    found = chip.findings
    lines += [f"{len(found)} findings" + (":" if found else "")]
    for finding in found[:10]:
        lines.append(f"  {finding}")
        lines += [f"    {cycle:>10} pc 0x{pc:05x} {word:08x}" for cycle, pc, word in finding.history[-4:]]
    lines += ["where everybody stands:", *(f"  {line}" for line in _who(chip))]
    return "\n".join(lines)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
    outcome: Any = yield
    result = outcome.get_result()
    chip = getattr(item, _KEY, None)
    if chip is not None and result.when == "call" and result.failed:
        result.sections.append(("Kerr", report(chip)))

# SPDX-License-Identifier: Apache-2.0
"""Reads tests/seeds.tbl, for scripts/status.py and tests/infra/seeds_test.py."""

import re

AGREES = ("yes", "partly", "no")


class Bad(Exception):
    """What is wrong with the table, and where."""


class Seed:
    """A statement, the tests that show what is true, and what is left for later steps."""

    def __init__(self, name, agrees, statement):
        self.name, self.agrees, self.statement = name, agrees, statement
        self.tests = []  # (test, case or None)
        self.later = []


def read_seeds(path):
    """All rows, in order."""
    seeds = []
    with open(path, encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            line = line.rstrip()
            if not line or line.startswith("#"):
                continue
            if not line.startswith(" "):
                columns = re.split(r" {2,}", line)
                if len(columns) != 3 or columns[1] not in AGREES:
                    raise Bad(f"{path}:{number}: expected an id, one of {', '.join(AGREES)}, and a statement")
                seeds.append(Seed(*columns))
            elif not seeds:
                raise Bad(f"{path}:{number}: a test before the first statement")
            elif line.strip().startswith("later: "):
                seeds[-1].later.append(line.strip().removeprefix("later: "))
            else:
                test, _, case = line.strip().partition(": ")
                seeds[-1].tests.append((test, case or None))
    return seeds

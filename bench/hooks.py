#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instructions of a run with the hooks of checks compiled in, and off, against one of a build without them.

    hooks.py WITH WITHOUT KERNELS

WITH and WITHOUT are check_bench of two builds.  valgrind counts what kerr_run executes, so that neither the machine nor its load
matters.  Status 1: more than two percent; 77: there is no valgrind.
"""

import sys

from counting import count, has_valgrind

LIMIT = 0.02


def main():
    if not has_valgrind():
        print("hooks: there is no valgrind")
        return 77
    with_hooks, without = (count([program, sys.argv[3], "--off"], "kerr_run")[0] for program in sys.argv[1:3])
    more = with_hooks / without - 1
    print(f"hooks that are off: {with_hooks / 1e6:.1f} M instructions, without hooks {without / 1e6:.1f} M: {100 * more:+.2f} % "
          f"(at most {100 * LIMIT:.0f})")
    return 1 if more > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())

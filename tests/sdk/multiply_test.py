#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""examples/multiply.c: a small product on all 140 tiles; the program compares with floats and with a recorded hash itself."""

import os

from tap import BUILD, Tap, path, run


def main():
    tap = Tap()
    program, kernels = os.path.join(BUILD, "examples", "multiply"), os.path.join(BUILD, "kernels")
    result = run(program, kernels, path("utilisation"), "20", "56", "4")
    tap.case("multiply: the product is right", result.returncode == 0, result.stdout + result.stderr)
    lines = result.stdout.splitlines()
    tap.case("multiply: close to floats", any(line.startswith("Against floats") and line.endswith(": ok") for line in lines),
             result.stdout)
    tap.equal("multiply: bits as recorded", [line for line in lines if line.startswith("Bits of C")],
              ["Bits of C: ffd0a97ae1e480a9, as recorded: ok"])
    cells = [word for line in lines if line.startswith("  ") for word in line.split()]
    tap.case("multiply: every tile worked", len(cells) >= 140 and all(word != "0" for word in cells), result.stdout)
    with open(path("utilisation.png"), "rb") as file:
        tap.equal("multiply: a picture", file.read(8), b"\x89PNG\r\n\x1a\n")
    short = run(program, kernels, path("utilisation"), "20", "56", "4", "1")
    tap.case("multiply: LoFi is close enough", short.returncode == 0 and "no recorded answer" in short.stdout,
             short.stdout + short.stderr)
    tap.equal("multiply: sizes that do not divide are refused", run(program, kernels, path("u"), "21", "56", "4").returncode, 2)
    tap.done()


if __name__ == "__main__":
    main()

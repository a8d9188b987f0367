# SPDX-License-Identifier: Apache-2.0
"""What is in an installed ttnn wheel."""

import glob
import os
import re


def package_of(python):
    found = glob.glob(os.path.join(os.path.dirname(python), os.pardir, "lib", "python3*", "site-packages", "ttnn"))
    return os.path.realpath(found[0])


def blackhole_sets(package):
    """Folders with Blackhole firmware, in a fixed order, each with its compiler's version."""
    for brisc in sorted(glob.glob(os.path.join(package, "tt_metal", "pre-compiled", "*", "trisc2", "trisc2.elf"))):
        folder = os.path.dirname(os.path.dirname(brisc))
        with open(brisc, "rb") as file:
            elf = file.read()
        version = re.search(rb"GCC: (\(tenstorrent/sfpi:[^)]*\) [\d.]+)", elf)
        if not os.path.islink(folder) and b"xtttensixbh" in elf and version:
            yield folder, version[1].decode()

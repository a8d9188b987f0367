#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The package kerr as a user has it: installed into an environment of this version of Python, then used.

    package_test.py VERSION [--full]

The library is the build's, so that nothing is compiled twice; --full also reads the types, runs the tutorial and compares
structs with the compiler's.  KERR_PACKAGE_BUILD=1 lets pip build the library itself, as a user's does (minutes).
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(TOP, "tests", "clients"))
import venv_of_client  # noqa: E402  pylint: disable=wrong-import-position

BUILD = venv_of_client.BUILD


def run(name, command, **environment):
    result = subprocess.run(command, capture_output=True, text=True, check=False, cwd=TOP, timeout=900,
                            env={**os.environ, "BUILD": BUILD, **environment})
    print(f"{'not ok' if result.returncode else 'ok'} - {name}", flush=True)
    if result.returncode:
        print("".join(f"# {line}\n" for line in (result.stdout + result.stderr).splitlines()[-60:]), end="")
    return result.returncode != 0


def main():
    version, full = sys.argv[1], "--full" in sys.argv
    try:
        python = venv_of_client.ensure(f"python{version}")
    except venv_of_client.Missing as missing:
        print(missing)
        return 77
    with tempfile.TemporaryDirectory() as where:
        library = {} if os.environ.get("KERR_PACKAGE_BUILD") else {"KERR_LIBRARY": os.path.join(BUILD, "libkerr.so")}
        sources = os.path.join(where, "sources")  # pip leaves folders in the tree that it builds
        os.mkdir(sources)
        names = ["pyproject.toml", "setup.py", "README.md", "python"] if library else os.listdir(TOP)
        for name in names:
            if name not in ("build", ".git"):
                subprocess.run(["cp", "-a", os.path.join(TOP, name), sources], check=True)
        target = os.path.join(where, "installed")
        pip = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-deps", "--no-build-isolation",
               "--disable-pip-version-check", "--target", target, sources]
        failed = run(f"pip install . on Python {version}", pip, **library)
        here = {"PYTHONPATH": target, "KERR_LIBRARY": ""}
        failed |= run(f"the package on Python {version}",
                      [python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                       os.path.join(HERE, "use.py")], **here)
        if full:
            failed |= run("examples in its words", [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules",
                                                    os.path.join(target, "kerr")], **here)
            failed |= run("types", [python, "-m", "mypy", "--cache-dir", os.path.join(where, "mypy"), "python/kerr"])
            failed |= run("structs are the compiler's", [python, os.path.join(HERE, "layout.py"), where], **here)
            failed |= run("docs/python.md", [python, "scripts/tutorial.py", "docs/python.md"], **here)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

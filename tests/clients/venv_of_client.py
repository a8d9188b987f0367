#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real clients from PyPI, each set in a virtual environment of its own below the build directory.

    venv_of_client.py [SET]...          installs what is missing; without SET: all
    venv_of_client.py --list

Does nothing, quickly, when all is there; safe to interrupt (an environment counts once its stamp is written, else
it is made anew) and to run twice at a time.  A test calls ensure(), which raises Missing with a sentence that says
what this machine lacks: the test then ends with status 77, a skip, which fails under KERR_CI=1.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys

BUILD = os.path.abspath(os.environ.get("BUILD", "build"))

# Wheels exist for certain versions of Python only.  ttnn's other requirements (torch, pandas and the like) are not
# needed to open a device and move tensors, so it comes without them.
PACKAGE = ["numpy", "pyelftools", "pytest", "setuptools", "wheel"]
SETS = {
    "exalens": {
        "why": "tt-umd and tt-exalens",
        "python": ["3.11"],
        "pip": ["tt-umd==0.9.14", "tt-exalens==0.4.2"],
    },
    "ttnn": {
        "why": "ttnn (a wheel of 100 MB)",
        "python": ["3.10", "3.12"],
        "pip": ["--no-deps", "ttnn==0.81.1", "numpy==1.26.4", "loguru==0.7.3", "graphviz==0.21", "networkx==3.4.2"],
    },
    # What the package of Python needs, and its tests: the tutorial draws, mypy reads the types.
    "python3.10": {"why": "the package kerr", "python": ["3.10"], "pip": [*PACKAGE]},
    "python3.11": {"why": "the package kerr", "python": ["3.11"], "pip": [*PACKAGE, "matplotlib", "mypy"]},
    "python3.12": {"why": "the package kerr", "python": ["3.12"], "pip": [*PACKAGE]},
}


class Missing(Exception):
    """An interpreter or a wheel cannot be had here."""


def answers(python, version):
    """Is this command that version of Python, with what a virtual environment needs?  A name on PATH may be a
    version manager's shim that only prints a complaint."""
    check = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    try:
        result = subprocess.run([*python, "-c", check], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return result.returncode == 0 and result.stdout.strip() == version


def managed(version):
    """Interpreters of version managers, newest first."""
    roots = [os.environ.get("PYENV_ROOT"), "~/.pyenv", os.environ.get("ASDF_DATA_DIR"), "~/.asdf/installs/python",
             "~/.local/share/mise/installs/python", "~/.local/share/uv/python"]
    for root in filter(None, roots):
        for base in (root, os.path.join(root, "versions"), os.path.join(root, "installs", "python")):
            base = os.path.expanduser(base)
            with contextlib.suppress(OSError):
                for name in sorted(os.listdir(base), reverse=True):
                    if f"-{name}".startswith((f"-{version}.", f"-cpython-{version}.")):
                        yield [os.path.join(base, name, "bin", f"python{version}")]


def find_python(versions):
    """The command of the first of these versions that is on this machine."""
    for version in versions:
        candidates = [[f"python{version}"], ["python3"], [sys.executable]]
        for candidate in [*candidates, *managed(version), ["py", f"-{version}"]]:
            if answers(candidate, version):
                return candidate
    return None


def say(text):
    print(f"  VENV  {text}", flush=True)


def run(command, lock):
    """The command holds the lock too, so that one that outlives us is waited for, not disturbed."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                            pass_fds=[lock.fileno()])
    if result.returncode:
        print(result.stdout, file=sys.stderr)
        last = [line for line in result.stdout.splitlines() if line.strip()][-1:] or ["no output"]
        raise Missing(f"{' '.join(command[:4])} ...: {last[0]}")


def install(python, where, packages, lock):
    """Makes the environment.  A pip outside of it spares us installing one into it; older ones cannot do that."""
    outside = subprocess.run([*python, "-m", "pip", "--python", sys.executable, "--version"], capture_output=True,
                             check=False).returncode == 0
    run([*python, "-m", "venv", "--clear", *(["--without-pip"] if outside else []), where], lock)
    inside = os.path.join(where, "bin", "python")
    pip = [*python, "-m", "pip", "--python", inside] if outside else [inside, "-m", "pip"]
    run([*pip, "install", "--quiet", "--no-compile", "--disable-pip-version-check", "--retries", "2", *packages], lock)


def ensure(name):
    """The Python of the environment with these packages."""
    wanted = SETS[name]
    where = os.path.join(BUILD, f"venv-{name}")
    inside = os.path.join(where, "bin", "python")
    stamp = os.path.join(where, "kerr-stamp")
    contents = "\n".join([*wanted["python"], *wanted["pip"]])

    def is_ready():
        with contextlib.suppress(OSError), open(stamp, encoding="utf-8") as file:
            return file.read() == contents and answers([inside], version_of(where))
        return False

    if is_ready():
        return inside
    os.makedirs(BUILD, exist_ok=True)
    with open(where + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_ready():
            return inside
        python = find_python(wanted["python"])
        if python is None:
            raise Missing(f"no Python {' or '.join(wanted['python'])} for {wanted['why']}")
        say(f"{wanted['why']} into {os.path.relpath(where)}")
        shutil.rmtree(where, ignore_errors=True)
        install(python, where, wanted["pip"], lock)
        with open(stamp + ".new", "w", encoding="utf-8") as file:
            file.write(contents)
        os.rename(stamp + ".new", stamp)
    return inside


def version_of(where):
    """major.minor of an environment, as venv noted it."""
    with open(os.path.join(where, "pyvenv.cfg"), encoding="utf-8") as lines:
        for line in lines:
            key, _, value = line.partition("=")
            if key.strip() == "version":
                return ".".join(value.strip().split(".")[:2])
    return ""


def become(name, script, arguments):
    """Goes on as SCRIPT in that environment; for tests that start in any Python and miss a package there."""
    if os.path.realpath(sys.prefix) == os.path.realpath(os.path.join(BUILD, f"venv-{name}")):
        print(f"{name} is installed but cannot be imported")
        sys.exit(1)
    try:
        python = ensure(name)
    except Missing as missing:
        print(missing)
        sys.exit(77)
    sys.stdout.flush()
    os.execv(python, [python, script, *arguments])


def main(arguments):
    if arguments == ["--list"]:
        print(*SETS, sep="\n")
        return 0
    unknown = [name for name in arguments if name not in SETS]
    if unknown:
        print(f"venv_of_client.py: no set '{unknown[0]}' ({', '.join(SETS)})", file=sys.stderr)
        return 2
    status = 0
    for name in arguments or SETS:
        try:
            ensure(name)
        except Missing as missing:
            say(f"{name}: {missing}; its tests will be skipped")
            status = 77
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

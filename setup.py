# SPDX-License-Identifier: Apache-2.0
"""`pip install .`: makes libkerr.so and puts it into the package.  Everything else is in pyproject.toml."""

import os
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:  # older setuptools
    from wheel.bdist_wheel import bdist_wheel

HERE = os.path.dirname(os.path.abspath(__file__))


class Build(build_py):
    def run(self):
        super().run()
        library = os.environ.get("KERR_LIBRARY")
        if not library:
            build = os.path.abspath(os.path.join(self.get_finalized_command("build").build_temp, "kerr"))
            environment = dict(os.environ, KERR_DEPS=os.environ.get("KERR_DEPS", "skip"))
            subprocess.run(["make", "-C", HERE, f"BUILD={build}", f"-j{os.cpu_count()}", f"{build}/libkerr.so"],
                           env=environment, check=True)
            library = os.path.join(build, "libkerr.so")
        shutil.copy(library, os.path.join(self.build_lib, "kerr", "libkerr.so"))


class Wheel(bdist_wheel):
    """Any Python 3, this kind of machine: the library is reached through ctypes."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=WithLibrary)

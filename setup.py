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
            library = os.path.join(build, "libkerr.so")
            self.make(build, "libkerr.so")
            try:
                self.make(build, "libkerr_files.so")
            except subprocess.CalledProcessError:
                self.warn("libkerr_files.so cannot be built (it needs libzstd; Debian: libzstd-dev): no files of saved chips and traces")
        shutil.copy(library, os.path.join(self.build_lib, "kerr", "libkerr.so"))
        files = os.path.join(os.path.dirname(library), "libkerr_files.so")
        if os.path.exists(files):
            shutil.copy(files, os.path.join(self.build_lib, "kerr", "libkerr_files.so"))

    def make(self, build, what):
        environment = dict(os.environ, KERR_DEPS=os.environ.get("KERR_DEPS", "skip"))
        subprocess.run(["make", "-C", HERE, f"BUILD={build}", f"-j{os.cpu_count()}", f"{build}/{what}"], env=environment, check=True)


class Wheel(bdist_wheel):
    """Any Python 3, this kind of machine: the library is reached through ctypes."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=WithLibrary)

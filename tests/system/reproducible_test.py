# SPDX-License-Identifier: Apache-2.0
"""The same sources give the same bytes wherever they lie: shards are merged by the hash of what computed them.

A plugin and a library are compiled once more here; with POSLAB_WHOLE_BUILD=1 (`./dev reproducible`) all that is built.
"""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from poslab_case import BUILD, SOURCE, PoslabCase

# What of the build's cache decides which bytes come out.
DECIDES = ("CMAKE_BUILD_TYPE", "CMAKE_CXX_COMPILER", "CMAKE_CXX_FLAGS", "CMAKE_UNITY_BUILD", "POSLAB_ARCH", "POSLAB_SANITIZE")


def is_release():
    return "CMAKE_BUILD_TYPE:STRING=Release" in (Path(BUILD) / "CMakeCache.txt").read_text()


class Reproducible(PoslabCase):
    def built(self):
        """What is passed on of a build: the program, the library, the plugins."""
        return [Path(BUILD) / "bin/poslab", Path(BUILD) / "lib/libposlab.so", *sorted((Path(BUILD) / "plugins").glob("*.so"))]

    @unittest.skipUnless(is_release(), "debug information says where the sources lie")
    def test_nothing_that_is_built_says_where_or_when_it_was(self):
        for file in self.built():
            content = file.read_bytes()
            for told in (str(SOURCE), str(BUILD)):
                self.assertNotIn(told.encode() + b"/", content, f"{file.name} names the folder {told}")
            dates = re.findall(rb"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d 20\d\d\b", content)
            self.assertEqual(dates, [], f"{file.name} says when it was compiled")

    @unittest.skipUnless(is_release(), "debug information says where the sources lie")
    def test_what_another_folder_builds_is_the_same_bytes(self):
        there = self.scratch / "another folder with a longer name"
        subprocess.run(["git", "clone", "--quiet", "--no-checkout", SOURCE, there], check=True)  # the program says its commit
        tracked = subprocess.run(["git", "ls-files", "-z"], cwd=SOURCE, check=True, capture_output=True).stdout.split(b"\0")
        for name in filter(None, map(bytes.decode, tracked)):
            (there / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(SOURCE) / name, there / name)  # with its mode, lest the copy be dirty
        subprocess.run(["git", "-C", there, "reset", "--quiet"], check=True)
        cache = (Path(BUILD) / "CMakeCache.txt").read_text()
        options = [f"-D{name}={value}" for name, value in re.findall(r"^(\w+):\w+=(.*)$", cache, re.MULTILINE) if name in DECIDES]
        build = there / "out"
        subprocess.run(["cmake", "-S", there, "-B", build, "-G", "Ninja", "-DPOSLAB_TESTS=OFF", *options], check=True, capture_output=True)
        environment = {"CCACHE_DISABLE": "1", "PATH": "/usr/bin:/bin"}
        everything = os.environ.get("POSLAB_WHOLE_BUILD") == "1"
        targets = ["poslab", "libposlab", "plugins/all"] if everything else ["poslab_scheme_rope", "poslab_data"]
        done = subprocess.run(["cmake", "--build", build, "--target", *targets], capture_output=True, text=True, env=environment)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr)
        here = self.built() if everything else [Path(BUILD) / "plugins/rope.so", Path(BUILD) / "libposlab_data.a"]
        differ = [file.name for file in here if (build / file.relative_to(BUILD)).read_bytes() != file.read_bytes()]
        self.assertEqual(differ, [], f"of {len(here)} files")
        if everything:
            print(f"{len(here)} files, byte by byte the same")


if __name__ == "__main__":
    unittest.main()

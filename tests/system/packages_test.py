# SPDX-License-Identifier: Apache-2.0
"""core/package: the steps of the workflow, in a repository with schemes of its own; what the recipes name is what CMake looks for."""

import ast
import os
import re
import subprocess
import textwrap
import unittest

from poslab_case import BUILD, SOURCE, PoslabCase

FOLDER = SOURCE / "core/package"
IN_SPACK = {"Boost": "boost", "Eigen3": "eigen", "TBB": "intel-tbb", "OpenSSL": "openssl", "fmt": "fmt", "nlohmann_json": "nlohmann-json",
            "tomlplusplus": "tomlplusplus", "SQLite3": "sqlite", "HDF5": "hdf5"}


def steps():
    """Name -> the lines for the shell."""
    text = (FOLDER / "workflow/check-schemes.yml").read_text()
    found = re.findall(r"      - name: (.*)\n(?: {8}(?!run).*\n)* {8}run: \|\n((?: {10}.*\n)+)", text)
    return {name: textwrap.dedent(lines) for name, lines in found}


class Workflow(PoslabCase):
    def do(self, step):
        environment = os.environ | {"PATH": f"{BUILD}/bin:/usr/bin:/bin", "CMAKE_PREFIX_PATH": str(BUILD)}
        return subprocess.run(["sh", "-e", "-c", steps()[step]], cwd=self.scratch, env=environment, capture_output=True, text=True)

    def python_scheme(self):
        page = (SOURCE / "core/sdk/writing-a-scheme-in-python.md").read_text()
        return page.split("```python\n")[1].split("```")[0]

    def test_schemes_of_both_languages_are_built_tested_and_checked(self):
        self.assertEqual(list(steps()), ["install poslab", "build those in C++, and run their tests", "check all"])
        (self.scratch / "schemes").mkdir()
        (self.scratch / "schemes/log_distance.py").write_text(self.python_scheme())
        self.expect(0, "new", "scheme", "mine", "--family", "additive", "--dir", "schemes")
        done = self.do("build those in C++, and run their tests")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        done = self.do("check all")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("schemes/log_distance.py", "schemes/mine/build/mine.so"):
            self.assertIn(f"{name}\n", done.stdout)
        self.assertIn(" 0 failed", done.stdout)

    def test_a_claim_that_does_not_hold_fails_and_so_does_a_repository_without_schemes(self):
        (self.scratch / "schemes").mkdir()
        self.assertNotEqual(self.do("check all").returncode, 0)
        lies = self.python_scheme().replace("abs(q[:, None] - k[None, :])", "abs(q[:, None] + k[None, :])")
        (self.scratch / "schemes/log_distance.py").write_text(lies)
        self.assertEqual(self.do("build those in C++, and run their tests").returncode, 0)
        done = self.do("check all")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn("FAIL  relative", done.stdout)


class Recipes(unittest.TestCase):
    def test_spack_is_told_of_every_library_that_cmake_looks_for(self):
        recipe = (FOLDER / "spack/package.py").read_text()
        calls = [node for node in ast.walk(ast.parse(recipe)) if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "depends_on"]
        told = {re.split("[@ ]", call.args[0].value)[0] for call in calls if isinstance(call.args[0], ast.Constant)}
        found = set(re.findall(r"^find_package\((\w+)", (SOURCE / "CMakeLists.txt").read_text(), re.MULTILINE)) - {"Threads"}
        self.assertEqual(found, set(IN_SPACK))
        self.assertEqual({IN_SPACK[name] for name in found} - told, set())
        self.assertLessEqual({"libzip", "random123", "python", "ninja", "cmake"}, told)

    def test_what_the_package_recommends_is_what_python_needs(self):
        (recommended,) = re.findall(r'CPACK_DEBIAN_PACKAGE_RECOMMENDS "(.*)"', (SOURCE / "core/cmake/Debian.cmake").read_text())
        (needed,) = re.findall(r"^dependencies = (\[.*\])$", (SOURCE / "pyproject.toml").read_text(), re.MULTILINE)
        names = {re.split("[>=]", name)[0] for name in ast.literal_eval(needed)}
        self.assertEqual(set(recommended.split(", ")), {f"python3-{name}" for name in names})


if __name__ == "__main__":
    unittest.main()

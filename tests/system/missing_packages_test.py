# SPDX-License-Identifier: Apache-2.0
"""What somebody reads whose Python lacks a package: one sentence, with the lines for apt and pip, wherever the package is needed."""

import re
import subprocess
import sys
from pathlib import Path

from poslab_case import SOURCE, PoslabCase

PLACE = Path("/usr/lib/python3/dist-packages")  # Debian's packages
OF_RESULTS = ("numpy", "h5py", "pandas", "xarray", "h5netcdf")
WITHOUT_ANY = ("-S", "-B")  # Debian's Python, which then does not look there


def log_distance():
    page = (SOURCE / "core/sdk/writing-a-scheme-in-python.md").read_text()
    return page.split("```python\n")[1].split("```")[0]


class MissingPackages(PoslabCase):
    def setUp(self):
        super().setUp()
        self.folder = self.scratch / "packages"  # what it finds beside its own library
        self.folder.mkdir()
        self.python = self.scratch / "python3"
        self.python.write_text(f'#!/bin/sh\nPYTHONPATH=$PYTHONPATH:{self.folder} exec {sys.executable} -S "$@"\n')
        self.python.chmod(0o755)

    def have_all_but(self, *packages):
        for package in PLACE.iterdir():
            if package.name.partition(".")[0] not in packages:
                (self.folder / package.name).symlink_to(package)

    def says(self, code):
        """The last line of what a program in Python says that finds the package poslab; all of it is an error's."""
        done = subprocess.run([self.python, "-B", "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(SOURCE / "results/python")})
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return done.stderr.splitlines()[-1]

    def is_sentence(self, line, *packages):
        """One for exactly these, with what to type."""
        self.assertRegex(line, r"^(ImportError: )?(poslab[ .]|run\.)\w+ needs ")
        debian, pip = (re.search(pattern, line) for pattern in (r"apt install ([^,;]*) on Debian", r"-m pip install ([\w ]*)"))
        self.assertEqual(debian[1].split(), [f"python3-{name}" for name in packages], line)
        self.assertEqual(pip[1].split(), list(packages), line)
        self.assertIn(sys.executable, line)

    def report(self, *words):
        """Exit code, and what it says in this Python."""
        done = self.poslab("report", *words, environment={"POSLAB_PYTHON": str(self.python)})
        return done.returncode, done.stdout + done.stderr

    def test_the_package_is_imported_without_any(self):
        code = "import poslab; poslab.printable('a'); print(len(dir(poslab)))"
        done = subprocess.run([sys.executable, *WITHOUT_ANY, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(SOURCE / "results/python")})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_entrance_says_what_it_needs_and_all_of_it(self):
        for entrance in ("scheme('rope')", "schemes()", "define", "check('rope')", "run('a.toml')", "plugin_path"):
            self.is_sentence(self.says(f"import poslab; poslab.{entrance}"), "numpy")
        for entrance in ("open('a.h5')", "compare", "MARKS", "Run"):
            self.is_sentence(self.says(f"import poslab; poslab.{entrance}"), *OF_RESULTS)
        self.is_sentence(self.says("import poslab.torch"), "numpy", "torch")
        (self.folder / "numpy").symlink_to(PLACE / "numpy")
        self.is_sentence(self.says("import poslab; poslab.open('a.h5')"), *OF_RESULTS[1:])

    def test_a_report_is_one_sentence(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        for words, packages in ((["a.h5"], (*OF_RESULTS, "matplotlib")), (["a.h5", "-o", "a.pdf"], (*OF_RESULTS, "matplotlib")),
                                (["a.h5", "-o", "a.html"], OF_RESULTS)):
            code, said = self.report(*words)
            self.assertEqual((code, said.count("\n")), (1, 1), said)
            self.is_sentence(said.strip(), *packages)

    def test_what_matplotlib_does_not_draw_needs_none(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        self.have_all_but("matplotlib", "mpl_toolkits", "pylab")
        code, said = self.report("a.h5")
        self.assertEqual((code, said.count("\n")), (1, 1), said)
        self.is_sentence(said.strip(), "matplotlib")
        code, said = self.report("a.h5", "-o", "a.html")
        self.assertEqual(code, 0, said)
        self.is_sentence(self.says(f"import poslab; poslab.open({str(self.scratch / 'a.h5')!r}).plot('min_distance')"), "matplotlib")

    def test_a_scheme_in_python_is_told_what_its_python_lacks(self):
        (self.scratch / "log_distance.py").write_text(log_distance())
        environment = {"POSLAB_PYTHON": str(self.python)}
        said = self.expect(1, "check", "log_distance.py", environment=environment)
        self.assertLessEqual(len(said.splitlines()), 8, said)
        (refusal,) = [line for line in said.splitlines() if line.startswith("  FAIL")]
        self.assertRegex(refusal, "needs NumPy, .*: apt install python3-numpy on Debian, or .* -m pip install numpy; POSLAB_PYTHON names")
        self.assertRegex(said, r"(?m)^  -     \d+ more checks  rest on table, which failed$")
        for words in (["table", "log_distance.py"], ["run", self.study('format = 1\ntitle = "mine"\n[[scheme]]\nuse = "log_distance.py"\n'
                                                                       '[[experiment]]\nuse = "uniqueness"\naxes = { length = [8] }\n'), "-o", "a.h5"]):
            said = self.expect((1, 2, 3, 4), *words, environment=environment)
            self.assertIn("apt install python3-numpy on Debian", said)
            self.assertNotIn("Traceback", said)
        (self.folder / "numpy").symlink_to(PLACE / "numpy")
        self.expect(0, "check", "log_distance.py", "--only", "returns", environment=environment)

    def test_one_in_pytorch_likewise(self):
        (self.folder / "numpy").symlink_to(PLACE / "numpy")
        (self.scratch / "mine.py").write_text("import torch\n")
        said = self.expect(1, "check", "mine.py", environment={"POSLAB_PYTHON": str(self.python)})
        self.assertRegex(said, r"mine\.py:1: No module named 'torch': .*apt install python3-torch on Debian, or .* -m pip install torch; POSLAB_PYTHON names")


if __name__ == "__main__":
    import unittest
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Whoever runs poslab in a folder runs nothing of that folder: no library, no module, no program that lies there."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from linked_plugin import LinkedPluginCase
from poslab_case import BINARY, BUILD, SOURCE, PoslabCase
from search_paths import elf_files, faults, search_paths

TRAP = '#include <stdlib.h>\n__attribute__((constructor)) static void taken(void) { if (system("echo ran >> taken") != 0) abort(); }\n'


class Files(PoslabCase):
    def test_of_the_build_tree(self):
        files = elf_files(BUILD)
        for needed in ("bin/poslab", "lib/libposlab.so", "plugins/rope.so", "faults/toy/toy.so"):
            self.assertIn(BUILD / needed, files)
        self.assertEqual(faults(files), [])

    def test_of_an_installation(self):
        prefix = self.scratch / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, capture_output=True)
        files = elf_files(prefix)
        self.assertGreater(len(files), 40)
        self.assertEqual(faults(files), [])

    def test_each_fault_is_seen(self):
        everybodys = self.scratch / "everybodys"
        everybodys.mkdir()
        everybodys.chmod(0o777)
        for path in ("/usr/lib:", ":/usr/lib", "/usr/lib::/lib", "lib", "../lib", "$LIB/x", "$ORIGINAL/x", everybodys):
            subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", "a.so", f"-Wl,-rpath,{path}"], cwd=self.scratch, check=True)
            self.assertEqual(len(faults([self.scratch / "a.so"])), 1, path)
        for path in ("/usr/lib", "$ORIGIN/../lib", "${ORIGIN}", "$ORIGIN:/usr/lib"):
            subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", "a.so", f"-Wl,-rpath,{path}"], cwd=self.scratch, check=True)
            self.assertEqual(faults([self.scratch / "a.so"]), [], path)
            self.assertEqual(search_paths([self.scratch / "a.so"])[self.scratch / "a.so"], path.split(":"))

    def test_of_a_scheme_that_is_built_outside(self):
        self.expect(0, "new", "scheme", "mine", "--family", "bias")
        listing = self.scratch / "mine/CMakeLists.txt"
        listing.write_text(listing.read_text() + "\ninstall(TARGETS poslab_scheme_mine LIBRARY DESTINATION lib)\n")
        for words in (["-S", "mine", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={BUILD}"], ["--build", "build"],
                      ["--install", "build", "--prefix", "prefix"]):
            subprocess.run(["cmake", *words], cwd=self.scratch, check=True, capture_output=True)
        files = [*elf_files(self.scratch / "build"), *elf_files(self.scratch / "prefix")]
        self.assertEqual([file.name for file in files], ["mine.so", "mine.so"])
        self.assertEqual(faults(files), [])


class Traps(LinkedPluginCase):
    """A folder in which something lies by the name of each thing that poslab looks for."""

    def setUp(self):
        super().setUp()
        self.expect(0, "run", self.study(), "-o", "a.h5")

    def needed(self, file):
        said = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
        return {line.split()[0] for line in said.splitlines() if " => " in line}

    def assert_not_taken(self):
        taken = self.scratch / "taken"
        was_run = taken.exists()
        taken.unlink(missing_ok=True)
        self.assertFalse(was_run, "what lies in the working directory was run")

    def test_no_library_comes_from_the_working_directory(self):
        self.compile(TRAP, "trap.so")
        names = self.needed(BINARY) | self.needed(BUILD / "lib/libposlab.so")
        self.assertIn("libsqlite3.so.0", names)
        for name in names - {"libc.so.6"}:  # which runs before any constructor may
            (self.scratch / name).write_bytes((self.scratch / "trap.so").read_bytes())
        for words in (["summary", "a.h5"], ["list", "schemes"], ["run", "study.toml", "-o", "b.h5"], ["check", "rope", "--only", "returns"]):
            self.poslab(*words)
            self.assert_not_taken()
        with self.subTest("libposlab.so"):
            script = "import sys; sys.path.insert(0, sys.argv[1]); import poslab; poslab.scheme('rope', d_model=32, heads=4)"
            subprocess.run(["/usr/bin/python3", "-B", "-P", "-c", script, SOURCE / "results/python"], cwd=self.scratch, check=True, capture_output=True,
                           env=os.environ | {"POSLAB_LIBRARY": str(BUILD / "lib/libposlab.so")})
            self.assert_not_taken()

    def module(self, name):
        (self.scratch / f"{name}.py").write_text("open('taken', 'w').close()\n")

    def test_no_module_comes_from_the_working_directory(self):
        """Python takes an empty entry of PYTHONPATH for the working directory, and `PYTHONPATH=$PYTHONPATH:/mine` often makes one."""
        elsewhere = tempfile.TemporaryDirectory(prefix="poslab-test-elsewhere-")
        self.addCleanup(elsewhere.cleanup)
        scheme = Path(elsewhere.name) / "mine.py"
        scheme.write_text('import poslab\n@poslab.define(id="mine")\nclass Mine:\n    def encode(self, positions, d_model):\n'
                          "        return positions[:, None] + 0 * __import__('numpy').arange(d_model)\n")
        for name in ("json", "numpy", "h5py", "poslab", "sitecustomize"):
            self.module(name)
        for path in (":", f":{SOURCE}", f"{SOURCE}:", f"{SOURCE}::{SOURCE}", ""):
            for words in (["check", scheme, "--only", "returns"], ["report", "a.h5", "-o", "page.md"], ["report", "a.h5", "-o", "page.html"]):
                with self.subTest(path=path, words=words):
                    self.expect(0, *words, environment={"PYTHONPATH": path, "POSLAB_PYTHON": "/usr/bin/python3"})
                    self.assert_not_taken()

    def test_no_program_comes_from_the_working_directory(self):
        for name in ("python3", "sbatch", "scontrol"):
            program = self.scratch / name
            program.write_text("#!/bin/sh\n: > taken\n")
            program.chmod(0o755)
        (self.scratch / "mine.py").write_text('import poslab\n@poslab.define(id="mine", family="none")\nclass Mine:\n    pass\n')
        here = {"POSLAB_PYTHON": "", "PATH": f":{os.environ['PATH']}:"}
        self.poslab("check", "mine.py", "--only", "returns", environment=here)
        self.assert_not_taken()
        self.poslab("submit", "study.toml", "-o", "c.h5", "--tasks", "2", environment=here | {"PATH": ":/nowhere:"})
        self.assert_not_taken()

    def test_no_plugin_comes_from_the_working_directory(self):
        self.compile(TRAP, "trap.so")
        (self.scratch / "own").mkdir()
        (self.scratch / "poslab_like.so").write_bytes((self.scratch / "trap.so").read_bytes())
        for path in (":", f":{self.scratch / 'own'}", f"{self.scratch / 'own'}:", ""):
            self.expect(0, "list", "schemes", environment={"POSLAB_PLUGIN_PATH": path})
            self.assert_not_taken()

    def test_a_plugin_whose_path_is_the_working_directory_fails_its_check(self):
        self.library(1)
        for path in ("$ORIGIN/../lib:", ":$ORIGIN/../lib", "$ORIGIN/../lib::/usr/lib"):
            self.plugin(path)
            self.assertRegex(self.expect(1, "check", "own/linked.so", "--only", "linking"), r"FAIL  linking .*its RUNPATH has an empty entry")


if __name__ == "__main__":
    unittest.main()

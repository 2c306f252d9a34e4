"""`poslab compare` lives on when HDF5 dies of what somebody has written: it reads in a child, and says what became of that."""

import contextlib
import os
import shutil
import signal
import subprocess
import unittest

import h5py
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase
from survival import children_of, is_sanitized, wait_until_alone


GRID = """
format = 1
title = "A grid"
[model]
d_model = 32
heads = 4
[[scheme]]
use = "rope-2d"
positions = { grid = [3, 4] }
[[experiment]]
use = "norm-preservation"
axes = { length = [12] }
repeats = 2
"""


TOY = """
format = 1
title = "A toy"
[model]
d_model = 32
heads = 4
[[scheme]]
use = "toy"
set = { mode = "plain" }
[[experiment]]
use = "norm-preservation"
axes = { length = [4] }
repeats = 1
"""


class OnGrids(PoslabCase):
    """The first measure of norm-preservation is a curve, whose points lie somewhere in each cell of the file."""

    def test_files_are_compared_and_shown(self):
        self.expect(0, "run", self.study(GRID), "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        self.assertIn("equal within tolerance", self.expect(0, "compare", "a.h5", "b.h5"))
        self.assertRegex(self.expect(0, "summary", "a.h5", "--verbose"), r"\n  rope-2d +[✓✗~?]\n")


class Compare(PoslabCase):
    # A sanitizer ends the process in its own way at a segmentation fault, but not at what free() does about a wild pointer.
    SIGNAL, WORDS = (signal.SIGABRT, "SIGABRT (aborted)") if is_sanitized(BINARY) else (signal.SIGSEGV, "SIGSEGV (segmentation fault)")

    def test_a_crash_inside_of_hdf5_is_told(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "{ range = [200, 300, 1] }"))
        self.expect(0, "run", study, "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        for _ in range(20):  # until one is struck before it is done, which is mostly the first
            parent = subprocess.Popen([BINARY, "compare", "a.h5", "b.h5"], cwd=self.scratch, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True)
            while parent.poll() is None and not children_of(parent.pid):
                pass
            for child in children_of(parent.pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, self.SIGNAL)
            said = parent.communicate(timeout=120)[0]
            if parent.returncode:
                break
        self.assertEqual((parent.returncode, said), (2, f"poslab: compare: one of the files ended the process with {self.WORDS}\n"))
        self.assertEqual(wait_until_alone(self.scratch), {}, "processes live on")


class Words(PoslabCase):
    def test_a_line_for_each_measure_with_the_worst_of_its_values(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        with h5py.File(self.scratch / "b.h5", "r+") as file:
            scheme = file["uniqueness/scheme"].asstr()[()]
            for row, step in zip((scheme == "rope").nonzero()[0], (0.25, 0.5)):
                file["uniqueness/min_distance"][row] += step
        said = self.expect(1, "compare", "a.h5", "b.h5")
        heading, line, verdict = said.splitlines()
        self.assertEqual(heading, "uniqueness")
        self.assertRegex(line, r"^  min_distance: 2 of 8 values in 2 cells; worst: rope.*length 16.*they are 0\.5 apart")
        self.assertIn("2 differences: different", verdict)
        self.assertEqual(self.expect(1, "compare", "a.h5", "b.h5", "--verbose").count("uniqueness of rope"), 2)

    def test_why_nothing_matches(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        for old, new, says in (
            ("seed = 7", "seed = 8", "seeds differ: 7, 8"),
            ("[8, 16]", "[9, 17]", "length of uniqueness differs: 8 and 16 in the first file, 9 and 17 in the second"),
            ('use = "uniqueness"', 'use = "norm-preservation"',
             "no experiment in common: uniqueness in the first file, norm-preservation in the second"),
            ('title = "small"\nseed = 7', 'title = "other"\nseed = 8', 'titles differ: "small", "other"'),
            ("d_model = 32", "d_model = 64", "d_model of uniqueness differs: 32 in the first file, 64 in the second"),
            ('use = "rope"', 'use = "rope"\nset = { base = 500.0 }', None),  # the others match
        ):
            with self.subTest(new):
                self.expect(0, "run", self.study(SMALL_STUDY.replace(old, new), "other.toml"), "-o", "b.h5", "--fresh")
                said = self.expect(1, "compare", "a.h5", "b.h5")
                if says:
                    self.assertIn("no cell of one file is in the other:\n", said)
                    self.assertIn(f"  {says}\n", said)
                else:
                    self.assertNotIn("no cell of one file", said)

    def test_versions_of_a_scheme_with_what_became_of_the_numbers(self):
        (self.scratch / "plugins").mkdir()
        toy = (BUILD / "faults/toy/toy.so").read_bytes()
        study = self.study(TOY)
        for version, output in ((b"1.0", "a.h5"), (b"1.1", "b.h5")):
            (self.scratch / "plugins/toy.so").write_bytes(toy.replace(b"\x001.0\x00", b"\x00" + version + b"\x00"))
            self.expect(0, "run", study, "--plugins", self.scratch / "plugins", "-o", output)
        said = self.expect(1, "compare", "a.h5", "b.h5")
        self.assertIn("\n  toy has version 1.0 in the first file and 1.1 in the second", said)
        self.assertIn("the numbers of 1 cell, alike but for these versions, are equal within tolerance\n", said)
        with h5py.File(self.scratch / "b.h5", "r+") as file:
            file["norm-preservation/ratio_min"][0] += 0.25
        self.assertRegex(self.expect(1, "compare", "a.h5", "b.h5"),
                         r"alike but for these versions:\nnorm-preservation\n  ratio_min: 4 of 4 values in 1 cell; worst: .* 0\.25 apart")

    def test_a_parameter_that_some_schemes_do_not_have_has_no_empty_value(self):
        study = SMALL_STUDY + '[[scheme]]\nuse = "learned"\nset = { max_length = 64 }\n'
        self.expect(0, "run", self.study(study), "-o", "a.h5")
        self.expect(0, "run", self.study(study.replace("64", "128"), "other.toml"), "-o", "b.h5")
        said = self.expect(1, "compare", "a.h5", "b.h5")
        self.assertIn("max_length of uniqueness differs: 64 in the first file, 128 in the second\n", said)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Files that an earlier poslab wrote (tests/system/before: a run with given weights, schema 1.1 as it was begun) still open,
and their journal goes on."""

import shutil
import sys
import unittest

import h5py
import numpy
from poslab_case import SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
import poslab  # noqa: E402  # the package, once it can be found

BEFORE = SOURCE / "tests/system/before"
NOTE = "given weights: table from file 2bbb3fbf"


class FilesOfBefore(PoslabCase):
    def setUp(self):
        super().setUp()
        shutil.copytree(BEFORE, self.scratch, dirs_exist_ok=True)

    def test_its_results_are_shown_and_compared(self):
        shown = self.expect(0, "summary", "before.h5")
        self.assertIn(f"† {NOTE}", shown)
        self.assertIn("learned †", shown)
        self.assertIn("kerple *", shown)
        self.expect(0, "compare", "--exact", "before.h5", "before.h5")
        self.assertIn("0 differences", self.expect(0, "compare", "before.h5", "before.h5"))

    def test_a_file_of_schema_1_0_too(self):
        with h5py.File(self.scratch / "before.h5", "a") as file:
            del file["weights_state"], file.attrs["schema_minor"]
        shown = self.expect(0, "summary", "before.h5")
        self.assertIn(f"† {NOTE}", shown)
        self.assertIn("kerple *", shown)

    def test_its_journal_tells_what_was_done_and_why_it_runs_again(self):
        status = self.expect(0, "status", "before.h5")
        self.assertIn("before.h5.journal: complete", status)
        plan = self.expect(0, "run", "study.toml", "-o", "before.h5", "--weights", "learned.table=t.npy", "--plan")
        self.assertRegex(plan, "kept|plugin changed")
        self.expect(0, "run", "study.toml", "-o", "before.h5", "--weights", "learned.table=t.npy")
        compared = self.expect(1, "compare", BEFORE / "before.h5", "before.h5")
        self.assertIn("uniqueness has version 3.0 in the first file and 3.1 in the second", compared)
        self.assertNotIn("weights differ", compared)
        with h5py.File(BEFORE / "before.h5") as before, h5py.File(self.scratch / "before.h5") as now:
            self.assertEqual(len(before["id"]), 12)
            # 3.1 has other numbers for values alone, and here are none; another processor has other last bits
            for name in ("min_distance", "distinct", "collisions", "norm", "nearest_distance"):
                numpy.testing.assert_allclose(now["uniqueness"][name][...], before["uniqueness"][name][...], rtol=1e-9, err_msg=name)
            self.assertEqual(now["answers/trainings/note"].asstr()[()].tolist(), [NOTE])
        for file in (BEFORE / "before.h5", self.scratch / "before.h5"):
            self.assertEqual(poslab.open(file).answers.trained.tolist(), [[NOTE], [], []])


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Files that an earlier poslab wrote (tests/system/before: a run with given weights, schema 1.1 as it was begun, and one of
schema 1.2) open once they are upgraded, and their journal goes on."""

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

    def test_an_earlier_file_names_the_command_that_rewrites_it(self):
        for command in (("summary",), ("compare", "before.h5")):
            self.assertIn("poslab upgrade before.h5", self.expect(2, *command, "before.h5"))

    def test_its_results_are_shown_and_compared(self):
        self.assertIn("schema 1.1 to 2.0", self.expect(0, "upgrade", "before.h5"))
        self.assertIn("already", self.expect(0, "upgrade", "before.h5"))
        shown = self.expect(0, "summary", "before.h5")
        self.assertIn(f"† {NOTE}", shown)
        self.assertIn("learned †", shown)
        self.assertIn("kerple *", shown)
        self.expect(0, "compare", "--exact", "before.h5", "before.h5")
        self.assertIn("0 differences", self.expect(0, "compare", "before.h5", "before.h5"))

    def test_a_file_of_schema_1_0_too(self):
        with h5py.File(self.scratch / "before.h5", "a") as file:
            del file["weights_state"], file.attrs["schema_minor"]
            for name in ("gate", "repeats", "minus", "error"):
                del file["expectations"][name]
            for name in ("state", "point", "of_answer"):
                del file["answers"][name]
        self.assertIn("schema 1.0 to 2.0", self.expect(0, "upgrade", "before.h5"))
        shown = self.expect(0, "summary", "before.h5")
        self.assertIn(f"† {NOTE}", shown)
        self.assertIn("kerple *", shown)
        with h5py.File(BEFORE / "before.h5") as before, h5py.File(self.scratch / "before.h5") as now:
            sentence = before["uniqueness/norm"].attrs["long_name"]
            self.assertEqual(dict(now["uniqueness/norm"].attrs)["description"], sentence)
            self.assertEqual(dict(now["uniqueness/norm"].attrs)["long_name"], "norm")

    def test_a_file_of_schema_1_2_keeps_its_measures_and_its_answers(self):
        self.assertIn("schema 1.2 to 2.0", self.expect(0, "upgrade", "schema-1.2.h5"))
        shown = self.expect(0, "summary", "schema-1.2.h5")
        self.assertIn("numbers at length = 8", shown)
        self.assertIn("learned(max_length=8) *  ✓ 8", shown)
        with h5py.File(BEFORE / "schema-1.2.h5") as before, h5py.File(self.scratch / "schema-1.2.h5") as now:
            for group, same in (("uniqueness", before["uniqueness"]), ("answers", ("mark", "number", "sentence", "point", "value"))):
                for name in same:
                    numpy.testing.assert_array_equal(now[group][name][()], before[group][name][()], err_msg=name)
            for name in ("id", "seed", "row", "label_parameters", "family"):
                numpy.testing.assert_array_equal(now[name][()], before[name][()], err_msg=name)
            self.assertEqual(list(now["answers/legends/text"].asstr()[1:]), ["numbers at length = 8"])
            self.assertEqual(list(now["answers/rows/signs"].asstr()), ["*", "", "*"])
        self.expect(0, "compare", "--exact", "schema-1.2.h5", "schema-1.2.h5")

    def test_an_upgrade_is_whole_or_not_at_all(self):
        bytes_before = (self.scratch / "before.h5").read_bytes()
        (self.scratch / "before.h5").write_bytes(bytes_before[:20000])
        self.expect(2, "upgrade", "before.h5")
        self.assertEqual((self.scratch / "before.h5").read_bytes(), bytes_before[:20000])
        self.assertEqual([path.name for path in self.scratch.glob("*.tmp-*")], [])

    def test_its_journal_tells_what_was_done_and_why_it_runs_again(self):
        status = self.expect(0, "status", "before.h5")
        self.assertIn("before.h5.journal: complete", status)
        plan = self.expect(0, "run", "study.toml", "-o", "before.h5", "--weights", "learned.table=t.npy", "--plan")
        self.assertRegex(plan, "kept|plugin changed")
        self.expect(0, "run", "study.toml", "-o", "before.h5", "--weights", "learned.table=t.npy")
        shutil.copy(BEFORE / "before.h5", self.scratch / "earlier.h5")
        self.expect(0, "upgrade", "earlier.h5")
        compared = self.expect(1, "compare", "earlier.h5", "before.h5")
        self.assertIn("uniqueness has version 3.0 in the first file and 3.1 in the second", compared)
        self.assertNotIn("weights differ", compared)
        with h5py.File(BEFORE / "before.h5") as before, h5py.File(self.scratch / "before.h5") as now:
            self.assertEqual(len(before["id"]), 12)
            # 3.1 has other numbers for values alone, and here are none; another processor has other last bits
            for name in ("min_distance", "distinct", "collisions", "norm", "nearest_distance"):
                numpy.testing.assert_allclose(now["uniqueness"][name][...], before["uniqueness"][name][...], rtol=1e-9, err_msg=name)
            self.assertEqual(now["answers/trainings/note"].asstr()[()].tolist(), [NOTE])
        for file in ("earlier.h5", "before.h5"):
            self.assertEqual(poslab.open(self.scratch / file).answers.trained.tolist(), [[NOTE], [], []])


if __name__ == "__main__":
    unittest.main()

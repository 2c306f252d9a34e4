# SPDX-License-Identifier: Apache-2.0
"""Where a study puts tokens, from the study file to what is read from the results."""

import sys
import unittest

import h5py
import numpy as np
from poslab_case import SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
import poslab  # noqa: E402

STUDY = """
format = 1
title = "positions"
[model]
d_model = 32
heads = 4
positions = {positions}
[[scheme]]
use = "sinusoidal"
[[scheme]]
use = "rope-2d"
[[scheme]]
use = "t5"
[[experiment]]
use = "uniqueness"
[[experiment]]
use = "relative-shift"
axes = {{ contents = 2, shift = [1] }}
repeats = 2
"""


class Positions(PoslabCase):
    def run_with(self, positions, *arguments):
        study = self.study(STUDY.format(positions=positions))
        self.expect(0, "run", study, "-o", "a.h5", "--fresh", *arguments)
        return poslab.open(self.scratch / "a.h5")

    def test_the_study_of_grids_holds_on_any_number_of_threads(self):
        study = SOURCE / "experiments/studies/grids.toml"
        for threads in (1, 2, 8):
            self.expect(0, "run", study, "--threads", threads, "-o", f"{threads}.h5")
        self.expect(0, "compare", "--exact", "1.h5", "2.h5")
        self.expect(0, "compare", "--exact", "1.h5", "8.h5")
        run = poslab.open(self.scratch / "1.h5")
        self.assertTrue((run.expectations.verdict == "holds").all())
        cells = poslab.on_grid(run.curve("nearest_distance", scheme="swin", offsets="causal", repeat=0))
        self.assertEqual(cells.shape, (8, 12))
        beyond = poslab.on_grid(run.curve("novelty", variant="sincos-2d(layout=mae)", repeat=0))
        self.assertEqual(beyond.shape, (16, 24))
        self.assertTrue((beyond[:8, :12] == 0).all() and (beyond[8:] > 0).all() and (beyond[:, 12:] > 0).all())

    def test_schemes_of_other_axes_are_skipped_both_ways(self):
        run = self.run_with("{ grid = [3, 4] }")
        self.assertEqual(set(run.skipped.scheme), {"sinusoidal", "t5"})
        self.assertTrue(run.skipped.message.str.contains("wants positions of 1 axis, as in text").all())
        run = self.run_with("{ policy = 'plain' }", "--axis", "length=12")
        self.assertEqual(set(run.skipped.scheme), {"rope-2d"})
        self.assertTrue(run.skipped.message.str.contains("grid = [16, 16]", regex=False).all())

    def test_positions_that_are_drawn_are_the_same_for_all_schemes_and_differ_by_repeat(self):
        run = self.run_with("{ policy = 'randomised', range = 100 }", "--axis", "length=12")
        of = [run.curve("nearest_distance", scheme="sinusoidal", repeat=repeat).position_value for repeat in range(10)]
        for values in of:
            self.assertTrue((np.diff(values) >= 1).all() and values.max() < 100)
        self.assertGreater(len({tuple(values.to_numpy()) for values in of}), 5)
        self.assertIn("cannot be 120 different numbers", " ".join(
            self.run_with("{ policy = 'randomised', range = 100 }", "--axis", "length=120").skipped.message))

    def test_a_table_of_rows_reaches_to_where_tokens_stand(self):
        for positions in ("{ policy = 'shifted', by = 500 }", "{ policy = 'randomised', range = 100 }"):
            study = STUDY.replace("rope-2d", "learned").format(positions=positions)
            self.expect(0, "run", self.study(study), "--axis", "length=12", "-o", "a.h5", "--fresh")
            run = poslab.open(self.scratch / "a.h5")
            self.assertTrue((run.index.status == "ok").all())

    def test_a_list_between_the_integers(self):
        run = self.run_with("{ at = [0, 0.7, 1.9] }")
        np.testing.assert_array_equal(run.curve("nearest_distance", scheme="sinusoidal").position_value, [0, 0.7, 1.9])
        self.assertTrue(run.skipped[run.skipped.scheme == "t5"].message.str.contains("whole positions only").all())

    def test_where_tokens_stand_is_part_of_what_a_cell_is(self):
        ids = {}
        for positions in ("{ policy = 'plain' }", "{ policy = 'shifted', by = 0 }", "{ policy = 'shifted', by = 5 }"):
            ids[positions] = set(self.run_with(positions, "--axis", "length=12").index.id)
        plain, at_0, at_5 = ids.values()
        self.assertFalse(plain & at_0 or plain & at_5 or at_0 & at_5)

    def test_the_plan_says_where_tokens_stand(self):
        study = self.study(STUDY.format(positions="{ grid = [3, 4] }"))
        self.assertIn("positions = { grid = [3, 4] }\n", self.expect(0, "run", study, "--plan"))

    def test_a_table_on_a_grid(self):
        self.expect(0, "table", "sincos-2d", "--grid", "3x4", "--d-model", 16, "-o", "code.h5")
        with h5py.File(self.scratch / "code.h5") as file:
            self.assertEqual(list(file["position_row"][()]), [0] * 4 + [1] * 4 + [2] * 4)
            self.assertEqual(list(file["position_column"][()]), [0, 1, 2, 3] * 3)
            np.testing.assert_allclose(file["encoding_table"][:, 0], np.sin([0, 1, 2, 3] * 3), atol=1e-15)
            np.testing.assert_allclose(file["encoding_table"][:, 8], np.sin([0] * 4 + [1] * 4 + [2] * 4), atol=1e-15)
            self.assertEqual(file["encoding_table"].attrs["coordinates"], "position_row position_column")
        output = self.expect(0, "table", "swin", "--grid", "4x5")
        self.assertIn("4 rows x 5 columns", output)
        for wrong, words in (("4", "wants ROWSxCOLUMNS"), ("4x0", "at least 1"), ("4xb", "ROWSxCOLUMNS"), ("999x999", "65536")):
            self.assertIn(words, self.expect(2, "table", "swin", "--grid", wrong))
        self.assertIn("not both", self.expect(2, "table", "swin", "--grid", "4x4", "--positions", "0:4"))


if __name__ == "__main__":
    unittest.main()

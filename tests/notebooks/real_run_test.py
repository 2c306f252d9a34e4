# SPDX-License-Identifier: Apache-2.0
"""Checks a real run for what is known: python real_run_test.py FILE, where FILE is the run of small.toml."""

import re
import sys
import unittest
from pathlib import Path

import matplotlib
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "results/python"))
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import poslab  # noqa: E402
from poslab import pictures  # noqa: E402

FILE = sys.argv.pop()


class SmallRun(unittest.TestCase):
    def setUp(self):
        self.run_ = poslab.open(FILE)

    def test_every_cell_is_there(self):
        self.assertTrue(self.run_.complete)
        self.assertEqual(len(self.run_.index), self.run_.planned_cells)
        self.assertEqual(len(self.run_.failures), 0, self.run_.failures.to_string())
        self.assertEqual(set(self.run_.skipped.message == ""), {False})

    def test_the_lines_of_the_readme(self):
        readme = (Path(__file__).resolve().parents[2] / "README.md").read_text()
        (lines,) = re.findall(r'^run = poslab.open.*?(?=^```)', readme, re.MULTILINE | re.DOTALL)
        lines = lines.replace('"results/runs/quickstart.h5"', repr(FILE))
        lines = re.sub(r"\blength=\d+", "length=128", lines)
        for line in lines.splitlines():
            with self.subTest(line):
                exec(line, globals())  # noqa: S102
        self.assertGreater(lines.count("run."), 3)

    def test_codes_that_are_counted_by_hand(self):
        distinct = self.run_["uniqueness"].distinct
        self.assertEqual(distinct.sel(scheme="none", length=128).item(), 1)
        self.assertEqual(distinct.sel(scheme="shaw", length=128).item(), 17)  # offsets 0 to 15, and 16 for all further
        self.assertEqual(distinct.sel(scheme="rope", length=128).item(), 128)
        self.assertEqual(self.run_["uniqueness"].collisions.sel(scheme="none", length=128).item(), 128 * 127 / 2)

    def test_a_rotation_keeps_lengths(self):
        ratio = self.run_.curve("ratio_max", scheme="rope", length=128, repeat=0)
        self.assertEqual(list(ratio.position), list(range(128)))
        np.testing.assert_allclose(ratio, 1, atol=1e-14)

    def test_the_mask_alone_has_its_closed_form(self):
        mean, deviation = self.run_.over_repeats("first-position-bias", "sink_share_mask")
        harmonic = (1 / np.arange(1, 33)).sum() / 32
        np.testing.assert_allclose(mean.sink_share_mask, harmonic, rtol=1e-12)
        self.assertLess(deviation.sink_share_mask.max().item(), 1e-15)

    def test_logits_by_distance_of_a_straight_line(self):
        slope = (2.0 ** (-2 * np.arange(1, 5))).mean()  # ALiBi of 4 heads
        change = self.run_.curve("change_random", scheme="alibi", repeat=0)
        np.testing.assert_allclose(change, -slope * change.distance, atol=1e-12)

    def test_picture_of_logits_by_distance(self):
        look = pictures.Looks(self.run_)
        panels = pictures.distance_profile(self.run_, look, variants=["none", "rope", "alibi"], columns=2)
        self.addCleanup(plt.close, "all")
        self.assertEqual(panels.shape, (2, 2))
        self.assertEqual([axes.get_title() for axes in panels.flat], ["none", "rope", "alibi", ""])
        self.assertFalse(panels[1, 1].get_visible())
        drawn = {axes.get_title(): {line.get_label(): line for line in axes.lines} for axes in panels.flat}
        mean = self.run_.curve("mean_equal", scheme="alibi").mean("repeat")
        np.testing.assert_array_equal(drawn["alibi"]["equal contents"].get_xydata(), np.stack([mean.distance, mean], 1))
        breadths = [drawn["none"][f"{contents} contents"].get_linewidth() for contents in ("equal", "all-ones")]
        self.assertGreater(breadths[0], 2 * breadths[1])  # both can be seen where they coincide
        self.assertEqual(len(drawn["rope"]), len(drawn["alibi"]) + 1)  # the bound
        with self.assertRaisesRegex(LookupError, "distance"):
            pictures.distance_profile(self.run_, look, length=77)

    def test_learned_weights_are_said_to_be_untrained(self):
        messages = self.run_.index[self.run_.index.status == "ok"].groupby("scheme").message.unique()
        for scheme, found in messages.items():
            learned = scheme in ("learned", "t5", "shaw", "transformer-xl")
            self.assertEqual(list(found), ["untrained weights"] if learned else [""], scheme)

    def test_a_table_that_is_too_short_is_skipped_with_its_sentence(self):
        with self.assertRaisesRegex(LookupError, "skipped.*learned.*0 to 63.*127"):
            self.run_.curve("nearest_distance", scheme="learned", length=128)


if __name__ == "__main__":
    unittest.main()

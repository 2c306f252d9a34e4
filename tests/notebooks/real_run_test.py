# SPDX-License-Identifier: Apache-2.0
"""Checks a real run for what is known: python real_run_test.py FILE, where FILE is the run of small.toml."""

import re
import sys
import unittest
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "results/python"))
import poslab  # noqa: E402

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
        lines = lines.replace("=4096", "=128").replace("=512", "=128")
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

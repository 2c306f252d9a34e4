# SPDX-License-Identifier: Apache-2.0
"""`poslab verify`: what was published, what comes out here, and whether it holds."""

import unittest

from poslab_case import PoslabCase

STUDY = """
format = 1
title = "One known answer"
[[scheme]]
use = "none"
[[experiment]]
use = "uniqueness"
axes = {{ length = [4, 8] }}
[[expect]]
experiment = "uniqueness"
measure = "collisions"
where = {{ length = 8 }}
{gate}
source = "N (N - 1) / 2"
[[out_of_reach]]
what = "perplexity of a large model"
published = "12.3"
reason = "it takes a thousand machines"
"""


class Verify(PoslabCase):
    def known(self, gate):
        path = self.scratch / "known.toml"
        path.write_text(STUDY.format(gate=gate))
        return path

    def test_what_holds_and_what_does_not(self):
        output = self.expect(0, "verify", self.known("value = 28\ntolerance = 0"))
        self.assertRegex(output, r"✓ collisions length=8 +28 +28 +0\n")
        self.assertRegex(output, r"perplexity of a large model: 12\.3\n +it takes a thousand machines")
        self.assertIn("1 of 1 known answers hold; 1 study in", output)
        output = self.expect(1, "verify", self.known("at_most = 27"))
        self.assertRegex(output, r"✗ collisions length=8 +≤ 27 +28 +1\n\n")
        self.assertRegex(output, r"\nwhat fails:\n  ✗ .*, collisions length=8: 28 here, published at most 27 \[N \(N - 1\) / 2\]\n\n0 of 1")
        self.assertIn("0 of 1 known answers hold, 1 fails", output)

    def test_a_difference_of_cells(self):
        output = self.expect(0, "verify", self.known("value = 22\ntolerance = 0\nminus = { length = 4 }"))
        self.assertRegex(output, r"collisions length=8 less that\n +of length=4 +22 +22 +0\n")

    def test_results_are_kept_where_they_are_asked_for_and_nowhere_else(self):
        study = self.known("value = 28\ntolerance = 0")
        before = sorted(path.name for path in self.scratch.iterdir())
        self.expect(0, "verify", study)
        self.assertEqual(sorted(path.name for path in self.scratch.iterdir()), before)
        self.expect(0, "verify", study, "-o", "kept")
        self.assertTrue((self.scratch / "kept/known.h5").is_file())
        output = self.expect(0, "verify", study, "-o", "kept")
        self.assertIn("1 of 1 known answers hold", output)

    def test_a_study_of_a_text_that_is_not_there_is_left_out_and_says_so(self):
        study = self.scratch / "text.toml"
        study.write_text(
            'format = 1\ntitle = "t"\n[[scheme]]\nuse = "none"\n[[experiment]]\nuse = "language-model"\n'
            'axes = { task = "text", steps = 1 }\n'
        )
        output = self.expect(0, "verify", study)
        self.assertIn("not run: ", output)
        self.assertIn("--data text=FILE", output)
        self.assertIn("1 not run", output)

    def test_mistakes(self):
        output = self.expect(2, "verify", "--trained", self.known("at_most = 27"))
        self.assertIn("name those, too", output)
        self.assertIn("above 0 seconds", self.expect(2, "verify", self.known("at_most = 28"), "--cell-time", "0"))
        self.assertIn("-o wants the name of a folder", self.expect(2, "verify", self.known("at_most = 28"), "-o", ""))
        self.expect(2, "verify", self.scratch / "no.toml")
        self.known("").write_text(STUDY.format(gate="").partition("[[expect]]")[0])
        self.assertIn("has no [[expect]]", self.expect(2, "verify", self.scratch / "known.toml"))
        self.assertIn("at_least", self.expect(2, "verify", self.known("at_least = 1\nat_most = 27")))


class Shipped(PoslabCase):
    def test_every_known_answer_holds(self):
        output = self.expect(0, "verify")
        self.assertRegex(output, r"\n(\d+) of \1 known answers hold; ")


if __name__ == "__main__":
    unittest.main()

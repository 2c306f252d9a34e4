"""results/report.py: the page of a run says what the file says."""

import re
import subprocess
import sys
import unittest

from poslab_case import SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results"))
sys.dont_write_bytecode = True
import poslab  # noqa: E402

STUDY = """
format = 1
title = "Five schemes, five questions"
seed = 3
[model]
d_model = 32
heads = 4
[[scheme]]
use = "none"
[[scheme]]
use = "sinusoidal"
[[scheme]]
use = "learned"
set = { max_length = 64 }
[[scheme]]
use = "rope"
[[scheme]]
use = "t5"
[[experiment]]
use = "uniqueness"
axes = { length = [64] }
[[experiment]]
use = "relative-shift"
repeats = 2
axes = { length = [32], shift = [1, 10] }
[[experiment]]
use = "norm-preservation"
repeats = 2
axes = { length = [32] }
[[experiment]]
use = "extrapolation"
repeats = 2
axes = { train_length = [32], multiple = [1, 4] }
[[experiment]]
use = "first-position-bias"
repeats = 2
axes = { length = [16], depth = [1, 2] }
"""


class Report(PoslabCase):
    def setUp(self):
        super().setUp()
        self.expect(0, "run", self.study(STUDY))
        self.page = self.scratch / "study.md"
        subprocess.run(["/usr/bin/python3", "-B", SOURCE / "results/report.py", self.scratch / "study.h5", "-o", self.page], check=True)
        lines = [line.strip("| ").split(" | ") for line in self.page.read_text().splitlines() if line.startswith("| `")]
        self.rows = {re.match(r"`([a-z0-9-]+)", line[0]).group(1): line for line in lines}
        self.run_ = poslab.open(self.scratch / "study.h5")

    def test_verdicts(self):
        name, code, relative, norms, beyond, first = range(6)
        self.assertEqual(self.rows["none"][code], "1 of 64 distinct")
        distinct = self.run_.rows("uniqueness", scheme="t5").distinct.to_numpy().min()
        self.assertEqual(self.rows["t5"][code], f"{distinct:.0f} of 64 distinct")
        nearest = self.run_.rows("uniqueness", scheme="sinusoidal").min_distance.item()
        self.assertEqual(self.rows["sinusoidal"][code], f"yes, {nearest:.3g}")
        self.assertTrue(self.rows["rope"][relative].startswith("yes, "))
        self.assertTrue(self.rows["sinusoidal"][relative].startswith("positions, "))
        self.assertTrue(self.rows["learned"][relative].startswith("no, "))
        self.assertTrue(self.rows["rope"][norms].startswith("kept, "))
        self.assertRegex(self.rows["sinusoidal"][norms], r"^[\d.]+ to [\d.]+$")
        self.assertEqual(self.rows["learned"][beyond], "not defined at 64")
        drift = self.run_.curve("logit_drift", scheme="rope").mean("repeat")
        self.assertEqual(self.rows["rope"][beyond], f"{float(abs(drift[drift.position >= 32]).max()):.2g} sd")
        self.assertEqual(self.rows["none"][first], "× 1")
        self.assertIn("*", self.rows["learned"][name])
        self.assertNotIn("*", self.rows["rope"][name])

    def test_reasons_are_numbered_and_the_picture_is_there(self):
        number = re.search(r"\[(\d+)\]", self.rows["t5"][3]).group(1)
        self.assertIn(f"\n{number}. it changes no vector", self.page.read_text())
        self.assertGreater((self.scratch / "study.png").stat().st_size, 10_000)

"""poslab.report: the page of a run says what the file says."""

import os
import re
import subprocess
import sys
import unittest

import h5py
from poslab_case import SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
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


REPORT = ["/usr/bin/python3", "-B", "-m", "poslab.report"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(SOURCE / "results/python")}


class ReportCase(PoslabCase):
    def report(self, study):
        self.expect(0, "run", self.study(study))
        self.page = self.scratch / "study.md"
        subprocess.run([*REPORT, self.scratch / "study.h5", "-o", self.page], check=True, env=ENVIRONMENT)
        lines = [line.strip("| ").split(" | ") for line in self.page.read_text().splitlines() if line.startswith("| `")]
        self.rows = {re.match(r"`([a-z0-9-]+)", line[0]).group(1): line for line in lines}
        self.run_ = poslab.open(self.scratch / "study.h5")


MORE_THAN_LENGTH = """
format = 1
title = "Heads, residuals and lists vary"
seed = 3
[model]
d_model = 32
heads = 4
[[scheme]]
use = "rope"
[[scheme]]
use = "sinusoidal"
axes = { layout = ["interleaved", "timing-signal"] }
[[scheme]]
use = "learned"
set = { max_length = 20 }
[[experiment]]
use = "relative-shift"
repeats = 2
axes = { heads = [2, 4], length = [16, 32], shift = [1] }
[[experiment]]
use = "relative-shift"
repeats = 2
axes = { heads = [2, 4], length = [32], shift = [1, 3] }
[[experiment]]
use = "norm-preservation"
repeats = 1
axes = { length = [16], embedding_std = [0.5, 2.0] }
[[experiment]]
use = "extrapolation"
repeats = 1
axes = { train_length = [16], multiple = [1], d_model = [32, 64] }
[[experiment]]
use = "first-position-bias"
repeats = 1
axes = { length = [8], depth = [1, 2], residual = [true, false], query_gain = [0.0, 1.0] }
[[experiment.skip]]
when = { scheme = "learned", residual = false }
reason = "enough"
"""


class MoreThanLength(ReportCase):
    """A study may vary what it likes; the page says at which point each scheme is shown."""

    def test_the_last_point_of_each_scheme(self):
        self.report(MORE_THAN_LENGTH)
        page = self.page.read_text()
        self.assertIn(r"`relative-shift` at heads = 4, shift\_list = \[1, 3\]", page)
        self.assertIn(r"`norm-preservation` at embedding\_std = 2.0", page)
        self.assertIn(r"`extrapolation` at d\_model = 64", page)
        self.assertIn(r"`first-position-bias` at query\_gain = 1.0, residual = false or true", page)
        self.assertNotIn("own code", page)
        name, relative, norms, beyond, first = range(5)
        error = self.run_.curve("content_error", scheme="sinusoidal", layout="timing-signal", length=32, heads=4, shift_list="[1, 3]").mean("repeat")
        self.assertEqual(self.rows["sinusoidal"][relative], f"positions, {error.max().item():.1g}")
        low, high = (self.run_.curve(f"ratio_{end}", scheme="sinusoidal", layout="timing-signal", embedding_std=2.0) for end in ("min", "max"))
        self.assertEqual(self.rows["sinusoidal"][norms], f"{low.min().item():.3g} to {high.max().item():.3g}")
        share, none = (self.run_.curve(name, scheme="rope", residual=False, query_gain=1.0)[-1].item() for name in ("context_share", "context_share_none"))
        self.assertEqual(self.rows["rope"][first], f"× {share / none:.3g}")
        self.assertEqual(self.rows["rope"][beyond], "defined")  # the study asks for nothing beyond

    def test_a_study_of_two_experiments_has_two_columns(self):
        self.report(MORE_THAN_LENGTH[:MORE_THAN_LENGTH.index("[[experiment]]")]
                    + '[[experiment]]\nuse = "uniqueness"\naxes = { length = [16], kind = ["natural", "position"] }\n'
                    + '[[experiment]]\nuse = "norm-preservation"\naxes = { length = [16] }\n')
        page = self.page.read_text()
        self.assertIn("| scheme | own code | norms |\n", page)
        self.assertIn("`uniqueness` at kind = position", page)
        self.assertNotIn("![", page)  # none of the pictures has anything to show
        self.assertFalse((self.scratch / "study.png").exists())


EVIL = '*a* `b` [c](http://d) <img src=x> | $\\frac{$ \x1b[2J\n# f\u202e'


class TextsOfStrangers(ReportCase):
    """What a file says of itself is text on the page, and no part of it."""

    def test_no_markup_of_the_file_is_one_of_the_page(self):
        self.expect(0, "run", self.study(STUDY))
        path = self.scratch / "a*b* [c](d) <e>.h5"
        (self.scratch / "study.h5").rename(path)
        with h5py.File(path, "a") as file:
            file.attrs["title"] = EVIL
            for group in ("/", "uniqueness", "relative-shift", "norm-preservation", "extrapolation", "first-position-bias"):
                for name in ("variant", "message"):
                    column = file[group][name]
                    column[:] = [f"{text.decode()} {EVIL}" for text in column[:]]
        page = self.scratch / "page*1*.md"
        subprocess.run([*REPORT, path, "-o", page], check=True, env=ENVIRONMENT)
        text = page.read_text()
        escaped = r"\*a\* \`b\` \[c\](http://d) \<img src=x\> \| \$\\frac{\$ \\u001B\[2J\\u000A\# f\\u202E"
        self.assertEqual(text.split("\n")[0], f"# {escaped}")
        self.assertEqual(text.count(escaped), 7)  # the title, five schemes and a reason
        own = text.replace(escaped, "")
        for sign in ("\x1b", "\u202e", "<img", "](http", "*a*", "[c](d)", "$\\frac"):
            self.assertNotIn(sign, own)
        self.assertIn(r"[a\*b\* \[c\](d) \<e\>.toml](a%2Ab%2A%20%5Bc%5D%28d%29%20%3Ce%3E.toml)", text)
        self.assertIn("(page%2A1%2A.png)", text)


class Report(ReportCase):
    def setUp(self):
        super().setUp()
        self.report(STUDY)

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
        self.assertNotIn("varies more than length", self.page.read_text())

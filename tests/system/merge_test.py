"""Shards of a run, merged, are the run."""

import shutil
import subprocess
import sys
import unittest

import h5py
import numpy as np
from poslab_case import SMALL_STUDY, PoslabCase

# Several experiments, curves with positions, a grid, what is skipped, what is drawn, expectations.
STUDY = """
format = 1
title = "shards – of everything"
seed = 11
[model]
d_model = 32
heads = 4
[[scheme]]
use = "sinusoidal"
[[scheme]]
use = "rope"
axes = { base = [100.0, 10000.0] }
[[scheme]]
use = "learned"
set = { max_length = 12 }
[[scheme]]
use = "swin"
positions = { grid = [4, 4] }
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = [8, 16]
[[experiment.skip]]
when = { length = 16, scheme = "sinusoidal" }
reason = "not wanted here"
[[experiment]]
use = "relative-shift"
repeats = 3
[experiment.axes]
length = [16]
[[expect]]
experiment = "uniqueness"
where = { scheme = "rope", length = 8 }
measure = "min_distance"
value = %s
tolerance = 1e-9
source = "made up"
"""


class Shards(PoslabCase):
    def shards(self, count, study=None, output="a.h5", code=0):
        study = study or self.study()
        for index in range(1, count + 1):
            self.expect(code, "run", study, "--shard", f"{index}/{count}", "-o", output)
        return [output.replace(".h5", f".{index}-of-{count}.h5") for index in range(1, count + 1)]

    def merged(self, files, *options, code=0, output="merged.h5"):
        return self.expect(code, "merge", "-o", output, *files, *options)


class Equality(Shards):
    def test_any_number_of_shards_merges_to_the_file_of_one_run(self):
        study = self.study(STUDY % 1e9)
        whole = self.expect(1, "run", study, "-o", "whole.h5")
        for count in (1, 2, 7, 40):
            files = self.shards(count, study)
            output = self.merged(files, code=1)
            self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "whole.h5", "merged.h5"))
            tables = [text[:text.rindex(" in ")] for text in (whole[whole.index("\nrelative"):], output[output.index("\nrelative"):])]
            self.assertEqual(*tables)


if __name__ == "__main__":
    unittest.main()

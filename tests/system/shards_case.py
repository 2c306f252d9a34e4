# SPDX-License-Identifier: Apache-2.0
"""What tests of shards need: studies that are cut, and shards that are performed and merged."""

import contextlib
import sqlite3
from concurrent.futures import ThreadPoolExecutor

from poslab_case import BUILD, SMALL_STUDY, PoslabCase

EXPECTED = """
[[expect]]
experiment = "uniqueness"
where = { scheme = "rope", length = 8 }
measure = "min_distance"
value = 1e9
tolerance = 1e-9
source = "made up"
"""

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
""" + EXPECTED

# Two of its cells fail.
FAILING = SMALL_STUDY.replace("uniqueness", "relative-shift").replace("[[experiment]]", """
[[scheme]]
use = "toy"
set = { mode = "strange" }
[[experiment]]
repeats = 2
""", 1)
TOY = ("--plugins", BUILD / "plugins", "--plugins", BUILD / "faults/toy")


class ShardsCase(PoslabCase):
    def shards(self, count, study, *options, output="a.h5", code=0):
        """Performs them, two at a time, and returns the names beside which their journals lie."""
        def perform(index):
            return self.expect(code, "run", study, "--shard", f"{index}/{count}", "-o", output, *options)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(perform, range(1, count + 1)))
        return [output.replace(".h5", f".{index}-of-{count}.h5") for index in range(1, count + 1)]

    def merge(self, code, *arguments, output="merged.h5"):
        return self.expect(code, "merge", "-o", output, *arguments)

    def refusals(self, *arguments):
        """What a merge says that must be refused: its lines."""
        output = self.merge(2, *arguments)
        self.assertFalse((self.scratch / "merged.h5").exists())
        self.assertIn("these files cannot be merged", output)
        return [line.strip() for line in output.splitlines()[1:]]

    def cells_of(self, shard):
        """How many of its cells are in the journal of a shard."""
        with contextlib.closing(sqlite3.connect(self.scratch / f"{shard}.journal")) as journal:
            return journal.execute("SELECT count(*) FROM cells").fetchone()[0]

    def assert_equal(self, first, second):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", first, second))

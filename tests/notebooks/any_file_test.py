# SPDX-License-Identifier: Apache-2.0
"""The notebook runs on any results file, and says what it does not show: python any_file_test.py POSLAB NOTEBOOK."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from run_notebook import execute

POSLAB, NOTEBOOK = sys.argv[1:3]
del sys.argv[1:3]
STUDY = """
format = 1
title = "Little"
[model]
d_model = 16
heads = 2
[[scheme]]
use = "learned"
set = { max_length = 4 }
[[scheme]]
use = "rope"
[[experiment]]
use = "norm-preservation"
repeats = 1
[experiment.axes]
length = [4, 8]
d_model = [16, 32]
[[experiment]]
use = "extrapolation"
repeats = 1
[experiment.axes]
train_length = [8]
multiple = [1, 2]
"""
TRAINED = """
format = 1
title = "Little trainings"
[model]
d_model = 8
heads = 2
[[scheme]]
use = "none"
[[scheme]]
use = "rope"
[[experiment]]
use = "language-model"
repeats = 2
[experiment.axes]
task = ["markov", "previous-token"]
layers = [1, 2]
train_length = [8]
multiple = [1, 2]
steps = [12]
batch = [2]
held_out = [2]
keep_weights = [true]
[[experiment]]
use = "length-generalisation"
repeats = 1
[experiment.axes]
layers = [1]
largest = [3]
size = [2, 4]
steps = [12]
batch = [2]
held_out = [2]
[[experiment]]
use = "first-position-bias"
repeats = 1
[experiment.axes]
length = [8]
"""
NOTHING = STUDY[:STUDY.index('[[scheme]]\nuse = "rope"')] + """
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = [8]
"""


class AnyFile(unittest.TestCase):
    def outputs(self, study):
        """What the notebook gives, by cell."""
        with tempfile.TemporaryDirectory(prefix="poslab-notebook-") as folder:
            results = Path(folder) / "a.h5"
            (Path(folder) / "a.toml").write_text(study)
            subprocess.run([POSLAB, "run", Path(folder) / "a.toml", "-o", results], check=True, capture_output=True)
            executed, _, _ = execute(NOTEBOOK, results, folder)
        return {cell["id"]: cell.get("outputs", []) for cell in executed["cells"]}

    def texts(self, study):
        """What it prints, by cell."""
        return {name: "".join(text for output in outputs for text in output.get("text", []))
                for name, outputs in self.outputs(study).items()}

    def test_of_some_experiments_and_several_widths(self):
        said = self.texts(STUDY)
        self.assertEqual(said["uniqueness"], "This file has no uniqueness: its study did not ask for it.\n")
        self.assertEqual(said["norm-preservation"], "Drawn: d_model 16. The file has 32 too.\n")
        self.assertEqual(said["extrapolation"], "")

    def test_of_trained_networks_whatever_axes_vary(self):
        outputs = self.outputs(TRAINED)
        drawn = {name for name, of_cell in outputs.items() if any("image/png" in output.get("data", {}) for output in of_cell)}
        self.assertEqual(drawn, {"language-model", "length-generalisation", "first-position-bias"})  # whose measures share names
        said = "".join(outputs["language-model"][0]["text"])
        self.assertEqual(said, "Drawn: task markov. The file has previous-token too.\nDrawn: layers 1. The file has 2 too.\n")
        (kept,) = outputs["kept"]
        self.assertEqual("".join(kept["data"]["text/plain"]).count("language-model"), 16)

    def test_without_a_single_number(self):
        said = self.texts(NOTHING)
        self.assertEqual(said["uniqueness"],
                         "No cell of uniqueness in this file has numbers: run.failures and run.skipped say why.\n")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""The words of a notebook's pictures can be read, of any file: python notebook_figures_test.py POSLAB NOTEBOOK FILE.h5.

FILE.h5 has every experiment; studies of one scheme, of four and of sixty are run here.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import text_boxes  # noqa: E402

POSLAB, NOTEBOOK, EVERY = sys.argv[1:4]
del sys.argv[1:4]
STUDY = """
format = 1
title = "{count} schemes"
[model]
d_model = 16
heads = 2
{schemes}
[[experiment]]
use = "uniqueness"
axes = {{ length = [8, 32] }}
[[experiment]]
use = "relative-shift"
repeats = 2
axes = {{ length = [8], shift = [1, 100], contents = [2] }}
[[experiment]]
use = "norm-preservation"
repeats = 2
axes = {{ length = [8] }}
[[experiment]]
use = "extrapolation"
repeats = 2
axes = {{ train_length = [8], multiple = [1, 4] }}
[[experiment]]
use = "first-position-bias"
repeats = 2
axes = {{ length = [8], depth = [1, 2] }}
[[experiment]]
use = "distance-profile"
repeats = 2
axes = {{ length = [8], contents = [2] }}
"""


def study(count):
    first = ["none", "rope", "alibi", "sinusoidal"][:count]
    schemes = "".join(f'[[scheme]]\nuse = "{name}"\n' for name in first)
    if count > len(first):
        schemes += f'[[scheme]]\nuse = "sinusoidal"\naxes = {{ base = {[100.0 + 10 * number for number in range(count - len(first))]} }}\n'
    return STUDY.format(count=count, schemes=schemes)


class NotebookFigures(unittest.TestCase):
    def require_readable(self, results):
        """Executes the cells one after another, and looks at what each has drawn."""
        os.environ["POSLAB_RESULTS"] = str(Path(results).resolve())
        os.chdir(Path(NOTEBOOK).parent)
        names, drawn = {"__name__": "notebook"}, 0
        for cell in json.loads(Path(NOTEBOOK).read_text())["cells"]:
            if cell["cell_type"] != "code":
                continue
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile("".join(cell["source"]), cell["id"], "exec"), names)
            for number in plt.get_fignums():
                with self.subTest(results=results, cell=cell["id"]):
                    self.assertEqual(text_boxes.problems(plt.figure(number), tight=True), [])
                drawn += 1
            plt.close("all")
        return drawn

    def test_of_every_experiment(self):
        self.assertGreaterEqual(self.require_readable(EVERY), 6)

    def test_of_one_scheme_of_four_and_of_sixty(self):
        for count in (1, 4, 60):
            with tempfile.TemporaryDirectory(prefix="poslab-notebook-") as folder:
                results = Path(folder) / f"{count}.h5"
                (Path(folder) / "a.toml").write_text(study(count))
                subprocess.run([POSLAB, "run", Path(folder) / "a.toml", "-o", results], check=True, capture_output=True)
                self.assertGreaterEqual(self.require_readable(results), 5)


if __name__ == "__main__":
    unittest.main()

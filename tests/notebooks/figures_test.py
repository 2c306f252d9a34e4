# SPDX-License-Identifier: Apache-2.0
"""Every word of every figure can be read, for one row, four and sixty: none lies on another, none is cut by the edge."""

import copy
import sys
import tempfile
import types
import unittest
from pathlib import Path

import h5py
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import text_boxes  # noqa: E402
import xarray as xr  # noqa: E402
from samples import SAMPLES  # noqa: E402, F401  # and where poslab lies

import poslab  # noqa: E402
from poslab import pictures  # noqa: E402
from poslab.gallery.picture import drawn  # noqa: E402
from poslab.league.picture import figure as figure_of_league  # noqa: E402
from poslab.report.figure import PANELS, figure  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
ROWS = (1, 4, 60)
LEAGUE = ROOT / "experiments/studies/league/league.h5"
COORDINATES = {"content_error": [1.0, 10, 1000], "perplexity_ratio": [1.0, 2, 4, 8], "context_share": [1.0, 2, 4, 8],
               "context_share_none": [1.0, 2, 4, 8]}


class Figures(unittest.TestCase):
    def tearDown(self):
        plt.close("all")

    def require_readable(self, drawn_figure, **of):
        with self.subTest(**of):
            self.assertEqual(text_boxes.problems(drawn_figure), [])


class TextBoxes(Figures):
    def test_words_on_each_other_and_beyond_the_edge_are_found(self):
        whole, axes = plt.subplots()
        axes.text(0.5, 0.5, "one")
        self.assertEqual(text_boxes.problems(whole), [])
        axes.text(0.5, 0.51, "two")
        axes.text(0.9, 1.2, "above")
        self.assertEqual(text_boxes.problems(whole), ["'one' lies on 'two'", "'above' is cut by the edge"])


class Page:
    """What a figure asks of a page, of so many rows with made-up curves."""

    def __init__(self, rows, experiments, name):
        self.names = {f"variant-{row}": name.format(row) for row in range(rows)}
        self.run = types.SimpleNamespace(experiments=experiments)

    def lines(self):
        return [(self, variant, "†" if row % 2 else "") for row, variant in enumerate(self.names)]

    def shown_at(self, experiment):
        return "heads = 4, d_model = 64" if experiment == "relative-shift" else ""

    def curve(self, experiment, measure, variant):
        x = np.array(COORDINATES.get(measure, range(64)), float)
        values = np.abs(np.sin(x + len(measure))) * 3.7 + 2.06 + int(variant.rpartition("-")[2]) / 1000
        return xr.DataArray(values, dims=["x"], coords={"x": x})


class Reports(Figures):
    def test_of_all_experiments_and_of_each_alone(self):
        every = list(dict.fromkeys(experiment for experiment, *_ in PANELS))
        for rows in ROWS:
            for name in ("rope {}", "sinusoidal(layout=timing-signal, base=10000.0, number={})"):
                for experiments in (every, *([one] for one in every if rows == 4)):
                    self.require_readable(figure(Page(rows, experiments, name)), rows=rows, experiments=experiments, name=name)
                    plt.close("all")


class Leagues(Figures):
    def test_of_few_schemes_and_of_many(self):
        league = poslab.open(LEAGUE).league()
        for rows in (2, 4, len(league.variants)):
            few = copy.copy(league)
            few.variants = league.variants[:rows]
            self.require_readable(figure_of_league(few), rows=rows)


    def test_the_picture_of_readme(self):
        from experiments.studies.league_picture import drawn as drawn_for_readme
        run = poslab.open(LEAGUE)
        with plt.rc_context(pictures.layout.PAPER):
            whole = drawn_for_readme(run.league(), 1200)
            self.assertEqual(text_boxes.problems(whole, tight=True), [])


class Gallery(Figures):
    def test_of_every_kind_of_array(self):
        random = np.random.Generator(np.random.Philox(1))
        with tempfile.TemporaryDirectory() as folder:
            for n in ROWS:
                arrays = {"encoding_table": (n, 64), "rotated_ones": (4, n, 16), "rotated_ones_value": (4, n, 16),
                          "position_bias": (4, n, n), "score_of_ones": (4, n, n)}
                for kind, shape in arrays.items():
                    table = Path(folder) / f"{kind}-{n}.h5"
                    with h5py.File(table, "w") as file:
                        file[kind] = -1e4 * random.random(shape)
                    with plt.rc_context({"font.size": 8}):
                        self.require_readable(drawn(table)[0], positions=n, kind=kind)
                    plt.close("all")


class Zeros(Figures):
    def test_the_lowest_power_is_not_beside_exactly_0(self):
        for which in "xy":
            for lanes in (0, 1, 2, 11, 60):
                for low, high in ((-16, -15.7), (-15, 3), (-3, 0), (-0.3, -0.2), (-200, 3)):
                    with plt.rc_context(pictures.layout.PAPER):
                        axes = pictures.panels("one", width=3)
                    curves = {lane: np.array([0.0, 10.0**high]) for lane in range(lanes)} | {"positive": 10 ** np.array([low, high], float)}
                    pictures.log_with_zeros(axes, curves, which)
                    self.require_readable(axes.figure, which=which, lanes=lanes, powers=(low, high))
                    axis = getattr(axes, f"{which}axis")
                    least, most = sorted(axis.get_view_interval())
                    shown = [label.get_text() for label, at in zip(axis.get_ticklabels(), axis.get_ticklocs()) if least <= at <= most]
                    self.assertTrue(any("10^" in label for label in shown), (which, lanes, low, high, shown))
                    plt.close("all")


if __name__ == "__main__":
    unittest.main()

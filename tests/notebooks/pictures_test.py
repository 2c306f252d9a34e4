# SPDX-License-Identifier: Apache-2.0
"""Tests of poslab.pictures: curves that lie on each other, legends, what a section draws."""

import contextlib
import io
import tempfile
import types
import unittest
from pathlib import Path

import matplotlib.colors
import numpy as np
import pandas as pd
import xarray as xr

from samples import SAMPLES  # and where pictures lies

import matplotlib.pyplot as plt
import poslab
from poslab import pictures
from poslab.labels import labels_of
from poslab.pictures.looks import smoothed


def points(x, y):
    return np.column_stack([np.asarray(x, float), np.asarray(y, float)])


class Coinciding(unittest.TestCase):
    def test_curves_that_nowhere_are_further_apart_than_a_point(self):
        x = np.arange(10)
        curves = {"a": points(x, x), "b": points(x, x + 0.9), "c": points(x, x + 20), "d": points(x, np.where(x == 4, 9, x))}
        self.assertEqual(pictures.coinciding(curves), [["a", "b"]])

    def test_a_curve_that_ends_earlier_and_one_with_gaps(self):
        x = np.arange(10.0)
        curves = {"a": points(x, x), "short": points(x[:4], x[:4]), "gap": points(x, np.where(x == 4, np.nan, x)),
                  "elsewhere": points(x + 0.5, x), "one": points(x[:1], x[:1]), "none": points(x, np.full(10, np.nan))}
        self.assertEqual(pictures.coinciding(curves), [["a", "short", "gap"]])

    def test_only_the_variants_that_are_named_are_drawn_and_have_the_first_colours(self):
        run = poslab.open(SAMPLES / "sample.h5")
        every = pictures.Looks(run)
        chosen = list(every.schemes.index)[:0:-3]
        look = pictures.Looks(run, chosen)
        self.assertEqual(list(look.curves(run, "uniqueness", "nearest_distance", length=8)), chosen)
        self.assertEqual(look(chosen[0])["color"], every(list(every.schemes.index)[0])["color"])
        with self.assertRaises(KeyError):
            pictures.Looks(run, ["gone"])

    def test_all_their_colours_are_seen_and_a_line_below_says_so(self):
        look = pictures.Looks(poslab.open(SAMPLES / "sample.h5"))
        first, second, third = list(look.schemes.index)[:3]
        axes = pictures.panels("one")
        for variant, values in ((first, [3, 2, 1]), (second, [1, 2, 3]), (third, [1, 2, 3])):
            look.line(axes, variant, [0, 1, 2], values)
        look.legend(axes)
        below = " ".join(axes.figure._supxlabel.get_text().split())
        self.assertTrue(below.endswith(f"dashes in turn: {look.name(second)} = {look.name(third)}."), below)
        axes.figure._supxlabel.remove()
        axes.figure.legends[0].remove()
        axes.set_title("", loc="left")  # letters have greys at their edges
        axes.set_axis_off()
        for line in axes.get_lines():
            line.set_marker("")
        axes.figure.canvas.draw()
        shown = np.asarray(axes.figure.canvas.buffer_rgba())[..., :3].reshape(-1, 3)
        for variant in (first, second, third):
            colour = np.round(255 * np.array(matplotlib.colors.to_rgb(look(variant)["color"])))
            self.assertGreater(int((np.abs(shown - colour).max(axis=1) < 8).sum()), 200, variant)

    def test_zeros_are_drawn_one_below_the_other(self):
        axes = pictures.panels("one")
        drawn = pictures.log_with_zeros(axes, {"a": np.array([0.0, 1.0]), "b": np.array([0.0, 1.0])})
        self.assertNotEqual(drawn["a"][0], drawn["b"][0])


def made_up(count):
    """A run of so many schemes, as far as looks see it."""
    names = [f"scheme-{number}" for number in range(count)]
    index = pd.DataFrame({"variant": names, "scheme": names, "weights_state": "none", "label_parameters": "{}"})
    return types.SimpleNamespace(index=index, labels=labels_of(index))


class Legends(unittest.TestCase):
    def setUp(self):
        pictures.use_paper_style()

    def tearDown(self):
        plt.close("all")

    def test_of_many_schemes_lies_beside_the_panels_and_takes_nothing_from_them(self):
        for count in (3, 16, 40):
            with self.subTest(schemes=count):
                look, (a, b) = pictures.Looks(made_up(count)), pictures.panels("one", "two")
                for number, variant in enumerate(look.schemes.index):
                    look.line(a, variant, [0, 1], [number, number + 1])
                look.legend(a, b)
                figure = a.figure
                figure.canvas.draw()
                (legend,) = figure.legends
                box = legend.get_window_extent()
                self.assertEqual([text.get_text() for text in legend.get_texts()], list(look.schemes.index))
                self.assertGreaterEqual(box.x0, figure.bbox.x1)
                self.assertLessEqual(box.height, 1.05 * figure.bbox.height)
                for axes in (a, b):
                    self.assertFalse(box.overlaps(axes.get_tightbbox()))
                    self.assertGreater(axes.get_window_extent().height, 0.6 * figure.bbox.height)

    def test_below_a_panel_is_below_the_words_of_its_axis(self):
        for names in (3, 40):
            a, b = pictures.panels("one", "two", names=names)
            pictures.rows_of(a, [f"scheme-{number}" for number in range(names)])
            a.set_xlabel("what it is")
            for label in "xyz":
                a.plot([], [], "o", label=label)
            pictures.legend_below(a, ncol=3)
            a.figure.canvas.draw()
            box = a.get_legend().get_window_extent()
            self.assertFalse(box.overlaps(a.get_window_extent()))
            self.assertFalse(box.overlaps(a.xaxis.get_tightbbox(a.figure.canvas.get_renderer())))
            heights = [label.get_window_extent() for label in a.get_yticklabels()]
            self.assertFalse(any(one.overlaps(other) for one, other in zip(heights, heights[1:])))

    def test_no_two_of_forty_schemes_look_alike(self):
        look = pictures.Looks(made_up(40))
        self.assertEqual(len({(look(variant)["color"], look(variant)["marker"]) for variant in look.schemes.index}), 40)


class Sections(unittest.TestCase):
    def begin(self, *cells):
        """With cells of these values of `task`, `layers` and `length`: what is chosen, and what is said of it."""
        columns = {name: ("cell", list(values)) for name, values in zip(("task", "layers", "length"), zip(*cells))}
        table = xr.Dataset(coords={"cell": range(len(cells)), "scheme": ("cell", ["rope"] * len(cells)), **columns,
                                   "variant": ("cell", ["rope"] * len(cells)), "repeat": ("cell", [0] * len(cells))},
                           attrs={"axes": "scheme task layers length variant repeat"})
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            where = pictures.begin(types.SimpleNamespace(experiments=["a"], rows=lambda *_, **__: table), "a", "length")
        return where, said.getvalue()

    def test_it_draws_values_that_some_cell_has_together(self):
        where, said = self.begin(("copy", 1, 8), ("copy", 1, 9), ("sort", 2, 8), ("swap", 2, 8), ("turn", 2, 8))
        self.assertEqual(where, {"task": "copy", "layers": 1})
        self.assertEqual(said, "Drawn: task copy. The file has sort, swap, turn too.\nDrawn: layers 1. The file has 2 too.\n")

    def test_what_does_not_vary_is_not_told(self):
        self.assertEqual(self.begin(("copy", 1, 8), ("copy", 1, 9)), ({}, ""))

    def test_neighbours_are_averaged(self):
        curve = xr.DataArray(np.arange(10.0), dims="position", coords={"position": np.arange(10)})
        few = smoothed(curve, 3)
        self.assertEqual((few.position.to_numpy().tolist(), few.to_numpy().tolist()), ([1, 4, 7, 9], [1, 4, 7, 9]))
        self.assertIs(smoothed(curve, 1), curve)


class Saved(unittest.TestCase):
    def test_nothing_is_replaced_in_a_folder_that_nobody_named(self):
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            figure = pictures.panels("one").figure
            pictures.save(figure, "a.png")
            Path("a.png").write_text("mine")
            with self.assertRaisesRegex(FileExistsError, "a.png"):
                pictures.save(figure, "a.png")
            self.assertEqual(Path("a.png").read_text(), "mine")
            pictures.save(figure, "a.png", folder)
            self.assertTrue(Path("a.png").read_bytes().startswith(b"\x89PNG"))

    def test_the_scripts_of_the_committed_pictures_save_in_no_other_way(self):
        scripts = sorted((Path(__file__).parents[2] / "experiments/studies").glob("*picture*.py"))
        self.assertGreater(len(scripts), 2)
        for script in scripts:
            text = script.read_text()
            self.assertIn("pictures.save(", text, script.name)
            self.assertNotIn("savefig", text, script.name)


if __name__ == "__main__":
    unittest.main()

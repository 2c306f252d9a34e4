# SPDX-License-Identifier: Apache-2.0
"""Tests of poslab.pictures: curves that lie on each other."""

import contextlib
import tempfile
import unittest
from pathlib import Path

import matplotlib.colors
import numpy as np

from samples import SAMPLES  # and where pictures lies

import poslab
from poslab import pictures


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

    def test_all_their_colours_are_seen_and_a_line_below_says_so(self):
        look = pictures.Looks(poslab.open(SAMPLES / "sample.h5"))
        first, second, third = list(look.schemes.index)[:3]
        axes = pictures.panels("one")
        for variant, values in ((first, [3, 2, 1]), (second, [1, 2, 3]), (third, [1, 2, 3])):
            look.line(axes, variant, [0, 1, 2], values)
        look.legend(axes)
        below = " ".join(axes.figure._supxlabel.get_text().split())
        self.assertTrue(below.endswith(f"In a: {look.name(second)} = {look.name(third)}."), below)
        axes.figure._supxlabel.remove()
        axes.get_legend().remove()
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
        scripts = sorted((Path(__file__).parents[2] / "experiments/studies").glob("*.py"))
        self.assertGreater(len(scripts), 2)
        for script in scripts:
            text = script.read_text()
            self.assertIn("pictures.save(", text, script.name)
            self.assertNotIn("savefig", text, script.name)


if __name__ == "__main__":
    unittest.main()

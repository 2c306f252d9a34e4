# SPDX-License-Identifier: Apache-2.0
"""Tests of the Python package on the sample files."""

import shutil
import tempfile
import unittest
from pathlib import Path

import h5py
import matplotlib.figure
import numpy as np
import pandas as pd
import xarray as xr

from samples import ROPE, ROPE_LONG, SAMPLES, made_up  # and where poslab lies

import poslab
from poslab import pictures
from poslab.described import sentence_of, unit_of
from poslab.labels import labels_of
from poslab.table import varying


class NaturalQueries(unittest.TestCase):
    """The three questions that a notebook asks most, one line each."""

    def setUp(self):
        self.run_ = poslab.open(SAMPLES / "sample.h5")

    def test_a_measure_by_scheme_and_length(self):
        found = self.run_["uniqueness"].min_distance.sel(scheme="sinusoidal", length=16)
        self.assertAlmostEqual(found.item(), made_up("sinusoidal", 16, 0, "min_distance"), 14)

    def test_one_curve(self):
        curve = self.run_.curve("nearest_distance", scheme="sinusoidal", length=8)
        np.testing.assert_allclose(curve, made_up("sinusoidal", 8, 0, "nearest_distance", np.arange(8)), atol=1e-14)

    def test_mean_and_deviation_over_repeats(self):
        mean, deviation = self.run_.over_repeats("relative-shift")
        repeats = [made_up(ROPE, 8, repeat, "toeplitz_residual") for repeat in range(3)]
        cell = {"variant": ROPE, "length": 8, "residual": True, "shift_list": "[1, 10, 100]"}
        self.assertAlmostEqual(mean.toeplitz_residual.sel(cell).item(), np.mean(repeats), 14)
        self.assertAlmostEqual(deviation.toeplitz_residual.sel(cell).item(), np.std(repeats, ddof=1), 14)
        mean, deviation = self.run_.over_repeats("uniqueness", "min_distance")
        self.assertEqual(int(mean.min_distance.notnull().sum()), 14)
        self.assertTrue(deviation.min_distance.isnull().all())  # one repeat has no deviation


class Tables(unittest.TestCase):
    def setUp(self):
        self.run_ = poslab.open(SAMPLES / "sample.h5")

    def test_the_run_as_a_whole(self):
        self.assertEqual(self.run_.experiments, ["uniqueness", "relative-shift"])
        self.assertEqual((self.run_.title, self.run_.complete, self.run_.planned_cells), ("A made-up run", True, 45))
        self.assertEqual(len(self.run_.index), 45)
        self.assertIn("43 ok", repr(self.run_))

    def test_an_experiment_is_indexed_by_what_varies(self):
        table = self.run_["uniqueness"]
        self.assertEqual(list(table.indexes["cell"].names), ["scheme", "variant", "length"])
        self.assertEqual(list(table.data_vars), ["min_distance", "collisions"])
        self.assertEqual(table.attrs["curves"], "nearest_distance")
        self.assertEqual(table.sel(scheme="rope", length=8).sizes, {"variant": 2})
        names = self.run_["relative-shift"].indexes["cell"].names
        self.assertEqual(list(names), ["scheme", "variant", "length", "residual", "shift_list", "repeat"])

    def test_a_label_that_no_cell_has_is_answered_with_those_that_there_are(self):
        table = self.run_["uniqueness"]
        for selected in (table, table.min_distance):
            with self.assertRaisesRegex(KeyError, "no cell has scheme 'rop': did you mean rope. There are none, sinusoidal, rope"):
                selected.sel(scheme="rop")
            with self.assertRaisesRegex(KeyError, "no cell has length 5: there are 4, 8, 16"):
                selected.sel(scheme="none", length=5)
            with self.assertRaisesRegex(KeyError, "no cell has all of .*sinusoidal.*rope"):
                selected.sel(scheme="sinusoidal", variant=ROPE)
            with self.assertRaisesRegex(KeyError, "no cell has length 5"):
                selected.sel(scheme="none").sel(variant="none", length=5)
        with self.assertRaisesRegex(KeyError, "'schem' is nothing that varies here: did you mean scheme.*rows"):
            table.sel(schem="rope")

    def test_a_frame_has_every_measure(self):
        frame = self.run_.to_dataframe("uniqueness")
        self.assertEqual(list(frame.columns), ["scheme", "variant", "length", "repeat", "position", "min_distance", "collisions", "nearest_distance"])
        self.assertEqual(len(frame), 5 * (4 + 8 + 16) - 16)  # of five variants, one of which has no 16th position
        own = frame[(frame.variant == ROPE) & (frame.length == 8)]
        np.testing.assert_allclose(own.nearest_distance, made_up(ROPE, 8, 0, "nearest_distance", np.arange(8)), atol=1e-14)
        self.assertEqual(list(own.position), list(range(8)))
        np.testing.assert_allclose(own.min_distance, made_up(ROPE, 8, 0, "min_distance"), atol=1e-14)

    def test_a_frame_of_measures_with_other_dimensions(self):
        names = ["toeplitz_residual", "sink", "content_error", "position_spread", "share"]
        frame = self.run_.to_dataframe("relative-shift", variant=ROPE, length=8, repeat=0)
        self.assertEqual(set(frame.columns) & {*names, "shift", "step", "offset"}, {*names, "shift", "step", "offset"})
        for measure in names[2:]:
            curve = self.run_.curve(measure, variant=ROPE, length=8, repeat=0)
            of_measure = frame[frame[measure].notna()]
            self.assertEqual(len(of_measure), curve.size, measure)
            np.testing.assert_array_equal(of_measure[measure], curve.to_numpy().ravel())
            for name in curve.dims:
                self.assertTrue(of_measure[name].notna().all(), (measure, name))
        self.assertTrue(frame.toeplitz_residual.notna().all())
        scalars = self.run_.to_dataframe("relative-shift", "toeplitz_residual", variant=ROPE, length=8)
        self.assertEqual(list(scalars.repeat), [0, 1, 2])
        self.assertEqual(len(self.run_.to_dataframe("uniqueness", "nearest_distance", scheme="learned", length=16)), 0)
        with self.assertRaisesRegex(KeyError, "no measure 'nearest'.*nearest_distance"):
            self.run_.to_dataframe("uniqueness", "nearest")

    def test_the_frame_of_a_table_says_what_it_leaves_out(self):
        with self.assertWarnsRegex(UserWarning, "nearest_distance.*run.to_dataframe"):
            self.run_["uniqueness"].to_dataframe()

    def test_its_frame_is_tidy(self):
        frame = self.run_["uniqueness"].to_dataframe().reset_index()
        self.assertEqual(len(frame), 15)
        self.assertEqual(len(set(frame.columns)), len(frame.columns))
        self.assertEqual(frame[(frame.scheme == "learned") & (frame.length == 16)].status.item(), "skipped")
        by_scheme = self.run_["uniqueness"].sel(scheme="none").to_dataframe().reset_index()
        self.assertEqual(list(by_scheme.length), [4, 8, 16])

    def test_rows_take_any_column(self):
        self.assertEqual(set(self.run_.rows("uniqueness", base=5e5).variant.to_numpy()), {ROPE_LONG})
        self.assertEqual(self.run_.rows("uniqueness", scheme=["none", "learned"], length=[4, 8]).sizes["cell"], 4)
        self.assertEqual(set(self.run_.rows("relative-shift", residual=True).length.to_numpy()), {8})
        with self.assertRaisesRegex(KeyError, "beauty.*there are.*scheme"):
            self.run_.rows("uniqueness", beauty=1)

    def test_what_varies_does_not_hang_on_the_order_in_which_columns_come(self):
        rows = self.run_.rows("relative-shift")
        varies = varying(rows)
        self.assertEqual((varies[0], varies[-1]), ("scheme", "repeat"))
        self.assertTrue({"parameters", "status", "message", "id"}.isdisjoint(varies), varies)
        turned = xr.Dataset(rows.data_vars, coords=dict(reversed(list(rows.coords.items()))), attrs=rows.attrs)
        self.assertEqual(varying(turned), varies)

    def test_names_and_what_they_tell(self):
        labels = self.run_.labels
        self.assertEqual(labels[ROPE].parameters, {"style": "half-split", "base": "10000.0"})
        self.assertEqual((labels[ROPE].short, labels[ROPE].values), (ROPE, "half-split, 10000.0"))
        self.assertEqual((labels["none"].short, labels["none"].parameters), ("none", {}))

    def test_names_without_what_is_unset_and_names_of_the_study(self):
        rows = [("rope(a=unset, b=2)", "rope", '{"a": null, "b": "2"}', "x"), ("rope(a=unset, b=2) at y", "rope", '{"a": null, "b": "2"}', "y"),
                ("mine (a=unset)", "rope", "", "x"), ("none", "none", "{}", "x")]
        index = pd.DataFrame(rows, columns=["variant", "scheme", "label_parameters", "positions"])
        self.assertEqual([label.short for label in labels_of(index).values()], ["rope(b=2) at x", "rope(b=2) at y", "mine (a=unset)", "none"])
        for spoiled in ("[1]", '{"a": 2}', "{"):
            with self.assertRaises(ValueError):
                labels_of(index.assign(label_parameters=spoiled))

    def test_a_cube_keeps_the_order_of_the_plan_and_says_which_scheme(self):
        cube = self.run_.cube("uniqueness")
        self.assertEqual(cube.min_distance.dims, ("variant", "length", "repeat"))
        self.assertEqual(list(cube.scheme.to_numpy()), ["none", "sinusoidal", "rope", "rope", "learned"])
        found = cube.min_distance.sel(variant=ROPE, length=4).item()
        self.assertAlmostEqual(found, made_up(ROPE, 4, 0, "min_distance"), 14)
        self.assertTrue(np.isnan(cube.min_distance.sel(variant="learned(length=8)", length=16)).all())

    def test_a_cube_over_truth_values_has_both(self):
        cube = self.run_.cube("relative-shift", "toeplitz_residual").toeplitz_residual
        self.assertEqual(list(cube.residual.to_numpy()), [False, True])
        self.assertEqual(int(cube.notnull().sum()), 29)

    def test_a_cube_of_curves(self):
        cube = self.run_.cube("uniqueness", "nearest_distance")
        self.assertEqual(cube.nearest_distance.dims, ("variant", "length", "repeat", "position"))
        row = cube.nearest_distance.sel(variant="none", length=8, repeat=0)
        self.assertEqual(int(row.notnull().sum()), 8)

    def test_numbers_keep_their_meaning(self):
        for found in (self.run_["uniqueness"].min_distance, self.run_.cube("uniqueness").min_distance):
            self.assertEqual(found.attrs["long_name"], "min distance")
            self.assertEqual(found.attrs["description"], "least distance of two signatures")
            self.assertEqual(found.attrs["units"], "1")
        collisions = self.run_["uniqueness"].collisions.attrs
        self.assertEqual((collisions["units"], collisions["unit_name"]), ("1", "pairs"))

    def test_units_and_sentences(self):
        collisions = self.run_["uniqueness"].collisions.attrs
        self.assertEqual((unit_of(collisions), sentence_of(collisions)), ("pairs", "pairs of equal signatures"))
        self.assertEqual(unit_of({"units": "s"}), "s")
        self.assertEqual((unit_of({}), sentence_of({})), ("1", ""))

    def test_failures_expectations_provenance(self):
        self.assertEqual(list(self.run_.failures.status), ["failed"])
        self.assertIn("nan at query 3", self.run_.failures.message.item())
        self.assertEqual(list(self.run_.skipped.scheme), ["learned"])
        self.assertEqual(list(self.run_.expectations.verdict), ["fails", "not_measured", "holds"])
        self.assertEqual(self.run_.provenance["argv"], "poslab run sample.toml")

    def test_a_file_that_was_replaced_is_read_anew(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a.h5"
            shutil.copy(SAMPLES / "sample.h5", path)
            run = poslab.open(path)
            self.assertEqual(run["uniqueness"].sizes["cell"], 15)
            shutil.copy(SAMPLES / "other.h5", path)
            self.assertEqual(run["uniqueness"].sizes["cell"], 14)
            self.assertEqual(list(run.failures.status), ["timeout", "failed"])

    def test_a_run_without_cells(self):
        run = poslab.open(SAMPLES / "empty.h5")
        self.assertFalse(run.complete)
        self.assertEqual(sorted(run.experiments), ["relative-shift", "uniqueness"])
        self.assertEqual(run["uniqueness"].sizes["cell"], 0)
        self.assertIn("interrupted: 0 of 45", repr(run))


class Curves(unittest.TestCase):
    def setUp(self):
        self.run_ = poslab.open(SAMPLES / "sample.h5")

    def test_trimmed_to_the_cell_s_own_coordinates(self):
        cell = {"scheme": "none", "length": 4, "repeat": 0}
        self.assertEqual(list(self.run_.curve("content_error", **cell)["shift"]), [1, 100])
        self.assertEqual(list(self.run_.curve("position_spread", **cell).offset), list(range(-3, 4)))

    def test_repeats_become_a_dimension(self):
        curve = self.run_.curve("content_error", variant=ROPE, length=8)
        self.assertEqual(curve.dims, ("repeat", "shift"))
        expected = made_up(ROPE, 8, 2, "content_error", np.array([1, 10, 100]))
        np.testing.assert_allclose(curve.sel(repeat=2), expected, atol=1e-14)

    def test_what_is_missing_is_said(self):
        with self.assertRaisesRegex(LookupError, "skipped: a table of 8 rows has no position 8"):
            self.run_.curve("nearest_distance", scheme="learned", length=16)
        with self.assertRaisesRegex(ValueError, "2 cells.*add one of each of variant: rope"):
            self.run_.curve("nearest_distance", scheme="rope", length=8)
        with self.assertRaisesRegex(LookupError, "no cell of uniqueness has"):
            self.run_.curve("nearest_distance", scheme="alibi")
        with self.assertRaisesRegex(LookupError, "no experiment.*'beauty'"):
            self.run_.curve("beauty")


class Advice(unittest.TestCase):
    """What there is not is answered with what there is."""

    def setUp(self):
        self.run_ = poslab.open(SAMPLES / "sample.h5")

    def refused(self, kind, call, *words):
        with self.assertRaises(kind) as refusal:
            call()
        for word in words:
            self.assertIn(word, str(refusal.exception))

    def test_of_a_run(self):
        self.refused(AttributeError, lambda: self.run_.failed, "no attribute 'failed': run.failures")
        self.refused(AttributeError, lambda: self.run_.uniqueness, "run['uniqueness']")
        self.refused(AttributeError, lambda: self.run_.relative_shift, "run['relative-shift']")
        self.refused(AttributeError, lambda: self.run_.expectation, "did you mean expectations? There are")
        self.refused(AttributeError, lambda: self.run_.min_distance,
                     "a measure of uniqueness: run['uniqueness'].min_distance, or run.curve('min_distance', ...)")
        self.assertFalse(hasattr(self.run_, "_repr_html_"))
        self.assertTrue(hasattr(self.run_, "failures"))

    def test_of_an_experiment_and_its_measures(self):
        self.refused(KeyError, lambda: self.run_["uniqeness"], "did you mean uniqueness? There are uniqueness, relative-shift")
        table = self.run_["uniqueness"]
        for ask in (lambda: table.nearest_distance, lambda: table["nearest_distance"]):
            self.refused((AttributeError, KeyError), ask, "run.curve('nearest_distance', ...)")
        self.refused(AttributeError, lambda: table.min_distances, "did you mean min_distance? There are min_distance, collisions")
        self.refused(KeyError, lambda: self.run_.rows("uniqueness")["schema"], "did you mean scheme?")
        self.refused(KeyError, lambda: self.run_.cube("uniqueness", "min_dist"), "uniqueness has no measure 'min_dist'", "min_distance")
        self.refused(KeyError, lambda: self.run_.curve("distance", "uniqueness"), "has no measure 'distance'", "nearest_distance")
        self.refused(KeyError, lambda: self.run_.rows("uniqueness", schemes="rope"), "did you mean scheme?")

    def test_of_a_value_that_no_cell_has(self):
        self.refused(LookupError, lambda: self.run_.curve("nearest_distance", scheme="roqe", length=8),
                     "of scheme, did you mean rope? There are none, sinusoidal, rope, learned")
        self.refused(LookupError, lambda: self.run_.curve("nearest_distance", scheme="rope", length=9), "of length, there are 4, 8, 16")

    def test_of_the_module(self):
        self.refused(AttributeError, lambda: poslab.load, "poslab.open(path) opens a results file")
        self.refused(AttributeError, lambda: poslab.comparisons, "did you mean Comparison?")


class TextsOfStrangers(unittest.TestCase):
    EVIL = "a\x1b[31m\nb\u202e\u2066\u200f\u061c\u2028\ufeff\x9b\udcff"

    def test_fit_for_a_terminal(self):
        self.assertEqual(poslab.printable(self.EVIL), r"a\u001B[31m\u000Ab\u202E\u2066\u200F\u061C\u2028\uFEFF\u009B\uDCFF")
        self.assertEqual(poslab.printable("café – 🌍\u200d"), "café – 🌍\u200d")

    def test_fit_for_markdown(self):
        self.assertEqual(poslab.markdown("*a* _b_ `c` [d](e) <f> | # \\ ~g~ &lt; $h$"),
                         r"\*a\* \_b\_ \`c\` \[d\](e) \<f\> \| \# \\ \~g\~ \&lt; \$h\$")
        self.assertEqual(poslab.markdown("a\n# b\u202e"), r"a\\u000A\# b\\u202E")

    def test_fit_for_a_picture(self):
        self.assertEqual(poslab.plot_text("$x^2$ and \n"), r"\$x^2\$ and \u000A")
        figure = matplotlib.figure.Figure()
        for text in (r"$\frac{$", r"\$\frac{\$", "$x$", "$"):
            figure.clear()
            shown, is_math = figure.text(0, 0, "")._preprocess_math(poslab.plot_text(text))
            self.assertEqual((shown, is_math), (text, False))

    def test_in_the_pictures_of_a_notebook(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a.h5"
            shutil.copy(SAMPLES / "sample.h5", path)
            with h5py.File(path, "a") as file:
                for name in ("variant", "scheme"):
                    file[name][:] = [text.decode() + r" $\frac{$" for text in file[name][:]]
            look = pictures.Looks(poslab.open(path))
            axes = pictures.panels("one", "two")
            for variant in look.schemes.index:
                look.line(axes[0], variant, [1, 2], [1, 2])
            look.legend(axes[0])
            pictures.rows_of(axes[1], [look.name(variant) for variant in look.schemes.index])
            axes[0].figure.savefig(Path(directory) / "a.png")  # where a formula is wrong, this raises

    def test_in_what_a_run_says_of_itself(self):
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a.h5"
            shutil.copy(SAMPLES / "sample.h5", path)
            with h5py.File(path, "a") as file:
                file.attrs["title"] = "evil \x1b[2J\u202e"
                file["uniqueness/message"][:] = ["no \x1b[2J\u202e"] * len(file["uniqueness/message"])
            run = poslab.open(path)
            for text in (repr(run), self.reason(run)):
                self.assertNotRegex(text, "[\x1b\u202e]")
                self.assertRegex(text, r"\\(u001B|x1b)\[2J\\u202[Ee]")

    @staticmethod
    def reason(run):
        try:
            run.curve("nearest_distance", scheme="learned", length=16)
        except LookupError as error:
            return str(error)
        return ""


class Comparing(unittest.TestCase):
    def test_a_run_is_equal_to_itself(self):
        comparison = poslab.compare(SAMPLES / "sample.h5", SAMPLES / "sample.h5")
        self.assertEqual([len(comparison.only_left), len(comparison.only_right), len(comparison.changed)], [0, 0, 0])

    def test_a_measure_that_one_has_and_another_zero_are_changes(self):
        with tempfile.TemporaryDirectory() as folder:
            left, right = (Path(shutil.copy(SAMPLES / "sample.h5", Path(folder) / name)) for name in ("left.h5", "right.h5"))
            for path, zero in ((left, 0.0), (right, -0.0)):
                with h5py.File(path, "r+") as file:
                    file["uniqueness/min_distance"][0] = zero
                    if path == right:
                        del file["uniqueness/nearest_distance"]
            changed = poslab.compare(left, right).changed
            only = changed[changed.measure == "nearest_distance"]
            self.assertEqual(set(only["where"]), {"only left"})
            self.assertGreater(len(only), 5)
            self.assertEqual(list(changed[changed.measure == "min_distance"].right), [0.0])

    def test_only_left_only_right_and_changed(self):
        comparison = poslab.compare(SAMPLES / "sample.h5", SAMPLES / "other.h5")
        self.assertEqual(len(comparison.only_left), 1)
        self.assertEqual(len(comparison.only_right), 0)
        state, value = comparison.changed.itertuples(index=False)
        self.assertEqual((state.measure, state.left, state.right), ("status", "ok", "timeout"))
        self.assertEqual((value.variant, value.measure, value.where), ("none", "nearest_distance", "position=5"))
        self.assertAlmostEqual(value.difference, 0.25, 14)
        self.assertAlmostEqual(value.left, made_up("none", 8, 0, "nearest_distance", 5), 14)


if __name__ == "__main__":
    unittest.main()

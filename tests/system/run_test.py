"""A study goes in, one results file comes out."""

import shutil

import h5py
from poslab_case import SMALL_STUDY, PoslabCase


class Run(PoslabCase):
    def test_a_study_becomes_a_file_beside_it(self):
        output = self.expect(0, "run", self.study())
        self.assertIn("8 cells ok", output)
        self.assertIn("study.h5", output)
        with h5py.File(self.scratch / "study.h5") as file:
            schemes = [s.decode() for s in file["uniqueness/scheme"][:]]
            self.assertEqual(schemes, ["none"] * 2 + ["sinusoidal"] * 2 + ["rope"] * 2 + ["alibi"] * 2)
            distances = dict(zip(schemes, file["uniqueness/min_distance"][:]))
            self.assertEqual(distances["none"], 0)
            self.assertGreater(distances["rope"], 0)

    def test_output_option_and_several_studies(self):
        first, second = self.study(), self.study(name="other.toml")
        self.expect(0, "run", first, "-o", "elsewhere.h5")
        self.assertTrue((self.scratch / "elsewhere.h5").exists())
        self.expect(0, "run", first, second)
        self.assertTrue((self.scratch / "other.h5").exists())
        self.assertIn("-o names one file", self.expect(2, "run", first, second, "-o", "x.h5"))

    def test_the_command_line_mirrors_the_file(self):
        study = self.study()
        self.expect(0, "run", study, "--axis", "length=4,5,6", "--only", "rope", "-o", "narrow.h5")
        with h5py.File(self.scratch / "narrow.h5") as file:
            self.assertEqual(list(file["uniqueness/length"][:]), [4, 5, 6])
            self.assertEqual({s.decode() for s in file["uniqueness/scheme"][:]}, {"rope"})

    def test_plan_runs_nothing(self):
        output = self.expect(0, "run", self.study(), "--plan")
        self.assertRegex(output, r"uniqueness +8 +0")
        self.assertFalse((self.scratch / "study.h5").exists())

    def test_expectations_decide_the_exit_code(self):
        expectation = """
[[expect]]
experiment = "uniqueness"
where = {{ scheme = "none" }}
measure = "min_distance"
value = {}
tolerance = 1e-9
source = "definition"
"""
        self.assertIn("✓", self.expect(0, "run", self.study(SMALL_STUDY + expectation.format(0.0)), "-o", "a.h5"))
        output = self.expect(1, "run", self.study(SMALL_STUDY + expectation.format(1.0)), "-o", "b.h5")
        self.assertIn("✗", output)
        self.assertIn("measured 0, expected 1 ± 1e-09", output)
        with h5py.File(self.scratch / "b.h5") as file:
            self.assertIn("expectations", file)

    def test_the_same_study_again_gives_the_same_file(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "a.h5", "--threads", "1")
        self.expect(0, "run", study, "-o", "b.h5", "--threads", "2")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "a.h5", "b.h5"))
        self.assertIn("equal within tolerance", self.expect(0, "compare", "a.h5", "b.h5"))

    def test_compare_finds_what_changed(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        self.expect(0, "run", self.study(), "--axis", "length=8,17", "-o", "b.h5")
        self.assertIn("only in", self.expect(1, "compare", "a.h5", "b.h5"))
        self.expect(1, "compare", "--exact", "a.h5", "b.h5")

    def test_compare_sends_no_control_characters_of_a_file_to_the_terminal(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        shutil.copy(self.scratch / "a.h5", self.scratch / "b.h5")
        with h5py.File(self.scratch / "b.h5", "r+") as file:
            file["message"][0] = "\x1b]0;evil\x07\x9b2J\nnothing differs"
            file["uniqueness/variant"][1] = "\x1b[2J"
            file["uniqueness/min_distance"][1] = 17
        for arguments in (["b.h5", "a.h5"], ["a.h5", "b.h5", "--exact"]):
            said = self.expect(1, "compare", *arguments)
            self.assertEqual([c for c in said if ord(c) < 32 and c != "\n" or 127 <= ord(c) < 160], [], said)
            self.assertIn("\\u001B", said)
        with h5py.File(self.scratch / "b.h5", "r+") as file:
            file.create_group("gr\x1boup").attrs["list"] = ["a", "b"]
        said = self.expect(2, "compare", "a.h5", "b.h5")
        self.assertIn("gr\\u001Boup", said)


class Look(PoslabCase):
    def test_list_and_describe(self):
        output = self.expect(0, "list")
        for word in ("rope", "alibi", "sinusoidal", "uniqueness"):
            self.assertRegex(output, rf"(?m)^  {word} +\S")  # a row of its own, and not that of rope-2d
        self.assertIn("base", self.expect(0, "describe", "rope"))
        self.assertIn("did you mean \"rope\"?", self.expect(2, "describe", "rop"))

    def test_json_is_json(self):
        import json
        catalogue = json.loads(self.poslab("list", "--json").stdout)
        self.assertIn("rope", [s["id"] for s in catalogue["schemes"]])
        self.assertEqual(json.loads(self.poslab("describe", "rope", "--json").stdout)["id"], "rope")
        self.assertEqual(json.loads(self.poslab("describe", "uniqueness", "--json").stdout)["id"], "uniqueness")

    def test_table_writes_what_the_scheme_produces(self):
        import numpy as np
        import xarray
        self.expect(0, "table", "sinusoidal", "--d-model", "16", "--positions", "0:32", "-o", "s.h5")
        table = xarray.open_dataset(self.scratch / "s.h5", engine="h5netcdf")["encoding_table"]
        self.assertEqual(table.dims, ("position", "channel"))
        frequency = 1e4 ** (-np.arange(8) / 8)
        angle = np.arange(32)[:, None] * frequency
        np.testing.assert_allclose(table.values[:, 0::2], np.sin(angle), atol=1e-14)
        np.testing.assert_allclose(table.values[:, 1::2], np.cos(angle), atol=1e-14)
        self.expect(0, "table", "alibi", "--heads", "2", "--positions", "0:5", "-o", "a.h5")
        bias = xarray.open_dataset(self.scratch / "a.h5", engine="netcdf4")["position_bias"]
        self.assertEqual(float(bias[0, 3, 1]), -2 * 2.0 ** -4)
        self.assertIn("█", self.expect(0, "table", "rope"))

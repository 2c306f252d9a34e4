# SPDX-License-Identifier: Apache-2.0
"""The program from Python: studies as files and as mappings, what is said of mistakes, a progress bar, Ctrl-C and going on; checks,
plans and identify as objects; a measure in a picture, the answers as LaTeX."""

import contextlib
import importlib.util
import io
import os
import re
import signal
import subprocess
import sys
import time
import tomllib
import unittest
import unittest.mock
import warnings
from pathlib import Path

os.environ["MPLBACKEND"] = "Agg"

import numpy
from poslab_case import BINARY, SOURCE, PoslabCase

os.environ["POSLAB_PROGRAM"] = BINARY
sys.path.insert(0, str(SOURCE / "results/python"))

import poslab  # noqa: E402
import poslab.program  # noqa: E402

STUDY = {"format": 1, "title": 'a "study"\nof mine', "seed": 7, "model": {"d_model": 32, "heads": 4},
         "scheme": [{"use": "none"}, {"use": "rope", "axes": {"base": [1e4, 5e5]}}],
         "experiment": [{"use": "uniqueness", "axes": {"length": [8, 16]}}, {"use": "relative-shift", "axes": {"length": 32}, "repeats": 2}]}


class Program(PoslabCase):
    def setUp(self):
        super().setUp()
        os.environ["XDG_CACHE_HOME"] = str(self.cache)

    def test_a_mapping_and_a_file_give_the_same_numbers(self):
        run = poslab.run(STUDY, self.scratch / "of_mapping.h5", progress=False)
        path = self.scratch / "study.toml"
        path.write_text("".join(f"{key} = {poslab.program.toml(value)}\n" for key, value in STUDY.items()))
        self.assertEqual(tomllib.loads(path.read_text()), STUDY)
        again = poslab.run(path, self.scratch / "of_file.h5", progress=False)
        self.assertEqual(len(run.index), 3 * (2 + 2))
        self.assertTrue(run["uniqueness"].min_distance.identical(again["uniqueness"].min_distance))
        self.assertEqual(run.title, STUDY["title"])

    def test_options_are_those_of_the_program(self):
        run = poslab.run(STUDY, self.scratch / "a.h5", progress=False, only=["none", "uniqueness"], axis={"length": [4, 5, 6]}, threads=1)
        self.assertEqual(run.rows("uniqueness").length.to_numpy().tolist(), [4, 5, 6])
        self.assertEqual(run.experiments, ["uniqueness"])
        self.assertEqual(poslab.program._words({"fresh": True, "verbose": False, "data": {"text": "a.txt"}, "set": {"factors": numpy.array([1, 2])}}),
                         ["--fresh", "--data", "text=a.txt", "--set", "factors=1,2"])

    def test_mistakes_are_told_in_the_programs_words(self):
        for kind, study, options, fact in [
                (ValueError, {**STUDY, "scheme": [{"use": "roep"}]}, {}, "rope"), (ValueError, STUDY, {"onyl": "rope"}, "--only"),
                (ValueError, self.scratch / "nowhere.toml", {}, "nowhere.toml"), (TypeError, {**STUDY, "seed": None}, {}, "None")]:
            with self.assertRaises(kind) as raised:
                poslab.run(study, self.scratch / "x.h5", progress=False, **options)
            self.assertIn(fact, str(raised.exception))
        with self.assertRaises(ValueError) as raised:
            poslab.run(STUDY)
        self.assertIn("output=", str(raised.exception))

    def test_the_program_is_told_which_python_runs_schemes_and_this_process_keeps_its_environment(self):
        script = self.scratch / "program"
        script.write_text("#!/bin/sh\necho $POSLAB_PYTHON\n")
        script.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, POSLAB_PROGRAM=str(script)):
            os.environ.pop("POSLAB_PYTHON", None)
            before = dict(os.environ)
            self.assertEqual(poslab.plan("study.toml"), sys.executable + "\n")
            self.assertEqual(dict(os.environ), before)
            os.environ["POSLAB_PYTHON"] = "/mine/python"
            self.assertEqual(poslab.plan("study.toml"), "/mine/python\n")

    def test_a_failed_expectation_is_a_warning(self):
        wrong = {"experiment": "uniqueness", "where": {"scheme": "none"}, "measure": "distinct", "value": 9, "tolerance": 0, "source": "nobody"}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = poslab.run({**STUDY, "expect": [wrong]}, self.scratch / "a.h5", progress=False)
        self.assertEqual(len(caught), 1)
        self.assertEqual(len(run.expectations), 1)

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "there is no tqdm, which draws the bar (Debian 12: python3-tqdm)")
    def test_there_is_a_bar(self):
        script = ("import poslab, sys; poslab.run({'format': 1, 'title': 't', 'model': {'d_model': 32, 'heads': 4}, 'scheme': [{'use': 'rope'}],"
                  "'experiment': [{'use': 'uniqueness', 'axes': {'length': [8, 9]}}]}, sys.argv[1])")
        done = subprocess.run([sys.executable, "-c", script, str(self.scratch / "a.h5")], env={**os.environ, "PYTHONPATH": sys.path[0]},
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"a\.h5: 100%.* 2/2 ")

    @unittest.skipUnless(importlib.util.find_spec("tqdm"), "there is no tqdm, which draws the bar (Debian 12: python3-tqdm)")
    def test_the_bar_moves_while_cells_are_left_and_where_some_failed(self):
        for ends_with in (4, 3):
            stub = self.scratch / f"status-{ends_with}"
            stub.write_text(f'#!/bin/sh\necho \'{{"journals": [{{"planned": 4, "left": 1}}]}}\'\nexit {ends_with}\n')
            stub.chmod(0o755)
            with unittest.mock.patch.dict(os.environ, {"POSLAB_PROGRAM": str(stub)}), contextlib.redirect_stderr(io.StringIO()) as drawn:
                with poslab.program._bar(Path("a.h5"), True) as ended:
                    ended()
            self.assertRegex(drawn.getvalue(), r"a\.h5: +75%.* 3/4 ")

    def test_ctrl_c_stops_and_the_next_run_goes_on(self):
        script = self.scratch / "long.py"
        script.write_text("import poslab\n"
                          "study = {'format': 1, 'title': 't', 'model': {'d_model': 64, 'heads': 4}, 'scheme': [{'use': 'rope'}, {'use': 'none'}],\n"
                          "  'experiment': [{'use': 'first-position-bias', 'axes': {'length': 1024}, 'repeats': 30}]}\n"
                          "try:\n  print(poslab.run(study, 'long.h5', progress=False).complete)\n"
                          "except KeyboardInterrupt:\n  print('interrupted')\n")
        start = [sys.executable, str(script)]
        options = {"cwd": self.scratch, "env": {**os.environ, "PYTHONPATH": sys.path[0]}, "stdout": subprocess.PIPE, "text": True}
        first = subprocess.Popen(start, **options)
        journal = self.scratch / "long.h5.journal"
        while not journal.exists() and first.poll() is None:
            time.sleep(0.05)
        time.sleep(1)
        first.send_signal(signal.SIGINT)
        said, _ = first.communicate(timeout=120)
        if said.strip() == "True":
            self.skipTest("this machine had measured all within a second")
        self.assertEqual(said.strip(), "interrupted")
        self.assertEqual(subprocess.run(start, **options).stdout.strip(), "True")

    def test_a_program_that_is_not_there(self):
        os.environ["POSLAB_PROGRAM"] = "/nowhere/poslab"
        self.addCleanup(os.environ.__setitem__, "POSLAB_PROGRAM", BINARY)
        with self.assertRaises(ImportError) as raised:
            poslab.plan(STUDY)
        self.assertIn("/nowhere/poslab", str(raised.exception))


class Objects(PoslabCase):
    def test_plan_check_and_identify(self):
        self.assertRegex(poslab.plan(STUDY), r"12 cells")
        found = poslab.check("rope", only="version,table")
        self.assertEqual([(one.check, one.result) for one in found], [("version", "passed"), ("table", "passed")])
        angles = numpy.outer(numpy.arange(64), 5e5 ** (-numpy.arange(0, 64, 2) / 64))
        both = poslab.identify({"cos": numpy.cos(angles), "sin": numpy.sin(angles)})
        self.assertEqual((both["verdict"], both["named"]["text"]), ("certain", "rope(base=500000)"))
        slopes = 2.0 ** -numpy.arange(1, 9)
        bias = -slopes[:, None, None] * numpy.abs(numpy.subtract.outer(numpy.arange(20), numpy.arange(20)))
        self.assertEqual(poslab.identify(bias)["named"]["scheme"], "alibi")
        cosines = numpy.cos(angles)
        for kinds, dump in (("cosines", cosines), ({"file": "cosines"}, {"file": cosines}),
                            ({"file": "cosines", "args": "sines"}, {"file": cosines, "args": numpy.sin(angles)})):
            self.assertEqual(poslab.identify(dump, kinds=kinds)["named"]["text"], "rope(base=500000)")
        with self.assertRaises(ValueError) as raised:
            poslab.identify(numpy.zeros((0, 3)))
        self.assertIn("array", str(raised.exception))


class Pictures(PoslabCase):
    def test_a_measure_in_a_picture_and_the_answers_as_latex(self):
        run = poslab.run(STUDY, self.scratch / "a.h5", progress=False)
        axes = run.plot("min_distance", repeat=0)
        self.assertEqual(axes.get_xlabel(), "length [position]")
        self.assertEqual(len(axes.lines), 3)
        lines = {line.get_label(): line.get_ydata() for line in axes.lines}
        of_rope = run.rows("uniqueness", variant=run.index.variant.unique()[1]).min_distance.to_numpy()
        self.assertTrue(any(numpy.array_equal(line, of_rope) for line in lines.values()))
        curve = run.plot("content_error", "relative-shift")
        self.assertEqual(len(curve.lines), 3)
        self.assertEqual(run.plot("composition_error", scheme="rope").get_xlabel(), "composition_error")
        with self.assertRaises(KeyError):
            run.plot("min_distance", "relative-shift")
        table = run.to_latex()
        self.assertEqual(table.count(r"\toprule"), 1)
        self.assertEqual(len(re.findall(r"^{}rope", table, re.MULTILINE)), 2)

    def test_nothing_of_a_picture_is_cut_off_where_it_is_saved(self):
        bases = {"use": "rope", "axes": {"base": [100.0 * number for number in range(1, 31)]}}
        names = {}
        for count, schemes in (("few", [{"use": "none"}, {"use": "rope"}]), ("many", [{"use": "none"}, bases])):
            run = poslab.run({**STUDY, "scheme": schemes}, self.scratch / f"{count}.h5", progress=False)
            for axes in (run.plot("min_distance", repeat=0), run.plot("content_error", "relative-shift")):
                figure = axes.figure
                figure.savefig(self.scratch / "a.png")  # as it lies in the figure; a notebook cuts to what is drawn
                width, height = figure.get_size_inches()
                drawn, panel = figure.get_tightbbox(), axes.get_position()
                self.assertGreaterEqual(min(drawn.x0, drawn.y0), 0)
                self.assertLessEqual(drawn.x1, width)
                self.assertLessEqual(drawn.y1, height)
                self.assertGreater(panel.width * width, 3.5)  # and the panel is as large as before
                self.assertGreater(panel.height * height, 1.5)
                legend = figure.legends[0].get_window_extent()
                self.assertGreater(legend.x0, axes.get_window_extent().x1)
                names.setdefault(count, []).append(len(figure.legends[0].texts))
        self.assertEqual(names, {"few": [2, 2], "many": [31, 31]})

    def test_several_axes_must_be_chosen_among(self):
        both = {**STUDY, "experiment": [{"use": "uniqueness", "axes": {"length": [8, 16], "d_model": [32, 64]}}]}
        run = poslab.run(both, self.scratch / "a.h5", progress=False)
        with self.assertRaises(ValueError) as raised:
            run.plot("min_distance")
        self.assertIn("d_model: 32, 64", str(raised.exception))
        self.assertEqual(len(run.plot("min_distance", d_model=64).lines), 3)
        kinds = {**STUDY, "experiment": [{"use": "uniqueness", "axes": {"length": [8, 16], "kind": ["natural", "position"]}}]}
        run = poslab.run(kinds, self.scratch / "b.h5", progress=False)
        with self.assertRaises(ValueError) as raised:  # means over both kinds would be of nothing
            run.plot("min_distance")
        self.assertIn("say one value of kind (length: 8, 16; kind: natural, position)", str(raised.exception))
        self.assertEqual(len(run.plot("min_distance", kind="position").lines), 3)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What somebody meets in the first hour: a word to look for, one scheme after the other, slips that are told with what is right."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

import h5py
from poslab_case import SMALL_STUDY, SOURCE, PoslabCase

OPEN = "import sys, poslab\ntry:\n    poslab.open(sys.argv[1])\nexcept ValueError as problem:\n    print(problem)"


class Find(PoslabCase):
    def test_a_measure_is_found_by_its_name_which_describe_does_not_know(self):
        self.assertIn("poslab find min_distance", self.expect(2, "describe", "min_distance"))
        said = self.expect(0, "find", "min_distance")
        self.assertRegex(said, r"(?m)^measures: poslab describe EXPERIMENT\n  min_distance of uniqueness +\w")
        self.assertRegex(said, r"(?m)^  pages/experiments/uniqueness/uniqueness\.md:\d+  ")
        for line in said.splitlines():
            self.assertLessEqual(len(line), 80)

    def test_by_a_word_of_a_sentence_in_every_kind(self):
        for word in ("position", "rotary", "length"):
            said = self.expect(0, "find", word, "--all")
            self.assertLessEqual(max(map(len, said.splitlines())), 80)
            self.assertGreaterEqual(len(said.splitlines()), len(self.expect(0, "find", word).splitlines()))
        found = json.loads(self.expect(0, "find", "base", "--json"))
        self.assertIn({"name": "base", "scheme": "rope"}, [{key: one[key] for key in ("name", "scheme")} for one in found["parameters"]])
        self.assertEqual(set(found), {"schemes", "parameters", "experiments", "axes", "measures", "pages"})
        self.assertIn("rope", [one["name"] for one in json.loads(self.expect(0, "find", "RoPE", "--json"))["schemes"]])

    def test_the_pages_that_it_names_are_there(self):
        said = self.expect(0, "find", "softmax", "--all")
        folder = said.partition("pages: cd ")[2].partition(" && ")[0]
        pages = json.loads(self.expect(0, "find", "softmax", "--json"))["pages"]
        self.assertGreater(len(pages), 3)
        for page in pages:
            line = Path(folder, page["name"]).read_text().splitlines()[page["line"] - 1]
            self.assertIn("softmax", line.lower())

    def test_nothing_is_told_with_what_was_meant(self):
        self.assertIn('did you mean "min_distance"?', self.expect(2, "find", "min_distnace"))
        self.assertIn("a word is missing", self.expect(2, "find"))


class OneAfterTheOther(PoslabCase):
    def held(self, file="a.h5"):
        with h5py.File(self.scratch / file) as results:
            return sorted(set(results["scheme"].asstr()[:])), int(results.attrs["complete"])

    def test_only_adds_to_what_only_has_left_there(self):
        run = ["run", self.study(), "-o", "a.h5"]
        self.expect(0, *run, "--only", "none")
        said = self.expect(0, *run, "--only", "rope")
        self.assertRegex(said, "a.h5 has none from a run with --only before, which stays in it")
        self.assertIn("2 of 4 cells are kept", said)
        self.assertEqual(self.held(), (["none", "rope"], 1))
        self.expect(0, *run, "--only", "rope")  # and again: the same
        self.assertEqual(self.held(), (["none", "rope"], 1))
        self.expect(0, "run", "study.toml", "-o", "b.h5", "--only", "none", "--only", "rope")
        self.expect(0, "compare", "--exact", "a.h5", "b.h5")
        self.expect(0, *run, "--only", "alibi", "--fresh")
        self.assertEqual(self.held(), (["alibi"], 1))

    def test_experiments_are_added_likewise(self):
        study = self.study(SMALL_STUDY + '[[experiment]]\nuse = "norm-preservation"\nrepeats = 1\naxes = { length = [8] }\n')
        self.expect(0, "run", study, "-o", "a.h5", "--only", "uniqueness")
        self.assertIn("8 of 12 cells are kept", self.expect(0, "run", study, "-o", "a.h5", "--only", "norm-preservation"))

    def test_what_is_no_part_of_the_same_study_is_not_added(self):
        self.expect(0, "run", self.study(), "-o", "a.h5", "--only", "none")
        changed = self.study(SMALL_STUDY.replace("[8, 16]", "[9]"))
        self.assertIn("another study", self.expect(2, "run", changed, "-o", "a.h5", "--only", "rope"))
        self.expect(0, "run", self.study(), "-o", "a.h5")
        self.expect(0, "run", "study.toml", "-o", "a.h5", "--only", "rope")  # of the whole: a narrower run, which says so
        self.assertEqual(self.held(), (["rope"], 1))


def python(code, *words):
    """What Debian's Python prints that finds the package poslab."""
    found = {"PYTHONPATH": f"{SOURCE}/results/python:" + ":".join(filter(None, sys.path))}
    return subprocess.run([sys.executable, "-B", "-c", code, *words], capture_output=True, text=True, env=found, check=True).stdout


class Labels(PoslabCase):
    def test_a_label_is_what_the_table_shows_and_makes_no_cell_new(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        named = self.study(SMALL_STUDY.replace('use = "rope"', 'use = "rope"\nlabel = "mine"'))
        said = self.expect(0, "run", named, "-o", "a.h5")
        self.assertIn("8 of 8 cells are kept", said)
        self.assertRegex(said, r"(?m)^  mine ")
        self.assertNotRegex(said, r"(?m)^  rope ")
        self.expect(0, "report", "a.h5", "-o", "a.md")
        self.assertIn("| `mine` |", (self.scratch / "a.md").read_text())
        self.assertRegex(self.expect(0, "summary", "a.h5"), r"(?m)^  mine ")
        names = "import sys, poslab; print(*poslab.open(sys.argv[1]).cube('uniqueness').variant.values)"
        self.assertEqual(python(names, self.scratch / "a.h5").split(), ["none", "sinusoidal", "mine", "alibi"])


class Slips(PoslabCase):
    def test_report_says_what_is_not_there_without_numbers_of_the_system(self):
        said = self.expect(1, "report", "nowhere.h5")
        self.assertIn("nowhere.h5: does not exist", said)
        self.expect(0, "run", self.study(), "-o", "a.h5")
        for words in (["report", "a.h5", "-o", "no/such/page.md"], ["report", "a.h5", "--beside", "nowhere.h5"]):
            other = self.expect(1, *words)
            self.assertRegex(other, r"poslab report: (no/such/|nowhere)\S*: does not exist")
            self.assertNotIn("Errno", said + other)
            self.assertNotIn("Traceback", other)

    def test_a_study_is_not_opened_as_results(self):
        study = self.study(name="q.toml")
        self.assertRegex(python(OPEN, study), r"q\.toml is a study .*poslab run")
        self.assertRegex(self.expect(1, "report", study), r"q\.toml is a study")

    def test_compare_of_untrained_and_trained_points_to_the_report(self):
        table = self.scratch / "w.npy"
        with open(table, "wb") as file:  # as numpy writes it
            header = str({"descr": "<f8", "fortran_order": False, "shape": (8, 32)}).ljust(117) + "\n"
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(8 * 8 * 32))
        study = self.study(SMALL_STUDY.replace('use = "alibi"', 'use = "learned"\nset = { max_length = 8 }').replace("[8, 16]", "[8]"))
        self.expect(0, "run", study, "-o", "a.h5")
        self.expect(0, "run", study, "-o", "b.h5", "--weights", "learned.table=w.npy")
        self.assertIn("poslab report a.h5 --beside b.h5", self.expect(1, "compare", "a.h5", "b.h5"))


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""What the pages have of the experiments' declarations, in tables, is what the program says of them."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from poslab_case import SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
sys.dont_write_bytecode = True
from poslab.gallery import declared  # noqa: E402
from poslab.gallery.experiments import experiments_table, texts  # noqa: E402

PAGES = SOURCE / "experiments"


class Experiments(PoslabCase):
    def setUp(self):
        super().setUp()
        self.known = json.loads(self.expect(0, "list", "experiments", "--json"))["experiments"]

    def test_the_tables_are_those_of_today(self):
        pages = texts(self.known, PAGES)
        self.assertEqual(len(pages), 1 + len(self.known))
        for page, text in pages.items():
            self.assertTrue(page.read_text() == text, f"{page.name} is not what the experiments declare; ./dev tables renews it")

    def test_every_axis_and_every_measure_is_on_its_page_with_all_that_is_declared_of_it(self):
        pages = texts(self.known, PAGES)
        for experiment in self.known:
            with self.subTest(experiment=experiment["id"]):
                page = pages[PAGES / experiment["id"] / f"{experiment['id']}.md"]
                self.assertIn(f"| {experiment['question']} |", pages[PAGES / "experiments.md"])
                for axis in experiment["axes"]:
                    (line,) = (line for line in page.splitlines() if line.startswith(f"| `{axis['name']}` | "))
                    for fact in (axis["allowed"], axis["unit"], axis["sentence"]):
                        self.assertIn(f"| {fact} |", line)
                for measure in experiment["measures"]:
                    rows = [line.replace(r"\|", "/").split(" | ") for line in page.splitlines() if f"`{measure['name']}`" in line.split(" | ")[0]]
                    (cells,) = (row for row in rows if len(row) == 6)
                    self.assertEqual(cells[1], ", ".join(measure["dimensions"]) or "–")
                    self.assertEqual(cells[2], measure["unit"])
                    self.assertIn(measure["definition"].replace("|", "/"), cells[3])
                    for fact, cell in ((measure["null_value"], cells[4]), (measure["tolerance"], cells[5])):
                        self.assertIn(fact.replace("|", "/"), cell.replace("\\", ""))

    def test_every_page_says_which_train_length_a_scheme_is_told(self):
        for one in self.known:
            with self.subTest(experiment=one["id"]):
                self.assertIn("train_length", (PAGES / one["id"] / f"{one['id']}.md").read_text())

    def test_a_page_that_does_not_say_to_what_it_applies_or_where_its_tables_are_is_named(self):
        mine = {"id": "mine", "question": "Is it?", "axes": [], "measures": []}
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "mine/mine.md"
            page.parent.mkdir()
            page.write_text("# Mine\n")
            with self.assertRaisesRegex(ValueError, "mine.md has no line"):
                experiments_table([mine], Path(folder))
            for text in ("*Applies to it.*\n", f"*Applies to it.*\n{declared.BEGIN}\n", 2 * f"*Applies to it.*\n{declared.BEGIN}\n{declared.END}\n"):
                page.write_text(text)
                with self.assertRaisesRegex(ValueError, "mine.md has no single place"):
                    texts([mine], Path(folder))


def measure(name, sentence, **other):
    return {"name": name, "dimensions": ["position"], "unit": "sd", "sentence": sentence, "definition": "max |a_i| < b", "null_value": "0",
            "tolerance": "exact"} | other


class Tables(unittest.TestCase):
    def rows(self, *measures):
        return declared.tables({"axes": [], "measures": list(measures)}).splitlines()[5:]

    def test_nothing_declared_ends_a_cell_or_is_markup(self):
        (row,) = self.rows(measure("a_b", "*of* <x> | _all_ a_i", definition="|x|, as `y`"))
        self.assertEqual(row, r"| `a_b` | position | sd | \*of\* \<x> \| \_all\_ a_i:<br>`` \|x\|, as `y` `` | 0 | exact |")

    def test_the_same_of_several_things_is_one_row(self):
        (row,) = self.rows(measure("mean_random", "mean of the logits, for random contents of tokens"),
                           measure("mean_equal", "mean of the logits, for equal contents of tokens", null_value="K"))
        self.assertEqual(row, "| `mean_random`, `mean_equal` | position | sd | mean of the logits, for random / equal contents of "
                              r"tokens:<br>`max \|a_i\| < b` | 0; equal: K | exact |")

    def test_what_differs_in_more_than_that_has_its_own(self):
        first = measure("mean_random", "mean of the logits")
        for other in (measure("mean_equal", "mean of the logits", unit="1"), measure("mean_equal", "mean of the logits", definition="b"),
                      measure("mean_equal", "mean of the logits", dimensions=[]), measure("mean", "mean of the logits"),
                      measure("range_equal", "mean of the logits"), measure("mean_equal", "range of the logits")):
            self.assertEqual(len(self.rows(first, other)), 2, other)


if __name__ == "__main__":
    unittest.main()

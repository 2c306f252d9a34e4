# SPDX-License-Identifier: Apache-2.0
"""experiments.md, the table of all experiments and their questions, against the experiments that the program knows."""

import json
import re
import unittest

from poslab_case import SOURCE, PoslabCase

TABLE = SOURCE / "experiments/experiments.md"
ROW = re.compile(r"^\| \[([a-z0-9-]+)\]\(([^)]+)\) \| (.+) \| (.+) \|$", re.MULTILINE)


class Experiments(PoslabCase):
    def setUp(self):
        super().setUp()
        self.known = {one["id"]: one for one in json.loads(self.expect(0, "list", "experiments", "--json"))["experiments"]}
        self.rows = {id: (page, question, applies) for id, page, question, applies in ROW.findall(TABLE.read_text())}

    def test_every_experiment_has_its_row_and_every_row_its_experiment(self):
        self.assertEqual(sorted(self.known.keys() - self.rows.keys()), [], "experiments without a row in experiments.md")
        self.assertEqual(sorted(self.rows.keys() - self.known.keys()), [], "rows of experiments.md without an experiment")
        self.assertEqual(list(self.rows), sorted(self.rows), "rows go by id, as poslab list does")

    def test_every_row_is_one_of_the_table(self):
        lines = [line for line in TABLE.read_text().splitlines() if line.startswith("| [")]
        self.assertEqual(len(lines), len(self.rows), "a row that cannot be read, or one that is there twice")

    def test_questions_are_those_that_the_program_asks(self):
        for id in self.known.keys() & self.rows.keys():
            with self.subTest(experiment=id):
                page, question, applies = self.rows[id]
                self.assertEqual(question, self.known[id]["question"])
                self.assertIn(question, self.expect(0, "describe", id))
                self.assertTrue((TABLE.parent / page).is_file(), page)
                self.assertEqual(page, f"{id}/{id}.md")
                self.assertGreater(len(applies), 3)


if __name__ == "__main__":
    unittest.main()

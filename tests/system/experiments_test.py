# SPDX-License-Identifier: Apache-2.0
"""experiments.md, the table of all experiments and their questions, is what the program and the experiments' pages say."""

import json
import sys
import tempfile
import unittest
from pathlib import Path

from poslab_case import SOURCE, PoslabCase

sys.path.insert(0, str(SOURCE / "results/python"))
from poslab.gallery.experiments import experiments_table  # noqa: E402


class Experiments(PoslabCase):
    def test_the_table_is_that_of_today(self):
        known = json.loads(self.expect(0, "list", "experiments", "--json"))["experiments"]
        table = experiments_table(known, SOURCE / "experiments")
        self.assertEqual((SOURCE / "experiments/experiments.md").read_text(), table, "./dev gallery renews it")
        for one in known:
            with self.subTest(experiment=one["id"]):
                self.assertIn(f"| {one['question']} |", table)
                self.assertIn(one["question"], self.expect(0, "describe", one["id"]))

    def test_every_page_says_which_train_length_a_scheme_is_told(self):
        for one in json.loads(self.expect(0, "list", "experiments", "--json"))["experiments"]:
            with self.subTest(experiment=one["id"]):
                self.assertIn("train_length", (SOURCE / f"experiments/{one['id']}/{one['id']}.md").read_text())

    def test_a_page_that_does_not_say_to_what_it_applies_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "mine/mine.md"
            page.parent.mkdir()
            page.write_text("# Mine\n")
            with self.assertRaisesRegex(SystemExit, "mine.md has no line"):
                experiments_table([{"id": "mine", "question": "Is it?"}], folder)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Every study that ships can be planned, and those of a text say so without one."""

import re
import tomllib
import unittest

from poslab_case import SOURCE, PoslabCase

STUDIES = sorted((SOURCE / "experiments/studies").rglob("*.toml"))
WANTS_TEXT = re.compile(r'^task *= *.*"text"', re.MULTILINE)


class Studies(PoslabCase):
    def test_each_has_cells_to_run(self):
        text = self.scratch / "any.txt"
        text.write_text("All that is here could stand anywhere else. " * 500)
        for study in STUDIES:
            with self.subTest(study=study.name):
                given = ["--data", f"text={text}"] if WANTS_TEXT.search(study.read_text()) else []
                output = self.expect(0, "run", study, "--plan", "-o", "a.h5", *given)
                self.assertRegex(output, r"(?m)^all +[1-9]")

    def test_the_quickstart_asks_in_short_contexts_what_another_study_asks_in_long_ones(self):
        short, long = (tomllib.loads((SOURCE / f"experiments/studies/{name}.toml").read_text()) for name in ("quickstart", "long-contexts"))
        self.assertEqual(short["scheme"], long["scheme"])
        self.assertEqual({asked["use"] for asked in short["experiment"]}, {asked["use"] for asked in long["experiment"]})
        self.assertEqual({(known["experiment"], known["measure"]) for known in short["expect"]},
                         {(known["experiment"], known["measure"]) for known in long["expect"]})
        for asked in short["experiment"]:
            same = [other for other in long["experiment"] if other["use"] == asked["use"]]
            self.assertIn(asked["repeats"], [other["repeats"] for other in same])
            self.assertLess(self.longest(asked), max(map(self.longest, same)), asked["use"])

    @staticmethod
    def longest(asked):
        axes = asked["axes"]
        if "train_length" in axes:
            return max(axes["train_length"]) * max(axes["multiple"])
        return 2 ** axes["length"]["pow2"][1] if isinstance(axes["length"], dict) else max(axes["length"])

    def test_those_of_a_text_are_refused_without_one(self):
        studies = [study for study in STUDIES if WANTS_TEXT.search(study.read_text())]
        self.assertIn("ka10-trainer.toml", [study.name for study in studies])
        for study in studies:
            with self.subTest(study=study.name):
                output = self.expect(2, "run", study, "-o", "a.h5")
                self.assertIn("poslab: --data text=FILE is missing", output)
                self.assertRegex(output, " needs: any text")
                self.assertEqual(list(self.scratch.glob("*.h5*")), [])

    def test_each_published_one_is_on_their_page_and_says_whence_it_expects_what(self):
        page = (SOURCE / "experiments/studies/published/published.md").read_text()
        for study in (SOURCE / "experiments/studies/published").rglob("*.toml"):
            with self.subTest(study=study.name):
                self.assertIn(f"({study.relative_to(SOURCE / 'experiments/studies/published')})", page)
                text = study.read_text()
                self.assertEqual(text.count("[[expect]]"), len(re.findall(r'^source = "..', text, re.MULTILINE)))


if __name__ == "__main__":
    unittest.main()

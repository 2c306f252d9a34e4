# SPDX-License-Identifier: Apache-2.0
"""Which cells a run keeps from an earlier one and which run again, since the study, a plugin or the request changed."""

import shutil

from poslab_case import BUILD, SMALL_STUDY
from resume_case import ResumeCase

TOYS = """
format = 1
title = "toys"
[model]
d_model = 8
heads = 2
[[scheme]]
use = "toy"
set = { mode = "plain" }
[[scheme]]
use = "toy"
set = { mode = "gives_nan" }
[[scheme]]
use = "sinusoidal"
[[experiment]]
use = "norm-preservation"
repeats = 1
[experiment.axes]
length = [4, 5]
"""


class KeptCells(ResumeCase):
    def test_a_study_that_grew_is_a_resume_and_another_study_is_refused(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        grown = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 16, 24]"))
        output = self.expect(0, "run", grown, "-o", "a.h5", "--plan")
        self.assertRegex(output, "8 cells: kept")
        self.assertRegex(output, "4 cells: new")
        self.assertIn("8 of 12 cells are kept", self.expect(0, "run", grown, "-o", "a.h5"))
        self.undisturbed(grown)
        self.assert_as_undisturbed("a.h5")
        self.assertIn("8 cells more are in the journal",
                      self.expect(0, "run", self.study(SMALL_STUDY.replace("[8, 16]", "[24]")), "-o", "a.h5", "--plan"))
        other = self.study(SMALL_STUDY.replace("[8, 16]", "[9]"))
        before = (self.scratch / "a.h5").read_bytes()
        self.assertIn("knows a cell of this one", self.expect(2, "run", other, "-o", "a.h5"))
        self.assertEqual((self.scratch / "a.h5").read_bytes(), before)
        self.expect(0, "run", other, "-o", "a.h5", "--fresh")
        self.assertEqual(self.status(0, "a.h5")["sum"]["planned"], 4)

    def test_fresh_forgets_what_was_done(self):
        study = self.study()
        self.expect(0, "run", study)
        self.assertIn("8 of 8 cells are kept", self.expect(0, "run", study))
        self.assertRegex(self.expect(0, "run", study, "--plan", "--fresh"), "8 cells: new")
        self.assertNotIn("are kept", self.expect(0, "run", study, "--fresh"))

    def test_plan_says_why_each_cell_would_run(self):
        plugins = self.scratch / "plugins"
        plugins.mkdir()
        toy = (BUILD / "faults/toy/toy.so").read_bytes()
        (plugins / "toy.so").write_bytes(toy)
        study = self.study(TOYS)
        options = ["--plugins", plugins, "-o", "a.h5"]
        self.expect(3, "run", study, *options)
        self.assertEqual(self.status(3, "a.h5")["sum"]["failed"], 2)

        def plan(study):
            return self.expect(0, "run", study, *options, "--plan", "--verbose")

        self.assertRegex(plan(study), "4 cells: kept\n +2 cells: failed before")
        self.assertRegex(self.expect(3, "run", study, *options), "4 of 6 cells are kept")
        (plugins / "toy.so").write_bytes(toy + b"other bytes, same code")
        changed = plan(study)
        self.assertRegex(changed, "2 cells: kept\n +2 cells: failed before\n +2 cells: plugin changed")
        self.assertRegex(changed, r"norm-preservation of toy\(mode=plain\) .*length=4.*: plugin changed: [0-9a-f]{8}, done with [0-9a-f]{8}")
        self.assertIn("norm-preservation of sinusoidal", changed)
        self.expect(3, "run", study, *options)
        self.assertRegex(plan(study), "4 cells: kept")
        self.assertEqual(toy.count(b"\x001.0\x00"), 1, "the toy's version is no longer a word of its own")
        (plugins / "toy.so").write_bytes(toy.replace(b"\x001.0\x00", b"\x001.1\x00"))
        self.assertRegex(plan(study), "scheme version changed: 1.1, done with 1.0")
        self.assertRegex(plan(study), "2 cells: kept\n +4 cells: scheme version changed")
        seeded = self.study(TOYS.replace('title', 'seed = 99\ntitle'), "seeded.toml")
        self.assertRegex(plan(seeded), "2 cells: seed changed")
        self.assertIn("seed changed: 99, done with ", plan(seeded))

    def test_a_cell_that_is_done_needs_no_memory(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 4000]"))
        self.expect(0, "run", study, "-o", "a.h5")
        grown = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 9, 4000]"))
        output = self.expect(0, "run", grown, "-o", "a.h5", "--memory", "1MB")
        self.assertIn("8 of 12 cells are kept", output)
        refused = ["run", grown, "-o", "b.h5", "--memory", "1MB"]
        self.assertIn("is estimated to need", self.expect(2, *refused))
        self.assertRegex(self.expect(0, *refused, "--plan"), "Nothing would run, as things stand: .* is estimated to need")

    def test_a_narrower_run_says_what_is_not_in_its_results(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "a.h5")
        self.assertIn("4 cells more are in the journal, of what was asked before; they stay there, and are not in the results",
                      self.expect(0, "run", study, "-o", "a.h5", "--axis", "length=8"))

    def test_another_part_in_the_same_file_is_refused_or_told(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "a.h5", "--only", "length=8")
        self.assertIn("a.h5: holds the results of another study", self.expect(2, "run", study, "-o", "a.h5", "--only", "length=16"))
        self.expect(0, "run", study, "-o", "a.h5")
        for part, said in (("length=8", r"a.h5 has the results of 8 cells, and this run leaves 4 in it; -o FILE keeps both"),
                           ("length=16", r"a.h5 has the results of 4 cells, and this run leaves 4 in it; -o FILE keeps both")):
            self.assertRegex(self.expect(0, "run", study, "-o", "a.h5", "--only", part), said)
        self.assertNotIn("leaves", self.expect(0, "run", study, "-o", "a.h5", "--only", "length=16"))
        self.assertIn("--only \"depth\": no experiment of this study has such an axis", self.expect(2, "run", study, "--only", "depth=8"))

    def test_a_plugin_that_is_set_aside_takes_no_older_record_with_it(self):
        study = self.study(SMALL_STUDY.replace("[8, 16]", "[8, 9, 10, 11, 12, 16]") +
                           '[[scheme]]\nuse = "misbehaves"\nset = { mode = "leaves_a_thread" }\n')
        good, bad = self.scratch / "good", self.scratch / "bad"
        for folder in (good, bad):
            folder.mkdir()
        shutil.copy(BUILD / "faults/misbehaves/misbehaves.so", good)
        # A build of the plugin that crashes: two modes have changed places.
        swapped = (good / "misbehaves.so").read_bytes().replace(b"leaves_a_thread", b"?" * 15)
        swapped = swapped.replace(b"divides_by_zero", b"leaves_a_thread").replace(b"?" * 15, b"divides_by_zero")
        (bad / "misbehaves.so").write_bytes(swapped)
        self.expect(0, "run", study, "-o", "a.h5", "--plugins", good)
        shutil.copy(self.scratch / "a.h5", self.scratch / "undisturbed.h5")
        output = self.expect(3, "run", study, "-o", "a.h5", "--plugins", bad)
        self.assertIn("3 crashed", output)
        self.assertIn("3 failed", output)
        self.assertEqual(self.status(4, "a.h5")["sum"]["left"], 3)
        plan = self.expect(0, "run", study, "-o", "a.h5", "--plugins", good, "--plan")
        self.assertRegex(plan, "27 cells: kept")
        self.assertRegex(plan, "3 cells: crashed before")
        self.expect(0, "run", study, "-o", "a.h5", "--plugins", good)
        self.assert_as_undisturbed("a.h5")

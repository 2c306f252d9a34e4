"""poslab status: which journals a results file stands for, and what it says of a study in shards, whole, half or twice."""

import json
import shutil

from poslab_case import PoslabCase

CELLS = 8


class Status(PoslabCase):
    def setUp(self):
        super().setUp()
        self.study()

    def shards(self, count, numbers=None, output="a.h5"):
        for number in numbers or range(1, count + 1):
            self.expect(0, "run", "study.toml", "-o", output, "--shard", f"{number}/{count}")

    def json(self, code, *files):
        done = self.poslab("status", *files, "--json")
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return json.loads(done.stdout)

    def test_a_study_cut_in_two_ways_is_counted_once_for_each(self):
        self.shards(3)
        self.shards(2)
        said = self.json(0, "a.h5")
        self.assertEqual([(run["shards"], run["planned"], run["complete"]) for run in said["runs"]], [(2, CELLS, True), (3, CELLS, True)])
        self.assertIsNone(said["sum"])  # it would count cells twice
        output = self.expect(0, "status", "a.h5")
        self.assertRegex(output, rf"a.h5 in 2 shards +{CELLS} +{CELLS} ")
        self.assertRegex(output, rf"a.h5 in 3 shards +{CELLS} +{CELLS} ")
        self.assertNotRegex(output, r"(?m)^ *all ")
        self.assertIn("a.h5 was begun in several ways: in 2 shards, in 3 shards", output)
        self.assertEqual(self.json(0, *sorted(self.scratch.glob("a.*-of-2.h5.journal")))["sum"]["planned"], CELLS)

    def test_each_way_may_lack_something(self):
        self.shards(3)
        self.shards(2, [2])
        said = self.json(4, "a.h5")
        self.assertEqual([(run["shards"], run["missing"], run["complete"]) for run in said["runs"]], [(2, [1], False), (3, [], True)])
        self.assertIn("1 of 2 shards of a.h5 has not begun: 1\n", self.expect(4, "status", "a.h5"))

    def test_a_run_in_one_piece_hides_no_shards(self):
        self.expect(0, "run", "study.toml", "-o", "a.h5")
        self.shards(40, [7])
        output = self.expect(4, "status", "a.h5")
        self.assertIn("a.h5.journal: complete", output)
        self.assertIn("a.7-of-40.h5.journal: complete", output)
        self.assertIn("39 of 40 shards of a.h5 have not begun: ", output)
        self.assertIn("a.h5 was begun in several ways: in one piece, in 40 shards", output)
        self.assertEqual([run["shards"] for run in self.json(4, "a.h5")["runs"]], [None, 40])
        self.assertTrue(self.json(0, "a.h5.journal")["sum"]["complete"])  # this one alone

    def test_shards_that_have_not_begun_are_not_complete(self):
        self.shards(40, [7])
        said = self.json(4, "a.h5")
        self.assertFalse(said["sum"]["complete"])
        self.assertEqual(said["runs"][0]["missing"], [number for number in range(1, 41) if number != 7])

    def test_nor_is_what_cannot_be_read(self):
        self.shards(2)
        (self.scratch / "a.2-of-2.h5.journal").write_text("a letter")
        said = self.json(2, "a.h5")
        self.assertFalse(said["sum"]["complete"])
        self.assertEqual(said["runs"][0]["unreadable"], ["a.2-of-2.h5.journal"])

    def test_outputs_of_any_name(self):
        for output in ("res", "dotted.name.h5", ".hidden", "it's [a] (b)* .h5", "x.1-of-2", "sub/folder.d/res"):
            with self.subTest(output):
                (self.scratch / output).parent.mkdir(parents=True, exist_ok=True)
                self.shards(2, output=output)
                self.assertEqual(self.json(0, output)["sum"]["planned"], CELLS)

    def test_names_that_no_shard_has(self):
        self.shards(2)
        for name in ("a.2-of-0.h5.journal", "a.0-of-2.h5.journal", "a.3-of-2.h5.journal", "a.01-of-2.h5.journal", "a.1-of-10001.h5.journal",
                     "a.1-of-2.h5.journal.old", "b.a.1-of-2.h5.journal", "a.1-of-99999999999999999999.h5.journal"):
            shutil.copy(self.scratch / "a.1-of-2.h5.journal", self.scratch / name)
        self.assertEqual([run["shards"] for run in self.json(0, "a.h5")["runs"]], [2])
        for path in self.scratch.glob("a.[12]-of-2.h5.journal"):
            path.unlink()
        self.assertIn("a.h5.journal: there is no such journal", self.expect(2, "status", "a.h5"))

    def test_nothing_is_counted_twice(self):
        self.shards(2)
        self.assertEqual(self.json(0, "a.h5", "a.1-of-2.h5", "./a.2-of-2.h5.journal")["sum"]["planned"], CELLS)

    def test_several_results_files(self):
        self.shards(2)
        self.expect(0, "run", "study.toml", "-o", "b.h5")
        self.assertEqual(self.json(0, "a.h5", "b.h5")["sum"]["planned"], 2 * CELLS)
        self.assertRegex(self.expect(0, "status", "a.h5", "b.h5"), rf"(?m)^ *all +{2 * CELLS} ")

    def test_status_of_what_is_not_there_of_shards_and_of_a_study(self):
        self.assertIn("none.h5.journal: there is no such journal", self.expect(2, "status", "none.h5"))
        self.expect(0, "run", self.study())
        self.assertIn("study.h5.journal: complete", self.expect(0, "status", "study.toml"))
        for shard in (1, 3):
            shutil.copy(self.scratch / "study.h5.journal", self.scratch / f"b.{shard}-of-4.h5.journal")
        output = self.expect(4, "status", "b.h5")
        self.assertRegex(output, r"all +16 +16 +0")
        self.assertIn("2 of 4 shards of b.h5 have not begun: 2 and 4", output)
        self.assertEqual(self.json(0, "b.1-of-4.h5", "b.3-of-4.h5.journal")["sum"]["ok"], 16)

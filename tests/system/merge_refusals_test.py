# SPDX-License-Identifier: Apache-2.0
"""What does not belong together is not merged, and refused by name."""

import contextlib
import os
import shutil
import sqlite3
import unittest

import h5py
from packed_records import ShardRecord, sealed, with_another_version
from poslab_case import BUILD, SMALL_STUDY
from shards_case import FAILING, TOY, ShardsCase


def with_another_measure(outcome):
    """The last bit of the measure `norm` changes; between its name and its number stand the counts of dimensions and numbers."""
    at = outcome.index(b"norm") + len("norm") + 16
    return sealed(outcome[:at] + bytes([outcome[at] ^ 1]) + outcome[at + 1:])


class Refusals(ShardsCase):
    @classmethod
    def setUpClass(cls):
        case = cls("setUp")
        super().setUp(case)  # and not its own, which copies what is made here
        cls.addClassCleanup(case.doCleanups)
        case.shards(2, case.study())
        cls.made = case.scratch

    def setUp(self):
        super().setUp()
        for path in self.made.iterdir():
            shutil.copy(path, self.scratch)
        self.first, self.second = "a.1-of-2.h5", "a.2-of-2.h5"
        self.other = self.scratch / f"{self.second}.journal"

    def sql(self, journal, *statement):
        with contextlib.closing(sqlite3.connect(journal)) as connection:
            rows = connection.execute(*statement).fetchall()
            connection.commit()
        return rows

    def test_files_that_are_no_shards_are_all_named(self):
        self.expect(0, "run", "study.toml", "-o", "whole.h5")
        (self.scratch / "text.h5").write_text("no HDF5")
        (self.scratch / "notes.h5.journal").write_text("no database")
        shutil.copy(self.scratch / "whole.h5", self.scratch / "alone.h5")
        lines = self.refusals("whole.h5", self.first, "text.h5", "absent.h5", self.second, "notes.h5", "alone.h5")
        self.assertEqual(len(lines), 5)
        self.assertIn("alone.h5: holds a whole run's results and not those of a shard", "\n".join(lines))
        self.assertIn("notes.h5.journal: is corrupt", "\n".join(lines))
        self.assertIn("whole.h5: holds a whole run's results and not those of a shard", "\n".join(lines))
        self.assertIn("absent.h5: does not exist, and neither does absent.h5.journal", "\n".join(lines))
        self.assertIn("text.h5: ", "\n".join(lines))

    def test_files_of_earlier_versions_are_named_with_the_way_out(self):
        with h5py.File(self.scratch / "old.1-of-2.h5", "w") as file:
            self.expect(0, "run", "study.toml", "-o", "whole.h5")
            with h5py.File(self.scratch / "whole.h5") as whole:
                for name in whole:
                    whole.copy(name, file)
                file.attrs.update(whole.attrs)
            file.create_group("shard")
        self.sql(self.other, "DROP TABLE shard")
        self.sql(self.other, "PRAGMA user_version = 4")
        lines = self.refusals(self.first, "old.1-of-2.h5", self.second)
        self.assertIn("old.1-of-2.h5: was written by an earlier poslab; lay its journal beside it and run that shard again", "\n".join(lines))
        self.assertIn("a.2-of-2.h5: is of an earlier poslab, which did not note what a shard is a part of; run that shard again", "\n".join(lines))
        self.assertRegex(self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "a.h5"), r"(\d) of \1 cells are kept")
        self.merge(0, self.first, self.second)
        self.assert_equal("whole.h5", "merged.h5")

    def test_another_study(self):
        self.study(SMALL_STUDY.replace("seed = 7", "seed = 8").replace("small", "other"), "other.toml")
        self.expect(0, "run", "other.toml", "--shard", "2/2")
        lines = self.refusals(self.first, self.second, "other.2-of-2.h5")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r'other.2-of-2.h5: holds another study \("other", \w+\) than a.1-of-2.h5 \("small", \w+\)')

    def test_another_number_of_shards(self):
        self.expect(0, "run", "study.toml", "--shard", "2/3", "-o", "a.h5")
        lines = self.refusals(self.first, "a.2-of-3.h5", self.second)
        self.assertEqual(len(lines), 1)
        self.assertIn("a.2-of-3.h5: is shard 2 of 3, but a.1-of-2.h5 is shard 1 of 2", lines[0])

    def test_another_version_of_poslab_or_of_what_it_performs(self):
        with ShardRecord(self.other) as record:
            record.poslab = b"0.0.9"
            record.experiments[0] = with_another_version(record.experiments[0])
            record.schemes[2] = with_another_version(record.schemes[2])
        text = "\n".join(self.refusals(self.first, self.second))
        self.assertIn("a.2-of-2.h5: was written by poslab 0.0.9, but a.1-of-2.h5 by poslab", text)
        self.assertRegex(text, r"a.2-of-2.h5: was made with experiments uniqueness 99 instead of uniqueness \d")
        self.assertRegex(text, r"a.2-of-2.h5: was made with schemes rope 99 instead of rope \d")

    def test_another_plan(self):
        with ShardRecord(self.other) as record:
            record.plan_hash = b"f" * 64
        lines = self.refusals(self.first, self.second)
        self.assertEqual(len(lines), 1)
        self.assertIn("a.2-of-2.h5: is part of another plan (8 cells, ffffffffffff) than a.1-of-2.h5 (8 cells, ", lines[0])

    def test_another_file_of_a_plugin(self):
        for scheme in ("none", "sinusoidal", "rope", "alibi"):
            (self.scratch / "plugins").mkdir(exist_ok=True)
            shutil.copy(BUILD / f"plugins/{scheme}.so", self.scratch / "plugins")
        with open(self.scratch / "plugins/rope.so", "ab") as library:
            library.write(b"built elsewhere")
        self.expect(0, "run", "study.toml", "-o", "whole.h5")
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "b.h5", "--plugins", "plugins")
        lines = self.refusals(self.first, "b.2-of-2.h5")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"b.2-of-2.h5: was made with another file of the plugin of rope, or of a library that it loads, than a.1-of-2.h5")
        self.assertIn("--mixed-plugins", lines[0])
        self.merge(0, self.first, "b.2-of-2.h5", "--mixed-plugins")
        self.assert_equal("whole.h5", "merged.h5")

    def test_shards_that_are_missing(self):
        files = self.shards(7, "study.toml", output="c.h5")
        os.rename(self.scratch / f"{files[4]}.journal", self.scratch / "aside.h5.journal")
        lines = self.refusals(files[0], files[2], files[3], files[5])
        self.assertEqual(len(lines), 2)
        self.assertIn("shards 2, 5 and 7 of 7 are missing; run them (poslab run", lines[0])
        self.assertIn("study.toml --shard 2/7", lines[0])
        self.assertIn("c.2-of-7.h5 and c.7-of-7.h5 are there, but not among the files given", lines[1])
        self.assertIn("shard 5 of 7 is missing; run it", self.refusals(*files[:4], *files[5:])[0])

    def test_what_is_there_can_be_merged(self):
        output = self.merge(3, self.second, "--partial")
        with h5py.File(self.scratch / "merged.h5") as merged:
            self.assertEqual({id for id, in self.sql(self.other, "SELECT id FROM cells")}, set(merged["id"].asstr()[:]))
            self.assertEqual(merged.attrs["complete"], 0)
            self.assertEqual(merged.attrs["planned_cells"], 8)
            self.assertIn(f"partial: {len(merged['id'])} of 8 cells", output)

    def test_a_shard_that_was_interrupted(self):
        study = self.study(FAILING, "stops.toml")
        lengths = ("--axis", "length=8,9,10,11,12", *TOY, "-o", "s.h5")
        self.expect(4, "run", study, "--shard", "1/1", "--fail-fast", "--threads", 1, *lengths)
        lines = self.refusals("s.1-of-1.h5")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"s.1-of-1.h5: is not finished: \d+ of its 50 cells did not run \(relative-shift of [^,]+, d_model 32, ")
        self.assertIn(f"finish it (poslab run {study} --shard 1/1 --threads 1 --axis length=8,9,10,11,12 --plugins", lines[0])
        self.expect(3, "run", study, "--shard", "1/1", *lengths)
        self.merge(3, "s.1-of-1.h5")

    def test_a_shard_that_was_killed_is_merged_in_part(self):
        (id,), *_ = self.sql(self.other, "SELECT id FROM cells")
        self.sql(self.other, "DELETE FROM cells WHERE id = ?", (id,))
        self.assertIn("is not finished: 1 of its", self.refusals(self.first, self.second)[0])
        self.assertIn("partial: 7 of 8 cells", self.merge(3, self.first, self.second, "--partial"))
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "a.h5")
        self.expect(0, "run", "study.toml", "-o", "whole.h5")
        self.merge(0, self.first, self.second)
        self.assert_equal("whole.h5", "merged.h5")

    def test_the_same_cells_twice(self):
        shutil.copy(self.other, self.scratch / "copy.h5.journal")
        self.expect(0, "run", "study.toml", "-o", "whole.h5")
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "again.h5")  # other seconds, same numbers
        self.merge(0, self.first, self.second, "copy.h5", "again.2-of-2.h5")
        self.assert_equal("whole.h5", "merged.h5")
        os.remove(self.scratch / "merged.h5")
        self.spoil("copy.h5.journal", with_another_measure)
        lines = self.refusals(self.first, self.second, "copy.h5")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"copy.h5: and a.2-of-2.h5 hold the same cell with different results: uniqueness of \w+")

    def spoil(self, journal, change):
        """Another outcome of a cell, and what the row says of it; the variant of the cell."""
        columns = ("id, experiment, scheme, variant, axes, repeat, seed, status, message, plugin_hash, experiment_version, scheme_version, "
                   "question, outcome")
        row = list(self.sql(self.scratch / journal, f"SELECT {columns} FROM cells ORDER BY number LIMIT 1")[0])
        row[-1] = change(row[-1])
        checksum = sealed(bytes(16) + "\n".join(map(str, row[:-1])).encode() + b"\n" + row[-1][:16])[:16].decode()
        self.sql(self.scratch / journal, "UPDATE cells SET outcome = ?, checksum = ? WHERE id = ?", (row[-1], checksum, row[0]))
        return row[3]

    def test_a_finished_copy_stands_in_for_an_unfinished_one(self):
        shutil.copy(self.other, self.scratch / "half.h5.journal")
        self.sql(self.scratch / "half.h5.journal", "DELETE FROM cells WHERE number = 1")
        self.assertIn("1 of its", self.refusals(self.first, "half.h5")[0])
        self.merge(0, self.first, "half.h5", self.second)

    def test_a_wrong_checksum(self):
        variant = self.spoil(self.other, lambda outcome: outcome[:60] + bytes([outcome[60] ^ 4]) + outcome[61:])
        lines = self.refusals(self.first, self.second)
        self.assertIn(f"a.2-of-2.h5: has a record whose checksum is wrong: uniqueness of {variant}, d_model 32", lines[0])
        self.assertIn("run that shard again (poslab run", lines[0])
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "a.h5")
        self.merge(0, self.first, self.second)

    def test_a_damaged_record_of_the_plan(self):
        for spoil, reason in ((lambda record: record.cells.append(record.cells[0]), "its numbers of cells and indices differ"),
                              (lambda record: setattr(record, "index", 3), "its index is out of range"),
                              (lambda record: setattr(record, "sealed", False) or setattr(record, "title", b"x"), "checksum")):
            with ShardRecord(self.other) as record:
                spoil(record)
            said = self.refusals(self.first, self.second)[0]
            self.assertIn("a.2-of-2.h5.journal: what it says of its shard is damaged", said)
            self.assertIn(reason, said)
            self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "a.h5")
        self.merge(0, self.first, self.second)

    def test_a_database_with_what_poslab_did_not_make(self):
        self.sql(self.other, "CREATE TRIGGER strange AFTER INSERT ON run BEGIN DELETE FROM cells; END")
        self.assertIn('a trigger "strange" that poslab did not make', self.refusals(self.first, self.second)[0])

    def test_an_output_that_holds_something_else(self):
        self.study(SMALL_STUDY.replace("small", "other"), "other.toml")
        self.expect(0, "run", "other.toml", "-o", "merged.h5")
        self.assertIn("holds the results of another study", self.merge(2, self.first, self.second))
        self.merge(0, self.first, self.second, "--fresh")
        self.assertIn("is one of the shards", self.merge(2, self.first, self.second, output=self.first))
        self.assertIn("would be taken for a journal", self.merge(2, self.first, output=f"{self.first}.journal"))
        self.assertIn("-o FILE is missing", self.expect(2, "merge", self.first, self.second))
        self.assertIn("No such file", self.merge(2, self.first, self.second, output="nowhere/a.h5"))


if __name__ == "__main__":
    unittest.main()

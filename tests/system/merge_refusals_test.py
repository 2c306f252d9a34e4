# SPDX-License-Identifier: Apache-2.0
"""What does not belong together is not merged, and refused by name."""

import os
import shutil
import struct
import unittest

import h5py
from packed_records import Records, sealed, with_another_version, with_text
from poslab_case import BUILD, SMALL_STUDY
from shards_case import FAILING, TOY, ShardsCase


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
        self.other = self.scratch / self.second

    def test_files_that_are_no_shards_are_all_named(self):
        self.expect(0, "run", "study.toml", "-o", "whole.h5")
        (self.scratch / "text.h5").write_text("no HDF5")
        lines = self.refusals("whole.h5", self.first, "text.h5", "absent.h5", self.second)
        self.assertEqual(len(lines), 3)
        self.assertIn("whole.h5: holds a whole run's results and not those of a shard", "\n".join(lines))
        self.assertIn("absent.h5: does not exist", "\n".join(lines))
        self.assertIn("text.h5: ", "\n".join(lines))

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
        with Records(self.other, "header") as header:
            header[0] = with_text(header[0], "poslab_version", "0.0.9")
        with Records(self.other, "experiments") as experiments:
            experiments[0] = with_another_version(experiments[0])
        with Records(self.other, "schemes") as schemes:
            schemes[2] = with_another_version(schemes[2])
        text = "\n".join(self.refusals(self.first, self.second))
        self.assertIn("a.2-of-2.h5: was written by poslab 0.0.9, but a.1-of-2.h5 by poslab", text)
        self.assertRegex(text, r"a.2-of-2.h5: was made with experiments uniqueness 99 instead of uniqueness \d")
        self.assertRegex(text, r"a.2-of-2.h5: was made with schemes rope 99 instead of rope \d")

    def test_another_schema_version(self):
        with h5py.File(self.other, "r+") as file:
            file.attrs["schema_version"] = 2
        self.assertIn("has schema version 2", self.refusals(self.first, self.second)[0])

    def test_another_plan(self):
        with Records(self.other, "header") as header:
            header[0] = with_text(header[0], "plan_hash", "f" * 64)
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
        os.rename(self.scratch / files[4], self.scratch / "aside.h5")
        lines = self.refusals(files[0], files[2], files[3], files[5])
        self.assertEqual(len(lines), 2)
        self.assertIn("shards 2, 5 and 7 of 7 are missing; run them (poslab run", lines[0])
        self.assertIn("study.toml --shard 2/7", lines[0])
        self.assertIn("c.2-of-7.h5 and c.7-of-7.h5 are there, but not among the files given", lines[1])
        self.assertIn("shard 5 of 7 is missing; run it", self.refusals(*files[:4], *files[5:])[0])

    def test_what_is_there_can_be_merged(self):
        output = self.merge(3, self.second, "--partial")
        with h5py.File(self.other) as shard, h5py.File(self.scratch / "merged.h5") as merged:
            self.assertEqual(list(shard["id"][:]), list(merged["id"][:]))
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

    def test_the_same_cells_twice(self):
        shutil.copy(self.other, self.scratch / "copy.h5")
        self.expect(0, "run", "study.toml", "-o", "whole.h5")
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "again.h5")  # other seconds, same numbers
        self.merge(0, self.first, self.second, "copy.h5", "again.2-of-2.h5")
        self.assert_equal("whole.h5", "merged.h5")
        os.remove(self.scratch / "merged.h5")
        with Records(self.scratch / "copy.h5", "outcomes") as outcomes:
            outcomes[0] = sealed(outcomes[0][:-3] + b"\x05" + outcomes[0][-2:])
        lines = self.refusals(self.first, self.second, "copy.h5")
        self.assertEqual(len(lines), 1)
        self.assertRegex(lines[0], r"copy.h5: and a.2-of-2.h5 hold the same cell with different results: uniqueness of \w+")

    def test_a_finished_copy_stands_in_for_an_unfinished_one(self):
        shutil.copy(self.other, self.scratch / "half.h5")
        with Records(self.scratch / "half.h5", "outcomes") as outcomes:
            outcomes[0] = b""
        self.assertIn("1 of its", self.refusals(self.first, "half.h5")[0])
        self.merge(0, self.first, "half.h5", self.second)

    def test_a_wrong_checksum(self):
        with Records(self.other, "outcomes") as outcomes:
            outcomes[0] = outcomes[0][:60] + bytes([outcomes[0][60] ^ 4]) + outcomes[0][61:]
        lines = self.refusals(self.first, self.second)
        self.assertEqual(len(lines), 1)
        with h5py.File(self.other) as file:
            variant = file["variant"].asstr()[0]
        self.assertIn(f"a.2-of-2.h5: has a record whose checksum is wrong: uniqueness of {variant}, d_model 32", lines[0])
        self.assertIn("run that shard again (poslab run", lines[0])

    def test_damaged_cells_and_headers(self):
        with Records(self.other, "cells") as cells:
            cells[0] = cells[0][:-1]
        self.assertRegex(self.refusals(self.first, self.second)[0], r"a record whose checksum is wrong: cell \d of the plan")
        with Records(self.other, "header") as header:
            header[0] = header[0].replace(b"index" + struct.pack("<QQ", 2, 2), b"index" + struct.pack("<QQ", 2, 3))
        self.assertIn("is a shard's file, but damaged: the checksum", self.refusals(self.first, self.second)[0])
        with Records(self.other, "header") as header:
            header[0] = sealed(header[0])
        self.assertIn("is a shard's file, but damaged: its index is out of range", self.refusals(self.first, self.second)[0])

    def test_an_output_that_holds_something_else(self):
        self.study(SMALL_STUDY.replace("small", "other"), "other.toml")
        self.expect(0, "run", "other.toml", "-o", "merged.h5")
        self.assertIn("holds the results of another study", self.merge(2, self.first, self.second))
        self.merge(0, self.first, self.second, "--fresh")
        self.assertIn("is one of the shards", self.merge(2, self.first, self.second, output=self.first))
        self.assertIn("-o FILE is missing", self.expect(2, "merge", self.first, self.second))
        self.assertIn("No such file", self.merge(2, self.first, self.second, output="nowhere/a.h5"))


if __name__ == "__main__":
    unittest.main()

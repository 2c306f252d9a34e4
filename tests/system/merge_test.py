# SPDX-License-Identifier: Apache-2.0
"""Shards of a run, merged, are the run."""

import contextlib
import json
import sqlite3
import unittest

import h5py
from shards_case import FAILING, STUDY, TOY, ShardsCase


def table_of(output):
    """The answers and expectations that a run or a merge ends with."""
    return output[:output.index("\nin full, with reasons")]


class Equality(ShardsCase):
    def test_any_number_of_shards_merges_to_the_file_of_one_run(self):
        study = self.study(STUDY)
        whole = self.expect(1, "run", study, "-o", "whole.h5")
        for count in (1, 2, 7, 40):
            files = self.shards(count, study)  # their exit code says nothing of expectations
            merged = self.merge(1, *files)
            self.assert_equal("whole.h5", "merged.h5")
            self.assertEqual(table_of(whole), table_of(merged))

    def test_failed_cells_are_merged_as_failed(self):
        study = self.study(FAILING)
        self.expect(3, "run", study, *TOY, "-o", "whole.h5")
        outputs = [self.poslab("run", study, *TOY, "--shard", f"{i}/3", "-o", "a.h5").returncode for i in (1, 2, 3)]
        self.assertLessEqual(set(outputs), {0, 3})
        self.assertIn("failed", self.merge(3, *(f"a.{i}-of-3.h5" for i in (1, 2, 3))))
        self.assert_equal("whole.h5", "merged.h5")

    def test_order_and_names_of_the_files_do_not_matter(self):
        study = self.study()
        self.expect(0, "run", study, "-o", "whole.h5")
        first, second = self.shards(2, study)
        (self.scratch / f"{first}.journal").rename(self.scratch / "zzz.h5.journal")
        self.merge(0, second, "zzz.h5")
        self.assert_equal("whole.h5", "merged.h5")
        self.merge(0, second, "zzz.h5", "./zzz.h5.journal")  # over its own earlier file; one named twice is one

    def test_provenance_names_the_shards(self):
        self.merge(0, *self.shards(2, self.study()))
        with h5py.File(self.scratch / "merged.h5") as file:
            shards = json.loads(file["provenance/shards"].asstr()[()])
            self.assertEqual([shard["shard"] for shard in shards], ["1/2", "2/2"])
            for shard in shards:
                command = json.loads(shard["command_line"])
                self.assertEqual(command[:2], ["poslab", "run"])
                self.assertEqual(command[command.index("--shard") + 1], shard["shard"])
                self.assertGreaterEqual(float(shard["run_seconds"]), 0)
                self.assertTrue(shard["host"])
            self.assertTrue((file["provenance/seconds"][:] >= 0).all())
            self.assertTrue((file["provenance/peak_memory"][:] > 1e6).all())
            self.assertEqual(json.loads(file["provenance/command_line"].asstr()[()])[:2], ["poslab", "merge"])
            self.assertNotIn("shard", file)

    def test_processors_of_all_attempts_are_told(self):
        """One shard was begun on another processor, stopped and finished here."""
        files = self.shards(2, self.study())
        which = max((0, 1), key=lambda each: self.cells_of(files[each]))  # how they fall is the hashes' affair
        shard = f"{which + 1}/2"
        with contextlib.closing(sqlite3.connect(self.scratch / f"{files[which]}.journal")) as journal:
            journal.execute("UPDATE cells SET host = 'node\"1\"', processor = 'Abacus 9' WHERE number = 1")
            journal.commit()
        self.expect(0, "run", "study.toml", "--shard", shard, "-o", "a.h5")
        self.assertRegex(self.merge(0, *files), "these shards were made on different processors.*Abacus 9")
        with h5py.File(self.scratch / "merged.h5") as file:
            shard_of_two = json.loads(file["provenance/shards"].asstr()[()])[which]
            machines = json.loads(shard_of_two["machines"])
            self.assertEqual([machine["processor"] == "Abacus 9" for machine in machines].count(True), 1)
            self.assertEqual(sorted(machine["host"] == 'node"1"' for machine in machines), [False, True])
            self.assertEqual(sum(machine["cells"] for machine in machines), self.cells_of(files[which]))
            [build] = json.loads(file["provenance/builds"].asstr()[()])
            self.assertEqual((build["cells"], build["git_commit"]), (len(file["id"]), file["provenance/git_commit"].asstr()[()]))
        self.expect(0, "run", "study.toml", "--shard", shard, "-o", "a.h5", "--fresh")
        self.assertNotIn("processors", self.merge(0, *files))


if __name__ == "__main__":
    unittest.main()

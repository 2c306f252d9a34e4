# SPDX-License-Identifier: Apache-2.0
"""A shard by itself: its plan, a task of Slurm as a shard, its journal, its expectations, which are left to the merge."""

import shutil
import unittest

from poslab_case import SMALL_STUDY
from shards_case import EXPECTED, ShardsCase


class Running(ShardsCase):
    def test_plan_of_a_shard(self):
        output = self.expect(0, "run", self.study(), "--shard", "2/3", "--plan")
        self.assertRegex(output, r"shard 2 of 3: \d of 8 cells")
        self.assertEqual(list(self.scratch.glob("*.h5*")), [])

    def test_a_task_of_a_slurm_array_is_a_shard(self):
        study = self.study()
        array = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "3"}
        self.expect(0, "run", study, "--shard", "slurm", environment=array)
        self.assertTrue((self.scratch / "study.4-of-4.h5.journal").exists())
        self.expect(0, "run", study, "--shard", "slurm/4", environment=array)
        self.assertTrue((self.scratch / "study.3-of-4.h5.journal").exists())
        for option in ("0/4", "5/4", "1/0", "x", "3/4/5", "-1/4", "slurm"):
            self.assertIn(f"--shard {option}", self.expect(2, "run", study, "--shard", option))

    def test_expectations_are_left_to_the_merge(self):
        output = self.expect(0, "run", self.study(SMALL_STUDY + EXPECTED), "--shard", "1/2")
        self.assertIn("judged by poslab merge", output)

    def test_a_shard_is_its_journal_alone(self):
        study = self.study()
        said = self.expect(0, "run", study, "--shard", "1/2", "-o", "a.h5")
        self.assertRegex(said, r"cells? ok in .*: a\.1-of-2\.h5\.journal\n")
        self.assertEqual([path.name for path in self.scratch.glob("a.*")], ["a.1-of-2.h5.journal"])
        self.assertIn("cells are kept", self.expect(0, "run", study, "--shard", "1/2", "-o", "a.h5"))
        self.expect(0, "run", study, "--shard", "2/2", "-o", "a.h5")
        self.expect(0, "run", study, "-o", "whole.h5")
        (self.scratch / "elsewhere").mkdir()
        for index in (1, 2):  # nothing else is needed, wherever it lies, though it cannot be written
            name = f"a.{index}-of-2.h5.journal"
            shutil.move(self.scratch / name, self.scratch / "elsewhere" / name)
            (self.scratch / "elsewhere" / name).chmod(0o400)
        (self.scratch / "elsewhere").chmod(0o500)
        self.addCleanup((self.scratch / "elsewhere").chmod, 0o700)
        self.merge(0, *sorted((self.scratch / "elsewhere").iterdir()))
        self.assert_equal("whole.h5", "merged.h5")


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""A shard by itself: its plan, a task of Slurm as a shard, its file, its expectations, which are left to the merge."""

import shutil
import subprocess
import sys
import unittest

import h5py
from poslab_case import SMALL_STUDY
from shards_case import EXPECTED, STUDY, ShardsCase


class Running(ShardsCase):
    def test_plan_of_a_shard(self):
        output = self.expect(0, "run", self.study(), "--shard", "2/3", "--plan")
        self.assertRegex(output, r"shard 2 of 3: \d of 8 cells")
        self.assertEqual(list(self.scratch.glob("*.h5*")), [])

    def test_a_task_of_a_slurm_array_is_a_shard(self):
        study = self.study()
        array = {"SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "3"}
        self.expect(0, "run", study, "--shard", "slurm", environment=array)
        self.assertTrue((self.scratch / "study.4-of-4.h5").exists())
        self.expect(0, "run", study, "--shard", "slurm/4", environment=array)
        self.assertTrue((self.scratch / "study.3-of-4.h5").exists())
        for option in ("0/4", "5/4", "1/0", "x", "3/4/5", "-1/4", "slurm"):
            self.assertIn(f"--shard {option}", self.expect(2, "run", study, "--shard", option))

    def test_expectations_are_left_to_the_merge(self):
        output = self.expect(0, "run", self.study(SMALL_STUDY + EXPECTED), "--shard", "1/2")
        self.assertIn("judged by poslab merge", output)
        with h5py.File(self.scratch / "study.1-of-2.h5") as file:
            self.assertEqual(list(file["expectations/verdict"][:]), [2])

    def test_shards_open_in_xarray_and_compare(self):
        study = self.study(STUDY)
        self.shards(1, study)
        full, empty = "a.1-of-1.h5", None
        for index in range(1, 10):  # of eight cells
            self.expect(0, "run", self.study(name="small.toml"), "--shard", f"{index}/9")
            with h5py.File(self.scratch / f"small.{index}-of-9.h5") as file:
                if len(file["id"]) == 0:
                    empty = f"small.{index}-of-9.h5"
                    break
        script = """
import sys, xarray
_, engine, *names = sys.argv
for name in names:
    for group in (None, "uniqueness", "expectations", "shard", "provenance"):
        with xarray.open_dataset(name, group=group, engine=engine or None) as dataset:
            dataset.load()
            if group == "shard":
                assert dataset.outcomes_end.dims == ("plan_index",), dataset
                assert dataset.sizes["outcomes_word"] == (-(-int(dataset.outcomes_end[-1]) // 8) if dataset.sizes["plan_index"] else 0)
"""
        for engine in ("", "h5netcdf", "netcdf4"):
            subprocess.run([sys.executable, "-c", script, engine, empty, full], cwd=self.scratch, check=True, timeout=120)
        self.expect(0, "run", study, "--shard", "1/2", "-o", "a.h5")
        self.assertIn("only in", self.expect(1, "compare", full, "a.1-of-2.h5"))
        self.assertIn("different", self.expect(1, "compare", "--exact", full, "a.1-of-2.h5"))
        shutil.copy(self.scratch / full, self.scratch / "first.h5")
        self.expect(0, "run", study, "--shard", "1/1", "-o", "a.h5", "--fresh", "--threads", "1")
        self.assert_equal("first.h5", full)


if __name__ == "__main__":
    unittest.main()

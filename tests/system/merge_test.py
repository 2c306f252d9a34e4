"""Shards of a run, merged, are the run; and what does not belong together is refused by name."""

import contextlib
import hashlib
import json
import os
import shutil
import sqlite3
import struct
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
from poslab_case import BUILD, SMALL_STUDY, PoslabCase

EXPECTED = """
[[expect]]
experiment = "uniqueness"
where = { scheme = "rope", length = 8 }
measure = "min_distance"
value = 1e9
tolerance = 1e-9
source = "made up"
"""

# Several experiments, curves with positions, a grid, what is skipped, what is drawn, expectations.
STUDY = """
format = 1
title = "shards – of everything"
seed = 11
[model]
d_model = 32
heads = 4
[[scheme]]
use = "sinusoidal"
[[scheme]]
use = "rope"
axes = { base = [100.0, 10000.0] }
[[scheme]]
use = "learned"
set = { max_length = 12 }
[[scheme]]
use = "swin"
positions = { grid = [4, 4] }
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = [8, 16]
[[experiment.skip]]
when = { length = 16, scheme = "sinusoidal" }
reason = "not wanted here"
[[experiment]]
use = "relative-shift"
repeats = 3
[experiment.axes]
length = [16]
""" + EXPECTED

# Two of its cells fail.
FAILING = SMALL_STUDY.replace("uniqueness", "relative-shift").replace("[[experiment]]", """
[[scheme]]
use = "toy"
set = { mode = "strange" }
[[experiment]]
repeats = 2
""", 1)
TOY = ("--plugins", BUILD / "plugins", "--plugins", BUILD / "faults/toy")


class Shards(PoslabCase):
    def shards(self, count, study, *options, output="a.h5", code=0):
        """Performs them, two at a time, and returns the names of their files."""
        def perform(index):
            return self.expect(code, "run", study, "--shard", f"{index}/{count}", "-o", output, *options)
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(perform, range(1, count + 1)))
        return [output.replace(".h5", f".{index}-of-{count}.h5") for index in range(1, count + 1)]

    def merge(self, code, *arguments, output="merged.h5"):
        return self.expect(code, "merge", "-o", output, *arguments)

    def refusals(self, *arguments):
        """What a merge says that must be refused: its lines."""
        output = self.merge(2, *arguments)
        self.assertFalse((self.scratch / "merged.h5").exists())
        self.assertIn("these files cannot be merged", output)
        return [line.strip() for line in output.splitlines()[1:]]

    def assert_equal(self, first, second):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", first, second))


def table_of(output):
    """The answers and expectations that a run or a merge ends with."""
    return output[:output.index("\nin full, with reasons")]


class Equality(Shards):
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
        (self.scratch / first).rename(self.scratch / "zzz.h5")
        self.merge(0, second, "zzz.h5")
        self.assert_equal("whole.h5", "merged.h5")
        self.merge(0, second, "zzz.h5", "./zzz.h5")  # over its own earlier file; one file named twice is one

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
            self.assertEqual(json.loads(file["provenance/command_line"].asstr()[()])[:2], ["poslab", "merge"])
            self.assertNotIn("shard", file)


    def test_processors_of_all_attempts_are_told(self):
        """One shard was begun on another processor, stopped and finished here."""
        files = self.shards(2, self.study())
        with contextlib.closing(sqlite3.connect(self.scratch / f"{files[1]}.journal")) as journal:
            journal.execute("UPDATE cells SET host = 'node\"1\"', processor = 'Abacus 9' WHERE number = 1")
            journal.commit()
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "a.h5")
        with h5py.File(self.scratch / files[1]) as file:
            machines = json.loads(file["provenance/machines"].asstr()[()])
            self.assertEqual(sorted(machine["host"] == 'node"1"' for machine in machines), [False, True])
            self.assertEqual(sum(machine["cells"] for machine in machines), len(file["id"]))
        self.assertRegex(self.merge(0, *files), "these shards were made on different processors.*Abacus 9")
        with h5py.File(self.scratch / "merged.h5") as file:
            self.assertIn("Abacus 9", json.loads(file["provenance/shards"].asstr()[()])[1]["machines"])
        self.expect(0, "run", "study.toml", "--shard", "2/2", "-o", "a.h5", "--fresh")
        self.assertNotIn("processors", self.merge(0, *files))


class Running(Shards):
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
                assert dataset.outcomes_end.dims == ("place",), dataset
                assert dataset.sizes["outcomes_word"] == (-(-int(dataset.outcomes_end[-1]) // 8) if dataset.sizes["place"] else 0)
"""
        for engine in ("", "h5netcdf", "netcdf4"):
            subprocess.run([sys.executable, "-c", script, engine, empty, full], cwd=self.scratch, check=True, timeout=120)
        self.expect(0, "run", study, "--shard", "1/2", "-o", "a.h5")
        self.assertIn("only in", self.expect(1, "compare", full, "a.1-of-2.h5"))
        self.assertIn("different", self.expect(1, "compare", "--exact", full, "a.1-of-2.h5"))
        shutil.copy(self.scratch / full, self.scratch / "first.h5")
        self.expect(0, "run", study, "--shard", "1/1", "-o", "a.h5", "--fresh", "--threads", "1")
        self.assert_equal("first.h5", full)


# What the packed records look like, so that a test can change them: core/base/pack_bytes.hpp.
class Records:
    def __init__(self, path, name):
        self.file, self.name = h5py.File(path, "r+"), name

    def __enter__(self):
        data, ends = self.file[f"shard/{self.name}_words"][:].astype("<u8").tobytes(), list(self.file[f"shard/{self.name}_end"][:])
        self.items = [data[a:b] for a, b in zip([0] + ends, ends)]
        return self.items

    def __exit__(self, *_):
        del self.file[f"shard/{self.name}_words"]
        data = b"".join(self.items)
        self.file[f"shard/{self.name}_words"] = np.frombuffer(data + bytes(-len(data) % 8), "<u8")
        self.file[f"shard/{self.name}_end"][...] = [sum(map(len, self.items[:i + 1])) for i in range(len(self.items))]
        self.file.close()


def sealed(record):
    return hashlib.sha256(record[16:]).hexdigest()[:16].encode() + record[16:]


def with_text(record, name, text):
    """Of a packed header: another text of that name."""
    at = record.index(name.encode()) + len(name) + 8
    size = struct.unpack_from("<Q", record, at)[0]
    return sealed(record[:at] + struct.pack("<Q", len(text)) + text.encode() + record[at + 8 + size:])


def with_another_version(record):
    """Of a packed scheme or experiment, whose first texts are id and, at once or after its title, the version."""
    at = 18
    for _ in range(1 if record[16:17] == b"E" else 2):
        at += 8 + struct.unpack_from("<Q", record, at)[0]
    size = struct.unpack_from("<Q", record, at)[0]
    return sealed(record[:at] + struct.pack("<Q", 2) + b"99" + record[at + 8 + size:])


class Refusals(Shards):
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
            outcomes[1] = sealed(outcomes[1][:-3] + b"\x05" + outcomes[1][-2:])
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
            outcomes[1] = outcomes[1][:60] + bytes([outcomes[1][60] ^ 4]) + outcomes[1][61:]
        lines = self.refusals(self.first, self.second)
        self.assertEqual(len(lines), 1)
        with h5py.File(self.other) as file:
            variant = file["variant"].asstr()[1]
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

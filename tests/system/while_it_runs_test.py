"""What comes from outside while a run is in its last cell: a reader that goes away, a kill, Ctrl-C, another program's results; and what then
becomes of the studies behind it."""

import contextlib
import os
import sqlite3
import subprocess
import time
import unittest

import h5py
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase

OTHER = SMALL_STUDY.replace("[8, 16]", "[9]")
GATED = """
format = 1
title = "gated"
[model]
d_model = 8
heads = 2
[[scheme]]
use = "toy"
[[experiment]]
use = "norm-preservation"
repeats = 1
[experiment.axes]
length = [4, 5, 6]
"""


class GateCase(PoslabCase):
    def at_the_gate(self, *words):
        """A run of these words, of which first.toml is one, in the last of its three cells."""
        (self.scratch / "1").touch()
        self.study(GATED, "first.toml")
        (self.scratch / "1.reached").unlink(missing_ok=True)
        run = subprocess.Popen([BINARY, "run", *words, "--threads", "1", "--plugins", str(BUILD / "faults/waits_at_a_gate")],
                               cwd=self.scratch, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               env=os.environ | {"POSLAB_TEST_GATE": str(self.scratch), "SLURM_ARRAY_TASK_ID": "1"})
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        while not (self.scratch / "1.reached").exists():
            self.assertIsNone(run.poll(), "it ended before its last cell")
            time.sleep(0.01)
        return run

    def open_gate(self):
        (self.scratch / "1").unlink()


class Readers(GateCase):
    def test_a_reader_that_goes_away_does_not_end_a_run(self):
        for interrupted in (False, True):
            with self.subTest(interrupted=interrupted):
                run = self.at_the_gate("first.toml", "--fresh")
                run.stdout.close()
                if interrupted:  # as Ctrl-C under `| tee log`, which ends both: it is said that the run stops, and nobody reads it
                    run.send_signal(2)
                    time.sleep(0.5)
                self.open_gate()
                self.assertEqual(run.wait(timeout=120), 0)  # it was in its last cell
                self.assertIn("3 cells ok", self.expect(0, "summary", "first.h5"))


class Fresh(GateCase):
    def test_a_fresh_run_that_is_killed_goes_on_where_another_study_had_its_results(self):
        self.expect(0, "run", self.study(), "-o", "a.h5")
        (self.scratch / "link.h5").symlink_to("a.h5")
        run = self.at_the_gate("first.toml", "-o", "link.h5", "--fresh")
        run.kill()
        run.wait()
        self.assertFalse((self.scratch / "a.h5").exists())
        self.assertTrue((self.scratch / "link.h5").is_symlink())
        self.open_gate()
        self.expect(0, "run", "first.toml", "-o", "link.h5", "--plugins", BUILD / "faults/waits_at_a_gate")
        self.assertIn("3 cells ok", self.expect(0, "summary", "a.h5"))


class Shards(GateCase):
    def test_a_shard_is_merged_in_part_while_it_runs_and_after_it_was_killed(self):
        run = self.at_the_gate("first.toml", "-o", "s.h5", "--shard", "1/1")
        time.sleep(1)  # what is done is on disk within half a second
        said = self.expect(2, "merge", "-o", "m.h5", "s.1-of-1.h5")
        self.assertRegex(said, r"s.1-of-1.h5: is not finished: 1 of its 3 cells did not run .*, and another process is at it, process \d+ on ")
        self.assertIn("partial: 2 of 3 cells", self.expect(3, "merge", "-o", "m.h5", "s.1-of-1.h5", "--partial"))
        run.kill()
        run.wait()
        self.assertNotIn("another process", self.expect(2, "merge", "-o", "m.h5", "s.1-of-1.h5"))
        self.assertIn("partial: 2 of 3 cells", self.expect(3, "merge", "-o", "m.h5", "s.1-of-1.h5", "--partial"))
        self.open_gate()
        plugins = ("--plugins", BUILD / "faults/waits_at_a_gate")
        self.assertIn("2 of 3 cells are kept", self.expect(0, "run", "first.toml", "-o", "s.h5", "--shard", "1/1", *plugins))
        self.expect(0, "merge", "-o", "m.h5", "s.1-of-1.h5")
        self.expect(0, "run", "first.toml", *plugins)
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "first.h5", "m.h5"))


class SeveralStudies(GateCase):
    def test_nothing_runs_if_one_of_them_is_wrong(self):
        self.study(SMALL_STUDY.replace("rope", "rop"), "wrong.toml")
        self.assertIn('did you mean "rope"', self.expect(2, "run", self.study(), "wrong.toml"))
        self.assertEqual(list(self.scratch.glob("*.h5*")), [])

    def test_two_that_would_write_one_file_are_refused(self):
        (self.scratch / "q").mkdir()
        self.study(OTHER, "q/study.toml")
        self.assertIn("would both write study.h5", self.expect(2, "run", self.study(), "q/study.toml"))
        self.assertEqual(list(self.scratch.glob("*.h5*")), [])

    def test_one_that_cannot_be_performed_is_the_last_and_the_rest_is_named(self):
        for name, length in (("first", 8), ("second", 9), ("third", 10)):
            self.study(SMALL_STUDY.replace("[8, 16]", f"[{length}]"), f"{name}.toml")
        with contextlib.closing(sqlite3.connect(self.scratch / "second.h5.journal")) as somebodys:
            somebodys.execute("CREATE TABLE notes (text)")
            somebodys.commit()
        said = self.expect(2, "run", "first.toml", "second.toml", "third.toml")
        self.assertIn("second.h5.journal", said)
        self.assertIn("third.toml was not begun", said)
        self.assertEqual([path.name for path in self.scratch.glob("*.h5")], ["first.h5"])

    def test_what_another_program_writes_while_the_first_runs_is_not_replaced(self):
        run = self.at_the_gate("first.toml", self.study(SMALL_STUDY, "second.toml").name)
        self.expect(0, "run", self.study(OTHER, "other.toml"), "--shard", "1/1", "-o", "o.h5")
        self.expect(0, "merge", "o.1-of-1.h5", "-o", "second.h5")
        before = (self.scratch / "second.h5").read_bytes()
        self.open_gate()
        said = run.communicate(timeout=120)[0]
        self.assertEqual(run.returncode, 75, said)
        self.assertIn("second.h5: another program has written this file since", said)
        self.assertIn("3 cells ok", said)
        self.assertEqual((self.scratch / "second.h5").read_bytes(), before)
        self.assertIn("holds the results of another study", self.expect(2, "run", "second.toml"))

    def test_ctrl_c_in_the_last_cell_of_one_ends_the_command(self):
        self.study(GATED, "second.toml")
        run = self.at_the_gate("first.toml", "second.toml")
        run.send_signal(2)
        self.open_gate()
        said = run.communicate(timeout=120)[0]
        self.assertEqual(run.returncode, 130, said)
        self.assertIn("3 cells ok", said)
        self.assertRegex(said, r"second\.toml was not begun")
        self.assertFalse((self.scratch / "second.h5").exists())

    def test_fail_fast_leaves_the_rest_and_says_so(self):
        toys = ["--plugins", BUILD / "faults/toy", "--threads", "1"]
        failing = GATED.replace('use = "toy"', 'use = "toy"\nset = { mode = "gives_nan" }')
        self.study(failing, "failing.toml")
        self.study(GATED, "good.toml")
        said = self.expect(4, "run", "failing.toml", "good.toml", "--fail-fast", *toys)
        self.assertIn("stopped at the first failed cell, with 2 of 3 left", said)
        self.assertIn("good.toml was not begun", said)
        with h5py.File(self.scratch / "failing.h5") as file:
            self.assertEqual(int(file.attrs["complete"]), 0)
        self.expect(3, "run", "failing.toml", *toys)
        self.study(failing.replace("[4, 5, 6]", "[4]"), "one.toml")
        self.expect(3, "run", "one.toml", "--fail-fast", *toys)  # nothing was left



if __name__ == "__main__":
    unittest.main()

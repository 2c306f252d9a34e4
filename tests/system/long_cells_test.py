"""Long cells lose nothing: killed, crashed and hanging ones go on from their last checkpoint, and end with the same bits. The cells
are those of an experiment that only tests have (tests/long): its walk tells every step to a pipe."""

import json
import os
import shutil
import signal
import subprocess
import time
import unittest

from named_pipe import NamedPipe
from poslab_case import BUILD, PoslabCase
from survival import children_of, stored_checkpoints, wait_until_alone

PROGRAM = BUILD / "tests/poslab-long"
PLUGINS = ["--plugins", BUILD / "plugins"]
STUDY = """
format = 1
title = "long cells"
seed = 3
[model]
d_model = 8
heads = 4
[[scheme]]
use = "none"
[[experiment]]
use = "counts-steps"
[experiment.axes]
walk = [1, 2]
"""


class Steps(NamedPipe):
    """To which every cell writes each of its steps."""

    def read(self):
        """[(process, walk, step)] since the last call of `forget`."""
        self.receive()
        return [tuple(map(int, line.split())) for line in self.text.splitlines(keepends=True) if line.endswith("\n")]

    def of(self, walk):
        return [step for _, its_walk, step in self.read() if its_walk == walk]

    def forget(self):
        self.read()
        self.text = ""


class LongCells(PoslabCase):
    def setUp(self):
        super().setUp()
        self.steps = Steps(self.scratch / "steps")
        self.addCleanup(self.steps.close)

    def long_study(self, **axes):
        values = {key: json.dumps(value) for key, value in axes.items()}
        return self.study(STUDY + "".join(f"{key} = {value}\n" for key, value in values.items()))

    def words(self, study, output, *options):
        between = [] if "--checkpoint" in options else ["--checkpoint", "0"]
        return ["run", study, "-o", output, *PLUGINS, *between, *options]

    def run_long(self, code, study, output, *options, program=PROGRAM):
        return self.expect(code, *self.words(study, output, *options), binary=program,
                           environment={"POSLAB_TEST_STEPS": str(self.steps.path)})

    def begin(self, study, output, *options):
        run = subprocess.Popen([PROGRAM, *map(str, self.words(study, output, *options))], cwd=self.scratch, stdout=subprocess.PIPE,
                               stderr=subprocess.STDOUT, text=True, env=os.environ | {"POSLAB_TEST_STEPS": str(self.steps.path)})
        self.addCleanup(run.stdout.close)
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def wait_for_step(self, step, run, walks=2):
        """Until so many cells have taken this step."""
        end = time.monotonic() + 60
        while sum(max(self.steps.of(walk), default=0) >= step for walk in (1, 2)) < walks and time.monotonic() < end:
            self.assertIsNone(run.poll())
            time.sleep(0.005)
        self.assertLess(time.monotonic(), end, self.steps.text)

    def stored(self):
        """How far the checkpoints on disk are, by their steps."""
        return stored_checkpoints(self.scratch / "a.h5")

    def kill_after(self, step, run, cells=2):
        """Kills a run once so many cells have stored a checkpoint of this step or a later one."""
        end = time.monotonic() + 60
        while sum(done >= step for done in self.stored()) < cells:
            self.assertIsNone(run.poll(), "it is over")
            self.assertLess(time.monotonic(), end, self.steps.text)
        self.kill(run)

    def kill(self, run):
        run.kill()
        run.wait()
        self.assertEqual(wait_until_alone(self.scratch), {})

    def expect_same_bits(self, output):
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "undisturbed.h5", output))

    def names(self):
        return sorted(path.name for path in self.scratch.glob("a.h5*"))

    def test_a_run_killed_in_mid_cell_goes_on_from_there_with_the_same_bits(self):
        study = self.long_study(steps=200, milliseconds=10)
        self.run_long(0, study, "undisturbed.h5")
        self.assertEqual(self.steps.of(1), list(range(1, 201)))
        for options in (["--threads", "2"], ["--threads", "2", "--in-process"], ["--threads", "2", "--workers", "2"], ["--threads", "1"]):
            with self.subTest(options):
                for step, earlier in ((20, 0), (60, 20), (100, 60)):
                    self.steps.forget()
                    run = self.begin(study, "a.h5", *options)
                    self.kill_after(step, run, 1 if "1" in options else 2)
                    self.assertGreater(self.steps.of(1)[0], earlier)
                    self.assertEqual(self.steps.of(1)[0] == 1, earlier == 0)
                self.assertIn("a.h5.journal-checkpoints", self.names())
                self.steps.forget()
                said = self.run_long(0, study, "a.h5", *options)
                self.assertRegex(said, r"no cell was finished, but [12] of 2 cells goe?s? on from")
                self.assertNotIn("was empty", said)
                self.assertGreater(self.steps.of(1)[0], 100)
                self.assertEqual(self.steps.of(1)[-1], 200)
                self.expect_same_bits("a.h5")
                self.assertEqual(self.names(), ["a.h5", "a.h5.journal"], "checkpoints go with their cells")
                for name in self.names():
                    (self.scratch / name).unlink()

    def test_an_interrupt_keeps_what_there_is_and_ends(self):
        study = self.long_study(steps=1000, milliseconds=5)
        self.run_long(0, study, "undisturbed.h5")
        for told, options in ((signal.SIGINT, ["--threads", "1"]), (signal.SIGTERM, ["--threads", "2"]), (signal.SIGTERM, ["--threads", "2", "--in-process"])):
            with self.subTest([told, *options]):
                self.steps.forget()
                run = self.begin(study, "a.h5", "--checkpoint", "3600", *options)
                walks = 2 if "2" in options else 1
                self.wait_for_step(20, run, walks)
                run.send_signal(told)
                said = run.communicate(timeout=120)[0]
                self.assertEqual(run.returncode, 130, said)
                lasts = sorted(max(self.steps.of(walk), default=0) for walk in (1, 2))[2 - walks:]
                self.assertLess(max(lasts), 1000, "it waited for the whole cell")
                self.assertEqual(sorted(self.stored()), lasts, "not all that was done was kept")
                self.steps.forget()
                self.run_long(0, study, "a.h5", *options)
                self.assertIn(min(self.steps.of(1)), [1, *(last + 1 for last in lasts)])
                self.expect_same_bits("a.h5")
                for name in self.names():
                    (self.scratch / name).unlink()

    def test_an_interrupt_does_not_wait_for_the_end_of_a_step(self):
        study = self.long_study(steps=60, milliseconds=2, at=30, trouble="hangs")
        run = self.begin(study, "a.h5", "--threads", "2")
        self.wait_for_step(30, run)
        run.send_signal(signal.SIGTERM)
        said = run.communicate(timeout=120)[0]
        self.assertEqual(run.returncode, 130, said)
        self.assertEqual(self.stored(), [29, 29])

    def test_a_worker_that_somebody_stops_costs_its_cell_nothing(self):
        study = self.long_study(steps=200, milliseconds=5)
        self.run_long(0, study, "undisturbed.h5")
        self.steps.forget()
        run = self.begin(study, "a.h5", "--threads", "1", "--cell-time", "1")
        self.wait_for_step(20, run, walks=1)
        for worker in children_of(run.pid):
            os.kill(worker, signal.SIGSTOP)
        said = run.communicate(timeout=120)[0]
        self.assertEqual(run.returncode, 0, said)
        self.assertEqual(self.steps.of(1).count(1), 1)
        self.expect_same_bits("a.h5")

    def test_a_killed_worker_costs_its_cells_nothing_but_the_last_steps(self):
        study = self.long_study(steps=150, milliseconds=5, kibibytes=3000)
        self.run_long(0, study, "undisturbed.h5")
        self.steps.forget()
        run = self.begin(study, "a.h5", "--threads", "2")
        struck = []
        for last in (40, 90):
            self.wait_for_step(last, run)
            struck += [worker for worker in children_of(run.pid) if not os.kill(worker, signal.SIGKILL)]
        self.assertEqual(run.wait(120), 0, run.stdout.read())
        self.assertGreaterEqual(len(struck), 2, "it proves nothing")
        for walk in (1, 2):
            steps = self.steps.of(walk)
            self.assertEqual(steps.count(1), 1, steps)
            self.assertLess(len(steps), 150 + 20, "few are taken twice: the host has what it was last told")
        self.expect_same_bits("a.h5")
        self.assertEqual(self.names(), ["a.h5", "a.h5.journal"])

    def test_a_crash_beside_it_or_its_own_is_survived_once(self):
        study = self.long_study(steps=60, milliseconds=2, at=30)
        self.run_long(0, study, "undisturbed.h5")
        for trouble in ("crashes_once", "hangs_once"):
            with self.subTest(trouble):
                self.steps.forget()
                troubled = self.long_study(steps=60, milliseconds=2, at=30, trouble=trouble)
                # Two cells in one worker: when it ends, both are suspects, and go on alone.
                self.assertIn("2 cells ok", self.run_long(0, troubled, f"{trouble}.h5", "--threads", "2", "--cell-time", "3"))
                for walk in (1, 2):
                    self.assertEqual(self.steps.of(walk).count(1), 1)
                self.assertEqual(self.places(f"{trouble}.h5"), self.places("undisturbed.h5"))

    def test_a_cell_that_crashes_again_and_again_is_recorded_and_begins_anew_in_the_next_run(self):
        study = self.long_study(steps=60, milliseconds=2, at=30, trouble="crashes")
        self.assertIn("died of SIGSEGV", self.run_long(3, study, "a.h5"))
        self.assertLessEqual(len(self.steps.of(1)), 62)
        self.assertEqual(self.names(), ["a.h5", "a.h5.journal"])
        self.steps.forget()
        self.run_long(3, study, "a.h5")
        self.assertEqual(self.steps.of(1)[0], 1)

    def test_the_time_limit_is_one_without_progress(self):
        study = self.long_study(steps=100, milliseconds=60)
        self.assertIn("2 cells ok", self.run_long(0, study, "slow.h5", "--cell-time", "3"))
        study = self.long_study(steps=100, milliseconds=2, at=20, trouble="hangs")
        said = self.run_long(3, study, "a.h5", "--cell-time", "1")
        self.assertIn("made no progress for 1 s (--cell-time); it had said: step 19 of 100", said)
        self.assertIn("timeout: counts-steps of none", said)

    def test_only_the_same_code_goes_on_and_fresh_begins_anew(self):
        study = self.long_study(steps=200, milliseconds=10)
        other = self.scratch / "poslab-other"
        shutil.copy(PROGRAM, other)
        with other.open("ab") as file:
            file.write(b"built once more")
        for program, option, first in ((PROGRAM, [], False), (other, [], True), (PROGRAM, ["--fresh"], True)):
            with self.subTest([program, *option]):
                run = self.begin(study, "a.h5", "--fresh", "--threads", "2")
                self.kill_after(50, run)
                self.steps.forget()
                plan = self.expect(0, *self.words(study, "a.h5", *option, "--plan", "--verbose"), binary=program)
                self.assertEqual("2 cells of these go on from a checkpoint" in plan, not first)
                self.assertEqual("goes on from a checkpoint: step " in plan, not first)
                self.assertEqual("is of another program" in plan, program == other)
                said = self.run_long(0, study, "a.h5", *option, program=program)
                self.assertEqual("no cell was finished, but 2 of 2 cells go on from their checkpoints" in said, not first)
                self.assertEqual(self.steps.of(1)[0] == 1, first)
                self.steps.forget()

    def test_status_says_how_far_they_are(self):
        study = self.long_study(steps=300, milliseconds=5)
        run = self.begin(study, "a.h5", "--threads", "2")
        self.wait_for_step(20, run)
        while "has a checkpoint" not in (said := self.expect(4, "status", "a.h5")):
            self.assertIsNone(run.poll())
        self.assertRegex(said, r"  counts-steps of none has a checkpoint: step \d+ of 300, place")
        self.kill(run)
        found = json.loads(self.expect(4, "status", "a.h5", "--json"))["journals"][0]["checkpoints"]
        self.assertEqual(sorted(entry["variant"] for entry in found), ["none", "none"])
        self.assertEqual([entry["total"] for entry in found], [300, 300])

    def test_it_says_what_is_wrong_with_the_option(self):
        study = self.long_study()
        for wrong in ("-1", "nan", "7200"):
            self.assertIn("--checkpoint is", self.expect(2, "run", study, "--checkpoint", wrong, binary=PROGRAM))

    def places(self, output):
        """Where the walks end, by poslab's own table."""
        done = subprocess.run([PROGRAM, "summary", output], cwd=self.scratch, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split()[-1] for line in done.stdout.splitlines() if line.split()[:1] == ["none"]]


if __name__ == "__main__":
    unittest.main()

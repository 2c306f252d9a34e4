"""What the scripts of poslab submit do when Slurm would run them: with what earlier ones have left, and however poslab ends. Slurm itself is
in slurm_test.py."""

import os
import signal
import subprocess
import time
from pathlib import Path

from poslab_case import BINARY, SMALL_STUDY
from submit_case import SubmitCase, run_as_slurm, run_job


class WhatIsThereAlready(SubmitCase):
    def test_the_merge_takes_only_what_tasks_of_its_submission_have_begun(self):
        study = self.study()
        calls, _ = self.submit(study, "--tasks", "2")
        run_as_slurm(calls, self.scratch)
        results = self.scratch / "study.h5"
        before = results.read_bytes()
        study.write_text(SMALL_STUDY.replace("[8, 16]", "[8, 16, 32]"))
        (task, merge), _ = self.submit(study, "--tasks", "2", record="again")
        code, said = run_job(merge, self.scratch)  # both tasks were cancelled
        self.assertEqual(code, 2, said)
        self.assertIn("left out: 2 of an earlier submission", said)
        self.assertIn("no task has left a journal", said)
        self.assertEqual(run_job(task, self.scratch, 2)[0], 0)
        code, said = run_job(merge, self.scratch)  # one was
        self.assertEqual(code, 2, said)
        self.assertIn("merging 1 of 2 shards", said)
        self.assertIn("study.1-of-2.h5", said)
        self.assertEqual(results.read_bytes(), before)
        self.assertEqual(run_job(task, self.scratch, 1)[0], 0)
        code, said = run_job(merge, self.scratch)
        self.assertEqual(code, 0, said)
        self.assertNotIn("left out", said)
        self.expect(0, "run", study, "-o", "single.h5")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "study.h5", "single.h5"))

    def test_the_copy_of_an_earlier_submission_can_be_submitted(self):
        calls, _ = self.submit(self.study(), "--tasks", "1", "-o", "a.h5")
        run_as_slurm(calls, self.scratch)
        again = ["study.toml", "--tasks", "1", "-o", "../a.h5"]
        calls, _ = self.submit(*again, record="again", cwd=self.scratch / "a.h5.slurm")
        self.assertEqual(run_job(calls[1], self.scratch)[0], 2)
        run_as_slurm(calls, self.scratch)
        printed = self.poslab("submit", *again, "--dry-run", cwd=self.scratch / "a.h5.slurm")
        self.assertEqual(printed.returncode, 0, printed.stderr)
        subprocess.run(["bash", "-s"], input=printed.stdout, text=True, env=self.environment("printed"), check=True, capture_output=True)
        self.assertEqual(self.recorded("printed"), calls)
        self.assertEqual(run_job(calls[1], self.scratch)[0], 2)

    def test_shards_of_another_study_are_refused_before_anything_is_submitted(self):
        other = self.study(SMALL_STUDY.replace("[8, 16]", "[9]"), "other.toml")
        self.expect(0, "run", other, "--shard", "1/1", "-o", "a.h5")
        before = (self.scratch / "a.1-of-1.h5.journal").read_bytes()
        calls, said = self.submit(self.study(), "--tasks", "1", "-o", "a.h5", code=2)
        self.assertIn("a.1-of-1.h5.journal: holds the results of another study", said)
        self.assertEqual(calls, [])
        self.assertEqual((self.scratch / "a.1-of-1.h5.journal").read_bytes(), before)
        self.expect(0, "run", "study.toml", "--shard", "1/1", "-o", "b.h5")
        self.submit("study.toml", "--tasks", "1", "-o", "b.h5", record="own")

    def test_the_name_of_a_shard_is_too_long(self):
        longest = os.pathconf(self.scratch, "PC_NAME_MAX") - len(".journal-checkpoints-journal")
        calls, said = self.submit(self.study(), "--tasks", "10", "-o", "a" * (longest - len(".h5")) + ".h5", code=2)
        self.assertIn("its name is too long by 9 bytes", said)  # .10-of-10
        self.assertEqual(calls, [])


class Endings(SubmitCase):
    """What becomes of a task, by how poslab ends: here a stand-in that ends as it is told."""

    def setUp(self):
        super().setUp()
        self.stand_in = self.program("poslab", """#!/bin/bash
echo "$@" >>"$RECORD/calls"
turn=$(wc -l <"$RECORD/calls")
codes=($CODES)
code=${codes[turn - 1]}
if [[ $code == wait* ]]; then
  trap 'echo TERM >>"$RECORD/signals"; [[ $code == wait-long ]] || exit 130; trap - TERM' TERM
  touch "$RECORD/waiting"
  while true; do sleep 0.05; done
fi
((code > 128)) && kill -$((code - 128)) $$
exit "$code"
""")
        self.program("scontrol", """#!/bin/bash
echo "$@" >>"$RECORD/scontrol"
exit "${SCONTROL:-0}"
""")
        calls, _ = self.submit(self.study(), "--tasks", "40", "--time", "0:04", "--cpus", "2", "--restarts", "2")
        self.script = calls[0]["script"]
        self.change(f"run=({Path(BINARY).resolve()} ", f"run=({self.stand_in} ")
        self.change("sleep 5 &", "sleep 0.2 &")

    def task(self, codes, **more):
        """Starts task 7 of array 41."""
        self.record = f"ending {codes} {more}"
        environment = self.environment(self.record, CODES=codes, SLURM_JOB_ID="47", SLURM_ARRAY_JOB_ID="41",
                                       SLURM_ARRAY_TASK_ID="7", SLURM_CPUS_PER_TASK="2", **more)
        return subprocess.Popen(["bash", "-c", self.script], env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def noted(self, name):
        path = self.scratch / self.record / name
        return path.read_text().splitlines() if path.exists() else []

    def ends(self, task, code, sentence, requeued=False):
        output, _ = task.communicate(timeout=60)
        self.assertEqual(task.returncode, code, output)
        self.assertIn(sentence, output)
        self.assertEqual(self.noted("scontrol"), ["requeue 41_7"] if requeued else [], output)

    def test_what_is_done_is_not_done_again(self):
        self.ends(self.task("0"), 0, "shard 7/40: done")
        self.ends(self.task("3"), 3, "some cells have no result")
        self.ends(self.task("2"), 2, "what is wrong is put right")
        self.assertIn("-o", self.noted("calls")[0])
        self.assertTrue(self.noted("calls")[0].endswith("--shard 7/40 --threads 2"))

    def test_what_was_killed_goes_back_into_the_queue_but_not_for_ever(self):
        for code, sentence in (("137", "killed by SIGKILL"), ("139", "killed by SIGSEGV"), ("130", "interrupted"), ("127", "does not start"),
                               ("126", "does not start"), ("4", "stopped before the end")):
            self.ends(self.task(code), 0, sentence, requeued=True)
        self.ends(self.task("137", SLURM_RESTART_COUNT="1"), 0, "try 2", requeued=True)
        self.ends(self.task("137", SLURM_RESTART_COUNT="2"), 137, "try 3, the last")
        self.ends(self.task("137", SCONTROL="1"), 137, "does not take it back", requeued=True)

    def test_time_and_end(self):
        for number, code, sentence, requeued in ((signal.SIGUSR1, 0, "time is nearly up", True), (signal.SIGTERM, 130, "told to end", False)):
            task = self.task("wait", TURN=number.name)
            self.when_waiting(task, number)
            self.ends(task, code, sentence, requeued)
            self.assertEqual(self.noted("signals"), ["TERM"])

    def test_a_cell_that_does_not_end_is_left(self):
        task = self.task("wait-long")
        self.when_waiting(task, signal.SIGUSR1)
        self.ends(task, 0, "time is nearly up", requeued=True)
        self.assertEqual(self.noted("signals"), ["TERM"])  # the second one ended it

    def when_waiting(self, task, number):
        while not (self.scratch / self.record / "waiting").exists():
            self.assertIsNone(task.poll())
            time.sleep(0.02)
        os.kill(task.pid, number)

    def test_a_shard_that_another_process_holds_is_waited_for(self):
        self.ends(self.task("75 75 0"), 0, "done")
        self.assertEqual(len(self.noted("calls")), 3)

    def change(self, old, new):
        self.assertIn(old, self.script)
        self.script = self.script.replace(old, new)

    def test_but_not_for_ever(self):
        self.change("SECONDS < 3600", "SECONDS < 1")  # an hour of this test
        self.ends(self.task("75 " * 9), 0, "another process is still at it", requeued=True)
        self.ends(self.task("75 " * 9, SLURM_RESTART_COUNT="2"), 75, "try 3, the last")

    def test_memory_is_what_slurm_gives(self):
        self.ends(self.task("0", SLURM_MEM_PER_NODE="1000"), 0, "done")
        self.assertIn("--memory 800MiB", self.noted("calls")[0])
        self.ends(self.task("0", SLURM_MEM_PER_CPU="500"), 0, "done")
        self.assertIn("--memory 800MiB", self.noted("calls")[0])

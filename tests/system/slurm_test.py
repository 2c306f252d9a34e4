"""A real Slurm on this machine: a study over job arrays whose tasks and node are killed, and which ends as a single run does."""

import contextlib
import os
import re
import signal
import sqlite3
import unittest
import urllib.parse

import slurm_fixture
from poslab_case import BUILD, PoslabCase
from slurm_fixture import Processes, Slurm

# Its scheme waits, in the midst of a task, for as long as the test wants.
STUDY = """
format = 1
title = "gates"
[model]
d_model = 16
heads = 2
[[scheme]]
use = "toy"
axes = { gain = [0.5, 1.0, 2.0] }
[[experiment]]
use = "norm-preservation"
[experiment.axes]
length = [4, 8, 16]
"""


class OnACluster(PoslabCase):
    @classmethod
    def setUpClass(cls):
        if reason := slurm_fixture.why_not():
            raise unittest.SkipTest(reason)
        cls.slurm = cls.enterClassContext(Slurm())

    def setUp(self):
        super().setUp()
        self.gates = self.scratch / "gates"
        self.gates.mkdir()
        self.folder = self.scratch / "it's \"$HOME\" 100%a"  # what Slurm, too, shall not read as its own
        self.folder.mkdir()
        study = self.study(STUDY, self.folder / "gates.toml")
        self.words = [study, "--plugins", BUILD / "faults" / "waits_at_a_gate", "-o", self.folder / "a.h5"]

    def submit(self, *arguments):
        """The numbers of the array and of the merge job."""
        environment = self.slurm.environment | {"POSLAB_TEST_GATE": str(self.gates)}
        output = self.expect(0, "submit", *self.words, *arguments, environment=environment)
        return re.findall(r"^job (\d+):", output, re.MULTILINE)

    def wait_for(self, what, condition):
        try:
            return slurm_fixture.wait_for(what, condition)
        except AssertionError as failure:
            raise AssertionError(f"{failure}\n{self.everything_said()}") from None

    def close_gate(self, *tasks):
        for task in tasks:
            (self.gates / str(task)).touch()

    def open_gate(self, task):
        (self.gates / str(task)).unlink()

    def wait_at_gate(self, task):
        self.wait_for(f"task {task} at its gate", (self.gates / f"{task}.reached").exists)

    def done_cells(self, shard):
        """How many cells are in the journal of a shard, like "1-of-8"."""
        path = urllib.parse.quote(str(self.folder / f"a.{shard}.h5.journal"))
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as journal:
            return journal.execute("SELECT count(*) FROM cells").fetchone()[0]

    def log(self, name):
        path = self.folder / "a.h5.slurm" / f"{name}.log"
        return path.read_text() if path.exists() else ""

    def wait_for_log(self, name, words):
        self.wait_for(f"\"{words}\" in {name}.log", lambda: words in self.log(name))

    def is_waiting(self, job, task):
        return self.slurm.states(job).get(str(task), "").startswith("PENDING BeginTime")

    def let_start(self, job, *tasks):
        """Slurm makes a task that it took back wait for two minutes. We need only let the second pass in which its old
        credential was revoked."""
        for task in tasks:
            self.slurm.run("scontrol", "update", f"jobid={job}_{task}", "starttime=now+2")

    def end_of(self, job):
        """State and exit code of a job without tasks, once it has ended."""
        self.wait_for(f"the end of job {job}", lambda: self.slurm.facts(job)["JobState"] not in ("PENDING", "RUNNING", "COMPLETING"))
        facts = self.slurm.facts(job)
        return facts["JobState"], facts["ExitCode"]

    def is_as_a_single_run(self):
        self.expect(0, "run", *self.words[:-1], self.scratch / "single.h5")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", self.folder / "a.h5", self.scratch / "single.h5"))

    def everything_said(self):
        logs = sorted((self.folder / "a.h5.slurm").glob("*.log"))
        return "\n".join(f"--- {path.name}\n{path.read_text()}" for path in logs) + self.slurm.logs()

    def test_tasks_and_node_are_killed(self):
        slurm = self.slurm
        self.close_gate(1, 2)
        job, merge = self.submit("--tasks", "8", "--cpus", "1", "--memory", "300MiB")
        self.wait_at_gate(1)
        self.wait_at_gate(2)
        self.assertIn("Dependency", str(slurm.states(merge)))
        self.wait_for("cells of task 1 in its journal", lambda: self.done_cells("1-of-8") > 0)

        for pid in slurm.job_processes("--shard 1/8"):
            os.kill(pid, signal.SIGKILL)
        self.wait_for("task 1 in the queue again", lambda: self.is_waiting(job, 1))
        self.assertIn("killed by SIGKILL; back into the queue", self.log("1-of-8"))
        self.open_gate(1)

        slurm.kill_node()
        survivors = slurm.job_processes("--shard 2/8")
        self.assertTrue(survivors)
        slurm.run("scontrol", "update", f"nodename={slurm.host}", "state=down", "reason=killed")
        self.wait_for("task 2 in the queue again", lambda: self.is_waiting(job, 2))
        slurm.start_daemon("slurmd")
        slurm.run("scontrol", "update", f"nodename={slurm.host}", "state=resume")
        self.wait_for("a node that is up", lambda: slurm.node_state() in ("idle", "mix", "alloc"))
        self.let_start(job, *range(1, 9))
        # What the node had started works on, and has the journal: the new job waits for it.
        self.wait_for_log("2-of-8", "another process is at it")
        self.assertTrue(survivors <= set(Processes().parent))
        self.open_gate(2)

        self.assertEqual(self.end_of(merge), ("COMPLETED", "0:0"), self.everything_said())
        self.assertEqual({state.split()[0] for state in slurm.states(job).values()}, {"COMPLETED"})
        self.assertEqual(slurm.facts(f"{job}_1")["Restarts"], "1")
        self.assertIn("cells are kept", self.log("1-of-8"))
        self.is_as_a_single_run()

    def test_time_is_up_and_a_task_is_cancelled(self):
        slurm = self.slurm
        self.close_gate(1, 3)
        job, merge = self.submit("--tasks", "3", "--time", "0:04")
        self.wait_at_gate(1)
        self.wait_at_gate(3)  # the last task of an array has the number of the array itself
        self.assertEqual(slurm.facts(f"{job}_3")["JobId"], job)

        slurm.run("scancel", "--batch", "--signal=USR1", f"{job}_3")  # as Slurm does shortly before the end
        self.wait_for("task 3 in the queue again", lambda: self.is_waiting(job, 3))
        self.assertIn("time is nearly up; back into the queue", self.log("3-of-3"))
        slurm.run("scancel", f"{job}_1")
        self.wait_for("task 1 to be cancelled", lambda: slurm.states(job)["1"].startswith("CANCELLED"))
        self.open_gate(3)
        self.let_start(job, 3)

        self.assertEqual(self.end_of(merge), ("FAILED", "2:0"), self.everything_said())
        self.assertRegex(self.log("merge"), r"a\.1-of-3\.h5\.journal: is not finished|shard 1 of 3 is missing")
        states = {task: state.split()[0] for task, state in slurm.states(job).items()}
        self.assertEqual(states, {"1": "CANCELLED", "2": "COMPLETED", "3": "COMPLETED"}, self.everything_said())
        self.assertFalse((self.folder / "a.h5").exists())

        self.open_gate(1)
        job, merge = self.submit("--tasks", "3")  # the same again goes on where it was
        self.assertEqual(self.end_of(merge), ("COMPLETED", "0:0"), self.everything_said())
        self.assertEqual(self.log("1-of-3").count("try 1"), 2)
        self.is_as_a_single_run()

    def test_how_sbatch_reads_options_handed_on(self):
        """The user's name of the job wins over ours, our array over theirs; an option without its value takes nothing that
        counts."""
        job, merge = self.submit("--tasks", "2", "--", "--hold", "--job-name=mine", "--arr=5-9", "--comment")
        for number, array in ((job, "1-2"), (merge, "5-9")):  # a shortened name is not noticed: many-machines.md says so
            facts = self.slurm.facts(number)
            self.assertEqual([facts[name] for name in ("JobName", "ArrayTaskId", "Comment")], ["mine", array, "--nodes=1"])
        self.slurm.run("scancel", job, merge)

    def test_what_slurm_refuses_is_passed_on(self):
        output = self.expect(2, "submit", *self.words, "--tasks", "2", "--partition", "nowhere", environment=self.slurm.environment)
        self.assertIn("invalid partition", output)
        self.assertFalse((self.folder / "a.h5.slurm").exists())

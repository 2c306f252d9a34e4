"""poslab submit without a cluster: what it hands to sbatch, and what the scripts do when Slurm would run them. Slurm itself
is in slurm_test.py."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

from parallel_test import README, lines_of
from poslab_case import BINARY, BUILD, SMALL_STUDY, PoslabCase

AWKWARD = "it's $HOME `x` \"y\" %a \n*.{1..3} é"

# Keeps its arguments and its script, and answers as sbatch --parsable does.
FAKE_SBATCH = """#!/usr/bin/python3
import json, os, pathlib, sys
folder = pathlib.Path(os.environ["RECORD"])
number = len(list(folder.iterdir())) + 1
if os.environ.get("REFUSE") == str(number):
    sys.exit("sbatch: error: Batch job submission failed: Invalid account")
(folder / f"{number}.json").write_text(json.dumps({"arguments": sys.argv[1:], "script": sys.stdin.read()}))
print(f"{40 + number};cluster")
"""


class SubmitCase(PoslabCase):
    def setUp(self):
        super().setUp()
        self.programs = self.scratch / "programs"
        self.programs.mkdir()
        self.program("sbatch", FAKE_SBATCH)

    def program(self, name, text):
        path = self.programs / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def environment(self, record, **more):
        (self.scratch / record).mkdir(exist_ok=True)
        return {"PATH": f"{self.programs}:{os.environ['PATH']}", "RECORD": str(self.scratch / record)} | more

    def recorded(self, record):
        return [json.loads((self.scratch / record / f"{i + 1}.json").read_text())
                for i in range(len(list((self.scratch / record).iterdir())))]

    def submit(self, *arguments, code=0, record="record", **options):
        """What sbatch was called with, and what poslab said."""
        output = self.expect(code, "submit", *arguments, environment=self.environment(record, **options.pop("more", {})), **options)
        return self.recorded(record), output


class WhatIsSubmitted(SubmitCase):
    def test_options_become_those_of_sbatch(self):
        (tasks, merge), output = self.submit(self.study(), "--tasks", "7", "--cpus", "3", "--time", "2:00:00", "--memory", "4GiB",
                                             "--partition", "long", "--at-once", "5", "--workers", "2", "--cell-time", "90.5", "-o", "a.h5",
                                             "--", "--account=a b", "-Czen4")
        words = tasks["arguments"]
        for word in ("--parsable", "--requeue", "--open-mode=append", "--array=1-7%5", "--cpus-per-task=3", "--time=2:00:00",
                     "--mem=4096M", "--partition=long", "--account=a b", "-Czen4", "--signal=B:USR1@120",
                     f"--output={self.scratch}/a.h5.slurm/%a-of-7.log", f"--chdir={self.scratch}/a.h5.slurm"):
            self.assertIn(word, words)
        self.assertIn("--workers=2 --cell-time=90.5", tasks["script"])
        self.assertIn("--dependency=afterany:41", merge["arguments"])
        self.assertIn("--account=a b", merge["arguments"])
        self.assertFalse([w for w in merge["arguments"] if w.startswith("--array")])
        self.assertIn("job 41: 7 tasks for 8 cells", output)
        self.assertIn("job 42", output)

    def test_the_study_is_checked_first(self):
        calls, output = self.submit(self.study(SMALL_STUDY.replace("rope", "rop")), "--tasks", "2", code=2)
        self.assertIn("did you mean \"rope\"?", output)
        self.assertEqual(calls, [])
        calls, output = self.submit(self.study(), "--tasks", "2", "--axis", "length=300000", "--memory", "1MiB", code=2)
        self.assertIn("raise --memory", output)
        (self.scratch / "taken.h5").write_text("a letter")
        calls, output = self.submit(self.study(), "--tasks", "2", "-o", "taken.h5", code=2)
        self.assertEqual(calls, [])
        self.assertFalse(list(self.scratch.glob("*.slurm")))

    def test_wrong_options_are_refused(self):
        for arguments, reason in ((["--tasks", "0"], "must be from 1 to 10000"), ([], "--tasks N is missing"),
                                  (["--tasks", "2", "--time", "soon"], "--time is \"soon\""),
                                  (["--tasks", "2", "--time", "0"], "longer than nothing"),
                                  (["--tasks", "2", "--cell-time", "0"], "must be above 0 seconds"),
                                  (["--tasks", "2", "--workers", "2"], "--workers is 2, but must be from 1 to 1"),
                                  (["--tasks", "2", "--", "--array=3"], "poslab sets it itself"),
                                  (["--tasks", "2", "--", "-ox"], "poslab sets it itself"),
                                  (["--tasks", "2", "--", "--account", "lab"], "\"lab\" cannot be handed on to sbatch: it is no option")):
            calls, output = self.submit(self.study(), *arguments, code=2)
            self.assertIn(reason, output)
            self.assertEqual(calls, [])

    def test_options_of_sbatch_are_its_own(self):
        theirs = ["--exclusive", "--cpus=nonsense", "--tasks=3", "-h", "--help", "--dry-run", "--mem=4G"]
        calls, _ = self.submit(self.study(), "--tasks", "2", "--", *theirs)
        for call in calls:
            self.assertEqual(call["arguments"][1:1 + len(theirs)], theirs)

    def test_more_tasks_than_cells(self):
        _, output = self.submit(self.study(), "--tasks", "11")
        self.assertIn("11 tasks for 8 cells: at least 3 will find nothing to do", output)

    def test_what_sbatch_says_is_passed_on(self):
        calls, output = self.submit(self.study(), "--tasks", "2", code=2, more={"REFUSE": "1"})
        self.assertIn("Invalid account", output)
        self.assertEqual(calls, [])
        self.assertFalse(list(self.scratch.glob("*.slurm")))  # nothing is left of what came to nothing
        calls, output = self.submit(self.study(), "--tasks", "2", code=2, record="second", more={"REFUSE": "2"})
        self.assertIn("Invalid account", output)
        self.assertIn("the tasks are submitted (job 41)", output)
        self.assertIn("scancel 41", output)

    def test_where_there_is_no_slurm(self):
        empty = {"PATH": str(self.scratch)}
        self.assertIn("call poslab submit where Slurm is", self.expect(2, "submit", self.study(), "--tasks", "2", environment=empty))
        self.assertIn("tasks=$(sbatch \\\n", self.expect(0, "submit", self.study(), "--tasks", "2", "--dry-run", environment=empty))

    def test_what_is_submitted_is_what_runs(self):
        study = self.study()
        (tasks, _), _ = self.submit(study, "--tasks", "2")
        study.write_text("edited meanwhile")
        self.assertEqual((self.scratch / "study.h5.slurm" / "study.toml").read_text(), SMALL_STUDY)
        self.assertIn(f"run {self.scratch}/study.h5.slurm/study.toml", tasks["script"])


class Names(SubmitCase):
    """Spaces, quotes, dollar signs, line breaks: in every name that the scripts mention."""

    def setUp(self):
        super().setUp()
        self.folder = self.scratch / AWKWARD
        self.folder.mkdir()
        (self.folder / "my plugins").symlink_to(BUILD / "plugins")
        self.arguments = [self.study(name=AWKWARD + "/s" + AWKWARD + ".toml"), "--tasks", "3", "--plugins", "my plugins",
                          "--only", "rope", "--only", "uniqueness", "-o", AWKWARD + ".h5"]

    def test_the_printed_script_does_what_is_done(self):
        plugin_path = {"POSLAB_PLUGIN_PATH": "my plugins::./elsewhere"}
        done, _ = self.submit(*self.arguments, cwd=self.folder, more=plugin_path)
        printed = self.poslab("submit", *self.arguments, "--dry-run", cwd=self.folder, environment=plugin_path)
        self.assertEqual(printed.returncode, 0, printed.stderr)
        script = self.scratch / "printed.sh"
        script.write_text(printed.stdout)
        copy = self.folder / (AWKWARD + ".h5.slurm") / ("s" + AWKWARD + ".toml")
        self.assertEqual(copy.read_text(), SMALL_STUDY)
        copy.unlink()
        subprocess.run(["bash", script], env=self.environment("printed"), check=True, capture_output=True, cwd="/")
        self.assertEqual(self.recorded("printed"), done)
        self.assertEqual(copy.read_text(), SMALL_STUDY)
        self.assertEqual([w for w in done[0]["arguments"] if w.startswith("--chdir")], [f"--chdir={self.folder}/{AWKWARD}.h5.slurm"])
        self.assertIn("my plugins", done[0]["script"])

    def test_a_backslash_is_refused(self):
        calls, output = self.submit(*self.arguments[:-1], "back\\slash.h5", code=2, cwd=self.folder)
        self.assertIn("Slurm drops the backslash", output)
        self.assertEqual(calls, [])

    def test_jobs_find_everything(self):
        calls, _ = self.submit(*self.arguments, cwd=self.folder)
        run_as_slurm(calls, self.scratch)
        self.expect(0, "run", *self.arguments[:1], *self.arguments[3:-2], "-o", "single.h5", cwd=self.folder)
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", AWKWARD + ".h5", "single.h5", cwd=self.folder))


class PythonFiles(SubmitCase):
    def test_tasks_find_the_files_that_the_study_names(self):
        (self.scratch / "mine").mkdir()
        (self.scratch / "mine/linear.py").write_text("""import poslab
from slopes import SLOPE
@poslab.define(id="linear", claims={"relative"})
class Linear:
    def bias(self, q, k, heads):
        return 0 * __import__("numpy").ones((heads, 1, 1)) - SLOPE * abs(q[:, None] - k[None, :])
""")
        (self.scratch / "mine/slopes.py").write_text("SLOPE = 0.5")
        study = self.study(SMALL_STUDY.replace('use = "sinusoidal"', 'use = "mine/linear.py"'))
        more = {"POSLAB_PYTHON": sys.executable}
        calls, _ = self.submit(study, "--tasks", "2", more=more)
        run_as_slurm(calls, self.scratch)
        self.expect(0, "run", study, "-o", "single.h5", environment=more)
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "study.h5", "single.h5"))
        script = self.expect(0, "submit", study, "--tasks", "2", "--dry-run", environment=more)
        self.assertIn(f"ln -sfn -- {self.scratch}/mine/linear.py {self.scratch}/study.h5.slurm/mine/linear.py", script)
        # The tasks know the file by the link beside their copy of the study.
        calls, _ = self.submit(study, "--tasks", "1", "--only", "mine/linear.py", "-o", "one.h5", record="one", more=more)
        run_as_slurm(calls, self.scratch)
        self.assertIn("2 cells ok", self.expect(0, "summary", "one.h5"))
        self.study(SMALL_STUDY.replace('use = "sinusoidal"', f'use = "../{self.scratch.name}/mine/linear.py"'))
        self.assertIn("name the whole path", self.expect(2, "submit", study, "--tasks", "2", environment=more))


class Growth(SubmitCase):
    def test_an_axis_grows_and_nothing_is_done_twice(self):
        study = self.study()
        tasks = ["--tasks", "12"]  # more than cells: some shards are empty
        calls, _ = self.submit(study, *tasks)
        run_as_slurm(calls, self.scratch)
        study.write_text(SMALL_STUDY.replace("[8, 16]", "[8, 16, 32]"))
        calls, _ = self.submit(study, *tasks, record="again")
        said = run_as_slurm(calls, self.scratch)
        self.assertRegex(said, r"\b([1-9]) of (?!\1 )\d cells are kept")  # some, in one shard that has new ones, too
        self.expect(0, "run", study, "-o", "single.h5")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "study.h5", "single.h5"))


class WhatIsThereAlready(SubmitCase):
    def test_the_merge_takes_only_what_tasks_of_its_submission_have_written(self):
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
        self.assertIn("no task has left a results file", said)
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
        before = (self.scratch / "a.1-of-1.h5").read_bytes()
        calls, said = self.submit(self.study(), "--tasks", "1", "-o", "a.h5", code=2)
        self.assertIn("a.1-of-1.h5: holds the results of another study", said)
        self.assertEqual(calls, [])
        self.assertEqual((self.scratch / "a.1-of-1.h5").read_bytes(), before)
        self.expect(0, "run", "study.toml", "--shard", "1/1", "-o", "b.h5")
        self.submit("study.toml", "--tasks", "1", "-o", "b.h5", record="own")

    def test_the_name_of_a_shard_is_too_long(self):
        longest = os.pathconf(self.scratch, "PC_NAME_MAX") - len(".journal-checkpoints-journal")
        calls, said = self.submit(self.study(), "--tasks", "10", "-o", "a" * (longest - len(".h5")) + ".h5", code=2)
        self.assertIn("its name is too long by 9 bytes", said)  # .10-of-10
        self.assertEqual(calls, [])


class ThePages(SubmitCase):
    def test_the_two_lines_on_many_machines(self):
        self.study()
        self.do(lines_of("Slurm")[0])
        for name in ("a.7-of-7.h5", "a.7-of-7.h5.journal", "a.h5.slurm/study.toml", "a.h5"):
            self.assertTrue((self.scratch / name).exists(), name)

    def test_options_of_sbatch_on_many_machines(self):
        self.study()
        (tasks, merge), _ = self.submit(*lines_of("Slurm")[1].split()[2:])
        for call in (tasks, merge):
            self.assertEqual(call["arguments"][1:3], ["--account=lab", "--constraint=zen4"])

    def test_those_of_the_readme(self):
        self.study(name="mine.toml")
        commands = re.findall(r"`(poslab (?:submit|status) [^`]*)`", README.read_text())
        self.do("".join(command + "\n" for command in commands))
        self.assertTrue((self.scratch / "mine.h5").exists())

    def do(self, lines):
        submit, status = lines.splitlines()
        calls, _ = self.submit(*submit.partition(" #")[0].split()[2:])
        run_as_slurm(calls, self.scratch)
        self.assertRegex(self.expect(0, *status.split()[1:]), r"all +8 +8 ")


def run_as_slurm(calls, folder):
    """Runs the tasks and then the merge, each from a strange directory and with the variables that Slurm sets."""
    said = ""
    tasks = int(re.search(r"--array=1-(\d+)", " ".join(calls[0]["arguments"])).group(1))
    for call, numbers in zip(calls, (range(1, tasks + 1), [None])):
        for number in numbers:
            code, words = run_job(call, folder, number)
            if code != 0:
                raise AssertionError(words)
            said += words
    return said


def run_job(call, folder, number=None):
    """The exit code of a task, or without a number of the merge, and what it says."""
    environment = {"PATH": os.environ["PATH"], "SLURM_JOB_ID": "50", "SLURM_ARRAY_JOB_ID": "41"}
    if number:
        environment |= {"SLURM_ARRAY_TASK_ID": str(number), "SLURM_CPUS_PER_TASK": "1"}
    done = subprocess.run(["bash", "-s"], input=call["script"], text=True, capture_output=True, env=environment, cwd=folder)
    return done.returncode, done.stdout + done.stderr


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

"""poslab submit without a cluster: what it hands to sbatch, and what of that the jobs find. What the jobs do else is in jobs_test.py, Slurm
itself in slurm_test.py."""

import re
import subprocess
import sys

from parallel_test import README, lines_of
from poslab_case import BUILD, SMALL_STUDY
from submit_case import SubmitCase, run_as_slurm

AWKWARD = "it's $HOME `x` \"y\" %a \n*.{1..3} é"


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


class ThePages(SubmitCase):
    def test_the_two_lines_on_many_machines(self):
        self.study()
        self.do(lines_of("Slurm")[0])
        for name in ("a.7-of-7.h5.journal", "a.h5.slurm/study.toml", "a.h5"):
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

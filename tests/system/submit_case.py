"""poslab submit before a stand-in for sbatch, and what it was handed, run as Slurm would."""

import json
import os
import re
import subprocess

from poslab_case import PoslabCase

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

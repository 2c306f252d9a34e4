"""The lines for GNU parallel, Snakemake and HTCondor in core/run/many-machines.md, and those of README.md for xargs, word for word but
for seven shards instead of forty."""

import os
import re
import shutil
import subprocess
import unittest

from poslab_case import BINARY, SOURCE, PoslabCase

PAGE = SOURCE / "core" / "run" / "many-machines.md"
README = SOURCE / "README.md"
MACHINES = "core/run/many-machines"


def with_seven(text):
    return text.replace("41)", "8)").replace("40", "7")


def blocks_of(text):
    blocks = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [with_seven(block) for language, block in blocks if not language]  # for the shell


def lines_of(heading):
    """The blocks of code under a heading of the page."""
    return blocks_of(re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL).group(1))


def readme_exports():
    """What README.md has its reader set in the shell."""
    return "".join(re.findall(r"^export (?:PATH|POSLAB_PLUGIN_PATH)=.*\n", README.read_text(), re.MULTILINE))


def readme_lines(word):
    """These, and the one block of README.md that has the word."""
    (block,) = [block for block in blocks_of(README.read_text()) if word in block]
    return readme_exports() + block


def needs(program, package):
    return unittest.skipUnless(shutil.which(program), f"{program} is not here; as root: apt-get install -y --no-install-recommends {package}")


class ManyMachines(PoslabCase):
    """In a folder that looks like poslab's source tree after ./dev build."""

    def setUp(self):
        super().setUp()
        self.study()
        self.study(name="mine.toml")
        for folder in ("bin", "build/release/bin", MACHINES):
            (self.scratch / folder).mkdir(parents=True)
        for folder in ("bin", "build/release/bin"):
            (self.scratch / folder / "poslab").symlink_to(BINARY)
        for file in (SOURCE / MACHINES).iterdir():
            (self.scratch / MACHINES / file.name).write_text(with_seven(file.read_text()))
        self.environment = os.environ | {"PATH": f"{self.scratch}/bin:{os.environ['PATH']}", "HOME": str(self.scratch)}

    def bash(self, text, **environment):
        done = subprocess.run(["bash", "-c", "set -e\n" + text], cwd=self.scratch, env=self.environment | environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def is_as_a_single_run(self, output="a.h5"):
        self.expect(0, "run", "study.toml", "-o", "single.h5")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", output, "single.h5"))

    @needs("parallel", "parallel")
    def test_gnu_parallel(self):
        (lines,) = lines_of("GNU parallel")
        self.bash(lines)
        self.assertEqual(len(list(self.scratch.glob("a.*-of-7.h5.journal"))), 7)
        self.is_as_a_single_run()
        self.assertIn("cells are kept", self.bash(lines))  # the same again is a resume

    @needs("parallel", "parallel")
    def test_gnu_parallel_with_other_machines(self):
        # node1 and node2 are this machine in another folder. SHELL is what sshd sets, and what GNU parallel relies on.
        ssh = self.scratch / "bin" / "not-quite-ssh"
        ssh.write_text('#!/bin/bash\nwhile [[ $1 == -* ]]; do shift; done\necho "$1" >>"$HOME/logins"\nshift\n[[ $1 == -- ]] && shift\ncd / && SHELL=/bin/bash exec bash -c "$*"\n')
        ssh.chmod(0o755)
        option = re.search(r"`(--sshlogin [^`]*)`", PAGE.read_text()).group(1)
        (lines,) = lines_of("GNU parallel")
        self.bash(lines.replace("parallel ", f"parallel {option} ", 1), PARALLEL_SSH=str(ssh))
        self.assertEqual(set((self.scratch / "logins").read_text().split()), {"node1", "node2"})
        self.is_as_a_single_run()

    def test_shards_as_in_the_readme(self):
        (self.scratch / "bin" / "poslab").unlink()
        self.expect(0, "run", "mine.toml")  # as the reader has done before
        self.bash(readme_lines("xargs"))
        self.assertEqual(len(list(self.scratch.glob("mine.*-of-7.h5.journal"))), 7)
        self.is_as_a_single_run("mine.h5")

    @needs("snakemake", "snakemake")
    def test_snakemake(self):
        (lines,) = lines_of("Snakemake")
        self.bash(lines)
        self.is_as_a_single_run("study.h5")

    @needs("snakemake", "snakemake")
    def test_snakemake_with_what_the_readme_sets(self):
        (self.scratch / "bin" / "poslab").unlink()
        (lines,) = lines_of("Snakemake")
        self.bash(readme_exports() + lines)
        self.assertEqual(len(list(self.scratch.glob("study.*-of-7.h5.journal"))), 7)
        self.is_as_a_single_run("study.h5")

    def test_htcondor_as_far_as_it_goes_without_it(self):
        """What its manual says becomes of the macros; the rest of the file only HTCondor can judge."""
        (lines,) = lines_of("HTCondor")
        (self.scratch / "bin" / "condor_wait").symlink_to("/bin/true")
        (self.scratch / "bin" / "condor_submit").write_text(QUEUE)
        (self.scratch / "bin" / "condor_submit").chmod(0o755)
        self.bash(lines)
        self.is_as_a_single_run("study.h5")
        for file in self.scratch.glob("study.*h5*"):
            file.unlink()
        (self.scratch / "bin" / "poslab").unlink()
        self.bash(readme_exports() + lines)
        self.is_as_a_single_run("study.h5")


# condor_submit NAME=VALUE FILE, which performs the jobs there and then.
QUEUE = """#!/usr/bin/python3
import re, shlex, subprocess, sys
macro, file = sys.argv[1:]
lines = [macro, *open(file)]
commands = dict(re.split(r"\\s*=\\s*", line.strip(), maxsplit=1) for line in lines if "=" in line and not line.startswith("#"))
count = int(re.fullmatch(r"queue (\\d+)", lines[-1].strip()).group(1))
for process in range(count):
    shard = eval(commands["shard"].replace("$(Process)", str(process)))
    arguments = commands["arguments"].replace("$INT(shard)", str(shard)).replace("$(study)", commands["study"])
    assert "$" not in arguments and commands["getenv"] == "True"
    subprocess.run([commands["executable"], *shlex.split(arguments)], check=True)
"""


if __name__ == "__main__":
    unittest.main()

"""The lines of core/run/many-machines.md for GNU parallel, Snakemake and HTCondor, as they stand there, with seven shards
for forty."""

import os
import re
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path

from poslab_case import BINARY, SOURCE, PoslabCase

PAGE = SOURCE / "core" / "run" / "many-machines.md"


def lines_of(heading):
    """The blocks of code under a heading of the page."""
    section = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.MULTILINE | re.DOTALL).group(1)
    blocks = re.findall(r"^```\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
    return [block.replace("41)", "8)").replace("40", "7") for block in blocks]


def needs(program, package):
    return unittest.skipUnless(shutil.which(program), f"{program} is not here; as root: apt-get install -y --no-install-recommends {package}")


class ManyMachines(PoslabCase):
    def setUp(self):
        super().setUp()
        self.study()
        (self.scratch / "bin").mkdir()
        (self.scratch / "bin" / "poslab").symlink_to(BINARY)
        self.environment = os.environ | {"PATH": f"{self.scratch}/bin:{os.environ['PATH']}", "HOME": str(self.scratch)}

    def bash(self, text, **environment):
        done = subprocess.run(["bash", "-c", text], cwd=self.scratch, env=self.environment | environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def is_as_a_single_run(self):
        self.expect(0, "run", "study.toml", "-o", "single.h5")
        self.assertIn("equal bit for bit", self.expect(0, "compare", "--exact", "a.h5", "single.h5"))

    @needs("parallel", "parallel")
    def test_gnu_parallel(self):
        (lines,) = lines_of("GNU parallel")
        self.bash(lines)
        self.assertEqual(len(list(self.scratch.glob("a.*-of-7.h5"))), 7)
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

    @needs("snakemake", "snakemake")
    def test_snakemake(self):
        (rules,) = lines_of("Snakemake")
        (self.scratch / "Snakefile").write_text(rules)
        self.bash("snakemake --cores 4")
        self.is_as_a_single_run()

    def test_htcondor_as_far_as_it_goes_without_it(self):
        """What its manual says becomes of the macros; the rest of the file only HTCondor can judge."""
        description, lines = lines_of("HTCondor")
        commands = dict(re.split(r"\s*=\s*", line, maxsplit=1) for line in description.splitlines() if "=" in line)
        self.assertTrue(description.endswith("queue 7\n"))
        for process in range(7):
            shard = eval(commands["shard"].replace("$(Process)", str(process)))
            arguments = commands["arguments"].replace("$INT(shard)", str(shard))
            self.assertNotIn("$", arguments)
            self.expect(0, *shlex.split(arguments))
        self.bash(lines.splitlines()[1])
        self.is_as_a_single_run()

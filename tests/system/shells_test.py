# SPDX-License-Identifier: Apache-2.0
"""Completion in bash, zsh and fish, each by its own shell: what may follow a line that is begun."""

import os
import pty
import select
import shlex
import shutil
import subprocess
import time
import unittest

from poslab_case import BUILD, SOURCE, PoslabCase

SCRIPTS = SOURCE / "core/app/shell"  # as they are installed: install_test.py
# A line, and what may stand in place of its last word; after --only= what follows the sign.
CASES = {
    "poslab ru": {"run"},
    "poslab run --thr": {"--threads"},
    "poslab --version --": {"--json"},
    "poslab describe sinu": {"sinusoidal"},
    "poslab table ali": {"alibi"},
    "poslab check ali": {"alibi"},
    "poslab run --only alib": {"alibi"},
    "poslab run --only=alib": {"alibi"},
    "poslab table alibi --set for": {"form="},
    "poslab run qui": {"quick.toml", "quiet"},
    "poslab run ./qui": {"quick.toml", "quiet"},
    "poslab compare quick.h5 quick": {"quick.h5"},
    "poslab report a.h5 -o qui": {"quiet", "quick.md"},
    "poslab run a.toml --plugins q": {"quiet"},
    "poslab run a.toml --threads q": set()}
BASH = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
_poslab 2>/dev/null
printf '%s\\n' "${COMPREPLY[@]}"
"""
# compadd writes down what it adds.
ZSH = """
fpath=($SCRIPTS $fpath); autoload -Uz compinit; compinit -u -D
compadd() { local -a hits; builtin compadd -O hits "$@"; print -rl -- $hits >>$HITS; builtin compadd "$@" }
leave() { exit }; zle -N leave; bindkey '^X' leave; print -r -- "rea""dy"
"""


def needs(shell):
    return unittest.skipUnless(shutil.which(shell), f"{shell} is not here; as root: apt-get install -y --no-install-recommends {shell}")


def last_of(word):
    return word.rpartition("=")[2] if word.startswith("--") and "=" in word else word.rstrip("/").rpartition("/")[2]


class Shells(PoslabCase):
    def setUp(self):
        super().setUp()
        for name in ("quick.toml", "quick.h5", "quick.md", "quack.toml"):
            (self.scratch / name).touch()
        (self.scratch / "quiet").mkdir()
        self.environment = {"PATH": f"{BUILD}/bin:/usr/bin:/bin", "HOME": str(self.scratch), "TERM": "dumb", "LANG": "C.UTF-8"}

    def completes(self, completed):
        for line, expected in CASES.items():
            with self.subTest(line):
                self.assertEqual({last_of(word) for word in completed(line)}, expected)

    def said(self, *words):
        return subprocess.run([*map(str, words)], env=self.environment, cwd=self.scratch, capture_output=True, text=True, check=True).stdout

    def test_bash(self):
        def completed(line):
            words = shlex.split(line.replace("=", " = "))  # as readline takes them apart
            return self.said("bash", "-c", BASH, "bash", SCRIPTS / "poslab.bash", *words).split()
        self.completes(completed)

    @needs("fish")
    def test_fish(self):
        self.completes(lambda line: self.said("fish", "--no-config", "--command", f"source '{SCRIPTS}/poslab.fish'; complete --do-complete '{line}'").split())

    @needs("zsh")
    def test_zsh(self):
        self.completes(self.completed_by_zsh)

    def completed_by_zsh(self, line):
        hits = self.scratch / "hits"
        hits.write_text("")
        child, terminal = pty.fork()
        if child == 0:
            os.chdir(self.scratch)
            os.execve(shutil.which("zsh"), ["zsh", "-f", "-i"], self.environment | {"HITS": str(hits), "SCRIPTS": str(SCRIPTS)})
        os.write(terminal, ZSH.encode())
        self.read_until(terminal, b"ready")
        os.write(terminal, line.encode() + b"\t\x18")
        self.read_until(terminal, None)
        os.waitpid(child, 0)
        os.close(terminal)
        return hits.read_text().split()

    def read_until(self, terminal, sign):
        """Until it was written or, without one, until the shell has ended."""
        seen, end = b"", time.monotonic() + 60
        while sign is None or sign not in seen:
            self.assertLess(time.monotonic(), end, f"zsh has said {seen!r}")
            if select.select([terminal], [], [], 1)[0]:
                try:
                    seen += os.read(terminal, 4096)
                except OSError:  # of a terminal whose last program has ended
                    return


if __name__ == "__main__":
    unittest.main()

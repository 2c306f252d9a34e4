# SPDX-License-Identifier: Apache-2.0
"""How long building takes, from an empty folder, as `./dev run` and `./dev test` do it, and after one change."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
ONE_SCHEME = SOURCE / "plugins/rope/rope.cpp"
ONE_EXPERIMENT = SOURCE / "experiments/uniqueness/uniqueness.cpp"
JOBS = "2"  # what the limits are meant for


class Build:
    """A release build in a folder of its own, that is gone at the end."""

    def __init__(self, parent):
        parent.mkdir(parents=True, exist_ok=True)
        self.folder = Path(tempfile.mkdtemp(prefix="build-times-", dir=parent))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def configure(self):
        environment = {name: value for name, value in os.environ.items() if not name.endswith("_COMPILER_LAUNCHER")}
        self.call(["cmake", "--preset", "release", "-B", self.folder], env=environment)

    def build(self, *targets):
        self.call(["cmake", "--build", self.folder, "--parallel", JOBS, *(["--target", *targets] if targets else [])])

    def call(self, command, **more):
        done = subprocess.run(command, cwd=SOURCE, stdin=subprocess.DEVNULL, capture_output=True, text=True, **more)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def seconds(*steps):
    start = time.perf_counter()
    for step in steps:
        step()
    return time.perf_counter() - start


def measure(parent):
    """(what was done, seconds, limit in seconds), one after another as they are measured."""
    with Build(parent) as build:
        run = seconds(build.configure, lambda: build.build("poslab", "libposlab", "plugins/all"))
        yield "what `./dev run` needs, from an empty folder", run, 240
        yield "what `./dev test` needs, from an empty folder", run + seconds(build.build), 540
        ONE_SCHEME.touch()
        poslab = [build.folder / "bin/poslab", "describe", "rope"]
        yield "one changed scheme, rebuilt and loaded", seconds(
            lambda: build.build("poslab_scheme_rope"), lambda: build.call(poslab)), 5
        ONE_EXPERIMENT.touch()
        yield "one changed experiment, and the program", seconds(lambda: build.build("poslab")), 15

"""Kills runs at random moments, lets them go on, and compares what comes out with an undisturbed run, bit for bit.

    POSLAB_BUILD_DIR=build/release /usr/bin/python3 tests/system/kills.py --kills 200 --seed 1

A trial is a study in a folder of its own. Its run is killed at a moment drawn uniformly over the time that the undisturbed
run takes, start and writing of the results file included: the program itself, its workers, or all at once, with SIGKILL.
Then it is run again, perhaps killed again, until it ends. Afterwards
  - the results file does not exist or is complete and right, whenever anybody looks;
  - what the run had reported as done is in the journal, and what is in the journal is never computed again;
  - no process lives on and no file is left but results and journal;
  - the final file equals the undisturbed one in every object outside `provenance`."""

import argparse
import dataclasses
import json
import os
import pty
import random
import re
import select
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from survival import children_of, journal_rows, kept_cells, wait_until_alone

STUDY = """
format = 1
title = "Small cells and large ones, for runs that are killed"
seed = 7
[model]
d_model = 64
heads = 4
[[scheme]]
use = "sinusoidal"
axes = {{ base = [1e3, 1e4] }}
[[scheme]]
use = "rope"
[[scheme]]
use = "alibi"
[[scheme]]
use = "shaw"
[[scheme]]
use = "leaves-a-trace"
axes = {{ number = [1, 2, 3, 4] }}
[[experiment]]
use = "uniqueness"
[experiment.axes]
length = {lengths}
[[experiment]]
use = "relative-shift"
repeats = 3
[experiment.axes]
length = [37, 75, 150]
"""
SMALL = [16, 17, 18, 19, 20, 22, 24, 28, 32, 40, 48, 56, 64, 80, 96, 100, 128, 200, 256, 400]
LENGTHS = {"small": SMALL + [512, 640, 1024, 2048], "large": SMALL + [512, 640, 1024, 1500, 2048, 3000, 4096]}


# How a run shares its work, drawn anew for each: what comes out must not depend on it.
WAYS = [[], ["--threads", "1"], ["--threads", "2", "--workers", "2"]]


class Wrong(AssertionError):
    """Something was lost, or half, or left behind."""


def demand(condition, sentence):
    if not condition:
        raise Wrong(sentence)


@dataclasses.dataclass
class Kill:
    moment: float  # seconds after the start
    who: str
    done: int = 0  # cells that were done when it struck
    lost: dict = dataclasses.field(default_factory=dict)  # cells that were begun before, but are not in the journal: since when
    age: float = 0  # about how many seconds before the kill the oldest of these was done
    left: str = ""  # files that it left besides results and journal
    finished: bool = False  # whether the results file was there


class Trace:
    """A pipe with a name, for no worker may write files, into which `leaves-a-trace` writes a line for every cell of its own."""

    def __init__(self, path):
        self.path, self.text = path, ""
        os.mkfifo(path)
        self.pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def read(self):
        try:
            while text := os.read(self.pipe, 65536):
                self.text += text.decode()
        except BlockingIOError:
            pass

    def times(self):
        """{(variant, length): times in seconds} of the cells of uniqueness, which asks once a cell."""
        self.read()
        times = {}
        for line in self.text.splitlines():
            moment, number, length = map(int, line.split())
            if length in LENGTHS["large"] + LENGTHS["small"]:
                times.setdefault((f"leaves-a-trace(number={number})", length), []).append(moment / 1e9)
        return times

    def close(self):
        os.close(self.pipe)
        self.path.unlink()


class Run:
    """One process of poslab, its stderr a terminal, so that it says all the time how far it is."""

    def __init__(self, program, arguments, folder, trace):
        self.started = time.monotonic()
        self.trace, self.shown = trace, ""
        self.terminal, other = pty.openpty()
        self.process = subprocess.Popen([program, *map(str, arguments)], cwd=folder, stdin=subprocess.DEVNULL, stderr=other,
                                        stdout=subprocess.DEVNULL, env=os.environ | {"POSLAB_TEST_TRACE": str(trace.path)})
        os.close(other)

    def watch(self, seconds):
        """Reads what it shows until it has ended (True) or `seconds` after its start are over (False)."""
        while True:
            left = self.started + seconds - time.monotonic()
            if left <= 0:
                return self.process.poll() is not None
            ready = select.select([self.terminal, self.trace.pipe], [], [], left)[0]
            self.trace.read()
            if self.terminal in ready and not self.read():
                self.process.wait()
                return True

    def read(self):
        try:
            text = os.read(self.terminal, 65536)
        except OSError:  # nobody holds the other end any more
            return False
        self.shown += text.decode(errors="replace")
        return bool(text)

    def reported(self):
        """How many cells it has called done, those among them that were kept."""
        counts = re.findall(r"(\d+)/\d+ cells", self.shown)
        return int(counts[-1]) if counts else 0

    def kill(self, who):
        """Kills `host`, `workers` or `both`; returns who was there to be killed."""
        workers = children_of(self.process.pid)
        if not workers:
            who = "host"
        for process in (workers if who != "host" else []) + ([self.process.pid] if who != "workers" else []):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:  # it was just ending
                pass
        if who != "workers":
            self.process.wait()
        return who

    def close(self):
        while select.select([self.terminal], [], [], 0)[0] and self.read():
            pass
        os.close(self.terminal)


class Campaign:
    def __init__(self, build, folder, seed, size="small", options=()):
        self.program = str(Path(build) / "bin/poslab")
        self.folder = Path(folder).resolve()
        self.random = random.Random(seed)
        self.study = self.folder / "study.toml"
        self.lengths = LENGTHS[size]
        self.study.write_text(STUDY.format(lengths=self.lengths))
        plugins = [word for name in ("plugins", "faults/leaves_a_trace") for word in ("--plugins", Path(build) / name)]
        self.arguments = ["run", self.study, "-o", "a.h5", *plugins, *options]
        self.kills, self.seconds = [], 0.0

    def start(self, folder, trace):
        return Run(self.program, [*self.arguments, *self.random.choice(WAYS)], folder, trace)

    def prepare(self):
        """The undisturbed run, thrice: its file, and how long it takes."""
        times = []
        for name in ("undisturbed", "again", "once-more"):  # in ways that may differ
            folder = self.folder / name
            folder.mkdir()
            trace = Trace(self.folder / "trace")
            run = self.start(folder, trace)
            run.watch(600)
            times.append(time.monotonic() - run.started)
            run.close()
            trace.close()
            demand(run.process.returncode == 0, f"the undisturbed run ended with {run.process.returncode}: {run.shown}")
        self.reference = self.folder / "undisturbed" / "a.h5"
        self.cells = len(journal_rows(self.reference))
        self.seconds = statistics.median(times)
        self.expect_equal(self.folder / "again" / "a.h5")
        return self

    def expect_equal(self, file):
        done = subprocess.run([self.program, "compare", "--exact", self.reference, file], capture_output=True, text=True)
        demand(done.returncode == 0, f"{file} differs from the undisturbed run:\n{done.stdout}{done.stderr}")

    def trial(self, number, again=0.35):
        """One study, killed once or more often; returns its kills."""
        folder = self.folder / f"trial-{number}"
        folder.mkdir()
        trace = Trace(self.folder / "trace")
        try:
            return self.end_at_last(folder, trace, again)
        finally:
            trace.close()

    def end_at_last(self, folder, trace, again):
        output, kills, known = folder / "a.h5", [], {}
        while True:
            wanted = not kills or self.random.random() < again
            moment = self.random.uniform(0, self.seconds) if wanted else 600.0
            who = self.random.choice(["host", "workers", "both"])
            before = trace.times()
            run = self.start(folder, trace)
            try:
                ended = run.watch(moment)
                kill = None
                if not ended:
                    demand(wanted, f"the run has not ended after 600 s: {run.shown[-500:]}")
                    struck = time.monotonic()
                    kill = Kill(moment, run.kill(who))
                    kill.done = max(len(known), run.reported())  # workers: the host goes on, and its journal with it
                    if kill.who == "workers":
                        ended = run.watch(moment + 600)
                        demand(ended, f"the run has not ended 600 s after its workers were killed: {run.shown[-500:]}")
            finally:
                run.close()
            left = wait_until_alone(folder)
            demand(not left, f"processes live on: {left}")
            rows = journal_rows(output)
            demand(all(rows.get(cell) == row for cell, row in known.items()), "what was in the journal was computed again")
            demand(kept_cells(run.shown) in (0, len(known)), f"{len(known)} cells were known, {kept_cells(run.shown)} kept")
            reported = run.reported()
            demand(len(rows) >= reported, f"{reported} cells were reported, {len(rows)} are in the journal")
            self.expect_once(before, trace, known, kill)
            if output.exists():
                self.expect_equal(output)
            if kill:
                kill.finished = output.exists()
                kill.left = " ".join(sorted({path.name for path in folder.iterdir()} - {"a.h5", "a.h5.journal"}))
                if kill.who != "workers":
                    kill.done = len(rows)
                    kept = seconds_of_traced(rows)
                    kill.lost = {cell: struck - times[-1] for cell, times in trace.times().items() if cell not in kept}
                kills.append(kill)
            known = rows
            if ended:
                break
        demand(run.process.returncode == 0, f"the last run ended with {run.process.returncode}: {run.shown[-2000:]}")
        demand(len(rows) == self.cells, f"{len(rows)} of {self.cells} cells are in the journal")
        files = {path.name for path in folder.iterdir()}
        demand(files == {"a.h5", "a.h5.journal"}, f"files are left: {sorted(files)}")
        seconds = seconds_of_traced(rows)
        for kill in kills:
            kill.age = max([0.0, *(since - seconds[cell] for cell, since in kill.lost.items())])
        return kills

    def expect_once(self, before, trace, known, kill):
        """Cells that the journal knew left no new trace; the others one, unless workers were killed under them."""
        kept = seconds_of_traced(known)
        for cell, times in trace.times().items():
            new = len(times) - len(before.get(cell, []))
            demand(not (new and cell in kept), f"{cell} was in the journal and computed again")
            demand(new <= 1 or (kill and kill.who == "workers"), f"{cell} was computed {new} times in one run")

    def midway(self):
        """How many kills struck when some cells were done, but not all."""
        return sum(0 < kill.done < self.cells for kill in self.kills)

    def strike(self, count, say=lambda kill, problem: None, midway=0):
        """Trials until `count` kills have struck, or, when fewer than `midway` of them struck midway, thrice as many; returns
        how many of them ended exactly as if nothing had been."""
        survived = struck = number = 0
        most = count if not midway else 3 * count
        while struck < count or (self.midway() < midway and struck < most):
            number += 1
            problem = ""
            try:
                kills = self.trial(number)
            except Wrong as wrong:
                kills, problem = [Kill(0, "?")], str(wrong)
            kills = kills[:most - struck]
            for kill in kills:
                say(kill, problem)
            struck += len(kills)
            survived += 0 if problem else len(kills)
            self.kills += kills
        return survived


def seconds_of_traced(rows):
    """{(variant, length): seconds} of the cells in a journal that leave a trace."""
    return {(variant, json.loads(axes)["length"]): seconds
            for _, experiment, variant, axes, _, seconds, _ in rows.values()
            if experiment == "uniqueness" and variant.startswith("leaves-a-trace")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", choices=LENGTHS, default="large")
    parser.add_argument("--build", default=os.environ.get("POSLAB_BUILD_DIR", "build/release"))
    parser.add_argument("options", nargs="*", help="for poslab run, after --, like -- --memory 2GiB")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="poslab-kills-") as folder:
        campaign = Campaign(Path(given.build).resolve(), folder, given.seed, given.size, given.options).prepare()
        print(f"undisturbed: {campaign.cells} cells in {campaign.seconds:.2f} s; seed {given.seed}")
        print(" kill  moment   of run  killed   in journal  oldest lost  file   left behind")

        def say(kill, problem, count=iter(range(1, given.kills + 1))):
            print(f"{next(count):5d}  {kill.moment:5.2f} s  {kill.moment / campaign.seconds:6.1%}  {kill.who:<7}  "
                  f"{kill.done:4d}/{campaign.cells:<5d}  {kill.age:8.2f} s   {'whole' if kill.finished else '-    '}  "
                  f"{kill.left or '-'}{'  WRONG: ' + problem if problem else ''}", flush=True)

        survived = campaign.strike(given.kills, say)
        by = {who: sum(kill.who == who for kill in campaign.kills) for who in ("host", "workers", "both")}
        print(f"killed: host {by['host']}, workers {by['workers']}, both {by['both']}; "
              f"the oldest work that was lost had been done for about {max(kill.age for kill in campaign.kills):.2f} s")
        print(f"{survived} of {given.kills} survived with exactly equal results")
        return 0 if survived == given.kills else 1


if __name__ == "__main__":
    sys.exit(main())

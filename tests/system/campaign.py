# SPDX-License-Identifier: Apache-2.0
"""Trials of killed runs, one after the other, each compared with an undisturbed run; kills.py says what must hold."""

import dataclasses
import json
import random
import statistics
import subprocess
import time
from pathlib import Path

from killed_run import Run, Trace
from killed_study import LENGTHS, STUDY
from survival import journal_rows, kept_cells, wait_until_alone

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

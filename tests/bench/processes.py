# SPDX-License-Identifier: Apache-2.0
"""Whole runs of poslab, as a person would start them: seconds, peak memory, and what a second thread brings."""

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2]
QUICKSTART = SOURCE / "experiments/studies/quickstart.toml"
LONG_CONTEXTS = SOURCE / "experiments/studies/long-contexts.toml"
ONE_CELL = Path(__file__).resolve().parent / "one_cell.toml"
TEN_THOUSAND_CELLS = Path(__file__).resolve().parent / "ten_thousand_cells.toml"


class Runs:
    """Runs of one poslab binary; results files go to a folder that is gone at the end."""

    def __init__(self, binary):
        self.binary = binary
        self.folder = tempfile.TemporaryDirectory(prefix="poslab-bench-")
        self.started = 0

    def start(self, study, threads, options=()):
        self.started += 1
        output = Path(self.folder.name) / f"{self.started}.h5"
        command = [self.binary, "run", study, "--threads", str(threads), "-o", output, *options]
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

    def finish(self, process):
        """Peak resident memory in bytes."""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, process.args))}: exit code {process.returncode}")
        return usage.ru_maxrss * 1024

    def seconds(self, study, threads, processes=1, options=()):
        """Wall time of `processes` runs at once, and the largest peak memory of one process, workers among them."""
        start = time.perf_counter()
        running = [self.start(study, threads, options) for _ in range(processes)]
        memory = max(self.finish(process) for process in running)
        return time.perf_counter() - start, memory


def whole_run(runs, study, threads, rounds):
    """Median seconds and largest peak memory of a study."""
    pairs = [runs.seconds(study, threads) for _ in range(rounds)]
    return statistics.median(seconds for seconds, _ in pairs), max(memory for _, memory in pairs)


def second_thread(runs, study, rounds):
    """Speed-up of two threads over one, and of two processes at once over one after the other: the most that this
    machine gives. The three kinds of run alternate, so that all of them see the machine in the same state."""
    alone, together, threaded = [], [], []
    for _ in range(rounds):
        alone.append(runs.seconds(study, threads=1)[0])
        together.append(runs.seconds(study, threads=1, processes=2)[0])
        threaded.append(runs.seconds(study, threads=2)[0])
    alone, together, threaded = map(statistics.median, (alone, together, threaded))
    return alone / threaded, 2 * alone / together


def worker_cost(runs, study, rounds):
    """Median seconds of a study with its cells in a worker, and in poslab's own process; the two take turns."""
    pairs = [(runs.seconds(study, 2)[0], runs.seconds(study, 2, options=["--in-process"])[0]) for _ in range(rounds)]
    return tuple(statistics.median(seconds) for seconds in zip(*pairs))


def planning(runs, rounds):
    """Median seconds and peak memory of planning the ten thousand cells with ten times as many variants."""
    larger = Path(runs.folder.name) / "hundred_thousand_cells.toml"
    text = TEN_THOUSAND_CELLS.read_text()
    assert text.count("[1000, 100000, 100]") == 1
    larger.write_text(text.replace("[1000, 100000, 100]", "[1000, 100000, 1000]"))
    pairs = [runs.seconds(larger, 2, options=["--plan"]) for _ in range(rounds)]
    return statistics.median(seconds for seconds, _ in pairs), max(memory for _, memory in pairs)


def merge(runs, study, shards, rounds):
    """Median seconds of merging a study's shards, and the peak memory of it."""
    folder = Path(runs.folder.name)
    for index in range(1, shards + 1):
        command = [runs.binary, "run", study, "--shard", f"{index}/{shards}", "-o", folder / "shard.h5"]
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    files = [folder / f"shard.{index}-of-{shards}.h5.journal" for index in range(1, shards + 1)]
    pairs = []
    for _ in range(rounds):
        start = time.perf_counter()
        process = subprocess.Popen([runs.binary, "merge", "-o", folder / "merged.h5", *files], stdout=subprocess.DEVNULL)
        memory = runs.finish(process)
        pairs.append((time.perf_counter() - start, memory))
    return statistics.median(seconds for seconds, _ in pairs), max(memory for _, memory in pairs)

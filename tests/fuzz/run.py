# SPDX-License-Identifier: Apache-2.0
"""run.py BUILD [SECONDS] [TARGET ...]: runs the fuzz targets for so long each, as many at once as there are processors, and
ends with 1 if there was a finding. What it does with a crash inside libhdf5 is said in fuzzing.md."""

import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPTIONS = {
    "study": ["-max_len=4096", f"-dict={HERE / 'toml.dict'}"],
    "descriptor": ["-max_len=2048"],
    "library": ["-max_len=512"],
    "record": ["-max_len=4096"],
    "arrays": ["-max_len=1024"],
    "dump": ["-max_len=1024", "-len_control=0"],
    "results_bytes": ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"],  # HDF5 crashes too often
    "results_objects": ["-max_len=600", "-len_control=0"],
}
WITH_HDF5 = {"results_bytes", "results_objects"}  # whose crashes may be the library's own
RUNTIME = re.compile(r"asan|ubsan|sanitizer|fuzzer::|/fuzz_\w+\+|libc\.so|libstdc\+\+|nptl|sysdeps|stdlib/|LLVMFuzzer")
FRAME = re.compile(r"^\s+#\d+ 0x\w+\s+(.*)$")


def stacks(report):
    """The stacks of a report, each a list of frames."""
    found, current = [], []
    for line in report.splitlines():
        frame = FRAME.match(line)
        if frame:
            current.append(frame.group(1))
        elif current:
            found.append(current)
            current = []
    return found + [current] if current else found


def is_of_hdf5(report):
    """Whether HDF5 crashed on memory of its own: an overflow that it commits in a buffer of ours is a mistake of ours."""
    if "FINDING:" in report or "runtime error:" in report or "located in stack of" in report:
        return False
    first = []
    for stack in stacks(report):
        frames = [frame for frame in stack if "libhdf5" in frame or not RUNTIME.search(frame)]
        first += frames[:1]
    return bool(first) and all("libhdf5" in frame for frame in first)


class Target:
    def __init__(self, build, name, scratch):
        self.name, self.scratch = name, scratch
        self.program = build / "fuzz" / f"fuzz_{name}"
        self.corpus, self.findings = build / "corpus" / name, build / "findings" / name
        self.seeds = [folder for folder in (HERE / "corpus" / name, build / "seeds" / name) if folder.is_dir()]
        self.runs = self.of_hdf5 = self.lost = self.reports = 0
        self.ours = []  # (input, report)

    def call(self, *arguments, environment=None):
        done = subprocess.run([self.program, "-timeout=30", "-rss_limit_mb=4096", *map(str, arguments)], cwd=self.scratch,
                              env=os.environ | {"TMPDIR": str(self.scratch)} | (environment or {}), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, errors="replace")
        return done.returncode, done.stdout + done.stderr

    def fuzz(self, seconds):
        shutil.rmtree(self.findings, ignore_errors=True)
        for folder in (self.corpus, self.findings):
            folder.mkdir(parents=True, exist_ok=True)
        end, judged = time.monotonic() + seconds, set()
        # libFuzzer throws away what a job says whose crash it passes over, so these reports go into files.
        aside = {"ASAN_OPTIONS": f"log_path={self.scratch / 'report'}"} if self.passes_over_crashes() else {}
        while not self.ours and (left := round(end - time.monotonic())) > 0:
            code, said = self.call(f"-max_total_time={left}", f"-artifact_prefix={self.findings}/", "-print_final_stats=1",
                                   *OPTIONS[self.name], self.corpus, *self.seeds, environment=aside)
            counts = re.findall(r"stat::number_of_executed_units: (\d+)|^#(\d+):? ", said, re.MULTILINE)
            self.runs += max((int(a or b) for a, b in counts), default=0)
            new = sorted(set(self.findings.iterdir()) - judged)
            for file in new:
                self.judge(file)
            judged.update(new)
            self.judge_reports()
            if code != 0 and not new:
                self.ours.append((self.program, said[-4000:]))  # it did not even begin

    def passes_over_crashes(self):
        return "-ignore_crashes=1" in OPTIONS[self.name]

    def judge_reports(self):
        """What jobs said that crashed: the inputs before may have prepared a crash, which then does not come again alone."""
        for file in sorted(self.scratch.glob("report.*")):
            self.reports += 1
            report = file.read_text(errors="replace")
            if not is_of_hdf5(report):
                self.ours.append((f"with one of {self.findings}, perhaps only after many others", report[-4000:]))
            file.unlink()

    def unexplained(self):
        """How many crashes neither come again alone nor left a report."""
        crashes = sum(path.name.startswith("crash-") for path in self.findings.iterdir())
        return max(0, crashes - self.reports) if self.passes_over_crashes() else self.lost

    def judge(self, file):
        code, report = self.call(file)
        if code == 0:
            self.lost += 1
        elif self.name in WITH_HDF5 and is_of_hdf5(report):
            self.of_hdf5 += 1
        else:
            self.ours.append((file, report[-4000:]))

    def report(self):
        line = f"{self.name}: {self.runs} runs, {len(self.ours)} findings"
        if self.name in WITH_HDF5:
            line += f", {self.of_hdf5} crashes of HDF5 itself"
        if self.lost:
            line += f", {self.lost} crashes that do not come again alone"
        if self.lost and self.passes_over_crashes():
            line += f" (all {self.reports} reports of jobs were judged, too; {self.unexplained()} left none)"
        print(line, flush=True)
        for file, report in self.ours:
            print(f"{report}\nagain: {self.program} {file}", flush=True)
        return bool(self.ours) or self.runs == 0 or self.unexplained() > 0


def main():
    build = Path(sys.argv[1]).resolve()
    words = sys.argv[2:]
    seconds = int(words.pop(0)) if words and words[0].isdigit() else 20
    unknown = [word for word in words if word not in OPTIONS]
    if unknown:
        sys.exit(f"there is no target {unknown[0]}: choose from {', '.join(OPTIONS)}")
    subprocess.run([build / "fuzz/fuzz_seeds", build / "seeds"], check=True)
    folder, source = build / "seeds/results_objects", random.Random(20261121)
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(40):
        (folder / f"seed-{number}").write_bytes(source.randbytes(20 + 7 * number))
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="poslab-fuzz-", dir=memory) as scratch:
        def one(target):
            own = Path(scratch) / target
            own.mkdir()
            fuzzed = Target(build, target, own)
            fuzzed.fuzz(seconds)
            return fuzzed.report()
        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
            worst = sum(pool.map(one, words or OPTIONS))
    sys.exit(1 if worst else 0)


if __name__ == "__main__":
    main()

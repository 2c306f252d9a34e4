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
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
OPTIONS = {  # those of HDF5 go on after a crash, since most are the library's own
    "study": ["-max_len=4096", f"-dict={HERE / 'toml.dict'}"],
    "descriptor": ["-max_len=2048"],
    "library": ["-max_len=512"],
    "record": ["-max_len=4096"],
    "results_bytes": ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1"],
    "results_objects": ["-fork=1", "-ignore_crashes=1", "-ignore_timeouts=1", "-ignore_ooms=1", "-max_len=600", "-len_control=0"],
}
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


def run(build, target, seconds, scratch):
    program = build / "fuzz" / f"fuzz_{target}"
    corpus, findings = build / "corpus" / target, build / "findings" / target
    shutil.rmtree(findings, ignore_errors=True)
    for folder in (corpus, findings):
        folder.mkdir(parents=True, exist_ok=True)
    seeds = [folder for folder in (HERE / "corpus" / target, build / "seeds" / target) if folder.is_dir()]
    environment = os.environ | {"TMPDIR": str(scratch)}
    options = ["-timeout=30", "-rss_limit_mb=4096", f"-artifact_prefix={findings}/", "-print_final_stats=1", *OPTIONS[target]]
    done = subprocess.run([program, f"-max_total_time={seconds}", *options, corpus, *seeds], cwd=scratch, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    said = done.stdout + done.stderr
    runs = re.findall(r"stat::number_of_executed_units: (\d+)|^#(\d+):? cov", said, re.MULTILINE)
    ours, theirs, lost = [], 0, 0
    for file in sorted(findings.iterdir()):
        if "-fork=1" not in options:
            ours.append((file, said[-4000:]))
            continue
        again = subprocess.run([program, "-timeout=30", "-rss_limit_mb=4096", file], cwd=scratch, env=environment,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        report = again.stdout + again.stderr
        if again.returncode == 0:
            lost += 1
        elif is_of_hdf5(report):
            theirs += 1
        else:
            ours.append((file, report[-4000:]))
    if done.returncode != 0 and not ours and "-fork=1" not in options:
        ours.append((program, said[-4000:]))
    count = max((int(a or b) for a, b in runs), default=0)
    line = f"{target}: {count} runs, {len(ours)} findings"
    if "-fork=1" in options:
        line += f", {theirs} crashes of HDF5 itself, {lost} that do not come again"
    print(line, flush=True)
    for file, report in ours:
        print(f"{report}\nagain: {program} {file}", flush=True)
    return len(ours) + (count == 0)


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
            return run(build, target, seconds, own)
        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
            worst = sum(pool.map(one, words or OPTIONS))
    sys.exit(1 if worst else 0)


if __name__ == "__main__":
    main()

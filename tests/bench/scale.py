# SPDX-License-Identifier: Apache-2.0
"""What one cell costs by its length: processor time and peak memory of a whole run, and the exponents of both."""

import math
import os
import time
from pathlib import Path

WIDTH, HEADS = 512, 8
# (experiment, scheme, axes beside the length, lengths)
DOUBLED_TWICE = [8192, 32768, 131072, 524288, 1048576]
SERIES = [
    ("uniqueness", "sinusoidal", {}, DOUBLED_TWICE),
    ("uniqueness", "rope", {}, DOUBLED_TWICE),
    ("uniqueness", "learned", {}, [8192, 16384, 32768, 65536]),
    ("uniqueness", "learned", {"search": "sampled"}, [8192, 32768, 131072]),
    ("relative-shift", "sinusoidal", {}, [4096, 8192, 32768, 131072]),
    ("relative-shift", "rope", {}, [4096, 8192, 32768, 131072]),
    ("relative-shift", "learned", {}, [4096, 8192, 16384]),
]


def study_text(experiment, scheme, axes, length):
    values = {"length": length, "dtype": "float32", **axes}
    listed = ", ".join(f"{name} = [{value}]" if isinstance(value, int) else f'{name} = ["{value}"]' for name, value in values.items())
    return (
        f'format = 1\ntitle = "{experiment} of {scheme}"\n[model]\nd_model = {WIDTH}\nheads = {HEADS}\n'
        f'[[scheme]]\nuse = "{scheme}"\n[[experiment]]\nuse = "{experiment}"\nrepeats = 1\naxes = {{ {listed} }}\n'
    )


def measure(runs, study):
    """Wall seconds, processor seconds and peak bytes of a run whose cell is performed in its own process."""
    start = time.perf_counter()
    process = runs.start(study, threads=2, options=["--in-process"])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{study.read_text()}: exit code {process.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def exponent(points):
    """Slope of the least-squares line through logarithms."""
    x, y = [math.log(a) for a, _ in points], [math.log(b) for _, b in points]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def print_scale(runs, machine):
    print(f"\nOne cell by its length, float32, width {WIDTH}, {HEADS} heads, two threads; {machine}; load {os.getloadavg()[0]:.1f}")
    print("Start, results file and drawing of weights included; processor time is that of all threads, user and system.\n")
    print("| experiment | scheme | length | wall | processor | peak memory | exponent from the length before |")
    print("|---|---|---|---|---|---|---|")
    for experiment, scheme, axes, lengths in SERIES:
        points = []
        for length in lengths:
            study = Path(runs.folder.name) / "scale.toml"
            study.write_text(study_text(experiment, scheme, axes, length))
            wall, processor, memory = measure(runs, study)
            points.append((length, processor))
            name = " ".join([experiment, *axes.values()])
            slope = f"{exponent(points[-2:]):.2f}" if len(points) > 1 else ""
            print(f"| {name} | {scheme} | {length:,} | {wall:.2f} s | {processor:.2f} s | {memory / 2**20:,.0f} MiB | {slope} |", flush=True)

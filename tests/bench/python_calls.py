# SPDX-License-Identifier: Apache-2.0
"""What calls from Python, and into schemes that are written in Python, cost: each number beside the most that is wanted.

    ./dev bench --only python

Where others use the machine, too, the least of many rounds is what counts; processor time is that of both processes.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy

PACKAGE = Path(__file__).resolve().parents[2] / "results/python"
EMPTY = """import poslab
@poslab.define(id="empty")
class Empty:
    def encode(self, positions):
        return positions[:, None]
"""
BIAS = """import numpy as np, poslab
@poslab.define(id="np-alibi", claims={"relative", "content_free", "length_free"})
class NpAlibi:
    def bias(self, q, k, heads):
        slope = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
        return -slope[:, None, None] * abs(q[:, None] - k[None, :])
"""
LOG_BIAS = BIAS.replace("np-alibi", "np-log").replace("abs(q[:, None] - k[None, :])", "np.log1p(abs(q[:, None] - k[None, :]))")
ROTARY = """import numpy as np, poslab
@poslab.define(id="np-rope", claims={"isometry", "relative", "content_free", "length_free", "bounded"}, real_positions=True)
class NpRope:
    def rotate(self, positions, head_width):
        return positions[:, None] * 10000.0 ** (-np.arange(0, head_width, 2) / head_width)
"""
FILES = {"empty": EMPTY, "np_alibi": BIAS, "np_log": LOG_BIAS, "np_rope": ROTARY}
STUDY = """format = 1
title = "twins in NumPy and C++"
model = { d_model = 128, heads = 8 }
scheme = [{ use = "alibi" }, { use = "np_alibi.py" }, { use = "rope" }, { use = "np_rope.py" }]
[[experiment]]
use = "relative-shift"
axes = { length = [512] }
repeats = 5
"""


def processor_seconds():
    """What this process and those that it has started have used."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return time.process_time() + sum(int(Path(f"/proc/{each}/schedstat").read_text().split()[0]) * 1e-9 for each in children)


def least(works, calls, rounds):
    """For each of the works the least seconds of a call, and of processor time: rounds of so many calls, in turns."""
    found = [(float("inf"), float("inf"))] * len(works)
    for _ in range(rounds):
        for place, work in enumerate(works):
            used, began = processor_seconds(), time.perf_counter()
            for _ in range(calls):
                work()
            each = (time.perf_counter() - began) / calls, (processor_seconds() - used) / calls
            found[place] = tuple(map(min, found[place], each))
    return found


def log_bias(at, heads=8):
    """LOG_BIAS in this process."""
    slope = 2.0 ** (-8 * numpy.arange(1, heads + 1) / heads)
    return -slope[:, None, None] * numpy.log1p(abs(at[:, None] - at[None, :]))


def calls(poslab, folder, rounds):
    one, at = numpy.zeros(1), numpy.arange(512.0)
    library = poslab.scheme("index", d_model=1, heads=1)
    empty = poslab.scheme(folder / "empty.py", d_model=1, heads=1)
    for name, scheme, most in (("through the library", library, 10), ("of a Python scheme, through its process", empty, 20)):
        [(seconds, processor)] = least([lambda scheme=scheme: scheme.encode(one)], 300, 20 * rounds)
        print(f"| empty call {name} | {seconds * 1e6:.1f} us | {processor * 1e6:.1f} us | {most} us |", flush=True)
    bias = poslab.scheme(folder / "np_log.py", d_model=64, heads=8)
    (ours, processor), (own, _) = least([lambda: bias.bias(at, at), lambda: log_bias(at)], 3, 10 * rounds)
    print(f"| bias 512 × 512 × 8 of a NumPy scheme, over NumPy's own time | {ours * 1e3:.2f} ms / {own * 1e3:.2f} ms = {ours / own:.2f} | "
          f"{processor * 1e3:.2f} ms | 2 |", flush=True)
    [(seconds, _)] = least([lambda: poslab.scheme(folder / "empty.py", d_model=1, heads=1)], 1, 3 * rounds)
    print(f"| start of the process, with NumPy | {seconds:.2f} s |  | 0.3 s |", flush=True)


def cells(binary, folder, rounds):
    """Cells' own seconds: the process has been started before."""
    found = {}
    (folder / "twins.toml").write_text(STUDY)
    for _ in range(rounds):
        subprocess.run([binary, "run", "twins.toml", "-o", "twins.h5", "--fresh", "--threads", "1", "--workers", "1"], cwd=folder, check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with h5py.File(folder / "twins.h5") as file:
            scheme_of = dict(zip(file["cell"][:], file["scheme"].asstr()[:]))
            for cell, seconds in zip(file["provenance/cell"][:], file["provenance/seconds"][:]):
                found[scheme_of[cell]] = min(found.get(scheme_of[cell], float("inf")), seconds)
    for ours, twin in (("np-alibi", "alibi"), ("np-rope", "rope")):
        print(f"| relative-shift at 512, {twin} in NumPy over {twin} in C++ | {found[ours] * 1e3:.1f} ms / {found[twin] * 1e3:.1f} ms = "
              f"{found[ours] / found[twin]:.2f} |  | 3 |", flush=True)


def print_calls(build, rounds, machine):
    os.environ["POSLAB_LIBRARY"], os.environ["POSLAB_PYTHON"] = str(build / "lib/libposlab.so"), sys.executable
    sys.path.insert(0, str(PACKAGE))
    import poslab
    print(f"\nCalls from Python {sys.version.split()[0]} with NumPy {numpy.__version__}; {machine}; load {os.getloadavg()[0]:.1f}\n")
    print("| what | least | processor | wanted at most |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in FILES.items():
            (Path(folder) / f"{name}.py").write_text(text)
        calls(poslab, Path(folder), rounds)
        cells(build / "bin/poslab", Path(folder), rounds)

# SPDX-License-Identifier: Apache-2.0
"""Steps of training beside PyTorch's, a run of the one after a run of the other."""

import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PEER = Path(__file__).resolve().parent / "peers/training.py"
TOKENS = 16 * 128
# scheme -> at least this many times as fast as the peer
WANTED = {"none": 3, "sinusoidal": 3, "learned": 3, "rope": 3, "alibi": 3, "t5": 3, "shaw": 2}


def peers():
    """scheme -> seconds of a step"""
    lines = subprocess.run([sys.executable, PEER], check=True, capture_output=True, text=True).stdout.splitlines()
    return {found["name"]: found["seconds"] for found in map(json.loads, lines)}


def ours(binary):
    """(scheme, threads) -> the entry of its benchmark, and "peak"."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bench.json"
        arguments = ["--benchmark_filter=^training_", "--benchmark_min_time=0.5", f"--benchmark_out={out}"]
        subprocess.run([binary, *arguments, "--benchmark_out_format=json"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        entries = json.loads(out.read_text())["benchmarks"]
    found = {}
    for entry in entries:
        kind, *words = entry["run_name"].removesuffix("/real_time").split("/")
        if kind == "training_peak":
            found["peak"] = entry
        elif kind == "training_step":
            found[words[0], int(words[1].removeprefix("threads:"))] = entry
    return found


def print_training(binary, rounds, machine):
    mine, theirs = [], []
    for _ in range(rounds):
        mine.append(ours(binary))
        if importlib.util.find_spec("torch") is not None:
            theirs.append(peers())
    rate = statistics.median(found["peak"]["operations"] for found in mine)
    schemes = list(dict.fromkeys(key[0] for key in mine[0] if key != "peak"))
    step = {key: statistics.median(found[key]["real_time"] for found in mine) * 1e-3 for key in mine[0] if key != "peak"}
    print(f"\nA step of training, float32, 16 sequences of 128 tokens, medians of {rounds} rounds; {machine}")
    print(f"Products of 512 × 512 matrices on two threads: {rate * 1e-9:.0f} Gflop/s\n")
    print("| scheme | PyTorch, two threads | poslab, two threads | ratio | wanted | share of the products' rate | two threads over one | over rope | allocations |")
    print("|---|---|---|---|---|---|---|---|---|")
    for scheme in schemes:
        two, one = step[scheme, 2], step[scheme, 1]
        entry = mine[-1][scheme, 2]
        peer = statistics.median(found[scheme] for found in theirs) if theirs and scheme in WANTED else None
        cells = [scheme, f"{TOKENS / peer:.0f} tokens/s" if peer else "", f"{TOKENS / two:.0f} tokens/s"]
        cells += [f"{peer / two:.1f}" if peer else "", str(WANTED.get(scheme, ""))]
        cells += [f"{entry['operations'] / two / rate:.2f}", f"{one / two:.2f}", f"{two / step['rope', 2]:.1f}", f"{entry['allocations']:.0f}"]
        print("| " + " | ".join(cells) + " |", flush=True)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Times poslab beside PyTorch in one go and prints the tables of speed.md.

    ./dev bench [--rounds N] [--only measurements | training | runs | schemes | scale | python | build]

Absolute times mean little on a machine that others use too: runs of the peer and of poslab are interleaved, and the ratios
are what counts.
"""

import argparse
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import build_times
import processes
import python_calls
import scale
import training_times

PEERS = Path(__file__).resolve().parent / "peers/measurements.py"
# name -> (what it is, at least this many times as fast as the peer)
MEASUREMENTS = {
    "closest_pair": ("closest pair of 8192 × 512, float32", 5),
    "toeplitz_residual": ("Toeplitz residual of 8192 × 512, float64", 2),
    "rotary_application": ("rotary application to 32 × 4096 × 128, float32", 8),
    "sinusoidal_table": ("sinusoidal table 8192 × 512, float32", 12),
    "norm_ratio": ("norm ratio of 32 × 4096 × 128, float32", None),
}
NO_TORCH = """PyTorch is not installed, so poslab is timed alone. For the ratios, as root:
  apt-get install -y --no-install-recommends python3-torch libopenblas0-pthread
(without libopenblas0-pthread, PyTorch multiplies matrices in the reference BLAS: no fair peer)
"""


def machine():
    with open("/proc/cpuinfo") as lines:
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), platform.machine())
    return f"{model}, {len(os.sched_getaffinity(0))} cores"


def time_peers():
    """name -> (seconds, value), and who the peer is."""
    found, lines = {}, subprocess.run([sys.executable, PEERS], check=True, capture_output=True, text=True).stdout.splitlines()
    peer = json.loads(lines[0])
    for line in map(json.loads, lines[1:]):
        found[line["name"]] = (line["seconds"], line["value"])
    return found, f"{peer['peer']} with {peer['blas']}"


def time_ours(binary):
    """name -> (seconds, value)"""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bench.json"
        names = "|".join([*MEASUREMENTS, "reading"])
        arguments = [f"--benchmark_filter=^({names})(/|$)", "--benchmark_repetitions=5", "--benchmark_min_time=0.05"]
        arguments += [f"--benchmark_out={out}", "--benchmark_out_format=json"]
        subprocess.run([binary, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = json.loads(out.read_text())
    medians = [entry for entry in report["benchmarks"] if entry.get("aggregate_name") == "median"]
    seconds_of = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    return {
        entry["run_name"].split("/")[0]: (entry["real_time"] * seconds_of[entry["time_unit"]], entry.get("value", float("nan")))
        for entry in medians
    }


def compare_measurements(binary, rounds):
    peers, ours, who = [], [], None
    if importlib.util.find_spec("torch") is None:
        print(NO_TORCH)
    for _ in range(rounds):
        ours.append(time_ours(binary))
        if importlib.util.find_spec("torch") is not None:
            found, who = time_peers()
            peers.append(found)
    print(f"Medians of {rounds} rounds of 5 runs, two threads each; {machine()}; peer: {who or 'none'}\n")
    print("| what | peer | poslab | ratio | wanted | value of the peer | value of poslab |")
    print("|---|---|---|---|---|---|---|")
    for name, (sentence, wanted) in MEASUREMENTS.items():
        if not all(name in found for found in ours):
            continue
        mine = statistics.median(found[name][0] for found in ours)
        theirs = statistics.median(found[name][0] for found in peers) if peers else None
        cells = [sentence, f"{theirs * 1e3:.1f} ms" if peers else "", f"{mine * 1e3:.1f} ms"]
        cells += [f"{theirs / mine:.1f}" if peers else "", f"{wanted}" if wanted else ""]
        cells += [f"{peers[-1][name][1]:.7g}" if peers else "", f"{ours[-1][name][1]:.7g}"]
        print("| " + " | ".join(cells) + " |", flush=True)
    # The best rounds are compared: what the machine is kept from by others says nothing of the two.
    norms, reading = (min(found[name][0] for found in ours) for name in ("norm_ratio", "reading"))
    print(f"\nNorm ratio over the time of reading its input: {norms * 1e3:.2f} ms / {reading * 1e3:.2f} ms = {norms / reading:.1f}")


def compare_schemes(binary):
    """Each operation of each scheme beside what touching its output costs, and beside its arithmetic at the peak rate."""
    counted = json.loads((Path(__file__).resolve().parent / "arithmetic.json").read_text())
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bench.json"
        arguments = ["--benchmark_filter=^scheme/", f"--benchmark_out={out}", "--benchmark_out_format=json"]
        subprocess.run([binary, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        entries = json.loads(out.read_text())["benchmarks"]
    print(f"\nOperations on 8192 positions, float32, one thread, through the host; {machine()}\n")
    print("| operation | time | memory floor | of that | arithmetic bound | of that | counted |\n|---|---|---|---|---|---|---|")
    for entry in sorted(entries, key=lambda entry: entry["run_name"]):
        name = entry["run_name"].split("/", 1)[1].removesuffix("/real_time")
        if entry.get("error_occurred"):
            print(f"| {name} | {entry['error_message']} | | | | | |")
            continue
        seconds, floor = entry["real_time"] * 1e-3, entry["floor"]
        cells = [name, f"{seconds * 1e3:.3g} ms", f"{floor * 1e3:.2g} ms", f"{seconds / floor:.1f}"]
        if name in counted:
            sizes = {size: int(entry[size]) for size in ("N", "Nq", "H", "K", "D", "elements")}
            sizes["pairs"] = sizes["H"] * sizes["Nq"] * sizes["N"]
            bound = eval(counted[name][0], {}, sizes) / entry["peak"]  # our own data
            cells += [f"{bound * 1e3:.3g} ms", f"{seconds / bound:.1f}", counted[name][1]]
        else:
            cells += ["", "", "memory only"]
        print("| " + " | ".join(cells) + " |", flush=True)


def journal_costs(bench):
    """Seconds for one small cell kept, and for opening a journal of 100,000."""
    with tempfile.TemporaryDirectory(dir=".") as folder:
        out = Path(folder) / "bench.json"
        arguments = ["--benchmark_filter=^journal/", f"--benchmark_out={out.resolve()}", "--benchmark_out_format=json"]
        subprocess.run([bench, *arguments], check=True, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        milliseconds = {entry["name"].split("/")[1]: entry["real_time"] for entry in json.loads(out.read_text())["benchmarks"]}
    return milliseconds["add"] * 1e-3 / 10_000, milliseconds["open"] * 1e-3


def compare_runs(binary, bench, rounds):
    runs = processes.Runs(binary)
    print(f"\nWhole runs, medians of {rounds}; {machine()}\n\n| what | reached | wanted |\n|---|---|---|")
    seconds, memory = processes.whole_run(runs, processes.QUICKSTART, 2, rounds)
    print(f"| quickstart, two threads | {seconds:.1f} s, {memory / 2**20:.0f} MiB | under 15 s, under 2048 MiB |", flush=True)
    seconds, _ = processes.whole_run(runs, processes.TEN_THOUSAND_CELLS, 2, rounds)
    print(f"| 10,000 trivial cells, journal and file included | {seconds:.1f} s | under 10 s |", flush=True)
    worker, here = processes.worker_cost(runs, processes.LONG_CONTEXTS, rounds)
    sentence = "long-contexts in a worker, and in poslab's own process"
    print(f"| {sentence} | {worker:.2f} s / {here:.2f} s: {100 * (worker / here - 1):+.1f} % | under +3 % |", flush=True)
    worker, here = processes.worker_cost(runs, processes.ONE_CELL, 5 * rounds)
    print(f"| what starting a worker takes: a study of one cell | {1e3 * (worker - here):+.0f} ms | under 50 ms |", flush=True)
    seconds, memory = processes.planning(runs, rounds)
    print(f"| 100,000 cells planned | {seconds:.1f} s, {memory / 2**20:.0f} MiB | under 3 s, under 500 MiB |", flush=True)
    seconds, memory = processes.merge(runs, processes.TEN_THOUSAND_CELLS, 40, rounds)
    print(f"| merge of 40 shards of 250 cells | {seconds:.1f} s, {memory / 2**20:.0f} MiB | under 5 s |", flush=True)
    threads, independent = processes.second_thread(runs, processes.LONG_CONTEXTS, rounds)
    sentence = "speed-up of two threads over that of two independent processes, long-contexts"
    print(f"| {sentence} | {threads:.2f} / {independent:.2f} = {threads / independent:.2f} | at least 0.9 |", flush=True)
    kept, opened = journal_costs(bench)
    print(f"| journal, a cell | {kept * 1e3:.3f} ms | under 0.2 ms |", flush=True)
    print(f"| opening a journal of 100,000 cells, every checksum verified | {opened:.2f} s | |", flush=True)


def print_build_times(parent):
    print(f"\nBuilding with {build_times.JOBS} jobs; {machine()}\n\n| what | reached | wanted |\n|---|---|---|")
    for sentence, seconds, limit in build_times.measure(parent):
        print(f"| {sentence} | {seconds:.1f} s | under {limit} s |", flush=True)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench")
    parser.add_argument("--build", type=Path, required=True, help="the build folder (./dev fills it in)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=["measurements", "training", "runs", "schemes", "scale", "python", "build"])
    options = parser.parse_args()
    if options.only in (None, "measurements"):
        compare_measurements(options.build / "bench/poslab_bench", options.rounds)
    if options.only in (None, "training"):
        training_times.print_training(options.build.resolve(), options.rounds, machine())
    if options.only in (None, "runs"):
        compare_runs(options.build / "bin/poslab", options.build / "bench/poslab_bench", options.rounds)
    if options.only in (None, "schemes"):
        compare_schemes(options.build / "bench/poslab_bench")
    if options.only in (None, "scale"):
        scale.print_scale(processes.Runs(options.build / "bin/poslab"), machine())
    if options.only in (None, "python"):
        python_calls.print_calls(options.build.resolve(), options.rounds, machine())
    if options.only == "build":  # a quarter of an hour, so only when it is asked for
        print_build_times(options.build.parent)


if __name__ == "__main__":
    main()

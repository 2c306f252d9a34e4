# SPDX-License-Identifier: Apache-2.0
"""Steps of training beside PyTorch's, a run of the one after a run of the other: the interpreter's PyTorch, and that of `./dev peers`
where it is installed.
"""

import importlib.util
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PEER = Path(__file__).resolve().parent / "peers/training.py"
CURRENT = Path("peers/bin/python")  # in build
TOKENS = 2048
# scheme -> at least this many times as fast as PyTorch 1.13
WANTED = {"none": 3, "sinusoidal": 3, "learned": 3, "rope": 3, "alibi": 3, "t5": 3, "shaw": 2}
SIZES = [(width, length) for width in (64, 128, 256) for length in (128, 512, 2048)]
SCHEMES_OF_SIZES = ["none", "rope", "alibi"]


def interpreters(build):
    """Those that have PyTorch."""
    found = [Path(sys.executable)] if importlib.util.find_spec("torch") else []
    current = build.parent / CURRENT
    return found + ([current] if current.exists() else [])


def peers(python, schemes, *options):
    """scheme -> seconds of a step; and PyTorch's version"""
    lines = subprocess.run([python, "-B", PEER, *options, *schemes], check=True, capture_output=True, text=True).stdout.splitlines()
    found = [json.loads(line) for line in lines]
    return {one["name"]: one["seconds"] for one in found}, found[0]["version"].split("+")[0]


def ours(binary, wanted):
    """Name of a benchmark, without training_, -> its entry."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "bench.json"
        arguments = [f"--benchmark_filter=^training_{wanted}", "--benchmark_min_time=0.5", f"--benchmark_out={out}"]
        subprocess.run([binary, *arguments, "--benchmark_out_format=json"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        entries = json.loads(out.read_text())["benchmarks"]
    return {entry["run_name"].removesuffix("/real_time").removeprefix("training_"): entry for entry in entries}


class Rounds:
    """Measurements of several rounds, of which medians are taken."""

    def __init__(self):
        self.seconds, self.last = {}, {}

    def add(self, key, seconds, entry=None):
        self.seconds.setdefault(key, []).append(seconds)
        self.last[key] = entry

    def median(self, key):
        return statistics.median(self.seconds[key]) if key in self.seconds else None


def print_training(build, rounds, machine):
    binary, found = build / "bench/poslab_bench", Rounds()
    pythons = interpreters(build)
    versions, rates = {}, []
    for _ in range(rounds):
        for name, entry in ours(binary, "(peak|step)").items():
            found.add(name, entry["real_time"] * 1e-3, entry)
        rates.append(found.last["peak"]["operations"])
        for python in pythons:
            seconds, versions[python] = peers(python, WANTED)
            for scheme, one in seconds.items():
                found.add((python, scheme), one)
    rate = statistics.median(rates)
    print(f"\nA step of training, float32, width 128, 16 sequences of 128 tokens, two threads, medians of {rounds} rounds; {machine}")
    print(f"Products of 512 × 512 matrices on two threads: {rate * 1e-9:.0f} Gflop/s\n")
    header(["scheme", *heads(pythons, versions), "wanted", "share of the products' rate", "two threads over one", "over rope", "allocations"])
    for scheme in dict.fromkeys(name.split("/")[1] for name in found.last if str(name).startswith("step/")):
        two, one, rope = (found.median(f"step/{name}/threads:{threads}") for name, threads in ((scheme, 2), (scheme, 1), ("rope", 2)))
        entry = found.last[f"step/{scheme}/threads:2"]
        row([scheme, *beside(two, [found.median((python, scheme)) for python in pythons]), str(WANTED.get(scheme, "")),
             f"{entry['operations'] / two / rate:.2f}", f"{one / two:.2f}", f"{two / rope:.1f}", f"{entry['allocations']:.0f}"])
    print_sizes(binary, pythons, versions, rounds)


def print_sizes(binary, pythons, versions, rounds):
    found = Rounds()
    for _ in range(rounds):
        for width, length in SIZES:
            for name, entry in ours(binary, f"size/.*/width:{width}/length:{length}/").items():
                found.add((name.split("/")[1], width, length), entry["real_time"] * 1e-3)
            for python in pythons:
                seconds, _ = peers(python, SCHEMES_OF_SIZES, "--width", str(width), "--length", str(length), "--steps", "2")
                for scheme, one in seconds.items():
                    found.add((python, scheme, width, length), one)
    print(f"\nThe same by width and length, {TOKENS} tokens a step\n")
    header(["width", "length", "scheme", *heads(pythons, versions)])
    for width, length in SIZES:
        for scheme in SCHEMES_OF_SIZES:
            theirs = [found.median((python, scheme, width, length)) for python in pythons]
            row([str(width), str(length), scheme, *beside(found.median((scheme, width, length)), theirs)])


def heads(pythons, versions):
    return ["poslab, tokens/s", *[f"PyTorch {versions.get(python, '')}, ratio" for python in pythons]]


def beside(mine, theirs):
    """Tokens a second, and for each peer its own with our ratio to it."""
    return [f"{TOKENS / mine:.0f}", *[f"{TOKENS / one:.0f}, {one / mine:.1f}" if one else "" for one in theirs]]


def header(words):
    row(words)
    print("|" + "---|" * len(words))


def row(words):
    print(f"| {' | '.join(words)} |", flush=True)

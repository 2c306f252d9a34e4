# SPDX-License-Identifier: Apache-2.0
"""The measurements that poslab is timed against, as a researcher would write them in PyTorch.

    /usr/bin/python3 measurements.py [--runs N] [--threads N] [--only NAME ...]

Prints a JSON object per measurement: its name, the median seconds of N runs after a warm-up, and the value found, so
that one can see that both sides computed the same thing. float32 but where a comment says why not.
"""

import argparse
import json
import math
import statistics
import time

import torch

POSITIONS, WIDTH = 8192, 512  # of the sinusoidal table
HEADS, LENGTH, HEAD_WIDTH = 32, 4096, 128  # of the rotated queries


def sinusoidal_table(positions, width, base=10000.0, dtype=torch.float32):
    """[N, D], sine and cosine interleaved. Angles in float64: in float32 they are wrong by 1e-4 at position 8192."""
    frequency = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
    angle = positions.double()[:, None] * frequency
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1).to(dtype)


def rotate(x, positions, base=10000.0):
    """RoPE on x [.., N, K]: the pair (i, i + K/2) rotates by p * base^(-2i/K)."""
    half = x.shape[-1] // 2
    frequency = base ** (-torch.arange(half, dtype=torch.float64) / half)
    angle = positions.double()[:, None] * frequency
    cosine, sine = angle.cos().to(x.dtype), angle.sin().to(x.dtype)
    first, second = x[..., :half], x[..., half:]
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], dim=-1)


def scattered(*shape):
    """The same numbers as poslab's queries: multiples of an odd constant, which fill [-1, 1) evenly."""
    indices = torch.arange(math.prod(shape))
    return ((indices * 2654435761 % 2**32).double() / 2**31 - 1).float().reshape(shape)


def closest_pair(table, block=2048):
    """Smallest distance between two rows, from |a|^2 + |b|^2 - 2 a.b in blocks of the upper triangle."""
    squares = table.square().sum(1)
    smallest = math.inf
    for i in range(0, len(table), block):
        for j in range(i, len(table), block):
            product = table[i : i + block] @ table[j : j + block].T
            distances = squares[i : i + block, None] + squares[None, j : j + block] - 2 * product
            if i == j:
                distances.fill_diagonal_(math.inf)
            smallest = min(smallest, distances.min().item())
    return math.sqrt(max(smallest, 0.0))


def toeplitz_residual(table):
    """Largest (max - min) of <e(m), e(n)> along a diagonal m - n = const. float64: float32 products would drown it."""
    gram = table @ table.T
    worst = 0.0
    for offset in range(len(table)):
        diagonal = gram.diagonal(offset)
        worst = max(worst, (diagonal.max() - diagonal.min()).item())
    return worst


def norm_ratio(x, positions):
    """Largest departure of |T x| / |x| from 1."""
    return (rotate(x, positions).norm(dim=-1) / x.norm(dim=-1) - 1).abs().max().item()


def measurements():
    """name -> the function to time; it returns the value found, so that nothing can be left out."""
    positions, places = torch.arange(POSITIONS), torch.arange(LENGTH)
    table = sinusoidal_table(positions, WIDTH)
    exact_table = sinusoidal_table(positions, WIDTH, dtype=torch.float64)
    queries = scattered(HEADS, LENGTH, HEAD_WIDTH)
    return {
        "sinusoidal_table": lambda: sinusoidal_table(positions, WIDTH)[-1, 0].item(),
        "closest_pair": lambda: closest_pair(table),
        "toeplitz_residual": lambda: toeplitz_residual(exact_table),
        "rotary_application": lambda: rotate(queries, places)[0, 1, 0].item(),
        "norm_ratio": lambda: norm_ratio(queries, places),
    }


def blas_library():
    """Which BLAS the products run in: Debian's reference BLAS is more than 10 times slower than its OpenBLAS."""
    torch.ones(2, 2) @ torch.ones(2, 2)
    with open("/proc/self/maps") as maps:
        files = sorted({line.split()[-1] for line in maps if "blas" in line})
    return "OpenBLAS" if any("openblas" in file for file in files) else ", ".join(files) or "unknown"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", metavar="NAME")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    print(json.dumps({"peer": f"PyTorch {torch.__version__}", "blas": blas_library()}), flush=True)
    for name, measure in measurements().items():
        if options.only and name not in options.only:
            continue
        value, seconds = measure(), []
        for _ in range(options.runs):
            start = time.perf_counter()
            measure()
            seconds.append(time.perf_counter() - start)
        print(json.dumps({"name": name, "seconds": statistics.median(seconds), "value": value}), flush=True)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The network that poslab's training is timed against, as a researcher would write it in PyTorch: a pre-norm decoder of the size of
training_bench.cpp, float32, AdamW with clipping.

    /usr/bin/python3 training.py [--steps N] [--threads N] [SCHEME ...]

Prints a JSON object per scheme: its name and the median seconds of a step after two steps of warm-up.
"""

import argparse
import json
import math
import statistics
import time

import torch
from torch import nn
from torch.nn import functional as F

ALPHABET, WIDTH, HEADS, LAYERS, SEQUENCES, LENGTH = 96, 128, 4, 4, 16, 128
HEAD_WIDTH = WIDTH // HEADS
SCHEMES = ["none", "sinusoidal", "learned", "rope", "alibi", "t5", "shaw"]


def sinusoid():
    """[N, D]"""
    angle = torch.arange(LENGTH)[:, None] * 10000.0 ** (-torch.arange(0, WIDTH, 2) / WIDTH)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def t5_buckets(buckets=32, far=128):
    """[N, N]: the bucket of query - key, keys after the query in bucket 0."""
    distance = (torch.arange(LENGTH)[:, None] - torch.arange(LENGTH)).clamp(min=0)
    exact = buckets // 2
    wide = exact + (torch.log(distance.clamp(min=1) / exact) / math.log(far / exact) * (buckets - exact)).long()
    return torch.where(distance < exact, distance, wide.clamp(max=buckets - 1))


class Attention(nn.Module):
    def __init__(self, scheme):
        super().__init__()
        self.scheme = scheme
        self.projections, self.output = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        offset = torch.arange(LENGTH)[None, :] - torch.arange(LENGTH)[:, None]  # key - query
        self.register_buffer("hidden", offset > 0)
        if scheme == "rope":
            angle = torch.arange(LENGTH)[:, None] * 10000.0 ** (-torch.arange(0, HEAD_WIDTH, 2) / HEAD_WIDTH)
            self.register_buffer("cosine", angle.cos())
            self.register_buffer("sine", angle.sin())
        if scheme == "alibi":
            slopes = 2.0 ** (-8.0 * torch.arange(1, HEADS + 1) / HEADS)
            self.register_buffer("bias", slopes[:, None, None] * offset)
        if scheme == "t5":
            self.table = nn.Parameter(0.02 * torch.randn(32, HEADS))
            self.register_buffer("bucket", t5_buckets())
        if scheme == "shaw":
            self.keys, self.values = (nn.Parameter(0.02 * torch.randn(33, HEAD_WIDTH)) for _ in range(2))
            self.register_buffer("row", offset.clamp(-16, 16) + 16)

    def rotate(self, x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat([first * self.cosine - second * self.sine, second * self.cosine + first * self.sine], dim=-1)

    def forward(self, x):
        q, k, v = (y.view(-1, LENGTH, HEADS, HEAD_WIDTH).transpose(1, 2) for y in self.projections(x).chunk(3, dim=-1))
        if self.scheme == "rope":
            q, k = self.rotate(q), self.rotate(k)
        logits = q @ k.transpose(-1, -2)
        if self.scheme == "shaw":  # per query, against its row of relative keys
            relative = q.permute(2, 0, 1, 3).flatten(1, 2) @ self.keys[self.row].transpose(1, 2)
            logits = logits + relative.view(LENGTH, -1, HEADS, LENGTH).permute(1, 2, 0, 3)
        logits = logits / math.sqrt(HEAD_WIDTH)
        if self.scheme == "alibi":
            logits = logits + self.bias
        if self.scheme == "t5":
            logits = logits + self.table[self.bucket].permute(2, 0, 1)
        weights = logits.masked_fill(self.hidden, -math.inf).softmax(dim=-1)
        out = weights @ v
        if self.scheme == "shaw":
            relative = weights.permute(2, 0, 1, 3).flatten(1, 2) @ self.values[self.row]
            out = out + relative.view(LENGTH, -1, HEADS, HEAD_WIDTH).permute(1, 2, 0, 3)
        return self.output(out.transpose(1, 2).flatten(2))


class Layer(nn.Module):
    def __init__(self, scheme):
        super().__init__()
        self.attention = nn.Sequential(nn.LayerNorm(WIDTH), Attention(scheme))
        self.feed_forward = nn.Sequential(
            nn.LayerNorm(WIDTH), nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(approximate="tanh"), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + self.attention(x)
        return x + self.feed_forward(x)


class Decoder(nn.Module):
    def __init__(self, scheme):
        super().__init__()
        self.embedding = nn.Embedding(ALPHABET, WIDTH)
        if scheme == "learned":
            self.positions = nn.Parameter(0.02 * torch.randn(LENGTH, WIDTH))
        else:
            self.register_buffer("positions", sinusoid() if scheme == "sinusoidal" else torch.zeros(()))
        self.layers = nn.Sequential(*(Layer(scheme) for _ in range(LAYERS)), nn.LayerNorm(WIDTH))
        self.head = nn.Linear(WIDTH, ALPHABET, bias=False)

    def forward(self, tokens):
        return self.head(self.layers(self.embedding(tokens) + self.positions))


def median_step(scheme, steps):
    torch.manual_seed(0)
    network = Decoder(scheme)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.01)
    tokens = torch.randint(0, ALPHABET, (SEQUENCES, LENGTH + 1))
    seconds = []
    for _ in range(steps + 2):
        start = time.perf_counter()
        loss = F.cross_entropy(network(tokens[:, :-1]).flatten(0, 1), tokens[:, 1:].flatten())
        optimiser.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds[2:])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=7)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("schemes", nargs="*", default=SCHEMES)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    for scheme in options.schemes:
        print(json.dumps({"name": scheme, "seconds": median_step(scheme, options.steps)}), flush=True)


if __name__ == "__main__":
    main()

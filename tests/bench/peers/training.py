# SPDX-License-Identifier: Apache-2.0
"""The network that poslab's training is timed against, as a researcher would write it in PyTorch: a pre-norm decoder of the size of
training_bench.cpp, float32, AdamW with clipping; with PyTorch's own attention where there is one (2.0 and later) and it can be used.

    /usr/bin/python3 training.py [--steps N] [--threads N] [--width D] [--length N] [SCHEME ...]

Prints a JSON object per scheme: its name, the median seconds of a step after two steps of warm-up, and PyTorch's version.
"""

import argparse
import json
import math
import statistics
import time
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F

ALPHABET, HEADS, LAYERS, TOKENS = 96, 4, 4, 2048
SCHEMES = ["none", "sinusoidal", "learned", "rope", "alibi", "t5", "shaw"]
FUSED = hasattr(F, "scaled_dot_product_attention")


@dataclass(frozen=True)
class Size:
    width: int = 128
    length: int = 128


def sinusoid(size):
    """[N, D]"""
    angle = torch.arange(size.length)[:, None] * 10000.0 ** (-torch.arange(0, size.width, 2) / size.width)
    return torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)


def t5_buckets(length, buckets=32, far=128):
    """[N, N]: the bucket of query - key, keys after the query in bucket 0."""
    distance = (torch.arange(length)[:, None] - torch.arange(length)).clamp(min=0)
    exact = buckets // 2
    wide = exact + (torch.log(distance.clamp(min=1) / exact) / math.log(far / exact) * (buckets - exact)).long()
    return torch.where(distance < exact, distance, wide.clamp(max=buckets - 1))


class Attention(nn.Module):
    def __init__(self, scheme, size):
        super().__init__()
        self.scheme, N, K = scheme, size.length, size.width // HEADS
        self.projections, self.output = nn.Linear(size.width, 3 * size.width), nn.Linear(size.width, size.width)
        offset = torch.arange(N)[None, :] - torch.arange(N)[:, None]  # key - query
        self.register_buffer("hidden", offset > 0)
        if scheme == "rope":
            angle = torch.arange(N)[:, None] * 10000.0 ** (-torch.arange(0, K, 2) / K)
            self.register_buffer("cosine", angle.cos())
            self.register_buffer("sine", angle.sin())
        if scheme == "alibi":
            slopes = 2.0 ** (-8.0 * torch.arange(1, HEADS + 1) / HEADS)
            bias = slopes[:, None, None] * offset
            self.register_buffer("bias", bias.masked_fill(self.hidden, -math.inf) if FUSED else bias)
        if scheme == "t5":
            self.table = nn.Parameter(0.02 * torch.randn(32, HEADS))
            self.register_buffer("bucket", t5_buckets(N))
        if scheme == "shaw":
            self.keys, self.values = (nn.Parameter(0.02 * torch.randn(33, K)) for _ in range(2))
            self.register_buffer("row", offset.clamp(-16, 16) + 16)

    def rotate(self, x):
        first, second = x.chunk(2, dim=-1)
        return torch.cat([first * self.cosine - second * self.sine, second * self.cosine + first * self.sine], dim=-1)

    def forward(self, x):
        """[B, N, D] to the same."""
        B, N, D = x.shape
        q, k, v = (y.view(B, N, HEADS, D // HEADS).transpose(1, 2) for y in self.projections(x).chunk(3, dim=-1))
        if self.scheme == "rope":
            q, k = self.rotate(q), self.rotate(k)
        out = self.fused(q, k, v) if FUSED and self.scheme != "shaw" else self.attend(q, k, v)
        return self.output(out.transpose(1, 2).flatten(2))

    def fused(self, q, k, v):
        if self.scheme == "alibi":
            return F.scaled_dot_product_attention(q, k, v, attn_mask=self.bias)
        if self.scheme == "t5":
            bias = self.table[self.bucket].permute(2, 0, 1).masked_fill(self.hidden, -math.inf)
            return F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)

    def attend(self, q, k, v):
        N, K = q.shape[2:]
        logits = q @ k.transpose(-1, -2)
        if self.scheme == "shaw":  # per query, against its row of relative keys
            relative = q.permute(2, 0, 1, 3).flatten(1, 2) @ self.keys[self.row].transpose(1, 2)
            logits = logits + relative.view(N, -1, HEADS, N).permute(1, 2, 0, 3)
        logits = logits / math.sqrt(K)
        if self.scheme == "alibi":
            logits = logits + self.bias
        if self.scheme == "t5":
            logits = logits + self.table[self.bucket].permute(2, 0, 1)
        weights = logits.masked_fill(self.hidden, -math.inf).softmax(dim=-1)
        out = weights @ v
        if self.scheme == "shaw":
            relative = weights.permute(2, 0, 1, 3).flatten(1, 2) @ self.values[self.row]
            out = out + relative.view(N, -1, HEADS, K).permute(1, 2, 0, 3)
        return out


class Layer(nn.Module):
    def __init__(self, scheme, size):
        super().__init__()
        D = size.width
        self.attention = nn.Sequential(nn.LayerNorm(D), Attention(scheme, size))
        self.feed_forward = nn.Sequential(nn.LayerNorm(D), nn.Linear(D, 4 * D), nn.GELU(approximate="tanh"), nn.Linear(4 * D, D))

    def forward(self, x):
        x = x + self.attention(x)
        return x + self.feed_forward(x)


class Decoder(nn.Module):
    def __init__(self, scheme, size):
        super().__init__()
        self.embedding = nn.Embedding(ALPHABET, size.width)
        if scheme == "learned":
            self.positions = nn.Parameter(0.02 * torch.randn(size.length, size.width))
        else:
            self.register_buffer("positions", sinusoid(size) if scheme == "sinusoidal" else torch.zeros(()))
        self.layers = nn.Sequential(*(Layer(scheme, size) for _ in range(LAYERS)), nn.LayerNorm(size.width))
        self.head = nn.Linear(size.width, ALPHABET, bias=False)

    def forward(self, tokens):
        return self.head(self.layers(self.embedding(tokens) + self.positions))


def median_step(scheme, size, steps):
    torch.manual_seed(0)
    network = Decoder(scheme, size)
    optimiser = torch.optim.AdamW(network.parameters(), lr=1e-3, betas=(0.9, 0.95), weight_decay=0.01)
    tokens = torch.randint(0, ALPHABET, (TOKENS // size.length, size.length + 1))
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
    parser.add_argument("--width", type=int, default=Size.width)
    parser.add_argument("--length", type=int, default=Size.length)
    parser.add_argument("schemes", nargs="*", default=SCHEMES)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    size = Size(options.width, options.length)
    for scheme in options.schemes:
        print(json.dumps({"name": scheme, "seconds": median_step(scheme, size, options.steps), "version": torch.__version__}), flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""A network that poslab trained, in plain PyTorch, for decoders with rope, sinusoidal, alibi or none in their defaults.
As a program it compares its logits with those that poslab gave the example in the file, and ends with 0 within 1e-5.

    poslab weights trained.h5 --to net.safetensors
    python3 network_in_pytorch.py net.safetensors [other.safetensors ...]
"""

import json
import struct
import sys
from typing import Any

import torch
from torch import nn
from torch.nn import functional


def read(path: str) -> tuple[dict[str, torch.Tensor], dict[str, Any]]:
    """The arrays of a .safetensors file, and what it says of itself."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    start = 8 + struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:start])
    facts = header.pop("__metadata__")
    kinds = {"F32": torch.float32, "F64": torch.float64}
    arrays = {name: torch.frombuffer(data, dtype=kinds[at["dtype"]], offset=start + at["data_offsets"][0],
                                     count=(at["data_offsets"][1] - at["data_offsets"][0]) * 8 // int(at["dtype"][1:]))
              .reshape(at["shape"]) for name, at in header.items()}
    return arrays, facts | {"axes": json.loads(facts["axes"]), "parameters": json.loads(facts["parameters"])}


class RMSNorm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.weight * x * (x.square().mean(-1, keepdim=True) + 1e-5).rsqrt()


class Layer(nn.Module):
    def __init__(self, width: int, inner: int, axes: dict[str, Any]) -> None:
        super().__init__()
        self.norm1, self.norm2 = norm_of(width, axes), norm_of(width, axes)
        self.query, self.key, self.value, self.output = (nn.Linear(width, width, axes["biases"]) for _ in range(4))
        self.up, self.down = nn.Linear(width, inner, axes["biases"]), nn.Linear(inner, width, axes["biases"])


def norm_of(width: int, axes: dict[str, Any]) -> nn.Module:
    return RMSNorm(width) if axes["norm"] == "rms" else nn.LayerNorm(width)


class Network(nn.Module):
    """Logits [T, V] of the tokens [T] of one sequence."""

    def __init__(self, arrays: dict[str, torch.Tensor], facts: dict[str, Any]) -> None:
        super().__init__()
        self.scheme, self.axes, self.heads = facts["scheme"], facts["axes"], int(facts["heads"])
        self.embedding_scale = float(arrays["embedding_scale"])
        vocabulary, width = arrays["token_embedding.weight"].shape
        self.token_embedding = nn.Embedding(vocabulary, width)
        self.layers = nn.ModuleList(Layer(width, self.axes["feed_forward"] * width, self.axes)
                                    for _ in range(self.axes["layers"]))
        self.norm = norm_of(width, self.axes)
        self.unembedding = nn.Linear(width, vocabulary, bias=False)
        if self.axes["tied"]:
            self.unembedding.weight = self.token_embedding.weight
        self.to(arrays["token_embedding.weight"].dtype)
        left_out = self.load_state_dict(arrays, strict=False).missing_keys
        assert not [name for name in left_out if not (self.axes["tied"] and name == "unembedding.weight")], left_out

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        T, D = len(tokens), self.token_embedding.embedding_dim
        x = self.embedding_scale * self.token_embedding(tokens)
        if self.scheme == "sinusoidal":
            x = x + sines(T, D).flatten(1).to(x.dtype)
        for layer in self.layers:
            z = layer.norm1(x)
            q, k, v = (of(z).view(T, self.heads, -1).transpose(0, 1) for of in (layer.query, layer.key, layer.value))
            if self.scheme == "rope":
                q, k = turned(q), turned(k)
            s = q @ k.transpose(1, 2) / (D // self.heads) ** 0.5
            if self.scheme == "alibi":  # the number of heads a power of two
                slopes = 2.0 ** (-8.0 * torch.arange(1, self.heads + 1) / self.heads)
                s = s + (slopes[:, None, None] * (torch.arange(T)[None, :] - torch.arange(T)[:, None])).to(x.dtype)
            s = s.masked_fill(torch.ones(T, T).triu(1).bool(), -torch.inf)
            x = x + layer.output((s.softmax(-1) @ v).transpose(0, 1).reshape(T, D))
            gelu = functional.gelu(layer.up(layer.norm2(x)), approximate="tanh" if self.axes["gelu"] == "tanh" else "none")
            x = x + layer.down(gelu)
        logits: torch.Tensor = self.unembedding(self.norm(x))
        return logits


def sines(T: int, width: int) -> torch.Tensor:
    """sin and cos of the angles p 10000^(-2m / width): [T, width / 2, 2]."""
    angles = torch.arange(T).double()[:, None] * 10000.0 ** (-torch.arange(0, width, 2).double() / width)
    return torch.stack((angles.sin(), angles.cos()), -1)


def turned(x: torch.Tensor) -> torch.Tensor:
    """Channels (2m, 2m + 1) of [H, T, K] rotated."""
    sin, cos = sines(x.shape[1], x.shape[2]).to(x.dtype).unbind(-1)
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack((even * cos - odd * sin, odd * cos + even * sin), -1).flatten(2)


def difference(path: str) -> float:
    arrays, facts = read(path)
    network = Network(arrays, facts)
    with torch.no_grad():
        logits = network(arrays["example.tokens"].long())
    largest = float((logits - arrays["example.logits"]).abs().max())
    print(f"{facts['variant']}, {facts['trained_on']}, {facts['steps']} steps: {len(logits)} tokens, logits differ by {largest:.2g}")
    return largest


if __name__ == "__main__":
    sys.exit(0 if max(map(difference, sys.argv[1:])) < 1e-5 else 1)

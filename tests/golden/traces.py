#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces of training, by autograd, for schemes of which no other trace exists: ten networks, eight steps each.

    python3 tests/golden/traces.py        # writes training-schemes.h5 beside this script; needs PyTorch

The network and the optimiser are those of core/network/network.md, each scheme's formula that of its paper, written
without a look at the plugin. A test trains along and compares every loss, norm of the gradient and final parameter. The
layout is that of training-variants.h5; `parameters` are those of the scheme, whose arrays have the plugin's names.
"""
from __future__ import annotations

import json
import math
import pathlib

import h5py
import numpy as np
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
V, D, H, L, B, T, STEPS = 23, 16, 4, 2, 3, 20, 8
K = D // H
RATE, BETA1, BETA2, EPSILON, DECAY, CLIP = 3e-3, 0.9, 0.95, 1e-8, 0.01, 1.0


class Scheme:
    """No positions. Dimension letters: B sequences, H heads, T tokens, K head width, D model width."""

    causal, parameters, shapes, shared, positions = True, {}, {}, (), None

    def arrays(self, draw):
        """Initial arrays: `name` where layers share it, else `layer<l>.name`. Weights are drawn so large that all matter."""
        return {f"{'' if name in self.shared else f'layer{l}.'}scheme.{name}": self.initial(name, shape, draw)
                for l in range(L) for name, shape in self.shapes.items()}

    def initial(self, name, shape, draw):
        return draw(*shape)

    def logits(self, w, q, k, z):
        """w: its arrays; q, k [B, H, T, K]; z [B, T, D], the layer's input after the norm. [B, H, T, T]"""
        return q @ k.transpose(-1, -2) / math.sqrt(K)


def offsets():
    """i - j [T, T]."""
    at = torch.arange(T)
    return at[:, None] - at[None, :]


class TransformerXl(Scheme):
    """Dai et al. 2019, section 3.3: ((q + u) . k + (q + v) . W_r R[i - j]) / sqrt(K)."""

    parameters = {"untie": False}
    shapes = {"content_bias": (H, K), "position_bias": (H, K), "projection": (D, D)}
    shared = ("content_bias", "position_bias")

    def logits(self, w, q, k, z):
        frequency = 10000.0 ** (-torch.arange(0, D, 2) / D)
        angle = offsets()[..., None] * frequency
        sinusoid = torch.cat([angle.sin(), angle.cos()], -1)                       # [T, T, D]
        relative = (sinusoid @ w["projection"].T).view(T, T, H, K)
        content = (q + w["content_bias"][:, None]) @ k.transpose(-1, -2)
        return (content + torch.einsum("bhik,ijhk->bhij", q + w["position_bias"][:, None], relative)) / math.sqrt(K)


class Kerple(Scheme):
    """Chi et al. 2022, the power kernel: - a |i - j|^p."""

    parameters = {"form": "power"}
    shapes = {"a": (H,), "p": (H,)}
    shared = ("a", "p")

    def initial(self, name, shape, draw):
        return (torch.tensor([0.2, 0.5, 0.8, 1.1]) if name == "a" else torch.tensor([0.4, 0.9, 1.3, 1.7])).clone()

    def logits(self, w, q, k, z):
        distance = offsets().clamp(min=0).double()
        power = torch.where(distance > 0, distance.clamp(min=1) ** w["p"][:, None, None], torch.zeros(()))
        return super().logits(w, q, k, z) - w["a"][:, None, None] * power


class Fire(Scheme):
    """Li et al. 2023, equations 1 and 2, with the thresholding of section 3.2: MLP(psi(i - j) / psi(max(L, i)))."""

    parameters = {"init_l": 7.5, "mlp_width": 6}
    shapes = {"c": (1,), "l_multiplier": (1,), "hidden_weight": (6,), "hidden_bias": (6,), "output_weight": (6, H), "output_bias": (H,)}
    shared = tuple(shapes)

    def initial(self, name, shape, draw):
        return torch.tensor([0.7]) if name == "c" else torch.tensor([1.3]) if name == "l_multiplier" else draw(*shape) * 4

    def logits(self, w, q, k, z):
        def psi(x):
            return torch.log(1 + (w["c"] * x).abs())
        i = torch.arange(T, dtype=torch.float64)[:, None]
        reach = torch.maximum(i, (w["l_multiplier"] * 7.5).abs())
        share = psi(offsets().abs().double()) / (psi(reach) + 1e-6)                # [T, T]
        hidden = F.relu(share[..., None] * w["hidden_weight"] + w["hidden_bias"])
        return super().logits(w, q, k, z) + (hidden @ w["output_weight"] + w["output_bias"]).permute(2, 0, 1)


class Deberta(Scheme):
    """He et al. 2021, equation 4, with version 2's logarithmic buckets; the position projections are the scheme's own."""

    parameters = {"position_buckets": 8, "max_relative_positions": 16}
    shapes = {"relative_embedding": (16, D), "key_projection": (D, D), "query_projection": (D, D)}
    shared = ("relative_embedding",)

    def logits(self, w, q, k, z):
        middle, r = 4, offsets()
        far = torch.ceil(torch.log(r.abs().clamp(min=1) / middle) / math.log(15 / middle) * (middle - 1)) + middle
        bucket = torch.where(r.abs() <= middle, r.double(), r.sign() * far).long()
        rows = w["relative_embedding"][(bucket + 8).clamp(0, 15)]                  # [T, T, D]
        keys, queries = ((rows @ w[f"{name}_projection"].T).view(T, T, H, K) for name in ("key", "query"))
        content_to_position = torch.einsum("bhik,ijhk->bhij", q, keys)
        position_to_content = torch.einsum("bhjk,ijhk->bhij", k, queries)
        return (q @ k.transpose(-1, -2) + content_to_position + position_to_content) / math.sqrt(3 * K)


class Fox(Scheme):
    """Lin et al. 2025, equation 9: + sum of ln sigmoid(w . x_l + b) over l = j + 1 .. i."""

    shapes = {"gate": (H, D), "gate_bias": (H,)}

    def logits(self, w, q, k, z):
        gates = F.logsigmoid(z @ w["gate"].T + w["gate_bias"]).transpose(1, 2)     # [B, H, T]
        reached = gates.cumsum(-1)
        return super().logits(w, q, k, z) + reached[..., :, None] - reached[..., None, :]


class Path(Scheme):
    """Yang et al. 2025, section 3: q_i^T H_i ... H_(j+1) k_j / sqrt(K), H_t = I - beta_t w_t w_t^T."""

    parameters = {"rank": 5}
    shapes = {"down": (5, D), "up": (D, 5), "strength": (H, D), "strength_bias": (H,), "taps": (D, 3)}

    def logits(self, w, q, k, z):
        y = z @ w["down"].T @ w["up"].T                                            # [B, T, D]
        y = F.conv1d(F.pad(y.transpose(1, 2), (2, 0)), w["taps"][:, None], groups=D).transpose(1, 2)
        y = F.silu(y).view(-1, T, H, K).transpose(1, 2)                            # [B, H, T, K]
        step = y / torch.sqrt((y * y).sum(-1, keepdim=True) + 1e-6)
        beta = 2 * torch.sigmoid(z @ w["strength"].T + w["strength_bias"]).transpose(1, 2)
        rows = []
        for i in range(T):
            way, row = q[..., i, :], []
            for j in range(i, -1, -1):
                row.append((way * k[..., j, :]).sum(-1))
                way = way - beta[..., j, None] * (way * step[..., j, :]).sum(-1, keepdim=True) * step[..., j, :]
            row = torch.stack(row[::-1], -1) / math.sqrt(K)
            rows.append(F.pad(row, (0, T - 1 - i)))
        return torch.stack(rows, -2)


class Cope(Scheme):
    """Golovneva et al. 2024, equations 3 to 6: the count of gates from j to i, between two rows of the table."""

    parameters = {"max_positions": 6}
    shapes = {"positions": (6, K)}

    def logits(self, w, q, k, z):
        found = super().logits(w, q, k, z)
        gates = torch.sigmoid(found) * (offsets() >= 0)
        count = gates.flip(-1).cumsum(-1).flip(-1).clamp(max=5)
        low = count.floor().detach()
        asked = q @ w["positions"].T                                               # [B, H, T, P]
        below, above = (asked.gather(-1, row.long()) for row in (low, count.ceil().detach()))
        return found + below + (count - low) * (above - below)


class Swin(Scheme):
    """Liu et al. 2021, section 3.2: a table of offsets of rows and columns, in a window of 4 x 5."""

    causal = False
    parameters = {"window": [4.0, 5.0]}
    shapes = {"table": (7 * 9, H)}
    positions = np.stack(np.meshgrid(np.arange(4.0), np.arange(5.0), indexing="ij"), -1).reshape(-1, 2)

    def apart(self):
        at = torch.from_numpy(self.positions)
        return at[:, None] - at[None, :]                                           # [T, T, 2]

    def logits(self, w, q, k, z):
        rows, columns = self.apart().long().unbind(-1)
        return super().logits(w, q, k, z) + w["table"][(rows + 3) * 9 + columns + 4].permute(2, 0, 1)


class Swin2(Swin):
    """Liu et al. 2022 (Swin V2), sections 3.2 and 3.3: scaled cosines, and a bias that a network gives of log offsets."""

    parameters = {"version": "v2", "window": [4.0, 5.0], "hidden": 6}
    shapes = {"hidden_weight": (6, 2), "hidden_bias": (6,), "output_weight": (6, H), "tau": (H,)}

    def initial(self, name, shape, draw):
        return torch.tensor([1.0, 2.3, 4.0, 4.9]) if name == "tau" else draw(*shape) * 4

    def logits(self, w, q, k, z):
        apart = 8 * self.apart() / torch.tensor([3.0, 4.0])
        apart = apart.sign() * torch.log2(1 + apart.abs()) / math.log2(8)
        given = F.relu(apart @ w["hidden_weight"].T + w["hidden_bias"]) @ w["output_weight"]
        cosines = F.normalize(q, dim=-1, eps=1e-12) @ F.normalize(k, dim=-1, eps=1e-12).transpose(-1, -2)
        factor = w["tau"].clamp(max=math.log(100)).exp()[:, None, None]
        return cosines * factor + 16 * torch.sigmoid(given).permute(2, 0, 1)


SCHEMES = {"transformer-xl": TransformerXl, "kerple": Kerple, "fire": Fire, "deberta": Deberta, "fox": Fox, "path": Path, "cope": Cope,
           "swin": Swin, "swin-v2": Swin2, "none": Scheme}


def initial_parameters(scheme, draw):
    p = {"token_embedding": draw(V, D)}
    for l in range(L):
        for norm in ("norm1", "norm2"):
            p[f"layer{l}.{norm}.weight"], p[f"layer{l}.{norm}.bias"] = torch.ones(D), torch.zeros(D)
        for name, out, of in (("query", D, D), ("key", D, D), ("value", D, D), ("output", D, D), ("up", 4 * D, D), ("down", D, 4 * D)):
            p[f"layer{l}.{name}.weight"], p[f"layer{l}.{name}.bias"] = draw(out, of), torch.zeros(out)
    p["norm.weight"], p["norm.bias"], p["unembedding"] = torch.ones(D), torch.zeros(D), draw(V, D)
    return p | scheme.arrays(draw)


def network(scheme, p, tokens):
    """The network of network.md: logits [B, T, V] of tokens [B, T]."""
    x = p["token_embedding"][tokens]

    def linear(name, y):
        return F.linear(y, p[f"{name}.weight"], p[f"{name}.bias"])

    def norm(name, y):
        return F.layer_norm(y, (D,), p[f"{name}.weight"], p[f"{name}.bias"], 1e-5)

    for l in range(L):
        z = norm(f"layer{l}.norm1", x)
        q, k, v = (linear(f"layer{l}.{name}", z).view(-1, T, H, K).transpose(1, 2) for name in ("query", "key", "value"))
        w = {name: p["scheme." + name if name in scheme.shared else f"layer{l}.scheme.{name}"] for name in scheme.shapes}
        found = scheme.logits(w, q, k, z)
        if scheme.causal:
            found = found.masked_fill(offsets() < 0, -math.inf)
        mixed = (found.softmax(-1) @ v).transpose(1, 2).reshape(-1, T, D)
        x = x + linear(f"layer{l}.output", mixed)
        x = x + linear(f"layer{l}.down", F.gelu(linear(f"layer{l}.up", norm(f"layer{l}.norm2", x)), approximate="tanh"))
    return norm("norm", x) @ p["unembedding"].T


def decays(name):
    return name.startswith("layer") and name.endswith(".weight") and "norm" not in name and "scheme" not in name


def train(scheme, p, batches):
    """AdamW as network.md has it; the loss and the norm of the gradient at each step."""
    first, second, seen = {n: torch.zeros_like(x) for n, x in p.items()}, {n: torch.zeros_like(x) for n, x in p.items()}, []
    for step, (tokens, targets, mask) in enumerate(batches, 1):
        for x in p.values():
            x.requires_grad_()
        each = F.cross_entropy(network(scheme, p, tokens).reshape(-1, V), targets.reshape(-1), reduction="none")
        loss = (each * mask.reshape(-1)).sum() / mask.sum()
        gradients = torch.autograd.grad(loss, list(p.values()))
        norm = torch.sqrt(sum((g * g).sum() for g in gradients))
        seen.append((loss.item(), norm.item()))
        with torch.no_grad():
            for (name, x), g in zip(list(p.items()), gradients, strict=True):
                g = g * min(1.0, CLIP / (norm.item() + 1e-12))
                first[name] = BETA1 * first[name] + (1 - BETA1) * g
                second[name] = BETA2 * second[name] + (1 - BETA2) * g * g
                x = x * (1 - RATE * DECAY) if decays(name) else x
                p[name] = x - RATE * (first[name] / (1 - BETA1**step)) / (torch.sqrt(second[name] / (1 - BETA2**step)) + EPSILON)
    return np.array(seen)


def batch(rng, causal):
    """The next token of a random walk, or tokens of it that are hidden."""
    walk = (rng.integers(V, size=(B, 1)) + rng.integers(-2, 4, size=(B, T + 1)).cumsum(1)) % (V - 1)
    mask = np.ones((B, T)) if causal else (rng.random((B, T)) < 0.3).astype(float)
    mask[:, 0] = 1
    tokens, targets = (walk[:, :-1], walk[:, 1:]) if causal else (np.where(mask == 1, V - 1, walk[:, :-1]), walk[:, :-1])
    return tuple(torch.from_numpy(np.ascontiguousarray(x)) for x in (tokens, targets, mask))


def main():
    with h5py.File(pathlib.Path(__file__).resolve().parent / "training-schemes.h5", "w") as file:
        for number, (name, kind) in enumerate(SCHEMES.items()):
            rng, scheme = np.random.default_rng(20261126 + number), kind()
            p = initial_parameters(scheme, lambda *shape, rng=rng: torch.from_numpy(0.25 * rng.standard_normal(shape)))
            group = file.create_group(name)
            group.attrs.update(scheme="swin" if name == "swin-v2" else name, parameters=json.dumps(scheme.parameters), vocab=V, d_model=D, n_heads=H,
                               n_layers=L, train_len=T, causal=scheme.causal, lr=RATE, beta1=BETA1, beta2=BETA2, eps=EPSILON,
                               weight_decay=DECAY, clip=CLIP)

            def keep(where, array, group=group):
                group.create_dataset(where, data=array, track_times=False)

            for key, x in p.items():
                keep(f"init/{key}", x.numpy())
            batches = [batch(rng, scheme.causal) for _ in range(STEPS)]
            seen = train(scheme, p, batches)
            for key, x in p.items():
                keep(f"final/{key}", x.detach().numpy())
            for key, arrays in zip(("tokens", "targets", "mask"), zip(*batches, strict=True), strict=True):
                keep(key, np.stack(arrays))
            if scheme.positions is not None:
                keep("positions", scheme.positions)
            keep("loss", seen[:, 0])
            keep("grad_norm", seen[:, 1])
            print(f"{name:16} loss {seen[0, 0]:.4f} -> {seen[-1, 0]:.4f}, norm {seen[0, 1]:.3f}")


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""What a model of transformers hands to its attention: queries and keys, layer by layer.

The model runs on random tokens with an attention function of ours, which keeps what it is given and answers zeros, so that
no layer sees what another one attends to. A second run, with every rotation replaced by one of angle 0, gives the same
queries and keys as they are before they are rotated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from transformers import AttentionInterface, AutoModel


@dataclass
class Layer:
    """[B, H, N, K] each."""

    query: torch.Tensor
    key: torch.Tensor


def unrotated(_module: torch.nn.Module, _arguments: Any, made: Any) -> Any:
    """In place of what a rotary module makes: cosines of 1 and sines of 0, or the complex number 1."""
    if isinstance(made, tuple):
        return torch.ones_like(made[0]), torch.zeros_like(made[1])
    return torch.ones_like(made)


def run(model: torch.nn.Module, tokens: torch.Tensor, positions: torch.Tensor) -> list[Layer]:
    taken: list[Layer] = []

    def keep(_module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, _mask: Any, **_: Any) -> Any:
        taken.append(Layer(query.detach(), key.detach()))
        return torch.zeros(query.shape[0], query.shape[2], query.shape[1], value.shape[-1]), None

    AttentionInterface.register("keep", keep)
    with torch.no_grad():
        model(input_ids=tokens, position_ids=positions, use_cache=False)
    return taken


def layers(config: Any, positions: torch.Tensor) -> list[tuple[Layer, Layer]]:
    """Of each layer, before and after rotation, for positions [N] or [3, N] (time, row and column)."""
    AttentionInterface.register("keep", unrotated)  # models look for the name when they are made
    config._attn_implementation = "keep"
    torch.manual_seed(0)
    model = AutoModel.from_config(config).eval()
    tokens = torch.randint(3, config.vocab_size, (1, positions.shape[-1]))
    places = positions[None] if positions.dim() == 1 else positions[:, None]
    after = run(model, tokens, places)
    handles = [module.register_forward_hook(unrotated) for name, module in model.named_modules()
               if "rotary" in name and not list(module.children())]
    before = run(model, tokens, places)
    for handle in handles:
        handle.remove()
    return list(zip(before, after))

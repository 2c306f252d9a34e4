# SPDX-License-Identifier: Apache-2.0
"""What a model of transformers computes on the way, from outside: its code runs as it is.

Models are made by the library from a configuration, with random weights, and run on random tokens.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any, Callable
from unittest import mock

import torch
from transformers import AttentionInterface, AutoModel


@dataclass
class Layer:
    """[B, H, N, K] each."""

    query: torch.Tensor
    key: torch.Tensor


def made(config: Any, attention: str) -> torch.nn.Module:
    config._attn_implementation = attention
    torch.manual_seed(0)
    config.use_cache = False
    model: torch.nn.Module = AutoModel.from_config(config).eval()
    return model


def tokens_for(config: Any, count: int) -> torch.Tensor:
    return torch.randint(3, config.vocab_size, (1, count))


def unrotated(_module: torch.nn.Module, _arguments: Any, what: Any) -> Any:
    """In place of what a rotary module makes: cosines of 1 and sines of 0, or the complex number 1."""
    if isinstance(what, tuple):
        return torch.ones_like(what[0]), torch.zeros_like(what[1])
    return torch.ones_like(what)


def taken_layers(model: torch.nn.Module, tokens: torch.Tensor, positions: torch.Tensor) -> list[Layer]:
    taken: list[Layer] = []

    def keep(_module: Any, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, _mask: Any, **_: Any) -> Any:
        taken.append(Layer(query.detach(), key.detach()))
        return torch.zeros(query.shape[0], query.shape[2], query.shape[1], value.shape[-1]), None

    AttentionInterface.register("keep", keep)
    with torch.no_grad():
        model(input_ids=tokens, position_ids=positions)
    return taken


def layers(config: Any, positions: torch.Tensor) -> list[tuple[Layer, Layer]]:
    """What each layer's attention is handed before and after rotation, for positions [N] or [3, N] (time, row and
    column). An attention function of ours answers zeros, so that no layer sees what another one attends to; before is a
    second run, with every rotation replaced by one of angle 0, and without a temperature of queries."""
    AttentionInterface.register("keep", unrotated)  # models look for the name when they are made
    model = made(config, "keep")
    tokens = tokens_for(config, positions.shape[-1])
    places = positions[None] if positions.dim() == 1 else positions[:, None]
    after = taken_layers(model, tokens, places)
    handles = []
    for name, module in model.named_modules():
        if "rotary" in name and not list(module.children()):
            handles.append(module.register_forward_hook(unrotated))
        if hasattr(module, "attn_temperature_tuning"):
            module.attn_temperature_tuning = False
    before = taken_layers(model, tokens, places)
    for handle in handles:
        handle.remove()
    return list(zip(before, after))


def rotations(
    config: Any, positions: torch.Tensor, called: str = "apply_rotary_pos_emb"
) -> list[list[tuple[torch.Tensor, torch.Tensor]]]:
    """Every call of the family's own function that rotates, in their order: each array before and after."""
    model = made(config, "eager")
    for module in model.modules():  # gpt-oss and DeepSeek V4: a logit beside the keys', which nothing is read of
        sinks = getattr(module, "sinks", None)
        if isinstance(sinks, torch.nn.Parameter):
            sinks.data.fill_(-1e4)
    code = sys.modules[type(model).__module__]
    own: Callable[..., Any] = getattr(code, called)
    calls: list[list[tuple[torch.Tensor, torch.Tensor]]] = []

    def keep(*arguments: Any, **others: Any) -> Any:
        result = own(*arguments, **others)
        after = result if isinstance(result, tuple) else (result,)
        calls.append([(x.detach().clone(), y.detach().clone()) for x, y in zip(arguments, after)])
        return result

    with mock.patch.object(code, called, keep), torch.no_grad():
        model(input_ids=tokens_for(config, len(positions)), position_ids=positions[None])
    return calls


def softmaxed(run: Callable[[], Any]) -> list[torch.Tensor]:
    """What softmax is given while that runs: logits, with all that was added."""
    taken: list[torch.Tensor] = []
    own = torch.nn.functional.softmax

    def keep(logits: torch.Tensor, *arguments: Any, **others: Any) -> torch.Tensor:
        taken.append(logits.detach().clone())
        return own(logits, *arguments, **others)

    with mock.patch.object(torch.nn.functional, "softmax", keep), torch.no_grad():
        run()
    return taken


def outputs_of(
    model: torch.nn.Module, names: dict[str, str], run: Callable[[], Any], before: bool = False
) -> dict[str, torch.Tensor]:
    """What the modules whose names end so give first while that runs, or are given (`before`); `names` has what to call
    it for each ending."""
    taken: dict[str, torch.Tensor] = {}

    def keeper(called: str) -> Callable[..., None]:
        def keep(_module: torch.nn.Module, arguments: Any, result: torch.Tensor) -> None:
            taken.setdefault(called, (arguments[0] if before else result).detach().clone())

        return keep

    handles = [
        module.register_forward_hook(keeper(called))
        for name, module in model.named_modules()
        for ending, called in names.items()
        if name.endswith(ending)
    ]
    with torch.no_grad():
        run()
    for handle in handles:
        handle.remove()
    return taken

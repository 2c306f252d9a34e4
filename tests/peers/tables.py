# SPDX-License-Identifier: Apache-2.0
"""Biases and tables that the classes of model libraries make: the arrays of a dump, what they must be, and options of identify."""

from __future__ import annotations

from typing import Any, Callable

import torch
import transformers
from transformers.models.bloom.modeling_bloom import build_alibi_tensor as bloom_alibi
from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor as mpt_alibi
from transformers.models.roformer.modeling_roformer import RoFormerSinusoidalPositionalEmbedding
from transformers.models.t5.modeling_t5 import T5Attention
from transformers.models.whisper.modeling_whisper import sinusoids

Dump = tuple[dict[str, Any], str, list[str]]


def mpt() -> Dump:
    return {"bias": mpt_alibi(12, 64).numpy()}, "alibi", []


def bloom() -> Dump:
    return {"bias": bloom_alibi(torch.ones(1, 64), 12, torch.float32).numpy()}, "alibi", []


def t5(decoder: bool) -> Dump:
    torch.manual_seed(0)
    attention = T5Attention(transformers.T5Config(is_decoder=decoder, num_heads=4), has_relative_attention_bias=True, layer_idx=0)
    with torch.no_grad():
        attention.relative_attention_bias.weight.normal_()
        bias = attention.compute_bias(300, 300)
    table = attention.relative_attention_bias.weight.detach()
    return {"bias": bias.numpy(), "table": table.numpy()}, f"t5(bidirectional={str(not decoder).lower()})", ["--as", "table=weight"]


def whisper() -> Dump:
    return {"pe": sinusoids(1500, 384).numpy()}, "sinusoidal(layout=timing-signal)", []


def roformer() -> Dump:
    table = RoFormerSinusoidalPositionalEmbedding(512, 64)
    weight = table.create_weight() if hasattr(table, "create_weight") else table._init_weight()  # transformers 5, and 4
    return {"pe": (table.weight if weight is None else weight).detach().numpy()}, "sinusoidal(layout=half-split)", []


ADDED: dict[str, Callable[[], Dump]] = {
    "MPT": mpt,
    "BLOOM": bloom,
    "T5, encoder": lambda: t5(decoder=False),
    "T5, decoder": lambda: t5(decoder=True),
    "Whisper's encoder": whisper,
    "RoFormer's angles": roformer,
}

# SPDX-License-Identifier: Apache-2.0
"""What other libraries than transformers make. `expected` is what their pages or papers say it is."""

from __future__ import annotations

from typing import Callable, Iterator

import torch
from dumps import Dump

N, H, K = 48, 2, 64


def heads(seed: int) -> torch.Tensor:
    return torch.randn(1, H, N, K, generator=torch.Generator().manual_seed(seed))


def timm_images() -> Iterator[Dump]:
    from timm.layers import RelPosBias, RotaryEmbedding, apply_rot_embed, build_sincos2d_pos_embed
    from timm.layers.pos_embed_sincos import RotaryEmbeddingDinoV3

    yield Dump(
        "build_sincos2d_pos_embed",
        {"pe": build_sincos2d_pos_embed([5, 9], 64)},
        "sincos-2d(layout=moco-v3)",
        ["--grid", "5x9"],
    )
    q = torch.randn(1, H, 45, K, generator=torch.Generator().manual_seed(0))
    for half in (False, True):
        sin, cos = RotaryEmbedding(K, in_pixels=False, temperature=100, feat_shape=[5, 9], rotate_half=half).get_embed()
        yield Dump(
            f"RotaryEmbedding, queries, {'halves' if half else 'pairs'}",
            {"q": q, "q_rot": apply_rot_embed(q, sin, cos, half=half)},
            f"rope-nd(axes=2, base=100, style={'half-split' if half else 'interleaved'})",
            ["--grid", "5x9"],
        )
    sin, cos = RotaryEmbeddingDinoV3(K, feat_shape=[5, 9]).get_embed().chunk(2, -1)
    yield Dump("RotaryEmbeddingDinoV3", {"cos": cos, "sin": sin}, "axial-normalised(grid=[5, 9])", ["--grid", "5x9"])
    bias = RelPosBias((4, 6), 3)
    with torch.no_grad():
        bias.relative_position_bias_table.normal_()
    yield Dump(
        "RelPosBias, table",
        {"bias": bias.get_bias().detach(), "table": bias.relative_position_bias_table.detach()},
        "swin(window=[4, 6])",
        ["--grid", "4x6"],
    )


def torchvision_swin() -> Iterator[Dump]:
    from torchvision.models.swin_transformer import ShiftedWindowAttention

    attention = ShiftedWindowAttention(32, [7, 7], [0, 0], 2)
    yield Dump(
        "ShiftedWindowAttention, bias, table",
        {
            "bias": attention.get_relative_position_bias().detach(),
            "table": attention.relative_position_bias_table.detach(),
        },
        "swin(window=[7, 7])",
        ["--grid", "7x7"],
    )


def x_transformers() -> Iterator[Dump]:
    from x_transformers.x_transformers import (
        AlibiPositionalBias,
        RelativePositionBias,
        RotaryEmbedding,
        ScaledSinusoidalEmbedding,
        apply_rotary_pos_emb,
    )

    yield Dump("AlibiPositionalBias", {"bias": AlibiPositionalBias(12)(N, N)}, "alibi(form=symmetric)")
    t5 = RelativePositionBias(scale=1, causal=True, heads=4)
    yield Dump(
        "RelativePositionBias, table",
        {"bias": t5(200, 200).detach(), "table": t5.relative_attention_bias.weight.detach()},
        "t5",
    )
    yield Dump(
        "ScaledSinusoidalEmbedding",
        {"pe": ScaledSinusoidalEmbedding(64)(torch.zeros(1, 200, 64)).detach()},
        "sinusoidal(layout=half-split, scale=0.125)",
    )
    positions = torch.arange(N)
    freqs, _ = RotaryEmbedding(K)(positions)
    yield Dump("RotaryEmbedding, queries", {"q": heads(0), "q_rot": apply_rotary_pos_emb(heads(0), freqs)}, "rope")
    freqs, scale = RotaryEmbedding(K, use_xpos=True)(positions)
    yield Dump(
        "RotaryEmbedding with xpos, queries and keys",
        {
            "q": heads(0),
            "q_rot": apply_rotary_pos_emb(heads(0), freqs, scale),
            "k": heads(1),
            "k_rot": apply_rotary_pos_emb(heads(1), freqs, scale**-1),
        },
        "xpos(centre=x-transformers)",
    )


def rotary_embedding_torch() -> Iterator[Dump]:
    from rotary_embedding_torch import RotaryEmbedding

    rope = RotaryEmbedding(K)
    yield Dump(
        "rotate_queries_or_keys", {"q": heads(0), "q_rot": rope.rotate_queries_or_keys(heads(0)).detach()}, "rope"
    )
    q, k = RotaryEmbedding(K, use_xpos=True).rotate_queries_and_keys(heads(0), heads(1))
    yield Dump(
        "rotate_queries_and_keys, xpos",
        {"q": heads(0), "q_rot": q.detach(), "k": heads(1), "k_rot": k.detach()},
        "xpos(centre=x-transformers)",
    )


# Package -> what it makes.
LIBRARIES: dict[str, Callable[[], Iterator[Dump]]] = {
    "timm": timm_images,
    "torchvision": torchvision_swin,
    "x-transformers": x_transformers,
    "rotary-embedding-torch": rotary_embedding_torch,
}

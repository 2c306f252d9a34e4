# SPDX-License-Identifier: Apache-2.0
"""Tables that the models of transformers add, or rotate by."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import torch
from captures import made, outputs_of, tokens_for
from configs import config, text
from dumps import Dump, only_kind

N = 40


def learned(settings: Any, module: str) -> Iterator[Dump]:
    """The rows that a model adds, beside the table that it takes them from."""
    model = made(settings, "eager")
    tokens = tokens_for(settings, N)
    table = next(parameter for name, parameter in model.named_parameters() if name.endswith(f"{module}.weight"))
    rows = outputs_of(model, {module: "pe"}, lambda: model(input_ids=tokens))["pe"]
    yield Dump(
        "rows, table",
        {"pe": rows.reshape(N, -1), "table": table.detach()},
        only_kind(settings, "learned"),
        imported=True,
    )


def called_learned(settings: Any, name: str) -> Iterator[Dump]:
    """A parameter as it is: any table, which its name alone says is learned."""
    table = dict(made(settings, "eager").named_parameters())[name]
    yield Dump("table", {"pos_embed": table.detach()}, only_kind(settings, "learned"), imported=True)


def whisper() -> Iterator[Dump]:
    settings = config(
        "whisper",
        d_model=384,
        encoder_attention_heads=6,
        decoder_attention_heads=6,
        encoder_layers=1,
        decoder_layers=1,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        vocab_size=64,
        pad_token_id=0,
        bos_token_id=0,
        eos_token_id=0,
        decoder_start_token_id=1,
    )
    table = dict(made(settings, "eager").named_parameters())["encoder.embed_positions.weight"]
    yield Dump("the encoder's table", {"pe": table.detach()}, only_kind(settings, "sinusoidal"), imported=True)


def roformer() -> Iterator[Dump]:
    from transformers.models.roformer.modeling_roformer import RoFormerSinusoidalPositionalEmbedding

    table = RoFormerSinusoidalPositionalEmbedding(512, 64)
    weight = table.create_weight() if hasattr(table, "create_weight") else table._init_weight()  # transformers 5, and 4
    yield Dump(
        "the table of its angles",
        {"pe": (table.weight if weight is None else weight).detach()},
        "sinusoidal(layout=half-split)",
    )


def dinov3() -> Iterator[Dump]:
    settings = config(
        "dinov3_vit",
        hidden_size=128,
        num_attention_heads=2,
        num_hidden_layers=1,
        intermediate_size=64,
        image_size=224,
        patch_size=16,
    )
    rotation = next(
        module for name, module in made(settings, "eager").named_modules() if name.endswith("rope_embeddings")
    )
    cos, sin = rotation(torch.zeros(1, 3, 224, 224))
    yield Dump("cosines and sines", {"cos": cos, "sin": sin}, only_kind(settings), ["--grid", "14x14"], imported=True)


TABLES: dict[str, Callable[[], Iterator[Dump]]] = {
    "BERT": lambda: learned(text("bert", max_position_embeddings=512), "position_embeddings"),
    "GPT-2": lambda: learned(config("gpt2", vocab_size=64, n_embd=32, n_head=2, n_layer=1, n_positions=1024), "wpe"),
    "RoBERTa": lambda: learned(text("roberta", max_position_embeddings=514, pad_token_id=1), "position_embeddings"),
    "OPT": lambda: learned(
        text("opt", max_position_embeddings=2048, ffn_dim=32, word_embed_proj_dim=32), "embed_positions"
    ),
    "ViT": lambda: called_learned(
        config("vit", hidden_size=32, num_attention_heads=2, num_hidden_layers=1, intermediate_size=32),
        "embeddings.position_embeddings",
    ),
    "DINOv3": dinov3,
    "Whisper": whisper,
    "RoFormer": roformer,
}

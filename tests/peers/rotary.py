# SPDX-License-Identifier: Apache-2.0
"""Dumps of the families of transformers that rotate queries and keys, beside what import says of them."""

from __future__ import annotations

from typing import Any, Iterator

import torch
import transformers
from captures import Layer, layers, rotations
from dumps import Dump, imported, variant
from families import APPLIED, ROTARY, SORTED_PAIRS, THREE_AXES

BEFORE_AND_AFTER = "queries and keys"
COUNTED = 3 * 8192  # tokens, so that a temperature that changes every 8192 of them shows


def config_of(family: str) -> Any:
    model_type, settings = (ROTARY | APPLIED)[family]
    return transformers.AutoConfig.for_model(model_type, **settings)


def is_there(family: str) -> bool:
    return (ROTARY | APPLIED)[family][0] in transformers.CONFIG_MAPPING


def positions_for(family: str, served: int) -> torch.Tensor:
    """[N], near ones and far ones; or [3, N]."""
    text = torch.cat([torch.arange(24), torch.linspace(24, served - 1, 24).long()])
    return torch.stack([text, 3 * torch.arange(48), 2 * torch.arange(48).flip(0)]) if family in THREE_AXES else text


def pairs_together(x: torch.Tensor, width: int) -> torch.Tensor:
    """Pairs of the last `width` channels of a head side by side again, where even channels came before odd ones."""
    rest, rotated = x[..., : x.shape[-1] - width], x[..., x.shape[-1] - width :]
    return torch.cat([rest, rotated.reshape(*rotated.shape[:-1], 2, -1).transpose(-1, -2).flatten(-2)], -1)


def before_and_after(config: Any, positions: torch.Tensor) -> list[tuple[Layer, Layer]]:
    """What each layer's attention is handed. ModernBERT of transformers 4 takes no attention function of others: there,
    what its rotation is handed."""
    if config.model_type == "modernbert" and transformers.__version__.startswith("4."):
        return [(Layer(q, k), Layer(q_rot, k_rot)) for (q, q_rot), (k, k_rot) in rotations(config, positions)]
    return layers(config, positions)


def of_layers(family: str) -> Iterator[Dump]:
    """A dump for each kind of layers."""
    model_type = ROTARY[family][0]
    config = config_of(family)
    said, seen = imported(config), set()
    positions = positions_for(family, config.max_position_embeddings)
    for number, (before, after) in enumerate(before_and_after(config, positions)):
        kind_number = said["kind_of_layer"][number] if said["kind_of_layer"] else 0
        if kind_number in seen:
            continue
        seen.add(kind_number)
        kind = said["kinds"][kind_number]
        there = positions
        if kind["scheme"] == "query-temperature":  # Llama 4 counts tokens for it, whatever positions it is given
            there = positions_for(family, COUNTED)
            before, after = (
                Layer(x.query[:, :, there], x.key[:, :, there]) for x in layers(config, torch.arange(COUNTED))[number]
            )
        taken: dict[str, Any] = {"q": before.query, "q_rot": after.query, "k": before.key, "k_rot": after.key}
        if model_type in SORTED_PAIRS:
            width = int(kind["parameters"]["rotary_width"])
            taken = {name: pairs_together(x, width) for name, x in taken.items()}
        what = BEFORE_AND_AFTER if len(said["kinds"]) == 1 else f"{BEFORE_AND_AFTER}, layer {number}"
        yield Dump(
            what,
            taken | {"positions": there},
            variant(kind),
            ["--length", str(int(there.max()) + 1)],
            imported=True,
        )


def of_calls(family: str) -> Iterator[Dump]:
    """GPT-J and CodeGen rotate keys, then queries, [B, N, H, R] of the channels that rotate; Falcon both at once."""
    config = config_of(family)
    said = imported(config)
    positions = positions_for(family, said.get("max_positions") or 2048)
    calls = rotations(config, positions)
    pairs = calls[0] if len(calls[0]) == 2 else [calls[1][0], calls[0][0]]
    (q, q_rot), (k, k_rot) = pairs
    yield Dump(
        BEFORE_AND_AFTER,
        {"q": q, "q_rot": q_rot, "k": k, "k_rot": k_rot, "positions": positions},
        variant(said["kinds"][0]),
        imported=True,
    )


def of_deepseek_v4(family: str) -> Iterator[Dump]:
    """Its one vector of a token is key and value, and what a query reads is rotated back: q, then that vector, then the
    outputs of attention [B, N, H, K] go through the rotation, the last 64 channels of 512."""
    config = config_of(family)
    kind = imported(config)["kinds"][0]
    positions = torch.arange(24)
    (q, q_rot), (k, k_rot), (_, out) = [call[0] for call in rotations(config, positions)]
    taken = {"q": q, "q_rot": q_rot, "k": k, "k_rot": k_rot}
    yield Dump(BEFORE_AND_AFTER, taken, variant(kind), imported=True)
    both = variant({"scheme": "value-rope", "parameters": kind["parameters"]})
    yield Dump("with values and outputs", taken | {"v": k, "out": out}, both)


def of_glm_5(family: str) -> Iterator[Dump]:
    """What comes out has the even channels before the odd ones."""
    config = config_of(family)
    positions = positions_for(family, config.max_position_embeddings)
    calls = rotations(config, positions, "apply_rotary_pos_emb_interleave")
    (q, q_rot), (k, k_rot) = next(call for call in calls if call[0][0].shape[2] == len(positions))
    arrays = {
        "q": q,
        "q_rot": pairs_together(q_rot, q.shape[-1]),
        "k": k,
        "k_rot": pairs_together(k_rot, k.shape[-1]),
    }
    kind = imported(config)["kinds"][0]
    of_part = {name: value for name, value in kind["parameters"].items() if not name.startswith("rotary_")}
    yield Dump(
        f"{BEFORE_AND_AFTER}, the part that rotates",
        arrays | {"positions": positions},
        variant({"scheme": kind["scheme"], "parameters": of_part}),
        ["--length", str(int(positions.max()) + 1)],
        imported=True,
    )


def dumps(family: str) -> Iterator[Dump]:
    if family in ROTARY:
        return of_layers(family)
    return {"DeepSeek V4": of_deepseek_v4, "GLM-5": of_glm_5}.get(family, of_calls)(family)

# SPDX-License-Identifier: Apache-2.0
"""What the models of transformers add to logits, or make of them."""

from __future__ import annotations

from typing import Any, Callable, Iterator

import torch
from captures import made, outputs_of, softmaxed, tokens_for
from configs import config, text
from dumps import Dump, only_kind
from published import beyond_the_window

N = 40
FEW = 14  # more than the offsets of a window to either side


def alibi(of: Callable[[], Any], families: Any) -> Iterator[Dump]:
    yield Dump("bias", {"bias": of()}, only_kind(families), imported=True)


def mpt() -> Iterator[Dump]:
    from transformers.models.mpt.modeling_mpt import build_mpt_alibi_tensor

    return alibi(
        lambda: build_mpt_alibi_tensor(12, 64), config("mpt", d_model=192, n_heads=12, n_layers=1, max_seq_len=2048)
    )


def bloom() -> Iterator[Dump]:
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    return alibi(
        lambda: build_alibi_tensor(torch.ones(1, 64), 12, torch.float32),
        config("bloom", hidden_size=192, n_head=12, n_layer=1),
    )


def falcon() -> Iterator[Dump]:
    from transformers.models.falcon.modeling_falcon import build_alibi_tensor

    return alibi(
        lambda: build_alibi_tensor(torch.ones(1, 64, dtype=torch.long), 12, torch.float32),  # as the model asks for it
        config("falcon", hidden_size=192, num_attention_heads=12, num_hidden_layers=1, alibi=True),
    )


def t5() -> Iterator[Dump]:
    from transformers.models.t5.modeling_t5 import T5Attention

    whole = config("t5", num_heads=4, d_model=64, d_kv=16)
    for decoder in (False, True):
        torch.manual_seed(0)
        attention = T5Attention(
            config("t5", is_decoder=decoder, num_heads=4), has_relative_attention_bias=True, layer_idx=0
        )
        with torch.no_grad():
            attention.relative_attention_bias.weight.normal_()
            bias = attention.compute_bias(300, 300)
        kind = (
            only_kind(whole) if not decoder else only_kind(whole).replace("bidirectional=true", "bidirectional=false")
        )
        yield Dump(
            f"bias of the {'decoder' if decoder else 'encoder'}, table",
            {"bias": bias, "table": attention.relative_attention_bias.weight.detach()},
            kind,
            imported=True,
        )


def relative_bert(form: str) -> Iterator[Dump]:
    """transformers 5 reads `position_embedding_type` no more."""
    settings = text("bert", max_position_embeddings=64, position_embedding_type=form)
    model = made(settings, "eager")
    embeddings = [p for name, p in model.named_parameters() if name.endswith("distance_embedding.weight")]
    if not embeddings:
        return
    with torch.no_grad():
        embeddings[0].normal_()
    tokens = tokens_for(settings, N)
    heads = outputs_of(
        model, {"layer.0.attention.self.query": "q", "layer.0.attention.self.key": "k"}, lambda: model(input_ids=tokens)
    )
    logits = softmaxed(lambda: model(input_ids=tokens))[0]
    yield Dump(
        "logits, with queries, keys",
        {
            **{name: x.reshape(1, N, 2, 16) for name, x in heads.items()},
            "logits": logits,
            "distance_embedding": embeddings[0].detach(),
        },
        only_kind(settings),
        imported=True,
    )


def deberta() -> Iterator[Dump]:
    settings = text(
        "deberta-v2",
        max_position_embeddings=64,
        relative_attention=True,
        position_buckets=16,
        pos_att_type=["p2c", "c2p"],
        position_biased_input=False,
        share_att_key=False,
        max_relative_positions=-1,
    )
    model = made(settings, "eager")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "rel_embeddings" in name or "pos_" in name and name.endswith("weight"):
                parameter.normal_()
    tokens = tokens_for(settings, N)
    heads = outputs_of(
        model,
        {"layer.0.attention.self.query_proj": "q", "layer.0.attention.self.key_proj": "k"},
        lambda: model(input_ids=tokens),
    )
    logits = softmaxed(lambda: model(input_ids=tokens))[0]
    own = dict(model.named_parameters())
    weights = {
        "relative_embedding": own["encoder.rel_embeddings.weight"],
        "key_projection": own["encoder.layer.0.attention.self.pos_key_proj.weight"],
        "query_projection": own["encoder.layer.0.attention.self.pos_query_proj.weight"],
    }
    yield Dump(
        "logits, with queries, keys",
        {
            **{name: x.reshape(1, N, 2, 16) for name, x in heads.items()},
            "logits": logits,
            **{name: weight.detach() for name, weight in weights.items()},
        },
        only_kind(settings),
        imported=True,
    )


def swin() -> Iterator[Dump]:
    """With queries of nothing, what softmax is given is the bias."""
    settings = config("swin", embed_dim=32, num_heads=[2, 2], depths=[1, 1], window_size=7, image_size=56, patch_size=4)
    model = made(settings, "eager")
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "query" in name or "q_proj" in name:
                parameter.zero_()
            if name.endswith("relative_position_bias_table"):
                parameter.normal_()
    table = next(p.detach() for name, p in model.named_parameters() if name.endswith("relative_position_bias_table"))
    bias = softmaxed(lambda: model(torch.randn(1, 3, 56, 56)))[0]
    yield Dump(
        "bias, table",
        {"bias": bias.reshape(-1, *bias.shape[-3:])[0], "table": table},
        only_kind(settings),
        ["--grid", "7x7"],
        imported=True,
    )


def swin_v2() -> Iterator[Dump]:
    """Logits of the first window, for cosines of queries and keys take the place of products."""
    settings = config(
        "swinv2", embed_dim=32, num_heads=[2, 2], depths=[1, 1], window_size=7, image_size=56, patch_size=4
    )
    model = made(settings, "eager")
    torch.manual_seed(0)
    image = torch.randn(1, 3, 56, 56)
    block = "layers.0.blocks.0.attention.self."
    heads = outputs_of(model, {block + "query": "q", block + "key": "k"}, lambda: model(image))
    logits = softmaxed(lambda: model(image))[0]
    own = {name[name.index(block) + len(block) :]: p.detach() for name, p in model.named_parameters() if block in name}
    weights = {
        "hidden_weight": own["continuous_position_bias_mlp.0.weight"],
        "hidden_bias": own["continuous_position_bias_mlp.0.bias"],
        "output_weight": own["continuous_position_bias_mlp.2.weight"].T,
        "tau": own["logit_scale"].flatten(),
    }
    yield Dump(
        "logits, with queries, keys, network",
        {**{name: x[:1].reshape(1, 49, 2, 16) for name, x in heads.items()}, "logits": logits[:1], **weights},
        only_kind(settings),
        ["--grid", "7x7"],
        imported=True,
    )


def vits() -> Iterator[Dump]:
    """The text encoder's layer: nothing beyond its window, where `shaw` clips to a row, which is of zeros here. Logits,
    and the same where all vectors of keys are zeros: then they are those of no positions."""
    from transformers.models.vits.modeling_vits import VitsAttention

    settings = config("vits", hidden_size=32, num_attention_heads=2, window_size=4)
    torch.manual_seed(0)
    attention = VitsAttention(settings).eval()
    hidden = torch.randn(1, N, 32)
    names = {"q_proj": "q", "k_proj": "k", "v_proj": "v"}
    heads = {
        name: x.reshape(1, N, 2, 16) for name, x in outputs_of(attention, names, lambda: attention(hidden)).items()
    }
    weights = {
        "relative_keys": beyond_the_window(attention.emb_rel_k[0].detach()),
        "relative_values": beyond_the_window(attention.emb_rel_v[0].detach()),
    }
    query_key = {name: heads[name] for name in ("q", "k")}
    variant = f"shaw(clip={settings.window_size + 1})"
    logits = softmaxed(lambda: attention(hidden))[0][None]
    yield Dump("logits, with queries, keys, vectors", {**query_key, "logits": logits, **weights}, variant)
    few = hidden[:, :FEW]
    out = outputs_of(attention, {"out_proj": "out"}, lambda: attention(few), before=True)["out"].reshape(1, FEW, 2, 16)
    yield Dump(
        "outputs, with queries, keys, values, vectors",
        {**{name: x[:, :FEW] for name, x in heads.items()}, "out": out, **weights},
        variant,
    )
    with torch.no_grad():
        attention.emb_rel_k.zero_()
    plain = softmaxed(lambda: attention(hidden))[0][None]
    yield Dump("logits without vectors", {**query_key, "logits": plain}, "none")


BIASES: dict[str, Callable[[], Iterator[Dump]]] = {
    "MPT": mpt,
    "BLOOM": bloom,
    "Falcon, ALiBi": falcon,
    "T5": t5,
    "BERT, relative_key": lambda: relative_bert("relative_key"),
    "BERT, relative_key_query": lambda: relative_bert("relative_key_query"),
    "DeBERTa v2": deberta,
    "Swin": swin,
    "Swin V2": swin_v2,
    "VITS": vits,
}

# SPDX-License-Identifier: Apache-2.0
"""Configurations of model families: positions as published, everything else as small as it goes."""

from __future__ import annotations

from typing import Any

LLAMA3 = {
    "rope_type": "llama3",
    "factor": 8.0,
    "low_freq_factor": 1.0,
    "high_freq_factor": 4.0,
    "original_max_position_embeddings": 8192,
}
GEMMA4 = {
    "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1e6},
    "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
}
QWEN35 = {
    "rope_type": "default",
    "rope_theta": 1e7,
    "partial_rotary_factor": 0.25,
    "mrope_interleaved": True,
    "mrope_section": [11, 11, 10],
}
MINISTRAL3 = {
    "rope_type": "yarn",
    "type": "yarn",
    "rope_theta": 1e6,
    "factor": 16.0,
    "original_max_position_embeddings": 16384,
    "beta_fast": 32.0,
    "beta_slow": 1.0,
    "mscale_all_dim": 1.0,
    "mscale": 1.0,
    "llama_4_scaling_beta": 0.1,
}
OLMO3 = {
    "rope_type": "yarn",
    "factor": 8.0,
    "original_max_position_embeddings": 8192,
    "attention_factor": 1.2079441541679836,
    "beta_fast": 32,
    "beta_slow": 1,
}
SHORT, LONG = [1 + m / 64 for m in range(48)], [1 + m / 2 for m in range(48)]  # made up: only their form counts


def yarn(factor: float, original: int, **others: Any) -> dict[str, Any]:
    return {"rope_type": "yarn", "factor": factor, "original_max_position_embeddings": original, **others}


def sized(head_width: int, served: int, layers: int = 2, **others: Any) -> dict[str, Any]:
    """Two heads of queries that share one of keys."""
    return {
        "vocab_size": 64,
        "hidden_size": 2 * head_width,
        "num_attention_heads": 2,
        "num_key_value_heads": 1,
        "num_hidden_layers": layers,
        "intermediate_size": 64,
        "pad_token_id": 0,
        "head_dim": head_width,
        "max_position_embeddings": served,
        **others,
    }


def experts(**others: Any) -> dict[str, Any]:
    return {"num_local_experts": 2, "num_experts": 2, "num_experts_per_tok": 1, "moe_intermediate_size": 32, **others}


def latent(served: int, **others: Any) -> dict[str, Any]:
    """DeepSeek's attention: the last 64 channels of a head of 192 rotate."""
    return {
        "vocab_size": 64,
        "hidden_size": 256,
        "num_attention_heads": 2,
        "num_key_value_heads": 2,
        "num_hidden_layers": 1,
        "intermediate_size": 64,
        "pad_token_id": 0,
        "q_lora_rank": 32,
        "kv_lora_rank": 32,
        "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64,
        "v_head_dim": 128,
        "first_k_dense_replace": 5,
        "max_position_embeddings": served,
        **others,
    }


# name -> (model_type, configuration). A family that a version of transformers does not have is left out there.
ROTARY: dict[str, tuple[str, dict[str, Any]]] = {
    "Llama 2": ("llama", sized(128, 4096)),
    "Llama 2, linear": ("llama", sized(128, 16384, rope_scaling={"type": "linear", "factor": 4.0})),
    "Llama 2, dynamic NTK": ("llama", sized(128, 4096, rope_scaling={"type": "dynamic", "factor": 2.0})),
    "Llama 3.1": ("llama", sized(128, 131072, rope_theta=5e5, rope_scaling=LLAMA3)),
    "Llama 4": (
        "llama4_text",
        sized(
            128,
            262144,
            4,
            intermediate_size_mlp=64,
            rope_theta=5e5,
            rope_scaling=LLAMA3,
            no_rope_layers=[1, 1, 1, 0],
            attn_temperature_tuning=True,
            num_local_experts=2,
            moe_layers=[],
            use_qk_norm=False,
        ),
    ),
    "Mistral": ("mistral", sized(128, 32768, rope_theta=1e6)),
    "Ministral 3": ("ministral3", sized(128, 262144, rope_parameters=MINISTRAL3)),
    "Qwen 2.5, YaRN": ("qwen2", sized(128, 32768, rope_theta=1e6, rope_scaling=yarn(4.0, 32768))),
    "Qwen 2-VL": (
        "qwen2_vl_text",
        sized(128, 32768, rope_theta=1e6, rope_scaling={"type": "mrope", "mrope_section": [16, 24, 24]}),
    ),
    "Qwen 3": ("qwen3", sized(128, 40960, rope_theta=1e6)),
    "Qwen 3-VL": (
        "qwen3_vl_text",
        sized(
            128,
            262144,
            rope_theta=5e6,
            rope_scaling={"rope_type": "default", "mrope_interleaved": True, "mrope_section": [24, 20, 20]},
        ),
    ),
    "Qwen 3.5": ("qwen3_5_text", sized(256, 262144, layer_types=["full_attention"] * 2, rope_parameters=QWEN35)),
    "Gemma 2": ("gemma2", sized(256, 8192)),
    "Gemma 3": (
        "gemma3_text",
        sized(
            128,
            131072,
            6,
            rope_theta=1e6,
            rope_local_base_freq=1e4,
            rope_scaling={"rope_type": "linear", "factor": 8.0},
        ),
    ),
    "Gemma 4": (
        "gemma4_text",
        sized(256, 131072, 6, global_head_dim=512, hidden_size_per_layer_input=0, rope_parameters=GEMMA4),
    ),
    "Phi-2": ("phi", sized(80, 2048, partial_rotary_factor=0.4)),
    "Phi-3, longrope": (
        "phi3",
        sized(
            96,
            131072,
            original_max_position_embeddings=4096,
            rope_scaling={"type": "longrope", "short_factor": SHORT, "long_factor": LONG},
        ),
    ),
    "gpt-oss": (
        "gpt_oss",
        sized(
            64,
            131072,
            rope_theta=150000,
            rope_scaling=yarn(32.0, 4096, beta_fast=32.0, beta_slow=1.0, truncate=False),
            **experts(),
        ),
    ),
    "DeepSeek V2": (
        "deepseek_v2",
        latent(163840, rope_scaling=yarn(40, 4096, beta_fast=32, beta_slow=1, mscale=0.707, mscale_all_dim=0.707)),
    ),
    "DeepSeek V3": (
        "deepseek_v3",
        latent(163840, rope_scaling=yarn(40, 4096, beta_fast=32, beta_slow=1, mscale=1.0, mscale_all_dim=1.0)),
    ),
    "GLM-4": ("glm4", sized(128, 131072, partial_rotary_factor=0.5)),
    "GPT-NeoX": ("gpt_neox", sized(128, 2048, rotary_pct=0.25, rotary_emb_base=10000)),
    "Command R": ("cohere", sized(128, 131072, rope_theta=8e6)),
    "Command A": ("cohere2", sized(128, 131072, 4, rope_theta=50000)),
    "SmolLM 3": ("smollm3", sized(128, 65536, 4, rope_theta=5e6, no_rope_layers=[1, 1, 1, 0])),
    "OLMo 2": ("olmo2", sized(128, 4096, rope_theta=5e5)),
    "OLMo 3": ("olmo3", sized(128, 65536, 4, rope_theta=5e5, rope_scaling=OLMO3)),
    "MiniMax-M2": ("minimax_m2", sized(128, 196608, rotary_dim=64, rope_theta=5e6, **experts())),
    "Granite": ("granite", sized(64, 131072, rope_theta=1e7)),
    "Helium": ("helium", sized(128, 4096, rope_theta=1e5)),
    "EXAONE 4": (
        "exaone4",
        sized(
            128,
            131072,
            4,
            rope_theta=1e6,
            sliding_window=4096,
            sliding_window_pattern=4,
            rope_scaling={**LLAMA3, "factor": 16.0},
        ),
    ),
    "ModernBERT": (
        "modernbert",
        {
            "vocab_size": 64,
            "hidden_size": 128,
            "num_attention_heads": 2,
            "num_hidden_layers": 3,
            "intermediate_size": 64,
            "pad_token_id": 0,
            "max_position_embeddings": 8192,
            "reference_compile": False,
            "global_rope_theta": 160000.0,
            "local_rope_theta": 10000.0,
            "global_attn_every_n_layers": 3,
        },
    ),
}
# Families whose code does not ask for an attention function: what their rotation is handed is looked at.
APPLIED: dict[str, tuple[str, dict[str, Any]]] = {
    "GPT-J": (
        "gptj",
        {"vocab_size": 64, "n_embd": 512, "n_head": 2, "n_layer": 1, "rotary_dim": 64, "n_positions": 2048},
    ),
    "CodeGen": (
        "codegen",
        {
            "vocab_size": 64,
            "n_embd": 512,
            "n_head": 4,
            "n_layer": 1,
            "rotary_dim": 64,
            "n_positions": 2048,
            "n_ctx": 2048,
        },
    ),
    "Falcon": (
        "falcon",
        {
            "vocab_size": 64,
            "hidden_size": 128,
            "num_attention_heads": 2,
            "num_hidden_layers": 1,
            "new_decoder_architecture": False,
            "multi_query": True,
            "alibi": False,
        },
    ),
    "GLM-5": (
        "glm_moe_dsa",
        latent(
            202752,
            index_topk=64,
            index_n_heads=2,
            index_head_dim=128,
            rope_theta=1e6,
            rope_parameters={"rope_type": "default", "rope_theta": 1e6},
        ),
    ),
    "DeepSeek V4": (
        "deepseek_v4",
        {
            "vocab_size": 64,
            "hidden_size": 128,
            "num_attention_heads": 2,
            "num_key_value_heads": 1,
            "head_dim": 512,
            "num_hidden_layers": 1,
            "layer_types": ["sliding_attention"],
            "q_lora_rank": 32,
            "n_routed_experts": 2,
            "n_shared_experts": 1,
            "num_experts_per_tok": 1,
            "moe_intermediate_size": 32,
            "o_groups": 1,
            "o_lora_rank": 32,
            "max_position_embeddings": 1048576,
            "pad_token_id": 0,
            "mlp_layer_types": ["moe"],
            "hc_mult": 2,
        },
    ),
}
THREE_AXES = {"Qwen 2-VL", "Qwen 3-VL", "Qwen 3.5"}
# Their code puts the even channels of the rotated part before the odd ones before it rotates halves.
SORTED_PAIRS = {"deepseek_v3"}

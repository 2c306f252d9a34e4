# SPDX-License-Identifier: Apache-2.0
"""Small configurations of models that do not rotate."""

from __future__ import annotations

from typing import Any

import transformers


def config(model_type: str, **settings: Any) -> Any:
    return transformers.AutoConfig.for_model(model_type, **settings)


def text(model_type: str, **settings: Any) -> Any:
    """Small, of two heads of 16 channels, where a family calls its sizes so."""
    sizes = {
        "vocab_size": 64,
        "hidden_size": 32,
        "num_attention_heads": 2,
        "num_hidden_layers": 1,
        "intermediate_size": 32,
        "pad_token_id": 0,
    }
    return config(model_type, **(sizes | settings))

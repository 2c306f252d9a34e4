# SPDX-License-Identifier: Apache-2.0
"""A scheme inside a PyTorch network: its weights as parameters, its operations with the plugin's own gradients.

    positions = poslab.torch.Positions("t5", d_model=64, heads=8)
    x = positions.encode(x, at)                          # before the first layer
    out = positions.attend(q, k, v, at, causal=True)     # or transform and bias, inside an attention of your own

On the CPU, in float32 and float64. Dimension letters: N positions, Nq queries, Nk keys, A numbers of a position, D model width,
H heads, K head width; ... stands for any batch axes.
"""

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from poslab.needed import TORCH, require

require("poslab.torch", TORCH)

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from poslab.library import SIDES, Array, Refused
from poslab.torch_functions import Call, Made, Mix, Score, Transform, numpy_of, require_dtype, require_near, require_no_transform
from poslab.variant import Scheme, _first, _positions, _require_order
from poslab.variant import scheme as scheme_of

WHOLE = "attend and logits take a whole sequence, and no cache of keys so far"


class Positions(nn.Module):
    """A scheme attached to a model, as a module of one layer: its weights are parameters by their own names (those that training
    leaves alone ask for no gradient), drawn with `seed` as `Scheme.draw` does. Pruned and parametrised ones count as they are read
    from the module. A scheme that lacks an operation leaves what that would change as it is. `length` is the length of the whole
    sequence where that is not the number of positions, as in decoding with a cache.
    """

    def __init__(self, scheme: str | os.PathLike[str], *, d_model: int = 128, heads: int = 8, train_length: int = 512, layer: int = 0,
                 seed: int = 0, dtype: torch.dtype = torch.float32, **parameters: Any) -> None:
        super().__init__()
        if dtype not in (torch.float32, torch.float64):
            raise TypeError(f"dtype is {dtype}; poslab works in torch.float32 and torch.float64")
        self.variant = scheme_of(scheme, d_model=d_model, heads=heads, train_length=train_length, **parameters)
        self.layer = layer
        # Which a module without weights would not have: `to` changes it.
        self.register_buffer("_like", torch.empty(0, dtype=dtype), persistent=False)
        self._like: Tensor
        drawn = self.variant.draw_layers(layer + 1, seed)[layer]
        self._hidden = {weight.name for weight in self.variant.weights if hasattr(self, weight.name)}  # PoPE's `bias`, by the method
        for weight in self.variant.weights:
            self._parameters[weight.name] = nn.Parameter(torch.from_numpy(drawn[weight.name]).to(dtype), requires_grad=not weight.frozen)

    def extra_repr(self) -> str:
        return repr(self.variant)

    def encode(self, x: Tensor, positions: ArrayLike, *, causal: bool = False, length: int = 0) -> Tensor:
        """x [..., N, D] with the codes of `positions` added."""
        return self._now().encode(x, _at(positions), causal, length)

    def transform(self, q: Tensor, k: Tensor, positions: ArrayLike, *, causal: bool = False, length: int = 0) -> tuple[Tensor, Tensor]:
        """q and k [..., H, N, K], transformed. Raises Refused where that and `bias` are not all that the scheme does."""
        now, at = self._now(), _at(positions)
        now.require_parts()
        return now.side("query", q, at, causal, length), now.side("key", k, at, causal, length)

    def bias(self, q_positions: ArrayLike, k_positions: ArrayLike, *, causal: bool = False, first_query: int | None = None,
             length: int = 0, dtype: torch.dtype | None = None) -> Tensor:
        """What is added to the scaled logits: [H, Nq, Nk], in the module's dtype where none is given; zeros of a scheme that adds
        nothing. Raises Refused where that and `transform` are not all that the scheme does."""
        now, q, k = self._now(), _at(q_positions, "q_positions"), _at(k_positions, "k_positions")
        now.require_parts()
        return now.bias(q, k, causal, _first(first_query, q, k), length, dtype or self._dtype(now))

    def logits(self, q: Tensor, k: Tensor, positions: ArrayLike, *, causal: bool = False, x: Tensor | None = None,
               length: int = 0) -> Tensor:
        """The logits [..., H, N, N] of q and k [..., H, N, K], which no position has entered yet: transformed, multiplied, scaled,
        with bias and score; -infinity where the mask hides a key. x [..., N, D] is the layer's input, where the scheme reads it.
        What a scheme does to values and outputs, `attend` alone has."""
        return self._now().logits(q, k, _at(positions), causal, x, length)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, positions: ArrayLike, *, causal: bool = False, x: Tensor | None = None,
               length: int = 0) -> Tensor:
        """What the queries gather of the values v [..., H, N, K]: [..., H, N, K]."""
        return self._now().attend(q, k, v, _at(positions), causal, x, length)

    def _dtype(self, now: "Operations") -> torch.dtype:
        dtype = now.weights[0].dtype if now.weights else self._like.dtype
        if dtype not in (torch.float32, torch.float64):
            raise TypeError(f"the module has {dtype}, and poslab works in float32 and float64: module.float()")
        return dtype

    def _now(self) -> "Operations":
        """With the weights as they are read from the module, each by its name. Hooks, by which pruning makes a weight anew, are run
        here, as nobody calls the module itself."""
        require_no_transform()
        with_keywords = getattr(self, "_forward_pre_hooks_with_kwargs", ())
        for number, hook in self._forward_pre_hooks.items():
            hook(self, (), {}) if number in with_keywords else hook(self, ())
        weights: list[Tensor] = []
        for declared in self.variant.weights:
            name = declared.name
            weight = self._parameters.get(name) if name in self._hidden else getattr(self, name, None)
            if not isinstance(weight, Tensor):
                raise ValueError(f"the weight {name!r} of {self.variant.card.id} is missing from the module: it is {weight!r}")
            if tuple(weight.shape) != declared.shape:
                raise ValueError(f"the weight {name!r} of {self.variant.card.id} has shape {list(weight.shape)}, but must have "
                                 f"{list(declared.shape)}")
            weights.append(weight)
        return Operations(self.variant, self.layer, weights)


@dataclass(frozen=True)
class Operations:
    """What a scheme does in a layer, with these weights, in declared order; positions are [N, A]."""

    of: Scheme
    layer: int
    weights: list[Tensor]

    def encode(self, x: Tensor, at: Array, causal: bool, length: int) -> Tensor:
        shape = len(at), self.of.d_model
        self.require("x", x, shape)
        if "encode" not in self.of.operations:
            return x
        codes: Tensor = Made.apply(self.call(x.dtype, {"positions": at}, length=length, causal=causal), "encode", shape, *self.ready(x.dtype))
        return x + codes

    def bias(self, q: Array, k: Array, causal: bool, first_query: int, length: int, dtype: torch.dtype) -> Tensor:
        shape = self.of.heads, len(q), len(k)
        call = self.call(dtype, {"query_positions": q, "key_positions": k}, length=length, causal=causal, first_query=first_query,
                         layer=self.layer)
        if "bias" not in self.of.operations:
            return torch.zeros(shape, dtype=dtype)
        bias: Tensor = Made.apply(call, "bias", shape, *self.ready(dtype))
        return bias

    def logits(self, q: Tensor, k: Tensor, at: Array, causal: bool, x: Tensor | None, length: int) -> Tensor:
        self.require_sequence(q, k, at, causal)
        q, k = self.side("query", q, at, causal, length), self.side("key", k, at, causal, length)
        logits = self.of.logit_scale * (q @ k.transpose(-1, -2))
        require_dtype(logits.dtype, "q.k")
        if "bias" in self.of.operations:
            logits = logits + self.bias(at, at, causal, 0, length, logits.dtype)
        if "score" in self.of.operations:
            logits = self.score(logits, q, k, at, causal, x, length)
        if not causal:
            return logits
        hidden = torch.ones(len(at), len(at), dtype=torch.bool).triu(1)
        return logits.masked_fill(hidden, -math.inf)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, at: Array, causal: bool, x: Tensor | None, length: int) -> Tensor:
        attention = torch.softmax(self.logits(q, k, at, causal, x, length), dim=-1)
        out = attention @ self.side("value", v, at, causal, length)
        if "mix" in self.of.operations:
            out = self.mix(out, attention, at, causal, length)
        return self.side("output", out, at, causal, length)

    def side(self, side: str, x: Tensor, at: Array, causal: bool, length: int) -> Tensor:
        """x [..., H, N, K], transformed as queries, keys, values or outputs are."""
        of, N = self.of, len(at)
        self.require({"query": "q", "key": "k", "value": "v"}.get(side, "the outputs"), x, (of.heads, N, of.head_width))
        if side not in of.sides or x.numel() == 0:
            return x
        batch = x.reshape(-1, of.heads, N, of.head_width)  # one call for all: a batch of N rows is B N rows
        rows = batch.permute(1, 0, 2, 3).reshape(of.heads, -1, of.head_width)
        call = self.call(x.dtype, {"positions": np.tile(at, (len(batch), 1))}, length=length or N, side=SIDES.index(side), causal=causal,
                         layer=self.layer)
        rows = Transform.apply(call, rows, *self.ready(x.dtype))
        return rows.reshape(of.heads, len(batch), N, of.head_width).permute(1, 0, 2, 3).reshape(x.shape)

    def score(self, logits: Tensor, q: Tensor, k: Tensor, at: Array, causal: bool, x: Tensor | None, length: int) -> Tensor:
        of, N = self.of, len(at)
        if x is not None:
            self.require("x", x, (N, of.d_model))
        call = self.call(logits.dtype, {"query_positions": at, "key_positions": at}, length=length, causal=causal, scale=of.logit_scale,
                         layer=self.layer)
        weights, batch = self.ready(logits.dtype), logits.shape[:-3]
        queries, keys = _in_batch("q", q, batch, 3), _in_batch("k", k, batch, 3)
        inputs = [None] * len(queries) if x is None else list(_in_batch("x", x, batch, 2))
        if logits.numel() == 0:
            return logits
        rows = [Score.apply(call, *one, *weights)
                for one in zip(logits.reshape(-1, of.heads, N, N), queries, keys, inputs, strict=True)]
        return torch.stack(rows).reshape(logits.shape)

    def mix(self, mixed: Tensor, attention: Tensor, at: Array, causal: bool, length: int) -> Tensor:
        of, N = self.of, len(at)
        if mixed.numel() == 0:
            return mixed
        call = self.call(mixed.dtype, {"query_positions": at, "key_positions": at}, length=length, causal=causal, layer=self.layer)
        weights, attentions = self.ready(mixed.dtype), _in_batch("the attention", attention, mixed.shape[:-3], 3)
        rows = [Mix.apply(call, *one, *weights)
                for one in zip(mixed.reshape(-1, of.heads, N, of.head_width), attentions, strict=True)]
        return torch.stack(rows).reshape(mixed.shape)

    def call(self, dtype: torch.dtype, positions: dict[str, Array], **numbers: Any) -> Call:
        require_dtype(dtype, f"what {self.of.card.id} computes")
        return Call(self.of, np.dtype(np.float32 if dtype == torch.float32 else np.float64), positions, numbers)

    def ready(self, dtype: torch.dtype) -> Sequence[Tensor]:
        """The weights, if they have the dtype of what they meet."""
        for weight, declared in zip(self.weights, self.of.weights, strict=True):
            require_near(weight, f"the weight {declared.name!r}")
            if weight.dtype not in (torch.float32, torch.float64):
                raise TypeError(f"the weight {declared.name!r} has {weight.dtype}, and poslab works in float32 and float64: module.float()")
            if weight.dtype != dtype:
                raise TypeError(f"the weights of {self.of.card.id} have {weight.dtype}, and what they meet has {dtype}: "
                                "module.to(dtype) brings them together")
        return self.weights

    def require(self, name: str, x: Tensor, shape: tuple[int, ...]) -> None:
        require_near(x, name)
        require_dtype(x.dtype, name)
        if tuple(x.shape[-len(shape):]) != shape:
            raise ValueError(f"{name} has shape {list(x.shape)}, but must end with {list(shape)}")

    def require_parts(self) -> None:
        """That transforming queries and keys and adding the bias is all that the scheme does."""
        more = {"score": "adds to the logits what depends on queries and keys (`score`)", "mix": "adds to the outputs (`mix`)"}
        found = [what for operation, what in more.items() if operation in self.of.operations]
        found += ["transforms values or outputs, too"] if {"value", "output"} & {*self.of.sides} else []
        if found:
            raise Refused(f"{self.of.card.id} {' and '.join(found)}, which an attention of transform and bias would lack: use attend; {WHOLE}")

    def require_sequence(self, q: Tensor, k: Tensor, at: Array, causal: bool) -> None:
        of = self.of
        if of.mask == ("bidirectional only" if causal else "causal only"):
            raise Refused(f"{of.card.id} means something under a {'bidirectional' if causal else 'causal'} mask only: pass "
                          f"causal={not causal}; it was {'' if causal else 'not given, or '}{causal}")
        if q.ndim > 1 and k.ndim > 1 and q.shape[-2] != k.shape[-2]:
            raise Refused(f"q has shape {list(q.shape)} and k {list(k.shape)}, but both must end with {[of.heads, len(at), of.head_width]}: "
                          f"{WHOLE}; transform and bias serve one, where a scheme has no more than these")
        _require_order(of, at)


def _at(positions: ArrayLike, name: str = "positions") -> Array:
    return _positions(numpy_of(positions), name)


def _in_batch(name: str, x: Tensor, batch: torch.Size, axes: int) -> Tensor:
    """x, whose last `axes` are its own, for each element of a batch: [B, ...]. As in PyTorch's products, axes that it lacks and
    axes of one element are the same for all."""
    own = x.shape[-axes:]
    try:
        return x.expand(*batch, *own).reshape(math.prod(batch), *own)
    except RuntimeError:
        raise ValueError(f"{name} has shape {list(x.shape)}, but its batch axes must be those of q and k, {list(batch)}, or expand to "
                         "them") from None

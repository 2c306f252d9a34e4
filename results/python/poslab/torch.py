# SPDX-License-Identifier: Apache-2.0
"""A scheme inside a PyTorch network: its weights as parameters, its operations with the plugin's own gradients.

    positions = poslab.torch.Positions("t5", d_model=64, heads=8)
    x = positions.encode(x, at)                          # before the first layer
    out = positions.attend(q, k, v, at, causal=True)     # or transform, bias and logits, inside an attention of your own

On the CPU, in float32 and float64. Dimension letters: N positions, Nq queries, Nk keys, A numbers of a position, D model width,
H heads, K head width; ... stands for any batch axes.
"""

import functools
import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from poslab.needed import TORCH, require

require("poslab.torch", TORCH)

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor, nn

from poslab.library import SIDES, Array, Refused
from poslab.variant import Scheme, _first, _positions
from poslab.variant import scheme as scheme_of

Arrays = list[Array | None]


def _array(tensor: Tensor) -> Array:
    return np.asarray(tensor.detach().resolve_neg().numpy(), order="C")  # which leaves a weight without axes as it is


@dataclass(frozen=True)
class _Call:
    """What an operation is given beside what is differentiated: positions by their names in plugin.h; context, side, layer."""

    scheme: Scheme
    dtype: np.dtype[Any]
    positions: dict[str, Array]
    numbers: dict[str, Any]

    def apply(self, operation: str, weights: Sequence[Tensor], arrays: dict[str, Array | None], gradients: Arrays | None = None) -> None:
        self.scheme._apply(operation, self.dtype, [_array(weight) for weight in weights], {**self.positions, **arrays}, gradients,
                           **self.numbers)


def _wanted(ctx: Any, weights: Sequence[Tensor]) -> Arrays:
    """Zeros for those weights, the last inputs, whose gradient is wanted."""
    asked = ctx.needs_input_grad[len(ctx.needs_input_grad) - len(weights):]
    return [np.zeros_like(_array(weight)) if wanted else None for weight, wanted in zip(weights, asked, strict=True)]


def _tensors(arrays: Arrays) -> list[Tensor | None]:
    return [None if array is None else torch.from_numpy(array) for array in arrays]


class _Final(torch.autograd.Function):
    """Gradients as they are, but made of `sources`: whoever differentiates them by one of these is refused."""

    @staticmethod
    def forward(ctx: Any, gradients: tuple[Any, ...], *sources: Tensor) -> tuple[Any, ...]:
        return gradients

    @staticmethod
    def backward(ctx: Any, *_: Any) -> Any:
        raise NotImplementedError("poslab's operations have no second derivatives; first ones need no create_graph=True")


def _once(backward: Callable[[Any, Tensor], tuple[Any, ...]]) -> Callable[[Any, Tensor], Any]:
    """A backward without a derivative. PyTorch's once_differentiable connects what it returns with nothing, so that a second
    derivative silently lacks it."""
    @functools.wraps(backward)
    def guarded(ctx: Any, gradient: Tensor) -> Any:
        with torch.no_grad():
            gradients = backward(ctx, gradient)
        return _Final.apply(gradients, gradient, *ctx.saved_tensors)
    return guarded


class _Made(torch.autograd.Function):
    """`encode` and `bias`, which make an array of positions and weights."""

    @staticmethod
    def forward(ctx: Any, call: _Call, operation: str, shape: tuple[int, ...], *weights: Tensor) -> Tensor:
        ctx.call, ctx.operation = call, operation
        ctx.save_for_backward(*weights)
        out = np.empty(shape, call.dtype)
        call.apply(operation, weights, {"output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, gradient: Tensor) -> Any:
        of_weights = _wanted(ctx, ctx.saved_tensors)
        ctx.call.apply(ctx.operation, ctx.saved_tensors, {"output_gradient": _array(gradient)}, of_weights)
        return None, None, None, *_tensors(of_weights)


class _Transform(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: _Call, x: Tensor, *weights: Tensor) -> Tensor:
        ctx.call = call
        ctx.save_for_backward(x, *weights)
        out = _array(x).copy()
        call.apply("transform", weights, {"output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, gradient: Tensor) -> Any:
        x, *weights = ctx.saved_tensors
        of_weights, of_x = _wanted(ctx, weights), _array(gradient).copy()
        before = ("query", "key", "value", "mixed")[ctx.call.numbers["side"]]
        ctx.call.apply("transform", weights, {"output": of_x, before: _array(x)}, of_weights)
        return None, torch.from_numpy(of_x), *_tensors(of_weights)


class _Score(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: _Call, logits: Tensor, q: Tensor, k: Tensor, x: Tensor | None, *weights: Tensor) -> Tensor:
        ctx.call, ctx.reads_input = call, x is not None
        ctx.save_for_backward(q, k, *([] if x is None else [x]), *weights)
        out = _array(logits).copy()
        given: dict[str, Array | None] = {"query": _array(q), "key": _array(k), "layer_input": None if x is None else _array(x)}
        call.apply("score", weights, {**given, "output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, gradient: Tensor) -> Any:
        q, k, *others = ctx.saved_tensors
        x, weights = (others[0], others[1:]) if ctx.reads_input else (None, others)
        given: dict[str, Array | None] = {"query": _array(q), "key": _array(k), "layer_input": None if x is None else _array(x)}
        of: dict[str, Array | None] = {f"{name}_gradient": None if array is None else np.zeros_like(array) for name, array in given.items()}
        of_weights = _wanted(ctx, weights)
        given["output_gradient"] = _array(gradient)
        ctx.call.apply("score", weights, {**given, **of}, of_weights)
        of_logits = torch.zeros_like(gradient) if ctx.call.scheme.score_writes_logits else gradient
        return None, of_logits, *_tensors([*of.values(), *of_weights])


class _Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: _Call, mixed: Tensor, attention: Tensor, *weights: Tensor) -> Tensor:
        ctx.call = call
        ctx.save_for_backward(attention, *weights)
        out = _array(mixed).copy()
        call.apply("mix", weights, {"attention": _array(attention), "output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, gradient: Tensor) -> Any:
        attention, *weights = ctx.saved_tensors
        of_weights, of_attention = _wanted(ctx, weights), np.zeros_like(_array(attention))
        ctx.call.apply("mix", weights, {"attention": _array(attention), "output_gradient": _array(gradient),
                                        "attention_gradient": of_attention}, of_weights)
        return None, gradient, *_tensors([of_attention, *of_weights])


class Positions(nn.Module):
    """A scheme attached to a model, as a module of one layer: its weights are parameters by their own names (those that training
    leaves alone ask for no gradient), drawn with `seed` as `Scheme.draw` does. A scheme that lacks an operation leaves what that
    would change as it is. `length` is the length of the whole sequence where that is not the number of positions, as in decoding
    with a cache.
    """

    def __init__(self, scheme: str | os.PathLike[str], *, d_model: int = 128, heads: int = 8, train_length: int = 512, layer: int = 0,
                 seed: int = 0, dtype: torch.dtype = torch.float32, **parameters: Any) -> None:
        super().__init__()
        self.variant = scheme_of(scheme, d_model=d_model, heads=heads, train_length=train_length, **parameters)
        self.layer = layer
        drawn = self.variant.draw_layers(layer + 1, seed)[layer]
        for weight in self.variant.weights:
            parameter = nn.Parameter(torch.from_numpy(drawn[weight.name]).to(dtype), requires_grad=not weight.frozen)
            self._parameters[weight.name] = parameter  # not register_parameter: PoPE's is called as a method here is, `bias`

    def extra_repr(self) -> str:
        return repr(self.variant)

    def encode(self, x: Tensor, positions: ArrayLike, *, causal: bool = False, length: int = 0) -> Tensor:
        """x [..., N, D] with the codes of `positions` added."""
        at = _positions(_numpy(positions), "positions")
        self._require("x", x, (len(at), self.variant.d_model))
        if "encode" not in self.variant.operations:
            return x
        codes: Tensor = _Made.apply(self._call(x.dtype, {"positions": at}, length=length, causal=causal), "encode", (len(at), self.variant.d_model),
                                    *self._weights(x.dtype))
        return x + codes

    def transform(self, q: Tensor, k: Tensor, positions: ArrayLike, *, causal: bool = False, length: int = 0) -> tuple[Tensor, Tensor]:
        """q and k [..., H, N, K], transformed."""
        return self._side("query", q, positions, causal, length), self._side("key", k, positions, causal, length)

    def bias(self, q_positions: ArrayLike, k_positions: ArrayLike, *, causal: bool = False, first_query: int | None = None,
             length: int = 0, dtype: torch.dtype | None = None) -> Tensor:
        """What is added to the scaled logits: [H, Nq, Nk]; zeros of a scheme that adds nothing."""
        q, k = _positions(_numpy(q_positions), "q_positions"), _positions(_numpy(k_positions), "k_positions")
        shape, dtype = (self.variant.heads, len(q), len(k)), dtype or self._dtype()
        call = self._call(dtype, {"query_positions": q, "key_positions": k}, length=length, causal=causal,
                          first_query=_first(first_query, q, k), layer=self.layer)
        if "bias" not in self.variant.operations:
            return torch.zeros(shape, dtype=dtype)
        bias: Tensor = _Made.apply(call, "bias", shape, *self._weights(dtype))
        return bias

    def logits(self, q: Tensor, k: Tensor, positions: ArrayLike, *, causal: bool = False, x: Tensor | None = None,
               length: int = 0) -> Tensor:
        """The logits [..., H, N, N] of q and k [..., H, N, K], which no position has entered yet: transformed, multiplied, scaled,
        with bias and score; -infinity where the mask hides a key. x [..., N, D] is the layer's input, where the scheme reads it."""
        if self.variant.mask == ("bidirectional only" if causal else "causal only"):
            raise Refused(f"{self.variant.card.id} means something under a {'bidirectional' if causal else 'causal'} mask only: "
                          f"causal={not causal}")
        at = _positions(_numpy(positions), "positions")
        q, k = self.transform(q, k, at, causal=causal, length=length)
        logits = self.variant.logit_scale * (q @ k.transpose(-1, -2))
        _require_dtype(logits.dtype, "q.k")
        if "bias" in self.variant.operations:
            logits = logits + self.bias(at, at, causal=causal, length=length, dtype=logits.dtype)
        if "score" in self.variant.operations:
            logits = self._score(logits, q, k, at, causal, x, length)
        if not causal:
            return logits
        hidden = torch.ones(len(at), len(at), dtype=torch.bool).triu(1)
        return logits.masked_fill(hidden, -math.inf)

    def attend(self, q: Tensor, k: Tensor, v: Tensor, positions: ArrayLike, *, causal: bool = False, x: Tensor | None = None,
               length: int = 0) -> Tensor:
        """What the queries gather of the values v [..., H, N, K]: [..., H, N, K]."""
        at = _positions(_numpy(positions), "positions")
        attention = torch.softmax(self.logits(q, k, at, causal=causal, x=x, length=length), dim=-1)
        out = attention @ self._side("value", v, at, causal, length)
        if "mix" in self.variant.operations:
            out = self._mix(out, attention, at, causal, length)
        return self._side("output", out, at, causal, length)

    def _side(self, side: str, x: Tensor, positions: ArrayLike, causal: bool, length: int) -> Tensor:
        at = _positions(_numpy(positions), "positions")
        of = self.variant
        self._require({"query": "q", "key": "k", "value": "v"}.get(side, "the outputs"), x, (of.heads, len(at), of.head_width))
        if side not in of.sides or x.numel() == 0:
            return x
        batch = x.reshape(-1, of.heads, len(at), of.head_width)  # one call for all: a batch of N rows is B N rows
        rows = batch.permute(1, 0, 2, 3).reshape(of.heads, -1, of.head_width)
        call = self._call(x.dtype, {"positions": np.tile(at, (len(batch), 1))}, length=length or len(at), side=SIDES.index(side),
                          causal=causal, layer=self.layer)
        rows = _Transform.apply(call, rows, *self._weights(x.dtype))
        return rows.reshape(of.heads, len(batch), len(at), of.head_width).permute(1, 0, 2, 3).reshape(x.shape)

    def _score(self, logits: Tensor, q: Tensor, k: Tensor, at: Array, causal: bool, x: Tensor | None, length: int) -> Tensor:
        of, N = self.variant, len(at)
        if x is not None:
            self._require("x", x, (N, of.d_model))
        call = self._call(logits.dtype, {"query_positions": at, "key_positions": at}, length=length, causal=causal,
                          scale=of.logit_scale, layer=self.layer)
        weights, batch = self._weights(logits.dtype), logits.shape[:-3]
        queries, keys = _in_batch("q", q, batch, 3), _in_batch("k", k, batch, 3)
        inputs = [None] * len(queries) if x is None else list(_in_batch("x", x, batch, 2))
        if logits.numel() == 0:
            return logits
        rows = [_Score.apply(call, *one, *weights)
                for one in zip(logits.reshape(-1, of.heads, N, N), queries, keys, inputs, strict=True)]
        return torch.stack(rows).reshape(logits.shape)

    def _mix(self, mixed: Tensor, attention: Tensor, at: Array, causal: bool, length: int) -> Tensor:
        of, N = self.variant, len(at)
        if mixed.numel() == 0:
            return mixed
        call = self._call(mixed.dtype, {"query_positions": at, "key_positions": at}, length=length, causal=causal, layer=self.layer)
        weights, attentions = self._weights(mixed.dtype), _in_batch("the attention", attention, mixed.shape[:-3], 3)
        rows = [_Mix.apply(call, *one, *weights)
                for one in zip(mixed.reshape(-1, of.heads, N, of.head_width), attentions, strict=True)]
        return torch.stack(rows).reshape(mixed.shape)

    def _call(self, dtype: torch.dtype, positions: dict[str, Array], **numbers: Any) -> _Call:
        _require_dtype(dtype, f"what {self.variant.card.id} computes")
        return _Call(self.variant, np.dtype(np.float32 if dtype == torch.float32 else np.float64), positions, numbers)

    def _dtype(self) -> torch.dtype:
        return next((weight.dtype for weight in self.parameters()), torch.get_default_dtype())

    def _weights(self, dtype: torch.dtype) -> list[Tensor]:
        """In declared order, if they have the dtype of what they meet."""
        weights: list[Tensor] = [weight for weight in self._parameters.values() if weight is not None]
        for weight in weights:
            _usable(weight, "a weight")
            if weight.dtype != dtype:
                raise TypeError(f"the weights of {self.variant.card.id} have {weight.dtype}, and what they meet has {dtype}: "
                                "module.to(dtype) brings them together")
        return weights

    def _require(self, name: str, x: Tensor, shape: tuple[int, ...]) -> None:
        _usable(x, name)
        if tuple(x.shape[-len(shape):]) != shape:
            raise ValueError(f"{name} has shape {list(x.shape)}, but must end with {list(shape)}")


def _in_batch(name: str, x: Tensor, batch: torch.Size, axes: int) -> Tensor:
    """x, whose last `axes` are its own, for each element of a batch: [B, ...]. As in PyTorch's products, axes that it lacks and
    axes of one element are the same for all."""
    own = x.shape[-axes:]
    try:
        return x.expand(*batch, *own).reshape(math.prod(batch), *own)
    except RuntimeError:
        raise ValueError(f"{name} has shape {list(x.shape)}, but its batch axes must be those of q and k, {list(batch)}, or expand to "
                         "them") from None


def _usable(tensor: Tensor, name: str) -> None:
    if tensor.device.type != "cpu":
        raise ValueError(f"{name} lies on {tensor.device}; poslab's schemes work on the CPU: {name}.cpu()")
    _require_dtype(tensor.dtype, name)


def _require_dtype(dtype: torch.dtype, name: str) -> None:
    if dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name} has {dtype}; poslab works in float32 and float64; inside torch.autocast, under another one with enabled=False")


def _numpy(positions: ArrayLike | Tensor) -> ArrayLike:
    return positions.detach().cpu().resolve_neg().numpy() if isinstance(positions, Tensor) else positions

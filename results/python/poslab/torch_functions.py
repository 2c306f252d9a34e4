# SPDX-License-Identifier: Apache-2.0
"""The operations of a scheme as functions that PyTorch differentiates, by the plugin's own gradients; and which tensors they take.

... stands for any batch axes.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from poslab.library import Array
from poslab.variant import Scheme

Arrays = list[Array | None]


def array_of(tensor: Tensor) -> Array:
    return np.asarray(tensor.detach().resolve_neg().numpy(), order="C")  # which leaves a weight without axes as it is


@dataclass(frozen=True)
class Call:
    """What an operation is given beside what is differentiated: positions by their names in plugin.h; context, side, layer."""

    scheme: Scheme
    dtype: np.dtype[Any]
    positions: dict[str, Array]
    numbers: dict[str, Any]

    def apply(self, operation: str, weights: Sequence[Tensor], arrays: dict[str, Array | None], gradients: Arrays | None = None) -> None:
        self.scheme._apply(operation, self.dtype, [array_of(weight) for weight in weights], {**self.positions, **arrays}, gradients,
                           **self.numbers)


def _wanted(ctx: Any, weights: Sequence[Tensor]) -> Arrays:
    """Zeros for those weights, the last inputs, whose gradient is wanted."""
    asked = ctx.needs_input_grad[len(ctx.needs_input_grad) - len(weights):]
    return [np.zeros_like(array_of(weight)) if wanted else None for weight, wanted in zip(weights, asked, strict=True)]


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


def _once(backward: Callable[[Any, tuple[Tensor, ...], Tensor], tuple[Any, ...]]) -> Callable[[Any, Tensor], Any]:
    """A backward without a derivative, which is handed what was saved, as that may be read once (torch.utils.checkpoint). PyTorch's
    once_differentiable connects what it returns with nothing, so that a second derivative silently lacks it."""
    @functools.wraps(backward)
    def guarded(ctx: Any, gradient: Tensor) -> Any:
        saved = ctx.saved_tensors
        with torch.no_grad():
            gradients = backward(ctx, saved, gradient)
        return _Final.apply(gradients, gradient, *saved)
    return guarded


class Made(torch.autograd.Function):
    """`encode` and `bias`, which make an array of positions and weights."""

    @staticmethod
    def forward(ctx: Any, call: Call, operation: str, shape: tuple[int, ...], *weights: Tensor) -> Tensor:
        ctx.call, ctx.operation = call, operation
        ctx.save_for_backward(*weights)
        out = np.empty(shape, call.dtype)
        call.apply(operation, weights, {"output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, saved: tuple[Tensor, ...], gradient: Tensor) -> Any:
        of_weights = _wanted(ctx, saved)
        ctx.call.apply(ctx.operation, saved, {"output_gradient": array_of(gradient)}, of_weights)
        return None, None, None, *_tensors(of_weights)


class Transform(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: Call, x: Tensor, *weights: Tensor) -> Tensor:
        ctx.call = call
        ctx.save_for_backward(x, *weights)
        out = array_of(x).copy()
        call.apply("transform", weights, {"output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, saved: tuple[Tensor, ...], gradient: Tensor) -> Any:
        x, *weights = saved
        of_weights, of_x = _wanted(ctx, weights), array_of(gradient).copy()
        before = ("query", "key", "value", "mixed")[ctx.call.numbers["side"]]
        ctx.call.apply("transform", weights, {"output": of_x, before: array_of(x)}, of_weights)
        return None, torch.from_numpy(of_x), *_tensors(of_weights)


class Score(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: Call, logits: Tensor, q: Tensor, k: Tensor, x: Tensor | None, *weights: Tensor) -> Tensor:
        ctx.call, ctx.reads_input = call, x is not None
        ctx.save_for_backward(q, k, *([] if x is None else [x]), *weights)
        out = array_of(logits).copy()
        given: dict[str, Array | None] = {"query": array_of(q), "key": array_of(k), "layer_input": None if x is None else array_of(x)}
        call.apply("score", weights, {**given, "output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, saved: tuple[Tensor, ...], gradient: Tensor) -> Any:
        q, k, *others = saved
        x, weights = (others[0], others[1:]) if ctx.reads_input else (None, others)
        given: dict[str, Array | None] = {"query": array_of(q), "key": array_of(k), "layer_input": None if x is None else array_of(x)}
        of: dict[str, Array | None] = {f"{name}_gradient": None if array is None else np.zeros_like(array) for name, array in given.items()}
        of_weights = _wanted(ctx, weights)
        given["output_gradient"] = array_of(gradient)
        ctx.call.apply("score", weights, {**given, **of}, of_weights)
        of_logits = torch.zeros_like(gradient) if ctx.call.scheme.score_writes_logits else gradient
        return None, of_logits, *_tensors([*of.values(), *of_weights])


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, call: Call, mixed: Tensor, attention: Tensor, *weights: Tensor) -> Tensor:
        ctx.call = call
        ctx.save_for_backward(attention, *weights)
        out = array_of(mixed).copy()
        call.apply("mix", weights, {"attention": array_of(attention), "output": out})
        return torch.from_numpy(out)

    @staticmethod
    @_once
    def backward(ctx: Any, saved: tuple[Tensor, ...], gradient: Tensor) -> Any:
        attention, *weights = saved
        of_weights, of_attention = _wanted(ctx, weights), np.zeros_like(array_of(attention))
        ctx.call.apply("mix", weights, {"attention": array_of(attention), "output_gradient": array_of(gradient),
                                        "attention_gradient": of_attention}, of_weights)
        return None, gradient, *_tensors([of_attention, *of_weights])


def numpy_of(positions: ArrayLike | Tensor) -> ArrayLike:
    """Positions as NumPy has them, which have no gradient."""
    if not isinstance(positions, Tensor):
        return positions
    if positions.dtype in (torch.bfloat16, torch.float16):
        most = 2048 if positions.dtype == torch.float16 else 256
        raise TypeError(f"positions have {positions.dtype}, which tells no integers apart beyond {most}: make them as integers, "
                        "torch.arange(N), or in float64")
    return positions.detach().cpu().resolve_neg().numpy()


def require_near(tensor: Tensor, name: str) -> None:
    """That its numbers lie where NumPy finds them."""
    if tensor.device.type != "cpu":
        raise ValueError(f"{name} lies on {tensor.device}; poslab's schemes work on the CPU: {name}.cpu()")


def require_dtype(dtype: torch.dtype, name: str) -> None:
    if dtype not in (torch.float32, torch.float64):
        raise TypeError(f"{name} has {dtype}, and poslab works in float32 and float64. Inside torch.autocast, call it under "
                        "torch.autocast(\"cpu\", enabled=False), and with q.float(), k.float() and so on: what layers have made there "
                        f"is {dtype} still")


# As PyTorch asks before it applies a function of ours; older ones have no torch.func.
_transforms_are_active: Callable[[], bool] = getattr(torch._C, "_are_functorch_transforms_active", lambda: False)


def require_no_transform() -> None:
    if _transforms_are_active():
        raise NotImplementedError("poslab's operations do not go through torch.func (vmap, grad, jvp ...): leading axes of q, k, v and x are "
                                  "batch axes without vmap, and gradients come from backward()")

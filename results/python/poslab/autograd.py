# SPDX-License-Identifier: Apache-2.0
"""Schemes that are written with PyTorch: tensors in place of arrays, gradients from autograd."""

from typing import Any

import numpy as np
import torch

from poslab.instance import BEFORE_TRANSFORM, MIX, SCORE, TRANSFORM, Call, Instance
from poslab.library import Array

torch.set_num_threads(1)  # cells run beside each other
torch.set_default_dtype(torch.float64)  # of tensors that a method makes without saying which


class TorchInstance(Instance):
    """As Instance, for a scheme defined with array="torch"."""

    def forward(self, call: Call) -> None:
        with torch.no_grad():
            self.begin(call, torch.from_numpy)
            output = call.arrays.get("output")
            result = self.applied(call, None if output is None else torch.from_numpy(output.copy()))
            if call.form.operation == MIX or (call.form.operation == SCORE and not self.traits["score_writes_logits"]):
                result = torch.from_numpy(call.arrays["output"]) + result
            call.arrays["output"] = result.numpy()

    def applied(self, call: Call, output: Any) -> Any:
        """What the operation returns; `output` is x of a transform, and the logits of a score that writes them anew."""
        if call.form.operation == TRANSFORM:
            return self.transformed(output)
        self.given["logits"] = output
        return self.result(call.form.operation, call.form.output_shape if output is None else tuple(output.shape))

    def checked(self, name: str, value: Any, shape: tuple[int, ...], form: str) -> Any:
        if not isinstance(value, torch.Tensor):
            raise self.mistake(name, f"returned {type(value).__name__}, and a tensor is wanted")
        return super().checked(name, value, shape, form)

    def turned(self, x: Any, angles: Any, back: bool) -> Any:
        cosines, sines, out = angles.cos().to(x.dtype), angles.sin().to(x.dtype), x.clone()
        if back:
            sines = -sines
        part, one, other = self.pairs(out)
        a, b = (self.pairs(x)[0][..., each] for each in (one, other))
        part[..., one] = a * cosines - b * sines
        part[..., other] = a * sines + b * cosines
        return out

    def stacked(self, each: list[Any]) -> Any:
        return torch.stack(each)

    def about(self, array: Any) -> tuple[bool, bool, int]:
        return not array.dtype.is_complex, array.dtype.is_floating_point, array.element_size()

    def gradient(self, call: Call) -> None:
        """Gradients of the scalar whose gradient by the operation's output is given, added where the call wants them."""
        arrays = call.arrays
        wanted: list[tuple[Any, Array]] = []  # of each leaf the array to which its gradient is added
        self.begin(call, torch.from_numpy)
        weights = {name: torch.from_numpy(call.weights[place]).requires_grad_(place in call.weight_gradients)
                   for place, name in enumerate(self.weights)}
        if weights:
            self.set_weights(weights)
            wanted += [(weight, call.weight_gradients[place]) for place, weight in enumerate(weights.values())
                       if place in call.weight_gradients]
        for name in ("query", "key", "attention", "layer_input"):
            if f"{name}_gradient" in arrays:
                leaf = self.given[name] = torch.from_numpy(arrays[name]).requires_grad_()
                wanted.append((leaf, arrays[f"{name}_gradient"]))
        if call.form.operation == TRANSFORM:
            seed, x = torch.from_numpy(arrays["output"].copy()), arrays.get(BEFORE_TRANSFORM[call.form.side])
            by_x = np.zeros_like(arrays["output"])
            leaf = torch.from_numpy(by_x.copy() if x is None else x).requires_grad_()
            wanted.append((leaf, by_x))
            self.add_gradients(self.applied(call, leaf), seed, wanted)
            arrays["output"][...] = by_x
            return
        seed = torch.from_numpy(arrays["output_gradient"])
        logits = torch.zeros_like(seed)
        if call.form.operation == SCORE and self.traits["score_writes_logits"]:  # what it found: there is no bias beside it
            logits = call.form.scale * self.given["query"] @ self.given["key"].transpose(-1, -2)
        self.add_gradients(self.applied(call, logits), seed, wanted)

    def add_gradients(self, result: Any, seed: Any, wanted: list[tuple[Any, Array]]) -> None:
        if not result.requires_grad or not wanted:
            return
        gradients = torch.autograd.grad(result, [leaf for leaf, _ in wanted], seed.to(result.dtype), allow_unused=True)
        for gradient, (_, sink) in zip(gradients, wanted, strict=True):
            if gradient is not None:
                sink += gradient.numpy()

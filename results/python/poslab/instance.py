# SPDX-License-Identifier: Apache-2.0
"""A variant of a scheme that is written in Python: what it is given, what it answers, and whether that has the right form.

Dimension letters: N positions, Nq queries, Nk keys, A numbers of a position, D model width, H heads, K head width, P rotated planes.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from poslab.declaration import CLAIMS, FACTS, MASKS, PAIRINGS, ROTARY_PARTS, TRAITS, Definition, bits_of, finite, index_of
from poslab.library import OPERATIONS, SIDES, Array, OutOfRange, Refused
from poslab.members import Mistake, Weight

ENCODE, TRANSFORM, BIAS, SCORE, MIX = range(5)
NAMES = {"positions": "positions", "query_positions": "q", "key_positions": "k"}  # of members of a call, for methods
READ = {"query", "key", "attention", "layer_input"}
BEFORE_TRANSFORM = ("query", "key", "value", "mixed")  # where the gradient of transform finds x, by side


@dataclass(frozen=True)
class Form:
    """What calls have in common that differ in their arrays' numbers alone; of poslab_call in plugin.h."""

    operation: int
    is_gradient: bool
    dtype: np.dtype[Any]
    side: int
    scale: float
    output_shape: tuple[int, ...]  # of an output that is overwritten, which is not in a call's arrays before
    facts: Mapping[str, Any]       # what methods may ask for by name, but arrays


@dataclass(slots=True)
class Call:
    """Arrays by the names of members of poslab_call; weights and their gradients in declared order."""

    form: Form
    arrays: dict[str, Array]
    weights: dict[int, Array]
    weight_gradients: dict[int, Array]


class Instance:
    """The variant with these parameters in this model. Raises what its own methods raise, and Mistake."""

    def __init__(self, definition: Definition, parameters: Mapping[str, Any], model: Mapping[str, int]) -> None:
        self.definition, self.model = definition, dict(model)
        self.given: dict[str, Any] = dict(model)  # by the names of arguments
        self.scheme = definition.scheme()
        for name, value in parameters.items():
            setattr(self.scheme, name, value)
        self.call_method("prepare")
        self.traits = {name: self._trait(name) for name in TRAITS}
        self.weights = self._weights()
        self.takes_axes = definition.card["most_axes"] > 1
        self.limits = _limit(self.traits["min_position"]), _limit(self.traits["max_position"])
        self.planes = self._planes()
        if self.traits["pairing"] is not None:
            index_of(self.traits["pairing"], PAIRINGS, "pairing")
        self.rotated_last = index_of(self.traits["rotary_part"] or "first", ROTARY_PARTS, "rotary_part") == 1
        if self.rotated_last and "rotate" in definition.takes and 2 * self.planes == self.model["head_width"]:
            raise Refused("the last part of a head is rotated, so the rotary width must be less than the head width "
                          f"{self.model['head_width']}")
        if self.offered(SCORE) and "logits" in definition.takes["score"] and not self.traits["score_writes_logits"]:
            raise Mistake(f"{definition.scheme.__name__}.score asks for logits and adds to them: no gradient would know; "
                          "score_writes_logits=True lets it write them anew")

        if self.traits["score_writes_logits"] and self.offered(OPERATIONS.index("bias")):
            raise Mistake(f"{definition.scheme.__name__} has a bias beside a score that writes the logits anew: no gradient would reach "
                          "what the bias added; add it in score")

    def call_method(self, name: str, **more: Any) -> Any:
        """What the method returns, None where there is none. `more`: arguments that are no facts of the model."""
        takes = self.definition.takes.get(name)
        if takes is None:
            return None
        given = {**self.given, **more} if more else self.given
        try:
            arguments = {each: given[each] for each in takes}
        except KeyError as missing:
            raise self.mistake(name, f"asks for {missing.args[0]}, which this call has not") from None
        return getattr(self.scheme, name)(**arguments)

    def _trait(self, name: str) -> Any:
        if name in self.definition.takes:
            return self.call_method(name)
        return getattr(self.scheme, name, self.definition.traits.get(name))

    def _planes(self) -> int:
        width, head_width = self.traits["rotary_width"], self.model["head_width"]
        width = head_width if width is None else width
        if "rotate" in self.definition.takes and (width % 2 or not 0 <= width <= head_width):
            raise Refused("channels are rotated in pairs: the rotary width must be even and at most the head width "
                          f"{head_width}, not {width}")
        return int(width) // 2

    def _weights(self) -> dict[str, Weight]:
        weights = self.definition.weights or self.call_method("weights") or {}
        for name, weight in weights.items():
            if not isinstance(weight, Weight):
                raise Mistake(f"weight {name!r} is {weight!r}; a weight is poslab.weight(shape, init=...)")
        return dict(weights)

    def extents(self, weight: Weight) -> list[int]:
        """Words are facts of the model, or parameters."""
        found = []
        for extent in weight.shape:
            if isinstance(extent, str):
                if extent not in self.model and extent not in self.definition.parameters:
                    raise Mistake(f"{extent!r} is no extent of a weight: a number, {', '.join(FACTS)}, or a parameter")
                name, extent = extent, self.model.get(extent) or getattr(self.scheme, extent)
                if not isinstance(extent, int):
                    raise Mistake(f"a weight's extent is the parameter {name}, whose value is {extent!r}; a whole number is wanted")
            found.append(int(extent))
        return found

    def offered(self, operation: int) -> bool:
        name = OPERATIONS[operation]
        if not self.definition.offers(name):
            return False
        return "offers" not in self.definition.takes or bool(self.call_method("offers", operation=name))

    def described(self) -> dict[str, Any]:
        """What `create` of plugin.h tells, in its numbers; None: not bounded, or not said."""
        traits = self.traits
        least, most = (traits["axes"], traits["axes"]) if isinstance(traits["axes"], int) else traits["axes"] or (0, 0)
        frequencies = traits["inverse_frequency"]
        return {
            "operations": sum(1 << each for each in range(5) if self.offered(each)),
            "claims": bits_of(traits["claims"] or (), CLAIMS, "claim"),
            "mask": index_of(traits["mask"] or "any", MASKS, "mask"),
            "sides": bits_of(traits["sides"] or (), SIDES, "side"),
            "score_writes_logits": bool(traits["score_writes_logits"]), "logit_scale": float(traits["logit_scale"] or 0),
            "embedding_scale": float(traits["embedding_scale"] or 0), "initial_query_scale": float(traits["initial_query_scale"] or 0),
            "min_position": self.limits[0], "max_position": self.limits[1],
            "unique_up_to": _limit(traits["unique_up_to"] or 0), "least_axes": least, "most_axes": most,
            "inverse_frequency": [] if frequencies is None else [float(each) for each in np.asarray(frequencies).reshape(-1)],
            "weights": [{"name": name, "shape": self.extents(each), "per_layer": each.per_layer, "initialisation": each.initialisation,
                         "first": each.first, "second": each.second, "frozen": each.frozen, "sentence": each.sentence}
                        for name, each in self.weights.items()]}

    # ---------------------------------------------------------------------------------------------------------- calls

    def begin(self, call: Call, wrapped: Callable[[Array], Any]) -> None:
        """What methods may ask for by name is that of `call`; `wrapped` makes of an array what they are given."""
        self.dtype = call.form.dtype
        given = self.given = dict(call.form.facts)
        for member, array in call.arrays.items():
            if (name := NAMES.get(member)) is not None:
                if self.limits != (None, None):
                    self.require_served(array)
                given[name] = wrapped(array if self.takes_axes else array[:, 0])
            elif member in READ:
                given[member] = wrapped(array)
        if self.weights:
            self.set_weights({name: wrapped(call.weights[place]) for place, name in enumerate(self.weights)})

    def require_served(self, positions: Array) -> None:
        """Raises OutOfRange with the position and the limit: a table is not asked for a row that it has not."""
        lowest, highest = (-math.inf if self.limits[0] is None else self.limits[0]), (math.inf if self.limits[1] is None else self.limits[1])
        is_outside = ~((positions >= lowest) & (positions <= highest))
        if not is_outside.any():
            return
        index = int(is_outside.any(1).argmax())
        position = float(positions[index][is_outside[index]][0])
        why = (f"is below {_digits(lowest)}, the lowest that this variant serves" if position < lowest else
               f"is beyond {_digits(highest)}, the highest that this variant serves" if position > highest else "is not finite")
        raise OutOfRange(f"position {_digits(position)} (at index {index}) {why}")

    def set_weights(self, weights: Mapping[str, Any]) -> None:
        self.given["weights"] = weights
        for name in self.definition.weights:
            setattr(self.scheme, name, weights[name])

    def forward(self, call: Call) -> None:
        """The operation, into the call's output."""
        self.begin(call, lambda array: array)
        operation, output = call.form.operation, call.arrays.get("output")
        if output is None:
            call.arrays["output"] = self.result(operation, call.form.output_shape)
        elif operation == TRANSFORM:
            call.arrays["output"] = self.transformed(output)
        elif operation == SCORE and self.traits["score_writes_logits"]:
            self.given["logits"] = output
            call.arrays["output"] = self.result(SCORE, output.shape)
        else:
            output += self.result(operation, output.shape)

    def transformed(self, x: Any) -> Any:
        """x [H, N, K] rotated or transformed, as what `begin` was given says."""
        if "rotate" in self.definition.takes:
            return self.rotated(x, back=self.given["side"] == "output")
        self.given["x"] = x
        return self.result(TRANSFORM, x.shape)

    def rotated(self, x: Any, back: bool) -> Any:
        """x [H, N, K] with the pairs of channels that are rotated, rotated by their angles, or by the opposite ones."""
        return self.turned(x, self.angles(x.shape), back)

    def turned(self, x: Any, angles: Any, back: bool) -> Any:
        """x [H, N, K] with the pairs of channels that are rotated, rotated by angles [N, P] or [H, N, P], or by the opposite ones:
        a pair is a complex number."""
        part, one, other = self.pairs(x)
        kind = np.result_type(x.dtype, np.complex64)
        turn = np.empty(angles.shape, kind)
        turn.real, turn.imag = np.cos(angles), np.sin(angles)
        if back:
            np.conjugate(turn, out=turn)
        if self.traits["pairing"] == "half-split":
            pairs = np.empty((*part.shape[:-1], self.planes), kind)
            pairs.real, pairs.imag = part[..., one], part[..., other]
            pairs *= turn
            turned = np.empty(part.shape, x.dtype)
            turned[..., one], turned[..., other] = pairs.real, pairs.imag
        else:
            turned = (np.ascontiguousarray(part).view(kind) * turn).view(x.dtype)
        if part.shape == x.shape:
            return turned
        out = x.copy()
        self.pairs(out)[0][...] = turned
        return out

    def pairs(self, x: Any) -> tuple[Any, slice, slice]:
        """The channels of x that are rotated, and among them the first and the second of each pair."""
        first = x.shape[-1] - 2 * self.planes if self.rotated_last else 0
        one, other = ((slice(self.planes), slice(self.planes, None)) if self.traits["pairing"] == "half-split" else
                      (slice(0, None, 2), slice(1, None, 2)))
        return x[..., first:first + 2 * self.planes], one, other

    def angles(self, shape: tuple[int, ...]) -> Any:
        """[N, P], or [H, N, P] of a scheme that asks for the head."""
        H, N, _ = shape
        if "head" not in self.definition.takes["rotate"]:
            return self.checked("rotate", self.call_method("rotate"), (N, self.planes), "[N, P]")
        each = []
        for head in range(H):
            self.given["head"] = head
            each.append(self.checked("rotate", self.call_method("rotate"), (N, self.planes), "[N, P]"))
        return self.stacked(each)

    def stacked(self, each: list[Any]) -> Any:
        return np.stack(each)

    def result(self, operation: int, shape: tuple[int, ...]) -> Any:
        name = OPERATIONS[operation]
        return self.checked(name, self.call_method(name), shape, FORMS[operation])

    def checked(self, name: str, value: Any, shape: tuple[int, ...], form: str) -> Any:
        if type(value) is np.ndarray and value.dtype == self.dtype and value.shape == shape:
            return value
        array = value if isinstance(value, np.ndarray) or hasattr(value, "detach") else np.asarray(value)
        if isinstance(array, np.ma.MaskedArray):
            raise self.mistake(name, "returned a masked array, of which masked numbers would count; np.where and -np.inf say "
                                     "what is hidden")
        if tuple(array.shape) != shape:
            raise self.mistake(name, f"returned {_extents(array.shape)}, and {form} = {_extents(shape)} is wanted")
        kind = array.dtype
        is_number, is_real, size = self.about(array)
        if not is_number:
            raise self.mistake(name, f"returned numbers of the type {kind}, and real ones are wanted")
        if is_real and size < self.dtype.itemsize:
            raise self.mistake(name, f"returned {kind} where the run computes in {self.dtype}: what was lost cannot come back; positions "
                                     "are float64, and other arrays have the run's type")
        return array

    def about(self, array: Any) -> tuple[bool, bool, int]:
        """Whether its numbers are real or whole, whether they are no whole ones, and bytes of each."""
        return array.dtype.kind in "fiub", array.dtype.kind == "f", array.dtype.itemsize

    def mistake(self, name: str, sentence: str) -> Mistake:
        return Mistake(f"{self.definition.scheme.__name__}.{name} {sentence}", getattr(self.definition.scheme, name).__code__)

    def gradient(self, call: Call) -> None:
        """The gradient of a scheme without weights: encodings and biases have none to give, of a transform it is the transpose."""
        if call.form.operation != TRANSFORM:
            return
        self.begin(call, lambda array: array)
        gradient = call.arrays["output"]
        if "rotate" in self.definition.takes:
            gradient[...] = self.rotated(gradient, back=self.given["side"] != "output")
            return
        H, _, K = gradient.shape
        by_x = np.empty_like(gradient)
        for head in range(H):  # column by column of the matrix of a position: the transform is linear in x
            for channel in range(K):
                basis = np.zeros_like(gradient)
                basis[head, :, channel] = 1
                by_x[head, :, channel] = (self.transformed(basis) * gradient).sum((0, 2))
        gradient[...] = by_x


FORMS = ("[N, D]", "[heads, N, head_width]", "[heads, Nq, Nk]", "[heads, Nq, Nk]", "[heads, Nq, head_width]")


def _limit(number: Any) -> float | None:
    return None if number is None else finite(float(number))


def _digits(number: float) -> str:
    """As poslab writes it: all digits, and no more."""
    return f"{number:.0f}" if number.is_integer() else repr(number)


def _extents(shape: Any) -> str:
    return f"[{', '.join(map(str, shape))}]"

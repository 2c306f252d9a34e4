# SPDX-License-Identifier: Apache-2.0
"""The schemes, from Python: the same plugins, the same checks and the same bits as in the program.

Dimension letters: N positions, Nq queries, Nk keys, A numbers of a position, D model width, H heads, K = D / H head width.
"""

import ctypes
import json
import os
import sys
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from poslab.advice import advice
from poslab.library import OPERATIONS, SCALARS, SIDES, Array, Refused, empty, library, plugin_folders

Weights = Mapping[str, ArrayLike]


@dataclass(frozen=True)
class Parameter:
    name: str
    kind: str  # real, integer, choice, flag, list
    unit: str
    default: Any
    allowed: str  # "real, greater than 1"
    choices: tuple[str, ...]
    sentence: str
    usual: tuple[Any, ...]  # values that models in use have, the likeliest first
    role: str  # what `poslab identify` knows it as: "base", "factor", ...; "none"


@dataclass(frozen=True)
class Card:
    """What a scheme says of itself, as `poslab describe --json`."""

    id: str
    title: str
    version: str
    family: str
    summary: str
    formula: str
    paper: str
    used_in: str
    real_positions: bool
    least_axes: int
    most_axes: int
    file: str
    sha256: str
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True)
class Weight:
    """A learnable array as its scheme declares it."""

    name: str
    shape: tuple[int, ...]
    per_layer: bool
    frozen: bool
    initialisation: str
    first: float
    second: float
    sentence: str


def _card(described: dict[str, Any]) -> Card:
    named: dict[str, Any] = {name: described[name] for name in Card.__dataclass_fields__}
    named["parameters"] = tuple(Parameter(**_with_tuples(each, "choices", "usual")) for each in described["parameters"])
    return Card(**named)


def _with_tuples(described: dict[str, Any], *names: str) -> dict[str, Any]:
    return {**described, **{name: tuple(described[name]) for name in names}}


_path: list[str] = []


def plugin_path() -> list[str]:
    """The list of folders in which plugins are looked for, which may be changed: those of POSLAB_PLUGIN_PATH, then poslab's own."""
    if not _path:
        _path.extend(plugin_folders())
    return _path


def _folders() -> list[str]:
    """The same, or what poslab.plugin_path was set to, as texts."""
    folders = vars(sys.modules["poslab"]).get("plugin_path", plugin_path())
    if isinstance(folders, str | bytes) or not isinstance(folders, Sequence):
        raise TypeError(f"poslab.plugin_path is {folders!r}; it must be a list of folders")
    return [os.fsdecode(folder) for folder in folders]


def schemes() -> list[Card]:
    """The cards of all schemes in `poslab.plugin_path`."""
    found = json.loads(library().text("poslab_list", ":".join(_folders()).encode()))
    return [_card(each) for each in found["schemes"]]


def scheme(name: str | os.PathLike[str], *, d_model: int = 128, heads: int = 8, train_length: int = 512,
           **parameters: Any) -> "Scheme":
    """A scheme, by its id or its plugin's file, with these parameters, attached to a model.

    >>> rope = scheme("rope", base=500000.0, style="half-split", d_model=128, heads=1, train_length=8192)
    >>> rope.card.title, rope.operations
    ('Rotary position embedding', ('transform',))
    >>> rope.transform(np.ones((1, 3, 128)), np.arange(3)).shape
    (1, 3, 128)

    Raises ValueError for an unknown scheme or parameter (it says what was meant) and a value outside its range, Refused
    for what the scheme cannot serve.
    """
    return Scheme(os.fspath(name), _folders(), {"d_model": d_model, "heads": heads, "train_length": train_length}, parameters)


def _dtype(dtype: DTypeLike, of: str) -> np.dtype[Any]:
    found = np.dtype(dtype)
    if found not in SCALARS:
        raise TypeError(f"{of} has dtype {found}; poslab works in float32 and float64")
    return found


def _numbers(array: ArrayLike, name: str, dtype: np.dtype[Any] | None = None) -> Array:
    """In C order; a copy only where order or byte order asks for it."""
    numbers = np.asarray(array)
    found = _dtype(numbers.dtype.newbyteorder("="), name)
    if dtype is not None and found != dtype:
        raise TypeError(f"{name} has dtype {found}, but others of this call have {dtype}: all must have one")
    return np.asarray(numbers, dtype=found, order="C")  # which leaves an array without axes as it is


def _positions(array: ArrayLike, name: str) -> Array:
    """[N, A] of [N] or [N, A]."""
    positions = np.asarray(array)
    if positions.dtype.kind not in "iuf" and positions.size > 0:
        raise TypeError(f"{name} have dtype {positions.dtype}; positions are integers or real numbers")
    if positions.ndim not in (1, 2):
        raise ValueError(f"{name} have shape {list(positions.shape)}, but must have [N], or [N, A] on several axes")
    if positions.dtype.kind in "iu" and (beyond := positions[(positions > 2**53) | (positions < -(2**53))]).size:
        raise ValueError(f"{name} reach {beyond.flat[0]}; integers beyond 2^53 are no doubles")
    return np.ascontiguousarray(positions[:, None] if positions.ndim == 1 else positions, dtype=np.float64)


class Scheme:
    """One scheme with its parameters, attached to a model. Its methods may be called from several threads at once.

    Arrays are float32 or float64, and what comes back has the same dtype; a TypeError names any other. `positions` are
    [N], or [N, A] for a scheme of several axes. Where the scheme has weights, `weights` is a mapping of its arrays by name,
    as `draw` gives it. `length` is the length of the whole sequence where that is not the number of positions; `causal`
    whether a mask hides keys that come later; `layer` which layer asks, from 0.

    Raises OutOfRange for a position that the scheme cannot serve, Refused for what else it cannot, Failed for numbers that
    are not finite, ValueError for a wrong shape.
    """

    def __init__(self, name: str, folders: list[str], model: dict[str, int], parameters: dict[str, Any]) -> None:
        request = {"scheme": name, "directories": ":".join(folders),
                   "parameters": {key: _plain(key, value) for key, value in parameters.items()},
                   "model_width": _whole("d_model", model["d_model"]), "heads": _whole("heads", model["heads"]),
                   "train_length": _whole("train_length", model["train_length"])}
        self._made_of = name, list(folders), dict(model), dict(parameters)
        self._library = library()
        handle = ctypes.c_void_p()
        described = json.loads(self._library.text("poslab_open", json.dumps(request, ensure_ascii=False).encode(), ctypes.byref(handle)))
        self._handle = handle
        self._close = weakref.finalize(self, self._library.functions.poslab_close, handle)
        variant = described["variant"]
        self.card = _card(described)
        self.parameters: dict[str, Any] = variant["values"]
        self.d_model: int = variant["model_width"]
        self.heads: int = variant["heads"]
        self.train_length: int = variant["train_length"]
        self.claims: tuple[str, ...] = tuple(variant["claims"])
        self.operations: tuple[str, ...] = tuple(variant["operations"])
        self.gradients: tuple[str, ...] = tuple(variant["gradients"])
        self.sides: tuple[str, ...] = tuple(variant["sides"])
        self.mask: str = variant["mask"]
        self.logit_scale: float = variant["logit_scale"]
        self.score_writes_logits: bool = variant["score_writes_logits"]
        self.embedding_scale: float = variant["embedding_scale"]
        self.initial_query_scale: float = variant["initial_query_scale"]
        self.inverse_frequency = np.array(variant["inverse_frequency"], dtype=float)
        self.weights = tuple(Weight(**_with_tuples(each, "shape")) for each in variant["weights"])

    @property
    def head_width(self) -> int:
        return self.d_model // self.heads

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self.parameters.items())
        return f"poslab.scheme({self.card.id!r}, d_model={self.d_model}, heads={self.heads}, train_length={self.train_length}{given})"

    def __reduce__(self) -> tuple[Any, ...]:  # copies and pickles are opened anew
        return Scheme, self._made_of

    def draw(self, seed: int = 0) -> dict[str, Array]:
        """Untrained weights of one layer by name, as `poslab table --seed` draws them; float64. {} where there are none."""
        return self.draw_layers(1, seed)[0]

    def draw_layers(self, layers: int, seed: int = 0) -> list[dict[str, Array]]:
        """The same for each of `layers` layers; what is for all layers is the same array in each."""
        layers, seed = _whole("layers", layers, at_least=1), _whole("seed", seed, at_least=0, at_most=2**64 - 1)
        drawn = [{weight.name: np.empty(weight.shape) for weight in self.weights} for _ in range(layers)]
        pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for layer in drawn for array in layer.values()]
        room = (ctypes.POINTER(ctypes.c_double) * len(pointers))(*pointers)
        self._library.ask("poslab_draw", self._handle, ctypes.c_uint64(seed), ctypes.c_int64(layers), room)
        for layer in drawn[1:]:
            layer.update({weight.name: drawn[0][weight.name] for weight in self.weights if not weight.per_layer})
        return drawn

    def encode(self, positions: ArrayLike, *, weights: Weights | None = None, dtype: DTypeLike = None, length: int = 0,
               causal: bool = False) -> Array:
        """What is added to the token embeddings: [N, D]."""
        at = _positions(positions, "positions")
        arrays, of = self._weights(weights, dtype)
        out = empty((len(at), self.d_model), of)
        self._apply("encode", of, arrays, {"positions": at, "output": out}, length=length, causal=causal)
        return out

    def transform(self, x: ArrayLike, positions: ArrayLike, side: str = "key", *, weights: Weights | None = None, length: int = 0,
                  causal: bool = False, layer: int = 0) -> Array:
        """x [H, N, K], transformed: queries, keys, values or outputs of attention, as `side` says."""
        if side not in SIDES:
            raise ValueError(f"{side!r} is no side: {advice(side, SIDES)}")
        given, at = _numbers(x, "x"), _positions(positions, "positions")
        if given.shape != (self.heads, len(at), self.head_width):
            raise ValueError(f"x has shape {list(given.shape)}, but must have {[self.heads, len(at), self.head_width]}")
        arrays, of = self._weights(weights, given.dtype)
        out = empty(given.shape, of)
        out[...] = given
        self._apply("transform", of, arrays, {"positions": at, "output": out}, length=length,
                    causal=causal, layer=layer, side=SIDES.index(side))
        return out

    def bias(self, q_positions: ArrayLike, k_positions: ArrayLike, *, weights: Weights | None = None, dtype: DTypeLike = None,
             length: int = 0, causal: bool = False, layer: int = 0, first_query: int | None = None) -> Array:
        """What is added to the scaled logits: [H, Nq, Nk]. `first_query` is the index of the first query among the keys; if
        it is not given, the queries are the last of the keys."""
        q, k = _positions(q_positions, "q_positions"), _positions(k_positions, "k_positions")
        arrays, of = self._weights(weights, dtype)
        out = empty((self.heads, len(q), len(k)), of)
        self._apply("bias", of, arrays, {"query_positions": q, "key_positions": k, "output": out}, length=length, causal=causal,
                    layer=layer, first_query=_first(first_query, q, k))
        return out

    def logits(self, q: ArrayLike, k: ArrayLike, positions: ArrayLike, *, causal: bool = False, weights: Weights | None = None,
               x: ArrayLike | None = None, length: int = 0, layer: int = 0) -> Array:
        """The logits [H, N, N] of q and k [H, N, K], which no position has entered yet, with all operations of the scheme in
        their places, the factor on q.k among them; -infinity where the mask hides a key. `x` [N, D] is the layer's input,
        where the scheme reads it."""
        return self._attention("poslab_logits", q, k, None, positions, causal, weights, x, length, layer)

    def attend(self, q: ArrayLike, k: ArrayLike, v: ArrayLike, positions: ArrayLike, *, causal: bool = False,
               weights: Weights | None = None, x: ArrayLike | None = None, length: int = 0, layer: int = 0) -> Array:
        """What the queries gather of the values v [H, N, K]: [H, N, K]."""
        return self._attention("poslab_attend", q, k, v, positions, causal, weights, x, length, layer)

    def _attention(self, function: str, q: ArrayLike, k: ArrayLike, v: ArrayLike | None, positions: ArrayLike, causal: bool,
                   weights: Weights | None, x: ArrayLike | None, length: int, layer: int) -> Array:
        query = _numbers(q, "q")
        at = _positions(positions, "positions")
        _require_order(self, at)
        arrays, of = self._weights(weights, query.dtype)
        value = None if v is None else _numbers(v, "v", of)
        out = empty((self.heads, len(at), len(at) if v is None else self.head_width), of)
        given = {"positions": at, "query": query, "key": _numbers(k, "k", of), "value": value, "output": out,
                 "layer_input": None if x is None else _numbers(x, "x", of)}
        self._library.call(function, self._handle, weights=arrays, arrays=given, dtype=of, causal=bool(causal),
                           length=_whole("length", length, at_least=0), layer=_whole("layer", layer, at_least=0))
        return out

    def _apply(self, operation: str, dtype: np.dtype[Any], weights: list[Array], arrays: dict[str, Array | None],
               gradients: list[Array | None] | None = None, **numbers: Any) -> None:
        """The operation, or its gradient where `gradients` by the weights are given."""
        function = "poslab_apply" if gradients is None else "poslab_apply_gradient"
        for name in ("length", "layer", "first_query"):
            if name in numbers:
                numbers[name] = _whole(name, numbers[name], at_least=0)
        self._library.call(function, self._handle, OPERATIONS.index(operation), weights=weights, arrays=arrays, dtype=dtype,
                           gradients=gradients or (), **numbers)

    def _weights(self, given: Weights | None, dtype: DTypeLike) -> tuple[list[Array], np.dtype[Any]]:
        """In declared order, and the dtype of the call: that which is asked for, else that of the weights, else float64."""
        wanted = None if dtype is None else _dtype(dtype, "dtype")
        if not self.weights:
            return [], wanted or np.dtype(np.float64)
        names = [weight.name for weight in self.weights]
        if given is None:
            raise ValueError(f"scheme {self.card.id!r} has weights ({', '.join(names)}): weights=scheme.draw(seed=0), or your own")
        for name in given:
            if name not in names:
                raise ValueError(f"{name!r} is no weight of {self.card.id}: {advice(name, names)}")
        for name in names:
            if name not in given:
                raise ValueError(f"the weight {name!r} of {self.card.id} is missing; {', '.join(map(repr, given)) or 'none'} are given")
        arrays: list[Array] = []
        for weight in self.weights:
            array = _numbers(given[weight.name], f"the weight {weight.name!r}", wanted or (arrays[0].dtype if arrays else None))
            if array.shape != weight.shape:
                raise ValueError(f"the weight {weight.name!r} has shape {list(array.shape)}, but must have {list(weight.shape)}")
            arrays.append(array)
        return arrays, arrays[0].dtype


def _require_order(of: "Scheme", at: Array) -> None:
    """Positions must rise where a scheme goes by the order in which tokens come, and not by these."""
    reads_positions = of.card.family != "contextual" or "relative" in of.claims or at.shape[1] > 1
    if reads_positions or not (repeated := np.flatnonzero(np.diff(at[:, 0]) <= 0)).size:
        return
    index = repeated[0] + 1
    raise Refused(f"{of.card.id} goes by the order in which tokens come, and position {at[index, 0]:g} at index {index} does not follow "
                  f"{at[index - 1, 0]:g}: padding on the left, or another sequence, would count as tokens before; give each sequence by "
                  "itself, without padding before it")


def _first(given: int | None, q: Array, k: Array) -> int:
    return max(len(k) - len(q), 0) if given is None else given


def _whole(name: str, value: object, at_least: int = 1, at_most: int = 2**62) -> int:
    if type(value) is int and at_least <= value <= at_most:
        return value
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}; it must be an integer")
    number = int(value.__index__())
    if not at_least <= number <= at_most:
        raise ValueError(f"{name} is {number}; it must be from {at_least} to {at_most}")
    return number


def _plain(name: str, value: Any) -> Any:
    """A parameter's value as JSON has it; NumPy's numbers and arrays become Python's."""
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    for number in value if isinstance(value, list | tuple) else [value]:
        if isinstance(number, float) and not np.isfinite(number):
            raise ValueError(f"{name} is {value}; it must be finite")
    value = list(value) if isinstance(value, tuple) else value
    if not isinstance(value, bool | int | float | str | list | None):
        raise TypeError(f"{name} is {value!r}; it must be a number, a text, true or false, a list of numbers, or None for unset")
    return value

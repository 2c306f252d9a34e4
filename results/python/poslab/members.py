# SPDX-License-Identifier: Apache-2.0
"""The members of a scheme's class: parameters that a study may set, and weights that training changes."""

import math
import numbers
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

# As poslab/plugin.h numbers them.
KINDS = {"real": 1, "integer": 2, "choice": 3, "flag": 4, "list": 5}
ROLES = {"none": 0, "base": 1, "factor": 2, "start": 3, "rotary-width": 4, "planes": 5, "pairing": 6}


class Mistake(Exception):
    """In a declaration; its text says which and what is right."""


@dataclass(frozen=True)
class Parameter:
    """A member whose value a study may set; None as its default: it may be left unset."""

    kind: str
    default: Any
    lowest: float = -math.inf
    highest: float = math.inf
    above_lowest: bool = False
    below_highest: bool = False
    unit: str = "1"
    sentence: str = ""
    choices: tuple[str, ...] = ()
    usual: tuple[Any, ...] = ()  # values that models in use have, the likeliest first; of a list: lists
    role: str = "none"


@dataclass(frozen=True)
class Weight:
    """A learnable array: shape, first and second number of its initialisation."""

    shape: tuple[int | str, ...]
    initialisation: int  # as plugin.h numbers them: 1 constant, 2 normal, 3 uniform
    first: float
    second: float
    per_layer: bool
    frozen: bool
    sentence: str


def _default(kind: str, value: Any) -> Any:
    """As Python has it, whosever number it is. Raises Mistake for one of another kind."""
    value = getattr(value, "tolist", lambda: value)()  # NumPy's
    wanted = {"real": "a number", "integer": "a whole number", "list": "a list of numbers", "flag": "True or False"}
    of_kind: dict[str, Callable[[Any], bool]] = {
        "real": _is_real, "integer": lambda x: isinstance(x, int) and not isinstance(x, bool),
        "list": lambda x: isinstance(x, Sequence) and not isinstance(x, str) and all(map(_is_real, x)),
        "flag": lambda x: isinstance(x, bool)}
    if value is not None and not of_kind[kind](value):
        raise Mistake(f"the default of a parameter of kind {kind} is {value!r}; it is {wanted[kind]}, or None for unset")
    return value


def _is_real(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _usual(kind: str, values: Iterable[Any]) -> tuple[Any, ...]:
    """Raises Mistake for one of another kind."""
    wanted = {"real": "a list of numbers", "integer": "a list of whole numbers", "list": "a list of lists of numbers"}[kind]
    try:
        usual = tuple(_default(kind, value) for value in values)
    except (Mistake, TypeError):
        usual = (None,)
    if None in usual:
        raise Mistake(f"the usual values of a parameter of kind {kind} are {values!r}; they are {wanted}")
    return usual


def _role(role: str) -> str:
    if role not in ROLES:
        raise Mistake(f"there is no role {role!r}; there are {', '.join(ROLES)}")
    return role


def _number(kind: str, default: Any, at_least: float | None, above: float | None, at_most: float | None, below: float | None, unit: str,
            sentence: str, usual: Iterable[Any], role: str) -> Any:
    if at_least is not None and above is not None or at_most is not None and below is not None:
        raise Mistake("a range has one lower and one upper end: at_least or above, at_most or below")
    lowest, highest = (above if at_least is None else at_least), (below if at_most is None else at_most)
    return Parameter(kind, _default(kind, default), -math.inf if lowest is None else lowest, math.inf if highest is None else highest,
                     above is not None, below is not None, unit, sentence, usual=_usual(kind, usual), role=_role(role))


def real(default: float | None, *, at_least: float | None = None, above: float | None = None, at_most: float | None = None,
         below: float | None = None, unit: str = "1", sentence: str = "", usual: Iterable[float] = (),
         role: str = "none") -> Any:
    """A parameter that is a number; None: unset. In a method, `self.name` is its value.

    `usual`: numbers that models in use have, the likeliest first; `poslab identify` tries them. `role`: "base" of a series of frequencies,
    "factor" on all that the operation makes, "start", added to every position.
    """
    return _number("real", default, at_least, above, at_most, below, unit, sentence, usual, role)


def integer(default: int | None, *, at_least: int | None = None, above: int | None = None, at_most: int | None = None,
            below: int | None = None, unit: str = "1", sentence: str = "", usual: Iterable[int] = (),
            role: str = "none") -> Any:
    """A parameter that is a whole number; None: unset. `usual` as for real; `role`: "start", or "rotary-width", the channels that rotate.
    """
    return _number("integer", default, at_least, above, at_most, below, unit, sentence, usual, role)


def list(default: Sequence[float] | None, *, at_least: float | None = None, above: float | None = None, at_most: float | None = None,
         below: float | None = None, unit: str = "1", sentence: str = "",
         usual: Iterable[Sequence[float]] = (), role: str = "none") -> Any:
    """A parameter that is a list of numbers, each in the range; None: unset. `usual`: whole lists; `role`: "planes" of each axis."""
    return _number("list", default, at_least, above, at_most, below, unit, sentence, usual, role)


def choice(default: str | None, choices: Iterable[str], *, sentence: str = "", role: str = "none") -> Any:
    """A parameter that is one of some words; None: unset. `role`: "pairing" where it says which two channels rotate together."""
    words = tuple(choices)
    for word in words:
        if not isinstance(word, str):
            raise Mistake(f"a choice is among {word!r}; choices are texts")
    if default is not None and default not in words:
        raise Mistake(f"the default of a choice is {default!r}; it is one of {', '.join(words)}, or None for unset")
    return Parameter("choice", default, sentence=sentence, choices=words, role=_role(role))


def flag(default: bool | None, *, sentence: str = "") -> Any:
    """A parameter that is True or False; None: unset."""
    return Parameter("flag", _default("flag", default), sentence=sentence)


def weight(shape: Sequence[int | str] | int | str, *, init: float | Sequence[Any] = 0.0, per_layer: bool = False,
           frozen: bool = False, sentence: str = "") -> Any:
    """A learnable array. Extents are numbers, or words: "heads", "head_width", "d_model", "train_length", a parameter of kind integer.

    init: a number; ("normal", standard deviation) or ("normal", mean, standard deviation); ("uniform", lowest, highest).
    """
    extents = (shape,) if isinstance(shape, int | str) else tuple(shape)
    kind, *values = ("constant", init) if isinstance(init, numbers.Real) else tuple(init)  # type: ignore[arg-type]  # no float of NumPy
    match kind, values:
        case ("constant", [number]):
            drawn = (1, float(number), 0.0)
        case ("normal", [deviation]):
            drawn = (2, 0.0, float(deviation))
        case ("normal", [mean, deviation]):
            drawn = (2, float(mean), float(deviation))
        case ("uniform", [lowest, highest]):
            drawn = (3, float(lowest), float(highest))
        case _:
            raise Mistake(f"a weight's init is {init!r}; it is a number, (\"normal\", deviation) or (\"uniform\", lowest, highest)")
    for name, value in (("per_layer", per_layer), ("frozen", frozen)):
        if not isinstance(value, bool):
            raise Mistake(f"a weight's {name} is {value!r}; it is True or False")
    return Weight(extents, *drawn, per_layer, frozen, sentence)

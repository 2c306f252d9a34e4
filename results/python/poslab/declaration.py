# SPDX-License-Identifier: Apache-2.0
"""A class with poslab.define above it is a scheme: what it declares, and whether that makes sense.

core/sdk/writing-a-scheme-in-python.md is the manual.
"""

import difflib
import inspect
import json
import math
from builtins import list as List
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from poslab.library import OPERATIONS
from poslab.members import KINDS, ROLES, Mistake, Parameter, Weight

Class = TypeVar("Class")

# As poslab/plugin.h numbers them.
FAMILIES = ("none", "additive", "rotary", "bias", "relative", "contextual")
CLAIMS = ("isometry", "relative", "content_free", "length_free", "bounded", "symmetric", "constant_norm", "may_be_infinite")
MASKS = ("any", "causal", "bidirectional")
PAIRINGS = ("interleaved", "half-split")
ROTARY_PARTS = ("first", "last")

# What a method may ask for by the name of an argument: of every one, and of each.
FACTS = ("heads", "head_width", "d_model", "train_length")
CONTEXT = (*FACTS, "length", "layer", "causal", "weights")
ARGUMENTS = {"encode": ("positions",), "transform": ("x", "positions", "side"), "rotate": ("positions", "head", "side"),
             "bias": ("q", "k"),
             "score": ("query", "key", "q", "k", "logits", "layer_input", "scale", "first_query"),
             "mix": ("attention", "q", "k", "first_query")}
# What may be a member of the class, or a method that returns it for a variant, where define's word for it is not enough.
TRAITS = ("claims", "mask", "min_position", "max_position", "axes", "unique_up_to", "logit_scale", "score_writes_logits", "pairing",
          "rotary_width", "rotary_part", "sides", "inverse_frequency", "embedding_scale", "initial_query_scale")
SAID_IN_DEFINE = ("title", "version", "paper", "summary", "formula", "used_in", "family", "real_positions", "array")
METHODS = {**ARGUMENTS, "prepare": (), "weights": (), "offers": ("operation",), **{trait: () for trait in TRAITS}}


@dataclass
class Definition:
    """A scheme's class, and what define was told of it."""

    scheme: type
    card: dict[str, Any]
    traits: dict[str, Any]
    array: str
    parameters: dict[str, Parameter] = field(default_factory=dict)
    weights: dict[str, Weight] = field(default_factory=dict)
    takes: dict[str, tuple[str, ...]] = field(default_factory=dict)  # of each method the arguments that it names

    def offers(self, operation: str) -> bool:
        return operation in self.takes or (operation == "transform" and "rotate" in self.takes)


defined: List[Definition] = []  # in this process: the served file's


def define(*, id: str, family: str | None = None, claims: Iterable[str] = (), title: str = "", version: str = "1", paper: str = "",
           summary: str = "", formula: str = "", used_in: str = "", axes: int | tuple[int, int] = 1, real_positions: bool = False,
           mask: str = "any", array: str = "numpy", **traits: Any) -> Callable[[Class], Class]:
    """Makes a class a scheme: its methods encode, transform or rotate, bias, score, mix are the operations of poslab/plugin.h.

    `id` is the name that studies use; `claims` are what `poslab check` tries to refute; `axes` is how many numbers a position has, or the
    fewest and the most; `array` is what methods are given and return: "numpy" or "torch", whose gradients come from autograd. `traits`:
    min_position, max_position, unique_up_to, logit_scale, score_writes_logits, pairing, rotary_width, rotary_part, sides,
    inverse_frequency, embedding_scale, initial_query_scale.
    Raises Mistake with what is wrong and what is right.
    """
    if array not in ("numpy", "torch"):
        raise Mistake(f"array is {array!r}; it is \"numpy\" or \"torch\"")
    for name in traits:
        if name not in TRAITS:
            raise Mistake(f"define knows no {name!r}{_meant(name, TRAITS)}")
    texts = {"id": id, "title": title, "version": version, "paper": paper, "summary": summary, "formula": formula, "used_in": used_in}
    for name, text in texts.items():
        if not isinstance(text, str):
            raise Mistake(f"{name} is {text!r}; it is a text")
    if not isinstance(real_positions, bool):
        raise Mistake(f"real_positions is {real_positions!r}; it is True or False")
    least, most = (axes, axes) if isinstance(axes, int) else axes

    def decorate(decorated: Class) -> Class:
        scheme: Any = decorated
        if not inspect.isclass(scheme):
            raise Mistake(f"poslab.define stands above a class, and {getattr(scheme, '__name__', scheme)!r} is none")
        definition = Definition(scheme, {}, {"claims": claims if isinstance(claims, str) else tuple(claims), "mask": mask, **traits}, array)
        _read_members(definition)
        default_family = next((word for word, names in (("relative", ("score", "mix")), ("bias", ("bias",)), ("rotary", ("transform",)),
                                                        ("additive", ("encode",))) if any(map(definition.offers, names))), "none")
        if not any(map(definition.offers, OPERATIONS)) and family != "none":
            raise Mistake(f"{scheme.__name__} has none of the methods {', '.join(ARGUMENTS)}: what it does to positions is missing; "
                          "one that does nothing says family=\"none\"")
        summary_line = summary or (inspect.getdoc(scheme) or "").split("\n\n")[0].replace("\n", " ")
        definition.card.update(
            id=id, title=title or scheme.__name__, version=version, paper=paper, summary=summary_line, formula=formula, used_in=used_in,
            family=_one_of(family or default_family, FAMILIES, "family"), least_axes=least, most_axes=most, real_positions=real_positions)
        defined.append(definition)
        return decorated

    return decorate


def _read_members(definition: Definition) -> None:
    scheme = definition.scheme
    for name, member in inspect.getmembers_static(scheme):
        if isinstance(member, Parameter):
            if name in ("mask", "axes", "claims", "sides", "inverse_frequency"):
                raise Mistake(f"{scheme.__name__} has a parameter {name}, which is what define calls something else; give it another name")
            definition.parameters[name] = member
        elif isinstance(member, Weight):
            if name in TRAITS:
                raise Mistake(f"{scheme.__name__} has a weight {name}, which is what define calls something else; give it another name")
            definition.weights[name] = member
        elif name in SAID_IN_DEFINE and not inspect.isroutine(member):
            raise Mistake(f"{scheme.__name__} has a member {name}, which nobody reads: say {name}=... in define, or call it _{name}")
        elif name in (*ARGUMENTS, "prepare", "weights", "offers") and not inspect.isfunction(member):
            raise Mistake(f"{scheme.__name__}.{name} is a {type(member).__name__}; it must be a method, def {name}(self, ...)")
        elif name in METHODS and inspect.isfunction(member):
            definition.takes[name] = _arguments(scheme, name, member)
        elif inspect.isfunction(member) and not name.startswith("_") and (meant := _meant(name, (*ARGUMENTS, "weights", "prepare"))):
            raise Mistake(f"{scheme.__name__} has a method {name}, which nobody calls{meant}; a helper's name begins with _")
    # In the order in which they stand in the class, which is that of the page.
    order = {name: place for place, name in enumerate(name for each in reversed(scheme.__mro__) for name in vars(each))}
    definition.parameters = dict(sorted(definition.parameters.items(), key=lambda item: order[item[0]]))
    definition.weights = dict(sorted(definition.weights.items(), key=lambda item: order[item[0]]))
    if "rotate" in definition.takes and "transform" in definition.takes:
        raise Mistake(f"{scheme.__name__} has rotate and transform; rotate is a transform whose angles it gives")
    if definition.weights and "weights" in definition.takes:
        raise Mistake(f"{scheme.__name__} has weights as members and a method weights; one of the two")


def _arguments(scheme: type, name: str, method: Callable[..., Any]) -> tuple[str, ...]:
    """Those after self. Raises Mistake for one that nobody could give."""
    known = (*METHODS[name], *(CONTEXT if name in ARGUMENTS else FACTS))
    taken = [*inspect.signature(method).parameters.values()][1:]
    for argument in taken:
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD, argument.POSITIONAL_ONLY):
            raise Mistake(f"{scheme.__name__}.{name} takes {argument}; arguments are asked for by their names")
        if argument.name not in known and argument.default is argument.empty:
            raise Mistake(f"{scheme.__name__}.{name} asks for {argument.name!r}{_meant(argument.name, known)}; it may ask for "
                          f"{', '.join(known)}")
    return tuple(argument.name for argument in taken if argument.name in known)


def _meant(name: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(name, [*known], 1, 0.7)
    return f"; did you mean {close[0]}?" if close else ""


def _one_of(name: str, known: Sequence[str], what: str) -> int:
    if name not in known:
        raise Mistake(f"there is no {what} {name!r}{_meant(name, known)}; there are {', '.join(known)}")
    return known.index(name)


def bits_of(names: Iterable[str], known: Sequence[str], what: str) -> int:
    """The names as bits. Raises Mistake for one that is not known."""
    if isinstance(names, str):
        raise Mistake(f"{what}s are a set, as {{\"{names}\"}}, not a text")
    return sum({1 << _one_of(name, known, what) for name in names})


def described(definition: Definition) -> Mapping[str, Any]:
    """What the host is told of the scheme: numbers as plugin.h has them."""
    operations = [place for place, name in enumerate(OPERATIONS) if definition.offers(name)]
    # Without weights an encoding or a bias has no gradient to give, and a transform's is its transpose; of score and mix autograd knows it.
    has_weights = bool(definition.weights) or "weights" in definition.takes
    by_hand = () if has_weights else (0, 1, 2)
    return {"card": definition.card, "operations": operations,
            "gradients": operations if definition.array == "torch" else [each for each in operations if each in by_hand],
            "parameters": [{"name": name, "kind": KINDS[each.kind], "unit": each.unit, "sentence": each.sentence or name.replace("_", " "),
                            "lowest": finite(each.lowest), "highest": finite(each.highest), "above_lowest": each.above_lowest,
                            "below_highest": each.below_highest, "choices": each.choices, "default": each.default, "usual": each.usual,
                            "role": ROLES[each.role]}
                           for name, each in definition.parameters.items()]}


def finite(number: float) -> float | None:
    """JSON has no infinity, which in a limit is none."""
    return None if math.isinf(number) else number


def as_json(told: Mapping[str, Any]) -> bytes:
    """Raises Mistake for a number that is none."""
    for name, number in _numbers_of(told):
        if not math.isfinite(number):
            raise Mistake(f"{name} is {number}; a finite number is wanted")
    return json.dumps(told, allow_nan=False).encode()


def _numbers_of(told: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """Each number that is no whole one, by the names that lead to it."""
    if isinstance(told, float):
        yield name, told
    elif isinstance(told, Mapping):
        own = f"{told['name']}'s " if "name" in told else ""
        for key, value in told.items():
            yield from _numbers_of(value, own + key.replace("_", " "))
    elif isinstance(told, List | tuple):
        for value in told:
            yield from _numbers_of(value, name)


def index_of(name: str, known: Sequence[str], what: str) -> int:
    """Raises Mistake where it is not known."""
    return _one_of(name, known, what)

#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes poslab/sdk/misspelt_names.hpp for the build, which names it: the likely slips in the names of the members that an author writes.

C++20 cannot list the members of a struct, so a member that nothing reads is found by its name: a letter missing or doubled,
another vowel, two letters exchanged, singular for plural, capitals, and what other libraries call the same thing.
The properties of Traits are no members at all: their slips are fewer, for one is made only beside the other mistake.
"""

import pathlib
import sys
from collections.abc import Callable, Iterable

OPERATIONS = ["encode", "rotate", "transform", "bias", "score", "mix"]
GRADIENTS = [name + "_gradient" for name in OPERATIONS if name != "rotate"]
NAMES = OPERATIONS + GRADIENTS + ["params", "prepare", "weights", "offers"]

# The members of Traits; the names themselves are in misspelt.hpp.
PROPERTIES = ["claims", "mask", "min_position", "max_position", "axes", "unique_up_to", "logit_scale", "score_writes_logits", "pairing",
              "rotary_width", "rotary_part", "sides", "inverse_frequency", "embedding_scale", "initial_query_scale"]

# What rules do not give.
OTHERS = {
    "bias": ["biases"],
    "mix": ["mixes"],
    "bias_gradient": ["biases_gradient"],
    "params": ["parameters", "parameter", "parametres", "parametre", "paramaters", "paramters"],
    "prepare": ["prepair", "initialise", "initialize", "init", "setup"],
    "offers": ["supports"],
    "min_position": ["minimum_position"],
    "max_position": ["maximum_position"],
    "inverse_frequency": ["inverse_frequencies"],
}
WORDS = {"core", "ix", "max", "weigh", "para", "axe", "paring", "pairings"}  # slips that are names of their own
VOWELS = "aeiou"


def slips(name: str) -> list[str]:
    """Every likely slip in `name`, in order."""
    found = []
    for i, letter in enumerate(name):
        if i > 0:
            found.append(name[:i] + name[i + 1:])
        found.append(name[:i] + 2 * letter + name[i + 1:])
        if i + 1 < len(name):
            found.append(name[:i] + name[i + 1] + letter + name[i + 2:])
        if letter in VOWELS and (name not in GRADIENTS or i > name.index("_")):
            found += [name[:i] + vowel + name[i + 1:] for vowel in VOWELS]
    found.append(name[:-1] if name.endswith("s") else name + "s")
    if name in ("params", "weights", "offers"):  # a slip in the singular
        found += [slip[:-1] for slip in found if slip.endswith("s")]
    found.append(name[0].upper() + name[1:])
    found += OTHERS.get(name, [])
    if name in GRADIENTS:
        operation = name[:-len("_gradient")]
        camel = operation + "Gradient"
        found += [camel, camel[0].upper() + camel[1:]]
        found += [operation + end for end in ("_grad", "_grads", "_derivative", "_backward", "_vjp", "_jvp", "gradient")]
        found += ["gradient_" + operation, "gradient_of_" + operation, "grad_" + operation, "d_" + operation]
    return [slip for slip in dict.fromkeys(found) if slip not in NAMES and slip not in WORDS]


def property_slips(name: str) -> list[str]:
    """The likeliest slips in the name of a property."""
    found = []
    for i, letter in enumerate(name):
        if i > 0:
            found.append(name[:i] + name[i + 1:])
        if i + 1 < len(name):
            found.append(name[:i] + name[i + 1] + letter + name[i + 2:])
    found.append(name[:-1] if name.endswith("s") else name + "s")
    found += OTHERS.get(name, [])
    return [slip for slip in dict.fromkeys(found) if slip not in PROPERTIES and slip not in WORDS]


def listed(macro: str, names: Iterable[str], slips_of: Callable[[str], list[str]], seen: set[str]) -> list[str]:
    """The lines of a macro."""
    lines, line = [f"#define {macro}(X) \\"], " "
    for name in names:
        for slip in slips_of(name):
            if slip in seen:
                continue
            seen.add(slip)
            entry = f" X({name}, {slip})"
            if len(line) + len(entry) > 118:
                lines.append(line + " \\")
                line = " "
            line += entry
    return lines + [line]


def header() -> str:
    seen: set[str] = set()
    return "\n".join(["// SPDX-License-Identifier: Apache-2.0",
                      "// Made by core/sdk/misspelt.py: X(the right name, a likely slip).",
                      "#pragma once",
                      "",
                      "// clang-format off",
                      *listed("POSLAB_SDK_MISSPELT", NAMES, slips, seen),
                      "",
                      *listed("POSLAB_SDK_MISSPELT_PROPERTIES", PROPERTIES, property_slips, seen),
                      "// clang-format on",
                      ""])


if __name__ == "__main__":
    path = pathlib.Path(sys.argv[1])
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != header():  # else all schemes would be compiled again
        path.write_text(header(), encoding="utf-8")

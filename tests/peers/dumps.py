# SPDX-License-Identifier: Apache-2.0
"""Dumps for `poslab identify`, and what it says of them."""

from __future__ import annotations

import json
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy

POSLAB = Path(__file__).resolve().parents[2] / "build/release/bin/poslab"

LONGEST_S = 600


class Refused(Exception):
    """poslab could not do what was asked; its first sentence."""


@dataclass
class Dump:
    """`expected` is a variant as --expect wants it, `options` are others of identify."""

    what: str
    arrays: dict[str, Any]
    expected: str
    options: list[str] = field(default_factory=list)
    imported: bool = False  # whether `expected` is what import says of the library's configuration


def scheme_of(variant: str) -> str:
    return variant.split("(")[0]


@dataclass
class Row:
    """What is written of a dump: facts of identify's JSON."""

    library: str
    family: str
    what: str
    expected: str
    imported: bool
    fits: bool
    verdict: str = ""
    named: str = ""
    others: list[str] = field(default_factory=list)  # what fits as well, or is the same for these positions
    precision: str = ""
    difference: float = 0.0
    problem: str = ""

    def is_named(self) -> bool:
        """Whether identify, which was not told, says the scheme that was expected, too."""
        said = [self.named, *self.others] if self.verdict != "nothing" else []
        return scheme_of(self.expected) in map(scheme_of, said)

    def is_right(self) -> bool:
        return not self.problem and self.fits and self.is_named()


def poslab(*arguments: str | Path, good: tuple[int, ...] = (0,)) -> Any:
    """The JSON that a command prints."""
    try:
        done = subprocess.run([POSLAB, *arguments, "--json"], capture_output=True, text=True, timeout=LONGEST_S)
    except subprocess.TimeoutExpired as late:
        raise Refused(f"no answer in {LONGEST_S} s") from late
    if done.returncode not in good:
        raise Refused(done.stderr.splitlines()[0] if done.stderr else f"exit code {done.returncode}")
    return json.loads(done.stdout)


def shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(str, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def variant(kind: dict[str, Any]) -> str:
    """As --expect reads it; `kind` has a scheme and its parameters."""
    inside = ", ".join(f"{name}={shown(value)}" for name, value in kind["parameters"].items())
    return f"{kind['scheme']}({inside})" if inside else str(kind["scheme"])


def imported(config: Any) -> Any:
    """What import says of a configuration of transformers."""
    with tempfile.TemporaryDirectory() as folder:
        config.to_json_file(Path(folder) / "config.json")
        return poslab("import", Path(folder) / "config.json")


def only_kind(config: Any, scheme: str = "") -> str:
    """The variant that import makes of a configuration: its first, or its first of that scheme."""
    return variant(next(kind for kind in imported(config)["kinds"] if scheme in ("", kind["scheme"])))


def looked_at(library: str, family: str, dump: Dump) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dump.npz"
        numpy.savez(file, **{name: numpy.asarray(array) for name, array in dump.arrays.items()})
        said = poslab("identify", file, "--expect", dump.expected, *dump.options, good=(0, 1))
    named, expected = said["named"] or said["nearest"] or {}, said["expected"]
    return Row(
        library,
        family,
        dump.what,
        dump.expected,
        dump.imported,
        expected["fits"],
        said["verdict"],
        named.get("text", ""),
        [fit["text"] for fit in said["others"] if fit["fits"]] + said["equals"],
        expected.get("precision", ""),
        expected["largest_difference"],
    )

# SPDX-License-Identifier: Apache-2.0
"""What variants are called, and what of that is needed to tell them apart."""

import json
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True)
class Label:
    """The name of a variant. `parameters`: those that it tells, as texts, None for one that is unset; None where the
    study has a name of its own for the variant. `at`: where its tokens stand, if schemes differ
    in that.
    """

    name: str
    scheme: str
    parameters: dict[str, str | None] | None
    at: str = ""

    @property
    def short(self) -> str:
        """Without the parameters that are unset: they only tell it from other variants of the scheme."""
        if self.parameters is None:
            return self.name
        told = ", ".join(f"{name}={value}" for name, value in self.parameters.items() if value is not None)
        return self.scheme + (f"({told})" if told else "") + self.at

    @property
    def values(self) -> str:
        """`timing-signal`: what tells it from other variants of its scheme, without the names of parameters."""
        if self.parameters is None:
            return self.name
        return ", ".join(value or "unset" for value in self.parameters.values()) + self.at


def labels_of(index: pd.DataFrame) -> dict[str, Label]:
    """By the name of the variant, in the study's order. `index`: of all cells."""
    cells = index.drop_duplicates("variant")
    positions = cells.groupby("scheme").positions.nunique() if "positions" in cells else {}
    labels = {}
    for cell in cells.itertuples():
        at = f" at {cell.positions}" if len(positions) and positions[cell.scheme] > 1 else ""
        labels[cell.variant] = Label(cell.variant, cell.scheme, parameters_of(cell.label_parameters), at)
    return labels


def parameters_of(text: str) -> dict[str, str | None] | None:
    """Raises ValueError where it is not as poslab writes it."""
    if text == "":
        return None
    told = json.loads(text)
    if not isinstance(told, dict) or not all(value is None or isinstance(value, str) for value in told.values()):
        raise ValueError(f"label_parameters has {text!r}, which is no object of texts")
    return told

# SPDX-License-Identifier: Apache-2.0
"""What there is, for those who asked for something else."""

import difflib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray as xr

# What people look for, and where it is.
INSTEAD = {
    "failed": "run.failures", "errors": "run.failures", "failure": "run.failures", "cells": "run.index",
    "schemes": "run.index.scheme.unique()", "variants": "run.index.variant.unique()", "seed": "run.index.seed",
    "measures": 'run["uniqueness"].data_vars, and .attrs["curves"] for the others', "data": 'run["uniqueness"]',
    "keys": "run.experiments", "groups": "run.experiments", "study": 'run.provenance["study"]',
    "mean": 'run.over_repeats("uniqueness")',
    "sel": 'run["uniqueness"].sel(scheme="rope")', "curves": 'run["uniqueness"].attrs["curves"], and run.curve',
    "plot": "results/notebooks/quickstart.ipynb", "close": "nothing stays open between two calls",
}
OPENERS = ("load", "read", "open_run", "Run.open", "open_dataset", "open_file")


def advice(word: object, known: Iterable[str], listed: Iterable[str] | None = None) -> str:
    """`did you mean x? There are x, y, z`: `known` is searched, `listed` (default: the same) is named."""
    known = list(known)
    meant = difflib.get_close_matches(str(word), known, n=1)
    meant = meant or [name for name in known if len(str(word)) > 2 and str(word) in name][:1]
    return (f"did you mean {meant[0]}? There are " if meant else "there are ") + ", ".join(listed or known or ["none"])


def which(table: "xr.Dataset", where: Mapping[str, Any]) -> str:
    """What there is of the columns of which no cell has the value that was asked for."""
    import numpy as np  # not above: `import poslab` needs none
    text = ""
    for name, wanted in where.items():
        there = list(dict.fromkeys(table[name].to_numpy().tolist()))
        if not np.isin(there, np.atleast_1d(wanted)).any():
            text += f"; of {name}, {advice(wanted, map(str, there))}"
    return text

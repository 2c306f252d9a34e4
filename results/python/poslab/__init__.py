# SPDX-License-Identifier: Apache-2.0
"""Reads poslab's results files (results/schema.md) into xarray. The folder is complete in itself: it may be copied.

    import poslab
    run = poslab.open("quickstart.h5")
    run["uniqueness"].min_distance.sel(scheme="rope", length=4096)       # a measure by scheme and length
    run.curve("nearest_distance", scheme="rope", length=512)             # one curve, as long as its own cell
    mean, deviation = run.over_repeats("relative-shift", "content_error")  # both over scheme, length, ..., shift
    poslab.on_grid(run.curve("nearest_distance", scheme="swin"))         # by row and column, where positions are a grid

Nothing stays open between two calls, and a file that was replaced is read anew, so a study may run again while a
notebook looks at it. Numbers carry their unit, their meaning and their null value in `.attrs` (`units`, `long_name`,
`comment`, `null_value`).
"""

import os
from typing import Any

from poslab.advice import OPENERS, advice
from poslab.answers import MARKS
from poslab.comparison import Comparison, compare
from poslab.grid import on_grid
from poslab.library import Failed, OutOfRange, Refused
from poslab.program import Finding, check, identify, plan, run
from poslab.run_file import Run
from poslab.table import varying
from poslab.texts import latex, markdown, plot_text, printable
from poslab.variant import Card, Scheme, scheme, schemes
from poslab.variant import plugin_path as _plugin_path

__all__ = ["open", "compare", "on_grid", "varying", "printable", "markdown", "latex", "plot_text", "MARKS", "Run", "Comparison", "scheme",
           "schemes", "Scheme", "Card", "Refused", "OutOfRange", "Failed", "run", "plan",
           "check", "Finding", "identify"]


def open(path: str | os.PathLike[str]) -> Run:
    """The run in a results file. Raises OSError if it cannot be read, ValueError if it is no regular file (a FIFO, a
    device), no results file of poslab but a study or something else, or leads to other files.
    """
    return Run(path)


def __getattr__(name: str) -> Any:
    if name == "plugin_path":
        return _plugin_path()
    hint = "poslab.open(path) opens a results file" if name in OPENERS else advice(name, __all__)
    raise AttributeError(f"module 'poslab' has no attribute {name!r}: {hint}")

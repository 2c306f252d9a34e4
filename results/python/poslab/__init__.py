# SPDX-License-Identifier: Apache-2.0
"""Reads poslab's results files (results/schema.md) into xarray; calls its schemes; runs its program (results/python/schemes.md).

    import poslab
    run = poslab.open("quickstart.h5")
    run["uniqueness"].min_distance.sel(scheme="rope", length=1024)       # a measure by scheme and length
    run.curve("nearest_distance", scheme="rope", length=512)             # one curve, as long as its own cell
    mean, deviation = run.over_repeats("relative-shift", "content_error")  # both over scheme, length, ..., shift
    run.to_dataframe("extrapolation", "equal_drift")                     # pandas: a row for each point of each cell
    poslab.on_grid(run.curve(...))                                       # by row and column, where positions are a grid

Nothing stays open between two calls, and a file that was replaced is read anew, so a study may run again while a
notebook looks at it. Numbers carry their unit, their meaning and their null value in `.attrs` (`units` of UDUNITS, `unit_name`
where tables show another word, `long_name`, `description`, `comment`, `null_value`). Schemes (`poslab.scheme`) need NumPy
alone; what else is needed is imported at its first use, and an ImportError says how to install it.
"""

import builtins
import os
from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from poslab.advice import OPENERS, advice
from poslab.needed import RESULTS, SCHEMES, require

if TYPE_CHECKING:
    from poslab.answers import MARKS
    from poslab.comparison import Comparison, compare
    from poslab.declaration import define
    from poslab.grid import on_grid
    from poslab.library import Failed, OutOfRange, Refused
    from poslab.members import choice, flag, integer, list, real, weight
    from poslab.program import Finding, check, identify, plan, run
    from poslab.run_api import Run
    from poslab.table import varying
    from poslab.texts import latex, markdown, plot_text, printable
    from poslab.variant import Card, Scheme, scheme, schemes

    plugin_path: builtins.list[str]

__all__ = ["open", "compare", "on_grid", "varying", "printable", "markdown", "latex", "plot_text", "MARKS", "Run", "Comparison", "scheme",
           "schemes", "Scheme", "Card", "Refused", "OutOfRange", "Failed", "run", "plan", "check", "Finding", "identify", "plugin_path",
           "define", "real", "integer", "choice", "flag", "list", "weight"]

# What each module has of these.
_HOMES = {"answers": ["MARKS"], "comparison": ["Comparison", "compare"], "declaration": ["define"], "grid": ["on_grid"],
          "library": ["Failed", "OutOfRange", "Refused"], "members": ["choice", "flag", "integer", "list", "real", "weight"],
          "program": ["Finding", "check", "identify", "plan", "run"], "run_api": ["Run"], "table": ["varying"],
          "texts": ["latex", "markdown", "plot_text", "printable"], "variant": ["Card", "Scheme", "scheme", "schemes"]}
# What they need, where it is more or less than NumPy.
_NEEDED: Mapping[str, tuple[str, ...]] = dict.fromkeys(("answers", "comparison", "grid", "run_api", "table"), RESULTS) | {"texts": ()}


def open(path: str | os.PathLike[str]) -> "Run":
    """The run in a results file. Raises OSError if it cannot be read, ValueError if it is no regular file (a FIFO, a
    device), no results file of poslab but a study or something else, or leads to other files. One of an earlier schema is read
    from a copy that `poslab upgrade` makes; ValueError where there is no program to do so.
    """
    require("poslab.open", RESULTS)
    from poslab.run_api import Run
    return Run(path)


def __getattr__(name: str) -> Any:
    if name == "plugin_path":
        require("poslab.plugin_path", SCHEMES)
        from poslab.variant import plugin_path
        return plugin_path()
    for module, names in _HOMES.items():
        if name in names:
            require(f"poslab.{name}", _NEEDED.get(module, SCHEMES))
            return globals().setdefault(name, getattr(import_module(f"poslab.{module}"), name))
    hint = "poslab.open(path) opens a results file" if name in OPENERS else advice(name, __all__)
    raise AttributeError(f"module 'poslab' has no attribute {name!r}: {hint}")


def __dir__() -> builtins.list[str]:
    return [*globals(), *__all__]

# SPDX-License-Identifier: Apache-2.0
"""What two runs have in common, and where they differ."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from poslab.run_file import RunFile

TINY = float(np.finfo(float).tiny)


@dataclass
class Comparison:
    """What two runs have in common. DataFrames: cells that only one has, and measures (or states) that changed."""

    only_left: pd.DataFrame
    only_right: pd.DataFrame
    changed: pd.DataFrame

    def __repr__(self) -> str:
        left, right, changed = len(self.only_left), len(self.only_right), len(self.changed)
        return f"<{left} cells only left, {right} only right, {changed} measures changed>"


def compare(left: RunFile | str | os.PathLike[str], right: RunFile | str | os.PathLike[str]) -> Comparison:
    """Joins two runs (or paths) on the identity of their cells. `changed` has a line for each cell and measure that is
    not bit for bit the same, with the coordinates where it differs most. (`poslab compare` knows the tolerances.)
    """
    left, right = (run if isinstance(run, RunFile) else RunFile(run) for run in (left, right))
    joined = left.index.reset_index().merge(right.index.reset_index(), on="id", suffixes=("", "_right"))
    lines = []
    for cell in joined[joined.status != joined.status_right].itertuples():
        states = (cell.status, cell.status_right, np.nan)
        lines.append((cell.id, cell.experiment, cell.variant, cell.repeat, "status", "", *states))
    both = joined[(joined.status == "ok") & (joined.status_right == "ok")]
    for experiment, cells in both.groupby("experiment", sort=False):
        with left._dataset(experiment) as a, right._dataset(experiment) as b:
            mine, others = ([name for name in map(str, of.data_vars) if "tolerance_absolute" in of[name].attrs] for of in (a, b))
            for measure in [name for name in (*mine, *others) if (name in mine) != (name in others)]:
                for cell in cells.itertuples():
                    lines.append((cell.id, experiment, cell.variant, cell.repeat, measure, "only left" if measure in mine else "only right",
                                  np.nan, np.nan, np.nan))
            for measure in [name for name in mine if name in others]:
                for cell, where, x, y in _differing(a[measure], b[measure], cells):
                    lines.append((cell.id, experiment, cell.variant, cell.repeat, measure, where, x, y, y - x))
    names = ["id", "experiment", "variant", "repeat", "measure", "where", "left", "right", "difference"]
    return Comparison(
        only_left=left.index[~left.index.id.isin(right.index.id)],
        only_right=right.index[~right.index.id.isin(left.index.id)],
        changed=pd.DataFrame(lines, columns=names),
    )


def _differing(a: xr.DataArray, b: xr.DataArray, cells: pd.DataFrame) -> Iterator[tuple[Any, str, Any, Any]]:
    """(cell, coordinates, left, right) of the largest difference of each cell whose numbers are not the same."""
    step = max(1, 4_000_000 // max(1, a[0].size if a.sizes["cell"] else 1))  # some 32 MB at a time
    for start in range(0, len(cells), step):
        block = cells.iloc[start : start + step]
        x, y = (
            array.isel(cell=block[row].to_numpy()).reset_coords(drop=True).load().assign_coords(cell=block.index)
            for array, row in ((a, "row"), (b, "row_right"))
        )
        x, y = xr.align(x, y, join="outer")
        in_x, in_y = x.notnull(), y.notnull()
        same = (x == y) & (np.signbit(x) == np.signbit(y))  # of the zeros there are two
        difference = np.maximum(abs(x - y), TINY).where(~same, 0).where(in_x == in_y, np.inf).where(in_x | in_y, 0)
        for i, cell in enumerate(block.itertuples()):
            here = difference.isel(cell=i)
            if (here != 0).any():
                worst = np.unravel_index(int(np.argmax(here.to_numpy())), here.shape) if here.dims else ()
                at = dict(zip(here.dims, map(int, worst)))
                where = ", ".join(f"{name}={here[name].to_numpy()[k]}" for name, k in at.items())
                yield cell, where, x.isel(cell=i, **at).item(), y.isel(cell=i, **at).item()

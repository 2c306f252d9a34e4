# SPDX-License-Identifier: Apache-2.0
"""Positions on a grid: an array by row and column instead of by number."""

from collections.abc import Mapping
from typing import Any

import xarray as xr

GRID_AXES = ("frame", "row", "column")


def on_grid(array: xr.DataArray, dimension: str | None = None) -> xr.DataArray:
    """An array over rows and columns (and frames) instead of over a dimension of a grid: `position` becomes
    `position_row` and `position_column`, NaN where the array has no value. `dimension` is needed where several are of
    grids: a bias has query_position and key_position.
    """
    grids = [name for name in map(str, array.dims) if f"{name}_row" in array.coords]
    if dimension is None and len(grids) != 1:
        raise ValueError(f"dimensions of a grid: {', '.join(grids) or 'none'}; say which" if grids else
                         f"no dimension of {', '.join(map(str, array.dims))} is of a grid")
    dimension = dimension or grids[0]
    names = [f"{dimension}_{axis}" for axis in GRID_AXES if f"{dimension}_{axis}" in array.coords]
    if not names:
        raise ValueError(f"{dimension} is no dimension of a grid")
    lines = [array[name].to_numpy().astype(int) for name in names]
    if any(line.ndim > 1 for line in lines):
        raise ValueError(f"the cells differ in {', '.join(names)}: take one of them")
    numbers = array.astype(float).drop_vars([dimension, *names])  # with room for NaN
    by_line = numbers.assign_coords({name: (dimension, line) for name, line in zip(names, lines)})
    levels: Mapping[Any, Any] = {dimension: names}
    return by_line.set_index(levels).unstack(dimension)

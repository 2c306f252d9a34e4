# SPDX-License-Identifier: Apache-2.0
"""Heat maps over the cells of a grid."""

from collections.abc import Iterable
from typing import Any

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.axes import Axes

from poslab.described import unit_of
from poslab.grid import on_grid
from poslab.pictures.layout import panels
from poslab.texts import plot_text


def heat_on_grid(axes: Axes, array: xr.DataArray, dimension: str | None = None, centred: bool = False) -> Any:
    """A heat map of an array over the cells of a grid (poslab.on_grid), row 0 on top, with its colour bar. `centred`:
    as many shades below 0 as above.
    """
    cells = on_grid(array, dimension)
    if cells.ndim != 2:
        raise ValueError(f"a heat map has rows and columns, but this array has {', '.join(map(str, cells.dims))}")
    values = cells.to_numpy()
    rows, columns = (cells[name].to_numpy() for name in cells.dims)
    reach = {"vmin": -np.nanmax(np.abs(values)), "vmax": np.nanmax(np.abs(values)), "cmap": "RdBu_r"} if centred else {}
    extent = (columns[0] - 0.5, columns[-1] + 0.5, rows[-1] + 0.5, rows[0] - 0.5)
    image = axes.imshow(values, extent=extent, interpolation="nearest", **reach)
    axes.set_xlabel("column")
    axes.set_ylabel("row")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(mpl.ticker.MaxNLocator(integer=True))
    unit = unit_of(array.attrs)
    axes.figure.colorbar(image, ax=axes, shrink=0.7, label="" if unit == "1" else plot_text(unit))
    return image


def code_on_grid(code: xr.DataArray, channels: Iterable[int], name: str = "channel") -> Any:
    """A panel for each of these channels of a code on a grid (`encoding_table`, or `rotated_ones` of one head)."""
    axes = panels(*(f"channel {channel}" for channel in channels))
    for one, channel in zip(np.atleast_1d(axes), channels):
        heat_on_grid(one, code.sel({name: channel}), "position", centred=True)
    return axes


def bias_on_grid(bias: xr.DataArray, queries: Iterable[tuple[int, int]], head: int = 0) -> Any:
    """A panel for each of these queries (row, column): what a head's bias (`position_bias`) adds to each key cell."""
    axes = panels(*(f"head {head}, query at ({row}, {column})" for row, column in queries))
    for one, (row, column) in zip(np.atleast_1d(axes), queries):
        of_query = (bias.query_position_row == row) & (bias.query_position_column == column)
        heat_on_grid(one, bias.sel(head=head).isel(query_position=int(np.flatnonzero(of_query)[0])), "key_position")
        one.plot(column, row, "x", color="white", markersize=5)
    return axes

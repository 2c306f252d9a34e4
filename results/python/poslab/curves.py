# SPDX-License-Identifier: Apache-2.0
"""A measure with dimensions of its own: the rows of some cells, at the coordinates that they have."""

from typing import Any

import h5py
import numpy as np
import xarray as xr
from numpy.typing import NDArray

from poslab.grid import GRID_AXES


def read_curve(group: h5py.Group, measure: str, rows: NDArray[Any]) -> xr.DataArray:
    """The rows of a measure, at the coordinates that any of them has (results/schema.md, "Curves")."""
    dataset = group[measure]
    dimensions = dimensions_of(dataset)
    indices = {name: _indices(group, name, rows) for name in dimensions}  # along each, of the coordinates to read
    boxes = tuple(slice(of_name[0], of_name[-1] + 1) if len(of_name) else slice(0) for of_name in indices.values())
    values = np.stack([dataset[(row, *boxes)] for row in rows])
    for axis, of_name in enumerate(indices.values(), start=1):
        values = np.take(values, of_name - (of_name[0] if len(of_name) else 0), axis=axis)
    array = xr.DataArray(values, dims=["cell", *dimensions], name=measure, attrs=_described(dataset))
    for name, of_name in indices.items():
        array = array.assign_coords({name: (name, group[name][()][of_name], _described(group[name]))})
        for coordinate in coordinates_beside(group, name):
            lines = group[coordinate][rows][:, of_name]  # NaN in the rows of cells that are shorter
            same = (lines == lines[0]).all()
            array = array.assign_coords({coordinate: (name, lines[0]) if same else (("cell", name), lines)})
    return array


def dimensions_of(dataset: h5py.Dataset) -> tuple[str, ...]:
    """Those of a measure beside `cell`; none of a scalar."""
    return tuple(axis[0].name.rpartition("/")[2] for axis in dataset.dims)[1:]


def owned(group: h5py.Group, dimension: str, row: int) -> NDArray[Any]:
    """Which coordinates the cell in this row has, as indices."""
    if f"{dimension}_count" in group:
        return np.arange(group[f"{dimension}_count"][row])
    return np.flatnonzero(group[f"{dimension}_used"][row])


def coordinates_beside(group: h5py.Group, dimension: str) -> list[str]:
    """The names of what says where its points lie, if that is not their number."""
    return [f"{dimension}_{axis}" for axis in (*GRID_AXES, "value") if f"{dimension}_{axis}" in group]


def _indices(group: h5py.Group, dimension: str, rows: NDArray[Any]) -> NDArray[Any]:
    if f"{dimension}_count" in group:
        return np.arange(group[f"{dimension}_count"][()][rows].max())
    return np.flatnonzero(group[f"{dimension}_used"][rows].any(axis=0))


def _described(dataset: h5py.Dataset) -> dict[str, Any]:
    hidden = ("CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_FillValue", "coordinates")
    return {key: value for key, value in dataset.attrs.items() if key not in hidden}
